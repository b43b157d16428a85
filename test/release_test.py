# SPDX-License-Identifier: GPL-2.0-only
"""Checks of what a release, a package and a container are made of, and of the completion of commands.

Run by scripts/test, or alone: cd test && /usr/bin/python3 -B -m unittest -v release_test
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path
from unittest import mock

from scripts_test import SCRIPTS, FolderTest, ended  # first: it tells Python where the scripts are

from tools import build, debian, ns3_tree, page_tests, release

ROOT = SCRIPTS.parent


class ReleaseTest(FolderTest):
    """Each disagreement between the files of a release is found and reported in one sentence."""

    FILES = (release.SOURCE, "CHANGES.md", "CITATION.cff", "README.md", "bakeconf.xml", "Containerfile", "doc/package.rst")

    def setUp(self) -> None:
        super().setUp()
        for name in self.FILES:
            self.write(name, (ROOT / name).read_text(encoding="utf-8"))
        # It may describe an unreleased version.
        self.write("CHANGES.md", self.read("CHANGES.md").replace(" (unreleased)\n", "\n", 1))
        self.version = release.module_version()

    def replace(self, name: str, old: str, new: str) -> None:
        text = self.read(name)
        self.assertIn(old, text)
        self.write(name, text.replace(old, new, 1))

    def require(self, *sentences: str) -> None:
        self.assertEqual(release.disagreements(self.folder), list(sentences))

    def git(self, *words: str) -> None:
        who = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", *who, *words], cwd=self.folder, check=True, capture_output=True)

    def test_the_files_agree(self) -> None:
        """The files of the repository agree, whatever tags the repository has."""
        self.require()

    def test_disagreements(self) -> None:
        version, package, tested = self.version, release.debian_version(self.version), ns3_tree.VERSION
        ours = f"and MODULE_VERSION is {version}"
        for file, old, new, sentence in (
            (release.SOURCE, f'"{version}"', '"1.0"', f"MODULE_VERSION in {release.SOURCE} is 1.0; it must be as 1.0.0 or 1.0.0-rc1"),
            ("CITATION.cff", f"version: {version}", "version: 0.9.0", f"CITATION.cff has 0.9.0 as the version, {ours}"),
            ("README.md", f"| version | {version}", "| version | 0.9.0", f"README.md has 0.9.0 as the version, {ours}"),
            ("CHANGES.md", f"## {version}", "## 0.9.0", f"CHANGES.md has 0.9.0 as the version, {ours}"),
            ("CHANGES.md", f"## {version}", f"## {version} (unreleased)", f"CHANGES.md calls {version} unreleased"),
            ("doc/package.rst", f"lossless_{package}_", "lossless_0.9.0-1_", f"doc/package.rst names the package 0.9.0-1, and that of MODULE_VERSION is {package}"),
            ("bakeconf.xml", "ns-3.37", "ns-3.40", "README.md has 3.37 as the minimum ns-3, and bakeconf.xml has ns-3.40"),
            ("README.md", f"| tested ns-3 | {tested}", "| tested ns-3 | 3.40", f"README.md has 3.40 as the tested ns-3, and the tests use {tested}"),
            ("Containerfile", "FROM debian:12", "FROM debian:13", "README.md has Debian 12, and Containerfile has 13"),
        ):
            with self.subTest(sentence):
                self.replace(file, old, new)
                self.require(sentence)
                self.replace(file, new, old)

    def test_parts_of_changes(self) -> None:
        self.replace("CHANGES.md", "### Added", "### Fixed")
        (sentence,) = release.disagreements(self.folder)
        self.assertIn(f"CHANGES.md has for {self.version} the parts Fixed, ", sentence)

    def test_missing_file(self) -> None:
        (self.folder / "CITATION.cff").unlink()
        self.require(f"CITATION.cff has nothing as the version, and MODULE_VERSION is {self.version}")

    def test_tags(self) -> None:
        tag = f"v{self.version}"
        self.git("init", "-q")
        self.git("add", ".")
        self.git("commit", "-qm", "one")
        self.require()
        self.git("tag", "v0.9.0")
        self.git("tag", "paper")
        self.require(f"this commit has the tag v0.9.0, and that of MODULE_VERSION is {tag}")
        self.git("tag", "-d", "v0.9.0")
        self.git("tag", tag)
        self.require()
        self.write("bakeconf.xml", self.read("bakeconf.xml") + "\n")
        self.require(f"files have been changed since the tag {tag}")
        self.git("commit", "-qam", "two")
        self.require(f"the tag {tag} is at another commit; MODULE_VERSION must be another version")

    def test_command(self) -> None:
        """The script prints the sentences and reports errors by its exit status."""
        for package in ("lossless", "tools"):
            shutil.copytree(SCRIPTS / package, self.folder / "scripts" / package)
        shutil.copy(SCRIPTS / "release", self.folder / "scripts" / "release")
        command = [self.folder / "scripts" / "release", "--check"]
        done = ended(*command)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, f"==> all agree about {self.version}\n", ""))
        self.replace("CITATION.cff", f"version: {self.version}", "version: 0.9.0")
        done = ended(*command)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout, f"CITATION.cff has 0.9.0 as the version, and MODULE_VERSION is {self.version}.\n")
        done = ended(command[0])
        self.assertEqual(done.returncode, 2)


class DebianTest(FolderTest):
    def test_version(self) -> None:
        """For dpkg, a candidate precedes the release."""
        names = [release.debian_version(version) for version in ("1.0.0-rc1", "1.0.0-rc2", "1.0.0", "1.0.1-rc1")]
        self.assertEqual(names[0], "1.0.0~rc1-1")
        for first, second in zip(names, names[1:]):
            subprocess.run(["dpkg", "--compare-versions", first, "lt", second], check=True)

    def test_manual(self) -> None:
        text = "prog [Program Options] [General Arguments]\n\nDoes\nit.\n\nProgram Options:\n    --a-b:  A \\n.\n.x\n"
        page = debian.format_manual("prog", text)
        self.assertIn("\n.SH NAME\nprog \\- Does it\n", page)
        self.assertIn("\n    \\-\\-a\\-b:  A \\en.\n\\&.x\n.fi\n", page)

    def test_maintainer(self) -> None:
        with mock.patch.dict(os.environ, {"DEBFULLNAME": "A. B.", "DEBEMAIL": "a@b.org"}):
            self.assertEqual(debian.maintainer(), "A. B. <a@b.org>")

    def test_sums(self) -> None:
        """The sums have the format of dpkg --verify: they cover files but not links, by paths without a leading slash."""
        self.write("usr/share/x", "")
        (self.folder / "usr/share/y").symlink_to("x")
        (self.folder / "DEBIAN").mkdir()
        debian.write_sums(self.folder)
        self.assertEqual(self.read("DEBIAN/md5sums"), "d41d8cd98f00b204e9800998ecf8427e  usr/share/x\n")


class FindNs3Test(FolderTest):
    """Tests cmake/find-ns3.cmake with installations that consist of empty files."""

    NAMES = ("core", "network", "internet", "traffic-control", "applications", "stats")

    def setUp(self) -> None:
        super().setUp()
        self.headers = self.write("ns3/include/ns3/core-module.h", "").parent.parent
        lines = (
            "cmake_minimum_required(VERSION 3.20)",
            "project(own NONE)",
            f'include("{ROOT}/cmake/find-ns3.cmake")',
            'message(STATUS "found ${NS3_core} ${NS3_stats}")',
        )
        self.write("own/CMakeLists.txt", "\n".join(lines))

    def find(self, *words: str) -> str:
        """Return, as one line, the output of a project that looks for ns-3."""
        command = ["cmake", "-S", "own", "-B", "build", *words]
        done = subprocess.run(command, cwd=self.folder, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return " ".join(done.stdout.split())

    def test_libraries(self) -> None:
        """Libraries of Debian, of ns-3's own build and of macOS are found; a file with another ending is not a
        library."""
        for folder, pattern in (("lib/some-system", "libns3-{}.so"), ("lib64", "libns3.48-{}-optimized.so"), ("lib", "libns3.48-{}.dylib")):
            with self.subTest(pattern):
                for name in self.NAMES:
                    self.write(f"ns3/{folder}/{pattern.format(name)}", "")
                    self.write(f"ns3/{folder}/{pattern.format(name)}.1", "")
                first, last = (f"{self.folder}/ns3/{folder}/{pattern.format(name)}" for name in ("core", "stats"))
                self.assertIn(f"found {first} {last} ", self.find(f"-DNS3_HEADERS={self.headers}"))
                shutil.rmtree(self.folder / "ns3" / folder)
                shutil.rmtree(self.folder / "build")

    def test_what_is_missing(self) -> None:
        """A missing library is named in the message, and found as soon as it exists."""
        for name in self.NAMES[:-1]:
            self.write(f"ns3/lib/libns3.48-{name}.so", "")
        said = self.find(f"-DNS3_HEADERS={self.headers}")
        self.assertIn("ns-3's stats library was not found: ", said)
        self.assertIn(f"beside {self.headers}, neither lib, lib64 nor a folder of lib has a libns3*-stats.so or .dylib; on", said)
        self.write("ns3/lib/libns3.48-stats.so", "")
        self.assertIn("/libns3.48-stats.so ", self.find())

    def test_no_headers(self) -> None:
        said = self.find("-DCMAKE_FIND_ROOT_PATH=/nowhere", "-DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY")
        self.assertIn("ns-3 was not found: no folder of headers has ns3/core-module.h; -DNS3_HEADERS=FOLDER names another;", said)


class ContainerTest(FolderTest):
    """.ci/container follows the Containerfile, here with a fake of the fresh system."""

    def setUp(self) -> None:
        super().setUp()
        self.script = (ROOT / ".ci/container").read_text(encoding="utf-8")
        self.write_program(".ci/container", self.script)
        # The shared folder has another name in the fresh system.
        link = f'[ "$1" != --share ] || {{ ln -s "$2" {self.folder}/share; shift 2; }}'
        self.write_program(".ci/fresh-root", f'{link}; exec "$@"')

    def call(self, text: str, *words: str | Path) -> subprocess.CompletedProcess:
        self.write("Containerfile", text)
        environment = os.environ | {"PATH": f"{self.folder / 'bin'}:/usr/bin:/bin"}
        command = [self.folder / ".ci/container", *words]
        return subprocess.run(command, check=False, capture_output=True, text=True, env=environment)

    def test_lines(self) -> None:
        place = self.folder / "place"
        text = f'FROM debian:12\nCOPY . {self.folder}\nRUN echo one\nWORKDIR {place}\nRUN pwd && false || echo two\nCMD ["echo", "a b"]\n'
        self.assertEqual(self.call(text).stdout, f"one\n{place}\ntwo\na b\n")
        self.assertEqual(self.call(text, "echo", "c").stdout, f"one\n{place}\ntwo\nc\n")

    def test_a_command_that_fails(self) -> None:
        done = self.call(f"COPY . {self.folder}\nRUN exit 7\nRUN echo two\n", "true")
        self.assertEqual((done.returncode, done.stdout), (7, ""))

    def test_a_package_that_was_made(self) -> None:
        """A package that already exists replaces the line of the Containerfile that makes one."""
        self.write_program("bin/apt-get", "exit 0")
        package = self.write("made/a.deb", "one")
        self.write(".ci/container", self.script.replace("/srv/share/", f"{self.folder}/share/"))
        target = self.folder / "packages"
        text = f"COPY . {self.folder}\nRUN scripts/package --output {target}\nRUN cat {target}/*.deb\n"
        self.assertEqual(self.call(text, "--package", package, "echo", "two").stdout, "onetwo\n")

    def test_the_file(self) -> None:
        """The Containerfile has only lines that .ci/container understands or that concern the image."""
        text = (ROOT / "Containerfile").read_text(encoding="utf-8")
        words = {line.split()[0] for line in text.splitlines() if line and not line.startswith("#")}
        self.assertEqual(words, {"FROM", "COPY", "WORKDIR", "RUN", "CMD"})
        self.assertNotIn("\\\n", text)


class CompletionTest(FolderTest):
    """Tests the completion of commands in a repository with a user's program."""

    HELP = """\
own [Program Options] [General Arguments]

What it is for.

Program Options:
    --scheme:     Flow control: PFC, Mine
                  (of one's own), or Other; empty: none. [PFC]
    --control:    Of flows (None: line rate, and so on; Mine: rate, by something
                  (Author et al.)). [None]
    --constants:  A set (Mine: default, paper; Other: default, simulator). [default]
    --kind:       One of two: raw (a (b) c) or
                  cooked. [raw]
    --strict:     Whether: it is. [false]
    --rate:       Raw: N; 0: 500 (raw), 100 (cooked). [0]
    --topology:   Network: star, line, or a file, as x.csv. [star]

More Options:
    --hosts:      Star: hosts. [8]

General Arguments:
    --PrintGlobals:        Print the list of globals.
    --PrintGroup=[group]:  Print all TypeIds of group.
"""

    def setUp(self) -> None:
        super().setUp()
        self.write("scripts/completion.bash", (SCRIPTS / "completion.bash").read_text(encoding="utf-8"))
        self.write("help", self.HELP)
        self.own = self.write_program("build/own", f'echo >>{self.folder}/calls; cat {self.folder}/help')
        for name in ("scratch/own.cc", "examples/first.cc", "examples/benchmark/part.cc", "examples/benchmark/my-benchmark.cc", "folder/file.csv"):
            self.write(name, "")
        for name, text in (
            ("run", ""),
            ("sweep", 'echo "  --output DIR"; echo "  --list"'),
            ("reproduce", 'echo "figure  minutes"; echo "fig1  3"; echo "fig2  4"'),
            ("test", 'echo suite-a; echo "example: first"'),
        ):
            self.write_program(f"scripts/{name}", text)

    def complete(self, line: str, more: str = "") -> list[str]:
        """Return the completions that bash offers at the end of a line."""
        script = f"""
            {more}
            . scripts/completion.bash
            COMP_LINE=$1 COMP_POINT=${{#1}}
            read -r command _ <<<"$1"
            function=$(complete -p -- "$command" | sed -E 's/.*-F ([^ ]+) .*/\\1/')
            "$function" "$command"
            printf '%s\\n' "${{COMPREPLY[@]}}"
        """
        environment = os.environ | {"PATH": f"{self.own.parent}:{os.environ['PATH']}", "XDG_CACHE_HOME": f"{self.folder}/cache"}
        done = subprocess.run(
            ["bash", "-uc", script, "bash", line], cwd=self.folder, check=True, capture_output=True, text=True, env=environment
        )
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_options(self) -> None:
        everything = "--scheme= --control= --constants= --kind= --strict --rate= --topology= --hosts= --PrintGlobals --PrintGroup="
        for line, values in (
            ("own --", f"{everything} --help --version"), ("own --rate=3 --st", "--strict"),
            ("own --scheme=", "PFC Mine Other"), ("own --scheme=M", "Mine"), ("own --control=", "None Mine"),
            ("own --constants=", "default paper simulator"), ("own --kind=", "raw cooked"),
            ("own --strict=", "true false"), ("own --topology=", "star line"),
        ):
            self.assertEqual(self.complete(line), values.split(), line)
        self.assertEqual(self.complete("own --scheme=M", "COMP_WORDBREAKS=' '"), ["--scheme=Mine"])

    def test_files(self) -> None:
        for line in ("own --rate=folder/", "own --topology=folder/", "own folder/"):
            self.assertIn(self.complete(line), (["folder/file.csv"], []), line)
        self.assertEqual(self.complete("own --rate=folder/"), ["folder/file.csv"])

    def test_a_program_is_asked_once(self) -> None:
        self.complete("own --scheme=M", ". scripts/completion.bash; for n in 1 2 3; do _lossless_options build/own >/dev/null; done")
        self.assertLessEqual(len((self.folder / "calls").read_text(encoding="utf-8").split("\n")) - 1, 2)

    def test_programs_of_the_scripts(self) -> None:
        self.assertEqual(self.complete("scripts/run "), ["first", "my-benchmark", "own"])
        self.assertEqual(self.complete("./scripts/sweep o"), ["own"])
        self.assertEqual(self.complete("scripts/reproduce f"), ["fig1", "fig2"])
        self.assertEqual(self.complete(f"{self.folder}/scripts/test "), ["suite-a"])
        self.assertEqual(self.complete("scripts/run own --sch"), [], "it has not been built")
        with mock.patch.dict(os.environ, {"XDG_CACHE_HOME": str(self.folder / "cache")}), mock.patch.object(build, "ROOT", self.folder):
            place = build.default_folder("release") / "bin" / "own"
        place.parent.mkdir(parents=True)
        place.symlink_to(self.own)
        self.assertEqual(self.complete("scripts/run own --sch"), ["--scheme="])
        self.assertEqual(self.complete("scripts/run --ranks 2 own --scheme=O"), ["Other"])
        self.assertEqual(self.complete("scripts/sweep own --o"), ["--output"])
        self.assertEqual(self.complete("scripts/sweep own --output x -- --scheme=PFC,M"), ["PFC,Mine"])

    def test_installed(self) -> None:
        """bash-completion reads a link with the name of the program; a single line enables the completion for all programs."""
        shutil.move(self.folder / "scripts/completion.bash", self.write("share/lossless/completion.bash", ""))
        links = self.folder / "share/bash-completion/completions"
        links.mkdir(parents=True)
        (links / "own").symlink_to("../../lossless/completion.bash")
        for name in ("bash-completion/completions/own", "lossless/completion.bash"):
            (self.folder / "scripts/completion.bash").unlink(missing_ok=True)
            self.write("scripts/completion.bash", f". {self.folder}/share/{name}\n")
            self.assertEqual(self.complete("own --kind=c"), ["cooked"], name)


