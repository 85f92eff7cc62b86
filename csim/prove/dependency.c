/* SPDX-License-Identifier: Apache-2.0 */
/* dependency.c - see dependency.h */
#include "dependency.h"

#include <string.h>

#include "numbering.h"

int ut_dependencies_init(struct ut_dependencies *d, struct ut_reach *r, struct ut_error *e) {
  struct ut_explorer *x = r->explorer;
  *d = (struct ut_dependencies){.reach = r};
  d->wants = calloc((size_t)x->channels * x->v, sizeof *d->wants);
  d->waiting = calloc(x->channels, sizeof *d->waiting);
  if (d->wants && d->waiting && ut_graph_init(&d->graph, x->channels))
    return 0;
  ut_dependencies_free(d);
  return ut_fail(e, UT_BAD_INPUT, "out of memory for the dependency graph");
}

void ut_dependencies_free(struct ut_dependencies *d) {
  free(d->wants), free(d->waiting);
  ut_graph_free(&d->graph);
  *d = (struct ut_dependencies){0};
}

/* ---- graphs */

static void list_arcs(struct ut_dependencies *d) {
  struct ut_explorer *x = d->reach->explorer;
  ut_graph_clear(&d->graph);
  for (uint32_t c = 0; c < x->channels; c++)
    for (unsigned vc = 0; vc < x->v; vc++)
      UT_FOR_EACH (port, d->wants[(size_t)c * x->v + vc])
        ut_graph_add(&d->graph, c, ut_channel_behind(x, x->channel[c].sw, port, vc));
}

/* true: the arcs have a cycle (none leads from a channel to itself: links join different switches). */
static bool strongly_connected(struct ut_dependencies *d) {
  bool cyclic = ut_graph_cyclic(&d->graph);
  d->reach->explorer->bad_memory |= d->graph.bad_memory;
  return cyclic;
}

static void clear_wants(struct ut_dependencies *d) {
  struct ut_explorer *x = d->reach->explorer;
  memset(d->wants, 0, (size_t)x->channels * x->v * sizeof *d->wants);
}

bool ut_dependencies_cycle(struct ut_dependencies *d) {
  struct ut_reach *r = d->reach;
  struct ut_explorer *x = r->explorer;
  clear_wants(d);
  for (uint32_t i = 0; i < r->reached.count; i++) {
    uint32_t state = r->reached.touched[i], channel = ut_reach_channel(r, state);
    if (x->channel[channel].injection)
      continue;
    const struct ut_row *row = ut_reach_row(r, state);
    for (unsigned j = 0; row && j < row->edges; j++)
      if (ut_mask_meet(r->reached.mask + (size_t)state * x->words, ut_row_any(x, row, j), x->words))
        d->wants[(size_t)channel * x->v + row->edge[j].vc] |= ut_bit(row->edge[j].port);
  }
  list_arcs(d);
  return strongly_connected(d);
}

/* ---- the papers' numbers */

bool ut_dependencies_falling(const struct ut_dependencies *d, uint32_t *from, uint32_t *to) {
  const struct ut_explorer *x = d->reach->explorer;
  for (size_t i = 0; i < d->graph.arcs; i += 2) {
    int64_t a = ut_channel_number(x, (uint32_t)d->graph.arc[i]),
            b = ut_channel_number(x, (uint32_t)d->graph.arc[i + 1]);
    if (a >= 0 && b > a)
      continue;
    *from = (uint32_t)d->graph.arc[i];
    *to = (uint32_t)d->graph.arc[i + 1];
    return true;
  }
  return false;
}

/* ---- Duato's theorem */

/* The papers' routing subfunction (REROUTE section VII.G, MISROUTE section 3.2): packets go up within a subtree without
 * faults.  Here one subtree for the whole network: for each level l a digit, such that no fault is above level l in the
 * part of the tree where digit l of the switches has that value (reading 10: the whole plane of that digit).  The up
 * port of that digit is the only one that the subfunction supplies, where the routing function supplies it; downwards,
 * and where it does not, the subfunction supplies all that the routing function does.
 *
 * A switch fault counts in the planes of the digits below its level only: its up links are no faults of their own
 * (reading 11, lemma 12).  With fewer than k faults every level has such a digit. */
void ut_choose_planes(const struct ut_explorer *x, const struct ut_fault_set *set, unsigned digit[UT_MAX_LEVELS]) {
  const struct ut_topology *t = x->topology;
  unsigned faults[UT_MAX_LEVELS][UT_MAX_PORTS] = {{0}};
  for (unsigned pass = 0; pass < 2; pass++)
    for (unsigned i = 0; i < (pass ? set->switches : set->links); i++) {
      uint32_t sw = pass ? set->sw[i] : t->link[set->link[i]].upper;
      uint32_t position = t->position[sw];
      for (unsigned l = 0; l < t->level[sw]; l++, position /= x->k)
        faults[l][position % x->k]++;
    }
  for (unsigned l = 0; l < t->levels; l++) {
    digit[l] = 0;
    for (unsigned j = 1; j < x->k; j++)
      if (faults[l][j] < faults[l][digit[l]])
        digit[l] = j;
  }
}

