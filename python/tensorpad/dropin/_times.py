"""How long the calls took in total, so that one call which the machine delayed changes nothing.
SPDX-License-Identifier: MIT

Calls at one place whose results have about the same size (between two powers of two) are a group.
"""

from ._tally import CALLS, LONGEST, TENSORPAD, TIME


class Total:
    """Seconds of the calls at a place, as they ran and with NumPy (None: no call ran with both).

    ours, numpys: of each group the median of one call's time, times the number of calls.
    spent, with_numpy: what the program spent there. On a busy machine many calls take longer than
    their median, and so does the rest of the program, with which these are compared: of each group
    what the clock said, but for the longest call."""

    def __init__(self, place, ratios, everywhere):
        self.ours = self.spent = 0
        self.numpys = self.with_numpy = None if everywhere is None else 0
        for size, group in place.groups.items():
            typical, spent = median(group.times) * group.counts[CALLS] / 1e9, _spent(group.counts)
            self.ours += typical
            self.spent += spent
            if everywhere is not None:
                nearest = min(ratios, key=lambda other: abs(other - size), default=None)
                ratio = ratios.get(nearest, everywhere)
                self.numpys += typical * ratio
                self.with_numpy += spent * ratio


def totals(places):
    """The total of each place. Where no call of a group ran with both, NumPy takes as many times
    as long as in the group of the nearest size at that place, or else as in all groups."""
    ratios = [_ratios(place) for place in places]
    both = [
        (median(place.groups[size].times) * place.groups[size].counts[CALLS], ratio)
        for place, known in zip(places, ratios)
        for size, ratio in known.items()
    ]
    everywhere = sum(a * ratio for a, ratio in both) / sum(a for a, _ in both) if both else None
    return [Total(place, known, everywhere) for place, known in zip(places, ratios)]


def median(times):
    """times: pairs of a time and the number of calls for which it stands. Of two in the middle the
    shorter one."""
    half = sum(weight for _, weight in times) * (1 - 1e-9) / 2
    passed = 0
    for time, weight in sorted(times):
        passed += weight
        if passed >= half:
            return time
    return 0  # a process was killed before it counted the call that it had noted


def part_of_program(seconds, processes, pad):
    """The time of the program, which ran for so many seconds, had its pads taken `pad` seconds in
    all threads: that of all processes, and what part of it the pads were."""
    ran = seconds + sum(process.ran or 0 for process in processes) / 1e9
    busy = sum(process.busy for process in processes) / 1e9
    inside = sum(process.inside for process in processes) / 1e9
    pad *= busy / inside if inside else 1  # threads padded at the same time
    whole = max(ran - busy, 0) + pad
    return {"seconds": whole, "padding": pad / whole if whole else 0}


def _ratios(place):
    """How many times as long NumPy took, by size; no sizes of which no call ran with both."""
    return {
        size: median(group.numpys) / median(group.ours)
        for size, group in place.groups.items()
        if place.by == TENSORPAD and group.ours and median(group.ours)
    }


def _spent(counts):
    calls = counts[CALLS]
    if calls > 1:
        return (counts[TIME] - counts[LONGEST]) * calls / (calls - 1) / 1e9
    return counts[TIME] / 1e9
