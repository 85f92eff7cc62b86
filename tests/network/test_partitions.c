/* SPDX-License-Identifier: Apache-2.0 */
/* test_partitions.c - csim/network/network_partitions.c: a network that is divided among threads has every switch in
 * one partition, the one that it belongs to by its place in its level. */
#include <malloc.h>

#include "scenario_read.h"
#include "scenarios.h"
#include "threads.h"

enum { GARBAGE = 0xa5 }; /* what memory holds that nobody has written */

/* Of a backend: nothing is stepped here. */
static void reset(void *self, uint32_t sw, uint64_t straps) {
  (void)self, (void)sw, (void)straps;
}
static void step(void *self, const uint32_t *sw, unsigned count, struct ut_switch_in *in, struct ut_switch_out *out) {
  (void)self, (void)sw, (void)count, (void)in, (void)out;
  fail();
}
static void configure(void *self, uint32_t sw, uint64_t word) {
  (void)self, (void)sw, (void)word;
}

/* The partition whose part of its level a switch is in, if of each level every partition has the same part. */
static unsigned partition_of(const struct ut_network *n, uint32_t sw) {
  const struct ut_topology *t = &n->topology;
  uint32_t first = 0, count = 0;
  for (uint32_t i = 0; i < t->switches; i++) {
    first += t->level[i] < t->level[sw];
    count += t->level[i] == t->level[sw];
  }
  unsigned i = 0;
  while (sw - first >= (uint64_t)count * (i + 1) / n->partitions)
    i++;
  return i;
}

/* Switches are moved so many together: blocks of golden ones, batches of a backend, counted from the first one of an
 * elaboration; they are where the first of them belongs. */
static unsigned together_in(const struct ut_network *n, unsigned elaboration) {
  return n->backend ? n->backend->together : 1u << n->form[elaboration].block_bits;
}

/* A span as switches: the end is that of the last block, or before it that of the elaboration. */
static void bounds(const struct ut_network *n, const struct ut_span *s, uint32_t *first, uint32_t *end) {
  const struct ut_elaboration *of = &n->topology.elaboration[s->elaboration];
  const unsigned bits = n->form[s->elaboration].block_bits;
  const uint32_t last = of->first + ((s->block + s->blocks) << bits);
  *first = n->backend ? s->first : of->first + (s->block << bits);
  *end = n->backend ? s->end : last < of->first + of->count ? last : of->first + of->count;
}

static void every_switch_is_in_its_partition(const struct ut_network *n) {
  const struct ut_topology *t = &n->topology;
  uint8_t *seen = calloc(t->switches, 1);
  assert_non_null(seen);
  for (unsigned i = 0; i < n->partitions; i++) {
    const struct ut_partition *p = &n->partition[i];
    assert_true(p->events.count == 0 && p->events.capacity == 0 && !p->events.event && !p->events.failure);
    assert_true(p->flit_hops == 0);
    assert_int_equal(n->backend != NULL,
                     p->batch.sw && p->batch.in && p->batch.out && p->batch.flit && p->batch.credit);
    uint32_t behind = UINT32_MAX; /* the last span */
    unsigned elaboration = 0;
    for (unsigned j = 0; j < p->spans; j++) {
      const struct ut_span *s = &p->span[j];
      uint32_t first, end;
      assert_true(s->elaboration < t->elaborations);
      bounds(n, s, &first, &end);
      const struct ut_elaboration *of = &t->elaboration[s->elaboration];
      assert_true(first >= of->first && end <= of->first + of->count);
      assert_false(j && s->elaboration == elaboration && s->first == behind); /* they would be one */
      behind = s->end, elaboration = s->elaboration;
      for (uint32_t sw = first; sw < end; sw++) {
        const unsigned together = together_in(n, s->elaboration);
        assert_int_equal(seen[sw]++, 0);
        assert_int_equal(partition_of(n, of->first + (sw - of->first) / together * together), i);
      }
    }
  }
  for (uint32_t sw = 0; sw < t->switches; sw++)
    assert_int_equal(seen[sw], 1);
  free(seen);
}

