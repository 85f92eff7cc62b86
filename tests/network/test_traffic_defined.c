/* test_traffic_defined.c - csim/network/traffic: packets of every pattern and process against their definition, in the
 * arithmetic of the C library where its last bits do not matter; traces against all their lines. */
#include "traffic.h"

#include <math.h>
#include <string.h>

#include "scenarios.h"

/* A source, by its definition: one draw for each packet. */
struct defined {
  const struct ut_traffic *t;
  const struct ut_scenario *s;
  struct ut_random random, lengths;
  uint64_t pair[2], cycle;
  unsigned left, terminal, terminals;
  double fraction, unit; /* Poisson: of a cycle; the last draw that has decided about the hot spot */
};

static void begin(struct defined *d, const struct ut_traffic *t, const struct ut_scenario *s, unsigned terminal,
                  unsigned terminals) {
  *d = (struct defined){.t = t, .s = s, .terminal = terminal, .terminals = terminals};
  ut_random_init(&d->random, s->run.seed, UT_RANDOM_TRAFFIC, terminal);
  ut_random_init(&d->lengths, s->run.seed, UT_RANDOM_LENGTHS, terminal);
}

static uint64_t draw(struct defined *d) {
  if (!d->left) {
    ut_random_pair(&d->random, d->pair);
    d->left = 2;
  }
  return d->pair[2 - d->left--];
}

static uint64_t words(struct ut_random *r) {
  const uint64_t high = ut_random_u32(r);
  return high << 32 | ut_random_u32(r);
}

static unsigned any_other(struct defined *d, uint64_t bits) {
  const uint64_t others = d->terminals - 1;
  if (!others)
    return 0;
  while (bits * others % (1 << 24) < (1 << 24) % others)
    bits = draw(d) % (1 << 24);
  const unsigned other = (unsigned)(bits * others >> 24);
  return other < d->terminal ? other : other + 1;
}

static unsigned destination(struct defined *d, uint64_t bits) {
  unsigned b = 0, to = 0;
  while (1u << b < d->terminals)
    b++;
  switch (d->s->traffic.pattern) {
  case UT_COMPLEMENT: return d->terminals - 1 - d->terminal;
  case UT_SHUFFLE:
  case UT_TRANSPOSE: /* bit by bit */
    for (unsigned i = 0; i < b; i++)
      to |= (d->terminal >> i & 1) << (i + (d->s->traffic.pattern == UT_SHUFFLE ? 1 : b / 2)) % b;
    return to;
  case UT_PERMUTATION: return (3 * d->terminal + 1) % d->terminals;
  case UT_HOT_SPOT:
    if (d->terminal == d->s->traffic.hot_spot_node)
      return any_other(d, bits);
    d->unit = (double)((words(&d->random) >> 11) + 1) * 0x1p-53;
    return d->unit <= d->s->traffic.hot_spot_fraction ? d->s->traffic.hot_spot_node : any_other(d, bits);
  default: return any_other(d, bits);
  }
}

static struct ut_packet_request next(struct defined *d) {
  const struct ut_lengths *l = &d->t->lengths;
  const double rate = d->s->traffic.load_flits_per_cycle / l->mean;
  const bool poisson = d->s->traffic.process == UT_POISSON;
  const double mean = poisson ? 1 / rate : rate < 1 ? 1 / ut_minus_log(1 - rate) : 0;
  const uint64_t bits = draw(d);
  const double gap = d->fraction - log((double)((bits >> 24) + 1) * 0x1p-40) * mean;
  struct ut_packet_request p = {.cycle = d->cycle + (uint64_t)gap, .flits = (uint16_t)d->s->sw.packet_flits};
  d->cycle = poisson ? p.cycle : p.cycle + 1;
  d->fraction = poisson ? gap - floor(gap) : 0;
  p.dst = (uint16_t)destination(d, bits % (1 << 24));
  if (l->at_most) {
    const uint64_t length = words(&d->lengths) >> 24;
    for (p.flits = (uint16_t)l->min; length >= l->at_most[p.flits - l->min];)
      p.flits++;
  }
  return p;
}

static void must_init(struct ut_traffic *t, const struct ut_scenario *s, unsigned terminals) {
  struct ut_error e;
  if (ut_traffic_init(t, s, terminals, &e))
    fail_msg("%s", e.text);
}

/* Some packets of some terminals.  Returns the draw for the hot spot of the first packet of terminal 0. */
static double compare(const struct ut_scenario *s, unsigned terminals) {
  enum { PACKETS = 60 };
  struct ut_traffic t;
  double unit = 0;
  must_init(&t, s, terminals);
  const unsigned some[] = {0, terminals / 3, terminals - 1};
  for (unsigned i = 0; i < 3; i++) {
    struct ut_packet_request list[PACKETS];
    struct ut_traffic_source source;
    struct defined d;
    ut_traffic_source_init(&source, &t, some[i]);
    begin(&d, &t, s, some[i], terminals);
    assert_int_equal(ut_traffic_draw(&t, &source, PACKETS, list), PACKETS);
    for (unsigned k = 0; k < PACKETS; k++) {
      const struct ut_packet_request p = next(&d);
      if (p.cycle != list[k].cycle || p.dst != list[k].dst || p.flits != list[k].flits)
        fail_msg("pattern %d, process %d, load %g, %u terminals, %u: packet %u in cycle %llu to %u, expected %llu, %u",
                 (int)s->traffic.pattern, (int)s->traffic.process, s->traffic.load_flits_per_cycle, terminals, some[i],
                 k, (unsigned long long)list[k].cycle, list[k].dst, (unsigned long long)p.cycle, p.dst);
      if (i == 0 && k == 0)
        unit = d.unit;
    }
  }
  ut_traffic_free(&t);
  return unit;
}

