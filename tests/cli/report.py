"""A page in a browser: no errors, nothing from the network, nothing that moves while it opens, no part that is too wide.

report.py UTURN PAGE [SCENARIO SOURCE:TAG]: with SCENARIO the page of one run: keys alone do everything, and what it says is what `run` and `trace`
say; of that packet, which makes a U-turn.
"""
import json
import re
import subprocess
import sys
import tempfile
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

uturn, page = sys.argv[1:3]
scenario, packet = sys.argv[3:5] if len(sys.argv) > 3 else (None, None)


def fail(text):
    sys.exit("report.py: " + text)


def is_equal(what, value, wanted):
    if value != wanted:
        fail(f"{what}: {value!r}, expected {wanted!r}")


def browser(profile):
    options = Options()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
                     "--disable-component-update --disable-sync --window-size=1300,1000 --user-data-dir=" + profile).split():
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


def wait(driver, what, condition):
    end = time.time() + 20
    while not driver.execute_script("return " + condition):
        if time.time() > end:
            fail("waited for: " + what)
        time.sleep(0.05)


def press(driver, *keys):
    ActionChains(driver).send_keys(*keys).perform()


def text_of(driver, selector):
    return driver.execute_script("const e = document.querySelector(arguments[0]); return e && e.innerText.replace(/\\s+/g, ' ').trim()", selector)


def cycle_of(driver):
    return int(text_of(driver, ".clock").removeprefix("cycle ").replace(",", ""))


def frames(driver):
    """Frames are drawn after the next one is asked for."""
    driver.execute_async_script("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done))")


def command(*arguments):
    return json.loads(subprocess.run([uturn, *arguments, "--json"], capture_output=True, text=True).stdout)


def check_totals(driver):
    run = command("run", scenario)
    total = lambda key: int(text_of(driver, f"[data-total={key}]").replace(",", ""))
    is_equal("delivered", total("delivered"), run["delivered_packets"])
    is_equal("discarded", total("discarded"), sum(run["discarded_packets"].values()))
    is_equal("cycles", total("cycles"), run["cycles"])
    is_equal("U-turns", total("u_turns"), run["u_turns"])
    press(driver, Keys.END)
    frames(driver)
    is_equal("delivered by the end", text_of(driver, "[data-now=delivered]"), f"{run['delivered_packets']:,}")
    is_equal("discarded by the end", text_of(driver, "[data-now=discarded]"), f"{sum(run['discarded_packets'].values()):,}")
    is_equal("U-turns by the end", text_of(driver, "[data-now=turned]"), f"{run['u_turns']:,}")


def check_story(driver):
    """The packet is found by keys, and its story is the journey that `trace` tells."""
    press(driver, "/")
    press(driver, "packet " + packet, Keys.ENTER)
    frames(driver)
    items = driver.execute_script("return [...document.querySelectorAll('.steps li')].map(e => [e.children[0].innerText, e.children[1].innerText])")
    trace = command("trace", scenario, "--packet", packet)
    number = lambda text: int(text.replace(",", ""))
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


def check_keys(driver):
    driver.execute_script("document.activeElement.blur()")
    press(driver, Keys.HOME)
    frames(driver)
    is_equal("Home", cycle_of(driver), 0)
    press(driver, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, ",")
    frames(driver)
    is_equal("steps", cycle_of(driver), 1)
    press(driver, Keys.SPACE)
    wait(driver, "playing", "document.querySelector('.clock').innerText !== 'cycle 1'")
    press(driver, Keys.SPACE)
    is_equal("Pause", text_of(driver, "[id$=-play]"), "Play")
    press(driver, Keys.HOME, "n")
    frames(driver)
    if cycle_of(driver) == 0:
        fail("N goes to no event")
    press(driver, Keys.ESCAPE, Keys.HOME)
    for _ in range(30):  # by Tab to the picture, whose outline is seen
        press(driver, Keys.TAB)
        if driver.execute_script("return document.activeElement.id.endsWith('-picture')"):
            break
    else:
        fail("Tab does not come to the picture")
    is_equal("outline", driver.execute_script("return getComputedStyle(document.activeElement).outlineStyle"), "solid")
    press(driver, Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ENTER)
    frames(driver)
    if not text_of(driver, ".side h3").startswith("Switch "):
        fail("Enter tells no story of a switch")
    press(driver, "?")
    wait(driver, "help", "document.getElementById('help').open")
    press(driver, Keys.ESCAPE)
    press(driver, "t")
    is_equal("theme", driver.execute_script("return document.documentElement.dataset.theme"), "dark")


