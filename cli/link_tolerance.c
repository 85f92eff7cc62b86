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
static const char *unit_name(const struct report *report, uint32_t unit, char text[UT_OUTAGE_NAME_SIZE]) {
  const struct ut_topology *topo = report->topology;
  struct ut_outage outage = {.kind = UT_FAULT_SWITCH};
  if (unit > report->network.links) {
    outage.sw = ut_path_network_switch(&report->network, unit);
    return ut_outage_name(topo, &outage, text);
  }
  outage.channel = report->network.channel[unit];
  const struct ut_peer from = ut_topology_sender(topo, outage.channel);
  const struct ut_peer at = from.kind == UT_PEER_SWITCH ? from : topo->peer[outage.channel];
  outage.sw = at.index, outage.port = at.port, outage.kind = UT_FAULT_LINK;
  outage.both = !report->options->directed && ut_topology_twin(topo, outage.channel) != UT_NO_CHANNEL;
  return ut_outage_name(topo, &outage, text);
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

static json_t *units_json(const struct report *report, const struct ut_path_cut *cut, uint32_t count) {
  json_t *list = json_array();
  char text[UT_OUTAGE_NAME_SIZE];
  for (uint32_t i = 0; i < count; i++)
    json_array_append_new(list, ut_string(unit_name(report, cut->unit[i], text)));
  return list;
}

/* The smallest fatal set, if there is one. */
static void add_cut(json_t *j, const struct report *report, const struct ut_path_cut *cut, bool switches) {
  if (!report->cut_known || cut->size == UINT32_MAX)
    return;
  json_t *units = units_json(report, cut, cut->size);
  UT_ADD(j, {switches ? "tolerated_switch_faults" : "tolerated_faults", ut_int(cut->size - 1)},
         {switches ? "smallest_fatal_switches" : "smallest_fatal_set", units},
         {switches ? "_switch_cut" : "_cut",
          UT_OBJECT({"tolerated", ut_int(cut->size - 1)}, {"size", ut_int(cut->size)}, {"from", ut_int(cut->from)},
                    {"to", ut_int(cut->to)}, {"units", json_incref(units)})});
}

static json_t *point_json(const struct report *report, const struct ut_path_point *point) {
  const bool all = point->exhaustive && point->sets == point->wanted;
  double low, high;
  json_t *j = UT_OBJECT({"faults", ut_int(point->faults)}, {"fault_sets", ut_int(point->sets)},
                        {"exhaustive", json_boolean(all)}, {"not_tolerated", ut_int(point->not_tolerated)},
                        {"not_tolerated_percent", ut_real(100 * (double)point->not_tolerated / (double)point->sets)},
                        {"pairs_connected_percent", ut_real(ut_path_connected(&report->network, point))},
                        {"switch_faults", report->options->switches_fail ? ut_int(point->switches) : NULL},
                        {"_which", ut_string(!point->exhaustive ? "random"
                                             : all              ? "all"
                                                                : "part")});
  if (point->exhaustive)
    return j;
  ut_confidence(point->not_tolerated, point->sets, confidence, &low, &high);
  UT_ADD(j, {"not_tolerated_probability_95", json_pack("[f,f]", low, high)},
         {"_not_tolerated_95", ut_format("%.6f..%.6f", 100 * low, 100 * high)});
  ut_path_connected_interval(&report->network, point, confidence, &low, &high);
  return UT_ADD(j, {"pairs_connected_percent_95", json_pack("[f,f]", low, high)},
                {"_connected_95", ut_format("%.6f..%.6f", low, high)});
}

static void print(const struct report *report) {
  const bool switches = report->options->switches_fail;
  json_t *points = json_array(), *j = ut_scenario_result(report->scenario);
  uint64_t sets = 0;
  UT_ADD(j, {"links", ut_string(report->options->links)}, {"directed", json_boolean(report->options->directed)},
         {"link_count", ut_int(report->network.links)},
         {"switch_count", switches ? ut_int(report->network.units - report->network.links) : NULL},
         {"_switches_fail", json_boolean(switches)}, {"_cut_known", json_boolean(report->cut_known)});
  for (unsigned i = 0; i < report->points; i++) {
    sets += report->point[i].sets;
    if (report->point[i].sets) /* else interrupted before */
      json_array_append_new(points, point_json(report, &report->point[i]));
  }
  add_cut(j, report, &report->cut, false);
  if (report->cut_known && report->beside.unit)
    UT_ADD(j, {"network_faults_fatal_beside_a_terminal_fault", ut_int(report->beside.size)},
           {"such_a_set", units_json(report, &report->beside, report->beside.size + 1)});
  if (switches)
    add_cut(j, report, &report->of_switches, true);
  UT_ADD(j, {"points", points}, {"_sets", ut_int(sets)}, {"wall_s", ut_real(report->seconds)});
  ut_result_print(j, report->options->json, 9, layout);
}

static int count(struct report *report, struct ut_error *e) {
  const struct ut_link_options *options = report->options;
  const struct ut_path_request request = {
      .faults = {options->faults[0], options->faults[1]},
      .switches = {options->switches[0], options->switches[1]},
      .limit = options->exhaustive ? UINT64_MAX
               : options->samples  ? options->samples
                                   : DEFAULT_SAMPLES,
      .samples = options->samples ? options->samples : DEFAULT_SAMPLES,
      .seed = options->seed,
  };
  report->points = ut_path_points(&request);
  report->point = calloc(report->points, sizeof *report->point);
  if (!report->point)
    return ut_fail(e, UT_BAD_INPUT, "out of memory for %u numbers of faults", report->points);
  struct ut_progress progress;
  struct ut_parallel parallel = {
      .workers = options->workers, .stop = &ut_interrupted, .progress = ut_progress_fault_sets, .ctx = &progress};
  ut_catch_interrupt();
  ut_progress_start(&progress);
  int failed = ut_path_tolerance_run(&report->network, &request, &parallel, report->point, e);
  ut_progress_end(&progress);
  report->seconds = ut_seconds() - progress.start;
  return failed;
}

/* The smallest fatal sets, where flows find them. */
static int find_cuts(struct report *report, struct ut_error *e) {
  const unsigned network = UT_CLASS_NETWORK;
  report->cut_known = !report->network.repeated;
  if (!report->cut_known)
    return 0;
  if (ut_path_cut_find(&report->network, report->classes, &report->cut, e))
    return -1;
  if (report->options->switches_fail)
    return ut_path_cut_find(&report->network, UT_CLASS_SWITCH, &report->of_switches, e);
  return report->classes & network && report->classes != network
             ? ut_path_cut_beside(&report->network, network, &report->beside, e)
             : 0;
}

/* Which switches can fail: those of the wanted levels. */
static int choose_switches(const struct report *report, uint32_t failing[2], struct ut_error *e) {
  const struct ut_link_options *options = report->options;
  const struct ut_topology *topo = report->topology;
  failing[0] = failing[1] = 0;
  if (!options->switches_fail)
    return 0;
  if (options->levels_given && options->levels[1] >= topo->levels)
    return ut_fail(e, UT_BAD_INPUT, "--switch-levels %u..%u: %s has levels 0..%u", options->levels[0],
                   options->levels[1], options->path, topo->levels - 1);
  const unsigned last = options->levels_given ? options->levels[1] : topo->levels - 1;
  while (topo->level[failing[0]] < options->levels[0])
    failing[0]++;
  for (failing[1] = failing[0]; failing[1] < topo->switches && topo->level[failing[1]] <= last;)
    failing[1]++;
  return 0;
}

static int count_all(struct report *report, struct ut_error *e) {
  const struct ut_link_options *options = report->options;
  if (ut_path_routes_init(&report->routes, report->scenario, report->topology, e) ||
      choose_switches(report, report->routes.source.failing, e) ||
      ut_path_network_init(&report->network, &report->routes.source, report->classes, options->directed, e))
    return -1;
  return count(report, e) || find_cuts(report, e) ? -1 : 0;
}

int ut_tolerance_of_links(const struct ut_link_options *options, const struct ut_scenario *scenario,
                          const struct ut_topology *topo) {
  struct report report = {.options = options, .scenario = scenario, .topology = topo};
  struct ut_error e;
  ut_link_classes(options->links, &report.classes);
  int status = count_all(&report, &e) ? ut_print_error(&e) : ut_interrupted ? UT_INTERRUPTED : UT_OK;
  if (status == UT_OK || status == UT_INTERRUPTED)
    print(&report);
  free(report.point);
  ut_path_cut_free(&report.cut);
  ut_path_cut_free(&report.beside);
  ut_path_cut_free(&report.of_switches);
  ut_path_network_free(&report.network);
  ut_path_routes_free(&report.routes);
  return status;
}
