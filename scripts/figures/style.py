# SPDX-License-Identifier: GPL-2.0-only
"""How all figures look; a scheme has the same colour and marker in each of them."""

SCHEMES = {
    "SIH": {"color": "#d55e00", "marker": "s"},
    "DSH": {"color": "#0072b2", "marker": "o"},
}

SIZE_INCHES = (5.2, 3.4)

RC = {
    "font.size": 9,
    "axes.grid": True,
    "grid.alpha": 0.3,
    "lines.linewidth": 1.4,
    "lines.markersize": 3.5,
    "legend.framealpha": 1,
    "legend.edgecolor": "none",
    "savefig.dpi": 200,
    "svg.hashsalt": "lossless",
    "pdf.fonttype": 42,
}
