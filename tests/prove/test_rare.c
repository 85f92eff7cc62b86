/* SPDX-License-Identifier: Apache-2.0 */
/* test_rare.c - csim/prove: what it refuses, does not find, or stops before the end, and words that few networks need.
 */
#include <signal.h>
#include <string.h>
#include <sys/time.h>

#include "bubble.h"
#include "certificate.h"
#include "certificate_walk.h"
#include "method_sets.h"
#include "method_walks.h"
#include "mistakes.h"
#include "numbering.h"
#include "packets.h"
#include "prover_bench.h"
#include "route_answers.h"
#include "scenario.h"
#include "scenario_read.h"
#include "topology_build.h"

static const struct ut_fault_set none;

/* A space with that set alone. */
static struct ut_fault_space *only(const struct bench *b, const struct ut_fault_set *set) {
  struct ut_fault_space *space = calloc(1, sizeof *space);
  assert_non_null(space);
  *space = (struct ut_fault_space){.topology = &b->topology, .count = 1, .blocks = 1, .is_fixed = true, .fixed = *set};
  return space;
}

static const char TREE[] = "kind: fat_tree, k: 2, n: 3", GRID[] = "kind: mesh, sizes: [4, 4]",
                  RING[] = "kind: torus, sizes: [5]", ONE_VC[] = "vcs: 1, depth_flits: 4, packet_flits: 2",
                  BLOCKS[] = "vcs: 2, depth_flits: 4, packet_flits: 4, switching: wormhole";

/* ---- what is refused */

static void too_many_terminals(void **state) {
  (void)state;
  for (unsigned more = 0; more < 2; more++) {
    struct ut_explorer x;
    struct ut_topology t;
    struct ut_error e;
    struct ut_scenario *s = test_scenario("topology: {kind: mesh, sizes: [%s]}\nrouting: {algorithm: dor}\n"
                                          "traffic: {load_flits_per_cycle: 0.1}\n",
                                          more ? "129, 128" : "32, 32");
    assert_int_equal(ut_topology_init(&t, s, &e), 0);
    assert_int_equal(ut_explorer_init(&x, s, &t, &e), more ? -1 : 0);
    if (more) {
      struct ut_prover p;
      assert_non_null(strstr(e.text, "16512 terminals are too many for an analysis of every pair, at most 16384"));
      assert_int_equal(ut_prover_init(&p, s, &t, &e), -1);
    } else {
      ut_explorer_free(&x);
    }
    ut_topology_free(&t);
    ut_scenario_free(s);
  }
}

static void first_the_terminals_of_a_switch(void **state) {
  (void)state;
  struct ut_topology t;
  struct ut_prover p;
  struct ut_error e;
  struct ut_scenario *s = test_scenario("topology: {kind: mesh, sizes: [3, 3]}\nswitch: {local_first: true}\n"
                                        "routing: {algorithm: dor}\ntraffic: {load_flits_per_cycle: 0.1}\n");
  assert_int_equal(ut_topology_init(&t, s, &e), 0);
  assert_int_equal(ut_prover_init(&p, s, &t, &e), -1);
  assert_non_null(strstr(e.text, "'switch.local_first': a strict priority can starve other packets"));
  s->sw.local_first = false, s->sw.vcs = 2, s->sw.arbitration = UT_ARBITRATION_PRIORITY;
  assert_int_equal(ut_prover_init(&p, s, &t, &e), -1);
  assert_non_null(strstr(e.text, "'switch.arbitration': a strict priority can starve other packets"));
  const struct ut_parallel alone = {.workers = 1}; /* nor many sets of it */
  struct ut_fault_space *space = calloc(1, sizeof *space);
  struct ut_proof proof;
  *space = (struct ut_fault_space){.topology = &t, .count = 1, .blocks = 1, .is_fixed = true};
  assert_int_equal(ut_prove(s, &t, space, NULL, &alone, &proof, &e), -1);
  assert_null(ut_prove_stale_bits(s, &t, space, &alone, &e));
  free(space);
  ut_topology_free(&t);
  ut_scenario_free(s);
}

/* A scenario that was changed after it was read. */
static void switches_that_cannot_be(void **state) {
  (void)state;
  struct ut_topology t;
  struct ut_explorer x;
  struct ut_error e;
  struct ut_scenario *s = test_scenario("topology: {kind: mesh, sizes: [3, 3]}\nswitch: {vcs: 1, depth_flits: 4, "
                                        "packet_flits: 2}\nrouting: {algorithm: dor}\n"
                                        "traffic: {load_flits_per_cycle: 0.1}\n");
  assert_int_equal(ut_topology_init(&t, s, &e), 0);
  s->sw.depth_flits = 1; /* no space for a packet */
  assert_int_equal(ut_explorer_init(&x, s, &t, &e), -1);
  assert_int_equal(e.code, UT_BAD_INPUT);
  ut_topology_free(&t);
  ut_scenario_free(s);
}

