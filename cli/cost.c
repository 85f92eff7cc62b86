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

static int read_varies(struct cost_options *options, struct ut_error *e) {
  for (unsigned i = 0; i < options->vary_texts.count; i++) {
    if (ut_vary_parse(&options->vary[options->varies++], options->vary_texts.text[i], e))
      return -1;
    for (unsigned before = 0; before < i; before++)
      if (!strcmp(options->vary[before].key, options->vary[i].key))
        return ut_fail(e, UT_BAD_INPUT, "--vary %s: given twice; put all its values into one", options->vary[i].key);
    if (!options->energy && ut_vary_of_traffic(&options->vary[i]))
      return ut_fail(e, UT_BAD_INPUT, "--vary %s goes with --energy: a switch has no traffic", options->vary[i].key);
  }
  return 0;
}

static int check_options(void *input, struct ut_error *e) {
  struct cost_options *options = input;
  if (options->network &&
      (options->chart || options->compare || options->memory || options->liberty || options->fpga || options->rtl))
    return ut_fail(e, UT_BAD_INPUT, "--network goes with --vary and --json only: no switch is synthesized");
  if (options->energy && (options->network || options->fpga || options->memory))
    return ut_fail(e, UT_BAD_INPUT,
                   "--energy goes without --network, --fpga and --memory: it needs gates that can be run");
  if (options->fpga && (options->liberty || options->memory))
    return ut_fail(e, UT_BAD_INPUT,
                   "--fpga goes without --liberty and --memory: an FPGA has cells and memories of its own");
  return read_varies(options, e);
}

const struct ut_syntax ut_syntax_cost = {
    "SCENARIO...",
    "Synthesizes the switch of each SCENARIO (Yosys), times it (OpenSTA) and counts: cells, area in um2 and in "
    "two-input NANDs, flip-flops, the longest path, blocks, the network's links and crosspoints.  Results are cached.",
    options, check_options};

/* ---- the switches asked for ---- */

/* Row of a scenario with value i[d] of each --vary. */
static int set_row(struct ut_cost_row *row, const struct cost_options *options, const char *path, const size_t *at,
                   struct ut_error *e) {
  size_t used = 0;
  row->scenario = ut_scenario_load(path, e);
  if (!row->scenario)
    return -1;
  if (options->paths.count > 1 || !options->varies)
    used = (size_t)snprintf(row->label, sizeof row->label, "%s%s", row->scenario->name, options->varies ? " " : "");
  for (size_t d = 0; d < options->varies; d++) {
    const struct ut_vary *vary = &options->vary[d];
    if (ut_vary_apply(vary, at[d], row->scenario, e))
      return -1;
    if (ut_vary_of_traffic(vary))
      continue;                                    /* it has a column */
    bool speaks = !strcmp(vary->key, "algorithm"); /* its names need no key */
    if (used < sizeof row->label)
      used += (size_t)snprintf(row->label + used, sizeof row->label - used, "%s%s%s%s", used ? " " : "",
                               speaks ? "" : vary->key, speaks ? "" : "=", vary->value[at[d]]);
  }
  if (!used)
    snprintf(row->label, sizeof row->label, "%s", row->scenario->name);
  if (options->varies && ut_vary_finish(options->vary, options->varies, row->scenario, options->energy, e))
    return -1;
  return 0;
}

/* A row for each kind of switch of the scenario of the last row. */
static int add_elaborations(struct ut_cost_table *table, struct ut_error *e) {
  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  struct ut_shape shape[UT_MAX_ELABORATIONS];
  struct ut_cost_row *first = &table->row[table->rows - 1];
  const int count = ut_scenario_elaborations(first->scenario, elaboration, shape, e);
  if (count < 0)
    return -1;
  if (table->rows + (size_t)count - 1 > MAX_ROWS)
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
  table->rows += (size_t)count - 1;
  return 0;
}

/* The next combination of values, the last option fastest; false after the last one. */
static bool next(const struct cost_options *options, size_t *at) {
  for (size_t d = options->varies; d--;) {
    if (++at[d] < options->vary[d].values)
      return true;
    at[d] = 0;
  }
  return false;
}

