/* SPDX-License-Identifier: Apache-2.0 */
/* test_grid_position.c - csim/switch/grid_position: shapes of grids that are refused, and the minimal directions, ports
 * with links and ports of terminals of every node, against distances that are counted. */
#include "bench.h"
#include "grid_position.h"

static struct ut_shape grid(bool wrap, const unsigned *size, unsigned dimensions, unsigned terminals, unsigned links) {
  struct ut_shape p = {.v = 1,
                       .depth = 8,
                       .w = 64,
                       .max_packet = 4,
                       .min_packet = 4,
                       .route = wrap ? UT_ROUTE_TORUS : UT_ROUTE_MESH,
                       .algorithm = wrap ? UT_TORUS_DOR : UT_MESH_DOR,
                       .alloc_cycles = 1,
                       .escapes = 1,
                       .links = links,
                       .vin1_vcs = 1};
  p.pi = p.po = 2 * dimensions + terminals * links;
  for (unsigned d = 0; d < dimensions; d++)
    p.size[d] = size[d];
  return p;
}

/* Hops from coordinate a to b. */
static unsigned distance(unsigned a, unsigned b, unsigned size, bool wrap) {
  const unsigned ahead = b > a ? b - a : a - b;
  return wrap && size - ahead < ahead ? size - ahead : ahead;
}

static void directions_shorten_the_way(void **state) {
  (void)state;
  const struct {
    unsigned size[UT_MAX_DIMENSIONS], dimensions, terminals, links;
  } network[] = {{{7}, 1, 1, 1},       {{2}, 1, 3, 2},          {{5, 4}, 2, 2, 1},
                 {{3, 2, 4}, 3, 1, 2}, {{2, 3, 2, 4}, 4, 3, 2}, {{256}, 1, 1, 1}};
  for (unsigned n = 0; n < 2 * sizeof network / sizeof network[0]; n++) {
    const bool wrap = n % 2;
    const unsigned *size = network[n / 2].size, dimensions = network[n / 2].dimensions;
    const unsigned terminals = network[n / 2].terminals, links = network[n / 2].links;
    const struct ut_shape p = grid(wrap, size, dimensions, terminals, links);
    struct ut_group g;
    unsigned nodes = 1;
    for (unsigned d = 0; d < dimensions; d++)
      nodes *= size[d];
    assert_null(ut_shape_rule(&p));
    assert_true(ut_group_init(&g, &p, 0, 1));
    for (unsigned here = 0; here < nodes; here++) {
      struct ut_switch *s = ut_switch_of(&g, 0);
      unsigned at[UT_MAX_DIMENSIONS] = {0}, rest = here;
      ut_mask linked = 0;
      for (unsigned d = 0; d < dimensions; rest /= size[d++]) {
        at[d] = rest % size[d];
        linked |= (ut_mask)(wrap || at[d] < size[d] - 1) << 2 * d | (ut_mask)(wrap || at[d]) << (2 * d + 1);
      }
      ut_grid_strap(&g, s, ut_grid_strap_make((uint8_t)at[0], (uint8_t)at[1], (uint8_t)at[2], (uint8_t)at[3]));
      assert_int_equal(ut_grid_links(&p, s->place, wrap), linked);
      for (unsigned to = 0; to < nodes * terminals; to++) {
        ut_mask minimal = 0;
        rest = to / terminals;
        for (unsigned d = 0; d < dimensions; rest /= size[d++]) {
          const unsigned there = rest % size[d], now = distance(at[d], there, size[d], wrap);
          for (unsigned back = 0; back < 2; back++) {
            const unsigned next = (at[d] + (back ? size[d] - 1 : 1)) % size[d];
            if (linked >> (2 * d + back) & 1 && distance(next, there, size[d], wrap) < now)
              minimal |= ut_bit(2 * d + back);
          }
        }
        assert_int_equal(ut_grid_minimal(&g, s, &g.place[to]), minimal);
        assert_int_equal(ut_grid_exits(&g, &g.place[to]), ut_mask_all(links)
                                                              << (2 * dimensions + to % terminals * links));
      }
    }
    ut_group_fini(&g);
  }
}

static void grids_that_are_refused(void **state) {
  (void)state;
  const char *sizes = "sizes_must_be_2_to_256", *none = "grid_needs_sizes_of_its_dimensions";
  const char *ports = "torus_needs_two_ports_a_dimension_and_local_ones";
  const char *local = "local_ports_must_be_all_links_of_terminals";
  const struct {
    unsigned size[UT_MAX_DIMENSIONS], pi, po, links;
    const char *rule;
  } shape[] = {
      {{2}, 3, 3, 1, NULL},          {{256, 2}, 5, 5, 1, NULL},      {{3, 3, 3, 3}, 32, 32, 8, NULL},
      {{1}, 3, 3, 1, sizes},         {{257}, 3, 3, 1, sizes},        {{4, 1}, 5, 5, 1, sizes},
      {{4, 4, 257}, 7, 7, 1, sizes}, {{2, 2, 2, 1}, 9, 9, 1, sizes}, {{0}, 5, 5, 1, none},
      {{0, 4}, 5, 5, 1, none},       {{4, 0, 4}, 7, 7, 1, none},     {{4, 4, 0, 4}, 9, 9, 1, none},
      {{0, 4, 4}, 7, 7, 1, none},    {{4}, 2, 2, 1, ports},          {{4, 4}, 4, 4, 1, ports},
      {{4, 4}, 5, 6, 1, ports},      {{4, 4}, 6, 5, 1, ports},       {{4, 4}, 65, 65, 1, ports},
      {{4, 4}, 5, 5, 2, local},      {{4, 4}, 7, 7, 2, local},       {{4, 4}, 8, 8, 3, local},
      {{4, 4}, 7, 7, 3, NULL},       {{4, 4}, 8, 8, 2, NULL},
  };
  for (unsigned i = 0; i < sizeof shape / sizeof shape[0]; i++)
    for (unsigned wrap = 0; wrap < 2; wrap++) {
      struct ut_shape p = grid(wrap, shape[i].size, UT_MAX_DIMENSIONS, 1, shape[i].links);
      p.pi = shape[i].pi, p.po = shape[i].po;
      const char *rule = ut_grid_rule(&p);
      if (shape[i].rule)
        assert_string_equal(rule, shape[i].rule);
      else
        assert_null(rule);
      if (p.po <= UT_MAX_PORTS) /* what the rule of the family says */
        assert_ptr_equal(ut_shape_rule(&p), rule);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(directions_shorten_the_way),
      cmocka_unit_test(grids_that_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
