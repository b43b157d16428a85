# SPDX-License-Identifier: GPL-2.0-only
"""Creates a Debian package from a build."""

from __future__ import annotations

import email.utils
import getpass
import gzip
import hashlib
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from tools import documentation, release
from tools.commit import git
from tools.common import ROOT, Failure, run

NAME = "lossless"
SUMMARY = "ns-3 module for research on lossless datacenter networks"
DESCRIPTION = """\
Programs, library and headers to simulate shared-memory Ethernet switches with
priority flow control (IEEE 802.1Qbb) and the schemes built on it, and RoCEv2
hosts with congestion control. Own programs find the library by CMake
(find_package(lossless)) or pkg-config."""


def make(build: Path, output: Path) -> Path:
    """Install a build into a folder, add the files that Debian requires, create the package, and return its path."""
    os.umask(0o022)
    stage = build / "debian" / NAME
    shutil.rmtree(stage, ignore_errors=True)
    install(build, stage, strip=True)
    add_documents(build, stage)
    control = stage / "DEBIAN"
    control.mkdir()
    version = release.debian_version(release.module_version())
    add_library(stage, version)
    write_sums(stage)
    architecture = ask("dpkg", "--print-architecture")
    (control / "control").write_text(describe(stage, version, architecture), encoding="utf-8")
    package = output / f"{NAME}_{version}_{architecture}.deb"
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(commit_time())}
    run(["dpkg-deb", "--root-owner-group", "--build", stage, package], "the package cannot be made", env=environment,
        log=build / "dpkg-deb.log")
    return package


def install(build: Path, stage: Path, *, strip: bool = False) -> None:
    """Install into a folder what `cmake --install` would install into /."""
    command = ["cmake", "--install", build, *(["--strip"] if strip else [])]
    environment = os.environ | {"DESTDIR": str(stage)}
    run(command, "the build cannot be installed", env=environment, log=build / "install.log")


def add_documents(build: Path, stage: Path) -> None:
    """Add manual pages of the programs, the pages of doc/, and the files that Debian requires."""
    manuals = stage / "usr/share/man/man1"
    manuals.mkdir(parents=True)
    for program in sorted((stage / "usr/bin").iterdir()):
        help_text = ask(program, "--PrintHelp", env=os.environ | {"LD_LIBRARY_PATH": str(find_library(stage).parent)})
        page = format_manual(program.name, help_text.replace(str(stage), ""))
        compress(manuals / f"{program.name}.1.gz", page)
    documents = stage / "usr/share/doc" / NAME
    documents.mkdir(parents=True)
    documentation.write_pages(build / "bin" / documentation.PROGRAM)
    if complaints := documentation.make_manual(documents / "html"):
        raise Failure(f"the pages of doc/ cannot be made: {complaints}")
    (documents / "html/.buildinfo").unlink()
    shutil.copy(ROOT / "CITATION.cff", documents)
    compress(documents / "changelog.gz", (ROOT / "CHANGES.md").read_text(encoding="utf-8"))
    compress(documents / "changelog.Debian.gz", format_changelog())
    (documents / "copyright").write_text(format_copyright(), encoding="utf-8")


def format_manual(program: str, text: str) -> str:
    """Return a program's help as a manual page. Its first lines contain the usage and the purpose of the program."""
    usage, purpose, options = text.split("\n\n", 2)
    lines = [
        f'.TH {program.upper()} 1 "" "{NAME} {release.module_version()}"',
        ".SH NAME",
        f"{program} \\- {escape(' '.join(purpose.split()).rstrip('.'))}",
        ".SH SYNOPSIS",
        f".B {escape(' '.join(usage.split()))}",
        ".SH DESCRIPTION",
        ".nf",
        *map(escape, options.rstrip().splitlines()),
        ".fi",
        ".SH SEE ALSO",
        escape(f"/usr/share/doc/{NAME}/html/index.html"),
    ]
    return "\n".join(lines) + "\n"


def escape(line: str) -> str:
    """Escape a line of text for troff."""
    text = line.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text


def compress(path: Path, text: str) -> None:
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


def format_changelog() -> str:
    version = release.module_version()
    return (
        f"{NAME} ({release.debian_version(version)}) unstable; urgency=medium\n\n"
        f"  * Version {version}, packed by scripts/package; changelog.gz has its changes.\n\n"
        f" -- {maintainer()}  {email.utils.formatdate(commit_time())}\n"
    )


