/* SPDX-License-Identifier: Apache-2.0 */
/* test_points.c - sweep/: sweep_file, yaml_edit, points, fault_draw */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "points.h"
#include "scenario.h"
#include "scenario_read.h"
#include "sweep_fixture.h"
#include "topology.h"
#include "yaml_edit.h"

static struct ut_sweep *good(const char *rest) {
  struct ut_error e;
  struct ut_sweep *s = fixture_sweep(rest, &e);
  if (!s)
    fail_msg("%s", e.text);
  if (ut_points_check(s, &e))
    fail_msg("%s", e.text);
  return s;
}

static struct ut_run run_of(struct ut_sweep *s, size_t point, unsigned repetition) {
  struct ut_error e;
  struct ut_run r;
  if (ut_run_make(&r, s, point, repetition, false, 0, &e))
    fail_msg("%s", e.text);
  return r;
}

static struct ut_scenario *scenario_of(const struct ut_run *r) {
  struct ut_error e;
  struct ut_scenario *s = ut_scenario_parse(r->scenario, strlen(r->scenario), "scenario", &e);
  if (!s)
    fail_msg("%s", e.text);
  return s;
}

/* ---- files that are wrong: what the message says */

static void refused(const char *rest, const char *says) {
  struct ut_error e = {0};
  struct ut_sweep *s = fixture_sweep(rest, &e);
  if (s && !ut_points_check(s, &e))
    fail_msg("accepted: %s", rest);
  ut_sweep_free(s);
  assert_int_equal(e.code, UT_BAD_INPUT);
  if (!strstr(e.text, says))
    fail_msg("%s\nsays:\n%s\nnot: %s", rest, e.text, says);
}

static void wrong_files(void **state) {
  (void)state;
  refused("axis: []\n", "did you mean 'axes'?");
  refused("run: simulate\n", "unknown value 'simulate'");
  refused("axes: {switch.vcs: [1]}\n", "'axes' is a list");
  refused("axes:\n  - switch.vcs: 1\n", "expected a list of values or a range");
  refused("axes:\n  - switch.vcs: []\n", "has no values");
  refused("axes:\n  - switch.vcs: [1, 2, 1]\n", "has the value 1 twice");
  refused("axes:\n  - {switch.vcs: [1], switch.depth_flits: [4]}\n", "one key with its values");
  refused("axes:\n  - switch.vcs: [1]\n  - switch.vcs: [2]\n", "is an axis twice");
  refused("axes:\n  - run.seed: [1]\n", "cannot be an axis");
  refused("axes:\n  - switch.vcs: {from: 1, to: 4}\n", "either a 'step'");
  refused("axes:\n  - switch.vcs: {from: 1, to: 4, stp: 1}\n", "did you mean 'step'?");
  refused("axes:\n  - switch.vcs: {from: 4, to: 1, step: 1}\n", "ends below its start");
  refused("axes:\n  - traffic.load_flits_per_cycle: {from: 0, to: 1, step: 0.0000001}\n", "more than");
  refused("axes:\n  - zip: {topology.k: [2, 4], topology.n: [2]}\n", "has 1 values, 'topology.k' beside it");
  refused("axes:\n  - zip: {topology.k: [4, 2, 4], topology.n: [2, 2, 2]}\n", "has the value 4 twice");
  refused("axes:\n  - switch.vcz: [1]\n", "did you mean 'vcs'?");
  refused("axes:\n  - switch.vcs: [1, 99]\n", "point 1 (switch.vcs 99)");
  refused("axes:\n  - run.measure_cycles.more: [1]\n", "leads through a single value");
  refused("axes:\n  - faults[1].at: [1]\n", "numbered from 0");
  refused("axes:\n  - switch..vcs: [1]\n", "is no path of keys");
  refused("repeat: 0\n", "1 <= least <= most");
  refused("repeat: many\n", "number of repetitions");
  refused("repeat: {least: 3}\n", "missing key 'until' in 'repeat'");
  refused("repeat: {until: {result: latency.mean, within_percent: 0}}\n", "must be above 0");
  refused("repeat: {least: 1, until: {result: latency.mean, within_percent: 1}}\n",
          "'repeat.least' is 1, must be 2..100000");
  refused("repeat: {until: {result: latency.mean, within_percent: 1, confidence: 95}}\n", "must be above 0, below 1");
  refused("faults: {links: [many]}\n", "numbers of faults");
  refused("faults: {at: 5}\n", "neither how many");
  refused("faults: {links: [1000]}\n", "faulty links wanted");
  refused("find: valley\n", "expected one of: saturation, peak");
  refused("find: saturation\naxes:\n  - traffic.load_flits_per_cycle: [0.1]\n", "leave this axis away");
  refused("find: {what: peak, from: 0.5, to: 0.1}\n", "'find.to' must be above 'find.from'");
  refused("find: peak\nrun: prove\n", "for run and cosim");
  refused("options: [--seed, 5]\n", "cannot be an option");
  refused("options: --cycles\n", "expected a list");
}

