#! /usr/bin/env python3

# Bad inputs that scripts/test gives to the programs and scripts. Each must be answered by one sentence on standard
# error and exit status 1, or 2 where a script was called in a wrong way, and leave no file behind. An entry of the
# list is
#     (command line, part of the sentence)
# It runs in a folder with the files below; a command line that begins with scripts/ calls one of the scripts.

import re
from pathlib import Path

TOPOLOGY = b"3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n"
FLOWS = b"1\n0 1 3 100 20000 0.000001\n"

# A name that ends with a slash is that of a folder.
files = {
    "folder/": b"",
    "foreign/notes.txt": b"Not a build, not a result.\n",
    "foreign-build/CMakeCache.txt": b"CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere\n",
    "topology.txt": TOPOLOGY,
    "flows.txt": FLOWS,
    "empty.txt": b"",
    "utf16.txt": TOPOLOGY.decode().encode("utf-16"),
    "zero.txt": TOPOLOGY.replace(b"100Gbps", b"100\0Gbps"),
    "program.txt": b"\x7fELF\x02\x01\x01\0\0\0",
    "csv.txt": b"node_a,node_b,rate,delay\nh0,s0,100Gbps,1us\n",
    "no-unit.txt": TOPOLOGY.replace(b"100Gbps", b"100"),
    "no-delay.txt": TOPOLOGY.replace(b"1us", b"1"),
    "negative-delay.txt": TOPOLOGY.replace(b"1us", b"-1us"),
    "short.txt": TOPOLOGY[:-25],
    "long.txt": TOPOLOGY + b"0 1 100Gbps 1us 0\n",
    "loop.txt": TOPOLOGY.replace(b"1 2 100", b"2 2 100"),
    "too-many.txt": TOPOLOGY.replace(b"3 1 2", b"70000 1 2"),
    "strange-node.txt": TOPOLOGY.replace(b"1 2 100", b"1 7 100"),
    "lossy-link.txt": TOPOLOGY.replace(b"1us 0\n1", b"1us 2\n1"),
    "switch-flow.txt": FLOWS.replace(b"0 1 3", b"0 2 3"),
    "own-flow.txt": FLOWS.replace(b"0 1 3", b"0 0 3"),
    "class-flow.txt": FLOWS.replace(b"0 1 3", b"0 1 8"),
    "empty-flow.txt": FLOWS.replace(b"20000", b"0"),
    "early-flow.txt": FLOWS.replace(b"0.000001", b"-1"),
    "cut-flow.txt": FLOWS.replace(b" 0.000001", b""),
    "few-flows.txt": FLOWS.replace(b"1\n", b"2\n", 1),
    "wrong-name.ini": b"# A study.\nload = 0.3\nlod = 0.4\n",
    "wrong-value.ini": b"load = 0,3\n",
    "no-setting.ini": b"load 0.3\n",
    "twice.ini": b"load = 0.3\nload = 0.4\n",
    "latin.csv": "id,source,destination,priority,bytes,start_ns,group\n0,h0,h1,3,1,0,é\n".encode("latin-1"),
    "huge-flow.csv": b"id,source,destination,priority,bytes,start_ns,group\n0,h0,h1,3,18446744073709551615,0,a\n",
    "mode.txt": b"CC_MODE 10\n",
    "stop.txt": b"SIMULATOR_STOP_TIME soon\n",
    "many-flows.txt": FLOWS.replace(b"1\n", b"1e6\n", 1),
}

HPCC = "hpcc-run --topology-file=topology.txt --flow-file=flows.txt"


def topology(name):
    return f"hpcc-run --flow-file=flows.txt --topology-file={name}"


def flows(name):
    return f"hpcc-run --topology-file=topology.txt --flow-file={name}"


OURS = "--ns3::lossless::"

