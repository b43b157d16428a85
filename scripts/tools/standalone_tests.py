# SPDX-License-Identifier: GPL-2.0-only
"""The tests of a stand-alone build: suites, examples and the scripts' checks, in parallel."""

from __future__ import annotations

import functools
import itertools
import json
import os
import re
import runpy
import shlex
import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any, Callable
from xml.etree.ElementTree import ParseError

from tools import installed_tests, page_tests, workflow
from tools.commands import WITHOUT_INPUT, count, finish, outcome, show_end
from tools.common import ROOT, Failure, end_children, in_minutes, run_child, say
from tools.results import Tally, read_results
from tools.times import Times

RUNNER = "lossless-test-runner"
STARTER = "lossless-starter"
SUITE_SECONDS = 1800
EXAMPLE_SECONDS = 600
SCRIPT_SECONDS = 1800
BAD_INPUT_SECONDS = 60
RANKS_SECONDS = 600
SHELL_BLOCK = re.compile(r"^\.\. code-block:: sh\n\n((?: {3}.*\n|\n)+)", re.MULTILINE)
# The lines that ranks print about their flows during a run, and the maximum number of these lines per rank.
STALLED = re.compile(r"^(Flow \d+ from .* has had no acknowledgement|Further flows without acknowledgement) .*\n", re.MULTILINE)
MOST_STALLED = 10
# In a variable of class Suite or in the base of a separate class: name and kind, UNIT or SYSTEM.
SUITE = re.compile(r'(?:\bSuite g_\w+|: (?:Test)?Suite)\("([^"]+)", (?:tests::)?(\w+)\)')
# The number of test classes of this file that one process runs, because the imports alone take a second of processor
# time.
CASES_AT_A_TIME = 10
SCRIPT_CHECKS = ("scripts_test", "pages_test", "python_test", "release_test")
# The members of run.json that depend on the ranks.
RANKED_MEMBERS = ("wall_s", "cpu_s", "ranks", "events")
# The simulator of the module's programs, and ns-3's default. test/chosen-simulator.h lists the cases that require one
# of them.
OWN_SIMULATOR = "lossless::WheelSimulatorImpl"
SIMULATORS = (OWN_SIMULATOR, "DefaultSimulatorImpl")
Run = tuple[str, str]  # of a suite, in a simulator
# Titles of tests with several ranks, which wait for each other: where other tests keep the processors busy, ten times as
# long as they compute.
OF_RANKS = (f"lossless-ranks in {OWN_SIMULATOR}", "runs on several ranks")


def list_suites(kind: str = "") -> list[str]:
    """Return the names of the suites, or of those of one kind, from their sources, so that no build is needed.
    run_list_check() verifies them.
    """
    found: list[tuple[str, str]] = []
    for source in (ROOT / "test").glob("*.cc"):
        found += SUITE.findall(source.read_text(encoding="utf-8"))
    return sorted(name for name, of_kind in found if kind in ("", of_kind))


def require_suite(name: str) -> str:
    if name not in list_suites():
        raise Failure(f"there is no test suite {name}; scripts/test --list names them")
    return name


def list_examples() -> list[str]:
    """Return the command lines of the examples, from the list that ns-3's test.py also reads."""
    listed = read_list("examples-to-run.py")["cpp_examples"]
    return [command for command, do_run, _ in listed if do_run == "True"]


def list_runs(suites: Sequence[str], everything: bool) -> list[Run]:
    """Return each suite with each simulator that runs it. Both do if everything is requested or if
    test/suites-to-run.py lists the suite.
    """
    both = read_list("suites-to-run.py")["in_both_simulators"]
    return [(suite, name) for name in SIMULATORS for suite in suites if name == OWN_SIMULATOR or everything or suite in both]


def read_list(name: str) -> dict[str, Any]:
    """Return the list in a file of test/."""
    return runpy.run_path(str(ROOT / "test" / name))


