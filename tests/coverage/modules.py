# SPDX-License-Identifier: Apache-2.0
"""Modules of Verilog, as far as coverage needs them: what is declared and instantiated in which generate blocks."""
import re

TOKEN = re.compile(r"`?[A-Za-z_][\w$]*|\S")
KEYWORDS = {"input", "output", "inout", "wire", "reg", "parameter", "localparam", "integer", "signed"}


def blank(text):
    """Without comments and strings, of the same length."""
    return re.sub(r'//[^\n]*|/\*.*?\*/|"[^"\n]*"', lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)


class Module:
    """declared: (blocks, name) -> line; instances: (blocks, name) -> modules; blocks: names of generate blocks.  Alternatives
    of a generate case may have the same name."""

    def __init__(self, path):
        self.name = path.name
        self.lines = path.read_text().splitlines()
        self.text = blank(path.read_text())
        self.tokens = [(m.group(), m.start()) for m in TOKEN.finditer(self.text)]
        self.declared, self.instances = {}, {}
        self.scan()
        self.said = self.say()

    def say(self):
        """Line -> its text, numbered where it stands twice: keys do not change when other lines do."""
        said, seen = {}, {}
        for i, line in enumerate(self.lines, 1):
            text = " ".join(re.sub(r"//.*|/\*verilator \w+\*/", "", line).split())
            seen[text] = seen.get(text, 0) + 1
            said[i] = text if seen[text] == 1 else f"{text} #{seen[text]}"
        return said

    def word(self, i):
        return self.tokens[i][0] if i < len(self.tokens) else ""

    def closing(self, i):
        depth = 0
        while i < len(self.tokens):
            depth += (self.word(i) in "([{") - (self.word(i) in ")]}")
            i += 1
            if not depth:
                break
        return i

    def declaration(self, i, blocks):
        """The names after `wire` or `reg` at i."""
        while True:
            i += 1
            while self.word(i) == "[":
                i = self.closing(i)
            name, at = self.tokens[i] if i < len(self.tokens) else ("", 0)
            if not re.match(r"[A-Za-z_]", name) or name in KEYWORDS:
                return
            self.declared[blocks, name] = self.text.count("\n", 0, at) + 1
            i += 1
            while self.word(i) not in (",", ";", ")", ""):
                i = self.closing(i) if self.word(i) in "([{" else i + 1
            if self.word(i) != "," or self.word(i + 1) in KEYWORDS:
                return

    def scan(self):
        stack, function = [], False
        for i, (word, _) in enumerate(self.tokens):
            blocks = tuple(b for b in stack if b)
            if word == "function":
                function = True
            elif word == "endfunction":
                function = False
            elif word == "begin":
                stack.append(self.word(i + 2) if self.word(i + 1) == ":" else None)
            elif word == "end":
                stack.pop()
            elif word in ("wire", "reg") and not function:
                self.declaration(i, blocks)
            elif re.match(r"ut_\w+$", word) and self.word(i - 1) != "module":
                after = i + 1
                if self.word(after) == "#":
                    after = self.closing(after + 1)
                if re.match(r"[A-Za-z_]\w*$", self.word(after)) and self.word(after + 1) == "(":
                    self.instances.setdefault((blocks, self.word(after)), []).append(word)


class Hierarchy:
    """Where signals of an elaboration are declared: of hierarchical names, tuples that begin with the top module."""

    def __init__(self, modules, paths):
        self.modules, self.known, self.inside = modules, {}, {}
        for *scopes, name in paths:
            self.inside.setdefault(tuple(scopes), set()).add(re.sub(r"\[\d+\]$", "", name))

    def fits(self, module, scope):
        """Of the modules that an instance may be of, the one whose ports and signals are there."""
        names = [name for blocks, name in self.modules[f"{module}.v"].declared if not blocks]
        there = self.inside.get(scope, set())
        return all(name in there for name in names), len(names)

    def scope(self, path):
        """The module of a scope, and the generate blocks in it."""
        if path not in self.known:
            if len(path) == 1:
                self.known[path] = self.modules[f"{path[0]}.v"], ()
            else:
                module, blocks = self.scope(path[:-1])
                name = re.sub(r"\[\d+\]$", "", path[-1])
                inner = module.instances.get((blocks, name))
                self.known[path] = (module, (*blocks, name)) if not inner else (
                    self.modules[f"{max(inner, key=lambda m: self.fits(m, path))}.v"], ())
        return self.known[path]

    def find(self, path):
        """The module and (blocks, name); None where it is not a wire or register."""
        module, blocks = self.scope(path[:-1])
        name = re.sub(r"\[\d+\]$", "", path[-1])
        return (module, (blocks, name)) if (blocks, name) in module.declared else None
