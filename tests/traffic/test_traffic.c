/* SPDX-License-Identifier: Apache-2.0 */
/* test_traffic.c - csim/traffic/traffic */
#define _POSIX_C_SOURCE 200809L
#include "scenario.h"
#include "traffic.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* A scenario with 2-flit packets at half load: a packet every 4 cycles. */
static struct ut_scenario scenario(const struct ut_pattern *pattern) {
  return (struct ut_scenario){
      .sw = {.packet_flits = 2},
      .traffic = {.pattern = pattern, .load_flits_per_cycle = 0.5, .process = UT_BERNOULLI},
      .run = {.seed = 5},
  };
}

static void must_init(struct ut_traffic *t, const struct ut_scenario *s, unsigned terminals) {
  struct ut_error e;
  if (ut_traffic_init(t, s, terminals, &e))
    fail_msg("%s", e.text);
}

/* Packets of `terminal` before `cycles`.  Checks what holds for all of them; dsts: [terminals] counts, or NULL. */
static unsigned count_packets(const struct ut_traffic *t, unsigned terminal, uint64_t cycles, unsigned *dsts,
                              unsigned *in_one_cycle) {
  struct ut_traffic_source source;
  ut_traffic_source_init(&source, t, terminal);
  struct ut_packet_request p;
  unsigned count = 0;
  uint64_t before = UINT64_MAX;
  *in_one_cycle = 0;
  while (ut_traffic_next(t, &source, &p) && p.cycle < cycles) {
    assert_true(before == UINT64_MAX || p.cycle >= before);
    assert_true(p.dst < t->terminals);
    assert_int_equal(p.flits, t->packet_flits);
    *in_one_cycle += p.cycle == before;
    before = p.cycle;
    count++;
    if (dsts)
      dsts[p.dst]++;
  }
  return count;
}

static void bernoulli(void **state) {
  (void)state;
  struct ut_scenario s = scenario(&ut_pattern_uniform);
  struct ut_traffic t;
  unsigned twice;
  must_init(&t, &s, 64);
  for (unsigned terminal = 0; terminal < 64; terminal += 9) {
    assert_in_range(count_packets(&t, terminal, 200000, NULL, &twice), 49200, 50800); /* standard deviation 194 */
    assert_int_equal(twice, 0);
  }
  ut_traffic_free(&t);
}

/* So rare that a source ends: at 2^62 cycles, after 4.6 packets on the average. */
static void the_end_of_time(void **state) {
  (void)state;
  struct ut_scenario s = scenario(&ut_pattern_uniform);
  struct ut_traffic t;
  unsigned packets = 0;
  s.traffic.process = UT_POISSON;
  s.traffic.load_flits_per_cycle = 2e-18;
  must_init(&t, &s, 1000);
  for (unsigned terminal = 0; terminal < 1000; terminal++) {
    struct ut_traffic_source source;
    struct ut_packet_request p;
    uint64_t before = 0;
    ut_traffic_source_init(&source, &t, terminal);
    while (ut_traffic_next(&t, &source, &p)) {
      assert_true(p.cycle >= before && before < UINT64_C(1) << 62);
      packets += p.cycle < UINT64_C(1) << 62;
      before = p.cycle;
    }
    assert_false(ut_traffic_next(&t, &source, &p));
  }
  assert_in_range(packets, 4611 - 4 * 68, 4611 + 4 * 68); /* standard deviation 68 */
  ut_traffic_free(&t);
}

/* Gaps of a Bernoulli process are geometric: each length has its own probability, the first cycle is like every other.
 */
static void bernoulli_gaps(void **state) {
  (void)state;
  struct ut_scenario s = scenario(&ut_pattern_uniform);
  struct ut_traffic t;
  must_init(&t, &s, 1024);
  unsigned gaps[3] = {0}, at_zero = 0, packets = 0;
  for (unsigned terminal = 0; terminal < 1024; terminal++) {
    struct ut_traffic_source source;
    ut_traffic_source_init(&source, &t, terminal);
    struct ut_packet_request p;
    assert_true(ut_traffic_next(&t, &source, &p));
    at_zero += p.cycle == 0;
    for (unsigned i = 0; i < 100; i++, packets++) {
      uint64_t before = p.cycle;
      assert_true(ut_traffic_next(&t, &source, &p));
      if (p.cycle - before <= 3)
        gaps[p.cycle - before - 1]++;
    }
  }
  assert_in_range(at_zero, 200, 312);     /* 256, standard deviation 14 */
  assert_in_range(gaps[0], 25050, 26150); /* 102400 / 4, standard deviation 139 */
  assert_in_range(gaps[1], 18700, 19700); /* * 3/4 = 19200, 125 */
  assert_in_range(gaps[2], 13950, 14850); /* * 3/4 = 14400, 111 */
  ut_traffic_free(&t);
}

static void poisson(void **state) {
  (void)state;
  struct ut_scenario s = scenario(&ut_pattern_uniform);
  s.traffic.process = UT_POISSON;
  struct ut_traffic t;
  unsigned twice;
  must_init(&t, &s, 64);
  for (unsigned terminal = 0; terminal < 64; terminal += 9) {
    assert_in_range(count_packets(&t, terminal, 200000, NULL, &twice), 49100, 50900); /* standard deviation 224 */
    /* expected: cycles * (rate - P(at least one)) = 200000 * (0.25 - (1 - e^-0.25)) = 5760 */
    assert_in_range(twice, 5450, 6070);
  }
  ut_traffic_free(&t);
}

