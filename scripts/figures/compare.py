# SPDX-License-Identifier: GPL-2.0-only
"""Common parts of the comparisons of all schemes: the schemes with the options that they need, and the data that are
taken from a run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from figures import Job, info, table
from figures.seeds import grouped, spread
from figures.style import bars, range_errors

# The schemes that a user would consider for RoCE at 100 Gb/s. PABO sends frames back, which go-back-N interprets as
# losses; the other CaPFC switches have a processor for 1 Gb/s; PFC-wdrop and PFC-wstop are its baselines.
SCHEMES = ("SIH", "DSH", "SHP", "CBFC", "FAFC", "OFC", "BFC", "P-PFC", "GFC", "G-PFC", "CaPFC-Static", "Infinite")
CONTROLS = ("None", "DCQCN")
STYLES = ({"color": "#0072b2"}, {"color": "#e69f00"}, {"color": "#009e73"})
SEEDS = {"quick": (1, 2, 3), "full": tuple(range(1, 11))}
# All classes are lossless, as in a switch that is configured once for any traffic, so idle classes also have headroom.
# By default, only classes with flows are lossless.
SEVEN_CLASSES = {"lossless-classes": "0,1,2,3,4,5,6"}


def compared(size: str, options: Mapping[str, str], controls: Sequence[str] = CONTROLS) -> list[Job]:
    """Return the same workload under each scheme and congestion control."""
    return [
        Job(
            f"{scheme}-{control}-{seed}",
            "lossless-run",
            {**used(SEVEN_CLASSES | options, scheme), "scheme": scheme, "congestion-control": control, "RngRun": str(seed)},
        )
        for scheme in SCHEMES
        for control in controls
        for seed in SEEDS[size]
    ]


def used(options: Mapping[str, str], scheme: str) -> dict[str, str]:
    """Return the options that apply to the scheme. An unlimited buffer has no size and requires no flow control."""
    limits = ("buffer", *SEVEN_CLASSES) if scheme == "Infinite" else ()
    return {name: value for name, value in options.items() if name not in limits}


def verdict(job: Job, folder: Path) -> dict:
    """Return the identification of one run, and its results in run.json."""
    run = info(folder)
    return {
        "scheme": job.options["scheme"],
        "control": job.options["congestion-control"],
        "seed": int(job.options["RngRun"]),
        "lost_frames": run["verdict"]["lossless_class_lost_frames"],
        "unfinished": run["verdict"]["unfinished_flows"],
        "length_ms": run["simulated_ns"] / 1e6,
        "paused_ms": run["measured"]["paused_ns"] / 1e6,
        "victims_percent": 100 * run["victim_flows"] / run["verdict"]["flows"],
        "control_frames": sum(port["frames"] for port in run["pfc_frames"]),
    }


def peak_kilobytes(folder: Path) -> float:
    """Return the maximum that any switch stored at a sample, in kB."""
    return table(folder, "queues").query("side == 'buffer'").bytes.max() / 1000


def tails(folder: Path, groups: Iterable[str]) -> dict[str, float]:
    """Return the 99th percentile of the slowdown of each group of flows."""
    flows = table(folder, "flows")
    return {f"{group}_p99": flows[flows.group == group].slowdown.quantile(0.99) for group in groups}


def joined(records: Sequence[dict], metrics: Iterable[str], by: Sequence[str] = ("scheme", "control")) -> list[dict]:
    """Return a row for each scheme and congestion control, or for other varied options: the means over seeds, with
    their ranges.
    """
    metrics = tuple(metrics)
    rows = []
    for values, found in grouped(records, by).items():
        row = {**dict(zip(by, values)), "seeds": len(found)}
        for name in metrics:
            row |= spread([record[name] for record in found], name)
        rows.append(row)
    return rows


def draw_metrics(axes, rows: Sequence[Mapping], metrics: Mapping[str, tuple[str, str]]) -> None:
    """Draw a panel for each metric, with its title."""
    for ax, (metric, (_, title)) in zip(axes, metrics.items()):
        draw_compared(ax, rows, metric)
        ax.set(title=title)


def draw_compared(ax, rows: Sequence[Mapping], metric: str) -> None:
    """Draw bars of a metric for each scheme, with those of the congestion controls side by side."""
    controls = list(dict.fromkeys(row["control"] for row in rows))
    of = {control: [row for row in rows if row["control"] == control] for control in controls}
    heights = {control: [row[metric] for row in found] for control, found in of.items()}
    errors = {control: range_errors(found, metric) for control, found in of.items()}
    schemes = [row["scheme"] for row in of[controls[0]]]
    bars(ax, schemes, heights, STYLES, errors)
    ax.tick_params(axis="x", rotation=60)
