"""Processes that multiprocessing starts anew (spawn, forkserver) pad and count as this one does.
SPDX-License-Identifier: MIT"""
import functools
import multiprocessing.spawn


class _Join:
    """What a child reads before it loads the program: reading it calls the function there."""

    def __init__(self, function, *settings):
        self.function = function
        self.settings = settings

    def __reduce__(self):
        return self.function, self.settings


def follow(join, tally, verify, one_in):
    """Has every such child call join(folder, verify, one_in), a function that it can import. A
    forked child inherits all it needs."""
    told = multiprocessing.spawn.get_preparation_data

    @functools.wraps(told)
    def tell(name):
        return {"tensorpad.dropin": _Join(join, tally.make_folder(), verify, one_in), **told(name)}

    multiprocessing.spawn.get_preparation_data = tell
