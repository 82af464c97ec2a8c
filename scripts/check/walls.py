#!/usr/bin/env python3
"""Enforces who may include what (RULES), and that no files need each other: C sources (WITHOUT_CIRCLES),
where a file and its own header are one, and modules of Python (MODULES_WITHOUT_CIRCLES). Prints each breach;
then status 1.  SPDX-License-Identifier: MIT
"""

import ast
import graphlib
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FREESTANDING = {"stddef.h", "stdint.h"}
INTRINSICS = {"immintrin.h", "arm_neon.h", "wasm_simd128.h"}

PUBLIC = ("tensorpad/",)
SYSTEM_CALLS = ("formats/port/system.h",)
FORMATS = PUBLIC + ("formats/formats.h",)
MODELS = FORMATS + ("models/models.h",)
FOLDING = MODELS + ("models/folding/folding.h",)
LOWERING = FOLDING + ("models/lowering/lowering.h",)
RUNTIMES = ("runtimes/runtimes.h",)
COMMAND = tuple(
    f"command/{name}.h"
    for name in (
        "arguments",
        "error_report",
        "help",
        "json_writer",
        "options",
        "output",
        "show",
        "spec_problem",
    )
)
DRAWING = ("drawing/drawing.h",)
READERS = ("formats/", "models/graph/", "protobuf/")
SUPPORT = ("../../support/",)
SUPPORT_OF_CHECKER = ("../../../../tests/support/",)
# Tests of what the public headers offer, and what those of the kernels include besides.
OF_THE_LIBRARY = ("core", "specs", "exhaustive", "fit", "adjoint", "threads")
INSIDE = tuple(
    f"../../../src/{name}.h"
    for name in ("kernels/kernels", "kernels/words", "core/plan", "core/table", "core/word_program")
)
# Folder, what its files may include besides headers of the same folder, and which system headers
# (None: any). A file is under the rule of the nearest folder above it.
RULES = [
    ("include", PUBLIC, FREESTANDING),
    ("src/kernels", ("../core/port.h", "../port/processor.h"), FREESTANDING | INTRINSICS),
    (
        "src/core",
        PUBLIC + ("../kernels/kernels.h", "../kernels/words.h", "../port/vectors.h", "proof/"),
        FREESTANDING | {"string.h"},
    ),
    ("src/core/proof", (), set()),
    ("src/specs", PUBLIC, FREESTANDING),
    ("src/fit", PUBLIC + ("../specs/spec_common.h", "../core/port.h"), FREESTANDING),
    ("src/adjoint", PUBLIC + ("../core/",), FREESTANDING),
    ("src/gpu", PUBLIC + ("../core/", "../adjoint/sums.h"), FREESTANDING),
    ("src/firmware", PUBLIC + ("../core/", "small_build.c"), FREESTANDING | {"string.h"}),
    ("src/port", PUBLIC, None),
    ("src/threads", PUBLIC + ("../port/threads.h",), FREESTANDING | {"stdatomic.h", "stdlib.h"}),
    ("plugins/onnxruntime", PUBLIC + ("../../src/port/stay_loaded.h",), None),
    ("plugins/onnxruntime/tests", PUBLIC + ("../", "../../../tests/support/"), None),
    ("javascript/engine", PUBLIC, FREESTANDING),
    ("javascript/playground/engine", PUBLIC + RUNTIMES + ("../../engine/slate.h",), FREESTANDING),
    ("drawing", PUBLIC, None),
    ("formats/port", (), None),
    ("formats", PUBLIC + SYSTEM_CALLS, None),
    # The checker, which the library does not know. Its own folders are below checker/ in an #include.
    ("checker/runtimes", PUBLIC, FREESTANDING),
    ("checker/protobuf", PUBLIC + SYSTEM_CALLS + ("formats/",), None),
    ("checker/models", MODELS + ("models/graph/model.h",), None),
    ("checker/models/graph", MODELS + RUNTIMES + ("formats/",), None),
    ("checker/models/onnx", MODELS + SYSTEM_CALLS + READERS, None),
    ("checker/models/openvino", MODELS + SYSTEM_CALLS + READERS, None),
    ("checker/models/folding", MODELS + ("formats/", "models/"), None),
    (
        "checker/models/lowering",
        FOLDING + RUNTIMES + SYSTEM_CALLS + ("formats/", "models/", "protobuf/"),
        None,
    ),
    (
        "checker/command",
        LOWERING + RUNTIMES + COMMAND + SYSTEM_CALLS + ("formats/file.h", "witness.py.h"),
        None,
    ),
    ("checker/javascript", COMMAND + ("../command/commands.h",), None),
    ("checker/javascript/threads", (), None),
    ("checker/python", LOWERING + RUNTIMES + ("python/extension/slots.h",), None),
    ("checker/tests/c/protobuf", FORMATS + SUPPORT_OF_CHECKER + ("formats/file.h",), None),
    ("checker/tests/c/models", FOLDING + SUPPORT_OF_CHECKER, None),
    ("checker/tests/c/lowering", FOLDING + SUPPORT_OF_CHECKER + ("models/lowering/",), None),
    ("checker/tests/c/runtimes", PUBLIC + RUNTIMES, None),
    ("command", FORMATS + DRAWING + SYSTEM_CALLS, None),
    ("scripts/firmware", ("sdkconfig.h",), set()),
    ("examples", PUBLIC, None),
    ("bench", PUBLIC + ("../command/workloads.h",), None),
    ("tests/fuzz", LOWERING + RUNTIMES + ("../support/",), None),
    ("python/extension", PUBLIC + DRAWING, None),
    ("tests/support", PUBLIC, None),
    *((f"tests/c/{name}", PUBLIC + SUPPORT, None) for name in OF_THE_LIBRARY),
    ("tests/c/firmware", PUBLIC + SUPPORT + ("../../../src/core/", "../../../src/firmware/"), None),
    ("tests/c/kernels", PUBLIC + SUPPORT + INSIDE, None),
    ("tests/c/gpu", PUBLIC + SUPPORT + ("../../../src/gpu/", "../adjoint/gradients.h"), None),
    ("tests/c/formats", FORMATS + SUPPORT + ("formats/file.h",), None),
    ("javascript/tests", PUBLIC + ("../../tests/support/", "../engine/"), None),
    ("tests/faults", PUBLIC, None),
    ("tests/install", PUBLIC, None),
    ("tests/machines", (), None),
    ("tests/platforms", (), None),
]
# Folders whose sources, all of them together, form no circle. Not tests, bench and examples: each file
# there is a program of its own, many have functions of the same name, and calls are found by name alone.
WITHOUT_CIRCLES = [
    ("src",),
    (
        "checker/command",
        "checker/models",
        "checker/protobuf",
        "checker/runtimes",
        "command",
        "drawing",
        "formats",
    ),
    ("python/extension",),
    ("plugins/onnxruntime",),
    ("javascript",),
]
MODULES_WITHOUT_CIRCLES = (
    "checker",
    "python",
    "conformance",
    "javascript",
    "scripts",
    "tests",
    "bench",
)
# What a file includes in builds for tests only (TPAD_KERNELS_ENV).
FOR_TESTS = {"src/kernels/variants.c": {"stdlib.h", "string.h"}}
# What says for which system code is compiled, and the files that may ask.
SYSTEM = re.compile(r"\b(?:_WIN32|_WIN64|__MINGW\w+|__APPLE__)\b")
ASK_FOR_SYSTEM = ("src/port/", "formats/port/", "include/tensorpad/tensorpad.h")
# Folders whose files have no variables that live longer than a call.
WITHOUT_STATE = (
    *("src/core", "src/kernels", "src/firmware", "src/specs", "src/fit", "src/adjoint", "src/gpu"),
    "checker/runtimes",
)
# Words of one specification that the core and the kernels must not know.
FOREIGN_WORDS = re.compile(r"onnx|openvino|ngraph|\bmli\b|opset", re.IGNORECASE)


