# SPDX-License-Identifier: GPL-2.0-only
"""All-reduce of 256 GPUs in 32 servers: one ring compared with a hierarchy, under lossless and lossy flow control."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from figures import Job, info, table
from figures.compare import joined
from figures.lossless_or_lossy import LOSSLESS, NETWORKS
from figures.style import bars

TITLE = "GPU servers: ring and hierarchical all-reduce of 256 GPUs, lossless and lossy"
MINUTES = {"quick": 1, "full": 4}
PAGE = "notebook/collectives"
BY = ("buffer_mb", "spines", "network", "algorithm")
METRICS = {
    "completion_ms": ("ms", "completion"),
    "paused_ms": ("ms", "time in PAUSE, all queues"),
    "trimmed": ("frames", "frames trimmed"),
    "again_percent": ("% of packets", "sent again"),
}
SPINES = ("32", "4")
PANELS = (1, len(SPINES))
LABELS = (("", "completion (ms)"),) * len(SPINES)
STYLES = ({"color": "#e69f00"}, {"color": "#0072b2"})

GPUS, SERVERS = 8, 32
GPU_COUNT = GPUS * SERVERS
NIC_BPS, NVLINK_BPS = 400e9, 3600e9
SIZES = {"quick": (8,), "full": (8, 32)}  # in MB
QUEUE_LIMIT = "ns3::lossless::DropTailBufferPolicy::QueueLimit"
# The configurations of lossless-or-lossy, at four times the rate, and one without congestion control.
REPAIRS = {
    "lossy": {"reliability": "SelectiveRepeat", "bdp-cap": "250kB"},
    "trimming": {"reliability": "Unordered", QUEUE_LIMIT: "713800B"},
}
OPTIONS = {
    "topology": "gpu-pods",
    "servers": str(SERVERS),
    "rate": "400Gbps",
    "fabric-rate": "400Gbps",
    "delay": "500ns",
    "payload": "4096",
    "mtu": "4500",
    "stop": "1s",
}


def algorithms(buffer: int) -> dict[str, dict[str, str]]:
    """Return the algorithms. The buffer of each GPU is in MB."""
    return {
        "ring": {"collective": "allreduce", "size": f"{buffer}MB"},
        "hierarchy": {
            "collective": "reducescatter/TP,allreduce/DP,allgather/TP",
            "size": f"{buffer}MB,{buffer // GPUS}MB,{buffer}MB",
            "mesh": f"{GPUS}x{SERVERS}",
        },
    }


def jobs(size: str) -> list[Job]:
    """Return one run of each kind, because nothing in the runs is random."""
    return [
        Job(
            f"{algorithm}-{network}-{spines}-{buffer}",
            "lossless-run",
            {**OPTIONS, "rail-spines": spines, **what, **options, **REPAIRS.get(network, {})},
        )
        for buffer in SIZES[size]
        for spines in SPINES
        for network, options in NETWORKS.items()
        for algorithm, what in algorithms(buffer).items()
    ]


def read(job: Job, folder: Path) -> dict:
    run = info(folder)
    algorithm, network, spines, buffer = job.name.split("-")
    return {
        "buffer_mb": buffer,
        "spines": spines,
        "network": network,
        "algorithm": algorithm,
        "completion_ms": table(folder, "collectives").end_ns.max() / 1e6,
        "paused_ms": run["measured"]["paused_ns"] / 1e6,
        "trimmed": run["trimmed_frames"],
        "again_percent": 100 * run["retransmitted_packets"] / run["data_packets"],
        "lost_lossless": run["verdict"]["lossless_class_lost_frames"],
        "unfinished": run["verdict"]["unfinished_flows"],
    }


def reduce(records: Sequence[dict]) -> dict[str, list[dict]]:
    return {"points": list(records), "compared": joined(records, METRICS, BY)}


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    """Draw the results for the largest existing buffer."""
    buffer = max((row["buffer_mb"] for row in data["compared"]), key=int)
    for ax, spines in zip(axes, SPINES):
        found = times(row for row in data["compared"] if (row["buffer_mb"], row["spines"]) == (buffer, spines))
        heights = {algorithm: [found[buffer, spines, network, algorithm] for network in NETWORKS] for algorithm in algorithms(GPUS)}
        bars(ax, [*NETWORKS], heights, STYLES)
        ax.set(title=f"{buffer} MB, {spines} spines")


def times(rows: Iterable[Mapping]) -> dict[tuple[str, ...], float]:
    """Return completion times in ms, by what they apply to."""
    return {tuple(row[name] for name in BY): row["completion_ms"] for row in rows}


def least_ms(algorithm: str, buffer: int) -> float:
    """Return the minimum time of a GPU's payload on its links: in the ring, on its NIC; in the hierarchy, on its
    NVLinks and then on its NIC.
    """

    def twice(ranks: int) -> float:
        return 2 * (ranks - 1) / ranks

    bits = buffer * 8e6
    if algorithm == "ring":
        return twice(GPU_COUNT) * bits / NIC_BPS * 1000
    return (twice(GPUS) * bits / NVLINK_BPS + twice(SERVERS) * bits / GPUS / NIC_BPS) * 1000


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    points = data["points"]
    found = times(points)
    inside = [row["completion_ms"] / found[row["buffer_mb"], SPINES[0], LOSSLESS[0], "hierarchy"] for row in points if row["algorithm"] == "hierarchy"]
    return {
        "gpu-hierarchy-1": sum(row["lost_lossless"] + row["unfinished"] for row in points),
        "gpu-hierarchy-2": min(row["completion_ms"] / least_ms(row["algorithm"], int(row["buffer_mb"])) for row in points),
        "gpu-hierarchy-3": min(time / found[*of, "hierarchy"] for (*of, algorithm), time in found.items() if algorithm == "ring"),
        "gpu-hierarchy-4": max(max(inside), 1 / min(inside)),
    }
