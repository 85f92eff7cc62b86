/* SPDX-License-Identifier: Apache-2.0 */
/* test_every_certificate.c - what a certificate says of small networks, also where routing code makes mistakes: rows
 * are answers, walks are those of every single packet, and ranks obey docs/reference/certificate.md and are there if
 * they can be.
 */
#include <string.h>

#include "certificate_ranks.h"
#include "drawn_sets.h"
#include "mistakes.h"
#include "random.h"
#include "scenario_read.h"
#include "scenarios.h"
#include "single_packets.h"
#include "topology_build.h"

struct bench {
  struct ut_scenario *scenario;
  struct ut_topology topology;
  struct ut_explorer explorer;
  struct ut_certificate_walk walk;
  struct ut_rank_pool pool;
  struct packet_search search;
  uint32_t *ring; /* [channels]: the lowest channel of its ring, or itself */
  bool *open;     /* [channels]: of rings: entered without the bubble rule by some clause until now */
};

static uint32_t ring_of(const struct ut_explorer *x, uint32_t channel) {
  uint32_t lowest = channel, i = search_next_in_ring(x, channel);
  for (; i != UINT32_MAX && i != channel; i = search_next_in_ring(x, i))
    lowest = i < lowest ? i : lowest;
  return i == channel ? lowest : channel;
}

/* Ranks from nothing. */
static void new_pool(struct bench *b) {
  assert_true(ut_rank_pool_init(&b->pool, &b->walk));
  memset(b->open, 0, b->explorer.channels);
}

static void open_bench(struct bench *b, const char *topology, const char *sw, const char *routing) {
  struct ut_error e;
  b->scenario = test_scenario("topology: {%s}\nswitch: {%s}\nrouting: {%s}\ntraffic: {load_flits_per_cycle: 0.1}\n",
                              topology, sw, routing);
  if (ut_topology_init(&b->topology, b->scenario, &e) || ut_explorer_init(&b->explorer, b->scenario, &b->topology, &e))
    fail_msg("%s", e.text);
  ut_certificate_walk_init(&b->walk, &b->explorer);
  b->search = (struct packet_search){0};
  b->ring = calloc(b->explorer.channels, sizeof *b->ring), b->open = calloc(b->explorer.channels, sizeof *b->open);
  assert_true(b->ring && b->open);
  for (uint32_t c = 0; c < b->explorer.channels; c++)
    b->ring[c] = ring_of(&b->explorer, c);
  new_pool(b);
}

static void close_bench(struct bench *b) {
  search_free(&b->search);
  free(b->ring), free(b->open);
  ut_rank_pool_free(&b->pool);
  ut_certificate_walk_free(&b->walk);
  ut_explorer_free(&b->explorer);
  ut_topology_free(&b->topology);
  ut_scenario_free(b->scenario);
}

/* ---- ranks */

/* A candidate of a packet in channel `from`. */
static bool is_good(const struct ut_rank_pool *p, const uint32_t *rank, uint32_t from, uint32_t to, bool bubble) {
  if (to == UINT32_MAX || rank[to] > rank[from])
    return true;
  return !bubble && search_next_in_ring(p->walk->explorer, from) == to && !p->open[p->node[to]];
}

/* A packet with that clause can always go on: docs/reference/certificate.md. */
static void check_clause(const struct ut_rank_pool *p, const uint32_t *rank, const struct ut_clause *clause) {
  const struct ut_explorer *x = p->walk->explorer;
  const struct ut_candidates *c = &p->walk->rows.candidates[clause->candidates];
  unsigned good = 0, all = 0;
  for (unsigned vc = 0; vc < x->v; vc++)
    UT_FOR_EACH (port, c->cand[vc]) {
      const uint32_t to = ut_channel_behind(x, x->channel[clause->channel].sw, port, vc);
      const bool bubble = c->bubble[vc] >> port & 1;
      all++;
      good += is_good(p, rank, clause->channel, to, bubble);
      if (!bubble && to != UINT32_MAX && search_next_in_ring(x, clause->channel) != to) /* entered without the rule */
        assert_true(p->open[p->node[to]]);
    }
  const unsigned wanted = x->group[0].shape.switching == UT_WORMHOLE ? all : 1;
  if (!good || good < wanted)
    fail_msg("channel %u of rank %u: %u of %u candidates lead upwards or on in a ring", clause->channel,
             rank[clause->channel], good, all);
}

