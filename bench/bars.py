"""The picture of bench/variants.py: bars side by side, and a line at memcpy = 1.

SPDX-License-Identifier: MIT

Writes SVG 1.1 as text and needs no library. The picture looks like that of `tensorpad bench --plot`,
but there the colour of a bar tells its class, and here it tells the variant.
"""

import math
import statistics
import xml.sax.saxutils

WIDTH, LEFT, RIGHT, TOP, BAR, GAP, FOOT = 840, 236, 720, 92, 9, 8, 60
LONGEST = 4  # the scale ends here at the latest
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7")
STYLE = """<style type="text/css">
text{font-family:"DejaVu Sans",Verdana,Helvetica,Arial,sans-serif;font-size:12px;fill:#1f2328}
.page{fill:#ffffff}.small{font-size:11px;fill:#59636e}.grid{stroke:#d8dee4}.one{stroke:#1f2328}
@media (prefers-color-scheme:dark){text{fill:#f0f6fc}.page{fill:#0d1117}.small{fill:#9198a1}
.grid{stroke:#30363d}.one{stroke:#f0f6fc}}
</style>"""


def text(x, y, words, kind="", **more):
    more = "".join(f' {key.replace("_", "-")}="{value}"' for key, value in more.items())
    kind = f' class="{kind}"' if kind else ""
    return f'<text{kind} x="{x:.1f}" y="{y:.1f}"{more}>{xml.sax.saxutils.escape(words)}</text>'


def rect(x, y, width, height, look):
    return f'<rect {look} x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"/>'


def line(x, top, bottom, look):
    return f'<line {look} x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{bottom}"/>'


def draw(path, machine, columns, workloads):
    """columns: with title and ratios; workloads: entries of `tensorpad bench --list --json`."""
    row = BAR * len(columns) + GAP
    bottom = TOP + row * len(workloads)
    longest = max(max(column.medians().values()) for column in columns)
    end = min(LONGEST, max(1.5, math.ceil(longest * 4) / 4))
    scale = (RIGHT - LEFT) / end
    means = [statistics.geometric_mean(column.medians().values()) for column in columns]
    cpu = machine.split(";")[0]
    title = f"Padding on {cpu}: {' and '.join(c.title for c in columns)}"
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="{WIDTH}" '
        f'height="{bottom + FOOT}" viewBox="0 0 {WIDTH} {bottom + FOOT}">',
        f"<title>{xml.sax.saxutils.escape(title)}</title>",
        STYLE,
        rect(0, 0, WIDTH, bottom + FOOT, 'class="page"'),
        text(16, 28, title, style="font-size:17px;font-weight:bold"),
        text(
            16,
            48,
            "Time of a run / time of a memcpy of its output. Shorter is faster. One thread; "
            "the kernels are forced.",
            "small",
        ),
    ]
    step = 0.5 if end > 2 else 0.25
    for number in range(int(end / step) + 1):
        x = LEFT + number * step * scale
        parts += [
            line(x, TOP - 4, bottom, 'class="grid"'),
            text(x, bottom + 16, f"{number * step:g}", "small", text_anchor="middle"),
        ]
    for place, entry in enumerate(workloads):
        top = TOP + row * place
        parts.append(text(LEFT - 8, top + row / 2, entry["label"], text_anchor="end"))
        for number, column in enumerate(columns):
            ratio = column.medians()[entry["name"]]
            look = f'fill="{COLOURS[number]}"'
            parts.append(rect(LEFT, top + BAR * number, min(ratio, end) * scale, BAR - 1, look))
            x = WIDTH - 16 - 42 * (len(columns) - 1 - number)
            parts.append(text(x, top + row / 2, f"{ratio:.2f}", text_anchor="end"))
    one = LEFT + scale
    parts += [
        line(one, TOP - 10, bottom, 'class="one" stroke-width="2.5"'),
        text(one, TOP - 16, "memcpy = 1", text_anchor="middle", style="font-weight:bold"),
    ]
    for number, (column, mean) in enumerate(zip(columns, means)):
        x = LEFT + 260 * number
        parts += [
            rect(x, bottom + 32, 11, 11, f'fill="{COLOURS[number]}"'),
            text(x + 16, bottom + 42, f"{column.title}, geometric mean {mean:.2f}", "small"),
        ]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(parts) + "\n</svg>\n")
