# SPDX-License-Identifier: GPL-2.0-only
"""The configurations of lossless-or-lossy under an all-to-all of 1024 ranks, a packet for each pair of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from figures import Job
from figures.lossless_or_lossy import CONFIGURATIONS, LARGE, METRICS, OF_COLLECTIVES, draw_bars, job, least_factor, read, reduce

TITLE = "Lossless or lossy: an all-to-all of 1024 ranks under the same 17 configurations"
MINUTES = {"quick": 15, "full": 45}
SEEDS = {"quick": (1,), "full": (1, 2, 3)}
LABELS = ("completion (ms)", "")
PAGE = "lossless-or-lossy"
BY = ("configuration", "seeds")
[WORKLOAD] = LARGE
TABLES = {"all-to-all": (WORKLOAD, OF_COLLECTIVES)}

__all__ = ["METRICS", "read", "reduce"]


def jobs(size: str) -> list[Job]:
    return [job(WORKLOAD, configuration, seed) for seed in SEEDS[size] for configuration in CONFIGURATIONS]


def draw(ax, data: Mapping[str, Sequence[dict]]) -> None:
    draw_bars(ax, data["compared"], "completion_ms")


def claims(data: Mapping[str, Sequence[dict]]) -> dict[str, float | None]:
    points = data["points"]
    return {
        "lossless-1024-1": sum(row["lost_lossless"] for row in points),
        "lossless-1024-2": sum(row["unfinished"] for row in points),
        "lossless-1024-3": least_factor(points),
    }
