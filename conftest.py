"""What a quick run leaves out (tests/runners/run.py), for every test in Python.

With TENSORPAD_QUICK in the environment, tests with the mark `long` do not run, and with --every N only each
Nth of the others.

SPDX-License-Identifier: MIT
"""

import os

import pytest

QUICK = "TENSORPAD_QUICK" in os.environ
REPORTS = os.environ.get("TENSORPAD_REPORTS")  # a folder for the times of the tests


def pytest_addoption(parser):
    parser.addoption(
        "--every", type=int, default=1, metavar="N", help="in a quick run only each Nth test"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    config.addinivalue_line("markers", "long: not in a quick run")
    config.addinivalue_line("markers", "share: a quick run does a share of it")
    if REPORTS and not config.option.xmlpath:
        config.option.xmlpath = os.path.join(REPORTS, f"pytest-{os.getpid()}.xml")


def pytest_collection_modifyitems(config, items):
    if not QUICK:
        return
    chosen = [item for item in items if not item.get_closest_marker("long")][:: config.option.every]
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = chosen
