/* SPDX-License-Identifier: Apache-2.0 */
/* steps.h - the steps of a cycle, and the results that one step leaves for the next; for the files of spec/ and the
 * benches of its twins (tests/rtl). */
#ifndef UT_SPEC_STEPS_H
#define UT_SPEC_STEPS_H

#include <stddef.h>

#include "spec.h"

/* The decisions of this cycle for one input VC. */
struct spec_decision {
  /* step 1 */
  bool stale;                /* its candidates may be out of date: it must be routed again */
  bool purged;               /* a purge discards its packet */
  bool routed;               /* the route unit served it */
  struct spec_answer answer; /* with this answer */
  /* step 2 */
  bool bids, granted;
  unsigned port, vc; /* the output VC that it bids for, is granted or owns */
  /* step 3 */
  bool requests, wins;
  /* step 4 */
  bool leaves; /* the front flit goes to output port `port` */
  bool strips; /* the front flit is a header word that is used up */
  bool pops;   /* the front flit leaves the buffer */
};

/* One cycle: its inputs, and the decisions so far. */
struct spec_cycle {
  const struct spec_inputs *in;
  struct spec_decision vc[SPEC_PORTS][SPEC_VCS];
  bool sends[SPEC_PORTS][SPEC_VCS];  /* a flit leaves through that output VC */
  struct spec_flit sent[SPEC_PORTS]; /* this one, */
  unsigned from[SPEC_PORTS];         /* it comes from that input port */
  int transmits[SPEC_PORTS];         /* OUTPUT_DEPTH: the VC whose queue sends its front flit; -1: none */
};

/* Loops over each VC of each input port; no step depends on the order. */
#define EACH_INPUT_VC(s, ip, ivc)                                                                                      \
  for (unsigned ip = 0; ip < (s)->shape.pi; ip++)                                                                      \
    for (unsigned ivc = 0; ivc < (s)->shape.v; ivc++)

/* ---- the steps, in the order of the contract.  Each reads registers of cycle t, except round-robin pointers, which a
 * step moves when it has used them */
void spec_route_heads(struct spec_switch *sw, struct spec_cycle *cycle);         /* 1: input_port.c */
void spec_allocate_vcs(struct spec_switch *sw, struct spec_cycle *cycle);        /* 2: vc_allocator.c */
void spec_cross_winners(const struct spec_switch *sw, struct spec_cycle *cycle); /* 4, with XBAR_CYCLES 1: crossbar.c */
void spec_allocate_switch(struct spec_switch *sw, struct spec_cycle *cycle);     /* 3: switch_allocator.c */
void spec_traverse(const struct spec_switch *sw, struct spec_cycle *cycle);      /* 4: crossbar.c */
void spec_transmit(struct spec_switch *sw, struct spec_cycle *cycle);            /* OUTPUT_DEPTH: output_queue.c */
/* 5: each block writes its registers of t+1 */
void spec_update_input(struct spec_switch *sw, struct spec_cycle *cycle, unsigned ip); /* input_port.c */
void spec_update_input_vc(struct spec_switch *sw, struct spec_cycle *cycle, unsigned ip, unsigned ivc); /* input_vc.c */
void spec_update_output(struct spec_switch *sw, const struct spec_cycle *cycle, unsigned op); /* output_unit.c */
void spec_update_queue(struct spec_switch *sw, const struct spec_cycle *cycle, unsigned op, unsigned ovc);
void spec_update_reroute_vector(struct spec_switch *sw, const struct spec_cycle *cycle); /* reroute_vector.c */
void spec_update_node_states(struct spec_switch *sw, const struct spec_cycle *cycle);    /* node_states.c */
void spec_update_tables(struct spec_switch *sw, uint64_t word);                          /* switch.c */
void spec_update_exclusions(struct spec_switch *sw, uint64_t word);                      /* switch.c */

/* ---- the route unit */

/* A question to the routing algorithm, about one head. */
struct spec_route_query {
  const struct ut_shape *shape;
  uint64_t straps, header;
  unsigned in_port, in_vc;
  uint64_t up; /* output ports whose link was up in the last cycle */
  const struct spec_reroute_vector *reroute;
  const struct spec_node_states *nodes;
  const struct spec_table_entry *table;    /* [destination]: of the port's bank and the VC */
  const struct spec_table_entry *adaptive; /* [destination]: with an escape VC, of the other VCs */
  const struct spec_table_entry *via;      /* the same of bank 1: towards intermediate terminals */
  const uint64_t *group;                   /* next-hop groups */
  const uint64_t (*vcs)[SPEC_VCS];         /* VC map */
  bool begins;                             /* the packet begins here: its row is that of its layer */
  const struct spec_interval (*exclusion)[UT_MAX_EXCLUSIONS];
  struct spec_cover *cover;
};

/* Fills in the answer for the head at the front of an input VC (route_unit.c). */
void spec_route(const struct spec_switch *sw, uint64_t header, unsigned ip, unsigned ivc, struct spec_answer *answer);