/* Channels, and rings that are never entered without the rule, whose packets can all leave, one round after the other,
 * are all of them just when there are ranks. */
static bool can_be_ranked(const struct bench *b, const struct ut_clause *clause, uint32_t clauses) {
  const struct ut_explorer *x = &b->explorer;
  const bool every = x->group[0].shape.switching == UT_WORMHOLE;
  bool *ranked = calloc(x->channels, sizeof *ranked), *held = calloc(x->channels, sizeof *held);
  uint32_t left = x->channels, before = left + 1;
  while (left < before) {
    before = left;
    memset(held, 0, x->channels * sizeof *held);
    for (uint32_t i = 0; i < clauses; i++) {
      const uint32_t from = clause[i].channel;
      const struct ut_candidates *c = &b->walk.rows.candidates[clause[i].candidates];
      unsigned good = 0, all = 0;
      for (unsigned vc = 0; vc < x->v; vc++)
        UT_FOR_EACH (port, c->cand[vc]) {
          const uint32_t to = ut_channel_behind(x, x->channel[from].sw, port, vc);
          const bool stays = !(c->bubble[vc] >> port & 1) && to != UINT32_MAX && search_next_in_ring(x, from) == to;
          all++;
          good += to == UINT32_MAX || ranked[to] || (stays && !b->open[b->ring[to]]);
        }
      held[b->open[b->ring[from]] ? from : b->ring[from]] |= every ? !all || good < all : !good;
    }
    for (uint32_t c = 0; c < x->channels; c++) {
      const bool leaves = !held[b->open[b->ring[c]] ? c : b->ring[c]];
      left -= !ranked[c] && leaves;
      ranked[c] |= leaves;
    }
  }
  free(ranked), free(held);
  return !left;
}

/* Rings that the walk's clauses enter without the rule. */
static void open_rings(struct bench *b) {
  const struct ut_explorer *x = &b->explorer;
  for (uint32_t i = 0; i < b->walk.clauses; i++) {
    const uint32_t from = b->walk.clause[i].channel;
    const struct ut_candidates *c = &b->walk.rows.candidates[b->walk.clause[i].candidates];
    for (unsigned vc = 0; vc < x->v; vc++)
      UT_FOR_EACH (port, c->cand[vc] & ~c->bubble[vc]) {
        const uint32_t to = ut_channel_behind(x, x->channel[from].sw, port, vc);
        if (to != UINT32_MAX && search_next_in_ring(x, from) != to)
          b->open[b->ring[to]] = true;
      }
  }
}

/* The clauses of the walk get ranks, if they and those that were asked for before can have some. */
static bool find_ranks(struct bench *b, uint64_t key) {
  bool none;
  const uint32_t found = ut_rank_pool_find(&b->pool, key, &none);
  open_rings(b);
  bool all = can_be_ranked(b, b->walk.clause, b->walk.clauses);
  for (uint32_t i = 0; i < b->pool.count; i++)
    all = all && can_be_ranked(b, b->pool.ranks[i].clause, b->pool.ranks[i].clauses);
  assert_int_equal(none, !all);
  assert_int_equal(none, found == UINT32_MAX);
  if (none)
    return false;
  for (uint32_t i = 0; i < b->walk.clauses; i++)
    check_clause(&b->pool, b->pool.ranks[found].rank, &b->walk.clause[i]);
  for (uint32_t i = 0; i < b->pool.count; i++) /* all that were asked for before still hold */
    for (uint32_t j = 0; j < b->pool.ranks[i].clauses; j++)
      check_clause(&b->pool, b->pool.ranks[i].rank, &b->pool.ranks[i].clause[j]);
  return true;
}

/* ---- all packets */

static const char REPAIR[] = "algorithm: reroute_adaptive_link, reroute_clear: repair";
static const char SHORT[] = "vcs: 2, depth_flits: 4, packet_flits: 2";
static const char TREE_2_3[] = "kind: fat_tree, k: 2, n: 3", TREE_2_4[] = "kind: fat_tree, k: 2, n: 4";
static const char TREE_3_2[] = "kind: fat_tree, k: 3, n: 2", TREE_3_4[] = "kind: fat_tree, k: 3, n: 4";

