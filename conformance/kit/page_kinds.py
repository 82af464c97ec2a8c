"""What the index says of a case, the kinds of cases, and the situations in which runtimes are
wrong.

SPDX-License-Identifier: MIT

A case may be of many kinds. A situation is a row of the table of docs/runtimes.md: a kind of Pad
that ONNX allows. Answers that differ and crashes are always counted. A refusal often has another
reason than the situation, such as the type or the opset, so a runtime is named for refusals only
where it refuses most cases of it.
"""

import collections
import functools
import itertools
import typing

from kit.outcome_file import count

# Ways to give an argument: in the node or beside it; unknown until the model has its inputs.
IN_PLACE = ("attribute", "initializer", "const")
AT_RUN_TIME = ("input", "unsized input", "computed", "parameter")


class Axis(typing.NamedTuple):
    """One axis of the input: its extent and the amounts at its begin and end."""

    extent: int
    begin: int
    end: int

    @property
    def left(self):
        """How many cells the crops leave."""
        return max(0, self.extent + min(0, self.begin) + min(0, self.end))

    @property
    def adds(self):
        return max(0, self.begin) + max(0, self.end)

    @property
    def out(self):
        return self.extent + self.begin + self.end

    @property
    def mixed(self):
        return self.begin * self.end < 0

    @property
    def overcropped(self):
        """One side is cut further than the axis is long."""
        return self.extent + min(self.begin, self.end) < 0


class Facts:
    """An entry of the index. Tags are attributes: facts.mode, facts.opset and so on."""

    def __init__(self, entry):
        self.name = entry["name"]
        self.document = entry["folder"].split("/")[0].removesuffix("-forbidden")
        self.opset = entry["opset"]
        self.forbidden = entry["forbidden"]
        self.shows = entry["shows"]
        self.tags = entry["tags"]

    def __getattr__(self, tag):
        try:
            return self.tags[tag]
        except KeyError:
            raise AttributeError(tag) from None

    @functools.cached_property
    def axes_padded(self):
        """An Axis for each axis of the input; [] where pads and axes make no sense."""
        rank = len(self.shape)
        axes = list(range(rank)) if self.axes is None else self.axes
        count = len(axes)
        bad = [axis for axis in axes if not -rank <= axis < rank]
        if bad or len(self.pads) != 2 * count or len({axis % rank for axis in axes}) != count:
            return []
        amounts = {axis % rank: (self.pads[k], self.pads[count + k]) for k, axis in enumerate(axes)}
        return [Axis(n, *amounts.get(k, (0, 0))) for k, n in enumerate(self.shape)]

    def any_axis(self, test):
        return any(test(axis) for axis in self.axes_padded)

    @property
    def nothing_padded(self):
        return not any(self.pads)

    @property
    def empty_input(self):
        return 0 in self.shape

    @property
    def empty_output(self):
        return self.any_axis(lambda axis: axis.out == 0)

    @property
    def known_pads(self):
        """Pads and axes are in the model, or follow from what is in the model."""
        return self.pads_as not in AT_RUN_TIME and self.axes_as not in AT_RUN_TIME

    def size(self):
        """A key that puts the simplest model first."""
        usual = [
            not self.around,
            self.type == "float",
            self.dynamic == "known",
            self.pads_as in IN_PLACE,
            self.value_as is None,
            self.axes is None,
        ]
        cells = 1
        for extent in self.shape:
            cells *= max(1, extent)
        return (
            -sum(usual),
            len(self.shape),
            cells + sum(map(abs, self.pads)),
            -self.opset,
            self.name,
        )

    def model(self):
        """The model in a few words: float [3], pads [4, 0], wrap, opset 19."""
        words = [f"{self.type} {list(self.shape)}"]
        words.append(f"pads {list(self.pads)}")
        if self.axes is not None:
            words.append(f"axes {self.axes}")
        words.append(f"{self.mode}, opset {self.opset}")
        for name in ("pads_as", "axes_as", "value_as"):
            if self.tags[name] not in (None, *IN_PLACE):
                words.append(f"{name.split('_')[0]}: {self.tags[name]}")
        if self.dynamic != "known":
            words.append(f"dims: {self.dynamic}")
        if self.around:
            words.append(f"beside it: {self.around}")
        return ", ".join(words)


