# SPDX-License-Identifier: GPL-2.0-only
"""PABO Fig. 7: frames that each switch of the tree sends back, and the number of hops that frames take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from figures import Job, cumulate
from figures.pabo import SEVERITIES, as_stated, average, delivered, raw_job, sent_back, severity
from figures.style import SERIES, bars

TITLE = "PABO Fig. 7: frames sent back by each switch of the tree, and hops of each frame"
MINUTES = {"quick": 1, "full": 1}
PANELS = (1, 2)
LABELS = (("switch", "frames sent back in 1 s"), ("hops of a frame (totalHop)", "frames (%)"))
CLAIMS = ("pabo-fig7a", "pabo-fig7b")

SEEDS = {"quick": 3, "full": 10}
SWITCHES = tuple(f"S{number}" for number in range(1, 8))
# The switches that send frames back, according to the paper.
STATED = {"mild": {"S7"}, "moderate": {"S4", "S5", "S6", "S7"}, "severe": set(SWITCHES)}


def jobs(size: str) -> list[Job]:
    return [raw_job(name, seed) for name in SEVERITIES for seed in range(1, SEEDS[size] + 1)]


def read(job: Job, folder: Path) -> dict:
    frames, name = sent_back(folder), severity(job)
    return {
        "severity": name,
        **{switch: frames[switch] for switch in SWITCHES},
        "as_stated": as_stated(frames, STATED[name]),
        "hops": delivered(folder, "hops"),
    }


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    frames: dict[str, Counter[int]] = {name: Counter() for name in SEVERITIES}
    for record in records:
        frames[record["severity"]].update(record["hops"])
    return {
        "points": average(records, ["severity"], [*SWITCHES, "as_stated"]),
        "cdf": [
            {"severity": name, "hops": hops, "percent": share}
            for name in SEVERITIES
            for hops, share in cumulate(frames[name])
        ],
    }


def draw(panels, data: Mapping[str, list[dict]]) -> None:
    left, right = panels
    heights = {row["severity"]: [row[switch] for switch in SWITCHES] for row in data["points"]}
    bars(left, SWITCHES, heights, SERIES)
    left.set(title="(a)", yscale="log", ylim=(100, None))
    longest = max(row["hops"] for row in data["cdf"])
    for name, style in zip(SEVERITIES, SERIES):
        points = [(row["hops"], row["percent"]) for row in data["cdf"] if row["severity"] == name]
        points = [(points[0][0], 0), *points, (longest, 100)]
        right.plot(*zip(*points), drawstyle="steps-post", color=style["color"], label=name)
    right.axvline(11, color="black", linestyle=":", linewidth=0.8, label="11 hops")
    right.set(title="(b)", xlim=(0, longest), ylim=(0, 102))
    right.legend(loc="lower right", fontsize="small")


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    switches = {row["severity"]: row["as_stated"] for row in data["points"]}
    shortest = min(row["hops"] for row in data["cdf"])
    return {
        "pabo-fig7a-1": switches["mild"],
        "pabo-fig7a-2": switches["moderate"],
        "pabo-fig7a-3": switches["severe"],
        "pabo-fig7b-1": within(data["cdf"], "mild", 5),
        "pabo-fig7b-2": within(data["cdf"], "severe", 11),
        "pabo-fig7b-3": 11 / shortest,
    }


def within(cdf: list[dict], name: str, hops: int) -> float:
    """Return the percentage of frames that take at most this number of hops."""
    return max(row["percent"] for row in cdf if row["severity"] == name and row["hops"] <= hops)
