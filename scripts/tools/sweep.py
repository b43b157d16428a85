# SPDX-License-Identifier: GPL-2.0-only
"""The runs of a sweep: options with several values, all of their combinations, and the table of the results."""

from __future__ import annotations

import json
import math
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial
from pathlib import Path

from figures import Job
from lossless.grid import FAILURES, SWEEP_TABLE, combine, failure_row
from lossless.system import replaced, write_rows
from lossless.values import CONFIGURATION, has_no_classes, meaning
from tools.common import Failure

CLASSES = "lossless-classes"
# Of a sweep, whose options are all in memory.
MOST_RUNS = 1_000_000
# Options that a sweep does not accept after the --, with the reasons.
OWN_OPTIONS = {
    "output": "each run has a folder of its own",
    "strict": "sweep.csv has the outcome of each run, and a run that --strict fails would leave no results",
}
# Options that name a file, and those that distinguish the files of several runs.
FILES = {"json": "json", "write-cm": "write-cm", "fct-file": "fct-file", "junit": "junit", "pcap": "pcap-prefix"}


def make_jobs(program: str, words: Sequence[str]) -> list[Job]:
    """Return a run for each combination of values, in each configuration if there are any. The last option changes
    first.
    """
    configurations = read_configurations(words)
    runs = sum(math.prod(map(len, options.values())) for options in configurations.values())
    if runs > MOST_RUNS:
        raise Failure(f"these are {runs} runs; a sweep may have {MOST_RUNS}")
    columns = dict.fromkeys(name for options in configurations.values() for name in options)
    schemes = {scheme for options in configurations.values() for scheme in options.get("scheme", [""])}
    jobs = []
    for configuration, options in configurations.items():
        varied = [name for name, values in options.items() if len(values) > 1]
        for name, different in FILES.items():
            if runs > 1 and name in options and different not in varied:
                raise Failure(f"all {runs} runs would write the same file; leave out --{name} behind the --")
        for run, chosen in combine(configuration, options, lambda name, value: f"{name}-{value}"):
            labels = chosen
            if configuration:
                labels = {CONFIGURATION: configuration, **dict.fromkeys(columns, ""), **chosen}
            if CLASSES in chosen and has_no_classes(schemes, chosen.get("scheme", "")):
                chosen = {name: value for name, value in chosen.items() if name != CLASSES}
            jobs.append(Job(run, program, chosen, None if labels is chosen else labels))
    return jobs


def read_configurations(words: Sequence[str]) -> dict[str, dict[str, list[str]]]:
    """Return the options of each configuration, which begins with its name and a colon. Options before the first
    configuration apply to all.

    Without configurations, there is a single one without a name.
    """
    found: dict[str, dict[str, list[str]]] = {"": {}}
    for word in words:
        if named := re.fullmatch(r"(\w[\w.+-]*):", word):
            if named[1] in found:
                raise Failure(f"the configuration {word} is there twice")
            found[named[1]] = {}
            continue
        name, values = read_option(word)
        if name in (options := [*found.values()][-1]):
            raise Failure(f"--{name} is there twice; give its values as --{name}=A,B")
        options[name] = values
    common = found.pop("")
    return {name: common | own for name, own in found.items()} or {"": common}


def read_option(word: str) -> tuple[str, list[str]]:
    """Parse --name=1,2, --name=1..5 or --name=0.1..0.9:0.2. A comma after a backslash belongs to its value."""
    found = re.fullmatch(r"--([^=\s]+)=(.*)", word, re.DOTALL)
    if not found:
        raise Failure(f"{word!r} is not an option of the program; write --name=value or --name=value,value; a configuration is name:")
    name, text = found.groups()
    if name in OWN_OPTIONS:
        raise Failure(f"{OWN_OPTIONS[name]}; leave out --{name} behind the --")
    parts = [part.replace("\\,", ",") for part in re.split(r"(?<!\\),", text)]
    values = [value for part in parts for value in expand(part)]
    if len(values) > 1 and "" in values:
        raise Failure(f"--{name}={text} has an empty value among others")
    if len(values) != len({meaning(value) for value in values}):
        raise Failure(f"--{name}={text} has a value twice")
    return name, values