# ---- Which cases: functions of Facts -------------------------------------------------------------


def always(facts):
    return True


def has(**tags):
    """Cases whose tags, or facts, are these."""
    return lambda facts: all(getattr(facts, name) == value for name, value in tags.items())


def any_axis(test):
    return lambda facts: facts.any_axis(test)


def types(*words):
    return lambda facts: facts.type in words


def around(*words):
    return lambda facts: any(word in (facts.around or "") for word in words)


def reflect_beyond(facts):
    return facts.mode == "reflect" and facts.any_axis(lambda a: max(a.begin, a.end) >= a.left > 0)


def wrap_beyond(facts):
    return facts.mode == "wrap" and facts.any_axis(lambda a: max(a.begin, a.end) > a.left > 0)


mixed = any_axis(lambda a: a.mixed)


def value_at_run_time(facts):
    return facts.value_as in AT_RUN_TIME


def pads_at_run_time(facts):
    return not facts.known_pads


# ---- Kinds ---------------------------------------------------------------------------------------


class Kind(typing.NamedTuple):
    """A row: the group that it stands in, what it is called, and which cases are of this kind."""

    group: str
    label: str
    holds: typing.Callable


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

OPSETS = (
    (1, 1),
    (2, 10),
    (11, 12),
    (13, 17),
    (18, 18),
    (19, 20),
    (21, 22),
    (23, 23),
    (24, 24),
    (25, 25),
)


def opsets(first, last):
    label = f"opset {first}" if first == last else f"opsets {first} to {last}"
    return {label: lambda facts: first <= facts.opset <= last}


def words_of(tag, labels):
    """{label: the cases whose tag is one of its words}"""
    return {
        label: lambda facts, words=words: getattr(facts, tag) in words
        for label, words in labels.items()
    }


def value_of_shape(shape):
    return lambda facts: facts.value_as and facts.value_shape == shape


ANSWERED = {  # of ONNX, {group: {label: which cases}}
    "": {"all of them": always},
    "mode": words_of("mode", {mode: [mode] for mode in ("constant", "edge", "reflect", "wrap")}),
    "pad widths": {
        "nothing is padded": has(nothing_padded=True),
        "negative: cells are cut off": has(negative=True),
        "both signs on one axis": mixed,
        "one side cut beyond the axis": any_axis(lambda a: a.overcropped),
        "reflect beyond the axis": reflect_beyond,
        "wrap beyond the axis": wrap_beyond,
    },
    "shape": {
        "an extent of 1 that grows": any_axis(lambda a: a.left == 1 and a.adds > 0),
        "empty input": has(empty_input=True),
        "empty output": has(empty_output=True),
        "rank 0": has(rank=0),
        "rank above 5": lambda facts: facts.rank > 5,
        **words_of(
            "dynamic",
            {
                "extents known at run time": ["symbolic", "batch symbolic", "nameless"],
                "rank known at run time": ["rank unknown"],
            },
        ),
    },
    "type": words_of("type", TYPES),
    "pads are": words_of("pads_as", WAYS),
    "value is": {
        "not given": has(value_as=None),
        "of shape []": value_of_shape([]),
        "of shape [1]": value_of_shape([1]),
        "known at run time": value_at_run_time,
    },
    "axes are": {
        "some of them": lambda facts: facts.axes is not None and 0 < len(facts.axes) < facts.rank,
        "all of them": lambda facts: facts.axes is not None and len(facts.axes) == facts.rank > 0,
        "an empty list": has(axes=[]),
        "counted from the back": lambda facts: any(k < 0 for k in facts.axes or ()),
        "known at run time": lambda facts: facts.axes_as in AT_RUN_TIME,
    },
    "opset": {label: holds for pair in OPSETS for label, holds in opsets(*pair).items()},
}
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
OTHERS = {"other nodes": lambda around: not any(test(around) for test in COMPANY.values())}
IN_COMPANY = {
    label: lambda facts, test=test: bool(facts.around) and test(facts.around)
    for label, test in {**COMPANY, **OTHERS}.items()
}
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
FORBIDDEN = {
    label: lambda facts, word=word: facts.name.split("_")[2] == word
    for word, label in REASONS.items()
}


