# SPDX-License-Identifier: GPL-2.0-only
"""Statements in abstracts, conclusions and captions of the papers, compared with the kept values: headlines.csv.

A row has
    paper, where, headline   the source of the statement, and what is compared
    claim                    the row of claims.csv with the paper's number and the band
    reading, setting         a row of claims.csv, possibly the same one, and the setting of its measurement that the paper
                             does not print
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import figures
from figures import claims
from lossless.system import read_rows

HOLDS, UNDER, MISSED = ("holds", "holds under a setting that is not printed", "not obtained")


@cache
def headlines() -> list[dict[str, str]]:
    return read_rows(Path(__file__).with_name("headlines.csv"))


def verdict(row: Mapping[str, str], found: Mapping[str, float]) -> str:
    decides = claims.fact_of(row["reading"] or row["claim"])
    if claims.verdict(decides, found.get(decides["id"])) == "no":
        return MISSED
    return UNDER if row["reading"] else HOLDS


def count(found: Mapping[str, float]) -> Counter:
    return Counter(verdict(row, found) for row in headlines())


def cells(found: Mapping[str, float]) -> list[tuple[str, ...]]:
    """Return the rows of the page's table."""
    return [
        (
            figures.PAPERS[row["paper"]][0],
            row["where"],
            row["headline"],
            with_unit(row["claim"], claims.fact_of(row["claim"])["paper"]),
            with_unit(row["claim"], short(found.get(row["claim"]))),
            words(row, found),
        )
        for row in headlines()
    ]


def words(row: Mapping[str, str], found: Mapping[str, float]) -> str:
    """Return the verdict, with the setting that it requires and, if that is another row, its value."""
    told = verdict(row, found)
    if told != UNDER:
        return told
    value = with_unit(row["reading"], short(found.get(row["reading"])))
    return HOLDS + f" ({value})" * (row["reading"] != row["claim"]) + f" {row['setting']}"


def short(value: float | None) -> str:
    return claims.NOT_FOUND if value is None else f"{value:.3g}"


def with_unit(claim: str, text: str) -> str:
    """Return a number with its unit, but without what it is a share of; words are unchanged."""
    unit = claims.fact_of(claim)["unit"].partition(" of ")[0]
    return f"{text} {unit}".rstrip() if text[-1].isdigit() else text
