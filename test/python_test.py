# SPDX-License-Identifier: GPL-2.0-only
"""Checks of the Python package lossless, of its page, and of the schemas of results, with real programs and with fakes.

Run by scripts/test, or alone: cd test && /usr/bin/python3 -B -m unittest -v python_test
"""

from __future__ import annotations

import contextlib
import copy
import csv
import datetime
import errno
import gc
import inspect
import io
import json
import math
import os
import pickle
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
import unittest
import warnings
from collections import Counter
from pathlib import Path
from unittest import mock
from xml.etree import ElementTree

from scripts_test import SCRIPTS, FolderTest, ended, run_info, with_check  # first: it tells Python where the scripts are

import jsonschema
import lossless
import matplotlib
import numpy
import pandas
from figures import pabo_authors
from figures.pabo import fat_tree_job
from lossless import columns, comparisons, programs, styles, sweeps, system
from matplotlib.markers import MarkerStyle
from tools import common, other_simulators, page_tests, peers, schemas
from tools.common import Failure

matplotlib.use("Agg")

PAGE = SCRIPTS.parent / "doc" / "python.rst"
# The page's blocks of code and of output.
BLOCK = re.compile(r"^\.\. code-block:: (python|none)\n\n((?:(?:   .*)?\n)+)", re.MULTILINE)
FLOWS = pandas.DataFrame({"source": ["h1", "h2"], "destination": "h0", "bytes": [1000, 2000]})


def ring(switches: int) -> tuple[pandas.DataFrame, pandas.DataFrame]:
    """Return switches in a ring with two hosts each, which all send two switches ahead, so PFC deadlocks."""
    links = [(f"h{host}", f"s{host // 2}") for host in range(2 * switches)]
    links += [(f"s{n}", f"s{(n + 1) % switches}") for n in range(switches)]
    topology = pandas.DataFrame(links, columns=["node_a", "node_b"]).assign(rate="100Gbps", delay="1us")
    hosts = range(2 * switches)
    ahead = [f"h{(host + 4) % len(hosts)}" for host in hosts]
    return topology, pandas.DataFrame({"source": [f"h{host}" for host in hosts], "destination": ahead, "bytes": 20_000_000})


def hide_warnings(test: unittest.TestCase) -> None:
    """Hide the problems and hints of runs in a test that is not about them."""
    test.enterContext(warnings.catch_warnings())
    warnings.simplefilter("ignore", lossless.RunWarning)


class PageTest(FolderTest):
    def test_page(self) -> None:
        """The blocks of the page, run one after another, print what the page shows, draw its picture, and warn where it says so."""
        blocks = [(kind, re.sub("^   ", "", text, flags=re.MULTILINE)) for kind, text in BLOCK.findall(PAGE.read_text(encoding="utf-8"))]
        self.assertGreaterEqual(Counter(kind for kind, _ in blocks)["none"], 5)
        names: dict[str, object] = {}
        self.enterContext(contextlib.chdir(self.folder))
        for (kind, text), (following, shown) in zip(blocks, [*blocks[1:], ("", "")]):
            if kind == "python":
                with contextlib.redirect_stdout(io.StringIO()) as printed, warnings.catch_warnings(record=True) as warned:
                    warnings.simplefilter("always", lossless.RunWarning)
                    exec(compile(text, PAGE.name, "exec"), names)
                told = ["In 4 of 4 runs: Classes without flows"] if 'program="incast"' in text else []
                self.assertEqual([str(one.message).split(" (")[0] for one in warned], told, text)
                lines = [line.rstrip() for line in printed.getvalue().splitlines()]
                self.assertEqual(lines, shown.strip("\n").splitlines() if following == "none" else [], text)
        self.assertTrue((self.folder / "buffers.png").is_file())


class FakeTest(FolderTest):
    """A fake program that takes no time, records its options and behaves as they specify."""

    PROGRAM = """#!/bin/sh
        for word; do case $word in --*=*) name=${word%%=*}; name=$(echo "${name#--}" | tr -c 'a-zA-Z0-9\\n' _)
            eval "$name='${word#*=}'"; echo "$word" >> "$0.$$"; esac; done
        if [ -n "$fails" ]; then echo "first" >&2; echo "fake: no such $fails" >&2; exit 1; fi
        if [ -n "$sleeps" ]; then mkdir "$output.partial-$$"; sleep 600 & echo $$ $! >> "$0.asleep"; wait; fi
        if [ -n "$none" ]; then echo "nothing here"; exit 0; fi
        mkdir -p "$output"
        echo 'node,port,priority,pauses,resumes,paused_ns,first_pause_ns' > "$output/pauses.csv"
        echo id,source,destination,priority,bytes,start_ns,fct_ns,ideal_ns,slowdown,group > "$output/flows.csv"
        echo "0,a,b,3,1,0,${load:-1},100,1,x" >> "$output/flows.csv"
        echo 'RUN' > "$output/run.json"
        if [ -n "$strict" ]; then echo "lossy: 1 flow" >&2; exit 1; fi
        """
    RUN = run_info(outcome="lossy", problems=["One flow is late."], flows=1, unfinished_flows=1, lost_frames=8)
    PROGRAM = PROGRAM.replace("RUN", json.dumps(RUN | {"program": "fake", "spec": {"load": "2", "A": {"B": "4"}}}))

    def setUp(self) -> None:
        super().setUp()
        self.program = self.write_program("own programs/fake", self.PROGRAM)
        self.temporary = self.folder / "temporary files"
        self.temporary.mkdir()
        self.enterContext(mock.patch("tempfile.tempdir", str(self.temporary)))
        self.output = self.folder / "out"
        hide_warnings(self)  # each fake run has a problem

    def run_fake(self, **options: object) -> lossless.Results:
        return lossless.run(program=self.program, **options)

    def words(self) -> list[str]:
        """Return the options of the only call."""
        [path] = [path for path in self.program.parent.glob("fake.*") if path.suffix[1:].isdigit()]
        words = path.read_text(encoding="utf-8").splitlines()
        path.unlink()
        return words

    def assert_error(self, sentence: str, **options: object) -> lossless.Error:
        try:
            self.run_fake(**options)
        except lossless.Error as error:
            self.assertRegex(str(error), sentence)
            self.assertNotIn("\n", str(error))
            return error
        self.fail(f"no error: {sentence}")

    def assert_clean(self) -> None:
        self.assertEqual(list(self.temporary.iterdir()), [])


class CompareTest(unittest.TestCase):
    def make(self, **columns: list) -> pandas.DataFrame:
        table = pandas.DataFrame(columns)
        table.attrs["parameters"] = [name for name in table if name in ("scheme", "load", "RngRun")]
        return table

    def test_pairs_by_seed(self) -> None:
        """The differences 1, 2 and 3 are computed by hand; runs without a partner or without a number are in no pair."""
        table = self.make(
            scheme=[*"AAAABBBBB"],
            load=[0.5] * 4 + [0.5] * 3 + [0.9, 0.5],
            RngRun=[1, 2, 3, 4, 3, 1, 2, 1, 4],
            p99_slowdown=[1.0, 2, 3, 5, 6, 2, 4, 7, math.nan],
        )
        found = lossless.compare(table, {"scheme": "A"})
        self.assertEqual(found.columns.tolist(), ["scheme", "load", "pairs", "left_out", "base", "other", "difference", "plus_minus",
                                                  "base_unfinished", "other_unfinished"])
        [row] = found.to_dict("records")
        self.assertEqual((row["left_out"], math.isnan(row["base_unfinished"])), (1, True))
        self.assertEqual((row["scheme"], row["load"], row["pairs"], row["base"], row["other"], row["difference"]), ("B", 0.5, 3, 2, 4, 2))
        self.assertAlmostEqual(row["plus_minus"], 4.303 / math.sqrt(3))
        counted = self.make(scheme=["A", "B"], pauses=[3, 5], flows=[10, 40], unfinished_flows=[0, 30])
        single = lossless.compare(counted, {"scheme": "B"}, "pauses")
        self.assertEqual(single[["difference", "base_unfinished", "other_unfinished"]].values.tolist(), [[-2, 0.75, 0]])
        self.assertTrue(single.plus_minus.isna().all())

    def test_equal_runs_of_all_seeds_have_no_interval(self) -> None:
        """Runs that are equal with all seeds have no interval; measures that are equal in different runs have one."""
        def made(fcts: list[float]) -> pandas.DataFrame:
            return self.make(scheme=[*"AAABBB"], RngRun=[1, 2, 3] * 2, pauses=[0] * 3 + [407] * 3, mean_fct_ns=fcts)

        fixed, drawn = made([100, 100, 100.001, 300, 300, 300]), made([100, 120, 110, 300, 320, 310])
        for table, known in ((fixed, False), (drawn, True)):
            found = lossless.compare(table, {"scheme": "A"}, "pauses")
            self.assertEqual((found.difference[0], found.pairs[0], found.plus_minus.notna()[0]), (407, 3, known))
            self.assertEqual(lossless.summarize(table, "pauses").plus_minus.notna().tolist(), [known] * 2)

    def test_lossless_classes_do_not_bar_droptail(self) -> None:
        """DropTail can be compared with other schemes; it runs without lossless classes but has the same labels."""
        options = {"scheme": ["PFC", "DropTail"], "lossless_classes": 3}
        pfc, lossy = sweeps.combine_all(options, None)
        self.assertEqual(([*pfc.values()], [*lossy.values()]), (["scheme", "lossless_classes"], ["scheme"]))
        self.assertEqual(lossy.labels(), {"scheme": "DropTail", "lossless_classes": 3})

    def test_means_over_seeds(self) -> None:
        """Compares means with numbers computed by hand. Runs without a number are left out, a single run has no interval, and seeds do not
        count as options."""
        table = self.make(scheme=[*"BBBAA"], load=[1] * 5, RngRun=[1, 2, 3, 1, 2], p99_slowdown=[1.0, 2, 3, 5, math.nan])
        found = lossless.summarize(table)
        self.assertEqual(found.columns.tolist(), ["scheme", "runs", "mean", "plus_minus"])
        self.assertEqual(found[["scheme", "runs", "mean"]].values.tolist(), [["B", 3, 2], ["A", 1, 5]])
        self.assertAlmostEqual(found.plus_minus[0], 4.303 / math.sqrt(3))
        self.assertTrue(math.isnan(found.plus_minus[1]))
        single = lossless.summarize(self.make(RngRun=[1, 2], pauses=[3, 5]), "pauses")
        self.assertEqual(single[["runs", "mean"]].values.tolist(), [[2, 4]])
        configured = pandas.DataFrame({"configuration": ["x", "x", "y"], "scheme": ["A", "A", "B"], "load": [1, 2, 1], "pauses": [1, 2, 3]})
        configured.attrs["parameters"] = ["configuration", "scheme", "load"]
        self.assertEqual(lossless.summarize(configured, "pauses").columns.tolist(), ["configuration", "load", "runs", "mean", "plus_minus"])
        with self.assertRaisesRegex(lossless.Error, "^summarize\\(\\) needs a sweep"):
            lossless.summarize(pandas.DataFrame())

    def test_quantiles(self) -> None:
        self.assertEqual((comparisons.quantile(1), comparisons.quantile(9), comparisons.quantile(30)), (12.706, 2.262, 2.042))
        self.assertAlmostEqual(comparisons.quantile(60), 2.000, 3)
        self.assertAlmostEqual(comparisons.quantile(120), 1.980, 3)

    def test_refused(self) -> None:
        table = self.make(scheme=["A", "B"], pauses=[3, 5], outcome=["lossy", "lossy"])
        for sentence, arguments in (
            ("^compare\\(\\) needs a sweep", (pandas.DataFrame(), {"scheme": "A"})),
            ("^base is 'A'; it must be an option and its value", (table, "A")),
            ("^load is no option of the sweep with which runs can be compared; it has scheme$", (table, {"load": 1})),
            ("^RngRun is no option of the sweep with which", (self.make(RngRun=[1, 2], pauses=[3, 5]), {"RngRun": 1})),
            ("^no run has scheme='C'; there are 'A', 'B'$", (table, {"scheme": "C"})),
            ("^the table has a run twice", (self.make(scheme=["A", "A", "B"], pauses=[3, 5, 6]), {"scheme": "A"}, "pauses")),
            ("^compare\\(\\) needs a sweep", ("x", {"scheme": "A"})),
            ("^outcome is no measure of the sweep; it has pauses$", (table, {"scheme": "A"}, "outcome")),
        ):
            with self.subTest(sentence), self.assertRaisesRegex(lossless.Error, sentence):
                lossless.compare(*arguments)


