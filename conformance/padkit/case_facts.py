"""What the index says of a case, as the questions that kinds and faults ask of it.

SPDX-License-Identifier: MIT
"""

import functools
import typing

# Ways to give an argument: in the node or beside it; unknown until the model has its inputs.
IN_PLACE = ("attribute", "initializer", "const")
AT_RUN_TIME = ("input", "unsized input", "computed", "parameter")


class Axis(typing.NamedTuple):
    """One axis of the input: its extent and the amounts at its begin and end."""

    extent: int
    begin: int
    end: int

    @property
    def left(self):
        """How many cells the crops leave."""
        return max(0, self.extent + min(0, self.begin) + min(0, self.end))

    @property
    def adds(self):
        return max(0, self.begin) + max(0, self.end)

    @property
    def out(self):
        return self.extent + self.begin + self.end

    @property
    def mixed(self):
        return self.begin * self.end < 0

    @property
    def overcropped(self):
        """One side is cut further than the axis is long."""
        return self.extent + min(self.begin, self.end) < 0


class Facts:
    """An entry of the index. Tags are attributes: facts.mode, facts.opset and so on."""

    def __init__(self, entry):
        self.name = entry["name"]
        self.document = entry["folder"].split("/")[0].removesuffix("-forbidden")
        self.opset = entry["opset"]
        self.forbidden = entry["forbidden"]
        self.shows = entry["shows"]
        self.tags = entry["tags"]

    def __getattr__(self, tag):
        try:
            return self.tags[tag]
        except KeyError:
            raise AttributeError(tag) from None

    @functools.cached_property
    def axes_padded(self):
        """An Axis for each axis of the input; [] where pads and axes make no sense."""
        rank = len(self.shape)
        axes = list(range(rank)) if self.axes is None else self.axes
        count = len(axes)
        bad = [axis for axis in axes if not -rank <= axis < rank]
        if bad or len(self.pads) != 2 * count or len({axis % rank for axis in axes}) != count:
            return []
        amounts = {axis % rank: (self.pads[k], self.pads[count + k]) for k, axis in enumerate(axes)}
        return [Axis(n, *amounts.get(k, (0, 0))) for k, n in enumerate(self.shape)]

    def any_axis(self, test):
        return any(test(axis) for axis in self.axes_padded)

    @property
    def nothing_padded(self):
        return not any(self.pads)

    @property
    def empty_input(self):
        return 0 in self.shape

    @property
    def empty_output(self):
        return self.any_axis(lambda axis: axis.out == 0)

    @property
    def known_pads(self):
        """Pads and axes are in the model, or follow from what is in the model."""
        return self.pads_as not in AT_RUN_TIME and self.axes_as not in AT_RUN_TIME

    def size(self):
        """A key that puts the simplest model first."""
        usual = [
            not self.around,
            self.type == "float",
            self.dynamic == "known",
            self.pads_as in IN_PLACE,
            self.value_as is None,
            self.axes is None,
        ]
        cells = 1
        for extent in self.shape:
            cells *= max(1, extent)
        return (
            -sum(usual),
            len(self.shape),
            cells + sum(map(abs, self.pads)),
            -self.opset,
            self.name,
        )

    def model(self):
        """The model in a few words: float [3], pads [4, 0], wrap, opset 19."""
        words = [f"{self.type} {list(self.shape)}"]
        words.append(f"pads {list(self.pads)}")
        if self.axes is not None:
            words.append(f"axes {self.axes}")
        words.append(f"{self.mode}, opset {self.opset}")
        for name in ("pads_as", "axes_as", "value_as"):
            if self.tags[name] not in (None, *IN_PLACE):
                words.append(f"{name.split('_')[0]}: {self.tags[name]}")
        if self.dynamic != "known":
            words.append(f"dims: {self.dynamic}")
        if self.around:
            words.append(f"beside it: {self.around}")
        return ", ".join(words)
