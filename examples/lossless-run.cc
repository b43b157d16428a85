// SPDX-License-Identifier: GPL-2.0-only
//
// Any network with any flows, without a program of your own: from the command line or a settings
// file.
//
//   lossless-run --scheme=DSH --congestion-control=DCQCN --load=0.6 --output=my-run
//   lossless-run --topology=fat-tree --k=8 --sizes=hadoop --load=0.3 --incast-load=0.1
//   lossless-run --topology=topology.csv --flows=flows.csv --sample=10us --pause-events
//   lossless-run --topology=topology.txt --flows=flow.txt --fct-file=fct.txt
//   lossless-run --topology=star --flows=examples/workloads/ring.cm
//   lossless-run --fail-link=leaf0-spine1@1ms..2ms
//   lossless-run --collective=allreduce --algorithm=ring --size=64MB --placement=random
//   lossless-run --storm=h3:3@100us..1ms --watchdog=drop --watchdog-detect=200us
//   lossless-run --settings=run.ini --scheme=SIH
//
// The third reads files of this module, the fourth those of the HPCC simulator and its forks, the
// fifth a connection matrix of htsim. The default is a leaf-spine network of 16 hosts. The run ends
// when all flows have arrived; with --fct-file, which has the times of senders, when these know.

#include "ns3/lossless-run.h"

int
main(int argc, char* argv[])
{
    return ns3::lossless::RunByOptions(argc, argv, __FILE__);
}
