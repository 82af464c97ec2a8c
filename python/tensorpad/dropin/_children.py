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
    for name in ("_exit", "execv", "execve"):
        setattr(os, name, _clearing(getattr(os, name), tally))


def _clearing(function, tally):
    @functools.wraps(function)
    def ends(*args, **kwargs):
        path = next(iter((*args, *kwargs.values())), None)
        # exec tries the folders of PATH one after the other.
        is_missing = isinstance(path, (str, bytes, os.PathLike)) and not os.access(path, os.X_OK)
        if os.getpid() == tally.owner and not is_missing:
            tally.clear()
        return function(*args, **kwargs)
    return ends
