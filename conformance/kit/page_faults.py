"""What is wrong in each family of runtimes, in sentences, and in how many cases of each version it
is.

SPDX-License-Identifier: MIT

The first sentence that fits a case is taken, so special ones stand before general ones. A sentence
is about the tags of a case. Where a runtime refuses for several reasons at once, its message
decides.
"""

import dataclasses
import re
import typing

from kit.outcome_file import verdict_of
from kit.page_kinds import (
    AT_RUN_TIME,
    REASONS,
    always,
    any_axis,
    around,
    has,
    pads_at_run_time,
    reflect_beyond,
    types,
    value_at_run_time,
)

WORST_FIRST = ("differs", "crashes", "accepts", "refuses")


class Fault(typing.NamedTuple):
    """A sentence, the verdict that it explains, and which cases it is about."""

    verdict: str
    says: str
    holds: typing.Callable  # of Facts
    message: str = ""  # a regular expression that the runtime's message must contain

    def fits(self, facts, verdict, message):
        return (
            verdict == self.verdict
            and self.holds(facts)
            and re.search(self.message, message) is not None
        )


@dataclasses.dataclass
class Group:
    """Cases of one runtime family with one verdict that have one reason."""

    verdict: str
    says: str
    cases: dict = dataclasses.field(default_factory=dict)  # target: {name: message}
    such: dict = dataclasses.field(
        default_factory=dict
    )  # target: how many cases the sentence is about


def faults(**tables):
    """The faults of a family. tables: for each verdict (sentence, of which cases) with or without a
    message.
    """
    return [Fault(verdict, *row) for verdict, rows in tables.items() for row in rows]


def message_of(outcome):
    return "" if outcome == "same" else outcome.get("message", "")


def kind_of_message(message):
    """The message without what is different in each case: numbers, names and what is quoted."""
    message = re.sub(r"'[^']*'|\"[^\"]*\"", "'…'", message)
    message = re.sub(r"-?\d+(\.\d+)?(e[-+]?\d+)?", "N", message)
    return re.sub(r"N(, ?N)+", "N, …", message)


def reason(table, facts, verdict, message):
    """(the place in the table or None, sentence) for one outcome that is not `same`."""
    for place, fault in enumerate(table):
        if fault.fits(facts, verdict, message):
            return place, fault.says
    if facts.forbidden and facts.document == "onnx":
        return None, REASONS[facts.name.split("_")[2]]
    if facts.forbidden:
        return None, f"IR: {kind_of_message(facts.forbidden)}"
    return None, kind_of_message(message)


def such_cases(table, place, facts, outcomes):
    """How many cases the sentence is about, less those that an earlier sentence explains."""
    fault = table[place]
    cases = [
        (facts[name], verdict_of(outcome), message_of(outcome))
        for name, outcome in outcomes.items()
        if fault.holds(facts[name]) and bool(facts[name].forbidden) == (fault.verdict == "accepts")
    ]
    return sum(not any(earlier.fits(*case) for earlier in table[:place]) for case in cases)


def groups(table, facts, targets):
    """[Group], worst first. targets: {target: outcomes}; facts: {name: Facts}"""
    found = {}
    for target, outcomes in targets.items():
        for name, outcome in outcomes.items():
            verdict = verdict_of(outcome)
            if verdict == "same" or verdict == "refuses" and facts[name].forbidden:
                continue
            place, says = reason(table, facts[name], verdict, message_of(outcome))
            group = found.setdefault((verdict, place, says), Group(verdict, says))
            group.cases.setdefault(target, {})[name] = message_of(outcome)
            if place is not None and target not in group.such and not table[place].message:
                group.such[target] = such_cases(table, place, facts, outcomes)
    newest = list(targets)[-1]
    return sorted(
        found.values(),
        key=lambda group: (
            WORST_FIRST.index(group.verdict),
            -len(group.cases.get(newest, ())),
            -sum(map(len, group.cases.values())),
            group.says,
        ),
    )


def smallest(group, facts):
    """(target, Facts, message) of the simplest model, in the newest version that has the fault."""
    target = list(group.cases)[-1]
    name = min(group.cases[target], key=lambda name: facts[name].size())
    return target, facts[name], group.cases[target][name]


def copies_cells(facts):
    return facts.mode != "constant"


