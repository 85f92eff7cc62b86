"""tests/cli/schema.py UTURN ROOT - the JSON schema against the program: what it refuses, the program refuses too, and
what it can know it refuses.  All scenarios of the tree are valid."""
import copy, glob, json, re, subprocess, sys, tempfile
import jsonschema, yaml

uturn, root = sys.argv[1:]
schema = json.loads(subprocess.run([uturn, "schema"], check=True, capture_output=True).stdout)
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
folder = tempfile.TemporaryDirectory()


class Loader(yaml.SafeLoader):
    """Numbers as 1e-3 are numbers."""


Loader.add_implicit_resolver("tag:yaml.org,2002:float", re.compile(r"^-?[0-9.]+[eE][-+]?[0-9]+$"), list("-.0123456789"))


def load(path):
    with open(path) as file:
        return yaml.load(file, Loader)


def fail(text):
    sys.exit("schema: " + text)


def accepts(scenario):
    """Whether the program does."""
    path = folder.name + "/x.yaml"
    with open(path, "w") as file:
        yaml.safe_dump(scenario, file)
    run = subprocess.run([uturn, "run", path, "--cycles", "1", "--elaborate", "never"], capture_output=True, text=True)
    if run.returncode not in (0, 2):
        fail(f"exit status {run.returncode}: {run.stderr}\n{yaml.safe_dump(scenario)}")
    return run.returncode == 0


# (docs/examples/ is for a program with a family more)
valid = glob.glob(root + "/scenarios/**/*.yaml", recursive=True) + glob.glob(root + "/tests/**/*.yaml", recursive=True)
for path in valid:
    for error in validator.iter_errors(load(path)):
        fail(f"{path}: {error.json_path}: {error.message}")
if len(valid) < 40:
    fail(f"only {len(valid)} scenarios")

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
    place, keys = ((section, 0), group["items"]["properties"]) if section == "faults" else ((section,), group["properties"])
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
    ("fat_tree", "routing: {tables: static}"), ("fat_tree", "routing: {patience_cycles: 5}"),
    ("fat_tree", "routing: {mechanisms: {intermediate: 1}}"), ("fat_tree", "switch: {local_first: true}"),
    ("fat_tree", "traffic: {load_flits_per_cycle: null}"), ("fat_tree", "traffic: {pattern: trace}"),
    ("fat_tree", "routing: {plane_bypass: true}"), ("fat_tree", "switch: {flit_bits: 100}"),
    ("traffic", "switch: {packet_flits: {distribution: exponential}}"),
    ("traffic", "switch: {packet_flits: {distribution: uniform, min: 1, max: 2, mean: 2}}"),
    ("faults", "faults: [{at: 5}]"), ("faults", "faults: [{link: {level: 1, switch: 0, port: 0}}]"),
    ("faults", "faults: [{at: 5, random_links: 1, random_switches: 1}]"), ("faults", "faults: {at: 5, random_links: 1}"),
    ("faults", "faults: [{at: 5, link: {level: 1, switch: 0}}]"), ("faults", "surprise: {}"),
]:
    scenario = changed(base, text)
    if validator.is_valid(scenario):
        fail(f"{base} with {text} is valid")
    if accepts(scenario):
        fail(f"{base} with {text}: uturn runs it")
print(f"{len(valid)} scenarios are valid; of {tried} changes {refused} are not, and uturn refuses them")
