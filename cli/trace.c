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

static int read_packet(const struct ut_option *o, void *into, const char *text, struct ut_error *e) {
  const char *at = text;
  uint64_t src, tag, nth = 1;
  bool good = parse_part(&at, 0, 65535, &src) && *at++ == ':' && parse_part(&at, 0, 255, &tag);
  if (good && *at == ':')
    good = at++ && parse_part(&at, 1, UINT32_MAX, &nth);
  if (!good || *at)
    return ut_fail(e, UT_BAD_INPUT, "--%s wants SRC:TAG or SRC:TAG:NTH with TAG 0..255 and NTH from 1, not '%s'",
                   o->name, text);
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

static bool search(struct run *r) {
  return ut_packet_search_observe(&r->search, &r->network);
}

static bool follow(struct run *r) {
  const struct ut_terminals *t = &r->network.terminals;
  bool over = true;
  for (unsigned i = 0; i < r->journeys; i++) {
    struct ut_journey *j = &r->journey[i];
    ut_journey_observe(j, &r->network);
    bool never = j->state == UT_JOURNEY_QUEUED && t->stop_generation && t->terminal[j->src].end <= j->sequence;
    over &= ut_journey_over(j) || j->failure || never;
  }
  return over;
}

static void end_run(struct run *r) {
  ut_watchdog_free(&r->watchdog);
  ut_network_fini(&r->network);
  ut_elaborate_end(&r->elaborator);
  r->watchdog = (struct ut_watchdog){0};
}

static int simulate(struct run *r, observer *observe, struct ut_error *e) {
  struct ut_network *n = &r->network;
  struct ut_progress progress;
  if (ut_elaborator_start(&r->elaborator, r->scenario, UT_ELABORATE_LONG, NULL, NULL, e) ||
      ut_network_init(n, r->scenario, NULL, e))
    return -1;
  ut_progress_start(&progress);
  r->deadlock = false;
  while (!ut_network_done(n) && !ut_interrupted && !n->failure && !r->deadlock) {
    ut_elaborator_use(&r->elaborator, n);
    ut_network_skip(n, UINT64_MAX);
    ut_network_step(n);
    if (observe(r))
      break;
    r->deadlock = ut_watchdog_check(&r->watchdog, n);
    ut_progress_show(&progress, n->cycle, ut_network_planned(r->scenario));
  }
  ut_progress_end(&progress);
  if (n->failure)
    return ut_fail(e, UT_BAD_INPUT, "not enough memory for the source queues; lower the load or the number of cycles");
  return 0;
}

/* The packets to follow.  -1: error; r->journeys stays 0 if the search was interrupted. */
static int choose(struct run *r, const struct trace_options *o, struct ut_error *e) {
  const uint32_t terminals = ut_scenario_terminals(r->scenario);
  if (o->packet.given) {
    if (o->packet.src >= terminals)
      return ut_fail(e, UT_BAD_INPUT, "--packet: there is no terminal %u; %s has terminals 0 to %u",
                     (unsigned)o->packet.src, o->scenario.path, (unsigned)(terminals - 1));
    r->choice = "given";
    ut_journey_init(&r->journey[r->journeys++], o->packet.src, o->packet.sequence);
    return 0;
  }
  int status = simulate(r, search, e);
  end_run(r);
  ut_packet_search_free(&r->search);
  if (r->search.failure)
    status = ut_fail(e, UT_BAD_INPUT, "out of memory for the search of a packet");
  if (status || ut_interrupted)
    return status;
  if (!r->search.any)
    return ut_fail(e, UT_BAD_INPUT, "%s: no terminal sends a packet; raise the load or the number of cycles",
                   o->scenario.path);
  r->choice = !r->search.candidates ? "first_injected" : r->search.turned ? "first_u_turn" : "first_planned";
  for (unsigned i = 0; i < r->search.candidates; i++)
    ut_journey_init(&r->journey[r->journeys++], r->search.candidate[i].src, r->search.candidate[i].sequence);
  if (!r->journeys)
    ut_journey_init(&r->journey[r->journeys++], r->search.first.src, r->search.first.sequence);
  return 0;
}

/* Results of the second run.  Returns the exit status. */
static int show(struct run *r, const struct trace_options *o) {
  const struct ut_network *n = &r->network;
  struct ut_outage *outage;
  size_t outages;
  struct ut_error e;
  for (unsigned i = 0; i < r->journeys; i++)
    if (ut_packet_search_is(&r->search, &r->journey[i]))
      r->chosen = i;
  const struct ut_journey *j = &r->journey[r->chosen];
  const uint64_t end = n->terminals.terminal[j->src].end;
  if (j->state == UT_JOURNEY_QUEUED && end <= j->sequence && !ut_interrupted && !r->deadlock) {
    ut_fail(&e, UT_BAD_INPUT,
            "terminal %u generates %" PRIu64 " packets in this run; packet %u:%u:%" PRIu64 " (number %" PRIu64
            ", counted from 0) is not one of them",
            (unsigned)j->src, end, (unsigned)j->src, (unsigned)(j->sequence % 256), j->sequence / 256 + 1, j->sequence);
    return ut_print_error(&e);
  }
  const uint64_t last = ut_journey_over(j) ? j->ended : n->cycle - 1;
  const uint64_t first = j->state == UT_JOURNEY_QUEUED ? last : j->generated;
  if (j->failure || !ut_outages_find(&n->faults, first, last, &outage, &outages)) {
    ut_fail(&e, UT_BAD_INPUT, "out of memory for the journey");
    return ut_print_error(&e);
  }
  int status = r->deadlock ? UT_DEADLOCK : ut_interrupted ? UT_INTERRUPTED : UT_OK;
  if (j->state == UT_JOURNEY_LOST_SIGHT)
    status = UT_INTERNAL;
  /* first the drawing: if it cannot be written, nothing is */
  if (o->svg && !ut_interrupted && j->state != UT_JOURNEY_QUEUED &&
      ut_journey_draw(j, n, outage, outages, o->svg, &e)) {
    free(outage);
    return ut_print_error(&e);
  }
  if (o->svg && j->state == UT_JOURNEY_QUEUED)
    fprintf(stderr, "uturn: %s is not written: the packet was never sent\n", o->svg);
  struct ut_trace_report report = {n, j, r->choice, outage, outages, r->deadlock};
  ut_trace_print(&report, o->scenario.json);
  if (r->deadlock)
    ut_watchdog_print(&r->watchdog, stderr);
  if (ut_interrupted)
    fprintf(stderr, "uturn: interrupted in cycle %" PRIu64 ": this is what is known so far\n", n->cycle);
  free(outage);
  return status;
}

int ut_cmd_trace(int argc, char **argv) {
  struct trace_options o = {0};
  struct run r = {0};
  struct ut_error e;
  int status;
  if (ut_parse(&ut_syntax_trace, argc, argv, &o, &status))
    return status;
  struct ut_scenario *s = ut_open_scenario(&o.scenario, &status);
  if (!s)
    return status;
  r.scenario = s;
  ut_catch_interrupt();
  bool bad = o.svg && ut_drawing_check(ut_scenario_topology(s), &e); /* too large for a drawing: said before the run */
  bad = bad || choose(&r, &o, &e) || (r.journeys && simulate(&r, follow, &e));
  if (bad)
    status = ut_print_error(&e);
  else if (!r.journeys)
    status = UT_INTERRUPTED;
  else
    status = show(&r, &o);
  for (unsigned i = 0; i < r.journeys; i++)
    ut_journey_free(&r.journey[i]);
  end_run(&r);
  ut_scenario_free(s);
  return status;
}
