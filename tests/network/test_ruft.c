/* SPDX-License-Identifier: Apache-2.0 */
/* test_ruft.c - RUFT, RUFT-PL, FT-RUFT-212 and FT-RUFT-222: links by hand, every path by the golden route function, the
 * terminals' choices against a search of their own, and runs under faults of every position. */
#include "network.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "deadlock.h"
#include "family.h"
#include "family_check.h"
#include "random.h"
#include "route_unit.h"
#include "scenario_read.h"
#include "scenarios.h"
#include "share.h"
#include "topology_build.h"

/* The four kinds, and what the paper says of them. */
struct kind {
  const char *name, *keys; /* keys: of `routing` */
  unsigned ends;           /* injection links of a terminal, and ejection links */
  unsigned links;          /* between two switches */
  bool apart, fixed;       /* the two ends lead to different switches; static selection */
};
static const struct kind kinds[] = {
    {"ruft", "", 1, 1, false, false},
    {"ruft_pl", "", 2, 2, false, false},
    {"ruft_pl", ", parallel_links: static", 2, 2, false, true},
    {"ft_ruft_212", "", 2, 1, true, false},
    {"ft_ruft_222", ", parallel_links: dynamic", 2, 2, true, false},
    {"ft_ruft_222", ", parallel_links: static", 2, 2, true, true},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };
static const unsigned sizes[][2] = {{2, 3}, {4, 3}, {8, 2}, {4, 2}, {2, 2}};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static struct ut_scenario *scenario(const struct kind *x, unsigned k, unsigned n, const char *format, ...) {
  char rest[1536];
  va_list args;
  va_start(args, format);
  vsnprintf(rest, sizeof rest, format, args);
  va_end(args);
  return test_scenario("topology: {kind: %s, k: %u, n: %u}\nrouting: {algorithm: ruft%s%s", x->name, k, n, x->keys,
                       *rest ? rest : "}\ntraffic: {load_flits_per_cycle: 0.1}\n");
}

/* ---- golden switches that can be asked */

/* A network without terminals' traffic, and which of its channels work. */
struct bench {
  struct ut_scenario *s;
  struct ut_topology t;
  struct ut_shape shape[UT_MAX_ELABORATIONS];
  struct ut_group group[UT_MAX_ELABORATIONS];
  uint64_t *up;         /* bitmap over channels */
  uint8_t *crossed;     /* [switches * pi * po]: a packet can go from that input to that output */
  const struct kind *x; /* not the bench's */
  unsigned k, n;
  /* of a walk */
  uint32_t dst;
  unsigned rt, arrivals, discards;
  uint64_t last; /* set of ejection links over which it arrived */
};

static void all_up(struct bench *b) {
  memset(b->up, 0xff, ((size_t)b->t.channels + 63) / 64 * sizeof *b->up);
}

static void open_bench(struct bench *b, const struct kind *x, unsigned k, unsigned n) {
  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  struct ut_error e;
  memset(b, 0, sizeof *b);
  b->x = x, b->k = k, b->n = n;
  b->s = scenario(x, k, n, "");
  if (ut_topology_init(&b->t, b->s, &e))
    fail_msg("%s", e.text);
  assert_int_equal(ut_scenario_elaborations(b->s, elaboration, b->shape, &e), b->t.elaborations);
  for (unsigned i = 0; i < b->t.elaborations; i++) {
    assert_memory_equal(&elaboration[i], &b->t.elaboration[i], sizeof elaboration[i]);
    assert_true(ut_group_init(&b->group[i], &b->shape[i], elaboration[i].first, elaboration[i].count));
  }
  for (uint32_t sw = 0; sw < b->t.switches; sw++) {
    struct ut_group *g = &b->group[ut_topology_elaboration(&b->t, sw)];
    ut_switch_reset(g, ut_switch_of(g, sw), b->t.straps[sw]);
  }
  b->up = calloc((b->t.channels + 63) / 64, sizeof *b->up);
  b->crossed = calloc((size_t)b->t.switches * b->t.pi * b->t.po, 1);
  all_up(b);
}

static void close_bench(struct bench *b) {
  for (unsigned i = 0; i < b->t.elaborations; i++)
    ut_group_fini(&b->group[i]);
  free(b->up);
  free(b->crossed);
  ut_topology_free(&b->t);
  ut_scenario_free(b->s);
}