bad_inputs = [
    # Options: names.
    ("first-pause --nonsense", "there is no option --nonsense; --help lists the options."),
    ("first-pause --bufer=1000000", "there is no option --bufer; write --buffer."),
    ("first-pause --byte=1", "there is no option --byte; write --bytes."),
    ("leaf-spine-load --fanin=4", "there is no option --fanin; write --fan-in"),
    ("leaf-spine-load --Load=0.5", "there is no option --Load; write --load."),
    ("first-pause --", "there is no option --;"),
    ("first-pause -", "there is no option --;"),
    ("first-pause --=1", "there is no option --;"),
    ("first-pause ---bytes=1", "there is no option ---bytes; write --bytes."),
    ("first-pause bytes=1", '"bytes=1" is no option; options are written --name=value'),
    ("first-pause ''", '"" is no option;'),
    ("first-pause --RngRum=1", "there is no option --RngRum; write --RngRun."),
    # Options: values.
    ("first-pause --bytes=1e6", '--bytes is "1e6"; it must be a size in bytes (or kB, MB, GB, KiB, MiB, GiB), as 2000000 or 2MB.'),
    ("first-pause --bytes=0", '--bytes is "0"; it must be at least 1B.'),
    ("first-pause --bytes=-1", '--bytes is "-1"; it must be a size in bytes'),
    ("first-pause --bytes=", '--bytes is ""; it must be a size in bytes'),
    ("first-pause --bytes", '--bytes is ""; it must be a size in bytes'),
    ("first-pause --bytes=18446744073709551616", "it must be a size in bytes"),
    ("first-pause --buffer=0", '--buffer is "0"; it must be at least 1B.'),
    ("first-pause --buffer=1", "leave nothing to share of a buffer of 1 B"),
    ("first-pause --buffer=18446744073709551615", "SharedBuffer::Size is 18446744073709551615; it must be from 1 to"),
    ("first-pause --buffer=16MBit", '--buffer is "16MBit"; it must be a size in bytes'),
    ("first-pause --buffer=1.5B", '--buffer is "1.5B"; it must be a size in bytes'),
    ("first-pause --buffer=2MB --buffer=3MB", "--buffer is given twice; write it once."),
    (f"first-pause {OURS}SharedBuffer::CellBytes=1 {OURS}SharedBuffer::CellBytes=2", "CellBytes is given twice; write it once."),
    ("lossless-run --settings=twice.ini", "lossless-run: twice.ini:2: --load is given twice; write it once."),
    (f"first-pause --scheme=SHP {OURS}ShpBufferPolicy::PoolBytes=2000000", "PoolBytes of 2000000 B leave nothing to share"),
    (f"first-pause {OURS}ShpBufferPolicy::OversubscribeRatio=0.5", 'OversubscribeRatio is "0.5"; it must be from 1 to'),
    ("first-pause --pcap=perhaps", '--pcap is "perhaps"; it must be true or false.'),
    ("leaf-spine-load --load=0", '--load is "0"; it must be above 0 and at most 2.'),
    ("leaf-spine-load --load=nan", '--load is "nan"; it must be a number, as 0.5.'),
    ("leaf-spine-load --load=0.5 --background-load=0.6", "--background-load"),
    ("leaf-spine-load --rate=100", '--rate is "100"; it must be a rate with a unit, as 100Gbps.'),
    ("leaf-spine-load --rate=0Gbps", '--rate is "0Gbps"; it must be above 0.'),
    ("leaf-spine-load --rate=-1Gbps", "it must be a rate with a unit"),
    ("leaf-spine-load --delay=5", '--delay is "5"; it must be a time with a unit, as 5us.'),
    ("leaf-spine-load --delay=-1us", '--delay is "-1us"; it must be at least 0.'),
    ("leaf-spine-load --delay=300y", "it must be a time with a unit"),
    ("leaf-spine-load --arrivals=1ps", "0 or a time that does not round to it"),
    ("leaf-spine-load --payload=10000", '--payload is "10000"; it must be 64B to 9172B.'),
    ("lossless-run --payload=4096", "--payload is 4096 B, which makes packets of 4140 B with headers, but --mtu is 1500 B; it may be up to 9216B."),
    ("hpcc-run --congestion-control=HPCC --payload=1456", "makes packets of 1542 B with telemetry and headers, but --mtu is 1500 B;"),
    (f"lossless-run --payload=1456 {OURS}LosslessNetDevice::Mtu=1499", "packets of 1500 B with headers, but --mtu is 1499 B;"),
    ("lossless-run --mtu=9217", '--mtu is "9217"; it must be 68B to 9KiB.'),
    (f"lossless-run --mtu=9000 {OURS}LosslessNetDevice::Mtu=8000", "LosslessNetDevice::Mtu"),
    ("lossless-run --topology=star --mtu=9000 --rate=10Gbps --buffer=100000", "leave nothing to share"),
    ("leaf-spine-load --queues=8", '--queues is "8"; it must be 3 to 7.'),
    ("leaf-spine-load --strict=2", '--strict is "2"; it must be true or false.'),
    ("leaf-spine-load --progress=maybe", '--progress is "maybe"; it must be auto, on or off.'),
    ("bounce-curve --step=0", '--step is "0"; it must be 0.0001 to 1.'),
    ("capfc-fat-tree --scenario=7", '--scenario is "7"; it must be 1 to 6.'),
    # Options: choices and combinations.
    ("first-pause --scheme=TCP", '--scheme is "TCP"; it must be one of PFC, SIH, DSH'),
    ("first-pause --scheme=", '--scheme is ""; it must be one of PFC, SIH, DSH'),
    ("first-pause --buffer-policy=PFC", '--buffer-policy is "PFC"; it must be one of SIH, DSH'),
    ("first-pause --egress-queue=LIFO", '--egress-queue is "LIFO"; it must be one of Fifo, Fair.'),
    ("first-pause --routing=OSPF", '--routing is "OSPF"; it must be one of Ecmp, Adaptive.'),
    ("first-pause --scheme=DSH --buffer-policy=Static", "write --scheme=PFC --buffer-policy=Static."),
    ("first-pause --scheme=PABO --routing=Adaptive", "write --routing=Ecmp."),
    ("leaf-spine-load --congestion-control=BBR", '--congestion-control is "BBR"; it must be one of None, DCQCN'),
    (
        "leaf-spine-load --congestion-control=PowerTCP --congestion-control-constants=book",
        '--congestion-control-constants is "book"; with PowerTCP it must be one of default, paper, powertcp-simulator.',
    ),
    ("leaf-spine-load --topology=ring", "--topology"),
    ("leaf-spine-load --sizes=huge", "there is no flow-size table named 'huge'; the tables are websearch"),
    ("leaf-spine-load --leaves=0", "leaves"),
    ("leaf-spine-load --leaves=1 --hosts-per-leaf=2 --fan-in=1000", "fan-in"),
    ("leaf-spine-load --topology=fat-tree --k=3", "k is 3"),
    ("leaf-spine-load --topology=fat-tree --k=0", "k is 0"),
    ("fabric-benchmark --k=3", "k is 3"),
    ("burst-absorption --ports=8 --fan-in=6", "--ports must be at least 4 more than --fan-in."),
    ("collateral-damage --duration=1us", "--duration must be above --burst-start."),
    ("collateral-damage --window=1s", "--window must be at most --duration."),
    ("tcp-beside-roce --tcp=TcpNone", '--tcp is "TcpNone"; it must be a TcpCongestionOps of ns-3'),
    ("print-attributes --type=Nobody", '--type is "Nobody"; it must be a class of ns-3.'),
    ("pabo-fat-tree --scenario=none", "--scenario"),
    ("ofc-deadlock --runs=0", "--runs"),
    ("headroom-watermark --metres=5,far", '--metres is "5,far"; it must be lengths from 0 to 1000000, separated by commas'),
    ("headroom-watermark --metres=", '--metres is ""; it must be lengths'),
    ("headroom-watermark --quanta=59", '--quanta is "59"; it must be 60 to 65535.'),
    ("headroom-watermark --lossless-mtu=9000", "--lossless-mtu must be at most --mtu."),
    ("headroom-watermark --lossless-mtu=67", '--lossless-mtu is "67"; it must be 0 or 68 to --mtu.'),
    ("headroom-watermark --scheme=OFC", '--scheme is "OFC"; it must be SIH or DSH'),
    ("roce-acceptance --scenario=deadlock", '--scenario is "deadlock"; it must be incast, incast-dcqcn, fairness'),
    ("roce-acceptance --senders=1", '--senders is "1"; it must be 2 to 1000.'),
    # Switches that fail their checks: hardly any headroom, no flow control, marks that come too late.
    (f"roce-acceptance --scenario=incast --duration=2ms --buffer=16777216 {OURS}HeadroomBufferPolicy::HeadroomBytes=2000", "roce-acceptance: 2 of 6 checks failed"),
    ("roce-acceptance --scenario=incast --duration=2ms --buffer=16777216 --scheme=DropTail", "roce-acceptance: 3 of 6 checks failed"),
    (f"roce-acceptance --scenario=incast-dcqcn --duration=1ms {OURS}RedMarker::MaxBytes=60000000 {OURS}RedMarker::MaxProbability=0", "roce-acceptance: 3 of 6 checks failed"),
    ("hpcc-run --ecn-min=2 --ecn-max=1", "--ecn-min must be at most --ecn-max."),
    # Attributes: names.
    (f"first-pause --DshBufferPolicy::Alpha=1", f"there is no attribute --DshBufferPolicy::Alpha; write {OURS}SihBufferPolicy::Alpha."),
    (f"first-pause {OURS}DshBufferPolicy::Alpha=1", f"; write {OURS}SihBufferPolicy::Alpha."),
    (f"first-pause --ns3::SihBufferPolicy::Alpha=1", f"; write {OURS}SihBufferPolicy::Alpha."),
    (f"first-pause --SihBufferPolicy::alpha=1", f"; write {OURS}SihBufferPolicy::Alpha."),
    (f"first-pause --SihBuferPolicy::Alpha=1", f"; write {OURS}SihBufferPolicy::Alpha."),
    (f"first-pause --RoceNic::Windows=1", f"; write {OURS}RoceNic::Window."),
    (f"first-pause --SharedBuffer::size=1", f"; write {OURS}SharedBuffer::Size."),
    (f"first-pause --ns3::TcpSocket::SegmentSise=1", "; write --ns3::TcpSocket::SegmentSize."),
    (f"first-pause {OURS}Nobody::KnowsIt=1", "print-attributes lists attributes."),
    (f"first-pause --ns3::=1", "print-attributes lists attributes."),
    # Attributes: values.
    (f"first-pause {OURS}SihBufferPolicy::Alpha=1e308", "Alpha is \"1e308\"; it must be from 0 to 1e+09."),
    (f"first-pause --buffer=9000000000000000000 {OURS}SihBufferPolicy::Alpha=1e9", "B, is above 9e+18 B."),
    (f"first-pause {OURS}SihBufferPolicy::Alpha=-1", "it must be from 0 to 1e+09."),
    (f"first-pause {OURS}SihBufferPolicy::Alpha=0", "Alpha is 0; it must be above 0."),
    (f"first-pause {OURS}SihBufferPolicy::Alpha=x", "it must be a number, as 0.5."),
    (f"first-pause {OURS}SharedBuffer::Size=0", "it must be from 1 to 9223372036854775807."),
    (f"first-pause {OURS}SharedBuffer::Size=-1", "it must be a whole number from 1 to 9223372036854775807."),
    (f"first-pause {OURS}RedMarker::MaxProbability=2", "it must be from 0 to 1."),
    (f"first-pause {OURS}QueueSampler::Period=5", "it must be a time with a unit, as 5us."),
    (f"first-pause {OURS}RoceNic::EcnCapable=maybe", "it must be true or false."),
    (f"first-pause {OURS}RoceNic::CongestionControl=Bbr", '"Bbr" is no ns3::lossless::CongestionControl; it must be one of'),
    (f"first-pause {OURS}SwitchNode::Marker=ns3::lossless::RedMarker[Foo=1]", 'ns3::lossless::RedMarker has no attribute "Foo".'),
    (f"first-pause {OURS}SwitchNode::Marker=ns3::lossless::RedMarker[", 'must end with its only "]".'),
    (f"first-pause {OURS}LosslessNetDevice::DataRate=x", "it must be a rate with a unit"),
    (f"first-pause {OURS}LosslessNetDevice::DataRate=1Gbps", "the topology gives each link its own; set it there."),
    (f"first-pause --scheme=FAFC {OURS}FafcFlowControl::Solver=Simplex", 'FafcFlowControl::Solver is "Simplex"; it must be one of Greedy'),
    ("first-pause --RngRun=x", '--RngRun is "x"; it must be a whole number'),
    ("leaf-spine-load --RngSeed=0", "invalid Seed 0."),
    ("first-pause --SchedulerType=fast", '"fast" is no ns3::Scheduler; it must be one of'),
    ("first-pause --SimulatorImplementationType=fast", '"fast" is no ns3::SimulatorImpl; it must be one of'),
    ("first-pause --ChecksumEnabled=2", "--ChecksumEnabled"),
    ("first-pause --PrintAttributes=Nobody", "Unknown type=Nobody in --PrintAttributes."),
    # Files.
    (topology("no-such-file.txt"), "cannot open the file 'no-such-file.txt': No such file or directory."),
    (topology("folder"), "'folder' is a folder; name a file."),
    (topology("''"), "cannot open the file ''"),
    (topology("/dev/zero"), "/dev/zero:1: the line has a byte of value 0; the file must be a text in UTF-8."),
    (topology("utf16.txt"), "utf16.txt:1: the line has a byte of value 0"),
    (topology("zero.txt"), "zero.txt:3: the line has a byte of value 0"),
    (topology("program.txt"), "program.txt:1: the line has a byte of value 0"),
    (topology("empty.txt"), "the file ends here, before the line `nodes switches links`."),
    (topology("csv.txt"), "csv.txt:1: the line has 1 fields; it must have 3"),
    (topology("no-unit.txt"), "no-unit.txt:3: rate is '100'; allowed is"),
    (topology("no-delay.txt"), "no-delay.txt:3: delay is '1'; allowed is"),
    (topology("negative-delay.txt"), "negative-delay.txt:3: delay is '-1us'; allowed is"),
    (topology("short.txt"), "short.txt:"),
    (topology("long.txt"), "long.txt:5: the first line announces 2 links; here is another one."),
    (topology("loop.txt"), "loop.txt:4: dst is '2'; allowed is another node than src."),
    (topology("too-many.txt"), "too-many.txt:1: nodes is '70000'; allowed is a whole number from 1 to 65536."),
    (topology("strange-node.txt"), "strange-node.txt:4: dst is '7'; allowed is a whole number from 0 to 2."),
    (topology("lossy-link.txt"), "lossy-link.txt:3: error_rate is '2'; allowed is a number from 0 to 1."),
    (flows("no-such-file.txt"), "cannot open the file 'no-such-file.txt'"),
    (flows("folder"), "'folder' is a folder; name a file."),
    (flows("/dev/zero"), "/dev/zero:1: the line has a byte of value 0"),
    (flows("empty.txt"), "the file ends here, before the number of flows."),
    (flows("switch-flow.txt"), "switch-flow.txt:2: dst is '2'; allowed is the id of a host."),
    (flows("own-flow.txt"), "own-flow.txt:2: dst is '0'; allowed is another host than src."),
    (flows("class-flow.txt"), "class-flow.txt:2: priority is '8'; allowed is a whole number from 0 to 7."),
    (flows("empty-flow.txt"), "empty-flow.txt:2: size_bytes is '0'; allowed is a whole number from 1"),
    (flows("early-flow.txt"), "early-flow.txt:2: start_seconds is '-1'; allowed is a number from 0"),
    (flows("cut-flow.txt"), "cut-flow.txt:2: the line has 5 fields; it must have 6"),
    (flows("few-flows.txt"), "the file ends here, before the last of 2 flows."),
    (flows("many-flows.txt"), "many-flows.txt:1: flows is '1e6'; allowed is a whole number"),
    # One program for all: its files and options.
    ("lossless-run --settings=wrong-name.ini", "lossless-run: wrong-name.ini:3: there is no option --lod; write --load."),
    ("lossless-run --settings=wrong-value.ini", 'wrong-value.ini:1: --load is "0,3"; it must be a number, as 0.5.'),
    ("lossless-run --settings=no-setting.ini", 'no-setting.ini:1: "load 0.3" is no setting; write name = value.'),
    ("lossless-run --settings=folder", "'folder' is a folder; name a file."),
    ("lossless-run --settings", '--settings is ""; it must be a file, as --settings=run.ini.'),
    ("lossless-run --topology=ring", '--topology is "ring"; it must be star, dumbbell, leaf-spine, fat-tree or a file.'),
    ("lossless-run --k=4", '--k is for --topology=fat-tree, which is "leaf-spine".'),
    ("lossless-run --topology=fat-tree --k=3", "k is 3"),
    ("lossless-run --topology=fat-tree --k=4 --pods=5", "pods is 5; it must be at most k, which is 4."),
    ("lossless-run --topology=fat-tree --pods=-1", '--pods is "-1"'),
    ("lossless-run --pods=2", '--pods is for --topology=fat-tree, which is "leaf-spine".'),
    (
        "lossless-run --congestion-control=DCQCN --ns3::lossless::RateWindowCongestionControl::WindowRtt=-1us",
        "WindowRtt is \"-1us\"; it must be from",
    ),
    ("lossless-run --topology=topology.txt --rate=1Gbps", "--rate is for a network of the module's"),
    ("lossless-run --topology=topology.txt --flows=switch-flow.txt", "switch-flow.txt:2: dst is '2'; allowed is the id of a host."),
    ("lossless-run --topology=star --flows=flows.txt", "--topology must be one, too, whose numbers of nodes it has."),
    ("lossless-run --topology=topology.txt --flows=flows.txt --load=1", "--load is for random flows; leave it out with --flows."),
    ("lossless-run --topology=star --hosts=1", "flows need two hosts."),
    ("lossless-run --topology=star --hosts=100000000", "number of hosts is 100000000; it must be from 1 to 65000."),
    ("lossless-run --hosts-per-leaf=1000000", "leaves times hosts per leaf are 4000000; they must be at most 1048576."),
    ("lossless-run --flows=latin.csv", "latin.csv:2: the line is not a text in UTF-8"),
    ("lossless-run --flows=huge-flow.csv", "huge-flow.csv:2: bytes is '18446744073709551615'; allowed is a whole number from 1 to 1000000000000000."),
    ("lossless-run --topology-format=csv", "--topology-format is for a --topology that is a file."),
    ("lossless-run --flows-format=csv", "--flows-format is for a file of --flows."),
    ("lossless-run --topology=topology.txt --topology-format=xml", '--topology-format is "xml"; it must be auto, csv or hpcc.'),
    ("lossless-run --topology=topology.txt --topology-format=csv", "topology.txt:1: "),
    ("bounce-curve --sample=1us", "--sample and --measure-from are for programs that run a network, which this one does not."),
    ("bounce-curve --measure-from=1us", "--measure-from are for programs that run a network"),
    ("ofc-deadlock --measure-from=1us", "--measure-from and --measure-until are for programs whose results are of one run."),
    ("lossless-run --fail-link=leaf0-spine9", '--fail-link: the network has no link "leaf0-spine9"; write NODE-NODE, as leaf0-spine1'),
    ("lossless-run --fail-link=leaf0-leaf1@1ms", '--fail-link: the network has no link "leaf0-leaf1";'),
    ("lossless-run --fail-link=leaf0-spine1@1", '--fail-link has the time "1"; it must be a time with a unit, as 1us.'),
    ("lossless-run --fail-link=leaf0-spine1@2ms..1ms", '--fail-link has the times "2ms..1ms"; the second one must be later.'),
    ("lossless-run --topology=star --fail-link=h0-s0", "h0"),
    ("hpcc-run --config=nowhere.txt", "nowhere.txt"),
    ("hpcc-run --config=mode.txt", "mode.txt: CC_MODE is 10; it must be 1 (DCQCN), 3 (HPCC), 7 (TIMELY) or 8 (DCTCP)"),
    ("hpcc-run --config=stop.txt", 'hpcc-run: stop.txt: --stop is "soons"; it must be a time with a unit'),
    ("lossless-run --measure-from=2ms --measure-until=1ms", "--measure-from is 2ms; it must be before --measure-until, which is 1ms."),
    ("lossless-run --measure-from=1s", "no flow starts in the time of --measure-from and --measure-until; the first does at"),
    ("collateral-damage --measure-from=1s", "--measure-from is 1s, but the run ends at"),
    ("bounce-curve --dry-run", "--dry-run, --ranks-plan, --sample and --measure-from are for programs"),
    ("lossless-run --load=0", "there is no flow; write --load, --incast-load or --flows."),
    ("lossless-run --sizes=huge", "hadoop-interrack, cache"),
    ("lossless-run --classes=3,8", '--classes is "3,8"; it must be classes from 0 to 7, separated by commas, as 0,1,2.'),
    ("lossless-run --incast-load=0.1 --incast-senders=16", "a fan-in of 16 to host 0 has only 15 eligible senders."),
    ("lossless-run --fct-file=fct.txt", "--fct-file is for flows of the forks' format, which --flows reads."),
    ("lossless-run --sample-from=1ms", "--sample-from needs a time between samples, as --sample=10us."),
    ("lossless-run --sample-queues=leaf0:*:*", "need a time between samples, as --sample=10us."),
    ("lossless-run --sample=1us --sample-queues=leaf9:*:*", 'no queue of the network is "leaf9:*:*"; write SWITCH:PORT:CLASS'),
    ("lossless-run --sample=1us --sample-throughput=h99:0", 'no port of the network is "h99:0"; write NODE:PORT'),
    ("lossless-run --sample-flows=0", "--sample-flows need a time between samples, as --sample=10us."),
    ("lossless-run --sample=1us --sample-flows=0,x", 'no flow has the id "x"; write ids as flows.csv has them'),
    # Where results go.
    (f"{HPCC} --output=topology.txt", "topology.txt is a file; name a folder."),
    (f"{HPCC} --output=foreign", "holds other files and no result of an earlier run; name another folder."),
    (f"{HPCC} --output=/dev/null", "/dev/null is a file; name a folder."),
    (f"{HPCC} --output=/proc/x", "cannot write /proc/x"),
    (f"{HPCC} --fct-file=topology.txt", '--fct-file is "topology.txt", which is read; it must be another file.'),
    (f"{HPCC} --fct-file=no-such-folder/fct.txt", "it must be a file in a folder that can be written to, or - for standard output."),
    (f"{HPCC} --fct-file=folder", '--fct-file is "folder"; it must be a file in a folder'),
    # Scripts.
    ("scripts/reproduce", "which figure? --list names them"),
    ("scripts/reproduce --no-install no-such-figure", "there is no figure no-such-figure; scripts/reproduce --list names them"),
    ("scripts/reproduce --no-install dsh-fig11 --output ''", "argument --output: the name of the folder is empty"),
    ("scripts/reproduce --no-install dsh-fig11 --output topology.txt", "topology.txt"),
    ("scripts/reproduce --no-install dsh-fig11 --output out --build-dir ''", "argument --build-dir: the name of the folder is empty"),
    (
        "scripts/reproduce --no-install dsh-fig11 --output out --build-dir foreign",
        "holds other files and no build of this copy of the module; name another folder",
    ),
    ("scripts/reproduce --no-install dsh-fig11 --output out --build-dir topology.txt", "topology.txt is a file; name a folder"),
    ("scripts/reproduce --jobs 0", "0 is not a whole number above zero"),
    ("scripts/reproduce --nonsense", "unrecognized arguments: --nonsense"),
    ("scripts/test --no-install --build-dir foreign", "holds other files and no build of this copy of the module; name another folder"),
    ("scripts/test --no-install --build-dir foreign-build", "holds other files and no build of this copy of the module"),
    ("scripts/test --no-install --in-tree --build-dir foreign", "holds other files and no source of ns-3.37; name another folder"),
    ("scripts/test --in-tree --debug", "--in-tree cannot be combined with --sanitize, --debug or --list"),
    ("scripts/test --fullness=ALL", "invalid choice: 'ALL'"),
    ("scripts/doc --no-install --output foreign", "holds other files and no pages of the documentation; name another folder"),
    ("scripts/doc --no-install --output topology.txt", "topology.txt is a file; name a folder"),
    ("scripts/doc --output ''", "argument --output: the name of the folder is empty"),
    ("scripts/test no-such-suite", "there is no test suite no-such-suite; scripts/test --list names them"),
    ("scripts/bench --no-install --build-dir foreign", "holds other files and no build of this copy of the module"),
    ("scripts/bench --build-dir ''", "argument --build-dir: the name of the folder is empty"),
    ("scripts/run", "the following arguments are required: PROGRAM"),
    ("scripts/run --no-install no-such-program", "run: there is no program no-such-program in examples or scratch"),
    ("scripts/run --nonsense first-pause", "unrecognized arguments: --nonsense"),
    ("scripts/run --ranks 0 first-pause", "0 is not a whole number above zero"),
    ("scripts/attributes --nonsense", "unrecognized arguments: --nonsense"),
    ("scripts/sweep lossless-run", "the following arguments are required: --output"),
    ("scripts/sweep --no-install no-such-program --output out", "there is no program no-such-program in examples or scratch"),
    ("scripts/sweep --no-install ./topology.txt --output out", "./topology.txt is no program that can be run"),
    ("scripts/sweep --no-install lossless-run --output out -- load=1", "'load=1' is no option of the program; write --name=value"),
    ("scripts/sweep --no-install lossless-run --output foreign", "holds other files and no sweep; name another folder"),
    ("scripts/style --nonsense", "unrecognized arguments: --nonsense"),
]

