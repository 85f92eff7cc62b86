/* SPDX-License-Identifier: Apache-2.0 */
/* link_tolerance.c - `uturn tolerance --links`: sets of failed links, and switches, that leave some pair without a way.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "link_classes.h"
#include "link_options.h"
#include "outages.h"
#include "path_routes.h"
#include "path_tolerance.h"
#include "scenario.h"
#include "scenario_output.h"
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

#define CUT(KEY, UNITS, FAULTS)                                                                                        \
  "{?" KEY "}any {" KEY ".tolerated} " FAULTS " are tolerated; {" KEY ".size} can separate terminals {" KEY ".from} "  \
  "and {" KEY ".to}:\n"                                                                                                \
  "{#" KEY ".units}  {.}\n{/}"                                                                                         \
  "{:}{?_cut_known}no set of these " UNITS " separates a pair\n{/}{/}"

static const char layout[] =
    "{scenario}: {_network}, {_algorithm}, {link_count} links can fail ({links}{?directed}, single directions{/})"
    "{?_switches_fail} and {switch_count} switches{/}\n"
    "{?_switches_fail}" CUT("_cut", "links", "link faults") CUT("_switch_cut", "switches", "switch faults") "{:}" CUT(
        "_cut", "links",
        "faults") "{/}{?such_a_set}"
                  "beside a fault of a terminal's link, {network_faults_fatal_beside_a_terminal_fault} between "
                  "switches can:\n"
                  "{#such_a_set}  {.}\n{/}"
                  "{/}\n"
                  "{|points}"
                  "switch faults|{?_switches_fail}link {/}faults|fault sets|<|not tolerated %|<(95 %)|pairs connected "
                  "%|<(95 %)\n"
                  "{switch_faults}|{faults}|{fault_sets}|({_which})|{not_tolerated_percent:.6f}|{_not_tolerated_95}|"
                  "{pairs_connected_percent:.6f}|{_connected_95}\n"
                  "{/}\n"
                  "{_sets} fault sets in {wall_s:.2f} s\n";

static json_t *units_json(const struct report *r, const struct ut_path_cut *cut, uint32_t count) {
  json_t *list = json_array();
  char text[UT_OUTAGE_NAME_SIZE];
  for (uint32_t i = 0; i < count; i++)
    json_array_append_new(list, ut_string(unit_name(r, cut->unit[i], text)));
  return list;
}

/* The smallest fatal set, if there is one. */
static void add_cut(json_t *j, const struct report *r, const struct ut_path_cut *cut, bool switches) {
  if (!r->cut_known || cut->size == UINT32_MAX)
    return;
  json_t *units = units_json(r, cut, cut->size);
  UT_ADD(j, {switches ? "tolerated_switch_faults" : "tolerated_faults", ut_int(cut->size - 1)},
         {switches ? "smallest_fatal_switches" : "smallest_fatal_set", units},
         {switches ? "_switch_cut" : "_cut",
          UT_OBJECT({"tolerated", ut_int(cut->size - 1)}, {"size", ut_int(cut->size)}, {"from", ut_int(cut->from)},
                    {"to", ut_int(cut->to)}, {"units", json_incref(units)})});
}

static json_t *point_json(const struct report *r, const struct ut_path_point *p) {
  const bool all = p->exhaustive && p->sets == p->wanted;
  double low, high;
  json_t *j = UT_OBJECT({"faults", ut_int(p->faults)}, {"fault_sets", ut_int(p->sets)},
                        {"exhaustive", json_boolean(all)}, {"not_tolerated", ut_int(p->not_tolerated)},
                        {"not_tolerated_percent", ut_real(100 * (double)p->not_tolerated / (double)p->sets)},
                        {"pairs_connected_percent", ut_real(ut_path_connected(&r->network, p))},
                        {"switch_faults", r->options->switches_fail ? ut_int(p->switches) : NULL},
                        {"_which", ut_string(!p->exhaustive ? "random"
                                             : all          ? "all"
                                                            : "part")});
  if (p->exhaustive)
    return j;
  ut_confidence(p->not_tolerated, p->sets, confidence, &low, &high);
  UT_ADD(j, {"not_tolerated_probability_95", json_pack("[f,f]", low, high)},
         {"_not_tolerated_95", ut_format("%.6f..%.6f", 100 * low, 100 * high)});
  ut_path_connected_interval(&r->network, p, confidence, &low, &high);
  return UT_ADD(j, {"pairs_connected_percent_95", json_pack("[f,f]", low, high)},
                {"_connected_95", ut_format("%.6f..%.6f", low, high)});
}

static void print(const struct report *r) {
  const bool switches = r->options->switches_fail;
  json_t *points = json_array(), *j = ut_scenario_result(r->scenario);
  uint64_t sets = 0;
  UT_ADD(j, {"links", ut_string(r->options->links)}, {"directed", json_boolean(r->options->directed)},
         {"link_count", ut_int(r->network.links)},
         {"switch_count", switches ? ut_int(r->network.units - r->network.links) : NULL},
         {"_switches_fail", json_boolean(switches)}, {"_cut_known", json_boolean(r->cut_known)});
  for (unsigned i = 0; i < r->points; i++) {
    sets += r->point[i].sets;
    if (r->point[i].sets) /* else interrupted before */
      json_array_append_new(points, point_json(r, &r->point[i]));
  }
  add_cut(j, r, &r->cut, false);
  if (r->cut_known && r->beside.unit)
    UT_ADD(j, {"network_faults_fatal_beside_a_terminal_fault", ut_int(r->beside.size)},
           {"such_a_set", units_json(r, &r->beside, r->beside.size + 1)});
  if (switches)
    add_cut(j, r, &r->of_switches, true);
  UT_ADD(j, {"points", points}, {"_sets", ut_int(sets)}, {"wall_s", ut_real(r->seconds)});
  ut_result_print(j, r->options->json, 9, layout);
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
  if (status == UT_OK || status == UT_INTERRUPTED)
    print(&r);
  free(r.point);
  ut_path_cut_free(&r.cut);
  ut_path_cut_free(&r.beside);
  ut_path_cut_free(&r.of_switches);
  ut_path_network_free(&r.network);
  ut_path_routes_free(&r.routes);
  return status;
}
