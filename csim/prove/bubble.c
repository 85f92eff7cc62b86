/* SPDX-License-Identifier: Apache-2.0 */
/* bubble.c - see bubble.h
 *
 * The places of a ring are its buffers, or each output queue and the buffer behind it in turn.  A state is one number,
 * for each place one bit more than it has flits: a 1, then its packets, the front one first, each as a 1 and so many
 * zeros as it has flits beyond the first.
 */
#include "bubble.h"

#include <stdlib.h>

#include "hash.h"
#include "switch.h"

enum { MAX_STATES = 1 << 22 };

struct found {
  uint64_t state;
  uint32_t from; /* state before it, the first one: itself */
  struct ut_bubble_step step;
};

struct search {
  const struct ut_bubble_ring *ring;
  unsigned places;
  struct found *list;
  uint32_t count, room;
  struct ut_hash known;
  bool bad_memory;
};

/* ---- one place */

static unsigned places_of(const struct ut_bubble_ring *r) {
  return r->queue_flits ? 2 * r->buffers : r->buffers;
}
static bool is_queue(const struct ut_bubble_ring *r, unsigned i) {
  return r->queue_flits && i % 2 == 0;
}
static unsigned depth_of(const struct ut_bubble_ring *r, unsigned i) {
  return is_queue(r, i) ? r->queue_flits : r->depth_flits;
}
/* Bits before those of place i. */
static unsigned bits_before(const struct ut_bubble_ring *r, unsigned i) {
  unsigned bits = 0;
  while (i--)
    bits += depth_of(r, i) + 1;
  return bits;
}
static uint64_t mask_of(const struct search *s, unsigned i) {
  return (UINT64_C(2) << depth_of(s->ring, i)) - 1;
}

static uint64_t buffer_of(const struct search *s, uint64_t state, unsigned i) {
  return state >> bits_before(s->ring, i) & mask_of(s, i);
}

static uint64_t with_buffer(const struct search *s, uint64_t state, unsigned i, uint64_t buffer) {
  const unsigned at = bits_before(s->ring, i);
  return (state & ~(mask_of(s, i) << at)) | buffer << at;
}

static unsigned flits_in(uint64_t buffer) {
  return 63 - (unsigned)__builtin_clzll(buffer);
}

static unsigned free_in(const struct search *s, uint64_t state, unsigned i) {
  return depth_of(s->ring, i) - flits_in(buffer_of(s, state, i));
}

/* Flits of the front packet, 0: there is none. */
static unsigned front_of(uint64_t buffer) {
  unsigned flits = flits_in(buffer);
  if (!flits)
    return 0;
  uint64_t behind = buffer & ((UINT64_C(1) << (flits - 1)) - 1); /* without the leading 1 and the packet's own */
  return behind ? flits - 1 - flits_in(behind) : flits;
}

static uint64_t without_front(uint64_t buffer) {
  unsigned left = flits_in(buffer) - front_of(buffer);
  return (buffer & ((UINT64_C(1) << left) - 1)) | UINT64_C(1) << left;
}

static uint64_t with_packet(uint64_t buffer, unsigned flits) {
  return buffer << flits | UINT64_C(1) << (flits - 1);
}

/* ---- moves */

static void reach(struct search *s, uint64_t state, uint32_t from, enum ut_bubble_move move, unsigned buffer,
                  unsigned flits) {
  bool fresh;
  struct ut_hash_entry *entry = ut_hash_at(&s->known, state, &fresh);
  if (entry && !fresh)
    return;
  if (entry && s->count == s->room) {
    uint32_t room = s->room ? 2 * s->room : 1024;
    struct found *larger = room <= MAX_STATES ? realloc(s->list, room * sizeof *larger) : NULL;
    entry = larger ? entry : NULL;
    s->list = larger ? larger : s->list;
    s->room = larger ? room : s->room;
  }
  if (!entry) {
    s->bad_memory = true;
    return;
  }
  entry->value = s->count;
  s->list[s->count++] = (struct found){state, from, {(uint8_t)move, (uint8_t)buffer, (uint8_t)flits}};
}

