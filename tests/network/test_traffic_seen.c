/* SPDX-License-Identifier: Apache-2.0 */
/* test_traffic_seen.c - a second opinion on csim/traffic/traffic and lengths: packets as they are seen on the wires of
 * a network (observer.h), against the definitions of docs/reference/traffic.md, written again here. */
#include <math.h>

#include "observer.h"
#include "scenario_read.h"

enum { CYCLES = 6000, NODES = 64, MOST_FLITS = 64, MOST_IN_A_CYCLE = 8 };
/* Of a normal distribution nothing is further away in one of a hundred thousand cases. */
#define SIGMAS 4.5

struct traffic {
  struct ut_scenario *s;
  struct ut_network n;
  struct observer w;
};

/* Runs a network until all packets have arrived. */
static void run(struct traffic *t, const char *lengths, const char *traffic) {
  t->s = test_scenario("topology: {kind: fat_tree, k: 4, n: 3}\n"
                       "switch: {vcs: 1, depth_flits: 64, packet_flits: %s}\nrouting: {algorithm: fta}\n"
                       "traffic: {%s}\nrun: {warmup_cycles: 0, measure_cycles: %d, seed: 11}\n",
                       lengths, traffic, CYCLES);
  test_network(&t->n, t->s);
  observer_init(&t->w, &t->n, NULL, 0, 0, 0);
  while (!ut_network_done(&t->n))
    observer_step(&t->w, &t->n);
  assert_int_equal(t->n.topology->terminals, NODES);
  assert_int_equal(t->w.all.delivered, t->w.all.generated);
}
static void end(struct traffic *t) {
  observer_fini(&t->w);
  ut_network_fini(&t->n);
  ut_scenario_free(t->s);
}

static void near(double seen, double expected, double deviation, const char *what) {
  if (fabs(seen - expected) > SIGMAS * deviation + 1e-9)
    fail_msg("%s: %g, expected %g, standard deviation %g", what, seen, expected, deviation);
}

/* Pearson's test of counts against what is expected of each, and against being too even; cells in which hardly anything
 * is expected count together. */
static void fits(const double *expected, const uint64_t *seen, size_t cells, const char *what) {
  double sum = 0, few = 0, few_seen = 0;
  size_t freedom = 0;
  for (size_t i = 0; i < cells; i++)
    if (expected[i] < 8) {
      few += expected[i];
      few_seen += (double)seen[i];
      assert_true(expected[i] > 0 || seen[i] == 0);
    } else {
      sum += (expected[i] - (double)seen[i]) * (expected[i] - (double)seen[i]) / expected[i];
      freedom++;
    }
  if (few >= 8) {
    sum += (few - few_seen) * (few - few_seen) / few;
    freedom++;
  }
  assert_true(freedom >= 2);
  freedom--;
  near(sum, (double)freedom, sqrt(2.0 * (double)freedom), what);
}

/* ---- destinations */

static void count(const struct observer *w, uint64_t to[NODES][NODES]) {
  memset(to, 0, sizeof(uint64_t) * NODES * NODES);
  for (unsigned i = 0; i < NODES; i++)
    for (size_t j = 0; j < w->source[i].count; j++)
      to[i][w->source[i].packet[j].dst]++;
}

static void uniform_is_even(void **state) {
  (void)state;
  static uint64_t to[NODES][NODES];
  static double expected[NODES][NODES];
  struct traffic t;
  run(&t, "1", "load_flits_per_cycle: 0.3");
  count(&t.w, to);
  for (unsigned i = 0; i < NODES; i++)
    for (unsigned j = 0; j < NODES; j++)
      expected[i][j] = i == j ? 0 : (double)t.w.source[i].count / (NODES - 1);
  fits(expected[0], to[0], (size_t)NODES * NODES, "destinations of uniform traffic");
  end(&t);
}

