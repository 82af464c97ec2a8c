"""What the tests of JavaScript share: the npm package as a user installs it, Node, and the page in headless
Chromium, with what it writes to the console or asks of the network."""

import base64
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import zipfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).parent
PAGE = ROOT / "build/playground/index.html"
WITH_MODELS = PAGE.with_name(
    "with-models.html"
)  # the page that most tests look at, where it was made
SHOTS = ROOT / "build/playground/screenshots"
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
COMMAND = os.path.abspath(os.environ.get("TENSORPAD", ROOT / "build/tensorpad"))
sys.path.append(str(ROOT / "python/tests"))  # oracle.py


@pytest.fixture(scope="session")
def tarball():
    """build/npm/tensorpad-VERSION.tgz, which tests/runners/javascript.sh makes."""
    missing = os.environ.get("TENSORPAD_MISSING", "").strip()
    made = sorted((ROOT / "build/npm").glob("tensorpad-*.tgz"))
    if missing or not made:
        pytest.skip(
            f"the npm package was not made; missing: {missing or 'scripts/javascript/npm.py'}"
        )
    assert len(made) == 1
    return made[0]


@pytest.fixture(scope="session")
def installed(tarball, tmp_path_factory):
    """A folder into which npm installed the package, without a network."""
    folder = tmp_path_factory.mktemp("npm")
    (folder / "package.json").write_text('{"name": "user", "version": "1.0.0", "type": "module"}')
    subprocess.run(
        ["npm", "install", "--offline", "--silent", "--no-audit", "--no-fund", str(tarball)],
        cwd=folder,
        check=True,
        timeout=60,
    )
    return folder


class Node:
    """Runs the programs of this folder in Node, beside the installed package."""

    def __init__(self, folder):
        self.folder = folder
        for program in HERE.glob("*.mjs"):
            shutil.copy(program, folder)

    def run(self, program, *words, flags=(), environment=None):
        """What the program printed, as JSON."""
        done = subprocess.run(
            ["node", *flags, program, *map(str, words)],
            cwd=self.folder,
            env={**os.environ, **(environment or {})},
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
        return json.loads(done.stdout)


@pytest.fixture(scope="session")
def node(installed):
    return Node(installed)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Served:
    """The address of a server of a folder."""

    def __init__(self, folder):
        self.server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), lambda *words: Quiet(*words, directory=str(folder))
        )
        self.thread = threading.Thread(target=self.server.serve_forever)

    def __enter__(self):
        self.thread.start()
        return f"http://127.0.0.1:{self.server.server_port}"

    def __exit__(self, *_):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.fixture
def served(installed):
    """The address of a server of the folder with the installed package."""
    with Served(installed) as address:
        yield address


class Watched:
    """A page of the browser, and what it wrote to the console and asked of the network."""

    def __init__(self, browser, **options):
        self.context = browser.new_context(
            **{"viewport": {"width": 1280, "height": 900}, **options}
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(30_000)
        self.faults = []
        self.address = (WITH_MODELS if WITH_MODELS.exists() else PAGE).as_uri()
        self.page.on("console", lambda message: self.faults.append(f"console: {message.text}"))
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("request", self.note_request)

    def note_request(self, request):
        if request.url.split("#")[0] != self.address and not request.url.startswith("blob:"):
            self.faults.append(f"request: {request.url[:80]}")

    def load(self, words=""):
        """Loads the page anew, with a hash of these words."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.address}{'#' if words else ''}{words}")
        self.page.wait_for_selector("html[data-ready='1']", state="attached")
        self.page.evaluate("document.getElementById('more').open = true")
        return self.page


def recorded():
    """The cases in which the page shows wrong answers; answers by target, as the page has them."""
    with zipfile.ZipFile(ROOT / "conformance/outcomes.zip") as opened:
        cases = json.loads(opened.read("shown/answers.json"))["cases"]
    for case in cases:
        case["answers"] = {
            target: answer for answer in case["answers"] for target in answer["targets"]
        }
    return cases


GO = """async (hash) => {
    if (location.hash.replace("#", "") === hash) return;
    const changed = new Promise((done) => addEventListener("hashchange", done, { once: true }));
    location.hash = hash;
    await changed;
}"""


def go(page, words):
    """Changes the hash of a page, and waits until it shows that."""
    page.evaluate(GO, words)
    if words.startswith("model="):
        model_said(page)


READ = """() => {
    const { textContent } = document.getElementById("model-said");
    return textContent !== "" && !textContent.startsWith("Reading");
}"""


def model_said(page):
    """What the page says of a model, once it has read it."""
    page.wait_for_function(READ)
    return page.inner_text("#model-said")


def drop(watched, page, where, path):
    """Drops a file as the system does, by the protocol of the browser's tools."""
    session = watched.context.new_cdp_session(page)
    page.locator(where).scroll_into_view_if_needed()
    box = page.locator(where).bounding_box()
    for kind in ("dragEnter", "dragOver", "drop"):
        place = {"x": box["x"] + 20, "y": box["y"] + 20}
        files = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
        session.send("Input.dispatchDragEvent", {"type": kind, **place, "data": files})
    session.detach()


PASTE = """([text, name, type]) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([bytes], name, { type }));
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
}"""


def paste(page, path, kind):
    text = base64.b64encode(path.read_bytes()).decode()
    page.evaluate(PASTE, [text, path.name, kind])


def skip_without_the_page():
    if not PAGE.exists():
        pytest.skip("build/playground/index.html was not made: clang or lld is missing")


@pytest.fixture(scope="session")
def browser():
    """Chromium without a window. Skips the test where something is missing."""
    api = pytest.importorskip("playwright.sync_api")
    if not CHROMIUM:
        pytest.skip("Chromium is not on the PATH")
    skip_without_the_page()
    with api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def opened(browser):
    """opened(words, **options) loads the page anew, in a window with these options of Chromium. The test
    fails if the page writes to the console or asks for anything."""
    pages = []

    def open_page(words="", script=None, **options):
        one = Watched(browser, **options)
        pages.append(one)
        if script:
            one.context.add_init_script(script)
        return one.load(words)

    yield open_page
    for one in pages:
        one.context.close()
        assert one.faults == []


@pytest.fixture(scope="session")
def watched(browser):
    one = Watched(browser, permissions=["clipboard-read", "clipboard-write"])
    yield one
    one.context.close()


@pytest.fixture
def quiet(watched):
    """Fails the test if the page writes to the console or asks for anything."""
    watched.faults.clear()
    yield watched
    assert watched.faults == []


@pytest.fixture
def page(quiet):
    """The page, loaded anew."""
    return quiet.load()
