# SPDX-License-Identifier: GPL-2.0-only
"""DSH Fig. 14: mean flow completion times under DSH by those under SIH, against the background's load."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from figures import Job
from figures.dsh import (
    CONTROLS,
    SCHEMES,
    all_finished,
    count_hosts,
    leaf_spine,
    load_job,
    mean_fct_ms,
    reduction_percent,
    unfinished,
)
from figures.style import SCHEMES as STYLES

TITLE = "DSH Fig. 14: mean FCT of background and fan-in flows against the background's load, SIH and DSH"
MINUTES = {"quick": 6, "full": 180}
PANELS = (2, 2)
LABELS = (("load of background traffic", "normalized mean FCT"),) * 4

GROUPS = ("background", "fan-in")
LOADS = {"quick": (0.2, 0.4, 0.6, 0.8), "full": (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)}
ARRIVALS = {"quick": "8ms", "full": "10ms"}


def jobs(size: str) -> list[Job]:
    return [
        load_job(
            leaf_spine(size),
            congestion_control=control,
            background_load=load,
            arrivals=ARRIVALS[size],
            scheme=scheme,
        )
        for control in CONTROLS
        for load in LOADS[size]
        for scheme in SCHEMES
    ]


def read(job: Job, folder: Path) -> dict:
    return {
        "control": job.options["congestion-control"],
        "load": float(job.options["background-load"]),
        "scheme": job.options["scheme"],
        "hosts": count_hosts(job.options),
        "unfinished": unfinished(folder),
        **{group: mean_fct_ms(folder, group) for group in GROUPS},
    }


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    """A row for each point; `ratio` is DSH's mean by SIH's."""
    by_key = {(row["control"], row["load"], row["scheme"]): row for row in records}
    points = []
    for control, load in sorted({key[:2] for key in by_key}):
        sih, dsh = (by_key[control, load, scheme] for scheme in SCHEMES)
        points += [
            {
                "control": control,
                "group": group,
                "load": load,
                "hosts": sih["hosts"],
                "sih_ms": sih[group],
                "dsh_ms": dsh[group],
                "ratio": dsh[group] / sih[group],
                "unfinished": sih["unfinished"] + dsh["unfinished"],
            }
            for group in GROUPS
        ]
    return {"points": points}


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    panels = [(control, group) for control in CONTROLS for group in GROUPS]
    for letter, ax, (control, group) in zip("abcd", axes, panels):
        rows = curve(data, control, group)
        loads = [row["load"] for row in rows]
        ax.plot(loads, [1] * len(loads), **STYLES["SIH"], label="SIH")
        ax.plot(loads, [row["ratio"] for row in rows], **STYLES["DSH"], label="DSH")
        ax.set(ylim=(0, 1.2), title=f"({letter}) {control}, {group}, {rows[0]['hosts']} hosts")
        ax.legend(fontsize="small", loc="lower left")


def curve(data: Mapping[str, list[dict]], control: str, group: str) -> list[dict]:
    return [row for row in data["points"] if (row["control"], row["group"]) == (control, group)]


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    if not all_finished(data["points"]):
        return {}
    panels = [(control, group) for control in CONTROLS for group in GROUPS]
    return {
        **{
            f"dsh-fig14-{number}": reduction_percent(row["ratio"] for row in curve(data, *panel))
            for number, panel in enumerate(panels, 1)
        },
        "dsh-fig14-5": max(row["ratio"] for row in data["points"]),
    }
