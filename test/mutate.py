#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Mutation testing: break the module in one place at a time, and see whether its suites notice.

A sample of lines is drawn at random, each with the same probability, from those of model/ that can be mutated. One
mutation is made in each: an operator, a constant or a condition is changed, or a statement, the value of a return or
the body of a function is deleted. Then the test runner is built and the suites run, in the simulators that
scripts/test chooses, first those whose sources include the header of the changed class, the quickest of them first, until one
fails: the mutant is killed. A suite that takes five times as long as usual, and ten seconds more, kills it as well.
What survives is a hole in the suites, unless the mutant is equivalent, that is, behaves like the original; only a
reader can decide.

Mutants are made in a copy of the repository (--build-dir), never in the repository itself. One in a source file
takes some seconds to build. One in a header that everything includes takes minutes: the suites run as soon as the
library is built, and once more with the runner if the mutant survives that; only a changed constant, on which the
sizes of objects may depend, waits for both. Lines that cannot change what a Release build does are left out:
comments, logs, assertions and prefetches. A mutant that does not compile is replaced by the next of the sample.

Each result is appended to a file (--results), and a mutant with a result is not run again: the same command goes on
where an earlier one stopped, also with a larger --count. After new tests, --survivors runs those again that survived.
The same seed draws other lines when model/ has changed.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

from tools import build
from tools.arguments import add_build_dir, add_jobs, folder_name, make_parser, positive
from tools.common import Failure, exclusive, make_folder, run, run_child, run_main, say
from tools.standalone_tests import RUNNER, SIMULATORS, SUITE, Run, choose_simulator, list_runs

SOURCES = ("model",)
LIBRARY = "lossless"
KILLED, TIMEOUT, SURVIVED, INVALID = "killed", "killed by time", "survived", "does not compile"

# Folders that are not copied: at any level, and at the top.
NOT_COPIED = re.compile(r"\..*|__pycache__")
NOT_OURS = re.compile(r"results|build.*")
MEMORY_BYTES = 4 << 30
FILE_BYTES = 1 << 30
SILENT = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
LEAST_SECONDS = 10
SLOWDOWN = 5

# clang-format puts spaces around operators, but not around brackets of templates or asterisks of pointers.
SWAPS = {
    "relational": (r"(?<= )(?:<=|>=|==|!=|<|>)(?= )", {
        "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",),
    }),
    "arithmetic": (r"(?<= )[-+*/%](?= )", {
        "+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",), "%": ("*",),
    }),
    "assignment": (r"(?<= )[-+*/|&]=(?= )", {
        "+=": ("-=",), "-=": ("+=",), "*=": ("/=",), "/=": ("*=",), "|=": ("&=",), "&=": ("|=",),
    }),
    "bits": (r"(?<= )(?:<<|>>|[&|^])(?= )", {
        "<<": (">>",), ">>": ("<<",), "&": ("|",), "|": ("&",), "^": ("&",),
    }),
    "step": (r"\+\+|--", {"++": ("--",), "--": ("++",)}),
    "boolean": (r"(?<= )(?:&&|\|\|)(?= )|(?:\|\||&&)$|\b(?:true|false)\b", {
        "&&": ("||",), "||": ("&&",), "true": ("false",), "false": ("true",),
    }),
    "negation": (r"!(?=[\w(])", {"!": ("",)}),
}  # fmt: skip
INTEGER = re.compile(r"(?<![\w.'])\d+(?![\w.'])")
FRACTION = re.compile(r"(?<![\w.'])\d+\.\d+(?![\w.'])")
CONDITION = re.compile(r"\bif \(")
RETURN = re.compile(r"return ([^{].*);")
# A call, an assignment to an existing variable, a step or a jump; without a space before it, it is no declaration.
STATEMENT = re.compile(
    r"(?:break|continue|(?:\+\+|--)\S+|[^\s=]+ (?:[-+*/|&]|<<|>>)?= .*|[\w:.>\[\]()-]+(?:<[^;]*>)?\(.*\));", re.DOTALL
)
NO_EFFECT = re.compile(r"NS_LOG|NS_ASSERT|static_assert|NS_OBJECT_ENSURE_REGISTERED|[Pp]refetch")
LITERAL_OR_COMMENT = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'", re.DOTALL
)


