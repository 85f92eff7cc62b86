# SPDX-License-Identifier: Apache-2.0
"""Mutants of the C sources (source.py): reads the subset of C that csim/ is written in, down to the tree of every
expression that is evaluated at run time.  What is settled by the compiler stays as it is: types, sizes, static data,
case labels, macros and what they are given.  So do memory that is asked for and given back, and messages.
"""
import re

from source import Node, Source, flat

TOKEN = re.compile(r"""
    (?P<skip>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:[^\n\\]|\\.)*)
  | (?P<number>0[xX][0-9a-fA-F]+(?:[pP][-+]?\d+)?[uUlL]*|\d+\.?\d*(?:[eE][-+]?\d+)?[uUlLfF]*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
  | (?P<op>\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%&|^~!<>=?:;,.(){}\[\]])
""", re.X | re.S | re.M)

PRECEDENCE = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<", "<=", ">", ">="], ["<<", ">>"], ["+", "-"],
              ["*", "/", "%"]]
ASSIGN = {"=": None, "+=": "-=", "-=": "+=", "|=": "&=", "&=": "|=", "<<=": ">>=", ">>=": "<<=", "*=": "+=", "/=": "*=",
          "^=": "|=", "%=": "/="}
UNARY = {"!", "~", "-", "+", "*", "&", "++", "--"}
TYPE_WORDS = {"const", "volatile", "static", "extern", "register", "struct", "enum", "union", "unsigned", "signed", "int",
              "char", "bool", "double", "float", "void", "long", "short", "inline", "typedef", "_Static_assert",
              "__extension__", "_Alignas", "FILE", "__int128"}
ARITHMETIC = re.compile(r"(const )?(unsigned|int|double|size_t|ssize_t|unsigned long|long|u?int\d+_t|ut_mask)$")
# Nothing that is given to these is changed, and no call of them is dropped: memory, messages, hints.
UNTOUCHED = re.compile(r"(calloc|malloc|realloc|aligned_alloc|free|\w+_free|\w+_fini|free_\w+|v?[sf]?n?printf|ut_fail|perror|abort|"
                       r"__builtin_prefetch|__builtin_unreachable|offsetof|va_\w+|[A-Z][A-Z0-9_]+)$")
GIVES_BACK = re.compile(r"(\w*_)?(free|fini)(_\w+)?$")
HARMLESS = re.compile(r"(__builtin_\w+|mem(cmp|chr)|str(n?cmp|len|n?chr|str)|f?abs|sqrt|pow|log2?|exp|ldexp|floor|ceil|isfinite|offsetof|"
                      r"[A-Z][A-Z0-9_]+)$")
STATEMENT = "(UT_MUTANT({number}) ? (void)0 : (void)({text}))"
JUMP = "{{ if (!UT_MUTANT({number})) {text} }}"