static int add_rows(struct ut_cost_table *table, struct cost_options *options, const char *path, struct ut_error *e) {
  size_t at[UT_VARY_OPTIONS] = {0}, first = table->rows;
  struct ut_scenario *scenario = ut_scenario_load(path, e);
  if (!scenario)
    return -1;
  for (size_t d = 0; d < options->varies; d++)
    ut_vary_expand(&options->vary[d], scenario);
  ut_scenario_free(scenario);
  do {
    if (table->rows == MAX_ROWS)
      return ut_fail(e, UT_BAD_INPUT, "more than %d switches at a time", MAX_ROWS);
    struct ut_cost_row *row = &table->row[table->rows];
    if (options->varies && at[options->varies - 1] == 0)
      first = table->rows;
    row->reference = options->varies ? first : 0;
    table->rows++;
    if (set_row(row, options, path, at, e) || (!options->network && !options->energy && add_elaborations(table, e)))
      return -1;
  } while (next(options, at));
  return 0;
}

static int set_rows(struct ut_cost_table *table, struct cost_options *options, struct ut_error *e) {
  table->row = calloc(MAX_ROWS, sizeof *table->row);
  if (!table->row)
    return ut_fail(e, UT_BAD_INPUT, "out of memory");
  for (size_t i = 0; i < options->paths.count; i++)
    if (add_rows(table, options, options->paths.name[i], e))
      return -1;
  if (options->compare && table->rows < 2)
    return ut_fail(e, UT_BAD_INPUT, "--compare needs at least two switches: several scenarios, or --vary");
  return 0;
}

/* ---- the work ---- */

