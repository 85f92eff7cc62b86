/* SPDX-License-Identifier: Apache-2.0 */
/* cost_energy_output.c - what `uturn cost --energy` prints and draws. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache_gnuplot.h"
#include "cost_energy.h"
#include "scenario.h"
#include "scenario_output.h"

/* ---- text and JSON ---- */

static const char one_layout[] =
    "{#rows}{scenario}: {algorithm}, {switches} switches, load {load} (accepted {accepted:.3f}); {liberty}, {voltage} "
    "V\n"
    "counted          {switch_cycles:,} cycles of a switch, {flit_hops:,} flit-hops, {u_turns:,} U-turns in the run\n"
    "a switch         {pj_per_cycle:.2f} pJ a cycle: clock {idle_pj_per_cycle:.2f}, internal "
    "{internal_pj_per_cycle:.2f}, switching {switching_pj_per_cycle:.2f}; leakage {leakage_uw:.3g} uW\n"
    "idle             {idle_pj_per_cycle:.2f} pJ a cycle: the clock at its flip-flops\n"
    "{?flit_hops}"
    "a flit-hop       {pj_per_flit_hop:.2f} pJ, of these {pj_per_flit_hop_above_idle:.2f} above idle\n"
    "{/}\n"
    "{|blocks}"
    "  <block|cells|clock|internal|switching|pJ/cycle|pJ/hop, no idle\n"
    "{name}|{cells:,}|{clock_pj_per_cycle:.3f}|{internal_pj_per_cycle:.3f}|{switching_pj_per_cycle:.3f}"
    "|{_pj_per_cycle:.3f}|{pj_per_flit_hop_above_idle:.3f}\n"
    "{/}{?_opensta}\n"
    "{|_opensta}"
    "  <against OpenSTA|ours|OpenSTA|ours more\n"
    "{name}|{ours:.4f}|{theirs:.4f}|{more:+.2f} %\n"
    "{/}{/}{/}";

static const char table_layout[] =
    "{|rows}"
    "<|load|accepted|pJ/cycle|idle|internal|switching|pJ/hop|above idle|pJ/hop|above idle\n"
    "{label}|{load}|{accepted:.4f}|{pj_per_cycle:.2f}|{idle_pj_per_cycle:.2f}|{internal_pj_per_cycle:.2f}"
    "|{switching_pj_per_cycle:.2f}|{pj_per_flit_hop:.2f}|{pj_per_flit_hop_above_idle:.2f}"
    "|{?_more}{_more:+.1f} %{/}|{?_more}{_more_above_idle:+.1f} %{/}\n"
    "{/}";

static json_t *block_json(const struct ut_energy_run *run, int b) {
  const struct ut_energy *energy = &run->of[b];
  const double cycles = run->cycles ? (double)run->cycles : 1, hops = (double)run->flit_hops;
  return UT_OBJECT({"name", ut_string(ut_block_title(b))},
                   {"cells", ut_int(run->switches ? energy->cells / run->switches : 0)},
                   {"clock_pj_per_cycle", ut_real(energy->clock / cycles)},
                   {"internal_pj_per_cycle", ut_real(energy->internal / cycles)},
                   {"switching_pj_per_cycle", ut_real(energy->switching / cycles)},
                   {"_pj_per_cycle", ut_real((energy->clock + energy->internal + energy->switching) / cycles)},
                   {"toggles_per_cycle", ut_real((double)energy->toggles / cycles)},
                   {"pj_per_flit_hop_above_idle", ut_real((energy->internal + energy->switching) / hops)});
}

static void add_check(json_t *o, const struct ut_energy_run *run) {
  const double cycles = run->cycles ? (double)run->cycles : 1, switches = (double)run->switches;
  const struct ut_energy_check *energy_check = &run->check;
  const struct {
    const char *name, *key, *their_key;
    double ours, theirs;
  } line[] = {
      {"switching, pJ/cycle", "switching_pj_per_cycle", "opensta_switching_pj_per_cycle",
       energy_check->switching[0] / cycles, energy_check->switching[1] / cycles},
      {"internal by its rules", "internal_pj_per_cycle", "opensta_internal_pj_per_cycle",
       energy_check->internal[0] / cycles, energy_check->internal[1] / cycles},
      {"leakage, uW", "leakage_uw", "opensta_leakage_uw", energy_check->leakage_uw[0] / switches,
       energy_check->leakage_uw[1] / switches},
  };
  json_t *check = json_object(), *rows = json_array();
  for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
    const double ours = line[i].ours, theirs = line[i].theirs;
    UT_ADD(check, {line[i].key, ut_real(ours)}, {line[i].their_key, ut_real(theirs)});
    json_array_append_new(rows, UT_OBJECT({"name", ut_string(line[i].name)}, {"ours", ut_real(ours)},
                                          {"theirs", ut_real(theirs)},
                                          {"more", ut_real(theirs > 0 ? 100 * (ours / theirs - 1) : 0)}));
  }
  UT_ADD(o, {"opensta", check}, {"_opensta", rows});
}

