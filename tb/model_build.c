/* SPDX-License-Identifier: Apache-2.0 */
/* model_build.c - see model_build.h */
#include "model_build.h"

#include <stdio.h>
#include <unistd.h>

#include "cache_files.h"
#include "cache_log.h"
#include "slice.h"

enum { MAX_JOBS = 4 + UT_UNITS + UT_SLICE_FILES };

static const char *const unit_in[UT_UNITS] = {"obj/unit_0.cc", "obj/unit_1.cc", "obj/unit_2.cc"};
static const char *const unit_out[UT_UNITS] = {"obj/unit_0.o", "obj/unit_1.o", "obj/unit_2.o"};

/* Runs the jobs, which end here, whether they end well or not. */
static int run(const struct ut_model_build *b, struct ut_job *jobs, int n) {
  int status = ut_log_run(b->caller, b->model, b->recipe->rtl, jobs, n);
  ut_jobs_free(jobs, n);
  return status;
}

static struct ut_job verilation(const struct ut_model_build *b) {
  const struct ut_recipe *r = b->recipe;
  struct ut_job j = {.does = "Verilating the switch",
                     .weight = 2000000,
                     .log_fd = -1,
                     .has_home = true,
                     .makes = "obj/Vut_switch.cpp"};
  ut_args_add(&j.command, "%s", r->verilator);
  ut_args_add_all(&j.command, ut_verilator_flags);
  if (r->traced)
    ut_args_add(&j.command, "--trace-fst");
  if (r->covered)
    ut_args_add(&j.command, "--coverage-line");
  for (int i = 0; i < UT_PARAMETERS && !r->netlist; i++)
    ut_args_add(&j.command, "-G%s=%u", r->parameter[i].name, r->parameter[i].value);
  ut_args_add(&j.command, "rtl/ut_switch.v");
  if (r->netlist)
    ut_args_add(&j.command, "rtl/cells.v");
  return j;
}

/* A compilation `in` -> `out`, both below the model's temporary folder or absolute. */
static struct ut_job compilation(const struct ut_model_build *b, uint64_t weight, const char *does, const char *level,
                                 const char *in, const char *out) {
  struct ut_job j = {.does = does, .weight = weight, .log_fd = -1, .has_home = true};
  ut_args_add(&j.command, "%s", b->recipe->compiler);
  ut_args_add(&j.command, "%s", level);
  ut_args_add_all(&j.command, ut_compile_flags);
  ut_args_add_all(&j.command, b->recipe->features);
  if (*b->include) {
    ut_args_add(&j.command, "-I");
    ut_args_add(&j.command, "%s", b->include);
    ut_args_add(&j.command, "-I");
    ut_args_add(&j.command, "%s/vltstd", b->include);
  }
  ut_args_add(&j.command, "-c");
  ut_args_add(&j.command, "%s", in);
  ut_args_add(&j.command, "-o");
  ut_args_add(&j.command, "%s", out);
  j.makes = j.command.failed ? NULL : j.command.v[j.command.n - 1];
  return j;
}

/* The same of code that includes Verilator's headers.  clang++ has read them before. */
static struct ut_job unit(const struct ut_model_build *b, uint64_t weight, const char *does, const char *level,
                          const char *in, const char *out) {
  struct ut_job j = compilation(b, weight, does, level, in, out);
  if (b->recipe->clang) {
    ut_args_add(&j.command, "-include-pch");
    ut_args_add(&j.command, "%s/headers%s.pch", b->support->folder, level);
  }
  return j;
}

/* What every model needs of Verilator, once per cache: its own C++, at -O0 unless it writes dumps (4 s less to wait for
 * 0.6 % of the speed), and its headers as clang++ keeps them, for each level of optimisation. */
static int add_support(const struct ut_model_build *b, struct ut_job *jobs, int n) {
  static const char *const levels[] = {"-O0", "-O2"};
  char in[PATH_MAX], out[PATH_MAX];
  struct ut_error *e = b->caller->e;
  const char *tmp = b->support->tmp;
  if (ut_units_write_support(b->recipe, tmp, e) || ut_path_set(e, in, "%s/support.cc", tmp) ||
      ut_path_set(e, out, "%s/entry/support.o", tmp))
    return -1;
  jobs[n++] =
      compilation(b, 1500000, "compiling Verilator's run-time library", b->recipe->traced ? "-O2" : "-O0", in, out);
  for (int i = 0; i < 2 && b->recipe->clang; i++) {
    if (ut_path_set(e, in, "%s/verilated.h", b->include) ||
        ut_path_set(e, out, "%s/entry/headers%s.pch", tmp, levels[i]))
      return -1;
    jobs[n++] = compilation(b, 1000000, "compiling Verilator's headers", levels[i], in, out);
  }
  return n;
}

static int verilate_with(const struct ut_model_build *b, bool with_support) {
  struct ut_job jobs[MAX_JOBS];
  int n = 0;
  jobs[n++] = verilation(b);
  if (with_support && (n = add_support(b, jobs, n)) < 0)
    return -1;
  ut_caller_say(b->caller, "Verilating");
  return run(b, jobs, n);
}

static int verilate_and_support(void *of, const struct ut_caller *c) {
  (void)c;
  return verilate_with(of, true);
}

/* Verilates, and compiles what all models need when that is missing.  Two builders of different models may both want
 * it: the second waits here, a few seconds once per cache. */
