/* SPDX-License-Identifier: Apache-2.0 */
/* output_queue.c - OUTPUT_DEPTH: the queue of each output VC, between crossbar and link.  Twin: rtl/ut_output_queue.v
 *
 * A packet that crosses the crossbar needs places in the queue, not credits; credits are spent when the queue sends.
 * So a packet that waits for the buffer behind the link does not block the input VC from which it came.
 */
#include "steps.h"

/* Whether the front flit may be sent.  Under virtual cut-through a head may be sent when the buffer behind the link has
 * space for its packet, and the flits that follow it may be sent at once; under wormhole each flit needs a credit. */
static bool may_transmit(const struct spec_switch *sw, unsigned op, unsigned ovc) {
  const struct spec_output_vc *vc = &sw->out[op].vc[ovc];
  if (!sw->out[op].up || !vc->count)
    return false;
  if (spec_queue_front(vc)->head)
    return spec_has_space(&sw->shape, sw->shape.depth, op, ovc, vc->credits, false);
  return sw->shape.switching == UT_VCT || vc->credits > 0;
}

void spec_transmit(struct spec_switch *sw, struct spec_cycle *cycle) {
  for (unsigned op = 0; op < sw->shape.po; op++) {
    bool request[SPEC_VCS];
    for (unsigned ovc = 0; ovc < sw->shape.v; ovc++)
      request[ovc] = may_transmit(sw, op, ovc);
    cycle->transmits[op] = spec_round_robin(request, sw->shape.v, sw->out[op].link_pointer);
    if (cycle->transmits[op] >= 0)
      sw->out[op].link_pointer = (unsigned)cycle->transmits[op] + 1;
  }
}

/* Empties the queue when the link is down: its flits are lost (REROUTE IX.B).  Reports the packets whose heads are in
 * the queue to the accounts; packets whose heads have been sent are counted by the receiver. */
static void lose(struct spec_switch *sw, unsigned op, unsigned ovc) {
  struct spec_output_vc *vc = &sw->out[op].vc[ovc];
  for (unsigned i = 0; i < vc->count; i++) {
    const struct spec_flit *flit = &vc->queue[(vc->read + i) % sw->shape.output_depth];
    if (flit->head)
      sw->discard[sw->discards++] =
          (struct spec_discard){.reason = SPEC_QUEUED, .port = op, .vc = ovc, .header = flit->word[0]};
  }
  vc->read = vc->count = 0;
}

void spec_update_queue(struct spec_switch *sw, const struct spec_cycle *cycle, unsigned op, unsigned ovc) {
  struct spec_output_vc *vc = &sw->out[op].vc[ovc];
  const unsigned depth = sw->shape.output_depth;
  if (!sw->out[op].up) {
    lose(sw, op, ovc);
    return;
  }
  if (cycle->sends[op][ovc])
    vc->queue[(vc->read + vc->count) % depth] = cycle->sent[op];
  vc->count += cycle->sends[op][ovc];
  if (cycle->transmits[op] == (int)ovc) {
    vc->read = (vc->read + 1) % depth;
    vc->count--;
  }
}
