/* SPDX-License-Identifier: Apache-2.0 */
/* trace.c - `uturn trace`: one packet's journey, hop by hop, as text and as a drawing.  Text and JSON: trace_output.c.
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "deadlock.h"
#include "drawing.h"
#include "journey_drawing.h"
#include "number.h"
#include "packet_search.h"
#include "scenario_read.h"
#include "scenario_switches.h"
#include "topology.h"
#include "topology_build.h"
#include "trace_output.h"

struct trace_options {
  struct ut_scenario_options scenario;
  const char *svg;
  struct chosen {
    bool given;
    uint32_t src;
    uint64_t sequence;
  } packet;
};

/* One part of SRC:TAG:NTH, up to a colon or the end. */
static bool parse_part(const char **text, uint64_t least, uint64_t most, uint64_t *value) {
  return ut_number_read(text, most, value) && *value >= least;
}

static int read_packet(const struct ut_option *option, void *into, const char *text, struct ut_error *e) {
  const char *at = text;
  uint64_t src, tag, nth = 1;
  bool good = parse_part(&at, 0, 65535, &src) && *at++ == ':' && parse_part(&at, 0, 255, &tag);
  if (good && *at == ':')
    good = at++ && parse_part(&at, 1, UINT32_MAX, &nth);
  if (!good || *at)
    return ut_fail(e, UT_BAD_INPUT, "--%s wants SRC:TAG or SRC:TAG:NTH with TAG 0..255 and NTH from 1, not '%s'",
                   option->name, text);
  *(struct chosen *)into = (struct chosen){true, (uint32_t)src, tag + 256 * (nth - 1)};
  return 0;
}

#define UT_INPUT struct trace_options
static const struct ut_option options[] = {
    UT_ONE_SCENARIO(scenario.path),
    {"packet", 0, "SRC:TAG[:NTH]",
     "the packet of terminal SRC with that tag, its number at its source modulo 256, counted from 0; NTH: of several "
     "with that tag that one, from 1 (default 1).  Without this option: where packets can turn round the first one "
     "that makes a U-turn, else the first one whose route was planned around faults; if there is none, the first one "
     "that is injected",
     UT_OWN(read_packet, packet)},
    {"svg", 0, "FILE.svg", "draws the journey (Graphviz)", UT_FILE(svg)},
    UT_GROUP(ut_scenario_syntax, scenario),
    {0},
};

const struct ut_syntax ut_syntax_trace = {
    "SCENARIO", "Follows one packet of SCENARIO through the golden model, switch by switch.", options, NULL};

/* ---- the runs */

struct run {
  const struct ut_scenario *scenario;
  struct ut_network network;
  struct ut_elaborator elaborator;
  struct ut_watchdog watchdog;
  bool deadlock;
  struct ut_packet_search search;
  struct ut_journey journey[UT_SEARCH_CANDIDATES];
  unsigned journeys, chosen;
  const char *choice; /* why this packet */
};

/* Called after each step; true ends the run. */
typedef bool observer(struct run *r);

static bool search(struct run *run) {
  return ut_packet_search_observe(&run->search, &run->network);
}

static bool follow(struct run *run) {
  const struct ut_terminals *terminals = &run->network.terminals;
  bool over = true;
  for (unsigned i = 0; i < run->journeys; i++) {
    struct ut_journey *journey = &run->journey[i];
    ut_journey_observe(journey, &run->network);
    bool never = journey->state == UT_JOURNEY_QUEUED && terminals->stop_generation &&
                 terminals->terminal[journey->src].end <= journey->sequence;
    over &= ut_journey_over(journey) || journey->failure || never;
  }
  return over;
}

static void end_run(struct run *run) {
  ut_watchdog_free(&run->watchdog);
  ut_network_fini(&run->network);
  ut_elaborate_end(&run->elaborator);
  run->watchdog = (struct ut_watchdog){0};
}

static int simulate(struct run *run, observer *observe, struct ut_error *e) {
  struct ut_network *net = &run->network;
  struct ut_progress progress;
  if (ut_elaborator_start(&run->elaborator, run->scenario, UT_ELABORATE_LONG, NULL, NULL, e) ||
      ut_network_init(net, run->scenario, NULL, e))
    return -1;
  ut_progress_start(&progress);
  run->deadlock = false;
  while (!ut_network_done(net) && !ut_interrupted && !net->failure && !run->deadlock) {
    ut_elaborator_use(&run->elaborator, net);
    ut_network_skip(net, UINT64_MAX);
    ut_network_step(net);
    if (observe(run))
      break;
    run->deadlock = ut_watchdog_check(&run->watchdog, net);
    ut_progress_show(&progress, net->cycle, ut_network_planned(run->scenario));
  }
  ut_progress_end(&progress);
  if (net->failure)
    return ut_fail(e, UT_BAD_INPUT, "not enough memory for the source queues; lower the load or the number of cycles");
  return 0;
}

