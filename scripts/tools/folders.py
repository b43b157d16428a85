# SPDX-License-Identifier: GPL-2.0-only
"""The folders of model/ and helper/: which folders may include which, the actual includes, and a picture of both."""

from __future__ import annotations

import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Mapping, Set
from graphlib import TopologicalSorter
from pathlib import Path

from tools.common import ROOT, Failure

PICTURE = ROOT / "doc" / "figures" / "folders.svg"

# From the lowest layer to the highest. A folder may include its own files and those of lower layers, but not those of
# other folders in its layer.
LAYERS = (
    ("model/core",),
    ("model/engine",),
    ("model/wire",),
    ("model/link",),
    ("model/switch/buffer",),
    ("model/switch/queueing", "model/switch/forwarding"),
    ("model/switch",),
    ("model/flow-control/pfc",),  # others derive from it
    ("model/flow-control/*",),
    ("model/host",),
    ("model/host/congestion-control", "model/host/path-selection", "model/host/transport"),
    ("model/host/roce", "model/host/tcp"),
    ("model/measure",),
    ("model/measure/*",),
    ("helper/text",),
    ("helper/program",),
    ("helper/topology",),
    ("helper/workload",),
    ("helper/workload/formats",),
    ("helper/fabric",),
    ("helper/results",),
    ("helper/run",),
    ("helper/papers", "helper/trials"),
)

# The former must not include the latter, although these are in a lower layer.
MODEL = tuple(name.removesuffix("/*") for layer in LAYERS for name in layer if name.startswith("model/"))
BARRED = {"model/host": ("model/switch", "model/flow-control"), "helper/text": MODEL[1:]}  # all except model/core

# The files through which a frame passes, from a NIC over a switch to another NIC.
PATH = (
    ("model/host/roce", "roce-nic"),
    ("model/link", "host-port"),
    ("model/link", "lossless-net-device"),
    ("model/link", "lossless-wire"),
    ("model/switch", "switch-port"),
    ("model/switch", "switch-node"),
    ("model/switch", "switch-port"),
    ("model/link", "lossless-net-device"),
    ("model/link", "lossless-wire"),
    ("model/link", "host-port"),
    ("model/host/roce", "roce-nic"),
)

INCLUDE = re.compile(r'^#include "(?:ns3/)?([^"]+)"', re.MULTILINE)
COLUMNS = 3  # of names in a box

Graph = Mapping[str, Set[str]]


def is_within(folder: str, parent: str) -> bool:
    return folder == parent or folder.startswith(f"{parent}/")


def layer_of(folder: str) -> int:
    """Return the number of the layer. A folder without a layer is a failure, so that a new folder must be assigned one.
    """
    for names in (folder, f"{folder.rpartition('/')[0]}/*"):
        for number, layer in enumerate(LAYERS):
            if names in layer:
                return number
    raise Failure(f"{folder} is not in LAYERS of scripts/tools/folders.py, the order in which folders may include others")


def is_allowed(user: str, used: str) -> bool:
    """Return whether files of one folder may include files of another."""
    for folder, barred in BARRED.items():
        if is_within(user, folder) and any(is_within(used, other) for other in barred):
            return False
    return user == used or layer_of(used) < layer_of(user)


def find_sources(root: Path = ROOT) -> list[Path]:
    """Return all sources of the module, relative to its root."""
    found = (path for folder in ("model", "helper") for path in (root / folder).glob("**/*.*"))
    return sorted(path.relative_to(root) for path in found if path.suffix in (".cc", ".h"))


def find_includes(root: Path = ROOT) -> Iterator[tuple[Path, Path]]:
    """Return each file with each of the module's headers that it includes."""
    sources = find_sources(root)
    headers = {path.name: path for path in sources if path.suffix == ".h"}
    for path in sources:
        for name in INCLUDE.findall((root / path).read_text(encoding="utf-8")):
            if name in headers:
                yield path, headers[name]


def find_violations(root: Path = ROOT) -> list[str]:
    """Return the includes that violate the order of the layers."""
    return [
        f"{path} includes {header}"
        for path, header in find_includes(root)
        if not is_allowed(str(path.parent), str(header.parent))
    ]


def box_of(path: Path) -> str:
    """Return the box of a file, which is its folder. Schemes from which no other derives share one box, because they
    are alike.
    """
    folder = str(path.parent)
    scheme = folder.startswith("model/flow-control/") and not any(folder in layer for layer in LAYERS)
    return "model/flow-control/*" if scheme else folder


def find_boxes(root: Path = ROOT) -> dict[str, list[str]]:
    """Return the content of each box: file names without extensions."""
    boxes: dict[str, set[str]] = defaultdict(set)
    for path in find_sources(root):
        box = box_of(path)
        boxes[box].add(path.stem if box == str(path.parent) else "a folder for each scheme")
    return {box: sorted(boxes[box]) for box in sorted(boxes)}


