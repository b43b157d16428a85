# SPDX-License-Identifier: GPL-2.0-only
"""Checks of the scripts: figures, theory, claims, workflow, counting and each message to the user.

Run by scripts/test, or alone: cd test && /usr/bin/python3 -B -m unittest -v scripts_test
"""

from __future__ import annotations

import contextlib
import csv
import errno
import io
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"
sys.path.insert(0, str(SCRIPTS))

import figures
from figures import claims, dsh_fig11
from figures.burst_theory import Switch, branch_boundary, drained_limit, theorem_limit
from tools import common, ns3_tree, packages, standalone_tests, workflow
from tools.common import Failure
from tools.results import read_results

PAUSES_HEADER = "node,port,priority,pauses,resumes,paused_ns,first_pause_ns\n"


def quiet(function, *arguments, **named):
    """Call a function and return what it printed."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        function(*arguments, **named)
    return printed.getvalue()


class FolderTest(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory(prefix="lossless-scripts-")
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path


class BurstTheoryTest(unittest.TestCase):
    """Against numbers computed by hand for the paper's switch: 32 x 100 Gb/s, 16 MiB, 7 classes, 2 us."""

    def test_sizes(self) -> None:
        # eta = 2 (12.5 GB/s 2 us + 1500) + 3840; SIH takes 224 of them out of the buffer, DSH 32.
        self.assertAlmostEqual(Switch().headroom(), 56840)
        self.assertAlmostEqual(Switch().shared("SIH"), 16777216 - 224 * (3072 + 56840))
        self.assertAlmostEqual(Switch().shared("DSH"), 16777216 - 224 * 3072 - 32 * 56840)
        self.assertAlmostEqual(Switch().empty_threshold("SIH"), 3356928 / 16)
        self.assertAlmostEqual(Switch().empty_threshold("DSH"), 14270208 / 16 - 56840)

    def test_theorems_second_branch(self) -> None:
        # d = 835048 / (1.125 (2 15 - 0.125)) = 24846 B for DSH; 209808 instead for SIH; the burst is 256 d.
        self.assertAlmostEqual(theorem_limit(Switch(), "DSH", 2, 16, 16), 100 * 256 * 24845.7 / 2**24, 3)
        self.assertAlmostEqual(theorem_limit(Switch(), "SIH", 2, 16, 16), 9.525, 3)

    def test_theorems_first_branch(self) -> None:
        # R = 2 < 2.125: d = 835048 / (1 + 18/16), and each of 16 queues takes in 2 d.
        self.assertAlmostEqual(theorem_limit(Switch(), "DSH", 2, 16, 2), 100 * 32 * 835048 / 2.125 / 2**24)

    def test_branches_meet(self) -> None:
        boundary = branch_boundary(Switch(), 2, 16)
        self.assertEqual(boundary, 2.125)
        below, above = (theorem_limit(Switch(), "SIH", 2, 16, boundary + step) for step in (-1e-9, 1e-9))
        self.assertAlmostEqual(below, above, 6)

    def test_real_drains(self) -> None:
        # (T0 - eta) / (15/16 + 14/16) of time at the port rate, 16 ports; then 3277 B each into private buffer.
        time = 835048 / 1.125 / (29 / 16)
        expected = 100 * 16 * (time + 3072 * 16 / 15) / 2**24
        self.assertAlmostEqual(drained_limit(Switch(), "DSH", 2, 16, 1 / 2, 1 / 16), expected)
        # Background that drains fast follows T down: T' = -(15/16) / 1.125.
        time = 835048 / 1.125 / (15 / 16 + 15 / 16 / 1.125)
        expected = 100 * 16 * (time + 3072 * 16 / 15) / 2**24
        self.assertAlmostEqual(drained_limit(Switch(), "DSH", 2, 16, 1, 1 / 16), expected)


