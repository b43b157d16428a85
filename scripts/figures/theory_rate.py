# SPDX-License-Identifier: GPL-2.0-only
"""The rate of a link under CBFC, limited by its credits, and under OFC, limited by its level XON, for several round
trips.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from figures import Job, table, theory
from figures.style import SERIES

TITLE = "Rate of a link by its credits (CBFC) and by the level at which flows resume (OFC), for several round trips"
MINUTES = {"quick": 1, "full": 4}
PANELS = (2, 3)
RATE = ("rate (% of the link)",)
LABELS = theory.labels(*(("credits (kB)", *RATE),) * 2, ("XON (kB)", *RATE))

BYTES_PER_NS = 12.5  # 100 Gb/s
FRAME = 1058  # stored, for a payload of 1000 B
WIRE = FRAME + 24
CREDITS = 9  # of 128 B, for the frame with its 4 B of FCS
UPDATE = 8  # in bytes
RESPONSE = 3840
STOP = 64 + 8 + 20  # OFC's frame for one flow, on the wire
SPACINGS = (6400, 51200)  # of updates, in bytes: SAI's default, and a spacing larger than some of the round trips
DELAYS = {"CBFC": (250, 1000, 4000), "OFC": (1000, 2000, 4000)}  # in ns
SHARES = {"quick": (0.1, 0.4, 0.7, 0.9, 1.2), "full": tuple(step / 20 for step in range(1, 29))}
ROUNDS = 50
XOFF = 150000
CONGESTION = 68 / 75 * XOFF  # XOFFc
SLOWER = 2  # factor of the receiver's link under OFC
DRAIN = BYTES_PER_NS / SLOWER * FRAME / WIRE  # in stored bytes per ns
FRAME_NS = WIRE / BYTES_PER_NS


def jobs(size: str) -> list[Job]:
    """Return simulations with one flow between two hosts at a switch."""
    common = {"topology": "star", "hosts": "2", "collective": "broadcast", "rate": "100Gbps", "ns3::lossless::RoceNic::Window": "0"}
    found = []
    for spacing in SPACINGS:
        for delay in DELAYS["CBFC"]:
            most = round_trip(delay) + spacing / BYTES_PER_NS + FRAME_NS
            for frames in sorted({max(2, round(share * most / FRAME_NS)) for share in SHARES[size]}):
                options = {
                    "scheme": "CBFC",
                    "delay": f"{delay}ns",
                    "size": f"{frames * ROUNDS}kB",  # rounds of all credits
                    "ns3::lossless::CbfcFlowControl::ChannelCredits": str(frames * CREDITS),
                    "ns3::lossless::CbfcFlowControl::UpdateSpacing": str(spacing),
                }
                found.append(Job(f"CBFC-{spacing}-{delay}ns-{frames}-{size}", "lossless-run", common | options))
    for delay in DELAYS["OFC"]:
        for xon in sorted({round(share * DRAIN * resumed_after(delay)) for share in SHARES[size]}):
            options = {
                "scheme": "OFC",
                "delay": f"{delay}ns",
                "size": "20MB",
                "slow-link": f"h1-s0:{100 // SLOWER}Gbps",
                "buffer-policy": "Static",
                "ns3::lossless::StaticBufferPolicy::Xoff": str(XOFF),
                "ns3::lossless::StaticBufferPolicy::Xon": str(xon),
            }
            found.append(Job(f"OFC-{delay}ns-{xon}-{size}", "lossless-run", common | options))
    return found


def round_trip(delay: float) -> float:
    """Return the time, in ns, from a frame's first bit at the sender until its credits are used again: the frame
    arrives and leaves the switch, and the update returns and takes effect.
    """
    return 2 * delay + 2 * FRAME_NS + (UPDATE + RESPONSE) / BYTES_PER_NS


def cbfc_rates(frames: int, delay: float, spacing: float) -> tuple[float, float]:
    """Return the minimum and maximum rate, as a share of the link's rate.

    Credits return after a round trip and then wait for an update, for up to its spacing and for the rest of a frame. If
    all credits are freed between two updates, the duration of a round is the spacing alone.
    """
    period, burst = spacing / BYTES_PER_NS, frames * FRAME_NS
    least = max(round_trip(delay), period)
    most = period if round_trip(delay) + burst <= period else round_trip(delay) + period + FRAME_NS
    return min(1, burst / most), min(1, burst / least)


def resumed_after(delay: float) -> float:
    """Return the time, in ns, from OFC's decision that a flow may continue until its first frame has arrived."""
    return 2 * delay + (STOP + RESPONSE + WIRE) / BYTES_PER_NS


