# SPDX-License-Identifier: Apache-2.0
"""A page of a sweep and of reproductions in a browser: what it shows is what `sweep --json` and `reproduce --json` say; by pointer and by keys.

report_results.py PAGE SWEEP.json REPRODUCE.json: the page's parts are the sweep and the reproductions.
"""
import csv
import io
import json
import math
import sys
import urllib.parse

from browser import Browser, fail, is_equal
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

THROUGHPUT, LATENCY = "throughput_flits_per_cycle_per_terminal", "latency_cycles.mean"
LOAD = "traffic.load_flits_per_cycle"


def figure(value, half=0):
    """As the page writes numbers: two digits of the half width of the interval, as many places of the value; else five digits."""
    if half > 0:
        places = max(0, 1 - math.floor(math.log10(half)))
        return f"{value:.{places}f} ± {half:.{places}f}"
    text = f"{value:.5g}"
    return text if "e" in text else str(float(text)).removesuffix(".0")


def near(what, text, wanted):
    value = float(text)
    if abs(value - wanted) > 1e-8 * max(abs(wanted), 1):
        fail(f"{what}: {value}, expected {wanted}")


def csv_of(browser):
    """What the link CSV of the part that is shown gives."""
    browser.js("document.querySelector('section.part:not([hidden]) a[download]').addEventListener('click', event => event.preventDefault()); "
               "document.querySelector('section.part:not([hidden]) a[download]').click()")
    link = browser.js("return document.querySelector('section.part:not([hidden]) a[download]').href")
    return list(csv.DictReader(io.StringIO(urllib.parse.unquote(link.split(",", 1)[1]))))


def check_table(browser, sweep):
    rows = csv_of(browser)
    is_equal("rows", len(rows), len(sweep["points"]))
    for row, point in zip(rows, sweep["points"], strict=True):
        for axis, value in point["axes"].items():
            is_equal(axis, row[axis], str(value))
        is_equal("runs", row["runs"], str(point["runs"]))
        for name in (THROUGHPUT, LATENCY):
            near(name, row[name], point["results"][name]["mean"])
            near(name, row[name + " half width"], point["results"][name]["half_width"])
    first = sweep["points"][0]["results"][LATENCY]
    cell = browser.js("return [...document.querySelectorAll('tr[data-row=\"0\"] td')].map(e => e.innerText)")
    if figure(first["mean"], first["half_width"]) not in cell:
        fail(f"no latency {first} in {cell}")


def check_origin(browser):
    browser.js("document.querySelector('tr[data-row=\"0\"] .fold-button').click()")
    text = browser.text("tr.detail")
    for wanted in ("1, 2", "sqlite3 ", "SELECT scenario FROM runs WHERE id = ", "| ./uturn run", "algorithm: fta", "seed: 1"):
        if wanted not in text:
            fail(f"how a row was made lacks {wanted}: {text}")


def words_of(point, curve):
    results = point["results"]
    return (f"{curve}: accepted load, flits per cycle and terminal {figure(results[THROUGHPUT]['mean'])}; "
            f"mean latency, cycles {figure(results[LATENCY]['mean'], results[LATENCY]['half_width'])}; {point['runs']} runs")


def check_chart(browser, sweep):
    """Latency over accepted load, as plot draws it; keys go from point to point, and each is said."""
    of = lambda name: [p for p in sweep["points"] if p["axes"]["routing.algorithm"] == name]
    is_equal("curves", browser.js("return [...document.querySelectorAll('.chart-legend button')].map(e => e.innerText)"), ["fta", "destro"])
    browser.js("document.querySelector('.chart-picture').focus()")
    said = lambda: browser.js("return document.querySelector('.chart [role=status]').textContent")
    browser.press(Keys.ARROW_RIGHT)
    is_equal("first point", said(), words_of(of("fta")[0], "fta"))
    browser.press(Keys.ARROW_RIGHT)
    is_equal("second point", said(), words_of(of("fta")[1], "fta"))
    browser.press(Keys.ARROW_DOWN)
    is_equal("other curve", said(), words_of(of("destro")[1], "destro"))
    browser.press(Keys.END)
    is_equal("its end", said(), words_of(of("destro")[-1], "destro"))
    browser.press(Keys.ENTER)
    is_equal("row of the point", browser.js("return document.activeElement.closest('tr').dataset.row"), str(sweep["points"].index(of("destro")[-1])))
    browser.js("document.querySelector('.chart-picture').scrollIntoView({block: 'center'})")
    mark = browser.driver.find_elements("css selector", "g[data-curve=fta] path[transform]")[0]
    ActionChains(browser.driver).move_to_element(mark).perform()
    browser.frames()
    tip = browser.text(".chart-tip")
    first = of("fta")[0]["results"]
    for wanted in ("fta", figure(first[THROUGHPUT]["mean"]), figure(first[LATENCY]["mean"], first[LATENCY]["half_width"]), "2 runs"):
        if wanted not in tip:
            fail(f"no {wanted} where the pointer is: {tip}")


