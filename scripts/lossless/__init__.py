# SPDX-License-Identifier: GPL-2.0-only
"""Runs simulations of lossless networks from Python: starts the module's programs and returns their results as pandas
frames.

    import lossless
    run = lossless.run(topology="fat-tree", k=4, scheme="DSH", load=0.6, arrivals="100us")
    run.verdict["outcome"]                  # "lossless"
    run.flows.slowdown.median()             # a frame for each file: run.pauses, run["pause-depths"], ...
    run.flows.attrs["units"]["fct_ns"]      # "ns"

    sweep = lossless.sweep(scheme=["PFC", "DSH"], load=[0.3, 0.6], RngRun=range(1, 4), arrivals="100us")
    sweep.table.groupby(["scheme", "load"]).p99_slowdown.mean()
    sweep.summary("p99_slowdown")           # means over seeds, with 95 % intervals
    sweep.compare({"scheme": "PFC"})        # differences by seed, with 95 % intervals

    plt.plot(x, y, **lossless.scheme_style("DSH"))  # in the colour that the scheme has in all pictures

    lossless.load("my-run")                 # what a program has written with --output=my-run
    lossless.load_sweep("results/load")     # sweep.csv of scripts/sweep, or of sweep(output=...)

doc/python.rst gives a tour, and columns.csv explains each file and column. The package requires pandas. run() and
sweep() also require a program. It is taken from the repository that contains this package, where scripts/run builds it;
from the folder named by the environment variable LOSSLESS_PROGRAMS; or from an installation. Your own script finds the
package with PYTHONPATH=.../scripts.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lossless.comparisons import compare, summarize
    from lossless.programs import Error, RunWarning
    from lossless.results import Results, load, load_sweep
    from lossless.runs import run
    from lossless.styles import scheme_style
    from lossless.sweeps import Sweep, sweep

__all__ = [
    "Error",
    "Results",
    "RunWarning",
    "Sweep",
    "compare",
    "load",
    "load_sweep",
    "run",
    "scheme_style",
    "summarize",
    "sweep",
]
MODULES = {
    "Error": "programs",
    "Results": "results",
    "RunWarning": "programs",
    "Sweep": "sweeps",
    "compare": "comparisons",
    "load": "results",
    "load_sweep": "results",
    "run": "runs",
    "scheme_style": "styles",
    "summarize": "comparisons",
    "sweep": "sweeps",
}

NEEDED = ("numpy", "pandas")  # packages


def __getattr__(name: str) -> object:
    """Import a name of the package when it is first used, because lossless.values is for scripts that must work without
    pandas.
    """
    if name not in MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = importlib.import_module(f"lossless.{MODULES[name]}")
    except ModuleNotFoundError as error:
        if error.name not in NEEDED:
            raise
        sentence = f"lossless needs {error.name}, which {sys.executable} does not have; use /usr/bin/python3 with Debian's python3-pandas, or install it"
        raise ModuleNotFoundError(sentence, name=error.name) from None
    globals()[name] = value = getattr(module, name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
