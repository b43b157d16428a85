# SPDX-License-Identifier: GPL-2.0-only
"""How large a burst a switch takes before its first PAUSE: the DSH paper's Theorems 1 and 2 (section IV-C).

M empty ingress queues get a burst at once while N others already sit at their pause threshold.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Switch:
    """The switch of the paper's section V-A; sizes in bytes."""

    buffer: int = 16 << 20
    ports: int = 32
    queues: int = 7  # lossless classes of a port
    alpha: float = 1 / 16
    private: int = 3072  # of each ingress queue
    rate: float = 100e9 / 8  # bytes per second
    delay: float = 2e-6  # seconds, one way
    mtu: int = 1500
    pool_ratio: float = 2  # of the limits of all queues to the pool of SHP

    def headroom(self) -> float:
        """DSH Eq. 1."""
        return 2 * (self.rate * self.delay + self.mtu) + 3840

    def shared(self, scheme: str) -> float:
        """Bs: SIH reserves headroom for each queue, SHP a part of that, DSH (as insurance) for each port."""
        queues = self.ports * self.queues
        reservations = {"SIH": queues, "SHP": queues / self.pool_ratio, "DSH": self.ports}[scheme]
        return self.buffer - self.ports * self.queues * self.private - reservations * self.headroom()

    def empty_threshold(self, scheme: str) -> float:
        """Pause threshold of an empty switch: SIH's and SHP's is T = alpha Bs, DSH's is T - eta."""
        return self.alpha * self.shared(scheme) - (self.headroom() if scheme == "DSH" else 0)

    def share(self, burst: float) -> float:
        """Bytes as per cent of the buffer."""
        return 100 * burst / self.buffer


def theorem_limit(switch: Switch, scheme: str, n: int, m: int, r: float) -> float:
    """Largest burst without a PAUSE, all queues together, in per cent of the buffer.

    The theorems count time in bytes at the departure rate: in d of it each of the m queues takes in r d,
    so the whole burst is m r d. They know no private buffer; here it is taken out of B.
    """
    gap = switch.empty_threshold(scheme) / (1 + switch.alpha * n)
    return switch.share(m * r * gap / approach(switch, n, m, r))


def approach(switch: Switch, n: int, m: int, r: float) -> float:
    """Bytes by which a burst's queue and its threshold approach each other while a byte drains: one formula for each branch."""
    a = switch.alpha
    if r <= branch_boundary(switch, n, m):
        return (r - 1) * (1 + a * (n + m)) / (1 + a * n)
    return (1 + a * m) * (r - 1) - a * n


def fill(switch: Switch, scheme: str, n: int, r: float) -> float:
    """Bytes that drain from each of n queues until they are at their threshold (Eq. 10)."""
    return switch.empty_threshold(scheme) / (1 + switch.alpha * n) / (r - 1)


def branch_boundary(switch: Switch, n: int, m: int) -> float:
    """The load R at which the theorems' branches meet.

    The paper prints (1 - aN)/(aM) + 1. T'(0+) >= -1, from which it derives it, gives 1 + aN, and only
    there are the two formulas equal.
    """
    return (1 + switch.alpha * n) / (switch.alpha * m) + 1


def drained_limit(
    switch: Switch, scheme: str, n: int, m: int, background_drain: float, burst_drain: float
) -> float:
    """The same argument with the drain rates of this experiment, in port rates, and with private buffer.

    The theorems drain each queue at the same rate. Here n background queues share one egress port and m
    bursts another, and a burst queue first fills its private buffer, which moves no threshold.
    """
    growth = 1 - burst_drain
    pressure = switch.alpha * m * growth
    fall = pressure / (1 + switch.alpha * n)  # of T, while the background queues follow it down
    if fall > background_drain:
        fall = pressure - switch.alpha * n * background_drain
    gap = switch.empty_threshold(scheme) / (1 + switch.alpha * n)
    return switch.share(m * (gap / (growth + fall) + switch.private / growth))
