"""The selection: which cases the kit has. One file for each theme; `ALL` has all of them.

SPDX-License-Identifier: MIT
"""

from padkit.cases import examples, one_axis, opsets, types

ALL = [*examples.CASES, *one_axis.CASES, *opsets.CASES, *types.CASES]