class RunTest(FakeTest):
    def test_values(self) -> None:
        self.run_fake(
            scheme="DSH",
            congestion_control="DCQCN",
            load=numpy.float64(0.1),
            buffer=2e6,
            RngRun=numpy.int64(3),
            pause_events=True,
            sample=datetime.timedelta(microseconds=10),
            stop=numpy.timedelta64(10, "us"),
            left_out=None,
            attributes={"RoceNic::Window": 1, "ns3::TcpSocket::SegmentSize": 2},
        )
        self.assertEqual(
            self.words()[:-1],
            [
                "--scheme=DSH", "--congestion-control=DCQCN", "--load=0.1", "--buffer=2000000", "--RngRun=3",
                "--pause-events=true", "--sample=10000ns", "--stop=10000ns", "--ns3::lossless::RoceNic::Window=1",
                "--ns3::TcpSocket::SegmentSize=2",
            ],
        )

    def test_specs(self) -> None:
        """A spec is a dict, a file, results or their folder; additional options take precedence."""
        tree = {"program": str(self.program), "congestion-control": "DCQCN", "load": 0.5, "RoceNic": {"Window": 1}}
        path = self.write("spec.json", json.dumps(tree))
        words = ["--congestion-control=DCQCN", "--load=0.5", "--ns3::lossless::RoceNic::Window=1"]
        for spec in (tree, path, str(path)):
            lossless.run(spec)
            self.assertEqual(self.words()[:-1], words)
        options = {"congestion_control": "TIMELY", "attributes": {"RoceNic::Window": 2}}
        run = lossless.run(tree, output=self.folder / "earlier", **options)
        changed = ["--congestion-control=TIMELY", "--load=0.5", "--ns3::lossless::RoceNic::Window=2"]
        self.assertEqual(self.words()[:-1], changed)
        for spec in (run, run.folder, run.folder / "run.json", run.info["spec"]):
            lossless.run(spec, program=self.program, load=3)
            self.assertEqual(self.words()[:-1], ["--load=3", "--ns3::lossless::A::B=4"])
        sweep = lossless.sweep(tree, load=[1, 2])
        self.assertEqual((list(sweep.table.load), len(sweep.table)), ([1, 2], 2))
        for sentence, spec in (
            ("^a spec is of type list; it must be a dict of options", [1]),
            ("nothing.json does not exist; a spec is a file, or a folder of results$", self.folder / "nothing.json"),
            ("fake is not a text in JSON, as a spec is$", self.program),
            ("text.json has no spec, which is an object of options$", self.write("text.json", "[1]")),
            ("old.json has no spec", self.write("old.json", '{"schema": "lossless-run"}')),
            ("^program is 7 in a spec", {"program": 7}),
            ("^5 is not the name of an option$", {5: 4}),
            ("^output cannot be in a spec; it is for the call alone$", {"output": "x"}),
            ('twice.json: "load" is given twice; write it once$', self.write("twice.json", '{"load": 1, "load": 2}')),
            ("deep.json is not a text in JSON", self.write("deep.json", "[" * 100000)),
            ("^load has several values, which lossless.sweep", tree | {"load": [1]}),
        ):
            with self.subTest(sentence), self.assertRaisesRegex(lossless.Error, sentence):
                lossless.run(spec)

    def test_results_last_as_long_as_their_object(self) -> None:
        run = self.run_fake(load=7)
        self.assertEqual((run.flows.fct_ns.item(), run.verdict["outcome"]), (7, "lossy"))
        self.assertEqual(repr(run), "<Results of fake: lossy; tables: flows, pauses>")
        self.assertEqual([run].index(run), 0)
        self.assertEqual(len({run, self.run_fake()}), 2)
        self.assertTrue({"flows", "pauses", "verdict"} <= {*dir(run)})
        self.assertEqual(len(list(self.temporary.iterdir())), 1)
        copies = [copy.copy(run), copy.deepcopy(run), pickle.loads(pickle.dumps(run))]
        del run
        gc.collect()
        self.assert_clean()
        for twin in copies:
            self.assertEqual((list(twin), len(twin.pauses)), (["flows", "pauses"], 0))

    def test_a_folder_of_the_users(self) -> None:
        with contextlib.chdir(self.folder):
            run = self.run_fake(output="my results/one")
        self.assertEqual((run.folder, len(run.flows)), (self.folder / "my results" / "one", 1))
        self.assert_clean()

    def test_problems_and_hints(self) -> None:
        """One warning has the sentences of a run, or of all runs of a sweep, and names the line that has called."""
        with self.assertWarns(lossless.RunWarning) as found:
            self.run_fake()
        self.assertEqual((str(found.warning), Path(found.filename).name), ("One flow is late.", "python_test.py"))
        for options in ({}, {"output": self.output}):
            with self.assertWarns(lossless.RunWarning) as found:
                lossless.sweep(program=self.program, load=[1, 2], **options)
            self.assertEqual((str(found.warning), Path(found.filename).name), ("In 2 of 2 runs: One flow is late.", "python_test.py"))
        self.program.write_text(self.PROGRAM.replace("One flow is late.", "").replace('"problems": [""]', '"problems": []'), encoding="utf-8")
        with warnings.catch_warnings(action="error"):
            self.run_fake()

    def test_several_values(self) -> None:
        with self.assertRaises(lossless.Error) as raised:
            self.run_fake(fail_link=["a", "b"])
        told = "fail_link has several values, which lossless.sweep() takes; for several in one run, write one text with commas"
        self.assertEqual(str(raised.exception), told)

    def test_errors(self) -> None:
        error = self.assert_error("^fake: no such load$", fails="load")
        self.assertEqual((error.status, error.said, error.results), (1, "first\nfake: no such load\n", None))
        self.assertEqual(error.command[:2], [str(self.program), "--fails=load"])
        self.assert_clean()  # although the error and the objects on its stack still exist
        self.assert_error("^fake has written no results; it printed: nothing here$", none=True)
        self.assert_error("^fake: the run took longer than 0.5 s$", sleeps=1, timeout=0.5)
        self.assert_clean()

    def test_files_that_cannot_be_written(self) -> None:
        full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "flows.csv")
        with mock.patch("lossless.runs.write_frame", side_effect=full):
            self.assert_error("^flows.csv cannot be written: no space left on device$", flows=FLOWS)
            with self.assertRaisesRegex(lossless.Error, "^flows.csv cannot be written: no space left on device$"):
                lossless.sweep(program=self.program, flows=FLOWS, load=[1, 2])
        self.assert_clean()
        self.assertEqual(str(inspect.signature(lossless.run))[:6], "(spec:")

    def test_earlier_results_are_not_taken_for_new_ones(self) -> None:
        self.run_fake(output=self.output)
        self.assert_error("has written no results", none=True, output=self.output)
        self.assertIsNone(self.assert_error("no such load", fails="load", output=self.output).results)
        self.assertTrue((self.output / "run.json").is_file())

    def test_a_run_that_is_judged(self) -> None:
        error = self.assert_error("^One flow is late.$", strict=True)
        self.assertEqual(error.results.flows.source.tolist(), ["a"])
        del error
        gc.collect()
        self.assert_clean()

    def test_refused_before_anything_is_started(self) -> None:
        no_field = "^source of row 1 in flows is .*; it cannot have the character"
        wrong = ("a,b", 'a"b', "a b", "a\nb", "#a", "a;b", "a\tb", "a'b")
        for sentence, options in (
            ("^load has several values, which lossless.sweep", {"load": [1, 2]}),
            ("^load is of type dict; it must be a text", {"load": {}}),
            ("^sizes is of type DataFrame; it must be a text", {"sizes": FLOWS}),
            ("^flows is of type list; it must be the name of a file, or a frame$", {"flows": [1]}),
            ("^topology is of type Series; it must be", {"topology": FLOWS.source}),
            ("^'a b' is not the name of an option$", {"a b": 1}),
            ("^'=' is not the name of an option$", {"=": 1}),
            ("^source of row 0 in flows is of type tuple", {"flows": FLOWS.assign(source=[(1, 2), "h1"])}),
            ("^a column's name in flows is 'a,b'", {"flows": FLOWS.rename(columns={"source": "a,b"})}),
            ("^a column's name in topology is of type tuple", {"topology": pandas.DataFrame({("a", "b"): [1]})}),
            *((no_field, {"flows": FLOWS.assign(source=["h1", bad])}) for bad in wrong),
            ("^sizes has a character that a command line cannot have$", {"sizes": "a\0"}),
            ("^sizes has a character that a command line cannot have$", {"sizes": "\ud800"}),
            ("^timeout is 0; it must be a number of seconds above 0$", {"timeout": 0}),
            ("^timeout is 'x'; it must", {"timeout": "x"}),
            ("^output is ''; it must be the name of a folder$", {"output": ""}),
            ("^output is 7; it must", {"output": 7}),
            ("^'Window' is not an attribute; write its class, too, as RoceNic::Window$", {"attributes": {"Window": 1}}),
            ("^7 is not an attribute", {"attributes": {7: 1}}),
            ("^attributes is of type list; it must have values by names", {"attributes": ["RoceNic::Window"]}),
            ("^A::B is given twice; write it once$", {"ns3::lossless::A::B": 1, "attributes": {"A::B": 2}}),
        ):
            with self.subTest(sentence):
                self.assert_error(sentence, **options)
        self.assertEqual(list(self.program.parent.iterdir()), [self.program])
        self.assert_clean()

    def test_an_interruption(self) -> None:
        """Ctrl-C reaches only Python, which ends the program and removes its incomplete results."""
        output = self.folder / "out put"
        self.run_fake(output=output)
        self.words()
        script = (
            f"import signal, sys; sys.path.insert(0, {str(SCRIPTS)!r})\nimport lossless\n"
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # in the background of a shell, SIGINT is ignored
            "try:\n"
            f"    lossless.{{}}(program={str(self.program)!r}, output={{!r}}, {{}})\n"
            "except KeyboardInterrupt:\n    print('interrupted')\n"
        )
        for function, place, options, count in (
            ("run", output, "sleeps=1", 1),
            ("sweep", self.folder / "sweep", "sleeps=[1, 2], jobs=2", 2),
        ):
            with self.subTest(function):
                command = [sys.executable, "-B", "-c", script.format(function, str(place), options)]
                with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
                    try:
                        asleep = self.await_sleep(process, count)
                        process.send_signal(signal.SIGINT)
                        said = process.communicate(timeout=60)
                    finally:
                        process.kill()
                self.assertEqual(said, ("interrupted\n", ""))
                self.assertFalse(asleep & {process.number for process in common.list_processes()})
                self.assertFalse(list(self.folder.rglob("*.partial-*")))
        self.assertEqual(sorted(path.name for path in output.iterdir()), ["flows.csv", "pauses.csv", "run.json"])
        self.assertFalse((self.folder / "sweep" / "sweep.csv").exists())

    def test_a_kill(self) -> None:
        """A kill does not end the processes that the program has started."""
        script = f"import sys; sys.path.insert(0, {str(SCRIPTS)!r})\nimport lossless\nlossless.run(program={str(self.program)!r}, sleeps=1)\n"
        with subprocess.Popen([sys.executable, "-B", "-c", script]) as process:
            try:
                asleep = self.await_sleep(process, 1)
            finally:
                process.kill()
        for _ in range(100):
            left = asleep & {found.number for found in common.list_processes()}
            if len(left) == 1:
                break
            time.sleep(0.1)
        for number in left:
            os.kill(number, signal.SIGKILL)
        self.assertEqual((len(asleep), len(left)), (2, 1))

    def await_sleep(self, process: subprocess.Popen, count: int) -> set[int]:
        """Wait until the given number of programs sleep, and return their process IDs."""
        path = self.program.with_name("fake.asleep")
        path.touch()
        self.await_state(process, lambda: path.read_text(encoding="utf-8").count("\n") == count)
        numbers = {int(word) for word in path.read_text(encoding="utf-8").split()}
        path.unlink()
        return numbers

    def test_runs_in_threads(self) -> None:
        found = {}
        threads = [
            threading.Thread(target=lambda load=load: found.update({load: self.run_fake(load=load).flows.fct_ns.item()}))
            for load in range(1, 5)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, {load: load for load in range(1, 5)})

    def test_programs(self) -> None:
        """Programs are found by folder, in the repository and in PATH; a missing program is an Error."""
        with mock.patch.dict(os.environ, {"LOSSLESS_PROGRAMS": str(self.program.parent)}):
            self.assertEqual(lossless.run(program="fake").info["program"], "fake")
            with self.assertRaisesRegex(lossless.Error, "own programs/none is not a program that can be run$"):
                lossless.run(program="none")
        with mock.patch.dict(os.environ), mock.patch.object(programs, "BUILDER", Path("/nowhere")):
            os.environ.pop("LOSSLESS_PROGRAMS", None)
            os.environ["PATH"] = f"{self.program.parent}:{os.environ['PATH']}"
            self.assertEqual(lossless.run(program="fake").info["program"], "fake")
            with self.assertRaisesRegex(lossless.Error, "^there is no program none in PATH; LOSSLESS_PROGRAMS may name"):
                lossless.run(program="none")
        text = self.write("own programs/text", "no program")
        text.chmod(0o755)
        for program, sentence in (
            ("", "^program is empty"),
            (5, "^program is of type int; it must be"),
            (text, "own programs/text cannot be started: exec format error$"),
        ):
            with self.subTest(program), self.assertRaisesRegex(lossless.Error, sentence):
                lossless.run(program=program)

    def test_a_program_that_is_built(self) -> None:
        """A program is built once, and again when a source has changed."""
        builder = self.write_program("scripts/run", f'echo "$*" >> "$0.log"\n[ "$3" = fake ] && echo "{self.program}" ||'
                                     ' { echo "run: there is no program $3" >&2; exit 1; }')
        source = self.write("examples/fake.cc", "")
        self.write("CMakeLists.txt", "")
        with mock.patch.dict(os.environ), mock.patch.multiple(programs, BUILDER=builder, ROOT=self.folder):
            os.environ.pop("LOSSLESS_PROGRAMS", None)
            for _ in range(2):
                lossless.run(program="fake")
            self.assertEqual((self.folder / "scripts/run.log").read_text(), "--no-install --where fake\n")
            os.utime(source, (time.time() + 10, time.time() + 10))
            lossless.run(program="fake")
            self.assertEqual((self.folder / "scripts/run.log").read_text(), "--no-install --where fake\n" * 2)
            with self.assertRaisesRegex(lossless.Error, "^run: there is no program none$"):
                lossless.run(program="none")


