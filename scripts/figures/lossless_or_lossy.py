# SPDX-License-Identifier: GPL-2.0-only
"""Lossless and lossy networks with the same switches, under the same workloads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from figures import Job, info, table
from figures.compare import joined, peak_kilobytes
from figures.style import range_errors

TITLE = "Lossless or lossy: 17 configurations of switch, control, repair of loss and paths"
MINUTES = {"quick": 2, "full": 15}
SEEDS = {"quick": (1,), "full": tuple(range(1, 11))}

ATTRIBUTE = "ns3::lossless::"
# Switches. Lossless ones pause only class 3, as in deployments; lossy ones are SIH's switch without lossless classes.
NETWORKS = {
    "SIH": {"scheme": "SIH", f"{ATTRIBUTE}SwitchNode::LosslessClasses": "8"},
    "DSH": {"scheme": "DSH", f"{ATTRIBUTE}SwitchNode::LosslessClasses": "8"},
    "CBFC": {"scheme": "CBFC", f"{ATTRIBUTE}SwitchNode::LosslessClasses": "8"},
    "lossy": {"scheme": "SIH", f"{ATTRIBUTE}SwitchNode::LosslessClasses": "0"},
    "trimming": {
        "scheme": "DropTail",
        "overflow": "trim",
        f"{ATTRIBUTE}DropTailBufferPolicy::QueueLimit": "178450B",
    },
}
LOSSLESS = ("SIH", "DSH", "CBFC")
MARKS = {"DCQCN": ("100000", "400000", "0.2"), "NSCC": ("37350", "145250", "1")}
# The signs of loss for a sender. Without losses, these are only long timeouts.
PATIENT = {"ReorderDegree": "0", "RtoLow": "4ms", "RtoHigh": "4ms"}
PATHS = {
    "ECMP": {},
    "adaptive": {"routing": "Adaptive"},
    "oblivious": {"path-selection": "Oblivious"},
    "REPS": {"path-selection": "REPS"},
    "MRC": {"path-selection": "MRC"},
}


@dataclass(frozen=True)
class Configuration:
    """A combination of settings; doc/lossless-or-lossy.rst names its users."""

    network: str
    control: str
    reliability: str
    paths: str

    @property
    def name(self) -> str:
        repair = {"GoBackN": "go-back-N", "SelectiveRepeat": "selective repeat", "Unordered": "unordered"}
        return f"{self.network}, {self.control}, {repair[self.reliability]}, {self.paths}"

    def options(self, bdp_cap: str) -> dict[str, str]:
        """Return the options. bdp_cap is the bandwidth-delay product of the network."""
        found = {**NETWORKS[self.network], "congestion-control": self.control, "reliability": self.reliability}
        found |= PATHS[self.paths]
        if self.control in MARKS:
            found |= dict(zip((f"{ATTRIBUTE}RedMarker::{name}" for name in ("MinBytes", "MaxBytes", "MaxProbability")), MARKS[self.control]))
        if self.control == "NSCC":
            found[f"{ATTRIBUTE}EcnMarker::MarkOnDequeue"] = "true"
        if self.reliability == "SelectiveRepeat" or (self.paths == "adaptive" and self.network != "CBFC"):
            found["bdp-cap"] = bdp_cap
        if self.reliability == "SelectiveRepeat" and self.paths != "ECMP":
            found[f"{ATTRIBUTE}SelectiveRepeat::ReorderDegree"] = "64"
        if self.reliability == "Unordered" and self.network in LOSSLESS:
            found |= {f"{ATTRIBUTE}Unordered::ReorderDegree": PATIENT["ReorderDegree"]}
            found |= {f"{ATTRIBUTE}SelectiveReliability::{name}": PATIENT[name] for name in ("RtoLow", "RtoHigh")}
        return found


CONFIGURATIONS = tuple(
    Configuration(*words.split())
    for words in (
        "SIH DCQCN GoBackN ECMP",
        "DSH DCQCN GoBackN ECMP",
        "DSH HPCC GoBackN ECMP",
        "CBFC None GoBackN ECMP",
        "CBFC None Unordered adaptive",
        "SIH DCQCN Unordered adaptive",
        "SIH None Unordered adaptive",
        "SIH NSCC Unordered REPS",
        "CBFC NSCC Unordered oblivious",
        "lossy DCQCN GoBackN ECMP",
        "lossy DCQCN SelectiveRepeat ECMP",
        "lossy HPCC SelectiveRepeat ECMP",
        "lossy DCQCN SelectiveRepeat adaptive",
        "lossy NSCC Unordered oblivious",
        "trimming NSCC Unordered REPS",
        "trimming NSCC Unordered MRC",
        "trimming DCQCN Unordered adaptive",
    )
)

ALL = {"rate": "100Gbps", "delay": "1us", "payload": "4096", "mtu": "4500", "stop": "1s", "sample": "5us"}
LEAF_SPINE = {**ALL, "topology": "leaf-spine", "leaves": "4", "spines": "8", "hosts-per-leaf": "8", "buffer": "5MB"}
FAT_TREE = {**ALL, "topology": "fat-tree", "k": "8", "buffer": "2500kB", "placement": "random"}
# The payload of a round trip without queues at the rate of a host, by topology.
BDP_CAPS = {"leaf-spine": "120kB", "fat-tree": "176kB"}
INCASTS = {"incast-load": "0.1", "incast-senders": "16", "incast-bytes": "64kB"}
WEB_SEARCH = {**LEAF_SPINE, "load": "0.6", "sizes": "websearch", **INCASTS, "arrivals": "2ms"}
SLOW = ",".join(f"leaf{leaf}-spine0:25Gbps" for leaf in range(4))
WORKLOADS = {
    "incast": {**LEAF_SPINE, "load": "0", "incast-load": "0.1", "incast-senders": "30", "incast-bytes": "250kB", "arrivals": "2ms"},
    "web search": WEB_SEARCH,
    "slow spine": {**WEB_SEARCH, "slow-link": SLOW},
    "cut link": {**WEB_SEARCH, "fail-link": "leaf0-spine0@500us", "reroute-after": "1ms"},
    "all-to-all": {**FAT_TREE, "collective": "alltoall", "size": "2MiB"},
    "ring": {**FAT_TREE, "collective": "allreduce", "algorithm": "ring", "size": "2MiB"},
}
# At the full size, in addition to "web search".
BUFFERS = {
    f"web search, {factor} buffer": {**WEB_SEARCH, "buffer": size}
    for factor, size in (("0.5", "2500kB"), ("2", "10MB"), ("4", "20MB"))
}
# Those of lossless-1024.
LARGE_TREE = {**FAT_TREE, "k": "16", "buffer": "5MB", "size": "4MiB"}
LARGE = {
    "all-to-all, 1024 ranks": {**LARGE_TREE, "collective": "alltoall"},
    "ring, 1024 ranks": {**LARGE_TREE, "collective": "allreduce", "algorithm": "ring"},
}
ALL_WORKLOADS = WORKLOADS | BUFFERS | LARGE
# The number of frames that each rank receives, with 4096 B of payload and 4178 B on the wire: 127 pairs of 16 KiB, 254
# steps of 16 KiB, 1023 pairs of 4 KiB, and 2046 steps of 4 KiB.
FRAMES = {"all-to-all": 127 * 4, "ring": 254 * 4, "all-to-all, 1024 ranks": 1023, "ring, 1024 ranks": 2046}
LEAST_MS = {name: frames * 4178 * 8 / 100e9 * 1000 for name, frames in FRAMES.items()}

# By metric: the axis label, and a description.
METRICS = {
    "p50": ("slowdown", "median"),
    "p99": ("slowdown", "99th percentile"),
    "incast_p99": ("slowdown", "incasts, 99th percentile"),
    "completion_ms": ("ms", "completion of the last"),
    "goodput_gbps": ("Gb/s", "goodput of a host"),
    "peak_kb": ("kB", "peak buffer use of a switch"),
    "paused_ms": ("ms", "time in PAUSE, all queues"),
    "victims_percent": ("% of flows", "victims of PAUSEs"),
    "dropped": ("frames", "frames dropped"),
    "trimmed": ("frames", "frames trimmed"),
    "again_percent": ("% of packets", "sent again"),
    "duplicates": ("packets", "came twice"),
}
OF_FLOWS = ("p50", "p99", "goodput_gbps", "peak_kb", "paused_ms", "victims_percent", "dropped", "trimmed", "again_percent", "duplicates")
OF_MIXES = ("p50", "p99", "incast_p99", *OF_FLOWS[2:])
OF_COLLECTIVES = ("completion_ms", "goodput_gbps", *OF_FLOWS[3:])
# The kept tables, by the end of their names: the workload and its metrics.
PAGE = "notebook/lossless-or-lossy"
BY = ("configuration", "seeds")
TABLES = {
    "incast": ("incast", OF_FLOWS),
    "web-search": ("web search", OF_MIXES),
    "slow-spine": ("slow spine", OF_MIXES),
    "cut-link": ("cut link", (*OF_MIXES, "completion_ms")),
    "all-to-all": ("all-to-all", OF_COLLECTIVES),
    "ring": ("ring", OF_COLLECTIVES),
} | {name.replace(", ", "-").replace(" ", "-"): (name, ("p99", "incast_p99", "peak_kb", "paused_ms", "dropped", "trimmed")) for name in BUFFERS}
# The metrics that are drawn for each workload.
DRAWN = {
    "incast": "p99",
    "web search": "p99",
    "slow spine": "p99",
    "cut link": "p99",
    "all-to-all": "completion_ms",
    "ring": "completion_ms",
}
PANELS = (2, 3)
LABELS = tuple((METRICS[metric][0], "") for metric in DRAWN.values())
COLOURS = {"lossy": "#0072b2", "trimming": "#009e73"}


def jobs(size: str) -> list[Job]:
    return [
        job(workload, configuration, seed)
        for seed in SEEDS[size]
        for workload in (*WORKLOADS, *(BUFFERS if size == "full" else ()))
        for configuration in CONFIGURATIONS
    ]


def job(workload: str, configuration: Configuration, seed: int) -> Job:
    options = ALL_WORKLOADS[workload]
    words = (workload, *vars(configuration).values(), str(seed))
    return Job(
        "-".join(words).replace(", ", "-").replace(" ", "-"),
        "lossless-run",
        {**options, **configuration.options(BDP_CAPS[options["topology"]]), "RngRun": str(seed)},
    )


@cache
def named() -> dict[str, tuple[str, Configuration]]:
    """Return workload and configuration, from the beginning of a job's name."""
    return {
        job(workload, configuration, 0).name.removesuffix("-0"): (workload, configuration)
        for workload in ALL_WORKLOADS
        for configuration in CONFIGURATIONS
    }


