# SPDX-License-Identifier: GPL-2.0-only
"""OFC Fig. 8: the effect of XOFF and XOFFc on mean queue lengths in the fat-tree."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from figures import Job
from figures.ofc import SCHEMES, TREE_SEEDS, over_seeds, over_window, tree_job, tree_queues
from figures.style import SCHEMES as STYLES

TITLE = "OFC Fig. 8: mean queue length in a fat-tree against XOFFc = alpha XOFF and XOFF = beta 75 kB, PFC and OFC"
MINUTES = {"quick": 3, "full": 10}
PANELS = (1, 2)
LABELS = (("alpha", "mean queue length (kB)"), ("beta", "mean queue length (kB)"))
RUNS = "ofc-fig6"

# All ports, including the waiting frames of senders; and the other reading, ports of switches
GROUPS = ("all", "switches")
XOFF = 75000
XON_SHARE = 0.6  # 45 of 75 kB; not stated for beta above 1
ALPHAS = (0.8, 0.85, 0.9)
BETAS = (3, 6, 10)
BETA_ALPHA = 0.9


def settings() -> list[tuple[float, float]]:
    """Return alpha and beta."""
    return [*((alpha, 1) for alpha in ALPHAS), *((BETA_ALPHA, beta) for beta in BETAS)]


def jobs(size: str) -> list[Job]:
    """Return the simulations. Only OFC has alpha."""
    return [
        tree_job(
            scheme,
            seed,
            xoff=XOFF * beta,
            xon=round(XON_SHARE * XOFF * beta),
            **({"congestion_xoff": round(alpha * XOFF * beta)} if scheme == "OFC" else {}),
        )
        for scheme in SCHEMES
        for alpha, beta in settings()
        for seed in range(1, TREE_SEEDS[size] + 1)
        if scheme == "OFC" or alpha == BETA_ALPHA
    ]


def read(job: Job, folder: Path) -> list[dict]:
    xoff = int(job.options["xoff"])
    which = {"alpha": int(job.options.get("congestion-xoff", 0)) / xoff, "beta": xoff / XOFF}
    return [{**which, **row} for row in tree_queues(job, folder) if row["group"] in GROUPS]


def reduce(records: list[list[dict]]) -> dict[str, list[dict]]:
    rows = over_window([row for found in records for row in found])
    return {"points": over_seeds(rows, ("scheme", "alpha", "beta", "group"), ("window_kb", "mean_kb", "busy_ms"))}


def curves(data: Mapping[str, list[dict]], group: str = GROUPS[0]) -> tuple[list[float], list[float], dict[float, float]]:
    """Return OFC by alpha and by beta, and PFC by beta."""
    rows = [row for row in data["points"] if row["group"] == group]
    ofc = {(round(row["alpha"], 3), row["beta"]): row["window_kb"] for row in rows if row["scheme"] == "OFC"}
    pfc = {row["beta"]: row["window_kb"] for row in rows if row["scheme"] == "PFC"}
    return [ofc[alpha, 1] for alpha in ALPHAS], [ofc[BETA_ALPHA, beta] for beta in BETAS], pfc


def draw(axes, data: Mapping[str, list[dict]]) -> None:
    by_alpha, by_beta, pfc = curves(data)
    left, right = axes
    left.plot(ALPHAS, by_alpha, label="OFC", **STYLES["OFC"])
    left.plot(ALPHAS, [pfc[1]] * len(ALPHAS), label="PFC", **STYLES["PFC"])
    right.plot(BETAS, by_beta, label="OFC", **STYLES["OFC"])
    right.plot(BETAS, [pfc[beta] for beta in BETAS], label="PFC", **STYLES["PFC"])
    for ax, title in ((left, "(a, b) XOFF 75 kB"), (right, "(c, d) alpha 0.9")):
        ax.set(title=title)
        ax.set_ylim(bottom=0)


def claims(data: Mapping[str, list[dict]]) -> dict[str, float | None]:
    found = {}
    for group, numbers in zip(GROUPS, ((1, 2, 3, 4), (5, 7, 6, 8))):
        by_alpha, by_beta, pfc = curves(data, group)
        alpha_gains = [100 * (1 - value / pfc[1]) for value in by_alpha]
        beta_gains = [100 * (1 - value / pfc[beta]) for value, beta in zip(by_beta, BETAS)]
        values = (variation(by_alpha), min(alpha_gains), variation(by_beta), sum(beta_gains) / len(beta_gains))
        found |= {f"ofc-fig8-{number}": value for number, value in zip(numbers, values)}
        found[f"ofc-fig8-{numbers[1]}-most"] = max(alpha_gains)
    return found


def variation(values: list[float]) -> float:
    """Return by how many per cent the minimum is below the maximum."""
    return 100 * (max(values) - min(values)) / max(values)
