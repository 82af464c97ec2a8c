"""pack_batch and pad_sample, against what people write by hand.  SPDX-License-Identifier: MIT"""

import numpy
import pytest
from tensorpad import block_mask, pack_batch, pad_sample, unpack_batch, unpad_sample

try:
    import torch
except ImportError:
    torch = None
KINDS = [numpy.asarray] + ([torch.as_tensor] if torch else [])
with_torch = pytest.mark.skipif(torch is None, reason="torch is not installed")


def tokens(*lengths):
    return [numpy.arange(1, 1 + length) + 100 * number for number, length in enumerate(lengths)]


# ---- pack_batch ----------------------------------------------------------------------------------


@pytest.mark.parametrize("make", KINDS)
def test_one_row_is_that_of_padding_free_training(make):
    items = tokens(3, 1, 4)
    packed = pack_batch([make(one) for one in items])
    # As transformers' DataCollatorWithFlattening: input_ids, position_ids, cu_seq_lens_q, max_length_q.
    assert packed.batch.tolist() == [sum((one.tolist() for one in items), [])]
    assert packed.positions.tolist() == [[0, 1, 2, 0, 0, 1, 2, 3]]
    assert packed.cu_seqlens.tolist() == [0, 3, 4, 8]
    assert str(packed.cu_seqlens.dtype).endswith("int32")
    assert packed.max_seqlen == 4
    assert packed.places.tolist() == [[0, 0, 3], [0, 3, 1], [0, 4, 4]]


@pytest.mark.parametrize("order", ["given", "longest"])
def test_rows_are_the_items_and_constants(order):
    generator = numpy.random.default_rng(1)
    for _ in range(50):
        lengths = generator.integers(0, 9, generator.integers(1, 12))
        items = [generator.integers(1, 99, (length, 2)) for length in lengths]
        packed = pack_batch(items, 8, order=order, constant_values=-1)
        by_hand = numpy.full((*packed.batch.shape[:2], 2), -1)
        segments = numpy.full(packed.batch.shape[:2], -1)
        for number, (row, first, cells) in enumerate(packed.places):
            assert (segments[row, first : first + cells] == -1).all()
            segments[row, first : first + cells] = number
            by_hand[row, first : first + cells] = items[number]
        numpy.testing.assert_array_equal(packed.batch, by_hand)
        numpy.testing.assert_array_equal(packed.segments, segments)
        flat = segments.ravel()
        starts = [at for at in range(flat.size) if at % 8 == 0 or flat[at] != flat[at - 1]]
        assert packed.cu_seqlens.tolist() == [*starts, flat.size]
        positions = [at - max(one for one in starts if one <= at) for at in range(flat.size)]
        assert packed.positions.ravel().tolist() == positions
        assert packed.max_seqlen == max(positions) + 1
        for one, back in zip(items, unpack_batch(packed.batch, packed.places)):
            numpy.testing.assert_array_equal(one, back)
        places = packed.places[:, :2].tolist()
        assert order == "longest" or places == sorted(places)


def test_longest_first_needs_fewer_rows():
    items = tokens(5, 4, 3, 4)
    assert pack_batch(items, 8).batch.shape == (3, 8)
    assert pack_batch(items, 8, order="longest").batch.shape == (2, 8)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("make", KINDS)
def test_mask_of_blocks(make, causal):
    packed = pack_batch([make(one) for one in tokens(2, 3, 4)], 6)
    mask = block_mask(packed.segments, causal=causal)
    for row, kept in enumerate(packed.segments.tolist()):
        for at, own in enumerate(kept):
            for other, its in enumerate(kept):
                may = own == its and own >= 0 and (other <= at or not causal)
                assert bool(mask[row, at, other]) == (may or at == other)


@with_torch
def test_packed_attention_is_that_of_each_item():
    items = [torch.randn(length, 8, dtype=torch.float64) for length in (3, 5, 2, 6)]
    attend = torch.nn.functional.scaled_dot_product_attention
    for causal in (False, True):
        packed = pack_batch(items, 8)
        mask = block_mask(packed.segments, causal=causal)
        joined = attend(packed.batch, packed.batch, packed.batch, attn_mask=mask)
        for one, found in zip(items, unpack_batch(joined, packed.places)):
            torch.testing.assert_close(
                found, attend(one[None], one[None], one[None], is_causal=causal)[0]
            )