class DshFig11Test(FolderTest):
    def record(self, scheme: str, share: float, pauses: int, background: str = "true") -> dict:
        return {
            "scheme": scheme,
            "background": background,
            "burst_percent": share,
            "pauses": pauses,
            "paused_ms": pauses / 10,
        }

    def data(self) -> dict:
        found = {"SIH": [(5, 0), (10, 0), (11, 2), (100, 9)], "DSH": [(5, 0), (40, 0), (41, 1), (100, 5)]}
        records = [
            self.record(scheme, share, pauses, background)
            for background in ("true", "false")
            for scheme, points in found.items()
            for share, pauses in points
        ]
        return dsh_fig11.reduce(records)

    def test_sweep(self) -> None:
        for size in figures.SIZES:
            jobs = dsh_fig11.jobs(size)
            self.assertEqual(len({job.name for job in jobs}), len(jobs))
            for scheme, close in (("SIH", range(6, 15)), ("DSH", range(35, 47))):
                shares = {
                    float(job.options["burst-share"]) for job in jobs if job.options["scheme"] == scheme
                }
                self.assertLessEqual({*range(5, 101, 5), *close}, shares)
        self.assertEqual({job.options["burst-start"] for job in jobs}, {"100ms"})

    def test_arguments(self) -> None:
        job = dsh_fig11.jobs("quick")[0]
        self.assertEqual(
            job.arguments(), ["--scheme=SIH", "--burst-share=5", "--background=true", "--burst-start=2ms"]
        )

    def test_read_counts_burst_ports_only(self) -> None:
        rows = [
            "0,0,2,50,50,900,1",
            "0,1,2,50,50,900,1",
            "0,2,1,3,3,1500000,7",
            "0,17,1,1,1,500000,9",
            "0,17,port,2,2,250000,9",
            "0,18,1,1,1,70,9",
        ]
        self.write("pauses.csv", PAUSES_HEADER + "\n".join(rows) + "\n")
        record = dsh_fig11.read(dsh_fig11.jobs("quick")[0], self.folder)
        self.assertEqual((record["pauses"], record["paused_ms"]), (6, 2.25))

    def test_limits(self) -> None:
        limits = {(row["scheme"], row["background"]): row for row in self.data()["limits"]}
        self.assertEqual(limits["DSH", "true"]["largest_without_pause_percent"], 40)
        self.assertEqual(limits["DSH", "true"]["first_with_pause_percent"], 41)
        self.assertAlmostEqual(limits["DSH", "true"]["theorem_percent"], 37.9115, 4)
        self.assertAlmostEqual(limits["SIH", "false"]["theorem_percent"], 10.6714, 4)

    def test_no_pause_and_only_pauses(self) -> None:
        limits = dsh_fig11.reduce([self.record("SIH", 5, 1), self.record("DSH", 5, 0)])["limits"]
        found = {row["scheme"]: row for row in limits}
        self.assertIsNone(found["SIH"]["largest_without_pause_percent"])
        self.assertIsNone(found["DSH"]["first_with_pause_percent"])

    def test_draw(self) -> None:
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt

        picture, ax = plt.subplots()
        self.addCleanup(plt.close, picture)
        dsh_fig11.draw(ax, self.data())
        lines = {line.get_label(): line for line in ax.get_lines()}
        self.assertEqual(len(lines), 8)  # two schemes: a curve, one without background, two predictions
        self.assertEqual(list(lines["DSH"].get_xdata()), [5, 40, 41, 100])
        self.assertEqual(list(lines["SIH"].get_ydata()), [0, 0, 0.2, 0.9])
        self.assertAlmostEqual(lines["theorem, 37.9 %"].get_xdata()[0], 37.9115, 4)

    def test_claims(self) -> None:
        rows = claims.compare("dsh-fig11", dsh_fig11.claims(self.data()), "quick")
        self.assertEqual([row["claim"] for row in rows], [f"dsh-fig11-{number}" for number in range(1, 5)])
        self.assertEqual([row["we measured"] for row in rows], ["40", "4", "10", "2.125"])
        self.assertEqual([row["within"] for row in rows], ["yes", "yes", "yes", "no"])
        self.assertEqual([row["band"] for row in rows], ["38 to 43", ">= 3.9", "9 to 11", "= 1.875"])

    def test_claim_without_result_does_not_hold(self) -> None:
        row = claims.compare("dsh-fig11", {}, "quick")[0]
        self.assertEqual((row["we measured"], row["within"]), ("not found", "no"))

    def test_markdown(self) -> None:
        rows = claims.compare("dsh-fig11", dsh_fig11.claims(self.data()), "quick")
        text = claims.markdown(rows)
        self.assertEqual(len({line.count("|") for line in text.splitlines() if line.startswith("|")}), 1)
        self.assertIn("| 40 | 38 to 43 | yes |", text)