class Plan:
    """Tests that run in parallel, each in a separate process and folder. Progress is printed."""

    def __init__(self, programs: Path, scratch: Path) -> None:
        self.programs = programs
        self.folders = (scratch / str(number) for number in itertools.count())
        self.work: list[tuple[str, Callable[..., Tally], tuple[Any, ...]]] = []

    def add(self, title: str, run: Callable[..., Tally], *words: Any) -> None:
        self.work.append((title, run, (self.programs, next(self.folders), *words)))

    def add_suites(self, runs: Sequence[Run], fullness: str) -> None:
        for suite, simulator in runs:
            self.add(f"{suite} in {simulator}", run_suite, suite, simulator, fullness)

    def add_examples(self, examples: Sequence[str]) -> None:
        for example in examples:
            self.add(f"example {example}", run_example, example)

    def add_quick_examples(self) -> None:
        """Add the first example of each of a few programs."""
        examples = list_examples()
        for program in read_list("suites-to-run.py")["programs"]:
            self.add_examples([example for example in examples if example.split()[0] == program][:1])

    def add_checks(self) -> None:
        """Add all tests that are neither suites nor examples."""
        for title, run in CHECKS.items():
            self.add(title, run)
        for module in SCRIPT_CHECKS:
            cases = list_cases(module)
            parts = 1 + len(cases) // CASES_AT_A_TIME
            for part in range(parts):
                title = f"{module}, part {part + 1} of {parts}" if parts > 1 else module
                self.add(title, run_script_checks, module, cases[part::parts])

    def describe(self, outdated: Sequence[str], times: Times, jobs: int) -> str:
        """Return what will be done and its estimated time, which is a sum of earlier times and therefore about right if
        there are many tests. The compile time is known only if this machine has recorded it.
        """

        def duration(kind: str, names: Sequence[str]) -> str:
            seconds = times.expect(kind, names) / jobs
            return f", about {in_minutes(max(1, round(seconds / 60)))}" if seconds else ""

        source = "the last times here" if times.is_known_here else "the times of a busy machine with two processors"
        compiling = f"compiling {len(outdated)} files{duration('compiled', outdated)}, then " if outdated else ""
        tests = duration("test", [title for title, _, _ in self.work])
        return f"{compiling}{len(self.work)} tests{tests}, by {source}"

    def run(self, jobs: int, times: Times) -> Tally:
        """Run the tests: those with several ranks one after another, because they use all processors, and then the others.
        Those with the longest earlier times go first, so that none of them delays the end.
        """
        tally = Tally()
        work = sorted(self.work, key=lambda part: -times.expect("test", [part[0]]))
        numbers = itertools.count(1)
        for at_once, parts in (
            (1, [part for part in work if part[0] in OF_RANKS]),
            (jobs, [part for part in work if part[0] not in OF_RANKS]),
        ):
            with ThreadPoolExecutor(at_once) as pool:
                try:
                    for ended in as_completed([pool.submit(timed, *part) for part in parts]):
                        title, result, seconds = ended.result()
                        progress = f"[{next(numbers)}/{len(work)}] {title}: {result.line()} ({seconds:.1f} s)"
                        print(progress, flush=True)
                        times.note("test", title, seconds)
                        tally.merge(result)
                except BaseException:  # after an interruption, start no more tests, and end those that are running
                    pool.shutdown(wait=False, cancel_futures=True)
                    end_children()
                    raise
        return tally


def timed(title: str, run: Callable[..., Tally], words: tuple[Any, ...]) -> tuple[str, Tally, float]:
    start = time.monotonic()
    return title, run(*words), time.monotonic() - start


def run_suite(programs: Path, folder: Path, suite: str, simulator: str, fullness: str) -> Tally:
    folder.mkdir()
    report = folder / "results.xml"
    command = [
        programs / RUNNER,
        f"--suite={suite}",
        f"--fullness={fullness}",
        "--xml",
        f"--tempdir={folder / 'temp'}",
        f"--out={report}",
    ]
    status, output = finish(command, folder, SUITE_SECONDS, choose_simulator(simulator))
    try:
        tally = read_results(report.read_text(encoding="utf-8"))
    except (OSError, ParseError):
        tally = Tally()
    # The runner's status is 1 if a case failed. With any other failure status, the suite ended early.
    if status != (1 if tally.failures else 0):
        tally.add(suite, False, outcome(status, output))
    if tally.failures:
        tally.failures = [f"{simulator}: {failure}" for failure in tally.failures]
        show_end(f"{suite} in {simulator}", output)
    return tally


def choose_simulator(simulator: str) -> dict[str, str]:
    """Return the environment of a test runner that uses this simulator."""
    return {"NS_GLOBAL_VALUE": f"SimulatorImplementationType=ns3::{simulator}"}


def run_example(programs: Path, folder: Path, example: str) -> Tally:
    folder.mkdir()
    program, *words = shlex.split(example)
    status, output = finish([programs / program, *words], folder, EXAMPLE_SECONDS)
    return count(f"example {example}", status, output)


def run_starter(programs: Path, folder: Path) -> Tally:
    """Build and run the only file of scratch/ that belongs to the repository, separately from the user's files."""
    command = ["cmake", "--build", programs.parent, "--target", STARTER]
    status, output = finish(command, ROOT, EXAMPLE_SECONDS)
    if status == 0:
        return run_example(programs, folder, f"{STARTER} --strict")
    return count(STARTER, status, output)


