/* SPDX-License-Identifier: Apache-2.0 */
/* crossbar.c - step 4: the flits that leave.  Twin: rtl/ut_crossbar.v, and the output stage of rtl/ut_input_vc.v */
#include "steps.h"

static void leave(struct spec_cycle *c, unsigned ip, struct spec_decision *d, unsigned op, unsigned ovc) {
  d->leaves = true;
  c->sends[op][ovc] = true;
  c->from[op] = ip;
}

void spec_cross_winners(const struct spec_switch *s, struct spec_cycle *c) {
  EACH_INPUT_VC (s, ip, ivc) {
    const struct spec_input_vc *vc = &s->in[ip].vc[ivc];
    if (vc->cross && !spec_is_cut_off(s, vc))
      leave(c, ip, &c->vc[ip][ivc], vc->out_port, vc->out_vc);
  }
}

/* The front flit as it leaves. */
static struct spec_flit outgoing(const struct spec_switch *s, const struct spec_input_vc *vc,
                                 const struct spec_decision *d) {
  const bool rewrites = UT_ALG_REWRITES(s->shape.route, s->shape.algorithm) || s->shape.misroute;
  struct spec_flit flit = *spec_front(vc);
  flit.head = spec_front_is_head(vc);
  if (flit.head && rewrites)
    flit.word[0] = ut_header_set_rt(flit.word[0], d->routed ? d->answer.rt : vc->answer.rt);
  return flit;
}

void spec_traverse(const struct spec_switch *s, struct spec_cycle *c) {
  EACH_INPUT_VC (s, ip, ivc) {
    struct spec_decision *d = &c->vc[ip][ivc];
    if (d->wins && !s->shape.xbar_cycles)
      leave(c, ip, d, d->port, d->vc);
    if (d->leaves)
      c->sent[d->port] = outgoing(s, &s->in[ip].vc[ivc], d);
  }
}
