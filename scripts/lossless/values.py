# SPDX-License-Identifier: GPL-2.0-only
"""Compares values of options, and names runs with different values. Requires no package, because scripts/sweep checks
its options before missing packages are installed.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Collection
from decimal import Decimal

NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,9})?")
# A name, which programs read in upper or lower case, with or without hyphens. A number with a unit begins with a digit,
# and a path usually has a dot or a slash.
NAME = re.compile(r"[A-Za-z][\w -]*")
# The schemes without flow control, whose runs have no lossless classes.
LOSSY = ("droptail", "infinite")
CONFIGURATION = "configuration"  # the column with the names of configurations in a sweep's table
NAME_LENGTH = 150  # the maximum length of a run's name, which is also that of its folder and its log


def meaning(text: str) -> object:
    """Return the value of an option as a program interprets it: a number, a name in any case, or the text, as of a file."""
    if NUMBER.fullmatch(text):
        return Decimal(text)
    return re.sub("[-_ ]", "", text.lower()) if NAME.fullmatch(text) and not os.path.exists(text) else text


def has_no_classes(schemes: Collection[str], scheme: str) -> bool:
    """Return whether --lossless-classes does not apply to a run, because the run has no flow control and is one of
    several schemes.
    """
    return len(schemes) > 1 and meaning(scheme) in LOSSY


def name_run(whole: str) -> str:
    """Return a name that is valid for a folder. If it must be shortened or changed, a checksum is added to keep runs
    distinct.
    """
    name = re.sub(r"[^A-Za-z0-9.+-]", "_", whole)
    if name == whole and len(name) <= NAME_LENGTH:
        return name
    return f"{name[:NAME_LENGTH - 13]}-{hashlib.sha256(whole.encode()).hexdigest()[:12]}"