@dataclass(frozen=True)
class Mutant:
    """A change in one place of a source file."""

    path: str
    line: int
    operator: str
    start: int
    end: int
    replacement: str

    def apply(self, text: str) -> str:
        return text[: self.start] + self.replacement + text[self.end :]

    def diff(self, text: str) -> str:
        """Return the lines before and after the change."""
        before, after = text.splitlines(), self.apply(text).splitlines()
        changes = list(difflib.unified_diff(before, after, n=0, lineterm=""))[3:]
        return "\n".join(line for line in changes if not line.startswith("@@"))


def mask(text: str) -> str:
    """Return the text with blanks instead of comments, string literals and preprocessor lines; all other text stays in place."""

    def blank(match: re.Match) -> str:
        return re.sub(r"[^\n]", " ", match[0])

    masked = LITERAL_OR_COMMENT.sub(lambda match: blank(match) if match[0][0] == "/" else f'"{blank(match)[2:]}"', text)
    return re.sub(r"^ *#(?:.*\\\n)*.*$", blank, masked, flags=re.MULTILINE)


def find_mutants(path: str, text: str) -> dict[int, list[Mutant]]:
    """Return all mutants of a source file, by line."""
    masked = mask(text)
    lines = masked.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    found: dict[int, list[Mutant]] = {}

    def add(index: int, operator: str, start: int, end: int, replacement: str) -> None:
        found.setdefault(index + 1, []).append(Mutant(path, index + 1, operator, start, end, replacement))

    silent = silent_lines(lines)
    for index, line in enumerate(lines):
        if index in silent:
            continue
        original = text[starts[index] : starts[index + 1]].rstrip("\n")
        for operator, begin, end, replacement in changes_in(line.rstrip("\n"), original):
            add(index, operator, starts[index] + begin, starts[index] + end, replacement)
        if (last := end_of_statement(lines, index)) is not None:
            begin = starts[index] + len(line) - len(line.lstrip())
            add(index, "statement", begin, starts[last + 1] - 1, ";")
        if (body := body_of_void(lines, index)) is not None:
            add(index, "body", starts[body[0]], starts[body[1]], "")
    return found


def silent_lines(lines: Sequence[str]) -> set[int]:
    """Return the indices of lines whose statements have no effect in a Release build, or only save time."""
    silent = set()
    for index, line in enumerate(lines):
        if NO_EFFECT.search(line):
            last = next((i for i in range(index, len(lines)) if lines[i].rstrip().endswith((";", "{", "}"))), index)
            silent.update(range(index, last + 1))
    return silent


def changes_in(line: str, original: str) -> Iterator[tuple[str, int, int, str]]:
    """Return the possible changes in a masked line, each with its operator, its first and last column and its replacement."""
    for operator, (pattern, swaps) in SWAPS.items():
        if operator == "bits" and '"' in line:
            continue  # operators of streams
        for match in re.finditer(pattern, line):
            for replacement in swaps[match[0]]:
                yield operator, match.start(), match.end(), replacement
    for match in INTEGER.finditer(line):
        yield "constant", match.start(), match.end(), str(int(match[0]) + 1)
        if int(match[0]) > 0:
            yield "constant", match.start(), match.end(), str(int(match[0]) - 1)
    for match in FRACTION.finditer(line):
        yield "constant", match.start(), match.end(), f"(2 * {match[0]})"
    for match in CONDITION.finditer(line):
        end = end_of_bracket(line, match.end() - 1)
        if end and ";" not in line[match.end() : end]:
            yield "condition", match.end(), end, f"!({original[match.end() : end]})"
    if (match := RETURN.fullmatch(line.strip())) and match[1] not in ("0", "true", "false", "nullptr", "*this"):
        begin = line.index("return ") + len("return ")
        yield "return", begin, begin + len(match[1]), "{}"


def end_of_bracket(line: str, begin: int) -> int | None:
    """Return the column of the bracket that closes the one at a column, or None if it is on a later line."""
    depth = 0
    for column in range(begin, len(line)):
        depth += {"(": 1, ")": -1}.get(line[column], 0)
        if depth == 0:
            return column
    return None


