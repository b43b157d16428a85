# SPDX-License-Identifier: GPL-2.0-only
"""FAFC Fig. 6: slowdown against flow size, Hadoop with TIMELY."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from figures import Job
from figures.fafc import (
    SEVENTH_XOFF,
    TRIGGERS,
    WINDOW_BY_RATE,
    center_jobs,
    draw_center,
    lowering_percent,
    read_center,
    reduce_center,
    reduction_percent,
    seventh_xoff_jobs,
)

TITLE = "FAFC Fig. 6: FCT slowdown of PFC and FAFC against the size of flows, Hadoop and incasts, TIMELY"
MINUTES = {"quick": 5, "full": 20}
PANELS = (2, 2)
LABELS = (("flow size (bytes), in steps of equally many flows", "FCT slowdown"),) * 4

# The paper does not mention a window. The simulator from which its modules are adapted has TIMELY without a window
# ("timely" in its simulation/run.py) and, under a separate name, with a window proportional to the rate
# ("timely_vwin"). The figure without a window is therefore decisive. The fixed window is that of 8 us at 25 Gb/s.
FIXED = {"window": 25000}
BY_RATE = {WINDOW_BY_RATE: "8us"}
WINDOWS = {"none": "", "fixed": str(FIXED["window"]), "by rate": BY_RATE[WINDOW_BY_RATE]}

read = read_center


def jobs(size: str) -> list[Job]:
    """Return the simulations. The other readings have no fair queues for PFC, and the window by rate has one trigger.
    """
    pair = ("PFC", "FAFC")
    return [
        *center_jobs(size, "TIMELY", "hadoop"),
        *seventh_xoff_jobs(size, "TIMELY", "hadoop"),
        *center_jobs(size, "TIMELY", "hadoop", pair, **FIXED),
        *(named(job) for job in center_jobs(size, "TIMELY", "hadoop", pair, TRIGGERS[1:], **BY_RATE)),
    ]


def named(job: Job) -> Job:
    """Return a name that is valid for a folder."""
    return dataclasses.replace(job, name=job.name.replace(WINDOW_BY_RATE, "window-rtt"))


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    """Return the tables of each window, prefixed with its name."""
    return {
        f"{window} {name}".replace(" ", "_"): rows
        for window, option in WINDOWS.items()
        for name, rows in reduce_center([record for record in records if record["window"] == option]).items()
    }


def with_window(data: Mapping[str, list[dict]], window: str) -> dict[str, list[dict]]:
    return {name: data[f"{window} {name}".replace(" ", "_")] for name in ("bins", "kinds")}


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    draw_center(axes[:2], with_window(data, "none"), "ab", "no window")
    draw_center(axes[2:], with_window(data, "fixed"), "cd", f"window of {FIXED['window'] / 1e3:g} kB")


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    free, fixed, by_rate = (with_window(data, window) for window in WINDOWS)
    return {
        "fafc-fig6-1": reduction_percent(free, "small", "mean", 350),
        "fafc-fig6-2": reduction_percent(free, "small", "p95", 350),
        "fafc-fig6-3": reduction_percent(free, "large", "mean", 350),
        "fafc-fig6-4": lowering_percent(free, "FAFC", "small", "mean"),
        "fafc-fig6-5": lowering_percent(free, "PFC", "small", "mean"),
        "fafc-fig6-6": reduction_percent(free, "small", "mean", 250),
        "fafc-fig6-7": reduction_percent(free, "small", "mean", 350, "PFC, fair"),
        "fafc-fig6-8": reduction_percent(fixed, "small", "mean", 350),
        "fafc-fig6-9": reduction_percent(fixed, "small", "p95", 350),
        "fafc-fig6-10": reduction_percent(fixed, "large", "mean", 350),
        "fafc-fig6-11": reduction_percent(by_rate, "small", "mean", 350),
        "fafc-fig6-12": reduction_percent(by_rate, "small", "p95", 350),
        "fafc-fig6-13": reduction_percent(free, "small", "mean", 350, SEVENTH_XOFF),
        "fafc-fig6-14": reduction_percent(free, "small, later half", "mean", 350),
        "fafc-fig6-15": reduction_percent(free, "small, one way", "mean", 350),
        "fafc-fig6-16": lowering_percent(fixed, "FAFC", "small", "mean"),
        "fafc-fig6-17": lowering_percent(fixed, "PFC", "small", "mean"),
    }
