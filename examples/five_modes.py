"""The five modes on four cells and on a photograph: the picture in README.md.
SPDX-License-Identifier: MIT

    python examples/five_modes.py PHOTO OUT

Needs tensorpad and Pillow.
"""

import sys

import numpy as np
import tensorpad
from PIL import Image, ImageDraw, ImageFont

BORDER = 75  # of the photograph, in pixels
SIDES = 3  # cells before and after the four
COLOURS = {"a": "#56b4e9", "b": "#e69f00", "c": "#009e73", "d": "#cc79a7", "k": "#bbbbbb"}


def font(size):
    return ImageFont.load_default(size=size)


def cells(mode, width):
    """A row of cells: abcd in their place, with a dark frame, and what the mode puts beside them."""
    filled = {"constant_values": "k"} if mode == "constant" else {}
    letters = tensorpad.pad(np.array(list("abcd")), SIDES, mode, **filled)
    strip = Image.new("RGB", (width, 56), "white")
    draw = ImageDraw.Draw(strip)
    step = width / len(letters)
    for place, letter in enumerate(letters):
        inside = SIDES <= place < SIDES + 4
        draw.rectangle(
            (round(place * step), 2, round((place + 1) * step) - 3, 50),
            COLOURS[letter],
            outline="black" if inside else None,
            width=3 if inside else 0,
        )
        draw.text((round((place + 0.5) * step) - 1, 26), letter, "black", font(36), anchor="mm")
    return strip


def photograph(mode, photo):
    """The photograph, padded on each side; a white frame shows where it was."""
    filled = {"constant_values": 0xBB} if mode == "constant" else {}
    padded = Image.fromarray(tensorpad.pad(photo, BORDER, mode, axes=(0, 1), **filled))
    height, width = photo.shape[:2]
    ImageDraw.Draw(padded).rectangle(
        (BORDER - 1, BORDER - 1, BORDER + width, BORDER + height), outline="white", width=2
    )
    return padded


def main():
    photo = np.asarray(Image.open(sys.argv[1]).convert("RGB").resize((226, 150)))
    gap, title, strip, columns = 18, 54, 56, 3
    height, width = photo.shape[0] + 2 * BORDER, photo.shape[1] + 2 * BORDER
    modes = ("constant", "edge", "reflect", "symmetric", "wrap")
    down, across = title + strip + height + gap, width + gap
    sheet = Image.new("RGB", (columns * across + gap, 2 * down), "white")
    for number, mode in enumerate(modes):
        left, top = gap + number % columns * across, number // columns * down
        ImageDraw.Draw(sheet).text((left, top + 2), mode, "black", font(42))
        sheet.paste(cells(mode, width), (left, top + title))
        sheet.paste(photograph(mode, photo), (left, top + title + strip))
    left, top = gap + 2 * across + BORDER, down + title + strip + BORDER
    ImageDraw.Draw(sheet).text((left, top - 52), "the image", "black", font(42))
    sheet.paste(Image.fromarray(photo), (left, top))
    sheet.save(sys.argv[2], quality=82)


if __name__ == "__main__":
    main()
