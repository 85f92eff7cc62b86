/* dependency.c - see dependency.h */
#include "dependency.h"

#include <string.h>

int ut_dependencies_init(struct ut_dependencies *d, struct ut_reach *r, struct ut_error *e) {
  struct ut_world *w = r->world;
  *d = (struct ut_dependencies){.reach = r};
  d->wants = calloc((size_t)w->channels * w->v, sizeof *d->wants);
  d->waiting = calloc(w->channels, sizeof *d->waiting);
  if (d->wants && d->waiting && ut_graph_init(&d->graph, w->channels))
    return 0;
  ut_dependencies_free(d);
  return ut_fail(e, UT_INTERNAL, "out of memory for the dependency graph");
}

void ut_dependencies_free(struct ut_dependencies *d) {
  free(d->wants), free(d->waiting);
  ut_graph_free(&d->graph);
  *d = (struct ut_dependencies){0};
}

/* ---- graphs */

static void list_arcs(struct ut_dependencies *d) {
  struct ut_world *w = d->reach->world;
  ut_graph_clear(&d->graph);
  for (uint32_t c = 0; c < w->channels; c++)
    for (unsigned vc = 0; vc < w->v; vc++)
      UT_FOR_EACH(port, d->wants[(size_t)c * w->v + vc])
  ut_graph_add(&d->graph, c, ut_channel_behind(w, w->channel[c].sw, port, vc));
}

/* true: the arcs have a cycle (none leads from a channel to itself: links join different switches). */
static bool strongly_connected(struct ut_dependencies *d) {
  bool cyclic = ut_graph_cyclic(&d->graph);
  d->reach->world->bad_memory |= d->graph.bad_memory;
  return cyclic;
}

static void clear_wants(struct ut_dependencies *d) {
  struct ut_world *w = d->reach->world;
  memset(d->wants, 0, (size_t)w->channels * w->v * sizeof *d->wants);
}

static bool meet(const uint64_t *a, const uint64_t *b, unsigned words) {
  for (unsigned i = 0; i < words; i++)
    if (a[i] & b[i])
      return true;
  return false;
}

bool ut_dependencies_cycle(struct ut_dependencies *d) {
  struct ut_reach *r = d->reach;
  struct ut_world *w = r->world;
  clear_wants(d);
  for (uint32_t i = 0; i < r->reached.count; i++) {
    uint32_t state = r->reached.touched[i], channel = ut_reach_channel(r, state);
    if (w->channel[channel].injection)
      continue;
    const struct ut_row *row = ut_reach_row(r, state);
    for (unsigned j = 0; row && j < row->edges; j++)
      if (meet(r->reached.mask + (size_t)state * w->words, ut_row_any(w, row, j), w->words))
        d->wants[(size_t)channel * w->v + row->edge[j].vc] |= ut_bit(row->edge[j].port);
  }
  list_arcs(d);
  return strongly_connected(d);
}

/* ---- the papers' numbers */

enum numbering { NOT_NUMBERED, LINK_NUMBERS, SWITCH_NUMBERS };

/* The deterministic algorithms of REROUTE, with all the virtual layers that the paper gives them. */
static enum numbering numbering_of(const struct ut_world *w) {
  const struct ut_shape *p = &w->group.shape;
  bool det_link = (p->route == UT_ROUTE_FATTREE && p->algorithm == UT_FATTREE_REROUTE_DET_LINK) ||
                  (p->route == UT_ROUTE_TABLE && p->algorithm == UT_TABLE_TABLE_REROUTE_DET_LINK);
  if (det_link && w->layers == 2)
    return LINK_NUMBERS;
  if (p->route == UT_ROUTE_FATTREE && p->algorithm == UT_FATTREE_REROUTE_DET_SWITCH && w->layers == 3)
    return SWITCH_NUMBERS;
  return NOT_NUMBERED;
}

bool ut_channels_numbered(const struct ut_world *w) {
  return numbering_of(w) != NOT_NUMBERED;
}

/* REROUTE section VI.C (two layers: NL, ML), appendix E (three: NL, ML1, ML2); D is the order of the port numbers.  s:
 * link tier, the tier of the link's upper switch, 0 = links of the roots; i: index in D of the up port at the link's
 * lower end. */
