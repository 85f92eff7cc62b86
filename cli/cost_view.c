/* SPDX-License-Identifier: Apache-2.0 */
/* cost_view.c - see cost_view.h */
#include "cost_view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cost.h"

/* ---- reading a report ---- */

const char *ut_cost_text(const json_t *o, const char *key) {
  const char *s = json_string_value(json_object_get(o, key));
  return s ? s : "";
}

double ut_cost_value(const json_t *cost, const char *key) {
  const size_t n = strcspn(key, ".");
  const char *name;
  json_t *each, *value = json_object_getn(cost, key, n);
  double sum = 0;
  if (key[n])
    return ut_cost_value(value, key + n + 1);
  if (!json_is_object(value))
    return json_is_number(value) ? json_number_value(value) : NAN;
  json_object_foreach(value, name, each) {
    sum += json_number_value(each);
  }
  return sum;
}

bool ut_cost_timed(const json_t *cost) {
  return json_is_number(json_object_get(cost, "longest_path_ns"));
}

const char *ut_cost_grouped(double value, char out[32]) {
  char digits[32];
  int n = snprintf(digits, sizeof digits, "%.0f", value), used = 0;
  for (int i = 0; i < n; i++) {
    out[used++] = digits[i];
    if ((n - 1 - i) % 3 == 0 && i < n - 1 && digits[i] != '-')
      out[used++] = ',';
  }
  out[used] = '\0';
  return out;
}

/* ---- technologies ---- */

static const struct ut_cost_view cells_view = {
    .title_key = "liberty",
    .chart = "Area",
    .price_title = "NAND2 equivalents",
    .price_short = "NAND2",
    .percent = "area_percent",
    .column = {{"cells", 9, 0, "cells"},
               {"NAND2 eq.", 9, 0, "nand2_equivalents"},
               {"flip-fl.", 9, 0, "flip_flops"},
               {"re-rt.", 7, 0, "flip_flops.reroute"},
               {"mem.bits", 8, 0, "memory_bits"},
               {"ns", 7, 2, "longest_path_ns"},
               {"levels", 6, 0, "logic_levels"}},
    .difference = {"cells", "area_um2", "nand2_equivalents", "memory_bits", "longest_path_ns"},
    .print_one = ut_cost_print_cells,
};

static const struct ut_cost_view fpga_view = {
    .title_key = "part",
    .chart = "Cells",
    .price_title = "LUTs",
    .price_short = "LUTs",
    .percent = "luts_percent",
    .column = {{"LUTs", 8, 0, "luts"},
               {"as RAM", 7, 0, "luts_as_ram"},
               {"flip-fl.", 9, 0, "flip_flops"},
               {"re-rt.", 7, 0, "flip_flops.reroute"},
               {"carry", 6, 0, "carry_cells"},
               {"wide mux", 8, 0, "wide_multiplexers"},
               {"block RAM", 9, 0, "block_rams"},
               {"logic cells", 11, 0, "chip.logic_cells"},
               {"ns", 7, 2, "longest_path_ns"},
               {"MHz", 7, 1, "mhz"}},
    .difference = {"luts", "luts_as_ram", "carry_cells", "wide_multiplexers", "block_rams", "longest_path_ns", "mhz"},
    .print_one = ut_cost_print_fpga,
};

const struct ut_cost_view *ut_cost_view(const json_t *cost) {
  return ut_cost_of_fpga(cost) ? &fpga_view : &cells_view;
}
