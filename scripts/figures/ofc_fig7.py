# SPDX-License-Identifier: GPL-2.0-only
"""OFC Fig. 7: mean queue lengths in the fat-tree, two flow-size tables, six schemes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from figures import Job
from figures.ofc import (
    BASELINES,
    COMPARED,
    TABLES,
    layer_queues,
    over_seeds,
    scheme_of,
    share_percent,
    sizes_of,
    tree_jobs,
)
from figures.style import SCHEMES as STYLES
from figures.style import bars

TITLE = "OFC Fig. 7: mean queue length of all, core and aggregation ports in a fat-tree, six schemes"
MINUTES = {"quick": 3, "full": 10}
PANELS = (1, 2)
LABELS = (("", "mean queue length (kB)"),) * 2
RUNS = "ofc-fig6"

GROUPS = ("all", "core", "aggregation")


def jobs(size: str) -> list[Job]:
    return tree_jobs(size)


def read(job: Job, folder: Path) -> list[dict]:
    return [
        {"sizes": sizes_of(job), "scheme": scheme_of(job), "group": group, "mean_kb": length}
        for group, length in layer_queues(folder).items()
    ]


def reduce(records: list[list[dict]]) -> dict[str, list[dict]]:
    rows = [row for found in records for row in found]
    return {"points": over_seeds(rows, ("sizes", "scheme", "group"), ("mean_kb",))}


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    mean = {(row["sizes"], row["scheme"], row["group"]): row["mean_kb"] for row in data["points"]}
    for letter, ax, sizes in zip("ab", axes, TABLES):
        heights = {scheme: [mean[sizes, scheme, group] for group in GROUPS] for scheme in COMPARED}
        bars(ax, GROUPS, heights, [STYLES[scheme] for scheme in COMPARED])
        ax.set(title=f"({letter}) {sizes}")
        ax.legend(fontsize="x-small", ncols=2)


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    mean = {(row["sizes"], row["scheme"], row["group"]): row["mean_kb"] for row in data["points"]}
    found = {}
    for number, sizes in enumerate(TABLES, 1):
        gains = [
            [100 * (1 - mean[sizes, "OFC", group] / mean[sizes, scheme, group]) for scheme in BASELINES]
            for group in GROUPS
        ]
        ends = [max(of_baselines) for of_baselines in gains]  # "by up to", one for each kind of port
        found[f"ofc-fig7-{number}"], found[f"ofc-fig7-{number}-most"] = min(ends), max(ends)
        found[f"ofc-fig7-{number + 3}"] = min(map(min, gains))
    return {
        **found,
        "ofc-fig7-3": share_percent(
            mean["EDU1", scheme, group] < mean["EDU2", scheme, group]
            for group in GROUPS
            for scheme in COMPARED
        ),
    }
