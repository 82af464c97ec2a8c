"""One axis, systematically: extents 0 to 5, amounts of both signs, all modes; then outer and inner.

SPDX-License-Identifier: MIT
"""

from padkit.cases.common import MODES, answered, case, number

# What is asked of an axis of n elements, (begin, end): the places where implementations differ.
AMOUNTS = {
    "adds nothing": lambda n: (0, 0),
    "adds 1 at the begin": lambda n: (1, 0),
    "adds 1 at the end": lambda n: (0, 1),
    "adds 1 at both ends": lambda n: (1, 1),
    "adds all but one of the extent at both ends": lambda n: (n - 1, n - 1),
    "adds the extent at the begin": lambda n: (n, 0),
    "adds the extent at the end": lambda n: (0, n),
    "adds one more than the extent at the begin": lambda n: (n + 1, 0),
    "adds one more than the extent at the end": lambda n: (0, n + 1),
    "adds more than twice the extent at the begin": lambda n: (2 * n + 1, 0),
    "adds more than twice the extent at the end": lambda n: (0, 2 * n + 2),
    "adds 7 at the begin and 6 at the end": lambda n: (7, 6),
    "cuts 1 at the begin": lambda n: (-1, 0),
    "cuts 1 at the end": lambda n: (0, -1),
    "cuts 1 at both ends": lambda n: (-1, -1),
    "cuts everything at the begin": lambda n: (-n, 0),
    "cuts everything at the end": lambda n: (0, -n),
    "cuts 1 at the begin and adds 1 at the end": lambda n: (-1, 1),
    "adds 1 at the begin and cuts 1 at the end": lambda n: (1, -1),
    "cuts 1 at the begin and adds 2 at the end": lambda n: (-1, 2),
    "adds 2 at the begin and cuts 1 at the end": lambda n: (2, -1),
    "cuts 2 at the begin and adds 3 at the end": lambda n: (-2, 3),
    "adds 3 at the begin and cuts 2 at the end": lambda n: (3, -2),
    "cuts 1 at the begin and adds more than the extent at the end": lambda n: (-1, n + 2),
    "adds more than the extent at the begin and cuts 1 at the end": lambda n: (n + 2, -1),
    "cuts all but one at the begin and adds 3 at the end": lambda n: (1 - n, 3),
    "adds 3 at the begin and cuts all but one at the end": lambda n: (3, 1 - n),
    "cuts everything at the begin and adds 2 at the end": lambda n: (-n, 2),
    "adds 2 at the begin and cuts everything at the end": lambda n: (2, -n),
    "cuts more than everything at the begin and adds more at the end": lambda n: (-n - 1, n + 2),
    "adds more at the begin and cuts more than everything at the end": lambda n: (n + 2, -n - 1),
    "cuts one more than everything at the begin and adds that at the end": lambda n: (-n - 1, 1),
}
# The same on an axis of an image: enough to see the axes mixed up, or a row taken for another.
PLACES = {  # (the shape around an axis of n, which axis it is)
    "outer": (lambda n: (n, 2), 0),
    "middle": (lambda n: (2, n, 3), 1),
    "inner": (lambda n: (2, n), 1),
}
OF_A_PLACE = (
    "adds 1 at both ends",
    "adds one more than the extent at the begin",
    "adds 7 at the begin and 6 at the end",
    "cuts 1 at the begin",
    "cuts 1 at the end",
    "cuts 1 at the begin and adds 2 at the end",
    "adds 2 at the begin and cuts 1 at the end",
)


def on_one_axis():
    """Every mode and extent with every one of AMOUNTS, each pair of amounts once."""
    for mode in MODES:
        for n in range(6):
            seen = set()
            for what, amounts in AMOUNTS.items():
                pair = amounts(n)
                if pair in seen or not answered([n], *[[x] for x in pair], mode):
                    continue
                seen.add(pair)
                begin, end = map(number, pair)
                yield case(f"axis_{mode}_n{n}_b{begin}_e{end}",
                           f"{mode} on an axis of {n} {what}", [n], pair, mode)


def on_each_place():
    """The axis lies outside or inside of another one."""
    for mode in MODES:
        for place, (shape_of, axis) in PLACES.items():
            for n in (1, 4):
                for what in OF_A_PLACE:
                    pair, shape = AMOUNTS[what](n), shape_of(n)
                    begin, end = ([amount * (k == axis) for k in range(len(shape))]
                                  for amount in pair)
                    if not answered(shape, begin, end, mode):
                        continue
                    yield case(
                        f"{place}_{mode}_n{n}_b{number(pair[0])}_e{number(pair[1])}",
                        f"{mode} on the {place} axis of {n} of {list(shape)} {what}",
                        shape, begin + end, mode)


CASES = [*on_one_axis(), *on_each_place()]
