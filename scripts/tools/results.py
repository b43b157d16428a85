# SPDX-License-Identifier: GPL-2.0-only
"""Counts passed and failed checks in the XML files of ns-3's test runner and test.py."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from pathlib import Path

DECLARATION = '<?xml version="1.0"?>'


@dataclass
class Tally:
    """A count of passed and failed checks. Each test case of a suite, each example and each script check counts as one.
    """

    passed: int = 0
    failures: list[str] = field(default_factory=list)

    def add(self, name: str, passed: bool, details: str = "") -> None:
        if passed:
            self.passed += 1
        else:
            self.failures.append(f"{name}: {details}" if details else name)

    def merge(self, other: Tally) -> None:
        self.passed += other.passed
        self.failures += other.failures

    def line(self) -> str:
        return f"{self.passed} passed, {len(self.failures)} failed"

    def report(self) -> int:
        """Print the failures and the counts, and return the exit status."""
        for failure in self.failures:
            print(f"FAILED {failure}")
        print(self.line())
        return 1 if self.failures else 0


def read_results(text: str) -> Tally:
    """Return this module's test cases and examples. The runner writes its suites without a root element, test.py with
    one.

    In an ns-3 tree, some of ns-3's own suites also run; ours are called lossless-*, by convention.
    """
    tally = Tally()
    root = ElementTree.fromstring(f"<All>{text.removeprefix(DECLARATION)}</All>")
    for entry in [*root, *root.iterfind("Results/*")]:
        name = (entry.findtext("Name") or "").strip()
        if name.startswith(("lossless-", "contrib/lossless/")):
            count(entry, "", tally)
    return tally


def count(entry: ElementTree.Element, prefix: str, tally: Tally) -> None:
    """Count the leaves. A suite that fails although all of its cases passed counts as a separate failure."""
    name = prefix + (entry.findtext("Name") or "?").strip()
    result = (entry.findtext("Result") or "?").strip()
    failures_before = len(tally.failures)
    children = entry.findall("Test")
    for child in children:
        count(child, f"{name} / ", tally)
    if not children or (result != "PASS" and len(tally.failures) == failures_before):
        details = "; ".join(describe(failure) for failure in entry.findall("FailureDetails"))
        tally.add(name, result == "PASS", details or result.lower())


def describe(failure: ElementTree.Element) -> str:
    def text(tag: str) -> str:
        return (failure.findtext(tag) or "").strip()

    place = f"{Path(text('File')).name}:{text('Line')}"
    return f"{text('Message')} ({text('Condition')}: {text('Actual')} against {text('Limit')}; {place})"
