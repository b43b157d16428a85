# SPDX-License-Identifier: GPL-2.0-only
"""Who waits for whom: the steps of a flow graph over time, with a row for each host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas

from pages import charts
from pages.network import natural

Span = tuple[float, float]  # start and end in ns


def find_chain(steps: pandas.DataFrame) -> pandas.DataFrame:
    """Return the steps that determined when the last step was done. Each is the one for which the next step waited
    last.
    """
    done = steps.dropna(subset=["received_ns"]).set_index("id", drop=False)
    if done.empty:
        return done
    chain = [done.received_ns.idxmax()]
    while pandas.notna(before := done.waited_for[chain[-1]]) and int(before) in done.index:
        chain.append(int(before))
    return done.loc[chain[::-1]]


def busy_spans(steps: pandas.DataFrame, end: int) -> dict[str, tuple[list[Span], list[Span]]]:
    """Return, by host, the periods in which the host computed, and those in which a flow from or to it was under way.
    """
    spans: dict[str, tuple[list[Span], list[Span]]] = {}
    started = steps.dropna(subset=["started_ns"])
    for step in started.itertuples():
        computed, under_way = spans.setdefault(step.source, ([], []))
        received = end if pandas.isna(step.received_ns) else step.received_ns
        sent = received if pandas.isna(step.sent_ns) else step.sent_ns
        if step.bytes == 0:
            computed.append((step.started_ns, sent))
            continue
        if step.compute_ns > 0:
            computed.append((step.started_ns - step.compute_ns, step.started_ns))
        under_way.append((step.started_ns, sent))
        spans.setdefault(step.destination, ([], []))[1].append((step.started_ns, received))
    return spans


def waiting_shares(steps: pandas.DataFrame, end: int) -> dict[str, float]:
    """Return, by host in the order of names, the fraction of the time until the host is done in which it does nothing.
    """
    busy = {host: join_spans([*both[0], *both[1]]) for host, both in busy_spans(steps, end).items()}
    begin = min((spans[0][0] for spans in busy.values() if spans), default=0)
    return {
        host: 1 - sum(until - first for first, until in busy[host]) / (busy[host][-1][1] - begin)
        for host in sorted(busy, key=natural)
        if busy[host]
    }


def join_spans(spans: Sequence[Span], gap: float = 0) -> list[list[float]]:
    """Return the periods without overlaps. Periods with a shorter gap are merged."""
    joined: list[list[float]] = []
    for begin, until in sorted(spans):
        if joined and begin <= joined[-1][1] + gap:
            joined[-1][1] = max(joined[-1][1], until)
        elif until > begin:
            joined.append([begin, until])
    return joined


def choose_hosts(spans: Mapping[str, tuple[list[Span], list[Span]]], chain: pandas.DataFrame, most: int) -> list[str]:
    """Return the hosts of the chain, followed by the least busy hosts, in the order of their names."""
    busy = {host: sum(end - begin for begin, end in join_spans([*both[0], *both[1]])) for host, both in spans.items()}
    of_chain = dict.fromkeys([*chain.destination, *chain.source]) if len(chain) else {}
    order = [*of_chain, *(host for host in sorted(busy, key=busy.__getitem__) if host not in of_chain)]
    return sorted(order[:most], key=natural)


def draw(ax, theme: charts.Theme, steps: pandas.DataFrame, hosts: Sequence[str], end: int) -> None:
    """Draw the bars of each host, and the chain across them."""
    chain = find_chain(steps)
    last = float(steps[["started_ns", "sent_ns", "received_ns"]].max().max())
    last = last if pandas.notna(last) else float(end)
    spans = busy_spans(steps, end)
    first = min(begin for both in spans.values() for begin, _ in [*both[0], *both[1]])
    place = {host: row for row, host in enumerate(hosts)}
    kinds = (("something is under way", theme.colors[0], 1), ("computes", theme.faint, 0))
    for label, color, kind in kinds:
        shown = False
        for host, row in place.items():
            joined = join_spans(spans.get(host, ([], []))[kind], (last - first) / 1500)
            bars = [(begin / 1e6, (until - begin) / 1e6) for begin, until in joined]
            ax.broken_barh(bars, (row - 0.35, 0.7), color=color, linewidth=0, label=None if shown or not bars else label)
            shown = shown or bool(bars)
    label = "what the end waited for"
    for step in chain.itertuples():
        if step.source in place and step.destination in place:
            times = [step.started_ns / 1e6, step.received_ns / 1e6]
            rows = [place[step.source], place[step.destination]]
            ax.plot(times, rows, color=theme.colors[1], linewidth=1.6, marker=".", markersize=4, label=label)
            label = None
    ax.set(xlabel="time (ms)", xlim=(first / 1e6, (first + 1.01 * (last - first or 1)) / 1e6), ylim=(len(hosts) - 0.4, -0.6))
    ax.set_yticks(range(len(hosts)), [charts.shown(host) for host in hosts])
    ax.grid(visible=False, axis="y")
    ax.legend(fontsize="small", ncols=3, loc="lower left", bbox_to_anchor=(0, 1))
