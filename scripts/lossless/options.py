# SPDX-License-Identifier: GPL-2.0-only
"""Converts options from Python to the command line: values become strings, and frames become files."""

from __future__ import annotations

import csv
import datetime
import math
import os
import re
from collections.abc import Mapping
from pathlib import Path

import numpy
import pandas

from lossless.programs import Error

NAMESPACE = "ns3::lossless::"
NAME = re.compile(r"[A-Za-z][\w:-]*")
# In a file of the module, these characters end a field or a line, begin a comment, or cannot be part of a name.
UNFIT = re.compile(r"[,;\"'\s]|^#")
# The options that may be frames.
FRAMES = ("topology", "flows")
# The defaults of the columns that a frame of flows may lack.
FLOW_DEFAULTS = {"id": None, "priority": 3, "start_ns": 0, "group": ""}


def option_name(name: str) -> str:
    """Return the name of an option on the command line. For example, congestion_control becomes --congestion-control.
    """
    if not NAME.fullmatch(name):
        raise Error(f"{name!r} is not the name of an option")
    return name if "::" in name else name.replace("_", "-")


def attribute_name(name: object) -> str:
    """Return the full name of an attribute, which may be given without the module's namespace."""
    if not isinstance(name, str) or not NAME.fullmatch(name) or "::" not in name:
        raise Error(f"{name!r} is not an attribute; write its class, too, as RoceNic::Window")
    return name if name.startswith("ns3::") else f"{NAMESPACE}{name}"


def as_text(name: str, value: object) -> str:
    """Return the value of an option as on the command line."""
    if isinstance(value, (bool, numpy.bool_)):
        return "true" if value else "false"
    if isinstance(value, (datetime.timedelta, numpy.timedelta64)):  # bool is also an integer type
        return f"{pandas.Timedelta(value).value}ns"
    if isinstance(value, (int, numpy.integer)):
        return str(int(value))
    if isinstance(value, (float, numpy.floating)):
        return number_as_text(float(value))
    if not isinstance(value, (str, Path)):
        wanted = "the name of a file, or a frame" if name in FRAMES else "a text, a number, a time or a truth value"
        raise Error(f"{name} is of type {type(value).__name__}; it must be {wanted}")
    text = str(value)
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        text += "\0"
    if "\0" in text:
        raise Error(f"{name} has a character that a command line cannot have")
    return text


def number_as_text(number: float) -> str:
    """Return a number with all of its digits, without a decimal point if it is whole, because integer options do not
    accept one.
    """
    return str(int(number)) if number.is_integer() else repr(number)


def write_frame(name: str, frame: pandas.DataFrame, path: Path) -> None:
    """Write a frame of flows or links to a file. The program that reads the file validates its content."""
    if name == "flows":
        frame = complete_flows(frame)
    columns = [field_as_text(name, "a column's name", column) for column in frame.columns]
    fields = [fields_as_text(name, column, frame.iloc[:, number]) for number, column in enumerate(columns)]
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_NONE)
        writer.writerow(columns)
        writer.writerows(zip(*fields))


def complete_flows(frame: pandas.DataFrame) -> pandas.DataFrame:
    """Return the frame with the columns that may be omitted."""
    missing = {column: value for column, value in FLOW_DEFAULTS.items() if column not in frame}
    if "id" in missing:
        missing["id"] = range(len(frame))
    return frame.assign(**missing)


def fields_as_text(name: str, column: str, values: pandas.Series) -> list[str]:
    """Return the fields of a column as strings. Numbers and repeated names are converted faster."""
    kind = values.dtype.kind if isinstance(values.dtype, numpy.dtype) else ""
    if kind in ("i", "u"):
        return [str(value) for value in values.tolist()]
    if kind == "f":
        return ["" if math.isnan(value) else number_as_text(value) for value in values.tolist()]
    known: dict[str, str] = {}
    texts = []
    for row, value in enumerate(values):
        text = known.get(value) if isinstance(value, str) else None
        if text is None:
            text = field_as_text(name, f"{column} of row {row}", value)
            if isinstance(value, str):
                known[value] = text
        texts.append(text)
    return texts


def field_as_text(name: str, place: str, value: object) -> str:
    """Return a field of a file, in which nothing is quoted."""
    if isinstance(value, (bool, numpy.bool_)):
        return str(int(value))
    is_scalar = pandas.api.types.is_scalar(value)
    text = "" if is_scalar and pandas.isna(value) else as_text(f"{place} in {name}", value)
    if found := UNFIT.search(text):
        raise Error(f"{place} in {name} is {text!r}; it cannot have the character {found[0]!r}")
    return text


def name_frames(sentence: str, frames: Mapping[str, Path]) -> str:
    """Rewrite a program's sentence about files of frames, so that it refers to rows of the frames."""
    for name, path in frames.items():
        sentence = re.sub(
            rf"{re.escape(str(path))}(?::(\d+))?",
            lambda found: f"{name}, " + (f"row {int(found[1]) - 2}" if int(found[1]) > 1 else "columns")
            if found[1]
            else f"the frame of {name}",
            sentence,
        )
    return sentence
