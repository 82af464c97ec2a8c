"""Writes zip files: the same contents give the same bytes, whenever and wherever they are written.

SPDX-License-Identifier: MIT
"""

import zipfile

DATE = (1980, 1, 1, 0, 0, 0)  # the first that a zip file can hold
UNIX = 3


def write(path, contents):
    """The file of {name: bytes}, sorted by name."""
    with zipfile.ZipFile(path, "w") as packed:
        for name, content in sorted(contents.items()):
            entry = zipfile.ZipInfo(name, DATE)
            entry.create_system = UNIX
            packed.writestr(entry, content, zipfile.ZIP_DEFLATED)