# Attributes that programs set themselves, each of which is refused with the option to use instead, if there is one.
# They are looked for in the sources, and one that is not here is a KeyError. By name: the class, and a value that no
# program gives it.
OVERRIDDEN = {
    "Alpha": ("SihBufferPolicy", "0.123"),
    "BounceLimit": ("PaboFlowControl", "77p"),
    "BurstFrames": ("RawSource", "77"),
    "BurstPause": ("RawSource", "7us"),
    "CellBytes": ("SharedBuffer", "77"),
    "CongestionControl": ("RoceNic", "ns3::lossless::Dctcp"),
    "CongestionXoff": ("OfcFlowControl", "77777"),
    "ConnectTimeout": ("TcpFlows", "7ms"),
    "CountUnordered": ("TcpSettings", "false"),
    "Cut": ("CapfcFlowControl", "0.7"),
    "DuplicateAcks": ("TcpFlows", "7"),
    "Ecn": ("TcpFlows", "false"),
    "EcnThreshold": ("FafcFlowControl", "77777"),
    "FirstRequestDelay": ("RequestClient", "7us"),
    "FrameBytes": ("RawSource", "777"),
    "GapBytes": ("LosslessNetDevice", "7"),
    "HeadroomBytes": ("HeadroomBufferPolicy", "77777"),
    "IngressXoff": ("CapfcBufferPolicy", "77777"),
    "IngressXon": ("CapfcBufferPolicy", "7777"),
    "InitialWindow": ("TcpFlows", "7"),
    "Interval": ("RawSource", "7us"),
    "Lambda": ("PaboFlowControl", "0.7"),
    "Latency": ("SharedProcessor", "7us"),
    "LosslessClasses": ("SwitchNode", "5"),
    "LossyPrivateBytes": ("HeadroomBufferPolicy", "777"),
    "MarkOnDequeue": ("EcnMarker", "false"),
    "MaxBytes": ("RedMarker", "777777"),
    "MaxProbability": ("RedMarker", "0.7"),
    "MinBytes": ("RedMarker", "7777"),
    "MinRto": ("TcpFlows", "7ms"),
    "Mtu": ("LosslessNetDevice", "777"),
    "NormalLimit": ("PaboFlowControl", "77p"),
    "PauseThreshold": ("FafcFlowControl", "77777"),
    "PayloadBytes": ("RoceNic", "777"),
    "PoolBytes": ("CapfcBufferPolicy", "777777"),
    "Priority": ("RawSource", "6"),
    "PrivateBytes": ("HeadroomBufferPolicy", "777"),
    "Quantum": ("DwrrScheduler", "777"),
    "QueueLimit": ("DropTailBufferPolicy", "77p"),
    "Rate": ("SharedProcessor", "777777"),
    "ReferenceHeadroomBytes": ("HeadroomBufferPolicy", "77777"),
    "ReferencePorts": ("HeadroomBufferPolicy", "77"),
    "ReferenceRate": ("EcnMarker", "7Gbps"),
    "ReplyBytes": ("RequestClient", "777"),
    "Requests": ("RequestClient", "7"),
    "ResponseQuanta": ("TransmitGate", "77"),
    "RestartAfter": ("TcpSettings", "7ms"),
    "ResumeByOwnRelease": ("ThresholdFlowControl", "true"),
    "SegmentBytes": ("TcpFlows", "777"),
    "SegmentsPerAck": ("TcpFlows", "1"),
    "Size": ("SharedBuffer", "12345678"),
    "StopTime": ("QueueSampler", "7us"),
    "StrictClasses": ("DwrrScheduler", "7"),
    "Theta": ("PaboFlowControl", "0.7"),
    "ThinkTime": ("RequestClient", "7us"),
    "Threshold": ("StepMarker", "7777"),
    "Timestamps": ("TcpFlows", "true"),
    "Variant": ("TcpFlows", "ns3::TcpVegas"),
    "Warn": ("CapfcFlowControl", "7777"),
    "Window": ("RoceNic", "77777"),
    "WorstCaseHeadroom": ("HeadroomBufferPolicy", "true"),
    "Xoff": ("StaticBufferPolicy", "777777"),
    "Xon": ("StaticBufferPolicy", "7777"),
}
OF_CAPFC = {"Xoff": ("CapfcFlowControl", "77777"), "Xon": ("CapfcFlowControl", "7777")}
# No attributes of the command line, or not seen: some objects have the default, or the class is one of ns-3's.
UNSEEN = {
    "MaxFrames",
    "Port",
    "SchedulerType",
    "ServerAddress",
    "ServerPort",
    "SimulatorImplementationType",
    "Sockets",
    "StopOnDeadlock",
    "fabric-benchmark.cc Size",  # of the switches whose memory is measured
    "pabo-tree.cc StopTime",
}
# What it takes for the class to be in use, where the program does without it.
TAKES = {
    ("capfc-fat-tree", "CapfcBufferPolicy"): "--memory=shared",
    ("capfc-fat-tree", "CapfcFlowControl"): "--memory=shared",
    ("deadlock-leaf-spine", "EcnMarker"): "--congestion-control=DCQCN",
    ("fafc-dumbbell", "EcnMarker"): "--scheme=PFC --congestion-control=DCTCP",
    ("fafc-dumbbell", "StaticBufferPolicy"): "--scheme=PFC --buffer-policy=Static",
    ("fafc-dumbbell", "StepMarker"): "--scheme=PFC --congestion-control=DCTCP",
    ("hpcc-run", "RedMarker"): "--ecn-max=400000",
    ("pabo-fat-tree", "DropTailBufferPolicy"): "--scheme=DropTail",
}
SET_HERE = re.compile(
    r"(?:Set(?:Buffer|Policy|FlowControl)?Attribute(?:IfPresent)?\(|nics\.Set\(|SetDefault\()\s*"
    r'"(?:ns3::lossless::\w+::)?(\w+)"|"(\w+)",\s+\w+Value\(',
)
OPTION_OF = re.compile(r'SetsAttribute\(\s*"([\w-]+)",\s*"(\w+::\w+)"\)')