class WorkflowTest(FolderTest):
    """The whole pipeline with a program that costs nothing: it pauses above 10 % (SIH) or 40 % (DSH)."""

    PROGRAM = """#!/bin/sh
        for word; do case $word in --*=*) name=${word%%=*}; eval "$(echo ${name#--} | tr - _)=${word#*=}";; esac; done
        echo "$*" >> "$(dirname "$0")/calls"
        mkdir -p "$output"
        limit=10; [ $scheme = DSH ] && limit=40
        echo 'node,port,priority,pauses,resumes,paused_ns,first_pause_ns' > "$output/pauses.csv"
        if [ ${burst_share%%.*} -ge $limit ]; then echo 0,2,1,1,1,1000,5 >> "$output/pauses.csv"; fi
        if [ -e "$(dirname "$0")/fail" ]; then echo "$(cat "$(dirname "$0")/fail")" >&2; exit 1; fi
        echo '{}' > "$output/run.json"
        """

    def setUp(self) -> None:
        super().setUp()
        self.programs = self.folder / "build" / "bin"
        self.write("build/bin/burst-absorption", self.PROGRAM).chmod(0o755)
        self.write("build/lib/liblossless.so", "first")
        self.results = self.folder / "results"
        self.results.mkdir()

    def run_workflow(self) -> str:
        with common.exclusive(self.results, "a test") as lock:
            return quiet(workflow.run, "dsh-fig11", "quick", self.results, self.programs, 2, lock)

    def calls(self) -> int:
        return len((self.programs / "calls").read_text(encoding="utf-8").splitlines())

    def test_figure_resumes_and_notices_a_new_program(self) -> None:
        total = len(dsh_fig11.jobs("quick"))
        progress = self.run_workflow()
        self.assertEqual(self.calls(), total)
        self.assertIn(f"[{total + 2}/{total + 2}]", progress)
        for name in ("dsh-fig11.png", "dsh-fig11.pdf", "dsh-fig11-points.csv", "dsh-fig11-claims.md"):
            self.assertGreater((self.results / name).stat().st_size, 200, name)
        with open(self.results / "dsh-fig11-claims.csv", encoding="utf-8", newline="") as table:
            measured = [row["we measured"] for row in csv.DictReader(table)]
        self.assertEqual(measured, ["39.9", "4.03", "9.9", "2.125"])
        self.assertEqual(list(self.results.rglob("*.partial")), [])

        # As if interrupted: what is missing is simulated, what is there is not.
        for name in ("dsh-fig11.png", f"runs/{dsh_fig11.jobs('quick')[0].name}/run.json"):
            (self.results / name).unlink()
        self.run_workflow()
        self.assertEqual(self.calls(), total + 1)

        self.write("build/lib/liblossless.so", "second")
        self.run_workflow()
        self.assertEqual(self.calls(), 2 * total + 1)

    def test_failing_simulation(self) -> None:
        (self.programs / "fail").write_text("no route to host 7", encoding="utf-8")
        with self.assertRaisesRegex(
            Failure, r"the simulation \S+ failed: no route to host 7 \(all it said is in"
        ):
            self.run_workflow()
        self.assertFalse((self.results / "dsh-fig11.png").exists())
        self.assertEqual(list((self.results / "runs").glob("*/run.json")), [])

    def test_disk_fills_up(self) -> None:
        (self.programs / "fail").write_text("queues.csv: No space left on device", encoding="utf-8")
        with self.assertRaisesRegex(Failure, "the disk is full: no space left in"):
            self.run_workflow()

    def test_missing_program(self) -> None:
        (self.programs / "burst-absorption").unlink()
        with self.assertRaisesRegex(Failure, "the program .*/burst-absorption is missing"):
            self.run_workflow()

    def test_missing_snakemake(self) -> None:
        with mock.patch.object(workflow, "SNAKEMAKE", "/nowhere/snakemake"), self.assertRaisesRegex(
            Failure, "the program /nowhere/snakemake is missing"
        ):
            self.run_workflow()


