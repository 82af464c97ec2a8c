"""The chart of the README, from the table that bench/new_outputs.py wrote into docs/performance.md."""

import xml.sax.saxutils

WIDTH, LEFT, RIGHT, TOP, BAR, GAP, FOOT, END = 720, 180, 640, 76, 11, 8, 70, 3
LOOKS = ('fill="#0072b2"', 'fill="#999999"', 'fill="#cc79a7"')

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


def bars(page):
    """For each array of the table its label, and the times of tensorpad, NumPy and the third library, divided
    by that of a copy."""
    part = page.split("<!-- new outputs: written", 1)[1].split("<!-- end of new outputs", 1)[0]
    rows = [row.strip("| ").split(" | ") for row in part.splitlines() if row.startswith("|")]
    for label, copy, *times in rows[2:]:
        yield label.split(",")[0], [float(time) / float(copy) for time in times if time != "-"]


def draw(page):
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
        text(16, 26, title, style="font-size:17px;font-weight:bold"),
        text(
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
            text(x, bottom + 16, f"{number}", "small", text_anchor="middle"),
        ]
    for place, (label, figures) in enumerate(rows):
        top = TOP + row * place
        parts.append(text(LEFT - 10, top + 1.5 * BAR + 4, label, text_anchor="end"))
        for number, (figure, look) in enumerate(zip(figures, LOOKS)):
            y, end = top + BAR * number, min(figure, END) * scale
            parts += [
                rect(LEFT, y, end, BAR - 1, look),
                text(
                    LEFT + (scale if scale - 36 < end < scale else end) + 6,
                    y + 9,
                    f"{figure:.2f}",
                    "small",
                ),
            ]
    one = LEFT + scale
    parts += [
        line(one, TOP - 8, bottom, 'class="one" stroke-width="2.5"'),
        text(one, TOP - 13, "copy = 1", text_anchor="middle", style="font-weight:bold"),
    ]
    for number, (key, look) in enumerate(zip(keys, LOOKS)):
        x = 16 + 120 * number
        parts += [rect(x, bottom + 30, 11, 11, look), text(x + 17, bottom + 40, key, "small")]
    words = (
        "Medians by the clock, default threads, every output a new array. AMD EPYC, 2 processors."
    )
    parts.append(text(16, bottom + 60, words, "small"))
    return "\n".join(parts) + "\n</svg>\n"
