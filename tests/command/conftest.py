"""What the tests of the command share.  SPDX-License-Identifier: MIT"""

import pytest
from command import DATA, Folder
from onnx_models import one_pad, two_branches, with_subgraph


@pytest.fixture
def folder(tmp_path):
    yield Folder(tmp_path)
    kinds = (".npy", ".pb", ".png", ".onnx", ".xml", ".bin", ".svg")
    left = [p.name for p in tmp_path.iterdir() if p.suffix not in kinds]
    assert left == [], "temporary files were left behind"
    assert not [p.name for p in tmp_path.iterdir() if p.name.startswith(".")]


@pytest.fixture
def modelled(folder):
    folder.save("x.npy", DATA)
    (folder / "m.onnx").write_bytes(one_pad())
    (folder / "two.onnx").write_bytes(two_branches())
    (folder / "if.onnx").write_bytes(with_subgraph())
    return folder
