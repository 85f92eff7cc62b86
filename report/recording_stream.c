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

/* Maps small numbers of both signs to small ones: 0, -1, 1, -2, ... */
static void put_signed(FILE *f, int64_t value) {
  put(f, value < 0 ? 2 * (uint64_t) - (value + 1) + 1 : 2 * (uint64_t)value);
}

/* Returns 1 + how much later a tail came than possible; 0: it never did. */
static uint64_t lag(const struct ut_recorded_packet *packet, const struct ut_recorded_move *move) {
  if (move->tail == UT_NEVER)
    return 0;
  const uint64_t least = move->head + packet->what.flits - 1;
  return move->tail >= least ? move->tail - least + 1 : 1;
}

/* Returns the cycles between a head's departure there and the one from the switch before. */
static uint64_t since_last(const struct ut_recorded_packet *packet, uint32_t i) {
  return packet->move[i].head - packet->move[i - 1].head;
}

enum packet_column { START, AGE, SOURCE, SEQUENCE, DESTINATION, FLITS, FATE, END, MOVES, PACKET_COLUMNS };
enum move_column { OUTPUT, SINCE, LAG, FLAGS, MOVE_COLUMNS };

struct before {
  uint64_t start;
  uint64_t *sequence; /* [terminals]: expected next */
};

static void put_packet(FILE *f, const struct ut_recorded_packet *recorded_packet, enum packet_column c,
                       struct before *before) {
  const struct ut_packet *packet = &recorded_packet->what;
  const uint64_t start = ut_recorded_start(packet),
                 last = recorded_packet->moves ? recorded_packet->move[recorded_packet->moves - 1].head : start;
  switch (c) {
  case START:
    put(f, start - before->start);
    before->start = start;
    break;
  case AGE: put(f, start - packet->generated); break;
  case SOURCE: put(f, packet->src); break;
  case SEQUENCE:
    put_signed(f, (int64_t)(packet->sequence - before->sequence[packet->src]));
    before->sequence[packet->src] = packet->sequence + 1;
    break;
  case DESTINATION: put(f, packet->dst); break;
  case FLITS: put(f, packet->flits); break;
  case FATE: put(f, packet->fate); break;
  case END: put(f, packet->ended == UT_NEVER ? 0 : packet->ended - last + 1); break;
  case MOVES: put(f, recorded_packet->moves); break;
  default: break;
  }
}

/* Ports are numbered within their switch, links within their terminal. */
static void put_move(FILE *f, const struct ut_network *net, const struct ut_recorded_packet *packet, uint32_t i,
                     enum move_column c) {
  const struct ut_topology *topo = net->topology;
  const struct ut_recorded_move *move = &packet->move[i];
  const uint32_t first = topo->switches * topo->po;
  switch (c) {
  case OUTPUT:
    put(f, (i ? move->channel % topo->po : (move->channel - first) % topo->injections) * (uint64_t)net->v + move->vc);
    break;
  case SINCE: put(f, i ? since_last(packet, i) : 0); break;
  case LAG: put(f, lag(packet, move)); break;
  case FLAGS: put(f, move->u_turn | (unsigned)move->detour << 1 | (unsigned)move->stripped << 2); break;
  default: break;
  }
}

void *ut_recording_encode(const struct ut_recording *recording, size_t *size) {
  char *text = NULL;
  struct before before = {.sequence = calloc(recording->network->topology->terminals, sizeof *before.sequence)};
  FILE *f = before.sequence ? ut_memory_open(&text, size) : NULL;
  for (unsigned c = 0; f && c < PACKET_COLUMNS; c++)
    for (size_t i = 0; i < recording->packets; i++)
      put_packet(f, &recording->packet[i], c, &before);
  for (unsigned c = 0; f && c < MOVE_COLUMNS; c++)
    for (size_t i = 0; i < recording->packets; i++)
      for (uint32_t k = 0; k < recording->packet[i].moves; k++)
        put_move(f, recording->network, &recording->packet[i], k, c);
  free(before.sequence);
  const bool good = f && !ut_memory_close(f, &text);
  if (good)
    return text;
  free(text);
  return NULL;
}
