#! /usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only

# The runs that scripts/test makes on one rank and on several, with the same results: the program with its arguments,
# and the numbers of ranks. Each start of mpirun takes seconds.
SERIES = "--pause-events --sample=10us --sample-queues='*:*:*' --sample-throughput='*:*' --sample-flows='*'"
CROWD = "lossless-run --topology=fat-tree --k=4 --load=0.4 --incast-load=0.4 --incast-senders=10 --arrivals=50us"
LONG_CROWD = CROWD.replace("=50us", "=200us")
JOB = (
    "lossless-run --topology=fat-tree --k=4 --collective=allreduce/TP,alltoall/DP,allreduce/DP --mesh=4x2x2 "
    "--size=200kB,400kB,1MB"
)

# With one rank, all events are executed in the order of time.
ORDERED = "--ns3::lossless::WheelSimulatorImpl::LongestWindow=0ns"

# The runs that scripts/test makes with windows and without, with the same results: programs that themselves combine
# the data of several nodes.
windowed = [
    "pabo-fat-tree --scenario=many-to-many --requests=1",
    "pabo-tree --scheme=DropTail --traffic=tcp --capacity=20 --requests=2",
    f"{CROWD} --scheme=SIH --buffer=2200000 {SERIES}",
]

ranked = [
    (f"{CROWD} --scheme=SIH --buffer=2200000 {SERIES}", (2, 3, 4)),
    (f"{CROWD} --scheme=DSH --routing=Adaptive --congestion-control=DCQCN --stop=1ms {SERIES}", (3,)),
    (f"{CROWD} --scheme=OFC --buffer=2200000 {SERIES}", (4,)),
    (f"{CROWD} --scheme=SIH --buffer=2200000 --routing=Weighted --slow-link=edge7-agg7:25Gbps {SERIES}", (2,)),
    (f"{CROWD} --scheme=BFC --buffer=2200000 --ns3::lossless::BfcFlowControl::PhysicalQueues=2 {SERIES}", (3,)),
    (f"{CROWD} --scheme=FAFC --buffer=2200000 --congestion-control=HPCC {SERIES}", (2,)),
    (f"{CROWD} --scheme=PABO --stop=300us {SERIES}", (3,)),
    (f"{LONG_CROWD} --scheme=CaPFC-Max --rate=10Gbps --delay=100ns --stop=2ms {SERIES}", (3,)),
    (f"{CROWD} --scheme=GFC --buffer=2200000 {SERIES}", (2,)),
    (f"{CROWD} --scheme=SHP --buffer=1500000 {SERIES}", (3,)),
    ("leaf-spine-load --leaves=3 --spines=2 --hosts-per-leaf=4 --incast-senders=4 --arrivals=50us --headroom-peaks=true", (3,)),
    (f"{CROWD} --scheme=SIH --fail-link=edge0-agg0@20us..40us,edge3-agg2@30us {SERIES}", (2, 3)),
    (f"{JOB} --chunks=2 --compute=20us --stragglers=3@50us,0@7us --placement=rack --iterations=2 {SERIES}", (2, 3)),
    # Few flows stall on each rank, so the messages about them are the same.
    ("lossless-run --topology=leaf-spine --leaves=2 --spines=1 --hosts-per-leaf=2 --collective=alltoall --size=100kB --fail-link=leaf0-spine0@2us --stall-after=300ms", (2,)),
    (f"{JOB} --scheme=DSH --congestion-control=DCQCN --fail-link=edge0-agg0@200us,edge0-agg1@200us --stall-after=2ms", (2,)),
    (
        f"{CROWD} --scheme=SIH --storm=h13:3@0us..2ms,h8:3@50us --slow-receiver=h7:20Gbps --watchdog=drop --watchdog-detect=400us "
        f"--watchdog-restore=400us --watchdog-poll=200us --stop=4ms {SERIES}",
        (3,),
    ),
    (f"{CROWD} --scheme=DropTail --buffer=60kB --routing=Adaptive --reliability=Unordered --stop=1ms {SERIES}", (2,)),
    (f"{CROWD} --scheme=DSH --fail-link=edge0-agg0@20us..40us --reroute-after=5us --bit-error-rate=1e-8 {SERIES}", (3,)),
    (f"{CROWD} --scheme=DSH --fail-link=edge0-agg0@20us..40us --bit-error-rate=1e-7 --llr --stop=2ms {SERIES}", (2, 3)),
    (f"{CROWD} --scheme=CBFC --bit-error-rate=1e-6 --llr --stop=2ms {SERIES}", (3,)),
    ("tcp-beside-roce", (2,)),
]
