# SPDX-License-Identifier: GPL-2.0-only
"""What each file of a result folder has: columns.csv, of which scripts/doc also makes a page and schemas.

A row of the table is a column; one without a name says what the file is.
"""

from __future__ import annotations

import csv
import functools
from dataclasses import dataclass
from pathlib import Path

# A column tells its unit by its last word.
UNITS = {
    "ns": "ns",
    "us": "us",
    "ms": "ms",
    "s": "s",
    "bytes": "B",
    "kb": "kB",
    "percent": "%",
    "per_second": "1/s",
    "bits_per_second": "bit/s",
}


@dataclass(frozen=True)
class Column:
    """A column of a table; of run.json a member, as verdict.drops[].node."""

    name: str
    types: tuple[str, ...]  # string, integer, number, boolean
    may_be: str  # empty, null or absent; "": it always has a value
    values: tuple[str, ...]  # all that are possible; (): many
    meaning: str = ""  # as reStructuredText; "": that of the file says it


def read_rows() -> list[dict[str, str]]:
    with open(Path(__file__).with_name("columns.csv"), encoding="utf-8", newline="") as file:
        return [*csv.DictReader(file)]


@functools.cache
def read_columns() -> dict[str, tuple[Column, ...]]:
    """The columns of each file, in their order."""
    found: dict[str, list[Column]] = {}
    for row in read_rows():
        if row["name"]:
            types, values = tuple(row["type"].split()), tuple(row["values"].split())
            found.setdefault(row["file"], []).append(Column(row["name"], types, row["may_be"], values, row["meaning"]))
    return {name: tuple(columns) for name, columns in found.items()}


def read_files() -> dict[str, str]:
    """What each file is."""
    return {row["file"]: row["meaning"] for row in read_rows() if not row["name"]}


@functools.cache
def text_columns(table: str) -> frozenset[str]:
    """The columns of a table that stay text, whatever they look like: a host may be called 7, and a group "none". In a
    table of the user's own, those that are text in each table that has them.
    """
    files = read_columns()
    known = files.get(f"{table}.csv")
    columns = known or [column for name, some in files.items() if name.endswith(".csv") for column in some]
    numbers = {column.name for column in columns if column.types != ("string",)}
    return frozenset(column.name for column in columns) - numbers


def unit_of(column: str) -> str | None:
    """What a column is measured in, by its name; None where it is a number of things, a share or a label."""
    words = column.split("_")
    endings = ("_".join(words[start:]) for start in range(len(words)))
    return next((UNITS[ending] for ending in endings if ending in UNITS), None)
