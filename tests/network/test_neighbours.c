/* test_neighbours.c - csim/network/collective: exchanges with neighbours, against rows and columns */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "topologies.h"
#include "workload.h"

/* Each sends one message to each other one beside it, whatever grid of processes they are: they may be so few that the
 * same one is beside another on both sides. */
static void neighbours_once(void **state) {
  (void)state;
  struct ut_error e;
  const struct ut_scenario s = {
      .sw = {.packet_flits = 4, .flit_bits = 128, .shortest_packet_flits = 1},
      .traffic = {.pattern = UT_NEAREST_NEIGHBOUR, .message_bytes = 8, .repeat = 1, .cycles_per_calc = 1},
  };
  static const unsigned sizes[][2] = {{2, 2}, {2, 3}, {3, 2}, {2, 5}, {3, 3}, {5, 4}};
  static const unsigned trees[][4] = {/* k, n, columns, rows */
                                      {2, 1, 2, 1}, {2, 2, 2, 2}, {2, 3, 4, 2}, {3, 1, 3, 1}, {3, 2, 3, 3},
                                      {2, 4, 4, 4}, {5, 1, 5, 1}, {6, 1, 3, 2}, {12, 1, 4, 3}};
  for (unsigned i = 0; i < 12 + sizeof trees / sizeof *trees; i++) {
    struct ut_topology t;
    struct ut_workload w;
    const bool grid = i < 12, wrap = !grid || i < 6;
    const unsigned *size = grid ? sizes[i % 6] : &trees[i - 12][2];
    unsigned sent[32][32] = {{0}};
    assert_int_equal(grid ? test_grid(&t, size, 2, 1, wrap, &e)
                          : test_fat_tree(&t, trees[i - 12][0], trees[i - 12][1], 0, false, &e),
                     0);
    if (ut_workload_of(&w, &s, &t, &e))
      fail_msg("%s", e.text);
    for (uint32_t j = 0; j < w.tasks; j++)
      sent[w.task[j].terminal][w.task[j].peer] += w.task[j].kind == UT_TASK_SEND;
    for (unsigned a = 0; a < t.terminals; a++)
      for (unsigned b = 0; b < t.terminals; b++) {
        const unsigned x = (b % size[0] + size[0] - a % size[0]) % size[0];
        const unsigned y = (b / size[0] + size[1] - a / size[0]) % size[1];
        const bool row = (x == 1 || x + 1 == size[0]) && (wrap || abs((int)(a % size[0]) - (int)(b % size[0])) == 1);
        const bool column = (y == 1 || y + 1 == size[1]) && (wrap || abs((int)(a / size[0]) - (int)(b / size[0])) == 1);
        assert_int_equal(sent[a][b], a != b && ((row && !y) || (column && !x)));
      }
    ut_workload_free(&w);
    ut_topology_free(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(neighbours_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
