"""Small models of each operator that may stand in for a Pad: types, opsets, ranks, odd elements.

SPDX-License-Identifier: MIT
"""

import dataclasses
import functools
import itertools
import math
from collections.abc import Callable

import onnx

from kit.elements import FLOATS, cell_of
from kit.ir_model import NAMES
from kit.json_arrays import TYPES
from kit.operator_models import MAX, MIN, IrModel, OnnxModel

NEWEST = 26
OPERATORS = {  # the use, as runtimes.h has it: the operator of ONNX
    "identity": "Identity",
    "constant": "Constant",
    "reshape": "Reshape",
    "expand": "Expand",
    "slice": "Slice",
    "slice_back": "Slice",
    "concat": "Concat",
    "gather": "Gather",
    "where": "Where",
}
CARRIERS = {  # types that hold every element of the type, the NaNs of floats aside
    "bool": ("uint8", "int32", "float"),
    "int8": ("int32", "float"),
    "uint8": ("int32", "float"),
    "int16": ("int32", "float"),
    "uint16": ("int32", "float"),
    "int4": ("int8", "int32", "float"),
    "uint4": ("uint8", "int32", "float"),
    "int2": ("int8", "int32", "float"),
    "uint2": ("uint8", "int32", "float"),
    "int32": ("int64", "double"),
    "uint32": ("int64", "double"),
    "float16": ("float",),
    "bfloat16": ("float",),
    "float8e4m3fn": ("float16", "float"),
    "float8e4m3fnuz": ("float16", "float"),
    "float8e5m2": ("float16", "float"),
    "float8e5m2fnuz": ("float16", "float"),
    "float8e8m0": ("float",),
    "float4e2m1": ("float16", "float"),
    "float": ("double",),
}
RANKS = range(9)
OPSETS = range(1, NEWEST + 1)
VARIANTS_FROM = 13  # an opset that all runtimes know, and all later ones
CAST, IR = "cast_", "ir_"
IR_OPSET = 12  # of Pad; the layers of `lower` are the same beside Pad-1
USES = [
    *OPERATORS,
    *(f"cast_{carrier}" for carrier in dict.fromkeys(itertools.chain(*CARRIERS.values()))),
    "several",
]
# The types whose ranks are measured: of other widths.
RANKED = {
    **{use: ("float", "uint8", "int64", "string") for use in OPERATORS},
    "cast_double": ("float",),
    "cast_float": ("float16",),
    "cast_int32": ("int8",),
}

# ---- Elements ----------------------------------------------------------------------------------

# Small floats have no bits in runtimes.h that tell special elements, so ordinary data has them all;
# not NaN, whose bits no carrier keeps.
SMALL_FLOATS = {
    "float8e4m3fn": [*range(0x7F), *range(0x80, 0xFF)],
    "float8e4m3fnuz": [*range(0x80), *range(0x81, 0x100)],
    "float8e5m2": [*range(0x7D), *range(0x80, 0xFD)],
    "float8e5m2fnuz": [*range(0x80), *range(0x81, 0x100)],
    "float8e8m0": [*range(0xFF)],
    "float4e2m1": [*range(16)],
}
TEXTS = [b"a", b"", "\u00e4\u20ac".encode(), b"a text that is longer than a short string is", b"0"]


