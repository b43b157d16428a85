# SPDX-License-Identifier: GPL-2.0-only
"""Several runs that differ only in their seeds."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

Record = TypeVar("Record", bound=Mapping)


def grouped(records: Iterable[Record], by: Sequence[str]) -> dict[tuple, list[Record]]:
    """Return the records of each combination of `by`, in their original order."""
    groups: dict[tuple, list[Record]] = {}
    for record in records:
        groups.setdefault(tuple(record[key] for key in by), []).append(record)
    return groups


def spread(values: Sequence[float], name: str) -> dict[str, float]:
    """Return the mean under that name, and its range."""
    return {name: statistics.fmean(values), f"least_{name}": min(values), f"largest_{name}": max(values)}
