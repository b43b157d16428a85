# SPDX-License-Identifier: GPL-2.0-only
"""The papers' figures, one module each; for example, `dsh-fig11` is figures/dsh_fig11.py.

A figure module has
    TITLE    a one-line description
    MINUTES  the duration of a run on two cores, by the sizes that the figure has: {"quick": 3, "full": 30}
    LABELS   the labels of the axes, (x, y)
    jobs(size) -> list[Job]          the simulations
    read(job, folder)                one simulation's result files, as one record: a dict or what reduce() takes
    reduce(records) -> dict          the tables that are drawn and written: {"points": [row, ...], ...}
    draw(ax, data)                   the picture, from those tables
    claims(data) -> dict             the value found for each claim of claims.csv, by its id
and may have
    PANELS   (rows, columns) of a picture with several panels: LABELS has a pair for each of them and
             draw() receives the list of their axes, both row by row
    CLAIMS   the prefixes of the ids of its claims, if they differ from the figure's name: ("pabo-fig7a", "pabo-fig7b")
    RUNS     the figure whose simulations include those of this figure; they are in the results of that figure

Until they read results, the modules require nothing beyond Python's standard library, and neither does the list of
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

# Results of the quick size are in the figure's folder, and those of other sizes in folders below it. For a figure with
# a medium size, the kept values are those of this size, because its own scale takes hours, and runs of a few minutes
# are not conclusive.
SIZES = ("quick", "medium", "full")
# The name and description of each paper, by the prefix of its figures' names.
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
# Prefixes of figures that belong neither to a paper nor to a vendor's table. They are not counted.
STUDIES = ("compare", "collectives", "cbfc", "theory", "watchdog", "llr", "lossless", "gpu")
# Papers whose statements statements.csv counts. The claims of the other figures are those of this project.
WITH_STATEMENTS = ("dsh", "pabo", "capfc", "ofc", "fafc")
RECORDED = ("command", "commit", "simulations")  # members of the record of how a figure was created
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
    "theory-capfc",
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
    """One simulation: a program of the module and its options. In tables, the labels replace the options."""

    name: str
    program: str
    options: Mapping[str, str]
    labels: Mapping[str, str] | None = None

    def columns(self) -> Mapping[str, str]:
        return self.options if self.labels is None else self.labels

    def arguments(self) -> list[str]:
        return [f"--{name}={value}" for name, value in self.options.items()]


def make_job(program: str, options: Mapping[str, object]) -> Job:
    """Return a simulation named after its options, with . instead of the :: of C++ names."""
    words = {
        name: f"{value:g}" if isinstance(value, float) else str(value) for name, value in options.items()
    }
    return Job("-".join(word for pair in words.items() for word in pair).replace("::", "."), program, words)


def dashed(options: Mapping[str, object]) -> dict[str, object]:
    """Return options that were given as keyword arguments, by their own names, in the same order."""
    return {name.replace("_", "-"): value for name, value in options.items()}


def table(folder: Path, name: str) -> DataFrame:
    """Return a result file of a simulation."""
    from lossless.results import read_table  # imported here, because the list of figures requires no package

    return read_table(folder / f"{name}.csv")


def arrived_flows(folder: Path) -> DataFrame:
    """Return the flows of a simulation. Raises a ValueError unless all flows have arrived, because results from the
    others alone would be too favourable.
    """
    flows = table(folder, "flows")
    if late := int(flows.fct_ns.isna().sum()):
        raise ValueError(f"{late} of {len(flows)} flows of {folder.name} have not arrived")
    return flows


def info(folder: Path) -> dict:
    """Return run.json of a simulation."""
    from lossless.results import read_info  # as above

    return read_info(folder)


def cumulate(counts: Mapping[float, int]) -> list[tuple[float, float]]:
    """Return, for each value that occurs, the percentage of values that are not larger."""
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
    """Return the sizes of a figure."""
    return tuple(size for size in SIZES if size in load(name).MINUTES)


def usual_size(name: str) -> str:
    """Return the size of the kept values if the paper's own scale was not simulated."""
    return sizes(name)[-2]


def option_of(size: str) -> str:
    """Return the option of scripts/reproduce that selects this size of a figure."""
    return "" if size == SIZES[0] else f" --{size}"


def minutes(names: Iterable[str], size: str) -> int:
    """Return the total time of figures. Simulations shared with an earlier figure are not counted again."""
    made: set[tuple[str, str]] = set()
    total = 0.0
    for name in names:
        jobs = {(owner(name), job.name) for job in load(name).jobs(size)}
        total += load(name).MINUTES[size] * len(jobs - made) / len(jobs)
        made |= jobs
    return round(total)


def claim_prefixes(name: str) -> tuple[str, ...]:
    """Return the prefixes of the ids of a figure's claims."""
    return tuple(f"{prefix}-" for prefix in getattr(load(name), "CLAIMS", (name,)))


def owner(name: str) -> str:
    """Return the figure whose results contain this figure's simulations."""
    return getattr(load(name), "RUNS", name)


def of_paper(paper: str) -> list[str]:
    """Return the figures of a paper."""
    return [name for name in FIGURES if f"{name}-".startswith(f"{paper}-")]


def counted() -> list[str]:
    """Return the figures that are counted as reproduced or not."""
    return [name for name in FIGURES if not is_study(name)]


def is_study(name: str) -> bool:
    """Return whether a figure is of no paper, so that nothing is reproduced by it."""
    return name.split("-")[0] in STUDIES


def panel_labels(figure: ModuleType) -> list[tuple[str, str]]:
    """Return the axis labels (x, y) of each panel."""
    return list(figure.LABELS) if hasattr(figure, "PANELS") else [figure.LABELS]


def result_folder(results: Path, name: str, size: str) -> Path:
    """Return the folder of a figure's results within the results folder."""
    return results / name / ("" if size == SIZES[0] else size)


def record_file(folder: Path, name: str) -> Path:
    """Return the file in a figure's results that records how it was created: its `command`, the `commit` of its
    programs, and its `simulations`.
    """
    return folder / f"{name}-made.json"


def read_record(folder: Path, name: str) -> dict:
    """Return how a figure was created, or an empty record if there is none. Raises a ValueError if the record is
    damaged.
    """
    path = record_file(folder, name)
    if not path.is_file():
        return {}
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        return {member: record[member] for member in RECORDED}
    except (ValueError, KeyError, TypeError):
        raise ValueError(f"{path} is damaged: scripts/reproduce writes it anew; it must have {', '.join(RECORDED)}") from None


def sources() -> list[str]:
    """Return the files on which a picture depends, in addition to its simulations."""
    scripts = Path(__file__).resolve().parents[1]
    code = ("figures/*.py", "figures/claims.csv", "figures/kinds.csv", "figures/pabo-authors.csv", "lossless/*.py", "lossless/columns.csv", "workflow/draw.py")
    return [str(path) for pattern in code for path in sorted(scripts.glob(pattern))]
