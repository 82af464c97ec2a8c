"""tensorpad.show: 300 pictures against numpy.pad, what it takes, and its errors."""

import os
import pathlib
import re
import stat
import sys

import numpy as np
import pytest
import tensorpad

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tests/command"))
import shown  # noqa: E402

PROBLEMS = shown.problems(100, 3, 1) + shown.problems(200, 4, 2)


def picture(problem, array):
    axes = problem.axes
    return tensorpad.show(
        array,
        [axis[1:3] for axis in axes],
        [axis[4] for axis in axes],
        interior=[axis[3] for axis in axes],
        order=axes[0][5],
    )


@pytest.mark.parametrize("start", range(0, 300, 50))
def test_against_numpy(start):
    for problem in PROBLEMS[start : start + 50]:
        made = picture(problem, tuple(problem.shape))
        shown.check_text(problem, str(made))
        shown.check_drawing(problem, made._repr_svg_())


def test_values_of_an_array():
    """The labels of the output are what tensorpad.pad and numpy.pad put there."""
    array = np.array([[1.0, 0.25], [1 / 3, -7]], "f4")
    made = tensorpad.show(array, ((1, 0), (0, 2)), "reflect")
    expected = np.pad(array, ((1, 0), (0, 2)), "reflect")
    labels = [label for row in shown.Drawing(made._repr_svg_()).rows() for _, label in row]
    assert labels == [
        f"{value:.4g}" if value == array[1, 0] else str(value) for value in expected.flat
    ]
    words = str(tensorpad.show([["x", "yy"]], ((0, 0), (1, 1)), constant_values="-"))
    assert words.splitlines()[4].split() == ["-", "|", "x", "yy", "|", "-"]
    assert repr(made) == str(made)


@pytest.mark.parametrize(
    "array",
    [
        np.array(["a long text", "b"]),
        np.array(["\x1b", "b"]),
        np.array([10**9, 1]),
        np.arange(2000).reshape(1000, 2),
        np.zeros((2, 3, 4)),
    ],
)
def test_arrays_without_labels(array):
    assert str(tensorpad.show(array, 1)) == str(tensorpad.show(array.shape, 1))


@pytest.mark.parametrize("four", [4, np.int8(4)])
def test_an_integer_is_a_shape_of_one_axis(four):
    assert str(tensorpad.show(four, 1)) == str(tensorpad.show((4,), 1))


def test_fill():
    assert "K fill, 123456" in str(tensorpad.show((3,), 1, constant_values=123456))
    assert "\x1b" not in str(tensorpad.show((3,), 1, constant_values="\x1b"))
    with pytest.raises(ValueError, match="one constant value"):
        tensorpad.show((3,), 1, constant_values=(1, 2))


def test_a_value_for_each_cell_of_an_axis():
    made = tensorpad.show((1, 2), 1, constant_values=[7, -8, 9, 10], constant_axis=-1)
    cells = [
        re.findall(r"-?\d+|\b[ab]\b", row.removeprefix("begin 1").removeprefix("end 1"))
        for row in str(made).splitlines()[3:8]
    ]
    assert cells == [["7", "-8", "9", "10"], [], ["7", "a", "b", "10"], [], ["7", "-8", "9", "10"]]
    assert "fill, 7,-8,9,10 along axis 1" in made._repr_svg_()
    far = tensorpad.show((3, 40, 40), {1: 1}, constant_values=(124, 116, 104), constant_axis=0)
    assert "fill K" in str(far) and "124,116,104 along axis 0" in far._repr_svg_()
    for values, axis, error in [
        ([1, 2], 0, "axis 0 of the result has 3 cells"),
        (5, 0, "the shape"),
        ([1, 2, 3], 2, "axis 2"),
    ]:
        with pytest.raises(ValueError, match=error):
            tensorpad.show((1, 2), 1, constant_values=values, constant_axis=axis)


def test_save(tmp_path):
    made = tensorpad.show((4, 4), {1: (2, -1)}, "edge")
    made.save(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text() == made._repr_svg_()
    made.save(str(tmp_path / "b.svg"))
    for name in ("a.jpg", "a.png", "svg"):
        with pytest.raises(ValueError, match="a picture is an .svg"):
            made.save(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        made.save(tmp_path / "none/a.svg")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.svg", "b.svg"]


def test_a_save_that_fails_leaves_what_was_there(tmp_path, monkeypatch):
    there = tmp_path / "a.svg"
    there.write_text("before")

    def full(*_):
        raise OSError(28, "no space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(OSError, match="no space"):
        tensorpad.show((3,), 1).save(there)
    assert there.read_text() == "before" and list(tmp_path.iterdir()) == [there]


needs_modes = pytest.mark.skipif(os.name == "nt", reason="Windows has no modes of files")


@pytest.fixture
def no_umask():
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@needs_modes
@pytest.mark.parametrize("old", [0o600, 0o640, 0o604, 0o400])
def test_nobody_else_reads_what_is_replaced(tmp_path, monkeypatch, no_umask, old):
    """Neither from the moment on in which the new file is made, nor at the end."""
    there = tmp_path / "a.svg"
    there.write_text("before")
    there.chmod(old)
    told = []

    replace, fchmod = os.replace, os.fchmod

    def replaced(*words):
        told.append(("complete", {mode(path) for path in tmp_path.iterdir()}))
        replace(*words)

    def changed(*words):
        told.append(("written", {mode(path) for path in tmp_path.iterdir()}))
        fchmod(*words)

    monkeypatch.setattr("os.replace", replaced)
    monkeypatch.setattr("os.fchmod", changed)
    tensorpad.show((3,), 1).save(there)
    assert told == [("written", {old, 0o600}), ("complete", {old})]
    assert mode(there) == old and there.read_text().startswith("<svg")


@needs_modes
def test_a_new_picture_is_like_any_new_file(tmp_path, no_umask):
    os.umask(0o027)
    tensorpad.show((3,), 1).save(tmp_path / "a.svg")
    assert mode(tmp_path / "a.svg") == 0o640


@needs_modes
def test_a_group_that_cannot_be_given(tmp_path, monkeypatch, no_umask):
    """Members of another group get no more than all got."""

    def refused(*_):
        raise PermissionError

    monkeypatch.setattr("os.fchown", refused)
    there = tmp_path / "a.svg"
    for old, left in (0o640, 0o600), (0o604, 0o600), (0o644, 0o644), (0o664, 0o644):
        there.write_text("before")
        there.chmod(old)
        tensorpad.show((3,), 1).save(there)
        assert mode(there) == left


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pipes in folders")
def test_links_and_pipes(tmp_path):
    """The file that a link names is replaced; a pipe is written to."""
    (tmp_path / "far").mkdir()
    (tmp_path / "far/b.svg").write_text("before")
    (tmp_path / "a.svg").symlink_to("far/b.svg")
    picture = tensorpad.show((3,), 1)
    picture.save(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").is_symlink()
    assert (tmp_path / "far/b.svg").read_text() == picture._repr_svg_()
    os.mkfifo(tmp_path / "pipe.svg")
    read = os.open(tmp_path / "pipe.svg", os.O_RDONLY | os.O_NONBLOCK)
    picture.save(tmp_path / "pipe.svg")
    assert os.read(read, 1 << 16).decode() == picture._repr_svg_()
    os.close(read)
