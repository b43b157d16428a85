# SPDX-License-Identifier: GPL-2.0-only
"""What the figures of closed forms share: theory as a line, simulation as markers, and the residual below.

A row has `predicted`, `measured`, `residual_percent`, and `allowed_percent` if the form knows what whole frames or the like
can shift the measured value by.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence


def labels(*upper: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    """Of a row of panels, and of the row of their residuals below it."""
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
    """Largest residual, per cent."""
    return max(abs(row["residual_percent"]) for row in rows)


def of_allowed(rows: Iterable[Mapping]) -> float:
    """Largest share that a residual takes of what is allowed, per cent."""
    return max(100 * abs(row["residual_percent"]) / row["allowed_percent"] for row in rows)
