/* output_unit.c - an output port: owners and credits of its VCs, the output register; and the rule of room.
 * Twins: rtl/ut_output_unit.v, rtl/ut_room.v
 */
#include "steps.h"

/* ---- room ("Room" in the contract) */

/* Bubble rule: places that a packet needs to go on in its ring.  A ring never fills: a channel of it counts as free
 * only while its buffer holds so few flits that one more packet of any length leaves the ring a free slot
 * (docs/reference/cycle-contract.md, "Room"). */
static unsigned ring_room(const struct ut_shape *shape, unsigned depth) {
  const unsigned spread = shape->max_packet - shape->min_packet;
  unsigned slots = depth / shape->max_packet - 1;
  if (spread && (shape->min_packet - 1) / spread < slots)
    slots = (shape->min_packet - 1) / spread;
  unsigned fill = (slots + 1) * shape->min_packet - 1;
  if (fill > depth - shape->max_packet)
    fill = depth - shape->max_packet;
  return depth - fill;
}

/* A packet gets this VC only while no other one is in it.  DETOUR: no two packets are ever in one buffer.  Duato, under
 * wormhole: a head in an adaptive VC is always at the front. */
static bool must_be_empty(const struct ut_shape *shape, unsigned ovc) {
  const bool adaptive = ovc < spec_adaptive_vcs(shape);
  return UT_ALG_ALONE(shape->route, shape->algorithm) || (shape->switching == UT_WORMHOLE && adaptive);
}

/* Places that a new packet needs in a buffer of `depth` flits. */
static unsigned needed(const struct ut_shape *shape, unsigned depth, unsigned ovc) {
  if (must_be_empty(shape, ovc))
    return depth;
  if (shape->switching == UT_WORMHOLE)
    return 1;
  if (UT_ALG_BUBBLE(shape->route, shape->algorithm) && ovc >= spec_adaptive_vcs(shape))
    return ring_room(shape, depth);
  return shape->max_packet;
}

bool spec_has_room(const struct ut_shape *shape, unsigned depth, unsigned op, unsigned ovc, unsigned places,
                   bool bubble) {
  const unsigned need = needed(shape, depth, ovc);
  if (!bubble)
    return places >= need;
  /* Nobody enters a ring through adaptive VCs or through ports to terminals. */
  const bool of_ring = op < 2 * spec_dimensions(shape) && ovc >= spec_adaptive_vcs(shape);
  return of_ring && places >= need + shape->max_packet;
}

bool spec_can_take(const struct spec_switch *s, unsigned op, unsigned ovc, bool bubble) {
  const struct ut_shape *shape = &s->shape;
  const unsigned depth = shape->output_depth ? shape->output_depth : shape->depth;
  /* behind an empty queue the buffer must be empty, too */
  const bool empty = s->out[op].vc[ovc].credits == shape->depth;
  return spec_has_room(shape, depth, op, ovc, spec_free_places(s, op, ovc), bubble) &&
         (empty || !shape->output_depth || !must_be_empty(shape, ovc));
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
