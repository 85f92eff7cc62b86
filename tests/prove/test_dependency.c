/* SPDX-License-Identifier: Apache-2.0 */
/* test_dependency.c - csim/prove/dependency: arcs, the papers' subfunction and the waiting set, for one destination
 * after the other. */
#include <string.h>

#include "drawn_sets.h"
#include "method_sets.h"
#include "mistakes.h"
#include "numbering.h"
#include "prover_bench.h"

struct reference {
  struct bench bench;
  struct ut_dependencies *d;
  bool *arc, *mark; /* [channels * channels], [channels]: what there should be */
};

static void open_reference(struct reference *b, const char *topology, const char *sw, const char *routing) {
  open_bench(&b->bench, topology, sw, routing);
  const size_t channels = b->bench.prover.explorer.channels;
  b->d = &ut_by_sets(&b->bench.prover)->dependencies;
  b->arc = calloc(channels * channels, sizeof *b->arc);
  b->mark = calloc(channels, sizeof *b->mark);
  assert_true(b->arc && b->mark);
}

static void close_reference(struct reference *b) {
  free(b->arc), free(b->mark);
  close_bench(&b->bench);
}

/* ---- packets of one destination in one state */

struct packet {
  uint32_t channel, dst;
  const struct ut_row *row;
};

static bool has(const uint64_t *mask, uint32_t dst) {
  return mask[dst / 64] >> dst % 64 & 1;
}

/* With some vector, with each. */
static bool may(const struct reference *b, const struct packet *p, unsigned edge) {
  return has(ut_row_any(&b->bench.prover.explorer, p->row, edge), p->dst);
}

static bool always(const struct reference *b, const struct packet *p, unsigned edge) {
  return has(ut_row_all(&b->bench.prover.explorer, p->row, edge), p->dst);
}

static void for_each_packet(struct reference *b, void (*call)(struct reference *b, const struct packet *p)) {
  struct ut_reach *r = b->d->reach;
  for (uint32_t i = 0; i < r->reached.count; i++) {
    const uint32_t state = r->reached.touched[i];
    struct packet p = {.channel = ut_reach_channel(r, state), .row = ut_reach_row(r, state)};
    assert_non_null(p.row);
    for (; p.dst < b->bench.topology.terminals; p.dst++)
      if (has(r->reached.mask + (size_t)state * r->explorer->words, p.dst))
        call(b, &p);
  }
}

static bool injected(const struct reference *b, uint32_t channel) {
  return ut_explorer_feeder(&b->bench.prover.explorer, b->bench.prover.explorer.channel[channel].sw,
                            b->bench.prover.explorer.channel[channel].port)
             .kind == UT_PEER_TERMINAL;
}

static bool *arc_of(const struct reference *b, uint32_t from, uint32_t to) {
  return &b->arc[(size_t)from * b->bench.prover.explorer.channels + to];
}

static void no_arcs(struct reference *b) {
  const size_t channels = b->bench.prover.explorer.channels;
  memset(b->arc, 0, channels * channels);
  memset(b->mark, 0, channels);
}

/* The graph has these arcs, each once. */
static void check_arcs(const struct reference *b) {
  const struct ut_digraph *g = &b->d->graph;
  const uint32_t channels = b->bench.prover.explorer.channels;
  size_t wanted = 0;
  for (size_t i = 0; i < (size_t)channels * channels; i++)
    wanted += b->arc[i];
  assert_int_equal(g->arcs, 2 * wanted);
  for (size_t i = 0; i < g->arcs; i += 2) {
    bool *arc = arc_of(b, (uint32_t)g->arc[i], (uint32_t)g->arc[i + 1]);
    assert_true(*arc);
    *arc = false;
  }
  for (size_t i = 0; i < g->arcs; i += 2)
    *arc_of(b, (uint32_t)g->arc[i], (uint32_t)g->arc[i + 1]) = true;
}

/* Channels from which no arc leads to one that is left go, round by round; true: some stay. */
static bool cyclic(const struct reference *b) {
  const uint32_t channels = b->bench.prover.explorer.channels;
  bool *gone = calloc(channels, sizeof *gone);
  uint32_t left = channels, before = channels + 1;
  while (left < before) {
    before = left;
    for (uint32_t c = 0; c < channels; c++) {
      bool leads = false;
      for (uint32_t to = 0; to < channels && !gone[c]; to++)
        leads |= *arc_of(b, c, to) && !gone[to];
      left -= !gone[c] && !leads;
      gone[c] |= !leads;
    }
  }
  free(gone);
  return left;
}

/* ---- plain dependencies */

static void wants(struct reference *b, const struct packet *p) {
  for (unsigned j = 0; j < p->row->edges && !injected(b, p->channel); j++)
    if (may(b, p, j))
      *arc_of(b, p->channel, p->row->edge[j].channel) = true;
}

/* ---- the subfunction */

