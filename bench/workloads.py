"""What is measured: the workloads, their input and the output that every system has to give.

SPDX-License-Identifier: MIT

No list: `tensorpad bench --list --json` gives it. The expected output is NumPy's.
"""

import dataclasses
import json
import mmap
import subprocess

import numpy as np


@dataclasses.dataclass(frozen=True)
class Workload:
    name: str
    dtype: str
    shape: list
    begin: list
    end: list
    interior: list
    mode: str

    @property
    def crops(self):
        return min(self.begin + self.end) < 0

    @property
    def pads(self):
        """Pairs of amounts, as numpy.pad takes them."""
        return list(zip(self.begin, self.end))

    @property
    def out_shape(self):
        return [
            before + (extent - 1) * (gap + 1) + 1 + after
            for extent, before, after, gap in zip(self.shape, self.begin, self.end, self.interior)
        ]

    def placed(self):
        """The slices of the output that hold the input's elements, where nothing is cropped."""
        return tuple(
            slice(before, extent - after, gap + 1)
            for extent, before, after, gap in zip(
                self.out_shape, self.begin, self.end, self.interior
            )
        )

    def kept(self):
        """The slices of the input that remain, where nothing is added."""
        return tuple(
            slice(-before, extent + after)
            for extent, before, after in zip(self.shape, self.begin, self.end)
        )


# So small that its time is what a call costs.
TINY = Workload("f32 [2,3] 1 constant", "float32", [2, 3], [1, 1], [1, 1], [0, 0], "constant")


def workloads(command):
    answer = subprocess.run(
        [command, "bench", "--list", "--json"], check=True, capture_output=True, text=True
    )
    fields = [field.name for field in dataclasses.fields(Workload)]
    return [
        Workload(**{field: entry[field] for field in fields})
        for entry in json.loads(answer.stdout)["workloads"]
    ]


def buffer(shape, dtype):
    """Zeros on whole pages of the usual size, for every input and output: large NumPy arrays would
    ask for huge pages, and the rivals that bring their own memory do not."""
    count = int(np.prod(shape))
    pages = mmap.mmap(-1, count * np.dtype(dtype).itemsize)
    return np.frombuffer(pages, dtype, count).reshape(shape)


def sample(workload):
    """An input of plausible values: noise, all of the bytes, token ids."""
    random = np.random.default_rng(1)
    data = buffer(workload.shape, workload.dtype)
    if data.dtype.kind == "f":
        data[...] = random.standard_normal(workload.shape)
    else:
        data[...] = random.integers(0, 256 if data.dtype == np.uint8 else 50000, workload.shape)
    return data


def expected(workload, data):
    if workload.crops:
        return data[workload.kept()]
    if any(workload.interior):
        out = np.zeros(workload.out_shape, data.dtype)
        out[workload.placed()] = data
        return out
    return np.pad(data, workload.pads, workload.mode)
