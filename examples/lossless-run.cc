// SPDX-License-Identifier: GPL-2.0-only
//
// Runs any network with any flows, configured on the command line or in a settings file.
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
// The third command reads files of this module, the fourth one files of the HPCC simulator and its
// forks, and the fifth one a connection matrix of htsim. The default is a leaf-spine network of 16
// hosts. The run ends when all flows have arrived. With --fct-file, which contains completion times
// as seen by senders, the run ends only when all senders have been notified.

#include "ns3/lossless-run.h"

int
main(int argc, char* argv[])
{
    return ns3::lossless::RunByOptions(argc, argv, __FILE__);
}
