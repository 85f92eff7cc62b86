/* SPDX-License-Identifier: Apache-2.0 */
/* test_fault_sets.c - csim/control/fault_sets and link_classes: all links, blocks and sets of small networks, counted
 * one by one; how much there may be at most, of networks that are numbers alone. */
#include "fault_sets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fault_entry.h"
#include "faults.h"
#include "random.h"
#include "scenario.h"
#include "topologies.h"
#include "topology_build.h"

enum { NETWORK = UT_CLASS_NETWORK, IN = UT_CLASS_INJECTION, OUT = UT_CLASS_EJECTION };
static const struct {
  const char *word;
  unsigned classes;
} words[] = {{"network", NETWORK},   {"injection", IN},           {"ejection", OUT},
             {"terminal", IN | OUT}, {"all", NETWORK | IN | OUT}, {"", NETWORK}};
enum { WORDS = sizeof words / sizeof *words };

/* All links of a network, in the order of their numbers. */
struct all {
  unsigned count;
  struct {
    uint32_t channel;
    unsigned classes;
  } link[256];
};

static void add_link(struct all *a, uint32_t channel, unsigned classes) {
  assert_in_range(a->count, 0, 255);
  a->link[a->count].channel = channel;
  a->link[a->count++].classes = classes;
}

static struct all all_links(const struct ut_topology *t) {
  struct all a = {0};
  for (size_t i = 0; i < t->links; i++)
    add_link(&a, t->link[i].lower * t->po + t->link[i].lower_port, NETWORK);
  for (uint32_t i = 0; i < t->terminals && !t->bidirectional; i++)
    for (unsigned j = 0; j < t->injections; j++)
      add_link(&a, ut_topology_injection(t, i, j), IN);
  for (uint32_t i = 0; i < t->terminals; i++)
    for (unsigned j = 0; j < t->ejections; j++)
      add_link(&a, t->ejection[i * t->ejections + j], t->bidirectional ? IN | OUT : OUT);
  return a;
}

static void compare_links(const struct ut_topology *t) {
  const struct all a = all_links(t);
  for (uint32_t i = 0; i < a.count; i++)
    assert_int_equal(ut_link_channel(t, i), a.link[i].channel);
  for (unsigned i = 0; i < WORDS - 1; i++) {
    unsigned classes = 77, first = 0, count = 0;
    assert_true(ut_link_classes(words[i].word, &classes));
    assert_int_equal(classes, words[i].classes);
    for (unsigned j = 0; j < a.count; j++)
      if (a.link[j].classes & classes) {
        first = count++ ? first : j;
        assert_int_equal(first + count - 1, j);
      }
    const struct ut_link_range range = ut_links_of(t, classes);
    assert_int_equal(range.count, count);
    assert_true(!count || range.first == first);
  }
}

/* ---- sets */

static uint64_t choose(unsigned n, unsigned r) {
  return r > n ? 0 : !r ? 1 : choose(n - 1, r - 1) + choose(n - 1, r);
}

/* The next combination of r of first..first+n-1, in lexicographic order; false: it was the last one, and is the first
 * one again. */
static bool next_combination(uint32_t *set, unsigned r, uint32_t first, uint32_t n) {
  unsigned i = r;
  while (i && set[i - 1] == first + n - r + i - 1)
    i--;
  const uint32_t from = i ? set[i - 1] + 1 : first;
  for (unsigned j = i ? i - 1 : 0; j < r; j++)
    set[j] = from + j - (i ? i - 1 : 0);
  return i;
}

