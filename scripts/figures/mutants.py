# SPDX-License-Identifier: GPL-2.0-only
"""Determines whether a wrong scheme would fail: a figure's statements with the idea of its paper disabled, or with
another scheme in its place.

A mutant changes options in the simulations of one scheme, and the results are judged as if they were those of the
scheme. A statement rejects a mutant if it holds without the mutant but not with it. A statement that rejects no mutant
shows nothing about the scheme, and is counted with those that any scheme fulfils.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import figures
from figures import Job, claims
from figures.kept import is_clean
from lossless.system import read_rows, write_rows

FIELDS = ("figure", "statement", "mutant", "result", "size", "commit")


@dataclass(frozen=True)
class Mutant:
    """Changes of options. An option whose value is None is omitted."""

    name: str
    scheme: str  # the scheme whose simulations it changes
    changes: Mapping[str, str | None]


def instead(scheme: str, other: str, **changes: str | None) -> Mutant:
    return Mutant(f"{other} in place of {scheme}", scheme, {"scheme": other, **changes})


# For programs whose figures do not always name a scheme.
DEFAULT_SCHEMES = {"pabo-tree": "PABO", "pabo-fat-tree": "PABO"}
# By paper. Mutants of a baseline are for statements about it.
MUTANTS = {
    "dsh": (
        Mutant("DSH without insurance headroom", "DSH", {"ns3::lossless::DshBufferPolicy::Insurance": "false"}),
        instead("DSH", "SHP"),
        instead("DSH", "SIH"),
        instead("SIH", "DSH"),
    ),
    "pabo": (
        Mutant("PABO that sends back from full queues only", "PABO", {"theta": "1"}),
        Mutant("PABO that sends back from half-full queues on", "PABO", {"theta": "0.5"}),
        Mutant("PABO that sends back by fixed routes", "PABO", {"back-by-route": "true"}),
        instead("PABO", "DropTail", theta=None, **{"lambda": None}),
        instead("DropTail", "PABO"),
    ),
    "capfc": (
        Mutant("CaPFC-Cal that stops every contributor", "CaPFC-Cal", {"ns3::lossless::CapfcFlowControl::Cut": "1"}),
        instead("CaPFC-Max", "CaPFC-Static"),
        instead("CaPFC-Max", "PFC-wstop"),
        instead("CaPFC-Cal", "PFC-wstop"),
        instead("PFC-wdrop", "PFC-wstop"),
        instead("PFC-wstop", "PFC-wdrop"),
    ),
    "ofc": (
        Mutant("OFC that stops single flows at XOFF only", "OFC", {"ns3::lossless::OfcFlowControl::CongestionShare": "0.9999"}),
        instead("OFC", "PFC"),
        instead("OFC", "BFC"),
        instead("P-PFC", "PFC"),
        instead("GFC", "PFC"),
        instead("PFC", "OFC"),
    ),
    "fafc": (
        # The least weight that there is. The other schemes have FAFC's fair queues, and no level that triggers.
        Mutant("FAFC that hardly learns rates", "FAFC", {"ns3::lossless::FafcFlowControl::RateWeight": "0.01"}),
        instead("FAFC", "PFC", trigger=None, **{"buffer-policy": "Static", "egress-queue": "Fair"}),
        instead("FAFC", "Infinite", trigger=None, **{"egress-queue": "Fair"}),
        instead("PFC", "FAFC"),
    ),
}


def of_figure(name: str, size: str) -> list[Mutant]:
    """Return the mutants that change some of the figure's simulations."""
    own = figures.load(name).jobs(size)
    known = MUTANTS.get(name.split("-")[0], ())
    return [mutant for mutant in known if any(mutated(job, mutant) is not job for job in own)]


def mutated(job: Job, mutant: Mutant) -> Job:
    """Return the simulation with the mutant; unchanged if it does not belong to the scheme, or is the mutant already."""
    if job.options.get("scheme", DEFAULT_SCHEMES.get(job.program)) != mutant.scheme:
        return job
    options = {name: value for name, value in {**job.options, **mutant.changes}.items() if value is not None}
    if options == job.options:
        return job
    return replace(job, name=f"{job.name}-{mutant.name.replace(' ', '-')}", options=options)


