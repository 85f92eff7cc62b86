/* SPDX-License-Identifier: Apache-2.0 */
/* model_hardware.c - see model_hardware.h */
#include "model_hardware.h"

#include <stdlib.h>
#include <string.h>

#include "model_recipe.h"
#include "tool.h"

/* Verilator's description of the elaborated design, in XML. */
static struct ut_job elaboration(const struct ut_recipe *recipe) {
  static const char *const words[] = {"--xml-only", "--xml-output", "/dev/stdout", "-Wno-fatal",
                                      "-Wno-lint",  "--top-module", "ut_switch",   NULL};
  struct ut_job job = {.does = "elaborating the RTL", .log_fd = -1, .has_home = true};
  ut_args_add(&job.command, "%s", recipe->verilator);
  ut_args_add_all(&job.command, words);
  ut_args_add(&job.command, "-I."); /* it runs there: Verilator would replace $NAME in a folder's name */
  for (int i = 0; i < UT_PARAMETERS; i++)
    ut_args_add(&job.command, "-G%s=%u", recipe->parameter[i].name, recipe->parameter[i].value);
  ut_args_add(&job.command, "ut_switch.v");
  return job;
}

/* Without places in files, and the lists of files. */
static XXH128_hash_t hash_of(const char *xml) {
  static const char place[] = " loc=\"";
  XXH3_state_t *h = XXH3_createState();
  const char *at = strstr(xml, "<netlist>");
  XXH3_128bits_reset(h);
  while (at) {
    const char *next = strstr(at, place);
    XXH3_128bits_update(h, at, next ? (size_t)(next - at) : strlen(at));
    at = next ? strchr(next + strlen(place), '"') : NULL;
  }
  const XXH128_hash_t hash = XXH3_128bits_digest(h);
  XXH3_freeState(h);
  return hash;
}

int ut_model_hardware(const struct ut_model_request *request, XXH128_hash_t *hash, struct ut_error *e) {
  const struct ut_caller caller = {.interrupted = request->interrupted, .e = e, .what = "elaboration of the switch"};
  struct ut_recipe recipe;
  if (ut_recipe_init(&recipe, request, e) ||
      ut_tool_need("verilator", "verilator", "the switch model", recipe.verilator, e))
    return -1;
  struct ut_job job = elaboration(&recipe);
  int exit_status = 0;
  const int failed = ut_jobs_run(&caller, &job, 1, recipe.rtl, &exit_status);
  char *xml = ut_job_output(&job);
  int status = failed == UT_JOBS_DONE && xml ? 0 : -1;
  if (status && failed != UT_JOBS_ERROR)
    ut_fail(e, UT_BAD_INPUT, "%s: the RTL cannot be elaborated: %.1000s; correct it, or reinstall Verilator",
            recipe.rtl, xml ? xml : "");
  if (!status)
    *hash = hash_of(xml);
  free(xml);
  ut_jobs_free(&job, 1);
  return status;
}
