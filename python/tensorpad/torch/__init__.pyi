from . import functional as functional
from ._collate import Collate as Collate
from ._collate import collate as collate
from ._module import Pad as Pad
from ._onnx import onnx_translations as onnx_translations
from ._operator import decompositions as decompositions
from ._pad import pad as pad

__all__ = ["Collate", "Pad", "collate", "decompositions", "functional", "onnx_translations", "pad"]
