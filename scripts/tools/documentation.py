# SPDX-License-Identifier: GPL-2.0-only
"""Builds the documentation: pages generated from the module and from results, the other pages with Sphinx, and the
headers with Doxygen.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from pathlib import Path

from figures import documents, kept
from tools import build
from tools.common import ROOT, Failure, exclusive, make_folder, run_child

PROGRAM = "print-attributes"
FOLDER = ROOT / "doc"
ATTRIBUTES = FOLDER / "attributes.rst"
CLAIMS = FOLDER / "claims.rst"
MADE = {"attributes", "claims", "columns"}  # pages that are not kept in the repository
# Added to the registered classes, because log components are not registered.
LOGS = """
Logs
----

``NS_LOG`` selects components and levels of ns-3's log, in a Debug build (``scripts/run --debug``, ``cmake -DCMAKE_BUILD_TYPE=Debug``; in
an ns-3 tree its profiles default and debug). A Release build has no log statements::

   NS_LOG="LosslessFlowControl=level_debug|prefix_all:LosslessPfcFlowControl=level_debug|prefix_all" scripts/run --debug first-pause

prints time, node, and which queue stopped or restarted its neighbour at which occupancy and thresholds::

   +0.000012599s 3 LosslessFlowControl:SetStopped(): [DEBUG] port 1 class 3 stops: shared 68872 B, headroom 0 B, XOFF 68342 B, XON 68342 B
   +0.000012599s 3 LosslessPfcFlowControl:MakePfc(): [DEBUG] port 1 sends PFC class 3: 65535 quanta

A gate is identified by its address, which the log of ``LosslessNetDevice`` gives with its node and port. Sets of classes are
printed as bits, class 7 first.

.. csv-table::
   :header-rows: 1
   :widths: 38 62
   :file: logs.csv
"""
# Mostly overrides of ns-3's functions, which are documented there. Doxygen does not read ns-3's headers.
OVERRIDE = re.compile(r"Member .* override \(function\) of class .* is not documented")


def build_program() -> Path:
    folder = build.default_folder("release")
    with exclusive(folder, "the build"):
        return build.build(folder, targets=[PROGRAM]) / PROGRAM


def list_attributes(program: Path, of_type: str | None = None) -> str:
    """Return the attributes of a class, or a page about all classes."""
    words = [program, f"--type={of_type}"] if of_type else [program]
    done = run_child(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise Failure(done.stderr.strip() or f"{PROGRAM} failed")
    return done.stdout


def write_attributes(program: Path) -> None:
    ATTRIBUTES.write_text(list_attributes(program) + LOGS, encoding="utf-8")


def write_pages(program: Path) -> None:
    """Write the pages that are not kept in the repository."""
    from tools import schemas  # imported here, because its packages may have been installed only now

    write_attributes(program)
    CLAIMS.write_text(documents.claims_page(kept.read()), encoding="utf-8")
    schemas.PAGE.write_text(schemas.make_page(), encoding="utf-8")


def make_manual(output: Path) -> str:
    """Build the pages, with the schemas to which they link, and return Sphinx's warnings."""
    from tools import schemas

    complaints = run_sphinx(output)
    schemas.write_schemas(output)
    return complaints


def run_sphinx(output: Path, source: Path = FOLDER) -> str:
    """Build the pages, and return Sphinx's warnings."""
    # The parsed pages are kept for the next build, but pages with warnings are read again.
    read = build.default_folder("read") / hashlib.sha256(str(source).encode()).hexdigest()[:12]
    with exclusive(read, "the text of the documentation"):
        # With -a, all pages are written, because the search would otherwise lose the index entries of unwritten pages.
        options = ["-a", "-q", "-W", "--keep-going", "-d", read / "doctrees"]
        command = ["/usr/bin/python3", "-m", "sphinx", *options, source, output]
        done = run_child(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        complaints = done.stderr.strip() or ("" if done.returncode == 0 else "Sphinx failed")
        if complaints:
            shutil.rmtree(read / "doctrees", ignore_errors=True)
    return complaints


def run_doxygen(output: Path, source: Path = FOLDER) -> str:
    """Build the reference of the headers, and return Doxygen's warnings."""
    settings = (source / "Doxyfile").read_text(encoding="utf-8") + f'OUTPUT_DIRECTORY = "{make_folder(output)}"\n'
    done = subprocess.run(
        ["doxygen", "-"], input=settings, cwd=source, check=False, capture_output=True, text=True
    )
    complaints = [line for line in done.stderr.splitlines() if not OVERRIDE.search(line)]
    return "\n".join(complaints) or ("" if done.returncode == 0 else "Doxygen failed")
