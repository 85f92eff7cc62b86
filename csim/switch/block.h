/* SPDX-License-Identifier: Apache-2.0 */
/* block.h - a block in the middle of its cycle: the values that the steps of the data path hand to each other. */
#ifndef UT_BLOCK_H
#define UT_BLOCK_H

#include "node_states.h"
#include "route_unit.h"
#include "rr_arbiter.h"
#include "switch.h"

/* Pointers that the compiler would otherwise reload again and again: see struct ut_wires, struct ut_cycle. */
struct ut_reach {
  uint64_t *ring;
  void *send, *write;
  const uint32_t *to, *from;
  uint8_t *flits, *credits, *flits_later, *credits_later;
};

struct ut_work {
  const struct ut_group *g;
  struct ut_block *b;
  const struct ut_cycle *c;
  struct ut_events *events;
  bool fast_path;                 /* a constant: see ut_block_step */
  size_t lane;                    /* number of its first lane on the wires */
  unsigned char *switches;        /* of the block */
  struct ut_reach reach;          /* wires from the first lane on, */
  struct ut_reach near;           /* and from the block's first lane on; arrivals are in `reach` only */
  uint64_t come[UT_SET_WORDS];    /* lanes with arrivals */
  uint64_t bid[UT_SET_WORDS];     /* input VCs that bid for an output VC in this cycle */
  uint64_t asked[UT_SET_WORDS];   /* input VCs that the route unit served, */
  uint64_t routed[UT_SET_WORDS];  /* those of them that got candidates, */
  uint64_t depends[UT_SET_WORDS]; /* and those whose answer depends on the family's state */
  uint64_t send[UT_SET_WORDS];    /* input VCs whose flit may cross the crossbar */
  uint64_t active[UT_SET_WORDS];  /* active input VCs at the start of the cycle, on the slow path */
  uint64_t drain[UT_SET_WORDS];
  uint64_t popped[UT_SET_WORDS];  /* input VCs whose front flit leaves */
  uint64_t left[UT_SET_WORDS];    /* output VCs that put a flit on the wire */
  uint64_t crossed[UT_SET_WORDS]; /* with output queues: output VCs whose queue accepts a flit */
  uint64_t ended[UT_SET_WORDS];   /* a tail left these input VCs, */
  uint64_t freed[UT_SET_WORDS];   /* ... for these output VCs */
  uint64_t dropped[UT_SET_WORDS]; /* input VCs whose tail was discarded; for registers of policies only */
  uint32_t turned;                /* switches of the block that set bits of the re-route vector */
};

/* Sets what is the same for all blocks of a cycle; ut_work_set_block() sets the block itself. */
UT_INLINE void ut_work_begin(struct ut_work *work, const struct ut_group *group, const struct ut_cycle *cycle,
                             struct ut_events *events, bool fast_path) {
  const struct ut_wires *wires = cycle->wires;
  for (unsigned i = 0; i < UT_SET_WORDS; i++)
    work->dropped[i] = 0;
  work->g = group, work->c = cycle, work->events = events, work->fast_path = fast_path;
  work->reach = (struct ut_reach){0};
  if (wires)
    work->reach = (struct ut_reach){wires->ring,  wires->send,    wires->write,       wires->to,           wires->from,
                                    cycle->flits, cycle->credits, cycle->flits_later, cycle->credits_later};
}
UT_INLINE void ut_work_set_block(struct ut_work *work, struct ut_block *block, const struct ut_form form) {
  const size_t lane = block->lane;
  const struct ut_reach reach = work->reach;
  work->b = block;
  work->lane = lane;
  work->switches = work->g->memory + (size_t)form.switch_stride * block->first;
  work->turned = 0;
  if (work->fast_path || reach.ring) /* a switch may be reset before it has wires */
    work->near = (struct ut_reach){.ring = reach.ring + lane * form.ring,
                                   .send = (uint8_t *)reach.send + (lane << form.wide),
                                   .write = (uint8_t *)reach.write + (lane << form.wide),
                                   .to = reach.to + lane,
                                   .from = reach.from + lane};
}

/* ---- lanes */

/* The first lane of its switch, and the index of its port in arrays by port. */
UT_INLINE size_t ut_lane_base(size_t n, const struct ut_form form) {
  return form.block_bits ? n >> form.each_bits << form.each_bits : 0;
}
UT_INLINE size_t ut_lane_port_index(size_t n, const struct ut_form form) {
  if (form.v == 1 || !form.block_bits)
    return form.v == 1 ? n : ut_lane_port(n, form);
  return n >> form.each_bits << form.port_bits | (n & ((1u << form.port_bits) - 1));
}
UT_INLINE struct ut_switch *ut_lane_switch(const struct ut_work *work, size_t n, const struct ut_form form) {
  return (struct ut_switch *)(work->switches + (form.switch_stride >> form.each_bits) * ut_lane_base(n, form));
}
/* Returns the switches of the block; the last block may not be full. */
UT_INLINE unsigned ut_block_switches(const struct ut_work *work, const struct ut_form form) {
  const uint32_t left = work->g->count - work->b->first;
  return left < 1u << form.block_bits ? left : 1u << form.block_bits;
}
#define UT_REG(type, at) UT_IN_BLOCK(type, work->b, form.at)

