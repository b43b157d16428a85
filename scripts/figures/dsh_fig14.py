# SPDX-License-Identifier: GPL-2.0-only
"""DSH Fig. 14: mean flow completion times under DSH relative to those under SIH, against the load of the background."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from pathlib import Path

from figures import Job
from figures.dsh import (
    CONTROLS,
    READINGS,
    WITH_POOL,
    all_finished,
    count_hosts,
    leaf_spine,
    load_job,
    mean_fct_ms,
    ratios,
    reduction_percent,
    unfinished,
)
from figures.style import SCHEMES as STYLES
from figures.style import range_errors

TITLE = "DSH Fig. 14: mean FCT of background and fan-in flows against the background's load, SIH, SHP and DSH"
MINUTES = {"quick": 3, "medium": 50, "full": 960}
PANELS = (2, 4)
LABELS = (("load of background traffic", "normalized mean FCT"),) * 8

GROUPS = ("background", "fan-in")
LOADS = {"quick": (0.2, 0.5, 0.8), "medium": (0.2, 0.5, 0.8), "full": (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)}
ARRIVALS = {"quick": "2ms", "medium": "5ms", "full": "10ms"}
SEEDS = {"quick": range(1, 3), "medium": range(1, 3), "full": range(1, 6)}
# The panels, row by row, and the claims about the largest reduction in each.
CURVES = [(reading, control, group) for control in CONTROLS for group in GROUPS for reading in READINGS]
CLAIMED = {
    (reading, *panel): first + number
    for reading, first in (("apart", 1), ("one", 6))
    for number, panel in enumerate(product(CONTROLS, GROUPS))
}


def jobs(size: str) -> list[Job]:
    return [
        load_job(
            leaf_spine(size),
            congestion_control=control,
            classes=reading,
            background_load=load,
            arrivals=ARRIVALS[size],
            scheme=scheme,
            RngRun=seed,
        )
        for reading in READINGS
        for control in CONTROLS
        for load in LOADS[size]
        for seed in SEEDS[size]
        for scheme in WITH_POOL
    ]


def read(job: Job, folder: Path) -> dict:
    return {
        "classes": job.options["classes"],
        "control": job.options["congestion-control"],
        "load": float(job.options["background-load"]),
        "scheme": job.options["scheme"],
        "seed": int(job.options["RngRun"]),
        "hosts": count_hosts(job.options),
        "unfinished": unfinished(folder),
        **{group: mean_fct_ms(folder, group) for group in GROUPS},
    }


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    """Return a row for each point and scheme; see ratios()."""
    return {"points": [row for group in GROUPS for row in ratios(records, ("classes", "control", "load"), group)]}


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    for letter, ax, panel in zip("abcdefgh", axes, CURVES):
        reading, control, group = panel
        rows = curve(data, panel, "DSH")
        loads = [row["load"] for row in rows]
        ax.plot(loads, [1] * len(loads), **STYLES["SIH"], label="SIH")
        for scheme in WITH_POOL[1:]:
            draw_curve(ax, curve(data, panel, scheme), scheme)
        ax.set(ylim=(0, 1.4), title=f"({letter}) {control}, {group}, {READINGS[reading]}")
        ax.legend(fontsize="small", loc="lower left", title=f"{rows[0]['hosts']} hosts, {rows[0]['runs']} seeds")


def draw_curve(ax, rows: list[dict], scheme: str) -> None:
    ax.errorbar(
        [row["load"] for row in rows],
        [row["ratio"] for row in rows],
        yerr=range_errors(rows, "ratio"),
        capsize=2,
        **STYLES[scheme],
        label=scheme,
    )


def curve(data: Mapping[str, list[dict]], panel: tuple[str, str, str], scheme: str) -> list[dict]:
    key = (*panel, scheme)
    return sorted(
        (row for row in data["points"] if (row["classes"], row["control"], row["group"], row["scheme"]) == key),
        key=lambda row: row["load"],
    )


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    """Return, for each reading, the largest reduction in each panel, and the rest at that load in the panel with the
    smallest gain.
    """
    if not all_finished(data["points"]):
        return {}
    gains = {
        panel: reduction_percent(row["ratio"] for row in curve(data, panel, "DSH")) for panel in CLAIMED
    }
    return {
        **{f"dsh-fig14-{number}": gains[panel] for panel, number in CLAIMED.items()},
        **{
            f"dsh-fig14-{number}": 1 - min(gains[panel] for panel in CLAIMED if panel[0] == reading) / 100
            for reading, number in (("apart", 5), ("one", 10))
        },
    }
