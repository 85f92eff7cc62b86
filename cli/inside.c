/* SPDX-License-Identifier: Apache-2.0 */
/* inside.c - see inside.h */
#include "inside.h"

#include <stdlib.h>

#include "cli.h"

/* ---- options */

enum { EVERY = 100 };

#define UT_INPUT struct ut_inside_options
static const struct ut_option options[] = {
    {"histogram", 0, "FILE.csv|FILE.json", "writes how many packets had which latency", UT_FILE(histogram)},
    {"packets", 0, "FILE.csv|FILE.json", "writes a line a packet: what became of it, hops, U-turns, detours",
     UT_FILE(packets)},
    {"timeline", 0, "FILE.csv|FILE.json", "writes throughput, latency, occupancy, discards and faults every N cycles",
     UT_FILE(timeline)},
    {"every", 0, "N", "the cycles of --timeline, default 100", UT_COUNT(every), .with = "timeline"},
    {0},
};
const struct ut_syntax ut_inside_syntax = {.option = options};

/* ---- rows */

static const char *const histogram_columns[] = {"latency_cycles", "packets"};

static void put_histogram(struct ut_sheet *t, const struct ut_histogram *h) {
  for (size_t i = 0; i <= h->pages; i++) {
    const uint64_t *page = i ? h->page[i - 1] : h->low;
    for (size_t bin = 0; page && bin < UT_HISTOGRAM_PAGE; bin++)
      if (page[bin]) {
        ut_sheet_integer(t, i * UT_HISTOGRAM_PAGE + bin);
        ut_sheet_integer(t, page[bin]);
      }
  }
}

static const char *const packet_columns[] = {"source",         "sequence",  "destination", "flits",  "generated_cycle",
                                             "injected_cycle", "end_cycle", "result",      "reason", "latency_cycles",
                                             "hops",           "u_turns",   "detours"};

static void put_packet(void *ctx, const struct ut_packet *p) {
  struct ut_sheet *t = ctx;
  ut_sheet_integer(t, p->src);
  ut_sheet_integer(t, p->sequence);
  ut_sheet_integer(t, p->dst);
  ut_sheet_integer(t, p->flits);
  ut_sheet_integer(t, p->generated);
  ut_sheet_integer_if(t, p->injected != UT_NEVER, p->injected);
  ut_sheet_integer_if(t, p->ended != UT_NEVER, p->ended);
  ut_sheet_word(t, ut_packet_result(p));
  if (p->fate < UT_DISCARD_REASONS)
    ut_sheet_word(t, ut_discard_name(p->fate));
  else
    ut_sheet_nothing(t);
  ut_sheet_integer_if(t, p->fate == UT_DELIVERED, p->ended - p->generated);
  ut_sheet_integer(t, p->hops);
  ut_sheet_integer(t, p->u_turns);
  ut_sheet_integer(t, p->detours);
}

static const char *const interval_columns[] = {"from_cycle",
                                               "until_cycle",
                                               "generated_packets",
                                               "injected_flits_per_cycle_per_terminal",
                                               "throughput_flits_per_cycle_per_terminal",
                                               "delivered_packets",
                                               "latency_mean_cycles",
                                               "latency_max_cycles",
                                               "discarded_cut_by_fault",
                                               "discarded_in_failed_switch",
                                               "discarded_unreachable",
                                               "discarded_purged",
                                               "in_flight_packets",
                                               "queued_packets",
                                               "buffered_flits",
                                               "links_down",
                                               "switches_down"};

_Static_assert(UT_DISCARD_REASONS == 4, "a column for each reason");

static void put_interval(void *ctx, const struct ut_interval *i) {
  struct ut_inside *inside = ctx;
  struct ut_sheet *t = &inside->timeline;
  const double cycles = (double)(i->until - i->from) * inside->network->topology->terminals;
  ut_sheet_integer(t, i->from);
  ut_sheet_integer(t, i->until);
  ut_sheet_integer(t, i->generated);
  ut_sheet_real(t, (double)i->injected / cycles);
  ut_sheet_real(t, (double)i->received / cycles);
  ut_sheet_integer(t, i->delivered);
  if (i->delivered)
    ut_sheet_real(t, (double)i->latency / (double)i->delivered);
  else
    ut_sheet_nothing(t);
  ut_sheet_integer_if(t, i->delivered, i->longest);
  for (unsigned reason = 0; reason < UT_DISCARD_REASONS; reason++)
    ut_sheet_integer(t, i->discarded[reason]);
  ut_sheet_integer(t, i->in_flight);
  ut_sheet_integer(t, i->queued);
  ut_sheet_integer(t, i->buffered);
  ut_sheet_integer(t, i->links_down);
  ut_sheet_integer(t, i->switches_down);
}

/* ---- the run */

#define OPEN(sheet, path, columns)                                                                                     \
  ((path) && ut_sheet_open(&i->sheet, path, columns, sizeof(columns) / sizeof *(columns), e))

int ut_inside_start(struct ut_inside *i, const struct ut_inside_options *o, struct ut_network *n, struct ut_error *e) {
  *i = (struct ut_inside){0};
  if (OPEN(histogram, o->histogram, histogram_columns) || OPEN(packets, o->packets, packet_columns) ||
      OPEN(timeline, o->timeline, interval_columns))
    return -1;
  if (!o->histogram && !o->packets && !o->timeline)
    return 0;
  i->network = n;
  if (o->packets || o->timeline)
    ut_departures_watch(n);
  i->failure = (o->packets && !ut_packet_log_init(&i->all, n, put_packet, &i->packets)) ||
               (o->timeline && !ut_timeline_init(&i->intervals, n, o->every ? o->every : EVERY, put_interval, i));
  return i->failure ? ut_fail(e, UT_BAD_INPUT, "not enough memory to look at packets") : 0;
}

bool ut_inside_look(struct ut_inside *i) {
  struct ut_network *n = i->network;
  if (!ut_sheet_is_open(&i->packets) && !ut_sheet_is_open(&i->timeline))
    return true;
  i->failure |= !ut_departures_take(&i->left, n);
  if (ut_sheet_is_open(&i->packets))
    i->failure |= !ut_packet_log_observe(&i->all, n, &i->left);
  if (ut_sheet_is_open(&i->timeline))
    ut_timeline_observe(&i->intervals, n, &i->left);
  return !i->failure && ut_sheet_good(&i->packets) && ut_sheet_good(&i->timeline);
}

int ut_inside_end(struct ut_inside *i, struct ut_error *e) {
  const bool complete = i->network && !i->failure;
  if (complete && ut_sheet_is_open(&i->histogram))
    put_histogram(&i->histogram, &i->network->terminals.latency);
  if (complete && ut_sheet_is_open(&i->packets))
    ut_packet_log_end(&i->all, i->network);
  if (complete && ut_sheet_is_open(&i->timeline))
    ut_timeline_end(&i->intervals, i->network);
  struct ut_sheet *const sheet[] = {&i->histogram, &i->packets, &i->timeline};
  int status = i->failure ? ut_fail(e, UT_BAD_INPUT, "not enough memory to look at packets") : 0;
  for (unsigned k = 0; k < sizeof sheet / sizeof *sheet; k++)
    if (!complete)
      ut_sheet_drop(sheet[k]);
    else if (ut_sheet_close(sheet[k], status ? NULL : e))
      status = -1;
  ut_packet_log_free(&i->all);
  ut_timeline_free(&i->intervals);
  free(i->left.list);
  *i = (struct ut_inside){0};
  return status;
}
