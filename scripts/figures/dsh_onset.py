# SPDX-License-Identifier: GPL-2.0-only
"""The load of the second panel of DSH Fig. 12, chosen from the behaviour of SIH alone.

The load that the paper states is permanently twice the capacity of the remaining uplinks, so that the network is full
at the end with every lossless scheme. To show a difference between schemes, the figure has a second panel at a lower
load. The rule that chooses this load was written down before any run of DSH at these loads, and its seeds differ from
those of the figure:

Going down the grid of loads, it is the last load before the first one at which not every run under SIH deadlocks within
100 ms.

The rule is applied to each congestion control. ECN thresholds are the same at all ports.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from figures import Job, make_job, table
from figures.dsh import CONTROLS
from figures.seeds import grouped

if TYPE_CHECKING:
    from pandas import DataFrame

TITLE = "DSH Fig. 12(b), choice of a load: how many runs deadlock under SIH, and when, against the load"
MINUTES = {"quick": 3, "full": 25}
PANELS = (1, 2)
LABELS = (("load of the downlinks", "runs that deadlock (%)"), ("load of the downlinks", "onset of deadlock (ms)"))

LOADS = {
    "quick": (0.5, 0.4, 0.3, 0.2, 0.1),
    "full": (0.5, 0.45, 0.4, 0.35, 0.3, 0.25, 0.2, 0.15, 0.1, 0.05),
}
DURATION = {"quick": "10ms", "full": "100ms"}
SEEDS = {"quick": range(1001, 1004), "full": range(1001, 1006)}


def jobs(size: str) -> list[Job]:
    return [
        deadlock_job("SIH", control, load, DURATION[size], seed, **same_ecn(control))
        for control in CONTROLS
        for load in LOADS[size]
        for seed in SEEDS[size]
    ]


def same_ecn(control: str) -> dict[str, str]:
    """ECN thresholds, if any, that are the same at all ports. Otherwise, they are proportional to the rate of a port.
    """
    return {"scale-ecn": "false"} if control == "DCQCN" else {}


def deadlock_job(scheme: str, control: str, load: float, duration: str, seed: int, **options: str) -> Job:
    return make_job(
        "deadlock-leaf-spine",
        {
            "load": load,
            "congestion-control": control,
            "stop": duration,
            "stop-on-deadlock": "true",
            "scheme": scheme,
            "RngRun": seed,
            **options,
        },
    )


def read(job: Job, folder: Path) -> dict:
    """Return the results; `onset_ms` is empty if there was no deadlock at the end of the run."""
    return {
        "control": job.options["congestion-control"],
        "load": float(job.options["load"]),
        "run": int(job.options["RngRun"]),
        "duration_ms": float(job.options["stop"].removesuffix("ms")),
        "onset_ms": min(standing(folder).onset_ns / 1e6, default=None),
    }


def standing(folder: Path) -> DataFrame:
    """Return the deadlocks at the end of a run; runs end at deadlocks that cannot dissolve."""
    found = table(folder, "deadlocks")
    return found[found.dissolved_ns.isna()]


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    points = [point(*key, found) for key, found in sorted(grouped(records, ("control", "load")).items())]
    return {
        "runs": records,
        "points": points,
        "chosen": [
            {"control": control, "load": chosen([row for row in points if row["control"] == control])}
            for control in CONTROLS
        ],
    }


def point(control: str, load: float, runs: list[dict]) -> dict:
    onsets = [row["onset_ms"] for row in runs if row["onset_ms"] is not None]
    return {
        "control": control,
        "load": load,
        "runs": len(runs),
        "locked_percent": 100 * len(onsets) / len(runs),
        "median_onset_ms": statistics.median(onsets) if onsets else None,
        "last_onset_ms": max(onsets, default=None),
    }


def chosen(points: list[dict]) -> float | None:
    """Return the load according to the rule above; nothing if not even the highest load locks in every run."""
    load = None
    for row in sorted(points, key=lambda row: -row["load"]):
        if row["locked_percent"] < 100:
            break
        load = row["load"]
    return load


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    shares, onsets = axes
    for control, marker in zip(CONTROLS, "os"):
        rows = [row for row in data["points"] if row["control"] == control]
        shares.plot(
            [row["load"] for row in rows],
            [row["locked_percent"] for row in rows],
            marker=marker,
            label=f"SIH, {control}",
        )
        locked = [row for row in data["runs"] if row["control"] == control and row["onset_ms"] is not None]
        onsets.plot(
            [row["load"] for row in locked],
            [row["onset_ms"] for row in locked],
            marker,
            fillstyle="none",
            label=f"SIH, {control}, each run",
        )
    shares.set(ylim=(0, 105), title=f"within {data['runs'][0]['duration_ms']:g} ms")
    onsets.set(ylim=(0, None), title=f"{data['points'][0]['runs']} runs for each load")
    for ax in axes:
        ax.legend(fontsize="small")


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    """Return what the paper states about SIH at the stated load. The rest of the figure is not from the paper."""
    share = {(row["control"], row["load"]): row["locked_percent"] for row in data["points"]}
    return {f"dsh-onset-{number}": share[control, 0.5] for number, control in enumerate(CONTROLS, 1)}
