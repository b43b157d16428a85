# SPDX-License-Identifier: GPL-2.0-only
"""Runs the Snakemake workflow of a figure or a sweep, and reports progress, interruption and failure in one sentence
each.

Snakemake decides what is to be simulated, also after an interruption or with another program. This module adds an
estimate of the remaining time, the end of the simulations if only this process receives a signal, a lock that does not
survive a crash, and the relevant sentence of Snakemake's output after a failure.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import figures
from lossless.system import replaced, usable_cpus
from tools import packages
from tools.arguments import positive
from tools.common import (
    ROOT,
    Failure,
    cache_home,
    end_processes,
    exclusive,
    in_session,
    undisturbed,
)

SCRIPTS = ROOT / "scripts"
# The folder of the programs in the folder of results.
PROGRAMS = ".programs"
# For Snakemake's messages about a job, which have several lines.
OF_A_JOB = re.MULTILINE | re.DOTALL
# By path, because another Python earlier in the PATH may have its own snakemake.
SNAKEMAKE = "/usr/bin/snakemake"
# Open MPI refuses to run as root, for example in a container, unless both are set.
MPIRUN_AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


# For the command of a profile that cancels jobs.
CANCEL_SECONDS = 30


@dataclass(frozen=True)
class Executor:
    """Where simulations run: on this machine, or where a profile of Snakemake sends them."""

    jobs: int | None = None  # at a time; if None, one per processor, or according to the profile
    ranks: int = 1  # number of processes per simulation
    profile: Path | None = None  # folder of the profile

    def options(self) -> dict[str, object]:
        """Return the options for Snakemake's command line."""
        if self.profile is None:
            return {"cores": self.jobs or usable_cpus()}
        return {"profile": self.profile} | ({"jobs": self.jobs} if self.jobs else {})


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose an Executor."""
    parser.add_argument(
        "--jobs",
        type=positive,
        metavar="N",
        help=f"processors to use (default: all, here {usable_cpus()}); with --profile, jobs at a time",
    )
    parser.add_argument(
        "--ranks",
        type=positive,
        default=1,
        metavar="N",
        help="simulate each network on N processes, by mpirun (default: 1)",
    )
    parser.add_argument(
        "--profile",
        type=profile_name,
        metavar="DIR",
        help="run the simulations by this Snakemake profile, for example on a cluster",
    )


def profile_name(name: str) -> Path:
    """Validate an option value that names a folder with a profile."""
    if not (Path(name) / "config.yaml").is_file():
        raise argparse.ArgumentTypeError(f"{name} is not a Snakemake profile: it has no config.yaml")
    return Path(name).resolve()


def packages_of(arguments: argparse.Namespace) -> dict[str, str]:
    """Return the packages that are required to run, according to the options of add_options()."""
    return packages.FIGURES | (packages.MPI if arguments.ranks > 1 else {})


def allow_root() -> None:
    """Allow root to use mpirun from now on."""
    if os.geteuid() == 0:
        for name, value in MPIRUN_AS_ROOT.items():
            os.environ.setdefault(name, value)


def on_ranks(ranks: int) -> list[str]:
    """Return the words in front of a command that runs it as several processes."""
    return ["mpirun", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []


def choose_executor(arguments: argparse.Namespace) -> Executor:
    """Return the Executor selected by the options of add_options()."""
    if arguments.ranks > 1:
        allow_root()
    return Executor(arguments.jobs, arguments.ranks, arguments.profile)


def run(
    figure: str, size: str, folder: Path, runs: Path, programs: Path, executor: Executor, lock: TextIO
) -> None:
    """Update the figure's results in the folder, and its simulations in runs/ of the other folder, which the caller has
    locked.
    """
    config = {
        "figure": figure,
        "size": size,
        "destination": os.path.relpath(folder, runs),
        **of_programs(programs, figures.load(figure).jobs(size)),
    }
    run_snakemake("Snakefile", config, runs, folder / "workflow.log", executor, lock)


@dataclass(frozen=True)
class Patience:
    """How a sweep handles runs that fail or take too long."""

    keep_going: bool = False  # true to continue with the other runs
    seconds: float | None = None  # the real time after which a run is ended


def run_sweep(
    sweep: Sequence[figures.Job], folder: Path, programs: Path, executor: Executor, patience: Patience, lock: TextIO
) -> dict[str, str]:
    """Update the runs of a sweep in runs/ of the folder, which the caller has locked.

    Programs start in the current folder, so that file names are relative to it. Returns the reasons why runs have
    failed, by run name. Without keep_going, the first failure is raised as a Failure instead.
    """
    listed = folder / "sweep.json"
    with replaced(listed) as file:
        file.write(json.dumps([dataclasses.asdict(job) for job in sweep], indent=1) + "\n")
    config = {
        "sweep": listed.name,
        "start": str(Path.cwd()),
        "seconds": patience.seconds or 0,
        **of_programs(programs, sweep),
    }
    log = folder / "workflow.log"
    try:
        run_snakemake("Sweep", config, folder, log, executor, lock, ["--keep-going"] * patience.keep_going)
    except Failure:
        failed = find_failures(sweep, folder, log)
        if not patience.keep_going or not failed or is_full(folder):
            raise
        return failed
    finally:
        remove_partial(folder / "runs")
    return {}


def find_failures(sweep: Sequence[figures.Job], folder: Path, log: Path) -> dict[str, str]:
    """Return the last output of failed runs, by run name, in the order of the sweep."""
    failed = set(re.findall(r"^Error in rule run:$.*?^    log: runs/(\S+)\.log ", log.read_text(encoding="utf-8"), OF_A_JOB))
    return {job.name: last_words(folder / "runs" / f"{job.name}.log") for job in sweep if job.name in failed}


def remove_partial(runs: Path) -> None:
    """Remove partial results of killed programs, which are next to the folders that they were to become."""
    for path in [*runs.glob("*.partial-*")]:
        if re.search(r"\.partial-\d+$", path.name):
            shutil.rmtree(path, ignore_errors=True)


def run_snakemake(
    snakefile: str,
    config: Mapping[str, object],
    directory: Path,
    log: Path,
    executor: Executor,
    lock: TextIO,
    words: Sequence[str] = (),
) -> None:
    """Execute one of the module's Snakefiles. Raises a Failure with the reason if this is not possible."""
    options = {
        "snakefile": SCRIPTS / "workflow" / snakefile,
        "directory": directory,
        "scheduler": "greedy",
    }
    options |= executor.options()
    settings = log.with_suffix(".json")  # on a command line, some folder names would be interpreted as YAML
    settings.write_text(json.dumps({**config, "ranks": executor.ranks}), encoding="utf-8")
    options["configfile"] = settings
    command = [SNAKEMAKE, "--rerun-incomplete", "--nolock", *words]
    command += [f"--{name}={value}" for name, value in options.items()]
    try:
        status = follow(command, log, lock, executor.profile is not None)
    except BaseException:
        remove_unfinished(directory, log)
        raise
    if status != 0:
        raise Failure(explain(directory, log))