class File(Source):
    """A file of csim/.  types: names that typedef gives, in all of them."""
    TOKEN, PRECEDENCE, ONE = TOKEN, PRECEDENCE, "1"
    FORM = "(UT_MUTANT({number}) ? ({after}) : ({text}))"

    def __init__(self, name, text, types):
        self.types, self.above = types, ""
        self.functions = []  # (name, its roots)
        super().__init__(name, text)

    def read(self):
        while self.kind() != "end":
            begin = self.i
            while self.peek() not in (";", "{") and self.kind() != "end":
                if self.peek() in ("(", "["):
                    self.skip_balanced()
                else:
                    self.take()
            if self.kind() == "end":
                return
            words = [t[1] for t in self.tokens[begin:self.i]]
            if self.peek() == "{" and words[-1] == ")" and "=" not in words:
                self.function(words)
            elif self.peek() == "{":
                self.skip_balanced()
            else:
                self.take()

    def function(self, words):
        at = words.index("(", 1) - 1
        if words[at] == "__attribute__":
            at = len(words) - 1 - words[::-1].index("(") - 1
        self.returns = " ".join(w for w in words[:at] if w not in ("static", "inline", "UT_INLINE", "extern"))
        before = len(self.roots)
        if GIVES_BACK.match(words[at]):
            self.skip_balanced()
        else:
            self.procedure()
            self.functions.append((words[at], self.roots[before:]))

    # ---- statements
    def is_type(self, ahead=0):
        word = self.peek(ahead)
        return word in TYPE_WORDS or word in self.types or re.fullmatch(r"\w+_t", word) is not None

    def is_cast(self):
        """Of a bracket: a variable may have the name that a type has elsewhere."""
        return self.peek(1) in TYPE_WORDS or self.is_type(1) and (
            self.peek(2) == ")" or self.peek(2) == "*" and self.peek(3) in ("*", ")"))

    def is_declaration(self):
        return self.is_type() and self.peek(1) not in ("(", "=", ".", "->", "[", ",", ";", "++", "--") or \
            self.peek() in TYPE_WORDS or self.kind() == "name" and self.kind(1) == "name"

    def begin(self):
        self.statement = (self.start(), None)

    def procedure(self):
        word = self.peek()
        self.begin()
        if word == "{":
            self.take()
            while self.peek() != "}":
                self.procedure()
            self.take()
        elif word in ("if", "while", "switch"):
            self.take()
            self.take("(")
            self.root(self.comma(), branch=word)
            self.take(")")
            self.procedure()
            if word == "if" and self.peek() == "else":
                self.take()
                self.procedure()
        elif word == "do":
            self.take()
            self.procedure()
            self.begin()
            self.take("while")
            self.take("(")
            self.root(self.comma(), branch="while")
            self.take(")")
            self.take(";")
        elif word == "for":
            self.loop()
        elif word in ("case", "default"):
            self.skip_to(":")
        elif word in ("break", "continue"):
            self.take()
            self.jump()
        elif word == "goto":
            self.skip_to(";")
        elif word == "return":
            self.take()
            if self.peek() == ";":
                self.jump()
            else:
                self.root(self.comma(), type_=self.returns)
                self.take(";")
        elif word == ";":
            self.take()
        elif self.kind() == "name" and self.peek(1) == ":":
            self.take()
            self.take()
        elif self.is_declaration():
            self.declaration()
        elif re.fullmatch(r"[A-Z][A-Z0-9_]+", word) and self.peek(1) == "(":  # a loop, or a call
            self.take()
            self.skip_balanced()
            if self.peek() not in (";", ".", "->", "=", "[") and self.peek() not in ASSIGN:
                self.procedure()
            else:
                self.skip_to(";")
        else:
            self.root(self.comma(), effect=True)
            self.take(";")

    def jump(self):
        start = self.statement[0]
        self.take(";")
        node = Node("jump", start, self.last())
        self.roots.append(node)
        self.add("dropped", node, ";", JUMP)
        self.mutants[-1].statement = f"{self.above}: {flat(self.source(node))}"

    def loop(self):
        self.take()
        self.take("(")
        if self.is_declaration():
            self.declaration()
        else:
            if self.peek() != ";":
                self.root(self.comma(), effect=True)
            self.take(";")
        if self.peek() != ";":
            self.begin()
            self.root(self.comma(), branch="while")
        self.take(";")
        if self.peek() != ")":  # steps stay: they would run for ever
            self.comma()
        self.take(")")
        self.procedure()

    def declaration(self):
        begin = self.i
        if self.peek() in ("static", "typedef", "_Static_assert", "extern") or self.peek() == "__extension__":
            self.skip_to(";")
            return
        while self.is_type() or self.kind() == "name" and (self.kind(1) == "name" or self.peek(1) == "*"):
            tagged = self.take() in ("struct", "enum", "union")
            if tagged and self.kind() == "name":
                self.take()
            if tagged and self.peek() == "{":
                self.skip_balanced()
        type_ = " ".join(t[1] for t in self.tokens[begin:self.i])
        while self.peek() != ";":
            plain = type_
            while self.peek() in ("*", "const"):
                plain += self.take()
            if self.peek() == "(":
                self.skip_balanced()
            else:
                self.take()
            while self.peek() in ("[", "(", "__attribute__"):
                plain += self.peek()
                if self.peek() == "__attribute__":
                    self.take()
                self.skip_balanced()
            if self.peek() == "=":
                self.take()
                self.initializer(plain)
            if self.peek() == ",":
                self.take()
        self.take()

    def initializer(self, type_):
        if self.peek() != "{":
            self.root(self.assignment(), type_=type_)
            return
        for part in self.braces(self.start()).parts:
            self.root(part)

    # ---- expressions
    def comma(self):
        start, parts = self.start(), [self.assignment()]
        while self.peek() == ",":
            self.take()
            parts.append(self.assignment())
        return parts[0] if len(parts) == 1 else Node("comma", start, self.last(), parts)

    def expression(self):
        return self.comma()

    def assignment(self):
        start, left = self.start(), self.conditional()
        if self.peek() not in ASSIGN:
            return left
        op = self.take()
        right = self.assignment()
        return Node("assignment", start, right.end, (left, right), op)

    def unary(self):
        start = self.start()
        if self.peek() == "sizeof":
            self.take()
            if self.peek() == "(":
                self.skip_balanced()
            else:
                self.unary()
            return Node("size", start, self.last())
        if self.peek() in UNARY:
            op = self.take()
            part = self.unary()
            return Node("unary", start, part.end, (part,), op)
        if self.peek() == "(" and self.is_cast():
            self.skip_balanced()
            if self.peek() == "{":
                return self.postfix(self.braces(start))
            part = self.unary()
            return Node("cast", start, part.end, (part,))
        return self.postfix(self.primary())

    def primary(self):
        start, kind, word = self.start(), self.kind(), self.take()
        if word == "(":
            if self.peek() == "{":
                raise ValueError(f"{self.name}: statement expressions are not read")
            inside = self.comma()
            self.take(")")
            return Node("paren", start, self.last(), (inside,))
        if kind == "string" or self.kind() == "string":
            while self.kind() == "string" or re.fullmatch(r"PRI\w+", self.peek()):
                self.take()
            return Node("string", start, self.last())
        if kind not in ("number", "name"):
            raise ValueError(f"{self.name}:{self.text.count(chr(10), 0, start) + 1}: unexpected {word}")
        if kind == "name" and self.peek() == "(" and UNTOUCHED.match(word):
            self.skip_balanced()
            parts = self.braces(self.start()).parts if self.peek() == "{" else ()
            return Node("untouched", start, self.last(), parts, word)
        return Node(kind, start, self.last(), (), word)

    def postfix(self, node):
        start, parts = node.start, node.parts if node.kind == "untouched" else [node]
        while self.peek() in ("(", "[", ".", "->", "++", "--"):
            op = self.take()
            if op in (".", "->"):
                self.take()
                kind = "place"
            elif op in ("++", "--"):
                kind = "step"
            elif op == "[":
                parts = parts + [self.comma()]
                self.take("]")
                kind = "place"
            else:
                parts = parts + self.arguments()
                kind = "call"
            word = node.op if kind == "call" and node.kind == "name" else op
            node = Node(kind, start, self.last(), parts, word)
        return node

    def arguments(self):
        parts = []
        while self.peek() != ")":
            if self.is_type() and self.peek() not in self.types and self.peek(1) in ("*", ")", ","):
                self.skip_to(",", ")")  # a type, which a macro is given
                self.i -= 1
            else:
                parts.append(self.assignment())
            if self.peek() == ",":
                self.take()
        self.take(")")
        return parts

    def braces(self, start):
        self.take("{")
        parts = []
        while self.peek() != "}":
            if self.peek() in (".", "["):
                self.skip_to("=")
            if self.peek() == "{":
                parts += self.braces(self.start()).parts
            else:
                parts.append(self.assignment())
            if self.peek() == ",":
                self.take()
        self.take("}")
        return Node("braces", start, self.last(), parts)

    # ---- mutants
    def root(self, node, branch=None, effect=False, type_=None):
        """An expression that is evaluated: the condition of a branch, for its effect, or for a value of that type."""
        start = self.statement[0]
        self.roots.append(node)
        before = len(self.mutants)
        self.visit(node)
        if branch in ("if", "while"):
            self.add("branch", node, "0")
            if branch == "if":
                self.add("branch", node, "1")
        for part in (node.parts if node.kind == "comma" else [node]) if effect else []:
            if part.kind in ("assignment", "call") or part.kind == "step" or part.kind == "unary":
                self.add("dropped", part, "(void)0", STATEMENT)
        if type_ and node.kind in ("name", "call", "place") and node.op not in ("true", "false", "NULL"):
            if type_ in ("bool", "const bool"):
                self.add("negation", node, f"!({self.source(node)})")
            elif ARITHMETIC.match(type_):
                self.add("off by one", node, f"({self.source(node)} + 1)")
        shown = flat(self.text[start:node.end])
        for m in self.mutants[before:]:
            m.statement = shown
        self.above = shown

    def alone(self, op, text):
        return f"(!!({text}))" if op in ("&&", "||") else f"({text})"

    def mutate_binary(self, node):
        before = len(self.mutants)
        super().mutate_binary(node)
        if node.op in ("+", "-") and node.parts[1].kind == "number":  # the number's own mutants are that
            self.mutants[before:] = [m for m in self.mutants[before:] if m.operator == "operator" or
                                     m.after == f"({self.source(node.parts[1])})"]

    def mutate_unary(self, node):
        part = self.source(node.parts[0])
        if node.op == "!":
            self.add("negation", node, f"(!!{part})")
        elif node.op in ("~", "-"):
            self.add("negation", node, f"({part})")
        elif node.op in ("++", "--"):
            self.add("operator", node, f"({'--' if node.op == '++' else '++'}{part})")

    def mutate_step(self, node):
        self.add("operator", node, f"({self.source(node)[:-2]}{'--' if node.op == '++' else '++'})")

    def mutate_assignment(self, node):
        if ASSIGN[node.op]:
            left, right = (self.source(p) for p in node.parts)
            self.add("operator", node, f"({left} {ASSIGN[node.op]} {right})")

    def mutate_number(self, node):
        text = self.source(node)
        self.add("constant", node, f"({text} + 1)")
        if re.search(r"[1-9]", text):
            self.add("constant", node, f"({text} - 1)")

    def mutate_name(self, node):
        if node.op in ("true", "false"):
            self.add("constant", node, "false" if node.op == "true" else "true")


