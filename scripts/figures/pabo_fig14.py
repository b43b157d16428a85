# SPDX-License-Identifier: GPL-2.0-only
"""PABO Fig. 14: how long a reply takes in the fat-tree, with and without PABO."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping
from pathlib import Path

from figures import Job, table
from figures.pabo import (
    SCENARIOS,
    SCHEME_NAMES,
    SHORT_NAMES,
    average,
    columns,
    comparison_jobs,
    is_by_table,
    ratio,
    steps,
    summary,
    table_jobs,
)
from figures.style import SCHEMES, bars

TITLE = "PABO Fig. 14: mean flow completion time in the fat-tree, with and without PABO"
MINUTES = {"quick": 1, "full": 10}
LABELS = ("servers : clients", "mean flow completion time (ms)")
RUNS = "pabo-tab2"

SEEDS = {"quick": 5, "full": 20}
GROWING = 3  # the number of scenarios in which PABO's advantage grows, according to the paper: 3, 6 and 9 servers


def jobs(size: str) -> list[Job]:
    return comparison_jobs(SCENARIOS, SEEDS[size]) + table_jobs(SCENARIOS, size)


def read(job: Job, folder: Path) -> dict:
    return {
        "scheme": job.options["scheme"],
        "by_table": is_by_table(job),
        "scenario": job.options["scenario"],
        "fct_ms": statistics.fmean(table(folder, "replies").fct_ns) / 1e6,
        "replies_missing": summary(folder)["replies_missing"],
    }


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    of = ["fct_ms", "replies_missing"]
    own, by_table = ([record for record in records if record["by_table"] == other] for other in (False, True))
    return {"points": average(own, ["scheme", "scenario"], of), "by_table": average(by_table, ["scheme", "scenario"], of)}


def draw(ax, data: Mapping[str, list[dict]]) -> None:
    rows = data["points"]
    styles = [SCHEMES[scheme] for scheme in SCHEME_NAMES]
    bars(ax, SHORT_NAMES, columns(rows, "fct_ms"), styles, columns(rows, "fct_ms_deviation"))
    ax.set(ylim=(0, None))


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    arrived = data["points"]
    reno = [row for row in arrived if row["scheme"] != "PABO"]
    ratios, differences = against_reno(waiting(arrived))
    table_ratios, table_differences = against_reno(waiting(data["by_table"]) + reno)
    arrived_ratios, arrived_differences = against_reno(arrived)
    return {
        "pabo-fig14-1": min(ratios),
        "pabo-fig14-2": min(steps(differences)),
        "pabo-fig14-3": min(steps(arrived_ratios[:GROWING])),
        "pabo-fig14-4": min(arrived_ratios),
        "pabo-fig14-5": min(steps(arrived_differences)),
        "pabo-fig14-6": min(table_ratios),
        "pabo-fig14-7": min(steps(table_differences)),
    }


def waiting(rows: list[dict]) -> list[dict]:
    """Return the waiting time. A reply that never arrives takes an infinite time."""
    return [{**row, "fct_ms": math.inf if row["replies_missing"] else row["fct_ms"]} for row in rows]


def against_reno(rows: list[dict]) -> tuple[list[float], list[float]]:
    """Return the completion times of TCP Reno divided by PABO's in all scenarios, and minus PABO's in those in which
    the advantage grows.
    """
    pabo, reno = columns(rows, "fct_ms").values()
    differences = [without - with_pabo for with_pabo, without in zip(pabo, reno)]
    return [ratio(without, with_pabo) for with_pabo, without in zip(pabo, reno)], differences[:GROWING]
