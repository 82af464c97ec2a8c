from ._overlap import map_overlap as map_overlap
from ._overlap import overlap as overlap
from ._overlap import trim_overlap as trim_overlap
from ._pad import pad as pad

__all__ = ["map_overlap", "overlap", "pad", "trim_overlap"]
