# SPDX-License-Identifier: GPL-2.0-only
"""PFC and CBFC over links with bit errors, with and without link layer retry (LLR)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from figures import Job, info, table
from figures.compare import SEVEN_CLASSES, joined
from figures.style import SCHEMES

TITLE = "PFC and CBFC over links with bit errors, with and without link layer retry"
MINUTES = {"quick": 2, "full": 5}
PAGE = "notebook/link-layers"
BY = ("scheme", "retry", "errors")
METRICS = {
    "lost_frames": ("frames", "lost to bit errors"),
    "buffer_lost_frames": ("frames", "lost for lack of buffer"),
    "retransmitted_percent": ("% of packets", "sent again by hosts"),
    "slowdown": ("times", "mean slowdown of flows that finish"),
    "p99": ("times", "their 99th percentile"),
    "unfinished": ("flows", "that do not finish"),
}
PANEL_METRICS = ("slowdown", "p99", "retransmitted_percent")
PANELS = (1, 3)
LABELS = tuple(("bit error rate", METRICS[metric][0]) for metric in PANEL_METRICS)

COMPARED = ("SIH", "DSH", "CBFC")
RATES = ("0", "1e-8", "1e-7", "1e-6")
SEEDS = {"quick": (1, 2, 3), "full": tuple(range(1, 11))}
LEAST = 1e-9  # where the axis shows links without errors
OPTIONS = {
    "topology": "leaf-spine",
    "leaves": "2",
    "spines": "2",
    "hosts-per-leaf": "4",
    "rate": "100Gbps",
    "delay": "1us",
    "load": "0.5",
    "sizes": "websearch",
    "incast-load": "0.1",
    "incast-senders": "4",
    "arrivals": "1ms",
    "stop": "50ms",
}


def jobs(size: str) -> list[Job]:
    return [
        Job(
            f"{scheme}-{'llr' if retry else 'plain'}-{errors}-{seed}",
            "lossless-run",
            {**OPTIONS, **SEVEN_CLASSES, "bit-error-rate": errors, "llr": str(retry).lower(), "scheme": scheme, "RngRun": str(seed)},
        )
        for scheme in COMPARED
        for retry in (False, True)
        for errors in RATES
        for seed in SEEDS[size]
    ]


def read(job: Job, folder: Path) -> dict:
    run = info(folder)
    verdict = run["verdict"]
    flows = table(folder, "flows")
    return {
        "scheme": job.options["scheme"],
        "retry": "LLR" if job.options["llr"] == "true" else "none",
        "errors": job.options["bit-error-rate"],
        "seed": int(job.options["RngRun"]),
        "lost_frames": verdict["lost_frames"] - verdict["lossless_class_lost_frames"],
        "buffer_lost_frames": verdict["lossless_class_lost_frames"],
        "retransmitted_percent": 100 * run["retransmitted_packets"] / run["data_packets"],
        "slowdown": flows.slowdown.mean(),
        "p99": flows.slowdown.quantile(0.99),
        "unfinished": verdict["unfinished_flows"],
    }


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    return {"points": records, "compared": joined(records, METRICS, BY)}


def select(data: Mapping[str, list[dict]], scheme: str, retry: str) -> dict[str, dict]:
    """Return the row of each bit error rate."""
    rows = [row for row in data["compared"] if (row["scheme"], row["retry"]) == (scheme, retry)]
    return {row["errors"]: row for row in rows}


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    for ax, metric in zip(axes, PANEL_METRICS):
        for scheme in COMPARED:
            for retry, line in (("none", "--"), ("LLR", "-")):
                rows = select(data, scheme, retry)
                places = [max(float(errors), LEAST) for errors in rows]
                heights = [row[metric] for row in rows.values()]
                label = f"{scheme}, LLR" if retry == "LLR" else scheme
                ax.plot(places, heights, linestyle=line, label=label, **SCHEMES[scheme])
        ax.set(title=METRICS[metric][1], xscale="log")
        ax.set_xticks([max(float(errors), LEAST) for errors in RATES], RATES)
        ax.minorticks_off()
        ax.legend(handlelength=4, fontsize="x-small")


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    plain, retried = ({scheme: select(data, scheme, retry) for scheme in COMPARED} for retry in ("none", "LLR"))
    return {
        "llr-1": sum(row["largest_lost_frames"] for rows in retried.values() for row in rows.values()),
        "llr-2": sum(row["largest_buffer_lost_frames"] for row in retried["CBFC"].values()),
        "llr-3": min(plain[scheme]["1e-6"]["slowdown"] / retried[scheme]["1e-6"]["slowdown"] for scheme in COMPARED),
        "llr-4": 100 * max(retried[scheme]["0"]["slowdown"] / plain[scheme]["0"]["slowdown"] - 1 for scheme in COMPARED),
    }
