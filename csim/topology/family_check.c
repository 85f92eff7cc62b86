/* SPDX-License-Identifier: Apache-2.0 */
/* family_check.c - see family_check.h */
#include "family_check.h"

#include "layout.h"
#include "scenario.h"
#include "scenario_refusal.h"

uint64_t ut_power(uint64_t base, unsigned exponent) {
  uint64_t result = 1;
  for (; base && exponent; exponent--)
    result = result > UINT64_MAX / base ? UINT64_MAX : result * base;
  return result;
}

int ut_check_levels(const struct ut_check *check, unsigned most, const char *what) {
  const unsigned k = check->s->topology.k, n = check->s->topology.n;
  if (k < 2 || k > most)
    return ut_impossible(check, "topology.k", NULL, "'topology.k' is %u, must be 2..%u for %s", k, most, what);
  if (n < 1 || ut_power(k, n) > UT_MAX_TERMINALS)
    return ut_impossible(check, "topology.n", "make k or n smaller", "k^n = %u^%u is more than %d terminals", k, n,
                         UT_MAX_TERMINALS);
  return 0;
}

int ut_check_local_ports(const struct ut_check *check, unsigned network_ports) {
  const unsigned links = check->s->topology.terminal_links, local = check->s->topology.local_ports;
  if (links < 1 || links > UT_MAX_TERMINAL_LINKS)
    return ut_impossible(check, "topology.terminal_links", NULL, "'topology.terminal_links' is %u, must be 1..%d",
                         links, UT_MAX_TERMINAL_LINKS);
  if (network_ports + local * links > UT_MAX_PORTS)
    return ut_impossible(check, links > 1 ? "topology.terminal_links" : "topology.local_ports",
                         links > 1 ? "a terminal takes a port for each of its links" : NULL,
                         "%u ports, a switch has at most %d", network_ports + local * links, UT_MAX_PORTS);
  return 0;
}
