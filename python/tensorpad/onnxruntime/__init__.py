"""Pad inside ONNX Runtime. `register` makes sessions use tensorpad's operator, and
`python -m tensorpad.onnxruntime MODEL` compares a model with and without it.
SPDX-License-Identifier: MIT"""
import pathlib

from . import _runtime

__all__ = ["library_path", "register"]


def library_path():
    """The path of the plug-in, libtensorpad_ort.so, for programs that load it themselves."""
    path = pathlib.Path(__file__).resolve().parents[1] / "lib" / "libtensorpad_ort.so"
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing: this build of tensorpad has no plug-in for "
                                "ONNX Runtime")
    return str(path)


def register(session_options):
    """Registers the plug-in: sessions with these options run every Pad on the CPU with tensorpad.

    session_options: an onnxruntime.SessionOptions. A second call for the same object does nothing.
        The call keeps an entry "optimization.disable_specified_optimizers" that was added before
        it. An entry that is added after it must also name Pad_Fusion.

    Do not use it for sessions on CUDA or DirectML: every Pad would then run on the CPU.

    Raises ImportError if onnxruntime is missing or older than 1.17, TypeError if session_options is
    anything else, FileNotFoundError if tensorpad was built without the plug-in.
    """
    onnxruntime = _runtime.load()
    if not isinstance(session_options, onnxruntime.SessionOptions):
        raise TypeError("register takes an onnxruntime.SessionOptions, not "
                        f"{type(session_options).__name__}")
    session_options.register_custom_ops_library(library_path())
