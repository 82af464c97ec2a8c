"""The selection: which cases the kit has. One file for each theme; `ALL` has all of them.

SPDX-License-Identifier: MIT
"""

from padkit.cases import (
    accompanied,
    arguments,
    examples,
    forbidden,
    modes,
    one_axis,
    opsets,
    shapes,
    types,
)

THEMES = (examples, one_axis, modes, shapes, opsets, types, arguments, accompanied, forbidden)
ALL = [case for theme in THEMES for case in theme.CASES]