def end_of_statement(lines: Sequence[str], index: int) -> int | None:
    """Return the index of the last line of the deletable statement that begins on a line, or None."""
    before = next((line.strip() for line in reversed(lines[:index]) if line.strip()), "{")
    if not lines[index].startswith("    ") or before[-1] not in ";{}:":
        return None
    depth = 0
    for last in range(index, len(lines)):
        depth += sum({"(": 1, ")": -1, "{": 1, "}": -1}.get(letter, 0) for letter in lines[last])
        if depth == 0 and lines[last].rstrip().endswith(";"):
            return last if STATEMENT.fullmatch("".join(lines[index : last + 1]).strip()) else None
        if depth < 0 or not lines[last].strip():
            return None
    return None


def body_of_void(lines: Sequence[str], index: int) -> tuple[int, int] | None:
    """Return the first line of the body of the void function that begins on a line and the line after the body, or None if there is no such
    function or its body is empty."""
    declares = re.match(r"( *)(?:virtual |static |inline )*void(?: \w+\(.*|)$", lines[index].rstrip())
    if not declares:
        return None
    for brace in range(index + 1, len(lines)):
        line = lines[brace].rstrip()
        if line == declares[1] + "{":
            end = next(i for i in range(brace, len(lines)) if lines[i].rstrip() == declares[1] + "}")
            return (brace + 1, end) if end > brace + 1 else None
        if line.endswith(";") or not line:
            return None
    return None


def draw(root: Path, places: Sequence[str], seed: int) -> Iterator[Mutant]:
    """Return all places in random order, each with one of its mutants."""
    mutants: dict[tuple[str, int], list[Mutant]] = {}
    for path in source_files(root, places):
        name = str(path.relative_to(root))
        for line, choices in find_mutants(name, path.read_text(encoding="utf-8")).items():
            mutants[name, line] = choices
    order = sorted(mutants)
    random.Random(seed).shuffle(order)
    for place in order:
        yield random.Random(f"{seed} {place}").choice(mutants[place])


def source_files(root: Path, places: Sequence[str]) -> list[Path]:
    files: set[Path] = set()
    for place in places:
        path = root / place
        if not path.exists():
            raise Failure(f"there is no {place} in {root}; name files or folders of the repository")
        files.update([path] if path.is_file() else (file for file in path.rglob("*") if file.suffix in (".cc", ".h")))
    return sorted(files)


def copy_sources(target: Path) -> None:
    """Update the copy; unchanged files keep their time, so that little is rebuilt."""
    wanted: set[Path] = set()
    for folder, folders, files in os.walk(ROOT):
        skipped = [NOT_COPIED, NOT_OURS] if Path(folder) == ROOT else [NOT_COPIED]
        folders[:] = [name for name in folders if not any(pattern.fullmatch(name) for pattern in skipped)]
        wanted.update(Path(folder, name).relative_to(ROOT) for name in files)
    for path in wanted:
        content = (ROOT / path).read_bytes()
        if not (target / path).is_file() or (target / path).read_bytes() != content:
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            (target / path).write_bytes(content)
            shutil.copymode(ROOT / path, target / path)
    for path in [path for path in target.rglob("*") if path.is_file() and path.relative_to(target) not in wanted]:
        path.unlink()


