# SPDX-License-Identifier: Apache-2.0
"""Mutants of a source file, many of them in one copy of it: `(chosen == N) ? mutant : original`.

What verilog.py and c_source.py share: tokens, expressions, names of mutants, weaving.  A mutant is known by its file
and its text, not by its line: the sample that is drawn stays the same when lines move.
"""
import re

OTHER = {"&": "|", "|": "&", "^": "|", "&&": "||", "||": "&&", "==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=",
         ">=": ">", "+": "-", "-": "+", "<<": ">>", ">>": "<<", "/": "%", "%": "/", "*": "+"}


class Node:
    """An expression: kind, place in the text, parts."""

    def __init__(self, kind, start, end, parts=(), op=None):
        self.kind, self.start, self.end, self.parts, self.op = kind, start, end, list(parts), op


class Mutant:
    """One change: `before` at start..end becomes `after`.  form: how both are written side by side."""

    def __init__(self, name, operator, start, end, before, after, form):
        self.file, self.operator, self.start, self.end = name, operator, start, end
        self.before, self.after, self.form = before, after, form
        self.number = self.line = 0
        self.statement = self.key = ""


def flat(text):
    """The text on one line, without comments."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S)
    return re.sub(r"\s+", " ", text).strip()


class Source:
    """A source file, its tokens, its mutants, and where their alternatives are woven in.  A language has the pattern of
    its TOKENs, PRECEDENCE of binary operators, ONE, FORM, read() of a file, unary(), and mutate_KIND() of a Node."""

    def __init__(self, name, text):
        self.name, self.text = name, text
        self.tokens = []
        at = 0
        while at < len(text):
            m = self.TOKEN.match(text, at)
            if not m:
                raise ValueError(f"{name}: cannot read {text[at:at + 30]!r}")
            if m.lastgroup != "skip":
                self.tokens.append((m.lastgroup, m.group(), m.start(), m.end()))
            at = m.end()
        self.tokens.append(("end", "", len(text), len(text)))
        self.i = 0
        self.mutants, self.roots = [], []  # roots: trees of expressions
        self.statement = (0, 0)
        self.read()
        self.name_mutants()

    # ---- tokens
    def peek(self, ahead=0):
        return self.tokens[min(self.i + ahead, len(self.tokens) - 1)][1]

    def kind(self, ahead=0):
        return self.tokens[min(self.i + ahead, len(self.tokens) - 1)][0]

    def start(self):
        return self.tokens[self.i][2]

    def last(self):
        return self.tokens[self.i - 1][3]

    def take(self, want=None):
        kind, text, start, _ = self.tokens[self.i]
        if kind == "end" or (want and text != want):
            line = self.text.count("\n", 0, start) + 1
            raise ValueError(f"{self.name}:{line}: expected {want or 'more'}, found {text}")
        self.i += 1
        return text

    def skip_balanced(self):
        """Skips what stands in brackets, with them."""
        depth = 0
        while True:
            text = self.take()
            depth += text in "([{" if len(text) == 1 else 0
            depth -= text in ")]}" if len(text) == 1 else 0
            if depth == 0:
                return

    def skip_to(self, *stops):
        while self.peek() not in stops:
            if self.peek() in ("(", "[", "{"):
                self.skip_balanced()
            else:
                self.take()
        return self.take()

    # ---- expressions
    def conditional(self):
        start, cond = self.start(), self.binary(0)
        if self.peek() != "?":
            return cond
        self.take()
        yes = self.expression()
        self.take(":")
        no = self.conditional()
        return Node("ternary", start, self.last(), (cond, yes, no))

    def binary(self, level):
        if level == len(self.PRECEDENCE):
            return self.unary()
        start, left = self.start(), self.binary(level + 1)
        while self.peek() in self.PRECEDENCE[level]:
            op = self.take()
            left = Node("binary", start, 0, (left, self.binary(level + 1)), op)
            left.end = self.last()
        return left

    # ---- mutants
    def source(self, node):
        return self.text[node.start:node.end]

    def add(self, operator, node, after, form=None):
        before = self.source(node)
        if flat(before) != flat(after):
            self.mutants.append(Mutant(self.name, operator, node.start, node.end, before, after, form or self.FORM))

    def visit(self, node):
        for part in node.parts:
            self.visit(part)
        getattr(self, "mutate_" + node.kind, lambda n: None)(node)

    def alone(self, op, text):
        """What is left of a term of `op` when the other one is dropped."""
        return f"({text})"

    def mutate_binary(self, node):
        left, right = (f"({self.source(p)})" if p.kind == "binary" else self.source(p) for p in node.parts)
        op = node.op
        if op in OTHER:
            self.add("operator", node, f"({left} {OTHER[op]} {right})")
        if op in ("&", "|", "^", "&&", "||", "+", "-", "<<", ">>"):
            self.add("dropped", node, self.alone(op, left))
        if op in ("&", "|", "^", "&&", "||", "+", "*"):
            self.add("dropped", node, self.alone(op, right))
        if op in ("<", "<=", ">", ">="):
            opposite = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}[op]
            self.add("operator", node, f"({left} {opposite} {right})")
        if op in ("+", "-"):
            self.add("off by one", node, f"({left} {op} {right} + {self.ONE})")

    def mutate_ternary(self, node):
        for part in node.parts[1:]:
            self.add("arm", node, f"({self.source(part)})")

    def name_mutants(self):
        seen = {}
        for m in self.mutants:
            m.line = self.text.count("\n", 0, m.start) + 1
            m.key = f"{self.name}: {m.statement}: {flat(m.before)} -> {flat(m.after)}"
            seen[m.key] = seen.get(m.key, 0) + 1
            if seen[m.key] > 1:
                m.key += f" #{seen[m.key]}"

    # ---- weaving
    def weave(self, chosen):
        """The text with the alternatives of those mutants, of this file, whose numbers are in `chosen`."""
        at = {}
        for m in self.mutants:
            if m.number in chosen:
                at.setdefault((m.start, m.end), []).append(m)
        out, done = [], 0
        for root in sorted(self.roots, key=lambda n: n.start):
            out.append(self.text[done:root.start])
            out.append(self.woven(root, at))
            done = root.end
        return "".join(out) + self.text[done:]

    def woven(self, node, at):
        text, done = [], node.start
        for part in sorted(node.parts, key=lambda n: n.start):
            text += [self.text[done:part.start], self.woven(part, at)]
            done = part.end
        text = "".join(text) + self.text[done:node.end]
        for m in at.pop((node.start, node.end), []):
            text = m.form.format(number=m.number, after=m.after, text=text)
        return text
