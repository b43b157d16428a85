# SPDX-License-Identifier: GPL-2.0-only
"""Comparisons of runs by seed. Each run is paired with the base run that has the same seeds and thus the same flows."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pandas
from pandas.api.types import is_numeric_dtype

from lossless.programs import Error
from lossless.sweeps import Sweep
from lossless.values import CONFIGURATION

SEEDS = ("RngRun", "RngSeed")
# The 97.5 % quantiles of Student's t distribution, by degrees of freedom, starting at 1 (Abramowitz and Stegun, Table
# 26.10).
QUANTILES = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
    2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip
LIMIT = 1.960  # for infinitely many degrees of freedom
UNFINISHED = ("unfinished_flows", "flows")
SAME = 1e-4  # means over random flows with different seeds differ by more than this share


def quantile(freedom: int) -> float:
    """Return the 97.5 % quantile. Beyond the table, the first term of its series is accurate to 0.001."""
    return QUANTILES[freedom - 1] if freedom <= len(QUANTILES) else LIMIT + 2.37 / freedom


def half_width(values: pandas.Series) -> float:
    """Return half the width of the 95 % interval of the mean, according to Student's t distribution; NaN for a single
    value.
    """
    count = len(values)
    return quantile(count - 1) * values.std() / math.sqrt(count) if count > 1 else math.nan


def seeds_do_nothing(runs: pandas.DataFrame) -> bool:
    """Return whether runs with different seeds are identical according to these columns, because nothing in them is
    random.
    """
    numbers = runs.astype(float)
    return not (numbers.max() - numbers.min() > SAME * numbers.abs().max()).any()


def telling(table: pandas.DataFrame, metric: str) -> list[str]:
    """Return the columns that show whether runs are identical. The metric alone does not suffice, because it may be 0
    in different runs.
    """
    return [*dict.fromkeys(name for name in (metric, "mean_fct_ns") if name in table and name not in table.attrs["parameters"])]


def unfinished_share(runs: pandas.DataFrame, side: str = "") -> float:
    """Return the share of the flows of runs that had not arrived in full; NaN if it is unknown."""
    counts = [runs.get(f"{name}{side}") for name in UNFINISHED]
    return math.nan if any(one is None for one in counts) or not counts[1].sum() else counts[0].sum() / counts[1].sum()


def is_part_of(table: pandas.DataFrame, name: str, option: str) -> bool:
    """Return whether an option is part of the configurations, if configurations are compared or drawn."""
    if option != CONFIGURATION or name in (option, *SEEDS):
        return False
    of_each = [set(some) for _, some in table[name].groupby(table[option])]
    return any(one != of_each[0] for one in of_each[1:]) and all(len(one) == 1 for one in of_each)


def require_table(sweep: Sweep | pandas.DataFrame, caller: str) -> pandas.DataFrame:
    """Return the table of a sweep."""
    table = sweep.table if isinstance(sweep, Sweep) else sweep
    parameters = table.attrs.get("parameters") if isinstance(table, pandas.DataFrame) else None
    if parameters is None:
        raise Error(f"{caller}() needs a sweep, or the table of load_sweep()")
    return table


def require_measure(table: pandas.DataFrame, metric: str) -> None:
    parameters = table.attrs["parameters"]
    if metric not in table or metric in parameters or not is_numeric_dtype(table[metric]):
        numbers = [name for name in table if name not in parameters and is_numeric_dtype(table[name])]
        raise Error(f"{metric} is no measure of the sweep; it has {', '.join(numbers)}")


def summarize(sweep: Sweep | pandas.DataFrame, metric: str = "p99_slowdown") -> pandas.DataFrame:
    """Return a row for each combination of the options that have several values, except seeds. It contains `runs`,
    their `mean`, and `plus_minus`, which is half the width of its 95 % interval (Student's t; NaN for a single run, or
    if the seed makes no difference). Configurations are listed by name instead of the options that they consist of. The
    arguments are those of compare().
    """
    table = require_table(sweep, "summarize")
    require_measure(table, metric)
    several = [name for name in table.attrs["parameters"] if name not in SEEDS and table[name].nunique() > 1]
    options = [name for name in several if CONFIGURATION not in several or not is_part_of(table, name, CONFIGURATION)]
    by = options[0] if len(options) == 1 else options  # otherwise, names would be tuples of length one
    columns = telling(table, metric)
    groups = table.groupby(by, sort=False, dropna=False)[columns] if options else [((), table[columns])]
    rows = [
        {
            **dict(zip(options, place if isinstance(place, tuple) else (place,))),
            "runs": len(values := found[metric].dropna()),
            "mean": values.mean(),
            "plus_minus": math.nan if seeds_do_nothing(found) else half_width(values),
        }
        for place, found in groups
    ]
    summary = pandas.DataFrame(rows, columns=[*options, "runs", "mean", "plus_minus"])
    summary.attrs["metric"] = metric
    return summary


def compare(sweep: Sweep | pandas.DataFrame, base: Mapping[str, object], metric: str = "p99_slowdown") -> pandas.DataFrame:
    """Return how runs differ from those of a base, as in `lossless.compare(sweep, {"scheme": "SIH"}, "p99_slowdown")`.

    sweep   the result of sweep(), or the table of load_sweep()
    base    an option and the value with which runs are compared
    metric  a column of the table

    There is a row for each value of the option except the base, and for each combination of the other options with
    several values. It contains `pairs`, the number of pairs of runs with the same seeds (RngRun, RngSeed) that both
    have the metric; `left_out`, the number of the others, such as those of which one has unfinished collectives; the
    means `base` and `other` over the pairs; `difference`, the mean of other - base over the pairs; and `plus_minus`, half
    the width of its 95 % interval (Student's t; NaN for a single pair, or if the seed makes no difference). If the
    interval does not contain 0, the sign of the difference is certain. Times and slowdowns are those of flows that have
    arrived: `base_unfinished` and `other_unfinished` are the shares of flows that have not, from 0 to 1.
    """
    table = require_table(sweep, "compare")
    parameters = table.attrs["parameters"]
    if not isinstance(base, Mapping) or len(base) != 1:
        raise Error(f"base is {base!r}; it must be an option and its value, as {{'scheme': 'SIH'}}")
    [(option, value)] = base.items()
    if option not in parameters or option in SEEDS:
        options = [name for name in parameters if name not in SEEDS]
        raise Error(f"{option} is no option of the sweep with which runs can be compared; it has {', '.join(options)}")
    if value not in set(table[option]):
        raise Error(f"no run has {option}={value!r}; there are {', '.join(map(repr, table[option].unique().tolist()))}")
    require_measure(table, metric)
    seeds = [name for name in SEEDS if name in parameters]
    several = [name for name in parameters if table[name].nunique() > 1 and name not in (option, *seeds)]
    others = [name for name in several if not is_part_of(table, name, option)]
    keys = [*others, *seeds]
    if table.duplicated([option, *keys]).any():
        raise Error("the table has a run twice, which would count as two pairs")
    told = telling(table, metric)
    columns = [*told, *(name for name in UNFINISHED if name in table and name not in told)]
    of_base = table.loc[table[option] == value, [*keys, *columns]].rename(columns={name: f"{name}_base" for name in columns})
    rest = table.loc[table[option] != value, [option, *keys, *columns]]
    pairs = rest.merge(of_base, on=keys) if keys else rest.merge(of_base, how="cross")
    rows = []
    by, both = [option, *others], [*told, *(f"{name}_base" for name in told)]
    for place, all_pairs in pairs.groupby(by if others else option, sort=False, dropna=False):
        group = all_pairs.dropna(subset=[metric, f"{metric}_base"])
        difference = group[metric].astype(float) - group[f"{metric}_base"].astype(float)
        rows.append(
            {
                **dict(zip(by, place if others else [place])),
                "pairs": len(group),
                "left_out": len(all_pairs) - len(group),
                "base": group[f"{metric}_base"].mean(),
                "other": group[metric].mean(),
                "difference": difference.mean(),
                "plus_minus": math.nan if seeds_do_nothing(group[both]) else half_width(difference),
                "base_unfinished": unfinished_share(all_pairs, "_base"),
                "other_unfinished": unfinished_share(all_pairs),
            }
        )
    numbers = ["pairs", "left_out", "base", "other", "difference", "plus_minus", "base_unfinished", "other_unfinished"]
    found = pandas.DataFrame(rows, columns=[*by, *numbers])
    found.attrs |= {"metric": metric, "base": dict(base)}
    return found
