# SPDX-License-Identifier: GPL-2.0-only
"""OFC Fig. 5: mean queue lengths in the dumbbell with incast, for six schemes and four ratios."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path

from figures import Job, table
from figures.ofc import (
    BASELINES,
    COMPARED,
    GROUPS,
    OWN_PAPERS,
    RATIOS,
    WHOLE,
    incast_jobs,
    mean_queues,
    over_window,
    ratio_of,
    reductions,
    scheme_of,
    share_percent,
    up_to,
)
from figures.seeds import grouped
from figures.style import SCHEMES as STYLES
from figures.style import bars

TITLE = "OFC Fig. 5: mean queue length of all, uncongested and congested ports in a dumbbell with incast"
MINUTES = {"quick": 4, "full": 20}
PANELS = (1, 3)
LABELS = (("ratio of the incast", "mean queue length (kB)"),) * 3
RUNS = "ofc-fig4"


def jobs(size: str) -> list[Job]:
    return incast_jobs(size) + incast_jobs(size, (*WHOLE.values(), *OWN_PAPERS.values()))


def read(job: Job, folder: Path) -> list[dict]:
    """Return means over the time of the rounds, which differs between schemes."""
    which = {"scheme": scheme_of(job), "ratio": ratio_of(job), "busy_ms": table(folder, "rounds").length_ns.sum() / 1e6}
    return [{**which, "group": group, **lengths} for group, lengths in mean_queues(job, folder).items()]


def reduce(records: list[list[dict]]) -> dict[str, list[dict]]:
    by_ratio = grouped([row for found in records for row in found], ["ratio"]).values()
    rows = [row for rows in by_ratio for row in over_window(rows)]
    return {"points": [{**row, "wire_kb": row["wire_kb"] * row["window_kb"] / row["mean_kb"]} for row in rows]}


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    values = {(row["group"], row["scheme"], row["ratio"]): row["window_kb"] for row in data["points"]}
    for letter, ax, group in zip("abc", axes, GROUPS):
        series = {scheme: [values[group, scheme, ratio] for ratio in RATIOS] for scheme in COMPARED}
        bars(ax, [f"{ratio}:1" for ratio in RATIOS], series, [STYLES[scheme] for scheme in COMPARED])
        ax.set(title=f"({letter}) {group} ports")
        ax.set_ylim(0, 1.3 * max(max(heights) for heights in series.values()))
        ax.legend(fontsize="x-small", ncols=3)


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    rows = data["points"]
    gains = {ratio: reductions(rows, ratio, GROUPS, "window_kb") for ratio in RATIOS}

    def longer(ofc: str, baselines: Iterable[str]) -> float:
        """Return the ratios and kinds of ports for which these schemes have longer queues than OFC in that reading."""
        return share_percent(
            gain > 0 for ratio in RATIOS for gain in reductions(rows, ratio, GROUPS, "window_kb", ofc, baselines)
        )

    found = {}
    for number, ratio in enumerate(RATIOS, 1):
        for claim, name in ((number, "window_kb"), (number + 13, "mean_kb")):
            ends = up_to(rows, ratio, name)
            found[f"ofc-fig5-{claim}"], found[f"ofc-fig5-{claim}-most"] = min(ends), max(ends)
        found[f"ofc-fig5-{number + 8}"] = min(gains[ratio])
    return {
        **found,
        "ofc-fig5-5": in_order(rows, "window_kb"),
        "ofc-fig5-6": growing(rows, "window_kb"),
        "ofc-fig5-7": longer("OFC", BASELINES),
        "ofc-fig5-13": longer(WHOLE["OFC"], [WHOLE[name] for name in BASELINES]),
        "ofc-fig5-18": longer("OFC", OWN_PAPERS.values()),
        "ofc-fig5-19": in_order(rows, "wire_kb"),
        "ofc-fig5-20": growing(rows, "wire_kb"),
    }


def in_order(rows: list[dict], name: str) -> float:
    """Return the schemes and ratios with longer queues at the congested ports than at the uncongested ones, and longer
    queues there than over all ports.
    """
    values = {(row["ratio"], row["scheme"], row["group"]): row[name] for row in rows}
    return share_percent(
        values[ratio, scheme, "congested"] > values[ratio, scheme, "uncongested"] > values[ratio, scheme, "all"]
        for ratio in RATIOS
        for scheme in COMPARED
    )


def growing(rows: list[dict], name: str) -> float:
    """Return the steps of the ratio at which a mean length increases."""
    values = {(row["ratio"], row["scheme"], row["group"]): row[name] for row in rows}
    return share_percent(
        values[before, scheme, group] < values[after, scheme, group]
        for before, after in pairwise(RATIOS)
        for scheme in COMPARED
        for group in GROUPS
    )
