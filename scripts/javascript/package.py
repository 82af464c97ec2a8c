#!/usr/bin/env python3
"""Makes the folder of the npm package from javascript/ and the compiled engine.

    scripts/javascript/package.py MODULES VERSION OUT

MODULES is the folder with engine.wasm and simd.wasm. The folder OUT/common has the package as one script:
for all that is no bundler, so that `import` and `require` give the same objects, and for plain scripts.
"""

import base64
import json
import shutil
import sys
from pathlib import Path

from joined import exported, joined, modules_in_order, variable

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "javascript"
MODULES = ("engine", "simd")


def write_common(out):
    """The package as one script, and its types."""
    entries = [out / "index.js", out / "create.js"]
    order = []
    for entry in entries:
        modules_in_order(entry, order)
    package, create = (variable(entry, order) for entry in entries)
    common = out / "common"
    common.mkdir()
    (common / "package.json").write_text('{ "type": "commonjs" }\n')
    # Node's `import` looks for the names in the text of a script, in such an object.
    (common / "tensorpad.js").write_text(f"""\
/** The package for Node, and in a plain script as the global `tensorpad`.
 * SPDX-License-Identifier: MIT */
(() => {{
"use strict";
{joined(order, out)}\
const tensorpad = {{ ...{package}, create: {create} }};
if (typeof module === "object" && module.exports) module.exports = tensorpad;
else globalThis.tensorpad = tensorpad;
0 && (module.exports = {{ {", ".join(exported(entries[0]))} }});
}})();
""")
    names = ", ".join(exported(entries[1]))
    (common / "create.js").write_text(
        f'const {{ {names} }} = require("./tensorpad.js").create;\nmodule.exports = {{ {names} }};\n'
    )
    # `import` finds the declarations of `require`, so that a class is the same in both.
    for name, of_import in (("tensorpad", "index"), ("create", "create")):
        text = (out / f"{of_import}.d.ts").read_text().replace("./index.js", "./tensorpad.js")
        (common / f"{name}.d.ts").write_text(text)
        (out / f"{of_import}.d.ts").write_text(f'export * from "./common/{name}.js";\n')


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    modules, version, out = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]).resolve()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    for path in (
        *SOURCES.glob("*.js"),
        *SOURCES.glob("*.d.ts"),
        SOURCES / "README.md",
        ROOT / "LICENSE",
    ):
        shutil.copy(path, out)
    shutil.copytree(SOURCES / "src", out / "src")
    described = (SOURCES / "package.json").read_text()
    was = json.loads(described)["version"]
    (out / "package.json").write_text(
        described.replace(f'"version": "{was}"', f'"version": "{version}"')
    )
    (out / "src/version.js").write_text(f'export const version = "{version}";\n')
    lines = "/** The modules as base64. */\n"
    for name in MODULES:
        shutil.copy(modules / f"{name}.wasm", out)
        text = base64.b64encode((modules / f"{name}.wasm").read_bytes()).decode()
        lines += f'export const {name.upper()} =\n    "{text}";\n'
    (out / "src/bytes.js").write_text(lines)
    write_common(out)


main()
