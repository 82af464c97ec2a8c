"""Packages that only a part of tensorpad needs, as pip installs them with tensorpad[NAME].
SPDX-License-Identifier: MIT"""

import importlib


def load(name, extra, needed):
    """The module `name`. needed: what is needed for what, the beginning of the ImportError."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise ImportError(f'{needed}: pip install "tensorpad[{extra}]"', name=name) from error
