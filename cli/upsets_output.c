/* SPDX-License-Identifier: Apache-2.0 */
/* upsets_output.c - see upsets_output.h */
#include "upsets_output.h"

#include "estimate.h"
#include "result.h"
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

static const struct ut_flip_flop *flip_flop_of(const struct ut_upset_results *results, size_t i) {
  return &results->flip_flop[ut_topology_elaboration(results->topology, results->upset[i].sw)]
                            [results->upset[i].flip_flop];
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

static void count(const struct ut_upset_results *results, struct row row[ROWS]) {
  for (unsigned i = 0; i < results->topology->elaborations; i++)
    for (size_t f = 0; f < results->flip_flops[i]; f++) {
      row[results->flip_flop[i][f].class].flip_flops += results->topology->elaboration[i].count;
      row[ALL].flip_flops += results->topology->elaboration[i].count;
    }
  for (size_t i = 0; i < results->count; i++) {
    add(&row[flip_flop_of(results, i)->class], results->outcome[i]);
    add(&row[ALL], results->outcome[i]);
  }
}

static const char *name_of(unsigned row) {
  return row == ALL ? "all" : ut_flip_flop_class_name((enum ut_flip_flop_class)row);
}

static double percent(uint64_t some, uint64_t all) {
  return all ? 100 * (double)some / (double)all : 0;
}

/* ---- text and JSON ---- */

static const char layout[] =
    "{scenario}: {algorithm}, load {load}, seed {seed}; {library}\n"
    "  {injections:,} injections into {_flip_flops:,} flip-flops of {switches} switches, in cycles {_first_cycle} to "
    "{_last_cycle}\n\n"
    "{|classes}"
    "  <percent of|flip-flops|injections|masked|latent|delayed|corrupted|misdelivered|lost|stuck|error_o\n"
    "{class}|{flip_flops}|{injections}|{masked.percent:.3f}|{latent.percent:.3f}|{delayed.percent:.3f}"
    "|{corrupted.percent:.3f}|{misdelivered.percent:.3f}|{lost.percent:.3f}|{stuck.percent:.3f}|{error_o.percent:.3f}\n"
    "{/}\n"
    "{|classes}"
    "  <with bounds|corrupted|other harm|of harm, with error_o\n"
    "{class}|{corrupted._text}|{_other_harm._text}|{?harm_with_error_o}{harm_with_error_o._text}{/}\n"
    "{/}\n"
    "  bounds: 95 % confidence.  {run_s:.1f} s\n";

static json_t *share_json(uint64_t some, uint64_t all) {
  const struct ut_bounds bounds = ut_estimate_share(some, all, CONFIDENCE);
  return UT_OBJECT(
      {"count", ut_int(some)}, {"percent", ut_real(percent(some, all))}, {"low_percent", ut_real(100 * bounds.low)},
      {"high_percent", ut_real(100 * bounds.high)},
      {"_text", ut_format("%.3f (%.3f to %.3f)", percent(some, all), 100 * bounds.low, 100 * bounds.high)});
}

static json_t *row_json(unsigned i, const struct row *row) {
  const uint64_t all = row->injections, other = row->harm - row->of[UT_UPSET_CORRUPTED];
  json_t *o =
      UT_OBJECT({"class", ut_string(name_of(i))}, {"flip_flops", ut_int(row->flip_flops)}, {"injections", ut_int(all)});
  for (int k = UT_UPSET_MASKED; k < UT_UPSET_OUTCOMES; k++)
    UT_ADD(o, {ut_upset_outcome_name((enum ut_upset_outcome)k), share_json(row->of[k], all)});
  return UT_ADD(o, {"error_o", share_json(row->error, all)}, {"harm", share_json(row->harm, all)},
                {"harm_with_error_o", row->harm ? share_json(row->harm_with_error, row->harm) : json_null()},
                {"_other_harm", share_json(other, all)});
}

void ut_upsets_print(const struct ut_upset_results *results, bool json) {
  const struct ut_scenario *scenario = results->scenario;
  struct row row[ROWS] = {{0}};
  json_t *classes = json_array();
  count(results, row);
  for (unsigned i = 0; i < ROWS; i++)
    if (row[i].injections)
      json_array_append_new(classes, row_json(i, &row[i]));
  json_t *o =
      UT_OBJECT({"scenario", ut_string(scenario->path)}, {"algorithm", ut_string(scenario->routing.algorithm)},
                {"library", ut_string(results->library)}, {"load", ut_real(scenario->traffic.load_flits_per_cycle)},
                {"seed", ut_int(scenario->run.seed)}, {"switches", ut_int(results->topology->switches)},
                {"injections", ut_int(results->count)}, {"confidence", ut_real(CONFIDENCE)}, {"classes", classes},
                {"run_s", ut_real(results->run_s)}, {"_flip_flops", ut_int(row[ALL].flip_flops)},
                {"_first_cycle", ut_int(scenario->run.warmup_cycles)},
                {"_last_cycle", ut_int(scenario->run.warmup_cycles + scenario->run.measure_cycles - 1)});
  ut_result_print(o, json, 9, layout);
}

/* ---- the list ---- */

int ut_upsets_list(const struct ut_upset_results *results, const char *path, struct ut_error *e) {
  static const char *const column[] = {"cycle", "switch", "register", "class", "outcome", "error_o"};
  struct ut_sheet sheet;
  char name[UT_SWITCH_NAME_SIZE];
  if (ut_sheet_open(&sheet, path, column, sizeof column / sizeof *column, e))
    return -1;
  for (size_t i = 0; i < results->count; i++) {
    const struct ut_flip_flop *flop = flip_flop_of(results, i);
    ut_sheet_integer(&sheet, results->upset[i].cycle);
    ut_sheet_word(&sheet, ut_topology_switch_name(results->topology, results->upset[i].sw, name));
    ut_sheet_word(&sheet, flop->name);
    ut_sheet_word(&sheet, ut_flip_flop_class_name(flop->class));
    ut_sheet_word(&sheet, ut_upset_outcome_name((enum ut_upset_outcome)(results->outcome[i] & ~UT_UPSET_ERROR)));
    ut_sheet_integer(&sheet, results->outcome[i] & UT_UPSET_ERROR ? 1 : 0);
  }
  return ut_sheet_close(&sheet, e);
}
