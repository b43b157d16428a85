# SPDX-License-Identifier: GPL-2.0-only
"""Checks of what shows results: pandas frames of a run, the gallery of figures, the report of a run.

The pages are loaded in a browser, which is started once.

Run by scripts/test, or alone: cd test && /usr/bin/python3 -B -m unittest -v pages_test
"""

from __future__ import annotations

import functools
import importlib.machinery
import importlib.util
import io
import json
import math
import os
import random
import re
import shutil
import subprocess
import tempfile
import types
import unittest
from collections import Counter
from html import unescape
from pathlib import Path
from unittest import mock
from urllib.parse import quote, unquote, urlsplit

# First: it tells Python where the scripts are.
from scripts_test import FLOWS_HEADER as FLOWS, PAUSES_HEADER, SCRIPTS, FolderTest, ended, quiet, run_info

import figures
import lossless
import matplotlib.pyplot as plt
import pandas
from figures import agreement, claims, documents, kept, settings, studies, verdicts
from lossless import columns, notes, programs, results
from lossless.system import write_rows
from pages import as_text, charts, compare, events, gallery, grouped, report, steps, sweeps, write_page
from pages.network import Network, natural
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains, ScrollOrigin
from selenium.webdriver.support.ui import Select, WebDriverWait
from tools import commit, documentation, workflow
from tools.common import Failure

REFERENCE = Path(__file__).with_name("reference")
# The network of test/reference: two leaves with four hosts each, and two spines, one of which has a failed link.
TOPOLOGY = "node_a,node_b,rate,delay,error_rate,failed,kind_a,kind_b\n" + "".join(
    f"{a},{b},100Gbps,2us,0,{failed},{kind},switch\n"
    for a, b, failed, kind in [
        *((f"h{host}", f"leaf{host // 4}", 0, "host") for host in range(8)),
        *((f"leaf{leaf}", f"spine{spine}", leaf * spine, "switch") for leaf in range(2) for spine in range(2)),
    ]
)

# The first lines of tables.
QUEUES = "time_ns,node,port,side,priority,bytes,shared_bytes,headroom_bytes\n"
EVENTS = "time_ns,node,port,priority,event,reason,flow,length_ns\n"
COMMIT = "0123456789abcdef0123456789abcdef01234567"


def make_axes(test: unittest.TestCase) -> plt.Axes:
    """Return the axes of a picture that is closed when the test ends."""
    picture, ax = plt.subplots()
    test.addCleanup(plt.close, picture)
    return ax


class ResultsTest(FolderTest):
    """Tests how results are read from a folder whose files are written by hand."""

    def setUp(self) -> None:
        super().setUp()
        self.write("run.json", json.dumps(run_info()))

    def test_frames_and_units(self) -> None:
        self.write("flows.csv", FLOWS + "0,7,h1,3,1000,5,200,100,2.000000,none\n1,h1,7,3,1000,5,,100,,\n")
        self.write("run.json", json.dumps(run_info(flows=2)))
        run = lossless.load(self.folder)
        self.assertEqual(run.info["run"], 7)
        self.assertEqual(run.flows.source.tolist(), ["7", "h1"])  # names remain strings
        self.assertEqual(run.flows.group.tolist(), ["none", ""])
        self.assertEqual(run.flows.fct_ns.isna().tolist(), [False, True])
        units = {"bytes": "B", "start_ns": "ns", "fct_ns": "ns", "ideal_ns": "ns"}
        self.assertEqual(run.flows.attrs["units"], units)
        self.assertEqual(list(run), ["flows"])
        self.assertEqual((len(run), "pauses" in run), (1, False))
        self.assertIs(run["flows"], run.flows)

    def test_measured_flows(self) -> None:
        rows = "".join(f"{i},a,b,3,1000,{1000 * i},10,10,1.000000,\n" for i in range(4))
        rows += "4,a,b,3,1000,,,10,,\n"  # a flow that still waits for others
        self.write("flows.csv", FLOWS + rows)

        def ids(**window: object) -> list[int]:
            self.write("run.json", json.dumps(run_info(flows=5) | ({"measured": window} if window else {})))
            return lossless.load(self.folder).measured_flows.id.tolist()

        self.assertEqual(ids(), [0, 1, 2, 3, 4])
        self.assertEqual(ids(from_ns=0, until_ns=None), [0, 1, 2, 3, 4])
        self.assertEqual(ids(from_ns=1000, until_ns=None), [1, 2, 3, 4])
        self.assertEqual(ids(from_ns=1000, until_ns=3000), [1, 2])

    def test_names_with_a_hyphen(self) -> None:
        self.write("pause-depths.csv", "depth,pauses,queues,hosts\n1,2,3,4\n")
        self.assertEqual(lossless.load(self.folder).pause_depths.hosts.tolist(), [4])

    def test_classes_of_pauses_are_text(self) -> None:
        """Classes are text, as in files whose column also contains other values than numbers."""
        self.write("pauses.csv", PAUSES_HEADER + "s0,1,3,1,1,5,5\n")
        self.assertEqual(lossless.load(self.folder).pauses.priority.tolist(), ["3"])

    def test_numbers_are_exact(self) -> None:
        path = self.write("a.csv", "x\n0.07215400323407826\n0.09391670189485866\n")
        self.assertEqual(results.read_table(path).x.tolist(), [0.07215400323407826, 0.09391670189485866])

    def test_units_by_name(self) -> None:
        names = ("time_ns", "delay_mean_s", "bits_per_second", "mean_bytes", "pauses", "locked_percent", "ns3")
        self.assertEqual([columns.unit_of(name) for name in names], ["ns", "s", "bit/s", "B", None, "%", None])

    def test_files_that_are_cut_off(self) -> None:
        """Tables without some of their flows, or without the end of a row, are refused."""
        rows = "".join(f"{i},h0,h1,3,1000,5,200,100,2.000000,a\n" for i in range(19))
        for text, sentence in (
            (FLOWS + rows, ""),
            (FLOWS + rows[: rows.index("7,h0")], "flows.csv has 7 of 19 flows; the file is cut off"),
            (FLOWS + rows[:-4], "flows.csv cannot be read: line 20 is cut off"),
            (FLOWS + rows[:-1], "flows.csv cannot be read: line 20 is cut off"),
            (FLOWS + rows.replace("8,h0,h1,3,1000,5,200,100,2.000000,a", "8,h0,h1,3", 1), "line 10 is cut off"),
            (FLOWS[:-6], "line 1 is cut off"),
        ):
            self.write("flows.csv", text)
            run = lossless.load(self.folder)
            if sentence:
                with self.assertRaisesRegex(ValueError, sentence):
                    run.flows
            else:
                self.assertEqual(len(run.flows), 19)
        self.write("flow-groups.csv", "group,priority,flows\n")
        self.write("run.json", json.dumps(run_info(flows=29, unfinished_flows=10)))
        self.write("flows.csv", FLOWS + rows)
        self.assertEqual(len(lossless.load(self.folder).flows), 19)  # only received flows, as with --flows-csv=stream

    def test_complaints(self) -> None:
        run = lossless.load(self.folder)
        with self.assertRaisesRegex(KeyError, "has no queues.csv"):
            run["queues"]
        with self.assertRaisesRegex(AttributeError, "has no queues.csv"):
            run.queues
        self.write("flows.csv", 'id,source\n1,"a\n')
        with self.assertRaisesRegex(ValueError, "flows.csv cannot be read"):
            run.flows
        for text, sentence in (
            ("{", "run.json cannot be read"),
            ("[]", "is not the description of a run of this module"),
            ('{"schema": "other"}', "is not the description of a run of this module"),
        ):
            self.write("run.json", text)
            with self.assertRaisesRegex(ValueError, sentence):
                lossless.load(self.folder)
        (self.folder / "run.json").unlink()
        with self.assertRaisesRegex(FileNotFoundError, "is not a result folder: it has no run.json"):
            lossless.load(self.folder)
        with self.assertRaisesRegex(FileNotFoundError, "nowhere is not a folder"):
            lossless.load(self.folder / "nowhere")


STEPS = """id,source,destination,bytes,compute_ns,job,group,started_ns,sent_ns,received_ns,waited_for
0,h0,h0,0,300,job0,,0,300,300,
1,h0,h10,1000,0,job0,all,300,700,500,0
2,h10,h2,1000,100,job0,all,600,,900,1
3,h3,h0,1000,0,job0,all,0,200,150,
4,h2,h0,1000,0,job0,all,,,,3
"""
COLLECTIVES = """job,group,iteration,place,collective,algorithm,ranks,bytes,start_ns,last_start_ns,end_ns,duration_ns,algorithm_gbps,bus_gbps,waiting_share,straggler
job0,TP0,0,0,allreduce,ring,4,1000,0,5,900,900,8.889,13.333,0.25,h10
job0,TP1,0,0,allreduce,ring,4,1000,0,0,,,,,,
"""


class StepsTest(FolderTest):
    """Which step waits for which step, in a small graph."""

    def frame(self) -> pandas.DataFrame:
        return results.read_table(self.write("steps.csv", STEPS))

    def test_chain(self) -> None:
        """The chain leads from the step that was received last back to a step without predecessors."""
        self.assertEqual(steps.find_chain(self.frame()).id.tolist(), [0, 1, 2])
        nothing = self.frame().assign(received_ns=math.nan)
        self.assertEqual(len(steps.find_chain(nothing)), 0)

    def test_spans(self) -> None:
        """A flow that was never acknowledged is under way until it was received."""
        spans = steps.busy_spans(self.frame(), 1000)
        self.assertEqual(spans["h0"], ([(0, 300)], [(300, 700), (0, 150)]))
        self.assertEqual(spans["h10"], ([(500, 600)], [(300, 500), (600, 900)]))
        self.assertEqual(steps.join_spans([(5, 9), (0, 3), (2, 4)]), [[0, 4], [5, 9]])
        self.assertEqual(steps.join_spans([(5, 9), (0, 3), (2, 4)], 1), [[0, 9]])

    def test_hosts(self) -> None:
        """The hosts of the chain come first, then the hosts that wait most, sorted by name."""
        frame = self.frame()
        spans, chain = steps.busy_spans(frame, 1000), steps.find_chain(frame)
        self.assertEqual(steps.choose_hosts(spans, chain, 9), ["h0", "h2", "h3", "h10"])
        self.assertEqual(steps.choose_hosts(spans, chain, 3), ["h0", "h2", "h10"])

    def test_the_axis_begins_with_the_first_step(self) -> None:
        """If all steps are 2 s later, the axis still has a length of slightly more than 900 ns."""
        frame = self.frame()
        late = frame.assign(**{name: frame[name] + 2e9 for name in ("started_ns", "sent_ns", "received_ns")})
        ax = make_axes(self)
        for begin, graph in ((0, frame), (2000, late)):
            steps.draw(ax, charts.LIGHT, graph, ["h0", "h10"], 3e9)
            left, right = ax.get_xlim()
            self.assertAlmostEqual(left, begin, 9)
            self.assertAlmostEqual(right - left, 1.01 * 900e-6, 9)

    def test_section(self) -> None:
        self.write("run.json", json.dumps(run_info()))
        self.write("steps.csv", STEPS)
        self.write("collectives.csv", COLLECTIVES)
        section = report.waiting(lossless.load(self.folder))
        self.assertIn("the 3 steps that decided", section.pictures[0][0].alt)
        self.assertEqual(
            section.tables[0].rows, [("allreduce", "ring", "2", "1", "900 ns", "900 ns", "13.33", "25.0%", "h10")]
        )
        self.write("steps.csv", STEPS.splitlines()[0] + "\n0,h0,h1,5,0,,,,,,\n")
        self.assertIn("No step", report.waiting(lossless.load(self.folder)).note)