static void no_file(void **state) {
  (void)state;
  struct ut_error e;
  char path[PATH_MAX];
  assert_null(ut_sweep_read("empty.yaml", "", 0, &e));
  assert_non_null(strstr(e.text, "the sweep is empty\nexpected 'base' at least"));
  assert_null(ut_sweep_load("/nonexistent/sweep.yaml", &e));
  assert_int_equal(e.code, UT_BAD_INPUT);
  fixture_write("sweep.yaml", "base: other.yaml\n");
  assert_null(ut_sweep_load(fixture_path("sweep.yaml", path), &e));
  assert_non_null(strstr(e.text, "other.yaml: cannot open the "));
  assert_non_null(strstr(e.text, ":1:7:")); /* the place of the name */
}

/* ---- points */

static void points(void **state) {
  (void)state;
  struct ut_sweep *s = good("axes:\n"
                            "  - traffic.load_flits_per_cycle: {from: 0.1, to: 0.3, step: 0.1}\n"
                            "  - zip: {topology.k: [2, 4], topology.n: [3, 2]}\n"
                            "faults: {links: [0, 2]}\n");
  char name[UT_POINT_NAME_SIZE];
  assert_int_equal(ut_points_count(s), 12);
  assert_string_equal(ut_points_name(s, 0, name),
                      "traffic.load_flits_per_cycle 0.1, topology.k 2, topology.n 3, faults.links 0");
  assert_string_equal(ut_points_name(s, 11, name),
                      "traffic.load_flits_per_cycle 0.3, topology.k 4, topology.n 2, faults.links 2");
  for (size_t p = 0; p < 12; p++) {
    struct ut_run r = run_of(s, p, 2);
    struct ut_scenario *scenario = scenario_of(&r);
    assert_true(scenario->traffic.load_flits_per_cycle == (p < 4 ? 0.1 : p < 8 ? 0.2 : 0.3));
    assert_int_equal(scenario->topology.k, p % 4 < 2 ? 2 : 4);
    assert_int_equal(scenario->topology.n, p % 4 < 2 ? 3 : 2);
    assert_int_equal(scenario->fault_count, p % 2 ? 2 : 0);
    assert_int_equal(scenario->run.seed, 9); /* 7 of the base, and the repetition */
    assert_int_equal(scenario->run.measure_cycles, 200);
    ut_scenario_free(scenario);
    ut_run_free(&r);
  }
  ut_sweep_free(s);
}

/* Steps of a zip differ, their values need not. */
static void steps(void **state) {
  (void)state;
  struct ut_sweep *s = good("axes:\n  - zip: {topology.k: [2, 4, 4], topology.n: [2, 2, 3]}\n");
  char name[UT_POINT_NAME_SIZE];
  assert_int_equal(ut_points_count(s), 3);
  assert_string_equal(ut_points_name(s, 2, name), "topology.k 4, topology.n 3");
  ut_sweep_free(s);
}

/* Keys that the base does not have, lists, options. */
static void values(void **state) {
  (void)state;
  struct ut_sweep *s = good("axes:\n"
                            "  - switch.packet_flits: [2, {distribution: uniform, min: 1, max: 4}]\n"
                            "  - faults[0]: [{at: 5, random_links: 1}]\n"
                            "  - faults[0].at: {from: 1, to: 16, factor: 4}\n"
                            "  - --cycles: [50]\n"
                            "options: [--elaborate, never]\n");
  assert_int_equal(ut_points_count(s), 6);
  assert_string_equal(ut_points_value(s, 5, 0), "{distribution: uniform, min: 1, max: 4}");
  struct ut_run r = run_of(s, 5, 0);
  struct ut_scenario *scenario = scenario_of(&r);
  assert_int_equal(scenario->sw.distribution, UT_LENGTHS_UNIFORM);
  assert_int_equal(scenario->fault_count, 1);
  assert_int_equal(scenario->faults[0].at_cycle, 16);
  static const char *const wanted[] = {"uturn",       "run",     "--elaborate", "never",     "--cycles=50",
                                       "--threads=1", "--quiet", "--json",      "/dev/stdin"};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    assert_string_equal(r.arguments[i], wanted[i]);
  ut_scenario_free(scenario);
  ut_run_free(&r);
  ut_sweep_free(s);
}