def run_own_scheme(programs: Path, folder: Path) -> Tally:
    """Test the scheme of doc/how-to-add-a-scheme.rst in a separate program. The program is compiled and linked with the
    built library like the starter: its registration suffices for --scheme, the help and the run. It uses a library of
    ns-3 that the module does not use.
    """
    folder.mkdir()
    toy = (ROOT / "test" / "toy-flow-stop-test-suite.cc").read_text(encoding="utf-8")
    includes = "\n".join(re.findall(r"^#include [<\"](?:ns3/|\w+>).*", toy, re.MULTILINE))
    scheme = toy.split("// [begin scheme]")[1].split("// [end scheme]")[0]
    main = (ROOT / "scratch" / f"{STARTER}.cc").read_text(encoding="utf-8")
    source = folder / "own-scheme.cc"
    monitor = '#include "ns3/flow-monitor-helper.h"\nconst ns3::FlowMonitorHelper g_monitor;'
    source.write_text(
        f"{includes}\n{monitor}\nnamespace ns3::lossless::tests\n{{\n{scheme}\n}}\n{main}", encoding="utf-8"
    )
    title = "scheme of one's own"
    build = programs.parent
    listing = ["ninja", "-C", build, "-t", "commands", STARTER]
    listed = subprocess.run(listing, check=True, capture_output=True, text=True).stdout.splitlines()
    compiling = next(line for line in listed if line.endswith(f"{STARTER}.cc"))
    flags = shlex.split(re.sub(r"^[^-]*| -(o|c|MT|MF) \S+| -MD\b", "", compiling))
    linking = [word.replace(r"\$ORIGIN", str(programs)) for word in shlex.split(listed[-1])]  # quoted for a shell
    linked = [word for word in linking if re.search(r"\.(so|a|so\.[^/]*)$", word) or word.startswith("-Wl,")]
    command = ["c++", *flags, source, "-o", folder / "own-scheme", *linked]
    status, output = finish(command, build, EXAMPLE_SECONDS)
    tally = Tally()
    tally.add(f"{title}: build", status == 0, outcome(status, output))
    if status == 0:
        status, output = finish([folder / "own-scheme", "--PrintHelp"], folder, EXAMPLE_SECONDS)
        tally.add(f"{title}: help", status == 0 and ", Flow-stop" in " ".join(output.split()), output)
        command = [folder / "own-scheme", "--scheme=flow-stop", "--strict", "--output=run"]
        status, output = finish(command, folder, EXAMPLE_SECONDS)
        settings = (folder / "run" / "run.json").read_text(encoding="utf-8") if status == 0 else ""
        tally.add(f"{title}: run", '"scheme": "Flow-stop"' in settings, outcome(status, output))
    if tally.failures:
        show_end(title, output)
    return tally


def run_page(programs: Path, folder: Path) -> Tally:
    """Run the commands of doc/from-idea-to-plot.rst, except those that build, with the page's program as built by the
    tests.
    """
    (folder / "build" / "bin").mkdir(parents=True)
    (folder / "build" / "bin" / "my-incast").symlink_to(programs / "incast")
    for name in ("examples", "scripts"):
        (folder / name).symlink_to(ROOT / name)
    page = (ROOT / "doc" / "from-idea-to-plot.rst").read_text(encoding="utf-8")
    blocks = [block for block in SHELL_BLOCK.findall(page) if "cmake" not in block]
    status, output = finish(["bash", "-euc", "".join(blocks)], folder, EXAMPLE_SECONDS)
    shown = [line.strip() for line in page.splitlines() if re.match(r"   \d+,h", line)]
    is_right = status == 0 and (folder / "incast.png").is_file() and all(line in output for line in shown)
    tally = Tally()
    tally.add("page from-idea-to-plot", is_right, outcome(status, output))
    return tally


def run_list_check(programs: Path, _: Path) -> Tally:
    """Check that the suites in the sources are those of the test runner."""
    status, output = finish([programs / RUNNER, "--list"], programs, 60)
    tally = Tally()
    differing = sorted(set(output.split()) ^ set(list_suites()))
    problem = f"in the sources or the runner only: {' '.join(differing)}"
    tally.add("list of suites", status == 0 and not differing, problem if status == 0 else outcome(status, output))
    return tally


