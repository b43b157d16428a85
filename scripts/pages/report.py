# SPDX-License-Identifier: GPL-2.0-only
"""The report of one run, created from its result folder. It is a single page that includes its pictures."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter
from pandas.api.types import is_numeric_dtype

from lossless import Results, notes
from lossless.columns import read_columns
from lossless.results import measured
from pages import as_text, charts, events, grouped, steps, write_page
from pages.events import shown_times
from pages.network import Network, gigabits, natural, server_switches

SHOWN_ROWS = 10
SHOWN_CURVES = 6
SHOWN_ROWS_OF_HEAT = 48
SHOWN_COLUMNS_OF_HEAT = 240
SHOWN_BARS = 16  # rows of pauses
SHOWN_POINTS = 4000  # of a scatter plot of flows
SHOWN_STEPS = 1500  # of a curve over time
REPLAY_STEPS = 20000  # of the pauses of a link
BINS_PER_DECADE = 4  # of flow sizes
LEAST_FLOWS = 10  # of a bin whose median is drawn
# Numbers of run.json that are shown if they are present.
COUNTED = (
    ("frames marked", "marked_frames"),
    ("CNPs", "cnps"),
    ("NAKs", "naks"),
    ("timeouts", "timeouts"),
    ("frames trimmed", "trimmed_frames"),
)
# The outcomes in run.json: their style, a sign for readers who cannot see colours, and their meaning.
OUTCOMES = {
    "lossless": ("good", "✓", "no frame was lost, and all flows have arrived"),
    "lossy": ("part", "◐", "frames were lost, but none of a lossless class for lack of buffer"),
    "interrupted": ("part", "◐", "a signal ended the run before its end"),
    "unfinished": ("part", "◐", "flows had not arrived in full when the run ended"),
    "violated": ("bad", "✗", "a switch lost frames of a lossless class for lack of buffer"),
    "empty": ("none", "–", "nothing was measured"),
}
# The columns of each table that the report requires.
COLUMNS = {
    "pauses": ["node", "port", "priority", "pauses", "paused_ns"],
    "pause-depths": ["depth", "pauses", "queues", "hosts"],
    "topology": ["node_a", "node_b", "failed", "kind_a", "kind_b"],
    "flows": ["group", "bytes", "fct_ns", "slowdown"],
    "queues": ["time_ns", "node", "port", "side", "priority", "bytes"],
    "pause-events": ["time_ns", "node", "port", "priority", "event", "reason", "flow", "length_ns"],
    "throughput": ["time_ns", "flow", "bits_per_second"],
    "flow-throughput": ["time_ns", "id", "bits_per_second"],
    "port-throughput": ["time_ns", "node", "port", "bits_per_second"],
    "steps": ["id", "source", "destination", "bytes", "compute_ns", "started_ns", "sent_ns", "received_ns", "waited_for"],
    "collectives": ["collective", "algorithm", "duration_ns", "bus_gbps", "waiting_share", "straggler"],
    "watchdog": ["detected_ns", "restored_ns", "node", "port", "priority", "action", "egress_frames", "ingress_frames"],
    "drops": ["node", "port", "priority", "reason", "frames", "bytes"],
    "deadlocks": ["onset_ns", "dissolved_ns", "kind", "cycle"],
}
# The members of run.json that the report requires, by their names in columns.csv, which has their types.
MEMBERS = frozenset(
    "program scheme congestion_control command_line[] parameters.* seed run versions.lossless versions.compiler wall_s "
    "simulated_ns packet_hops retransmitted_packets pauses max_pause_depth paused_hosts victim_flows verdict.outcome "
    "verdict.deadlock verdict.flows verdict.unfinished_flows verdict.lost_frames verdict.problems[]".split()
)
TYPES = {"string": str, "integer": int, "number": (int, float), "boolean": bool}
HOW_TO_SAMPLE = "--sample=10us --sample-queues=SWITCH:PORT:CLASS"
HOW_TO_MEASURE = "--sample=10us --sample-throughput=SWITCH:PORT"
HOW_TO_SEE_PAUSES = "--pause-events"
# The reasons for a start in pause-events.csv.
REASONS = {
    "xoff": "occupancy above XOFF",
    "headroom": "headroom in use",
    "scheme": "a rule of the scheme",
    "flow": "a single flow",
    "timed": "for a time",
    "credits": "a wait for credits",
}


@dataclass(frozen=True)
class Tail:
    """The percentile that represents the slowest flows, and the minimum number of flows for it."""

    level: float
    least: int

    @property
    def name(self) -> str:
        return f"{self.level:.0%}".rstrip("%") + "th percentile"

    @property
    def short(self) -> str:
        return f"p{100 * self.level:.0f}"


P99, P90 = Tail(0.99, 100), Tail(0.9, LEAST_FLOWS)


def choose_tail(flows: Sequence[pandas.DataFrame], by_sizes: bool = True) -> Tail:
    """Return the 99th percentile if all runs have at least a hundred flows, because it is otherwise close to the largest
    value. By size, the two most frequent sizes must have that many flows, so that a curve has two points.
    """
    counts = [size_bins(some).value_counts().iloc[:2].min() if by_sizes else len(some) for some in flows if len(some)]
    return P99 if min(counts, default=0) >= P99.least else P90


def size_bins(flows: pandas.DataFrame) -> pandas.Series:
    return np.log10(flows.bytes).mul(BINS_PER_DECADE).round()


def by_size(flows: pandas.DataFrame, least: int):
    """Return the flows grouped by size, where enough flows have a similar size."""
    bins = size_bins(flows)
    return flows[bins.map(bins.value_counts()) >= least].groupby(bins)


@dataclass(frozen=True)
class Table:
    """Rows of text. The columns listed in `numbers` are numbers."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    numbers: frozenset[str] = frozenset()


