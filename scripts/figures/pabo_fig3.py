# SPDX-License-Identifier: GPL-2.0-only
"""PABO Fig. 3: the probability that a frame is sent back, against the utilization of its queue."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

from figures import Job, make_job, table
from figures.pabo import steps
from figures.style import SERIES

TITLE = "PABO Fig. 3: probability that a frame is sent back, against the utilization of the queue"
MINUTES = {"quick": 1, "full": 1}
PANELS = (1, 2)
LABELS = (
    ("queue utilization u", "probability P(u, n)"),
    ("queue utilization u", "probability P(u, 0)"),
)
CLAIMS = ("pabo-fig3", "pabo-eq4")

# A curve is (theta, lambda, bounces n).
BY_BOUNCES = ((0.5, 5, 0), (0.5, 5, 1), (0.5, 5, 2))
BY_LAMBDA = ((0.5, 5, 0), (0.5, 15, 0), (0.5, 25, 0))
OF_EXPERIMENTS = ((0.8, 50, 0), (0.8, 50, 1), (0.95, 50, 0), (0.95, 50, 1))  # not drawn
CURVES = tuple(dict.fromkeys((*BY_BOUNCES, *BY_LAMBDA, *OF_EXPERIMENTS)))
# The utilization at which claims about single points of a curve apply.
POINTS = {
    "pabo-fig3-1": ((0.5, 5, 0), 0.6),
    "pabo-fig3-2": ((0.5, 5, 0), 0.75),
    "pabo-fig3-3": ((0.5, 5, 1), 0.75),
    "pabo-fig3-4": ((0.5, 5, 2), 0.75),
    "pabo-fig3-5": ((0.5, 5, 0), 0.9),
    "pabo-fig3-6": ((0.5, 15, 0), 0.75),
    "pabo-fig3-7": ((0.5, 25, 0), 0.75),
    "pabo-fig3-8": ((0.8, 50, 0), 0.82),
    "pabo-fig3-9": ((0.8, 50, 1), 0.82),
    "pabo-fig3-10": ((0.8, 50, 0), 0.85),
    "pabo-fig3-11": ((0.8, 50, 0), 0.9),
    "pabo-fig3-12": ((0.95, 50, 0), 0.96),
    "pabo-fig3-13": ((0.95, 50, 1), 0.96),
    "pabo-fig3-14": ((0.95, 50, 0), 0.98),
}


def jobs(size: str) -> list[Job]:
    return [
        make_job("bounce-curve", {"theta": theta, "lambda": decay, "bounces": bounces, "step": 0.01})
        for theta, decay, bounces in CURVES
    ]


def read(job: Job, folder: Path) -> dict:
    return {"rows": table(folder, "probability").astype(float).astype({"bounces": int}).to_dict("records")}


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    return {"points": [row for record in records for row in record["rows"]]}


def curve(data: Mapping[str, list[dict]], key: tuple[float, float, int]) -> dict[float, float]:
    """Return P by u."""
    return {
        row["utilization"]: row["probability"]
        for row in data["points"]
        if (row["theta"], row["lambda"], row["bounces"]) == key
    }


def draw(panels, data: Mapping[str, list[dict]]) -> None:
    for ax, keys, title in zip(
        panels, (BY_BOUNCES, BY_LAMBDA), (r"(a) $\theta$ = 0.5, $\lambda$ = 5", r"(b) $\theta$ = 0.5, n = 0")
    ):
        for key, style in zip(keys, SERIES):
            label = f"n = {key[2]}" if keys is BY_BOUNCES else rf"$\lambda$ = {key[1]}"
            points = curve(data, key)
            ax.plot(points.keys(), points.values(), color=style["color"], label=label)
        ax.set(xlim=(0, 1), ylim=(0, 1.02), title=title)


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    curves = {key: curve(data, key) for key in CURVES}
    return {
        **{claim: curves[key].get(u) for claim, (key, u) in POINTS.items()},
        "pabo-fig3-15": least_step(curves, BY_LAMBDA),
        "pabo-eq4-1": max(
            p for (theta, *_), points in curves.items() for u, p in points.items() if u <= theta
        ),
        "pabo-eq4-2": min(points[1] for points in curves.values()),
        "pabo-eq4-3": -least_step(curves, reversed(BY_BOUNCES)),
        "pabo-eq4-4": max(
            abs(p - affine_form(u, *key))
            for key, points in curves.items()
            for u, p in points.items()
            if u > key[0]
        ),
    }


def least_step(curves: Mapping[tuple, Mapping[float, float]], keys) -> float:
    """Return the smallest increase of P from one curve to the next at the same u, where P is neither 0 nor 1."""
    keys = list(keys)
    return min(min(steps(curves[key][u] for key in keys)) for u in curves[keys[0]] if keys[0][0] < u < 1)


def affine_form(u: float, theta: float, decay: float, bounces: int) -> float:
    """Return P according to the paper's Eqs. 1 to 3, from which it derives Eq. 4."""
    base = math.exp(decay / (bounces + 1))
    alpha = base**theta / (base ** (theta - 1) - 1)
    beta = 1 / (1 - base ** (theta - 1))
    return alpha * base**-u + beta
