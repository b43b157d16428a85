# SPDX-License-Identifier: GPL-2.0-only
"""What scripts/sweep and lossless.sweep() share: combinations of values, their names, and the tables in the folder of a
sweep. Requires no package, like lossless.values.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from lossless.values import name_run

# The table of a sweep, and that of its runs without results.
SWEEP_TABLE = "sweep.csv"
FAILURES = "failures.csv"
LAST_OF_FAILURES = ("run", "kind", "why")  # columns, after those of the options
Value = TypeVar("Value")


def combine(
    configuration: str, options: Mapping[str, Sequence[Value]], describe: Callable[[str, Value], str]
) -> Iterator[tuple[str, dict[str, Value]]]:
    """Return all combinations, each with a name of what differs. The last option changes first."""
    varied = [name for name, values in options.items() if len(values) > 1]
    for values in itertools.product(*options.values()):
        chosen = dict(zip(options, values))
        words = [configuration] * bool(configuration) + [describe(name, chosen[name]) for name in varied]
        yield name_run("-".join(words) or "run"), chosen


def failure_row(options: Mapping[str, object], run: str, is_refused: bool, why: str) -> dict[str, object]:
    """Return the row of a run without results."""
    return {**options, **dict(zip(LAST_OF_FAILURES, (run, "refused" if is_refused else "failed", why)))}


def remove_tables(folder: Path) -> None:
    """Remove the tables and the page of an earlier sweep, because its runs may change now."""
    for name in (SWEEP_TABLE, FAILURES, "report.html"):
        (folder / name).unlink(missing_ok=True)