def overridden():
    """A command line, and what it is answered, for each attribute that a source of a program sets."""
    examples = Path(__file__).parent.parent / "examples"
    users = {}  # programs by their further sources
    lists = (examples / "CMakeLists.txt").read_text(encoding="utf-8")
    for program, sources in re.findall(r"set\(([\w-]+)_sources ([^)]+)\)", lists):
        for source in sources.split():
            users.setdefault(source, []).append(program)
    for path in sorted(examples.glob("*.cc")):
        program = users.get(path.name, [path.stem])[0]
        used = [examples / f"{program}.cc", *(examples / source for source in users if program in users[source])]
        texts = [file.read_text(encoding="utf-8") for file in used]
        options = {name: option for text in texts for option, name in OPTION_OF.findall(text)}
        if any("OfferPayload(" in text for text in texts):
            options["RoceNic::PayloadBytes"] = "payload"
        for name in sorted({first or second for first, second in SET_HERE.findall(path.read_text(encoding="utf-8"))}):
            if not UNSEEN & {name, f"{path.name} {name}"}:
                kind, value = {**OVERRIDDEN, **(OF_CAPFC if program == "capfc-fat-tree" else {})}[name]
                option = options.get(f"{kind}::{name}")
                command = f"{HPCC if program == 'hpcc-run' else program} {OURS}{kind}::{name}={value}"
                yield (
                    f"{command} {TAKES.get((program, kind), '')}".strip(),
                    f"; write --{option}." if option else "; no option changes that.",
                )


bad_inputs += overridden()
