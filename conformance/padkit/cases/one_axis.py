"""One axis, systematically: extents 0 to 5, amounts of both signs, all modes; then outer and inner.

SPDX-License-Identifier: MIT
"""

from padkit.cases.common import MODES, answered, case, number


def amounts(n):
    """What is asked of an axis of n elements, (begin, end): the places where readings differ."""
    return [
        (0, 0),
        # A few cells; then as many as reflect has without a bounce, as the axis is long, and more.
        (1, 0),
        (0, 1),
        (1, 1),
        (n - 1, n - 1),
        (n, 0),
        (0, n),
        (n + 1, 0),
        (0, n + 1),
        (2 * n + 1, 0),
        (0, 2 * n + 2),
        (7, 6),
        # Cuts; then of everything.
        (-1, 0),
        (0, -1),
        (-1, -1),
        (-n, 0),
        (0, -n),
        # A cut at one side, cells at the other: few, many, more than the axis is long.
        (-1, 1),
        (1, -1),
        (-1, 2),
        (2, -1),
        (-2, 3),
        (3, -2),
        (-1, n + 2),
        (n + 2, -1),
        # One element is left, nothing is left, and the cut goes beyond the axis.
        (1 - n, 3),
        (3, 1 - n),
        (-n, 2),
        (2, -n),
        (-n - 1, n + 2),
        (n + 2, -n - 1),
        (-n - 1, 1),
    ]


def amounts_of_a_place(n):
    """Enough to see axes mixed up, or a row taken for another."""
    return [(1, 1), (n + 1, 0), (7, 6), (-1, 0), (0, -1), (-1, 2), (2, -1)]


PLACES = {  # (the shape around an axis of n, which axis it is)
    "outer": (lambda n: (n, 2), 0),
    "middle": (lambda n: (2, n, 3), 1),
    "inner": (lambda n: (2, n), 1),
}


def words(begin, end):
    """The amounts in words."""
    told = [
        f"{'adds' if amount > 0 else 'cuts'} {abs(amount)} at the {side}"
        for side, amount in (("begin", begin), ("end", end))
        if amount
    ]
    return " and ".join(told) or "adds nothing"


def on_one_axis():
    """Every mode and extent with all amounts, each pair of amounts once."""
    for mode in MODES:
        for n in range(6):
            for pair in dict.fromkeys(amounts(n)):
                begin, end = pair
                if answered([n], [begin], [end], mode):
                    yield case(
                        f"axis_{mode}_n{n}_b{number(begin)}_e{number(end)}",
                        f"{mode} on an axis of {n} {words(begin, end)}",
                        [n],
                        pair,
                        mode,
                    )


def on_each_place():
    """The axis lies outside of another one, inside of it, or between two."""
    for mode in MODES:
        for place, (shape_of, axis) in PLACES.items():
            for n in (1, 4):
                for pair in amounts_of_a_place(n):
                    shape = shape_of(n)
                    begin, end = (
                        [amount * (k == axis) for k in range(len(shape))] for amount in pair
                    )
                    if answered(shape, begin, end, mode):
                        yield case(
                            f"{place}_{mode}_n{n}_b{number(pair[0])}_e{number(pair[1])}",
                            f"{mode} on the {place} axis of {list(shape)} {words(*pair)}",
                            shape,
                            begin + end,
                            mode,
                        )


CASES = [*on_one_axis(), *on_each_place()]
