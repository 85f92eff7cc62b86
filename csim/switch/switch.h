/* SPDX-License-Identifier: Apache-2.0 */
/* switch.h - the golden model of rtl/ut_switch.v: equal in every register and every cycle.
 *
 * A group holds all switches of one shape, in blocks (lanes.h).  A step takes what is on the wires in cycle t, leaves
 * the registers as they are in t+1, and puts what a switch drives onto the wires of the cycle in which it arrives.  No
 * allocation after init, no globals, no random numbers.
 *
 * The order of evaluation in cycle.h is the data flow of one cycle (docs/reference/cycle-contract.md): nothing reads
 * what the same cycle has already written unless the hardware has a wire there.
 */
#ifndef UT_SWITCH_H
#define UT_SWITCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "algorithms.h"
#include "form.h"
#include "lanes.h"
#include "layout.h"
#include "mask.h"
#include "shape.h"
#include "wires.h"

UT_INLINE uint64_t *ut_register(const struct ut_block *block, enum ut_register r, const struct ut_form form) {
  return (uint64_t *)(uintptr_t)(block + 1) + (size_t)r * form.sets;
}
#define UT_IN_BLOCK(type, b, offset) ((type *)((unsigned char *)(uintptr_t)(b) + (offset)))

/* The first port of each VC that a word has lanes of. */
UT_INLINE uint64_t ut_set_columns(const struct ut_form form) {
  const unsigned in_word = form.each_bits < 6 ? form.each_bits : 6;
  uint64_t columns = 1;
  UT_UNROLL
  for (unsigned i = form.port_bits; i < in_word; i++)
    columns |= columns << (1u << i);
  return columns;
}
/* An array of sets of a switch's lanes, each in as few bytes as there are lanes for. */
UT_INLINE ut_set ut_set_load(const void *array, size_t n, const struct ut_form form) {
  ut_set s = {{0}};
  switch (form.each_bits) {
  default: s.w[0] = ((const uint8_t *)array)[n]; break;
  case 4: s.w[0] = ((const uint16_t *)array)[n]; break;
  case 5: s.w[0] = ((const uint32_t *)array)[n]; break;
  case 6:
  case 7:
  case 8: UT_FOR_EACH_WORD (i, form.locals) s.w[i] = ((const uint64_t *)array)[n * form.locals + i];
  }
  return s;
}
UT_INLINE void ut_set_store(void *array, size_t n, const ut_set s, const struct ut_form form) {
  switch (form.each_bits) {
  default: ((uint8_t *)array)[n] = (uint8_t)s.w[0]; break;
  case 4: ((uint16_t *)array)[n] = (uint16_t)s.w[0]; break;
  case 5: ((uint32_t *)array)[n] = (uint32_t)s.w[0]; break;
  case 6:
  case 7:
  case 8: UT_FOR_EACH_WORD (i, form.locals) ((uint64_t *)array)[n * form.locals + i] = s.w[i];
  }
}

/* What a switch sees of the outside in one cycle. */
struct ut_switch_in {
  ut_mask in_up, out_up; /* link_up */
  const ut_mask *report; /* what neighbours report, by bit (ut_shape_reports() of them), over output ports */
  uint64_t config;       /* word of the configuration port, 0: none */
  /* the wires, of a switch that is not golden */
  ut_mask valid;               /* input ports with a flit */
  const ut_mask *credit;       /* by VC, over output ports */
  const uint64_t *const *flit; /* at each input port */
};

/* What a switch drives onto its wires; flits are valid where `valid` says so. */
struct ut_switch_out {
  ut_mask valid;        /* output ports with a flit */
  const uint64_t *flit; /* that of a port stands at port * stride words */
  unsigned stride;
  const ut_mask *credit; /* by VC, over input ports */
  uint32_t reports;      /* to the neighbours: bits of the routing family */
  bool busy;             /* must be stepped in the next cycle even if nothing arrives */
};

/* A packet is discarded: the route unit finds nothing that leads to its destination; it was cut behind a header word
 * that is being stripped; the manager has it purged. */
enum ut_dropped { UT_DROPPED_UNREACHABLE, UT_DROPPED_CUT, UT_DROPPED_PURGED };
struct ut_group;
struct ut_spec_group;
struct ut_route_result;
struct ut_routing;
struct ut_cycle;
struct ut_events;
typedef void ut_route_function(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                               unsigned in_vc, struct ut_route_result *r);
typedef uint64_t ut_block_steps(const struct ut_group *g, const struct ut_cycle *c, uint32_t first, uint32_t count,
                                struct ut_events *events);

