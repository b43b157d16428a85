# SPDX-License-Identifier: GPL-2.0-only
"""The largest burst that a switch accepts before its first PAUSE: the DSH paper's Theorems 1 and 2 (section IV-C).

M empty ingress queues receive a burst at the same time, while N others are already at their pause threshold.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Switch:
    """The switch of the paper's section V-A. Sizes are in bytes."""

    buffer: int = 16 << 20
    ports: int = 32
    queues: int = 7  # lossless classes of a port
    alpha: float = 1 / 16
    private: int = 3072  # of each ingress queue
    rate: float = 100e9 / 8  # bytes per second
    delay: float = 2e-6  # seconds, one way
    mtu: int = 1500
    pool_ratio: float = 2  # ratio of all queues' limits to the pool, for SHP

    def headroom(self) -> float:
        """DSH Eq. 1."""
        return 2 * (self.rate * self.delay + self.mtu) + 3840

    def shared(self, scheme: str) -> float:
        """Return Bs. SIH reserves headroom for each queue, SHP reserves a part of that, and DSH reserves it (as
        insurance) for each port.
        """
        queues = self.ports * self.queues
        reservations = {"SIH": queues, "SHP": queues / self.pool_ratio, "DSH": self.ports}[scheme]
        return self.buffer - self.ports * self.queues * self.private - reservations * self.headroom()

    def empty_threshold(self, scheme: str) -> float:
        """Return the pause threshold of an empty switch, which is T = alpha Bs for SIH and SHP, and T - eta for DSH."""
        return self.alpha * self.shared(scheme) - (self.headroom() if scheme == "DSH" else 0)

    def share(self, burst: float) -> float:
        """Return bytes as a percentage of the buffer."""
        return 100 * burst / self.buffer


def theorem_limit(switch: Switch, scheme: str, n: int, m: int, r: float) -> float:
    """Return the largest burst without a PAUSE, summed over all queues, in per cent of the buffer.

    The theorems measure time in bytes at the departure rate: in a time d, each of the m queues receives r d, so the
    whole burst is m r d. They do not include private buffers, which are subtracted from B here.
    """
    gap = switch.empty_threshold(scheme) / (1 + switch.alpha * n)
    return switch.share(m * r * gap / approach(switch, n, m, r))


def approach(switch: Switch, n: int, m: int, r: float) -> float:
    """Return the number of bytes by which a burst's queue and its threshold approach each other while one byte drains.
    There is one formula for each branch.
    """
    a = switch.alpha
    if r <= branch_boundary(switch, n, m):
        return (r - 1) * (1 + a * (n + m)) / (1 + a * n)
    return (1 + a * m) * (r - 1) - a * n


def fill(switch: Switch, scheme: str, n: int, r: float) -> float:
    """Return the bytes that drain from each of n queues until the queues reach their threshold (Eq. 10)."""
    return switch.empty_threshold(scheme) / (1 + switch.alpha * n) / (r - 1)


def branch_boundary(switch: Switch, n: int, m: int) -> float:
    """Return the load R at which the theorems' branches meet.

    The paper prints (1 - aN)/(aM) + 1. However, T'(0+) >= -1, from which it derives this load, gives 1 + aN, and only
    at that load are the two formulas equal.
    """
    return (1 + switch.alpha * n) / (switch.alpha * m) + 1


def drained_limit(
    switch: Switch, scheme: str, n: int, m: int, background_drain: float, burst_drain: float
) -> float:
    """Return the limit by the same argument, with the drain rates of this experiment, in port rates, and with private
    buffers.

    The theorems drain each queue at the same rate. Here, n background queues share one egress port and m bursts share
    another, and a burst queue first fills its private buffer, which does not change the threshold.
    """
    growth = 1 - burst_drain
    pressure = switch.alpha * m * growth
    fall = pressure / (1 + switch.alpha * n)  # of T, while the background queues follow it downwards
    if fall > background_drain:
        fall = pressure - switch.alpha * n * background_drain
    gap = switch.empty_threshold(scheme) / (1 + switch.alpha * n)
    return switch.share(m * (gap / (growth + fall) + switch.private / growth))
