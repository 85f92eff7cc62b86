/* SPDX-License-Identifier: Apache-2.0 */
/* switch.h - the golden model of rtl/ut_switch.v: equal to it in every register and in every cycle.
 *
 * Purpose: a group (struct ut_group) holds all switches that have the same parameters (their shape), in blocks of
 * switches that are stepped together (lanes.h).
 *
 * Interface:
 *   - ut_group_init(), ut_group_join(): memory for the switches, then wires for their ports; all switches are in reset.
 *   - ut_group_step(): one cycle.  It reads the wires of cycle t, leaves the registers with their values of t+1, and
 * puts flits and credits onto the wires of the cycle in which they arrive.
 *   - ut_switch_reset(), ut_switch_configure(): what reset and the configuration port do in the RTL.
 *   - ut_switch_disturb(): the caller has changed an input that the block does not poll.
 *   - registers.h reads and sets single registers.
 *
 * Invariants: nothing is allocated after ut_group_init(); there are no globals and no random numbers.  The order of
 * evaluation in cycle.h is the data flow of one cycle (docs/reference/cycle-contract.md): no step reads a register that
 * the same cycle has already written, unless the hardware has a wire there.
 *
 * Mistakes that a caller can make: an illegal shape (ask ut_shape_rule() first); stepping a group whose shape the model
 * does not implement (ask ut_shape_unmodelled(): the spec must step it); changing a link state, a neighbour's report or
 * the configuration word without ut_switch_disturb(): the fast path does not look at them.
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

/* Returns the lanes of port 0 (one for each VC) within a word of lanes. */
UT_INLINE uint64_t ut_set_columns(const struct ut_form form) {
  const unsigned in_word = form.each_bits < 6 ? form.each_bits : 6;
  uint64_t columns = 1;
  UT_UNROLL
  for (unsigned i = form.port_bits; i < in_word; i++)
    columns |= columns << (1u << i);
  return columns;
}
/* Reads and writes element n of an array of lane sets of one switch.  Each set takes as many bytes as its lanes
 * need. */
UT_INLINE ut_set ut_set_load(const void *array, size_t n, const struct ut_form form) {
  ut_set s = {{0}};
  switch (form.each_bits) {
  default: s.w[0] = ((const uint8_t *)array)[n]; break;
  case 4: s.w[0] = ((const uint16_t *)array)[n]; break;
  case 5: s.w[0] = ((const uint32_t *)array)[n]; break;
  case 6:
  case 7:
  case 8:
  case 9: UT_FOR_EACH_WORD (i, form.locals) s.w[i] = ((const uint64_t *)array)[n * form.locals + i];
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
  case 8:
  case 9: UT_FOR_EACH_WORD (i, form.locals) ((uint64_t *)array)[n * form.locals + i] = s.w[i];
  }
}

/* Inputs of a switch in one cycle. */
struct ut_switch_in {
  ut_mask in_up, out_up; /* link_up */
  const ut_mask *report; /* reports of the neighbours: a mask over output ports for each of ut_shape_reports() bits */
  uint64_t config;       /* word of the configuration port, 0: none */
  /* the wires; only for switches that are not the model's */
  ut_mask valid;               /* input ports with a flit */
  const ut_mask *credit;       /* [VC]: masks over output ports */
  const uint64_t *const *flit; /* [input port] */
};

/* Outputs of a switch in one cycle; the flit of a port is defined only where its bit of `valid` is set. */
struct ut_switch_out {
  ut_mask valid;        /* mask of the output ports that send a flit */
  const uint64_t *flit; /* the flit of output port p begins at word p * stride */
  unsigned stride;
  const ut_mask *credit; /* [VC]: masks over input ports */
  uint32_t reports;      /* bits that the routing family reports to the neighbours */
  bool busy;             /* the switch must be stepped in the next cycle even if nothing arrives */
};

/* Why a switch discards a packet: no route leads to its destination; a link fault cut it behind a header word that is
 * being stripped; the manager ordered a purge. */
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

