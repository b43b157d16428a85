# SPDX-License-Identifier: GPL-2.0-only
"""PABO Table I: how far frames were sent back in the tree, and the drop rates of the same traffic without PABO."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from figures import Job
from figures.claims import stated
from figures.pabo import SEVERITIES, average, delivered, lost, percent, raw_job, severity, summary
from figures.style import PAPER, SCHEMES, bars

TITLE = "PABO Table I: farthest hop back of each frame, tree; and drop rates without PABO"
MINUTES = {"quick": 1, "full": 1}
PANELS = (1, 2)
LABELS = (("farthest hop back", "frames (%)"), ("", "drop rate (%)"))
CLAIMS = ("pabo-tab1", "pabo-s5b")

SEEDS = {"quick": 3, "full": 10}
DISTANCES = (0, 1, 2)
CELLS = {
    ("mild", 0): "pabo-tab1-1",
    ("mild", 1): "pabo-tab1-2",
    ("moderate", 0): "pabo-tab1-3",
    ("moderate", 1): "pabo-tab1-4",
    ("severe", 0): "pabo-tab1-5",
    ("severe", 1): "pabo-tab1-6",
    ("severe", 2): "pabo-tab1-7",
}
DROP_RATES = {"mild": "pabo-s5b-1", "moderate": "pabo-s5b-2", "severe": "pabo-s5b-3"}


def jobs(size: str) -> list[Job]:
    """Without PABO, nothing is random."""
    seeds = {"PABO": SEEDS[size], "DropTail": 1}
    return [
        raw_job(name, seed, scheme=scheme)
        for scheme, count in seeds.items()
        for name in SEVERITIES
        for seed in range(1, count + 1)
    ]


def read(job: Job, folder: Path) -> dict:
    sent, arrived = (summary(folder)[name] for name in ("raw_frames_sent", "raw_frames_arrived"))
    record = {
        "scheme": job.options["scheme"],
        "severity": severity(job),
        "dropped_at_s7_percent": percent(lost(folder)["S7"], sent),
        "not_arrived_percent": percent(sent - arrived, sent),
    }
    if record["scheme"] == "PABO":
        frames = delivered(folder, "max_distance")
        record |= {f"distance_{d}": percent(frames[d], frames.total()) for d in DISTANCES}
        farther = sum(count for d, count in frames.items() if (record["severity"], d) not in CELLS)
        record["farther_percent"] = percent(farther, frames.total())
    return record


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    pabo = [record for record in records if record["scheme"] == "PABO"]
    shares = [*(f"distance_{d}" for d in DISTANCES), "farther_percent"]
    return {
        "points": average(pabo, ["severity"], shares),
        "losses": average(records, ["scheme", "severity"], ["dropped_at_s7_percent", "not_arrived_percent"]),
    }


def draw(panels, data: Mapping[str, list[dict]]) -> None:
    left, right = panels
    measured = {(row["severity"], d): row[f"distance_{d}"] for row in data["points"] for d in DISTANCES}
    paper = [stated(CELLS[cell]) if cell in CELLS else 0 for cell in measured]
    # The middle one of three bars has the label with the severity.
    groups = [f"{d}\n{name}" if d == DISTANCES[1] else f"{d}\n" for name, d in measured]
    bars(left, groups, {"paper": paper, "measured": [*measured.values()]}, [PAPER, SCHEMES["PABO"]])
    left.set(title="(a) with PABO", ylim=(0, 100))

    losses = {(row["scheme"], row["severity"]): row for row in data["losses"]}
    series = {
        "paper, without PABO": [stated(claim) for claim in DROP_RATES.values()],
        "measured, without PABO": [losses["DropTail", name]["dropped_at_s7_percent"] for name in DROP_RATES],
        "measured, with PABO": [losses["PABO", name]["not_arrived_percent"] for name in DROP_RATES],
    }
    bars(right, [*DROP_RATES], series, [PAPER, SCHEMES["DropTail"], SCHEMES["PABO"]])
    for container in right.containers:
        right.bar_label(container, fmt="%.2f", fontsize="x-small", padding=1)
    right.set(title="(b) frames lost", ylim=(0, 70))


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    shares = {row["severity"]: row for row in data["points"]}
    losses = {(row["scheme"], row["severity"]): row for row in data["losses"]}
    return {
        **{claim: shares[name][f"distance_{d}"] for (name, d), claim in CELLS.items()},
        "pabo-tab1-8": max(row["farther_percent"] for row in shares.values()),
        **{claim: losses["DropTail", name]["dropped_at_s7_percent"] for name, claim in DROP_RATES.items()},
        "pabo-s5b-4": max(losses["PABO", name]["not_arrived_percent"] for name in DROP_RATES),
    }
