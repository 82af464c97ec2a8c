#!/usr/bin/env python3
"""Makes the npm package, ready to publish: build/npm/tensorpad-VERSION.tgz. Needs clang, lld and npm, and no
network. Fails if the package is larger than its limit.

    scripts/javascript/npm.py

common/tensorpad.js is the package as one script, and holds the engine as text: for Node, where `import` and
`require` then give the same objects, for plain scripts and, through index.js, for bundlers and for pages. The
same modules as files are for hosts that compile none from bytes (workerd, edge runtimes) and for programs that
load them themselves; src is what these use, without the text.
"""

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

MOST_BYTES = 170_000  # packed; and what only `tensorpad/check` loads:
MOST_CHECK_BYTES = 235_000
MOST_BUNDLED_BYTES = 72_000  # in a bundle with gzip, which a bundler makes smaller still
SOURCES = ROOT / "javascript"
MODULES = ("engine", "simd")


def as_text(module):
    """Bytes as a string of JavaScript, which load.js reads: below 91 one character, else two. gzip finds whole
    bytes in it, so it packs to three quarters of base64."""
    text = ""
    for byte in module:
        more, rest = divmod(byte, 91)
        text += ("", " ", "!")[more] + chr(rest + 35).replace("\\", "~")
    if "<!--" in text or "</script" in text.lower():
        sys.exit("the text of a module ends a script that a page holds")
    return f'"{text}"'


def write_common(out):
    """The package as one script, with the modules as text, and its types."""
    inside = out / "src/bytes.js"
    texts = {name: as_text((COMPILED / f"{name}.wasm").read_bytes()) for name in MODULES}
    inside.write_text(
        "".join(f"export const {name.upper()} =\n    {text};\n" for name, text in texts.items())
    )
    entries = [out / "src/script.js", out / "create.js"]
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
globalThis[Symbol.for(`tensorpad ${{tensorpad.version}}`)] = tensorpad; // src/all.js
if (typeof module === "object" && module.exports) module.exports = tensorpad;
else globalThis.tensorpad = tensorpad;
0 && (module.exports = {{ {", ".join(exported(entries[0]))} }});
}})();
""")
    for path in (inside, entries[0]):
        path.unlink()
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
    for name in MODULES:
        shutil.copy(COMPILED / f"{name}.wasm", out)
    # Next.js and others take modules by other addresses than workerd.
    edge = (SOURCES / "workerd.js").read_text().replace('.wasm"', '.wasm?module"')
    (out / "edge.js").write_text(edge)
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
    script = (npm / "package/common/tensorpad.js").read_bytes()
    sizes = {
        "packed": (made.stat().st_size - apart, MOST_BYTES),
        "check.wasm": (apart, MOST_CHECK_BYTES),
        "the script with gzip": (len(gzip.compress(script, 9)), MOST_BUNDLED_BYTES),
    }
    said = ", ".join(
        f"{what} {size} bytes (at most {most})" for what, (size, most) in sizes.items()
    )
    print(f"{made.relative_to(ROOT)}: {said}")
    if any(size > most for size, most in sizes.values()):
        sys.exit("npm: too large")


main()
