#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Draw how much longer the other flow of incast takes, from result folders: the page doc/from-idea-to-plot.rst.

    PYTHONPATH=scripts examples/incast-plot.py runs/*       # writes incast.png
"""

import sys

import matplotlib

matplotlib.use("Agg")

import lossless
import matplotlib.pyplot as plt

points = {}
for folder in sys.argv[1:]:
    run = lossless.load(folder)
    other = run.flows[run.flows.group == "other"].slowdown.item()
    points.setdefault(run.info["scheme"], []).append((run.info["parameters"]["senders"], other))

for scheme, curve in points.items():
    senders, slowdown = zip(*sorted(curve))
    plt.plot(senders, slowdown, label=scheme, **lossless.scheme_style(scheme))
plt.xlabel("senders of the incast")
plt.ylabel("slowdown of the other flow")
plt.legend()
plt.savefig("incast.png", dpi=120)
