# SPDX-License-Identifier: GPL-2.0-only
"""The tests of a stand-alone build: suites, examples and the scripts' own checks, side by side."""

from __future__ import annotations

import os
import re
import runpy
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from xml.etree.ElementTree import ParseError

from tools.common import ROOT, Failure
from tools.results import Tally, read_results

SUITE_SECONDS = 1800
EXAMPLE_SECONDS = 600
SHOWN_LINES = 60
SCRIPT_CHECKS = ("scripts_test", "pages_test")


def list_suites(programs: Path) -> list[str]:
    status, output = finish([programs / "lossless-test-runner", "--list"], programs, 60)
    if status != 0:
        raise Failure(f"the test runner cannot list its suites: {outcome(status, output)}")
    return output.split()


def list_examples() -> list[str]:
    """Command lines of the examples, from the list that ns-3's test.py reads too."""
    listed = runpy.run_path(str(ROOT / "test" / "examples-to-run.py"))["cpp_examples"]
    return [command for command, do_run, _ in listed if do_run == "True"]


def run_tests(
    programs: Path, suites: Sequence[str], examples: Sequence[str], scripts: bool, fullness: str, jobs: int
) -> Tally:
    """Each suite and each example in a process and a folder of its own; progress is printed."""
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="lossless-test-") as scratch, ThreadPoolExecutor(jobs) as pool:
        folders = (Path(scratch) / str(number) for number in range(len(suites) + len(examples)))
        work = [pool.submit(run_suite, programs, suite, fullness, next(folders)) for suite in suites]
        work += [pool.submit(run_example, programs, example, next(folders)) for example in examples]
        if scripts:
            work += [pool.submit(run_script_checks, module) for module in SCRIPT_CHECKS]
        try:
            for number, part in enumerate(work, 1):
                title, result = part.result()
                print(f"[{number}/{len(work)}] {title}: {result.line()}", flush=True)
                tally.merge(result)
        except BaseException:  # an interruption: start no more of them
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return tally


def run_suite(programs: Path, suite: str, fullness: str, folder: Path) -> tuple[str, Tally]:
    folder.mkdir()
    report = folder / "results.xml"
    command = [
        programs / "lossless-test-runner",
        f"--suite={suite}",
        f"--fullness={fullness}",
        "--xml",
        f"--tempdir={folder / 'temp'}",
        f"--out={report}",
    ]
    status, output = finish(command, folder, SUITE_SECONDS)
    try:
        tally = read_results(report.read_text(encoding="utf-8"))
    except (OSError, ParseError):
        tally = Tally()
    # The runner's status is 1 where a case failed; any other way to end cut the suite short.
    if status != (1 if tally.failures else 0):
        tally.add(suite, False, outcome(status, output))
    if tally.failures:
        show_end(suite, output)
    return suite, tally


def run_example(programs: Path, example: str, folder: Path) -> tuple[str, Tally]:
    folder.mkdir()
    program, *words = shlex.split(example)
    status, output = finish([programs / program, *words], folder, EXAMPLE_SECONDS)
    tally = Tally()
    tally.add(f"example {example}", status == 0, outcome(status, output))
    if tally.failures:
        show_end(f"example {example}", output)
    return f"example {example}", tally


def run_script_checks(module: str) -> tuple[str, Tally]:
    """A Python file of test/, counted from unittest's summary."""
    command = ["/usr/bin/python3", "-B", "-m", "unittest", module]
    status, output = finish(command, ROOT / "test", EXAMPLE_SECONDS)
    tally = Tally()
    for name in re.findall(r"^(?:FAIL|ERROR): (\S+)", output, re.MULTILINE):
        tally.add(f"{module} {name}", False)
    ran = re.search(r"^Ran (\d+) test", output, re.MULTILINE)
    tally.passed = int(ran[1]) - len(tally.failures) if ran else 0
    if status != (1 if tally.failures else 0):
        tally.add(module, False, outcome(status, output))
    if tally.failures:
        show_end(module, output)
    return f"checks of the scripts, {module}", tally


def show_end(title: str, output: str) -> None:
    """What a failed program said last."""
    lines = output.rstrip().splitlines()[-SHOWN_LINES:]
    if lines:
        print("\n".join([f"--- the end of what {title} said:", *lines, "---"]), flush=True)


def finish(command: Sequence[str | Path], folder: Path, seconds: int) -> tuple[int | None, str]:
    """Exit status (None: it took too long) and output of a program that gets no input."""
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            timeout=seconds,
            env=environment(),
            check=False,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
    except FileNotFoundError:
        return 127, f"there is no program {command[0]}"
    except subprocess.TimeoutExpired as late:
        return None, (late.stdout or b"").decode(errors="replace")
    return done.returncode, done.stdout


def environment() -> dict[str, str]:
    """Sanitizers, where built in, look for leaks as well, and say where undefined behaviour came from."""
    options = {"ASAN_OPTIONS": "detect_leaks=1:strict_string_checks=1", "UBSAN_OPTIONS": "print_stacktrace=1"}
    return options | dict(os.environ)


def outcome(status: int | None, output: str) -> str:
    """How a program ended and its most telling line."""
    if status is None:
        end = "took too long and was stopped"
    elif status < 0:
        end = f"killed by {signal.Signals(-status).name}"
    else:
        end = f"exit status {status}"
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    telling = [line for line in lines if re.search(r"ERROR:|runtime error:|msg=", line)] or lines[-1:]
    return f"{end}: {telling[0]}" if telling else end
