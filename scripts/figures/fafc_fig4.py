# SPDX-License-Identifier: GPL-2.0-only
"""FAFC Fig. 4: buffer occupancy of both switches of the dumbbell over time."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from statistics import fmean

from figures import Job, table
from figures.fafc import COMPARED, dumbbell_jobs, name_of
from figures.style import SCHEMES as STYLES

TITLE = "FAFC Fig. 4: buffer occupancy of both switches of the dumbbell over time"
MINUTES = {"quick": 1, "full": 1}
PANELS = (1, 2)
LABELS = (("time (ms)", "buffer occupancy (kB)"),) * 2
CLAIMS = ("fafc-fig4", "fafc-s4a")
RUNS = "fafc-tab3"

SWITCHES = {"s0": "SW1", "s1": "SW2"}
NAMES = ("inf-BUF", "PFC", "FAFC")
EQUAL_PFC = "PFC, fair"  # PFC with the queues that FAFC has
ONSET = 1.0  # in ms; start of the bursts
SHOWN = 3.0  # in ms
AFTER = (1.05, 1.25)  # in ms; after the peak, when all windows have arrived


def jobs(size: str) -> list[Job]:
    return dumbbell_jobs(size, (*NAMES, EQUAL_PFC))


def read(job: Job, folder: Path) -> dict:
    series: dict[str, list[tuple[float, float]]] = {name: [] for name in SWITCHES.values()}
    for row in table(folder, "queues").query("side == 'buffer'").itertuples():
        time = row.time_ns / 1e6
        if time <= SHOWN:
            series[SWITCHES[row.node]].append((time, row.bytes / 1e3))
    pauses = table(folder, "pauses").query("node == 's1' and pauses > 0")
    return {
        "scheme": name_of(job, COMPARED),
        "seed": int(job.options["RngRun"]),
        "series": series,
        "first_pause_ms": pauses.first_pause_ns.astype(float).min() / 1e6,
    }


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    """Return `curves` of the first seed, and `seeds`, with the peak and the mean after it for each run and switch."""
    curves, seeds = [], []
    for record in records:
        for switch, points in record["series"].items():
            which = {"scheme": record["scheme"], "switch": switch}
            if record["seed"] == 1:
                curves += [{**which, "time_ms": time, "kb": kb} for time, kb in points]
            start, end = AFTER
            seeds.append(
                {
                    **which,
                    "seed": record["seed"],
                    "peak_kb": max(kb for _, kb in points),
                    "after_kb": fmean(kb for time, kb in points if start <= time < end),
                    "before_kb": fmean(kb for time, kb in points if time < ONSET),
                    "first_pause_kb": next((kb for time, kb in reversed(points) if time <= record["first_pause_ms"]), None),
                }
            )
    return {"curves": curves, "seeds": seeds}


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    for ax, switch, letter in zip(axes, SWITCHES.values(), "ab"):
        for scheme in (*NAMES, EQUAL_PFC):
            rows = [row for row in data["curves"] if (row["scheme"], row["switch"]) == (scheme, switch)]
            points = [(row["time_ms"], row["kb"]) for row in rows]
            ax.plot(*zip(*points), color=STYLES[scheme]["color"], label=scheme, linewidth=1)
        ax.set(title=f"({letter}) {switch}, one seed", xlim=(0.8, SHOWN))
        ax.legend(fontsize="small")


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    def mean(scheme: str, switch: str, measure: str) -> float:
        rows = [row for row in data["seeds"] if (row["scheme"], row["switch"]) == (scheme, switch)]
        return fmean(row[measure] for row in rows)

    found = {}
    # In the other reading, PFC has the same queues as the two others.
    for pfc, numbers in (("PFC", ("1-spread", "2", "3")), (EQUAL_PFC, ("4", "5", "6"))):
        names = ("inf-BUF", pfc, "FAFC")
        peaks = [mean(scheme, "SW2", "peak_kb") for scheme in names]
        after = {(scheme, switch): mean(scheme, switch, "after_kb") for scheme in names for switch in SWITCHES.values()}
        values = (
            max(peaks) / min(peaks),
            after["FAFC", "SW2"] / min(after[pfc, "SW2"], after["inf-BUF", "SW2"]),
            after["FAFC", "SW1"] / after[pfc, "SW1"],
        )
        found |= {f"fafc-fig4-{number}": value for number, value in zip(numbers, values)}
    # At that time, SW2 contains only frames that wait for HC2, and one of their ingress queues has reached XOFF.
    firsts = [row["first_pause_kb"] for row in data["seeds"] if (row["scheme"], row["switch"]) == ("PFC", "SW2")]
    firsts = [kb for kb in firsts if kb is not None]
    return {
        **found,
        "fafc-fig4-1": max(mean(scheme, "SW2", "peak_kb") for scheme in NAMES),
        "fafc-s4a-1": max(firsts, default=None),
    }
