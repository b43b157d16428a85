# SPDX-License-Identifier: GPL-2.0-only
"""Common parts of the FAFC figures: the dumbbell, the data center, and slowdowns by flow size."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from figures import Job, arrived_flows, dashed, make_job
from figures.seeds import grouped, spread
from figures.style import SCHEMES as STYLES
from figures.style import range_errors

if TYPE_CHECKING:
    from pandas import DataFrame

# The dumbbell, with the options for each of the paper's rows. The last row is not in the paper.
STATIC = {"scheme": "PFC", "buffer-policy": "Static"}
COMPARED: Mapping[str, Mapping[str, object]] = {
    "inf-BUF": {"scheme": "Infinite", "egress-queue": "Fair"},
    "PFC": STATIC,
    "FAFC": {"scheme": "FAFC"},
    "PFC, fair": {**STATIC, "egress-queue": "Fair"},
}
JITTER = "1us"  # of the bursts: if all started at the same instant, randomness would have no effect
SEEDS = {"quick": 20, "full": 100}
GROUPS = ("all", "incast", "large")
LINK = 18  # port from SW2 to SW1, after those of 18 hosts; the paper's P12
RECEIVERS = (16, 17)  # ports from SW2 to HC1 and HC2; the paper's P5 and P6

# The constants of the simulator from which the paper's modules are adapted (section IV).
CONSTANTS = {"congestion-control-constants": "hpcc-simulator"}

# The data center.
TRIGGERS = (250, 350)  # in kB
ECN = {250: 150000, 350: 200000}  # in bytes, by trigger
MARKED = ("DCQCN", "DCTCP")  # congestion controls for which switches other than FAFC's mark
SERIES: Mapping[str, Mapping[str, object]] = {
    "PFC": STATIC,
    "PFC, fair": {**STATIC, "egress-queue": "Fair"},
    "FAFC": {"scheme": "FAFC"},
}
# The other reading, with the higher trigger only. The trigger is the length of an egress queue, XOFF is that of an
# ingress queue, and section IV-A pairs 350 kB of the former with 50 kB of the latter.
SEVENTH_XOFF = "PFC, XOFF = trigger / 7"
INGRESS_SHARE = 7
CENTER_SEEDS = {"quick": 3, "full": 5}
ARRIVALS = {
    "hadoop": {"quick": "10ms", "full": "20ms"},
    "grpc": {"quick": "4ms", "full": "10ms"},
}
MEASURES = ("mean", "p95")
BINS = 20  # each with the same number of flows
SMALL = 30000  # in bytes; flows below this bandwidth-delay product are small
# "Other flows" of GRPC, beyond the peak at size zero: by size, or by position among all flows.
OTHER_BYTES = 1000
OTHER_PLACE = 0.1
FOLLOWED = ("small", "other", "rest")
# Measures of flows: the slowdown according to the authors' definition; according to ours; relative to the time of the
# bytes alone, in which a short flow has a slowdown because of its round trip; and of flows that start in the second
# half of the arrivals, when incasts overlap as they do afterwards.
KINDS = (*FOLLOWED, "large", *(f"{name}, {how}" for how in ("one way", "by bytes", "later half") for name in FOLLOWED))
# As in the HPCC simulator, in bytes and bytes per nanosecond: the payload and headers of a packet without telemetry, an
# acknowledgement, a link to a host, and a link between switches.
PAYLOAD, HEADERS, ACK = 1000, 48, 64
HOST_RATE, CORE_RATE = 25 / 8, 100 / 8
HOSTS_PER_LEAF = 24
WINDOW_BY_RATE = "ns3::lossless::RateWindowCongestionControl::WindowRtt"


def name_of(job: Job, named: Mapping[str, Mapping[str, object]]) -> str:
    """Return the name that selects the switches, whatever their levels are."""

    def switches(options: Mapping[str, object]) -> list:
        return [options.get(key) for key in ("scheme", "buffer-policy", "egress-queue")]

    return next(name for name, options in named.items() if switches(options) == switches(job.options))


def dumbbell_job(name: str, seed: int, **options: object) -> Job:
    """Return the dumbbell under one of the compared schemes. Options (with _ instead of -) are given only if they
    differ.
    """
    return make_job("fafc-dumbbell", {**COMPARED[name], **CONSTANTS, "burst-jitter": JITTER, **dashed(options), "RngRun": seed})


def dumbbell_jobs(size: str, names: Iterable[str] = COMPARED) -> list[Job]:
    """Return the dumbbells with seeds, sampled for results over time."""
    return [
        dumbbell_job(name, seed, sample="2us") for name in names for seed in range(1, SEEDS[size] + 1)
    ]


def slowdowns(folder: Path, groups: Iterable[str]) -> dict[str, list[tuple[int, float]]]:
    """Return, by group, the size and slowdown of each flow, with an additional group "all"."""
    flows = arrived_flows(folder).astype({"slowdown": float})
    chosen = {group: flows if group == "all" else flows[flows.group == group] for group in groups}
    return {group: [*zip(rows.bytes, rows.slowdown)] for group, rows in chosen.items()}


def center_job(series: str, control: str, sizes: str, arrivals: str, trigger: int, seed: int, **options: object) -> Job:
    """Return the data center. The trigger is in kB, and further options are given by name."""
    share = INGRESS_SHARE if series == SEVENTH_XOFF else 1
    return make_job(
        "fafc-leaf-spine",
        {
            **SERIES["PFC" if series == SEVENTH_XOFF else series],
            "congestion-control": control,
            **CONSTANTS,
            "sizes": sizes,
            "arrivals": arrivals,
            "trigger": trigger * 1000,
            **({} if series == "FAFC" else {"xoff": trigger * 1000 // share}),
            **({"ecn": ECN[trigger]} if series == "FAFC" or control in MARKED else {}),
            **options,
            "RngRun": seed,
        },
    )


def center_jobs(
    size: str, control: str, sizes: str, series: Iterable[str] = SERIES, triggers: Iterable[int] = TRIGGERS, **options: object
) -> list[Job]:
    """Return all schemes, triggers and seeds, with further options."""
    return [
        center_job(name, control, sizes, ARRIVALS[sizes][size], trigger, seed, **options)
        for name in series
        for trigger in triggers
        for seed in range(1, CENTER_SEEDS[size] + 1)
    ]


def seventh_xoff_jobs(size: str, control: str, sizes: str) -> list[Job]:
    return center_jobs(size, control, sizes, [SEVENTH_XOFF], TRIGGERS[1:])


def series_of(job: Job) -> str:
    if job.options.get("xoff", job.options["trigger"]) != job.options["trigger"]:
        return SEVENTH_XOFF
    return name_of(job, SERIES)


def read_center(job: Job, folder: Path) -> dict:
    """Return the slowdowns of the background, by size and by definition."""
    # Sorted by size only. If flows of the same size were sorted, the edge of a bin would separate fast flows from slow
    # ones.
    flows = background(folder).sort_values("bytes", kind="stable")
    late = flows[flows.start_ns >= flows.start_ns.max() / 2]
    authors, late_ones = ([*zip(rows.bytes, rows.by_acknowledgement)] for rows in (flows, late))
    own, by_bytes = ([*zip(flows.bytes, flows[column])] for column in ("slowdown", "by_bytes"))
    return {
        "series": series_of(job),
        "trigger": int(job.options["trigger"]) // 1000,
        "window": next((job.options[name] for name in ("window", WINDOW_BY_RATE) if name in job.options), ""),
        "seed": int(job.options["RngRun"]),
        **kinds(authors),
        "large": measures([slowdown for size, slowdown in authors if size >= SMALL]),
        **{f"{name}, one way": measure for name, measure in kinds(own).items()},
        **{f"{name}, by bytes": measure for name, measure in kinds(by_bytes).items()},
        **{f"{name}, later half": measure for name, measure in kinds(late_ones).items()},
        "bins": [
            {
                "flow_bytes": authors[start][0],
                **measures([slowdown for _, slowdown in authors[start:end]]),
                "mean_by_bytes": statistics.fmean(slowdown for _, slowdown in by_bytes[start:end]),
            }
            for start, end in pairwise(len(flows) * number // BINS for number in range(BINS + 1))
        ],
    }


def background(folder: Path) -> DataFrame:
    """Return the flows of the background, with our `slowdown`, with `by_acknowledgement` as in HPCC's simulator, and
    with `by_bytes`.

    In HPCC's simulator, a flow lasts until its last acknowledgement has returned. Its ideal duration is the round trip
    of a full packet plus the time of its bytes, including headers, on the host's link; analysis/fct_analysis.py uses a
    slowdown of at least 1. `by_bytes` is the same duration divided by the time of the bytes alone. It is assumed that
    the acknowledgement meets no queue: no frame waits ahead of it at its host, and it uses only a thousandth of a link
    that it shares.
    """
    flows = arrived_flows(folder)
    flows = flows[flows.group == "background"].astype({"slowdown": float, "fct_ns": float})
    ends = [flows[side].str[1:].astype(int) // HOSTS_PER_LEAF for side in ("source", "destination")]
    core = 2 * (ends[0] != ends[1])  # number of links between switches that the flow crosses
    packets = (flows.bytes - 1) // PAYLOAD + 1
    back = 1000 * (2 + core) + 2 * ACK / HOST_RATE + core * ACK / CORE_RATE
    round_trip = 2000 * (2 + core) + 2 * PAYLOAD / HOST_RATE + core * PAYLOAD / CORE_RATE
    of_bytes = (flows.bytes + packets * HEADERS) / HOST_RATE
    acknowledged = flows.fct_ns + back
    return flows.assign(
        by_acknowledgement=(acknowledged / (round_trip + of_bytes)).clip(lower=1), by_bytes=acknowledged / of_bytes
    )


def kinds(flows: Iterable[tuple[int, float]]) -> dict[str, dict[str, float]]:
    """Return the measures of each kind of flows, from sizes and slowdowns in the order of sizes."""
    flows = [*flows]
    chosen = {
        "small": [slowdown for size, slowdown in flows if size < SMALL],
        "other": [slowdown for size, slowdown in flows if size >= OTHER_BYTES],
        "rest": [slowdown for _, slowdown in flows[round(OTHER_PLACE * len(flows)) :]],
    }
    return {name: measures(values) for name, values in chosen.items()}


def measures(values: Iterable[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {"mean": statistics.fmean(ordered), "p95": ordered[round(0.95 * (len(ordered) - 1))]}


def reduce_center(records: Iterable[Mapping]) -> dict[str, list[dict]]:
    """Return `bins`, with a row for each series, trigger and share of the flows, and `kinds`, with a row for each kind
    of flows, both over seeds.
    """
    bins, rows_of_kinds = [], []
    for (series, trigger), found in grouped(records, ("series", "trigger")).items():
        which = {"series": series, "trigger": trigger}
        for number in range(BINS):
            rows = [record["bins"][number] for record in found]
            bins.append(
                {
                    **which,
                    "flows_percent": 100 * (number + 0.5) / BINS,
                    "flow_bytes": statistics.fmean(row["flow_bytes"] for row in rows),
                    **merged(rows),
                    "mean_by_bytes": statistics.fmean(row["mean_by_bytes"] for row in rows),
                }
            )
        for kind in KINDS:
            rows_of_kinds.append({**which, "kind": kind, **merged([record[kind] for record in found])})
    return {"bins": bins, "kinds": rows_of_kinds}


def merged(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return each measure over seeds."""
    return {
        key: value
        for measure in MEASURES
        for key, value in spread([row[measure] for row in rows], measure).items()
    }


