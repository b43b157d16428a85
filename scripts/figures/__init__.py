# SPDX-License-Identifier: GPL-2.0-only
"""The papers' figures, one module each; `dsh-fig11` is figures/dsh_fig11.py.

A figure module has
    TITLE    one line about it
    MINUTES  what a run takes on two cores, by size: {"quick": 3, "full": 30}
    LABELS   the axes' labels, (x, y)
    jobs(size) -> list[Job]          the simulations
    read(job, folder) -> dict        one simulation's result files, as one record
    reduce(records) -> dict          the tables that are drawn and written: {"points": [row, ...], ...}
    draw(ax, data)                   the picture, from those tables
    claims(data) -> dict             what was found for each claim of claims.csv, by its id

The modules import nothing beyond Python's standard library, so that the list of figures needs no package.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

SIZES = ("quick", "full")
FIGURES = ("dsh-fig11",)


@dataclass(frozen=True)
class Job:
    """One simulation: a program of the module and its options."""

    name: str
    program: str
    options: Mapping[str, str]

    def arguments(self) -> list[str]:
        return [f"--{name}={value}" for name, value in self.options.items()]


def load(name: str) -> ModuleType:
    if name not in FIGURES:
        raise KeyError(name)
    return importlib.import_module(f"figures.{name.replace('-', '_')}")


def sources() -> list[str]:
    """The files that a picture depends on, besides its simulations."""
    folder = Path(__file__).parent
    return [str(path) for path in sorted([*folder.glob("*.py"), folder / "claims.csv"])]
