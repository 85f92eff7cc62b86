/* output_unit.c - an output port: owners and credits of its VCs, the output register; and the rule of room.
 * Twins: rtl/ut_output_unit.v, rtl/ut_room.v
 */
#include "steps.h"

/* ---- room ("Room" in the contract) */

/* Bubble rule: credits that a packet needs to go on in its ring.  A ring never fills: a channel of it counts as free
 * only while its buffer holds so few flits that one more packet of any length leaves the ring a free slot
 * (docs/cycle-contract.md, "Room"). */
static unsigned ring_room(const struct ut_shape *shape) {
  const unsigned spread = shape->max_packet - shape->min_packet;
  unsigned slots = shape->depth / shape->max_packet - 1;
  if (spread && (shape->min_packet - 1) / spread < slots)
    slots = (shape->min_packet - 1) / spread;
  unsigned fill = (slots + 1) * shape->min_packet - 1;
  if (fill > shape->depth - shape->max_packet)
    fill = shape->depth - shape->max_packet;
  return shape->depth - fill;
}

/* Credits that a new packet needs in an output VC. */
static unsigned needed(const struct ut_shape *shape, unsigned ovc) {
  const bool adaptive = ovc < spec_adaptive_vcs(shape);
  if (UT_ALG_ALONE(shape->route, shape->algorithm)) /* DETOUR: no two packets are ever in one buffer */
    return shape->depth;
  if (shape->switching == UT_WORMHOLE) /* Duato: a head in an adaptive VC is always at the front */
    return adaptive ? shape->depth : 1;
  if (UT_ALG_BUBBLE(shape->route, shape->algorithm) && !adaptive)
    return ring_room(shape);
  return shape->max_packet;
}

bool spec_has_room(const struct ut_shape *shape, unsigned op, unsigned ovc, unsigned credits, bool bubble) {
  const unsigned need = needed(shape, ovc);
  if (!bubble)
    return credits >= need;
  /* Nobody enters a ring through adaptive VCs or through ports to terminals. */
  const bool of_ring = op < 2 * spec_dimensions(shape) && ovc >= spec_adaptive_vcs(shape);
  return of_ring && credits >= need + shape->max_packet;
}

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
  const bool sends = c->sends[op][ovc];
  vc->credits += c->in->credit[op][ovc];
  vc->credits -= sends;
  vc->owned |= is_taken(s, c, op, ovc);
  if (sends && c->sent[op].tail)
    vc->owned = false;
  if (!s->out[op].up) { /* the link was down: everything starts anew */
    vc->owned = false;
    vc->credits = 0;
  }
}

void spec_update_output(struct spec_switch *s, const struct spec_cycle *c, unsigned op) {
  struct spec_output_port *out = &s->out[op];
  const bool link_up = c->in->out_up >> op & 1;
  out->valid = false;
  for (unsigned ovc = 0; ovc < s->shape.v; ovc++) {
    update_vc(s, c, op, ovc, &out->vc[ovc]);
    if (c->sends[op][ovc]) {
      out->valid = true;
      out->flit = c->sent[op];
      out->flit_vc = ovc;
      out->from = c->from[op];
    }
  }
  s->stale_link |= out->up != link_up;
  out->up = link_up;
}