static const struct {
  const char *topology, *sw, *routing;
  unsigned links, switches, samples, kinds;
} walked[] = {
    {TREE_2_3, "vcs: 1", REPAIR, 2, 0, 40, 0},
    {TREE_3_2, "vcs: 2", REPAIR, 2, 0, 40, 0},
    {TREE_2_3, "vcs: 2", "algorithm: reroute_det_link", 1, 0, 40, 0},
    {TREE_2_3, "vcs: 3", "algorithm: reroute_det_switch", 1, 1, 20, 0},
    {TREE_2_3, "vcs: 2", "algorithm: reroute_adaptive_switch, reroute_clear: repair", 0, 1, 20, 0},
    {TREE_2_3, "vcs: 2", "algorithm: fta", 0, 0, 16, ALSO},
    {TREE_2_3, "vcs: 2", "algorithm: fta", 0, 0, 16, ALSO | OTHER_VC | HEADER},
    {TREE_2_4, "vcs: 1", REPAIR, 3, 0, 20, SETS | VECTOR},
    {TREE_2_4, "vcs: 1", REPAIR, 8, 0, 8, SETS | ALSO | WORKING | OFFERS},
    {TREE_2_4, "vcs: 1", REPAIR, 16, 0, 8, SETS | VECTOR | WORKING | OFFERS},
    {TREE_3_2, "vcs: 1", REPAIR, 3, 0, 12, SETS | VECTOR | HEADER | WORKING},
    {TREE_2_3, "vcs: 1", REPAIR, 1, 0, 12, SETS | HEADER | OFTEN},
    {TREE_2_3, "vcs: 2", "algorithm: misroute_header", 1, 0, 20, HEADER | OTHER_VC},
    {TREE_2_3, "vcs: 1, switching: wormhole", "algorithm: fta", 0, 0, 4, OTHER_VC},
    {TREE_3_4, "vcs: 1", REPAIR, 2, 0, 2, 0},
    {TREE_3_4, "vcs: 2", "algorithm: fta", 0, 0, 4, OTHER_VC | HEADER | LATE},
    {TREE_2_3, "vcs: 8", "algorithm: reroute_det_switch", 0, 1, 8, OTHER_VC},
    {"kind: torus, sizes: [9, 8]", SHORT, "algorithm: duato", 0, 0, 1, 0},
    {"kind: torus, sizes: [4, 3]", SHORT, "algorithm: duato", 0, 0, 1, 0},
    {"kind: torus, sizes: [4, 3]", SHORT, "algorithm: dor", 0, 0, 20, OTHER_VC | CLASSES},
    {"kind: torus, sizes: [4]", "vcs: 8, depth_flits: 4, packet_flits: 2", "algorithm: duato", 0, 0, 8, OTHER_VC},
    {"kind: torus, sizes: [5]", SHORT, "algorithm: duato", 0, 0, 20, CLASSES},
    {"kind: mesh, sizes: [4, 3]", SHORT, "algorithm: duato", 0, 0, 20, OTHER_VC},
    {"kind: mesh, sizes: [3, 3]", "vcs: 2, switching: wormhole", "algorithm: dor", 0, 0, 20, OTHER_VC},
    {"kind: hypercube, n: 3", SHORT, "algorithm: ecube", 0, 0, 8, ALSO},
};

/* What single packets do in one fault set. */
struct packets {
  bool discarded, cut, endless, many_turns;
  unsigned longest;
  uint32_t *first, *next; /* [channels], [clauses]: the clauses of a channel; UINT32_MAX: no more */
  bool *met;              /* [clauses] */
};

/* Some clause of the walk is what a packet in that channel is offered. */
static void meet_clause(const struct bench *b, struct packets *all, uint32_t channel, const struct ut_route_result *r) {
  const struct ut_explorer *x = &b->explorer;
  bool found = false;
  for (uint32_t i = all->first[channel]; i != UINT32_MAX; i = all->next[i]) {
    const struct ut_candidates *c = &b->walk.rows.candidates[b->walk.clause[i].candidates];
    bool same = true;
    for (unsigned v = 0; v < x->v && same; v++)
      same = c->cand[v] == r->cand[v] && c->bubble[v] == (x->group[0].form.bubble ? r->bubble[v] & r->cand[v] : 0);
    all->met[i] |= same;
    found |= same;
  }
  if (!found)
    fail_msg("switch %u, input port %u, VC %u: no clause for candidates %x %x", x->channel[channel].sw,
             x->channel[channel].port, x->channel[channel].vc, (unsigned)r->cand[0], (unsigned)r->cand[1]);
}

