# SPDX-License-Identifier: GPL-2.0-only
"""The states of figures according to the outcomes of their claims, and the number of statements of a paper for each
outcome.
"""

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
OWN_STUDY = "own study"
STATES = (REPRODUCED, IN_PART, NOT_REPRODUCED, NOT_JUDGED, NOT_RUN, BESIDE)


def state(outcomes: Iterable[str]) -> str:
    """Return the state of a figure according to the outcomes of its claims. A refuted claim does not count as
    reproduced.
    """
    outcomes = [*outcomes]
    judged = [outcome for outcome in outcomes if outcome in claims.JUDGED]
    if not judged:
        return NOT_JUDGED if {claims.SETTING, claims.ANY} & {*outcomes} else BESIDE
    holding = judged.count(claims.HOLDS)
    return REPRODUCED if holding == len(judged) else IN_PART if holding else NOT_REPRODUCED


def state_of(name: str, found: Mapping[str, float]) -> str:
    """Return the state of a figure according to its kept values."""
    facts = claims.facts(name)
    outcomes = claims.judge(facts, found).values()
    if outcomes and not any(fact["how"] == "run" and fact["id"] in found for fact in facts):
        return NOT_RUN
    return state(outcomes)


def paper_of(statement: str) -> str:
    return statement.split("-")[0]


def counts(outcomes: Mapping[str, str]) -> dict[str, Counter]:
    """Return the number of statements of each paper for each outcome."""
    found: dict[str, Counter] = {paper: Counter() for paper in figures.PAPERS}
    for statement, outcome in outcomes.items():
        found[paper_of(statement)][outcome] += 1
    return found


def without_value(found: Mapping[str, float], papers: Iterable[str]) -> set[str]:
    """Return the statements of the papers for which a part has no kept value."""
    return {
        fact["statement"]
        for fact in claims.all_facts()
        if fact["reading"] == "primary" and paper_of(fact["id"]) in papers and not claims.is_known(fact, found)
    }


def states_of(names: Iterable[str], found: Mapping[str, float]) -> str:
    """Return the states of the figures in a row: one word if they agree, and the numbers of claims that hold and are
    refuted. Studies of no paper have no state, since there is nothing that they reproduce.
    """
    names = [name for name in names if state_of(name, found) != BESIDE]
    states = Counter(state_of(name, found) for name in names)
    known = [name for name in names if state_of(name, found) != NOT_RUN]
    if not known:
        return "no values kept"
    outcomes = [outcome for name in known for outcome in claims.judge(claims.facts(name), found).values()]
    judged = [outcome for outcome in outcomes if outcome in claims.JUDGED]
    holding, refuted = judged.count(claims.HOLDS), judged.count(claims.REFUTED)
    if all(map(figures.is_study, known)):
        words = [OWN_STUDY]
    else:
        words = [word if len(states) == 1 else f"{states[word]} {word}" for word in STATES if states[word] and word != NOT_RUN]
    words += [f"{states[NOT_RUN]} without kept values"] * bool(states[NOT_RUN])
    return ", ".join(words) + f": {holding} of {len(judged)} hold" * bool(judged) + f", {refuted} refuted" * bool(refuted)
