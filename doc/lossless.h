// SPDX-License-Identifier: GPL-2.0-only
//
// Doxygen's page of the module, which Doxygen alone reads.

/**
 * @defgroup lossless Lossless Ethernet
 *
 * Shared-memory Ethernet switches with priority flow control (IEEE 802.1Qbb), the schemes that
 * build on it, and RoCEv2 hosts. All of it is in the namespace ns3::lossless.
 */

/**
 * @namespace ns3::lossless
 * @ingroup lossless
 * All that the module adds.
 */