static void sets_without_levels(void **state) {
  (void)state;
  struct bench b;
  struct ut_reach r;
  struct ut_error e;
  open_bench(&b, GRID, ONE_VC, "algorithm: dor");
  assert_int_equal(ut_reach_init(&r, &b.prover.explorer, &e), -1);
  assert_non_null(strstr(e.text, "networks of levels, this one is a mesh"));
  close_bench(&b);
}

/* Every answer is another one: more of them than a row has room for. */
static void as_many_as_there_are(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                                 unsigned in_vc, struct ut_route_result *r) {
  (void)s, (void)in_port, (void)in_vc;
  for (unsigned v = 0; v < g->shape.v; v++)
    r->cand[v] = ut_mask_all(g->k) << g->k;
  r->set = ut_header_dst(header);
}

static void rows_without_room(void **state) {
  (void)state;
  struct bench b;
  open_bench(&b, "kind: fat_tree, k: 4, n: 3", "vcs: 4, depth_flits: 4, packet_flits: 2", "algorithm: fta");
  struct ut_explorer *x = &b.prover.explorer;
  x->group[0].route = as_many_as_there_are;
  assert_null(ut_explorer_row(x, ut_explorer_injection(x, 0, 0, 0), 0, 0));
  assert_true(x->bad_memory);
  close_bench(&b);
}

/* ---- counter-examples */

