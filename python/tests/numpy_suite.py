"""A pytest plugin: numpy.pad is tensorpad.pad, and counts how often it was called."""

import numpy
import tensorpad

# What is not run, and why: in these modes a negative amount is an error in NumPy and crops here.
CROPPING = {"test_negative_pad_width": ("constant", "edge", "reflect", "symmetric", "wrap")}
calls = 0


def pad(*args, **kwargs):
    global calls
    calls += 1
    return tensorpad.pad(*args, **kwargs)


numpy.pad = pad


def pytest_collection_modifyitems(config, items):
    out = [
        item
        for item in items
        if getattr(item, "originalname", item.name) in CROPPING
        and item.callspec.params["mode"] in CROPPING[item.originalname]
    ]
    items[:] = [item for item in items if item not in out]
    config.hook.pytest_deselected(items=out)


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"tensorpad.pad was called {calls} times")
