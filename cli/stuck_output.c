/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_output.c - see stuck_output.h */
#include "stuck_output.h"

#include <string.h>

#include "result.h"
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
static uint64_t hidden(const struct ut_stuck_count *count) {
  return count->of[UT_STUCK_UNTESTABLE] + count->of[UT_STUCK_UNREACHABLE];
}

static uint64_t left(const struct ut_stuck_count *count) {
  return count->faults - count->of[UT_STUCK_DETECTED] - hidden(count);
}

/* In percent: of all, and of those that can be seen for all that is proven. */
static double coverage(const struct ut_stuck_count *count) {
  return percent(count->of[UT_STUCK_DETECTED], count->faults);
}
static double coverage_of_testable(const struct ut_stuck_count *count) {
  return percent(count->of[UT_STUCK_DETECTED], count->faults - hidden(count));
}

/* ---- text and JSON ---- */

static const char layout[] =
    "{#scenarios}{scenario}: {algorithm}, load {load}, seed {seed}, {cycles:,} cycles; {library}\n"
    "{/}{#netlists}"
    "{?_several}\n"
    "{input_ports}x{output_ports} ports\n"
    "{:}"
    "{input_ports}x{output_ports} ports, {#scenarios}{switches:,} switches\n"
    "  stimulus    {patterns:,} patterns: a state and inputs of one switch each\n"
    "{/}{/}"
    "  faults      {all.faults:,} of {faults_of_the_netlist:,}, in {classes:,} classes; flip-flops {flip_flops:,}\n"
    "{?_several}\n"
    "{|scenarios}"
    "  <scenario|switches|patterns|detected|coverage|adds|only it\n"
    "{scenario}|{switches}|{patterns}|{shows}|{shows_percent:.2f} %|{adds}|{only_it}\n"
    "{/}{/}\n"
    "{|_rows}"
    "  <block of the driver|faults|detected|coverage|untestable|unreachable|left|of testable\n"
    "{_name}|{faults}|{detected}|{coverage_percent:.2f} %|{?_proven}{untestable}{/}|{?_proven}{unreachable}{/}|{left}"
    "|{?_proven}{coverage_of_testable_percent:.2f} %{/}\n"
    "{/}{/}"
    "{?_several}\n"
    "  {_count} scenarios show all that any of the {_scenarios} shows{?_perhaps_fewer} (fewer than {no_set_below} "
    "cannot; "
    "what lies between has not been searched to its end){:}; fewer do not{/}\n"
    "{#smallest_set}"
    "    {.}\n"
    "{/}{/}\n"
    "  run and faults {run_s:.1f} s{?_proven}, proofs {prove_s:.1f} s{/}\n";

/* name NULL: all of the netlist. */
static json_t *count_json(const char *name, const struct ut_stuck_count *count, bool proven) {
  return UT_OBJECT({"name", name ? ut_string(name) : NULL}, {"_name", ut_string(name ? name : "all")},
                   {"faults", ut_int(count->faults)}, {"detected", ut_int(count->of[UT_STUCK_DETECTED])},
                   {"coverage_percent", ut_real(coverage(count))},
                   {"untestable", ut_int_if(proven, count->of[UT_STUCK_UNTESTABLE])},
                   {"unreachable", ut_int_if(proven, count->of[UT_STUCK_UNREACHABLE])}, {"left", ut_int(left(count))},
                   {"coverage_of_testable_percent", proven ? ut_real(coverage_of_testable(count)) : json_null()});
}

/* What a scenario shows of a netlist. */
static json_t *share_json(const struct ut_stuck_results *results, const struct ut_stuck_result *one, unsigned i,
                          uint64_t faults) {
  const struct ut_stuck_share share = ut_stuck_faults_share(one->faults, i);
  return UT_OBJECT({"scenario", ut_string(results->scenario[i].scenario->path)},
                   {"switches", ut_int(one->stimulus[i].switches)}, {"patterns", ut_int(one->stimulus[i].patterns)},
                   {"shows", ut_int(share.detected)}, {"shows_percent", ut_real(percent(share.detected, faults))},
                   {"adds", ut_int(share.adds)}, {"only_it", ut_int(share.only)});
}