def run_help_check(programs: Path, _: Path) -> Tally:
    """Check that the output of --help fits into a terminal of 100 columns for all programs."""
    tally = Tally()
    for program in sorted({shlex.split(example)[0] for example in list_examples()}):
        for option in ("--help", "--help=all"):
            status, output = finish([programs / program, option], programs, 60)
            long_lines = [line for line in output.splitlines() if len(line) >= 100]
            said = long_lines[0] if long_lines else outcome(status, output)
            tally.add(f"{program} {option}", status == 0 and not long_lines, said)
    return tally


def list_cases(module: str) -> list[str]:
    """Return the classes of a Python file of test/ that contain tests."""
    text = (ROOT / "test" / f"{module}.py").read_text(encoding="utf-8")
    classes = re.split(r"^class (\w+)", text, flags=re.MULTILINE)[1:]
    return [name for name, body in zip(classes[::2], classes[1::2]) if "\n    def test_" in body]


def run_script_checks(programs: Path, _: Path, module: str, cases: Sequence[str]) -> Tally:
    """Run classes of a Python file of test/, and count their tests from unittest's summary."""
    command = ["/usr/bin/python3", "-B", "-m", "unittest", *(f"{module}.{case}" for case in cases)]
    status, output = finish(command, ROOT / "test", SCRIPT_SECONDS, {"LOSSLESS_PROGRAMS": str(programs)})
    tally = Tally()
    for name in re.findall(r"^(?:FAIL|ERROR): (\S+)", output, re.MULTILINE):
        tally.add(f"{module} {name}", False)
    ran = re.search(r"^Ran (\d+) test", output, re.MULTILINE)
    tally.passed = int(ran[1]) - len(tally.failures) if ran else 0
    if status != (1 if tally.failures else 0):
        tally.add(module, False, outcome(status, output))
    if tally.failures:
        show_end(module, output)
    return tally


def run_style(_: Path, __: Path) -> Tally:
    """Check the form of the sources."""
    status, output = finish([ROOT / "scripts" / "style", "--no-install"], ROOT, SCRIPT_SECONDS)
    return count("style", status, output)


def run_bad_inputs(programs: Path, folder: Path) -> Tally:
    """Run test/bad-inputs.py: each command line runs in a folder with its files, and the scripts find no Debian package
    installed, because no answer may depend on packages.

    A dry run must give the same answer as the run.
    """
    listed = read_list("bad-inputs.py")
    files = folder / "files"
    write_files(files, listed["files"])
    write_files(folder, {"bin/dpkg-query": b"#!/bin/sh\n"})
    (folder / "bin" / "dpkg-query").chmod(0o755)
    path = f"{folder / 'bin'}:{os.environ['PATH']}"
    tally = Tally()
    has_dry_run = functools.cache(functools.partial(offers_dry_run, programs))
    for command, sentence in listed["bad_inputs"]:
        name, *words = shlex.split(command)
        given = [command]
        # Problems found by checks are not refusals.
        if "checks failed" not in sentence and "--dry-run" not in words and has_dry_run(name):
            given.append(shlex.join([name, "--dry-run", *words]))
        for line in given:
            problem = give_bad_input(programs, files, line, sentence, path)
            tally.add(f"bad input {line}", problem is None, problem or "")
    return tally


def offers_dry_run(programs: Path, name: str) -> bool:
    """Return whether a program has --dry-run, which must refuse what a run refuses. Scripts do not have this option."""
    return not name.startswith("scripts/") and "--dry-run" in finish([programs / name, "--PrintHelp"], programs, 60)[1]


def run_ranks(programs: Path, folder: Path) -> Tally:
    """Run test/ranks-to-run.py: several ranks must write and print the same as a single one."""
    tally = Tally()
    if not shutil.which("mpirun"):
        say("without mpirun, nothing is run on several ranks")
        return tally
    listed = read_list("ranks-to-run.py")
    for number, (command, ranks) in enumerate(listed["ranked"]):
        single = run_on_ranks(programs, command, 1, folder / f"{number}-1")
        tally.add(f"1 rank of {command}", single["exit status"] == "0", single["standard error"])
        for size in ranks:
            several = run_on_ranks(programs, command, size, folder / f"{number}-{size}")
            if "was built without MPI" in several["standard error"]:
                say("the module was built without MPI, and nothing is run on several ranks")
                return tally
            differing = [name for name in {**single, **several} if single.get(name) != several.get(name)]
            tally.add(f"{size} ranks of {command}", not differing, f"differ in {', '.join(sorted(differing))}")
    return tally


