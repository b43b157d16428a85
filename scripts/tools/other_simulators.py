#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Networks and flows on which this module is compared with other simulators of the HPCC family, flow by flow.

  other_simulators.py write FOLDER           topology.txt, flow.txt, paths.txt and config.txt of each case and control, and
                                             moved.txt, the flows with starts that are up to 100 ns later
  other_simulators.py run FOLDER [CASE ...]  our completion times (ours.txt; of moved.txt and with other random numbers:
                                             again.txt), with hpcc-run of LOSSLESS_PROGRAMS
  other_simulators.py compare FOLDER         doc/results/other-simulators.csv: a row for each case and control with theirs.txt
  other_simulators.py reference FOLDER       test/reference/other-simulators.csv: their times of the small cases, for tests

FOLDER/CASE/CONTROL/theirs.txt is their fct.txt. `theirs.csv` beside it has `pauses,peak_bytes` if they were counted.

paths.txt has `switch source destination sport is_answer port` for each choice among equal paths that EcmpForwarding makes
here, for data and for acknowledgements: the other simulator takes these instead of its own hash, so that a flow crosses the
same links in both. doc/other-simulators.rst
has the results.
"""

from __future__ import annotations

import csv
import random
import sys
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import lossless
from tools import flow_sizes

RESULTS = ROOT / "doc" / "results" / "other-simulators.csv"
# The other simulators' completion times of the small cases, for the tests.
REFERENCE = ROOT / "test" / "reference" / "other-simulators.csv"

SHARES = (0.05, 0.5, 0.95)
COLUMNS = (
    "case", "control", "flows", "p5", "median", "p95", "own_p5", "own_median", "own_p95",
    "pauses_here", "pauses_there", "peak_kb_here", "peak_kb_there",
)

PAYLOAD_BYTES = 1000
BUFFER_BYTES = 4 << 20
CLASS = 3
START_NS = 100_000
SEED = 1
MOST_MOVED_NS = 100
HEADROOM_DELAYS = 3  # the other simulators' headroom is what a link carries in this many delays
# The hash of EcmpForwarding: SplitMix64's finalizer and the factor of Fibonacci hashing.
MIXERS = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
GOLDEN_RATIO = 0x9E3779B97F4A7C15
WORD = (1 << 64) - 1
FIRST_ADDRESS = 10 << 24 | 1
FIRST_PORT = 49152  # of this module's flows
THEIR_FIRST_PORT = 10000  # of the other simulators' flows between two hosts
ROCE_PORT = 4791
UDP = 17


@dataclass(frozen=True)
class Link:
    a: int
    b: int
    gbps: int
    delay_ns: int


@dataclass(frozen=True)
class Flow:
    source: int
    destination: int
    bytes: int
    start_ns: int = START_NS


@dataclass(frozen=True)
class Case:
    """A network and its flows; hosts have the first IDs and switches the others."""

    hosts: int
    links: Sequence[Link]
    flows: Sequence[Flow]

    @property
    def nodes(self) -> int:
        return 1 + max(max(link.a, link.b) for link in self.links)

    def neighbours(self) -> dict[int, list[tuple[int, Link]]]:
        """Return the neighbours of each node, indexed by port."""
        found: dict[int, list[tuple[int, Link]]] = defaultdict(list)
        for link in self.links:
            found[link.a].append((link.b, link))
            found[link.b].append((link.a, link))
        return found

    def most_ports(self) -> int:
        return max(len(ports) for node, ports in self.neighbours().items() if node >= self.hosts)

    def round_trip_ns(self) -> int:
        """Return the round trip of the longest path as the other simulators compute it: all delays, and one packet's
        payload on each link one way."""
        ports = self.neighbours()
        longest = 0
        for host in range(self.hosts):
            found = {host: 0}
            waiting = deque([host])
            while waiting:
                node = waiting.popleft()
                for other, link in ports[node]:
                    if other not in found:
                        found[other] = found[node] + 2 * link.delay_ns + PAYLOAD_BYTES * 8 // link.gbps
                        if other >= self.hosts:
                            waiting.append(other)
            longest = max(longest, *found.values())
        return longest


def star(hosts: int) -> list[Link]:
    return [Link(host, hosts, 100, 1000) for host in range(hosts)]


def lone(size: int) -> Case:
    return Case(2, star(2), [Flow(0, 1, size)])


def rounds(count: int, period_ns: int, pairs: Sequence[tuple[int, int]], size: int) -> list[Flow]:
    """Return rounds of flows that start almost together. Starts are spread over a microsecond, so that the results do not depend on the
    order of simultaneous events and the order differs between rounds."""
    chance = random.Random(SEED)
    starts = [START_NS + number * period_ns for number in range(count)]
    flows = [Flow(*pair, size, start + int(1000 * chance.random())) for start in starts for pair in pairs]
    return sorted(flows, key=lambda flow: flow.start_ns)


def incast(senders: int, size: int, count: int) -> Case:
    pairs = [(sender, 0) for sender in range(1, senders + 1)]
    return Case(senders + 1, star(senders + 1), rounds(count, 2_000_000, pairs, size))


def parking_lot(links: int, size: int, count: int) -> Case:
    """Return a chain of links at a quarter of the hosts' rate, with one flow over all links and one flow over each link."""
    hosts = 2 * links + 2
    ends = [(0, 0), (1, links), *((2 * n + 2 + side, n + side) for n in range(links) for side in (0, 1))]
    found = [Link(hosts + n, hosts + n + 1, 25, 2000) for n in range(links)]
    found += [Link(host, hosts + switch, 100, 1000) for host, switch in ends]
    return Case(hosts, found, rounds(count, 10_000_000, [(2 * n, 2 * n + 1) for n in range(links + 1)], size))