static json_t *netlist_json(const struct ut_stuck_results *results, const struct ut_stuck_result *one) {
  struct ut_stuck_count part[UT_STUCK_PARTS];
  json_t *blocks = json_array(), *scenarios = json_array();
  ut_stuck_faults_count(one->faults, part);
  const struct ut_stuck_count sum = total_of(part);
  for (int p = 0; p < UT_STUCK_PARTS; p++)
    if (part[p].faults)
      json_array_append_new(blocks, count_json(title_of(p), &part[p], results->proven));
  for (unsigned i = 0; i < results->scenarios; i++)
    if (one->stimulus[i].switches)
      json_array_append_new(scenarios, share_json(results, one, i, sum.faults));
  json_t *all = count_json(NULL, &sum, results->proven), *rows = json_copy(blocks);
  json_array_append(rows, all);
  return UT_OBJECT({"input_ports", ut_int(one->shape->pi)}, {"output_ports", ut_int(one->shape->po)},
                   {"flip_flops", ut_int(one->faults->circuit->states)},
                   {"faults_of_the_netlist", ut_int(one->faults->faults)}, {"classes", ut_int(one->faults->classes)},
                   {"scenarios", scenarios}, {"all", all}, {"blocks", blocks}, {"_rows", rows});
}

void ut_stuck_print(const struct ut_stuck_results *results, bool json) {
  json_t *scenarios = json_array(), *netlists = json_array(), *smallest = json_array();
  for (unsigned i = 0; i < results->scenarios; i++) {
    const struct ut_scenario *scenario = results->scenario[i].scenario;
    json_array_append_new(scenarios, UT_OBJECT({"scenario", ut_string(scenario->path)},
                                               {"algorithm", ut_string(scenario->routing.algorithm)},
                                               {"load", ut_real(scenario->traffic.load_flits_per_cycle)},
                                               {"seed", ut_int(scenario->run.seed)},
                                               {"cycles", ut_int(results->scenario[i].cycles)}));
    if (results->smallest.scenarios >> i & 1)
      json_array_append_new(smallest, ut_string(scenario->path));
  }
  for (unsigned i = 0; i < results->count; i++)
    json_array_append_new(netlists, netlist_json(results, &results->of[i]));
  json_t *o = UT_OBJECT({"scenarios", scenarios}, {"library", ut_string(results->library)}, {"netlists", netlists},
                        {"smallest_set", smallest}, {"no_set_below", ut_int(results->smallest.least)},
                        {"run_s", ut_real(results->run_s)},
                        {"prove_s", results->proven ? ut_real(results->prove_s) : json_null()},
                        {"_proven", json_boolean(results->proven)}, {"_several", json_boolean(results->scenarios > 1)},
                        {"_count", ut_int(results->smallest.count)}, {"_scenarios", ut_int(results->scenarios)},
                        {"_perhaps_fewer", json_boolean(results->smallest.least < results->smallest.count)});
  ut_result_print(o, json, 9, layout);
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

int ut_stuck_list(const struct ut_stuck_results *results, const char *path, struct ut_error *e) {
  static const char *const column[] = {"netlist", "net", "stuck_at", "block", "cell", "verdict"};
  static const char *const verdict[UT_STUCK_VERDICTS] = {[UT_STUCK_OPEN] = "not_detected",
                                                         [UT_STUCK_TESTABLE] = "testable",
                                                         [UT_STUCK_UNTESTABLE] = "untestable",
                                                         [UT_STUCK_UNREACHABLE] = "unreachable"};
  struct ut_sheet sheet;
  char text[256];
  if (ut_sheet_open(&sheet, path, column, sizeof column / sizeof *column, e))
    return -1;
  for (unsigned i = 0; i < results->count; i++) {
    const struct ut_stuck_faults *faults = results->of[i].faults;
    const struct ut_gates *gates = &faults->circuit->gates;
    for (size_t fault = 0; fault < 2 * gates->nets; fault++) {
      if (!faults->chosen[fault] || ut_stuck_verdict_of(faults, fault) == UT_STUCK_DETECTED)
        continue;
      ut_sheet_integer(&sheet, i);
      ut_sheet_word(&sheet, plain(gates->net[fault / 2].name, text));
      ut_sheet_integer(&sheet, fault % 2);
      ut_sheet_word(&sheet, title_of(ut_stuck_part_of(faults, fault)));
      ut_sheet_word(&sheet, faults->driver[fault / 2] == UINT32_MAX ? "" : gates->gate[faults->driver[fault / 2]].type);
      ut_sheet_word(&sheet, verdict[ut_stuck_verdict_of(faults, fault)]);
    }
  }
  return ut_sheet_close(&sheet, e);
}
