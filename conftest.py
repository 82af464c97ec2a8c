"""What a quick run leaves out (tests/runners/run.py), for every test in Python.

The mark `long` keeps a test out of a quick run (TENSORPAD_QUICK). Of the cases of a test of DRAWN
the first stays and a quarter of the others, a fixed draw; the rest get that mark. With --every N
a quick run takes only each Nth test.

SPDX-License-Identifier: MIT
"""

import os
import zlib

import pytest

QUICK = "TENSORPAD_QUICK" in os.environ
DRAWN = (
    "conformance/",
    "python/",
    "checker/tests/models/test_neighbours.py::test_opencv_5",
)


def pytest_addoption(parser):
    parser.addoption(
        "--every", type=int, default=1, metavar="N", help="in a quick run only each Nth test"
    )


def pytest_configure(config):
    config.addinivalue_line("markers", "long: not in a quick run")
    config.addinivalue_line("markers", "share: a quick run does a share of it")


@pytest.hookimpl(tryfirst=True)  # before -m looks at the marks
def pytest_collection_modifyitems(config, items):
    told = set()
    for item in items:
        if item.nodeid.startswith(DRAWN):
            if item.function in told and zlib.crc32(item.nodeid.encode()) % 4:
                item.add_marker("long")
            told.add(item.function)
    if QUICK:
        chosen = [item for item in items if not item.get_closest_marker("long")]
        chosen = chosen[:: config.option.every]
        config.hook.pytest_deselected(items=set(items).difference(chosen))
        items[:] = chosen
