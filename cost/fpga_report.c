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

static void count_flip_flop(struct counts *counts, const struct ut_report *r, json_t *cell,
                            const struct ut_net_name *names, size_t bits) {
  json_t *q = json_object_get(json_object_get(cell, "connections"), "Q");
  const size_t b = ut_netlist_bit(json_array_get(q, 0));
  const bool named = b && b < bits && names[b].name;
  counts->flip_flops[ut_state_of(named ? names[b].name : "", named ? names[b].index : 0, r->shape)]++;
}

/* Adds one to a number of an object. */
static void add_kind(json_t *kinds, const char *kind) {
  json_object_set_new(kinds, kind, json_integer(json_integer_value(json_object_get(kinds, kind)) + 1));
}

static int count(struct counts *counts, const struct ut_report *r, json_t *module, json_t *kinds, struct ut_error *e) {
  const char *name;
  json_t *cell;
  size_t bits;
  struct ut_net_name *names = ut_netlist_names(module, &bits);
  *counts = (struct counts){0};
  if (!names)
    return ut_fail_memory(e);
  json_object_foreach(json_object_get(module, "cells"), name, cell) {
    const char *kind = json_string_value(json_object_get(cell, "type"));
    const struct ut_fpga_cell *known = ut_part_cell(r->synthesis.part, kind);
    add_kind(kinds, kind);
    if (!known)
      continue;
    counts->of[known->class]++;
    counts->luts[known->class] += known->luts;
    if (known->class == UT_FPGA_FLIP_FLOP)
      count_flip_flop(counts, r, cell, names, bits);
  }
  free(names);
  return 0;
}

static void set(json_t *j, const char *key, uint64_t value) {
  json_object_set_new(j, key, json_integer((json_int_t)value));
}

static int report_cells(const struct ut_report *r, json_t *j, json_t *module, struct ut_error *e) {
  struct counts n;
  json_t *kinds = json_object();
  if (count(&n, r, module, kinds, e)) {
    json_decref(kinds);
    return -1;
  }
  json_object_set_new(j, "fpga", json_string(r->synthesis.part->name));
  json_object_set_new(j, "part", json_string(r->synthesis.part->title));
  set(j, "luts", n.luts[UT_FPGA_LUT] + n.luts[UT_FPGA_CARRY] + n.luts[UT_FPGA_LUT_RAM]);
  set(j, "luts_as_ram", n.luts[UT_FPGA_LUT_RAM]);
  set(j, "carry_cells", n.of[UT_FPGA_CARRY]);
  set(j, "wide_multiplexers", n.of[UT_FPGA_MUX]);
  set(j, "block_rams", n.of[UT_FPGA_BLOCK_RAM]);
  json_object_set_new(j, "flip_flops", ut_report_flip_flops(n.flip_flops));
  json_object_set_new(j, "cells_by_kind", kinds);
  return 0;
}

/* ---- placed and routed ---- */

static void set_placement(json_t *j, const struct ut_placement *p, const struct ut_chip *chip) {
  json_object_set_new(j, "chip",
                      json_pack("{s:s,s:i,s:i,s:i,s:b,s:i}", "name", chip->title, "logic_cells", (int)p->cells,
                                "logic_cells_of_pins", (int)p->pins, "available", (int)p->available, "fits",
                                (int)p->fits, "seed", (int)UT_PNR_SEED));
  if (!p->fits)
    return;
  ut_timing_report(j, &p->timing);
  json_object_set_new(j, "mhz", json_real(1000 / p->timing.ns));
  json_object_set_new(j, "wires_ns", json_real(p->wires_ns));
  json_object_set_new(j, "path_through_blocks", ut_block_path(&p->timing, ut_block_of_name));
}

static int report_placement(struct ut_report *r, json_t *j, json_t *module, const struct ut_caller *c) {
  struct ut_placement p;
  const struct ut_chip *chip = r->synthesis.part->chip;
  json_object_set_new(j, "longest_path_ns", json_null()); /* before routing it would mean nothing */
  if (!chip)
    return 0;
  int status = ut_pnr_run(&p, &r->synthesis, r->tool, module, &r->entry, c);
  if (!status)
    set_placement(j, &p, chip);
  ut_pnr_free(&p);
  return status;
}

/* ---- the report ---- */

static int fill(struct ut_report *r, json_t *j, const struct ut_caller *c) {
  json_t *design = ut_report_load(r->synthesis.entry.path, c->e);
  if (!design)
    return -1;
  json_t *module = ut_netlist_module(design, "ut_switch");
  int status = report_cells(r, j, module, c->e) || report_placement(r, j, module, c);
  json_decref(design);
  return status ? -1 : 0;
}

static int add_key(XXH3_state_t *h, const struct ut_report *r) {
  if (r->synthesis.part->chip)
    ut_pnr_key(h, r->synthesis.part->chip);
  return 0;
}

static int find_router(struct ut_report *r, const struct ut_caller *c) {
  const struct ut_chip *chip = r->synthesis.part->chip;
  if (!chip)
    return 0;
  if (ut_tool_need(chip->tool, chip->package, "placement and routing", r->tool, c->e))
    return -1;
  return ut_tool_says(c, r->tool, "--version", NULL, r->tool_version, sizeof r->tool_version);
}

const struct ut_reporter ut_fpga_reporter = {.find_tool = find_router, .key = add_key, .fill = fill};
