/* SPDX-License-Identifier: Apache-2.0 */
/* test_bubble.c - csim/prove/bubble: rings that are searched once more, packet by packet, and rings that are refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bubble.h"

/* ---- all states once more: lists of packets, found by comparing with each that is known */

enum { BUFFERS = 4, PACKETS = 7, STATES = 2000 }; /* BUFFERS: or queues and buffers in turn */

struct state {
  uint8_t packet[BUFFERS][PACKETS]; /* flits of each, the front one first; 0: none */
};

struct found {
  struct state state[STATES];
  unsigned moves[STATES], count;
};

static unsigned flits_in(const struct state *s, unsigned buffer) {
  unsigned flits = 0;
  for (unsigned i = 0; i < PACKETS; i++)
    flits += s->packet[buffer][i];
  return flits;
}

static void append(struct state *s, unsigned buffer, unsigned flits) {
  unsigned at = 0;
  while (s->packet[buffer][at])
    at++;
  assert_true(at < PACKETS - 1);
  s->packet[buffer][at] = (uint8_t)flits;
}

static void add(struct found *f, const struct state *s, unsigned moves) {
  for (unsigned i = 0; i < f->count; i++)
    if (!memcmp(&f->state[i], s, sizeof *s))
      return;
  assert_true(f->count < STATES);
  f->moves[f->count] = moves;
  f->state[f->count++] = *s;
}

/* Of a place: with queues the even ones are queues. */
static unsigned places_of(const struct ut_bubble_ring *r) {
  return r->buffers * (r->queue_flits ? 2 : 1);
}
static unsigned depth_of(const struct ut_bubble_ring *r, unsigned place) {
  return r->queue_flits && place % 2 == 0 ? r->queue_flits : r->depth_flits;
}
static unsigned room_of(const struct ut_bubble_ring *r) {
  return r->buffers * (r->depth_flits + r->queue_flits);
}
/* Flits of room that a packet in the ring needs to go on into it, and one that is not, to enter it. */
static unsigned up_of(const struct ut_bubble_ring *r, unsigned place) {
  return r->queue_flits && place % 2 == 0 ? r->queue_up : r->go_on;
}
static unsigned entry_of(const struct ut_bubble_ring *r, unsigned place) {
  return r->queue_flits && place % 2 ? 1000 : r->enter;
}

/* What the search should say; `step` is left out. */
static struct ut_bubble_verdict search(const struct ut_bubble_ring *r, struct found *f) {
  struct ut_bubble_verdict v = {.least_free = room_of(r)};
  f->count = 0;
  add(f, &(struct state){{{0}}}, 0);
  for (unsigned at = 0; at < f->count; at++) {
    const struct state now = f->state[at];
    unsigned room = 0;
    bool moves = false, some = false;
    for (unsigned i = 0; i < places_of(r); i++) {
      const unsigned next = (i + 1) % places_of(r), front = now.packet[i][0];
      room += depth_of(r, i) - flits_in(&now, i);
      some |= front;
      for (unsigned flits = r->shortest; flits <= r->longest; flits++)
        if (depth_of(r, i) - flits_in(&now, i) >= entry_of(r, i)) {
          struct state then = now;
          append(&then, i, flits);
          add(f, &then, f->moves[at] + 1);
        }
      if (front && depth_of(r, next) - flits_in(&now, next) >= up_of(r, next)) {
        struct state then = now;
        memmove(then.packet[i], then.packet[i] + 1, PACKETS - 1);
        append(&then, next, front);
        add(f, &then, f->moves[at] + 1);
        moves = true;
      }
    }
    v.least_free = room < v.least_free ? room : v.least_free;
    if (some && !moves && !v.stuck) {
      v.stuck = true;
      v.steps = f->moves[at];
    }
  }
  v.states = f->count;
  return v;
}

static unsigned rings, stuck, empty, moved_last;

static void compare(const struct ut_bubble_ring *r, struct found *f) {
  struct ut_bubble_verdict v;
  struct ut_error e;
  const struct ut_bubble_verdict wanted = search(r, f);
  unsigned room = room_of(r);
  for (unsigned i = 0; i < places_of(r); i++)
    room -= flits_in(&f->state[f->count - 1], i);
  assert_int_equal(ut_bubble_search(r, &v, &e), 0);
  assert_int_equal(v.states, wanted.states);
  assert_int_equal(v.least_free, wanted.least_free);
  assert_int_equal(v.stuck, wanted.stuck);
  assert_int_equal(v.steps, wanted.steps);
  rings++, stuck += v.stuck, empty += v.states == 1;
  moved_last += room > v.least_free; /* the state that is found last has not the least room */
  ut_bubble_free(&v);
}

static void the_same_twice(void **state) {
  (void)state;
  static struct found f;
  static const unsigned most[BUFFERS + 1] = {0, 0, 6, 4, 3}; /* flits of a buffer */
  for (unsigned buffers = 2; buffers <= BUFFERS; buffers++)
    for (unsigned depth = 1; depth <= most[buffers]; depth++)
      for (unsigned longest = 1; longest <= depth; longest++)
        for (unsigned shortest = 1; shortest <= longest; shortest++)
          for (unsigned go_on = longest; go_on <= depth + 1; go_on++)
            for (unsigned enter = longest; enter <= depth + 1; enter++)
              compare(&(struct ut_bubble_ring){buffers, depth, longest, shortest, go_on, enter, 0, 0}, &f);
  assert_true(rings > 300 && stuck > 100 && empty > 100 && moved_last > 5);
}

