# SPDX-License-Identifier: GPL-2.0-only
"""A network according to topology.csv: ports, positions of its nodes in a drawing, and the location of pauses."""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Iterator, Mapping

import pandas
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.patheffects import withStroke

from pages.charts import Theme, shown

# With more names next to each other, they would overlap.
NAMED = 40
# Up to this number of nodes, names are large.
FEW = 12


def gigabits(links: pandas.DataFrame) -> pandas.Series:
    """Return the rates in Gbit/s; NaN for an unknown rate."""
    units = {"": 1e-9, "k": 1e-6, "M": 1e-3, "G": 1, "T": 1e3}
    if "rate" not in links:
        return pandas.Series(math.nan, links.index)
    rates = links.rate.astype(str).str.extract(r"^([\d.]+)([kMGT]?)(?:bps|b/s)$")
    return pandas.to_numeric(rates[0]) * rates[1].map(units)


def server_switches(links: pandas.DataFrame) -> dict[str, set[str]]:
    """Return the NVSwitches with their hosts. In gpu-pods, they are recognised by their names; in files, they are the
    switches of which each host also has slower links.
    """
    hosts: set[str] = set()
    ends: dict[str, list[tuple[str, float]]] = {}
    for row, rate in zip(links.itertuples(), gigabits(links)):
        hosts |= {node for node, kind in ((row.node_a, row.kind_a), (row.node_b, row.kind_b)) if kind == "host"}
        ends.setdefault(row.node_a, []).append((row.node_b, rate))
        ends.setdefault(row.node_b, []).append((row.node_a, rate))
    slowest = {host: min(rate for _, rate in ends[host]) for host in hosts}

    peers = {node: {peer for peer, _ in found} for node, found in ends.items() if node not in hosts}
    return {
        node: some
        for node, some in peers.items()
        if node.startswith("nvswitch") or (some < hosts and all(rate > slowest[peer] for peer, rate in ends[node]))
    }


