"""The picture of the page: a grid of cells, runtimes across and kinds of cases down, as SVG 1.1.

SPDX-License-Identifier: MIT

A cell is a bar of all its cases, one colour and pattern for each verdict, and a letter with a count
for the worst of them. The colours are those of Okabe and Ito, which colour-blind people can tell apart.
"""

import itertools
import xml.sax.saxutils

from padkit.recorded import LETTERS

LEFT, TOP, WIDTH, HEIGHT, GAP, MARGIN = 320, 166, 74, 19, 3, 20
BETWEEN = 10  # families, and groups of kinds
THINNEST = 3.5  # a part of a bar that is not empty
STYLE = """<style type="text/css">
text{font-family:"DejaVu Sans",Verdana,Helvetica,Arial,sans-serif;font-size:12px;fill:#1f2328}
.page{fill:#ffffff}.quiet{fill:#59636e}.small{font-size:11px}.title{font-size:19px;font-weight:bold}
.group{font-size:11px;font-weight:bold;fill:#59636e}.family{font-weight:bold}
.line{stroke:#d0d7de}.none{fill:#eef1f4}
.same{fill:#b5d3ea}.refuses{fill:url(#refuses)}.accepts{fill:url(#accepts)}.differs{fill:#e6850f}
.crashes{fill:#1f2328}.on{font-size:11px;font-weight:bold}
.right{fill:#0b5a94;font-weight:normal}.halo{fill:#1f2328}
.back{fill:#c5c9ce}.stripe{stroke:#8b939c}.pink{fill:#e2a6c6}.dot{fill:#8f3f6b}
.halo{stroke:#ffffff;stroke-width:3px;stroke-linejoin:round;paint-order:stroke}
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.page{fill:#0d1117}.quiet,.group{fill:#9198a1}
.line{stroke:#30363d}.none{fill:#161b22}.same{fill:#1f4e79}.right{fill:#a8d1f5}.differs{fill:#f09a2e}
.crashes{fill:#f0f6fc}.back{fill:#4a5159}.stripe{stroke:#7d8590}
.halo{fill:#ffffff;stroke:#0d1117}
.pink{fill:#b86a93}.dot{fill:#f6d3e6}}
</style>
<defs>
<pattern id="refuses" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<rect class="back" width="5" height="5"/><line class="stripe" x1="0" y1="0" x2="0" y2="5" stroke-width="2.4"/>
</pattern>
<pattern id="accepts" width="5" height="5" patternUnits="userSpaceOnUse">
<rect class="pink" width="5" height="5"/><circle class="dot" cx="2.5" cy="2.5" r="1.1"/></pattern>
</defs>"""
# From left to right in a bar.
PARTS = ("same", "refuses", "accepts", "crashes", "differs")
MEANINGS = {
    "same": "right to the bit",
    "refuses": "an error",
    "accepts": "answers what is forbidden",
    "crashes": "crash or hang",
    "differs": "another answer, without an error",
}


def text(x, y, words, kind="", **more):
    more = "".join(f' {key.replace("_", "-")}="{value}"' for key, value in more.items())
    kind = f' class="{kind}"' if kind else ""
    return f'<text{kind} x="{x:g}" y="{y:g}"{more}>{xml.sax.saxutils.escape(words)}</text>'


def rect(x, y, width, height, kind):
    return f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/>'


def widths(counts, whole):
    """How wide each part of a bar is: in proportion, but none too thin to be seen."""
    total = sum(counts.values())
    wide = {part: max(THINNEST, whole * counts[part] / total) for part in PARTS if counts[part]}
    widest = max(wide, key=wide.get)
    wide[widest] -= sum(wide.values()) - whole
    return wide


def worst(counts):
    return next((verdict for verdict in LETTERS if counts[verdict]), "same")


def told(counts):
    """The counts in words, for the text that a pointer shows."""
    total = sum(counts.values())
    parts = [f"{counts[part]} {part}" for part in ("same", *LETTERS) if counts[part]]
    return f"{total} cases: {', '.join(parts)}"


def cell(x, y, counts, about):
    """A bar with a letter, or an empty place where no case ran."""
    if not counts:
        return [rect(x, y, WIDTH - GAP, HEIGHT - GAP, "none")]
    parts = [f"<g><title>{xml.sax.saxutils.escape(f'{about}: {told(counts)}')}</title>"]
    place = x
    for verdict, width in widths(counts, WIDTH - GAP).items():
        parts.append(rect(round(place, 1), y, round(width, 1), HEIGHT - GAP, verdict))
        place += width
    found = worst(counts)
    label = "✓" if found == "same" else f"{LETTERS[found]} {counts[found]}"
    kind = "on right" if found == "same" else "on halo"
    parts.append(text(x + (WIDTH - GAP) / 2, y + 12.5, label, kind, text_anchor="middle"))
    return [*parts, "</g>"]


def columns(records):
    """The left edge of each column; families stand apart."""
    edges, x, family = [], LEFT, None
    for record in records:
        x += BETWEEN * (family is not None and record.family != family)
        edges.append(x)
        x, family = x + WIDTH, record.family
    return edges, x - GAP


def heads(records, edges):
    """The names of families with a line below, and the versions."""
    parts = []
    for family, column in itertools.groupby(zip(records, edges), lambda pair: pair[0].family):
        pairs = list(column)
        first, last = pairs[0][1], pairs[-1][1] + WIDTH - GAP
        parts += [
            text((first + last) / 2, TOP - 34, family, "family", text_anchor="middle"),
            f'<line class="line" x1="{first}" x2="{last}" y1="{TOP - 27}" y2="{TOP - 27}"/>',
        ]
        parts += [
            text(x + (WIDTH - GAP) / 2, TOP - 11, record.column, "small", text_anchor="middle")
            for record, x in pairs
        ]
    return parts


def legend(x, y):
    parts = []
    for verdict in ("same", *LETTERS):
        letter = LETTERS.get(verdict, "✓")
        parts += [
            rect(x, y, 26, HEIGHT - GAP, verdict),
            text(
                x + 13,
                y + 12.5,
                letter,
                "on right" if verdict == "same" else "on halo",
                text_anchor="middle",
            ),
            text(x + 33, y + 12.5, MEANINGS[verdict], "small"),
        ]
        x += 48 + 6.9 * len(MEANINGS[verdict])
    return parts


def draw(title, subtitle, records, rows):
    """The SVG as text. rows: [(Kind, number of cases, [Counter for each record])]"""
    edges, right = columns(records)
    parts, y, group = [], TOP, None
    for kind, number, counts in rows:
        if kind.group != group:
            y += BETWEEN * (group is not None)
            parts.append(text(MARGIN, y + 12.5, kind.group, "group"))
            group = kind.group
        parts += [
            text(LEFT - 40, y + 12.5, kind.label, "small", text_anchor="end"),
            text(LEFT - 9, y + 12.5, str(number), "small quiet", text_anchor="end"),
        ]
        for record, x, found in zip(records, edges, counts):
            about = f"{record.family} {record.column}, {kind.group} {kind.label}".replace("  ", " ")
            parts += cell(x, y, found, about)
        y += HEIGHT
    width, height = right + 2 * MARGIN, y + MARGIN
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}">',
            f"<title>{xml.sax.saxutils.escape(title)}</title>",
            STYLE,
            rect(0, 0, width, height, "page"),
            text(MARGIN, 36, title, "title"),
            text(MARGIN, 58, subtitle, "quiet"),
            *legend(MARGIN, 78),
            *heads(records, edges),
            *parts,
            "</svg>",
            "",
        ]
    )
