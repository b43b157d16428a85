# SPDX-License-Identifier: GPL-2.0-only
"""Sphinx's settings; scripts/doc runs it, and makes two of the pages first."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

project = "lossless"
copyright = "its authors, GPL-2.0-only"
release = re.search(
    r'MODULE_VERSION = "([^"]+)"', (ROOT / "helper/program/lossless-version.h").read_text(encoding="utf-8")
)[1]

master_doc = "index"
highlight_language = "none"  # of blocks that do not say theirs
html_theme = "alabaster"
html_logo = "icon.svg"
html_theme_options = {"page_width": "1200px", "body_max_width": "none"}
html_show_sphinx = False
