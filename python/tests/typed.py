"""What type checkers have to accept, the types that they have to see, and at the end what they have
to refuse (test_package.py)."""

from pathlib import Path
from typing import Any, assert_type

import numpy as np
import tensorpad
import xarray as xr
from numpy.typing import NDArray

floats: NDArray[np.float32] = np.zeros((2, 3), np.float32)
small: NDArray[np.int8] = np.zeros((2, 3, 4), np.int8)
out: NDArray[np.float32] = np.empty((4, 5), np.float32)
buffer = bytearray(8)
hidden = np.ma.MaskedArray(floats, mask=False)

# pad: what numpy.pad takes, and more
assert_type(tensorpad.pad(floats, 1), NDArray[np.float32])
anything: NDArray[Any] = floats
assert_type(tensorpad.pad(anything, 1), NDArray[Any])
assert_type(tensorpad.pad_to(anything, 8), NDArray[Any])
assert_type(tensorpad.pad_to(anything, 8, return_amounts=True)[0], NDArray[Any])
assert_type(tensorpad.pad_batch([anything, anything]), NDArray[Any])
assert_type(tensorpad.pad_adjoint(anything, (2, 3), 1), NDArray[Any])
assert_type(tensorpad.unpad(anything, 1), NDArray[Any])
assert_type(tensorpad.onnx.pad(anything, [1] * 4), NDArray[Any])
assert_type(tensorpad.openvino.pad(anything, [1, 1], [1, 1]), NDArray[Any])
assert_type(tensorpad.ngraph.pad(anything, 0, [1, 1], [1, 1]), NDArray[Any])
assert_type(tensorpad.mli.padding2d(anything, layout="chw"), NDArray[Any])
assert_type(tensorpad.pad([1, 2, 3], (1, 2), "edge"), Any)
assert_type(tensorpad.pad(floats, 1, out=out), NDArray[np.float32])
assert_type(tensorpad.pad(memoryview(b"abc"), 1, out=buffer), bytearray)
assert_type(tensorpad.pad(hidden, 1).mask.sum() + tensorpad.pad_to(hidden, 8).mask.sum(), Any)
assert_type(tensorpad.unpad(tensorpad.pad(hidden, 1, "edge"), 1).count(), int)
tensorpad.pad(floats, ((0, 0), (1, 2)), constant_values=((0, 0), (8, 9)))
tensorpad.pad(floats, {0: [1, 2]})
tensorpad.pad(floats, {np.int64(0): np.int8(1), np.int64(1): (np.int64(1), 2)})
tensorpad.pad(floats, {0: np.array([1, 2]), -1: 3})
tensorpad.pad(floats, [[1, 2], [3, 4]], interior=np.array([1, 0]))
tensorpad.pad(floats, np.array([[1, 1], [0, 2]]), interior={0: 1})
tensorpad.pad(floats, 1, {0: "wrap"}, axes=range(2))
tensorpad.pad(floats, 1, ["wrap", "edge"], order="crop", threads=2)
tensorpad.pad(floats, 1, "reflect", reflect_type="odd")
tensorpad.pad(floats, 1, lambda vector, width, axis, kwargs: None, what=10)

# pad_to: one thing for all axes, a list with one for each, a dict
flag = bool(out.any())
assert_type(tensorpad.pad_to(floats, 512), NDArray[np.float32])
assert_type(tensorpad.pad_to([1, 2, 3], (4,)), Any)
assert_type(tensorpad.pad_to(floats, (4, None), out=out), NDArray[np.float32])
assert_type(tensorpad.pad_to(memoryview(b"abc"), 8, out=buffer), bytearray)
padded, fitted = tensorpad.pad_to(floats, multiple=32, return_amounts=True)
assert_type(padded, NDArray[np.float32])
assert_type(fitted, tuple[tuple[int, int], ...])
assert_type(tensorpad.pad_to([1], 3, return_amounts=True)[1], tuple[tuple[int, int], ...])
assert_type(tensorpad.pad_to(floats, 3, out=out, return_amounts=True)[0], NDArray[np.float32])
assert_type(tensorpad.pad_to(floats, 3, return_amounts=flag), Any)
assert_type(tensorpad.unpad(padded, fitted), NDArray[np.float32])
tensorpad.pad_to(floats, np.array([4, 5]), multiple=np.int64(2), square=(0, 1), threads=1)
tensorpad.pad_to(floats, {-1: 8}, multiple=[None, 4], axes=(0, 1), align=["end", 2])
tensorpad.pad_to(floats, align={0: "start"}, too_long=("crop_end", "error"), mode="mean")
tensorpad.pad_to(floats, 9, align=-1, too_long="crop_start", mode=["edge", "wrap"])
tensorpad.pad_to(floats, multiple=["power_of_two", 8], buckets={0: [4, 8]})

