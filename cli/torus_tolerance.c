/* SPDX-License-Identifier: Apache-2.0 */
/* torus_tolerance.c - `uturn tolerance --mechanisms`: link-fault combinations that the mechanisms of INTERMEDIATE do
 * not tolerate, and what the affected paths use. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "json_text.h"
#include "mechanism_options.h"
#include "nearest.h"
#include "scenario_switches.h"
#include "steady.h"
#include "tolerance.h"
#include "torus_tolerance.h"

enum { DEFAULT_SAMPLES = 20000 };
static const double confidence = 0.95;

struct report {
  const struct ut_mechanism_options *options;
  const struct ut_scenario *scenario;
  const struct ut_grid *grid;
  const struct ut_torus_request *request;
  const struct ut_torus_tolerance *result;
  unsigned links; /* of the model */
  double seconds;
};

/* ---- reading the options */

static int unknown(struct ut_error *e, const char *option, const char *word, const char *const *name, size_t names) {
  char list[256] = "";
  const char *near = ut_nearest(word, name, names);
  for (size_t i = 0; i < names; i++)
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", name[i]);
  return ut_fail(e, UT_BAD_INPUT, "%s: there is no '%s'%s%s%s; known: %s", option, word, near ? "; did you mean '" : "",
                 near ? near : "", near ? "'?" : "", list);
}

static int read_mechanisms(const struct ut_mechanism_options *o, struct ut_mechanisms *m, struct ut_error *e) {
  static const char *const orders[] = {"dimension", "direction"};
  const char *name[UT_MECHANISM_SETS];
  for (unsigned i = 0; i < UT_MECHANISM_SETS; i++)
    name[i] = ut_mechanism_sets[i].name;
  const struct ut_mechanisms *found = ut_mechanisms_find(o->mechanisms);
  if (!found)
    return unknown(e, "--mechanisms", o->mechanisms, name, UT_MECHANISM_SETS);
  *m = *found;
  if (!o->order)
    return 0;
  bool direction = !strcmp(o->order, orders[1]);
  if (!direction && strcmp(o->order, orders[0]))
    return unknown(e, "--order", o->order, orders, 2);
  if (!m->deterministic || (m->misroute && !direction))
    return ut_fail(e, UT_BAD_INPUT, "--order %s: %s %s; leave --order out", o->order, m->name,
                   m->deterministic ? "needs direction order, because it misroutes" : "has no deterministic paths");
  m->direction_order = direction;
  return 0;
}

static int read_model(const struct ut_mechanism_options *o, struct ut_torus_request *r, struct ut_error *e) {
  static const char *const names[] = {"exhaustive", "region", "sampled"};
  const char *model = o->model ? o->model : o->samples ? "sampled" : "exhaustive";
  r->samples = o->samples ? o->samples : DEFAULT_SAMPLES;
  if (!strcmp(model, "sampled"))
    r->model = UT_MODEL_SAMPLED;
  else if (!strcmp(model, "region"))
    r->model = o->samples ? UT_MODEL_REGION_SAMPLED : UT_MODEL_REGION;
  else if (strcmp(model, "exhaustive"))
    return unknown(e, "--model", model, names, 3);
  else if (o->samples)
    return ut_fail(e, UT_BAD_INPUT, "--model exhaustive tries all fault sets: leave --samples out, or --model sampled");
  return 0;
}

static bool sampled(const struct report *r) {
  return r->request->model == UT_MODEL_SAMPLED || r->request->model == UT_MODEL_REGION_SAMPLED;
}

static const char *model_name(const struct report *r) {
  static const char *const name[UT_FAULT_MODELS] = {"exhaustive", "region", "sampled", "region"};
  return name[r->request->model];
}

/* ---- what was found */

/* Every fault set there is was looked at. */
static bool complete(const struct report *r, unsigned faults) {
  return !sampled(r) && r->result->point[faults].sets == ut_torus_sets(r->grid, r->request, faults);
}

