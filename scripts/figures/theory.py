# SPDX-License-Identifier: GPL-2.0-only
"""Common parts of the figures of closed forms: theory as a line, simulation as markers, and the residual below.

A row has `predicted`, `measured` and `residual_percent`. It also has `allowed_percent` if it is known by how much
effects such as whole frames can shift the measured value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence


def labels(*upper: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    """Set the labels of a row of panels, and of the row with their residuals below it."""
    return (*upper, *((x, "measured by theory - 1 (%)") for x, _ in upper))


def compared(predicted: float, measured: float) -> dict[str, float]:
    return {"predicted": predicted, "measured": measured, "residual_percent": 100 * (measured / predicted - 1)}


def draw(ax, below, rows: Sequence[Mapping], x: str, label: str, look: Mapping) -> None:
    places = [row[x] for row in rows]
    dots = {"color": look["color"], "marker": look["marker"], "linestyle": "none"}
    ax.plot(places, [row["predicted"] for row in rows], color=look["color"], linewidth=1)
    ax.plot(places, [row["measured"] for row in rows], label=label, **dots)
    below.plot(places, [row["residual_percent"] for row in rows], **dots)
    if "allowed_percent" in rows[0]:
        allowed = [row["allowed_percent"] for row in rows]
        bounds = [[row["predicted"] * (1 + sign * row["allowed_percent"] / 100) for row in rows] for sign in (-1, 1)]
        ax.fill_between(places, *bounds, color=look["color"], alpha=0.15, linewidth=0)
        below.fill_between(places, [-most for most in allowed], allowed, color=look["color"], alpha=0.15, linewidth=0)
    ax.legend(fontsize="x-small")


def largest(rows: Iterable[Mapping]) -> float:
    """Return the largest residual, in per cent."""
    return max(abs(row["residual_percent"]) for row in rows)


def of_allowed(rows: Iterable[Mapping]) -> float:
    """Return the largest residual relative to what is allowed, in per cent."""
    return max(100 * abs(row["residual_percent"]) / row["allowed_percent"] for row in rows)
