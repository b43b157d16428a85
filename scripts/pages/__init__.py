# SPDX-License-Identifier: GPL-2.0-only
"""Pages of results for a browser: each a file that loads nothing from elsewhere. Those of runs and sweeps may
have scripts, which are their own.

Unlike tools, this package needs packages.PAGES.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import jinja2
import markupsafe

from tools.common import make_folder

TEMPLATES = Path(__file__).with_name("templates")


def write_page(path: Path, template: str, **values: object) -> None:
    """Fill a template and write it at once: whoever reads the page meanwhile has the old one or the new one."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["grouped"] = grouped
    text = environment.get_template(template).render(values)
    make_folder(path.parent)
    unfinished = path.with_name(f".{path.name}-{os.getpid()}")
    try:
        unfinished.write_text(text, encoding="utf-8")
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


def as_text(data: object) -> markupsafe.Markup:
    """JSON that may stand inside a page: nothing in it ends the element around it."""
    return markupsafe.Markup(json.dumps(data, ensure_ascii=True).replace("<", "\\u003c"))


def grouped(number: float) -> str:
    """A number with its thousands parted by narrow blanks that do not end a line."""
    return f"{number:,}".replace(",", "\u202f")
