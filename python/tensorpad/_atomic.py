"""Atomic file writes.  SPDX-License-Identifier: MIT"""

import contextlib
import os
import secrets
import stat


def write_atomically(path, content):
    """Writes bytes to a file. A failure leaves no partial file, and the old file as it was.

    A replaced file keeps its mode and, if the system allows it, its owner and group. Nobody who may
    not read the old file can read the new one meanwhile.
    """
    try:
        old = os.stat(path)
    except FileNotFoundError:
        old = None
    if old is not None and not stat.S_ISREG(old.st_mode):  # a pipe or a device
        with open(path, "wb") as file:
            file.write(content)
        return
    target = os.path.realpath(path)
    unfinished = f"{target}.{secrets.token_hex(4)}"
    descriptor = os.open(
        unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if old is None else 0o600
    )
    try:
        with open(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            if old is not None and os.name != "nt":  # Windows has no modes
                _take_access(descriptor, old)
        os.replace(unfinished, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(unfinished)
        raise


def _take_access(descriptor, old):
    mode = old.st_mode & 0o777
    for owner in (old.st_uid, -1):
        with contextlib.suppress(OSError):
            os.fchown(descriptor, owner, old.st_gid)
            break
    else:  # group and others get only what the old file allowed both
        common = mode >> 3 & mode & 7
        mode = mode & 0o700 | common << 3 | common
    os.fchmod(descriptor, mode)
