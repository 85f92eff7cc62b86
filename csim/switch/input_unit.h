/* input_unit.h - input buffers, packets' states, credits back.  Twins: rtl/input_unit.v, rtl/input_vc.v, rtl/fifo.v */
#ifndef UT_INPUT_UNIT_H
#define UT_INPUT_UNIT_H

#include <assert.h>

#include "route_unit.h"
#include "rr_arbiter.h"

/* Changes of this cycle that are applied at its end. */
struct ut_input_changes {
  ut_mask popped[UT_MAX_VCS]; /* over input ports */
  ut_mask set;                /* bits of the re-route vector */
};

/* Puts a flit into a buffer that has room. */
UT_INLINE void ut_fifo_push(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc,
                            const uint64_t *flit, const struct ut_traits t) {
  struct ut_input_vc *c = ut_vc_of(s, ip, ivc, t.v);
  unsigned wr = c->wr;
  assert(c->count < g->shape.depth && "input buffer overflow: the sender had no credit");
  ut_flit_copy(ut_flit_of(g, s, wr, t.words), flit, t.words);
  c->wr = ut_fifo_next(g, wr, ip * t.v + ivc);
  c->count++;
}

/* Removes the front flit; returns its tag.  The packet's state follows: its tail makes the VC idle. */
UT_INLINE unsigned ut_input_pop(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc,
                                struct ut_input_changes *ch, const struct ut_traits t) {
  struct ut_input_vc *c = ut_vc_of(s, ip, ivc, t.v);
  unsigned rd = c->rd, tag = ut_flit_tag(ut_flit_of(g, s, rd, t.words)[t.words]), v = t.v;
  ut_mask bit = ut_bit(ip);
  c->rd = ut_fifo_next(g, rd, ip * v + ivc);
  if (--c->count == 0)
    ut_masks(g, s, UT_M_OCCUPIED, v)[ivc] &= ~bit;
  ch->popped[ivc] |= bit;
  if (tag & UT_KIND_TAIL) {
    c->state = UT_VC_STATE_IDLE;
    ut_masks(g, s, UT_M_ACTIVE, v)[ivc] &= ~bit;
    if (!t.quiet)
      ut_masks(g, s, UT_M_DRAIN, v)[ivc] &= ~bit;
  }
  return tag;
}

