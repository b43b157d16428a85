# SPDX-License-Identifier: GPL-2.0-only
"""Checks the form of the C++ sources with clang-format, a list of outdated parts of ns-3 and a few checks of
clang-tidy, the wording of the documentation, of the scripts' help and of the C++ comments, and that no file has marks
of a conflict.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools.common import ROOT, Failure

# The name contains the version, because each version formats slightly differently.
FORMAT = ["clang-format-14", f"--style=file:{ROOT / '.clang-format'}"]
TIDY = ["clang-tidy-14", "--quiet"]
SUFFIXES = (".h", ".cc")
NOT_OURS = re.compile(r"\..*|results|build.*")
# What ns-3 releases after the minimum version have removed, deprecated (with a warning) or given another signature,
# according to their CHANGES.md and headers up to 3.48: a pattern, and a sentence with the release and an alternative
# that works in all of them.
OUTDATED = [
    (re.compile(pattern), sentence)
    for pattern, sentence in (
        (r"(\.|->)IsRunning\(", "EventId::IsRunning() is gone since ns-3.46; write IsExpired()"),
        (r"\bTestCase::(QUICK|EXTENSIVE|TAKES_FOREVER)\b", "TestCase's durations are gone since ns-3.46; use lossless-test.h"),
        (r"\bTestCase::TestDuration\b", "TestCase::TestDuration is gone since ns-3.46; use lossless-test.h"),
        (r"\bTestSuite::(ALL|UNIT|SYSTEM|EXAMPLE|PERFORMANCE)\b", "TestSuite's types are gone since ns-3.46; use lossless-test.h"),
        (r"\bNS_UNUSED_GLOBAL\b", "NS_UNUSED_GLOBAL is gone since ns-3.41; write [[maybe_unused]]"),
        (r"WeakEsModel", "Ipv4's WeakEsModel is gone since ns-3.46; leave it as it is"),
        (r"\bSetBroadcast\(", "Ipv4InterfaceAddress::SetBroadcast() is gone since ns-3.47; the mask gives the address"),
        (r"\bMakeEnumAccessor\b", "MakeEnumAccessor() needs a template argument since ns-3.41; use MakeStringAccessor()"),
        (r"\bRouteInput\(", "Ipv4RoutingProtocol::RouteInput() has another signature since ns-3.39; override something else"),
        (r"\bProcessAck\(", "TcpSocketBase::ProcessAck() has another signature since ns-3.43; override something else"),
        (r"\bSequenceNumber<", "SequenceNumber has other template parameters since ns-3.48; write SequenceNumber32"),
        (r"\bTypeTraits<", "TypeTraits is deprecated since ns-3.43; use <type_traits>"),
        (r"\bTypeId::(SUPPORTED|DEPRECATED|OBSOLETE)\b", "TypeId's levels of support are deprecated since ns-3.44; do without"),
        (r"\bisNaN\(|\bns3::NaN\b", "NaN and isNaN() are deprecated since ns-3.44; write std::nan() and std::isnan()"),
        (r"\bIpv[46]AddressHash\b", "Ipv4AddressHash is deprecated since ns-3.47; use a std::map"),
        (r"\b(WriteHtolsb|ReadLsbtoh)U(16|32|64)\(", "Buffer::Iterator's Htolsb functions are deprecated since ns-3.48; write WriteU16()"),
    )
]

# Words and phrases that are not idiomatic: a pattern, in which a space matches any white space, and an alternative.
PHRASES = [
    (re.compile(pattern.replace(" ", r"\s+"), re.IGNORECASE), instead)
    for pattern, instead in (
        (r"\b(no|some|any|every)body\b", "nothing, no caller, a trace: people are not meant"),
        (r"\b(for|of|by|to|is|with|from|than) who\b", "for those who, the part that"),
        (r"(?<!\bthere\s)\b(is|are|was|were) no(?! (more|less|better|worse|(long|larg|small|short|fast|slow|high|low|oth)er)\b) ", "is not a"),
        (r"\bmend(s|ed|ing)?\b", "fix"),
        (r"\b(is|are) void\b", "has no effect"),
        (r"\b(is|are|was|were|be|been|has|have|had|as) (not )?told\b", "is stated, is sent, is notified"),
        (
            r"\b(paper|page|program|file|row|column|field|frame|script|option|table|line|message)s? tells?\b"
            r"|\btells?\b(?! ([\w']+ ){0,4}(how|what|which|when|where|whether|that|if|apart|to|of)\b)",
            "states, shows, has, notifies",
        ),
        (r"\btells? of\b", "shows, mentions"),
        (r"\b(page|program|option|row|column|table|line)s? (that )?says?\b|\bsays? (so|nothing|more)\b", "shows, prints, states"),
        (r"\bst(ands?|ood)\b(?!-| (for|in for|out|still|up)\b)", "is"),
        (r"\blives? on\b", "is in, is kept in"),
        (r"\bhangs? on\b", "depends on"),
        (r"\bfor want of\b", "for lack of"),
        (r"\bover night\b", "overnight"),
        (r"\bbut for\b", "except for"),
        (r"\bin the manner of\b", "modelled on"),
        (r"\bone's own\b", "your own"),
        (r"\b(for sale|that are sold)\b", "commercial"),
        (r"\b(with|by) (a|one) sentence\b", "with a message"),
        (r"\bgo(es)? on \w+ing\b", "continue"),
        (r"\bthe (least|greatest) of\b", "minimum, maximum"),
        (r"\banew\b", "again"),
        (r"\bwhat came of\b", "the result of"),
        (r"\bthe way of an?\b", "the path of a"),
        (r"\bany more(?! than)\b", "no longer"),
        (r"\b(whether|where) so(?! (many|much|few|far|long)\b)\b", "the condition itself"),
        (r"\bsuch an? one\b", "such a, and the noun"),
        (r"(?<!\bthere\s)\b(is|are|was|were) none\b", "is not one"),
        (r"\bgets? to know\b", "learns"),
    )
]
CONFLICT = re.compile(r"(<{7}|>{7}|\|{7})( |$)")  # what git writes around two versions of a passage
LITERAL = re.compile(r"(`+)[^`]+\1|[@\\][pc] \S+|@code.*?@endcode", re.DOTALL)  # commands and names
# The second part is a string, which may contain //.
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'", re.DOTALL)
HELP = ("description", "epilog", "help", "usage")


def sources(root: Path = ROOT) -> list[Path]:
    """Return all C++ files of the repository."""
    folders = [entry for entry in root.iterdir() if entry.is_dir() and not NOT_OURS.fullmatch(entry.name)]
    return sorted(path for folder in folders for path in folder.rglob("*.*") if path.suffix in SUFFIXES)


def texts(root: Path = ROOT) -> list[Path]:
    """Return the documentation except for generated pages, the commands (for their help), and the help that they share.
    """
    pages = [*root.glob("*.md"), *(root / "doc").rglob("*.rst")]
    commands = [path for path in (root / "scripts").glob("*") if path.is_file()]
    commands += (root / "scripts" / "tools").glob("arguments.py")
    unchecked = ("CHANGES.md", "attributes.rst", "claims.rst", "columns.rst", "completion.bash")
    return sorted(path for path in [*pages, *commands] if path.name not in unchecked)


def others(known: Sequence[Path], root: Path = ROOT) -> list[Path]:
    """Return all files of the repository beside the known ones."""
    entries = [entry for entry in root.iterdir() if not NOT_OURS.fullmatch(entry.name)]
    found = {path for entry in entries for path in [entry, *entry.rglob("*")] if path.is_file() and "__pycache__" not in path.parts}
    return sorted(found.difference(known))


def name(path: Path) -> str:
    return str(path.relative_to(ROOT) if path.is_relative_to(ROOT) else path)


def unformatted(files: Sequence[Path], jobs: int = 1) -> list[Path]:
    """Return the files that clang-format would change."""

    def is_formatted(path: Path) -> bool:
        return call([*FORMAT, path]).stdout == path.read_text(encoding="utf-8")

    with ThreadPoolExecutor(jobs) as pool:
        return [path for path, good in zip(files, pool.map(is_formatted, files)) if not good]


def format_files(files: Sequence[Path]) -> None:
    if files:
        call([*FORMAT, "-i", *files])


def outdated(path: Path) -> list[str]:
    """Return the parts of a file that do not compile, or cause warnings, with any ns-3 from the minimum to the latest
    version.
    """
    return [
        f"line {number}: {sentence}"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for pattern, sentence in OUTDATED
        if pattern.search(line)
    ]


def conflicts(path: Path) -> list[str]:
    """Return the lines of a text file with which git marks a conflict; other files have none.

    Seven equals signs also underline titles, so they count only below a line that begins with one: the end of a table.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        return []
    return [
        f'line {number}: "{line}" is left of a conflict'
        for number, (before, line) in enumerate(zip(["", *lines], lines), 1)
        if CONFLICT.match(line) or (line == "=" * 7 and before.startswith("="))
    ]


