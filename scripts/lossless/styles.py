# SPDX-License-Identifier: GPL-2.0-only
"""Colours and markers of schemes, the same in all figures and pages, and for pictures of your own."""

from __future__ import annotations

import itertools
import zlib
from pathlib import Path

from lossless.programs import Error
from lossless.system import read_rows

# Distinguishable by colour-blind readers thanks to the markers: no two schemes share both colour and marker. Dark
# backgrounds have lighter colours.
ROWS = {row["scheme"]: row for row in read_rows(Path(__file__).with_name("schemes.csv"))}
# For other names, such as that of a scheme of your own: the same colours with markers that no scheme has.
SPARE = [*itertools.product(dict.fromkeys(row["color"] for row in ROWS.values()), "P*Xph<>")]


def scheme_style(scheme: str) -> dict[str, str]:
    """Return the style of a scheme as keyword arguments of matplotlib: plt.plot(x, y, label=scheme,
    **scheme_style(scheme)). A name that schemes.csv does not have gets a spare colour and marker, always the same ones.
    """
    if not isinstance(scheme, str):
        raise Error(f"scheme is of type {type(scheme).__name__}; it must be a name")
    if scheme not in ROWS:
        color, marker = SPARE[zlib.crc32(scheme.encode()) % len(SPARE)]
        return {"color": color, "marker": marker}
    return {"color": ROWS[scheme]["color"], "marker": ROWS[scheme]["marker"]}