static void loads_at_the_limits(void **state) {
  (void)state;
  struct ut_scenario s = scenario(&ut_pattern_uniform);
  struct ut_traffic t;
  unsigned twice;
  s.sw.packet_flits = 1;
  s.traffic.load_flits_per_cycle = 1;
  must_init(&t, &s, 4);
  assert_int_equal(count_packets(&t, 2, 5000, NULL, &twice), 5000); /* every cycle */
  assert_int_equal(twice, 0);
  ut_traffic_free(&t);
  s.sw.packet_flits = 2;
  s.traffic.load_flits_per_cycle = 2; /* through two links */
  must_init(&t, &s, 4);
  assert_int_equal(count_packets(&t, 2, 5000, NULL, &twice), 5000);
  assert_int_equal(twice, 0);
  ut_traffic_free(&t);
  s.traffic.process = UT_POISSON;
  must_init(&t, &s, 4);
  assert_in_range(count_packets(&t, 2, 100000, NULL, &twice), 98700, 101300); /* four standard deviations */
  assert_true(twice > 20000);
  ut_traffic_free(&t);
  s.sw.packet_flits = 1;
  for (unsigned process = UT_BERNOULLI; process <= UT_POISSON; process++) {
    s.traffic.process = (enum ut_process)process;
    s.traffic.load_flits_per_cycle = 0;
    must_init(&t, &s, 4);
    assert_int_equal(count_packets(&t, 2, UINT64_MAX, NULL, &twice), 0);
    ut_traffic_free(&t);
    s.traffic.load_flits_per_cycle = 1e-30; /* later than any run, without overflow */
    must_init(&t, &s, 4);
    assert_int_equal(count_packets(&t, 2, UINT64_MAX, NULL, &twice), 0);
    ut_traffic_free(&t);
    s.traffic.load_flits_per_cycle = 1e-6;
    must_init(&t, &s, 4);
    assert_in_range(count_packets(&t, 2, UINT64_C(10000000000), NULL, &twice), 9600, 10400);
    ut_traffic_free(&t);
  }
}

/* Numbers of 24 bits, too many for so many destinations: such a draw counts for nothing, another one is taken.
 * fits: the first that counts is drawn, too. */
static void draw_for(uint32_t destinations, enum ut_process process, bool fits) {
  struct ut_scenario s = scenario(&ut_pattern_uniform);
  struct ut_traffic t;
  struct ut_traffic_source source;
  struct ut_packet_request p;
  struct ut_random same;
  uint64_t bits[2 * UT_RANDOM_PAIRS];
  unsigned used = 2 * UT_RANDOM_PAIRS, again = 0, first = 0;
  s.traffic.process = process;
  must_init(&t, &s, destinations + 1);
  ut_traffic_source_init(&source, &t, 123);
  ut_random_init(&same, s.run.seed, UT_RANDOM_TRAFFIC, 123);
  for (unsigned i = 0; i < 8000; i++) {
    uint64_t product;
    assert_true(ut_traffic_next(&t, &source, &p));
    for (bool good = false; !good; again += !good) {
      if (used == 2 * UT_RANDOM_PAIRS) {
        ut_random_pairs(&same, bits);
        used = 0;
      }
      product = (bits[used++] & 0xffffff) * destinations;
      good = product % (1 << 24) >= (1 << 24) % destinations;
      first += product % (1 << 24) == (1 << 24) % destinations;
    }
    const uint32_t other = (uint32_t)(product >> 24);
    assert_int_equal(p.dst, other + (other >= 123));
  }
  assert_in_range(again, 1, 40);
  assert_int_equal(first != 0, fits);
  ut_traffic_free(&t);
}

static void draws_again(void **state) {
  (void)state;
  draw_for(49999, UT_BERNOULLI, false); /* 27551 numbers too many: 13 draws are to be expected */
  draw_for(3 << 14, UT_POISSON, true);  /* 16384, and products are its multiples: 8 draws */
}

/* Sources do not influence one another: interleaved or one after the other, the packets are the same. */
static void order_of_evaluation(void **state) {
  (void)state;
  struct ut_scenario s = scenario(&ut_pattern_uniform);
  struct ut_traffic t;
  must_init(&t, &s, 8);
  struct ut_traffic_source together[8], alone;
  struct ut_packet_request seen[8][50], p;
  for (unsigned i = 0; i < 8; i++)
    ut_traffic_source_init(&together[i], &t, i);
  for (unsigned j = 0; j < 50; j++)
    for (unsigned i = 8; i-- > 0;)
      assert_true(ut_traffic_next(&t, &together[i], &seen[i][j]));
  unsigned equal_to_0 = 0;
  for (unsigned i = 0; i < 8; i++) {
    ut_traffic_source_init(&alone, &t, i);
    for (unsigned j = 0; j < 50; j++) {
      assert_true(ut_traffic_next(&t, &alone, &p));
      assert_true(p.cycle == seen[i][j].cycle && p.dst == seen[i][j].dst && p.flits == seen[i][j].flits);
      equal_to_0 += i > 0 && p.cycle == seen[0][j].cycle;
    }
  }
  assert_true(equal_to_0 < 50);
  ut_traffic_free(&t);
}

static void uniform(void **state) {
  (void)state;
  struct ut_scenario s = scenario(&ut_pattern_uniform);
  struct ut_traffic t;
  unsigned dsts[9] = {0}, twice;
  must_init(&t, &s, 9);
  unsigned count = count_packets(&t, 4, 320000, dsts, &twice); /* 80000 */
  assert_int_equal(dsts[4], 0);
  for (unsigned i = 0; i < 9; i++)
    if (i != 4)
      assert_in_range(dsts[i], count / 8 - 400, count / 8 + 400); /* standard deviation 94 */
  ut_traffic_free(&t);
  unsigned one = 0;
  must_init(&t, &s, 1);
  count = count_packets(&t, 0, 1000, &one, &twice);
  assert_true(one == count && count > 100);
  ut_traffic_free(&t);
}

