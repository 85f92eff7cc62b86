/* SPDX-License-Identifier: Apache-2.0 */
/* cost.c - see cost.h */
#include "cost.h"

#include <stdio.h>
#include <stdlib.h>

#include "cache_files.h"
#include "cache_log.h"
#include "report.h"

/* Part of every key: change it when the report changes in a way that no script shows. */
static const char recipe[] = "uturn cost 2";

bool ut_cost_of_fpga(const json_t *cost) {
  return json_object_get(cost, "fpga");
}

double ut_cost_number(const json_t *o, const char *key) {
  return json_number_value(json_object_get(o, key));
}

const char *ut_cost_price(const json_t *cost) {
  return ut_cost_of_fpga(cost) ? "luts" : "nand2_equivalents";
}

json_t *ut_report_load(const char *path, struct ut_error *e) {
  json_error_t why;
  json_t *design = json_load_file(path, 0, &why);
  if (!design)
    ut_fail(e, UT_BAD_INPUT, "cannot read the netlist %.900s: %s; remove its folder and try again", path, why.text);
  return design;
}

json_t *ut_report_flip_flops(const uint64_t of[UT_STATES]) {
  const uint64_t flits = of[UT_STATE_INPUT_BUFFER] + of[UT_STATE_OUTPUT_QUEUE] + of[UT_STATE_OUTPUT_REGISTER];
  return json_pack("{s:I,s:I,s:I}", "buffers", (json_int_t)flits, "control",
                   (json_int_t)(of[UT_STATE_CONTROL] + of[UT_STATE_TABLE]), "reroute",
                   (json_int_t)of[UT_STATE_REROUTE]);
}

static int write_report(const struct ut_report *report, const json_t *j, struct ut_error *e) {
  char path[PATH_MAX];
  if (ut_path_set(e, path, "%s/entry/cost.json", report->entry.tmp))
    return -1;
  return json_dump_file(j, path, JSON_INDENT(2))
             ? ut_fail(e, UT_BAD_INPUT, "cannot write %.900s: is there room for it?", path)
             : 0;
}

static int build(void *of, const struct ut_caller *caller) {
  struct ut_report *report = of;
  if (ut_synthesis_make(&report->synthesis, caller))
    return -1;
  json_t *j = json_object();
  int status = report->reporter->fill(report, j, caller);
  json_object_set_new(j, "synthesis_s", json_real(ut_synthesis_seconds(&report->synthesis)));
  status = status || write_report(report, j, caller->e) || ut_log_keep(&report->entry, caller->e);
  json_decref(j);
  return status ? -1 : 0;
}

static int make_key(const struct ut_report *report, XXH128_hash_t *key, struct ut_error *e) {
  XXH3_state_t *h = XXH3_createState();
  int status = h ? 0 : -1;
  if (!status) {
    XXH3_128bits_reset(h);
    ut_key_text(h, recipe);
    ut_key_bytes(h, &report->synthesis.key, sizeof report->synthesis.key);
    status = report->reporter->key(h, report);
    ut_key_text(h, report->tool);
    ut_key_text(h, report->tool_version);
    *key = XXH3_128bits_digest(h);
  }
  XXH3_freeState(h);
  return status ? ut_fail_memory(e) : 0;
}

static int open_report(struct ut_report *report, const struct ut_synthesis_request *request,
                       const struct ut_caller *caller) {
  XXH128_hash_t key;
  *report = (struct ut_report){.shape = request->shape};
  if (ut_synthesis_open(&report->synthesis, request, caller))
    return -1;
  report->reporter = report->synthesis.technology->reporter;
  return report->reporter->find_tool(report, caller) || make_key(report, &key, caller->e) ||
                 ut_entry_init(&report->entry, report->synthesis.dir, key, "cost.json", caller->e)
             ? -1
             : 0;
}

static json_t *get(struct ut_report *report, const struct ut_caller *caller) {
  return ut_entry_make(&report->entry, build, report, caller) < 0 ? NULL
                                                                  : ut_report_load(report->entry.path, caller->e);
}

json_t *ut_cost_get(const struct ut_synthesis_request *request, ut_cache_progress *progress, void *ctx,
                    struct ut_error *e) {
  struct ut_caller caller = {.progress = progress, .ctx = ctx, .interrupted = request->interrupted, .e = e};
  const struct ut_shape *shape = request->shape;
  struct ut_report *report = malloc(sizeof *report);
  if (!report) {
    ut_fail_memory(e);
    return NULL;
  }
  snprintf(caller.what, sizeof caller.what, "cost of %ux%u ports, %u VC%s of %u flits%s%s%s", shape->pi, shape->po,
           shape->v, shape->v > 1 ? "s" : "", shape->depth, request->memory ? ", memories" : "",
           request->fpga ? ", " : "", request->fpga ? request->fpga : "");
  json_t *j = open_report(report, request, &caller) ? NULL : get(report, &caller);
  ut_synthesis_close(&report->synthesis);
  free(report);
  return j;
}
