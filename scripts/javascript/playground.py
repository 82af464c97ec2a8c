#!/usr/bin/env python3
"""Makes the playground: one HTML file that holds the style, the modules, the engine, the photograph, small
models and what runtimes answered in a few cases of the kit; the reader of models beside it, which it loads
when it is served; and a second page that also holds that, for a disk.

Writes build/playground: index.html, check.wasm, with-models.html; needs clang and lld, and WASI's C library
for the last two.
"""

import base64
import gzip
import json
import shutil
import sys
import zipfile
from pathlib import Path

from modules import (
    COMPILED,
    ROOT,
    compile_check,
    compile_modules,
    joined,
    modules_in_order,
    variable,
)

MOST_BYTES, MOST_WITH_MODELS = 300_000, 600_000
MODELS = (
    "examples/panorama.onnx",
    "examples/mirror.onnx",
    "checker/tests/models/exports/unet_dynamic_17.onnx",
)
PAGE = ROOT / "javascript/playground"
OUTCOMES = ROOT / "conformance/outcomes.zip"
DOCS = "../../"  # from build/playground to the pages of the repository; scripts/docs/site.py has its own


def script(name, call=""):
    """A module of the page and all that it imports, as one script, and a call of what it exports."""
    order = modules_in_order(PAGE / name, [])
    called = f"{variable(PAGE / name, order)}.{call}();\n" if call else ""
    return joined(order, ROOT) + called


def recorded():
    """Answers of runtimes, cell by cell (conformance/README.md)."""
    with zipfile.ZipFile(OUTCOMES) as opened:
        text = json.dumps(json.loads(opened.read("shown/answers.json")), separators=(",", ":"))
    return text.replace("<", "\\u003c")


def embedded(name, kind, text):
    """A text that the page holds and does not run."""
    return f'<script type="{kind}" id="{name}">{text}</script>\n'


def base64_of(content):
    return base64.b64encode(content).decode()


def packed(content):
    """As loader.js reads it."""
    return base64_of(gzip.compress(content, mtime=0))


def write_page():
    compile_modules()
    check = compile_check()
    out = ROOT / "build/playground"
    page = (PAGE / "index.html").read_text().replace("<!-- docs -->", DOCS)
    style = (PAGE / "style.css").read_text()
    page = page.replace("<!-- style -->", f"<style>\n{style}</style>")
    held = {
        "engine": (COMPILED / "playground.wasm").read_bytes(),
        "modules": script("main.js").encode(),
        # From a disk, a worker is no module. It is given the WebAssembly that check.js would load.
        "worker": script("worker.js").replace("import.meta.url", "location").encode(),
        **{f"model-{Path(name).stem}": (ROOT / name).read_bytes() for name in MODELS},
    }
    parts = [embedded(name, "application/gzip", packed(part)) for name, part in held.items()]
    parts += [
        embedded("photograph", "image/webp", base64_of((PAGE / "photograph.webp").read_bytes())),
        embedded("recorded", "application/json", recorded()),
        f'<script type="module">\n{script("loader.js", "load")}</script>',
    ]
    out.mkdir(parents=True, exist_ok=True)
    write(out / "index.html", page.replace("<!-- script -->", "".join(parts)), MOST_BYTES)
    for name in ("check.wasm", "with-models.html"):
        (out / name).unlink(missing_ok=True)
    if check:
        shutil.copy(check, out / "check.wasm")
        parts[-1:-1] = [embedded("check", "application/gzip", packed(check.read_bytes()))]
        whole = page.replace("<!-- script -->", "".join(parts))
        write(out / "with-models.html", whole, MOST_WITH_MODELS)


def write(path, page, most):
    size = len(page.encode())
    if size > most:
        sys.exit(f"{path}: {size} bytes; it has at most {most}")
    path.write_text(page)
    print(f"{path}: {size} bytes")


write_page()
