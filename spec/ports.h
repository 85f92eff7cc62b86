/* SPDX-License-Identifier: Apache-2.0 */
/* ports.h - sets of ports, bit p is port p; for the files of spec/ and the benches of its twins (tests/rtl). */
#ifndef UT_SPEC_PORTS_H
#define UT_SPEC_PORTS_H

#include "spec.h"

enum { SPEC_NO_PORT = SPEC_PORTS };

/* The set of one port; empty for SPEC_NO_PORT. */
static inline uint64_t spec_port(unsigned port) {
  return port < SPEC_PORTS ? UINT64_C(1) << port : 0;
}
/* Ports 0 .. count - 1. */
static inline uint64_t spec_first_ports(unsigned count) {
  return count < SPEC_PORTS ? spec_port(count) - 1 : ~UINT64_C(0);
}
static inline bool spec_has_port(uint64_t ports, unsigned port) {
  return (ports & spec_port(port)) != 0;
}
static inline unsigned spec_count_ports(uint64_t ports) {
  unsigned count = 0;
  for (unsigned port = 0; port < SPEC_PORTS; port++)
    count += spec_has_port(ports, port);
  return count;
}
/* The lowest port of the set, or SPEC_NO_PORT. */
static inline unsigned spec_lowest_port(uint64_t ports) {
  unsigned port = 0;
  while (port < SPEC_PORTS && !spec_has_port(ports, port))
    port++;
  return port;
}
/* Returns the first port of the set at or after `first + start`, among ports first .. first + count - 1 taken as a
 * ring; SPEC_NO_PORT: none.  So deterministic algorithms replace a port that is down.  Twin: rtl/first_from.vh */
static inline unsigned spec_first_in_ring(uint64_t ports, unsigned first, unsigned count, unsigned start) {
  for (unsigned i = 0; i < count; i++) {
    const unsigned port = first + (start + i) % count;
    if (spec_has_port(ports, port))
      return port;
  }
  return SPEC_NO_PORT;
}

#endif