static bool works(const struct bench *b, uint32_t channel) {
  return b->up[channel / 64] >> channel % 64 & 1;
}

/* What the golden switch answers a head. */
static ut_mask ask(struct bench *b, uint32_t sw, unsigned in_port) {
  struct ut_group *g = &b->group[ut_topology_elaboration(&b->t, sw)];
  struct ut_switch *s = ut_switch_of(g, sw);
  struct ut_route_result r;
  s->out_up = 0;
  for (unsigned p = 0; p < g->shape.po; p++)
    s->out_up |= works(b, sw * b->t.po + p) ? ut_bit(p) : 0;
  memset(&r, 0, sizeof r);
  ut_routing_find(g->shape.route)->route(g, s, ut_header_make((uint16_t)b->dst, 0, 0, b->rt), in_port, 0, &r);
  assert_int_equal(r.discard, r.cand[0] == 0);
  assert_int_equal(r.cand[0] & ~s->out_up, 0);
  return r.cand[0];
}

/* Follows a packet over all its candidates. */
static void walk(struct bench *b, uint32_t sw, unsigned in_port) {
  const ut_mask candidates = ask(b, sw, in_port);
  b->discards += candidates == 0;
  UT_FOR_EACH (op, candidates) {
    const struct ut_peer *to = &b->t.peer[(size_t)sw * b->t.po + op];
    b->crossed[((size_t)sw * b->t.pi + in_port) * b->t.po + op] = 1;
    if (to->kind == UT_PEER_SWITCH) {
      assert_int_equal(b->t.level[to->index], b->t.level[sw] + 1);
      walk(b, to->index, to->port);
      continue;
    }
    assert_int_equal(to->kind, UT_PEER_TERMINAL);
    assert_int_equal(to->index, b->dst);
    b->arrivals++;
    b->last |= UINT64_C(1) << to->port;
  }
}

/* Follows it from an injection link that works. */
static void inject(struct bench *b, uint32_t src, unsigned link, uint32_t dst, unsigned choices) {
  const struct ut_peer to = b->t.peer[ut_topology_injection(&b->t, src, link)];
  b->dst = dst, b->rt = (unsigned)ut_rt_ruft_make((uint8_t)choices);
  b->arrivals = b->discards = 0, b->last = 0;
  walk(b, to.index, to.port);
}

/* ---- links */

static const struct ut_peer *peer_of(const struct ut_topology *t, uint32_t sw, unsigned port) {
  return &t->peer[(size_t)sw * t->po + port];
}

/* The 2-ary 3-stage networks of figures 3, 4, 5 and 7, by hand. */
static void two_ary_three_stage(void **state) {
  (void)state;
  /* {from, output} -> {to, input}, figure 3; links side by side repeat it two ports higher */
  static const unsigned links[16][4] = {
      {0, 0, 4, 0}, {0, 1, 5, 0},  {1, 0, 4, 1}, {1, 1, 5, 1},  {2, 0, 6, 0}, {2, 1, 7, 0},
      {3, 0, 6, 1}, {3, 1, 7, 1},  {4, 0, 8, 0}, {4, 1, 10, 0}, {5, 0, 9, 0}, {5, 1, 11, 0},
      {6, 0, 8, 1}, {6, 1, 10, 1}, {7, 0, 9, 1}, {7, 1, 11, 1},
  };
  /* of node p: its switches of the first stage (figure 5), and those of the last one */
  static const unsigned first[2][8] = {{0, 0, 1, 1, 2, 2, 3, 3}, {2, 2, 3, 3, 0, 0, 1, 1}};
  static const unsigned last[2][8] = {{8, 9, 10, 11, 8, 9, 10, 11}, {9, 8, 11, 10, 9, 8, 11, 10}};
  for (unsigned i = 0; i < KINDS; i++) {
    const struct kind *x = &kinds[i];
    struct bench b;
    open_bench(&b, x, 2, 3);
    const struct ut_topology *t = &b.t;
    assert_int_equal(t->switches, 12);
    assert_int_equal(t->terminals, 8);
    assert_int_equal(t->injections, x->ends);
    assert_int_equal(t->ejections, x->ends);
    assert_false(t->bidirectional);
    assert_int_equal(t->links, 16 * x->links);
    for (unsigned l = 0; l < 16; l++)
      for (unsigned j = 0; j < x->links; j++) {
        const struct ut_peer *to = peer_of(t, links[l][0], links[l][1] + 2 * j);
        assert_int_equal(to->kind, UT_PEER_SWITCH);
        assert_int_equal(to->index, links[l][2]);
        assert_int_equal(to->port, links[l][3] + 2 * j);
        const struct ut_peer from = ut_topology_source(t, to->index, to->port);
        assert_true(from.kind == UT_PEER_SWITCH && from.index == links[l][0] && from.port == links[l][1] + 2 * j);
        assert_int_equal(ut_topology_twin(t, links[l][0] * t->po + links[l][1]), UT_NO_CHANNEL);
      }
    for (uint32_t p = 0; p < 8; p++)
      for (unsigned j = 0; j < x->ends; j++) {
        const struct ut_peer in = t->peer[ut_topology_injection(t, p, j)];
        const struct ut_peer out = ut_topology_sender(t, t->ejection[p * x->ends + j]);
        assert_int_equal(in.index, first[x->apart && j][p]);
        assert_int_equal(out.index, last[x->apart && j][p]);
        assert_int_equal(in.port, p % 2 + 2 * j);
        assert_int_equal(out.port, p / 4 + 2 * j);
        assert_int_equal(peer_of(t, out.index, out.port)->index, p);
        assert_int_equal(peer_of(t, out.index, out.port)->port, j);
      }
    close_bench(&b);
  }
}

