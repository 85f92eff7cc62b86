/* SPDX-License-Identifier: Apache-2.0 */
/* output_queue.c - OUTPUT_DEPTH: the queue of each output VC, between crossbar and link.  Twin: rtl/ut_output_queue.v
 *
 * A packet that crosses the crossbar needs places in the queue, not credits; credits are spent when the queue sends. So
 * a packet that waits for the buffer behind the link does not keep the input VC that it came from.
 */
#include "steps.h"

/* The front flit may be sent: a head when the buffer behind the link has room for its packet, under virtual cut-through
 * with all that follows it; under wormhole each flit needs a credit. */
static bool may_transmit(const struct spec_switch *s, unsigned op, unsigned ovc) {
  const struct spec_output_vc *vc = &s->out[op].vc[ovc];
  if (!s->out[op].up || !vc->count)
    return false;
  if (spec_queue_front(vc)->head)
    return spec_has_space(&s->shape, s->shape.depth, op, ovc, vc->credits, false);
  return s->shape.switching == UT_VCT || vc->credits > 0;
}

void spec_transmit(struct spec_switch *s, struct spec_cycle *c) {
  for (unsigned op = 0; op < s->shape.po; op++) {
    bool request[SPEC_VCS];
    for (unsigned ovc = 0; ovc < s->shape.v; ovc++)
      request[ovc] = may_transmit(s, op, ovc);
    c->transmits[op] = spec_round_robin(request, s->shape.v, s->out[op].link_pointer);
    if (c->transmits[op] >= 0)
      s->out[op].link_pointer = (unsigned)c->transmits[op] + 1;
  }
}

/* The link is down: what the queue holds is lost (REROUTE IX.B).  The accounts want to know which packets; those whose
 * heads have been sent are the receiver's. */
static void lose(struct spec_switch *s, unsigned op, unsigned ovc) {
  struct spec_output_vc *vc = &s->out[op].vc[ovc];
  for (unsigned i = 0; i < vc->count; i++) {
    const struct spec_flit *flit = &vc->queue[(vc->read + i) % s->shape.output_depth];
    if (flit->head)
      s->discard[s->discards++] =
          (struct spec_discard){.reason = SPEC_QUEUED, .port = op, .vc = ovc, .header = flit->word[0]};
  }
  vc->read = vc->count = 0;
}

void spec_update_queue(struct spec_switch *s, const struct spec_cycle *c, unsigned op, unsigned ovc) {
  struct spec_output_vc *vc = &s->out[op].vc[ovc];
  const unsigned depth = s->shape.output_depth;
  if (!s->out[op].up) {
    lose(s, op, ovc);
    return;
  }
  if (c->sends[op][ovc])
    vc->queue[(vc->read + vc->count) % depth] = c->sent[op];
  vc->count += c->sends[op][ovc];
  if (c->transmits[op] == (int)ovc) {
    vc->read = (vc->read + 1) % depth;
    vc->count--;
  }
}