def find_arrows(root: Path = ROOT) -> dict[str, set[str]]:
    """Return the other boxes that each box includes."""
    arrows: dict[str, set[str]] = {box: set() for box in find_boxes(root)}
    for path, header in find_includes(root):
        if box_of(path) != box_of(header):
            arrows[box_of(path)].add(box_of(header))
    return arrows


def reduce_arrows(arrows: Graph) -> dict[str, list[str]]:
    """Return the arrows except those implied by a chain of others. A cycle raises graphlib.CycleError."""
    reached: dict[str, set[str]] = {}
    for box in TopologicalSorter(arrows).static_order():  # included boxes come first
        reached[box] = set(arrows[box]).union(*(reached[used] for used in arrows[box]))
    return {
        box: sorted(used for used in arrows[box] if not any(used in reached[other] for other in arrows[box]))
        for box in sorted(arrows)
    }


def find_stops(box: str) -> dict[str, str]:
    """Return, by file of a box, the steps of the path that pass through the file, such as "5, 7"."""
    steps: dict[str, list[str]] = defaultdict(list)
    for step, (folder, name) in enumerate(PATH, 1):
        if folder == box:
            steps[name].append(str(step))
    return {name: ", ".join(numbers) for name, numbers in steps.items()}


def draw_box(box: str, names: list[str]) -> str:
    """Return a box in Graphviz's language: its name above its content, with the steps of the path."""
    stops = find_stops(box)
    if missing := stops.keys() - set(names):
        raise Failure(f"PATH of scripts/tools/folders.py leads over {min(missing)}, which is not in {box}")
    cells = [
        f'<td align="left" bgcolor="#f6c9a8"><b>{stops[name]}</b> {name}</td>'
        if name in stops
        else f'<td align="left">{name}</td>'
        for name in names
    ]
    height = -(-len(cells) // COLUMNS)  # names are arranged column by column
    rows = ["".join(cells[row::height]) for row in range(height)]
    colour = "#eaf1f8" if box.startswith("model") else "#eef5e6"
    return (
        f'"{box}" [label=<<table border="1" cellborder="0" cellspacing="0" cellpadding="2" bgcolor="{colour}">'
        f'<tr><td colspan="{COLUMNS}"><b><font point-size="13">{box}</font></b></td></tr>'
        + "".join(f"<tr>{row}</tr>" for row in rows)
        + "</table>>];"
    )


def draw_path() -> list[str]:
    """Return the steps of the path that lead from one box to another."""
    return [
        f'"{here}" -> "{there}" [color="#c8501e", fontcolor="#c8501e", penwidth=2.5, constraint=false, '
        f'label="{step} to {step + 1}"];'
        for step, ((here, _), (there, _)) in enumerate(zip(PATH, PATH[1:]), 1)
        if here != there
    ]


def describe_picture(root: Path = ROOT) -> str:
    """Return the picture in Graphviz's language: boxes, includes that are not implied by others, and the path of a
    frame.
    """
    lines = [
        "digraph folders {",
        'graph [ranksep=0.35, nodesep=0.25, fontname="Helvetica"];',
        'node [shape=plain, fontname="Helvetica", fontsize=10];',
        'edge [color="#607080", fontname="Helvetica", fontsize=11, arrowsize=0.7];',
        *(draw_box(box, names) for box, names in find_boxes(root).items()),
        *(
            f'"{box}" -> "{used}";'
            for box, all_used in reduce_arrows(find_arrows(root)).items()
            for used in all_used
        ),
        *draw_path(),
        "}",
    ]
    return "\n".join(lines) + "\n"


def read_description(picture: Path = PICTURE) -> str:
    """Return the description from which a stored picture was drawn, which the picture contains as a comment."""
    found = re.search(r"<!--\n(digraph folders .*)-->", picture.read_text(encoding="utf-8"), re.DOTALL)
    return found[1] if found else ""


def write_picture(picture: Path = PICTURE, root: Path = ROOT) -> None:
    """Draw the picture unless it shows the current folders already, because versions of Graphviz draw differently."""
    description = describe_picture(root)
    if picture.is_file() and read_description(picture) == description:
        return
    drawn = subprocess.run(["dot", "-Tsvg"], input=description, check=False, capture_output=True, text=True)
    if drawn.returncode != 0:
        raise Failure(f"dot failed: {drawn.stderr.strip()}")
    head, end, _ = drawn.stdout.rpartition("</svg>")
    picture.write_text(f"{head}<!--\n{description}-->\n{end}\n", encoding="utf-8")
