# SPDX-License-Identifier: GPL-2.0-only
"""Common parts of the PABO figures: simulations, result files, averages and trends.

They use the statistics of the standard library, whose sums are exact. Those of pandas differ in the last digit of every
tenth field of the points. Its ranks are the same, and are not worth the import where ranks are needed.
"""

from __future__ import annotations

import math
import re
import statistics
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from figures import Job, make_job, table
from figures.seeds import grouped

# N of section V-B; a generation has one frame more.
SEVERITIES = {"mild": 500, "moderate": 1500, "severe": 2500}
MANY_TO_ONE = ("3-to-1", "6-to-1", "9-to-1", "12-to-1")
SCENARIOS = (*MANY_TO_ONE, "many-to-many")
SHORT_NAMES = ("3:1", "6:1", "9:1", "12:1", "m:m")  # of the scenarios
# Both columns of the comparisons in section VI.
SCHEME_NAMES = {"PABO": "PABO", "DropTail": "TCP Reno"}
# In the results of programs, the switches of the fat-tree have ns-3's names; in the figures, they have those of the
# paper.
FAT_TREE_SWITCHES = (*(f"C{number}" for number in range(1, 5)), *(f"S{number}" for number in range(1, 17)))


# ns-3's own simulator, in which events at the same instant are executed in the order in which they were scheduled, as
# in OMNeT++, the paper's simulator. A frame that is sent back immediately reaches its previous hop at the very end of
# that hop's gap.
ORDER = {"SimulatorImplementationType": "ns3::DefaultSimulatorImpl"}


def raw_job(severity: str, seed: int, **options: object) -> Job:
    """Return the tree of section V with its queues, which are the program's defaults."""
    return make_job("pabo-tree", {"packets": SEVERITIES[severity], **options, **ORDER, "RngRun": seed})


def tcp_job(seed: int, **options: object) -> Job:
    """Return the tree of section IV with its queues of 100 frames, unless they are unlimited."""
    queues = {} if options.get("scheme") == "Infinite" else {"capacity": 100, "host-capacity": 100}
    return make_job("pabo-tree", {"traffic": "tcp", **queues, **options, "RngRun": seed})


def fat_tree_job(scenario: str, seed: int, **options: object) -> Job:
    """Return the fat-tree of section VI with its queues, theta and lambda, which are the program's defaults."""
    return make_job("pabo-fat-tree", {"scenario": scenario, **options, **ORDER, "RngRun": seed})


def comparison_jobs(scenarios: Sequence[str], seeds: int) -> list[Job]:
    """Return the fat-tree with and without PABO."""
    return [
        fat_tree_job(scenario, seed, scheme=scheme)
        for scheme in SCHEME_NAMES
        for scenario in scenarios
        for seed in range(1, seeds + 1)
    ]


# The other reading, as in the authors' simulation: a frame is sent back according to the switch's table for its source.
BY_TABLE = {"back-by-route": "true"}
TABLE_SEEDS = {"quick": 1, "full": 20}


def table_jobs(scenarios: Sequence[str], size: str) -> list[Job]:
    """Return PABO in the fat-tree in that reading."""
    seeds = range(1, TABLE_SEEDS[size] + 1)
    return [fat_tree_job(scenario, seed, scheme="PABO", **BY_TABLE) for scenario in scenarios for seed in seeds]


def is_by_table(job: Job) -> bool:
    return BY_TABLE.items() <= job.options.items()


def columns(rows: Iterable[Mapping], name: str) -> dict[str, list[float]]:
    """Return a column of a comparison's rows: for each scheme, its values in the order of the scenarios."""
    found = {(row["scheme"], row["scenario"]): row[name] for row in rows}
    return {
        label: [found[scheme, scenario] for scenario in SCENARIOS] for scheme, label in SCHEME_NAMES.items()
    }


def severity(job: Job) -> str:
    return next(name for name, packets in SEVERITIES.items() if str(packets) == job.options["packets"])


def summary(folder: Path) -> dict[str, float]:
    return table(folder, "summary").set_index("name").value.astype(float).to_dict()


def sent_back(folder: Path) -> dict[str, int]:
    """Return the frames that each switch has sent back, by the paper's name."""
    return table(folder, "bounces").set_index("node").bounces.rename(paper_name).to_dict()


def lost(folder: Path) -> Counter[str]:
    """Return the frames lost at each node, by the paper's name. Nodes without losses are omitted."""
    drops = table(folder, "drops")
    return Counter(drops.frames.groupby(drops.node.map(paper_name)).sum().to_dict())


def delivered(folder: Path, column: str) -> Counter[int]:
    """Return the number of frames that arrived, by `max_distance` or `hops`."""
    return Counter(table(folder, "delivered").groupby(column).frames.sum().to_dict())


def paper_name(node: str) -> str:
    """Return the paper's name of a switch. The tree's s7 is S7; the fat-tree's cores are C1 to C4, followed by two edge
    and two aggregation switches for each pod.
    """
    kind, number = re.fullmatch(r"([a-z]+)(\d+)", node).groups()
    if kind == "core":
        return f"C{int(number) + 1}"
    if kind in ("edge", "agg"):
        pod, side = divmod(int(number), 2)
        return f"S{4 * pod + side + (1 if kind == 'edge' else 3)}"
    return node.upper()


def percent(part: float, whole: float) -> float:
    return 100 * part / whole if whole else 0.0


def ratio(part: float, whole: float) -> float:
    """Return a ratio. If both numbers are 0, it is not a number, which is in no band."""
    if whole:
        return part / whole
    return math.inf if part else math.nan


def as_stated(frames: Mapping[str, float], named: Collection[str], unseen: float = 0) -> int:
    """Return how many switches behave as the paper states: the named switches send frames back and no others do, up to
    a share of all frames.
    """
    most = unseen * sum(frames.values())
    return sum(count > 0 if switch in named else count <= most for switch, count in frames.items())


def average(records: Iterable[Mapping], by: Sequence[str], of: Sequence[str]) -> list[dict]:
    """Return the average over seeds: a row for each combination of `by`, with the mean and standard deviation of each
    of `of`.
    """
    rows = []
    for key, group in grouped(records, by).items():
        row = {**dict(zip(by, key)), "runs": len(group)}
        for name in of:
            values = [record[name] for record in group]
            row[name] = statistics.fmean(values)
            row[f"{name}_deviation"] = statistics.stdev(values) if len(values) > 1 else 0.0
        rows.append(row)
    return rows


def steps(values: Iterable[float]) -> list[float]:
    """Return the differences between consecutive values."""
    return [after - before for before, after in pairwise(values)]


def correlation(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Return Pearson's correlation, which is 1 on a rising straight line and -1 on a falling one; 0 if one of the
    variables is constant.
    """
    if len(set(xs)) < 2 or len(set(ys)) < 2:
        return 0.0
    return statistics.correlation(xs, ys)


def rank_correlation(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Return Spearman's correlation, which is 1 if ys rises throughout with xs and -1 if it falls; 0 if one of them is
    constant.
    """
    return correlation(ranks(xs), ranks(ys))


def ranks(values: Sequence[float]) -> list[float]:
    """Return ranks. Equal values share the mean of their ranks."""
    ordered = sorted(values)
    return [ordered.index(value) + (ordered.count(value) + 1) / 2 for value in values]