/* No mistake, no counter-example of it. */
static void nothing_to_show(void **state) {
  (void)state;
  static const struct {
    const char *topology, *sw, *routing;
  } cases[] = {
      {TREE, ONE_VC, "algorithm: fta"},
      {TREE, "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_link"},
      {GRID, ONE_VC, "algorithm: dor"},
      {GRID, BLOCKS, "algorithm: detour"},
      {"kind: torus, sizes: [3, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct bench b;
    open_bench(&b, cases[i].topology, cases[i].sw, cases[i].routing);
    struct ut_fault_space *space = only(&b, &none);
    for (enum ut_failure kind = 0; kind < UT_FAILURE_ROUTE; kind++) {
      struct ut_counter_example c;
      struct ut_error e;
      char text[64];
      if (kind == UT_FAILURE_NUMBERING && b.topology.up_ports && !ut_channels_numbered(&b.prover.explorer))
        continue;
      assert_int_equal(ut_counter_example_find(&c, &b.prover, space, 0, kind, &e), -1);
      assert_int_equal(e.code, UT_INTERNAL);
      snprintf(text, sizeof text, "fault set 0: no %s is found the second time", ut_failure_name[kind]);
      assert_string_equal(e.text, text);
      assert_true(!c.step && !c.steps);
    }
    free(space);
    close_bench(&b);
  }
}

/* Dependencies have a cycle, and no packets can wait for each other. */
static void a_harmless_cycle(void **state) {
  (void)state;
  static const struct ut_fault_set set = {.links = 2, .link = {0, 1}};
  struct ut_counter_example c;
  struct ut_verdict v;
  struct ut_error e;
  struct bench b;
  open_bench(&b, TREE, ONE_VC, "algorithm: reroute_adaptive_link");
  struct ut_fault_space *space = only(&b, &set);
  assert_int_equal(ut_prover_examine(&b.prover, &set, &v, &e), 0);
  assert_true(v.dependency_cycle && v.no_subfunction && !v.failure[UT_FAILURE_CYCLE]);
  assert_int_equal(ut_counter_example_find(&c, &b.prover, space, 0, UT_FAILURE_CYCLE, &e), -1);
  assert_int_equal(e.code, UT_INTERNAL);
  free(space);
  close_bench(&b);
}

/* A search that does not find a packet the first times. */
static bool find_late(void *ctx, uint32_t from, uint32_t to, struct ut_step *step) {
  unsigned *misses = ctx;
  *step = (struct ut_step){.sw = from, .dst = to};
  if (!*misses)
    return true;
  --*misses;
  return false;
}

static void cycles_of_packets(void **state) {
  (void)state;
  static const uint32_t cycle[] = {4, 9, 7};
  for (unsigned misses = 0; misses < 3; misses++) {
    struct ut_counter_example c = {.kind = UT_FAILURE_CYCLE};
    unsigned left = misses;
    assert_int_equal(ut_counter_example_cycle(&c, cycle, 3, find_late, &left), !misses);
    assert_int_equal(c.steps, misses ? 0 : 3);
    for (size_t i = 0; i < c.steps; i++)
      assert_true(c.step[i].sw == cycle[i] && c.step[i].dst == cycle[(i + 1) % 3]);
    ut_counter_example_free(&c);
  }
}

static void stopped(void **state) {
  (void)state;
  static volatile sig_atomic_t stop = 1;
  struct ut_counter_example c;
  struct ut_error e;
  struct bench b;
  open_bench(&b, GRID, ONE_VC, "algorithm: dor");
  struct ut_fault_space *space = only(&b, &none);
  b.prover.stop = &stop;
  assert_int_equal(ut_counter_example_find(&c, &b.prover, space, 0, UT_FAILURE_LOOP, &e), -1);
  assert_int_equal(e.code, UT_INTERRUPTED);
  free(space);
  close_bench(&b);
}

/* ---- pictures */

/* A walk up to the highest level and down again, a U-turn in it, under each title. */
static void draw(const struct bench *b, enum ut_failure kind, char *text, size_t size) {
  struct ut_step step[3] = {{.sw = 0, .dst = 5, .out_port = 2, .leaves = true, .vector = 4},
                            {.sw = 4, .dst = 5, .out_port = 2, .leaves = true, .u_turn = true, .vector = 8},
                            {.sw = 8, .dst = 5, .in_port = 1, .u_turn = true}};
  const struct ut_counter_example c = {.kind = kind, .dst = 5, .step = step, .steps = 3, .set = {1, 1, {3}, {9}}};
  char path[] = "/tmp/uturn-drawing-XXXXXX";
  struct ut_error e;
  const int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  if (ut_counter_example_draw(&c, &b->prover.explorer, path, &e))
    fail_msg("%s", e.text);
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  const size_t read = fread(text, 1, size - 1, f);
  text[read] = 0;
  fclose(f);
  remove(path);
}

static unsigned count(const char *text, const char *word) {
  unsigned times = 0;
  for (; (text = strstr(text, word)); text++)
    times++;
  return times;
}

static void pictures(void **state) {
  (void)state;
  static char text[1 << 18], first[1 << 18];
  struct bench b;
  open_bench(&b, TREE, ONE_VC, "algorithm: reroute_adaptive_link");
  for (enum ut_failure kind = 0; kind <= UT_FAILURES; kind++) {
    draw(&b, kind, text, sizeof text);
    assert_int_equal(count(text, ut_counter_example_title(kind)), 1);
    assert_int_equal(count(text, "from terminal 0 to 5"), kind != UT_FAILURE_CYCLE);
    assert_int_equal(count(text, ", the last hop leads back to hop 1"), kind == UT_FAILURE_LOOP);
    assert_int_equal(count(text, ">no escape channel<"), kind == UT_FAILURE_ESCAPE);
    assert_int_equal(count(text, ">bubble rule<"), kind == UT_FAILURE_BUBBLE);
    assert_int_equal(count(text, "vector "), 1); /* where the packet turns back */
    if (kind == UT_FAILURE_DISCARD)
      memcpy(first, text, sizeof text);
    /* the link of the source is no hop where nothing is said of a packet that comes through it */
    const bool injected = kind != UT_FAILURE_CYCLE && kind != UT_FAILURE_NUMBERING && kind != UT_SEPARATED;
    const unsigned bold = count(text, "stroke-width"), of_walk = count(first, "stroke-width");
    assert_true(injected ? bold == of_walk : bold < of_walk);
  }
  close_bench(&b);
}

/* Where links have one direction, one into the network is named by the switch that it leads to, and the port there. */
static void outages_of_terminals(void **state) {
  (void)state;
  static const char *const cases[] = {"kind: ruft, k: 2, n: 2", "kind: ft_ruft_212, k: 2, n: 2"};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct bench b;
    unsigned found = 0;
    open_bench(&b, cases[i], "vcs: 1", "algorithm: ruft");
    const struct ut_topology *t = &b.topology;
    const uint32_t first = ut_topology_injection(t, 0, 0), links = t->terminals * t->injections;
    for (uint32_t at = 0; at < t->switches * t->pi; at++)
      if (t->feeder[at] != UT_NO_CHANNEL && t->feeder[at] >= first) {
        const struct ut_outage o = ut_outage_of_link(t, (uint32_t)t->links + t->feeder[at] - first);
        assert_true(o.sw == at / t->pi && o.port == at % t->pi && o.channel == t->feeder[at]);
        assert_false(o.both);
        found++;
      }
    assert_int_equal(found, links);
    close_bench(&b);
  }
}

/* ---- numbers of channels */

