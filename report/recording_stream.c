/* SPDX-License-Identifier: Apache-2.0 */
/* recording_stream.c - a recording as a stream of columns of small numbers, which compress well
 * (docs/reference/report.md). */
#include <stdio.h>
#include <stdlib.h>

#include "memory_text.h"

#include "recording.h"

/* Seven bits a byte, lowest first; the top bit says that there is more. */
static void put(FILE *f, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    fputc((int)(value & 0x7f) | 0x80, f);
  fputc((int)value, f);
}

/* Small ones of both signs become small: 0, -1, 1, -2, ... */
static void put_signed(FILE *f, int64_t value) {
  put(f, value < 0 ? 2 * (uint64_t) - (value + 1) + 1 : 2 * (uint64_t)value);
}

/* How much later a tail came than it could, and 1; 0: it never did. */
static uint64_t lag(const struct ut_recorded_packet *p, const struct ut_recorded_move *m) {
  if (m->tail == UT_NEVER)
    return 0;
  const uint64_t least = m->head + p->what.flits - 1;
  return m->tail >= least ? m->tail - least + 1 : 1;
}

/* Cycles between a head's departure there and from the switch before. */
static uint64_t since_last(const struct ut_recorded_packet *p, uint32_t i) {
  return p->move[i].head - p->move[i - 1].head;
}

enum packet_column { START, AGE, SOURCE, SEQUENCE, DESTINATION, FLITS, FATE, END, MOVES, PACKET_COLUMNS };
enum move_column { OUTPUT, SINCE, LAG, FLAGS, MOVE_COLUMNS };

struct before {
  uint64_t start;
  uint64_t *sequence; /* [terminals]: expected next */
};

static void put_packet(FILE *f, const struct ut_recorded_packet *r, enum packet_column c, struct before *b) {
  const struct ut_packet *p = &r->what;
  const uint64_t start = ut_recorded_start(p), last = r->moves ? r->move[r->moves - 1].head : start;
  switch (c) {
  case START:
    put(f, start - b->start);
    b->start = start;
    break;
  case AGE: put(f, start - p->generated); break;
  case SOURCE: put(f, p->src); break;
  case SEQUENCE:
    put_signed(f, (int64_t)(p->sequence - b->sequence[p->src]));
    b->sequence[p->src] = p->sequence + 1;
    break;
  case DESTINATION: put(f, p->dst); break;
  case FLITS: put(f, p->flits); break;
  case FATE: put(f, p->fate); break;
  case END: put(f, p->ended == UT_NEVER ? 0 : p->ended - last + 1); break;
  case MOVES: put(f, r->moves); break;
  default: break;
  }
}

/* Ports are numbered within their switch, links within their terminal. */
static void put_move(FILE *f, const struct ut_network *n, const struct ut_recorded_packet *p, uint32_t i,
                     enum move_column c) {
  const struct ut_topology *t = &n->topology;
  const struct ut_recorded_move *m = &p->move[i];
  const uint32_t first = t->switches * t->po;
  switch (c) {
  case OUTPUT: put(f, (i ? m->channel % t->po : (m->channel - first) % t->injections) * (uint64_t)n->v + m->vc); break;
  case SINCE: put(f, i ? since_last(p, i) : 0); break;
  case LAG: put(f, lag(p, m)); break;
  case FLAGS: put(f, m->u_turn | (unsigned)m->detour << 1 | (unsigned)m->stripped << 2); break;
  default: break;
  }
}

void *ut_recording_encode(const struct ut_recording *r, size_t *size) {
  char *text = NULL;
  struct before before = {.sequence = calloc(r->network->topology.terminals, sizeof *before.sequence)};
  FILE *f = before.sequence ? ut_memory_open(&text, size) : NULL;
  for (unsigned c = 0; f && c < PACKET_COLUMNS; c++)
    for (size_t i = 0; i < r->packets; i++)
      put_packet(f, &r->packet[i], c, &before);
  for (unsigned c = 0; f && c < MOVE_COLUMNS; c++)
    for (size_t i = 0; i < r->packets; i++)
      for (uint32_t k = 0; k < r->packet[i].moves; k++)
        put_move(f, r->network, &r->packet[i], k, c);
  free(before.sequence);
  const bool good = f && !ut_memory_close(f, &text);
  if (good)
    return text;
  free(text);
  return NULL;
}
