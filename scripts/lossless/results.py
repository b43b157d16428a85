# SPDX-License-Identifier: GPL-2.0-only
"""Reads result folders of runs and tables of sweeps as pandas frames. columns.csv explains each file and column."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas

from lossless.columns import text_columns, unit_of
from lossless.grid import SWEEP_TABLE
from lossless.values import NUMBER

# The supported versions of the folder format (`schema_version` in run.json).
SCHEMA_VERSIONS = range(2, 6)
# The text columns of sweep.csv, and the first column that is not an option of the program.
SWEEP_TEXT = {"outcome": str, "folder": str}
FIRST_MEASURE = "outcome"
# The members of run.json that some versions lack, with their types.
PARTS = {"attributes": list, "files": list, "hints": list, "spec": dict, "measured": dict}
# The members of run.json and of its verdict that are columns of sweep.csv.
VERDICT = ("outcome", "deadlock", "flows", "unfinished_flows", "lost_frames")
MEMBERS = (
    "simulated_ns",
    "packet_hops",
    "pauses",
    "max_pause_depth",
    "paused_hosts",
    "victim_flows",
    "retransmitted_packets",
    "marked_frames",
    "trimmed_frames",
    "cnps",
    "naks",
)


class Results(Mapping):
    """The tables of a result folder, by file name without ".csv". A table is read when it is first accessed.

    `run.flows` is flows.csv, `run.pause_depths` or `run["pause-depths"]` is pause-depths.csv. The names of columns end
    in their unit, which is also in `run.flows.attrs["units"]`: "ns", "B", "bit/s". An empty field is NaN or, in a text
    column, an empty string. `run.info` is run.json, and `run.verdict` is the verdict in it.
    """

    # frames cannot be compared as a whole
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        if not self.folder.is_dir():
            raise FileNotFoundError(f"{folder} is not a folder")
        self.info: dict[str, Any] = read_info(self.folder)
        self.keeper: object = None
        """What must not end before this object, as a temporary folder that has the results."""
        self._tables: dict[str, pandas.DataFrame] = {}

    @property
    def verdict(self) -> dict[str, Any]:
        """The verdict of the run. Its "outcome" is "lossless", "lossy", "violated", "unfinished", "interrupted" or
        "empty".
        """
        return self.info["verdict"]

    def summarize(self) -> dict[str, object]:
        """Return the numbers of a row in sweep.csv. Times and slowdowns are those of the measured flows that have
        arrived.
        """
        return {
            **{name: self.verdict[name] for name in VERDICT},
            **{name: self.info.get(name) for name in MEMBERS},  # older versions lack some of these members
            "paused_ns": int(self.pauses.paused_ns.sum()),
            **self.summarize_flows(),
            **self.summarize_collectives(),
        }

    def summarize_flows(self) -> dict[str, float]:
        """Return times and slowdowns of flows. Without flows.csv (--flows-csv), they are taken from run.json, which
        lacks the 90th percentile.
        """
        names = ("mean_fct_ns", "median_fct_ns", "p99_fct_ns", "mean_slowdown", "p90_slowdown", "p99_slowdown")
        if "flows" not in self and self.info.get("victim_flows", 0) is None:
            found = {name: self.info["measured"].get(name) for name in names}
            return {name: math.nan if value is None else value for name, value in found.items()}
        flows = self.measured_flows
        times, slowdowns = flows.fct_ns.dropna(), flows.slowdown.dropna()
        quantiles = (times.mean(), times.median(), times.quantile(0.99), slowdowns.mean(), slowdowns.quantile(0.9), slowdowns.quantile(0.99))
        return dict(zip(names, quantiles, strict=True))

    def summarize_collectives(self) -> dict[str, float]:
        """Return the time from the start of the first collective to the end of the last one, and means over all
        collectives; NaN if there are none or if some are incomplete.
        """
        found = self.get("collectives")
        if found is None or found.empty or found.end_ns.isna().any():
            return dict.fromkeys(("collectives_ns", "bus_gbps", "waiting_share"), math.nan)
        return {
            "collectives_ns": float(found.end_ns.max() - found.start_ns.min()),
            "bus_gbps": found.bus_gbps.mean(),
            "waiting_share": found.waiting_share.mean(),
        }

    def __getitem__(self, name: str) -> pandas.DataFrame:
        if name not in self._tables:
            path = self.folder / f"{name}.csv"
            if not path.is_file():
                raise KeyError(f"{self.folder} has no {name}.csv")
            table = read_table(path)
            if name == "flows":
                self._require_all(table)
            self._tables[name] = table
        return self._tables[name]

    def _require_all(self, flows: pandas.DataFrame) -> None:
        """Raise ValueError if flows.csv has lost rows."""
        verdict = self.info.get("verdict")
        if not isinstance(verdict, dict) or not isinstance(verdict.get("flows"), int):
            return
        # With --flows-csv=stream, which also writes flow-groups.csv, rows are those of flows that have ended.
        left_out = verdict.get("unfinished_flows", 0) if "flow-groups" in self else 0
        known = verdict["flows"] - left_out
        if len(flows) < known:
            raise ValueError(f"{self.folder / 'flows.csv'} has {len(flows)} of {known} flows; the file is cut off")

    @property
    def measured_flows(self) -> pandas.DataFrame:
        """Return the flows that started between --measure-from and --measure-until, or all flows without these options.
        """
        return measured(self["flows"], self.info)

    def __getattr__(self, name: str) -> pandas.DataFrame:
        if name.startswith("_"):  # such names are Python's own, for example those used by copy
            raise AttributeError(name)
        try:
            return self[name.replace("_", "-")]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({path.stem for path in self.folder.glob("*.csv")} | {*self._tables}))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __dir__(self) -> list[str]:
        """Includes the tables, for tab completion."""
        return [*super().__dir__(), *(name.replace("-", "_") for name in self)]

    def __getstate__(self) -> dict[str, Any]:
        """A copy, for example for another process, contains all tables if the folder is temporary."""
        if self.keeper:
            for name in self:
                self[name]
        return {**self.__dict__, "keeper": None}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.info['program']}: {self.verdict['outcome']}; tables: {', '.join(self)}>"


def measured(flows: pandas.DataFrame, info: Mapping) -> pandas.DataFrame:
    """Return the flows that started in the measured time according to run.json. If this time has no end, flows that
    never started are included.
    """
    window = info.get("measured", {})
    first, end = window.get("from_ns", 0), window.get("until_ns")
    if not first and end is None:
        return flows
    within = ~(flows.start_ns < first)
    return flows[within if end is None else within & (flows.start_ns < end)]


def load(folder: str | Path) -> Results:
    """Return the results that a program has written with --output=FOLDER.

    Raises FileNotFoundError if there is no such folder or if it contains no result, and ValueError if a file in it is
    damaged or belongs to another program or version.
    """
    return Results(folder)


def read_info(folder: Path) -> dict:
    """Return run.json of a result folder."""
    path = folder / "run.json"
    try:
        info = json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise FileNotFoundError(
            f"{folder} is not a result folder: it has no run.json, which a program with --output=DIR writes there"
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
    for name, kind in PARTS.items():
        if not isinstance(info.setdefault(name, kind()), kind):
            raise ValueError(f"{path} has {json.dumps(info[name])[:40]} as {name}, which is something else in results of this module")
    if missing := [name for name in info["files"] if not (folder / str(name)).is_file()]:
        info["hints"].append(f"The folder lacks files of this run, which are taken for empty: {', '.join(map(str, missing))}.")
    return info


def complaint(path: Path, error: ValueError) -> str:
    """Return the reason why a file cannot be read, in one sentence."""
    if isinstance(error, UnicodeDecodeError):
        return f"{path} cannot be read: line {find_foreign_line(path)} is not UTF-8 text"
    return f"{path} cannot be read: {' '.join(str(error).split())}"


def find_foreign_line(path: Path) -> int:
    """Return the number of the first line that is not UTF-8."""
    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        try:
            line.decode("utf-8")
        except UnicodeDecodeError:
            return number
    raise ValueError(f"{path} is UTF-8 text")


def load_sweep(place: str | Path) -> pandas.DataFrame:
    """Return sweep.csv of scripts/sweep, given by its folder or its own name.

    Options of the program are columns of numbers if all their values are numbers, and otherwise columns of text as it
    was written: "None" is a name, whereas pandas.read_csv() would read a missing value. `attrs["parameters"]` lists
    these columns, and `attrs["units"]` contains the units of the others, in which an empty field is NaN.

    Raises FileNotFoundError if there is no such file, and ValueError if it is damaged or another table.
    """
    path = Path(place)
    if path.is_dir():
        path /= SWEEP_TABLE
    if not path.is_file():
        raise FileNotFoundError(f"{path} is not a file; scripts/sweep writes its table there when runs have ended")
    names = read_csv(path, dtype=str, nrows=0).columns
    if not {*SWEEP_TEXT} <= {*names}:
        raise ValueError(f"{path} is not a table of scripts/sweep, which has the columns {' and '.join(SWEEP_TEXT)}")
    parameters = [*names[: names.get_loc(FIRST_MEASURE)]]
    values = {name: "" for name in names if name not in parameters}
    frame = read_csv(path, dtype=dict.fromkeys(parameters, str) | SWEEP_TEXT, na_values=values)
    for name in parameters:
        if frame[name].map(lambda text: NUMBER.fullmatch(text) is not None).all():
            frame[name] = pandas.to_numeric(frame[name])
    return describe_sweep(frame, parameters)


def make_row(options: Mapping[str, object], results: Results, place: str) -> dict[str, object]:
    """Return a row of a sweep's table: the options of a run, its outcome, and its folder."""
    found = {**results.summarize(), "folder": place}
    return {f"{name} (option)" if name in found else name: value for name, value in options.items()} | found


