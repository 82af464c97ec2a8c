"""Draws what tensorpad does with photographs, and the recipes of docs/recipes.md.
SPDX-License-Identifier: MIT

    python examples/pictures.py modes PHOTO OUT      the five modes: the picture in README.md
    python examples/pictures.py gallery PHOTO OUT    every mode; what numpy.pad does not have
    python examples/pictures.py recipes PHOTOS OUT   runs that page and draws four recipes

PHOTOS is the folder of coffee.png, OUT of recipes a folder. Needs tensorpad and Pillow.
"""

import doctest
import os
import pathlib
import sys

import numpy as np
import tensorpad
from PIL import Image, ImageDraw, ImageFont

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs/recipes.md"
INK, GREY, BLUE, ORANGE = (32, 32, 32), (225, 225, 225), (31, 90, 180), (225, 95, 0)
MODES = ("constant", "edge", "reflect", "symmetric", "wrap")


def font(size):
    return ImageFont.load_default(size=size)


def load(path):
    return np.asarray(Image.open(path).convert("RGB").resize((226, 150)))


# ---- The five modes, on four cells and on a photograph -------------------------------------------

BORDER = 75  # of the photograph, in pixels
SIDES = 3  # cells before and after the four
COLOURS = {"a": "#56b4e9", "b": "#e69f00", "c": "#009e73", "d": "#cc79a7", "k": "#bbbbbb"}


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


def modes(path, out):
    photo = load(path)
    gap, title, strip, columns = 18, 54, 56, 3
    height, width = photo.shape[0] + 2 * BORDER, photo.shape[1] + 2 * BORDER
    down, across = title + strip + height + gap, width + gap
    sheet = Image.new("RGB", (columns * across + gap, 2 * down), "white")
    for number, mode in enumerate(MODES):
        left, top = gap + number % columns * across, number // columns * down
        ImageDraw.Draw(sheet).text((left, top + 2), mode, "black", font(42))
        sheet.paste(cells(mode, width), (left, top + title))
        sheet.paste(photograph(mode, photo), (left, top + title + strip))
    left, top = gap + 2 * across + BORDER, down + title + strip + BORDER
    ImageDraw.Draw(sheet).text((left, top - 52), "the image", "black", font(42))
    sheet.paste(Image.fromarray(photo), (left, top))
    sheet.save(out, quality=82)


# ---- Every mode ----------------------------------------------------------------------------------

WIDTH = 96  # of the border, in pixels


def padded_by_all(photo):
    """Captions and pictures."""
    sides = {0: WIDTH, 1: WIDTH}
    yield "constant", tensorpad.pad(photo, sides, constant_values=96)
    each = ((40, 220), (90, 160), (0, 0))
    yield "constant, a value per side", tensorpad.pad(photo, sides, constant_values=each)
    for mode in MODES[1:]:
        yield mode, tensorpad.pad(photo, sides, mode)
    yield "wrap across, edge above", tensorpad.pad(photo, sides, {0: "edge", 1: "wrap"})
    yield "negative amounts crop", tensorpad.pad(photo, {0: -30, 1: (-80, WIDTH)}, "reflect")
    apart = tensorpad.pad(photo[4::9, 4::9], {0: 6, 1: 6}, interior=(1, 1, 0), constant_values=225)
    yield "interior", apart.repeat(7, axis=0).repeat(7, axis=1)
    for mode in ("linear_ramp", "maximum", "mean", "median", "minimum"):
        yield f"{mode} (by NumPy)", tensorpad.pad(photo, sides, mode)
    odd = tensorpad.pad(photo.astype(int), sides, "reflect", reflect_type="odd")
    yield "reflect, odd (by NumPy)", odd.clip(0, 255).astype(np.uint8)


def gallery(path, out):
    captions, arrays = zip(*padded_by_all(load(path)))
    pictures = [Image.fromarray(np.ascontiguousarray(array)) for array in arrays]
    for picture in pictures:
        picture.thumbnail(pictures[0].size)
    sheet = side_by_side(pictures, captions, 5)
    sheet.thumbnail((1500, 1500))
    sheet.save(out, quality=82)