@dataclass
class Section:
    """A section of the page. A note explains why content is missing and how to obtain it."""

    title: str
    pictures: list[tuple[charts.Picture, str]] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    note: str = ""
    command: str = ""
    # If there is only the note: true if the data were not recorded, and false if the event did not occur
    is_missing: bool = True
    replay: Mapping[str, object] | None = None  # of the network over time: data, and the initial position of the slider

    @property
    def is_empty(self) -> bool:
        """Return whether there is only a note. Such sections are listed together at the end of the page."""
        return not (self.pictures or self.tables or self.replay)


def write(results: Results, page: Path) -> None:
    """Write the report of a run. Raises a ValueError if its folder does not have the format of this version."""
    require_members(results)
    write_page(page, "report.html", **content(results))


def describe_in_text(results: Results) -> list[str]:
    """Return the beginning of the page as lines: the outcome and the numbers. Raises a ValueError like write()."""
    require_members(results)
    info, found = results.info, facts(results)
    width = max(len(text) for text, _ in found)
    title = ", ".join(filter(None, [info["program"], info["scheme"], info["verdict"]["outcome"]]))
    numbers = [f"{text.rjust(width)}  {what}" for text, what in found]
    return [f"{title}: {OUTCOMES[info['verdict']['outcome']][2]}.", *numbers, *notes.sentences(info)]


def require_members(results: Results) -> None:
    """Raise a ValueError with the name of the first member of run.json that is missing or has another type."""
    path = results.folder / "run.json"
    for column in read_columns()["run.json"]:
        if column.name not in MEMBERS:
            continue
        name, ending = re.fullmatch(r"(.*?)(\[\]|\.\*)?", column.name).groups()
        value: object = results.info
        for part in name.split("."):
            if not isinstance(value, dict) or part not in value:
                raise ValueError(f"{path} has no member {name}")
            value = value[part]
        kind = {"[]": list, ".*": dict}.get(ending, TYPES[column.types[0]])
        if not isinstance(value, kind) and not (value is None and column.may_be == "null"):
            raise ValueError(f"{path} has {json.dumps(value)[:40]} as {name}, which is something else in results of this module")
    if (outcome := results.info["verdict"]["outcome"]) not in OUTCOMES:
        raise ValueError(f"{path} has the outcome {outcome}; it must be one of {', '.join(OUTCOMES)}")


def content(results: Results) -> dict[str, object]:
    """Return the values for the template."""
    info = results.info
    look, sign, meaning = OUTCOMES[info["verdict"]["outcome"]]
    parts = [network, interventions, pause_times, completion_times, queues, throughput, losses, deadlocks]
    if "steps" in results:  # of a flow graph
        parts.insert(0, waiting)
    return {
        "program": info["program"],
        "scheme": info["scheme"],
        "deadlock": info["verdict"]["deadlock"],
        "problems": info["verdict"]["problems"],
        "may_lose": may_lose(info["verdict"]),
        "hints": info.get("hints", []),
        "outcome": {"look": look, "sign": sign, "word": info["verdict"]["outcome"], "meaning": meaning},
        "command": shlex.join(info["command_line"]),
        "facts": facts(results),
        "versions": versions(info),
        "sections": [make(results) for make in parts],
    }


def may_lose(verdict: Mapping) -> bool:
    """Return whether all problems are losses in classes without flow control, which are meant to lose frames."""
    drops = verdict.get("drops", [])
    return verdict["outcome"] == "lossy" and bool(drops) and not any(drop.get("lossless_class", True) for drop in drops)


def table(results: Results, name: str) -> pandas.DataFrame | None:
    """Return a table of the run, unless it is missing or has no rows."""
    frame = results.get(name)
    if frame is None or frame.empty:
        return None
    if missing := [column for column in COLUMNS[name] if column not in frame]:
        raise ValueError(f"{results.folder / name}.csv has no column {missing[0]}")
    for column in read_columns()[f"{name}.csv"]:
        if column.name in COLUMNS[name] and column.types != ("string",):
            require_numbers(frame[column.name], f"{results.folder / name}.csv", column.may_be == "empty")
    if name == "flows" and not ((frame.bytes > 0).all() and (frame.slowdown.dropna() > 0).all()):
        raise ValueError(f"{results.folder / name}.csv has a flow whose bytes or slowdown are not above 0")
    if name == "pause-events" and {*frame.event.unique()} not in ({"start"}, {"start", "end"}):
        raise ValueError(f"{results.folder / name}.csv has events that are no starts and ends of pauses")
    if name == "flows":
        frame = measured(frame, results.info)
    return None if frame.empty else frame


