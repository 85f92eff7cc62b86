/* SPDX-License-Identifier: Apache-2.0 */
/* output_unit.c - an output port: owners and credits of its VCs, and the output register.
 * Twin: rtl/ut_output_unit.v
 */
#include "steps.h"

/* ---- registers */

/* An input VC has been granted this output VC. */
static bool is_taken(const struct spec_switch *s, const struct spec_cycle *c, unsigned op, unsigned ovc) {
  bool taken = false;
  EACH_INPUT_VC (s, ip, ivc) {
    const struct spec_decision *d = &c->vc[ip][ivc];
    taken |= d->granted && d->port == op && d->vc == ovc;
  }
  return taken;
}

static void update_vc(const struct spec_switch *s, const struct spec_cycle *c, unsigned op, unsigned ovc,
                      struct spec_output_vc *vc) {
  vc->credits += c->in->credit[op][ovc];
  vc->credits -= s->shape.output_depth ? c->transmits[op] == (int)ovc : c->sends[op][ovc];
  vc->owned |= is_taken(s, c, op, ovc);
  if (c->sends[op][ovc] && c->sent[op].tail)
    vc->owned = false;
  if (!s->out[op].up) { /* the link was down: everything starts anew */
    vc->owned = false;
    vc->credits = 0;
  }
}

static void put_on_wire(struct spec_output_port *out, const struct spec_flit *flit, unsigned ovc) {
  out->valid = true;
  out->flit = *flit;
  out->flit_vc = ovc;
}

void spec_update_output(struct spec_switch *s, const struct spec_cycle *c, unsigned op) {
  struct spec_output_port *out = &s->out[op];
  const bool link_up = c->in->out_up >> op & 1;
  out->valid = out->crossed = false;
  for (unsigned ovc = 0; ovc < s->shape.v; ovc++) {
    update_vc(s, c, op, ovc, &out->vc[ovc]);
    if (c->sends[op][ovc]) {
      out->crossed = true;
      out->head = c->sent[op].head;
      out->from = c->from[op];
      if (!s->shape.output_depth)
        put_on_wire(out, &c->sent[op], ovc);
    }
    if (s->shape.output_depth && c->transmits[op] == (int)ovc)
      put_on_wire(out, spec_queue_front(&out->vc[ovc]), ovc);
    if (s->shape.output_depth)
      spec_update_queue(s, c, op, ovc);
  }
  s->stale_link |= out->up != link_up;
  out->up = link_up;
}