int64_t ut_channel_number(const struct ut_world *w, uint32_t channel) {
  const struct ut_channel *c = &w->channel[channel];
  const struct ut_topology *t = w->topology;
  enum numbering kind = numbering_of(w);
  const struct ut_peer source = ut_topology_source(t, c->sw, c->port), *p = &source;
  if (kind == NOT_NUMBERED || p->kind != UT_PEER_SWITCH)
    return -1;
  bool up = !c->from_above;
  uint32_t lower = up ? p->index : c->sw;
  unsigned lower_port = up ? p->port : c->port;
  int64_t n = t->levels, k = w->k, level = t->level[lower], s = n - 2 - level, i = lower_port - k;
  int64_t step = kind == LINK_NUMBERS ? 2 * k + 1 : 4 * k + 1;
  int64_t normal_down = n - 1 + s * step; /* rules 2, 3: of this tier; all of the next tier are higher */
  switch (c->layer) {
  case 0: return up ? level : normal_down; /* rules 1, 2, 3 */
  case 1:                                  /* rule 4 */
    if (kind == LINK_NUMBERS)
      return normal_down + 2 * i + (up ? 1 : 2);
    return normal_down + 4 * i + (up ? 1 : 4);
  default: { /* rule 5: above the ML1 channels that come up to the lower switch; they all have one number, for that
                switch is at the same up port of all switches below it */
    if (level == 0)
      return -1; /* nothing comes up to a leaf switch */
    const struct ut_peer *below = &t->peer[(size_t)lower * t->po];
    int64_t ml1_up = normal_down + step + 4 * (int64_t)(below->port - k) + 1;
    return ml1_up + (up ? 1 : 2);
  }
  }
}