@with_torch
def test_gradients_of_packed_items():
    items = [torch.randn(length, 2, dtype=torch.float64, requires_grad=True) for length in (3, 4)]
    assert torch.autograd.gradcheck(lambda *given: pack_batch(given, 5).batch, items)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: pack_batch([]), ValueError, "no items"),
        (lambda: pack_batch(tokens(3, 9), 8), ValueError, "item 1: 9 cells do not fit into 8"),
        (lambda: pack_batch(tokens(3), 0), ValueError, "at least 1"),
        (lambda: pack_batch(tokens(3), 2.5), TypeError, "length has to be"),
        (lambda: pack_batch([numpy.int64(3)]), ValueError, "item 0 is a single number"),
        (lambda: pack_batch([*tokens(3), numpy.ones(2)]), ValueError, "item 1 has type float64"),
        (lambda: pack_batch(tokens(3), order="best"), ValueError, "'given' or 'longest'"),
        (lambda: pack_batch(tokens(3), too_long="cut"), ValueError, "'crop_start'"),
        (lambda: pack_batch(tokens(3), 4, constant_values=1.5), ValueError, "1.5"),
        (lambda: unpack_batch(numpy.ones((1, 4)), [[0, 2, 3]]), ValueError, "cells 2 to 5"),
    ],
)
def test_what_is_not_packed(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_too_long_items_are_cropped():
    assert pack_batch(tokens(5), 3, too_long="crop_end").batch.tolist() == [[1, 2, 3]]
    assert pack_batch(tokens(5), 3, too_long="crop_start").batch.tolist() == [[3, 4, 5]]
    assert pack_batch([[1, 2], [], [3]], 4).batch.tolist() == [[1, 2, 3, 0]]


# ---- pad_sample ----------------------------------------------------------------------------------


def as_corners(boxes, box_format):
    x, y, across, down = numpy.asarray(boxes, float).T
    if box_format == "xyxy":
        return numpy.stack([x, y, across, down], 1)
    if box_format == "cxcywh":
        x, y = x - across / 2, y - down / 2
    return numpy.stack([x, y, x + across, y + down], 1)


@pytest.mark.parametrize("shares", [False, True])
@pytest.mark.parametrize("box_format", ["xyxy", "xywh", "cxcywh"])
@pytest.mark.parametrize("make", KINDS)
def test_boxes_stay_on_their_pixels(make, box_format, shares):
    image = numpy.zeros((10, 20))
    image[3:5, 6:13] = 1
    boxes = {"xyxy": [6, 3, 13, 5], "xywh": [6, 3, 7, 2], "cxcywh": [9.5, 4, 7, 2]}[box_format]
    boxes = numpy.array([boxes, boxes], float) / ([20, 10, 20, 10] if shares else 1)
    words = {"boxes": make(boxes), "box_format": box_format, "shares": shares}
    made = pad_sample(make(image), shape=(16, 32), axes=(0, 1), **words)
    extents = [32, 16, 32, 16] if shares else 1
    left, top, right, bottom = as_corners(numpy.asarray(made.boxes) * extents, box_format)[1]
    cut = numpy.asarray(made.image)[round(top) : round(bottom), round(left) : round(right)]
    assert cut.shape == (2, 7) and cut.all() and cut.sum() == numpy.asarray(made.image).sum()
    back = unpad_sample(made.image, made.amounts, axes=(0, 1), **words | {"boxes": made.boxes})
    numpy.testing.assert_array_equal(numpy.asarray(back.image), image)
    numpy.testing.assert_allclose(numpy.asarray(back.boxes), boxes)


@pytest.mark.parametrize("make", KINDS)
def test_masks_points_and_colours(make):
    channels_last = make is numpy.asarray
    image = numpy.ones((5, 7, 3) if channels_last else (3, 5, 7), numpy.uint8)
    masks = numpy.ones((2, 5, 7), bool)
    made = pad_sample(
        make(image),
        masks=[make(masks), make(masks[0] * 3)],
        points=[[0, 0, 2], [6, 4, 1]],
        multiple=8,
        align="start",
        constant_values=(7, 8, 9),
        mask_value=True,
    )
    assert made.amounts == ((0, 3), (0, 1))
    corner = made.image[-1, -1] if channels_last else made.image[:, -1, -1]
    assert corner.tolist() == [7, 8, 9]
    assert made.masks[0].shape == (2, 8, 8) and made.masks[0].all()
    assert made.masks[1][-1, -1] == 1
    assert made.points.tolist() == [[0, 0, 2], [6, 4, 1]]
    moved = pad_sample(make(image), points=[[6, 4, 1]], shape=9)
    assert moved.points.tolist() == [[7, 6, 1]] and moved.amounts == ((2, 2), (1, 1))
    cropped = pad_sample(make(image), points=[[6, 4]], shape=3, too_long="crop")
    assert cropped.points.tolist() == [[4, 3]]


@pytest.mark.parametrize("empty", [[], numpy.zeros((0, 4), numpy.float32)])
def test_no_boxes(empty):
    made = pad_sample(numpy.ones((4, 4)), boxes=empty, shape=8)
    assert made.boxes.shape == (0, 4)
    assert unpad_sample(made.image, made.amounts, boxes=made.boxes).boxes.shape == (0, 4)
    assert pad_sample(numpy.ones((4, 4)), points=[], shape=8).points.shape == (0, 2)


@pytest.mark.parametrize("mode", ["reflect", "symmetric", "wrap"])
@pytest.mark.parametrize("make", KINDS)
def test_copies_are_where_the_picture_has_them(make, mode):
    generator = numpy.random.default_rng(2)
    for height, width, side in [(10, 10, 4), (3, 5, 11), (2, 1, 3), (4, 6, -1)]:
        numbers = numpy.arange(height * width).reshape(height, width)
        at = generator.integers(0, [width, height], (3, 2))
        shape = (height + 2 * side, width + 2 * side)
        words = {"points": make(at), "shape": shape, "mode": mode, "too_long": "crop"}
        made = pad_sample(make(numbers), axes=(0, 1), copies=True, **words)
        padded = numpy.asarray(made.image)
        for number, (x, y) in enumerate(at):
            own = numpy.asarray(made.points)[numpy.asarray(made.origins) == number]
            there = numpy.argwhere(padded == numbers[y, x])[:, ::-1]
            assert sorted(own.tolist()) == sorted(there.tolist())
    made = pad_sample(numpy.ones((10, 10)), points=[[2, 3]], shape=18, mode="reflect", copies=True)
    assert made.points.tolist() == [[6, 7], [6, 1], [2, 7], [2, 1]]


def test_numpys_masks_stay_or_are_refused():
    masked = numpy.ma.array(numpy.arange(6).reshape(2, 3), mask=[[0, 1, 0], [0, 0, 0]])
    made = pad_sample(masked, masks=masked, boxes=masked[:1, [0, 1, 2, 0]], shape=(2, 4))
    for one in (made.image, made.masks):
        assert one.mask[:, :3].tolist() == masked.mask.tolist()
    assert made.boxes.mask.tolist() == [[False, True, False, False]]
    assert unpad_sample(made.image, made.amounts).image.mask.tolist() == masked.mask.tolist()
    with pytest.raises(TypeError, match="MaskedArray"):
        pack_batch([masked])
    assert unpack_batch(masked[None], [[0, 0, 1]])[0].mask.tolist() == [[False, True, False]]


@with_torch
def test_gradient_of_a_sample():
    image = torch.randn(1, 3, 4, dtype=torch.float64, requires_grad=True)
    for mode in ("constant", "reflect"):
        assert torch.autograd.gradcheck(lambda x: pad_sample(x, shape=6, mode=mode).image, image)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ({"boxes": [[1, 2, 3]]}, "boxes have 4 numbers"),
        ({"boxes": [[1, 2, 3, 4]], "box_format": "yxyx"}, "box_format has to be"),
        ({"points": [1]}, "points have 2 numbers"),
        ({"masks": numpy.ones((3, 4))}, "a mask has the shape"),
        ({"copies": True}, "copies are for"),
        ({"axes": (0, 5)}, "axes has to name"),
        ({"shape": 3}, "axis 0: 4 cells"),
        ({"constant_values": (1, 2)}, "the image has none"),
    ],
)
def test_what_is_no_sample(words, text):
    with pytest.raises(ValueError, match=text):
        pad_sample(numpy.ones((4, 4)), **{"shape": 8} | words)


def test_what_is_no_padded_sample():
    with pytest.raises(ValueError, match="give the image"):
        unpad_sample(None, ((1, 1), (1, 1)), boxes=[[0, 0, 1, 1]], shares=True)
    found = unpad_sample(None, ((1, 1), (2, 2)), points=[[5, 5]])
    assert found.image is None and found.points.tolist() == [[3, 4]]
    with pytest.raises(ValueError, match="negative"):
        unpad_sample(numpy.ones((4, 4)), ((-1, 0), (0, 0)))