def reduction_percent(data: Mapping[str, list[dict]], kind: str, measure: str, trigger: int, than: str = "PFC") -> float:
    """Return the percentage by which FAFC is below PFC or the other scheme."""
    values = {(row["series"], row["trigger"], row["kind"]): row[measure] for row in data["kinds"]}
    return 100 * (1 - values["FAFC", trigger, kind] / values[than, trigger, kind])


def lowering_percent(data: Mapping[str, list[dict]], series: str, kind: str, measure: str) -> float:
    """Return the percentage by which slowdowns are higher with the lower trigger."""
    low, high = (
        next(
            row[measure]
            for row in data["kinds"]
            if (row["series"], row["trigger"], row["kind"]) == (series, trigger, kind)
        )
        for trigger in TRIGGERS
    )
    return 100 * (low / high - 1)


def draw_center(axes, data: Mapping[str, list[dict]], letters: str = "ab", what: str = "") -> None:
    """Draw against the flow size, in bins with the same number of flows, as in the paper."""
    curves = sorted({(row["series"], row["trigger"]) for row in data["bins"]})
    for ax, measure, letter in zip(axes, MEASURES, letters):
        for series, trigger in curves:
            rows = [row for row in data["bins"] if (row["series"], row["trigger"]) == (series, trigger)]
            shares = [row["flows_percent"] for row in rows]
            look = {**STYLES[series], "linestyle": "--" if trigger == TRIGGERS[0] else "-"}
            values = [row[measure] for row in rows]
            label = f"{series}, {trigger} kB"
            ax.errorbar(shares, values, yerr=range_errors(rows, measure), elinewidth=0.6, label=label, **look)
        marks = [row for row in data["bins"] if (row["series"], row["trigger"]) == curves[0]][::4]
        ax.set_xticks([row["flows_percent"] for row in marks], [f"{row['flow_bytes']:.3g}" for row in marks])
        ax.set_yscale("log")
        low, high = ax.get_ylim()
        ticks = [step * 10**power for power in range(4) for step in (1, 1.2, 1.5, 2, 3, 5)]
        ticks = [tick for tick in ticks if low <= tick <= high]
        ax.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
        ax.minorticks_off()
        kind = "mean" if measure == "mean" else "95th percentile"
        ax.set(title=f"({letter}) {kind}{', ' if what else ''}{what}")
        ax.legend(fontsize="x-small")