/* Any order of links, then that of switches; in samples at least the range and the order. */
static void compare_sets(const struct ut_fault_space *f, const struct ut_fault_block *b, uint32_t first_link,
                         uint32_t links, uint32_t first_switch, uint32_t switches) {
  uint32_t link[4], sw[4];
  for (unsigned i = 0; i < 4; i++)
    link[i] = first_link + i, sw[i] = first_switch + i;
  for (uint64_t i = 0; i < b->count; i++) {
    struct ut_fault_set set;
    memset(&set, 0xff, sizeof set);
    assert_ptr_equal(ut_fault_space_get(f, b->first + i, &set), b);
    assert_true(set.links == b->links && set.switches == b->switches);
    for (unsigned j = 0; j < set.links; j++) {
      assert_in_range(set.link[j], j ? set.link[j - 1] + 1 : first_link, first_link + links - 1);
      assert_true(!b->exhaustive || set.link[j] == link[j]);
    }
    for (unsigned j = 0; j < set.switches; j++) {
      assert_in_range(set.sw[j], j ? set.sw[j - 1] + 1 : first_switch, first_switch + switches - 1);
      assert_true(!b->exhaustive || set.sw[j] == sw[j]);
    }
    if (!next_combination(sw, b->switches, first_switch, switches))
      next_combination(link, b->links, first_link, links);
  }
}

/* Returns how many sets there are. */
static uint64_t compare_space(const struct ut_topology *t, const struct ut_fault_request *r) {
  static struct ut_fault_space f;
  struct ut_error e;
  const struct ut_link_range range = ut_links_of(t, r->classes ? r->classes : NETWORK);
  uint32_t leaves = 0;
  for (uint32_t sw = 0; sw < t->switches; sw++)
    leaves += t->up_ports && !t->level[sw];
  const bool fits = r->links[1] <= range.count && r->switches[1] <= t->switches - leaves;
  const int status = ut_fault_space_init(&f, t, r, &e);
  unsigned blocks = 0;
  uint64_t count = 0;
  for (unsigned total = r->total[0]; fits && total <= r->total[1]; total++)
    for (unsigned switches = r->switches[0]; switches <= r->switches[1]; switches++)
      for (unsigned links = r->links[0]; links <= r->links[1]; links++) {
        if (links + switches != total)
          continue;
        const struct ut_fault_block *b = &f.block[blocks++];
        const uint64_t all = choose(range.count, links) * choose(t->switches - leaves, switches);
        assert_int_equal(status, 0);
        assert_true(b->links == links && b->switches == switches && b->all == all && b->first == count);
        assert_int_equal(b->exhaustive, all <= r->limit);
        assert_int_equal(b->count, b->exhaustive ? all : r->samples);
        count += b->count;
        compare_sets(&f, b, range.first, range.count, leaves, t->switches - leaves);
      }
  assert_int_equal(status, blocks ? 0 : -1);
  char text[160] = "no fault set has those numbers of faults";
  if (r->links[1] > range.count)
    snprintf(text, sizeof text, "%u link faults wanted; this %s has %u links%s, and at most 128 can be examined",
             r->links[1], t->kind, range.count,
             r->classes & ~(unsigned)NETWORK ? " that may fail" : " between switches");
  else if (!fits)
    snprintf(text, sizeof text, "%u switch faults wanted; this %s has %u switches%s, and at most 128 can be examined",
             r->switches[1], t->kind, t->switches - leaves, t->up_ports ? " above the leaf level" : "");
  if (status)
    assert_string_equal(e.text, text);
  if (!status)
    assert_true(f.blocks == blocks && f.count == count && f.seed == r->seed && !f.is_fixed);
  return count;
}

/* Returns how many sets there are. */
static uint64_t compare_spaces(const struct ut_topology *t) {
  uint64_t sets = 0;
  compare_links(t);
  for (unsigned i = 0; i < 3 * 3 * 3 * 3 * 4 * 4 * WORDS; i++) {
    const unsigned total = i / 81 % 4;
    const struct ut_fault_request r = {.links = {i % 3, i / 3 % 3},
                                       .switches = {i / 9 % 3, i / 27 % 3},
                                       .total = {total, total + i / 324 % 4},
                                       .classes = words[i / 1296].word[0] ? words[i / 1296].classes : 0,
                                       .limit = i % 5 ? choose(t->switches, 2) - i % 2 : 2,
                                       .samples = 3,
                                       .seed = i};
    sets += compare_space(t, &r);
  }
  return sets;
}

