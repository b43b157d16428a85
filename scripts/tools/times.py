# SPDX-License-Identifier: GPL-2.0-only
"""Records the time, in seconds, that steps, compiled files and tests take, for users who want to know where the time is
spent.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from lossless.system import read_rows, write_rows
from tools.common import ROOT

# On a busy machine with two processors, without earlier compilation.
KEPT = ROOT / "test" / "times.csv"
HEAD = ("kind", "name", "seconds")
Rows = dict[tuple[str, str], float]


class Times:
    """Records in order: `kind` (step, compiled or test), `name` and `seconds` of real time. Earlier times, measured on
    this machine or else on that of test/times.csv, predict the next ones.
    """

    def __init__(self, own: Path | None = None) -> None:
        self.rows: Rows = {}
        self.own = own
        self.is_known_here = bool(own and own.exists())
        self.earlier = read_times(KEPT) | (read_times(own) if self.is_known_here else {})

    def expect(self, kind: str, names: Sequence[str]) -> float:
        """Return the total time, in seconds, that tasks will take one after the other. An unknown task is assumed to
        take the average time of its kind.
        """
        all_known = [seconds for (other, _), seconds in self.earlier.items() if other == kind]
        usual = sum(all_known) / len(all_known) if all_known else 0
        return sum(self.earlier.get((kind, name), usual) for name in names)

    def note(self, kind: str, name: str, seconds: float) -> None:
        self.rows[kind, name] = seconds

    @contextlib.contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Record the time of a step."""
        start = time.monotonic()
        yield
        self.note("step", name, time.monotonic() - start)

    @contextlib.contextmanager
    def build(self, folder: Path) -> Iterator[None]:
        """Record the step in which ninja builds in a folder, and each file that it creates there."""
        log = folder / ".ninja_log"
        before = set(read_ninja(log))
        with self.step("build"):
            yield
        for made in read_ninja(log):
            if made not in before:
                start, end, _, output, _ = made
                self.note("compiled", output, (int(end) - int(start)) / 1000)

    def write(self, path: Path | None) -> None:
        """Write a file of comma-separated values, if requested, and store the times for the next run."""
        if path:
            write_times(path, self.rows)
        if self.own:
            write_times(self.own, (read_times(self.own) if self.is_known_here else {}) | self.rows)


def read_times(path: Path) -> Rows:
    return {(row["kind"], row["name"]): float(row["seconds"]) for row in read_rows(path)}


def write_times(path: Path, rows: Rows) -> None:
    write_rows(path, HEAD, (dict(zip(HEAD, (*key, f"{seconds:.1f}"))) for key, seconds in rows.items()))


def read_ninja(log: Path) -> list[tuple[str, ...]]:
    """Return the files that ninja has built, from the log in its folder: start and end in milliseconds, time stamp,
    file, and hash of the command.
    """
    try:
        lines = log.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    return [tuple(line.split("\t")) for line in lines if line.count("\t") == 4]
