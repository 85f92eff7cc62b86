/* test_level_sizes.c - networks of levels: how large they are before they are built; the longest time of a re-route */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "layout.h"
#include "topologies.h"

/* What a scenario says, also of networks that are too small to be built. */
static void sizes_of_levels(void **state) {
  (void)state;
  static const struct {
    const struct ut_family *family;
    unsigned terminal_links, ports; /* of a switch, for each of k */
  } kinds[] = {{&ut_family_fat_tree, 1, 2},
               {&ut_family_ruft, 1, 1},
               {&ut_family_ruft_pl, 2, 2},
               {&ut_family_ft_ruft_212, 2, 2},
               {&ut_family_ft_ruft_222, 2, 2}};
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
    for (unsigned k = 1; k < 5; k++)
      for (unsigned n = 1; n < 4; n++) {
        const struct ut_scenario s = {.topology = {.family = kinds[i].family, .k = k, .n = n}};
        struct ut_sizes z;
        unsigned terminals = 1;
        for (unsigned j = 0; j < n; j++)
          terminals *= k;
        kinds[i].family->sizes(&s, &z);
        assert_int_equal(z.terminals, terminals);
        assert_int_equal(z.switches, n * (terminals / k));
        assert_int_equal(z.levels, n);
        assert_int_equal(z.ports, kinds[i].ports * k);
        assert_int_equal(z.terminal_links, kinds[i].terminal_links);
      }
}

static void longest_timeout(void **state) {
  (void)state;
  struct ut_topology t;
  struct ut_error e;
  assert_int_equal(test_fat_tree(&t, 3, 2, 65535, true, &e), 0);
  for (uint32_t sw = 0; sw < t.switches; sw++) {
    assert_int_equal(ut_level_strap_timeout(t.straps[sw]), 65535);
    assert_true(ut_level_strap_repair(t.straps[sw]));
  }
  ut_topology_free(&t);
  assert_int_equal(test_fat_tree(&t, 3, 2, 65536, true, &e), -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sizes_of_levels), cmocka_unit_test(longest_timeout)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
