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
MINUTES = {"quick": 4, "full": 600}
PANELS = (1, 2)
LABELS = (("onset of deadlock (ms)", "CDF (%)"),) * 2

# 0.5 of the downlinks, as stated, offers twice what the uplinks of leaf0 and leaf3 carry after the failures.
STATED = 0.5
STATED_RUN = {"quick": ("10ms", 10), "full": ("100ms", 100)}  # length and number of the runs
# The loads at which runs under SIH still come to lock, but late, with ECN thresholds that are the same at all
# ports: chosen by what SIH does, so that what DSH does is a prediction.
LATE = {"DCQCN": 0.15, "PowerTCP": 0.45}
LATE_RUN = {
    "quick": {"DCQCN": ("80ms", 4), "PowerTCP": ("25ms", 4)},
    "full": {"DCQCN": ("100ms", 100), "PowerTCP": ("100ms", 100)},
}
CIRCLE = ("spine0", "leaf1", "spine1", "leaf2")
LINES = dict(zip(CONTROLS, ("-", "--")))


def jobs(size: str) -> list[Job]:
    return [
        *(
            job
            for control in CONTROLS
            for job in sweep(control, STATED, "true", *STATED_RUN[size])
        ),
        *(
            job
            for control, load in LATE.items()
            for job in sweep(control, load, "false", *LATE_RUN[size][control])
        ),
    ]


def sweep(control: str, load: float, scale_ecn: str, duration: str, runs: int) -> list[Job]:
    return [
        make_job(
            "deadlock-leaf-spine",
            {
                "load": load,
                "congestion-control": control,
                "scale-ecn": scale_ecn,
                "duration": duration,
                "stop-on-deadlock": "true",
                "scheme": scheme,
                "RngRun": seed,
            },
        )
        for scheme in SCHEMES
        for seed in range(1, runs + 1)
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
        "onset_ms": min(found.onset_ns / 1e6, default=None),
        "stated_circle": all(map(is_stated_circle, found.cycle)) if len(found) else None,
    }


def is_stated_circle(cycle: str) -> bool:
    """Whether a deadlock, "leaf1>spine0 class 2 -> ...", is on the paper's circle, either way round."""
    nodes = [member.split(">")[0] for member in cycle.split(" -> ")[:-1]]
    return sorted(nodes) == sorted(CIRCLE)


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    return {"points": records, "locked": [locked(records, *curve) for curve in curves()]}


def curves() -> list[tuple[float, str, str]]:
    loads = [*((STATED, control) for control in CONTROLS), *((load, control) for control, load in LATE.items())]
    return [(load, control, scheme) for load, control in loads for scheme in SCHEMES]


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
    stated = [row for row in data["locked"] if row["load"] == STATED]
    late = [row for row in data["locked"] if row["load"] != STATED]
    for ax, rows, title in zip(axes, (stated, late), ("stated load", "load at which SIH locks late")):
        for row in rows:
            draw_curve(ax, data["points"], row)
        ax.set(xlim=(0, None), ylim=(0, 105), title=f"{title}, {rows[0]['runs']} runs each")
        ax.legend(fontsize="small", ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.18))


def draw_curve(ax, points: list[dict], row: Mapping) -> None:
    load, control, scheme = curve_of(row)
    end = next(point["duration_ms"] for point in points if curve_of(point) == curve_of(row))
    found = onsets(points, curve_of(row))
    shares = [100 * count / row["runs"] for count in range(len(found) + 1)]
    ax.step(
        [0, *found, end],
        [*shares, shares[-1]],
        where="post",
        color=STYLES[scheme]["color"],
        linestyle=LINES[control],
        label=f"{scheme}, {control}, {load:g}",
    )


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    share = {curve_of(row): row["locked_percent"] for row in data["locked"]}
    circles = [
        row["stated_circle"]
        for row in data["points"]
        if row["scheme"] == "SIH" and row["stated_circle"] is not None
    ]
    return {
        "dsh-fig12-1": share[STATED, "DCQCN", "SIH"],
        "dsh-fig12-2": share[STATED, "PowerTCP", "SIH"],
        "dsh-fig12-3": 100 - share[STATED, "DCQCN", "DSH"],
        "dsh-fig12-4": 100 - share[STATED, "PowerTCP", "DSH"],
        "dsh-fig12-5": 100 * statistics.fmean(circles) if circles else None,
        "dsh-fig12-6": share[LATE["DCQCN"], "DCQCN", "SIH"],
        "dsh-fig12-7": share[LATE["PowerTCP"], "PowerTCP", "SIH"],
        "dsh-fig12-8": 100 - share[LATE["DCQCN"], "DCQCN", "DSH"],
        "dsh-fig12-9": 100 - share[LATE["PowerTCP"], "PowerTCP", "DSH"],
    }