# ---- Sources -----------------------------------------------------------------------------------


def sources():
    """Every C file of ours, from the root; none of a build."""
    for top in sorted(ROOT.iterdir()):
        if top.is_dir() and not top.name.startswith((".", "build")):
            for path in sorted(top.rglob("*.[ch]")):
                yield path.relative_to(ROOT)


def rule_for(path):
    above = {str(parent) for parent in path.parents}
    return max(
        (rule for rule in RULES if rule[0] in above), key=lambda rule: len(rule[0]), default=None
    )


def source_breaches():
    used = set()
    for name in sources():
        rule = rule_for(name)
        if rule is None:
            yield f"{name}: no rule for its folder"
            continue
        folder, prefixes, system = rule
        used.add(folder)
        own = {header.name for header in (ROOT / name).parent.glob("*.h")}
        text = (ROOT / name).read_text(encoding="utf-8")
        for kind, header in re.findall(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', text, re.M):
            allowed = (
                header.startswith(prefixes)
                or (kind == '"' and (header in own or header.endswith(".pb.h")))
                or (
                    kind == "<"
                    and (
                        system is None or header in system or header in FOR_TESTS.get(str(name), ())
                    )
                    and not header.startswith("src/")
                )
            )
            if not allowed:
                yield f"{name}: may not include {header}"
        if SYSTEM.search(text) and not str(name).startswith(ASK_FOR_SYSTEM):
            yield f"{name}: asks for {SYSTEM.search(text).group(0)}"
        engine = folder in ("src/core", "src/kernels") or name.name == "small_build.c"
        if engine and FOREIGN_WORDS.search(text):
            yield f"{name}: speaks of {FOREIGN_WORDS.search(text).group(0)}"
        if folder in WITHOUT_STATE:
            for line in re.findall(r"^\s*static (?!const\b|inline\b)[^(=;]*(?:=|;)", text, re.M):
                yield f"{name}: mutable static: {line}"
    for folder, _, _ in RULES:
        if folder not in used:
            yield f"RULES: no file is under the rule for {folder}"


# ---- Circles -----------------------------------------------------------------------------------

COMMENT_OR_TEXT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)
INCLUDED = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)
# A function with its body, or a table, at the left margin.
DEFINED = re.compile(
    r"^(?!static [^(]*=)(?:\w[\w \*]*[ \*])(\w+)(?:\([^;{}]*\)\s*\{|(?:\[\w*\])? = )", re.M
)
# A prototype, a typedef or an extern variable.
DECLARATION = re.compile(r"^[A-Za-z_][^;{}]*;", re.M)