static void hot_spot_is_hot(void **state) {
  (void)state;
  enum { HOT = 21 };
  const double fraction = 0.05;
  static uint64_t to[NODES][NODES], sum[NODES];
  double expected[NODES] = {0}, sent = 0;
  struct traffic t;
  run(&t, "1", "pattern: hot_spot, hot_spot_node: 21, hot_spot_fraction: 0.05, load_flits_per_cycle: 0.15");
  count(&t.w, to);
  for (unsigned i = 0; i < NODES; i++) {
    const double all = (double)t.w.source[i].count;
    assert_int_equal(to[i][i], 0);
    sent += i == HOT ? 0 : all;
    for (unsigned j = 0; j < NODES; j++) {
      sum[j] += to[i][j];
      if (i != j)
        expected[j] +=
            i == HOT ? all / (NODES - 1) : all * (1 - fraction) / (NODES - 1) + (j == HOT ? all * fraction : 0);
    }
  }
  const double p = fraction + (1 - fraction) / (NODES - 1);
  near((double)sum[HOT], sent * p, sqrt(sent * p * (1 - p)), "packets to the hot spot");
  fits(expected, sum, NODES, "destinations of hot-spot traffic");
  end(&t);
}

static unsigned bit(unsigned x, unsigned i) {
  return x >> i & 1;
}
static unsigned complement(unsigned src, unsigned bits) {
  unsigned dst = 0;
  for (unsigned i = 0; i < bits; i++)
    dst |= (1 - bit(src, i)) << i;
  return dst;
}
static unsigned shuffle(unsigned src, unsigned bits) { /* d(i) = s(i - 1) */
  unsigned dst = 0;
  for (unsigned i = 0; i < bits; i++)
    dst |= bit(src, (i + bits - 1) % bits) << i;
  return dst;
}
static unsigned transpose(unsigned src, unsigned bits) { /* d(i) = s(i + b/2) */
  unsigned dst = 0;
  for (unsigned i = 0; i < bits; i++)
    dst |= bit(src, (i + bits / 2) % bits) << i;
  return dst;
}

static void patterns_are_permutations(void **state) {
  static const struct {
    const char *name;
    unsigned (*of)(unsigned src, unsigned bits);
  } patterns[] = {{"complement", complement}, {"shuffle", shuffle}, {"transpose", transpose}};
  (void)state;
  for (unsigned i = 0; i < 3; i++) {
    struct traffic t;
    char text[80];
    snprintf(text, sizeof text, "pattern: %s, load_flits_per_cycle: 0.05", patterns[i].name);
    run(&t, "1", text);
    for (unsigned src = 0; src < NODES; src++) {
      assert_true(t.w.source[src].count > 100);
      for (size_t j = 0; j < t.w.source[src].count; j++)
        assert_int_equal(t.w.source[src].packet[j].dst, patterns[i].of(src, 6));
    }
    end(&t);
  }
}

/* ---- times */

/* Packets in a cycle of a terminal are binomial or Poisson; gaps geometric, so each cycle is like every other. */
static void check_times(const struct observer *w, double rate, bool poisson) {
  uint64_t seen[MOST_IN_A_CYCLE] = {0}, gaps[40] = {0};
  double expected[MOST_IN_A_CYCLE] = {0}, gap[40] = {0}, empty = poisson ? exp(-rate) : 1 - rate, pairs = 0;
  uint64_t packets = 0;
  for (unsigned i = 0; i < NODES; i++) {
    const struct source *s = &w->source[i];
    near((double)s->count, CYCLES * rate, sqrt(CYCLES * rate * (poisson ? 1 : 1 - rate)), "packets of a terminal");
    packets += s->count;
    for (size_t j = 0; j < s->count;) {
      const uint64_t cycle = s->packet[j].generated;
      size_t same = 1;
      while (j + same < s->count && s->packet[j + same].generated == cycle)
        same++;
      assert_true(same < MOST_IN_A_CYCLE && (poisson || same == 1));
      seen[same]++;
      j += same;
      if (j == s->count)
        break;
      const uint64_t apart = s->packet[j].generated - cycle - 1;
      gaps[apart < 39 ? apart : 39]++;
      pairs++;
    }
  }
  near((double)packets, (double)NODES * CYCLES * rate, sqrt((double)NODES * CYCLES * rate * (poisson ? 1 : 1 - rate)),
       "packets of all terminals");
  seen[0] = (uint64_t)NODES * CYCLES;
  for (unsigned i = 1; i < MOST_IN_A_CYCLE; i++)
    seen[0] -= seen[i];
  for (unsigned i = 0; i < MOST_IN_A_CYCLE; i++)
    expected[i] = (double)NODES * CYCLES *
                  (poisson  ? exp(-rate) * pow(rate, i) / tgamma(i + 1.0)
                   : i == 0 ? 1 - rate
                   : i == 1 ? rate
                            : 0);
  fits(expected, seen, MOST_IN_A_CYCLE, "packets in a cycle");
  for (unsigned i = 0; i < 40; i++)
    gap[i] = pairs * (i < 39 ? pow(empty, i) * (1 - empty) : pow(empty, i));
  fits(gap, gaps, 40, "cycles between packets");
}

