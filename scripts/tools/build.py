# SPDX-License-Identifier: GPL-2.0-only
"""Builds the module against Debian's compiled ns-3, outside the repository."""

from __future__ import annotations

import difflib
import functools
import hashlib
import json
import math
import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from lossless.system import usable_cpus
from tools.common import LOCK, ROOT, Failure, cache_home, make_folder, require_space, run, say

# The target of everything that is tested: the module's own programs, but not those of scratch/, whose files belong to
# the user.
TESTED = "lossless-tested"
# The target of the module's own programs.
PROGRAMS = "lossless-programs"
# The object file in a compiler command.
OUTPUT = re.compile(r" -o (\S+)")
# The file that remains of a build that could not be configured.
OWN_FILES = {LOCK, "configure.log", "CMakeFiles"}


def default_folder(kind: str) -> Path:
    """Return the default place of a build, which is outside the repository and different for each copy of the source.
    """
    key = hashlib.sha256(str(ROOT).encode()).hexdigest()[:12]
    return cache_home() / f"build-{key}" / kind


def choose_folder(given: Path | None, kind: str) -> Path:
    """Return the folder to build in: the default one, or the given one, which must not contain anything else."""
    if not given:
        return default_folder(kind).resolve()
    return require_own(given.resolve(), holds_build(given), "build of this copy of the module")


def holds_build(folder: Path) -> bool:
    try:
        cache = (folder / "CMakeCache.txt").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return f"CMAKE_HOME_DIRECTORY:INTERNAL={ROOT}\n" in cache


def require_own(folder: Path, is_ours: bool, content: str) -> Path:
    """Return the folder unless it contains other files, which must not be overwritten."""
    if folder.exists() and not folder.is_dir():
        raise Failure(f"{folder} is a file; name a folder")
    others = {path.name for path in folder.iterdir()} - OWN_FILES if folder.exists() else set()
    if others and not is_ours:
        raise Failure(f"{folder} holds other files and no {content}; name another folder")
    return folder


def list_programs(root: Path = ROOT) -> list[str]:
    """Return the names of the programs. What else is in folders of examples/ are parts of programs."""
    patterns = ("examples/*.cc", "examples/benchmark/*-benchmark.cc", "scratch/*.cc")
    return sorted(path.stem for pattern in patterns for path in root.glob(pattern))


def require_source(program: str) -> None:
    """Stop unless there is a program with this name. The message suggests similar names."""
    programs = list_programs()
    if program not in programs:
        names = difflib.get_close_matches(program, programs, n=2)
        hint = f"write {' or '.join(names)}" if names else f"there are {', '.join(programs)}"
        raise Failure(f"there is no program {program} in examples or scratch; {hint}")


def configure(folder: Path, *, debug: bool = False, sanitize: bool = False, together: bool = True) -> None:
    """Configure the stand-alone build, which also writes compile_commands.json.

    Many files are compiled together, unless each must be listed separately in that file, or with sanitizers, with which
    GCC takes longer in this way.
    """
    make_folder(folder)
    require_space(folder, 300, "the build")
    command = ["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja"]
    command.append(f"-DCMAKE_BUILD_TYPE={'Debug' if debug else 'Release'}")
    command.append(f"-DLOSSLESS_SANITIZE={'ON' if sanitize else 'OFF'}")
    command.append(f"-DLOSSLESS_UNITY={'ON' if together and not sanitize else 'OFF'}")
    command.append("-DCMAKE_INSTALL_PREFIX=/usr")  # as scripts/package requires
    say(f"building in {folder}")
    log = folder / "configure.log"
    log.unlink(missing_ok=True)
    run(command, "the build cannot be configured", log=log)


def build(
    folder: Path,
    *,
    targets: Sequence[str] = (),
    debug: bool = False,
    jobs: int | None = None,
) -> Path:
    """Configure and build the stand-alone module, and return the folder of its programs."""
    configure(folder, debug=debug)
    return compile_targets(folder, targets, jobs)


def compile_targets(folder: Path, targets: Sequence[str] = (), jobs: int | None = None) -> Path:
    """Build a configured build, and return the folder of the programs."""
    compile_all = ["cmake", "--build", folder, "--parallel", str(jobs or usable_cpus())]
    if targets:
        compile_all += ["--target", *targets]
    run(compile_all, f"{targets[0]} does not build" if len(targets) == 1 else "the module does not build")
    return folder / "bin"


def list_outdated(folder: Path) -> list[str]:
    """Return the object files that a configured build will recompile: those that are missing or older than their
    sources. (A dry run of ninja does not help, because it stops if the build's own files might change.)
    """
    commands = json.loads((folder / "compile_commands.json").read_text(encoding="utf-8"))
    made = {OUTPUT.search(command["command"])[1] for command in commands if "/scratch/" not in command["file"]}
    listing = subprocess.run(["ninja", "-C", folder, "-t", "deps"], check=False, capture_output=True, text=True).stdout
    current = set()
    for record in listing.split("\n\n"):
        head, *parts = record.split("\n")
        output = head.split(": #deps")[0]
        if output in made and (folder / output).exists():
            time = (folder / output).stat().st_mtime
            if all(changed(folder / part.strip()) <= time for part in parts if part):
                current.add(output)
    return sorted(made - current)


@functools.cache
def changed(path: Path) -> float:
    """Return the time at which a file was last changed; for a missing file, the current time."""
    try:
        return os.stat(path).st_mtime
    except OSError:
        return math.inf
