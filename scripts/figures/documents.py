# SPDX-License-Identifier: GPL-2.0-only
"""The pages that show and count the kept results: the page of claims, the states in doc/figures.rst, the tables of
comparisons, and README.md.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

import figures
from figures import claims, headlines, kept, mutants, settings, studies, verdicts
from lossless.system import replaced

ROOT = Path(__file__).resolve().parents[2]


def keep(results: Path) -> list[str]:
    """Store the values from the results, at the largest existing size, and update the pages.

    Returns the figures whose kept values were of a larger size. Raises a ValueError if there are no results, or if the
    programs of some results cannot be checked out by others.
    """
    places = [(figures.result_folder(results, name, size), name) for name in figures.FIGURES for size in figures.sizes(name)]
    made = [(folder, name) for folder, name in places if (folder / f"{name}-claims.csv").is_file()]
    if not mutants.keep(results) and not made:
        raise ValueError(f"there is nothing to keep: no figure has results in {results}")
    taken = [(name, row) for folder, name in made for row in kept.taken(folder, name)]
    if unclean := dict.fromkeys(name for name, row in taken if not kept.is_clean(row["commit"])):
        raise ValueError(f"{', '.join(unclean)}: made by programs of no commit, or of one with changes; commit, and make them again")
    before = {row["claim"]: row for row in kept.read()}
    rows = before | {row["claim"]: row for _, row in taken}
    order = {fact["id"]: number for number, fact in enumerate(claims.all_facts())}
    found = sorted((row for row in rows.values() if row["claim"] in order), key=lambda row: order[row["claim"]])
    pages(found)  # if a page has lost its marks, nothing is written
    kept.write(found)
    studies.keep(results)
    for path, text in pages(found).items():
        with replaced(path) as page:
            page.write(text)
    names = dict.fromkeys(name for _, name in made)
    return [name for name in names if any(kept.is_smaller(rows, before, fact["id"]) for fact in claims.facts(name))]


def pages(rows: Iterable[Mapping[str, str]]) -> dict[Path, str]:
    """Return the new content of each page that contains counts."""
    rows = [*rows]
    readme, states, trust = ROOT / "README.md", ROOT / "doc" / "figures.rst", ROOT / "doc" / "trust.rst"
    found = kept.values(rows)
    return {
        readme: between(readme.read_text(encoding="utf-8"), "<!-- counts -->\n", "<!-- end of counts -->", in_short(found)),
        trust: trust_page(trust.read_text(encoding="utf-8"), rows),
        states: with_states(states.read_text(encoding="utf-8"), found),
        **with_comparisons(),
    }


def between(text: str, begin: str, end: str, middle: str) -> str:
    """Return the text with new content between two marks."""
    before, _, rest = text.partition(begin)
    _, found, after = rest.partition(end)
    if not found:
        raise ValueError(f"a page has lost its marks {begin.strip()} and {end.strip()}, between which something is written")
    return before + begin + middle + end + after


def totals(found: Mapping[str, float]) -> Counter:
    """Return the number of statements of the five papers for each outcome."""
    of_papers = verdicts.counts(claims.judge(claims.all_facts(), found))
    return sum((of_papers[paper] for paper in figures.WITH_STATEMENTS), Counter())


def summary(found: Mapping[str, float]) -> str:
    """Return, in sentences, the number of statements and figures for each outcome."""
    total = totals(found)
    unknown = len(verdicts.without_value(found, figures.WITH_STATEMENTS))
    states = Counter(verdicts.state_of(name, found) for name in figures.counted())
    apart = enumerated(
        (total[claims.SETTING], "are constants, formulas or settings"),
        (total[claims.REPEAT], "repeat another"),
        (total[claims.UNREACHABLE], "are beyond a simulator"),
        (total[claims.ANY], "would hold with any scheme"),
    )
    judged = enumerated(
        (total[claims.HOLDS], "hold"),
        (total[claims.REFUTED], "are refuted by the paper's own text or formula"),
        (total[claims.EXPLAINED], "are missed and explained"),
        (total[claims.SENSITIVE], "are sensitive to a setting that is not printed"),
        (total[claims.OPEN] - unknown, "are open"),
        (unknown, "have no kept value"),
    )
    made = enumerated(
        (states[verdicts.REPRODUCED], "are reproduced"),
        (states[verdicts.IN_PART], "in part"),
        (states[verdicts.NOT_REPRODUCED], "not reproduced"),
        (states[verdicts.NOT_JUDGED], "not judged"),
        (states[verdicts.NOT_RUN], "without kept results"),
    )
    words = (
        f"The five papers make {total.total()} statements, of which {apart}. Of the other "
        f"{sum(total[outcome] for outcome in claims.JUDGED)}, {judged}. "
        f"Of {states.total() - states[verdicts.BESIDE]} figures and tables, with HPCC's and headroom's, {made}."
    )
    return wrapped(words)


def in_short(found: Mapping[str, float]) -> str:
    """Return the sentence for README.md."""
    count = headlines.count(found)
    judged = enumerated(
        (count[headlines.HOLDS], "hold"),
        (count[headlines.UNDER], "hold only with a setting that the paper does not print"),
        (count[headlines.MISSED], "are not obtained"),
    )
    return wrapped(
        "For each scheme, [What can be trusted](doc/trust.rst) lists what its mechanism was checked against and what to use it for. "
        f"Of {count.total()} headline results of five papers, {judged}.",
        width=138,
    )


def trust_page(text: str, rows: Iterable[Mapping[str, str]]) -> str:
    """Return the page of trust with its headlines and counts."""
    rows = [*rows]
    found = kept.values(rows)
    header = ("scheme", "where", "headline", "paper", "here", "outcome")
    words = "\n".join(
        (
            summary(found),
            wrapped(f"All {len(rows)} stored values come from programs built at a commit; --keep accepts no others."),
            wrapped(mutants.in_short()),
        )
    )
    text = between(text, ".. kept headlines\n", ".. end of headlines\n", f"\n{list_table(header, headlines.cells(found))}\n")
    return between(text, ".. kept counts\n", ".. end of counts\n", f"\n{words}\n")


def enumerated(*parts: tuple[int, str]) -> str:
    """Return the number of each kind, without kinds that do not occur."""
    *first, last = (f"{number} {what}" for number, what in parts if number)
    return f"{', '.join(first)}, and {last}" if first else last


def wrapped(words: str, width: int = 118) -> str:
    lines = [""]
    for word in words.split():
        if len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return "\n".join(lines) + "\n"


ROW = re.compile(r"^(   \* - [A-Z].+\n     - (``.+``)\n     - )(.+)$", re.MULTILINE)


def with_states(text: str, found: Mapping[str, float]) -> str:
    """Return the page of figures with their states."""
    return ROW.sub(lambda row: row[1] + verdicts.states_of(re.findall(r"``([^`]+)``", row[2]), found), text)


def with_comparisons() -> dict[Path, str]:
    """Return the pages of comparisons with their kept tables."""
    pages = {page: page.read_text(encoding="utf-8") for page in {studies.page(name) for name in studies.names()}}
    for name, (header, rows) in studies.tables().items():
        for page, text in pages.items():
            if f".. kept {name}\n" in text:
                pages[page] = between(text, f".. kept {name}\n", f".. end of {name}\n", f"\n{list_table(header, rows)}\n")
    return pages


HEAD = """\
.. This page is written by scripts/doc.