class FrameTest(FakeTest):
    def written(self, name: str, frame: pandas.DataFrame) -> list[str]:
        """Return the content of the file that the program reads."""
        self.program.write_text(self.PROGRAM.replace("mkdir -p", f'cp "${name}" "$0.csv"; mkdir -p'), encoding="utf-8")
        self.run_fake(**{name: frame})
        return self.program.with_name("fake.csv").read_text(encoding="utf-8").splitlines()

    def test_flows(self) -> None:
        self.assertEqual(
            self.written("flows", FLOWS),
            ["source,destination,bytes,id,priority,start_ns,group", "h1,h0,1000,0,3,0,", "h2,h0,2000,1,3,0,"],
        )
        nullable = FLOWS.assign(bytes=pandas.array([1, None], dtype="Int64"), start_ns=pandas.array([0.5, None], dtype="Float64"))
        self.assertEqual(self.written("flows", nullable)[1:], ["h1,h0,1,0.5,0,3,", "h2,h0,,,1,3,"])
        whole = FLOWS.assign(id=[5, 6], priority=0, start_ns=[1.0, 2.5], group=[None, "é"], bytes=[1e9, 2.0], slowdown=[1, None])
        self.assertEqual(self.written("flows", whole.set_index("id", drop=False))[1:], ["h1,h0,1000000000,5,0,1,,1", "h2,h0,2,6,0,2.5,é,"])

    def test_links(self) -> None:
        links = pandas.DataFrame({"node_a": ["a"], "node_b": [7], "rate": "1Gbps", "delay": [numpy.timedelta64(5, "us")], "failed": True})
        self.assertEqual(self.written("topology", links), ["node_a,node_b,rate,delay,failed", "a,7,1Gbps,5000ns,1"])


class SpecsOfProgramsTest(FolderTest):
    """A spec repeats a run, with or without a folder of results; the files that other options name are not written again."""

    def test_repeat(self) -> None:
        for command in (
            "hpcc-run --qlen-file=q.txt --qlen-from=1us --qlen-until=9us --qlen-interval=2us",
            "lossless-run --topology=star --load=0.1 --pause-events --sample=10us --sample-queues=*:*:3 --sample-flows=*",
        ):
            program, *options = command.split()
            first = [programs.find_program(program), *options, "--output=first"]
            subprocess.run(first, cwd=self.folder, check=True, capture_output=True)
            spec = json.loads((self.folder / "first" / "run.json").read_text())["spec"]
            self.assertEqual(spec.keys() & {"output", "qlen-file", "qlen-from"}, set())
            for output in ((), ("--output=again",)):
                again = [programs.find_program(program), "--spec=first", *output]
                subprocess.run(again, cwd=self.folder, check=True, capture_output=True)
            tables = {path.name: path.read_bytes() for path in (self.folder / "first").glob("*.csv")}
            self.assertEqual({path.name: path.read_bytes() for path in (self.folder / "again").glob("*.csv")}, tables)
            shutil.rmtree(self.folder / "first")
            shutil.rmtree(self.folder / "again")


class BarriersOfProgramsTest(unittest.TestCase):
    def test_sizes(self) -> None:
        """Messages of a barrier have 1 B, unless the list of sizes has an entry for it."""
        for collective, size, wanted in (
            ("barrier", None, {1}),
            ("barrier", "10kB", {10_000}),
            ("broadcast,barrier", "40kB", {1, 40_000}),
            ("broadcast,barrier", "40kB,10kB", {10_000, 40_000}),
        ):
            with self.subTest(collective=collective, size=size):
                options = {} if size is None else {"size": size}
                run = lossless.run(topology="star", hosts=4, collective=collective, **options)
                self.assertEqual(set(run.flows.bytes), wanted)


class StyleTest(unittest.TestCase):
    def test_styles(self) -> None:
        """A scheme has a colour and a marker of its own; one of the user's has what no other one has."""
        known = [tuple(styles.scheme_style(name).values()) for name in styles.ROWS]
        self.assertEqual(len({*known}), len(known))
        own = lossless.scheme_style("Flow-stop")
        self.assertEqual(own, lossless.scheme_style("Flow-stop"))
        self.assertEqual(own.keys(), {"color", "marker"})
        self.assertFalse({*known} & {*styles.SPARE})
        self.assertIn(tuple(own.values()), styles.SPARE)
        for _, marker in styles.SPARE:
            MarkerStyle(marker)
        with self.assertRaisesRegex(lossless.Error, "^scheme is of type int; it must be a name$"):
            lossless.scheme_style(5)


class WithoutPandasTest(unittest.TestCase):
    def test_sentence(self) -> None:
        """A Python that lacks a package is told which one does not."""
        code = "import sys; sys.modules['pandas'] = None; import lossless; lossless.run"
        done = ended(sys.executable, "-B", "-c", code, env={"PYTHONPATH": str(SCRIPTS)})
        told = f"lossless needs pandas, which {sys.executable} does not have; use /usr/bin/python3 with Debian's python3-pandas, or install it"
        self.assertEqual((done.returncode, done.stderr.splitlines()[-1]), (1, f"ModuleNotFoundError: {told}"))
        self.assertLess(len(done.stderr.splitlines()), 10)


