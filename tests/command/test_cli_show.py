"""tensorpad show: what the pictures show, against numpy.pad; their texts; words and errors."""

import re
import subprocess

import numpy as np
import onnx.helper as oh
import onnx.numpy_helper as nh
import pytest
import shown
from command import COMMAND, DATA, npy_bytes, on_terminal
from onnx_models import INT64, ints, model, pad_node, port, save

PROBLEMS = shown.problems(25, 1, 1) + shown.problems(35, 2, 2)


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: " ".join(problem.words()))
def test_pictures_against_numpy(folder, problem):
    text = folder.run("show", *problem.words()).stdout.decode()
    shown.check_text(problem, text)
    folder.run("show", *problem.words(), "-o", "a.svg")
    drawn = (folder / "a.svg").read_text()
    shown.check_drawing(problem, drawn)
    assert shown.Drawing(drawn).title == text.splitlines()[0]


GRID = """\
ONNX Pad
mode reflect, begin 1,2, end 0,-1, order crop: [2,4] -> [3,5]

            begin 2             end -1
begin 1     g   f   e   f   g
                  +-----------+
            c   b | a   b   c |(d)
            g   f | e   f   g |(h)
                  +-----------+

|a| the input in its place; (a) cropped
"""
ROW = """\
mode constant, begin 2, end 1, interior 1: [3] -> [8]

            begin 2                     end 1
input               a       b       c
output      7   7 | a   .   b   .   c | 7

|a| the input in its place; . interior, 7
"""
LONG = """\
mode reflect,wrap,edge, begin 0,3,-1, end 0,500,2, order window: [2,100,4] -> [2,603,5]

axis 0: 2, as it is

axis 1: 100 -> 603, begin 3, end 500, wrap
  output 0..2                  copy 97..99
  output 3..102                copy 0..99   the input in its place
  output 103..202              copy 0..99
  output 203..302              copy 0..99
  output 303..402              copy 0..99
  output 403..502              copy 0..99
  output 503..602              and so on

axis 2: 4 -> 5, begin -1, end 2, edge
            begin -1        end 2
input      (0)  1   2   3
output        | 1   2   3 | 3   3

|a| the input in its place; (a) cropped
"""
VALUES = """\
in.npy, ONNX Pad, opset 13
mode constant, begin 0,2, end 0,0: [3,2] -> [3,4]

            begin 2
                      +-----------+
             -1    -1 |   1   1.2 |
             -1    -1 | 2.3   3.4 |
             -1    -1 | 4.5   5.7 |
                      +-----------+

|a| the input in its place
"""


def test_texts(folder):
    def text(*words):
        return folder.run("show", *words).stdout.decode()

    assert (
        text("--spec", "onnx", "--shape", "2,4", "--mode", "reflect", "--pads", "1,2,0,-1") == GRID
    )
    assert text(*"--spec plain --shape 3 --begin 2 --end 1 --interior 1 --value 7".split()) == ROW
    assert (
        text(
            *"--spec plain --shape 2,100,4 --begin 0,3,-1 --end 0,500,2 --mode reflect,wrap,edge".split()
        )
        == LONG
    )
    folder.save("in.npy", DATA)
    values = ("--spec", "onnx-13", "--pads", "0,2,0,0", "--value", "-1")
    assert text("in.npy", *values) == VALUES
    piped = folder.run("show", "-", *values, stdin=npy_bytes(DATA)).stdout.decode()
    assert piped == VALUES.replace("in.npy", "standard input")
    assert text("--spec", "plain", "--shape", "", "--pads", "") == "[] -> []\n"


LISTED = """\
mode constant, begin 1,1, end 1,0, interior 0,1: [2,2] -> [4,4]

            begin 1
begin 1      7   -8    9   10
               +--------------+
             7 |  a    .    b |
             7 |  c    .    d |
               +--------------+
end 1        7   -8    9   10

|a| the input in its place; . interior, 7,-8,9,10 along axis 1
"""


def test_a_value_for_each_cell_of_an_axis(folder):
    def text(*words):
        return folder.run("show", *words).stdout.decode()

    words = ["--shape", "2,2", "--pads", "1,1,1,0", "--interior", "0,1", "--value", "7,-8,9,10"]
    assert text(*words, "--value-axis", "1") == LISTED
    folder.run("show", *words, "--value-axis", "0", "-o", "a.svg")
    drawing = shown.Drawing((folder / "a.svg").read_text())
    assert [[label for _, label in row] for row in drawing.rows()] == [
        ["7"] * 4,
        ["-8", "a", "-8", "b"],
        ["9", "c", "9", "d"],
        ["10"] * 4,
    ]
    row = text("--shape", "2", "--border", "1", "--value", "1,2,3,44", "--value-axis", "0")
    assert "output       1 |  a    b | 44\n" in row
    # Values that do not fit into a cell, and cells of axes that are drawn one by one.
    for shape, values in (("2", "1,2,3,10000"), ("2,2,2", "1,2,3,4")):
        said = text("--shape", shape, "--border", "1", "--value", values, "--value-axis", "0")
        assert f" fill, {values} along axis 0" in said
    said = text("--shape", "3,40", "--border", "0,1", "--value", "124,116,104", "--value-axis", "0")
    assert (
        "output 0..0                  fill K" in said
        and "\nfill K is 124,116,104 along axis 0\n" in said
    )


