# SPDX-License-Identifier: GPL-2.0-only
"""Asks programs about their options before anything is simulated."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from lossless.programs import Error, Processes, last_line

# The name of the module's library, which occurs in its programs, with or without the prefix of an ns-3 tree.
LINKED = re.compile(rb"lib(ns3[\w.-]*-)?lossless")


@dataclass(frozen=True)
class Answer:
    """The answer of a program about its options."""

    has_told: bool
    error: Error | None = None  # the reason why it refuses them


class Check:
    """Asks programs about their options. With --dry-run, a program answers that its options are valid; with
    --ranks-plan, it shows how the network would be divided among ranks; otherwise, it refuses the options. Programs
    that do not offer this option, or do not belong to this module, are not asked.
    """

    SECONDS = 30  # after this time, a program counts as not asked, because it simulates or its network is huge

    def __init__(self, ranks: int = 1) -> None:
        self.processes = Processes()
        self.option, self.argument, self.valid = (
            ("--ranks-plan", f"--ranks-plan={ranks}", "rank 0:")
            if ranks > 1
            else ("--dry-run", "--dry-run=options", "All options are valid")
        )

    def find_refused(self, program: Path, asks: Mapping[str, Callable[[], Answer]], jobs: int) -> dict[str, Error]:
        """Return the reasons why runs would be refused, by run name. For each run, a function asks the program."""
        if not asks or not self.is_offered(program):
            return {}
        first, *others = asks
        answers = {first: asks[first]()}
        if not answers[first].has_told:
            return {}
        with ThreadPoolExecutor(jobs) as pool:
            try:
                answers |= zip(others, pool.map(lambda name: asks[name](), others))
            except BaseException:  # after an interruption, ask and run no more programs
                pool.shutdown(wait=False, cancel_futures=True)
                self.processes.end()
                raise
        return {name: answer.error for name, answer in answers.items() if answer.error}

    def is_offered(self, program: Path) -> bool:
        if not LINKED.search(program.read_bytes()):
            return False  # an unknown program may ignore the option and simulate
        return f"{self.option}:" in self.processes.run([str(program), "--PrintHelp"]).stdout

    def ask(self, command: Sequence[str]) -> Answer:
        try:
            done = self.processes.run([*command, self.argument], timeout=self.SECONDS)
        except subprocess.TimeoutExpired:
            return Answer(False)
        sentence = last_line(done.stderr)
        if done.returncode == 1 and sentence and self.option not in done.stderr:
            return Answer(True, Error(sentence, command=command, status=1, said=done.stderr))
        return Answer(done.returncode == 0 and done.stdout.startswith(self.valid))
