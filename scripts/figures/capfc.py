# SPDX-License-Identifier: GPL-2.0-only
"""Common parts of the CaPFC figures: the fat-tree, and tails of completion times over several seeds."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from figures import Job, arrived_flows, dashed, make_job, table
from figures.seeds import grouped, spread
from figures.style import SCHEMES as STYLES
from figures.style import bars, range_errors

CAPFC = ("CaPFC-Max", "CaPFC-Cal")
BASELINES = ("PFC-wdrop", "PFC-wstop")
SCHEMES = (*CAPFC, *BASELINES)
GROUPS = ("query", "short", "long")
SCENARIOS = (1, 2, 3, 4, 5, 6)
SEEDS = (1, 2, 3)
# For Fig. 8 and Table III. With three seeds, a single long flow that waits for a timeout would decide two claims.
SCENARIO_SEEDS = {"quick": range(1, 2), "medium": range(1, 11), "full": range(1, 11)}
ARRIVALS = {"quick": "50ms", "medium": "50ms", "full": "1s"}
MEASURES = ("max_ms", "p99_ms", "mean_ms", "untouched_ms")


def fat_tree_job(size: str, scenario: int, scheme: str, seed: int, **options: object) -> Job:
    """Return the fat-tree in one of the scenarios of Table I. Options (with _ instead of -) are given only if they
    differ.
    """
    common = {"arrivals": ARRIVALS[size], "scenario": scenario, "scheme": scheme}
    return make_job("capfc-fat-tree", {**common, **dashed(options), "RngRun": seed})


def jobs_of(size: str, scenarios: Sequence[int], seeds: Sequence[int] = SEEDS, **options: object) -> list[Job]:
    """Return the simulations of all schemes and seeds."""
    return [
        fat_tree_job(size, scenario, scheme, seed, **options)
        for scenario in scenarios
        for scheme in SCHEMES
        for seed in seeds
    ]


def scenario_jobs(size: str) -> list[Job]:
    """Return the simulations of all scenarios in Fig. 8 and Table III."""
    return jobs_of(size, SCENARIOS, SCENARIO_SEEDS[size])


def read(job: Job, folder: Path) -> dict:
    """Return the tails of one simulation, by kind of traffic. A kind without flows has none. Flows without
    retransmissions count as untouched.
    """
    flows = arrived_flows(folder)
    times = {group: [*(flows.fct_ns[flows.group == group] / 1e6)] for group in GROUPS}
    untouched = flows[flows.retransmitted.astype(int) == 0].groupby("group").fct_ns.max() / 1e6
    return {
        "scenario": int(job.options["scenario"]),
        "memory": job.options.get("memory", "dedicated"),
        "scheme": job.options["scheme"],
        "seed": int(job.options["RngRun"]),
        "lost": int(table(folder, "drops").frames.sum()),
        "tails": {
            group: tail(values) | {"untouched_ms": untouched.get(group, math.nan)} for group, values in times.items() if values
        },
    }


def tail(values: list[float]) -> dict[str, float]:
    values.sort()
    return {
        "max_ms": values[-1],
        "p99_ms": values[math.ceil(0.99 * len(values)) - 1],
        "mean_ms": statistics.fmean(values),
    }


def points(records: Iterable[Mapping], by: Sequence[str]) -> list[dict]:
    """Return a row for each kind of traffic and combination of `by`: averages over the seeds, and the range of the
    maxima.
    """
    keys = (*by, "group")
    tails = [{**record, "group": group, **values} for record in records for group, values in record["tails"].items()]
    return [
        {
            **dict(zip(keys, key)),
            **{measure: statistics.fmean(row[measure] for row in found) for measure in MEASURES},
            **spread([row["max_ms"] for row in found], "max_ms"),
            "lost": statistics.fmean(row["lost"] for row in found),
            "runs": len(found),
        }
        for key, found in grouped(tails, keys).items()
    ]


def factors(records: Iterable[Mapping]) -> list[dict]:
    """Return a row for each scenario, kind of traffic, baseline and seed: its maximum divided by the larger one of the
    two CaPFC versions.

    With the same seed, the same flows start at the same instants.
    """
    maxima = {
        (record["scenario"], group, record["seed"], record["scheme"]): values["max_ms"]
        for record in records
        for group, values in record["tails"].items()
    }
    return [
        {
            "scenario": scenario,
            "group": group,
            "baseline": baseline,
            "seed": seed,
            "factor": maximum / max(maxima[scenario, group, seed, scheme] for scheme in CAPFC),
            **{
                f"factor_of_{scheme}": maximum / maxima[scenario, group, seed, scheme] for scheme in CAPFC
            },
        }
        for (scenario, group, seed, baseline), maximum in maxima.items()
        if baseline in BASELINES
    ]


def mean_factor(rows: Iterable[Mapping], scenario: int, group: str, baseline: str) -> float:
    """Return the mean over seeds; not a number if there are no flows of that kind."""
    found = select(rows, scenario=scenario, group=group, baseline=baseline)
    return statistics.fmean(row["factor"] for row in found) if found else math.nan


def seeds_percent(rows: Iterable[Mapping], least: float, **which: object) -> float:
    """Return the percentage of seeds for which the factor is at least this large."""
    found = select(rows, **which)
    return 100 * statistics.fmean(row["factor"] >= least for row in found) if found else math.nan


def better_percent(rows: Iterable[Mapping], scenarios: Sequence[int], groups: Sequence[str]) -> float:
    """Return the percentage of comparisons (both versions, both baselines, all seeds) in which CaPFC has the smaller
    maximum.
    """
    wins = [
        row[f"factor_of_{scheme}"] > 1
        for row in rows
        if row["scenario"] in scenarios and row["group"] in groups
        for scheme in CAPFC
    ]
    return 100 * statistics.fmean(wins) if wins else math.nan


def select(rows: Iterable[Mapping], **which: object) -> list[Mapping]:
    return [row for row in rows if all(row[name] == value for name, value in which.items())]


def draw_tails(ax, rows: Iterable[Mapping], groups: Sequence[str]) -> None:
    """Draw bars of the mean of the maxima, with their range, and next to them the 99th percentile and the mean FCT."""
    found = {(row["scheme"], row["group"]): row for row in rows}
    present = [group for group in groups if all((scheme, group) in found for scheme in SCHEMES)]

    def values(scheme: str, name: str) -> list[float]:
        return [found[scheme, group][name] for group in present]

    heights = {scheme: values(scheme, "max_ms") for scheme in SCHEMES}
    ranges = {
        scheme: range_errors([found[scheme, group] for group in present], "max_ms") for scheme in SCHEMES
    }
    bars(ax, present, heights, [STYLES[scheme] for scheme in SCHEMES], ranges)
    for measure, marker in (("p99_ms", "_"), ("mean_ms", ".")):
        for number, scheme in enumerate(SCHEMES):
            places = [group + (number - 1.5) * 0.8 / len(SCHEMES) for group in range(len(present))]
            ax.plot(places, values(scheme, measure), marker, color="black", markersize=5)
