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
from kit.page_kinds import AT_RUN_TIME, REASONS

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


def any_axis(test):
    return lambda facts: facts.any_axis(test)


def types(*words):
    return lambda facts: facts.type in words


def around(*words):
    return lambda facts: any(word in (facts.around or "") for word in words)


def always(facts):
    return True


def copies_cells(facts):
    return facts.mode != "constant"


def reflect_beyond(facts):
    return facts.mode == "reflect" and facts.any_axis(
        lambda a: a.left > 0 and max(a.begin, a.end) >= a.left
    )


def nothing_left(facts):
    return copies_cells(facts) and facts.any_axis(lambda a: a.extent > 0 and a.left == 0)


def mixed_copies(facts):
    return copies_cells(facts) and facts.any_axis(lambda a: a.mixed)


def value_at_run_time(facts):
    return facts.value_as in AT_RUN_TIME


def pads_at_run_time(facts):
    return not facts.known_pads


FLOAT8 = ("float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz", "float8e8m0")
FEW_BITS = ("uint4", "int4", "float4e2m1", "uint2", "int2")
COMPLEX = ("complex64", "complex128")
WIDE = ("int64", "uint64", "double", "int32", "uint32")

ONNX_RUNTIME = [
    Fault(
        "differs",
        "reflect beyond the axis: cells come from memory that nobody wrote",
        reflect_beyond,
    ),
    Fault(
        "differs",
        "negative pad widths leave nothing of an axis: cells come from memory that nobody wrote",
        any_axis(lambda a: a.extent > 0 and a.left == 0),
    ),
    Fault(
        "differs",
        "wrap adds more cells before an axis than are left of it: cells come from "
        "memory that nobody wrote",
        lambda facts: facts.mode == "wrap" and facts.any_axis(lambda a: a.begin > a.left > 0),
    ),
    Fault(
        "differs",
        "float16: NaNs lose their bits, because the runtime converts to float and back",
        lambda facts: facts.type == "float16" and facts.nan_payloads,
    ),
    Fault(
        "differs",
        "zeros before a pooling: the runtime fuses Pad and pooling, and the pooling "
        "ignores the padded cells",
        around("pool"),
    ),
    Fault(
        "differs",
        "between two transposes, with all axes, not in rising order: wrong axes are padded",
        lambda facts: (
            around("transposes")(facts)
            and facts.axes is not None
            and [axis % facts.rank for axis in facts.axes]
            != sorted(axis % facts.rank for axis in facts.axes)
        ),
    ),
    Fault(
        "crashes",
        "a value that callers may replace, with other types than float",
        lambda facts: facts.value_as == "overridable",
    ),
    Fault(
        "refuses",
        "between two transposes, with axes: the optimiser makes a Pad that does not run",
        around("transposes"),
        "indices element out|merge shape info",
    ),
    Fault(
        "refuses",
        "at least as many zeros before a pooling as its kernel is wide: the runtime "
        "fuses Pad and pooling, and then refuses",
        around("pool"),
        "smaller than kernel",
    ),
    Fault(
        "refuses",
        "the pooling of opset 2 that follows has no kernel",
        around("pool"),
        "AveragePool",
    ),
    Fault(
        "refuses",
        "opset 21 and newer: the runtime does not know the opset",
        lambda facts: facts.opset >= 21,
        "IR version|under development|opset version",
    ),
    Fault("refuses", "rank 0", lambda facts: facts.rank == 0, "no dimensions"),
    Fault("refuses", "opset 1 has no kernel", lambda facts: facts.opset == 1, "implementation"),
    Fault(
        "refuses",
        "types without a kernel: int16, uint16, bfloat16, string, complex, float8, and "
        "those of 4 and 2 bits",
        types("int16", "uint16", "bfloat16", "string", *COMPLEX, *FLOAT8, *FEW_BITS),
        "implementation|MLDataType|not supported|IR",
    ),
    Fault(
        "refuses",
        "float16 before opset 6",
        lambda facts: facts.type == "float16" and facts.opset < 6,
    ),
    Fault(
        "refuses",
        "axes of type int32 that are constants: ONNX's shape inference in the runtime "
        "reads them as int64",
        lambda facts: facts.axes is not None and facts.axes_as not in AT_RUN_TIME,
        "ParseData type mismatch",
    ),
    Fault(
        "refuses",
        "reflect by as many cells as are left of an axis, or more",
        reflect_beyond,
        "reflect",
    ),
    Fault(
        "refuses",
        "edge, reflect or wrap where negative pad widths leave nothing of an axis, "
        "though the output is empty",
        copies_cells,
        "zero effective input extent",
    ),
    Fault(
        "refuses",
        "wrap of an empty input",
        lambda facts: facts.mode == "wrap" and facts.empty_input,
        "Unexpected mode",
    ),
    Fault(
        "refuses",
        "edge or reflect that adds to an empty axis, though the output is empty",
        lambda facts: facts.empty_input and copies_cells(facts),
        "Cannot use",
    ),
    Fault(
        "refuses",
        "one side cut further than the axis is long",
        any_axis(lambda a: a.overcropped),
        "Integer overflow",
    ),
    Fault(
        "refuses",
        "opset 21 and newer: no kernel of that version",
        lambda facts: facts.opset >= 21,
        "implementation",
    ),
]

