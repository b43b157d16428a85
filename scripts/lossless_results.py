# SPDX-License-Identifier: GPL-2.0-only
"""The result folder of a run as pandas frames; doc/outputs.rst explains each file and column.

    import lossless_results
    run = lossless_results.load("my-run")
    run.flows.fct_ns.median()               # a frame for each file: run.pauses, run["pause-depths"], ...
    run.flows.attrs["units"]["fct_ns"]      # "ns"
    run.info["verdict"]["outcome"]          # run.json: "lossless"

This file needs pandas and nothing else from the repository: your own script finds it with
PYTHONPATH=.../scripts, or with a copy of it in the same folder.
"""

from __future__ import annotations

import json
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
        try:
            self.info = json.loads((self.folder / "run.json").read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise FileNotFoundError(
                f"{folder} is no result folder: it has no run.json, which a program with --output=DIR writes there"
            ) from None
        except ValueError as error:
            raise ValueError(f"{self.folder / 'run.json'} cannot be read: {error}") from None
        if not isinstance(self.info, dict) or self.info.get("schema") != "lossless-run":
            raise ValueError(f"{self.folder / 'run.json'} is not the description of a run of this module")
        self._tables: dict[str, pandas.DataFrame] = {}

    def __getitem__(self, name: str) -> pandas.DataFrame:
        if name not in self._tables:
            path = self.folder / f"{name}.csv"
            if not path.is_file():
                raise KeyError(f"{self.folder} has no {name}.csv")
            self._tables[name] = read_table(path)
        return self._tables[name]

    def __getattr__(self, name: str) -> pandas.DataFrame:
        try:
            return self[name.replace("_", "-")]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(path.stem for path in self.folder.glob("*.csv")))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def load(folder: str | Path) -> Results:
    """The results that a program has written with --output=FOLDER.

    FileNotFoundError if there is no such folder, or no result in it; ValueError if a file of it is damaged.
    """
    return Results(folder)


def read_table(path: str | Path) -> pandas.DataFrame:
    """One file of a result folder. An empty field is not a number (NaN), in a column of text an empty one."""
    path = Path(path)
    text = TEXT | {"priority"} if path.stem in TEXT_CLASSES else TEXT
    try:
        frame = pandas.read_csv(
            path,
            dtype=dict.fromkeys(text, str),
            keep_default_na=False,
            na_values=[""],
            float_precision="round_trip",  # the quicker way is wrong in the last digit
            encoding="utf-8",
        )
    except ValueError as error:
        raise ValueError(f"{path} cannot be read: {error}") from None
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