bool ut_dependencies_falling(const struct ut_dependencies *d, uint32_t *from, uint32_t *to) {
  const struct ut_world *w = d->reach->world;
  for (size_t i = 0; i < d->graph.arcs; i += 2) {
    int64_t a = ut_channel_number(w, (uint32_t)d->graph.arc[i]),
            b = ut_channel_number(w, (uint32_t)d->graph.arc[i + 1]);
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
static void choose_planes(const struct ut_world *w, const struct ut_fault_set *set, unsigned *digit) {
  const struct ut_topology *t = w->topology;
  unsigned faults[64][UT_MAX_PORTS] = {{0}};
  for (unsigned pass = 0; pass < 2; pass++)
    for (unsigned i = 0; i < (pass ? set->switches : set->links); i++) {
      uint32_t sw = pass ? set->sw[i] : t->link[set->link[i]].upper;
      uint32_t position = t->position[sw];
      for (unsigned l = 0; l < t->level[sw]; l++, position /= w->k)
        faults[l][position % w->k]++;
    }
  for (unsigned l = 0; l < t->levels; l++) {
    digit[l] = 0;
    for (unsigned j = 1; j < w->k; j++)
      if (faults[l][j] < faults[l][digit[l]])
        digit[l] = j;
  }
}

bool ut_dependencies_extended_cycle(struct ut_dependencies *d, const struct ut_fault_set *set) {
  struct ut_reach *r = d->reach;
  struct ut_world *w = r->world;
  unsigned digit[64], words = w->words;
  uint64_t chosen[UT_MAX_PROVED_TERMINALS / 64], wanted[UT_MAX_PROVED_TERMINALS / 64];
  choose_planes(w, set, digit);
  clear_wants(d);
  bool *supplied = d->waiting; /* not in use yet */
  memset(supplied, 0, w->channels * sizeof *supplied);
  for (uint32_t i = 0; i < r->reached.count; i++) {
    uint32_t state = r->reached.touched[i], channel = ut_reach_channel(r, state);
    const struct ut_channel *c = &w->channel[channel];
    const uint64_t *here = r->reached.mask + (size_t)state * words;
    unsigned port = w->k + digit[w->topology->level[c->sw]];
    const struct ut_row *row = ut_reach_row(r, state);
    if (!row)
      continue;
    /* destinations for which the chosen up port is a candidate whatever the vector is */
    memset(chosen, 0, sizeof chosen);
    for (unsigned j = 0; j < row->edges; j++)
      if (row->edge[j].port == port)
        for (unsigned m = 0; m < words; m++)
          chosen[m] |= ut_row_all(w, row, j)[m];
    for (unsigned j = 0; j < row->edges; j++) {
      for (unsigned m = 0; m < words; m++)
        wanted[m] = ut_row_any(w, row, j)[m] & (row->edge[j].port == port ? ~UINT64_C(0) : ~chosen[m]);
      if (!meet(here, wanted, words))
        continue;
      supplied[row->edge[j].channel] = true;
      if (!c->injection)
        d->wants[(size_t)channel * w->v + row->edge[j].vc] |= ut_bit(row->edge[j].port);
    }
  }
  /* arcs from channels that the subfunction supplies: dependencies and cross dependencies (definition 26) */
  for (uint32_t c = 0; c < w->channels; c++)
    if (!supplied[c])
      memset(&d->wants[(size_t)c * w->v], 0, w->v * sizeof *d->wants);
  list_arcs(d);
  return strongly_connected(d);
}

/* ---- waiting set */

/* Destinations of packets in that state all of whose candidates, with a vector that leaves the fewest, are marked. */
static bool stuck(const struct ut_dependencies *d, uint32_t state, const bool *among, uint64_t *left) {
  struct ut_reach *r = d->reach;
  struct ut_world *w = r->world;
  const struct ut_row *row = ut_reach_row(r, state);
  uint64_t some[UT_MAX_PROVED_TERMINALS / 64] = {0}, any = 0;
  if (!row)
    return false;
  for (unsigned m = 0; m < w->words; m++)
    left[m] = r->reached.mask[(size_t)state * w->words + m] & ~row->mask[UT_ROW_DELIVERED * w->words + m];
  for (unsigned j = 0; j < row->edges; j++) {
    const uint64_t *all = ut_row_all(w, row, j);
    for (unsigned m = 0; m < w->words; m++) {
      some[m] |= all[m];
      if (!among[row->edge[j].channel])
        left[m] &= ~all[m];
    }
  }
  for (unsigned m = 0; m < w->words; m++)
    any |= left[m] &= some[m];
  return any;
}

bool ut_dependencies_waiting(struct ut_dependencies *d) {
  struct ut_reach *r = d->reach;
  struct ut_world *w = r->world;
  bool *next = calloc(w->channels, sizeof *next);
  if (!next) {
    w->bad_memory = true;
    return false;
  }
  uint64_t left[UT_MAX_PROVED_TERMINALS / 64];
  memset(d->waiting, 1, w->channels * sizeof *d->waiting);
  size_t before = w->channels + 1, now = w->channels;
  while (now < before && now) {
    memset(next, 0, w->channels * sizeof *next);
    for (uint32_t i = 0; i < r->reached.count; i++) {
      uint32_t state = r->reached.touched[i], channel = ut_reach_channel(r, state);
      if (!w->channel[channel].injection && d->waiting[channel] && !next[channel])
        next[channel] = stuck(d, state, d->waiting, left);
    }
    before = now;
    now = 0;
    for (uint32_t c = 0; c < w->channels; c++)
      now += d->waiting[c] = next[c];
  }
  free(next);
  return now > 0;
}

void ut_dependencies_waiting_arcs(struct ut_dependencies *d, const bool *among) {
  struct ut_reach *r = d->reach;
  struct ut_world *w = r->world;
  uint64_t left[UT_MAX_PROVED_TERMINALS / 64];
  clear_wants(d);
  for (uint32_t i = 0; i < r->reached.count; i++) {
    uint32_t state = r->reached.touched[i], channel = ut_reach_channel(r, state);
    if (!among[channel] || w->channel[channel].injection || !stuck(d, state, among, left))
      continue;
    const struct ut_row *row = ut_reach_row(r, state);
    for (unsigned j = 0; row && j < row->edges; j++)
      if (meet(left, ut_row_all(w, row, j), w->words))
        d->wants[(size_t)channel * w->v + row->edge[j].vc] |= ut_bit(row->edge[j].port);
  }
  list_arcs(d);
}

/* ---- the shortest cycle */

size_t ut_dependencies_shortest_cycle(struct ut_dependencies *d, const bool *among, uint32_t **cycle) {
  size_t length = ut_graph_shortest_cycle(&d->graph, among, cycle);
  d->reach->world->bad_memory |= d->graph.bad_memory;
  return length;
}
