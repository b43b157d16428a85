# SPDX-License-Identifier: GPL-2.0-only
"""OFC Fig. 9: deadlocks of four flows whose paths form a cyclic dependency, for six schemes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

from figures import Job
from figures.ofc import BASELINES, COMPARED, WHOLE, deadlock_job, locked_percent, scheme_of, share_percent
from figures.style import SCHEMES as STYLES
from figures.style import bars

TITLE = "OFC Fig. 9: runs that deadlock on a circle of four paths, against the number of flows, six schemes"
MINUTES = {"quick": 3, "full": 8}
LABELS = ("flows of a run", "runs that deadlock (%)")

FLOWS = (240, 400, 640)


def jobs(size: str) -> list[Job]:
    """Return the simulations. The other reading of q_in has the quick size's number of runs at any size."""
    own = [deadlock_job(size, scheme, flows) for flows in FLOWS for scheme in COMPARED]
    return own + [deadlock_job("quick", scheme, flows) for flows in FLOWS for scheme in WHOLE.values()]


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
    own = {scheme: scheme for scheme in COMPARED}

    def gains(scheme: str, names: Mapping[str, str]) -> list[float]:
        """Return by how many per cent OFC reduces the deadlocks of a scheme, where there are any, by the names of one reading."""
        return [
            100 * (1 - locked[names["OFC"], flows] / locked[names[scheme], flows])
            for flows in FLOWS
            if locked[names[scheme], flows] > 0
        ]

    found = {}
    for first, every, names in ((1, 6, own), (8, 7, WHOLE)):
        for number, scheme in enumerate(BASELINES, first):
            values = gains(scheme, names)
            found[f"ofc-fig9-{number}"] = min(values, default=math.nan)
            found[f"ofc-fig9-{number}-most"] = max(values, default=math.nan)
        found[f"ofc-fig9-{every}"] = share_percent(
            gain > 0 for scheme in BASELINES for gain in gains(scheme, names)
        )
    return found
