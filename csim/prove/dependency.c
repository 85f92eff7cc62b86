/* SPDX-License-Identifier: Apache-2.0 */
/* dependency.c - see dependency.h */
#include "dependency.h"

#include <string.h>

#include "numbering.h"

int ut_dependencies_init(struct ut_dependencies *dependencies, struct ut_reach *reach, struct ut_error *e) {
  struct ut_explorer *explorer = reach->explorer;
  *dependencies = (struct ut_dependencies){.reach = reach};
  dependencies->wants = calloc((size_t)explorer->channels * explorer->v, sizeof *dependencies->wants);
  dependencies->waiting = calloc(explorer->channels, sizeof *dependencies->waiting);
  if (dependencies->wants && dependencies->waiting && ut_digraph_init(&dependencies->graph, explorer->channels))
    return 0;
  ut_dependencies_free(dependencies);
  return ut_fail(e, UT_BAD_INPUT, "out of memory for the dependency graph");
}

void ut_dependencies_free(struct ut_dependencies *dependencies) {
  free(dependencies->wants), free(dependencies->waiting);
  ut_digraph_free(&dependencies->graph);
  *dependencies = (struct ut_dependencies){0};
}

/* ---- graphs */

static void list_arcs(struct ut_dependencies *dependencies) {
  struct ut_explorer *explorer = dependencies->reach->explorer;
  ut_digraph_clear(&dependencies->graph);
  for (uint32_t c = 0; c < explorer->channels; c++)
    for (unsigned vc = 0; vc < explorer->v; vc++)
      UT_FOR_EACH (port, dependencies->wants[(size_t)c * explorer->v + vc])
        ut_digraph_add(&dependencies->graph, c, ut_channel_behind(explorer, explorer->channel[c].sw, port, vc));
}

/* true: the arcs have a cycle (none leads from a channel to itself: links join different switches). */
static bool strongly_connected(struct ut_dependencies *dependencies) {
  bool cyclic = ut_digraph_cyclic(&dependencies->graph);
  dependencies->reach->explorer->bad_memory |= dependencies->graph.bad_memory;
  return cyclic;
}

static void clear_wants(struct ut_dependencies *dependencies) {
  struct ut_explorer *explorer = dependencies->reach->explorer;
  memset(dependencies->wants, 0, (size_t)explorer->channels * explorer->v * sizeof *dependencies->wants);
}

bool ut_dependencies_cycle(struct ut_dependencies *dependencies) {
  struct ut_reach *reach = dependencies->reach;
  struct ut_explorer *explorer = reach->explorer;
  clear_wants(dependencies);
  for (uint32_t i = 0; i < reach->reached.count; i++) {
    uint32_t state = reach->reached.touched[i], channel = ut_reach_channel(reach, state);
    if (explorer->channel[channel].injection)
      continue;
    const struct ut_row *row = ut_reach_row(reach, state);
    for (unsigned j = 0; row && j < row->edges; j++)
      if (ut_mask_meet(reach->reached.mask + (size_t)state * explorer->words, ut_row_any(explorer, row, j),
                       explorer->words))
        dependencies->wants[(size_t)channel * explorer->v + row->edge[j].vc] |= ut_bit(row->edge[j].port);
  }
  list_arcs(dependencies);
  return strongly_connected(dependencies);
}

/* ---- the papers' numbers */

bool ut_dependencies_falling(const struct ut_dependencies *dependencies, uint32_t *from, uint32_t *to) {
  const struct ut_explorer *explorer = dependencies->reach->explorer;
  for (size_t i = 0; i < dependencies->graph.arcs; i += 2) {
    int64_t a = ut_channel_number(explorer, (uint32_t)dependencies->graph.arc[i]),
            b = ut_channel_number(explorer, (uint32_t)dependencies->graph.arc[i + 1]);
    if (a >= 0 && b > a)
      continue;
    *from = (uint32_t)dependencies->graph.arc[i];
    *to = (uint32_t)dependencies->graph.arc[i + 1];
    return true;
  }
  return false;
}

