# SPDX-License-Identifier: GPL-2.0-only
"""PABO compared with its authors' public results: entropy, delay and completion time in the fat-tree against theta and
lambda.

pabo-authors.csv contains their numbers, each with repository, commit, file, block and line. `experiment` is the simulation:
    apart     two incasts of three servers at hosts 9 and 12, which share no link. The scripts that created the rows read
              these two hosts; a run of 3-to-1 represents either of them here
    together  the same at hosts 9 and 10 ("new traffic set"), whose incasts share the link from S11 to S9: many-to-many
    decay     one incast of three servers at host 9, by theta and lambda. doc/notebook/pabo.rst explains how the settings
              were determined

Columns without `reno_` are with PABO. Entropy is the mean over the connections, in nat; a delay is measured from a
segment's timestamp, in whole milliseconds, to its arrival; a completion time starts at the creation of the reply at the
server. Delays of -1 in the authors' file, for runs in which frames on the way to servers were sent back, are empty. Ten
rows that repeat others are omitted, as are the ten rows of PABO with TCP Reno, whose settings are not available.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

from figures import Job, table
from figures.pabo import BY_TABLE, average, fat_tree_job, ratio, summary
from figures.pabo_fig13 import CLOCK_MS
from figures.style import SCHEMES, SERIES
from lossless.system import read_rows

TITLE = "PABO beside its authors' results: entropy, delay and completion time against theta"
MINUTES = {"quick": 1, "full": 6}
PANELS = (3, 3)
METRICS = {"entropy": "reorder entropy (nat)", "delay_ms": "mean delay of a segment (ms)", "fct_ms": "mean flow completion time (ms)"}
LABELS = (*((r"$\theta$", label) for label in METRICS.values()),) * 2 + ((r"$\theta$", METRICS["delay_ms"]),) * 3

SEEDS = {"quick": 1, "full": 3}
SCENARIOS = {"apart": "3-to-1", "together": "many-to-many"}
THETAS = {"quick": (0.5, 0.7, 0.9, 0.9875), "full": (0.5, 0.6, 0.7, 0.8, 0.9, 0.9375, 0.9625, 0.9875)}
LATE = 0.9  # theta above which the number of frames that count as a full sub-queue has an effect
LAMBDAS = (1, 10, 30)
DECAY_THETAS = {"quick": (0.1, 0.5, 0.9), "full": (0.1, 0.3, 0.5, 0.7, 0.9)}
DECAY_SETTINGS = {"window": 45535, "restart-after": "0s"}  # with 0s, idle connections never restart
RESERVE = "ns3::lossless::PaboFlowControl::Reserve"
RULES = {3: "98 of 100 are full, as theirs", 0: "100 of 100 are full"}
THEIRS = {"color": "black", "marker": ".", "linestyle": "none"}
RENO = "TCP Reno"


@cache
def authors() -> list[dict]:
    """Return the rows of the authors, with numbers as such and None for missing values."""
    return [
        {name: text if name in ("repository", "commit", "file", "experiment") else float(text) if text else None for name, text in row.items()}
        for row in read_rows(Path(__file__).with_name("pabo-authors.csv"))
    ]


def jobs(size: str) -> list[Job]:
    found = []
    for seed in range(1, SEEDS[size] + 1):
        for scenario in SCENARIOS.values():
            for theta in THETAS[size]:
                for reserve in RULES if theta > LATE else (3,):
                    options = {"lambda": 50, RESERVE: reserve, **BY_TABLE}
                    found.append(fat_tree_job(scenario, seed, scheme="PABO", theta=theta, **options))
        for decay in LAMBDAS:
            for theta in DECAY_THETAS[size]:
                options = {"lambda": decay, RESERVE: 3, **DECAY_SETTINGS, **BY_TABLE}
                found.append(fat_tree_job("3-to-1", seed, scheme="PABO", theta=theta, **options))
    # Without randomness
    return found + [fat_tree_job(scenario, 1, scheme="DropTail") for scenario in SCENARIOS.values()]


def read(job: Job, folder: Path) -> dict:
    values = summary(folder)
    blocks = {scenario: experiment for experiment, scenario in SCENARIOS.items()}
    decay = job.options.get("lambda", "")
    return {
        "experiment": blocks[job.options["scenario"]] if decay in ("", "50") else "decay",
        "scheme": job.options["scheme"],
        "reserve": int(job.options.get(RESERVE, 0)),
        "theta": float(job.options.get("theta", 0)),
        "lambda": float(decay or 0),
        "entropy": values["connection_entropy"],
        "delay_ms": 1e3 * values["delay_mean_s"] + CLOCK_MS,
        "fct_ms": statistics.fmean(table(folder, "replies").fct_ns) / 1e6,
        "replies_missing": values["replies_missing"],
    }


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    return {"points": average(records, ["experiment", "scheme", "reserve", "theta", "lambda"], [*METRICS, "replies_missing"])}


def chosen(rows: Iterable[Mapping], **of: object) -> list[Mapping]:
    return [row for row in rows if all(row[name] == value for name, value in of.items())]


def draw(panels, data: Mapping[str, list[dict]]) -> None:
    """Draw bars of the standard deviation between seeds, and dots for the authors' runs. A line without dots is TCP
    Reno. The legend is in panel (a).
    """
    letters = iter("abcdefghi")
    for experiment, row in zip(SCENARIOS, (panels[:3], panels[3:6])):
        for metric, ax in zip(METRICS, row):
            draw_metric(ax, experiment, metric, data["points"])
            ax.set(title=f"({next(letters)}) incasts {experiment}")
    for decay, ax in zip(LAMBDAS, panels[6:]):
        theirs = [row for row in chosen(authors(), experiment="decay", **{"lambda": decay}) if row["delay_ms"] is not None]
        ax.plot([row["theta"] for row in theirs], [row["delay_ms"] for row in theirs], label="authors", **THEIRS)
        draw_ours(ax, chosen(data["points"], experiment="decay", **{"lambda": decay}), "delay_ms", 3)
        ax.set(title=rf"({next(letters)}) one incast, $\lambda$ = {decay}", ylim=(0, None))
    for ax in panels[1:]:
        for artist in (*ax.lines, *ax.containers):
            artist.set_label("")  # no further legends


def draw_metric(ax, experiment: str, metric: str, points: Sequence[Mapping]) -> None:
    theirs = chosen(authors(), experiment=experiment)
    ax.plot([row["theta"] for row in theirs], [row[metric] for row in theirs], label="authors", **THEIRS)
    for reserve in RULES:
        draw_ours(ax, chosen(points, experiment=experiment, scheme="PABO", reserve=reserve), metric, reserve)
    ax.axhline(theirs[0][f"reno_{metric}"], color="black", linewidth=1, label=f"authors, {RENO}")
    for row in chosen(points, experiment=experiment, scheme="DropTail"):
        ax.axhline(row[metric], color=SCHEMES["DropTail"]["color"], linewidth=1, linestyle="--", label=f"here, {RENO}")
    ax.set_yscale("log" if metric == "fct_ms" else "linear")


def draw_ours(ax, rows: Sequence[Mapping], metric: str, reserve: int) -> None:
    look = SCHEMES["PABO"] if reserve else SERIES[1]
    thetas, values = [row["theta"] for row in rows], [row[metric] for row in rows]
    errors = [row[f"{metric}_deviation"] for row in rows]
    ax.errorbar(thetas, values, yerr=errors, elinewidth=0.8, label=f"here: {RULES[reserve]}", **look)


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    """Return our values divided by the authors': means over theta up to 0.9, and then at the last theta, where the
    authors have one value in two rows.
    """
    found = []
    for experiment in SCENARIOS:
        theirs, ours = chosen(authors(), experiment=experiment), chosen(data["points"], experiment=experiment, scheme="PABO")
        last = max(row["theta"] for row in theirs)
        ends = {reserve: chosen(ours, reserve=reserve, theta=last) for reserve in RULES}
        reno = chosen(data["points"], experiment=experiment, scheme="DropTail")
        for metric in METRICS:
            found.append(ratio(mean(upto(ours), metric), mean(upto(theirs), metric)))
        found += [ratio(mean(reno, metric), theirs[0][f"reno_{metric}"]) for metric in METRICS]
        found += [ratio(mean(ends[3], metric), theirs[-1][metric]) for metric in METRICS]
        found.append(ratio(mean(ends[0], "entropy"), theirs[-1]["entropy"]))
    for decay in LAMBDAS:
        ours = chosen(data["points"], experiment="decay", **{"lambda": decay})
        thetas = {row["theta"] for row in ours}
        theirs = [row for row in chosen(authors(), experiment="decay", **{"lambda": decay}) if row["theta"] in thetas]
        found.append(ratio(mean(ours, "delay_ms"), mean(theirs, "delay_ms")))
    return {f"pabo-authors-{number}": value for number, value in enumerate(found, 1)}


def upto(rows: Iterable[Mapping]) -> list[Mapping]:
    return [row for row in rows if row["theta"] <= LATE]


def mean(rows: Iterable[Mapping], metric: str) -> float:
    return statistics.fmean(row[metric] for row in rows)
