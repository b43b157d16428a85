# SPDX-License-Identifier: GPL-2.0-only
"""The gallery: all figures that have results, what the papers say beside what was measured, and the verdicts.

It stands beside the results, index.html and a page for each paper, and refers to their pictures by relative paths.
"""

from __future__ import annotations

import csv
import json
import struct
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import figures
from figures.claims import COLUMNS
from pages import write_page

FRONT = "index.html"


@dataclass(frozen=True)
class Verdict:
    """A class of the style sheet gives it its colour, its word says the same, and its sign does without either."""

    look: str
    word: str
    sign: str
    meaning: str


# Of figures, in the order in which they are counted.
REPRODUCED = Verdict("good", "reproduced", "✓", "all that the paper says of it is within its band")
IN_PART = Verdict("part", "in part", "◐", "some of what the paper says is within its band")
NOT_REPRODUCED = Verdict("bad", "not reproduced", "✗", "nothing of what the paper says is within its band")
NOT_RUN = Verdict("none", "not run", "–", "there are no results of it here")
OF_FIGURES = (REPRODUCED, IN_PART, NOT_REPRODUCED, NOT_RUN)
# Of single claims.
WITHIN = Verdict("good", "within the band", "✓", "")
OUTSIDE = Verdict("bad", "outside the band", "✗", "")
NOT_FOUND = Verdict("bad", "not found", "✗", "")


@dataclass(frozen=True)
class Made:
    """The results of a figure at one size."""

    size: str
    stem: str  # of its files, relative to the pages
    claims: list[dict[str, str]]
    pixels: tuple[int, int]  # of the picture
    tables: list[str]  # relative to the pages
    record: dict  # of how they were made; empty: there is none

    @property
    def within(self) -> int:
        return sum(claim["within"] == "yes" for claim in self.claims)

    @property
    def verdict(self) -> Verdict:
        if self.within == len(self.claims):
            return REPRODUCED
        return IN_PART if self.within else NOT_REPRODUCED


@dataclass(frozen=True)
class Entry:
    """A figure of the gallery; of its sizes the larger one comes first, and is the one that counts."""

    name: str
    title: str
    alt: str
    minutes: dict[str, int]
    made: list[Made]

    @property
    def verdict(self) -> Verdict:
        return self.made[0].verdict if self.made else NOT_RUN


def write(results: Path) -> Path:
    """Write the pages of what is in a folder of results; the front page. ValueError if a file of it is damaged."""
    papers = [
        {
            "page": f"{paper}.html",
            "name": name,
            "reference": reference,
            "entries": [find(results, figure) for figure in figures.of_paper(paper)],
        }
        for paper, (name, reference) in figures.PAPERS.items()
    ]
    for paper in papers:
        paper["counts"] = count(paper["entries"])
        paper["claims"] = count_claims(paper["entries"])
    entries = [entry for paper in papers for entry in paper["entries"]]
    shared = {"papers": papers, "front": FRONT, "verdict_of_claim": verdict_of_claim}
    for paper in papers:
        write_page(results / paper["page"], "paper.html", paper=paper, **shared)
    write_page(
        results / FRONT,
        "gallery.html",
        counts=count(entries),
        claims=count_claims(entries),
        commits=commits(entries),
        **shared,
    )
    return results / FRONT


def find(results: Path, name: str) -> Entry:
    """A figure, and what there is of it."""
    figure = figures.load(name)
    axes = "; ".join(f"{y} against {x}" if x else y for x, y in figures.panel_labels(figure))
    made = [read(results, name, size) for size in reversed(figures.SIZES) if is_made(results, name, size)]
    return Entry(name, figure.TITLE, f"{figure.TITLE}. Plotted: {axes}.", figure.MINUTES, made)


def is_made(results: Path, name: str, size: str) -> bool:
    folder = figures.result_folder(results, name, size)
    return all((folder / f"{name}{ending}").is_file() for ending in (".png", "-claims.csv"))


def read(results: Path, name: str, size: str) -> Made:
    folder = figures.result_folder(results, name, size)
    place = folder.relative_to(results)
    return Made(
        size=size,
        stem=str(place / name),
        claims=read_claims(folder / f"{name}-claims.csv"),
        pixels=png_size(folder / f"{name}.png"),
        tables=sorted(str(place / path.name) for path in folder.glob(f"{name}-*.csv")),
        record=read_record(figures.record_file(folder, name)),
    )


def read_claims(path: Path) -> list[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table))
    if not rows or not {*COLUMNS, "basis"} <= rows[0].keys():
        raise ValueError(f"{path} is not a table of claims; scripts/reproduce writes it anew once it is removed")
    return rows


def read_record(path: Path) -> dict:
    if not path.is_file():
        return {}
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} cannot be read: {error}") from None


def png_size(path: Path) -> tuple[int, int]:
    """Width and height, from the picture's header, so that a page does not move when the picture has come."""
    header = path.read_bytes()[:24]
    return struct.unpack(">II", header[16:24]) if header.startswith(b"\x89PNG") else (0, 0)


def verdict_of_claim(claim: dict[str, str]) -> Verdict:
    if claim["within"] == "yes":
        return WITHIN
    return NOT_FOUND if claim["we measured"] == "not found" else OUTSIDE


def count(entries: list[Entry]) -> list[tuple[Verdict, int]]:
    """How many figures have each verdict."""
    found = Counter(entry.verdict for entry in entries)
    return [(verdict, found[verdict]) for verdict in OF_FIGURES]


def count_claims(entries: list[Entry]) -> tuple[int, int]:
    """Claims within their bands, and all, of the figures that have results."""
    made = [entry.made[0] for entry in entries if entry.made]
    return sum(result.within for result in made), sum(len(result.claims) for result in made)


def commits(entries: list[Entry]) -> list[str]:
    """At which the results that count were made."""
    found = {entry.made[0].record.get("commit") or "not recorded" for entry in entries if entry.made}
    return sorted(found)
