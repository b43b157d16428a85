# SPDX-License-Identifier: GPL-2.0-only
"""Compares the statements of the papers with the results: the facts in claims.csv with those of a figure, and the
outcome of each claim.

statements.csv lists the statements of the papers by place; the statements of a place are named `PLACE-1`, `PLACE-2`... A row of
claims.csv is a way to check one of them:
    statement   the statement; if empty, the row belongs to no statement and is shown for information
    reading     primary: the decisive one, chosen according to the paper's text; a statement may have several
                parts, which must all hold. other: shown in addition, but not counted
    how         run: by a figure's simulations. sum: by arithmetic (sums.py). suite: asserted in a test suite. same:
                it repeats another row. none: cannot be checked with a simulator
    missed      the meaning of a value outside the band: refuted (by the paper's own text or formula, in every reading of
                it), explained (a test changed only the cause, which the print supports), sensitive (a setting that is not
                printed changes it), or empty (unknown)
    why         the reason for these three, or what is known about another miss; for suite, the test; for same, the other
                row; for none, the reason

kinds.csv sorts out statements from which nothing follows if they hold, with the reason (`PLACE-1..3` means three statements):
    setting     a constant, a formula or a setting
    repeat      a repetition of another statement, including statements whose rows are all `same`
    any         it would hold with any scheme

doc/results/mutants.csv, written by mutants.py, also sorts out statements that hold and reject no mutant, as `any`.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from figures import claim_prefixes, sums
from lossless.system import read_rows

FOLDER = Path(__file__).resolve().parent
MUTANTS = FOLDER.parents[1] / "doc" / "results" / "mutants.csv"
PASSES, REJECTED, FAILED = "passes", "rejected", "does not run"
COLUMNS = ("claim", "what", "paper says", "we measured", "band", "within", "outcome")
# Those that are read again from a figure's table.
READ = (*COLUMNS, "value", "size", "statement", "basis")
NOT_FOUND = "not found"
ASSERTED = "asserted by "

# Of statements that can fail.
HOLDS, REFUTED, EXPLAINED, SENSITIVE, OPEN = JUDGED = (
    "holds",
    "refuted",
    "missed, explained",
    "missed, sensitive to a setting",
    "missed, open",
)
OF_MISSED = {"": OPEN, "refuted": REFUTED, "explained": EXPLAINED, "sensitive": SENSITIVE}
# Of the other statements.
ANY, SETTING, REPEAT, UNREACHABLE = ("holds with any scheme", "setting or formula", "repeats another", "not reachable here")
OUTCOMES = (*JUDGED, ANY, SETTING, REPEAT, UNREACHABLE)
OF_KIND = {"any": ANY, "setting": SETTING, "repeat": REPEAT}


def compare(figure: str, found: Mapping[str, float | None], size: str) -> list[dict[str, str]]:
    """Return one row for each of the figure's claims. `outcome` is that of the whole statement, and empty for other
    readings.

    A value that is not a number, such as a mean over nothing, counts as not found.
    """
    found = {claim: value for claim, value in found.items() if value is not None and not math.isnan(value)}
    outcomes = judge(facts(figure), found)
    return [describe(fact, found.get(fact["id"]), outcomes) | {"size": size} for fact in facts(figure)]


def read(path: Path) -> list[dict[str, str]]:
    """Return the rows of a figure's table of claims. Raises a ValueError if it is damaged."""
    with contextlib.suppress(UnicodeDecodeError):
        if (rows := read_rows(path)) and all(row.get(column) is not None for row in rows for column in READ):
            return rows
    raise ValueError(f"{path} is not a table of claims; scripts/reproduce writes it anew once it is removed")


def require_rows(figure: str, found: Iterable[str]) -> None:
    """Raise a KeyError if claims.csv has no row of the figure for a value that it has found."""
    if unknown := sorted({*found} - {fact["id"] for fact in facts(figure)}):
        raise KeyError(f"claims.csv has no row for {', '.join(unknown)}, which {figure} has found")


def describe(fact: Mapping[str, str], value: float | None, outcomes: Mapping[str, str]) -> dict[str, str]:
    outcome = outcomes.get(fact["statement"], "") if fact["reading"] == "primary" else ""
    return {
        "claim": fact["id"],
        "what": f"{fact['what']} [{fact['unit']}]" if fact["unit"] else fact["what"],
        "paper says": fact["paper"],
        "we measured": measured(fact, value),
        "value": "" if value is None else repr(float(value)),
        "band": band(fact),
        "within": verdict(fact, value),
        "outcome": outcome,
        "statement": fact["statement"],
        "reading": fact["reading"],
        "basis": ". ".join(filter(None, (fact["basis"], explanation(fact, outcome), reason(fact, outcome)))),
    }


def judge(rows: Iterable[Mapping[str, str]], found: Mapping[str, float | None]) -> dict[str, str]:
    """Return the outcome of each statement, which is that of its worst part, unless the statement is sorted out."""
    outcomes: dict[str, str] = {}
    for fact in rows:
        if fact["reading"] == "primary":
            parts = outcome_of(fact, found), outcomes.get(fact["statement"], HOLDS)
            outcomes[fact["statement"]] = max(parts, key=OUTCOMES.index)
    return {statement: sorted_out(statement, outcome) for statement, outcome in outcomes.items()}