/* ---- sets of a switch's lanes */

UT_INLINE ut_set ut_set_of(const uint64_t *set, size_t base, const struct ut_form form) {
  ut_set s = {{0}};
  if (form.each_bits < 6) {
    s.w[0] = set[base / 64] >> base % 64 & ((UINT64_C(1) << (1u << form.each_bits)) - 1);
    return s;
  }
  UT_FOR_EACH_WORD (i, form.locals)
    s.w[i] = set[base / 64 + i];
  return s;
}
UT_INLINE ut_set ut_set_all(void) {
  ut_set s;
  for (unsigned i = 0; i < UT_LOCAL_WORDS; i++)
    s.w[i] = ~UINT64_C(0);
  return s;
}
UT_INLINE bool ut_set_any(const ut_set s, const struct ut_form form) {
  uint64_t any = 0;
  UT_FOR_EACH_WORD (i, form.locals)
    any |= s.w[i];
  return any != 0;
}
UT_INLINE bool ut_set_several(const ut_set s, const struct ut_form form) {
  unsigned words = 0;
  UT_FOR_EACH_WORD (i, form.locals) {
    if (s.w[i] & (s.w[i] - 1))
      return true;
    words += s.w[i] != 0;
  }
  return words > 1;
}
UT_INLINE ut_set ut_set_and(ut_set s, const ut_set other, const struct ut_form form) {
  UT_FOR_EACH_WORD (i, form.locals)
    s.w[i] &= other.w[i];
  return s;
}
UT_INLINE ut_set ut_set_but(ut_set s, const ut_set other, const struct ut_form form) {
  UT_FOR_EACH_WORD (i, form.locals)
    s.w[i] &= ~other.w[i];
  return s;
}
/* The lowest lane of a set that is not empty. */
UT_INLINE unsigned ut_set_first(const ut_set s, const struct ut_form form) {
  unsigned i = 0;
  while (i + 1 < form.locals && !s.w[i])
    i++;
  return 64 * i + (unsigned)__builtin_ctzll(s.w[i]);
}
/* The lanes above one. */
UT_INLINE ut_set ut_set_above(unsigned lane, const struct ut_form form) {
  ut_set s = {{0}};
  if (form.locals == 1) {
    s.w[0] = ~UINT64_C(1) << lane;
    return s;
  }
  UT_FOR_EACH_WORD (i, form.locals)
    s.w[i] = i < lane / 64 ? 0 : i > lane / 64 ? ~UINT64_C(0) : ~UINT64_C(1) << lane % 64;
  return s;
}
/* Converts masks over ports, by VC, to lanes. */
UT_INLINE ut_set ut_set_join(const ut_mask *masks, const struct ut_form form) {
  ut_set s = {{0}};
  UT_UNROLL
  for (unsigned i = 0; i < form.v; i++)
    s.w[(i << form.port_bits) / 64] |= (uint64_t)masks[i] << (i << form.port_bits) % 64;
  return s;
}
UT_INLINE ut_mask ut_set_mask(const ut_set s, unsigned vc, const struct ut_form form) {
  return (ut_mask)(s.w[(vc << form.port_bits) / 64] >> (vc << form.port_bits) % 64) & ut_mask_all(1u << form.port_bits);
}
/* All lanes of these ports. */
UT_INLINE ut_set ut_set_lanes(ut_mask ports, const struct ut_form form) {
  ut_set s = {{0}};
  UT_FOR_EACH_WORD (i, form.locals)
    s.w[i] = (ports & ut_mask_all(1u << form.port_bits)) * ut_set_columns(form);
  return s;
}
/* A set of candidates: masks over output ports, by VC. */
UT_INLINE ut_set ut_set_candidates(const ut_mask *masks, const struct ut_form form) {
  if (form.alike < form.v || form.locals > 1)
    return ut_set_join(masks, form);
  return (ut_set){{(masks[0] * ut_set_columns(form)) & (~UINT64_C(0) >> (64 - (form.v << form.port_bits)))}};
}
/* The same of the VCs that there are. */
UT_INLINE ut_set ut_set_inputs(ut_mask ports, const struct ut_form form) {
  ut_mask masks[UT_MAX_VCS];
  for (unsigned i = 0; i < form.v; i++)
    masks[i] = ports;
  return ut_set_join(masks, form);
}
/* The VCs of a port that have a lane in the set. */
UT_INLINE ut_mask ut_set_vcs(const ut_set s, unsigned port, const struct ut_form form) {
  ut_mask vcs = 0;
  if (form.locals == 1) {
    UT_UNROLL
    for (unsigned i = 0; i < form.v; i++)
      vcs |= (ut_mask)(s.w[0] >> (i << form.port_bits | port) & 1) << i;
    return vcs;
  }
  for (unsigned i = 0; i < form.v; i++) {
    const unsigned lane = i << form.port_bits | port;
    vcs |= (ut_mask)(s.w[lane / 64] >> lane % 64 & 1) << i;
  }
  return vcs;
}
/* Round robin: the request that is granted (rr_arbiter.h); `first`: those that come before the others. */
UT_INLINE unsigned ut_set_pick(const ut_set requests, const ut_set first, const struct ut_form form) {
  const ut_set before = ut_set_and(requests, first, form);
  return ut_set_first(ut_set_any(before, form) ? before : requests, form);
}

