# SPDX-License-Identifier: GPL-2.0-only
"""OFC Fig. 6: completion times in the fat-tree, for two flow-size tables and six schemes."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping
from pathlib import Path

from figures import Job
from figures.ofc import (
    BASELINES,
    COMPARED,
    TABLES,
    fct_times,
    over_seeds,
    scheme_of,
    share_percent,
    sizes_of,
    tree_jobs,
)
from figures.style import SCHEMES as STYLES
from figures.style import bars, range_errors

TITLE = "OFC Fig. 6: mean FCT of all, short and large flows in a fat-tree, two flow-size tables, six schemes"
MINUTES = {"quick": 3, "full": 10}
PANELS = (1, 2)
LABELS = (("", "mean FCT (ms)"),) * 2

GROUPS = ("all", "short", "large")


def jobs(size: str) -> list[Job]:
    return tree_jobs(size)


def read(job: Job, folder: Path) -> list[dict]:
    return [
        {
            "sizes": sizes_of(job),
            "scheme": scheme_of(job),
            "group": group,
            "mean_ms": statistics.fmean(values),
            "p99_ms": values[math.ceil(0.99 * len(values)) - 1],
        }
        for group, values in fct_times(folder, GROUPS).items()
    ]


def reduce(records: list[list[dict]]) -> dict[str, list[dict]]:
    rows = [row for found in records for row in found]
    return {"points": over_seeds(rows, ("sizes", "scheme", "group"), ("mean_ms", "p99_ms"))}


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    rows = {(row["sizes"], row["scheme"], row["group"]): row for row in data["points"]}
    for letter, ax, sizes in zip("ab", axes, TABLES):
        heights = {scheme: [rows[sizes, scheme, group]["mean_ms"] for group in GROUPS] for scheme in COMPARED}
        ranges = {
            scheme: range_errors([rows[sizes, scheme, group] for group in GROUPS], "mean_ms")
            for scheme in COMPARED
        }
        bars(ax, GROUPS, heights, [STYLES[scheme] for scheme in COMPARED], ranges)
        ax.set(title=f"({letter}) {sizes}")
        ax.legend(fontsize="x-small", ncols=2)


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    mean = {(row["sizes"], row["scheme"], row["group"]): row["mean_ms"] for row in data["points"]}

    def gains(group: str) -> list[float]:
        return [
            100 * (1 - mean[sizes, "OFC", group] / mean[sizes, scheme, group])
            for sizes in TABLES
            for scheme in BASELINES
        ]

    return {
        "ofc-fig6-1": min(gains("all")),
        "ofc-fig6-1-most": max(gains("all")),
        "ofc-fig6-2": share_percent(
            mean[sizes, scheme, "short"] < mean[sizes, scheme, "large"]
            for sizes in TABLES
            for scheme in COMPARED
        ),
        "ofc-fig6-3": share_percent(
            mean["EDU1", scheme, "all"] < mean["EDU2", scheme, "all"] for scheme in COMPARED
        ),
        "ofc-fig6-4": share_percent(gain > 0 for gain in gains("large")),
    }
