# SPDX-License-Identifier: Apache-2.0
"""tests/cli/schema.py UTURN ROOT - the JSON schema against the program: what it refuses, the program refuses too, and
what it can know it refuses.  All scenarios and sweeps of the tree are valid.  Of scenarios first, of sweeps below."""
import copy, glob, json, re, subprocess, sys, tempfile
import jsonschema, yaml

uturn, root = sys.argv[1:]


def schema_of(*kind):
    schema = json.loads(subprocess.run([uturn, "schema", *kind], check=True, capture_output=True).stdout)
    jsonschema.Draft7Validator.check_schema(schema)
    return schema, jsonschema.Draft7Validator(schema)


schema, validator = schema_of()
assert schema_of("scenario")[0] == schema
folder = tempfile.TemporaryDirectory()


class Loader(yaml.SafeLoader):
    """Numbers as 1e-3 are numbers."""


Loader.add_implicit_resolver("tag:yaml.org,2002:float", re.compile(r"^-?[0-9.]+[eE][-+]?[0-9]+$"), list("-.0123456789"))


def load(path):
    with open(path) as file:
        return yaml.load(file, Loader)


def inputs_of(cases):
    """(name, scenario) of each one that a file of cases contains (tests/cli/cases.sh)."""
    with open(cases) as file:
        for name, text in re.findall(r"^  file (\S+\.yaml):\n((?:    .*\n)+)", file.read(), re.M):
            yield f"{cases}: {name}", yaml.load(text, Loader)


def fail(text):
    sys.exit("schema: " + text)


def accepts(scenario, *command):
    """Whether the program does."""
    path = folder.name + "/x.yaml"
    with open(path, "w") as file:
        yaml.safe_dump(scenario, file)
    run = subprocess.run([uturn, *(command or ("run", "--cycles", "1", "--elaborate", "never")), path], capture_output=True, text=True)
    if run.returncode not in (0, 2):
        fail(f"exit status {run.returncode}: {run.stderr}\n{yaml.safe_dump(scenario)}")
    return run.returncode == 0


# (docs/examples/ is for a program with a family more)
paths = glob.glob(root + "/scenarios/**/*.yaml", recursive=True) + glob.glob(root + "/tests/**/*.yaml", recursive=True)
inputs = [found for cases in glob.glob(root + "/tests/cli/cases/*.txt") for found in inputs_of(cases)]
valid = [(path, load(path)) for path in paths] + inputs
for name, scenario in valid:
    for error in validator.iter_errors(scenario):
        fail(f"{name}: {error.json_path}: {error.message}")
if len(paths) < 40 or len(inputs) < 20:
    fail(f"only {len(paths)} scenarios in files of their own and {len(inputs)} in files of cases")

# Every key with values at and beyond its limits, and of other types.
names = ["fat_tree", "torus", "ruft", "hypercube", "traffic", "tables", "planned", "faults"]
bases = [load(f"{root}/scenarios/templates/{name}.yaml") for name in names]


def values(key):
    """(value, whether a schema must refuse it)"""
    if "enum" in key:
        yield from ((word, False) for word in key["enum"])
        yield from (("no_such_word", True), (7, True), ([], True))
    elif key.get("type") == "boolean":
        yield from ((True, False), (False, False), ("maybe", True), (3, True))
    elif key.get("type") in ("integer", "number"):
        yield from ((key["minimum"], False), (key["minimum"] - 1, True), ("many", True), ({}, True))
        if "maximum" in key:
            yield key["maximum"] + 1, True
        if key["type"] == "integer":
            yield 1.5, True
        if "multipleOf" in key:
            yield key["minimum"] + 1, True
    else:
        yield from ((7.5, True), ("no_such_group", key.get("type") != "string"))


tried = refused = 0


def try_value(base, place, name, value, must_refuse):
    global tried, refused
    scenario = copy.deepcopy(base)
    group = scenario
    for step in place:
        group = group[step] if isinstance(step, int) else group.setdefault(step, {})
        if not isinstance(group, (dict, list)):
            return
    group[name] = value
    tried += 1
    known = not validator.is_valid(scenario)
    refused += known
    if must_refuse and not known:
        fail(f"{place} {name}: {value!r} is valid")
    if (known or must_refuse) and accepts(scenario):
        fail(f"{place} {name}: {value!r} is not valid, and uturn runs it:\n"
             f"{next(validator.iter_errors(scenario)).message}\n{yaml.safe_dump(scenario)}")


number = 0
for section, group in schema["properties"].items():
    place, keys = ((section, 0), group["items"]["oneOf"][1]["properties"]) if section == "faults" else ((section,), group["properties"])
    for name, key in keys.items():
        for value, must_refuse in values(key):
            # each with one of the templates in turn, words with all of them
            for i, base in enumerate(bases):
                if ("enum" in key or i == number % len(bases)) and not (section == "faults" and "faults" not in base):
                    try_value(base, place, name, value, must_refuse)
            number += 1
        try_value(bases[0], place[:1], "no_such_key", 1, True)


