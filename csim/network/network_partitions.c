/* SPDX-License-Identifier: Apache-2.0 */
/* network_partitions.c - a network divided among threads (docs/explanation/speed.md). */
#include "network_parts.h"

#include <stdlib.h>
#include <string.h>

#include "switches.h"

void ut_network_free_partitions(struct ut_partition *piece, unsigned pieces) {
  for (unsigned i = 0; i < pieces; i++) {
    const struct ut_batch *b = &piece[i].batch;
    free(piece[i].events.event), free(piece[i].span);
    free(b->sw), free(b->in), free(b->out), free(b->flit), free(b->credit);
  }
  free(piece);
}

/* Where a part ends, if switches that are stepped together stay together. */
static uint32_t whole_batches(const struct ut_network *n, unsigned e, uint32_t end) {
  const struct ut_elaboration *of = &n->topology.elaboration[e];
  const uint32_t together = n->together, whole = (end - of->first + together - 1) / together * together;
  return of->first + (whole < of->count ? whole : of->count);
}

/* The part of a level, switches first..end-1, that belongs to piece i of so many.  A block belongs to where its first
 * switch does. */
static struct ut_span span_of(const struct ut_network *n, uint32_t first, uint32_t end, unsigned i, unsigned pieces) {
  const unsigned e = ut_topology_elaboration(&n->topology, first), bits = n->form[e].block_bits;
  const uint32_t of = n->topology.elaboration[e].first, round = (1u << bits) - 1;
  struct ut_span s = {.elaboration = e};
  s.first = first + (uint32_t)((uint64_t)(end - first) * i / pieces);
  s.end = first + (uint32_t)((uint64_t)(end - first) * (i + 1) / pieces);
  s.block = (s.first - of + round) >> bits;
  s.blocks = ((s.end - of + round) >> bits) - s.block;
  s.first = whole_batches(n, e, s.first);
  s.end = whole_batches(n, e, s.end);
  return s;
}

/* Joins spans that follow each other in their order and in memory.  Returns how many there are then. */
static unsigned join_spans(struct ut_span *span, unsigned count) {
  unsigned joined = 0;
  for (unsigned i = 0; i < count; i++) {
    struct ut_span *last = joined ? &span[joined - 1] : NULL;
    if (last && last->elaboration == span[i].elaboration && last->end == span[i].first) {
      last->end = span[i].end;
      last->blocks += span[i].blocks;
    } else {
      span[joined++] = span[i];
    }
  }
  return joined;
}

/* Memory for switches of a backend that are stepped together. */
static bool make_batch(const struct ut_network *n, struct ut_batch *b) {
  const size_t room = n->backend ? n->together : 0; /* the model steps blocks */
  if (!room)
    return true;
  b->sw = calloc(room, sizeof *b->sw);
  b->in = calloc(room, sizeof *b->in);
  b->out = calloc(room, sizeof *b->out);
  b->flit = calloc(room * UT_MAX_PORTS, sizeof *b->flit);
  b->credit = calloc(room * UT_MAX_VCS, sizeof *b->credit);
  return b->sw && b->in && b->out && b->flit && b->credit;
}

bool ut_network_divide(struct ut_network *n, unsigned pieces) {
  const struct ut_topology *t = &n->topology;
  struct ut_partition *piece = aligned_alloc(64, pieces * sizeof *piece);
  if (!piece)
    return false;
  memset(piece, 0, pieces * sizeof *piece);
  bool there = true;
  for (unsigned i = 0; i < pieces && there; i++)
    there = (piece[i].span = calloc(t->levels, sizeof *piece->span)) != NULL && make_batch(n, &piece[i].batch);
  if (!there || !ut_terminals_divide(&n->terminals, pieces)) {
    ut_network_free_partitions(piece, pieces);
    return false;
  }
  for (uint32_t first = 0, end; first < t->switches; first = end) {
    for (end = first; end < t->switches && t->level[end] == t->level[first];)
      end++;
    for (unsigned i = 0; i < pieces; i++)
      piece[i].span[t->level[first]] = span_of(n, first, end, i, pieces);
  }
  for (unsigned i = 0; i < pieces; i++)
    piece[i].spans = join_spans(piece[i].span, t->levels);
  ut_network_free_partitions(n->piece, n->pieces);
  n->piece = piece;
  n->pieces = pieces;
  return true;
}

/* Pieces for each thread, so that one that is late is helped. */
enum { PIECES = 4 };

unsigned ut_network_threads(const struct ut_network *n, unsigned most) {
  uint32_t pay = n->wires.terminals / n->switches->lanes_for_a_thread, batches = 0;
  for (unsigned e = 0; e < n->topology.elaborations; e++)
    batches += (n->topology.elaboration[e].count + n->together - 1) / n->together;
  pay = batches < pay ? batches : pay;
  return pay < 1 ? 1 : pay < most ? pay : most;
}

bool ut_network_use(struct ut_network *n, struct ut_threads *threads) {
  const unsigned count = ut_threads_count(threads);
  n->threads = threads;
  return ut_network_divide(n, count == 1 ? 1 : PIECES * count);
}
