# SPDX-License-Identifier: GPL-2.0-only
"""Compares the processor time of this module with that of other simulators on the same flows, for scripts/bench --peers.

Each host of a fat-tree sends one flow to another host (other_simulators.permutation()). The other simulators are run as
their authors published them: they choose among equal paths by hashes of their own, so that flows collide on other links.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tools import other_simulators
from tools.common import Failure, run_child

PROGRAM = "hpcc-run"
ROUNDS = 3


@dataclass(frozen=True)
class Peer:
    """Another simulator."""

    program: str  # path in the folder of the peers
    controls: tuple[str, ...]  # the names of other_simulators.CONTROLS that it has
    words: Callable[[other_simulators.Case, Path], list[str]]  # the arguments, given the flows and their folder
    count_ended: Callable[[str, Path], int]  # the number of flows that ended, given the output and the folder


def write_matrix(case: other_simulators.Case, folder: Path) -> list[str]:
    """Write the connection matrix of htsim, and return the arguments."""
    matrix = folder / "matrix.cm"
    lines = [f"Nodes {case.hosts}", f"Connections {len(case.flows)}"]
    lines += [f"{flow.source}->{flow.destination} start 0 size {flow.bytes}" for flow in case.flows]
    matrix.write_text("\n".join(lines) + "\n", encoding="utf-8")
    network = f"-nodes {case.hosts} -tiers 3 -linkspeed 100000 -hop_latency 1 -queue_type lossless_input -strat ecmp_host -paths 128"
    return [*network.split(), "-mtu", str(other_simulators.PAYLOAD_BYTES), "-end", "100000", "-tm", str(matrix)]


PEERS = {
    "ns3-datacenter": Peer(
        "ns3-datacenter/powertcp-evaluation-burst",
        ("none", "DCTCP"),
        lambda _, folder: [f"--conf={folder / 'config.txt'}", f"--algorithm={read_setting(folder, 'CC_MODE')}"],
        lambda _, folder: len((folder / "theirs.txt").read_text(encoding="utf-8").splitlines()),
    ),
    "htsim": Peer("htsim/htsim_roce", ("none",), write_matrix, lambda output, _: output.count("finished at")),
}


def read_setting(folder: Path, name: str) -> str:
    """Return a setting of config.txt."""
    lines = (folder / "config.txt").read_text(encoding="utf-8").splitlines()
    return next(line.split()[1] for line in lines if line.startswith(name + " "))


def compare(peers: Path, built: Path, sizes: Mapping[str, int]) -> None:
    """Print, for each fat-tree, control and other simulator, how many times the module's processor time the other takes.

    :param peers: the folder with the other simulators, see PEERS
    :param built: the folder with the module's programs
    :param sizes: the payload of a flow in bytes, by k
    """
    found = {name: peer for name, peer in PEERS.items() if (peers / peer.program).is_file()}
    if not found:
        wanted = " nor ".join(peer.program for peer in PEERS.values())
        raise Failure(f"{peers} has neither {wanted}; doc/performance.rst says how they are built")
    os.environ["LOSSLESS_PROGRAMS"] = str(built)
    for k, size in sizes.items():
        for control in dict.fromkeys(control for peer in found.values() for control in peer.controls):
            with tempfile.TemporaryDirectory() as folder:
                able = {name: peer for name, peer in found.items() if control in peer.controls}
                compare_case(f"k={k}", other_simulators.permutation(int(k), size), control, peers, able, Path(folder))


def compare_case(
    name: str, case: other_simulators.Case, control: str, folder: Path, peers: Mapping[str, Peer], work: Path
) -> None:
    chosen = other_simulators.CONTROLS[control]
    other_simulators.write_case(work, case, chosen)
    own: list[float] = []
    ratios: dict[str, list[float]] = {peer: [] for peer in peers}
    for _ in range(ROUNDS):
        before = processor_seconds()
        results = other_simulators.simulate(work, case, chosen)
        own.append(processor_seconds() - before)
        stop_at(work, 2e-9 * (results.flows.start_ns + results.flows.fct_ns).max())
        for peer_name, peer in peers.items():
            before = processor_seconds()
            run_peer(peer_name, folder / peer.program, peer, case, work)
            ratios[peer_name].append((processor_seconds() - before) / own[-1])
    hops = results.info["packet_hops"]
    print(f"{name} {control}: {len(case.flows)} flows, {hops} packet-hops, {hops / statistics.median(own):.0f}/CPU s", flush=True)
    for peer_name, values in ratios.items():
        print(f"  {peer_name} takes {statistics.median(values):.1f} times as long ({min(values):.1f} to {max(values):.1f})", flush=True)


def stop_at(folder: Path, seconds: float) -> None:
    """Set the end of the simulation in config.txt. ns3-datacenter prints throughputs until then, although no flow is left."""
    path = folder / "config.txt"
    kept = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("SIMULATOR_STOP_TIME ")]
    other_simulators.write_lines(path, [*kept, f"SIMULATOR_STOP_TIME {seconds:.9f}"])


def run_peer(name: str, program: Path, peer: Peer, case: other_simulators.Case, folder: Path) -> None:
    """Run another simulator. Raises a Failure unless all its flows end."""
    command = [str(program.resolve()), *peer.words(case, folder)]
    done = run_child(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder)
    ended = peer.count_ended(done.stdout, folder) if done.returncode == 0 else 0
    if ended != len(case.flows):
        raise Failure(f"{name}: {ended} of {len(case.flows)} flows ended, exit status {done.returncode}: {' '.join(command)}")


def processor_seconds() -> float:
    """Return the processor time of all children that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