def ofc_rate(xon: float, delay: float) -> tuple[float, float]:
    """Return the rate relative to that of the receiver's link, and the length of a round in ns. In each round, the link
    is idle from when XON has drained until the first frame arrives.
    """
    growth = (SLOWER - 1) * DRAIN
    stopped_after = resumed_after(delay) - FRAME_NS / 2  # on average, half a frame was being sent
    lowest = max(0, xon - DRAIN * resumed_after(delay))
    overshoot = growth * stopped_after
    length = (CONGESTION - lowest) / growth + stopped_after + (CONGESTION + overshoot - xon) / DRAIN + resumed_after(delay)
    return 1 - max(0, resumed_after(delay) - xon / DRAIN) / length, length


def read(job: Job, folder: Path) -> dict:
    options, scheme = job.options, job.options["scheme"]
    delay = int(options["delay"].removesuffix("ns"))
    flow = table(folder, "flows").iloc[0]
    if scheme == "CBFC":
        credits, spacing = (int(options[f"ns3::lossless::CbfcFlowControl::{name}"]) for name in ("ChannelCredits", "UpdateSpacing"))
        # The frames of the last round do not wait; everything that depends on the others is counted for one round.
        burst = credits // CREDITS * FRAME_NS
        time = flow.fct_ns - 2 * delay - FRAME_NS - burst
        rates = cbfc_rates(credits // CREDITS, delay, spacing)
        predicted = sum(rates) / 2
        allowed = max((rates[1] - rates[0]) / 2, predicted / ROUNDS)
        measured, place = (ROUNDS - 1) * burst / time, credits * 128 / 1000
    else:
        spacing, xon = 0, int(options["ns3::lossless::StaticBufferPolicy::Xon"])
        predicted, length = ofc_rate(xon, delay)
        frame = SLOWER * FRAME_NS
        # The thresholds are accurate to one frame.
        allowed = frame / length
        measured, place = flow.bytes / 1000 * frame / (flow.fct_ns - 2 * delay - FRAME_NS), xon / 1000
    return {
        "scheme": scheme,
        "spacing": spacing,
        "delay_ns": delay,
        "kilobytes": place,
        **theory.compared(100 * predicted, 100 * measured),
        "allowed_percent": 100 * allowed / predicted,
    }


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    return {"points": sorted(records, key=lambda row: row["kilobytes"])}


def select(data: Mapping[str, list[dict]], scheme: str) -> list[dict]:
    return [row for row in data["points"] if row["scheme"] == scheme]


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    panels = (*(("CBFC", spacing, f"CBFC, updates every {spacing} B") for spacing in SPACINGS), ("OFC", 0, "OFC, receiver at half the rate"))
    for column, (scheme, spacing, title) in enumerate(panels):
        for delay, look in zip(DELAYS[scheme], SERIES):
            rows = [row for row in select(data, scheme) if (row["spacing"], row["delay_ns"]) == (spacing, delay)]
            theory.draw(axes[column], axes[column + 3], rows, "kilobytes", f"{delay / 1000:g} us of cable", look)
        axes[column].set(title=title)


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    cbfc, ofc = select(data, "CBFC"), select(data, "OFC")
    by_period = [row for row in cbfc if row["allowed_percent"] < 100.1 / ROUNDS and row["predicted"] < 100]
    return {
        "theory-rate-1": theory.of_allowed(cbfc),
        "theory-rate-2": theory.largest(by_period),
        "theory-rate-3": theory.largest(ofc),
        "theory-rate-4": theory.of_allowed(ofc),
    }
