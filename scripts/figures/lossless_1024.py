# SPDX-License-Identifier: GPL-2.0-only
"""Pairs of lossless-or-lossy under an all-to-all of 1024 ranks, a packet for each two of them.

A run takes minutes and 3 GB, so only the four pairs that doc/lossless-or-lossy.rst compares are here: one configuration
lossless, one not, alike in control and paths.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from figures import Job
from figures.lossless_or_lossy import CONFIGURATIONS, LARGE, METRICS, OF_COLLECTIVES, draw_bars, job, least_factor, read, reduce

TITLE = "Lossless or lossy: an all-to-all of 1024 ranks under four pairs of the configurations"
MINUTES = {"quick": 12, "full": 36}
SEEDS = {"quick": (1,), "full": (1, 2, 3)}
LABELS = ("completion (ms)", "")
PAGE = "lossless-or-lossy"
BY = ("configuration", "seeds")
[WORKLOAD] = LARGE
COMPARED = (
    "SIH, DCQCN, go-back-N, ECMP",
    "lossy, DCQCN, selective repeat, ECMP",
    "SIH, DCQCN, unordered, adaptive",
    "lossy, DCQCN, selective repeat, adaptive",
    "CBFC, NSCC, unordered, oblivious",
    "lossy, NSCC, unordered, oblivious",
    "SIH, NSCC, unordered, REPS",
    "trimming, NSCC, unordered, REPS",
)
TABLES = {"all-to-all": (WORKLOAD, OF_COLLECTIVES)}

__all__ = ["METRICS", "read", "reduce"]


def jobs(size: str) -> list[Job]:
    named = {configuration.name: configuration for configuration in CONFIGURATIONS}
    return [job(WORKLOAD, named[name], seed) for seed in SEEDS[size] for name in COMPARED]


def draw(ax, data: Mapping[str, Sequence[dict]]) -> None:
    draw_bars(ax, data["compared"], "completion_ms")


def claims(data: Mapping[str, Sequence[dict]]) -> dict[str, float | None]:
    points = data["points"]
    return {
        "lossless-1024-1": sum(row["lost_lossless"] for row in points),
        "lossless-1024-2": sum(row["unfinished"] for row in points),
        "lossless-1024-3": least_factor(points),
    }