# pad_batch: an array, or a tuple of what was asked for
batch: NDArray[np.float32] = np.empty((2, 4, 5), np.float32)
assert_type(tensorpad.pad_batch([floats, floats]), NDArray[np.float32])
assert_type(tensorpad.pad_batch([[1, 2], [3]]), Any)
assert_type(tensorpad.pad_batch((one for one in [[1.5], [2]]), dtype=np.float32), Any)
assert_type(tensorpad.pad_batch([floats, floats], out=batch), NDArray[np.float32])
assert_type(tensorpad.pad_batch([floats], mask=True), tuple[Any, Any])
assert_type(tensorpad.pad_batch([floats], lengths=True), tuple[Any, Any])
assert_type(tensorpad.pad_batch([[[1, 2], [3]]], mask=True, lengths=True), tuple[Any, Any, Any])
assert_type(tensorpad.pad_batch([floats], mask=flag), Any)
tensorpad.pad_batch([floats], shape=(None, 8), multiple=4, align=["end", 1], mode="edge")
tensorpad.pad_batch([floats], shape={1: 2}, too_long=("error", "crop_start"), threads=1)
tensorpad.pad_batch([floats], buckets=(8, 16), constant_values=[1, 2], constant_axis="item")
assert_type(tensorpad.unpad_batch(batch, [1, 2], align="end"), list[Any])
bundle = tensorpad.pack_batch([[1, 2], [3]], 8, order="longest")
assert_type(tensorpad.unpack_batch(bundle.batch, bundle.places), list[Any])
assert_type(bundle.max_seqlen, int)
sample = tensorpad.pad_sample(floats, boxes=[], multiple=8, mode="edge", box_format="cxcywh")
tensorpad.unpad_sample(sample.image, sample.amounts, points=[[1, 2]])
rows: list[dict[str, Any]] = [{"a": [1, 2], "b": 3}]
tensorpad.pad_batch_dict(rows, constant_values={"a": -1}, dtype={"b": "f4"}, mask="m", align="end")
assert_type(tensorpad.pad_batch_dict({"a": [[1], [2, 3]]}, shape=4), dict[Any, Any])
tensorpad.pad_batch_dict(rows, shape={"a": 4}, too_long={"a": "keep"}, mode={"a": ["edge"]})

# around it
assert_type(tensorpad.window_widths((3, 5), 2, shape=(4, 6)), tuple[tuple[int, int], ...])
assert_type(tensorpad.window_widths(3, mode="causal"), tuple[tuple[int, int], ...])
assert_type(tensorpad.unpad(floats, 1, interior=0, axes=-1), NDArray[np.float32])
assert_type(tensorpad.pad_shape((10**9, 3), ((0, 0), (-1, 2)), "edge"), tuple[int, ...])
assert_type(tensorpad.pad_shape(np.int64(3), 1), tuple[int, ...])
assert_type(tensorpad.pad_border(out, 1, "edge", interior=(0, 1)), NDArray[np.float32])
assert_type(tensorpad.pad_adjoint(floats, (2, 3), 1, "wrap", interior=0), NDArray[np.float32])
assert_type(tensorpad.pad_adjoint(floats, 3, 1, out=buffer, add=True), bytearray)
assert_type(tensorpad.thread_count(), int)
tensorpad.set_threads(None)
tensorpad.set_threads(2)

# packed buffers
assert_type(tensorpad.pad_packed(b"\x21\x03", 3, "int4", (1, 0)), NDArray[np.uint8])
assert_type(tensorpad.pad_packed(buffer, (4, 4), "u4", 0, "wrap", out=buffer), bytearray)
assert_type(tensorpad.onnx.pad_packed(buffer, 16, "uint4", [0, 0], 7), NDArray[np.uint8])
assert_type(tensorpad.onnx.pad_packed(buffer, [16], "int2", [1, 0], out=buffer), bytearray)
assert_type(tensorpad.openvino.pad_packed(buffer, 64, "u1", [0], [0], 1), NDArray[np.uint8])

