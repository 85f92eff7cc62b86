# SPDX-License-Identifier: Apache-2.0
"""Commands that pages show, also where nothing runs them: the command, its options and its files are there; so are the keys of scenarios
and sweeps that are named in code style, and numbers that follow from the tree.

page_commands.py UTURN PAGE...     exit status 1, and a line for each that is wrong
"""
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

# What stands for a text of the reader's own in examples, or is made there.
OWN_FILE = re.compile(r"[A-Z<*{$]|\.html$|\.sqlite$|\.csv$|\.svg$")
GROUPS = ("topology", "switch", "routing", "traffic", "run")


def said(uturn, *arguments):
    return subprocess.run([uturn, *arguments], capture_output=True, text=True, check=True).stdout


def options_of(uturn):
    """By command: the options that its help names."""
    commands = re.findall(r"^  ([a-z]+) +\S", said(uturn, "help").split("exit status")[0], re.M)
    result = {"help": set(commands) | {"all"}}
    for command in commands:
        names = re.findall(r"^ +(?:-\w, )?--([a-z0-9-]+)", said(uturn, "help", command), re.M)
        result[command] = {"--" + name for name in names} | {"-" + name for name in re.findall(r"^ +-(\w)\b", said(uturn, "help", command), re.M)}
    return result


def code(page):
    """Line number and text of code: lines of blocks, joined where they go on, and `spans` of prose."""
    inside, held, started = None, "", 0
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.startswith("```"):
            inside = None if inside is not None else line[3:]
            continue
        if inside is None:
            for span in re.findall(r"`([^`]+)`", line):
                yield number, span, False
            continue
        if inside == "console" and not held and not line.startswith(("$ ", "> ")):
            continue
        if inside not in ("", "console", "sh"):
            continue
        started = started if held else number
        held += re.sub(r"^[$>] ", "", line)
        if held.endswith("\\"):
            held = held[:-1] + " "
            continue
        yield started, held, True
        held = ""


def commands_in(text, known, block):
    """Lists of words behind `uturn`; of a span also what begins with the name of a command and an option."""
    try:
        lexer = shlex.shlex(text, posix=True, punctuation_chars="|;&<>()")
        lexer.whitespace_split = True
        words = list(lexer)
    except ValueError:
        return
    parts, part = [], []
    for word in words + ["|"]:
        if re.fullmatch(r"[|;&<>()]+", word):
            parts.append(part)
            part = []
        else:
            part.append(word)
    for part in parts:
        at = next((i for i, word in enumerate(part) if word in ("uturn", "./uturn", "../uturn")), None)
        if at is not None:
            yield part[at + 1:]
        elif not block and len(part) > 1 and part[0] in known and any(word.startswith("--") for word in part):
            yield part


def wrong_in_command(words, known, root, own):
    if not words or words[0].startswith("-") or re.search("[A-Z.]", words[0]) or words[0] in ("certificate", "theorems", "transitions"):  # the head of such a file
        return
    command, rest = words[0], words[1:]
    if command not in known:
        yield f"uturn has no command '{command}'"
        return
    for word in rest:
        name = word.split("=")[0]
        if command != "help" and re.match(r"--?[a-z]", name) and name not in known[command] and name not in ("--help", "--version", "--usage", "-h", "-V"):
            yield f"uturn {command} has no option {name}"
        if re.match(r"(\.\./)?(scenarios|experiments|rtl|tests|docs|examples)/", word) and not OWN_FILE.search(word) and word not in own:
            if not list(root.glob(word.removeprefix("../").rstrip("/"))):
                yield f"uturn {command} {word}: no such file"


def wrong_key(span, schema):
    m = re.match(r"(" + "|".join(GROUPS) + r")\.([a-z_0-9]+)\b(?!\.(?:c|h|v|md)\b)", span)
    if not m or "/" in span or re.search(r"\.(c|h|v|cpp|yaml|md)$", span):
        return None
    group, key = m.groups()
    return None if key in schema["properties"][group]["properties"] else f"no key {group}.{key}"


def wrong_numbers(root):
    """Numbers of pages that can be counted."""
    values = sum(1 for file in (root / "experiments").glob("*/*.tsv") for line in file.read_text().splitlines()
                 if line.strip() and not line.startswith("#")) - len(list((root / "experiments").glob("*/*.tsv")))
    page = root / "docs" / "results" / "index.md"
    if f"all {values} printed values" not in page.read_text():
        yield f"{page.relative_to(root)}: expected 'all {values} printed values'"


def main(uturn, *pages):
    known, schema = options_of(uturn), json.loads(said(uturn, "schema"))
    root = Path(os.environ["UTURN_ROOT"])
    wrong, commands = [], 0
    for page in map(Path, pages):
        own = set(re.findall(r"becomes `([^`]+)`", page.read_text()))  # what a worked example adds
        for number, text, block in code(page):
            for words in commands_in(text, known, block):
                commands += 1
                wrong += [f"{page}:{number}: {what}" for what in wrong_in_command(words, known, root, own)]
            if not block and not own:
                if what := wrong_key(text, schema):
                    wrong.append(f"{page}:{number}: {what}")
    wrong += wrong_numbers(root)
    for line in wrong:
        print(f"page_commands: {line}", file=sys.stderr)
    print(f"{commands} commands of {len(pages)} pages: commands, options and files are there; keys, too")
    return 1 if wrong else 0


sys.exit(main(*sys.argv[1:]))
