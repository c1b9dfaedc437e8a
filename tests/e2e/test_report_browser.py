"""report.html in a real browser: reads without its script, filters with it, asks nothing of a network.

ASSAY_SCREENSHOTS=FOLDER keeps pictures of the page as it was seen.
"""
import glob
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden"))
from harness import ASSAY, ROOT, TESTS, Skip, check, equal, main, test  # noqa: E402
from cases import CASES  # noqa: E402

try:
    from selenium import webdriver
    from selenium.webdriver.common.keys import Keys
except ImportError:
    webdriver = None


AXE = ".venv/lib/python3*/site-packages/axe_playwright_python/axe.min.js"


class Browser:
    """One headless Chromium with its log of requests and console messages."""

    def __init__(self, script=True):
        if webdriver is None or not all(os.path.exists(f"/usr/bin/{n}") for n in ("chromium", "chromedriver")):
            raise Skip("chromium, its driver or python3-selenium is not here")
        options = webdriver.ChromeOptions()
        for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage",
                     "--window-size=1280,1000"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        if not script:
            options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
        service = webdriver.chrome.service.Service("/usr/bin/chromedriver")
        self.driver = webdriver.Chrome(service=service, options=options)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def open(self, path, fragment=""):
        self.driver.get(f"file://{path}/report.html{fragment}")
        return self

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def media(self, **features):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", features)

    def size(self, width, height, mobile=False):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile})

    def shot(self, name):
        folder = os.environ.get("ASSAY_SCREENSHOTS")
        if folder:
            self.driver.save_screenshot(os.path.join(folder, name + ".png"))

    def requests(self):
        import json
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                yield message["params"]["request"]["url"]


def report(name, folder):
    path = CASES[name]().write(os.path.join(folder, name))
    subprocess.run([ASSAY, "report", "-q", path], stdout=subprocess.DEVNULL, check=False)
    return path


@test
def no_page_logs_an_error_or_asks_for_anything(folder):
    with Browser() as browser:
        for name in CASES:
            browser.open(report(name, folder))
            equal([e["message"] for e in browser.driver.get_log("browser")], [], name)
            asked = [u for u in browser.requests() if not u.startswith(("data:", "file:", "chrome"))]
            equal(asked, [], f"{name}: requests")
            equal(browser.run("return document.querySelectorAll('script').length"), 1, name)


@test
def the_policy_stops_what_could_be_injected(folder):
    with Browser() as browser:
        browser.open(report("full", folder))
        ran = browser.run("""
            const made = document.createElement('script'); made.textContent = 'window.ran = 1';
            document.body.append(made);
            const picture = new Image(); picture.src = 'http://127.0.0.1:9/x.png'; document.body.append(picture);
            return window.ran || 0;""")
        equal(ran, 0, "a script that is not the report's own ran")
        log = " ".join(e["message"] for e in browser.driver.get_log("browser"))
        check("Content Security Policy" in log, "the policy said nothing:", log)


@test
def filters_search_and_sorting_show_the_rows_they_say(folder):
    with Browser() as browser:
        browser.open(report("full", folder), "#claims")
        shown = ("return [...document.querySelector('#claims').parentElement.querySelector('table.filter')"
                 ".tBodies[0].rows].filter(r => r.offsetParent).map(r => r.cells[0].textContent.slice(0, 2))")
        equal(browser.run(shown), ["C4", "C3", "C5"])
        browser.shot("claims")
        pick = "const s = document.querySelectorAll('.tools select')[arguments[0]]; s.value = arguments[1];" \
               "s.dispatchEvent(new Event('change'));"
        browser.run(pick, 0, "concern")
        equal(browser.run(shown), ["C5"], "state=concern")
        equal(browser.run("return document.querySelector('.tools [role=status]').textContent"), "1 of 3 rows")
        browser.run(pick, 0, "")
        field = browser.driver.find_element("css selector", ".tools input")
        field.send_keys("EVERY gpu")
        equal(browser.run(shown), ["C3"], "search")
        field.clear()
        field.send_keys(" ", Keys.BACKSPACE)
        head = browser.driver.find_element("css selector", "table.filter th button")
        head.send_keys(Keys.ENTER)
        equal(browser.run(shown), ["C3", "C4", "C5"], "sorted by the keyboard")
        head.send_keys(Keys.ENTER)
        equal(browser.run(shown), ["C5", "C4", "C3"], "sorted the other way")
        equal(browser.run("return document.querySelector('th[aria-sort]').getAttribute('aria-sort')"), "descending")


@test
def a_claim_leads_to_its_place_and_back_even_when_folded(folder):
    with Browser() as browser:
        browser.open(report("full", folder))
        browser.run("location.hash = ''; document.querySelector('#claims').parentElement"
                    ".querySelector('details tr a[href^=\"#text-\"]').click()")
        equal(browser.run("return document.querySelector(location.hash).tagName"), "MARK")
        inside = "const b = document.querySelector(location.hash).getBoundingClientRect();" \
                 "return b.height > 0 && b.top < innerHeight && b.bottom > 0"
        browser.driver.implicitly_wait(1)
        check(browser.run(inside), "the place in the chapter is not on the screen")
        browser.run("document.querySelector(location.hash + ' a').click()")
        browser.driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
        check(browser.run(inside), "the folded row did not open")


@test
def everything_reads_without_the_script(folder):
    path = report("full", folder)
    with open(os.path.join(path, "report.html"), encoding="utf-8") as file:
        text = file.read()
    start, end = text.index("<script>"), text.index("</script>")
    with open(os.path.join(path, "report.html"), "w", encoding="utf-8") as file:
        file.write(text[:start] + text[end + 9:])
    with Browser() as browser:
        browser.open(path)
        rows = browser.run("return [...document.querySelectorAll('tr')].filter(r => r.hidden).length")
        equal(rows, 0, "rows hidden without the script")
        check("every GPU" in browser.driver.find_element("tag name", "main").text, "no text")


