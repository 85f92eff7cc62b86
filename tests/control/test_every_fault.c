/* SPDX-License-Identifier: Apache-2.0 */
/* test_every_fault.c - csim/control/faults against a computation without lists of moments and marks: of each component
 * that is drawn all faults so far are looked at.  Lists of faults are drawn: any kinds, in any order of time. */
#include "faults.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fault_entry.h"
#include "random.h"
#include "scenario.h"
#include "topologies.h"
#include "topology_build.h"

static const uint64_t never = UINT64_MAX;
enum { MOST = 1000, CYCLES = 140, ENTRIES = 7 };

/* One fault of one component. */
struct piece {
  uint64_t at, until;
  struct ut_component what;
};

struct plain {
  const struct ut_topology *t;
  struct piece piece[MOST];
  unsigned pieces;
  unsigned left; /* of a list that cannot be: how many components are left to draw from, */
  unsigned all;  /* of how many, and for which entry */
  const struct ut_fault *refused;
};

/* ---- components */

static struct ut_component link_of(const struct ut_topology *t, uint32_t channel, enum ut_direction direction) {
  const uint32_t twin = ut_topology_twin(t, channel);
  struct ut_component c = {.kind = UT_FAULT_LINK, .channel = direction == UT_DIRECTION_IN ? twin : channel};
  if (direction == UT_DIRECTION_BOTH && t->bidirectional) { /* by its lower switch, or its only one */
    const struct ut_peer from = ut_topology_sender(t, channel), to = t->peer[channel];
    const bool turn = to.kind == UT_PEER_SWITCH && (from.kind == UT_PEER_TERMINAL || to.index < from.index);
    c.channel = turn ? twin : channel;
    c.both = true;
  }
  const struct ut_peer from = ut_topology_sender(t, c.channel), to = t->peer[c.channel];
  c.sw = from.kind == UT_PEER_SWITCH ? from.index : to.index;
  c.port = from.kind == UT_PEER_SWITCH ? from.port : to.port;
  return c;
}

static struct ut_component switch_of(uint32_t sw) {
  return (struct ut_component){.kind = UT_FAULT_SWITCH, .sw = sw};
}

static struct ut_component named(const struct ut_topology *t, const struct ut_fault *f) {
  const uint32_t sw = f->level * (t->switches / t->levels) + f->index;
  switch (f->kind) {
  case UT_FAULT_SWITCH: return switch_of(sw);
  case UT_FAULT_LINK: return link_of(t, sw * t->po + f->port, f->direction);
  case UT_FAULT_INJECTION: return link_of(t, ut_topology_injection(t, f->terminal, f->link), UT_DIRECTION_OUT);
  default: return link_of(t, t->ejection[f->terminal * t->ejections + f->link], UT_DIRECTION_OUT);
  }
}

/* Also where only one direction fails: it is one link. */
static bool same(const struct ut_topology *t, const struct ut_component *a, const struct ut_component *b) {
  if (a->kind != b->kind || a->kind == UT_FAULT_SWITCH)
    return a->kind == b->kind && a->sw == b->sw;
  return a->channel == b->channel || (t->bidirectional && ut_topology_twin(t, a->channel) == b->channel);
}

static bool is_leaf(const struct ut_topology *t, uint32_t sw) {
  return t->up_ports && t->level[sw] == 0;
}

static unsigned candidates(const struct ut_topology *t, const struct ut_fault *f) {
  unsigned leaves = 0;
  for (uint32_t sw = 0; sw < t->switches; sw++)
    leaves += is_leaf(t, sw);
  switch (f->kind) {
  case UT_FAULT_RANDOM_LINKS: return (unsigned)t->links;
  case UT_FAULT_RANDOM_TERMINAL_LINKS:
    return t->bidirectional ? t->terminals * t->ejections : t->terminals * (t->ejections + t->injections);
  default: return t->switches - leaves;
  }
}

static struct ut_component candidate(const struct ut_topology *t, const struct ut_fault *f, unsigned i) {
  const unsigned ejections = t->terminals * t->ejections;
  switch (f->kind) {
  case UT_FAULT_RANDOM_LINKS: return link_of(t, t->link[i].lower * t->po + t->link[i].lower_port, f->direction);
  case UT_FAULT_RANDOM_TERMINAL_LINKS:
    return link_of(t, i < ejections ? t->ejection[i] : ut_topology_injection(t, 0, 0) + i - ejections, f->direction);
  default: return switch_of(t->switches - candidates(t, f) + i);
  }
}

