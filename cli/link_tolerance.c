/* SPDX-License-Identifier: Apache-2.0 */
/* link_tolerance.c - `uturn tolerance --links`: sets of failed links, and switches, that leave some pair without a way.
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "fault_entry.h"
#include "json_text.h"
#include "link_classes.h"
#include "link_options.h"
#include "outages.h"
#include "path_routes.h"
#include "path_tolerance.h"
#include "scenario_switches.h"
#include "steady.h"
#include "tolerance.h"

enum { DEFAULT_SAMPLES = 1000000 };
static const double confidence = 0.95;

/* What is counted, and what came out. */
struct report {
  const struct ut_link_options *options;
  const struct ut_scenario *scenario;
  const struct ut_topology *topology;
  struct ut_path_routes routes;
  struct ut_path_network network;
  unsigned classes;
  struct ut_path_cut cut;    /* the smallest fatal set; size UINT32_MAX: none */
  struct ut_path_cut beside; /* of links between switches, when one of a terminal has failed; size 0: not asked for */
  struct ut_path_cut of_switches;
  bool cut_known;
  struct ut_path_point *point;
  unsigned points;
  double seconds;
};

/* As `uturn net` names what has failed: "link 0.3-1.5", "switch 0.3". */
static const char *unit_name(const struct report *r, uint32_t unit, char text[UT_OUTAGE_NAME_SIZE]) {
  const struct ut_topology *t = r->topology;
  struct ut_outage o = {.kind = UT_FAULT_SWITCH};
  if (unit > r->network.links) {
    o.sw = ut_path_network_switch(&r->network, unit);
    return ut_outage_name(t, &o, text);
  }
  o.channel = r->network.channel[unit];
  const struct ut_peer from = ut_topology_sender(t, o.channel);
  const struct ut_peer at = from.kind == UT_PEER_SWITCH ? from : t->peer[o.channel];
  o.sw = at.index, o.port = at.port, o.kind = UT_FAULT_LINK;
  o.both = !r->options->directed && ut_topology_twin(t, o.channel) != UT_NO_CHANNEL;
  return ut_outage_name(t, &o, text);
}

static json_t *units_json(const struct report *r, const struct ut_path_cut *cut, uint32_t count) {
  json_t *list = json_array();
  char text[UT_OUTAGE_NAME_SIZE];
  for (uint32_t i = 0; i < count; i++)
    json_array_append_new(list, json_string(unit_name(r, cut->unit[i], text)));
  return list;
}

static double not_tolerated_percent(const struct ut_path_point *p) {
  return 100 * (double)p->not_tolerated / (double)p->sets;
}

static json_t *point_json(const struct report *r, const struct ut_path_point *p) {
  double low, high;
  json_t *j = json_pack("{s:i,s:I,s:b,s:I,s:f,s:f}", "faults", (int)p->faults, "fault_sets", (json_int_t)p->sets,
                        "exhaustive", p->exhaustive && p->sets == p->wanted, "not_tolerated",
                        (json_int_t)p->not_tolerated, "not_tolerated_percent", not_tolerated_percent(p),
                        "pairs_connected_percent", ut_path_connected(&r->network, p));
  if (r->options->switches_fail)
    json_object_set_new(j, "switch_faults", json_integer(p->switches));
  if (p->exhaustive)
    return j;
  ut_confidence(p->not_tolerated, p->sets, confidence, &low, &high);
  json_object_set_new(j, "not_tolerated_probability_95", json_pack("[f,f]", low, high));
  ut_path_connected_interval(&r->network, p, confidence, &low, &high);
  json_object_set_new(j, "pairs_connected_percent_95", json_pack("[f,f]", low, high));
  return j;
}

