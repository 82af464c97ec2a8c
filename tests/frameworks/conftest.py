"""The folder that `make firmware` writes, made anew.  SPDX-License-Identifier: MIT"""

import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("package") / "tensorpad"
    subprocess.run([ROOT / "scripts/firmware/make.py", folder], check=True)
    return folder


@pytest.fixture(scope="session")
def version():
    header = (ROOT / "include/tensorpad/tensorpad.h").read_text(encoding="utf-8")
    return ".".join(re.findall(r"^#define TPAD_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, re.M))
