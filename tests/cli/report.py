# SPDX-License-Identifier: Apache-2.0
"""A page in a browser: no errors, nothing from the network, nothing that moves while it opens, no part that is too wide.

report.py UTURN PAGE [SCENARIO [SOURCE:TAG]]: with SCENARIO the page of one run.  With SOURCE:TAG, a packet that makes a U-turn: keys alone do everything,
and what the page says is what `run`, `trace` and `net --loads` say.  Without: a workload, whose end is what `run` says.
"""
import json
import re
import subprocess
import sys
import time

from browser import Browser, fail, is_equal
from selenium.webdriver.common.keys import Keys

uturn, page = sys.argv[1:3]
scenario, packet = (sys.argv[3:5] + [None, None])[:2]


def number(text):
    return int(text.replace(",", ""))


def cycle_of(browser):
    return number(browser.text(".clock").removeprefix("cycle "))


def command(*arguments):
    return json.loads(subprocess.run([uturn, *arguments, "--json"], capture_output=True, text=True).stdout)


def check_totals(browser):
    run = command("run", scenario)
    total = lambda key: number(browser.text(f"[data-total={key}]"))
    is_equal("delivered", total("delivered"), run["delivered_packets"])
    is_equal("discarded", total("discarded"), sum(run["discarded_packets"].values()))
    is_equal("cycles", total("cycles"), run["cycles"])
    is_equal("U-turns", total("u_turns"), run["u_turns"])
    browser.press(Keys.END)
    is_equal("delivered by the end", browser.text("[data-now=delivered]"), f"{run['delivered_packets']:,}")
    is_equal("discarded by the end", browser.text("[data-now=discarded]"), f"{sum(run['discarded_packets'].values()):,}")
    is_equal("U-turns by the end", browser.text("[data-now=turned]"), f"{run['u_turns']:,}")


def check_workload(browser):
    run = command("run", scenario)
    workload = run["workload"]
    cycles, slowdown = workload["completion_cycles"], workload.get("slowdown")
    end = browser.js("return [...document.querySelectorAll('.events button')].at(-1).innerText").replace("\n", " ")
    is_equal("complete", browser.text("[data-total=completion]"), f"after {cycles:,} cycles" if workload["complete"] else "no")
    is_equal("slowdown", browser.text("[data-total=slowdown]"), f"{slowdown:.3f}" if slowdown else None)
    is_equal("notice", browser.js("return !!document.querySelector('[data-incomplete]')"), not workload["complete"])
    wanted = f"is complete, after {cycles:,} cycles" if workload["complete"] else f"ends incomplete: {workload['waiting_tasks']} task"
    if wanted not in end:
        fail(f"the last event is {end!r}, expected {wanted!r}")


def check_loads(browser):
    """Each direction of each link, by keys; in all cycles that `net --loads` counts."""
    net = command("net", scenario, "--loads")
    loads = {(load["switch"], load.get("to_switch", "terminal " + str(load.get("to_terminal")))): f"{load['flits_per_cycle']:.3f}" for load in net["loads"]}
    between = sorted((rate for (_, end), rate in loads.items() if "terminal" not in end and float(rate) > 0), reverse=True)
    browser.js("document.activeElement.blur()")
    browser.press(Keys.ESCAPE, "l")
    is_equal("Loads", browser.js("return document.querySelector('[id$=-loads]').getAttribute('aria-pressed')"), "true")
    cycles = f"cycles {net['load_from_cycle']:,} to {net['load_until_cycle'] - 1:,}"
    if cycles not in browser.text(".of-loads") or "the measurement window" not in browser.text(".story"):
        fail(f"the page does not say that loads are those of {cycles}")
    is_equal("the busiest", browser.js("return [...document.querySelectorAll('.loads .cycle')].map(e => e.innerText)"), between[:8])
    for switch in ("0.0", "1.1", "2.0"):
        browser.press("/")
        browser.js("document.activeElement.select()")
        browser.press("switch " + switch, Keys.ENTER)
        browser.js("document.activeElement.blur()")
        rows = browser.js("return [...document.querySelectorAll('.load-table tbody tr')].map(e => [...e.children].map(c => c.innerText))")
        is_equal("links of " + switch, len(rows), len([1 for (sender, _) in loads if sender == switch]))
        for end, out, back in rows:
            end = re.match(r"terminal \d+|\S+", end).group()
            is_equal(f"load {switch}-{end}", out, loads[switch, end])
            is_equal(f"load {end}-{switch}", back, loads.get((end, switch), "-"))
    browser.js("document.activeElement.blur()")
    browser.press(Keys.ESCAPE, "l")
    is_equal("story", browser.text(".side h3"), "Story")


def check_story(browser):
    """The packet is found by keys, and its story is the journey that `trace` tells."""
    browser.press("/")
    browser.press("packet " + packet, Keys.ENTER)
    items = browser.js("return [...document.querySelectorAll('.steps li')].map(e => [e.children[0].innerText, e.children[1].innerText])")
    trace = command("trace", scenario, "--packet", packet)
    is_equal("created", number(items[0][0]), trace["generated_cycle"])
    is_equal("sent", number(items[1][0]), trace["injected_cycle"])
    for hop, (cycle, text) in zip(trace["hops"], items[2:], strict=False):
        is_equal("arrival", number(cycle), hop["arrived_cycle"])
        is_equal("switch", re.match(r"At switch (\S+)", text).group(1), hop["switch"])
        waited = re.search(r"waits (\d+) cycle", text)
        is_equal("waited in " + hop["switch"], int(waited.group(1)) if waited else 0, hop["waited_cycles"])
        is_equal("U-turn in " + hop["switch"], "U-turn" in text, hop["u_turn"])
        is_equal("to", re.search(r"to (?:switch|terminal) (\d+(?:\.\d+)?)", text).group(1), str(hop.get("to_switch", hop.get("to_terminal"))))
    is_equal("steps of the story", len(items), len(trace["hops"]) + 3)
    end = items[-1]
    is_equal("end", number(end[0]), trace["end_cycle"])
    wanted = (f"Delivered at terminal {trace['destination']}: latency {trace['latency_cycles']} cycles; {trace['links']} hops between switches, "
              f"{trace['u_turns']} U-turn, waited {trace['waited_cycles']} cycles in switches.")
    is_equal("last sentence", end[1], wanted)
    if not any("because of the dead link" in text for _, text in items):
        fail("the story does not say why the packet turned")