/* What happened in a cycle that the rest of the network must know, in the order of the switches. */
enum ut_event_kind {
  UT_EVENT_DROPPED,
  UT_EVENT_LOST, /* a flit, on a link that is not up */
  UT_EVENT_STATE /* of the family, changed */
};
struct ut_event {
  enum ut_event_kind kind;
  enum ut_dropped why;
  uint32_t sw;
  uint64_t header;
};
struct ut_events {
  struct ut_event *event;
  size_t count, capacity;
  bool failure; /* out of memory */
};
static inline void ut_events_add(struct ut_events *events, struct ut_event event) {
  if (events->count == events->capacity) {
    const size_t capacity = events->capacity ? 2 * events->capacity : 64;
    struct ut_event *bigger = (struct ut_event *)realloc(events->event, capacity * sizeof *bigger);
    if (!bigger) {
      events->failure = true;
      return;
    }
    events->event = bigger;
    events->capacity = capacity;
  }
  events->event[events->count++] = event;
}

/* One cycle of a network, as its switches see it. */
struct ut_cycle {
  const struct ut_wires *wires;
  uint8_t *flits, *credits;               /* on the wires now, by lane; taken off */
  uint8_t *flits_later, *credits_later;   /* where to put what will arrive */
  const ut_mask *in_up, *out_up, *report; /* by switch; reports: by bit */
  unsigned reports;
  const uint64_t *config; /* words of the configuration ports, by switch, or NULL */
  uint64_t order;         /* if NULL: one word for all */
};

/* What follows from the shape, looked up: in grids, by 256 and what is to be added to a coordinate, the minimal
 * directions as ports. */
struct ut_lookup {
  uint8_t toward[UT_MAX_DIMENSIONS][512];
};

struct ut_group {
  uint8_t need_of[UT_MAX_LANES];  /* by lane: credits, or places in an output queue, for a packet, */
  uint8_t need2_of[UT_MAX_LANES]; /* and for two; */
  uint8_t send_of[UT_MAX_LANES];  /* output queues: credits with which a head is sent */
  struct ut_shape shape;
  struct ut_form form;
  unsigned need[UT_MAX_VCS], need2[UT_MAX_VCS]; /* the same by output VC; two: bubble rule */
  unsigned send[UT_MAX_VCS];
  uint32_t able2[UT_MAX_LANES / 32]; /* lanes of rings whose buffer can hold two packets and the space */
  uint32_t empty[UT_MAX_LANES / 32]; /* output queues: lanes whose buffer must be empty, too, for a packet */
  unsigned k;
  unsigned digit_bits;         /* log2 k, or 0 where k is no power of two */
  unsigned port_bits, vc_bits; /* of a table entry */
  unsigned dimensions;         /* of a grid */
  struct ut_position *place;   /* of its terminals */
  ut_mask all_in, all_out;
  ut_mask local_in;                 /* in a direct network: input ports of terminals */
  unsigned readings;                /* of a paper's text that the route function takes; tests take some of them back */
  ut_mask up_ports;                 /* output ports towards the roots, where there are such, */
  uint64_t up_lanes[UT_SET_WORDS];  /* and the lanes of those of a block */
  uint32_t first, count;            /* its switches have the ids first..first+count-1 */
  const struct ut_routing *routing; /* the family */
  ut_route_function *route;
  ut_block_steps *steps; /* the cycle, with this form as constants or not */
  struct ut_wires *wires;
  struct ut_spec_group *spec; /* the plain switches beside these (spec_group.h); NULL: none */
  unsigned char *memory;      /* of the switches */
  unsigned char *block;       /* of the blocks */
  uint32_t blocks;
  struct ut_lookup lookup;
};

/* Allocates `count` switches of that shape, which must be legal (ut_shape_rule() returns NULL), all in reset with
 * straps 0; their ids count from `first`.  false: out of memory. */
bool ut_group_init(struct ut_group *group, const struct ut_shape *shape, uint32_t first, uint32_t count);
/* Gives them wires, on which their lanes count from `lane`; before the first cycle. */
void ut_group_join(struct ut_group *group, struct ut_wires *wires, uint32_t lane);
/* Lanes of that many switches on the wires: whole blocks. */
uint32_t ut_shape_lanes(const struct ut_shape *shape, uint32_t count);
void ut_group_fini(struct ut_group *group);

/* The rule that a shape breaks, named as the module that stops the elaboration of rtl/ut_switch.v; NULL for a legal
 * shape.
 */
const char *ut_shape_rule(const struct ut_shape *shape);
/* What the model's cycle does not know yet of a legal shape, as the key of a scenario that chooses it: the switches of
 * such a group must be stepped by the spec (spec_group.h).  NULL: it knows all. */
