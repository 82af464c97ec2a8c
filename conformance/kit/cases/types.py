"""Every element type with every mode; and bits that a runtime may lose on the way.

SPDX-License-Identifier: MIT
"""

from kit import elements
from kit.cases.common import MODES, TYPES, case, opset_for
from kit.elements import FLOATS, Bits

VALUES = {
    "string": b"value",
    "bool": True,
    "complex64": 2 - 3j,
    "complex128": 2 - 3j,
    "float8e8m0": 4.0,
    "uint2": 3,
    "int2": -2,
}
INTEGERS = {f"{sign}int{bits}": bits for bits in (8, 16, 32, 64) for sign in ("", "u")}
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

    def one(word, name, shows, shape, pads, mode="constant", **more):
        name, says = f"type_{word}_{name}", ("onnx.types",)
        return case(name, shows, shape, pads, mode, opset_for(word), says, type=word, **more)

    for word in TYPES:
        pads = (1, 2, 2, 1)
        for mode in MODES:
            yield one(word, mode, f"{mode} of {word}", (3, 4), pads, mode)
        yield one(word, "value", f"a value of {word}", (3, 4), pads, value=value_of(word))
        told = f"{word}: rows of 3 and then of 5 elements"
        yield one(word, "odd", told, (3, 3), (0, 1, 0, 1), "edge")
        told = f"{word}: one element is cut at the beginning of every row"
        yield one(word, "cut", told, (2, 5), (0, -1, 1, 0))


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


def bits(word, name, shows, shape, pads, mode="constant", **more):
    name = f"bits_{word}_{name}"
    return case(name, shows, shape, pads, mode, opset_for(word), type=word, **more)


def value(word, name, shows, value, **more):
    return bits(word, f"value_{name}", shows, (3,), (1, 2), value=value, **more)


def bits_of_floats():
    for word in FLOATS:
        numbers, nans = special_floats(word)
        for mode in MODES:
            told = f"{mode} keeps -0.0, infinities, subnormal and extreme numbers of {word}"
            yield bits(word, f"numbers_{mode}", told, (10,), (3, 4), mode, cells=tuple(numbers))
            told, more = f"{mode} keeps the payloads of NaNs of {word}", {"nan_payloads": True}
            yield bits(word, f"nan_{mode}", told, (5,), (2, 3), mode, cells=tuple(nans), **more)
        named = {
            "minus_zero": numbers[1],
            "infinity": numbers[2],
            "subnormal": numbers[4],
            "largest": numbers[8],
            "lowest": numbers[9],
        }
        for name, cell in named.items():
            yield value(word, name, f"the value is {name.replace('_', ' ')}", Bits(cell))
        yield value(word, "nan", "the value is a NaN", Bits(nans[0]))
        told = "the value is a NaN with a payload"
        yield value(word, "nan_payload", told, Bits(nans[2]), nan_payloads=True)


def bits_of_small_types():
    """Types of 8 bits and less: all bit patterns that there are."""
    for word in TYPES:
        width, _ = elements.TYPES[word]
        if word in INTEGERS or word == "bool" or not 0 < width <= 8:
            continue
        count = 1 << width
        shape = (16, count // 16) if width == 8 else (count,)
        more = {"cells": tuple(range(count)), "nan_payloads": word.startswith("float8")}
        for mode in ("constant", "reflect", "wrap"):
            told = f"{mode} of all {count} bit patterns of {word}"
            yield bits(word, f"all_{mode}", told, shape, (1,) * 2 * len(shape), mode, **more)


def bits_of_integers():
    """Integers with more digits than a float has, and the extreme ones."""
    for word, width in INTEGERS.items():
        high = 1 << width - 1
        cells = (0, 1, high - 1, high, high + 1, 2 * high - 1, high // 2 + 1, high // 128 + 1)
        for mode in MODES:
            told = f"{mode} keeps the extreme numbers of {word} and all digits between"
            yield bits(word, f"extreme_{mode}", told, (8,), (2, 3), mode, cells=cells)
        signed = word[0] == "i"
        extremes = {
            "lowest": high if signed else 0,
            "highest": high - 1 if signed else 2 * high - 1,
        }
        for name, cell in extremes.items():
            yield value(word, name, f"the value is the {name} number of {word}", Bits(cell))
        told = f"the value of {word} has more digits than a float"
        yield value(word, "digits", told, Bits(high // 128 + 1))


def bits_of_others():
    parts = {  # type: its cells
        "complex64": (0x80000000, 0x7F80000080000000, 0x0000000100000000, 0x3F800000BF800000),
        "complex128": (1 << 63, 0x7FF0000000000000 << 64 | 1, 0x3FF0000000000001 << 64),
    }
    for mode in MODES:
        for word, cells in parts.items():
            told = f"{mode} moves both parts of {word} as they are"
            yield bits(word, mode, told, (len(cells),), (2, 3), mode, cells=cells)
        told = f"{mode} keeps empty, long and non-ASCII strings"
        yield bits("string", mode, told, (2, 4), (1, 1, 0, 2), mode, cells=TEXTS)
        told, cells = f"{mode} of True and False", (1, 1, 0, 0, 1, 0)
        yield bits("bool", mode, told, (2, 3), (1, 1, 1, 2), mode, cells=cells)
    texts = {"empty": b"", "long": TEXTS[5], "umlaut": TEXTS[1], "emoji": TEXTS[6]}
    for name, text in texts.items():
        told, more = f"the value is a string: {name}", {"cells": (b"a", b"bc"), "value": text}
        yield bits("string", f"value_{name}", told, (2,), (1, 2), **more)
    for truth in (True, False):
        name, more = f"value_{str(truth).lower()}", {"cells": (0, 1), "value": truth}
        yield bits("bool", name, f"the value is {truth}", (2,), (1, 2), **more)


def fraction():
    """Values that need all digits of their type."""
    for word in ("float", "double"):
        told = f"the value 0.1 of {word}, rounded once"
        yield bits(word, "value_tenth", told, (2,), (1, 1), value=0.1)
    told = "double: numbers with more digits than a float has"
    cells = tuple(elements.cell_of(x, "double") for x in (0.1, 1 / 3, 16777217.0))
    yield bits("double", "digits", told, (3,), (1, 1), "edge", cells=cells)


CASES = [
    *ordinary(),
    *bits_of_floats(),
    *bits_of_small_types(),
    *bits_of_integers(),
    *bits_of_others(),
    *fraction(),
]
