#!/usr/bin/env python3
"""Writes the small build for firmware into the folder that is named: one folder that is an Arduino and
PlatformIO library, a Zephyr module, an ESP-IDF component, a CMSIS-Pack and a project in CMake.

Usage: make.py FOLDER

The folder gets the templates beside this script and MANIFESTS, with the version and other facts of the project in place of
words such as @VERSION@; `src` with the library as one pair of files; `files` with the same code in the files of
the repository. SPDX-License-Identifier: MIT
"""

import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import amalgamate  # noqa: E402

HEADER = (ROOT / "include/tensorpad/tensorpad.h").read_text(encoding="utf-8")
TEMPLATES = pathlib.Path(__file__).parent / "templates"
CONFIG = (TEMPLATES / "src/tensorpad_config.h").read_text(encoding="utf-8")
MODES = re.findall(
    r'^ +X\(\w+, (\d+), "(\w+)"\)', HEADER.partition("#define TPAD_MODE_MAP")[2], re.M
)
# Functions with the signatures of other libraries, each a file on the public interface. An archive of objects
# gives a program only those that it calls. The kernels for TensorFlow Lite Micro need its headers: they lie
# in another folder, from which nothing is compiled without being asked.
FUNCTIONS = ["cmsis_nn_pad", "tflm_pad"]
KERNELS = "tflm_register.cc"
SOURCES = ["src/tensorpad.c", *(f"src/{name}.c" for name in FUNCTIONS)]
FACTS = {
    "VERSION": ".".join(re.findall(r"^#define TPAD_VERSION_\w+ (\d+)$", HEADER, re.M)),
    "SENTENCE": "Pads and crops tensors in 1 to 2 KB of Cortex-M code, without a heap",
    "URL": "https://tensorpad.invalid/",  # two formats demand one, and the project has no page of its own
    "MAX_RANK": re.search(r"TPAD_MAX_RANK (\d+)", CONFIG)[1],
    "ALL_MODES": str(sum(1 << int(number) for number, _ in MODES)),
    "MODES": ", ".join(f"{1 << int(number)} {word}" for number, word in MODES),
    "SOURCES": " ".join(SOURCES),
    "ZEPHYR_SOURCES": " ".join(f"../{name}" for name in SOURCES),
    "PACK_SOURCES": "\n".join(
        f'        <file category="source" name="{name}"/>' for name in SOURCES
    ),
}
# What frameworks want to know: short files.
MANIFESTS = {
    "CMakeLists.txt": """\
# A component of ESP-IDF, or a target `tensorpad` of any other project in CMake.
if(ESP_PLATFORM)
  idf_component_register(SRCS @SOURCES@ INCLUDE_DIRS src)
else()
  add_library(tensorpad STATIC @SOURCES@)
  target_include_directories(tensorpad PUBLIC src)
endif()
""",
    "idf_component.yml": """\
version: "@VERSION@"
description: @SENTENCE@
license: MIT
dependencies:
  idf: ">=5.0"
""",
    "library.json": """\
{
  "name": "tensorpad",
  "version": "@VERSION@",
  "description": "@SENTENCE@",
  "keywords": ["tensor", "pad", "padding", "crop", "tinyml"],
  "license": "MIT",
  "headers": "tensorpad.h",
  "frameworks": "*",
  "platforms": "*",
  "examples": [{"name": "PadFrame", "base": "examples/PadFrame", "files": ["PadFrame.ino"]}]
}
""",
    "library.properties": """\
name=tensorpad
version=@VERSION@
author=The tensorpad authors
maintainer=The tensorpad authors
sentence=@SENTENCE@
paragraph=Constant, edge, reflect, symmetric and wrap, on any axes of tensors of any rank. The memory is the caller's: a plan of 32 bytes and 32 for each axis.
category=Data Processing
url=@URL@
architectures=*
includes=tensorpad.h
""",
    "zephyr/CMakeLists.txt": """\
if(CONFIG_TENSORPAD)
  zephyr_include_directories(../src)
  zephyr_library()
  zephyr_library_sources(@ZEPHYR_SOURCES@)
endif()
""",
    "zephyr/Kconfig": """\
config TENSORPAD
    bool "tensorpad"
    help
      @SENTENCE@.

if TENSORPAD
rsource "../Kconfig"
endif
""",
    "zephyr/module.yml": """\
name: tensorpad
build:
  cmake: zephyr
  kconfig: zephyr/Kconfig
""",
}
SETTINGS = """#if !defined(TPAD_CONFIG_FILE)
#define TPAD_CONFIG_FILE "tensorpad_config.h"
#endif
"""


def templates():
    """{path: text} of what is filled in."""
    found = {path.relative_to(TEMPLATES): path for path in TEMPLATES.rglob("*") if path.is_file()}
    return {**{name: path.read_text(encoding="utf-8") for name, path in found.items()}, **MANIFESTS}


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def fill_in(text):
    return re.sub(r"@([A-Z_]+)@", lambda match: FACTS[match[1]], text)


def with_headers(path, found):
    """Adds the file, and what it includes of ours, to the set."""
    if path in found:
        return
    found.add(path)
    text = amalgamate.FOR_PROVER.sub("", path.read_text(encoding="utf-8"))
    for kind, name in amalgamate.INCLUDE.findall(text):
        if name.startswith("tensorpad/"):
            with_headers(ROOT / "include" / name, found)
        elif kind == '"':
            with_headers((path.parent / name).resolve(), found)


def main():
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} FOLDER")
    folder = pathlib.Path(sys.argv[1])
    for name, text in templates().items():
        write(folder / name, fill_in(text))
    shutil.copy(ROOT / "LICENSE", folder)

    write(folder / "src/tensorpad.h", SETTINGS + HEADER)
    write(folder / "src/tensorpad.c", amalgamate.TOP + amalgamate.small_source())
    write(folder / "src/tensorpad/tensorpad.h", '#include "../tensorpad.h"\n')
    for name in FUNCTIONS:
        for ending in (".h", ".c"):
            shutil.copy(ROOT / "src/firmware" / (name + ending), folder / "src")
    write(folder / "tflm" / KERNELS, (ROOT / "src/firmware" / KERNELS).read_text(encoding="utf-8"))

    found = set()
    for name in amalgamate.SMALL:
        with_headers(ROOT / "src" / name, found)
    for path in sorted(found):
        text = amalgamate.FOR_PROVER.sub("", path.read_text(encoding="utf-8"))
        write(folder / "files" / path.relative_to(ROOT), text)


if __name__ == "__main__":
    main()