OPENVINO = [
    Fault(
        "crashes", "one side cut further than the axis is long", any_axis(lambda a: a.overcropped)
    ),
    Fault("differs", "a value that is known only at run time is ignored", value_at_run_time),
    Fault(
        "differs",
        "numbers of 64 bits, and pad values of 32 bits, are converted to float (24 bits)",
        types(*WIDE),
    ),
    Fault(
        "differs",
        "the bits of NaNs, and of float8 also -0.0, are not kept",
        lambda facts: facts.nan_payloads or facts.type in FLOAT8,
    ),
    Fault("differs", "types of 4 and 2 bits", types(*FEW_BITS)),
    Fault("differs", "a value of -0.0 becomes 0.0", lambda facts: "minus_zero" in facts.name),
    Fault(
        "differs",
        "pads known at run time, and reflect by the extent or more: all extents of the "
        "output are 0",
        lambda facts: (
            facts.mode == "reflect" and facts.any_axis(lambda a: max(a.begin, a.end) >= a.extent)
        ),
    ),
    Fault("differs", "a Pad of an axis that is empty at run time", lambda facts: facts.empty_input),
    Fault(
        "differs",
        "both signs on one axis: it extends the whole input and then crops, so reflect "
        "takes other cells",
        lambda facts: facts.mode == "reflect" and mixed_copies(facts),
    ),
    Fault(
        "refuses",
        "a Pad in the branch of an If, in the body of a Loop, or in a function",
        around("branch", "loop", "function"),
    ),
    Fault("refuses", "wrap", lambda facts: facts.mode == "wrap"),
    Fault("refuses", "complex types", types(*COMPLEX)),
    Fault("refuses", "types of 4 and 2 bits", types(*FEW_BITS)),
    Fault("refuses", "float8", types(*FLOAT8)),
    Fault("refuses", "strings", types("string")),
    Fault("refuses", "rank 0", lambda facts: facts.rank == 0),
    Fault("refuses", "an empty list of axes", lambda facts: facts.axes == []),
    Fault(
        "refuses",
        "a rank that is known only at run time",
        lambda facts: facts.dynamic == "rank unknown",
    ),
    Fault(
        "refuses",
        "reflect (or symmetric) of an empty input",
        lambda facts: copies_cells(facts) and facts.empty_input,
    ),
    Fault(
        "refuses",
        "reflect by the extent or more",
        lambda facts: (
            facts.mode == "reflect" and facts.any_axis(lambda a: max(a.begin, a.end) >= a.extent)
        ),
    ),
    Fault(
        "refuses",
        "symmetric by more than the extent",
        lambda facts: (
            facts.mode == "symmetric" and facts.any_axis(lambda a: max(a.begin, a.end) > a.extent)
        ),
    ),
]