/* Takes the answer of the route unit for one VC. */
UT_INLINE void ut_input_routed(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc,
                               const struct ut_route_result *r, const struct ut_traits t) {
  const unsigned v = t.v;
  struct ut_input_vc *c = ut_vc_of(s, ip, ivc, v);
  ut_mask bit = ut_bit(ip), *cand = ut_cand_of(g, s, ip, ivc, v);
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
  ut_mask *next = ut_masks(g, s, UT_M_WAITING, v);
  c->state = UT_VC_STATE_WAITING;
  if (t.pipelined && g->shape.route_cycles > 2)
    UT_AT(uint8_t, g, s, wait)[flat] = (uint8_t)(g->shape.route_cycles - 2);
  if (__builtin_expect(r->discard, 0)) {
    next = ut_masks(g, s, UT_M_DRAIN, v);
    c->state = UT_VC_STATE_DRAIN;
    s->discard |= bit;
    s->quiet = false;
    if (g->on_discard)
      g->on_discard(g->ctx, s->id, *ut_flit_of(g, s, c->rd, t.words));
  } else if (t.pipelined) {
    next = ut_masks(g, s, UT_M_ROUTING, v);
    c->state = UT_VC_STATE_ROUTING;
  }
  next[ivc] |= bit;
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
  ut_mask old_routing[UT_MAX_VCS] = {0};

  for (unsigned i = 0; i < v; i++) {
    want[i] = occupied[i] & ~(waiting[i] | active[i]);
    if (t.pipelined) {
      want[i] &= ~routing[i];
      old_routing[i] = routing[i];
    }
    if (!t.quiet)
      want[i] &= ~drain[i];
    if (!t.quiet && s->stale_link | s->stale_state) {
      ut_mask stale = (routing[i] | waiting[i]);
      if (!s->stale_link)
        stale &= ut_masks(g, s, UT_M_DEPENDS, v)[i];
      want[i] |= stale;
      routing[i] &= ~stale;
      waiting[i] &= ~stale;
      UT_FOR_EACH(ip, stale) ut_vc_of(s, ip, i, v)->state = UT_VC_STATE_IDLE;
    }
    bid[i] = waiting[i];
    ports |= want[i];
  }
  UT_FOR_EACH(ip, ports) {
    unsigned ivc = 0;
    if (v > 1) {
      ut_mask req = 0;
      uint8_t *mask = UT_AT(uint8_t, g, s, route_mask) + ip;
      for (unsigned i = 0; i < v; i++)
        req |= (want[i] >> ip & 1) << i;
      ivc = ut_rr_pick(req, *mask);
      *mask = (uint8_t)ut_rr_after(ivc, ut_mask_all(v));
    }
    struct ut_route_result r;
    const struct ut_input_vc *c = ut_vc_of(s, ip, ivc, v);
    g->route(g, s, *ut_flit_of(g, s, c->rd, t.words), ip, &r);
    ch->set |= r.set;
    ut_input_routed(g, s, ip, ivc, &r, t);
    if (g->shape.route_cycles == 0 && !r.discard)
      bid[ivc] |= ut_bit(ip);
    if (t.pipelined)
      old_routing[ivc] &= ~ut_bit(ip);
  }
  if (t.pipelined)
    for (unsigned i = 0; i < v; i++)
      UT_FOR_EACH(ip, old_routing[i]) {
        struct ut_input_vc *c = ut_vc_of(s, ip, i, v);
        uint8_t *wait = &UT_AT(uint8_t, g, s, wait)[ip * v + i];
        if (*wait) {
          --*wait;
        } else if (routing[i] & ut_bit(ip)) {
          c->state = UT_VC_STATE_WAITING;
          routing[i] &= ~ut_bit(ip);
          waiting[i] |= ut_bit(ip);
        }
      }
}

/* Discards one flit of every packet that was in drain at the start of the cycle. */
UT_INLINE void ut_input_drain(const struct ut_group *g, struct ut_switch *s, const ut_mask *drain,
                              struct ut_input_changes *ch, const struct ut_traits t) {
  for (unsigned i = 0; i < t.v; i++)
    UT_FOR_EACH(ip, drain[i] & ut_masks(g, s, UT_M_OCCUPIED, t.v)[i]) ut_input_pop(g, s, ip, i, ch, t);
}

/* Packets whose output link has just gone down: begun ones are drained, the others routed again.  `active`: at the
 * start of the cycle. */
static inline void ut_input_cut(const struct ut_group *g, struct ut_switch *s, const ut_mask *active,
                                const struct ut_traits t) {
  const unsigned v = t.v;
  for (unsigned i = 0; i < v; i++)
    UT_FOR_EACH(ip, active[i]) {
      struct ut_input_vc *c = ut_vc_of(s, ip, i, v);
      if (s->out_up & ut_bit(ut_out_port(c, v)))
        continue;
      bool begun = !c->count || !(ut_flit_of(g, s, c->rd, t.words)[t.words] & UT_KIND_HEAD);
      ut_masks(g, s, UT_M_ACTIVE, v)[i] &= ~ut_bit(ip);
      c->state = begun ? UT_VC_STATE_DRAIN : UT_VC_STATE_IDLE;
      if (begun)
        ut_masks(g, s, UT_M_DRAIN, v)[i] |= ut_bit(ip);
    }
}

/* What only faults and the first cycles after them need, for VC i: bad tails, free space that the sender has not been
 * told of. */
