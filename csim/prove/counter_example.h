/* SPDX-License-Identifier: Apache-2.0 */
/* counter_example.h - one failure under one fault set, to be shown: the shortest walk that ends in it, or a cycle of
 * channels with the packets in them. */
#ifndef UT_COUNTER_EXAMPLE_H
#define UT_COUNTER_EXAMPLE_H

#include "outages.h"
#include "prove.h"

/* A packet in a channel, and its next move. */
struct ut_step {
  uint32_t sw, rt; /* rt: value of the header's field on arrival */
  uint8_t in_port, in_vc;
  bool from_above, u_turn;
  ut_mask own;                /* bits that the packet itself has set in this switch before */
  ut_mask vector;             /* re-route vector that the adversary has chosen; it includes own */
  ut_mask cand[UT_MAX_VCS];   /* answer of the route function: by output VC, over output ports */
  ut_mask bubble[UT_MAX_VCS]; /* candidates that require space for two packets */
  bool leaves;                /* the packet continues through the output VC below; false: it is discarded here */
  uint8_t out_port, out_vc;
  uint32_t src, dst; /* of the packet */
  uint8_t met;       /* in a transition: the tables that send it on (enum ut_tables_met) */
};

struct ut_counter_example {
  enum ut_failure kind;
  uint64_t index; /* number of the fault set in its space */
  struct ut_fault_set set;
  bool transition; /* to these faults, from those: */
  struct ut_fault_set before;
  uint32_t src, dst; /* of a walk */
  /* the walk; or the cycle: step i waits for the channel of step i+1, the last step for that of the first */
  struct ut_step *step;
  size_t steps;
  size_t before_failure; /* steps before the state that fails */
  bool rings;            /* cycle of rings: step i waits for the ring of step i+1 */
  int64_t number[2];     /* numbering: numbers of the channel before the hop and behind it */
  size_t back_to;        /* loop: the step that follows the last one again */
  size_t waiting;        /* cycle: size of the smallest set found whose channels wait for no channel outside of it */
  struct ut_step *more;  /* cycle: the packets in channels of that set outside of the cycle */
  size_t mores;
};

/* Examines fault set `index` of the space and finds the shortest walk or cycle of that kind, which ut_prove() has found
 * there.  Returns -1 and fills *e on failure. */
int ut_counter_example_find(struct ut_counter_example *example, struct ut_prover *prover,
                            const struct ut_fault_space *space, uint64_t index, enum ut_failure kind,
                            struct ut_error *e);
void ut_counter_example_free(struct ut_counter_example *example);

/* For methods: makes steps of a cycle of channels or rings.  find() returns a packet in `from` that waits for `to`.
 * Returns false if find() does, or when out of memory. */
typedef bool ut_find_packet(void *ctx, uint32_t from, uint32_t to, struct ut_step *step);
bool ut_counter_example_cycle(struct ut_counter_example *example, const uint32_t *cycle, size_t length,
                              ut_find_packet *find, void *ctx);

/* Draws it.  Returns -1 and fills *e like ut_drawing_svg(). */
int ut_counter_example_draw(const struct ut_counter_example *example, const struct ut_explorer *explorer,
                            const char *path, struct ut_error *e);

/* Returns a link, by its number (link_classes.h), as a component that is down for ever. */
struct ut_outage ut_outage_of_link(const struct ut_topology *topo, uint32_t link);

/* Writes one line that describes the failure. */
const char *ut_counter_example_title(enum ut_failure kind);

/* Returns how many links between switches the walk uses, up to the discarding switch, the terminal, or the return to
 * back_to. */
unsigned ut_counter_example_hops(const struct ut_counter_example *example, const struct ut_topology *topo);

#endif
