# SPDX-License-Identifier: GPL-2.0-only
"""OFC Table II: mean sizes of a port's three tables, over a line of three switches."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from pathlib import Path

from figures import Job, table
from figures.claims import stated
from figures.ofc import line_job
from figures.style import PAPER, bars
from figures.style import SCHEMES as STYLES

TITLE = "OFC Table II: mean sizes of the tables of a port, line of three switches"
MINUTES = {"quick": 1, "full": 1}
LABELS = ("", "mean size of a port's table (B)")
RUNS = "ofc-tab1"

# The columns of tables.csv, and the paper's names for them.
TABLES = {"in_port": "flow_in_port_tab", "congested": "congested_flow_tab", "asked": "pause_frame_tab"}
CELLS = {"in_port": "ofc-tab2-4", "congested": "ofc-tab2-5", "asked": "ofc-tab2-6"}
ENTRY_BYTES = 16  # not stated in the paper


def jobs(size: str) -> list[Job]:
    """Return the simulations, which are the same at both sizes."""
    return [line_job("OFC", response=0)]


def read(job: Job, folder: Path) -> dict:
    """Return means over the ports that have ever had an entry in any table."""
    rows = table(folder, "tables")
    used = rows[(rows[[*TABLES]] > 0).any(axis="columns")]
    return {name: ENTRY_BYTES * statistics.fmean(used[name]) for name in TABLES} | {"ports": len(used)}


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    return {"points": records}


def draw(ax, data: Mapping[str, list[dict]]) -> None:
    [row] = data["points"]
    series = {
        "paper": [stated(claim) for claim in CELLS.values()],
        "measured, 16 B an entry": [row[name] for name in TABLES],
    }
    bars(ax, [*TABLES.values()], series, [PAPER, STYLES["OFC"]])


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    [row] = data["points"]
    return {
        **{claim: row[name] for name, claim in CELLS.items()},
        "ofc-tab2-7": float(row["in_port"] > row["asked"] > row["congested"]),
    }