/* ---- Duato's theorem */

/* The papers' routing subfunction (REROUTE section VII.G, MISROUTE section 3.2): packets go up within a subtree without
 * faults.  Here there is one subtree for the whole network: for each level l a digit, such that no fault is above level
 * l in the part of the tree where digit l of the switches has that value (reading 10: the whole plane of that digit).
 * Of the up ports that the routing function supplies, the subfunction supplies only the one of that digit; otherwise,
 * and downwards, it supplies all that the routing function does.  A switch fault counts in the planes of the digits
 * below its level only: its up links are no faults of their own (reading 11, lemma 12).  With fewer than k faults every
 * level has such a digit. */
void ut_choose_planes(const struct ut_explorer *explorer, const struct ut_fault_set *set,
                      unsigned digit[UT_MAX_LEVELS]) {
  const struct ut_topology *topo = explorer->topology;
  unsigned faults[UT_MAX_LEVELS][UT_MAX_PORTS] = {{0}};
  for (unsigned pass = 0; pass < 2; pass++)
    for (unsigned i = 0; i < (pass ? set->switches : set->links); i++) {
      uint32_t sw = pass ? set->sw[i] : topo->link[set->link[i]].upper;
      uint32_t position = topo->position[sw];
      for (unsigned l = 0; l < topo->level[sw]; l++, position /= explorer->k)
        faults[l][position % explorer->k]++;
    }
  for (unsigned l = 0; l < topo->levels; l++) {
    digit[l] = 0;
    for (unsigned j = 1; j < explorer->k; j++)
      if (faults[l][j] < faults[l][digit[l]])
        digit[l] = j;
  }
}

bool ut_dependencies_extended_cycle(struct ut_dependencies *dependencies, const struct ut_fault_set *set) {
  struct ut_reach *reach = dependencies->reach;
  struct ut_explorer *explorer = reach->explorer;
  unsigned digit[UT_MAX_LEVELS], words = explorer->words;
  uint64_t chosen[UT_MAX_PROVED_TERMINALS / 64], wanted[UT_MAX_PROVED_TERMINALS / 64];
  ut_choose_planes(explorer, set, digit);
  clear_wants(dependencies);
  bool *supplied = dependencies->waiting; /* not in use yet */
  memset(supplied, 0, explorer->channels * sizeof *supplied);
  for (uint32_t i = 0; i < reach->reached.count; i++) {
    uint32_t state = reach->reached.touched[i], channel = ut_reach_channel(reach, state);
    const struct ut_channel *c = &explorer->channel[channel];
    const uint64_t *here = reach->reached.mask + (size_t)state * words;
    unsigned port = explorer->k + digit[explorer->topology->level[c->sw]];
    const struct ut_row *row = ut_reach_row(reach, state);
    if (!row)
      continue;
    /* destinations for which the chosen up port is a candidate whatever the vector is */
    memset(chosen, 0, sizeof chosen);
    for (unsigned j = 0; j < row->edges; j++)
      if (row->edge[j].port == port)
        for (unsigned m = 0; m < words; m++)
          chosen[m] |= ut_row_all(explorer, row, j)[m];
    for (unsigned j = 0; j < row->edges; j++) {
      for (unsigned m = 0; m < words; m++)
        wanted[m] = ut_row_any(explorer, row, j)[m] & (row->edge[j].port == port ? ~UINT64_C(0) : ~chosen[m]);
      if (!ut_mask_meet(here, wanted, words))
        continue;
      supplied[row->edge[j].channel] = true;
      dependencies->wants[(size_t)channel * explorer->v + row->edge[j].vc] |= ut_bit(row->edge[j].port);
    }
  }
  /* arcs from channels that the subfunction supplies (injection channels it does not): dependencies and cross
   * dependencies (definition 26) */
  for (uint32_t c = 0; c < explorer->channels; c++)
    if (!supplied[c])
      memset(&dependencies->wants[(size_t)c * explorer->v], 0, explorer->v * sizeof *dependencies->wants);
  list_arcs(dependencies);
  return strongly_connected(dependencies);
}

