"""Ragged batches, pads to a size and frames in a colour: what is measured, and how each system does it.

SPDX-License-Identifier: MIT

Each function named after data returns {system: call}; a call does all the work from what a program
has to what it needs, and returns it. Where a system can write into memory that is there already,
it does so where the others do, too. Knows nothing of clocks.
"""

import functools
import importlib
import itertools

import cv2
import numpy as np
import tensorpad
import torch
from torch.nn.functional import pad as torch_pad
from torch.nn.utils.rnn import pad_sequence

VALUE = 114  # what detectors of objects put around their images
SIDE = 640
MULTIPLE = 32

torch.set_num_threads(1)
cv2.setNumThreads(1)
tensorpad.set_threads(1)


def optional(name):
    """A library that may be missing, or None."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        print(f"without {name}: {error}")
        return None


# ---- Token ids -----------------------------------------------------------------------------------


def cells(lengths, longest):
    """The mask, as NumPy makes it."""
    return np.arange(longest) < np.array(lengths)[:, None]


def by_tensorpad(rows):
    return tensorpad.pad_batch(rows, mask=True)


def by_torch(rows):
    rows = [torch.as_tensor(row) for row in rows]
    ids = pad_sequence(rows, batch_first=True)
    lengths = torch.tensor([len(row) for row in rows])
    return ids, torch.arange(ids.shape[1]) < lengths[:, None]


def by_keras(rows):
    """The loop of keras.utils.pad_sequences, which fills an array and assigns row by row."""
    lengths = [len(row) for row in rows]
    ids = np.full((len(rows), max(lengths)), 0, "int64")
    for place, row in enumerate(rows):
        row = np.asarray(row, "int64")
        ids[place, : len(row)] = row
    return ids, cells(lengths, ids.shape[1])


def by_numpy_pad(rows):
    lengths = [len(row) for row in rows]
    longest = max(lengths)
    ids = np.stack([np.pad(np.asarray(row, "int64"), (0, longest - len(row))) for row in rows])
    return ids, cells(lengths, longest)


def by_longer_lists(rows):
    lengths = [len(row) for row in rows]
    longest = max(lengths)
    ids = np.array([row + [0] * (longest - len(row)) for row in rows], "int64")
    return ids, cells(lengths, longest)


def by_mask(rows):
    """One assignment for all rows."""
    lengths = [len(row) for row in rows]
    mask = cells(lengths, max(lengths))
    ids = np.zeros(mask.shape, "int64")
    if isinstance(rows[0], list):
        ids[mask] = np.fromiter(itertools.chain.from_iterable(rows), "int64", sum(lengths))
    else:
        ids[mask] = np.concatenate(rows)
    return ids, mask


def by_transformers(tokenizer, rows):
    found = tokenizer.pad({"input_ids": rows}, return_tensors="np")
    return found["input_ids"], found["attention_mask"]


def tokenizer(transformers):
    """One that knows no word: only its pad is used."""
    tokenizers = importlib.import_module("tokenizers")
    found = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizers.Tokenizer(tokenizers.models.WordLevel({"[PAD]": 0})),
        pad_token="[PAD]",
    )
    found.deprecation_warnings["Asking-to-pad-a-fast-tokenizer"] = True  # it would warn once
    return found


def tokens(shortest, longest, kind):
    """64 rows of token ids -> int64 [64, longest] and the mask. kind: list, array or tensor."""
    random = np.random.default_rng(7)
    lengths = random.integers(shortest, longest + 1, 64)
    rows = [random.integers(1, 50000, length) for length in lengths]
    if kind == "tensor":
        rows = [torch.from_numpy(row) for row in rows]
        ways = {"tensorpad": by_tensorpad, "torch pad_sequence": by_torch}
    else:
        ways = {
            "tensorpad": by_tensorpad,
            "torch pad_sequence": by_torch,
            "NumPy, row by row (keras)": by_keras,
            "NumPy, one assignment": by_mask,
            "numpy.pad, stack": by_numpy_pad,
        }
    if kind == "list":
        rows = [row.tolist() for row in rows]
        ways["longer lists, numpy.array"] = by_longer_lists
        transformers = optional("transformers")
        if transformers:
            ways["transformers tokenizer.pad"] = functools.partial(
                by_transformers, tokenizer(transformers)
            )
    return {name: functools.partial(way, rows) for name, way in ways.items()}


# ---- Images --------------------------------------------------------------------------------------


def images():
    """32 images of bytes, channels last, into the middle of [32, 640, 640, 3], which is given."""
    random = np.random.default_rng(8)
    sizes = random.integers(300, SIDE + 1, (32, 2))
    photos = [random.integers(0, 256, (height, width, 3), "u1") for height, width in sizes]
    tensors = [torch.from_numpy(photo) for photo in photos]

    def sides(photo):
        for extent in photo.shape[:2]:
            room = SIDE - extent
            yield from (room // 2, room - room // 2)

    def by_tensorpad(out):
        return tensorpad.pad_batch(
            photos, shape=(SIDE, SIDE, 3), align="center", constant_values=VALUE, out=out
        )

    def by_opencv(out):
        for target, photo in zip(out, photos):
            cv2.copyMakeBorder(
                photo, *sides(photo), cv2.BORDER_CONSTANT, dst=target, value=(VALUE,) * 3
            )
        return out

    def by_slices(out):
        out.fill(VALUE)
        for target, photo in zip(out, photos):
            top, _, left, _ = sides(photo)
            target[top : top + photo.shape[0], left : left + photo.shape[1]] = photo
        return out

    def by_numpy_pad(out):
        padded = []
        for photo in photos:
            top, bottom, left, right = sides(photo)
            pairs = ((top, bottom), (left, right), (0, 0))
            padded.append(np.pad(photo, pairs, constant_values=VALUE))
        return np.stack(padded, out=out)

    def by_torch(out):
        padded = []
        for photo in tensors:
            top, bottom, left, right = sides(photo)
            padded.append(torch_pad(photo, (0, 0, left, right, top, bottom), value=VALUE))
        torch.stack(padded, out=torch.from_numpy(out))
        return out

    ways = {
        "tensorpad": by_tensorpad,
        "cv2.copyMakeBorder": by_opencv,
        "NumPy, fill and slices": by_slices,
        "numpy.pad, stack": by_numpy_pad,
        "torch F.pad, stack": by_torch,
    }
    return {
        name: functools.partial(way, np.full((32, SIDE, SIDE, 3), 7, "u1"))
        for name, way in ways.items()
    }


# ---- Frames in a colour --------------------------------------------------------------------------

FRAME = 20
COLOUR = (124, 116, 104)  # the mean of ImageNet, as bytes


def frames(last):
    """A frame of 20 in a colour, into an array that is given. last: one image of 224 x 224 x 3 bytes;
    else 16 images of 3 x 224 x 224 float32."""
    random = np.random.default_rng(10)
    shape, dtype = ((224, 224, 3), "u1") if last else ((16, 3, 224, 224), "f4")
    data = random.integers(0, 256, shape).astype(dtype)
    axes = (0, 1) if last else (2, 3)
    inside = [slice(None)] * len(shape)
    extents = list(shape)
    for axis in axes:
        inside[axis] = slice(FRAME, -FRAME)
        extents[axis] += 2 * FRAME
    colours = np.array(COLOUR, dtype).reshape((3,) if last else (3, 1, 1))

    def ours(out):
        return tensorpad.pad(
            data, FRAME, constant_values=COLOUR, constant_axis=2 if last else 1, axes=axes, out=out
        )

    def by_opencv(out):
        if last:
            cv2.copyMakeBorder(data, *(FRAME,) * 4, cv2.BORDER_CONSTANT, dst=out, value=COLOUR)
            return out
        for planes, targets in zip(data, out):
            for plane, target, value in zip(planes, targets, COLOUR):
                cv2.copyMakeBorder(
                    plane, *(FRAME,) * 4, cv2.BORDER_CONSTANT, dst=target, value=value
                )
        return out

    def by_slices(out):
        out[...] = colours
        out[tuple(inside)] = data
        return out

    ways = {"tensorpad": ours, "cv2.copyMakeBorder": by_opencv, "NumPy, fill and slices": by_slices}
    return {name: functools.partial(way, np.full(extents, 7, dtype)) for name, way in ways.items()}


# ---- Lists of lists ------------------------------------------------------------------------------


def sentences():
    """64 documents of 1 to 4 lists of 3 to 20 ids, one of 400 -> int64 [64, 400, 20]."""
    random = np.random.default_rng(11)
    counts = random.integers(1, 5, 64)
    counts[31] = 400
    texts = [
        [random.integers(1, 50000, random.integers(3, 21)).tolist() for _ in range(count)]
        for count in counts
    ]

    def by_numpy():
        out = np.zeros(
            (len(texts), max(map(len, texts)), max(len(row) for text in texts for row in text)),
            "int64",
        )
        for place, text in enumerate(texts):
            for line, row in enumerate(text):
                out[place, line, : len(row)] = row
        return out

    return {"tensorpad": lambda: tensorpad.pad_batch(texts), "NumPy, list by list": by_numpy}


# ---- Volumes -------------------------------------------------------------------------------------


def volumes():
    """16 volumes of about 96 x 96 x 96 float32, each to multiples of 32 around its middle."""
    random = np.random.default_rng(9)
    scans = [random.random(tuple(random.integers(80, 113, 3)), "f4") for _ in range(16)]
    tensors = [torch.from_numpy(scan) for scan in scans]

    def sides(extent):
        room = -extent % MULTIPLE
        return room // 2, room - room // 2

    def ours():
        return [tensorpad.pad_to(scan, multiple=MULTIPLE) for scan in scans]

    def by_numpy_pad():
        return [np.pad(scan, [sides(extent) for extent in scan.shape]) for scan in scans]

    def by_slices():
        padded = []
        for scan in scans:
            pairs = [sides(extent) for extent in scan.shape]
            out = np.zeros([n + sum(pair) for n, pair in zip(scan.shape, pairs)], scan.dtype)
            out[tuple(slice(first, first + n) for n, (first, _) in zip(scan.shape, pairs))] = scan
            padded.append(out)
        return padded

    def by_torch():
        return [
            torch_pad(scan, [n for extent in reversed(scan.shape) for n in sides(extent)])
            for scan in tensors
        ]

    found = {
        "tensorpad": ours,
        "NumPy, zeros and a slice": by_slices,
        "numpy.pad": by_numpy_pad,
        "torch F.pad": by_torch,
    }
    monai = optional("monai.transforms")
    if monai:
        pad = monai.DivisiblePad(MULTIPLE)  # wants an axis of channels

        def by_monai():
            return [pad(scan[None])[0] for scan in tensors]

        found["MONAI DivisiblePad"] = by_monai
    return found


WORKLOADS = {
    "64 lists of 20 to 500 ids": functools.partial(tokens, 20, 500, "list"),
    "64 lists of 3 to 20 ids": functools.partial(tokens, 3, 20, "list"),
    "64 arrays of 20 to 500 ids": functools.partial(tokens, 20, 500, "array"),
    "64 arrays of 3 to 20 ids": functools.partial(tokens, 3, 20, "array"),
    "64 tensors of 20 to 500 ids": functools.partial(tokens, 20, 500, "tensor"),
    "64 tensors of 3 to 20 ids": functools.partial(tokens, 3, 20, "tensor"),
    "64 lists of 1 to 400 lists of ids": sentences,
    "32 images to 640 x 640": images,
    "u8 image 224 x 224 x 3, frame in a colour": functools.partial(frames, True),
    "16 f32 images 3 x 224 x 224, the same": functools.partial(frames, False),
    "16 volumes to multiples of 32": volumes,
}