def describe_sweep(frame: pandas.DataFrame, parameters: list[str]) -> pandas.DataFrame:
    """Return the table of a sweep with its attributes."""
    frame.attrs["parameters"] = parameters
    frame.attrs["units"] = {name: unit for name in frame if name not in parameters and (unit := unit_of(name))}
    return frame


def require_whole_rows(path: Path) -> None:
    """Raise ValueError if a row of a file of results is cut off, which pandas would fill with missing values."""
    content = path.read_bytes()
    lines = content.split(b"\n")
    commas = lines[0].count(b",")
    if content.count(b",") == commas * (len(lines) - 1) and not lines[-1]:
        return
    number = 0 if not lines[-1] else len(lines)
    if b'"' not in content:
        number = next((place for place, line in enumerate(lines, 1) if line and line.count(b",") < commas), number)
    if number:
        raise ValueError(f"{path} cannot be read: line {number} is cut off")


def read_csv(path: Path, **options: object) -> pandas.DataFrame:
    """Return a file whose text columns are read literally. Raises ValueError with a one-sentence reason if it cannot be
    read.
    """
    require_whole_rows(path)
    try:
        return pandas.read_csv(
            path,
            keep_default_na=False,
            float_precision="round_trip",  # the faster method is wrong in the last digit
            encoding="utf-8",
            **options,
        )
    except ValueError as error:
        raise ValueError(complaint(path, error)) from None


def read_table(path: str | Path) -> pandas.DataFrame:
    """Return one file of a result folder. An empty field is NaN or, in a text column, an empty string.

    Raises ValueError if the file is damaged.
    """
    path = Path(path)
    text = text_columns(path.stem)
    frame = read_csv(path, dtype=dict.fromkeys(text, str), na_values=[""])
    for name in frame.columns.intersection([*text]):
        if frame[name].hasnans:
            frame[name] = frame[name].fillna("")
    frame.attrs["units"] = {name: unit for name in frame if (unit := unit_of(name))}
    return frame
