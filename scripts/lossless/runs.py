# SPDX-License-Identifier: GPL-2.0-only
"""Executes one run of a program, from its options to its results."""

from __future__ import annotations

import contextlib
import math
import os
import shutil
import subprocess
import tempfile
import warnings
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas

from lossless.checks import Answer, Check
from lossless.notes import sentences
from lossless.options import FRAMES, as_text, attribute_name, name_frames, option_name, write_frame
from lossless.programs import Error, Processes, RunWarning, find_program, last_line, telling_of_files
from lossless.results import Results
from lossless.specs import Spec, read_spec


@telling_of_files()
def run(
    spec: Spec | None = None,
    /,
    *,
    topology: str | Path | pandas.DataFrame | None = None,
    flows: str | Path | pandas.DataFrame | None = None,
    scheme: str | None = None,
    program: str | Path | None = None,
    output: str | Path | None = None,
    attributes: Mapping[str, object] | None = None,
    timeout: float | None = None,
    **options: object,
) -> Results:
    """Run a program of the module, which simulates a network, and return its results.

    Every option of the program can be given by its name, with _ instead of -: `lossless.run(scheme="DSH", load=0.6,
    congestion_control="DCQCN", sample="10us")`. `scripts/run PROGRAM --help` lists the options. A value is a string as
    on the command line ("100Gbps", "10us", "2MB"), a number (of bytes, if the option is a size), True or False, or a
    datetime.timedelta. An option that is None is omitted.

    spec       options as a tree, as `--spec` reads it: {"scheme": "DSH", "load": 0.6, "RoceNic": {"AckInterval": 4}}; a
               file with such a tree; or results (or their folder), whose run is repeated. Other options take
               precedence over the spec: `lossless.run(earlier, scheme="PFC")`
    topology   name of a network of lossless-run, whose size and links are options (`topology="fat-tree", k=8,
               rate="100Gbps", delay="1us"`); a file; or a frame of links with the columns node_a, node_b, rate and delay
               (strings with units), and optionally error_rate (a share of frames), failed, kind_a and kind_b
    flows      a file, or a frame with the columns source and destination (names of hosts) and bytes, and optionally id,
               priority (0 to 7; default 3), start_ns (default 0) and group; if omitted, the options determine random
               flows
    scheme     flow control, such as "DSH"
    program    name of a program of examples/ or scratch/, which is built, or the path of a program; by default, the
               program of the spec, or lossless-run
    output     folder of the results, which is kept; an earlier result in it is replaced. If omitted, the results exist
               as long as the returned object
    attributes attributes of the module's classes: {"RoceNic::Window": 100000}
    timeout    seconds of real time after which the run is ended and counts as failed

    Raises an Error, usually with the program's own message, if an option is not valid; nothing is written in this case.
    With `strict=True`, and for programs that judge their runs, such as roce-acceptance, an Error also reports a run
    that failed, and contains its `results`. Otherwise, the problems and hints of a run are a RunWarning. KeyboardInterrupt ends the program and leaves `output` unchanged.
    """
    written = read_spec(spec)
    given = collect_options(topology, flows, scheme, attributes, options, written.options)
    found = find_program(written.program if program is None else program)
    for name, value in given.items():
        if isinstance(value, (list, tuple, range)) and name not in FRAMES:
            require_option(found, name)
            raise Error(f"{name} has several values, which lossless.sweep() takes; for several in one run, write one text with commas")
    results = start_run(found, given, output, check_timeout(timeout), Processes())
    warn(sentences(results.info))
    return results


def warn(told: Sequence[str]) -> None:
    """Show sentences about runs at the line that has called run() or sweep()."""
    if told:
        warnings.warn("\n".join(told), RunWarning, stacklevel=4)  # behind that function and its decorator


def require_option(program: Path, name: str) -> None:
    """Raise the program's own Error if it has no such option."""
    check = Check()
    if check.is_offered(program):
        answer = check.ask([str(program), f"--{option_name(name)}="])
        if answer.error and str(answer.error).startswith(f"{program.name}: there is no option --{option_name(name)}"):
            raise answer.error


def collect_options(
    topology: object,
    flows: object,
    scheme: object,
    attributes: Mapping[str, object] | None,
    options: Mapping[str, object],
    written: Mapping[str, object],
) -> dict[str, object]:
    """Return all options by their names in Python, and attributes by their full names. Options that are None are
    omitted. Options that are not given are taken from a spec.
    """
    if attributes is not None and not isinstance(attributes, Mapping):
        raise Error(f"attributes is of type {type(attributes).__name__}; it must have values by names, as {{'RoceNic::Window': 1000}}")
    given = {"topology": topology, "flows": flows, "scheme": scheme, **options}
    for name, value in (attributes or {}).items():
        if given.setdefault(attribute_name(name), value) is not value:
            raise Error(f"{name} is given twice; write it once")
    return written | {name: value for name, value in given.items() if value is not None}