static const char *const networks[] = {
    "topology: {kind: fat_tree, k: 3, n: 3}\nrouting: {algorithm: fta}\n",
    "topology: {kind: fat_tree, k: 2, n: 5}\nrouting: {algorithm: fta}\n",
    "topology: {kind: fat_tree, k: 2, n: 1}\nrouting: {algorithm: fta}\n",
    "topology: {kind: fat_tree, k: 8, n: 2}\nswitch: {vcs: 2}\nrouting: {algorithm: fta}\n",
    "topology: {kind: ruft, k: 2, n: 4}\nrouting: {algorithm: ruft}\n",
    "topology: {kind: ft_ruft_222, k: 2, n: 4}\nrouting: {algorithm: ruft}\n",
    "topology: {kind: ft_ruft_212, k: 4, n: 3}\nrouting: {algorithm: ruft}\n",
    ("topology: {kind: torus, sizes: [9, 11]}\nswitch: {vcs: 3, depth_flits: 8, packet_flits: 4}\n"
     "routing: {algorithm: dor}\n"),
    "topology: {kind: mesh, sizes: [17, 16]}\nrouting: {algorithm: dor}\n",
    "topology: {kind: hypercube, n: 6}\nrouting: {algorithm: ecube}\n",
};

static void partitions_have_every_switch_once(void **state) {
  (void)state;
  enum { MOST = 5 };
  struct ut_threads *team[MOST + 1] = {NULL};
  for (unsigned i = 2; i <= MOST; i++)
    assert_non_null(team[i] = ut_threads_start(i));
  for (unsigned i = 0; i < sizeof networks / sizeof networks[0]; i++)
    for (unsigned together = 0; together <= 8; together = together ? 2 * together : 1) {
      const struct ut_backend backend = {NULL, reset, step, together, configure};
      struct ut_scenario *s = test_scenario("%straffic: {load_flits_per_cycle: 0.1}\n", networks[i]);
      struct ut_network n;
      struct ut_error e;
      if (ut_network_init(&n, s, together ? &backend : NULL, &e))
        fail_msg("%s", e.text);
      for (unsigned threads = 1; threads <= MOST; threads++) {
        const unsigned rolls = (n.topology.terminals + 63) / 64;
        assert_true(ut_network_use(&n, team[threads]));
        if (threads == 1)
          assert_int_equal(n.partitions, 1);
        else
          assert_true(n.partitions > threads && n.partitions % threads == 0); /* some, so that one that is late is helped */
        assert_int_equal(n.terminals.ranges, n.partitions < rolls ? n.partitions : rolls);
        every_switch_is_in_its_partition(&n);
      }
      assert_true(ut_network_use(&n, NULL));
      assert_int_equal(n.partitions, 1);
      assert_int_equal(n.partition->spans, n.topology.elaborations);
      every_switch_is_in_its_partition(&n);
      ut_network_fini(&n);
      ut_scenario_free(s);
    }
  for (unsigned i = 2; i <= MOST; i++)
    ut_threads_end(team[i]);
}

/* A thread for so many lanes of switches, or batches; at least one, and not more than there are. */
static void threads_that_pay(void **state) {
  (void)state;
  static const struct {
    unsigned size, golden, backend; /* torus; threads */
  } wanted[] = {{4, 1, 4}, {8, 1, 16}, {16, 2, 64}, {32, 8, 256}};
  for (unsigned i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
    const struct ut_backend backend = {NULL, reset, step, 4, configure};
    struct ut_scenario *s = test_scenario("topology: {kind: torus, sizes: [%u, %u]}\n"
                                          "switch: {vcs: 3, depth_flits: 4, packet_flits: 2}\n"
                                          "routing: {algorithm: dor}\ntraffic: {load_flits_per_cycle: 0.1}\n",
                                          wanted[i].size, wanted[i].size);
    for (unsigned other = 0; other < 2; other++) {
      struct ut_network n;
      struct ut_error e;
      if (ut_network_init(&n, s, other ? &backend : NULL, &e))
        fail_msg("%s", e.text);
      const unsigned pay = other ? wanted[i].backend : wanted[i].golden;
      for (unsigned most = 1; most <= UT_MAX_THREADS; most += 1 + most / 8)
        assert_int_equal(ut_network_threads(&n, most), most < pay ? most : pay);
      ut_network_fini(&n);
    }
    ut_scenario_free(s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(partitions_have_every_switch_once),
                                     cmocka_unit_test(threads_that_pay)};
  mallopt(M_PERTURB, GARBAGE);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
