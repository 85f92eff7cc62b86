/* test_every_certificate.c - what a certificate says of small networks, also where routing code makes mistakes: rows,
 * walks and ranks are as they were recorded, and ranks obey docs/certificate.md. */
#include <string.h>

#include "certificate_text.h"
#include "memory_text.h"
#include "mistakes.h"
#include "random.h"
#include "scenarios.h"
#include "states_recorded.h"

struct bench {
  struct ut_scenario *scenario;
  struct ut_topology topology;
  struct ut_explorer explorer;
  struct ut_certificate_walk walk;
  struct ut_rank_pool pool;
};

static void open_bench(struct bench *b, const char *topology, const char *sw, const char *routing) {
  struct ut_error e;
  b->scenario = test_scenario("topology: {%s}\nswitch: {%s}\nrouting: {%s}\ntraffic: {load_flits_per_cycle: 0.1}\n",
                              topology, sw, routing);
  if (ut_topology_init(&b->topology, b->scenario, &e) || ut_explorer_init(&b->explorer, b->scenario, &b->topology, &e))
    fail_msg("%s", e.text);
  ut_certificate_walk_init(&b->walk, &b->explorer);
  assert_true(ut_rank_pool_init(&b->pool, &b->walk));
}

static void close_bench(struct bench *b) {
  ut_rank_pool_free(&b->pool);
  ut_certificate_walk_free(&b->walk);
  ut_explorer_free(&b->explorer);
  ut_topology_free(&b->topology);
  ut_scenario_free(b->scenario);
}

static void record_text(uint64_t *hash, const char *text) {
  for (; *text; text++)
    record(hash, (unsigned char)*text);
}

/* The file, but for its head. */
static void record_file(uint64_t *hash, const struct bench *b) {
  char *text;
  size_t size;
  FILE *f = ut_memory_open(&text, &size);
  assert_non_null(f);
  assert_true(ut_certificate_put_rows(&b->walk.rows, f));
  ut_certificate_put_ranks(&b->pool, f);
  assert_int_equal(ut_memory_close(f, &text), 0);
  record_text(hash, text);
  free(text);
}

/* ---- ranks */

/* The channel that follows in the ring; UINT32_MAX: there is none. */
static uint32_t next_of(const struct ut_explorer *x, uint32_t channel) {
  const struct ut_channel *c = &x->channel[channel];
  const struct ut_peer from = ut_explorer_feeder(x, c->sw, c->port);
  if (!x->group[0].form.bubble || from.kind != UT_PEER_SWITCH)
    return UINT32_MAX;
  return ut_channel_behind(x, c->sw, from.port, c->vc);
}

/* A candidate of a packet in channel `from`. */
static bool is_good(const struct ut_rank_pool *p, const uint32_t *rank, uint32_t from, uint32_t to, bool bubble) {
  if (to == UINT32_MAX || rank[to] > rank[from])
    return true;
  return !bubble && next_of(p->walk->explorer, from) == to && !p->open[p->node[to]];
}

/* A packet with that clause can always go on: docs/certificate.md. */
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
      if (!bubble && to != UINT32_MAX && next_of(x, clause->channel) != to) /* entered without the rule */
        assert_true(p->open[p->node[to]]);
    }
  assert_true(x->group[0].shape.switching == UT_WORMHOLE ? all && good == all : good);
}

/* In networks without rings: channels whose packets can all leave, one round after the other, are all channels just
 * when there are ranks. */
static bool can_be_ranked(const struct ut_rank_pool *p, const struct ut_clause *clause, uint32_t clauses) {
  const struct ut_explorer *x = p->walk->explorer;
  const bool every = x->group[0].shape.switching == UT_WORMHOLE;
  bool *ranked = calloc(x->channels, sizeof *ranked), *held = calloc(x->channels, sizeof *held);
  uint32_t left = x->channels, before = left + 1;
  while (left < before) {
    before = left;
    memset(held, 0, x->channels * sizeof *held);
    for (uint32_t i = 0; i < clauses; i++) {
      const struct ut_candidates *c = &p->walk->rows.candidates[clause[i].candidates];
      unsigned good = 0, all = 0;
      for (unsigned vc = 0; vc < x->v; vc++)
        UT_FOR_EACH (port, c->cand[vc]) {
          const uint32_t to = ut_channel_behind(x, x->channel[clause[i].channel].sw, port, vc);
          all++;
          good += to == UINT32_MAX || ranked[to];
        }
      held[clause[i].channel] |= every ? !all || good < all : !good;
    }
    for (uint32_t c = 0; c < x->channels; c++) {
      left -= !ranked[c] && !held[c];
      ranked[c] |= !held[c];
    }
  }
  free(ranked), free(held);
  return !left;
}

