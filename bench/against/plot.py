"""The figures of bench/rivals.py as a picture.  SPDX-License-Identifier: MIT

Knows only the report that bench/rivals.py writes as JSON.
"""

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot  # noqa: E402
from matplotlib.ticker import FuncFormatter, NullFormatter  # noqa: E402

# Colours that are told apart also by those who see few, and a shape for each all the same.
LOOKS = {
    "ORT": ("#0072b2", "s"),
    "OpenVINO": ("#e69f00", "^"),
    "torch": ("#d55e00", "v"),
    "OpenCV": ("#009e73", "D"),
    "JAX": ("#cc79a7", "P"),
    "NumPy": ("#56b4e9", "X"),
    "tensorpad": ("#000000", "o"),
}


def draw(report, path):
    rows = report["workloads"]
    figure, axes = pyplot.subplots(figsize=(11, 2.2 + 0.36 * len(rows)), layout="constrained")
    heights = range(len(rows))
    for height in heights:
        if height % 2 == 0:
            axes.axhspan(height - 0.5, height + 0.5, color="#f3f3f3", zorder=0)
    axes.axvline(1, color="#777777", linewidth=1.2, zorder=1)
    for place, (name, (colour, marker)) in enumerate(LOOKS.items()):
        # a little above or below one another, and tensorpad a ring around what is equal to it
        mine = name == "tensorpad"
        shift = 0 if mine else 0.56 * (place / (len(LOOKS) - 2) - 0.5)
        points = [
            (row["systems"][name]["ratio"], height + shift)
            for height, row in zip(heights, rows)
            if "ratio" in row["systems"].get(name, {})
        ]
        if points and mine:
            axes.scatter(
                *zip(*points),
                s=105,
                facecolors="none",
                edgecolors=colour,
                linewidths=2.2,
                label=name,
                zorder=4,
            )
        elif points:
            axes.scatter(
                *zip(*points),
                s=38,
                c=colour,
                marker=marker,
                label=name,
                edgecolors="white",
                linewidths=0.7,
                zorder=3,
            )
    axes.set_xscale("log")
    axes.set_xticks([0.5, 1, 2, 5, 10, 20, 50, 100, 200])
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    ratios = [
        found["ratio"] for row in rows for found in row["systems"].values() if "ratio" in found
    ]
    axes.set_xlim(min(0.5, min(ratios) / 1.2), max(ratios) * 1.2)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_yticks(list(heights), [row["name"] for row in rows])
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color="#dddddd", linewidth=0.6, zorder=0)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    threads = "1 thread" if report["threads"] == 1 else f"{report['threads']} threads"
    axes.set_xlabel(
        "time of a call / time of memcpy of the output (log scale; 1 = memcpy; left is faster)"
    )
    versions = ", ".join(f"{name} {version}" for name, version in report["versions"].items())
    title = f"Padding, {threads}, {report['processor']}; tensorpad's kernels: {report['kernels']}"
    axes.set_title(title, fontsize=13, pad=24)
    axes.text(
        0.5, 1.012, versions, transform=axes.transAxes, ha="center", fontsize=8.5, color="#555555"
    )
    figure.legend(loc="outside lower center", ncols=len(LOOKS), frameon=False)
    figure.savefig(path, dpi=130)