static void add_place(struct bench *b, struct packets *all, uint32_t i) {
  const struct packet_search *q = &b->search;
  const struct search_packet *p = &q->packet[i];
  const uint32_t sw = b->explorer.channel[p->channel].sw;
  const ut_mask more = q->others[sw] & ~p->own[sw];
  unsigned turns = 0;
  for (uint32_t s = 0; s < b->topology.switches; s++)
    turns += p->own[s] != 0;
  all->discarded |= q->place[i].discarded, all->cut |= q->place[i].cut, all->endless |= q->place[i].endless;
  all->many_turns |= turns > UT_OWN_ITEMS;
  all->longest = q->place[i].depth > all->longest ? q->place[i].depth : all->longest;
  for (ut_mask some = 0; !b->walk.failure; some = (some - more) & more) {
    struct ut_route_result r;
    ut_explorer_ask_header(&b->explorer, p->channel, p->header[0], p->own[sw] | some, &r);
    meet_clause(b, all, p->channel, &r);
    if (some == more)
      break;
  }
}

/* All bits of ports that report a fault may be set. */
static void compare_packets(struct bench *b) {
  const struct ut_certificate_walk *w = &b->walk;
  struct packets all = {0};
  all.first = malloc(b->explorer.channels * sizeof *all.first), all.next = malloc((w->clauses + 1) * sizeof *all.next);
  all.met = calloc(w->clauses + 1, sizeof *all.met);
  assert_true(all.first && all.next && all.met);
  memset(all.first, 0xff, b->explorer.channels * sizeof *all.first);
  for (uint32_t i = 0; i < w->clauses; i++)
    all.next[i] = all.first[w->clause[i].channel], all.first[w->clause[i].channel] = i;
  for (uint32_t dst = 0; dst < b->topology.terminals; dst++) {
    search_destination(&b->search, &b->explorer, b->explorer.neighbour, dst);
    for (uint32_t i = 0; i < b->search.places; i++)
      add_place(b, &all, i);
  }
  const struct {
    const char *why;
    bool is;
  } failure[] = {{"a packet is discarded", all.discarded},
                 {"a candidate leads to a link that does not work", all.cut},
                 {"a packet turns back at too many switches", all.many_turns},
                 {"packets go round", all.endless}};
  bool some = false;
  for (unsigned i = 0; i < 4; i++) {
    some |= failure[i].is;
    assert_true(!w->failure || strcmp(w->failure, failure[i].why) != 0 || failure[i].is);
  }
  assert_int_equal(w->failure != NULL, some);
  for (uint32_t i = 0; i < w->clauses && !some; i++)
    assert_true(all.met[i]);
  if (!some)
    assert_int_equal(w->hops, all.longest);
  free(all.first), free(all.next), free(all.met);
}

static void walks_are_those_of_packets(void **state) {
  (void)state;
  struct ut_fault_space *space = calloc(1, sizeof *space);
  for (unsigned i = 0; i < sizeof walked / sizeof walked[0]; i++) {
    const struct ut_fault_request request = drawn_sets(walked[i].links, walked[i].switches, walked[i].samples);
    struct ut_error e;
    struct bench b;
    open_bench(&b, walked[i].topology, walked[i].sw, walked[i].routing);
    if (walked[i].kinds)
      make_mistakes(&b.explorer, walked[i].kinds);
    assert_int_equal(ut_fault_space_init(space, &b.topology, &request, &e), 0);
    const uint64_t sets = space->count == 1 ? walked[i].samples : space->count;
    bool ranked = true;
    for (uint64_t index = 0; index < sets && ranked; index++) {
      struct ut_fault_set set;
      search_begin_case("%s; %s; %s; mistakes: %s; fault set %u", walked[i].topology, walked[i].sw, walked[i].routing,
                        mistake_names(walked[i].kinds), (unsigned)index);
      ut_fault_space_get(space, index % space->count, &set);
      ut_explorer_set_faults(&b.explorer, &set);
      if (walked[i].kinds) { /* others: what was answered is void */
        mistakes.salt = (unsigned)index;
        ut_certificate_walk_free(&b.walk);
        ut_certificate_walk_init(&b.walk, &b.explorer);
        ut_rank_pool_free(&b.pool);
        new_pool(&b);
      }
      assert_true(ut_certificate_walk_run(&b.walk));
      compare_packets(&b);
      if (!b.walk.failure)
        ranked = find_ranks(&b, index % 3) || walked[i].kinds;
    }
    close_bench(&b);
  }
  *search_case = 0;
  free(space);
}

