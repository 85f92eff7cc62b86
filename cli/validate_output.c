/* SPDX-License-Identifier: Apache-2.0 */
/* validate_output.c - see validate_output.h */
#include "validate_output.h"

#include <math.h>
#include <stdlib.h>

#include "cache_files.h"
#include "curves.h"
#include "validate.h"

static double number(const json_t *c, const char *key) {
  const json_t *value = json_object_get(c, key);
  return json_is_number(value) ? json_number_value(value) : NAN;
}

static const char *const titles[UT_SIMULATORS] = {"uturn", "BookSim 2"};

static const json_t *of(const json_t *row, enum ut_simulator who) {
  return json_object_get(row, ut_simulator_name[who]);
}

/* "12", or "12 to 14". */
static void put_span(FILE *f, const json_t *span) {
  const double low = number(span, "low"), high = number(span, "high");
  fprintf(f, low < high ? " %.0f to %.0f |" : " %.0f |", low, high);
}

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

/* A row for each number of switches; none where all pairs are as the formula says, on both sides. */
static void put_distances(FILE *f, const json_t *zero_load) {
  const json_t *rows = json_object_get(zero_load, "distances"), *row;
  size_t i;
  fprintf(f, "%.0f of %.0f pairs have the same latency without load; %.0f had no packet.", number(zero_load, "equal"),
          number(zero_load, "pairs"), number(zero_load, "unseen"));
  if (is_as_formula(rows)) {
    const json_t *near = json_array_get(rows, 0), *far = json_array_get(rows, json_array_size(rows) - 1);
    fprintf(f, " All are those of the formula, from %.0f cycles over %.0f to %.0f cycles over %.0f.\n\n",
            number(near, "formula"), number(near, "switches"), number(far, "formula"), number(far, "switches"));
    return;
  }
  fprintf(f, "\n\n| switches on the way | pairs | formula, cycles | uturn | BookSim 2 | pairs with equal latency |\n"
             "|---|---|---|---|---|---|\n");
  json_array_foreach(rows, i, row) {
    fprintf(f, "| %.0f | %.0f | %.0f |", number(row, "switches"), number(row, "pairs"), number(row, "formula"));
    put_span(f, of(row, UT_OURS));
    put_span(f, of(row, UT_THEIRS));
    fprintf(f, " %.0f |\n", number(row, "equal"));
  }
  fputc('\n', f);
}

static void put_loads(FILE *f, const json_t *c) {
  const json_t *row;
  size_t i;
  fprintf(f, "| load | latency: uturn | BookSim 2 | difference | accepted: uturn | BookSim 2 |\n"
             "|---|---|---|---|---|---|\n");
  json_array_foreach(json_object_get(c, "loads"), i, row) {
    const double a = number(of(row, UT_OURS), "latency"), b = number(of(row, UT_THEIRS), "latency");
    fprintf(f, "| %.2f | %.1f | %.1f | %+.1f %% | %.3f | %.3f |\n", number(row, "load"), a, b, 100 * (a - b) / b,
            number(of(row, UT_OURS), "accepted"), number(of(row, UT_THEIRS), "accepted"));
  }
  fprintf(f, "\n| | uturn | BookSim 2 |\n|---|---|---|\n");
  fprintf(f, "| most accepted | %.3f | %.3f |\n", number(json_object_get(c, "peak"), ut_simulator_name[UT_OURS]),
          number(json_object_get(c, "peak"), ut_simulator_name[UT_THEIRS]));
  fprintf(f, "| highest load of which 95 %% is accepted | %.2f | %.2f |\n",
          number(json_object_get(c, "saturation"), ut_simulator_name[UT_OURS]),
          number(json_object_get(c, "saturation"), ut_simulator_name[UT_THEIRS]));
}

void ut_validate_put(FILE *f, const json_t *c) {
  const json_t *zero_load = json_object_get(c, "zero_load");
  fputc('\n', f);
  if (zero_load)
    put_distances(f, zero_load);
  if (json_object_get(c, "loads"))
    put_loads(f, c);
  fputc('\n', f);
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
