# SPDX-License-Identifier: GPL-2.0-only
"""All schemes in a network with a cyclic buffer dependency: which schemes deadlock, and when."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from figures import Job
from figures.compare import compared, draw_metrics, joined, verdict
from figures.dsh_onset import standing

TITLE = "Comparison: eleven schemes, leaf-spine of 32 hosts whose failed links close a cycle of buffers"
MINUTES = {"quick": 3, "full": 10}
PANELS = (1, 3)
METRICS = {
    "locked_percent": ("% of runs", "runs that deadlock"),
    "end_ms": ("ms", "time to the deadlock, or to the end"),
    "victims_percent": ("% of flows", "victims of PAUSEs until then"),
}
LABELS = tuple(("", axis) for axis, _ in METRICS.values())
# The network of DSH's Fig. 12, but smaller. Traffic between leaf0 and leaf3 crosses the spines twice.
OPTIONS = {
    "topology": "leaf-spine",
    "leaves": "4",
    "spines": "2",
    "hosts-per-leaf": "8",
    "rate": "100Gbps",
    "fabric-rate": "400Gbps",
    "delay": "1us",
    "buffer": "8MB",
    "fail-link": "leaf0-spine1,leaf3-spine0",
    "load": "0.3",
    "sizes": "websearch",
    "incast-load": "0.1",
    "incast-senders": "8",
    "incast-bytes": "64KiB",
    "arrivals": "3ms",
    "stop": "30ms",
    "stop-on-deadlock": "true",
}


def jobs(size: str) -> list[Job]:
    return compared(size, OPTIONS)


def read(job: Job, folder: Path) -> dict:
    """Return the results; `end_ms` is when the deadlock began, or when the run ended."""
    found = standing(folder)
    run = verdict(job, folder)
    onsets = found.onset_ns / 1e6
    return {**run, "locked_percent": 100 * bool(len(found)), "end_ms": min(onsets, default=run["length_ms"])}


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    return {"points": records, "compared": joined(records, METRICS)}


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    draw_metrics(axes, data["compared"], METRICS)


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    locked = {(row["scheme"], row["control"]): row["locked_percent"] for row in data["compared"]}
    return {
        "compare-ring-1": sum(row["lost_frames"] for row in data["points"]),
        "compare-ring-2": min(locked["SIH", control] - locked["DSH", control] for _, control in locked),
    }