static void rates_are_those_of_the_load(void **state) {
  (void)state;
  struct traffic t;
  run(&t, "1", "load_flits_per_cycle: 0.07");
  check_times(&t.w, 0.07, false);
  end(&t);
  run(&t, "4", "load_flits_per_cycle: 0.5");
  check_times(&t.w, 0.5 / 4, false);
  end(&t);
  run(&t, "2", "pattern: hot_spot, hot_spot_fraction: 0.01, load_flits_per_cycle: 0.3");
  check_times(&t.w, 0.3 / 2, false);
  end(&t);
  run(&t, "2", "process: poisson, load_flits_per_cycle: 0.2");
  check_times(&t.w, 0.2 / 2, true);
  end(&t);
}

/* ---- lengths */

/* of: the probability of a length, 0 of those that cannot be. */
static void check_lengths(const struct observer *w, const double *of, double load) {
  uint64_t seen[MOST_FLITS + 1] = {0};
  double expected[MOST_FLITS + 1], mean = 0, square = 0;
  for (unsigned i = 0; i < NODES; i++)
    for (size_t j = 0; j < w->source[i].count; j++) {
      assert_true(w->source[i].packet[j].flits <= MOST_FLITS);
      seen[w->source[i].packet[j].flits]++;
    }
  for (unsigned i = 0; i <= MOST_FLITS; i++) {
    expected[i] = of[i] * (double)w->all.generated;
    mean += of[i] * i;
    square += of[i] * i * i;
  }
  fits(expected, seen, MOST_FLITS + 1, "flits of packets");
  /* flits of a cycle and terminal: a packet with probability load / mean */
  const double trials = (double)NODES * CYCLES, variance = load / mean * square - load * load;
  near((double)w->all.injected_flits, trials * load, sqrt(trials * variance), "flits of all packets");
}

static void lengths_are_drawn(void **state) {
  (void)state;
  struct traffic t;
  double of[MOST_FLITS + 1] = {0};
  const double mean = 6.5;
  for (unsigned i = 2; i <= 40; i++) /* from i - 0.5 to i + 0.5 */
    of[i] = (i > 2 ? exp(-(i - 0.5) / mean) : 1) - (i < 40 ? exp(-(i + 0.5) / mean) : 0);
  run(&t, "{distribution: exponential, mean: 6.5, min: 2, max: 40}", "load_flits_per_cycle: 0.4");
  check_lengths(&t.w, of, 0.4);
  end(&t);
  memset(of, 0, sizeof of);
  for (unsigned i = 3; i <= 14; i++)
    of[i] = 1.0 / 12;
  run(&t, "{distribution: uniform, min: 3, max: 14}", "load_flits_per_cycle: 0.35");
  check_lengths(&t.w, of, 0.35);
  end(&t);
  memset(of, 0, sizeof of);
  of[2] = 0.7, of[18] = 0.3;
  run(&t, "{distribution: bimodal, short: 2, long: 18, long_fraction: 0.3}", "load_flits_per_cycle: 0.35");
  check_lengths(&t.w, of, 0.35);
  end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(uniform_is_even),           cmocka_unit_test(hot_spot_is_hot),
      cmocka_unit_test(patterns_are_permutations), cmocka_unit_test(rates_are_those_of_the_load),
      cmocka_unit_test(lengths_are_drawn),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
