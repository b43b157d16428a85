# SPDX-License-Identifier: GPL-2.0-only
"""CaPFC's switch with N senders at line rate and one receiver: the first PAUSE or loss, the largest egress queue and the
time from PAUSE to PAUSE, for CaPFC and for PFC in the same switch.

All senders start simultaneously. In each round, one frame of each sender arrives and one frame leaves; the forms count frames.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from math import ceil
from pathlib import Path

from figures import Job, table, theory
from figures.style import SCHEMES

TITLE = "CaPFC's switch with N senders and one receiver: first PAUSE or loss, largest queue and rounds, by count and by simulation"
MINUTES = {"quick": 1, "full": 1}
PANELS = (2, 3)
LABELS = theory.labels(*(("senders", y) for y in ("first PAUSE or loss (us)", "largest egress queue (kB)", "PAUSE to PAUSE (us)")))

CAPFC = ("CaPFC-Max", "CaPFC-Cal")
STOPPING, DROPPING = "PFC-wstop", "PFC-wdrop"
SENDERS = (2, 3, 4, 5, 6, 7)  # more senders would overload the processor
DELAYS = {"quick": (1000, 50000), "full": (1000, 20000, 50000, 100000)}  # in ns
MARKERS = "osD^"  # one for each delay
NS_PER_BYTE = 8  # 1 Gb/s
FRAME = 1058  # bytes stored for a payload of 1000 B
FRAME_NS = (FRAME + 24) * NS_PER_BYTE
LATENCY = 25000
PROCESSING = 1000  # time per frame, at 1 Mpps
PAUSE_NS = (84 + 3840) * NS_PER_BYTE  # the PAUSE frame, and 60 quanta until it takes effect
CUT = 0.8
# In frames. If N - 1 divides WARN, the counts of all senders begin in the same round.
WARN, XOFF = 60, 75
INGRESS_XOFF, INGRESS_XON, EGRESS_MAX = (level // FRAME for level in (50000, 40000, 60000))


def jobs(size: str) -> list[Job]:
    """Return simulations, each of which is ended by a single frame of another class to another receiver."""
    found = []
    for scheme in (*CAPFC, STOPPING, DROPPING):
        for delay in DELAYS[size]:
            for n in SENDERS:
                options = {
                    "scheme": scheme,
                    "rate": "1Gbps",
                    "delay": f"{delay}ns",
                    "ports": str(n + 3),
                    "background-senders": str(n),
                    "incast-senders": "1",
                    "burst-share": "0.001",
                    "burst-start": f"{1.2 * end(scheme, n, delay) / 1000:.0f}us",
                    "pause-events": "true",
                    "ns3::lossless::CapfcBufferPolicy::IngressMax": "200000",
                }
                if scheme in CAPFC:
                    options |= {"sample": "1us", "sample-from": "0s", "sample-queues": f"s0:{n + 2}:2"}
                    options["ns3::lossless::CapfcBufferPolicy::EgressMax"] = "10000000"
                    for name, frames in (("Warn", WARN), ("Xon", WARN), ("Xoff", XOFF)):
                        options[f"ns3::lossless::CapfcFlowControl::{name}"] = str(frames * FRAME)
                found.append(Job(f"{scheme}-{delay}ns-N{n}-{size}", "burst-absorption", options))
    return found


def end(scheme: str, n: int, delay: int) -> int:
    """Return the time, in ns, at which all predicted events have occurred; losses are counted for as long as the first one has taken."""
    found = predict(scheme, n, delay)
    return found["first"] + found.get("round", found["first"])


def predict(scheme: str, n: int, delay: int) -> dict[str, int]:
    """Return the predicted times in ns, and the largest queue in frames."""
    begin = FRAME_NS + delay + LATENCY + PROCESSING  # time at which the first frame is in the egress queue
    if scheme == DROPPING:
        return {"first": begin + growth(n, EGRESS_MAX + 1)}
    return predict_pfc(n, delay, begin) if scheme == STOPPING else predict_capfc(scheme, n, delay, begin)


def place_of(n: int, frames: int) -> tuple[int, int]:
    """Return the round, and the position in it, of the frame with which an empty queue reaches a length; both start at 0."""
    rounds = max(0, ceil((frames - n) / (n - 1)))
    return rounds, frames - 1 - (n - 1) * rounds


def growth(n: int, frames: int) -> int:
    """Return the time, in ns, from the first frame in an empty egress queue until the queue reaches a length."""
    rounds, place = place_of(n, frames)
    return rounds * FRAME_NS + place * PROCESSING


def predict_capfc(scheme: str, n: int, delay: int, begin: int) -> dict[str, int]:
    """Return the predictions for CaPFC.

    Stop-Max stops the next sender one frame after the last frame of the previous one has arrived, and Stop-Calibrate stops
    all senders up to CUT at once. The last sender adds no more frames than leave.
    """
    effect = PAUSE_NS + 2 * delay + LATENCY + PROCESSING
    _, place = place_of(n, XOFF)
    late = ceil((effect + place * PROCESSING) / FRAME_NS)  # frames of each sender after the decision
    stages = range(n) if scheme == "CaPFC-Max" else [int(sender >= CUT * n) for sender in range(n)]
    after = [stage * (ceil(effect / FRAME_NS) + 1) + late for stage in stages]
    decided = XOFF + n - 1 - place  # at the end of the round
    stopped = (decided + sum(after) - WARN) * FRAME_NS - place * PROCESSING
    idle = effect + FRAME_NS
    return {
        "first": begin + growth(n, XOFF),
        "largest": decided + sum(after) - max(after),
        "round": stopped + idle + growth(n, XOFF - WARN + idle // FRAME_NS),
    }


def predict_pfc(n: int, delay: int, begin: int) -> dict[str, int]:
    """Return the predictions for PFC_wstop: the egress queue stays full, and each departing frame lets the next ingress queue
    move a frame.
    """
    full = INGRESS_XOFF + 1
    moved = EGRESS_MAX - ceil((LATENCY + PROCESSING) / FRAME_NS)  # frames moved before the rounds if the queue were full
    rounds = (n * (full - 2) + moved) // (n - 1) + 1  # until the queues have more than n (full - 1) frames
    first = FRAME_NS + delay + rounds * FRAME_NS
    effect = PAUSE_NS + 2 * delay
    own = rounds + 1 + ceil(effect / FRAME_NS) - INGRESS_XON  # frames that the first stopped queue moves before it resumes
    resumed = begin + (n * (own - 1) + (moved + rounds) % n + 1 - EGRESS_MAX) * FRAME_NS
    idle = effect + FRAME_NS
    again = next(k for k in count() if 1 + k - (idle + k * FRAME_NS) // (n * FRAME_NS) >= full - INGRESS_XON)
    return {"first": first, "round": resumed - first + idle + again * FRAME_NS}


def read(job: Job, folder: Path) -> list[dict]:
    """Return a row for each prediction."""
    scheme, n, delay = job.options["scheme"], int(job.options["background-senders"]), int(job.options["delay"].removesuffix("ns"))
    events = table(folder, "pause-events")
    begun, ended = (events[events.event == event].time_ns for event in ("start", "end"))
    common = {"scheme": scheme, "delay_ns": delay, "senders": n, "pauses": len(begun), "unexpected_rounds": 0.0}
    if scheme == DROPPING:
        drops = table(folder, "drops").iloc[0]
        found = {"first": drops.first_ns}
        common["unexpected_rounds"] = (drops.frames - 1) / (n - 1) - (drops.last_ns - drops.first_ns) / FRAME_NS
    else:
        found = {"first": begun.min(), "round": begun[begun > ended.min()].min() - begun.min()}
        if scheme in CAPFC:
            queues = table(folder, "queues")
            found["largest"] = queues[(queues.side == "egress") & (queues.time_ns <= ended.min())].bytes.max() / FRAME
    predicted = predict(scheme, n, delay)
    return [common | compared(what, predicted[what], measured) for what, measured in found.items()]


def compared(what: str, predicted: float, measured: float) -> dict:
    frame, unit = (1, FRAME / 1000) if what == "largest" else (FRAME_NS, 1e-3)
    return {"what": what, **theory.compared(predicted * unit, measured * unit), "allowed_percent": 100 * frame / predicted}


def reduce(records: list[list[dict]]) -> dict[str, list[dict]]:
    return {"points": sorted((row for rows in records for row in rows), key=lambda row: row["senders"])}


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    titles = {"first": "From the start", "largest": "Until the first RESUME", "round": "First round"}
    for column, (what, title) in enumerate(titles.items()):
        rows = [row for row in data["points"] if row["what"] == what]
        for scheme, delay in dict.fromkeys((row["scheme"], row["delay_ns"]) for row in rows):
            curve = [row for row in rows if (row["scheme"], row["delay_ns"]) == (scheme, delay)]
            look = SCHEMES[scheme] | {"marker": MARKERS[DELAYS["full"].index(delay)]}
            theory.draw(axes[column], axes[column + 3], curve, "senders", f"{scheme}, {delay / 1000:g} us", look)
        axes[column].set(title=title, yscale="log")
    axes[0].set_ylim(bottom=45)
    axes[0].legend(fontsize="x-small", ncols=2, loc="lower left")


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    rows = data["points"]
    dropping = [row for row in rows if row["scheme"] == DROPPING]
    found = {what: theory.largest(row for row in rows if row["what"] == what) for what in ("first", "largest", "round")}
    return {
        "theory-capfc-1": found["first"],
        "theory-capfc-2": found["largest"],
        "theory-capfc-3": found["round"],
        "theory-capfc-4": theory.of_allowed(rows),
        "theory-capfc-5": max(abs(row["unexpected_rounds"]) for row in dropping),
        "theory-capfc-6": sum(row["pauses"] for row in dropping),
    }
