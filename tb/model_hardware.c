/* SPDX-License-Identifier: Apache-2.0 */
/* model_hardware.c - see model_hardware.h */
#include "model_hardware.h"

#include <stdlib.h>
#include <string.h>

#include "model_recipe.h"
#include "tool.h"

/* Verilator's description of what it has elaborated, in XML. */
static struct ut_job elaboration(const struct ut_recipe *r) {
  static const char *const words[] = {"--xml-only", "--xml-output", "/dev/stdout", "-Wno-fatal",
                                      "-Wno-lint",  "--top-module", "ut_switch",   NULL};
  struct ut_job j = {.does = "elaborating the RTL", .log_fd = -1, .has_home = true};
  ut_args_add(&j.command, "%s", r->verilator);
  ut_args_add_all(&j.command, words);
  ut_args_add(&j.command, "-I."); /* it runs there: Verilator would replace $NAME in a folder's name */
  for (int i = 0; i < UT_PARAMETERS; i++)
    ut_args_add(&j.command, "-G%s=%u", r->parameter[i].name, r->parameter[i].value);
  ut_args_add(&j.command, "ut_switch.v");
  return j;
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
  struct ut_recipe r;
  if (ut_recipe_init(&r, request, e) || ut_tool_need("verilator", "verilator", "the switch model", r.verilator, e))
    return -1;
  struct ut_job j = elaboration(&r);
  int exit_status = 0;
  const int failed = ut_jobs_run(&caller, &j, 1, r.rtl, &exit_status);
  char *xml = ut_job_output(&j);
  int status = failed == UT_JOBS_DONE && xml ? 0 : -1;
  if (status && failed != UT_JOBS_ERROR)
    ut_fail(e, UT_BAD_INPUT, "%s: the RTL cannot be elaborated: %.1000s; correct it, or reinstall Verilator", r.rtl,
            xml ? xml : "");
  if (!status)
    *hash = hash_of(xml);
  free(xml);
  ut_jobs_free(&j, 1);
  return status;
}
