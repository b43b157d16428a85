# SPDX-License-Identifier: GPL-2.0-only
"""All schemes under the same web search traffic with incasts, in a leaf-spine network."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from figures import Job
from figures.compare import CONTROLS, compared, draw_metrics, joined, peak_kilobytes, tails, verdict

TITLE = "Comparison: eleven schemes, web search at 0.4 with incasts at 0.1, leaf-spine of 32 hosts"
MINUTES = {"quick": 2, "full": 6}
PANELS = (2, 3)
# By metric: the axis label, and the title of its panel.
METRICS = {
    "background_p99": ("slowdown", "web search, 99th percentile"),
    "incast_p99": ("slowdown", "incasts, 99th percentile"),
    "peak_kb": ("kB", "peak buffer use of a switch"),
    "paused_ms": ("ms", "time in PAUSE, all queues"),
    "victims_percent": ("% of flows", "victims of PAUSEs"),
    "control_frames": ("frames", "control frames"),
}
LABELS = tuple(("", axis) for axis, _ in METRICS.values())
GROUPS = {"background": "background_p99", "incast": "incast_p99"}
OPTIONS = {
    "topology": "leaf-spine",
    "leaves": "4",
    "spines": "4",
    "hosts-per-leaf": "8",
    "rate": "100Gbps",
    "delay": "1us",
    "buffer": "8MB",
    "load": "0.4",
    "sizes": "websearch",
    "incast-load": "0.1",
    "incast-senders": "16",
    "incast-bytes": "64000",
    "arrivals": "2ms",
    "stop": "100ms",
    "sample": "5us",
}


def jobs(size: str) -> list[Job]:
    return compared(size, OPTIONS)


def read(job: Job, folder: Path) -> dict:
    return {**verdict(job, folder), **tails(folder, GROUPS), "peak_kb": peak_kilobytes(folder)}


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    return {"points": records, "compared": joined(records, METRICS)}


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    draw_metrics(axes, data["compared"], METRICS)


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    means = {(row["scheme"], row["control"]): row for row in data["compared"]}

    def gain(control: str) -> float:
        """Return the PAUSE time under SIH divided by that under the better use of the same buffer, for the smallest
        gain.
        """
        paused = {scheme: means[scheme, control]["paused_ms"] for scheme in ("SIH", "DSH", "SHP")}
        return min(paused["SIH"] / paused["DSH"], paused["SIH"] / paused["SHP"])

    return {
        "compare-incast-1": sum(row["lost_frames"] + row["unfinished"] for row in data["points"]),
        "compare-incast-2": min(map(gain, CONTROLS)),
    }