/* ---- words of lanes: those of all switches in 64 lanes, or of one switch that has more */

UT_INLINE size_t ut_lane_word_size(const struct ut_form form) {
  return form.each_bits < 6 ? 64 : (size_t)1 << form.each_bits;
}
UT_INLINE ut_set ut_lane_word_of(const uint64_t *set, size_t base, const struct ut_form form) {
  ut_set s;
  UT_FOR_EACH_WORD (i, form.locals)
    s.w[i] = set[base / 64 + i];
  return s;
}
/* The lanes of VC 0. */
UT_INLINE uint64_t ut_lane_word_all_ports(const struct ut_form form) {
  uint64_t ports = ut_mask_all(1u << form.port_bits);
  UT_UNROLL
  for (unsigned i = form.each_bits; i < 6; i++)
    ports |= ports << (1u << i);
  return ports;
}
/* Returns the lane of VC 0 of the same port. */
UT_INLINE unsigned ut_lane_word_port(unsigned lane, const struct ut_form form) {
  return lane & ~(((1u << form.each_bits) - 1) & ~((1u << form.port_bits) - 1));
}
/* Returns the ports that have a lane in the set, by their lanes of VC 0. */
UT_INLINE uint64_t ut_lane_word_ports(const ut_set s, const struct ut_form form) {
  uint64_t all = 0;
  UT_FOR_EACH_WORD (i, form.locals)
    all |= s.w[i];
  UT_UNROLL
  for (unsigned i = form.each_bits < 6 ? form.each_bits : 6; i > form.port_bits; i--)
    all |= all >> (1u << (i - 1));
  return all & ut_lane_word_all_ports(form);
}

/* Returns the same for a set of one switch, as a mask. */
UT_INLINE ut_mask ut_set_ports(const ut_set s, const struct ut_form form) {
  return (ut_mask)ut_lane_word_ports(s, form);
}

/* Writes the lanes of one switch into sets of its block. */
UT_INLINE void ut_block_put(uint64_t *set, size_t base, const ut_set s, const struct ut_form form) {
  if (form.each_bits < 6) {
    const uint64_t all = ((UINT64_C(1) << (1u << form.each_bits)) - 1) << base % 64;
    set[base / 64] = (set[base / 64] & ~all) | s.w[0] << base % 64;
    return;
  }
  UT_FOR_EACH_WORD (i, form.locals)
    set[base / 64 + i] = s.w[i];
}

/* ---- flits */

/* Position and flit at the front of an input VC. */
UT_INLINE unsigned ut_front(const struct ut_work *work, size_t n, const struct ut_form form) {
  return ut_position_at(UT_REG(void, at_rd), n, form.wide);
}
UT_INLINE uint64_t *ut_flit_of(const struct ut_work *work, size_t n, unsigned position, const struct ut_form form) {
  return work->near.ring + (n * 2 * form.depth + position) * (form.words + 1);
}
UT_INLINE uint64_t *ut_front_flit(const struct ut_work *work, size_t n, const struct ut_form form) {
  return ut_flit_of(work, n, ut_front(work, n, form), form);
}
/* Returns the flits in the buffer at the start of the cycle. */
UT_INLINE unsigned ut_count(const struct ut_work *work, size_t n, const struct ut_form form) {
  return ut_position_count(ut_front(work, n, form), ut_position_at(work->near.write, n, form.wide), form.depth);
}

/* Reports a lost packet, whose head is in that lane, because a link is down. */
UT_INLINE void ut_lost(const struct ut_work *work, size_t n, uint64_t header, const struct ut_form form) {
  ut_events_add(work->events,
                (struct ut_event){.kind = UT_EVENT_LOST, .sw = ut_lane_switch(work, n, form)->id, .header = header});
}

/* Reports a discarded packet. */
UT_INLINE void ut_dropped(const struct ut_work *work, size_t n, uint64_t header, enum ut_dropped why,
                          const struct ut_form form) {
  ut_events_add(work->events,
                (struct ut_event){
                    .kind = UT_EVENT_DROPPED, .why = why, .sw = ut_lane_switch(work, n, form)->id, .header = header});
}

#endif
