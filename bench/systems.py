"""How each system is asked to pad, the way its own documents advise.  SPDX-License-Identifier: MIT

One class for each system. `prepare(workload, data, out)` does everything that can be done once and
returns two functions: one to be timed, and one that gives the result as a NumPy array. It raises
Cannot where the system has no such padding.
"""

import ctypes
import functools
import importlib.metadata

import libtensorpad
import numpy as np


class Cannot(Exception):
    """Why a system cannot do a workload."""


class Tensorpad:
    name = "tensorpad"

    def __init__(self, threads, folder):
        self.library = libtensorpad.Library(folder, threads)
        self.version = self.library.version
        self.kernels = self.library.kernels

    def prepare(self, workload, data, out):
        return self.library.prepare(workload, data, out), lambda: out


class OnnxRuntime:
    """A model of one Pad node, its input and output bound to memory that is there already."""

    name = "ORT"
    package = "onnxruntime"
    modes = ("constant", "edge", "reflect", "wrap")

    def __init__(self, threads):
        import onnx.helper
        import onnxruntime

        self.onnx, self.runtime = onnx, onnxruntime
        self.options = onnxruntime.SessionOptions()
        self.options.intra_op_num_threads = threads
        self.options.inter_op_num_threads = 1
        self.options.log_severity_level = 3

    def prepare(self, workload, data, out):
        if workload.mode not in self.modes:
            raise Cannot(f"ONNX has no mode {workload.mode}")
        if any(workload.interior):
            raise Cannot("ONNX has no interior padding")
        helper = self.onnx.helper
        kind = helper.np_dtype_to_tensor_dtype(data.dtype)
        pads = workload.begin + workload.end
        graph = helper.make_graph(
            [helper.make_node("Pad", ["x", "pads"], ["y"], mode=workload.mode)],
            "pad",
            [helper.make_tensor_value_info("x", kind, workload.shape)],
            [helper.make_tensor_value_info("y", kind, workload.out_shape)],
            [helper.make_tensor("pads", self.onnx.TensorProto.INT64, [len(pads)], pads)],
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
        session = self.runtime.InferenceSession(
            model.SerializeToString(), self.options, ["CPUExecutionProvider"]
        )
        binding = session.io_binding()
        binding.bind_input("x", "cpu", 0, data.dtype, data.shape, data.ctypes.data)
        binding.bind_output("y", "cpu", 0, out.dtype, out.shape, out.ctypes.data)
        return functools.partial(session.run_with_iobinding, binding), lambda: out


class OpenVino:
    """A compiled model of one Pad, whose tensors share the memory of NumPy arrays."""

    name = "OpenVINO"
    package = "openvino"
    modes = ("constant", "edge", "reflect", "symmetric")

    def __init__(self, threads):
        import openvino
        import openvino.opset12

        self.openvino = openvino
        self.core = openvino.Core()
        self.settings = {
            "PERFORMANCE_HINT": "LATENCY",
            "INFERENCE_NUM_THREADS": threads,
            # floats are to come out as they went in, not by way of bfloat16
            "EXECUTION_MODE_HINT": "ACCURACY",
        }

    def prepare(self, workload, data, out):
        if workload.mode not in self.modes:
            raise Cannot(f"its Pad has no mode {workload.mode}")
        if any(workload.interior):
            raise Cannot("its Pad has no interior padding")
        opset = self.openvino.opset12
        x = opset.parameter(workload.shape, data.dtype)
        fill = opset.constant(np.zeros((), data.dtype))
        y = opset.pad(x, workload.begin, workload.end, workload.mode, fill)
        model = self.openvino.Model([y], [x])
        request = self.core.compile_model(model, "CPU", self.settings).create_infer_request()
        request.set_input_tensor(self.openvino.Tensor(data, shared_memory=True))
        request.set_output_tensor(self.openvino.Tensor(out, shared_memory=True))
        return request.infer, lambda: out


class Torch:
    """torch.nn.functional.pad, which takes no output: each call brings its own."""

    name = "torch"
    package = "torch"
    modes = {"constant": "constant", "edge": "replicate", "reflect": "reflect", "wrap": "circular"}

    def __init__(self, threads):
        import torch

        torch.set_num_threads(threads)
        torch.set_num_interop_threads(threads)
        torch.set_grad_enabled(False)
        self.torch = torch

    def prepare(self, workload, data, out):
        if workload.mode not in self.modes:
            raise Cannot(f"F.pad has no mode {workload.mode}")
        if any(workload.interior):
            raise Cannot("F.pad has no interior padding")
        x = self.torch.from_numpy(data)
        pad = self.torch.nn.functional.pad
        mode = self.modes[workload.mode]
        axes = [axis for axis, amounts in enumerate(workload.pads) if any(amounts)]
        # the last axis comes first
        amounts = [n for axis in range(x.ndim - 1, axes[0] - 1, -1) for n in workload.pads[axis]]
        if mode == "constant":
            call = functools.partial(pad, x, amounts)
        elif axes[-1] == x.ndim - 1 and x.ndim > len(axes):
            call = functools.partial(pad, x, amounts, mode)
        elif axes[-1] == x.ndim - 1:  # one axis more than the padded ones is asked for

            def call():
                return pad(x.unsqueeze(0), amounts, mode).squeeze(0)

        else:  # an image whose channels are last, as a batch of one whose channels are first
            amounts = amounts[2:]

            def call():
                image = x.permute(2, 0, 1).unsqueeze(0)
                return pad(image, amounts, mode).squeeze(0).permute(1, 2, 0).contiguous()

        return call, lambda: call().numpy()


class OpenCv:
    """copyMakeBorder into an image that is there already; mixChannels where channels are added."""

    name = "OpenCV"
    package = "opencv-python-headless"

    def __init__(self, threads):
        import cv2

        cv2.setNumThreads(threads)
        self.cv2 = cv2
        self.borders = {
            "constant": cv2.BORDER_CONSTANT,
            "edge": cv2.BORDER_REPLICATE,
            "reflect": cv2.BORDER_REFLECT_101,
            "symmetric": cv2.BORDER_REFLECT,
            "wrap": cv2.BORDER_WRAP,
        }

    def prepare(self, workload, data, out):
        if any(workload.interior):
            raise Cannot("no interior padding")
        if workload.crops:
            raise Cannot("copyMakeBorder takes no negative amount")
        pads = workload.pads
        image, target = data, out
        if image.ndim == 4 and image.shape[0] == 1:
            image, target, pads = image[0], target[0], pads[1:]
        if image.ndim > 3 or (image.ndim == 3 and image.shape[2] > 4):
            raise Cannot("not an image of at most 4 channels")
        if image.dtype == np.int64:  # not taken from Python; these are as wide, and only moved
            image, target = image.view(np.float64), target.view(np.float64)
        if image.ndim == 3 and any(pads[2]):
            if any(pads[0] + pads[1]) or workload.mode != "constant":
                raise Cannot("pads channels with zeros only, and nothing else with them")
            first, channels = pads[2][0], range(target.shape[2])
            pairs = [
                index
                for to in channels
                for index in (to - first if 0 <= to - first < image.shape[2] else -1, to)
            ]
            return functools.partial(self.cv2.mixChannels, [image], [target], pairs), lambda: out
        call = functools.partial(
            self.cv2.copyMakeBorder, image, *pads[0], *pads[1], self.borders[workload.mode], target
        )
        if not np.shares_memory(call(), target):
            raise RuntimeError("OpenCV: the output given was not used")
        return call, lambda: out


class Jax:
    """jax.numpy.pad or jax.lax.pad, compiled; the input is on the device before."""

    name = "JAX"
    package = "jax"

    def __init__(self, threads):
        import jax

        jax.config.update("jax_platforms", "cpu")
        jax.config.update("jax_enable_x64", True)
        self.jax = jax

    def prepare(self, workload, data, out):
        jax = self.jax
        if workload.crops or any(workload.interior):
            if workload.mode != "constant":
                raise Cannot("lax.pad has the mode constant only")
            triples = list(zip(workload.begin, workload.end, workload.interior))
            zero = np.zeros((), data.dtype)
            pad = jax.jit(lambda x: jax.lax.pad(x, zero, triples))
        else:
            pad = jax.jit(lambda x: jax.numpy.pad(x, workload.pads, workload.mode))
        x = jax.device_put(data).block_until_ready()
        return lambda: pad(x).block_until_ready(), lambda: np.asarray(pad(x))


class NumPy:
    """numpy.pad, which takes no output; slices where it has no answer."""

    name = "NumPy"
    package = "numpy"

    def __init__(self, threads):
        pass

    def prepare(self, workload, data, out):
        if workload.crops:
            return functools.partial(np.copyto, out, data[workload.kept()]), lambda: out
        if any(workload.interior):
            if workload.mode != "constant":
                raise Cannot("no interior padding")
            target = out[workload.placed()]

            def call():
                out.fill(0)
                target[...] = data

            return call, lambda: out
        call = functools.partial(np.pad, data, workload.pads, workload.mode)
        return call, call


def memcpy(target, source):
    """A function that copies one array onto the other as the C library does."""
    copy = ctypes.CDLL(None).memcpy
    copy.restype = ctypes.c_void_p
    return functools.partial(
        copy,
        ctypes.c_void_p(target.ctypes.data),
        ctypes.c_void_p(source.ctypes.data),
        ctypes.c_size_t(target.nbytes),
    )


RIVALS = (OnnxRuntime, OpenVino, Torch, OpenCv, Jax, NumPy)


def start(threads, folder, wanted):
    """The systems that are there, each with its version, and why the others are not."""
    systems, missing = [Tensorpad(threads, folder)], {}
    for rival in RIVALS:
        if wanted and rival.name not in wanted:
            continue
        try:
            system = rival(threads)
            system.version = importlib.metadata.version(rival.package)
            systems.append(system)
        except (ImportError, OSError) as error:
            missing[rival.name] = str(error).splitlines()[0]
    return systems, missing
