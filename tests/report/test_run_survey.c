/* SPDX-License-Identifier: Apache-2.0 */
/* test_run_survey.c - what a page says of a run, counted a second time: a network of its own is stepped beside it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "run_survey.h"
#include "scenario_read.h"
#include "scenarios.h"

enum { FROM = 50, UNTIL = 347, HEAT_COLUMNS = 6, EVERY = 30 };

/* 8 terminals, 12 switches; packets are cut, and cannot be routed. */
static struct ut_scenario *tree(bool faults) {
  return test_scenario("topology: {kind: fat_tree, k: 2, n: 3}\nswitch: {depth_flits: 4, packet_flits: 3}\n"
                       "routing: {algorithm: reroute_adaptive_link}\ntraffic: {load_flits_per_cycle: 0.4}\n%s"
                       "run: {warmup_cycles: 0, measure_cycles: 600, drain: true, seed: 2}\n",
                       faults ? "faults: [{at: 60, ejection: {terminal: 3}},\n"
                                "  {at: 150, until: 260, switch: {level: 1, switch: 3}}]\n"
                              : "");
}

static void survey(struct ut_run_survey *s) {
  const struct ut_page_options options = {0};
  struct ut_error e;
  if (ut_run_survey(s, &options, &e))
    fail_msg("%s", e.text);
}

static double at(const json_t *o, const char *column, size_t i) {
  return json_number_value(json_array_get(json_object_get(o, column), i));
}

static void assert_number(const char *what, double is, double wanted) {
  if (fabs(is - wanted) > 1e-9 * fabs(wanted))
    fail_msg("%s: %.12g, expected %.12g", what, is, wanted);
}

static void intervals_add_up(bool faults) {
  struct ut_scenario *scenario = tree(faults);
  struct ut_run_survey s = {.scenario = scenario, .until = UINT64_MAX, .every = EVERY};
  survey(&s);
  json_t *of = ut_run_intervals_json(&s), *totals = ut_run_totals_json(&s);
  double flits = 0, discarded = 0, all_discarded = 0;
  const size_t intervals = json_array_size(json_object_get(of, "from"));
  assert_int_equal(intervals, (s.network.cycle + EVERY - 1) / EVERY);
  for (size_t i = 0; i < intervals; i++) {
    assert_number("an interval begins", at(of, "from", i), (double)(i * EVERY));
    const double cycles = i + 1 < intervals ? EVERY : (double)(s.network.cycle - i * EVERY);
    flits += at(of, "throughput", i) * cycles * s.network.topology->terminals;
    discarded += at(of, "discarded", i);
  }
  const char *reason;
  json_t *count;
  unsigned reasons = 0;
  json_object_foreach(json_object_get(totals, "discarded_packets"), reason, count) {
    all_discarded += json_number_value(count);
    reasons += json_integer_value(count) > 0;
  }
  assert_number("discarded in all intervals", discarded, all_discarded);
  assert_number("in flight at the end", at(of, "in_flight", intervals - 1), 0);
  if (faults)
    assert_true(reasons > 1);
  else
    assert_number("flits of all intervals", flits, 3 * json_number_value(json_object_get(totals, "delivered_packets")));
  json_decref(of);
  json_decref(totals);
  ut_run_survey_end(&s);
  ut_scenario_free(scenario);
}

static void intervals(void **state) {
  (void)state;
  intervals_add_up(false);
  intervals_add_up(true);
}

/* Mean and greatest latency are those of the packets, one by one. */
static void latencies(void **state) {
  (void)state;
  struct ut_scenario *scenario = tree(true);
  struct ut_run_survey s = {.scenario = scenario, .until = UINT64_MAX, .every = EVERY};
  survey(&s);
  json_t *totals = ut_run_totals_json(&s);
  double sum = 0, count = 0, most = 0;
  const struct ut_histogram *h = &s.network.terminals.latency;
  for (uint64_t cycles = 0; cycles < UT_HISTOGRAM_PAGE; cycles++) {
    sum += (double)(cycles * h->low[cycles]);
    count += (double)h->low[cycles];
    most = h->low[cycles] ? (double)cycles : most;
  }
  assert_number("packets with a latency", count, json_number_value(json_object_get(totals, "delivered_packets")));
  assert_number("mean latency", json_number_value(json_object_get(totals, "latency_mean")), sum / count);
  assert_number("greatest latency", json_number_value(json_object_get(totals, "latency_max")), most);
  json_decref(totals);
  ut_run_survey_end(&s);
  ut_scenario_free(scenario);
}

/* A network that has come to the beginning of the window, and counts the flits of its links from there on. */
static void go_to_window(struct ut_network *n, const struct ut_scenario *scenario) {
  test_network(n, scenario);
  while (n->cycle < FROM)
    ut_network_step(n);
  assert_true(ut_network_count_links(n));
}

/* Each cell of the map of links: flits of its cycles; the last column is shorter than the others. */
static void heat(void **state) {
  (void)state;
  struct ut_scenario *scenario = tree(false);
  struct ut_run_survey s = {
      .scenario = scenario, .from = FROM, .until = UNTIL, .every = EVERY, .heat_columns = HEAT_COLUMNS};
  struct ut_network n;
  survey(&s);
  assert_int_equal(s.heat.columns, HEAT_COLUMNS);
  assert_true((UNTIL - FROM) % s.heat.every > 0);
  uint64_t *before = calloc(s.heat.rows, sizeof *before);
  go_to_window(&n, scenario);
  for (uint32_t column = 0; column < s.heat.columns; column++) {
    const uint64_t begin = FROM + column * s.heat.every, end = begin + s.heat.every;
    while (n.cycle < end && n.cycle < UNTIL)
      ut_network_step(&n);
    for (uint32_t row = 0; row < s.heat.rows; row++) {
      const uint64_t flits = n.link_flits[s.heat.channel[row]] - before[row];
      const double is = s.heat.load[row * s.heat.columns + column] / 255.0;
      const double wanted = (double)flits / (double)(n.cycle - begin);
      if (fabs(is - wanted) > 0.51 / 255)
        fail_msg("link %u, column %u: %.4f flits a cycle, expected %.4f", row, column, is, wanted);
      before[row] += flits;
    }
  }
  free(before);
  ut_network_fini(&n);
  ut_run_survey_end(&s);
  ut_scenario_free(scenario);
}

/* The flits of each output port in the recorded cycles. */
static void loads(void **state) {
  (void)state;
  struct ut_scenario *scenario = tree(false);
  struct ut_recording recording;
  struct ut_run_survey s = {
      .scenario = scenario, .from = FROM, .until = UNTIL, .every = EVERY, .recording = &recording};
  struct ut_network n;
  survey(&s);
  json_t *of = ut_run_loads_json(&s);
  assert_number("loads from", json_number_value(json_object_get(of, "from")), FROM);
  assert_number("loads until", json_number_value(json_object_get(of, "until")), UNTIL);
  go_to_window(&n, scenario);
  while (n.cycle < UNTIL)
    ut_network_step(&n);
  for (size_t i = 0; i < (size_t)n.topology->switches * n.topology->po; i++)
    assert_number("flits of a port", at(of, "flits", i), (double)n.link_flits[i]);
  json_decref(of);
  ut_network_fini(&n);
  ut_recording_free(&recording);
  ut_run_survey_end(&s);
  ut_scenario_free(scenario);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(intervals),
      cmocka_unit_test(latencies),
      cmocka_unit_test(heat),
      cmocka_unit_test(loads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
