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

enum { BUFFERS = 4, PACKETS = 7, STATES = 2000 };

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

/* What the search should say; `step` is left out. */
static struct ut_bubble_verdict search(const struct ut_bubble_ring *r, struct found *f) {
  struct ut_bubble_verdict v = {.least_free = r->buffers * r->depth_flits};
  f->count = 0;
  add(f, &(struct state){{{0}}}, 0);
  for (unsigned at = 0; at < f->count; at++) {
    const struct state now = f->state[at];
    unsigned room = 0;
    bool moves = false, some = false;
    for (unsigned i = 0; i < r->buffers; i++) {
      const unsigned next = (i + 1) % r->buffers, front = now.packet[i][0];
      room += r->depth_flits - flits_in(&now, i);
      some |= front;
      for (unsigned flits = r->shortest; flits <= r->longest; flits++)
        if (r->depth_flits - flits_in(&now, i) >= r->enter) {
          struct state then = now;
          append(&then, i, flits);
          add(f, &then, f->moves[at] + 1);
        }
      if (front && r->depth_flits - flits_in(&now, next) >= r->go_on) {
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
  unsigned room = r->buffers * r->depth_flits;
  for (unsigned i = 0; i < r->buffers; i++)
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
              compare(&(struct ut_bubble_ring){buffers, depth, longest, shortest, go_on, enter}, &f);
  assert_true(rings > 300 && stuck > 100 && empty > 100 && moved_last > 5);
}

/* ---- bounds */

static void refused(void **state) {
  (void)state;
  static const struct {
    struct ut_bubble_ring ring;
    bool good;
  } cases[] = {
      {{1, 4, 2, 2, 2, 4}, false},                                       /* one buffer is no ring */
      {{2, 4, 2, 2, 2, 4}, true},                                        /* two are */
      {{5, 12, 12, 12, 12, 99}, false},                                  /* 65 bits */
      {{16, 3, 3, 3, 3, 99}, true},                                      /* 64 */
      {{13, 4, 4, 4, 4, 99}, false},    {{2, 31, 31, 31, 31, 31}, true}, /* as many bits as a state has */
      {{3, 31, 31, 31, 31, 31}, false}, {{2, 32, 32, 32, 32, 32}, false}, {{2, 4, 2, 0, 2, 4}, false}, /* nothing */
      {{2, 4, 2, 3, 2, 4}, false}, /* the shortest one is longer */
      {{2, 4, 5, 3, 2, 4}, false}, /* longer than a buffer */
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
    struct ut_bubble_ring ring = {3, depth, 1, 1, 99, 98};
    assert_true(ut_bubble_rule(&ring));
    assert_true(ring.go_on == 1 && ring.enter == 2);
  }
  struct ut_bubble_ring full = {3, 1, 1, 1, 99, 98};
  assert_false(ut_bubble_rule(&full));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_same_twice), cmocka_unit_test(refused),
                                     cmocka_unit_test(one_flit)};
  return cmocka_run_group_tests_name("bubble", tests, NULL, NULL);
}
