# SPDX-License-Identifier: GPL-2.0-only
"""Claims that are arithmetic: each by its formula, without any simulation."""

from __future__ import annotations

from collections.abc import Mapping

from figures.burst_theory import Switch, theorem_limit

LIGHT = 299792458  # metres a second
MEBIBYTE = 1 << 20


def independence() -> float:
    """DSH's burst with seven classes of a port by that with three; without private buffers, which the theorem has not."""
    limits = [theorem_limit(Switch(queues=queues, private=0), "DSH", 2, 16, 16) for queues in (7, 3)]
    return limits[0] / limits[1]


def ingress_by_ecn(ports: int) -> float:
    """An ingress queue that alone fills the egress queues of all ports up to the threshold of ECN, by that threshold."""
    egress = [200e3] * ports
    return sum(egress) / egress[0]


def headroom_bytes(rate: float, delay: float) -> float:
    """What can arrive after a PAUSE at so many bit/s, with such a cable, in seconds (DSH, Eq. 1)."""
    return 2 * (rate / 8 * delay + 1500) + 3840


# What still arrives after a PAUSE is decided, or does not after a RESUME: T_hop until the neighbour has it, and T_hop until it
# takes effect (FAFC, Section II-F); in T_hop Bw. That is one product of rate and round trip.
UNDER_WAY = 1 + 1

VALUES: Mapping[str, float] = {
    "ofc-s3c-2": 68 / 75,
    "fafc-s4b-6": 25e9 / 8 * 30.6e-6 / 1000,
    "fafc-s4c-1": 12 * 24,
    "fafc-s2e-1": ingress_by_ecn(19) / 19,
    "fafc-s2f-1": (UNDER_WAY + UNDER_WAY) / 2,  # above XOFF, and below XON; in round trips
    "fafc-s2f-2": UNDER_WAY / 2,
    "fafc-s2f-3": UNDER_WAY + UNDER_WAY,
    # Counters of each ingress port, egress port and class, of two bytes.
    "capfc-s2g-1": 48 * 48 * 8,
    "capfc-s2g-2": 48 * 48 * 8 * 2 / 1024,
    "capfc-s2g-3": 128 * 128,
    "capfc-s3-1": headroom_bytes(1e9, 1e-6),
    "pabo-fig1-1": 0.6 + 0.5,
    "dsh-eq1-4": 300 / (0.65 * LIGHT) * 1e6,
    "dsh-eq3-2": 100 * 32 * 8 * headroom_bytes(40e9, 1.5e-6) / (12 * MEBIBYTE),
    "dsh-thm-1": independence(),
    "dsh-s5b-1": 8 * 2,
    "dsh-s5b-2": 16 / 16,
}