static void sets_of_small_networks(void **state) {
  (void)state;
  struct ut_topology t;
  struct ut_error e;
  const unsigned size[] = {2, 2};
  uint64_t sets = 0;
  assert_int_equal(test_fat_tree(&t, 2, 1, 0, false, &e), 0); /* nothing may fail but terminals' links */
  sets += compare_spaces(&t);
  ut_topology_free(&t);
  assert_int_equal(test_fat_tree(&t, 2, 2, 0, false, &e), 0);
  sets += compare_spaces(&t);
  ut_topology_free(&t);
  assert_int_equal(test_grid(&t, size, 2, 1, false, &e), 0);
  sets += compare_spaces(&t);
  ut_topology_free(&t);
  const struct ut_scenario ruft = {.topology = {.family = &ut_family_ft_ruft_222, .k = 2, .n = 2, .link_cycles = 1}};
  assert_int_equal(ut_topology_init(&t, &ruft, &e), 0);
  sets += compare_spaces(&t);
  ut_topology_free(&t);
  assert_int_equal(test_cube(&t, 2, &e), 0);
  compare_links(&t);
  ut_topology_free(&t);
  assert_in_range(sets, 10000, 1000000);
}

/* ---- the set that a scenario's faults leave */

/* Of a list, what is said of it, or the set: as the comment of ut_fault_space_of_scenario() has it. */
static const char *fixed_set(const struct ut_topology *t, const struct ut_faults *f, struct ut_fault_set *set,
                             char text[256]) {
  const struct all a = all_links(t);
  char name[UT_SWITCH_NAME_SIZE];
  for (uint32_t i = 0; i < t->channels && t->bidirectional; i++)
    if (t->peer[i].kind != UT_PEER_NONE && f->channel_down[i] && !f->channel_down[ut_topology_twin(t, i)])
      return "x.yaml: one direction of a link fails; links are examined as a whole";
  for (uint32_t i = 0; i < t->terminals && t->bidirectional; i++)
    for (unsigned j = 0; j < t->injections; j++)
      if (f->channel_down[ut_topology_injection(t, i, j)]) {
        snprintf(text, 256,
                 t->injections > 1 ? "x.yaml: a link of terminal %u fails; only links between switches are examined"
                                   : "x.yaml: the link of terminal %u fails; nothing can go round that",
                 i);
        return text;
      }
  for (uint32_t sw = 0; sw < t->switches; sw++)
    if (!ut_faults_switch_up(f, sw)) {
      if (t->up_ports && t->level[sw] == 0) {
        snprintf(text, 256, "x.yaml: leaf switch %s fails; nothing can go round that",
                 ut_topology_switch_name(t, sw, name));
        return text;
      }
      set->sw[set->switches++] = sw;
    }
  for (uint32_t i = 0; i < a.count; i++)
    if (f->channel_down[a.link[i].channel])
      set->link[set->links++] = i;
  return NULL;
}

