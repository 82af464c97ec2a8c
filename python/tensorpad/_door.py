"""The door from the extension to Python's arrays. SPDX-License-Identifier: MIT"""

from ._batch import batch_by_places
from ._carrier_calls import ARRAYS, kept, pad_batch, plain
from ._carriers import carries
from ._numpy import pad, pad_to

OTHERS = {
    "batch_by_places": batch_by_places,
    "pad": pad,
    "pad_batch": pad_batch,
    "pad_to": pad_to,
}


def opened(function, words):
    """The result of a call that the extension leaves to Python: the array, `out`, or what it pads
    by places is not known there. words: the arguments by name."""
    if function in OTHERS:
        return OTHERS[function](**words)
    return kept(function, words) if carries(words[ARRAYS[function][0]]) else plain(function, words)
