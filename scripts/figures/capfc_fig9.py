# SPDX-License-Identifier: GPL-2.0-only
"""CaPFC Fig. 9: largest completion times in the fat-tree of shared-memory switches."""

from __future__ import annotations

from collections.abc import Mapping

from figures import Job
from figures.capfc import BASELINES, better_percent, draw_tails, factors, jobs_of, points, read, select

TITLE = "CaPFC Fig. 9: largest FCT of queries and short flows in the fat-tree of shared-memory switches"
MINUTES = {"quick": 2, "full": 60}
LABELS = ("", "FCT (ms): largest (bar), p99 (-), mean (.)")
RUNS = "capfc-fig8"

GROUPS = ("query", "short")

__all__ = ["read"]


def jobs(size: str) -> list[Job]:
    """The simulations include the same traffic with dedicated memory, which is part of Fig. 8."""
    dedicated = [job for job in jobs_of(size, [1]) if job.options["scheme"] in BASELINES]
    return jobs_of(size, [1], memory="shared") + dedicated


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    shared = select(records, memory="shared")
    return {"points": points(records, ["memory", "scheme"]), "factors": factors(shared)}


def draw(ax, data: Mapping[str, list[dict]]) -> None:
    draw_tails(ax, select(data["points"], memory="shared"), GROUPS)


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    tails = {(row["memory"], row["scheme"], row["group"]): row["max_ms"] for row in data["points"]}
    others = max(tails["shared", scheme, "short"] for scheme in ("CaPFC-Max", "CaPFC-Cal", "PFC-wstop"))
    return {
        "capfc-fig9-1": better_percent(data["factors"], (1,), ("query",)),
        "capfc-fig9-2": tails["shared", "CaPFC-Max", "query"] / tails["shared", "CaPFC-Cal", "query"],
        "capfc-fig9-3": tails["shared", "PFC-wdrop", "short"] / others,
        "capfc-fig9-4": max(
            tails["shared", scheme, "short"] / tails["dedicated", scheme, "short"] for scheme in BASELINES
        ),
    }