class NetworkTest(FolderTest):
    def network(self) -> Network:
        return Network(results.read_table(self.write("topology.csv", TOPOLOGY)))

    def test_levels_and_ports(self) -> None:
        network = self.network()
        self.assertEqual([network.level[node] for node in ("h7", "leaf1", "spine0")], [0, 1, 2])
        self.assertEqual(network.peer("leaf1", 3), "h7")
        self.assertEqual(network.peer("leaf1", 5), "spine1")  # failed links also have ports
        self.assertEqual((network.peer("leaf1", 6), network.peer("x", 0)), ("", ""))

    def test_switches_without_a_way_to_a_host(self) -> None:
        rows = "s0,s1,100Gbps,2us,0,0,switch,switch\n"
        network = Network(results.read_table(self.write("topology.csv", TOPOLOGY + rows)))
        self.assertEqual((network.level["s0"], network.level["s1"]), (1, 1))
        self.assertNotEqual(network.x["s0"], network.x["s1"])

    def test_places(self) -> None:
        """Hosts are in order, each leaf is above its hosts, and no two nodes are at one place."""
        network = self.network()
        self.assertEqual(sorted(network.hosts, key=network.x.get), [f"h{n}" for n in range(8)])
        self.assertAlmostEqual(network.x["leaf0"], sum(network.x[f"h{n}"] for n in range(4)) / 4)
        places = {(network.x[node], network.level[node]) for node in network.level}
        self.assertEqual(len(places), 12)

    def write_servers(self, server: str = "nvswitch") -> pandas.DataFrame:
        """Two servers of two GPUs with 450 Gbit/s to a switch of their own and 100 Gbit/s to each of two rails."""
        rows = [f"h{host},{server}{host // 2},450Gbps,25ns,0,0,host,switch\n" for host in range(4)]
        rows += [f"h{host},tor{host % 2},100Gbps,500ns,0,0,host,switch\n" for host in range(4)]
        return results.read_table(self.write("topology.csv", TOPOLOGY.splitlines()[0] + "\n" + "".join(rows)))

    def test_switches_of_servers(self) -> None:
        """Switches of servers, which are known by name or, in a file, by their neighbours, are below their hosts; only NICs count for the
        load."""
        for name in ("nvswitch", "s"):
            links = self.write_servers(name)
            network = Network(links)
            self.assertEqual([network.level[node] for node in ("h3", "tor0", f"{name}1")], [0, 1, -1])
            self.assertAlmostEqual(network.x[f"{name}1"], (network.x["h2"] + network.x["h3"]) / 2)
            self.assertEqual(report.host_capacity(links), 400)
        flows = pandas.DataFrame({"source": ["h0", "h0"], "destination": ["h1", "h2"], "bytes": [9000, 1000]})
        self.assertEqual(report.share_of_capacity(flows, self.write_servers(), 0.04), "; between servers 10 % of the NICs")
        fast = links.assign(node_b=links.node_b.replace({"s1": "s0"}))  # connects all hosts, like a second network
        self.assertEqual(Network(fast).level["s0"], 1)
        self.assertEqual(report.host_capacity(results.read_table(self.write("topology.csv", TOPOLOGY))), 800)

    def test_half_of_a_link(self) -> None:
        """leaf0 pauses h2 at port 2 of leaf0, and spine0 pauses leaf1 at port 1 of spine0."""
        network = self.network()
        ax = make_axes(self)
        network.draw(ax, charts.LIGHT, {("leaf0", 2): 50.0, ("spine0", 1): 25.0})
        thick = [line for line in ax.get_lines() if line.get_linewidth() > 1]
        starts = {(line.get_xdata()[0], line.get_ydata()[0]): line.get_linewidth() for line in thick}
        self.assertEqual({*starts}, {(network.x["h2"], 0), (network.x["leaf1"], 1)})
        self.assertAlmostEqual(thick[0].get_ydata()[1], 1 / 3)  # a third of the way from h2 to leaf0
        self.assertGreater(starts[network.x["h2"], 0], starts[network.x["leaf1"], 1])
        dotted = [line for line in ax.get_lines() if line.get_linestyle() == ":"]
        self.assertEqual(len(dotted), 2)  # both halves of the failed link

    def test_ground_is_that_of_the_page(self) -> None:
        style = (SCRIPTS / "pages" / "templates" / "style.css").read_text(encoding="utf-8")
        self.assertEqual(re.findall(r"--card: (#\w+)", style), [charts.LIGHT.ground, charts.DARK.ground])

    def test_pictures_for_phones(self) -> None:
        """Pictures for phones show the same curves, with the legend in rows above them and type of 16 px at a width of
        460 px."""
        seen = []

        def draw(ax, theme: charts.Theme) -> None:
            for name in "abc":
                ax.plot([1, 2], label=name)
            ax.legend(ncols=3)
            seen.append((theme, ax))

        picture = charts.make(draw, "curves")
        self.assertEqual([theme for theme, _ in seen], [charts.LIGHT, charts.DARK] * 2)
        self.assertEqual((picture.wide.width, picture.narrow.width), (1440, 792))
        self.assertAlmostEqual(picture.narrow.height, (3.6 + 3 * 0.17) * 220, delta=1)
        font = charts.LIGHT.rc()["font.size"] / 72 * charts.NARROW_DPI
        self.assertGreaterEqual(font * 460 / picture.narrow.width, 15.9)
        self.assertIsNone(charts.make(draw, "curves", has_narrow=False).narrow)

    def test_order_of_names(self) -> None:
        self.assertEqual(sorted(["h10", "h2", "leaf1", "7"], key=natural), ["h2", "h10", "leaf1", "7"])


class RunFolderTest(FolderTest):
    """A run of the stored results, as the C++ tests keep them."""

    def write_run(self, name: str, **verdict: object) -> Path:
        self.write(f"{name}/topology.csv", TOPOLOGY)
        self.write(f"{name}/pause-depths.csv", "depth,pauses,queues,hosts\n1,4000,9,5\n2,321,4,0\n")
        folder = self.write(f"{name}/run.json", json.dumps(run_info(**verdict))).parent
        for table in ("flows", "pauses", "queues", "drops"):
            shutil.copy(REFERENCE / f"SIH-{table}.csv", folder / f"{table}.csv")
        return folder

    def write_sweep(self) -> Path:
        """Two schemes at three loads with two seeds each; DSH has no result at the last one."""
        folder = self.folder / "sweep"
        header = "scheme,load,note,RngRun,outcome,deadlock,pauses,p99_fct_ns,p99_slowdown,folder\n"
        rows = [
            f"{scheme},{load},None,{seed},{outcome},False,{10 * seed},{load * 1e6:g},{load * 10 + seed:g},runs/{seed}\n"
            for scheme, outcome in (("</script>", "lossy"), ("DSH", "lossless"))
            for load in (0.9, 0.3, 0.6)
            for seed in (1, 2)
            if (scheme, load) != ("DSH", 0.9)
        ]
        self.write("sweep/sweep.csv", header + "".join(rows))
        self.write("sweep/failures.csv", "scheme,load,run,kind,why\nDSH,0.9,DSH-0.9,failed,no <route>\n")
        return folder

    def report(self, folder: Path) -> str:
        page = folder / "report.html"
        report.write(lossless.load(folder), page)
        return page.read_text(encoding="utf-8")


