# SPDX-License-Identifier: GPL-2.0-only
"""A host that sends endless PAUSEs, and a deadlock, with and without a PFC watchdog: the cost of each for innocent
flows.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from figures import Job, info, table
from figures.compare import SEVEN_CLASSES, joined
from figures.style import SCHEMES, bars, range_errors

if TYPE_CHECKING:
    from pandas import DataFrame

TITLE = "PFC watchdog: what a storm of PAUSEs and a deadlock cost without one, and with one that drops or forwards"
MINUTES = {"quick": 2, "full": 6}
PAGE = "notebook/watchdog"
BY = ("trouble", "scheme", "watchdog")
METRICS = {
    "unfinished_percent": ("%", "flows that do not finish"),
    "innocent_unfinished_percent": ("%", "of the innocent ones"),
    "innocent_slowdown": ("times", "innocent flows that finish, mean slowdown"),
    "innocent_p99": ("times", "99th percentile"),
    "dropped_frames": ("frames", "dropped by the watchdog"),
    "lost_frames": ("frames", "lost for lack of buffer"),
}
# The fault, metric and title of each panel.
PANEL_METRICS = (
    ("storm", "innocent_p99", "storm: slowdown of innocent flows, 99th percentile"),
    ("storm", "unfinished_percent", "storm: flows that do not finish"),
    ("storm", "dropped_frames", "storm: dropped by the watchdog"),
    ("deadlock", "innocent_unfinished_percent", "deadlock: innocent flows that do not finish"),
    ("deadlock", "dropped_frames", "deadlock: dropped by the watchdog"),
    ("deadlock", "lost_frames", "deadlock: lost for lack of buffer"),
)
PANELS = (2, 3)
LABELS = tuple(("", METRICS[metric][0]) for _, metric, _ in PANEL_METRICS)

COMPARED = ("SIH", "DSH")
ACTIONS = ("off", "drop", "forward")
SEEDS = {"quick": (1, 2, 3), "full": tuple(range(1, 11))}
TIMES = {"watchdog-detect": "1ms", "watchdog-restore": "1ms", "watchdog-poll": "500us"}
BROKEN = "h3"
TROUBLES = {
    "storm": {
        "topology": "leaf-spine",
        "leaves": "4",
        "spines": "4",
        "hosts-per-leaf": "4",
        "load": "0.5",
        "arrivals": "10ms",
        "stop": "20ms",
        "storm": f"{BROKEN}:3@1ms..6ms",
    },
    "deadlock": {
        "topology": "leaf-spine",
        "leaves": "4",
        "spines": "2",
        "hosts-per-leaf": "8",
        "load": "0.9",
        "arrivals": "4ms",
        "stop": "100ms",
        "fail-link": "spine0-leaf3,spine1-leaf0",
        "buffer": "4800000",
        "ns3::lossless::RoceNic::RetransmitTimeout": "1ms",
    },
}


def jobs(size: str) -> list[Job]:
    return [
        Job(
            f"{trouble}-{scheme}-{action}-{seed}",
            "lossless-run",
            {**options, **SEVEN_CLASSES, **(TIMES if action != "off" else {}), "watchdog": action, "scheme": scheme, "RngRun": str(seed)},
        )
        for trouble, options in TROUBLES.items()
        for scheme in COMPARED
        for action in ACTIONS
        for seed in SEEDS[size]
    ]


def innocent(job: Job, flows: DataFrame) -> DataFrame:
    """Return the innocent flows: those of other hosts than the broken one or, in the deadlock, those that do not leave
    their leaf.
    """
    if "storm" in job.options:
        return flows[(flows.source != BROKEN) & (flows.destination != BROKEN)]
    leaves = [flows[end].str[1:].astype(int) // int(job.options["hosts-per-leaf"]) for end in ("source", "destination")]
    return flows[leaves[0] == leaves[1]]


def read(job: Job, folder: Path) -> dict:
    verdict = info(folder)["verdict"]
    flows = table(folder, "flows")
    others = innocent(job, flows)
    return {
        "trouble": job.name.split("-")[0],
        "scheme": job.options["scheme"],
        "watchdog": job.options["watchdog"],
        "seed": int(job.options["RngRun"]),
        "flows": len(flows),
        "innocent_flows": len(others),
        "unfinished_percent": 100 * flows.fct_ns.isna().mean(),
        "innocent_unfinished_percent": 100 * others.fct_ns.isna().mean(),
        "innocent_slowdown": others.slowdown.mean(),
        "innocent_p99": others.slowdown.quantile(0.99),
        "dropped_frames": verdict["watchdog_dropped_frames"],
        "lost_frames": verdict["lossless_class_lost_frames"],
    }


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    return {"points": records, "compared": joined(records, METRICS, BY)}


def select(data: Mapping[str, list[dict]], trouble: str, scheme: str) -> dict[str, dict]:
    """Return the row of each watchdog."""
    rows = [row for row in data["compared"] if (row["trouble"], row["scheme"]) == (trouble, scheme)]
    return {row["watchdog"]: row for row in rows}


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    for ax, (trouble, metric, title) in zip(axes, PANEL_METRICS):
        found = {scheme: list(select(data, trouble, scheme).values()) for scheme in COMPARED}
        heights = {scheme: [row[metric] for row in rows] for scheme, rows in found.items()}
        errors = {scheme: range_errors(rows, metric) for scheme, rows in found.items()}
        bars(ax, ACTIONS, heights, [SCHEMES[scheme] for scheme in COMPARED], errors)
        ax.set(title=title)


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    storm, deadlock = ({scheme: select(data, trouble, scheme) for scheme in COMPARED} for trouble in TROUBLES)
    return {
        "watchdog-1": min(
            rows["off"]["innocent_p99"] / rows[action]["innocent_p99"]
            for rows in storm.values()
            for action in ("drop", "forward")
        ),
        "watchdog-2": min(rows["off"]["least_innocent_unfinished_percent"] for rows in deadlock.values()),
        "watchdog-3": max(rows["drop"]["largest_unfinished_percent"] for rows in deadlock.values()),
        "watchdog-4": max(rows["drop"]["largest_lost_frames"] for rows in deadlock.values()),
        "watchdog-5": max(rows["forward"]["largest_lost_frames"] for rows in storm.values()),
    }