/* Figure 6: from node 0 to node 7 of FT-RUFT-212, the switches on the way. */
static void figure_6(void **state) {
  (void)state;
  static const unsigned expected[2][2][3] = {{{0, 5, 11}, {0, 4, 10}}, {{2, 7, 11}, {2, 6, 10}}};
  for (unsigned link = 0; link < 2; link++)
    for (unsigned way = 0; way < 2; way++) {
      struct bench b;
      open_bench(&b, &kinds[3], 2, 3);
      inject(&b, 0, link, 7, 1u << way);
      assert_int_equal(b.arrivals, 1);
      assert_int_equal(b.last, 1u << way);
      for (uint32_t sw = 0; sw < 12; sw++) {
        unsigned passed = 0;
        for (unsigned i = 0; i < b.t.pi * b.t.po; i++)
          passed += b.crossed[(size_t)sw * b.t.pi * b.t.po + i];
        assert_int_equal(passed, sw == expected[link][way][sw / 4]);
      }
      close_bench(&b);
    }
}

/* Every port of every switch is used once; ports and links are as many as table 4 says. */
static void numbers(void **state) {
  (void)state;
  static const unsigned table_4[] = {256, 512, 512, 384, 512, 512}; /* 4-ary 3-stage */
  for (unsigned i = 0; i < KINDS; i++)
    for (unsigned j = 0; j < SIZES; j++) {
      const struct kind *x = &kinds[i];
      struct bench b;
      open_bench(&b, x, sizes[j][0], sizes[j][1]);
      const struct ut_topology *t = &b.t;
      const unsigned k = b.k, n = b.n, nodes = (unsigned)ut_power(k, n);
      size_t channels = 0, fed = 0;
      assert_int_equal(t->switches, n * nodes / k);
      assert_int_equal(t->terminals, nodes);
      if (x->ends == x->links) /* one switch for all levels; where inputs serve halves, another one for the first */
        assert_int_equal(t->elaborations, x->apart && x->fixed ? 2 : 1);
      for (uint32_t c = 0; c < t->channels; c++)
        channels += t->peer[c].kind != UT_PEER_NONE;
      for (uint32_t sw = 0; sw < t->switches; sw++) {
        const struct ut_elaboration *e = &t->elaboration[ut_topology_elaboration(t, sw)];
        assert_int_equal(e->pi, k * (t->level[sw] == 0 ? x->ends : x->links));
        assert_int_equal(e->po, k * (t->level[sw] == n - 1 ? x->ends : x->links));
        for (unsigned p = 0; p < t->po; p++)
          assert_int_equal(peer_of(t, sw, p)->kind != UT_PEER_NONE, p < e->po);
        for (unsigned p = 0; p < t->pi; p++) {
          const struct ut_peer from = ut_topology_source(t, sw, p);
          assert_int_equal(from.kind != UT_PEER_NONE, p < e->pi);
          fed += from.kind != UT_PEER_NONE;
        }
      }
      assert_int_equal(channels, nodes * (2 * x->ends + (n - 1) * x->links));
      assert_int_equal(fed, channels - nodes * x->ends);
      assert_int_equal(t->links, nodes * (n - 1) * x->links);
      if (k == 4 && n == 3)
        assert_int_equal(channels, table_4[i]);
      close_bench(&b);
    }
}

