# SPDX-License-Identifier: Apache-2.0
"""Mutants of the RTL (source.py): reads the subset of Verilog that rtl/ is written in, down to the tree of every expression
that is evaluated while the simulation runs.  What is settled at elaboration stays as it is: parameters, generate,
widths, genvars in names.
"""
import re

from source import Node, Source, flat

FIRST = 0x6D000000  # numbers of mutants: constants that nothing else has, to be found in what Verilator generates

TOKEN = re.compile(r"""
    (?P<skip>\s+|//[^\n]*|/\*.*?\*/|`default_nettype\s+\w+|`include\s+"[^"]*"|`if\w*\s+\w+|`endif)
  | (?P<macro>`\w+)
  | (?P<number>\d*'s?[bdhBDH][0-9a-fA-F_xzXZ]+|\d+)
  | (?P<name>\$?[A-Za-z_]\w*)
  | (?P<string>"[^"]*")
  | (?P<op><<<|>>>|===|!==|\*\*|\+:|-:|<<|>>|<=|>=|==|!=|&&|\|\||~&|~\||~\^|\^~|[-+*/%&|^~!<>=?:;,.(){}\[\]@\#])
""", re.X | re.S)

PRECEDENCE = [["||"], ["&&"], ["|"], ["^", "~^", "^~"], ["&"], ["==", "!="], ["<", "<=", ">", ">="], ["<<", ">>"],
              ["+", "-"], ["*", "/", "%"]]
UNARY = {"~", "!", "&", "|", "^", "~&", "~|", "~^", "-", "+"}


