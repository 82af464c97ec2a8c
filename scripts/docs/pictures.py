#!/usr/bin/env python3
"""Draws README's chart, docs/pictures/speed.svg, and the pictures of the site, which `tensorpad show`
draws, into build/pages."""

import argparse
import pathlib
import struct
import subprocess
import sys
import tempfile
import xml.sax.saxutils

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHART = ROOT / "docs/pictures/speed.svg"
FOLDER = ROOT / "build/pages/docs/pictures"

ONNX = ("<f4", (3, 2), (1.0, 1.2, 2.3, 3.4, 4.5, 5.7))
OPENVINO = ("<i4", (3, 4), tuple(range(1, 13)))
NGRAPH = ("<i4", (3, 3), tuple(range(1, 10)))

# Each picture: the input (an array, or the words for a shape), and the words of the pad.
PICTURES = {
    **{
        f"modes-{mode}": ("--shape 4", f"--spec plain --begin 3 --end 3 --mode {mode}")
        for mode in ("constant", "edge", "reflect", "symmetric", "wrap")
    },
    "interior": ("--shape 4", "--spec plain --begin 1 --end=-2 --interior 1"),
    "onnx-constant": (ONNX, "--spec onnx-25 --mode constant --pads 0,2,0,0 --value 0"),
    "onnx-reflect": (ONNX, "--spec onnx-25 --mode reflect --pads 0,2,0,0"),
    "onnx-edge": (ONNX, "--spec onnx-25 --mode edge --pads 0,2,0,0"),
    "onnx-wrap": (ONNX, "--spec onnx-25 --mode wrap --pads 2,1,1,1"),
    **{
        f"openvino-{mode}": (OPENVINO, f"--spec openvino-1 --begin 0,1 --end 2,3 --mode {mode}")
        for mode in ("constant", "edge", "reflect", "symmetric")
    },
    **{
        f"mixed-{mode}": (OPENVINO, f"--spec openvino-12 --begin 2,-1 --end=-1,3 --mode {mode}")
        for mode in ("edge", "reflect")
    },
    "ngraph": (NGRAPH, "--spec ngraph --begin 1,2 --end 1,0 --interior 1,2 --value 42"),
}


# ---- The pictures of the site ---------------------------------------------------------------------


def write_npy(path, kind, shape, values):
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    cells = struct.pack(f"<{len(values)}{kind[1].replace('4', '')}", *values)
    head = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
    path.write_bytes(head + cells)


def picture(tensorpad, source, words, scratch):
    """What `tensorpad show` draws: SVG."""
    if not isinstance(source, str):
        write_npy(scratch / "data.npy", *source)
        source = "data.npy"
    command = [tensorpad, "show", *words.split(), *source.split(), "-f", "-o", "drawn.svg"]
    made = subprocess.run(command, cwd=scratch, text=True, capture_output=True)
    if made.returncode:
        sys.exit(f"{' '.join(command)}: {made.stderr}")
    return (scratch / "drawn.svg").read_text(encoding="utf-8")


def pictures(tensorpad):
    """Each picture's name and text."""
    with tempfile.TemporaryDirectory() as scratch:
        for name, (source, words) in PICTURES.items():
            yield f"{name}.svg", picture(tensorpad, source, words, pathlib.Path(scratch))


# ---- The chart, from the table of new outputs in docs/performance.md --------------------------------

WIDTH, LEFT, RIGHT, TOP, BAR, GAP, FOOT, END = 720, 180, 640, 76, 11, 8, 70, 3
LOOKS = ('fill="#0072b2"', 'fill="#999999"', 'fill="#cc79a7"')

STYLE = """<style type="text/css">
text{font-family:"DejaVu Sans",Verdana,Helvetica,Arial,sans-serif;font-size:12px;fill:#1f2328}
.page{fill:#ffffff}.small{font-size:11px;fill:#59636e}.grid{stroke:#d8dee4}.one{stroke:#1f2328}
@media (prefers-color-scheme:dark){text{fill:#f0f6fc}.page{fill:#0d1117}.small{fill:#9198a1}
.grid{stroke:#30363d}.one{stroke:#f0f6fc}}
</style>"""


