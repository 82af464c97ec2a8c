"""Pictures of four recipes of docs/recipes.md: runs the code of that page and draws what comes out.
SPDX-License-Identifier: MIT

    python examples/recipes.py PHOTOS OUT

PHOTOS is the folder of coffee.png. Needs tensorpad and Pillow.
"""

import doctest
import os
import pathlib
import sys

import numpy as np
from PIL import Image, ImageDraw, ImageFont

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs/recipes.md"
INK, GREY, BLUE, ORANGE = (32, 32, 32), (225, 225, 225), (31, 90, 180), (225, 95, 0)


def run_page():
    """The names that the code of each section leaves, by the section's first words."""
    names, found = {"__name__": "recipes"}, {}
    for section in PAGE.read_text(encoding="utf-8").split("\n## "):
        for example in doctest.DocTestParser().get_examples(section):
            exec(compile(example.source, PAGE.name, "exec"), names)
        found[section.split("\n", 1)[0]] = dict(names)
    return found


def paper(width, height, scale=1):
    sheet = Image.new("RGB", (width * scale, height * scale), "white")
    return sheet, ImageDraw.Draw(sheet), ImageFont.load_default(size=15 * scale)


def row(pictures, captions):
    """Pictures side by side, each with its caption below."""
    gap = 16
    width = sum(picture.width + gap for picture in pictures) + gap
    tallest = max(picture.height for picture in pictures)
    sheet, draw, font = paper(width, tallest + 2 * gap + 20)
    left = gap
    for picture, caption in zip(pictures, captions):
        sheet.paste(picture, (left, gap + tallest - picture.height))
        draw.text((left, gap + tallest + 6), caption, INK, font)
        left += picture.width + gap
    return sheet


def square(names):
    """The photograph with its boxes, the square with the moved boxes, and what the mask shows."""
    photo, boxes, (left, top) = names["photo"], names["boxes"], (names["left"], names["top"])
    masked = np.where(names["bright"][..., None], photo, photo // 4)
    pictures = [Image.fromarray(cells) for cells in (photo, names["square"], masked)]
    for picture, moved in zip(pictures, (boxes, boxes + (left, top, left, top))):
        for box in moved.tolist():
            ImageDraw.Draw(picture).rectangle(box, None, (0, 255, 0), 4)
    pictures = [picture.reduce(2) for picture in pictures]
    return row(
        pictures,
        ("400 x 600, with boxes", "640 x 640, with moved boxes", "the mask, 400 x 600 again"),
    )


def frames(names):
    """The signal's first samples as a curve, and below it the frames that cover them."""
    shown, scale, border, hop = 1060, 2, names["n_fft"] // 2, names["hop"]
    sheet, draw, font = paper(900, 250, scale)

    def across(sample):
        return (20 + sample * 860 / shown) * scale

    draw.rectangle((across(0), 30 * scale, across(border), 150 * scale), GREY)
    draw.text((across(0), 8 * scale), "reflected: half a frame", INK, font)
    draw.text((across(border), 8 * scale), "the signal", INK, font)
    draw.line(
        [
            (across(sample), (90 - 52 * value) * scale)
            for sample, value in enumerate(names["padded"][:shown])
        ],
        BLUE,
        2 * scale,
        "curve",
    )
    for frame in range(4):
        top, start = (165 + 20 * frame) * scale, frame * hop
        draw.rectangle((across(start), top, across(start + 2 * border), top + 10 * scale), ORANGE)
        draw.line((across(start + border), 30 * scale, across(start + border), top), INK, 1)
        draw.text(
            (across(start + 2 * border) + 6 * scale, top - 5 * scale), f"frame {frame}", INK, font
        )
    return sheet.resize((900, 250), Image.Resampling.LANCZOS)


def heat(names):
    """The three fields, from black over red and yellow to white."""
    fields = (names["start"], names["wrapped"], names["held"])
    pictures = []
    for field in fields:
        level = np.sqrt(np.clip(field / names["held"].max(), 0, 1)) * 3
        colours = np.clip(level[..., None] - (0, 1, 2), 0, 1) * 255
        pictures.append(Image.fromarray(np.uint8(colours.repeat(4, 0).repeat(4, 1))))
    return row(pictures, ("at the start", "after 300 steps, wrap", "after 300 steps, edge"))


def outline(draw, first, extents, colour, width):
    top, left = first
    draw.rectangle((left, top, left + extents[1] - 1, top + extents[0] - 1), None, colour, width)


def tiles(names):
    """The photograph with two tiles and their context; then these tiles as the plan gives them."""
    photo, context, side = names["photo"], names["context"], names["side"]
    sheet = Image.new("RGB", (photo.shape[1] + 2 * context, photo.shape[0] + 2 * context), "white")
    sheet.paste(Image.fromarray(photo), (context, context))
    pictures = [sheet]
    draw = ImageDraw.Draw(sheet)
    for corner in ((0, 0), (side, side)):
        picture = Image.fromarray(names["tile"](*corner))
        for canvas, (top, left) in ((draw, corner), (ImageDraw.Draw(picture), (0, 0))):
            outline(canvas, (top, left), (side + 2 * context,) * 2, INK, 2)
            outline(canvas, (top + context, left + context), (side, side), (255, 255, 255), 2)
        pictures.append(picture)
    return row(
        pictures,
        (
            "two tiles (white) and their context (black)",
            "the tile at (0, 0)",
            f"the tile at ({side}, {side})",
        ),
    )


def main():
    docs = pathlib.Path(sys.argv[2]).resolve()
    os.chdir(sys.argv[1])
    found = run_page()
    square(found["Photographs for a network"]).save(docs / "recipes-square.jpg", quality=80)
    frames(found["Frames for a spectrogram"]).save(docs / "recipes-frames.png", optimize=True)
    heat(found["The halo of a stencil"]).save(docs / "recipes-heat.png", optimize=True)
    tiles(found["A large picture in tiles"]).save(docs / "recipes-tiles.jpg", quality=75)


if __name__ == "__main__":
    main()
