/* SPDX-License-Identifier: Apache-2.0 */
/* prover_bench.h - a scenario with its prover, for tests of what provers find. */
#ifndef UT_TEST_PROVER_BENCH_H
#define UT_TEST_PROVER_BENCH_H

#include "prove.h"
#include "scenario_read.h"
#include "scenarios.h"
#include "topology_build.h"

struct bench {
  struct ut_scenario *scenario;
  struct ut_topology topology;
  struct ut_prover prover;
};

/* The scenario is the bench's from now on. */
static inline void open_scenario(struct bench *b, struct ut_scenario *s) {
  struct ut_error e;
  b->scenario = s;
  if (ut_topology_init(&b->topology, s, &e) || ut_prover_init(&b->prover, s, &b->topology, &e))
    fail_msg("%s", e.text);
}

static inline void open_bench(struct bench *b, const char *topology, const char *sw, const char *routing) {
  open_scenario(b, test_scenario("topology: {%s}\nswitch: {%s}\nrouting: {%s}\ntraffic: {load_flits_per_cycle: 0.1}\n",
                                 topology, sw, routing));
}

static inline void close_bench(struct bench *b) {
  ut_prover_free(&b->prover);
  ut_topology_free(&b->topology);
  ut_scenario_free(b->scenario);
}

#endif
