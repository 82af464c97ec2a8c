#!/usr/bin/env python3
"""Compiles every piece of C in the documents and in the comments of the public headers, as C99 and C11,
with warnings as errors. A piece is a block that is set apart and has a name of the library; "..." in it
stands for code of the reader. What pieces use and do not declare is declared here.
Usage: snippets.py COMPILER...      SPDX-License-Identifier: MIT"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The site's pages about C, and the headers whose comments have a piece.
PAGES = [
    "docs/embedding.md",
    "docs/development/versions.md",
    "docs/specs/mli.md",
    "docs/microcontrollers.md",
]
HEADERS = [
    f"include/tensorpad/{name}.h"
    for name in ("tensorpad", "fit", "adjoint", "dialect", "threads", "onnx")
]
BEFORE = """
#include <stddef.h>
#include <tensorpad/adjoint.h>
#include <tensorpad/fit.h>
#include <tensorpad/onnx.h>
#include <tensorpad/threads.h>
int32_t status;
tpad_error error;
tpad_problem problem;
tpad_plan plan;
tpad_onnx_pad node;
const int32_t src[4096];
const int32_t value[1];
tpad_fit fit;
int32_t dst[4096], array[64], padding, a[1], b[1], c[1];
unsigned char mask[64];
int64_t lengths[3], extent, bytes, list;
"""


def pieces(text):
    """The blocks of a page or, without the stars of a comment, of a header."""
    fenced = re.findall(r"^```c\n(.*?)^```", text, re.M | re.S)
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    return fenced + re.findall(r"(?:^ {4}.*\n|^\n(?= {4}))+", text, re.M)


def main():
    found = []
    for name in PAGES + HEADERS:
        text = (ROOT / name).read_text(encoding="utf-8")
        if name in HEADERS:
            comments = re.findall(r"/\*(?:.|\n)*?\*/", text)
            text = "\n\n".join(
                re.sub(r"^ \* ?|^/\* ?| ?\*/$", "", one, flags=re.M) for one in comments
            )
        found += [
            (name, piece)
            for piece in pieces(text)
            if re.search(r"(?s)\b(?:tpad|TPAD)_\w+.*;", piece) and "#include" not in piece
        ]
    program = BEFORE
    for number, (name, piece) in enumerate(found):
        body = re.sub(r"\.\.\.(?=[ \t]*(?:/\*.*)?$)", "return;", piece, flags=re.M)
        if re.match(r"\s*int32_t \w+\(", body):  # a function
            program += f'#line 1 "{name}"\nstatic {body.strip()}\n'
        else:
            program += f'void piece_{number}(void);\nvoid piece_{number}(void)\n{{\n#line 1 "{name}"\n{body}}}\n'
    wrong = 0
    for compiler in sys.argv[1:]:
        for standard in ("c99", "c11"):
            command = [
                compiler,
                f"-std={standard}",
                "-Wall",
                "-Wextra",
                "-Wno-unused",
                "-Wno-unused-parameter",
                "-Werror",
                f"-I{ROOT / 'include'}",
                "-fsyntax-only",
                "-x",
                "c",
                "-",
            ]
            wrong |= subprocess.run(command, input=program, text=True).returncode
    print(f"{len(found)} pieces of C in the documents")
    return 1 if wrong or len(found) < 8 else 0


if __name__ == "__main__":
    sys.exit(main())
