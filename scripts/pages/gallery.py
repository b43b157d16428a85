# SPDX-License-Identifier: GPL-2.0-only
"""The gallery of all figures that have results, with the statements of the papers, the measured values, and the
verdicts.

Of figures without results here, the values that the repository keeps are shown. It is beside the results, index.html and a page for each paper, and refers to their pictures by relative paths.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import figures
from figures import claims, kept, settings, verdicts
from pages import write_page

FRONT = "index.html"


@dataclass(frozen=True)
class Verdict:
    """A verdict. Its style-sheet class determines the colour, its word states the verdict, and its sign is readable
    without either.
    """

    look: str
    word: str
    sign: str
    meaning: str


# Of figures, in the order in which they are counted.
REPRODUCED = Verdict("good", verdicts.REPRODUCED, "✓", "all of its results hold")
IN_PART = Verdict("part", verdicts.IN_PART, "◐", "some of its results hold")
NOT_REPRODUCED = Verdict("bad", verdicts.NOT_REPRODUCED, "✗", "none of its results holds")
NOT_JUDGED = Verdict("none", verdicts.NOT_JUDGED, "–", "its statements are settings or formulas, or hold with any scheme")
NOT_RUN = Verdict("none", verdicts.NOT_RUN, "–", "there are no results of it here, nor kept values")
BESIDE = Verdict("none", verdicts.BESIDE, "–", "it shows other readings of another figure's claims, which count nowhere")
OF_FIGURES = (REPRODUCED, IN_PART, NOT_REPRODUCED, NOT_JUDGED, NOT_RUN, BESIDE)
# Of studies of no paper, in place of those that speak of reproduction.
OF_STUDIES = {
    verdicts.REPRODUCED: Verdict("good", f"{verdicts.OWN_STUDY}: all hold", "✓", "all of its results hold"),
    verdicts.IN_PART: Verdict("part", f"{verdicts.OWN_STUDY}: some hold", "◐", "some of its results hold"),
    verdicts.NOT_REPRODUCED: Verdict("bad", f"{verdicts.OWN_STUDY}: none holds", "✗", "none of its results holds"),
}
# Of single claims.
OF_CLAIMS = {
    claims.HOLDS: Verdict("good", claims.HOLDS, "✓", "what was measured is within the band"),
    claims.REFUTED: Verdict("part", claims.REFUTED, "≠", "the paper's own text or formula contradicts it"),
    claims.EXPLAINED: Verdict("part", claims.EXPLAINED, "◐", "a test moved the cause alone, and the paper's text supports it"),
    claims.SENSITIVE: Verdict("part", claims.SENSITIVE, "◐", "a setting that the paper does not print moves it"),
    claims.OPEN: Verdict("bad", claims.OPEN, "✗", "neither explained nor known to be sensitive"),
    claims.ANY: Verdict("none", claims.ANY, "○", "so that it says nothing of this one; not judged"),
    claims.SETTING: Verdict("none", claims.SETTING, "–", "not judged"),
    claims.REPEAT: Verdict("none", claims.REPEAT, "–", "not judged again"),
    claims.UNREACHABLE: Verdict("none", claims.UNREACHABLE, "–", "beyond a simulator, such as hardware; not judged"),
}
# Of other readings, which are not counted.
WITHIN = Verdict("none", "other reading: within", "✓", "")
OUTSIDE = Verdict("none", "other reading: outside", "✗", "")


@dataclass(frozen=True)
class Made:
    """The results of a figure at one size."""

    size: str
    stem: str  # of its files, relative to the pages
    claims: list[dict[str, str]]
    pixels: tuple[int, int]  # of the picture
    tables: list[str]  # relative to the pages
    record: dict  # of how the results were created; empty if there is none

    @property
    def outcomes(self) -> dict[str, str]:
        """Return the outcomes of the statements that the figure's claims decide."""
        return {claim["statement"]: claim["outcome"] for claim in self.claims if claim["outcome"]}

    @property
    def judged(self) -> int:
        return sum(outcome in claims.JUDGED for outcome in self.outcomes.values())

    @property
    def holding(self) -> int:
        return [*self.outcomes.values()].count(claims.HOLDS)

    @property
    def verdict(self) -> Verdict:
        return verdict_of(Path(self.stem).name, verdicts.state(self.outcomes.values()))


@dataclass(frozen=True)
class Kept:
    """The values of a figure that the repository keeps. They count if the figure has no results here."""

    size: str
    commits: list[str]
    values: dict[str, float]  # by claim
    claims: list[dict[str, str]]
    verdict: Verdict


@dataclass(frozen=True)
class Entry:
    """A figure of the gallery. Its larger size is listed first and is the one that counts."""

    name: str
    title: str
    alt: str
    minutes: dict[str, int]
    made: list[Made]
    kept: Kept | None

    @property
    def verdict(self) -> Verdict:
        found = self.made[0] if self.made else self.kept
        return found.verdict if found else NOT_RUN

    def values(self) -> dict[str, float]:
        """Return the measured values by claim. A claim has no value if nothing was found or was to be measured."""
        if self.made:
            return {claim["claim"]: float(claim["value"]) for claim in self.made[0].claims if claim["value"]}
        return self.kept.values if self.kept else {}

    def settings(self, size: str) -> list[tuple[str, str, str]]:
        return settings.rows(self.name, size)


