/* SPDX-License-Identifier: Apache-2.0 */
/* recording.c - see recording.h */
#include "recording.h"

#include <stdlib.h>
#include <string.h>

/* The packets of a terminal that are on their way, by their numbers. */
struct ut_under_way {
  struct ut_recorded_packet *packet;
  uint32_t count, room;
};

/* The packet that a lane sends. */
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

static struct ut_recorded_packet *find(const struct ut_recording *r, uint32_t src, uint64_t sequence) {
  const struct ut_under_way *u = &r->under_way[src];
  for (uint32_t i = u->count; i-- > 0;)
    if (u->packet[i].what.sequence == sequence)
      return &u->packet[i];
  return NULL;
}

/* ---- what the log tells */

static void on_move(void *ctx, const struct ut_packet_move *m) {
  struct ut_recording *r = ctx;
  struct ut_under_way *u = &r->under_way[m->src];
  struct ut_recorded_packet *p = find(r, m->src, m->sequence);
  if (!p) {
    if (!GROW(u->packet, u->count, u->room)) {
      r->failure = true;
      return;
    }
    p = &u->packet[u->count++];
    *p = (struct ut_recorded_packet){.what.sequence = m->sequence};
  }
  if (!GROW(p->move, p->moves, p->room)) {
    r->failure = true;
    return;
  }
  r->sending[m->lane] = (struct ut_sending){m->sequence, m->src, p->moves, true};
  p->move[p->moves++] = (struct ut_recorded_move){.head = r->network->cycle,
                                                  .tail = UT_NEVER,
                                                  .channel = m->channel,
                                                  .vc = m->vc,
                                                  .u_turn = m->u_turn,
                                                  .detour = m->detour,
                                                  .stripped = m->stripped};
}

static void on_tail(void *ctx, uint32_t lane) {
  struct ut_recording *r = ctx;
  struct ut_sending *s = &r->sending[lane];
  struct ut_recorded_packet *p = s->open ? find(r, s->src, s->sequence) : NULL;
  if (p)
    p->move[s->move].tail = r->network->cycle;
  s->open = false;
}

static void keep(struct ut_recording *r, const struct ut_recorded_packet *p) {
  if (r->packets == r->room) {
    const size_t room = r->room ? 2 * r->room : 1024;
    struct ut_recorded_packet *bigger = realloc(r->packet, room * sizeof *bigger);
    if (!bigger) {
      r->failure = true;
      free(p->move);
      return;
    }
    r->packet = bigger;
    r->room = room;
  }
  r->packet[r->packets++] = *p;
}

static void on_end(void *ctx, const struct ut_packet *what) {
  struct ut_recording *r = ctx;
  struct ut_under_way *u = &r->under_way[what->src];
  struct ut_recorded_packet *there = find(r, what->src, what->sequence), p = {0};
  if (there) {
    const size_t at = (size_t)(there - u->packet);
    p = *there;
    u->count--;
    memmove(there, there + 1, (u->count - at) * sizeof *there);
  }
  p.what = *what;
  const uint64_t start = ut_recorded_start(what);
  if (start < r->until && (what->ended == UT_NEVER || what->ended >= r->from))
    keep(r, &p);
  else
    free(p.move);
}

/* ---- the run */

bool ut_recording_init(struct ut_recording *r, struct ut_network *n, uint64_t from, uint64_t until) {
  *r = (struct ut_recording){.from = from, .until = until, .network = n};
  r->watch = (struct ut_packet_watch){on_move, on_tail, r};
  r->under_way = calloc(n->topology.terminals, sizeof *r->under_way);
  r->sending = calloc(n->wires.lanes, sizeof *r->sending);
  if (!r->under_way || !r->sending || !ut_packet_log_init(&r->log, n, on_end, r))
    return false;
  r->log.watch = &r->watch;
  ut_departures_watch(n);
  return true;
}

bool ut_recording_observe(struct ut_recording *r, struct ut_network *n) {
  return ut_departures_take(&r->left, n) && ut_packet_log_observe(&r->log, n, &r->left) && !r->failure;
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

bool ut_recording_end(struct ut_recording *r) {
  ut_packet_log_end(&r->log, r->network);
  if (r->packets)
    qsort(r->packet, r->packets, sizeof *r->packet, by_start);
  return !r->failure;
}

void ut_recording_free(struct ut_recording *r) {
  for (size_t i = 0; i < r->packets; i++)
    free(r->packet[i].move);
  for (uint32_t src = 0; r->under_way && src < r->network->topology.terminals; src++) {
    for (uint32_t i = 0; i < r->under_way[src].count; i++)
      free(r->under_way[src].packet[i].move);
    free(r->under_way[src].packet);
  }
  free(r->packet);
  free(r->under_way);
  free(r->sending);
  free(r->left.list);
  ut_packet_log_free(&r->log);
  *r = (struct ut_recording){0};
}
