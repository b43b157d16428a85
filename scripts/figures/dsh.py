# SPDX-License-Identifier: GPL-2.0-only
"""What the figures of the DSH paper share: its network under load, at two sizes, and completion times."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping
from pathlib import Path

from figures import Job, make_job, table

SCHEMES = ("SIH", "DSH")
CONTROLS = ("DCQCN", "PowerTCP")  # congestion control

# The paper's switch has 16 MiB for 32 ports: here each port in use brings its part, so that a smaller switch
# has the same shared buffer and the same headroom per port.
BUFFER_PER_PORT = 16 * 2**20 // 32
# (leaves, spines, hosts of a leaf), and k of the fat-tree: the quick size is a quarter and about a twentieth of
# the paper's hosts.
LEAF_SPINE = {"quick": (8, 8, 8), "full": (16, 16, 16)}
FAT_TREE = {"quick": 6, "full": 16}


def leaf_spine(size: str) -> dict[str, int]:
    """Options of the leaf-spine network."""
    leaves, spines, hosts = LEAF_SPINE[size]
    ports = {leaves, spines + hosts}  # of a spine and of a leaf
    return {
        "leaves": leaves,
        "spines": spines,
        "hosts-per-leaf": hosts,
        "buffer": max(ports) * BUFFER_PER_PORT,
    }


def fat_tree(size: str) -> dict[str, int | str]:
    """Options of the fat-tree."""
    return {"topology": "fat-tree", "k": FAT_TREE[size], "buffer": FAT_TREE[size] * BUFFER_PER_PORT}


def count_hosts(options: Mapping[str, str]) -> int:
    """Of a job's network."""
    if "k" in options:
        return int(options["k"]) ** 3 // 4
    return int(options["leaves"]) * int(options["hosts-per-leaf"])


def load_job(network: Mapping[str, object], **options: object) -> Job:
    """A network under load, and the options of its traffic, with _ for -."""
    named = {name.replace("_", "-"): value for name, value in options.items()}
    return make_job("leaf-spine-load", {**network, **named})


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


def reduction_percent(ratios: Iterable[float]) -> float:
    """The largest reduction among normalized times."""
    return 100 * (1 - min(ratios))