def ordinary(word, count):
    """Cells that every carrier holds, and of which runtimes.h has no bit but NOT_ZERO."""
    bits, kind = TYPES[word]
    if word == "string":
        return [TEXTS[k] if k < len(TEXTS) else b"s%d" % k for k in range(count)]
    if word in SMALL_FLOATS:
        cells = SMALL_FLOATS[word]
        return [cells[(k * 37 + 1) % len(cells)] for k in range(count)]
    if word in FLOATS:
        return [cell_of(k + 1.5, word) for k in range(count)]
    if word.startswith("complex"):
        return [cell_of(complex(-1.5 - k, k), word) for k in range(count)]
    if word == "bool":
        return [(k * k // 2 + k + 1) % 2 for k in range(count)]
    largest = (1 << (bits - (not word.startswith("u")))) - 1
    return [(k * 37 + 1) % (min(largest, 255) + 1) for k in range(count)]


def special(word):
    """{name of a bit of runtimes.h: cells of which it is true}."""
    if word in FLOATS:
        exponent, fraction = FLOATS[word]
        sign, infinite = 1 << (exponent + fraction), ((1 << exponent) - 1) << fraction
        quiet = infinite | 1 << (fraction - 1)
        found = {
            "NEGATIVE": [cell_of(-2.5, word)],
            "MINUS_ZERO": [sign],
            "NAN": [quiet],
            "NAN_PAYLOAD": [quiet | 1, sign | quiet, infinite | 1],
            "INFINITE": [infinite],
            "SUBNORMAL": [1, (1 << fraction) - 1],
        }
        if word == "double":
            found["BEYOND_FLOAT32"] = [cell_of(0.1, word), cell_of(1e300, word)]
        return found
    if not word.startswith(("int", "uint")):
        return {}
    bits = TYPES[word][0]
    found = {}
    if not word.startswith("u"):
        found["NEGATIVE"] = [(1 << bits) - 1]
        if bits >= 8:
            found["BELOW_INT8"] = [(1 << bits) - 128]
            if bits > 8:
                found["BELOW_INT8"].append((1 << bits) - 300)
    if bits >= 16:
        found["BEYOND_UINT8"] = [256, 300]
    if bits >= 32:
        found["BEYOND_FLOAT32"] = [2**24 + 1, 2**30 + 1]
    if bits == 64:
        found["BEYOND_INT32"] = [2**31, 2**40]
    elif word == "uint32":
        found["BEYOND_INT32"] = [2**31]
    return found


def mixed(word, count, cells):
    """Ordinary cells, of which every second one is replaced by one of those."""
    found = ordinary(word, count)
    found[::2] = itertools.islice(itertools.cycle(cells), len(found[::2]))
    return found


# ---- What is built -----------------------------------------------------------------------------
#
# A builder is called with the model and returns the value that is the answer.


def only(m, value):
    """The value of a model whose input nobody uses."""
    m.input([2], word="float")
    return value


def with_first(m, x, axis):
    """x behind a copy of its first cells."""
    return m.concat([m.slice(x, [axis], [0], [1]), x], axis)


PLAIN = {
    "identity": [lambda m: m.identity(m.input([3, 4]))],
    "constant": [lambda m: only(m, m.constant([3, 4]))],
    "reshape": [lambda m: m.reshape(m.input([3, 4]), [2, 6])],
    "expand": [lambda m: m.expand(m.input([1, 4]), [3, 4])],
    "slice": [lambda m: m.slice(m.input([3, 4]), [0, 1], [1, 0], [3, 3])],
    "slice_back": [
        lambda m: m.slice(m.input([3, 4]), [1], [3], [0], -1),
        lambda m: m.slice(m.input([3, 4]), [0], [2], [0], -1),
    ],
    "concat": [
        lambda m: m.concat([m.input([3, 4]), m.input([3, 2], "v")], 1),
        lambda m: m.concat([m.input([3, 4]), m.input([2, 4], "v")], 0),
    ],
    "gather": [
        lambda m: m.gather(m.input([3, 4]), 1, [2, 0, 0, 3, 1]),
        lambda m: m.gather(m.input([3, 4]), 0, [2, 0, 0, 1]),
    ],
    "where": [lambda m: m.where(m.mask([3, 4]), m.input([3, 4]), m.input([1], "v"))],
}
# Extents that a model leaves open are also unknown to what `lower` writes.
OPEN = {
    "identity": PLAIN["identity"],
    "constant": [],
    "reshape": [
        lambda m: m.reshape(m.input([3, 4]), [0, 2, -1]),
        lambda m: m.reshape(m.input([3, 4]), [-1]),
    ],
    "expand": PLAIN["expand"],
    "slice": [
        *PLAIN["slice"],
        lambda m: m.slice(m.input([3, 4]), [1], [-2], [MAX]),
        lambda m: m.slice(m.input([3, 4]), [1], [0], [-1]),
    ],
    "slice_back": [*PLAIN["slice_back"], lambda m: m.slice(m.input([3, 4]), [1], [-1], [-3], -1)],
    # Pieces of one tensor, so that the extents beside the axis are the same ones.
    "concat": [lambda m, axis=axis: with_first(m, m.input([3, 4]), axis) for axis in (0, 1)],
    "gather": PLAIN["gather"],
    "where": PLAIN["where"],
}
EMPTY = {  # an operand, the result, or both without elements
    "identity": [lambda m: m.identity(m.input([0, 3]))],
    "constant": [lambda m: only(m, m.constant([0])), lambda m: only(m, m.constant([2, 0, 3]))],
    "reshape": [
        lambda m: m.reshape(m.input([2, 0]), [0, 0, 1]),
        lambda m: m.reshape(m.input([0, 3]), [-1, 3]),
    ],
    "expand": [
        lambda m: m.expand(m.input([1, 3]), [0, 3]),
        lambda m: m.expand(m.input([0, 1]), [0, 3]),
    ],
    "slice": [
        lambda m: m.slice(m.input([3, 4]), [1], [2], [2]),
        lambda m: m.slice(m.input([0, 4]), [1], [1], [3]),
        lambda m: m.slice(m.input([0, 4]), [0], [0], [1]),
        # an empty result out of a constant that has elements
        lambda m: only(m, m.slice(m.constant([1, 5]), [0], [0], [0])),
        lambda m: only(m, m.slice(m.constant([2, 1, 3]), [1], [0], [0])),
    ],
    "slice_back": [
        lambda m: m.slice(m.input([3, 4]), [1], [0], [0], -1),
        lambda m: m.slice(m.input([0, 4]), [1], [3], [0], -1),
    ],
    "concat": [
        lambda m: m.concat([m.input([3, 0]), m.input([3, 2], "v")], 1),
        lambda m: m.concat([m.input([0, 4]), m.input([0, 2], "v")], 1),
    ],
    "gather": [
        lambda m: m.gather(m.input([3, 4]), 1, []),
        lambda m: m.gather(m.input([0, 4]), 1, [3, 0]),
    ],
    "where": [lambda m: m.where(m.mask([0, 4]), m.input([0, 4]), m.input([1], "v"))],
}
LINE = {  # the same where no rank is above 1: some runtimes give an empty answer its shape only then
    "identity": [lambda m: m.identity(m.input([0]))],
    "constant": [lambda m: only(m, m.constant([0]))],
    "expand": [lambda m: m.expand(m.input([1]), [0])],
    "slice": [
        lambda m: m.slice(m.input([4]), [0], [2], [2]),
        lambda m: only(m, m.slice(m.constant([5]), [0], [0], [0])),
    ],
    "slice_back": [lambda m: m.slice(m.input([4]), [0], [0], [0], -1)],
    "concat": [
        lambda m: m.concat([m.input([0]), m.input([2], "v")], 0),
        lambda m: m.concat([m.input([0]), m.input([0], "v")], 0),
    ],
    "gather": [lambda m: m.gather(m.input([4]), 0, [])],
    "where": [lambda m: m.where(m.mask([0]), m.input([0]), m.input([1], "v"))],
}


def cast(carrier, shape=(3, 4), cut=True):
    """Cast, something that the runtime must do in the other type, and Cast back."""

    def build(m):
        middle = m.cast(m.input(shape), carrier)
        if cut:
            middle = m.slice(middle, [0], [1], [3])
        return m.cast(middle, m.word)

    return build


def of_rank(use, rank):
    """Builders of a use with that rank. Extents differ, so that a mixed-up axis shows."""
    shape = [1, 2, 1, 2, 1, 3, 2, 4][8 - rank :]
    if use.startswith(CAST):
        return [cast(use.removeprefix(CAST), shape, cut=False)]
    axes = sorted({0, rank // 2, rank - 1}) if rank else []
    turned = shape[::-1]
    builders = {
        "identity": [lambda m: m.identity(m.input(shape))],
        "constant": [lambda m: only(m, m.constant(shape))],
        "where": [lambda m: m.where(m.mask(shape), m.input(shape), m.input([1] * bool(rank), "v"))],
        "reshape": [
            lambda m: m.reshape(m.input([math.prod(shape)]), shape),
            lambda m: m.reshape(m.input(turned), shape),
        ],
        "expand": [lambda m: m.expand(m.input([1] * (rank - 1) + [4]), shape)],
        "slice": [
            lambda m: m.slice(m.input(shape), [rank - 1], [1], [3]),
            lambda m: m.slice(
                m.input(shape),
                list(range(rank)),
                [n > 2 for n in shape],
                [min(n, 2) for n in shape],
            ),
        ],
        "slice_back": [
            lambda m, axis=axis: m.slice(m.input(shape), [axis], [shape[axis] - 1], [MIN], -1)
            for axis in axes
        ],
        "concat": [
            lambda m, axis=axis: m.concat([m.input(shape), m.input(shape, "v")], axis)
            for axis in axes
        ],
        "gather": [
            lambda m, axis=axis: m.gather(m.input(shape), axis, [shape[axis] - 1, 0, 0])
            for axis in axes
        ],
    }
    if rank == 0:
        for none in ("expand", "slice", "slice_back", "concat", "gather"):
            builders[none] = []
    return builders[use]


# What `lower` may write in another way than PLAIN; a target must run it, too.
FORMS = {
    "slice": {
        "clamped": lambda m: m.slice(m.input([3, 4]), [1], [1], [MAX]),
        "clamped_int32": lambda m: m.slice(m.input([3, 4]), [1], [1], [2**31 - 1]),
        "beyond": lambda m: m.slice(m.input([3, 4]), [1], [1], [9]),
        "from_the_end": lambda m: m.slice(m.input([3, 4]), [1], [-3], [-1]),
        "of_constant": lambda m: m.concat(
            [m.input([3, 2]), m.slice(m.constant([3, 4]), [1], [1], [3])], 1
        ),
    },
    "slice_back": {
        "to_the_first": lambda m: m.slice(m.input([3, 4]), [1], [2], [MIN], -1),
        "to_the_first_int32": lambda m: m.slice(m.input([3, 4]), [1], [2], [-(2**31) + 1], -1),
        "to_the_first_clamped": lambda m: m.slice(m.input([3, 4]), [1], [2], [-5], -1),
        "from_the_end": lambda m: m.slice(m.input([3, 4]), [1], [-1], [-4], -1),
        "two_axes": lambda m: m.slice(m.input([3, 4]), [0, 1], [2, 3], [0, 1], -1),
    },
    "concat": {
        "same_twice": lambda m: (lambda x: m.concat([x, x], 1))(m.input([3, 4])),
        "three": lambda m: (lambda x: m.concat([x, m.input([3, 2], "v"), x], 1))(m.input([3, 4])),
        "one": lambda m: m.concat([m.input([3, 4])], 1),
        "with_constant": lambda m: m.concat([m.input([3, 4]), m.constant([3, 2])], 1),
        "constant_first": lambda m: m.concat([m.constant([3, 2]), m.input([3, 4])], 1),
    },
    "expand": {
        "rank_0": lambda m: m.expand(m.input([]), [3, 4]),
        "rank_1": lambda m: m.expand(m.input([1]), [3, 4]),
        "rank_0_to_1": lambda m: m.expand(m.input([]), [4]),
        "rank_1_to_1": lambda m: m.expand(m.input([1]), [4]),
        "constant_rank_0": lambda m: m.concat(
            [m.input([3, 4]), m.expand(m.constant([]), [3, 2])], 1
        ),
        "constant_rank_1": lambda m: m.concat(
            [m.input([3, 4]), m.expand(m.constant([1]), [3, 2])], 1
        ),
    },
    "gather": {"one_index": lambda m: m.gather(m.input([3, 4]), 1, [2])},
    "where": {
        "rank_0": lambda m: m.where(m.mask([3, 4]), m.input([3, 4]), m.input([], "v")),
        "full": lambda m: m.where(m.mask([3, 4]), m.input([3, 4]), m.input([3, 4], "v")),
        "swapped": lambda m: m.where(m.mask([3, 4]), m.input([1], "v"), m.input([3, 4])),
        "mask_of_rows": lambda m: m.where(m.mask([3, 1]), m.input([3, 4]), m.input([1], "v")),
        "mask_of_columns": lambda m: m.where(m.mask([4]), m.input([3, 4]), m.input([1], "v")),
        "constant_rank_0": lambda m: m.where(m.mask([3, 4]), m.input([3, 4]), m.constant([])),
        "constant_rank_1": lambda m: m.where(m.mask([3, 4]), m.input([3, 4]), m.constant([1])),
    },
    "reshape": {
        "flat": lambda m: m.reshape(m.input([3, 4]), [-1]),
        "zeros": lambda m: m.reshape(m.input([3, 4]), [0, 2, -1]),
        "to_rank_0": lambda m: m.reshape(m.input([1, 1]), []),
        "from_rank_0": lambda m: m.reshape(m.input([]), [1]),
        "from_rank_0_to_2": lambda m: m.reshape(m.input([]), [1, 1]),
        "of_constant": lambda m: m.concat([m.input([3, 2]), m.reshape(m.constant([6]), [3, 2])], 1),
    },
    "constant": {"used": lambda m: m.concat([m.input([3, 4]), m.constant([3, 2])], 1)},
    "several": {
        "reflect": lambda m: reflected(m, m.input([3, 4])),
        "slices": lambda m: (
            lambda x: m.concat([m.slice(x, [1], [2], [4]), x, m.slice(x, [1], [0], [2])], 1)
        )(m.input([3, 4])),
        "gathers": lambda m: m.gather(m.gather(m.input([3, 4]), 0, [2, 0, 0, 1]), 1, [3, 1, 1]),
        "slice_concat_value": lambda m: m.concat(
            [m.slice(m.input([3, 4]), [1], [1], [4]), m.expand(m.input([1], "v"), [3, 2])], 1
        ),
        "two_axes_value": lambda m: two_axes(m),
        "gather_where": lambda m: m.where(
            m.mask([3, 5]), m.gather(m.input([3, 4]), 1, [0, 1, 2, 3, 3]), m.input([1], "v")
        ),
    },
}


def reflected(m, x):
    """Both sides of both axes, one axis after the other."""
    tall = m.concat([m.slice(x, [0], [2], [0], -1), x, m.slice(x, [0], [1], [MIN], -1)], 0)
    return m.concat([m.slice(tall, [1], [3], [0], -1), tall, m.slice(tall, [1], [2], [MIN], -1)], 1)


def two_axes(m):
    x, v = m.input([3, 4]), m.input([1], "v")
    tall = m.concat([m.expand(v, [1, 4]), x, m.expand(v, [2, 4])], 0)
    return m.concat([m.expand(v, [6, 2]), tall], 1)


# ---- The list of cases -------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Case:
    """A model to build. Of what comes out a letter is kept, in the line `key` at its type."""

    use: str  # "slice", "cast_int32" (there and back) ..., "several"; of OpenVINO "ir_slice" ...
    variant: str
    opset: int
    type: str
    build: Callable
    cells: tuple = ()  # special elements

    @property
    def name(self):
        return f"{self.use} {self.variant} {self.opset} {self.type}"

    @property
    def folder(self):
        """Its folder; the first part says which format the model has."""
        form = "openvino" if self.use.startswith(IR) else "onnx"
        return f"{form}/{self.name.replace(' ', '_')}"

    def model(self):
        """A model to call `build` with."""
        is_open = self.variant.startswith("open")
        if self.use.startswith(IR):
            return IrModel(self.type, self.sample, is_open)
        return OnnxModel(self.opset, self.type, self.sample, is_open)

    def sample(self, count, word):
        return (
            mixed(word, count, self.cells)
            if self.cells and word == self.type
            else (ordinary(word, count))
        )


@functools.cache
def allows(operator, opset, word):
    """Whether the document has the operator at that opset, for data of that type."""
    try:
        schema = onnx.defs.get_schema(operator, opset)
    except onnx.defs.SchemaError:
        return False
    port = schema.outputs[0].type_str
    [types] = [
        each.allowed_type_strs for each in schema.type_constraints if each.type_param_str == port
    ]
    return f"tensor({word})" in types


def operator_of(use):
    """The operator of ONNX whose versions and types decide."""
    return "Cast" if use.startswith(CAST) else OPERATORS.get(use, "Concat")


def is_needed(use, opset, word):
    """The types of Pad at that opset, and those of indices and conditions."""
    operator = operator_of(use)
    if not allows(operator, opset, word) or use == "slice_back" and opset < 10:
        return False
    if use.startswith(CAST) and not allows("Cast", opset, use.removeprefix(CAST)):
        return False
    as_data = allows("Pad", max(opset, 2), word)  # version 1 has the same types
    return as_data or use == "constant" and word in ("int64", "bool")


def is_valid(case):
    """Whether each operator of the model has the type of its result."""
    model = case.model()
    case.build(model)
    return all(allows(operator, case.opset, word) for operator, word in model.used)


def types_of(use):
    """The types that a use may move."""
    carrier = use.removeprefix(CAST)
    return [word for word in TYPES if carrier == use or carrier in CARRIERS.get(word, ())]


def plain(use):
    """[(variant, builder)] that run at every opset."""
    builds = [cast(use.removeprefix(CAST))] if use.startswith(CAST) else PLAIN.get(use, [])
    return [(f"plain{k}", build) for k, build in enumerate(builds)]


def variants(use, word):
    """[(variant, builder, special elements)] that run at one opset."""
    carrier = use.removeprefix(CAST)
    if carrier != use:
        kinds = {
            "open": [cast(carrier)],
            "empty": [cast(carrier, (0, 4), cut=False)],
            "line": [cast(carrier, (0,), cut=False)],
        }
    else:
        kinds = {"open": OPEN.get(use, []), "empty": EMPTY.get(use, []), "line": LINE.get(use, [])}
    if word in RANKED.get(use, ()):
        kinds |= {f"rank{rank}_": of_rank(use, rank) for rank in RANKS}
    found = [
        (f"{kind}{k}", build, ())
        for kind, builds in kinds.items()
        for k, build in enumerate(builds)
    ]
    found += [(f"form_{name}", build, ()) for name, build in FORMS.get(use, {}).items()]
    if use != "several":
        found += [(name, plain(use)[0][1], tuple(cells)) for name, cells in special(word).items()]
    return found


def onnx_cases():
    for use in USES:
        for word in types_of(use):
            opsets = [opset for opset in OPSETS if is_needed(use, opset, word)]
            for opset, (variant, build) in itertools.product(opsets, plain(use)):
                yield Case(use, variant, opset, word, build)
            once = next((opset for opset in opsets if opset >= VARIANTS_FROM), None)
            if once:
                made = (
                    Case(use, variant, once, word, build, cells)
                    for variant, build, cells in variants(use, word)
                )
                yield from filter(is_valid, made)


def ir_cases():
    for use in USES:
        if use.removeprefix(CAST) not in (use, *NAMES):
            continue
        for word in filter(NAMES.__contains__, types_of(use)):
            found = [(variant, build, ()) for variant, build in plain(use)] + variants(use, word)
            for variant, build, cells in found:
                yield Case(IR + use, variant, IR_OPSET, word, build, cells)


ALL = [*onnx_cases(), *ir_cases()]
