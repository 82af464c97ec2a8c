"""The selection: which cases the kit has. One file for each theme; `ALL` has all of them."""

from padkit.cases import examples

ALL = [*examples.CASES]