/* The clauses of the walk get ranks, if there are some: which, recorded. */
static bool find_ranks(uint64_t *hash, struct bench *b, uint64_t key) {
  bool none;
  const uint32_t found = ut_rank_pool_find(&b->pool, key, &none);
  record(hash, found), record(hash, none);
  if (!b->explorer.group[0].form.bubble)
    assert_int_equal(none, !can_be_ranked(&b->pool, b->walk.clause, b->walk.clauses));
  assert_int_equal(none, found == UINT32_MAX);
  if (none)
    return false;
  for (uint32_t i = 0; i < b->walk.clauses; i++)
    check_clause(&b->pool, b->pool.ranks[found].rank, &b->walk.clause[i]);
  for (uint32_t i = 0; i < b->pool.count; i++) { /* all that were asked for before still hold */
    const struct ut_ranks *r = &b->pool.ranks[i];
    record(hash, r->clauses), record(hash, r->refused), record(hash, r->key);
    for (uint32_t j = 0; j < r->clauses; j++)
      check_clause(&b->pool, r->rank, &r->clause[j]);
  }
  return true;
}

/* ---- all packets */

static const struct {
  const char *topology, *sw, *routing;
  unsigned links, switches, samples, kinds;
  uint64_t hash;
} walked[] = {
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1", "algorithm: reroute_adaptive_link, reroute_clear: repair", 2, 0, 40, 0,
     0xc81f43a97abc8d2e},
    {"kind: fat_tree, k: 3, n: 2", "vcs: 2", "algorithm: reroute_adaptive_link, reroute_clear: repair", 2, 0, 40, 0,
     0x081431ff16db430f},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2", "algorithm: reroute_det_link", 1, 0, 40, 0, 0xf5a58eb63fd0407a},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 3", "algorithm: reroute_det_switch", 1, 1, 20, 0, 0x124b64ea818a7213},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2", "algorithm: reroute_adaptive_switch, reroute_clear: repair", 0, 1, 20, 0,
     0x5fa95682b9f6127b},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2", "algorithm: fta", 0, 0, 16, ALSO, 0x1ab9d183f2e6a079},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2", "algorithm: fta", 0, 0, 16, ALSO | OTHER_VC | HEADER, 0x08f231365d01362a},
    {"kind: fat_tree, k: 2, n: 4", "vcs: 1", "algorithm: reroute_adaptive_link, reroute_clear: repair", 3, 0, 20,
     SETS | VECTOR, 0x434485ae9fd513a6},
    {"kind: fat_tree, k: 2, n: 4", "vcs: 1", "algorithm: reroute_adaptive_link, reroute_clear: repair", 8, 0, 8,
     SETS | ALSO | WORKING | OFFERS, 0xfb2b2941339d8228},
    {"kind: fat_tree, k: 2, n: 4", "vcs: 1", "algorithm: reroute_adaptive_link, reroute_clear: repair", 16, 0, 8,
     SETS | VECTOR | WORKING | OFFERS, 0x842084f18f512cfa},
    {"kind: fat_tree, k: 3, n: 2", "vcs: 1", "algorithm: reroute_adaptive_link, reroute_clear: repair", 3, 0, 12,
     SETS | VECTOR | HEADER | WORKING, 0x742ea89b036a8705},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1", "algorithm: reroute_adaptive_link, reroute_clear: repair", 1, 0, 12,
     SETS | HEADER | OFTEN, 0x56b2df02bf21e0e6},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2", "algorithm: misroute_header", 1, 0, 20, HEADER | OTHER_VC,
     0x6d4ca10bd3f79a51},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1, switching: wormhole", "algorithm: fta", 0, 0, 4, OTHER_VC,
     0x04f1b0d922420c12},
    {"kind: fat_tree, k: 3, n: 4", "vcs: 1", "algorithm: reroute_adaptive_link, reroute_clear: repair", 2, 0, 2, 0,
     0xf3a4d4f9915f359f},
    {"kind: fat_tree, k: 3, n: 4", "vcs: 2", "algorithm: fta", 0, 0, 4, OTHER_VC | HEADER | LATE, 0x165677765fd2a1b1},
    {"kind: torus, sizes: [9, 8]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 0, 0, 1, 0,
     0xa42bd1ab88881f41},
    {"kind: torus, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 0, 0, 1, 0,
     0xb805b0c046f69783},
    {"kind: torus, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: dor", 0, 0, 20,
     OTHER_VC | CLASSES, 0x8fc5dfc4604b7dc8},
    {"kind: torus, sizes: [5]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 0, 0, 20, CLASSES,
     0x177b090cf15f8bb1},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 0, 0, 20, OTHER_VC,
     0xd13568442c825714},
    {"kind: mesh, sizes: [3, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: dor", 0,
     0, 20, OTHER_VC, 0x0e461925fd98b592},
    {"kind: hypercube, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ecube", 0, 0, 8, ALSO,
     0x8197fa3fca786d91},
    {"kind: torus, sizes: [4]", "vcs: 8, depth_flits: 4, packet_flits: 2", "algorithm: duato", 0, 0, 8, OTHER_VC,
     0x7512752b6a251cff},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 8", "algorithm: reroute_det_switch", 0, 1, 8, OTHER_VC, 0xd16254b219702269},
};