static void hot_spot(void **state) {
  (void)state;
  struct ut_scenario s = scenario(&ut_pattern_hot_spot);
  s.traffic.hot_spot_fraction = 0.2;
  s.traffic.hot_spots = (struct ut_list){1, {3}};
  struct ut_traffic t;
  unsigned dsts[9] = {0}, own[9] = {0}, twice;
  must_init(&t, &s, 9);
  unsigned count = count_packets(&t, 4, 320000, dsts, &twice);
  assert_in_range(dsts[3], count * 3 / 10 - 600, count * 3 / 10 + 600); /* 0.2 + 0.8 / 8 */
  assert_in_range(dsts[0], count / 10 - 400, count / 10 + 400);
  assert_int_equal(dsts[4], 0);
  count = count_packets(&t, 3, 320000, own, &twice);
  assert_int_equal(own[3], 0);
  assert_in_range(own[0], count / 8 - 400, count / 8 + 400);
  ut_traffic_free(&t);
  s.traffic.hot_spot_fraction = 1;
  must_init(&t, &s, 9);
  memset(dsts, 0, sizeof dsts);
  count = count_packets(&t, 0, 1000, dsts, &twice);
  assert_int_equal(dsts[3], count);
  ut_traffic_free(&t);
}

/* Each of several hot spots gets the same share. */
static void hot_spots(void **state) {
  (void)state;
  struct ut_scenario s = scenario(&ut_pattern_hot_spot);
  s.traffic.hot_spot_fraction = 0.6;
  s.traffic.hot_spots = (struct ut_list){3, {1, 8, 5}};
  struct ut_traffic t;
  unsigned dsts[9] = {0}, own[9] = {0}, twice;
  must_init(&t, &s, 9);
  const unsigned count = count_packets(&t, 4, 320000, dsts, &twice); /* 80,000: standard deviations below 124 */
  for (unsigned i = 0; i < 9; i++) {
    const unsigned share = i == 4 ? 0 : i == 1 || i == 8 || i == 5 ? 25 : 5; /* percent: 60 / 3 + 40 / 8 */
    if (dsts[i] + 600 < count * share / 100 || dsts[i] > count * share / 100 + 600)
      fail_msg("%u of %u packets to %u, expected %u %%", dsts[i], count, i, share);
  }
  count_packets(&t, 5, 320000, own, &twice);
  assert_in_range(own[1], 9400, 10600); /* a hot spot sends uniformly: 80,000 / 8 */
  ut_traffic_free(&t);
}

static void check_map(const struct ut_pattern *pattern, unsigned terminals, const uint16_t *want) {
  struct ut_scenario s = scenario(pattern);
  struct ut_traffic t;
  must_init(&t, &s, terminals);
  for (unsigned i = 0; i < terminals; i++) {
    struct ut_traffic_source source;
    struct ut_packet_request p;
    ut_traffic_source_init(&source, &t, i);
    assert_true(ut_traffic_next(&t, &source, &p));
    assert_int_equal(p.dst, want[i]);
  }
  ut_traffic_free(&t);
}

static void bit_patterns(void **state) {
  (void)state;
  check_map(&ut_pattern_complement, 8, (const uint16_t[]){7, 6, 5, 4, 3, 2, 1, 0});
  check_map(&ut_pattern_shuffle, 8, (const uint16_t[]){0, 2, 4, 6, 1, 3, 5, 7});
  check_map(&ut_pattern_transpose, 16, (const uint16_t[]){0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15});
  check_map(&ut_pattern_complement, 2, (const uint16_t[]){1, 0});
  check_map(&ut_pattern_shuffle, 2, (const uint16_t[]){0, 1});
  check_map(&ut_pattern_complement, 1, (const uint16_t[]){0});
  check_map(&ut_pattern_shuffle, 1, (const uint16_t[]){0});
  check_map(&ut_pattern_transpose, 1, (const uint16_t[]){0});
}

/* ---- files ---- */

/* A file of that text; the caller removes it. */
static void make_file(char path[32], const char *text) {
  strcpy(path, "/tmp/test_traffic.XXXXXX");
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  assert_int_equal(write(descriptor, text, strlen(text)), strlen(text));
  close(descriptor);
}

static void must_fail(const struct ut_scenario *s, unsigned terminals, const char *text) {
  struct ut_traffic t;
  struct ut_error e = {0};
  memset(&t, 0xff, sizeof t);
  assert_int_equal(ut_traffic_init(&t, s, terminals, &e), -1);
  assert_int_equal(e.code, UT_BAD_INPUT);
  if (!strstr(e.text, text))
    fail_msg("'%s' lacks '%s'", e.text, text);
  assert_true(!t.map && !t.trace && !t.trace_first && !t.pattern); /* it is empty */
}

static void file_must_fail(const struct ut_pattern *pattern, const char *content, const char *text) {
  struct ut_scenario s = scenario(pattern);
  char path[32];
  make_file(path, content);
  s.traffic.file = path;
  must_fail(&s, 4, text);
  unlink(path);
}

static void permutation(void **state) {
  (void)state;
  static const char *const files[] = {"# a comment\n3\n0 # another\n\n\t2\r\n0", "0 3\n2 2\n1 0\n 3 0#end\n"};
  static const uint16_t want[] = {3, 0, 2, 0};
  for (unsigned i = 0; i < 2; i++) {
    struct ut_scenario s = scenario(&ut_pattern_permutation);
    struct ut_traffic t;
    char path[32];
    make_file(path, files[i]);
    s.traffic.file = path;
    errno = ERANGE; /* somebody else's */
    must_init(&t, &s, 4);
    assert_memory_equal(t.map, want, sizeof want);
    ut_traffic_free(&t);
    unlink(path);
  }
}

