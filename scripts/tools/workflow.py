# SPDX-License-Identifier: GPL-2.0-only
"""Running a figure's Snakemake workflow: progress, interruption and failure, each in one sentence."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import figures
from tools.common import ROOT, Failure

SCRIPTS = ROOT / "scripts"
# By its path: another Python that stands first in PATH may have a snakemake of its own.
SNAKEMAKE = "/usr/bin/snakemake"


def run(figure: str, size: str, folder: Path, programs: Path, jobs: int, lock: TextIO) -> None:
    """Bring the figure's results up to date; the caller holds the folder by the lock."""
    runs = folder / "runs"
    runs.mkdir(exist_ok=True)
    for leftover in [*runs.glob("*.partial"), *folder.glob(".draw-*")]:
        shutil.rmtree(leftover)
    for program in {job.program for job in figures.load(figure).jobs(size)}:
        note_version(programs, program, runs / f"{program}.version")
    command = [
        SNAKEMAKE,
        "--snakefile",
        str(SCRIPTS / "workflow" / "Snakefile"),
        "--directory",
        str(folder),
        "--cores",
        str(jobs),
        "--rerun-incomplete",
        "--nolock",
        "--nocolor",
        "--scheduler",
        "greedy",
        "--config",
        f"figure={figure}",
        f"size={size}",
        f"scripts={SCRIPTS}",
        f"programs={programs}",
    ]
    log = folder / "workflow.log"
    if follow(command, log, lock) != 0:
        raise Failure(explain(folder, log))


def note_version(programs: Path, program: str, note: Path) -> None:
    """Write down which build of a program is used; simulations older than the note are run again."""
    content = hashlib.sha256()
    for file in (programs / program, programs.parent / "lib" / "liblossless.so"):
        if not file.exists():
            raise Failure(f"the program {file} is missing")
        content.update(file.read_bytes())
    version = content.hexdigest() + "\n"
    if not note.exists() or note.read_text(encoding="ascii") != version:
        note.write_text(version, encoding="ascii")


def follow(command: list[str], log: Path, lock: TextIO) -> int:
    """Run Snakemake with its words in the log and its progress on the screen; end it if we are ended.

    It inherits the lock: should this process be killed, its simulations still hold the folder.
    """
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    with open(log, "w", encoding="utf-8") as sink:
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                env=environment,
                pass_fds=[lock.fileno()],
                start_new_session=True,
            )
        except FileNotFoundError:
            raise Failure(
                f"the program {command[0]} is missing; on Debian: apt-get install snakemake"
            ) from None
        with process:
            try:
                show_progress(keep(process.stdout, sink))
            except BaseException:
                end(process)
                raise
    return process.returncode


def keep(lines: TextIO, sink: TextIO) -> Iterator[str]:
    for line in lines:
        sink.write(line)
        sink.flush()
        yield line


def show_progress(lines: Iterator[str]) -> None:
    """One line that counts on a terminal; elsewhere a line for every twentieth part."""
    start, shown = time.monotonic(), -1
    interactive = sys.stdout.isatty()
    for line in lines:
        found = re.match(r"(\d+) of (\d+) steps", line)
        if not found:
            continue
        done, total = int(found[1]), int(found[2])
        part = 20 * done // total
        if not interactive and part == shown:
            continue
        shown = part
        seconds = time.monotonic() - start
        text = f"[{done}/{total}] {seconds:.0f} s, about {seconds / done * (total - done):.0f} s left"
        print(f"\r{text}\033[K" if interactive else text, end="" if interactive else "\n", flush=True)
    if interactive and shown >= 0:
        print()


def end(process: subprocess.Popen) -> None:
    """Stop Snakemake and the simulations that it started: its process group, which is all its own."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(timeout=5)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue


def explain(folder: Path, log: Path) -> str:
    """Why the workflow failed, from what the failed simulation or the drawing said last."""
    words = log.read_text(encoding="utf-8", errors="replace")
    subject, source = "the workflow failed", log
    failed = sorted((folder / "runs").glob("*.partial/log"))
    if failed:
        subject, source = f"the simulation {failed[0].parent.stem} failed", failed[0]
    elif "rule draw" in words and (folder / "draw.log").exists():
        subject, source = "the figure could not be drawn", folder / "draw.log"
    said = source.read_text(encoding="utf-8", errors="replace").strip()
    if "No space left on device" in words + said or shutil.disk_usage(folder).free < 1 << 20:
        return f"the disk is full: no space left in {folder}"
    last = said.splitlines()[-1].strip() if said else "it said nothing"
    return f"{subject}: {last} (all it said is in {source})"