def text_at(x, y, words, kind="", **more):
    more = "".join(f' {key.replace("_", "-")}="{value}"' for key, value in more.items())
    kind = f' class="{kind}"' if kind else ""
    return f'<text{kind} x="{x:.1f}" y="{y:.1f}"{more}>{xml.sax.saxutils.escape(words)}</text>'


def rect(x, y, width, height, look):
    return f'<rect {look} x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"/>'


def line(x, top, bottom, look):
    return f'<line {look} x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{bottom}"/>'


def bars(page):
    """For each array of the table its label, and the times of tensorpad, NumPy and the third library, divided
    by that of a copy."""
    part = page.split("<!-- new outputs: written", 1)[1].split("<!-- end of new outputs", 1)[0]
    rows = [row.strip("| ").split(" | ") for row in part.splitlines() if row.startswith("|")]
    for label, copy, *times in rows[2:]:
        yield label.split(",")[0], [float(time) / float(copy) for time in times if time != "-"]


def draw_chart(page):
    keys = ("tensorpad", "NumPy", "OpenCV (images, matrix) or torch (maps)")
    rows, row = list(bars(page)), 3 * BAR + GAP
    bottom, scale = TOP + row * len(rows), (RIGHT - LEFT) / END
    title = "Pads into new arrays"
    described = "; ".join(
        f"{label}: {', '.join(f'{figure:.2f}' for figure in figures)}" for label, figures in rows
    )
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="{WIDTH}" '
        f'height="{bottom + FOOT}" viewBox="0 0 {WIDTH} {bottom + FOOT}">',
        f"<title>{title}</title>",
        f"<desc>{xml.sax.saxutils.escape(described)}</desc>",
        STYLE,
        rect(0, 0, WIDTH, bottom + FOOT, 'class="page"'),
        text_at(16, 26, title, style="font-size:17px;font-weight:bold"),
        text_at(
            16,
            45,
            "Time of a call / time of y.copy() of its output y. Shorter is faster; bars end at 3.",
            "small",
        ),
    ]
    for number in range(END + 1):
        x = LEFT + number * scale
        parts += [
            line(x, TOP - 4, bottom, 'class="grid"'),
            text_at(x, bottom + 16, f"{number}", "small", text_anchor="middle"),
        ]
    for place, (label, figures) in enumerate(rows):
        top = TOP + row * place
        parts.append(text_at(LEFT - 10, top + 1.5 * BAR + 4, label, text_anchor="end"))
        for number, (figure, look) in enumerate(zip(figures, LOOKS)):
            y, end = top + BAR * number, min(figure, END) * scale
            parts += [
                rect(LEFT, y, end, BAR - 1, look),
                text_at(
                    LEFT + (scale if scale - 36 < end < scale else end) + 6,
                    y + 9,
                    f"{figure:.2f}",
                    "small",
                ),
            ]
    one = LEFT + scale
    parts += [
        line(one, TOP - 8, bottom, 'class="one" stroke-width="2.5"'),
        text_at(one, TOP - 13, "copy = 1", text_anchor="middle", style="font-weight:bold"),
    ]
    for number, (key, look) in enumerate(zip(keys, LOOKS)):
        x = 16 + 120 * number
        parts += [rect(x, bottom + 30, 11, 11, look), text_at(x + 17, bottom + 40, key, "small")]
    words = (
        "Medians by the clock, default threads, every output a new array. AMD EPYC, 2 processors."
    )
    parts.append(text_at(16, bottom + 60, words, "small"))
    return "\n".join(parts) + "\n</svg>\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tensorpad", type=pathlib.Path, help="the command, as build/tensorpad")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail if the chart is old"
    )
    options = parser.parse_args()
    drawn = draw_chart((ROOT / "docs/performance.md").read_text(encoding="utf-8"))
    if options.check:
        old = CHART.read_text(encoding="utf-8") != drawn
        sys.exit(
            "docs/pictures/speed.svg is old: run scripts/docs/pictures.py build/tensorpad"
            if old
            else 0
        )
    CHART.write_text(drawn, encoding="utf-8")
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in pictures(str(options.tensorpad.resolve())):
        (FOLDER / name).write_text(text, encoding="utf-8")


main()
