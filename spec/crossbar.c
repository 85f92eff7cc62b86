/* SPDX-License-Identifier: Apache-2.0 */
/* crossbar.c - step 4: the flits that leave cross the crossbar.  Twin: rtl/ut_crossbar.v, and the output stage of
 * rtl/ut_input_vc.v */
#include "steps.h"

static void leave(struct spec_cycle *cycle, unsigned ip, struct spec_decision *decision, unsigned op, unsigned ovc) {
  decision->leaves = true;
  cycle->sends[op][ovc] = true;
  cycle->from[op] = ip;
}

void spec_cross_winners(const struct spec_switch *sw, struct spec_cycle *cycle) {
  EACH_INPUT_VC (sw, ip, ivc) {
    const struct spec_input_vc *vc = &sw->in[ip].vc[ivc];
    if (vc->cross && !spec_is_cut_off(sw, vc))
      leave(cycle, ip, &cycle->vc[ip][ivc], vc->out_port, vc->out_vc);
  }
}

/* Returns the front flit in the form in which it leaves. */
static struct spec_flit outgoing(const struct spec_switch *sw, const struct spec_input_vc *vc,
                                 const struct spec_decision *decision) {
  const bool rewrites =
      UT_ALG_REWRITES(sw->shape.route, sw->shape.algorithm) || sw->shape.misroute || sw->shape.misroute_hops;
  struct spec_flit flit = *spec_front(vc);
  flit.head = spec_front_is_head(vc);
  if (flit.head && rewrites)
    flit.word[0] = ut_header_set_rt(flit.word[0], decision->routed ? decision->answer.rt : vc->answer.rt);
  return flit;
}

void spec_traverse(const struct spec_switch *sw, struct spec_cycle *cycle) {
  EACH_INPUT_VC (sw, ip, ivc) {
    struct spec_decision *decision = &cycle->vc[ip][ivc];
    if (decision->wins && !sw->shape.xbar_cycles)
      leave(cycle, ip, decision, decision->port, decision->vc);
    if (decision->leaves)
      cycle->sent[decision->port] = outgoing(sw, &sw->in[ip].vc[ivc], decision);
  }
}
