# SPDX-License-Identifier: GPL-2.0-only
"""The kept results of the repository's own comparisons: doc/results/NAME.csv, and their tables on pages.

A comparison has METRICS: unit and description by column of its table. It may have PAGE, the page of its tables, and BY,
the columns shown before the metrics. If its page has several tables, it has TABLES: by the end of a table's name, the
workload whose rows the table contains, and the metrics that it shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import figures
from lossless.system import read_rows, write_rows

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "doc" / "results"
Rows = Sequence[Mapping[str, str]]
Table = tuple[tuple[str, ...], list[tuple[str, ...]]]


def names() -> list[str]:
    return [name for paper in figures.STUDIES for name in figures.of_paper(paper) if hasattr(figures.load(name), "METRICS")]


def page(name: str) -> Path:
    """Return the page of a comparison's tables."""
    return ROOT / "doc" / f"{getattr(figures.load(name), 'PAGE', 'notebook/which-scheme')}.rst"


def keep(results: Path) -> None:
    """Store the table of each comparison, at the largest existing size."""
    for name in names():
        for size in figures.sizes(name):
            found = figures.result_folder(results, name, size) / f"{name}-compared.csv"
            if found.is_file():
                write(FOLDER / f"{name}.csv", read_rows(found))


def texts(row: Mapping[str, str]) -> list[str]:
    """Return the columns that identify a row, which are neither metrics nor the number of seeds."""
    return [name for name in row if not name.startswith(("least_", "largest_")) and f"least_{name}" not in row and name != "seeds"]


def write(path: Path, rows: list[dict[str, str]]) -> None:
    kept = texts(rows[0])
    shortened = ({name: text if name in kept else f"{float(text):.4g}" for name, text in row.items()} for row in rows)
    write_rows(path, rows[0], shortened)


def tables() -> dict[str, Table]:
    """Return header and rows of each kept table."""
    found = {}
    for name in names():
        if (path := FOLDER / f"{name}.csv").is_file():
            found |= tables_of(name, read_rows(path))
    return found


def tables_of(name: str, rows: Rows) -> dict[str, Table]:
    """Return the tables of one comparison, by name."""
    figure = figures.load(name)
    by = getattr(figure, "BY", texts(rows[0]))
    if not hasattr(figure, "TABLES"):
        return {name: table(rows, by, figure.METRICS)}
    found = {}
    for end, (workload, shown) in figure.TABLES.items():
        of_workload = [row for row in rows if row["workload"] == workload]
        if of_workload:
            found[f"{name}-{end}"] = table(of_workload, by, {key: figure.METRICS[key] for key in shown})
    return found


def table(rows: Rows, by: Sequence[str], metrics: Mapping[str, tuple[str, str]]) -> Table:
    """Return the columns that identify rows, and each mean with its range."""
    header = (*by, *(f"{title} [{unit}]" for unit, title in metrics.values()))
    return header, [cells(row, by, metrics) for row in rows]


def cells(row: Mapping[str, str], by: Iterable[str], metrics: Iterable[str]) -> tuple[str, ...]:
    """Return the cells. A range is shown only if several seeds have one."""
    means = {name: short(row[name]) for name in metrics}
    if row["seeds"] != "1":
        means = {name: f"{mean} ({short(row[f'least_{name}'])} to {short(row[f'largest_{name}'])})" for name, mean in means.items()}
    return (*(row[text] for text in by), *means.values())


def short(text: str) -> str:
    number = float(text)
    return f"{number:.0f}" if abs(number) >= 100 else f"{number:.3g}"
