# SPDX-License-Identifier: GPL-2.0-only
"""The page of a sweep: its table as a picture, of which the reader chooses the axes."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import pandas
from pandas.api.types import is_bool_dtype, is_numeric_dtype

import lossless
from lossless import notes
from lossless.comparisons import LIMIT, QUANTILES, SEEDS
from pages import as_text, write_page

# What is drawn first, if there is a number of it.
FIRST_VALUE = "p99_slowdown"


def write(folder: Path, page: Path) -> None:
    """Write the report of a sweep; ValueError or FileNotFoundError if its table cannot be read."""
    table = lossless.load_sweep(folder)
    if table.empty:
        raise ValueError(f"{folder / 'sweep.csv'} has no runs")
    varied = find_varied(table)
    failures = read_failures(folder / "failures.csv")
    write_page(
        page,
        "sweep.html",
        name=folder.resolve().name,
        runs=len(table),
        seeds=[name for name in varied if name in SEEDS],
        constants=[(name, table[name].iloc[0]) for name in table.attrs["parameters"] if name not in varied],
        failures=failures,
        data=as_text(describe(table, varied)),
        notes=notes.of_folders([folder / place for place in table.folder]),
        **answer(table, varied),
    )


def find_varied(table: pandas.DataFrame) -> list[str]:
    """The options that have several values."""
    return [name for name in table.attrs["parameters"] if table[name].nunique() > 1]


def answer(table: pandas.DataFrame, varied: Sequence[str]) -> dict[str, object]:
    """How the runs differ from those with the first value of an option of names, or else of numbers."""
    options = [name for name in varied if name not in SEEDS]
    named = [name for name in options if not is_numeric_dtype(table[name])]
    if not options or FIRST_VALUE not in table or table[FIRST_VALUE].isna().all():
        return {"answers": []}
    option = (named or options)[0]
    base = table[option].iloc[0]
    found = lossless.compare(table, {option: base}, FIRST_VALUE)
    others = [name for name in options if name != option]
    return {
        "option": option,
        "base": base,
        "metric": title(FIRST_VALUE).capitalize(),
        "answers": [describe_difference(row, option, base, others) for _, row in found.iterrows()],
    }


def describe_in_text(folder: Path) -> list[str]:
    """The answers and hints of a sweep as lines; ValueError or FileNotFoundError if its table cannot be read."""
    table = lossless.load_sweep(folder)
    found = answer(table, find_varied(table))
    answers = [f"{found['metric']}, against {found['option']} = {found['base']} (95 %):", *found["answers"]] if found["answers"] else []
    return [f"{len(table)} runs", *answers, *notes.of_folders([folder / place for place in table.folder])]


def describe_difference(row: pandas.Series, option: str, base: object, others: Sequence[str]) -> str:
    place = ", ".join(f"{name} = {row[name]}" for name in others)
    error, known = (f" ± {row.plus_minus:.3g}", f"{row.pairs} pairs") if row.pairs > 1 else ("", "1 pair, which has no interval")
    return f"{row[option]} - {base} = {row.difference:+.3g}{error} ({row.other:.3g} and {row.base:.3g}; {known}{'; ' + place if place else ''})"


def describe(table: pandas.DataFrame, varied: Sequence[str]) -> dict[str, object]:
    """What the page's script draws."""
    axes = [name for name in varied if name not in SEEDS] or [*varied] or ["folder"]
    values = {name: sorted_values(table[name]) for name in axes}
    measures = {**numbers(table)}
    numeric = [name for name in axes if is_numeric_dtype(table[name])]
    x = (numeric or axes)[0]
    places = {name: {value: place for place, value in enumerate(found)} for name, found in values.items()}
    names = [*measures]
    first = next((names.index(title(name)) for name in (FIRST_VALUE, "pauses") if title(name) in measures), 0)
    return {
        "axes": [{"name": name, "values": values[name], "numeric": name in numeric} for name in axes],
        "measures": names,
        "rows": [
            {"at": [places[name][row[name]] for name in axes], "is": [clean(measures[name][at]) for name in names]}
            for at, row in table.iterrows()
        ],
        "x": x,
        "series": next((name for name in axes if name != x), ""),
        "value": first,
        "quantiles": QUANTILES,
        "limit": LIMIT,
    }


def sorted_values(column: pandas.Series) -> list:
    """The distinct values: numbers by their size, names as in the table."""
    found = column.unique().tolist()
    return sorted(found) if is_numeric_dtype(column) else [*found]


def numbers(table: pandas.DataFrame) -> dict[str, pandas.Series]:
    """The measures that some run has, by their titles; times in us."""
    found = {"lossless (share of the runs)": (table.outcome == "lossless").astype(float)}
    for name in table.columns.drop(table.attrs["parameters"]):
        column = table[name]
        if is_bool_dtype(column):
            found[f"{name} (share of the runs)"] = column.astype(float)
        elif is_numeric_dtype(column) and column.notna().any():
            found[title(name)] = column / 1e3 if name.endswith("_ns") else column.astype(float)
    return found


def title(column: str) -> str:
    words = column.removesuffix("_ns").replace("_", " ").replace("fct", "FCT")
    return f"{words} (us)" if column.endswith("_ns") else words


def clean(number: float) -> float | None:
    return None if pandas.isna(number) else number


def read_failures(path: Path) -> list[tuple[str, str, str]]:
    """Runs without results: name, what happened, and why."""
    if not path.is_file():
        return []
    try:
        with open(path, encoding="utf-8", newline="") as table:
            return [(row["run"], row["kind"], row["why"]) for row in csv.DictReader(table)]
    except (KeyError, UnicodeDecodeError):
        raise ValueError(f"{path} is not a table of scripts/sweep") from None