def measured_ns(info: Mapping) -> int:
    """Return the length of the time that the statistics cover."""
    return info.get("measured", info).get("length_ns", info["simulated_ns"])


def require_numbers(column: pandas.Series, path: str, may_be_empty: bool) -> None:
    """Raise a ValueError with the first value that is not a number."""
    if not may_be_empty and column.isna().any():
        raise ValueError(f"{path} has an empty field in column {column.name}, where there are only numbers")
    if not is_numeric_dtype(column):
        wrong = pandas.to_numeric(column, errors="coerce").isna() & column.notna()
        raise ValueError(f"{path} has {column[wrong].iloc[0]!r} in column {column.name}, where there are only numbers")


def facts(results: Results) -> list[tuple[str, str]]:
    """Return the numbers at the top with their labels. Counters of events that did not occur are omitted."""
    info = results.info
    verdict, flows = info["verdict"], table(results, "flows")
    counted = [
        (info["pauses"], f"pauses, up to {info['max_pause_depth']} links deep"),
        (info["paused_hosts"], "hosts paused"),
        (info["victim_flows"], "victim flows"),
        (verdict["lost_frames"], "frames lost"),
        (info["retransmitted_packets"], "packets sent again"),
        *((info.get(name, 0), what) for what, name in COUNTED),
    ]
    return [
        *measures_of_flows(results, flows),
        *load_of(info),
        *([(percent(info["measured"]["max_paused_share"]), "of the time: the queue that switches paused longest")]
          if info.get("measured", {}).get("max_paused_share") is not None else []),
        (f"{grouped(verdict['flows'] - verdict['unfinished_flows'])} / {grouped(verdict['flows'])}", "flows finished"),
        (duration(info["simulated_ns"]), "simulated"),
        *([(duration(measured_ns(info)), "measured")] if duration(measured_ns(info)) != duration(info["simulated_ns"]) else []),
        (grouped(info["packet_hops"]), "packet-hops"),
        *((grouped(number), what) for number, what in counted if number),
    ]


def measures_of_flows(results: Results, flows: pandas.DataFrame | None) -> Iterable[tuple[str, str]]:
    """Return the slowdown of the slowest flows and the goodput, for the first tiles."""
    arrived = None if flows is None else flows.dropna(subset=["fct_ns"])
    if arrived is None or arrived.empty:
        return
    slowdowns = arrived.slowdown.dropna()
    tail = choose_tail([arrived], by_sizes=False)
    if len(slowdowns):
        yield f"{slowdowns.quantile(tail.level):.3g}", f"{tail.short} slowdown of {grouped(len(slowdowns))} flows"
    factor = 8 / max(measured_ns(results.info), 1)
    links = table(results, "topology")
    share = "" if links is None else share_of_capacity(arrived, links, factor)
    yield f"{arrived.bytes.sum() * factor:.4g} Gbit/s", f"goodput{share}"


def share_of_capacity(flows: pandas.DataFrame, links: pandas.DataFrame, factor: float) -> str:
    """Return the goodput as a share of the hosts' links or, for GPU servers, of the NICs between them; nothing if a
    rate is unknown. `factor` converts bytes to Gbit/s.
    """
    if not (capacity := host_capacity(links)):
        return ""
    server = {host: switch for switch, hosts in server_switches(links).items() for host in hosts}
    # Hosts without a server differ, like NaN
    outside = flows[flows.source.map(server) != flows.destination.map(server)]
    share = percent(outside.bytes.sum() * factor / capacity)
    return f"; between servers {share} of the NICs" if server else f", {share} of the hosts' links"


def host_capacity(links: pandas.DataFrame) -> float:
    """Return the total rate, in Gbit/s, at which hosts can send to other servers; 0 if a rate is unknown."""
    within = [*server_switches(links)]
    outside = links[((links.kind_a == "host") | (links.kind_b == "host")) & ~links.node_a.isin(within) & ~links.node_b.isin(within)]
    rates = gigabits(outside)
    return 0 if rates.isna().any() else float(rates.sum())


def load_of(info: Mapping) -> Iterable[tuple[str, str]]:
    """Return the requested load."""
    load = info.get("spec", {}).get("load", info["parameters"].get("load"))
    if load is not None:
        yield str(load), "load asked for"


def percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def versions(info: Mapping) -> list[tuple[str, str]]:
    """Return how the run was made, in addition to its command."""
    known = info["versions"]
    made = [
        ("scheme", info["scheme"]),
        ("congestion control", info["congestion_control"]),
        ("seed and run", f"{info['seed']}, {info['run']}"),
        ("commit", known.get("commit") or ""),
        ("versions", f"lossless {known['lossless']}, ns-3 {known.get('ns3') or 'unknown'}, {known['compiler']}"),
        ("real time", f"{info['wall_s']:.3g} s"),
        *((name, str(value)) for name, value in info["parameters"].items()),
    ]
    return [(name, text) for name, text in made if text]


def duration(nanoseconds: float) -> str:
    for size, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "us")):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.4g} {unit}"
    return f"{nanoseconds:g} ns"


