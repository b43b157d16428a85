// SPDX-License-Identifier: GPL-2.0-only
#include "recorder.h"

#include "ns3/abort.h"
#include "ns3/make-type-id.h"

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(Recorder, Object);

const RecorderList&
Recorder::GetRun() const
{
    NS_ABORT_MSG_IF(!m_run,
                    GetInstanceTypeId().GetName()
                        << ": it needs other recorders, and is in no RecorderList.");
    return *m_run;
}

} // namespace ns3::lossless
