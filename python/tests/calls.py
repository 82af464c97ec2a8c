"""The functions of the package as tables, by name: what each pads, writes, and takes in each argument.

A function that comes new gets its rows here, and is tested for masks, units, outputs, threads, integers,
constants, hostile arguments, references and memory.
"""

import sys
import threading
import time

import numpy as np
import tensorpad
from tensorpad import mli, ngraph, onnx, openvino

MODES = list(tensorpad._core.modes)
SHAPE, PADDED, WIDTHS = (3, 4), (6, 7), ((1, 2), (2, 1))
CHW = {"layout": "chw", "padding_top": 1, "padding_bottom": 2}
CHW |= {"padding_left": 2, "padding_right": 1}


def _plan(x, mode):
    return tensorpad.Plan(SHAPE, WIDTHS, mode, dtype=x.dtype)


# Each pads an array of SHAPE to PADDED. The arguments are the array, the mode and other keywords.
PADS = {
    "pad": lambda x, mode, **more: tensorpad.pad(x, WIDTHS, mode, **more),
    "pad, axes": lambda x, mode, **more: tensorpad.pad(
        tensorpad.pad(x, (1, 2), mode, axes=0), {1: (2, 1)}, mode, **more
    ),
    "pad, modes": lambda x, mode, **more: tensorpad.pad(x, WIDTHS, [mode, mode], **more),
    "pad_to": lambda x, mode, **more: tensorpad.pad_to(x, PADDED, align=(1, 2), mode=mode, **more),
    "pad_batch": lambda x, mode, **more: tensorpad.pad_batch(
        iter([x[:2], x]), shape=PADDED, align=(1, 2), mode=mode, **more
    )[1],
    "pad_batch_dict": lambda x, mode: tensorpad.pad_batch_dict(
        [{"key": x}], shape=PADDED, align=(1, 2), mode=mode
    )["key"][0],
    "Plan": lambda x, mode, **more: _plan(x, mode)(x, **more),
    "Plan.box": lambda x, mode, **more: _plan(x, mode).box(x, (0, 0), PADDED, **more),
    "onnx.pad": lambda x, mode, **more: onnx.pad(x, [1, 2, 2, 1], mode=mode, **more),
    "openvino.pad": lambda x, mode, **more: openvino.pad(
        x, [1, 2], [2, 1], 0 if mode == "constant" else None, mode, **more
    ),
    "ngraph.pad": lambda x, mode, **more: ngraph.pad(
        x, 0, [1, 2], [2, 1], pad_mode=mode.upper(), **more
    ),
    "mli.padding2d": lambda x, mode, **more: mli.padding2d(
        x.reshape(1, *SHAPE), **CHW, **more
    ).reshape(PADDED),
}
MODES_OF = {name: MODES for name in PADS} | {"mli.padding2d": ["constant"]}
MODES_OF["onnx.pad"] = ["constant", "edge", "reflect", "wrap"]
MODES_OF["openvino.pad"] = MODES_OF["ngraph.pad"] = ["constant", "edge", "reflect", "symmetric"]

BYTES = bytes(6), SHAPE
# Each writes into `out`, and so does each of PADS with it.
WRITES = {name: pad for name, pad in PADS.items() if name != "pad_batch_dict"} | {
    "pad, computed": lambda x, mode, **more: tensorpad.pad(x, WIDTHS, "mean", **more),
    "pad_to, computed": lambda x, mode, **more: tensorpad.pad_to(x, PADDED, mode="mean", **more),
    "pad_batch, lists": lambda x, mode, **more: tensorpad.pad_batch(
        [[[7.0]], [[1], [2, 3]]], shape=PADDED, dtype=x.dtype, **more
    ),
    "pad_border": lambda x, mode, out: tensorpad.pad_border(out, WIDTHS, mode),
    "pad_adjoint": lambda x, mode, **more: tensorpad.pad_adjoint(
        x, PADDED, [(-1, -2), (-2, -1)], mode, **more
    ),
    "pad_packed": lambda x, mode, **more: tensorpad.pad_packed(
        *BYTES, "int4", WIDTHS, mode, **more
    ),
    "onnx.pad_packed": lambda x, mode, **more: onnx.pad_packed(
        *BYTES, "int4", [1, 2, 2, 1], **more
    ),
    "openvino.pad_packed": lambda x, mode, **more: openvino.pad_packed(
        *BYTES, "i4", [1, 2], [2, 1], 0, mode, **more
    ),
}
# The shape and the type of an output, where they are not PADDED and float32.
OUTS = {
    "pad_batch": ((2, *PADDED), "f4"),
    "pad_batch, lists": ((2, *PADDED), "f4"),
    "mli.padding2d": ((1, *PADDED), "i2"),
} | {name: ((21,), "u1") for name in WRITES if "packed" in name}