OPENCV = [
    Fault(
        "differs",
        "the output is float instead of float16 or bfloat16",
        types("float16", "bfloat16"),
        "float instead of",
    ),
    Fault(
        "differs", "the output is float instead of the type of the data", always, "float instead of"
    ),
    Fault(
        "differs",
        "rank 1: the output has the shape [n, 1]",
        lambda facts: facts.rank == 1,
        r"\d, \d+\] instead of \[\d+\]",
    ),
    Fault("differs", "an empty output has a wrong shape", lambda facts: facts.empty_output),
    Fault("differs", "an empty input", lambda facts: facts.empty_input),
    Fault("differs", "opset 1: `paddings` are read as pairs", lambda facts: facts.opset == 1),
    Fault(
        "differs",
        "both signs on one axis: it extends the whole input and then crops, so edge, "
        "reflect and wrap take other cells",
        mixed_copies,
    ),
    Fault(
        "differs",
        "edge, reflect or wrap where the same axis is cropped",
        lambda facts: copies_cells(facts) and facts.negative,
    ),
    Fault("differs", "a value that is known only at run time is ignored", value_at_run_time),
    Fault("differs", "a Pad beside a pooling", around("pool")),
    Fault(
        "differs",
        "numbers that change in float: many digits, -0.0, subnormal numbers",
        lambda facts: facts.name.startswith("test_bits"),
    ),
    Fault("crashes", "an empty input", lambda facts: facts.empty_input),
    Fault(
        "crashes",
        "edge, reflect or wrap of an axis that negative pad widths leave empty",
        nothing_left,
    ),
    Fault("crashes", "strings", types("string")),
    Fault(
        "crashes",
        "pads as the TorchScript exporter of PyTorch writes them",
        lambda facts: facts.pads_as == "torchscript",
    ),
    Fault("refuses", "strings", types("string")),
    Fault("refuses", "complex types", types(*COMPLEX)),
    Fault("refuses", "float8", types(*FLOAT8)),
    Fault("refuses", "types of 4 and 2 bits", types(*FEW_BITS)),
    Fault(
        "refuses", "a Pad in the branch of an If or in the body of a Loop", around("branch", "loop")
    ),
    Fault("refuses", "a Pad in a function", around("function")),
    Fault("refuses", "wrap", lambda facts: facts.mode == "wrap", "wrap"),
    Fault("refuses", "rank 0", lambda facts: facts.rank == 0),
    Fault("refuses", "rank above 5", lambda facts: facts.rank > 5, "ndims|MAX_DIMS"),
    Fault("refuses", "negative pad widths", lambda facts: facts.negative, "paddings"),
    Fault("refuses", "an empty list of axes", lambda facts: facts.axes == []),
    Fault(
        "refuses", "axes", lambda facts: facts.axes is not None, "axes|paddings|Blob|inputs|blobs"
    ),
    Fault("refuses", "an empty output", lambda facts: facts.empty_output),
    Fault("refuses", "an empty input", lambda facts: facts.empty_input),
    Fault(
        "refuses",
        "uint64 and others with a value",
        lambda facts: facts.value_as is not None and facts.type != "float",
        "not supported|unsupported|Unsupported",
    ),
    Fault(
        "refuses",
        "edge and reflect, except on the last two axes of rank 4",
        lambda facts: facts.mode in ("edge", "reflect"),
        "dims == |spatial",
    ),
    Fault(
        "refuses",
        "pads, axes or value that are not in the model itself",
        lambda facts: (
            facts.pads_as not in ("attribute", "initializer", "constant")
            or facts.value_as not in (None, "attribute", "initializer", "constant")
            or facts.dynamic == "rank unknown"
        ),
    ),
    Fault("refuses", "types other than float", lambda facts: facts.type != "float"),
]

