# SPDX-License-Identifier: GPL-2.0-only
"""PABO Fig. 15: the effect of theta on entropy, delay and flow completion time in the fat-tree, many to many."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from pathlib import Path

from figures import Job, table
from figures.pabo import average, fat_tree_job, percent, rank_correlation, summary
from figures.style import SCHEMES

TITLE = "PABO Fig. 15: entropy, delay and flow completion time against theta, fat-tree, many to many"
MINUTES = {"quick": 1, "full": 2}
PANELS = (1, 3)
LABELS = (
    (r"$\theta$", "reorder entropy (nat)"),
    (r"$\theta$", "mean delay of a segment (ms)"),
    (r"$\theta$", "mean flow completion time (ms)"),
)

SEEDS = {"quick": 4, "full": 10}
THETAS = (*(round(0.5 + 0.05 * step, 2) for step in range(10)), 0.97, 0.99)
METRICS = ("entropy", "delay_ms", "fct_ms")
FLAT = 0.9  # theta up to which the entropy is compared as constant


def jobs(size: str) -> list[Job]:
    return [
        fat_tree_job("many-to-many", seed, theta=theta)
        for theta in THETAS
        for seed in range(1, SEEDS[size] + 1)
    ]


def read(job: Job, folder: Path) -> dict:
    values = summary(folder)
    return {
        "theta": float(job.options["theta"]),
        "entropy": values["reorder_entropy"],
        "delay_ms": 1e3 * values["delay_mean_s"],
        "fct_ms": statistics.fmean(table(folder, "replies").fct_ns) / 1e6,
    }


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    return {"points": average(records, ["theta"], METRICS)}


def draw(panels, data: Mapping[str, list[dict]]) -> None:
    """Bars show the standard deviation between seeds."""
    for letter, ax, metric in zip("abc", panels, METRICS):
        ax.errorbar(
            [row["theta"] for row in data["points"]],
            [row[metric] for row in data["points"]],
            yerr=[row[f"{metric}_deviation"] for row in data["points"]],
            elinewidth=0.8,
            **SCHEMES["PABO"],
        )
        ax.set(title=f"({letter})", xlim=(0.48, 1.01), ylim=(0, None))


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    thetas = [row["theta"] for row in data["points"]]
    entropy = {row["theta"]: row["entropy"] for row in data["points"]}
    flat = [value for theta, value in entropy.items() if theta <= FLAT]
    return {
        "pabo-fig15-1": percent(max(flat) - min(flat), statistics.fmean(flat)),
        "pabo-fig15-2": abs(rank_correlation(thetas, [row["fct_ms"] for row in data["points"]])),
        "pabo-fig15-3": abs(rank_correlation(thetas, [row["delay_ms"] for row in data["points"]])),
        "pabo-fig15-4": percent(statistics.fmean(flat) - entropy[thetas[-1]], statistics.fmean(flat)),
    }
