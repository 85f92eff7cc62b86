/* SPDX-License-Identifier: Apache-2.0 */
/* recording.c - see recording.h */
#include "recording.h"

#include <stdlib.h>
#include <string.h>

/* The packets of a terminal that are in flight, by their numbers. */
struct ut_under_way {
  struct ut_recorded_packet *packet;
  uint32_t count, room;
};

/* The packet that a lane is sending. */
struct ut_sending {
  uint64_t sequence;
  uint32_t src, move;
  bool open;
};

/* Room for one more of them.  false: out of memory. */
static bool grow(void **list, uint32_t count, uint32_t *room, size_t size) {
  if (count < *room)
    return true;
  const uint32_t wanted = *room ? 2 * *room : 8;
  void *bigger = realloc(*list, wanted * size);
  if (!bigger)
    return false;
  *list = bigger;
  *room = wanted;
  return true;
}
#define GROW(list, count, room) grow((void **)&(list), count, &(room), sizeof *(list))

static struct ut_recorded_packet *find(const struct ut_recording *recording, uint32_t src, uint64_t sequence) {
  const struct ut_under_way *way = &recording->under_way[src];
  for (uint32_t i = way->count; i-- > 0;)
    if (way->packet[i].what.sequence == sequence)
      return &way->packet[i];
  return NULL;
}

/* ---- reports of the log */

static void on_move(void *ctx, const struct ut_packet_move *move) {
  struct ut_recording *recording = ctx;
  struct ut_under_way *way = &recording->under_way[move->src];
  struct ut_recorded_packet *packet = find(recording, move->src, move->sequence);
  if (!packet) {
    if (!GROW(way->packet, way->count, way->room)) {
      recording->failure = true;
      return;
    }
    packet = &way->packet[way->count++];
    *packet = (struct ut_recorded_packet){.what.sequence = move->sequence};
  }
  if (!GROW(packet->move, packet->moves, packet->room)) {
    recording->failure = true;
    return;
  }
  recording->sending[move->lane] = (struct ut_sending){move->sequence, move->src, packet->moves, true};
  packet->move[packet->moves++] = (struct ut_recorded_move){.head = recording->network->cycle,
                                                            .tail = UT_NEVER,
                                                            .channel = move->channel,
                                                            .vc = move->vc,
                                                            .u_turn = move->u_turn,
                                                            .detour = move->detour,
                                                            .stripped = move->stripped};
}

static void on_tail(void *ctx, uint32_t lane) {
  struct ut_recording *recording = ctx;
  struct ut_sending *sending = &recording->sending[lane];
  struct ut_recorded_packet *packet = sending->open ? find(recording, sending->src, sending->sequence) : NULL;
  if (packet)
    packet->move[sending->move].tail = recording->network->cycle;
  sending->open = false;
}

static void keep(struct ut_recording *recording, const struct ut_recorded_packet *packet) {
  if (recording->packets == recording->room) {
    const size_t room = recording->room ? 2 * recording->room : 1024;
    struct ut_recorded_packet *bigger = realloc(recording->packet, room * sizeof *bigger);
    if (!bigger) {
      recording->failure = true;
      free(packet->move);
      return;
    }
    recording->packet = bigger;
    recording->room = room;
  }
  recording->packet[recording->packets++] = *packet;
}

static void on_end(void *ctx, const struct ut_packet *what) {
  struct ut_recording *recording = ctx;
  struct ut_under_way *way = &recording->under_way[what->src];
  struct ut_recorded_packet *there = find(recording, what->src, what->sequence), packet = {0};
  if (there) {
    const size_t at = (size_t)(there - way->packet);
    packet = *there;
    way->count--;
    memmove(there, there + 1, (way->count - at) * sizeof *there);
  }
  packet.what = *what;
  const uint64_t start = ut_recorded_start(what);
  if (start < recording->until && (what->ended == UT_NEVER || what->ended >= recording->from))
    keep(recording, &packet);
  else
    free(packet.move);
}

/* ---- the run */

bool ut_recording_init(struct ut_recording *recording, struct ut_network *net, uint64_t from, uint64_t until) {
  *recording = (struct ut_recording){.from = from, .until = until, .network = net};
  recording->watch = (struct ut_packet_watch){on_move, on_tail, recording};
  recording->under_way = calloc(net->topology->terminals, sizeof *recording->under_way);
  recording->sending = calloc(net->wires.lanes, sizeof *recording->sending);
  if (!recording->under_way || !recording->sending || !ut_packet_log_init(&recording->log, net, on_end, recording))
    return false;
  recording->log.watch = &recording->watch;
  ut_departures_watch(net);
  return true;
}

bool ut_recording_observe(struct ut_recording *recording, struct ut_network *net) {
  return ut_departures_take(&recording->left, net) && ut_packet_log_observe(&recording->log, net, &recording->left) &&
         !recording->failure;
}

static int by_start(const void *left, const void *right) {
  const struct ut_packet *a = &((const struct ut_recorded_packet *)left)->what,
                         *b = &((const struct ut_recorded_packet *)right)->what;
  const uint64_t x = ut_recorded_start(a), y = ut_recorded_start(b);
  if (x != y)
    return x < y ? -1 : 1;
  if (a->src != b->src)
    return a->src < b->src ? -1 : 1;
  return (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

bool ut_recording_end(struct ut_recording *recording) {
  ut_packet_log_end(&recording->log, recording->network);
  if (recording->packets)
    qsort(recording->packet, recording->packets, sizeof *recording->packet, by_start);
  return !recording->failure;
}

void ut_recording_free(struct ut_recording *recording) {
  for (size_t i = 0; i < recording->packets; i++)
    free(recording->packet[i].move);
  for (uint32_t src = 0; recording->under_way && src < recording->network->topology->terminals; src++) {
    for (uint32_t i = 0; i < recording->under_way[src].count; i++)
      free(recording->under_way[src].packet[i].move);
    free(recording->under_way[src].packet);
  }
  free(recording->packet);
  free(recording->under_way);
  free(recording->sending);
  free(recording->left.list);
  ut_packet_log_free(&recording->log);
  *recording = (struct ut_recording){0};
}