static void compare_fixed(const struct ut_topology *t) {
  struct ut_fault_space *f = malloc(sizeof *f);
  char path[] = "x.yaml", text[256];
  unsigned refused = 0;
  for (unsigned i = 0; i < 400; i++) {
    struct ut_fault list[4] = {0};
    struct ut_random r;
    struct ut_faults faults;
    struct ut_error e = {.text = ""};
    struct ut_fault_set set = {0};
    ut_random_init(&r, i, UT_RANDOM_FAULTS, 0);
    const unsigned count = i % 5;
    for (unsigned j = 0; j < count; j++) {
      struct ut_fault *const x = &list[j];
      const uint32_t sw = ut_random_below(&r, t->switches);
      *x = (struct ut_fault){.kind = ut_random_below(&r, 3) ? UT_FAULT_LINK : UT_FAULT_SWITCH,
                             .at_cycle = ut_random_below(&r, 9),
                             .until_cycle = ut_random_below(&r, 3) ? UINT64_MAX : 9 + j,
                             .level = sw / (t->switches / t->levels),
                             .index = sw % (t->switches / t->levels),
                             .terminal = ut_random_below(&r, t->terminals),
                             .link = ut_random_below(&r, t->injections)};
      do
        x->port = ut_random_below(&r, t->po);
      while (t->peer[sw * t->po + x->port].kind == UT_PEER_NONE);
      if (!ut_random_below(&r, 8))
        x->kind = ut_random_below(&r, 2) ? UT_FAULT_INJECTION : UT_FAULT_EJECTION;
      else if (t->bidirectional && !ut_random_below(&r, 8))
        x->direction = ut_random_below(&r, 2) ? UT_DIRECTION_IN : UT_DIRECTION_OUT;
    }
    const struct ut_scenario s = {.path = path, .faults = list, .fault_count = count};
    if (ut_faults_init(&faults, &s, t, &e))
      fail_msg("%s", e.text);
    while (ut_faults_next(&faults, 1000))
      ;
    const char *const message = count ? fixed_set(t, &faults, &set, text) : NULL;
    memset(f, 0x5a, sizeof *f);
    assert_int_equal(ut_fault_space_of_scenario(f, t, &s, &e), message ? -1 : 0);
    if (message)
      assert_string_equal(e.text, message);
    else {
      struct ut_fault_set got;
      const struct ut_fault_block *b = ut_fault_space_get(f, 0, &got);
      assert_true(f->count == 1 && f->blocks == 1 && f->is_fixed && f->topology == t && b == &f->block[0]);
      assert_true(b->links == set.links && b->switches == set.switches && b->count == 1 && b->all == 1);
      assert_true(b->exhaustive && !b->first && !f->in_model && !f->dateline);
      assert_memory_equal(&got, &set, sizeof set);
    }
    refused += message != NULL;
    ut_faults_free(&faults);
  }
  assert_in_range(refused, t->bidirectional ? 40 : 0, t->bidirectional ? 360 : 0);
  free(f);
}

static void sets_of_scenarios(void **state) {
  (void)state;
  struct ut_topology t;
  struct ut_error e;
  const struct ut_scenario mesh = {.topology = {.family = &ut_family_mesh,
                                                .sizes = 2,
                                                .size = {3, 2},
                                                .local_ports = 2,
                                                .terminal_links = 2,
                                                .link_cycles = 1}};
  const struct ut_scenario ruft = {.topology = {.family = &ut_family_ft_ruft_222, .k = 2, .n = 2, .link_cycles = 1}};
  assert_int_equal(test_fat_tree(&t, 2, 3, 0, false, &e), 0);
  compare_fixed(&t);
  ut_topology_free(&t);
  assert_int_equal(ut_topology_init(&t, &mesh, &e), 0);
  compare_fixed(&t);
  ut_topology_free(&t);
  assert_int_equal(ut_topology_init(&t, &ruft, &e), 0);
  compare_fixed(&t);
  ut_topology_free(&t);
}

/* As many faults as a set has room for; with one more nothing behind them is touched: the switches stand behind the
 * links, a word of bits behind the switches. */
