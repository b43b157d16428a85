# SPDX-License-Identifier: GPL-2.0-only
"""CaPFC Table III: largest completion times of long flows in the fat-tree; and the arithmetic of Sec. II and III."""

from __future__ import annotations

from collections.abc import Mapping

from figures import Job
from figures.capfc import SCENARIOS, SCHEMES, points, read, scenario_jobs, select
from figures.claims import stated
from figures.style import SCHEMES as STYLES
from figures.style import bars, range_errors

TITLE = "CaPFC Table III: largest FCT of long flows in the fat-tree, six scenarios (the simulations of Fig. 8)"
MINUTES = {"quick": 3, "medium": 50, "full": 960}
PANELS = (1, 2)
LABELS = (("scenario", "largest FCT (ms)"),) * 2
RUNS = "capfc-fig8"

__all__ = ["read"]


def jobs(size: str) -> list[Job]:
    return scenario_jobs(size)


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    return {"points": select(points(records, ["scenario", "scheme"]), group="long")}


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
    """Of a number of the table, whose rows are the schemes."""
    return f"capfc-tab3-{1 + len(SCENARIOS) * SCHEMES.index(scheme) + SCENARIOS.index(scenario)}"


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    tails = {(row["scheme"], row["scenario"]): row["max_ms"] for row in data["points"]}

    def reductions(baseline: str) -> list[float]:
        """Per cent by which Stop-Max has the smaller tail, by scenario."""
        return [100 * (1 - tails["CaPFC-Max", s] / tails[baseline, s]) for s in SCENARIOS]

    def spread(scenario: int) -> float:
        values = [tails[scheme, scenario] for scheme in SCHEMES]
        return max(values) / min(values)

    untouched = {row["scenario"]: row["untouched_ms"] for row in data["points"] if row["scheme"] == "PFC-wdrop"}
    return {
        **{claim_of(scheme, scenario): tails[scheme, scenario] for scheme, scenario in tails},
        **{f"capfc-tab3-{28 + scenario}": untouched[scenario] for scenario in SCENARIOS},
        "capfc-tab3-25": -reductions("PFC-wdrop")[SCENARIOS.index(6)],
        "capfc-tab3-26": max(reductions("PFC-wdrop")),
        "capfc-tab3-27": max(reductions("PFC-wstop")),
        "capfc-tab3-28": max(spread(scenario) for scenario in SCENARIOS),
    }