def check_keys(browser):
    browser.js("document.activeElement.blur()")
    browser.press(Keys.HOME)
    is_equal("Home", cycle_of(browser), 0)
    browser.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, ",")
    is_equal("steps", cycle_of(browser), 1)
    browser.press(Keys.SPACE)
    browser.wait("playing", "document.querySelector('.clock').innerText !== 'cycle 1'")
    browser.press(Keys.SPACE)
    is_equal("Pause", browser.text("[id$=-play]"), "Play")
    browser.press(Keys.HOME, "n")
    if cycle_of(browser) == 0:
        fail("N goes to no event")
    browser.press(Keys.ESCAPE, Keys.HOME)
    for _ in range(30):  # by Tab to the picture, whose outline is seen
        browser.press(Keys.TAB)
        if browser.js("return document.activeElement.id.endsWith('-picture')"):
            break
    else:
        fail("Tab does not come to the picture")
    is_equal("outline", browser.js("return getComputedStyle(document.activeElement).outlineStyle"), "solid")
    browser.press(Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ENTER)
    if not browser.text(".side h3").startswith("Switch "):
        fail("Enter tells no story of a switch")
    browser.press("?")
    browser.wait("help", "document.getElementById('help').open")
    browser.press(Keys.ESCAPE)
    browser.press("t")
    is_equal("theme", browser.js("return document.documentElement.dataset.theme"), "dark")


def check_fold(browser):
    """Play is seen at once on a laptop of 1366x768, of which the browser takes about 140 rows."""
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 1366, "height": 625, "deviceScaleFactor": 1, "mobile": False})
    browser.frames()
    end = browser.js("return [...document.querySelectorAll('[id$=-play]')].find(e => e.offsetParent).getBoundingClientRect().bottom + scrollY")
    if end > 625:
        fail(f"Play ends in row {end}, below what a laptop shows")
    browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.frames()


def check_shifts(browser):
    """Nothing that stands there is moved when the rest comes."""
    shift = browser.driver.execute_async_script("""
      const done = arguments[0];
      let sum = 0;
      new PerformanceObserver(list => { for (const entry of list.getEntries()) sum += entry.value; }).observe({type: 'layout-shift', buffered: true});
      setTimeout(() => done(sum), 300);""")
    if shift > 0.01:
        fail(f"layout shifts of {shift}")


def check_parts(browser):
    """Each is shown, by its key, with a picture, at both widths."""
    for part in browser.js("return [...document.querySelectorAll('section.part')].map(e => e.id)"):
        browser.wait(part, f"(e => !e.hidden && e.dataset.ready === 'true')(document.getElementById('{part}'))")
        colours = browser.js("""
          const c = document.querySelector(`#${arguments[0]} canvas.picture`), copy = document.createElement('canvas');
          copy.width = c.width;
          copy.height = c.height;
          const x = copy.getContext('2d', {willReadFrequently: true});
          x.drawImage(c, 0, 0);
          const data = x.getImageData(0, 0, c.width, c.height).data;
          return new Set(new Uint32Array(data.buffer)).size;""", part)
        if colours < 10:
            fail(f"{part}: the picture has {colours} colours")
        browser.press("]")


def check_width(browser, width):
    browser.check_width(width)
    check_parts(browser)


def check_map(browser):
    """Keys go from link to link."""
    before = browser.text(".heat-says")
    browser.js("document.querySelector('canvas.heat').focus()")
    browser.press(Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
    after = browser.text(".heat-says")
    if before == after or not re.match(r"Link from switch \S+ to switch \S+ \(.*\), cycles [\d,]+ to [\d,]+: \d\.\d\d flits a cycle", after):
        fail(f"the map says {after!r} after {before!r}")


def check_run(browser):
    check_totals(browser)
    check_story(browser)
    check_loads(browser)
    check_keys(browser)


def measure(browser):
    """Frames a second are printed, not asserted."""
    browser.js("document.activeElement.blur()")
    browser.press(Keys.HOME, Keys.SPACE)
    time.sleep(1.5)
    browser.press(Keys.SPACE)
    print("report.py: " + browser.js("const d = document.querySelector('section.part').dataset; return `${d.fps} frames/s, ${d.cost} ms each`"))


def main():
    with Browser() as browser:
        browser.open(page)
        check_shifts(browser)
        if browser.js("return !!document.querySelector('[id$=-play]')"):
            check_fold(browser)
        if packet:
            check_run(browser)
            measure(browser)
        elif scenario:
            check_workload(browser)
        if browser.js("return !!document.querySelector('canvas.heat')"):
            check_map(browser)
        check_width(browser, 1280)
        check_width(browser, 400)
        browser.check_quiet()


main()
