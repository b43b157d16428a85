# SPDX-License-Identifier: GPL-2.0-only
"""DSH Fig. 12(b): when a network with a cyclic buffer dependency deadlocks."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from pathlib import Path

from figures import Job
from figures.dsh import CONTROLS, SCHEMES
from figures.dsh_onset import deadlock_job, same_ecn, standing
from figures.seeds import grouped
from figures.style import SCHEMES as STYLES

TITLE = "DSH Fig. 12(b): CDF of the onset of deadlock in a leaf-spine network with two failed links"
MINUTES = {"quick": 5, "full": 150}
PANELS = (1, 2)
LABELS = (("onset of deadlock (ms)", "CDF (%)"),) * 2

# The stated load of 0.5 of the downlinks is twice the capacity of the uplinks of leaf0 and leaf3 after the failures.
STATED = 0.5
STATED_RUN = {"quick": ("10ms", 10), "full": ("100ms", 100)}  # duration and number of the runs
# The loads chosen by the rule of dsh-onset at full size, from SIH alone. The seeds are different here.
LATE = {"DCQCN": 0.1, "PowerTCP": 0.2}
LATE_RUN = {
    "quick": {"DCQCN": ("100ms", 3), "PowerTCP": ("100ms", 2)},
    "full": {"DCQCN": ("100ms", 20), "PowerTCP": ("100ms", 20)},
}
# When a stopped queue may restart: at the release of any frame, as in this module, or of one of its own frames, as in
# the simulators of the HPCC family.
RESUMES = {"any": {}, "own": {"resume-by-own-release": "true"}}
COMPARED_RESUMES = {"quick": ("any",), "full": ("any", "own")}
# The properties that distinguish curves. The last one is the kind of release at which a queue restarts.
CURVE = ("load", "control", "scheme", "resume")
CIRCLE = ("spine0", "leaf1", "spine1", "leaf2")
LINES = dict(zip(CONTROLS, ("-", "--")))
MARKERS = dict(zip(RESUMES, ("", "x")))


def jobs(size: str) -> list[Job]:
    return [
        *(
            job
            for control in CONTROLS
            for job in sweep(control, STATED, *STATED_RUN[size])
        ),
        *(
            job
            for control, load in LATE.items()
            for resume in COMPARED_RESUMES[size]
            for job in sweep(control, load, *LATE_RUN[size][control], **same_ecn(control), **RESUMES[resume])
        ),
    ]


def sweep(control: str, load: float, duration: str, runs: int, **options: str) -> list[Job]:
    return [
        deadlock_job(scheme, control, load, duration, seed, **options)
        for scheme in SCHEMES
        for seed in range(1, runs + 1)
    ]


def read(job: Job, folder: Path) -> dict:
    """Return the results; `onset_ms` is empty if there was no deadlock at the end of the run."""
    found = standing(folder)
    return {
        "load": float(job.options["load"]),
        "control": job.options["congestion-control"],
        "scheme": job.options["scheme"],
        "resume": "own" if "resume-by-own-release" in job.options else "any",
        "run": int(job.options["RngRun"]),
        "duration_ms": float(job.options["stop"].removesuffix("ms")),
        "onset_ms": min(found.onset_ns / 1e6, default=None),
        "stated_circle": all(map(is_stated_circle, found.cycle)) if len(found) else None,
    }


def is_stated_circle(cycle: str) -> bool:
    """Return whether a deadlock, "leaf1>spine0 class 2 -> ...", is on the paper's circle, in either direction."""
    nodes = [member.split(">")[0] for member in cycle.split(" -> ")[:-1]]
    return sorted(nodes) == sorted(CIRCLE)


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    return {"points": records, "locked": [locked(curve, found) for curve, found in grouped(records, CURVE).items()]}


def curve_of(row: Mapping) -> tuple[float, str, str, str]:
    return tuple(row[key] for key in CURVE)


def onsets(records: list[dict]) -> list[float]:
    """Return the onsets of the deadlocked runs, in ascending order."""
    return sorted(row["onset_ms"] for row in records if row["onset_ms"] is not None)


def locked(curve: tuple, records: list[dict]) -> dict:
    """Return how many runs of a curve ended in a deadlock; the others reached the time limit."""
    found = onsets(records)
    return {
        **dict(zip(CURVE, curve)),
        "runs": len(records),
        "locked_percent": 100 * len(found) / len(records),
        "median_onset_ms": statistics.median(found) if found else None,
        "last_onset_ms": found[-1] if found else None,
    }


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    stated = [row for row in data["locked"] if row["load"] == STATED]
    late = [row for row in data["locked"] if row["load"] != STATED]
    for ax, rows, title in zip(axes, (stated, late), ("stated load", "load at which SIH locks late")):
        for row in rows:
            draw_curve(ax, data["points"], row)
        ax.set(xlim=(0, None), ylim=(0, 105), title=title)
        ax.legend(fontsize="small", ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.18))


def draw_curve(ax, points: list[dict], row: Mapping) -> None:
    load, control, scheme, resume = curve_of(row)
    runs = [point for point in points if curve_of(point) == curve_of(row)]
    found, end = onsets(runs), runs[0]["duration_ms"]
    shares = [100 * count / row["runs"] for count in range(len(found) + 1)]
    ax.step(
        [0, *found, end],
        [*shares, shares[-1]],
        where="post",
        color=STYLES[scheme]["color"],
        linestyle=LINES[control],
        marker=MARKERS[resume],
        label=f"{scheme}, {control}, {load:g}" + (", own release" if resume == "own" else "") + f", {row['runs']} runs",
    )


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    share = {curve_of(row): row["locked_percent"] for row in data["locked"]}
    circles = [
        row["stated_circle"]
        for row in data["points"]
        if (row["load"], row["scheme"]) == (STATED, "SIH") and row["stated_circle"] is not None
    ]
    return {
        "dsh-fig12-1": share[STATED, "DCQCN", "SIH", "any"],
        "dsh-fig12-2": share[STATED, "PowerTCP", "SIH", "any"],
        "dsh-fig12-3": 100 - share[STATED, "DCQCN", "DSH", "any"],
        "dsh-fig12-4": 100 - share[STATED, "PowerTCP", "DSH", "any"],
        "dsh-fig12-5": 100 * statistics.fmean(circles) if circles else None,
        "dsh-fig12-6": share[LATE["DCQCN"], "DCQCN", "SIH", "any"],
        "dsh-fig12-7": share[LATE["PowerTCP"], "PowerTCP", "SIH", "any"],
        "dsh-fig12-8": 100 - share[LATE["DCQCN"], "DCQCN", "DSH", "any"],
        "dsh-fig12-9": 100 - share[LATE["PowerTCP"], "PowerTCP", "DSH", "any"],
    }
