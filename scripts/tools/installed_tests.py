# SPDX-License-Identifier: GPL-2.0-only
"""Tests the installed module and the completion of its programs, using an existing build."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from tools import debian, release
from tools.commands import finish
from tools.common import ROOT, Failure
from tools.results import Tally

SECONDS = 300
PAGE = ROOT / "doc" / "package.rst"
COMPLETION = ROOT / "scripts" / "completion.bash"
# A program that uses a header of the module and its library, and that compiles quickly.
SMALL_PROGRAM = """\
#include "ns3/lossless-version.h"
#include <iostream>
int main()
{
    std::cout << ns3::lossless::DescribeVersion() << std::endl;
}
"""
# An answer to an invalid value that lists the valid ones, and an option in the help.
CHOICES = re.compile(r"must be (?:one of )?((?:[\w.-]+(?:, or |, | or ))+[\w.-]+?)(?: or a file)?\.$", re.MULTILINE)
OPTION = re.compile(r"^    --([A-Za-z][\w-]*)(?:=\[\w+\])?:", re.MULTILINE)


def run_installed(programs: Path, folder: Path) -> Tally:
    """Install the build into a folder, build two programs with the installed files, and describe the package."""
    tally = Tally()
    stage = folder / "stage"
    folder.mkdir()
    try:
        debian.install(programs.parent, stage)
        library = debian.find_library(stage)
        environment = {"LD_LIBRARY_PATH": str(library.parent)}

        def check(name: str, command: list[str | Path], expected: str, **variables: str) -> None:
            status, output = finish(command, folder, SECONDS, environment | variables)
            tally.add(f"installed: {name}", status == 0 and expected in output, f"exit status {status}: {output[-1000:]}")

        check_files(tally, stage, library)
        version = f"lossless {release.module_version()}"
        check("version", [stage / "usr/bin/lossless-run", "--version"], version)
        check("samples", [stage / "usr/bin/hpcc-run", "--PrintHelp"], f"[{stage}/usr/share/lossless/examples/hpcc-flows.txt]")
        check("by CMake", ["bash", "-euc", build_by_cmake(folder, stage)], "2 flows")
        check("by CMake, without ns-3", ["bash", "-euc", look_without_ns3(folder, stage)], "works without the module")
        check("by pkg-config", ["bash", "-euc", build_by_pkg_config(folder)], version,
              PKG_CONFIG_PATH=str(library.parent / "pkgconfig"), PKG_CONFIG_SYSROOT_DIR=str(stage))
        check_package(tally, stage)
    except Failure as failure:
        tally.add("installed", False, str(failure))
    return tally


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.glob("*")}


def list_examples() -> set[str]:
    listed = (ROOT / "examples/CMakeLists.txt").read_text(encoding="utf-8")
    return set(re.search(r"^set\(examples\n([^)]*)\)", listed, re.MULTILINE)[1].split())


def check_files(tally: Tally, stage: Path, library: Path) -> None:
    """Check that all programs, headers, Python files and completions are installed, and nothing of the tests."""
    programs = list_examples()
    headers = {path.name for part in ("helper", "model") for path in (ROOT / part).rglob("*.h")} | {"lossless-module.h"}
    modules = {path.name for path in (ROOT / "scripts").glob("lossless*") if path.suffix == ".py" or (path / "__init__.py").is_file()}
    completions = [path for path in (stage / "usr/share/bash-completion/completions").glob("*") if path.is_file()]
    for name, found, expected in (
        ("programs", names(stage / "usr/bin"), programs),
        ("headers", names(stage / "usr/include/lossless/ns3") | {"glpk-pause-time-solver.h"}, headers),
        ("Python files", names(stage / "usr/lib/python3/dist-packages"), modules),
        ("completions", {path.name for path in completions}, programs),
        ("library", {library.name}, {f"liblossless.so.{release.module_version()}"}),
    ):
        tally.add(f"installed: {name}", found == expected, f"differ in {sorted(found ^ expected)}")


def read_block(comment: str) -> str:
    """Return the block on the page that follows a comment."""
    text = PAGE.read_text(encoding="utf-8").split(f"\n.. {comment}\n")[1]
    return re.search(r"code-block:: \w+\n\n((?: {3}.*\n|\n)+)", text)[1]


def build_by_cmake(folder: Path, stage: Path) -> str:
    """Build the starter as a project outside the repository, as the page describes."""
    own = folder / "own"
    own.mkdir()
    (own / "CMakeLists.txt").write_text(read_block("own CMakeLists.txt").replace("\n   ", "\n").strip(), encoding="utf-8")
    starter = (stage / "usr/share/lossless/examples/lossless-starter.cc").read_text(encoding="utf-8")
    (own / "my-program.cc").write_text(starter, encoding="utf-8")
    return (
        f"cmake -S own -B own/build -DCMAKE_PREFIX_PATH={shlex.quote(str(stage / 'usr'))}; cmake --build own/build; "
        "own/build/my-program --strict"
    )


def look_without_ns3(folder: Path, stage: Path) -> str:
    """Build a project that can be built without the module, on a system without ns-3."""
    own = folder / "without"
    own.mkdir()
    lines = (
        "cmake_minimum_required(VERSION 3.20)",
        "project(own CXX)",
        "find_package(lossless QUIET)",
        "if(NOT lossless_FOUND)",
        '  message(STATUS "works without the module")',
        "endif()",
    )
    (own / "CMakeLists.txt").write_text("\n".join(lines), encoding="utf-8")
    return f"cmake -S without -B without/build -DCMAKE_PREFIX_PATH={shlex.quote(str(stage / 'usr'))} -DNS3_HEADERS=/nowhere/include"


def build_by_pkg_config(folder: Path) -> str:
    """Run the page's command for a smaller program."""
    (folder / "small.cc").write_text(SMALL_PROGRAM, encoding="utf-8")
    command = read_block("own pkg-config").strip().replace("my-program.cc", "small.cc").replace("-O2", "-O0")
    return f"{command}; ./my-program"


