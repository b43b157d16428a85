# SPDX-License-Identifier: GPL-2.0-only
"""Compares several runs on one page: the settings that differ, and tables, distributions and series of all runs."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas

from lossless import Results, notes
from pages import charts, grouped, short, write_page
from pages.network import natural
from pages.report import (
    BINS_PER_DECADE,
    COUNTED,
    HOW_TO_MEASURE,
    HOW_TO_SAMPLE,
    OUTCOMES,
    SHOWN_STEPS,
    Section,
    Table,
    Tail,
    by_size,
    choose_tail,
    duration,
    flow_names,
    plain_ticks,
    ticks_of_sizes,
    port_names,
    queue_names,
    require_members,
    table,
    thinned,
)
from pages.steps import waiting_shares

# The maximum number of curves that can be distinguished: each colour with two line styles.
COLORS = len(charts.LIGHT.colors)
MOST_RUNS = 2 * COLORS
SHOWN_NAMES = 16  # of hosts, on an axis
SHOWN_PLACES = 2  # of each kind of series, those with the highest peak in any run
# Classes of flows by size, each up to this number of bytes.
SIZES = {"up to 10 kB": 1e4, "above 10 kB, up to 100 kB": 1e5, "above 100 kB, up to 1 MB": 1e6, "above 1 MB": np.inf}
ABSENT = "–"
# The options whose values have separate rows in the settings.
OF_OPTIONS = {"--scheme": "scheme", "--congestion-control": "congestion control", "--RngSeed": "seed", "--RngRun": "run"}


@dataclass(frozen=True)
class Run:
    """A run, its name on the page, and how it is drawn."""

    name: str
    results: Results
    style: Mapping[str, str]

    def line(self, theme: charts.Theme) -> dict[str, str]:
        return {"color": self.style["light" if theme is charts.LIGHT else "dark"], "linestyle": self.style["linestyle"]}

    def flows(self) -> pandas.DataFrame:
        """Return the flows of the run, or none if there are no flows."""
        found = table(self.results, "flows")
        return pandas.DataFrame({"bytes": [], "fct_ns": [], "slowdown": []}, dtype=float) if found is None else found


def name_runs(runs: Sequence[Results]) -> list[Run]:
    """Return the runs with names. Raises a ValueError if a folder does not have the format of this version."""
    for results in runs:
        require_members(results)
    names = short_names([results.folder for results in runs])
    styles = styles_of([results.info["scheme"] for results in runs])
    return [Run(name, results, style) for name, results, style in zip(names, runs, styles)]


def describe_in_text(runs: Sequence[Results]) -> list[str]:
    """Return the tables at the beginning of the page, and that of all flows, as lines. Raises a ValueError like
    write().
    """
    named = name_runs(runs)
    flows = [run.flows() for run in named]
    times = [compared("All flows", named, without_nothing(flow_rows(flows)))] if any(map(len, flows)) else []
    of_collectives = collectives(named).tables if any("collectives" in run.results for run in named) else []
    tables = [*settings(named).tables, *numbers(named).tables, *of_collectives, *times]
    return [line for one in tables for line in ("", *align(one.columns, one.rows))][1:]


def align(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a table for the terminal, with the numbers of runs aligned to the right."""
    widths = [max(map(len, cells)) for cells in zip(columns, *rows)]
    return ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in (columns, *rows)]


def write(runs: Sequence[Results], page: Path) -> None:
    """Write the comparison of runs. Raises a ValueError if a folder does not have the format of this version."""
    named = name_runs(runs)
    parts = (settings, numbers, *([collectives] if any("collectives" in run.results for run in named) else []), flow_times, losses, series)
    write_page(
        page,
        "compare.html",
        runs=[head(run) for run in named],
        notes=notes.count([notes.sentences(run.results.info) for run in named]),
        sections=[make(named) for make in parts],
    )


