# SPDX-License-Identifier: GPL-2.0-only
"""Common parts of the OFC figures: the line of switches, and the schemes that are compared."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping
from pathlib import Path

from typing import TYPE_CHECKING

from figures import Job, dashed, info, make_job, table
from figures.seeds import grouped, spread

if TYPE_CHECKING:
    from pandas import DataFrame, Series

# The options for each scheme of the paper. G-PFC distinguishes bursts from long flows and serves its high class first,
# because its own paper promises a low queuing delay for that class (Cui and Rim, APNOMS 2020, abstract), and NetBench's
# ports with priorities are strict.
STRICT = {"ns3::lossless::DwrrScheduler::StrictClasses": str(1 << 1 | 1 << 7)}  # class 7 is that of control frames
# The lower level of G-PFC is the only level that the paper prints in addition to XOFF and XON (section IV-A).
LOW_XOFF = {"ns3::lossless::GpfcFlowControl::LowXoff": "68000"}
COMPARED: Mapping[str, Mapping[str, object]] = {
    "PFC": {"scheme": "PFC", "buffer-policy": "Static"},
    "CaPFC": {"scheme": "CaPFC-Both"},
    "P-PFC": {"scheme": "P-PFC-Both"},
    "GFC": {"scheme": "GFC"},
    "G-PFC": {"scheme": "G-PFC", "burst-class": 1, **STRICT, **LOW_XOFF},
    "OFC": {"scheme": "OFC"},
}
# Other readings. An ingress queue is as long as the egress queues in which it has frames. Section III-A prints this,
# but it would stop all flows of Fig. 1 because of the bursts (O4 in doc/notebook/ofc.rst). The baselines then use the
# same reading, because the paper's simulator, NetBench, has no ingress queues. A further reading takes CaPFC and P-PFC
# from their own papers.
WHOLE_QUEUES = {"whole-egress-queues": "true"}
WHOLE = {name: f"{name}, whole egress queues" for name in COMPARED}
OWN_PAPERS = {"CaPFC": "CaPFC, own paper", "P-PFC": "P-PFC, own paper"}
CHOSEN: Mapping[str, Mapping[str, object]] = {
    **COMPARED,
    **{WHOLE[name]: {**chosen, **WHOLE_QUEUES} for name, chosen in COMPARED.items()},
    OWN_PAPERS["CaPFC"]: {"scheme": "CaPFC-Static"},
    OWN_PAPERS["P-PFC"]: {"scheme": "P-PFC"},
}
BASELINES = tuple(name for name in COMPARED if name != "OFC")
SCHEMES = ("PFC", "OFC")  # of Fig. 2 and the tables
GROUPS = ("all", "uncongested", "congested")

# The incast. Section II-C1 has two long flows among eight, the uncongested one and a congested one, for "20 %
# long-lived", so there is one of each, from the other rack, at any ratio. The burst size is not given and was
# calibrated on one number of Fig. 4, the largest gain at 4:1, with equal shares of G-PFC's classes.
RATIOS = (4, 6, 8, 10)
BURST_BYTES = 578000
RACK = 32
ROUNDS = {"quick": 100, "full": 400}
FRAME, PAYLOAD, LINK_GBPS = 1500, 1418, 40  # in bytes, a full frame on the wire and its data

# The circle. The paper has deadlocks with each number of flows and under each scheme, which requires flows of a certain
# size: with 23 kB, no run with 240 flows deadlocks. 40 kB is the only larger size that was tried.
CIRCLE_BYTES = 40000
CIRCLE_RUNS = {"quick": 300, "full": 1000}


def line_job(scheme: str, **options: object) -> Job:
    """Return the line of switches in the state of section II-C. Options (with _ instead of -) are given only if they
    differ.
    """
    return make_job("ofc-line", {**CHOSEN[scheme], **dashed(options)})


def scheme_of(job: Job) -> str:
    """Return the options of a scheme in a reading."""

    def reading(options: Mapping[str, object]) -> list:
        return [options.get(name) for name in ("scheme", *WHOLE_QUEUES)]

    return next(name for name, chosen in CHOSEN.items() if reading(chosen) == reading(job.options))


def fct_times(folder: Path, groups: Iterable[str] = GROUPS) -> dict[str, list[float]]:
    """Return the completion times in ms, by group of flows, sorted. All flows must have arrived."""
    flows = table(folder, "flows")
    times = flows.fct_ns.astype(int) / 1e6
    return {group: sorted(times if group == "all" else times[flows.group == group]) for group in groups}


def group_times(folder: Path) -> dict[str, float]:
    """Return times in ms by group of flows, from the start of the first flow to the end of the last flow of a round,
    averaged over the rounds.
    """
    flows = table(folder, "flows")
    rounds = table(folder, "rounds").start_ns
    flows["round"] = rounds.searchsorted(flows.start_ns, side="right")
    flows["end_ns"] = flows.start_ns + flows.fct_ns.astype(int)

    def mean(rows: DataFrame) -> float:
        of_rounds = rows.groupby("round")
        return (of_rounds.end_ns.max() - of_rounds.start_ns.min()).mean() / 1e6

    return {group: mean(flows if group == "all" else flows[flows.group == group]) for group in GROUPS}


def incast_jobs(size: str, schemes: Iterable[str] = COMPARED) -> list[Job]:
    """Return the schemes and all ratios in the dumbbell of section IV-C."""
    return [
        line_job(
            scheme,
            switches=2,
            rack=RACK,
            bursts=ratio - 1,
            burst_bytes=BURST_BYTES,
            burst_window="30us",
            rounds=ROUNDS[size],
        )
        for ratio in RATIOS
        for scheme in schemes
    ]


def deadlock_job(size: str, scheme: str, flows: int) -> Job:
    """Return runs on the circle of paths of section IV-C3. The flows of G-PFC alternate between two classes."""
    chosen = {**CHOSEN[scheme]}
    if chosen.pop("burst-class", 0):
        chosen["classes"] = 2
    options = {**chosen, "flows": flows, "bytes": CIRCLE_BYTES, "runs": CIRCLE_RUNS[size]}
    return make_job("ofc-deadlock", options)


def locked_percent(folder: Path) -> float:
    """Return the percentage of runs on the circle that deadlocked."""
    return 100 * statistics.fmean(table(folder, "runs").deadlock)


def ratio_of(job: Job) -> int:
    """Return the number of senders to the congested port: a long flow and the bursts."""
    return 1 + int(job.options["bursts"])


def box(times: list[float]) -> dict[str, float]:
    """Return a box as in the paper, and the mean, of at least two sorted completion times."""
    low, middle, high = statistics.quantiles(times, n=4, method="inclusive")
    return {
        "least_ms": times[0],
        "p25_ms": low,
        "median_ms": middle,
        "p75_ms": high,
        "largest_ms": times[-1],
        "mean_ms": statistics.fmean(times),
    }


def port_queues(folder: Path) -> Series:
    """Return the mean length, in kB, of the egress queues of each port, by switch and port."""
    return table(folder, "queue-means").set_index(["node", "port"]).mean_bytes / 1e3


def mean_queues(job: Job, folder: Path) -> dict[str, dict[str, float]]:
    """Return the mean lengths, in kB, of the egress queues through which flows pass, while flows are active, for each
    kind of port.

    Each port counts once per kind; the port of a sender includes its waiting frames. F0 and F1 are the uncongested and
    the congested flow. Ports through which only bursts pass are ports of all flows (section IV-C1: "since all flows
    include burst flows"). Hosts are on the first ports of their switch, in this order: hosts of bursts, F0's receiver,
    F1's receiver.

    `wire_kb` is the other reading: the ports of senders contain only the frame on the wire, and bursts are congested
    flows.
    """
    receiver = int(job.options["bursts"])
    rounds = table(folder, "rounds")
    last = rounds.iloc[-1]
    total, busy = last.start_ns + last.length_ns, rounds.length_ns.sum()
    lengths = (port_queues(folder) * total / busy).to_dict()
    trunk = [lengths["s0", RACK]]
    receivers = {"uncongested": [lengths["s1", receiver]], "congested": [lengths["s1", receiver + 1]]}
    senders = {group: [lengths[f"h{host}", 0]] for host, group in enumerate(receivers)}
    bursts = [lengths[f"h{RACK + host}", 0] for host in range(receiver)]
    sent = table(folder, "flows").groupby(["group", "source"]).bytes.sum()
    on_wire_ns = sent * FRAME / PAYLOAD * 8 / LINK_GBPS
    frames = {group: list(on_wire_ns[group] / busy * FRAME / 1e3) for group in receivers}

    def means(senders: Mapping[str, list[float]], others: list[float]) -> dict[str, float]:
        ports = {group: senders[group] + trunk + receivers[group] for group in receivers}
        every = trunk + sum(receivers.values(), []) + sum(senders.values(), []) + others
        return {"all": statistics.fmean(every), **{group: statistics.fmean(found) for group, found in ports.items()}}

    waiting, on_wire = means(senders, bursts), means(frames, [])
    return {group: {"mean_kb": waiting[group], "wire_kb": on_wire[group]} for group in waiting}


def over_window(rows: list[dict]) -> list[dict]:
    """Return the results with each mean length taken over the same time window, which is the longest run.

    A run of NetBench, the paper's simulator, has a fixed length (run_time_s), whereas ours end with their last flow.
    Otherwise, the queues of a scheme whose flows end first would be averaged over less time.
    """
    window = max(row["busy_ms"] for row in rows)
    return [{**row, "window_kb": row["mean_kb"] * row["busy_ms"] / window} for row in rows]


def reductions(
    rows: Iterable[Mapping],
    ratio: int,
    groups: Iterable[str],
    name: str,
    ofc: str = "OFC",
    baselines: Iterable[str] = BASELINES,
) -> list[float]:
    """Return the percentage by which OFC, or another reading of it, is below each baseline in each of the groups."""
    values = {(row["scheme"], row["group"]): row[name] for row in rows if row["ratio"] == ratio}
    return [
        100 * (1 - values[ofc, group] / values[scheme, group])
        for group in groups
        for scheme in baselines
    ]


def up_to(rows: Iterable[Mapping], ratio: int, name: str) -> list[float]:
    """Return the largest reduction of each group. The text "by up to" (section IV-C) has such a number for each end of
    its range.
    """
    return [max(reductions(rows, ratio, [group], name)) for group in GROUPS]


def share_percent(holds: Iterable[bool]) -> float:
    """Return the percentage of cases in which the statement holds."""
    found = [*holds]
    return 100 * sum(found) / len(found) if found else math.nan


# The fat-tree of section IV-C2.
TABLES = {"EDU1": "edu1-synthetic", "EDU2": "edu2-synthetic"}
TREE_SEEDS = {"quick": 3, "full": 10}


def tree_job(scheme: str, seed: int, sizes: str = "EDU1", **options: object) -> Job:
    """Return a simulation of the fat-tree. Short flows of G-PFC have a separate class. Options (with _ instead of -) are
    given only if they differ.
    """
    chosen = {**COMPARED[scheme]}
    if chosen.pop("burst-class", 0):
        chosen["short-class"] = 1
    return make_job("ofc-fat-tree", {**chosen, "sizes": TABLES[sizes], **dashed(options), "RngRun": seed})


def tree_jobs(size: str) -> list[Job]:
    """Return all schemes and tables."""
    return [
        tree_job(scheme, seed, sizes)
        for sizes in TABLES
        for scheme in COMPARED
        for seed in range(1, TREE_SEEDS[size] + 1)
    ]


def sizes_of(job: Job) -> str:
    return next(name for name, sizes in TABLES.items() if sizes == job.options["sizes"])


def layer_queues(folder: Path) -> dict[str, float]:
    """Return the mean length, in kB, of an egress port's queues: over all ports, including the waiting frames of
    senders; over switches; and over two layers.
    """
    lengths: dict[str, list[float]] = {"all": [], "switches": [], "core": [], "aggregation": []}
    for (node, _), kilobytes in port_queues(folder).items():
        layer = {"core": ["switches", "core"], "agg": ["switches", "aggregation"], "edge": ["switches"]}
        for group in ("all", *layer.get(node.rstrip("0123456789"), [])):
            lengths[group].append(kilobytes)
    return {group: statistics.fmean(values) for group, values in lengths.items()}


def tree_queues(job: Job, folder: Path) -> list[dict]:
    """Return a row for each group of ports: the mean length of their queues, and the length of the run for which it
    applies.
    """
    busy_ms = info(folder)["simulated_ns"] / 1e6
    which = {"scheme": scheme_of(job), "busy_ms": busy_ms}
    return [{**which, "group": group, "mean_kb": length} for group, length in layer_queues(folder).items()]


def over_seeds(records: Iterable[Mapping], by: tuple[str, ...], of: tuple[str, ...]) -> list[dict]:
    """Return means over the seeds, and the range of the first mean."""
    return [
        {
            **dict(zip(by, key)),
            **{name: statistics.fmean(record[name] for record in found) for name in of},
            **spread([record[of[0]] for record in found], of[0]),
            "runs": len(found),
        }
        for key, found in grouped(records, by).items()
    ]
