/* SPDX-License-Identifier: Apache-2.0 */
/* validate_output.c - see validate_output.h */
#include "validate_output.h"

#include <math.h>
#include <stdlib.h>

#include "cache_files.h"
#include "curves.h"
#include "result.h"
#include "validate.h"

static double number(const json_t *c, const char *key) {
  const json_t *value = json_object_get(c, key);
  return json_is_number(value) ? json_number_value(value) : NAN;
}

static const char *const titles[UT_SIMULATORS] = {"uturn", "BookSim 2"};

static const json_t *of(const json_t *row, enum ut_simulator who) {
  return json_object_get(row, ut_simulator_name[who]);
}

static const char layout[] =
    "\n{?zero_load}"
    "{zero_load.equal} of {zero_load.pairs} pairs have the same latency without load; {zero_load.unseen} had no "
    "packet."
    "{?zero_load._as_formula}{zero_load._as_formula}\n\n{:}\n\n"
    "| switches on the way | pairs | formula, cycles | uturn | BookSim 2 | pairs with equal latency |\n"
    "|---|---|---|---|---|---|\n"
    "{#zero_load.distances}"
    "| {switches} | {pairs} | {formula} | {uturn._span} | {booksim._span} | {equal} |\n"
    "{/}\n{/}"
    "{/}{?loads}"
    "| load | latency: uturn | BookSim 2 | difference | accepted: uturn | BookSim 2 |\n"
    "|---|---|---|---|---|---|\n"
    "{#loads}"
    "| {load:.2f} | {uturn.latency:.1f} | {booksim.latency:.1f} | {_difference:+.1f} % | {uturn.accepted:.3f} | "
    "{booksim.accepted:.3f} |\n"
    "{/}\n"
    "| | uturn | BookSim 2 |\n"
    "|---|---|---|\n"
    "| most accepted | {peak.uturn:.3f} | {peak.booksim:.3f} |\n"
    "| highest load of which 95 % is accepted | {saturation.uturn:.2f} | {saturation.booksim:.2f} |\n"
    "{/}\n";

/* "12", or "12 to 14". */
static void add_span(json_t *span) {
  const double low = number(span, "low"), high = number(span, "high");
  UT_ADD(span, {"_span", low < high ? ut_format("%.0f to %.0f", low, high) : ut_format("%.0f", low)});
}

/* All pairs have the latency of the formula, on both sides: then a sentence stands for the table of distances. */
static bool is_as_formula(const json_t *rows) {
  const json_t *row;
  size_t i;
  json_array_foreach(rows, i, row) {
    const double formula = number(row, "formula");
    if (number(row, "equal") < number(row, "pairs") || number(of(row, UT_OURS), "low") != formula ||
        number(of(row, UT_OURS), "high") != formula)
      return false;
  }
  return json_array_size(rows) > 0;
}

static void add_formula(json_t *zero_load) {
  const json_t *rows = json_object_get(zero_load, "distances");
  if (!is_as_formula(rows))
    return;
  const json_t *near = json_array_get(rows, 0), *far = json_array_get(rows, json_array_size(rows) - 1);
  UT_ADD(zero_load,
         {"_as_formula", ut_format(" All are those of the formula, from %.0f cycles over %.0f to %.0f cycles "
                                   "over %.0f.",
                                   number(near, "formula"), number(near, "switches"), number(far, "formula"),
                                   number(far, "switches"))});
}

void ut_validate_put(FILE *f, const json_t *c) {
  json_t *row, *copy = json_deep_copy(c);
  size_t i;
  add_formula(json_object_get(copy, "zero_load"));
  json_array_foreach(json_object_get(json_object_get(copy, "zero_load"), "distances"), i, row) {
    add_span(json_object_get(row, ut_simulator_name[UT_OURS]));
    add_span(json_object_get(row, ut_simulator_name[UT_THEIRS]));
  }
  json_array_foreach(json_object_get(copy, "loads"), i, row) {
    const double a = number(of(row, UT_OURS), "latency"), b = number(of(row, UT_THEIRS), "latency");
    UT_ADD(row, {"_difference", ut_real(100 * (a - b) / b)});
  }
  ut_result_put(copy, layout, f);
  json_decref(copy);
}

int ut_validate_draw(const json_t *c, const char *folder, const struct ut_caller *caller) {
  const json_t *row, *loads = json_object_get(c, "loads");
  const size_t n = json_array_size(loads);
  struct ut_curve curve[UT_SIMULATORS];
  char file[PATH_MAX];
  size_t i;
  struct ut_curve_point *point = calloc(UT_SIMULATORS * n, sizeof *point);
  if (!point)
    return ut_fail_memory(caller->e);
  for (enum ut_simulator who = 0; who < UT_SIMULATORS; who++) {
    curve[who] = (struct ut_curve){.title = titles[who], .point = point + who * n};
    json_array_foreach(loads, i, row) {
      const double latency = number(of(row, who), "latency");
      if (!isnan(latency))
        curve[who].point[curve[who].points++] =
            (struct ut_curve_point){.x = number(of(row, who), "accepted"), .y = latency};
    }
  }
  const struct ut_curves curves = {.title = json_string_value(json_object_get(c, "scenario")),
                                   .x = "accepted, flits per cycle and terminal",
                                   .y = "mean latency, cycles",
                                   .curve = curve,
                                   .curves = UT_SIMULATORS,
                                   .cut = true};
  const int result =
      ut_path_set(caller->e, file, "%s/validation_%s.svg", folder, json_string_value(json_object_get(c, "scenario"))) ||
              ut_curves_draw(&curves, file, caller)
          ? -1
          : 0;
  free(point);
  return result;
}
