# SPDX-License-Identifier: GPL-2.0-only
"""Common parts of the scripts' command lines: the form of the help, types of values, and shared options."""

from __future__ import annotations

import argparse
import math
from pathlib import Path

from lossless.system import usable_cpus


def make_parser(program: str, documentation: str, usage: str | None = None) -> argparse.ArgumentParser:
    """Return a parser whose help shows the first paragraph of a script's __doc__ before the options, and the others
    after them.
    """
    description, details = documentation.split("\n\n", 1)
    return argparse.ArgumentParser(
        prog=program,
        usage=usage,
        description=description,
        epilog=details,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def add_no_install(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--no-install",
        action="store_true",
        help="install nothing: list what is missing, and stop if anything is",
    )


def add_build_dir(parser: argparse.ArgumentParser, help: str = "build here") -> None:
    parser.add_argument("--build-dir", type=folder_name, metavar="DIR", help=help)


def add_jobs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--jobs",
        type=positive,
        default=usable_cpus(),
        metavar="N",
        help="processes at a time (default: one per processor, here %(default)s)",
    )


def folder_name(text: str) -> Path:
    """An argparse type."""
    if not text:
        raise argparse.ArgumentTypeError("the name of the folder is empty")
    return Path(text)


def seconds(text: str) -> float:
    """An argparse type."""
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"{text} is not a time in seconds; it must be a number above zero")
    return number


def positive(text: str) -> int:
    """An argparse type."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number above zero")
    return int(text)