class FramesOfProgramsTest(unittest.TestCase):
    """Tests lossless-run's messages about frames."""

    def setUp(self) -> None:
        super().setUp()
        hide_warnings(self)

    def test_several_values(self) -> None:
        """A wrong name is reported as such, also with several values."""
        for sentence, options in (
            ("lossless-run: there is no option --fail-links; write --fail-link", {"fail_links": ["leaf0-spine0", "leaf1-spine0"]}),
            ("fail_link has several values", {"fail_link": ["leaf0-spine0", "leaf1-spine0"]}),
            ("scheme has several values", {"scheme": ["PFC", "DSH"]}),
        ):
            with self.subTest(sentence), self.assertRaisesRegex(lossless.Error, f"^{sentence}"):
                lossless.run(**options)

    def test_sentences(self) -> None:
        links, flows = ring(5)
        for sentence, frames in (
            ("flows, row 1: bytes is '1.5'; allowed is a whole number", {"flows": FLOWS.assign(bytes=[1, 1.5])}),
            ("flows, row 0: bytes is ''", {"flows": FLOWS.assign(bytes=[None, 2])}),
            ("flows, row 0: bytes is '-1'", {"flows": FLOWS.assign(bytes=-1)}),
            ("flows, row 0: bytes is 'inf'", {"flows": FLOWS.assign(bytes=float("inf"))}),
            ("flows, columns: column 'bytes' is missing", {"flows": FLOWS.drop(columns="bytes")}),
            ("flows, columns: unknown column 'sorce'", {"flows": FLOWS.rename(columns={"source": "sorce"})}),
            ("flows, columns: column 'source' appears twice", {"flows": pandas.concat([FLOWS, FLOWS.source], axis=1)}),
            ("flows, row 1: id is '4'; allowed is a number that no other", {"flows": FLOWS.assign(id=4)}),
            ("flows, row 0: source is 'h99'; allowed is the name of a host", {"flows": FLOWS.assign(source="h99")}),
            ("flows, row 0: source is ''", {"flows": FLOWS.assign(source=numpy.nan)}),
            ("flows, row 0: priority is '8'", {"flows": FLOWS.assign(priority=8)}),
            ("flows, row 0: destination is 'h0'; allowed is another host than the source", {"flows": FLOWS.assign(source="h0")}),
            ("topology, columns: column 'rate' is missing", {"topology": links.drop(columns="rate")}),
            ("topology, row 0: rate is '100'; allowed is a rate", {"topology": links.assign(rate=100)}),
            ("topology, row 0: 'h0' is joined to itself", {"topology": links.assign(node_b=links.node_a)}),
        ):
            with self.subTest(sentence), self.assertRaisesRegex(lossless.Error, f"^lossless-run: {sentence}"):
                lossless.run(**frames)
        self.assertEqual(lossless.run(topology=links, flows=flows.iloc[:0]).verdict["outcome"], "empty")
        run = lossless.run(topology=links, flows=FLOWS, buffer=8e6)
        again = lossless.run(topology=run.topology, flows=run.flows, buffer="8MB")
        pandas.testing.assert_frame_equal(run.flows, again.flows)


