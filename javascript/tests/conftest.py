"""What the tests of JavaScript share: the npm package as a user installs it, Node, and the page."""

import http.server
import json
import os
import pathlib
import shutil
import subprocess
import sys
import threading

import chromium
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).parent
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
            timeout=120,
        )
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
        return json.loads(done.stdout)


@pytest.fixture(scope="session")
def node(installed):
    return Node(installed)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture
def served(installed):
    """The address of a server of the folder with the installed package."""
    shutil.copy(HERE / "browser.html", installed)
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), lambda *words: Quiet(*words, directory=str(installed))
    )
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="session")
def browser():
    with chromium.start() as started:
        yield started


@pytest.fixture(scope="session")
def watched(browser):
    one = chromium.Watched(browser, permissions=["clipboard-read", "clipboard-write"])
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
