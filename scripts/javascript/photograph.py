#!/usr/bin/env python3
"""Makes javascript/playground/photograph.webp, the photograph of the playground. Needs Pillow.

    scripts/javascript/photograph.py DATA      DATA is what scripts/setup/fetch-data.sh made

It is a part of scikit-image's chelsea.png, a photograph by Stefan van der Walt, who gave it to the public
domain (CC0).
"""

import sys
from pathlib import Path

from PIL import Image

PART = (20, 0, 420, 300)  # four to three, with both eyes
SIZE = (256, 192)
OUT = Path(__file__).resolve().parents[2] / "javascript/playground/photograph.webp"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with Image.open(Path(sys.argv[1], "skimage/data/chelsea.png")) as opened:
        small = opened.convert("RGB").crop(PART).resize(SIZE, Image.Resampling.LANCZOS)
    small.save(OUT, quality=62, method=6)
    print(f"{OUT}: {OUT.stat().st_size} bytes")


main()
