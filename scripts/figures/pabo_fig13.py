# SPDX-License-Identifier: GPL-2.0-only
"""PABO Fig. 13: delay of TCP segments in the fat-tree, with and without PABO."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from figures import Job
from figures.pabo import (
    MANY_TO_ONE,
    SCENARIOS,
    SCHEME_NAMES,
    SHORT_NAMES,
    average,
    columns,
    comparison_jobs,
    ratio,
    steps,
    summary,
)
from figures.style import SCHEMES, bars

TITLE = "PABO Fig. 13: delay of TCP segments in the fat-tree, mean and deviation, with and without PABO"
MINUTES = {"quick": 1, "full": 10}
LABELS = ("servers : clients", "delay of a segment (ms)")
RUNS = "pabo-tab2"

SEEDS = {"quick": 5, "full": 20}
# The authors' simulator calculates a delay from a segment's timestamp, which is rounded down to whole milliseconds and
# thus adds half a millisecond on average.
CLOCK_MS = 0.5


def jobs(size: str) -> list[Job]:
    return comparison_jobs(SCENARIOS, SEEDS[size])


def read(job: Job, folder: Path) -> dict:
    """Return the results. A spread is over the segments of a run."""
    values = summary(folder)
    return {
        "scheme": job.options["scheme"],
        "scenario": job.options["scenario"],
        "delay_ms": 1e3 * values["delay_mean_s"],
        "spread_ms": 1e3 * values["delay_deviation_s"],
    }


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    return {"points": average(records, ["scheme", "scenario"], ["delay_ms", "spread_ms"])}


def draw(ax, data: Mapping[str, list[dict]]) -> None:
    rows = data["points"]
    styles = [SCHEMES[scheme] for scheme in SCHEME_NAMES]
    bars(ax, SHORT_NAMES, columns(rows, "delay_ms"), styles, columns(rows, "spread_ms"))
    ax.set(ylim=(0, None))


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    many_to_one = slice(len(MANY_TO_ONE))
    delays = columns(data["points"], "delay_ms")
    spreads = columns(data["points"], "spread_ms")["PABO"]
    pairs = [*zip(*delays.values())]
    by_clock = [ratio(pabo + CLOCK_MS, reno + CLOCK_MS) for pabo, reno in pairs]
    growth = [steps(values[many_to_one]) for values in delays.values()]
    return {
        "pabo-fig13-1": min(by_clock),
        "pabo-fig13-2": min(steps(spreads[many_to_one])),
        "pabo-fig13-3": min(min(change[:-1]) for change in growth),
        "pabo-fig13-4": max(by_clock),
        "pabo-fig13-6": max(ratio(pabo, reno) for pabo, reno in pairs),
        "pabo-fig13-5": max(change[-1] for change in growth),
    }