def nothing_left(facts):
    return copies_cells(facts) and facts.any_axis(lambda a: a.extent > 0 and a.left == 0)


def mixed_copies(facts):
    return copies_cells(facts) and facts.any_axis(lambda a: a.mixed)


def reflect_by_extent(facts):
    return facts.mode == "reflect" and facts.any_axis(lambda a: max(a.begin, a.end) >= a.extent)


overcropped = any_axis(lambda a: a.overcropped)

FLOAT8 = ("float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz", "float8e8m0")
FEW_BITS = ("uint4", "int4", "float4e2m1", "uint2", "int2")
COMPLEX = ("complex64", "complex128")
WIDE = ("int64", "uint64", "double", "int32", "uint32")

ONNX_RUNTIME = faults(
    differs=[
        ("reflect beyond the axis: cells come from memory that nobody wrote", reflect_beyond),
        (
            "negative pad widths leave nothing of an axis: cells come from memory "
            "that nobody wrote",
            any_axis(lambda a: a.extent > 0 and a.left == 0),
        ),
        (
            "wrap adds more cells before an axis than are left of it: cells come "
            "from memory that nobody wrote",
            lambda facts: facts.mode == "wrap" and facts.any_axis(lambda a: a.begin > a.left > 0),
        ),
        (
            "float16: NaNs lose their bits, because the runtime converts to float and back",
            lambda facts: facts.type == "float16" and facts.nan_payloads,
        ),
        (
            "zeros before a pooling: the runtime fuses Pad and pooling, and the "
            "pooling ignores the padded cells",
            around("pool"),
        ),
        (
            "between two transposes, with all axes, not in rising order: wrong axes are padded",
            lambda facts: (
                around("transposes")(facts)
                and facts.axes is not None
                and [axis % facts.rank for axis in facts.axes]
                != sorted(axis % facts.rank for axis in facts.axes)
            ),
        ),
    ],
    crashes=[
        (
            "a value that callers may replace, with other types than float",
            lambda facts: facts.value_as == "overridable",
        ),
    ],
    refuses=[
        (
            "between two transposes, with axes: the optimiser makes a Pad that does not run",
            around("transposes"),
            "indices element out|merge shape info",
        ),
        (
            "at least as many zeros before a pooling as its kernel is wide: the "
            "runtime fuses Pad and pooling, and then refuses",
            around("pool"),
            "smaller than kernel",
        ),
        ("the pooling of opset 2 that follows has no kernel", around("pool"), "AveragePool"),
        (
            "opset 21 and newer: the runtime does not know the opset",
            lambda facts: facts.opset >= 21,
            "IR version|under development|opset version",
        ),
        ("rank 0", has(rank=0), "no dimensions"),
        ("opset 1 has no kernel", has(opset=1), "implementation"),
        (
            "types without a kernel: int16, uint16, bfloat16, string, complex, "
            "float8, and those of 4 and 2 bits",
            types("int16", "uint16", "bfloat16", "string", *COMPLEX, *FLOAT8, *FEW_BITS),
            "implementation|MLDataType|not supported|IR",
        ),
        ("float16 before opset 6", lambda facts: facts.type == "float16" and facts.opset < 6),
        (
            "axes of type int32 that are constants: ONNX's shape inference in the "
            "runtime reads them as int64",
            lambda facts: facts.axes is not None and facts.axes_as not in AT_RUN_TIME,
            "ParseData type mismatch",
        ),
        ("reflect by as many cells as are left of an axis, or more", reflect_beyond, "reflect"),
        (
            "edge, reflect or wrap where negative pad widths leave nothing of an "
            "axis, though the output is empty",
            copies_cells,
            "zero effective input extent",
        ),
        (
            "wrap of an empty input",
            lambda facts: facts.mode == "wrap" and facts.empty_input,
            "Unexpected mode",
        ),
        (
            "edge or reflect that adds to an empty axis, though the output is empty",
            lambda facts: facts.empty_input and copies_cells(facts),
            "Cannot use",
        ),
        ("one side cut further than the axis is long", overcropped, "Integer overflow"),
        (
            "opset 21 and newer: no kernel of that version",
            lambda facts: facts.opset >= 21,
            "implementation",
        ),
    ],
)

