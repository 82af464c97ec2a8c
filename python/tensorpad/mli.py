"""embARC MLI padding2d.  SPDX-License-Identifier: MIT"""

from ._core import mli_padding2d as padding2d

__all__ = ["padding2d"]
