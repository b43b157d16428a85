# SPDX-License-Identifier: GPL-2.0-only
"""The papers' figures, one module each; `dsh-fig11` is figures/dsh_fig11.py.

A figure module has
    TITLE    one line about it
    MINUTES  what a run takes on two cores, by the sizes that the figure has: {"quick": 3, "full": 30}
    LABELS   the axes' labels, (x, y)
    jobs(size) -> list[Job]          the simulations
    read(job, folder)                one simulation's result files, as one record: a dict or what reduce() takes
    reduce(records) -> dict          the tables that are drawn and written: {"points": [row, ...], ...}
    draw(ax, data)                   the picture, from those tables
    claims(data) -> dict             what was found for each claim of claims.csv, by its id
and may have
    PANELS   (rows, columns) of a picture with several panels: LABELS has a pair for each of them and
             draw() gets the list of their axes, both row by row
    CLAIMS   what the ids of its claims begin with, if not with the figure's name: ("pabo-fig7a", "pabo-fig7b")
    RUNS     the figure of whose simulations its own are a part; they are in the results of that one

Until they read results, the modules need nothing beyond Python's standard library, and so neither does the list of
figures.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pandas import DataFrame

# Results of the quick size are in the figure's folder, those of the others in folders below it. What is kept of a figure that
# has a medium size comes from there: its own scale takes hours, and a few minutes tell too little.
SIZES = ("quick", "medium", "full")
# By what the names of their figures begin with: what a paper is called here, and what it is.
PAPERS = {
    "dsh": (
        "DSH",
        "Shan et al., Less is More: Dynamic and Shared Headroom Allocation in PFC-enabled Datacenter Networks",
    ),
    "pabo": (
        "PABO",
        "Shi et al., PABO: Mitigating Congestion via Packet Bounce in Data Center Networks",
    ),
    "capfc": ("CaPFC", "Congestion Aware Priority Flow Control in Data Center Networks"),
    "ofc": ("OFC", "OFC: An Original congestion-based Fine-grained Priority Flow Control"),
    "fafc": ("FAFC", "Lu et al., FAFC: Fast and Accurate Flow Control in Data Center Networks"),
    "headroom": ("Headroom", "no paper: what a link needs, beside the headroom tables that SONiC ships"),
    "cbfc": ("CBFC", "no paper: what a link needs under credits and under PFC"),
    "theory": ("Theory", "closed forms of several papers, or of none, beside simulations"),
    "watchdog": ("Watchdog", "no paper: a storm and a deadlock with and without a PFC watchdog"),
    "llr": ("LLR", "no paper: PFC and CBFC over links with bit errors"),
    "hpcc": ("HPCC", "Li et al., HPCC: High Precision Congestion Control"),
    "compare": ("Comparisons", "no paper: all schemes on the same workloads"),
    "collectives": ("Collectives", "no paper: flow control under congestion control, for the exchanges of training jobs"),
    "lossless": ("Lossless or lossy", "no paper: configurations of both kinds on the same switches"),
    "gpu": ("GPU servers", "no paper: collectives of GPUs whose servers have NVLinks and rails"),
}
# Whose figures are of no paper and no table of a vendor: they are counted nowhere.
STUDIES = ("compare", "collectives", "cbfc", "theory", "watchdog", "llr", "lossless", "gpu")
# Whose statements statements.csv counts; of the others the claims are ours.
WITH_STATEMENTS = ("dsh", "pabo", "capfc", "ofc", "fafc")
RECORDED = ("command", "commit", "simulations")  # of how a figure was made
FIGURES = (
    "dsh-fig5",
    "dsh-fig6",
    "dsh-fig11",
    "dsh-fig12",
    "dsh-fig13",
    "dsh-fig14",
    "dsh-fig15",
    "dsh-onset",
    "pabo-fig3",
    "pabo-fig5",
    "pabo-fig6",
    "pabo-tab1",
    "pabo-fig7",
    "pabo-fig8",
    "pabo-fig9",
    "pabo-tab2",
    "pabo-fig11",
    "pabo-fig12",
    "pabo-fig13",
    "pabo-fig14",
    "pabo-fig15",
    "pabo-authors",
    "capfc-fig8",
    "capfc-tab3",
    "capfc-fig9",
    "capfc-sweep",
    "ofc-fig2",
    "ofc-tab1",
    "ofc-tab2",
    "ofc-fig4",
    "ofc-fig5",
    "ofc-fig6",
    "ofc-fig7",
    "ofc-fig8",
    "ofc-fig9",
    "fafc-tab3",
    "fafc-fig3",
    "fafc-fig4",
    "fafc-tab4",
    "fafc-fig6",
    "fafc-fig7",
    "fafc-fig8",
    "fafc-fig9",
    "headroom-watermark",
    "cbfc-headroom",
    "theory-dsh",
    "theory-fafc",
    "theory-headroom",
    "theory-rate",
    "watchdog",
    "llr",
    "hpcc-fig11",
    "compare-incast",
    "compare-alltoall",
    "compare-ring",
    "collectives",
    "lossless-or-lossy",
    "lossless-1024",
    "gpu-hierarchy",
)


@dataclass(frozen=True)
class Job:
    """One simulation: a program of the module and its options; labels are what a table has in their place."""

    name: str
    program: str
    options: Mapping[str, str]
    labels: Mapping[str, str] | None = None

    def columns(self) -> Mapping[str, str]:
        return self.options if self.labels is None else self.labels

    def arguments(self) -> list[str]:
        return [f"--{name}={value}" for name, value in self.options.items()]


def make_job(program: str, options: Mapping[str, object]) -> Job:
    """A simulation named after its options, with . for the :: of a C++ name."""
    words = {
        name: f"{value:g}" if isinstance(value, float) else str(value) for name, value in options.items()
    }
    return Job("-".join(word for pair in words.items() for word in pair).replace("::", "."), program, words)


def dashed(options: Mapping[str, object]) -> dict[str, object]:
    """Options that were given as keywords, by their own names, in the same order."""
    return {name.replace("_", "-"): value for name, value in options.items()}


def table(folder: Path, name: str) -> DataFrame:
    """A simulation's result file."""
    from lossless.results import read_table  # now, since the list of figures needs no package

    return read_table(folder / f"{name}.csv")


