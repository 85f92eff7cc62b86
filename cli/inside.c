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

static void put_histogram(struct ut_sheet *sheet, const struct ut_histogram *histogram) {
  for (size_t i = 0; i <= histogram->pages; i++) {
    const uint64_t *page = i ? histogram->page[i - 1] : histogram->low;
    for (size_t bin = 0; page && bin < UT_HISTOGRAM_PAGE; bin++)
      if (page[bin]) {
        ut_sheet_integer(sheet, i * UT_HISTOGRAM_PAGE + bin);
        ut_sheet_integer(sheet, page[bin]);
      }
  }
}

static const char *const packet_columns[] = {"source",         "sequence",  "destination", "flits",  "generated_cycle",
                                             "injected_cycle", "end_cycle", "result",      "reason", "latency_cycles",
                                             "hops",           "u_turns",   "detours"};

static void put_packet(void *ctx, const struct ut_packet *packet) {
  struct ut_sheet *sheet = ctx;
  ut_sheet_integer(sheet, packet->src);
  ut_sheet_integer(sheet, packet->sequence);
  ut_sheet_integer(sheet, packet->dst);
  ut_sheet_integer(sheet, packet->flits);
  ut_sheet_integer(sheet, packet->generated);
  ut_sheet_integer_if(sheet, packet->injected != UT_NEVER, packet->injected);
  ut_sheet_integer_if(sheet, packet->ended != UT_NEVER, packet->ended);
  ut_sheet_word(sheet, ut_packet_result(packet));
  if (packet->fate < UT_DISCARD_REASONS)
    ut_sheet_word(sheet, ut_discard_name(packet->fate));
  else
    ut_sheet_nothing(sheet);
  ut_sheet_integer_if(sheet, packet->fate == UT_DELIVERED, packet->ended - packet->generated);
  ut_sheet_integer(sheet, packet->hops);
  ut_sheet_integer(sheet, packet->u_turns);
  ut_sheet_integer(sheet, packet->detours);
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

static void put_interval(void *ctx, const struct ut_interval *interval) {
  struct ut_inside *inside = ctx;
  struct ut_sheet *sheet = &inside->timeline;
  const double cycles = (double)(interval->until - interval->from) * inside->network->topology->terminals;
  ut_sheet_integer(sheet, interval->from);
  ut_sheet_integer(sheet, interval->until);
  ut_sheet_integer(sheet, interval->generated);
  ut_sheet_real(sheet, (double)interval->injected / cycles);
  ut_sheet_real(sheet, (double)interval->received / cycles);
  ut_sheet_integer(sheet, interval->delivered);
  if (interval->delivered)
    ut_sheet_real(sheet, (double)interval->latency / (double)interval->delivered);
  else
    ut_sheet_nothing(sheet);
  ut_sheet_integer_if(sheet, interval->delivered, interval->longest);
  for (unsigned reason = 0; reason < UT_DISCARD_REASONS; reason++)
    ut_sheet_integer(sheet, interval->discarded[reason]);
  ut_sheet_integer(sheet, interval->in_flight);
  ut_sheet_integer(sheet, interval->queued);
  ut_sheet_integer(sheet, interval->buffered);
  ut_sheet_integer(sheet, interval->links_down);
  ut_sheet_integer(sheet, interval->switches_down);
}

/* ---- the run */

#define OPEN(sheet, path, columns)                                                                                     \
  ((path) && ut_sheet_open(&inside->sheet, path, columns, sizeof(columns) / sizeof *(columns), e))

int ut_inside_start(struct ut_inside *inside, const struct ut_inside_options *options, struct ut_network *net,
                    struct ut_error *e) {
  *inside = (struct ut_inside){0};
  if (OPEN(histogram, options->histogram, histogram_columns) || OPEN(packets, options->packets, packet_columns) ||
      OPEN(timeline, options->timeline, interval_columns))
    return -1;
  if (!options->histogram && !options->packets && !options->timeline)
    return 0;
  inside->network = net;
  if (options->packets || options->timeline)
    ut_departures_watch(net);
  inside->failure =
      (options->packets && !ut_packet_log_init(&inside->all, net, put_packet, &inside->packets)) ||
      (options->timeline &&
       !ut_timeline_init(&inside->intervals, net, options->every ? options->every : EVERY, put_interval, inside));
  return inside->failure ? ut_fail(e, UT_BAD_INPUT, "not enough memory to look at packets") : 0;
}

bool ut_inside_look(struct ut_inside *inside) {
  struct ut_network *net = inside->network;
  if (!ut_sheet_is_open(&inside->packets) && !ut_sheet_is_open(&inside->timeline))
    return true;
  inside->failure |= !ut_departures_take(&inside->left, net);
  if (ut_sheet_is_open(&inside->packets))
    inside->failure |= !ut_packet_log_observe(&inside->all, net, &inside->left);
  if (ut_sheet_is_open(&inside->timeline))
    ut_timeline_observe(&inside->intervals, net, &inside->left);
  return !inside->failure && ut_sheet_good(&inside->packets) && ut_sheet_good(&inside->timeline);
}

int ut_inside_end(struct ut_inside *inside, struct ut_error *e) {
  const bool complete = inside->network && !inside->failure;
  if (complete && ut_sheet_is_open(&inside->histogram))
    put_histogram(&inside->histogram, &inside->network->terminals.latency);
  if (complete && ut_sheet_is_open(&inside->packets))
    ut_packet_log_end(&inside->all, inside->network);
  if (complete && ut_sheet_is_open(&inside->timeline))
    ut_timeline_end(&inside->intervals, inside->network);
  struct ut_sheet *const sheet[] = {&inside->histogram, &inside->packets, &inside->timeline};
  int status = inside->failure ? ut_fail(e, UT_BAD_INPUT, "not enough memory to look at packets") : 0;
  for (unsigned k = 0; k < sizeof sheet / sizeof *sheet; k++)
    if (!complete)
      ut_sheet_drop(sheet[k]);
    else if (ut_sheet_close(sheet[k], status ? NULL : e))
      status = -1;
  ut_packet_log_free(&inside->all);
  ut_timeline_free(&inside->intervals);
  free(inside->left.list);
  *inside = (struct ut_inside){0};
  return status;
}