# ---- What a mutant changes, without letting it live
COMPARED = "({{{{ UT_COMPARE({number}, {how}); {{text}}; }}}})"


def nodes(node):
    yield node
    for part in node.parts:
        yield from nodes(part)


def writes(node):
    """Does it change more than a variable of the function?"""
    first = node.parts[0] if node.parts else None
    if node.kind == "step":  # of a place, the parts are those of the place
        return first.kind != "name" or node.end > first.end + len("++")
    return (node.kind == "assignment" or node.kind == "unary" and node.op in ("++", "--")) and first.kind != "name"


def without_effect(files):
    """Names of the functions that change nothing but their own variables, and call only such ones."""
    calls = {}
    for f in files:
        for name, roots in f.functions:
            every = [n for root in roots for n in nodes(root)]
            called = {n.op for n in every if n.kind in ("call", "untouched")}
            calls[name] = calls.get(name, set()) | called | ({"="} if any(map(writes, every)) else set())
    while True:
        bad = [n for n, called in calls.items() if any(c not in calls and not HARMLESS.match(c) for c in called)]
        if not bad:
            return set(calls)
        for name in bad:
            del calls[name]


def compare_mutants(f, harmless):
    """Gives the mutants of a file another form: the original, and beside it a look whether the mutant would have another
    value.  Where looking would change something, only whether the mutant is reached can be said."""
    at = {(n.start, n.end): n for root in f.roots for n in nodes(root)}

    def pure(node):
        return all(n.kind not in ("assignment", "step", "jump") and not (n.kind == "unary" and n.op in ("++", "--")) and
                   (n.kind not in ("call", "untouched") or n.op in harmless or HARMLESS.match(n.op)) for n in nodes(node))

    for m in f.mutants:
        node, how = at[m.start, m.end], "1"
        if m.form == JUMP:
            m.form = f"{{{{ UT_COMPARE({m.number}, 1); {{text}} }}}}"
            continue
        if node.kind == "assignment" and all(map(pure, node.parts)):
            left, right = (f"({f.source(p)})" for p in node.parts)
            new = right if node.op == "=" else f"({left} {node.op[:-1]} {right})"
            old = left if m.form == STATEMENT else f"({left} {ASSIGN[node.op][:-1]} {right})"
            how = f"{new} != {old}"
        elif m.form == f.FORM and pure(node):
            sign = "!" if m.operator == "branch" else ""
            how = f"{sign}({m.before}) != {sign}({m.after})"
        m.form = COMPARED.format(number=m.number, how=how.replace("{", "{{").replace("}", "}}"))


def types_of(texts):
    """The names that typedef gives in those files."""
    names = set()
    for text in texts:
        names.update(re.findall(r"typedef[^;({]*?\b(\w+)\s*(?:__attribute__.*)?;|^} (ut_\w+);", text, re.M))
    return {name for pair in names for name in pair if name}
