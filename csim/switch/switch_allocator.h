/* switch_allocator.h - who crosses the crossbar, and the crossing.  Twins: rtl/switch_allocator.v, rtl/crossbar.v */
#ifndef UT_SWITCH_ALLOCATOR_H
#define UT_SWITCH_ALLOCATOR_H

#include "input_unit.h"
#include "output_unit.h"

/* The front flit of (ip, ivc) goes to the output register of its packet's output VC; returns the register. */
UT_INLINE const uint64_t *ut_traverse(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc,
                                      struct ut_input_changes *ch, const struct ut_traits t) {
  const struct ut_input_vc *c = ut_vc_of(s, ip, ivc, t.v);
  unsigned op = ut_out_port(c, t.v), ovc = ut_out_vc(c, t.v);
  uint64_t *to = ut_out_of(g, s, op, t.words);
  ut_flit_copy(to, ut_flit_of(g, s, c->rd, t.words), t.words);
  unsigned tag = ut_input_pop(g, s, ip, ivc, ch, t);
  if (t.v > 1)
    to[t.words] = ut_flit_meta(tag, ovc);
  if (tag & UT_KIND_HEAD) {
    if (t.rewrites)
      to[0] = ut_header_set_rt(to[0], UT_AT(uint32_t, g, s, rt)[ip * t.v + ivc]);
    s->u_turns += g->up_ports >> ip & g->up_ports >> op & 1;
  }
  s->out_valid |= ut_bit(op);
  ut_output_send(g, s, op, ovc, tag, t);
  return to;
}

/* Steps 3 and 4 of the cycle of a quiet switch of one VC: the output VC that an active packet owns is the output port,
 * so that nobody competes.  What leaves the switch is put onto the wires at once. */
UT_INLINE void ut_switch_traverse_all(const struct ut_group *g, struct ut_switch *s, ut_mask active,
                                      struct ut_input_changes *ch, const struct ut_wires *later,
                                      const struct ut_traits t) {
  s->out_valid = 0;
  UT_FOR_EACH(ip, active & *ut_masks(g, s, UT_M_OCCUPIED, 1)) {
    unsigned op = ut_vc_of(s, ip, 0, 1)->out;
    UT_AT(ut_mask, g, s, sa_out_mask)[op] = ut_rr_after(ip, g->all_in);
    ut_wires_flit(later, &s->to[op], ut_traverse(g, s, ip, 0, ch, t), 1, t.words);
    ut_wires_credit(later, &s->from[ip], 0, 1);
  }
}

/* Steps 3 and 4 of the cycle.  active: the VCs that may send. */
UT_INLINE void ut_switch_allocate(const struct ut_group *g, struct ut_switch *s, const ut_mask *active,
                                  struct ut_input_changes *ch, const struct ut_traits t) {
  const unsigned v = t.v;
  bool per_vc = g->shape.xbar == UT_XBAR_VC && v > 1;
  unsigned lines = per_vc ? v : 1; /* words of an output's requests */
  ut_mask req[UT_MAX_PORTS][UT_MAX_VCS], touched = 0, ready[UT_MAX_VCS], ports = 0;
  uint8_t pick[UT_MAX_PORTS];

  for (unsigned i = 0; i < v; i++) {
    ready[i] = 0;
    UT_FOR_EACH(ip, active[i] & ut_masks(g, s, UT_M_OCCUPIED, v)[i]) {
      const struct ut_input_vc *c = ut_vc_of(s, ip, i, v);
      unsigned op = ut_out_port(c, v);
      if (!(s->out_up & ut_bit(op)))
        continue;
      if (t.wormhole && !(ut_masks(g, s, UT_M_ENOUGH, v)[ut_out_vc(c, v)] & ut_bit(op)))
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
      unsigned i = ut_rr_pick(vcs, UT_AT(uint8_t, g, s, sa_in_mask)[ip]), op = ut_out_port(ut_vc_of(s, ip, i, v), v);
      pick[ip] = (uint8_t)i;
      req[op][0] = touched & ut_bit(op) ? req[op][0] | ut_bit(ip) : ut_bit(ip);
      touched |= ut_bit(op);
    }
  s->out_valid = 0;
  UT_FOR_EACH(op, touched) {
    unsigned i = 0;
    unsigned ip = ut_rr_grant_words(req[op], UT_AT(ut_mask, g, s, sa_out_mask) + op * lines, lines, g->all_in, &i);
    if (v > 1 && !per_vc) {
      i = pick[ip];
      UT_AT(uint8_t, g, s, sa_in_mask)[ip] = (uint8_t)ut_rr_after(i, ut_mask_all(v));
    }
    ut_traverse(g, s, ip, i, ch, t);
  }
}

#endif