class CommandLineTest(FolderTest):
    def call(self, *words: str) -> tuple[int, str]:
        done = subprocess.run(
            [SCRIPTS / words[0], *words[1:]],
            check=False,
            capture_output=True,
            text=True,
            env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
        )
        return done.returncode, done.stdout if done.returncode == 0 else done.stderr

    def test_help_names_every_option(self) -> None:
        for script, options in (
            (
                "test",
                [
                    "--list",
                    "--in-tree",
                    "--sanitize",
                    "--debug",
                    "--fullness",
                    "--no-install",
                    "--build-dir",
                    "--jobs",
                ],
            ),
            ("reproduce", ["--list", "--full", "--no-install", "--jobs", "--output", "--build-dir"]),
            ("bench", ["--callgrind", "--no-install", "--build-dir"]),
        ):
            status, text = self.call(script, "--help")
            self.assertEqual(status, 0)
            for option in options:
                self.assertIn(option, text)

    def test_list(self) -> None:
        status, text = self.call("reproduce", "--list")
        self.assertEqual(status, 0)
        for name in figures.FIGURES:
            self.assertIn(name, text)
            self.assertIn(figures.load(name).TITLE, text)

    def test_unknown_figure(self) -> None:
        self.assertEqual(
            self.call("reproduce", "fig0"),
            (1, "reproduce: there is no figure fig0; scripts/reproduce --list names them\n"),
        )

    def test_unwritable_folder(self) -> None:
        place = self.write("file", "")
        status, text = self.call("reproduce", "dsh-fig11", "--output", str(place))
        self.assertEqual(
            (status, text),
            (1, f"reproduce: the folder {place}/dsh-fig11 cannot be written: not a directory\n"),
        )

    def test_bad_number_of_jobs(self) -> None:
        status, text = self.call("reproduce", "dsh-fig11", "--jobs", "none")
        self.assertEqual(status, 2)
        self.assertIn("none is not a whole number above zero", text)


class CommonTest(FolderTest):
    def test_full_disk(self) -> None:
        with self.assertRaisesRegex(
            Failure, r"the disk is full: the figure needs \d+ MiB in .*, \d+ MiB are free"
        ):
            common.require_space(self.folder, 1 << 40, "the figure")
        full = OSError(errno.ENOSPC, "No space left on device", "runs/a.csv")
        self.assertEqual(
            common.describe_os_error(full), "the disk is full: no space left to write runs/a.csv"
        )

    def test_failing_command(self) -> None:
        with self.assertRaisesRegex(Failure, r"it broke \(exit status 3 of: sh -c 'exit 3'\)"):
            common.run(["sh", "-c", "exit 3"], "it broke")
        with self.assertRaisesRegex(Failure, "the program /nowhere/cmake is missing"):
            common.run(["/nowhere/cmake"], "it broke")

    def test_missing_packages_are_named_and_not_installed(self) -> None:
        wanted = {"libns3-dev-of-tomorrow": "a name that no package has"}
        with self.assertRaisesRegex(
            Failure, "install the missing packages first: .*apt-get install .*of-tomorrow"
        ):
            printed = quiet(packages.ensure, wanted, install=False)
            self.assertIn("libns3-dev-of-tomorrow is missing (a name that no package has)", printed)

    def test_installed_packages_need_nothing(self) -> None:
        self.assertEqual(quiet(packages.ensure, {"dpkg": "is always there"}, install=False), "")


class ResultsTest(unittest.TestCase):
    def suite(self, name: str, result: str, *cases: str) -> str:
        inner = "".join(f"<Test><Name>case</Name><Result>{case}</Result></Test>" for case in cases)
        return f"<Test><Name>{name}</Name><Result>{result}</Result>{inner}</Test>"

    def test_cases_count(self) -> None:
        tally = read_results(self.suite("lossless-a", "FAIL", "PASS", "FAIL", "PASS"))
        self.assertEqual(tally.line(), "2 passed, 1 failed")

    def test_suite_that_fails_by_itself(self) -> None:
        self.assertEqual(read_results(self.suite("lossless-a", "FAIL", "PASS")).line(), "1 passed, 1 failed")

    def test_test_py(self) -> None:
        text = (
            '<?xml version="1.0"?>\n<Results>\n'
            + self.suite("lossless-a", "PASS", "PASS")
            + self.suite("lossless-b", "CRASH")
            + self.suite("ns3-own", "FAIL", "FAIL")
            + "<Example><Name>contrib/lossless/examples/first-pause</Name><Result>PASS</Result></Example></Results>"
        )
        tally = read_results(text)
        self.assertEqual((tally.line(), tally.failures), ("2 passed, 1 failed", ["lossless-b: crash"]))

    def test_how_programs_end(self) -> None:
        self.assertEqual(standalone_tests.outcome(None, ""), "took too long and was stopped")
        self.assertEqual(standalone_tests.outcome(-6, "a\nlast words\n"), "killed by SIGABRT: last words")
        self.assertEqual(
            standalone_tests.outcome(1, "==1==ERROR: LeakSanitizer: x\nthe rest"),
            "exit status 1: ==1==ERROR: LeakSanitizer: x",
        )