# ---- Arguments -----------------------------------------------------------------------------------

V4 = np.arange(3, dtype="f4")
F4 = np.zeros((2, 3), "f4")
I1 = np.zeros((2, 3, 4), "i1")
PACKED = np.array([0x21], "u1")


def plan_of(x):
    return tensorpad.Plan(np.shape(x), 1, dtype="f4")


# Each argument that is an array.
ARRAYS = {
    "pad array": lambda it: tensorpad.pad(it, 1),
    "pad array, computed": lambda it: tensorpad.pad(it, 1, "mean"),
    "pad_to x": lambda it: tensorpad.pad_to(it, multiple=8),
    "unpad array": lambda it: tensorpad.unpad(it, 1),
    "unpad_batch batch": lambda it: tensorpad.unpad_batch(it, [1]),
    "pad_border out": lambda it: tensorpad.pad_border(it, 1),
    "pad_adjoint grad": lambda it: tensorpad.pad_adjoint(it, (1, 2), 1),
    "Plan": lambda it: tensorpad.Plan(SHAPE, 1, dtype="f4")(it),
    "Plan.box": lambda it: tensorpad.Plan(SHAPE, 1, dtype="f4").box(it, (0, 0), (1, 1)),
    "show": lambda it: tensorpad.show(it, 1),
    "onnx.pad data": lambda it: onnx.pad(it, [1] * 4),
    "openvino.pad data": lambda it: openvino.pad(it, [1, 1], [1, 1], pad_mode="constant"),
    "ngraph.pad arg": lambda it: ngraph.pad(it, 0, [1, 1], [1, 1]),
    "mli.padding2d tensor": lambda it: mli.padding2d(it, layout="hwc"),
    "pad out": lambda it: tensorpad.pad(np.zeros(SHAPE, "f4"), 0, out=it),
    "pad_packed data": lambda it: tensorpad.pad_packed(it, (8,), "uint4", 1),
    "onnx.pad_packed data": lambda it: onnx.pad_packed(it, (8,), "uint4", [1, 1]),
    "openvino.pad_packed data": lambda it: openvino.pad_packed(
        it, (8,), "u4", [1], [1], pad_mode="constant"
    ),
}
# Each argument, or entry of a list, that is an integer; x: an array of two axes that goes with it.
INTEGERS = {
    "interior": lambda n, x=F4: tensorpad.pad(x, 1, interior=n),
    "interior list": lambda n, x=F4: tensorpad.pad(x, 1, interior=[0, n]),
    "interior dict": lambda n, x=F4: tensorpad.pad(x, 1, interior={1: n}),
    "axes list": lambda n, x=F4: tensorpad.pad(x, 1, axes=[n]),
    "axes": lambda n, x=F4: tensorpad.pad(x, 1, axes=n),
    "dict of widths": lambda n, x=F4: tensorpad.pad(x, {0: n}),
    "dict by axis": lambda n, x=F4: tensorpad.pad(x, {n: 1}, "edge"),
    "threads": lambda n, x=F4: tensorpad.pad(x, 1, threads=n),
    "set_threads": lambda n: tensorpad.set_threads(n),
    "unpad": lambda n, x=F4: tensorpad.unpad(x, 0, axes=[n]),
    "pad_border": lambda n, x=F4: tensorpad.pad_border(x.copy(), 1, axes=[n]),
    "pad_adjoint": lambda n, x=F4: tensorpad.pad_adjoint(x, x.shape, 0, axes=[n]),
    "pad_to shape": lambda n, x=F4: tensorpad.pad_to(x, (2, n), too_long="crop_end"),
    "pad_to multiple": lambda n, x=F4: tensorpad.pad_to(x, multiple=(2, n)),
    "pad_to align": lambda n, x=F4: tensorpad.pad_to(x, 99, align=("start", n)),
    "pad_to axes": lambda n, x=F4: tensorpad.pad_to(x, 99, axes=[n]),
    "pad_to square": lambda n, x=F4: tensorpad.pad_to(x, square=(0, n), mode="reflect"),
    "pad_batch shape": lambda n, x=V4: tensorpad.pad_batch(
        [x], shape=(n, 2)[: x.ndim], too_long="crop_end"
    ),
    "pad_batch multiple": lambda n, x=V4: tensorpad.pad_batch([x], multiple=(n, 1)[: x.ndim]),
    "pad_batch align": lambda n, x=V4: tensorpad.pad_batch([x], shape=99, align=(n, 0)[: x.ndim]),
    "pad_batch threads": lambda n, x=V4: tensorpad.pad_batch([x], threads=n),
    "unpad_batch align": lambda n: tensorpad.unpad_batch(np.zeros((1, 4)), [2], align=[n]),
    "pad_shape": lambda n: tensorpad.pad_shape((2, n), 1),
    "pad_shape whole": lambda n: tensorpad.pad_shape(n, 1),
    "Plan": lambda n: tensorpad.Plan((2, n), 1),
    "Plan whole": lambda n: tensorpad.Plan(n, 1),
    "Plan.box first": lambda n, x=F4: plan_of(x).box(x, (n, 0), (1, 1)),
    "Plan.box extents": lambda n, x=F4: plan_of(x).box(x, (0, 0), (1, n)),
    "Plan.box in_first": lambda n, x=F4: plan_of(x).box(x, (0, 0), (1, 1), in_first=(n, 0)),
    "Plan.needs first": lambda n, x=F4: plan_of(x).needs((n, 0), (1, 1)),
    "Plan.needs extents": lambda n, x=F4: plan_of(x).needs((0, 0), (1, n)),
    "Plan.sources axis": lambda n, x=F4: plan_of(x).sources(n),
    "Plan.sources start": lambda n, x=F4: plan_of(x).sources(0, n),
    "Plan.sources stop": lambda n, x=F4: plan_of(x).sources(0, 0, n),
    "pad_packed shape": lambda n: tensorpad.pad_packed(PACKED, (n,), "int4", 0),
    "onnx pads": lambda n: onnx.pad(V4, [n, 1]),
    "onnx pads in a tuple": lambda n, x=F4: onnx.pad(x, (1, 0, 0, n)),
    "onnx pads of opset 2": lambda n, x=F4: onnx.pad(x, [0, n, 1, 0], opset=2),
    "onnx axes": lambda n, x=F4: onnx.pad(x, [1, 1], axes=[n]),
    "onnx opset": lambda n, x=F4: onnx.pad(x, [1, 1, 1, 1], opset=n),
    "onnx threads": lambda n: onnx.pad(V4, [1, 1], threads=n),
    "onnx pad_packed pads": lambda n: onnx.pad_packed(PACKED, (2,), "int4", [n, 1]),
    "onnx pad_packed shape": lambda n: onnx.pad_packed(PACKED, (n,), "int4", [0, 1]),
    "openvino begin": lambda n, x=F4: openvino.pad(x, [0, n], [1, 0], 0, "constant"),
    "openvino end": lambda n: openvino.pad(V4, [1], [n], 0, "constant"),
    "openvino version": lambda n: openvino.pad(V4, [1], [1], 0, "constant", version=n),
    "openvino pad_packed": lambda n: openvino.pad_packed(PACKED, (2,), "i4", [n], [1], 0, "edge"),
    "ngraph below": lambda n, x=F4: ngraph.pad(x, 0, [0, n], [1, 1]),
    "ngraph above": lambda n: ngraph.pad(V4, 0, [1], [n]),
    "ngraph interior": lambda n: ngraph.pad(V4, 0, [1], [1], [n]),
    "mli": lambda n: mli.padding2d(I1, layout="chw", padding_left=n),
}
# Each function that takes a constant: the first cell of an array of one axis, padded.
CONSTANTS = {
    "pad_to": lambda a, c: tensorpad.pad_to(a, 3, align="end", constant_values=c)[:1],
    "pad_to sides": lambda a, c: tensorpad.pad_to(a, 3, align="end", constant_values=(c, c))[:1],
    "pad_batch": lambda a, c: tensorpad.pad_batch([a], shape=3, align="end", constant_values=c)[
        0, :1
    ],
    "pad_batch_dict": lambda a, c: tensorpad.pad_batch_dict(
        [{"k": a}], shape=3, align="end", constant_values={"k": c}
    )["k"][0, :1],
    "pad_border": lambda a, c: tensorpad.pad_border(tensorpad.pad(a, (1, 0)), 1, constant_values=c)[
        :1
    ],
    "Plan": lambda a, c: tensorpad.Plan((2,), 1, dtype=a.dtype, constant_values=c)(a)[:1],
    "onnx": lambda a, c: onnx.pad(a, [1, 1], c)[:1],
    "openvino": lambda a, c: openvino.pad(a, [1], [1], c, "constant", version=12)[:1],
    "ngraph": lambda a, c: ngraph.pad(a, c, [1], [1])[:1],
}
# The other arguments, and entries of them.
OTHERS = {
    "pad pad_width": lambda it, x=F4: tensorpad.pad(x, it),
    "pad pad_width item": lambda it, x=F4: tensorpad.pad(x, ((0, it), (0, 1))),
    "pad dict pair": lambda it, x=F4: tensorpad.pad(x, {0: (1, it)}),
    "pad mode": lambda it, x=F4: tensorpad.pad(x, 1, it),
    "pad modes": lambda it, x=F4: tensorpad.pad(x, 1, ["edge", it]),
    "pad constant_values": lambda it, x=F4: tensorpad.pad(x, 1, constant_values=it),
    "pad side": lambda it, x=F4: tensorpad.pad(x, 1, constant_values=(1, it)),
    "pad constant_axis": lambda it, x=F4: tensorpad.pad(
        x, {0: 1}, constant_values=[it] * x.shape[1], constant_axis=1
    ),
    "pad order": lambda it, x=F4: tensorpad.pad(x, 1, order=it),
    "pad out": lambda it, x=F4: tensorpad.pad(x, 1, out=it),
    "pad kwargs": lambda it, x=F4: tensorpad.pad(x, 1, reflect_type=it),
    "pad_to whole": lambda it, x=F4: tensorpad.pad_to(x, it),
    "pad_to dict": lambda it, x=F4: tensorpad.pad_to(x, {0: it}),
    "pad_to dict key": lambda it, x=F4: tensorpad.pad_to(x, {it: 3}),
    "pad_to multiples": lambda it, x=F4: tensorpad.pad_to(x, multiple=it),
    "pad_to squares": lambda it, x=F4: tensorpad.pad_to(x, square=it),
    "pad_to all axes": lambda it, x=F4: tensorpad.pad_to(x, 99, axes=it),
    "pad_to aligns": lambda it, x=F4: tensorpad.pad_to(x, 99, align=it),
    "pad_to end": lambda it, x=F4: tensorpad.pad_to(x, 9, align=["end", it], too_long="crop_end"),
    "pad_to too_long": lambda it, x=F4: tensorpad.pad_to(x, 2, too_long=it),
    "pad_to too_long item": lambda it, x=F4: tensorpad.pad_to(x, 4, too_long=[it, it]),
    "pad_to mode": lambda it, x=F4: tensorpad.pad_to(x, 99, mode=it),
    "pad_to modes": lambda it, x=F4: tensorpad.pad_to(x, 99, mode=["edge", it]),
    "pad_to constant": lambda it, x=F4: tensorpad.pad_to(x, 99, align=1, constant_values=it),
    "pad_to out": lambda it, x=F4: tensorpad.pad_to(x, 4, out=it),
    "pad_to return_amounts": lambda it: tensorpad.pad_to(F4, 4, return_amounts=it),
    "pad_to, left to NumPy": lambda it: tensorpad.pad_to(F4, it, multiple=it, mode="mean"),
    "batch items": lambda it: tensorpad.pad_batch(it),
    "batch item": lambda it: tensorpad.pad_batch([F4[0], it]),
    "batch number": lambda it: tensorpad.pad_batch([[1.5], [1, it]]),
    "batch number, typed": lambda it: tensorpad.pad_batch([[1], [1, it]], dtype="i4"),
    "batch list": lambda it: tensorpad.pad_batch([[[1], it]]),
    "batch shapes": lambda it, x=F4: tensorpad.pad_batch([x], shape=it, too_long="crop_end"),
    "batch aligns": lambda it, x=F4: tensorpad.pad_batch([x], shape=99, align=it),
    "batch too_long": lambda it: tensorpad.pad_batch([F4], too_long=it),
    "batch mode": lambda it: tensorpad.pad_batch([F4], mode=it),
    "batch constant": lambda it, x=F4: tensorpad.pad_batch([x], shape=99, constant_values=it),
    "batch dtype": lambda it: tensorpad.pad_batch([F4], dtype=it),
    "batch out": lambda it: tensorpad.pad_batch([F4], out=it),
    "batch mask": lambda it: tensorpad.pad_batch([F4], mask=it),
    "batch lengths": lambda it: tensorpad.pad_batch([F4], lengths=it),
    "unpad_batch lengths": lambda it: tensorpad.unpad_batch(F4, it),
    "unpad_batch aligns": lambda it: tensorpad.unpad_batch(F4, [1, 2], align=it),
    "batch dicts": lambda it: tensorpad.pad_batch_dict(it),
    "batch dict": lambda it: tensorpad.pad_batch_dict([it, {"a": 1}]),
    "batch dict value": lambda it: tensorpad.pad_batch_dict([{"a": [1]}, {"a": it}]),
    "batch dict mask": lambda it: tensorpad.pad_batch_dict([{"a": [1]}], mask=it),
    "unpad widths": lambda it, x=F4: tensorpad.unpad(x, {0: it}),
    "pad_border value": lambda it, x=np.eye(4): tensorpad.pad_border(
        x.copy(), 1, constant_values=it
    ),
    "pad_adjoint shape": lambda it: tensorpad.pad_adjoint(F4, it, 0),
    "pad_adjoint extent": lambda it: tensorpad.pad_adjoint(F4, (2, it), 0),
    "pad_adjoint mode": lambda it, x=F4: tensorpad.pad_adjoint(x, x.shape, 0, it),
    "pad_adjoint out": lambda it, x=F4: tensorpad.pad_adjoint(x, x.shape, 0, out=it),
    "pad_adjoint add": lambda it, x=F4: tensorpad.pad_adjoint(x, x.shape, 0, out=x + 0, add=it),
    "pad_packed dtype": lambda it: tensorpad.pad_packed(b"a", (2,), it, 1),
    "pad_packed value": lambda it: tensorpad.pad_packed(b"a", (2,), "u4", 1, constant_values=it),
    "pad_packed out": lambda it: tensorpad.pad_packed(b"a", (2,), "u4", 1, out=it),
    "onnx all pads": lambda it, x=F4: onnx.pad(x, it),
    "onnx value": lambda it, x=F4: onnx.pad(x, [0, 0, 0, 1], it),
    "onnx all axes": lambda it: onnx.pad(F4, [0, 1], axes=it),
    "onnx mode": lambda it: onnx.pad(F4, [0, 0, 0, 1], mode=it),
    "onnx lenient": lambda it, x=F4: onnx.pad(x, [0, 0, 0, 1], lenient=it),
    "onnx attributes": lambda it: onnx.pad(F4, it, it, opset=2),
    "onnx packed value": lambda it: onnx.pad_packed(b"a", [it], "int4", [0, it], it),
    "openvino all": lambda it: openvino.pad(F4, [0, 0], it, pad_mode="edge"),
    "openvino value": lambda it, x=F4: openvino.pad(x, [0, 1], [0, 0], it, "constant"),
    "openvino packed": lambda it: openvino.pad_packed(b"a", [2], "u4", it, [0], it, "edge"),
    "ngraph value": lambda it, x=F4: ngraph.pad(x, it, [0, 1], [0, 0]),
    "ngraph interiors": lambda it: ngraph.pad(F4, 0, [0, 1], [0, 0], it),
    "mli layout": lambda it: mli.padding2d(I1, layout=it),
    "Plan constant": lambda it: tensorpad.Plan((2, 3), 1, dtype="f4", constant_values=it),
    "Plan.needs": lambda it: plan_of(F4).needs((0, it), it),
    "Plan.sources": lambda it: plan_of(F4).sources(it, it, it),
}
PLACES = ARRAYS | {f"{place}, integer": call for place, call in INTEGERS.items()} | OTHERS


