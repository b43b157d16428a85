# SPDX-License-Identifier: GPL-2.0-only
"""The Debian packages that each task requires, with the reasons, and the installation of missing packages."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import subprocess
from collections.abc import Mapping

from tools.common import Failure, cache_home, make_folder, run, say

BUILD = {
    "cmake": "configures the build",
    "ninja-build": "runs the build",
    "g++": "compiles the module",
    "libns3-dev": "ns-3 itself, compiled, with its headers",
    "libboost-dev": "headers of Boost: Algorithm, Graph, Locale, Pool and Serialization",
    "nlohmann-json3-dev": "writes run.json; a header",
    "libglpk-dev": "GLPK, for FAFC's Solver=Glpk; a build by hand does without",
    "zlib1g-dev": "reads compressed Chakra traces; a build by hand does without",
    "ccache": "compiles an unchanged file only once",
}
MPI = {
    "libopenmpi-dev": "MPI, for networks that several processes simulate; a build by hand does without",
    "openmpi-bin": "starts these processes, as mpirun",
}
MANUAL = {
    "python3-sphinx": "makes pages of the documentation",
    "furo": "gives these pages their look",
    "python3-sphinx-copybutton": "adds a button to copy commands",
    "python3-pandas": "is read with the columns of results, for their tables and schemas",
}
PACKAGE = MANUAL | {
    "dpkg-dev": "finds the libraries that the programs need",
    "git": "names the commit",
}
PAGES = {
    "python3-matplotlib": "draws the pictures",
    "python3-pandas": "reads the results",
    "python3-jinja2": "fills the pages of results",
}
FIGURES = PAGES | {"snakemake": "runs the simulations as resumable jobs"}
STYLE = {"clang-format-14": "formats the sources"}
TIDY = {"clang-tidy-14": "looks for mistakes in the sources"}
DOCUMENTATION = MANUAL | {
    "doxygen": "makes a reference of the headers",
    "graphviz": "draws the folders, and for doxygen the classes of that reference",
}
SUITES = {"tshark": "dissects the packet captures that a test writes"}
TESTS = (
    FIGURES
    | MPI
    | PACKAGE
    | STYLE
    | SUITES
    | DOCUMENTATION
    | {
        "pkg-config": "builds a program with the installed module",
        "chromium": "loads the pages of results, as their readers do",
        "chromium-driver": "lets a test drive the browser",
        "python3-selenium": "lets a test drive the browser",
    }
)
PROFILE = {"valgrind": "counts instructions"}
COUNTERS = {"linux-perf": "reads the processor's counters"}
IN_TREE = {
    "cmake": "configures ns-3",
    "ninja-build": "builds ns-3",
    "g++": "compiles ns-3 and the module",
    "ccache": "compiles an unchanged file only once",
    "dpkg-dev": "handles Debian's source package of ns-3",
    "bzip2": "unpacks ns-3's source",
    "libboost-dev": "headers of Boost: Algorithm, Graph, Locale, Pool and Serialization",
    "nlohmann-json3-dev": "writes run.json; a header",
    "libglpk-dev": "GLPK, for FAFC's Solver=Glpk; a build by hand does without",
    "zlib1g-dev": "reads compressed Chakra traces; a build by hand does without",
    "libopenmpi-dev": "MPI, for ns-3 and for networks that several processes simulate",
    "openmpi-bin": "starts these processes, as mpirun",
}


def missing(packages: Mapping[str, str]) -> list[str]:
    """Return the names of the Debian packages that are not installed."""
    if shutil.which("dpkg-query") is None:
        raise Failure(
            "this is not a Debian system; these programs and libraries are needed, under Debian's "
            "names: " + " ".join(packages)
        )
    answer = subprocess.run(
        ["dpkg-query", "-W", "-f", "${binary:Package} ${db:Status-Status}\n", *packages],
        check=False,
        capture_output=True,
        text=True,
    )
    installed = {
        line.split()[0].split(":")[0] for line in answer.stdout.splitlines() if line.endswith(" installed")
    }
    return [name for name in packages if name not in installed]


def ensure(packages: Mapping[str, str], install: bool) -> None:
    """Install the missing Debian packages, after printing their names and purposes."""
    absent = missing(packages)
    if not absent:
        return
    for name in absent:
        say(f"Debian package {name} is missing ({packages[name]})")
    as_root = [] if os.geteuid() == 0 else ["sudo"]
    install_command = [*as_root, "apt-get", "install", "-y", "--no-install-recommends", *absent]
    if not install:
        raise Failure(f"install the missing packages first: {shlex.join(install_command)}")
    if as_root and shutil.which("sudo") is None:
        raise Failure(f"sudo is missing; ask an administrator to run: {shlex.join(install_command[1:])}")
    # Run with env, because sudo passes no variables on and no package may stop to ask a question. Waits for another
    # apt.
    settings = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "DPkg::Lock::Timeout=600"]
    silent = [*as_root, *settings, *install_command[len(as_root) + 1 :]]
    log = make_folder(cache_home()) / "apt-get.log"
    log.unlink(missing_ok=True)
    say(f"installing: {shlex.join(install_command)} (its output goes to {log})")
    # A repository that does not respond matters only if the installation needs it.
    with contextlib.suppress(Failure):
        run([*as_root, "apt-get", "update", "-q"], "Debian's package lists cannot be updated", log=log, starter=subprocess.run)
    run(silent, "Debian's packages cannot be installed", log=log, starter=subprocess.run)
