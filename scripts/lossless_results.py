# SPDX-License-Identifier: GPL-2.0-only
"""The result folder of a run as pandas frames; doc/outputs.rst explains each file and column.

    import lossless_results
    run = lossless_results.load("my-run")
    run.flows.fct_ns.median()               # a frame for each file: run.pauses, run["pause-depths"], ...
    run.flows.attrs["units"]["fct_ns"]      # "ns"
    run.info["verdict"]["outcome"]          # run.json: "lossless"

    table = lossless_results.load_sweep("results/load")     # a row for each run of scripts/sweep
    table.groupby(table.attrs["parameters"]).p99_slowdown.mean()

This file needs pandas and nothing else from the repository: your own script finds it with
PYTHONPATH=.../scripts, or with a copy of it in the same folder.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pandas

# Names and labels stay text, whatever they look like: a host may be called 7, and a group "none".
TEXT = frozenset(
    "client cycle destination flow group kind name node node_a node_b reason root_node server side source".split()
    + "delay kind_a kind_b rate".split()
)
# "port", "flows of 3" and "control" are among the classes of these tables.
TEXT_CLASSES = frozenset(["pauses", "pause-events", "drops"])
# The versions of the folder's format that can be read: `schema_version` of run.json.
SCHEMA_VERSIONS = range(2, 6)
# Columns of sweep.csv that are text, and the first one that is no option of the program.
SWEEP_TEXT = {"outcome": str, "folder": str}
FIRST_MEASURE = "outcome"
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
# A column tells its unit by its last word.
UNITS = {
    "ns": "ns",
    "us": "us",
    "ms": "ms",
    "s": "s",
    "bytes": "B",
    "kb": "kB",
    "percent": "%",
    "per_second": "1/s",
    "bits_per_second": "bit/s",
}


class Results(Mapping):
    """The tables of a result folder by the name of their file, without ".csv"; each is read when it is asked for."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        if not self.folder.is_dir():
            raise FileNotFoundError(f"{folder} is no folder")
        self.info = read_info(self.folder)
        self._tables: dict[str, pandas.DataFrame] = {}

    def __getitem__(self, name: str) -> pandas.DataFrame:
        if name not in self._tables:
            path = self.folder / f"{name}.csv"
            if not path.is_file():
                raise KeyError(f"{self.folder} has no {name}.csv")
            self._tables[name] = read_table(path)
        return self._tables[name]

    @property
    def measured_flows(self) -> pandas.DataFrame:
        """The flows that started in the time of --measure-from and --measure-until; without these, all."""
        return measured(self.flows, self.info)

    def __getattr__(self, name: str) -> pandas.DataFrame:
        try:
            return self[name.replace("_", "-")]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(path.stem for path in self.folder.glob("*.csv")))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def measured(flows: pandas.DataFrame, info: Mapping) -> pandas.DataFrame:
    """Those of the flows that started in the time which run.json says was measured."""
    window = info.get("measured", {})
    first, end = window.get("from_ns", 0), window.get("until_ns")
    if not first and end is None:
        return flows
    started = flows.start_ns >= first
    return flows[started if end is None else started & (flows.start_ns < end)]


def load(folder: str | Path) -> Results:
    """The results that a program has written with --output=FOLDER.

    FileNotFoundError if there is no such folder, or no result in it; ValueError if a file of it is damaged, or of
    another program or version.
    """
    return Results(folder)


def read_info(folder: Path) -> dict:
    """run.json of a result folder."""
    path = folder / "run.json"
    try:
        info = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise FileNotFoundError(
            f"{folder} is no result folder: it has no run.json, which a program with --output=DIR writes there"
        ) from None
    except ValueError as error:
        raise ValueError(complaint(path, error)) from None
    if not isinstance(info, dict) or info.get("schema") != "lossless-run":
        raise ValueError(f'{path} is not the description of a run of this module, which begins with "schema": "lossless-run"')
    version = info.get("schema_version")
    if version not in SCHEMA_VERSIONS:
        raise ValueError(
            f"{path} has schema_version {json.dumps(version)}; {SCHEMA_VERSIONS[0]} to {SCHEMA_VERSIONS[-1]} can be read: "
            "read it with the scripts of the version that has written it"
        )
    return info


def complaint(path: Path, error: ValueError) -> str:
    """Why a file cannot be read, in one sentence."""
    if isinstance(error, UnicodeDecodeError):
        return f"{path} cannot be read: line {find_foreign_line(path)} is not UTF-8 text"
    return f"{path} cannot be read: {' '.join(str(error).split())}"


def find_foreign_line(path: Path) -> int:
    """The number of the first line that is not UTF-8."""
    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        try:
            line.decode("utf-8")
        except UnicodeDecodeError:
            return number
    raise ValueError(f"{path} is UTF-8 text")


def load_sweep(place: str | Path) -> pandas.DataFrame:
    """sweep.csv of scripts/sweep, by its folder or its own name.

    Options of the program are columns of numbers if all their values are numbers, and otherwise of text, as they were
    written: "None" is a name there, no missing value as pandas.read_csv() has it. `attrs["parameters"]` names these
    columns, `attrs["units"]` has the units of the others, in which an empty field is NaN.

    FileNotFoundError if there is no such file; ValueError if it is damaged or another table.
    """
    path = Path(place)
    if path.is_dir():
        path /= "sweep.csv"
    if not path.is_file():
        raise FileNotFoundError(f"{path} is no file; scripts/sweep writes its table there when runs have ended")
    names = read_csv(path, dtype=str, nrows=0).columns
    if not {*SWEEP_TEXT} <= {*names}:
        raise ValueError(f"{path} is no table of scripts/sweep, which has the columns {' and '.join(SWEEP_TEXT)}")
    parameters = [*names[: names.get_loc(FIRST_MEASURE)]]
    values = {name: "" for name in names if name not in parameters}
    frame = read_csv(path, dtype=dict.fromkeys(parameters, str) | SWEEP_TEXT, na_values=values)
    for name in parameters:
        if frame[name].map(lambda text: NUMBER.fullmatch(text) is not None).all():
            frame[name] = pandas.to_numeric(frame[name])
    frame.attrs["parameters"] = parameters
    frame.attrs["units"] = {name: unit for name in frame if name not in parameters and (unit := unit_of(name))}
    return frame


def read_csv(path: Path, **options: object) -> pandas.DataFrame:
    """A file with text as it stands there; ValueError tells in one sentence why it cannot be read."""
    try:
        return pandas.read_csv(
            path,
            keep_default_na=False,
            float_precision="round_trip",  # the quicker way is wrong in the last digit
            encoding="utf-8",
            **options,
        )
    except ValueError as error:
        raise ValueError(complaint(path, error)) from None


def read_table(path: str | Path) -> pandas.DataFrame:
    """One file of a result folder. An empty field is not a number (NaN), in a column of text an empty one."""
    path = Path(path)
    text = TEXT | {"priority"} if path.stem in TEXT_CLASSES else TEXT
    frame = read_csv(path, dtype=dict.fromkeys(text, str), na_values=[""])
    for name in frame.columns.intersection([*text]):
        if frame[name].hasnans:
            frame[name] = frame[name].fillna("")
    frame.attrs["units"] = {name: unit for name in frame if (unit := unit_of(name))}
    return frame


def unit_of(column: str) -> str | None:
    """What a column is measured in, by its name; None where it is a number of things, a share or a label."""
    words = column.split("_")
    endings = ("_".join(words[start:]) for start in range(len(words)))
    return next((UNITS[ending] for ending in endings if ending in UNITS), None)