def network(results: Results) -> Section:
    """Return the locations of pauses, drawn into the topology if it is known."""
    section = Section("Pauses in the network")
    pauses = table(results, "pauses")
    if pauses is None:
        section.note = "No queue was paused in this run."
        pauses = pandas.DataFrame(columns=COLUMNS["pauses"])
    share = 100 / max(measured_ns(results.info), 1)
    links = table(results, "topology")
    drawn = None if links is None else Network(links)
    if drawn:
        storms = events.stopping(results.info, table(results, "watchdog"))
        section.pictures.append(stopped_links(drawn, pauses, share, storms))
    else:
        section.note += (
            " The folder has no complete topology.csv, so the network cannot be drawn. Programs that give a Fabric to their "
            "results (AddFabric) write it."
        )
    if not pauses.empty:
        section.tables.append(longest_pauses(drawn, pauses, share))
        section.tables += depths(results)
    return section


def stopped_links(
    drawn: Network, pauses: pandas.DataFrame, share: float, storms: Mapping[str, float]
) -> tuple[charts.Picture, str]:
    """Return the network with the time for which each node was stopped, and a description. `share` converts ns to per
    cent of the run.
    """
    # Of the classes of a port, the one that was stopped for the longest time.
    longest = pauses.groupby(["node", "port"]).paused_ns.max() * share
    stopped = {(node, int(port)): percent for (node, port), percent in longest.items()}
    for host, length in storms.items():  # pauses.csv does not contain them, because it records what switches request
        stopped |= {(host, port): length * share for port in range(len(drawn.ports.get(host, [])))}
    switches, hosts = sum(level != 0 for level in drawn.level.values()), len(drawn.hosts)
    most = max(stopped, key=stopped.get, default=None)
    alt = f"The network of {switches} switches and {hosts} hosts. " + (
        f"Longest stopped, for {stopped[most]:.3g} % of the run: {drawn.peer(*most)} by {most[0]}."
        if most
        else "No link was stopped."
    )
    caption = (
        "The third of a link at a node shows for which part of the run that node was stopped by the other end, also by a storm: "
        "the warmer and thicker, the longer (of its classes the longest). Squares are switches, dots are hosts, dotted "
        "links have failed."
    )
    return charts.make(lambda ax, theme: drawn.draw(ax, theme, stopped), alt, drawn.inches(), has_narrow=False), caption


def longest_pauses(drawn: Network | None, pauses: pandas.DataFrame, share: float) -> Table:
    rows = [
        (
            row.node,
            str(row.port),
            drawn.peer(row.node, row.port) if drawn else "",
            row.priority,
            grouped(row.pauses),
            duration(row.paused_ns),
            f"{row.paused_ns * share:.3g} %",
        )
        for row in pauses.nlargest(SHOWN_ROWS, "paused_ns").itertuples()
    ]
    columns = ["switch", "port", "stopped", "class", "pauses", "paused for", "of the run"]
    title = shown("Longest pauses", len(rows), len(pauses), "queues")
    return Table(title, columns, rows, frozenset(["pauses", "paused for", "of the run"]))


def depths(results: Results) -> Iterable[Table]:
    """Return how far pauses propagated."""
    frame = table(results, "pause-depths")
    if frame is not None:
        columns = ["links from the congestion", "pauses", "queues", "hosts"]
        found = frame[COLUMNS["pause-depths"]].itertuples(index=False)
        rows = [[grouped(value) for value in row] for row in found]
        yield Table("How far pauses spread", columns, rows, frozenset(columns[1:]))


def shown(title: str, rows: int, total: int, things: str) -> str:
    return title if rows == total else f"{title} ({rows} of {grouped(total)} {things})"


def interventions(results: Results) -> Section:
    """Return storms, failures and watchdogs over time, and the actions of each watchdog."""
    section = Section("Storms, watchdogs and failed links")
    watchdog = table(results, "watchdog")
    spans = events.find(results.info, watchdog)
    if file := results.info.get("spec", {}).get("failures"):
        section.note = f"The results do not tell what happened by --failures={file}, so it is not drawn."
    elif not spans:
        section.note, section.is_missing = "There was none.", False
    if not spans:
        return section
    told = "; ".join(f"{span.kind} {span.name} from {duration(span.begin)} to {duration(span.until)}" for span in spans[:SHOWN_ROWS])
    shown_spans = spans[:SHOWN_BARS]
    inches = (9, 1.2 + 0.3 * len({(span.kind, span.name) for span in shown_spans}))
    times = shown_times(results.info, min(span.begin for span in shown_spans))
    picture = charts.make(lambda ax, theme: events.draw(ax, theme, shown_spans, times), f"Over time: {told}.", inches)
    caption = shown("What happened to the network", len(shown_spans), len(spans), "of them")
    section.pictures.append((picture, caption + ". A watchdog acts from the detection of a storm until it is over."))
    if watchdog is not None:
        rows = [
            (row.node, str(row.port), str(row.priority), row.action, duration(row.detected_ns),
             "" if pandas.isna(row.restored_ns) else duration(row.restored_ns), grouped(row.egress_frames), grouped(row.ingress_frames))
            for row in watchdog.head(SHOWN_ROWS).itertuples()
        ]
        columns = ["switch", "port", "class", "action", "detected", "restored", "egress frames dropped", "ingress frames dropped"]
        section.tables.append(Table(shown("Storms that watchdogs saw", len(rows), len(watchdog), "storms"), columns, rows, frozenset(columns[4:])))
    return section


