/* SPDX-License-Identifier: Apache-2.0 */
/* test_elaborate.c - the golden switch compiled for its shape: the same registers in every cycle as without, and how it
 * comes into the cache.
 *
 * Needs a C compiler.  About twenty small builds: half a minute.
 */
#define _GNU_SOURCE
#include "elaborator.h"

#include <signal.h>
#include <sys/wait.h>

#include "cache_fixture.h"
#include "elaborate.h"
#include "planned_routes.h"
#include "registers_equal.h"
#include "scenario_read.h"
#include "scenarios.h"
#include "share.h"
#include "topology_build.h"

static struct ut_error error;
static char gcc_only[PATH_MAX / 2]; /* a folder with this compiler only, if there is one */

/* ---- helpers */

static int start(void **state) {
  (void)state;
  if (cache_fixture_start())
    return -1;
  snprintf(gcc_only, sizeof gcc_only, "%s/gcc", base);
  const bool clang = compiler_stand_in("bin", "clang"), gcc = compiler_stand_in("bin", "gcc");
  return clang || gcc ? -(gcc && !compiler_stand_in("gcc", "gcc")) : -1;
}

static int fresh(void **state) {
  (void)state;
  cache_fixture_fresh();
  memset(&error, 0, sizeof error);
  return 0;
}

/* A shape of its own for each depth. */
static struct ut_scenario *small(unsigned depth, uint64_t cycles) {
  return test_scenario("topology: {kind: fat_tree, k: 2, n: 2}\nswitch: {depth_flits: %u}\nrouting: {algorithm: fta}\n"
                       "traffic: {pattern: uniform, load_flits_per_cycle: 0.3}\n"
                       "run: {measure_cycles: %llu, drain: false}\n",
                       depth, (unsigned long long)cycles);
}
enum { LONG_RUN = UT_ELABORATE_WORTH };

/* The path of the one elaboration of small(); *builds counts how often it was compiled. */
static void count(void *ctx, const char *message) {
  *(int *)ctx += strstr(message, "compiling") != NULL;
}
static char *get(unsigned depth, int *builds, const volatile sig_atomic_t *interrupted) {
  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  struct ut_shape shape[UT_MAX_ELABORATIONS];
  struct ut_scenario *s = small(depth, 1);
  assert_int_equal(ut_scenario_elaborations(s, elaboration, shape, &error), 1);
  *builds = 0;
  char *path = ut_elaborate(&shape[0], false, count, builds, interrupted, &error);
  if (!path)
    print_message("%s\n", error.text);
  ut_scenario_free(s);
  return path;
}

static void same(const struct ut_network *a, const struct ut_network *b, const char *text) {
  for (uint32_t i = 0; i < a->topology->switches; i++) {
    const struct ut_group *g = ut_network_group(a, i), *h = ut_network_group(b, i);
    const char *name = differing_register(g, ut_switch_of(g, i), h, ut_switch_of(h, i));
    if (name)
      fail_msg("cycle %llu, switch %u: %s differs in\n%s", (unsigned long long)a->cycle, i, name, text);
  }
}

/* ---- the same registers */

static void print(void *ctx, const char *path, uint64_t model, uint64_t spec) {
  (void)ctx;
  print_error("    %-34s model 0x%llx   spec 0x%llx\n", path, (unsigned long long)model, (unsigned long long)spec);
}

static void agrees_with_spec(const struct ut_network *n, const char *text) {
  const uint32_t sw = ut_network_spec_differing(n);
  unsigned differ;
  if (sw == UINT32_MAX)
    return;
  ut_spec_compare(ut_network_group(n, sw), sw, print, NULL, &differ);
  fail_msg("cycle %llu, switch %u: elaborated model and spec differ in\n%s", (unsigned long long)n->cycle, sw, text);
}

/* Two networks, one of them with what was compiled for its shape, from cycle `from` on: there the spec checks its
 * switches, and its terminals do what those of the other one do. */
