/* switch_allocator.h - who crosses the crossbar, and the crossing.  Twins: rtl/switch_allocator.v, rtl/crossbar.v */
#ifndef UT_SWITCH_ALLOCATOR_H
#define UT_SWITCH_ALLOCATOR_H

#include "input_unit.h"
#include "output_unit.h"

/* The front flit of (ip, ivc) goes to the output register of its packet's output VC. */
UT_INLINE void ut_traverse(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc,
                           struct ut_input_changes *ch, unsigned v, unsigned words) {
  const struct ut_input_vc *c = ut_vc_of(s, ip, ivc, v);
  unsigned op = c->out_port, ovc = c->out_vc;
  const uint64_t *from = ut_fifo_data_of(g, s, ip, ivc, v, words) + c->rd * words;
  uint64_t *to = UT_AT(uint64_t, g, s, out_data) + op * words;
  for (unsigned w = 0; w < words; w++)
    to[w] = from[w];
  unsigned tag = ut_input_pop(g, s, ip, ivc, ch, v);
  if (tag & UT_KIND_HEAD) {
    if (g->rewrites)
      to[0] = ut_header_set_rt(to[0], UT_AT(uint32_t, g, s, rt)[ip * v + ivc]);
    s->u_turns += g->up_ports >> ip & g->up_ports >> op & 1;
  }
  UT_AT(uint8_t, g, s, out_tag)[op] = (uint8_t)tag;
  UT_AT(uint8_t, g, s, out_vc)[op] = (uint8_t)ovc;
  s->out_valid |= ut_bit(op);
  ut_output_send(g, s, op, ovc, tag, v);
}

/* Steps 3 and 4 of the cycle.  active: the VCs that may send. */
UT_INLINE void ut_switch_allocate(const struct ut_group *g, struct ut_switch *s, const ut_mask *active,
                                  struct ut_input_changes *ch, unsigned v, unsigned words) {
  bool per_vc = g->shape.xbar == UT_XBAR_VC && v > 1;
  unsigned lines = per_vc ? v : 1; /* words of an output's requests */
  ut_mask req[UT_MAX_PORTS][UT_MAX_VCS], touched = 0, ready[UT_MAX_VCS], ports = 0;
  uint8_t pick[UT_MAX_PORTS];

  for (unsigned i = 0; i < v; i++) {
    ready[i] = 0;
    UT_FOR_EACH(ip, active[i] & ut_masks(g, s, UT_M_OCCUPIED, v)[i]) {
      const struct ut_input_vc *c = ut_vc_of(s, ip, i, v);
      if (!(s->out_up & ut_bit(c->out_port)))
        continue;
      if (g->shape.switching == UT_WORMHOLE && !(ut_masks(g, s, UT_M_SOME, v)[c->out_vc] & ut_bit(c->out_port)))
        continue;
      if (v > 1 && !per_vc) {
        ready[i] |= ut_bit(ip);
        continue;
      }
      ut_mask *r = req[c->out_port];
      if (!(touched & ut_bit(c->out_port))) {
        touched |= ut_bit(c->out_port);
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
      unsigned i = ut_rr_pick(vcs, UT_AT(uint8_t, g, s, sa_in_mask)[ip]), op = ut_vc_of(s, ip, i, v)->out_port;
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
    ut_traverse(g, s, ip, i, ch, v, words);
  }
}

#endif
