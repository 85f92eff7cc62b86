# SPDX-License-Identifier: Apache-2.0
"""What FuseSoC (uturn.core), Bender (Bender.yml) and citation tools (CITATION.cff) read: keys that their formats know, and all files."""
import glob
import sys
import yaml

FILESET = {"files", "file_type", "depend", "logical_name", "is_include_file"}
TARGET = {"default_tool", "description", "filesets", "toplevel", "parameters", "tools", "hooks", "generate", "flow", "flow_options", "vpi"}
PARAMETER = {"datatype", "default", "description", "paramtype", "scope"}
CORE = {"name", "description", "filesets", "targets", "parameters", "provider", "generate", "generators", "scripts", "vpi", "virtual", "mapping"}
BENDER = {"package", "dependencies", "sources", "export_include_dirs", "plugins", "frozen", "workspace", "remotes", "vendor_package"}
CITATION = {"cff-version", "message", "type", "title", "abstract", "authors", "version", "keywords", "license", "date-released", "url"}


def fail(text):
    print("packages:", text)
    sys.exit(1)


def known(what, keys, allowed):
    if set(keys) - allowed:
        fail(f"{what}: unknown keys {sorted(set(keys) - allowed)}")


def names(files):
    return [next(iter(f)) if isinstance(f, dict) else f for f in files]


def all_there(what, files, expected):
    if sorted(files) != sorted(expected):
        fail(f"{what}: {sorted(set(files) ^ set(expected))} is missing or too much")


def core():
    with open("uturn.core", encoding="utf-8") as file:
        if file.readline() != "CAPI=2:\n":
            fail("uturn.core: the first line must be CAPI=2:")
        text = yaml.safe_load(file)
    known("uturn.core", text, CORE)
    if text["name"].count(":") != 3:
        fail("uturn.core: the name has vendor, library, name, version")
    for name, one in text["filesets"].items():
        known(name, one, FILESET)
        for entry in one["files"]:
            if isinstance(entry, dict):
                known(name, next(iter(entry.values())), {"is_include_file", "file_type", "include_path", "logical_name", "copyto", "tags", "define"})
    files = {name: names(one["files"]) for name, one in text["filesets"].items()}
    all_there("uturn.core: rtl", files["rtl"], glob.glob("rtl/*.v") + glob.glob("rtl/*.vh"))
    all_there("uturn.core: axis", files["axis"], glob.glob("rtl/axis/*.v"))
    all_there("uturn.core: example", files["example"] + files["bench"], glob.glob("examples/axis_mesh/*.v"))
    for name, one in text["targets"].items():
        known(name, one, TARGET)
        if set(one["filesets"]) - set(files) or set(one.get("parameters", [])) - set(text["parameters"]):
            fail(f"uturn.core: {name} names a fileset or a parameter that is not there")
    for name, one in text["parameters"].items():
        known(name, one, PARAMETER)


def bender():
    with open("Bender.yml", encoding="utf-8") as file:
        text = yaml.safe_load(file)
    known("Bender.yml", text, BENDER)
    known("Bender.yml: package", text["package"], {"name", "authors", "description"})
    files = []
    for source in text["sources"]:
        known("Bender.yml: sources", source, {"include_dirs", "defines", "target", "files"})
        files += source["files"]
    all_there("Bender.yml", files, glob.glob("rtl/*.v") + glob.glob("rtl/axis/*.v") + glob.glob("examples/axis_mesh/*.v"))


def citation():
    with open("CITATION.cff", encoding="utf-8") as file:
        text = yaml.safe_load(file)
    known("CITATION.cff", text, CITATION)
    if {"cff-version", "message", "title", "authors"} - set(text):
        fail("CITATION.cff: a required key is missing")


core()
bender()
citation()
print("packages: uturn.core, Bender.yml, CITATION.cff name all files of the RTL, and keys that their formats know")
