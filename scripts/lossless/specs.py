# SPDX-License-Identifier: GPL-2.0-only
"""Specs of runs: options as a tree, as read by `--spec` and contained in run.json."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Union

from lossless.options import attribute_name, option_name
from lossless.programs import Error
from lossless.results import Results

Spec = Union[Mapping[str, object], str, Path, Results]


@dataclass(frozen=True)
class Written:
    """The contents of a spec."""

    program: str = "lossless-run"
    options: dict[str, object] = field(default_factory=dict)  # by their names in Python; attributes by their full names


def read_spec(spec: Spec | None) -> Written:
    if spec is None:
        return Written()
    if isinstance(spec, Results):
        spec = spec.folder
    tree = spec if isinstance(spec, Mapping) else read_tree(spec)
    for name in tree:
        if not isinstance(name, str):
            raise Error(f"{name!r} is not the name of an option")
        if name in ("spec", "settings", "output"):
            raise Error(f"{name} cannot be in a spec; it is for the call alone")
    program = tree.get("program", Written.program)
    if not isinstance(program, str):
        raise Error(f"program is {program!r} in a spec; it must be the name of a program")
    options: dict[str, object] = {}
    for name, value in tree.items():
        if isinstance(value, Mapping):
            options |= {attribute_name(f"{name}::{attribute}"): given for attribute, given in value.items()}
        elif name != "program":
            options[option_name(name).replace("-", "_")] = value
    return Written(program, options)


def require_once(path: Path, members: list[tuple[str, object]]) -> dict[str, object]:
    names = Counter(name for name, _ in members)
    for name, count in names.items():
        if count > 1:
            raise Error(f'{path}: "{name}" is given twice; write it once')
    return dict(members)


def read_tree(place: object) -> Mapping[str, object]:
    """Return the tree in a file or in the results of a run."""
    if not isinstance(place, (str, Path)):
        raise Error(f"a spec is of type {type(place).__name__}; it must be a dict of options, or the name of a file or a folder of results")
    path = Path(place) / "run.json" if Path(place).is_dir() else Path(place)
    try:
        tree = json.loads(path.read_text(encoding="utf-8-sig"), object_pairs_hook=partial(require_once, path))
    except FileNotFoundError:
        raise Error(f"{path} does not exist; a spec is a file, or a folder of results") from None
    except (ValueError, RecursionError):
        raise Error(f"{path} is not a text in JSON, as a spec is") from None
    if isinstance(tree, dict) and "schema" in tree:
        tree = tree.get("spec")
    if not isinstance(tree, dict):
        raise Error(f"{path} has no spec, which is an object of options")
    return tree
