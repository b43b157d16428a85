# SPDX-License-Identifier: GPL-2.0-only
"""The runs of a sweep: options with several values, all combinations of them, and the table of their results."""

from __future__ import annotations

import csv
import hashlib
import itertools
import json
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from figures import Job
from tools.common import Failure, end_children, replaced, run_child

# In the folder of a sweep: what came of its runs, and why others have no results.
TABLE = "sweep.csv"
FAILURES = "failures.csv"
# In a program of this module: the name of its library, alone or in an ns-3 tree.
LINKED = re.compile(rb"lib(ns3[\w.-]*-)?lossless")
# For a program that is asked something.
PIPES = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
# Longest name of a run, which is that of a folder and of a log.
NAME_LENGTH = 150


def make_jobs(program: str, words: Sequence[str]) -> list[Job]:
    """A run for each combination of values; the last option changes first."""
    options: dict[str, list[str]] = {}
    for word in words:
        name, values = read_option(word)
        if name in options:
            raise Failure(f"--{name} is there twice; give its values as --{name}=A,B")
        options[name] = values
    varied = [name for name, values in options.items() if len(values) > 1]
    jobs = []
    for values in itertools.product(*options.values()):
        chosen = dict(zip(options, values))
        jobs.append(Job(run_name([(name, chosen[name]) for name in varied]), program, chosen))
    return jobs


def read_option(word: str) -> tuple[str, list[str]]:
    """--name=1,2 or --name=1..5; a comma behind a backslash belongs to its value."""
    found = re.fullmatch(r"--([^=\s]+)=(.*)", word, re.DOTALL)
    if not found:
        raise Failure(f"{word!r} is not an option of the program; write --name=value or --name=value,value")
    name, text = found.groups()
    if name == "output":
        raise Failure("each run has a folder of its own; leave out --output behind the --")
    parts = [part.replace("\\,", ",") for part in re.split(r"(?<!\\),", text)]
    values = [value for part in parts for value in expand(part)]
    if len(values) > 1 and "" in values:
        raise Failure(f"--{name}={text} has an empty value among others")
    if len(values) != len(set(values)):
        raise Failure(f"--{name}={text} has a value twice")
    return name, values


def expand(text: str) -> list[str]:
    """1..3 is 1, 2 and 3; any other text is itself."""
    found = re.fullmatch(r"(\d+)\.\.(\d+)", text)
    if not found:
        return [text]
    first, last = map(int, found.groups())
    if first > last:
        raise Failure(f"{text} is empty; write the smaller number first")
    return [str(number) for number in range(first, last + 1)]


def run_name(options: Sequence[tuple[str, str]]) -> str:
    """The values that differ, as far as they fit into the name of a folder; then a sum tells runs apart."""
    whole = "-".join(f"{name}-{value}" for name, value in options) or "run"
    name = re.sub(r"[^A-Za-z0-9.+-]", "_", whole)
    if name == whole and len(name) <= NAME_LENGTH:
        return name
    return f"{name[:NAME_LENGTH - 13]}-{hashlib.sha256(whole.encode()).hexdigest()[:12]}"


class Check:
    """What a program says about its options before anything is simulated: --dry-run answers that they are valid, and
    --ranks-plan shows how the network would be shared out to ranks, or they refuse the options. Programs that do not
    offer this, or are not of this module, are not asked.
    """

    SECONDS = 30  # after which a program has not been asked: it simulates, or its network is huge

    def __init__(self, programs: Path, ranks: int) -> None:
        self.programs = programs
        self.option, self.argument, self.answer = (
            ("--ranks-plan", f"--ranks-plan={ranks}", b"rank 0:")
            if ranks > 1
            else ("--dry-run", "--dry-run", b"All options are valid")
        )

    def find_refused(self, jobs: Sequence[Job], processes: int) -> dict[str, str]:
        """Why runs would be refused, by their names."""
        if not jobs or not self.is_offered(self.programs / jobs[0].program):
            return {}
        first, others = jobs[0], jobs[1:]
        found = {first.name: self.ask(first)}
        if found[first.name] is None:
            return {}
        with ThreadPoolExecutor(processes) as pool:
            try:
                found |= zip((job.name for job in others), pool.map(self.ask, others))
            except BaseException:  # an interruption: ask no more of them
                pool.shutdown(wait=False, cancel_futures=True)
                end_children()
                raise
        return {name: sentence for name, sentence in found.items() if sentence}

    def is_offered(self, program: Path) -> bool:
        if not LINKED.search(program.read_bytes()):
            return False  # whatever it is, it may take an option that it does not know for nothing and simulate
        asked = run_child([program, "--PrintHelp"], **PIPES)
        return f"{self.option}:".encode() in asked.stdout

    def ask(self, job: Job) -> str | None:
        """Why a program refuses its options; an empty sentence if it does not, None if it has not told."""
        command = [self.programs / job.program, *job.arguments(), self.argument]
        try:
            asked = run_child(command, timeout=self.SECONDS, **PIPES)
        except subprocess.TimeoutExpired:
            return None
        said = asked.stderr.decode("utf-8", "replace").strip()
        if asked.returncode == 0:
            return "" if asked.stdout.startswith(self.answer) else None
        return said.splitlines()[-1] if asked.returncode == 1 and said and self.option not in said else None


def list_new(jobs: Sequence[Job], folder: Path) -> list[Job]:
    """The runs of which the folder of an earlier sweep has no results."""
    try:
        earlier = [Job(**job) for job in json.loads((folder / "sweep.json").read_text(encoding="utf-8"))]
    except (FileNotFoundError, TypeError, ValueError):  # there was none, or of another version
        earlier = []
    return [job for job in jobs if job not in earlier or not (folder / "runs" / job.name / "run.json").is_file()]


def describe(failures: Mapping[str, str]) -> Iterator[str]:
    """A line for each sentence, with the runs that it is about."""
    names: dict[str, list[str]] = {}
    for name, sentence in failures.items():
        names.setdefault(sentence, []).append(name)
    for sentence, some in names.items():
        yield f"{', '.join(some)}: {sentence}"


def remove_tables(folder: Path) -> None:
    """Remove what has been made of the runs of an earlier sweep, since they may change now."""
    for name in (TABLE, FAILURES, "report.html"):
        (folder / name).unlink(missing_ok=True)


def write_failures(jobs: Sequence[Job], refused: Mapping[str, str], failed: Mapping[str, str], folder: Path) -> Path:
    """failures.csv: a row for each run that has no results, with its options and why."""
    rows = [
        {**job.options, "run": job.name, "kind": "refused" if job.name in refused else "failed", "why": sentence}
        for job in jobs
        if (sentence := refused.get(job.name) or failed.get(job.name))
    ]
    with replaced(folder / FAILURES) as table:
        writer = csv.DictWriter(table, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return folder / FAILURES


def write_table(jobs: Sequence[Job], folder: Path) -> Path:
    """sweep.csv: a row for each run, with its options and what came of it."""
    import pandas  # now, since packages may have been missing until now
    from lossless.results import load, make_row

    rows = []
    for job in jobs:
        place = Path("runs") / job.name
        try:
            rows.append(make_row(job.options, load(folder / place), place.as_posix()))
        except (FileNotFoundError, KeyError, ValueError) as error:
            raise Failure(f"the results of {folder / place} cannot be joined: {error}") from None
    with replaced(folder / TABLE) as table:
        pandas.DataFrame(rows).to_csv(table, index=False, float_format="%.6g")
    return folder / TABLE
