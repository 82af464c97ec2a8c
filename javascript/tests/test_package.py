"""The tarball, hostile arguments, memory, types, and the package in a browser."""

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


def test_the_tarball(tarball):
    assert tarball.name == f"tensorpad-{header_version()}.tgz"
    assert tarball.stat().st_size <= 63_000
    with tarfile.open(tarball) as opened:
        names = {name.removeprefix("package/") for name in opened.getnames()}
        described = json.load(opened.extractfile("package/package.json"))
    assert described["version"] == header_version()
    assert {"LICENSE", "README.md", "engine.wasm", "simd.wasm", "index.d.ts"} <= names
    # Whatever package.json names is there, and nothing else but sources is.
    for conditions in described["exports"].values():
        for path in conditions.values() if isinstance(conditions, dict) else [conditions]:
            assert path.removeprefix("./") in names
    assert {pathlib.Path(name).suffix for name in names} == {
        "",
        ".js",
        ".json",
        ".md",
        ".ts",
        ".wasm",
    }


def test_version_and_kernels(node):
    for kernels in ("wasm", "plain"):
        told = node.run("package_facts.mjs", environment={"TENSORPAD_KERNELS": kernels})
        assert told == {"version": header_version(), "kernels": kernels}


@pytest.mark.parametrize("kernels", ["wasm", "plain"])
def test_hostile(node, kernels):
    told = node.run("hostile.mjs", environment={"TENSORPAD_KERNELS": kernels})
    assert told["failed"] == []
    assert told["done"] > 130


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
    """index.js fetches its modules over HTTP and pads."""
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
