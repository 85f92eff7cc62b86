/* SPDX-License-Identifier: Apache-2.0 */
/* fpga_report.c - what `cost --fpga` reports: cells by class, and of a part with a chip the clock after routing. */
#include <stdlib.h>

#include "blocks.h"
#include "cache_files.h"
#include "cache_tools.h"
#include "fpga.h"
#include "netlist.h"
#include "pnr.h"
#include "report.h"
#include "tool.h"

struct counts {
  uint64_t of[UT_FPGA_CLASSES], luts[UT_FPGA_CLASSES], flip_flops[UT_STATES];
};

/* ---- cells ---- */

static void count_flip_flop(struct counts *counts, const struct ut_report *report, json_t *cell,
                            const struct ut_net_name *names, size_t bits) {
  json_t *q = json_object_get(json_object_get(cell, "connections"), "Q");
  const size_t b = ut_netlist_bit(json_array_get(q, 0));
  const bool named = b && b < bits && names[b].name;
  counts->flip_flops[ut_state_of(named ? names[b].name : "", named ? names[b].index : 0, report->shape)]++;
}

/* Adds one to a number of an object. */
static void add_kind(json_t *kinds, const char *kind) {
  json_object_set_new(kinds, kind, json_integer(json_integer_value(json_object_get(kinds, kind)) + 1));
}

static int count(struct counts *counts, const struct ut_report *report, json_t *module, json_t *kinds,
                 struct ut_error *e) {
  const char *name;
  json_t *cell;
  size_t bits;
  struct ut_net_name *names = ut_netlist_names(module, &bits);
  *counts = (struct counts){0};
  if (!names)
    return ut_fail_memory(e);
  json_object_foreach(json_object_get(module, "cells"), name, cell) {
    const char *kind = json_string_value(json_object_get(cell, "type"));
    const struct ut_fpga_cell *known = ut_part_cell(report->synthesis.part, kind);
    add_kind(kinds, kind);
    if (!known)
      continue;
    counts->of[known->class]++;
    counts->luts[known->class] += known->luts;
    if (known->class == UT_FPGA_FLIP_FLOP)
      count_flip_flop(counts, report, cell, names, bits);
  }
  free(names);
  return 0;
}

static void set(json_t *j, const char *key, uint64_t value) {
  json_object_set_new(j, key, json_integer((json_int_t)value));
}

static int report_cells(const struct ut_report *report, json_t *j, json_t *module, struct ut_error *e) {
  struct counts counts;
  json_t *kinds = json_object();
  if (count(&counts, report, module, kinds, e)) {
    json_decref(kinds);
    return -1;
  }
  json_object_set_new(j, "fpga", json_string(report->synthesis.part->name));
  json_object_set_new(j, "part", json_string(report->synthesis.part->title));
  set(j, "luts", counts.luts[UT_FPGA_LUT] + counts.luts[UT_FPGA_CARRY] + counts.luts[UT_FPGA_LUT_RAM]);
  set(j, "luts_as_ram", counts.luts[UT_FPGA_LUT_RAM]);
  set(j, "carry_cells", counts.of[UT_FPGA_CARRY]);
  set(j, "wide_multiplexers", counts.of[UT_FPGA_MUX]);
  set(j, "block_rams", counts.of[UT_FPGA_BLOCK_RAM]);
  json_object_set_new(j, "flip_flops", ut_report_flip_flops(counts.flip_flops));
  json_object_set_new(j, "cells_by_kind", kinds);
  return 0;
}

/* ---- placed and routed ---- */

static void set_placement(json_t *j, const struct ut_placement *placement, const struct ut_chip *chip) {
  json_object_set_new(j, "chip",
                      json_pack("{s:s,s:i,s:i,s:i,s:b,s:i}", "name", chip->title, "logic_cells", (int)placement->cells,
                                "logic_cells_of_pins", (int)placement->pins, "available", (int)placement->available,
                                "fits", (int)placement->fits, "seed", (int)UT_PNR_SEED));
  if (!placement->fits)
    return;
  ut_timing_report(j, &placement->timing);
  json_object_set_new(j, "mhz", json_real(1000 / placement->timing.ns));
  json_object_set_new(j, "wires_ns", json_real(placement->wires_ns));
  json_object_set_new(j, "path_through_blocks", ut_block_path(&placement->timing, ut_block_of_name));
}

static int report_placement(struct ut_report *report, json_t *j, json_t *module, const struct ut_caller *caller) {
  struct ut_placement placement;
  const struct ut_chip *chip = report->synthesis.part->chip;
  json_object_set_new(j, "longest_path_ns", json_null()); /* before routing it would mean nothing */
  if (!chip)
    return 0;
  int status = ut_pnr_run(&placement, &report->synthesis, report->tool, module, &report->entry, caller);
  if (!status)
    set_placement(j, &placement, chip);
  ut_pnr_free(&placement);
  return status;
}

/* ---- the report ---- */

static int fill(struct ut_report *report, json_t *j, const struct ut_caller *caller) {
  json_t *design = ut_report_load(report->synthesis.entry.path, caller->e);
  if (!design)
    return -1;
  json_t *module = ut_netlist_module(design, "ut_switch");
  int status = report_cells(report, j, module, caller->e) || report_placement(report, j, module, caller);
  json_decref(design);
  return status ? -1 : 0;
}

static int add_key(XXH3_state_t *h, const struct ut_report *report) {
  if (report->synthesis.part->chip)
    ut_pnr_key(h, report->synthesis.part->chip);
  return 0;
}

static int find_router(struct ut_report *report, const struct ut_caller *caller) {
  const struct ut_chip *chip = report->synthesis.part->chip;
  if (!chip)
    return 0;
  if (ut_tool_need(chip->tool, chip->package, "placement and routing", report->tool, caller->e))
    return -1;
  return ut_tool_says(caller, report->tool, "--version", NULL, report->tool_version, sizeof report->tool_version);
}

const struct ut_reporter ut_fpga_reporter = {.find_tool = find_router, .key = add_key, .fill = fill};
