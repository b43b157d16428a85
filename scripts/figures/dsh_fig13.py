# SPDX-License-Identifier: GPL-2.0-only
"""DSH Fig. 13(b) to (d): throughput of an innocent flow while a burst is sent to another receiver."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from pathlib import Path

from figures import Job, make_job, table
from figures.dsh import SCHEMES, WITH_POOL
from figures.style import SCHEMES as STYLES

TITLE = "DSH Fig. 13: throughput of an innocent flow during a fan-in burst, SIH, SHP and DSH"
MINUTES = {"quick": 1, "full": 1}
PANELS = (1, 3)
LABELS = (("time since the burst (us)", "throughput of F0 (Gb/s)"),) * 3

# The time, in us, at which both flows have reached 50 Gb/s and the burst is sent. DCQCN oscillates for some 30 ms at
# first.
BURST_START = {"None": 1000, "DCQCN": 39500, "PowerTCP": 1000}
TITLES = {"None": "no congestion control", "DCQCN": "DCQCN", "PowerTCP": "PowerTCP"}
BEFORE, AFTER = 100, 400  # in us, the interval that is drawn
JUDGED = 200  # in us, from the burst on: its 1.7 MB need 133 us at 100 Gb/s
# The sizes, in bytes, that "16MB" in the paper may mean. MiB fits: 12 732 160 B are printed as 12MB, and the simulators
# of this family count in this way. Only SIH and DSH are compared with the other size.
BUFFERS = {"MiB": 16 << 20, "MB": 16000000}


def jobs(size: str) -> list[Job]:
    """The paper's scenario is small, so both sizes are the same."""
    return [
        make_job(
            "collateral-damage",
            {
                "congestion-control": control,
                "burst-start": f"{start}us",
                "stop": f"{start + AFTER}us",
                "scheme": scheme,
                "buffer": size_of_buffer,
            },
        )
        for unit, size_of_buffer in BUFFERS.items()
        for control, start in BURST_START.items()
        for scheme in (WITH_POOL if unit == "MiB" else SCHEMES)
    ]


def read(job: Job, folder: Path) -> list[dict]:
    control = job.options["congestion-control"]
    rows = table(folder, "throughput").query("flow in ('F0', 'F1')")
    return [
        {
            "unit": next(unit for unit, size in BUFFERS.items() if int(job.options["buffer"]) == size),
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
    curves = dict.fromkeys((row["unit"], row["control"], row["scheme"]) for row in points)
    return {"points": points, "kept": [kept(points, *which) for which in curves]}


def kept(points: list[dict], unit: str, control: str, scheme: str) -> dict:
    """Return the throughput of F0 after the burst relative to that before."""
    curve = curve_of(points, unit, control, scheme)
    before = statistics.fmean(rate for time, rate in curve if time <= 0)
    during = [rate for time, rate in curve if 0 < time <= JUDGED]
    return {
        "unit": unit,
        "control": control,
        "scheme": scheme,
        "before_gbps": before,
        "kept_percent": 100 * statistics.fmean(during) / before,
        "lowest_gbps": min(during),
    }


def curve_of(points: list[dict], unit: str, control: str, scheme: str) -> list[tuple[float, float]]:
    """Return the end of each window and the throughput of F0 in it."""
    return [
        (row["time_us"], row["gbps"])
        for row in points
        if (row["unit"], row["control"], row["scheme"], row["flow"]) == (unit, control, scheme, "F0")
    ]


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    for letter, ax, control in zip("bcd", axes, BURST_START):
        for scheme in WITH_POOL:
            ax.plot(*zip(*curve_of(data["points"], "MiB", control, scheme)), **STYLES[scheme], label=scheme)
        ax.set(xlim=(-BEFORE, AFTER), ylim=(0, 100), title=f"({letter}) {TITLES[control]}")


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    lowest = {(row["unit"], row["control"], row["scheme"]): row["lowest_gbps"] for row in data["kept"]}
    share = {(row["unit"], row["control"], row["scheme"]): row["kept_percent"] for row in data["kept"]}
    return {
        "dsh-fig13-1": share["MiB", "None", "SIH"],
        "dsh-fig13-2": min(share["MiB", control, "DSH"] for control in BURST_START),
        "dsh-fig13-3": share["MiB", "DCQCN", "SIH"],
        "dsh-fig13-4": share["MiB", "PowerTCP", "SIH"],
        "dsh-fig13-5": share["MB", "None", "SIH"],
        "dsh-fig13-6": share["MB", "DCQCN", "SIH"],
        "dsh-fig13-7": share["MB", "PowerTCP", "SIH"],
        "dsh-fig13-8": min(share["MB", control, "DSH"] for control in BURST_START),
        "dsh-fig13-9": lowest["MiB", "PowerTCP", "SIH"],
        "dsh-fig13-10": lowest["MB", "PowerTCP", "SIH"],
    }
