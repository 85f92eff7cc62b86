/* SPDX-License-Identifier: Apache-2.0 */
/* output_unit.c - an output port: owners and credits of its VCs, and the output register.
 * Twin: rtl/ut_output_unit.v
 */
#include "steps.h"

/* ---- registers */

/* Whether an input VC has been granted this output VC. */
static bool is_taken(const struct spec_switch *sw, const struct spec_cycle *cycle, unsigned op, unsigned ovc) {
  bool taken = false;
  EACH_INPUT_VC (sw, ip, ivc) {
    const struct spec_decision *decision = &cycle->vc[ip][ivc];
    taken |= decision->granted && decision->port == op && decision->vc == ovc;
  }
  return taken;
}

static void update_vc(const struct spec_switch *sw, const struct spec_cycle *cycle, unsigned op, unsigned ovc,
                      struct spec_output_vc *vc) {
  vc->credits += cycle->in->credit[op][ovc];
  vc->credits -= sw->shape.output_depth ? cycle->transmits[op] == (int)ovc : cycle->sends[op][ovc];
  vc->owned |= is_taken(sw, cycle, op, ovc);
  if (cycle->sends[op][ovc] && cycle->sent[op].tail)
    vc->owned = false;
  if (!sw->out[op].up) { /* the link was down: all registers start anew */
    vc->owned = false;
    vc->credits = 0;
  }
}

static void put_on_wire(struct spec_output_port *out, const struct spec_flit *flit, unsigned ovc) {
  out->valid = true;
  out->flit = *flit;
  out->flit_vc = ovc;
}

void spec_update_output(struct spec_switch *sw, const struct spec_cycle *cycle, unsigned op) {
  struct spec_output_port *out = &sw->out[op];
  const bool link_up = cycle->in->out_up >> op & 1;
  out->valid = out->crossed = false;
  for (unsigned ovc = 0; ovc < sw->shape.v; ovc++) {
    update_vc(sw, cycle, op, ovc, &out->vc[ovc]);
    if (cycle->sends[op][ovc]) {
      out->crossed = true;
      out->head = cycle->sent[op].head;
      out->from = cycle->from[op];
      if (!sw->shape.output_depth)
        put_on_wire(out, &cycle->sent[op], ovc);
    }
    if (sw->shape.output_depth && cycle->transmits[op] == (int)ovc)
      put_on_wire(out, spec_queue_front(&out->vc[ovc]), ovc);
    if (sw->shape.output_depth)
      spec_update_queue(sw, cycle, op, ovc);
  }
  sw->stale_link |= out->up != link_up;
  out->up = link_up;
}
