# SPDX-License-Identifier: GPL-2.0-only
"""Common parts of the DSH figures: the networks under load, and completion times."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from figures import Job, dashed, make_job, table
from figures.seeds import grouped, spread

SCHEMES = ("SIH", "DSH")
# With the scheme of commercial switches between the two, which the paper does not compare.
WITH_POOL = ("SIH", "SHP", "DSH")
CONTROLS = ("DCQCN", "PowerTCP")  # congestion control

# (leaves, spines, hosts per leaf), and k of the fat-tree. The full size is that of the paper, and the medium size has
# the paper's leaf-spine network; the smaller sizes have a quarter and about a twentieth of the hosts. At each size, the
# switches are those of the paper, with 16 MiB and headroom for 32 ports, because round trips, bursts and ECN thresholds
# do not shrink with the number of ports either.
LEAF_SPINE = {"quick": (8, 8, 8), "medium": (16, 16, 16), "full": (16, 16, 16)}
FAT_TREE = {"quick": 6, "medium": 6, "full": 16}

# The meaning of "a random other class" for the background (see doc/notebook/dsh.rst): as printed in the paper, or with
# fan-in and background in one class, as in public generators of such traffic.
READINGS = {"apart": "classes as printed", "one": "one class"}


def leaf_spine(size: str) -> dict[str, int]:
    """Return the options of the leaf-spine network."""
    leaves, spines, hosts = LEAF_SPINE[size]
    return {"leaves": leaves, "spines": spines, "hosts-per-leaf": hosts}


def fat_tree(size: str) -> dict[str, int | str]:
    """Return the options of the fat-tree."""
    return {"topology": "fat-tree", "k": FAT_TREE[size]}


def count_hosts(options: Mapping[str, str]) -> int:
    """Return the number of hosts in a job's network."""
    if "k" in options:
        return int(options["k"]) ** 3 // 4
    return int(options["leaves"]) * int(options["hosts-per-leaf"])


def load_job(network: Mapping[str, object], **options: object) -> Job:
    """Return a network under load, with the options of its traffic (with _ instead of -)."""
    return make_job("leaf-spine-load", {**network, **dashed(options)})


def mean_fct_ms(folder: Path, *groups: str) -> float:
    """Return the mean over the flows of some groups that have arrived; not a number if there are none."""
    flows = table(folder, "flows")
    times = flows.fct_ns[flows.group.isin(groups)].dropna() / 1e6
    return statistics.fmean(times) if len(times) else math.nan


def unfinished(folder: Path) -> int:
    return int(table(folder, "flows").fct_ns.isna().sum())


def all_finished(points: Iterable[Mapping]) -> bool:
    """Return whether the means are meaningful. If some flows did not arrive, the means over the others would be too
    favourable.
    """
    return not any(row["unfinished"] for row in points)


def ratios(records: Iterable[Mapping], by: Sequence[str], group: str) -> list[dict]:
    """Return a row for each combination of `by` and each scheme except SIH: the mean completion times of a group, in
    ms, relative to those under SIH.

    `ratio` is the mean over the seeds and is followed by its range. With the same seed, the same flows start at the
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
    """Return the largest reduction among normalized times."""
    return 100 * (1 - min(factors))