# plans
plan = tensorpad.Plan((2, 3), {1: (0, 2)}, "edge", dtype="f4", constant_values=1.5)
assert_type(plan.shape[0] + plan.out_shape[0], int)
assert_type(plan.dtype, np.dtype[Any])
assert_type(plan(floats), Any)
assert_type(plan.run(floats, out), NDArray[np.float32])
assert_type(plan.box(floats, (0, 0), [1, 1], out, in_first=(0, 0)), NDArray[np.float32])
assert_type(plan.needs((0, 0), (1, 1)), tuple[tuple[int, ...], tuple[int, ...]])
assert_type(plan.sources(-1, 0, 3), list[tuple[slice, slice]])
assert_type(plan.describe(), str)
tensorpad.Plan((), [])
tensorpad.Plan(3, 1)

# the specifications
assert_type(tensorpad.onnx.pad(floats, [0, 1, 0, 1], 1.5), NDArray[np.float32])
assert_type(tensorpad.onnx.pad(floats, np.zeros(4, int), out=out), NDArray[np.float32])
assert_type(tensorpad.onnx.pad([[1.0]], [1, 1], axes=[-1], mode="wrap", opset=19), Any)
assert_type(tensorpad.openvino.pad(floats, [0, 1], (0, 1), pad_mode="edge"), NDArray[np.float32])
assert_type(tensorpad.openvino.pad(floats, [0, 1], [0, 1], out=out), NDArray[np.float32])
assert_type(tensorpad.ngraph.pad(floats, 0, [0, 1], [0, -1], [1, 0]), NDArray[np.float32])
assert_type(tensorpad.mli.padding2d(small, layout="hwc", padding_left=1), NDArray[np.int8])
try:
    tensorpad.onnx.pad(floats, [0])
except tensorpad.SpecError as error:
    assert_type(error.spec, str)
    assert_type(error.axis, int | None)
    assert_type((error.got, error.limit), tuple[int, int])

# models
verdicts: list[dict[str, Any]] = tensorpad.check_model("model.onnx", ("ort", "tract"))
lowered: list[dict[str, Any]] = tensorpad.lower_model(
    "model.onnx", "out.onnx", ["ort"], partial=True, fold=True
)
page: dict[str, Any] = tensorpad.explain("TP104")
node: tensorpad.PadNode = tensorpad.inspect_model("model.onnx")[0]
assert_type(node.name, str)
assert_type(node.begin, tuple[int, ...] | None)
assert_type(tensorpad.run_model("model.onnx", {"x": floats}, node="p"), dict[str, NDArray[Any]])

# inside ONNX Runtime
assert_type(tensorpad.onnxruntime.library_path(), str)
tensorpad.onnxruntime.register(object())

# for torch's DataLoader
collate = tensorpad.torch.collate(multiple=8, fields={"labels": {"constant_values": -100}})
assert_type(collate, tensorpad.torch.Collate)
assert_type(collate([{"labels": floats}]), Any)
tensorpad.torch.collate(shape=(None, 640), align="end", too_long="crop_end", mask=True, dtype="f4")

# pictures
assert_type(
    tensorpad.show((2, 3), ((0, 0), (1, -2)), ["edge", "wrap"], interior=1)._repr_svg_(), str
)
tensorpad.show(floats, 1, order="crop", constant_values=0.5).save("a.svg")

# arrays of dask
lazy = tensorpad.dask.pad(object(), {0: (1, -2)}, ["wrap", "edge"], axes=1, chunks="merge")
tensorpad.dask.pad(lazy, 1, "maximum", chunks={0: 100, 1: -1})
tensorpad.dask.pad(lazy, 1, constant_values=(1, 2), chunks=((3, 4), "auto"))
tensorpad.dask.overlap(lazy, {0: 1, 1: (1, np.int64(2))}, {0: "periodic", 1: None})
tensorpad.dask.trim_overlap(lazy, (1, (1, 2)), "none", chunks=((3, 4), (5,)))
tensorpad.dask.map_overlap(np.add, lazy, lazy, depth=[1, {0: 2}], boundary=["mirror", 0], dtype=int)
tensorpad.dask.map_overlap(np.negative, lazy)

# xarray: the function, because type checkers know no accessors
field: xr.DataArray = xr.DataArray(floats, dims=("lat", "lon"))
assert_type(tensorpad.xarray.pad(field, lon=1, lat=(2, 0)), xr.DataArray)
assert_type(tensorpad.xarray.pad(xr.Dataset({"t": field}), {"lon": np.int64(1)}), xr.Dataset)
tensorpad.xarray.pad(field, {"lon": (1, 2)}, {"lon": "wrap"}, coords={"lon": "extend"})
tensorpad.xarray.pad(field, {"lon": -1}, "mean", 2, keep_attrs=False, interior={"lat": 1})

