# SPDX-License-Identifier: GPL-2.0-only
"""PABO Table II: frames sent back in the fat-tree, and the losses of TCP Reno there without PABO."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from figures import Job
from figures.claims import stated
from figures.pabo import (
    MANY_TO_ONE,
    SCENARIOS,
    SHORT_NAMES,
    average,
    comparison_jobs,
    delivered,
    is_by_table,
    lost,
    percent,
    sent_back,
    steps,
    summary,
    table_jobs,
)
from figures.style import PAPER, SCHEMES, bars

TITLE = "PABO Table II: frames sent back in the fat-tree; and drop rates of TCP Reno without PABO"
MINUTES = {"quick": 1, "full": 10}
PANELS = (1, 2)
LABELS = (("servers : clients", "frames sent back (%)"), ("servers : clients", "segments dropped (%)"))
CLAIMS = ("pabo-tab2", "pabo-s6")

SEEDS = {"quick": 5, "full": 20}
# The cells in the paper: share never sent back, share sent back one hop, and drop rate of TCP Reno.
CELLS = {
    "3-to-1": ("pabo-tab2-1", "pabo-tab2-2", "pabo-s6-1"),
    "6-to-1": ("pabo-tab2-3", "pabo-tab2-4", "pabo-s6-2"),
    "9-to-1": ("pabo-tab2-5", "pabo-tab2-6", "pabo-s6-3"),
    "12-to-1": ("pabo-tab2-7", "pabo-tab2-8", "pabo-s6-4"),
    "many-to-many": ("pabo-tab2-9", "pabo-tab2-10", "pabo-s6-5"),
}
# The scenarios with drops without PABO, according to the paper, and the statement that many-to-many traffic sends
# frames back with PABO.
DROPPING = {
    "3-to-1": ("C1",),
    "6-to-1": ("S9",),
    "9-to-1": ("S9",),
    "12-to-1": ("C1", "S9"),
    "many-to-many": ("S11",),
}
SENDING_BACK = ("C1", "C2", "S11")


def jobs(size: str) -> list[Job]:
    return comparison_jobs(SCENARIOS, SEEDS[size]) + table_jobs(SCENARIOS, size)


def read(job: Job, folder: Path) -> dict:
    drops, scenario = lost(folder), job.options["scenario"]
    record = {"scheme": job.options["scheme"], "by_table": is_by_table(job), "scenario": scenario, "lost": drops.total()}
    if record["scheme"] == "PABO":
        frames, distances = sent_back(folder), delivered(folder, "max_distance")
        shares = {f"at_{switch}": percent(frames[switch], sum(frames.values())) for switch in SENDING_BACK}
        return (
            record
            | shares
            | {
                "distance_0": percent(distances[0], distances.total()),
                "distance_1": percent(distances[1], distances.total()),
                "farther": percent(distances.total() - distances[0] - distances[1], distances.total()),
            }
        )
    return record | {
        "drop_rate": percent(drops.total(), summary(folder)["segments_sent"]),
        "at_named": percent(sum(drops[switch] for switch in DROPPING[scenario]), drops.total()),
        "at_C1": percent(drops["C1"], drops.total()),
        "at_S9": percent(drops["S9"], drops.total()),
    }


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    pabo, by_table = (
        [record for record in records if record["scheme"] == "PABO" and record["by_table"] == other] for other in (False, True)
    )
    reno = [record for record in records if record["scheme"] != "PABO"]
    shares = ["distance_0", "distance_1", "farther", *(f"at_{switch}" for switch in SENDING_BACK), "lost"]
    return {
        "points": average(pabo, ["scenario"], shares),
        "by_table": average(by_table, ["scenario"], shares),
        "drops": average(reno, ["scenario"], ["drop_rate", "at_named", "at_C1", "at_S9"]),
    }


def draw(panels, data: Mapping[str, list[dict]]) -> None:
    columns = (("points", "distance_1", 1, "PABO"), ("drops", "drop_rate", 2, "DropTail"))
    for ax, (name, column, cell, scheme), title in zip(
        panels, columns, ("(a) with PABO", "(b) without PABO, TCP Reno")
    ):
        rows = {row["scenario"]: row for row in data[name]}
        series = {
            "paper": [stated(CELLS[scenario][cell]) for scenario in SCENARIOS],
            "measured": [rows[scenario][column] for scenario in SCENARIOS],
        }
        spread = [rows[scenario][f"{column}_deviation"] for scenario in SCENARIOS]
        errors = {"paper": None, "measured": spread}
        bars(ax, SHORT_NAMES, series, [PAPER, SCHEMES[scheme]], errors)
        ax.set(title=title, ylim=(0, 1.35 * max(map(max, series.values()))))


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    pabo = {row["scenario"]: row for row in data["points"]}
    reno = {row["scenario"]: row for row in data["drops"]}
    by_table = {row["scenario"]: row for row in data["by_table"]}
    found = {f"pabo-tab2-{number}": by_table[scenario]["distance_0"] for number, scenario in enumerate(SCENARIOS, 13)}
    for scenario, (never, one_hop, drop_rate) in CELLS.items():
        found[never] = pabo[scenario]["distance_0"]
        found[one_hop] = pabo[scenario]["distance_1"]
        found[drop_rate] = reno[scenario]["drop_rate"]
    return found | {
        "pabo-tab2-11": max(row["farther"] for row in pabo.values()),
        "pabo-tab2-18": max(row["farther"] for row in by_table.values()),
        "pabo-s6-15": max(row["lost"] for row in by_table.values()),
        "pabo-tab2-12": max(steps(pabo[scenario]["distance_1"] for scenario in MANY_TO_ONE)),
        "pabo-s6-6": reno["12-to-1"]["at_C1"],
        "pabo-s6-7": reno["12-to-1"]["at_S9"],
        "pabo-s6-8": pabo["many-to-many"]["at_C1"],
        "pabo-s6-9": pabo["many-to-many"]["at_C2"],
        "pabo-s6-10": pabo["many-to-many"]["at_S11"],
        "pabo-s6-11": max(row["lost"] for row in pabo.values()),
        "pabo-s6-12": min(row["at_named"] for row in reno.values()),
        "pabo-s6-13": reno["3-to-1"]["at_named"],
        "pabo-s6-14": reno["many-to-many"]["at_named"],
    }