/* ---- waiting set */

/* left: receives the destinations of packets in that state all of whose candidates are marked, under a vector that
 * leaves the fewest of them.  Returns false if there are none. */
static bool stuck(const struct ut_dependencies *dependencies, uint32_t state, const bool *among, uint64_t *left) {
  struct ut_reach *reach = dependencies->reach;
  struct ut_explorer *explorer = reach->explorer;
  const struct ut_row *row = ut_reach_row(reach, state);
  uint64_t some[UT_MAX_PROVED_TERMINALS / 64] = {0}, any = 0;
  if (!row)
    return false;
  for (unsigned m = 0; m < explorer->words; m++)
    left[m] =
        reach->reached.mask[(size_t)state * explorer->words + m] & ~row->mask[UT_ROW_DELIVERED * explorer->words + m];
  for (unsigned j = 0; j < row->edges; j++) {
    const uint64_t *all = ut_row_all(explorer, row, j);
    for (unsigned m = 0; m < explorer->words; m++) {
      some[m] |= all[m];
      if (!among[row->edge[j].channel])
        left[m] &= ~all[m];
    }
  }
  for (unsigned m = 0; m < explorer->words; m++)
    any |= left[m] &= some[m];
  return any;
}

bool ut_dependencies_waiting(struct ut_dependencies *dependencies) {
  struct ut_reach *reach = dependencies->reach;
  struct ut_explorer *explorer = reach->explorer;
  bool *next = calloc(explorer->channels, sizeof *next);
  if (!next) {
    explorer->bad_memory = true;
    return false;
  }
  uint64_t left[UT_MAX_PROVED_TERMINALS / 64];
  memset(dependencies->waiting, 1, explorer->channels);
  size_t before = explorer->channels + 1, now = explorer->channels;
  while (now < before) {
    memset(next, 0, explorer->channels * sizeof *next);
    for (uint32_t i = 0; i < reach->reached.count; i++) {
      uint32_t state = reach->reached.touched[i], channel = ut_reach_channel(reach, state);
      if (!explorer->channel[channel].injection && dependencies->waiting[channel] && !next[channel])
        next[channel] = stuck(dependencies, state, dependencies->waiting, left);
    }
    before = now;
    now = 0;
    for (uint32_t c = 0; c < explorer->channels; c++)
      now += dependencies->waiting[c] = next[c];
  }
  free(next);
  return now > 0;
}

void ut_dependencies_waiting_arcs(struct ut_dependencies *dependencies, const bool *among) {
  struct ut_reach *reach = dependencies->reach;
  struct ut_explorer *explorer = reach->explorer;
  uint64_t left[UT_MAX_PROVED_TERMINALS / 64];
  clear_wants(dependencies);
  for (uint32_t i = 0; i < reach->reached.count; i++) {
    uint32_t state = reach->reached.touched[i], channel = ut_reach_channel(reach, state);
    if (!among[channel])
      continue;
    stuck(dependencies, state, among, left);
    const struct ut_row *row = ut_reach_row(reach, state);
    for (unsigned j = 0; row && j < row->edges; j++)
      if (ut_mask_meet(left, ut_row_all(explorer, row, j), explorer->words))
        dependencies->wants[(size_t)channel * explorer->v + row->edge[j].vc] |= ut_bit(row->edge[j].port);
  }
  list_arcs(dependencies);
}

/* ---- the shortest cycle */

size_t ut_dependencies_shortest_cycle(struct ut_dependencies *dependencies, const bool *among, uint32_t **cycle) {
  size_t length = ut_digraph_shortest_cycle(&dependencies->graph, among, cycle);
  dependencies->reach->explorer->bad_memory |= dependencies->graph.bad_memory;
  return length;
}
