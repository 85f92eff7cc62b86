/* SPDX-License-Identifier: Apache-2.0 */
/* cost.c - `uturn cost`: what the switch of a scenario costs in cells, area, registers and nanoseconds, and what a
 * mechanism adds to it.  Tables and JSON: cost_output.c. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache_gnuplot.h"
#include "chart.h"
#include "cli.h"
#include "cost.h"
#include "cost_energy.h"
#include "cost_output.h"
#include "cost_vary.h"
#include "cost_view.h"
#include "fpga.h"
#include "parallel.h"
#include "scenario.h"
#include "scenario_read.h"
#include "steady.h"
#include "topology_build.h"

enum { MAX_ROWS = 256 };

struct cost_options {
  struct ut_names paths;
  struct ut_texts vary_texts;
  size_t varies;
  struct ut_vary vary[UT_VARY_OPTIONS];
  const char *liberty, *fpga, *chart, *rtl;
  unsigned workers;
  bool json, compare, memory, network, energy, opensta;
};

#define UT_INPUT struct cost_options
static const struct ut_option options[] = {
    UT_SCENARIOS(paths, 0),
    {"json", 0, NULL, "one JSON object on standard output, nothing else; of several switches a list", UT_FLAG(json)},
    {"liberty", 0, "osu018|osu035|FILE", "standard cells; default osu018; FILE: a Liberty file", UT_TEXT(liberty)},
    {"fpga", 0, "ice40|ecp5|xilinx",
     "LUTs, flip-flops, carries and RAMs of an FPGA instead of standard cells; ice40: placed and routed on an HX8K",
     UT_TEXT(fpga)},
    {"compare", 0, NULL, "what each switch costs more than the first one", UT_FLAG(compare)},
    {"memory", 0, NULL,
     "buffers and forwarding tables count as memory bits, not as flip-flops and cells; without timing",
     UT_FLAG(memory)},
    {"vary", 0, "KEY=V,V...",
     "the scenario with each of these values, as in k=4,8 or algorithm=all; up to four times: the last one varies "
     "fastest, and what it varies is compared",
     UT_TEXTS(vary_texts), .most = UT_VARY_OPTIONS},
    {"chart", 0, "FILE", "draws the areas, or energies over load; .png or .svg (gnuplot)", UT_TEXT(chart)},
    {"network", 0, NULL,
     "only switches, terminals, links and switching elements of the network: nothing is synthesized", UT_FLAG(network)},
    {"energy", 0, NULL,
     "pJ of a flit-hop and of an idle cycle, block by block: runs the netlist in lockstep with the scenario's traffic "
     "and faults, and counts toggles",
     UT_FLAG(energy)},
    {"opensta", 0, NULL, "with --energy: the same also by OpenSTA, for comparison", UT_FLAG(opensta), .with = "energy"},
    UT_RTL(rtl),
    {"workers", 0, "N", "switches synthesized side by side; default: one for each core", UT_COUNT(workers)},
    {0},
};

static int read_varies(struct cost_options *o, struct ut_error *e) {
  for (unsigned i = 0; i < o->vary_texts.count; i++) {
    if (ut_vary_parse(&o->vary[o->varies++], o->vary_texts.text[i], e))
      return -1;
    for (unsigned before = 0; before < i; before++)
      if (!strcmp(o->vary[before].key, o->vary[i].key))
        return ut_fail(e, UT_BAD_INPUT, "--vary %s: given twice; put all its values into one", o->vary[i].key);
    if (!o->energy && ut_vary_of_traffic(&o->vary[i]))
      return ut_fail(e, UT_BAD_INPUT, "--vary %s goes with --energy: a switch has no traffic", o->vary[i].key);
  }
  return 0;
}

static int check_options(void *input, struct ut_error *e) {
  struct cost_options *o = input;
  if (o->network && (o->chart || o->compare || o->memory || o->liberty || o->fpga || o->rtl))
    return ut_fail(e, UT_BAD_INPUT, "--network goes with --vary and --json only: no switch is synthesized");
  if (o->energy && (o->network || o->fpga || o->memory))
    return ut_fail(e, UT_BAD_INPUT,
                   "--energy goes without --network, --fpga and --memory: it needs gates that can be run");
  if (o->fpga && (o->liberty || o->memory))
    return ut_fail(e, UT_BAD_INPUT,
                   "--fpga goes without --liberty and --memory: an FPGA has cells and memories of its own");
  return read_varies(o, e);
}

const struct ut_syntax ut_syntax_cost = {
    "SCENARIO...",
    "Synthesizes the switch of each SCENARIO (Yosys), times it (OpenSTA) and counts: cells, area in um2 and in "
    "two-input NANDs, flip-flops, the longest path, blocks, the network's links and crosspoints.  Results are cached.",
    options, check_options};

/* ---- the switches asked for ---- */

