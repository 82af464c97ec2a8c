#!/usr/bin/env python3
"""Makes the npm package, ready to publish: build/npm/tensorpad-VERSION.tgz. Needs clang, lld and npm, and no
network. Fails if the package is larger than its limit.

    scripts/javascript/npm.py

Its folder common has the package as one script: for all that is no bundler, so that `import` and `require`
give the same objects, and for plain scripts.
"""

import base64
import gzip
import json
import re
import shutil
import subprocess
import sys

from modules import (
    COMPILED,
    ROOT,
    compile_check,
    compile_modules,
    exported,
    joined,
    modules_in_order,
    variable,
)

MOST_BYTES = 202_000  # packed; and what only `tensorpad/check` loads:
MOST_CHECK_BYTES = 225_000
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


def write_package(out, version, check):
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    for path in (
        *SOURCES.glob("*.js"),
        *SOURCES.glob("*.d.ts"),
        SOURCES / "README.md",
        ROOT / "LICENSE",
    ):
        shutil.copy(path, out)
    if check:
        shutil.copy(check, out)
    shutil.copytree(SOURCES / "src", out / "src")
    described = (SOURCES / "package.json").read_text()
    was = json.loads(described)["version"]
    described = described.replace(f'"version": "{was}"', f'"version": "{version}"')
    (out / "package.json").write_text(described)
    (out / "src/version.js").write_text(f'export const version = "{version}";\n')
    lines = "/** The modules as base64. */\n"
    for name in MODULES:
        shutil.copy(COMPILED / f"{name}.wasm", out)
        text = base64.b64encode((COMPILED / f"{name}.wasm").read_bytes()).decode()
        lines += f'export const {name.upper()} =\n    "{text}";\n'
    (out / "src/bytes.js").write_text(lines)
    write_common(out)


def main():
    header = (ROOT / "include/tensorpad/tensorpad.h").read_text()
    version = ".".join(re.findall(r"^#define TPAD_VERSION_[A-Z]+ (\d+)", header, re.M))
    compile_modules()
    check = compile_check()
    npm = ROOT / "build/npm"
    shutil.rmtree(npm, ignore_errors=True)
    write_package(npm / "package", version, check)
    command = ["npm", "pack", "--silent", "--offline", "./package"]
    subprocess.run(command, cwd=npm, check=True, stdout=subprocess.DEVNULL)
    made = npm / f"tensorpad-{version}.tgz"
    apart = len(gzip.compress(check.read_bytes(), 9)) if check else 0
    size = made.stat().st_size - apart
    if size > MOST_BYTES or apart > MOST_CHECK_BYTES:
        sys.exit(
            f"{made}: {size} bytes and {apart} of check.wasm: at most {MOST_BYTES} and {MOST_CHECK_BYTES}"
        )
    print(f"{made.relative_to(ROOT)}: {size} bytes, and {apart} of check.wasm")


main()
