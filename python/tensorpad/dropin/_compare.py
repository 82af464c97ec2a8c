"""Whether what tensorpad's pad gave, or raised, is what NumPy's or torch's gave.
SPDX-License-Identifier: MIT"""

import numpy


def results(ours, numpys, elements=True):
    """The first difference in words, or None. elements=False: cells hold what they happened to."""
    if type(ours) is not type(numpys):
        return f"type {type(ours).__name__}, NumPy's {type(numpys).__name__}"
    if ours.dtype != numpys.dtype:
        return f"dtype {ours.dtype}, NumPy's {numpys.dtype}"
    if ours.shape != numpys.shape:
        return f"shape {ours.shape}, NumPy's {numpys.shape}"
    if _layout(ours) != _layout(numpys):
        return f"layout {_layout(ours)}, NumPy's {_layout(numpys)}"
    if not elements or same(ours, numpys):
        return None
    where = _first_different(ours, numpys)
    index = tuple(map(int, where))
    return f"element {index} is {ours[index]!r}, NumPy's {numpys[index]!r}"


def tensors(ours, torchs):
    """The same of tensors of torch. The layout is not compared: torch loses channels_last."""
    for what in ("dtype", "shape"):
        if getattr(ours, what) != getattr(torchs, what):
            return f"{what} {getattr(ours, what)}, torch's {getattr(torchs, what)}"
    different = (ours != torchs) & ~((ours != ours) & (torchs != torchs))
    if not different.any():
        return None
    index = tuple(different.nonzero()[0].tolist())
    return f"element {index} is {ours[index].item()!r}, torch's {torchs[index].item()!r}"


def errors(ours, theirs, other="NumPy"):
    """The difference in words, or None; either may be None for a call that went well."""
    if type(ours) is type(theirs) and str(theirs) in str(ours):  # ours say what was meant, too
        return None
    return f"{_said(ours)}, {other}'s {_said(theirs)}"


def same(a, b):
    """Whether two arrays of one dtype and shape have the same bits; NaNs and zeros included."""
    if a.dtype.names is not None:  # between fields may lie bytes that belong to none
        return all(same(a[name], b[name]) for name in a.dtype.names)
    if a.dtype.subdtype is not None or not a.size:
        return True
    if a.dtype.kind in "OT":
        return all(map(_same_object, a.astype(object).flat, b.astype(object).flat))
    if a.dtype.type in (numpy.longdouble, numpy.clongdouble):
        return _same_long(a, b)  # its last bytes may belong to no value
    if not a.flags.c_contiguous:
        a, b = a.T, b.T
    a, b = (numpy.ascontiguousarray(each).reshape(-1).view(numpy.uint8) for each in (a, b))
    return numpy.array_equal(a, b)


def _same_object(x, y):
    if x is y:
        return True
    try:
        return type(x) is type(y) and bool(x == y or (x != x and y != y))
    except Exception:
        return False


def _same_long(a, b):
    parts = [(a, b)] if a.dtype.kind == "f" else [(a.real, b.real), (a.imag, b.imag)]
    return all(
        numpy.array_equal(x, y, equal_nan=True)
        and numpy.array_equal(numpy.signbit(x), numpy.signbit(y))
        for x, y in parts
    )


def _first_different(a, b):
    """Halves the arrays until one cell is left."""
    index = []
    while a.ndim:
        begin, end = 0, len(a)
        while end - begin > 1:
            middle = (begin + end) // 2
            if same(a[begin:middle], b[begin:middle]):
                begin = middle
            else:
                end = middle
        index.append(begin)
        a, b = a[begin, ...], b[begin, ...]
    return index


def _layout(array):
    return f"{'C' * array.flags.c_contiguous}{'F' * array.flags.f_contiguous}" or "neither"


def _said(error):
    return "went well" if error is None else f"raised {type(error).__name__}: {error}"