OPENVINO = faults(
    crashes=[
        ("one side cut further than the axis is long", overcropped),
    ],
    differs=[
        ("a value that is known only at run time is ignored", value_at_run_time),
        (
            "numbers of 64 bits, and pad values of 32 bits, are converted to float (24 bits)",
            types(*WIDE),
        ),
        (
            "the bits of NaNs, and of float8 also -0.0, are not kept",
            lambda facts: facts.nan_payloads or facts.type in FLOAT8,
        ),
        ("types of 4 and 2 bits", types(*FEW_BITS)),
        ("a value of -0.0 becomes 0.0", lambda facts: "minus_zero" in facts.name),
        (
            "pads known at run time, and reflect by the extent or more: all "
            "extents of the output are 0",
            reflect_by_extent,
        ),
        ("a Pad of an axis that is empty at run time", has(empty_input=True)),
        (
            "both signs on one axis: it extends the whole input and then crops, "
            "so reflect takes other cells",
            lambda facts: facts.mode == "reflect" and mixed_copies(facts),
        ),
    ],
    refuses=[
        (
            "a Pad in the branch of an If, in the body of a Loop, or in a function",
            around("branch", "loop", "function"),
        ),
        ("wrap", has(mode="wrap")),
        ("complex types", types(*COMPLEX)),
        ("types of 4 and 2 bits", types(*FEW_BITS)),
        ("float8", types(*FLOAT8)),
        ("strings", types("string")),
        ("rank 0", has(rank=0)),
        ("an empty list of axes", has(axes=[])),
        ("a rank that is known only at run time", has(dynamic="rank unknown")),
        (
            "reflect (or symmetric) of an empty input",
            lambda facts: copies_cells(facts) and facts.empty_input,
        ),
        ("reflect by the extent or more", reflect_by_extent),
        (
            "symmetric by more than the extent",
            lambda facts: (
                facts.mode == "symmetric"
                and facts.any_axis(lambda a: max(a.begin, a.end) > a.extent)
            ),
        ),
    ],
)

OPENCV = faults(
    differs=[
        (
            "the output is float instead of float16 or bfloat16",
            types("float16", "bfloat16"),
            "float instead of",
        ),
        ("the output is float instead of the type of the data", always, "float instead of"),
        (
            "rank 1: the output has the shape [n, 1]",
            lambda facts: facts.rank == 1,
            r"\d, \d+\] instead of \[\d+\]",
        ),
        ("an empty output has a wrong shape", has(empty_output=True)),
        ("an empty input", has(empty_input=True)),
        ("opset 1: `paddings` are read as pairs", has(opset=1)),
        (
            "both signs on one axis: it extends the whole input and then crops, "
            "so edge, reflect and wrap take other cells",
            mixed_copies,
        ),
        (
            "edge, reflect or wrap where the same axis is cropped",
            lambda facts: copies_cells(facts) and facts.negative,
        ),
        ("a value that is known only at run time is ignored", value_at_run_time),
        ("a Pad beside a pooling", around("pool")),
        (
            "numbers that change in float: many digits, -0.0, subnormal numbers",
            lambda facts: facts.name.startswith("test_bits"),
        ),
    ],
    crashes=[
        ("an empty input", has(empty_input=True)),
        ("edge, reflect or wrap of an axis that negative pad widths leave empty", nothing_left),
        ("strings", types("string")),
        (
            "pads as the TorchScript exporter of PyTorch writes them",
            lambda facts: facts.pads_as == "torchscript",
        ),
    ],
    refuses=[
        ("strings", types("string")),
        ("complex types", types(*COMPLEX)),
        ("float8", types(*FLOAT8)),
        ("types of 4 and 2 bits", types(*FEW_BITS)),
        ("a Pad in the branch of an If or in the body of a Loop", around("branch", "loop")),
        ("a Pad in a function", around("function")),
        ("wrap", has(mode="wrap"), "wrap"),
        ("rank 0", has(rank=0)),
        ("rank above 5", lambda facts: facts.rank > 5, "ndims|MAX_DIMS"),
        ("negative pad widths", has(negative=True), "paddings"),
        ("an empty list of axes", has(axes=[])),
        ("axes", lambda facts: facts.axes is not None, "axes|paddings|Blob|inputs|blobs"),
        ("an empty output", has(empty_output=True)),
        ("an empty input", has(empty_input=True)),
        (
            "uint64 and others with a value",
            lambda facts: facts.value_as is not None and facts.type != "float",
            "not supported|unsupported|Unsupported",
        ),
        (
            "edge and reflect, except on the last two axes of rank 4",
            lambda facts: facts.mode in ("edge", "reflect"),
            "dims == |spatial",
        ),
        (
            "pads, axes or value that are not in the model itself",
            lambda facts: (
                facts.pads_as not in ("attribute", "initializer", "constant")
                or facts.value_as not in (None, "attribute", "initializer", "constant")
                or facts.dynamic == "rank unknown"
            ),
        ),
        ("types other than float", lambda facts: facts.type != "float"),
    ],
)

