# SPDX-License-Identifier: GPL-2.0-only
"""DSH Fig. 15: the background's mean completion time with four workloads in two topologies."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from figures import Job
from figures.dsh import (
    READINGS,
    SCHEMES,
    all_finished,
    count_hosts,
    fat_tree,
    leaf_spine,
    load_job,
    mean_fct_ms,
    ratios,
    unfinished,
)
from figures.style import SCHEMES as STYLES
from figures.style import bars, range_errors

TITLE = "DSH Fig. 15: mean FCT of background flows with four workloads, leaf-spine and fat-tree, SIH and DSH"
MINUTES = {"quick": 3, "medium": 35, "full": 2500}
PANELS = (2, 2)
LABELS = (("workload", "normalized mean FCT"),) * 4

NETWORKS = {"leaf-spine": leaf_spine, "fat-tree": fat_tree}
WORKLOADS = {"websearch": "web search", "datamining": "data mining", "cache": "cache", "hadoop": "Hadoop"}
BACKGROUND_LOAD = 0.8
ARRIVALS = {"quick": "1.5ms", "medium": "5ms", "full": "10ms"}
SEEDS = {"quick": range(1, 3), "medium": range(1, 3), "full": range(1, 4)}


def jobs(size: str) -> list[Job]:
    return [
        load_job(
            {"topology": topology, **network(size)},
            congestion_control="DCQCN",
            classes=reading,
            background_load=BACKGROUND_LOAD,
            sizes=sizes,
            arrivals=ARRIVALS[size],
            scheme=scheme,
            RngRun=seed,
        )
        for reading in READINGS
        for topology, network in NETWORKS.items()
        for sizes in WORKLOADS
        for seed in SEEDS[size]
        for scheme in SCHEMES
    ]


def read(job: Job, folder: Path) -> dict:
    return {
        "classes": job.options["classes"],
        "topology": job.options["topology"],
        "sizes": job.options["sizes"],
        "scheme": job.options["scheme"],
        "seed": int(job.options["RngRun"]),
        "hosts": count_hosts(job.options),
        "background": mean_fct_ms(folder, "background"),
        "unfinished": unfinished(folder),
    }


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    """Return a row for each bar of DSH; see ratios()."""
    return {"points": ratios(records, ("classes", "topology", "sizes"), "background")}


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    panels = [(reading, topology) for reading in READINGS for topology in NETWORKS]
    for letter, ax, panel in zip("abcd", axes, panels):
        rows = [row for row in data["points"] if (row["classes"], row["topology"]) == panel]
        rows.sort(key=lambda row: list(WORKLOADS).index(row["sizes"]))
        heights = {"SIH": [1] * len(rows), "DSH": [row["ratio"] for row in rows]}
        errors = {"SIH": None, "DSH": range_errors(rows, "ratio")}
        names = [name.replace(" ", "\n") for name in WORKLOADS.values()]
        bars(ax, names, heights, [STYLES[scheme] for scheme in heights], errors)
        ax.set(
            ylim=(0, 1.5),
            title=f"({letter}) {panel[1]}, {rows[0]['hosts']} hosts, {READINGS[panel[0]]}",
        )
        ax.legend(fontsize="small", ncols=2, loc="upper center", title=f"{rows[0]['runs']} seeds")


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    if not all_finished(data["points"]):
        return {}
    return {
        f"dsh-fig15-{number}": max(row["ratio"] for row in data["points"] if row["classes"] == reading)
        for number, reading in enumerate(READINGS, 1)
    }