struct figures {
  uint64_t tolerated, affected, separated; /* fault sets; pairs in them */
  double percent, low, high, affected_percent, separated_percent;
};

static struct figures figures(const struct report *r, const struct ut_torus_point *p) {
  struct figures f = {.tolerated = p->sets - p->not_tolerated, .separated = p->pairs[UT_PLAN_SEPARATED]};
  double pairs = (double)f.tolerated * r->grid->nodes * r->grid->nodes;
  for (unsigned c = UT_PLAN_ADAPTIVE + 1; c < UT_PLAN_NONE; c++)
    f.affected += p->pairs[c];
  f.percent = 100 * (double)p->not_tolerated / (double)p->sets;
  ut_confidence(p->not_tolerated, p->sets, confidence, &f.low, &f.high);
  f.affected_percent = f.tolerated ? 100 * (double)f.affected / pairs : 0;
  f.separated_percent = f.tolerated ? 100 * (double)f.separated / pairs : 0;
  return f;
}

static double share(const struct figures *f, const struct ut_torus_point *p, unsigned class) {
  return f->affected ? 100 * (double)p->pairs[class] / (double)f->affected : 0;
}

static json_t *point_json(const struct report *r, unsigned faults) {
  const struct ut_torus_point *p = &r->result->point[faults];
  struct figures f = figures(r, p);
  json_t *shares = json_object();
  for (unsigned c = UT_PLAN_ADAPTIVE + 1; c < UT_PLAN_NONE; c++)
    if (p->pairs[c])
      json_object_set_new(shares, ut_plan_class_name[c], json_real(share(&f, p, c)));
  json_t *point =
      json_pack("{s:i,s:I,s:b,s:I,s:f}", "faults", (int)faults, "fault_sets", (json_int_t)p->sets, "exhaustive",
                complete(r, faults), "not_tolerated", (json_int_t)p->not_tolerated, "percent", f.percent);
  if (sampled(r))
    json_object_set_new(point, "percent_95", json_pack("[f,f]", 100 * f.low, 100 * f.high));
  /* of the tolerated fault sets only: without any, there is no such figure */
  json_object_set_new(point, "affected_path_percent", f.tolerated ? json_real(f.affected_percent) : json_null());
  json_object_set_new(point, "separated_path_percent", f.tolerated ? json_real(f.separated_percent) : json_null());
  json_object_set_new(point, "mechanism_shares", shares);
  return point;
}

static const char *order_name(const struct report *r) {
  return r->request->mechanisms->direction_order ? "direction" : "dimension";
}