static void compare(const char *text, uint64_t from) {
  struct ut_elaborator elaborator;
  struct ut_network a, b;
  struct ut_scenario *s = test_scenario("%s", text);
  if (ut_plan_scenario(s, &error) || ut_elaborator_start(&elaborator, s, UT_ELABORATE_ALWAYS, NULL, NULL, &error))
    fail_msg("%s\n%s", text, error.text);
  test_network(&a, s);
  test_network(&b, s);
  assert_true(ut_network_use_spec(&a, UT_SPEC_CHECKS));
  while (!ut_network_done(&a)) {
    if (a.cycle == from)
      ut_elaborator_use(&elaborator, &a);
    ut_network_step(&a);
    ut_network_step(&b);
    agrees_with_spec(&a, text);
    assert_int_equal(a.flit_hops, b.flit_hops);
  }
  for (unsigned i = 0; i < a.topology->elaborations; i++)
    assert_ptr_not_equal(ut_group_model_steps(&a.group[i]), b.group[i].steps);
  assert_memory_equal(&a.terminals.accounts, &b.terminals.accounts, sizeof a.terminals.accounts);
  assert_true(a.terminals.latency.count > 100);
  ut_network_fini(&a);
  ut_network_fini(&b);
  assert_int_equal(ut_elaborator_end(&elaborator, &error), 0);
  ut_scenario_free(s);
}

/* By each compiler: every family, lanes of one and of several words, everything that a shape can have; faults come and
 * go. */
static void equal_in_every_register(void **state) {
  (void)state;
  static const struct {
    const char *topology, *sw, *routing, *load, *faults;
  } of[] = {
      {"kind: fat_tree, k: 3, n: 3, link_cycles: 2", "vcs: 3, depth_flits: 5, alloc_cycles: 2, route_cycles: 3",
       "reroute_det_switch, reroute_clear: timer, reroute_timeout_cycles: 40", "0.3",
       "  - {at: 200, switch: {level: 1, switch: 0}, until: 500}\n  - {at: 600, random_links: 1}\n"},
      {"kind: fat_tree, k: 5, n: 2", "vcs: 8, depth_flits: 3, packet_flits: 9, flit_bits: 128, switching: wormhole",
       "fta", "0.4", "  - {at: 200, link: {level: 0, switch: 1, port: 5}, until: 210}\n"},
      {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4", "table, manager_switch_cycles: 5", "0.3",
       "  - {at: 200, random_links: 1, until: 500}\n"},
      {"kind: torus, sizes: [4, 3]", "vcs: 4, depth_flits: 200, packet_flits: 20, crossbar: vc", "duato", "0.6",
       "  - {at: 200, random_links: 2, until: 500}\n  - {at: 400, random_switches: 1, until: 600}\n"},
      {"kind: torus, k: 4, n: 2", "vcs: 4, depth_flits: 8, packet_flits: 3",
       "duato, mechanisms: {intermediate: 1, deterministic: true, misroute: true}", "0.2",
       "  - {at: 0, random_links: 3}\n"},
      {"kind: ft_ruft_222, k: 2, n: 3, ejection_cycles: 4", "depth_flits: 8, packet_flits: 4",
       "ruft, parallel_links: dynamic", "0.2", "  - {at: 200, random_links: 1, until: 500}\n"},
      {"kind: hypercube, n: 4", "vcs: 2, depth_flits: 4, packet_flits: 6, switching: wormhole, crossbar: vc", "detour",
       "0.1",
       "  - {at: 200, switch: {level: 0, switch: 0}, until: 600}\n  - {at: 300, switch: {level: 0, switch: 3}}\n"},
  };
  for (unsigned i = 0; i < sizeof of / sizeof *of; i += SHARE) {
    char text[1024];
    snprintf(text, sizeof text,
             "topology: {%s}\nswitch: {%s}\nrouting: {algorithm: %s}\n"
             "traffic: {pattern: uniform, load_flits_per_cycle: %s}\nfaults:\n%s"
             "run: {warmup_cycles: 100, measure_cycles: 900, drain: false, watchdog_cycles: 0, seed: %u}\n",
             of[i].topology, of[i].sw, of[i].routing, of[i].load, of[i].faults, i + 1);
    char *path = strdup(getenv("PATH"));
    if (i % 3 == 0 && !access(gcc_only, X_OK))
      setenv("PATH", gcc_only, 1);
    compare(text, i % 2 ? 0 : 250); /* from the first cycle on, or in the middle of all that */
    setenv("PATH", path, 1);
    free(path);
  }
}