/* The routing families; they fill an empty answer. */
void spec_route_fattree(const struct spec_route_query *query, struct spec_answer *answer);
void spec_route_table(const struct spec_route_query *query, struct spec_answer *answer);
void spec_route_torus(const struct spec_route_query *query, struct spec_answer *answer); /* and meshes */
void spec_route_ruft(const struct spec_route_query *query, struct spec_answer *answer);
void spec_route_detour_cube(const struct spec_route_query *query, struct spec_answer *answer);
void spec_route_detour_grid(const struct spec_route_query *query, struct spec_answer *answer); /* meshes and tori */

/* ---- questions about registers of cycle t */

/* Returns whether a forwarding table has a row for the adaptive VCs: the last VC is the escape VC then. */
static inline bool spec_has_escape_vc(const struct ut_shape *shape) {
  return UT_ALG_TABLES(shape->route, shape->algorithm) && UT_ALG_PREFERRED(shape->route, shape->algorithm);
}

/* Returns the forwarding table of a bank of input ports for one of their VCs, one entry for each destination; entries
 * that name next-hop groups serve all VCs.  With an escape VC the last row, ivc 1, serves the others, of both banks. */
static inline struct spec_table_entry *spec_table(const struct spec_switch *sw, unsigned bank, unsigned ivc) {
  const bool adaptive = spec_has_escape_vc(&sw->shape) && ivc % 2;
  const unsigned row = !sw->shape.groups ? bank * sw->shape.v + ivc : adaptive ? 2 : bank;
  return sw->table + (size_t)row * sw->shape.destinations;
}

static inline const struct spec_flit *spec_front(const struct spec_input_vc *vc) {
  return &vc->buffer[vc->read];
}
static inline bool spec_front_is_head(const struct spec_input_vc *vc) {
  return spec_front(vc)->head || vc->stripped;
}
/* Whether the packet was cut behind the header word that was stripped, so that only its bad tail is left. */
static inline bool spec_is_stray_tail(const struct spec_input_vc *vc) {
  return vc->stripped && vc->count && spec_front(vc)->bad;
}
/* Whether the link of the output port that an active packet owns has failed. */
static inline bool spec_is_cut_off(const struct spec_switch *sw, const struct spec_input_vc *vc) {
  return vc->state == UT_VC_STATE_ACTIVE && !sw->out[vc->out_port].up;
}

/* Returns the answer by which a VC bids in this cycle, whether or not an output VC has space; NULL: it does not bid
 * (vc_allocator.c). */
const struct spec_answer *spec_bids_with(const struct spec_switch *sw, const struct spec_input_vc *vc,
                                         const struct spec_decision *decision);

/* Dimensions of a grid; 0: the network is none. */
static inline unsigned spec_dimensions(const struct ut_shape *shape) {
  unsigned dimensions = 0;
  while (dimensions < UT_MAX_DIMENSIONS && shape->size[dimensions])
    dimensions++;
  return dimensions;
}
/* Whether the port leads to a terminal, in a direct network: ports to other switches come first. */
static inline bool spec_is_local(const struct ut_shape *shape, unsigned port) {
  const unsigned network = shape->cube + 2 * spec_dimensions(shape);
  return network && port >= network;
}
static inline const struct spec_flit *spec_queue_front(const struct spec_output_vc *vc) {
  return &vc->queue[vc->read];
}
/* Returns the free places for the next flit of the packet that owns the output VC: in its queue, or else behind the
 * link. */
static inline unsigned spec_free_places(const struct spec_switch *sw, unsigned op, unsigned ovc) {
  const struct spec_output_vc *vc = &sw->out[op].vc[ovc];
  return sw->shape.output_depth ? sw->shape.output_depth - vc->count : vc->credits;
}
/* Returns the number of VCs before the escape VCs, of algorithms with a preferred class. */
static inline unsigned spec_adaptive_vcs(const struct ut_shape *shape) {
  const unsigned escape_vcs = shape->escapes << UT_ALG_DATELINE(shape->route, shape->algorithm);
  return UT_ALG_PREFERRED(shape->route, shape->algorithm) ? shape->v - escape_vcs : 0;
}

/* Round-robin: returns the first request at or after the pointer, otherwise the first one; -1: none (rr_arbiter.c). */
int spec_round_robin(const bool *request, unsigned lines, unsigned pointer);
/* Remove requests that the arbiter must not see (request_filter.c). */
/* ARBITRATION: removes requests of lower rank than others; rank: by line. */
void spec_highest_rank_first(bool *request, const unsigned *rank, unsigned lines);
/* Returns the rank of the packet at the front of an input VC, by the arbitration policy. */
unsigned spec_rank(const struct spec_switch *sw, unsigned ip, unsigned ivc);
/* LOCAL_FIRST, applied first: removes requests of ports to other switches if a port of a terminal has one; line i
 * belongs to input port i % PI. */
void spec_local_first(const struct ut_shape *shape, bool *request, unsigned lines);

#endif