/* The packets to follow.  -1: error; run->journeys stays 0 if the search was interrupted. */
static int choose(struct run *run, const struct trace_options *options, struct ut_error *e) {
  const uint32_t terminals = ut_scenario_terminals(run->scenario);
  if (options->packet.given) {
    if (options->packet.src >= terminals)
      return ut_fail(e, UT_BAD_INPUT, "--packet: there is no terminal %u; %s has terminals 0 to %u",
                     (unsigned)options->packet.src, options->scenario.path, (unsigned)(terminals - 1));
    run->choice = "given";
    ut_journey_init(&run->journey[run->journeys++], options->packet.src, options->packet.sequence);
    return 0;
  }
  int status = simulate(run, search, e);
  end_run(run);
  ut_packet_search_free(&run->search);
  if (run->search.failure)
    status = ut_fail(e, UT_BAD_INPUT, "out of memory for the search of a packet");
  if (status || ut_interrupted)
    return status;
  if (!run->search.any)
    return ut_fail(e, UT_BAD_INPUT, "%s: no terminal sends a packet; raise the load or the number of cycles",
                   options->scenario.path);
  run->choice = !run->search.candidates ? "first_injected" : run->search.turned ? "first_u_turn" : "first_planned";
  for (unsigned i = 0; i < run->search.candidates; i++)
    ut_journey_init(&run->journey[run->journeys++], run->search.candidate[i].src, run->search.candidate[i].sequence);
  if (!run->journeys)
    ut_journey_init(&run->journey[run->journeys++], run->search.first.src, run->search.first.sequence);
  return 0;
}

/* Results of the second run.  Returns the exit status. */
static int show(struct run *run, const struct trace_options *options) {
  const struct ut_network *net = &run->network;
  struct ut_outage *outage;
  size_t outages;
  struct ut_error e;
  for (unsigned i = 0; i < run->journeys; i++)
    if (ut_packet_search_is(&run->search, &run->journey[i]))
      run->chosen = i;
  const struct ut_journey *journey = &run->journey[run->chosen];
  const uint64_t end = net->terminals.terminal[journey->src].end;
  if (journey->state == UT_JOURNEY_QUEUED && end <= journey->sequence && !ut_interrupted && !run->deadlock) {
    ut_fail(&e, UT_BAD_INPUT,
            "terminal %u generates %" PRIu64 " packets in this run; packet %u:%u:%" PRIu64 " (number %" PRIu64
            ", counted from 0) is not one of them",
            (unsigned)journey->src, end, (unsigned)journey->src, (unsigned)(journey->sequence % 256),
            journey->sequence / 256 + 1, journey->sequence);
    return ut_print_error(&e);
  }
  const uint64_t last = ut_journey_over(journey) ? journey->ended : net->cycle - 1;
  const uint64_t first = journey->state == UT_JOURNEY_QUEUED ? last : journey->generated;
  if (journey->failure || !ut_outages_find(&net->faults, first, last, &outage, &outages)) {
    ut_fail(&e, UT_BAD_INPUT, "out of memory for the journey");
    return ut_print_error(&e);
  }
  int status = run->deadlock ? UT_DEADLOCK : ut_interrupted ? UT_INTERRUPTED : UT_OK;
  if (journey->state == UT_JOURNEY_LOST_SIGHT)
    status = UT_INTERNAL;
  /* first the drawing: if it cannot be written, nothing is */
  if (options->svg && !ut_interrupted && journey->state != UT_JOURNEY_QUEUED &&
      ut_journey_draw(journey, net, outage, outages, options->svg, &e)) {
    free(outage);
    return ut_print_error(&e);
  }
  if (options->svg && journey->state == UT_JOURNEY_QUEUED)
    fprintf(stderr, "uturn: %s is not written: the packet was never sent\n", options->svg);
  struct ut_trace_report report = {net, journey, run->choice, outage, outages, run->deadlock};
  ut_trace_print(&report, options->scenario.json);
  if (run->deadlock)
    ut_watchdog_print(&run->watchdog, stderr);
  if (ut_interrupted)
    fprintf(stderr, "uturn: interrupted in cycle %" PRIu64 ": this is what is known so far\n", net->cycle);
  free(outage);
  return status;
}

int ut_cmd_trace(int argc, char **argv) {
  struct trace_options options = {0};
  struct run run = {0};
  struct ut_error e;
  int status;
  if (ut_parse(&ut_syntax_trace, argc, argv, &options, &status))
    return status;
  struct ut_scenario *scenario = ut_open_scenario(&options.scenario, &status);
  if (!scenario)
    return status;
  run.scenario = scenario;
  ut_catch_interrupt();
  bool bad = options.svg &&
             ut_drawing_check(ut_scenario_topology(scenario), &e); /* too large for a drawing: said before the run */
  bad = bad || choose(&run, &options, &e) || (run.journeys && simulate(&run, follow, &e));
  if (bad)
    status = ut_print_error(&e);
  else if (!run.journeys)
    status = UT_INTERRUPTED;
  else
    status = show(&run, &options);
  for (unsigned i = 0; i < run.journeys; i++)
    ut_journey_free(&run.journey[i]);
  end_run(&run);
  ut_scenario_free(scenario);
  return status;
}
