# SPDX-License-Identifier: GPL-2.0-only
"""What the repository keeps of its own comparisons: doc/results/NAME.csv, and the tables of doc/which-scheme.rst."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

import figures

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "doc" / "results"
PAGE = ROOT / "doc" / "which-scheme.rst"
TEXTS = ("scheme", "control")  # columns that are no numbers


def names() -> list[str]:
    return [name for paper in figures.STUDIES for name in figures.of_paper(paper) if hasattr(figures.load(name), "METRICS")]


def keep(results: Path) -> None:
    """Take the table of each comparison, of the full size where there is one."""
    for name in names():
        for size in figures.SIZES:
            found = figures.result_folder(results, name, size) / f"{name}-compared.csv"
            if found.is_file():
                write(FOLDER / f"{name}.csv", read(found))


def read(path: Path) -> list[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as table:
        return list(csv.DictReader(table))


def write(path: Path, rows: list[dict[str, str]]) -> None:
    with open(path, "w", encoding="utf-8", newline="") as table:
        writer = csv.DictWriter(table, rows[0], lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({name: text if name in TEXTS else f"{float(text):.4g}" for name, text in row.items()})


def tables() -> dict[str, tuple[tuple[str, ...], list[tuple[str, ...]]]]:
    """Header and rows of each comparison that is kept."""
    found = {name: FOLDER / f"{name}.csv" for name in names()}
    return {
        name: (header(figures.load(name).METRICS), [cells(row, figures.load(name).METRICS) for row in read(path)])
        for name, path in found.items()
        if path.is_file()
    }


def cells(row: Mapping[str, str], metrics: Mapping[str, tuple[str, str]]) -> tuple[str, ...]:
    """Scheme, congestion control, and each mean with its range."""
    return (
        row["scheme"],
        row["control"],
        *(f"{short(row[name])} ({short(row[f'least_{name}'])} to {short(row[f'largest_{name}'])})" for name in metrics),
    )


def short(text: str) -> str:
    number = float(text)
    return f"{number:.0f}" if abs(number) >= 100 else f"{number:.3g}"


def header(metrics: Mapping[str, tuple[str, str]]) -> tuple[str, ...]:
    return ("scheme", "control", *(f"{title} [{unit}]" for unit, title in metrics.values()))
