"""Reads pictures of pads, and says what they have to show.  SPDX-License-Identifier: MIT

What each cell repeats is worked out with numpy.pad of the numbers of the elements.
"""

import random
import xml.etree.ElementTree

import numpy as np

MODES = ("constant", "edge", "reflect", "symmetric", "wrap")
SVG = "{http://www.w3.org/2000/svg}"
CELL = 28  # height of a cell in a drawing


# ---- The oracle ----------------------------------------------------------------------------------


def sources(extent, before, after, interior, mode, order):
    """Of one axis: the element that each cell of the output repeats, -1 for fill. None: not
    allowed."""
    line = np.full(max((extent - 1) * (interior + 1) + 1, 0), -1)
    line[:: interior + 1] = np.arange(extent)
    grow = [max(before, 0), max(after, 0)]
    cut = [max(-before, 0), max(-after, 0)]
    if len(line) + before + after < 0:
        return None
    if mode == "constant":  # the order makes no difference
        grown = np.pad(line, (grow[0], grow[1]), constant_values=-1)
        return grown[cut[0] : len(grown) - cut[1]]
    if order == "crop":
        if len(line) <= sum(cut):
            return None
        line = line[cut[0] : len(line) - cut[1]]
        cut = [0, 0]
    if len(line) == 0:
        return None
    grown = np.pad(line, grow, mode)
    return grown[cut[0] : len(grown) - cut[1]]


def own_places(extent, before, interior):
    """The places of the input with its interior; cell 0 of the output is place 0."""
    return range(before, before + (extent - 1) * (interior + 1) + 1 if extent else before)


class Problem:
    """A pad of one or two axes: `axes` are tuples as `sources` takes them."""

    def __init__(self, axes):
        self.axes = axes
        self.shape = [axis[0] for axis in axes]
        self.lines = [sources(*axis) for axis in axes]
        self.own = [own_places(axis[0], axis[1], axis[3]) for axis in axes]

    @property
    def is_good(self):
        # NumPy wraps and reflects only what has elements.
        return all(line is not None for line in self.lines)

    @property
    def out_shape(self):
        return [len(line) for line in self.lines]

    def element(self, place):
        """The number of the element that a cell repeats, row-major; -1: fill."""
        found = 0
        for axis, at in enumerate(place):
            source = self.lines[axis][at]
            if source < 0:
                return -1
            found = found * self.shape[axis] + int(source)
        return found

    def is_own(self, place):
        return all(at in self.own[axis] for axis, at in enumerate(place))

    def kind(self, place):
        """ "input", "interior", "constant" (fill) or the mode that repeats the element."""
        if self.element(place) < 0:
            return "interior" if self.is_own(place) else "constant"
        outside = [axis for axis, at in enumerate(place) if at not in self.own[axis]]
        return self.axes[outside[0]][4] if outside else "input"

    def second_kind(self, place):
        """The other mode, of a cell that two modes make; else None."""
        outside = {self.axes[axis][4] for axis, at in enumerate(place) if at not in self.own[axis]}
        return self.axes[1][4] if self.element(place) >= 0 and len(outside) == 2 else None

    def label(self, place):
        count = int(np.prod(self.shape))
        element = self.element(place)
        if element < 0:
            return "0"
        return chr(ord("a") + element) if count <= 26 else str(element)

    def cropped(self):
        """The numbers of the elements that the output does not have, in their order."""
        found = []
        for number, index in enumerate(np.ndindex(*self.shape)):
            places = [axis[1] + i * (axis[3] + 1) for axis, i in zip(self.axes, index)]
            if not all(0 <= at < len(line) for at, line in zip(places, self.lines)):
                found.append(number)
        return found

    def words(self):
        """The words of `tensorpad show`."""
        lists = list(zip(*self.axes))
        text = [",".join(map(str, one)) for one in lists]
        return [
            "--spec",
            "plain",
            "--shape",
            text[0],
            f"--begin={text[1]}",
            f"--end={text[2]}",
            "--interior",
            text[3],
            "--mode",
            text[4],
            "--order",
            lists[5][0],
        ]


def problems(count, seed, rank):
    """Problems whose pictures are cell by cell."""
    rng = random.Random(seed)
    found = []
    while len(found) < count:
        order = rng.choice(("window", "crop"))
        mode = rng.choice(MODES)
        axes = [
            (
                rng.randint(0 if rng.random() < 0.1 else 1, 6),
                rng.randint(-3, 7),
                rng.randint(-3, 7),
                rng.choice((0, 0, 0, 1, 2)),
                mode if rng.random() < 0.7 else rng.choice(MODES),
                order,
            )
            for _ in range(rank)
        ]
        problem = Problem(axes)
        if problem.is_good:
            found.append(problem)
    return found