static unsigned digit[UT_MAX_LEVELS];

/* By all faults anew for each digit. */
static void choose(const struct reference *b, const struct ut_fault_set *set) {
  const struct ut_topology *t = &b->bench.topology;
  unsigned wanted[UT_MAX_LEVELS];
  for (unsigned l = 0, step = 1; l < t->levels; l++, step *= b->bench.prover.explorer.k) {
    unsigned least = UINT32_MAX;
    for (unsigned j = b->bench.prover.explorer.k; j--;) {
      unsigned faults = 0;
      for (unsigned i = 0; i < set->links; i++) {
        const uint32_t sw = t->link[set->link[i]].upper;
        faults += t->level[sw] > l && t->position[sw] / step % b->bench.prover.explorer.k == j;
      }
      for (unsigned i = 0; i < set->switches; i++)
        faults += t->level[set->sw[i]] > l && t->position[set->sw[i]] / step % b->bench.prover.explorer.k == j;
      if (faults <= least)
        least = faults, wanted[l] = j;
    }
  }
  memset(digit, 0xff, sizeof digit);
  ut_choose_planes(&b->bench.prover.explorer, set, digit);
  assert_memory_equal(digit, wanted, t->levels * sizeof *digit);
}

static void subfunction(struct reference *b, const struct packet *p) {
  const unsigned level = b->bench.topology.level[b->bench.prover.explorer.channel[p->channel].sw];
  const unsigned port = b->bench.prover.explorer.k + digit[level];
  bool chosen = false;
  for (unsigned j = 0; j < p->row->edges; j++)
    chosen |= p->row->edge[j].port == port && always(b, p, j);
  for (unsigned j = 0; j < p->row->edges; j++)
    if (may(b, p, j) && (!chosen || p->row->edge[j].port == port)) {
      b->mark[p->row->edge[j].channel] = true;
      *arc_of(b, p->channel, p->row->edge[j].channel) = true;
    }
}

static void check_subfunction(struct reference *b, const struct ut_fault_set *set) {
  const uint32_t channels = b->bench.prover.explorer.channels;
  no_arcs(b);
  choose(b, set);
  for_each_packet(b, subfunction);
  for (uint32_t c = 0; c < channels; c++) /* which the subfunction does not supply: nobody waits there */
    if (!b->mark[c])
      memset(arc_of(b, c, 0), 0, channels);
  const bool found = ut_dependencies_extended_cycle(b->d, set);
  check_arcs(b);
  assert_int_equal(found, cyclic(b));
}

/* ---- the waiting set */

/* All that it is offered, whatever the vector is, leads to marked channels. */
static bool waits(const struct reference *b, const struct packet *p) {
  bool some = false;
  for (unsigned j = 0; j < p->row->edges; j++) {
    if (always(b, p, j) && !b->mark[p->row->edge[j].channel])
      return false;
    some |= always(b, p, j);
  }
  return some && !has(p->row->mask + UT_ROW_DELIVERED * b->bench.prover.explorer.words, p->dst);
}

static bool *stays;
static void note_waiting(struct reference *b, const struct packet *p) {
  stays[p->channel] |= b->mark[p->channel] && waits(b, p);
}

static void waiting_arcs(struct reference *b, const struct packet *p) {
  for (unsigned j = 0; b->mark[p->channel] && waits(b, p) && j < p->row->edges; j++)
    if (always(b, p, j))
      *arc_of(b, p->channel, p->row->edge[j].channel) = true;
}

/* true: somebody waits for ever. */
static bool check_waiting(struct reference *b) {
  const uint32_t channels = b->bench.prover.explorer.channels;
  uint32_t left = channels, before = channels + 1;
  no_arcs(b);
  stays = calloc(channels, sizeof *stays);
  for (uint32_t c = 0; c < channels; c++)
    b->mark[c] = !injected(b, c);
  while (left < before) {
    before = left, left = 0;
    memset(stays, 0, channels);
    for_each_packet(b, note_waiting);
    for (uint32_t c = 0; c < channels; c++)
      left += b->mark[c] = stays[c];
  }
  free(stays);
  assert_int_equal(ut_dependencies_waiting(b->d), left > 0);
  assert_memory_equal(b->d->waiting, b->mark, channels);
  for_each_packet(b, waiting_arcs);
  ut_dependencies_waiting_arcs(b->d, b->d->waiting);
  check_arcs(b);
  return left;
}

/* ---- all of it */

