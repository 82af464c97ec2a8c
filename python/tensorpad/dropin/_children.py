"""Processes that multiprocessing starts anew (spawn, forkserver) pad and count as this one does.
SPDX-License-Identifier: MIT"""
import functools
import multiprocessing.spawn


class _Join:
    """What a child reads before it loads the program: reading it calls join there."""

    def __init__(self, *settings):
        self.settings = settings

    def __reduce__(self):
        return join, self.settings


def join(folder, verify, one_in):
    from . import _stand_in, _tally
    _stand_in.install(_tally.Tally(folder), verify, one_in)


def follow(tally, verify, one_in):
    """Adds a _Join to what every such child is told. A forked child inherits all it needs."""
    told = multiprocessing.spawn.get_preparation_data

    @functools.wraps(told)
    def tell(name):
        return {"tensorpad.dropin": _Join(tally.make_folder(), verify, one_in), **told(name)}

    multiprocessing.spawn.get_preparation_data = tell
