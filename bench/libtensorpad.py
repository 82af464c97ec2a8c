"""tensorpad's C library, called through ctypes.  SPDX-License-Identifier: MIT

The layouts of include/tensorpad/tensorpad.h in ctypes' words.
"""

import ctypes
import functools
from ctypes import POINTER, Structure, byref, c_char_p, c_int32, c_int64, c_size_t, c_void_p

PLAN_BYTES = 1 << 14  # more than sizeof(tpad_plan), which is asked for as a minimum


class Axis(Structure):
    _fields_ = [
        (name, c_int64)
        for name in ("in_extent", "before", "after", "interior", "in_stride", "out_stride")
    ] + [("mode", c_int32), ("order", c_int32)]


class Problem(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("axis_size", c_size_t),
        ("axes", POINTER(Axis)),
        ("rank", c_int32),
        ("elem_bits", c_int32),
        ("in_offset", c_int64),
        ("out_offset", c_int64),
        ("flags", c_int32),
        ("reserved", c_int32),
    ]


class Error(Structure):
    _fields_ = [
        ("code", c_int32),
        ("axis", c_int32),
        ("got", c_int64),
        ("limit", c_int64),
        ("before", c_int64),
        ("after", c_int64),
        ("name", c_char_p),
        ("text", c_char_p),
    ]


class Library:
    """libtensorpad.so; with more than one thread also libtensorpad_threads.so beside it."""

    def __init__(self, folder, threads):
        self.core = ctypes.CDLL(f"{folder}/libtensorpad.so")
        self.core.tpad_version.restype = c_char_p
        self.version = self.core.tpad_version().decode()
        self.core.tpad_kernels_name.restype = c_char_p
        self.kernels = self.core.tpad_kernels_name().decode()
        self.runner = None
        if threads > 1:
            pool_library = ctypes.CDLL(f"{folder}/libtensorpad_threads.so")
            pool_library.tpad_threads_runner.restype = c_void_p
            pool = c_void_p()
            error = Error()
            if pool_library.tpad_threads_create(byref(pool), threads, byref(error)) != 0:
                raise RuntimeError(self.message(error))
            self.runner = c_void_p(pool_library.tpad_threads_runner(pool))

    def message(self, error):
        line = ctypes.create_string_buffer(512)
        self.core.tpad_error_format(byref(error), line, c_size_t(len(line)))
        return line.value.decode()

    def prepare(self, workload, data, out):
        """A function that runs the ready plan once."""
        axes = (Axis * len(workload.shape))()
        mode = self.core.tpad_mode_from_name(workload.mode.encode())
        amounts = zip(workload.shape, workload.begin, workload.end, workload.interior)
        for axis, (extent, before, after, interior) in zip(axes, amounts):
            axis.in_extent, axis.before, axis.after = extent, before, after
            axis.interior, axis.mode = interior, mode
        problem = Problem(
            struct_size=ctypes.sizeof(Problem),
            axis_size=ctypes.sizeof(Axis),
            axes=axes,
            rank=len(axes),
            elem_bits=data.itemsize * 8,
        )
        plan = (c_int64 * (PLAN_BYTES // 8))()
        error = Error()
        if self.core.tpad_plan_init(plan, c_size_t(PLAN_BYTES), byref(problem), byref(error)) != 0:
            raise RuntimeError(self.message(error))
        source, target = c_void_p(data.ctypes.data), c_void_p(out.ctypes.data)
        if self.runner:
            return functools.partial(
                self.core.tpad_run_with, plan, source, target, None, self.runner
            )
        return functools.partial(self.core.tpad_run, plan, source, target, None)
