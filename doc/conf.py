# SPDX-License-Identifier: GPL-2.0-only
"""The settings of Sphinx, which scripts/doc runs after it has generated some of the pages."""

import re
from pathlib import Path

import furo

ROOT = Path(__file__).resolve().parents[1]
FURO = (Path(furo.__file__).parent / "theme/furo/static/styles/furo.css").read_text(encoding="utf-8")

project = "lossless"
copyright = "its authors, GPL-2.0-only"
release = re.search(
    r'MODULE_VERSION = "([^"]+)"', (ROOT / "helper/program/lossless-version.h").read_text(encoding="utf-8")
)[1]

master_doc = "index"
extensions = ["sphinx_copybutton"]
highlight_language = "none"  # for blocks that do not name a language
html_theme = "furo"
html_title = "lossless"
html_logo = "icon.svg"
html_static_path = ["_static"]
html_css_files = ["manual.css"]
# Debian's furo is dark only if its button selects it, not if the reader's system does; this sets its colours for both.
html_theme_options = {
    "dark_css_variables": dict(re.findall(r"--([\w-]+): (.+);", re.search(r'body\[data-theme="dark"\] \{([^}]+)\}', FURO)[1]))
}
pygments_dark_style = "github-dark"
html_search_scorer = str(ROOT / "doc/search-scores.js")
html_copy_source = False
html_show_sphinx = False
