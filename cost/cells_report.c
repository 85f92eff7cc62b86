/* SPDX-License-Identifier: Apache-2.0 */
/* cells_report.c - what `cost` reports of standard cells. */
#include <stdio.h>
#include <stdlib.h>

#include "blocks.h"
#include "cache_files.h"
#include "cache_tools.h"
#include "netlist.h"
#include "report.h"
#include "timing.h"
#include "tool.h"

/* ---- counts as JSON ---- */

static int count(const struct ut_report *report, json_t *module, const char *instance, struct ut_counts *counts,
                 struct ut_error *e) {
  *counts = (struct ut_counts){.kind = calloc(report->synthesis.liberty.cells, sizeof *counts->kind)};
  if (!counts->kind)
    return ut_fail_memory(e);
  return ut_netlist_count(module, instance, &report->synthesis.liberty, report->shape, counts, e);
}

static void set_counts(const struct ut_report *report, json_t *j, const struct ut_counts *counts) {
  uint64_t bits = 0;
  for (int i = 0; i < UT_STATES; i++)
    bits += counts->memory_bits[i];
  json_object_set_new(j, "cells", json_integer((json_int_t)counts->cells));
  json_object_set_new(j, "area_um2", json_real(counts->area));
  json_object_set_new(j, "nand2_equivalents", json_real(counts->area / report->synthesis.liberty.nand2->area));
  json_object_set_new(j, "flip_flops", ut_report_flip_flops(counts->flip_flops));
  json_object_set_new(j, "memory_bits", json_integer((json_int_t)bits));
}

static void set_details(const struct ut_report *report, json_t *j, const struct ut_counts *counts) {
  const struct ut_liberty *liberty = &report->synthesis.liberty;
  json_t *kinds = json_object();
  for (size_t i = 0; i < liberty->cells; i++)
    if (counts->kind[i])
      json_object_set_new(kinds, liberty->cell[i].name, json_integer((json_int_t)counts->kind[i]));
  json_object_set_new(j, "cells_by_kind", kinds);
  json_object_set_new(j, "flip_flops_of",
                      json_pack("{s:I,s:I,s:I,s:I}", "input_buffers",
                                (json_int_t)counts->flip_flops[UT_STATE_INPUT_BUFFER], "output_queues",
                                (json_int_t)counts->flip_flops[UT_STATE_OUTPUT_QUEUE], "output_registers",
                                (json_int_t)counts->flip_flops[UT_STATE_OUTPUT_REGISTER], "forwarding_tables",
                                (json_int_t)counts->flip_flops[UT_STATE_TABLE]));
  json_object_set_new(j, "memory_bits_of",
                      json_pack("{s:I,s:I,s:I}", "input_buffers",
                                (json_int_t)counts->memory_bits[UT_STATE_INPUT_BUFFER], "output_queues",
                                (json_int_t)counts->memory_bits[UT_STATE_OUTPUT_QUEUE], "forwarding_tables",
                                (json_int_t)counts->memory_bits[UT_STATE_TABLE]));
}

/* ---- the flat netlist ---- */

static int report_flat(const struct ut_report *report, json_t *j, struct ut_error *e) {
  char path[PATH_MAX];
  struct ut_counts counts = {0};
  json_t *design = NULL;
  if (ut_path_set(e, path, "%s/ut_switch.json", report->synthesis.entry.folder) || !(design = ut_report_load(path, e)))
    return -1;
  json_t *module = ut_netlist_module(design, "ut_switch");
  int crosspoints = -1;
  int status = count(report, module, "", &counts, e);
  if (!status)
    status = (crosspoints = ut_netlist_crosspoints(module, &report->synthesis.liberty, report->shape, e)) < 0 ? -1 : 0;
  if (!status) {
    const struct ut_shape *shape = report->shape;
    set_counts(report, j, &counts);
    set_details(report, j, &counts);
    json_object_set_new(j, "crossbar",
                        json_pack("{s:i,s:i,s:i}", "inputs",
                                  (int)(shape->xbar == UT_XBAR_VC ? shape->pi * shape->v : shape->pi), "outputs",
                                  (int)shape->po, "crosspoints", crosspoints));
  }
  free(counts.kind);
  json_decref(design);
  return status;
}

/* ---- the blocks ---- */