static void print_json(const struct report *r) {
  json_t *points = json_array();
  for (unsigned f = r->request->faults[0]; f <= r->request->faults[1]; f++)
    if (r->result->point[f].sets) /* else interrupted before */
      json_array_append_new(points, point_json(r, f));
  json_t *j = json_pack("{s:o,s:s,s:s,s:s,s:i,s:i,s:o,s:f}", "scenario", ut_json_text(r->options->path), "mechanisms",
                        r->request->mechanisms->name, "order", order_name(r), "model", model_name(r), "links",
                        (int)r->links, "table_entry_bits", (int)ut_plan_entry_bits(r->grid, r->request->mechanisms),
                        "points", points, "wall_s", r->seconds);
  json_dumpf(j, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
  putchar('\n');
  json_decref(j);
}

static void print_point(const struct report *r, unsigned faults) {
  const struct ut_torus_point *p = &r->result->point[faults];
  struct figures f = figures(r, p);
  printf("%6u  %12" PRIu64 " %-8s  %12" PRIu64 "  %10.6f", faults, p->sets,
         complete(r, faults) ? "(all)"
         : sampled(r)        ? "(random)"
                             : "(first)",
         p->not_tolerated, f.percent);
  if (sampled(r))
    printf("  %8.4f..%-8.4f", 100 * f.low, 100 * f.high);
  if (f.tolerated)
    printf("  %9.4f ", f.affected_percent);
  for (unsigned c = UT_PLAN_ADAPTIVE + 1; c < UT_PLAN_NONE; c++)
    if (p->pairs[c])
      printf("  %s %.5f", ut_plan_class_name[c], share(&f, p, c));
  if (f.separated)
    printf("  (separated %.5f %% of all paths)", f.separated_percent);
  printf("\n");
}

static void print_text(const struct report *r) {
  char name[UT_NETWORK_NAME_SIZE];
  const struct ut_mechanisms *m = r->request->mechanisms;
  unsigned bits = ut_plan_entry_bits(r->grid, m);
  uint64_t sets = 0;
  printf("%s: %s, %u nodes, faults among %u links, mechanisms %s", r->options->path,
         ut_scenario_network(r->scenario, name), (unsigned)r->grid->nodes, r->links, m->name);
  printf("%s%s\n", m->deterministic ? ", deterministic paths in order of " : "",
         m->deterministic ? (m->direction_order ? "directions" : "dimensions") : "");
  printf("routing table of a terminal: %u bits for each affected destination, at most %u bits\n\n", bits,
         bits * (r->grid->nodes - 1));
  printf(
      "not tolerated: some pair of nodes has no way; percent: of the sets; affected: paths that a fault is on, of all "
      "paths of all pairs\n");
  printf("faults    fault sets          not tolerated     percent%s  affected %%  of these, %% by mechanism\n",
         sampled(r) ? "  95 % confidence   " : "");
  for (unsigned f = r->request->faults[0]; f <= r->request->faults[1]; f++)
    if (r->result->point[f].sets) {
      print_point(r, f);
      sets += r->result->point[f].sets;
    }
  printf("\n%" PRIu64 " fault sets in %.2f s\n", sets, r->seconds);
}

/* ---- the command */

static void show_progress(void *ctx, uint64_t done, uint64_t items) {
  ut_progress_items(ctx, done, items, "fault sets");
}

static int count(struct report *r, struct ut_torus_tolerance *result) {
  struct ut_error e;
  struct ut_progress progress;
  struct ut_parallel parallel = {
      .workers = r->options->workers, .stop = &ut_interrupted, .progress = show_progress, .ctx = &progress};
  uint32_t *link = malloc(r->grid->links * sizeof *link);
  r->links = link ? ut_torus_links(r->grid, r->request->model, link) : 0;
  free(link);
  ut_catch_interrupt();
  ut_progress_start(&progress);
  int failed = ut_torus_tolerance_run(r->grid, r->request, &parallel, result, &e);
  ut_progress_end(&progress);
  if (failed)
    return ut_print_error(&e);
  r->seconds = ut_seconds() - progress.start;
  (r->options->json ? print_json : print_text)(r);
  return ut_interrupted ? UT_INTERRUPTED : UT_OK;
}

int ut_tolerance_of_mechanisms(const struct ut_mechanism_options *o, const struct ut_scenario *s,
                               const struct ut_topology *t) {
  struct ut_error e;
  struct ut_grid grid;
  struct ut_mechanisms mechanisms;
  struct ut_torus_request request = {.mechanisms = &mechanisms, .seed = o->seed, .faults = {1, 5}};
  if (o->faults_given)
    memcpy(request.faults, o->faults, sizeof request.faults);
  else if (t->links < request.faults[1])
    request.faults[1] = (unsigned)t->links;
  if (read_mechanisms(o, &mechanisms, &e) || read_model(o, &request, &e))
    return ut_print_error(&e);
  if (ut_grid_init(&grid, t, &e))
    return ut_print_error(&e);
  struct ut_torus_tolerance *result = calloc(1, sizeof *result);
  struct report report = {.options = o, .scenario = s, .grid = &grid, .request = &request, .result = result};
  int status = result ? count(&report, result) : ut_print_no_memory();
  free(result);
  ut_grid_free(&grid);
  return status;
}