TRACT = faults(
    crashes=[
        ("negative pad widths", has(negative=True)),
        ("negative pad widths in a second Pad", around("crop")),
        ("an empty input", has(empty_input=True)),
        ("reflect by the extent or more", reflect_by_extent),
    ],
    differs=[
        (
            "edge or reflect with a value: the value is written instead of the cells",
            lambda facts: copies_cells(facts) and facts.value_as is not None,
        ),
        ("reflect by the extent or more", reflect_by_extent),
    ],
    refuses=[
        ("wrap", has(mode="wrap")),
        ("opset 1", has(opset=1)),
        ("complex types", types(*COMPLEX)),
        ("float8", types(*FLOAT8)),
        ("types of 4 and 2 bits", types(*FEW_BITS)),
        ("bfloat16", types("bfloat16")),
        ("bool", types("bool")),
        ("strings", types("string")),
        ("negative pad widths", has(negative=True)),
        ("a value of shape [1]", lambda facts: facts.value_shape == [1]),
        (
            "pads, axes or value that are known only at run time",
            lambda facts: pads_at_run_time(facts) or value_at_run_time(facts),
        ),
        ("a Pad in the branch of an If or in the body of a Loop", around("branch", "loop")),
        ("a Pad in a function", around("function")),
        (
            "a rank, or an extent without a name, that is known only at run time",
            lambda facts: facts.dynamic in ("rank unknown", "nameless"),
        ),
    ],
)

TVM = faults(
    differs=[
        ("reflect beyond the axis: cells come from the memory around it", reflect_by_extent),
        (
            "both signs on one axis: cells of the whole axis are repeated, not of what is left",
            mixed_copies,
        ),
        ("float8 without negative zero (fnuz)", types("float8e4m3fnuz", "float8e5m2fnuz")),
    ],
    crashes=[
        ("float4e2m1", types("float4e2m1")),
        ("wrap of an empty axis", lambda facts: facts.mode == "wrap" and facts.empty_input),
    ],
    refuses=[
        ("opset 1", has(opset=1)),
        ("complex types", types(*COMPLEX)),
        ("strings", types("string")),
        ("types of 4 and 2 bits", types(*FEW_BITS)),
        ("a Pad in a function, or in the body of a Loop", around("function", "loop")),
        ("pads or axes that are known only at run time", always, "Dynamic"),
        ("a value that is known only at run time", value_at_run_time),
        ("Constant nodes with numbers", always, "no value in Constant"),
        ("pads or axes that are computed, also from constants", always, "ShapeExpr"),
        ("a rank that is known only at run time", has(dynamic="rank unknown")),
    ],
)

ONNX_REFERENCE = faults(
    differs=[
        (
            "strings without a value: filled with 0 instead of the empty string",
            lambda facts: facts.type == "string" and facts.value_as is None,
        ),
        ("the smallest number of float8e8m0, which has no zero", types("float8e8m0")),
    ],
    refuses=[
        ("negative pad widths", has(negative=True)),
        ("negative pad widths in a second Pad", around("crop")),
        ("rank 0", has(rank=0)),
        (
            "edge, reflect or wrap of an empty input",
            lambda facts: copies_cells(facts) and facts.empty_input,
        ),
    ],
)

SENTENCES = {
    "ONNX Runtime": ONNX_RUNTIME,
    "OpenVINO": OPENVINO,
    "OpenCV": OPENCV,
    "tract": TRACT,
    "TVM": TVM,
    "ONNX reference": ONNX_REFERENCE,
}
