# SPDX-License-Identifier: GPL-2.0-only
"""OFC Table I: largest completion times over a line of three switches, and the effect of the response time on them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from figures import Job
from figures.claims import stated
from figures.ofc import GROUPS, SCHEMES, WHOLE, fct_times, line_job, scheme_of
from figures.style import PAPER, bars
from figures.style import SCHEMES as STYLES

TITLE = "OFC Table I: largest FCT over a line of three switches, and its dependence on the time of response"
MINUTES = {"quick": 1, "full": 1}
PANELS = (1, 2)
LABELS = (("", "largest FCT (ms)"), ("time of response to PAUSE (quanta)", "FCT of the uncongested flow (ms)"))

RESPONSES = {"quick": (0, 20, 30, 40, 45, 50, 60), "full": tuple(range(0, 65, 5))}
SEEDS = {"quick": 10, "full": 60}
WINDOW = "30us"  # the other reading of "0-30us": bursts start at random times in it
CELLS = {
    ("PFC", "all"): "ofc-tab1-7",
    ("OFC", "all"): "ofc-tab1-8",
    ("PFC", "uncongested"): "ofc-tab1-9",
    ("OFC", "uncongested"): "ofc-tab1-10",
    ("PFC", "congested"): "ofc-tab1-11",
    ("OFC", "congested"): "ofc-tab1-12",
}


def jobs(size: str) -> list[Job]:
    """Nothing is random if all bursts start at the same time."""
    return [
        *(line_job(scheme, response=response) for scheme in SCHEMES for response in RESPONSES[size]),
        *(line_job(WHOLE[scheme], response=0) for scheme in SCHEMES),
        *(
            line_job(scheme, burst_window=WINDOW, RngRun=seed)
            for scheme in SCHEMES
            for seed in range(1, SEEDS[size] + 1)
        ),
    ]


def read(job: Job, folder: Path) -> dict:
    return {
        "scheme": scheme_of(job),
        "response": int(job.options.get("response", 0)),
        "window": job.options.get("burst-window", "0us"),
        **{group: times[-1] for group, times in fct_times(folder).items()},
    }


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    return {
        "points": [record for record in records if record["window"] != WINDOW],
        "random": [record for record in records if record["window"] == WINDOW],
    }


def draw(panels, data: Mapping[str, list[dict]]) -> None:
    left, right = panels
    at_once = {row["scheme"]: row for row in data["points"] if row["response"] == 0}
    series, styles = {}, []
    for scheme in SCHEMES:
        series[f"{scheme}, paper"] = [stated(CELLS[scheme, group]) for group in GROUPS]
        series[scheme] = [at_once[scheme][group] for group in GROUPS]
        styles += [{**PAPER, "edgecolor": STYLES[scheme]["color"]}, STYLES[scheme]]
    bars(left, GROUPS, series, styles)
    left.set(title="(a) all bursts start at once, no time of response", ylim=(0, 2.6))
    left.legend(fontsize="small", ncols=2)
    for scheme in SCHEMES:
        rows = [row for row in data["points"] if row["scheme"] == scheme]
        points = [(row["response"], row["uncongested"]) for row in rows]
        right.plot(*zip(*points), label=scheme, **STYLES[scheme])
        spread = [row["uncongested"] for row in data["random"] if row["scheme"] == scheme]
        right.plot(
            [0] * len(spread),
            spread,
            ".",
            color=STYLES[scheme]["color"],
            markersize=3,
            label=f"{scheme}, bursts within 30 us",
        )
    right.set(title="(b) uncongested flow", ylim=(1.3, 2.1))
    right.legend(fontsize="x-small")


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    rows = {row["scheme"]: row for row in data["points"] if row["response"] == 0}
    pfc, ofc = rows["PFC"], rows["OFC"]
    return {
        "ofc-tab1-17": rows[WHOLE["PFC"]]["uncongested"],
        "ofc-tab1-18": rows[WHOLE["OFC"]]["uncongested"],
        **{claim: rows[scheme][group] for (scheme, group), claim in CELLS.items()},
        "ofc-tab1-13": pfc["uncongested"] / pfc["congested"],
        "ofc-tab1-14": 100 * (1 - ofc["uncongested"] / pfc["uncongested"]),
        "ofc-tab1-16": sum(ofc[group] < pfc[group] for group in GROUPS),
    }
