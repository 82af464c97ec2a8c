"""Functions that the extension calls: foreign arrays, arguments that only NumPy understands,
errors. SPDX-License-Identifier: MIT

set_helpers passes this module to the extension, which finds the functions by name.
"""

import sys

import numpy

from . import _arrays, _core
from ._arguments import (
    axis_values,
    check_bfloat16,
    one_value,
    refuse_align,
    refuse_axis,
    refuse_mode,
    refuse_too_long,
    values,
    widths,
    zero,
)
from ._arrays import is_torch, move_objects, target, tell_written, viewed
from ._batch import (
    batch_array,
    batch_by_places,
    batch_converted,
    batch_like,
    batch_list,
    batch_maker,
    batch_tensors,
    batch_type,
    common_type,
)
from ._carrier_calls import (
    mli_padding2d,
    ngraph_pad,
    onnx_pad,
    openvino_pad,
    pad_adjoint,
    pad_batch,
    pad_border,
    plan_box,
    plan_run,
)
from ._carriers import carries
from ._errors import SpecError
from ._numpy import holds_arrays, pad, pad_to, pads_otherwise
from ._spec import constant, flat, int64s, number, spec_fill, type_word
from ._threads import follow_torch


def source(thing):
    """An input as a NumPy array, and the maker of outputs of its kind; None for NumPy's."""
    given = _arrays.source(thing)
    return given.array, given.empty if isinstance(given, _arrays.TorchSource) else None


def bytes_of(thing):
    """A packed buffer as a NumPy array."""
    if isinstance(thing, (bytes, bytearray)):
        return numpy.frombuffer(thing, numpy.uint8)
    return _arrays.source(thing).array


def gpu_kernel(*which):
    """The code of a kernel."""
    from . import _gpu  # the caller has loaded it

    return _gpu.gpu_kernel(*which)


_core.set_helpers(sys.modules[__name__])
