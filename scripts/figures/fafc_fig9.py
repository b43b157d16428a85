# SPDX-License-Identifier: GPL-2.0-only
"""FAFC Fig. 9: occupancy of congested ports during incasts, Hadoop with HPCC."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from figures import Job, cumulate, table
from figures.fafc import SEVENTH_XOFF, SERIES, TRIGGERS, center_jobs, seventh_xoff_jobs, series_of
from figures.style import SCHEMES as STYLES

TITLE = "FAFC Fig. 9: occupancy of ports to receivers of an incast while it lasts, Hadoop, HPCC"
MINUTES = {"quick": 4, "full": 20}
LABELS = ("occupancy of the egress queue (kB)", "CDF (%)")
RUNS = "fafc-fig7"

NEAR_ZERO = 3000  # in bytes, of the port's queue; the amount that it sends in T
LONG = 1000000  # in bytes


def jobs(size: str) -> list[Job]:
    return center_jobs(size, "HPCC", "hadoop") + seventh_xoff_jobs(size, "HPCC", "hadoop")


def read(job: Job, folder: Path) -> dict:
    return {
        "series": series_of(job),
        "trigger": int(job.options["trigger"]) // 1000,
        "samples": table(folder, "occupancy").set_index("bytes").samples.to_dict(),
    }


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    """Return the results over all seeds."""
    rows = []
    for series in (*SERIES, SEVENTH_XOFF):
        for trigger in TRIGGERS:
            counts: dict[float, int] = {}
            for record in records:
                if (record["series"], record["trigger"]) == (series, trigger):
                    for length, samples in record["samples"].items():
                        counts[length] = counts.get(length, 0) + samples
            which = {"series": series, "trigger": trigger}
            rows += [{**which, "bytes": length, "percent": percent} for length, percent in cumulate(counts)]
    return {"points": rows}


def curve(data: Mapping[str, list[dict]], series: str, trigger: int) -> list[dict]:
    return [row for row in data["points"] if (row["series"], row["trigger"]) == (series, trigger)]


def draw(ax, data: Mapping[str, list[dict]]) -> None:
    for series in SERIES:
        for trigger in TRIGGERS:
            rows = curve(data, series, trigger)
            style = "--" if trigger == TRIGGERS[0] else "-"
            lengths = [row["bytes"] / 1e3 for row in rows]
            percent = [row["percent"] for row in rows]
            label = f"{series}, {trigger} kB"
            ax.plot(lengths, percent, color=STYLES[series]["color"], linestyle=style, label=label)
    ax.set_xscale("symlog", linthresh=1)
    ax.legend(fontsize="x-small")


def mean(rows: list[dict]) -> float:
    """Return the mean in kB."""
    steps = zip([0.0, *(row["percent"] for row in rows)], rows)
    return sum((row["percent"] - before) * row["bytes"] for before, row in steps) / 100e3


def below(rows: list[dict], length: int) -> float:
    """Return the percentage of samples with fewer bytes."""
    return max((row["percent"] for row in rows if row["bytes"] < length), default=0.0)


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    curves = {
        (series, trigger): curve(data, series, trigger) for series in ("PFC", "FAFC") for trigger in TRIGGERS
    }
    means = {key: mean(rows) for key, rows in curves.items()}
    shares = {key: below(rows, NEAR_ZERO) for key, rows in curves.items()}

    def gain(length: int) -> float:
        """Return by how many percentage points FAFC has more samples below; the smaller value of both triggers."""
        return min(
            below(curves["FAFC", trigger], length) - below(curves["PFC", trigger], length) for trigger in TRIGGERS
        )

    return {
        "fafc-fig9-1": max(means["FAFC", trigger] / means["PFC", trigger] for trigger in TRIGGERS),
        "fafc-fig9-2": max(means[series, 250] / means[series, 350] for series in ("PFC", "FAFC")),
        "fafc-fig9-3": shares["PFC", 250] - max(share for key, share in shares.items() if key != ("PFC", 250)),
        "fafc-fig9-4": gain(NEAR_ZERO),
        "fafc-fig9-5": gain(LONG),
        "fafc-fig9-6": means["FAFC", 350] / mean(curve(data, SEVENTH_XOFF, 350)),
    }