def wording(path: Path) -> list[str]:
    """Return the unidiomatic phrases of a page, of a command's help, or of the comments of a C++ file."""
    text = path.read_text(encoding="utf-8")
    found = []
    try:
        if path.suffix in SUFFIXES:
            passages = [(1, comments_of(text))]
        else:
            passages = [(1, text)] if path.suffix in (".md", ".rst") else help_of(text)
    except SyntaxError:
        raise Failure(f"{name(path)} is neither a C++ source, a page nor a Python script") from None
    for first, passage in passages:
        plain = LITERAL.sub(lambda literal: re.sub(r"\S", "x", literal[0]), passage)
        for pattern, instead in PHRASES:
            for match in pattern.finditer(plain):
                number = first + plain.count("\n", 0, match.start())
                found.append((number, f'line {number}: "{" ".join(match[0].split())}"; write: {instead}'))
    return [complaint for _, complaint in sorted(found)]


def comments_of(text: str) -> str:
    """Return the comments of a C++ file at their lines, without the marks at the beginning of lines; code becomes a
    dot.
    """
    comments = ["."] * (text.count("\n") + 1)
    for match in COMMENT.finditer(text):
        if match[0].startswith("/"):
            number = text.count("\n", 0, match.start())
            for line, words in enumerate(match[0].split("\n"), number):
                comments[line] = words.strip().strip("/*!<").strip()
            if text[text.rfind("\n", 0, match.start()) + 1 : match.start()].strip():
                comments[number] = ". " + comments[number]
    return "\n".join(comments)


