# SPDX-License-Identifier: GPL-2.0-only
"""Ends a command that takes too long, with all processes that it has started: python3 limit.py SECONDS COMMAND...

The exit status is that of the command, or 124 if the command was ended, which is also printed to standard error.
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tools.common import end_processes, find_descendants

PR_SET_CHILD_SUBREAPER = 36  # <sys/prctl.h>


def main(seconds: float, command: list[str]) -> int:
    # Processes that the command leaves behind, such as ranks of a killed mpirun, become children of this process.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with subprocess.Popen(command) as process:
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            end_processes(find_descendants)
            print(f"it was not done after {seconds:g} s (--timeout)", file=sys.stderr)
            return 124
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]), sys.argv[2:]))
