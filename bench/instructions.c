/* instructions.c - see instructions.h */
#include "instructions.h"

int ut_instructions_per_hop(const struct ut_callgrind *c, const char *program, const char *path,
                            const struct ut_scenario *s, bool elaborated, double *out, struct ut_error *e) {
  const unsigned cycles = ut_counted_cycles(ut_scenario_switches(s));
  struct ut_counted run[UT_RUNS] = {0};
  for (unsigned i = 0; i < UT_RUNS; i++) {
    struct ut_args *a = &run[i].command;
    ut_args_add(a, "%s", program);
    ut_args_add(a, "run");
    ut_args_add(a, "%s", path);
    ut_args_add(a, "--json");
    ut_args_add(a, "--elaborate=%s", elaborated ? "always" : "never");
    if (ut_pattern_has_load(s->traffic.pattern))
      ut_args_add(a, "--load=%g", s->traffic.load_flits_per_cycle);
    ut_args_add(a, "--cycles=%u", i == UT_LONGER ? 2 * cycles : cycles);
  }
  int result = ut_callgrind_run(c, run, e);
  if (!result) {
    const struct ut_counted *more = &run[UT_LONGER], *fewer = &run[UT_SHORTER];
    const double hops = ut_counted_number(more, "\"flit_hops\": ") - ut_counted_number(fewer, "\"flit_hops\": ");
    *out = (more->instructions - fewer->instructions) / hops;
    if (!(hops > 0))
      result = ut_fail(e, UT_BAD_INPUT, "%s: nothing moves from cycle %u to %u: there is nothing to measure", path,
                       cycles, 2 * cycles);
  }
  ut_counted_free(run);
  return result;
}