static void full_sets_of_scenarios(void **state) {
  (void)state;
  static struct ut_fault list[2 * UT_MAX_FAULTS + 2];
  struct ut_fault_space *f = malloc(sizeof *f);
  char path[] = "x.yaml";
  const unsigned size[] = {12, 12};
  struct ut_topology t;
  struct ut_error e;
  assert_int_equal(test_grid(&t, size, 2, 1, true, &e), 0);
  for (unsigned more = 0; more < 4; more++) {
    const unsigned links = UT_MAX_FAULTS + more % 2, switches = UT_MAX_FAULTS + more / 2;
    for (unsigned i = 0; i < links; i++) /* +x of each, from node 1 on */
      list[i] = (struct ut_fault){.kind = UT_FAULT_LINK, .until_cycle = UINT64_MAX, .index = i + 1};
    for (unsigned i = 0; i < switches; i++)
      list[links + i] = (struct ut_fault){.kind = UT_FAULT_SWITCH, .until_cycle = UINT64_MAX, .index = i + 2};
    const struct ut_scenario s = {.path = path, .faults = list, .fault_count = links + switches};
    assert_int_equal(ut_fault_space_of_scenario(f, &t, &s, &e), more ? -1 : 0);
    if (more)
      assert_string_equal(e.text, "x.yaml: more than 128 faults at a time cannot be examined");
    assert_int_equal(f->fixed.links, links);
    assert_int_equal(f->fixed.switches, switches);
    for (unsigned i = 0; i < UT_MAX_FAULTS; i++)
      assert_int_equal(f->fixed.sw[i], i + 2);
    const unsigned char *const behind = (const unsigned char *)&f->is_fixed;
    assert_true(behind[0] == 1 && !behind[1] && !behind[2]);
  }
  ut_topology_free(&t);
  free(f);
}

/* A sample is drawn with a key that has all of seed, numbers of faults and number of the sample. */
static void keys_of_samples(void **state) {
  (void)state;
  static struct ut_fault_space f;
  struct ut_topology t;
  struct ut_error e;
  assert_int_equal(test_fat_tree(&t, 3, 3, 0, false, &e), 0); /* 54 links, 18 switches above 9 leaves */
  for (unsigned i = 0; i < 64; i++) {
    const unsigned links = 1 + i % 4, switches = 1 + i / 4 % 3;
    const struct ut_fault_request r = {.links = {links, links},
                                       .switches = {switches, switches},
                                       .total = {links + switches, links + switches},
                                       .samples = UINT64_C(1) << 40,
                                       .seed = i * UINT64_C(0x123456789abcdef)};
    assert_int_equal(ut_fault_space_init(&f, &t, &r, &e), 0);
    for (uint64_t index = i; index < r.samples; index = index * 37 + 11) {
      uint32_t link[4], sw[4];
      struct ut_fault_set set;
      struct ut_random random;
      const uint64_t high = index / 4294967296 * 16777216, faults = ((uint64_t)links * 256 + switches) * (1ull << 48);
      ut_random_init(&random, r.seed ^ high ^ faults, UT_RANDOM_SAMPLING, (uint32_t)(index % 4294967296));
      ut_combination_draw(&random, 54, links, link);
      ut_combination_draw(&random, 18, switches, sw);
      ut_fault_space_get(&f, index, &set);
      for (unsigned j = 0; j < links; j++)
        assert_int_equal(set.link[j], link[j]);
      for (unsigned j = 0; j < switches; j++)
        assert_int_equal(set.sw[j], 9 + sw[j]);
    }
  }
  ut_topology_free(&t);
}

/* ---- how much there may be */

static int space_of(struct ut_fault_space *f, uint32_t links, uint32_t switches, struct ut_fault_request r) {
  const struct ut_topology t = {.kind = "network", .links = links, .switches = switches};
  struct ut_error e;
  return ut_fault_space_init(f, &t, &r, &e);
}

