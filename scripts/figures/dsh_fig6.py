# SPDX-License-Identifier: GPL-2.0-only
"""DSH Fig. 6: how much of their headroom ports use at the local maxima of this use, under SIH with DCQCN."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from figures import Job, cumulate, table
from figures.dsh import count_hosts, leaf_spine, load_job
from figures.style import SCHEMES

TITLE = "DSH Fig. 6: use of the headroom of a port at its local maxima, SIH with DCQCN"
MINUTES = {"quick": 1, "full": 8}
LABELS = ("headroom utilization (%)", "CDF (%)")

LOAD = 0.9
ARRIVALS = {"quick": "5ms", "full": "10ms"}
SEEDS = {"quick": 2, "full": 2}


def jobs(size: str) -> list[Job]:
    return [
        load_job(
            leaf_spine(size),
            scheme="SIH",
            congestion_control="DCQCN",
            load=LOAD,
            background_load=LOAD,
            arrivals=ARRIVALS[size],
            headroom_peaks="true",
            RngRun=seed,
        )
        for seed in range(1, SEEDS[size] + 1)
    ]


def read(job: Job, folder: Path) -> dict:
    """Return how often a port's headroom peaked, by share of the reserved headroom."""
    rows = table(folder, "headroom-peaks")
    percent = 100 * rows.headroom_bytes / rows.capacity_bytes
    peaks = Counter(rows.peaks.groupby(percent).sum().to_dict())
    return {"hosts": count_hosts(job.options), "peaks": peaks}


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    """Combine all runs, by use; `below` is the share of maxima that are not higher.

    Without any maximum, there is a single row that states this.
    """
    peaks: Counter[float] = Counter()
    for record in records:
        peaks.update(record["peaks"])
    return {
        "points": [
            {
                "hosts": records[0]["hosts"],
                "use_percent": percent,
                "peaks": peaks[percent],
                "below_percent": below,
            }
            for percent, below in cumulate(peaks) or [(0.0, 0.0)]
        ]
    }


def quantile(points: list[dict], percent: float) -> float | None:
    """Return the smallest use that this percentage of the maxima does not exceed; nothing if there are no maxima."""
    return next((row["use_percent"] for row in points if row["below_percent"] >= percent), None)


def draw(ax, data: Mapping[str, list[dict]]) -> None:
    points = data["points"]
    ax.step(
        [0, *(row["use_percent"] for row in points)],
        [0, *(row["below_percent"] for row in points)],
        where="post",
        color=SCHEMES["SIH"]["color"],
        label="SIH, DCQCN",
    )
    for percent in (50, 99):
        use = quantile(points, percent)
        if use is not None:
            ax.axvline(use, color="black", linestyle=":", linewidth=1, label=f"{percent} %: {use:.1f} %")
    ax.set(xlim=(0, None), ylim=(0, 100), title=f"{points[0]['hosts']} hosts")


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    return {f"dsh-fig6-{number}": quantile(data["points"], share) for number, share in ((1, 50), (2, 99))}
