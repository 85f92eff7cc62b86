/* SPDX-License-Identifier: Apache-2.0 */
/* test_explorer.c - csim/prove: what an explorer asks, which algorithms have numbers of channels, and what is found of
 * dependencies and pairs that are put there by hand. */
#include "counter_example.h"
#include "method_sets.h"
#include "method_walks.h"
#include "mistakes.h"
#include "node_states.h"
#include "numbering.h"
#include "pair_ways.h"
#include "prover_bench.h"

/* ---- questions */

static uint64_t asked;
static void ask(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port, unsigned in_vc,
                struct ut_route_result *r) {
  (void)g, (void)s, (void)in_port, (void)in_vc, (void)r;
  asked = header;
}

/* A packet from a terminal that is another one. */
static void questions(void **state) {
  (void)state;
  struct bench b;
  struct ut_route_result r;
  open_bench(&b, "kind: fat_tree, k: 2, n: 3", "vcs: 1", "algorithm: fta");
  b.prover.explorer.group[0].route = ask;
  for (uint32_t dst = 0; dst < 8; dst++) {
    ut_explorer_ask(&b.prover.explorer, 3, dst, 5, 0, &r);
    assert_true(asked == ut_header_make((uint16_t)dst, (uint16_t)((dst + 1) % 8), 0, 5));
  }
  close_bench(&b);
}

/* ---- numbers of channels */

/* Algorithms and layers, all that there could be. */
static void numbered_algorithms(void **state) {
  (void)state;
  struct bench b;
  open_bench(&b, "kind: fat_tree, k: 2, n: 3", "vcs: 2", "algorithm: reroute_det_link");
  struct ut_explorer *x = &b.prover.explorer;
  struct ut_shape *shape = &x->group[0].shape;
  for (unsigned route = 0; route < 8; route++)
    for (unsigned algorithm = 0; algorithm < 16; algorithm++)
      for (x->layers = 1; x->layers < 4; x->layers++) {
        const bool tree = route == UT_ROUTE_FATTREE, table = route == UT_ROUTE_TABLE;
        const bool links = (tree && algorithm == UT_FATTREE_REROUTE_DET_LINK) ||
                           (table && algorithm == UT_TABLE_TABLE_REROUTE_DET_LINK);
        shape->route = route, shape->algorithm = algorithm;
        assert_int_equal(ut_channels_numbered(x),
                         (links && x->layers == 2) || (tree && algorithm == UT_FATTREE_REROUTE_DET_SWITCH));
      }
  close_bench(&b);
}

/* A dependency alone, wherever the table has it. */
static void one_falling_arc(void **state) {
  (void)state;
  struct bench b;
  open_bench(&b, "kind: mesh, sizes: [4, 4]", "vcs: 2, depth_flits: 4, packet_flits: 4, switching: wormhole",
             "algorithm: detour");
  const struct ut_explorer *x = &b.prover.explorer;
  struct ut_hash *arcs = &ut_by_walks(&b.prover)->rings.extended.hash;
  unsigned falling = 0;
  for (uint32_t from = 0; from < x->channels; from++)
    for (uint32_t to = 0; to < x->channels; to++) {
      const int64_t first = ut_escape_number(x, from), second = ut_escape_number(x, to);
      const bool falls = first < 0 || second <= first;
      uint32_t found[2] = {0, 0};
      bool fresh;
      ut_hash_clear(arcs);
      assert_non_null(ut_hash_at(arcs, (uint64_t)from << 32 | to, &fresh));
      assert_int_equal(ut_find_falling(&b.prover, &found[0], &found[1]), falls);
      assert_true(!falls || (found[0] == from && found[1] == to));
      falling += falls;
    }
  assert_true(falling > 64 * arcs->size); /* each place, the first one too */
  close_bench(&b);
}

/* Detours along dimension 0 of a 4x4 mesh, at node (1, 1): a block beside it, or across a corner of it, that reaches
 * the right border or does not.  `with`: the direction along dimension 1 in which packets come into this row. */