class ReportTest(RunFolderTest):
    def setUp(self) -> None:
        super().setUp()
        self.run_folder = self.write_run("run")

    def report(self, folder: Path | None = None) -> str:
        return super().report(folder or self.run_folder)

    def test_sections(self) -> None:
        text = self.report()
        self.assertIn("./my-program --scheme=SIH &#39;--output=my run&#39;", text)
        self.assertEqual(text.count("<picture>"), 3)  # the network, completion times and buffers
        for absent in ("throughput.csv", "There was no deadlock.", "No frame was lost."):
            self.assertIn(absent, text)

    def test_longest_pause_is_told(self) -> None:
        self.write(
            "run/pauses.csv",
            PAUSES_HEADER + "leaf0,2,3,9,9,600000,5\nleaf0,2,4,1,1,100,5\nspine0,1,port,2,2,300000,7\n",
        )
        text = self.report()
        self.assertIn("Longest stopped, for 48.6 % of the run: h2 by leaf0.", text)
        self.assertIn('<td>spine0</td><td>1</td><td>leaf1</td><td>port</td><td class="number">2</td>', text)

    def test_tiles(self) -> None:
        """The tail slowdown, the goodput and the load come first; tiles for events that did not happen are left out."""
        info = run_info(outcome="lossless", flows=10) | {"cnps": 12, "marked_frames": 0, "measured": {"length_ns": 1000, "max_paused_share": 0.25}}
        self.write("run/run.json", json.dumps(info))
        self.write("run/flows.csv", FLOWS + "".join(f"{n},h0,h1,3,1000,5,{n}000,100,{n},a\n" for n in range(1, 11)))
        facts = report.facts(lossless.load(self.run_folder))
        self.assertEqual(facts[:5], [
            ("9.1", "p90 slowdown of 10 flows"),
            ("80 Gbit/s", "goodput, 10 % of the hosts' links"),  # 10 kB in 1 us, and 8 hosts at 100 Gbit/s
            ("0.5", "load asked for"),
            ("25 %", "of the time: the queue that switches paused longest"),
            ("10 / 10", "flows finished"),
        ])
        self.assertIn(("12", "CNPs"), facts)
        self.assertFalse({"frames marked", "frames lost"} & {what for _, what in facts})

    def test_storms_failures_and_watchdogs(self) -> None:
        """h3's storm ends when the watchdog detects it; a failed link stays down until the run ends."""
        info = run_info() | {"simulated_ns": 4000000, "spec": {"fail-link": "leaf0-spine1@2.5ms"}}
        info["attributes"] = [{"type": "ns3::lossless::Storms", "attribute": "Hosts", "default": "", "value": "h3:3@1ms..3ms,h4:3"}]
        self.write("run/run.json", json.dumps(info))
        header = "detected_ns,restored_ns,node,port,priority,action,egress_frames,ingress_frames\n"
        self.write("run/watchdog.csv", header + "2000000,,leaf0,3,3,drop,226,0\n")
        watchdog = lossless.load(self.run_folder).watchdog
        self.assertEqual([(span.kind, span.name, span.begin, span.until) for span in events.find(info, watchdog)], [
            ("storm", "h3:3", 1e6, 3e6), ("storm", "h4:3", 0, 4e6), ("failure", "leaf0-spine1", 2.5e6, 4e6),
            ("watchdog", "leaf0:3, class 3", 2e6, 4e6),
        ])
        self.assertEqual(events.stopping(info, watchdog), {"h3": 1e6, "h4": 2e6})
        window = {"measured": {"until_ns": None, "length_ns": 3900000}}  # beginning with the first flow, at 0.1 ms
        self.assertEqual(events.stopping(info | window, watchdog), {"h3": 1e6, "h4": 1.9e6})
        text = self.report()
        self.assertIn("Over time: storm h3:3 from 1 ms to 3 ms; storm h4:3 from 0 ns to 4 ms; failure leaf0-spine1", text)
        self.assertIn("<td>leaf0</td><td>3</td><td>3</td><td>drop</td>", text)
        info["spec"] = {"failures": "my.csv"}
        self.write("run/run.json", json.dumps(info))
        self.assertIn("what happened by --failures=my.csv", self.report())

    def test_times_of_events(self) -> None:
        """All times that the programs accept (helper/text/option-text.cc), in ns."""
        for text, time in {
            "0": 0, "0.0": 0, "500ps": 0.5, "2000fs": 0.002, "1.5us": 1500, "2\u00b5s": 2000, "2\u03bcs": 2000, "+1ms": 1e6, "1E-3s": 1e6,
            ".5s": 5e8, "1min": 6e10, "1h": 3.6e12, "2d": 1.728e14, "1y": 3.1536e16, "soon": None, "": None, "1 ms": None,
        }.items():
            self.assertEqual(events.read_time(text), time, text)
        spans = events.read_spans("storm", "h3:3@0..5ms,h4:3@1us,h5:3@1min", 9000000)  # h5's storm begins after the end
        self.assertEqual([(span.name, span.begin, span.until) for span in spans], [("h3:3", 0, 5e6), ("h4:3", 1e3, 9e6)])

    def test_many_queues_are_a_heat_map(self) -> None:
        rows = [f"{time}000,leaf0,{port},egress,3,{port * time},,\n" for time in (1, 2, 3) for port in range(8)]
        self.write("run/queues.csv", QUEUES + "".join(rows))
        text = self.report()
        self.assertIn("Bytes stored over time in 8 of 8 egress queues, as colours; the fullest is leaf0:7, class 3.", text)

    def test_files_that_are_not_there(self) -> None:
        text = self.report(self.write("bare/run.json", json.dumps(run_info(outcome="empty", flows=0))).parent)
        self.assertEqual(text.count("<picture>"), 0)
        for sentence in (
            "No queue was paused in this run.", "has no complete topology.csv", "No flow was measured.", "Nothing was measured.",
            report.HOW_TO_SAMPLE,
        ):
            self.assertIn(sentence, text)

    def test_losses_and_deadlocks(self) -> None:
        self.write_run("run", outcome="violated", deadlock=True, problems=["It <lost> frames."])
        self.write(
            "run/drops.csv",
            "node,port,priority,reason,frames,bytes,first_ns,last_ns\nleaf0,1,,link-down,3,3000,1,2\n"
            "leaf1,2,3,headroom-full,12345,5000,1,2\nleaf1,2,control,receive-error,2,120,1,2\n",
        )
        self.write(
            "run/deadlocks.csv",
            "onset_ns,confirmed_ns,dissolved_ns,kind,cycle\n"
            "1500,2500,,cycle,a>b class 1 -> a>b class 1\n1600,2500,3500,cycle,a>b class 2 -> a>b class 2\n",
        )
        text = self.report()
        self.assertIn("It &lt;lost&gt; frames.", text)
        self.assertIn(f"<td>headroom-full</td><td class=\"number\">{grouped(12345)}</td>", text)
        self.assertLess(text.index("headroom-full"), text.index("link-down"))  # the most frequent reason comes first
        self.assertIn("<td>control</td><td>receive-error</td>", text)
        self.assertIn("<td>1.5 us</td><td></td><td>cycle</td><td>a&gt;b class 1 -&gt; a&gt;b class 1</td>", text)
        self.assertIn("<td>1.6 us</td><td>3.5 us</td><td>cycle</td>", text)

    def test_losses_of_lossy_classes_are_not_wrong(self) -> None:
        for lossless_class, heading in ((False, "Lost in classes without flow control"), (True, "What went wrong")):
            verdict = {"outcome": "lossy", "problems": ["Lost."], "drops": [{"lossless_class": False}, {"lossless_class": lossless_class}]}
            self.assertIn(f">{heading}</h2>", self.report(self.write_run(f"run-{lossless_class}", **verdict)))

    def test_what_did_not_happen_is_not_missing(self) -> None:
        text = self.report()
        nothing, missing = text.index(">Nothing to show</h2>"), text.index(">Not recorded</h2>")
        self.assertTrue(nothing < text.index("There was no deadlock.") < missing < text.index("throughput.csv, which"))

    def test_flows_of_one_size(self) -> None:
        self.write_run("run", flows=4)
        self.write("run/flows.csv", FLOWS + "".join(f"{flow},h0,h1,3,65500,5,20,10,{flow}.000000,a\n" for flow in range(1, 5)))
        section = report.completion_times(lossless.load(self.run_folder))
        self.assertIn("All of these flows have the same size, 65.5 kB.", section.pictures[0][1])
        flows = lossless.load(self.run_folder).flows
        for size, ticks in ((65500, [10, 100]), (1000, [1, 10])):
            ax = make_axes(self)
            report.draw_slowdowns(ax, flows.assign(bytes=size))
            low, high = ax.get_xlim()
            self.assertEqual([tick for tick in ax.get_xticks() if low <= tick <= high], ticks)

    def test_legend_has_what_is_drawn(self) -> None:
        """With too few flows for a line, the legend names the points, for one group and for several."""
        for groups, labels in (("a", ["flows"]), ("ab", ["a", "b"])):
            rows = {"bytes": [1000, 2000] * 4, "slowdown": range(1, 9), "fct_ns": 5, "group": [*groups] * (8 // len(groups))}
            ax = make_axes(self)
            flows = pandas.DataFrame(rows)
            report.draw_slowdowns(ax, flows)
            self.assertEqual(ax.get_legend_handles_labels()[1], labels)
            self.assertEqual(report.groups(flows).rows[0][0], "all (a)" if groups == "a" else "all")

    def test_flows_without_slowdown(self) -> None:
        self.write_run("run", flows=1)
        self.write("run/flows.csv", FLOWS + "0,h0,h1,3,9,5,,,,\n")
        self.assertIn("there are no slowdowns", self.report())

    def test_many_groups(self) -> None:
        """Many groups are drawn as one, and the page names the largest of them."""
        rows = [f"{flow},h0,h1,3,{1000 + flow},5,20,10,2.000000,g{flow % 13}\n" for flow in range(27)]
        self.write("run/flows.csv", FLOWS + "".join(rows))
        text = self.report()
        self.assertIn("By group of flows (10 of 13 groups)", text)
        self.assertIn('<td>g0</td><td class="number">3</td>', text)
        flows = lossless.load(self.run_folder).flows
        ax = make_axes(self)
        report.draw_slowdowns(ax, flows)
        labels = ax.get_legend_handles_labels()[1]
        self.assertEqual(labels, ["flows, median", "flows, 90th percentile"])

    def test_groups_that_look_like_mathematics(self) -> None:
        """Groups whose names look like mathematics, or like names that Matplotlib hides, are shown as they are."""
        self.write_run("run", flows=18)
        rows = [f"{flow},h0,h1,3,1000,5,20,10,2.000000,{group}\n" for flow, group in enumerate((r"$\frac$", "_bg") * 9)]
        self.write("run/flows.csv", FLOWS + "".join(rows))
        self.assertIn("By group of flows", self.report())
        ax = make_axes(self)
        report.draw_slowdowns(ax, lossless.load(self.run_folder).flows)
        labels = {label.split(",")[0] for label in ax.get_legend_handles_labels()[1]}
        self.assertEqual(labels, {r"\$\frac\$", "\u200b_bg"})
        ax.figure.savefig(io.BytesIO())

    def test_single_queues_and_throughput(self) -> None:
        rows = [f"{time},leaf0,3,egress,2,{time},,\n" for time in range(0, 4000000, 1000)]
        self.write("run/queues.csv", QUEUES + "".join(rows))
        self.write("run/throughput.csv", "time_ns,flow,bits_per_second\n1000,F0,50000000000\n2000,F0,90000000000\n")
        text = self.report()
        self.assertIn("egress queues: leaf0:3, class 2. The fullest had 3999 kB.", text)
        self.assertIn("Throughput over time of F0; at most 90 Gbit/s.", text)
        self.write("run/port-throughput.csv", "time_ns,node,port,bits_per_second\n1000,s0,2,50000000000\n2000,s0,2,7\n")
        self.assertIn("Throughput over time of s0:2; at most 50 Gbit/s.", self.report())

    def write_events(self, rows: str) -> Path:
        return self.write("run/pause-events.csv", EVENTS + rows).parent

    def test_pauses_over_time(self) -> None:
        """leaf0:2 is paused for 300 us and later until the end of the run; two flows of a queue are paused simultaneously."""
        self.write_events(
            "100000,leaf0,2,3,start,xoff,,\n400000,leaf0,2,3,end,xon,,\n500000,leaf1,0,port,start,headroom,,\n"
            "600000,leaf1,0,port,end,empty,,\n1000000,leaf0,2,3,start,scheme,,\n"
        )
        text = self.report()
        self.assertEqual(text.count("<picture>"), 4)
        self.assertIn("Paused for longest: leaf0:2, class 3, first at 100 us.", text)
        for reason in ("occupancy above XOFF", "headroom in use", "a rule of the scheme"):
            self.assertIn(f'<td>{reason}</td><td class="number">1</td>', text)

    def test_with_credits_pauses_are_waits(self) -> None:
        self.write_events("100000,leaf0,2,3,start,scheme,,\n")
        self.write("run/run.json", json.dumps(run_info() | {"scheme": "CBFC"}))
        self.assertIn('<td>a wait for credits</td><td class="number">1</td>', self.report())

    def test_spans_of_pauses(self) -> None:
        rows = (
            "5,s0,1,flows of 3,start,flow,11,\n6,s0,1,flows of 3,start,flow,12,\n8,s0,1,flows of 3,end,flow,11,\n"
            "9,s0,1,flows of 3,end,flow,12,\n10,s0,2,3 for a time,start,timed,,5\n12,s0,2,3 for a time,start,timed,,5\n"
            "90,s0,2,3 for a time,start,timed,,50\n20,s0,3,port,start,xoff,,\n"
        )
        events = lossless.load(self.write_events(rows))["pause-events"]
        spans = [tuple(row) for row in report.pause_spans(events, 100).itertuples(index=False)]
        self.assertEqual(
            spans,
            [
                ("s0:1, flows of 3", 5, 3, "flow"),
                ("s0:1, flows of 3", 6, 3, "flow"),
                ("s0:2, class 3 for a time", 10, 5, "timed"),
                ("s0:2, class 3 for a time", 15, 5, "timed"),  # the times of a timed pause add up
                ("s0:2, class 3 for a time", 90, 10, "timed"),
                ("s0:3, port", 20, 80, "xoff"),
            ],
        )

    def test_axes_of_time_begin_with_what_is_measured(self) -> None:
        """Flows start at 2 s, as in HPCC, and the run ends 1 ms later; one pause is in the middle, and one is before the flows."""
        info = run_info() | {"simulated_ns": 2001000000, "measured": {"until_ns": None, "length_ns": 1000000}}
        times = events.shown_times(info, 2000400000)
        self.assertEqual(times, (2e9, 2.001e9))
        self.assertEqual(events.shown_times(info, 1.5e9), (1.5e9, 2.001e9))
        ended = info | {"measured": {"until_ns": 2000600000, "length_ns": 100000}}  # with --measure-until
        self.assertEqual(events.measured_times(ended), (2.0005e9, 2.0006e9))
        pauses = pandas.DataFrame({"begin_ns": [2000400000], "length_ns": [200000], "reason": ["xoff"]})
        ax = make_axes(self)
        report.draw_pauses(ax, charts.LIGHT, {"leaf0:2": pauses}, times)
        self.assertEqual(ax.get_xlim(), (2000, 2001))
        events.draw(ax, charts.LIGHT, [events.Span("storm", "h3", 2000400000, 2000600000)], times)
        self.assertEqual(ax.get_xlim(), (2000, 2001))
        found = lossless.load(self.write_events("2000400000,leaf0,2,3,start,xoff,,\n2000600000,leaf0,2,3,end,xon,,\n"))
        replay = report.replay(Network(found.topology), found["pause-events"], times)
        self.assertEqual(replay["start"], 500)  # of 1000, because the middle of the pause is that of the run

    def test_pauses_with_short_gaps_are_one_bar(self) -> None:
        pauses = pandas.DataFrame({"begin_ns": [0, 1500000, 4000000], "length_ns": [1000000, 1000000, 10]})
        self.assertEqual(report.merged(pauses, 1e6), [(0.0, 2.5), (4.0, 1.0)])

    def test_how_to_see_pauses(self) -> None:
        """The page tells how to record pauses, unless they were recorded and there was none."""
        self.assertIn(report.HOW_TO_SEE_PAUSES, self.report())
        self.assertNotIn(report.HOW_TO_SEE_PAUSES, self.report(self.write_events("")))

    def test_curves_keep_their_peaks(self) -> None:
        """Peaks are drawn even if they have few samples."""
        rows = [f"{time},leaf0,,buffer,,{9000 if time == 4321 else 1},,\n" for time in range(10000)]
        table = results.read_table(self.write("queues.csv", QUEUES + "".join(rows)))
        [(name, (times, values))] = report.longest(table, table.node, "bytes", 1e3)
        self.assertEqual((name, max(values)), ("leaf0", 9.0))
        self.assertLessEqual(len(times), report.SHOWN_STEPS)


class CompareTest(RunFolderTest):
    def compare(self, *folders: Path) -> str:
        page = self.folder / "comparison.html"
        compare.write([lossless.load(folder) for folder in folders], page)
        return page.read_text(encoding="utf-8")

    def write_other(self) -> Path:
        """Write a run with other settings, results and files."""
        folder = self.write_run("other", outcome="lossy", lost_frames=7)
        info = run_info(outcome="lossy", lost_frames=7) | {"scheme": "DSH", "run": 8, "pauses": 8642}
        info["command_line"] = ["./my-program", "--scheme=DSH", "--output=other", "--pause-events"]
        info["attributes"] = [
            {"type": "ns3::lossless::RoceNic", "attribute": "Window", "default": "0", "value": "9"},
            {"type": "ns3::lossless::SwitchNode", "attribute": "BufferPolicy", "default": "", "value": "ns3::lossless::DshBufferPolicy"},
        ]
        (folder / "run.json").write_text(json.dumps(info), encoding="utf-8")
        rows = [f"{n},h0,h1,3,{1000 * n + 1},5,{n + 1}000,100,{n + 1},a\n" for n in range(20)]
        self.write("other/flows.csv", FLOWS + "".join(rows))
        drops = "node,port,priority,reason,frames,bytes,first_ns,last_ns\nleaf0,1,3,buffer-full,3,1,1,1\nleaf1,1,3,buffer-full,4,1,1,1\n"
        self.write("other/drops.csv", drops)
        self.write("other/queues.csv", QUEUES + "1000,leaf0,,buffer,,98765,,\n1000,leaf0,3,egress,2,777,,\n")
        return folder

    def test_what_differs(self) -> None:
        text = self.compare(self.write_run("run"), self.write_other())
        for row in (
            "<td>scheme</td><td>SIH</td><td>DSH</td>",
            "<td>--pause-events</td><td>–</td><td>given</td>", "<td>RoceNic::Window</td><td>–</td><td>9</td>",
            "<td>run</td><td>7</td><td>8</td>",
            '<td>verdict</td><td class="number">lossless</td><td class="number">lossy</td>',
            f'<td>pauses</td><td class="number">{grouped(4321)}</td><td class="number">{grouped(8642)} (+100 %)</td>',
            '<td>frames lost</td><td class="number">0</td><td class="number">7</td>',
            '<td>buffer-full</td><td class="number">0</td><td class="number">7</td>',
            '98.77 kB (',
            '<h3>Flows above 10 kB, up to 100 kB</h3>',
        ):
            self.assertIn(row, text)
        for implied in ("--output", "--scheme", "SwitchNode::BufferPolicy"):
            self.assertNotIn(f"<td>{implied}</td>", text)
        self.assertNotIn("<td>seed</td>", text)
        self.assertIn("Egress queue leaf0:3, class 2; not recorded in run.", text)

    def test_equal_runs(self) -> None:
        folder = self.write_run("run")
        shutil.copytree(folder, self.folder / "again")
        text = self.compare(folder, self.folder / "again")
        self.assertIn("The runs have the same program, options, attributes and versions.", text)
        self.assertNotIn(" %)", text)

    def test_few_flows(self) -> None:
        """Nothing is drawn by size if no size has enough flows."""
        folder = self.write_run("run", flows=1)
        self.write("run/flows.csv", FLOWS + "0,h0,h1,3,1000,5,200,100,2,a\n")
        shutil.copytree(folder, self.folder / "again")
        text = self.compare(folder, self.folder / "again")
        self.assertIn("Distributions of the slowdown of flows", text)
        self.assertNotIn("99th percentile of the slowdown against", text)

    def test_numbers_of_classes_of_sizes(self) -> None:
        flows = pandas.DataFrame({"bytes": [1, 2, 3], "fct_ns": [1000, 3000, None], "slowdown": [1.0, 2.0, None]})
        rows = dict(row[:1] + (row[1:],) for row in compare.flow_rows([flows, flows.iloc[:1]]))
        self.assertEqual(rows["flows"], ("3", "1 (-66.7 %)"))
        self.assertEqual(rows["unfinished"], ("1", "0"))
        self.assertEqual(rows["mean FCT"], ("2 us", "1 us (-50 %)"))
        self.assertEqual(rows["p90 slowdown"], ("1.9", "1 (-47.4 %)"))
        many = pandas.DataFrame({"bytes": [1] * 100, "fct_ns": [1000.0] * 100, "slowdown": [1.0] * 100})
        self.assertIn("p99 slowdown", [row[0] for row in compare.flow_rows([many, many])])
        self.assertIn("p90 slowdown", [row[0] for row in compare.flow_rows([many, many.iloc[1:]])])
        self.assertEqual(compare.row("n", [3, 3.0001, 0, None], str), ("n", "3", "3.0001", "0", "–"))
        self.assertEqual(compare.without_nothing([("a", "0", "–"), ("b", "0", "1")]), [("b", "0", "1")])

    def test_collectives(self) -> None:
        """Compares the completion, bandwidth and waiting time of a run with one without collectives; waiting times of STEPS are computed by
        hand."""
        folder = self.write_run("run")
        self.write("run/steps.csv", STEPS)
        self.write("run/collectives.csv", COLLECTIVES)
        text = self.compare(folder, self.write_other())
        for cell in (
            '<td>collectives</td><td class="number">2</td><td class="number">0</td>',
            '<td>unfinished</td><td class="number">1</td><td class="number">0</td>',
            '<td>mean time of one</td><td class="number">900 ns</td><td class="number">–</td>',
            '<td>mean bus Gbit/s</td><td class="number">13.33</td><td class="number">–</td>',
            "Bus bandwidth of each collective, by run. Means: run 13.33.",
            "The rank that waits longest:",
        ):
            self.assertIn(cell, text)
        shares = steps.waiting_shares(results.read_table(folder / "steps.csv"), 1000)
        self.assertEqual([*shares], ["h0", "h2", "h3", "h10"])
        self.assertEqual(shares["h0"], 0)
        self.assertAlmostEqual(shares["h10"], 300 / 900)

    def test_schemes_have_their_colours(self) -> None:
        looks = compare.styles_of(["DSH", "SIH"])
        self.assertEqual([(look["light"], look["marker"]) for look in looks], [("#0072b2", "o"), ("#d55e00", "s")])
        for schemes in (["DSH", "DSH"], ["DSH", "unknown"]):
            self.assertEqual(compare.styles_of(schemes), [compare.style_of(0), compare.style_of(1)])
        rows = [*figures.style.ROWS.values()]
        self.assertEqual(len({(row["color"], row["marker"]) for row in rows}), len(rows))
        self.assertEqual(len({row["color"] for row in rows}), len({row["dark"] for row in rows}))
        self.assertLessEqual({row["marker"] for row in rows}, {*charts.MARKERS})

    def test_names(self) -> None:
        places = [Path("/a/x/run"), Path("/b/x/run"), Path("/a/x/other")]
        self.assertEqual(compare.short_names(places), ["a/x/run", "b/x/run", "a/x/other"])
        with self.assertRaisesRegex(ValueError, "the same folder is there twice"):
            compare.short_names([Path("/a"), Path("/a/../a")])

    def test_runs_keep_their_colours(self) -> None:
        looks = [(look["light"], look["linestyle"]) for look in map(compare.style_of, range(compare.MOST_RUNS))]
        self.assertEqual(len({*looks}), compare.MOST_RUNS)
        style = (SCRIPTS / "pages" / "templates" / "style.css").read_text(encoding="utf-8")
        colors = [*charts.LIGHT.colors, *charts.DARK.colors]
        self.assertEqual(re.findall(r"--series-\d: (#\w+)", style), colors)


class DamagedFilesTest(RunFolderTest):
    """For each damaged file, the script ends with a sentence that names the file."""

    def complain(self, sentence: str) -> None:
        with self.assertRaisesRegex(ValueError, sentence):
            self.report(self.folder / "run")

    def test_run_json(self) -> None:
        folder = self.write_run("run")
        for change, sentence in (
            ({"schema_version": 99}, "run.json has schema_version 99; 2 to 5 can be read"),
            ({"schema_version": None}, "run.json has schema_version null"),
            ({"verdict": []}, "run.json has no member verdict.outcome"),
            ({"verdict": {}}, "run.json has no member verdict.outcome"),
            ({"command_line": {}}, "run.json has {} as command_line, which is something else"),
            ({"parameters": []}, r"run.json has \[\] as parameters, which is something else"),
            ({"pauses": "many"}, 'run.json has "many" as pauses'),
            ({"verdict": run_info()["verdict"] | {"outcome": "fine"}}, "run.json has the outcome fine; it must be one of loss"),
        ):
            self.write("run/run.json", json.dumps(run_info() | change))
            self.complain(sentence)
        (folder / "run.json").write_bytes(b'{\n"a": "\xe9"}')
        self.complain("run.json cannot be read: line 2 is not UTF-8 text")

    def test_tables(self) -> None:
        some, no_number = "bytes,fct_ns,slowdown,group\n", "where there are only numbers"
        for name, text, sentence in (
            ("flows", "id,group\n1,a\n2,\udce9\n", "cannot be read: line 3 is not UTF-8 text"),
            ("flows", f"{some}1,2,3,a\n1,soon,3,a\n", f"has 'soon' in column fct_ns, {no_number}"),
            ("flows", f"{some}0,2,3,a\n", "has a flow whose bytes or slowdown are not above 0"),
            ("flows", f"{some}1,2,-3,a\n", "has a flow whose bytes or slowdown are not above 0"),
            ("flows", f"{some},2,3,a\n", f"has an empty field in column bytes, {no_number}"),
            ("flow-throughput", "time_ns,id,bits_per_second\n5,,7\n", f"has an empty field in column id, {no_number}"),
            ("pause-events", EVENTS + "5,leaf0,1,3,end,xon,,\n", "has events that are no starts and ends of pauses"),
        ):
            path = self.write_run("run", flows=0) / f"{name}.csv"
            path.write_bytes(text.encode(errors="surrogateescape"))
            self.complain(f"{name}.csv {sentence}")
            path.unlink()

    def test_all_that_is_required_is_described(self) -> None:
        """All required members are described, because members without a description would not be checked."""
        described = {name: {column.name for column in some} for name, some in columns.read_columns().items()}
        self.assertLessEqual(report.MEMBERS, described["run.json"])
        for name, used in report.COLUMNS.items():
            self.assertLessEqual({*used}, described[f"{name}.csv"])

    def test_versions_are_those_of_the_program(self) -> None:
        """Results with the version that the program writes can be read."""
        source = next((SCRIPTS.parent / "helper").rglob("run-json.cc")).read_text(encoding="utf-8")
        written = int(re.search(r"SCHEMA_VERSION = (\d+);", source)[1])
        self.assertEqual(results.SCHEMA_VERSIONS[-1], written)

    def test_an_interrupted_run_is_shown(self) -> None:
        self.assertIn("A signal ended the run", self.report(self.write_run("run", outcome="interrupted")))


class NotesTest(FolderTest):
    def test_sentences_are_counted(self) -> None:
        """Sentences that differ only in numbers count as one, with their ranges, and at most once per run."""
        found = [["3 pauses, but 0 frames marked.", "Late."], ["1 200 pauses, but 0 frames marked."], ["Late.", "Late."], []]
        self.assertEqual(
            notes.count(found),
            ["In 2 of 4 runs: 3 to 1 200 pauses, but 0 frames marked.", "In 2 of 4 runs: Late."],
        )
        self.assertEqual(notes.count([["One."], ["Two 2."]]), ["In 1 of 2 runs: One.", "In 1 of 2 runs: Two 2."])
        self.assertEqual(notes.count([["Late after 500us."], ["Late after 1ms."]]), ["In 2 of 2 runs: Late after 500us to 1ms."])
        self.assertEqual(notes.count([["At h3."], ["At h5."]]), ["In 2 of 2 runs, for example: At h3."])
        self.assertEqual(notes.count([[], []]), [])

    def test_folders(self) -> None:
        self.write("a/run.json", json.dumps(run_info() | {"verdict": {"problems": ["Lost."]}, "hints": ["Slow."]}))
        self.write("b/run.json", "[]")
        self.write("c/run.json", "{")
        found = notes.of_folders([self.folder / name for name in "abcd"])
        self.assertEqual(found, ["In 1 of 4 runs: Lost.", "In 1 of 4 runs: Slow."])

    def test_on_pages(self) -> None:
        page = self.folder / "page.html"
        values = {"seeds": [], "constants": [], "configurations": [], "failures": [], "answers": [], "data": "{}"}
        write_page(page, "sweep.html", name="s", runs=1, notes=["<Slow>."], **values)
        self.assertIn("<li>&lt;Slow&gt;.</li>", page.read_text(encoding="utf-8"))


class SweepPageTest(RunFolderTest):
    def test_data(self) -> None:
        table = lossless.load_sweep(self.write_sweep())
        data = sweeps.describe(table, ["scheme", "load", "RngRun"])
        self.assertEqual([axis["name"] for axis in data["axes"]], ["scheme", "load"])  # seeds have no axis
        self.assertEqual(data["axes"][1]["values"], [0.3, 0.6, 0.9])
        self.assertEqual((data["x"], data["series"]), ("load", "scheme"))
        self.assertEqual(data["measures"][data["value"]], "p99 slowdown")
        self.assertEqual(data["rows"][0]["at"], [0, 2])
        self.assertIn("p99 FCT (us)", data["measures"])

    def test_a_single_run(self) -> None:
        self.write("one/sweep.csv", "load,outcome,pauses,mean_fct_ns,folder\n1,lossy,5,,runs/run\n")
        data = sweeps.describe(lossless.load_sweep(self.folder / "one"), [])
        self.assertEqual(data["axes"], [{"name": "folder", "values": ["runs/run"], "numeric": False, "looks": None}])
        self.assertEqual((data["series"], data["measures"][data["value"]]), ("", "pauses"))
        sweeps.write(self.folder / "one", self.folder / "one.html")  # a single run, which cannot be compared
        self.assertNotIn("Answers", (self.folder / "one.html").read_text(encoding="utf-8"))

    def test_seeds_that_draw_nothing_have_no_interval(self) -> None:
        self.write(
            "fixed/sweep.csv",
            "scheme,RngRun,outcome,pauses,mean_fct_ns,p99_slowdown,folder\n"
            + "".join(f"{scheme},{seed},lossless,5,{fct}.00{seed},{slow},runs/{scheme}{seed}\n" for scheme, fct, slow in (("A", 100, 2), ("B", 200, 5)) for seed in (1, 2, 3)),
        )
        self.assertEqual(sweeps.describe_in_text(self.folder / "fixed")[2], "B - A = +3 (B: 5, A: 2; the seed makes no difference here)")

    def test_few_flows(self) -> None:
        """The answer states why it is about another percentile."""
        for counts, told in (((11, 23), "; 11 to 23 flows a run, too few for P99"), ((11, 11), "; 11 flows a run, too few for P99"), ((99, 100), "")):
            rows = [f"{scheme},lossless,{flows},2,3,runs/{scheme}\n" for scheme, flows in zip("AB", counts)]
            self.write("few/sweep.csv", "scheme,outcome,flows,p90_slowdown,p99_slowdown,folder\n" + "".join(rows))
            metric = "P90" if told else "P99"
            self.assertEqual(sweeps.describe_in_text(self.folder / "few")[1], f"{metric} slowdown (less is better{told}), against scheme = A (95 %):")
            sweeps.write(self.folder / "few", self.folder / "few.html")
            self.assertIn(f"{metric} slowdown (less is better{told}), against", (self.folder / "few.html").read_text(encoding="utf-8"))

    def test_nothing_ends_the_data(self) -> None:
        self.assertNotIn("<", as_text({"a": "</script><!--"}))


@functools.cache
def draw_line(ending: str) -> bytes:
    """Draw a simple picture."""
    picture, ax = plt.subplots(figsize=(2, 1))
    ax.plot([1, 2])
    file = io.BytesIO()
    picture.savefig(file, format=ending)
    plt.close(picture)
    return file.getvalue()


class GalleryFolderTest(FolderTest):
    """The results of three figures, of which all, some and no claims hold."""

    def setUp(self) -> None:
        super().setUp()
        self.results = self.folder / "results"
        facts = claims.facts("dsh-fig13")
        good = {fact["id"]: float(fact["low"] or fact["high"]) for fact in facts}
        self.write_figure("dsh-fig13", "full", good)
        self.write_figure("dsh-fig13", "quick", {})
        self.write_figure("dsh-fig11", "quick", {"dsh-fig11-1": 39.25, "dsh-fig11-2": 2.125, "dsh-fig11-4": 2.125})
        self.write_figure("pabo-fig13", "quick", {})

    @staticmethod
    def expected() -> dict[str, int]:
        """Return the number of figures with each verdict: those of these three figures, and those of the others by their kept values."""
        found = kept.values(kept.read())
        made = {"dsh-fig13": "reproduced", "dsh-fig11": "in part", "pabo-fig13": "not reproduced"}
        states = Counter(made.get(name) or verdicts.state_of(name, found) for name in figures.counted())
        return {verdict.word: states[verdict.word] for verdict in gallery.OF_FIGURES}

    def write_figure(self, name: str, size: str, found: dict[str, float]) -> None:
        folder = figures.result_folder(self.results, name, size)
        folder.mkdir(parents=True, exist_ok=True)
        for ending in ("png", "pdf"):
            (folder / f"{name}.{ending}").write_bytes(draw_line(ending))
        self.write_claims(folder / f"{name}-claims.csv", claims.compare(name, found, size))

    @staticmethod
    def write_claims(path: Path, rows: list[dict[str, str]]) -> None:
        write_rows(path, rows[0], rows)


class GalleryTest(GalleryFolderTest):
    def entry(self, name: str) -> gallery.Entry:
        return gallery.find(self.results, name)

    def test_kept_values(self) -> None:
        """Kept values replace the results of a figure that was not run here."""
        entry = self.entry("ofc-tab1")
        self.assertEqual((entry.made, entry.verdict.word), ([], verdicts.state_of("ofc-tab1", kept.values(kept.read()))))
        self.assertEqual({*entry.values()}, {row["claim"] for row in kept.read() if row["claim"].startswith("ofc-tab1-")})
        with mock.patch.object(kept, "read", return_value=[]):
            self.assertEqual(self.entry("ofc-tab1").verdict, gallery.NOT_RUN)

    def test_counts(self) -> None:
        """Of several sizes, the full one counts."""
        entries = [self.entry(name) for name in figures.counted()]
        numbers = {verdict.word: number for verdict, number in gallery.count(entries)}
        self.assertEqual(numbers, self.expected())
        for name, sizes, verdict, holding, judged in (
            ("dsh-fig13", ["full", "quick"], "reproduced", 2, 2),
            ("dsh-fig11", ["quick"], "in part", 1, 4),
            ("pabo-fig13", ["quick"], "not reproduced", 0, 3),
        ):
            entry = self.entry(name)
            self.assertEqual(([made.size for made in entry.made], entry.verdict.word), (sizes, verdict))
            self.assertEqual((entry.made[0].holding, entry.made[0].judged), (holding, judged))

    def test_outcomes(self) -> None:
        """Other readings and parts do not count as separate claims; claims that need no results are always counted."""
        outcomes = gallery.outcomes_of([self.entry("dsh-fig13"), self.entry("dsh-fig11")], ("dsh",))
        of_figures = {name: outcome for name, outcome in outcomes.items() if name.startswith("dsh-fig1")}
        expected = dict.fromkeys(("dsh-fig13-1", "dsh-fig13-2", "dsh-fig11-1"), claims.HOLDS)
        expected |= {"dsh-fig11-2": claims.EXPLAINED, "dsh-fig11-4": claims.REFUTED}
        self.assertEqual(of_figures, expected)
        self.assertEqual((outcomes["dsh-thm-2"], outcomes["dsh-eq1-1"]), (claims.REPEAT, claims.SETTING))
        self.assertNotIn("dsh-abs-2", outcomes)  # like Fig. 14, it has no results
        counted = {verdict.word: number for verdict, number in gallery.count_claims(outcomes)}
        self.assertEqual(counted[claims.UNREACHABLE], 7)

    def test_all_pages_count_alike(self) -> None:
        """If the kept values are the results, the gallery has the same counts as README.md and doc/."""
        found = kept.values(kept.read())
        shutil.rmtree(self.results)
        for name in figures.FIGURES:
            if verdicts.state_of(name, found) != verdicts.NOT_RUN:
                self.write_figure(name, "full", found)
        entries = [self.entry(name) for name in figures.counted()]
        states = {verdict.word: number for verdict, number in gallery.count(entries)}
        expected = Counter(verdicts.state_of(name, found) for name in figures.counted())
        self.assertEqual({state: number for state, number in states.items() if number}, dict(expected))
        outcomes = gallery.outcomes_of(entries, figures.WITH_STATEMENTS)
        known = claims.judge(claims.all_facts(), found)
        self.assertEqual({name: known[name] for name in outcomes}, outcomes)

    def test_the_pages_of_kept_results_are_up_to_date(self) -> None:
        for path, text in documents.pages(kept.read()).items():
            self.assertEqual(path.read_text(encoding="utf-8"), text, f"scripts/reproduce --keep writes {path.name} anew")

    def test_results_are_kept(self) -> None:
        """Full results are preferred to quick ones, missing results leave earlier values unchanged, and a larger size is not dropped
        silently."""
        with mock.patch.object(kept, "FILE", self.folder / "kept" / "claims.csv"), mock.patch.object(documents, "pages", return_value={}):
            self.write("kept/claims.csv", "claim,measured,size,commit\ndsh-fig11-1,7.0,medium,abc\ndsh-fig11-3,7.0,quick,abc\ndsh-fig13-1,7.0,quick,\nno-such-claim,1.0,quick,\n")
            for commit_of_programs in (None, f"{COMMIT} with changes", COMMIT):
                for name, size in (("dsh-fig11", "quick"), ("dsh-fig13", "full"), ("dsh-fig13", "quick")):
                    workflow.write_record(name, size, figures.result_folder(self.results, name, size), commit_of_programs)
                if commit_of_programs != COMMIT:
                    with self.assertRaisesRegex(ValueError, "^dsh-fig11, dsh-fig13: made by programs of no commit, or of one with changes"):
                        documents.keep(self.results)
            self.assertEqual(documents.keep(self.results), ["dsh-fig11"])
            rows = {row["claim"]: (row["measured"], row["size"], row["commit"]) for row in kept.read()}
        self.assertEqual(rows["dsh-fig11-1"], ("39.25", "quick", COMMIT))
        self.assertEqual(rows["dsh-fig11-3"], ("7.0", "quick", "abc"))
        self.assertEqual(rows["dsh-fig13-1"][1], "full")
        self.assertNotIn("no-such-claim", rows)

    def test_kept_values_are_of_commits(self) -> None:
        self.assertEqual([row["claim"] for row in kept.read() if not kept.is_clean(row["commit"])], [])

    def test_how_it_was_made(self) -> None:
        workflow.write_record("dsh-fig11", "quick", self.results / "dsh-fig11", "0123abc")
        [made] = self.entry("dsh-fig11").made
        self.assertEqual((made.record["command"], made.record["commit"]), ("scripts/reproduce dsh-fig11", "0123abc"))
        job = figures.load("dsh-fig11").jobs("quick")[0]
        self.assertEqual(made.record["simulations"][0].split(), [job.program, *job.arguments()])
        gallery.write(self.results)
        text = (self.results / "dsh.html").read_text(encoding="utf-8")
        self.assertIn("<code>0123abc</code>", text)
        self.assertIn(" ".join(job.arguments()), text)
        self.assertIn("scripts/reproduce dsh-fig13 --full", text)  # a size without records

    def test_half_a_result_is_none(self) -> None:
        (self.results / "dsh-fig11" / "dsh-fig11-claims.csv").unlink()
        self.assertEqual(self.entry("dsh-fig11").made, [])

    def test_picture_size(self) -> None:
        self.assertEqual(gallery.png_size(self.results / "dsh-fig11" / "dsh-fig11.png"), (200, 100))
        self.assertEqual(gallery.png_size(self.write("text.png", "no picture")), (0, 0))

    def test_every_paper_has_its_figures(self) -> None:
        of_papers = [name for paper in figures.PAPERS for name in figures.of_paper(paper)]
        self.assertEqual(sorted(of_papers), sorted(figures.FIGURES))

    def test_nothing_else_is_left(self) -> None:
        gallery.write(self.results)
        found = {path.name for path in self.results.iterdir() if path.is_file()}
        self.assertEqual(found, {gallery.FRONT, *(f"{paper}.html" for paper in figures.PAPERS)})


class AgreementTest(GalleryFolderTest):
    """Compares results with kept ones and with numbers computed by hand."""

    def test_within_the_spread(self) -> None:
        for value, before, spread, agrees in (
            (5.0, 4.0, (4.5, 5.5), True),  # the difference equals that of the seeds
            (5.0, 3.9, (4.5, 5.5), False),
            (5.0, 6.1, (4.5, 5.5), False),
            (39.25, 39.26, None, True),  # a difference of 0.01, at most 0.0196
            (39.25, 39.28, None, False),
            (39.25, 39.28, (39.25, 39.25), False),
            (0.0, 0.0, None, True),
            (1e-9, 0.0, None, False),
            (float("inf"), float("inf"), None, True),
        ):
            self.assertEqual(agreement.Difference("a", value, before, spread).agrees, agrees, (value, before))

    def test_words(self) -> None:
        self.assertEqual(str(agreement.Difference("a-1", 5, 3.5, (4.5, 5.5))), "a-1: 5, kept 3.5, 1.5 times the spread (4.5 to 5.5)")
        self.assertEqual(str(agreement.Difference("a-1", 5, 3.5, None)), "a-1: 5, kept 3.5, without a spread")

    def of_seeds(self, values: dict[tuple[str, str], float]) -> dict[str, tuple[float, float]]:
        """Return the spread of a figure whose claim is the sum of its simulations, which are given by kind and seed."""
        jobs = [figures.make_job("p", {"kind": kind, **({"RngRun": seed} if seed else {})}) for kind, seed in values]
        found = {job.name: value for job, value in zip(jobs, values.values())}
        for job in jobs:
            (self.folder / "runs" / job.name).mkdir(parents=True, exist_ok=True)
        figure = types.SimpleNamespace(
            jobs=lambda size: jobs,
            read=lambda job, folder: found[job.name],
            reduce=lambda records: {"points": records},
            claims=lambda data: {"sum": sum(data["points"]), "none": None, "nothing": math.nan},
        )
        with mock.patch.object(figures, "load", return_value=figure):
            return agreement.of_seeds("any", "quick", self.folder / "runs")

    def test_spread_of_seeds(self) -> None:
        """Simulations with one seed, or without a seed, are part of each sum."""
        values = {("a", "1"): 1.0, ("a", "2"): 4.0, ("b", "1"): 10.0, ("c", ""): 100.0}
        self.assertEqual(self.of_seeds(values), {"sum": (111.0, 114.0)})
        self.assertEqual(self.of_seeds({("a", "1"): 1.0, ("c", ""): 100.0}), {})

    def test_no_spread_without_the_simulations(self) -> None:
        self.of_seeds({("a", "1"): 1.0, ("a", "2"): 4.0})
        (self.folder / "runs" / "kind-a-RngRun-2").rmdir()
        with mock.patch.object(Path, "mkdir"):
            self.assertEqual(self.of_seeds({("a", "1"): 1.0, ("a", "2"): 4.0}), {})

    def test_spread_of_random_figures(self) -> None:
        for seed in range(12):
            draw = random.Random(seed)
            seeds = [str(number) for number in range(1, draw.randint(2, 5))]
            kinds = "abcdef"[: draw.randint(1, 6)]
            full = {kind for kind in kinds if kind == "a" or draw.random() < 0.5}
            values = {
                (kind, number): float(draw.randint(0, 99))
                for kind in kinds
                for number in (seeds if kind in full else [draw.choice(["", *seeds])])
            }
            common = sum(value for (kind, _), value in values.items() if kind not in full)
            sums = [common + sum(values[kind, number] for kind in full) for number in seeds]
            expected = {"sum": (min(sums), max(sums))} if len(seeds) > 1 else {}
            self.assertEqual(self.of_seeds(values), expected, f"seed {seed}")

    def test_results_beside_the_kept_ones(self) -> None:
        """Only results of the same size are compared, and in four digits if a figure lacks its simulations. Missing
        values differ."""
        text = "claim,measured,size,commit\ndsh-fig11-1,39.25,quick,abc\ndsh-fig11-2,3.91,quick,abc\ndsh-fig11-3,29,quick,abc\n"
        text += "dsh-fig11-4,9.9,full,abc\ndsh-fig13-1,70,quick,abc\n"
        with mock.patch.object(kept, "FILE", self.write("kept/claims.csv", text)):
            found = {(made.name, made.size): made for made in agreement.compare(self.results)}
        self.assertEqual([*found], [("dsh-fig11", "quick"), ("dsh-fig13", "quick"), ("dsh-fig13", "full"), ("pabo-fig13", "quick")])
        one = found["dsh-fig11", "quick"]
        self.assertEqual([(each.name, each.value, each.agrees) for each in one.differences], [("dsh-fig11-1", 39.25, True), ("dsh-fig11-2", 2.125, False), ("dsh-fig11-3", None, False)])
        self.assertEqual((found["dsh-fig13", "full"].differences, found["dsh-fig13", "full"].unknown), ([], 10))
        lines = agreement.text([one]).splitlines()
        self.assertEqual(lines[1].split(), ["dsh-fig11", "quick", "1", "2", "1"])
        self.assertEqual(lines[2:], ["  dsh-fig11-2: 2.125, kept 3.91, without a spread", "  dsh-fig11-3: not found, kept 29"])

    def test_a_row_of_a_comparison_that_is_gone_differs(self) -> None:
        header = "scheme,seeds,fct,least_fct,largest_fct\n"
        self.write("kept/study.csv", header + "DSH,3,5,4,6\nSIH,3,7,6,8\n")
        self.write("new/study/full/study-compared.csv", header + "DSH,3,5.5,5,6\nPFC,3,9,8,10\n")
        figure = types.SimpleNamespace(METRICS={"fct": ("ms", "FCT")})
        with mock.patch.object(figures, "load", return_value=figure), mock.patch.object(studies, "FOLDER", self.folder / "kept"):
            found = agreement.of_table(self.folder / "new", "study", "full")
        self.assertEqual([(each.name, each.value, each.agrees) for each in found], [("DSH fct", 5.5, True), ("SIH fct", None, False)])


class CommitTest(FolderTest):
    @unittest.skipUnless(shutil.which("git"), "git is not installed")
    def test_commit(self) -> None:
        root = self.folder.resolve()
        with mock.patch.dict(os.environ, {"GIT_CEILING_DIRECTORIES": str(root.parent)}):
            self.assertIsNone(commit.describe(root))
            identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
            for words in (["init", "-q"], ["add", "a"], [*identity, "commit", "-q", "-m", "a"]):
                self.write("a", "one")
                subprocess.run(["git", *words], cwd=root, check=True)
            self.assertRegex(commit.describe(root), "^[0-9a-f]{40}$")
            self.write("new", "not under version control")
            self.assertRegex(commit.describe(root), "^[0-9a-f]{40}$")
            self.write("a", "two")
            self.assertRegex(commit.describe(root), "^[0-9a-f]{40} with changes$")
            self.write("sub/file", "")
            self.assertIsNone(commit.describe(root / "sub"))
            commit.write(self.folder / "found", root)
            commit.write(self.folder / "none", root / "sub")
        self.assertRegex((self.folder / "found").read_text(encoding="utf-8"), "^[0-9a-f]{40} with changes\n$")
        self.assertEqual((self.folder / "none").read_text(encoding="utf-8"), "\n")

    def test_without_git(self) -> None:
        with mock.patch.dict(os.environ, {"PATH": str(self.folder)}):
            self.assertIsNone(commit.describe(self.folder))


class CommandTest(GalleryFolderTest):
    """Calls the scripts like a user."""

    def call(self, *words: object) -> subprocess.CompletedProcess:
        return ended(SCRIPTS / words[0], *map(str, words[1:]))

    def refuse(self, sentence: str, *words: object) -> None:
        done = self.call(*words, "--no-install")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1))
        self.assertIn(sentence, done.stderr)

    def test_report_refuses(self) -> None:
        def expect(sentence: str, folder: Path = self.folder) -> None:
            self.refuse(sentence, "report", folder)

        expect(f"report: {self.folder / 'none'} is not a folder\n", self.folder / "none")
        expect("it has no run.json, which a program with --output=DIR writes there")
        self.write("run.json", json.dumps(run_info(flows=0) | {"hints": "none"}))
        expect(f'report: {self.folder}/run.json has "none" as hints, which is something else in results of this module\n')
        self.write("run.json", json.dumps(run_info(flows=0)))
        self.write("flows.csv", "id,source\n1,a\n")
        expect(f"report: {self.folder}/flows.csv has no column group\n")
        self.assertEqual([*self.folder.glob("*.html")], [])

    def test_report_in_text(self) -> None:
        self.write("run/run.json", json.dumps(run_info(flows=0) | {"hints": ["Slow."]}))
        self.write("run/flows.csv", FLOWS)
        self.write("run/pauses.csv", PAUSES_HEADER)
        done = self.call("report", self.folder / "run", "--text", "--no-install")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.splitlines(), [
            "my-program, SIH, lossless: no frame was lost, and all flows have arrived.",
            "      0.5  load asked for", "    0 / 0  flows finished", " 1.235 ms  simulated", f"{grouped(1234567)}  packet-hops",
            f"    {grouped(4321)}  pauses, up to 2 links deep", "        5  hosts paused", "        6  victim flows", "        3  packets sent again", "Slow.",
        ])
        self.write("twice/run.json", json.dumps(run_info(flows=0) | {"pauses": 8642, "scheme": "DSH"}))
        done = self.call("report", self.folder / "run", self.folder / "twice", "--text", "--no-install")
        lines = done.stdout.splitlines()
        self.assertEqual(lines[:2], ["setting  run  twice", "scheme   SIH    DSH"])
        self.assertIn(f"pauses                          {grouped(4321)}  {grouped(8642)} (+100 %)", lines)
        self.assertNotIn("nan", done.stdout.lower())
        self.assertEqual(lines[-1], "In 1 of 2 runs: Slow.")
        rows = [f"{scheme},{seed},lossless,5,{value},runs/{seed}" for scheme, seed, value in (("A", 1, 2), ("A", 2, 4), ("B", 1, 3), ("B", 2, 7))]
        self.write("sweep/sweep.csv", "scheme,RngRun,outcome,pauses,p99_slowdown,folder\n" + "\n".join(rows) + "\n")
        done = self.call("report", self.folder / "sweep", "--text", "--no-install")
        self.assertEqual(
            done.stdout.splitlines(),
            ["4 runs", "P99 slowdown (less is better), against scheme = A (95 %):", "B - A = +2 ± 12.7 (B: 5, A: 3; 2 pairs: the sign is not certain)"],
        )
        head = "scheme,RngRun,outcome,flows,unfinished_flows,p99_slowdown,folder\n"
        self.write("sweep/sweep.csv", head + "A,1,lossless,200,0,3,a\nB,1,unfinished,200,150,2,b\n")
        done = self.call("report", self.folder / "sweep", "--text", "--no-install")
        self.assertIn("B and A cannot be compared: the values are those of flows that arrived, and 75 % of B's flows did not, 0 % of A's\n", done.stdout)
        done = self.call("report", self.folder / "sweep", self.folder / "run", "--text", "--no-install")
        told = f"report: {self.folder / 'sweep'} is a sweep, which has a page of its own; name folders of runs to compare them\n"
        self.assertEqual((done.returncode, done.stderr), (1, told))
        self.assertEqual(self.call("report", self.folder, "--text", "--output", "x.html", "--no-install").returncode, 2)
        self.assertEqual([*self.folder.glob("**/*.html")], [])

    def test_report_elsewhere(self) -> None:
        self.write("run.json", json.dumps(run_info()))
        page = self.folder / "new" / "page.html"
        done = self.call("report", self.folder, "--output", page, "--no-install")
        self.assertEqual((done.returncode, done.stdout), (0, f"==> {page}\n"))
        self.assertTrue(page.is_file())
        done = self.call("report", self.folder, "--output", self.folder / "run.json", "--no-install")
        self.assertEqual((done.returncode, json.loads((self.folder / "run.json").read_text())), (1, run_info()))

    def test_report_of_several(self) -> None:
        for name in ("a", "b"):
            self.write(f"{name}/run.json", json.dumps(run_info()))
        page = self.folder / "new" / "page.html"
        done = self.call("report", self.folder / "a", self.folder / "b", "--output", page, "--no-install")
        self.assertEqual((done.returncode, done.stdout), (0, f"==> {page}\n"))
        self.write("sweep/sweep.json", "[]")
        for words, sentence in (
            ([self.folder / "a", self.folder / "sweep"], f"{self.folder / 'sweep'} is a sweep, which has a page of its own"),
            ([self.folder / "sweep"], "sweep.csv is not a file; scripts/sweep writes its table there"),
            ([self.folder / "a"] * 13, "13 runs are too many for one page; name at most 12"),
            ([self.folder / "a", self.folder / "a"], "the same folder is there twice"),
            ([self.folder / "a", "--output", self.folder], f"{self.folder} is a folder; --output names a file"),
        ):
            self.refuse(sentence, "report", *words)
        self.assertEqual([*(self.folder / "a").glob("*.html")], [])

    def test_gallery(self) -> None:
        done = self.call("reproduce", "--gallery", "--output", self.results, "--no-install")
        self.assertEqual((done.returncode, done.stdout), (0, f"==> all figures: {self.results / gallery.FRONT}\n"))
        self.assertIn("DSH Fig. 11", (self.results / gallery.FRONT).read_text(encoding="utf-8"))

    def test_gallery_without_results(self) -> None:
        """In a fresh clone, in which there is no folder of results, the pages have the kept values, and explain their words."""
        fresh = self.folder / "fresh" / "results"
        done = self.call("reproduce", "--gallery", "--output", fresh, "--no-install")
        self.assertEqual((done.returncode, done.stdout), (0, f"==> all figures: {fresh / gallery.FRONT}\n"))
        front, paper, study = (unescape((fresh / name).read_text(encoding="utf-8")) for name in (gallery.FRONT, "dsh.html", "compare.html"))
        self.assertIn("Kept: ", paper)
        for page in (front, paper):
            for verdict in (*gallery.OF_FIGURES, *gallery.OF_CLAIMS.values()):
                self.assertIn(f"{verdict.word}: {verdict.meaning}", page)
        self.assertIn("own study: all hold", study)
        self.assertNotIn("reproduced", study.partition("<main")[2])

    def test_gallery_refuses(self) -> None:
        file = self.write("file", "")
        self.refuse(f"reproduce: the folder {file} cannot be written: it is a file\n", "reproduce", "--gallery", "--output", file)
        for name, text, sentence in (
            ("made.json", "", "made.json is damaged"),
            ("made.json", "[]", "made.json is damaged"),
            ("made.json", '{"command": "c"}', "made.json is damaged: scripts/reproduce writes it anew; it must have command, commit, simulations"),
            ("claims.csv", "a,b\n1,2\n", "claims.csv is not a table of claims"),
            ("claims.csv", "", "claims.csv is not a table of claims"),
        ):
            self.write(f"results/dsh-fig11/dsh-fig11-{name}", text)
            self.refuse(sentence, "reproduce", "--gallery", "--output", self.results)

    def test_one_thing_at_a_time(self) -> None:
        for words in (["--all", "dsh-fig11"], ["--all", "--gallery"], ["--list", "--gallery"], ["--keep", "--gallery"]):
            done = self.call("reproduce", *words)
            self.assertEqual(done.returncode, 2)
            self.assertIn("only one of them at a time", done.stderr)

    def test_all_goes_on_after_a_failure(self) -> None:
        loader = importlib.machinery.SourceFileLoader("reproduce", str(SCRIPTS / "reproduce"))
        script = importlib.util.module_from_spec(importlib.util.spec_from_loader("reproduce", loader))
        with mock.patch("sys.dont_write_bytecode", True):
            loader.exec_module(script)
        made = []

        def reproduce(_, name: str, programs: str) -> None:
            made.append((name, programs))
            if name == "dsh-fig6":
                raise Failure("the simulation x failed")

        with mock.patch.object(script, "prepare", return_value="bin") as prepare, mock.patch.object(
            script, "reproduce", reproduce
        ), self.assertRaisesRegex(Failure, "^not made: dsh-fig6; each prints its reason above"):
            quiet(script.reproduce_all, mock.Mock(size="quick", mutants=False))
        self.assertEqual(made, [(name, "bin") for name in figures.FIGURES if name != "lossless-1024"])  # lossless-1024 has no quick size
        prepare.assert_called_once()  # a single build for all figures
        made.clear()
        with mock.patch.object(script, "prepare"), mock.patch.object(script, "reproduce", reproduce):
            quiet(script.reproduce_all, mock.Mock(size="medium", mutants=False))
        self.assertEqual([name for name, _ in made], [name for name in figures.FIGURES if "medium" in figures.load(name).MINUTES])