static void enter(struct search *s, uint32_t from, unsigned i) {
  const struct ut_bubble_ring *r = s->ring;
  uint64_t state = s->list[from].state;
  if ((r->queue_flits && !is_queue(r, i)) || free_in(s, state, i) < r->enter)
    return;
  for (unsigned flits = r->shortest; flits <= r->longest; flits++)
    reach(s, with_buffer(s, state, i, with_packet(buffer_of(s, state, i), flits)), from, UT_BUBBLE_ENTER, i, flits);
}

/* true: the front packet of buffer i could go on. */
static bool go_on(struct search *s, uint32_t from, unsigned i) {
  uint64_t state = s->list[from].state, buffer = buffer_of(s, state, i);
  unsigned next = (i + 1) % s->places, flits = front_of(buffer);
  if (!flits || free_in(s, state, next) < (is_queue(s->ring, next) ? s->ring->queue_up : s->ring->go_on))
    return false;
  state = with_buffer(s, state, i, without_front(buffer));
  reach(s, with_buffer(s, state, next, with_packet(buffer_of(s, state, next), flits)), from, UT_BUBBLE_GO_ON, i, flits);
  return true;
}

/* ---- the search */

static bool keep_way(const struct search *s, uint32_t at, struct ut_bubble_verdict *v) {
  size_t steps = 0;
  for (uint32_t i = at; i; i = s->list[i].from)
    steps++;
  v->step = calloc(steps, sizeof *v->step);
  v->steps = v->step ? steps : 0;
  for (uint32_t i = at; i && v->step; i = s->list[i].from)
    v->step[--steps] = s->list[i].step;
  return v->step != NULL;
}

/* All moves from one state, and what it shows. */
static void look_at(struct search *s, uint32_t at, struct ut_bubble_verdict *v) {
  unsigned room = 0, all = 0;
  bool moves = false;
  for (unsigned i = 0; i < s->places; i++) {
    room += free_in(s, s->list[at].state, i);
    all += depth_of(s->ring, i);
  }
  if (room < v->least_free)
    v->least_free = room;
  for (unsigned i = 0; i < s->places; i++) {
    enter(s, at, i);
    moves |= go_on(s, at, i);
  }
  if (moves || room == all || v->stuck)
    return;
  v->stuck = true;
  s->bad_memory |= !keep_way(s, at, v);
}

bool ut_bubble_rule(struct ut_bubble_ring *ring) {
  const struct ut_shape shape = {
      .depth = ring->depth_flits, .max_packet = ring->longest, .min_packet = ring->shortest, .switching = UT_VCT};
  ring->go_on = ut_shape_ring_space(&shape, ring->depth_flits);
  ring->queue_up = ring->queue_flits ? ut_shape_ring_space(&shape, ring->queue_flits) : ring->go_on;
  ring->enter = ring->queue_up + ring->longest;
  return ring->go_on && ring->queue_up;
}

int ut_bubble_search(const struct ut_bubble_ring *ring, struct ut_bubble_verdict *v, struct ut_error *e) {
  struct search s = {.ring = ring, .places = places_of(ring)};
  const unsigned bits = bits_before(ring, s.places), most = bits - s.places;
  *v = (struct ut_bubble_verdict){.least_free = most};
  if (ring->buffers < 2 || bits > 64 || !ring->shortest || ring->shortest > ring->longest ||
      ring->longest > ring->depth_flits || (ring->queue_flits && ring->longest > ring->queue_flits))
    return ut_fail(e, UT_BAD_INPUT, "a ring of %u buffers of %u flits cannot be searched", ring->buffers,
                   ring->depth_flits);
  uint64_t empty = 0;
  for (unsigned i = 0; i < s.places; i++)
    empty |= UINT64_C(1) << bits_before(ring, i);
  reach(&s, empty, 0, UT_BUBBLE_ENTER, 0, 0);
  for (uint32_t i = 0; i < s.count && !s.bad_memory; i++)
    look_at(&s, i, v);
  v->states = s.count;
  free(s.list);
  ut_hash_free(&s.known);
  if (!s.bad_memory)
    return 0;
  ut_bubble_free(v);
  return ut_fail(e, UT_BAD_INPUT, "out of memory for a ring of %u buffers of %u flits", ring->buffers,
                 ring->depth_flits);
}

void ut_bubble_free(struct ut_bubble_verdict *v) {
  free(v->step);
  *v = (struct ut_bubble_verdict){0};
}