def pause_times(results: Results) -> Section:
    """Return a row of bars for each of the queues that were paused for the longest time."""
    section = Section("Pauses over time")
    events = table(results, "pause-events")
    if events is None and "pause-events" in results:
        section.note, section.is_missing = "No queue was paused in this run.", False
        return section
    if events is None:
        section.note = "When pauses began and ended was not written in this run. This option of its program does it:"
        section.command = HOW_TO_SEE_PAUSES
        return section
    if results.info.get("scheme") == "CBFC":  # whose neighbours are not stopped, but wait
        events = events.replace({"reason": {"scheme": "credits"}})
    times = shown_times(results.info, events.time_ns.min())
    pauses = pause_spans(events, times[1])
    longest_first = pauses.length_ns.groupby(pauses.queue).sum().nlargest(SHOWN_BARS).index
    rows = {queue: pauses[pauses.queue == queue] for queue in longest_first}
    alt = (
        f"Pauses over time of {len(rows)} queues of switches. Paused for longest: {longest_first[0]}, first at "
        f"{duration(rows[longest_first[0]].begin_ns.min())}."
    )
    caption = (
        shown("When a queue had stopped its neighbour", len(rows), pauses.queue.nunique(), "of them, the longest paused")
        + ", by the reason of the pause. Pauses with short gaps are drawn as one."
    )
    inches = (9, 1.2 + 0.3 * len(rows))
    section.pictures.append((charts.make(lambda ax, theme: draw_pauses(ax, theme, rows, times), alt, inches), caption))
    links = table(results, "topology")
    if links is not None and not pauses.empty:
        section.replay = replay(Network(links), events, times)
    starts = events.reason[events.event == "start"].value_counts()
    counted = [(REASONS.get(reason, reason), grouped(number)) for reason, number in starts.items()]
    section.tables.append(Table("Why pauses began", ["reason", "pauses"], counted, frozenset(["pauses"])))
    return section


def pause_spans(events: pandas.DataFrame, end: int) -> pandas.DataFrame:
    """Return each pause with its queue, start, length and reason. A pause without an end lasts until the end of the
    run.
    """
    spans = []
    names = events.node + ":" + events.port.astype(str) + ", " + events.priority.map(class_name)
    for (queue, _), group in events.groupby([names, "flow"], sort=False):
        starts, ends = (group[group.event == event] for event in ("start", "end"))
        stops = iter(ends.time_ns)
        until = 0
        for start in starts.itertuples():
            begin = start.time_ns
            if pandas.isna(start.length_ns):
                until = next(stops, end)
            else:  # times add up
                begin = max(begin, until)
                until = begin + start.length_ns
            spans.append((queue, begin, min(until, end) - begin, start.reason))
    return pandas.DataFrame(spans, columns=["queue", "begin_ns", "length_ns", "reason"])


def replay(links: Network, events: pandas.DataFrame, times: tuple[float, float]) -> dict[str, object]:
    """Return the network and the times at which each half of a link was stopped, for the page's script. The slider covers
    the times (ns) and starts in the middle of the longest pause.
    """
    first, end = times
    names = [*links.ports]
    place = {name: number for number, name in enumerate(names)}
    bars = {where: merged(pause_spans(some, end), (end - first) / REPLAY_STEPS) for where, some in events.groupby(["node", "port"])}
    begin, length = max((bar for some in bars.values() for bar in some), key=lambda bar: bar[1])
    return {
        "start": round(1000 * (begin + length / 2 - first / 1e6) / ((end - first) / 1e6)),
        "data": as_text(
            {
                "begin": first / 1e6,
                "end": end / 1e6,
                "nodes": [[name, round(links.x[name], 3), links.level[name], links.level[name] == 0] for name in names],
                "halves": [
                    {"from": place[sender], "to": place[stopper], "failed": failed, "bars": bars.get((stopper, port), [])}
                    for sender, stopper, port, failed in links.halves()
                ],
            }
        ),
    }


def class_name(priority: str) -> str:
    """Return the class in the column "priority", which may also contain "port" or "flows of 3"."""
    return priority if priority.startswith("flows") else "port" if priority == "port" else f"class {priority}"


def draw_pauses(ax, theme: charts.Theme, rows: Mapping[str, pandas.DataFrame], times: tuple[float, float]) -> None:
    begin, end = times
    colors = dict(zip(REASONS, theme.colors))
    used = set()
    for place, pauses in enumerate(rows.values()):
        for reason, some in pauses.groupby("reason"):
            bars = merged(some, (end - begin) / SHOWN_STEPS)
            label = None if reason in used else REASONS.get(reason, reason)
            used.add(reason)
            ax.broken_barh(bars, (place - 0.4, 0.8), color=colors.get(reason, theme.faint), linewidth=0, label=label)
    ax.set(xlabel="time (ms)", xlim=(begin / 1e6, end / 1e6), ylim=(len(rows) - 0.4, -0.6))
    ax.set_yticks(range(len(rows)), [charts.shown(row) for row in rows])
    ax.grid(visible=False, axis="y")
    ax.legend(fontsize="small", ncols=len(used), loc="lower left", bbox_to_anchor=(0, 1))