# ---- Pictures ------------------------------------------------------------------------------------


class Drawing:
    """The cells of an SVG: [(y, x, kind, label)], and what else a test asks for."""

    def __init__(self, text):
        root = xml.etree.ElementTree.fromstring(text)
        self.root = root
        self.title = root.find(SVG + "title").text
        self.description = root.find(SVG + "desc").text
        words = {}
        for one in root.iter(SVG + "text"):
            words[round(float(one.get("x")), 1), round(float(one.get("y")), 1)] = one.text
        self.words = list(words.values())
        self.cells, self.cropped, self.frames = [], [], []
        self.triangles = []  # the tints of the second modes
        for one in root.iter(SVG + "path"):
            count = one.get("d").count("Z")
            self.triangles += count * [one.get("class").removeprefix("tp-")]
        for one in root.iter(SVG + "rect"):
            if one.get("x") is None:
                continue
            x, y, width, height = (float(one.get(k)) for k in ("x", "y", "width", "height"))
            dashed = one.get("stroke-dasharray") is not None
            classes = one.get("class").split()
            label = words.get((round(x + width / 2, 1), round(y + height / 2 + 13 * 0.36, 1)), "")
            if dashed and height == CELL - 3:
                self.cropped.append((y, x, label))
            elif classes == ["tp-text-line"] and height != 18:
                self.frames.append((x, y, width, height))
            elif height == CELL:
                self.cells.append((y, x, classes[0][len("tp-") :], label, width))

    def rows(self):
        """Kinds and labels, row by row."""
        rows = {}
        for y, x, kind, label, _ in sorted(self.cells):
            rows.setdefault(y, []).append((kind, label))
        return list(rows.values())


def expected_rows(problem):
    """What the output shows, row by row: (kind, label)."""
    shape = problem.out_shape
    if len(shape) == 1:
        return [[(problem.kind((i,)), problem.label((i,))) for i in range(shape[0])]]
    rows = [
        [(problem.kind((i, j)), problem.label((i, j))) for j in range(shape[1])]
        for i in range(shape[0])
    ]
    return [row for row in rows if row]


def check_drawing(problem, text):
    """Cells, frame, cropped elements and the description of an SVG."""
    drawing = Drawing(text)
    rows = drawing.rows()
    one = len(problem.shape) == 1
    labels = [
        chr(ord("a") + i) if np.prod(problem.shape) <= 26 else str(i)
        for i in range(int(np.prod(problem.shape)))
    ]
    gone = problem.cropped()
    if one:
        kept = [("input", label) for i, label in enumerate(labels) if i not in gone]
        if kept:
            assert rows[0] == kept
            rows = rows[1:]
    assert rows == [row for row in expected_rows(problem) if row]
    assert [label for _, _, label in sorted(drawing.cropped) if label] == [labels[i] for i in gone]
    second = [problem.second_kind(place) for place in np.ndindex(*problem.out_shape)]
    assert drawing.triangles == [kind for kind in second if kind]
    own = [
        len([at for at in places if 0 <= at < len(line)])
        for places, line in zip(problem.own, problem.lines)
    ]
    if all(own):
        width = drawing.cells[0][4]
        height = CELL * (1 if one else own[0])
        assert [frame[2:] for frame in drawing.frames] == [(width * own[-1], height)]
    else:
        assert drawing.frames == []
    told = drawing.description.split(":", 1)[1].rstrip(".").replace(";", "").split()
    assert told == [label for row in expected_rows(problem) for _, label in row]


def check_text(problem, text):
    """The same of text without colours."""
    lines = text.splitlines()
    many = np.prod(problem.shape) > 26
    marks = {"interior": ".", "constant": "#" if many else "0"}
    expected = [[marks.get(kind, label) for kind, label in row] for row in expected_rows(problem)]
    found = []
    for line in lines:
        cells = line[10:]
        head = line[:10].strip()
        is_row = (
            head == "output"
            if len(problem.shape) == 1
            else (
                (not head or head.startswith(("begin", "end")))
                and cells.strip(" +-")
                and "begin" not in cells
                and "end" not in cells
            )
        )
        if not is_row or line.startswith("|a|"):
            continue
        tokens = [word for word in cells.replace("|", " ").split() if not word.startswith("(")]
        if tokens:
            found.append(tokens)
    assert found == [row for row in expected if row], text
