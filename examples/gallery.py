"""One photograph, padded by every mode.
SPDX-License-Identifier: MIT

    python examples/gallery.py PHOTO OUT

Needs tensorpad and Pillow. The last tiles show what numpy.pad does not have.
"""

import sys

import numpy as np
import tensorpad
from PIL import Image, ImageDraw, ImageFont

WIDTH = 96  # of the border, in pixels


def tiles(photo):
    """Captions and pictures."""
    sides = {0: WIDTH, 1: WIDTH}
    yield "constant", tensorpad.pad(photo, sides, constant_values=96)
    yield (
        "constant, a value per side",
        tensorpad.pad(photo, sides, constant_values=((40, 220), (90, 160), (0, 0))),
    )
    for mode in ("edge", "reflect", "symmetric", "wrap"):
        yield mode, tensorpad.pad(photo, sides, mode)
    yield "wrap across, edge above", tensorpad.pad(photo, sides, {0: "edge", 1: "wrap"})
    yield "negative amounts crop", tensorpad.pad(photo, {0: -30, 1: (-80, WIDTH)}, "reflect")
    cells = tensorpad.pad(photo[4::9, 4::9], {0: 6, 1: 6}, interior=(1, 1, 0), constant_values=225)
    yield "interior", cells.repeat(7, axis=0).repeat(7, axis=1)
    for mode in ("linear_ramp", "maximum", "mean", "median", "minimum"):
        yield f"{mode} (by NumPy)", tensorpad.pad(photo, sides, mode)
    odd = tensorpad.pad(photo.astype(int), sides, "reflect", reflect_type="odd")
    yield "reflect, odd (by NumPy)", odd.clip(0, 255).astype(np.uint8)


def main():
    photo = np.asarray(Image.open(sys.argv[1]).convert("RGB").resize((226, 150)))
    across, gap, caption = 5, 12, 28
    height, width = photo.shape[0] + 2 * WIDTH, photo.shape[1] + 2 * WIDTH
    pictures = list(tiles(photo))
    down = -(-len(pictures) // across)
    sheet = Image.new(
        "RGB", (across * (width + gap) + gap, down * (height + gap + caption) + gap), "white"
    )
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(size=19)
    for number, (text, picture) in enumerate(pictures):
        left = gap + number % across * (width + gap)
        top = gap + number // across * (height + gap + caption)
        draw.text((left, top), text, "black", font)
        shown = Image.fromarray(np.ascontiguousarray(picture))
        shown.thumbnail((width, height))
        sheet.paste(
            shown, (left + (width - shown.width) // 2, top + caption + (height - shown.height) // 2)
        )
    sheet.thumbnail((1500, 1500))
    sheet.save(sys.argv[2], quality=82)


if __name__ == "__main__":
    main()