def arrived_flows(folder: Path) -> DataFrame:
    """A simulation's flows; ValueError unless all have arrived: measures of the others alone would flatter it."""
    flows = table(folder, "flows")
    if late := int(flows.fct_ns.isna().sum()):
        raise ValueError(f"{late} of {len(flows)} flows of {folder.name} have not arrived")
    return flows


def info(folder: Path) -> dict:
    """A simulation's run.json."""
    from lossless.results import read_info  # as above

    return read_info(folder)


def cumulate(counts: Mapping[float, int]) -> list[tuple[float, float]]:
    """Per cent of all that is at most so large, for each value that occurs."""
    total = sum(counts.values())
    below, points = 0, []
    for value in sorted(value for value, count in counts.items() if count):
        below += counts[value]
        points.append((value, 100 * below / total))
    return points


def load(name: str) -> ModuleType:
    if name not in FIGURES:
        raise KeyError(name)
    return importlib.import_module(f"figures.{name.replace('-', '_')}")


def sizes(name: str) -> tuple[str, ...]:
    """Those that a figure has."""
    return tuple(size for size in SIZES if size in load(name).MINUTES)


def usual_size(name: str) -> str:
    """Of what is kept where nobody ran the paper's own scale."""
    return sizes(name)[-2]


def option_of(size: str) -> str:
    """With which option of scripts/reproduce a figure has the size."""
    return "" if size == SIZES[0] else f" --{size}"


def minutes(names: Iterable[str], size: str) -> int:
    """What figures take together: of each the share of its simulations that no figure before it has."""
    made: set[tuple[str, str]] = set()
    total = 0.0
    for name in names:
        jobs = {(owner(name), job.name) for job in load(name).jobs(size)}
        total += load(name).MINUTES[size] * len(jobs - made) / len(jobs)
        made |= jobs
    return round(total)


def claim_prefixes(name: str) -> tuple[str, ...]:
    """What the ids of a figure's claims begin with."""
    return tuple(f"{prefix}-" for prefix in getattr(load(name), "CLAIMS", (name,)))


def owner(name: str) -> str:
    """The figure among whose results its simulations are."""
    return getattr(load(name), "RUNS", name)


def of_paper(paper: str) -> list[str]:
    """A paper's figures."""
    return [name for name in FIGURES if f"{name}-".startswith(f"{paper}-")]


def counted() -> list[str]:
    """The figures that are counted as reproduced or not."""
    return [name for name in FIGURES if name.split("-")[0] not in STUDIES]


def panel_labels(figure: ModuleType) -> list[tuple[str, str]]:
    """The axes' labels of each panel, (x, y)."""
    return list(figure.LABELS) if hasattr(figure, "PANELS") else [figure.LABELS]


def result_folder(results: Path, name: str, size: str) -> Path:
    """Where the results of a figure are among those of all."""
    return results / name / ("" if size == SIZES[0] else size)


def record_file(folder: Path, name: str) -> Path:
    """What tells how a figure was made, among its results: its `command`, the `commit` of its programs, `simulations`."""
    return folder / f"{name}-made.json"


def read_record(folder: Path, name: str) -> dict:
    """How a figure was made; empty, if nothing tells. ValueError if what should tell is damaged."""
    path = record_file(folder, name)
    if not path.is_file():
        return {}
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        return {member: record[member] for member in RECORDED}
    except (ValueError, KeyError, TypeError):
        raise ValueError(f"{path} is damaged: scripts/reproduce writes it anew; it must have {', '.join(RECORDED)}") from None


def sources() -> list[str]:
    """The files that a picture depends on, besides its simulations."""
    scripts = Path(__file__).resolve().parents[1]
    code = ("figures/*.py", "figures/claims.csv", "figures/kinds.csv", "figures/pabo-authors.csv", "lossless/*.py", "lossless/columns.csv", "workflow/draw.py")
    return [str(path) for pattern in code for path in sorted(scripts.glob(pattern))]
