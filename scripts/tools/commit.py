# SPDX-License-Identifier: GPL-2.0-only
"""Determines the commit of the repository. The build writes it to a file, for run.json: python3 -m tools.commit FILE"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tools.common import ROOT


def describe(root: Path = ROOT) -> str | None:
    """Return the full hash, followed by a word if files have changed since; None for a copy that is not a repository.
    """
    top = git(root, "rev-parse", "--show-toplevel")
    if top is None or Path(top) != root:  # a copy inside another repository, such as an ns-3 tree
        return None
    commit = git(root, "rev-parse", "HEAD")
    changes = git(root, "status", "--porcelain", "--untracked-files=no")
    return f"{commit} with changes" if commit and changes else commit


def git(root: Path, *words: str) -> str | None:
    """Return the output of git, or None if git fails or is not installed."""
    try:
        answer = subprocess.run(["git", *words], cwd=root, check=False, capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return answer.stdout.strip() if answer.returncode == 0 else None


def write(file: Path, root: Path = ROOT) -> None:
    """Write the description to a file, which is empty if there is none."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"{describe(root) or ''}\n", encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