# What keys say together, as far as the schema knows it.
def changed(base, text):
    scenario = copy.deepcopy(bases[names.index(base)])
    for section, keys in yaml.load(text, Loader).items():
        if isinstance(keys, dict) and isinstance(scenario.get(section), dict):
            scenario[section].update(keys)
            scenario[section] = {name: value for name, value in scenario[section].items() if value is not None}
        else:
            scenario[section] = keys
    return {section: keys for section, keys in scenario.items() if keys is not None}


for base, text in [
    ("torus", "topology: {k: 4}"), ("torus", "topology: {sizes: null}"), ("torus", "topology: {sizes: null, n: 3}"),
    ("torus", "routing: {algorithm: fta}"), ("torus", "switch: {vcs: 1}"), ("torus", "topology: {sizes: [4, 300]}"),
    ("torus", "topology: {sizes: [2, 2, 2, 2, 2]}"), ("torus", "routing: {parallel_links: static}"),
    ("fat_tree", "topology: {sizes: [4, 4]}"), ("fat_tree", "topology: {n: null}"), ("fat_tree", "routing: null"),
    ("fat_tree", "routing: {algorithm: destro, tables: static}"), ("fat_tree", "routing: {purge_timeout_cycles: 5}"),
    ("fat_tree", "routing: {mechanisms: {intermediate: 1}}"), ("fat_tree", "switch: {local_first: true}"),
    ("fat_tree", "traffic: {load_flits_per_cycle: null}"), ("fat_tree", "traffic: {pattern: trace}"),
    ("fat_tree", "routing: {plane_bypass: true}"), ("fat_tree", "switch: {flit_bits: 100}"),
    ("traffic", "switch: {packet_flits: {distribution: exponential}}"),
    ("traffic", "switch: {packet_flits: {distribution: uniform, min: 1, max: 2, mean: 2}}"),
    ("faults", "faults: ['']"), ("faults", "faults: [5]"), ("faults", "faults: [{at: 5}]"), ("faults", "faults: [{link: {level: 1, switch: 0, port: 0}}]"),
    ("faults", "faults: [{at: 5, random_links: 1, random_switches: 1}]"), ("faults", "faults: {at: 5, random_links: 1}"),
    ("faults", "faults: [{at: 5, link: {level: 1, switch: 0}}]"), ("faults", "surprise: {}"),
]:
    scenario = changed(base, text)
    if validator.is_valid(scenario):
        fail(f"{base} with {text} is valid")
    if accepts(scenario):
        fail(f"{base} with {text}: uturn runs it")

# Sweeps: those of the tree, in published figures several in a file, also with their quick values; changes of the templates.
_, sweeps = schema_of("sweep")
valid_sweeps = 0
for path in glob.glob(root + "/experiments/*/*.yaml"):
    content = load(path)
    for name, sweep in content.get("sweeps", {"": content}).items():
        quick = sweep.pop("quick", {})
        for one in [sweep, {**sweep, **quick}] if quick else [sweep]:
            valid_sweeps += 1
            for error in sweeps.iter_errors(one):
                fail(f"{path}: {name}: {error.json_path}: {error.message}")
if valid_sweeps < 50:
    fail(f"only {valid_sweeps} sweeps")
sweep_bases = {name: load(f"{root}/experiments/templates/{name}.yaml") for name in ["latency_load", "throughput_faults", "saturation"]}


def changed_sweep(base, text):
    sweep = copy.deepcopy(sweep_bases[base])
    sweep.update(yaml.load(text, Loader))
    return {key: value for key, value in sweep.items() if value is not None}


