# SPDX-License-Identifier: GPL-2.0-only
"""The values that the repository keeps for each claim, for readers who do not have hours to simulate.

doc/results/claims.csv has a row for each: the claim, the value, the size of the figure and the commit of its programs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import figures
from figures import claims
from lossless.system import read_rows, write_rows

FILE = Path(__file__).resolve().parents[2] / "doc" / "results" / "claims.csv"
FIELDS = ("claim", "measured", "size", "commit")


def read() -> list[dict[str, str]]:
    return read_rows(FILE)


def values(rows: Iterable[Mapping[str, str]]) -> dict[str, float]:
    """Return the value of each claim, including those that need no simulation."""
    return claims.without_results() | {row["claim"]: float(row["measured"]) for row in rows}


def write(rows: Iterable[Mapping[str, str]]) -> None:
    FILE.parent.mkdir(exist_ok=True)
    write_rows(FILE, FIELDS, rows)


def is_smaller(rows: Mapping[str, Mapping[str, str]], before: Mapping[str, Mapping[str, str]], claim: str) -> bool:
    """Return whether the value of a claim is of a smaller size than before."""
    return claim in before and figures.SIZES.index(rows[claim]["size"]) < figures.SIZES.index(before[claim]["size"])


def is_clean(commit: str) -> bool:
    """Return whether others can check out the programs of a commit, according to its description by tools/commit.py."""
    return re.fullmatch("[0-9a-f]{7,40}", commit) is not None


def taken(folder: Path, name: str) -> list[dict[str, str]]:
    """Return the values of one figure's results. Raises a ValueError if their table is damaged."""
    commit = figures.read_record(folder, name).get("commit") or ""
    rows = []
    for row in claims.read(folder / f"{name}-claims.csv"):
        if row["value"]:  # otherwise, nothing was found or was to be measured
            rows.append(dict(zip(FIELDS, (row["claim"], f"{float(row['value']):.10g}", row["size"], commit))))
    return rows
