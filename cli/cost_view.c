/* cost_view.c - see cost_view.h */
#include "cost_view.h"

#include <math.h>
#include <stdio.h>

/* ---- reading a report ---- */

double ut_cost_number(const json_t *o, const char *key) {
  return json_number_value(json_object_get(o, key));
}

const char *ut_cost_text(const json_t *o, const char *key) {
  const char *s = json_string_value(json_object_get(o, key));
  return s ? s : "";
}

double ut_cost_flip_flops(const json_t *cost) {
  const json_t *f = json_object_get(cost, "flip_flops");
  return ut_cost_number(f, "buffers") + ut_cost_number(f, "control") + ut_cost_number(f, "reroute");
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

/* ---- columns ---- */

static double get(const json_t *cost, const char *key) {
  const json_t *value = json_object_get(cost, key);
  return json_is_number(value) ? json_number_value(value) : NAN;
}

#define VALUE(name, key)                                                                                               \
  static double name(const json_t *cost) {                                                                             \
    return get(cost, key);                                                                                             \
  }
VALUE(cells, "cells")
VALUE(nand2, "nand2_equivalents")
VALUE(memory_bits, "memory_bits")
VALUE(path_ns, "longest_path_ns")
VALUE(levels, "logic_levels")
VALUE(luts, "luts")
VALUE(luts_as_ram, "luts_as_ram")
VALUE(carry, "carry_cells")
VALUE(multiplexers, "wide_multiplexers")
VALUE(block_rams, "block_rams")
VALUE(mhz, "mhz")

static double reroute(const json_t *cost) {
  return get(json_object_get(cost, "flip_flops"), "reroute");
}

static double logic_cells(const json_t *cost) {
  return get(json_object_get(cost, "chip"), "logic_cells");
}

/* ---- technologies ---- */

static const struct ut_cost_view cells_view = {
    .title_key = "liberty",
    .price = "nand2_equivalents",
    .price_title = "NAND2 equivalents",
    .short_title = "+ NAND2",
    .column = {{"cells", 9, 0, cells},
               {"NAND2 eq.", 9, 0, nand2},
               {"flip-fl.", 9, 0, ut_cost_flip_flops},
               {"re-rt.", 7, 0, reroute},
               {"mem.bits", 8, 0, memory_bits},
               {"ns", 7, 2, path_ns},
               {"levels", 6, 0, levels}},
    .difference = {"cells", "area_um2", "nand2_equivalents", "memory_bits", "longest_path_ns"},
    .print_one = ut_cost_print_cells,
};

static const struct ut_cost_view fpga_view = {
    .title_key = "part",
    .price = "luts",
    .price_title = "LUTs",
    .short_title = "+ LUTs",
    .column = {{"LUTs", 8, 0, luts},
               {"as RAM", 7, 0, luts_as_ram},
               {"flip-fl.", 9, 0, ut_cost_flip_flops},
               {"re-rt.", 7, 0, reroute},
               {"carry", 6, 0, carry},
               {"wide mux", 8, 0, multiplexers},
               {"block RAM", 9, 0, block_rams},
               {"logic cells", 11, 0, logic_cells},
               {"ns", 7, 2, path_ns},
               {"MHz", 7, 1, mhz}},
    .difference = {"luts", "luts_as_ram", "carry_cells", "wide_multiplexers", "block_rams", "longest_path_ns", "mhz"},
    .print_one = ut_cost_print_fpga,
};

const struct ut_cost_view *ut_cost_view(const json_t *cost) {
  return json_object_get(cost, "fpga") ? &fpga_view : &cells_view;
}