static void add_counts(struct ut_counts *sum, const struct ut_counts *one) {
  sum->cells += one->cells;
  sum->area += one->area;
  for (int i = 0; i < UT_STATES; i++) {
    sum->flip_flops[i] += one->flip_flops[i];
    sum->memory_bits[i] += one->memory_bits[i];
  }
}

struct sum {
  struct ut_counts counts;
  unsigned instances;
};

/* Adds an instance of a kind of module to its block, with those that it contains. */
static int add_module(const struct ut_report *report, json_t *design, const char *type, struct sum sum[UT_BLOCKS + 1],
                      struct ut_error *e) {
  struct ut_counts one;
  const char *name;
  json_t *cell, *module = ut_netlist_module(design, type);
  int b = ut_block_of_module(type), status = count(report, module, ut_block_instance(b), &one, e);
  if (!status)
    add_counts(&sum[b].counts, &one);
  sum[b].instances++;
  free(one.kind);
  json_object_foreach(json_object_get(module, "cells"), name, cell) {
    const char *inner = json_string_value(json_object_get(cell, "type"));
    if (!status && inner && ut_block_of_module(inner) < UT_BLOCKS)
      status = add_module(report, design, inner, sum, e);
  }
  return status;
}

static int report_blocks(const struct ut_report *report, json_t *j, struct ut_error *e) {
  char path[PATH_MAX];
  struct sum sum[UT_BLOCKS + 1] = {0};
  json_t *design = NULL, *blocks = json_array();
  if (ut_path_set(e, path, "%s/blocks.json", report->entry.tmp) || !(design = ut_report_load(path, e)))
    return -1;
  int status = add_module(report, design, "ut_switch", sum, e);
  for (int b = 0; b <= UT_BLOCKS && !status; b++) {
    if (!sum[b].instances)
      continue;
    json_t *block = json_pack("{s:s,s:i}", "name", ut_block_title(b), "instances", (int)sum[b].instances);
    set_counts(report, block, &sum[b].counts);
    json_array_append_new(blocks, block);
  }
  json_object_set_new(j, "blocks", blocks);
  json_decref(design);
  return status;
}

/* ---- the longest path ---- */

static int report_timing(const struct ut_report *report, json_t *j, const struct ut_caller *caller) {
  struct ut_timing flat = {0}, blocks = {0};
  char netlist[UT_KEY_CHARS + 16]; /* in the entry beside ours: no name of a folder of the user's */
  snprintf(netlist, sizeof netlist, "../%s/timing.v", report->synthesis.entry.key);
  int status = ut_timing_run(&flat, &report->synthesis, report->tool, netlist, &report->entry, caller) ||
               ut_timing_run(&blocks, &report->synthesis, report->tool, "blocks.v", &report->entry, caller);
  if (!status) {
    ut_timing_report(j, &flat);
    json_object_set_new(j, "path_through_blocks", ut_block_path(&blocks, ut_block_of_instance));
  }
  ut_timing_free(&flat);
  ut_timing_free(&blocks);
  return status ? -1 : 0;
}

/* ---- the report ---- */

static int fill(struct ut_report *report, json_t *j, const struct ut_caller *caller) {
  json_object_set_new(j, "liberty", json_string(report->synthesis.liberty.library));
  if (report_flat(report, j, caller->e) || ut_blocks_make(&report->synthesis, &report->entry, caller) ||
      report_blocks(report, j, caller->e))
    return -1;
  if (!report->synthesis.memory)
    return report_timing(report, j, caller);
  json_object_set_new(j, "longest_path_ns", json_null());
  json_object_set_new(j, "logic_levels", json_null());
  return 0;
}

static int add_key(XXH3_state_t *h, const struct ut_report *report) {
  char *blocks = ut_blocks_scripts(&report->synthesis);
  char *timing = ut_timing_script(&report->synthesis, "timing.v", "timing.txt");
  int status = blocks && timing ? 0 : -1;
  if (!status) {
    ut_key_text(h, blocks);
    ut_key_text(h, report->synthesis.memory ? "" : timing);
  }
  free(blocks);
  free(timing);
  return status;
}

static int find_sta(struct ut_report *report, const struct ut_caller *caller) {
  if (report->synthesis.memory)
    return 0;
  if (ut_tool_need("sta", "opensta", "timing", report->tool, caller->e))
    return -1;
  return ut_tool_says(caller, report->tool, "-version", NULL, report->tool_version, sizeof report->tool_version);
}

const struct ut_reporter ut_cells_reporter = {.find_tool = find_sta, .key = add_key, .fill = fill};