def check_timeout(timeout: float | None) -> float | None:
    if timeout is None or (isinstance(timeout, (int, float)) and timeout is not True and 0 < timeout < math.inf):
        return timeout
    raise Error(f"timeout is {timeout!r}; it must be a number of seconds above 0")


def start_run(
    program: Path, options: Mapping[str, object], output: str | Path | None, timeout: float | None, processes: Processes
) -> Results:
    """Execute a run in a folder of its own. Without an output folder, it exists as long as the results."""
    folder = None if output is None else locate(output)
    scratch = Scratch()
    results = None
    try:
        results = Invocation(program, options, scratch.folder, folder or scratch.folder / "run").make(timeout, processes)
        return results
    except Error as error:
        results = error.results
        raise
    finally:
        if results is not None and folder is None:
            results.keeper = scratch
        else:
            scratch.remove()


def ask_about(program: Path, options: Mapping[str, object], output: Path, check: Check) -> Answer:
    """Return a program's answer about the options of a run. Nothing is written."""
    scratch = Scratch()
    try:
        return Invocation(program, options, scratch.folder, output).ask(check)
    finally:
        scratch.remove()


def locate(output: object) -> Path:
    """Return the folder that `output` names."""
    if not isinstance(output, (str, Path)) or not str(output):
        raise Error(f"output is {output!r}; it must be the name of a folder")
    return Path(as_text("output", output)).absolute()


class Scratch:
    """A temporary folder, which is removed together with the last object that refers to this one."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="lossless-"))
        self.remove = weakref.finalize(self, remove_own, self.folder, os.getpid())


def remove_own(folder: Path, process: int) -> None:
    """Remove a folder, unless this process is a fork of the one that created it."""
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True)
class Invocation:
    """A program with its options."""

    program: Path
    options: Mapping[str, object]
    scratch: Path  # for files of frames
    output: Path

    def make(self, timeout: float | None, processes: Processes) -> Results:
        """Run the program. Raises an Error if it has no results or reports a failure."""
        frames = self.get_files()
        command = self.get_command(frames)
        earlier = self.find_results()
        try:
            done = processes.run(command, output=self.output, timeout=timeout)
        except subprocess.TimeoutExpired:
            raise Error(f"{self.program.name}: the run took longer than {timeout:g} s", command=command) from None
        results = self.load() if self.find_results() != earlier else None
        if done.returncode == 0 and results is not None:
            return results
        sentence = name_frames(self.explain(done, results), frames)
        raise Error(sentence, command=command, status=done.returncode, said=done.stderr, results=results)

    def ask(self, check: Check) -> Answer:
        """Return the program's answer about its options."""
        frames = self.get_files()
        try:
            answer = check.ask(self.get_command(frames))
        except Error as error:  # a frame that cannot be written to a file
            return Answer(True, error)
        if answer.error:
            answer.error.args = (name_frames(str(answer.error), frames),)
        return answer

    def get_files(self) -> dict[str, Path]:
        """Return the files of frames."""
        return {
            name: self.scratch / f"{name}.csv"
            for name, value in self.options.items()
            if name in FRAMES and isinstance(value, pandas.DataFrame)
        }

    def get_command(self, frames: Mapping[str, Path]) -> list[str]:
        """Return the command line, after writing the files of frames."""
        words = []
        for name, value in self.options.items():
            if path := frames.get(name):
                write_frame(name, value, path)
            words.append(f"--{option_name(name)}={path or as_text(name, value)}")
        return [str(self.program), *words, f"--output={self.output}"]

    def find_results(self) -> tuple[int, int] | None:
        """Return a value that distinguishes the results in the folder from earlier ones, or None if there are none."""
        with contextlib.suppress(OSError):
            found = (self.output / "run.json").stat()
            return found.st_ino, found.st_mtime_ns
        return None

    def load(self) -> Results:
        try:
            return Results(self.output)
        except (FileNotFoundError, ValueError) as error:
            raise Error(str(error)) from None

    def explain(self, done: subprocess.CompletedProcess[str], results: Results | None) -> str:
        """Return the reason why there is no result, or why the result is not acceptable."""
        if done.returncode < 0:
            return f"{self.program.name} was ended by signal {-done.returncode}"
        if results is not None and self.options.get("strict") and results.verdict["problems"]:
            return results.verdict["problems"][0]
        if done.returncode == 0:
            said = done.stdout.strip().splitlines() or ["nothing"]
            return f"{self.program.name} has written no results; it printed: {said[0]}"
        return last_line(done.stderr) or f"{self.program.name} has failed with exit status {done.returncode}"
