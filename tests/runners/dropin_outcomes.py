"""What a call gave, as one line.  SPDX-License-Identifier: MIT"""

import hashlib

import numpy as np


def _described(value):
    """Type, shape and digest of all elements, in what the call returned."""
    if isinstance(value, dict):
        return " ".join(f"{key}={_described(each)}" for key, each in sorted(value.items()))
    array = np.asarray(value)
    digest = hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()[:16]
    return f"{type(value).__name__} {array.dtype} {array.shape} {digest}"


def outcome(name, call):
    """Prints the name, a tab and what the call returned or raised."""
    try:
        said = _described(call())
    except Exception as error:
        said = (
            f"{type(error).__name__}: {str(error).splitlines()[0]}" if str(error) else repr(error)
        )
    print(f"{name}\t{said}")
