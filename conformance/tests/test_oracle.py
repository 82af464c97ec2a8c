"""The oracle of the kit against numpy.pad, on every small axis.  SPDX-License-Identifier: MIT"""

import itertools

import numpy as np
import pytest
from kit import oracle

assert np.lib.NumpyVersion(np.__version__) >= "2.1.0", "older ones are wrong on long pads"


def by_numpy(extent, begin, end, mode, order):
    """The index of the input at each cell of the output, -1 for fill; None: nothing to repeat."""
    index, grow, cut = (
        np.arange(extent),
        (max(0, begin), max(0, end)),
        (max(0, -begin), max(0, -end)),
    )
    if order == "crop":
        rest = extent - sum(cut)
        grow = grow if rest >= 0 else (sum(grow) + rest, 0)  # padding gives what is missing
        index, cut = index[cut[0] : max(cut[0], extent - cut[1])], (0, 0)
    if mode != "constant" and index.size == 0 and sum(grow):
        return None
    index = np.pad(index, grow, mode, **({"constant_values": -1} if mode == "constant" else {}))
    return index[cut[0] : index.size - cut[1]].tolist()


@pytest.mark.parametrize("order", ["window", "crop"])
@pytest.mark.parametrize("mode", oracle.MODES)
def test_every_small_axis(mode, order):
    for extent, begin, end in itertools.product(range(5), range(-6, 10), range(-6, 10)):
        if extent + begin + end < 0:
            continue
        expected = by_numpy(extent, begin, end, mode, order) if extent + begin + end else []
        try:
            found, _ = oracle.pad(
                list(range(extent)), [extent], [begin], [end], mode, -1, None, order
            )
        except oracle.Refused:
            found = None
        assert found == expected, (extent, begin, end)