def unit(path):
    """A source and its own header are one unit: the path without its ending."""
    return str(path.with_suffix(""))


def included(path, text, known):
    """The files of `known` that a file includes: beside it, or from a folder above it."""
    for name in INCLUDED.findall(text):
        for folder in path.parents:
            header = pathlib.Path(os.path.normpath(folder / name))
            if header in known:
                yield header
                break


def source_needs(folders):
    """unit -> the units that it needs: whose functions it calls, and whose types its header takes."""
    texts = {
        path.relative_to(ROOT): path.read_text(encoding="utf-8")
        for folder in folders
        for path in sorted((ROOT / folder).rglob("*.[ch]"))
    }
    graph = {unit(path): set() for path in texts}
    codes = {path: COMMENT_OR_TEXT.sub(" ", text) for path, text in texts.items()}
    offered, own = {}, {name: set() for name in graph}
    for path, code in codes.items():
        for match in DEFINED.finditer(code):
            own[unit(path)].add(match[1])
            if path.suffix == ".h" or not match[0].startswith("static"):
                offered.setdefault(match[1], set()).add(unit(path))
    for path, text in texts.items():
        code = DECLARATION.sub("", codes[path])
        used = set(re.findall(r"\w+", code)) - own[unit(path)]
        for name in used & offered.keys():
            graph[unit(path)] |= offered[name]
        if path.suffix == ".h":
            graph[unit(path)] |= {unit(header) for header in included(path, text, texts)}
    return {name: needed - {name} for name, needed in graph.items()}


def module_needs(folder):
    """module -> the modules that it imports, also in functions; not the packages that it is in."""
    graph = {path.relative_to(ROOT): set() for path in sorted((ROOT / folder).rglob("*.py"))}
    for path, needed in graph.items():
        bases = [above for above in path.parents if above / "__init__.py" not in graph]
        for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
            if not isinstance(node, (ast.Import, ast.ImportFrom)):
                continue
            level, package = getattr(node, "level", 0), getattr(node, "module", None) or ""
            names = [package, *(f"{package}.{alias.name}".strip(".") for alias in node.names)]
            for base in [path.parents[level - 1]] if level else bases:
                for place in (base / name.replace(".", "/") for name in names):
                    files = place / "__init__.py", place.parent / f"{place.name}.py"
                    needed.update([file for file in files if file in graph][:1])
        needed -= {path, *(above / "__init__.py" for above in path.parents)}
    return {str(path): set(map(str, needed)) for path, needed in graph.items()}


def circle_breaches():
    graphs = [(folders, source_needs(folders)) for folders in WITHOUT_CIRCLES]
    graphs += [((folder,), module_needs(folder)) for folder in MODULES_WITHOUT_CIRCLES]
    for folders, graph in graphs:
        try:
            graphlib.TopologicalSorter(graph).prepare()
        except graphlib.CycleError as error:
            circle = ", ".join(error.args[1])
            yield f"{', '.join(folders)}: in a circle, each is needed by the next: {circle}"


breaches = [*source_breaches(), *circle_breaches()]
print("\n".join(breaches) or f"walls hold in {len(RULES)} folders")
sys.exit(1 if breaches else 0)