bool ut_dependencies_extended_cycle(struct ut_dependencies *d, const struct ut_fault_set *set) {
  struct ut_reach *r = d->reach;
  struct ut_explorer *x = r->explorer;
  unsigned digit[UT_MAX_LEVELS], words = x->words;
  uint64_t chosen[UT_MAX_PROVED_TERMINALS / 64], wanted[UT_MAX_PROVED_TERMINALS / 64];
  ut_choose_planes(x, set, digit);
  clear_wants(d);
  bool *supplied = d->waiting; /* not in use yet */
  memset(supplied, 0, x->channels * sizeof *supplied);
  for (uint32_t i = 0; i < r->reached.count; i++) {
    uint32_t state = r->reached.touched[i], channel = ut_reach_channel(r, state);
    const struct ut_channel *c = &x->channel[channel];
    const uint64_t *here = r->reached.mask + (size_t)state * words;
    unsigned port = x->k + digit[x->topology->level[c->sw]];
    const struct ut_row *row = ut_reach_row(r, state);
    if (!row)
      continue;
    /* destinations for which the chosen up port is a candidate whatever the vector is */
    memset(chosen, 0, sizeof chosen);
    for (unsigned j = 0; j < row->edges; j++)
      if (row->edge[j].port == port)
        for (unsigned m = 0; m < words; m++)
          chosen[m] |= ut_row_all(x, row, j)[m];
    for (unsigned j = 0; j < row->edges; j++) {
      for (unsigned m = 0; m < words; m++)
        wanted[m] = ut_row_any(x, row, j)[m] & (row->edge[j].port == port ? ~UINT64_C(0) : ~chosen[m]);
      if (!ut_mask_meet(here, wanted, words))
        continue;
      supplied[row->edge[j].channel] = true;
      d->wants[(size_t)channel * x->v + row->edge[j].vc] |= ut_bit(row->edge[j].port);
    }
  }
  /* arcs from channels that the subfunction supplies (injection channels it does not): dependencies and cross
   * dependencies (definition 26) */
  for (uint32_t c = 0; c < x->channels; c++)
    if (!supplied[c])
      memset(&d->wants[(size_t)c * x->v], 0, x->v * sizeof *d->wants);
  list_arcs(d);
  return strongly_connected(d);
}

/* ---- waiting set */

/* left: destinations of packets in that state all of whose candidates, with a vector that leaves the fewest, are
 * marked; false: there are none. */
static bool stuck(const struct ut_dependencies *d, uint32_t state, const bool *among, uint64_t *left) {
  struct ut_reach *r = d->reach;
  struct ut_explorer *x = r->explorer;
  const struct ut_row *row = ut_reach_row(r, state);
  uint64_t some[UT_MAX_PROVED_TERMINALS / 64] = {0}, any = 0;
  if (!row)
    return false;
  for (unsigned m = 0; m < x->words; m++)
    left[m] = r->reached.mask[(size_t)state * x->words + m] & ~row->mask[UT_ROW_DELIVERED * x->words + m];
  for (unsigned j = 0; j < row->edges; j++) {
    const uint64_t *all = ut_row_all(x, row, j);
    for (unsigned m = 0; m < x->words; m++) {
      some[m] |= all[m];
      if (!among[row->edge[j].channel])
        left[m] &= ~all[m];
    }
  }
  for (unsigned m = 0; m < x->words; m++)
    any |= left[m] &= some[m];
  return any;
}

bool ut_dependencies_waiting(struct ut_dependencies *d) {
  struct ut_reach *r = d->reach;
  struct ut_explorer *x = r->explorer;
  bool *next = calloc(x->channels, sizeof *next);
  if (!next) {
    x->bad_memory = true;
    return false;
  }
  uint64_t left[UT_MAX_PROVED_TERMINALS / 64];
  memset(d->waiting, 1, x->channels);
  size_t before = x->channels + 1, now = x->channels;
  while (now < before) {
    memset(next, 0, x->channels * sizeof *next);
    for (uint32_t i = 0; i < r->reached.count; i++) {
      uint32_t state = r->reached.touched[i], channel = ut_reach_channel(r, state);
      if (!x->channel[channel].injection && d->waiting[channel] && !next[channel])
        next[channel] = stuck(d, state, d->waiting, left);
    }
    before = now;
    now = 0;
    for (uint32_t c = 0; c < x->channels; c++)
      now += d->waiting[c] = next[c];
  }
  free(next);
  return now > 0;
}

void ut_dependencies_waiting_arcs(struct ut_dependencies *d, const bool *among) {
  struct ut_reach *r = d->reach;
  struct ut_explorer *x = r->explorer;
  uint64_t left[UT_MAX_PROVED_TERMINALS / 64];
  clear_wants(d);
  for (uint32_t i = 0; i < r->reached.count; i++) {
    uint32_t state = r->reached.touched[i], channel = ut_reach_channel(r, state);
    if (!among[channel])
      continue;
    stuck(d, state, among, left);
    const struct ut_row *row = ut_reach_row(r, state);
    for (unsigned j = 0; row && j < row->edges; j++)
      if (ut_mask_meet(left, ut_row_all(x, row, j), x->words))
        d->wants[(size_t)channel * x->v + row->edge[j].vc] |= ut_bit(row->edge[j].port);
  }
  list_arcs(d);
}

/* ---- the shortest cycle */

size_t ut_dependencies_shortest_cycle(struct ut_dependencies *d, const bool *among, uint32_t **cycle) {
  size_t length = ut_graph_shortest_cycle(&d->graph, among, cycle);
  d->reach->explorer->bad_memory |= d->graph.bad_memory;
  return length;
}
