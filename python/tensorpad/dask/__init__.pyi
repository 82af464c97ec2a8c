from ._overlap import (map_overlap as map_overlap, overlap as overlap,
                       trim_overlap as trim_overlap)
from ._pad import pad as pad

__all__ = ["map_overlap", "overlap", "pad", "trim_overlap"]