def write_record(figure: str, size: str, folder: Path, commit: str | None) -> None:
    """Write a record of how a figure was created: the command, the commit, and the command lines of its simulations."""
    record = {
        "command": f"scripts/reproduce {figure}" + figures.option_of(size),
        "commit": commit,
        "simulations": [" ".join([job.program, *job.arguments()]) for job in figures.load(figure).jobs(size)],
    }
    with replaced(figures.record_file(folder, figure)) as file:
        file.write(json.dumps(record, indent=1) + "\n")


@contextlib.contextmanager
def frozen(build: Path, jobs: Iterable[figures.Job], folder: Path) -> Iterator[Path]:
    """Copy the jobs' programs from a build to the folder, so that no later build changes what runs.

    Yields the folder of the programs. Its position relative to the folder of their library is the same as in the build.
    """
    copy = folder / PROGRAMS
    shutil.rmtree(copy, ignore_errors=True)
    try:
        with exclusive(build, "the build"):
            shutil.copytree(build / "lib", copy / "lib", symlinks=True)
            (copy / "bin").mkdir()
            for program in {job.program for job in jobs}:
                shutil.copy2(build / "bin" / program, copy / "bin")
        yield copy / "bin"
    finally:
        shutil.rmtree(copy, ignore_errors=True)


def commit_of(programs: Path) -> str | None:
    """Return the commit from which the programs were built, which the build stores next to their library."""
    note = programs.parent / "lib" / "lossless" / "commit.txt"
    return note.read_text(encoding="utf-8").strip() or None if note.is_file() else None


def of_programs(programs: Path, jobs: Iterable[figures.Job]) -> dict[str, object]:
    """Return the data about the jobs' programs for a Snakefile."""
    names = {job.program for job in jobs}
    versions = {name: version(programs / name) for name in sorted(names)}
    return {"scripts": str(SCRIPTS), "programs": str(programs), "versions": versions}


