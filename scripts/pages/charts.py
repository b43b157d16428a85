# SPDX-License-Identifier: GPL-2.0-only
"""Pictures inside a page, drawn for light and dark themes and embedded in the page."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import markupsafe
import matplotlib
import pandas

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.colors import LinearSegmentedColormap

from figures import style
from pages import as_text


# For curves that are distinguished by their place.
MARKERS = ("o", "s", "^", "D", "v", "x")


@dataclass(frozen=True)
class Theme:
    ink: str
    faint: str
    ground: str  # of the card that contains the pictures, as in the style sheet
    colors: Sequence[str]
    heat: Sequence[str]  # from low to high

    def heat_map(self) -> LinearSegmentedColormap:
        return LinearSegmentedColormap.from_list("heat", self.heat)

    def occupancy(self) -> LinearSegmentedColormap:
        """Like `heat`, but starting at the background, so that empty areas are invisible."""
        return LinearSegmentedColormap.from_list("occupancy", [self.ground, *self.heat])

    def rc(self) -> dict:
        return style.RC | {
            "savefig.dpi": 160,
            "text.color": self.ink,
            "axes.labelcolor": self.ink,
            "axes.titlecolor": self.ink,
            "axes.edgecolor": self.faint,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "xtick.color": self.ink,
            "ytick.color": self.ink,
            "legend.frameon": False,
            "axes.prop_cycle": matplotlib.cycler(color=list(self.colors)),
        }


# Colours that can be distinguished with any red-green colour blindness (Okabe and Ito), lighter on a dark background.
LIGHT = Theme(
    ink="#1b1f24",
    faint="#a9b1ba",
    ground="#ffffff",
    colors=("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b07d00", "#56b4e9"),
    heat=("#f0b429", "#e8590c", "#b3130f", "#5c0011"),
)
DARK = Theme(
    ink="#e7eaee",
    faint="#68727e",
    ground="#1d2127",
    colors=("#56b4e9", "#ff9a4d", "#3fcf9f", "#e79ac6", "#e8c14a", "#a8c8ff"),
    heat=("#a87410", "#f08c2e", "#ff6b5e", "#ffd9d2"),
)


# Pictures for phones. At a width of about 460 px, their text has a size of 16 px.
NARROW_INCHES = 3.6
NARROW_LEAST_INCHES = 2.6
NARROW_DPI = 220
ROW_INCHES = 0.17  # of a legend


@dataclass(frozen=True)
class Drawing:
    """A picture for light and dark themes."""

    light: str
    dark: str
    width: int
    height: int


@dataclass(frozen=True)
class Picture:
    """Drawings of the same content, and a description in words. Curves over time are also stored as data for the page's
    script.
    """

    wide: Drawing
    narrow: Drawing | None  # for phones; if None, the wide one can be scrolled
    alt: str
    curves: markupsafe.Markup | None = None


def scheme_looks(schemes: Sequence[str]) -> list[dict[str, str]] | None:
    """Return the light and dark colours and the marker of each scheme if all schemes are known and different."""
    if len({*schemes}) < len(schemes) or not {*schemes} <= {*style.ROWS}:
        return None
    return [{"light": style.ROWS[name]["color"], "dark": style.ROWS[name]["dark"], "marker": style.ROWS[name]["marker"]} for name in schemes]


def shown(word: str) -> str:
    """Return a user's string as Matplotlib displays it, without mathematics, and in a legend even if it begins with
    "_".
    """
    return ("\u200b" if word.startswith("_") else "") + word.replace("$", r"\$")


def make(draw: Callable[[plt.Axes, Theme], None], alt: str, inches: tuple[float, float] = (9, 3.6), has_narrow: bool = True) -> Picture:
    """Draw a panel for both themes, and for phones unless it would be unreadable. The background is transparent."""
    narrow = (NARROW_INCHES, max(inches[1], NARROW_LEAST_INCHES))
    return Picture(make_drawing(draw, inches, False), make_drawing(draw, narrow, True) if has_narrow else None, alt)


def make_drawing(draw: Callable[[plt.Axes, Theme], None], inches: tuple[float, float], is_narrow: bool) -> Drawing:
    (light, width, height), (dark, _, _) = (render(draw, theme, inches, is_narrow) for theme in (LIGHT, DARK))
    return Drawing(light, dark, width, height)


@dataclass(frozen=True)
class Curve:
    """A series over time, whose colour depends on `place`."""

    name: str
    place: int
    times_ms: pandas.Series
    values: pandas.Series
    look: Mapping[str, str] | None = None  # colours other than those of the place


def make_series(draw: Callable[[plt.Axes, Theme], None], alt: str, label: str, curves: Sequence[Curve]) -> Picture:
    """Return a picture of curves, which the page's script replaces with one that can be zoomed."""
    series = [
        {
            "name": curve.name,
            "at": curve.place,
            "look": curve.look,
            "times": [round(time, 6) for time in curve.times_ms.tolist()],
            "values": [float(f"{value:.5g}") for value in curve.values.tolist()],
        }
        for curve in curves
    ]
    return replace(make(draw, alt), curves=as_text({"label": label, "curves": series}))


def render(
    draw: Callable[[plt.Axes, Theme], None], theme: Theme, inches: tuple[float, float], is_narrow: bool
) -> tuple[str, int, int]:
    """Return a PNG as a data URL, and its size in pixels."""
    with plt.rc_context(theme.rc() | ({"savefig.dpi": NARROW_DPI} if is_narrow else {})):
        picture, ax = plt.subplots(figsize=inches, layout="constrained")
        draw(ax, theme)
        if is_narrow and (legend := ax.get_legend()):
            ax.legend(*ax.get_legend_handles_labels(), loc="lower left", bbox_to_anchor=(0, 1))
            picture.set_figheight(inches[1] + ROW_INCHES * len(legend.get_texts()))
        file = io.BytesIO()
        picture.savefig(file, format="png", transparent=True)
        width, height = (picture.get_size_inches() * plt.rcParams["savefig.dpi"]).round().astype(int)
        plt.close(picture)
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode("ascii"), width, height
