#! /usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only

# The examples that ns-3's test.py and scripts/test run, so that they stay buildable and runnable: each one at
# least once, with arguments that keep it short. An entry of the first list is
#     (program with its arguments, run it?, run it under valgrind?)
# and the two conditions are Python expressions in quotes. See test.py of ns-3.
cpp_examples = [
    ("bounce-curve --step=0.1", "True", "False"),
    ("burst-absorption --scheme=DSH --burst-share=42 --burst-start=200us --strict", "True", "False"),
    ("burst-absorption --scheme=SIH --burst-share=12 --burst-start=200us --strict", "True", "False"),
    ("burst-absorption --scheme=SHP --burst-share=20 --burst-start=200us --strict", "True", "False"),
    ("capfc-fat-tree --k=4 --incast-senders=8 --long-rate=500 --arrivals=10ms --scheme=PFC-wstop --strict", "True", "False"),
    ("capfc-fat-tree --k=4 --incast-senders=8 --long-rate=500 --arrivals=10ms --scheme=CaPFC-Cal --scenario=6 --memory=shared --oversubscription=4 --reordering=true", "True", "False"),
    ("burst-absorption --load=2 --background-senders=2 --incast-senders=4 --ports=12 --buffer=8MiB --burst-share=40 --burst-start=200us --strict", "True", "False"),
    ("burst-absorption --egress-queue=Fair --burst-share=12 --burst-start=200us --strict", "True", "False"),
    ("collateral-damage --scheme=DSH --burst-start=200us --stop=400us", "True", "False"),
    ("collateral-damage --scheme=SHP --burst-start=200us --stop=400us", "True", "False"),
    ("collateral-damage --congestion-control=DCQCN --burst-start=200us --stop=400us", "True", "False"),
    ("deadlock-leaf-spine --scheme=DSH --stop=100us", "True", "False"),
    ("deadlock-leaf-spine --hosts-per-leaf=4 --max-incast-senders=4 --stop=100us", "True", "False"),
    ("fabric-benchmark --k=4 --bytes=20000 --rounds=1 --strict", "True", "False"),
    ("fabric-benchmark --k=4 --bytes=20000 --rounds=1 --memory=false --congestion-control=DCQCN --LosslessHugePages=false", "True", "False"),
    ("fafc-dumbbell --strict", "True", "False"),
    (
        "fafc-dumbbell --scheme=PFC --buffer-policy=Static --egress-queue=Fair --left=3 --right=6 --long-bytes=3000000 "
        "--burst-bytes=100000 --burst-start=100us --burst-jitter=1us --sample=5us --strict",
        "True",
        "False",
    ),
    ("fafc-dumbbell --left=9 --messages=50 --burst-start=0ms --congestion-control=DCQCN --strict", "True", "False"),
    ("fafc-leaf-spine --leaves=3 --spines=2 --hosts-per-leaf=4 --incast-senders=6 --arrivals=4ms --trigger=100000 --strict", "True", "False"),
    ("fafc-leaf-spine --leaves=2 --spines=2 --hosts-per-leaf=4 --incast-senders=0 --sizes=grpc --congestion-control=DCTCP --arrivals=100us --window=20000 --strict", "True", "False"),
    ("first-pause", "True", "True"),
    ("first-pause --scheme=PFC --buffer-policy=Static --egress-queue=Fifo", "True", "False"),
    ("headroom-watermark --metres=0,7.5,300 --cell=208 --quanta=394", "True", "False"),
    ("link-buffer --metres=5,300", "True", "False"),
    ("link-buffer --metres=5 --rate=25Gbps --scheme=PFC --buffer-policy=Static", "True", "False"),
    ("headroom-watermark --random=12 --phases=3", "True", "False"),
    ("headroom-watermark --random=12 --phases=3 --RngRun=2 --scheme=DSH", "True", "False"),
    ("hpcc-run --strict", "True", "False"),
    ("lossless-run --arrivals=100us --fail-link=leaf0-spine1,leaf1-spine2@50us..90us,leaf2-spine0@0s..30us --measure-from=20us", "True", "False"),
    ("lossless-run --arrivals=100us --slow-receiver=h3:20Gbps --strict", "True", "False"),
    ("lossless-run --arrivals=100us --classes=3 --lossless-classes=3 --slow-receiver=h3:20Gbps --strict", "True", "False"),
    ("lossless-run --arrivals=100us --slow-link=leaf0-spine1:25Gbps,leaf1-spine1:25Gbps --strict", "True", "False"),
    ("lossless-run --arrivals=100us --bit-error-rate=1e-8 --llr --strict", "True", "False"),
    ("lossless-run --arrivals=100us --fail-link=leaf0-spine1@20us..50us --reroute-after=5us", "True", "False"),
    ("lossless-run --arrivals=200us --storm=h3:3@50us..2ms --watchdog=drop --watchdog-detect=400us --watchdog-restore=400us --stop=4ms", "True", "False"),
    ("hpcc-run --congestion-control=HPCC --payload=1412 --strict", "True", "False"),
    ("hpcc-run --congestion-control=HPCC --payload=8900 --mtu=9000 --strict", "True", "False"),
    ("incast --senders=15 --scheme=DSH --strict", "True", "False"),
    ("leaf-spine-load --leaves=3 --spines=2 --hosts-per-leaf=4 --incast-senders=4 --arrivals=50us --headroom-peaks=true --strict", "True", "False"),
    ("leaf-spine-load --topology=fat-tree --k=4 --incast-senders=4 --sizes=cache --arrivals=20us --scheme=DSH --congestion-control=PowerTCP --strict", "True", "False"),
    ("leaf-spine-load --leaves=3 --spines=2 --hosts-per-leaf=4 --incast-senders=4 --arrivals=50us --scheme=SHP --strict", "True", "False"),
    ("lossless-run --arrivals=50us --strict", "True", "False"),
    (
        "lossless-run --topology=fat-tree --k=4 --scheme=DSH --congestion-control=HPCC --load=0.3 --sizes=hadoop "
        "--incast-load=0.2 --incast-classes=0,1 --arrivals=100us --sample=5us --sample-queues=edge?:*:3 "
        "--sample-throughput=agg*:* --pause-events --strict --output=series-of-fat-tree",
        "True",
        "False",
    ),
    (
        "lossless-run --topology=fat-tree --k=4 --pods=2 --oversubscription=4 --fabric-rate=400Gbps --delay=1us "
        "--congestion-control=DCQCN --ns3::lossless::RateWindowCongestionControl::WindowRtt=13us --load=0.3 "
        "--sizes=hadoop --incast-load=0.1 --incast-senders=30 --incast-bytes=100000 --arrivals=100us --strict",
        "True",
        "False",
    ),
    (
        "lossless-run --topology=dumbbell --left=8 --right=2 --fabric-rate=40Gbps --scheme=OFC --load=0 --incast-load=0.5 "
        "--incast-senders=4 --arrivals=50us --pause-events --strict --output=series-of-dumbbell",
        "True",
        "False",
    ),
    (
        "lossless-run --topology=fat-tree --k=4 --collective=allreduce/TP,broadcast/PP,alltoallv --mesh=2x4x2 --axes=TP,DP,PP "
        "--algorithm=halving-doubling,tree,staged --size=100kB --chunks=3 --jobs=1 --placement=random --strict",
        "True",
        "False",
    ),
    ("lossless-run --topology=star --hosts=4 --sizes=cache --arrivals=300us --buffer=4000000 --strict", "True", "False"),
    ("ofc-deadlock --runs=3", "True", "False"),
    ("ofc-deadlock --runs=2 --scheme=G-PFC --classes=2 --flows=100", "True", "False"),
    ("ofc-fat-tree --k=4 --flows=200 --strict", "True", "False"),
    ("ofc-fat-tree --k=4 --flows=200 --scheme=G-PFC --short-class=1 --sizes=edu2-synthetic --strict", "True", "False"),
    ("ofc-line --strict", "True", "False"),
    ("ofc-line --switches=2 --rack=32 --long-flows=2 --bursts=6 --rounds=3 --strict", "True", "False"),
    ("ofc-line --scheme=PFC --buffer-policy=Static --strict", "True", "False"),
    ("ofc-line --scheme=G-PFC --burst-class=1 --burst-window=30us --response=60 --strict", "True", "False"),
    ("pabo-fat-tree --scenario=9-to-1 --requests=1 --strict", "True", "False"),
    ("pabo-fat-tree --scheme=DropTail --requests=1", "True", "False"),
    ("pause-times --ports=3", "True", "False"),
    ("pabo-tree --packets=2500 --strict", "True", "False"),
    ("pabo-tree --scheme=DropTail --packets=500", "True", "False"),
    ("pabo-tree --traffic=tcp --capacity=100 --requests=1 --strict", "True", "False"),
    ("print-attributes", "True", "True"),
    ("print-attributes --type=RoceNic", "True", "False"),
    ("roce-acceptance --ecn-reference-rate=100Gbps", "True", "False"),
    ("roce-acceptance --scheme=DSH --senders=8 --rate=40Gbps --buffer=16777216 --scenario=incast --duration=5ms", "True", "False"),
    # At 25 Gb/s with the ECN thresholds of 100 Gb/s, PFC acts before ECN.
    ("roce-acceptance --rate=25Gbps --scenario=incast-dcqcn", "True", "False"),
    ("roce-acceptance --rate=10Gbps --scenario=watchdog", "True", "False"),
    ("roce-acceptance --scheme=FAFC --scenario=control-frames", "True", "False"),
    ("roce-acceptance --scheme=CBFC --scenario=credits --duration=5ms", "True", "False"),
    ("tcp-beside-roce --bytes=500000 --strict", "True", "False"),
    ("tcp-beside-roce --tcp=TcpCubic --bytes=200000 --strict", "True", "False"),
    ("tcp-beside-roce --tcp=TcpLinuxReno --tcp-lossless --bytes=500000 --strict", "True", "False"),
]

python_examples = []
