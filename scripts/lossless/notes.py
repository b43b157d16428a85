# SPDX-License-Identifier: GPL-2.0-only
"""Collects the problems and hints of runs. Sentences that differ only in numbers are counted as one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from lossless.results import read_info

NUMBER = re.compile(r"\d[\d .,]*(?:[munp]?s\b)?")  # a time with its unit, which depends on the number


def sentences(info: Mapping) -> list[str]:
    """Return the sentences of one run, from its run.json."""
    return [*info.get("verdict", {}).get("problems", []), *info.get("hints", [])]


def count(found: Sequence[Sequence[str]]) -> list[str]:
    """Return the sentences of all runs, each with the number of runs that have it, in descending order of this number.
    """
    # The first sentence of each run, by the text that sentences with different numbers share
    alike: dict[str, list[str]] = {}
    for one in found:
        first: dict[str, str] = {}
        for sentence in one:
            first.setdefault(NUMBER.sub("N", sentence), sentence)
        for kind, sentence in first.items():
            alike.setdefault(kind, []).append(sentence)
    order = sorted(alike.values(), key=lambda some: -len(some))
    return [f"In {len(some)} of {len(found)} runs{', for example' if len({*some}) > 1 else ''}: {some[0]}" for some in order]


def of_folders(folders: Sequence[Path]) -> list[str]:
    """Return the counted sentences of the results in folders. Unreadable results have none."""
    return count([sentences(read(folder)) for folder in folders])


def read(folder: Path) -> Mapping:
    try:
        return read_info(folder)
    except (OSError, ValueError):
        return {}