# ---- What both sides of a comparison are made of -------------------------------------------------


def pick(random, *things):
    return things[int(random.integers(len(things)))]


def same(found, wanted):
    """The same type, shape and bits; objects that are equal; lists of such arrays."""
    if isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(same, found, wanted))
    if (found.dtype, found.shape, type(found)) != (wanted.dtype, wanted.shape, type(wanted)):
        return False
    if found.dtype.hasobject:
        return found.tolist() == wanted.tolist()
    if found.dtype.char in "gG":  # a long double has bytes that mean nothing
        return np.array_equal(found, wanted)
    return found.tobytes() == wanted.tobytes()


def outcome(function, *args, **kwargs):
    try:
        return function(*args, **kwargs)
    except Exception as error:
        return error


def run_meanwhile(call):
    """True if another thread makes progress during the call, which is repeated at most 50 times."""
    ticks, done, progressed = [], threading.Event(), False

    def tick():
        while not done.is_set():
            ticks.append(None)
            time.sleep(0.0005)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)  # seconds: nobody hands over the GIL unless he gives it up
    thread = threading.Thread(target=tick)
    try:
        thread.start()
        time.sleep(0.01)
        before = len(ticks)
        for _ in range(50):  # a busy machine may not let the other thread run in the first calls
            call()
            progressed = len(ticks) - before > 1
            if progressed:
                break
    finally:
        done.set()
        sys.setswitchinterval(interval)
        thread.join()
    return progressed
