# SPDX-License-Identifier: GPL-2.0-only
"""The maximum use of a link's headroom, against the length of its cable, together with formulas and vendors' tables."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from figures import Job, table

TITLE = "Headroom used at its worst against cable length at 10 to 800G, computed, and in vendors' tables"
MINUTES = {"quick": 1, "full": 5}
PANELS = (2, 3)
LABELS = (("cable (m)", "headroom (kB)"),) * 6

# By speed in Gb/s: the response time that IEEE 802.3 permits (31B.3.7, as in SONiC's buffer_headroom_mellanox.lua), in
# quanta, and the cells of the switch with whose table it is compared (from the slope of that table).
RESPONSE_QUANTA = {10: 67, 25: 80, 40: 118, 100: 394, 400: 905, 800: 905}
CELL_BYTES = {10: 96, 25: 96, 40: 96, 100: 96, 400: 144, 800: 192}
MTU = 9100  # of SONiC's ports
LOSSLESS_MTU = 1024  # of the lossless packets that SONiC's calculator assumes
PHASES = {"quick": 8, "full": 64}
STEP = {"quick": 50, "full": 10}
LONGEST = 300

# The column xoff of pg_profile_lookup.ini in SONiC's device/mellanox, by speed and length, in bytes.
VENDORS = {
    "SN2700": {
        10: {5: 29696, 40: 29696, 300: 36864},
        25: {5: 29696, 40: 31744, 300: 48128},
        40: {5: 29696, 40: 32768, 300: 59392},
        100: {5: 30720, 40: 38912, 300: 104448},
    },
    "SN4700": {400: {5: 38912, 40: 77824, 300: 373760}},
    "SN5600": {800: {5: 257024, 40: 362496, 300: 1150976}},
    "SN5610N": {
        10: {5: 20480, 40: 20480, 250: 14336},
        25: {5: 21504, 40: 22528, 250: 20480},
        40: {5: 24576, 40: 25600, 250: 28672},
        100: {5: 44032, 40: 49152, 250: 68608},
        400: {5: 86016, 40: 104448, 250: 208896},
        800: {5: 95232, 40: 132096, 250: 349184},
    },
}


def jobs(size: str) -> list[Job]:
    lengths = sorted({5, 40, *range(0, LONGEST + 1, STEP[size])})
    return [
        Job(
            name=f"{speed}G-{lossless_mtu}-{size}",
            program="headroom-watermark",
            options={
                "rate": f"{speed}Gbps",
                "metres": ",".join(map(str, lengths)),
                "mtu": str(MTU),
                "lossless-mtu": str(lossless_mtu),
                "cell": str(CELL_BYTES[speed]),
                "quanta": str(quanta),
                "phases": str(PHASES[size]),
            },
        )
        for speed, quanta in RESPONSE_QUANTA.items()
        for lossless_mtu in (MTU, LOSSLESS_MTU)
    ]


def read(_: Job, folder: Path) -> list[dict]:
    rows = table(folder, "headroom-watermark")
    rows["gbps"] = rows.pop("speed") // 10**9
    return rows.to_dict("records")


def reduce(records: list[list[dict]]) -> dict[str, list[dict]]:
    points = sorted((row for rows in records for row in rows), key=lambda row: (row["gbps"], row["metres"]))
    measured = {
        (row["gbps"], row["metres"]): row["measured_bytes"]
        for row in points
        if row["lossless_mtu"] == LOSSLESS_MTU
    }
    vendors = [
        {
            "switch": switch,
            "gbps": speed,
            "metres": metres,
            "table_bytes": size,
            "measured_bytes": measured[speed, metres],
        }
        for switch, speeds in VENDORS.items()
        for speed, lengths in speeds.items()
        for metres, size in lengths.items()
    ]
    return {"points": points, "vendors": vendors}


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    for ax, speed in zip(axes, RESPONSE_QUANTA):
        full, small = (select(data, speed, lossless_mtu) for lossless_mtu in (MTU, LOSSLESS_MTU))
        dots = {"marker": "o", "linestyle": "none"}
        ax.plot(*curve(full, "worst_case_bytes"), color="#d55e00", label="worst case, computed")
        ax.plot(*curve(full, "measured_bytes"), color="#0072b2", label="used", **dots)
        ax.plot(*curve(small, "measured_bytes"), color="#56b4e9", label="used, frames up to 1 kB", **dots)
        ax.plot(*curve(full, "eq1_bytes"), color="#7f7f7f", linestyle="--", label="DSH, Eq. 1")
        for switch, look in zip(VENDORS, ({"marker": "s"}, {"marker": "s"}, {"marker": "s"}, {"marker": "x"})):
            points = [row for row in data["vendors"] if (row["switch"], row["gbps"]) == (switch, speed)]
            if points:
                places, heights = zip(*((row["metres"], row["table_bytes"] / 1000) for row in points))
                ax.plot(places, heights, color="black", markersize=5, linestyle="none", label=switch, **look)
        # The legend is above everything that is drawn.
        ax.set(title=f"{speed}G, cells of {CELL_BYTES[speed]} B", ylim=(0, 1.45 * ax.get_ylim()[1]))
        ax.legend(fontsize="x-small", ncols=2, loc="upper left")


def select(data: Mapping[str, list[dict]], speed: int, lossless_mtu: int) -> list[dict]:
    return [row for row in data["points"] if (row["gbps"], row["lossless_mtu"]) == (speed, lossless_mtu)]


def curve(rows: list[dict], name: str) -> tuple[list[float], list[float]]:
    return [row["metres"] for row in rows], [row[name] / 1000 for row in rows]


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    full = [row for row in data["points"] if row["lossless_mtu"] == MTU]
    shares = [100 * row["measured_bytes"] / row["worst_case_bytes"] for row in full]
    tables = {(row["switch"], row["gbps"], row["metres"]): row for row in data["vendors"]}

    def covers(*key: object) -> float:
        return tables[key]["table_bytes"] / tables[key]["measured_bytes"]

    return {
        "headroom-watermark-1": max(shares),
        "headroom-watermark-2": min(shares),
        "headroom-watermark-3": max(abs(slope(data, speed) - 1) for speed in RESPONSE_QUANTA) * 100,
        "headroom-watermark-4": covers("SN2700", 100, 300),
        "headroom-watermark-5": covers("SN4700", 400, 300),
        "headroom-watermark-6": covers("SN5600", 800, 300),
        "headroom-watermark-7": covers("SN5610N", 800, 250),
    }


def slope(data: Mapping[str, list[dict]], speed: int) -> float:
    """Return the measured bytes per metre of cable divided by the law, which is twice the content of the cable, in
    cells that are used least efficiently.
    """
    measured = {row["metres"]: row["measured_bytes"] for row in select(data, speed, MTU)}
    nanoseconds = 2 * 5 * LONGEST
    return (measured[LONGEST] - measured[0]) / (nanoseconds * speed / 8 * waste(CELL_BYTES[speed]))


def waste(cell: int) -> float:
    """Return the bytes of cells per byte on the wire, for frames of 60 B or of one byte more than whole cells, with 24
    B of framing.
    """
    return max(-(-size // cell) * cell / (size + 24) for size in (60, -(-60 // cell) * cell + 1))
