#!/usr/bin/env python3
"""Compares lists in JavaScript and Python with their sources in C: element types, modes, versions of ONNX Pad.
JavaScript reads no header, and Python's words for the types are its own.

With COMMAND it writes the tables of docs/specifications.md from what `tensorpad specs --json` says instead, or
checks that they are that.
Usage: one_source.py [COMMAND [--check]]    SPDX-License-Identifier: MIT
"""

import json
import pathlib
import re
import subprocess
import sys
import textwrap

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


# ---- Lists ---------------------------------------------------------------------------------------


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


# ---- Tables --------------------------------------------------------------------------------------

PAGE = ROOT / "docs/specifications.md"
WIDTH = 106  # of lines, as on the other pages
BEGIN = "<!-- limits: written by scripts/check/one_source.py -->\n"
END = "<!-- end of limits -->\n"


def yes(flag):
    return "yes" if flag else ""


def item(spec, words):
    return textwrap.fill(f"- {spec}: {words}", WIDTH, subsequent_indent="  ") + "\n"


def added(types, before):
    """The element types of a specification, by those of the one before it where it adds some."""
    if types is None:
        return "any"
    new = [name for name in types if name not in before]
    if types == before:
        return "the same"
    if before and len(types) == len(before) + len(new):
        return f"{len(types)}, the same and {' '.join(new)}"
    return f"{len(types)}, {' '.join(types)}"


def tables(specs):
    text = "\n| spec | modes | order | amounts | axes | interior | output extent below 0 |\n"
    text += "|---|---|---|---|---|---|---|\n"
    for s in specs:
        text += (
            f"| {s['spec']} | {', '.join(s['modes'])} | {s['order']} | {s['amounts']} "
            f"| {yes(s['axes'])} | {yes(s['interior'])} | {s['negative_extent']} |\n"
        )
    text += "\n| spec | pads | pad value | default value |\n|---|---|---|---|\n"
    for s in specs:
        default = s["default_value"] or "none: it is required"
        text += f"| {s['spec']} | {s['pads']} | {s['value']} | {default} |\n"
    text += "\n## Limits of modes\n\nSpecifications that are not named here have none.\n\n"
    for s in specs:
        if s["mode_limits"] != "none":
            text += item(s["spec"], s["mode_limits"])
    text += '\n## Element types\n\n"The same" means the types of the line before.\n\n'
    before = []
    for s in specs:
        text += item(s["spec"], added(s["types"], before))
        before = s["types"] or []
    return text + "\n"


def write_tables(command, check):
    """Returns what is wrong: with check, that the page is old."""
    told = subprocess.run([command, "specs", "--json"], check=True, capture_output=True).stdout
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    text = before + BEGIN + tables(json.loads(told)["specs"]) + END + rest.split(END)[1]
    if not check:
        PAGE.write_text(text, encoding="utf-8")
        return []
    return [] if page == text else ["run scripts/check/one_source.py COMMAND"]


if len(sys.argv) > 1:
    faults = write_tables(sys.argv[1], "--check" in sys.argv)
else:
    faults = [*differing_types(), *differing_modes_and_versions()]
print("\n".join(faults) or "the lists agree")
sys.exit(1 if faults else 0)
