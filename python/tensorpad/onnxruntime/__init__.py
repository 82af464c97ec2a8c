"""Pad inside ONNX Runtime. `session` makes a session in which tensorpad runs the Pads that ONNX Runtime
gets wrong, refuses or does slower; `register` makes sessions use tensorpad for every Pad, and
`python -m tensorpad.onnxruntime MODEL` compares a model with and without it.
SPDX-License-Identifier: MIT"""

from __future__ import annotations

import os
import pathlib
import sys
from typing import Any, TypeAlias

from . import _prepared, _runtime

# Any: the packages onnx and onnxruntime, which have no types, may be missing.
_Model: TypeAlias = str | os.PathLike[str] | bytes | Any

__all__ = ["library_path", "prepare", "register", "session"]


def library_path() -> str:
    """The path of the plug-in, such as libtensorpad_ort.so, for programs that load it themselves."""
    name = {"win32": "tensorpad_ort.dll", "darwin": "libtensorpad_ort.dylib"}.get(
        sys.platform, "libtensorpad_ort.so"
    )
    path = pathlib.Path(__file__).resolve().parents[1] / "lib" / name
    if not path.is_file():
        raise FileNotFoundError(
            f"{path} is missing: this build of tensorpad has no plug-in for ONNX Runtime"
        )
    return str(path)


def register(session_options: Any, *, prepared: bool = False) -> None:
    """Registers the plug-in: sessions with these options run every Pad on the CPU with tensorpad.

    ONNX Runtime can then no longer make a Pad a part of the Conv behind it: a model with many such Pads
    may take up to 1.8 times as long. `session` leaves these Pads to ONNX Runtime.

    session_options: an onnxruntime.SessionOptions. A second call for the same object does nothing.
        The call keeps an entry "optimization.disable_specified_optimizers" that was added before
        it. An entry that is added after it must also name Pad_Fusion.
    prepared: True for models that `prepare` has written: tensorpad runs the Pads that it has chosen, and
        ONNX Runtime all others.

    Do not use it for sessions on CUDA or DirectML: every Pad would then run on the CPU.

    Raises ImportError if onnxruntime is missing or older than 1.17, TypeError if session_options is
    anything else, FileNotFoundError if tensorpad was built without the plug-in.
    """
    onnxruntime = _runtime._load()
    if not isinstance(session_options, onnxruntime.SessionOptions):
        raise TypeError(
            f"register takes an onnxruntime.SessionOptions, not {type(session_options).__name__}"
        )
    if prepared:
        session_options.add_session_config_entry("tensorpad.only_prepared", "1")
    session_options.register_custom_ops_library(library_path())


def prepare(model: _Model, *, version: str | None = None) -> bytes:
    """The model with each Pad that the plug-in should run in the domain "tensorpad", as bytes.

    These are the Pads that ONNX Runtime gets wrong or refuses (as tensorpad.check_model says), and those
    that it does slower. Others stay as they are: ONNX Runtime makes a Pad of zeros a part of a Conv or
    pool behind it, and moves Transposes and quantisation past its own Pad only.

    model: a path, an onnx.ModelProto, or its bytes. Only a path can have external data; the bytes have to
        be written into its folder, then.
    version: of ONNX Runtime, such as "1.31"; the installed one if None.

    A session for the result needs the plug-in: register(session_options, prepared=True). `session` does
    both. Raises as tensorpad.check_model does.
    """
    return _prepared._prepare(model, version)


def session(model: _Model, session_options: Any = None, **arguments: Any) -> Any:
    """An onnxruntime.InferenceSession of a prepared model.

    model: as in `prepare`.
    session_options: an onnxruntime.SessionOptions; the plug-in is registered with it.
    arguments: other arguments of InferenceSession, such as providers.
    """
    onnxruntime = _runtime._load()
    if session_options is None:
        session_options = onnxruntime.SessionOptions()
    register(session_options, prepared=True)
    return _prepared._open_session(model, session_options, arguments)
