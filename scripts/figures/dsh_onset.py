# SPDX-License-Identifier: GPL-2.0-only
"""The load of the second panel of DSH Fig. 12, chosen by what SIH does alone.

The load that the paper states is twice what the uplinks carry that are left, for ever: every lossless scheme ends
full. So that the schemes can part, the figure has a second panel at a lower load. The rule that picks it was written
down before any run of DSH at these loads, and its seeds are not those of the figure:

    Down the grid of loads, the last one before the first at which not every run under SIH comes to lock within
    100 ms.

It is a rule for each congestion control; ECN thresholds are the same at all ports.
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
    """ECN thresholds, if there are any, that are the same at all ports; otherwise they are in proportion to a port's rate."""
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
    """`onset_ms` is empty if no deadlock stood at the end of the run."""
    return {
        "control": job.options["congestion-control"],
        "load": float(job.options["load"]),
        "run": int(job.options["RngRun"]),
        "duration_ms": float(job.options["stop"].removesuffix("ms")),
        "onset_ms": min(standing(folder).onset_ns / 1e6, default=None),
    }


def standing(folder: Path) -> DataFrame:
    """The deadlocks that stood at the end of a run, which those that cannot dissolve have ended."""
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
    """By the rule above; nothing if not even the highest load locks in every run."""
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
    """What the paper says of SIH at the stated load; the rest of the figure is ours."""
    share = {(row["control"], row["load"]): row["locked_percent"] for row in data["points"]}
    return {f"dsh-onset-{number}": share[control, 0.5] for number, control in enumerate(CONTROLS, 1)}
