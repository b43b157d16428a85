# SPDX-License-Identifier: GPL-2.0-only
"""DSH's Theorems 1 and 2 over a grid: the largest burst without a PAUSE, according to the formula and to the first
PAUSE of a simulation.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from figures import Job, table, theory
from figures.burst_theory import Switch, approach, branch_boundary, fill, theorem_limit
from figures.style import SCHEMES

TITLE = "DSH's Theorems 1 and 2: largest burst without a PAUSE against the load of a queue, by formula and by simulation"
MINUTES = {"quick": 1, "full": 3}
PANELS = (2, 3)
LABELS = theory.labels(*(("load R of each queue", "burst without a PAUSE (% of the buffer)"),) * 3)

QUEUES = ((0, 4), (2, 4), (4, 2))  # N queues that are already congested, and M queues that the burst fills
MARKERS = "osD^v"  # of the values of alpha
ALPHAS = {"quick": (1 / 16, 1 / 2), "full": (1 / 16, 1 / 8, 1 / 4, 1 / 2, 1)}
LOADS = {"quick": (1.5, 2, 4, 8), "full": (1.25, 1.5, 2, 2.5, 3, 4, 6, 8, 12)}
FRAME = 558  # in bytes in the buffer, for a payload of 500 B
WIRE = FRAME + 24
RATE = 100e9 / 8  # in bytes per second, of a sender's link

# The assumptions of the theorems: nothing in private buffers, no propagation delay and no response time.
ASSUMED = {
    "buffer": "8388608",
    "payload": "500",
    "delay": "0ns",
    "ns3::lossless::HeadroomBufferPolicy::PrivateBytes": "0",
    "ns3::lossless::HeadroomBufferPolicy::LossyPrivateBytes": "0",
    "ns3::lossless::TransmitGate::ResponseQuanta": "0",
}


def switch_of(options: Mapping[str, str]) -> Switch:
    return Switch(buffer=int(options["buffer"]), alpha=float(options["ns3::lossless::SihBufferPolicy::Alpha"]), private=0, delay=0)


def drain(load: float) -> float:
    """Return the number of bytes that leave a queue of the buffer per second."""
    return RATE / load * FRAME / WIRE


def jobs(size: str) -> list[Job]:
    found = []
    for scheme in ("SIH", "DSH"):
        for alpha in ALPHAS[size]:
            common = {**ASSUMED, "scheme": scheme, "ns3::lossless::SihBufferPolicy::Alpha": f"{alpha:g}"}
            switch = switch_of(common)
            for n, m in QUEUES:
                for load in LOADS[size]:
                    seconds = 1.2 * fill(switch, scheme, n, load) / drain(load) if n else 0
                    options = {
                        "background-senders": str(n),
                        "incast-senders": str(m),
                        "load": f"{load:g}",
                        "burst-share": f"{1.2 * theorem_limit(switch, scheme, n, m, load):.4g}",
                        "burst-start": f"{seconds * 1e6 + 1:.0f}us",
                        "pause-events": "true",
                    }
                    name = f"{scheme}-{alpha:g}-N{n}-M{m}-R{load:g}-{size}"
                    found.append(Job(name, "burst-absorption", {**common, **options}))
    return found


def read(job: Job, folder: Path) -> dict:
    """Return the time from the first bit of the burst to the first PAUSE of one of its ports, in bytes of the burst."""
    options = job.options
    n, m, load = int(options["background-senders"]), int(options["incast-senders"]), float(options["load"])
    events = table(folder, "pause-events")
    first = events[(events.event == "start") & events.port.between(n, n + m - 1)].time_ns.min()
    seconds = (first - int(options["burst-start"].removesuffix("us")) * 1000) / 1e9
    switch, scheme = switch_of(options), options["scheme"]
    predicted = theorem_limit(switch, scheme, n, m, load)
    # The possible shift due to whole frames; see test/dsh-test-suite.cc.
    frames = (3 + switch.alpha * (2 * m + 4 * n)) / approach(switch, n, m, load)
    return {
        "scheme": scheme,
        "alpha": switch.alpha,
        "n": n,
        "m": m,
        "load": load,
        **theory.compared(predicted, switch.share(m * load * drain(load) * seconds)),
        "allowed_percent": 100 * switch.share(m * load * frames * FRAME) / predicted,
    }


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    return {"points": sorted(records, key=lambda row: row["load"])}


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    for column, (n, m) in enumerate(QUEUES):
        rows = [row for row in data["points"] if (row["n"], row["m"]) == (n, m)]
        for scheme, alpha in sorted({(row["scheme"], row["alpha"]) for row in rows}):
            curve = [row for row in rows if (row["scheme"], row["alpha"]) == (scheme, alpha)]
            look = SCHEMES[scheme] | {"marker": MARKERS[ALPHAS["full"].index(alpha)]}
            theory.draw(axes[column], axes[column + 3], curve, "load", f"{scheme}, alpha {alpha:g}", look)
        axes[column].set(title=f"{n} queues at the threshold, {m} bursts", yscale="log")


def is_missed_as_printed(row: Mapping) -> bool:
    """Return whether the branch selected by the printed condition deviates by more than whole frames can explain."""
    switch = Switch(alpha=row["alpha"])
    n, m, load = row["n"], row["m"], row["load"]
    printed = (1 - switch.alpha * n) / (switch.alpha * m) + 1
    if not printed < load <= branch_boundary(switch, n, m):
        return False
    speed = (1 + switch.alpha * m) * (load - 1) - switch.alpha * n  # of the second branch
    other = row["predicted"] * approach(switch, n, m, load) / speed if speed > 0 else float("inf")
    return abs(row["measured"] / other - 1) > row["allowed_percent"] / 100


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    return {
        "theory-dsh-1": theory.largest(data["points"]),
        "theory-dsh-2": theory.of_allowed(data["points"]),
        "theory-dsh-3": sum(is_missed_as_printed(row) for row in data["points"]),
    }