static bool possible(enum ut_pattern pattern, unsigned terminals) {
  const unsigned bits = (unsigned)__builtin_ctz(terminals);
  return (pattern != UT_COMPLEMENT && pattern != UT_SHUFFLE && pattern != UT_TRANSPOSE) ||
         (terminals == 1u << bits && (pattern != UT_TRANSPOSE || bits % 2 == 0));
}

static void write_permutation(char path[UT_TEST_TRACE_PATH], unsigned terminals, bool pairs) {
  char text[8192] = "";
  size_t used = 0;
  for (unsigned i = 0; i < terminals; i++) {
    const unsigned src = pairs ? terminals - 1 - i : i, dst = (3 * src + 1) % terminals;
    used += (size_t)(pairs ? snprintf(text + used, sizeof text - used, "%u %u\n", src, dst)
                           : snprintf(text + used, sizeof text - used, "%u\n", dst));
  }
  assert_true(used < sizeof text);
  test_write_trace(path, text);
}

static void packets_are_those_of_the_definition(void **state) {
  (void)state;
  static const unsigned terminals[] = {1, 2, 3, 4, 5, 16, 64, 128, 200, 50000, 65536};
  static const double load[] = {1e-6, 0.01, 0.5, 1, 1.7, 2, 7.5};
  static const struct {
    enum ut_distribution kind;
    unsigned shortest, longest;
  } lengths[] = {
      {UT_LENGTHS_FIXED, 0, 1}, {UT_LENGTHS_FIXED, 0, 3}, {UT_LENGTHS_UNIFORM, 2, 8}, {UT_LENGTHS_BIMODAL, 1, 6}};
  unsigned turn = 0;
  for (enum ut_pattern pattern = UT_UNIFORM; pattern <= UT_PERMUTATION; pattern++)
    for (unsigned i = 0; i < sizeof terminals / sizeof *terminals; i++)
      for (unsigned j = 0; j < sizeof load / sizeof *load; j++, turn++) {
        const unsigned n = terminals[i], l = turn % 4;
        char path[UT_TEST_TRACE_PATH];
        struct ut_scenario s = {
            .sw = {.packet_flits = lengths[l].longest,
                   .shortest_packet_flits = lengths[l].shortest,
                   .distribution = lengths[l].kind,
                   .long_fraction = 0.4},
            .traffic = {.pattern = pattern,
                        .load_flits_per_cycle = load[j],
                        .process = turn / 4 % 3 ? UT_BERNOULLI : UT_POISSON,
                        .hot_spot_node = n - 1,
                        .hot_spot_fraction = turn % 3 * 0.5},
            .run = {.seed = 100 + turn},
        };
        if (!possible(pattern, n) || (pattern != UT_UNIFORM && n > 200))
          continue;
        if (pattern == UT_PERMUTATION) {
          write_permutation(path, n, turn % 2);
          s.traffic.file = path;
        }
        const double unit = compare(&s, n);
        if (pattern == UT_PERMUTATION)
          unlink(path);
        if (pattern != UT_HOT_SPOT || n == 1)
          continue;
        assert_true(unit > 0 && unit <= 1);
        for (unsigned more = 0; more < 2; more++) { /* the first packet just goes there, or just does not */
          s.traffic.hot_spot_fraction = unit - more * 0x1p-53;
          compare(&s, n);
        }
      }
}

/* ---- traces */

struct line {
  uint64_t cycle;
  unsigned src, dst, flits;
};