Claims and Settings
===================

This page is for readers who want to know what each paper states, what was measured, and with which settings; :doc:`trust`
has what matters of it. A claim has one reading that decides, chosen by the paper's text; other readings are shown with it
and counted nowhere. It was chosen before the run, except for OFC Figs. 4 to 7 and 9 (window of time, baselines), FAFC Figs.
6 to 9, what FAFC Table IV and PABO Figs. 13 and 14 measure (there, replies that never come), and bands
(``capfc-tab3-25``, ``pabo-fig5-3``, ``pabo-tab2-11``, ``fafc-tab3-11``; ``pabo-fig6-12`` and ``pabo-fig11-2`` to ``-4``,
where single frames had decided), which were brought into line with the text when results under another reading were known.
Of DSH Fig. 5 and FAFC Table III the results of both readings were known, of OFC's q_in one of Table I's, and of PABO's way back
some (the notebooks have them); of CaPFC's fast retransmissions those of two of six scenarios were known. Outcomes:

* *holds*;
* *refuted*: the paper's own text or formula contradicts it, in every reading of the print;
* *missed, explained*: a test moved the cause alone, and the print supports it;
* *missed, sensitive to a setting*: a setting that is not printed moves it;
* *missed, open*, also if it was not measured.

Not judged is what *holds with any scheme*, a *setting or formula*, what *repeats another* statement and what is *not reachable
here*. A figure is reproduced if all that is judged of it holds. Values are those of ``doc/results/claims.csv``, at the quick
size unless another is shown, and settings those of the same size.
"""


def claims_page(rows: Iterable[Mapping[str, str]]) -> str:
    rows = [*rows]
    found, sizes = kept.values(rows), {row["claim"]: row["size"] for row in rows}
    outcomes = claims.judge(claims.all_facts(), found)
    parts = [HEAD, list_table(("paper", *claims.OUTCOMES, "all"), count_rows(verdicts.counts(outcomes)))]
    for paper, (name, reference) in figures.PAPERS.items():
        title = f"{name}: {reference}"
        parts.append(f"{title}\n{'-' * len(title)}\n")
        for figure in figures.of_paper(paper):
            parts += figure_part(figure, found, sizes, outcomes)
        owned = {fact["id"] for figure in figures.of_paper(paper) for fact in claims.facts(figure)}
        facts = [fact for fact in claims.all_facts() if verdicts.paper_of(fact["id"]) == paper]
        constants = [fact for fact in facts if is_constant(fact, outcomes)]
        rest = [fact for fact in facts if fact["id"] not in owned and fact not in constants]
        if rest:
            parts += ["**Elsewhere in the paper**\n", claim_table(rest, found, sizes, outcomes)]
        if constants:
            parts += ["**Constants, formulas and settings**\n", constant_table(constants, found)]
    return "\n".join(parts)


def count_rows(found: Mapping[str, Counter]) -> list[tuple[str, ...]]:
    rows = [(figures.PAPERS[paper][0], *(str(count[outcome]) for outcome in claims.OUTCOMES), str(count.total())) for paper, count in found.items()]
    total = sum(found.values(), Counter())
    return [*rows, ("all", *(str(total[outcome]) for outcome in claims.OUTCOMES), str(total.total()))]


def is_constant(fact: Mapping[str, str], outcomes: Mapping[str, str]) -> bool:
    return fact["reading"] == "primary" and outcomes[fact["statement"]] == claims.SETTING


def size_of(name: str, sizes: Mapping[str, str]) -> str:
    """Return the size of a figure's kept values, or its usual size if there are none."""
    kept = {sizes[fact["id"]] for fact in claims.facts(name) if fact["id"] in sizes}
    return next((size for size in reversed(figures.sizes(name)) if size in kept), figures.usual_size(name))


