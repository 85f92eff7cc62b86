# SPDX-License-Identifier: Apache-2.0
"""The page of `cosim --report` in a browser, beside the wave dump of the same run.

report_registers.py PAGE DUMP.vcd MISMATCH: every register, switch and cycle of the page holds on both sides what the dump says; the table shows it, by
keys alone; MISMATCH is the sentence that the page must say, or nothing.
"""
import base64
import gzip
import json
import re
import sys

from browser import Browser, fail, is_equal
from selenium.webdriver.common.keys import Keys

PS_PER_CYCLE = 1000
PAYLOAD = ("data_q", "tag_q", "kind_q", "bad_q", "vc_q", "cand_q")
page, dump, mismatch = sys.argv[1:4]


def read_dump():
    """{(switch, register, side): {cycle: value}} of the scope `lockstep`, where it changes."""
    scopes, names, values, cycle = [], {}, {}, None
    for line in open(dump):
        words = line.split()
        if line.startswith("$scope"):
            scopes.append(words[2])
        elif line.startswith("$upscope"):
            scopes.pop()
        elif line.startswith("$var") and scopes[0] == "lockstep" and len(scopes) > 2:
            switch, *register = scopes[1:]
            names[words[3]] = (switch[1:].replace("_", "."), ".".join(register), words[4])
        elif line.startswith("#"):
            time = int(line[1:])
            cycle = time // PS_PER_CYCLE if time % PS_PER_CYCLE == 0 else None
        elif words and line[0] in "01b":
            bits, code = words if line[0] == "b" else (line[0], line[1:].strip())
            if code in names:
                values.setdefault(names[code], {})[cycle] = int(bits.removeprefix("b"), 2)
    return values


def filled(changes, cycles):
    """The value in each cycle."""
    value, values = changes[min(changes)], []
    for cycle in cycles:
        value = changes.get(cycle, value)
        values.append(value)
    return values


def check_data(data, dumped):
    """A register that nothing has written yet holds chance on both sides, in each run another: there it only must not move."""
    cycles, registers, chance = range(data["from"], data["until"]), 0, 0
    for switch in data["switches"]:
        name = data["switch_names"][switch["switch"]]
        for path, text in zip(data["names"][switch["names"]], switch["values"], strict=True):
            changes = [("0:" + word if ":" not in word else word).split(":") for word in text.split(" ")]
            here = [filled({data["from"] + int(at): int(both.split("/")[side], 16) for at, both in changes}, cycles) for side in (0, -1)]
            there = [filled(dumped[name, path, side], cycles) for side in ("rtl", "golden")]
            still = [len({*values[0], *values[1]}) == 1 for values in (here, there)]
            if here != there and still == [True, True] and path.rpartition(".")[2].split("[")[0] in PAYLOAD:
                chance += 1
            else:
                is_equal(f"{name} {path}", here, there)
            registers += 1
    if 5 * chance > registers:
        fail(f"{chance} of {registers} registers have not been written")
    is_equal("registers", registers, len([1 for _, _, side in dumped if side == "rtl"]))


def check_table(browser, dumped, switch):
    """All cells of the registers that are shown, by what they say; of payload, which may hold chance, those that move."""
    cycles = browser.js("return [...document.querySelectorAll('.register-table thead button')].map(e => +e.innerText.replaceAll(',', ''))")
    rows = browser.js("return [...document.querySelectorAll('[data-register]')].map(e => [e.dataset.register, [...e.querySelectorAll('td')].map(c => c.title)])")
    if not rows or len(cycles) < 8:
        fail(f"the table has {len(rows)} rows, {len(cycles)} columns")
    for path, cells in rows:
        if len(set(cells)) == 1 and path.rpartition(".")[2].split("[")[0] in PAYLOAD:
            continue
        rtl, golden = (filled(dumped[switch, path, side], range(min(cycles) - 500, max(cycles) + 1))[-len(cycles):]
                       for side in ("rtl", "golden"))
        wanted = [f"{a:x}" if a == b else f"RTL {a:x}, model {b:x}" for a, b in zip(rtl, golden, strict=True)]
        is_equal(f"{switch} {path} in the table", cells, wanted)
    return [path for path, _ in rows]


def clock(browser):
    return int(browser.text(".clock").removeprefix("cycle ").replace(",", ""))


def check_mismatch(browser, dumped):
    """The page opens there; the register that differs first stands first."""
    cycle, switch, register = re.match(r"cycle (\d+): switch (\S+) (\S+):", mismatch).groups()
    is_equal("the page opens in cycle", clock(browser), int(cycle))
    is_equal("event", browser.text(".events [aria-current] > span:last-child"), mismatch.split(": ", 1)[1])
    is_equal("first row", check_table(browser, dumped, switch)[0], register)
    browser.press(Keys.ARROW_RIGHT)
    is_equal("a cycle on", browser.text(".register-table [aria-current]"), str(int(cycle) + 1))
    check_table(browser, dumped, switch)


def main():
    dumped = read_dump()
    text = open(page).read()
    whole = json.loads(gzip.decompress(base64.b64decode(re.search(r'id="player-1-data"[^>]*>([^<]*)<', text).group(1))))
    data = whole["registers"] | {"switch_names": whole["network"]["names"]}
    check_data(data, dumped)
    with Browser() as browser:
        browser.open(page)
        is_equal("notice", mismatch in (browser.text("[data-mismatch]") or ""), True)
        is_equal("notice is there", browser.js("return !!document.querySelector('[data-mismatch]')"), bool(mismatch))
        if mismatch:
            check_mismatch(browser, dumped)
        switch = data["switch_names"][data["switches"][0]["switch"]]
        browser.press("/", "switch " + switch, Keys.ENTER)
        browser.js("document.activeElement.blur()")
        browser.press("r")
        is_equal("R", browser.js("return document.activeElement.id.endsWith('-registers')"), True)
        moving = check_table(browser, dumped, switch)
        browser.js("document.querySelector('.registers input').click()")
        every = check_table(browser, dumped, switch)
        is_equal("all registers of " + switch, len(every), len(data["names"][data["switches"][0]["names"]]))
        if not len(moving) < len(every):
            fail("all registers change")
        browser.press(Keys.HOME)
        if data["from"] > 0 and f"{data['from']:,} to" not in browser.text(".register-words"):
            fail("cycle 0 is not recorded, and the page does not say so")
        browser.press("t")
        browser.check_width(400)
        browser.check_quiet()


main()