def side_by_side(pictures, captions, columns):
    """Pictures in rows, each with its caption below."""
    gap, below = 16, 28
    width = max(picture.width for picture in pictures) + gap
    height = max(picture.height for picture in pictures) + below + gap
    rows = -(-len(pictures) // columns)
    sheet = Image.new("RGB", (columns * width + gap, rows * height + gap), "white")
    for number, (picture, caption) in enumerate(zip(pictures, captions)):
        left, bottom = gap + number % columns * width, (number // columns + 1) * height - below
        sheet.paste(picture, (left, bottom - picture.height))
        ImageDraw.Draw(sheet).text((left, bottom + 4), caption, INK, font(16))
    return sheet


# ---- Recipes -------------------------------------------------------------------------------------


def run_page():
    """The names that the code of each section leaves, by the section's first words."""
    names, found = {"__name__": "recipes"}, {}
    for section in PAGE.read_text(encoding="utf-8").split("\n## "):
        for example in doctest.DocTestParser().get_examples(section):
            exec(compile(example.source, PAGE.name, "exec"), names)
        found[section.split("\n", 1)[0]] = dict(names)
    return found


def square(names):
    """The photograph with its boxes, the square with the moved boxes, and what the mask shows."""
    photo, boxes, (left, top) = names["photo"], names["boxes"], (names["left"], names["top"])
    masked = np.where(names["bright"][..., None], photo, photo // 4)
    pictures = [Image.fromarray(each) for each in (photo, names["square"], masked)]
    for picture, moved in zip(pictures, (boxes, boxes + (left, top, left, top))):
        for box in moved.tolist():
            ImageDraw.Draw(picture).rectangle(box, None, (0, 255, 0), 4)
    captions = "400 x 600, with boxes", "640 x 640, with moved boxes", "the mask, 400 x 600 again"
    return side_by_side([picture.reduce(2) for picture in pictures], captions, 3)


def frames(names):
    """The signal's first samples as a curve, and below it the frames that cover them."""
    shown, scale, border, hop = 1060, 2, names["n_fft"] // 2, names["hop"]
    sheet = Image.new("RGB", (900 * scale, 250 * scale), "white")
    draw, small = ImageDraw.Draw(sheet), font(15 * scale)

    def at(sample, down):
        return (20 + sample * 860 / shown) * scale, down * scale

    draw.rectangle((at(0, 30), at(border, 150)), GREY)
    draw.text(at(0, 8), "reflected: half a frame", INK, small)
    draw.text(at(border, 8), "the signal", INK, small)
    curve = [at(n, 90 - 52 * value) for n, value in enumerate(names["padded"][:shown])]
    draw.line(curve, BLUE, 2 * scale, "curve")
    for frame in range(4):
        top, start = 165 + 20 * frame, frame * hop
        draw.rectangle((at(start, top), at(start + 2 * border, top + 10)), ORANGE)
        draw.line((at(start + border, 30), at(start + border, top)), INK, 1)
        draw.text(at(start + 2 * border + 7, top - 5), f"frame {frame}", INK, small)
    return sheet.resize((900, 250), Image.Resampling.LANCZOS)


def heat(names):
    """The three fields, from black over red and yellow to white."""
    pictures = []
    for field in (names["start"], names["wrapped"], names["held"]):
        level = np.sqrt(np.clip(field / names["held"].max(), 0, 1)) * 3
        colours = np.clip(level[..., None] - (0, 1, 2), 0, 1) * 255
        pictures.append(Image.fromarray(np.uint8(colours.repeat(4, 0).repeat(4, 1))))
    captions = "at the start", "after 300 steps, wrap", "after 300 steps, edge"
    return side_by_side(pictures, captions, 3)


def tiles(names):
    """The photograph with two tiles and their context; then these tiles as the plan gives them."""
    photo, context, side = names["photo"], names["context"], names["side"]
    sheet = Image.new("RGB", (photo.shape[1] + 2 * context, photo.shape[0] + 2 * context), "white")
    sheet.paste(Image.fromarray(photo), (context, context))
    pictures = [sheet, *(Image.fromarray(names["tile"](at, at)) for at in (0, side))]
    for picture, at in ((sheet, 0), (sheet, side), (pictures[1], 0), (pictures[2], 0)):
        for inset, colour in ((0, INK), (context, "white")):
            first, last = at + inset, at + side + 2 * context - inset - 1
            ImageDraw.Draw(picture).rectangle((first, first, last, last), None, colour, 2)
    captions = "two tiles (white), their context (black)", "the tile at (0, 0)"
    return side_by_side(pictures, (*captions, f"the tile at ({side}, {side})"), 3)


def recipes(photos, out):
    folder = pathlib.Path(out).resolve()
    os.chdir(photos)
    found = run_page()
    square(found["Photographs for a network"]).save(folder / "recipes-square.jpg", quality=80)
    frames(found["Frames for a spectrogram"]).save(folder / "recipes-frames.png", optimize=True)
    heat(found["The halo of a stencil"]).save(folder / "recipes-heat.png", optimize=True)
    tiles(found["A large picture in tiles"]).save(folder / "recipes-tiles.jpg", quality=75)


if __name__ == "__main__":
    what, given, made = sys.argv[1:]
    {"modes": modes, "gallery": gallery, "recipes": recipes}[what](given, made)
