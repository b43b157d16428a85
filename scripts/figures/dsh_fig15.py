# SPDX-License-Identifier: GPL-2.0-only
"""DSH Fig. 15: the background's mean completion time with four workloads in two topologies."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from figures import Job
from figures.dsh import (
    SCHEMES,
    all_finished,
    count_hosts,
    fat_tree,
    leaf_spine,
    load_job,
    mean_fct_ms,
    unfinished,
)
from figures.style import SCHEMES as STYLES
from figures.style import bars

TITLE = "DSH Fig. 15: mean FCT of background flows with four workloads, leaf-spine and fat-tree, SIH and DSH"
MINUTES = {"quick": 2, "full": 400}
PANELS = (1, 2)
LABELS = (("workload", "normalized mean FCT"),) * 2

NETWORKS = {"leaf-spine": leaf_spine, "fat-tree": fat_tree}
WORKLOADS = {"websearch": "web search", "datamining": "data mining", "cache": "cache", "hadoop": "Hadoop"}
BACKGROUND_LOAD = 0.8
ARRIVALS = {"quick": "3ms", "full": "10ms"}


def jobs(size: str) -> list[Job]:
    return [
        load_job(
            {"topology": topology, **network(size)},
            congestion_control="DCQCN",
            background_load=BACKGROUND_LOAD,
            sizes=sizes,
            arrivals=ARRIVALS[size],
            scheme=scheme,
        )
        for topology, network in NETWORKS.items()
        for sizes in WORKLOADS
        for scheme in SCHEMES
    ]


def read(job: Job, folder: Path) -> dict:
    return {
        "topology": job.options["topology"],
        "sizes": job.options["sizes"],
        "scheme": job.options["scheme"],
        "hosts": count_hosts(job.options),
        "fct_ms": mean_fct_ms(folder, "background"),
        "unfinished": unfinished(folder),
    }


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    """A row for each pair of bars; `ratio` is DSH's mean by SIH's."""
    by_key = {(row["topology"], row["sizes"], row["scheme"]): row for row in records}
    points = []
    for topology in NETWORKS:
        for sizes in WORKLOADS:
            sih, dsh = (by_key[topology, sizes, scheme] for scheme in SCHEMES)
            points.append(
                {
                    "topology": topology,
                    "sizes": sizes,
                    "hosts": sih["hosts"],
                    "sih_ms": sih["fct_ms"],
                    "dsh_ms": dsh["fct_ms"],
                    "ratio": dsh["fct_ms"] / sih["fct_ms"],
                    "unfinished": sih["unfinished"] + dsh["unfinished"],
                }
            )
    return {"points": points}


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    for letter, ax, topology in zip("ab", axes, NETWORKS):
        rows = [row for row in data["points"] if row["topology"] == topology]
        ratios = [row["ratio"] for row in rows]
        heights = {"SIH": [1] * len(ratios), "DSH": ratios}
        names = [name.replace(" ", "\n") for name in WORKLOADS.values()]
        bars(ax, names, heights, [STYLES[scheme] for scheme in heights])
        ax.set(ylim=(0, 1.3), title=f"({letter}) {topology}, {rows[0]['hosts']} hosts")
        ax.legend(fontsize="small", ncols=2, loc="upper center")


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    if not all_finished(data["points"]):
        return {}
    return {"dsh-fig15-1": max(row["ratio"] for row in data["points"])}
