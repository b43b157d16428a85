# SPDX-License-Identifier: GPL-2.0-only
"""Values of options, and the names of runs that have different ones. Needs no package, for scripts/sweep judges its options
before what is missing is installed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from decimal import Decimal

NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,9})?")
# Options whose values are names in any case, with hyphens or without.
CASELESS = (
    "scheme",
    "buffer-policy",
    "egress-queue",
    "routing",
    "path-selection",
    "congestion-control",
    "congestion-control-constants",
    "reliability",
    "watchdog",
)
# Schemes without flow control, whose runs have no lossless classes.
LOSSY = ("droptail", "infinite")
CONFIGURATION = "configuration"  # the column of a sweep's table with their names
NAME_LENGTH = 150  # of a run, which is that of its folder and of its log


def meaning(option: str, text: str) -> object:
    """What a program takes a value for: a number, or a name in any case."""
    if NUMBER.fullmatch(text):
        return Decimal(text)
    return re.sub("[-_ ]", "", text.lower()) if option in CASELESS else text


def has_no_classes(schemes: Collection[str], scheme: str) -> bool:
    """Whether --lossless-classes is void in a run, as it is for one without flow control among those of several schemes."""
    return len(schemes) > 1 and meaning("scheme", scheme) in LOSSY


def name_run(whole: str) -> str:
    """A name as far as it fits one of a folder; where it does not, a sum tells runs apart."""
    name = re.sub(r"[^A-Za-z0-9.+-]", "_", whole)
    if name == whole and len(name) <= NAME_LENGTH:
        return name
    return f"{name[:NAME_LENGTH - 13]}-{hashlib.sha256(whole.encode()).hexdigest()[:12]}"