def format_copyright() -> str:
    return (
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
        f"Upstream-Name: {NAME}\n\n"
        "Files: *\n"
        f"Copyright: {time.gmtime(commit_time()).tm_year} the {NAME} authors\n"
        "License: GPL-2.0-only\n"
        " On Debian systems, the text of the GNU General Public License, version 2, is in\n"
        " /usr/share/common-licenses/GPL-2.\n"
    )


def add_library(stage: Path, version: str) -> None:
    """Add the files that register the library for other packages and for the linker."""
    library = find_library(stage)
    name, _, number = library.name.partition(".so.")
    (stage / "DEBIAN/shlibs").write_text(f"{name} {number} {NAME} (= {version})\n", encoding="utf-8")
    (stage / "DEBIAN/triggers").write_text("activate-noawait ldconfig\n", encoding="utf-8")
    library.chmod(0o644)


def find_library(stage: Path) -> Path:
    return next(path for path in stage.glob("usr/lib/*/lib*.so.*") if not path.is_symlink())


def write_sums(stage: Path) -> None:
    files = sorted(path for path in stage.glob("usr/**/*") if path.is_file() and not path.is_symlink())
    lines = [f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(stage)}\n" for path in files]
    (stage / "DEBIAN/md5sums").write_text("".join(lines), encoding="utf-8")


def describe(stage: Path, version: str, architecture: str) -> str:
    """Return the control file of the package."""
    size = sum(path.lstat().st_size for path in stage.glob("usr/**/*")) // 1024
    libraries = find_libraries(stage)
    description = "\n ".join(DESCRIPTION.splitlines())
    return (
        f"Package: {NAME}\n"
        f"Version: {version}\n"
        "Section: science\n"
        "Priority: optional\n"
        f"Architecture: {architecture}\n"
        f"Maintainer: {maintainer()}\n"
        f"Installed-Size: {size}\n"
        f"Depends: {', '.join([libraries, *headers(), 'python3'])}\n"
        f"Recommends: {'openmpi-bin, ' if 'mpi' in libraries else ''}python3-pandas\n"
        "Suggests: bash-completion, cmake, pkg-config\n"
        f"Description: {SUMMARY}\n {description}\n"
    )


def find_libraries(stage: Path) -> str:
    """Return the packages of the libraries that programs and library are linked with, in the format of Depends."""
    binaries = [*(stage / "usr/bin").iterdir(), find_library(stage)]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "debian"
        source.mkdir()
        (source / "control").write_text(f"Source: {NAME}\n\nPackage: {NAME}\nArchitecture: any\n", encoding="utf-8")
        found = ask("dpkg-shlibdeps", "-O", f"-S{stage}", f"-x{NAME}", *binaries, cwd=Path(folder))
    return found.removeprefix("shlibs:Depends=")


def headers() -> list[str]:
    """Return the packages of the headers that ours include. Those of ns-3 must have the version used for the build."""
    ns3 = ask("dpkg-query", "-W", "-f", "${Version}", "libns3-dev").split("-")[0].split("+")[0]
    number = ns3.split(".")
    after = ".".join([*number[:-1], str(int(number[-1]) + 1)])
    return [f"libns3-dev (>= {ns3})", f"libns3-dev (<< {after}~)", "libboost-dev"]


def maintainer() -> str:
    """Return the maintainer, determined like in Debian's tools."""
    name = os.environ.get("DEBFULLNAME") or git(ROOT, "config", "user.name") or getpass.getuser()
    address = os.environ.get("DEBEMAIL") or os.environ.get("EMAIL") or git(ROOT, "config", "user.email")
    return f"{name} <{address or f'{getpass.getuser()}@{socket.getfqdn()}'}>"


def commit_time() -> int:
    """Return the time of the commit, so that the same commit creates the same package; without a commit, the current
    time.
    """
    return int(git(ROOT, "log", "-1", "--format=%ct") or time.time())


def ask(*command: str | Path, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> str:
    """Return the output of a command."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(words, check=False, capture_output=True, text=True, cwd=cwd, env=env)
    except FileNotFoundError:
        raise Failure(f"the program {words[0]} is missing") from None
    if done.returncode != 0:
        raise Failure(f"{words[0]} failed: {done.stderr.strip()}")
    return done.stdout.strip()