static __attribute__((noinline)) void ut_input_mend(const struct ut_group *g, struct ut_switch *s,
                                                    const struct ut_input_changes *ch, unsigned i, ut_mask dead,
                                                    const struct ut_traits t) {
  static const uint64_t zeros[UT_MAX_FLIT_WORDS + 1];
  const unsigned v = t.v;
  ut_mask *open = ut_masks(g, s, UT_M_OPEN, v) + i, *cut = ut_masks(g, s, UT_M_CUT, v) + i;
  ut_mask *owing = ut_masks(g, s, UT_M_OWING, v) + i, tails = 0;
  UT_FOR_EACH(ip, dead & *open) {
    /* the room is that before this cycle's pop, as the RTL sees it */
    struct ut_input_vc *c = ut_vc_of(s, ip, i, v);
    if (t.wormhole && c->count + (ch->popped[i] >> ip & 1) == g->shape.depth) {
      *cut |= ut_bit(ip);
      continue;
    }
    unsigned wr = c->wr;
    ut_fifo_push(g, s, ip, i, zeros, t);
    ut_flit_of(g, s, wr, t.words)[t.words] = ut_flit_meta(UT_KIND_TAIL | UT_BAD, i);
    tails |= ut_bit(ip);
  }
  *open &= ~tails;
  ut_masks(g, s, UT_M_OCCUPIED, v)[i] |= tails;
  *cut &= ~tails;
  UT_FOR_EACH(ip, *owing & ~dead & ~ch->popped[i]) {
    if (--ut_vc_of(s, ip, i, v)->owed == 0)
      *owing &= ~ut_bit(ip);
  }
  /* free space of a dead port, counted anew where it changed */
  UT_FOR_EACH(ip, dead & (ch->popped[i] | tails | s->in_fell)) {
    struct ut_input_vc *c = ut_vc_of(s, ip, i, v);
    c->owed = (uint8_t)(g->shape.depth - c->count);
    *owing = c->owed ? *owing | ut_bit(ip) : *owing & ~ut_bit(ip);
  }
}

/* End of the cycle: arrivals, bad tails, credits back, link states. */
UT_INLINE void ut_input_update(const struct ut_group *g, struct ut_switch *s, const struct ut_switch_in *in,
                               const struct ut_input_changes *ch, const struct ut_traits t) {
  const unsigned v = t.v;
  ut_mask *occupied = ut_masks(g, s, UT_M_OCCUPIED, v), *open = ut_masks(g, s, UT_M_OPEN, v);
  ut_mask *credit = ut_masks(g, s, UT_M_CREDIT, v), *owing = ut_masks(g, s, UT_M_OWING, v);
  ut_mask *cut = ut_masks(g, s, UT_M_CUT, v);

  for (unsigned i = 0; i < v; i++) {
    credit[i] = ch->popped[i];
    if (t.quiet)
      continue;
    ut_mask dead = (g->all_in & ~s->in_up) | (t.wormhole ? cut[i] : 0);
    credit[i] = ~dead & (ch->popped[i] | owing[i]);
    if ((owing[i] & ~dead) | (dead & (open[i] | ch->popped[i] | s->in_fell)))
      ut_input_mend(g, s, ch, i, dead, t);
  }
  UT_FOR_EACH(ip, in->valid & in->in_up & s->in_up) {
    const uint64_t *flit = in->flit + ip * (t.words + 1);
    unsigned meta = (unsigned)flit[t.words], i = v > 1 ? ut_flit_vc(meta) : 0;
    ut_fifo_push(g, s, ip, i, flit, t);
    ut_mask bit = ut_bit(ip);
    occupied[i] |= bit;
    open[i] = meta & UT_KIND_TAIL ? open[i] & ~bit : open[i] | bit;
  }
  if (!t.quiet) {
    s->in_fell = s->in_up & ~in->in_up;
    s->in_up = in->in_up;
  }
}

#endif
