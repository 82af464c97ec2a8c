"""The tarball, refused calls, random problems, memory, types, and the package in a browser."""

import json
import pathlib
import re
import shutil
import subprocess
import tarfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).parent
TYPESCRIPT = ROOT / "build/typescript/node_modules/.bin/tsc"


def header_version():
    text = (ROOT / "include/tensorpad/tensorpad.h").read_text()
    return ".".join(re.findall(r"^#define TPAD_VERSION_\w+ (\d+)$", text, re.M))


def paths_in(value):
    """The texts in nested lists and dictionaries."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value
    return [path for one in inner for path in paths_in(one)]


def test_the_tarball(tarball):
    assert tarball.name == f"tensorpad-{header_version()}.tgz"
    with tarfile.open(tarball) as opened:
        names = {name.removeprefix("package/") for name in opened.getnames()}
        described = json.load(opened.extractfile("package/package.json"))
    assert described["version"] == header_version()
    assert {"LICENSE", "README.md", "engine.wasm", "simd.wasm", "index.d.ts"} <= names
    # Whatever package.json names is there, and nothing else but sources is.
    fields = ("exports", "main", "module", "types", "unpkg", "jsdelivr")
    for path in paths_in([described[field] for field in fields]):
        assert path.removeprefix("./") in names
    suffixes = {pathlib.Path(name).suffix for name in names}
    assert suffixes == {"", ".js", ".json", ".md", ".ts", ".wasm"}


def test_entries(node):
    """All ways into the package give the same, and a policy against WebAssembly makes the first call
    throw, not the import. When the policy is gone, the next call works."""
    told = node.run("entries.mjs")
    assert told["first"] == ["CompileError: a policy forbids it"] * 5
    assert told["again"] == [3] * 5
    assert told["same"]
    assert len(set(told["names"])) == 1
    assert told["kernels"] == ["wasm"] * 3


def test_text(node):
    """UTF-8 as TextEncoder and TextDecoder have it, for every character and for texts that are cut."""
    assert node.run("text.mjs") == {"wrong": [], "done": 0x110000}


@pytest.mark.parametrize("kernels", ["wasm", "plain"])
def test_calls(node, kernels):
    told = node.run("calls.mjs", environment={"TENSORPAD_KERNELS": kernels})
    assert told["failed"] == []
    assert told["done"] > 500
    assert (told["version"], told["kernels"]) == (header_version(), kernels)


@pytest.mark.parametrize("kernels", ["wasm", "plain"])
def test_random_problems(node, kernels):
    """In every way, with arrays at offsets, shared and resizable ones, against a naive reading."""
    told = node.run("random.mjs", 1200, 22, environment={"TENSORPAD_KERNELS": kernels})
    assert told == {"kernels": kernels, "done": 1200, "wrong": []}


def test_readme(installed):
    """The example on npm's page runs, and prints what its comments say."""
    readme = (ROOT / "javascript/README.md").read_text()
    program = re.search(r"```js\n(.*?)```", readme, re.S)[1]
    (installed / "readme.mjs").write_text(program)
    done = subprocess.run(
        ["node", "readme.mjs"], cwd=installed, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == re.findall(r"console\.log.*// (.*)", program)


@pytest.mark.long
def test_no_leak(node):
    """A million calls, and a pad of 100 MB."""
    told = node.run("leaks.mjs", flags=["--expose-gc"])
    assert told["same"] and told["large"] == 5002 * 5002
    assert told["memory"] < 4e6
    assert told["after"] - told["before"] < 30  # MiB


@pytest.mark.long
def test_types(installed, tmp_path):
    if not TYPESCRIPT.exists():
        pytest.skip("TypeScript is missing: scripts/setup/from_npm.sh gets it, with npm")
    shutil.copy(HERE / "typed_uses.ts", installed)
    options = ["--noEmit", "--strict", "--target", "esnext", "--module", "nodenext"]
    done = subprocess.run(
        [TYPESCRIPT, *options, "typed_uses.ts"], cwd=installed, capture_output=True, text=True
    )
    assert done.stdout + done.stderr == ""


def test_in_a_browser(served, browser):
    """index.js as a module of a page."""
    page = browser.new_page()
    said = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(f"{served}/browser.html")
    page.wait_for_selector("#result[data-done]", state="attached", timeout=15000)
    told = json.loads(page.text_content("#result"))
    page.close()
    assert said == []
    halves = [0.0999755859375, 1.5]
    assert told.pop("halves") in (None, halves + halves)
    assert told == {
        "bits": [0x2E66, 0x3E00],
        "kernels": "wasm",
        "data": [5, 4, 5, 6, 5, 2, 1, 2, 3, 2, 5, 4, 5, 6, 5, 2, 1, 2, 3, 2],
        "shape": [4, 5],
        "image": "Uint8ClampedArray 6 x 4",
        "large": 2004002,
        "error": "PadError: axis 0: output extent -2 is below 0 (before -2, after -2); crop less",
    }


CSP = """<!doctype html>
<meta http-equiv="Content-Security-Policy" content="script-src 'unsafe-inline' 'self' {allowed}">
<script src="/node_modules/tensorpad/common/tensorpad.js"></script>
<script>
let said;
try {{
    said = tensorpad.pad(new Uint8Array([1, 2]), [2], {{ padWidth: 1, mode: "wrap" }}).data.join();
}} catch (error) {{
    said = error.name;
}}
document.title = said;
</script>
"""


@pytest.mark.parametrize("allowed, said", [("", "CompileError"), ("'wasm-unsafe-eval'", "2,1,2,1")])
def test_a_policy_of_a_page(installed, served, browser, allowed, said):
    """A plain script under a policy that forbids WebAssembly can catch the error."""
    (installed / "policy.html").write_text(CSP.format(allowed=allowed))
    page = browser.new_page()
    faults = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{served}/policy.html")
    assert page.title() == said
    assert faults == []
    page.close()