def expand(text: str) -> list[str]:
    """Expand a range: 1..3 becomes 1, 2 and 3; 0.1..0.9:0.4 becomes 0.1, 0.5 and 0.9; any other string is unchanged."""
    number = r"(\d{1,20}(?:\.\d{1,20})?)"
    found = re.fullmatch(rf"{number}\.\.{number}(?::{number})?", text)
    if not found:
        if ends := re.fullmatch(r"(\d{1,20})(?:-|\.{3,})(\d{1,20})", text):
            raise Failure(f"{text} is no range; write {ends[1]}..{ends[2]}")
        return [text]
    first, last, step = (Decimal(part or "1") for part in found.groups())
    if found[3] is None and "." in found[1] + found[2]:
        raise Failure(f"{text} has no step; write it behind a colon, as 0.1..0.9:0.2")
    if first > last:
        raise Failure(f"{text} is empty; write the smaller number first")
    if not step:
        raise Failure(f"{text} has no end; its step must be above 0")
    if (count := (last - first) // step + 1) > MOST_RUNS:
        raise Failure(f"{text} are {count} values; a sweep may have {MOST_RUNS} runs")
    return [f"{first + place * step:f}" for place in range(int(count))]


def with_earlier_names(jobs: Sequence[Job], folder: Path) -> list[Job]:
    """Return the runs with the names from the earlier sweep in the folder, in which other options may have had several
    values.
    """
    earlier = {identity(job): job.name for job in read_jobs(folder)}
    own = {job.name for job in jobs}
    names = (earlier.get(identity(job), job.name) for job in jobs)
    return [job if name in own else replace(job, name=name) for job, name in zip(jobs, names)]


def identity(job: Job) -> tuple[str, frozenset[tuple[str, str]]]:
    """Return what identifies a run, regardless of its name."""
    return job.program, frozenset(job.options.items())


def read_jobs(folder: Path) -> list[Job]:
    """Return the runs of an earlier sweep in the folder."""
    try:
        return [Job(**job) for job in json.loads((folder / "sweep.json").read_text(encoding="utf-8"))]
    except (OSError, TypeError, ValueError):  # there is none, or it belongs to another version
        return []


def list_new(jobs: Sequence[Job], folder: Path) -> list[Job]:
    """Return the runs without results in the folder of an earlier sweep."""
    earlier = read_jobs(folder)
    return [job for job in jobs if job not in earlier or not has_results(folder / "runs" / job.name)]


def has_results(run: Path) -> bool:
    """Return whether the results of a run can be read."""
    from lossless.results import load  # imported here, because packages may have been installed only now

    try:
        load(run)
    except (OSError, ValueError):
        return False
    return True


def remove_damaged(jobs: Sequence[Job], folder: Path) -> None:
    """Remove runs whose results are damaged, so that they are run again."""
    for run in (folder / "runs" / job.name for job in jobs):
        if run.is_dir() and not has_results(run):
            shutil.rmtree(run)


def find_refused(jobs: Sequence[Job], programs: Path, ranks: int, processes: int) -> dict[str, str]:
    """Return the reasons why the program would refuse runs, by run name."""
    from lossless.checks import Check  # as above
    from lossless.programs import Error

    check = Check(ranks)
    asks = {job.name: partial(check.ask, [str(programs / job.program), *job.arguments()]) for job in jobs}
    try:
        refused = check.find_refused(programs / jobs[0].program, asks, processes) if jobs else {}
    except Error as error:  # it cannot be started
        raise Failure(str(error)) from None
    return {name: str(error) for name, error in refused.items()}


def describe(failures: Mapping[str, str]) -> Iterator[str]:
    """Return a line for each sentence, with the runs to which it applies."""
    names: dict[str, list[str]] = {}
    for name, sentence in failures.items():
        names.setdefault(sentence, []).append(name)
    for sentence, some in names.items():
        yield f"{', '.join(some)}: {sentence}"


def write_failures(jobs: Sequence[Job], refused: Mapping[str, str], failed: Mapping[str, str], folder: Path) -> Path:
    """Write failures.csv, which contains a row for each run without results, with its options and the reason."""
    rows = [
        failure_row(job.columns(), job.name, job.name in refused, sentence)
        for job in jobs
        if (sentence := refused.get(job.name) or failed.get(job.name))
    ]
    write_rows(folder / FAILURES, rows[0], rows)
    return folder / FAILURES


def read_rows(jobs: Sequence[Job], folder: Path) -> tuple[list[dict[str, object]], dict[str, str], list[list[str]]]:
    """Return a row for each run with its options and outcome; the reasons why runs have no results, by run name; and
    the problems and hints of each run.
    """
    from lossless.notes import sentences  # as above
    from lossless.results import load, make_row

    rows, failed, told = [], {}, []
    for job in jobs:
        place = Path("runs") / job.name
        try:
            results = load(folder / place)
            rows.append(make_row(job.columns(), results, place.as_posix()))
            told.append(sentences(results.info))
        except (AttributeError, FileNotFoundError, KeyError, TypeError, ValueError) as error:
            failed[job.name] = f"its results cannot be joined: {error}; remove {folder / place} to repeat it"
    return rows, failed, told


def write_table(rows: Sequence[Mapping[str, object]], folder: Path) -> Path:
    """Write sweep.csv."""
    import pandas  # as above

    with replaced(folder / SWEEP_TABLE) as table:
        pandas.DataFrame(rows).to_csv(table, index=False, float_format="%.6g")
    return folder / SWEEP_TABLE
