# SPDX-License-Identifier: GPL-2.0-only
"""The content of each file in a result folder, from columns.csv. scripts/doc also creates a page and schemas from this
table.

Each row describes a column or, if it has no name, a whole file.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

from lossless.system import read_rows

TABLE = Path(__file__).with_name("columns.csv")
# The last word of a column's name determines its unit.
UNITS = {
    "ns": "ns",
    "us": "us",
    "ms": "ms",
    "s": "s",
    "bytes": "B",
    "kb": "kB",
    "mtu": "B",
    "cell": "B",
    "metres": "m",
    "percent": "%",
    "per_second": "1/s",
    "bits_per_second": "bit/s",
    "speed": "bit/s",
}


@dataclass(frozen=True)
class Column:
    """A column of a table or, for run.json, a member such as verdict.drops[].node."""

    name: str
    types: tuple[str, ...]  # string, integer, number, boolean
    may_be: str  # "empty", "null" or "absent"; "" if it always has a value
    values: tuple[str, ...]  # all possible values; () if there are many
    meaning: str = ""  # as reStructuredText; "" if the description of the file suffices


@functools.cache
def read_columns() -> dict[str, tuple[Column, ...]]:
    """Return the columns of each file, in order."""
    found: dict[str, list[Column]] = {}
    for row in read_rows(TABLE):
        if row["name"]:
            types, values = tuple(row["type"].split()), tuple(row["values"].split())
            found.setdefault(row["file"], []).append(Column(row["name"], types, row["may_be"], values, row["meaning"]))
    return {name: tuple(columns) for name, columns in found.items()}


def read_files() -> dict[str, str]:
    """Return the description of each file."""
    return {row["file"]: row["meaning"] for row in read_rows(TABLE) if not row["name"]}


@functools.cache
def text_columns(table: str) -> frozenset[str]:
    """Return the columns of a table that remain text regardless of their content, because a host may be named 7 and a
    group "none". For a table of the user, these are the columns that are text in every table that contains them.
    """
    files = read_columns()
    known = files.get(f"{table}.csv")
    columns = known or [column for name, some in files.items() if name.endswith(".csv") for column in some]
    numbers = {column.name for column in columns if column.types != ("string",)}
    return frozenset(column.name for column in columns) - numbers


def unit_of(column: str) -> str | None:
    """Return the unit of a column, according to its name, or None for a count, a share or a label."""
    words = column.split("_")
    endings = ("_".join(words[start:]) for start in range(len(words)))
    return next((UNITS[ending] for ending in endings if ending in UNITS), None)