def figure_part(name: str, found: Mapping[str, float], sizes: Mapping[str, str], outcomes: Mapping[str, str]) -> list[str]:
    title = figures.load(name).TITLE
    size = size_of(name, sizes)
    state = verdicts.state_of(name, found)
    facts = [fact for fact in claims.facts(name) if not is_constant(fact, outcomes)]
    return [
        f".. _claims-{name}:\n",
        f"{title}\n{'^' * len(title)}\n",
        f"``scripts/reproduce {name}{figures.option_of(size)}``: {state if state == verdicts.BESIDE else verdicts.states_of([name], found)}.\n",
        *([claim_table(facts, found, sizes, outcomes)] if facts else []),
        list_table(("parameter", "value", "source"), settings.rows(name, size)),
    ]


def constant_table(facts: Iterable[Mapping[str, str]], found: Mapping[str, float]) -> str:
    rows = []
    for fact in facts:
        row = claims.describe(fact, found.get(fact["id"]), {})
        rows.append((fact["id"], f"{row['what']}. {row['basis']}", fact["paper"], row["we measured"]))
    return list_table(("constant", "what it is", "paper", "here"), rows)


def claim_table(facts: Iterable[Mapping[str, str]], found: Mapping[str, float], sizes: Mapping[str, str], outcomes: Mapping[str, str]) -> str:
    rows = []
    for fact in facts:
        row = claims.describe(fact, found.get(fact["id"]), outcomes)
        beside = "other reading: " + ("within" if row["within"] == "yes" else "outside")
        measured = row["we measured"] + (f" ({size})" if (size := sizes.get(fact["id"], "quick")) != "quick" else "")
        what = f"{row['what']}. {row['basis']}"
        rows.append((fact["id"], what, fact["paper"], measured, row["band"], row["outcome"] or beside))
    return list_table(("claim", "what it says", "paper", "measured", "band", "outcome"), rows)


def list_table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a reStructuredText table."""
    lines = [".. list-table::", "   :header-rows: 1", ""]
    for row in (header, *rows):
        for number, cell in enumerate(row):
            lines.append(f"   {'*' if number == 0 else ' '} - {escaped(cell)}".rstrip())
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """Escape text for reStructuredText, except names of tests, which are literals."""
    if text.startswith(claims.ASSERTED):
        return f"{claims.ASSERTED}``{text.removeprefix(claims.ASSERTED)}``"
    return re.sub(r"([\\`*|_])", r"\\\1", text)
