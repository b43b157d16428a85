# SPDX-License-Identifier: GPL-2.0-only
"""Runs a program with all combinations of its options' values."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import html
import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path

import numpy
import pandas

from lossless import notes
from lossless.checks import Check
from lossless.grid import FAILURES, LAST_OF_FAILURES, SWEEP_TABLE, combine, failure_row, remove_tables
from lossless.options import FRAMES, as_text, option_name
from lossless.programs import Error, Processes, find_program, telling_of_files
from lossless.results import FIRST_MEASURE, Results, describe_sweep, load, make_row
from lossless.runs import Scratch, ask_about, check_timeout, collect_options, locate, start_run, warn
from lossless.specs import Spec, read_spec
from lossless.system import reason_of, replaced, usable_cpus
from lossless.values import CONFIGURATION, has_no_classes, meaning

# The file in the folder of a sweep that lists its runs with their options.
RUNS = "runs.json"
LOCK = ".lock"
FAILED = "failed"  # in the folder of a run whose program failed although it has results
SEVERAL = (list, tuple, range, numpy.ndarray, pandas.Series, pandas.Index)


@dataclass(frozen=True)
class Choice:
    """One of the values of an option."""

    label: object  # in tables; None if the option is not a column
    value: object

    @cached_property
    def content(self) -> str:
        """Return the value as a string. For a file, it consists of the path and a checksum; for a frame, it is a
        checksum.
        """
        if isinstance(self.value, pandas.DataFrame):
            return hashlib.sha256(self.value.to_csv(index=False).encode()).hexdigest()
        text = as_text("a value", self.value)
        path = Path(text).absolute()
        return f"{path} {hashlib.sha256(path.read_bytes()).hexdigest()}" if is_file(path) else text


@dataclass(frozen=True)
class Combination:
    """The options of one run, by their names in Python."""

    name: str
    choices: Mapping[str, Choice]
    void: Container[str] = ()  # options that do not apply to this run
    columns: Mapping[str, object] = field(default_factory=dict)  # in tables, in addition to its options

    def labels(self) -> dict[str, object]:
        return {**self.columns, **{name: choice.label for name, choice in self.choices.items() if choice.label is not None}}

    def values(self) -> dict[str, object]:
        return {name: choice.value for name, choice in self.choices.items() if name not in self.void}

    def sum(self) -> str:
        """Return a checksum of all options in any order, including the content of frames and files. Only identical runs
        have equal sums.
        """
        texts = sorted((name, choice.content) for name, choice in self.choices.items())
        return hashlib.sha256(json.dumps(texts).encode()).hexdigest()


@dataclass(eq=False, repr=False)
class Sweep:
    """The result of a sweep.

    `table` has a row for each run: its options, verdict, pauses, completion times and slowdowns, and its folder. It has
    the columns of sweep.csv (columns.csv) and, for options, the values that were given; `table.attrs["parameters"]`
    lists the columns of options. `runs` are the results in the same order. `sweep.flows`, or `sweep["pause-depths"]`,
    joins that table of all runs that have it, preceded by columns with the options that differ. `failures` contains the
    options of the runs without results, with the reasons; it is empty unless keep_going=True.
    """

    folder: Path
    table: pandas.DataFrame
    runs: list[Results]
    failures: pandas.DataFrame

    def __getitem__(self, name: str) -> pandas.DataFrame:
        varied = [option for option in self.table.attrs["parameters"] if self.table[option].nunique() > 1]
        frames = [
            insert_options(run[name], {option: self.table[option].iloc[row] for option in varied})
            for row, run in enumerate(self.runs)
            if name in run
        ]
        if not frames:
            raise KeyError(f"no run of {self.folder} has {name}.csv")
        joined = pandas.concat(frames, ignore_index=True)
        joined.attrs = frames[0].attrs
        return joined

    def __getattr__(self, name: str) -> pandas.DataFrame:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name.replace("_", "-")]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def compare(self, base: Mapping[str, object], metric: str = "p99_slowdown") -> pandas.DataFrame:
        """See lossless.compare()."""
        from lossless.comparisons import compare  # imported here, because it uses this class

        return compare(self, base, metric)

    def summary(self, metric: str = "p99_slowdown") -> pandas.DataFrame:
        """See lossless.summarize()."""
        from lossless.comparisons import summarize  # as above

        return summarize(self, metric)

    def _repr_html_(self) -> str:
        """For notebooks: means of the 99th percentile of slowdowns, with their intervals."""
        shown = self.summary().to_html(index=False, na_rep="", float_format="{:.4g}".format) if self.runs else ""
        return f"<p>{html.escape(repr(self))}</p>{shown}"

    def __repr__(self) -> str:
        return f"<Sweep of {len(self.runs)} runs by {', '.join(self.table.attrs['parameters'])}; {len(self.failures)} failed>"


def insert_options(frame: pandas.DataFrame, options: Mapping[str, object]) -> pandas.DataFrame:
    """Return a copy with columns of options in front. An option that has the name of another column gets a longer name.
    """
    copy = frame.copy()
    for place, (name, value) in enumerate(options.items()):
        copy.insert(place, f"{name} (option)" if name in frame else name, value)
    return copy


@telling_of_files()
def sweep(
    spec: Spec | None = None,
    /,
    *,
    topology: object = None,
    flows: object = None,
    scheme: str | Sequence[str] | None = None,
    program: str | Path | None = None,
    output: str | Path | None = None,
    attributes: Mapping[str, object] | None = None,
    timeout: float | None = None,
    jobs: int | None = None,
    keep_going: bool = False,
    resume: bool = False,
    configurations: Mapping[str, Mapping[str, object]] | None = None,
    **options: object,
) -> Sweep:
    """Run a program with all combinations of its options' values. The last option changes first.

    Options and spec are those of run(). A list (or tuple, range, array) contains several values: `scheme=["PFC",
    "DSH"], load=[0.3, 0.6], RngRun=range(1, 6)`. A dict maps labels, which tables show, to values. Frames require this:
    `flows={"few": frame, "many": other}`.

    configurations  options by name of configuration, for configurations that differ in more than one option: `{"lossless":
                {"scheme": "DSH", "lossless_classes": 3}, "lossy": {"scheme": "DropTail", "reliability":
                "SelectiveRepeat"}}`. All other options apply to every configuration that does not set them itself. In
                tables, the names are in the column configuration

    output      folder for the results. When all runs have ended, it contains sweep.csv, as written by scripts/sweep, with
                options by their names on the command line (`congestion-control`; `congestion_control` in `table`), and a
                folder for each run in runs/. An earlier sweep of this function in it is removed when the program has
                accepted the options. If omitted, the results exist as long as the returned object
    timeout     seconds of real time after which a run is ended and counts as failed
    jobs        number of simultaneous runs (default: one for each processor)
    keep_going  continue with the other runs if a run fails or if the program refuses its options; see `failures`
    resume      keep the runs that the last sweep into `output` has completed with the same program, options and input
                files, and execute the others. A change of the program is not detected, and changes of input files are
                detected only if an option names the file: not those named in a file of settings, nor those of Chakra's
                other ranks

    The problems and hints of all runs, each with the number of runs that have it, are one RunWarning. If a run fails, raises an Error with its name and the reason, and ends the other runs. KeyboardInterrupt also ends
    them. A program of the module first validates all options. If it refuses some (with keep_going, all) of them,
    nothing is run or removed.
    """
    written = read_spec(spec)
    given = collect_options(topology, flows, scheme, attributes, options, written.options)
    combinations = combine_all(given, configurations)
    if jobs is not None and (isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 1):
        raise Error(f"jobs is {jobs!r}; it must be a whole number above 0")
    seconds = check_timeout(timeout)
    if resume and output is None:
        raise Error("resume needs the folder of an earlier sweep as output")
    found, processes = find_program(written.program if program is None else program), jobs or usable_cpus()
    if output is None:
        made = work_in_scratch(partial(Work, found, combinations, timeout=seconds, jobs=processes, keep_going=keep_going))
    else:
        folder = require_own(output)
        done: set[str] = set()
        if resume:
            combinations = with_earlier_names(folder, found, combinations)
            done = find_done(folder, found, combinations)
        made = Work(found, combinations, folder, seconds, processes, keep_going, done).do()
    warn(notes.count([notes.sentences(run.info) for run in made.runs]))
    return made


def work_in_scratch(work: Callable[..., Work]) -> Sweep:
    """Run a sweep in a folder that exists as long as its results, or as those of a run that has failed."""
    scratch = Scratch()
    try:
        made = work(folder=scratch.folder).do()
    except BaseException as error:
        if isinstance(error, Error) and error.results is not None:
            error.results.keeper = scratch
        else:
            scratch.remove()
        raise
    for results in made.runs:
        results.keeper = scratch
    return made


def is_file(path: Path) -> bool:
    """Return whether the file exists. A string such as a list of links may be longer than any valid file name."""
    try:
        return path.is_file()
    except OSError:
        return False


def list_choices(name: str, value: object) -> list[Choice]:
    """Return the values of an option."""
    if isinstance(value, Mapping):
        choices = [Choice(label, one) for label, one in value.items()]
    elif isinstance(value, SEVERAL):
        has_own_types = isinstance(value, (numpy.ndarray, pandas.Series, pandas.Index)) and value.dtype.kind != "m"
        values = value.tolist() if has_own_types else list(value)
        choices = [Choice(str(one) if isinstance(one, Path) else one, one) for one in values]
    elif name in FRAMES and isinstance(value, pandas.DataFrame):
        return [Choice(None, value)]
    else:
        choices = [Choice(value, value)]
    if not choices:
        raise Error(f"{name} has no value")
    for choice in choices:
        check_choice(name, choice)
    texts = [as_text(name, choice.label) for choice in choices]
    first: dict[object, str] = {}
    for text in texts:
        if (other := first.setdefault(meaning(text), text)) != text:
            raise Error(f"{name} has the values {other!r} and {text!r}, which are the same")
    if len(first) != len(texts):
        raise Error(f"{name} has the value {Counter(texts).most_common(1)[0][0]!r} twice")
    return choices


def check_choice(name: str, choice: Choice) -> None:
    """Reject a value that is not valid for a single run."""
    if isinstance(choice.label, pandas.DataFrame):
        raise Error(f"{name} has a frame without a label; write {name}={{'label': frame, ...}}")
    if choice.value is None:
        raise Error(f"{name} has None among its values; leave the option out, or write its default")
    if not (name in FRAMES and isinstance(choice.value, pandas.DataFrame)):
        as_text(name, choice.value)
    as_text(f"a label of {name}", choice.label)


def combine_all(given: Mapping[str, object], configurations: Mapping[str, Mapping[str, object]] | None) -> list[Combination]:
    """Return all combinations, in each configuration if there are any."""
    common = {name: list_choices(name, value) for name, value in given.items()}
    of_each = {"": common} if configurations is None else {name: common | own for name, own in read_configurations(configurations)}
    schemes = {as_text("scheme", choice.value) for options in of_each.values() for choice in options.get("scheme", ())}
    if configurations is None:
        return make_combinations("", common, schemes, {})
    named = [name for options in of_each.values() for name, choices in options.items() if choices[0].label is not None]
    columns = dict.fromkeys(named, "")
    return [one for name, options in of_each.items() for one in make_combinations(name, options, schemes, {CONFIGURATION: name, **columns})]


def read_configurations(configurations: Mapping[str, Mapping[str, object]]) -> Iterator[tuple[str, dict[str, list[Choice]]]]:
    """Return the names and options of configurations."""
    example = "{'lossless': {'scheme': 'DSH'}, 'lossy': {'scheme': 'DropTail'}}"
    if not isinstance(configurations, Mapping) or not configurations:
        raise Error(f"configurations is {configurations!r}; it must have options by names, as {example}")
    for name, own in configurations.items():
        if not isinstance(name, str) or not re.fullmatch(r"\w[\w.+-]*", name):
            raise Error(f"{name!r} is not the name of a configuration, which has letters, digits, and ._+-")
        if not isinstance(own, Mapping):
            raise Error(f"the configuration {name} is of type {type(own).__name__}; it must be a dict of options")
        flat = collect_options(None, None, None, own.get("attributes"), {key: own[key] for key in own if key != "attributes"}, {})
        yield name, {key: list_choices(key, value) for key, value in flat.items()}


def make_combinations(
    configuration: str, options: Mapping[str, Sequence[Choice]], schemes: Collection[str], columns: Mapping[str, object]
) -> list[Combination]:
    """Return all combinations in one configuration."""
    combinations = []

    def describe(name: str, choice: Choice) -> str:
        return f"{option_name(name)}-{as_text(name, choice.label)}"

    for run, chosen in combine(configuration, options, describe):
        lossy = "scheme" in chosen and has_no_classes(schemes, as_text("scheme", chosen["scheme"].value))
        void = [name for name in chosen if lossy and option_name(name) == "lossless-classes"]
        combinations.append(Combination(run, chosen, void, columns))
    return combinations


def require_own(output: str | Path) -> Path:
    """Return the folder of a sweep, which must not contain anything else."""
    folder = locate(output)
    if folder.exists() and any(path.name != LOCK for path in folder.iterdir()) and not (folder / RUNS).is_file():
        raise Error(f"{folder} holds other files and no sweep; name another folder")
    return folder


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold the lock of a sweep's folder, which is released when the process ends for any reason. Raises an Error if
    another sweep holds it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / LOCK, "w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Error(f"{folder} is in use: another sweep writes to it") from None
        except OSError as error:  # a network file system without locks
            raise Error(f"{folder} cannot be locked: {reason_of(error)}; name another folder") from None
        yield


def clear_folder(folder: Path, kept: Container[str]) -> None:
    """Remove what an earlier sweep has left in the folder, except for some runs."""
    remove_tables(folder)
    for run in (folder / "runs").glob("*"):
        if run.name not in kept:
            shutil.rmtree(run)


def read_runs(folder: Path) -> dict[str, tuple[str, str]]:
    """Return the program and the options of each run of an earlier sweep in the folder, by run name."""
    try:
        listed = json.loads((folder / RUNS).read_text(encoding="utf-8"))
        return {run["name"]: (run["program"], run["sum"]) for run in listed}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def with_earlier_names(folder: Path, program: Path, combinations: Sequence[Combination]) -> list[Combination]:
    """Return the runs with the names from the earlier sweep in the folder, in which other options may have had several
    values.
    """
    earlier = {run: name for name, run in read_runs(folder).items()}
    own = {one.name for one in combinations}
    named = []
    for one in combinations:
        name = earlier.pop((program.name, one.sum()), one.name)
        named.append(one if name in own else replace(one, name=name))
    return named


def find_done(folder: Path, program: Path, combinations: Sequence[Combination]) -> set[str]:
    """Return the names of the runs that an earlier sweep in the folder has completed."""
    earlier = read_runs(folder)
    same = [one.name for one in combinations if earlier.get(one.name) == (program.name, one.sum())]
    return {name for name in same if is_complete(folder / "runs" / name)}


def is_complete(folder: Path) -> bool:
    """Return whether a run has ended by itself and did not fail, so that its results are complete."""
    try:
        return load(folder).verdict.get("interrupted_by") is None and not (folder / FAILED).exists()
    except (OSError, ValueError, KeyError, TypeError):
        return False


@dataclass(frozen=True)
class Work:
    """The runs of a sweep and their execution."""

    program: Path
    combinations: Sequence[Combination]
    folder: Path
    timeout: float | None
    jobs: int
    keep_going: bool
    done: Container[str] = ()  # the names of the runs that exist already

    def do(self) -> Sweep:
        """Execute the runs, in place of those of an earlier sweep, unless the program refuses their options."""
        refused = self.find_refused()
        accepted = [one for one in self.combinations if one.name not in refused]
        if refused and not (self.keep_going and accepted):
            raise behind_name(*next(iter(refused.items())))
        with alone(self.folder):
            clear_folder(self.folder, self.done)
            return join(self.folder, self.combinations, self.make(accepted), refused)

    def find_refused(self) -> dict[str, Error]:
        """Return the reasons why the program refuses combinations, by run name, as far as the program can be asked."""
        check = Check()
        asks = {
            one.name: partial(ask_about, self.program, one.values(), self.get_place(one), check)
            for one in self.combinations
            if one.name not in self.done
        }
        return check.find_refused(self.program, asks, self.jobs)

    def get_place(self, combination: Combination) -> Path:
        return self.folder / "runs" / combination.name

    def make(self, combinations: Sequence[Combination]) -> dict[str, Results | Error]:
        """Return the results of each run, or why it has none. Without keep_going, the first failure is raised as an
        Error.
        """
        self.write_runs(combinations)
        processes = Processes()
        with ThreadPoolExecutor(self.jobs) as pool:
            work = {one.name: pool.submit(self.make_one, one, processes) for one in combinations}
            try:
                wait(work.values(), return_when=FIRST_EXCEPTION)
                raise_first(work.values())
            except BaseException:  # start no more runs, and end those that are executing
                pool.shutdown(wait=False, cancel_futures=True)
                processes.end()
                raise
        return {name: one.result() for name, one in work.items()}

    def make_one(self, combination: Combination, processes: Processes) -> Results | Error:
        place = self.get_place(combination)
        if combination.name in self.done:
            return load(place)
        try:
            return start_run(self.program, combination.values(), place, self.timeout, processes)
        except Error as error:
            if error.results:
                (place / FAILED).touch()
            if self.keep_going:
                return error
            raise behind_name(combination.name, error)

    def write_runs(self, combinations: Sequence[Combination]) -> None:
        """Record the runs of the sweep."""
        listed = [
            {
                "name": one.name,
                "program": self.program.name,
                "options": {option_name(name): str(label) for name, label in one.labels().items()},
                "sum": one.sum(),
            }
            for one in combinations
        ]
        with replaced(self.folder / RUNS) as file:
            file.write(json.dumps(listed, indent=1) + "\n")


def behind_name(name: str, error: Error) -> Error:
    """Return the same error with the name of the run."""
    error.args = (f"{name}: {error}",)
    return error


def raise_first(work: Iterable[Future]) -> None:
    """Raise the exception of the first failed run, if any."""
    for one in work:
        if one.done() and (error := one.exception()):
            raise error


def join(
    folder: Path, combinations: Sequence[Combination], made: Mapping[str, Results | Error], refused: Mapping[str, Error]
) -> Sweep:
    """Return the table of a sweep, after writing it to the folder."""
    pairs = [(one, {**refused, **made}[one.name]) for one in combinations]
    good = [(one, found) for one, found in pairs if isinstance(found, Results)]
    bad = [
        failure_row(one.labels(), one.name, one.name in refused, str(found))
        for one, found in pairs
        if isinstance(found, Error)
    ]
    failures = pandas.DataFrame(bad, columns=[*combinations[0].labels(), *LAST_OF_FAILURES])
    # Read only for the table, because the results of a thousand runs need not be in memory at once.
    rows = [make_row(one.labels(), load(found.folder), f"runs/{one.name}") for one, found in good]
    table = pandas.DataFrame(rows)
    parameters = list(table.columns[: table.columns.get_loc(FIRST_MEASURE)]) if good else []
    if good:
        write_table(folder / SWEEP_TABLE, table, parameters)
    if bad:
        write_table(folder / FAILURES, failures, list(failures))
    return Sweep(folder, describe_sweep(table, parameters), [found for _, found in good], failures)


def column_of_option(name: str) -> str:
    """Return the name in a file of the column of an option, possibly with an addition, as of "flows (option)"."""
    option, *addition = name.split(" ", 1)
    return " ".join((option_name(option), *addition))


def write_table(path: Path, table: pandas.DataFrame, texts: Sequence[str]) -> None:
    """Write a table with some columns as text. Options have the names that they have on the command line, as in the
    tables of scripts/sweep.
    """
    written = table.assign(**{name: [as_text(name, value) for value in table[name]] for name in texts})
    written = written.rename(columns={name: column_of_option(name) for name in texts})
    with replaced(path) as file:
        written.to_csv(file, index=False, float_format="%.6g")