# The script with which the browser examines a page. Colours are compared as in the Web Content Accessibility Guidelines.
LOOK = r"""
const channels = text => (text.match(/[\d.]+/g) || []).map(Number);
const luminance = ([r, g, b]) => {
  const part = value => (value /= 255) <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
};
const ground = element => {
  for (; element; element = element.parentElement) {
    const color = channels(getComputedStyle(element).backgroundColor);
    if (color.length == 3 || color[3] > 0) return color;
  }
  return [255, 255, 255];
};
const contrast = element => {
  const pair = [channels(getComputedStyle(element).color), ground(element)].map(luminance);
  return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
};
const texts = [...document.body.querySelectorAll("*")].filter(
  element => [...element.childNodes].some(node => node.nodeType == 3 && node.data.trim()));
return {
  images: [...document.images].map(image => [image.currentSrc.slice(0, 60), image.naturalWidth, image.alt]),
  text: document.body.innerText,
  hidden: document.body.textContent,
  faint: texts.filter(element => contrast(element) < 4.5).map(element => [element.outerHTML.slice(0, 90), contrast(element)]),
  wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  links: [...document.querySelectorAll("a[href]")].map(link => link.href),
  ids: [...document.querySelectorAll("[id]")].map(element => element.id),
  loaded: performance.getEntriesByType("resource").map(entry => entry.name.slice(0, 60)),
  scripts: document.scripts.length,
  ground: getComputedStyle(document.body).backgroundColor,
  headings: [...document.querySelectorAll("h1, h2, h3")].map(heading => Number(heading.tagName[1])),
};
"""