/* ---- clauses that are drawn */

static const struct {
  const char *topology, *sw, *routing;
  unsigned finds, wide, bad; /* wide: most candidates; bad: of a thousand clauses, those that may lead anywhere */
} drawn[] = {
    {"kind: mesh, sizes: [4, 3]", SHORT, "algorithm: dor", 300, 3, 3},
    {"kind: mesh, sizes: [4, 3]", SHORT, "algorithm: dor", 400, 1, 0},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, switching: wormhole", "algorithm: dor", 300, 3, 10},
    {"kind: torus, sizes: [4, 3]", SHORT, "algorithm: dor", 300, 3, 0},
    {"kind: torus, sizes: [4, 3]", SHORT, "algorithm: dor", 400, 1, 2},
    {"kind: torus, sizes: [6]", SHORT, "algorithm: duato", 300, 1, 2},
};

enum { SETS_DRAWN = 64, MOST_CLAUSES = 6 };

/* Whether some candidate stays in its ring, or leads to a channel that is higher in a drawn order; or all do. */
static bool suits(const struct ut_rank_pool *p, const struct ut_clause *clause, const uint32_t *order) {
  const struct ut_explorer *x = p->walk->explorer;
  const struct ut_candidates *c = &p->walk->rows.candidates[clause->candidates];
  unsigned higher = 0, all = 0;
  for (unsigned vc = 0; vc < x->v; vc++)
    UT_FOR_EACH (port, c->cand[vc]) {
      const uint32_t to = ut_channel_behind(x, x->channel[clause->channel].sw, port, vc);
      all++;
      higher += to == UINT32_MAX || order[to] > order[clause->channel] ||
                (!(c->bubble[vc] >> port & 1) && search_next_in_ring(x, clause->channel) == to);
    }
  return p->every ? all && higher == all : higher;
}

static void ranks_of_drawn_clauses(void **state) {
  (void)state;
  for (unsigned i = 0; i < sizeof drawn / sizeof drawn[0]; i++) {
    struct bench b;
    struct ut_random random;
    open_bench(&b, drawn[i].topology, drawn[i].sw, drawn[i].routing);
    ut_random_init(&random, 5, UT_RANDOM_TEST, i);
    const struct ut_explorer *x = &b.explorer;
    struct ut_candidates *set = b.walk.rows.candidates = calloc(SETS_DRAWN, sizeof *set);
    b.walk.clause = calloc(MOST_CLAUSES, sizeof *b.walk.clause);
    uint32_t *order = calloc(2 * x->channels, sizeof *order); /* two of them take turns */
    assert_true(set && b.walk.clause && order);
    for (uint32_t c = 0; c < 2 * x->channels; c++)
      order[c] = ut_random_below(&random, 1000);
    for (unsigned j = 0; j < SETS_DRAWN; j++)
      for (unsigned n = 1 + ut_random_below(&random, drawn[i].wide); n; n--) {
        const unsigned vc = ut_random_below(&random, x->v);
        const ut_mask port = ut_bit(ut_random_below(&random, b.topology.po));
        set[j].cand[vc] |= port;
        if (x->group[0].form.bubble && ut_random_below(&random, 8))
          set[j].bubble[vc] |= port;
      }
    for (unsigned n = 0; n < drawn[i].finds; n++) {
      b.walk.clauses = 0;
      for (unsigned left = 1 + ut_random_below(&random, MOST_CLAUSES); left;) {
        struct ut_clause *c = &b.walk.clause[b.walk.clauses];
        *c = (struct ut_clause){ut_random_below(&random, x->channels), ut_random_below(&random, SETS_DRAWN)};
        if (!suits(&b.pool, c, order + n % 2 * x->channels) && ut_random_below(&random, 1000) >= drawn[i].bad)
          continue;
        b.walk.clauses++, left--;
      }
      find_ranks(&b, n % 3);
    }
    free(order);
    close_bench(&b);
  }
}