/* ---- the cache */

static void second_call_compiles_nothing(void **state) {
  (void)state;
  int builds;
  char *first = get(4, &builds, NULL);
  assert_non_null(first);
  assert_int_equal(builds, 1);
  touch(fail_now);
  char *again = get(4, &builds, NULL);
  assert_string_equal(first, again);
  assert_int_equal(builds, 0);
  assert_null(get(5, &builds, NULL)); /* another shape */
  assert_int_equal(error.code, UT_BAD_INPUT);
  assert_non_null(strstr(error.text, "the stand-in fails"));
  assert_int_equal(count_names(".tmp"), 0);
  free(first), free(again);
}

static void damaged_entry_is_compiled_again(void **state) {
  (void)state;
  int builds;
  char *path = get(4, &builds, NULL);
  assert_int_equal(truncate(path, 1000), 0);
  char *again = get(4, &builds, NULL);
  assert_string_equal(path, again);
  assert_int_equal(builds, 1);
  void *library;
  const struct ut_terminal_steps *terminals;
  assert_non_null(ut_elaborated_load(path, &library, &terminals, &error));
  assert_non_null(terminals);
  free(path), free(again);
}

static void processes_compile_once(void **state) {
  (void)state;
  int builds = 0, total = 0;
  fflush(NULL);
  for (int i = 0; i < 3; i++)
    if (!fork())
      _exit(get(6, &builds, NULL) ? builds : 9);
  for (int i = 0, status; i < 3; i++) {
    assert_true(wait(&status) > 0 && WIFEXITED(status) && WEXITSTATUS(status) < 2);
    total += WEXITSTATUS(status);
  }
  assert_int_equal(total, 1);
}

static bool cleared_away(void) {
  int builds;
  free(get(4, &builds, NULL));
  return count_names(".tmp") == 0;
}

static void killed_one_leaves_nothing(void **state) {
  (void)state;
  int builds;
  free(get(4, &builds, NULL)); /* ready */
  touch(hang);
  fflush(NULL);
  const pid_t pid = fork();
  if (!pid) {
    free(get(7, &builds, NULL));
    _exit(0);
  }
  assert_true(in_the_end(compiler_hangs));
  assert_false(nobody_builds());
  kill(pid, SIGKILL);
  waitpid(pid, NULL, 0);
  assert_true(in_the_end(cleared_away));
  assert_true(in_the_end(nobody_builds));
}

/* ---- beside a run */

static struct ut_elaborator beside;

static bool it_is_there(void) {
  return atomic_load(&beside.steps[0]) != NULL;
}

static void begin(const struct ut_scenario *s, struct ut_network *n) {
  if (ut_elaborator_start(&beside, s, UT_ELABORATE_LONG, NULL, NULL, &error))
    fail_msg("%s", error.text);
  test_network(n, s);
}

static void go_on(struct ut_network *n) {
  for (unsigned i = 0; i < 100; i++) {
    ut_elaborator_use(&beside, n);
    ut_network_step(n);
  }
}

static void long_run_takes_it_when_it_is_there(void **state) {
  (void)state;
  struct ut_network n, other;
  struct ut_scenario *s = small(8, LONG_RUN);
  begin(s, &n);
  test_network(&other, s);
  assert_true(beside.beside);
  ut_block_steps *general = n.group[0].steps;
  assert_true(in_the_end(it_is_there));
  go_on(&n);
  assert_ptr_not_equal(n.group[0].steps, general);
  for (unsigned i = 0; i < 100; i++)
    ut_network_step(&other);
  same(&n, &other, "a long run");
  ut_network_fini(&n);
  assert_int_equal(ut_elaborator_end(&beside, &error), 0);
  begin(s, &n); /* now it is in the cache */
  assert_false(beside.beside);
  go_on(&n);
  same(&n, &other, "a run with a filled cache");
  ut_network_fini(&n);
  ut_network_fini(&other);
  assert_int_equal(ut_elaborator_end(&beside, &error), 0);
  ut_scenario_free(s);
}