static void numbers_along_0(void **state) {
  (void)state;
  struct bench b;
  open_bench(&b, "kind: mesh, sizes: [4, 4]", "vcs: 2, depth_flits: 4, packet_flits: 4, switching: wormhole",
             "algorithm: detour");
  const struct ut_explorer *x = &b.prover.explorer;
  const struct ut_group *g = ut_explorer_group(x, 5);
  struct ut_node_states *n = ut_node_states_of(g, ut_switch_of(g, 5)), fresh = *n;
  for (unsigned port = 0; port < 2; port++)
    for (unsigned side = 0; side < 2; side++)
      for (unsigned said = 0; said < 16; said++)
        for (unsigned beside = 0; beside < 2; beside++) {
          *n = fresh;
          n->bad = beside ? ut_bit(2 + side) : 0;
          n->diagonal = beside ? 0 : 1u << ut_diagonal(port, 2 + side);
          n->border = beside ? said & 3 : 3 & ~said;
          n->corner = (uint8_t)(beside ? ~said : said);
          const unsigned of_block = beside ? said & 3 : port ? said / 4 : said % 4;
          const unsigned begins = of_block >> side & 1, with = port == begins ? side : 1 - side;
          const int64_t row = with ? 4 + 3 : 4 + 1, along = port ? 2 : 1;
          assert_int_equal(ut_escape_number(x, ut_channel_behind(x, 5, port, 1)), 8192 + 4096 * (row - 1) + 1 + along);
        }
  close_bench(&b);
}

/* The number of a detour in a hypercube: below that of the first dimension that is blocked, if it is a lower one. */
static void numbers_in_cubes(void **state) {
  (void)state;
  struct bench b;
  open_bench(&b, "kind: hypercube, n: 4", "vcs: 2, depth_flits: 4, packet_flits: 4, switching: wormhole",
             "algorithm: detour");
  const struct ut_explorer *x = &b.prover.explorer;
  for (uint32_t sw = 0; sw < 16; sw++) {
    const struct ut_group *g = ut_explorer_group(x, sw);
    for (ut_mask bad = 0; bad < 16; bad++)
      for (unsigned d = 0; d < 4; d++) {
        int64_t detour = -1;
        ut_node_states_of(g, ut_switch_of(g, sw))->bad = bad;
        for (unsigned i = d; i-- > 0;)
          detour = bad >> i & 1 ? 8192 + 4096 * ((int64_t)i - 1) + 1 + d : detour;
        assert_int_equal(ut_escape_number(x, ut_channel_behind(x, sw, d, 0)), 8192 + 4096 * d);
        assert_int_equal(ut_escape_number(x, ut_channel_behind(x, sw, d, 1)), detour);
      }
    ut_node_states_of(g, ut_switch_of(g, sw))->bad = 0;
  }
  close_bench(&b);
}

/* A mesh with numbers that the test computes from coordinates: figure 1, and detours in a higher dimension. */
struct grid {
  struct bench bench;
  unsigned dimensions, size[3];
};

static unsigned place_in(const struct grid *m, uint32_t sw, unsigned d) {
  for (unsigned i = 0; i < d; i++)
    sw /= m->size[i];
  return sw % m->size[d];
}

static ut_mask *bad_of(const struct grid *m, uint32_t sw) {
  const struct ut_group *g = ut_explorer_group(&m->bench.prover.explorer, sw);
  return &ut_node_states_of(g, ut_switch_of(g, sw))->bad;
}

/* The node behind that port; false: there is none. */
static bool go(const struct grid *m, uint32_t *sw, unsigned port) {
  uint32_t stride = 1;
  for (unsigned i = 0; i < port / 2; i++)
    stride *= m->size[i];
  if (place_in(m, *sw, port / 2) == (port & 1 ? 0 : m->size[port / 2] - 1))
    return false;
  *sw = port & 1 ? *sw - stride : *sw + stride;
  return true;
}

static int64_t of_figure_1(const struct grid *m, uint32_t sw, unsigned port) {
  const unsigned d = port / 2, at = place_in(m, sw, d);
  int64_t number = port & 1 ? m->size[d] - at : at;
  for (unsigned i = 0; i < d; i++)
    number += m->size[i];
  return 8192 + 4096 * number;
}

static int64_t detour_in_mesh(const struct grid *m, uint32_t sw, unsigned port) {
  for (unsigned bad = 0; bad < port / 2 * 2; bad++) {
    const unsigned d = port / 2, at = place_in(m, sw, d);
    int64_t number = of_figure_1(m, sw, bad) - 4096 + 1 + (port & 1 ? m->size[d] - 1 - at : at);
    if (!(*bad_of(m, sw) >> bad & 1))
      continue;
    bool border = false;
    for (uint32_t i = sw; *bad_of(m, i) >> bad & 1 && !border;)
      border = !go(m, &i, port ^ 1);
    return number + 256 * (2 * (int64_t)(d - bad / 2 - 1) + border);
  }
  return -1;
}