def help_of(text: str) -> list[tuple[int, str]]:
    """Return the strings that --help of a Python script shows, with the lines at which they begin."""
    module = ast.parse(text)
    found = [module.body[0].value] if ast.get_docstring(module) else []
    for node in ast.walk(module):
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__doc__":
            found.append(node.value)
        elif isinstance(node, ast.keyword) and node.arg in HELP:
            found += [part for part in ast.walk(node.value) if isinstance(part, ast.Constant)]
    return [(part.lineno, part.value) for part in found if isinstance(part.value, str)]


def tidy(folder: Path, files: Sequence[Path], jobs: int) -> Iterator[tuple[Path, str]]:
    """Return each of the files that the build compiles, with the messages of clang-tidy."""
    commands = json.loads((folder / "compile_commands.json").read_text(encoding="utf-8"))
    compiled = {Path(command["directory"], command["file"]).resolve() for command in commands}
    units = [path for path in files if path in compiled]

    def complaints(path: Path) -> str:
        done = call([*TIDY, "-p", folder, path], may_fail=True)
        return "" if done.returncode == 0 and not done.stdout else f"\n{done.stdout or done.stderr}"

    with ThreadPoolExecutor(jobs) as pool:
        yield from zip(units, pool.map(complaints, units))


def call(command: Sequence[str | Path], may_fail: bool = False) -> subprocess.CompletedProcess:
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True)
    except FileNotFoundError:
        raise Failure(f"the program {command[0]} is missing") from None
    if done.returncode != 0 and not may_fail:
        raise Failure(f"{command[0]} failed: {(done.stderr.strip().splitlines() or ['it said nothing'])[0]}")
    return done
