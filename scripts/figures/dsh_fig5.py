# SPDX-License-Identifier: GPL-2.0-only
"""DSH Fig. 5: mean flow completion time against the size of the buffer, under SIH with PowerTCP."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from figures import Job
from figures.dsh import count_hosts, leaf_spine, load_job, mean_fct_ms, unfinished
from figures.style import SCHEMES

TITLE = "DSH Fig. 5: mean FCT of web search flows against the buffer size, SIH with PowerTCP"
MINUTES = {"quick": 2, "full": 30}
LABELS = ("buffer size (MB for 32 ports)", "mean FCT (ms)")

LOAD = 0.9
MEGABYTES = range(14, 31, 2)  # of a switch of 32 ports
PAPER_PORTS = 32
ARRIVALS = {"quick": "3ms", "full": "10ms"}


def jobs(size: str) -> list[Job]:
    """The smaller network's switches have the same bytes for each port."""
    network = leaf_spine(size)
    scale = network["buffer"] / (16 * 2**20)
    return [
        load_job(
            {**network, "buffer": round(megabytes * 2**20 * scale)},
            scheme="SIH",
            congestion_control="PowerTCP",
            load=LOAD,
            background_load=LOAD,
            arrivals=ARRIVALS[size],
        )
        for megabytes in MEGABYTES
    ]


def read(job: Job, folder: Path) -> dict:
    ports = max(int(job.options["leaves"]), int(job.options["spines"]) + int(job.options["hosts-per-leaf"]))
    return {
        "megabytes": round(int(job.options["buffer"]) * PAPER_PORTS / ports / 2**20),
        "hosts": count_hosts(job.options),
        "fct_ms": mean_fct_ms(folder, "background"),
        "unfinished": unfinished(folder),
    }


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    return {"points": sorted(records, key=lambda row: row["megabytes"])}


def draw(ax, data: Mapping[str, list[dict]]) -> None:
    points = data["points"]
    ax.plot(
        [row["megabytes"] for row in points],
        [row["fct_ms"] for row in points],
        **SCHEMES["SIH"],
        label="SIH, PowerTCP",
    )
    ax.set(ylim=(0, None), title=f"{points[0]['hosts']} hosts")


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    first, last = data["points"][0], data["points"][-1]
    return {"dsh-fig5-1": 100 * (first["fct_ms"] / last["fct_ms"] - 1)}
