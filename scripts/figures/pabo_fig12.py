# SPDX-License-Identifier: GPL-2.0-only
"""PABO Fig. 12: how far out of order TCP segments arrive, with 12 servers, with and without PABO."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from figures import Job, cumulate, table
from figures.pabo import SCHEME_NAMES, average, comparison_jobs, percent
from figures.style import SCHEMES

TITLE = "PABO Fig. 12: displacement of TCP segments in the fat-tree with 12 servers, with and without PABO"
MINUTES = {"quick": 1, "full": 10}
LABELS = ("absolute displacement (segments)", "segments (%)")
RUNS = "pabo-tab2"

SEEDS = {"quick": 5, "full": 20}


def jobs(size: str) -> list[Job]:
    return comparison_jobs(["12-to-1"], SEEDS[size])


def read(job: Job, folder: Path) -> dict:
    segments = table(folder, "displacements").query("segments > 0")
    distances = Counter(segments.segments.groupby(segments.displacement.abs()).sum().to_dict())
    return {
        "scheme": job.options["scheme"],
        "distances": distances,
        "out_of_order_percent": percent(distances.total() - distances[0], distances.total()),
        "largest": max(distances),
    }


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    distances: dict[str, Counter[int]] = {scheme: Counter() for scheme in SCHEME_NAMES}
    for record in records:
        distances[record["scheme"]].update(record["distances"])
    return {
        "points": average(records, ["scheme"], ["out_of_order_percent", "largest"]),
        "cdf": [
            {"scheme": scheme, "displacement": distance, "percent": share}
            for scheme in SCHEME_NAMES
            for distance, share in cumulate(distances[scheme])
        ],
    }


def draw(ax, data: Mapping[str, list[dict]]) -> None:
    for scheme, name in SCHEME_NAMES.items():
        points = [(row["displacement"], row["percent"]) for row in data["cdf"] if row["scheme"] == scheme]
        ax.plot(*zip(*points), drawstyle="steps-post", color=SCHEMES[scheme]["color"], label=name)
    ax.set(xlim=(0, 100), ylim=(0, 102))


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    rows = {row["scheme"]: row for row in data["points"]}
    pabo, reno = rows["PABO"], rows["DropTail"]
    return {
        "pabo-fig12-1": pabo["out_of_order_percent"],
        "pabo-fig12-2": pabo["largest"],
        "pabo-fig12-3": reno["largest"],
        "pabo-fig12-4": percent(reno["out_of_order_percent"], pabo["out_of_order_percent"]),
    }
