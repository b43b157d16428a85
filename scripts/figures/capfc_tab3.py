# SPDX-License-Identifier: GPL-2.0-only
"""CaPFC Table III: largest completion times of long flows in the fat-tree, and the arithmetic of Sec. II and III."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping

from figures import Job
from figures.capfc import SCENARIOS, SCHEMES, points, read, scenario_jobs, select
from figures.claims import stated
from figures.seeds import grouped
from figures.style import SCHEMES as STYLES
from figures.style import bars, range_errors

TITLE = "CaPFC Table III: largest FCT of long flows in the fat-tree, six scenarios (the simulations of Fig. 8)"
MINUTES = {"quick": 3, "medium": 50, "full": 960}
PANELS = (1, 2)
LABELS = (("scenario", "largest FCT (ms)"),) * 2
RUNS = "capfc-fig8"

# The tails of a seed, by scheme and scenario.
Tails = Mapping[tuple[str, int], float]

__all__ = ["read"]


def jobs(size: str) -> list[Job]:
    return scenario_jobs(size)


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    runs = [
        {name: record[name] for name in ("seed", "scheme", "scenario")} | {"max_ms": record["tails"]["long"]["max_ms"]}
        for record in records
        if "long" in record["tails"]
    ]
    return {"points": select(points(records, ["scenario", "scheme"]), group="long"), "runs": runs}


def draw(panels, data: Mapping[str, list[dict]]) -> None:
    rows = {(row["scheme"], row["scenario"]): row for row in data["points"]}
    paper = {scheme: [stated(claim_of(scheme, s)) for s in SCENARIOS] for scheme in SCHEMES}
    measured = {scheme: [rows[scheme, s]["max_ms"] for s in SCENARIOS] for scheme in SCHEMES}
    ranges = {scheme: range_errors([rows[scheme, s] for s in SCENARIOS], "max_ms") for scheme in SCHEMES}
    groups = [str(scenario) for scenario in SCENARIOS]
    styles = [STYLES[scheme] for scheme in SCHEMES]
    for ax, title, heights, errors in zip(
        panels, ("(a) paper", "(b) measured, with the range of the seeds"), (paper, measured), (None, ranges)
    ):
        bars(ax, groups, heights, styles, errors)
        ax.set(title=title, ylim=(0, 110))
        ax.legend(fontsize="x-small", ncols=2)


def claim_of(scheme: str, scenario: int) -> str:
    """Return the claim about a number in the table, whose rows are the schemes."""
    return f"capfc-tab3-{1 + len(SCENARIOS) * SCHEMES.index(scheme) + SCENARIOS.index(scenario)}"


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    cells = {claim_of(row["scheme"], row["scenario"]): row["max_ms"] for row in data["points"]}
    untouched = {row["scenario"]: row["untouched_ms"] for row in data["points"] if row["scheme"] == "PFC-wdrop"}
    return {
        **cells,
        **{f"capfc-tab3-{28 + scenario}": untouched[scenario] for scenario in SCENARIOS},
        "capfc-tab3-25": -extreme(data, lambda tails: min(reductions(tails, "PFC-wdrop"))),
        "capfc-tab3-26": extreme(data, lambda tails: max(reductions(tails, "PFC-wdrop"))),
        "capfc-tab3-27": extreme(data, lambda tails: max(reductions(tails, "PFC-wstop"))),
        "capfc-tab3-28": extreme(data, lambda tails: max(spread(tails, scenario) for scenario in SCENARIOS)),
    }


def extreme(data: Mapping[str, list[dict]], of: Callable[[Tails], float]) -> float:
    """Return the mean over seeds of the most extreme value of the six scenarios. The paper gives the value of a single
    run.
    """
    return statistics.fmean(
        of({(row["scheme"], row["scenario"]): row["max_ms"] for row in rows})
        for rows in grouped(data["runs"], ["seed"]).values()
    )


def reductions(tails: Tails, baseline: str) -> list[float]:
    """Return the percentage by which Stop-Max reduces the tail, by scenario."""
    return [100 * (1 - tails["CaPFC-Max", s] / tails[baseline, s]) for s in SCENARIOS]


def spread(tails: Tails, scenario: int) -> float:
    values = [tails[scheme, scenario] for scheme in SCHEMES]
    return max(values) / min(values)
