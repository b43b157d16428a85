# SPDX-License-Identifier: GPL-2.0-only
"""PABO Fig. 11: frames that each switch of the fat-tree sends back, against the number of servers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from figures import Job
from figures.pabo import (
    FAT_TREE_SWITCHES,
    MANY_TO_ONE,
    SHORT_NAMES,
    as_stated,
    average,
    fat_tree_job,
    is_by_table,
    ratio,
    sent_back,
    steps,
    table_jobs,
)
from figures.style import SERIES, bars

TITLE = "PABO Fig. 11: frames sent back by each switch of the fat-tree, many to one"
MINUTES = {"quick": 1, "full": 10}
LABELS = ("switch", "frames sent back")
RUNS = "pabo-tab2"

SEEDS = {"quick": 5, "full": 20}
# The switches that send frames back, according to the paper.
STATED = {
    "3-to-1": {"C1"},
    "6-to-1": {"C1", "C4", "S9", "S11"},
    "9-to-1": {"C1", "C4", "S9", "S11"},
    "12-to-1": {"C1", "C4", "S9", "S11", "S12"},
}
# The switches that do not send frames back, according to the paper: "only C1", "no bounce back in S12".
SILENT = {"3-to-1": {*FAT_TREE_SWITCHES} - STATED["3-to-1"], "6-to-1": {"S12"}, "9-to-1": set(), "12-to-1": set()}
# Share of the frames sent back. A switch that the paper does not mention and that is below this share counts as one
# that sends none back, because its bar would be invisible next to the others.
UNSEEN = 0.01
# C1 to C4, followed by the client's pod. All others together form one group of bars.
DRAWN = ("C1", "C4", "S9", "S11", "S12")
UNUSED_CORES = ("C2", "C3")  # two-level routing uses only the cores C1 and C4 for this client


def jobs(size: str) -> list[Job]:
    own = [fat_tree_job(scenario, seed, scheme="PABO") for scenario in MANY_TO_ONE for seed in range(1, SEEDS[size] + 1)]
    return own + table_jobs(MANY_TO_ONE, size)


def read(job: Job, folder: Path) -> dict:
    frames, scenario = sent_back(folder), job.options["scenario"]
    return {
        "scenario": scenario,
        "by_table": is_by_table(job),
        **{switch: frames[switch] for switch in FAT_TREE_SWITCHES},
        "total": sum(frames.values()),
        "as_stated": as_stated(frames, STATED[scenario]),
        "named": as_stated({switch: frames[switch] for switch in STATED[scenario] | SILENT[scenario]}, STATED[scenario]),
    }


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    own, by_table = ([record for record in records if record["by_table"] == other] for other in (False, True))
    of = [*FAT_TREE_SWITCHES, "total", "as_stated", "named"]
    return {"points": average(own, ["scenario"], of), "by_table": average(by_table, ["scenario"], of)}


def draw(ax, data: Mapping[str, list[dict]]) -> None:
    """Draw on a logarithmic scale, where the paper breaks its axis. A bar below one frame per run is invisible."""
    rows = {row["scenario"]: row for row in data["points"]}
    heights = {
        name: [*(rows[scenario][switch] for switch in DRAWN), others(rows[scenario])]
        for name, scenario in zip(SHORT_NAMES, MANY_TO_ONE)
    }
    bars(ax, [*DRAWN, "others"], heights, SERIES)
    ax.set(yscale="log", ylim=(1, None))


def others(row: Mapping[str, float]) -> float:
    return sum(row[switch] for switch in FAT_TREE_SWITCHES if switch not in DRAWN)


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    rows = {row["scenario"]: row for row in data["points"]}
    by_table = {row["scenario"]: row for row in data["by_table"]}
    return {
        **{f"pabo-fig11-{number}": bars_as_stated(by_table[scenario]) for number, scenario in enumerate(MANY_TO_ONE[1:], 14)},
        "pabo-fig11-1": rows["3-to-1"]["as_stated"],
        "pabo-fig11-2": bars_as_stated(rows["6-to-1"]),
        "pabo-fig11-3": bars_as_stated(rows["9-to-1"]),
        "pabo-fig11-4": bars_as_stated(rows["12-to-1"]),
        "pabo-fig11-8": rows["6-to-1"]["named"],
        "pabo-fig11-9": rows["9-to-1"]["named"],
        "pabo-fig11-10": rows["12-to-1"]["named"],
        "pabo-fig11-11": rows["6-to-1"]["as_stated"],
        "pabo-fig11-12": rows["9-to-1"]["as_stated"],
        "pabo-fig11-13": rows["12-to-1"]["as_stated"],
        "pabo-fig11-5": min(steps(rows[scenario]["total"] for scenario in MANY_TO_ONE)),
        "pabo-fig11-6": sum(row[core] for row in rows.values() for core in UNUSED_CORES),
        "pabo-fig11-7": min(lead(rows[scenario], "S9") for scenario in ("6-to-1", "9-to-1")),
    }


def bars_as_stated(row: Mapping[str, float]) -> int:
    """Return the number of bars as stated among the twenty switches, according to the mean over seeds."""
    return as_stated({switch: row[switch] for switch in FAT_TREE_SWITCHES}, STATED[row["scenario"]], UNSEEN)


def lead(row: Mapping[str, float], switch: str) -> float:
    """Return a switch's frames divided by the maximum that any other switch has sent back."""
    return ratio(row[switch], max(row[other] for other in FAT_TREE_SWITCHES if other != switch))