static void walks_are_as_recorded(void **state) {
  (void)state;
  unsigned differences = 0;
  struct ut_fault_space *space = calloc(1, sizeof *space);
  for (unsigned i = 0; i < sizeof walked / sizeof walked[0]; i++) {
    const struct ut_fault_request request = drawn_sets(walked[i].links, walked[i].switches, walked[i].samples);
    struct ut_error e;
    struct bench b;
    uint64_t hash = 0;
    open_bench(&b, walked[i].topology, walked[i].sw, walked[i].routing);
    if (walked[i].kinds)
      make_mistakes(&b.explorer, walked[i].kinds);
    assert_int_equal(ut_fault_space_init(space, &b.topology, &request, &e), 0);
    const uint64_t sets = space->count == 1 ? walked[i].samples : space->count;
    bool ranked = true;
    for (uint64_t index = 0; index < sets && ranked; index++) {
      struct ut_fault_set set;
      ut_fault_space_get(space, index % space->count, &set);
      ut_explorer_set_faults(&b.explorer, &set);
      if (walked[i].kinds) { /* others: what was answered is void */
        mistakes.salt = (unsigned)index;
        ut_certificate_walk_free(&b.walk);
        ut_certificate_walk_init(&b.walk, &b.explorer);
        ut_rank_pool_free(&b.pool);
        assert_true(ut_rank_pool_init(&b.pool, &b.walk));
      }
      assert_true(ut_certificate_walk_run(&b.walk));
      record_text(&hash, b.walk.failure ? b.walk.failure : "");
      record(&hash, b.walk.hops), record(&hash, b.walk.states), record(&hash, b.walk.owns);
      for (uint32_t j = 0; j < b.walk.clauses; j++)
        record(&hash, (uint64_t)b.walk.clause[j].channel << 32 | b.walk.clause[j].candidates);
      if (!b.walk.failure)
        ranked = find_ranks(&hash, &b, index % 3) || walked[i].kinds;
      if (walked[i].kinds || index + 1 == sets)
        record_file(&hash, &b);
    }
    recorded_is(walked[i].topology, hash, walked[i].hash, &differences);
    close_bench(&b);
  }
  free(space);
  assert_int_equal(differences, 0);
}

/* ---- clauses that are drawn */

static const struct {
  const char *topology, *sw, *routing;
  unsigned finds, wide, bad; /* wide: most candidates; bad: of a thousand clauses, those that may lead anywhere */
  uint64_t hash;
} drawn[] = {
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: dor", 300, 3, 3,
     0xd4a54b595634abdd},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: dor", 400, 1, 0,
     0xc863e7977b87099d},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: dor", 300,
     1, 10, 0x3a0c2af74dcfe45f},
    {"kind: torus, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: dor", 300, 3, 0,
     0x6841a25f3954ed20},
    {"kind: torus, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: dor", 400, 1, 2,
     0x3634b5f5731da7c7},
    {"kind: torus, sizes: [6]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 300, 1, 2,
     0x9d9eddb29e04c842},
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
                (!(c->bubble[vc] >> port & 1) && next_of(x, clause->channel) == to);
    }
  return p->every ? all && higher == all : higher;
}

static void ranks_are_as_recorded(void **state) {
  (void)state;
  unsigned differences = 0;
  for (unsigned i = 0; i < sizeof drawn / sizeof drawn[0]; i++) {
    struct bench b;
    struct ut_random random;
    uint64_t hash = 0;
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
      find_ranks(&hash, &b, n % 3);
    }
    record_file(&hash, &b);
    recorded_is(drawn[i].topology, hash, drawn[i].hash, &differences);
    free(order);
    close_bench(&b);
  }
  assert_int_equal(differences, 0);
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_answers),      cmocka_unit_test(far_walks),
                                     cmocka_unit_test(walks_are_as_recorded), cmocka_unit_test(ranks_are_as_recorded),
                                     cmocka_unit_test(opened_ring),           cmocka_unit_test(stays_beside_the_rule)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