/* Events of one cycle that the rest of the network must handle, in the order of the switches. */
enum ut_event_kind {
  UT_EVENT_DROPPED,
  UT_EVENT_LOST, /* a flit arrived on a link that is down */
  UT_EVENT_STATE /* the state of the routing family changed */
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

/* One cycle of the network, as its switches see it. */
struct ut_cycle {
  const struct ut_wires *wires;
  uint8_t *flits, *credits;               /* [lane]: wires of this cycle; the step clears the bytes that it takes */
  uint8_t *flits_later, *credits_later;   /* [lane]: wires of the cycle in which what is sent now arrives */
  const ut_mask *in_up, *out_up, *report; /* by switch; reports: by switch and bit */
  unsigned reports;
  const uint64_t *config; /* [switch]: words of the configuration ports, or NULL */
  uint64_t order;         /* if `config` is NULL: the word of all switches */
};

/* Tables computed from the shape.  toward[d][256 + difference]: the minimal directions in dimension d of a grid, as a
 * mask of ports. */
struct ut_lookup {
  uint8_t toward[UT_MAX_DIMENSIONS][512];
};

struct ut_group {
  uint8_t need_of[UT_MAX_LANES];  /* [lane]: credits, or free places of an output queue, that one packet needs */
  uint8_t need2_of[UT_MAX_LANES]; /* the same for two packets (bubble rule) */
  uint8_t send_of[UT_MAX_LANES];  /* [lane] with output queues: credits that a head needs to be sent */
  struct ut_shape shape;
  struct ut_form form;
  unsigned need[UT_MAX_VCS], need2[UT_MAX_VCS]; /* need_of and need2_of by output VC */
  unsigned send[UT_MAX_VCS];
  uint32_t able2[UT_MAX_LANES / 32]; /* lanes of rings whose buffer holds two packets and the bubble */
  uint32_t empty[UT_MAX_LANES / 32]; /* output queues: lanes whose downstream buffer must be empty, too */
  unsigned k;
  unsigned digit_bits;         /* log2 k; 0 if k is no power of two */
  unsigned port_bits, vc_bits; /* fields of a forwarding table entry */
  unsigned dimensions;         /* of a grid; otherwise 0 */
  struct ut_position *place;   /* [terminal]: where it is in a grid */
  ut_mask all_in, all_out;
  ut_mask local_in;                 /* in a direct network: input ports that terminals feed */
  unsigned readings;                /* readings of the paper that the route function follows */
  ut_mask up_ports;                 /* output ports towards the roots, in networks that have roots */
  uint64_t up_lanes[UT_SET_WORDS];  /* the same as lanes of a block */
  uint32_t first, count;            /* the switches of the group have the numbers first..first+count-1 */
  const struct ut_routing *routing; /* the family */
  ut_route_function *route;
  ut_block_steps *steps; /* the cycle, compiled for any shape or for this one */
  struct ut_wires *wires;
  struct ut_spec_group *spec; /* the spec switches of the group (spec_group.h); NULL: none */
  unsigned char *memory;      /* of the switches: struct ut_switch and what follows it */
  unsigned char *block;       /* of the blocks */
  uint32_t blocks;
  struct ut_lookup lookup;
};

/* Allocates `count` switches of a shape, which must be legal (ut_shape_rule() returns NULL).  All of them are in reset,
 * with straps 0; their numbers count from `first`.  Returns false when out of memory. */
bool ut_group_init(struct ut_group *group, const struct ut_shape *shape, uint32_t first, uint32_t count);
/* Connects the switches to wires, on which their lanes count from `lane`.  To be called before the first cycle. */
void ut_group_join(struct ut_group *group, struct ut_wires *wires, uint32_t lane);
/* Returns how many lanes `count` switches take on the wires: those of whole blocks. */
uint32_t ut_shape_lanes(const struct ut_shape *shape, uint32_t count);
void ut_group_fini(struct ut_group *group);

/* Returns the rule that a shape breaks, as the name of the module that stops the elaboration of rtl/ut_switch.v; NULL
 * for a legal shape.
 */
const char *ut_shape_rule(const struct ut_shape *shape);
/* Returns the scenario key that chooses a feature of this legal shape that the model's cycle does not implement yet, so
 * that the spec must step the group (spec_group.h).  NULL: the model implements all of them. */
const char *ut_shape_unmodelled(const struct ut_shape *shape);

/* Returns how many bits a switch of this shape reports to its neighbours, 1..UT_MAX_REPORTS; unused bits are 0. */
enum { UT_MAX_REPORTS = 3 + 2 * UT_MAX_DIMENSIONS };
unsigned ut_shape_reports(const struct ut_shape *shape);
/* Returns the bits that the switch reports in this cycle. */
uint32_t ut_switch_report(const struct ut_group *group, const struct ut_switch *sw);
/* Stores the report that arrives through an output port in `heard`, masks over output ports, one for each bit. */
static inline void ut_report_hear(ut_mask *heard, unsigned bits, unsigned port, uint32_t report) {
  for (unsigned i = 0; i < bits; i++)
    heard[i] = (heard[i] & ~ut_bit(port)) | (report >> i & 1) << port;
}

/* Returns how many flits of space a packet needs to continue in its ring, in a buffer or queue of `depth` flits, for a
 * shape whose algorithm obeys the bubble rule (rtl/ut_packet_space.v).  0: the packet lengths differ too much. */
unsigned ut_shape_ring_space(const struct ut_shape *shape, unsigned depth);

/* Resets the switch and samples its straps; while it is in reset it need not be stepped.  Payload registers keep their
 * values, as in the RTL. */
void ut_switch_reset(const struct ut_group *group, struct ut_switch *sw, uint64_t straps);

/* The cycle of any shape, for switches of up to 256 lanes, and of more (any_shape.h). */
ut_block_steps ut_any_shape_steps, ut_any_shape_many_steps;

/* Steps the blocks first..first+count-1 by one cycle.  Returns how many flits crossed their switches. */
uint64_t ut_group_step(const struct ut_group *group, const struct ut_cycle *cycle, uint32_t first, uint32_t count,
                       struct ut_events *events);

/* Makes the next cycle of the switch's block take the slow path, because an input of the switch from outside has
 * changed. */
void ut_switch_disturb(const struct ut_group *group, const struct ut_switch *sw);

static inline struct ut_switch *ut_switch_of(const struct ut_group *group, uint32_t id) {
  return (struct ut_switch *)(group->memory + (size_t)group->form.switch_stride * (id - group->first));
}

/* ---- the place of a switch in its block */

UT_INLINE struct ut_block *ut_block_at(const struct ut_group *group, uint32_t i, const struct ut_form form) {
  return (struct ut_block *)(void *)(group->block + (size_t)form.stride * i);
}
static inline struct ut_block *ut_block_of(const struct ut_group *group, const struct ut_switch *sw) {
  return ut_block_at(group, (sw->id - group->first) >> group->form.block_bits, group->form);
}
/* Returns the first lane of the switch within its block. */
static inline unsigned ut_lane_of(const struct ut_group *group, const struct ut_switch *sw) {
  return ((sw->id - group->first) & ((1u << group->form.block_bits) - 1)) << group->form.each_bits;
}

/* Prefetches the registers of the switch into the cache. */
static inline void ut_switch_fetch(const struct ut_group *group, const struct ut_switch *sw) {
  const char *b = (const char *)ut_block_of(group, sw);
  for (size_t at = 0; at < group->form.at_saved; at += 64)
    __builtin_prefetch(b + at);
}

/* Returns the forwarding table of a bank of input ports for one of their VCs, one entry for each destination, packed as
 * in the RTL: valid, VC, port; or a next-hop group (ut_table_row()). */
static inline uint16_t *ut_table_of(const struct ut_group *group, struct ut_switch *sw, unsigned bank, unsigned ivc) {
  return (uint16_t *)((unsigned char *)sw + group->form.at_table) +
         (size_t)ut_table_row(group->shape, bank, ivc) * group->shape.destinations;
}
/* Returns the next-hop groups: sets of output ports. */
static inline ut_mask *ut_groups_of(const struct ut_group *group, struct ut_switch *sw) {
  return (ut_mask *)((unsigned char *)sw + group->form.at_groups);
}
/* Returns a row of the VC map: for each VC the output ports where packets may have it.  First are the rows of layers,
 * then those of input VCs. */
static inline ut_mask *ut_vc_row_of(const struct ut_group *group, struct ut_switch *sw, unsigned row) {
  return (ut_mask *)((unsigned char *)sw + group->form.at_vc_map) + (size_t)row * group->shape.v;
}
/* Returns the exclusion intervals of an up port (counted from 0).  Each holds its first destination in the low bits and
 * its last one above. */
static inline uint32_t *ut_exclusions_of(const struct ut_group *group, struct ut_switch *sw, unsigned port) {
  return (uint32_t *)((unsigned char *)sw + group->form.at_exclusion) + (size_t)port * group->shape.exclusions;
}
/* Writes half of a row of the VC map for one VC. */
static inline void ut_switch_configure_vcs(const struct ut_group *group, struct ut_switch *sw, uint64_t word) {
  const unsigned layers = group->shape.vc_map, name = ut_vc_row_row(word), first = 32 * ut_vc_row_half(word);
  if (name < UT_MAX_VC_MAP ? name >= layers : !layers || name >= UT_MAX_VC_MAP + group->shape.v)
    return;
  if (ut_vc_row_vc(word) >= group->shape.v)
    return;
  ut_mask *ports =
      ut_vc_row_of(group, sw, name < UT_MAX_VC_MAP ? name : layers + name - UT_MAX_VC_MAP) + ut_vc_row_vc(word);
  *ports &= ~((ut_mask)UINT32_MAX << first);
  *ports |= (ut_mask)ut_vc_row_ports(word) << first & group->all_out;
}
/* Writes what a word `config`, `hop_group` or `vc_row` of rtl/header.tsv says; of those that name nothing that exists,
 * nothing. */
static inline void ut_switch_configure_table(const struct ut_group *group, struct ut_switch *sw, uint64_t word) {
  const unsigned number = ut_hop_group_number(word), kind = ut_config_kind(word);
  if (kind == UT_CONFIG_KIND_BANK && ut_config_port(word) < group->shape.pi) {
    const ut_mask port = ut_bit(ut_config_port(word));
    sw->banks = ut_config_bank(word) ? sw->banks | port : sw->banks & ~port;
    if (group->shape.vc_map || ut_escape_table_of(group->shape))
      sw->begins = ut_config_valid(word) ? sw->begins | port : sw->begins & ~port;
  }
  if (kind == UT_CONFIG_KIND_GROUP && number < group->shape.groups) {
    const unsigned first = 32 * ut_hop_group_half(word);
    ut_mask *ports = &ut_groups_of(group, sw)[number];
    *ports &= ~((ut_mask)UINT32_MAX << first);
    *ports |= (ut_mask)ut_hop_group_ports(word) << first & group->all_out;
  }
  if (kind == UT_CONFIG_KIND_VCS)
    ut_switch_configure_vcs(group, sw, word);
  if (kind != UT_CONFIG_KIND_ENTRY)
    return;
  const unsigned ways = ut_config_valid(word) << group->vc_bits | ut_config_vc(word);
  const unsigned entry = group->shape.groups ? ut_config_group(word) & ((1u << ut_bits_of(group->shape.groups)) - 1)
                                             : ways << group->port_bits | ut_config_port(word);
  ut_table_of(group, sw, ut_config_bank(word), ut_config_in_vc(word))[ut_config_dst(word)] = (uint16_t)entry;
}
/* Writes to the forwarding tables, or an exclusion interval (words `config`, `hop_group`, `vc_row` and `exclusion` of
 * rtl/header.tsv), as the configuration port does at the end of a cycle. */
static inline void ut_switch_configure(const struct ut_group *group, struct ut_switch *sw, uint64_t word) {
  const unsigned port = ut_exclusion_port(word), number = ut_exclusion_number(word);
  if (ut_exclusion_write(word) && port < group->shape.po / 2 && number < group->shape.exclusions)
    ut_exclusions_of(group, sw, port)[number] = (uint32_t)word;
  if (group->form.tables && ut_config_write(word))
    ut_switch_configure_table(group, sw, word);
}

#endif
