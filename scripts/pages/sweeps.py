# SPDX-License-Identifier: GPL-2.0-only
"""The page of a sweep: its table as a picture, for which the reader chooses the axes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas
from pandas.api.types import is_bool_dtype, is_numeric_dtype

import lossless
from lossless import notes
from lossless.comparisons import LIMIT, QUANTILES, SEEDS, is_part_of
from lossless.grid import FAILURES
from lossless.system import read_rows
from lossless.values import CONFIGURATION
from pages import as_text, short, write_page
from pages.charts import scheme_looks

# With fewer flows, a 99th percentile is close to the largest value.
ENOUGH = 100


def write(folder: Path, page: Path) -> None:
    """Write the report of a sweep. Raises a ValueError or FileNotFoundError if its table cannot be read."""
    table = lossless.load_sweep(folder)
    if table.empty:
        raise ValueError(f"{folder / 'sweep.csv'} has no runs")
    varied = find_varied(table)
    failures = read_failures(folder / FAILURES)
    write_page(
        page,
        "sweep.html",
        name=folder.resolve().name,
        runs=len(table),
        seeds=[name for name in varied if name in SEEDS],
        constants=[(name, table[name].iloc[0]) for name in table.attrs["parameters"] if table[name].nunique() == 1],
        configurations=describe_configurations(table),
        failures=failures,
        data=as_text(describe(table, varied)),
        notes=notes.of_folders([folder / place for place in table.folder]),
        **answer(table, varied),
    )


def find_varied(table: pandas.DataFrame) -> list[str]:
    """Return the options that have several values, except those that configurations consist of."""
    names = table.attrs["parameters"]
    several = [name for name in names if table[name].nunique() > 1]
    return [name for name in several if CONFIGURATION not in names or not is_part_of(table, name, CONFIGURATION)]


def first_value(table: pandas.DataFrame) -> str:
    """Return the measure that is drawn and answered first: that of collectives if there are any, otherwise the highest
    percentile with enough flows.
    """
    slowdown = "p90_slowdown" if "flows" in table and table.flows.max() < ENOUGH else "p99_slowdown"
    names = [name for name in ("collectives_ns", slowdown, "p99_slowdown", "pauses") if name in table]
    return next((name for name in names if table[name].notna().any()), "")


def describe_configurations(table: pandas.DataFrame) -> list[tuple[str, str]]:
    """Return each configuration with its own options."""
    if CONFIGURATION not in table.attrs["parameters"]:
        return []
    own = [name for name in table.attrs["parameters"] if is_part_of(table, name, CONFIGURATION)]
    firsts = table.drop_duplicates(CONFIGURATION)
    return [(row[CONFIGURATION], " ".join(f"--{name}={row[name]}" for name in own if row[name] != "")) for _, row in firsts.iterrows()]


def answer(table: pandas.DataFrame, varied: Sequence[str]) -> dict[str, object]:
    """Return how the runs differ from those with the first value of an option, preferably one whose values are names.
    """
    options = [name for name in varied if name not in SEEDS]
    named = [name for name in options if not is_numeric_dtype(table[name])]
    metric = first_value(table)
    if not options or not metric:
        return {"answers": []}
    option = (named or options)[0]
    base = table[option].iloc[0]
    found = lossless.compare(table, {option: base}, metric)
    if metric.endswith("_ns"):
        found[["base", "other", "difference", "plus_minus"]] /= 1e3
    others = [name for name in options if name != option]
    return {
        "option": option,
        "base": base,
        "metric": upper(title(metric)),
        "few": few_flows(table, metric),
        "column": metric,
        "better": "more" if "gbps" in metric else "less",
        "answers": [describe_difference(row, option, base, others, metric) for _, row in found.iterrows()],
    }


def few_flows(table: pandas.DataFrame, metric: str) -> str:
    """Return the numbers of flows if they are the reason why another percentile is compared."""
    if metric != "p90_slowdown":
        return ""
    few, many = int(table.flows.min()), int(table.flows.max())
    return f"; {few}{f' to {many}' * (few != many)} flows a run, too few for P99"


def describe_in_text(folder: Path) -> list[str]:
    """Return the answers and hints of a sweep as lines. Raises a ValueError or FileNotFoundError if its table cannot be
    read.
    """
    table = lossless.load_sweep(folder)
    found = answer(table, find_varied(table))
    answers = [f"{found['metric']} ({found['better']} is better{found['few']}), against {found['option']} = {found['base']} (95 %):", *found["answers"]] if found["answers"] else []
    return [f"{len(table)} runs", *answers, *notes.of_folders([folder / place for place in table.folder])]


def describe_difference(row: pandas.Series, option: str, base: object, others: Sequence[str], metric: str) -> str:
    place = "".join(f"; {name} = {row[name]}" for name in others)
    if gap := describe_gap(row, row[option], base, metric):
        return f"{row[option]} and {base} cannot be compared: {gap}{place}"
    error, known = f" ± {short(row.plus_minus)}", f"{row.pairs} pairs"
    if pandas.isna(row.plus_minus):
        error, known = "", "1 pair, which has no interval" if row.pairs == 1 else "the seed makes no difference here"
    if row.plus_minus > abs(row.difference):
        known += ": the sign is not certain"
    if row.left_out:
        known += f"; {row.left_out} without a value"
    if row.difference == 0 and not row.plus_minus > 0:
        return f"{row[option]} and {base} do not differ ({short(row.base)}; {known}{place})"
    values = f"{row[option]}: {short(row.other)}, {base}: {short(row.base)}"
    return f"{row[option]} - {base} = {short(row.difference, '+')}{error} ({values}; {known}{place})"


def describe_gap(row: pandas.Series, other: object, base: object, metric: str) -> str:
    """Return why the difference says nothing: no pair has a value, or so many flows are unfinished that those which
    arrived are others on one side.
    """
    if not row.pairs:
        return f"in none of {row.left_out} pairs of runs have both a value"
    most = 0.1 if metric.startswith("p90_") else 0.01  # a 99th percentile is decided by the last hundredth
    shares = (row.other_unfinished, row.base_unfinished)
    if not metric.endswith(("_slowdown", "_fct_ns")) or not max(shares) > most:
        return ""
    return f"the values are those of flows that arrived, and {100 * shares[0]:.3g} % of {other}'s flows did not, {100 * shares[1]:.3g} % of {base}'s"


def describe(table: pandas.DataFrame, varied: Sequence[str]) -> dict[str, object]:
    """Return the data that the page's script draws."""
    axes = [name for name in varied if name not in SEEDS] or [*varied] or ["folder"]
    values = {name: sorted_values(table[name]) for name in axes}
    measures = {**numbers(table)}
    numeric = [name for name in axes if is_numeric_dtype(table[name])]
    x = (numeric or axes)[0]
    places = {name: {value: place for place, value in enumerate(found)} for name, found in values.items()}
    names = [*measures]
    first = first_value(table)
    return {
        "axes": [{"name": name, "values": values[name], "numeric": name in numeric, "looks": looks_of(table, name)} for name in axes],
        "measures": names,
        "rows": [
            {"at": [places[name][row[name]] for name in axes], "is": [clean(measures[name][at]) for name in names]}
            for at, row in table.iterrows()
        ],
        "x": x,
        "series": next((name for name in axes if name != x), ""),
        "value": names.index(title(first)) if first else 0,
        "quantiles": QUANTILES,
        "limit": LIMIT,
    }