static void bad_permutations(void **state) {
  (void)state;
  file_must_fail(&ut_pattern_permutation, "", "terminal 0 has no destination");
  file_must_fail(&ut_pattern_permutation, "1\n2\n3\n", "terminal 3 has no destination");
  file_must_fail(&ut_pattern_permutation, "1\n2\n3\n0\n0\n", ":5:1: more lines than the 4 terminals");
  file_must_fail(&ut_pattern_permutation, "0 1\n1 1\n2 1\n3 1\n0 1\n", ":5:1: more lines than the 4 terminals");
  file_must_fail(&ut_pattern_permutation, "1\n2\n4\n0\n", ":3:1: terminal 4 does not exist, this network has 0..3");
  file_must_fail(&ut_pattern_permutation, "0 1\n1 2\n0 3\n2 0\n",
                 ":3:1: terminal 0 has a destination from line 1\n  0 3");
  file_must_fail(&ut_pattern_permutation, "0 1\n1 2\n2 9\n", ":3:3: terminal 9");
  file_must_fail(&ut_pattern_permutation, "0 1\n1\n", ":2:1: expected two numbers");
  file_must_fail(&ut_pattern_permutation, "0\n1 1\n", ":2:1: expected one number");
  file_must_fail(&ut_pattern_permutation, "0 1 2\n", ":1:1: expected two numbers");
  file_must_fail(&ut_pattern_permutation, "0\n -1\n", ":2:2: expected a number\n   -1");
  file_must_fail(&ut_pattern_permutation, "0x1\n", ":1:1: expected a number");
  file_must_fail(&ut_pattern_permutation, "99999999999999999999999\n", ":1:1: number too large");
  struct ut_scenario s = scenario(&ut_pattern_permutation);
  must_fail(&s, 4, "permutation_file");
  char path[] = "/tmp";
  s.traffic.file = path;
  must_fail(&s, 4, "/tmp: ");
  char missing[] = "/nonexistent/file";
  s.traffic.file = missing;
  must_fail(&s, 4, "/nonexistent/file: cannot open the permutation file: No such file");
}

static void trace(void **state) {
  (void)state;
  struct ut_scenario s = scenario(&ut_pattern_trace);
  char path[32];
  make_file(path, "# cycle src dst flits\n9 1 2 1\n5 3 0 2\n4 1 0 2\n9 1 3 2\n18446744073709551615 1 1 1\n9 1 0 1\n");
  s.traffic.file = path;
  struct ut_traffic t;
  must_init(&t, &s, 4);
  static const struct ut_packet_request want[] = {{4, 0, 2}, {9, 2, 1},          {9, 3, 2},
                                                  {9, 0, 1}, {UINT64_MAX, 1, 1}, {5, 0, 2}};
  static const unsigned src[] = {1, 1, 1, 1, 1, 3};
  unsigned at = 0;
  for (unsigned terminal = 0; terminal < 4; terminal++) {
    struct ut_traffic_source source;
    struct ut_packet_request p;
    ut_traffic_source_init(&source, &t, terminal);
    for (; ut_traffic_next(&t, &source, &p); at++) {
      assert_true(at < 6 && src[at] == terminal);
      assert_true(p.cycle == want[at].cycle && p.dst == want[at].dst && p.flits == want[at].flits);
    }
    assert_false(ut_traffic_next(&t, &source, &p));
  }
  assert_int_equal(at, 6);
  ut_traffic_free(&t);
  unlink(path);

  make_file(path, "# nothing\n");
  must_init(&t, &s, 4);
  struct ut_traffic_source source;
  struct ut_packet_request p;
  ut_traffic_source_init(&source, &t, 3);
  assert_false(ut_traffic_next(&t, &source, &p));
  ut_traffic_free(&t);
  unlink(path);
}

/* Numbers may be separated by commas, one between two of them. */
static void commas(void **state) {
  (void)state;
  struct ut_scenario s = scenario(&ut_pattern_trace);
  struct ut_traffic t;
  struct ut_error e;
  char path[32];
  make_file(path, "5,0,1,2\n6, 1 ,2,\t1\n7 2,0 2 # 1, 2\n");
  s.traffic.file = path;
  if (ut_traffic_init(&t, &s, 4, &e))
    fail_msg("%s", e.text);
  assert_int_equal(ut_traffic_flits(&t, 0, 10), 5);
  assert_int_equal(ut_traffic_flits(&t, 6, 7), 1);
  ut_traffic_free(&t);
  unlink(path);
  file_must_fail(&ut_pattern_trace, "5,,0,1,2\n", ":1:2: expected a number behind the comma");
  file_must_fail(&ut_pattern_trace, "5,0,1,2,\n", ":1:8: expected a number behind the comma");
  file_must_fail(&ut_pattern_trace, "5,0,1,2, # 3\n", ":1:8: expected a number behind the comma");
  file_must_fail(&ut_pattern_trace, ",5,0,1,2\n", ":1:1: expected a number");
  file_must_fail(&ut_pattern_trace, "5,0,1\n", ":1:1: expected four numbers");
  file_must_fail(&ut_pattern_trace, "5;0;1;2\n", ":1:1: expected a number");
}

static void bad_traces(void **state) {
  (void)state;
  file_must_fail(&ut_pattern_trace, "1 0 1 2\n2 0 1\n", ":2:1: expected four numbers");
  file_must_fail(&ut_pattern_trace, "1 0 1 2 7\n", ":1:9: more than 4 numbers");
  file_must_fail(&ut_pattern_trace, "1 0 1 2 x\n", ":1:9: expected a number");
  file_must_fail(&ut_pattern_trace, "1 0 1 0\n", ":1:7: 0 flits, must be 1..2");
  file_must_fail(&ut_pattern_trace, "1 0 1 3\n", ":1:7: 3 flits, must be 1..2");
  file_must_fail(&ut_pattern_trace, "1 4 1 2\n", ":1:3: terminal 4");
  file_must_fail(&ut_pattern_trace, "1 0 1 2\n1 0 4 2\n", ":2:5: terminal 4");
  struct ut_scenario s = scenario(&ut_pattern_trace);
  must_fail(&s, 4, "trace_file");
  char path[32];
  make_file(path, "1 0 1 2\n1 0 1 1\n");
  s.traffic.file = path;
  s.sw.shortest_packet_flits = 2;
  must_fail(&s, 4, ":2:7: 1 flits, must be 2..2 (shortest_packet_flits and packet_flits of the scenario)");
  unlink(path);
}

