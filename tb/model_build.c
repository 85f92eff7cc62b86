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

/* Runs the jobs and closes them, whether or not they succeed. */
static int run(const struct ut_model_build *build, struct ut_job *jobs, int n) {
  int status = ut_log_run(build->caller, build->model, build->recipe->rtl, jobs, n);
  ut_jobs_free(jobs, n);
  return status;
}

static struct ut_job verilation(const struct ut_model_build *build) {
  const struct ut_recipe *recipe = build->recipe;
  struct ut_job job = {.does = "Verilating the switch",
                       .weight = 2000000,
                       .log_fd = -1,
                       .has_home = true,
                       .makes = "obj/Vut_switch.cpp"};
  ut_args_add(&job.command, "%s", recipe->verilator);
  ut_args_add_all(&job.command, ut_verilator_flags);
  if (recipe->traced)
    ut_args_add(&job.command, "--trace-fst");
  if (recipe->covered)
    ut_args_add(&job.command, "--coverage-line");
  for (int i = 0; i < UT_PARAMETERS && !recipe->netlist; i++)
    ut_args_add(&job.command, "-G%s=%u", recipe->parameter[i].name, recipe->parameter[i].value);
  ut_args_add(&job.command, "rtl/ut_switch.v");
  if (recipe->netlist)
    ut_args_add(&job.command, "rtl/cells.v");
  return job;
}

/* Adds a compilation `in` -> `out`; both names are absolute or below the model's temporary folder. */
static struct ut_job compilation(const struct ut_model_build *build, uint64_t weight, const char *does,
                                 const char *level, const char *in, const char *out) {
  struct ut_job job = {.does = does, .weight = weight, .log_fd = -1, .has_home = true};
  ut_args_add(&job.command, "%s", build->recipe->compiler);
  ut_args_add(&job.command, "%s", level);
  ut_args_add_all(&job.command, ut_compile_flags);
  ut_args_add_all(&job.command, build->recipe->features);
  if (*build->include) {
    ut_args_add(&job.command, "-I");
    ut_args_add(&job.command, "%s", build->include);
    ut_args_add(&job.command, "-I");
    ut_args_add(&job.command, "%s/vltstd", build->include);
  }
  ut_args_add(&job.command, "-c");
  ut_args_add(&job.command, "%s", in);
  ut_args_add(&job.command, "-o");
  ut_args_add(&job.command, "%s", out);
  job.makes = job.command.failed ? NULL : job.command.v[job.command.n - 1];
  return job;
}

/* Adds a compilation of code that includes Verilator's headers, which clang++ has precompiled. */
static struct ut_job unit(const struct ut_model_build *build, uint64_t weight, const char *does, const char *level,
                          const char *in, const char *out) {
  struct ut_job job = compilation(build, weight, does, level, in, out);
  if (build->recipe->clang) {
    ut_args_add(&job.command, "-include-pch");
    ut_args_add(&job.command, "%s/headers%s.pch", build->support->folder, level);
  }
  return job;
}

/* Compiles what every model needs of Verilator, once for each cache: its own C++, at -O0 unless it writes dumps (4 s
 * less to wait, 0.6 % of the speed), and its headers, precompiled by clang++ for each level of optimisation. */
static int add_support(const struct ut_model_build *build, struct ut_job *jobs, int n) {
  static const char *const levels[] = {"-O0", "-O2"};
  char in[PATH_MAX], out[PATH_MAX];
  struct ut_error *e = build->caller->e;
  const char *tmp = build->support->tmp;
  if (ut_units_write_support(build->recipe, tmp, e) || ut_path_set(e, in, "%s/support.cc", tmp) ||
      ut_path_set(e, out, "%s/entry/support.o", tmp))
    return -1;
  jobs[n++] = compilation(build, 1500000, "compiling Verilator's run-time library",
                          build->recipe->traced ? "-O2" : "-O0", in, out);
  for (int i = 0; i < 2 && build->recipe->clang; i++) {
    if (ut_path_set(e, in, "%s/verilated.h", build->include) ||
        ut_path_set(e, out, "%s/entry/headers%s.pch", tmp, levels[i]))
      return -1;
    jobs[n++] = compilation(build, 1000000, "compiling Verilator's headers", levels[i], in, out);
  }
  return n;
}

static int verilate_with(const struct ut_model_build *build, bool with_support) {
  struct ut_job jobs[MAX_JOBS];
  int n = 0;
  jobs[n++] = verilation(build);
  if (with_support && (n = add_support(build, jobs, n)) < 0)
    return -1;
  ut_caller_say(build->caller, "Verilating");
  return run(build, jobs, n);
}

static int verilate_and_support(void *of, const struct ut_caller *caller) {
  (void)caller;
  return verilate_with(of, true);
}

/* Verilates, and compiles the common part if it is missing.  Two builders of different models may both want it: the
 * second one waits here, for a few seconds once for each cache. */
static int verilate(struct ut_model_build *build) {
  const int support = ut_entry_make(build->support, verilate_and_support, build, build->caller);
  return support == UT_READY ? verilate_with(build, false) : support == UT_BUILT ? 0 : -1;
}

