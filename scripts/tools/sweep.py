# SPDX-License-Identifier: GPL-2.0-only
"""The runs of a sweep: options with several values, all combinations of them, and the table of their results."""

from __future__ import annotations

import hashlib
import itertools
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from figures import Job
from tools.common import Failure

if TYPE_CHECKING:
    from lossless_results import Results

# Longest name of a run, which is that of a folder and of a log.
NAME_LENGTH = 150
# Members of run.json, and of its verdict, that are columns of the table.
VERDICT = ("outcome", "deadlock", "flows", "unfinished_flows", "lost_frames")
MEMBERS = (
    "simulated_ns",
    "packet_hops",
    "pauses",
    "max_pause_depth",
    "paused_hosts",
    "victim_flows",
    "retransmitted_packets",
)


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
        raise Failure(f"{word!r} is no option of the program; write --name=value or --name=value,value")
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


def write_table(jobs: Sequence[Job], folder: Path) -> Path:
    """sweep.csv: a row for each run, with its options and what came of it."""
    import lossless_results  # now, since packages that it needs may have been missing until now
    import pandas

    rows = []
    for job in jobs:
        place = Path("runs") / job.name
        try:
            found = summarize(lossless_results.load(folder / place))
        except (FileNotFoundError, KeyError, ValueError) as error:
            raise Failure(f"the results of {folder / place} cannot be joined: {error}") from None
        options = {f"{name} (option)" if name in found else name: value for name, value in job.options.items()}
        rows.append({**options, **found, "folder": place.as_posix()})
    path = folder / "sweep.csv"
    part = folder / ".sweep.csv.part"
    pandas.DataFrame(rows).to_csv(part, index=False, float_format="%.6g")
    os.replace(part, path)
    return path


def summarize(run: Results) -> dict[str, object]:
    """The numbers of one run; times and slowdowns are those of the flows that have arrived."""
    verdict, flows = run.info["verdict"], run.flows
    times, slowdowns = flows.fct_ns.dropna(), flows.slowdown.dropna()
    return {
        **{name: verdict[name] for name in VERDICT},
        **{name: run.info[name] for name in MEMBERS},
        "paused_ns": int(run.pauses.paused_ns.sum()),
        "mean_fct_ns": times.mean(),
        "median_fct_ns": times.median(),
        "p99_fct_ns": times.quantile(0.99),
        "mean_slowdown": slowdowns.mean(),
        "p99_slowdown": slowdowns.quantile(0.99),
    }
