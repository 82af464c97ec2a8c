#!/usr/bin/env python3
"""Writes the library as two files, tensorpad.c and tensorpad.h, into the folder that is named.

The header is tensorpad/tensorpad.h and behind it, unless TPAD_DIALECTS is 0, the headers of the four
dialects. The source is all of src/core, src/kernels and src/dialects, or of a small build
(TPAD_SMALL) the three files of it. File-local names that several files have get the name of their
file in front. SPDX-License-Identifier: MIT
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DIALECTS = ["dialect", "onnx", "openvino", "ngraph", "mli"]
SMALL = ["core/axis.c", "core/problem.c", "firmware/small.c"]
FOR_PROVER = re.compile(r"^#ifdef __FRAMAC__\n.*?^#endif\n", re.M | re.S)
INCLUDE = re.compile(r'^#include ([<"])([^>"]+)[>"]\n', re.M)
# At the left margin: a function, an array or a value, a macro; and the names in an enum.
LOCAL = re.compile(r"^static (?:inline )?[\w \*]*?\b(\w+)(?:\(|\[| =)|^#define (\w+)", re.M)
ENUM = re.compile(r"\benum \{([^}]*)\}")
COMMENT = re.compile(r"(/\*.*?\*/)", re.S)


def expand(path, seen):
    """The file with the project's own headers put in at their first mention."""
    def replace(match):
        kind, name = match.groups()
        if name.startswith("tensorpad/"):
            return ""
        if kind == "<":
            return match.group(0)
        header = (path.parent / name).resolve()
        if header in seen:
            return ""
        seen.add(header)
        return expand(header, seen)
    return INCLUDE.sub(replace, FOR_PROVER.sub("", path.read_text()))


def local_names(text):
    text = COMMENT.sub("", text)
    names = {name or macro for name, macro in LOCAL.findall(text)}
    for inside in ENUM.findall(text):
        names |= set(re.findall(r"(?:^|,)\s*([A-Z]\w+)", inside))
    return names


def rename(text, names, prefix):
    """Puts the prefix before the names, but not where they are members or inside comments."""
    if not names:
        return text
    pattern = re.compile(rf"(?<![.>\w])({'|'.join(sorted(names))})\b")
    pieces = COMMENT.split(text)
    pieces[::2] = [pattern.sub(rf"{prefix}_\1", code) for code in pieces[::2]]
    return "".join(pieces)


def join(paths, seen):
    """The files one behind the other, names that clash told apart."""
    names = {path: local_names(path.read_text()) for path in paths}
    parts = []
    for path in paths:
        others = set().union(*(names[other] for other in paths if other != path))
        text = rename(expand(path, seen), names[path] & others, path.stem)
        parts.append(f"\n/* ==== {path.relative_to(ROOT)} ==== */\n\n{text}")
    return "".join(parts)


def header():
    core, *dialects = [(ROOT / "include/tensorpad" / f"{name}.h").read_text()
                       for name in ["tensorpad", *DIALECTS]]
    dialects = "\n".join(INCLUDE.sub("", text) for text in dialects)
    return (f"{core}\n#ifndef TPAD_DIALECTS\n#define TPAD_DIALECTS 1 /* 0: the core alone */\n#endif\n"
            f"#if TPAD_DIALECTS && !defined(TPAD_SMALL)\n\n{dialects}\n#endif\n")


def source():
    files = {folder: sorted((ROOT / "src" / folder).glob("*.c"))
             for folder in ["core", "kernels", "dialects"]}
    small = [ROOT / "src" / name for name in SMALL]
    seen = set()
    full = join(files["core"] + files["kernels"], seen)
    return ("/* tensorpad in one file, made by scripts/amalgamate.py. SPDX-License-Identifier: MIT */\n"
            "#if defined(__GNUC__) /* names of a file may hide another's; headers hold more than needed */\n"
            "#pragma GCC diagnostic ignored \"-Wshadow\"\n"
            "#pragma GCC diagnostic ignored \"-Wunused-function\"\n#endif\n"
            "#define TPAD_ONE_FILE\n#include \"tensorpad.h\"\n\n"
            f"#if defined(TPAD_SMALL)\n{join(small, set())}\n#else\n{full}\n"
            f"#if TPAD_DIALECTS\n{join(files['dialects'], seen)}\n#endif\n#endif\n")


def main():
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} FOLDER")
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tensorpad.h").write_text(header())
    (folder / "tensorpad.c").write_text(source())


if __name__ == "__main__":
    main()
