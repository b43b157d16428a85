# SPDX-License-Identifier: GPL-2.0-only
"""OFC Fig. 7: mean queue lengths in the fat-tree, for two flow-size tables and six schemes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from figures import Job
from figures.ofc import (
    BASELINES,
    COMPARED,
    TABLES,
    over_seeds,
    over_window,
    share_percent,
    sizes_of,
    tree_jobs,
    tree_queues,
)
from figures.style import SCHEMES as STYLES
from figures.style import bars

TITLE = "OFC Fig. 7: mean queue length of all, core and aggregation ports in a fat-tree, six schemes"
MINUTES = {"quick": 3, "full": 10}
PANELS = (1, 2)
LABELS = (("", "mean queue length (kB)"),) * 2
RUNS = "ofc-fig6"

# A server's port is one of NetBench's as well (Fig. 5). In the other reading all ports are those of switches.
GROUPS = ("all", "core", "aggregation")
SWITCHES = ("switches", "core", "aggregation")


def jobs(size: str) -> list[Job]:
    return tree_jobs(size)


def read(job: Job, folder: Path) -> list[dict]:
    return [{"sizes": sizes_of(job), **row} for row in tree_queues(job, folder)]


def reduce(records: list[list[dict]]) -> dict[str, list[dict]]:
    rows = over_window([row for found in records for row in found])
    return {"points": over_seeds(rows, ("sizes", "scheme", "group"), ("window_kb", "mean_kb", "busy_ms"))}


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    mean = means(data, "window_kb")
    for letter, ax, sizes in zip("ab", axes, TABLES):
        heights = {scheme: [mean[sizes, scheme, group] for group in GROUPS] for scheme in COMPARED}
        bars(ax, GROUPS, heights, [STYLES[scheme] for scheme in COMPARED])
        ax.set(title=f"({letter}) {sizes}")
        ax.legend(fontsize="x-small", ncols=2)


def means(data: Mapping[str, list[dict]], name: str) -> dict[tuple[str, str, str], float]:
    """Return means by size table, scheme and group of ports."""
    return {(row["sizes"], row["scheme"], row["group"]): row[name] for row in data["points"]}


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    mean = means(data, "window_kb")

    def gains(sizes: str, name: str, groups: tuple[str, ...] = GROUPS) -> list[list[float]]:
        """Return gains for each kind of ports, over each baseline."""
        lengths = means(data, name)
        return [
            [100 * (1 - lengths[sizes, "OFC", group] / lengths[sizes, scheme, group]) for scheme in BASELINES]
            for group in groups
        ]

    found = {}
    for number, sizes in enumerate(TABLES, 1):
        for claim, name, groups in ((0, "window_kb", GROUPS), (5, "mean_kb", GROUPS), (7, "window_kb", SWITCHES)):
            ends = [*map(max, gains(sizes, name, groups))]  # "by up to", one for each kind of ports
            found[f"ofc-fig7-{number + claim}"], found[f"ofc-fig7-{number + claim}-most"] = min(ends), max(ends)
        found[f"ofc-fig7-{number + 3}"] = min(map(min, gains(sizes, "window_kb")))
    return {
        **found,
        "ofc-fig7-3": share_percent(
            mean["EDU1", scheme, group] < mean["EDU2", scheme, group]
            for group in GROUPS
            for scheme in COMPARED
        ),
    }
