# SPDX-License-Identifier: GPL-2.0-only
"""CaPFC, scenario 1: how the largest completion times depend on settings that the paper does not specify."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from figures import Job, dashed, make_job
from figures.capfc import CAPFC, SCHEMES, SEEDS, fat_tree_job, points, select
from figures.capfc import read as read_tails
from figures.style import SCHEMES as STYLES

TITLE = "CaPFC, scenario 1: largest FCT of queries and short flows against what the paper leaves open"
MINUTES = {"quick": 4, "full": 240}
PANELS = (1, 2)
LABELS = (("", "largest FCT (ms)"),) * 2
RUNS = "capfc-fig8"

GROUPS = ("query", "short")
# The differences from Fig. 8, by name in the picture.
VARIANTS: Mapping[str, Mapping[str, object]] = {
    "as Fig. 8": {},
    "RTO 50 ms": {"min_rto": "50ms"},
    "RTO 200 ms": {"min_rto": "200ms"},
    "3 duplicate ACKs": {"duplicate_acks": 3},
    "timeouts only": {"duplicate_acks": 0},
    "window 10": {"initial_window": 10},
    "no ECN": {"mark": 10**9},
    "25 600 short/s": {"short_rate": 25600},
    "4:1": {"oversubscription": 4},
    "ECMP": {"routing": "Ecmp"},
    "delay 0": {"switch_delay": "0s"},
    "CUT 0.5": {"cut": 0.5},
    "CUT 1": {"cut": 1},
}
SEED_COUNT = {"quick": 1, "full": len(SEEDS)}


def jobs(size: str) -> list[Job]:
    """CUT applies only to Stop-Calibrate."""
    return [
        fat_tree_job(size, 1, scheme, seed, **options)
        for options in VARIANTS.values()
        for scheme in SCHEMES
        for seed in SEEDS[: SEED_COUNT[size]]
        if "cut" not in options or scheme == "CaPFC-Cal"
    ]


def read(job: Job, folder: Path) -> dict:
    return {**read_tails(job, folder), "variant": variant_of(job)}


def variant_of(job: Job) -> str:
    common = fat_tree_job("quick", 1, "", 0).options
    own = {name: word for name, word in job.options.items() if name not in common}
    return next(name for name, options in VARIANTS.items() if words(options) == own)


def words(options: Mapping[str, object]) -> Mapping[str, str]:
    """Return the options as a job contains them."""
    return make_job("", dashed(options)).options


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    rows = points(records, ["variant", "scheme"])
    return {"points": [row for group in GROUPS for row in select(rows, group=group)]}


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    names = [*VARIANTS]
    for letter, ax, group in zip("ab", axes, GROUPS):
        for scheme in SCHEMES:
            rows = {row["variant"]: row for row in select(data["points"], group=group, scheme=scheme)}
            places = [place for place, name in enumerate(names) if name in rows]
            heights = [rows[names[place]]["max_ms"] for place in places]
            look = {**STYLES[scheme], "linestyle": "none", "markersize": 5}
            ax.plot(places, heights, label=scheme, **look)
        ax.set_xticks(range(len(names)), names, rotation=60, ha="right", fontsize="small")
        ax.set(yscale="log", title=f"({letter}) {group}")
        ax.legend(fontsize="x-small", ncols=2)


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    tails = {(row["variant"], row["group"], row["scheme"]): row["max_ms"] for row in data["points"]}

    def factor(variant: str, group: str, baseline: str, scheme: str = "CaPFC-Cal") -> float:
        return tails[variant, group, baseline] / tails[variant, group, scheme]

    return {
        "capfc-sweep-1": factor("as Fig. 8", "query", "PFC-wdrop"),
        "capfc-sweep-2": factor("RTO 50 ms", "query", "PFC-wdrop"),
        "capfc-sweep-3": factor("RTO 200 ms", "query", "PFC-wdrop"),
        "capfc-sweep-4": factor("RTO 50 ms", "query", "PFC-wdrop", "CaPFC-Max"),
        "capfc-sweep-5": factor("no ECN", "query", "PFC-wstop"),
        "capfc-sweep-6": factor("no ECN", "short", "PFC-wstop"),
        "capfc-sweep-7": factor("25 600 short/s", "short", "PFC-wdrop"),
        "capfc-sweep-8": min(factor("timeouts only", "query", "PFC-wdrop", scheme) for scheme in CAPFC),
        "capfc-sweep-9": min(factor("3 duplicate ACKs", "query", "PFC-wdrop", scheme) for scheme in CAPFC),
    }