def test_more_than_letters(folder):
    """Numbers from 27 elements on; what is fill is not taken for an element."""
    text = folder.run("show", "--shape", "3,9", "--pads", "0,1,0,0").stdout.decode()
    assert " # | 0 " in text.replace("   ", " ").replace("  ", " ")
    assert "# fill, 0" in text
    text = folder.run("show", "--shape", "2", "--pads", "1,0", "--value", "1e-30").stdout.decode()
    assert "K | a" in text and "K fill, 1e-30" in text


@pytest.mark.parametrize(
    "array, seen",
    [
        (np.array([1, -200], "i2"), ["1", "-200"]),
        (np.array([1 / 3, 1e-9], "f8"), ["0.3333", "1e-09"]),
        (np.array([True, False]), ["true", "false"]),
        (np.array([0.5, np.inf], "f2"), ["0.5", "inf"]),
        (np.array([123456789, 1], "i4"), ["a", "b"]),  # too long for a cell
        (np.array([1.5, 2], ">f4"), ["a", "b"]),
        (np.array([1 + 1j, 2], "c8"), ["1+1j", "2+0j"]),
        (np.array(["2020-01-01", "2021-01-01"], "M8[D]"), ["a", "b"]),
        (np.asfortranarray(np.arange(4, dtype="u1").reshape(2, 2)), ["0", "1", "2", "3"]),
    ],
)
def test_values(folder, array, seen):
    folder.save("in.npy", array)
    pads = ",".join(["0", "1"][i >= array.ndim] for i in range(2 * array.ndim))
    folder.run("show", "--spec", "plain", "in.npy", "--mode", "edge", "--pads", pads, "-o", "a.svg")
    drawing = shown.Drawing((folder / "a.svg").read_text())
    assert [label for _, _, kind, label, _ in sorted(drawing.cells) if kind == "input"][
        : len(seen)
    ] == seen


def test_sizes(folder):
    """A size is fitted as pad does it."""
    text = folder.run("show", "--shape", "3,5", "--to", "-,8", "--align", "end").stdout.decode()
    assert text.startswith("mode constant, begin 0,3, end 0,0: [3,5] -> [3,8]\n")


def test_large(folder):
    """An extent near the limit takes no time."""
    text = folder.run(
        *"show --spec plain --dtype u8 --shape".split(),
        str(2**60),
        "--begin",
        "5",
        "--end",
        str(2**59),
        "--mode",
        "symmetric",
    ).stdout.decode()
    rows = [line.split() for line in text.splitlines() if line.startswith("  output")]
    last = 2**60 - 1
    assert rows == [
        ["output", "0..4", "reverse", "4..0"],
        ["output", f"5..{last + 5}", "copy", f"0..{last}", "the", "input", "in", "its", "place"],
        ["output", f"{last + 6}..{last + 5 + 2**59}", "reverse", f"{last}..{2**59}"],
    ]


# ---- Runs of long axes ---------------------------------------------------------------------------


