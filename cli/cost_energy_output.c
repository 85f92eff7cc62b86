/* SPDX-License-Identifier: Apache-2.0 */
/* cost_energy_output.c - what `uturn cost --energy` prints and draws. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache_gnuplot.h"
#include "cost_energy.h"
#include "cost_view.h"
#include "json_text.h"
#include "scenario.h"

static bool of_one_kind(const struct ut_cost_table *t) {
  return t->rows == 1;
}

/* ---- one ---- */

static void print_head(const struct ut_cost_row *row, const struct ut_energy_run *r) {
  char a[32], b[32];
  printf("%s: %s, %" PRIu64 " switches, load %g (accepted %.3f); %s, %g V\n", row->scenario->path,
         row->scenario->routing.algorithm, r->switches, r->load, r->accepted, r->liberty, r->voltage);
  printf("counted          %s cycles of a switch, %s flit-hops, %s U-turns in the run\n",
         ut_cost_grouped((double)r->cycles, a), ut_cost_grouped((double)r->flit_hops, b),
         ut_cost_grouped((double)r->u_turns, (char[32]){0}));
}

static void print_blocks(const struct ut_energy_run *r) {
  const double cycles = r->cycles ? (double)r->cycles : 1, switches = (double)r->switches;
  const double hops = r->flit_hops ? (double)r->flit_hops : 1;
  char a[32];
  printf("\n  %-18s %9s %9s %9s %9s %9s %14s\n", "block", "cells", "clock", "internal", "switching", "pJ/cycle",
         "pJ/hop, no idle");
  for (int b = 0; b <= UT_BLOCKS; b++) {
    const struct ut_energy *e = &r->of[b];
    if (!e->cells)
      continue;
    printf("  %-18s %9s %9.3f %9.3f %9.3f %9.3f %14.3f\n", ut_block_title(b),
           ut_cost_grouped((double)e->cells / switches, a), e->clock / cycles, e->internal / cycles,
           e->switching / cycles, (e->clock + e->internal + e->switching) / cycles,
           (e->internal + e->switching) / hops);
  }
}

static double leakage(const struct ut_energy_run *r) {
  double sum = 0;
  for (int b = 0; b <= UT_BLOCKS; b++)
    sum += r->of[b].leakage_uw;
  return r->switches ? sum / (double)r->switches : 0;
}

static void print_check(const struct ut_energy_run *r) {
  const double cycles = r->cycles ? (double)r->cycles : 1;
  const struct {
    const char *name;
    double ours, theirs;
  } line[] = {
      {"switching, pJ/cycle", r->check.switching[0] / cycles, r->check.switching[1] / cycles},
      {"internal by its rules", r->check.internal[0] / cycles, r->check.internal[1] / cycles},
      {"leakage, uW", r->check.leakage_uw[0] / (double)r->switches, r->check.leakage_uw[1] / (double)r->switches},
  };
  printf("\n  %-24s %12s %12s %10s\n", "against OpenSTA", "ours", "OpenSTA", "ours more");
  for (size_t i = 0; i < sizeof line / sizeof *line; i++)
    printf("  %-24s %12.4f %12.4f %+9.2f %%\n", line[i].name, line[i].ours, line[i].theirs,
           line[i].theirs > 0 ? 100 * (line[i].ours / line[i].theirs - 1) : 0);
}

static void print_one(const struct ut_cost_row *row, const struct ut_energy_run *r) {
  const struct ut_energy_figures f = ut_energy_figures(r);
  print_head(row, r);
  printf("a switch         %.2f pJ a cycle: clock %.2f, internal %.2f, switching %.2f; leakage %.3g uW\n", f.cycle,
         f.clock, f.internal, f.switching, leakage(r));
  printf("idle             %.2f pJ a cycle: the clock at its flip-flops\n", f.clock);
  if (r->flit_hops)
    printf("a flit-hop       %.2f pJ, of these %.2f above idle\n", f.hop, f.hop_above_idle);
  print_blocks(r);
  if (r->checked)
    print_check(r);
}

/* ---- several ---- */

static void print_several(const struct ut_cost_table *t, const struct ut_energy_run *energy) {
  int width = 8;
  for (size_t i = 0; i < t->rows; i++)
    if ((int)strlen(t->row[i].label) > width)
      width = (int)strlen(t->row[i].label);
  printf("%-*s %6s %9s %9s %9s %9s %9s %9s %11s%s\n", width, "", "load", "accepted", "pJ/cycle", "idle", "internal",
         "switching", "pJ/hop", "above idle", t->compare ? "   pJ/hop  above idle" : "");
  for (size_t i = 0; i < t->rows; i++) {
    const struct ut_energy_figures f = ut_energy_figures(&energy[i]);
    printf("%-*s %6g %9.4f %9.2f %9.2f %9.2f %9.2f ", width, t->row[i].label, energy[i].load, energy[i].accepted,
           f.cycle, f.clock, f.internal, f.switching);
    if (energy[i].flit_hops)
      printf("%9.2f %11.2f", f.hop, f.hop_above_idle);
    else
      printf("%9s %11s", "-", "-");
    const size_t other = t->row[i].reference;
    const struct ut_energy_figures g = ut_energy_figures(&energy[other]);
    if (t->compare && other != i && g.hop_above_idle > 0 && energy[i].flit_hops)
      printf(" %+6.1f %% %+8.1f %%", 100 * (f.hop / g.hop - 1), 100 * (f.hop_above_idle / g.hop_above_idle - 1));
    putchar('\n');
  }
}

