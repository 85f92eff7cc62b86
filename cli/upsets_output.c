/* SPDX-License-Identifier: Apache-2.0 */
/* upsets_output.c - see upsets_output.h */
#include "upsets_output.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

#include "cost_view.h"
#include "estimate.h"
#include "json_text.h"
#include "scenario.h"
#include "sheet.h"

#define CONFIDENCE 0.95

/* Injections into a class of registers; the last row is all of them. */
struct row {
  uint64_t injections, of[UT_UPSET_OUTCOMES], error;
  uint64_t harm, harm_with_error; /* a packet is not what it should be, or not where */
  uint64_t flip_flops;            /* of a switch */
};
enum { ALL = UT_FLIP_CLASSES, ROWS };

static const struct ut_flip_flop *flip_flop_of(const struct ut_upset_results *r, size_t i) {
  return &r->flip_flop[ut_topology_elaboration(r->topology, r->upset[i].sw)][r->upset[i].flip_flop];
}

static void add(struct row *row, uint8_t outcome) {
  const bool error = outcome & UT_UPSET_ERROR;
  outcome &= (uint8_t)~UT_UPSET_ERROR;
  const bool harm = outcome >= UT_UPSET_CORRUPTED;
  row->injections++;
  row->of[outcome]++;
  row->error += error;
  row->harm += harm;
  row->harm_with_error += harm && error;
}

static void count(const struct ut_upset_results *r, struct row row[ROWS]) {
  for (unsigned i = 0; i < r->topology->elaborations; i++)
    for (size_t f = 0; f < r->flip_flops[i]; f++) {
      row[r->flip_flop[i][f].class].flip_flops += r->topology->elaboration[i].count;
      row[ALL].flip_flops += r->topology->elaboration[i].count;
    }
  for (size_t i = 0; i < r->count; i++) {
    add(&row[flip_flop_of(r, i)->class], r->outcome[i]);
    add(&row[ALL], r->outcome[i]);
  }
}

static const char *name_of(unsigned row) {
  return row == ALL ? "all" : ut_flip_flop_class_name((enum ut_flip_flop_class)row);
}

static double percent(uint64_t some, uint64_t all) {
  return all ? 100 * (double)some / (double)all : 0;
}

/* ---- text ---- */

static void print_bounds(uint64_t some, uint64_t all) {
  const struct ut_bounds b = ut_estimate_share(some, all, CONFIDENCE);
  char text[48];
  snprintf(text, sizeof text, "%.3f (%.3f to %.3f)", percent(some, all), 100 * b.low, 100 * b.high);
  printf(" %26s", text);
}

void ut_upsets_print_text(const struct ut_upset_results *r) {
  const struct ut_scenario *s = r->scenario;
  struct row row[ROWS] = {{0}};
  char a[32], b[32];
  count(r, row);
  printf("%s: %s, load %g, seed %" PRIu64 "; %s\n", s->path, s->routing.algorithm, s->traffic.load_flits_per_cycle,
         s->run.seed, r->library);
  printf("  %s injections into %s flip-flops of %" PRIu32 " switches, in cycles %" PRIu64 " to %" PRIu64 "\n\n",
         ut_cost_grouped((double)r->count, a), ut_cost_grouped((double)row[ALL].flip_flops, b), r->topology->switches,
         s->run.warmup_cycles, s->run.warmup_cycles + s->run.measure_cycles - 1);
  printf("  %-15s %10s %10s", "percent of", "flip-flops", "injections");
  for (int o = UT_UPSET_MASKED; o < UT_UPSET_OUTCOMES; o++)
    printf(" %12s", ut_upset_outcome_name((enum ut_upset_outcome)o));
  printf(" %9s\n", "error_o");
  for (unsigned i = 0; i < ROWS; i++) {
    if (!row[i].injections)
      continue;
    printf("  %-15s %10" PRIu64 " %10" PRIu64, name_of(i), row[i].flip_flops, row[i].injections);
    for (int o = UT_UPSET_MASKED; o < UT_UPSET_OUTCOMES; o++)
      printf(" %12.3f", percent(row[i].of[o], row[i].injections));
    printf(" %9.3f\n", percent(row[i].error, row[i].injections));
  }
  printf("\n  %-15s %26s %26s %26s\n", "with bounds", "corrupted", "other harm", "of harm, with error_o");
  for (unsigned i = 0; i < ROWS; i++) {
    if (!row[i].injections)
      continue;
    printf("  %-15s", name_of(i));
    print_bounds(row[i].of[UT_UPSET_CORRUPTED], row[i].injections);
    print_bounds(row[i].harm - row[i].of[UT_UPSET_CORRUPTED], row[i].injections);
    if (row[i].harm)
      print_bounds(row[i].harm_with_error, row[i].harm);
    putchar('\n');
  }
  printf("\n  bounds: 95 %% confidence.  %.1f s\n", r->run_s);
}