def start_browser(folder: str) -> webdriver.Chrome:
    """Start Debian's Chromium without a window; the last two options are for containers."""
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for word in (
        "--headless=new", f"--user-data-dir={folder}", "--disable-gpu", "--no-first-run",
        "--disable-background-networking", "--no-sandbox", "--disable-dev-shm-usage",
    ):
        options.add_argument(word)
    service = webdriver.chrome.service.Service("/usr/bin/chromedriver")
    return webdriver.Chrome(service=service, options=options)


class BrowserTest(GalleryFolderTest, RunFolderTest):
    """Loads all pages in a real browser, with wide and narrow windows, in light and dark."""

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        profile = cls.enterClassContext(tempfile.TemporaryDirectory(prefix="lossless-browser-"))
        cls.browser = start_browser(profile)
        cls.addClassCleanup(cls.browser.quit)

    def tearDown(self) -> None:
        self.assertEqual(self.browser.get_log("browser"), [])

    def look(self, page: Path, width: int = 1280, theme: str = "light", scripts: int = 0) -> dict:
        """Return the browser's view of a page, after the checks that apply to every page."""
        command = self.browser.execute_cdp_cmd
        command("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]})
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        command("Emulation.setDeviceMetricsOverride", size)
        self.browser.get(page.as_uri())
        seen = self.browser.execute_script(LOOK)
        self.assertEqual([image for image in seen["images"] if not image[1]], [], "pictures that are not there")
        self.assertEqual([image for image in seen["images"] if len(image[2]) < 20], [], "pictures without words")
        self.assertEqual(seen["faint"], [], "text that is hard to read")
        self.assertEqual(seen["wide"], 0, "the page is wider than the window")
        self.assertEqual(seen["scripts"], scripts)
        self.assertEqual([name for name in seen["loaded"] if not name.startswith(("file:", "data:"))], [])
        steps = zip([0, *seen["headings"]], seen["headings"])
        self.assertTrue(all(after <= before + 1 for before, after in steps), seen["headings"])
        self.assertEqual(seen["headings"].count(1), 1)
        self.check_links(page, seen)
        return seen

    def check_links(self, page: Path, seen: dict) -> None:
        for link in seen["links"]:
            target = Path(unquote(urlsplit(link).path))
            self.assertTrue(target.is_file(), link)
            if target == page and (anchor := urlsplit(link).fragment):
                self.assertIn(anchor, seen["ids"])

    def test_front_page(self) -> None:
        front = gallery.write(self.results)
        grounds = set()
        expected = self.expected()
        for width, theme in ((1280, "light"), (1280, "dark"), (360, "light")):
            seen = self.look(front, width, theme)
            grounds.add(seen["ground"])
            self.assertEqual(len(seen["images"]), 3)
            for text in (
                *(f"{expected[word]}\n{sign} {word}" for word, sign in (("reproduced", "✓"), ("in part", "◐"), ("not reproduced", "✗"))),
                "3 of the figures were run here",
                "◐ in part, 1 of 4",
                "dsh-fig12",
            ):
                self.assertIn(text, seen["text"])
        self.assertEqual(len(grounds), 2)  # light and dark pages have different backgrounds

    def test_pages_of_papers(self) -> None:
        gallery.write(self.results)
        workflow.write_record("dsh-fig11", "quick", self.results / "dsh-fig11", None)
        for paper in figures.PAPERS:
            for width, theme in ((1280, "light"), (1280, "dark"), (360, "dark")):
                seen = self.look(self.results / f"{paper}.html", width, theme)
                self.assertEqual(len(seen["images"]), {"dsh": 3, "pabo": 1}.get(paper, 0))
                for name in figures.of_paper(paper):
                    self.assertIn(figures.load(name).TITLE, seen["text"])
                    self.assertIn(name, seen["ids"])
        seen = self.look(self.results / "dsh.html")
        text, hidden = seen["text"], seen["hidden"]
        for fact in claims.facts("dsh-fig11") + claims.facts("dsh-fig13"):
            self.assertIn(fact["what"], text)
            self.assertIn(fact["paper"], text)
            self.assertIn(fact["id"], text)
        for number in ("39.25", "2.125", "38 to 43", "holds", "missed, explained", "other reading: within", "not found"):
            self.assertIn(number, text)
        self.assertIn("scripts/reproduce dsh-fig12", text)  # the command of a figure that was not run
        for row in settings.rows("dsh-fig13", "full") + settings.rows("dsh-fig12", "full"):
            for cell in row:
                self.assertIn(cell, hidden)  # settings are collapsed
                self.assertNotIn(f"{row[0]}\t{row[1]}", text)

    def test_report(self) -> None:
        folder = self.write_run("run", outcome="unfinished", unfinished_flows=2, problems=["2 flows are late."])
        self.report(folder)
        pictures = set()
        for width, theme in ((1280, "light"), (1280, "dark"), (360, "light")):
            seen = self.look(folder / "report.html", width, theme, scripts=2)
            self.assertEqual(len(seen["images"]), 2)  # the page draws the third one
            pictures |= {self.browser.execute_script("return document.images[0].currentSrc")}
            for text in (
                "my-program, SIH", "◐ unfinished", "17 / 19", "1.235 ms", grouped(1234567), "2 flows are late.",
                "fan-in",
                "seed and run\n1, 7" if width < 400 else "seed and run",
            ):
                self.assertIn(text, seen["text"])
        self.assertEqual(len(pictures), 2)  # one for light and one for dark

    def test_network_over_time(self) -> None:
        """leaf0 stops h2 from 0.1 to 0.4 ms, and spine0 stops leaf1 from 0.3 ms until the end."""
        folder = self.write_run("run")
        rows = "100000,leaf0,2,3,start,xoff,,\n300000,spine0,1,3,start,xoff,,\n400000,leaf0,2,3,end,xon,,\n"
        self.write("run/pause-events.csv", EVENTS + rows)
        self.report(folder)
        for width, theme in ((1280, "light"), (360, "dark"), (1280, "dark")):
            seen = self.look(folder / "report.html", width, theme, scripts=4)
            self.assertIn("stopped: leaf1 by spine0", seen["text"])  # in the middle of the longest pause
        ask = self.browser.execute_script
        move = "const slider = document.getElementById('network-time'); slider.value = arguments[0] / 1.234567 * 1000;"
        move += "slider.dispatchEvent(new Event('input')); return document.getElementById('network-told').textContent"
        for time, told in ((0.05, "0 stopped"), (0.2, "1 stopped: h2 by leaf0"), (0.35, "2 stopped: h2 by leaf0, leaf1 by spine0")):
            self.assertTrue(ask(move, time).endswith(f"ms: {told}"), told)
        self.assertEqual(ask("return document.querySelectorAll('.half.stopped').length"), 2)
        self.assertEqual(ask("return document.querySelectorAll('.half').length"), 24)
        view = "return document.getElementById('network-picture').getAttribute('viewBox').split(' ').map(Number)"
        whole = ask(view)
        picture = self.browser.find_element("id", "network-picture")
        ActionChains(self.browser).scroll_from_origin(ScrollOrigin.from_element(picture), 0, -100).perform()
        near = ask(view)
        self.assertAlmostEqual(near[2], 0.8 * whole[2], 3)
        ActionChains(self.browser).drag_and_drop_by_offset(picture, 50, 0).perform()
        self.assertLess(ask(view)[0], near[0])
        ask("arguments[0].click()", self.browser.find_element("id", "network-whole"))
        self.assertEqual(ask(view), whole)

    def test_series(self) -> None:
        """A series of 2 ms is 1 kB long except for a peak of 9 kB at 1 ms; the last tenth of the series, which is shown next, has no
        peak."""
        folder = self.write_run("run")
        rows = [f"{time}000,leaf0,,buffer,,{9000 if time == 1000 else 1000},,\n" for time in range(0, 2001, 10)]
        self.write("run/queues.csv", QUEUES + "".join(rows))
        self.report(folder)
        self.look(folder / "report.html", scripts=2)
        ask = self.browser.execute_script
        texts = "return [...document.querySelectorAll('.zoomed text')].map(text => Number(text.textContent)).filter(isFinite)"
        whole = ask(texts)
        self.assertIn(8, whole)  # kB
        self.assertIn(2, whole)  # ms
        picture = self.browser.find_element("css selector", ".zoomed svg")
        right = picture.rect["width"] // 2 - 20
        for _ in range(12):
            ActionChains(self.browser).scroll_from_origin(ScrollOrigin.from_element(picture, right, 0), 0, -100).perform()
        near = ask(texts)
        self.assertNotIn(8, near)
        self.assertGreater(min(number for number in near if number > 1.1), 1.7)
        ActionChains(self.browser).drag_and_drop_by_offset(picture, 400, 0).perform()
        self.assertLess(max(ask(texts)), max(near))
        ask("arguments[0].click()", self.browser.find_element("xpath", "//button[text()='whole time']"))
        self.assertEqual(ask(texts), whole)

    def test_comparison(self) -> None:
        folders = [self.write_run("lossless-run-at-load-0.6"), self.write_run("lossless-run-at-load-0.9", outcome="unfinished")]
        page = self.folder / "comparison.html"
        compare.write([lossless.load(folder) for folder in folders], page)
        for width, theme in ((1280, "light"), (1280, "dark"), (360, "light")):
            seen = self.look(page, width, theme, scripts=3)
            self.assertEqual(len(seen["images"]), 1)  # only one size has enough slowdowns; the page draws two buffers
            for text in ("2 runs side by side", "◐ unfinished", "All flows", "p90 slowdown", "Settings that differ"):
                self.assertIn(text, seen["text"])
        self.look(page, 500, scripts=3)
        fit = "return [...document.querySelectorAll('table')].every(table => table.scrollWidth <= table.parentElement.clientWidth)"
        self.assertTrue(self.browser.execute_script(fit), "two runs are side by side on a phone")

    def choose(self, name: str, text: str) -> None:
        Select(self.browser.find_element("id", name)).select_by_visible_text(text)

    def shown(self) -> tuple[list[str], list[list[str]], int]:
        """Return the names of the curves, the table's rows, and the number of points."""
        ask = self.browser.execute_script
        names = ask("return [...document.querySelectorAll('#legend li')].map(item => item.innerText.trim())")
        rows = ask("return [...document.querySelectorAll('#body tr')].map(row => [...row.cells].map(cell => cell.innerText))")
        return names, rows, ask("return document.querySelectorAll('#chart .point').length")

    def test_sweep(self) -> None:
        folder = self.write_sweep()
        page = folder / "report.html"
        sweeps.write(folder, page)
        for width, theme in ((1280, "light"), (1280, "dark"), (360, "light")):
            seen = self.look(page, width, theme, scripts=2)
            for text in ("DSH and </script> do not differ (4.5; 2 pairs; load = 0.3)", "10 runs, and 1 without results", "mean of the runs that differ in RngRun", "no <route>", "None"):
                self.assertIn(text, seen["text"])
        names, rows, points = self.shown()
        self.assertEqual((names, points), (["</script>", "DSH"], 5))
        self.assertEqual(rows[0], ["</script>", "0.3", "4.5", "6.353", "4", "5", "2"])  # 12.706 times a standard error of 0.5
        self.assertEqual([row[:3] for row in rows[3:]], [["DSH", "0.3", "4.5"], ["DSH", "0.6", "7.5"]])
        self.choose("x", "scheme")
        self.choose("series", "one")
        self.choose("only-1", "0.6")
        self.choose("value", "lossless (share of the runs)")
        names, rows, points = self.shown()
        self.assertEqual((names, [row[:3] for row in rows]), ([], [["all", "</script>", "0"], ["all", "DSH", "1"]]))
        self.assertEqual(self.browser.execute_script("return document.querySelectorAll('#chart .curve').length"), 2)  # no line connects names
        self.choose("only-1", "0.9")
        self.assertEqual(self.shown()[2], 1)
        self.choose("x", "load")
        self.choose("scale-x", "logarithmic")
        self.choose("scale-y", "logarithmic")
        self.choose("value", "p99 FCT (us)")
        self.assertEqual([row[2] for row in self.shown()[1]], ["300", "600", "900"])
        places = self.browser.execute_script(
            "return [...document.querySelectorAll('#chart .point')].map(point => point.getBoundingClientRect().x)"
        )
        # The address contains the choices, and the numbers can be saved.
        address = self.browser.current_url
        self.browser.get("about:blank")
        self.browser.get(address)
        self.assertEqual([row[2] for row in self.shown()[1]], ["300", "600", "900"])
        self.assertEqual(self.browser.execute_script("return asCsv().split('\\n')[1]"), "all,0.3,300,0,300,300,2")
        self.assertRegex(self.browser.execute_script("return asSvg()"), r'^<svg [^>]*style="font: .*stroke="rgb\(0, 114, 178\)"')
        point = self.browser.find_element("css selector", "#chart .point")
        ActionChains(self.browser).move_to_element(point).perform()
        told = "return document.querySelector('#chart .told').textContent"
        self.assertEqual(self.browser.execute_script(told), "0.3: 300 (equal in 2 runs)")
        self.assertAlmostEqual((places[1] - places[0]) / (places[2] - places[0]), math.log(2) / math.log(3), 2)


class ManualTest(unittest.TestCase):
    """Checks the look of the manual and the results of its search."""

    # For each query: the page that must be among the first three results.
    SEARCHES = {
        "topology csv": "own-programs",
        "flows.csv": "columns",
        "watchdog": "watchdog",
        "headroom": "headroom",
        "deadlock": "lossless",
        "victim": "lossless",
        "buffer policy": "lossless",
        "all-reduce": "collectives",
        "straggler": "collectives",
        "NVSwitch": "gpu-servers",
        "Chakra": "workload-formats",
        "MPI": "ranks",
        "Slurm": "clusters",
        "HPCC simulator": "migration",
        "sweep": "sweeps",
        "wireshark filter": "reading-a-capture",
        "install": "commands",
        "exit status": "options",
        "bit errors": "link-failures",
        "selective repeat": "reliability",
        "packet spraying": "path-selection",
        "trimming": "trimming",
        "websearch": "flow-sizes",
        "pandas": "python",
        "slowdown": "outputs",
        "add a scheme": "how-to-add-a-scheme",
        "DCQCN": "congestion-control",
    }

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.pages = Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="lossless-manual-")))
        documentation.write_pages(Path(programs.find_program("print-attributes")))
        if complaints := documentation.make_manual(cls.pages):
            raise AssertionError(complaints)
        profile = cls.enterClassContext(tempfile.TemporaryDirectory(prefix="lossless-browser-"))
        cls.browser = start_browser(profile)
        cls.addClassCleanup(cls.browser.quit)

    def search(self, words: str) -> list[str]:
        """Return the pages that are found, each once, with the best one first."""
        self.browser.get(f"{(self.pages / 'search.html').as_uri()}?q={quote(words)}")
        finished = "return /finished|did not match/.test(document.querySelector('.search-summary')?.innerText)"
        WebDriverWait(self.browser, 20, poll_frequency=0.05).until(lambda browser: browser.execute_script(finished))
        links = self.browser.execute_script("return [...document.querySelectorAll('ul.search > li > a')].map(link => link.href)")
        return [*dict.fromkeys(str(Path(unquote(urlsplit(link).path)).relative_to(self.pages).with_suffix("")) for link in links)]

    def test_search(self) -> None:
        found = {words: self.search(words)[:3] for words in self.SEARCHES}
        self.assertEqual({words: pages for words, pages in found.items() if self.SEARCHES[words] not in pages}, {})

    def test_look(self) -> None:
        """No page is wider than the window, dark pages are dark, and the button changes this."""
        command, ask = self.browser.execute_cdp_cmd, self.browser.execute_script
        wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
        ground = "return getComputedStyle(document.body).backgroundColor"
        grounds = {}
        for name in ("index", "outputs", "columns", "lossless", "commands"):
            for width, theme in ((1400, "light"), (1200, "dark"), (500, "light")):
                command("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]})
                command("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
                self.browser.get((self.pages / f"{name}.html").as_uri())
                self.assertEqual(ask(wide), 0, (name, width))
                self.assertEqual(ask("return [...document.images].filter(image => !image.naturalWidth).length"), 0, name)
                grounds[theme] = ask(ground)
        self.assertEqual(len(set(grounds.values())), 2)
        for theme in ("light", "dark"):  # from the system's setting
            ask("document.querySelector('.theme-toggle').click()")
            self.assertEqual(ask(ground), grounds[theme])

    def test_links(self) -> None:
        """All links, also those to schemas, lead to existing pages and anchors."""
        ids = {path: set(re.findall(r' id="([^"]+)"', path.read_text(encoding="utf-8"))) for path in self.pages.rglob("*.html")}
        for path in ids:
            for link in re.findall(r'<a [^>]*href="([^"]+)"', path.read_text(encoding="utf-8")):
                target = urlsplit(unescape(link))
                if target.scheme:
                    continue
                file = (path.parent / unquote(target.path)).resolve() if target.path else path
                self.assertTrue(file.is_file(), f"{path.name}: {link}")
                if target.fragment and file in ids:
                    self.assertIn(unquote(target.fragment), ids[file], f"{path.name}: {link}")


if __name__ == "__main__":
    unittest.main()
