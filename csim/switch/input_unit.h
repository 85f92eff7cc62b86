/* input_unit.h - input buffers, packets' states, credits back.  Twins: rtl/ut_input_port.v, rtl/ut_input_vc.v,
 * rtl/ut_fifo.v */
#ifndef UT_INPUT_UNIT_H
#define UT_INPUT_UNIT_H

#include "node_states.h"
#include "rr_arbiter.h"

/* Changes of this cycle that are applied at its end. */
struct ut_input_changes {
  ut_mask popped[UT_MAX_VCS]; /* over input ports */
  ut_mask set;                /* bits of the re-route vector */
};

/* Puts a flit into a buffer that has room. */
UT_INLINE void ut_fifo_push(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc,
                            const uint64_t *flit, const struct ut_traits t) {
  unsigned flat = ip * t.v + ivc, wr = ut_bytes(s, UT_B_WR, t)[flat];
  UT_CHECK(ut_bytes(s, UT_B_COUNT, t)[flat] < g->shape.depth && "input buffer overflow: the sender had no credit");
  ut_flit_copy(ut_fifo_of(g, s, flat, wr, t), flit, t.words);
  ut_bytes(s, UT_B_WR, t)[flat] = g->after[wr];
  ut_bytes(s, UT_B_COUNT, t)[flat]++;
}

/* Takes a flit from the wire. */
UT_INLINE void ut_input_accept(const struct ut_group *g, struct ut_switch *s, unsigned ip, const uint64_t *flit,
                               const struct ut_traits t) {
  unsigned meta = (unsigned)flit[t.words], ivc = t.v > 1 ? ut_flit_vc(meta) : 0;
  ut_mask bit = ut_bit(ip), *open = ut_masks(g, s, UT_M_OPEN, t.v) + ivc;
  ut_fifo_push(g, s, ip, ivc, flit, t);
  ut_masks(g, s, UT_M_OCCUPIED, t.v)[ivc] |= bit;
  *open = meta & UT_KIND_TAIL ? *open & ~bit : *open | bit;
}

/* The tag of the front flit, in place rd; a promoted one is a head. */
UT_INLINE unsigned ut_input_tag(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc, unsigned rd,
                                const struct ut_traits t) {
  unsigned tag = ut_flit_tag(ut_fifo_of(g, s, ip * t.v + ivc, rd, t)[t.words]);
  return t.strips && ut_masks(g, s, UT_M_PROMOTED, t.v)[ivc] & ut_bit(ip) ? tag | UT_KIND_HEAD : tag;
}

/* The tail of the packet has left: the VC is idle. */
UT_INLINE void ut_input_end(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc, size_t flat,
                            const struct ut_traits t) {
  ut_bytes(s, UT_B_STATE, t)[flat] = UT_VC_STATE_IDLE;
  ut_masks(g, s, UT_M_ACTIVE, t.v)[ivc] &= ~ut_bit(ip);
  ut_masks(g, s, UT_M_DRAIN, t.v)[ivc] &= ~ut_bit(ip);
}

/* Removes the front flit, whose place and tag these are. */
UT_INLINE void ut_input_pop(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc, unsigned rd,
                            unsigned tag, const struct ut_traits t) {
  const unsigned v = t.v, flat = ip * v + ivc;
  ut_bytes(s, UT_B_RD, t)[flat] = g->after[rd];
  if (--ut_bytes(s, UT_B_COUNT, t)[flat] == 0)
    ut_masks(g, s, UT_M_OCCUPIED, v)[ivc] &= ~ut_bit(ip);
  if (t.strips)
    ut_masks(g, s, UT_M_PROMOTED, v)[ivc] &= ~ut_bit(ip);
  if (tag & UT_KIND_TAIL)
    ut_input_end(g, s, ip, ivc, flat, t);
}

/* The front flit goes nowhere. */
UT_INLINE void ut_input_drop(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc,
                             struct ut_input_changes *ch, const struct ut_traits t) {
  unsigned rd = ut_bytes(s, UT_B_RD, t)[ip * t.v + ivc];
  ut_input_pop(g, s, ip, ivc, rd, ut_input_tag(g, s, ip, ivc, rd, t), t);
  ch->popped[ivc] |= ut_bit(ip);
}

