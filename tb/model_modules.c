/* model_modules.c - see model_modules.h */
#include "model_modules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model_recipe.h"

/* Verilator's description of what it has elaborated: a line <module ... origName="ut_fifo"> for each. */
static struct ut_job elaboration(const struct ut_recipe *r) {
  struct ut_job j = {.does = "elaborating the RTL", .log_fd = -1};
  ut_args_add(&j.command, "%s", r->verilator);
  static const char *const words[] = {"--xml-only", "--xml-output", "/dev/stdout", "--top-module",
                                      "ut_switch",  "-Wno-fatal",   NULL};
  ut_args_add_all(&j.command, words);
  for (int i = 0; i < UT_PARAMETERS; i++)
    ut_args_add(&j.command, "-G%s=%u", r->parameter[i].name, r->parameter[i].value);
  ut_args_add(&j.command, "-I%s", r->rtl);
  ut_args_add(&j.command, "%s/ut_switch.v", r->rtl);
  return j;
}

static bool names_one(const char *xml, const char *const *modules) {
  char text[256];
  for (; *modules; modules++) {
    snprintf(text, sizeof text, "origName=\"%s\"", *modules);
    if (strstr(xml, text))
      return true;
  }
  return false;
}

int ut_model_contains(const struct ut_model_request *request, const char *const *modules, struct ut_error *e) {
  struct ut_recipe r;
  const struct ut_caller caller = {.interrupted = request->interrupted, .e = e, .what = "modules of the switch"};
  if (ut_recipe_init(&r, request, e) || ut_tool_need("verilator", "verilator", "the switch model", r.verilator, e))
    return -1;
  struct ut_job j = elaboration(&r);
  int status = 0;
  const int failed = ut_jobs_run(&caller, &j, 1, r.rtl, &status);
  char *xml = ut_job_output(&j);
  int contains = -1;
  if (failed == UT_JOBS_DONE && xml)
    contains = names_one(xml, modules);
  else if (failed != UT_JOBS_ERROR)
    ut_fail(e, UT_INTERNAL, "%s: the RTL cannot be elaborated: %.1000s", r.rtl, xml ? xml : "");
  free(xml);
  ut_jobs_free(&j, 1);
  return contains;
}
