# SPDX-License-Identifier: GPL-2.0-only
"""FAFC Fig. 8: slowdown against the size of flows, GRPC with DCTCP."""

from __future__ import annotations

from collections.abc import Mapping

from figures import Job
from figures.fafc import (
    SEVENTH_XOFF,
    center_jobs,
    draw_center,
    lowering_percent,
    read_center,
    reduce_center,
    reduction_percent,
    seventh_xoff_jobs,
)

TITLE = "FAFC Fig. 8: FCT slowdown of PFC and FAFC against the size of flows, GRPC and incasts, DCTCP"
MINUTES = {"quick": 2, "full": 8}
PANELS = (1, 2)
LABELS = (("flow size (bytes), in steps of equally many flows", "FCT slowdown"),) * 2

read, reduce, draw = read_center, reduce_center, draw_center


def jobs(size: str) -> list[Job]:
    return center_jobs(size, "DCTCP", "grpc") + seventh_xoff_jobs(size, "DCTCP", "grpc")


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    def highest(series: str) -> float:
        """The share of the flows by size with the highest mean, in per cent."""
        rows = [row for row in data["bins"] if (row["series"], row["trigger"]) == (series, 350)]
        return max(rows, key=lambda row: row["mean"])["flows_percent"]

    return {
        "fafc-fig8-1": reduction_percent(data, "other", "mean", 350),
        "fafc-fig8-2": reduction_percent(data, "other", "p95", 350),
        "fafc-fig8-3": max(highest("PFC"), highest("FAFC")),
        "fafc-fig8-4": lowering_percent(data, "FAFC", "rest", "mean"),
        "fafc-fig8-5": lowering_percent(data, "PFC", "rest", "mean"),
        "fafc-fig8-6": reduction_percent(data, "rest", "mean", 350),
        "fafc-fig8-7": reduction_percent(data, "rest", "p95", 350),
        "fafc-fig8-8": reduction_percent(data, "rest", "mean", 250),
        "fafc-fig8-9": reduction_percent(data, "rest", "p95", 250),
        "fafc-fig8-10": reduction_percent(data, "rest", "mean", 350, "PFC, fair"),
        "fafc-fig8-11": reduction_percent(data, "other", "mean", 350, SEVENTH_XOFF),
        "fafc-fig8-12": reduction_percent(data, "other", "p95", 350, SEVENTH_XOFF),
        "fafc-fig8-13": reduction_percent(data, "other, later half", "mean", 350),
        "fafc-fig8-14": reduction_percent(data, "other, one way", "mean", 350),
        "fafc-fig8-15": reduction_percent(data, "other, one way", "p95", 350),
    }
