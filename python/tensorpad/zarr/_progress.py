"""A line of progress on a terminal.  SPDX-License-Identifier: MIT"""

import sys
import time

_FIRST, _OFTEN = 1.0, 0.2  # seconds: when it is shown first, and between two changes
_WIDTH = 30


class _Progress:
    """Shows how much of a work is done, on stderr, if that is a terminal and the work takes more
    than a second.

    wanted: True shows it always, False never, None on a terminal. unit: bytes of one of `total`.
    """

    def __init__(self, wanted, total, unit):
        self.shown = False
        self.wanted = sys.stderr is not None and sys.stderr.isatty() if wanted is None else wanted
        self.total = total
        self.unit = unit
        self.begun = time.monotonic()
        self.next = self.begun + _FIRST
        self.first = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def tell(self, done):
        now = time.monotonic()
        if self.first is None:
            self.first = done
        if not self.wanted or now < self.next:
            return
        self.next = now + _OFTEN
        self.shown = True
        print(f"\r\033[K{self.line(done, now)}", end="", file=sys.stderr, flush=True)

    def line(self, done, now):
        filled = _WIDTH * done // self.total
        text = (
            f"[{'=' * filled}{' ' * (_WIDTH - filled)}] {100 * done // self.total:3}% "
            f"{done * self.unit / 1e9:.2f} of {self.total * self.unit / 1e9:.2f} GB"
        )
        if done == self.first:
            return text
        left = round((now - self.begun) / (done - self.first) * (self.total - done))
        return f"{text}, {left // 60}:{left % 60:02} left"