class Network:
    """Hosts and switches. The level of a switch is its distance from the nearest host, except that the switches of a
    server are below its hosts.
    """

    def __init__(self, links: pandas.DataFrame) -> None:
        self.links = [(row.node_a, row.node_b, bool(row.failed)) for row in links.itertuples()]
        kinds: dict[str, str] = {}
        self.ports: dict[str, list[str]] = {}  # by node: the node at the other end, by port number
        for row in links.itertuples():
            for node, peer, kind in ((row.node_a, row.node_b, row.kind_a), (row.node_b, row.node_a, row.kind_b)):
                kinds[node] = kind
                self.ports.setdefault(node, []).append(peer)
        self.hosts = sorted((node for node, kind in kinds.items() if kind == "host"), key=natural)
        self.level = self.levels() | dict.fromkeys(server_switches(links), -1)
        self.x = self.places()

    def levels(self) -> dict[str, int]:
        level = dict.fromkeys(self.hosts, 0)
        front = self.hosts
        while front:
            reached = {peer: level[node] + 1 for node in front for peer in self.ports[node] if peer not in level}
            level |= reached
            front = [*reached]
        return level | {node: 1 for node in self.ports if node not in level}  # without a path to a host

    def places(self) -> dict[str, float]:
        """Return the positions from left to right. Hosts of the same switch are adjacent, and a switch is in the middle
        of its neighbours that are nearer to the hosts.
        """
        first = {host: self.ports[host][0] for host in self.hosts}
        hosts = sorted(self.hosts, key=lambda host: (natural(first[host]), natural(host)))
        x, place, before = {}, 0.0, None
        for host in hosts:
            place += 1.0 if first[host] == before else 1.6  # a gap between the hosts of two switches
            x[host], before = place, first[host]
        width = max(place, 1.0)
        for height in sorted({*self.level.values()} - {0}, key=abs):
            nodes = [node for node, level in self.level.items() if level == height]
            center = {node: self.center(node, x, width) for node in nodes}
            nodes.sort(key=lambda node: (center[node], natural(node)))
            step = width / len(nodes)
            apart = all(center[right] - center[left] >= 0.6 * step for left, right in zip(nodes, nodes[1:]))
            for number, node in enumerate(nodes):
                x[node] = center[node] if apart else step * (number + 0.5)
        return x

    def center(self, node: str, x: Mapping[str, float], width: float) -> float:
        nearer = [x[peer] for peer in self.ports[node] if abs(self.level[peer]) < abs(self.level[node])]
        return statistics.fmean(nearer) if nearer else width / 2

    def peer(self, node: str, port: int) -> str:
        """Return the node at the other end of a port, or an empty name if the network has no such port."""
        peers = self.ports.get(node, [])
        return peers[port] if 0 <= port < len(peers) else ""

    def inches(self) -> tuple[float, float]:
        return 9, 1.7 + 1.15 * (max(self.level.values(), default=0) - min(self.level.values(), default=0))

    def draw(self, ax, theme: Theme, stopped_percent: Mapping[tuple[str, int], float]) -> None:
        """Draw the network. The third of a link next to a node shows how long the other end stopped that node.

        `stopped_percent` is keyed by switch and ingress port, whose neighbour was stopped.
        """
        heat, most = theme.heat_map(), max(stopped_percent.values(), default=0)
        for sender, stopper, port, failed in self.halves():
            start, end = (self.x[sender], self.level[sender]), (self.x[stopper], self.level[stopper])
            third = tuple(one + (other - one) / 3 for one, other in zip(start, end))
            share = stopped_percent.get((stopper, port), 0)
            # Both halves end at a third of the link, so that where links cross, no colour seems to continue in another
            # link.
            middle = tuple((one + other) / 2 for one, other in zip(start, end))
            ax.plot(*zip(start, middle), color=theme.faint, linewidth=0.6, linestyle=":" if failed else "-", zorder=1)
            if share:
                width = 1.2 + 2.4 * share / most
                ax.plot(*zip(start, third), color=heat(share / most), linewidth=width, solid_capstyle="butt", zorder=2)
        self.draw_nodes(ax, theme)
        if most:
            scale = ScalarMappable(Normalize(0, most), heat)
            bar = ax.figure.colorbar(scale, ax=ax, shrink=0.8, aspect=18, pad=0.01)
            bar.set_label("time stopped (% of the run)")
            bar.outline.set_visible(False)
        ax.set_axis_off()

    def halves(self) -> Iterator[tuple[str, str, int, bool]]:
        """Return each link twice: the sender, the node that can stop it, the port of that node, and whether the link
        has failed.
        """
        used = dict.fromkeys(self.ports, 0)
        for a, b, failed in self.links:
            yield a, b, used[b], failed
            yield b, a, used[a], failed
            used[a] += 1
            used[b] += 1

    def draw_nodes(self, ax, theme: Theme) -> None:
        for height in {*self.level.values()}:
            nodes = [node for node, level in self.level.items() if level == height]
            xs = [self.x[node] for node in nodes]
            many = len(nodes) > FEW
            marker, size = ("s", 30 if many else 60) if height else ("o", 14)
            ax.scatter(xs, [height] * len(nodes), s=size, marker=marker, color=theme.ink, zorder=3)
            step = -(-len(nodes) // NAMED)
            # There is little below hosts; the fewest links of a switch are at its upper right.
            place, alignment = ((4, 3), ("left", "bottom")) if height > 0 else ((0, -6), ("center", "top"))
            for node, x in sorted(zip(nodes, xs), key=lambda one: one[1])[::step]:
                ax.annotate(
                    shown(node),
                    (x, height),
                    place,
                    textcoords="offset points",
                    ha=alignment[0],
                    va=alignment[1],
                    fontsize=6 if many else "small",
                    path_effects=[withStroke(linewidth=3, foreground=theme.ground)],
                    zorder=4,
                )
        ax.margins(0.03, 0.12)


def natural(name: str) -> tuple:
    """A sort key by which h2 precedes h10."""
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name) if part)
