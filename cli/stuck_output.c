/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_output.c - see stuck_output.h */
#include "stuck_output.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "cost_view.h"
#include "json_text.h"
#include "scenario.h"
#include "sheet.h"

static const char *title_of(int part) {
  return part == UT_STUCK_INPUTS ? "inputs" : ut_block_title(part);
}

static void add(struct ut_stuck_count *sum, const struct ut_stuck_count *part) {
  sum->faults += part->faults;
  for (int v = 0; v < UT_STUCK_VERDICTS; v++)
    sum->of[v] += part->of[v];
}

static struct ut_stuck_count total_of(const struct ut_stuck_count part[UT_STUCK_PARTS]) {
  struct ut_stuck_count sum = {0};
  for (int p = 0; p < UT_STUCK_PARTS; p++)
    add(&sum, &part[p]);
  return sum;
}

static double percent(uint64_t some, uint64_t all) {
  return all ? 100 * (double)some / (double)all : 100;
}

/* Proven: nothing shows them, or nothing that can occur. */
static uint64_t hidden(const struct ut_stuck_count *c) {
  return c->of[UT_STUCK_UNTESTABLE] + c->of[UT_STUCK_UNREACHABLE];
}

static uint64_t left(const struct ut_stuck_count *c) {
  return c->faults - c->of[UT_STUCK_DETECTED] - hidden(c);
}

/* In percent: of all, and of those that can be seen for all that is proven. */
static double coverage(const struct ut_stuck_count *c) {
  return percent(c->of[UT_STUCK_DETECTED], c->faults);
}
static double coverage_of_testable(const struct ut_stuck_count *c) {
  return percent(c->of[UT_STUCK_DETECTED], c->faults - hidden(c));
}

/* ---- text ---- */

static void print_row(const char *title, const struct ut_stuck_count *c, bool proven) {
  printf("  %-18s %9" PRIu64 " %9" PRIu64 " %8.2f %%", title, c->faults, c->of[UT_STUCK_DETECTED], coverage(c));
  if (proven)
    printf(" %10" PRIu64 " %11" PRIu64 " %8" PRIu64 " %8.2f %%\n", c->of[UT_STUCK_UNTESTABLE],
           c->of[UT_STUCK_UNREACHABLE], left(c), coverage_of_testable(c));
  else
    printf(" %8" PRIu64 "\n", left(c));
}

/* What each scenario shows of a netlist. */
static void print_shares(const struct ut_stuck_results *r, const struct ut_stuck_result *one, uint64_t faults) {
  printf("\n  %-44s %8s %11s %9s %10s %8s %8s\n", "scenario", "switches", "patterns", "detected", "coverage", "adds",
         "only it");
  for (unsigned i = 0; i < r->scenarios; i++) {
    const struct ut_stuck_stimulus *s = &one->stimulus[i];
    const struct ut_stuck_share share = ut_stuck_faults_share(one->faults, i);
    if (!s->switches)
      continue;
    printf("  %-44s %8" PRIu32 " %11" PRIu64 " %9" PRIu64 " %8.2f %% %8" PRIu64 " %8" PRIu64 "\n",
           r->scenario[i].scenario->path, s->switches, s->patterns, share.detected, percent(share.detected, faults),
           share.adds, share.only);
  }
}

static void print_one(const struct ut_stuck_results *r, const struct ut_stuck_result *one) {
  struct ut_stuck_count part[UT_STUCK_PARTS];
  char a[32], b[32], c[32], d[32];
  ut_stuck_faults_count(one->faults, part);
  const struct ut_stuck_count all = total_of(part);
  if (r->scenarios == 1) {
    printf("%ux%u ports, %s switches\n", one->shape->pi, one->shape->po, ut_cost_grouped(one->stimulus->switches, a));
    printf("  stimulus    %s patterns: a state and inputs of one switch each\n",
           ut_cost_grouped((double)one->stimulus->patterns, a));
  } else {
    printf("\n%ux%u ports\n", one->shape->pi, one->shape->po);
  }
  printf("  faults      %s of %s, in %s classes; flip-flops %s\n", ut_cost_grouped((double)all.faults, a),
         ut_cost_grouped((double)one->faults->faults, b), ut_cost_grouped((double)one->faults->classes, c),
         ut_cost_grouped((double)one->faults->circuit->states, d));
  if (r->scenarios > 1)
    print_shares(r, one, all.faults);
  printf("\n  %-18s %9s %9s %10s%s\n", "block of the driver", "faults", "detected", "coverage",
         r->proven ? " untestable unreachable     left  of testable" : "     left");
  for (int p = 0; p < UT_STUCK_PARTS; p++)
    if (part[p].faults)
      print_row(title_of(p), &part[p], r->proven);
  print_row("all", &all, r->proven);
}

