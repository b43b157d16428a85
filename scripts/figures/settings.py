# SPDX-License-Identifier: GPL-2.0-only
"""The settings with which each figure is simulated: parameter, value, and source.

The values are those of the figure's own commands. settings.csv gives the source of each value: the paper and its
section, the reason for our choice, or the result on which it was calibrated. It has a row for each option of a figure,
or of all figures whose names begin with the first column (if empty, all); the longest matching name applies. A row with
a value describes a parameter for which the commands use the default of the program.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import figures
from lossless.system import read_rows

FEW = 8  # number of values up to which all are shown


@cache
def table() -> list[dict[str, str]]:
    return read_rows(Path(__file__).with_name("settings.csv"))


def rows(figure: str, size: str) -> list[tuple[str, str, str]]:
    """Return parameter, value and source."""
    known = sources(figure)
    found = given(figure, size)
    told = [(option, text, known[option]["source"]) for option, text in found.items()]
    left = [row for row in known.values() if row["value"] and row["option"] not in found]
    return told + [(row["option"], f"{row['value']} (of the program)", row["source"]) for row in left]


def sources(figure: str) -> dict[str, dict[str, str]]:
    """Return the row that applies to each option."""
    rows = [row for row in table() if f"{figure}-".startswith(f"{row['of']}-" if row["of"] else "")]
    return {row["option"]: row for row in sorted(rows, key=lambda row: len(row["of"]))}


def given(figure: str, size: str) -> dict[str, str]:
    """Return the values of each option in the figure's commands."""
    jobs = figures.load(figure).jobs(size)
    options = dict.fromkeys(option for job in jobs for option in job.options)
    return {
        option: show([job.options[option] for job in jobs if option in job.options], len(jobs)) for option in options
    }


def show(values: Iterable[str], jobs: int) -> str:
    values = [*values]
    different = [*dict.fromkeys(values)]
    text = ", ".join(different) if len(different) <= FEW else f"{different[0]} to {different[-1]}, {len(different)} values"
    return text if len(values) == jobs else f"{text} (in {len(values)} of {jobs} runs)"