def short_names(folders: Sequence[Path]) -> list[str]:
    """Return as many last components of the paths as are needed to distinguish the folders."""
    paths = [folder.resolve().parts for folder in folders]
    for length in range(1, max(map(len, paths)) + 1):
        names = ["/".join(path[-length:]) for path in paths]
        if len({*names}) == len(names):
            return names
    raise ValueError("the same folder is there twice; name each run once")


def head(run: Run) -> dict[str, object]:
    info = run.results.info
    look, sign, _ = OUTCOMES[info["verdict"]["outcome"]]
    return {
        "name": run.name,
        "title": ", ".join(filter(None, [info["program"], info["scheme"]])),
        "outcome": {"look": look, "sign": sign, "word": info["verdict"]["outcome"]},
        "deadlock": info["verdict"]["deadlock"],
        "command": shlex.join(info["command_line"]),
    }


def settings(runs: Sequence[Run]) -> Section:
    """Return a row for each setting that is not the same in all runs."""
    section = Section("Settings that differ")
    found = [settings_of(run.results.info) for run in runs]
    names = dict.fromkeys(name for one in found for name in one)
    rows = [(name, *values) for name in names if len({*(values := [one.get(name, ABSENT) for one in found])}) > 1]
    chosen = [alike(values) for name, *values in rows if name in OF_OPTIONS.values()]
    rows = [one for one in rows if not (one[0] in OF_OPTIONS or is_part(one[0], one[1:]) and alike(one[1:]) in chosen)]
    if rows:
        section.tables.append(Table(f"By run ({ABSENT}: not given, or the default)", ["setting", *(run.name for run in runs)], rows))
    else:
        section.note, section.is_missing = "The runs have the same program, options, attributes and versions.", False
    return section


def alike(values: Sequence[str]) -> list[int]:
    """Return, for each run, the first run with the same value."""
    return [values.index(value) for value in values]


def is_part(name: str, values: Sequence[str]) -> bool:
    """Return whether a setting is an attribute whose value names classes, such as the parts of a scheme."""
    return "::" in name and all(value in ("", ABSENT) or value.startswith("ns3::") for value in values)


def settings_of(info: Mapping) -> dict[str, str]:
    """Return the settings of a run: the choices, the given options, attributes, and versions."""
    found = {"program": info["program"], "scheme": info["scheme"], "congestion control": info["congestion_control"]}
    found |= {"seed": str(info["seed"]), "run": str(info["run"])}
    found |= {name: str(value) for name, value in info["parameters"].items()}
    for word in info["command_line"][1:]:
        name, _, value = word.partition("=")
        if name != "--output":
            found[name] = value or "given"
    for entry in info.get("attributes", []):
        values = entry.get("values", [entry.get("value")])
        found[f"{entry['type']}::{entry['attribute']}".removeprefix("ns3::lossless::")] = ", ".join(map(str, values))
    found |= {f"version of {name}": str(info["versions"].get(name)) for name in ("lossless", "ns3", "commit", "compiler")}
    return found


def numbers(runs: Sequence[Run]) -> Section:
    """Return the verdict and the counts."""
    section = Section("Verdict and numbers")
    infos = [run.results.info for run in runs]
    verdicts = [info["verdict"] for info in infos]
    rows = [
        ("verdict", *(verdict["outcome"] for verdict in verdicts)),
        ("deadlock", *("yes" if verdict["deadlock"] else "no" for verdict in verdicts)),
        *(row(name, [verdict[key] for verdict in verdicts], grouped) for name, key in (
            ("flows", "flows"), ("unfinished flows", "unfinished_flows"), ("frames lost", "lost_frames"))),
        *(row(name, [info.get(key) for info in infos], grouped) for name, key in (
            *COUNTED,
            ("pauses", "pauses"), ("links of the deepest pause", "max_pause_depth"), ("hosts paused", "paused_hosts"),
            ("victim flows", "victim_flows"), ("packets sent again", "retransmitted_packets"),
            ("packet-hops", "packet_hops"))),
        row("paused for, sum of all queues", [total_pause(run) for run in runs], duration),
        row("fullest buffer", [buffer_peak(run) for run in runs], kilobytes),
        row("simulated", [info["simulated_ns"] for info in infos], duration),
    ]
    section.tables.append(compared("By run", runs, without_nothing(rows)))
    if any(value is None for value in map(buffer_peak, runs)):
        section.note = "A buffer's peak is that of its samples, which this option of a program writes:"
        section.command = "--sample=10us"
    return section