/* ---- paths */

/* Every pair, injection link and set of choices: every path ends there, over the ejection links that were chosen; as
 * many as section 4 counts.  What inputs ask of outputs in the end are the switching elements of table 3. */
static void every_path_arrives(void **state) {
  (void)state;
  for (unsigned i = 0; i < KINDS; i++)
    for (unsigned j = 0; j < SIZES; j++) {
      const struct kind *x = &kinds[i];
      struct bench b;
      open_bench(&b, x, sizes[j][0], sizes[j][1]);
      const struct ut_topology *t = &b.t;
      const unsigned k = b.k, n = b.n, ways = x->apart ? 2 : 1;
      const unsigned per_way = (x->links > 1 && !x->fixed ? 1u << (n - 1) : 1) * (x->apart ? 1 : x->ends);
      for (uint32_t src = 0; src<t->terminals; src += t->terminals> 32 ? 5 * SHARE : 1)
        for (uint32_t dst = 0; dst < t->terminals; dst++)
          for (unsigned link = 0; link < x->ends; link++) {
            const unsigned known = t->family->choices(t, NULL, src, link, dst);
            const bool none = x->fixed && !x->apart && link != dst % 2; /* the other half of the destinations */
            assert_int_equal(known, none ? 0 : (1u << ways) - 1);
            for (unsigned set = 1; set < 1u << ways; set++) {
              inject(&b, src, link, dst, set);
              if (none) {
                assert_int_equal(b.arrivals, 0);
                continue;
              }
              assert_int_equal(b.discards, 0);
              assert_int_equal(b.arrivals, per_way * (unsigned)__builtin_popcount(set));
              assert_int_equal(b.last, x->apart ? set : (1u << x->ends) - 1);
            }
          }
      for (uint32_t sw = 0; sw < t->switches && t->terminals <= 32; sw++) {
        const bool first = t->level[sw] == 0, last = t->level[sw] == n - 1;
        unsigned elements = 0;
        for (unsigned p = 0; p < t->pi * t->po; p++)
          elements += b.crossed[(size_t)sw * t->pi * t->po + p];
        const unsigned ports = (first ? x->ends : x->links) * (last ? x->ends : x->links);
        const bool halves = x->fixed && !(first && x->apart);
        assert_int_equal(elements, ports * k * k / (halves ? 2 : 1));
      }
      close_bench(&b);
    }
}

/* With static selection the link is the one of the lowest bit of the next digit, so that the inputs of one half of a
 * switch see the digits of one parity (section 4.1.1). */
static void static_selection_keeps_halves_apart(void **state) {
  (void)state;
  for (unsigned i = 0; i < KINDS; i++)
    for (unsigned j = 0; j < SIZES && kinds[i].fixed; j++) {
      struct bench b;
      open_bench(&b, &kinds[i], sizes[j][0], sizes[j][1]);
      const struct ut_topology *t = &b.t;
      const unsigned k = b.k;
      for (b.dst = 0; b.dst < t->terminals; b.dst++)
        for (uint32_t sw = 0; sw < t->switches; sw++)
          for (unsigned ip = 0; ip < t->pi; ip++) {
            const unsigned level = t->level[sw], digit = b.dst / (unsigned)ut_power(k, level) % k;
            const unsigned next = b.dst / (unsigned)ut_power(k, level + 1) % k;
            const bool first = level == 0 && b.x->apart, last = level + 1 == b.n;
            b.rt = 1; /* the primary way */
            ut_mask expected = ut_bit(digit + (next % 2 ? k : 0));
            if (last && b.x->apart) /* the switch of the primary link, or of the secondary one */
              expected = ut_bit(digit + (t->position[sw] % k == b.dst % k ? 0 : k));
            else if (last)
              expected = ut_bit(digit) | ut_bit(k + digit);
            if (!first && digit % 2 != ip / k)
              expected = 0;
            assert_int_equal(ask(&b, sw, ip), expected);
          }
      close_bench(&b);
    }
}

