# SPDX-License-Identifier: GPL-2.0-only
"""ns-3's own source tree with this module in contrib/, as users install it.

The source comes from Debian's source package `ns3`, unpatched, and is kept in the user's cache folder. Each step works
in a folder with another name and renames it when it is complete, so that anything under its final name is complete,
regardless of where an earlier run was interrupted.
"""

from __future__ import annotations

import contextlib
import filecmp
import os
import re
import runpy
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tools.build import require_own
from tools.common import ROOT, Failure, cache_home, make_folder, require_space, run, run_child, say

VERSION = "3.37"
# Profile default: what ns-3's users get, with asserts and logs, unlike the stand-alone Release build ...
CONFIGURE = [
    "configure",
    "-G",
    "Ninja",
    "-d",
    "default",
    "--enable-tests",
    "--enable-examples",
    "--enable-mpi",
    "--filter-module-examples-and-tests=lossless",
    "--enable-modules=lossless;mpi",
]
# ... except for its -O2 -g, which makes compilation 1.6 times as slow and does not improve the tests.
FLAGS = ["-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -DNDEBUG", "-DLOSSLESS_UNITY=ON"]
NOT_COPIED = re.compile(r"(.*/)?(\.git|\.snakemake|__pycache__)|results|build.*")  # by the path from the root


def choose_folder(given: Path | None) -> Path:
    """Return the folder for ns-3's source and build: the default one, or the given one, which must not contain anything
    else.
    """
    if not given:
        return (cache_home() / f"ns-{VERSION}").resolve()
    is_ours = (given / "tree").is_dir() or any(given.glob("ns3_*.orig.tar.bz2"))
    return require_own(given.resolve(), is_ours, f"source of ns-{VERSION}")


def prepare(folder: Path) -> Path:
    """Return ns-3's tree in the cache folder, after downloading and unpacking it if necessary."""
    tree = folder / "tree"
    if not tree.is_dir():
        require_space(make_folder(folder), 2000, "ns-3's source and build")
        unpack(fetch(folder), tree)
    return tree


def fetch(folder: Path) -> Path:
    """Return the original tarball of Debian's source package, with its checksum verified by apt."""
    tarball = folder / f"ns3_{VERSION}.orig.tar.bz2"
    if tarball.exists():
        return tarball
    say(f"downloading the source of ns-{VERSION}: Debian's source package ns3")
    log = folder / "fetch.log"
    log.unlink(missing_ok=True)
    with scratch_folder(folder, "fetch-") as work:
        apt = ["apt-get", "-q", *source_options(work)]
        # A repository without sources fails here, which matters only if no other one has ns3.
        with contextlib.suppress(Failure):
            run([*apt, "update"], "the lists of source packages cannot be updated", log=log)
        run(
            [*apt, "source", "--download-only", "--only-source", "ns3"],
            "Debian's source package ns3 cannot be downloaded",
            cwd=work,
            log=log,
        )
        if not (work / tarball.name).exists():
            raise Failure(f"Debian's source package ns3 is not ns-{VERSION} in this release of Debian")
        os.replace(work / tarball.name, tarball)
    return tarball


def unpack(tarball: Path, tree: Path) -> None:
    say(f"unpacking ns-{VERSION}")
    with scratch_folder(tree.parent, "unpack-") as work:
        run(
            [
                "tar",
                "-xjf",
                tarball,
                "-C",
                work,
                "--strip-components=2",
                f"ns-allinone-{VERSION}/ns-{VERSION}",
            ],
            f"ns-3's source {tarball} cannot be unpacked; remove it and try again",
        )
        os.replace(work, tree)


def source_options(work: Path) -> list[str]:
    """Return apt options that read the machine's own repositories as source repositories, for this call only."""
    parts = make_folder(work / "parts")
    for number, listing in enumerate(apt_listings()):
        text = listing.read_text(encoding="utf-8")
        if listing.suffix == ".sources":
            text = re.sub(r"(?mi)^Types:.*$", "Types: deb-src", text)
        else:
            text = re.sub(r"(?m)^\s*deb\s", "deb-src ", text)
        (parts / f"{number}{listing.suffix}").write_text(text, encoding="utf-8")
    make_folder(work / "lists" / "partial")
    make_folder(work / "archives" / "partial")
    settings = {
        "Dir::Etc::sourcelist": "/dev/null",
        "Dir::Etc::sourceparts": parts,
        "Dir::State::lists": work / "lists",
        "Dir::Cache": work,
        # apt's own user must not enter this user's cache folder.
        "APT::Sandbox::User": "root",
    }
    return [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]


def apt_listings() -> list[Path]:
    """Return the files in which this machine lists its repositories, in either the old one-line format or the new one.
    """
    answer = subprocess.run(
        ["apt-config", "shell", "SINGLE", "Dir::Etc::sourcelist/f", "PARTS", "Dir::Etc::sourceparts/d"],
        check=True,
        capture_output=True,
        text=True,
    )
    places = dict(word.split("=", 1) for word in shlex.split(answer.stdout))
    parts = Path(places["PARTS"])
    listings = [Path(places["SINGLE"]), *sorted(parts.glob("*.list")), *sorted(parts.glob("*.sources"))]
    return [listing for listing in listings if listing.is_file()]


