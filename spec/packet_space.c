/* SPDX-License-Identifier: Apache-2.0 */
/* packet_space.c - the rule of space for a packet ("Space" in the contract): how many places an output VC must have
 * free before a packet may be granted it.  Twin: rtl/ut_packet_space.v */
#include "steps.h"

/* Bubble rule: returns the places that a packet needs to continue in its ring.  A ring never fills: a channel of it
 * counts as free only while its buffer holds so few flits that one more packet of any length leaves the ring a free
 * slot (docs/reference/cycle-contract.md, "Space"). */
static unsigned ring_space(const struct ut_shape *shape, unsigned depth) {
  const unsigned spread = shape->max_packet - shape->min_packet;
  unsigned slots = depth / shape->max_packet - 1;
  if (spread && (shape->min_packet - 1) / spread < slots)
    slots = (shape->min_packet - 1) / spread;
  unsigned fill = (slots + 1) * shape->min_packet - 1;
  if (fill > depth - shape->max_packet)
    fill = depth - shape->max_packet;
  return depth - fill;
}

/* Whether a packet gets this VC only while its buffer is empty.  DETOUR: no two packets are ever in one buffer.  Duato,
 * under wormhole: a head in an adaptive VC is always at the front. */
static bool must_be_empty(const struct ut_shape *shape, unsigned ovc) {
  const bool adaptive = ovc < spec_adaptive_vcs(shape);
  return UT_ALG_ATOMIC(shape->route, shape->algorithm) || (shape->switching == UT_WORMHOLE && adaptive);
}

/* Returns the places that a new packet needs in a buffer of `depth` flits. */
static unsigned needed(const struct ut_shape *shape, unsigned depth, unsigned ovc) {
  if (must_be_empty(shape, ovc))
    return depth;
  if (shape->switching == UT_WORMHOLE)
    return 1;
  if (UT_ALG_BUBBLE(shape->route, shape->algorithm) && ovc >= spec_adaptive_vcs(shape))
    return ring_space(shape, depth);
  return shape->max_packet;
}

bool spec_has_space(const struct ut_shape *shape, unsigned depth, unsigned op, unsigned ovc, unsigned places,
                    bool bubble) {
  const unsigned need = needed(shape, depth, ovc);
  if (!bubble)
    return places >= need;
  /* Whether packets enter a ring there: not through adaptive VCs or through ports to terminals. */
  const bool of_ring = op < 2 * spec_dimensions(shape) && ovc >= spec_adaptive_vcs(shape);
  return of_ring && places >= need + shape->max_packet;
}

bool spec_can_take(const struct spec_switch *sw, unsigned op, unsigned ovc, bool bubble) {
  const struct ut_shape *shape = &sw->shape;
  const unsigned depth = shape->output_depth ? shape->output_depth : shape->depth;
  /* behind an empty queue the buffer must be empty, too */
  const bool empty = sw->out[op].vc[ovc].credits == shape->depth;
  return spec_has_space(shape, depth, op, ovc, spec_free_places(sw, op, ovc), bubble) &&
         (empty || !shape->output_depth || !must_be_empty(shape, ovc));
}
