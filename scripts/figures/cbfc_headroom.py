# SPDX-License-Identifier: GPL-2.0-only
"""The minimum memory of a class on a fully utilized link without losses, under PFC and CBFC, against the cable length.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from figures import Job, table
from figures.style import SCHEMES

TITLE = "Least memory of a class on a link against cable length at 25, 100 and 400G: headroom and threshold, credits"
MINUTES = {"quick": 1, "full": 2}
PANELS = (2, 3)
LABELS = (("cable (m)", "memory (kB)"),) * 6

SPEEDS = (25, 100, 400)
METRES = {"quick": (5, 40, 100, 300, 1000, 2000), "full": (0, 5, 20, 40, *range(100, 2001, 100))}
FRAME = 1538  # bytes on the wire
RESPONSE = 3840  # bytes transmitted until a sender reacts
CLASSES = 7  # number of lossless classes per port, as in DSH's networks
SPACINGS = (6400, 800)  # of updates, in bytes: SAI's default and its minimum


def jobs(size: str) -> list[Job]:
    common = {"metres": ",".join(map(str, METRES[size]))}
    spacing = "ns3::lossless::CbfcFlowControl::UpdateSpacing"
    return [
        Job(f"{speed}G-{kind}-{size}", "link-buffer", {**common, "rate": f"{speed}Gbps", **options})
        for speed in SPEEDS
        for kind, options in (
            ("PFC", {"scheme": "PFC", "buffer-policy": "Static"}),
            *((f"CBFC-{bytes_}", {"scheme": "CBFC", spacing: str(bytes_)}) for bytes_ in SPACINGS),
        )
    ]


def read(job: Job, folder: Path) -> list[dict]:
    rows = table(folder, "link-buffer")
    rows["gbps"] = rows.pop("speed") // 10**9
    rows["kind"] = job.name.split("-", 1)[1].rpartition("-")[0]
    return rows.to_dict("records")


def reduce(records: list[list[dict]]) -> dict[str, list[dict]]:
    return {"points": sorted((row for rows in records for row in rows), key=lambda row: row["metres"])}


def select(data: Mapping[str, list[dict]], speed: int, kind: str) -> list[dict]:
    return [row for row in data["points"] if (row["gbps"], row["kind"]) == (speed, kind)]


def total(row: Mapping[str, float]) -> float:
    return row["headroom_bytes"] + row["threshold_bytes"] + row["credit_bytes"]


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    for ax, speed in zip(axes, SPEEDS):
        pfc = select(data, speed, "PFC")
        metres = [row["metres"] for row in pfc]
        ax.plot(metres, [total(row) / 1000 for row in pfc], label="PFC", **SCHEMES["PFC"])
        headroom = [row["headroom_bytes"] / 1000 for row in pfc]
        ax.plot(metres, headroom, color=SCHEMES["PFC"]["color"], linestyle="--", label="PFC: headroom alone")
        for spacing, line in zip(SPACINGS, ("-", ":")):
            rows = select(data, speed, f"CBFC-{spacing}")
            heights = [total(row) / 1000 for row in rows]
            ax.plot(metres, heights, linestyle=line, label=f"CBFC, updates every {spacing} B", **SCHEMES["CBFC"])
        ax.set(title=f"{speed}G, one class", ylim=(0, None))
        ax.legend(fontsize="x-small", loc="upper left")
    for ax, speed in zip(axes[len(SPEEDS) :], SPEEDS):
        for label, (metres, heights), look in port_curves(data, speed):
            ax.plot(metres, [height / 1000 for height in heights], label=label, **look)
        ax.set(title=f"{speed}G, set aside for a port of {CLASSES} classes", ylim=(0, None))
        ax.legend(fontsize="x-small", loc="upper left")


def port_curves(data: Mapping[str, list[dict]], speed: int) -> list[tuple[str, tuple, dict]]:
    """Return the memory that a port reserves for all classes, from what one class needs. SIH reserves its headroom, and
    CBFC its credits, for each class. DSH reserves the headroom of one class as its insurance. Everything else is shared
    memory.
    """
    pfc, cbfc = select(data, speed, "PFC"), select(data, speed, f"CBFC-{SPACINGS[0]}")
    headroom = [row["headroom_bytes"] for row in pfc]
    metres = [row["metres"] for row in pfc]
    return [
        ("SIH: headroom of each class", (metres, [CLASSES * height for height in headroom]), SCHEMES["SIH"]),
        ("DSH: insurance of the port", (metres, headroom), SCHEMES["DSH"]),
        (
            "CBFC: credits of each class",
            ([row["metres"] for row in cbfc], [CLASSES * total(row) for row in cbfc]),
            SCHEMES["CBFC"],
        ),
    ]


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    def ratio(speed: int, metres: int) -> float:
        pfc, cbfc = (
            next(total(row) for row in select(data, speed, kind) if row["metres"] == metres)
            for kind in ("PFC", "CBFC-6400")
        )
        return pfc / cbfc

    def slope(kind: str) -> float:
        heights = {row["metres"]: total(row) for row in select(data, 400, kind)}
        return (heights[2000] - heights[300]) / 1700

    deviations = []
    for speed in SPEEDS:
        for row in select(data, speed, "CBFC-6400"):
            wire = 2 * row["metres"] * 5 * speed / 8 + 2 * FRAME + 6400 + 8 + RESPONSE
            deviations.append(abs(total(row) / (wire / FRAME * 12 * 128) - 1) * 100)
    return {
        "cbfc-headroom-1": ratio(400, 2000),
        "cbfc-headroom-2": ratio(25, 5),
        "cbfc-headroom-3": slope("CBFC-6400") / slope("PFC"),
        "cbfc-headroom-4": max(deviations),
    }
