"""The default number of threads of a call. SPDX-License-Identifier: MIT"""

from __future__ import annotations

import os
import re
import sys
import warnings
from typing import Final, SupportsIndex

from . import _core

VARIABLE: Final = "TENSORPAD_THREADS"


def _from_environment():
    """The number from the environment, or None, and whether it was chosen for tensorpad."""
    text = os.environ.get(VARIABLE, "").strip()
    if not text:
        # dask, joblib and torchrun set it in their workers; a list is for nested regions.
        first = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
        return int(first) if re.fullmatch("0*[1-9][0-9]{0,8}", first) else None, False
    if re.fullmatch("0*[1-9][0-9]{0,8}", text):
        return int(text), True
    warnings.warn(
        f"{VARIABLE}={text!r} is ignored: it has to be a whole number of at least 1",
        RuntimeWarning,
        stacklevel=2,
    )
    return None, False


AT_START, _chosen_at_start = _from_environment()
_chosen = False  # whether set_threads or TENSORPAD_THREADS chose the current number
_process = os.getpid()


def _is_child():
    """Whether the process was forked after the import, or started by multiprocessing."""
    started = sys.modules.get("multiprocessing.process")
    if os.getpid() != _process or started is None:
        return os.getpid() != _process
    # A spawned process first imports the program, and only then learns of its parent.
    return started.parent_process() is not None or hasattr(started.current_process(), "_inheriting")


def set_threads(count: SupportsIndex | None) -> None:
    """Sets how many threads may share the work of a large array in calls without `threads`.

    count: at least 1; or None for the number at import: the value that TENSORPAD_THREADS or,
        without it, OMP_NUM_THREADS had then. Without both it is one thread for each processor that
        the process may run on. In a worker of torch's DataLoader, None sets at most
        torch.get_num_threads(), unless the number comes from TENSORPAD_THREADS. There is never more
        than one thread for each processor.

    Processes forked from this one have the same number.
    """
    global _chosen
    _core.set_threads(AT_START if count is None else count)
    _chosen = count is not None or _chosen_at_start
    _core.ask_torch(not _chosen and _is_child())


def follow_torch() -> None:
    """In a worker of torch's DataLoader, limits the threads to torch's. Calls without `threads`
    call this, if no number was chosen, in child processes that have loaded torch.utils.data, until
    it is known that the process is a worker."""
    data = sys.modules.get("torch.utils.data")
    worker = getattr(data, "get_worker_info", lambda: None)()
    if worker is not None:
        _core.ask_torch(False)
        _core.set_threads(min(_core.thread_count(), sys.modules["torch"].get_num_threads()))


set_threads(None)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: _core.ask_torch(not _chosen))
