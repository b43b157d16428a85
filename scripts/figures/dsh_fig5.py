# SPDX-License-Identifier: GPL-2.0-only
"""DSH Fig. 5: mean flow completion time against the size of the buffer, under SIH with PowerTCP."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from figures import Job
from figures.dsh import all_finished, count_hosts, leaf_spine, load_job, mean_fct_ms, unfinished
from figures.style import SCHEMES

TITLE = "DSH Fig. 5: mean FCT of all flows against the buffer size, SIH with PowerTCP"
MINUTES = {"quick": 3, "full": 60}
LABELS = ("buffer size (MB)", "mean FCT (ms)")

LOAD = 0.9
# Of web search. The paper names nothing else here, but refers to its large network, which has fan-in as well.
BACKGROUND_LOADS = (0.9, 0.6)
MEGABYTES = range(14, 31, 2)  # of a switch of 32 ports
ARRIVALS = {"quick": "3ms", "full": "10ms"}


def jobs(size: str) -> list[Job]:
    return [
        load_job(
            {**leaf_spine(size), "buffer": megabytes * 2**20},
            scheme="SIH",
            congestion_control="PowerTCP",
            load=LOAD,
            background_load=background,
            arrivals=ARRIVALS[size],
        )
        for background in BACKGROUND_LOADS
        for megabytes in MEGABYTES
    ]


def read(job: Job, folder: Path) -> dict:
    return {
        "background": float(job.options["background-load"]),
        "megabytes": int(job.options["buffer"]) // 2**20,
        "hosts": count_hosts(job.options),
        "fct_ms": mean_fct_ms(folder, "background", "fan-in"),
        "unfinished": unfinished(folder),
    }


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    return {"points": sorted(records, key=lambda row: (row["background"], row["megabytes"]))}


def curve(data: Mapping[str, list[dict]], background: float) -> list[dict]:
    return [row for row in data["points"] if row["background"] == background]


def draw(ax, data: Mapping[str, list[dict]]) -> None:
    for background, line in zip(BACKGROUND_LOADS, ("-", "--")):
        points = curve(data, background)
        ax.plot(
            [row["megabytes"] for row in points],
            [row["fct_ms"] for row in points],
            **SCHEMES["SIH"],
            linestyle=line,
            label=f"web search {background:g}, fan-in {LOAD - background:.1f}",
        )
    ax.set(ylim=(0, None), title=f"{data['points'][0]['hosts']} hosts")


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    if not all_finished(data["points"]):
        return {}
    curves = [curve(data, background) for background in BACKGROUND_LOADS]
    return {
        f"dsh-fig5-{number}": 100 * (points[0]["fct_ms"] / points[-1]["fct_ms"] - 1)
        for number, points in enumerate(curves, 1)
    }