class Laboratory:
    """A copy of the sources, with its build and its suites."""

    def __init__(self, folder: Path, jobs: int) -> None:
        self.source = folder / "source"
        self.build = folder / "build"
        self.jobs = jobs
        self.seconds: dict[Run, float] = {}
        self.suites: dict[str, str] = {}

    def prepare(self) -> None:
        """Build the original, run its suites, which must pass, and record how long each takes."""
        copy_sources(self.source)
        log = make_folder(self.build) / "configure.log"
        command = ["cmake", "-S", self.source, "-B", self.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"]
        # Mutants have unused variables. If only the library has changed, the runner need not be linked again.
        command += ["-DCMAKE_CXX_FLAGS=-w", "-DCMAKE_CXX_FLAGS_RELEASE=-O1", "-DCMAKE_LINK_DEPENDS_NO_SHARED=ON"]
        run(command, "the build of the copy cannot be configured", log=log)
        say(f"building what is not mutated in {self.build}")
        run(self.compilation(RUNNER), "the module does not build")
        for path in sorted((self.source / "test").glob("*.cc")):
            text = path.read_text(encoding="utf-8")
            self.suites |= dict.fromkeys((name for name, _ in SUITE.findall(text)), text)
        say("running the suites without a mutation")
        failed, self.seconds = self.race(list_runs(sorted(self.suites), everything=False), {})
        if failed:
            raise Failure(f"the suite {failed[0]} fails without a mutation; its command is scripts/test {failed[0]}")

    def compilation(self, target: str) -> list[str | Path]:
        return ["cmake", "--build", self.build, "--target", target, "--parallel", str(self.jobs)]

    def examine(self, mutant: Mutant) -> tuple[str, str]:
        """Return the outcome of a mutant and the suite that has killed it."""
        path = self.source / mutant.path
        original = path.read_text(encoding="utf-8")
        target = LIBRARY
        try:
            path.write_text(mutant.apply(original), encoding="utf-8")
            limits = {run: LEAST_SECONDS + SLOWDOWN * seconds for run, seconds in self.seconds.items()}
            for target in self.targets(mutant):
                if run_child(self.compilation(target), env=os.environ | {"CCACHE_READONLY": "1"}, **SILENT).returncode:
                    return INVALID, ""
                failed, _ = self.race(self.order(mutant), limits)
                if failed:
                    return (TIMEOUT if self.was_late else KILLED), " in ".join(failed)
        finally:
            path.write_text(original, encoding="utf-8")
            if target == RUNNER:  # the next mutant may build only the library
                run_child(self.compilation(RUNNER), **SILENT)
        return SURVIVED, ""

    @staticmethod
    def targets(mutant: Mutant) -> list[str]:
        """Return the targets to build; all suites run after each of them, because the runner loads the library."""
        if mutant.path.endswith(".cc"):
            return [LIBRARY]
        return [RUNNER] if mutant.operator == "constant" else [LIBRARY, RUNNER]

    def order(self, mutant: Mutant) -> list[Run]:
        """Sort suites: first by whether they include the header of the mutated class, then by simulator, then by their duration."""
        include = f'"ns3/{Path(mutant.path).stem}.h"'

        def rank(run: Run) -> tuple[bool, int, float]:
            suite, simulator = run
            return include not in self.suites[suite], SIMULATORS.index(simulator), self.seconds[run]

        return sorted(self.seconds, key=rank)

    def race(self, runs: Sequence[Run], limits: Mapping[Run, float]) -> tuple[Run | None, dict[Run, float]]:
        """Run suites in parallel until one fails; return that suite, and the processor time of each, in seconds."""
        waiting, running, seconds = list(runs), {}, {}
        self.was_late = False
        with tempfile.TemporaryDirectory(prefix="lossless-mutant-") as scratch:
            try:
                while waiting or running:
                    while waiting and len(running) < self.jobs:
                        started = waiting.pop(0)
                        folder = Path(scratch) / str(len(waiting))
                        running[started] = self.start(started, folder, limits.get(started))
                    time.sleep(0.02)
                    for ended, process in list(running.items()):
                        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
                        if pid == 0:
                            continue
                        del running[ended]
                        process.returncode = os.waitstatus_to_exitcode(status)
                        seconds[ended] = usage.ru_utime + usage.ru_stime
                        if process.returncode != 0:
                            self.was_late = process.returncode == -signal.SIGXCPU
                            return ended, seconds
            finally:
                for process in running.values():
                    with contextlib.suppress(ProcessLookupError):
                        os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
        return None, seconds

    def start(self, started: Run, folder: Path, limit: float | None) -> subprocess.Popen:
        suite, simulator = started
        folder.mkdir()

        def restrict() -> None:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
            resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if limit:
                resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit) + 5))

        return subprocess.Popen(
            [self.build / "bin" / RUNNER, f"--suite={suite}", f"--tempdir={folder}", "--stop-on-failure"],
            cwd=folder,
            env=os.environ | choose_simulator(simulator),
            process_group=0,
            preexec_fn=restrict,
            **SILENT,
        )