right = [
    ("latency_load", "repeat: 5"), ("latency_load", "options: [--cycles, 500]"), ("latency_load", "axes: null"),
    ("latency_load", "axes: [{topology.k: {from: 2, to: 4, factor: 2}}, {--cycles: [100, 200]}]"),
    ("latency_load", "axes: [{switch.packet_flits: [2, {distribution: uniform, min: 1, max: 3}]}]"),
    ("latency_load", "axes: [{zip: {topology.k: [2, 4], topology.n: [3, 2]}}]"),
    ("latency_load", "axes: [{topology: [{kind: fat_tree, k: 2, n: 3}, {kind: fat_tree, k: 4, n: 2}]}]"),
    ("latency_load", "axes: [{'faults[0].at': [1, 2]}, {'faults[0].random_links': [1, 2]}]"),
    ("latency_load", "base: {topology: {kind: fat_tree, k: 4, n: 2}, routing: {algorithm: fta}, traffic: {}}"),
    ("saturation", "find: peak"), ("saturation", "find: {what: saturation, latency: 2.5}"), ("saturation", "run: cosim"),
    ("throughput_faults", "faults: {switches: [0, 1], at: 5, until: 10}"), ("throughput_faults", "seed: 7"),
    ("throughput_faults", "faults: {links: {from: 0, to: 4, step: 2}}"),
]
wrong = [
    ("latency_load", "base: null"), ("latency_load", "base: 7"), ("latency_load", "base: {topology: {kind: tree}}"),
    ("latency_load", "base: {surprise: 1}"), ("latency_load", "run: simulate"), ("latency_load", "options: [--seed, 5]"),
    ("latency_load", "options: [--load=0.5]"), ("latency_load", "options: --cycles"), ("latency_load", "surprise: 1"),
    ("latency_load", "axes: {switch.vcs: [1]}"), ("latency_load", "axes: [{switch.vcs: 1}]"), ("latency_load", "axes: [{switch.vcs: []}]"),
    ("latency_load", "axes: [{switch.vcz: [1]}]"), ("latency_load", "axes: [{switch.vcs: [1, 99]}]"), ("latency_load", "axes: [{run.seed: [1]}]"),
    ("latency_load", "axes: [{switch.vcs: [1], switch.depth_flits: [4]}]"), ("latency_load", "axes: [{routing.algorithm: [fta, destroy]}]"),
    ("latency_load", "axes: [{switch.vcs: {from: 1, to: 4}}]"), ("latency_load", "axes: [{switch.vcs: {from: 1, to: 4, step: 0}}]"),
    ("latency_load", "axes: [{switch.vcs: {from: 1, to: 4, factor: 1}}]"), ("latency_load", "axes: [{switch.vcs: {from: 1, to: 4, step: 1, factor: 2}}]"),
    ("latency_load", "axes: [{switch.vcs: {from: 1, to: 4, stp: 1}}]"), ("latency_load", "axes: [{--seed: [1]}]"),
    ("latency_load", "axes: [{zip: {}}]"), ("latency_load", "axes: [{zip: {topology.size: [[4]]}}]"),
    ("latency_load", "repeat: 0"), ("latency_load", "repeat: many"), ("latency_load", "repeat: {least: 3}"), ("latency_load", "repeat: 100001"),
    ("latency_load", "repeat: {least: 1, until: {result: latency.mean, within_percent: 1}}"), ("latency_load", "repeat: {until: {result: latency.mean}}"),
    ("latency_load", "repeat: {until: {result: latency.mean, within_percent: 0}}"),
    ("latency_load", "repeat: {until: {result: latency.mean, within_percent: 1, confidence: 1}}"),
    ("latency_load", "seed: -1"), ("latency_load", "seed: one"), ("throughput_faults", "faults: {at: 5}"), ("throughput_faults", "faults: {links: 3}"),
    ("throughput_faults", "faults: {links: [many]}"), ("throughput_faults", "faults: {links: [1], until: 0}"), ("throughput_faults", "faults: [1]"),
    ("saturation", "find: valley"), ("saturation", "find: {precision: 0.1}"), ("saturation", "find: {what: peak, from: 0}"),
    ("saturation", "find: {what: peak, precision: 0}"), ("saturation", "find: {what: saturation, accepted: 1.5}"), ("saturation", "find: {what: saturation, latency: 1}"),
    ("saturation", "axes: [{traffic.load_flits_per_cycle: [0.1]}]"), ("saturation", "run: prove"),
]
for base, text in right + wrong:
    sweep = changed_sweep(base, text)
    if accepts(sweep, "sweep", "--check") != ((base, text) in right):
        fail(f"sweep {base} with {text}: uturn does not think so")
    if sweeps.is_valid(sweep) != ((base, text) in right):
        fail(f"sweep {base} with {text}: is_valid() is {sweeps.is_valid(sweep)}: {[error.message for error in sweeps.iter_errors(sweep)]}")

# Every number at its limits and beyond: what the schema says is what the program does.
for key, base, place in [
    ("repeat", "latency_load", ()), ("least", "latency_load", ("repeat",)), ("most", "latency_load", ("repeat",)),
    ("within_percent", "latency_load", ("repeat", "until")), ("confidence", "latency_load", ("repeat", "until")),
    ("seed", "latency_load", ()), ("at", "throughput_faults", ("faults",)), ("until", "throughput_faults", ("faults",)),
    *((key, "saturation", ("find",)) for key in ["from", "to", "precision", "accepted", "latency"]),
]:
    for value in [-1, 0, 1e-6, 0.5, 1, 2, 100000, 100001, 10**15, 10**15 + 1]:
        sweep = copy.deepcopy(sweep_bases[base])
        group = sweep
        for step in place:
            group = group[step]
        group[key] = value
        tried += 1
        if not sweeps.is_valid(sweep):
            refused += 1
            if accepts(sweep, "sweep", "--check"):
                fail(f"sweep {place} {key}: {value} is not valid, and uturn takes it")
print(f"{len(valid)} scenarios and {valid_sweeps} sweeps are valid; {len(right)} and {len(wrong)} sweeps as they should be; "
      f"of {tried} changes {refused} are not, and uturn refuses them")
