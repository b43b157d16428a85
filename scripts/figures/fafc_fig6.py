# SPDX-License-Identifier: GPL-2.0-only
"""FAFC Fig. 6: slowdown against the size of flows, Hadoop with TIMELY."""

from __future__ import annotations

from collections.abc import Mapping

from figures import Job
from figures.fafc import (
    TRIGGERS,
    center_jobs,
    draw_center,
    lowering_percent,
    read_center,
    reduce_center,
    reduction_percent,
)

TITLE = "FAFC Fig. 6: FCT slowdown of PFC and FAFC against the size of flows, Hadoop and incasts, TIMELY"
MINUTES = {"quick": 5, "full": 20}
PANELS = (2, 2)
LABELS = (("flow size (bytes), in steps of equally many flows", "FCT slowdown"),) * 4

# The paper does not say whether TIMELY has a window; with none, flows at line rate fill the network.
WINDOW = 25000  # bytes: 8 us at 25 Gb/s

read = read_center


def jobs(size: str) -> list[Job]:
    """Without a window only one trigger."""
    free = [job for job in center_jobs(size, "TIMELY", "hadoop") if int(job.options["trigger"]) // 1000 == TRIGGERS[1]]
    return center_jobs(size, "TIMELY", "hadoop", window=WINDOW) + free


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    limited = reduce_center([record for record in records if record["window"] == WINDOW])
    free = reduce_center([record for record in records if record["window"] == 0])
    return {**limited, **{f"free_{name}": rows for name, rows in free.items()}}


def without_window(data: Mapping[str, list[dict]]) -> dict[str, list[dict]]:
    return {name: data[f"free_{name}"] for name in ("bins", "kinds")}


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    draw_center(axes[:2], data, "ab", f"window of {WINDOW / 1e3:g} kB")
    draw_center(axes[2:], without_window(data), "cd", "no window")


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    free = without_window(data)
    return {
        "fafc-fig6-1": reduction_percent(data, "small", "mean", 350),
        "fafc-fig6-2": reduction_percent(data, "small", "p95", 350),
        "fafc-fig6-3": reduction_percent(data, "large", "mean", 350),
        "fafc-fig6-4": lowering_percent(data, "FAFC", "small", "mean"),
        "fafc-fig6-5": lowering_percent(data, "PFC", "small", "mean"),
        "fafc-fig6-6": reduction_percent(data, "small", "mean", 250),
        "fafc-fig6-7": reduction_percent(data, "small", "mean", 350, "PFC, fair"),
        "fafc-fig6-8": reduction_percent(free, "small", "mean", 350),
        "fafc-fig6-9": reduction_percent(free, "small", "p95", 350),
        "fafc-fig6-10": reduction_percent(free, "large", "mean", 350),
    }