/* Two channels, each an output queue and the buffer behind its link. */
static void the_same_twice_with_queues(void **state) {
  (void)state;
  static struct found f;
  rings = stuck = empty = 0;
  for (unsigned depth = 1; depth <= 3; depth++)
    for (unsigned queue = 1; queue <= 3; queue++)
      for (unsigned longest = 1; longest <= depth && longest <= queue; longest++)
        for (unsigned shortest = 1; shortest <= longest; shortest++)
          for (unsigned enter = longest; enter <= queue + 1; enter++)
            compare(&(struct ut_bubble_ring){2, depth, longest, shortest, longest, enter, queue, longest}, &f);
  assert_true(rings > 30 && stuck > 10 && empty > 10);
}

/* Under the bubble rule no ring of output queues and buffers is ever stuck, whatever the lengths and the depths for
 * which a switch can be elaborated; entered with space for one packet each of them is. */
static void queues_obey_the_rule(void **state) {
  (void)state;
  unsigned searched = 0;
  for (unsigned channels = 2; channels <= 3; channels++)
    for (unsigned longest = 1; longest <= 3; longest++)
      for (unsigned shortest = 1; shortest <= longest; shortest++)
        for (unsigned depth = 2 * longest; depth <= (channels == 2 ? 7u : 4u); depth++)
          for (unsigned queue = 2 * longest; queue <= (channels == 2 ? 7u : 4u); queue++) {
            struct ut_bubble_ring ring = {.buffers = channels,
                                          .depth_flits = depth,
                                          .longest = longest,
                                          .shortest = shortest,
                                          .queue_flits = queue};
            struct ut_bubble_verdict v;
            struct ut_error e;
            if (!ut_bubble_rule(&ring))
              continue;
            assert_true(ring.enter <= queue);
            assert_int_equal(ut_bubble_search(&ring, &v, &e), 0);
            assert_false(v.stuck);
            assert_true(v.least_free >= shortest);
            ut_bubble_free(&v);
            ring.go_on = ring.queue_up = ring.enter = longest;
            assert_int_equal(ut_bubble_search(&ring, &v, &e), 0);
            assert_true(v.stuck);
            ut_bubble_free(&v);
            searched++;
          }
  assert_true(searched > 40);
}

/* ---- bounds */

static void refused(void **state) {
  (void)state;
  static const struct {
    struct ut_bubble_ring ring;
    bool good;
  } cases[] = {
      {{1, 4, 2, 2, 2, 4, 0, 0}, false},                                             /* one buffer is no ring */
      {{2, 4, 2, 2, 2, 4, 0, 0}, true},                                              /* two are */
      {{5, 12, 12, 12, 12, 99, 0, 0}, false},                                        /* 65 bits */
      {{16, 3, 3, 3, 3, 99, 0, 0}, true},                                            /* 64 */
      {{13, 4, 4, 4, 4, 99, 0, 0}, false},    {{2, 31, 31, 31, 31, 31, 0, 0}, true}, /* as many bits as a state has */
      {{3, 31, 31, 31, 31, 31, 0, 0}, false}, {{2, 32, 32, 32, 32, 32, 0, 0}, false},
      {{2, 4, 2, 0, 2, 4, 0, 0}, false}, /* nothing */
      {{2, 4, 2, 3, 2, 4, 0, 0}, false}, /* the shortest one is longer */
      {{2, 4, 5, 3, 2, 4, 0, 0}, false}, /* longer than a buffer */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct ut_bubble_verdict v;
    struct ut_error e;
    const struct ut_bubble_ring *r = &cases[i].ring;
    assert_int_equal(ut_bubble_search(r, &v, &e), cases[i].good ? 0 : -1);
    if (!cases[i].good)
      assert_non_null(strstr(e.text, "cannot be searched"));
    else if (r->buffers == 2 && r->shortest == r->depth_flits) /* each is empty or full, and stuck when both are */
      assert_true(v.states == 4 && v.stuck && v.steps == 2 && v.least_free == 0);
    ut_bubble_free(&v);
  }
}

/* Room for one flit is a rule, too. */
static void one_flit(void **state) {
  (void)state;
  for (unsigned depth = 2; depth < 5; depth++) {
    struct ut_bubble_ring ring = {3, depth, 1, 1, 99, 98, 0, 0};
    assert_true(ut_bubble_rule(&ring));
    assert_true(ring.go_on == 1 && ring.enter == 2);
  }
  struct ut_bubble_ring full = {3, 1, 1, 1, 99, 98, 0, 0};
  assert_false(ut_bubble_rule(&full));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_same_twice), cmocka_unit_test(the_same_twice_with_queues),
                                     cmocka_unit_test(queues_obey_the_rule), cmocka_unit_test(refused),
                                     cmocka_unit_test(one_flit)};
  return cmocka_run_group_tests_name("bubble", tests, NULL, NULL);
}
