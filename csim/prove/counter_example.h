/* SPDX-License-Identifier: Apache-2.0 */
/* counter_example.h - a failure of one fault set as something to look at: the shortest walk that shows it, or a cycle
 * of channels with the packets in them. */
#ifndef UT_COUNTER_EXAMPLE_H
#define UT_COUNTER_EXAMPLE_H

#include "outages.h"
#include "prove.h"

/* A packet in a channel, and what it does there. */
struct ut_step {
  uint32_t sw, rt; /* rt: value of the header's field on arrival */
  uint8_t in_port, in_vc;
  bool from_above, u_turn;
  ut_mask own;                /* bits that the packet itself has set here before */
  ut_mask vector;             /* re-route vector that the adversary has put there; own is part of it */
  ut_mask cand[UT_MAX_VCS];   /* what the route function answers: by output VC, over output ports */
  ut_mask bubble[UT_MAX_VCS]; /* those of them that need space for two packets */
  bool leaves;                /* goes on through the output VC below; false: discarded here */
  uint8_t out_port, out_vc;
  uint32_t src, dst; /* of the packet */
};

struct ut_counter_example {
  enum ut_failure kind;
  uint64_t index; /* of the fault set in its space */
  struct ut_fault_set set;
  uint32_t src, dst; /* of a walk */
  /* the walk; or the cycle: step i waits for the channel of step i+1, the last one for that of the first */
  struct ut_step *step;
  size_t steps;
  bool rings;           /* cycle: of rings; step i waits for the ring of step i+1 */
  int64_t number[2];    /* numbering: of the channel before the hop, and behind it */
  size_t back_to;       /* loop: the step that comes after the last one again */
  size_t waiting;       /* cycle: size of the smallest set found of channels that wait for nothing outside it */
  struct ut_step *more; /* cycle: the packets in channels of that set that are not in the cycle */
  size_t mores;
};

/* Examines fault set `index` of the space and finds the shortest walk or cycle of that kind, which ut_prove has seen
 * there.  -1 and *e on failure. */
int ut_counter_example_find(struct ut_counter_example *example, struct ut_prover *prover,
                            const struct ut_fault_space *space, uint64_t index, enum ut_failure kind,
                            struct ut_error *e);
void ut_counter_example_free(struct ut_counter_example *example);

/* For methods: a cycle of channels or rings as steps.  find gives a packet in `from` that waits for `to`.  false: find
 * did, or memory ran out. */
typedef bool ut_find_packet(void *ctx, uint32_t from, uint32_t to, struct ut_step *step);
bool ut_counter_example_cycle(struct ut_counter_example *example, const uint32_t *cycle, size_t length,
                              ut_find_packet *find, void *ctx);

/* Draws it.  -1 and *e as for ut_drawing_svg. */
int ut_counter_example_draw(const struct ut_counter_example *example, const struct ut_explorer *explorer,
                            const char *path, struct ut_error *e);

/* A link as something that is out of order for ever, by its number (link_classes.h). */
struct ut_outage ut_outage_of_link(const struct ut_topology *topo, uint32_t link);

/* One line that says what is wrong. */
const char *ut_counter_example_title(enum ut_failure kind);

/* Links between switches that the walk uses, up to the discarding switch, terminal, or the return to back_to. */
unsigned ut_counter_example_hops(const struct ut_counter_example *example, const struct ut_topology *topo);

#endif