/* ---- choices */

/* Ejection links of dst that channels which work lead to from a switch: by plain search. */
static unsigned search(const struct bench *b, uint32_t sw, uint32_t dst) {
  unsigned found = 0;
  for (unsigned p = 0; p < b->t.po; p++) {
    const struct ut_peer *to = peer_of(&b->t, sw, p);
    if (to->kind == UT_PEER_NONE || !works(b, sw * b->t.po + p))
      continue;
    if (to->kind == UT_PEER_SWITCH)
      found |= search(b, to->index, dst);
    else if (to->index == dst)
      found |= 1u << to->port;
  }
  return found;
}

/* What a terminal must know of an injection link. */
static unsigned expected_choices(struct bench *b, uint32_t src, unsigned link, uint32_t dst) {
  const uint32_t channel = ut_topology_injection(&b->t, src, link);
  if (!works(b, channel))
    return 0;
  unsigned found = 0;
  if (!b->x->fixed)
    found = search(b, b->t.peer[channel].index, dst);
  else /* where the destination says which link to take: every way by itself */
    for (unsigned way = 0; way < b->x->ends; way++) {
      inject(b, src, link, dst, b->x->apart ? 1u << way : 1);
      found |= (unsigned)b->last;
    }
  return b->x->apart ? found : found != 0;
}

static void fail_randomly(struct bench *b, struct ut_random *random) {
  const struct ut_topology *t = &b->t;
  all_up(b);
  for (unsigned left = ut_random_below(random, 9); left; left--) {
    const uint32_t c = ut_random_below(random, t->channels);
    b->up[c / 64] &= ~(UINT64_C(1) << c % 64);
  }
  if (ut_random_below(random, 3))
    return;
  const uint32_t sw = ut_random_below(random, t->switches); /* all links of a switch */
  for (uint32_t c = 0; c < t->channels; c++)
    if (ut_topology_sender(t, c).kind == UT_PEER_SWITCH ? c / t->po == sw : t->peer[c].index == sw)
      b->up[c / 64] &= ~(UINT64_C(1) << c % 64);
  for (unsigned p = 0; p < t->pi; p++) {
    const uint32_t c = t->feeder[(size_t)sw * t->pi + p];
    if (c != UT_NO_CHANNEL)
      b->up[c / 64] &= ~(UINT64_C(1) << c % 64);
  }
}

/* Terminals know exactly the ways that there are, and a packet that may take all of them is discarded nowhere. */
static void choices_are_the_ways_that_work(void **state) {
  (void)state;
  struct ut_random random;
  ut_random_init(&random, 11, UT_RANDOM_FAULTS, 0);
  for (unsigned i = 0; i < KINDS; i++)
    for (unsigned j = 0; j < SIZES; j++) {
      struct bench b;
      unsigned some = 0, none = 0;
      open_bench(&b, &kinds[i], sizes[j][0], sizes[j][1]);
      const unsigned step = b.t.terminals > 32 ? 7 : 1, sets = b.t.terminals > 32 ? 12 : 60;
      for (unsigned set = 0; set < sets; set++) {
        fail_randomly(&b, &random);
        for (uint32_t src = 0; src < b.t.terminals; src += step)
          for (uint32_t dst = set % step; dst < b.t.terminals; dst += step)
            for (unsigned link = 0; link < b.x->ends; link++) {
              const unsigned known = b.t.family->choices(&b.t, b.up, src, link, dst);
              const unsigned expected = expected_choices(&b, src, link, dst);
              if (known != expected)
                fail_msg("%s%s k=%u n=%u: terminal %u, link %u to %u: %x, expected %x", b.x->name, b.x->keys, b.k, b.n,
                         (unsigned)src, link, (unsigned)dst, known, expected);
              known ? some++ : none++;
              if (!known)
                continue;
              inject(&b, src, link, dst, known);
              assert_int_equal(b.discards, 0);
              assert_true(b.arrivals > 0);
            }
      }
      assert_true(some > 100 && none > 0);
      close_bench(&b);
    }
}

