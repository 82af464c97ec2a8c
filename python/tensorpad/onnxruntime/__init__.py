"""Pad inside ONNX Runtime. `session` makes a session whose Pads that ONNX Runtime gets wrong,
refuses or runs slower are run by tensorpad; `register` makes sessions use tensorpad for every Pad,
and `python -m tensorpad.onnxruntime MODEL` compares a model with and without it.
SPDX-License-Identifier: MIT"""

from __future__ import annotations

import os
import pathlib
import re
import sys
import tempfile
import warnings
from typing import Any, TypeAlias

from .. import _errors, _model_files, _models

# Any: onnx and onnxruntime have no types, and may be missing.
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

    ONNX Runtime can then no longer fuse a Pad into the Conv after it: a model with many such Pads
    may take up to 1.8 times as long. `session` leaves these Pads to ONNX Runtime.

    session_options: an onnxruntime.SessionOptions. A second call for the same object does nothing.
        The call keeps an earlier entry "optimization.disable_specified_optimizers"; an entry added
        later must also name Pad_Fusion.
    prepared: True for models written by `prepare`: tensorpad runs the Pads chosen there, and ONNX
        Runtime all others.

    Do not use it for sessions on CUDA or DirectML: every Pad would then run on the CPU.

    Raises ImportError if onnxruntime is missing or older than 1.17, TypeError if session_options is
    anything else, FileNotFoundError if tensorpad was built without the plug-in.
    """
    onnxruntime = _load()
    if not isinstance(session_options, onnxruntime.SessionOptions):
        raise TypeError(
            f"register takes an onnxruntime.SessionOptions, not {type(session_options).__name__}"
        )
    if prepared:
        session_options.add_session_config_entry("tensorpad.only_prepared", "1")
    session_options.register_custom_ops_library(library_path())


def prepare(model: _Model, *, version: str | None = None) -> bytes:
    """The model with each Pad that the plug-in should run in the domain "tensorpad", as bytes.

    These are the Pads that ONNX Runtime gets wrong or refuses (by tensorpad.check_model), and those
    that it runs slower. Others stay unchanged: ONNX Runtime fuses a Pad of zeros into a Conv or
    pool after it, and moves Transposes and quantisation past its own Pad only.

    model: a path, an onnx.ModelProto, or its bytes. Only a path can have external data; the bytes
        must then be written into its folder.
    version: of ONNX Runtime, such as "1.31"; the installed one if None.

    A session for the result needs the plug-in: register(session_options, prepared=True). `session` does
    both. Raises as tensorpad.check_model does.
    """
    if version is None:
        version = "{}.{}".format(*_version_of(_load()))
    with tempfile.TemporaryDirectory() as folder:
        written = pathlib.Path(folder, "prepared.onnx")
        _models.lower(
            _model_files.load(model), (f"ort-{version}",), os.fsencode(written), False, False, True
        )
        return written.read_bytes()


def session(model: _Model, session_options: Any = None, **arguments: Any) -> Any:
    """An onnxruntime.InferenceSession of a prepared model.

    model: as in `prepare`.
    session_options: an onnxruntime.SessionOptions; the plug-in is registered with it.
    arguments: other arguments of InferenceSession, such as providers.
    """
    onnxruntime = _load()
    if session_options is None:
        session_options = onnxruntime.SessionOptions()
    register(session_options, prepared=True)
    return _open_session(model, session_options, arguments)


# ---- Prepared models -----------------------------------------------------------------------------


# The first version with an option for the folder of the external data of a model in memory.
_FIRST_WITH_FOLDER = (1, 22)
_FOLDER = "session.model_external_initializers_file_folder_path"


def _open_session(model, session_options, arguments):
    """A session of the prepared model or, if ONNX Runtime refuses only that, of the original. The
    plug-in is registered with the options."""
    prepared = prepare(model)
    try:
        return _open(prepared, model, session_options, arguments)
    except Exception as refusal:  # its exceptions have no common base class
        name, content = _model_files._source(model)
        try:
            original = _load().InferenceSession(
                name if content is None else content, session_options, **arguments
            )
        except Exception:
            raise refusal from None
        warnings.warn(
            "tensorpad.onnxruntime: the session is without the plug-in's Pads, with which ONNX Runtime "
            f"refuses the model: {refusal}",
            RuntimeWarning,
            stacklevel=3,
        )
        return original


def _open(prepared, model, session_options, arguments):
    onnxruntime = _load()
    if not isinstance(model, (str, os.PathLike)):
        return onnxruntime.InferenceSession(prepared, session_options, **arguments)
    beside = pathlib.Path(model).resolve().parent
    if _version_of(onnxruntime) >= _FIRST_WITH_FOLDER:
        session_options.add_session_config_entry(_FOLDER, str(beside))
        return onnxruntime.InferenceSession(prepared, session_options, **arguments)
    with tempfile.TemporaryDirectory() as folder:
        for file in beside.iterdir():
            pathlib.Path(folder, file.name).symlink_to(file)
        path = pathlib.Path(folder, ".tensorpad-prepared.onnx")
        path.write_bytes(prepared)
        return onnxruntime.InferenceSession(str(path), session_options, **arguments)


# ---- The package onnxruntime, loaded when it is first needed -------------------------------------


_OLDEST = (1, 17)


def _version_of(onnxruntime):
    """(1, 31) of "1.31.1"."""
    return tuple(int(number) for number in re.findall(r"\d+", onnxruntime.__version__)[:2])


def _load():
    """The package; ImportError if it is missing or too old."""
    onnxruntime = _errors.load_extra(
        "onnxruntime", "onnxruntime", "tensorpad.onnxruntime needs ONNX Runtime 1.17 or newer"
    )
    if _version_of(onnxruntime) < _OLDEST:
        raise ImportError(
            f"onnxruntime {onnxruntime.__version__} is too old for tensorpad, which "
            "needs 1.17 or newer",
            name="onnxruntime",
        )
    return onnxruntime
