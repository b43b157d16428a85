# SPDX-License-Identifier: GPL-2.0-only
"""FAFC Fig. 7: slowdown against flow size, Hadoop with HPCC."""

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

TITLE = "FAFC Fig. 7: FCT slowdown of PFC and FAFC against the size of flows, Hadoop and incasts, HPCC"
MINUTES = {"quick": 4, "full": 15}
PANELS = (1, 2)
LABELS = (("flow size (bytes), in steps of equally many flows", "FCT slowdown"),) * 2

read, reduce, draw = read_center, reduce_center, draw_center


def jobs(size: str) -> list[Job]:
    return center_jobs(size, "HPCC", "hadoop") + seventh_xoff_jobs(size, "HPCC", "hadoop")


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    small = [row for row in data["kinds"] if row["kind"] == "small"]
    return {
        "fafc-fig7-1": reduction_percent(data, "small", "mean", 350),
        "fafc-fig7-2": reduction_percent(data, "small", "p95", 350),
        "fafc-fig7-3": reduction_percent(data, "large", "mean", 350),
        "fafc-fig7-4": max(row["mean"] for row in small if row["series"] in ("PFC", "FAFC")),
        "fafc-fig7-5": lowering_percent(data, "FAFC", "small", "mean"),
        "fafc-fig7-6": lowering_percent(data, "PFC", "small", "mean"),
        "fafc-fig7-7": reduction_percent(data, "small", "mean", 250),
        "fafc-fig7-8": reduction_percent(data, "small", "mean", 350, "PFC, fair"),
        "fafc-fig7-9": reduction_percent(data, "small", "mean", 350, SEVENTH_XOFF),
        "fafc-fig7-10": reduction_percent(data, "small", "p95", 350, SEVENTH_XOFF),
        "fafc-fig7-11": reduction_percent(data, "small, later half", "mean", 350),
        "fafc-fig7-12": reduction_percent(data, "small, later half", "p95", 350),
        "fafc-fig7-13": reduction_percent(data, "small, one way", "mean", 350),
        "fafc-fig7-14": reduction_percent(data, "small, one way", "p95", 350),
    }