TRACT = [
    Fault("crashes", "negative pad widths", lambda facts: facts.negative),
    Fault("crashes", "negative pad widths in a second Pad", around("crop")),
    Fault("crashes", "an empty input", lambda facts: facts.empty_input),
    Fault(
        "crashes",
        "reflect by the extent or more",
        lambda facts: (
            facts.mode == "reflect" and facts.any_axis(lambda a: max(a.begin, a.end) >= a.extent)
        ),
    ),
    Fault(
        "differs",
        "edge or reflect with a value: the value is written instead of the cells",
        lambda facts: copies_cells(facts) and facts.value_as is not None,
    ),
    Fault(
        "differs",
        "reflect by the extent or more",
        lambda facts: (
            facts.mode == "reflect" and facts.any_axis(lambda a: max(a.begin, a.end) >= a.extent)
        ),
    ),
    Fault("refuses", "wrap", lambda facts: facts.mode == "wrap"),
    Fault("refuses", "opset 1", lambda facts: facts.opset == 1),
    Fault("refuses", "complex types", types(*COMPLEX)),
    Fault("refuses", "float8", types(*FLOAT8)),
    Fault("refuses", "types of 4 and 2 bits", types(*FEW_BITS)),
    Fault("refuses", "bfloat16", types("bfloat16")),
    Fault("refuses", "bool", types("bool")),
    Fault("refuses", "strings", types("string")),
    Fault("refuses", "negative pad widths", lambda facts: facts.negative),
    Fault("refuses", "a value of shape [1]", lambda facts: facts.value_shape == [1]),
    Fault(
        "refuses",
        "pads, axes or value that are known only at run time",
        lambda facts: pads_at_run_time(facts) or value_at_run_time(facts),
    ),
    Fault(
        "refuses", "a Pad in the branch of an If or in the body of a Loop", around("branch", "loop")
    ),
    Fault("refuses", "a Pad in a function", around("function")),
    Fault(
        "refuses",
        "a rank, or an extent without a name, that is known only at run time",
        lambda facts: facts.dynamic in ("rank unknown", "nameless"),
    ),
]

TVM = [
    Fault(
        "differs",
        "reflect beyond the axis: cells come from the memory around it",
        lambda facts: (
            facts.mode == "reflect" and facts.any_axis(lambda a: max(a.begin, a.end) >= a.extent)
        ),
    ),
    Fault(
        "differs",
        "both signs on one axis: cells of the whole axis are repeated, not of what is left",
        mixed_copies,
    ),
    Fault(
        "differs", "float8 without negative zero (fnuz)", types("float8e4m3fnuz", "float8e5m2fnuz")
    ),
    Fault("crashes", "float4e2m1", types("float4e2m1")),
    Fault(
        "crashes", "wrap of an empty axis", lambda facts: facts.mode == "wrap" and facts.empty_input
    ),
    Fault("refuses", "opset 1", lambda facts: facts.opset == 1),
    Fault("refuses", "complex types", types(*COMPLEX)),
    Fault("refuses", "strings", types("string")),
    Fault("refuses", "types of 4 and 2 bits", types(*FEW_BITS)),
    Fault("refuses", "a Pad in a function, or in the body of a Loop", around("function", "loop")),
    Fault("refuses", "pads or axes that are known only at run time", always, "Dynamic"),
    Fault("refuses", "a value that is known only at run time", value_at_run_time),
    Fault("refuses", "Constant nodes with numbers", always, "no value in Constant"),
    Fault("refuses", "pads or axes that are computed, also from constants", always, "ShapeExpr"),
    Fault(
        "refuses",
        "a rank that is known only at run time",
        lambda facts: facts.dynamic == "rank unknown",
    ),
]

ONNX_REFERENCE = [
    Fault(
        "differs",
        "strings without a value: filled with 0 instead of the empty string",
        lambda facts: facts.type == "string" and facts.value_as is None,
    ),
    Fault("differs", "the smallest number of float8e8m0, which has no zero", types("float8e8m0")),
    Fault("refuses", "negative pad widths", lambda facts: facts.negative),
    Fault("refuses", "negative pad widths in a second Pad", around("crop")),
    Fault("refuses", "rank 0", lambda facts: facts.rank == 0),
    Fault(
        "refuses",
        "edge, reflect or wrap of an empty input",
        lambda facts: copies_cells(facts) and facts.empty_input,
    ),
]

SENTENCES = {
    "ONNX Runtime": ONNX_RUNTIME,
    "OpenVINO": OPENVINO,
    "OpenCV": OPENCV,
    "tract": TRACT,
    "TVM": TVM,
    "ONNX reference": ONNX_REFERENCE,
}