def collectives(runs: Sequence[Run]) -> Section:
    """Return the completion, bus bandwidth and waiting of collectives, as tables and as pictures with a dot for each
    collective and each rank.
    """
    section = Section("Collectives")
    tables = [table(run.results, "collectives") for run in runs]
    done = [None if one is None else one.dropna(subset=["duration_ns"]) for one in tables]
    graphs = [table(run.results, "steps") for run in runs]
    waiting = [
        {} if graph is None or graph.started_ns.isna().all() else waiting_shares(graph, run.results.info["simulated_ns"])
        for run, graph in zip(runs, graphs)
    ]
    sums = [run.results.summarize_collectives() for run in runs]
    rows = [
        row("collectives", [0 if one is None else len(one) for one in tables], grouped),
        row("unfinished", [0 if one is None else int(one.duration_ns.isna().sum()) for one in tables], grouped),
        row("completion of all", [one["collectives_ns"] for one in sums], duration),
        *(row(name, [np.nan if one is None else find(one) for one in done], text) for name, find, text in (
            ("mean time of one", lambda one: one.duration_ns.mean(), duration),
            ("longest", lambda one: one.duration_ns.max(), duration),
            ("mean bus Gbit/s", lambda one: one.bus_gbps.mean(), "{:.4g}".format),
            ("mean share of waiting (%)", lambda one: 100 * one.waiting_share.mean(), "{:.3g}".format))),
        row("longest waiting rank (%)", [100 * max(one.values(), default=np.nan) for one in waiting], "{:.3g}".format),
    ]
    section.tables.append(compared("By run", runs, without_nothing(rows)))
    height = (9, 1.1 + 0.4 * len(runs))
    for column, label, text, unit in (
        ("duration_ns", "time of a collective (us)", "Time", 1e3),
        ("bus_gbps", "bus bandwidth (Gbit/s)", "Bus bandwidth", 1),
    ):
        found = [(run, one[column] / unit) for run, one in zip(runs, done) if one is not None and len(one)]
        if found:
            means = ", ".join(f"{run.name} {short(values.mean(), digits=4)}" for run, values in found)
            alt = f"{text} of each collective, by run. Means: {means}."
            picture = charts.make(lambda ax, theme: draw_dots(ax, theme, found, label), alt, height)
            section.pictures.append((picture, f"{text}: a dot for each collective, a bar from 0 to the mean."))
    if any(share >= 0.001 for one in waiting for share in one.values()):
        most = ", ".join(f"{run.name} {max(one.values()):.1%}" for run, one in zip(runs, waiting) if one)
        alt = f"Share of waiting of each rank, by run. The rank that waits longest: {most}."
        picture = charts.make(lambda ax, theme: draw_waiting(ax, theme, [*zip(runs, waiting)]), alt)
        caption = "Waiting by rank: share of the time until its last step in which it neither computes nor has a flow under way."
        section.pictures.append((picture, caption))
    return section