/* ---- the list, one fault after the other */

static void add(struct plain *p, const struct ut_fault *f, unsigned time, struct ut_component what) {
  const uint64_t later = time * f->every_cycles;
  assert_in_range(p->pieces, 0, MOST - 1);
  p->piece[p->pieces++] =
      (struct piece){f->at_cycle + later, f->until_cycle == never ? never : f->until_cycle + later, what};
}

static bool taken(const struct plain *p, const struct ut_fault *f, unsigned time, const struct ut_component *what) {
  const uint64_t later = time * f->every_cycles, at = f->at_cycle + later;
  const uint64_t until = f->until_cycle == never ? never : f->until_cycle + later;
  bool found = false;
  for (unsigned i = 0; i < p->pieces; i++)
    found |= same(p->t, &p->piece[i].what, what) && p->piece[i].at < until && at < p->piece[i].until;
  return found;
}

static unsigned hops(const struct ut_topology *t, uint32_t a, uint32_t b) {
  unsigned most = 0;
  for (unsigned d = 0; d < t->dimensions; d++, a /= t->size[d - 1], b /= t->size[d - 1]) {
    const unsigned x = a % t->size[d], y = b % t->size[d], apart = x < y ? y - x : x - y;
    const unsigned here = t->wrap && t->size[d] - apart < apart ? t->size[d] - apart : apart;
    most = here > most ? here : most;
  }
  return most;
}

/* As many components as it wants; far enough from each other, or from the beginning. */
static void draw(struct plain *p, const struct ut_fault *f, unsigned time, struct ut_random *random) {
  const unsigned first = p->pieces, all = candidates(p->t, f);
  unsigned draws = 0;
  while (p->pieces < first + f->count) {
    const struct ut_component what = candidate(p->t, f, ut_random_below(random, all));
    if (f->apart && draws++ == 16 * all + 1) {
      p->pieces = first;
      draws = 0;
      continue;
    }
    bool good = !taken(p, f, time, &what);
    for (unsigned i = first; i < p->pieces; i++)
      good &= !f->apart || hops(p->t, p->piece[i].what.sw, what.sw) >= f->apart;
    if (good)
      add(p, f, time, what);
  }
}

static void draw_subcube(struct plain *p, const struct ut_fault *f, unsigned time, struct ut_random *random) {
  uint32_t inside = 0;
  while ((unsigned)__builtin_popcount(inside) < f->count) {
    const unsigned d = ut_random_below(random, p->t->cube);
    if (d != f->half_of)
      inside |= 1u << d;
  }
  const uint32_t place = ut_random_below(random, p->t->switches), parity = ut_random_below(random, 2);
  for (uint32_t sw = 0; sw < p->t->switches; sw++) {
    const struct ut_component what = switch_of(sw);
    if ((sw & ~inside) == (place & ~inside) && (uint32_t)__builtin_popcount(sw) % 2 == parity &&
        !taken(p, f, time, &what))
      add(p, f, time, what);
  }
}

/* false: there are too few components. */
static bool make(struct plain *p, const struct ut_fault *list, unsigned count, uint64_t seed) {
  for (unsigned i = 0; i < count; i++)
    for (unsigned time = 0; list[i].kind < UT_FAULT_RANDOM_LINKS && (!time || time < list[i].times); time++)
      add(p, &list[i], time, named(p->t, &list[i]));
  for (unsigned i = 0; i < count; i++)
    for (unsigned time = 0; list[i].kind >= UT_FAULT_RANDOM_LINKS && (!time || time < list[i].times); time++) {
      const struct ut_fault *f = &list[i];
      struct ut_random random;
      ut_random_init(&random, seed, UT_RANDOM_FAULTS, i + 1 + time * count);
      if (f->kind == UT_FAULT_RANDOM_SUBCUBE) {
        draw_subcube(p, f, time, &random);
        continue;
      }
      p->left = 0;
      for (unsigned j = 0; j < candidates(p->t, f); j++) {
        const struct ut_component what = candidate(p->t, f, j);
        p->left += !taken(p, f, time, &what);
      }
      if (f->count > p->left) {
        p->all = candidates(p->t, f);
        p->refused = f;
        return false;
      }
      draw(p, f, time, &random);
    }
  return true;
}

