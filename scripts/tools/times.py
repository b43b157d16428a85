# SPDX-License-Identifier: GPL-2.0-only
"""The seconds that steps, compiled files and tests take, for those who want to know where the time goes."""

from __future__ import annotations

import contextlib
import csv
import time
from collections.abc import Iterator
from pathlib import Path

from tools.common import replaced


class Times:
    """What is noted, in its order: `kind` (step, compiled or test), `name` and `seconds` of real time."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, str, float]] = []

    def note(self, kind: str, name: str, seconds: float) -> None:
        self.rows.append((kind, name, seconds))

    @contextlib.contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Note what is done meanwhile."""
        start = time.monotonic()
        yield
        self.note("step", name, time.monotonic() - start)

    @contextlib.contextmanager
    def build(self, folder: Path) -> Iterator[None]:
        """Note the step in which ninja builds in a folder, and each file that it makes there."""
        log = folder / ".ninja_log"
        before = set(read_ninja(log))
        with self.step("build"):
            yield
        for made in read_ninja(log):
            if made not in before:
                start, end, _, output, _ = made
                self.note("compiled", output, (int(end) - int(start)) / 1000)

    def write(self, path: Path | None) -> None:
        """Write a file of comma-separated values, if there is to be one."""
        if path:
            with replaced(path) as file:
                writer = csv.writer(file, lineterminator="\n")
                writer.writerow(("kind", "name", "seconds"))
                writer.writerows((kind, name, f"{seconds:.1f}") for kind, name, seconds in self.rows)


def read_ninja(log: Path) -> list[tuple[str, ...]]:
    """What ninja has made, by the log in its folder: start and end in milliseconds, time stamp, file, command's hash."""
    try:
        lines = log.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    return [tuple(line.split("\t")) for line in lines if line.count("\t") == 4]
