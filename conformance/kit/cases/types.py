"""Every element type with every mode; and bits that a runtime may lose on the way.

SPDX-License-Identifier: MIT
"""

from kit import elements
from kit.cases.common import MODES, TYPES, case, opset_for
from kit.elements import Bits

VALUES = {
    "string": b"value",
    "bool": True,
    "complex64": 2 - 3j,
    "complex128": 2 - 3j,
    "float8e8m0": 4.0,
    "uint2": 3,
    "int2": -2,
}
FLOATS = {  # (exponent bits, mantissa bits)
    "float16": (5, 10),
    "bfloat16": (8, 7),
    "float": (8, 23),
    "double": (11, 52),
}
INTEGERS = {
    "int8": 8,
    "uint8": 8,
    "int16": 16,
    "uint16": 16,
    "int32": 32,
    "uint32": 32,
    "int64": 64,
    "uint64": 64,
}
TEXTS = (
    b"",
    "Gr\u00fc\u00dfe".encode(),
    "\u6771\u4eac".encode(),
    b"a\nb",
    b" ",
    b"A long string stays whole. " * 40,
    "\U0001f600".encode(),
    b"0",
)


def value_of(word):
    return VALUES.get(word, 5)


def ordinary():
    """Each type once with each mode, and with a value."""
    for word in TYPES:
        opset = opset_for(word)
        for mode in MODES:
            yield case(
                f"type_{word}_{mode}",
                f"{mode} of {word}",
                (3, 4),
                (1, 2, 2, 1),
                mode,
                opset,
                ("onnx.types",),
                type=word,
            )
        yield case(
            f"type_{word}_value",
            f"a value of {word}",
            (3, 4),
            (1, 2, 2, 1),
            "constant",
            opset,
            ("onnx.types",),
            type=word,
            value=value_of(word),
        )
        yield case(
            f"type_{word}_odd",
            f"{word}: rows of 3 and then of 5 elements",
            (3, 3),
            (0, 1, 0, 1),
            "edge",
            opset,
            ("onnx.types",),
            type=word,
        )
        yield case(
            f"type_{word}_cut",
            f"{word}: one element is cut at the begin of every row",
            (2, 5),
            (0, -1, 1, 0),
            "constant",
            opset,
            ("onnx.types",),
            type=word,
        )


def special_floats(word):
    """Zeros, infinities, subnormal and extreme numbers, and NaNs, of both signs."""
    exponent, mantissa = FLOATS[word]
    sign, top = 1 << exponent + mantissa, (1 << exponent) - 1 << mantissa
    numbers = [
        0,
        sign,
        top,
        sign | top,
        1,
        sign | 1,
        (1 << mantissa) - 1,
        1 << mantissa,
        top - 1,
        sign | top - 1,
    ]
    quiet = top | 1 << mantissa - 1
    return numbers, [quiet, sign | quiet, quiet | 5, top | 1, sign | top | 3]


def bits_of_floats():
    for word in FLOATS:
        numbers, nans = special_floats(word)
        opset = opset_for(word)
        for mode in MODES:
            yield case(
                f"bits_{word}_numbers_{mode}",
                f"{mode} keeps -0.0, infinities, subnormal and extreme numbers of {word}",
                (10,),
                (3, 4),
                mode,
                opset,
                type=word,
                cells=tuple(numbers),
            )
            yield case(
                f"bits_{word}_nan_{mode}",
                f"{mode} keeps the payloads of NaNs of {word}",
                (5,),
                (2, 3),
                mode,
                opset,
                type=word,
                cells=tuple(nans),
                nan_payloads=True,
            )
        named = {
            "minus_zero": numbers[1],
            "infinity": numbers[2],
            "subnormal": numbers[4],
            "largest": numbers[8],
            "lowest": numbers[9],
        }
        for name, cell in named.items():
            yield case(
                f"bits_{word}_value_{name}",
                f"the value is {name.replace('_', ' ')}",
                (3,),
                (1, 2),
                "constant",
                opset,
                type=word,
                value=Bits(cell),
            )
        yield case(
            f"bits_{word}_value_nan",
            "the value is a NaN",
            (3,),
            (1, 2),
            "constant",
            opset,
            type=word,
            value=Bits(nans[0]),
        )
        yield case(
            f"bits_{word}_value_nan_payload",
            "the value is a NaN with a payload",
            (3,),
            (1, 2),
            "constant",
            opset,
            type=word,
            value=Bits(nans[2]),
            nan_payloads=True,
        )


