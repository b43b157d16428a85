# SPDX-License-Identifier: GPL-2.0-only
"""The form of the C++ sources: clang-format, and a few checks of clang-tidy."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools.common import ROOT, Failure

# By version: each one formats a little differently.
FORMAT = ["clang-format-14", f"--style=file:{ROOT / '.clang-format'}"]
TIDY = ["clang-tidy-14", "--quiet"]
SUFFIXES = (".h", ".cc")
NOT_OURS = re.compile(r"\..*|results|build.*")


def sources(root: Path = ROOT) -> list[Path]:
    """All C++ files of the repository."""
    folders = [entry for entry in root.iterdir() if entry.is_dir() and not NOT_OURS.fullmatch(entry.name)]
    return sorted(path for folder in folders for path in folder.rglob("*.*") if path.suffix in SUFFIXES)


def name(path: Path) -> str:
    return str(path.relative_to(ROOT) if path.is_relative_to(ROOT) else path)


def unformatted(files: Sequence[Path], jobs: int = 1) -> list[Path]:
    """Those of the files that clang-format would change."""

    def is_formatted(path: Path) -> bool:
        return call([*FORMAT, path]).stdout == path.read_text(encoding="utf-8")

    with ThreadPoolExecutor(jobs) as pool:
        return [path for path, good in zip(files, pool.map(is_formatted, files)) if not good]


def format_files(files: Sequence[Path]) -> None:
    if files:
        call([*FORMAT, "-i", *files])


def tidy(folder: Path, files: Sequence[Path], jobs: int) -> Iterator[tuple[Path, str]]:
    """Each of the files that the build compiles, and what clang-tidy says of it."""
    commands = json.loads((folder / "compile_commands.json").read_text(encoding="utf-8"))
    compiled = {Path(command["directory"], command["file"]).resolve() for command in commands}
    units = [path for path in files if path in compiled]

    def complaints(path: Path) -> str:
        done = call([*TIDY, "-p", folder, path], may_fail=True)
        return "" if done.returncode == 0 and not done.stdout else f"\n{done.stdout or done.stderr}"

    with ThreadPoolExecutor(jobs) as pool:
        yield from zip(units, pool.map(complaints, units))


def call(command: Sequence[str | Path], may_fail: bool = False) -> subprocess.CompletedProcess:
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True)
    except FileNotFoundError:
        raise Failure(f"the program {command[0]} is missing") from None
    if done.returncode != 0 and not may_fail:
        raise Failure(f"{command[0]} failed: {(done.stderr.strip().splitlines() or ['it said nothing'])[0]}")
    return done
