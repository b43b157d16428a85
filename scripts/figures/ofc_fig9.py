# SPDX-License-Identifier: GPL-2.0-only
"""OFC Fig. 9: deadlocks of four flows whose paths form a cyclic dependency, for six schemes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

from figures import Job
from figures.ofc import BASELINES, COMPARED, deadlock_job, locked_percent, scheme_of, share_percent
from figures.style import SCHEMES as STYLES
from figures.style import bars

TITLE = "OFC Fig. 9: runs that deadlock on a circle of four paths, against the number of flows, six schemes"
MINUTES = {"quick": 3, "full": 8}
LABELS = ("flows of a run", "runs that deadlock (%)")

FLOWS = (240, 400, 640)


def jobs(size: str) -> list[Job]:
    return [deadlock_job(size, scheme, flows) for flows in FLOWS for scheme in COMPARED]


def read(job: Job, folder: Path) -> dict:
    runs, percent = int(job.options["runs"]), locked_percent(folder)
    return {
        "scheme": scheme_of(job),
        "flows": int(job.options["flows"]),
        "runs": runs,
        "percent": percent,
        "deviation_percent": math.sqrt(percent * (100 - percent) / runs),
    }


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    return {"points": records}


def draw(ax, data: Mapping[str, list[dict]]) -> None:
    rows = {(row["scheme"], row["flows"]): row for row in data["points"]}
    series = {scheme: [rows[scheme, flows]["percent"] for flows in FLOWS] for scheme in COMPARED}
    errors = {scheme: [rows[scheme, flows]["deviation_percent"] for flows in FLOWS] for scheme in COMPARED}
    bars(ax, [str(flows) for flows in FLOWS], series, [STYLES[scheme] for scheme in COMPARED], errors)
    ax.set(ylim=(0, 125))
    ax.legend(fontsize="small", ncols=3)


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    locked = {(row["scheme"], row["flows"]): row["percent"] for row in data["points"]}
    found = {}
    for number, scheme in enumerate(BASELINES, 1):
        gains = [
            100 * (1 - locked["OFC", flows] / locked[scheme, flows])
            for flows in FLOWS
            if locked[scheme, flows] > 0
        ]
        found[f"ofc-fig9-{number}"] = min(gains, default=math.nan)
        found[f"ofc-fig9-{number}-most"] = max(gains, default=math.nan)
    return {
        **found,
        "ofc-fig9-6": share_percent(
            locked["OFC", flows] < locked[scheme, flows]
            for flows in FLOWS
            for scheme in BASELINES
            if locked[scheme, flows] > 0
        ),
    }
