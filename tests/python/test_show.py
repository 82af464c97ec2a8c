"""tensorpad.show: 300 pictures against numpy.pad, what it takes, and its errors."""

import pathlib
import sys

import numpy as np
import pytest
import tensorpad

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "system/command"))
import shown  # noqa: E402

PROBLEMS = shown.problems(100, 3, 1) + shown.problems(200, 4, 2)


def picture(problem, array):
    axes = problem.axes
    return tensorpad.show(array, [axis[1:3] for axis in axes], [axis[4] for axis in axes],
                          interior=[axis[3] for axis in axes], order=axes[0][5])


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
    assert labels == [f"{value:.4g}" if value == array[1, 0] else str(value)
                      for value in expected.flat]
    words = str(tensorpad.show([["x", "yy"]], ((0, 0), (1, 1)), constant_values="-"))
    assert words.splitlines()[4].split() == ["-", "|", "x", "yy", "|", "-"]
    assert repr(made) == str(made)


@pytest.mark.parametrize("array", [
    np.array(["a long text", "b"]),
    np.array(["\x1b", "b"]),
    np.array([10**9, 1]),
    np.arange(2000).reshape(1000, 2),
    np.zeros((2, 3, 4)),
])
def test_arrays_without_labels(array):
    assert str(tensorpad.show(array, 1)) == str(tensorpad.show(array.shape, 1))


def test_fill():
    assert "K fill, 123456" in str(tensorpad.show((3,), 1, constant_values=123456))
    assert "\x1b" not in str(tensorpad.show((3,), 1, constant_values="\x1b"))
    with pytest.raises(ValueError, match="one constant value"):
        tensorpad.show((3,), 1, constant_values=(1, 2))


def test_save(tmp_path):
    made = tensorpad.show((4, 4), {1: (2, -1)}, "edge")
    made.save(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text() == made._repr_svg_()
    made.save(str(tmp_path / "b.svg"))
    for name in ("a.jpg", "svg"):
        with pytest.raises(ValueError, match="a picture is .svg or .png"):
            made.save(tmp_path / name)
    with pytest.raises(ValueError, match="cairo"):  # wheels are built without it
        made.save(tmp_path / "a.png")
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


@pytest.mark.parametrize("words, error", [
    (((4,), (-3, -3)), ValueError),
    (((0,), 1, "reflect"), ValueError),
    (((4,), 1, "mean"), ValueError),
    (((4,), [[1, 2], [3, 4]]), ValueError),
    (((4,) * 17, 1), ValueError),
    (((-4,), 1), ValueError),
    (((4,), "x"), TypeError),
])
def test_errors(words, error):
    with pytest.raises(error):
        tensorpad.show(*words)
