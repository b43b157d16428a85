# SPDX-License-Identifier: GPL-2.0-only
"""Flow control combined with congestion control, for the two exchanges that make up most training jobs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from figures import Job, table
from figures.compare import SEVEN_CLASSES, draw_metrics, joined, verdict
from figures.seeds import grouped

TITLE = "Collectives: ring all-reduce and all-to-all of 128 ranks placed at random on a fat-tree of k = 8"
MINUTES = {"quick": 4, "full": 17}
PAGE = "notebook/collectives"
PANELS = (2, 3)
METRICS = {
    "ring_ms": ("ms", "ring all-reduce: completion"),
    "ring_paused_ms": ("ms", "ring all-reduce: time in PAUSE, all queues"),
    "ring_victims_percent": ("% of flows", "ring all-reduce: victims of PAUSEs"),
    "alltoall_ms": ("ms", "all-to-all: completion"),
    "alltoall_paused_ms": ("ms", "all-to-all: time in PAUSE, all queues"),
    "alltoall_victims_percent": ("% of flows", "all-to-all: victims of PAUSEs"),
}
LABELS = tuple(("", axis) for axis, _ in METRICS.values())
CONTROLS = ("None", "DCQCN", "HPCC")
SEEDS = {"quick": (1, 2), "full": tuple(range(1, 11))}
# The further options of each scheme. PFC alone would have the thresholds of SIH.
SCHEMES = {"PFC": {"buffer-policy": "Static"}, "SIH": {}, "DSH": {}, "SHP": {}, "OFC": {}, "FAFC": {}}
RANKS = 128
# In both, a message is a part of the buffer with 125 kB.
EXCHANGES = {
    "ring": {"collective": "allreduce", "algorithm": "ring", "size": "16MB"},
    "alltoall": {"collective": "alltoall", "algorithm": "direct", "size": "16MB"},
}
OPTIONS = {
    "topology": "fat-tree",
    "k": "8",
    "rate": "100Gbps",
    "delay": "1us",
    "buffer": "4MB",
    "payload": "4096",
    "mtu": "4200",
    "placement": "random",
}
# The payload that a rank sends on its own link: 2 (N - 1) / N of the buffer, and (N - 1) / N of it.
LEAST_MS = {
    "ring": 2 * (RANKS - 1) / RANKS * 16e6 * 8 / 100e9 * 1000,
    "alltoall": (RANKS - 1) / RANKS * 16e6 * 8 / 100e9 * 1000,
}


def jobs(size: str) -> list[Job]:
    """Return all cells of one placement, followed by those of the next."""
    return [
        Job(
            f"{exchange}-{scheme}-{control}-{seed}",
            "lossless-run",
            OPTIONS | SEVEN_CLASSES | what | {"scheme": scheme} | needed | {"congestion-control": control, "RngRun": str(seed)},
        )
        for seed in SEEDS[size]
        for exchange, what in EXCHANGES.items()
        for scheme, needed in SCHEMES.items()
        for control in CONTROLS
    ]


def read(job: Job, folder: Path) -> dict:
    [duration_ns] = table(folder, "collectives").duration_ns
    exchange, *_ = job.name.split("-")
    return {"exchange": exchange, **verdict(job, folder), "completion_ms": duration_ns / 1e6}


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    cells = grouped(records, ("scheme", "control", "seed"))
    return {"points": records, "compared": joined([side_by_side(found) for found in cells.values()], METRICS)}


def side_by_side(records: list[dict]) -> dict:
    """Combine the exchanges of one scheme, congestion control and placement into one record."""
    cell = {name: records[0][name] for name in ("scheme", "control", "seed")}
    for record in records:
        exchange = record["exchange"]
        cell[f"{exchange}_ms"] = record["completion_ms"]
        cell[f"{exchange}_paused_ms"] = record["paused_ms"]
        cell[f"{exchange}_victims_percent"] = record["victims_percent"]
    return cell


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    draw_metrics(axes, data["compared"], METRICS)


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    def least(exchange: str) -> float:
        """Return the shortest completion time divided by the time that the payload takes."""
        return min(row["completion_ms"] for row in data["points"] if row["exchange"] == exchange) / LEAST_MS[exchange]

    paused = {(row["scheme"], row["control"]): row["alltoall_paused_ms"] for row in data["compared"]}
    return {
        "collectives-1": sum(row["lost_frames"] + row["unfinished"] for row in data["points"]),
        "collectives-2": least("ring"),
        "collectives-3": least("alltoall"),
        "collectives-4": min(paused[scheme, "None"] / paused[scheme, "HPCC"] for scheme in SCHEMES),
    }