/* ---- JSON ---- */

static json_t *share_json(uint64_t some, uint64_t all) {
  const struct ut_bounds b = ut_estimate_share(some, all, CONFIDENCE);
  return json_pack("{s:I,s:f,s:f,s:f}", "count", (json_int_t)some, "percent", percent(some, all), "low_percent",
                   100 * b.low, "high_percent", 100 * b.high);
}

static json_t *row_json(unsigned i, const struct row *row) {
  json_t *o = json_pack("{s:s,s:I,s:I}", "class", name_of(i), "flip_flops", (json_int_t)row->flip_flops, "injections",
                        (json_int_t)row->injections);
  for (int k = UT_UPSET_MASKED; k < UT_UPSET_OUTCOMES; k++)
    json_object_set_new(o, ut_upset_outcome_name((enum ut_upset_outcome)k), share_json(row->of[k], row->injections));
  json_object_set_new(o, "error_o", share_json(row->error, row->injections));
  json_object_set_new(o, "harm", share_json(row->harm, row->injections));
  json_object_set_new(o, "harm_with_error_o", row->harm ? share_json(row->harm_with_error, row->harm) : json_null());
  return o;
}

void ut_upsets_print_json(const struct ut_upset_results *r) {
  const struct ut_scenario *s = r->scenario;
  struct row row[ROWS] = {{0}};
  json_t *classes = json_array();
  count(r, row);
  for (unsigned i = 0; i < ROWS; i++)
    if (row[i].injections)
      json_array_append_new(classes, row_json(i, &row[i]));
  json_t *o = json_pack("{s:o,s:s,s:s,s:f,s:I,s:i,s:I,s:f,s:o,s:f}", "scenario", ut_json_text(s->path), "algorithm",
                        s->routing.algorithm, "library", r->library, "load", s->traffic.load_flits_per_cycle, "seed",
                        (json_int_t)s->run.seed, "switches", (int)r->topology->switches, "injections",
                        (json_int_t)r->count, "confidence", CONFIDENCE, "classes", classes, "run_s", r->run_s);
  json_dumpf(o, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
  putchar('\n');
  json_decref(o);
}

/* ---- the list ---- */

int ut_upsets_list(const struct ut_upset_results *r, const char *path, struct ut_error *e) {
  static const char *const column[] = {"cycle", "switch", "register", "class", "outcome", "error_o"};
  struct ut_sheet sheet;
  char name[UT_SWITCH_NAME_SIZE];
  if (ut_sheet_open(&sheet, path, column, sizeof column / sizeof *column, e))
    return -1;
  for (size_t i = 0; i < r->count; i++) {
    const struct ut_flip_flop *f = flip_flop_of(r, i);
    ut_sheet_integer(&sheet, r->upset[i].cycle);
    ut_sheet_word(&sheet, ut_topology_switch_name(r->topology, r->upset[i].sw, name));
    ut_sheet_word(&sheet, f->name);
    ut_sheet_word(&sheet, ut_flip_flop_class_name(f->class));
    ut_sheet_word(&sheet, ut_upset_outcome_name((enum ut_upset_outcome)(r->outcome[i] & ~UT_UPSET_ERROR)));
    ut_sheet_integer(&sheet, r->outcome[i] & UT_UPSET_ERROR ? 1 : 0);
  }
  return ut_sheet_close(&sheet, e);
}