/* ---- comparison */

/* In which order events of one cycle come. */
static bool comes_before(const struct ut_fault_event *a, const struct ut_fault_event *b) {
  const uint64_t key[][2] = {{a->cycle, b->cycle},         {a->up, b->up},
                             {a->what.kind, b->what.kind}, {a->what.sw, b->what.sw},
                             {a->what.port, b->what.port}, {a->what.channel, b->what.channel}};
  for (unsigned i = 0; i < sizeof key / sizeof *key; i++)
    if (key[i][0] != key[i][1])
      return key[i][0] < key[i][1];
  return false;
}

static void compare_events(const struct plain *p, const struct ut_faults *f) {
  static struct ut_fault_event event[2 * MOST];
  unsigned events = 0, whole[2] = {0};
  for (unsigned i = 0; i < 2 * p->pieces; i++) {
    const struct piece *x = &p->piece[i / 2];
    const struct ut_fault_event new = {.cycle = i % 2 ? x->until : x->at, .what = x->what, .up = i % 2};
    if (new.cycle == never)
      continue;
    unsigned place = events++;
    for (; place && comes_before(&new, &event[place - 1]); place--)
      event[place] = event[place - 1];
    event[place] = new;
  }
  assert_int_equal(f->events, events);
  for (unsigned i = 0; i < events; i++) {
    assert_false(comes_before(&f->event[i], &event[i]) || comes_before(&event[i], &f->event[i]));
    whole[0] += event[i].what.both; /* it may fail together with one direction of it, in any order */
    whole[1] += f->event[i].what.both;
  }
  assert_int_equal(whole[0], whole[1]);
}

/* A channel, by its number; a switch. */
static bool is_down(const struct plain *p, uint64_t cycle, uint32_t channel) {
  bool down = false;
  for (unsigned i = 0; i < p->pieces; i++) {
    const struct ut_component *c = &p->piece[i].what;
    const bool now = p->piece[i].at <= cycle && cycle < p->piece[i].until;
    down |= now && c->kind == UT_FAULT_LINK &&
            (c->channel == channel || (c->both && ut_topology_twin(p->t, c->channel) == channel));
  }
  return down;
}

static bool switch_is_down(const struct plain *p, uint64_t cycle, const struct ut_peer *at) {
  bool down = false;
  for (unsigned i = 0; i < p->pieces && at->kind == UT_PEER_SWITCH; i++)
    down |= p->piece[i].at <= cycle && cycle < p->piece[i].until && p->piece[i].what.kind == UT_FAULT_SWITCH &&
            p->piece[i].what.sw == at->index;
  return down;
}

