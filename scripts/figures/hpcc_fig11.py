# SPDX-License-Identifier: GPL-2.0-only
"""HPCC Fig. 11: slowdown against flow size under load and incasts, for six congestion controls.

The network, traffic and constants are those of the authors' public simulator (fat.txt, run.py, traffic_gen.py and
fct_analysis.py in it) and of its maintainers' statements about the figure. doc/notebook/congestion-control.rst lists
each gap.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from figures import Job, info, table
from figures.seeds import grouped, spread
from figures.style import CONTROLS as STYLES
from figures.style import range_errors

TITLE = "HPCC Fig. 11: FCT slowdown by flow size at 30 % load with incasts, HPCC, DCTCP, DCQCN and TIMELY"
MINUTES = {"quick": 3, "full": 100}
PANELS = (2, 4)
LABELS = (
    *(("flow size (bytes), in steps of equally many flows", "FCT slowdown"),) * 3,
    ("", "ports' time in PAUSE (%)"),
) * 2

WORKLOADS = {"websearch": "web search", "hadoop": "Hadoop"}
SEEDS = (1, 2, 3)
# The paper's network, and one with 64 hosts. In the latter, switches have half the ports and incasts have half the
# senders, so that each uplink carries the same amount of an incast. The buffer, which single queues use, is that of the
# paper.
SCALES: Mapping[str, Mapping[str, object]] = {
    "quick": {"k": 4, "pods": 4, "incast-senders": 30, "arrivals": "5ms"},
    "full": {"k": 8, "pods": 5, "incast-senders": 60, "arrivals": "20ms"},
}
# The loads of the public generator refer to payload, which is 1000 of 1082 bytes on the wire.
WIRE = 1.082
SHARED: Mapping[str, object] = {
    "topology": "fat-tree",
    "oversubscription": 4,  # in hosts; each uplink is four times as fast
    "rate": "100Gbps",
    "fabric-rate": "400Gbps",
    "delay": "1us",
    "buffer": 32 << 20,
    "load": round(0.30 * WIRE, 6),
    "incast-load": round(0.02 * WIRE, 6),
    "incast-bytes": 500000,
    "classes": 3,
    "ns3::lossless::SwitchNode::LosslessClasses": 1 << 3,
    "ns3::lossless::SihBufferPolicy::Alpha": 1 / 8,
}
# Thresholds are proportional to the rate of a port, and frames are marked when they leave.
MARKS = {"ns3::lossless::EcnMarker::ReferenceRate": "100Gbps", "ns3::lossless::EcnMarker::MarkOnDequeue": "true"}
WINDOW = {"ns3::lossless::RateWindowCongestionControl::WindowRtt": "13us"}
DCQCN = {"congestion-control": "DCQCN", "ns3::lossless::Dcqcn::FastRecoverySteps": 1, **MARKS}
TIMELY = {"congestion-control": "TIMELY"}
CONTROLS: Mapping[str, Mapping[str, object]] = {
    "HPCC": {"congestion-control": "HPCC", "ns3::lossless::Hpcc::MaxStage": 0},
    "DCTCP": {"congestion-control": "DCTCP", "ns3::lossless::StepMarker::Threshold": 300000, **MARKS},
    "DCQCN+win": {**DCQCN, **WINDOW},
    "TIMELY+win": {**TIMELY, **WINDOW},
    "DCQCN": DCQCN,
    "TIMELY": TIMELY,
}

PERCENTILES = {"p50": 0.50, "p95": 0.95, "p99": 0.99}
BINS = 10  # each with the same number of flows; the paper's axis has this number of labels
PANEL_TITLES = {"p50": "median", "p95": "95th percentile", "p99": "99th percentile"}
KINDS = ("short", "long")
SHORT = 200000  # in bytes; according to the authors, HPCC helps flows below this size


def jobs(size: str) -> list[Job]:
    return [
        Job(
            f"{sizes}-{control.replace('+', '-')}-{seed}",
            "lossless-run",
            as_text({**SHARED, **SCALES[size], **options, "sizes": sizes, "RngRun": seed}),
        )
        for sizes in WORKLOADS
        for control, options in CONTROLS.items()
        for seed in SEEDS
    ]


def as_text(options: Mapping[str, object]) -> dict[str, str]:
    return {name: str(value) for name, value in options.items()}


def read(job: Job, folder: Path) -> dict:
    """Return the size, slowdown and completion time of each flow of the background. The incasts are only a disturbance.
    """
    control = job.name.removeprefix(f"{job.options['sizes']}-").rpartition("-")[0]
    flows = table(folder, "flows").query("group == 'background'")
    arrived = flows.dropna(subset=["slowdown"])
    ports = 2 * int(job.options["pods"]) * int(job.options["k"]) ** 2  # of switches; half of them lead to hosts
    return {
        "sizes": job.options["sizes"],
        "control": control.replace("-", "+"),
        "unfinished": len(flows) - len(arrived),
        "flows": [*zip(arrived.bytes, arrived.slowdown.astype(float), arrived.fct_ns / 1e6)],
        "paused_percent": 100 * table(folder, "pauses").paused_ns.sum() / (ports * info(folder)["simulated_ns"]),
    }


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    """Combine all seeds, with their range: `bins` by size, `kinds` for short and long flows, and `runs` by control."""
    data: dict[str, list[dict]] = {"bins": [], "kinds": [], "seeds": [], "runs": []}
    for (sizes, control), found in grouped(records, ("sizes", "control")).items():
        which = {"sizes": sizes, "control": control}
        seeds = [record["flows"] for record in found]
        for everyone, *parts in zip(*map(split, [together(seeds), *seeds])):
            data["bins"].append({**which, "flow_bytes": everyone[-1][0], **percentiles(everyone, parts)})
        for kind in KINDS:
            parts = [[flow for flow in flows if kind_of(flow) == kind] for flows in seeds]
            everyone = together(parts)
            mean_ms = statistics.fmean(time for *_, time in everyone)
            data["kinds"].append({**which, "kind": kind, "mean_ms": mean_ms, **percentiles(everyone, parts)})
            for seed, flows in zip(SEEDS, parts):
                data["seeds"].append({**which, "kind": kind, "seed": seed, "p99": quantile(flows, 0.99)})
        paused = [record["paused_percent"] for record in found]
        unfinished = sum(record["unfinished"] for record in found)
        data["runs"].append({**which, "unfinished": unfinished, **spread(paused, "paused_percent")})
    return data


def together(parts: Sequence[Sequence[tuple]]) -> list[tuple]:
    return [flow for part in parts for flow in part]


def split(flows: Sequence[tuple]) -> list[list[tuple]]:
    """Split flows into bins of equal number by size only. Flows of the same size keep their order instead of being
    sorted by speed.
    """
    ordered = sorted(flows, key=lambda flow: flow[0])
    return [
        ordered[start:end]
        for start, end in pairwise(len(ordered) * number // BINS for number in range(BINS + 1))
    ]


def kind_of(flow: tuple) -> str:
    return KINDS[flow[0] >= SHORT]


def quantile(flows: Sequence[tuple], share: float) -> float:
    """Return a quantile of the slowdowns, calculated as in the public analysis."""
    slowdowns = sorted(slowdown for _, slowdown, _ in flows)
    return slowdowns[int(len(slowdowns) * share)]


def percentiles(everyone: Sequence[tuple], parts: Sequence[Sequence[tuple]]) -> dict[str, float]:
    """Return the percentiles over all flows, and their range over single seeds."""
    found = {}
    for name, share in PERCENTILES.items():
        values = [quantile(flows, share) for flows in [everyone, *parts]]
        found |= {name: values[0], f"least_{name}": min(values), f"largest_{name}": max(values)}
    return found


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    letters = iter("abcdefgh")
    for (sizes, title), row in zip(WORKLOADS.items(), (axes[:4], axes[4:])):
        for ax, (name, what) in zip(row, PANEL_TITLES.items()):
            draw_slowdowns(ax, [found for found in data["bins"] if found["sizes"] == sizes], name)
            ax.set(title=f"({next(letters)}) {title}, {what}")
        draw_pauses(row[3], [found for found in data["runs"] if found["sizes"] == sizes])
        row[3].set(title=f"({next(letters)}) {title}, PFC")


def draw_slowdowns(ax, rows: Sequence[Mapping], name: str) -> None:
    """Draw against the flow size, in bins with the same number of flows, as in the paper."""
    for control in CONTROLS:
        curve = [row for row in rows if row["control"] == control]
        values = [row[name] for row in curve]
        label = control if name == "p50" else None  # once per row
        look = {"elinewidth": 0.6, **STYLES[control]}
        ax.errorbar(range(BINS), values, yerr=range_errors(curve, name), label=label, **look)
    marks = [short(row["flow_bytes"]) for row in rows if row["control"] == "HPCC"]
    ax.set_xticks(range(BINS), marks, rotation=60)
    ax.set_yscale("log", subs=())
    low, high = ax.get_ylim()
    ticks = [step * 10**power for power in range(4) for step in (1, 2, 5)]
    ax.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.set_ylim(low, high)


def short(size: float) -> str:
    unit, letter = next(pair for pair in ((1e6, "M"), (1e3, "k"), (1, "")) if size >= pair[0])
    return f"{size / unit:.3g}{letter}"


def draw_pauses(ax, rows: Sequence[Mapping]) -> None:
    colors = [STYLES[row["control"]]["color"] for row in rows]
    places = range(len(rows))
    heights = [row["paused_percent"] for row in rows]
    ax.bar(places, heights, yerr=range_errors(rows, "paused_percent"), color=colors, error_kw={"elinewidth": 0.8})
    ax.set_xticks(places, [row["control"] for row in rows], rotation=60)
    ax.grid(False, axis="x")


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    if any(row["unfinished"] for row in data["runs"]):
        return {}
    value = {
        (row["sizes"], row["control"], row["kind"], name): row[name]
        for row in data["kinds"]
        for name in (*PERCENTILES, "mean_ms")
    }

    def lead(sizes: str, kind: str, name: str) -> float:
        """Return the best of the other controls relative to HPCC."""
        others = [value[sizes, control, kind, name] for control in CONTROLS if control != "HPCC"]
        return min(others) / value[sizes, "HPCC", kind, name]

    def gain(control: str) -> float:
        """Return the effect of a window on the tail of short flows, for the workload with the smaller effect."""
        return min(
            value[sizes, control, "short", "p99"] / value[sizes, f"{control}+win", "short", "p99"]
            for sizes in WORKLOADS
        )

    return {
        "hpcc-fig11-1": lead("websearch", "short", "p99"),
        "hpcc-fig11-2": lead("websearch", "short", "p95"),
        "hpcc-fig11-3": lead("hadoop", "short", "p99"),
        "hpcc-fig11-4": lead("hadoop", "short", "p95"),
        "hpcc-fig11-5": first_percent(data["seeds"]),
        "hpcc-fig11-6": gain("DCQCN"),
        "hpcc-fig11-7": gain("TIMELY"),
        "hpcc-fig11-8": 1 / lead("websearch", "long", "mean_ms"),
    }


def first_percent(rows: Sequence[Mapping]) -> float:
    """Return the percentage of workloads and seeds in which HPCC has the lowest tail of short flows."""
    tails: dict[tuple[str, int], dict[str, float]] = {}
    for row in rows:
        if row["kind"] == "short":
            tails.setdefault((row["sizes"], row["seed"]), {})[row["control"]] = row["p99"]
    return 100 * statistics.fmean(min(found, key=found.get) == "HPCC" for found in tails.values())