def merged(pauses: pandas.DataFrame, gap: float) -> list[tuple[float, float]]:
    """Return the start and length, in ms, of pauses that are separated by at least a gap, each at least as long as one
    gap.
    """
    bars: list[list[float]] = []
    for pause in pauses.sort_values("begin_ns", kind="stable").itertuples():
        until = pause.begin_ns + max(pause.length_ns, gap)
        if bars and pause.begin_ns <= bars[-1][1] + gap:
            bars[-1][1] = max(bars[-1][1], until)
        else:
            bars.append([pause.begin_ns, until])
    return [(begin / 1e6, (until - begin) / 1e6) for begin, until in bars]


def waiting(results: Results) -> Section:
    """Return who waits for whom, and the results of collectives."""
    section = Section("Who waits for whom")
    graph = table(results, "steps")
    if graph is None or graph.started_ns.isna().all():
        section.note = "No step of the flow graph has started."
        return section
    end = results.info["simulated_ns"]
    spans = steps.busy_spans(graph, end)
    chain = steps.find_chain(graph)
    hosts = steps.choose_hosts(spans, chain, SHOWN_BARS)
    alt = f"Bars over time for {len(hosts)} of {len(spans)} hosts, and the {len(chain)} steps that decided when the last was done."
    caption = (
        shown("A row for each host: empty where it waits", len(hosts), len(spans), "hosts")
        + ". The line leads over the steps that decided when the last one was done: each had waited for the one before it."
    )
    inches = (9, 1.2 + 0.3 * len(hosts))
    picture = charts.make(lambda ax, theme: steps.draw(ax, theme, graph, hosts, end), alt, inches)
    section.pictures.append((picture, caption))
    section.tables += collectives(results)
    return section


def collectives(results: Results) -> Iterable[Table]:
    """Return the collectives, one row per kind."""
    frame = table(results, "collectives")
    if frame is None:
        return
    rows = []
    for (name, algorithm), alike in frame.groupby(["collective", "algorithm"], sort=False):
        done = alike.dropna(subset=["duration_ns"])
        late = alike.straggler[alike.straggler != ""].value_counts()
        means = [duration(done.duration_ns.mean()), duration(done.duration_ns.max())] if len(done) else ["–", "–"]
        means += [f"{done.bus_gbps.mean():.4g}", f"{done.waiting_share.mean():.1%}"] if len(done) else ["–", "–"]
        rows.append((name, algorithm, grouped(len(alike)), grouped(len(done)), *means, late.index[0] if len(late) else ""))
    columns = ["collective", "algorithm", "number", "done", "mean time", "longest", "bus Gbit/s", "waiting", "most waited for"]
    yield Table("Collectives", columns, rows, frozenset(columns[2:8]))


def completion_times(results: Results) -> Section:
    """Return the slowdown against the flow size, and a row for each group of flows."""
    section = Section("Flow completion times")
    flows = table(results, "flows")
    if flows is None and "flow-groups" in results:
        section.note = "Single flows were left out of this run; flow-groups.csv has their sums (--flows-csv)."
        return section
    if flows is None:
        section.note = (
            "No flow was measured. Flows that a script starts by Fabric::StartFlows(), or gives to "
            "FlowPlan::SetFlows(), are in flows.csv."
        )
        return section
    arrived = flows.dropna(subset=["slowdown"])
    if arrived.empty:
        section.note = "No flow has arrived whose ideal completion time is known, so there are no slowdowns."
    else:
        tail = choose_tail([arrived], by_sizes=False)
        alt = (
            f"Slowdown of {len(arrived)} flows against their size: median {arrived.slowdown.median():.3g}, "
            f"{tail.name} {arrived.slowdown.quantile(tail.level):.3g}, largest {arrived.slowdown.max():.3g}."
        )
        caption = (
            f"Slowdown: completion time divided by that of the flow alone on the idle network. A small dot is a flow. "
            f"Lines join flows of a group and of about the same size ({BINS_PER_DECADE} bins a decade), where there are at "
            f"least {LEAST_FLOWS}, and for the 99th percentile {P99.least}."
            + (f" All of these flows have the same size, {arrived.bytes.iloc[0] / 1e3:g} kB." if arrived.bytes.nunique() == 1 else "")
        )
        section.pictures.append((charts.make(lambda ax, _: draw_slowdowns(ax, arrived), alt), caption))
    section.tables.append(groups(flows))
    return section


def groups(flows: pandas.DataFrame) -> Table:
    """Return all flows, and the largest groups if there are several."""
    sizes = flows.group.value_counts(sort=False).sort_values(ascending=False, kind="stable")
    named = [*sizes.index[:SHOWN_ROWS]] if len(sizes) > 1 else []
    whole = choose_tail([flows], by_sizes=False)
    tail, level = whole.short, whole.level
    whole_name = f"all ({sizes.index[0]})" if len(sizes) == 1 and sizes.index[0] else "all"
    rows = [(whole_name, *summary(flows, level))]
    rows += [(name or "(no group)", *summary(flows[flows.group == name], level)) for name in named]
    columns = ["group", "flows", "unfinished", "mean FCT", f"{tail} FCT", "mean slowdown", f"{tail} slowdown"]
    title = shown("By group of flows", min(len(sizes), SHOWN_ROWS), len(sizes), "groups")
    return Table(title, columns, rows, frozenset(columns[1:]))


