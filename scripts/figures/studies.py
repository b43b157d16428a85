# SPDX-License-Identifier: GPL-2.0-only
"""What the repository keeps of its own comparisons: doc/results/NAME.csv, and their tables on pages.

A comparison has METRICS; it may have PAGE, the page of its table, and BY, what its rows differ in.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

import figures

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "doc" / "results"


def names() -> list[str]:
    return [name for paper in figures.STUDIES for name in figures.of_paper(paper) if hasattr(figures.load(name), "METRICS")]


def page(name: str) -> Path:
    """Where the table of a comparison is."""
    return ROOT / "doc" / f"{getattr(figures.load(name), 'PAGE', 'which-scheme')}.rst"


def by(name: str) -> tuple[str, ...]:
    """The columns of a comparison that are no numbers."""
    return getattr(figures.load(name), "BY", ("scheme", "control"))


def keep(results: Path) -> None:
    """Take the table of each comparison, of the full size where there is one."""
    for name in names():
        for size in figures.SIZES:
            found = figures.result_folder(results, name, size) / f"{name}-compared.csv"
            if found.is_file():
                write(FOLDER / f"{name}.csv", read(found), by(name))


def read(path: Path) -> list[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as table:
        return list(csv.DictReader(table))


def write(path: Path, rows: list[dict[str, str]], texts: Sequence[str]) -> None:
    with open(path, "w", encoding="utf-8", newline="") as table:
        writer = csv.DictWriter(table, rows[0], lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({name: text if name in texts else f"{float(text):.4g}" for name, text in row.items()})


def tables() -> dict[str, tuple[tuple[str, ...], list[tuple[str, ...]]]]:
    """Header and rows of each comparison that is kept."""
    found = {name: FOLDER / f"{name}.csv" for name in names()}
    return {
        name: (header(name), [cells(row, name) for row in read(path)])
        for name, path in found.items()
        if path.is_file()
    }


def cells(row: Mapping[str, str], name: str) -> tuple[str, ...]:
    """What the row is of, and each mean with its range."""
    ranges = ((row[metric], row[f"least_{metric}"], row[f"largest_{metric}"]) for metric in figures.load(name).METRICS)
    return (*(row[text] for text in by(name)), *map(shown, ranges))


def shown(found: tuple[str, str, str]) -> str:
    """A mean with its range."""
    mean, least, largest = map(short, found)
    return f"{mean} ({least} to {largest})"


def short(text: str) -> str:
    number = float(text)
    return f"{number:.0f}" if abs(number) >= 100 else f"{number:.3g}"


def header(name: str) -> tuple[str, ...]:
    return (*by(name), *(f"{title} [{unit}]" for unit, title in figures.load(name).METRICS.values()))