static json_t *row_json(const struct ut_cost_row *row, const struct ut_energy_run *run) {
  const struct ut_energy_figures figures = ut_energy_figures(run);
  json_t *o = ut_scenario_result(row->scenario), *blocks = json_array();
  double leakage = 0;
  for (int b = 0; b <= UT_BLOCKS; b++) {
    leakage += run->of[b].leakage_uw;
    if (run->of[b].cells)
      json_array_append_new(blocks, block_json(run, b));
  }
  UT_ADD(o, {"label", ut_string(row->label)}, {"algorithm", ut_string(row->scenario->routing.algorithm)},
         {"load", ut_real(run->load)}, {"accepted", ut_real(run->accepted)}, {"voltage", ut_real(run->voltage)},
         {"switches", ut_int(run->switches)}, {"switch_cycles", ut_int(run->cycles)},
         {"flit_hops", ut_int(run->flit_hops)}, {"u_turns", ut_int(run->u_turns)}, {"liberty", ut_string(run->liberty)},
         {"pj_per_cycle", ut_real(figures.cycle)}, {"idle_pj_per_cycle", ut_real(figures.clock)},
         {"internal_pj_per_cycle", ut_real(figures.internal)}, {"switching_pj_per_cycle", ut_real(figures.switching)},
         {"leakage_uw", ut_real(run->switches ? leakage / (double)run->switches : 0)},
         {"pj_per_flit_hop", run->flit_hops ? ut_real(figures.hop) : json_null()},
         {"pj_per_flit_hop_above_idle", run->flit_hops ? ut_real(figures.hop_above_idle) : json_null()},
         {"blocks", blocks});
  if (run->checked)
    add_check(o, run);
  return o;
}

static void add_difference(json_t *o, const struct ut_cost_table *table, const struct ut_energy_run *energy, size_t i) {
  const size_t other = table->row[i].reference;
  const struct ut_energy_figures f = ut_energy_figures(&energy[i]), g = ut_energy_figures(&energy[other]);
  if (other == i)
    return;
  UT_ADD(o, {"difference",
             UT_OBJECT({"to", ut_string(table->row[other].label)}, {"idle_pj_per_cycle", ut_real(f.clock - g.clock)},
                       {"pj_per_flit_hop", ut_real(f.hop - g.hop)},
                       {"pj_per_flit_hop_above_idle", ut_real(f.hop_above_idle - g.hop_above_idle)})});
  if (g.hop_above_idle > 0 && energy[i].flit_hops)
    UT_ADD(o, {"_more", ut_real(100 * (f.hop / g.hop - 1))},
           {"_more_above_idle", ut_real(100 * (f.hop_above_idle / g.hop_above_idle - 1))});
}

void ut_energy_print(const struct ut_cost_table *table, const struct ut_energy_run *energy, bool json) {
  json_t *list = json_array();
  for (size_t i = 0; i < table->rows; i++) {
    json_t *o = row_json(&table->row[i], &energy[i]);
    if (table->compare)
      add_difference(o, table, energy, i);
    json_array_append_new(list, o);
  }
  ut_result_print_rows(UT_OBJECT({"rows", list}), json, table->rows == 1, 17,
                       table->rows == 1 ? one_layout : table_layout);
}

/* ---- the chart ---- */

struct drawing {
  const struct ut_cost_table *t;
  const struct ut_energy_run *energy;
};

/* Rows of one label are a line.  The first row of each. */
static bool is_first(const struct ut_cost_table *table, size_t row) {
  for (size_t i = 0; i < row; i++)
    if (!strcmp(table->row[i].label, table->row[row].label))
      return false;
  return true;
}