class SweepTest(FakeTest):
    def sweep(self, **options: object) -> lossless.Sweep:
        return lossless.sweep(program=self.program, **options)

    def test_table_and_frames(self) -> None:
        sweep = self.sweep(scheme=["A", "B"], load=numpy.array([2, 4]), size=1, attributes={"X::Y": (0.125, True)}, jobs=3)
        table = sweep.table
        self.assertEqual(table.attrs["parameters"], ["scheme", "load", "size", "ns3::lossless::X::Y"])
        self.assertEqual(table.load.tolist(), [2, 2, 4, 4] * 2)
        self.assertEqual(table.mean_fct_ns.tolist(), table.load.tolist())
        self.assertEqual(table.folder[0], "runs/scheme-A-load-2-ns3__lossless__X__Y-0.125-" + table.folder[0][-12:])
        self.assertEqual(list(sweep.flows)[:5], ["scheme", "load", "ns3::lossless::X::Y", "id", "source"])
        self.assertEqual((len(sweep.flows), sweep.flows.attrs["units"]["fct_ns"]), (8, "ns"))
        self.assertEqual([run.flows.fct_ns.item() for run in sweep.runs], table.load.tolist())
        self.assertEqual(len(sweep.failures), 0)
        self.assertEqual(repr(sweep), "<Sweep of 8 runs by scheme, load, size, ns3::lossless::X::Y; 0 failed>")
        with self.assertRaisesRegex(AttributeError, "has queues.csv$"):
            sweep.queues
        runs = sweep.runs
        del sweep
        gc.collect()
        self.assertEqual(len(runs[0].pauses), 0)
        del runs
        gc.collect()
        self.assert_clean()

    def test_a_folder_that_scripts_read(self) -> None:
        output = self.folder / "my sweep"
        self.sweep(load=[2, 4], note="None", output=output)
        written = lossless.load_sweep(output)
        self.assertEqual((written.load.tolist(), written.note.tolist()), ([2, 4], ["None", "None"]))
        self.assertEqual(written.attrs["parameters"], ["load", "note"])
        # The earlier sweep is removed, and scripts/sweep does not reuse runs that may be outdated.
        self.write("my sweep/report.html", "")
        sweep = self.sweep(load=[4, 6], note="None", output=output)
        self.assertEqual(sorted(path.name for path in (output / "runs").iterdir()), ["load-4", "load-6"])
        self.assertFalse((output / "report.html").exists())
        self.assertEqual(sweep.folder, output)
        refused = ended(SCRIPTS / "sweep", self.program, "--output", output, "--no-install", "--", "--load=4,6", "--note=None")
        self.assertEqual(refused.stderr, f"sweep: {output} holds other files and no sweep; name another folder\n")
        self.write("foreign/notes.txt", "")
        with self.assertRaisesRegex(lossless.Error, "foreign holds other files and no sweep; name another folder$"):
            self.sweep(load=[1], output=self.folder / "foreign")
        with self.assertRaisesRegex(lossless.Error, "notes.txt cannot be written: "):
            self.sweep(load=[1], output=self.folder / "foreign" / "notes.txt")

    def test_names_of_columns(self) -> None:
        """Files have the names of options that scripts/sweep writes, so that one program reads both; frames have Python's."""
        ours, theirs = self.folder / "ours", self.folder / "theirs"
        sweep = self.sweep(congestion_control=["A", "B"], flows="f.csv", output=ours)
        words = ("--flows=f.csv", "--congestion-control=A,B")
        done = ended(SCRIPTS / "sweep", self.program, "--output", theirs, "--no-install", "--", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        written = [(folder / "sweep.csv").read_text(encoding="utf-8").splitlines()[0] for folder in (ours, theirs)]
        self.assertEqual(written[0], written[1])
        self.assertEqual(lossless.load_sweep(ours).attrs["parameters"], ["flows (option)", "congestion-control"])
        self.assertEqual(sweep.table.attrs["parameters"], ["flows (option)", "congestion_control"])

    def test_an_earlier_sweep_is_resumed(self) -> None:
        """Runs with the same options are kept, even if they were given as frames; missing runs are made."""

        def resumed(loads: list[int], flows: object, expected: list[str], resume: bool = True) -> None:
            sweep = self.sweep(load=loads, flows=flows, output=self.output, resume=resume)
            self.assertEqual(sweep.table.load.tolist(), loads)
            runs = {path.name: path for path in (self.output / "runs").iterdir()}
            self.assertEqual(sorted(name for name, run in runs.items() if not (run / "seen").exists()), expected)
            for run in runs.values():
                (run / "seen").touch()

        resumed([2, 4], FLOWS, ["load-2", "load-4"], resume=False)
        resumed([2, 4], FLOWS, [])
        resumed([4, 6], FLOWS, ["load-6"])
        resumed([4, 6], FLOWS.iloc[:1], ["load-4", "load-6"])
        resumed([4, 6], FLOWS.iloc[:1], ["load-4", "load-6"], resume=False)
        (self.output / "runs" / "load-4" / "run.json").write_text("{}")
        resumed([4, 6], FLOWS.iloc[:1], ["load-4"])
        (self.output / "runs" / "load-4" / "run.json").write_text('{"schema": "lossless-run", "schema_version": 5}')
        resumed([4, 6], FLOWS.iloc[:1], ["load-4"])
        (self.output / "runs.json").write_text("[]")
        resumed([4, 6], FLOWS.iloc[:1], ["load-4", "load-6"])
        with self.assertRaisesRegex(lossless.Error, "^resume needs the folder of an earlier sweep as output$"):
            self.sweep(load=[2], resume=True)

    def test_configurations(self) -> None:
        """As in scripts/sweep, each configuration has its own options, and of the common options those that it does not
        set itself."""
        two = {"fast": {"load": [2, 4], "attributes": {"RoceNic::Window": 9}}, "slow": {"load": 6, "note": "b"}}
        sweep = self.sweep(RngRun=[1, 2], note="a", configurations=two, output=self.output)
        names = ["fast-RngRun-1-load-2", "fast-RngRun-1-load-4", "fast-RngRun-2-load-2", "fast-RngRun-2-load-4", "slow-RngRun-1", "slow-RngRun-2"]
        self.assertEqual(sweep.table.folder.tolist(), [f"runs/{name}" for name in names])
        parameters = ["configuration", "RngRun", "note", "load", "ns3::lossless::RoceNic::Window"]
        self.assertEqual(sweep.table.attrs["parameters"], parameters)
        self.assertEqual(sweep.table[parameters].values.tolist()[3:5], [["fast", 2, "a", 4, 9], ["slow", 1, "b", 6, ""]])
        pairs = self.sweep(RngRun=[1, 2], configurations={"fast": {"load": 2}, "slow": {"load": 6}}).compare({"configuration": "fast"})
        self.assertEqual((pairs.pairs.tolist(), pairs.difference.tolist()), ([2], [0]))  # all slowdowns are 1
        self.assertEqual(lossless.load_sweep(self.output).configuration.tolist(), ["fast"] * 4 + ["slow"] * 2)
        self.assertIn("<td>fast</td>", sweep._repr_html_())
        self.assertIn("&lt;Sweep of 6 runs", sweep._repr_html_())
        again = self.sweep(RngRun=[1, 2], note="a", configurations={"slow": two["slow"]}, output=self.output, resume=True)
        self.assertEqual(again.table.configuration.tolist(), ["slow"] * 2)
        for sentence, wrong in (
            ("^configurations is \\[\\]; it must have options by names, as ", []),
            ("^'a b' is not the name of a configuration", {"a b": {}}),
            ("^the configuration a is of type int; it must be a dict of options$", {"a": 3}),
        ):
            with self.subTest(sentence), self.assertRaisesRegex(lossless.Error, sentence):
                self.sweep(configurations=wrong)

    def test_what_failed_is_made_again(self) -> None:
        """A failed run is repeated even if it has results, such as a judged run or one interrupted after a lossless class lost frames."""
        options = {"strict": True, "keep_going": True, "output": self.output, "load": [1, 2]}
        for resume in (False, True, True):
            sweep = self.sweep(resume=resume, **options)
            self.assertEqual((len(sweep.runs), sweep.failures.why.tolist()), (0, ["One flow is late."] * 2))
        self.sweep(load=[1, 2], output=self.output)
        told = (self.output / "runs" / "load-1" / "run.json").read_text(encoding="utf-8")
        half = told.replace('"outcome": "lossy"', '"outcome": "violated", "interrupted_by": "SIGTERM"')
        (self.output / "runs" / "load-1" / "run.json").write_text(half, encoding="utf-8")
        sweep = self.sweep(load=[1, 2], output=self.output, resume=True)
        self.assertEqual([run.verdict["outcome"] for run in sweep.runs], ["lossy"] * 2)

    def test_files_that_change_are_noticed(self) -> None:
        for text, was_made in (("a", True), ("a", False), ("b", True), ("b", False)):
            sweep = self.sweep(flows=self.write("flows.csv", text), output=self.output, resume=True)
            seen = sweep.runs[0].folder / "seen"
            self.assertEqual(not seen.exists(), was_made, text)
            seen.touch()

    def test_times_of_an_array(self) -> None:
        for unit, times in (("ns", [1000, 2000]), ("us", [1, 2])):
            sweep = self.sweep(sample=numpy.array(times, dtype=f"timedelta64[{unit}]"))
            self.assertEqual([run.folder.name for run in sweep.runs], ["sample-1000ns", "sample-2000ns"])

    def test_a_long_text_names_no_file(self) -> None:
        note = ",".join(f"leaf{number}-spine0@500us" for number in range(32))
        self.assertEqual(len(self.sweep(note=note, load=[1, 2]).runs), 2)

    def test_a_full_disk_takes_nothing_away(self) -> None:
        """A full disk does not remove the results of an earlier sweep."""
        self.sweep(load=[1, 2], output=self.output)
        full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "runs.json")
        with mock.patch("os.replace", side_effect=full), self.assertRaisesRegex(lossless.Error, "cannot be written: no space left"):
            self.sweep(load=[1, 2], output=self.output, resume=True)
        (self.output / "runs" / "load-1" / "seen").touch()
        self.assertTrue((self.sweep(load=[1, 2], output=self.output, resume=True).runs[0].folder / "seen").exists())

    def test_a_folder_is_for_one_sweep_at_a_time(self) -> None:
        with sweeps.alone(self.output), self.assertRaisesRegex(lossless.Error, "out is in use: another sweep writes to it$"):
            self.sweep(load=[1], output=self.output)
        self.assertEqual(len(self.sweep(load=[1], output=self.output).runs), 1)

    def test_more_values_of_an_option(self) -> None:
        """Runs of an earlier sweep are kept if an option gets more values, even with another order of options."""
        self.sweep(load=[2, 4], note="a", output=self.output)
        for number, path in enumerate(sorted((self.output / "runs").iterdir())):
            (path / "seen").write_text(str(number))
        sweep = self.sweep(note=["b", "a"], load=[4, 2], output=self.output, resume=True)
        self.assertEqual(sweep.table.folder[2:].tolist(), ["runs/load-4", "runs/load-2"])
        self.assertEqual([(run.folder / "seen").exists() for run in sweep.runs], [False, False, True, True])
        self.assertEqual(sweep.table[["note", "load"]].values.tolist(), [["b", 4], ["b", 2], ["a", 4], ["a", 2]])
        # Two frames with the same content have separate folders.
        for flows in (FLOWS, {"x": FLOWS, "y": FLOWS}, {"x": FLOWS, "y": FLOWS}):
            sweep = self.sweep(flows=flows, output=self.output, resume=True)
            self.assertEqual(len({*sweep.table.folder}), len(sweep.runs))

    def test_what_is_refused_changes_nothing(self) -> None:
        refusals = '--load=[46]) echo "fake: no ${word#--}." >&2; exit 1;;'
        refusals += '--flows=*) echo "fake: ${word#*=}:2: bad" >&2; exit 1;;'
        self.program.write_text(with_check(self.PROGRAM, refusals), encoding="utf-8")
        self.sweep(load=[1, 2], output=self.output)
        before = {path: path.stat().st_mtime_ns for path in self.output.rglob("*")}
        self.assertGreater(len(before), 8)
        for options in ({}, {"resume": True}, {"output": None}, {"load": [4, 6], "keep_going": True}):
            with self.subTest(options), self.assertRaisesRegex(lossless.Error, r"^load-4: fake: no load=4\.$") as raised:
                self.sweep(**{"load": [1, 4, 6], "output": self.output, **options})
            self.assertEqual((raised.exception.status, raised.exception.said), (1, "fake: no load=4.\n"))
        with self.assertRaisesRegex(lossless.Error, "^run: fake: flows, row 0: bad$"):
            self.sweep(flows=FLOWS, output=self.output)
        with self.assertRaisesRegex(lossless.Error, "^run: source of row 0 in flows is 'a b'; it cannot have"):
            self.sweep(flows=FLOWS.assign(source="a b"), output=self.output)
        self.assertEqual({path: path.stat().st_mtime_ns for path in self.output.rglob("*")}, before)
        sweep = self.sweep(load=[1, 4], output=self.output, keep_going=True, resume=True)
        self.assertEqual(sweep.failures.values.tolist(), [[4, "load-4", "refused", "fake: no load=4."]])
        self.assertEqual(sorted(path.name for path in (self.output / "runs").iterdir()), ["load-1"])
        kept = self.output / "runs/load-1/run.json"
        self.assertEqual(kept.stat().st_mtime_ns, before[kept])
        self.assert_clean()

    def test_results_of_a_run_that_is_judged(self) -> None:
        """The results of a judged run exist as long as the error."""
        with self.assertRaisesRegex(lossless.Error, "^load-[12]: One flow is late.$") as raised:
            self.sweep(strict=True, load=[1, 2])
        self.assertEqual(raised.exception.results.flows.source.tolist(), ["a"])
        raised.exception.results = None
        gc.collect()
        self.assert_clean()

    def test_values_that_differ(self) -> None:
        notes = ["a.csv", "A.csv", "1e-5s", "1e5s", "-1us", "1us"]  # paths, and numbers with units, all of which differ
        self.assertEqual(len(self.sweep(RngRun=[2**53, 2**53 + 1], note=notes).runs), 12)

    def test_frames_have_labels(self) -> None:
        sweep = self.sweep(flows={"few": FLOWS.iloc[:1], "many": FLOWS}, topology=FLOWS)
        self.assertEqual(sweep.table["flows (option)"].tolist(), ["few", "many"])
        self.assertEqual(sweep.table.attrs["parameters"], ["flows (option)"])
        self.assertEqual(list(sweep.flows)[0], "flows (option)")

    def test_a_run_that_fails(self) -> None:
        with self.assertRaisesRegex(lossless.Error, "^fails-load: fake: no such load$"):
            self.sweep(fails=["", "load"], output=self.output)
        self.assertFalse((self.output / "sweep.csv").exists())
        sweep = self.sweep(fails=["", "load"], keep_going=True, output=self.output)
        self.assertEqual((len(sweep.table), len(sweep.runs)), (1, 1))
        self.assertEqual(sweep.failures.values.tolist(), [["load", "fails-load", "failed", "fake: no such load"]])
        self.assertEqual(
            (self.output / "failures.csv").read_text(), "fails,run,kind,why\nload,fails-load,failed,fake: no such load\n"
        )
        self.assertEqual(len(self.sweep(fails=["a", "b"], keep_going=True).table), 0)

    def test_one_that_fails_ends_those_that_run(self) -> None:
        start = time.monotonic()
        with self.assertRaisesRegex(lossless.Error, "the run took longer than 0.5 s$"):
            self.sweep(sleeps=[1, 2, 3, 4, 5, 6, 7, 8], timeout=0.5, jobs=8)
        self.assertLess(time.monotonic() - start, 20)
        self.assert_clean()

    def test_refused(self) -> None:
        for sentence, options in (
            ("^load has no value$", {"load": []}),
            ("^load has the value '1' twice$", {"load": [1, 2, 1.0]}),
            ("^load has the values '0.5' and '0.50', which are the same$", {"load": ["0.5", "0.50"]}),
            ("^load has the values '0.5' and '5e-1', which are the same$", {"load": [0.5, "5e-1"]}),
            ("^scheme has the values 'dsh' and 'DSH', which are the same$", {"scheme": ["dsh", "DSH"]}),
            ("^congestion_control has the values", {"congestion_control": ["None", "none"]}),
            ("^topology has the values", {"topology": ["leaf-spine", "LeafSpine"]}),
            ("^load has None among its values", {"load": [1, None]}),
            ("^load is of type list", {"load": [[1, 2], 3]}),
            ("^load is of type set", {"load": {1, 2}}),
            ("^flows has a frame without a label", {"flows": [FLOWS, FLOWS]}),
            ("^load is of type DataFrame", {"load": {"a": FLOWS, "b": FLOWS}}),
            ("^jobs is 0; it must be a whole number above 0$", {"jobs": 0}),
            ("^jobs is True; it must be", {"jobs": True}),
            ("^timeout is -1", {"timeout": -1}),
            ("^output is ''; it must be the name of a folder$", {"output": ""}),
        ):
            with self.subTest(sentence), self.assertRaisesRegex(lossless.Error, sentence):
                self.sweep(**options)
        self.assert_clean()


class StopTest(FolderTest):
    def test_flows_may_take_longer_than_a_second(self) -> None:
        """By default, a run with a list of flows ends one second after the last of them has started."""
        flows = FLOWS.iloc[:1].assign(bytes=30_000_000)

        def times(**options: object) -> list[float]:
            run = lossless.run(topology="star", hosts=3, rate="100Mbps", payload=8000, mtu=9000, flows=flows, **options)
            return run.flows.fct_ns.dropna().tolist()

        self.assertEqual(times(), [])
        self.assertEqual(times(stop="1500ms"), [])
        self.assertGreater(times(stop="10s")[0], 2.4e9)


class PaboAuthorsTest(FolderTest):
    def test_a_run_of_theirs(self) -> None:
        """One of two incasts without a common link, at theta 0.8, is within 5 % of the authors' numbers, so that changes of the module are
        noticed."""
        [theirs] = pabo_authors.chosen(pabo_authors.authors(), experiment="apart", theta=0.8)
        job = fat_tree_job("3-to-1", 1, scheme="PABO", theta=0.8, **{pabo_authors.RESERVE: 3})
        run = lossless.run(program=job.program, output=self.folder / "run", **job.options)
        found = pabo_authors.read(job, run.folder)
        for metric in pabo_authors.METRICS:
            self.assertAlmostEqual(found[metric] / theirs[metric], 1, delta=0.05, msg=metric)


