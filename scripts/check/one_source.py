#!/usr/bin/env python3
"""Each fact is said in one place: finds a second list of it, and compares the lists that have to be.

The facts are read from their sources: the element types of ONNX and OpenVINO, the newest version of ONNX
Pad, the modes, what other programs call the modes, and the options of the command. Of what a document
forbids, only one file may say which reason belongs to an error of the library; each runtime has a list of
the reasons for which it refuses, too, which is a fact of its own. Then every file of code is searched for
as many words of one fact, close together, as only a list of it has. ALLOWED names the files that may have
one, each with its reason; a file that no longer has one is an error, too. Lists in other languages are
compared with the source.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CODE = (".c", ".h", ".in", ".py", ".pyi", ".js", ".mjs", ".ts", ".html", ".sh", ".cmake")
# Not tests, bench, examples and scripts: they choose what they test or show, and fail when it changes.
# The kit in conformance is a second implementation of the documents, which must not ask tensorpad.
FOLDERS = (
    *("include", "src", "formats", "models", "runtimes", "drawing", "cli"),
    *("plugins", "python", "javascript", "conformance", "cmake"),
)


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


# ---- The facts -------------------------------------------------------------------------------------

ONNX_H, OPENVINO_H, CORE_H = (
    f"include/tensorpad/{name}.h" for name in ("onnx", "openvino", "tensorpad")
)
ELSEWHERE = "formats/element_text.c"
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
elsewhere = re.findall(r'\{"([^"]+)", "[^"]+"\}', text_of(ELSEWHERE))
commands = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "cli").glob("*.c"))
options = sorted(
    {
        word
        for name in commands
        for word in re.findall(r'^    \{"([a-z-]+)", (?:0|\'.\'), ', text_of(name), re.M)
    }
)


def quoted(words):
    return r"""["'`](?:%s)["'`]""" % "|".join(map(re.escape, words))


# What a word of the fact looks like, how many different ones are a list, and within how many characters.
FACTS = {
    "types of ONNX": (
        quoted(word for word, _ in onnx.values())
        + r"|\b(?:TPAD_ONNX_)?(?:%s)(?=\s*[=,]\s*(?:\d|\"))" % "|".join(onnx),
        12,
        2000,
    ),
    "types of OpenVINO": (
        quoted(word for word, _ in openvino.values())
        + r"|\b(?:TPAD_OPENVINO_)?(?:%s)(?=\s*[=,]\s*(?:\d|\"))" % "|".join(openvino),
        12,
        2000,
    ),
    "newest version of ONNX Pad": (
        rf"(?i)\w*(?:opset|newest|version)\w*[\"']?(?:: \w+)?\s*[=:<>, ]+\s*\"?{newest}\b(?!\.)",
        1,
        1,
    ),
    "modes": (quoted(modes), len(modes), 300),
    "names of modes elsewhere": (quoted(elsewhere), 6, 800),
    "options of the command": (r'(?:--|\{")(?:%s)\b' % "|".join(options), 8, 500),
    "reasons of a document after errors of the library": (
        r"\bTPAD_E_\w+(?=[^{}]{0,120}TPAD_RULES_FORBIDS_)",
        3,
        1500,
    ),
}
IN_JAVASCRIPT = "JavaScript cannot read the header; compared below"
STUB = "a stub; the tests of the Python package compare it with the package"
ALLOWED = {
    "types of ONNX": {
        ONNX_H: "the source",
        "plugins/onnxruntime/register.c": "ONNX Runtime's numbers, which change with its versions",
        "javascript/src/types.js": IN_JAVASCRIPT,
        "javascript/playground/types.js": "the order of the page's list",
        "javascript/index.d.ts": IN_JAVASCRIPT,
        "conformance/kit/json_arrays.py": "the kit's own types and widths",
        "conformance/kit/oracle.py": "the kit's own versions, each with its types",
        "conformance/kit/ir_model.py": "the kit's own types of OpenVINO",
        "conformance/kit/elements.py": "the kit's own elements of each type",
        "conformance/kit/operator_cases.py": "which types are cast to which others",
        "conformance/kit/cases/types.py": "a case for each type",
        "conformance/kit/cases/ngraph.py": "a case for each type",
        "conformance/kit/cases/openvino.py": "a case for each type",
        "conformance/adapters/onnxruntime_web.mjs": "what ONNX Runtime web calls types",
    },
    "types of OpenVINO": {
        OPENVINO_H: "the source",
        "formats/element_types.c": "short names, of which OpenVINO has some as well",
        "javascript/src/types.js": IN_JAVASCRIPT,
        "conformance/kit/ir_model.py": "the kit's own types of OpenVINO",
    },
    "newest version of ONNX Pad": {
        ONNX_H: "the source",
        "python/tensorpad/onnx.pyi": STUB,
        "runtimes/onnxruntime.c": "an example of check, of a runtime that ends before this version",
    },
    "modes": {
        CORE_H: "the source",
        "javascript/src/arguments.js": IN_JAVASCRIPT,
        "javascript/index.d.ts": IN_JAVASCRIPT,
        "python/tensorpad/torch/_aten.py": "the extension's numbers, under a name each",
        "python/tensorpad/torch/functional.py": "the words of torch.nn.functional.pad",
        "python/extension/batch_call.c": "what help(pad_batch) says",
        "python/tensorpad/__init__.pyi": STUB,
        "python/tensorpad/onnx.pyi": STUB,
        "python/tensorpad/openvino.pyi": STUB,
        "python/tensorpad/dask.py": "what dask calls the modes",
        "conformance/kit/oracle.py": "the kit's own modes",
        "conformance/kit/cases/mli_plain.py": "a case for each mode",
    },
    "names of modes elsewhere": {ELSEWHERE: "the source"},
    "reasons of a document after errors of the library": {"runtimes/refusals.c": "the source"},
    "options of the command": {
        "cli/options.c": "the source, of what pad and show share; each command has its own rows",
        "cli/specs.c": "which options not every specification takes",
    },
}


def list_at(text, pattern, least, span):
    """The line where a list begins, or None."""
    found = [
        (match.start(), re.sub(r"^TPAD_[A-Z]+_|\W", "", match.group()).lower())
        for match in re.finditer(pattern, text)
    ]
    for k, (place, _) in enumerate(found):
        if len({word for other, word in found[k:] if other - place <= span}) >= least:
            return text.count("\n", 0, place) + 1
    return None


def second_lists():
    paths = [
        path.relative_to(ROOT) for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*"))
    ]
    files = [path.as_posix() for path in paths if path.suffix in CODE and "tests" not in path.parts]
    for fact, rule in FACTS.items():
        source, *others = ALLOWED[fact]
        for name in files:
            line = list_at(text_of(name), *rule)
            if line and name in others:
                others.remove(name)
            elif line and name != source:
                yield f"{name}:{line}: a second list of the {fact}; the source is {source}"
        for name in others:
            yield f"{name}: has no list of the {fact} any more, so ALLOWED need not name it"


# ---- Lists in other languages ----------------------------------------------------------------------

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


faults = [*second_lists(), *differing_types(), *differing_modes_and_versions()]
print("\n".join(faults) or "each fact is said once")
sys.exit(1 if faults else 0)
