# SPDX-License-Identifier: GPL-2.0-only
"""PABO Fig. 6: the effect of theta and lambda on entropy, variance and timeRatio in the tree."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from figures import Job, table
from figures.pabo import (
    average,
    correlation,
    percent,
    rank_correlation,
    ratio,
    sent_back,
    steps,
    summary,
    tcp_job,
)
from figures.style import SERIES

if TYPE_CHECKING:
    from pandas import DataFrame

TITLE = "PABO Fig. 6: entropy, variance and timeRatio in the tree against theta, and against lambda"
MINUTES = {"quick": 2, "full": 10}
PANELS = (2, 3)
LABELS = ((r"$\theta$", "reorder entropy (nat)"),) * 3 + ((r"$\lambda$", "reorder entropy (nat)"),) * 3

SEEDS = {"quick": 3, "full": 10}
FIXED_LAMBDAS = (1, 50, 150)  # panels (a) to (c); the paper names only the first
FIXED_THETAS = (0.1, 0.5, 0.95)  # panels (d) to (f); the paper names only the second
THETAS = {
    "quick": (*(round(0.05 + 0.1 * step, 2) for step in range(10)), 0.99),
    "full": (*(round(0.05 * step, 2) for step in range(1, 20)), 0.99),
}
LAMBDAS = {"quick": (1, 10, 20, 50, 100, 150, 200), "full": (1, *range(10, 201, 10))}
FORWARD_PORTS = {**{f"s{number}": 1 for number in range(1, 7)}, "s7": 3}
METRICS = ("entropy", "variance", "time_ratio")
PLATEAU = (0.4, 0.8)  # thetas between which the entropy is nearly constant


def jobs(size: str) -> list[Job]:
    by_theta = [(theta, decay) for decay in FIXED_LAMBDAS for theta in THETAS[size]]
    by_lambda = [(theta, decay) for theta in FIXED_THETAS for decay in LAMBDAS[size]]
    return [
        tcp_job(seed, **{"theta": theta, "lambda": decay})
        for theta, decay in dict.fromkeys([*by_theta, *by_lambda])
        for seed in range(1, SEEDS[size] + 1)
    ]


def read(job: Job, folder: Path) -> dict:
    frames = sent_back(folder)
    variance, time_ratio = queue_use(table(folder, "utilization"))
    return {
        "theta": float(job.options["theta"]),
        "lambda": int(job.options["lambda"]),
        "entropy": summary(folder)["reorder_entropy"],
        "variance": variance,
        "time_ratio": time_ratio,
        "at_s7_percent": percent(frames["S7"], sum(frames.values())),
    }


def queue_use(rows: DataFrame) -> tuple[float, float]:
    """Return the variance over the switches of their output's mean fill, and the mean share of time above theta.

    Only the output towards the receiver counts, with both of its queues.
    """
    outputs = rows[rows.node.map(FORWARD_PORTS) == rows.port]
    fills = [statistics.fmean(outputs["mean"][outputs.node == node]) for node in FORWARD_PORTS]
    return statistics.pvariance(fills), statistics.fmean(outputs.above_theta)


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    points = average(records, ["theta", "lambda"], [*METRICS, "at_s7_percent"])
    return {"points": sorted(points, key=lambda row: (row["theta"], row["lambda"]))}


def panels_of(data: Mapping[str, list[dict]]) -> list[tuple[str, list[dict]]]:
    """Return what varies in each of the panels (a) to (f), and the points of the panel."""
    return [
        *(("theta", having(data["points"], "lambda", decay)) for decay in FIXED_LAMBDAS),
        *(("lambda", having(data["points"], "theta", theta)) for theta in FIXED_THETAS),
    ]


def having(rows: list[dict], name: str, value: float) -> list[dict]:
    return [row for row in rows if row[name] == value]


def draw(panels, data: Mapping[str, list[dict]]) -> None:
    """All panels have the same scales, so that the effects can be compared."""
    entropies = [row["entropy"] for row in data["points"]]
    largest = max(max(100 * row["time_ratio"], 1e5 * row["variance"]) for row in data["points"])
    for letter, ax, (name, rows) in zip("abcdef", panels, panels_of(data)):
        fixed, symbol = ("lambda", r"\lambda") if name == "theta" else ("theta", r"\theta")
        right = ax.twinx()
        lines = []  # explained only in the first panel
        for axis, metric, factor, label, style in (
            (ax, "entropy", 1, "entropy", SERIES[3]),
            (right, "variance", 1e5, r"variance / $10^{-5}$", SERIES[1]),
            (right, "time_ratio", 100, "timeRatio / %", SERIES[0]),
        ):
            points = [(row[name], factor * row[metric]) for row in rows]
            lines += axis.plot(*zip(*points), label=label if letter == "a" else None, **style)
        ax.set(title=rf"({letter}) ${symbol}$ = {rows[0][fixed]:g}", ylim=(0, 1.1 * max(entropies)))
        right.set(ylim=(0, 1.1 * largest))
        right.grid(False)
        if letter == "a":
            ax.legend(handles=lines, fontsize="small", loc="lower left", bbox_to_anchor=(0, 0.13))
        if letter in "cf":
            right.set_ylabel(r"timeRatio / %, variance / $10^{-5}$")


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    curves = [Curve(name, rows) for name, rows in panels_of(data)]
    by_theta, by_lambda = curves[:3], curves[3:]
    small, middle, large = by_lambda
    s7_alone = min(row["at_s7_percent"] for row in middle.rows)
    return {
        "pabo-fig6-1": min(abs(curve.entropy_against_time_ratio()) for curve in curves),
        "pabo-fig6-2": max(curve.largest_rise("time_ratio") for curve in by_theta),
        "pabo-fig6-3": min(curve.trend("variance") for curve in by_theta),
        "pabo-fig6-4": ratio(
            by_theta[0].range("entropy"), min(curve.range("entropy") for curve in by_theta[1:])
        ),
        "pabo-fig6-5": max((curve.fall_between(*PLATEAU) for curve in by_theta[1:]), key=abs),
        "pabo-fig6-6": min(curve.trend("time_ratio") for curve in (small, middle)),
        "pabo-fig6-7": ratio(large.range("time_ratio"), small.range("time_ratio")),
        "pabo-fig6-8": small.share_of_rise_until(50),
        "pabo-fig6-9": middle.trend("entropy"),
        "pabo-fig6-10": min(curve.fall_between(PLATEAU[1], 1) for curve in by_theta[1:]),
        "pabo-fig6-11": max(curve.trend("variance") for curve in (small, middle)),
        "pabo-fig6-12": s7_alone,
        "pabo-fig6-14": s7_alone,
        "pabo-fig6-13": min(curve.fall_between(0, PLATEAU[0]) for curve in by_theta[1:]),
    }


@dataclass(frozen=True)
class Curve:
    """The points of a panel, in which x varies."""

    x: str
    rows: list[dict]

    def values(self, name: str) -> list[float]:
        return [row[name] for row in self.rows]

    def trend(self, metric: str) -> float:
        return rank_correlation(self.values(self.x), self.values(metric))

    def range(self, metric: str) -> float:
        return max(self.values(metric)) - min(self.values(metric))

    def largest_rise(self, metric: str) -> float:
        """Return the largest increase from one point to the next, in per cent of the range."""
        return percent(max(steps(self.values(metric))), self.range(metric))

    def entropy_against_time_ratio(self) -> float:
        return correlation(self.values("entropy"), self.values("time_ratio"))

    def fall_between(self, first: float, last: float) -> float:
        """Return by how much the entropy falls between two values of x, in per cent of its range."""
        inside = [row["entropy"] for row in self.rows if first <= row[self.x] <= last]
        return percent(inside[0] - inside[-1], self.range("entropy"))

    def share_of_rise_until(self, last: float) -> float:
        """Return by how much the entropy has risen up to a value of x, in per cent of its range."""
        return -self.fall_between(0, last)