void ut_energy_print_text(const struct ut_cost_table *t, const struct ut_energy_run *energy) {
  if (of_one_kind(t))
    print_one(&t->row[0], &energy[0]);
  else
    print_several(t, energy);
}

/* ---- JSON ---- */

static json_t *block_json(const struct ut_energy_run *r, int b) {
  const struct ut_energy *e = &r->of[b];
  const double cycles = r->cycles ? (double)r->cycles : 1, hops = (double)r->flit_hops;
  return json_pack("{s:s,s:I,s:f,s:f,s:f,s:f,s:o}", "name", ut_block_title(b), "cells",
                   (json_int_t)(r->switches ? e->cells / r->switches : 0), "clock_pj_per_cycle", e->clock / cycles,
                   "internal_pj_per_cycle", e->internal / cycles, "switching_pj_per_cycle", e->switching / cycles,
                   "toggles_per_cycle", (double)e->toggles / cycles, "pj_per_flit_hop_above_idle",
                   hops > 0 ? json_real((e->internal + e->switching) / hops) : json_null());
}

static json_t *check_json(const struct ut_energy_run *r) {
  const double cycles = r->cycles ? (double)r->cycles : 1, switches = (double)r->switches;
  const struct ut_energy_check *c = &r->check;
  return json_pack("{s:f,s:f,s:f,s:f,s:f,s:f}", "switching_pj_per_cycle", c->switching[0] / cycles,
                   "opensta_switching_pj_per_cycle", c->switching[1] / cycles, "internal_pj_per_cycle",
                   c->internal[0] / cycles, "opensta_internal_pj_per_cycle", c->internal[1] / cycles, "leakage_uw",
                   c->leakage_uw[0] / switches, "opensta_leakage_uw", c->leakage_uw[1] / switches);
}

static json_t *row_json(const struct ut_cost_row *row, const struct ut_energy_run *r) {
  const struct ut_energy_figures f = ut_energy_figures(r);
  json_t *o =
      json_pack("{s:o,s:o,s:s,s:f,s:f,s:f,s:I,s:I,s:I,s:I}", "scenario", ut_json_text(row->scenario->path), "label",
                ut_json_text(row->label), "algorithm", row->scenario->routing.algorithm, "load", r->load, "accepted",
                r->accepted, "voltage", r->voltage, "switches", (json_int_t)r->switches, "switch_cycles",
                (json_int_t)r->cycles, "flit_hops", (json_int_t)r->flit_hops, "u_turns", (json_int_t)r->u_turns);
  json_object_set_new(o, "liberty", ut_json_text(r->liberty));
  json_object_set_new(o, "pj_per_cycle", json_real(f.cycle));
  json_object_set_new(o, "idle_pj_per_cycle", json_real(f.clock));
  json_object_set_new(o, "internal_pj_per_cycle", json_real(f.internal));
  json_object_set_new(o, "switching_pj_per_cycle", json_real(f.switching));
  json_object_set_new(o, "leakage_uw", json_real(leakage(r)));
  json_object_set_new(o, "pj_per_flit_hop", r->flit_hops ? json_real(f.hop) : json_null());
  json_object_set_new(o, "pj_per_flit_hop_above_idle", r->flit_hops ? json_real(f.hop_above_idle) : json_null());
  json_t *blocks = json_array();
  for (int b = 0; b <= UT_BLOCKS; b++)
    if (r->of[b].cells)
      json_array_append_new(blocks, block_json(r, b));
  json_object_set_new(o, "blocks", blocks);
  if (r->checked)
    json_object_set_new(o, "opensta", check_json(r));
  return o;
}

static void set_difference(const struct ut_cost_table *t, const struct ut_energy_run *energy, size_t i, json_t *o) {
  const size_t other = t->row[i].reference;
  const struct ut_energy_figures f = ut_energy_figures(&energy[i]), g = ut_energy_figures(&energy[other]);
  if (other != i)
    json_object_set_new(o, "difference",
                        json_pack("{s:s,s:f,s:f,s:f}", "to", t->row[other].label, "idle_pj_per_cycle",
                                  f.clock - g.clock, "pj_per_flit_hop", f.hop - g.hop, "pj_per_flit_hop_above_idle",
                                  f.hop_above_idle - g.hop_above_idle));
}