def fat_tree(k: int) -> tuple[int, list[Link]]:
    """Return the number of hosts and the links. Hosts are followed by edge, aggregation and core switches, each pod by pod."""
    half = k // 2
    hosts, edges, aggregations = k * half * half, k * half * half, k * half * half + k * half
    cores = aggregations + k * half
    links = [Link(host, edges + host // half, 100, 1000) for host in range(hosts)]
    for pod in range(k):
        for one in range(half):
            links += [Link(edges + pod * half + one, aggregations + pod * half + other, 100, 1000) for other in range(half)]
    for pod in range(k):
        for one in range(half):
            links += [Link(aggregations + pod * half + one, cores + one * half + other, 100, 1000) for other in range(half)]
    return hosts, links


def permutation(k: int, size: int) -> Case:
    """Return flows in which each host sends to one host and receives from one."""
    hosts, links = fat_tree(k)
    order = list(range(hosts))
    random.Random(SEED).shuffle(order)
    return Case(hosts, links, rounds(1, 0, list(zip(order, order[1:] + order[:1])), size))


def web_search(k: int, load: float, length_ns: int) -> Case:
    """Return Poisson arrivals between random hosts, whose payload is the given load of the hosts' links."""
    hosts, links = fat_tree(k)
    chance = random.Random(SEED)
    sizes = next(table for table in flow_sizes.read_tables() if table.name == "websearch")
    mean_gap_ns = sizes.mean() * 8 / (load * 100 * hosts)
    flows = []
    time = START_NS + chance.expovariate(1 / mean_gap_ns)
    while time < START_NS + length_ns:
        source, destination = chance.sample(range(hosts), 2)
        share = chance.random()
        (low, before), (high, after) = next(
            pair for pair in zip(sizes.points, sizes.points[1:]) if pair[1][1] >= share
        )
        size = low + (share - before) / (after - before) * (high - low)
        flows.append(Flow(source, destination, max(1, int(size)), int(time)))
        time += chance.expovariate(1 / mean_gap_ns)
    return Case(hosts, links, flows)


CASES = {
    "lone-1kB": lone(1000),
    "lone-100kB": lone(100_000),
    "lone-10MB": lone(10_000_000),
    **{f"parking-lot-{links}": parking_lot(links, 10_000_000, 3) for links in (2, 3, 4)},
    "incast-8": incast(8, 500_000, 10),
    "incast-64": incast(64, 100_000, 5),
    "permutation-k4": permutation(4, 2_000_000),
    "web-search-0.3": web_search(4, 0.3, 5_000_000),
}


@dataclass(frozen=True)
class Control:
    """A congestion control, with the other simulators' settings and this module's, in which {rtt} is the round trip of the longest path."""

    mode: int
    name: str
    has_window: bool
    settings: Mapping[str, object] = field(default_factory=dict)
    is_power: bool = False


LIMIT = {"RateCongestionControl::MinRate": "100Mbps"}
MARKS = {
    "ecn_min": 100_000,
    "ecn_max": 400_000,
    "ecn_probability": 0.2,
    "EcnMarker::ReferenceRate": "25Gbps",
    "EcnMarker::MarkOnDequeue": "true",
}
BASE = {"WindowCongestionControl::BaseRtt": "{rtt}ns"}
WINDOW = {"RateWindowCongestionControl::WindowRtt": "{rtt}ns"}
DCQCN = LIMIT | MARKS | {
    "Dcqcn::AlphaTimer": "1us",
    "Dcqcn::RateCutInterval": "4us",
    "Dcqcn::RateTimer": "900us",
    "Dcqcn::FastRecoverySteps": 1,
    "Dcqcn::AdditiveStep": "50Mbps",
    "Dcqcn::HyperStep": "100Mbps",
    "RoceNic::CnpInterval": "0s",
}
TIMELY = LIMIT | {"Timely::AdditiveStep": "50Mbps", "Timely::HyperStep": "100Mbps"}
CONTROLS = {
    "none": Control(0, "None", False),
    "DCQCN": Control(1, "DCQCN", False, DCQCN),
    "DCQCN+win": Control(1, "DCQCN", True, DCQCN | WINDOW),
    "HPCC": Control(3, "HPCC", True, LIMIT | BASE | {
        "Hpcc::AdditiveStep": "50Mbps", "Hpcc::Eta": 0.95, "Hpcc::MaxStage": 5,
    }),
    "TIMELY": Control(7, "TIMELY", False, TIMELY),
    "TIMELY+win": Control(7, "TIMELY", True, TIMELY | WINDOW),
    "DCTCP": Control(8, "DCTCP", True, LIMIT | MARKS | {
        "Dctcp::AdditiveStep": "1Gbps", "Dctcp::Gain": 1 / 256, "Dctcp::BaseRtt": "{rtt}ns",
    }),
    "PowerTCP": Control(3, "PowerTCP", True, LIMIT | BASE | {
        "PowerTcp::AdditiveStep": "150Mbps", "PowerTcp::OldOncePerRound": "true",
    }, is_power=True),
}

# The cases and controls that the tests simulate, because they depend least on chance.
SMALL = {
    "lone-1kB": ("none", "HPCC"),
    "lone-100kB": ("none", "HPCC", "TIMELY", "PowerTCP"),
    "lone-10MB": ("none", "HPCC", "TIMELY", "PowerTCP"),
    "parking-lot-2": ("none", "HPCC", "TIMELY+win"),
    "incast-8": ("none", "DCQCN+win", "HPCC", "TIMELY+win", "DCTCP"),
    "permutation-k4": ("none", "DCQCN+win", "HPCC", "TIMELY+win", "DCTCP"),
}

# The numbers of ns3-datacenter's examples/PowerTCP/config-burst.txt.
CONFIG = """\
ENABLE_QCN 1
USE_DYNAMIC_PFC_THRESHOLD 1
PACKET_PAYLOAD_SIZE 1000
TOPOLOGY_FILE topology.txt
FLOW_FILE flow.txt
FCT_OUTPUT_FILE theirs.txt
PFC_OUTPUT_FILE pfc.txt
SIMULATOR_STOP_TIME 1
CC_MODE {mode}
ALPHA_RESUME_INTERVAL 1
RATE_DECREASE_INTERVAL 4
CLAMP_TARGET_RATE 0
RP_TIMER 900
EWMA_GAIN 0.00390625
FAST_RECOVERY_TIMES 1
RATE_AI 50Mb/s
RATE_HAI 100Mb/s
MIN_RATE 100Mb/s
DCTCP_RATE_AI 1000Mb/s
ERROR_RATE_PER_LINK 0
L2_CHUNK_SIZE 4000
L2_ACK_INTERVAL 1
L2_BACK_TO_ZERO 0
HAS_WIN {window}
GLOBAL_T 1
VAR_WIN {window}
FAST_REACT 1
U_TARGET 0.95
MI_THRESH 5
INT_MULTI 1
MULTI_RATE 0
SAMPLE_FEEDBACK 0
RATE_BOUND 1
ACK_HIGH_PRIO 0
LINK_DOWN 0 0 0
ENABLE_TRACE 0
KMAX_MAP 2 25000000000 400 100000000000 1600
KMIN_MAP 2 25000000000 100 100000000000 400
PMAX_MAP 2 25000000000 0.2 100000000000 0.2
BUFFER_SIZE 4
"""


def our_settings(case: Case, control: Control) -> dict[str, object]:
    """Return the settings that correspond to config.txt: the other simulator's switch has 4 MiB in addition to headroom, and
    acknowledgements are in the class of the data."""
    headroom = max(HEADROOM_DELAYS * link.gbps * link.delay_ns // 8 for link in case.links)
    settings = {
        "congestion_control": control.name,
        "scheme": "SIH",
        "buffer": f"{BUFFER_BYTES + headroom * case.most_ports()}B",
        "payload": PAYLOAD_BYTES,
        "RoceNic::AnswersInDataClass": "true",
        "SihBufferPolicy::Alpha": 0.125,
        "SihBufferPolicy::ResumeOffset": 2496,
        "HeadroomBufferPolicy::HeadroomBytes": headroom,
        "HeadroomBufferPolicy::ReferencePorts": case.most_ports(),
        "HeadroomBufferPolicy::PrivateBytes": 0,
        "HeadroomBufferPolicy::LossyPrivateBytes": 0,
    }
    rtt = case.round_trip_ns()
    return settings | {name: str(value).format(rtt=rtt) for name, value in control.settings.items()}


def mix(bits: int) -> int:
    bits = (bits ^ bits >> 30) * MIXERS[0] & WORD
    bits = (bits ^ bits >> 27) * MIXERS[1] & WORD
    return bits ^ bits >> 31


def choose(switch: int, source: int, destination: int, port: int, choices: int) -> int:
    """Return the index of the path that EcmpForwarding::Find() chooses."""
    addresses = FIRST_ADDRESS + source << 32 | FIRST_ADDRESS + destination
    flow = mix(mix(addresses) + (port << 24 | ROCE_PORT << 8 | UDP) & WORD)
    salt = mix(mix(1) + switch & WORD)
    return (((flow ^ salt) * GOLDEN_RATIO & WORD) >> 32) * choices >> 32


def distances(ports: Mapping[int, Sequence[tuple[int, Link]]], hosts: int, destination: int) -> dict[int, int]:
    found = {destination: 0}
    waiting = deque([destination])
    while waiting:
        node = waiting.popleft()
        for other, _ in ports[node]:
            if other not in found:
                found[other] = found[node] + 1
                if other >= hosts:
                    waiting.append(other)
    return found


def paths(case: Case) -> Iterable[str]:
    """Return the choices for all flows and their acknowledgements."""
    ports = case.neighbours()
    away = [distances(ports, case.hosts, host) for host in range(case.hosts)]
    seen: dict[tuple[int, int], int] = defaultdict(int)
    for number, flow in enumerate(case.flows):
        sport = THEIR_FIRST_PORT + seen[flow.source, flow.destination]
        seen[flow.source, flow.destination] += 1
        for is_answer, (source, destination) in enumerate(((flow.source, flow.destination), (flow.destination, flow.source))):
            node = ports[source][0][0]
            while node != destination:
                nearer = [port for port, (other, _) in enumerate(ports[node]) if away[destination].get(other) == away[destination][node] - 1]
                port = nearer[choose(node, source, destination, FIRST_PORT + number % (1 << 14), len(nearer))]
                if len(nearer) > 1:
                    yield f"{node} {source} {destination} {sport} {is_answer} {port + 1}"
                node = ports[node][port][0]


def list_flows(flows: Iterable[Flow]) -> list[str]:
    lines = [f"{f.source} {f.destination} {CLASS} 100 {f.bytes} {f.start_ns / 1e9:.9f}" for f in flows]
    return [str(len(lines)), *lines]


def write_case(place: Path, case: Case, control: Control) -> None:
    """Write the network, the flows and the settings as files of the other simulators."""
    switches = range(case.hosts, case.nodes)
    topology = [f"{case.nodes} {len(switches)} {len(switches)} {len(case.links)}", " ".join(map(str, switches))]
    topology += [f"{link.a} {link.b} {link.gbps}Gbps {link.delay_ns}ns 0" for link in case.links]
    place.mkdir(parents=True, exist_ok=True)
    write_lines(place / "topology.txt", topology)
    write_lines(place / "flow.txt", list_flows(case.flows))
    write_lines(place / "config.txt", [CONFIG.format(mode=control.mode, window=int(control.has_window))])


def write_lines(path: Path, lines: Iterable[str]) -> None:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write(folder: Path, names: Iterable[str] = CASES) -> None:
    for name in names:
        case = CASES[name]
        chance = random.Random(SEED)
        moved = list_flows(replace(flow, start_ns=flow.start_ns + chance.randint(0, MOST_MOVED_NS)) for flow in case.flows)
        for control_name, control in CONTROLS.items():
            place = folder / name / control_name
            write_case(place, case, control)
            write_lines(place / "moved.txt", moved)
            write_lines(place / "paths.txt", paths(case))


def simulate(
    place: Path, case: Case, control: Control, changed: Mapping[str, object] | None = None, **more: object
) -> lossless.Results:
    """Run hpcc-run on the files of a folder, with some settings changed, and write ours.txt beside them."""
    files = {"topology": place / "topology.txt", "flows": place / "flow.txt", "fct_file": place / "ours.txt"} | more
    settings = our_settings(case, control) | (changed or {})
    attributes = {name: value for name, value in settings.items() if "::" in name}
    options = {name: value for name, value in settings.items() if name not in attributes}
    return lossless.run(program="hpcc-run", stop="1s", attributes=attributes, **options, **files)


def read_times(path: Path) -> dict[tuple[str, str, int], int]:
    """Return completion times in ns by source, destination and the number of earlier flows between them."""
    rows = sorted((line.split() for line in path.read_text(encoding="utf-8").splitlines()), key=lambda row: (int(row[5]), int(row[2])))
    seen: dict[tuple[str, str], int] = defaultdict(int)
    found = {}
    for source, destination, _, _, _, _, time, _ in rows:
        found[source, destination, seen[source, destination]] = int(time)
        seen[source, destination] += 1
    return found


def quantile(values: Sequence[float], share: float) -> float:
    """Return the quantile with linear interpolation, like numpy.quantile()."""
    place = share * (len(values) - 1)
    low = int(place)
    high = min(low + 1, len(values) - 1)
    ordered = sorted(values)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def ratios(ours: Mapping, theirs: Mapping) -> list[float]:
    """Return this module's completion time divided by the other simulator's for each flow that has ended in both."""
    return [ours[flow] / theirs[flow] for flow in theirs if flow in ours]


def compare(folder: Path) -> Iterable[Sequence[object]]:
    yield COLUMNS
    for name in CASES:
        for control in CONTROLS:
            place = folder / name / control
            if not (place / "theirs.txt").is_file():
                continue
            ours, again, theirs = (read_times(place / f"{kind}.txt") for kind in ("ours", "again", "theirs"))
            found, own = ratios(ours, theirs), ratios(again, ours)
            shares = [f"{quantile(values, share):.3f}" for values in (found, own) for share in SHARES]
            (our_pauses, our_peak), (pauses, peak) = (
                map(int, (place / file).read_text(encoding="utf-8").split(",")) for file in ("ours.csv", "theirs.csv")
            )
            yield name, control, len(found), *shares, our_pauses, pauses, our_peak // 1000, peak // 1000


def reference(folder: Path) -> Iterable[Sequence[object]]:
    yield "case", "control", "source", "destination", "nth", "fct_ns"
    for name, controls in SMALL.items():
        for control in controls:
            times = read_times(folder / name / control / "theirs.txt")
            yield from ((name, control, *flow, time) for flow, time in times.items())


def read_reference() -> dict[tuple[str, str], dict[tuple[str, str, int], int]]:
    """Return the other simulators' times by case and control, and by flow as in read_times()."""
    found: dict[tuple[str, str], dict[tuple[str, str, int], int]] = defaultdict(dict)
    with open(REFERENCE, encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            flow = row["source"], row["destination"], int(row["nth"])
            found[row["case"], row["control"]][flow] = int(row["fct_ns"])
    return found


def run(folder: Path, names: Iterable[str], controls: Iterable[str] = CONTROLS) -> None:
    for name in names:
        for control in controls:
            place = folder / name / control
            what = place, CASES[name], CONTROLS[control]
            simulate(*what, flows=place / "moved.txt", fct_file=place / "again.txt", RngRun=2)
            results = simulate(*what, sample="1us")
            whole = results.queues[results.queues.side == "buffer"]
            text = f"{results.info['pauses']},{whole.bytes.max()}\n"
            (place / "ours.csv").write_text(text, encoding="utf-8")


def main(words: Sequence[str]) -> None:
    tables = {"compare": compare, "reference": reference}
    if len(words) < 2 or words[0] not in ("write", "run", *tables):
        raise SystemExit(__doc__)
    folder = Path(words[1])
    if words[0] == "write":
        write(folder)
    elif words[0] == "run":
        run(folder, words[2:] or CASES)
    else:
        csv.writer(sys.stdout, lineterminator="\n").writerows(tables[words[0]](folder))


if __name__ == "__main__":
    main(sys.argv[1:])
