"""The sources that are mutated, how a mutant is written down, and how it is compiled.

SPDX-License-Identifier: MIT

A mutant is one line of library_mutants.jsonl: the file, the line as it was, which of the lines that read so
(from 1), and what stands there instead. It holds no line numbers, so that most of the list outlives
changes elsewhere in the file.
"""

import json
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
LIBRARY = ["src/core/*.c", "src/kernels/*.c", "src/specs/*.c", "src/fit/*.c", "src/adjoint/*.c"]
PLAIN_KERNELS = ["plain", "words"]
MUTATED = [
    "src/core/*.c",
    "src/specs/*.c",
    "src/fit/*.c",
    "src/adjoint/*.c",
    *(f"src/kernels/{name}.c" for name in PLAIN_KERNELS),
]
TOOLS = [
    f"{folder}/*.c"
    for folder in ("cli", "formats", "formats/protobuf", "models", "models/*", "runtimes")
]
MUTANTS = HERE / "library_mutants.jsonl"
KINDS = {  # which files, where the list is, how many are drawn
    "library": (MUTATED, MUTANTS, 560),
    "tools": (TOOLS, HERE / "tools_mutants.jsonl", 200),
}
GENERATED = ROOT / "build/generated"  # by a build: what nanopb makes of formats/protobuf/onnx.proto
FLAGS = [
    "-std=gnu11",
    "-D_GNU_SOURCE",
    "-DTPAD_KERNELS_ENV",
    f"-I{ROOT / 'include'}",
    f"-I{ROOT / 'tools'}",
    f"-I{GENERATED}",
    "-I/usr/include/nanopb",
    "-DTPAD_WITH_NANOPB",
    "-DTPAD_WITH_EXPAT",
    "-DTPAD_WITH_PNG",
    "-D_FILE_OFFSET_BITS=64",
]


def files(patterns):
    """The files behind patterns, relative to the repository, in order."""
    return sorted(str(p.relative_to(ROOT)) for pattern in patterns for p in ROOT.glob(pattern))


def text_of(file):
    return (ROOT / file).read_text()


def mutated(text, mutant):
    """The text with the mutant in it, or None where its line is gone."""
    lines = text.splitlines(keepends=True)
    places = [i for i, line in enumerate(lines) if line.rstrip("\n") == mutant["line"]]
    if len(places) < mutant["which"]:
        return None
    lines[places[mutant["which"] - 1]] = mutant["mutant"] + "\n"
    return "".join(lines)


def compile_text(text, file, source, out, *more, silent=True):
    """Compiles a changed text of one of the library's files. True if it could be. silent: no warning counts."""
    source.write_text(text)
    command = [
        "gcc",
        *(["-w"] if silent else []),
        *FLAGS,
        *more,
        "-iquote",
        ROOT / pathlib.Path(file).parent,
        "-fPIC",
        "-c",
    ]
    return subprocess.run([*command, source, "-o", out], capture_output=True).returncode == 0


def without_comments(text):
    """The text with every comment as a space, line by line: what the compiler reads."""
    pattern = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*'
    return re.sub(
        pattern,
        lambda m: m[0] if m[0][0] in "\"'" else " " + "\n" * m[0].count("\n"),
        text,
        flags=re.S,
    )


def read_mutants(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def write_mutants(path, mutants):
    path.write_text("".join(json.dumps(m) + "\n" for m in mutants))
