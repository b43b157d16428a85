# SPDX-License-Identifier: GPL-2.0-only
"""PABO Fig. 5: how far TCP segments arrive out of order in the tree, over a grid of theta and lambda."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from pathlib import Path

from figures import Job
from figures.pabo import average, rank_correlation, ratio, summary, tcp_job

TITLE = "PABO Fig. 5: reorder entropy of three TCP connections in the tree against theta and lambda"
MINUTES = {"quick": 1, "full": 60}
LABELS = (r"$\theta$", r"$\lambda$")
CLAIMS = ("pabo-fig5", "pabo-eq7")

SEEDS = {"quick": 2, "full": 10}
THETAS = {
    "quick": tuple(round(0.05 + 0.1 * step, 2) for step in range(10)),
    "full": tuple(round(0.05 * step, 2) for step in range(1, 20)),
}
LAMBDAS = {"quick": (1, 40, 80, 120, 160, 200), "full": (1, *range(10, 201, 10))}
ONLY_FULL = 1.0  # theta at which only full queues send frames back, regardless of lambda


def jobs(size: str) -> list[Job]:
    points = [(theta, decay) for theta in THETAS[size] for decay in LAMBDAS[size]]
    runs = [
        tcp_job(seed, **{"theta": theta, "lambda": decay})
        for theta, decay in [*points, (ONLY_FULL, LAMBDAS[size][0])]
        for seed in range(1, SEEDS[size] + 1)
    ]
    return [*runs, tcp_job(1, scheme="Infinite")]  # this scheme does not reorder frames


def read(job: Job, folder: Path) -> dict:
    return {
        "scheme": job.options.get("scheme", "PABO"),
        "theta": float(job.options.get("theta", 0)),
        "lambda": int(job.options.get("lambda", 0)),
        "entropy": summary(folder)["reorder_entropy"],
    }


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    grid = [record for record in records if record["scheme"] == "PABO" and record["theta"] < ONLY_FULL]
    limits = [record for record in records if record not in grid]
    return {
        "points": average(grid, ["theta", "lambda"], ["entropy"]),
        "limits": average(limits, ["scheme", "theta"], ["entropy"]),
    }


def grid_of(data: Mapping[str, list[dict]]) -> tuple[list[float], list[int], list[list[float]]]:
    """Return thetas, lambdas, and the entropy in a row for each lambda."""
    entropy = {(row["theta"], row["lambda"]): row["entropy"] for row in data["points"]}
    thetas, lambdas = sorted({theta for theta, _ in entropy}), sorted({decay for _, decay in entropy})
    return thetas, lambdas, [[entropy[theta, decay] for theta in thetas] for decay in lambdas]


def draw(ax, data: Mapping[str, list[dict]]) -> None:
    """Small values are dark, as in the paper."""
    mesh = ax.pcolormesh(*grid_of(data), cmap="viridis", shading="nearest")
    ax.figure.colorbar(mesh, ax=ax, label="reorder entropy (nat)")
    ax.grid(False)


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    thetas, _, rows = grid_of(data)
    columns = list(zip(*rows))
    limit = {row["scheme"]: row["entropy"] for row in data["limits"]}
    return {
        "pabo-fig5-1": rank_correlation(thetas, [statistics.fmean(column) for column in columns]),
        "pabo-fig5-2": ratio(mean_range(rows), mean_range(columns)),
        "pabo-fig5-3": limit["PABO"] - min(min(row) for row in rows),
        "pabo-eq7-1": limit["Infinite"],
    }


def mean_range(lines) -> float:
    return statistics.fmean(max(line) - min(line) for line in lines)