/* Strips the front header word once the next flit, which becomes the head, is behind it. */
static inline void ut_input_strip(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc,
                                  struct ut_input_changes *ch, const struct ut_traits t) {
  unsigned flat = ip * t.v + ivc;
  if (ut_bytes(s, UT_B_COUNT, t)[flat] < 2)
    return;
  uint64_t header = *ut_fifo_of(g, s, flat, ut_bytes(s, UT_B_RD, t)[flat], t);
  ut_input_drop(g, s, ip, ivc, ch, t);
  ut_masks(g, s, UT_M_PROMOTED, t.v)[ivc] |= ut_bit(ip);
  if (ut_fifo_of(g, s, flat, ut_bytes(s, UT_B_RD, t)[flat], t)[t.words] & UT_BAD && g->on_discard)
    g->on_discard(g->ctx, s->id, header, UT_DROPPED_CUT);
}

/* Bad tails behind header words that were stripped leave the buffers of idle VCs i; returns the others of `idle`. */
static inline ut_mask ut_input_orphans(const struct ut_group *g, struct ut_switch *s, unsigned i, ut_mask idle,
                                       struct ut_input_changes *ch, const struct ut_traits t) {
  UT_FOR_EACH(ip, idle & ut_masks(g, s, UT_M_PROMOTED, t.v)[i]) {
    unsigned flat = ip * t.v + i;
    if (ut_fifo_of(g, s, flat, ut_bytes(s, UT_B_RD, t)[flat], t)[t.words] & UT_BAD) {
      ut_input_drop(g, s, ip, i, ch, t);
      idle &= ~ut_bit(ip);
    }
  }
  return idle;
}

/* Takes the answer of the route unit for one VC. */
UT_INLINE void ut_input_routed(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc,
                               const struct ut_route_result *r, struct ut_input_changes *ch, const struct ut_traits t) {
  const unsigned v = t.v;
  ut_mask bit = ut_bit(ip), *cand = ut_cand_of(s, ip, ivc, t);
  unsigned flat = ip * v + ivc;
  for (unsigned o = 0; o < v; o++)
    cand[o] = r->cand[o];
  if (t.bubble)
    for (unsigned o = 0; o < v; o++)
      UT_AT(ut_mask, g, s, bubble)[flat * v + o] = r->bubble[o];
  if (t.preferred)
    for (unsigned o = 0; o < v; o++)
      UT_AT(ut_mask, g, s, preferred)[flat * v + o] = r->preferred[o];
  if (t.rewrites)
    UT_AT(uint32_t, g, s, rt)[flat] = r->rt;
  if (t.vector) {
    ut_mask *depends = ut_masks(g, s, UT_M_DEPENDS, v) + ivc;
    *depends = r->uses_state ? *depends | bit : *depends & ~bit;
  }
  if (t.pipelined && g->shape.route_cycles > 2) /* with whatever answer, as in the RTL */
    UT_AT(uint8_t, g, s, wait)[flat] = (uint8_t)(g->shape.route_cycles - 2);
  if (t.strips && r->strip) {
    ut_input_strip(g, s, ip, ivc, ch, t);
    return;
  }
  ut_mask *next = ut_masks(g, s, UT_M_WAITING, v);
  uint8_t *state = &ut_bytes(s, UT_B_STATE, t)[flat];
  *state = UT_VC_STATE_WAITING;
  if (r->discard) {
    next = ut_masks(g, s, UT_M_DRAIN, v);
    *state = UT_VC_STATE_DRAIN;
    s->discard |= bit;
    if (g->on_discard)
      g->on_discard(g->ctx, s->id, *ut_fifo_of(g, s, flat, ut_bytes(s, UT_B_RD, t)[flat], t), UT_DROPPED_UNREACHABLE);
  } else if (t.pipelined) {
    next = ut_masks(g, s, UT_M_ROUTING, v);
    *state = UT_VC_STATE_ROUTING;
  }
  next[ivc] |= bit;
}

/* VC i where the manager has heads purged: those that waited at the last purge already, and wait still, go to drain.
 * held: VCs that waited at the start of the cycle. */
UT_INLINE void ut_input_purge(const struct ut_group *g, struct ut_switch *s, unsigned i, ut_mask held,
                              const struct ut_traits t) {
  struct ut_node_states *n = ut_node_states_of(g, s);
  ut_mask *waiting = ut_masks(g, s, UT_M_WAITING, t.v) + i;
  const ut_mask hit = n->purge ? n->old[i] & *waiting : 0;
  n->old[i] = held & (n->purge ? ~(ut_mask)0 : n->old[i]);
  n->purged[i] = hit;
  *waiting &= ~hit;
  ut_masks(g, s, UT_M_DRAIN, t.v)[i] |= hit;
  s->discard |= hit;
  UT_FOR_EACH(ip, hit) {
    const unsigned flat = ip * t.v + i;
    ut_bytes(s, UT_B_STATE, t)[flat] = UT_VC_STATE_DRAIN;
    if (g->on_discard)
      g->on_discard(g->ctx, s->id, *ut_fifo_of(g, s, flat, ut_bytes(s, UT_B_RD, t)[flat], t), UT_DROPPED_PURGED);
  }
}