static void print_line_data(FILE *f, const struct drawing *drawing, size_t first, size_t number) {
  fprintf(f, "$line%zu << EOD\n", number);
  for (size_t i = first; i < drawing->t->rows; i++)
    if (!strcmp(drawing->t->row[i].label, drawing->t->row[first].label) && drawing->energy[i].flit_hops) {
      const struct ut_energy_figures figures = ut_energy_figures(&drawing->energy[i]);
      fprintf(f, "%g %.6g %.6g\n", drawing->energy[i].load, figures.hop, figures.hop_above_idle);
    }
  fprintf(f, "EOD\n");
}

/* The least and the most pJ of a flit-hop, all in. */
static void find_range(const struct drawing *drawing, double range[2]) {
  range[0] = range[1] = 1;
  for (size_t i = 0, seen = 0; i < drawing->t->rows; i++) {
    const double hop = ut_energy_figures(&drawing->energy[i]).hop;
    if (hop <= 0)
      continue;
    range[0] = !seen || hop < range[0] ? hop : range[0];
    range[1] = !seen || hop > range[1] ? hop : range[1];
    seen = 1;
  }
}

/* A line for each label; column 2 or 3 of its data. */
static void print_lines(FILE *f, const struct drawing *drawing, int column) {
  static const char *const colours[] = {"#4477aa", "#ee6677", "#228833", "#ccbb44", "#aa3377", "#66ccee", "#888888"};
  size_t number = 0;
  fprintf(f, "plot ");
  for (size_t i = 0; i < drawing->t->rows; i++) {
    if (!is_first(drawing->t, i))
      continue;
    fprintf(f, "%s$line%zu using 1:%d with linespoints lw 2 pt %zu ps 1 lc rgb '%s' title ", number ? ", \\\n  " : "",
            number, column, 4 + number % 8, colours[number % (sizeof colours / sizeof *colours)]);
    ut_gnuplot_text(f, drawing->t->row[i].label);
    fprintf(f, " noenhanced");
    number++;
  }
  fprintf(f, "\n");
}

static void print_chart(FILE *f, const void *what) {
  const struct drawing *drawing = what;
  size_t number = 0;
  double largest = 0.1, range[2];
  char title[128];
  for (size_t i = 0; i < drawing->t->rows; i++)
    largest = drawing->energy[i].load > largest ? drawing->energy[i].load : largest;
  for (size_t i = 0; i < drawing->t->rows; i++)
    if (is_first(drawing->t, i))
      print_line_data(f, drawing, i, number++);
  fprintf(
      f,
      "set border 3 lc rgb '#888888'\nset tics nomirror textcolor rgb '#222222'\n"
      "set grid lc rgb '#dddddd' lw 1\nset xlabel 'load, flits per cycle and terminal'\nset ylabel 'pJ per flit-hop'\n"
      "set xrange [0:%g]\nset multiplot layout 1,2 title ",
      1.04 * largest);
  snprintf(title, sizeof title, "Energy of a flit-hop, %.60s, %g V", drawing->energy[0].liberty,
           drawing->energy[0].voltage);
  ut_gnuplot_text(f, title);
  fputs(" noenhanced font ',13'\nset key top right\n", f);
  find_range(drawing, range);
  fprintf(
      f,
      "set title 'all energy, the idle clock included' font ',12'\nset logscale y\nset yrange [%g:%g]\n"
      "set ytics (20, 50, 100, 200, 500, '1,000' 1000, '2,000' 2000, '5,000' 5000, '10,000' 10000, '20,000' 20000)\n",
      range[0] / 1.25, range[1] * 1.25);
  print_lines(f, drawing, 2);
  fprintf(f, "set title 'above idle: what the flit adds' font ',12'\nunset logscale y\nset yrange [0:*]\n"
             "set ytics autofreq\nset key bottom right\n");
  print_lines(f, drawing, 3);
  fprintf(f, "unset multiplot\n");
}

int ut_energy_draw(const struct ut_cost_table *table, const struct ut_energy_run *energy, const char *file,
                   struct ut_error *e) {
  const struct drawing drawing = {table, energy};
  const struct ut_caller caller = {.e = e, .interrupted = &ut_interrupted, .what = "chart"};
  return ut_gnuplot_draw(file, 1200, 460, print_chart, &drawing, &caller);
}
