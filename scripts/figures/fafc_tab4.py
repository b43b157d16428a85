# SPDX-License-Identifier: GPL-2.0-only
"""FAFC Table IV: latency of messages in the presence of an incast of 24 long flows. Of the testbed, only the order is
compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from statistics import fmean

from figures import Job, make_job, table
from figures.fafc import STATIC, name_of
from figures.style import SCHEMES as STYLES
from figures.style import bars

TITLE = "FAFC Table IV: latency of 64 KiB messages beside an incast 24:1, DCQCN, 25 Gb/s"
MINUTES = {"quick": 1, "full": 1}
LABELS = ("", "latency of a message (us)")

# The testbed's flow control has a threshold of 1 MB. That of PFC applies to an ingress queue, so it is a seventh, as in
# the dumbbell of section IV-A (50 and 350 kB).
THRESHOLD = 1000000
INGRESS = THRESHOLD // 7
CHOSEN = {
    "PFC": {**STATIC, "xoff": INGRESS},
    "FAFC": {"scheme": "FAFC", "trigger": THRESHOLD},
    "PFC, fair": {**STATIC, "egress-queue": "Fair", "xoff": INGRESS},
}
MEASURES = {"mean": None, "p99": 0.99, "p99.9": 0.999}
# Messages in both directions, as sent by perftest's ib_write_lat, which the paper uses and which reports half of the
# round trip.
SETTLED = 200  # the first ones, during which the long flows find their rates
ITERATIONS = 1000


def jobs(size: str) -> list[Job]:
    return [
        make_job(
            "fafc-dumbbell",
            {
                **chosen,
                "congestion-control": "DCQCN",
                "left": 9,
                "messages": 2 * (SETTLED + ITERATIONS),
                "burst-start": "0ms",
                "burst-jitter": "20us",
                "burst-bytes": 20000000,
                "RngRun": seed,
            },
        )
        for chosen in CHOSEN.values()
        for seed in range(1, 6)
    ]


def read(job: Job, folder: Path) -> dict:
    messages = table(folder, "flows").query("group == 'message'")
    ways = messages.fct_ns.astype(int).to_numpy().reshape(-1, 2)
    times = sorted(ways[SETTLED:].sum(axis=1) / 2e3)
    return {
        "scheme": name_of(job, CHOSEN),
        "seed": int(job.options["RngRun"]),
        **{
            name: fmean(times) if share is None else times[round(share * (len(times) - 1))]
            for name, share in MEASURES.items()
        },
    }


def reduce(records: list[dict]) -> dict[str, list[dict]]:
    return {
        "points": [
            {
                "scheme": scheme,
                **{
                    name: fmean(record[name] for record in records if record["scheme"] == scheme)
                    for name in MEASURES
                },
            }
            for scheme in CHOSEN
        ],
        "seeds": records,
    }


def draw(ax, data: Mapping[str, list[dict]]) -> None:
    series = {row["scheme"]: [row[name] for name in MEASURES] for row in data["points"]}
    bars(ax, list(MEASURES), series, [STYLES[scheme] for scheme in series])
    ax.legend(fontsize="small")


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    """In the other reading PFC has fair queues as well."""
    rows = {row["scheme"]: row for row in data["points"]}
    found = {
        f"fafc-tab4-{number}": rows[scheme][name]
        for scheme, first in (("PFC", 1), ("FAFC", 4), ("PFC, fair", 8))
        for number, name in enumerate(MEASURES, first)
    }
    return found | {
        f"fafc-tab4-{number}": min(100 * (1 - rows["FAFC"][name] / rows[pfc][name]) for name in MEASURES)
        for number, pfc in ((7, "PFC"), (11, "PFC, fair"))
    }