def version(program: Path) -> str:
    """Return a version that changes with the program or with a library of the module or of ns-3, but, unlike file
    times, not with each build.
    """
    beside = program.parents[1] / "lib" / "liblossless.so"
    files = {program, *find_libraries(program), *[beside.resolve()] * beside.is_file()}
    content = hashlib.sha256()
    for file in sorted(files):
        content.update(file.read_bytes())
    return f"sha256-{content.hexdigest()}"


def find_libraries(program: Path) -> list[Path]:
    """Return the libraries of the module and of ns-3 with which a program is linked; none for a script."""
    listed = subprocess.run(["ldd", program], check=False, capture_output=True, text=True, errors="replace").stdout
    return [Path(found).resolve() for found in re.findall(r"=> (/.*/lib(?:lossless|ns3)[^/]*) \(0x", listed)]


def follow(command: list[str], log: Path, lock: TextIO, elsewhere: bool) -> int:
    """Run Snakemake with its output in the log and its progress on the screen, and end it if this process is ended.

    If simulations run elsewhere, for example on a cluster, only Snakemake can cancel them, and it gets the time to do
    so. It has a separate session with its simulations, because a signal may have been sent to this process alone. It
    inherits the lock, so that it still locks the folder if this process is killed.
    """
    start = time.monotonic()
    with open(log, "w", encoding="utf-8") as sink, subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        pass_fds=[lock.fileno()],
        start_new_session=True,
        env=os.environ | {"XDG_CACHE_HOME": str(choose_cache(log.parent / ".snakemake"))},
    ) as process:
        try:
            for line in process.stdout:
                sink.write(line)
                if (found := re.match(r"(\d+) of (\d+) steps", line)) and found[1] != found[2]:
                    # The last step is rule all
                    show_progress(int(found[1]), int(found[2]) - 1, time.monotonic() - start)
        except BaseException:
            with undisturbed():
                if elsewhere:
                    process.send_signal(signal.SIGINT)
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        process.wait(CANCEL_SECONDS)
                process.kill()  # first, or it would start other simulations in place of those that end
                end_processes(lambda: in_session(process.pid))
                sink.writelines(process.stdout)
            raise
    return process.returncode


def choose_cache(other: Path) -> Path:
    """Return the folder of Snakemake's mandatory cache, which is not the usual one if that cannot be written."""
    usual = cache_home().parent
    with contextlib.suppress(OSError):
        usual.mkdir(parents=True, exist_ok=True)
    return usual if os.access(usual, os.W_OK) else other


def remove_unfinished(directory: Path, log: Path) -> None:
    """Remove the output of simulations that had started, according to Snakemake's messages, but had not ended."""
    words = log.read_text(encoding="utf-8")
    done = {*re.findall(r"^Finished job (\d+)\.$", words, re.MULTILINE)}
    begun = r"^rule (?:run|simulate):\n    output: (\S+)$.*?^    jobid: (\d+)$"
    with undisturbed():
        for output, number in re.findall(begun, words, OF_A_JOB):
            if number not in done:
                shutil.rmtree(directory / output, ignore_errors=True)
        remove_partial(directory / "runs")


def show_progress(done: int, total: int, seconds: float) -> None:
    """Print a line for each completed simulation and for the drawing. On a terminal, it overwrites the previous line.
    """
    text = f"[{done}/{total}] {seconds:.0f} s, about {seconds / done * (total - done):.0f} s left"
    if sys.stdout.isatty():
        print(f"\r{text}\033[K", end="" if done < total else "\n", flush=True)
    else:
        print(text, flush=True)


def explain(folder: Path, log: Path) -> str:
    """Return the reason why the workflow failed, from the last output of the failed simulation or drawing."""
    words = log.read_text(encoding="utf-8")
    subject, source = "the workflow failed", log
    if failed := re.search(r"^Error in rule (\w+):$.*?^    log: (\S+) ", words, OF_A_JOB):
        drawing, source = failed[1] == "draw", folder / failed[2]
        subject = "the figure could not be drawn" if drawing else f"the simulation {source.stem} failed"
    if "No space left on device" in words + read_log(source) or is_full(folder):
        return f"the disk is full: no space left in {folder}"
    return f"{subject}: {last_words(source)} (all it said is in {source})"


def is_full(folder: Path) -> bool:
    return shutil.disk_usage(folder).free < 1 << 20


def read_log(log: Path) -> str:
    return log.read_text(encoding="utf-8", errors="replace").strip() if log.is_file() else ""


def last_words(log: Path) -> str:
    """Return the last line that a program has printed."""
    said = read_log(log)
    return said.splitlines()[-1].strip() if said else "it said nothing"
