# SPDX-License-Identifier: GPL-2.0-only
"""What the figures of the PABO paper share: simulations, result files, averages and trends.

By the standard library's statistics, whose sums are exact: those of pandas end in another digit in every tenth field
of the points. Its ranks are the same, and no shorter with what it takes to import it where they are needed.
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

# N of section V-B: a generation has one frame more.
SEVERITIES = {"mild": 500, "moderate": 1500, "severe": 2500}
MANY_TO_ONE = ("3-to-1", "6-to-1", "9-to-1", "12-to-1")
SCENARIOS = (*MANY_TO_ONE, "many-to-many")
SHORT_NAMES = ("3:1", "6:1", "9:1", "12:1", "m:m")  # of the scenarios
# Both columns of section VI's comparisons.
SCHEME_NAMES = {"PABO": "PABO", "DropTail": "TCP Reno"}
# In the programs' results the fat-tree's switches have ns-3's names; in the figures the paper's.
FAT_TREE_SWITCHES = (*(f"C{number}" for number in range(1, 5)), *(f"S{number}" for number in range(1, 17)))


# ns-3's own simulator, where events of one instant come in the order in which they were scheduled, as in OMNeT++, the
# paper's simulator: a frame that is sent back at once reaches its previous hop at the very end of that hop's gap.
ORDER = {"SimulatorImplementationType": "ns3::DefaultSimulatorImpl"}


def raw_job(severity: str, seed: int, **options: object) -> Job:
    """The tree of section V, with its queues, which are the program's defaults."""
    return make_job("pabo-tree", {"packets": SEVERITIES[severity], **options, **ORDER, "RngRun": seed})


def tcp_job(seed: int, **options: object) -> Job:
    """The tree of section IV, with its queues of 100 frames, unless they have no limit."""
    queues = {} if options.get("scheme") == "Infinite" else {"capacity": 100, "host-capacity": 100}
    return make_job("pabo-tree", {"traffic": "tcp", **queues, **options, "RngRun": seed})


def fat_tree_job(scenario: str, seed: int, **options: object) -> Job:
    """The fat-tree of section VI, with its queues, theta and lambda, which are the program's defaults."""
    return make_job("pabo-fat-tree", {"scenario": scenario, **options, **ORDER, "RngRun": seed})


def comparison_jobs(scenarios: Sequence[str], seeds: int) -> list[Job]:
    """The fat-tree with and without PABO."""
    return [
        fat_tree_job(scenario, seed, scheme=scheme)
        for scheme in SCHEME_NAMES
        for scenario in scenarios
        for seed in range(1, seeds + 1)
    ]


# The other reading, as in the authors' simulation: a frame goes back by the switch's table for its source.
BY_TABLE = {"back-by-route": "true"}
TABLE_SEEDS = {"quick": 1, "full": 20}


def table_jobs(scenarios: Sequence[str], size: str) -> list[Job]:
    """PABO in the fat-tree in that reading."""
    seeds = range(1, TABLE_SEEDS[size] + 1)
    return [fat_tree_job(scenario, seed, scheme="PABO", **BY_TABLE) for scenario in scenarios for seed in seeds]


def is_by_table(job: Job) -> bool:
    return BY_TABLE.items() <= job.options.items()


def columns(rows: Iterable[Mapping], name: str) -> dict[str, list[float]]:
    """A column of a comparison's rows: for each scheme's name its values in the order of the scenarios."""
    found = {(row["scheme"], row["scenario"]): row[name] for row in rows}
    return {
        label: [found[scheme, scenario] for scenario in SCENARIOS] for scheme, label in SCHEME_NAMES.items()
    }


def severity(job: Job) -> str:
    return next(name for name, packets in SEVERITIES.items() if str(packets) == job.options["packets"])


def summary(folder: Path) -> dict[str, float]:
    return table(folder, "summary").set_index("name").value.astype(float).to_dict()


def sent_back(folder: Path) -> dict[str, int]:
    """Frames that each switch has sent back, by the paper's name."""
    return table(folder, "bounces").set_index("node").bounces.rename(paper_name).to_dict()


def lost(folder: Path) -> Counter[str]:
    """Frames lost at each node, by the paper's name; nodes that lost none are not in it."""
    drops = table(folder, "drops")
    return Counter(drops.frames.groupby(drops.node.map(paper_name)).sum().to_dict())


def delivered(folder: Path, column: str) -> Counter[int]:
    """Frames that arrived, by `max_distance` or `hops`."""
    return Counter(table(folder, "delivered").groupby(column).frames.sum().to_dict())


def paper_name(node: str) -> str:
    """The tree's s7 is S7; the fat-tree's cores are C1 to C4, then each pod has two edge and two aggregation
    switches.
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
    """Not a number, which is in no band, if both are 0."""
    if whole:
        return part / whole
    return math.inf if part else math.nan


def as_stated(frames: Mapping[str, float], named: Collection[str], unseen: float = 0) -> int:
    """How many switches do as the paper says: those named send frames back and no other does, up to a share of all frames."""
    most = unseen * sum(frames.values())
    return sum(count > 0 if switch in named else count <= most for switch, count in frames.items())


def average(records: Iterable[Mapping], by: Sequence[str], of: Sequence[str]) -> list[dict]:
    """Over the seeds: a row for each combination of `by`, with mean and standard deviation of each of `of`."""
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
    """From each value to the next."""
    return [after - before for before, after in pairwise(values)]


def correlation(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Pearson's: 1 on a rising straight line, -1 on a falling one; 0 if one of them is constant."""
    if len(set(xs)) < 2 or len(set(ys)) < 2:
        return 0.0
    return statistics.correlation(xs, ys)


def rank_correlation(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Spearman's: 1 if ys rises throughout with xs, -1 if it falls; 0 if one of them is constant."""
    return correlation(ranks(xs), ranks(ys))


def ranks(values: Sequence[float]) -> list[float]:
    """Equal values share the mean of their ranks."""
    ordered = sorted(values)
    return [ordered.index(value) + (ordered.count(value) + 1) / 2 for value in values]