def of_document(document, forbidden, groups):
    """The kinds of {group: {label: which cases}}, of one specification, answered or forbidden."""

    def holds_too(holds):
        return lambda facts: (
            facts.document == document and bool(facts.forbidden) == forbidden and holds(facts)
        )

    return [
        Kind(group, label, holds_too(holds))
        for group, labels in groups.items()
        for label, holds in labels.items()
    ]


KINDS = [
    *of_document("onnx", False, ANSWERED),
    *of_document("onnx", False, {"in larger models": IN_COMPANY}),
    *of_document("onnx", True, {"forbidden": FORBIDDEN}),
    *of_document(
        "openvino", False, {"OpenVINO IR": {"Pad-1": has(opset=1), "Pad-12": has(opset=12)}}
    ),
    *of_document("openvino", True, {"OpenVINO IR": {"forbidden by the specification": always}}),
]


# ---- Situations ----------------------------------------------------------------------------------


def of_groups(*labels):
    return types(*(word for label in labels for word in TYPES[label]))


SITUATIONS = {  # what the row says: which cases it is about
    "`reflect` by as many cells as the axis has, or by more": reflect_beyond,
    "mode `wrap`": has(mode="wrap"),
    "one end of an axis is cropped, the other end is padded": mixed,
    "other Pads with negative pad widths": lambda facts: facts.negative and not mixed(facts),
    "a pooling follows the Pad": around("pool"),
    "the Pad stands between two Transposes": around("transposes"),
    "the Pad is inside an If, a Loop or a function": around("branch", "loop", "function"),
    "`float16` or `bfloat16`": types("float16", "bfloat16"),
    "`double`, or integers of 32 or 64 bits": of_groups("double", "int32, uint32", "int64, uint64"),
    "`float8`, types of 4 and 2 bits, complex types, strings": of_groups(
        "float8, all five", "4 and 2 bits", "complex64, complex128", "string"
    ),
    "the pad value is an input, or is computed from one": value_at_run_time,
    "the pad widths or the axes are an input, or are computed from one": pads_at_run_time,
}
VERDICTS = ("differs", "crashes", "refuses")


def named(record, verdict, number, cases):
    """Whether the row names the runtime for that verdict."""
    return number > 0 if verdict != "refuses" else 2 * number > cases


def who(records, verdict, counts, cases):
    """ONNX Runtime 1.17.3 (150), 1.20.1 (153); tract (48): the runtimes with that verdict, most
    first.
    """
    versions = collections.Counter(record.family for record in records)
    pairs = [
        (record, found[verdict])
        for record, found in zip(records, counts)
        if named(record, verdict, found[verdict], cases)
    ]
    families = [
        (family, list(same))
        for family, same in itertools.groupby(pairs, lambda pair: pair[0].family)
    ]
    families.sort(key=lambda entry: -max(number for _, number in entry[1]))
    return "; ".join(
        f"{family} "
        + ", ".join(
            f"{record.column} ({number})" if versions[family] > 1 else f"({number})"
            for record, number in same
        )
        for family, same in families
    )


def rows(records, facts):
    """[(label, number of cases, words for each verdict)], most wrong answers first, then
    crashes.
    """
    found = []
    for label, holds in SITUATIONS.items():
        cases = [
            case
            for case in facts.values()
            if case.document == "onnx" and not case.forbidden and holds(case)
        ]
        counts = [count(record, cases) for record in records]
        totals = [sum(each[verdict] for each in counts) for verdict in VERDICTS]
        words = [who(records, verdict, counts, len(cases)) for verdict in VERDICTS]
        found.append((totals, label, len(cases), words))
    found.sort(key=lambda entry: entry[0], reverse=True)
    return [(label, number, words) for _, label, number, words in found]
