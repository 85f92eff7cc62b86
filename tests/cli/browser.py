# SPDX-License-Identifier: Apache-2.0
"""Pages of report in headless Chromium, for the scripts beside this one."""
import json
import sys
import tempfile
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains

ARGUMENTS = ("--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
             "--disable-component-update --disable-sync --window-size=1280,900").split()


def fail(text):
    sys.exit(f"{sys.argv[0]}: {text}")


def is_equal(what, value, wanted):
    if value != wanted:
        fail(f"{what}: {value!r}, expected {wanted!r}")


class Browser:
    """with Browser() as b: b.open(page) ..."""

    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory()
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for argument in [*ARGUMENTS, "--user-data-dir=" + self.profile.name]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        return self

    def __exit__(self, *_):
        self.driver.quit()
        self.profile.cleanup()

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self, what, condition):
        end = time.time() + 20
        while not self.js("return " + condition):
            if time.time() > end:
                fail("waited for: " + what)
            time.sleep(0.05)

    def open(self, page, part=""):
        """Until the part that is shown (#part) is there."""
        self.driver.get("about:blank")
        self.driver.get(f"file://{page}#{part}")
        self.wait("the page", "[...document.querySelectorAll('section.part')].some(part => !part.hidden && part.dataset.ready)")
        self.frames()

    def press(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()
        self.frames()

    def frames(self):
        """Frames are drawn after the next one is asked for."""
        self.driver.execute_async_script("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done))")

    def text(self, selector):
        return self.js("const e = document.querySelector(arguments[0]); return e && e.innerText.replace(/\\s+/g, ' ').trim()", selector)

    def check_width(self, width):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": True})
        self.frames()
        wide = self.js("return document.documentElement.scrollWidth")
        if wide > width:
            fail(f"at {width} pixels the page is {wide} wide")

    def check_quiet(self):
        """Only the page itself has been loaded, and the console says nothing."""
        urls = {json.loads(entry["message"])["message"]["params"]["request"]["url"] for entry in self.driver.get_log("performance")
                if '"Network.requestWillBeSent"' in entry["message"]}
        is_equal("loads", [url for url in urls if not url.startswith(("file://", "data:", "blob:", "chrome", "about:"))], [])
        is_equal("console", [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")], [])
