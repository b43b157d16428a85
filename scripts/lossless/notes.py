# SPDX-License-Identifier: GPL-2.0-only
"""Collects the problems and hints of runs. Sentences that differ only in numbers are counted as one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from lossless.results import read_info

# A number with groups of three digits, and the unit of a time, which depends on the number
NUMBER = re.compile(r"(\d+(?: \d{3}(?!\d))*(?:\.\d+)?(?: ?[munp]?s\b)?)")
SECONDS = {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "ps": 1e-12}


def sentences(info: Mapping) -> list[str]:
    """Return the sentences of one run, from its run.json."""
    return [*info.get("verdict", {}).get("problems", []), *info.get("hints", [])]


def count(found: Sequence[Sequence[str]]) -> list[str]:
    """Return the sentences of all runs, each with the number of runs that have it, in descending order of this number.
    """
    # The first sentence of each run, by the text that sentences with different numbers share
    alike: dict[str, list[str]] = {}
    for one in found:
        first: dict[str, str] = {}
        for sentence in one:
            first.setdefault(NUMBER.sub("N", sentence), sentence)
        for kind, sentence in first.items():
            alike.setdefault(kind, []).append(sentence)
    order = sorted(alike.values(), key=lambda some: -len(some))
    return [f"In {len(some)} of {len(found)} runs{merge(some)}" for some in order]


def merge(alike: Sequence[str]) -> str:
    """Return one sentence for several that differ only in numbers: with the range of each, or, if names have these
    numbers, the first as an example.
    """
    columns = [*zip(*map(NUMBER.split, alike))]
    ranges = [column[0] if len({*column}) == 1 else f"{min(column, key=value)} to {max(column, key=value)}" for column in columns]
    are_names = any(len({*column}) > 1 and re.search(r"[\w:.-]$", before[0]) for before, column in zip(columns, columns[1:]))
    return f", for example: {alike[0]}" if are_names else f": {''.join(ranges)}"


def value(text: str) -> float:
    number, unit = re.fullmatch(r"([\d .]+?) ?([munp]?s)?", text).groups()
    return float(number.replace(" ", "")) * SECONDS[unit or "s"]


def of_folders(folders: Sequence[Path]) -> list[str]:
    """Return the counted sentences of the results in folders. Unreadable results have none."""
    return count([sentences(read(folder)) for folder in folders])


def read(folder: Path) -> Mapping:
    try:
        return read_info(folder)
    except (OSError, ValueError):
        return {}