/* Compiles the shim and the units. */
static int compile(const struct ut_model_build *build) {
  struct ut_job jobs[MAX_JOBS];
  int n = 0;
  jobs[n++] = unit(build, 500000, "compiling tb/shim.cpp", "-O2", "src/tb/shim.cpp", "obj/shim.o");
  for (int u = 0; u < UT_UNITS; u++) {
    bool slow = u == UT_SLOW_UNIT;
    if (build->weight[u])
      jobs[n++] = unit(build, slow ? build->weight[u] / 5 : build->weight[u], "compiling the Verilated switch",
                       slow || build->recipe->counted ? "-O0" : "-O2", unit_in[u], unit_out[u]);
  }
  ut_caller_say(build->caller, "compiling %d units", n);
  return run(build, jobs, n);
}

static int link_model(const struct ut_model_build *build) {
  struct ut_job job = {.does = "linking the switch model", .log_fd = -1, .has_home = true, .makes = "entry/model.so"};
  ut_args_add(&job.command, "%s", build->recipe->compiler);
  for (int u = 0; u < UT_SLOW_UNIT; u++)
    if (build->weight[u])
      ut_args_add(&job.command, "%s", unit_out[u]);
  ut_args_add(&job.command, "obj/shim.o");
  ut_args_add(&job.command, "%s", build->support->path);
  if (build->weight[UT_SLOW_UNIT]) /* last: an inline function that several units have must not be taken from the
                                      unoptimised one
                                    */
    ut_args_add(&job.command, "%s", unit_out[UT_SLOW_UNIT]);
  ut_args_add_all(&job.command, ut_link_flags);
  if (build->recipe->traced)
    ut_args_add(&job.command, "-lz");
  ut_args_add(&job.command, "-o");
  ut_args_add(&job.command, "entry/model.so");
  return run(build, &job, 1);
}

/* Compiles the gates in lanes, and the shim. */
static int compile_lanes(const struct ut_model_build *build) {
  struct ut_job jobs[MAX_JOBS];
  int n = 0;
  jobs[n++] = compilation(build, 500000, "compiling tb/shim.cpp", "-O2", "src/tb/shim.cpp", "obj/shim.o");
  for (int i = 0; i < UT_SLICE_FILES; i++) {
    struct ut_job *job = &jobs[n++];
    *job = (struct ut_job){.does = "compiling the gates", .weight = 400000, .log_fd = -1, .has_home = true};
    ut_args_add(&job->command, "%s", build->recipe->compiler);
    ut_args_add_all(&job->command, ut_lane_flags);
    ut_args_add_all(&job->command, build->recipe->features);
    ut_args_add(&job->command, "-c");
    ut_args_add(&job->command, "obj/gates_%d.c", i);
    ut_args_add(&job->command, "-o");
    ut_args_add(&job->command, "obj/gates_%d.o", i);
  }
  ut_caller_say(build->caller, "compiling %d units", n);
  return run(build, jobs, n);
}

static int link_lanes(const struct ut_model_build *build) {
  struct ut_job job = {.does = "linking the switch model", .log_fd = -1, .has_home = true, .makes = "entry/model.so"};
  ut_args_add(&job.command, "%s", build->recipe->compiler);
  ut_args_add(&job.command, "obj/shim.o");
  for (int i = 0; i < UT_SLICE_FILES; i++)
    ut_args_add(&job.command, "obj/gates_%d.o", i);
  ut_args_add_all(&job.command, ut_link_flags);
  ut_args_add(&job.command, "-o");
  ut_args_add(&job.command, "entry/model.so");
  return run(build, &job, 1);
}

/* Returns the folder of Verilator's headers. */
static int find_include(struct ut_model_build *build) {
  char root[PATH_MAX - 16], header[PATH_MAX];
  struct ut_error *e = build->caller->e;
  if (ut_tool_says(build->caller, build->recipe->verilator, "--getenv", "VERILATOR_ROOT", root, sizeof root) ||
      ut_path_set(e, build->include, "%s/include", root) || ut_path_set(e, header, "%s/verilated.h", build->include))
    return -1;
  return access(header, R_OK) ? ut_fail(e, UT_BAD_INPUT,
                                        "%.300s says that its headers are in '%.900s', but there is no verilated.h: "
                                        "correct VERILATOR_ROOT, or reinstall it (Debian: verilator)",
                                        build->recipe->verilator, build->include)
                              : 0;
}

int ut_build_model(void *of, const struct ut_caller *caller) {
  struct ut_model_build *build = of;
  const struct ut_recipe *recipe = build->recipe;
  char parameters[PATH_MAX];
  const char *tmp = build->model->tmp;
  if ((!recipe->lanes && find_include(build)) || ut_path_set(caller->e, parameters, "%s/entry/parameters.txt", tmp))
    return -1;
  if (ut_sources_write(&recipe->sources, tmp, caller->e) || ut_recipe_write(recipe, parameters, caller->e))
    return -1;
  if ((!recipe->lanes && verilate(build)) || ut_units_write_shape(recipe, tmp, caller->e))
    return -1;
  if (recipe->lanes)
    return compile_lanes(build) || link_lanes(build) || ut_log_keep(build->model, caller->e) ? -1 : 0;
  return ut_units_group(tmp, build->weight, caller->e) || compile(build) || link_model(build) ||
                 ut_log_keep(build->model, caller->e)
             ? -1
             : 0;
}
