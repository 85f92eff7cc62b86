/* SPDX-License-Identifier: Apache-2.0 */
/* network_partitions.c - a network divided among threads (docs/explanation/speed.md). */
#include "network_parts.h"

#include <stdlib.h>
#include <string.h>

#include "switches.h"

void ut_network_free_partitions(struct ut_partition *partition, unsigned partitions) {
  for (unsigned i = 0; i < partitions; i++) {
    const struct ut_batch *batch = &partition[i].batch;
    free(partition[i].events.event), free(partition[i].span);
    free(batch->sw), free(batch->in), free(batch->out), free(batch->flit), free(batch->credit);
  }
  free(partition);
}

/* Returns where a share ends, given that switches that are stepped together must stay together. */
static uint32_t whole_batches(const struct ut_network *net, unsigned e, uint32_t end) {
  const struct ut_elaboration *of = &net->topology->elaboration[e];
  const uint32_t together = net->together, whole = (end - of->first + together - 1) / together * together;
  return of->first + (whole < of->count ? whole : of->count);
}

/* The part of a level, switches first..end-1 of one elaboration, that belongs to partition i of so many.  A block
 * belongs to where its first switch does. */
static struct ut_span span_of(const struct ut_network *net, uint32_t first, uint32_t end, unsigned i,
                              unsigned partitions) {
  const unsigned e = ut_topology_elaboration(net->topology, first), bits = net->form[e].block_bits;
  const uint32_t of = net->topology->elaboration[e].first, round = (1u << bits) - 1;
  struct ut_span span = {.elaboration = e};
  span.first = first + (uint32_t)((uint64_t)(end - first) * i / partitions);
  span.end = first + (uint32_t)((uint64_t)(end - first) * (i + 1) / partitions);
  span.block = (span.first - of + round) >> bits;
  span.blocks = ((span.end - of + round) >> bits) - span.block;
  span.first = whole_batches(net, e, span.first);
  span.end = whole_batches(net, e, span.end);
  return span;
}

/* Joins spans that follow each other in order and in memory.  Returns how many are left. */
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
static bool make_batch(const struct ut_network *net, struct ut_batch *batch) {
  const size_t room = net->backend ? net->together : 0; /* the model steps blocks */
  if (!room)
    return true;
  batch->sw = calloc(room, sizeof *batch->sw);
  batch->in = calloc(room, sizeof *batch->in);
  batch->out = calloc(room, sizeof *batch->out);
  batch->flit = calloc(room * UT_MAX_PORTS, sizeof *batch->flit);
  batch->credit = calloc(room * UT_MAX_VCS, sizeof *batch->credit);
  return batch->sw && batch->in && batch->out && batch->flit && batch->credit;
}

/* Returns the end of the switches from `first` on that are of one level and one elaboration. */
static uint32_t alike_to(const struct ut_topology *topo, uint32_t first) {
  const struct ut_elaboration *of = &topo->elaboration[ut_topology_elaboration(topo, first)];
  uint32_t end = first;
  while (end < of->first + of->count && topo->level[end] == topo->level[first])
    end++;
  return end;
}

bool ut_network_divide(struct ut_network *net, unsigned partitions) {
  const struct ut_topology *topo = net->topology;
  const unsigned most = topo->levels + topo->elaborations;
  struct ut_partition *partition = aligned_alloc(64, partitions * sizeof *partition);
  if (!partition)
    return false;
  memset(partition, 0, partitions * sizeof *partition);
  bool there = true;
  for (unsigned i = 0; i < partitions && there; i++)
    there = (partition[i].span = calloc(most, sizeof *partition->span)) != NULL && make_batch(net, &partition[i].batch);
  if (!there || !ut_terminals_divide(&net->terminals, partitions)) {
    ut_network_free_partitions(partition, partitions);
    return false;
  }
  unsigned spans = 0;
  for (uint32_t first = 0, end; first < topo->switches; first = end, spans++) {
    end = alike_to(topo, first);
    for (unsigned i = 0; i < partitions; i++)
      partition[i].span[spans] = span_of(net, first, end, i, partitions);
  }
  for (unsigned i = 0; i < partitions; i++)
    partition[i].spans = join_spans(partition[i].span, spans);
  ut_network_free_partitions(net->partition, net->partitions);
  net->partition = partition;
  net->partitions = partitions;
  return true;
}

/* Several partitions for each thread, so that other threads can help one that is late. */
enum { PIECES = 4 };

unsigned ut_network_threads(const struct ut_network *net, unsigned most) {
  uint32_t pay = net->wires.terminals / net->switches->lanes_for_a_thread, batches = 0;
  for (unsigned e = 0; e < net->topology->elaborations; e++)
    batches += (net->topology->elaboration[e].count + net->together - 1) / net->together;
  pay = batches < pay ? batches : pay;
  return pay < 1 ? 1 : pay < most ? pay : most;
}

bool ut_network_use(struct ut_network *net, struct ut_threads *threads) {
  const unsigned count = ut_threads_count(threads);
  net->threads = threads;
  return ut_network_divide(net, count == 1 ? 1 : PIECES * count);
}
