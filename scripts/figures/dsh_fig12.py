# SPDX-License-Identifier: GPL-2.0-only
"""DSH Fig. 12(b): when a network with a cyclic buffer dependency comes to a standstill."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from pathlib import Path

from figures import Job, make_job, table
from figures.dsh import CONTROLS, SCHEMES
from figures.style import SCHEMES as STYLES

TITLE = "DSH Fig. 12(b): CDF of the onset of deadlock in a leaf-spine network with two failed links"
MINUTES = {"quick": 4, "full": 300}
PANELS = (1, 2)
LABELS = (("onset of deadlock (ms)", "CDF (%)"),) * 2

# Of the downlinks. 0.5, as stated, offers twice what the uplinks of leaf0 and leaf3 carry after the failures, and
# 1.5 times what the links of leaf1 and leaf2 do; half of it just fills them.
LOADS = (0.5, 0.25)
DURATION = {"quick": "10ms", "full": "100ms"}
RUNS = {"quick": 10, "full": 100}
CIRCLE = ("spine0", "leaf1", "spine1", "leaf2")
LINES = dict(zip(CONTROLS, ("-", "--")))


def jobs(size: str) -> list[Job]:
    return [
        make_job(
            "deadlock-leaf-spine",
            {
                "load": load,
                "congestion-control": control,
                "duration": DURATION[size],
                "stop-on-deadlock": "true",
                "scheme": scheme,
                "RngRun": seed,
            },
        )
        for load in LOADS
        for control in CONTROLS
        for scheme in SCHEMES
        for seed in range(1, RUNS[size] + 1)
    ]


def read(job: Job, folder: Path) -> dict:
    """`onset_ms` is empty if the run came to its end without a deadlock."""
    found = table(folder, "deadlocks")
    return {
        "load": float(job.options["load"]),
        "control": job.options["congestion-control"],
        "scheme": job.options["scheme"],
        "run": int(job.options["RngRun"]),
        "duration_ms": float(job.options["duration"].removesuffix("ms")),
        "onset_ms": min((int(row["onset_ns"]) / 1e6 for row in found), default=None),
        "stated_circle": all(is_stated_circle(row["cycle"]) for row in found) if found else None,
    }


def is_stated_circle(cycle: str) -> bool:
    """Whether a deadlock, "leaf1>spine0 class 2 -> ...", is on the paper's circle, either way round."""
    nodes = [member.split(">")[0] for member in cycle.split(" -> ")[:-1]]
    return sorted(nodes) == sorted(CIRCLE)


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    return {"points": records, "locked": [locked(records, *curve) for curve in curves()]}


def curves() -> list[tuple[float, str, str]]:
    return [(load, control, scheme) for load in LOADS for control in CONTROLS for scheme in SCHEMES]


def curve_of(row: Mapping) -> tuple[float, str, str]:
    return row["load"], row["control"], row["scheme"]


def onsets(records: list[dict], curve: tuple[float, str, str]) -> list[float]:
    """In ascending order."""
    return sorted(
        row["onset_ms"] for row in records if curve_of(row) == curve and row["onset_ms"] is not None
    )


def locked(records: list[dict], load: float, control: str, scheme: str) -> dict:
    """How many of a curve's runs ended in a deadlock; the others were cut off."""
    runs = sum(curve_of(row) == (load, control, scheme) for row in records)
    found = onsets(records, (load, control, scheme))
    return {
        "load": load,
        "control": control,
        "scheme": scheme,
        "runs": runs,
        "locked_percent": 100 * len(found) / runs,
        "last_onset_ms": found[-1] if found else None,
    }


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    for ax, load in zip(axes, LOADS):
        draw_panel(ax, data["points"], [row for row in data["locked"] if row["load"] == load])
        ax.set(title=f"load {load:g} of the downlinks, {data['locked'][0]['runs']} runs each")


def draw_panel(ax, points: list[dict], rows: list[dict]) -> None:
    end = points[0]["duration_ms"]
    for row in rows:
        _, control, scheme = curve_of(row)
        found = onsets(points, curve_of(row))
        shares = [100 * count / row["runs"] for count in range(len(found) + 1)]
        ax.step(
            [0, *found, end],
            [*shares, shares[-1]],
            where="post",
            color=STYLES[scheme]["color"],
            linestyle=LINES[control],
            label=f"{scheme}, {control}",
        )
    ax.set(xlim=(0, end), ylim=(0, 105))


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    share = {curve_of(row): row["locked_percent"] for row in data["locked"]}
    stated, half = LOADS
    circles = [
        row["stated_circle"]
        for row in data["points"]
        if row["scheme"] == "SIH" and row["stated_circle"] is not None
    ]
    return {
        "dsh-fig12-1": share[stated, "DCQCN", "SIH"],
        "dsh-fig12-2": share[stated, "PowerTCP", "SIH"],
        "dsh-fig12-3": 100 - share[stated, "DCQCN", "DSH"],
        "dsh-fig12-4": 100 - share[stated, "PowerTCP", "DSH"],
        "dsh-fig12-5": 100 * statistics.fmean(circles) if circles else None,
        "dsh-fig12-6": share[half, "DCQCN", "SIH"],
        "dsh-fig12-7": share[half, "PowerTCP", "SIH"],
        "dsh-fig12-8": 100 - share[half, "DCQCN", "DSH"],
        "dsh-fig12-9": 100 - share[half, "PowerTCP", "DSH"],
    }