def draw_dots(ax, theme: charts.Theme, found: Sequence[tuple[Run, pandas.Series]], label: str) -> None:
    for place, (run, values) in enumerate(found):
        color = run.line(theme)["color"]
        ax.barh(place, values.mean(), 0.5, color=color, alpha=0.35)
        ax.plot(values, [place] * len(values), run.style["marker"], markersize=4, color=color)
        ax.annotate(short(values.mean(), digits=4), (max(values.max(), values.mean()), place), (6, 0), textcoords="offset points", va="center")
    ax.set(xlabel=label, ylim=(len(found) - 0.5, -0.5))
    ax.set_xlim(0, 1.12 * max(values.max() for _, values in found))
    ax.set_yticks(range(len(found)), [charts.shown(run.name) for run, _ in found])
    ax.grid(visible=False, axis="y")


def draw_waiting(ax, theme: charts.Theme, found: Sequence[tuple[Run, Mapping[str, float]]]) -> None:
    hosts = sorted({host for _, shares in found for host in shares}, key=natural)
    place = {host: number for number, host in enumerate(hosts)}
    for run, shares in found:
        look = {"color": run.line(theme)["color"], "marker": run.style["marker"], "linestyle": ""}
        ax.plot([place[host] for host in shares], [100 * share for share in shares.values()], markersize=4, label=charts.shown(run.name), **look)
    step = -(-len(hosts) // SHOWN_NAMES)
    ax.set_xticks(range(0, len(hosts), step), [charts.shown(host) for host in hosts[::step]])
    ax.set(ylabel="waiting (%)")
    ax.set_ylim(bottom=0)
    legend(ax)


def total_pause(run: Run) -> float:
    pauses = table(run.results, "pauses")
    return 0 if pauses is None else float(pauses.paused_ns.sum())


def buffer_peak(run: Run) -> float | None:
    """Return the number of bytes in the fullest buffer of a switch, or None if buffers were not sampled."""
    samples = table(run.results, "queues")
    peak = np.nan if samples is None else samples.bytes[samples.side == "buffer"].max()
    return None if np.isnan(peak) else float(peak)


def kilobytes(number: float) -> str:
    return f"{number / 1e3:.4g} kB"


def row(name: str, values: Sequence[float | None], text: Callable[[float], str]) -> tuple[str, ...]:
    """Return a number of each run, with its difference from that of the first run."""
    first = values[0]
    cells = [ABSENT if value is None or np.isnan(value) else text(value) + difference(value, first) for value in values]
    return (name, *cells)


def difference(value: float, first: float | None) -> str:
    if first is None or np.isnan(first) or first == 0 or value == 0:  # no number is a multiple of 0
        return ""
    percent = 100 * (value / first - 1)
    if abs(percent) < 0.05:
        return ""
    if percent >= 900:
        return f" (x {short(value / first)})"
    return f" ({percent:+.0f} %)" if abs(percent) >= 100 else f" ({percent:+.3g} %)"


def without_nothing(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return the rows for which at least one run has a value."""
    return [one for one in rows if {*one[1:]} - {"0", "0 ns", "no", ABSENT}]


def compared(title: str, runs: Sequence[Run], rows: Sequence[Sequence[str]]) -> Table:
    names = [run.name for run in runs]
    return Table(title, ["", *names], rows, frozenset(names))


def flow_times(runs: Sequence[Run]) -> Section:
    """Return the distributions of the slowdown, and tables of completion times, for all flows and by size."""
    section = Section("Flow completion times")
    flows = [run.flows() for run in runs]
    if not any(map(len, flows)):
        section.note, section.is_missing = "The runs had no flows.", False
        return section
    arrived = [(run, some) for run, one in zip(runs, flows) if len(some := one.dropna(subset=["slowdown"]))]
    if arrived:
        medians = ", ".join(f"{run.name} {some.slowdown.median():.3g}" for run, some in arrived)
        alt = f"Distributions of the slowdown of flows, by run. Medians: {medians}."
        caption = "Share of the flows that arrived whose slowdown is at most so large."
        section.pictures.append((charts.make(lambda ax, theme: draw_distributions(ax, theme, arrived), alt), caption))
    tail = choose_tail([some for _, some in arrived])
    enough = [(run, some) for run, some in arrived if len(by_size(some, tail.least))]
    if any(len(by_size(some, tail.least)) > 1 for _, some in enough):
        worst = ", ".join(f"{run.name} {some.slowdown.quantile(tail.level):.3g}" for run, some in enough)
        alt = f"{tail.name} of the slowdown against the size of flows, by run. Of all flows: {worst}."
        caption = (
            f"{tail.name} of the slowdown of flows of about the same size ({BINS_PER_DECADE} bins a decade), where there "
            f"are at least {tail.least}."
        )
        section.pictures.append((charts.make(lambda ax, theme: draw_by_size(ax, theme, enough, tail), alt), caption))
    section.tables.append(compared("All flows", runs, flow_rows(flows)))
    least = 0.0
    for name, most in SIZES.items():
        some = [one[(one.bytes > least) & (one.bytes <= most)] for one in flows]
        if any(map(len, some)):
            section.tables.append(compared(f"Flows {name}", runs, flow_rows(some)))
        least = most
    return section


def flow_rows(flows: Sequence[pandas.DataFrame]) -> list[tuple[str, ...]]:
    """Return the number of flows, and statistics of those that have arrived."""
    tail = choose_tail(flows, by_sizes=False)
    statistics = {
        "mean": lambda values: values.mean(),
        "median": lambda values: values.median(),
        tail.short: lambda values: values.quantile(tail.level),
    }
    rows = [row("flows", [len(some) for some in flows], grouped)]
    rows.append(row("unfinished", [int(some.fct_ns.isna().sum()) for some in flows], grouped))
    for column, title, text in (("fct_ns", "FCT", duration), ("slowdown", "slowdown", "{:.3g}".format)):
        rows += [row(f"{name} {title}", [find(some[column].dropna()) for some in flows], text)
                 for name, find in statistics.items()]
    return rows


def styles_of(schemes: Sequence[str]) -> list[dict[str, str]]:
    """Return the colour, line style and marker of each run, the same in all pictures. They are those of its scheme if
    no other run has the same scheme.
    """
    if looks := charts.scheme_looks(schemes):
        return [{**look, "linestyle": "-"} for look in looks]
    return [style_of(number) for number in range(len(schemes))]


def style_of(number: int) -> dict[str, str]:
    """Return the style of a run by its position."""
    place, marker = number % COLORS, charts.MARKERS[number % COLORS]
    light, dark = charts.LIGHT.colors[place], charts.DARK.colors[place]
    return {"light": light, "dark": dark, "marker": marker, "linestyle": "-" if number < COLORS else "--"}


def draw_distributions(ax, theme: charts.Theme, flows: Sequence[tuple[Run, pandas.DataFrame]]) -> None:
    for run, some in flows:
        values = np.sort(some.slowdown.to_numpy())
        shares = np.arange(1, len(values) + 1) / len(values) * 100
        few = np.unique(np.linspace(0, len(values) - 1, SHOWN_STEPS).astype(int))
        ax.step([values[0], *values[few]], [0, *shares[few]], where="post", label=charts.shown(run.name), **run.line(theme))
    ax.set(xscale="log", xlabel="slowdown", ylabel="flows (%)", ylim=(0, 100))
    plain_ticks(ax.xaxis, (1, 2, 5))
    legend(ax)


def draw_by_size(ax, theme: charts.Theme, flows: Sequence[tuple[Run, pandas.DataFrame]], tail: Tail) -> None:
    for run, some in flows:
        enough = by_size(some, tail.least)
        sizes, worst = enough.bytes.mean() / 1e3, enough.slowdown.quantile(tail.level)
        ax.plot(sizes, worst, marker=run.style["marker"], markersize=4, label=charts.shown(run.name), **run.line(theme))
    ax.set(xscale="log", yscale="log", xlabel="size of the flow (kB)", ylabel=f"{tail.name} of the slowdown")
    ticks_of_sizes(ax)
    plain_ticks(ax.yaxis, (1, 2, 5))
    legend(ax)


def legend(ax) -> None:
    ax.legend(fontsize="small", ncols=3, loc="lower left", bbox_to_anchor=(0, 1))


def losses(runs: Sequence[Run]) -> Section:
    """Return the number of lost frames, by reason."""
    section = Section("Lost frames")
    found = []
    for run in runs:
        drops = table(run.results, "drops")
        found.append({} if drops is None else drops.groupby("reason").frames.sum().to_dict())
    reasons = sorted({reason for one in found for reason in one})
    if reasons:
        rows = [row(reason, [one.get(reason, 0) for one in found], grouped) for reason in reasons]
        section.tables.append(compared("Frames by reason", runs, rows))
    else:
        section.note, section.is_missing = "No frame was lost.", False
    return section


def series(runs: Sequence[Run]) -> Section:
    """Return queues, buffers and throughput over time, as a picture for each of a few places, with a curve for each
    run.
    """
    section = Section("Series over time")
    for title, name, column, unit, label, names in (
        ("Buffer of", "queues", "bytes", 1e3, "kB stored", lambda rows: queue_names(rows, "buffer")),
        ("Egress queue", "queues", "bytes", 1e3, "kB stored", lambda rows: queue_names(rows, "egress")),
        ("Ingress queue", "queues", "bytes", 1e3, "kB stored", lambda rows: queue_names(rows, "ingress")),
        ("Throughput of flow", "throughput", "bits_per_second", 1e9, "Gbit/s", lambda rows: rows.flow),
        ("Throughput of", "flow-throughput", "bits_per_second", 1e9, "Gbit/s", flow_names),
        ("Throughput of port", "port-throughput", "bits_per_second", 1e9, "Gbit/s", port_names),
    ):
        places = by_place(runs, name, names)
        highest = sorted(places, key=lambda place: -max(rows[column].max() for _, rows in places[place]))
        for place in highest[:SHOWN_PLACES]:
            curves = [(run, *thinned(rows, column, unit)) for run, rows in places[place]]
            peaks = ", ".join(f"{run.name} {values.max():.4g}" for run, _, values in curves)
            alt = f"{title} {place} over time, by run. Peaks in {label}: {peaks}."
            others = [run.name for run in runs if not any(run is there for there, *_ in curves)]
            caption = f"{title} {place}" + (f"; not recorded in {', '.join(others)}." if others else ".")
            lines = [charts.Curve(run.name, runs.index(run), *curve, run.style) for run, *curve in curves]
            picture = charts.make_series(lambda ax, theme: draw_series(ax, theme, curves, label), alt, label, lines)
            section.pictures.append((picture, caption))
    if not section.pictures:
        section.note = "No run has series. These options of their programs record them:"
        section.command = f"{HOW_TO_SAMPLE} {HOW_TO_MEASURE.split()[-1]}"
    return section


def by_place(
    runs: Sequence[Run], name: str, names: Callable[[pandas.DataFrame], pandas.Series]
) -> dict[str, list[tuple[Run, pandas.DataFrame]]]:
    """Return the samples of each place, by run. Samples whose place has no name are of another kind."""
    places: dict[str, list[tuple[Run, pandas.DataFrame]]] = {}
    for run in runs:
        samples = table(run.results, name)
        if samples is not None:
            for place, rows in samples.groupby(names(samples), sort=False):
                places.setdefault(place, []).append((run, rows))
    return places


def draw_series(ax, theme: charts.Theme, curves: Sequence[tuple[Run, pandas.Series, pandas.Series]], label: str) -> None:
    for run, times, values in curves:
        ax.plot(times, values, linewidth=1.2, label=charts.shown(run.name), **run.line(theme))
    ax.set(xlabel="time (ms)", ylabel=label)
    ax.set_ylim(bottom=0)
    legend(ax)
