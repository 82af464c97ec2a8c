"""One writer for each target.  SPDX-License-Identifier: MIT

While a call writes, it holds a lock of the target's folder, which the system releases when the process
ends, in whatever way. Other stores than folders, file systems such as NFS, and Windows have no such locks.
So a document says, too, who is writing: it is created only where there is none, and a killed process
leaves it behind. That of a process which had the lock counts no more when the lock is free.
"""

import contextlib
import os
import platform
import secrets
import time

from zarr.storage import LocalStore

from . import _target

try:
    import fcntl
except ImportError:  # Windows has no locks of folders
    fcntl = None  # type: ignore[assignment]


@contextlib.contextmanager
def _held(path):
    """Nobody else writes to the target meanwhile. FileExistsError where somebody does."""
    folder = _lock(path)
    try:
        _sign(path, folder is not None)
        try:
            yield
        finally:
            with contextlib.suppress(Exception):  # it must not hide the error of a store
                _target._delete(path / _target._WRITER)
    finally:
        if folder is not None:
            fcntl.flock(folder, fcntl.LOCK_UN)  # a process that was forked has the folder open, too
            os.close(folder)


def _lock(path):
    """The descriptor of a folder that this call alone has locked; None where there are no locks."""
    if fcntl is None or not isinstance(path.store, LocalStore):
        return None
    place = path.store.root / path.path
    place.mkdir(parents=True, exist_ok=True)
    folder = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return folder
    except BlockingIOError:
        os.close(folder)
        raise FileExistsError(
            f"target {path} is being written by another call: wait until it ends"
        ) from None
    except OSError:
        os.close(folder)
        return None


def _sign(path, locked):
    document = path / _target._WRITER
    said = {
        "is": "who is writing this array: tensorpad.zarr.pad",
        "process": os.getpid(),
        "host": platform.node(),
        "since": time.strftime("%Y-%m-%d %H:%M:%S"),
        "locked": locked,
        "number": secrets.token_hex(8),
    }
    found = _target._get(document)
    if found is None or locked and found.get("locked"):
        (_target._put if locked else _target._create)(document, said)
        found = _target._get(document)
    if found != said:
        raise FileExistsError(
            f"target {path} is being written since {found.get('since')} by process "
            f"{found.get('process')} on {found.get('host')}: wait until it ends; if it was killed, "
            f"delete {_target._WRITER} there"
        )
