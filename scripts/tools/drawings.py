# SPDX-License-Identifier: GPL-2.0-only
"""Draws schemes and charts of the kept comparisons for the pages of doc/, as SVG with light and dark styles."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from html import escape
from pathlib import Path

from figures import studies
from lossless.system import read_rows
from tools.common import ROOT

FOLDER = ROOT / "doc" / "figures"
WIDTH = 760
STYLE = """\
text{font:16px sans-serif;fill:var(--ink)} .m{text-anchor:middle} .e{text-anchor:end} .b{font-weight:bold}
svg{--panel:#fff;--ink:#1f2328;--soft:#d8dee4;--data:#0072b2;--other:#b35c00;--control:#c8401a;--room:#e4e9ee}
@media(prefers-color-scheme:dark){svg{--panel:#16191d;--ink:#e2e6ea;--soft:#3b4350;--data:#56b4e9;--other:#e69f00;
--control:#ff8a5c;--room:#2a313a}}
.panel{fill:var(--panel)} .box{fill:none;stroke:var(--ink);stroke-width:1.5} .room{fill:var(--room);stroke:var(--ink)}
.data{fill:var(--data)} .other{fill:var(--other)} .control{fill:var(--control)} .line{stroke:var(--ink);stroke-width:1.5;fill:none}
.grid{stroke:var(--soft)} .dash{stroke-dasharray:6 5} .to-data{stroke:var(--data)} .to-other{stroke:var(--other)}
.to-control{stroke:var(--control)} .arrow{fill:none;stroke-width:2.5} .t-data{fill:var(--data)} .t-other{fill:var(--other)}
.t-control{fill:var(--control)} .hollow{fill:var(--panel);stroke-width:2}
"""
Point = tuple[float, float]


class Drawing:
    """Shapes in the order in which they are added. `kind` is the subject of a shape: data, other (data), or control."""

    def __init__(self, title: str, height: float) -> None:
        self.title = title
        self.height = height
        self.shapes: list[str] = []

    def add(self, shape: str) -> None:
        self.shapes.append(shape)

    def text(self, x: float, y: float, words: str, style: str = "") -> None:
        self.add(f'<text x="{x:g}" y="{y:g}"{f" class={style!r}" if style else ""}>{escape(words)}</text>'.replace("'", '"'))

    def rectangle(self, x: float, y: float, width: float, height: float, style: str = "box") -> None:
        self.add(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" class="{style}"/>')

    def path(self, points: Iterable[Point], style: str) -> None:
        steps = " ".join(f"{x:g},{y:g}" for x, y in points)
        self.add(f'<polyline points="{steps}" class="{style}"/>')

    def arrow(self, points: Sequence[Point], kind: str, words: str = "", at: Point | None = None) -> None:
        """Draw an arrow along points. Arrows of control frames are dashed."""
        self.path(points, f"arrow to-{kind}{' dash' if kind == 'control' else ''}")
        (x0, y0), (x, y) = points[-2:]
        angle = math.degrees(math.atan2(y - y0, x - x0))
        self.add(f'<path d="M0,0 L-11,-6 L-11,6 Z" class="{kind}" transform="translate({x:g},{y:g}) rotate({angle:.0f})"/>')
        if words and at:
            self.text(*at, words, f"t-{kind}")

    def node(self, x: float, y: float, width: float, height: float, name: str) -> None:
        self.rectangle(x, y, width, height)
        self.text(x + width / 2, y - 8, name, "m b")

    def queue(self, x: float, y: float, frames: Sequence[str], slots: int = 0) -> None:
        """Draw frames from the right, where they leave, to the left. A space is an empty slot."""
        number = max(slots, len(frames))
        self.rectangle(x, y, 18 * number + 4, 26, "room")
        for place, kind in enumerate(frames):
            if kind.strip():
                self.rectangle(x + 18 * (number - place) - 14, y + 4, 14, 18, kind)

    def tank(self, x: float, y: float, height: float, level: float, marks: Sequence[tuple[float, str]], width: float = 60) -> None:
        """Draw a queue whose length is a level, with thresholds."""
        self.rectangle(x, y, width, height, "room")
        self.rectangle(x + 3, y + height * (1 - level), width - 6, height * level - 2, "data")
        for share, words in marks:
            at = y + height * (1 - share)
            self.path([(x - 8, at), (x + width + 8, at)], "line dash")
            self.text(x + width + 14, at + 6, words)

    def svg(self) -> str:
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self.height:g}" width="{WIDTH}" role="img">'
        panel = f'<rect width="{WIDTH}" height="{self.height:g}" rx="8" class="panel"/>'
        return "\n".join((head, f"<title>{escape(self.title)}</title>", f"<style>\n{STYLE}</style>", panel, *self.shapes, "</svg>\n"))


def pfc() -> Drawing:
    drawing = Drawing("PFC: an ingress queue above XOFF stops its neighbour; headroom takes what is still on its way", 270)
    drawing.node(20, 60, 130, 150, "neighbour")
    drawing.queue(40, 105, ["data"] * 5)
    drawing.text(85, 160, "stopped", "m t-control")
    drawing.node(330, 60, 410, 150, "switch")
    drawing.arrow([(150, 118), (350, 118)], "data", "frames on their way", (162, 106))
    drawing.arrow([(350, 180), (154, 180)], "control", "PAUSE of the class", (172, 202))
    drawing.tank(360, 75, 120, 0.68, [(0.62, "XOFF"), (0.42, "XON")])
    drawing.text(494, 92, "headroom")
    drawing.queue(600, 105, ["data"] * 6)
    drawing.arrow([(712, 118), (752, 118)], "data")
    drawing.text(420, 238, "ingress queue: a counter", "m")
    drawing.text(655, 238, "busy egress port", "m")
    drawing.text(20, 258, "above XOFF: PAUSE; below XON: RESUME")
    return drawing


def headroom() -> Drawing:
    """Draw the buffer of DSH's experiments: 32 ports of 100 Gb/s, seven lossless classes, headroom according to Eq. 1.
    """
    total, private, eta = 16 * 2**20, 32 * 7 * 3072, 56840
    rows = (
        ("SIH", 32 * 7 * eta, "headroom for each queue"),
        ("SHP", 32 * 7 * eta / 2, "one pool of half"),
        ("DSH", 32 * eta, "one for each port: insurance"),
    )
    drawing = Drawing("How SIH, SHP and DSH divide a buffer of 16 MiB: private, headroom and shared", 250)
    drawing.text(90, 28, "16 MiB: 32 ports of 100 Gb/s, seven lossless classes", "b")
    for number, (name, reserved, what) in enumerate(rows):
        y, left, scale = 48 + 62 * number, 90.0, 640 / total
        drawing.text(78, y + 26, name, "e b")
        for size, style in ((private, "control"), (reserved, "room"), (total - private - reserved, "data")):
            drawing.rectangle(left, y, size * scale, 30, style)
            left += size * scale
        shared = (total - private - reserved) / 1e6
        drawing.text(92, y + 49, f"{what}: {reserved / 1e6:.1f} MB")
        drawing.text(730, y + 49, f"shared: {shared:.1f} MB", "e t-data")
    drawing.text(90, 240, "Left: 3 KiB private to each queue, 0.7 MB in all.", "t-control")
    return drawing


def dsh() -> Drawing:
    drawing = Drawing("DSH: a queue is stopped a headroom below its threshold, a port as a whole by a second level", 290)
    drawing.text(20, 30, "ingress queues of a port", "b")
    for number, level in enumerate((0.62, 0.3, 0.2)):
        drawing.tank(30 + 78 * number, 50, 150, level, [])
    for share, words in ((0.85, "T"), (0.6, "T - eta: PAUSE of the class")):
        at = 50 + 150 * (1 - share)
        drawing.path([(20, at), (256, at)], "line dash")
        drawing.text(262, at + 6, words, "" if share > 0.8 else "t-control")
    drawing.text(20, 226, "class 1")
    drawing.text(104, 226, "class 2")
    drawing.text(182, 226, "class 3")
    drawing.text(500, 30, "the port: their sum", "b")
    drawing.tank(510, 50, 150, 0.48, [])
    at = 50 + 150 * 0.25
    drawing.path([(502, at), (578, at)], "line dash")
    drawing.text(584, at + 6, "Nq T: PAUSE", "t-control")
    drawing.text(584, at + 26, "of all classes", "t-control")
    drawing.text(20, 258, "Shared memory between T - eta and T takes a stopped queue's frames.")
    drawing.text(20, 280, "One eta of each port, its insurance, is used only once the port is stopped.")
    return drawing


def pabo() -> Drawing:
    drawing = Drawing("PABO: a frame whose egress queue is nearly full goes back to the previous hop", 230)
    for x, name in ((20, "host"), (220, "switch 1"), (430, "switch 2")):
        drawing.node(x, 50, 120 if x < 100 else 150, 120, name)
    drawing.node(660, 50, 80, 120, "receiver")
    drawing.queue(40, 80, ["data"] * 3, 4)
    drawing.queue(240, 80, ["data"] * 2, 6)
    drawing.queue(450, 80, ["other"] * 6)
    drawing.arrow([(140, 93), (220, 93)], "data")
    drawing.arrow([(370, 93), (430, 93)], "data")
    drawing.arrow([(580, 93), (658, 93)], "other")
    drawing.arrow([(430, 140), (372, 140)], "control")
    drawing.queue(240, 127, ["data"], 6)
    drawing.text(20, 198, "A bounced frame waits in a queue of its own, served first, and tries again.")
    drawing.text(20, 220, "The fuller the queue, the likelier a bounce. No neighbour is ever stopped.")
    return drawing


def capfc() -> Drawing:
    drawing = Drawing("CaPFC: a long egress queue stops the neighbour with most frames in it", 250)
    for y, name, kind in ((60, "neighbour A", "data"), (150, "neighbour B", "other")):
        drawing.node(20, y, 130, 46, name)
        drawing.arrow([(150, y + 14), (300, y + 14)], kind)
    drawing.arrow([(300, 92), (154, 92)], "control", "PAUSE", (190, 120))
    drawing.node(300, 52, 330, 150, "switch")
    drawing.queue(320, 61, ["data"], 3)
    drawing.queue(320, 151, ["other"], 3)
    drawing.queue(440, 106, ["data", "data", "other", "data", "data", "data", "other", "data"])
    drawing.arrow([(590, 119), (740, 119)], "data")
    drawing.path([(476, 96), (476, 142)], "line dash")
    drawing.text(446, 160, "XOFF: A has 6, B 2")
    drawing.text(20, 236, "Ingress queues are short still; the egress queue decides, and A fills it.")
    return drawing


def flows_scene(title: str, height: float, control: str, stopped: str) -> Drawing:
    """Draw a neighbour with two flows, one of which is sent to a congested port."""
    drawing = Drawing(title, height)
    drawing.node(20, 50, 170, 130, "neighbour")
    drawing.queue(40, 70, ["data"] * 2, 6)
    drawing.queue(40, 130, ["other"] * 5, 6)
    drawing.text(40, 174, stopped, "t-control")
    drawing.node(370, 50, 240, 130, "switch")
    drawing.arrow([(190, 83), (370, 83)], "data", "flow B goes on", (215, 72))
    drawing.arrow([(370, 143), (194, 143)], "control", control, (215, 166))
    drawing.queue(450, 70, ["data"], 8)
    drawing.queue(450, 130, ["other"] * 8)
    drawing.arrow([(610, 83), (700, 83)], "data")
    drawing.arrow([(610, 143), (700, 143)], "other")
    return drawing


def ofc() -> Drawing:
    drawing = flows_scene("OFC: only flows to the congested egress queue are stopped", 250, "stop flow A", "flow A stopped")
    drawing.text(20, 212, "XOFFc: the flows of the long egress queue stop. XOFF: all flows stop.")
    drawing.text(20, 236, "XON: all resume. A stopped switch relays the list of flows to its neighbours.")
    return drawing


def bfc() -> Drawing:
    drawing = flows_scene("BFC: a queue for each flow at each hop, and a filter of stopped flows", 250, "filter: {A}", "flow A stopped")
    drawing.text(20, 212, "Each flow has a queue at each port. One that is longer than a hop's round trip")
    drawing.text(20, 236, "puts its flow into a Bloom filter, which neighbours get every half round trip.")
    return drawing


def fafc() -> Drawing:
    drawing = Drawing("FAFC: pauses follow from the predicted length of an egress queue, and end by themselves", 280)
    drawing.path([(60, 40), (60, 200), (370, 200)], "line")
    drawing.text(60, 28, "egress queue", "b")
    drawing.path([(60, 80), (370, 80)], "line dash")
    drawing.text(66, 72, "th_p", "t-control")
    drawing.path([(60, 180), (140, 165), (210, 130)], "arrow to-data")
    drawing.path([(210, 130), (330, 65)], "arrow to-data dash")
    drawing.path([(210, 130), (340, 118)], "arrow to-other")
    drawing.text(200, 222, "now", "m")
    drawing.text(330, 222, "in 2 T", "m")
    drawing.text(255, 150, "with pauses", "t-other")
    drawing.text(430, 28, "pauses of the ingress ports", "b")
    for number, (name, share) in enumerate((("port 1", 1.0), ("port 2", 0.45), ("port 3", 0.0))):
        y = 60 + 46 * number
        drawing.text(430, y + 20, name)
        drawing.rectangle(500, y, 200, 28, "room")
        if share:
            drawing.rectangle(500, y, 200 * share, 28, "control")
    drawing.text(500, 222, "0")
    drawing.text(700, 222, "T", "e")
    drawing.text(20, 262, "A linear program chooses them: enough is held back, other traffic delayed least.")
    return drawing


def variants() -> Drawing:
    """Draw the rate at which a neighbour may send, against the length of the ingress queue. XOFF is OFC's 75 kB."""
    stages = (60, 67.5, 71.25, 73.1, 74.1, 74.5)
    drawing = Drawing("PFC, G-PFC and GFC: the rate of a neighbour against the length of the ingress queue", 330)

    def at(kilobytes: float, rate: float) -> Point:
        return 70 + (kilobytes - 50) * 22, 250 - 200 * rate

    def steps(points: Sequence[tuple[float, float]], style: str) -> None:
        corners = [at(50, 1)]
        for kilobytes, rate in points:
            corners += [(at(kilobytes, 0)[0], corners[-1][1]), at(kilobytes, rate)]
        drawing.path(corners, style)

    drawing.path([at(50, 1.05), at(50, 0), at(79, 0)], "line")
    for kilobytes in (50, 60, 70, 75):
        drawing.text(at(kilobytes, 0)[0], 272, f"{kilobytes} kB", "m")
    drawing.text(60, 56, "1", "e")
    drawing.text(60, 256, "0", "e")
    steps([(stage, 0.5**number) for number, stage in enumerate(stages, 1)] + [(75, 0)], "arrow to-data")
    steps([(60, 0)], "arrow to-other dash")
    steps([(75, 0)], "arrow to-control dash")
    drawing.text(306, 142, "GFC: halves, then stops", "t-data")
    drawing.text(282, 200, "G-PFC: low classes", "e t-other")
    drawing.text(632, 120, "PFC: stops", "t-control")
    drawing.text(70, 28, "rate of the neighbour against the ingress queue", "b")
    drawing.text(20, 312, "P-PFC and CaPFC-Both look at egress queues as well: at their growth, or length.")
    return drawing


def cbfc() -> Drawing:
    drawing = Drawing("CBFC: a sender consumes credits, the receiver reports those that are freed", 250)
    drawing.node(20, 50, 210, 120, "sender")
    drawing.text(36, 80, "limit: 10 credits")
    drawing.text(36, 104, "consumed: 25")
    drawing.text(36, 128, "freed: 18")
    drawing.text(36, 156, "may send 3 more", "t-data")
    drawing.node(480, 50, 260, 120, "receiver")
    drawing.queue(500, 80, ["data"] * 5, 10)
    drawing.text(500, 132, "memory of 10 credits")
    drawing.arrow([(230, 93), (498, 93)], "data", "2 on their way", (300, 82))
    drawing.arrow([(480, 140), (234, 140)], "control", "CF_Update: freed 18", (280, 162))
    drawing.text(20, 206, "consumed - freed is never above the limit: nothing can be lost,")
    drawing.text(20, 230, "and nothing has to arrive in time.")
    return drawing


def baselines() -> Drawing:
    drawing = Drawing("Drop-tail: a full egress queue drops the frame that arrives", 200)
    drawing.node(20, 50, 130, 80, "neighbour")
    drawing.queue(40, 77, ["data"] * 4)
    drawing.arrow([(150, 90), (330, 90)], "data", "never stopped", (185, 80))
    drawing.node(330, 50, 300, 80, "switch")
    drawing.queue(440, 77, ["data"] * 8)
    drawing.arrow([(590, 90), (740, 90)], "data")
    drawing.arrow([(410, 90), (410, 165)], "control", "dropped: egress-limit", (424, 168))
    drawing.text(20, 190, "Infinite: no limit, no drop.")
    return drawing


Row = dict[str, str]


def read(name: str) -> list[Row]:
    return read_rows(studies.FOLDER / f"{name}.csv")


def chart(
    title: str, rows: Sequence[tuple[str, Sequence[tuple[str, Row]]]], column: str, ticks: Sequence[float], left: float, note: str
) -> Drawing:
    """Draw a line for each row, with a dot for each mean and the range over seeds, on a logarithmic axis."""
    step = 34 if len(rows[0][1]) > 1 else 26
    drawing = Drawing(title, step * len(rows) + 108)
    low, high = math.log(ticks[0]), math.log(ticks[-1])
    bottom = 44 + step * len(rows)

    def at(value: float) -> float:
        share = (math.log(max(value, ticks[0])) - low) / (high - low)
        return left + share * (WIDTH - 30 - left)

    drawing.text(12, 26, title, "b")
    for tick in ticks:
        drawing.path([(at(tick), 40), (at(tick), bottom)], "grid")
        drawing.text(at(tick), bottom + 20, f"{tick:g}", "m")
    for number, (name, dots) in enumerate(rows):
        y = 44 + step * number + step / 2
        drawing.text(left - 12, y + 5, name, "e")
        for offset, (kind, row) in zip(((0,), (-6, 6))[len(dots) - 1], dots):
            mean, least, largest = (float(row[f"{prefix}{column}"]) for prefix in ("", "least_", "largest_"))
            drawing.path([(at(least), y + offset), (at(largest), y + offset)], f"arrow to-{kind}")
            drawing.add(f'<circle cx="{at(mean):.1f}" cy="{y + offset:g}" r="5" class="{kind}"/>')
    drawing.text(12, bottom + 48, note)
    return drawing


def compared(name: str, title: str, column: str, ticks: Sequence[float]) -> Drawing:
    """Draw all schemes, without congestion control and with DCQCN."""
    rows = read(name)
    schemes = dict.fromkeys(row["scheme"] for row in rows)
    kinds = {"None": "data", "DCQCN": "other"}
    lines = [(scheme, [(kinds[row["control"]], row) for row in rows if row["scheme"] == scheme]) for scheme in schemes]
    note = "Means and ranges of ten seeds. Blue: no congestion control; orange: DCQCN."
    return chart(title, lines, column, ticks, 130, note)


def configurations(workload: str, title: str, column: str, ticks: Sequence[float]) -> Drawing:
    """Draw all configurations: lossless, lossy and trimming."""
    kinds = {"lossy": "other", "trimming": "control"}
    rows = [row for row in read("lossless-or-lossy") if row["workload"] == workload]
    lines = [
        (row["configuration"], [(kinds.get(row["configuration"].partition(",")[0], "data"), row)]) for row in rows
    ]
    note = "Means and ranges of ten seeds. Blue: lossless; orange: lossy; red: trimming."
    return chart(title, lines, column, ticks, 350, note)


def deadlocks() -> Drawing:
    rows = read("compare-ring")
    schemes = [*dict.fromkeys(row["scheme"] for row in rows)]
    drawing = Drawing("Runs of a ring that deadlock", 26 * len(schemes) + 76)
    drawing.text(12, 26, drawing.title + ", of ten without and ten with DCQCN", "b")
    for number, scheme in enumerate(schemes):
        y = 40 + 26 * number
        drawing.text(118, y + 17, scheme, "e")
        runs = [round(float(row["locked_percent"]) / 10) for row in rows if row["scheme"] == scheme]
        for place in range(20):
            control, run = divmod(place, 10)
            locked = run < runs[control]
            kind = ("data", "other")[control]
            x = 142 + 27 * place + 30 * control
            drawing.add(f'<circle cx="{x}" cy="{y + 12}" r="8" class="{kind if locked else f"hollow to-{kind}"}"/>')
    drawing.text(12, drawing.height - 14, "A full circle is a run that deadlocked. Blue: no congestion control; orange: DCQCN.")
    return drawing


def hierarchy() -> Drawing:
    """Draw the results for the largest buffer that is kept."""
    rows = read("gpu-hierarchy")
    buffer = max((row["buffer_mb"] for row in rows), key=int)
    kinds = {"ring": "data", "hierarchy": "other"}
    lines: dict[str, list[tuple[str, Row]]] = {}
    for row in (row for row in rows if row["buffer_mb"] == buffer):
        lines.setdefault(f"{row['network']}, {row['spines']} spines", []).append((kinds[row["algorithm"]], row))
    title = f"All-reduce of {buffer} MB among 256 GPUs: completion [ms]"
    return chart(title, [*lines.items()], "completion_ms", (0.1, 0.2, 0.5, 1, 2, 4), 190, "Blue: one ring; orange: in hierarchy.")


SLOWDOWNS = (5, 10, 100, 1000, 10000)
PICTURES: dict[str, Callable[[], Drawing]] = {
    "scheme-pfc": pfc,
    "scheme-headroom": headroom,
    "scheme-dsh": dsh,
    "scheme-pabo": pabo,
    "scheme-capfc": capfc,
    "scheme-ofc": ofc,
    "scheme-bfc": bfc,
    "scheme-fafc": fafc,
    "scheme-variants": variants,
    "scheme-cbfc": cbfc,
    "scheme-baselines": baselines,
    "which-scheme-deadlocks": deadlocks,
    "which-scheme-web-search": lambda: compared(
        "compare-incast", "Web search beside incasts, 99th percentile of the slowdown", "background_p99", (5, 10, 20, 50, 100, 200, 300)
    ),
    "which-scheme-incasts": lambda: compared(
        "compare-incast", "Incasts, 99th percentile of the slowdown", "incast_p99", (10, 20, 50, 100, 200, 400)
    ),
    "which-scheme-memory": lambda: compared(
        "compare-incast", "Peak buffer use of a switch, web search and incasts [kB]", "peak_kb", (300, 1000, 3000, 10000, 30000, 60000)
    ),
    "which-scheme-all-to-all": lambda: compared(
        "compare-alltoall", "Completion of an all-to-all of 16 ranks [ms]", "completion_ms", (1.3, 1.5, 2, 3, 5, 10)
    ),
    "gpu-hierarchy": hierarchy,
    "lossless-or-lossy-slow-spine": lambda: configurations(
        "slow spine", "A slow spine: web search, 99th percentile of the slowdown", "p99", SLOWDOWNS
    ),
    "lossless-or-lossy-incast": lambda: configurations("incast", "Incast, 99th percentile of the slowdown", "p99", SLOWDOWNS),
    "lossless-or-lossy-web-search": lambda: configurations(
        "web search", "Web search, 99th percentile of the slowdown", "p99", (4, 6, 10, 15, 20, 30)
    ),
    "lossless-or-lossy-half-buffer": lambda: configurations(
        "web search, 0.5 buffer",
        "Incasts beside web search, half the buffer: 99th percentile of the slowdown",
        "incast_p99",
        (10, 100, 1000, 10000),
    ),
    "lossless-or-lossy-cut-link": lambda: configurations(
        "cut link", "A cut link: web search, 99th percentile of the slowdown", "p99", (10, 100, 1000, 12000)
    ),
    "lossless-or-lossy-all-to-all": lambda: configurations(
        "all-to-all", "All-to-all of 128 ranks: completion [ms]", "completion_ms", (0.17, 0.18, 0.2, 0.22, 0.24)
    ),
}


def write_pictures(folder: Path = FOLDER) -> None:
    for name, draw in PICTURES.items():
        (folder / f"{name}.svg").write_text(draw().svg(), encoding="utf-8")
