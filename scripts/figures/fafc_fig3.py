# SPDX-License-Identifier: GPL-2.0-only
"""FAFC Fig. 3: total pause time of each port of the second switch of the dumbbell."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from statistics import fmean

from figures import Job, table
from figures.fafc import COMPARED, LINK, RECEIVERS, dumbbell_jobs, name_of
from figures.seeds import spread
from figures.style import SCHEMES as STYLES
from figures.style import range_errors

TITLE = "FAFC Fig. 3: total pause time of each port of SW2 in the dumbbell"
MINUTES = {"quick": 1, "full": 1}
PANELS = (1, 3)
LABELS = (("port of SW2", "total pause time (us)"),) * 3
RUNS = "fafc-tab3"

SCHEMES = ("PFC", "FAFC", "PFC, fair")  # the last one: queues as FAFC's for PFC, too
PORTS = LINK + 1


def jobs(size: str) -> list[Job]:
    return dumbbell_jobs(size, SCHEMES)


def read(job: Job, folder: Path) -> dict:
    pauses = table(folder, "pauses")
    by_port = pauses.groupby(["node", "port"]).paused_ns.sum() / 1e3
    return {
        "scheme": name_of(job, COMPARED),
        "seed": int(job.options["RngRun"]),
        "times": [by_port.get(("s1", port), 0.0) for port in range(PORTS)],
        "sw1_pauses": int(pauses.pauses[pauses.node != "s1"].sum()),
    }


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    points = [
        {
            "scheme": scheme,
            "port": port,
            **spread([record["times"][port] for record in records if record["scheme"] == scheme], "us"),
        }
        for scheme in SCHEMES
        for port in range(PORTS)
    ]
    seeds = []
    for record in records:
        sources = [time for port, time in enumerate(record["times"]) if port not in (LINK, *RECEIVERS)]
        seeds.append(
            {
                "scheme": record["scheme"],
                "seed": record["seed"],
                "sw1_pauses": record["sw1_pauses"],
                "link_us": record["times"][LINK],
                "least_host_us": min(sources),
                "largest_host_us": max(sources),
                "mean_host_us": fmean(sources),
                "receivers_us": sum(record["times"][port] for port in RECEIVERS),
                "ports": sum(time > 0 for time in record["times"]),
            }
        )
    return {"points": points, "seeds": seeds}


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    for ax, scheme, letter in zip(axes, SCHEMES, "abc"):
        rows = [row for row in data["points"] if row["scheme"] == scheme]
        ports = range(1, PORTS + 1)
        heights = [row["us"] for row in rows]
        ax.bar(ports, heights, yerr=range_errors(rows, "us"), color=STYLES[scheme]["color"])
        ax.set(title=f"({letter}) {scheme}; 17, 18: to HC1, HC2; 19: to SW1", xticks=list(ports)[::2])


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    pfc, fafc, fair = ([row for row in data["seeds"] if row["scheme"] == scheme] for scheme in SCHEMES)

    def link_most(rows: list[dict]) -> float:
        """Per cent of the seeds in which it pauses longest."""
        return 100 * fmean(row["link_us"] > row["largest_host_us"] for row in rows)

    def link(rows: list[dict]) -> float:
        return fmean(row["link_us"] for row in rows)

    return {
        "fafc-fig3-1": sum(row["receivers_us"] for row in pfc + fafc),
        "fafc-fig3-2": link_most(pfc),
        "fafc-fig3-3": fmean(row["ports"] for row in fafc),
        "fafc-fig3-4": 100 * fmean(row["link_us"] < row["least_host_us"] for row in fafc),
        "fafc-fig3-5": sum(row["sw1_pauses"] for row in pfc + fafc),
        "fafc-fig3-6": PORTS,
        "fafc-fig3-7": link(fafc) / link(pfc),
        "fafc-fig3-8": link_most(fair),
        "fafc-fig3-9": link(fafc) / link(fair) if link(fair) else None,
    }
