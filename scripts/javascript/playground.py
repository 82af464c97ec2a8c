#!/usr/bin/env python3
"""Makes the playground: one HTML file that holds the style, the modules, the engine, the photograph and
what runtimes answered in a few cases of the kit. Writes build/playground/index.html; needs clang and lld.
"""

import base64
import gzip
import json
import sys
import zipfile

from modules import COMPILED, ROOT, compile_modules, joined, modules_in_order

MOST_BYTES = 300_000
PAGE = ROOT / "javascript/playground"
OUTCOMES = ROOT / "conformance/outcomes.zip"
DOCS = "../../"  # from build/playground to the pages of the repository; scripts/docs/site.py has its own


def script(name):
    """A module of the page and all that it imports, as one script."""
    return joined(modules_in_order(PAGE / name, []), ROOT)


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
    """As embedded.js reads it."""
    return base64_of(gzip.compress(content, mtime=0))


def write_page():
    compile_modules()
    engine, out = COMPILED / "playground.wasm", ROOT / "build/playground/index.html"
    page = (PAGE / "index.html").read_text().replace("<!-- docs -->", DOCS)
    style = (PAGE / "style.css").read_text()
    page = page.replace("<!-- style -->", f"<style>\n{style}</style>")
    page = page.replace(
        "<!-- script -->",
        embedded("engine", "application/gzip", packed(engine.read_bytes()))
        + embedded("modules", "application/gzip", packed(script("main.js").encode()))
        + embedded("photograph", "image/webp", base64_of((PAGE / "photograph.webp").read_bytes()))
        + embedded("recorded", "application/json", recorded())
        + f'<script type="module">\n{script("loader.js")}</script>',
    )
    size = len(page.encode())
    if size > MOST_BYTES:
        sys.exit(f"{out}: {size} bytes; the playground has at most {MOST_BYTES}")
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(page)
    print(f"{out}: {size} bytes")


write_page()
