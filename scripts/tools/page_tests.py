# SPDX-License-Identifier: GPL-2.0-only
"""Runs the commands shown in README.md and on the first pages of doc/ as they are printed."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

from tools.commands import finish
from tools.common import ROOT
from tools.results import Tally

COMMAND_SECONDS = 300
# In the order in which a new user reads them, continuing with the results of the previous page.
PAGES = (
    "README.md",
    "doc/commands.rst",
    "doc/package.rst",
    "doc/options.rst",
    "doc/sweeps.rst",
    "doc/flow-sizes.rst",
    "doc/ranks.rst",
    "doc/reading-a-capture.rst",
    "doc/migration.rst",
    "doc/collectives.rst",
    "doc/gpu-servers.rst",
    "doc/outputs.rst",
    "doc/congestion-control.rst",
    "doc/path-selection.rst",
    "doc/trimming.rst",
    "doc/reliability.rst",
    "doc/workload-formats.rst",
    "doc/acceptance.rst",
    "doc/headroom.rst",
    "doc/lossless.rst",
    "doc/which-scheme.rst",
    *(f"doc/schemes/{name}.rst" for name in ("pfc", "dsh", "capfc", "ofc", "bfc", "fafc", "pabo", "pfc-variants", "cbfc", "baselines")),
    "doc/real-switches.rst",
)
# The blocks that contain commands: in README.md, those without a language; on pages, those with a certain name or first
# words.
README_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGE_BLOCK = re.compile(r"(^\.\. code-block:: sh|::)\n\n((?: {3}.*\n|\n)+)", re.MULTILINE)
# Commands that are not run here, and the tests that run them.
NOT_RUN = {
    r"scripts/(reproduce|test)\b": ".ci/run, in a fresh system",
    r"(git clone|\./ns3|\./test\.py)\b": "scripts/test --in-tree, by its own commands",
    r"(scripts/package$|sudo |c\+\+ )": ".ci/try-package, in a fresh system",
    r"podman\b": "nothing here, without podman; .ci/container runs its commands",
    r"cmake\b": "the tests have built the module by these commands",
    r".*--random=1000\b": "nothing: it takes minutes; an example has fewer",
    r"scripts/run --ranks ": "nothing: it takes minutes; test/ranks-to-run.py has smaller networks",
    r".*\| jq\b": "nothing, without jq; test/python_test.py reads what the program prints",
    r"wireshark ": "nothing: it has windows; tshark is run",
}
# Commands that end with a status other than 0, as the page states.
STATUS = {r".*# loses frames$": 1}


def list_commands(page: str) -> list[str]:
    """Return the commands of a page, one line each."""
    text = (ROOT / page).read_text(encoding="utf-8")
    if page.endswith(".md"):
        blocks = [block for language, block in README_BLOCK.findall(text) if not language]
    else:
        blocks = [block for head, block in PAGE_BLOCK.findall(text) if "sh" in head or is_command(block.strip())]
    lines = re.sub(r"\\\n\s*", "", "".join(blocks)).splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def is_command(line: str) -> bool:
    """Return whether a line begins with a script, a program or a tool, and is not their output."""
    word = line.split(maxsplit=1)[0]
    return word in ("tshark", "podman", "cmake") or any(
        path.is_file() for path in (ROOT / word, ROOT / "examples" / f"{word}.cc")
    )


def is_run(command: str) -> bool:
    return not any(re.match(pattern, command) for pattern in NOT_RUN)


def run_pages(programs: Path, folder: Path) -> Tally:
    """Run all commands in a folder that resembles the repository, with its programs in the PATH."""
    prepare(programs, folder)
    tally = Tally()
    commands = {command: page for page in PAGES for command in list_commands(page) if is_run(command)}
    for command, page in commands.items():
        words = ["bash", "-euc", command]
        status, output = finish(words, folder, COMMAND_SECONDS, {"PATH": f"{programs}:/usr/bin:/bin"})
        expected = next((number for pattern, number in STATUS.items() if re.match(pattern, command)), 0)
        tally.add(f"{page}: {command}", status == expected, f"exit status {status}: {output[-500:]}")
    return tally


def prepare(programs: Path, folder: Path) -> None:
    """Prepare the folder. Scripts that build use the existing programs, and files of users are samples."""
    scripts = folder / "scripts"
    scripts.mkdir(parents=True)
    for name in ("completion.bash", "report", "wireshark"):
        (scripts / name).symlink_to(ROOT / "scripts" / name)
    quoted = shlex.quote(str(programs))
    for name, text in (
        ("run", f'exec {quoted}/"$@"'),
        ("sweep", f'program=$1; shift; exec {ROOT}/scripts/sweep {quoted}/"$program" "$@"'),
    ):
        (scripts / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (scripts / name).chmod(0o755)
    for scheme in ("SIH", "DSH"):  # doc/outputs.rst compares them
        words = [programs / "lossless-run", f"--scheme={scheme}", "--arrivals=100us", f"--output=results/{scheme}"]
        subprocess.run(words, cwd=folder, check=True, capture_output=True)
    (folder / "examples").mkdir()
    (folder / "examples" / "workloads").symlink_to(ROOT / "examples" / "workloads")
    for sample, name in (("hpcc-topology.txt", "topology.txt"), ("hpcc-flows.txt", "flow.txt")):
        shutil.copy(ROOT / "examples" / sample, folder / name)
    (folder / "run.ini").write_text("arrivals = 100us\n", encoding="utf-8")
    # Settings for each congestion control, as in the file that is part of the simulator.
    settings = ("CC_MODE 1", "ALPHA_RESUME_INTERVAL 1", "RP_TIMER 300", "DCTCP_RATE_AI 1000Mb/s", "U_TARGET 0.95", "MIN_RATE 100Mb/s")
    lines = ("TOPOLOGY_FILE topology.txt", "FLOW_FILE flow.txt", *settings)
    (folder / "config.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