static void numbers_in_meshes(void **state) {
  (void)state;
  static const char *const kinds[] = {"kind: mesh, sizes: [4, 5]", "kind: mesh, sizes: [3, 4, 3]"};
  unsigned detours = 0, at_border = 0;
  for (unsigned i = 0; i < 2; i++) {
    struct grid m = {.dimensions = 2 + i, .size = {4 - i, 5 - i, 3}};
    open_bench(&m.bench, kinds[i], "vcs: 2, depth_flits: 4, packet_flits: 4, switching: wormhole", "algorithm: detour");
    const struct ut_explorer *x = &m.bench.prover.explorer;
    for (uint64_t salt = 0; salt < 200; salt++) {
      for (uint32_t sw = 0; sw < m.bench.topology.switches; sw++) { /* more or less of them */
        *bad_of(&m, sw) = ut_hash_mix(1000 * salt + sw) & ut_mask_all(2 * m.dimensions);
        if (salt % 2)
          *bad_of(&m, sw) &= ut_hash_mix(1000 * salt + sw + 500);
      }
      for (uint32_t sw = 0; sw < m.bench.topology.switches; sw++)
        for (unsigned port = 0; port < 2 * m.dimensions; port++) {
          uint32_t to = sw;
          if (!go(&m, &to, port))
            continue;
          assert_int_equal(ut_escape_number(x, ut_channel_behind(x, sw, port, 0)), of_figure_1(&m, sw, port));
          if (port < 2)
            continue;
          const int64_t detour = detour_in_mesh(&m, sw, port);
          assert_int_equal(ut_escape_number(x, ut_channel_behind(x, sw, port, 1)), detour);
          detours += detour >= 0, at_border += detour >= 0 && (detour - 1) % 512 >= 256;
        }
    }
    close_bench(&m.bench);
  }
  assert_true(at_border > 4000 && detours > at_border + 4000);
}

/* Out of unsafe nodes, into them, and between them, whatever else is known. */
static void numbers_of_unsafe_nodes(void **state) {
  (void)state;
  static const char *const kinds[] = {"kind: mesh, sizes: [3, 3]", "kind: hypercube, n: 3"};
  for (unsigned i = 0; i < 2; i++) {
    struct bench b;
    open_bench(&b, kinds[i], "vcs: 2, depth_flits: 4, packet_flits: 4, switching: wormhole", "algorithm: detour");
    const struct ut_explorer *x = &b.prover.explorer;
    for (uint32_t c = 0; c < x->channels; c++) {
      const struct ut_peer from = ut_explorer_feeder(x, x->channel[c].sw, x->channel[c].port);
      const int64_t plain = ut_escape_number(x, c), expected[] = {plain, 0, INT64_MAX, -1};
      for (unsigned unsafe = 0; from.kind == UT_PEER_SWITCH && unsafe < 4; unsafe++) {
        const struct ut_group *g = ut_explorer_group(x, 0);
        ut_node_states_of(g, ut_switch_of(g, from.index))->unsafe = unsafe & 1;
        ut_node_states_of(g, ut_switch_of(g, x->channel[c].sw))->unsafe = unsafe >> 1;
        assert_int_equal(ut_escape_number(x, c), expected[unsafe]);
      }
      if (from.kind != UT_PEER_SWITCH) {
        assert_int_equal(plain, -1);
        continue;
      }
      const struct ut_group *g = ut_explorer_group(x, 0);
      ut_node_states_of(g, ut_switch_of(g, from.index))->unsafe = false;
      ut_node_states_of(g, ut_switch_of(g, x->channel[c].sw))->unsafe = false;
    }
    close_bench(&b);
  }
}

/* Numbers for escape channels are those of DETOUR, and of nobody else who knows states of nodes. */
static void numbered_escapes(void **state) {
  (void)state;
  struct bench b;
  open_bench(&b, "kind: mesh, sizes: [4, 4]", "vcs: 2, depth_flits: 4, packet_flits: 4, switching: wormhole",
             "algorithm: detour");
  struct ut_explorer *x = &b.prover.explorer;
  for (unsigned states = 0; states < 2; states++)
    for (unsigned route = 0; route < 16; route++) {
      x->group[0].shape.route = route, x->group[0].form.states = states;
      assert_int_equal(ut_escapes_numbered(x),
                       states && (route == UT_ROUTE_DETOUR_CUBE || route == UT_ROUTE_DETOUR_MESH));
    }
  x->group[0].form.states = true;
  close_bench(&b);
}

/* ---- nodes */

