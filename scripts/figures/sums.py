# SPDX-License-Identifier: GPL-2.0-only
"""Claims that are arithmetic. Each is calculated from its formula, without a simulation."""

from __future__ import annotations

from collections.abc import Mapping

from figures.burst_theory import Switch, theorem_limit

LIGHT = 299792458  # in metres per second
MEBIBYTE = 1 << 20


def independence() -> float:
    """Return DSH's burst with seven classes per port divided by that with three, without private buffers, which the
    theorem does not include.
    """
    limits = [theorem_limit(Switch(queues=queues, private=0), "DSH", 2, 16, 16) for queues in (7, 3)]
    return limits[0] / limits[1]


def ingress_by_ecn(ports: int) -> float:
    """Return the length of an ingress queue that alone fills the egress queues of all ports up to the ECN threshold,
    divided by that threshold.
    """
    egress = [200e3] * ports
    return sum(egress) / egress[0]


def headroom_bytes(rate: float, delay: float) -> float:
    """Return the number of bytes that can arrive after a PAUSE at this rate in bit/s, with a cable of this delay in
    seconds (DSH, Eq. 1).
    """
    return 2 * (rate / 8 * delay + 1500) + 3840


# The data that still arrive after the decision on a PAUSE, or do not arrive after a RESUME: T_hop until the neighbour
# receives it, and T_hop until it takes effect (FAFC, Section II-F), in units of T_hop Bw. This is one product of rate
# and round trip.
UNDER_WAY = 1 + 1

VALUES: Mapping[str, float] = {
    "ofc-s3c-2": 68 / 75,
    "fafc-s4b-6": 25e9 / 8 * 30.6e-6 / 1000,
    "fafc-s4c-1": 12 * 24,
    "fafc-s2e-1": ingress_by_ecn(19) / 19,
    "fafc-s2f-1": (UNDER_WAY + UNDER_WAY) / 2,  # above XOFF, and below XON; in round trips
    "fafc-s2f-2": UNDER_WAY / 2,
    "fafc-s2f-3": UNDER_WAY + UNDER_WAY,
    # Counters of each ingress port, egress port and class, with two bytes each.
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
