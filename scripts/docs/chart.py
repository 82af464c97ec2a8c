"""The chart of the README, from the tables that bench/rivals.py wrote into docs/performance.md."""

import pathlib
import re
import sys
import xml.sax.saxutils

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
from bars import STYLE, line, rect, text  # noqa: E402

WIDTH, LEFT, RIGHT, TOP, BAR, GAP, FOOT, END = 720, 216, 620, 76, 12, 12, 70, 4
SHOWN = {  # the two on which tensorpad is not the first are the last
    "f32 [1,64,112,112] H,W 1 constant": "maps of 112 x 112, constant",
    "f32 [8,512,7,7] H,W 1 reflect": "maps of 7 x 7, reflect",
    "f32 [1,128,512,512] H,W 1 (135 MB)": "135 MB of maps, constant",
    "u8 [1080,1920,3] H,W 16 symmetric": "photograph, symmetric",
    "u8 [1080,1920,3] crop to 1024x960": "photograph, cropped",
    "u8 [1,224,224,3] channels 3 -> 4": "image, 3 to 4 channels",
    "f32 [100000,2] last axis 1,1 reflect": "100,000 pairs, reflect",
    "f32 [1,480000] 200,200 reflect": "30 s of sound, reflect",
    "f32 [8,64,112,112] H,W 1 reflect": "27 MB of maps, reflect",
    "f64 [720,1440] last axis 2 wrap": "globe of 720 x 1440, wrap",
}


def table(page, name):
    """The rows of a table by workload: {column: figure or None}."""
    part = page.split(f"<!-- {name}: written", 1)[1].split(f"<!-- end of {name}", 1)[0]
    lines = [row.strip("| ").split(" | ") for row in part.splitlines() if row.startswith("|")]
    figures = {}
    for cells in lines[2:]:
        pairs = zip(lines[0][1:-1], cells[1:-1])
        figures[cells[0]] = {name: None if cell == "-" else float(cell) for name, cell in pairs}
    return figures


def bars(page):
    """For each workload of the chart tensorpad's figure, the best other one, and whose that is."""
    figures = table(page, "rivals")
    for name, label in SHOWN.items():
        rivals = {rival: figure for rival, figure in figures[name].items() if figure}
        ours = rivals.pop("tensorpad")
        best = min(rivals, key=rivals.get)
        yield label, [ours, rivals[best]], best


def machine(page):
    """The processor, as the line below the table names it."""
    return re.search(r"^(.*?); 1 thread; tensorpad's kernels", page, re.MULTILINE)[1]


def draw(page):
    looks = ('fill="#0072b2"', 'fill="#999999"')
    keys = ("tensorpad", "the best of six other libraries")
    rows, row = list(bars(page)), 2 * BAR + GAP
    bottom, scale = TOP + row * len(rows), (RIGHT - LEFT) / END
    title = "Padding at the speed of copying"
    described = "; ".join(f"{label}: {ours}, {rival} {best}" for label, (ours, best), rival in rows)
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="{WIDTH}" '
        f'height="{bottom + FOOT}" viewBox="0 0 {WIDTH} {bottom + FOOT}">',
        f"<title>{title}</title>",
        f"<desc>{xml.sax.saxutils.escape(described)}</desc>",
        STYLE,
        rect(0, 0, WIDTH, bottom + FOOT, 'class="page"'),
        text(16, 26, title, style="font-size:17px;font-weight:bold"),
        text(
            16,
            45,
            "Time of a pad / time of a memcpy of its output. Shorter is faster; bars end at 4.",
            "small",
        ),
    ]
    for number in range(END + 1):
        x = LEFT + number * scale
        parts += [
            line(x, TOP - 4, bottom, 'class="grid"'),
            text(x, bottom + 16, f"{number}", "small", text_anchor="middle"),
        ]
    for place, (label, figures, rival) in enumerate(rows):
        top = TOP + row * place
        parts.append(text(LEFT - 10, top + BAR + 4, label, text_anchor="end"))
        for number, (figure, look) in enumerate(zip(figures, looks)):
            y, end = top + BAR * number, min(figure, END)
            words = f"{figure:.2f} {rival}" if number == 1 else f"{figure:.2f}"
            parts += [
                rect(LEFT, y, end * scale, BAR - 1, look),
                text(LEFT + max(end, 1) * scale + 6, y + 10, words, "small"),
            ]
    one = LEFT + scale
    parts += [
        line(one, TOP - 8, bottom, 'class="one" stroke-width="2.5"'),
        text(one, TOP - 13, "memcpy = 1", text_anchor="middle", style="font-weight:bold"),
    ]
    for number, (key, look) in enumerate(zip(keys, looks)):
        x = 16 + 180 * number
        parts += [rect(x, bottom + 30, 11, 11, look), text(x + 17, bottom + 40, key, "small")]
    parts.append(text(16, bottom + 60, f"Medians on one thread. {machine(page)}.", "small"))
    return "\n".join(parts) + "\n</svg>\n"