class BuildListsTest(unittest.TestCase):
    """A file that no list names is not built, and nothing else would say so."""

    ROOT = SCRIPTS.parent

    def listed(self, build_file: str, name: str) -> list[str]:
        text = (self.ROOT / build_file).read_text(encoding="utf-8")
        return re.search(rf"^set\({name}\n([^)]*)\)", text, re.MULTILINE)[1].split()

    def present(self, *patterns: str) -> list[str]:
        return sorted(
            str(path.relative_to(self.ROOT)) for pattern in patterns for path in self.ROOT.glob(pattern)
        )

    def test_module(self) -> None:
        self.assertEqual(
            self.listed("CMakeLists.txt", "source_files"), self.present("helper/**/*.cc", "model/**/*.cc")
        )
        self.assertEqual(
            self.listed("CMakeLists.txt", "header_files"), self.present("helper/**/*.h", "model/**/*.h")
        )

    def test_suites(self) -> None:
        present = self.present("test/*.cc")
        present.remove("test/lossless-test-runner.cc")
        self.assertEqual(self.listed("CMakeLists.txt", "test_sources"), present)

    def test_examples(self) -> None:
        names = self.listed("examples/CMakeLists.txt", "examples")
        self.assertEqual(names, sorted(names))
        text = (self.ROOT / "examples/CMakeLists.txt").read_text(encoding="utf-8")
        further = " ".join(re.findall(r"^set\(\S+_sources ([^)]*)\)", text, re.MULTILINE)).split()
        listed = sorted({f"examples/{name}" for name in [*(f"{name}.cc" for name in names), *further]})
        self.assertEqual(listed, self.present("examples/*.cc"))

    def test_examples_are_run(self) -> None:
        run = {command.split()[0] for command in standalone_tests.list_examples()}
        self.assertEqual(run, set(self.listed("examples/CMakeLists.txt", "examples")))


class Ns3TreeTest(FolderTest):
    def test_source_repositories_of_both_kinds(self) -> None:
        listings = [
            self.write("old.list", "# deb x\ndeb [signed-by=/k] https://example.org/debian bookworm main\n"),
            self.write("new.sources", "Types: deb\nURIs: https://example.org/debian\nSuites: bookworm\n"),
        ]
        with mock.patch.object(ns3_tree, "apt_listings", return_value=listings):
            options = ns3_tree.source_options(self.folder / "work")
        self.assertIn(f"Dir::Etc::sourceparts={self.folder / 'work' / 'parts'}", options)
        written = [
            path.read_text(encoding="utf-8") for path in sorted((self.folder / "work" / "parts").iterdir())
        ]
        self.assertIn("\ndeb-src [signed-by=/k] https://example.org/debian bookworm main\n", written[0])
        self.assertTrue(written[1].startswith("Types: deb-src\nURIs:"))

    def test_module_is_copied_and_kept_in_step(self) -> None:
        self.write("repo/model/a.h", "a")
        self.write("repo/model/b.h", "b")
        self.write("repo/build-x/c.o", "c")
        tree = self.folder / "tree"
        copy = tree / "contrib" / "lossless" / "model"
        with mock.patch.object(ns3_tree, "ROOT", self.folder / "repo"):
            ns3_tree.install_module(tree)
            os.utime(copy / "b.h", (1, 1))
            (self.folder / "repo" / "model" / "a.h").unlink()
            for name in ("a.h", "b.h"):
                self.write(f"tree/build/include/ns3/{name}", f'#include "{copy / name}"\n')
            ns3_tree.install_module(tree)
        self.assertEqual([path.name for path in ns3_tree.module_files(tree / "contrib")], ["b.h"])
        self.assertEqual((copy / "b.h").stat().st_mtime, 1)  # not written again: nothing to compile
        self.assertEqual([path.name for path in (tree / "build/include/ns3").iterdir()], ["b.h"])

    def test_interrupted_steps_leave_nothing(self) -> None:
        (self.folder / "unpack-left").mkdir()
        with self.assertRaises(Failure), ns3_tree.scratch_folder(self.folder, "unpack-") as work:
            self.assertEqual([path.name for path in self.folder.glob("unpack-*")], [work.name])
            raise Failure("interrupted")
        self.assertEqual(list(self.folder.glob("unpack-*")), [])


if __name__ == "__main__":
    unittest.main()