def read(job: Job, folder: Path) -> dict:
    run = info(folder)
    workload, configuration = named()[job.name.rpartition("-")[0]]
    verdict = run["verdict"]
    return {
        "workload": workload,
        "configuration": configuration.name,
        "seed": int(job.options["RngRun"]),
        "lost_lossless": verdict["lossless_class_lost_frames"],
        "unfinished": verdict["unfinished_flows"],
        "peak_kb": peak_kilobytes(folder),
        "paused_ms": run["measured"]["paused_ns"] / 1e6,
        "victims_percent": 100 * run["victim_flows"] / verdict["flows"],
        "dropped": verdict["lost_frames"],
        "trimmed": run["trimmed_frames"],
        "again_percent": 100 * run["retransmitted_packets"] / run["data_packets"],
        "again": run["retransmitted_packets"],
        "duplicates": table(folder, "ports").duplicates.sum(),
        **times(workload, folder),
    }


def times(workload: str, folder: Path) -> dict[str, float]:
    """Return the times at which flows existed. Times that do not apply to the workload are 0."""
    flows = table(folder, "flows").dropna(subset=["fct_ns"])
    ends = (flows.start_ns + flows.fct_ns).sort_values()
    arrived = flows.bytes[ends.index].cumsum()
    most = ends[arrived >= 0.99 * arrived.iloc[-1]].iloc[0] - flows.start_ns.min()
    senders = flows.source.nunique()
    found = {"goodput_gbps": 0.99 * 8 * arrived.iloc[-1] / senders / most, "completion_ms": ends.iloc[-1] / 1e6}
    if workload in LEAST_MS:
        [duration_ns] = table(folder, "collectives").duration_ns
        return {**found, "completion_ms": duration_ns / 1e6, "p50": 0, "p99": 0, "incast_p99": 0}
    incasts = flows[flows.group == "incast"].slowdown
    others = incasts if workload == "incast" else flows[flows.group == "background"].slowdown
    return {**found, "p50": others.quantile(0.5), "p99": others.quantile(0.99), "incast_p99": incasts.quantile(0.99)}


