/* switch_allocator.h - who crosses the crossbar, and the crossing.  Twins: rtl/ut_switch_allocator.v, rtl/ut_crossbar.v
 */
#ifndef UT_SWITCH_ALLOCATOR_H
#define UT_SWITCH_ALLOCATOR_H

#include "input_unit.h"
#include "local_first.h"
#include "output_unit.h"

/* A head crosses the crossbar.  Returns its header as it leaves. */
UT_INLINE uint64_t ut_head_leaves(const struct ut_group *g, struct ut_switch *s, uint64_t header, unsigned ip,
                                  unsigned ivc, unsigned op, const struct ut_traits t) {
  s->u_turns += g->up_ports >> ip & g->up_ports >> op & 1;
  return t.rewrites ? ut_header_set_rt(header, UT_AT(uint32_t, g, s, rt)[ip * t.v + ivc]) : header;
}

/* The front flit of (ip, ivc) goes to the output register of its packet's output VC. */
UT_INLINE void ut_traverse(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc,
                           struct ut_input_changes *ch, const struct ut_traits t) {
  unsigned flat = ip * t.v + ivc, out = ut_bytes(s, UT_B_OUT, t)[flat];
  unsigned op = ut_out_port(out, t.v), ovc = ut_out_vc(out, t.v), rd = ut_bytes(s, UT_B_RD, t)[flat];
  uint64_t *to = ut_out_of(s, op, t), *front = ut_fifo_of(g, s, flat, rd, t);
  unsigned tag = ut_input_tag(g, s, ip, ivc, rd, t);
  ut_flit_copy(to, front, t.words);
  ut_input_pop(g, s, ip, ivc, rd, tag, t);
  ch->popped[ivc] |= ut_bit(ip);
  if (t.v > 1)
    to[t.words] = ut_flit_meta(tag, ovc);
  if (tag & UT_KIND_HEAD)
    to[0] = ut_head_leaves(g, s, to[0], ip, ivc, op, t);
  s->out_valid |= ut_bit(op);
  uint8_t *credits = ut_credits_of(s, op, ovc, t);
  UT_CHECK(*credits && "a flit was sent without a credit");
  ut_output_less(g, s, op, ovc, --*credits, t);
  if (tag & UT_KIND_TAIL)
    ut_masks(g, s, UT_M_OWNED, t.v)[ovc] &= ~ut_bit(op);
}

/* Steps 3 and 4 of the cycle.  active: the VCs that may send. */
UT_INLINE void ut_switch_allocate(const struct ut_group *g, struct ut_switch *s, const ut_mask *active,
                                  struct ut_input_changes *ch, const struct ut_traits t) {
  const unsigned v = t.v;
  const bool per_vc = t.per_vc;
  unsigned lines = per_vc ? v : 1; /* words of an output's requests */
  ut_mask req[UT_MAX_PORTS][UT_MAX_VCS], touched = 0, ready[UT_MAX_VCS], ports = 0;
  uint8_t pick[UT_MAX_PORTS];

  for (unsigned i = 0; i < v; i++) {
    ready[i] = 0;
    UT_FOR_EACH(ip, active[i] & ut_masks(g, s, UT_M_OCCUPIED, v)[i]) {
      unsigned out = ut_bytes(s, UT_B_OUT, t)[ip * v + i], op = ut_out_port(out, v);
      if (!(s->out_up & ut_bit(op)))
        continue;
      if (t.wormhole && !*ut_credits_of(s, op, ut_out_vc(out, v), t))
        continue;
      if (v > 1 && !per_vc) {
        ready[i] |= ut_bit(ip);
        continue;
      }
      ut_mask *r = req[op];
      if (!(touched & ut_bit(op))) {
        touched |= ut_bit(op);
        for (unsigned w = 0; w < lines; w++)
          r[w] = 0;
      }
      r[per_vc ? i : 0] |= ut_bit(ip);
    }
    ports |= ready[i];
  }
  if (v > 1 && !per_vc) /* first stage: each port picks one of its VCs */
    UT_FOR_EACH(ip, ports) {
      ut_mask vcs = 0;
      for (unsigned i = 0; i < v; i++)
        vcs |= (ready[i] >> ip & 1) << i;
      unsigned i = ut_rr_pick(vcs, *ut_sa_in_of(s, ip, t)), op = ut_out_port(ut_bytes(s, UT_B_OUT, t)[ip * v + i], v);
      pick[ip] = (uint8_t)i;
      req[op][0] = touched & ut_bit(op) ? req[op][0] | ut_bit(ip) : ut_bit(ip);
      touched |= ut_bit(op);
    }
  s->out_valid = 0;
  UT_FOR_EACH(op, touched) {
    unsigned i = 0;
    if (v > 1 && t.local_first)
      ut_local_first(req[op], lines, g->local_in);
    /* with one VC its owner is alone */
    unsigned ip = v == 1 ? ut_first(*req[op]) : ut_rr_grant_words(req[op], ut_sa_of(s, op, t), lines, g->all_in, &i);
    if (v > 1 && !per_vc) {
      i = pick[ip];
      *ut_sa_in_of(s, ip, t) = (uint8_t)ut_rr_after(i, ut_mask_all(v));
    }
    ut_traverse(g, s, ip, i, ch, t);
  }
}

#endif
