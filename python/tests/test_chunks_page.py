"""docs/chunks.md: its code runs and prints what the page says."""

import doctest
import pathlib

import pytest

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/chunks.md"
NEEDED = {"Which function do I want": ["xarray", "zarr"], "Recipes": ["xarray"]}
SECTIONS = PAGE.read_text(encoding="utf-8").split("\n## ")[1:]


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.split("\n", 1)[0])
def test_section(section, tmp_path, monkeypatch):
    """Each section has its own imports, and runs in a folder of its own."""
    title = section.split("\n", 1)[0]
    for package in ["dask", *NEEDED.get(title, ())]:
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    ended = section.replace("\n```\n", "\n\n```\n")  # an expected output ends at an empty line
    test = doctest.DocTestParser().get_doctest(ended, {}, title, "chunks.md", 0)
    assert doctest.DocTestRunner().run(test).failed == 0