static void print_smallest(const struct ut_stuck_results *r) {
  const struct ut_stuck_choice *c = &r->smallest;
  printf("\n  %u scenarios show all that any of the %u shows", c->count, r->scenarios);
  if (c->least < c->count)
    printf(" (fewer than %u cannot; what lies between has not been searched to its end)", c->least);
  else
    printf("; fewer do not");
  for (unsigned i = 0; i < r->scenarios; i++)
    if (c->scenarios >> i & 1)
      printf("\n    %s", r->scenario[i].scenario->path);
  putchar('\n');
}

void ut_stuck_print_text(const struct ut_stuck_results *r) {
  char a[32];
  for (unsigned i = 0; i < r->scenarios; i++) {
    const struct ut_scenario *s = r->scenario[i].scenario;
    printf("%s: %s, load %g, seed %" PRIu64 ", %s cycles; %s\n", s->path, s->routing.algorithm,
           s->traffic.load_flits_per_cycle, s->run.seed, ut_cost_grouped((double)r->scenario[i].cycles, a), r->library);
  }
  for (unsigned i = 0; i < r->count; i++)
    print_one(r, &r->of[i]);
  if (r->scenarios > 1)
    print_smallest(r);
  printf("\n  run and faults %.1f s", r->run_s);
  if (r->proven)
    printf(", proofs %.1f s", r->prove_s);
  putchar('\n');
}

/* ---- JSON ---- */

static json_t *count_json(const char *title, const struct ut_stuck_count *c, bool proven) {
  return json_pack("{s:s*,s:I,s:I,s:f,s:o,s:o,s:I,s:o}", "name", title, "faults", (json_int_t)c->faults, "detected",
                   (json_int_t)c->of[UT_STUCK_DETECTED], "coverage_percent", coverage(c), "untestable",
                   proven ? json_integer((json_int_t)c->of[UT_STUCK_UNTESTABLE]) : json_null(), "unreachable",
                   proven ? json_integer((json_int_t)c->of[UT_STUCK_UNREACHABLE]) : json_null(), "left",
                   (json_int_t)left(c), "coverage_of_testable_percent",
                   proven ? json_real(coverage_of_testable(c)) : json_null());
}

static json_t *share_json(const struct ut_stuck_results *r, const struct ut_stuck_result *one, unsigned i,
                          uint64_t faults) {
  const struct ut_stuck_share s = ut_stuck_faults_share(one->faults, i);
  return json_pack("{s:o,s:I,s:I,s:I,s:f,s:I,s:I}", "scenario", ut_json_text(r->scenario[i].scenario->path), "switches",
                   (json_int_t)one->stimulus[i].switches, "patterns", (json_int_t)one->stimulus[i].patterns, "shows",
                   (json_int_t)s.detected, "shows_percent", percent(s.detected, faults), "adds", (json_int_t)s.adds,
                   "only_it", (json_int_t)s.only);
}

