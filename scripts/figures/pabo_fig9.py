# SPDX-License-Identifier: GPL-2.0-only
"""PABO Fig. 9: the effect of theta on the share of frames sent back, and of lambda on their hops."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from figures import Job
from figures.pabo import average, correlation, delivered, percent, raw_job, steps
from figures.style import SCHEMES

TITLE = "PABO Fig. 9: frames sent back against theta, and mean hops against lambda, moderate congestion"
MINUTES = {"quick": 1, "full": 1}
PANELS = (1, 2)
LABELS = ((r"$\theta$", "frames sent back (%)"), (r"$\lambda$", "mean hops of a frame (totalHop)"))

SEEDS = {"quick": 2, "full": 5}
THETA, LAMBDA = 0.8, 50.0  # the values of the parameter that does not vary
THETAS = tuple(round(0.05 * step, 2) for step in range(20))
LAMBDAS = {"quick": (1, *range(20, 301, 20)), "full": (1, *range(10, 301, 10))}
SETTLED = 160  # lambda beyond which nothing changes, according to the paper


def jobs(size: str) -> list[Job]:
    points = dict.fromkeys([(theta, LAMBDA) for theta in THETAS] + [(THETA, float(d)) for d in LAMBDAS[size]])
    return [
        raw_job("moderate", seed, **{"theta": theta, "lambda": decay})
        for theta, decay in points
        for seed in range(1, SEEDS[size] + 1)
    ]


def read(job: Job, folder: Path) -> dict:
    distances, hops = delivered(folder, "max_distance"), delivered(folder, "hops")
    return {
        "theta": float(job.options["theta"]),
        "lambda": float(job.options["lambda"]),
        "sent_back_percent": percent(distances.total() - distances[0], distances.total()),
        "mean_hops": sum(number * frames for number, frames in hops.items()) / hops.total(),
    }


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    points = average(records, ["theta", "lambda"], ["sent_back_percent", "mean_hops"])
    return {"points": sorted(points, key=lambda row: (row["theta"], row["lambda"]))}


def curves(data: Mapping[str, list[dict]]) -> tuple[list[dict], list[dict]]:
    """Return the points of panel (a) and those of panel (b)."""
    points = data["points"]
    return (
        [row for row in points if row["lambda"] == LAMBDA],
        [row for row in points if row["theta"] == THETA],
    )


def draw(panels, data: Mapping[str, list[dict]]) -> None:
    titles = (rf"(a) $\lambda$ = {LAMBDA:g}", rf"(b) $\theta$ = {THETA:g}")
    columns = (("theta", "sent_back_percent"), ("lambda", "mean_hops"))
    for ax, rows, (x, y), title in zip(panels, curves(data), columns, titles):
        ax.errorbar(
            [row[x] for row in rows],
            [row[y] for row in rows],
            yerr=[row[f"{y}_deviation"] for row in rows],
            elinewidth=0.8,
            **SCHEMES["PABO"],
        )
        ax.set(title=title)


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    by_theta, by_lambda = curves(data)
    thetas = [row["theta"] for row in by_theta]
    shares = [row["sent_back_percent"] for row in by_theta]
    hops = {row["lambda"]: row["mean_hops"] for row in by_lambda}
    after = [value for decay, value in hops.items() if decay >= SETTLED]
    return {
        "pabo-fig9-1": correlation(thetas, shares),
        "pabo-fig9-2": hops[SETTLED] - hops[1],
        "pabo-fig9-3": percent(max(after) - min(after), hops[SETTLED]),
        "pabo-fig9-4": max(steps(shares)),
    }
