/* SPDX-License-Identifier: Apache-2.0 */
/* bubble.c - see bubble.h
 *
 * The places of a ring are its buffers, or alternately the output queues and the buffers behind them.  A state is
 * encoded as one number.  Each place takes one bit more than it has flits: a 1, then its packets, the front one first,
 * each as a 1 followed by a zero for each of its flits after the first.
 */
#include "bubble.h"

#include <stdlib.h>

#include "hash.h"
#include "switch.h"

enum { MAX_STATES = 1 << 22 };

struct found {
  uint64_t state;
  uint32_t from; /* previous state; of the first one, itself */
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

static unsigned places_of(const struct ut_bubble_ring *ring) {
  return ring->queue_flits ? 2 * ring->buffers : ring->buffers;
}
static bool is_queue(const struct ut_bubble_ring *ring, unsigned i) {
  return ring->queue_flits && i % 2 == 0;
}
static unsigned depth_of(const struct ut_bubble_ring *ring, unsigned i) {
  return is_queue(ring, i) ? ring->queue_flits : ring->depth_flits;
}
/* Returns the bits before those of place i. */
static unsigned bits_before(const struct ut_bubble_ring *ring, unsigned i) {
  unsigned bits = 0;
  while (i--)
    bits += depth_of(ring, i) + 1;
  return bits;
}
static uint64_t mask_of(const struct search *search, unsigned i) {
  return (UINT64_C(2) << depth_of(search->ring, i)) - 1;
}

static uint64_t buffer_of(const struct search *search, uint64_t state, unsigned i) {
  return state >> bits_before(search->ring, i) & mask_of(search, i);
}

static uint64_t with_buffer(const struct search *search, uint64_t state, unsigned i, uint64_t buffer) {
  const unsigned at = bits_before(search->ring, i);
  return (state & ~(mask_of(search, i) << at)) | buffer << at;
}

static unsigned flits_in(uint64_t buffer) {
  return 63 - (unsigned)__builtin_clzll(buffer);
}

static unsigned free_in(const struct search *search, uint64_t state, unsigned i) {
  return depth_of(search->ring, i) - flits_in(buffer_of(search, state, i));
}

/* Returns the flits of the front packet; 0: there is none. */
static unsigned front_of(uint64_t buffer) {
  unsigned flits = flits_in(buffer);
  if (!flits)
    return 0;
  uint64_t behind = buffer & ((UINT64_C(1) << (flits - 1)) - 1); /* without the leading 1 and the 1 of the packet */
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

static void reach(struct search *search, uint64_t state, uint32_t from, enum ut_bubble_move move, unsigned buffer,
                  unsigned flits) {
  bool fresh;
  struct ut_hash_entry *entry = ut_hash_at(&search->known, state, &fresh);
  if (entry && !fresh)
    return;
  if (entry && search->count == search->room) {
    uint32_t room = search->room ? 2 * search->room : 1024;
    struct found *larger = room <= MAX_STATES ? realloc(search->list, room * sizeof *larger) : NULL;
    entry = larger ? entry : NULL;
    search->list = larger ? larger : search->list;
    search->room = larger ? room : search->room;
  }
  if (!entry) {
    search->bad_memory = true;
    return;
  }
  entry->value = search->count;
  search->list[search->count++] = (struct found){state, from, {(uint8_t)move, (uint8_t)buffer, (uint8_t)flits}};
}

static void enter(struct search *search, uint32_t from, unsigned i) {
  const struct ut_bubble_ring *ring = search->ring;
  uint64_t state = search->list[from].state;
  if ((ring->queue_flits && !is_queue(ring, i)) || free_in(search, state, i) < ring->enter)
    return;
  for (unsigned flits = ring->shortest; flits <= ring->longest; flits++)
    reach(search, with_buffer(search, state, i, with_packet(buffer_of(search, state, i), flits)), from, UT_BUBBLE_ENTER,
          i, flits);
}

/* Lets the front packet of place i continue; returns whether it could. */
static bool go_on(struct search *search, uint32_t from, unsigned i) {
  uint64_t state = search->list[from].state, buffer = buffer_of(search, state, i);
  unsigned next = (i + 1) % search->places, flits = front_of(buffer);
  if (!flits ||
      free_in(search, state, next) < (is_queue(search->ring, next) ? search->ring->queue_up : search->ring->go_on))
    return false;
  state = with_buffer(search, state, i, without_front(buffer));
  reach(search, with_buffer(search, state, next, with_packet(buffer_of(search, state, next), flits)), from,
        UT_BUBBLE_GO_ON, i, flits);
  return true;
}

/* ---- the search */

static bool keep_way(const struct search *search, uint32_t at, struct ut_bubble_verdict *verdict) {
  size_t steps = 0;
  for (uint32_t i = at; i; i = search->list[i].from)
    steps++;
  verdict->step = calloc(steps, sizeof *verdict->step);
  verdict->steps = verdict->step ? steps : 0;
  for (uint32_t i = at; i && verdict->step; i = search->list[i].from)
    verdict->step[--steps] = search->list[i].step;
  return verdict->step != NULL;
}

/* Makes all moves from one state, and updates the verdict. */
static void look_at(struct search *search, uint32_t at, struct ut_bubble_verdict *verdict) {
  unsigned room = 0, all = 0;
  bool moves = false;
  for (unsigned i = 0; i < search->places; i++) {
    room += free_in(search, search->list[at].state, i);
    all += depth_of(search->ring, i);
  }
  if (room < verdict->least_free)
    verdict->least_free = room;
  for (unsigned i = 0; i < search->places; i++) {
    enter(search, at, i);
    moves |= go_on(search, at, i);
  }
  if (moves || room == all || verdict->stuck)
    return;
  verdict->stuck = true;
  search->bad_memory |= !keep_way(search, at, verdict);
}

bool ut_bubble_rule(struct ut_bubble_ring *ring) {
  const struct ut_shape shape = {
      .depth = ring->depth_flits, .max_packet = ring->longest, .min_packet = ring->shortest, .switching = UT_VCT};
  ring->go_on = ut_shape_ring_space(&shape, ring->depth_flits);
  ring->queue_up = ring->queue_flits ? ut_shape_ring_space(&shape, ring->queue_flits) : ring->go_on;
  ring->enter = ring->queue_up + ring->longest;
  return ring->go_on && ring->queue_up;
}

int ut_bubble_search(const struct ut_bubble_ring *ring, struct ut_bubble_verdict *verdict, struct ut_error *e) {
  struct search search = {.ring = ring, .places = places_of(ring)};
  const unsigned bits = bits_before(ring, search.places), most = bits - search.places;
  *verdict = (struct ut_bubble_verdict){.least_free = most};
  if (ring->buffers < 2 || bits > 64 || !ring->shortest || ring->shortest > ring->longest ||
      ring->longest > ring->depth_flits || (ring->queue_flits && ring->longest > ring->queue_flits))
    return ut_fail(e, UT_BAD_INPUT, "a ring of %u buffers of %u flits cannot be searched", ring->buffers,
                   ring->depth_flits);
  uint64_t empty = 0;
  for (unsigned i = 0; i < search.places; i++)
    empty |= UINT64_C(1) << bits_before(ring, i);
  reach(&search, empty, 0, UT_BUBBLE_ENTER, 0, 0);
  for (uint32_t i = 0; i < search.count && !search.bad_memory; i++)
    look_at(&search, i, verdict);
  verdict->states = search.count;
  free(search.list);
  ut_hash_free(&search.known);
  if (!search.bad_memory)
    return 0;
  ut_bubble_free(verdict);
  return ut_fail(e, UT_BAD_INPUT, "out of memory for a ring of %u buffers of %u flits", ring->buffers,
                 ring->depth_flits);
}

void ut_bubble_free(struct ut_bubble_verdict *verdict) {
  free(verdict->step);
  *verdict = (struct ut_bubble_verdict){0};
}
