"""nGraph Pad, with interior padding.  SPDX-License-Identifier: MIT"""

from ._core import ngraph_pad as pad

__all__ = ["pad"]