/* Packets that stay in a ring need no ranks, until somebody enters it without the rule: then there are none. */
static void opened_ring(void **state) {
  (void)state;
  static const unsigned links[] = {3, 4};
  for (unsigned i = 0; i < 2; i++) {
    struct bench b;
    bool none;
    char topology[64];
    snprintf(topology, sizeof topology, "kind: torus, sizes: [%u]", links[i]);
    open_bench(&b, topology, "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: dor");
    const struct ut_explorer *x = &b.explorer;
    struct ut_candidates *set = b.walk.rows.candidates = calloc(3, sizeof *set);
    b.walk.clause = calloc(1, sizeof *b.walk.clause);
    assert_true(set && b.walk.clause);
    b.walk.clauses = 1;
    set[0].cand[0] = ut_bit(0);                         /* on, in the plus direction */
    set[1].cand[0] = set[1].bubble[0] = set[0].cand[0]; /* into the ring, by the rule */
    set[2].cand[0] = ut_bit(2);                         /* out */
    for (unsigned round = 0; round < 3; round++)
      for (uint32_t sw = 0; sw < links[i]; sw++) {
        const uint32_t before = (sw + links[i] - 1) % links[i];
        *b.walk.clause =
            (struct ut_clause){round ? ut_explorer_injection(x, sw, 0, 0) : ut_channel_behind(x, before, 0, 0), round};
        assert_int_equal(ut_rank_pool_find(&b.pool, 0, &none), 0);
        assert_false(none);
        check_clause(&b.pool, b.pool.ranks->rank, b.walk.clause);
      }
    *b.walk.clause = (struct ut_clause){ut_explorer_injection(x, 1, 0, 0), 0}; /* not by the rule */
    assert_int_equal(ut_rank_pool_find(&b.pool, 0, &none), UINT32_MAX);
    assert_true(none);
    close_bench(&b);
  }
}

/* The rule is asked of the ring that is entered, not of the one where the packet is: who stays needs no rank, whatever
 * port has the higher number. */
static void stays_beside_the_rule(void **state) {
  (void)state;
  static const char *const sizes[] = {"kind: torus, sizes: [3, 4]", "kind: torus, sizes: [3, 4], local_ports: 2"};
  for (unsigned first = 0; first < 2; first++)
    for (unsigned i = 0; i < 2; i++) {
      struct bench b;
      bool none;
      open_bench(&b, sizes[i], "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: dor");
      const struct ut_explorer *x = &b.explorer;
      struct ut_candidates *set = b.walk.rows.candidates = calloc(2, sizeof *set);
      b.walk.clause = calloc(2 * (size_t)b.topology.switches, sizeof *b.walk.clause);
      assert_true(set && b.walk.clause);
      const unsigned along[] = {
          0, 2}; /* the plus directions; in one of them packets may stay, in the other one they may not */
      set[first].cand[1] = ut_bit(along[0]) | ut_bit(along[1]), set[first].bubble[1] = ut_bit(along[!first]);
      set[!first].cand[1] = set[!first].bubble[1] = ut_bit(along[first]);
      for (uint32_t sw = 0; sw < b.topology.switches; sw++)
        for (unsigned d = 0; d < 2; d++)
          b.walk.clause[b.walk.clauses++] = (struct ut_clause){ut_channel_behind(x, sw, along[d], 1), d};
      assert_int_equal(ut_rank_pool_find(&b.pool, 0, &none), 0);
      assert_false(none);
      for (uint32_t j = 0; j < b.walk.clauses; j++) {
        check_clause(&b.pool, b.pool.ranks->rank, &b.walk.clause[j]);
        assert_int_equal(b.pool.ranks->rank[b.walk.clause[j].channel], b.walk.clause[j].candidates == first);
      }
      close_bench(&b);
    }
}

/* ---- rows */

/* Each row is the answer for its channel, rt field and vector, and for each destination just one of its groups. */
static void check_row(struct bench *b, uint32_t number, uint32_t channel, uint32_t rt, ut_mask vector) {
  struct ut_explorer *x = &b->explorer;
  const struct ut_view_rows *r = &b->walk.rows;
  const struct ut_channel *c = &x->channel[channel];
  assert_true(number < r->rows);
  const struct ut_view_row *row = &r->row[number];
  const struct ut_view *view = &r->view[row->view];
  assert_true(view->sw == c->sw && view->vector == vector && view->up == x->up[c->sw]);
  assert_true(view->reports == x->neighbour[c->sw] && row->rt == rt && row->lane == c->port * x->v + c->vc);
  for (uint32_t dst = 0; dst < b->topology.terminals; dst++) {
    struct ut_route_result answer;
    unsigned groups = 0;
    ut_explorer_ask(x, channel, dst, rt, vector, &answer);
    for (uint32_t g = row->first; g < row->first + row->groups; g++) {
      if (!(ut_group_mask(r, g)[dst / 64] >> dst % 64 & 1))
        continue;
      const struct ut_candidates *set = &r->candidates[r->group[g].candidates];
      for (unsigned v = 0; v < x->v; v++) {
        assert_int_equal(set->cand[v], answer.cand[v]);
        assert_int_equal(set->bubble[v], x->group[0].form.bubble ? answer.bubble[v] & answer.cand[v] : 0);
      }
      assert_true(r->group[g].rt == answer.rt && r->group[g].set == answer.set);
      groups++;
    }
    assert_int_equal(groups, 1);
  }
}

