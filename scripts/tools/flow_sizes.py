# SPDX-License-Identifier: GPL-2.0-only
"""Creates the table of doc/flow-sizes.rst with the flow-size tables of the module, read from its source."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from tools.common import ROOT, Failure

SOURCE = ROOT / "helper" / "workload" / "flow-size-table.cc"
PAGE = ROOT / "doc" / "flow-sizes.rst"
BEGIN, END = ".. begin of the tables\n\n", "\n.. end of the tables\n"
LARGE = 1e6  # in bytes
HEADER = ("``--sizes``", "mean, B", "median, B", "above 1 MB", "source")
SOURCE_COLUMNS = 64
POINT = re.compile(r"\{([\d.]+), ([\d.]+)\}")
TABLE = re.compile(r'\{"([^"]+)",\s*((?:"[^"]*"\s*)+),\s*\{((?:\{[\d., ]+\},?\s*)+)\}\}')


@dataclass(frozen=True)
class FlowSizes:
    """Points of a cumulative distribution: size in bytes and share of the flows, with linear interpolation."""

    name: str
    source: str
    points: tuple[tuple[float, float], ...]

    def mean(self) -> float:
        return self.bytes_above(0)

    def median(self) -> float:
        """Return the median like FlowSizeTable::GetQuantile()."""
        previous = self.points[0]
        for size, share in self.points:
            if share >= 0.5:
                part = (0.5 - previous[1]) / (share - previous[1]) if share > previous[1] else 1
                return previous[0] + part * (size - previous[0])
            previous = size, share
        raise Failure(f"{self.name} ends below a share of 0.5")

    def share_above(self, limit: float) -> float:
        """Return the share of all bytes that belong to flows larger than the limit."""
        return self.bytes_above(limit) / self.mean()

    def bytes_above(self, limit: float) -> float:
        """Return the bytes in flows larger than the limit, per flow of any size."""
        size, share = self.points[0]
        total = size * share if size > limit else 0.0
        for (low, before), (high, after) in zip(self.points, self.points[1:]):
            if high > limit:
                start = max(low, limit)
                part = (high - start) / (high - low) if high > low else 1
                total += (after - before) * part * (start + high) / 2
        return total


def read_tables(text: str | None = None) -> list[FlowSizes]:
    """Return the tables in the order of the source."""
    text = SOURCE.read_text(encoding="utf-8") if text is None else text
    tables = [
        FlowSizes(
            name,
            "".join(re.findall(r'"([^"]*)"', source)),
            tuple((float(size), float(share)) for size, share in POINT.findall(points)),
        )
        for name, source, points in TABLE.findall(text)
    ]
    points, found = len(POINT.findall(text)), sum(len(table.points) for table in tables)
    if not tables or found != points:
        raise Failure(f"{SOURCE.name} has {points} points, and its {len(tables)} tables {found}")
    return tables


def spaced(number: float) -> str:
    """Return an integer formatted as on the pages, with spaces if it has at least five digits."""
    return f"{number:,.0f}".replace(",", " " if round(number) >= 10_000 else "")


def make_table(tables: Sequence[FlowSizes]) -> str:
    """Return the tables as a reStructuredText table."""
    rows = [HEADER]
    for table in tables:
        numbers = (spaced(table.mean()), spaced(table.median()), f"{100 * table.share_above(LARGE):.1f} %")
        # A row without a first cell continues the previous row.
        first, *others = textwrap.wrap(table.source, SOURCE_COLUMNS)
        rows += [(f"``{table.name}``", *numbers, first), *(("", "", "", "", line) for line in others)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADER))]
    border = "  ".join("=" * width for width in widths)
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
    return "\n".join([border, lines[0], border, *lines[1:], border]) + "\n"


def with_table(page: str) -> str:
    """Return the page with the tables from the source."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise Failure(f"{PAGE.name} has no marks between which its table is")
    return before + begin + make_table(read_tables()) + end + after


def write_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    if (renewed := with_table(page)) != page:
        PAGE.write_text(renewed, encoding="utf-8")
