"""Pad inside ONNX Runtime: register gives sessions tensorpad's operator, and
`python -m tensorpad.onnxruntime MODEL` compares a model with and without it.
SPDX-License-Identifier: MIT"""
import pathlib

from . import _runtime

__all__ = ["library_path", "register"]


def library_path():
    """The plug-in, for programs that load it themselves: the path of libtensorpad_ort.so."""
    path = pathlib.Path(__file__).resolve().parents[1] / "lib" / "libtensorpad_ort.so"
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing: this build of tensorpad has no plug-in for "
                                "ONNX Runtime")
    return str(path)


def register(session_options):
    """Makes sessions of these options run every Pad on the CPU with tensorpad.

    session_options: an onnxruntime.SessionOptions. A second call for the same object does nothing.
        An entry "optimization.disable_specified_optimizers" is kept if it was added before. If it
        is added afterwards, it has to name Pad_Fusion too.

    Not for sessions on CUDA or DirectML: every Pad would then run on the CPU.

    Raises ImportError if onnxruntime is missing or older than 1.17, TypeError for anything but
    SessionOptions, FileNotFoundError if tensorpad was built without the plug-in.
    """
    onnxruntime = _runtime.load()
    if not isinstance(session_options, onnxruntime.SessionOptions):
        raise TypeError("register takes an onnxruntime.SessionOptions, not "
                        f"{type(session_options).__name__}")
    session_options.register_custom_ops_library(library_path())