static void numbers_of_sets(void **state) {
  (void)state;
  struct ut_fault_space *f = calloc(1, sizeof *f);
  /* as many as 64 bits just count, and more */
  const uint64_t of_switches = ut_binomial(64, 12), most = UINT64_MAX / of_switches;
  assert_true(of_switches > UINT64_C(1) << 32 && most < UINT32_MAX);
  struct ut_fault_request r = {.links = {1, 1}, .switches = {12, 12}, .total = {13, 13}, .limit = 5, .samples = 9};
  for (uint32_t more = 0; more < 2; more++) {
    assert_int_equal(space_of(f, (uint32_t)most + more, 64, r), 0);
    assert_true(f->block[0].all == (more ? UINT64_MAX : most * of_switches) && f->block[0].count == 9);
  }
  /* a block is sampled when it has one set more than are wanted */
  r = (struct ut_fault_request){.links = {2, 2}, .total = {2, 2}, .samples = 3};
  for (r.limit = 9; r.limit < 12; r.limit++) {
    assert_int_equal(space_of(f, 5, 5, r), 0);
    assert_int_equal(f->block[0].exhaustive, r.limit >= 10);
    assert_int_equal(f->count, r.limit >= 10 ? 10 : 3);
  }
  /* sets, of one block and of two */
  r = (struct ut_fault_request){.links = {1, 1}, .total = {1, 1}, .samples = UINT64_MAX / 4};
  assert_int_equal(space_of(f, 5, 5, r), 0);
  r.samples++;
  assert_int_equal(space_of(f, 5, 5, r), -1);
  r = (struct ut_fault_request){.links = {1, 2}, .total = {1, 2}, .samples = UINT64_MAX / 8};
  assert_int_equal(space_of(f, 5, 5, r), 0);
  assert_true(f->count == 2 * r.samples);
  r.samples++;
  assert_int_equal(space_of(f, 5, 5, r), -1);
  free(f);
}

/* Numbers of faults from none to what can be examined, and to one more. */
static void ranges_of_faults(void **state) {
  (void)state;
  struct ut_fault_space *f = calloc(1, sizeof *f);
  for (unsigned switches = 0; switches < 2; switches++)
    for (unsigned least = 0; least < 2; least++)
      for (unsigned more = 0; more < 2; more++) {
        struct ut_fault_request r = {.total = {UT_MAX_FAULTS, UT_MAX_FAULTS}, .limit = 0, .samples = 1};
        unsigned *range = switches ? r.switches : r.links;
        range[0] = least ? UT_MAX_FAULTS : 0;
        range[1] = UT_MAX_FAULTS + more;
        assert_int_equal(space_of(f, 200, 200, r), more ? -1 : 0);
        assert_int_equal(space_of(f, switches ? 200 : 127 + least, switches ? 127 + least : 200, r),
                         more || !least ? -1 : 0);
      }
  free(f);
}

/* As many switches as a set has room for, and nothing behind them is touched. */
static void set_that_is_full(void **state) {
  (void)state;
  struct ut_fault_space *f = calloc(1, sizeof *f);
  struct {
    struct ut_fault_set set;
    uint32_t behind[4];
  } x;
  struct ut_topology t;
  struct ut_error e;
  assert_int_equal(test_fat_tree(&t, 2, 6, 0, false, &e), 0); /* 160 switches above 32 leaves */
  const struct ut_fault_request r = {.links = {UT_MAX_FAULTS, UT_MAX_FAULTS},
                                     .switches = {UT_MAX_FAULTS, UT_MAX_FAULTS},
                                     .total = {2 * UT_MAX_FAULTS, 2 * UT_MAX_FAULTS},
                                     .samples = 20};
  assert_int_equal(ut_fault_space_init(f, &t, &r, &e), 0);
  for (uint64_t i = 0; i < f->count; i++) {
    memset(&x, 0x5a, sizeof x);
    ut_fault_space_get(f, i, &x.set);
    for (unsigned j = 0; j < UT_MAX_FAULTS; j++) {
      assert_in_range(x.set.sw[j], j ? x.set.sw[j - 1] + 1 : 32, 191);
      assert_in_range(x.set.link[j], j ? x.set.link[j - 1] + 1 : 0, 319);
    }
    for (unsigned j = 0; j < 4; j++)
      assert_int_equal(x.behind[j], 0x5a5a5a5a);
  }
  ut_topology_free(&t);
  free(f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sets_of_small_networks), cmocka_unit_test(sets_of_scenarios),
      cmocka_unit_test(full_sets_of_scenarios), cmocka_unit_test(keys_of_samples),
      cmocka_unit_test(numbers_of_sets),        cmocka_unit_test(ranges_of_faults),
      cmocka_unit_test(set_that_is_full),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
