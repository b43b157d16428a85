# SPDX-License-Identifier: GPL-2.0-only
"""All schemes under the same all-to-all exchange on a fat-tree."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from figures import Job, table
from figures.compare import compared, draw_metrics, joined, peak_kilobytes, verdict

TITLE = "Comparison: eleven schemes, all-to-all of 16 ranks placed at random on a fat-tree"
MINUTES = {"quick": 2, "full": 6}
PANELS = (2, 2)
METRICS = {
    "completion_ms": ("ms", "completion of the all-to-all"),
    "peak_kb": ("kB", "most that a switch held"),
    "paused_ms": ("ms", "time in PAUSE, all queues"),
    "control_frames": ("frames", "control frames"),
}
LABELS = tuple(("", axis) for axis, _ in METRICS.values())
OPTIONS = {
    "topology": "fat-tree",
    "k": "4",
    "rate": "100Gbps",
    "delay": "1us",
    "buffer": "4MB",
    "collective": "alltoall",
    "size": "16MB",
    "placement": "random",
    "sample": "5us",
}
# The data that a rank receives from the others: 15 blocks of 1 MB, in frames of 1000 B of payload and 1082 B on the
# wire.
LEAST_MS = 15e6 * 1.082 * 8 / 100e9 * 1000


def jobs(size: str) -> list[Job]:
    return compared(size, OPTIONS)


def read(job: Job, folder: Path) -> dict:
    [duration_ns] = table(folder, "collectives").duration_ns
    return {**verdict(job, folder), "completion_ms": duration_ns / 1e6, "peak_kb": peak_kilobytes(folder)}


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    return {"points": records, "compared": joined(records, METRICS)}


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    draw_metrics(axes, data["compared"], METRICS)


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    completion = [row["completion_ms"] for row in data["points"]]
    return {
        "compare-alltoall-1": sum(row["lost_frames"] + row["unfinished"] for row in data["points"]),
        "compare-alltoall-2": min(completion) / LEAST_MS,
    }
