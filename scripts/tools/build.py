# SPDX-License-Identifier: GPL-2.0-only
"""The module's build against Debian's compiled ns-3, outside the repository."""

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

from tools.common import LOCK, ROOT, Failure, cache_home, make_folder, require_space, run, say, usable_cpus

# The target of all that is tested: the module's own programs, and none of scratch/, whose files are the user's.
TESTED = "lossless-tested"
# The target of the module's own programs.
PROGRAMS = "lossless-programs"
# The object file in a command that compiles one.
OUTPUT = re.compile(r" -o (\S+)")
# What a build that could not be configured leaves.
OWN_FILES = {LOCK, "configure.log", "CMakeFiles"}


def default_folder(kind: str) -> Path:
    """The default place of a build: outside the repository, one for each copy of the source."""
    key = hashlib.sha256(str(ROOT).encode()).hexdigest()[:12]
    return cache_home() / f"build-{key}" / kind


def choose_folder(given: Path | None, kind: str) -> Path:
    """The folder to build in: the default one, or that given, in which nothing else may be."""
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
    """The folder, unless it is somebody else's: nothing may be written there."""
    if folder.exists() and not folder.is_dir():
        raise Failure(f"{folder} is a file; name a folder")
    others = {path.name for path in folder.iterdir()} - OWN_FILES if folder.exists() else set()
    if others and not is_ours:
        raise Failure(f"{folder} holds other files and no {content}; name another folder")
    return folder


def list_programs(root: Path = ROOT) -> list[str]:
    """Names of the programs; what several of them share is in examples/parts/."""
    return sorted(path.stem for folder in ("examples", "scratch") for path in (root / folder).glob("*.cc"))


def require_source(program: str) -> None:
    """Stop unless there is a program of that name, with those that may have been meant."""
    programs = list_programs()
    if program not in programs:
        names = difflib.get_close_matches(program, programs, n=2)
        hint = f"write {' or '.join(names)}" if names else f"there are {', '.join(programs)}"
        raise Failure(f"there is no program {program} in examples or scratch; {hint}")


def configure(folder: Path, *, debug: bool = False, sanitize: bool = False, together: bool = True) -> None:
    """Configure the module's build standing alone, which also writes compile_commands.json. Many files are compiled
    together unless each is wanted there by itself, or with sanitizers, with which that takes GCC longer.
    """
    make_folder(folder)
    require_space(folder, 300, "the build")
    command = ["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja"]
    command.append(f"-DCMAKE_BUILD_TYPE={'Debug' if debug else 'Release'}")
    command.append(f"-DLOSSLESS_SANITIZE={'ON' if sanitize else 'OFF'}")
    command.append(f"-DLOSSLESS_UNITY={'ON' if together and not sanitize else 'OFF'}")
    command.append("-DCMAKE_INSTALL_PREFIX=/usr")  # as scripts/package needs it
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
    """Configure and build the module standing alone; returns the folder of its programs."""
    configure(folder, debug=debug)
    return compile_targets(folder, targets, jobs)


def compile_targets(folder: Path, targets: Sequence[str] = (), jobs: int | None = None) -> Path:
    """Build what is configured; returns the folder of the programs."""
    compile_all = ["cmake", "--build", folder, "--parallel", str(jobs or usable_cpus())]
    if targets:
        compile_all += ["--target", *targets]
    run(compile_all, f"{targets[0]} does not build" if len(targets) == 1 else "the module does not build")
    return folder / "bin"


def list_outdated(folder: Path) -> list[str]:
    """Object files that a configured build makes anew: those missing, and those older than what they were made of. (A dry
    run of ninja tells nothing: it stops where the build's own files might change.)
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
    """When a file has changed last; a missing one just now."""
    try:
        return os.stat(path).st_mtime
    except OSError:
        return math.inf