def bits_of_small_types():
    """Types of 8 bits and less: all bit patterns that there are."""
    for word in TYPES:
        bits, _ = elements.TYPES[word]
        if word in INTEGERS or word == "bool" or not 0 < bits <= 8:
            continue
        count = 1 << bits
        shape = (16, count // 16) if bits == 8 else (count,)
        for mode in ("constant", "reflect", "wrap"):
            yield case(
                f"bits_{word}_all_{mode}",
                f"{mode} of all {count} bit patterns of {word}",
                shape,
                (1,) * 2 * len(shape),
                mode,
                opset_for(word),
                type=word,
                cells=tuple(range(count)),
                nan_payloads=word.startswith("float8"),
            )


def bits_of_integers():
    """Integers with more digits than a float has, and the extreme ones."""
    for word, bits in INTEGERS.items():
        high = 1 << bits - 1
        cells = (0, 1, high - 1, high, high + 1, 2 * high - 1, high // 2 + 1, high // 128 + 1)
        for mode in MODES:
            yield case(
                f"bits_{word}_extreme_{mode}",
                f"{mode} keeps the extreme numbers of {word} and all digits between",
                (8,),
                (2, 3),
                mode,
                opset_for(word),
                type=word,
                cells=cells,
            )
        for name, cell in (
            ("lowest", high if word[0] == "i" else 0),
            ("highest", high - 1 if word[0] == "i" else 2 * high - 1),
            ("digits", high // 128 + 1),
        ):
            yield case(
                f"bits_{word}_value_{name}",
                f"the value of {word} has more digits than a float"
                if name == "digits"
                else f"the value is the {name} number of {word}",
                (3,),
                (1, 2),
                "constant",
                opset_for(word),
                type=word,
                value=Bits(cell),
            )


def bits_of_others():
    for mode in MODES:
        yield case(
            f"bits_complex64_{mode}",
            f"{mode} moves both parts of complex64 as they are",
            (4,),
            (2, 3),
            mode,
            type="complex64",
            cells=(0x80000000, 0x7F80000080000000, 0x0000000100000000, 0x3F800000BF800000),
        )
        yield case(
            f"bits_complex128_{mode}",
            f"{mode} moves both parts of complex128 as they are",
            (3,),
            (2, 3),
            mode,
            type="complex128",
            cells=(1 << 63, 0x7FF0000000000000 << 64 | 1, 0x3FF0000000000001 << 64),
        )
        yield case(
            f"bits_string_{mode}",
            f"{mode} keeps empty, long and non-ASCII strings",
            (2, 4),
            (1, 1, 0, 2),
            mode,
            type="string",
            cells=TEXTS,
        )
        yield case(
            f"bits_bool_{mode}",
            f"{mode} of True and False",
            (2, 3),
            (1, 1, 1, 2),
            mode,
            type="bool",
            cells=(1, 1, 0, 0, 1, 0),
        )
    for name, value in (
        ("empty", b""),
        ("long", TEXTS[5]),
        ("umlaut", TEXTS[1]),
        ("emoji", TEXTS[6]),
    ):
        yield case(
            f"bits_string_value_{name}",
            f"the value is a string: {name}",
            (2,),
            (1, 2),
            type="string",
            cells=(b"a", b"bc"),
            value=value,
        )
    for value in (True, False):
        yield case(
            f"bits_bool_value_{str(value).lower()}",
            f"the value is {value}",
            (2,),
            (1, 2),
            type="bool",
            cells=(0, 1),
            value=value,
        )


def fraction():
    """Values that need all digits of their type."""
    for word in ("float", "double"):
        yield case(
            f"bits_{word}_value_tenth",
            f"the value 0.1 of {word}, rounded once",
            (2,),
            (1, 1),
            type=word,
            value=0.1,
        )
    yield case(
        "bits_double_digits",
        "double: numbers with more digits than a float has",
        (3,),
        (1, 1),
        "edge",
        type="double",
        cells=tuple(elements.cell_of(x, "double") for x in (0.1, 1 / 3, 16777217.0)),
    )


CASES = [
    *ordinary(),
    *bits_of_floats(),
    *bits_of_small_types(),
    *bits_of_integers(),
    *bits_of_others(),
    *fraction(),
]