/* ---- keys */

static void same_key(const char *a, const char *b, bool same) {
  struct ut_sweep *s = good(a);
  struct ut_run r = run_of(s, 0, 0);
  ut_sweep_free(s);
  struct ut_sweep *t = good(b);
  struct ut_run q = run_of(t, 0, 0);
  assert_int_equal(strlen(r.key), UT_RUN_KEY_CHARS);
  if (!strcmp(r.key, q.key) != same)
    fail_msg("%s and %s have %s key", a, b, same ? "not the same" : "the same");
  ut_run_free(&r);
  ut_run_free(&q);
  ut_sweep_free(t);
}

static void keys(void **state) {
  (void)state;
  same_key("", "repeat: 5\n", true);
  same_key("", "axes:\n  - traffic.load_flits_per_cycle: [0.1, 0.2]\n", true);
  same_key("", "axes:\n  - traffic.load_flits_per_cycle: [0.2]\n", false);
  same_key("", "seed: 8\n", false);
  same_key("", "run: cosim\n", false);
  same_key("", "options: [--cycles, 5]\n", false);
  same_key("", "options: [--threads, 1]\n", false); /* what the user chooses is not judged */
  same_key("faults: {links: [1]}\n", "faults: {links: [2]}\n", false);
}

/* The contents of a trace are part of the key, its name is found from the base's folder. */
static void named_files(void **state) {
  (void)state;
  static const char base[] = "topology: {kind: fat_tree, k: 2, n: 2}\nrouting: {algorithm: fta}\n"
                             "traffic: {pattern: trace, trace_file: t.trace}\n";
  struct ut_error e;
  char path[PATH_MAX], key[2][UT_RUN_KEY_CHARS + 1], trace[PATH_MAX];
  fixture_write("base.yaml", base);
  fixture_write("sweep.yaml", "base: base.yaml\n");
  for (int i = 0; i < 2; i++) {
    fixture_write("t.trace", i ? "5 0 1 2\n" : "4 0 1 2\n");
    struct ut_sweep *s = ut_sweep_load(fixture_path("sweep.yaml", path), &e);
    assert_non_null(s);
    assert_int_equal(ut_points_check(s, &e), 0);
    struct ut_run r = run_of(s, 0, 0);
    strcpy(key[i], r.key);
    if (!strstr(r.scenario, fixture_path("t.trace", trace)))
      fail_msg("%s", r.scenario);
    ut_run_free(&r);
    ut_sweep_free(s);
  }
  assert_string_not_equal(key[0], key[1]);
}

/* So is the RTL in a folder that an option names: a changed file is run anew. */
static void changed_rtl(void **state) {
  (void)state;
  struct ut_error e;
  char path[PATH_MAX], rtl[PATH_MAX], options[1024], key[3][UT_RUN_KEY_CHARS + 1];
  assert_int_equal(mkdir(fixture_path("rtl", rtl), 0777), 0);
  snprintf(options, sizeof options, "run: cosim\noptions: [--rtl, %.900s]\n", rtl);
  for (int i = 0; i < 3; i++) {
    fixture_write("rtl/ut_switch.v",
                  i == 1 ? "module ut_switch; wire a; endmodule\n" : "module ut_switch; endmodule\n");
    struct ut_sweep *s = fixture_sweep(options, &e);
    assert_non_null(s);
    struct ut_run r = run_of(s, 0, 0);
    strcpy(key[i], r.key);
    ut_run_free(&r);
    ut_sweep_free(s);
  }
  unlink(fixture_path("rtl/ut_switch.v", path));
  rmdir(rtl);
  assert_string_not_equal(key[0], key[1]);
  assert_string_equal(key[0], key[2]);
}

/* ---- faults */