def jobs(name: str, size: str) -> list[Job]:
    """Return all simulations of a figure with and without its mutants, each once."""
    own = figures.load(name).jobs(size)
    every = own + [mutated(job, mutant) for mutant in of_figure(name, size) for job in own]
    return [*{job.name: job for job in every}.values()]


def table(name: str, size: str, runs: Path, commit: str) -> list[dict[str, str]]:
    """Return, for each statement that holds without a mutant, its outcome with each mutant."""
    plain = outcomes(name, size, runs, None)
    holding = [statement for statement, outcome in plain.items() if outcome in (claims.HOLDS, claims.ANY)]
    rows = []
    for mutant in of_figure(name, size):
        found = outcomes(name, size, runs, mutant)
        for statement in holding:
            result = claims.FAILED if not found else claims.PASSES if found[statement] == plain[statement] else claims.REJECTED
            rows.append(dict(zip(FIELDS, (name, statement, mutant.name, result, size, commit))))
    return rows


def outcomes(name: str, size: str, runs: Path, mutant: Mutant | None) -> dict[str, str]:
    """Return the outcomes of the statements that the figure's simulations decide; nothing if a simulation has failed or
    lacks tables of the scheme.
    """
    figure = figures.load(name)
    try:
        records = [figure.read(job, runs / (mutated(job, mutant) if mutant else job).name) for job in figure.jobs(size)]
    except FileNotFoundError:
        return {}
    found = figure.claims(figure.reduce(records))
    found = {claim: value for claim, value in found.items() if value is not None and not math.isnan(value)}
    return claims.judge((fact for fact in claims.facts(name) if fact["how"] == "run"), found)


def text(rows: Iterable[Mapping[str, str]]) -> str:
    """Return a line for each statement, with its outcome under each mutant."""
    lines: dict[str, list[str]] = {}
    for row in rows:
        lines.setdefault(row["statement"], []).append(f"{row['mutant']}: {row['result']}")
    return "\n".join(f"{statement:16} {'; '.join(found)}" for statement, found in lines.items())


def file(folder: Path, name: str) -> Path:
    return folder / f"{name}-mutants.csv"


def keep(results: Path) -> list[str]:
    """Store the results of figures, at the largest existing size, in place of those kept so far.

    Returns the figures. Raises a ValueError if the programs cannot be checked out by others.
    """
    places = [(figures.result_folder(results, name, size) / "mutants", name) for name in figures.FIGURES for size in figures.sizes(name)]
    found = {name: read_rows(file(folder, name)) for folder, name in places if file(folder, name).is_file()}
    if unclean := [name for name, rows in found.items() if not all(is_clean(row["commit"]) for row in rows)]:
        raise ValueError(f"mutants of {', '.join(unclean)}: made by programs of no commit, or of one with changes; commit, and make them again")
    rows = [row for row in read_rows(claims.MUTANTS) if row["figure"] not in found]
    rows += [row for taken in found.values() for row in taken]
    write(claims.MUTANTS, sorted(rows, key=lambda row: figures.FIGURES.index(row["figure"])))
    return [*found]


def in_short() -> str:
    """Return a summary of the kept tables in one sentence."""
    rows = read_rows(claims.MUTANTS)
    tried = {row["statement"] for row in rows}
    rejecting = {row["statement"] for row in rows if row["result"] == claims.REJECTED}
    return (
        f"Of {len(tried)} statements of {len({row['figure'] for row in rows})} figures that hold at the size that was tried, "
        f"{len(rejecting)} fail with at least one mutant: the idea of the scheme switched off, or another scheme in its place."
    )


def write(path: Path, rows: Iterable[Mapping[str, str]]) -> None:
    write_rows(path, FIELDS, rows)