def check_filters(browser, sweep):
    """The legend hides; an axis set to one value filters chart and table; other results; log axes."""
    browser.js("document.querySelector('.chart-legend button').click()")
    is_equal("hidden", browser.js("return [...document.querySelectorAll('g[data-curve]')].map(e => e.dataset.curve)"), ["destro"])
    browser.js("document.querySelector('.chart-legend button').click()")
    choose = """const select = [...document.querySelectorAll('.field')].find(f => f.innerText.startsWith(arguments[0])).querySelector('select');
      select.value = [...select.options].find(o => o.textContent === arguments[1]).value;
      select.dispatchEvent(new Event('change', {bubbles: true}));"""
    browser.js(choose, "routing.algorithm", "only destro")
    is_equal("one curve", browser.js("return document.querySelectorAll('g[data-curve]').length"), 1)
    is_equal("filtered rows", len(csv_of(browser)), sum(p["axes"]["routing.algorithm"] == "destro" for p in sweep["points"]))
    browser.js(choose, "routing.algorithm", "a curve for each")
    browser.js(choose, "x", "offered load, flits per cycle and terminal")
    browser.js(choose, "y", "accepted load, flits per cycle and terminal")
    browser.js("for (const box of document.querySelectorAll('.chart-tools input')) if (!box.disabled && !box.checked && box.offsetParent) box.click()")
    is_equal("curves over the load", browser.js("return document.querySelectorAll('g[data-curve]').length"), 2)
    browser.js("const s = document.querySelector('.table-box input[type=search]'); s.value = 'destro 0.1'; s.dispatchEvent(new Event('input'))")
    is_equal("searched rows", browser.text(".table-count"), f"1 of {len(sweep['points'])} rows")


def check_reproductions(browser, wanted):
    rows = csv_of(browser)
    values = [(x, v) for x in wanted["experiments"] for v in x["values"]]
    is_equal("values", len(rows), len(values))
    for row, (experiment, value) in zip(rows, values, strict=True):
        for column, text in (("experiment", experiment["name"]), ("value", value["name"]), ("printed", value["printed"]), ("verdict", value["verdict"]),
                             ("reason", value.get("reason", ""))):
            is_equal(f"{value['name']}, {column}", row[column], text)
        if "measured" in value:
            near(value["name"], row["measured"], value["measured"])
    tiles = browser.js("return Object.fromEntries([...document.querySelectorAll('.tile')].map(e => [e.dataset.verdict, +e.querySelector('b').innerText]))")
    is_equal("counts", [tiles["equal"], tiles["within tolerance"], tiles["differs"], sum(tiles.values())],
             [wanted["equal"], wanted["within_tolerance"], wanted["differ"], wanted["values"]])
    browser.js("document.querySelector('.tile.differs').click()")
    is_equal("only those that differ", {row["verdict"] for row in csv_of(browser)}, {"differs"})
    browser.js("document.querySelector('section.part:not([hidden]) .fold-button').click()")
    reason = next(v["reason"] for _, v in values if v["verdict"] == "differs")
    if reason not in browser.text("section.part:not([hidden]) tr.detail"):
        fail("the reason is not there")
    is_equal("the experiment that the address names", browser.js("return [...document.querySelectorAll('details.sheet[open]')].map(e => e.id)"),
             ["reproductions-2/paper/figure_1"])
    if not browser.js("return document.querySelectorAll('details.sheet[open] g[data-curve]').length"):
        fail("no curve of the experiment")


def main():
    page = sys.argv[1]
    sweep, reproduced = (json.load(open(path)) for path in sys.argv[2:4])
    with Browser() as browser:
        browser.open(page)
        check_table(browser, sweep)
        check_chart(browser, sweep)
        check_origin(browser)
        check_filters(browser, sweep)
        browser.open(page, "reproductions-2/paper/figure_1")
        check_reproductions(browser, reproduced)
        for part in ("sweep-1", "reproductions-2/paper/figure_1"):
            for width in (1280, 400):
                browser.open(page, part)
                browser.check_width(width)
        browser.check_quiet()


main()