/* More faults are the same ones and others; algorithms and loads meet the same ones; repetitions others. */
static void faults(void **state) {
  (void)state;
  struct ut_sweep *s = good("axes:\n  - routing.algorithm: [fta, destro]\n"
                            "faults: {links: [1, 2, 4], switches: [0, 2], at: 10, until: 20}\nrepeat: 2\n");
  struct ut_scenario *of[12], *other;
  for (size_t p = 0; p < 12; p++) {
    struct ut_run r = run_of(s, p, 0);
    of[p] = scenario_of(&r);
    ut_run_free(&r);
    static const size_t count[] = {1, 3, 2, 4, 4, 6};
    assert_int_equal(of[p]->fault_count, count[p % 6]);
    for (size_t i = 0; i < of[p]->fault_count; i++) {
      const struct ut_fault *f = &of[p]->faults[i], *same = &of[p % 6]->faults[i], *first = &of[0]->faults[i];
      assert_int_equal(f->at_cycle, 10);
      assert_int_equal(f->until_cycle, 20);
      assert_true(f->kind == same->kind && f->level == same->level && f->index == same->index && f->port == same->port);
      assert_true(f->kind != UT_FAULT_SWITCH || f->level > 0);
      assert_true(i || (f->level == first->level && f->index == first->index && f->port == first->port));
    }
  }
  bool differs = false;
  for (unsigned repetition = 1; repetition < 6; repetition++) {
    struct ut_run r = run_of(s, 4, repetition);
    other = scenario_of(&r);
    for (size_t i = 0; i < 4; i++)
      differs |= other->faults[i].index != of[4]->faults[i].index || other->faults[i].port != of[4]->faults[i].port;
    for (size_t i = 0; i < 4; i++)
      for (size_t j = 0; j < i; j++) /* each once */
        assert_true(other->faults[i].level != other->faults[j].level ||
                    other->faults[i].index != other->faults[j].index || other->faults[i].port != other->faults[j].port);
    ut_scenario_free(other);
    ut_run_free(&r);
  }
  assert_true(differs);
  for (size_t p = 0; p < 12; p++)
    ut_scenario_free(of[p]);
  ut_sweep_free(s);
}

/* More faults than any set that detour takes. */
static void too_many_faults(void **state) {
  (void)state;
  struct ut_error e;
  char path[PATH_MAX];
  fixture_write("sweep.yaml", "base:\n  topology: {kind: hypercube, n: 3}\n  switch: {switching: wormhole, vcs: 2}\n"
                              "  routing: {algorithm: ecube}\n  traffic: {load_flits_per_cycle: 0.1}\n"
                              "faults: {switches: [7], model: detour}\n");
  struct ut_sweep *s = ut_sweep_load(fixture_path("sweep.yaml", path), &e);
  assert_non_null(s);
  assert_int_equal(ut_points_check(s, &e), -1);
  if (!strstr(e.text, "takes none of 1000"))
    fail_msg("%s", e.text);
  ut_sweep_free(s);
}

/* Orders that the algorithm of the fault model refuses are drawn again; all algorithms get those that it takes. */
static void fault_model(void **state) {
  (void)state;
  struct ut_error e;
  char path[PATH_MAX];
  fixture_write("sweep.yaml",
                "base:\n  topology: {kind: hypercube, n: 4}\n  switch: {switching: wormhole, vcs: 2}\n"
                "  routing: {algorithm: ecube}\n  traffic: {load_flits_per_cycle: 0.1}\n"
                "axes:\n  - routing.algorithm: [detour, ecube]\nfaults: {switches: [3, 4], model: detour}\n");
  struct ut_sweep *s = ut_sweep_load(fixture_path("sweep.yaml", path), &e);
  if (!s || ut_points_check(s, &e))
    fail_msg("%s", e.text);
  const char *model = s->faults.model;
  unsigned refused = 0;
  for (unsigned repetition = 0; repetition < 20; repetition++) {
    struct ut_run with = run_of(s, 1, repetition), without = run_of(s, 3, repetition);
    assert_string_equal(strstr(with.scenario, "faults"), strstr(without.scenario, "faults"));
    ut_scenario_free(scenario_of(&with)); /* is one */
    ut_run_free(&with);
    ut_run_free(&without);
    s->faults.model = NULL;
    with = run_of(s, 1, repetition);
    struct ut_scenario *any = ut_scenario_parse(with.scenario, strlen(with.scenario), "scenario", &e);
    refused += !any;
    ut_scenario_free(any);
    ut_run_free(&with);
    s->faults.model = model;
  }
  assert_true(refused > 0); /* without the model some are */
  ut_sweep_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrong_files), cmocka_unit_test(no_file),         cmocka_unit_test(points),
      cmocka_unit_test(steps),       cmocka_unit_test(values),          cmocka_unit_test(keys),
      cmocka_unit_test(named_files), cmocka_unit_test(changed_rtl),     cmocka_unit_test(faults),
      cmocka_unit_test(fault_model), cmocka_unit_test(too_many_faults),
  };
  return cmocka_run_group_tests(tests, NULL, fixture_remove);
}
