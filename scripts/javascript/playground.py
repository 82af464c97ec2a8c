#!/usr/bin/env python3
"""Makes the playground: one HTML file that holds the style, the modules and the engine.

    scripts/javascript/playground.py ENGINE.wasm OUT.html
"""
import base64
import gzip
import re
import sys
from pathlib import Path

MOST_BYTES = 300_000
ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "javascript/playground"

IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const|let) (\w+))", re.MULTILINE)


def modules_in_order(path, order):
    """Appends the modules that `path` needs, each behind those that it imports, and then itself."""
    for _, name in IMPORT.findall(path.read_text()):
        imported = (path.parent / name).resolve()
        if imported not in order:
            modules_in_order(imported, order)
    order.append(path)
    return order


def joined(entry):
    """One script that holds a module and all that it imports, each in a scope of its own."""
    order = modules_in_order(entry, [])
    number = {path: at for at, path in enumerate(order)}
    parts = []
    for path in order:
        text = path.read_text()
        exports = EXPORT.findall(text)

        def taken(found, path=path):
            names = re.sub(r"\s+", " ", found[1].replace(" as ", ": ")).strip().rstrip(",")
            return f"const {{ {names} }} = module{number[(path.parent / found[2]).resolve()]};\n"

        text = EXPORT.sub("", IMPORT.sub(taken, text))
        left = re.search(r"^(import|export)\b.*", text, re.MULTILINE)
        if left:
            sys.exit(f"{path}: cannot join this line: {left[0]}")
        if "</script" in text or "<!--" in text:
            sys.exit(f"{path}: the text would end the script of the page")
        parts.append(
            f"// {path.relative_to(ROOT)}\nconst module{number[path]} = (() => {{\n{text}"
            f"return {{ {', '.join(exports)} }};\n}})();\n"
        )
    return "".join(parts)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    engine, out = Path(sys.argv[1]), Path(sys.argv[2])
    encoded = base64.b64encode(gzip.compress(engine.read_bytes(), mtime=0)).decode()
    page = (PAGE / "index.html").read_text()
    style = (PAGE / "style.css").read_text()
    script = joined(PAGE / "main.js")
    page = page.replace("<!-- style -->", f"<style>\n{style}</style>")
    page = page.replace(
        "<!-- script -->",
        f'<script type="application/gzip" id="engine">{encoded}</script>\n'
        f'<script type="module">\n{script}</script>',
    )
    size = len(page.encode())
    if size > MOST_BYTES:
        sys.exit(f"{out}: {size} bytes; the playground has at most {MOST_BYTES}")
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(page)
    print(f"{out}: {size} bytes")


main()
