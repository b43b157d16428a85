# SPDX-License-Identifier: GPL-2.0-only
"""Runs the commands of tests, and tells how they ended."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from tools.common import run_child
from tools.results import Tally

SHOWN_LINES = 60
# Runs a program without input.
WITHOUT_INPUT = {"text": True, "errors": "replace", "stdin": subprocess.DEVNULL}


def show_end(title: str, output: str) -> None:
    """Return the last output of a failed program."""
    lines = output.rstrip().splitlines()[-SHOWN_LINES:]
    if lines:
        print("\n".join([f"--- the end of what {title} said:", *lines, "---"]), flush=True)


def finish(
    command: Sequence[str | Path], folder: Path, seconds: int, more: Mapping[str, str] | None = None
) -> tuple[int | None, str]:
    """Run a program without input and with additional environment variables, and return its exit status (None if it
    took too long) and output.
    """
    try:
        done = run_child(
            command,
            cwd=folder,
            timeout=seconds,
            env=environment() | (more or {}),
            **WITHOUT_INPUT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
    except FileNotFoundError:
        return 127, f"there is no program {command[0]}"
    except subprocess.TimeoutExpired as late:
        return None, (late.stdout or b"").decode(errors="replace")
    return done.returncode, done.stdout


def environment() -> dict[str, str]:
    """Return the environment. Built-in sanitizers also search for leaks and report where undefined behaviour occurred.
    """
    options = {"ASAN_OPTIONS": "detect_leaks=1:strict_string_checks=1", "UBSAN_OPTIONS": "print_stacktrace=1"}
    return options | dict(os.environ)


def outcome(status: int | None, output: str) -> str:
    """Return how a program ended, and its most informative line."""
    if status is None:
        end = "took too long and was stopped"
    elif status < 0:
        end = f"killed by {signal.Signals(-status).name}"
    else:
        end = f"exit status {status}"
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    telling = [line for line in lines if re.search(r"ERROR:|runtime error:|msg=", line)] or lines[-1:]
    return f"{end}: {telling[0]}" if telling else end


def count(title: str, status: int | None, output: str) -> Tally:
    """Return the result of a command as one check. If it has failed, the end of its output is shown."""
    tally = Tally()
    tally.add(title, status == 0, outcome(status, output))
    if tally.failures:
        show_end(title, output)
    return tally
