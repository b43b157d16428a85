# SPDX-License-Identifier: GPL-2.0-only
"""The maximum headroom compared with Eq. 1 of DSH, with Eq. 1 including the terms that it omits, and with the value
that the module computes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

from figures import Job, table, theory
from figures.style import SERIES

TITLE = "Headroom at its worst, in a memory of bytes and of cells: DSH's Eq. 1, its completion, and the computed worst case"
MINUTES = {"quick": 1, "full": 4}
PANELS = (2, 3)
LABELS = theory.labels(*(("cable (m)", "headroom (kB)"),) * 3)

KINDS = ((1500, 1), (9000, 1), (1500, 208))  # MTU and cell, in bytes
SPEEDS = (40, 100, 400)
METRES = {"quick": (0, 5, 40, 100, 300, 1000), "full": (0, 5, *range(20, 301, 20), *range(400, 2001, 100))}
ETHERNET = 14  # of a stored frame, in bytes
FRAMING = 24  # additionally on the wire
PAUSE = 60 + FRAMING


def jobs(size: str) -> list[Job]:
    metres = ",".join(map(str, METRES[size]))
    return [
        Job(f"{speed}G-{mtu}-{cell}-{size}", "headroom-watermark", {"rate": f"{speed}Gbps", "metres": metres, "mtu": str(mtu), "cell": str(cell)})
        for speed in SPEEDS
        for mtu, cell in KINDS
    ]


def completed(eq1: float, mtu: int) -> float:
    """Return Eq. 1 with the terms that it omits: the frame that finds the memory full, the PAUSE itself, and the
    framing of the two frames whose transmission both ends have begun; minus the framing of all arriving frames, which
    is not stored.
    """
    frame = mtu + ETHERNET
    wire = eq1 + 2 * (ETHERNET + FRAMING) + PAUSE
    return frame + wire - FRAMING * math.ceil(wire / (frame + FRAMING))


def read(_: Job, folder: Path) -> list[dict]:
    rows = table(folder, "headroom-watermark").to_dict("records")
    return [
        {
            "gbps": row["speed"] // 10**9,
            **{name: row[name] for name in ("metres", "mtu", "cell", "eq1_bytes", "worst_case_bytes", "measured_bytes")},
            "completed_bytes": completed(row["eq1_bytes"], row["mtu"]),
        }
        for row in rows
    ]


def reduce(records: list[list[dict]]) -> dict[str, list[dict]]:
    return {"points": sorted((row for rows in records for row in rows), key=lambda row: (row["gbps"], row["metres"]))}


def against(rows: list[dict], form: str) -> list[dict]:
    return [row | theory.compared(row[form] / 1000, row["measured_bytes"] / 1000) for row in rows]


def select(data: Mapping[str, list[dict]], mtu: int, cell: int) -> list[dict]:
    return [row for row in data["points"] if (row["mtu"], row["cell"]) == (mtu, cell)]


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    for column, (mtu, cell) in enumerate(KINDS):
        form, name = ("completed_bytes", "Eq. 1 completed") if cell == 1 else ("worst_case_bytes", "worst case, computed")
        for speed, look in zip(SPEEDS, SERIES):
            rows = [row for row in select(data, mtu, cell) if row["gbps"] == speed]
            theory.draw(axes[column], axes[column + 3], against(rows, form), "metres", f"{speed}G", look)
            metres, eq1 = [row["metres"] for row in rows], [row["eq1_bytes"] / 1000 for row in rows]
            axes[column].plot(metres, eq1, color=look["color"], linestyle=":", linewidth=1)
        axes[column].plot([], [], color="black", linewidth=1, label=name)
        axes[column].plot([], [], color="black", linestyle=":", linewidth=1, label="Eq. 1")
        axes[column].set(title=f"MTU {mtu}, cells of {cell} B", yscale="log")
        axes[column].legend(fontsize="x-small")


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    of_bytes = [row for row in data["points"] if row["cell"] == 1]
    in_cells = [row for row in data["points"] if row["cell"] > 1]
    return {
        "theory-headroom-1": theory.largest(against(of_bytes, "completed_bytes")),
        "theory-headroom-2": max(100 * row["measured_bytes"] / row["worst_case_bytes"] for row in data["points"]),
        "theory-headroom-3": min(100 * row["measured_bytes"] / row["worst_case_bytes"] for row in data["points"]),
        "theory-headroom-4": max((row["measured_bytes"] - row["eq1_bytes"]) / (row["mtu"] + ETHERNET) for row in of_bytes),
        "theory-headroom-5": max(row["measured_bytes"] / row["eq1_bytes"] for row in in_cells),
    }
