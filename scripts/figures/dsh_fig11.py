# SPDX-License-Identifier: GPL-2.0-only
"""DSH Fig. 11: how long the 16 senders of a burst are paused, against the burst size."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from figures import Job, table
from figures.burst_theory import Switch, branch_boundary, drained_limit, theorem_limit
from figures.style import SCHEMES

TITLE = "DSH Fig. 11: PAUSE time of 16 fan-in flows against the size of their burst, SIH, SHP and DSH"
MINUTES = {"quick": 1, "full": 6}
LABELS = ("burst size (% of the buffer)", "PAUSE time of the fan-in ports (ms)")

BURST_PORTS = range(2, 18)
BURST_START = {"quick": "2ms", "full": "100ms"}  # the paper uses 0.1 s; the background settles within 1 ms
# Shares of the buffer, in per cent, at which the sweep is finer: (first, last, step).
NEAR_LIMIT = {
    "SIH": [(6, 14, 1), (9, 12, 0.1)],
    "SHP": [(24, 34, 1), (27, 32, 0.1)],
    "DSH": [(35, 46, 1), (38, 44, 0.1)],
}
# The other reading of "16MB", only near its limits. The results depend on MiB (see dsh_fig13.py).
MEGABYTES = 16000000
NEAR_LIMIT_OF_MEGABYTES = {"SIH": (7, 10, 0.1), "DSH": (36, 42, 0.1)}


def jobs(size: str) -> list[Job]:
    decimal = [
        Job(
            name=f"{scheme}-{share:06.2f}-of-{MEGABYTES}-{BURST_START[size]}",
            program="burst-absorption",
            options={
                "scheme": scheme,
                "burst-share": f"{share:g}",
                "background": "true",
                "burst-start": BURST_START[size],
                "buffer": str(MEGABYTES),
            },
        )
        for scheme, steps in NEAR_LIMIT_OF_MEGABYTES.items()
        for share in steps_of(*steps)
    ]
    return [
        Job(
            name=f"{scheme}-{share:06.2f}-background-{background}-{BURST_START[size]}",
            program="burst-absorption",
            options={
                "scheme": scheme,
                "burst-share": f"{share:g}",
                "background": background,
                "burst-start": BURST_START[size],
            },
        )
        for scheme in NEAR_LIMIT
        for background in ("true", "false")
        for share in shares(scheme, size)
    ] + decimal


def shares(scheme: str, size: str) -> list[float]:
    """Return steps of 5 % (full size: 1 %) up to the whole buffer, with finer steps around the predicted limit."""
    ranges = [(5, 100, 5) if size == "quick" else (1, 100, 1), *NEAR_LIMIT[scheme]]
    return sorted({share for steps in ranges for share in steps_of(*steps)})


def steps_of(first: float, last: float, step: float) -> list[float]:
    return [round(first + number * step, 2) for number in range(round((last - first) / step) + 1)]


def read(job: Job, folder: Path) -> dict:
    """Return the PAUSEs of the burst's ingress ports: their number, and the time summed over the ports."""
    rows = table(folder, "pauses")
    rows = rows[rows.port.isin(BURST_PORTS)]
    return {
        "scheme": job.options["scheme"],
        "background": job.options["background"],
        "megabytes": "buffer" in job.options,
        "burst_percent": float(job.options["burst-share"]),
        "pauses": int(rows.pauses.sum()),
        "paused_ms": int(rows.paused_ns.sum()) / 1e6,
    }


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    records = sorted(records, key=lambda row: (row["scheme"], row["background"], row["burst_percent"]))
    points, decimal = ([row for row in records if row["megabytes"] == other] for other in (False, True))
    curves = sorted({(row["scheme"], row["background"]) for row in points}, reverse=True)
    return {
        "points": points,
        "limits": [limits(points, *curve) for curve in curves],
        "megabytes": [
            {"scheme": scheme, "largest_without_pause_percent": largest_without_pause(decimal, scheme)}
            for scheme in NEAR_LIMIT_OF_MEGABYTES
        ],
    }


def largest_without_pause(points: list[dict], scheme: str) -> float | None:
    """Return the largest share without a PAUSE, with background; nothing if the first share has a PAUSE or none has."""
    curve = [row for row in points if row["scheme"] == scheme]
    first = next((number for number, row in enumerate(curve) if row["pauses"]), 0)
    return curve[first - 1]["burst_percent"] if first else None


def limits(points: list[dict], scheme: str, background: str) -> dict:
    """Return the shares between which a curve has its first PAUSE, with the theoretical limit (empty if there is no
    such share).
    """
    curve = [row for row in points if (row["scheme"], row["background"]) == (scheme, background)]
    first = next((row["burst_percent"] for row in curve if row["pauses"]), None)
    free = [row["burst_percent"] for row in curve if first is None or row["burst_percent"] < first]
    n = 2 if background == "true" else 0  # background flows, from ports 0 and 1 to one other port
    m = len(BURST_PORTS)
    return {
        "scheme": scheme,
        "background": background,
        "largest_without_pause_percent": free[-1] if free else None,
        "first_with_pause_percent": first,
        # R = 16: each queue receives at the rate of its port and drains at a sixteenth of that rate.
        "theorem_percent": theorem_limit(Switch(), scheme, n, m, r=m),
        "theorem_real_drains_percent": drained_limit(Switch(), scheme, n, m, 1 / 2, 1 / m),
    }


def draw(ax, data: Mapping[str, list[dict]]) -> None:
    """Draw lines with markers for runs with background and thin lines without it. Predictions for the former are
    vertical lines, below the legend.
    """
    ax.plot([], [], color="black", linewidth=0.6, label="no background")
    ax.plot([], [], color="black", linestyle="--", linewidth=1, label="theorem")
    ax.plot([], [], color="black", linestyle=":", linewidth=1, label="with real drains")
    for limit in data["limits"]:
        scheme, background = limit["scheme"], limit["background"]
        curve = [
            (row["burst_percent"], row["paused_ms"])
            for row in data["points"]
            if (row["scheme"], row["background"]) == (scheme, background)
        ]
        color = SCHEMES[scheme]["color"]
        if background == "false":
            ax.plot(*zip(*curve), color=color, linewidth=0.6)
            continue
        theorem, drained = limit["theorem_percent"], limit["theorem_real_drains_percent"]
        ax.plot(*zip(*curve), **SCHEMES[scheme], label=f"{scheme} ({theorem:.1f} %, {drained:.1f} %)")
        ax.axvline(theorem, ymax=0.45, color=color, linestyle="--", linewidth=1)
        ax.axvline(drained, ymax=0.45, color=color, linestyle=":", linewidth=1)
    ax.set(xlim=(0, 100), ylim=(0, None))


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    largest = {
        row["scheme"]: row["largest_without_pause_percent"]
        for row in data["limits"]
        if row["background"] == "true"
    }
    sih, dsh = largest["SIH"], largest["DSH"]
    ratio = dsh / sih if dsh and sih else None
    decimal = {row["scheme"]: row["largest_without_pause_percent"] for row in data["megabytes"]}
    return {
        "dsh-fig11-1": dsh,
        "dsh-fig11-2": ratio,
        "dsh-fig11-3": sih,
        "dsh-fig11-4": branch_boundary(Switch(), n=2, m=len(BURST_PORTS)),
        "dsh-fig11-5": decimal["DSH"],
        "dsh-fig11-6": decimal["DSH"] / decimal["SIH"] if all(decimal.values()) else None,
        "dsh-fig11-7": ratio,
    }
