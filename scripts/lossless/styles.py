# SPDX-License-Identifier: GPL-2.0-only
"""Colours and markers of schemes, the same in all figures and pages, and in pictures of your own."""

from __future__ import annotations

import csv
from pathlib import Path

from lossless.programs import Error

# Colour-blind safe with their markers: no two schemes have both in common. Dark surroundings have lighter colours.
with open(Path(__file__).with_name("schemes.csv"), encoding="utf-8", newline="") as table:
    ROWS = {row["scheme"]: row for row in csv.DictReader(table)}


def scheme_style(scheme: str) -> dict[str, str]:
    """How a scheme is drawn, as keywords of matplotlib: plt.plot(x, y, label=scheme, **scheme_style(scheme))."""
    if scheme not in ROWS:
        raise Error(f'scheme is "{scheme}"; those with a colour are {", ".join(ROWS)}')
    return {"color": ROWS[scheme]["color"], "marker": ROWS[scheme]["marker"]}
