# SPDX-License-Identifier: GPL-2.0-only
"""FAFC's linear program: the cost of the solver's pauses, compared with the exact optimum, which is found by evaluating
each vertex.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path

from figures import Job, table, theory
from figures.style import SERIES

TITLE = "FAFC's linear program: loss that pauses cause against the need, by the solver and by the exact optimum"
MINUTES = {"quick": 1, "full": 2}
PANELS = (2, 3)
PORTS = (2, 4, 8)
LABELS = theory.labels(*(("need (% of what all pauses relieve)", "loss (% of that of all pauses)"),) * 3)
SEEDS = {"quick": (1, 2, 3), "full": tuple(range(1, 21))}
STEPS = {"quick": 20, "full": 40}


def jobs(size: str) -> list[Job]:
    return [
        Job(f"{ports}-ports-{seed}-{size}", "pause-times", {"ports": str(ports), "steps": str(STEPS[size]), "RngRun": str(seed)})
        for ports in PORTS
        for seed in SEEDS[size]
    ]


def optimum(loss: Sequence[float], relief: Sequence[float], need: float) -> float:
    """Return the minimum loss due to pauses, from 0 to 1, that satisfy the need.

    A linear program has an optimum at a vertex. Here, each vertex is a set of ports that pause the whole time, with at
    most one additional port that pauses part of the time.
    """
    best = float("inf")
    for chosen in product((0, 1), repeat=len(loss)):
        lacking = round(need - sum(r for r, full in zip(relief, chosen) if full), 9)
        cost = sum(w for w, full in zip(loss, chosen) if full)
        if lacking <= 0:
            best = min(best, cost)
        for w, r, full in zip(loss, relief, chosen):
            if not full and 0 < lacking <= r:
                best = min(best, cost + w * lacking / r)
    return best


def read(job: Job, folder: Path) -> list[dict]:
    rows = []
    for share, ports in table(folder, "pause-times").groupby("need_share"):
        loss, relief = [*ports.loss], [*ports.relief]
        need = share * sum(relief)
        rows.append(
            {
                "ports": len(ports),
                "seed": int(job.options["RngRun"]),
                "need_percent": 100 * share,
                "relieved_percent": 100 * (ports.relief * ports.pause).sum() / need,
                **theory.compared(100 * optimum(loss, relief, need) / sum(loss), 100 * (ports.loss * ports.pause).sum() / sum(loss)),
            }
        )
    return rows


def reduce(records: list[list[dict]]) -> dict[str, list[dict]]:
    return {"points": sorted((row for rows in records for row in rows), key=lambda row: row["need_percent"])}


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    for column, ports in enumerate(PORTS):
        for seed, look in zip(SEEDS["quick"], SERIES):
            rows = [row for row in data["points"] if (row["ports"], row["seed"]) == (ports, seed)]
            theory.draw(axes[column], axes[column + 3], rows, "need_percent", f"draw {seed}", look)
        axes[column].plot((0, 100), (0, 100), color="black", linestyle=":", linewidth=1, label="equal pauses")
        axes[column].legend(fontsize="x-small")
        axes[column].set(title=f"{ports} ports")


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    points = data["points"]
    return {
        "theory-fafc-1": theory.largest(points),
        "theory-fafc-2": max(abs(row["relieved_percent"] - 100) for row in points),
        # With equal pauses, the loss equals the need, both as shares of the total.
        "theory-fafc-3": max(row["need_percent"] - row["measured"] for row in points),
    }