@test
def a_phone_shows_all_without_scrolling_sideways(folder):
    with Browser() as browser:
        browser.size(360, 740, True)
        for name in ("full", "hostile"):
            browser.open(report(name, folder))
            width = browser.run("return document.documentElement.scrollWidth")
            check(width <= 360, f"{name}: {width} pixels wide")
            browser.shot(f"phone-{name}")
        browser.open(os.path.join(folder, "full"), "#experiments").shot("phone-experiments")
        small = browser.run("""return [...document.querySelectorAll('button, select, input, summary')]
            .filter(e => e.offsetParent && e.getBoundingClientRect().height < 24).length""")
        equal(small, 0, "targets under 24 pixels (WCAG 2.2, 2.5.8)")


CONTRAST = """
const part = c => { c /= 255; return c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4; };
const light = c => .2126 * part(c[0]) + .7152 * part(c[1]) + .0722 * part(c[2]);
const color = s => s.match(/[\\d.]+/g).map(Number);
const behind = e => { for (; e; e = e.parentElement) { const c = color(getComputedStyle(e).backgroundColor);
    if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
const low = [];
for (const e of document.querySelectorAll('body *')) {
    if (!e.offsetParent || ![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
    const a = light(color(getComputedStyle(e).color)), b = light(behind(e));
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) low.push(e.tagName + ' ' + e.className + ' ' + ratio.toFixed(2));
}
return low;"""


@test
def text_stands_out_in_light_and_dark(folder):
    with Browser() as browser:
        for scheme in ("light", "dark"):
            browser.media(features=[{"name": "prefers-color-scheme", "value": scheme}])
            browser.open(report("full", folder), "#experiments")
            equal(browser.run(CONTRAST), [], f"{scheme}: contrast below 4.5 (WCAG 1.4.3)")
            browser.shot(f"experiments-{scheme}")
            browser.open(os.path.join(folder, "full"), "#chapter").shot(f"chapter-{scheme}")


@test
def everything_that_acts_is_reached_by_tab_and_shows_it(folder):
    with Browser() as browser:
        browser.open(report("full", folder))
        body, seen = browser.driver.find_element("tag name", "body"), []
        body.send_keys(Keys.TAB)
        equal(browser.run("return document.activeElement.className"), "skip", "the first stop skips the head")
        for _ in range(40):
            seen.append(browser.run("""const e = document.activeElement, s = getComputedStyle(e);
                return [e.tagName, s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2]"""))
            browser.driver.switch_to.active_element.send_keys(Keys.TAB)
        check({"A", "INPUT", "SELECT", "BUTTON", "SUMMARY"} <= {tag for tag, _ in seen}, seen)
        check(all(visible for tag, visible in seen if tag != "BODY"), "a focus that does not show:", seen)


@test
def names_for_those_who_hear_it(folder):
    with Browser() as browser:
        browser.open(report("full", folder))
        equal(browser.run("return document.documentElement.lang"), "en")
        unnamed = browser.run("""return [...document.querySelectorAll('input, select, button, a, img, table')]
            .filter(e => !(e.textContent.trim() && e.tagName !== 'SELECT') && !e.closest('label')
                && !e.getAttribute('aria-label') && !e.getAttribute('alt')).map(e => e.outerHTML.slice(0, 80))""")
        equal(unnamed, [], "elements without a name")
        levels = browser.run("return [...document.querySelectorAll('h1,h2,h3,h4')].map(e => +e.tagName[1])")
        check(levels[0] == 1 and all(b - a <= 1 for a, b in zip(levels, levels[1:])), f"headings jump: {levels}")


@test
def axe_finds_nothing_against_wcag_2_2_aa(folder):
    path = os.environ.get("ASSAY_AXE") or next(iter(glob.glob(os.path.join(ROOT, AXE))), None)
    if not path:
        raise Skip("axe.min.js is not here (tools/deps test; ASSAY_AXE may name one)")
    with open(path, encoding="utf-8") as file:
        axe = file.read()
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    with Browser() as browser:
        for name in ("full", "hostile", "offline"):
            made = report(name, folder)
            for scheme in ("light", "dark"):
                browser.media(features=[{"name": "prefers-color-scheme", "value": scheme}])
                browser.open(made)
                browser.run("for (const part of document.querySelectorAll('details')) part.open = true;" + axe)
                found = browser.driver.execute_async_script("""const done = arguments[1];
                    axe.run({runOnly: arguments[0]}).then(r => done(r.passes.length < 15 ? ['few rules ran'] : r.violations.map(
                        v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 120)).join(' ')), done))""", tags)
                equal(found, [], f"{name}, {scheme}")


@test
def it_prints_whole_and_unfolded(folder):
    import base64
    import shutil
    if not shutil.which("pdftotext"):
        raise Skip("pdftotext is not here")
    with Browser() as browser:
        browser.open(report("full", folder))
        pdf = base64.b64decode(browser.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"])
    path = os.path.join(folder, "report.pdf")
    with open(path, "wb") as file:
        file.write(pdf)
    text = subprocess.run(["pdftotext", "-layout", path, "-"], stdout=subprocess.PIPE).stdout.decode()
    for part in ("7. Review checklist", "189.82", "line 2", "The chapter as read"):
        check(part in text, f"{part!r} is not in the printed report")
    check(not re.search(r"\bsearch\b", text), "the tools are printed")


main(TESTS)
