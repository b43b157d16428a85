# SPDX-License-Identifier: GPL-2.0-only
"""What a reader should know of runs: their problems and hints, those that differ in numbers only counted as one."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

NUMBER = re.compile(r"\d[\d .,]*(?:[munp]?s\b)?")  # a time with its unit, which depends on the number


def sentences(info: Mapping) -> list[str]:
    """Those of one run, from its run.json."""
    return [*info.get("verdict", {}).get("problems", []), *info.get("hints", [])]


def count(found: Sequence[Sequence[str]]) -> list[str]:
    """The sentences of all runs, each with the number of runs that have it, the most frequent first."""
    first: dict[str, str] = {}
    runs: dict[str, int] = {}
    for one in found:
        for kind in dict.fromkeys(kinds(one, first)):
            runs[kind] = runs.get(kind, 0) + 1
    order = sorted(runs, key=lambda kind: -runs[kind])
    return [f"In {runs[kind]} of {len(found)} runs{'' if runs[kind] == 1 else ', as'}: {first[kind]}" for kind in order]


def kinds(one: Sequence[str], first: dict[str, str]) -> list[str]:
    """What is the same in sentences that differ in numbers; notes the first sentence of each kind."""
    names = [NUMBER.sub("N", sentence) for sentence in one]
    for name, sentence in zip(names, one):
        first.setdefault(name, sentence)
    return names


def of_folders(folders: Sequence[Path]) -> list[str]:
    """The counted sentences of results in folders; those that cannot be read have none."""
    return count([sentences(read(folder / "run.json")) for folder in folders])


def read(path: Path) -> Mapping:
    try:
        info = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return info if isinstance(info, dict) else {}