void ut_energy_print_json(const struct ut_cost_table *t, const struct ut_energy_run *energy) {
  json_t *list = json_array();
  for (size_t i = 0; i < t->rows; i++) {
    json_t *o = row_json(&t->row[i], &energy[i]);
    if (t->compare)
      set_difference(t, energy, i, o);
    json_array_append_new(list, o);
  }
  json_dumpf(of_one_kind(t) ? json_array_get(list, 0) : list, stdout, JSON_INDENT(2));
  putchar('\n');
  json_decref(list);
}

/* ---- the chart ---- */

struct drawing {
  const struct ut_cost_table *t;
  const struct ut_energy_run *energy;
};

/* Rows of one label are a line.  The first row of each. */
static bool is_first(const struct ut_cost_table *t, size_t row) {
  for (size_t i = 0; i < row; i++)
    if (!strcmp(t->row[i].label, t->row[row].label))
      return false;
  return true;
}

static void print_line_data(FILE *f, const struct drawing *d, size_t first, size_t number) {
  fprintf(f, "$line%zu << EOD\n", number);
  for (size_t i = first; i < d->t->rows; i++)
    if (!strcmp(d->t->row[i].label, d->t->row[first].label) && d->energy[i].flit_hops) {
      const struct ut_energy_figures e = ut_energy_figures(&d->energy[i]);
      fprintf(f, "%g %.6g %.6g\n", d->energy[i].load, e.hop, e.hop_above_idle);
    }
  fprintf(f, "EOD\n");
}

/* The least and the most pJ of a flit-hop, all in. */
static void find_range(const struct drawing *d, double range[2]) {
  range[0] = range[1] = 1;
  for (size_t i = 0, seen = 0; i < d->t->rows; i++) {
    const double hop = ut_energy_figures(&d->energy[i]).hop;
    if (hop <= 0)
      continue;
    range[0] = !seen || hop < range[0] ? hop : range[0];
    range[1] = !seen || hop > range[1] ? hop : range[1];
    seen = 1;
  }
}

/* A line for each label; column 2 or 3 of its data. */
static void print_lines(FILE *f, const struct drawing *d, int column) {
  static const char *const colours[] = {"#4477aa", "#ee6677", "#228833", "#ccbb44", "#aa3377", "#66ccee", "#888888"};
  size_t number = 0;
  fprintf(f, "plot ");
  for (size_t i = 0; i < d->t->rows; i++) {
    if (!is_first(d->t, i))
      continue;
    fprintf(f, "%s$line%zu using 1:%d with linespoints lw 2 pt %zu ps 1 lc rgb '%s' title ", number ? ", \\\n  " : "",
            number, column, 4 + number % 8, colours[number % (sizeof colours / sizeof *colours)]);
    ut_gnuplot_text(f, d->t->row[i].label);
    fprintf(f, " noenhanced");
    number++;
  }
  fprintf(f, "\n");
}

static void print_chart(FILE *f, const void *what) {
  const struct drawing *d = what;
  size_t number = 0;
  double largest = 0.1, range[2];
  char title[128];
  for (size_t i = 0; i < d->t->rows; i++)
    largest = d->energy[i].load > largest ? d->energy[i].load : largest;
  for (size_t i = 0; i < d->t->rows; i++)
    if (is_first(d->t, i))
      print_line_data(f, d, i, number++);
  fprintf(
      f,
      "set border 3 lc rgb '#888888'\nset tics nomirror textcolor rgb '#222222'\n"
      "set grid lc rgb '#dddddd' lw 1\nset xlabel 'load, flits per cycle and terminal'\nset ylabel 'pJ per flit-hop'\n"
      "set xrange [0:%g]\nset multiplot layout 1,2 title ",
      1.04 * largest);
  snprintf(title, sizeof title, "Energy of a flit-hop, %.60s, %g V", d->energy[0].liberty, d->energy[0].voltage);
  ut_gnuplot_text(f, title);
  fputs(" noenhanced font ',13'\nset key top right\n", f);
  find_range(d, range);
  fprintf(
      f,
      "set title 'all energy, the idle clock included' font ',12'\nset logscale y\nset yrange [%g:%g]\n"
      "set ytics (20, 50, 100, 200, 500, '1,000' 1000, '2,000' 2000, '5,000' 5000, '10,000' 10000, '20,000' 20000)\n",
      range[0] / 1.25, range[1] * 1.25);
  print_lines(f, d, 2);
  fprintf(f, "set title 'above idle: what the flit adds' font ',12'\nunset logscale y\nset yrange [0:*]\n"
             "set ytics autofreq\nset key bottom right\n");
  print_lines(f, d, 3);
  fprintf(f, "unset multiplot\n");
}

int ut_energy_draw(const struct ut_cost_table *t, const struct ut_energy_run *energy, const char *file,
                   struct ut_error *e) {
  const struct drawing d = {t, energy};
  const struct ut_caller c = {.e = e, .interrupted = &ut_interrupted, .what = "chart"};
  return ut_gnuplot_draw(file, 1200, 460, print_chart, &d, &c);
}
