"""Kinds of cases: the rows of the table and of the picture. A case may be of many kinds.

SPDX-License-Identifier: MIT
"""

import typing

from padkit.case_facts import AT_RUN_TIME


class Kind(typing.NamedTuple):
    """A row: the group that it stands in, what it is called, and which cases are of this kind."""

    group: str
    label: str
    holds: typing.Callable


def words(group, tag, labels):
    """A kind for each label: the cases whose tag is one of its words. labels: {label: words}"""
    return [
        Kind(group, label, lambda facts, words=words: getattr(facts, tag) in words)
        for label, words in labels.items()
    ]


def of_document(document, forbidden, kinds):
    """The same kinds, with only the cases of one specification, answered or forbidden."""
    return [
        kind._replace(
            holds=lambda facts, holds=kind.holds: (
                facts.document == document and bool(facts.forbidden) == forbidden and holds(facts)
            )
        )
        for kind in kinds
    ]


def opsets(first, last):
    label = f"opset {first}" if first == last else f"opsets {first} to {last}"
    return Kind("opset", label, lambda facts: first <= facts.opset <= last)


TYPES = {
    "float": ["float"],
    "double": ["double"],
    "float16": ["float16"],
    "bfloat16": ["bfloat16"],
    "float8, all five": [
        "float8e4m3fn",
        "float8e4m3fnuz",
        "float8e5m2",
        "float8e5m2fnuz",
        "float8e8m0",
    ],
    "4 and 2 bits": ["uint4", "int4", "float4e2m1", "uint2", "int2"],
    "int8, uint8": ["int8", "uint8"],
    "int16, uint16": ["int16", "uint16"],
    "int32, uint32": ["int32", "uint32"],
    "int64, uint64": ["int64", "uint64"],
    "bool": ["bool"],
    "complex64, complex128": ["complex64", "complex128"],
    "string": ["string"],
}

# Every word of the tag that says how pads reach the node.
WAYS = {
    "attribute": ["attribute"],
    "initializer, or Constant node": ["initializer", "constant", "constant numbers"],
    "initializer that is an input too": ["overridable"],
    "computed from constants": ["identity", "cast", "reshape", "concat", "torchscript"],
    "from the shape of the input": ["from shape"],
    "known at run time": ["input", "unsized input", "computed"],
}

ANSWERED = of_document(
    "onnx",
    False,
    [
        Kind("", "all of them", lambda facts: True),
        *words("mode", "mode", {mode: [mode] for mode in ("constant", "edge", "reflect", "wrap")}),
        Kind("pad widths", "nothing is padded", lambda facts: facts.nothing_padded),
        Kind("pad widths", "negative: cells are cut off", lambda facts: facts.negative),
        Kind(
            "pad widths", "both signs on one axis", lambda facts: facts.any_axis(lambda a: a.mixed)
        ),
        Kind(
            "pad widths",
            "one side cut beyond the axis",
            lambda facts: facts.any_axis(lambda a: a.overcropped),
        ),
        Kind(
            "pad widths",
            "reflect beyond the axis",
            lambda facts: (
                facts.mode == "reflect"
                and facts.any_axis(lambda a: max(a.begin, a.end) >= a.left > 0)
            ),
        ),
        Kind(
            "pad widths",
            "wrap beyond the axis",
            lambda facts: (
                facts.mode == "wrap" and facts.any_axis(lambda a: max(a.begin, a.end) > a.left > 0)
            ),
        ),
        Kind(
            "shape",
            "an extent of 1 that grows",
            lambda facts: facts.any_axis(lambda a: a.left == 1 and a.adds > 0),
        ),
        Kind("shape", "empty input", lambda facts: facts.empty_input),
        Kind("shape", "empty output", lambda facts: facts.empty_output),
        Kind("shape", "rank 0", lambda facts: facts.rank == 0),
        Kind("shape", "rank above 5", lambda facts: facts.rank > 5),
        Kind(
            "shape",
            "extents known at run time",
            lambda facts: facts.dynamic in ("symbolic", "batch symbolic", "nameless"),
        ),
        Kind("shape", "rank known at run time", lambda facts: facts.dynamic == "rank unknown"),
        *words("type", "type", TYPES),
        *words("pads are", "pads_as", WAYS),
        Kind("value is", "not given", lambda facts: facts.value_as is None),
        Kind("value is", "of shape []", lambda facts: facts.value_as and facts.value_shape == []),
        Kind("value is", "of shape [1]", lambda facts: facts.value_as and facts.value_shape == [1]),
        Kind("value is", "known at run time", lambda facts: facts.value_as in AT_RUN_TIME),
        Kind(
            "axes are",
            "some of them",
            lambda facts: facts.axes is not None and 0 < len(facts.axes) < facts.rank,
        ),
        Kind(
            "axes are",
            "all of them",
            lambda facts: facts.axes is not None and len(facts.axes) == facts.rank > 0,
        ),
        Kind("axes are", "an empty list", lambda facts: facts.axes == []),
        Kind(
            "axes are", "counted from the back", lambda facts: any(k < 0 for k in facts.axes or ())
        ),
        Kind("axes are", "known at run time", lambda facts: facts.axes_as in AT_RUN_TIME),
        opsets(1, 1),
        opsets(2, 10),
        opsets(11, 12),
        opsets(13, 17),
        opsets(18, 18),
        opsets(19, 20),
        opsets(21, 22),
        opsets(23, 23),
        opsets(24, 24),
        opsets(25, 25),
    ],
)
# Cases of Pad in larger models: the words with which the tag begins or ends.
COMPANY = {
    "before a pooling": lambda around: (
        around.endswith(("pool behind", "stride behind"))
        or around.startswith(("max pool with", "average pool with"))
    ),
    "between transposes": lambda around: around.startswith("transposes"),
    "in a branch, a loop, a function": lambda around: (
        "branch" in around or around.startswith(("loop", "function")) and "pool" not in around
    ),
    "beside a convolution": lambda around: around.startswith("convolution"),
}


def in_company(label, test):
    return Kind("in larger models", label, lambda facts: bool(facts.around) and test(facts.around))


COMPANY_KINDS = of_document(
    "onnx",
    False,
    [
        *(in_company(label, test) for label, test in COMPANY.items()),
        in_company(
            "other nodes", lambda around: not any(test(around) for test in COMPANY.values())
        ),
    ],
)
# What a runtime should refuse, by the first word of the case's name behind `forbidden`.
REASONS = {
    "negative": "a negative output extent",
    "nothing": "nothing left to repeat",
    "count": "a wrong number of pads",
    "axes": "axes repeated, out of range, of a wrong type",
    "pads": "pads of a wrong type or shape",
    "value": "a value of a wrong type or shape",
    "mode": "an unknown mode",
    "wrap": "wrap before version 19",
    "type": "a type that the version lacks",
    "form": "wrong attributes, missing inputs",
}
FORBIDDEN = of_document(
    "onnx",
    True,
    [
        Kind("forbidden", label, lambda facts, word=word: facts.name.split("_")[2] == word)
        for word, label in REASONS.items()
    ],
)
IR = of_document(
    "openvino",
    False,
    [
        Kind("OpenVINO IR", "Pad-1", lambda facts: facts.opset == 1),
        Kind("OpenVINO IR", "Pad-12", lambda facts: facts.opset == 12),
    ],
)
IR_FORBIDDEN = of_document(
    "openvino", True, [Kind("OpenVINO IR", "forbidden by the specification", lambda facts: True)]
)
KINDS = [*ANSWERED, *COMPANY_KINDS, *FORBIDDEN, *IR, *IR_FORBIDDEN]