/* Row of a scenario with value i[d] of each --vary. */
static int set_row(struct ut_cost_row *row, const struct cost_options *o, const char *path, const size_t *at,
                   struct ut_error *e) {
  size_t used = 0;
  row->scenario = ut_scenario_load(path, e);
  if (!row->scenario)
    return -1;
  if (o->paths.count > 1 || !o->varies)
    used = (size_t)snprintf(row->label, sizeof row->label, "%s%s", row->scenario->name, o->varies ? " " : "");
  for (size_t d = 0; d < o->varies; d++) {
    const struct ut_vary *v = &o->vary[d];
    if (ut_vary_apply(v, at[d], row->scenario, e))
      return -1;
    if (ut_vary_of_traffic(v))
      continue;                                 /* it has a column */
    bool speaks = !strcmp(v->key, "algorithm"); /* its names need no key */
    if (used < sizeof row->label)
      used += (size_t)snprintf(row->label + used, sizeof row->label - used, "%s%s%s%s", used ? " " : "",
                               speaks ? "" : v->key, speaks ? "" : "=", v->value[at[d]]);
  }
  if (!used)
    snprintf(row->label, sizeof row->label, "%s", row->scenario->name);
  if (o->varies && ut_vary_finish(o->vary, o->varies, row->scenario, o->energy, e))
    return -1;
  return 0;
}

/* A row for each kind of switch of the scenario of the last row. */
static int add_elaborations(struct ut_cost_table *t, struct ut_error *e) {
  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  struct ut_shape shape[UT_MAX_ELABORATIONS];
  struct ut_cost_row *first = &t->row[t->rows - 1];
  const int count = ut_scenario_elaborations(first->scenario, elaboration, shape, e);
  if (count < 0)
    return -1;
  if (t->rows + (size_t)count - 1 > MAX_ROWS)
    return ut_fail(e, UT_BAD_INPUT, "more than %d switches at a time", MAX_ROWS);
  for (int i = count; i-- > 0;) { /* the first one last: it has the common label */
    first[i] = *first;
    first[i].shape = shape[i];
    first[i].elaboration = elaboration[i];
    first[i].of = (unsigned)i;
    first[i].elaborations = (unsigned)count;
    const size_t used = strlen(first[i].label);
    if (count > 1)
      snprintf(first[i].label + used, sizeof first[i].label - used, "%s%ux%u", used ? " " : "", shape[i].pi,
               shape[i].po);
  }
  t->rows += (size_t)count - 1;
  return 0;
}

/* The next combination of values, the last option fastest; false after the last one. */
static bool next(const struct cost_options *o, size_t *at) {
  for (size_t d = o->varies; d--;) {
    if (++at[d] < o->vary[d].values)
      return true;
    at[d] = 0;
  }
  return false;
}

static int add_rows(struct ut_cost_table *t, struct cost_options *o, const char *path, struct ut_error *e) {
  size_t at[UT_VARY_OPTIONS] = {0}, first = t->rows;
  struct ut_scenario *s = ut_scenario_load(path, e);
  if (!s)
    return -1;
  for (size_t d = 0; d < o->varies; d++)
    ut_vary_expand(&o->vary[d], s);
  ut_scenario_free(s);
  do {
    if (t->rows == MAX_ROWS)
      return ut_fail(e, UT_BAD_INPUT, "more than %d switches at a time", MAX_ROWS);
    struct ut_cost_row *row = &t->row[t->rows];
    if (o->varies && at[o->varies - 1] == 0)
      first = t->rows;
    row->reference = o->varies ? first : 0;
    t->rows++;
    if (set_row(row, o, path, at, e) || (!o->network && !o->energy && add_elaborations(t, e)))
      return -1;
  } while (next(o, at));
  return 0;
}

static int set_rows(struct ut_cost_table *t, struct cost_options *o, struct ut_error *e) {
  t->row = calloc(MAX_ROWS, sizeof *t->row);
  if (!t->row)
    return ut_fail(e, UT_BAD_INPUT, "out of memory");
  for (size_t i = 0; i < o->paths.count; i++)
    if (add_rows(t, o, o->paths.name[i], e))
      return -1;
  if (o->compare && t->rows < 2)
    return ut_fail(e, UT_BAD_INPUT, "--compare needs at least two switches: several scenarios, or --vary");
  return 0;
}

/* ---- the work ---- */