const char *ut_shape_unmodelled(const struct ut_shape *shape);

/* Bits that a switch of that shape reports to its neighbours, 1..UT_MAX_REPORTS; unused ones are 0. */
enum { UT_MAX_REPORTS = 3 + 2 * UT_MAX_DIMENSIONS };
unsigned ut_shape_reports(const struct ut_shape *shape);
/* What it reports now. */
uint32_t ut_switch_report(const struct ut_group *group, const struct ut_switch *sw);
/* A neighbour's report arrives through an output port: into masks over these ports, by bit. */
static inline void ut_report_hear(ut_mask *heard, unsigned bits, unsigned port, uint32_t report) {
  for (unsigned i = 0; i < bits; i++)
    heard[i] = (heard[i] & ~ut_bit(port)) | (report >> i & 1) << port;
}

/* Space that a packet needs in a buffer or queue of `depth` flits to go on in its ring, for a shape whose algorithm
 * obeys the bubble rule: see rtl/ut_packet_space.v.  0: the packets' lengths differ too much. */
unsigned ut_shape_ring_space(const struct ut_shape *shape, unsigned depth);

/* Reset, sampling the straps; while a switch is in reset it needs no steps.  Payload registers keep their values, as in
 * the RTL. */
void ut_switch_reset(const struct ut_group *group, struct ut_switch *sw, uint64_t straps);

/* One cycle of the blocks first..first+count-1.  Returns how many flits crossed their switches. */
uint64_t ut_group_step(const struct ut_group *group, const struct ut_cycle *cycle, uint32_t first, uint32_t count,
                       struct ut_events *events);

/* Something outside has changed for a switch: the next cycle of its block looks at everything. */
void ut_switch_disturb(const struct ut_group *group, const struct ut_switch *sw);

static inline struct ut_switch *ut_switch_of(const struct ut_group *group, uint32_t id) {
  return (struct ut_switch *)(group->memory + (size_t)group->form.switch_stride * (id - group->first));
}

/* ---- where a switch is in its block */

UT_INLINE struct ut_block *ut_block_at(const struct ut_group *group, uint32_t i, const struct ut_form form) {
  return (struct ut_block *)(void *)(group->block + (size_t)form.stride * i);
}
static inline struct ut_block *ut_block_of(const struct ut_group *group, const struct ut_switch *sw) {
  return ut_block_at(group, (sw->id - group->first) >> group->form.block_bits, group->form);
}
/* Its first lane there. */
static inline unsigned ut_lane_of(const struct ut_group *group, const struct ut_switch *sw) {
  return ((sw->id - group->first) & ((1u << group->form.block_bits) - 1)) << group->form.each_bits;
}

/* Calls its registers into the cache. */
static inline void ut_switch_fetch(const struct ut_group *group, const struct ut_switch *sw) {
  const char *b = (const char *)ut_block_of(group, sw);
  for (size_t at = 0; at < group->form.at_saved; at += 64)
    __builtin_prefetch(b + at);
}

/* The forwarding table of an input VC: entries over destinations, as the RTL packs them: valid, VC, port. */
static inline uint16_t *ut_table_of(const struct ut_group *group, struct ut_switch *sw, unsigned ip, unsigned ivc) {
  return (uint16_t *)((unsigned char *)sw + group->form.at_table) +
         (size_t)(ip * group->shape.v + ivc) * group->shape.destinations;
}
/* The exclusion intervals of an up port, counted from 0: first destination, and above it the last one. */
static inline uint32_t *ut_exclusions_of(const struct ut_group *group, struct ut_switch *sw, unsigned port) {
  return (uint32_t *)((unsigned char *)sw + group->form.at_exclusion) + (size_t)port * group->shape.exclusions;
}
/* Writes an entry of the forwarding tables, or an exclusion interval (words `config` and `exclusion` of
 * rtl/header.tsv), as the configuration port does at the end of a cycle. */
static inline void ut_switch_configure(const struct ut_group *group, struct ut_switch *sw, uint64_t word) {
  const unsigned port = ut_exclusion_port(word), number = ut_exclusion_number(word);
  if (ut_exclusion_write(word) && port < group->shape.po / 2 && number < group->shape.exclusions)
    ut_exclusions_of(group, sw, port)[number] = (uint32_t)word;
  if (!group->form.tables || !ut_config_write(word))
    return;
  unsigned entry = ut_config_valid(word) << group->vc_bits | ut_config_vc(word);
  ut_table_of(group, sw, ut_config_in_port(word), ut_config_in_vc(word))[ut_config_dst(word)] =
      (uint16_t)(entry << group->port_bits | ut_config_port(word));
}

#endif