static const struct {
  const char *topology, *sw, *routing;
  unsigned links, kinds;
  uint32_t step; /* of the channels that are asked */
} rows[] = {
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2", "algorithm: reroute_adaptive_link, reroute_clear: repair", 2,
     SETS | VECTOR | HEADER | OTHER_VC | OFTEN, 1},
    {"kind: fat_tree, k: 3, n: 4", "vcs: 1", "algorithm: reroute_adaptive_link, reroute_clear: repair", 2,
     SETS | VECTOR | OFTEN, 16},
    {"kind: fat_tree, k: 4, n: 3", "vcs: 1", "algorithm: fta", 0, OTHER_VC | HEADER | ALSO, 16},
    {"kind: fat_tree, k: 16, n: 2", "vcs: 8", "algorithm: fta", 0, 0, 5}, /* as many lanes as there can be */
    {"kind: torus, sizes: [4, 3]", "vcs: 3, depth_flits: 4, packet_flits: 2", "algorithm: duato", 0, CLASSES | OFTEN,
     1},
};

static void rows_are_answers(void **state) {
  (void)state;
  struct ut_fault_space *space = calloc(1, sizeof *space);
  for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const struct ut_fault_request request = drawn_sets(rows[i].links, 0, 1);
    struct ut_error e;
    struct ut_fault_set set;
    struct bench b;
    open_bench(&b, rows[i].topology, rows[i].sw, rows[i].routing);
    struct ut_explorer *x = &b.explorer;
    if (rows[i].kinds)
      make_mistakes(x, rows[i].kinds);
    assert_int_equal(ut_fault_space_init(space, &b.topology, &request, &e), 0);
    ut_fault_space_get(space, 0, &set);
    ut_explorer_set_faults(x, &set);
    mistakes.salt = 3;
    for (unsigned again = 0; again < 2; again++) { /* each is made once */
      const uint32_t made = b.walk.rows.rows;
      for (uint32_t channel = 0; channel < x->channels; channel += rows[i].step)
        for (uint32_t rt = 0; rt < (rows[i].kinds & HEADER ? 3 : 1); rt++) {
          const ut_mask all = x->neighbour[x->channel[channel].sw];
          for (ut_mask vector = 0;; vector = (vector - all) & all) {
            check_row(&b, ut_view_rows_get(&b.walk.rows, channel, rt, vector), channel, rt, vector);
            if (vector == all)
              break;
          }
        }
      assert_true(!again || b.walk.rows.rows == made);
    }
    close_bench(&b);
  }
  free(space);
}

/* In a torus of 16 x 16 packets take 16 hops at most, through 17 switches, and are in all channels on their way. */
static void far_walks(void **state) {
  (void)state;
  struct bench b;
  open_bench(&b, "kind: torus, sizes: [16, 16]", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: dor");
  for (unsigned round = 0; round < 2; round++) {
    assert_true(ut_certificate_walk_run(&b.walk));
    assert_null(b.walk.failure);
    assert_int_equal(b.walk.hops, 16);
    assert_int_equal(b.walk.states, 256 * 5);
    assert_int_equal(b.walk.owns, 1);
    const struct ut_certificate_walk *w = &b.walk; /* room for all states in each list */
    const uint32_t rooms[] = {w->state_room, w->now_room, w->then_room, w->here_room, w->there_room};
    for (unsigned i = 0; i < sizeof rooms / sizeof rooms[0]; i++)
      assert_true(rooms[i] >= w->states && rooms[i] == rooms[0]);
  }
  close_bench(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_answers),
                                     cmocka_unit_test(far_walks),
                                     cmocka_unit_test_teardown(walks_are_those_of_packets, search_end_case),
                                     cmocka_unit_test(ranks_of_drawn_clauses),
                                     cmocka_unit_test(opened_ring),
                                     cmocka_unit_test(stays_beside_the_rule)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
