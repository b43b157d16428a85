# SPDX-License-Identifier: GPL-2.0-only
"""What the figures of the OFC paper share: its line of three switches."""

from __future__ import annotations

from pathlib import Path

from figures import Job, make_job, table

# With what each scheme of the paper is chosen.
SCHEMES = {"PFC": {"scheme": "PFC", "buffer-policy": "Static"}, "OFC": {"scheme": "OFC"}}
GROUPS = ("all", "uncongested", "congested")


def line_job(scheme: str, **options: object) -> Job:
    """The line in its state of section II-C; of the options, with _ for -, those that differ."""
    named = {name.replace("_", "-"): value for name, value in options.items()}
    return make_job("ofc-line", {**SCHEMES[scheme], **named})


def scheme_of(job: Job) -> str:
    return next(name for name, chosen in SCHEMES.items() if chosen["scheme"] == job.options["scheme"])


def largest_fct_ms(folder: Path) -> dict[str, float]:
    """By group of flows; all must have arrived."""
    times: dict[str, list[float]] = {group: [] for group in GROUPS}
    for row in table(folder, "flows"):
        for group in ("all", row["group"]):
            times[group].append(int(row["fct_ns"]) / 1e6)
    return {group: max(values) for group, values in times.items()}
