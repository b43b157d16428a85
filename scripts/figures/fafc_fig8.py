# SPDX-License-Identifier: GPL-2.0-only
"""FAFC Fig. 8: slowdown against flow size, GRPC with DCTCP."""

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

FIFTH = 20  # of the flows, in per cent

read, reduce, draw = read_center, reduce_center, draw_center


def jobs(size: str) -> list[Job]:
    return center_jobs(size, "DCTCP", "grpc") + seventh_xoff_jobs(size, "DCTCP", "grpc")


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    def means(series: str, measure: str = "mean") -> dict[float, float]:
        """Return the mean slowdown by percentage of the flows up to that size."""
        rows = [row for row in data["bins"] if (row["series"], row["trigger"]) == (series, 350)]
        return {row["flows_percent"]: row[measure] for row in rows}

    def highest(series: str) -> float:
        return max(means(series).items(), key=lambda item: item[1])[0]

    def peak(series: str, measure: str = "mean") -> float:
        """Return the largest mean in the smallest fifth of the flows, divided by that in the next fifth."""
        first, second = (
            max(mean for share, mean in means(series, measure).items() if least < share <= least + FIFTH)
            for least in (0, FIFTH)
        )
        return first / second

    return {
        "fafc-fig8-1": reduction_percent(data, "other", "mean", 350),
        "fafc-fig8-2": reduction_percent(data, "other", "p95", 350),
        "fafc-fig8-3": min(peak("PFC"), peak("FAFC")),
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
        "fafc-fig8-16": max(highest("PFC"), highest("FAFC")),
        "fafc-fig8-17": min(peak("PFC", "mean_by_bytes"), peak("FAFC", "mean_by_bytes")),
        "fafc-fig8-18": reduction_percent(data, "other, by bytes", "mean", 350),
        "fafc-fig8-19": reduction_percent(data, "other, by bytes", "p95", 350),
    }
