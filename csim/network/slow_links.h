/* SPDX-License-Identifier: Apache-2.0 */
/* slow_links.h - links that take more cycles than the others, in networks whose file gives each a latency.
 *
 * Switches and terminals put flits and credits where those of the other links arrive; at the beginning of the next cycle
 * they are put where those of their link do.  Credits take as long as flits.  Networks without such links have an empty
 * list.
 */
#ifndef UT_SLOW_LINKS_H
#define UT_SLOW_LINKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ut_network;
struct ut_topology;

/* One VC of such a channel. */
struct ut_slow_link {
  uint32_t to, from; /* lanes: where its flits go, and its credits */
  uint8_t flits, credits; /* cycles from the present one to where those of the last cycle lie: 0 ... */
  uint8_t extra;
};

struct ut_slow_links {
  struct ut_slow_link *link;
  size_t count;
  unsigned longest; /* extra cycles */
};

/* Cycles that a channel takes more than others of its kind. */
unsigned ut_network_extra_cycles(const struct ut_network *net, uint32_t channel);

/* Sets ->longest only: before the wires are made. */
void ut_slow_links_measure(struct ut_network *net);
/* Makes the list, when lanes are known.  false: out of memory. */
bool ut_slow_links_init(struct ut_network *net);
void ut_slow_links_fini(struct ut_slow_links *slow);

/* At the beginning of a cycle. */
void ut_slow_links_step(struct ut_network *net);

#endif