/* ---- runs */

/* Whether every pair has a way now. */
static bool connected(const struct ut_network *n) {
  const struct ut_topology *t = n->topology;
  uint64_t up[64] = {0};
  assert_true(t->channels <= 64 * 64);
  for (uint32_t c = 0; c < t->channels; c++)
    up[c / 64] |= (uint64_t)ut_faults_channel_up(&n->faults, c) << c % 64;
  for (uint32_t src = 0; src < t->terminals; src++)
    for (uint32_t dst = 0; dst < t->terminals; dst++) {
      unsigned ways = 0;
      for (unsigned link = 0; link < t->injections; link++)
        ways |= t->family->choices(t, up, src, link, dst);
      if (!ways && src != dst)
        return false;
    }
  return true;
}

static const char *const positions[] = {
    "random_links: 1",
    "random_links: 3",
    "random_terminal_links: 2",
    "injection: {terminal: 1}",
    "ejection: {terminal: 2}",
    "switch: {level: 0, switch: 1}",
    "switch: {level: 1, switch: 0}",
    "random_switches: 1",
};
enum { POSITIONS = sizeof positions / sizeof positions[0] };

struct sums {
  unsigned tolerated, runs;
  uint64_t cut, unreachable, delivered;
};

/* One run: a fault from cycle 300 on, for ever or until 800.  Settled: both changes have been told to everybody, and
 * what left before has arrived. */
static void run(const struct kind *x, const unsigned size[2], const char *position, bool repaired, double load,
                const char *sw, unsigned seed, struct sums *sum) {
  enum { FAULT = 300, REPAIR = 800, TOLD = 160, SETTLED = 400 };
  const unsigned end = repaired ? 1600 : 1100;
  const unsigned terminals = (unsigned)ut_power(size[0], size[1]), pace = 64 / terminals;
  struct ut_scenario *s = scenario(x, size[0], size[1],
                                   ", manager_delay_cycles: 90, manager_switch_cycles: %u}\n"
                                   "switch: {%s}\n"
                                   "traffic: {load_flits_per_cycle: %.2f}\n"
                                   "faults: [{at: %d, %s%s}]\n"
                                   "run: {warmup_cycles: 0, measure_cycles: %u, seed: %u}\n",
                                   pace, sw, load, FAULT, repaired ? "until: 800, " : "", position, end, seed);
  struct ut_network n;
  struct ut_watchdog w = {0};
  struct ut_accounts settled = {0};
  bool tolerated = false;
  test_network(&n, s);
  while (!ut_network_done(&n)) {
    ut_network_step(&n);
    assert_int_equal(ut_network_in_flight(&n), ut_network_outstanding(&n));
    if (n.cycle % 250 == 0)
      assert_false(ut_deadlock_search(&w, &n));
    if (n.cycle == FAULT)
      assert_int_equal(ut_accounts_discarded(&n.terminals.accounts), 0);
    if (n.cycle == (repaired ? REPAIR : FAULT) + TOLD + SETTLED) {
      settled = n.terminals.accounts;
      tolerated = connected(&n);
    }
  }
  const struct ut_accounts *a = &n.terminals.accounts;
  const char *name = x->name;
  assert_int_equal(a->corrupt, 0);
  assert_int_equal(ut_network_in_flight(&n), 0);
  assert_int_equal(a->injected, a->delivered + ut_accounts_discarded(a));
  if (n.cycle >= end + 50000)
    fail_msg("%s%s %s: does not drain", name, x->keys, position);
  if (repaired)
    assert_true(tolerated);
  if (tolerated) {
    if (ut_accounts_discarded(a) != ut_accounts_discarded(&settled))
      fail_msg("%s%s %u-ary %u-stage, %s%s, load %g, seed %u: %llu discarded in the end, %llu before", name, x->keys,
               size[0], size[1], position, repaired ? " repaired" : "", load, seed,
               (unsigned long long)ut_accounts_discarded(a), (unsigned long long)ut_accounts_discarded(&settled));
    assert_int_equal(a->generated, a->injected);
  }
  sum->tolerated += tolerated, sum->runs++;
  sum->cut += a->discarded[UT_DISCARD_CUT_BY_FAULT];
  sum->unreachable += a->discarded[UT_DISCARD_UNREACHABLE];
  sum->delivered += a->delivered;
  ut_watchdog_free(&w);
  ut_network_fini(&n);
  ut_scenario_free(s);
}