static void compare_states(const struct plain *p, struct ut_faults *f) {
  const struct ut_topology *t = p->t;
  static unsigned down[1000], stopped[100];
  uint64_t failures = 0;
  size_t next = 0;
  memset(down, 0, sizeof down), memset(stopped, 0, sizeof stopped);
  assert_true(t->channels <= 1000 && t->switches <= 100);
  assert_int_equal(f->failures, 0);
  for (uint64_t cycle = 0; cycle < CYCLES; cycle += cycle < 60 ? 1 : 7) {
    assert_true(ut_faults_next_cycle(f) == (next < f->events ? f->event[next].cycle : never));
    for (; next < f->events && f->event[next].cycle <= cycle; next++) { /* those that change something are returned */
      const struct ut_component *c = &f->event[next].what;
      unsigned *count[] = {c->kind == UT_FAULT_SWITCH ? &stopped[c->sw] : &down[c->channel],
                           c->both ? &down[ut_topology_twin(t, c->channel)] : NULL};
      bool changed = false;
      for (unsigned i = 0; i < 2 && count[i]; i++) {
        changed |= *count[i] == f->event[next].up;
        *count[i] += f->event[next].up ? -1u : 1u;
      }
      failures += changed && !f->event[next].up;
      if (changed)
        assert_ptr_equal(ut_faults_next(f, cycle), &f->event[next]);
    }
    assert_null(ut_faults_next(f, cycle));
    assert_int_equal(f->failures, failures);
    for (uint32_t i = 0; i < t->channels; i++) {
      const struct ut_peer from = ut_topology_sender(t, i), to = t->peer[i];
      const bool up = to.kind != UT_PEER_NONE && !is_down(p, cycle, i) && !switch_is_down(p, cycle, &from) &&
                      !switch_is_down(p, cycle, &to);
      assert_int_equal(ut_faults_channel_up(f, i), up);
    }
    for (uint32_t sw = 0; sw < t->switches; sw++) {
      uint64_t in = 0, out = 0;
      for (unsigned port = 0; port < t->po; port++)
        out |= (uint64_t)ut_faults_channel_up(f, sw * t->po + port) << port;
      for (uint32_t i = 0; i < t->channels; i++)
        if (t->peer[i].kind == UT_PEER_SWITCH && t->peer[i].index == sw)
          in |= (uint64_t)ut_faults_channel_up(f, i) << t->peer[i].port;
      assert_true(ut_faults_out_up(f, sw) == out && ut_faults_in_up(f, sw) == in);
      const struct ut_peer here = {.index = sw, .kind = UT_PEER_SWITCH};
      assert_int_equal(ut_faults_switch_up(f, sw), !switch_is_down(p, cycle, &here));
    }
  }
}

/* ---- lists that are drawn */

static uint64_t period_of(struct ut_random *r) {
  return 1 + ut_random_below(r, 12);
}

static struct ut_fault any_fault(const struct ut_topology *t, struct ut_random *r) {
  struct ut_fault f = {.at_cycle = ut_random_below(r, 40), .half_of = UT_NO_DIMENSION};
  const unsigned what = ut_random_below(r, t->cube ? 9 : 8);
  f.kind = what < UT_FAULT_RANDOM_SUBCUBE ? (enum ut_fault_kind)what
           : what == 8                    ? UT_FAULT_RANDOM_SUBCUBE
                                          : UT_FAULT_LINK;
  f.until_cycle = ut_random_below(r, 4) ? f.at_cycle + 1 + ut_random_below(r, 30) : never;
  if (ut_random_below(r, 2))
    f.times = 1 + ut_random_below(r, 4), f.every_cycles = period_of(r);
  const uint32_t sw = ut_random_below(r, t->switches);
  f.level = sw / (t->switches / t->levels), f.index = sw % (t->switches / t->levels);
  do
    f.port = ut_random_below(r, t->po);
  while (f.kind == UT_FAULT_LINK && t->peer[sw * t->po + f.port].kind == UT_PEER_NONE);
  if (t->bidirectional && (f.kind == UT_FAULT_LINK || f.kind == UT_FAULT_RANDOM_LINKS))
    f.direction = (enum ut_direction)ut_random_below(r, 3);
  f.terminal = ut_random_below(r, t->terminals);
  f.link = ut_random_below(r, f.kind == UT_FAULT_INJECTION ? t->injections : t->ejections);
  const unsigned few = ut_random_below(r, 5), all = candidates(t, &f);
  f.count = f.kind == UT_FAULT_RANDOM_SUBCUBE ? 1 + few % t->cube : few ? 1 + few % all : 1 + ut_random_below(r, all);
  if (f.kind == UT_FAULT_RANDOM_SWITCHES && t->dimensions && few)
    f.apart = 2, f.count = 1 + few % 2;
  if (f.kind == UT_FAULT_RANDOM_SUBCUBE && f.count < t->cube && few % 2)
    f.half_of = ut_random_below(r, t->cube);
  return f;
}

