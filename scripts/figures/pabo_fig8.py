# SPDX-License-Identifier: GPL-2.0-only
"""PABO Fig. 8: the fill of the queues towards the receiver over time, in the mild scenario."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from figures import Job, table
from figures.pabo import paper_name, raw_job
from figures.style import SERIES

TITLE = "PABO Fig. 8: utilization of the output queues of S4 to S7 over time, mild congestion"
MINUTES = {"quick": 1, "full": 1}
PANELS = (1, 2)
LABELS = (("time (ms)", "queue utilization"), ("time (ms)", "queue utilization"))

# The whole run, and its first peak in more detail: duration and period of the samples.
VIEWS = {"whole": ("1s", "500us"), "peak": ("30ms", "20us")}
SWITCHES = ("S4", "S5", "S6", "S7")
PEAK = 0.1  # more than this share is a peak, and less than a tenth of it counts as empty


def jobs(size: str) -> list[Job]:
    return [raw_job("mild", 1, stop=duration, **{"sample-period": period}) for duration, period in VIEWS.values()]


def read(job: Job, folder: Path) -> dict:
    """Return the results. The paper draws the mean of both queues at an output."""
    view = next(name for name, (duration, _) in VIEWS.items() if duration == job.options["stop"])
    return {
        "view": view,
        "rows": [
            {
                "time_ms": row.time_ns / 1e6,
                "switch": paper_name(row.node),
                "normal": row.normal,
                "bounce": row.bounce,
                "mean": (row.normal + row.bounce) / 2,
            }
            for row in table(folder, "samples").astype({"normal": float, "bounce": float}).itertuples()
        ],
    }


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    return {record["view"]: record["rows"] for record in records}


def draw(panels, data: Mapping[str, list[dict]]) -> None:
    for ax, view, title in zip(panels, VIEWS, ("(a) whole run", "(b) first peak")):
        # S4, S5 and S6 are nearly identical, so lines drawn later are thinner.
        for switch, style, width in zip(SWITCHES, SERIES, (4, 2.4, 0.8, 1.4)):
            times, fills = series(data[view], switch, "mean")
            ax.plot(times, fills, color=style["color"], linewidth=width, label=switch)
        ax.set(title=title, xlim=(0, times[-1]), ylim=(0, 1))
    for kind, line in (("normal", "--"), ("bounce", ":")):
        points = series(data["peak"], "S7", kind)
        panels[1].plot(*points, color="black", linestyle=line, linewidth=0.8, label=f"S7, {kind} queue")


def series(rows: list[dict], switch: str, kind: str) -> tuple[list[float], list[float]]:
    points = [(row["time_ms"], row[kind]) for row in rows if row["switch"] == switch]
    return [time for time, _ in points], [fill for _, fill in points]


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    empty = {
        (switch, kind): emptied(*series(data["peak"], switch, kind))
        for switch in SWITCHES
        for kind in ("mean", "normal", "bounce")
    }
    upstream = [empty[switch, "mean"] for switch in SWITCHES if switch != "S7"]
    return {
        "pabo-fig8-1": count_peaks(series(data["whole"], "S7", "mean")[1]),
        "pabo-fig8-2": later(max(upstream, key=ends), empty["S7", "mean"]),
        "pabo-fig8-3": later(empty["S7", "bounce"], empty["S7", "normal"]),
    }


def emptied(times: list[float], fills: list[float]) -> float | None:
    """Return the time after which a queue stays empty, or None."""
    used = [number for number, fill in enumerate(fills) if fill > 0]
    if not used:
        return 0.0
    return times[used[-1] + 1] if used[-1] + 1 < len(times) else None


def ends(time: float | None) -> float:
    return float("inf") if time is None else time


def later(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else second - first


def count_peaks(fills: list[float]) -> int:
    peaks, high = 0, False
    for fill in fills:
        if fill > PEAK and not high:
            peaks, high = peaks + 1, True
        elif fill < PEAK / 10:
            high = False
    return peaks