/* A node between three that have failed has one good neighbour: it works, and nobody sends to it. */
static void between_three(void **state) {
  (void)state;
  static const struct ut_fault_set set = {.switches = 3, .sw = {11, 13, 7}};
  struct bench b;
  open_bench(&b, "kind: mesh, sizes: [5, 5]", "vcs: 2, depth_flits: 4, packet_flits: 4, switching: wormhole",
             "algorithm: detour");
  struct ut_explorer *x = &b.prover.explorer;
  ut_explorer_set_faults(x, &set);
  assert_false(x->dead[12] || ut_explorer_serves(x, 12));
  assert_true(ut_explorer_serves(x, 0) && ut_explorer_serves(x, 24));
  for (unsigned i = 0; i < set.switches; i++) { /* who has failed learns nothing of its neighbours */
    const struct ut_group *g = ut_explorer_group(x, set.sw[i]);
    assert_true(x->dead[set.sw[i]] && !ut_explorer_serves(x, set.sw[i]));
    assert_int_equal(ut_node_states_of(g, ut_switch_of(g, set.sw[i]))->bad, 0);
  }
  ut_explorer_set_faults(x, &(struct ut_fault_set){0});
  for (uint32_t sw = 0; sw < 25; sw++)
    assert_true(ut_explorer_serves(x, sw));
  close_bench(&b);
}

/* ---- pairs */

/* Some pair has a path, and no route could be planned for it: the example names its terminals. */
static void pairs_without_a_route(void **state) {
  (void)state;
  struct bench b;
  unsigned seen = 0;
  open_bench(&b, "kind: torus, sizes: [3, 3], local_ports: 2", "vcs: 3, depth_flits: 12, packet_flits: 4",
             "algorithm: duato, mechanisms: {deterministic: true}");
  const struct ut_by_walks *own = ut_by_walks(&b.prover);
  for (uint64_t salt = 0; salt < 64; salt++) {
    struct ut_fault_space space = {.topology = &b.topology, .count = 1, .blocks = 1, .is_fixed = true};
    struct ut_counter_example c;
    struct ut_verdict v;
    struct ut_error e;
    space.fixed.links = 4;
    for (unsigned i = 0; i < 4; i++)
      space.fixed.link[i] = (uint32_t)(ut_hash_mix(8 * salt + i) % (uint64_t)b.topology.links);
    assert_int_equal(ut_prover_examine(&b.prover, &space.fixed, &v, &e), 0);
    if (!v.failure[UT_FAILURE_ROUTE])
      continue;
    assert_int_equal(ut_counter_example_find(&c, &b.prover, &space, 0, UT_FAILURE_ROUTE, &e), 0);
    assert_int_equal(c.steps, 0);
    assert_true(c.src != c.dst && c.src % 2 == 0 && c.dst % 2 == 0);
    const struct ut_path *path = ut_paths_find(own->packets.paths, c.src, c.dst);
    assert_true(path && !path->headers);
    seen |= 1u << c.src / 2;
    ut_counter_example_free(&c);
  }
  assert_true(seen & ~3u); /* not only the first ones */
  close_bench(&b);
}

/* Where there is no way, there are none that are apart. */
static void no_ways(void **state) {
  (void)state;
  struct bench b;
  struct ut_pair_ways w;
  struct ut_way_counts c;
  struct ut_error e;
  open_bench(&b, "kind: ft_ruft_212, k: 2, n: 2", "vcs: 1", "algorithm: ruft");
  assert_int_equal(ut_pair_ways_init(&w, &b.topology, &e), 0);
  assert_true(ut_pair_ways_count(&w, &c));
  const struct ut_way_range *range[] = {&c.all, &c.apart_between_switches, &c.apart};
  for (unsigned i = 0; i < 3; i++)
    assert_true(range[i]->least == 0 && range[i]->most == 0);
  ut_pair_ways_free(&w);
  close_bench(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(questions),
      cmocka_unit_test(numbered_algorithms),
      cmocka_unit_test(one_falling_arc),
      cmocka_unit_test(numbers_along_0),
      cmocka_unit_test(numbers_in_cubes),
      cmocka_unit_test(numbers_in_meshes),
      cmocka_unit_test(numbers_of_unsafe_nodes),
      cmocka_unit_test(numbered_escapes),
      cmocka_unit_test(between_three),
      cmocka_unit_test(pairs_without_a_route),
      cmocka_unit_test(no_ways),
  };
  return cmocka_run_group_tests_name("explorer", tests, NULL, NULL);
}
