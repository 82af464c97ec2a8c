#!/usr/bin/env python3
"""Compares lists in JavaScript and Python with their sources in C: element types, modes, versions of ONNX Pad.

JavaScript reads no header, and Python's words for the types are its own. SPDX-License-Identifier: MIT
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


ONNX_H, OPENVINO_H, CORE_H = (
    f"include/tensorpad/{name}.h" for name in ("onnx", "openvino", "tensorpad")
)
onnx = {
    name: (word, int(bits))
    for name, word, bits in re.findall(r'X\((\w+), \d+, "(\w+)", (\d+)\)', text_of(ONNX_H))
}
openvino = {
    name: (word, int(bits))
    for name, word, bits in re.findall(
        r'X\((\w+), \d+, "(\w+)", "\w+", (\d+)\)', text_of(OPENVINO_H)
    )
}
same = {
    onnx[b][0]: openvino[a][0]
    for a, b in re.findall(r"X\((\w+), (\w+)\)", text_of(OPENVINO_H))
    if a in openvino
}
newest = re.search(r"#define TPAD_ONNX_NEWEST (\d+)", text_of(ONNX_H)).group(1)
mode_map = text_of(CORE_H).split("#define TPAD_MODE_MAP")[1].split("enum")[0]
modes = re.findall(r'X\(\w+, \d+, "(\w+)"\)', mode_map)
SRC = "javascript/src/types.js"
STUBS, PROBLEM = "javascript/index.d.ts", "javascript/playground/problem.js"


def words_after(name, start, end=";"):
    """The quoted words between two texts of a file."""
    return re.findall(r'"(\w+)"', text_of(name).split(start)[1].split(end)[0])


def differing_types():
    widths = dict([*openvino.values(), *onnx.values()])
    word_or_null = r'(?:"(\w+)"|null)'
    package = re.findall(
        rf'^    \["(\w+)", {word_or_null}, {word_or_null}, (\d+),', text_of(SRC), re.M
    )
    pairs = {(word, same.get(word, "")) for word, _ in onnx.values()} - {("string", "string")}
    found = {(row[1], row[2]) for row in package if row[1]}
    for pair in sorted(pairs ^ found):
        yield f"{SRC}: {pair} are not the words of one type in ONNX and OpenVINO"
    for ours, in_onnx, in_openvino, bits in package:
        if widths[in_onnx or in_openvino] != int(bits):
            yield f"{SRC}: {ours} does not have {bits} bits"
    if set(words_after(STUBS, "export type TypeName =")) != {row[0] for row in package}:
        yield f"{STUBS}: TypeName has other types than {SRC}"
    others = dict(re.findall(r'\{"(\w+)", TPAD_ONNX_(\w+)\}', text_of("formats/element_types.c")))
    words = words_after("python/tensorpad/_spec.py", "ONNX_TYPES = {", "}")
    for ours, word in zip(words[::2], words[1::2]):
        if onnx[others[ours]][0] != word:
            yield f"python/tensorpad/_spec.py: {ours} is not ONNX's {word}"


def differing_modes_and_versions():
    for name, start in (
        ("javascript/src/arguments.js", "const MODES = "),
        (STUBS, "export type Mode = "),
    ):
        if words_after(name, start) != modes:
            yield f"{name}: its modes are not {modes}"
    versions = re.findall(r"\{(\d+|TPAD_ONNX_NEWEST), \w+, MODES_", text_of("src/specs/onnx_pad.c"))
    shown = re.search(r"ONNX_VERSIONS = \[(.*?)\]", text_of(PROBLEM)).group(1).split(", ")
    if shown != [newest if version == "TPAD_ONNX_NEWEST" else version for version in versions]:
        yield f"{PROBLEM}: its versions are not those of src/specs/onnx_pad.c"


faults = [*differing_types(), *differing_modes_and_versions()]
print("\n".join(faults) or "the lists agree")
sys.exit(1 if faults else 0)