static json_t *get(const struct cost_options *options, const struct ut_cost_row *row, struct ut_error *e) {
  struct ut_synthesis_request request = {.shape = &row->shape,
                                         .root_dir = ut_root_dir(),
                                         .rtl_dir = options->rtl,
                                         .liberty = options->liberty,
                                         .fpga = options->fpga,
                                         .memory = options->memory,
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
  const struct queue *queue = ctx;
  (void)result;
  for (uint64_t i, end; ut_item_source_take(source, &i, &end);) {
    json_t *cost = get(queue->o, queue->row[i], e);
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
  struct queue *queue = ctx;
  char text[64], left[UT_LEFT_SIZE];
  if (done == queue->shown || !ut_build_progress())
    return;
  queue->shown = done;
  const double ready = done > queue->workers ? (double)(done - queue->workers) : 0;
  snprintf(text, sizeof text, "%" PRIu64 " of %" PRIu64 " switches begun%s", done, items,
           ut_progress_left(ut_seconds() - queue->start, ready, (double)items, left));
  ut_build_progress()(NULL, text);
}

/* Brings what is missing into the cache, several switches side by side. */
static int synthesize(const struct cost_options *options, const struct ut_cost_table *table, struct ut_error *e) {
  struct queue queue = {.o = options, .start = ut_seconds()};
  struct ut_parallel parallel = {.workers = options->workers,
                                 .items = table->rows,
                                 .chunk = 1,
                                 .stop = &ut_interrupted,
                                 .progress = show_switches,
                                 .ctx = &queue};
  if (table->rows < 2)
    return 0;
  queue.workers = ut_parallel_workers(&parallel);
  for (size_t i = 0; i < table->rows; i++)
    queue.row[i] = &table->row[i];
  qsort(queue.row, table->rows, sizeof queue.row[0], larger_first);
  return ut_parallel_run(&parallel, synthesize_some, &parallel, e); /* no results: they are in the cache */
}

/* The network is known when the last kind of its switches is. */
static int measure(const struct cost_options *options, struct ut_cost_row *row, struct ut_error *e) {
  if (options->network) {
    row->network = ut_cost_network(row->scenario, NULL, e);
    return row->network ? 0 : -1;
  }
  row->cost = get(options, row, e);
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

static int draw(const struct cost_options *options, const struct ut_cost_table *table, struct ut_error *e) {
  struct ut_caller caller = {.e = e, .interrupted = &ut_interrupted, .what = "chart"};
  struct ut_chart_bar *bar = calloc(table->measured, sizeof *bar);
  const struct ut_cost_view *view = ut_cost_view(table->row[0].cost);
  char title[256];
  if (!bar)
    return ut_fail(e, UT_BAD_INPUT, "out of memory");
  for (size_t i = 0; i < table->measured; i++)
    bar[i] = (struct ut_chart_bar){table->row[i].label, table->row[i].cost,
                                   options->compare ? table->row[table->row[i].reference].cost : NULL};
  snprintf(title, sizeof title, "%s of the switch, %s%s", view->chart,
           ut_cost_text(table->row[0].cost, view->title_key), options->memory ? ", without its memories" : "");
  struct ut_chart chart = {title, bar, table->measured};
  int status = ut_chart_draw(&chart, options->chart, &caller);
  free(bar);
  return status;
}

/* Fails for the first switch that its chip has no room for.  All have been printed then. */
static int check_fit(const struct ut_cost_table *table, struct ut_error *e) {
  const struct ut_cost_row *first = NULL;
  size_t many = 0;
  char others[64] = "";
  for (size_t i = table->measured; i--;)
    if (json_is_false(json_object_get(json_object_get(table->row[i].cost, "chip"), "fits"))) {
      first = &table->row[i];
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

static int run_energy(const struct cost_options *options, struct ut_cost_table *table) {
  struct ut_error e = {.code = UT_OK};
  const struct ut_energy_request request = {
      .liberty = options->liberty, .rtl = options->rtl, .workers = options->workers, .check = options->opensta};
  if (options->chart && ut_gnuplot_check(options->chart, "--chart", &e))
    return ut_print_error(&e);
  struct ut_energy_run *energy = calloc(table->rows, sizeof *energy);
  if (!energy)
    return ut_print_no_memory();
  for (size_t i = 0; i < table->rows; i++) /* the first one with the same traffic */
    for (size_t j = table->row[i].reference = 0; j <= i; j++)
      if (load_of(&table->row[j]) == load_of(&table->row[i])) {
        table->row[i].reference = j;
        break;
      }
  ut_catch_interrupt();
  int status = ut_energy_measure(&request, table, energy, &e) ||
               (options->chart && ut_energy_draw(table, energy, options->chart, &e));
  if (!status)
    ut_energy_print(table, energy, options->json);
  free(energy);
  return status ? ut_print_error(&e) : UT_OK;
}

static int run(const struct cost_options *options, struct ut_cost_table *table) {
  struct ut_error e = {.code = UT_OK};
  if (options->chart && ut_gnuplot_check(options->chart, "--chart", &e))
    return ut_print_error(&e);
  ut_catch_interrupt();
  if (!options->network && synthesize(options, table, &e) && e.code != UT_INTERRUPTED)
    return ut_print_error(&e);
  for (; table->measured < table->rows; table->measured++)
    if (measure(options, &table->row[table->measured], &e))
      break;
  if (table->measured < table->rows && e.code != UT_INTERRUPTED)
    return ut_print_error(&e);
  if (table->measured && options->chart && draw(options, table, &e))
    return ut_print_error(&e);
  if (table->measured)
    ut_cost_print(table, options->json);
  if (table->measured < table->rows || check_fit(table, &e))
    return ut_print_error(&e);
  return UT_OK;
}

static void free_all(struct cost_options *options, struct ut_cost_table *table) {
  for (size_t i = 0; i < table->rows; i++) {
    if (table->row[i].of == 0)
      ut_scenario_free(table->row[i].scenario);
    json_decref(table->row[i].cost);
    json_decref(table->row[i].network);
  }
  for (size_t d = 0; d < options->varies; d++)
    ut_vary_free(&options->vary[d]);
  free(table->row);
}

int ut_cmd_cost(int argc, char **argv) {
  struct cost_options options = {0};
  struct ut_cost_table table = {0};
  struct ut_error e;
  int status;
  if (!ut_parse(&ut_syntax_cost, argc, argv, &options, &status)) {
    table.compare = options.compare;
    status = (options.fpga && !ut_part_find(options.fpga, &e)) || set_rows(&table, &options, &e) ? ut_print_error(&e)
             : options.energy ? run_energy(&options, &table)
                              : run(&options, &table);
  }
  free_all(&options, &table);
  return status;
}
