"""How many threads share the work where a call does not say.  SPDX-License-Identifier: MIT"""
import os
import re
import warnings

from . import _core

VARIABLE = "TENSORPAD_THREADS"


def _from_environment():
    text = os.environ.get(VARIABLE, "").strip()
    if not text:
        return None
    if re.fullmatch("0*[1-9][0-9]{0,8}", text):
        return int(text)
    warnings.warn(f"{VARIABLE}={text!r} is ignored: it has to be a whole number of at least 1",
                  RuntimeWarning, stacklevel=2)
    return None


AT_START = _from_environment()


def set_threads(count):
    """How many threads may share the work of a large array in calls without `threads`.

    count: at least 1; None: what TENSORPAD_THREADS said when tensorpad was imported, else one for
        each processor that the process may run on. There are never more than these.
    """
    _core.set_threads(AT_START if count is None else count)


set_threads(None)
