# SPDX-License-Identifier: GPL-2.0-only
"""Colours and markers of schemes, the same in all figures and pages, and for pictures of your own."""

from __future__ import annotations

from pathlib import Path

from lossless.programs import Error
from lossless.system import read_rows

# Distinguishable by colour-blind readers thanks to the markers: no two schemes share both colour and marker. Dark
# backgrounds have lighter colours.
ROWS = {row["scheme"]: row for row in read_rows(Path(__file__).with_name("schemes.csv"))}


def scheme_style(scheme: str) -> dict[str, str]:
    """Return the style of a scheme as keyword arguments of matplotlib: plt.plot(x, y, label=scheme,
    **scheme_style(scheme)).
    """
    if scheme not in ROWS:
        raise Error(f'scheme is "{scheme}"; those with a colour are {", ".join(ROWS)}')
    return {"color": ROWS[scheme]["color"], "marker": ROWS[scheme]["marker"]}