/* Only those of the deterministic algorithms of REROUTE, with the layers that the paper gives them. */
static void not_numbered(void **state) {
  (void)state;
  static const struct {
    const char *topology, *sw, *routing;
    bool numbered;
  } cases[] = {
      {TREE, ONE_VC, "algorithm: fta", false},
      {TREE, ONE_VC, "algorithm: reroute_det_link", false},
      {TREE, "vcs: 2", "algorithm: reroute_det_link", true},
      {TREE, "vcs: 3", "algorithm: reroute_det_switch", true},
      {TREE, "vcs: 2", "algorithm: reroute_adaptive_switch", false},
      {GRID, ONE_VC, "algorithm: dor", false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct bench b;
    open_bench(&b, cases[i].topology, cases[i].sw, cases[i].routing);
    struct ut_explorer *x = &b.prover.explorer;
    assert_int_equal(ut_channels_numbered(x), cases[i].numbered);
    for (uint32_t c = 0; c < x->channels && !cases[i].numbered && b.topology.up_ports; c++)
      assert_int_equal(ut_channel_number(x, c), -1);
    if (!cases[i].numbered) { /* whatever else has two layers, or algorithms with that number */
      x->layers = 2;
      x->group[0].shape.algorithm = UT_FATTREE_REROUTE_DET_SWITCH;
      x->group[0].shape.route = UT_ROUTE_TORUS;
      assert_false(ut_channels_numbered(x));
    }
    close_bench(&b);
  }
}

/* The smallest arc that does not rise, whatever was in the variables before. */
static void falling_arcs(void **state) {
  (void)state;
  struct bench b;
  struct ut_verdict v;
  struct ut_error e;
  open_bench(&b, GRID, BLOCKS, "algorithm: detour");
  make_mistakes(&b.prover.explorer, ALSO | OTHER_VC);
  assert_int_equal(ut_prover_examine(&b.prover, &none, &v, &e), 0);
  assert_true(v.failure[UT_FAILURE_NUMBERING]);
  uint32_t low[2] = {0, 0}, high[2] = {UINT32_MAX, UINT32_MAX};
  assert_true(ut_find_falling(&b.prover, &low[0], &low[1]));
  assert_true(ut_find_falling(&b.prover, &high[0], &high[1]));
  assert_memory_equal(low, high, sizeof low);
  const int64_t from = ut_escape_number(&b.prover.explorer, low[0]), to = ut_escape_number(&b.prover.explorer, low[1]);
  assert_true(from < 0 || to <= from);
  close_bench(&b);
}

/* ---- walks */

static void arcs_that_are_not_there(void **state) {
  (void)state;
  struct bench b;
  struct ut_verdict v;
  struct ut_error e;
  open_bench(&b, GRID, ONE_VC, "algorithm: dor");
  const struct ut_explorer *x = &b.prover.explorer;
  const struct ut_arcs *all = &ut_by_walks(&b.prover)->rings.all;
  const uint32_t at_1 = ut_channel_behind(x, 0, 0, 0), at_2 = ut_channel_behind(x, 1, 0, 0);
  const struct ut_arcs nothing = {{0}};
  assert_int_equal(ut_arcs_walk(&nothing, at_1, at_2), UINT32_MAX);
  assert_int_equal(ut_prover_examine(&b.prover, &none, &v, &e), 0);
  assert_true(ut_arcs_walk(all, at_1, at_2) < b.topology.terminals);
  assert_int_equal(ut_arcs_walk(all, at_2, at_1), UINT32_MAX);
  close_bench(&b);
}

/* Packets of the caller's own; one that arrives with a header word that nobody has taken. */
static void words_that_are_left(void **state) {
  (void)state;
  struct bench b;
  open_bench(&b, GRID, ONE_VC, "algorithm: dor");
  struct ut_by_walks *own = ut_by_walks(&b.prover);
  struct ut_walk *k = &own->walk;
  for (unsigned words = 1; words < 3; words++) {
    struct ut_packets p;
    assert_true(ut_packet_list_get(&own->packets, 5, &p));
    p.headers = words;
    p.header[1] = p.header[0];
    k->packets = (struct ut_packets){0};
    assert_int_equal(ut_walk_run(k, &p), 0);
    assert_int_equal(k->packets.dst, 5);
    assert_int_equal(k->longest, 4); /* from the far corner */
    for (unsigned fault = 0; fault < UT_WALK_FAULTS; fault++)
      assert_int_equal(k->first[fault] != UT_NO_STATE, fault == UT_WALK_WRONG && words == 2);
  }
  close_bench(&b);
}

/* The last header word stays, even if it says that more of them follow. */
static void the_last_word_stays(void **state) {
  (void)state;
  struct bench b;
  struct ut_packets p;
  open_bench(&b, "kind: torus, k: 4, n: 2", "vcs: 3, depth_flits: 8, packet_flits: 3",
             "algorithm: duato, mechanisms: {intermediate: 1}");
  struct ut_walk *k = &ut_by_walks(&b.prover)->walk;
  assert_true(b.prover.explorer.group[0].form.strips);
  assert_true(ut_packet_list_get(&ut_by_walks(&b.prover)->packets, 5, &p));
  for (unsigned words = 1; words < 3; words++) {
    p.headers = words;
    for (unsigned i = 0; i < words; i++)
      p.header[i] = ut_header_set_rt(p.header[0], (uint32_t)ut_rt_path_make(0, 1, 0, 0, 0, 0, 0));
    assert_int_equal(ut_walk_run(k, &p), 0);
    bool left[3] = {false};
    for (uint32_t i = 0; i < k->places; i++)
      left[k->header[k->place[i].header].words] = true;
    assert_true(left[1] && !left[0] && left[2] == (words == 2));
    assert_true(k->first[UT_WALK_WRONG] == UT_NO_STATE && k->first[UT_WALK_LOOPS] == UT_NO_STATE);
  }
  close_bench(&b);
}

/* States that fill the order to its last place have no room for one more, which is needed. */
static void order_without_room(void **state) {
  (void)state;
  struct bench b;
  struct ut_packets p;
  open_bench(&b, GRID, ONE_VC, "algorithm: dor");
  struct ut_walk *k = &ut_by_walks(&b.prover)->walk;
  assert_true(ut_packet_list_get(&ut_by_walks(&b.prover)->packets, 5, &p));
  assert_int_equal(ut_walk_run(k, &p), 0);
  k->order_room = k->places;
  assert_int_equal(ut_walk_run(k, &p), 0);
  assert_true(k->order_room > k->places);
  close_bench(&b);
}

/* ---- terminals that are told of ways */

static void offers_nothing(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                           unsigned in_vc, struct ut_route_result *r) {
  (void)g, (void)s, (void)header, (void)in_port, (void)in_vc, (void)r;
}

/* No packet leaves its first switch: there are no states but those where they begin. */
static void no_way_at_all(void **state) {
  (void)state;
  struct bench b;
  struct ut_error e;
  struct ut_pair_ways w;
  open_bench(&b, "kind: ruft, k: 2, n: 2", "vcs: 1", "algorithm: ruft");
  b.prover.explorer.group[0].route = offers_nothing;
  struct ut_by_walks *own = ut_by_walks(&b.prover);
  struct ut_walk *k = &own->walk;
  assert_int_equal(ut_pair_ways_init(&w, &b.topology, &e), 0);
  assert_true(ut_packet_list_get(&own->packets, 0, &k->packets));
  assert_int_equal(ut_walk_run(k, &k->packets), 0);
  assert_true(k->places > 1);
  k->packets.sources = 1; /* what the others had is behind the end */
  assert_int_equal(ut_walk_run(k, &k->packets), 0);
  assert_int_equal(k->places, 1);
  assert_true(ut_pair_ways_add(&w, k));
  for (uint32_t i = 0; i < b.topology.terminals * b.topology.injections; i++)
    assert_int_equal(w.graph[k->packets.dst].entry[i], UT_NO_NODE);
  ut_pair_ways_free(&w);
  close_bench(&b);
}

static void told_nothing(void **state) {
  (void)state;
  struct ut_ways_left left;
  struct bench b;
  open_bench(&b, "kind: ft_ruft_212, k: 2, n: 2", "vcs: 1", "algorithm: ruft");
  struct ut_by_walks *own = ut_by_walks(&b.prover);
  const struct ut_topology *t = &b.topology;
  const size_t size = (size_t)t->terminals * t->injections * t->terminals * sizeof *own->packets.ways.choices;
  memset(own->packets.ways.choices, 0, size);
  assert_true(ut_pair_ways_check(&own->ways, &own->packets.ways, b.prover.explorer.works, &left));
  assert_int_equal(left.told, 0);
  assert_int_equal(left.untold, t->terminals * (t->terminals - 1));
  assert_true(left.untold_pair[0] == 1 && left.untold_pair[1] == 0 && left.separated == 0);

  static const struct ut_proof proof;
  char text[1024] = "";
  own->counts = (struct ut_way_counts){{2, 4}, {3, 3}, {1, 2}};
  FILE *f = fmemopen(text, sizeof text, "w");
  b.prover.method->put_text(&b.prover, &proof, f);
  fclose(f);
  assert_non_null(strstr(text,
                         "  ways        2 to 4 of a pair without faults; 3 have no link between switches in common, "
                         "1 to 2 no link at all\n"));
  close_bench(&b);
}

/* ---- bits of re-route vectors */

/* A switch that is dead hands on nothing that it was told before. */
static void dead_switches_tell_nothing(void **state) {
  (void)state;
  struct bench b;
  struct ut_verdict v;
  struct ut_error e;
  open_bench(&b, TREE, "vcs: 2, depth_flits: 4, packet_flits: 2",
             "algorithm: reroute_adaptive_switch, reroute_clear: timer");
  ut_mask stale[16] = {0};
  assert_in_range(b.topology.switches, 1, 16);
  for (uint32_t sw = 0; sw < b.topology.switches; sw++)
    stale[sw] = b.topology.up_ports;
  b.prover.stale = stale;
  const struct ut_fault_set set = {.switches = 1, .sw = {5}};
  assert_int_equal(ut_prover_examine(&b.prover, &set, &v, &e), 0);
  for (uint32_t sw = 0; sw < b.topology.switches; sw++)
    assert_int_equal(b.prover.explorer.shared[sw], sw == 5 ? 0 : b.topology.up_ports);
  close_bench(&b);
}

static void stale_bits_of_many_workers(void **state) {
  (void)state;
  struct bench b;
  struct ut_error e;
  struct ut_fault_space *space = calloc(1, sizeof *space);
  const struct ut_fault_request request = {.links = {1, 1}, .total = {0, 1}, .limit = UINT64_MAX, .seed = 7};
  open_bench(&b, "kind: fat_tree, k: 3, n: 3", "vcs: 1", "algorithm: reroute_adaptive_link");
  assert_int_equal(ut_fault_space_init(space, &b.topology, &request, &e), 0);
  assert_int_equal(space->count, 54);
  ut_mask *bits[2];
  for (unsigned i = 0; i < 2; i++) {
    const struct ut_parallel parallel = {.workers = i ? 4 : 1};
    bits[i] = ut_prove_stale_bits(b.scenario, &b.topology, space, &parallel, &e);
    assert_non_null(bits[i]);
  }
  assert_memory_equal(bits[0], bits[1], b.topology.switches * sizeof *bits[0]);
  free(bits[0]), free(bits[1]), free(space);
  close_bench(&b);
}

/* ---- many fault sets */

static volatile sig_atomic_t alarmed;
static void on_alarm(int number) {
  (void)number;
  alarmed = 1;
}

/* What is known when somebody has had enough counts, no more. */
static void interrupted(void **state) {
  (void)state;
  static const struct itimerval soon = {.it_value = {.tv_usec = 60000}};
  struct ut_topology t;
  struct ut_proof proof;
  struct ut_error e;
  struct ut_scenario *s = test_scenario("topology: {kind: mesh, sizes: [32, 32]}\nrouting: {algorithm: dor}\n"
                                        "traffic: {load_flits_per_cycle: 0.1}\n");
  const struct ut_parallel parallel = {.workers = 1, .stop = &alarmed};
  assert_int_equal(ut_topology_init(&t, s, &e), 0);
  struct ut_fault_space *space = calloc(1, sizeof *space);
  *space = (struct ut_fault_space){.topology = &t, .count = 1, .blocks = 1, .is_fixed = true};
  signal(SIGALRM, on_alarm);
  setitimer(ITIMER_REAL, &soon, NULL);
  assert_int_equal(ut_prove(s, &t, space, NULL, &parallel, &proof, &e), 0);
  assert_true(alarmed);
  assert_int_equal(proof.sets, 0);
  assert_int_equal(proof.connected, 0);
  free(space);
  ut_topology_free(&t);
  ut_scenario_free(s);
}

/* ---- answers of the route function */

static uint64_t asked_header;
static unsigned asked_port, asked_vc;
static void ask(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port, unsigned in_vc,
                struct ut_route_result *r) {
  (void)g, (void)s;
  asked_header = header, asked_port = in_port, asked_vc = in_vc;
  r->cand[0] = 5, r->cand[1] = 8;
}

static void answers(void **state) {
  (void)state;
  struct ut_route_answers a;
  struct ut_route_answer one;
  struct ut_error e;
  struct bench b;
  open_bench(&b, "kind: mesh, sizes: [3, 3]", BLOCKS, "algorithm: detour");
  assert_int_equal(ut_route_answers_init(&a, b.scenario, &b.topology, &e), 0);
  assert_int_equal(ut_route_answers_all(&a, &e), 0);
  const size_t answers = a.answers;
  struct ut_route_answer *before = malloc(answers * sizeof *before);
  memcpy(before, a.answer, answers * sizeof *before);
  assert_int_equal(ut_route_answers_all(&a, &e), 0);
  assert_int_equal(a.answers, answers);
  for (size_t i = 0; i < answers; i++) { /* the same again, and one after the other */
    const struct ut_route_answer *is = &before[i];
    assert_memory_equal(is->cand, a.answer[i].cand, sizeof is->cand);
    ut_route_answers_ask(&a, is->sw, is->in_port, is->in_vc, is->dst, is->rt, &one);
    assert_true(one.sw == is->sw && one.in_port == is->in_port && one.in_vc == is->in_vc && one.dst == is->dst);
    assert_true(one.rt == is->rt && one.injected == is->injected && one.discard == is->discard);
    assert_true(one.rule == is->rule);
    assert_memory_equal(one.cand, is->cand, sizeof one.cand);
    assert_memory_equal(one.escape, is->escape, sizeof one.escape);
  }
  a.explorer.group[0].route = ask;
  for (uint32_t dst = 0; dst < 9; dst++) { /* from a terminal that is another one */
    ut_route_answers_ask(&a, 4, 2, 1, dst, 3, &one);
    assert_true(asked_header == ut_header_make((uint16_t)dst, (uint16_t)((dst + 1) % 9), 0, 3));
    assert_true(asked_port == 2 && asked_vc == 1 && one.sw == 4 && one.dst == dst && one.rt == 3);
    assert_true(one.cand[0] == 5 && one.cand[1] == 8);
  }
  char text[UT_CHANNEL_NAME_SIZE]; /* of the first node: its link to the left is not there */
  assert_string_equal(ut_route_from_name(&a.explorer, 0, 0, 1, text), "-0.2");
  assert_string_equal(ut_route_from_name(&a.explorer, 0, 1, 1, text), "1:1");
  assert_string_equal(ut_route_from_name(&a.explorer, 0, 4, 0, text), "inj");
  free(before);
  ut_route_answers_free(&a);
  close_bench(&b);
}

/* ---- certificates */

static int certify(struct bench *b, struct ut_fault_space *space, const char *path, const struct ut_parallel *parallel,
                   struct ut_error *e) {
  struct ut_certificate_report report;
  const int status = ut_certificate_write(&b->prover, space, path, parallel, &report, e);
  free(space);
  close_bench(b);
  return status;
}

static void certificates_that_are_not_supported(void **state) {
  (void)state;
  static volatile sig_atomic_t stop = 1;
  static const struct ut_parallel alone, at_once = {.stop = &stop};
  static const struct ut_fault_set one_link = {.links = 1, .link = {0}};
  char path[] = "/tmp/uturn-certificate-XXXXXX";
  struct bench b;
  struct ut_error e;
  const int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  remove(path);

  open_bench(&b, TREE, ONE_VC, "algorithm: fta");
  assert_int_equal(certify(&b, only(&b, &one_link), path, &alone, &e), -1);
  assert_non_null(strstr(e.text, "no certificate: fault set 0: a "));
  open_bench(&b, RING, ONE_VC, "algorithm: dor_without_bubble");
  assert_int_equal(certify(&b, only(&b, &none), path, &alone, &e), -1);
  assert_non_null(strstr(e.text, "under fault set 0 channels have no ranks"));
  open_bench(&b, RING, ONE_VC, "algorithm: dor");
  assert_int_equal(certify(&b, only(&b, &none), path, &at_once, &e), 0);
  assert_int_equal(access(path, F_OK), -1); /* not to the end: none */
  open_bench(&b, RING, ONE_VC, "algorithm: dor");
  assert_int_equal(certify(&b, only(&b, &none), "/tmp/uturn-no-such-folder/certificate", &alone, &e), -1);
  open_bench(&b, RING, ONE_VC, "algorithm: dor");
  assert_int_equal(certify(&b, only(&b, &none), path, &alone, &e), 0);
  assert_int_equal(access(path, F_OK), 0);
  remove(path);

  open_bench(&b, RING, ONE_VC, "algorithm: dor"); /* no vector whose bits could stay */
  struct ut_fault_space *space = only(&b, &none);
  space->block[0].exhaustive = true;
  b.prover.explorer.repair = false;
  assert_int_equal(ut_certificate_possible(&b.prover, space, &e), 0);
  free(space);
  close_bench(&b);
}

static void bubbles_anywhere(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                             unsigned in_vc, struct ut_route_result *r) {
  mistakes.real(g, s, header, in_port, in_vc, r);
  for (unsigned v = 0; v < g->shape.v; v++)
    r->bubble[v] = UINT32_MAX;
}

/* The rule is asked of candidates only, and of none where there is no such rule. */
static void bubbles_of_candidates(void **state) {
  (void)state;
  for (unsigned rule = 0; rule < 2; rule++) {
    struct bench b;
    struct ut_view_rows r;
    open_bench(&b, rule ? "kind: torus, sizes: [3, 3]" : "kind: mesh, sizes: [3, 3]", ONE_VC, "algorithm: dor");
    struct ut_explorer *x = &b.prover.explorer;
    assert_int_equal(x->group[0].form.bubble, rule);
    mistakes.real = x->group[0].route;
    x->group[0].route = bubbles_anywhere;
    ut_view_rows_init(&r, x);
    for (uint32_t c = 0; c < x->channels; c++)
      if (ut_explorer_feeder(x, x->channel[c].sw, x->channel[c].port).kind != UT_PEER_NONE)
        assert_true(ut_view_rows_get(&r, c, 0, 0) != UINT32_MAX);
    for (uint32_t i = 0; i < r.sets; i++)
      assert_int_equal(r.candidates[i].bubble[0], rule ? r.candidates[i].cand[0] : 0);
    ut_view_rows_free(&r);
    close_bench(&b);
  }
}

/* Round and round, and every switch is told of it. */
static void round_and_round(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                            unsigned in_vc, struct ut_route_result *r) {
  (void)g, (void)s, (void)header, (void)in_port, (void)in_vc;
  r->cand[0] = ut_bit(0);
  r->set = ut_bit(0);
}

static void too_many_turns(void **state) {
  (void)state;
  for (unsigned nodes = UT_OWN_ITEMS; nodes < UT_OWN_ITEMS + 2; nodes++) {
    struct ut_certificate_walk w;
    struct bench b;
    char sizes[64];
    snprintf(sizes, sizeof sizes, "kind: torus, sizes: [%u]", nodes);
    open_bench(&b, sizes, ONE_VC, "algorithm: dor");
    struct ut_explorer *x = &b.prover.explorer;
    x->group[0].route = round_and_round;
    for (uint32_t sw = 0; sw < nodes; sw++)
      x->neighbour[sw] = ut_bit(0);
    ut_certificate_walk_init(&w, x);
    assert_true(ut_certificate_walk_run(&w));
    assert_string_equal(w.failure,
                        nodes > UT_OWN_ITEMS ? "a packet turns back at too many switches" : "packets go round");
    ut_certificate_walk_free(&w);
    close_bench(&b);
  }
}

/* Of a planned pair of switches there are packets for each terminal. */
static void planned_for_each_terminal(void **state) {
  (void)state;
  struct bench b;
  struct ut_error e;
  struct ut_packet_list l;
  struct ut_packets p;
  bool seen[18] = {false};
  open_bench(&b, "kind: torus, sizes: [3, 3], local_ports: 2", "vcs: 3, depth_flits: 12, packet_flits: 4",
             "algorithm: duato, mechanisms: {intermediate: 1, deterministic: true}");
  assert_int_equal(ut_packet_list_init(&l, b.scenario, &b.topology, &e), 0);
  assert_int_equal(ut_packet_list_plan(&l, &(struct ut_fault_set){.links = 1}, NULL, &e), 0); /* link 0 */
  uint64_t number = b.topology.terminals; /* behind the plain ones */
  for (; ut_packet_list_get(&l, number, &p); number++)
    seen[p.dst] = true;
  assert_true(number > b.topology.terminals);
  for (uint32_t dst = 0; dst < 18; dst += 2)
    assert_int_equal(seen[dst], seen[dst + 1]);
  ut_packet_list_free(&l);
  close_bench(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(too_many_terminals),
      cmocka_unit_test(first_the_terminals_of_a_switch),
      cmocka_unit_test(switches_that_cannot_be),
      cmocka_unit_test(sets_without_levels),
      cmocka_unit_test(rows_without_room),
      cmocka_unit_test(nothing_to_show),
      cmocka_unit_test(a_harmless_cycle),
      cmocka_unit_test(cycles_of_packets),
      cmocka_unit_test(stopped),
      cmocka_unit_test(pictures),
      cmocka_unit_test(outages_of_terminals),
      cmocka_unit_test(not_numbered),
      cmocka_unit_test(falling_arcs),
      cmocka_unit_test(arcs_that_are_not_there),
      cmocka_unit_test(words_that_are_left),
      cmocka_unit_test(the_last_word_stays),
      cmocka_unit_test(order_without_room),
      cmocka_unit_test(no_way_at_all),
      cmocka_unit_test(told_nothing),
      cmocka_unit_test(dead_switches_tell_nothing),
      cmocka_unit_test(stale_bits_of_many_workers),
      cmocka_unit_test(interrupted),
      cmocka_unit_test(answers),
      cmocka_unit_test(certificates_that_are_not_supported),
      cmocka_unit_test(bubbles_of_candidates),
      cmocka_unit_test(too_many_turns),
      cmocka_unit_test(planned_for_each_terminal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