def sorted_out(statement: str, outcome: str) -> str:
    """Return whether a statement is sorted out, because nothing follows if it holds. If it does not hold, it always
    counts, unless it is a repeat.
    """
    kind = OF_KIND.get(kinds().get(statement, ("", ""))[0], outcome)
    return kind if outcome == HOLDS or kind == REPEAT else outcome


def outcome_of(fact: Mapping[str, str], found: Mapping[str, float | None]) -> str:
    """Return the outcome of one row."""
    if fact["how"] in ("suite", "none"):
        return HOLDS if fact["how"] == "suite" else UNREACHABLE
    if fact["how"] == "same":
        return outcome_of(fact_of(fact["why"]), found)
    value = found.get(fact["id"])
    if verdict(fact, value) == "yes":
        return HOLDS
    return OF_MISSED[fact["missed"]] if value is not None or fact["how"] == "sum" else OPEN


def is_known(fact: Mapping[str, str], found: Mapping[str, float]) -> bool:
    """Return whether there is a result for a row, or none is needed."""
    if fact["how"] == "same":
        return fact["why"] in found
    return fact["how"] in ("suite", "none") or fact["id"] in found


def explanation(fact: Mapping[str, str], outcome: str) -> str:
    """Return the text below a row, in addition to its basis."""
    if fact["how"] == "run":
        return fact["why"] if outcome == OF_MISSED[fact["missed"]] else ""
    return {"sum": fact["why"], "suite": "", "same": f"As {fact['why']}", "none": fact["why"]}[fact["how"]]


def reason(fact: Mapping[str, str], outcome: str) -> str:
    """Return why a statement is sorted out if no row gives the reason."""
    return f"{outcome}: {kinds()[fact['statement']][1]}" if outcome in OF_KIND.values() and fact["how"] != "same" else ""


def measured(fact: Mapping[str, str], value: float | None) -> str:
    words = {"suite": f"{ASSERTED}{fact['why']}", "same": f"as {fact['why']}", "none": "-"}
    return words.get(fact["how"]) or show(value)


def facts(figure: str) -> list[dict[str, str]]:
    prefixes = claim_prefixes(figure)
    return [fact for fact in all_facts() if fact["id"].startswith(prefixes)]


@cache
def all_facts() -> list[dict[str, str]]:
    return read_rows(FOLDER / "claims.csv")


def fact_of(claim: str) -> dict[str, str]:
    return next(fact for fact in all_facts() if fact["id"] == claim)


def statements() -> list[str]:
    """Return all statements of the papers."""
    places = [(row["place"], int(row["statements"])) for row in read_rows(FOLDER / "statements.csv")]
    return [f"{place}-{number}" for place, count in places for number in range(1, count + 1)]


@cache
def kinds() -> dict[str, tuple[str, str]]:
    """Return the kind and reason of each statement that is sorted out."""
    found = {name: (row["kind"], row["why"]) for row in read_rows(FOLDER / "kinds.csv") for name in named(row["statements"])}
    primary = [fact for fact in all_facts() if fact["reading"] == "primary"]
    own = {fact["statement"] for fact in primary if fact["how"] != "same"}
    repeats = {fact["statement"]: ("repeat", f"as {fact['why']}") for fact in primary if fact["statement"] not in own}
    return {name: ("any", f"it rejects none of: {mutants}") for name, mutants in passed().items()} | repeats | found


def passed() -> dict[str, str]:
    """Return the statements that reject no mutant, with the mutants."""
    found: dict[str, list[dict[str, str]]] = {}
    for row in read_rows(MUTANTS):
        found.setdefault(row["statement"], []).append(row)
    return {
        statement: "; ".join(row["mutant"] for row in rows if row["result"] == PASSES)
        for statement, rows in found.items()
        if {row["result"] for row in rows} - {FAILED} == {PASSES}
    }


def named(text: str) -> Iterator[str]:
    """Return the statements in a list, in which PLACE-1..3 means three statements."""
    for word in text.split():
        place, _, numbers = word.rpartition("-")
        first, _, last = numbers.partition("..")
        yield from (f"{place}-{number}" for number in range(int(first), int(last or first) + 1))


def without_results() -> dict[str, float]:
    """Return everything that is known without any simulation."""
    return {claim: float(value) for claim, value in sums.VALUES.items()}


def stated(claim: str) -> float:
    """Return the number that the paper prints."""
    return float(fact_of(claim)["paper"])


def show(value: float | None) -> str:
    return NOT_FOUND if value is None else f"{value:.4g}"


def band(fact: Mapping[str, str]) -> str:
    low, high = fact["low"], fact["high"]
    if not low and not high:
        return "-"
    if low == high:
        return f"= {low}"
    return f"{low} to {high}" if low and high else f">= {low}" if low else f"<= {high}"


def verdict(fact: Mapping[str, str], value: float | None) -> str:
    low = float(fact["low"] or "-inf")
    high = float(fact["high"] or "inf")
    return "yes" if value is not None and low <= value <= high else "no"


def markdown(rows: list[dict[str, str]]) -> str:
    """Return the table for readers. The basis of each claim is given below it."""
    lines = [" | ".join(COLUMNS), " | ".join("---" for _ in COLUMNS)]
    lines += [" | ".join(row[column] for column in COLUMNS) for row in rows]
    notes = [f"- {row['claim']}: {row['basis']}." for row in rows]
    return "\n".join([*(f"| {line} |" for line in lines), "", *notes, ""])
