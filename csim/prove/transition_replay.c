/* SPDX-License-Identifier: Apache-2.0 */
/* transition_replay.c - see transition_replay.h
 *
 * Which packets meet which tables is a matter of time, and a deadlock needs several of them together.  All terminals
 * send at random while the manager writes; the golden model tries loads, paces and buffers.
 */
#define _GNU_SOURCE
#include "transition_replay.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "deadlock.h"
#include "memory_text.h"
#include "output.h"
#include "pattern.h"
#include "replay_parts.h"
#include "scenario_read.h"
#include "scenario_write.h"

enum { EVENT_CYCLE = 1000, AFTERWARDS_CYCLES = 3000, WATCHDOG = 100, MOST_TRIES = 240, SETTINGS = 24 };

/* One run that is tried. */
struct attempt {
  unsigned pace, depth, seed;
  double load;
};

struct replay {
  const struct ut_scenario *scenario;
  const struct ut_topology *topology;
  const char *path;
};

/* Setting number i: loads first, then paces, then small buffers, which fill up soonest. */
static struct attempt attempt_of(const struct replay *replay, unsigned i) {
  static const double load[] = {0.9, 0.5, 0.2};
  static const unsigned pace[] = {20, 100, 5, 400};
  const bool small = i / 12 % 2;
  return (struct attempt){.load = load[i % 3],
                          .pace = pace[i / 3 % 4],
                          .depth = small ? replay->scenario->sw.packet_flits : replay->scenario->sw.depth_flits,
                          .seed = i + 1};
}

/* Sets the faults before the event, and the event in its cycle; returns how many there are. */
static unsigned fill_faults(struct ut_fault *fault, const struct ut_topology *topo,
                            const struct ut_transition *transition) {
  const struct ut_fault_set *more = transition->repair ? &transition->before : &transition->after,
                            *less = transition->repair ? &transition->after : &transition->before;
  ut_replay_faults(fault, topo, more);
  for (unsigned i = 0; i < more->links + more->switches; i++) {
    bool stays = false;
    for (unsigned j = 0; j < less->links && i < more->links; j++)
      stays |= less->link[j] == more->link[i];
    for (unsigned j = 0; j < less->switches && i >= more->links; j++)
      stays |= less->sw[j] == more->sw[i - more->links];
    if (!stays && transition->repair)
      fault[i].until_cycle = EVENT_CYCLE;
    else if (!stays)
      fault[i].at_cycle = EVENT_CYCLE;
  }
  return more->links + more->switches;
}

static void write_scenario(FILE *f, const struct replay *replay, const struct ut_transition *transition,
                           const struct attempt *attempt) {
  struct ut_fault faults[2 * UT_MAX_FAULTS];
  struct ut_scenario scenario = *replay->scenario;
  fprintf(f, "# Written by `uturn prove --transitions --replay`: a deadlock between two plans of %s.\n", scenario.path);
  scenario.path = (char *)(uintptr_t)replay->path;
  scenario.sw.depth_flits = attempt->depth;
  scenario.routing.manager_delay_cycles = 0;
  scenario.routing.manager_switch_cycles = attempt->pace;
  ut_replay_forget(&scenario, "traffic.");
  scenario.traffic.pattern = &ut_pattern_uniform;
  scenario.traffic.load_flits_per_cycle = attempt->load;
  scenario.traffic.terminal_loads_file = NULL;
  scenario.faults = faults;
  scenario.fault_count = fill_faults(faults, replay->topology, transition);
  scenario.run.warmup_cycles = 0;
  scenario.run.measure_cycles = EVENT_CYCLE + (replay->topology->switches + 1) * attempt->pace + AFTERWARDS_CYCLES;
  scenario.run.drain = false;
  scenario.run.watchdog_cycles = WATCHDOG;
  scenario.run.seed = attempt->seed;
  ut_scenario_write(f, &scenario);
}

/* NULL and *e on failure. */
static struct ut_scenario *scenario_of(const struct replay *replay, const struct ut_transition *transition,
                                       const struct attempt *attempt, struct ut_error *e) {
  char *text = NULL;
  size_t length = 0;
  FILE *f = ut_memory_open(&text, &length);
  struct ut_scenario *scenario = NULL;
  if (f)
    write_scenario(f, replay, transition, attempt);
  if (!f || ut_memory_close(f, &text))
    ut_fail_memory(e);
  else
    scenario = ut_scenario_parse(text, length, replay->path, e);
  free(text);
  return scenario;
}

/* Returns 1 if the golden model ends in a deadlock, in *cycle; 0 if not; -1 on error. */
static int run(const struct replay *replay, const struct ut_transition *transition, const struct attempt *attempt,
               const volatile sig_atomic_t *stop, uint64_t *cycle, struct ut_error *e) {
  struct ut_network net;
  struct ut_watchdog watchdog = {0};
  struct ut_scenario *scenario = scenario_of(replay, transition, attempt, e);
  if (!scenario)
    return -1;
  bool deadlock = false;
  const int status = ut_network_init(&net, scenario, NULL, e);
  while (!status && !ut_network_done(&net) && !deadlock && !net.failure && !(stop && *stop)) {
    ut_network_step(&net);
    deadlock = ut_watchdog_check(&watchdog, &net);
  }
  if (!status) {
    *cycle = net.cycle;
    ut_watchdog_free(&watchdog);
    ut_network_fini(&net);
  }
  ut_scenario_free(scenario);
  return status ? -1 : deadlock;
}

static int write_file(const struct replay *replay, const struct ut_transition *transition,
                      const struct attempt *attempt, struct ut_error *e) {
  struct ut_output out;
  if (ut_output_open(&out, replay->path, UT_OUTPUT_REGULAR, e))
    return -1;
  write_scenario(out.file, replay, transition, attempt);
  return ut_output_close(&out, e);
}

int ut_transition_replay(const struct ut_scenario *scenario, const struct ut_topology *topo,
                         const struct ut_transition *transition, unsigned count, const char *path,
                         const volatile sig_atomic_t *stop, unsigned *number, struct ut_replay_report *report,
                         struct ut_error *e) {
  const struct replay replay = {scenario, topo, path};
  unsigned tries = 0;
  uint64_t cycle;
  int shown = 0;
  struct attempt attempt = attempt_of(&replay, 0);
  *number = 0;
  for (unsigned i = 0; i < SETTINGS * count && tries < MOST_TRIES && !shown && !(stop && *stop); i++, tries++) {
    *number = i % count;
    attempt = attempt_of(&replay, i / count);
    shown = run(&replay, &transition[*number], &attempt, stop, &cycle, e);
  }
  if (!shown) {
    *number = 0;
    attempt = attempt_of(&replay, 0);
  }
  if (shown < 0 || write_file(&replay, &transition[*number], &attempt, e))
    return -1;
  report->shown = shown;
  if (shown)
    snprintf(report->text, sizeof report->text, "cosim ends with a deadlock, exit status 4, in cycle %" PRIu64, cycle);
  else
    snprintf(report->text, sizeof report->text, "written, but none of %u runs of the golden model ended in a deadlock",
             tries);
  return 0;
}
