# SPDX-License-Identifier: GPL-2.0-only
"""Draws one figure from its simulations: python3 draw.py FIGURE SIZE RUNS FOLDER.

Reads RUNS/<job>/ and writes FIGURE.png, .pdf, -<table>.csv, -claims.csv and -claims.md to FOLDER, each of them
atomically.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from types import ModuleType

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import figures
from figures import claims, style
from lossless.system import write_rows


def main(name: str, size: str, runs: Path, destination: Path) -> None:
    figure = figures.load(name)
    data = figure.reduce([figure.read(job, runs / job.name) for job in figure.jobs(size)])
    with tempfile.TemporaryDirectory(prefix=".draw-", dir=destination) as work:
        folder = Path(work)
        draw(figure, data, folder / name)
        for table, rows in data.items():
            write_rows(folder / f"{name}-{table}.csv", rows[0], rows)
        found = figure.claims(data)
        claims.require_rows(name, found)
        comparison = claims.compare(name, found, size)
        write_rows(folder / f"{name}-claims.csv", comparison[0], comparison)
        (folder / f"{name}-claims.md").write_text(claims.markdown(comparison), encoding="utf-8")
        for result in sorted(folder.iterdir()):
            os.replace(result, destination / result.name)


def draw(figure: ModuleType, data: dict, stem: Path) -> None:
    shape = getattr(figure, "PANELS", (1, 1))
    with plt.rc_context(style.RC):
        picture, grid = plt.subplots(
            *shape, squeeze=False, figsize=style.size_inches(*shape), layout="constrained"
        )
        panels = list(grid.flat)
        figure.draw(panels[0] if len(panels) == 1 else panels, data)
        for ax, labels in zip(panels, figures.panel_labels(figure)):
            finish(ax, *labels)
        picture.savefig(stem.with_suffix(".png"))
        picture.set_layout_engine("none")  # the layout, once found, takes as long as the drawing
        # Without a date, the same data create the same file.
        picture.savefig(stem.with_suffix(".pdf"), metadata={"CreationDate": None})
        plt.close(picture)


def finish(ax, xlabel: str, ylabel: str) -> None:
    """Set the axis labels, and add a legend if the figure has not added one and there is something to explain."""
    ax.set(xlabel=xlabel, ylabel=ylabel)
    if ax.get_legend() is None and ax.get_legend_handles_labels()[0]:
        ax.legend(fontsize="small")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4]))