static int verilate(struct ut_model_build *b) {
  const int support = ut_entry_make(b->support, verilate_and_support, b, b->caller);
  return support == UT_READY ? verilate_with(b, false) : support == UT_BUILT ? 0 : -1;
}

/* Compiles the shim and the units. */
static int compile(const struct ut_model_build *b) {
  struct ut_job jobs[MAX_JOBS];
  int n = 0;
  jobs[n++] = unit(b, 500000, "compiling tb/shim.cpp", "-O2", "src/tb/shim.cpp", "obj/shim.o");
  for (int u = 0; u < UT_UNITS; u++) {
    bool slow = u == UT_SLOW_UNIT;
    if (b->weight[u])
      jobs[n++] = unit(b, slow ? b->weight[u] / 5 : b->weight[u], "compiling the Verilated switch",
                       slow || b->recipe->counted ? "-O0" : "-O2", unit_in[u], unit_out[u]);
  }
  ut_caller_say(b->caller, "compiling %d units", n);
  return run(b, jobs, n);
}

static int link_model(const struct ut_model_build *b) {
  struct ut_job j = {.does = "linking the switch model", .log_fd = -1, .has_home = true, .makes = "entry/model.so"};
  ut_args_add(&j.command, "%s", b->recipe->compiler);
  for (int u = 0; u < UT_SLOW_UNIT; u++)
    if (b->weight[u])
      ut_args_add(&j.command, "%s", unit_out[u]);
  ut_args_add(&j.command, "obj/shim.o");
  ut_args_add(&j.command, "%s", b->support->path);
  if (b->weight[UT_SLOW_UNIT]) /* last: an inline function that several have must not come from the unoptimised one */
    ut_args_add(&j.command, "%s", unit_out[UT_SLOW_UNIT]);
  ut_args_add_all(&j.command, ut_link_flags);
  if (b->recipe->traced)
    ut_args_add(&j.command, "-lz");
  ut_args_add(&j.command, "-o");
  ut_args_add(&j.command, "entry/model.so");
  return run(b, &j, 1);
}

/* The gates in lanes, and the shim. */
static int compile_lanes(const struct ut_model_build *b) {
  struct ut_job jobs[MAX_JOBS];
  int n = 0;
  jobs[n++] = compilation(b, 500000, "compiling tb/shim.cpp", "-O2", "src/tb/shim.cpp", "obj/shim.o");
  for (int i = 0; i < UT_SLICE_FILES; i++) {
    struct ut_job *j = &jobs[n++];
    *j = (struct ut_job){.does = "compiling the gates", .weight = 400000, .log_fd = -1, .has_home = true};
    ut_args_add(&j->command, "%s", b->recipe->compiler);
    ut_args_add_all(&j->command, ut_lane_flags);
    ut_args_add_all(&j->command, b->recipe->features);
    ut_args_add(&j->command, "-c");
    ut_args_add(&j->command, "obj/gates_%d.c", i);
    ut_args_add(&j->command, "-o");
    ut_args_add(&j->command, "obj/gates_%d.o", i);
  }
  ut_caller_say(b->caller, "compiling %d units", n);
  return run(b, jobs, n);
}

static int link_lanes(const struct ut_model_build *b) {
  struct ut_job j = {.does = "linking the switch model", .log_fd = -1, .has_home = true, .makes = "entry/model.so"};
  ut_args_add(&j.command, "%s", b->recipe->compiler);
  ut_args_add(&j.command, "obj/shim.o");
  for (int i = 0; i < UT_SLICE_FILES; i++)
    ut_args_add(&j.command, "obj/gates_%d.o", i);
  ut_args_add_all(&j.command, ut_link_flags);
  ut_args_add(&j.command, "-o");
  ut_args_add(&j.command, "entry/model.so");
  return run(b, &j, 1);
}

/* Where Verilator's headers are. */
static int find_include(struct ut_model_build *b) {
  char root[PATH_MAX - 16], header[PATH_MAX];
  struct ut_error *e = b->caller->e;
  if (ut_tool_says(b->caller, b->recipe->verilator, "--getenv", "VERILATOR_ROOT", root, sizeof root) ||
      ut_path_set(e, b->include, "%s/include", root) || ut_path_set(e, header, "%s/verilated.h", b->include))
    return -1;
  return access(header, R_OK) ? ut_fail(e, UT_BAD_INPUT,
                                        "%.300s says that its headers are in '%.900s', but there is no verilated.h: "
                                        "correct VERILATOR_ROOT, or reinstall it (Debian: verilator)",
                                        b->recipe->verilator, b->include)
                              : 0;
}

int ut_build_model(void *of, const struct ut_caller *c) {
  struct ut_model_build *b = of;
  const struct ut_recipe *r = b->recipe;
  char parameters[PATH_MAX];
  const char *tmp = b->model->tmp;
  if ((!r->lanes && find_include(b)) || ut_path_set(c->e, parameters, "%s/entry/parameters.txt", tmp))
    return -1;
  if (ut_sources_write(&r->sources, tmp, c->e) || ut_recipe_write(r, parameters, c->e))
    return -1;
  if ((!r->lanes && verilate(b)) || ut_units_write_shape(r, tmp, c->e))
    return -1;
  if (r->lanes)
    return compile_lanes(b) || link_lanes(b) || ut_log_keep(b->model, c->e) ? -1 : 0;
  return ut_units_group(tmp, b->weight, c->e) || compile(b) || link_model(b) || ut_log_keep(b->model, c->e) ? -1 : 0;
}