def check_network(driver):
    """Only the page itself has been loaded (and what the browser shows before it)."""
    urls = {json.loads(entry["message"])["message"]["params"]["request"]["url"] for entry in driver.get_log("performance")
            if '"Network.requestWillBeSent"' in entry["message"]}
    other = [url for url in urls if not url.startswith(("file://", "data:", "blob:", "chrome"))]
    is_equal("loads", other, [])


def check_shifts(driver):
    """Nothing that stands there is moved when the rest comes."""
    shift = driver.execute_async_script("""
      const done = arguments[0];
      let sum = 0;
      new PerformanceObserver(list => { for (const entry of list.getEntries()) sum += entry.value; }).observe({type: 'layout-shift', buffered: true});
      setTimeout(() => done(sum), 300);""")
    if shift > 0.01:
        fail(f"layout shifts of {shift}")


def check_parts(driver):
    """Each is shown, by its key, with a picture, at both widths."""
    for part in driver.execute_script("return [...document.querySelectorAll('section.part')].map(e => e.id)"):
        wait(driver, part, f"(e => !e.hidden && e.dataset.ready === 'true')(document.getElementById('{part}'))")
        frames(driver)
        colours = driver.execute_script("""
          const c = document.querySelector(`#${arguments[0]} canvas.picture`), copy = document.createElement('canvas');
          copy.width = c.width;
          copy.height = c.height;
          const x = copy.getContext('2d', {willReadFrequently: true});
          x.drawImage(c, 0, 0);
          const data = x.getImageData(0, 0, c.width, c.height).data;
          return new Set(new Uint32Array(data.buffer)).size;""", part)
        if colours < 10:
            fail(f"{part}: the picture has {colours} colours")
        press(driver, "]")


def check_width(driver, width):
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500})
    frames(driver)
    wide = driver.execute_script("return document.documentElement.scrollWidth")
    if wide > width:
        fail(f"at {width} pixels the page is {wide} wide")
    check_parts(driver)


def check_map(driver):
    """Keys go from link to link."""
    before = text_of(driver, ".heat-says")
    driver.execute_script("document.querySelector('canvas.heat').focus()")
    press(driver, Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
    after = text_of(driver, ".heat-says")
    if before == after or not re.match(r"Link from switch \S+ to switch \S+ \(.*\), cycles [\d,]+ to [\d,]+: \d\.\d\d flits a cycle", after):
        fail(f"the map says {after!r} after {before!r}")


def check_run(driver):
    check_totals(driver)
    check_story(driver)
    check_keys(driver)


def measure(driver):
    """Frames a second are printed, not asserted."""
    driver.execute_script("document.activeElement.blur()")
    press(driver, Keys.HOME, Keys.SPACE)
    time.sleep(1.5)
    press(driver, Keys.SPACE)
    print("report.py: " + driver.execute_script("const d = document.querySelector('section.part').dataset; return `${d.fps} frames/s, ${d.cost} ms each`"))


def main():
    with tempfile.TemporaryDirectory() as profile:
        driver = browser(profile)
        try:
            driver.get("file://" + page)
            wait(driver, "the page", "document.querySelector('section.part').dataset.ready === 'true'")
            frames(driver)
            check_shifts(driver)
            if scenario:
                check_run(driver)
                measure(driver)
            if driver.execute_script("return !!document.querySelector('canvas.heat')"):
                check_map(driver)
            check_width(driver, 1280)
            check_width(driver, 400)
            check_network(driver)
            bad = [entry["message"] for entry in driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
            is_equal("console", bad, [])
        finally:
            driver.quit()


main()