def summary(flows: pandas.DataFrame, level: float) -> list[str]:
    times, slowdowns = flows.fct_ns.dropna(), flows.slowdown.dropna()
    return [
        grouped(len(flows)),
        grouped(len(flows) - len(times)),
        *(duration(value) if len(times) else "–" for value in (times.mean(), times.quantile(level))),
        *(f"{value:.3g}" if len(slowdowns) else "–" for value in (slowdowns.mean(), slowdowns.quantile(level))),
    ]


def draw_slowdowns(ax, flows: pandas.DataFrame) -> None:
    """Draw each group in a separate colour, unless there are too many groups."""
    flows = flows.sort_values(["bytes", "slowdown"], kind="stable")
    step = -(-len(flows) // SHOWN_POINTS)
    several = 1 < flows.group.nunique() <= SHOWN_CURVES
    for name, group in flows.groupby("group") if several else [("", flows)]:
        few = group.iloc[::step]
        (dots,) = ax.plot(few.bytes / 1e3, few.slowdown, ".", markersize=3, alpha=0.4)
        tail = choose_tail([group])
        color, label = dots.get_color(), charts.shown(name or "flows")
        for level, least, line, of in ((0.5, LEAST_FLOWS, "o-", "median"), (tail.level, tail.least, "^--", tail.name)):
            if len(binned := by_size(group, least)):
                ax.plot(binned.bytes.mean() / 1e3, binned.slowdown.quantile(level), line, markersize=4, color=color, label=f"{label}, {of}")
            elif least == LEAST_FLOWS:
                dots.set_label(label)
    ax.set(xscale="log", yscale="log", xlabel="size of the flow (kB)", ylabel="slowdown")
    ticks_of_sizes(ax)
    plain_ticks(ax.yaxis, (1, 2, 5))
    ax.legend(fontsize="small", ncols=2)


def ticks_of_sizes(ax) -> None:
    """Return powers of ten, at least two."""
    low, high = np.log10(ax.dataLim.intervalx)
    low = np.floor(low)
    ax.set_xlim(10**low / 1.1, 10 ** max(np.ceil(high), low + 1) * 1.1)
    plain_ticks(ax.xaxis, (1,))


def plain_ticks(axis, steps: Sequence[int]) -> None:
    """Return 1, 2, 5, 10, ... instead of powers."""
    axis.set_major_locator(LogLocator(subs=steps))
    axis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axis.set_minor_formatter(NullFormatter())


def queues(results: Results) -> Section:
    """Return the longest buffers and single queues over time."""
    section = Section("Queues over time")
    samples = table(results, "queues")
    if samples is None:
        section.note = "No queue was sampled in this run. This option of its program does it:"
        section.command = HOW_TO_SAMPLE
        return section
    for side, title in (("buffer", "buffers of switches"), ("egress", "egress queues"), ("ingress", "ingress queues")):
        rows = samples[samples.side == side]
        if rows.empty:
            continue
        names = queue_names(rows, side)
        curves = dict(longest(rows, names, "bytes", 1e3))
        peak = rows.bytes.max() / 1e3
        caption = shown(f"Bytes stored: {title}", len(curves), names.nunique(), "of them, the fullest") + "."
        alt = f"Bytes stored over time in {title}: {', '.join(curves)}. The fullest had {peak:.4g} kB."
        section.pictures.append((picture_of(curves, alt, "kB stored"), caption))
        if names.nunique() > SHOWN_CURVES:
            section.pictures.append(heat_map(rows, names, title))
    return section


def heat_map(samples: pandas.DataFrame, names: pandas.Series, title: str) -> tuple[charts.Picture, str]:
    """Draw a row for each of the longest queues, in the order of their names."""
    most = samples.bytes.groupby(names).max().nlargest(SHOWN_ROWS_OF_HEAT)
    order = sorted(most.index, key=natural)
    first, last = samples.time_ns.min(), samples.time_ns.max()
    columns = min(SHOWN_COLUMNS_OF_HEAT, samples.time_ns.nunique())
    place = ((samples.time_ns - first) / max(last - first, 1) * (columns - 1)).round()
    cells = samples.bytes.groupby([names, place]).max().unstack().reindex(index=order, columns=range(columns))
    alt = f"Bytes stored over time in {len(order)} of {names.nunique()} {title}, as colours; the fullest is {most.index[0]}."
    caption = shown(f"The same of {title} as colours", len(order), names.nunique(), "of them, the fullest") + "."

    def draw(ax, theme: charts.Theme) -> None:
        ends = (first / 1e6, last / 1e6, len(order) - 0.5, -0.5)
        image = ax.imshow(cells.to_numpy() / 1e3, aspect="auto", interpolation="nearest", extent=ends, cmap=theme.occupancy(), vmin=0)
        step = -(-len(order) // SHOWN_BARS)
        ax.set_yticks(range(0, len(order), step), [charts.shown(name) for name in order[::step]])
        ax.set(xlabel="time (ms)")
        ax.grid(visible=False)
        bar = ax.figure.colorbar(image, ax=ax, aspect=18, pad=0.01)
        bar.set_label("kB stored")
        bar.outline.set_visible(False)

    return charts.make(draw, alt, (9, 1.4 + 0.09 * max(len(order), 16))), caption


def queue_names(samples: pandas.DataFrame, side: str) -> pandas.Series:
    """Return the names of buffers or of the queues of one side, according to their samples. Those of other sides have
    no name.
    """
    rows = samples[samples.side == side]
    if side == "buffer":
        return rows.node
    return rows.node + ":" + rows.port.map("{:.0f}".format) + ", class " + rows.priority.map("{:.0f}".format)


def port_names(samples: pandas.DataFrame) -> pandas.Series:
    return samples.node + ":" + samples.port.astype(str)


def flow_names(samples: pandas.DataFrame) -> pandas.Series:
    return "flow " + samples.id.astype(str)


def throughput(results: Results) -> Section:
    """Return the throughput of flows and ports, as far as it was measured."""
    section = Section("Throughput over time")
    for name, things, labels in (
        ("throughput", "flows", lambda samples: samples.flow),
        ("flow-throughput", "flows", flow_names),
        ("port-throughput", "ports", port_names),
    ):
        samples = table(results, name)
        if samples is None:
            continue
        names = labels(samples)
        curves = dict(longest(samples, names, "bits_per_second", 1e9))
        caption = shown(f"Throughput of {things}", len(curves), names.nunique(), f"{things}, the fastest") + "."
        alt = f"Throughput over time of {', '.join(curves)}; at most {samples.bits_per_second.max() / 1e9:.4g} Gbit/s."
        section.pictures.append((picture_of(curves, alt, "Gbit/s"), caption))
    if not section.pictures:
        section.note = (
            "The folder has neither throughput.csv, which collateral-damage writes, nor port-throughput.csv. This option "
            "of its program measures ports of switches:"
        )
        section.command = HOW_TO_MEASURE
    return section


def longest(
    rows: pandas.DataFrame, names: pandas.Series, column: str, unit: float
) -> Iterable[tuple[str, tuple[pandas.Series, pandas.Series]]]:
    """Return the curves with the highest peaks: name, times in ms, and values."""
    peaks = rows.groupby(names)[column].max().nlargest(SHOWN_CURVES)
    for name in peaks.index:
        yield name, thinned(rows[names == name], column, unit)


def thinned(rows: pandas.DataFrame, column: str, unit: float) -> tuple[pandas.Series, pandas.Series]:
    """Return times in ms and values. If there are many samples, only the largest of every few is kept."""
    step = -(-len(rows) // SHOWN_STEPS)
    few = rows.groupby(pandas.RangeIndex(len(rows)) // step)
    return few.time_ns.min() / 1e6, few[column].max() / unit


def picture_of(curves: Mapping[str, tuple[pandas.Series, pandas.Series]], alt: str, label: str) -> charts.Picture:
    series = [charts.Curve(name, place, *curve) for place, (name, curve) in enumerate(curves.items())]
    return charts.make_series(lambda ax, _: draw_curves(ax, curves, label), alt, label, series)


def draw_curves(ax, curves: Mapping[str, tuple[pandas.Series, pandas.Series]], label: str) -> None:
    for name, (times, values) in curves.items():
        ax.plot(times, values, label=charts.shown(name), linewidth=1.2)
    ax.set(xlabel="time (ms)", ylabel=label)
    ax.set_ylim(bottom=0)
    ax.legend(fontsize="small", ncols=3, loc="lower left", bbox_to_anchor=(0, 1))


def losses(results: Results) -> Section:
    section = Section("Lost frames")
    drops = table(results, "drops")
    if drops is None:
        section.note, section.is_missing = "No frame was lost.", False
        return section
    rows = [
        (row.node, str(row.port), row.priority, row.reason, grouped(row.frames), grouped(row.bytes))
        for row in drops.nlargest(SHOWN_ROWS, "frames").itertuples()
    ]
    columns = ["node", "port", "class", "reason", "frames", "bytes"]
    title = shown("Where most were lost", len(rows), len(drops), "places and reasons")
    section.tables.append(Table(title, columns, rows, frozenset(["frames", "bytes"])))
    return section


def deadlocks(results: Results) -> Section:
    section = Section("Deadlocks")
    found = table(results, "deadlocks")
    if found is None:
        section.note, section.is_missing = "There was no deadlock.", False
        return section
    rows = [
        (duration(row.onset_ns), "" if pandas.isna(row.dissolved_ns) else duration(row.dissolved_ns), row.kind, row.cycle)
        for row in found.head(SHOWN_ROWS).itertuples()
    ]
    title = shown("Deadlocks in the order of their confirmation", len(rows), len(found), "deadlocks")
    section.tables.append(Table(title, ["onset", "dissolved", "kind", "queues that wait for each other"], rows))
    return section
