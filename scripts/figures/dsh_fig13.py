# SPDX-License-Identifier: GPL-2.0-only
"""DSH Fig. 13(b) to (d): throughput of an innocent flow while a burst comes to another receiver."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from pathlib import Path

from figures import Job, make_job, table
from figures.dsh import WITH_POOL
from figures.style import SCHEMES as STYLES

TITLE = "DSH Fig. 13: throughput of an innocent flow during a fan-in burst, SIH, SHP and DSH"
MINUTES = {"quick": 1, "full": 1}
PANELS = (1, 3)
LABELS = (("time since the burst (us)", "throughput of F0 (Gb/s)"),) * 3

# When both flows are at 50 Gb/s, in us: the burst comes then. DCQCN swings for some 30 ms at first.
BURST_START = {"None": 1000, "DCQCN": 39500, "PowerTCP": 1000}
TITLES = {"None": "no congestion control", "DCQCN": "DCQCN", "PowerTCP": "PowerTCP"}
BEFORE, AFTER = 100, 400  # us that are drawn
JUDGED = 200  # us from the burst on: its 1.7 MB need 133 us at 100 Gb/s


def jobs(size: str) -> list[Job]:
    """The paper's scenario is small: both sizes are the same."""
    return [
        make_job(
            "collateral-damage",
            {
                "congestion-control": control,
                "burst-start": f"{start}us",
                "duration": f"{start + AFTER}us",
                "scheme": scheme,
            },
        )
        for control, start in BURST_START.items()
        for scheme in WITH_POOL
    ]


def read(job: Job, folder: Path) -> list[dict]:
    control = job.options["congestion-control"]
    rows = table(folder, "throughput").query("flow in ('F0', 'F1')")
    return [
        {
            "control": control,
            "scheme": job.options["scheme"],
            "flow": row.flow,
            "time_us": row.time_ns / 1000 - BURST_START[control],
            "gbps": row.bits_per_second / 1e9,
        }
        for row in rows.itertuples()
        if row.time_ns / 1000 > BURST_START[control] - BEFORE
    ]


def reduce(records: list[list[dict]]) -> dict[str, list[dict]]:
    points = [row for record in records for row in record]
    return {
        "points": points,
        "kept": [kept(points, control, scheme) for control in BURST_START for scheme in WITH_POOL],
    }


def kept(points: list[dict], control: str, scheme: str) -> dict:
    """F0's throughput from the burst on against that before."""
    curve = curve_of(points, control, scheme)
    before = statistics.fmean(rate for time, rate in curve if time <= 0)
    during = [rate for time, rate in curve if 0 < time <= JUDGED]
    return {
        "control": control,
        "scheme": scheme,
        "before_gbps": before,
        "kept_percent": 100 * statistics.fmean(during) / before,
        "lowest_gbps": min(during),
    }


def curve_of(points: list[dict], control: str, scheme: str, flow: str = "F0") -> list[tuple[float, float]]:
    """End of each window, and throughput in it."""
    return [
        (row["time_us"], row["gbps"])
        for row in points
        if (row["control"], row["scheme"], row["flow"]) == (control, scheme, flow)
    ]


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    for letter, ax, control in zip("bcd", axes, BURST_START):
        for scheme in WITH_POOL:
            ax.plot(*zip(*curve_of(data["points"], control, scheme)), **STYLES[scheme], label=scheme)
        ax.set(xlim=(-BEFORE, AFTER), ylim=(0, 100), title=f"({letter}) {TITLES[control]}")


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    share = {(row["control"], row["scheme"]): row["kept_percent"] for row in data["kept"]}
    return {
        "dsh-fig13-1": share["None", "SIH"],
        "dsh-fig13-2": min(share[control, "DSH"] for control in BURST_START),
        "dsh-fig13-3": share["DCQCN", "SIH"],
        "dsh-fig13-4": share["PowerTCP", "SIH"],
    }
