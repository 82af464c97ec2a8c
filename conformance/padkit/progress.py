"""Progress on a terminal.

SPDX-License-Identifier: MIT
"""

import sys


def tell(text):
    """Puts the text in place of the last one; nothing where standard error is no terminal."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