def check_package(tally: Tally, stage: Path) -> None:
    """Check the description of the Debian package."""
    (stage / "DEBIAN").mkdir()
    debian.add_library(stage, "1.0-1")
    description = debian.describe(stage, "1.0-1", "all")
    wanted = ("libns3.3", "libc6 ", "libns3-dev (>= 3.", "libboost-dev", "Version: 1.0-1\n")
    missing = [words for words in wanted if words not in description]
    tally.add("package: control", not missing and "lossless (" not in description, f"{missing} are not in {description}")


def run_completion(programs: Path, folder: Path) -> Tally:
    """Check the completion of each program. It must offer all options in its help and, for options that list their
    values in an error message, these values.
    """
    tally = Tally()
    folder.mkdir()
    answers: dict[str, str] = {}
    examples = list_examples()
    for program in sorted(path for path in programs.iterdir() if path.name in examples):
        script = '. "$0"; _lossless_options "$1"'
        _, offered = finish(["bash", "-uc", script, COMPLETION, program], folder, SECONDS)
        options = {name: words.split() for name, _, words in (line.partition("=") for line in offered.splitlines())}
        _, text = finish([program, "--PrintHelp"], folder, SECONDS)
        differing = {f"--{name}" for name in OPTION.findall(text)} ^ set(options)
        tally.add(f"completion: options of {program.name}", not differing, f"differ in {sorted(differing)}")
        for name, words in options.items():
            if words and words != ["true", "false"] and (key := f"{name}={words}") not in answers:
                _, answers[key] = finish([program, f"{name}=?"], folder, SECONDS)
                check_choices(tally, f"{program.name} {name}", words, answers[key])
    found = sum(bool(CHOICES.search(answer)) for answer in answers.values())
    tally.add("completion: answers with values", found >= 10, f"only {found} of {len(answers)}")
    return tally


def check_choices(tally: Tally, name: str, offered: list[str], answer: str) -> None:
    if named := CHOICES.search(answer):
        right = set(re.split(r", or |, | or ", named[1]))
        tally.add(f"completion: values of {name}", set(offered) == right, f"{sorted(offered)} are offered: {answer.strip()}")