static json_t *result_json(const struct ut_stuck_results *r, const struct ut_stuck_result *one) {
  struct ut_stuck_count part[UT_STUCK_PARTS];
  json_t *blocks = json_array(), *scenarios = json_array();
  ut_stuck_faults_count(one->faults, part);
  const struct ut_stuck_count all = total_of(part);
  for (int p = 0; p < UT_STUCK_PARTS; p++)
    if (part[p].faults)
      json_array_append_new(blocks, count_json(title_of(p), &part[p], r->proven));
  for (unsigned i = 0; i < r->scenarios; i++)
    if (one->stimulus[i].switches)
      json_array_append_new(scenarios, share_json(r, one, i, all.faults));
  return json_pack("{s:i,s:i,s:I,s:I,s:I,s:o,s:o,s:o}", "input_ports", (int)one->shape->pi, "output_ports",
                   (int)one->shape->po, "flip_flops", (json_int_t)one->faults->circuit->states, "faults_of_the_netlist",
                   (json_int_t)one->faults->faults, "classes", (json_int_t)one->faults->classes, "scenarios", scenarios,
                   "all", count_json(NULL, &all, r->proven), "blocks", blocks);
}

static json_t *scenario_json(const struct ut_stuck_scenario *one) {
  const struct ut_scenario *s = one->scenario;
  return json_pack("{s:o,s:s,s:f,s:I,s:I}", "scenario", ut_json_text(s->path), "algorithm", s->routing.algorithm,
                   "load", s->traffic.load_flits_per_cycle, "seed", (json_int_t)s->run.seed, "cycles",
                   (json_int_t)one->cycles);
}

void ut_stuck_print_json(const struct ut_stuck_results *r) {
  json_t *scenarios = json_array(), *netlists = json_array(), *smallest = json_array();
  for (unsigned i = 0; i < r->scenarios; i++) {
    json_array_append_new(scenarios, scenario_json(&r->scenario[i]));
    if (r->smallest.scenarios >> i & 1)
      json_array_append_new(smallest, ut_json_text(r->scenario[i].scenario->path));
  }
  for (unsigned i = 0; i < r->count; i++)
    json_array_append_new(netlists, result_json(r, &r->of[i]));
  json_t *o = json_pack("{s:o,s:s,s:o,s:o,s:i,s:f,s:o}", "scenarios", scenarios, "library", r->library, "netlists",
                        netlists, "smallest_set", smallest, "no_set_below", (int)r->smallest.least, "run_s", r->run_s,
                        "prove_s", r->proven ? json_real(r->prove_s) : json_null());
  json_dumpf(o, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
  putchar('\n');
  json_decref(o);
}

/* ---- the list ---- */

/* A name without what Verilog needs around an odd one. */
static const char *plain(const char *name, char text[256]) {
  size_t n = 0;
  for (; *name && n + 1 < 256; name++)
    if (*name != '\\' && *name != ' ')
      text[n++] = *name;
  text[n] = '\0';
  return text;
}

int ut_stuck_list(const struct ut_stuck_results *r, const char *path, struct ut_error *e) {
  static const char *const column[] = {"netlist", "net", "stuck_at", "block", "cell", "verdict"};
  static const char *const verdict[UT_STUCK_VERDICTS] = {[UT_STUCK_OPEN] = "not_detected",
                                                         [UT_STUCK_TESTABLE] = "testable",
                                                         [UT_STUCK_UNTESTABLE] = "untestable",
                                                         [UT_STUCK_UNREACHABLE] = "unreachable"};
  struct ut_sheet sheet;
  char text[256];
  if (ut_sheet_open(&sheet, path, column, sizeof column / sizeof *column, e))
    return -1;
  for (unsigned i = 0; i < r->count; i++) {
    const struct ut_stuck_faults *f = r->of[i].faults;
    const struct ut_gates *g = &f->circuit->gates;
    for (size_t fault = 0; fault < 2 * g->nets; fault++) {
      if (!f->chosen[fault] || ut_stuck_verdict_of(f, fault) == UT_STUCK_DETECTED)
        continue;
      ut_sheet_integer(&sheet, i);
      ut_sheet_word(&sheet, plain(g->net[fault / 2].name, text));
      ut_sheet_integer(&sheet, fault % 2);
      ut_sheet_word(&sheet, title_of(ut_stuck_part_of(f, fault)));
      ut_sheet_word(&sheet, f->driver[fault / 2] == UINT32_MAX ? "" : g->gate[f->driver[fault / 2]].type);
      ut_sheet_word(&sheet, verdict[ut_stuck_verdict_of(f, fault)]);
    }
  }
  return ut_sheet_close(&sheet, e);
}
