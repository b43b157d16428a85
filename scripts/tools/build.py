# SPDX-License-Identifier: GPL-2.0-only
"""The module's build against Debian's compiled ns-3, outside the repository."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Sequence
from pathlib import Path

from tools.common import LOCK, ROOT, Failure, cache_home, make_folder, require_space, run, say, usable_cpus

# The target of all that is tested: the module's own programs, and none of scratch/, whose files are the user's.
TESTED = "lossless-tested"
# The target of the module's own programs.
PROGRAMS = "lossless-programs"
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


def configure(folder: Path, *, debug: bool = False, sanitize: bool = False) -> None:
    """Configure the module's build standing alone, which also writes compile_commands.json."""
    make_folder(folder)
    require_space(folder, 300, "the build")
    command = ["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja"]
    command.append(f"-DCMAKE_BUILD_TYPE={'Debug' if debug else 'Release'}")
    command.append(f"-DLOSSLESS_SANITIZE={'ON' if sanitize else 'OFF'}")
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
    sanitize: bool = False,
    jobs: int | None = None,
) -> Path:
    """Configure and build the module standing alone; returns the folder of its programs."""
    configure(folder, debug=debug, sanitize=sanitize)
    compile_all = ["cmake", "--build", folder, "--parallel", str(jobs or usable_cpus())]
    if targets:
        compile_all += ["--target", *targets]
    run(compile_all, "the module does not build")
    return folder / "bin"
