# SPDX-License-Identifier: GPL-2.0-only
"""The states of figures, by the outcomes of their claims, and how many statements of a paper have each outcome."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import figures
from figures import claims

REPRODUCED, IN_PART, NOT_REPRODUCED, NOT_JUDGED, NOT_RUN, BESIDE = (
    "reproduced",
    "in part",
    "not reproduced",
    "not judged",
    "not run",
    "other readings only",
)
STATES = (REPRODUCED, IN_PART, NOT_REPRODUCED, NOT_JUDGED, NOT_RUN, BESIDE)


def state(outcomes: Iterable[str]) -> str:
    """Of a figure, by the outcomes of its claims: that one is refuted is no reproduction."""
    outcomes = [*outcomes]
    judged = [outcome for outcome in outcomes if outcome in claims.JUDGED]
    if not judged:
        return NOT_JUDGED if {claims.SETTING, claims.ANY} & {*outcomes} else BESIDE
    holding = judged.count(claims.HOLDS)
    return REPRODUCED if holding == len(judged) else IN_PART if holding else NOT_REPRODUCED


def state_of(name: str, found: Mapping[str, float]) -> str:
    """Of a figure, by its kept values."""
    facts = claims.facts(name)
    outcomes = claims.judge(facts, found).values()
    if outcomes and not any(fact["how"] == "run" and fact["id"] in found for fact in facts):
        return NOT_RUN
    return state(outcomes)


def paper_of(statement: str) -> str:
    return statement.split("-")[0]


def counts(outcomes: Mapping[str, str]) -> dict[str, Counter]:
    """How many statements of each paper have each outcome."""
    found: dict[str, Counter] = {paper: Counter() for paper in figures.PAPERS}
    for statement, outcome in outcomes.items():
        found[paper_of(statement)][outcome] += 1
    return found


def without_value(found: Mapping[str, float], papers: Iterable[str]) -> set[str]:
    """The statements of the papers for a part of which nothing is kept."""
    return {
        fact["statement"]
        for fact in claims.all_facts()
        if fact["reading"] == "primary" and paper_of(fact["id"]) in papers and not claims.is_known(fact, found)
    }


def states_of(names: Iterable[str], found: Mapping[str, float]) -> str:
    """Of the figures of a row: one word if they agree, and how many of their claims hold and are refuted."""
    names = [name for name in names if state_of(name, found) != BESIDE]
    states = Counter(state_of(name, found) for name in names)
    known = [name for name in names if state_of(name, found) != NOT_RUN]
    if not known:
        return "no values kept"
    outcomes = [outcome for name in known for outcome in claims.judge(claims.facts(name), found).values()]
    judged = [outcome for outcome in outcomes if outcome in claims.JUDGED]
    holding, refuted = judged.count(claims.HOLDS), judged.count(claims.REFUTED)
    words = [word if len(states) == 1 else f"{states[word]} {word}" for word in STATES if states[word] and word != NOT_RUN]
    words += [f"{states[NOT_RUN]} without kept values"] * bool(states[NOT_RUN])
    return ", ".join(words) + f": {holding} of {len(judged)} hold" * bool(judged) + f", {refuted} refuted" * bool(refuted)
