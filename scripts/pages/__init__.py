# SPDX-License-Identifier: GPL-2.0-only
"""Pages of results for a browser. Each page is a single file that loads nothing from elsewhere. The pages of runs and
sweeps may contain their own scripts.

Unlike tools, this package requires packages.PAGES.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import jinja2
import markupsafe

from lossless.system import replaced
from tools.common import make_folder

TEMPLATES = Path(__file__).with_name("templates")


def write_page(path: Path, template: str, **values: object) -> None:
    """Fill a template, and replace the page."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["grouped"] = grouped
    environment.filters["unbroken"] = lambda text: re.sub(r"(?<=\d) (?=\d{3}(?!\d))", "\u202f", text)  # 2 972
    text = environment.get_template(template).render(values)
    make_folder(path.parent)
    with replaced(path) as page:
        page.write(text)


def as_text(data: object) -> markupsafe.Markup:
    """Return JSON that can be placed inside a page, because nothing in it ends the surrounding element."""
    return markupsafe.Markup(json.dumps(data, ensure_ascii=True).replace("<", "\\u003c"))


def grouped(number: float) -> str:
    """Return a number whose thousands are separated by narrow non-breaking spaces."""
    return f"{number:,}".replace(",", "\u202f")


def short(number: float, sign: str = "", digits: int = 3) -> str:
    """Return a number with some significant digits, or a large one as a whole number; never with an exponent that a
    reader has to count. `sign` is "+" if positive numbers have one, too.
    """
    return f"{number:{sign}.{digits}g}" if abs(number) < 10**digits - 0.5 else f"{number:{sign},.0f}".replace(",", "\u202f")