def expand(row, interior):
    """The elements that a line of text says a run repeats."""
    first, last = (int(word) for word in row[1].split(".."))
    count, step = last - first + 1, interior + 1
    if row[2] == "fill":
        return [-1] * count
    ends = [int(word) for word in row[3].split("..")]
    if row[2] == "repeat":
        return ends * count
    sign = -1 if row[2] == "reverse" else 1
    line = []
    for i in range(count):
        line.append(ends[0] + sign * (i // step) if i % step == 0 else -1)
    assert line[(count - 1) // step * step] == ends[-1]
    return line


def check_bar(folder, problem, text):
    """The drawing says the same in its segments, which lie side by side, and in its description."""
    folder.run("show", *problem.words(), "-o", "a.svg")
    drawing = shown.Drawing((folder / "a.svg").read_text())
    lines = re.findall(r"^  output (\S+) +(.*)$", text, re.M)
    told = [(cells, words.removesuffix("   the input in its place")) for cells, words in lines]
    at = drawing.words.index("output") + 1
    pairs = drawing.words[at : at + 2 * len(told)]
    assert list(zip(pairs[1::2], pairs[::2])) == told
    runs = ", ".join(words for _, words in told)
    assert drawing.description == f"Output along axis 0: {runs}."
    bars = sorted(drawing.cells, key=lambda cell: cell[1])
    assert len(bars) == len(told)
    for left, right in zip(bars, bars[1:]):
        assert left[0] == right[0] and abs(left[1] + left[4] - right[1]) < 0.11
    mode = problem.axes[0][4]
    kinds = [
        "input" if "place" in words else "constant" if words.startswith("fill") else mode
        for _, words in lines
    ]
    assert [bar[2] for bar in bars] == kinds


def long_axes():
    """20 at random, and two that begin at a seam: two equal neighbours, then interior."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        yield (
            int(rng.integers(30, 60)),
            int(rng.integers(-9, 40)),
            int(rng.integers(-9, 80)),
            int(rng.choice([0, 0, 1, 3])),
            shown.MODES[seed % 5],
            ("window", "crop")[seed // 5 % 2],
        )
    yield 20, 40, 0, 1, "symmetric", "window"
    yield 20, 78, 3, 3, "symmetric", "crop"


@pytest.mark.parametrize("axis", list(long_axes()))
def test_runs_against_numpy(folder, axis):
    interior = axis[3]
    problem = shown.Problem([axis])
    text = folder.run("show", *problem.words()).stdout.decode()
    line, told = problem.lines[0].tolist(), []
    for row in (line.split() for line in text.splitlines() if line.startswith("  output")):
        assert row[2] != "and"
        told += expand(row, interior)
    assert told == line, text
    check_bar(folder, problem, text)
    cropped = [-amount for amount in axis[1:3] if amount < 0]
    assert [int(n) for n in re.findall(r"cropped at the \w+: (\d+)", text)] == cropped


# ---- Models --------------------------------------------------------------------------------------


def test_models(modelled):
    """The node's words, from the model; x is [3,2]."""
    problem = shown.Problem([(3, 2, 1, 0, "wrap", "crop"), (2, 1, 1, 0, "wrap", "crop")])
    text = modelled.run("show", "m.onnx").stdout.decode()
    assert text.splitlines()[0] == "pad_0, ONNX Pad, opset 19"
    shown.check_text(problem, "\n".join(text.splitlines()[1:]))
    modelled.run("show", "m.onnx", "--node", "pad_0", "-o", "m.svg")
    shown.check_drawing(problem, (modelled / "m.svg").read_text())


def test_a_shape_that_the_model_leaves_open(modelled):
    modelled.fail(
        3,
        *"show two.onnx --node first".split(),
        says="leaves the shape of its input open: --shape 1,3,8,8",
    )
    known = modelled.run("show", "two.onnx", "--node", "first", "--shape", "4,2").stdout
    inferred = modelled.run("show", "two.onnx", "--node", "first", "--input-shape", "x=4,2").stdout
    assert known == inferred
    problem = shown.Problem([(4, 0, 0, 0, "constant", "crop"), (2, 1, 1, 0, "constant", "crop")])
    shown.check_text(problem, known.decode())


def test_nodes_are_named_as_in_run(modelled):
    modelled.fail(3, "show", "two.onnx", says="2 Pad nodes: --node says which of 'first', 'b'")
    error = modelled.fail(3, "show", "two.onnx", "--node", "nobody").error
    assert error.endswith("no Pad node is called 'nobody'; there are 'first', 'b'\n")
    # By the name of its output, too.
    words = ["show", "if.onnx", "--shape", "3,4", "--node"]
    by_name = modelled.run(*words, "choice/then_branch/inner").stdout
    assert modelled.run(*words, "choice/then_branch/z").stdout == by_name


def test_nodes_of_subgraphs(modelled):
    modelled.fail(
        3,
        *"show if.onnx --node inner".split(),
        says="2 Pad nodes are called 'inner': give GRAPH/NAME",
    )
    for branch, mode in (("then_branch", "edge"), ("else_branch", "reflect")):
        text = modelled.run(
            "show", "if.onnx", "--node", f"choice/{branch}/inner", "--shape", "3,4"
        ).stdout.decode()
        assert text.splitlines()[0].startswith("inner, ONNX Pad")
        assert text.splitlines()[1].startswith(f"mode {mode}, ")


def pad_with(
    folder, name, initializers=(), inputs=(), mode="constant", opset=19, spec_inputs="xpv"
):
    """x [2,3] -> Pad(x, p, v) -> y."""
    pad = pad_node(list(spec_inputs), "y", mode=mode)
    ports = [port("x", [2, 3]), *inputs], [port("y", ["a", "b"])]
    (folder / name).write_bytes(model([pad], *ports, initializers, opset))


def test_what_is_computed_at_run_time(folder):
    pads = ints("p", [0, 1, 0, 0])
    value = port("v", [])
    pad_with(folder, "m.onnx", [pads], [value])
    text = folder.run("show", "m.onnx").stdout.decode()
    assert text.splitlines()[0] == "y, ONNX Pad, opset 19"  # the node has no name
    assert "? | a   b   c" in text
    pad_with(folder, "m.onnx", [], [port("p", [4], INT64), value])
    folder.fail(3, "show", "m.onnx", says="'pads' is computed at run time")


def test_values_of_nodes(folder):
    pads = ints("p", [0, 1, 0, 0])
    value = nh.from_array(np.float32(2.5), "v")
    pad_with(folder, "m.onnx", [pads, value])
    assert "2.5 |   a" in folder.run("show", "m.onnx").stdout.decode()


def test_models_that_are_refused(folder):
    pads = ints("p", [0, 1, 0, 0])
    pad_with(folder, "m.onnx", [pads], mode="mirror", spec_inputs="xp")
    folder.fail(3, "show", "m.onnx", says="mode 'mirror'")
    pad_with(folder, "m.onnx", [pads], mode="reflect", opset=0, spec_inputs="xp")
    folder.fail(3, "show", "m.onnx", says="opset 0")
    pad_with(folder, "m.onnx", [ints("p", [0, 1, 0])], spec_inputs="xp")
    folder.fail(3, "show", "m.onnx")
    save(folder, [oh.make_node("Relu", ["x"], ["y"])], [port("x", [2])], [port("y", [2])])
    folder.fail(3, "show", "m.onnx", says="the model has no Pad node")
    (folder / "m.onnx").write_bytes(b"\xff")
    folder.fail(3, "show", "m.onnx", says="m.onnx")


# ---- Colours -------------------------------------------------------------------------------------


def test_colours(folder, monkeypatch):
    words = "show --spec plain --shape 3 --mode wrap --begin 2 --end -1 --interior 1".split()
    plain = folder.run(*words).stdout
    assert b"\x1b" not in plain
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    _, seen = on_terminal(folder, *words, stdout="terminal")
    assert "\x1b[" in seen
    bare = re.sub(r"\x1b\[[0-9;]*m", "", seen)
    assert [line.split() for line in bare.splitlines()] == [
        line.split() for line in plain.decode().splitlines()
    ]
    for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
        with monkeypatch.context() as inner:
            inner.setenv(name, value)
            _, seen = on_terminal(folder, *words, stdout="terminal")
            assert seen.replace("\r\n", "\n") == plain.decode()


# ---- Files ---------------------------------------------------------------------------------------


def test_same_bytes_every_time(folder):
    words = ["--shape", "3,3", "--mode", "edge", "--pads", "1,1,1,1"]
    folder.run("show", *words, "-o", "a.svg")
    folder.run("show", *words, "--output", "b.svg")
    assert (folder / "a.svg").read_bytes() == (folder / "b.svg").read_bytes()
    text = (folder / "a.svg").read_text()
    assert "<script" not in text and len(text) < 12000
    assert "prefers-color-scheme:dark" in text


def test_axes_that_stay_take_one_line(folder):
    folder.run(*"show --shape 2,3,40,40 --pads 0,0,1,1,0,0,1,1 --mode edge -o a.svg".split())
    words = shown.Drawing((folder / "a.svg").read_text()).words
    assert [word for word in words if "as it is" in word] == [
        "axis 0: 2, as it is",
        "axis 1: 3, as it is",
    ]
    assert list(words).count("output") == 2


def test_text_is_escaped(folder):
    folder.save("<&\x1b.npy", np.arange(3, dtype="i1"))
    words = ["--spec", "plain", "--pads", "1,1", "<&\x1b.npy"]
    folder.run("show", *words, "-o", "a.svg")
    drawing = shown.Drawing((folder / "a.svg").read_text())
    assert r"<&\x1b.npy" in drawing.words
    assert b"\x1b" not in folder.run("show", *words).stdout


def test_output_is_kept(folder):
    words = ["show", "--shape", "3", "--pads", "1,1", "-o", "a.svg"]
    folder.run(*words)
    folder.fail(1, *words, says="exists; -f overwrites it")
    folder.run(*words, "-f")
    folder.save("in.npy", DATA)
    (folder / "in.svg").symlink_to("in.npy")
    folder.fail(3, "show", "in.npy", "--pads", "0,0,0,0", "-f", "-o", "in.svg")
    (folder / "in.svg").unlink()


# ---- Wrong words ---------------------------------------------------------------------------------


def test_full_disk(folder):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [COMMAND, "show", "--shape", "4", "--pads", "1,1"], stdout=full, stderr=subprocess.PIPE
        )
    assert done.returncode == 1 and b"standard output" in done.stderr