/* Each terminal has its lines in order of time, and those of one cycle in the order of the file. */
static void compare_trace(const struct line *line, unsigned lines, unsigned terminals) {
  static char text[1 << 17];
  char path[UT_TEST_TRACE_PATH];
  struct ut_traffic t;
  const struct ut_scenario s = {.sw = {.packet_flits = 4}, .traffic = {.pattern = UT_TRACE, .file = path}};
  size_t used = 0;
  text[0] = '\0';
  for (unsigned i = 0; i < lines; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%llu %u %u %u\n", (unsigned long long)line[i].cycle,
                             line[i].src, line[i].dst, line[i].flits);
  assert_true(used < sizeof text);
  test_write_trace(path, text);
  must_init(&t, &s, terminals);
  unlink(path);
  bool *seen = calloc(lines + 1, sizeof *seen);
  assert_non_null(seen);
  unsigned packets = 0;
  for (unsigned src = 0; src < terminals; src++) {
    struct ut_traffic_source source;
    struct ut_packet_request p;
    ut_traffic_source_init(&source, &t, src);
    for (; ut_traffic_next(&t, &source, &p); packets++) {
      unsigned first = lines;
      for (unsigned i = lines; i-- > 0;)
        if (!seen[i] && line[i].src == src && (first == lines || line[i].cycle <= line[first].cycle))
          first = i;
      assert_true(first < lines);
      seen[first] = true;
      assert_true(p.cycle == line[first].cycle && p.dst == line[first].dst && p.flits == line[first].flits);
    }
  }
  assert_int_equal(packets, lines);
  for (unsigned src = 0; src < terminals; src++) { /* as many at a time as wanted, while there are some */
    enum { COUNT = 4 };
    struct ut_traffic_source one, several;
    struct ut_packet_request p, list[COUNT];
    ut_traffic_source_init(&one, &t, src), ut_traffic_source_init(&several, &t, src);
    for (unsigned more = COUNT; more == COUNT;) {
      more = ut_traffic_draw(&t, &several, COUNT, list);
      for (unsigned i = 0; i < more; i++)
        assert_true(ut_traffic_next(&t, &one, &p) && p.cycle == list[i].cycle && p.dst == list[i].dst);
    }
    assert_false(ut_traffic_next(&t, &one, &p));
  }
  for (uint64_t from = 0; from < 12; from++) {
    uint64_t later = 0;
    for (unsigned i = 0; i < lines; i++)
      later += line[i].cycle >= from;
    assert_int_equal(ut_traffic_packets_from(&t, from), later);
    for (uint64_t until = 0; until < 12; until++) {
      uint64_t flits = 0;
      for (unsigned i = 0; i < lines; i++)
        flits += line[i].cycle >= from && line[i].cycle < until ? line[i].flits : 0;
      assert_int_equal(ut_traffic_flits(&t, from, until), flits);
    }
  }
  ut_traffic_free(&t);
  free(seen);
}

static void traces(void **state) {
  (void)state;
  enum { MOST = 2100 };
  static struct line line[MOST];
  struct ut_random random;
  ut_random_init(&random, 3, UT_RANDOM_TEST, 0);
  static const unsigned lines[] = {0, 1, 1, 2, 2, 3, 4, 5, 6, 8, 12, 20, 40, 1023, 1024, 1025, 2048, 2049, MOST};
  for (unsigned i = 0; i < 60; i++) {
    const unsigned count = i < sizeof lines / sizeof *lines ? lines[i] : i % 11, terminals = 1 + i % 7;
    for (unsigned k = 0; k < count; k++)
      line[k] = (struct line){ut_random_below(&random, count < 100 ? 11 : 900), ut_random_below(&random, terminals),
                              ut_random_below(&random, terminals), 1 + ut_random_below(&random, 4)};
    compare_trace(line, count, terminals);
  }
}

/* ---- limits */

static void limits(void **state) {
  (void)state;
  struct ut_traffic t;
  struct ut_error e;
  struct ut_scenario s = {.sw = {.packet_flits = 2},
                          .traffic = {.pattern = UT_HOT_SPOT, .load_flits_per_cycle = 0.5, .hot_spot_node = 7}};
  must_init(&t, &s, 8); /* a fraction of 0, and the last terminal */
  ut_traffic_free(&t);
  s.traffic.hot_spot_fraction = 1;
  must_init(&t, &s, 8);
  ut_traffic_free(&t);
  assert_int_equal(ut_traffic_init(&t, &s, 7, &e), -1);
  assert_string_equal(e.text, "traffic: hot_spot_node is 7, this network has terminals 0..6");
  s.traffic.load_flits_per_cycle = UT_MAX_TERMINAL_LINKS;
  must_init(&t, &s, 8);
  ut_traffic_free(&t);
  s.traffic.load_flits_per_cycle = UT_MAX_TERMINAL_LINKS + 0.5;
  assert_int_equal(ut_traffic_init(&t, &s, 8, &e), -1);
  assert_string_equal(e.text, "traffic: load_flits_per_cycle is 8.5, must be 0..8");
  s.traffic.load_flits_per_cycle = 0; /* nothing, of nobody */
  for (s.traffic.pattern = UT_UNIFORM; s.traffic.pattern <= UT_TRANSPOSE; s.traffic.pattern++)
    for (s.traffic.process = UT_BERNOULLI; s.traffic.process <= UT_POISSON; s.traffic.process++) {
      struct ut_traffic_source source;
      struct ut_packet_request p;
      must_init(&t, &s, 16);
      ut_traffic_source_init(&source, &t, 3);
      assert_int_equal(ut_traffic_draw(&t, &source, 1, &p), 0);
      assert_true(ut_traffic_flits(&t, 0, UINT64_MAX) == 0 && ut_traffic_packets_from(&t, 0) == 0);
      ut_traffic_free(&t);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(packets_are_those_of_the_definition),
      cmocka_unit_test(traces),
      cmocka_unit_test(limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
