# SPDX-License-Identifier: GPL-2.0-only
"""Common parts of the scripts: failures in one sentence, folders, and commands.

This package requires only Python's standard library, because it installs all other packages.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import pwd
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, TextIO

from lossless.system import reason_of

ROOT = Path(__file__).resolve().parents[2]
# The lock file in a folder that only one process at a time may use.
LOCK = ".lock"


class Failure(Exception):
    """An error that the user can correct, described in one sentence."""


def run_main(main: Callable[[], int]) -> None:
    """Run a script's main function. Any failure ends with one sentence and a nonzero status."""
    sys.stdout.reconfigure(line_buffering=True)  # keeps progress messages in order with the output of children
    end_by_signals()
    try:
        status = main()
    except SystemExit:
        end_children()
        raise
    except Failure as failure:
        status = complain(str(failure))
    except KeyboardInterrupt:
        status = complain("interrupted; the same command continues where this one stopped", 130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 141
    except OSError as error:
        status = complain(describe_os_error(error))
    end_children()
    sys.exit(status)


def end_by_signals() -> None:
    """Raise an exception on a termination signal or when the terminal is closed, so that started processes are also
    ended.
    """
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:  # ignored, for example by nohup
            signal.signal(number, lambda received, _: sys.exit(128 + received))


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Complete a clean-up even if further signals arrive."""
    before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def complain(sentence: str, status: int = 1) -> int:
    print(f"{Path(sys.argv[0]).name}: {sentence}", file=sys.stderr)
    return status


def describe_os_error(error: OSError) -> str:
    place = error.filename or "a file"
    if error.errno == errno.ENOSPC:
        return f"the disk is full: no space left to write {place}"
    return f"cannot use {place}: {reason_of(error)}"


def say(text: str) -> None:
    print(f"==> {text}", flush=True)


def in_minutes(number: int) -> str:
    """Return a number of minutes in words."""
    return f"{number} minute{'' if number == 1 else 's'}"


def cache_home() -> Path:
    """Return the cache folder according to the XDG base directory specification, in which an empty variable counts as
    unset.
    """
    if base := os.environ.get("XDG_CACHE_HOME"):
        return Path(base) / "lossless"
    try:
        home = os.environ.get("HOME") or pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        raise Failure("this user has no home; name a folder for the cache by the variable XDG_CACHE_HOME") from None
    return Path(home) / ".cache" / "lossless"


def make_folder(folder: Path) -> Path:
    """Create a folder that can be written, or raise a Failure."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".writable-{os.getpid()}"
        try:
            probe.write_bytes(b"\0" * 4096)
        finally:
            probe.unlink(missing_ok=True)
    except FileExistsError:
        raise Failure(f"the folder {folder} cannot be written: it is a file") from None
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise Failure(f"the disk is full: nothing can be written to the folder {folder}") from None
        raise Failure(f"the folder {folder} cannot be written: {reason_of(error)}{other_place(folder)}") from None
    return folder


def other_place(folder: Path) -> str:
    """Return how to name a folder other than the cache folder."""
    is_cache = cache_home() in (folder, *folder.parents)
    return "; name another one" + " by --build-dir or the variable XDG_CACHE_HOME" * is_cache


def require_space(folder: Path, mebibytes: int, purpose: str) -> None:
    free = shutil.disk_usage(folder).free >> 20
    if free < mebibytes:
        raise Failure(f"the disk is full: {purpose} needs {mebibytes} MiB in {folder}, {free} MiB are free")


@contextlib.contextmanager
def exclusive(folder: Path, purpose: str) -> Iterator[TextIO]:
    """Hold the lock of a folder, which is released when the process ends for any reason."""
    with open(make_folder(folder) / LOCK, "w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"waiting for another run that uses {folder} ({purpose})")
            fcntl.flock(lock, fcntl.LOCK_EX)
        except OSError as error:  # a network file system without locks
            reason = f"the folder {folder} cannot be locked, so that two runs at once would disturb each other: {reason_of(error)}"
            raise Failure(reason + other_place(folder)) from None
        yield lock


_children: set[subprocess.Popen] = set()
_children_lock = threading.Lock()
_is_ending = False
TERM_SECONDS = 5


def run_child(
    command: Sequence[str | Path], *, timeout: float | None = None, **options: Any
) -> subprocess.CompletedProcess:
    """Like subprocess.run(), without its checks, but the command and its descendants end with this process. They have a
    separate process group, which a signal to this process would not reach.
    """
    with _children_lock:
        if _is_ending:
            raise Failure("interrupted")
        process = subprocess.Popen(command, process_group=0, **options)
        _children.add(process)
    try:
        with process:
            try:
                output, errors = process.communicate(timeout=timeout)
            except BaseException:
                end_group(process)
                raise
    finally:
        with _children_lock:
            _children.discard(process)
    return subprocess.CompletedProcess(process.args, process.returncode, output, errors)


def end_group(process: subprocess.Popen) -> None:
    """Ask a command and its descendants to end, and kill those that have not ended after some seconds."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(TERM_SECONDS)
        os.killpg(process.pid, signal.SIGKILL)


@dataclass(frozen=True)
class Process:
    """A running process, identified by its number."""

    number: int
    parent: int
    session: int


def list_processes() -> Iterator[Process]:
    """Return all processes except those that have ended and have not been waited for."""
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended in the meantime
            state, parent, _, session = entry.read_text(encoding="utf-8", errors="replace").rsplit(")", 1)[1].split()[:4]
            if state not in "ZX":
                yield Process(int(entry.parent.name), int(parent), int(session))


def in_session(session: int) -> set[int]:
    """Return all direct and indirect descendants of a command, in any process group, if it has a session."""
    return {process.number for process in list_processes() if process.session == session}


def find_descendants() -> set[int]:
    """Return all direct and indirect descendants of this process."""
    parents = {process.number: process.parent for process in list_processes()}
    found, front = set(), {os.getpid()}
    while front:
        front = {number for number, parent in parents.items() if parent in front} - found
        found |= front
    return found


def end_processes(find: Callable[[], set[int]]) -> None:
    """Ask processes to end, and kill those that have not ended after some seconds, until none is found."""
    send(find(), signal.SIGTERM)
    patience = time.monotonic() + TERM_SECONDS
    while left := find():
        if time.monotonic() > patience:
            send(left, signal.SIGKILL)
        time.sleep(0.02)


def send(processes: set[int], number: signal.Signals) -> None:
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, number)


def end_children() -> None:
    """End all commands of run_child(), in all threads, and start no more of them."""
    global _is_ending
    with _children_lock:
        _is_ending = True
        running = list(_children)
    for process in running:
        end_group(process)


def run(
    command: Sequence[str | Path],
    failure: str,
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    log: Path | None = None,
    starter: Callable[..., subprocess.CompletedProcess] = run_child,
) -> None:
    """Run a command, with its output shown or written to a log. If it fails, raises a Failure.

    A command that may ask for a password is started by subprocess.run, because it must not be in the background of the
    terminal.
    """
    words = [str(word) for word in command]
    try:
        if log is None:
            status = starter(words, cwd=cwd, env=env).returncode
        else:
            with open(log, "ab") as sink:
                status = starter(words, cwd=cwd, env=env, stdout=sink, stderr=subprocess.STDOUT).returncode
    except FileNotFoundError:
        raise Failure(f"the program {words[0]} is missing") from None
    if status != 0:
        where = f"; its output is in {log}" if log else ""
        raise Failure(f"{failure} (exit status {status} of: {shlex.join(words)}){where}")
