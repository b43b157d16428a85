# SPDX-License-Identifier: GPL-2.0-only
"""FAFC Table III: mean slowdown in the dumbbell, and the effect of the burst size on it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from statistics import fmean

from figures import Job
from figures.claims import stated
from figures.fafc import COMPARED, GROUPS, dumbbell_job, dumbbell_jobs, name_of, slowdowns
from figures.seeds import spread
from figures.style import PAPER, bars, range_errors
from figures.style import SCHEMES as STYLES

TITLE = "FAFC Table III: mean FCT slowdown in the dumbbell, and its dependence on the size of the bursts"
MINUTES = {"quick": 1, "full": 3}
PANELS = (1, 2)
LABELS = (("", "mean FCT slowdown"), ("burst (kB)", "mean FCT slowdown, above the paper's (%)"))

BURST = 1750000  # in bytes; calibrated on the infinite buffer and large flows
BURSTS = (65000, 200000, 500000, 1000000, 1750000, 2500000)
QUEUES = {"fair": {}, "FIFO": {"egress-queue": "Fifo"}}  # of the infinite buffer
# The numbers of claims, by group. The switches have fair queues instead of FIFO (section IV), and so do those of PFC.
EQUAL_PFC = "PFC, fair"
PAPERS = {"inf-BUF": (1, 2, 3), EQUAL_PFC: (4, 5, 6), "FAFC": (7, 8, 9)}
GIVEN = ("incast", "large")


def jobs(size: str) -> list[Job]:
    sweep = [
        dumbbell_job("inf-BUF", seed, burst_bytes=burst, **queue)
        for queue in QUEUES.values()
        for burst in BURSTS
        for seed in (1, 2, 3)
    ]
    return dumbbell_jobs(size) + sweep


def read(job: Job, folder: Path) -> dict:
    values = {group: [slowdown for _, slowdown in flows] for group, flows in slowdowns(folder, GROUPS).items()}
    means = {group: fmean(found) for group, found in values.items()}
    counts = {f"{group}_flows": len(values[group]) for group in GIVEN}
    if "burst-bytes" in job.options:
        queue = "FIFO" if job.options["egress-queue"] == "Fifo" else "fair"
        return {"queue": queue, "burst": int(job.options["burst-bytes"]), **means}
    return {"scheme": name_of(job, COMPARED), "seed": int(job.options["RngRun"]), **counts, **means}


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    cells = [
        {
            "scheme": scheme,
            "group": group,
            **spread([record[group] for record in records if record.get("scheme") == scheme], "slowdown"),
        }
        for scheme in COMPARED
        for group in GROUPS
    ]
    sweep = [
        {
            "queue": queue,
            "burst_kb": burst / 1e3,
            **{
                group: fmean(
                    record[group]
                    for record in records
                    if (record.get("queue"), record.get("burst")) == (queue, burst)
                )
                for group in GIVEN
            },
        }
        for queue in QUEUES
        for burst in BURSTS
    ]
    seeds = [record for record in records if "scheme" in record]
    return {"cells": cells, "bursts": sweep, "seeds": seeds}


def draw(panels, data: Mapping[str, list[dict]]) -> None:
    left, right = panels
    series, styles, errors = {}, [], {}
    for scheme in COMPARED:
        if scheme in PAPERS:
            series[f"{scheme}, paper"] = [stated(f"fafc-tab3-{number}") for number in PAPERS[scheme]]
            errors[f"{scheme}, paper"] = None
            styles.append({**PAPER, "edgecolor": STYLES[scheme]["color"]})
        rows = [row for row in data["cells"] if row["scheme"] == scheme]
        series[scheme] = [row["slowdown"] for row in rows]
        errors[scheme] = range_errors(rows, "slowdown")
        styles.append(STYLES[scheme])
    bars(left, GROUPS, series, styles, errors)
    left.set(title=f"(a) bursts of {BURST / 1e6:g} MB", ylim=(0, 27))
    left.legend(fontsize="x-small", ncols=2)
    for queue, line in zip(QUEUES, ("-", "--")):
        rows = [row for row in data["bursts"] if row["queue"] == queue]
        for group, marker, number in zip(GIVEN, "so", PAPERS["inf-BUF"][1:]):
            paper = stated(f"fafc-tab3-{number}")
            points = [(row["burst_kb"], 100 * (row[group] / paper - 1)) for row in rows]
            right.plot(*zip(*points), line, marker=marker, label=f"{group}, {queue}")
    right.axhline(0, color="black", linewidth=0.8)
    right.set(title="(b) size of the bursts, infinite buffer")
    right.legend(fontsize="x-small")


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    cells = {(row["scheme"], row["group"]): row["slowdown"] for row in data["cells"]}
    infinite = data["seeds"][0]

    def below(scheme: str, group: str) -> float:
        """Return the percentage by which FAFC is below the other scheme."""
        return 100 * (1 - cells["FAFC", group] / cells[scheme, group])

    return {
        **{
            f"fafc-tab3-{number}": cells[scheme, group]
            for scheme, numbers in PAPERS.items()
            for number, group in zip(numbers, GROUPS)
        },
        "fafc-tab3-10": min(below(EQUAL_PFC, group) for group in GIVEN),
        "fafc-tab3-11": below("inf-BUF", "all"),
        "fafc-tab3-12": infinite["incast_flows"] / infinite["large_flows"],
        "fafc-tab3-13": below(EQUAL_PFC, "all"),
        "fafc-tab3-14": cells[EQUAL_PFC, "incast"],
        "fafc-tab3-15": cells[EQUAL_PFC, "large"],
        "fafc-tab3-16": cells["FAFC", "incast"],
        "fafc-tab3-17": cells["FAFC", "large"],
        **{f"fafc-tab3-{number}": cells["PFC", group] for number, group in enumerate(GROUPS, 18)},
        "fafc-tab3-21": below("PFC", "all"),
        "fafc-tab3-22": min(below("PFC", group) for group in GIVEN),
    }