static json_t *get(const struct cost_options *o, const struct ut_cost_row *row, struct ut_error *e) {
  struct ut_synthesis_request request = {.shape = &row->shape,
                                         .root_dir = ut_root_dir(),
                                         .rtl_dir = o->rtl,
                                         .liberty = o->liberty,
                                         .fpga = o->fpga,
                                         .memory = o->memory,
                                         .interrupted = &ut_interrupted};
  return ut_cost_get(&request, ut_build_progress(), NULL, e);
}

struct queue { /* the rows, the largest switch first, so that none is waited for at the end */
  const struct cost_options *o;
  const struct ut_cost_row *row[MAX_ROWS];
  double start; /* seconds */
  unsigned workers;
  uint64_t shown; /* as begun */
};

static int larger_first(const void *a, const void *b) {
  const struct ut_shape *x = &(*(struct ut_cost_row *const *)a)->shape, *y = &(*(struct ut_cost_row *const *)b)->shape;
  const unsigned left = x->pi * x->v, right = y->pi * y->v;
  return left < right ? 1 : left > right ? -1 : 0;
}

static int synthesize_some(void *ctx, struct ut_item_source *source, void *result, struct ut_error *e) {
  const struct queue *q = ctx;
  (void)result;
  for (uint64_t i, end; ut_item_source_take(source, &i, &end);) {
    json_t *cost = get(q->o, q->row[i], e);
    if (!cost) {
      atomic_store(&source->stopped, true);
      return -1;
    }
    json_decref(cost);
  }
  return 0;
}

/* A line for each switch that is begun: those who work on it say more. */
static void show_switches(void *ctx, uint64_t done, uint64_t items) {
  struct queue *q = ctx;
  char text[64], left[UT_LEFT_SIZE];
  if (done == q->shown || !ut_build_progress())
    return;
  q->shown = done;
  const double ready = done > q->workers ? (double)(done - q->workers) : 0;
  snprintf(text, sizeof text, "%" PRIu64 " of %" PRIu64 " switches begun%s", done, items,
           ut_progress_left(ut_seconds() - q->start, ready, (double)items, left));
  ut_build_progress()(NULL, text);
}

/* Brings what is missing into the cache, several switches side by side. */
static int synthesize(const struct cost_options *o, const struct ut_cost_table *t, struct ut_error *e) {
  struct queue q = {.o = o, .start = ut_seconds()};
  struct ut_parallel p = {.workers = o->workers,
                          .items = t->rows,
                          .chunk = 1,
                          .stop = &ut_interrupted,
                          .progress = show_switches,
                          .ctx = &q};
  if (t->rows < 2)
    return 0;
  q.workers = ut_parallel_workers(&p);
  for (size_t i = 0; i < t->rows; i++)
    q.row[i] = &t->row[i];
  qsort(q.row, t->rows, sizeof q.row[0], larger_first);
  return ut_parallel_run(&p, synthesize_some, &p, e); /* no results: they are in the cache */
}

/* The network is known when the last kind of its switches is. */
static int measure(const struct cost_options *o, struct ut_cost_row *row, struct ut_error *e) {
  if (o->network) {
    row->network = ut_cost_network(row->scenario, NULL, e);
    return row->network ? 0 : -1;
  }
  row->cost = get(o, row, e);
  if (!row->cost)
    return -1;
  if (row->of + 1 < row->elaborations)
    return 0;
  json_t *cost[UT_MAX_ELABORATIONS];
  struct ut_cost_row *first = row - row->of;
  for (unsigned i = 0; i < row->elaborations; i++)
    cost[i] = first[i].cost;
  json_t *network = ut_cost_network(row->scenario, cost, e);
  for (unsigned i = 0; network && i < row->elaborations; i++)
    first[i].network = json_incref(network);
  json_decref(network);
  return network ? 0 : -1;
}

static int draw(const struct cost_options *o, const struct ut_cost_table *t, struct ut_error *e) {
  struct ut_caller c = {.e = e, .interrupted = &ut_interrupted, .what = "chart"};
  struct ut_chart_bar *bar = calloc(t->measured, sizeof *bar);
  const struct ut_cost_view *view = ut_cost_view(t->row[0].cost);
  char title[256];
  if (!bar)
    return ut_fail(e, UT_BAD_INPUT, "out of memory");
  for (size_t i = 0; i < t->measured; i++)
    bar[i] =
        (struct ut_chart_bar){t->row[i].label, t->row[i].cost, o->compare ? t->row[t->row[i].reference].cost : NULL};
  snprintf(title, sizeof title, "%s of the switch, %s%s", view->chart, ut_cost_text(t->row[0].cost, view->title_key),
           o->memory ? ", without its memories" : "");
  struct ut_chart chart = {title, bar, t->measured};
  int status = ut_chart_draw(&chart, o->chart, &c);
  free(bar);
  return status;
}

