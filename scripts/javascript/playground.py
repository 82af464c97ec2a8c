#!/usr/bin/env python3
"""Makes the playground: one HTML file that holds the style, the modules and the engine.

    scripts/javascript/playground.py ENGINE.wasm OUT.html
"""
import base64
import gzip
import sys
from pathlib import Path

from joined import joined, modules_in_order

MOST_BYTES = 300_000
ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "javascript/playground"


def script():
    """All modules of the page as one script."""
    text = joined(modules_in_order(PAGE / "main.js", []), ROOT)
    if "</script" in text or "<!--" in text:
        sys.exit("the text of a module would end the script of the page")
    return text


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    engine, out = Path(sys.argv[1]), Path(sys.argv[2])
    encoded = base64.b64encode(gzip.compress(engine.read_bytes(), mtime=0)).decode()
    page = (PAGE / "index.html").read_text()
    style = (PAGE / "style.css").read_text()
    page = page.replace("<!-- style -->", f"<style>\n{style}</style>")
    page = page.replace(
        "<!-- script -->",
        f'<script type="application/gzip" id="engine">{encoded}</script>\n'
        f'<script type="module">\n{script()}</script>',
    )
    size = len(page.encode())
    if size > MOST_BYTES:
        sys.exit(f"{out}: {size} bytes; the playground has at most {MOST_BYTES}")
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(page)
    print(f"{out}: {size} bytes")


main()
