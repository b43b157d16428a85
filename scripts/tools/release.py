# SPDX-License-Identifier: GPL-2.0-only
"""Checks that the versions in the source, its tag, and the files that contain them agree, for a release."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from tools import ns3_tree
from tools.commit import git
from tools.common import ROOT

VERSION = re.compile(r"\d+\.\d+\.\d+(-rc\d+)?")
SOURCE = "helper/program/lossless-version.h"
# The parts of a version in CHANGES.md, in this order.
PARTS = ("Added", "Changed", "Fixed", "Migration")


def read(root: Path, name: str) -> str:
    """Return the content of a file, or an empty string if it does not exist."""
    path = root / name
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def find(pattern: str, text: str) -> str:
    """Return the first match of a pattern's group, or "nothing"."""
    found = re.search(pattern, text, re.MULTILINE)
    return found[1] if found else "nothing"


def module_version(root: Path = ROOT) -> str:
    return find(r'MODULE_VERSION = "(.*)"', read(root, SOURCE))


def debian_version(version: str) -> str:
    """Return the version in Debian's notation, in which a candidate precedes the release."""
    return f"{version.replace('-rc', '~rc')}-1"


def disagreements(root: Path = ROOT) -> list[str]:
    """Return, as sentences, everything that must be corrected before a tag is created, or what contradicts the tag."""
    version = module_version(root)
    if not VERSION.fullmatch(version):
        return [f"MODULE_VERSION in {SOURCE} is {version}; it must be as 1.0.0 or 1.0.0-rc1"]
    return [*compare_files(root, version), *compare_changes(root, version), *compare_ns3(root), *compare_tags(root, version)]


def compare_files(root: Path, version: str) -> Iterator[str]:
    for name, pattern in (
        ("CITATION.cff", r"^version: (.*)$"),
        ("README.md", r"^\| version \| (\S+?),? "),
        ("CHANGES.md", r"^## (\S+)"),
    ):
        if (found := find(pattern, read(root, name))) != version:
            yield f"{name} has {found} as the version, and MODULE_VERSION is {version}"
    for path in sorted((root / "doc").glob("*.rst")):
        for found in re.findall(r"\blossless_(\d[\w.~-]*)_", read(root, f"doc/{path.name}")):
            if found != debian_version(version):
                yield f"doc/{path.name} names the package {found}, and that of MODULE_VERSION is {debian_version(version)}"


def compare_changes(root: Path, version: str) -> Iterator[str]:
    """Check the first version in CHANGES.md, which must not be called unreleased and must have its parts in order."""
    text = read(root, "CHANGES.md")
    if "unreleased" in find(r"^(## .*)$", text):
        yield f"CHANGES.md calls {version} unreleased"
    first = re.split(r"^## ", text, flags=re.MULTILINE)[1:2]
    parts = re.findall(r"^### (\w+)", "".join(first), re.MULTILINE)
    if not parts or parts != [part for part in PARTS if part in parts]:
        yield f"CHANGES.md has for {version} the parts {', '.join(parts) or 'nothing'}; they are, in this order, {', '.join(PARTS)}"


def compare_ns3(root: Path) -> Iterator[str]:
    """Check the versions of ns-3 and Debian."""
    readme = read(root, "README.md")
    least = ElementTree.fromstring(read(root, "bakeconf.xml")).find("modules/module").get("min_version", "")
    if (found := find(r"^\| minimum ns-3 \| ([\d.]+)", readme)) != least.removeprefix("ns-"):
        yield f"README.md has {found} as the minimum ns-3, and bakeconf.xml has {least}"
    if (found := find(r"^\| tested ns-3 \| ([\d.]+)", readme)) != ns3_tree.VERSION:
        yield f"README.md has {found} as the tested ns-3, and the tests use {ns3_tree.VERSION}"
    image = find(r"^FROM debian:(\S+)$", read(root, "Containerfile"))
    if (found := find(r"^\| Debian \| (\d+)", readme)) != image:
        yield f"README.md has Debian {found}, and Containerfile has {image}"


def compare_tags(root: Path, version: str) -> Iterator[str]:
    """Check that a tag of this commit is that of the version, that there is no other tag, and that nothing has changed
    since.
    """
    if git(root, "rev-parse", "--show-toplevel") != str(root.resolve()):
        return
    tag = f"v{version}"
    here = [name for name in (git(root, "tag", "--points-at", "HEAD") or "").split() if re.match(r"v\d", name)]
    for name in here:
        if name != tag:
            yield f"this commit has the tag {name}, and that of MODULE_VERSION is {tag}"
    if tag in here and git(root, "status", "--porcelain", "--untracked-files=no"):
        yield f"files have been changed since the tag {tag}"
    if tag not in here and git(root, "tag", "--list", tag):
        yield f"the tag {tag} is at another commit; MODULE_VERSION must be another version"