def reduce(records: Sequence[dict]) -> dict[str, list[dict]]:
    return {"points": list(records), "compared": joined(records, METRICS, ("workload", "configuration"))}


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    for number, (ax, (workload, metric)) in enumerate(zip(axes, DRAWN.items())):
        rows = [row for row in data["compared"] if row["workload"] == workload]
        draw_bars(ax, rows, metric)
        ax.set(title=f"{workload}: {METRICS[metric][1]}")
        if number % PANELS[1]:
            ax.tick_params(labelleft=False)


def draw_bars(ax, rows: Sequence[Mapping], metric: str) -> None:
    """Draw a bar for each configuration, with the first at the top, and its range."""
    means = [row[metric] for row in rows]
    errors = range_errors(rows, metric)
    places = range(len(rows))
    colours = [COLOURS.get(row["configuration"].split(",")[0], "#d55e00") for row in rows]
    ax.barh(places, means, xerr=errors, color=colours, error_kw={"elinewidth": 0.8})
    ax.set_yticks(places, [row["configuration"] for row in rows], fontsize=6)
    ax.invert_yaxis()
    ax.set_xscale("log")
    ax.grid(False, axis="y")


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    points = data["points"]
    whole = [row for row in points if row["workload"] != "cut link"]
    trimming = [row for row in whole if row["workload"] != "slow spine" and row["configuration"].startswith("trimming, NSCC")]
    return {
        "lossless-or-lossy-1": sum(row["lost_lossless"] for row in whole),
        "lossless-or-lossy-2": sum(row["unfinished"] for row in points),
        "lossless-or-lossy-3": least_factor(points),
        "lossless-or-lossy-4": sum(row["dropped"] for row in trimming),
        "lossless-or-lossy-5": max(row["again"] / row["trimmed"] for row in trimming if row["trimmed"]),
        "lossless-or-lossy-6": min(gains(points)),
    }


def least_factor(points: Iterable[Mapping]) -> float:
    """Return the minimum over all collectives of the completion time divided by the time that the frames of a rank take
    on its link.
    """
    return min(row["completion_ms"] / LEAST_MS[row["workload"]] for row in points if row["workload"] in LEAST_MS)


def gains(points: Iterable[Mapping]) -> list[float]:
    """Return, for each seed, the tail of lossy incasts with go-back-N divided by that with selective repeat."""
    of = {(row["configuration"], row["seed"]): row["p99"] for row in points if row["workload"] == "incast"}
    back, repeat = (f"lossy, DCQCN, {repair}, ECMP" for repair in ("go-back-N", "selective repeat"))
    return [of[back, seed] / of[repeat, seed] for name, seed in of if name == back]