/* A short one, and one that is told so, compile nothing. */
static void short_run_does_without(void **state) {
  (void)state;
  struct ut_network n;
  struct ut_scenario *s = small(9, 100);
  touch(fail_now);
  begin(s, &n);
  assert_false(beside.beside);
  go_on(&n);
  ut_network_fini(&n);
  assert_int_equal(ut_elaborator_end(&beside, &error), 0);
  ut_scenario_free(s);
  s = small(9, LONG_RUN);
  assert_int_equal(ut_elaborator_start(&beside, s, UT_ELABORATE_NEVER, NULL, NULL, &error), 0);
  assert_false(beside.beside);
  assert_int_equal(ut_elaborator_end(&beside, &error), 0);
  ut_scenario_free(s);
}

static void run_that_ends_first_stops_the_compiler(void **state) {
  (void)state;
  struct ut_network n;
  struct ut_scenario *s = small(9, LONG_RUN);
  touch(hang);
  begin(s, &n);
  go_on(&n);
  assert_true(in_the_end(compiler_hangs));
  go_on(&n);
  ut_network_fini(&n);
  assert_int_equal(ut_elaborator_end(&beside, &error), 0); /* that is not a failure */
  assert_int_equal(count_names(".tmp"), 0);
  assert_true(in_the_end(nobody_builds));
  ut_scenario_free(s);
}

/* Whoever waits is told; a run goes on and says it in the end. */
static void without_it(enum ut_exit code, const char *words) {
  struct ut_network n;
  struct ut_scenario *s = small(10, LONG_RUN);
  assert_int_equal(ut_elaborator_start(&beside, s, UT_ELABORATE_ALWAYS, NULL, NULL, &error), -1);
  assert_int_equal(error.code, code);
  assert_non_null(strstr(error.text, words));
  ut_elaborator_end(&beside, &error);
  begin(s, &n);
  assert_true(beside.beside);
  ut_block_steps *general = n.group[0].steps;
  assert_int_equal(pthread_join(beside.thread, NULL), 0); /* it gives up */
  beside.beside = false;
  go_on(&n);
  assert_ptr_equal(n.group[0].steps, general);
  ut_network_fini(&n);
  memset(&error, 0, sizeof error);
  assert_int_equal(ut_elaborator_end(&beside, &error), -1);
  assert_int_equal(error.code, code);
  assert_non_null(strstr(error.text, words));
  ut_scenario_free(s);
}

static void compiler_that_fails(void **state) {
  (void)state;
  touch(fail_now);
  without_it(UT_BAD_INPUT, "the stand-in fails");
}

static void no_compiler(void **state) {
  (void)state;
  char *path = strdup(getenv("PATH"));
  setenv("PATH", cache, 1);
  without_it(UT_BAD_INPUT, "apt-get install clang");
  setenv("PATH", path, 1);
  free(path);
}

static void no_cache(void **state) {
  (void)state;
  setenv("UTURN_CACHE", "/dev/null/cache", 1);
  without_it(UT_BAD_INPUT, "/dev/null");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(equal_in_every_register, fresh),
      cmocka_unit_test_setup(second_call_compiles_nothing, fresh),
      cmocka_unit_test_setup(damaged_entry_is_compiled_again, fresh),
      cmocka_unit_test_setup(processes_compile_once, fresh),
      cmocka_unit_test_setup(killed_one_leaves_nothing, fresh),
      cmocka_unit_test_setup(long_run_takes_it_when_it_is_there, fresh),
      cmocka_unit_test_setup(short_run_does_without, fresh),
      cmocka_unit_test_setup(run_that_ends_first_stops_the_compiler, fresh),
      cmocka_unit_test_setup(compiler_that_fails, fresh),
      cmocka_unit_test_setup(no_compiler, fresh),
      cmocka_unit_test_setup(no_cache, fresh),
  };
  return cmocka_run_group_tests_name("elaborate", tests, start, cache_fixture_finish);
}