class SchemaTest(FolderTest):
    """The schemas match the files that programs write."""

    def setUp(self) -> None:
        super().setUp()
        hide_warnings(self)

    RUNS = (
        "lossless-run --topology=star --hosts=8 --load=0 --incast-load=1 --incast-senders=7 --arrivals=200us --buffer=4MB "
        "--sample=10us --sample-queues=s0:*:0 --sample-throughput=s0:* --sample-flows=* --pause-events",
        "lossless-run --scheme=FAFC --topology=star --load=0.9 --arrivals=200us --buffer=4MB --pause-events --ns3::lossless::RoceNic::Window=100000",
        "lossless-run --scheme=OFC --leaves=2 --spines=1 --load=0.9 --arrivals=200us --buffer=5MB --pause-events --classes=0,1",
        "lossless-run --scheme=DropTail --load=0.9 --incast-load=0.5 --incast-senders=12 --arrivals=100us --buffer=200kB --stop=2ms",
        "lossless-run --topology=star --collective=allreduce --size=100kB --storm=h3:3@20us..2ms --watchdog=drop "
        "--watchdog-detect=400us --watchdog-restore=400us --watchdog-poll=200us --stop=4ms --congestion-control=HPCC --sample=100us --sample-flows=*",
        "lossless-run --topology=star --arrivals=50us --bit-error-rate=1e-7 --llr",
        "collateral-damage --burst-start=200us --stop=400us",
        "leaf-spine-load --leaves=3 --spines=2 --hosts-per-leaf=4 --incast-senders=4 --arrivals=50us --headroom-peaks=true",
        "ofc-line --switches=2 --rack=32 --long-flows=2 --bursts=6 --rounds=3",
        "fafc-leaf-spine --leaves=3 --spines=2 --hosts-per-leaf=4 --incast-senders=6 --arrivals=4ms --trigger=100000",
        "ofc-deadlock --runs=3",
        "pabo-tree --packets=500 --sample-period=100us",
        "pabo-fat-tree --scenario=9-to-1 --requests=1",
        "bounce-curve --step=0.2",
        "pause-times --steps=2",
        "headroom-watermark --metres=5,7.5 --cell=208",
        "link-buffer --metres=10",
        "roce-acceptance --scenario=control-frames",
        "lossless-run --arrivals=100us --flows-csv=groups",
    )

    def test_page(self) -> None:
        """The page lists each file and each column; columns with the same meaning share a row."""
        page = schemas.make_page()
        for name, some in columns.read_columns().items():
            section = page.split(f"\n{name}\n---")[1].split("\n---")[0]
            self.assertEqual([column.name for column in some if f"``{column.name}``" not in section], [], name)
        self.assertIn("   * - ``pauses``, ``resumes``\n     - integer\n     - how often", page)
        self.assertIn("     - one of ``0``, ``1``\n", page)
        self.assertIn("     - integer, ns, empty\n", page)

    def test_columns_of_a_link(self) -> None:
        """A reader who sizes a buffer finds the meaning and the unit of each column."""
        for name, units in (
            ("headroom-watermark", {"speed": "bit/s", "metres": "m", "mtu": "B", "lossless_mtu": "B", "cell": "B", "frame_bytes": "B"}),
            ("link-buffer", {"speed": "bit/s", "metres": "m", "mtu": "B", "credit_bytes": "B"}),
        ):
            fields = {field["name"]: field for field in json.loads(schemas.make_schemas()[f"{name}.json"])["fields"]}
            self.assertEqual([field for field in fields if not fields[field].get("description")], [])
            self.assertEqual({field: fields[field].get("unit") for field in units}, units)

    def test_undocumented_columns(self) -> None:
        files = columns.read_files()
        with self.assertRaisesRegex(Failure, "does not say what victims.csv is"):
            [*schemas.describe_all({**files, "victims.csv": ""})]
        with self.assertRaisesRegex(Failure, "does not explain theta of probability.csv"):
            [*schemas.describe_all({**files, "probability.csv": "A curve."})]

    def test_files_of_programs(self) -> None:
        written = Counter()
        for number, line in enumerate(self.RUNS):
            program, *words = line.split()
            options = dict(word.removeprefix("--").split("=") if "=" in word else (word[2:], True) for word in words)
            written += self.check_folder(lossless.run(program=program, output=self.folder / str(number), **options).folder)
        links, flows = ring(5)
        sweep = lossless.sweep(
            topology=links, flows=flows, buffer="6MB", stop="2ms", scheme=["PFC", "X"], keep_going=True, output=self.folder / "ring"
        )
        written += self.check_folder(sweep.runs[0].folder) + self.check_folder(sweep.folder)
        self.assertEqual({f"{name}.csv" for name, rows in written.items() if rows}, {*columns.read_columns()} - {"run.json"})

    def check_folder(self, folder: Path) -> Counter:
        """Check the tables of a folder and return the number of rows of each."""
        for path in folder.glob("run.json"):
            found = json.loads(path.read_text(encoding="utf-8"))
            schema = json.loads(schemas.make_schemas()["run.json"])
            problems = [error.message for error in jsonschema.Draft202012Validator(schema).iter_errors(found)]
            self.assertEqual(problems, [], path)
        rows = Counter({path.stem: len(self.check_table(path)) for path in folder.glob("*.csv")})
        for name in rows if (folder / "run.json").is_file() else ():
            self.check_frame(name, lossless.load(folder)[name])
        return rows

    def check_table(self, path: Path, schema: dict | None = None) -> list[dict[str, str]]:
        schema = schema or json.loads(schemas.make_schemas()[f"{path.stem}.json"])
        with open(path, encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            rows = list(reader)
        fields = {field["name"]: field for field in schema["fields"]}
        names = reader.fieldnames[-len(fields) :] if schema.get("fieldsMatch") == "superset" else reader.fieldnames
        self.assertEqual(list(names), list(fields), path)
        for row in rows:
            for name, field in fields.items():
                self.assertIsNone(self.complain(row[name], field), f"{path}: {name}")
        return rows

    def complain(self, text: str, field: dict) -> str | None:
        """Return the error in a field, as a tool for Frictionless Data reports it."""
        constraints = field.get("constraints", {})
        if not text:
            return "empty" if constraints.get("required") else None
        patterns = {"integer": r"[-+]?\d+", "number": r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", "boolean": "True|False"}
        if not re.fullmatch(patterns.get(field["type"], ".*"), text):
            return f"{text} is no {field['type']}"
        values = [str(value) for value in constraints.get("enum", [text])]
        return None if text in values else f"{text} is none of {values}"

    def check_frame(self, name: str, frame: pandas.DataFrame) -> None:
        """Check that the types and units of a frame match the schema."""
        schema = json.loads(schemas.make_schemas()[f"{name}.json"])
        units = {field["name"]: field["unit"] for field in schema["fields"] if "unit" in field}
        self.assertEqual(frame.attrs["units"], units)
        for field in schema["fields"] if len(frame) else ():
            is_number = pandas.api.types.is_numeric_dtype(frame[field["name"]])
            self.assertEqual(is_number, field["type"] in ("integer", "number"), f"{name}: {field['name']}")

    def test_what_the_check_refuses(self) -> None:
        field = {"type": "integer", "constraints": {"required": True, "enum": [0, 1]}}
        for text, complaint in (("", "empty"), ("x", "x is no integer"), ("0.5", "0.5 is no integer"), ("2", "2 is none of"), ("1", "None")):
            self.assertIn(complaint, str(self.complain(text, field)))
        self.assertIsNone(self.complain("", {"type": "number"}))
        with self.assertRaises(AssertionError):
            self.check_table(self.write("pause-depths.csv", "depth,pauses,queues,hosts,more\n"))

    def test_types_are_those_of_the_table(self) -> None:
        self.assertEqual(columns.text_columns("pauses"), {"node", "priority"})
        self.assertEqual(columns.text_columns("queues"), {"node", "side"})
        own = columns.text_columns("own")
        self.assertTrue({"node", "source", "group", "kind"} < own and not {"priority", "bytes"} & own)


class MachineOutputTest(FolderTest):
    """Tests the output for programs, --json and --junit."""

    def call(self, program: str, *words: str) -> subprocess.CompletedProcess[str]:
        return ended(programs.find_program(program), *words, cwd=self.folder)

    RUN = ("--topology=star", "--load=1", "--arrivals=100us")

    def test_json(self) -> None:
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        done = self.call("lossless-run", *self.RUN, "--json=-", "--output=run")
        after, took_s = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - began
        used_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        printed, written = json.loads(done.stdout), json.loads((self.folder / "run/run.json").read_text(encoding="utf-8"))
        for members in (printed, written):
            wall_s, cpu_s = members.pop("wall_s"), members.pop("cpu_s")
            self.assertTrue(0 < wall_s < took_s, (wall_s, took_s))
            # The time of the process until the output, before its end.
            self.assertTrue(0 < used_s / 4 < cpu_s < used_s * 1.1, (cpu_s, used_s))
        self.assertEqual(printed, written)
        self.assertRegex(done.stderr, r"(\A|\n)lossless: .* -> run\n\Z")
        self.assertEqual(self.call("lossless-run", *self.RUN, "--json=verdict.json").stdout, "")
        self.assertEqual(json.loads((self.folder / "verdict.json").read_text(encoding="utf-8"))["verdict"], printed["verdict"])

    def test_what_people_read_goes_elsewhere(self) -> None:
        done = self.call("bounce-curve", "--step=0.5", "--json=-")
        self.assertEqual(json.loads(done.stdout)["program"], "bounce-curve")
        self.assertTrue(done.stderr.startswith("theta,lambda,"))
        self.assertTrue(self.call("bounce-curve", "--step=0.5").stdout.startswith("theta,lambda,"))
        done = self.call("lossless-run", *self.RUN, "--json=-", "--dry-run")
        self.assertEqual(done.stdout, "")
        first, *lines = done.stderr.splitlines()
        self.assertEqual(first, "All options are valid; no results were written.")
        self.assertEqual([line.split(":")[0] for line in lines], ["Network", "Headroom", "Flows", "Cost"])
        checked = self.call("lossless-run", *self.RUN, "--dry-run=options")
        self.assertEqual((checked.stdout, checked.stderr), (f"{first}\n", ""))

    def test_why_flows_over_a_cut_link_are_unfinished(self) -> None:
        """Routes that stay lead over a link between switches; with --reroute-after nothing is to be said."""
        words = ["--topology=leaf-spine", "--leaves=2", "--spines=2", "--load=0.9", "--arrivals=300us", "--fail-link=leaf0-spine0@20us"]
        said = self.call("lossless-run", *words, "--stop=1ms").stderr
        self.assertIn("leaf0-spine0 was cut at 20us, and routes lead over it as before; --reroute-after adapts them.", said)
        self.assertNotIn("was cut", self.call("lossless-run", *words, "--reroute-after=10us").stderr)

    def test_a_dry_run_has_the_headroom(self) -> None:
        """Four ports with one lossless class in use, of 10 kB each; under DropTail there is none."""
        words = [*self.RUN, "--hosts=4", "--dry-run"]
        done = self.call("lossless-run", *words, "--ns3::lossless::HeadroomBufferPolicy::HeadroomBytes=10000")
        self.assertIn("Headroom: up to 40.0 kB of a switch, in parts of up to 10.0 kB; ", done.stdout)
        self.assertNotIn("Headroom", self.call("lossless-run", *words, "--scheme=DropTail").stdout)

    def test_a_dry_run_counts_tables_over_time(self) -> None:
        """A hundred thousand rows take more memory than the network; the forecast is based on the first half second."""
        words = ["--load=0.9", "--arrivals=10ms", "--sample=10us", "--sample-throughput=*:*", "--pause-events", "--output=run"]
        cost = re.search(r"and ([\d.]+) MB of memory", self.call("lossless-run", *words, "--dry-run").stdout)
        with subprocess.Popen([programs.find_program("lossless-run"), *words], cwd=self.folder, stderr=subprocess.DEVNULL) as run:
            _, status, used = os.wait4(run.pid, 0)
            run.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(run.returncode, 0)
        ratio = float(cost[1]) * 1e6 / (used.ru_maxrss * 1024)
        self.assertTrue(0.5 < ratio < 2, f"{ratio}")

    def test_a_dry_run_of_several(self) -> None:
        """A dry run tries the first run; the number of runs may depend on results."""
        for program, option, cost in (
            ("ofc-deadlock", "--runs=30", "Cost: by the first of 30 runs, about "),
            ("link-buffer", "--metres=5", "Cost: of the first of several runs, "),
        ):
            self.assertIn(cost, self.call(program, option, "--dry-run").stdout)

    def test_a_dry_run_of_tcp(self) -> None:
        """The hops of TCP's frames are not known beforehand, so that no estimate is based on those of RoCE alone."""
        for words in (["capfc-fat-tree", "--k=4", "--incast-senders=8", "--arrivals=1ms"], ["tcp-beside-roce", "--bytes=20kB"]):
            self.assertIn(" hops of frames are not known for flows other than RoCE's.\n", self.call(*words, "--dry-run").stdout)

    def test_settings_for_several_paths_or_classes(self) -> None:
        """Choices among paths or classes are told where there is one, and packets cannot overtake each other there."""
        for option in ("--routing=Adaptive", "--path-selection=Oblivious"):
            words = (option, "--arrivals=500us", "--dry-run=options")
            one = f"{option.split('=')[0]} changes nothing, since no pair of hosts has several shortest paths.\n"
            for topology, has_several in (("star", False), ("dumbbell", False), ("leaf-spine", True)):
                said = self.call("lossless-run", f"--topology={topology}", *words).stderr
                self.assertEqual((one in said, "overtake each other" in said), (not has_several, has_several), (topology, said))
        quanta = "--ns3::lossless::DwrrScheduler::Quanta=1000,1000,1000,2000,1000,1000,1000,1000"
        for classes, has_several in (("3", False), ("3,4", True)):
            said = self.call("lossless-run", "--arrivals=200us", f"--classes={classes}", quanta).stderr
            self.assertEqual("All flows have one class" in said, not has_several, said)

    def test_names_in_any_case(self) -> None:
        """Programs accept almost all names in any case, as sweeps assume."""
        accepted = ["--topology=LeafSpine", "--sizes=web-search", "--collective=all-reduce", "--load=50%", "--scheme=p_pfc"]
        for words in (
            "--scheme=DSH", "--scheme=PFC --buffer-policy=Static", "--egress-queue=Fair", "--routing=Adaptive",
            "--path-selection=Flowlet", "--congestion-control=Timely", "--reliability=SelectiveRepeat", "--watchdog=alert",
            "--congestion-control=DCQCN --congestion-control-constants=paper", "--topology=star", "--sizes=WebSearch",
        ):
            options, _, name = words.rpartition("=")
            accepted += [f"{options}={text}" for text in (name, name.lower(), name.upper())]
        for words in (*accepted, "--overflow=drop", "--overflow=DROP"):
            done = self.call("lossless-run", *words.split(), "--dry-run=options")
            self.assertEqual(done.returncode == 0, words != "--overflow=DROP", (words, done.stderr))

    def test_captures(self) -> None:
        """A run creates one capture for each port when it begins; a dry run creates none."""
        folder = self.folder / "captures"
        folder.mkdir()
        words = (*self.RUN, "--pcap=s0:[01],h1:0,s0:1", "--pcap-prefix=captures/")
        self.assertEqual(self.call("lossless-run", *words, "--dry-run").returncode, 0)
        self.assertEqual([*folder.iterdir()], [])
        self.assertEqual(self.call("lossless-run", *words).returncode, 0)
        found = {path.name: path.read_bytes() for path in folder.iterdir()}
        self.assertEqual({*found}, {"h1-0.pcap", "s0-0.pcap", "s0-1.pcap"})
        for name, capture in found.items():
            self.assertEqual(capture[:4], b"\x4d\x3c\xb2\xa1", name)  # the format with nanoseconds
            self.assertGreater(len(capture), 1000, name)

    def test_load_that_was_drawn(self) -> None:
        """The program reports the drawn load if it differs from the requested load by more than a quarter."""
        said, flows, load = self.draw(1e-3, "--load=0.6", "--arrivals=1ms", "--RngRun=10")
        self.assertGreater(abs(load / 0.6 - 1), 0.25)
        self.assertTrue(said.startswith(f"--load=0.6: the {flows} flows drawn have {load:.2g}; a longer --arrivals,"), said)
        said, flows, load = self.draw(200e-6, "--load=0", "--incast-load=0.4", "--incast-bytes=1000", "--arrivals=200us")
        self.assertLess(abs(load / 0.4 - 1), 0.25)
        self.assertTrue(said.startswith("lossless: "), said)

    def test_notes_of_a_dry_run(self) -> None:
        """A dry run prints the run's notes on its options, but none on flows that stall during the trial."""
        self.write("packets.cdf", "1 0\n2 0.5\n7 1\n")
        for words, sentence in (
            (
                ("--topology=star", "--sizes=packets.cdf", "--arrivals=1us"),
                "packets.cdf: the mean size is 3 B, less than a packet; are the sizes in kB or packets? They are read as bytes.\n",
            ),
            (("--load=0.1", "--arrivals=1us"), "--load=0.1: no flow was drawn; a longer --arrivals draws some.\n"),
            (
                ("--mtu=9216", "--arrivals=1ms"),
                "--payload is 1000 B by default, which fills packets of 1044 B of the 9216 B of --mtu; write --payload=9172 to fill them.\n",
            ),
        ):
            self.assertIn(sentence, self.call("lossless-run", *words, "--dry-run=options").stderr)
        for words in (("--mtu=9216", "--payload=1000"), ("--mtu=2000",)):
            self.assertNotIn("--payload", self.call("lossless-run", *words, "--dry-run=options").stderr)
        stuck = self.call("lossless-run", "--topology=star", "--storm=h1:3", "--arrivals=100us", "--stop=3s", "--dry-run")
        self.assertNotIn("has had no acknowledgement", stuck.stderr)
        self.assertIn("Cost: ", stuck.stdout)

    def test_spec(self) -> None:
        """A run is repeated from its results with equal tables, and also with another scheme."""
        words = (*self.RUN, "--scheme=DSH", "--ns3::lossless::RoceNic::AckInterval=2", "--json=own.json")
        self.assertEqual(self.call("lossless-run", *words, "--output=first").returncode, 0)
        own = (self.folder / "own.json").read_bytes()
        for spec in ("first/run.json", "first"):
            self.assertEqual(self.call("lossless-run", f"--spec={spec}", "--output=again").returncode, 0)
            for table in (self.folder / "first").glob("*.csv"):
                self.assertEqual(table.read_bytes(), (self.folder / "again" / table.name).read_bytes(), table.name)
        self.assertEqual((self.folder / "own.json").read_bytes(), own)
        self.assertEqual(self.call("lossless-run", "--spec=first", "--scheme=SIH", "--output=other").returncode, 0)
        info = lossless.load(self.folder / "other").info
        self.assertEqual((info["scheme"], info["spec"]["RoceNic"]), ("SIH", {"AckInterval": "2"}))

    def draw(self, arrivals_s: float, *words: str) -> tuple[str, int, float]:
        """Return a run's output, its number of flows, and their load: their bytes on the wire relative to the capacity of the hosts'
        links."""
        said = self.call("lossless-run", *words, "--payload=1000", "--rate=100Gbps", "--output=drawn").stderr
        run = lossless.load(self.folder / "drawn")
        wire = 1082 / 1000  # headers of 44 B, an Ethernet header of 14 B, and 24 B for FCS, preamble and gap
        capacity = (run.topology.kind_a == "host").sum() * 100e9
        return said, len(run.flows), run.flows.bytes.sum() * 8 * wire / (capacity * arrivals_s)

    def test_lossless_classes(self) -> None:
        """The lossless classes are those of flows and storms, unless the user names some; a hint mentions the headroom
        of other classes."""
        self.write("flows.csv", "id,source,destination,priority,bytes,start_ns\n0,h0,h1,1,9000,0\n1,h2,h1,4,9000,0\n")
        self.write("links.txt", "3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n")
        self.write("flows.txt", "1\n0 1 5 9000 0\n")
        attribute = "--ns3::lossless::SwitchNode::LosslessClasses=255"
        lossless_run = ("lossless-run", *self.RUN)
        with_flows = ("lossless-run", "--topology=star", "--flows=flows.csv")
        for value, words in (
            ("8", lossless_run),
            ("48", (*lossless_run, "--classes=4", "--incast-load=0.1", "--incast-classes=5", "--incast-senders=2")),
            ("18", with_flows),
            ("82", (*with_flows, "--storm=h3:6@1us..2us")),
            ("16", (*with_flows, "--lossless-classes=4")),
            ("0", (*with_flows, "--lossless-classes=none")),
            ("255", (*with_flows, attribute)),
            (None, (*with_flows, "--scheme=DropTail")),
            ("1", ("lossless-run", "--topology=star", "--hosts=4", "--collective=allreduce", "--collective-class=0")),
            ("32", ("hpcc-run", "--topology=links.txt", "--flows=flows.txt")),
            ("128", ("hpcc-run", "--topology=links.txt", "--flows=flows.txt", "--lossless-classes=7")),
        ):
            with self.subTest(words):
                done = self.call(*words, "--output=run")
                info = lossless.load(self.folder / "run").info
                changed = {entry["attribute"]: entry["value"] for entry in info["attributes"] if entry["type"].endswith("::SwitchNode")}
                self.assertEqual(changed.get("LosslessClasses"), value, done.stderr)
                hints = [hint for hint in info["hints"] if hint.startswith("Classes without flows")]
                self.assertEqual(bool(hints), words[-1] == attribute, hints)

    def test_a_switch_with_a_single_link_is_named(self) -> None:
        """A host with a mistyped name is a switch."""
        for name, sentence in (("h2", ""), ("host2", "Switch host2 has a single link, so that no path leads through it")):
            self.write("net.csv", f"node_a,node_b,rate,delay\nh0,s0,100Gbps,1us\nh1,s0,100Gbps,1us\n{name},s0,100Gbps,1us\n")
            self.assertEqual(self.call("lossless-run", "--topology=net.csv", "--arrivals=100us", "--output=run").returncode, 0)
            hints = [hint for hint in lossless.load(self.folder / "run").info["hints"] if "single link" in hint]
            self.assertEqual([hint.split(";")[0] for hint in hints], [sentence] if sentence else [])

    def test_files_of_hpcc(self) -> None:
        """pfc.txt and qlen.txt of two senders to one host, named by the settings: they stop in turn, and agree with the results."""
        self.write("links.txt", "4 1 3\n3\n0 3 100Gbps 1us 0\n1 3 100Gbps 1us 0\n2 3 100Gbps 1us 0\n")
        self.write("flows.txt", "2\n0 2 3 100 1000000 2\n1 2 3 100 1000000 2\n")
        files = ("TOPOLOGY_FILE links.txt", "FLOW_FILE flows.txt", "PFC_OUTPUT_FILE pfc.txt", "QLEN_MON_FILE qlen.txt")
        self.write("config.txt", "\n".join([*files, "QLEN_MON_START 2000000000", "QLEN_MON_END 2000050000"]))
        done = self.call("hpcc-run", "--config=config.txt", "--buffer=400kB", "--sample=100ns", "--sample-queues=s3:2:3", "--output=run")
        self.assertEqual((done.returncode, "settings" in done.stderr), (0, False), done.stderr)
        run = lossless.load(self.folder / "run")

        changes = [tuple(map(int, line.split())) for line in (self.folder / "pfc.txt").read_text().splitlines()]
        self.assertEqual(changes, sorted(changes, key=lambda change: change[0]))
        self.assertEqual({change[1:4] for change in changes}, {(0, 0, 1), (1, 0, 1)})  # the first port of each host
        for node in (0, 1):
            states = [change[4] for change in changes if change[1] == node]
            self.assertEqual(states, [1, 0] * (len(states) // 2))
        self.assertEqual(sum(change[4] for change in changes), run.pauses.pauses.sum())

        blocks = (self.folder / "qlen.txt").read_text().split("time: ")[1:]
        lines = [block.splitlines() for block in blocks]
        self.assertEqual(lines[0], ["2000000000", "3 1 1", "3 2 1", "3 3 1"])  # a single sample, in which all queues are empty
        self.assertEqual((len(lines), lines[1][0]), (2, "2000050000"))
        for line in lines[1][1:]:
            self.assertEqual(sum(map(int, line.split()[2:])), 501)
        egress = run.queues[(run.queues.side == "egress") & (run.queues.time_ns <= 2_000_050_000)]
        self.assertEqual(lines[1][3].split()[2:], [str(count) for count in (egress.bytes // 1000).value_counts().sort_index()\
            .reindex(range(int(egress.bytes.max() // 1000) + 1), fill_value=0)])

        late = self.call("hpcc-run", "--topology=links.txt", "--flows=flows.txt", "--qlen-file=q.txt", "--qlen-from=3s", "--qlen-until=4s")
        self.assertIn("q.txt has no sample, since the run has ended before --qlen-from, 3s.", late.stderr)

    def test_output_that_cannot_be_written(self) -> None:
        done = self.call("lossless-run", *self.RUN, "--json=/dev/full")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(
            done.stderr,
            'lossless-run: --json is "/dev/full"; it must be a file that can be written, or - for standard output '
            "(No space left on device).\n",
        )
        with open("/dev/full", "w", encoding="utf-8") as full:
            command = [programs.find_program("lossless-run"), *self.RUN, "--json=-"]
            done = subprocess.run(command, check=False, stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.splitlines()[-1], "lossless-run: standard output could not be written.")
        self.assertNotIn("--json", done.stderr)

    def test_junit(self) -> None:
        words = ("--scheme=DSH", "--scenario=incast", "--duration=1ms", "--ns3::lossless::HeadroomBufferPolicy::HeadroomBytes=2000")
        done = self.call("roce-acceptance", *words, "--junit=checks.xml", "--output=run")
        suite = ElementTree.parse(self.folder / "checks.xml").getroot()
        rows = lossless.load(self.folder / "run").acceptance
        failed = rows[rows.verdict == "FAIL"]
        self.assertGreater(len(failed), 0)
        self.assertEqual(done.returncode, 1)
        self.assertEqual((suite.tag, suite.get("tests"), suite.get("failures")), ("testsuite", str(len(rows)), str(len(failed))))
        self.assertEqual([(case.get("classname"), case.get("name")) for case in suite], [("DSH.incast", name) for name in rows.check])
        failures = [(case.get("name"), case.find("failure").get("message")) for case in suite if len(case)]
        self.assertEqual([name for name, _ in failures], failed.check.tolist())
        first = failed.iloc[0]
        self.assertEqual(failures[0][1], f"measured {first.measured:g}, must be {first.relation} {first.bound:g}")
        done = self.call("roce-acceptance", "--scenario=incast", "--duration=1us", "--junit=-")
        last = ElementTree.fromstring(done.stdout)[-1].find("failure")
        self.assertEqual(last.get("message"), "measured 100, must be <= 5")
        self.assertIn("scenario        check", done.stderr)


class RealSwitchesTest(FolderTest):
    """Compares the page's numbers with those measured by its commands."""

    PAGE = "doc/real-switches.rst"

    def setUp(self) -> None:
        super().setUp()
        (self.folder / "examples").symlink_to(SCRIPTS.parent / "examples")
        self.text = " ".join((SCRIPTS.parent / self.PAGE).read_text(encoding="utf-8").split())

    def run_all(self, word: str) -> list[lossless.Run]:
        """Run the commands of the page that contain a word, and return their results."""
        runs = []
        for command in page_tests.list_commands(self.PAGE):
            if word in command:
                _, program, *words = command.partition("#")[0].split()
                folder = self.folder / f"run{len(runs)}"
                options = [option for option in words if not option.startswith("--output=")]
                subprocess.run([programs.find_program(program), *options, f"--output={folder}"], check=True, cwd=self.folder, capture_output=True)
                runs.append(lossless.load(folder))
        return runs

    def test_headroom(self) -> None:
        used = pandas.concat(pandas.read_csv(run.folder / "headroom-watermark.csv") for run in self.run_all("headroom-watermark")).measured_bytes
        rows = re.findall(r"(?:TH5|TH6|DNX)[^:]*? \(\d+\)(?:, cells as of TH5)? ((?:\d+ )+?)(\d{1,3}(?: \d{3})+) (\d\.\d\d)\b", self.text)
        self.assertEqual((len(used), len(rows)), (9, 10))
        for number in used:
            self.assertIn(f"{number:,}".replace(",", " "), self.text)

    def test_shares_of_a_link(self) -> None:
        [run] = self.run_all("four-classes.csv")
        ends = run.flows.groupby("priority").fct_ns.max()
        self.assertTrue(all(abs(end / 1e3 - 1627) < 0.5 for end in ends[[3, 4]]), ends)
        self.assertEqual({*run.drops.priority}, {"1", "2"})
        wire = (1000 + 58 + 24) / 1000  # headers, FCS, preamble and gap
        rates = [total * 8 * wire / (ends[priority] - 4000) for priority, total in ((3, 30e6), (4, 15e6))]
        self.assertEqual([round(rate, 1) for rate in rates], [160.0, 80.0])

    def test_watchdog(self) -> None:
        storm, short, classes = (run.watchdog for run in self.run_all("--watchdog=drop"))
        self.assertEqual([*storm.restored_ns - storm.detected_ns], [2_000_000_000])
        self.assertEqual(len(short), 0)
        self.assertEqual([*classes.priority], [*range(8)])


class OtherSimulatorsTest(FolderTest):
    """Compares completion times with those of ns3-datacenter, which are kept."""

    # Header bytes and times in whole nanoseconds cause up to 6 % (doc/other-simulators.rst); single flows vary more.
    MEDIANS = (0.97, 1.065)
    CHANCE = frozenset({("parking-lot-2", "DCQCN")})

    def kept(self) -> dict[tuple[str, str], dict[str, str]]:
        return {(row["case"], row["control"]): row for row in system.read_rows(other_simulators.RESULTS)}

    def test_medians(self) -> None:
        outside = {key for key, row in self.kept().items() if not self.MEDIANS[0] <= float(row["median"]) <= self.MEDIANS[1]}
        self.assertEqual(outside, self.CHANCE)

    def test_small_cases(self) -> None:
        """The module's times are unchanged, so each is as close to the other simulator's as the page states."""
        kept = self.kept()
        other_simulators.write(self.folder, other_simulators.SMALL)
        for (case, control), theirs in other_simulators.read_reference().items():
            with self.subTest(case=case, control=control):
                place = self.folder / case / control
                results = other_simulators.simulate(place, other_simulators.CASES[case], other_simulators.CONTROLS[control])
                ours = other_simulators.read_times(place / "ours.txt")
                found = other_simulators.ratios(ours, theirs)
                row = kept[case, control]
                self.assertEqual([len(found), results.info["pauses"]], [int(row["flows"]), int(row["pauses_here"])])
                for name, share in zip(("p5", "median", "p95"), other_simulators.SHARES):
                    self.assertAlmostEqual(other_simulators.quantile(found, share), float(row[name]), delta=0.001, msg=name)

    def test_paths(self) -> None:
        """The other simulator was given the paths of this module's hash. Flows within a rack have no choice; others have one at each switch
        on the way up."""
        case = other_simulators.CASES["permutation-k4"]
        lines = Counter(tuple(map(int, line.split()[1:3])) for line in other_simulators.paths(case))
        for flow in case.flows:
            rack, pod = (flow.source // size == flow.destination // size for size in (2, 4))
            self.assertEqual(lines[flow.source, flow.destination], 0 if rack else 1 if pod else 2)

    def test_paths_are_told_apart(self) -> None:
        """The paths distinguish flows between the same hosts, and a flow's data from acknowledgements of a flow in the opposite
        direction."""
        lines = [line.split() for line in other_simulators.paths(other_simulators.CASES["web-search-0.3"])]
        self.assertEqual(len({tuple(line[:5]) for line in lines}), len(lines))


class PeersTest(FolderTest):
    """Compares processor times with those of other simulators, of which there are fakes."""

    def compare(self, script: str) -> str:
        """Return what is printed of a fat-tree of 16 hosts, with a shell script in place of htsim."""
        program = self.folder / peers.PEERS["htsim"].program
        program.parent.mkdir()
        program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        program.chmod(0o755)
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            peers.compare(self.folder, programs.find_program("hpcc-run").parent, {"4": 2000})
        return printed.getvalue()

    def test_ratio(self) -> None:
        """Its matrix has the flows, and the ratio is above 0."""
        printed = self.compare('for word; do :; done; sed -n "s/size 2000/finished at/p" "$word"')
        self.assertRegex(printed, r"^k=4 none: 16 flows, 3\d\d packet-hops, \d+/CPU s\n  htsim takes \d+\.\d times as long \(.*\)\n$")

    def test_unfinished(self) -> None:
        with self.assertRaisesRegex(Failure, "^htsim: 1 of 16 flows ended, exit status 0: "):
            self.compare("echo finished at 3")

    def test_none(self) -> None:
        with self.assertRaisesRegex(Failure, "has neither .* nor htsim/htsim_roce; doc/performance.rst says how they are built"):
            peers.compare(self.folder, self.folder, {"4": 2000})


if __name__ == "__main__":
    unittest.main()