class File(Source):
    """A file of rtl/."""
    TOKEN, PRECEDENCE, ONE = TOKEN, PRECEDENCE, "1'b1"
    FORM = "((ut_mutation::chosen == 32'h{number:x}) ? {after} : {text})"

    def read(self):
        self.constants = set()
        self.items(("end",))

    # ---- items of a module
    def items(self, ends):
        while self.peek() not in ends and self.kind() != "end":
            self.item()
        if self.kind() != "end":
            self.take()

    def block(self):
        """Of generate: one item, or several between begin and end."""
        if self.peek() == "begin":
            self.take()
            if self.peek() == ":":
                self.take()
                self.take()
            self.items(("end",))
        else:
            self.item()

    def item(self):
        word, self.statement = self.peek(), (self.start(), None)
        if word == "module":
            self.take()
            self.take()
            self.header()
        elif word in ("endmodule", "generate", "endgenerate", ";"):
            self.take()
        elif word in ("localparam", "parameter", "genvar", "integer"):
            self.constant()
        elif word in ("wire", "reg"):
            self.declaration()
        elif word == "assign":
            self.take()
            self.assignment("=")
            self.take(";")
        elif word == "always":
            self.take()
            self.take("@")
            self.skip_balanced()
            self.procedure()
        elif word == "if":
            self.take()
            self.skip_balanced()
            self.block()
            if self.peek() == "else":
                self.take()
                self.block()
        elif word == "for":
            self.take()
            self.skip_balanced()
            self.block()
        elif word == "case":
            self.take()
            self.skip_balanced()
            while self.peek() != "endcase":
                self.skip_to(":")
                self.block()
            self.take()
        elif word == "function":
            self.function()
        elif self.kind() == "macro":
            self.take()
            if self.peek() == "(":
                self.skip_balanced()
        else:
            self.instance()

    def header(self):
        if self.peek() == "#":
            self.take()
            begin = self.i
            self.skip_balanced()
            for k in range(begin, self.i):
                if self.tokens[k][1] == "parameter":
                    j = k + 1
                    while self.tokens[j + 1][1] != "=":
                        j += 1
                    self.constants.add(self.tokens[j][1])
        self.skip_balanced()
        self.take(";")

    def constant(self):
        begin = self.i
        self.skip_to(";")
        for k in range(begin, self.i):
            if self.tokens[k + 1][1] in ("=", ",", ";") and self.tokens[k][0] == "name":
                self.constants.add(self.tokens[k][1])
                if self.tokens[k + 1][1] == "=" and self.tokens[begin][1] != "genvar":
                    break

    def declaration(self):
        self.take()
        if self.peek() == "[":
            self.skip_balanced()
        while True:
            name = self.take()
            while self.peek() == "[":
                self.skip_balanced()
            if self.peek() == "=":
                self.take()
                root = self.expression()
                if not name.startswith("unused"):
                    self.root(root)
            if self.take() == ";":
                return

    def function(self):
        while self.peek() != "begin":
            self.take()
        self.procedure()
        self.take("endfunction")

    def instance(self):
        self.take()  # module
        if self.peek() == "#":
            self.take()
            self.skip_balanced()
        name = self.take()
        self.take("(")
        while self.peek() == ".":
            self.statement = (self.start(), None)
            self.take()
            port = self.take()
            self.take("(")
            if port.endswith("_i") and port != "clk_i":
                self.root(self.expression(), f"{name}.")
            else:
                self.expression()
            self.take(")")
            if self.peek() == ",":
                self.take()
        self.take(")")
        self.take(";")

    # ---- statements
    def procedure(self):
        word = self.peek()
        if word == "begin":
            self.take()
            while self.peek() != "end":
                self.procedure()
            self.take()
        elif word == "if":
            self.statement = (self.start(), None)
            self.take()
            self.take("(")
            self.root(self.expression(), branch=True)
            self.take(")")
            self.procedure()
            if self.peek() == "else":
                self.take()
                self.procedure()
        elif self.kind() == "macro":  # UT_IF_SIMULATED: what it says changes nothing but time
            self.take()
            self.skip_balanced()
            self.procedure()
        elif word == "for":  # unrolled by Verilator: its bounds stay
            self.take()
            self.skip_balanced()
            self.procedure()
        elif word == "case":
            self.take()
            self.skip_balanced()
            while self.peek() != "endcase":
                self.statement = (self.start(), None)
                if self.peek() == "default":
                    self.take()
                else:
                    self.root(self.expression(), branch=True)
                self.take(":")
                self.procedure()
            self.take()
        elif word == ";":
            self.take()
        else:
            self.statement = (self.start(), None)
            self.assignment(None)
            self.take(";")

    def assignment(self, op):
        start = self.start()
        while self.peek() not in ("=", "<="):
            if self.peek() in ("[", "{"):
                self.skip_balanced()
            else:
                self.take()
        left = self.text[start:self.last()]
        clocked = self.take() == "<="
        self.root(self.expression(), held=left if clocked and not op else None)

    # ---- expressions
    def expression(self):
        return self.conditional()

    def unary(self):
        if self.peek() not in UNARY:
            return self.primary()
        start, op = self.start(), self.take()
        part = self.unary()
        return Node("unary", start, self.last(), (part,), op)

    def primary(self):
        start, kind, word = self.start(), self.kind(), self.take()
        if word == "(":
            inside = self.expression()
            self.take(")")
            return Node("paren", start, self.last(), (inside,))
        if word == "{":
            return self.braces(start)
        if kind == "number":
            return Node("number", start, self.last())
        if kind == "macro":
            if self.peek() == "(":
                self.skip_balanced()
            return Node("macro", start, self.last())
        parts = []
        if self.peek() == "(":  # a call
            self.take()
            while True:
                parts.append(self.expression())
                if self.take() == ")":
                    return Node("call", start, self.last(), parts, word)
        select, hierarchical = None, False
        while self.peek() in ("[", "."):
            if self.take() == ".":
                hierarchical = True
                self.take()
                continue
            inside, begin = self.i, self.start()
            self.i -= 1
            self.skip_balanced()
            after, self.i = self.i, inside
            select = self.select(after - 1, begin)
            self.i = after
        node = Node("name", start, self.last(), (), word)
        node.select = None if hierarchical and self.text[node.end - 1] != "]" else select
        return node

    def select(self, close, begin):
        """Base, as text, and `:`, `+:` or None, of what stands in brackets; None: it is a macro that says all."""
        depth = 0
        for k in range(self.i, close):
            text = self.tokens[k][1]
            depth += text in ("(", "[", "{")
            depth -= text in (")", "]", "}")
            if depth == 0 and text in ("+:", ":"):
                return self.text[begin:self.tokens[k - 1][3]], text
        if self.tokens[self.i][0] == "macro" and "ANSWER" in self.tokens[self.i][1]:
            return None
        return self.text[begin:self.tokens[close - 1][3]], None

    def braces(self, start):
        first = self.expression()
        if self.peek() == "{":  # a replication: its count stays
            self.take()
            inside = self.braces(self.tokens[self.i - 1][2])
            self.take("}")
            return Node("replication", start, self.last(), (inside,))
        parts = [first]
        while self.take() == ",":
            parts.append(self.expression())
        return Node("concatenation", start, self.last(), parts)

    # ---- mutants
    def root(self, node, prefix="", branch=False, held=None):
        """An expression that is evaluated at run time; branch: a condition; held: the register that is written."""
        start = self.statement[0]
        self.roots.append(node)
        before = len(self.mutants)
        self.visit(node)
        text = self.source(node)
        if branch:
            self.add("branch", node, "1'b0")
            if not flat(text).startswith("rst_i"):
                self.add("branch", node, "1'b1")
        if held:
            self.add("dropped", node, held)
        if not branch and not prefix and node.kind in ("name", "call"):
            self.add("negation", node, f"~({text})")
        shown = flat(self.text[start:node.end])
        for m in self.mutants[before:]:
            m.statement = prefix + shown

    def mutate_unary(self, node):
        part = self.source(node.parts[0])
        if node.op in ("~", "!"):
            self.add("negation", node, f"({part})")
        elif node.op in ("|", "&", "~|", "~&"):
            other = {"|": "&", "&": "|", "~|": "~&", "~&": "~|"}[node.op]
            self.add("operator", node, f"({other}{part})")
            self.add("negation", node, f"({node.op[1:] if len(node.op) > 1 else '~' + node.op}{part})")

    def mutate_number(self, node):
        text = self.source(node)
        m = re.fullmatch(r"(\d+)'([bdh])(\w+)", text)
        if not m:
            if text.isdigit():
                self.add("constant", node, str(int(text) + 1))
            return
        width, base = int(m.group(1)), {"b": 2, "d": 10, "h": 16}[m.group(2)]
        value = int(m.group(3), base)
        for new in sorted({(value + 1) % (1 << width), max(value - 1, 0)} - {value}):
            self.add("constant", node, f"{width}'d{new}")

    def mutate_macro(self, node):
        self.add("constant", node, f"({self.source(node)} ^ 1'b1)")

    def mutate_name(self, node):
        if node.op in self.constants and node.select is None:
            if not re.fullmatch(r"(PI|PO|V|W|D|P|K|NI|NO|NX|TW|CW|AW|EW|LOCAL|ONE)", node.op):
                self.add("constant", node, f"({node.op} + 1'b1)")
        elif node.select:
            base, op = node.select
            if node.op in self.constants:
                self.add("constant", node, f"({self.source(node)} ^ 1'b1)" if op else f"~{self.source(node)}")
            elif op:  # one bit off; a place beyond the vector would be unknown bits, which Verilator refuses in places
                self.add("slice", node, f"({self.source(node)} >> 1)")
            elif not base.isdigit():
                self.add("slice", node, f"~{self.source(node)}")


PACKAGE = """`ifndef UT_MUTATION_VH
`define UT_MUTATION_VH
// Which mutant lives: a number in the file `mutant` of the working folder; none without it.
package ut_mutation;
  function automatic int choose();
    int file, n, fields;
    n = 0;
    file = $fopen("mutant", "r");
    if (file != 0) begin
      fields = $fscanf(file, "%d", n);
      $fclose(file);
    end
    return n;
  endfunction
  int chosen = choose();
endpackage
`endif
"""