/* Step 1 of the cycle: stale sets go back, each port's route unit works for one of its VCs.  Fills bid: the VCs that
 * bid in this cycle. */
UT_INLINE void ut_input_route(const struct ut_group *g, struct ut_switch *s, ut_mask *bid, struct ut_input_changes *ch,
                              const struct ut_traits t) {
  const unsigned v = t.v;
  ut_mask *occupied = ut_masks(g, s, UT_M_OCCUPIED, v), *routing = ut_masks(g, s, UT_M_ROUTING, v);
  ut_mask *waiting = ut_masks(g, s, UT_M_WAITING, v), *active = ut_masks(g, s, UT_M_ACTIVE, v);
  ut_mask *drain = ut_masks(g, s, UT_M_DRAIN, v);
  ut_mask want[UT_MAX_VCS], ports = 0;
  ut_mask old_routing[UT_MAX_VCS], held[UT_MAX_VCS];

  for (unsigned i = 0; i < v; i++) {
    want[i] = occupied[i] & ~(routing[i] | waiting[i] | active[i] | drain[i]);
    if (t.strips)
      want[i] = ut_input_orphans(g, s, i, want[i], ch, t);
    old_routing[i] = routing[i];
    held[i] = waiting[i];
    if (s->stale_link | s->stale_state) {
      ut_mask stale = (routing[i] | waiting[i]);
      if (!s->stale_link && !t.states) /* states of nodes are part of every answer */
        stale &= ut_masks(g, s, UT_M_DEPENDS, v)[i];
      want[i] |= stale;
      routing[i] &= ~stale;
      waiting[i] &= ~stale;
      UT_FOR_EACH(ip, stale) ut_bytes(s, UT_B_STATE, t)[ip * v + i] = UT_VC_STATE_IDLE;
    }
    if (t.states)
      ut_input_purge(g, s, i, held[i], t);
    bid[i] = waiting[i];
    ports |= want[i];
  }
  UT_FOR_EACH(ip, ports) {
    unsigned ivc = 0;
    if (v > 1) {
      ut_mask req = 0;
      uint8_t *mask = ut_route_mask_of(s, ip, t);
      for (unsigned i = 0; i < v; i++)
        req |= (want[i] >> ip & 1) << i;
      ivc = ut_rr_pick(req, *mask);
      *mask = (uint8_t)ut_rr_after(ivc, ut_mask_all(v));
    }
    struct ut_route_result r;
    unsigned flat = ip * v + ivc;
    g->route(g, s, *ut_fifo_of(g, s, flat, ut_bytes(s, UT_B_RD, t)[flat], t), ip, ivc, &r);
    ch->set |= r.set;
    if (t.states)
      r.discard |= ut_node_refuses(g, s, *ut_fifo_of(g, s, flat, ut_bytes(s, UT_B_RD, t)[flat], t));
    ut_input_routed(g, s, ip, ivc, &r, ch, t);
    if (g->shape.route_cycles == 0 && !r.discard && !(t.strips && r.strip))
      bid[ivc] |= ut_bit(ip);
    old_routing[ivc] &= ~ut_bit(ip);
  }
  if (t.pipelined)
    for (unsigned i = 0; i < v; i++)
      UT_FOR_EACH(ip, old_routing[i]) {
        uint8_t *wait = &UT_AT(uint8_t, g, s, wait)[ip * v + i];
        if (*wait) {
          --*wait;
        } else if (routing[i] & ut_bit(ip)) {
          ut_bytes(s, UT_B_STATE, t)[ip * v + i] = UT_VC_STATE_WAITING;
          routing[i] &= ~ut_bit(ip);
          waiting[i] |= ut_bit(ip);
        }
      }
}

/* Discards one flit of every packet that was in drain at the start of the cycle. */
UT_INLINE void ut_input_drain(const struct ut_group *g, struct ut_switch *s, const ut_mask *drain,
                              struct ut_input_changes *ch, const struct ut_traits t) {
  for (unsigned i = 0; i < t.v; i++)
    UT_FOR_EACH(ip, drain[i] & ut_masks(g, s, UT_M_OCCUPIED, t.v)[i]) ut_input_drop(g, s, ip, i, ch, t);
}

/* Packets whose output link has just gone down: begun ones are drained, the others routed again.  `active`: at the
 * start of the cycle. */
