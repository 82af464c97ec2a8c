"""Whether two runs of a model gave the same.  SPDX-License-Identifier: MIT"""

import numpy


def _different(one, other):
    """True for each element that differs in a bit; one dimension."""
    if one.dtype.kind == "O":
        return numpy.array([a != b for a, b in zip(one.reshape(-1), other.reshape(-1))], bool)
    width = one.dtype.itemsize
    a, b = (
        numpy.ascontiguousarray(array).reshape(-1).view("u1").reshape(-1, width)
        for array in (one, other)
    )
    return (a != b).any(axis=1)


def _tell(name, one, other, this, that):
    if not isinstance(one, numpy.ndarray):
        return None if repr(one) == repr(other) else f"{name} differs"
    if one.dtype != other.dtype or one.shape != other.shape:
        a, b = (f"{array.dtype}{list(array.shape)}" for array in (one, other))
        return f"{name} is {a} {this} and {b} {that}"
    where = _different(one, other)
    if not where.any():
        return None
    first = int(where.argmax())
    place = [int(index) for index in numpy.unravel_index(first, one.shape)]
    return (
        f"{int(where.sum())} of {where.size} elements of {name} differ, the first at {place}: "
        f"{one.reshape(-1)[first]} {this} and {other.reshape(-1)[first]} {that}"
    )


def difference(names, ones, others, this="without", that="with"):
    """The first output that is not the same to the bit, in words; None if all are. this, that: what the two are."""
    for name, one, other in zip(names, ones, others):
        text = _tell(f"output '{name}'", one, other, this, that)
        if text:
            return text
    return None


def alike(ones, others):
    """Whether outputs are the same but for what another order of sums makes."""
    for one, other in zip(ones, others):
        if not isinstance(one, numpy.ndarray) or one.dtype.kind not in "fc":
            if difference([""], [one], [other]):
                return False
        elif one.shape != other.shape or not numpy.allclose(one, other, 1e-2, 1e-3, True):
            return False
    return True