def write(results: Path) -> Path:
    """Write the pages for a folder of results, and return the front page. Raises a ValueError if a file in it is
    damaged.
    """
    papers = [
        {
            "page": f"{paper}.html",
            "name": name,
            "reference": reference,
            "key": paper,
            "entries": [find(results, figure) for figure in figures.of_paper(paper)],
        }
        for paper, (name, reference) in figures.PAPERS.items()
    ]
    for paper in papers:
        outcomes = outcomes_of(paper["entries"], (paper["key"],))
        paper["counts"] = count(paper["entries"])
        paper["claims"] = count_claims(outcomes)
        paper["elsewhere"] = elsewhere(paper["key"], outcomes)
    entries = [entry for paper in papers for entry in paper["entries"] if entry.name in figures.counted()]
    shared = {"papers": papers, "front": FRONT, "verdict_of_claim": verdict_of_claim, "of_claims": OF_CLAIMS.values()}
    for paper in papers:
        write_page(results / paper["page"], "paper.html", paper=paper, option_of=figures.option_of, **shared)
    write_page(
        results / FRONT,
        "gallery.html",
        counts=count(entries),
        claims=count_claims(outcomes_of(entries, figures.WITH_STATEMENTS)),
        commits=commits(entries),
        new=sum(bool(entry.made) for entry in entries),
        **shared,
    )
    return results / FRONT


def find(results: Path, name: str) -> Entry:
    """Return a figure with its results."""
    figure = figures.load(name)
    axes = "; ".join(f"{y} against {x}" if x else y for x, y in figures.panel_labels(figure))
    made = [read(results, name, size) for size in reversed(figures.sizes(name)) if is_made(results, name, size)]
    return Entry(name, figure.TITLE, f"{figure.TITLE}. Plotted: {axes}.", figure.MINUTES, made, find_kept(name))


def find_kept(name: str) -> Kept | None:
    """Return the kept values of a figure, or None if the repository keeps none."""
    rows = kept.read()
    values = kept.values(rows)
    word = verdicts.state_of(name, values)
    names = {fact["id"] for fact in claims.facts(name)}
    own = [row for row in rows if row["claim"] in names]
    if word == verdicts.NOT_RUN or not own:
        return None
    return Kept(
        size=own[0]["size"],
        commits=sorted({row["commit"] for row in own}),
        values={row["claim"]: float(row["measured"]) for row in own},
        claims=claims.compare(name, values, own[0]["size"]),
        verdict=verdict_of(name, word),
    )


def is_made(results: Path, name: str, size: str) -> bool:
    folder = figures.result_folder(results, name, size)
    return all((folder / f"{name}{ending}").is_file() for ending in (".png", "-claims.csv"))


def read(results: Path, name: str, size: str) -> Made:
    folder = figures.result_folder(results, name, size)
    place = folder.relative_to(results)
    return Made(
        size=size,
        stem=str(place / name),
        claims=claims.read(folder / f"{name}-claims.csv"),
        pixels=png_size(folder / f"{name}.png"),
        tables=sorted(str(place / path.name) for path in folder.glob(f"{name}-*.csv")),
        record=figures.read_record(folder, name),
    )


def png_size(path: Path) -> tuple[int, int]:
    """Return width and height from the picture's header, so that the page layout does not shift when the picture is
    loaded.
    """
    header = path.read_bytes()[:24]
    return struct.unpack(">II", header[16:24]) if header.startswith(b"\x89PNG") else (0, 0)


def verdict_of(figure: str, state: str) -> Verdict:
    """Return the verdict of a figure in a state."""
    if figures.is_study(figure) and state in OF_STUDIES:
        return OF_STUDIES[state]
    return next(verdict for verdict in OF_FIGURES if verdict.word == state)


def verdict_of_claim(claim: dict[str, str]) -> Verdict:
    if claim["outcome"]:
        return OF_CLAIMS[claim["outcome"]]
    return WITHIN if claim["within"] == "yes" else OUTSIDE


def count(entries: list[Entry]) -> list[tuple[Verdict, int]]:
    """Return the number of figures for each verdict."""
    found = Counter(entry.verdict for entry in entries)
    are_studies = all(figures.is_study(entry.name) for entry in entries)
    shown = [OF_STUDIES.get(verdict.word, verdict) for verdict in OF_FIGURES] if are_studies else OF_FIGURES
    return [(verdict, found[verdict]) for verdict in shown]


def outcomes_of(entries: list[Entry], papers: tuple[str, ...]) -> dict[str, str]:
    """Return the outcome of each statement of the papers, from the figures that have results and those that need none.
    """
    found = claims.without_results()
    for entry in entries:
        found |= entry.values()
    outcomes = claims.judge(claims.all_facts(), found)
    unknown = verdicts.without_value(found, papers)
    return {name: outcome for name, outcome in outcomes.items() if name not in unknown and verdicts.paper_of(name) in papers}


def count_claims(outcomes: Mapping[str, str]) -> list[tuple[Verdict, int]]:
    """Return the number of statements for each outcome."""
    found = Counter(outcomes.values())
    return [(verdict, found[word]) for word, verdict in OF_CLAIMS.items()]


def elsewhere(paper: str, outcomes: Mapping[str, str]) -> list[dict[str, str]]:
    """Return the rows for statements of a paper that no figure shows."""
    owned = {fact["id"] for figure in figures.of_paper(paper) for fact in claims.facts(figure)}
    rows = [fact for fact in claims.all_facts() if verdicts.paper_of(fact["id"]) == paper and fact["id"] not in owned]
    shown = [claims.describe(fact, claims.without_results().get(fact["id"]), outcomes) for fact in rows]
    return [row for row in shown if row["outcome"]]


def commits(entries: list[Entry]) -> list[str]:
    """Return the commits of the results that count."""
    found = {entry.made[0].record.get("commit") or "not recorded" for entry in entries if entry.made}
    return sorted(found)