class PageCommandsTest(unittest.TestCase):
    """Checks which commands of the pages are found, and that each reason not to run a command applies to one of them."""

    def test_found(self) -> None:
        commands = {page: page_tests.list_commands(page) for page in page_tests.PAGES}
        self.assertGreaterEqual(len(commands["README.md"]), 10)
        self.assertIn("scripts/reproduce dsh-fig11     # a paper's figure, by simulation", commands["README.md"])
        self.assertIn(". scripts/completion.bash", commands["doc/package.rst"])
        self.assertTrue(any("--arrivals=1ms --output=dsh" in command for command in commands["doc/commands.rst"]))

    def test_reasons_are_needed(self) -> None:
        commands = [command for page in page_tests.PAGES for command in page_tests.list_commands(page)]
        for pattern in [*page_tests.NOT_RUN, *page_tests.STATUS]:
            self.assertTrue(any(re.match(pattern, command) for command in commands), pattern)

    def test_first_steps(self) -> None:
        """All tutorials and how-to guides with commands are listed; two of them have separate checks."""
        index = (ROOT / "doc/index.rst").read_text(encoding="utf-8").split(":caption: Tutorials")[1].split(":caption: Explanation")[0]
        listed = {f"doc/{name}.rst" for name in re.findall(r"^   ([a-z-]+)$", index, re.MULTILINE)}
        self.assertGreaterEqual(len(listed), 12)
        with_commands = {page for page in listed if page_tests.list_commands(page)}
        self.assertEqual(with_commands - set(page_tests.PAGES), {"doc/from-idea-to-plot.rst"})

    def test_settings_of_the_hpcc_simulator(self) -> None:
        """The page names each setting that hpcc-run knows, except for most of those of output alone."""
        source = (ROOT / "helper/fabric/hpcc-settings.cc").read_text(encoding="utf-8")
        known, output = (set(re.findall(r'"([A-Z]+(?:_[A-Z0-9]+)+)"', text)) for text in (source, source.split("OUTPUT_ALONE{")[1].split("}")[0]))
        page = (ROOT / "doc/migration.rst").read_text(encoding="utf-8")
        self.assertGreaterEqual(len(known - output), 40)
        self.assertEqual({key for key in known - output if f"``{key}``" not in page}, set())


if __name__ == "__main__":
    unittest.main()
