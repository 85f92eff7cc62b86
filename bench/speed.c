/* SPDX-License-Identifier: Apache-2.0 */
/* speed.c - see speed.h */
#include "speed.h"

#include <time.h>

#include "scenario.h"
#include "steady.h"

/* Cycles of warm-up; cycles between two looks at the clock.  A round lasts so long, in seconds: fast ones less. */
enum { ROUNDS = 3, WARM_UP = 300, CHUNK = 20 };
static const double ROUND_S = 0.3, RTL_ROUND_S = 0.8, CPU_ROUND_S = 0.5;

static double now(clockid_t clock) {
  struct timespec t;
  if (clock == CLOCK_MONOTONIC)
    return ut_seconds();
  clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void raise_to(double *best, double value) {
  *best = value > *best ? value : *best;
}

/* Seconds that at least `least` seconds of cycles take, and how many cycles that are. */
static double time_cycles(struct ut_network *n, clockid_t clock, double least, uint64_t *cycles) {
  const uint64_t first = n->cycle;
  double start = now(clock), seconds;
  do {
    for (unsigned i = 0; i < CHUNK; i++)
      ut_network_step(n);
    seconds = now(clock) - start;
  } while (seconds < least && !n->failure);
  *cycles = n->cycle - first;
  return seconds;
}

static void warm_up(struct ut_network *n) {
  for (unsigned i = 0; i < WARM_UP; i++)
    ut_network_step(n);
}

static int time_golden(const struct ut_scenario *s, struct ut_elaborator *a, struct ut_speed *best,
                       struct ut_error *e) {
  struct ut_network n;
  uint64_t cycles;
  if (ut_network_init(&n, s, NULL, e))
    return -1;
  ut_elaborator_use(a, &n);
  warm_up(&n);
  const uint64_t before = n.flit_hops;
  const double seconds = time_cycles(&n, CLOCK_MONOTONIC, ROUND_S, &cycles);
  raise_to(&best->hops, (double)(n.flit_hops - before) / seconds);
  raise_to(&best->golden, (double)cycles * n.topology.switches / seconds);
  ut_network_fini(&n);
  return 0;
}

static int time_rtl(const struct ut_scenario *s, const struct ut_models *models, struct ut_speed *best,
                    struct ut_error *e) {
  struct ut_lockstep l;
  uint64_t cycles;
  if (ut_lockstep_init(&l, s, models, e))
    return -1;
  warm_up(&l.rtl);
  const double seconds = time_cycles(&l.rtl, CLOCK_MONOTONIC, RTL_ROUND_S, &cycles);
  raise_to(&best->rtl, (double)cycles * l.rtl.topology.switches / seconds);
  ut_lockstep_fini(&l);
  return 0;
}

static int time_lockstep(const struct ut_scenario *s, struct ut_elaborator *a, const struct ut_models *models,
                         clockid_t clock, double *best, struct ut_error *e) {
  struct ut_lockstep l;
  double start = 0, seconds = 0;
  uint64_t cycles = 0;
  bool equal = true;
  if (ut_lockstep_init(&l, s, models, e))
    return -1;
  ut_elaborator_use(a, &l.golden);
  for (; equal && seconds < RTL_ROUND_S; cycles++) {
    if (cycles == WARM_UP)
      start = now(clock);
    equal = ut_lockstep_step(&l);
    if (cycles > WARM_UP && cycles % CHUNK == 0)
      seconds = now(clock) - start;
  }
  if (equal)
    raise_to(best, (double)(cycles - WARM_UP) * l.rtl.topology.switches / seconds);
  else
    ut_fail(e, UT_MISMATCH, "%s", l.report ? l.report : "mismatch");
  ut_lockstep_fini(&l);
  return equal ? 0 : -1;
}

int ut_speed_measure(const struct ut_scenario *s, struct ut_elaborator *a, const struct ut_models *models,
                     const volatile sig_atomic_t *interrupted, struct ut_speed *out, struct ut_error *e) {
  *out = (struct ut_speed){0};
  for (unsigned i = 0; i < ROUNDS && !*interrupted; i++)
    if (time_golden(s, a, out, e) || time_rtl(s, models, out, e) ||
        time_lockstep(s, a, models, CLOCK_MONOTONIC, &out->lockstep, e))
      return -1;
  return 0;
}

int ut_speed_lockstep(const struct ut_scenario *s, struct ut_elaborator *a, const struct ut_models *models,
                      unsigned count, const volatile sig_atomic_t *interrupted, double *out, struct ut_error *e) {
  for (unsigned i = 0; i < count; i++)
    out[i] = 0;
  for (unsigned i = 0; i < ROUNDS * count && !*interrupted; i++)
    if (time_lockstep(s, a, &models[i % count], CLOCK_PROCESS_CPUTIME_ID, &out[i % count], e))
      return -1;
  return 0;
}

int ut_speed_cpu(const struct ut_scenario *s, struct ut_elaborator *a, const volatile sig_atomic_t *interrupted,
                 double *ns, struct ut_error *e) {
  struct ut_network n;
  double best = 0; /* flit-hops a second */
  uint64_t cycles;
  if (ut_network_init(&n, s, NULL, e))
    return -1;
  ut_elaborator_use(a, &n);
  warm_up(&n);
  for (unsigned i = 0; i < ROUNDS && !*interrupted; i++) {
    const uint64_t before = n.flit_hops;
    const double seconds = time_cycles(&n, CLOCK_PROCESS_CPUTIME_ID, CPU_ROUND_S, &cycles);
    raise_to(&best, (double)(n.flit_hops - before) / seconds);
  }
  ut_network_fini(&n);
  *ns = 1e9 / best;
  return best > 0 ? 0 : ut_fail(e, UT_BAD_INPUT, "%s: nothing moves: there is nothing to measure", s->path);
}
