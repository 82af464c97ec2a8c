"""Processes that multiprocessing starts anew (spawn, forkserver) pad and count as this one does; and what is
left of the children's counts where this process ends without a report: nothing.
SPDX-License-Identifier: MIT"""

import functools
import multiprocessing.spawn
import os


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
    _clear_at_exits(tally)
    told = multiprocessing.spawn.get_preparation_data

    @functools.wraps(told)
    def tell(name):
        return {"tensorpad.dropin": _Join(join, tally.make_folder(), verify, one_in), **told(name)}

    multiprocessing.spawn.get_preparation_data = tell


def _clear_at_exits(tally):
    """os._exit and exec run no function of atexit: here they first remove the folder of the children."""

    def clearing(function, is_done):
        @functools.wraps(function)
        def ends(*args, **kwargs):
            if os.getpid() == tally.owner and is_done(*args[:1], *kwargs.values()):
                tally.clear()
            return function(*args, **kwargs)

        return ends

    os._exit = clearing(os._exit, lambda *_: True)
    for name in ("execv", "execve"):  # they are tried in one folder of PATH after the other
        setattr(
            os,
            name,
            clearing(getattr(os, name), lambda path=None, *_: path and os.path.exists(path)),
        )
