# SPDX-License-Identifier: GPL-2.0-only
"""Events in the network over time: storms of PAUSEs, failures of links, and reactions of watchdogs to storms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import pandas

from lossless.values import NUMBER
from pages import charts

# The units of the programs (helper/text/option-text.cc); only 0 may lack one. A micro sign has two codes.
NANOSECONDS = {
    "": 1, "fs": 1e-6, "ps": 1e-3, "ns": 1, "us": 1e3, "\u00b5s": 1e3, "\u03bcs": 1e3, "ms": 1e6, "s": 1e9, "min": 60e9,
    "h": 3600e9, "d": 86400e9, "y": 31536000e9,
}
KINDS = ("storm", "failure", "watchdog")


@dataclass(frozen=True)
class Span:
    """A period from one time to another, in ns."""

    kind: str
    name: str
    begin: float
    until: float


def read_time(text: str) -> float | None:
    """Return a time in ns, or None if the string is not a time."""
    number = NUMBER.match(text)
    unit = NANOSECONDS.get(text[number.end() :]) if number else None
    return None if unit is None else float(number[0]) * unit


def read_spans(kind: str, text: str, end: int) -> Iterator[Span]:
    """Return the periods of an option such as --storm=h3:3@1ms..20ms,h4:3. Without times or without an end, they last
    until the end of the run; those after it did not occur.
    """
    for part in filter(None, text.split(",")):
        name, _, times = part.partition("@")
        begin, _, until = times.partition("..")
        begin_ns, until_ns = read_time(begin) if begin else 0, read_time(until) if until else end
        if begin_ns is not None and until_ns is not None and begin_ns < end:
            yield Span(kind, name, begin_ns, min(until_ns, end))


def storms(info: Mapping) -> list[Span]:
    """Return the storms from the attribute, which --storm also sets."""
    wanted = ("ns3::lossless::Storms", "Hosts")
    own = [entry for entry in info.get("attributes", []) if (entry["type"], entry["attribute"]) == wanted]
    texts = [text for entry in own for text in entry.get("values", [entry.get("value", "")])]
    return [span for text in texts for span in read_spans("storm", text, info["simulated_ns"])]


def find(info: Mapping, watchdog: pandas.DataFrame | None) -> list[Span]:
    """Return all periods of a run, in the order of KINDS."""
    end = info["simulated_ns"]
    found = storms(info) + [*read_spans("failure", str(info.get("spec", {}).get("fail-link", "")), end)]
    for row in () if watchdog is None else watchdog.itertuples():
        until = end if pandas.isna(row.restored_ns) else row.restored_ns
        found.append(Span("watchdog", f"{row.node}:{row.port}, class {row.priority}", row.detected_ns, until))
    return found


def measured_times(info: Mapping) -> tuple[float, float]:
    """Return the begin and end (ns) of the measured part of the run."""
    window = info.get("measured", {})
    end = min(window.get("until_ns") or info["simulated_ns"], info["simulated_ns"])
    return end - window.get("length_ns", end), end


def shown_times(info: Mapping, first: float) -> tuple[float, float]:
    """Return the begin and end (ns) of the time axis. It begins with the measured part or with the first event, whichever
    is earlier.
    """
    return min(measured_times(info)[0], first), info["simulated_ns"]


def stopping(info: Mapping, watchdog: pandas.DataFrame | None) -> dict[str, float]:
    """Return the time, in ns, within the measured time for which the hosts of storms stopped their switches, until the
    end of the storm or until a watchdog detected it.
    """
    begin, end = measured_times(info)
    seen = [] if watchdog is None else sorted(watchdog.detected_ns)  # of any storm
    lengths: dict[str, float] = {}
    for storm in storms(info):
        until = next((time for time in seen if storm.begin < time < storm.until), storm.until)
        host = storm.name.split(":")[0]
        lengths[host] = max(lengths.get(host, 0), min(until, end) - max(storm.begin, begin))
    return lengths


def draw(ax, theme: charts.Theme, spans: Sequence[Span], times: tuple[float, float]) -> None:
    """Draw a row for each place over the times of the axis (ns)."""
    begin, end = times
    rows = [*dict.fromkeys((span.kind, span.name) for span in spans)]
    colors = dict(zip(KINDS, (theme.colors[1], theme.faint, theme.colors[0])))
    shown = set()
    for span in spans:
        label = None if span.kind in shown else {"failure": "link failed", "watchdog": "watchdog acts"}.get(span.kind, "storm of PAUSEs")
        shown.add(span.kind)
        bar = [(span.begin / 1e6, max(span.until - span.begin, (end - begin) / 500) / 1e6)]
        ax.broken_barh(bar, (rows.index((span.kind, span.name)) - 0.35, 0.7), color=colors[span.kind], linewidth=0, label=label)
    ax.set(xlabel="time (ms)", xlim=(begin / 1e6, end / 1e6), ylim=(len(rows) - 0.4, -0.6))
    ax.set_yticks(range(len(rows)), [charts.shown(name) for _, name in rows])
    ax.grid(visible=False, axis="y")
    ax.legend(fontsize="small", ncols=3, loc="lower left", bbox_to_anchor=(0, 1))
