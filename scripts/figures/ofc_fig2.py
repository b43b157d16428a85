# SPDX-License-Identifier: GPL-2.0-only
"""OFC Fig. 2: completion times, queue lengths and deadlocks under PFC and OFC."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from pathlib import Path

from figures import Job
from figures.ofc import GROUPS, SCHEMES, deadlock_job, fct_times, line_job, locked_percent, port_queues, scheme_of
from figures.style import SCHEMES as STYLES
from figures.style import bars

TITLE = "OFC Fig. 2: FCT and queue lengths over a line of three switches, and deadlocks, PFC and OFC"
MINUTES = {"quick": 1, "full": 2}
PANELS = (1, 3)
LABELS = (("", "FCT (ms): mean (bar), largest (-)"), ("", "mean queue length (kB)"), ("", "runs that deadlock (%)"))
RUNS = "ofc-fig9"

FLOWS = 400
# Egress ports by the flows that pass through them: the trunks of s0 and s1, and the receiver's port at s2.
TRUNKS = (("s0", 2), ("s1", 1))
RECEIVERS = {"uncongested": ("s2", 6), "congested": ("s2", 7)}


def jobs(size: str) -> list[Job]:
    return [
        *(line_job(scheme, response=0) for scheme in SCHEMES),
        *(deadlock_job(size, scheme, FLOWS) for scheme in SCHEMES),
    ]


def read(job: Job, folder: Path) -> dict:
    if job.program == "ofc-deadlock":
        return {"scheme": scheme_of(job), "locked_percent": locked_percent(folder)}
    lengths = port_queues(folder)
    groups = {"all": (*TRUNKS, *RECEIVERS.values())}
    groups |= {group: (*TRUNKS, port) for group, port in RECEIVERS.items()}
    return {
        "scheme": scheme_of(job),
        "fct": fct_times(folder),
        "kilobytes": {group: statistics.fmean(lengths[port] for port in ports) for group, ports in groups.items()},
    }


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    return {
        "points": [
            {
                "scheme": record["scheme"],
                "group": group,
                "mean_ms": statistics.fmean(record["fct"][group]),
                "largest_ms": record["fct"][group][-1],
                "mean_kb": record["kilobytes"][group],
            }
            for record in records
            if "fct" in record
            for group in GROUPS
        ],
        "deadlocks": [record for record in records if "fct" not in record],
    }


def draw(panels, data: Mapping[str, list[dict]]) -> None:
    rows = {(row["scheme"], row["group"]): row for row in data["points"]}
    styles = [STYLES[scheme] for scheme in SCHEMES]
    for ax, name, title in zip(panels, ("mean_ms", "mean_kb"), ("(a) completion times", "(b) queues of ports")):
        bars(ax, GROUPS, {scheme: [rows[scheme, group][name] for group in GROUPS] for scheme in SCHEMES}, styles)
        ax.set(title=title)
    for number, scheme in enumerate(SCHEMES):
        places = [group + (number - 0.5) * 0.4 for group in range(len(GROUPS))]
        panels[0].plot(places, [rows[scheme, group]["largest_ms"] for group in GROUPS], "_", color="black", markersize=8)
    locked = {row["scheme"]: [row["locked_percent"]] for row in data["deadlocks"]}
    bars(panels[2], [f"{FLOWS} flows"], locked, styles)
    panels[2].set(title="(c) deadlocks on a circle of paths")


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    rows = {(row["scheme"], row["group"]): row for row in data["points"]}
    locked = {row["scheme"]: row["locked_percent"] for row in data["deadlocks"]}

    def worst(name: str) -> float:
        return max(rows["OFC", group][name] / rows["PFC", group][name] for group in GROUPS)

    return {
        "ofc-fig2-1": worst("mean_ms"),
        "ofc-fig2-2": worst("mean_kb"),
        "ofc-fig2-3": locked["OFC"] / locked["PFC"],
    }
