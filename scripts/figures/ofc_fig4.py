# SPDX-License-Identifier: GPL-2.0-only
"""OFC Fig. 4: completion times in the dumbbell with incast, for six schemes and four ratios."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

from figures import Job
from figures.ofc import (
    BASELINES,
    COMPARED,
    GROUPS,
    RATIOS,
    box,
    fct_times,
    group_times,
    incast_jobs,
    ratio_of,
    reductions,
    scheme_of,
    share_percent,
    up_to,
)
from figures.style import SCHEMES as STYLES

TITLE = "OFC Fig. 4: FCT of all, uncongested and congested flows in a dumbbell with incast, six schemes"
MINUTES = {"quick": 2, "full": 9}
PANELS = (2, 2)
LABELS = (("", "FCT (ms): least, quartiles, largest"),) * 4


def jobs(size: str) -> list[Job]:
    return incast_jobs(size)


def read(job: Job, folder: Path) -> list[dict]:
    """Return the boxes of single flows, and the FCT, which is "the time needed to transmit a group of flows" (section
    IV-A3).
    """
    needed = group_times(folder)
    return [
        {"scheme": scheme_of(job), "ratio": ratio_of(job), "group": group, **box(times), "group_ms": needed[group]}
        for group, times in fct_times(folder).items()
    ]


def reduce(records: list[list[dict]]) -> dict[str, list[dict]]:
    return {"points": [row for rows in records for row in rows]}


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    width = 0.8 / len(COMPARED)
    for letter, ax, ratio in zip("abcd", axes, RATIOS):
        for number, scheme in enumerate(COMPARED):
            rows = [row for row in data["points"] if (row["ratio"], row["scheme"]) == (ratio, scheme)]
            boxes = [
                {
                    "whislo": row["least_ms"],
                    "q1": row["p25_ms"],
                    "med": row["median_ms"],
                    "q3": row["p75_ms"],
                    "whishi": row["largest_ms"],
                }
                for row in sorted(rows, key=lambda row: GROUPS.index(row["group"]))
            ]
            places = [group + (number - (len(COMPARED) - 1) / 2) * width for group in range(len(GROUPS))]
            look = {"facecolor": STYLES[scheme]["color"], "linewidth": 0.6}
            ax.bxp(
                boxes,
                positions=places,
                widths=0.9 * width,
                showfliers=False,
                patch_artist=True,
                boxprops=look,
                medianprops={"color": "black"},
            )
            ax.bar(0, 0, color=STYLES[scheme]["color"], label=scheme)
        ax.set_xticks(range(len(GROUPS)), GROUPS)
        ax.set(title=f"({letter}) {ratio}:1")
        ax.set_ylim(0, 1.3 * max(row["largest_ms"] for row in data["points"] if row["ratio"] == ratio))
        ax.legend(fontsize="x-small", ncols=3, loc="upper center")


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    values = {(row["ratio"], row["scheme"], row["group"]): row for row in data["points"]}

    def by_groups(ratio: int, scheme: str) -> float:
        """Return the FCT of the uncongested flows divided by that of the congested ones."""
        return values[ratio, scheme, "uncongested"]["group_ms"] / values[ratio, scheme, "congested"]["group_ms"]

    gains = {ratio: up_to(data["points"], ratio, "group_ms") for ratio in RATIOS}
    found = {}
    for number, ratio in enumerate(RATIOS, 1):
        found[f"ofc-fig4-{number}"], found[f"ofc-fig4-{number}-most"] = min(gains[ratio]), max(gains[ratio])
        found[f"ofc-fig4-{number + 8}"] = min(reductions(data["points"], ratio, ["all"], "mean_ms"))
        found[f"ofc-fig4-{number + 8}-most"] = max(reductions(data["points"], ratio, GROUPS, "mean_ms"))
    return {
        **found,
        "ofc-fig4-5": min(by_groups(ratio, scheme) for ratio in RATIOS for scheme in BASELINES),
        "ofc-fig4-6": max(by_groups(ratio, "OFC") for ratio in RATIOS),
        "ofc-fig4-7": longer_percent(data["points"], "group_ms"),
        "ofc-fig4-8": share_percent(
            max(gains[before]) < max(gains[after]) for before, after in pairwise(RATIOS)
        ),
        "ofc-fig4-13": longer_percent(data["points"], "mean_ms"),
    }


def longer_percent(rows: list[dict], name: str) -> float:
    """Return the percentage of baselines and ratios for which the FCT of the congested flows is larger than with OFC.
    """
    return share_percent(gain > 0 for ratio in RATIOS for gain in reductions(rows, ratio, ["congested"], name))
