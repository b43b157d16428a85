# SPDX-License-Identifier: GPL-2.0-only
"""Creates the page of the columns of results and their schemas, from lossless/columns.csv. Neither is kept in the
repository.

A table has a Table Schema, as read by tools of Frictionless Data, with the additional property "unit"; run.json has a
JSON Schema.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from lossless.columns import Column, read_columns, read_files, unit_of
from tools.common import ROOT, Failure, make_folder

PAGE = ROOT / "doc" / "columns.rst"
FOLDER = "schemas"  # below the folder of the pages
WITH_OPTIONS = ("sweep.csv", "failures.csv")  # their first columns are options, which differ
CONSTRAINED = {"integer": int, "number": float}
HEAD = """\
Files and Columns
=================

This page is for readers of results: each file that a run writes, with the type, unit and meaning of its columns. :doc:`outputs` says
which run writes what. Times are simulated, nodes have the names of the topology, and a *priority* is a traffic class, 0 to 7.
``empty``, ``null`` and ``absent`` mark what may have no value. Each file has a schema for other programs: a `Table Schema
<https://specs.frictionlessdata.io/table-schema/>`__, or the JSON Schema of run.json.
"""


def make_page() -> str:
    files = read_files()
    return "\n".join([HEAD, *(describe_file(name, columns, files[name]) for name, columns in read_columns().items())])


def describe_file(name: str, columns: Sequence[Column], what: str) -> str:
    lines = [name, "-" * len(name), "", f"{what} (`schema <{FOLDER}/{Path(name).stem}.json>`__)", ""]
    lines += [".. list-table::", "   :header-rows: 1", "   :widths: 26 18 56", "", "   * - column", "     - values", "     - meaning"]
    # Columns with the same description share a row, such as node and port.
    for key, group in itertools.groupby(columns, lambda column: column.meaning or column.name):
        same = [*group]
        kinds = dict.fromkeys(map(describe_values, same))
        lines.append(f"   * - {', '.join(f'``{column.name}``' for column in same)}")
        lines.append(f"     - {'; '.join(kinds)}")
        lines.append(f"     - {key if same[0].meaning else ''}".rstrip())
    return "\n".join(lines) + "\n"


def describe_values(column: Column) -> str:
    kind = "one of " + ", ".join(f"``{value}``" for value in column.values) if column.values else " or ".join(column.types)
    return ", ".join(filter(None, (kind, unit_of(column.name), column.may_be)))


def make_schemas() -> dict[str, str]:
    """Return the schemas by file name."""
    return {
        f"{Path(name).stem}.json": json.dumps(schema, indent=2, ensure_ascii=False) + "\n" for name, schema in describe_all(read_files())
    }


def describe_all(files: Mapping[str, str]) -> Iterator[tuple[str, dict[str, object]]]:
    for name, columns in read_columns().items():
        check(name, columns, files.get(name, ""))
        yield name, make_json_schema(columns) if name.endswith(".json") else make_table_schema(name, columns, files[name])


def check(name: str, columns: Sequence[Column], what: str) -> None:
    """Check that each column is described, either individually or in the description of its file."""
    if not what:
        raise Failure(f"columns.csv does not say what {name} is")
    for column in columns:
        if not column.meaning and column.name not in re.findall(r"\w+", what):
            raise Failure(f"columns.csv does not explain {column.name} of {name}")


def write_schemas(pages: Path) -> None:
    folder = make_folder(pages / FOLDER)
    for name, text in make_schemas().items():
        (folder / name).write_text(text, encoding="utf-8")


def plain(text: str) -> str:
    """Return a passage without markup."""
    return re.sub(r":\w+:`([^`]*)`|``([^`]*)``|\*([^*]+)\*", lambda found: found[1] or found[2] or found[3], text)


def make_table_schema(name: str, columns: Sequence[Column], what: str) -> dict[str, object]:
    match = {"fieldsMatch": "superset"} if name in WITH_OPTIONS else {}
    fields = [describe_field(column) for column in columns]
    return {"name": Path(name).stem, "path": name, "description": plain(what), **match, "missingValues": [""], "fields": fields}


def describe_field(column: Column) -> dict[str, object]:
    field: dict[str, object] = {"name": column.name, "type": column.types[0]}
    if unit := unit_of(column.name):
        field["unit"] = unit
    if column.meaning:
        field["description"] = plain(column.meaning)
    constraints: dict[str, object] = {} if column.may_be else {"required": True}
    if column.values:
        constraints["enum"] = convert(column)
    return field | ({"constraints": constraints} if constraints else {})


def convert(column: Column) -> list[object]:
    """Return the values of a column, converted to its type."""
    return [CONSTRAINED.get(column.types[0], str)(value) for value in column.values]


def make_json_schema(columns: Sequence[Column]) -> dict[str, object]:
    schema: dict[str, object] = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "run.json"}
    for column in columns:
        add_member(schema, re.findall(r"[^.\[\]]+|\[\]", column.name), column)
    return schema


def add_member(schema: dict, path: Sequence[str], column: Column) -> None:
    """Add a member to the schema of an object or a list, by the rest of its path."""
    if not path:
        types = [*column.types, *(["null"] if column.may_be == "null" else [])]
        if column.meaning:
            schema["description"] = plain(column.meaning)
        schema["type"] = types if len(types) > 1 else types[0]
        if column.values:
            schema["enum"] = convert(column)
        return
    step, rest = path[0], path[1:]
    if step == "[]":
        schema["type"] = "array"
        add_member(schema.setdefault("items", {}), rest, column)
        return
    schema["type"] = "object"
    if step == "*":
        add_member(schema.setdefault("additionalProperties", {}), rest, column)
        return
    schema["additionalProperties"] = False
    required = schema.setdefault("required", [])
    if step not in required and column.may_be != "absent":
        required.append(step)
    add_member(schema.setdefault("properties", {}).setdefault(step, {}), rest, column)