/* Relative rates: the mean of all terminals is the load.  Each pair has its share, and its cycles. */
static void rates(void **state) {
  (void)state;
  enum { CYCLES = 400000, PERIOD = 100 };
  static const char text[] = "source,destination,rate,on,off,period\n"
                             "0,1,0.3\n0,2,0.1\n0,1,0\n"
                             "1,3,0.8,0,25,100\n" /* a quarter of the time: 0.2 */
                             "1,0,.2,50,100,100\n"
                             "3,3,1e-1\n"; /* the sum is 0.8: a unit of it is a load of 0.36 * 4 / 0.8 = 1.8 */
  static const double want[4][4] = {{0, 0.54, 0.18, 0}, {0.18, 0, 0, 0.36}, {0}, {0, 0, 0, 0.18}}; /* flits per cycle */
  for (unsigned poisson = 0; poisson < 2; poisson++) {
    struct ut_scenario s = scenario(&ut_pattern_rates);
    struct ut_traffic t;
    char path[32];
    make_file(path, text);
    s.traffic.file = path;
    s.traffic.process = poisson ? UT_POISSON : UT_BERNOULLI;
    s.traffic.load_flits_per_cycle = 0.36;
    must_init(&t, &s, 4);
    for (unsigned src = 0; src < 4; src++) {
      struct ut_traffic_source source;
      struct ut_packet_request p;
      unsigned sent[4] = {0};
      ut_traffic_source_init(&source, &t, src);
      while (ut_traffic_next(&t, &source, &p) && p.cycle < CYCLES) {
        const unsigned phase = p.cycle % PERIOD;
        sent[p.dst]++;
        if (src == 1 && (p.dst == 3 ? phase >= 25 : phase < 50))
          fail_msg("packet from 1 to %u in cycle %u of the period", p.dst, phase);
      }
      for (unsigned dst = 0; dst < 4; dst++) { /* packets of 2 flits; standard deviations below 390 */
        const double expected = want[src][dst] * CYCLES / 2;
        if (sent[dst] + 1200 < expected || sent[dst] > expected + 1200)
          fail_msg("%u packets from %u to %u, expected %.0f", sent[dst], src, dst, expected);
      }
    }
    ut_traffic_free(&t);
    unlink(path);
  }
}

static void bad_rates(void **state) {
  (void)state;
  file_must_fail(&ut_pattern_rates, "0 1\n", ":1:1: expected source, destination and rate");
  file_must_fail(&ut_pattern_rates, "0 1 0.5 3\n", ":1:1: expected source, destination and rate");
  file_must_fail(&ut_pattern_rates, "0 1 0.5 3 4 5 6\n", ":1:15: more than 6 numbers");
  file_must_fail(&ut_pattern_rates, "0 4 0.5\n", ":1:3: terminal 4 does not exist, this network has 0..3");
  file_must_fail(&ut_pattern_rates, "0 1 -0.5\n", ":1:5: expected a number that is not negative");
  file_must_fail(&ut_pattern_rates, "0 1 nan\n", ":1:5: expected a number that is not negative");
  file_must_fail(&ut_pattern_rates, "0.5 1 1\n", ":1:1: expected a number");
  file_must_fail(&ut_pattern_rates, "0 1 1\nsrc dst rate\n", ":2:1: expected a number");
  file_must_fail(&ut_pattern_rates, "0 1 1 5 5 9\n", ":1:7: on 5, off 5, period 9: must be on < off <= period");
  file_must_fail(&ut_pattern_rates, "0 1 1 5 10 9\n", ":1:7: on 5, off 10, period 9: must be on < off <= period");
  file_must_fail(&ut_pattern_rates, "0 1 1 0 1 1000000001\n", ":1:11: more than 1000000000 cycles");
  file_must_fail(&ut_pattern_rates, "", ": the sum of all loads is 0, must be finite and above 0");
}

