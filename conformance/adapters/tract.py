"""tract by its Python package, which is told of the inputs what the model says, and no more.

SPDX-License-Identifier: MIT

A panic ends the process, as it ends a program in Rust.
"""

import contextlib
import os

import tract

RUNTIME = "tract"
TARGETS = {"tract-0.23": ["tract==0.23.9", "numpy==2.4.6", "ml_dtypes==0.6.0"]}
FORKS = True  # every fourth case is a panic

os.environ["RUST_BACKTRACE"] = "0"


@contextlib.contextmanager
def short_errors():
    """The cause only, not what tract was doing."""
    try:
        yield
    except tract.TractError as error:
        raise RuntimeError(str(error).rsplit("Caused by:", 1)[-1]) from error


def version():
    return tract.version()


@short_errors()
def load(path):
    model = tract.onnx().load(path)
    names = [model.input_name(k) for k in range(model.input_count())]
    return names, model.into_model().into_runnable()


@short_errors()
def run(model, inputs):
    names, runnable = model
    for name in names:
        if inputs[name].dtype == object:
            raise TypeError("the Python package of tract has no strings")
    return [output.to_numpy() for output in runnable.run([inputs[name] for name in names])]
