/* SPDX-License-Identifier: Apache-2.0 */
/* instructions.c - see instructions.h */
#include "instructions.h"
#include "cache_files.h"
#include "pattern.h"
#include "scenario.h"
#include "scenario_switches.h"

#include <stdio.h>
#include <stdlib.h>

int ut_instructions_per_hop(const struct ut_callgrind *callgrind, const char *program, const char *path,
                            const struct ut_scenario *scenario, bool elaborated, double *out, struct ut_error *e) {
  const unsigned cycles = ut_counted_cycles(ut_scenario_switches(scenario));
  struct ut_counted run[UT_RUNS] = {0};
  for (unsigned i = 0; i < UT_RUNS; i++) {
    struct ut_args *args = &run[i].command;
    ut_args_add(args, "%s", program);
    ut_args_add(args, "run");
    ut_args_add(args, "%s", path);
    ut_args_add(args, "--json");
    ut_args_add(args, "--elaborate=%s", elaborated ? "always" : "never");
    if (ut_pattern_has_load(scenario->traffic.pattern))
      ut_args_add(args, "--load=%g", scenario->traffic.load_flits_per_cycle);
    ut_args_add(args, "--cycles=%u", i == UT_LONGER ? 2 * cycles : cycles);
  }
  int result = ut_callgrind_run(callgrind, run, e);
  if (!result) {
    const struct ut_counted *more = &run[UT_LONGER], *fewer = &run[UT_SHORTER];
    const double hops =
        ut_number_behind(more->output, "\"flit_hops\": ") - ut_number_behind(fewer->output, "\"flit_hops\": ");
    *out = (more->instructions - fewer->instructions) / hops;
    if (!(hops > 0))
      result = ut_fail(e, UT_BAD_INPUT, "%s: nothing moves from cycle %u to %u: there is nothing to measure", path,
                       cycles, 2 * cycles);
  }
  ut_counted_free(run);
  return result;
}

/* ---- of BookSim
 *
 * It simulates sample periods, the first one to warm up, so that two periods of N cycles are a run of 2 N.  The longer
 * run measures in just those cycles that the shorter one lacks; what is left in the network is drained by both. */

/* Runs the program with that configuration. */
static int count(const struct ut_booksim *booksim, const struct ut_callgrind *callgrind, const char *file,
                 const struct ut_scenario *scenario, double *out, struct ut_error *e) {
  const unsigned cycles = ut_counted_cycles(ut_scenario_switches(scenario)) / 2; /* it is slow */
  struct ut_counted run[UT_RUNS] = {0};
  for (unsigned i = 0; i < UT_RUNS; i++) {
    ut_args_add(&run[i].command, "%s", booksim->program);
    ut_args_add(&run[i].command, "%s", file);
    ut_args_add(&run[i].command, "sample_period=%u", i == UT_LONGER ? cycles : cycles / 2);
    run[i].any_status = true; /* BookSim's is 255 after a good run */
  }
  int result = ut_callgrind_run(callgrind, run, e);
  if (!result) {
    const struct ut_counted *more = &run[UT_LONGER], *fewer = &run[UT_SHORTER];
    const double time =
        ut_number_behind(more->output, "Time taken is ") - ut_number_behind(fewer->output, "Time taken is ");
    const double rate = ut_number_behind(more->output, "Accepted flit rate average = ");
    const double hops =
        time * rate * ut_scenario_terminals(scenario) * ut_number_behind(more->output, "Hops average = ");
    *out = (more->instructions - fewer->instructions) / hops;
    if (!(hops > 0))
      result =
          ut_fail(e, UT_BAD_INPUT, "%s does not say how many hops it has simulated; is it BookSim 2?  It says: %.800s",
                  booksim->program, more->output);
  }
  ut_counted_free(run);
  return result;
}

int ut_booksim_per_hop(struct ut_booksim *booksim, const struct ut_callgrind *callgrind,
                       const struct ut_scenario *scenario, double *out, struct ut_error *e) {
  struct ut_booksim_files files;
  char *text = ut_booksim_configuration(scenario, e);
  const json_t *known = text ? json_object_get(booksim->known, text) : NULL;
  int result = text ? 0 : -1;
  if (known)
    *out = json_number_value(known);
  else if (!result && !(result = ut_booksim_write(scenario, text, &files, e))) {
    result = count(booksim, callgrind, files.configuration, scenario, out, e);
    ut_booksim_remove(&files);
    if (!result && !files.network[0])
      json_object_set_new(booksim->known, text, json_real(*out));
  }
  free(text);
  return result;
}