static void runs_with_faults(void **state) {
  (void)state;
  static const double loads[] = {0.1, 0.7, 2.0};
  static const char *const shapes[] = {"depth_flits: 4, packet_flits: 2, route_cycles: 0",
                                       "vcs: 2, depth_flits: 6, packet_flits: 3, route_cycles: 2, alloc_cycles: 2",
                                       "depth_flits: 3, packet_flits: 5, switching: wormhole"};
  for (unsigned i = 0; i < KINDS; i++) {
    struct sums sum = {0};
    for (unsigned p = 0; p < POSITIONS; p++)
      for (unsigned l = 0; l < 3; l++)
        for (unsigned repaired = 0; repaired < 2; repaired++) {
          const double load = loads[l] > kinds[i].ends ? kinds[i].ends : loads[l];
          const unsigned *size = (p + l + repaired) % 3 == 0 ? sizes[3] : sizes[0];
          run(&kinds[i], size, positions[p], repaired, load, shapes[(p + l) % 3], 1 + p * 8 + l * 2 + repaired, &sum);
        }
    assert_true(sum.delivered > 50000 && sum.cut > 0 && sum.unreachable > 0);
    assert_true(sum.tolerated >= sum.runs / 2); /* the repaired ones at least */
    /* table 2: RUFT-PL, FT-RUFT-212 and FT-RUFT-222 tolerate any fault of one link of a terminal */
    if (kinds[i].ends > 1 && !kinds[i].fixed)
      assert_true(sum.tolerated > sum.runs / 2 + 6);
  }
}

/* Faults that are there from the beginning are known from the beginning: where all pairs have a way nothing is lost, at
 * any load. */
static void known_faults_cost_nothing(void **state) {
  (void)state;
  unsigned tolerated = 0;
  for (unsigned i = 0; i < KINDS; i++)
    for (unsigned p = 0; p < POSITIONS; p++)
      for (unsigned seed = 1; seed <= 4; seed++) {
        const double load = kinds[i].ends * (seed % 2 ? 1.0 : 0.3);
        struct ut_scenario *s = scenario(&kinds[i], sizes[seed % 2 ? 0 : 3][0], sizes[seed % 2 ? 0 : 3][1],
                                         "}\nswitch: {depth_flits: 4}\n"
                                         "traffic: {load_flits_per_cycle: %.2f}\n"
                                         "faults: [{at: 0, %s}]\n"
                                         "run: {warmup_cycles: 0, measure_cycles: 500, seed: %u}\n",
                                         load, positions[p], seed);
        struct ut_network n;
        test_network(&n, s);
        while (!ut_network_done(&n))
          ut_network_step(&n);
        const struct ut_accounts *a = &n.terminals.accounts;
        if (connected(&n)) {
          assert_int_equal(ut_accounts_discarded(a), 0);
          assert_int_equal(a->delivered, a->generated);
          tolerated++;
        } else { /* what has no way does not enter the network, or waits where all links are down */
          assert_int_equal(ut_accounts_discarded(a), a->discarded[UT_DISCARD_UNREACHABLE]);
          assert_true(!kinds[i].apart || a->discarded[UT_DISCARD_UNREACHABLE] > 0);
        }
        assert_int_equal(a->corrupt, 0);
        assert_int_equal(ut_network_in_flight(&n), 0);
        ut_network_fini(&n);
        ut_scenario_free(s);
      }
  assert_true(tolerated > 40);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_ary_three_stage),
      cmocka_unit_test(figure_6),
      cmocka_unit_test(numbers),
      cmocka_unit_test(every_path_arrives),
      cmocka_unit_test(static_selection_keeps_halves_apart),
      cmocka_unit_test(choices_are_the_ways_that_work),
      cmocka_unit_test(known_faults_cost_nothing),
      cmocka_unit_test(runs_with_faults),
  };
  return cmocka_run_group_tests_name("ruft", tests, NULL, NULL);
}
