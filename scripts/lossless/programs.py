# SPDX-License-Identifier: GPL-2.0-only
"""Finds programs and runs them so that none is left behind."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import itertools
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lossless.system import reason_of

if TYPE_CHECKING:
    from lossless.results import Results

# The environment variable that names the folder of the built programs.
FOLDER_VARIABLE = "LOSSLESS_PROGRAMS"
ROOT = Path(__file__).resolve().parents[2]
# The script that builds a program of the repository if necessary.
BUILDER = ROOT / "scripts" / "run"
SOURCES = ("model", "helper", "examples", "scratch", "cmake")
# The signal that a process receives when the thread that started it ends for any reason (prctl(2)). Only Linux supports
# this.
PR_SET_PDEATHSIG = 1
set_process = getattr(ctypes.CDLL(None), "prctl", None)
# The real time during which no message about a build is printed, in seconds.
PATIENCE_SECONDS = 5


class Error(Exception):
    """The reason why there is no result, in one sentence. If a program has been started, this is its own error message.
    """

    def __init__(
        self,
        sentence: str,
        *,
        command: Sequence[str] = (),
        status: int | None = None,
        said: str = "",
        results: Results | None = None,
    ) -> None:
        super().__init__(sentence)
        self.command = list(command)
        """The program that was started, with its arguments; empty: none."""
        self.status = status
        """Its exit status, below 0 if a signal has ended it; None if it did not end by itself."""
        self.said = said
        """All that it wrote to standard error."""
        self.results = results
        """What it has written nevertheless, as with strict=True; None: nothing."""


class RunWarning(UserWarning):
    """The problems of runs and their hints, which the verdict and run.json have as well. To hide these warnings:
    warnings.simplefilter("ignore", lossless.RunWarning)
    """


@contextlib.contextmanager
def telling_of_files() -> Iterator[None]:
    """Raise an Error if a file cannot be used."""
    try:
        yield
    except OSError as error:
        raise Error(f"{error.filename or 'a file'} cannot be written: {reason_of(error)}") from None


def find_program(program: str | Path) -> Path:
    """Return the path of a program that is given by its path or name. A program of this package's repository is built
    first.
    """
    if not isinstance(program, (str, Path)):
        raise Error(f"program is of type {type(program).__name__}; it must be the name or the path of a program")
    name = str(program)
    if "/" in name:
        return require_program(Path(name).absolute())
    if not name:
        raise Error("program is empty; name a program")
    if folder := os.environ.get(FOLDER_VARIABLE):
        return require_program(Path(folder).absolute() / name)
    if BUILDER.is_file():
        return build(name, find_latest_change())
    if found := shutil.which(name):
        return Path(found)
    raise Error(f"there is no program {name} in PATH; {FOLDER_VARIABLE} may name the folder that has it")


def require_program(path: Path) -> Path:
    if not path.is_file() or not os.access(path, os.X_OK):
        raise Error(f"{path} is not a program that can be run")
    return path


@functools.cache
def build(name: str, _: int) -> Path:
    """Build a program of the repository if necessary. Later calls build it again only if a source has changed."""
    command = [str(BUILDER), "--no-install", "--where", name]
    note = threading.Timer(
        PATIENCE_SECONDS,
        lambda: print(f"lossless: building {name}, which takes minutes the first time", file=sys.stderr, flush=True),
    )
    note.start()
    try:
        done = Processes(signal.SIGTERM).run(command)  # a compiler that is killed leaves a truncated file
    finally:
        note.cancel()
    if done.returncode != 0:
        raise Error(last_line(done.stderr), command=command, status=done.returncode, said=done.stderr)
    return Path(done.stdout.rstrip("\n"))


def find_latest_change() -> int:
    """Return the time, in ns, of the latest change of a source file or source folder in the repository."""
    paths = itertools.chain(*((ROOT / folder).rglob("*") for folder in SOURCES), [ROOT / "CMakeLists.txt"])
    return max(path.lstat().st_mtime_ns for path in paths)


def last_line(text: str) -> str:
    """Return the last line that a program has printed."""
    return (text.strip().splitlines() or [""])[-1]


class Processes:
    """Programs that run at the same time. None of them is left behind if the caller is interrupted or killed.

    By default, they are killed immediately, because programs of this module would otherwise write partial results.
    """

    def __init__(self, ending: signal.Signals = signal.SIGKILL) -> None:
        self._ending = ending
        self._running: set[subprocess.Popen] = set()
        self._lock = threading.Lock()
        self._has_ended = False

    def run(
        self, command: Sequence[str], *, output: Path | None = None, timeout: float | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run a program to its end. An exception ends the program and removes the files that it has begun to write to
        its result folder. Raises subprocess.TimeoutExpired after the given number of seconds of real time.
        """
        process = self._start(command)
        try:
            with process:
                try:
                    said, errors = process.communicate(timeout=timeout)
                except BaseException:
                    self._end(process)
                    process.wait()  # Popen does not do this if it is interrupted
                    raise
        finally:
            with self._lock:
                self._running.discard(process)
            if output and process.returncode:
                remove_partial(output, process.pid)
        return subprocess.CompletedProcess(list(command), process.returncode, said, errors)

    def _start(self, command: Sequence[str]) -> subprocess.Popen:
        with self._lock:
            if self._has_ended:
                raise Error("the run was not started, since another one had failed")
            try:
                process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    encoding="utf-8",
                    errors="replace",
                    process_group=0,  # Ctrl-C is handled here; the program would write its results so far
                    preexec_fn=lambda: set_process and set_process(PR_SET_PDEATHSIG, self._ending),
                )
            except OSError as error:
                raise Error(f"{command[0]} cannot be started: {reason_of(error)}") from None
            self._running.add(process)
            return process

    def end(self) -> None:
        """End all programs, and start no more of them."""
        with self._lock:
            self._has_ended = True
            for process in self._running:
                self._end(process)

    def _end(self, process: subprocess.Popen) -> None:
        """End a program and all processes that it has started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, self._ending)


def remove_partial(output: Path, process: int) -> None:
    """Remove what a program leaves next to its result folder if it is ended while it writes."""
    shutil.rmtree(output.with_name(f"{output.name}.partial-{process}"), ignore_errors=True)
    earlier = output.with_name(f"{output.name}.old-{process}")
    if earlier.exists() and not output.exists():
        earlier.rename(output)
