# SPDX-License-Identifier: GPL-2.0-only
"""DSH Fig. 5: mean flow completion time against the buffer size, under SIH with PowerTCP."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from pathlib import Path

from figures import Job
from figures.dsh import all_finished, count_hosts, leaf_spine, load_job, mean_fct_ms, unfinished
from figures.style import SCHEMES

TITLE = "DSH Fig. 5: mean FCT of all flows against the buffer size, SIH with PowerTCP"
MINUTES = {"quick": 3, "full": 60}
LABELS = ("buffer size (MiB)", "mean FCT (ms)")

LOAD = 0.9
# Of web search. The total load of 0.9 is that of background and fan-in in the network to which the paper refers
# (section V-B). The shares are not printed. The other reading is web search alone, which section III-A names.
BACKGROUND_LOADS = (0.6, 0.9)
MEBIBYTES = range(14, 31, 2)  # of a switch with 32 ports
ARRIVALS = {"quick": "3ms", "full": "10ms"}
# The other reading, as in Figs. 14 and 15: all flows in one class. Only the ends of the curve, with seeds.
ONE_CLASS_LOADS = (0.9, 0.8, 0.7)
ONE_CLASS_SEEDS = (1, 2, 3)


def jobs(size: str) -> list[Job]:
    apart = [job(size, background, mebibytes) for background in BACKGROUND_LOADS for mebibytes in MEBIBYTES]
    one = [
        job(size, background, mebibytes, classes="one", RngRun=seed)
        for background in ONE_CLASS_LOADS
        for mebibytes in (MEBIBYTES[0], MEBIBYTES[-1])
        for seed in ONE_CLASS_SEEDS
    ]
    return apart + one


def job(size: str, background: float, mebibytes: int, **options: object) -> Job:
    return load_job(
        {**leaf_spine(size), "buffer": mebibytes * 2**20},
        scheme="SIH",
        congestion_control="PowerTCP",
        load=LOAD,
        background_load=background,
        arrivals=ARRIVALS[size],
        **options,
    )


def read(job: Job, folder: Path) -> dict:
    return {
        "classes": job.options.get("classes", "apart"),
        "seed": int(job.options.get("RngRun", 1)),
        "background": float(job.options["background-load"]),
        "mebibytes": int(job.options["buffer"]) // 2**20,
        "hosts": count_hosts(job.options),
        "fct_ms": mean_fct_ms(folder, "background", "fan-in"),
        "unfinished": unfinished(folder),
    }


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    return {"points": sorted(records, key=lambda row: (row["classes"], row["background"], row["seed"], row["mebibytes"]))}


def curve(data: Mapping[str, list[dict]], background: float, classes: str = "apart", seed: int = 1) -> list[dict]:
    which = (background, classes, seed)
    return [row for row in data["points"] if (row["background"], row["classes"], row["seed"]) == which]


def increase(points: list[dict]) -> float:
    """Return the percentage by which the mean is longer with the smallest buffer than with the largest."""
    return 100 * (points[0]["fct_ms"] / points[-1]["fct_ms"] - 1)


def draw(ax, data: Mapping[str, list[dict]]) -> None:
    for background, line in zip(BACKGROUND_LOADS, ("-", "--")):
        points = curve(data, background)
        ax.plot(
            [row["mebibytes"] for row in points],
            [row["fct_ms"] for row in points],
            **SCHEMES["SIH"],
            linestyle=line,
            label=f"web search {background:g}, fan-in {LOAD - background:.1f}",
        )
    ax.set(ylim=(0, None), title=f"{data['points'][0]['hosts']} hosts")


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    if not all_finished(data["points"]):
        return {}
    found = {
        f"dsh-fig5-{number}": increase(curve(data, background)) for number, background in enumerate(BACKGROUND_LOADS, 1)
    }
    for number, background in enumerate(ONE_CLASS_LOADS, len(found) + 1):
        seeds = {row["seed"] for row in data["points"] if row["classes"] == "one"}
        found[f"dsh-fig5-{number}"] = statistics.fmean(increase(curve(data, background, "one", seed)) for seed in seeds)
    return found
