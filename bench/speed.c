/* SPDX-License-Identifier: Apache-2.0 */
/* speed.c - see speed.h */
#include "speed.h"

#include <time.h>

#include "scenario_facts.h"
#include "steady.h"

/* Cycles of warm-up; cycles between two looks at the clock.  A round lasts so long, in seconds: fast ones less. */
enum { ROUNDS = 3, WARM_UP = 300, CHUNK = 20 };
static const double ROUND_S = 0.3, RTL_ROUND_S = 0.8, CPU_ROUND_S = 0.5;

static double now(clockid_t clock) {
  struct timespec timespec;
  if (clock == CLOCK_MONOTONIC)
    return ut_seconds();
  clock_gettime(clock, &timespec);
  return (double)timespec.tv_sec + (double)timespec.tv_nsec * 1e-9;
}

static void raise_to(double *best, double value) {
  *best = value > *best ? value : *best;
}

/* Seconds that at least `least` seconds of cycles take, and how many cycles that are. */
static double time_cycles(struct ut_network *net, clockid_t clock, double least, uint64_t *cycles) {
  const uint64_t first = net->cycle;
  double start = now(clock), seconds;
  do {
    for (unsigned i = 0; i < CHUNK; i++)
      ut_network_step(net);
    seconds = now(clock) - start;
  } while (seconds < least && !net->failure);
  *cycles = net->cycle - first;
  return seconds;
}

static void warm_up(struct ut_network *net) {
  for (unsigned i = 0; i < WARM_UP; i++)
    ut_network_step(net);
}

static int time_golden(const struct ut_scenario *scenario, struct ut_elaborator *elaborator, struct ut_speed *best,
                       struct ut_error *e) {
  struct ut_network net;
  uint64_t cycles;
  if (ut_network_init(&net, scenario, NULL, e))
    return -1;
  ut_elaborator_use(elaborator, &net);
  warm_up(&net);
  const uint64_t before = net.flit_hops;
  const double seconds = time_cycles(&net, CLOCK_MONOTONIC, ROUND_S, &cycles);
  raise_to(&best->hops, (double)(net.flit_hops - before) / seconds);
  raise_to(&best->golden, (double)cycles * net.topology->switches / seconds);
  ut_network_fini(&net);
  return 0;
}

static int time_rtl(const struct ut_scenario *scenario, const struct ut_models *models, struct ut_speed *best,
                    struct ut_error *e) {
  struct ut_lockstep lockstep;
  uint64_t cycles;
  if (ut_lockstep_init(&lockstep, scenario, models, e))
    return -1;
  warm_up(&lockstep.rtl);
  const double seconds = time_cycles(&lockstep.rtl, CLOCK_MONOTONIC, RTL_ROUND_S, &cycles);
  raise_to(&best->rtl, (double)cycles * lockstep.rtl.topology->switches / seconds);
  ut_lockstep_fini(&lockstep);
  return 0;
}

static int time_lockstep(const struct ut_scenario *scenario, struct ut_elaborator *elaborator,
                         const struct ut_models *models, clockid_t clock, double *best, struct ut_error *e) {
  struct ut_lockstep lockstep;
  double start = 0, seconds = 0;
  uint64_t cycles = 0;
  bool equal = true;
  if (ut_lockstep_init(&lockstep, scenario, models, e))
    return -1;
  ut_elaborator_use(elaborator, &lockstep.golden);
  for (; equal && seconds < RTL_ROUND_S; cycles++) {
    if (cycles == WARM_UP)
      start = now(clock);
    equal = ut_lockstep_step(&lockstep);
    if (cycles > WARM_UP && cycles % CHUNK == 0)
      seconds = now(clock) - start;
  }
  if (equal)
    raise_to(best, (double)(cycles - WARM_UP) * lockstep.rtl.topology->switches / seconds);
  else
    ut_fail(e, UT_MISMATCH, "%s", lockstep.report ? lockstep.report : "mismatch");
  ut_lockstep_fini(&lockstep);
  return equal ? 0 : -1;
}

int ut_speed_measure(const struct ut_scenario *scenario, struct ut_elaborator *elaborator,
                     const struct ut_models *models, const volatile sig_atomic_t *interrupted, struct ut_speed *out,
                     struct ut_error *e) {
  *out = (struct ut_speed){0};
  for (unsigned i = 0; i < ROUNDS && !*interrupted; i++)
    if (time_golden(scenario, elaborator, out, e) || time_rtl(scenario, models, out, e) ||
        time_lockstep(scenario, elaborator, models, CLOCK_MONOTONIC, &out->lockstep, e))
      return -1;
  return 0;
}

int ut_speed_lockstep(const struct ut_scenario *scenario, struct ut_elaborator *elaborator,
                      const struct ut_models *models, unsigned count, const volatile sig_atomic_t *interrupted,
                      double *out, struct ut_error *e) {
  for (unsigned i = 0; i < count; i++)
    out[i] = 0;
  for (unsigned i = 0; i < ROUNDS * count && !*interrupted; i++)
    if (time_lockstep(scenario, elaborator, &models[i % count], CLOCK_PROCESS_CPUTIME_ID, &out[i % count], e))
      return -1;
  return 0;
}

int ut_speed_cpu(const struct ut_scenario *scenario, struct ut_elaborator *elaborator,
                 const volatile sig_atomic_t *interrupted, double *ns, struct ut_error *e) {
  struct ut_network net;
  double best = 0; /* flit-hops a second */
  uint64_t cycles;
  if (ut_network_init(&net, scenario, NULL, e))
    return -1;
  ut_elaborator_use(elaborator, &net);
  warm_up(&net);
  for (unsigned i = 0; i < ROUNDS && !*interrupted; i++) {
    const uint64_t before = net.flit_hops;
    const double seconds = time_cycles(&net, CLOCK_PROCESS_CPUTIME_ID, CPU_ROUND_S, &cycles);
    raise_to(&best, (double)(net.flit_hops - before) / seconds);
  }
  ut_network_fini(&net);
  *ns = 1e9 / best;
  return best > 0
             ? 0
             : ut_fail(e, UT_BAD_INPUT, "%s: nothing moves: there is nothing to measure", ut_scenario_path(scenario));
}
