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
    alike: dict[str, list[str]] = {}  # by what is the same in sentences that differ in numbers: the first one of each run
    for one in found:
        first: dict[str, str] = {}
        for sentence in one:
            first.setdefault(NUMBER.sub("N", sentence), sentence)
        for kind, sentence in first.items():
            alike.setdefault(kind, []).append(sentence)
    order = sorted(alike.values(), key=lambda some: -len(some))
    return [f"In {len(some)} of {len(found)} runs{', for example' if len({*some}) > 1 else ''}: {some[0]}" for some in order]


def of_folders(folders: Sequence[Path]) -> list[str]:
    """The counted sentences of results in folders; those that cannot be read have none."""
    return count([sentences(read(folder / "run.json")) for folder in folders])


def read(path: Path) -> Mapping:
    try:
        info = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return info if isinstance(info, dict) else {}
