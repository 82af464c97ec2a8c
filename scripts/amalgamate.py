#!/usr/bin/env python3
"""Writes the library as two files, tensorpad.c and tensorpad.h, into the folder that is named. Beside
them it writes tensorpad/*.h, headers of one line, for programs that include <tensorpad/tensorpad.h>.

The header is tensorpad/tensorpad.h and after it, unless TPAD_DIALECTS is 0, the headers of
specs, fit and adjoint. The source is all of src/core, src/kernels, src/specs, src/fit and src/adjoint, or of a
small build (TPAD_SMALL) the three files of it, one after the other. Names are not changed: where two files
define the same one, the compiler refuses tensorpad.c. SPDX-License-Identifier: MIT
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["core", "kernels", "specs", "fit", "adjoint"]
ABOVE_CORE = ["dialect", "onnx", "openvino", "ngraph", "mli", "fit", "adjoint"]
SMALL = ["core/axis.c", "core/problem.c", "firmware/small_build.c"]
TOP = """/* tensorpad in one file, made by scripts/amalgamate.py. SPDX-License-Identifier: MIT */
#if defined(__GNUC__) || defined(__clang__) /* types of the core hide behind variables of other files, and not
                         every build calls each function of a header */
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#define TPAD_ONE_FILE
#include "tensorpad.h"

"""
FOR_PROVER = re.compile(r"^#ifdef __FRAMAC__\n.*?^#endif\n", re.M | re.S)
INCLUDE = re.compile(r'^#include ([<"])([^>"]+)[>"]\n', re.M)
# A header that is put in each time it is mentioned, and undefines its parameters at its end.
TEMPLATE = re.compile(r'^#include "(\w+_template\.h)"', re.M)


def expand(path, seen):
    """The file with the project's own headers put in at their first mention."""

    def replace(match):
        kind, name = match.groups()
        if name.startswith("tensorpad/"):
            return ""
        if kind == "<":
            return match.group(0)
        header = (path.parent / name).resolve()
        if TEMPLATE.match(match.group(0)):
            return expand(header, seen)
        if header in seen:
            return ""
        seen.add(header)
        return expand(header, seen)

    return INCLUDE.sub(replace, FOR_PROVER.sub("", path.read_text()))


def join(paths, seen):
    return "".join(
        f"\n/* ==== {path.relative_to(ROOT)} ==== */\n\n{expand(path, seen)}" for path in paths
    )


def header():
    core, *above = [
        (ROOT / "include/tensorpad" / f"{name}.h").read_text()
        for name in ["tensorpad", *ABOVE_CORE]
    ]
    above = "\n".join(INCLUDE.sub("", text) for text in above)
    return (
        f"{core}\n#ifndef TPAD_DIALECTS\n#define TPAD_DIALECTS 1 /* 0: the core alone */\n#endif\n"
        f"#if TPAD_DIALECTS && !defined(TPAD_SMALL)\n\n{above}\n#endif\n"
    )


def small_source():
    """The small build after the header, without the lines before it."""
    return join([ROOT / "src" / name for name in SMALL], set())


def source():
    core, kernels, specs, fit, adjoint = [
        sorted((ROOT / "src" / folder).glob("*.c")) for folder in FOLDERS
    ]
    seen = set()
    full = join(core + kernels, seen)
    return (
        f"{TOP}#if defined(TPAD_SMALL)\n{small_source()}\n#else\n{full}\n"
        f"#if TPAD_DIALECTS\n{join(specs + fit + adjoint, seen)}\n#endif\n#endif\n"
    )


def main():
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} FOLDER")
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tensorpad.h").write_text(header())
    (folder / "tensorpad.c").write_text(source())
    (folder / "tensorpad").mkdir(exist_ok=True)
    for name in ["tensorpad", *ABOVE_CORE]:
        (folder / "tensorpad" / f"{name}.h").write_text('#include "../tensorpad.h"\n')


if __name__ == "__main__":
    main()