static void print_json(const struct report *r) {
  json_t *points = json_array();
  json_t *j = json_pack("{s:o,s:s,s:b,s:i}", "scenario", ut_json_text(r->options->path), "links", r->options->links,
                        "directed", r->options->directed, "link_count", (int)r->network.links);
  if (r->options->switches_fail)
    json_object_set_new(j, "switch_count", json_integer(r->network.units - r->network.links));
  for (unsigned i = 0; i < r->points; i++)
    if (r->point[i].sets) /* interrupted before */
      json_array_append_new(points, point_json(r, &r->point[i]));
  if (r->cut_known && r->cut.size != UINT32_MAX) {
    json_object_set_new(j, "tolerated_faults", json_integer(r->cut.size - 1));
    json_object_set_new(j, "smallest_fatal_set", units_json(r, &r->cut, r->cut.size));
  }
  if (r->cut_known && r->beside.unit) {
    json_object_set_new(j, "network_faults_fatal_beside_a_terminal_fault", json_integer(r->beside.size));
    json_object_set_new(j, "such_a_set", units_json(r, &r->beside, r->beside.size + 1));
  }
  if (r->options->switches_fail && r->cut_known && r->of_switches.size != UINT32_MAX) {
    json_object_set_new(j, "tolerated_switch_faults", json_integer(r->of_switches.size - 1));
    json_object_set_new(j, "smallest_fatal_switches", units_json(r, &r->of_switches, r->of_switches.size));
  }
  json_object_set_new(j, "points", points);
  json_object_set_new(j, "wall_s", json_real(r->seconds));
  json_dumpf(j, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
  putchar('\n');
  json_decref(j);
}

static void print_cut(const struct report *r, const struct ut_path_cut *cut, const char *units, const char *faults) {
  char text[UT_OUTAGE_NAME_SIZE];
  if (cut->size == UINT32_MAX) {
    printf("no set of these %s separates a pair\n", units);
    return;
  }
  printf("any %u %s are tolerated; %u can separate terminals %u and %u:\n", (unsigned)cut->size - 1, faults,
         (unsigned)cut->size, (unsigned)cut->from, (unsigned)cut->to);
  for (uint32_t i = 0; i < cut->size; i++)
    printf("  %s\n", unit_name(r, cut->unit[i], text));
}

static void print_cuts(const struct report *r) {
  char text[UT_OUTAGE_NAME_SIZE];
  if (!r->cut_known)
    return;
  print_cut(r, &r->cut, "links", r->options->switches_fail ? "link faults" : "faults");
  if (r->options->switches_fail)
    print_cut(r, &r->of_switches, "switches", "switch faults");
  if (!r->beside.unit)
    return;
  printf("beside a fault of a terminal's link, %u between switches can:\n", (unsigned)r->beside.size);
  for (uint32_t i = 0; i <= r->beside.size; i++)
    printf("  %s\n", unit_name(r, r->beside.unit[i], text));
}

static void print_text(const struct report *r) {
  char name[UT_NETWORK_NAME_SIZE];
  uint64_t sets = 0;
  printf("%s: %s, %s, %" PRIu32 " links can fail (%s%s)", r->options->path, ut_scenario_network(r->scenario, name),
         ut_scenario_algorithm(r->scenario)->name, r->network.links, r->options->links,
         r->options->directed ? ", single directions" : "");
  if (r->options->switches_fail)
    printf(" and %" PRIu32 " switches", r->network.units - r->network.links);
  printf("\n");
  print_cuts(r);
  printf("\n%sfaults     fault sets           not tolerated %%  (95 %%)               pairs connected %%  (95 %%)\n",
         r->options->switches_fail ? "switch faults, link " : "");
  for (unsigned i = 0; i < r->points; i++) {
    const struct ut_path_point *p = &r->point[i];
    double low, high;
    sets += p->sets;
    if (!p->sets)
      continue;
    if (r->options->switches_fail)
      printf("%13u       ", p->switches);
    printf("%6u  %13" PRIu64 " %-8s %15.6f", p->faults, p->sets,
           !p->exhaustive         ? "(random)"
           : p->sets == p->wanted ? "(all)"
                                  : "(part)",
           not_tolerated_percent(p));
    if (p->exhaustive) {
      printf("  %22s %15.6f\n", "", ut_path_connected(&r->network, p));
      continue;
    }
    ut_confidence(p->not_tolerated, p->sets, confidence, &low, &high);
    printf("  %10.6f..%10.6f %15.6f", 100 * low, 100 * high, ut_path_connected(&r->network, p));
    ut_path_connected_interval(&r->network, p, confidence, &low, &high);
    printf("  %10.6f..%10.6f\n", low, high);
  }
  printf("\n%" PRIu64 " fault sets in %.2f s\n", sets, r->seconds);
}

static void show_progress(void *ctx, uint64_t done, uint64_t items) {
  ut_progress_items(ctx, done, items, "fault sets");
}

static int count(struct report *r, struct ut_error *e) {
  const struct ut_link_options *o = r->options;
  const struct ut_path_request request = {
      .faults = {o->faults[0], o->faults[1]},
      .switches = {o->switches[0], o->switches[1]},
      .limit = o->exhaustive ? UINT64_MAX
               : o->samples  ? o->samples
                             : DEFAULT_SAMPLES,
      .samples = o->samples ? o->samples : DEFAULT_SAMPLES,
      .seed = o->seed,
  };
  r->points = ut_path_points(&request);
  r->point = calloc(r->points, sizeof *r->point);
  if (!r->point)
    return ut_fail(e, UT_BAD_INPUT, "out of memory for %u numbers of faults", r->points);
  struct ut_progress progress;
  struct ut_parallel parallel = {
      .workers = o->workers, .stop = &ut_interrupted, .progress = show_progress, .ctx = &progress};
  ut_catch_interrupt();
  ut_progress_start(&progress);
  int failed = ut_path_tolerance_run(&r->network, &request, &parallel, r->point, e);
  ut_progress_end(&progress);
  r->seconds = ut_seconds() - progress.start;
  return failed;
}

/* The smallest fatal sets, where flows find them. */
static int find_cuts(struct report *r, struct ut_error *e) {
  const unsigned network = UT_CLASS_NETWORK;
  r->cut_known = !r->network.repeated;
  if (!r->cut_known)
    return 0;
  if (ut_path_cut_find(&r->network, r->classes, &r->cut, e))
    return -1;
  if (r->options->switches_fail)
    return ut_path_cut_find(&r->network, UT_CLASS_SWITCH, &r->of_switches, e);
  return r->classes & network && r->classes != network ? ut_path_cut_beside(&r->network, network, &r->beside, e) : 0;
}

/* Which switches can fail: those of the wanted levels. */
static int choose_switches(const struct report *r, uint32_t failing[2], struct ut_error *e) {
  const struct ut_link_options *o = r->options;
  const struct ut_topology *t = r->topology;
  failing[0] = failing[1] = 0;
  if (!o->switches_fail)
    return 0;
  if (o->levels_given && o->levels[1] >= t->levels)
    return ut_fail(e, UT_BAD_INPUT, "--switch-levels %u..%u: %s has levels 0..%u", o->levels[0], o->levels[1], o->path,
                   t->levels - 1);
  const unsigned last = o->levels_given ? o->levels[1] : t->levels - 1;
  while (t->level[failing[0]] < o->levels[0])
    failing[0]++;
  for (failing[1] = failing[0]; failing[1] < t->switches && t->level[failing[1]] <= last;)
    failing[1]++;
  return 0;
}

static int count_all(struct report *r, struct ut_error *e) {
  const struct ut_link_options *o = r->options;
  if (ut_path_routes_init(&r->routes, r->scenario, r->topology, e) || choose_switches(r, r->routes.source.failing, e) ||
      ut_path_network_init(&r->network, &r->routes.source, r->classes, o->directed, e))
    return -1;
  return count(r, e) || find_cuts(r, e) ? -1 : 0;
}

int ut_tolerance_of_links(const struct ut_link_options *o, const struct ut_scenario *s, const struct ut_topology *t) {
  struct report r = {.options = o, .scenario = s, .topology = t};
  struct ut_error e;
  ut_link_classes(o->links, &r.classes);
  int status = count_all(&r, &e) ? ut_print_error(&e) : ut_interrupted ? UT_INTERRUPTED : UT_OK;
  if (status == UT_OK || status == UT_INTERRUPTED) {
    if (o->json)
      print_json(&r);
    else
      print_text(&r);
  }
  free(r.point);
  ut_path_cut_free(&r.cut);
  ut_path_cut_free(&r.beside);
  ut_path_cut_free(&r.of_switches);
  ut_path_network_free(&r.network);
  ut_path_routes_free(&r.routes);
  return status;
}