static const struct {
  const char *topology, *sw, *routing;
  unsigned links, switches, samples, kinds;
} cases[] = {
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1", "algorithm: reroute_adaptive_link", 0, 0, 1, 0},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1", "algorithm: reroute_adaptive_link", 2, 0, 20, 0},
    {"kind: fat_tree, k: 3, n: 2", "vcs: 1", "algorithm: reroute_adaptive_link", 4, 0, 20, 0},
    {"kind: fat_tree, k: 2, n: 4", "vcs: 2", "algorithm: reroute_adaptive_switch", 2, 1, 10, 0},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2", "algorithm: reroute_det_link", 1, 0, 10, 0},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2", "algorithm: reroute_det_link", 1, 0, 10, OTHER_VC},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 3", "algorithm: reroute_det_switch", 0, 1, 10, ALSO},
    {"kind: fat_tree, k: 2, n: 2", "vcs: 2, switching: wormhole", "algorithm: reroute_det_link", 1, 0, 12, ALSO},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1", "algorithm: fta", 0, 0, 20, ALSO},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2", "algorithm: fta", 0, 0, 20, ALSO | OTHER_VC | OUTSIDE},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1", "algorithm: reroute_adaptive_link", 1, 0, 20, ANYWHERE | VECTOR},
    {"kind: fat_tree, k: 3, n: 4", "vcs: 1", "algorithm: fta", 0, 0, 1, ALSO | LATE},
};

/* Some arc does not lead to a higher number of the paper, where it has numbers. */
static bool falls(const struct reference *b) {
  const struct ut_explorer *x = &b->bench.prover.explorer;
  bool some = false;
  for (uint32_t from = 0; from < x->channels && ut_channels_numbered(x); from++)
    for (uint32_t to = 0; to < x->channels; to++)
      if (*arc_of(b, from, to))
        some |= ut_channel_number(x, from) < 0 || ut_channel_number(x, to) <= ut_channel_number(x, from);
  return some;
}

static void destination_by_destination(void **state) {
  (void)state;
  unsigned sets = 0, cycles = 0, extended = 0, waiting = 0, numbered = 0;
  struct ut_fault_space *space = calloc(1, sizeof *space);
  assert_non_null(space);
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const struct ut_fault_request request = drawn_sets(cases[i].links, cases[i].switches, cases[i].samples);
    struct ut_error e;
    struct reference b;
    open_reference(&b, cases[i].topology, cases[i].sw, cases[i].routing);
    if (cases[i].kinds)
      make_mistakes(&b.bench.prover.explorer, cases[i].kinds);
    assert_int_equal(ut_fault_space_init(space, &b.bench.topology, &request, &e), 0);
    for (uint64_t index = 0; index < cases[i].samples; index++) {
      struct ut_fault_set set;
      struct ut_verdict v;
      ut_fault_space_get(space, index % space->count, &set);
      mistakes.salt = (unsigned)index;
      ut_explorer_forget(&b.bench.prover.explorer);
      assert_int_equal(ut_prover_examine(&b.bench.prover, &set, &v, &e), 0);
      no_arcs(&b);
      for_each_packet(&b, wants);
      const bool found = ut_dependencies_cycle(b.d);
      check_arcs(&b);
      assert_int_equal(found, cyclic(&b));
      assert_int_equal(v.dependency_cycle, found);
      assert_int_equal(v.failure[UT_FAILURE_NUMBERING], falls(&b));
      numbered += falls(&b);
      check_subfunction(&b, &set);
      const bool worm = b.bench.prover.explorer.group[0].shape.switching == UT_WORMHOLE, stays = cyclic(&b);
      assert_int_equal(v.no_subfunction, found && (worm || stays));
      const bool waits_for_ever = check_waiting(&b);
      assert_int_equal(v.failure[UT_FAILURE_CYCLE], found && (worm || (stays && waits_for_ever)));
      sets++, cycles += found, extended += stays, waiting += waits_for_ever;
    }
    close_reference(&b);
  }
  free(space);
  assert_true(sets > cycles + 30 && cycles > extended && extended > waiting + 20 && waiting > 10 && numbered > 5);
}

/* Planes of many sets: a link counts once, a switch once, whatever fails besides. */
static void planes(void **state) {
  (void)state;
  static const char *const trees[] = {"kind: fat_tree, k: 2, n: 4", "kind: fat_tree, k: 3, n: 3",
                                      "kind: fat_tree, k: 4, n: 2"};
  struct ut_fault_space *space = calloc(1, sizeof *space);
  assert_non_null(space);
  for (unsigned i = 0; i < 3; i++)
    for (unsigned links = 0; links < 5; links++)
      for (unsigned switches = 0; switches < 4; switches++) {
        const struct ut_fault_request request = drawn_sets(links, switches, 40);
        struct ut_error e;
        struct ut_fault_set set;
        struct reference b;
        open_reference(&b, trees[i], "vcs: 1", "algorithm: fta");
        assert_int_equal(ut_fault_space_init(space, &b.bench.topology, &request, &e), 0);
        for (uint64_t index = 0; index < space->count; index++) {
          ut_fault_space_get(space, index, &set);
          choose(&b, &set);
        }
        close_reference(&b);
      }
  free(space);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(planes), cmocka_unit_test(destination_by_destination)};
  return cmocka_run_group_tests_name("dependencies", tests, NULL, NULL);
}
