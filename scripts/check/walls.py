#!/usr/bin/env python3
"""Enforces who may include what (docs/internals.md, "Walls"). Prints each breach; then status 1."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FREESTANDING = {"stddef.h", "stdint.h"}
INTRINSICS = {"immintrin.h", "arm_neon.h"}

# Folder: what its files may include besides headers of the same folder. None: any system header.
PUBLIC = ("tensorpad/",)
MODELS = PUBLIC + ("models/models.h",)
SUPPORT = ("../../support/",)
RULES = {
    "include": (PUBLIC, FREESTANDING),
    "src/kernels": (("../core/port.h",), FREESTANDING | INTRINSICS),
    "src/core": (PUBLIC + ("../kernels/kernels.h", "../../proof/"), FREESTANDING | {"string.h"}),
    "src/dialects": (PUBLIC, FREESTANDING),
    "src/firmware": (PUBLIC + ("../core/", "small.c"), FREESTANDING),
    "src/threads": (PUBLIC, None),
    "models": (MODELS + ("../arrays/", "../graph/"), None),
    "cli": (MODELS + ("../bench/workloads.h",), None),
    "examples": (PUBLIC, None),
    "bench": (PUBLIC, None),
    "fuzz": (MODELS + ("../tests/support/",), None),
    "python/src": (MODELS + ("../slots.h",), None),
    "tests/support": (PUBLIC, None),
    "tests/c/core": (PUBLIC + SUPPORT, None),
    "tests/c/dialects": (PUBLIC + SUPPORT, None),
    "tests/c/exhaustive": (PUBLIC + SUPPORT, None),
    "tests/c/firmware": (PUBLIC + SUPPORT + ("../../../src/core/", "../../../src/firmware/"), None),
    "tests/c/kernels": (PUBLIC + SUPPORT + ("../../../src/kernels/kernels.h",
                                            "../../../src/core/plan.h"), None),
    "tests/c/models": (MODELS + SUPPORT + ("../../../models/arrays/file.h",), None),
    "tests/c/threads": (PUBLIC + SUPPORT, None),
    "tests/system": (PUBLIC, None),
}
# What a file includes in builds for tests only (TPAD_KERNELS_ENV).
FOR_TESTS = {"src/kernels/variants.c": {"stdlib.h", "string.h"}}
# Words of one dialect that the core and the kernels must not know.
FOREIGN_WORDS = re.compile(r"onnx|openvino|ngraph|\bmli\b|opset", re.IGNORECASE)


def breaches():
    for folder, (prefixes, system) in RULES.items():
        for path in sorted((ROOT / folder).rglob("*.[ch]")):
            own = {header.name for header in path.parent.glob("*.h")}
            text = path.read_text(encoding="utf-8")
            name = path.relative_to(ROOT)
            for kind, header in re.findall(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', text, re.M):
                allowed = (
                    header.startswith(prefixes)
                    or (kind == '"' and (header in own or header.endswith(".pb.h")))
                    or (kind == "<" and (system is None or header in system
                                         or header in FOR_TESTS.get(str(name), ()))
                        and not header.startswith("src/"))
                )
                if not allowed:
                    yield f"{name}: may not include {header}"
            engine = folder in ("src/core", "src/kernels") or path.name == "small.c"
            if engine and FOREIGN_WORDS.search(text):
                yield f"{name}: speaks of {FOREIGN_WORDS.search(text).group(0)}"
            if folder in ("src/core", "src/kernels", "src/firmware", "src/dialects"):
                for line in re.findall(r"^\s*static (?!const\b|inline\b)[^(=;]*(?:=|;)", text, re.M):
                    yield f"{name}: mutable static: {line}"


found = list(breaches())
print("\n".join(found) or f"walls hold in {len(RULES)} folders")
sys.exit(1 if found else 0)
