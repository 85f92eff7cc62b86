# SPDX-License-Identifier: Apache-2.0
"""What `cost --json` says of a switch without output queues, computed a second time: areas from the cells and the Liberty file, buffers from the shape.

cost_numbers.py COST.json LIBERTY PORTS DEPTH FLIT   FLIT: bits of a flit with its kind and its mark as bad; as many input as output ports, one VC
"""
import json
import re
import sys


def is_equal(what, is_, wanted):
    if abs(is_ - wanted) > 1e-6 * abs(wanted):
        sys.exit(f"cost_numbers: {what} is {is_}, expected {wanted}")


def areas(path):
    """Area and whether it is a flip-flop, of each cell."""
    with open(path, encoding="utf-8") as file:
        cells = re.split(r"\bcell *\( *\"?(\w+)\"? *\)", file.read())
    return {name: (float(re.search(r"\barea *: *([0-9.]+)", text)[1]), re.search(r"\bff *\(", text) is not None) for name, text in zip(cells[1::2], cells[2::2])}


def main(cost, liberty, ports, depth, flit):
    with open(cost, encoding="utf-8") as file:
        said = json.load(file)
    cell = areas(liberty)
    kinds, blocks = said["cells_by_kind"], {b["name"]: b for b in said["blocks"]}
    is_equal("cells", said["cells"], sum(kinds.values()))
    is_equal("area", said["area_um2"], sum(n * cell[kind][0] for kind, n in kinds.items()))
    is_equal("NAND2 equivalents", said["nand2_equivalents"], said["area_um2"] / cell["NAND2X1"][0])
    is_equal("flip-flops", sum(said["flip_flops"].values()), sum(n for kind, n in kinds.items() if cell[kind][1]))
    inputs, outputs = ports * depth * flit, ports * flit
    is_equal("flip-flops of input buffers", said["flip_flops_of"]["input_buffers"], inputs)
    is_equal("flip-flops of output registers", said["flip_flops_of"]["output_registers"], outputs)
    is_equal("buffers", said["flip_flops"]["buffers"], inputs + outputs)
    is_equal("buffers of the input ports", blocks["input_port"]["flip_flops"]["buffers"], inputs)
    is_equal("buffers of the output units", blocks["output_unit"]["flip_flops"]["buffers"], outputs)
    is_equal("buffers of all blocks", sum(b["flip_flops"]["buffers"] for b in blocks.values()), inputs + outputs)
    for name in ("input_port", "route_unit", "output_unit"):
        is_equal(f"instances of {name}", blocks[name]["instances"], ports)
    for b in blocks.values():
        is_equal(f"NAND2 equivalents of {b['name']}", b["nand2_equivalents"], b["area_um2"] / cell["NAND2X1"][0])
    # each block is mapped alone, which costs more than the whole in one piece, but not twice as much
    by_blocks = sum(b["area_um2"] for b in blocks.values())
    if not said["area_um2"] < by_blocks < 2 * said["area_um2"]:
        sys.exit(f"cost_numbers: the blocks have {by_blocks} um2, the switch has {said['area_um2']}")


main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:]))
