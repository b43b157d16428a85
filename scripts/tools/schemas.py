# SPDX-License-Identifier: GPL-2.0-only
"""The schemas in doc/schemas/: columns and types are those of lossless/columns.csv, what they mean is in doc/outputs.rst.

A table has a Table Schema as tools of Frictionless Data read it, with a property "unit" besides; run.json has a JSON Schema.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from lossless.columns import Column, read_columns, unit_of
from tools.common import ROOT, Failure

FOLDER = ROOT / "doc" / "schemas"
PAGE = ROOT / "doc" / "outputs.rst"
# Their first columns are options, which differ; and the section of the page that is about them.
WITH_OPTIONS = {"sweep.csv": "Sweeps", "failures.csv": "Sweeps"}
BORDER = re.compile(r"^(=+)( +)=+$")
CONSTRAINED = {"integer": int, "number": float}


def make_schemas(page: str | None = None) -> dict[str, str]:
    """The schemas by names of their files."""
    sections = read_sections(PAGE.read_text(encoding="utf-8") if page is None else page)
    return {
        f"{Path(name).stem}.json": json.dumps(make_schema(name, columns, sections), indent=2, ensure_ascii=False) + "\n"
        for name, columns in read_columns().items()
    }


def write_schemas() -> None:
    """Writes those that have changed, and removes those of files that are no more."""
    schemas = make_schemas()
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.json"):
        if path.name not in schemas:
            path.unlink()
    for name, text in schemas.items():
        path = FOLDER / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def read_sections(page: str) -> dict[str, str]:
    """The sections of the page by their titles; a row of a table about several files is a section, too."""
    parts = re.split(r"^(\S.*)\n-+\n", page, flags=re.MULTILINE)
    sections = dict(zip(parts[1::2], parts[2::2]))
    for text in list(sections.values()):
        for names, meaning in read_rows(text):
            sections = {name: meaning for name in names if name.endswith(".csv")} | sections
    return sections


def read_rows(section: str) -> Iterator[tuple[list[str], str]]:
    """The names and the meaning in each row of the tables of a section."""
    names, meaning, start = "", "", 0
    for line in [*section.splitlines(), "="]:
        is_border = BORDER.match(line)
        name, text = line[:start].strip(), line[start:].strip()
        is_new = bool(name) and not names.endswith(",")
        if names and (is_border or not line or is_new):
            yield re.split(r", *", names), plain(meaning)
            names = meaning = ""
        if is_border:
            start = len(is_border[1]) + len(is_border[2])
        elif not line:
            start = 0
        elif start:
            names, meaning = f"{names} {name}".strip(), f"{meaning} {text}".strip()


def plain(text: str) -> str:
    """A passage without markup."""
    return re.sub(r":\w+:`([^`]*)`|``([^`]*)``|\*([^*]+)\*", lambda found: found[1] or found[2] or found[3], text)


def make_schema(name: str, columns: Sequence[Column], sections: Mapping[str, str]) -> dict[str, object]:
    section = sections.get(WITH_OPTIONS.get(name, name))
    if section is None:
        raise Failure(f"doc/outputs.rst has no section about {name}")
    meanings = {one: meaning for names, meaning in read_rows(section) for one in names}
    top = [re.split(r"[.\[]", column.name)[0] for column in columns]
    explained = meanings if meanings and name not in WITH_OPTIONS else re.findall(r"\w+", section)
    if missing := [one for one in top if one not in explained]:
        raise Failure(f"doc/outputs.rst does not explain {missing[0]} of {name}")
    if name.endswith(".json"):
        return make_json_schema(columns, meanings)
    whole = {} if meanings else {"description": section}
    match = {"fieldsMatch": "superset"} if name in WITH_OPTIONS else {}
    fields = [describe_field(column, meanings) for column in columns]
    return {"name": Path(name).stem, "path": name, **whole, **match, "missingValues": [""], "fields": fields}


def describe_field(column: Column, meanings: Mapping[str, str]) -> dict[str, object]:
    field: dict[str, object] = {"name": column.name, "type": column.types[0]}
    if unit := unit_of(column.name):
        field["unit"] = unit
    if column.name in meanings:
        field["description"] = meanings[column.name]
    constraints: dict[str, object] = {} if column.may_be else {"required": True}
    if column.values:
        constraints["enum"] = convert(column)
    return field | ({"constraints": constraints} if constraints else {})


def convert(column: Column) -> list[object]:
    """The values of a column as its type has them."""
    return [CONSTRAINED.get(column.types[0], str)(value) for value in column.values]


def make_json_schema(columns: Sequence[Column], meanings: Mapping[str, str]) -> dict[str, object]:
    schema: dict[str, object] = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "run.json"}
    for column in columns:
        add_member(schema, re.findall(r"[^.\[\]]+|\[\]", column.name), column)
    for name, member in schema["properties"].items():
        first = {"description": meanings[name]} if name in meanings else {}
        schema["properties"][name] = first | member
    return schema


def add_member(schema: dict, path: Sequence[str], column: Column) -> None:
    """Adds a member to the schema of an object or a list, by the rest of its path."""
    if not path:
        types = [*column.types, *(["null"] if column.may_be == "null" else [])]
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
