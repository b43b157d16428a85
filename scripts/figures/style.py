# SPDX-License-Identifier: GPL-2.0-only
"""The common style of all figures. A scheme has the same colour and marker in each figure, and in pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lossless.styles import ROWS, scheme_style

SCHEMES = {name: scheme_style(name) for name in ROWS}

# Congestion controls, if they are compared.
CONTROLS = {
    "HPCC": {"color": "#0072b2", "marker": "o"},
    "DCTCP": {"color": "#009e73", "marker": "^"},
    "DCQCN": {"color": "#d55e00", "marker": "s"},
    "DCQCN+win": {"color": "#e69f00", "marker": "D"},
    "TIMELY": {"color": "#7f7f7f", "marker": "v"},
    "TIMELY+win": {"color": "#cc79a7", "marker": "x"},
}

# Curves and bars that differ in something other than the scheme.
SERIES = (
    {"color": "#e69f00", "marker": "o"},
    {"color": "#56b4e9", "marker": "s"},
    {"color": "#cc79a7", "marker": "D"},
    {"color": "#000000", "marker": "x"},
)

# Bars of numbers that a paper prints.
PAPER = {"color": "white", "edgecolor": "black", "hatch": "////"}

RC = {
    "font.size": 9,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.titlesize": "medium",
    "grid.alpha": 0.3,
    "hatch.linewidth": 0.5,
    "lines.linewidth": 1.4,
    "lines.markersize": 3.5,
    "legend.framealpha": 1,
    "legend.edgecolor": "none",
    "savefig.dpi": 200,
    "svg.hashsalt": "lossless",
    "pdf.fonttype": 42,
}


def size_inches(rows: int, columns: int) -> tuple[float, float]:
    """Return the size of the whole picture. The panels of a grid are smaller than a single panel."""
    return (5.2, 3.4) if rows * columns == 1 else (3.8 * columns, 3.0 * rows)


def range_errors(rows: Sequence[Mapping[str, float]], name: str) -> list[list[float]]:
    """Return the errors of bars, from each row's `name` down to its minimum and up to its maximum.

    Because of rounding, a mean of equal values may lie slightly outside this range; such errors count as zero.
    """
    return [
        [max(row[name] - row[f"least_{name}"], 0) for row in rows],
        [max(row[f"largest_{name}"] - row[name], 0) for row in rows],
    ]


def bars(ax, groups: Sequence[str], series: Mapping[str, Sequence[float]], styles, errors=None) -> None:
    """Draw bars side by side, with one bar of each series in each group.

    `styles` has a style for each series, in the same order; `errors` has, by series, half of the bars' error, or the
    result of range_errors().
    """
    width = 0.8 / len(series)
    for number, ((label, heights), style) in enumerate(zip(series.items(), styles)):
        places = [group + (number - (len(series) - 1) / 2) * width for group in range(len(groups))]
        look = {name: value for name, value in style.items() if name != "marker"}
        error = errors[label] if errors else None
        ax.bar(places, heights, width, label=label, yerr=error, error_kw={"elinewidth": 0.8}, **look)
    ax.set_xticks(range(len(groups)), groups)
    ax.grid(False, axis="x")
