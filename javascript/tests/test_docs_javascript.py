"""The examples of docs/javascript.md, each run as it stands there, and every address of the playground."""

import pathlib
import re
import shutil
import subprocess

import pytest
from chromium import go

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/javascript.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"^```js\n(.*?)^```", PAGE, re.M | re.S)
HTML = re.findall(r"^```html\n(.*?)^```", PAGE, re.M | re.S)
# What a call prints stands after it: console.log, and told, which some examples define with it.
PRINTED = re.compile(r"^ *(?:console\.log\(|told\(|\}\)).*; // (.*)$", re.M)
ADDRESSES = re.findall(r"`#([^`]*)`", PAGE)  # what stands after `#` in an address of the playground


@pytest.mark.parametrize("program", PROGRAMS, ids=range(len(PROGRAMS)))
def test_example(installed, program):
    (installed / "example.mjs").write_text(program)
    done = subprocess.run(
        ["node", "example.mjs"], cwd=installed, capture_output=True, text=True, timeout=30
    )
    assert done.stderr == ""
    wanted = PRINTED.findall(program)
    assert done.stdout.splitlines() == wanted
    assert wanted or "console.log" not in program


def test_example_in_a_browser(installed, served, browser):
    """The page with an import map finds the package and shows what its comment says."""
    program = next(text for text in HTML if "importmap" in text)
    (installed / "example.html").write_text(program)
    page = browser.new_page()
    page.goto(f"{served}/example.html")
    wanted = re.search(r"textContent = data; // (.*)$", program, re.M)[1]
    page.wait_for_function("document.getElementById('answer').textContent !== ''")
    assert page.text_content("#answer") == wanted
    page.close()


def test_embedded(browser, tmp_path):
    """The page with an iframe shows the problem of its address: 3 x 4 and 1, 2 on both sides."""
    program = next(text for text in HTML if "<iframe" in text)
    shutil.copytree(ROOT / "build/playground", tmp_path / "playground")
    (tmp_path / "own.html").write_text(program)
    page = browser.new_page()
    page.goto((tmp_path / "own.html").as_uri())
    frame = page.frame_locator("iframe")
    frame.locator("html[data-ready='1']").wait_for(state="attached")
    assert frame.locator("#result").get_attribute("data-shape") == "5,8"
    assert frame.locator("#mode-reflect").is_checked()
    page.close()


def faults(page, words):
    """What the playground shows in another way than the hash says."""
    message = page.text_content("#message").strip()
    if message:
        yield message
    if words == "gallery":
        if not page.is_visible("#cards"):
            yield "no gallery"
        return
    if words == "":
        return
    said = dict(part.split("=", 1) for part in words.split("&"))
    spec = page.input_value("#spec")
    if spec != said.get("spec", "plain"):
        yield f"specification {spec}"
    mode = said.get("mode", "constant")
    if "," not in mode and not page.is_checked(f"#mode-{mode}"):
        yield f"another mode than {mode}"


def test_addresses_of_the_playground(quiet):
    """The playground has nothing to say about any of them, and shows what they say."""
    assert len(ADDRESSES) > 10
    found = []
    page = quiet.load()
    for words in ADDRESSES:
        go(page, words)
        found += [f"#{words}: {fault}" for fault in faults(page, words)]
    assert found == []
