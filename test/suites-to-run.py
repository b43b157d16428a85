#! /usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only

# Which suites scripts/test runs more than once, and why. All run in the module's simulator, which its programs use.
# Random networks run in ns-3's simulator in its tree, because their laws hold for any order of events.
# `scripts/test --all` runs all in ns-3's own simulator as well, `scripts/test --in-tree --all` all in ns-3's tree.

# Also in ns-3's own simulator, because their checks depend on the order of events or on the simulator.
in_both_simulators = {
    "lossless-classes": "PAUSEs and frames that arrive at one time",
    "lossless-deadlock": "which switch waits first is a matter of ties",
    "lossless-link": "how long a frame takes, to the bit",
    "lossless-pause-propagation": "which PAUSE is the cause of another one is a matter of ties",
    "lossless-pfc-timing": "hand-computed times",
    "lossless-pfc-watchdog": "polls that are due when a PAUSE arrives",
    "lossless-phase-effect": "flows keep the phases that ties give them",
    "lossless-reference-run": "the same bytes in both",
    "lossless-run-control": "how a run ends",
    "lossless-series": "samples that are due when something happens",
    "lossless-stack": "ns-3's own stack, whose users have its simulator",
    "lossless-toy-flow-stop": "the scheme of the page on schemes, in a program of either kind",
}

# In ns-3's tree, where asserts and logs are enabled in ns-3 as well: the names of the suites' files.
in_tree = {
    "bfc": "what random networks have of it",
    "buffer-policy": "what random networks have of it",
    "capfc": "what random networks have of it",
    "capture": "files are found from the root of the tree",
    "cbfc": "what random networks have of it",
    "conservation": "every scheme in random networks, with asserts and in ns-3's simulator",
    "dsh": "what random networks have of it",
    "link": "every kind of frame, with asserts",
    "packet-metadata": "ns-3 checks the metadata of packets there",
    "ranked-record": "ns-3's own MPI is there",
    "reference-run": "the same bytes, by other flags",
    "shp": "what random networks have of it",
    "stack": "ns-3's own stack, with asserts",
    "test-blocks": "how suites are made",
}

# The programs that are built in ns-3's tree and for `scripts/test --quick`.
programs = {
    "incast": "the program to read first",
    "lossless-run": "README's",
    "tcp-beside-roce": "ns-3's own TCP",
}