static inline void ut_input_cut(const struct ut_group *g, struct ut_switch *s, const ut_mask *active,
                                const struct ut_traits t) {
  const unsigned v = t.v;
  for (unsigned i = 0; i < v; i++)
    UT_FOR_EACH(ip, active[i]) {
      unsigned flat = ip * v + i;
      if (s->out_up & ut_bit(ut_out_port(ut_bytes(s, UT_B_OUT, t)[flat], v)))
        continue;
      bool begun = !ut_bytes(s, UT_B_COUNT, t)[flat] || !ut_front_is_head(g, s, ip, i);
      ut_masks(g, s, UT_M_ACTIVE, v)[i] &= ~ut_bit(ip);
      ut_bytes(s, UT_B_STATE, t)[flat] = begun ? UT_VC_STATE_DRAIN : UT_VC_STATE_IDLE;
      if (begun)
        ut_masks(g, s, UT_M_DRAIN, v)[i] |= ut_bit(ip);
    }
}

/* What only faults and the first cycles after them need, for VC i: bad tails, free space that the sender has not been
 * told of. */
static __attribute__((noinline)) void ut_input_mend(const struct ut_group *g, struct ut_switch *s,
                                                    const struct ut_input_changes *ch, unsigned i, ut_mask dead,
                                                    const struct ut_traits t) {
  static const uint64_t zeros[UT_MAX_FLIT_WORDS + 1] = {0};
  const unsigned v = t.v;
  ut_mask *open = ut_masks(g, s, UT_M_OPEN, v) + i, *cut = ut_masks(g, s, UT_M_CUT, v) + i;
  ut_mask *owing = ut_masks(g, s, UT_M_OWING, v) + i, tails = 0;
  UT_FOR_EACH(ip, dead & *open) {
    /* the room is that before this cycle's pop, as the RTL sees it */
    unsigned flat = ip * v + i, wr = ut_bytes(s, UT_B_WR, t)[flat];
    if (t.wormhole && ut_bytes(s, UT_B_COUNT, t)[flat] + (ch->popped[i] >> ip & 1) == g->shape.depth) {
      *cut |= ut_bit(ip);
      continue;
    }
    ut_fifo_push(g, s, ip, i, zeros, t);
    ut_fifo_of(g, s, flat, wr, t)[t.words] = ut_flit_meta(UT_KIND_TAIL | UT_BAD, i);
    tails |= ut_bit(ip);
  }
  *open &= ~tails;
  ut_masks(g, s, UT_M_OCCUPIED, v)[i] |= tails;
  *cut &= ~tails;
  UT_FOR_EACH(ip, *owing & ~dead & ~ch->popped[i]) {
    if (--ut_bytes(s, UT_B_OWED, t)[ip * v + i] == 0)
      *owing &= ~ut_bit(ip);
  }
  /* free space of a dead port, counted anew where it changed */
  UT_FOR_EACH(ip, dead & (ch->popped[i] | tails | s->in_fell)) {
    unsigned flat = ip * v + i, owed = g->shape.depth - ut_bytes(s, UT_B_COUNT, t)[flat];
    ut_bytes(s, UT_B_OWED, t)[flat] = (uint8_t)owed;
    *owing = owed ? *owing | ut_bit(ip) : *owing & ~ut_bit(ip);
  }
}

/* End of the cycle: arrivals, bad tails, credits back, link states. */
UT_INLINE void ut_input_update(const struct ut_group *g, struct ut_switch *s, const struct ut_switch_in *in,
                               const struct ut_input_changes *ch, const struct ut_traits t) {
  const unsigned v = t.v;
  ut_mask *open = ut_masks(g, s, UT_M_OPEN, v), *cut = ut_masks(g, s, UT_M_CUT, v);
  ut_mask *credit = ut_masks(g, s, UT_M_CREDIT, v), *owing = ut_masks(g, s, UT_M_OWING, v);

  for (unsigned i = 0; i < v; i++) {
    ut_mask dead = (g->all_in & ~s->in_up) | (t.wormhole ? cut[i] : 0);
    credit[i] = ~dead & (ch->popped[i] | owing[i]);
    if ((owing[i] & ~dead) | (dead & (open[i] | ch->popped[i] | s->in_fell)))
      ut_input_mend(g, s, ch, i, dead, t);
  }
  UT_FOR_EACH(ip, in->valid & in->in_up & s->in_up) ut_input_accept(g, s, ip, in->flit + ip * (t.words + 1), t);
  s->in_fell = s->in_up & ~in->in_up;
  s->in_up = in->in_up;
}

#endif
