# SPDX-License-Identifier: GPL-2.0-only
"""What the figures of the DSH paper share: its networks under load and completion times."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from figures import Job, dashed, make_job, table
from figures.seeds import grouped, spread

SCHEMES = ("SIH", "DSH")
# With what switches have that are for sale, between the two: the paper does not compare it.
WITH_POOL = ("SIH", "SHP", "DSH")
CONTROLS = ("DCQCN", "PowerTCP")  # congestion control

# (leaves, spines, hosts of a leaf), and k of the fat-tree: the full size has the paper's, the medium one its leaf-spine
# network; the smaller ones a quarter and about a twentieth of the hosts. The switches are the paper's at each, 16 MiB and
# headroom for 32 ports: round trips, bursts and ECN thresholds do not shrink with the number of ports either.
LEAF_SPINE = {"quick": (8, 8, 8), "medium": (16, 16, 16), "full": (16, 16, 16)}
FAT_TREE = {"quick": 6, "medium": 6, "full": 16}

# What "a random other class" means for the background (see doc/notebook/dsh.rst): as the paper prints it, or with fan-in
# and background in one class, as public generators of such traffic have it.
READINGS = {"apart": "classes as printed", "one": "one class"}


def leaf_spine(size: str) -> dict[str, int]:
    """Options of the leaf-spine network."""
    leaves, spines, hosts = LEAF_SPINE[size]
    return {"leaves": leaves, "spines": spines, "hosts-per-leaf": hosts}


def fat_tree(size: str) -> dict[str, int | str]:
    """Options of the fat-tree."""
    return {"topology": "fat-tree", "k": FAT_TREE[size]}


def count_hosts(options: Mapping[str, str]) -> int:
    """Of a job's network."""
    if "k" in options:
        return int(options["k"]) ** 3 // 4
    return int(options["leaves"]) * int(options["hosts-per-leaf"])


def load_job(network: Mapping[str, object], **options: object) -> Job:
    """A network under load, and the options of its traffic, with _ for -."""
    return make_job("leaf-spine-load", {**network, **dashed(options)})


def mean_fct_ms(folder: Path, *groups: str) -> float:
    """Over the flows of some groups that have arrived; not a number if there are none."""
    flows = table(folder, "flows")
    times = flows.fct_ns[flows.group.isin(groups)].dropna() / 1e6
    return statistics.fmean(times) if len(times) else math.nan


def unfinished(folder: Path) -> int:
    return int(table(folder, "flows").fct_ns.isna().sum())


def all_finished(points: Iterable[Mapping]) -> bool:
    """Whether means say something: those of the flows that arrived flatter a run in which others did not."""
    return not any(row["unfinished"] for row in points)


def ratios(records: Iterable[Mapping], by: Sequence[str], group: str) -> list[dict]:
    """A row for each combination of `by` and scheme but SIH: mean completion times of a group, in ms, by SIH's.

    `ratio` is the mean over the seeds, and has its range beside it: with the same seed the same flows start at the
    same instants under each scheme.
    """
    rows = []
    for key, found in grouped(records, by).items():
        runs = {(row["scheme"], row["seed"]): row for row in found}
        seeds = sorted({row["seed"] for row in found})
        for scheme in sorted({row["scheme"] for row in found} - {"SIH"}):
            pairs = [(runs["SIH", seed], runs[scheme, seed]) for seed in seeds]
            rows.append(
                {
                    **dict(zip(by, key)),
                    "group": group,
                    "scheme": scheme,
                    "hosts": found[0]["hosts"],
                    "runs": len(seeds),
                    "sih_ms": statistics.fmean(sih[group] for sih, _ in pairs),
                    "scheme_ms": statistics.fmean(other[group] for _, other in pairs),
                    **spread([other[group] / sih[group] for sih, other in pairs], "ratio"),
                    "unfinished": sum(sih["unfinished"] + other["unfinished"] for sih, other in pairs),
                }
            )
    return rows


def reduction_percent(factors: Iterable[float]) -> float:
    """The largest reduction among normalized times."""
    return 100 * (1 - min(factors))
