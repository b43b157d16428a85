// SPDX-License-Identifier: GPL-2.0-only
//
// The module's page in the Doxygen reference; only Doxygen reads this file.

/**
 * @defgroup lossless Lossless Ethernet
 *
 * Shared-memory Ethernet switches with priority flow control (IEEE 802.1Qbb), the schemes that
 * build on it, and RoCEv2 hosts. All of it is in the namespace ns3::lossless.
 */

/**
 * @namespace ns3::lossless
 * @ingroup lossless
 * Everything that the module adds.
 */
