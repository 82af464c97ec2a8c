"""Models whose Pads are shared out between ONNX Runtime and the plug-in.  SPDX-License-Identifier: MIT"""

import os
import pathlib
import tempfile
import warnings

from .. import _model_files, _models
from . import _runtime

# The first version that is told in which folder the external data of a model in memory lies.
_FIRST_WITH_FOLDER = (1, 22)
_FOLDER = "session.model_external_initializers_file_folder_path"


def _prepare(model, version):
    """As tensorpad.onnxruntime.prepare says."""
    if version is None:
        version = "{}.{}".format(*_runtime._version_of(_runtime._load()))
    with tempfile.TemporaryDirectory() as folder:
        written = pathlib.Path(folder, "prepared.onnx")
        _models.lower(
            _model_files.load(model), (f"ort-{version}",), os.fsencode(written), False, False, True
        )
        return written.read_bytes()


def _open_session(model, session_options, arguments):
    """A session of the prepared model, or of the model as it is where ONNX Runtime refuses only the prepared
    one. The plug-in is registered with the options."""
    prepared = _prepare(model, None)
    try:
        return _open(prepared, model, session_options, arguments)
    except Exception as refusal:  # its exceptions have no class in common
        name, content = _model_files._source(model)
        try:
            found = _runtime._load().InferenceSession(
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
        return found


def _open(prepared, model, session_options, arguments):
    onnxruntime = _runtime._load()
    if not isinstance(model, (str, os.PathLike)):
        return onnxruntime.InferenceSession(prepared, session_options, **arguments)
    beside = pathlib.Path(model).resolve().parent
    if _runtime._version_of(onnxruntime) >= _FIRST_WITH_FOLDER:
        session_options.add_session_config_entry(_FOLDER, str(beside))
        return onnxruntime.InferenceSession(prepared, session_options, **arguments)
    with tempfile.TemporaryDirectory() as folder:
        for file in beside.iterdir():
            pathlib.Path(folder, file.name).symlink_to(file)
        path = pathlib.Path(folder, ".tensorpad-prepared.onnx")
        path.write_bytes(prepared)
        return onnxruntime.InferenceSession(str(path), session_options, **arguments)
