# SPDX-License-Identifier: GPL-2.0-only
"""What this package and the scripts need of the system: files, its messages and its processors. Requires no package, like
lossless.values.
"""

from __future__ import annotations

import contextlib
import csv
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TextIO


def reason_of(error: OSError) -> str:
    """Return the system's error message in a form that fits within a sentence."""
    return error.strerror[0].lower() + error.strerror[1:] if error.strerror else str(error)


def usable_cpus() -> int:
    return len(os.sched_getaffinity(0))


@contextlib.contextmanager
def replaced(path: Path) -> Iterator[TextIO]:
    """Write a file that replaces an earlier one when it is complete."""
    part = path.with_name(f".{path.name}-{os.getpid()}.part")  # two processes may write the same file
    try:
        with open(part, "w", encoding="utf-8", newline="") as file:
            yield file
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def read_rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a file of comma-separated values, by the names in its first line."""
    with open(path, encoding="utf-8", newline="") as table:
        return list(csv.DictReader(table))


def write_rows(path: Path, fields: Iterable[str], rows: Iterable[Mapping[str, object]]) -> None:
    """Write rows with these fields to a file of comma-separated values."""
    with replaced(path) as table:
        writer = csv.DictWriter(table, [*fields], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