# arrays of zarr
stored = tensorpad.zarr.pad(
    "in.zarr",
    Path("out.zarr"),
    {0: (1, -2)},
    ["wrap", "edge"],
    chunks=(100, 200),
    memory=1 << 28,
    resume=True,
)

# What they have to refuse: each line from here on, and no other
tensorpad.pad(floats)
tensorpad.pad(floats, 1, "nonsense")
tensorpad.pad(floats, {0: 1.5})
tensorpad.pad(floats, 1, order="first")
tensorpad.pad(floats, 1, interior=1.5)
tensorpad.pad(floats, 1, threads=1.5)
tensorpad.pad_to(floats, 1.5)
tensorpad.pad_to(floats, "512")
tensorpad.pad_to(floats, 4, align="centre")
tensorpad.pad_to(floats, 4, align=1.5)
tensorpad.pad_to(floats, 4, too_long="cut")
tensorpad.pad_to(floats, 4, multiple=(2, 0.5))
tensorpad.pad_to(floats, buckets=[1.5])
tensorpad.pad_sample(floats, box_format="yxyx")
tensorpad.pad_to(floats, 4, square=0)
tensorpad.pad_to(floats, 4, reflect_type="odd")
tensorpad.pad_batch()
tensorpad.pad_batch(3)
tensorpad.pad_batch([floats], 4)
tensorpad.pad_batch([floats], align="left")
tensorpad.pad_batch([floats], mode="mean")
tensorpad.pad_batch([floats], shape=1.5)
tensorpad.pad_batch([floats], too_long="cut")
tensorpad.unpad_batch(floats)
tensorpad.unpad_batch(floats, [1], align=0.5)
tensorpad.pad_batch_dict([floats])
tensorpad.pad_batch_dict([{"a": 1}], lengths=True)
tensorpad.pad_batch_dict([{"a": 1}], mask=True)
tensorpad.unpad(floats, 1, mode="edge")
tensorpad.window_widths(3, mode="SAME")
tensorpad.pad_shape(1.5, 1)
tensorpad.pad_border(floats, 1, "mirror")
tensorpad.pad_adjoint(floats, (1, 2), 1, "mean")
tensorpad.pad_adjoint(floats, (1, 2), 1, add=True)
tensorpad.pad_packed(b"", (3,), "int3", 1)
tensorpad.pad_packed(b"", (3,), 1)
tensorpad.set_threads("2")
tensorpad.Plan((2, 3), 1, "mirror")
plan.box(floats, 0, (1, 1))
plan.shape = (3, 4)
tensorpad.onnx.pad(floats, [0, 1], mode="replicate")
tensorpad.onnx.pad_packed(b"", (3,), "u4", [0, 0])
tensorpad.openvino.pad(floats, [0, 1])
tensorpad.openvino.pad_packed(b"", (3,), "int4", [0], [0])
tensorpad.ngraph.pad(floats, 0, [0, 1], [0, 1], pad_mode="wrap")
tensorpad.mli.padding2d(floats, "hwc")
tensorpad.run_model(3)
tensorpad.lower_model("model.onnx", "out.onnx")
tensorpad.onnxruntime.register()
tensorpad.torch.collate(512)
tensorpad.torch.collate(align="left")
tensorpad.torch.collate(fields={"labels": -100})
tensorpad.dask.pad(object(), 1, "mirror")
tensorpad.dask.pad(object(), 1, "edge", "merge")
tensorpad.dask.pad(object(), 1, chunks=2.5)
tensorpad.dask.overlap(object(), 1)
tensorpad.dask.overlap(object(), {"x": 1}, 0)
tensorpad.dask.map_overlap(object(), np.add, depth=1)
tensorpad.dask.trim_overlap(object(), 1, chunks=3)
tensorpad.xarray.pad(floats, x=1)
tensorpad.xarray.pad(field, 1)
tensorpad.xarray.pad(field, x=1, coords="wrap")
tensorpad.xarray.pad(field, x=1, mode={"x": "mirror"})
tensorpad.xarray.pad(field, x=1.5)
tensorpad.show(floats, 1, "mean")
tensorpad.show((2, 3), 1, out=floats)