@contextlib.contextmanager
def scratch_folder(parent: Path, prefix: str) -> Iterator[Path]:
    """Return a temporary folder on the disk of its destination, after removing remains of interrupted runs."""
    for leftover in make_folder(parent).glob(f"{prefix}*/"):
        shutil.rmtree(leftover)
    work = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
    work.chmod(0o755)
    try:
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


def install_module(tree: Path) -> None:
    """Update contrib/lossless to the state of the repository. Unchanged files keep their time stamps."""
    module = tree / "contrib" / "lossless"
    wanted = {path.relative_to(ROOT) for path in module_files(ROOT)}
    for stale in {path.relative_to(module) for path in module_files(module)} - wanted:
        (module / stale).unlink()
    for name in sorted(wanted):
        target = module / name
        if not (target.exists() and filecmp.cmp(ROOT / name, target, shallow=False)):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target)
    remove_stale_stubs(tree / "build" / "include" / "ns3")


def module_files(root: Path) -> Iterator[Path]:
    for folder, subfolders, names in os.walk(root):
        where = Path(folder).relative_to(root)
        # Also files: the .git of an additional working tree is a file.
        subfolders[:], files = (
            [name for name in found if not NOT_COPIED.fullmatch(str(where / name))] for found in (subfolders, names)
        )
        yield from (Path(folder) / name for name in files)


def remove_stale_stubs(headers: Path) -> None:
    """Remove outdated forwarding stubs. ns-3 writes the stub of a header only once, so the stub of a moved header would
    remain.
    """
    for stub in headers.glob("*.h"):
        target = re.fullmatch(r'#include "(.*/contrib/lossless/.*)"\n', stub.read_text(encoding="utf-8"))
        if target and not Path(target[1]).exists():
            stub.unlink()


def build(tree: Path, jobs: int, everything: bool) -> None:
    """Configure ns-3 once for these options, then build the changes: all suites and programs, or a few."""
    stamp = tree / "configured-for-lossless"
    flags = [*FLAGS, *list_parts(everything)]
    options = shlex.join([*CONFIGURE, *flags])
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != options:
        say(f"./ns3 {options}")
        stamp.unlink(missing_ok=True)
        # The second run of CMake reorders the compiler's flags. A later change of a CMakeLists.txt would otherwise
        # recompile all of ns-3.
        for command in (ns3_command(tree, *CONFIGURE), ["cmake", *flags, tree / "cmake-cache"]):
            run(command, "ns-3 cannot be configured", cwd=tree, env=environment())
        # test.py runs each example that exists.
        run(["ninja", "-C", tree / "cmake-cache", "-t", "cleandead"], "ns-3's build cannot be cleaned", env=environment())
        stamp.write_text(options, encoding="utf-8")
    # ns3 never uses the last processor. The build command is therefore called here, and ns3 then finds nothing left to
    # do.
    run(
        ["cmake", "--build", tree / "cmake-cache", "--parallel", str(jobs)],
        "ns-3 with the module does not build",
        env=environment(),
    )
    say("./ns3 build")
    run(ns3_command(tree, "build"), "./ns3 build fails", cwd=tree, env=environment())


def list_parts(everything: bool) -> list[str]:
    """Return options that list the suites and programs to build. Without a name, all are built."""
    listed = {} if everything else runpy.run_path(str(ROOT / "test" / "suites-to-run.py"))
    return [
        f"-D{option}={';'.join(listed.get(name, ()))}"
        for option, name in (("LOSSLESS_SUITES", "in_tree"), ("LOSSLESS_PROGRAMS", "programs"))
    ]


def ns3_command(tree: Path, *words: str) -> list[str]:
    return ["/usr/bin/python3", str(tree / "ns3"), *words]


def environment() -> dict[str, str]:
    """Return an environment without USER, because ns-3's scripts refuse to run if USER is root, as in a container."""
    return {name: value for name, value in os.environ.items() if name != "USER"}


def run_tests(tree: Path, suite: str | None, fullness: str, jobs: int) -> Path:
    """Run ./test.py for the module's suites and examples, and return the XML file of its results."""
    results = tree / "lossless-results"
    results.with_suffix(".xml").unlink(missing_ok=True)
    words = [
        "--no-build",
        "--nocolor",
        "--multiple",
        f"--jobs={jobs}",
        f"--fullness={fullness}",
        f"--xml={results}",
    ]
    if suite:
        words.append(f"--suite={suite}")
    say(f"./test.py {shlex.join(words)}")
    # Its exit status shows only that something failed; the details are in the results.
    run_child(["/usr/bin/python3", "test.py", *words], cwd=tree, env=environment())
    if not results.with_suffix(".xml").exists():
        raise Failure("ns-3's test.py ended without results")
    return results.with_suffix(".xml")


def run_suite(tree: Path, suite: str) -> str:
    """Return the output of a suite that is run separately."""
    runner = tree / "build" / "utils" / f"ns{VERSION}-test-runner-default"
    done = run_child(
        [runner, f"--suite={suite}"],
        cwd=tree,
        text=True,
        errors="replace",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    return done.stdout
