# SPDX-License-Identifier: GPL-2.0-only
"""Pairs of lossless-or-lossy under an all-to-all and a ring all-reduce of 1024 ranks, with one packet per message.

A run takes minutes and 3 GB, so only the four pairs that doc/lossless-or-lossy.rst compares are included. Each consists
of a lossless and a lossy configuration with the same congestion control and paths.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from figures import Job
from figures.lossless_or_lossy import CONFIGURATIONS, LARGE, METRICS, OF_COLLECTIVES, draw_bars, job, least_factor, read, reduce

TITLE = "Lossless or lossy: an all-to-all and a ring of 1024 ranks under four pairs of the configurations"
MINUTES = {"medium": 25, "full": 75}
SEEDS = {"medium": (1,), "full": (1, 2, 3)}
PANELS = (1, 2)
LABELS = (("completion (ms)", ""),) * len(LARGE)
PAGE = "notebook/lossless-or-lossy"
BY = ("configuration", "seeds")
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
TABLES = {workload.removesuffix(", 1024 ranks"): (workload, OF_COLLECTIVES) for workload in LARGE}

__all__ = ["METRICS", "read", "reduce"]


def jobs(size: str) -> list[Job]:
    named = {configuration.name: configuration for configuration in CONFIGURATIONS}
    return [job(workload, named[name], seed) for seed in SEEDS[size] for workload in LARGE for name in COMPARED]


def draw(axes, data: Mapping[str, Sequence[dict]]) -> None:
    for ax, workload in zip(axes, LARGE):
        draw_bars(ax, [row for row in data["compared"] if row["workload"] == workload], "completion_ms")
        ax.set(title=workload)
    axes[1].tick_params(labelleft=False)


def claims(data: Mapping[str, Sequence[dict]]) -> dict[str, float | None]:
    points = data["points"]
    return {
        "lossless-1024-1": sum(row["lost_lossless"] for row in points),
        "lossless-1024-2": sum(row["unfinished"] for row in points),
        "lossless-1024-3": least_factor(points),
    }