def looks_of(table: pandas.DataFrame, name: str) -> list[dict[str, str]] | None:
    """Return how the values of an axis are drawn, if they are schemes or configurations with one scheme each."""
    if name != "scheme" and (name != CONFIGURATION or "scheme" not in table):
        return None
    schemes = table.groupby(name, sort=False).scheme.first()
    return scheme_looks([schemes[value] for value in table[name].unique()])


def sorted_values(column: pandas.Series) -> list:
    """Return the distinct values: numbers in ascending order, names in the order of the table."""
    found = column.unique().tolist()
    return sorted(found) if is_numeric_dtype(column) else [*found]


def numbers(table: pandas.DataFrame) -> dict[str, pandas.Series]:
    """Return the measures that at least one run has, by title. Times are in us."""
    found = {"lossless (share of the runs)": (table.outcome == "lossless").astype(float)}
    for name in table.columns.drop(table.attrs["parameters"]):
        column = table[name]
        if is_bool_dtype(column):
            found[f"{name} (share of the runs)"] = column.astype(float)
        elif is_numeric_dtype(column) and column.notna().any():
            found[title(name)] = column / 1e3 if name.endswith("_ns") else column.astype(float)
    return found


def title(column: str) -> str:
    words = column.removesuffix("_ns").replace("_", " ").replace("fct", "FCT").replace("bus gbps", "bus Gbit/s")
    return f"{words} (us)" if column.endswith("_ns") else words


def upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def clean(number: float) -> float | None:
    return None if pandas.isna(number) else number


def read_failures(path: Path) -> list[tuple[str, str, str]]:
    """Return the runs without results: name, outcome, and reason."""
    if not path.is_file():
        return []
    try:
        return [(row["run"], row["kind"], row["why"]) for row in read_rows(path)]
    except (KeyError, UnicodeDecodeError):
        raise ValueError(f"{path} is not a table of scripts/sweep") from None