def run_windowed(programs: Path, folder: Path) -> Tally:
    """Run test/ranks-to-run.py: the output of programs must not depend on windows, that is, on the turns of the nodes.
    """
    tally = Tally()
    listed = read_list("ranks-to-run.py")
    for number, command in enumerate(listed["windowed"]):
        usual = run_on_ranks(programs, command, 1, folder / f"{number}-usual")
        ordered = run_on_ranks(programs, f"{command} {listed['ORDERED']}", 1, folder / f"{number}-ordered")
        names = {*usual, *ordered} - {"run.json"}  # which contains the attribute
        differing = sorted(name for name in names if usual.get(name) != ordered.get(name))
        tally.add(f"windows of {command}", not differing and usual["exit status"] == "0", f"differ in {', '.join(differing)}")
    return tally


def list_stalled(words: str) -> str:
    """Return the lines about stalled flows, which ranks print in any order. If there are too many, each rank omits
    different ones.
    """
    lines = sorted(line[0] for line in STALLED.finditer(words))
    return "".join(lines) if len(lines) < MOST_STALLED else "many"


def run_on_ranks(programs: Path, command: str, ranks: int, folder: Path) -> dict[str, str]:
    """Run a program, and return everything that it leaves: files, output and exit status."""
    folder.mkdir(parents=True)
    name, *words = shlex.split(command)
    try:
        done = run_child(
            [*workflow.on_ranks(ranks), programs / name, *words, "--output=run"],
            cwd=folder,
            timeout=RANKS_SECONDS,
            # MPI leaks memory at its end.
            env=os.environ | {"ASAN_OPTIONS": "detect_leaks=0"} | (workflow.MPIRUN_AS_ROOT if os.geteuid() == 0 else {}),
            **WITHOUT_INPUT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    except subprocess.TimeoutExpired:
        return {"exit status": "none in time", "standard error": "it took too long"}
    left = {path.name: path.read_text(encoding="utf-8") for path in (folder / "run").glob("*")}
    if "run.json" in left:
        members = json.loads(left["run.json"])
        left["run.json"] = json.dumps({key: value for key, value in members.items() if key not in RANKED_MEMBERS})
    words_said = re.sub(r" in [0-9. ]+ (s|ms|us|ns)\b", "", STALLED.sub("", done.stderr))
    left["lines on stalled flows"] = list_stalled(done.stderr)
    return left | {"standard error": words_said, "standard output": done.stdout, "exit status": str(done.returncode)}


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files by name. A name that ends with a slash is a folder."""
    for name, content in files.items():
        path = folder / name
        if name.endswith("/"):
            path.mkdir(parents=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def is_echo(sentence: str, command: str) -> bool:
    """Return whether all words of a sentence occur in a command line, because most error messages repeat parts of it.
    """
    return all(word in command for word in re.findall(r"[a-zA-Z]\w*", sentence))


def give_bad_input(programs: Path, folder: Path, command: str, sentence: str, path: str) -> str | None:
    """Return what is wrong with the answer of a program that finds other programs in that PATH, or None."""
    if is_echo(sentence, command):
        return f'any complaint would do: "{sentence}" has no word that the command line has not'
    name, *words = shlex.split(command)
    is_script = name.startswith("scripts/")
    before = set(folder.rglob("*"))
    try:
        done = run_child(
            [(ROOT if is_script else programs) / name, *words],
            cwd=folder,
            timeout=BAD_INPUT_SECONDS,
            env=os.environ | {"PATH": path},
            **WITHOUT_INPUT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    except subprocess.TimeoutExpired:
        return "takes too long"
    # Problems found by checks are results, and scripts print their steps.
    if done.stdout and not is_script and "checks failed" not in sentence:
        return f"prints: {done.stdout.strip()}"
    lines = done.stderr.splitlines() or [""]
    is_usage = is_script and done.returncode == 2
    if left := set(folder.rglob("*")) - before:
        return f"leaves {min(left)}"
    if done.returncode != 1 and not is_usage:
        return outcome(done.returncode, done.stderr)
    if sentence not in lines[-1] or (len(lines) > 1 and not is_usage):
        return f"says: {done.stderr.strip()}"
    return None


# By their titles.
CHECKS = {
    "list of suites": run_list_check,
    "help of the programs": run_help_check,
    "bad inputs": run_bad_inputs,
    "page from-idea-to-plot": run_page,
    "starter": run_starter,
    "scheme of one's own": run_own_scheme,
    "runs on several ranks": run_ranks,
    "runs with windows and without": run_windowed,
    "commands of the pages": page_tests.run_pages,
    "installed module": installed_tests.run_installed,
    "completion of the programs": installed_tests.run_completion,
}
