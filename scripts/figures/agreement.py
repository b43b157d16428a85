# SPDX-License-Identifier: GPL-2.0-only
"""Determines whether results agree with those that the repository keeps, within the spread of their seeds.

The value of a claim is that of all seeds together. Its spread is the range of the values for the individual seeds, each
combined with the simulations that are not repeated for each seed. A value agrees if it differs from the kept one by no
more than the spread. Without a spread (a single seed, or missing simulations), the first four digits, which are kept,
must be the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import figures
from figures import Job, claims, kept, studies
from figures.seeds import grouped
from lossless.system import read_rows

DIGITS = 5e-4  # half of the fourth digit of a number that begins with 1, as a share of the number


@dataclass(frozen=True)
class Difference:
    """A value in the results, or None if there is none, and the kept value."""

    name: str
    value: float | None
    kept: float
    spread: tuple[float, float] | None  # the minimum and maximum over seeds

    @property
    def width(self) -> float:
        least, largest = self.spread or (0.0, 0.0)
        return largest - least

    @property
    def agrees(self) -> bool:
        if self.value is None:
            return False
        allowed = max(self.width, DIGITS * abs(self.kept))
        return abs(self.value - self.kept) <= allowed or self.value == self.kept

    def __str__(self) -> str:
        if self.value is None:
            return f"{self.name}: {claims.NOT_FOUND}, kept {self.kept:.4g}"
        text = f"{self.name}: {self.value:.4g}, kept {self.kept:.4g}"
        if not self.width:
            return f"{text}, without a spread"
        times = abs(self.value - self.kept) / self.width
        return f"{text}, {times:.3g} times the spread ({self.spread[0]:.4g} to {self.spread[1]:.4g})"


@dataclass(frozen=True)
class Made:
    """The comparison of a figure."""

    name: str
    size: str
    differences: list[Difference]
    unknown: int  # number of values for which no value of this size is kept


def compare(results: Path) -> list[Made]:
    """Return the comparisons of all figures that have results, at each size."""
    found = []
    for name in figures.FIGURES:
        for size in figures.sizes(name):
            if (figures.result_folder(results, name, size) / f"{name}-claims.csv").is_file():
                found.append(compare_figure(results, name, size))
    return found


def compare_figure(results: Path, name: str, size: str) -> Made:
    """Compare the results with the kept values of the same size. A kept value that is not found again counts as a
    difference.
    """
    own = {fact["id"] for fact in claims.facts(name)}
    before = {row["claim"]: float(row["measured"]) for row in kept.read() if row["size"] == size and row["claim"] in own}
    taken = kept.taken(figures.result_folder(results, name, size), name)
    values = {row["claim"]: float(row["measured"]) for row in taken}
    spreads = of_seeds(name, size, figures.result_folder(results, figures.owner(name), size) / "runs")
    differences = [Difference(claim, values.get(claim), known, spreads.get(claim)) for claim, known in before.items()]
    return Made(name, size, differences + of_table(results, name, size), len(values.keys() - before.keys()))


def of_seeds(name: str, size: str, runs: Path) -> dict[str, tuple[float, float]]:
    """Return the range of each claim over seeds; nothing for a single seed, or if a simulation is missing."""
    figure = figures.load(name)
    jobs = figure.jobs(size)
    seeds = {job.options["RngRun"] for job in jobs if "RngRun" in job.options}
    if len(seeds) < 2 or not all((runs / job.name).is_dir() for job in jobs):
        return {}
    records = {job.name: figure.read(job, runs / job.name) for job in jobs}
    values: dict[str, list[float]] = {}
    for seed in sorted(seeds):
        data = figure.reduce([records[job.name] for job in of_seed(jobs, seed, len(seeds))])
        for claim, value in figure.claims(data).items():
            if value is not None and not math.isnan(value):
                values.setdefault(claim, []).append(value)
    return {claim: (min(found), max(found)) for claim, found in values.items()}


def of_seed(jobs: Iterable[Job], seed: str, seeds: int) -> list[Job]:
    """Return the simulations of a seed, and those that are not repeated for each seed."""
    alike = grouped([{"job": job, "kin": without_seed(job)} for job in jobs], ["kin"]).values()
    every = {entry["job"].name for group in alike if len(group) == seeds for entry in group}
    return [job for job in jobs if job.name not in every or job.options["RngRun"] == seed]


def without_seed(job: Job) -> tuple:
    return (job.program, *((name, value) for name, value in job.options.items() if name != "RngRun"))


def of_table(results: Path, name: str, size: str) -> list[Difference]:
    """Compare the means in the table of one of the project's own comparisons. The kept values are those of the full
    size.
    """
    new = figures.result_folder(results, name, size) / f"{name}-compared.csv"
    before = studies.FOLDER / f"{name}.csv"
    if size != "full" or not new.is_file() or not before.is_file():
        return []
    found = {key_of(row): row for row in read_rows(new)}
    return [
        of_row(" ".join((*key_of(row), metric)), metric, found.get(key_of(row)), row)
        for row in read_rows(before)
        for metric in figures.load(name).METRICS
    ]


def of_row(name: str, metric: str, row: Mapping[str, str] | None, before: Mapping[str, str]) -> Difference:
    kept_value = float(before[metric])
    if row is None:
        return Difference(name, None, kept_value, None)
    return Difference(name, float(row[metric]), kept_value, range_of(row, metric))


def key_of(row: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(row[name] for name in studies.texts(row))


def range_of(row: Mapping[str, str], metric: str) -> tuple[float, float]:
    return float(row[f"least_{metric}"]), float(row[f"largest_{metric}"])


def text(found: Iterable[Made]) -> str:
    """Return a line for each figure, followed by one for each value that differs."""
    lines = [f"{'figure':20}{'size':8}{'agree':>6}{'differ':>8}{'not kept':>10}"]
    for made in found:
        far = [one for one in made.differences if not one.agrees]
        agree = len(made.differences) - len(far)
        lines.append(f"{made.name:20}{made.size:8}{agree:>6}{len(far):>8}{made.unknown:>10}")
        lines += [f"  {one}" for one in far]
    return "\n".join(lines)
