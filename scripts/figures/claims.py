# SPDX-License-Identifier: GPL-2.0-only
"""What the papers say beside what was found: claims.csv's facts against a figure's results."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

from figures import claim_prefixes

COLUMNS = ("claim", "what", "paper says", "we measured", "band", "within")


def compare(figure: str, found: Mapping[str, float | None], size: str) -> list[dict[str, str]]:
    """One row for each of the figure's claims."""
    return [
        {
            "claim": fact["id"],
            "what": f"{fact['what']} [{fact['unit']}]" if fact["unit"] else fact["what"],
            "paper says": fact["paper"],
            "we measured": show(found.get(fact["id"])),
            "band": band(fact),
            "within": verdict(fact, found.get(fact["id"])),
            "size": size,
            "basis": fact["basis"],
        }
        for fact in facts(figure)
    ]


def facts(figure: str) -> list[dict[str, str]]:
    return [fact for fact in all_facts() if fact["id"].startswith(claim_prefixes(figure))]


def all_facts() -> list[dict[str, str]]:
    with open(Path(__file__).with_name("claims.csv"), encoding="utf-8", newline="") as table:
        return list(csv.DictReader(table))


def stated(claim: str) -> float:
    """The number that the paper prints."""
    return next(float(fact["paper"]) for fact in all_facts() if fact["id"] == claim)


def show(value: float | None) -> str:
    return "not found" if value is None else f"{value:.4g}"


def band(fact: Mapping[str, str]) -> str:
    low, high = fact["low"], fact["high"]
    if low == high:
        return f"= {low}"
    return f"{low} to {high}" if low and high else f">= {low}" if low else f"<= {high}"


def verdict(fact: Mapping[str, str], value: float | None) -> str:
    low = float(fact["low"] or "-inf")
    high = float(fact["high"] or "inf")
    return "yes" if value is not None and low <= value <= high else "no"


def markdown(rows: list[dict[str, str]]) -> str:
    """The table for people; what a claim rests on stands below it."""
    lines = [" | ".join(COLUMNS), " | ".join("---" for _ in COLUMNS)]
    lines += [" | ".join(row[column] for column in COLUMNS) for row in rows]
    notes = [f"- {row['claim']}: {row['basis']}." for row in rows]
    return "\n".join([*(f"| {line} |" for line in lines), "", *notes, ""])
