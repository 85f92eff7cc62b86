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

/* ---- technologies ---- */

static const struct ut_cost_view cells_view = {
    .title_key = "liberty",
    .chart = "Area",
    .price_title = "NAND2 equivalents",
    .price_short = "NAND2",
    .percent = "area_percent",
    .difference = {"cells", "area_um2", "nand2_equivalents", "memory_bits", "longest_path_ns"},
};

static const struct ut_cost_view fpga_view = {
    .title_key = "part",
    .chart = "Cells",
    .price_title = "LUTs",
    .price_short = "LUTs",
    .percent = "luts_percent",
    .difference = {"luts", "luts_as_ram", "carry_cells", "wide_multiplexers", "block_rams", "longest_path_ns", "mhz"},
};

const struct ut_cost_view *ut_cost_view(const json_t *cost) {
  return ut_cost_of_fpga(cost) ? &fpga_view : &cells_view;
}