def read_records(path: Path) -> dict[Mutant, dict]:
    """Return the latest result of each mutant."""
    records = {}
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            records[Mutant(**record["mutant"])] = record
    return records


def append_record(path: Path, record: Mapping) -> None:
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps(record) + "\n")


def describe(record: Mapping) -> str:
    mutant = record["mutant"]
    by = f" by {record['suite']}" if record["suite"] else ""
    return f"{mutant['path']}:{mutant['line']} {mutant['operator']}: {record['result']}{by}, {record['seconds']} s"


def report(records: Sequence[Mapping]) -> None:
    """Return a table by operator, the survivors, and the score."""
    print(f"{'operator':12} {'killed':>7} {'time':>7} {'survived':>9}")
    by_operator: dict[str, Counter] = {}
    for record in records:
        by_operator.setdefault(record["mutant"]["operator"], Counter())[record["result"]] += 1
    for operator, counts in sorted(by_operator.items()):
        print(f"{operator:12} {counts[KILLED]:7} {counts[TIMEOUT]:7} {counts[SURVIVED]:9}")
    for record in records:
        if record["result"] == SURVIVED:
            print(f"\n{record['mutant']['path']}:{record['mutant']['line']} {record['mutant']['operator']}")
            print(record["diff"])
    killed = sum(record["result"] in (KILLED, TIMEOUT) for record in records)
    if records:
        print(f"\n{killed} of {len(records)} mutants killed, {100 * killed / len(records):.1f} %")


def parse_arguments() -> argparse.Namespace:
    parser = make_parser("test/mutate.py", __doc__)
    parser.add_argument("place", nargs="*", default=SOURCES, help="draw lines of these files or folders (model)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the sample (default: %(default)s)")
    parser.add_argument(
        "--count", type=positive, default=20, metavar="N", help="mutants that compile (default: %(default)s)"
    )
    parser.add_argument("--list", action="store_true", help="show the first mutants of the sample; nothing is built")
    parser.add_argument(
        "--survivors", action="store_true", help="run only those of the sample again that have survived"
    )
    parser.add_argument(
        "--results", type=folder_name, metavar="FILE", help="of earlier runs and this one (in the build folder)"
    )
    add_build_dir(parser, help="keep the copy, its build and the results here")
    add_jobs(parser)
    return parser.parse_args()


def main() -> int:
    arguments = parse_arguments()
    sample = draw(ROOT, arguments.place, arguments.seed)
    if arguments.list:
        for mutant, _ in zip(sample, range(arguments.count)):
            text = (ROOT / mutant.path).read_text(encoding="utf-8")
            print(f"{mutant.path}:{mutant.line} {mutant.operator}\n{mutant.diff(text)}\n")
        return 0
    folder = (arguments.build_dir or build.default_folder("mutants")).resolve()
    results = arguments.results or folder / f"seed-{arguments.seed}.jsonl"
    with exclusive(folder, "mutation testing"):
        laboratory = Laboratory(folder, arguments.jobs)
        report(list(examine_all(laboratory, sample, arguments.count, results, arguments.survivors)))
    return 0


def examine_all(
    laboratory: Laboratory, sample: Iterator[Mutant], count: int, results: Path, survivors: bool
) -> Iterator[Mapping]:
    """Return the records of the first mutants of the sample that compile, from earlier runs or from this one."""
    earlier = read_records(results)
    compiling = 0
    for mutant in sample:
        record = earlier.get(mutant)
        if not record or (survivors and record["result"] == SURVIVED):
            if not laboratory.seconds:
                laboratory.prepare()
            text = (laboratory.source / mutant.path).read_text(encoding="utf-8")
            began = time.monotonic()
            result, suite = laboratory.examine(mutant)
            record = {"mutant": asdict(mutant), "result": result, "suite": suite}
            record |= {"seconds": round(time.monotonic() - began, 1), "diff": mutant.diff(text)}
            append_record(results, record)
            print(f"[{compiling + (result != INVALID)}/{count}] {describe(record)}", flush=True)
        if record["result"] != INVALID:
            compiling += 1
            yield record
        if compiling == count:
            return


if __name__ == "__main__":
    run_main(main)
