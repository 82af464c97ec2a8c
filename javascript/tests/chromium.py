"""The page in headless Chromium, and what it writes to the console or asks of the network."""

import contextlib
import json
import pathlib
import shutil
import zipfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "build/playground/index.html"
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


class Watched:
    """A page of the browser, and what it wrote to the console and asked of the network."""

    def __init__(self, browser, **options):
        self.context = browser.new_context(
            **{"viewport": {"width": 1280, "height": 900}, **options}
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(30_000)
        self.faults = []
        self.page.on("console", lambda message: self.faults.append(f"console: {message.text}"))
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("request", self.note_request)

    def note_request(self, request):
        if request.url.split("#")[0] != PAGE.as_uri() and not request.url.startswith("blob:"):
            self.faults.append(f"request: {request.url[:80]}")

    def load(self, words=""):
        """Loads the page anew, with a hash of these words."""
        self.page.goto("about:blank")
        self.page.goto(f"{PAGE.as_uri()}{'#' if words else ''}{words}")
        self.page.wait_for_selector("html[data-ready='1']", state="attached")
        return self.page


def recorded():
    """The cases in which the page shows a wrong answer."""
    with zipfile.ZipFile(ROOT / "conformance/outcomes.zip") as opened:
        return json.loads(opened.read("shown/answers.json"))["cases"]


GO = """async (hash) => {
    if (location.hash.replace("#", "") === hash) return;
    const changed = new Promise((done) => addEventListener("hashchange", done, { once: true }));
    location.hash = hash;
    await changed;
}"""


def go(page, words):
    """Changes the hash of a page, and waits until it shows that."""
    page.evaluate(GO, words)


def skip_without_the_page():
    if not PAGE.exists():
        pytest.skip("build/playground/index.html was not made: clang or lld is missing")


@contextlib.contextmanager
def start():
    """Chromium without a window. Skips the test where something is missing."""
    api = pytest.importorskip("playwright.sync_api")
    if not CHROMIUM:
        pytest.skip("Chromium is not on the PATH")
    skip_without_the_page()
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()