/* Fails for the first switch that its chip has no room for.  All have been printed then. */
static int check_fit(const struct ut_cost_table *t, struct ut_error *e) {
  const struct ut_cost_row *first = NULL;
  size_t many = 0;
  char others[64] = "";
  for (size_t i = t->measured; i--;)
    if (json_is_false(json_object_get(json_object_get(t->row[i].cost, "chip"), "fits"))) {
      first = &t->row[i];
      many++;
    }
  if (!first)
    return 0;
  if (many > 1)
    snprintf(others, sizeof others, " (and %zu more of these switches)", many - 1);
  const json_t *cost = first->cost, *chip = json_object_get(cost, "chip");
  return ut_fail(e, UT_BAD_INPUT,
                 "%s%s does not fit the %s, so there is no clock: %.0f LUTs and %.0f flip-flops take %.0f logic cells, "
                 "its pins %.0f, and there are %.0f.  Take fewer ports, VCs or places of buffers, or --fpga ecp5 or "
                 "xilinx, which are not placed",
                 first->label, others, ut_cost_text(chip, "name"), ut_cost_number(cost, "luts"),
                 ut_cost_value(cost, "flip_flops"), ut_cost_number(chip, "logic_cells"),
                 ut_cost_number(chip, "logic_cells_of_pins"), ut_cost_number(chip, "available"));
}

static double load_of(const struct ut_cost_row *row) {
  return row->scenario->traffic.load_flits_per_cycle;
}

static int run_energy(const struct cost_options *o, struct ut_cost_table *t) {
  struct ut_error e = {.code = UT_OK};
  const struct ut_energy_request request = {
      .liberty = o->liberty, .rtl = o->rtl, .workers = o->workers, .check = o->opensta};
  if (o->chart && ut_gnuplot_check(o->chart, "--chart", &e))
    return ut_print_error(&e);
  struct ut_energy_run *energy = calloc(t->rows, sizeof *energy);
  if (!energy)
    return ut_print_no_memory();
  for (size_t i = 0; i < t->rows; i++) /* the first one with the same traffic */
    for (size_t j = t->row[i].reference = 0; j <= i; j++)
      if (load_of(&t->row[j]) == load_of(&t->row[i])) {
        t->row[i].reference = j;
        break;
      }
  ut_catch_interrupt();
  int status = ut_energy_measure(&request, t, energy, &e) || (o->chart && ut_energy_draw(t, energy, o->chart, &e));
  if (!status)
    ut_energy_print(t, energy, o->json);
  free(energy);
  return status ? ut_print_error(&e) : UT_OK;
}

static int run(const struct cost_options *o, struct ut_cost_table *t) {
  struct ut_error e = {.code = UT_OK};
  if (o->chart && ut_gnuplot_check(o->chart, "--chart", &e))
    return ut_print_error(&e);
  ut_catch_interrupt();
  if (!o->network && synthesize(o, t, &e) && e.code != UT_INTERRUPTED)
    return ut_print_error(&e);
  for (; t->measured < t->rows; t->measured++)
    if (measure(o, &t->row[t->measured], &e))
      break;
  if (t->measured < t->rows && e.code != UT_INTERRUPTED)
    return ut_print_error(&e);
  if (t->measured && o->chart && draw(o, t, &e))
    return ut_print_error(&e);
  if (t->measured)
    ut_cost_print(t, o->json);
  if (t->measured < t->rows || check_fit(t, &e))
    return ut_print_error(&e);
  return UT_OK;
}

static void free_all(struct cost_options *o, struct ut_cost_table *t) {
  for (size_t i = 0; i < t->rows; i++) {
    if (t->row[i].of == 0)
      ut_scenario_free(t->row[i].scenario);
    json_decref(t->row[i].cost);
    json_decref(t->row[i].network);
  }
  for (size_t d = 0; d < o->varies; d++)
    ut_vary_free(&o->vary[d]);
  free(t->row);
}

int ut_cmd_cost(int argc, char **argv) {
  struct cost_options o = {0};
  struct ut_cost_table t = {0};
  struct ut_error e;
  int status;
  if (!ut_parse(&ut_syntax_cost, argc, argv, &o, &status)) {
    t.compare = o.compare;
    status = (o.fpga && !ut_part_find(o.fpga, &e)) || set_rows(&t, &o, &e) ? ut_print_error(&e)
             : o.energy                                                    ? run_energy(&o, &t)
                                                                           : run(&o, &t);
  }
  free_all(&o, &t);
  return status;
}
