/* SPDX-License-Identifier: Apache-2.0 */
/* test_source_routes.c - csim/control/source_routes: what terminals know, and when */
#include "source_routes.h"

#include "family.h"
#include "scenario_read.h"
#include "scenarios.h"
#include "topology_build.h"

static struct ut_scenario *scenario(const char *kind, unsigned k, unsigned n, const char *format, ...) {
  char rest[1536];
  va_list args;
  va_start(args, format);
  vsnprintf(rest, sizeof rest, format, args);
  va_end(args);
  return test_scenario("topology: {kind: %s, k: %u, n: %u}\nrouting: {algorithm: ruft%s", kind, k, n, rest);
}

static void guide_tells_one_terminal_after_the_other(void **state) {
  (void)state;
  static const unsigned times[][2] = {{0, 0}, {0, 1}, {50, 0}, {40, 3}, {7, 10}};
  for (unsigned i = 0; i < 2 * (sizeof times / sizeof times[0]); i++) {
    const uint64_t delay = times[i / 2][0], pace = times[i / 2][1];
    const bool always = i % 2; /* looked at in every cycle, or only when it asks for it */
    struct ut_scenario *s = scenario("ft_ruft_212", 2, 3,
                                     "}\n"
                                     "traffic: {load_flits_per_cycle: 0.1}\n"
                                     "faults:\n"
                                     "  - {at: 0, ejection: {terminal: 7, link: 0}}\n"
                                     "  - {at: 100, until: 101, ejection: {terminal: 6, link: 0}}\n"
                                     "  - {at: 100, ejection: {terminal: 5, link: 1}}\n"
                                     "  - {at: 1000, injection: {terminal: 2, link: 1}}\n"
                                     "  - {at: 1003, until: 3000, switch: {level: 2, switch: 0}}\n");
    struct ut_topology t;
    struct ut_faults f;
    struct ut_source_routes g;
    struct ut_error e;
    assert_int_equal(ut_topology_init(&t, s, &e), 0);
    assert_int_equal(ut_faults_init(&f, s, &t, &e), 0);
    assert_true(ut_source_routes_init(&g, &t, delay, pace));
    while (ut_faults_next(&f, 0))
      ;
    ut_source_routes_begin(&g, &f);
    /* a round is over when the last of 8 terminals has heard; what happens meanwhile begins in the cycle after */
    const uint64_t length = delay + 8 * pace + 1, second = 100 + (length > 1 ? length : 1), fourth = 1000 + length;
    const uint64_t after_1003 = fourth > 1003 ? fourth : 1003;
    for (uint64_t c = 1; c < 4000; c++) {
      while (ut_faults_next(&f, c))
        ut_source_routes_tell(&g, c);
      if (always || g.next_cycle <= c)
        ut_source_routes_step(&g, &f, c);
      for (uint32_t src = 0; src < 8; src++) {
        const uint64_t heard = delay + (src + 1) * pace; /* after the round has begun */
        assert_int_equal(ut_source_routes_choices(&g, src, 0, 7, c), 2);
        /* the fault of one cycle is in the survey of cycle 100, and gone from the next one */
        const bool brief = c >= 100 + heard && c < second + heard;
        if (src != 2)
          assert_int_equal(ut_source_routes_choices(&g, src, 1, 6, c), brief ? 2 : 3);
        assert_int_equal(ut_source_routes_choices(&g, src, 0, 5, c) & 2, c >= 100 + heard ? 0 : 2);
        if (src == 2)
          assert_int_equal(ut_source_routes_choices(&g, src, 1, 3, c), c >= 1000 + heard ? 0 : 3);
        /* node 0 receives from switch 8 by its first link */
        const bool failed = c >= after_1003 + heard && c < 3000 + heard;
        assert_int_equal(ut_source_routes_choices(&g, src, 0, 0, c), failed ? 2 : 3);
      }
    }
    ut_source_routes_fini(&g);
    ut_faults_free(&f);
    ut_topology_free(&t);
    ut_scenario_free(s);
  }
}

enum { MOST_CHANNELS = 4096 };

static void survey(const struct ut_faults *f, uint64_t up[MOST_CHANNELS / 64]) {
  assert_in_range(f->topology->channels, 1, MOST_CHANNELS);
  memset(up, 0, MOST_CHANNELS / 8);
  for (uint32_t c = 0; c < f->topology->channels; c++)
    up[c / 64] |= (uint64_t)ut_faults_channel_up(f, c) << c % 64;
}

/* What is known before is not disturbed by what is told, also where channels fill many words: in each round first the
 * one and then the other is in the first half of the memory. */
static void guide_keeps_what_is_known(void **state) {
  (void)state;
  enum { DELAY = 4, PACE = 3 };
  static const struct {
    const char *kind;
    unsigned k, n;
  } networks[] = {{"ruft", 2, 3},    {"ft_ruft_212", 4, 2}, {"ft_ruft_222", 2, 4},
                  {"ruft_pl", 2, 3}, {"ft_ruft_222", 4, 2}, {"ft_ruft_222", 8, 3}};
  for (unsigned i = 0; i < sizeof networks / sizeof *networks; i++) {
    const unsigned k = networks[i].k, n = networks[i].n, last = n == 3 ? k * k * k - 1 : k * k - 1;
    struct ut_scenario *s = scenario(networks[i].kind, k, n,
                                     "}\n"
                                     "traffic: {load_flits_per_cycle: 0.1}\n"
                                     "faults:\n"
                                     "  - {at: 0, until: 10000, random_links: 2}\n"
                                     "  - {at: 0, until: 20000, injection: {terminal: %u}}\n"
                                     "  - {at: 20000, random_terminal_links: 3}\n"
                                     "  - {at: 30000, until: 40000, random_links: 1}\n",
                                     last);
    struct ut_topology t;
    struct ut_faults f;
    struct ut_source_routes g;
    struct ut_error e;
    uint64_t known[2][MOST_CHANNELS / 64];
    assert_int_equal(ut_topology_init(&t, s, &e), 0);
    assert_int_equal(ut_faults_init(&f, s, &t, &e), 0);
    assert_true(ut_source_routes_init(&g, &t, DELAY, PACE));
    while (ut_faults_next(&f, 0))
      ;
    ut_source_routes_begin(&g, &f);
    survey(&f, known[0]);
    for (uint64_t begin = 10000; begin < 50000; begin += 10000) {
      memcpy(known[1], known[0], sizeof known[0]);
      while (ut_faults_next(&f, begin))
        ut_source_routes_tell(&g, begin);
      survey(&f, known[0]);
      for (uint64_t c = begin; c < begin + DELAY + (t.terminals + 2) * PACE; c += 1 + t.terminals / 16) {
        if (g.next_cycle <= c)
          ut_source_routes_step(&g, &f, c);
        for (uint32_t src = t.terminals - 1; src < t.terminals; src -= 1 + (uint32_t)c % 7)
          for (unsigned link = 0; link < t.injections; link++) {
            const uint32_t dst = (uint32_t)(c * 5 + src * 3) % t.terminals;
            const bool heard = c >= begin + DELAY + (src + 1) * PACE;
            assert_int_equal(ut_source_routes_choices(&g, src, link, dst, c),
                             t.family->choices(&t, known[!heard], src, link, dst));
          }
      }
    }
    ut_source_routes_fini(&g);
    ut_faults_free(&f);
    ut_topology_free(&t);
    ut_scenario_free(s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(guide_tells_one_terminal_after_the_other),
      cmocka_unit_test(guide_keeps_what_is_known),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