/* Terminals with loads of their own, of which the mean is the load; all others have 1. */
static void terminal_loads(void **state) {
  (void)state;
  struct ut_scenario s = scenario(&ut_pattern_uniform);
  struct ut_traffic t;
  char path[32];
  static const double want[4] = {0.5, 1, 0, 0.5};
  make_file(path, "terminal,load\n1,2\n2 0 # silent\n");
  s.traffic.terminal_loads_file = path;
  must_init(&t, &s, 4);
  for (unsigned terminal = 0; terminal < 4; terminal++) {
    unsigned twice;
    const unsigned packets = count_packets(&t, terminal, 200000, NULL, &twice),
                   expected = (unsigned)(want[terminal] * 1e5);
    if (packets + 700 < expected || packets > expected + 700) /* standard deviations below 224 */
      fail_msg("%u packets of terminal %u, expected %u", packets, terminal, expected);
  }
  ut_traffic_free(&t);
  unlink(path);
  static const struct {
    const char *text, *message;
  } bad[] = {{"1\n", ":1:1: expected two numbers: terminal and load"},
             {"1 2 3\n", ":1:5: more than 2 numbers"},
             {"4 1\n", ":1:1: terminal 4 does not exist"},
             {"1 1\n2 1\n1 2\n", ":3:1: terminal 1 has a load from line 1"},
             {"0 0\n1 0\n2 0\n3 0\n", ": the sum of all loads is 0"},
             {"0 0\n1 0\n2 0\n3 5\n", ": terminal 3 would send up to 2.4 flits per cycle"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    make_file(path, bad[i].text);
    s.traffic.load_flits_per_cycle = i == 5 ? 0.6 : 0.5;
    must_fail(&s, 4, bad[i].message);
    unlink(path);
  }
}

static void impossible(void **state) {
  (void)state;
  struct ut_scenario s = scenario(&ut_pattern_complement);
  must_fail(&s, 27,
            "pattern complement works on address bits: 27 terminals are no power of two\nchoose k as a power of two");
  s = scenario(&ut_pattern_shuffle);
  must_fail(&s, 12, "pattern shuffle works on address bits: 12 terminals");
  s = scenario(&ut_pattern_transpose);
  must_fail(&s, 8, "pattern transpose swaps the halves of an address: 8 terminals have an odd number of bits");
  s = scenario(&ut_pattern_hot_spot);
  s.traffic.hot_spots = (struct ut_list){1, {8}};
  must_fail(&s, 8, "terminal 8 does not exist, this network has 0..7");
  s.traffic.hot_spots.value[0] = 0, s.traffic.hot_spot_fraction = 1.5;
  must_fail(&s, 8, "'traffic.hot_spot_fraction' is 1.5, must be 0..1");
  s.traffic.hot_spot_fraction = -0.5;
  must_fail(&s, 8, "'traffic.hot_spot_fraction' is -0.5, must be 0..1");
  s = scenario(&ut_pattern_uniform);
  s.traffic.load_flits_per_cycle = 8.1;
  must_fail(&s, 8, "load_flits_per_cycle is 8.1, must be 0..8");
  s.traffic.load_flits_per_cycle = strtod("nan", NULL);
  must_fail(&s, 8, "load_flits_per_cycle");
  s.traffic.load_flits_per_cycle = -0.5;
  must_fail(&s, 8, "load_flits_per_cycle is -0.5");
  s = scenario(&ut_pattern_uniform);
  must_fail(&s, 0, "0 terminals");
  must_fail(&s, 65537, "65537 terminals");
  s.sw.packet_flits = 0;
  must_fail(&s, 8, "packet_flits is 0");
  s.sw.packet_flits = UT_MAX_PACKET + 1;
  must_fail(&s, 8, "packet_flits is 1024");
  struct ut_traffic t; /* and the largest of all */
  s.sw.packet_flits = UT_MAX_PACKET;
  s.traffic.load_flits_per_cycle = 8;
  must_init(&t, &s, 65536);
  ut_traffic_free(&t);
}

/* The table's mean against sums over the distribution, in closed form. */
static void means_of_lengths(void **state) {
  (void)state;
  static const struct {
    struct ut_length_rule rule;
    double mean, off;
  } cases[] = {
      {{.kind = UT_LENGTHS_FIXED, .min = 1, .max = 7}, 7, 0},
      {{.kind = UT_LENGTHS_UNIFORM, .min = 1, .max = 39}, 20, 1e-9},
      {{.kind = UT_LENGTHS_UNIFORM, .min = 5, .max = 5}, 5, 0},
      {{.kind = UT_LENGTHS_BIMODAL, .min = 2, .max = 18, .long_fraction = 0.25}, 6, 0},
      {{.kind = UT_LENGTHS_BIMODAL, .min = 2, .max = 18, .long_fraction = 1}, 18, 0},
      {{.kind = UT_LENGTHS_BIMODAL, .min = 2, .max = 18, .long_fraction = 0}, 2, 0},
      /* min + sum of P(more than n) = exp(-(n + 0.5) / 20) over n = min..max-1 */
      {{.kind = UT_LENGTHS_EXPONENTIAL, .min = 2, .max = 1023, .mean = 20}, 20.0948634, 1e-6},
      {{.kind = UT_LENGTHS_EXPONENTIAL, .min = 1, .max = 1023, .mean = 20}, 20.0226069, 1e-6},
      {{.kind = UT_LENGTHS_EXPONENTIAL, .min = 4, .max = 16, .mean = 8}, 7.7671100, 1e-6},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct ut_lengths l;
    struct ut_error e;
    assert_int_equal(ut_lengths_init(&l, &cases[i].rule, &e), 0);
    if (!(l.mean >= cases[i].mean - cases[i].off && l.mean <= cases[i].mean + cases[i].off))
      fail_msg("case %zu: %.9g", i, l.mean);
    assert_true((l.at_most == NULL) == (cases[i].rule.kind == UT_LENGTHS_FIXED));
    for (unsigned n = 0; l.at_most && n < l.max - l.min; n++) { /* the draws on both sides of a border */
      assert_true(!l.at_most[n] || ut_lengths_of(&l, l.at_most[n] - 1) <= l.min + n);
      assert_true(l.at_most[n] == UINT64_C(1) << UT_LENGTH_BITS || ut_lengths_of(&l, l.at_most[n]) > l.min + n);
    }
    ut_lengths_free(&l);
  }
}

/* Each entry of a table counts exactly the draws that are rounded to at most so many flits: the last of 2^40. */
static void draws_of_exponential_lengths(void **state) {
  (void)state;
  static const struct ut_length_rule rules[] = {
      {.kind = UT_LENGTHS_EXPONENTIAL, .min = 1, .max = 100, .mean = 1}, /* no draw gives more than 28 */
      {.kind = UT_LENGTHS_EXPONENTIAL, .min = 3, .max = 40, .mean = 0.7},
      {.kind = UT_LENGTHS_EXPONENTIAL, .min = 1, .max = 1023, .mean = 20},
      {.kind = UT_LENGTHS_EXPONENTIAL, .min = 2, .max = 5, .mean = 400},
  };
  const uint64_t all = UINT64_C(1) << UT_LENGTH_BITS;
  for (unsigned i = 0; i < sizeof rules / sizeof rules[0]; i++) {
    struct ut_lengths l;
    struct ut_error e;
    assert_int_equal(ut_lengths_init(&l, &rules[i], &e), 0);
    assert_true(l.min == rules[i].min && l.max == rules[i].max);
    assert_true(l.at_most[l.max - l.min] == all);
    for (unsigned flits = l.min; flits < l.max; flits++) {
      const uint64_t count = l.at_most[flits - l.min];
      assert_true(count <= all);
      if (count) /* the first of them, and the last of the others */
        assert_true(ut_exponential_of(all - count) * rules[i].mean < flits + 0.5);
      if (count < all)
        assert_false(ut_exponential_of(all - count - 1) * rules[i].mean < flits + 0.5);
    }
    ut_lengths_free(&l);
  }
}

/* Of the other distributions: an equal share of the draws for each length, the first for the shortest one; a part of
 * them. */
static void draws_of_other_lengths(void **state) {
  (void)state;
  const uint64_t all = UINT64_C(1) << UT_LENGTH_BITS;
  struct ut_lengths l;
  struct ut_error e;
  for (unsigned min = 1; min < 12; min += 5)
    for (unsigned max = min; max < min + 9; max++) {
      const struct ut_length_rule uniform = {.kind = UT_LENGTHS_UNIFORM, .min = min, .max = max};
      double mean = 0;
      uint64_t before = 0;
      assert_int_equal(ut_lengths_init(&l, &uniform, &e), 0);
      assert_true(l.min == min && l.max == max);
      for (unsigned i = 0; i <= max - min; i++) {
        const uint64_t share = all / (max - min + 1);
        assert_true(l.at_most[i] == (i == max - min ? all : share * (i + 1)));
        mean += (double)(min + i) * (double)(l.at_most[i] - before);
        before = l.at_most[i];
      }
      assert_true(l.mean == mean / (double)all);
      ut_lengths_free(&l);
    }
  for (unsigned i = 0; i <= 8; i++) {
    const struct ut_length_rule bimodal = {.kind = UT_LENGTHS_BIMODAL, .min = 3, .max = 7, .long_fraction = i / 8.0};
    assert_int_equal(ut_lengths_init(&l, &bimodal, &e), 0);
    for (unsigned n = 0; n < 5; n++)
      assert_true(l.at_most[n] == (n == 4 ? all : all / 8 * (8 - i)));
    assert_true(l.min == 3 && l.max == 7 && l.mean == 3 + 4 * (i / 8.0));
    ut_lengths_free(&l);
  }
  const struct ut_length_rule fixed = {.kind = UT_LENGTHS_FIXED, .min = 2, .max = 9};
  assert_int_equal(ut_lengths_init(&l, &fixed, &e), 0);
  assert_true(l.min == 9 && l.max == 9 && l.mean == 9 && !l.at_most);
}

/* Lengths are as often drawn as the table says, the load in flits is that of the scenario, and the rest of the traffic
 * does not know of them. */
static void drawn_lengths(void **state) {
  (void)state;
  static const struct {
    enum ut_distribution kind;
    unsigned min, max;
    double mean, fraction;
  } cases[] = {
      {UT_LENGTHS_EXPONENTIAL, 2, 200, 20, 0}, {UT_LENGTHS_UNIFORM, 1, 39, 0, 0}, {UT_LENGTHS_BIMODAL, 2, 18, 0, 0.5}};
  enum { CYCLES = 4000000 };
  for (unsigned i = 0; i < 6; i++) {
    struct ut_scenario s = scenario(&ut_pattern_uniform);
    s.traffic.process = i % 2 ? UT_POISSON : UT_BERNOULLI;
    s.sw.distribution = cases[i / 2].kind;
    s.sw.shortest_packet_flits = cases[i / 2].min;
    s.sw.packet_flits = cases[i / 2].max;
    s.sw.mean_flits = cases[i / 2].mean;
    s.sw.long_fraction = cases[i / 2].fraction;
    struct ut_traffic t;
    must_init(&t, &s, 64);
    struct ut_traffic_source source;
    struct ut_packet_request p;
    ut_traffic_source_init(&source, &t, 11);
    uint64_t flits = 0, packets = 0, count[256] = {0};
    while (ut_traffic_next(&t, &source, &p) && p.cycle < CYCLES) {
      assert_in_range(p.flits, cases[i / 2].min, cases[i / 2].max);
      count[p.flits]++;
      flits += p.flits;
      packets++;
    }
    assert_in_range(flits, CYCLES / 2 - CYCLES / 100,
                    CYCLES / 2 + CYCLES / 100); /* five standard deviations and more */
    uint64_t before = 0;
    for (unsigned n = t.lengths.min; n <= t.lengths.max; n++) {
      const double expected = (double)packets * (double)(t.lengths.at_most[n - t.lengths.min] - before) * 0x1p-40;
      const double off = (double)count[n] - expected;
      before = t.lengths.at_most[n - t.lengths.min];
      assert_true(off * off <= 25 * expected + 25); /* five standard deviations */
    }
    /* the same times and destinations as packets of one length that have the same mean */
    struct ut_traffic fixed = t;
    fixed.lengths.at_most = NULL;
    struct ut_traffic_source other;
    ut_traffic_source_init(&source, &t, 11);
    ut_traffic_source_init(&other, &fixed, 11);
    for (unsigned n = 0; n < 1000; n++) {
      struct ut_packet_request q;
      assert_true(ut_traffic_next(&t, &source, &p) && ut_traffic_next(&fixed, &other, &q));
      assert_true(p.cycle == q.cycle && p.dst == q.dst);
    }
    ut_traffic_free(&t);
  }
}

/* Any change of source, tag, place or of the mark of the last word changes the word; every bit takes both values. */
static void body_words(void **state) {
  (void)state;
  uint64_t ones = 0, zeros = 0;
  for (uint32_t i = 1; i < 2000; i++) {
    uint16_t src = (uint16_t)(i * 33);
    uint8_t tag = (uint8_t)(i * 7);
    uint64_t word = ut_body_word(src, tag, i, false);
    assert_int_equal(ut_body_end(ut_body_begin(src, tag, 0) + i * UT_BODY_STEP, false), word);
    assert_int_equal(word >> 63, 0);
    assert_int_equal(ut_body_word(src, tag, i, true), word | UINT64_C(1) << 63);
    ones |= word;
    zeros |= ~word;
    for (unsigned bit = 0; bit < 16; bit++)
      assert_true(ut_body_word((uint16_t)(src ^ 1u << bit), tag, i, false) != word);
    for (unsigned bit = 0; bit < 8; bit++)
      assert_true(ut_body_word(src, (uint8_t)(tag ^ 1u << bit), i, false) != word);
    for (unsigned bit = 0; bit < 32; bit++)
      assert_true(ut_body_word(src, tag, i ^ 1u << bit, false) != word);
  }
  assert_int_equal(ones, UINT64_MAX >> 1);
  assert_int_equal(zeros, UINT64_MAX);
}

/* Whichever bit of source, tag or place changes, each bit of the word changes in about half of all words. */
static void body_words_are_mixed(void **state) {
  (void)state;
  enum { WORDS = 4000, INPUTS = 16 + 8 + 13 }; /* places: of 1023 flits of 8 words */
  for (unsigned input = 0; input < INPUTS; input++) {
    const uint16_t src = (uint16_t)(input < 16 ? 1u << input : 0);
    const uint8_t tag = (uint8_t)(input >= 16 && input < 24 ? 1u << (input - 16) : 0);
    const uint32_t index = input >= 24 ? UINT32_C(1) << (input - 24) : 0;
    unsigned changes[64] = {0};
    for (uint32_t i = 0; i < WORDS; i++) {
      const uint16_t s = (uint16_t)(i * 40503);
      const uint8_t g = (uint8_t)(i * 7);
      const uint64_t changed = ut_body_word(s, g, i, false) ^ ut_body_word(s ^ src, g ^ tag, i ^ index, false);
      for (unsigned bit = 0; bit < 63; bit++)
        changes[bit] += changed >> bit & 1;
    }
    for (unsigned bit = 0; bit < 63; bit++)
      if (changes[bit] < WORDS / 4 || changes[bit] > 3 * WORDS / 4)
        fail_msg("input bit %u changes bit %u of %u words, expected about %u", input, bit, changes[bit], WORDS / 2);
  }
}

/* However many packets are drawn at a time, they are the same, and no more than wanted. */
static void draws_as_many_as_wanted(void **state) {
  (void)state;
  enum { PACKETS = 600, MOST = 40 };
  for (unsigned kind = 0; kind < 5; kind++) {
    struct ut_scenario s = scenario(kind == 4 ? &ut_pattern_hot_spot : &ut_pattern_uniform);
    s.traffic.hot_spots = (struct ut_list){1, {0}};
    s.traffic.process = kind == 3 ? UT_POISSON : UT_BERNOULLI;
    s.traffic.load_flits_per_cycle = kind == 0 ? 2 : kind == 1 ? 1.9 : kind == 2 ? 0.01 : 0.5;
    struct ut_traffic t;
    struct ut_traffic_source single, several;
    must_init(&t, &s, 200);
    for (unsigned count = 1; count < MOST; count++) {
      ut_traffic_source_init(&single, &t, 77), ut_traffic_source_init(&several, &t, 77);
      for (unsigned done = 0; done < PACKETS; done += count) {
        struct ut_packet_request p, list[2 * MOST];
        memset(list, 0xee, sizeof list);
        assert_int_equal(ut_traffic_draw(&t, &several, count, list), count);
        for (unsigned i = 0; i < count; i++) {
          assert_true(ut_traffic_next(&t, &single, &p));
          assert_true(p.cycle == list[i].cycle && p.dst == list[i].dst && p.flits == list[i].flits);
        }
        for (unsigned i = count; i < 2 * MOST; i++)
          assert_true(list[i].cycle == UINT64_C(0xeeeeeeeeeeeeeeee) && list[i].dst == 0xeeee);
      }
    }
    ut_traffic_free(&t);
  }
}

static int lowest_free_file(void) {
  const int file = dup(0);
  assert_true(file >= 0);
  close(file);
  return file;
}

/* What concerns other patterns is not looked at; what is read is closed again; the limits themselves are possible. */
static void possible(void **state) {
  (void)state;
  struct ut_traffic t;
  struct ut_scenario s = scenario(&ut_pattern_uniform);
  s.traffic.hot_spots = (struct ut_list){1, {100}}, s.traffic.hot_spot_fraction = 7;
  must_init(&t, &s, 8);
  ut_traffic_free(&t);
  s = scenario(&ut_pattern_uniform);
  s.sw.packet_flits = 1;
  must_init(&t, &s, 1);
  ut_traffic_free(&t);
  const int file = lowest_free_file();
  for (unsigned i = 0; i < 2; i++) {
    char path[32];
    make_file(path, i ? "5 0 1 2\n" : "1\n0\n");
    s = scenario(i ? &ut_pattern_trace : &ut_pattern_permutation);
    s.traffic.file = path;
    must_init(&t, &s, 2);
    ut_traffic_free(&t);
    assert_int_equal(lowest_free_file(), file);
    s.sw.shortest_packet_flits = s.sw.packet_flits = 3;
    if (i)
      must_fail(&s, 2, "2 flits, must be 3..3 (shortest_packet_flits and packet_flits of the scenario)");
    unlink(path);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bernoulli),
      cmocka_unit_test(bernoulli_gaps),
      cmocka_unit_test(poisson),
      cmocka_unit_test(loads_at_the_limits),
      cmocka_unit_test(draws_again),
      cmocka_unit_test(order_of_evaluation),
      cmocka_unit_test(uniform),
      cmocka_unit_test(hot_spot),
      cmocka_unit_test(hot_spots),
      cmocka_unit_test(rates),
      cmocka_unit_test(bad_rates),
      cmocka_unit_test(terminal_loads),
      cmocka_unit_test(bit_patterns),
      cmocka_unit_test(permutation),
      cmocka_unit_test(bad_permutations),
      cmocka_unit_test(trace),
      cmocka_unit_test(commas),
      cmocka_unit_test(bad_traces),
      cmocka_unit_test(impossible),
      cmocka_unit_test(the_end_of_time),
      cmocka_unit_test(means_of_lengths),
      cmocka_unit_test(draws_of_exponential_lengths),
      cmocka_unit_test(draws_of_other_lengths),
      cmocka_unit_test(drawn_lengths),
      cmocka_unit_test(body_words),
      cmocka_unit_test(possible),
      cmocka_unit_test(draws_as_many_as_wanted),
      cmocka_unit_test(body_words_are_mixed),
  };
  return cmocka_run_group_tests_name("traffic", tests, NULL, NULL);
}