/* A list, and the same computed here; false: both find it impossible. */
static bool compare(const struct ut_topology *t, struct ut_fault *list, unsigned count, uint64_t seed) {
  static struct plain p;
  char path[] = "x.yaml";
  struct ut_error e;
  struct ut_faults faults;
  const struct ut_scenario s = {.path = path, .run.seed = seed, .faults = list, .fault_count = count};
  p = (struct plain){.t = t};
  const bool can = make(&p, list, count, seed);
  assert_int_equal(ut_faults_init(&faults, &s, t, &e), can ? 0 : -1);
  if (!can) {
    char text[256];
    const enum ut_fault_kind kind = p.refused->kind;
    snprintf(text, sizeof text,
             "x.yaml:%u: %u random %s wanted, only %u are left (%u in this %s, %u faulty in that time)",
             p.refused->line, p.refused->count,
             kind == UT_FAULT_RANDOM_LINKS            ? "links between switches"
             : kind == UT_FAULT_RANDOM_TERMINAL_LINKS ? "links of terminals"
             : t->up_ports                            ? "switches above level 0"
                                                      : "switches",
             p.left, p.all, t->kind, p.all - p.left);
    assert_string_equal(e.text, text);
    assert_int_equal(e.code, UT_BAD_INPUT);
    assert_true(!faults.event && !faults.channel_down && !faults.switch_down);
    return false;
  }
  compare_events(&p, &faults);
  compare_states(&p, &faults);
  ut_faults_rewind(&faults);
  compare_states(&p, &faults);
  ut_faults_free(&faults);
  return true;
}

static void compare_lists(const struct ut_topology *t, unsigned lists) {
  unsigned made = 0;
  for (unsigned i = 0; i < lists; i++) {
    struct ut_random r;
    struct ut_fault list[ENTRIES];
    ut_random_init(&r, 5, UT_RANDOM_FAULTS, i);
    const unsigned count = 1 + ut_random_below(&r, ENTRIES);
    for (unsigned j = 0; j < count; j++)
      list[j] = any_fault(t, &r), list[j].line = 10 + j;
    made += compare(t, list, count, i);
  }
  assert_in_range(made, lists / 2, lists - 1); /* some are refused */
}

static void of_a_tree(void **state) {
  (void)state;
  struct ut_topology t;
  struct ut_error e;
  assert_int_equal(test_fat_tree(&t, 2, 3, 0, false, &e), 0);
  compare_lists(&t, 200);
  ut_topology_free(&t);
}

static void of_a_grid(void **state) {
  (void)state;
  struct ut_topology t;
  struct ut_error e;
  for (unsigned wrap = 0; wrap < 2; wrap++) {
    const unsigned size[] = {4, 3};
    assert_int_equal(test_grid(&t, size, 2, 2, wrap, &e), 0);
    compare_lists(&t, 100);
    ut_topology_free(&t);
  }
}

/* Only a few sets of nodes are so far from each other: it begins again and again. */
static void far_apart(void **state) {
  (void)state;
  for (unsigned wrap = 0; wrap < 2; wrap++) {
    struct ut_topology t;
    struct ut_error e;
    const unsigned side = wrap ? 6 : 7, size[] = {side, side};
    assert_int_equal(test_grid(&t, size, 2, 1, wrap, &e), 0);
    for (unsigned seed = 0; seed < 10; seed++) {
      struct ut_fault list[] = {
          {.kind = UT_FAULT_RANDOM_SWITCHES, .at_cycle = 5, .until_cycle = 20, .count = wrap ? 4 : 8, .apart = 3},
          {.kind = UT_FAULT_SWITCH, .at_cycle = 10, .until_cycle = never, .index = seed}};
      assert_true(compare(&t, list, 2, seed));
    }
    ut_topology_free(&t);
  }
}

static void of_a_cube(void **state) {
  (void)state;
  struct ut_topology t;
  struct ut_error e;
  assert_int_equal(test_cube(&t, 3, &e), 0);
  compare_lists(&t, 200);
  ut_topology_free(&t);
}

/* Links with one direction. */
static void of_ruft(void **state) {
  (void)state;
  static const struct ut_family *const family[] = {&ut_family_ruft, &ut_family_ft_ruft_222};
  for (unsigned i = 0; i < 2; i++) {
    const struct ut_scenario s = {.topology = {.family = family[i], .k = 2, .n = 2, .link_cycles = 1}};
    struct ut_topology t;
    struct ut_error e;
    assert_int_equal(ut_topology_init(&t, &s, &e), 0);
    compare_lists(&t, 150);
    ut_topology_free(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(of_a_tree), cmocka_unit_test(of_a_grid), cmocka_unit_test(far_apart),
      cmocka_unit_test(of_a_cube), cmocka_unit_test(of_ruft),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
