/* SPDX-License-Identifier: Apache-2.0 */
/* fabric_transition.c - see fabric_transition.h */
#include "fabric_transition.h"

#include <stdlib.h>
#include <string.h>

#include "fabric_example.h"
#include "fabric_map.h"
#include "fabric_pass.h"
#include "fabric_waits.h"

enum { WAYS = 2 }; /* of the new and the old entry */
enum visit { UNSEEN, OPEN, DONE };

struct state { /* of a switch, for one destination */
  struct ut_fabric_step step[WAYS];
  unsigned ways; /* 1: both entries are the same */
  uint32_t own;  /* terminals there that send */
  enum visit visit;
  bool can_loop, can_be_lost;
  bool queued;
  uint16_t sls;              /* that come here */
  uint16_t vl[WAYS][UT_SLS]; /* by SL: VLs on the link of each way */
};

struct pass {
  const struct ut_fabric *fabric;
  struct ut_fabric_map map;
  struct ut_fabric_waits waits;
  struct ut_fabric_transition *found;
  struct state *state; /* [switches] */
  uint32_t *order;     /* [switches]: those that packets reach, each behind those that it leads to, but on loops */
  uint32_t ordered;
  uint32_t *path;  /* [switches] */
  unsigned *way;   /* [switches]: of the path, the next to be followed */
  uint32_t *queue; /* [switches]: those whose VLs are to be carried on, round and round */
  uint32_t queued;
  uint32_t destination;
};

/* The switch at the end of a way; UT_NO_SWITCH: the way ends here. */
static uint32_t next_of(const struct pass *pass, const struct state *state, unsigned way) {
  const struct ut_fabric_step *step = &state->step[way];
  return step->way == UT_WAY_GOES_ON ? pass->map.slot[step->slot].sw : UT_NO_SWITCH;
}

static void begin(struct pass *pass) {
  const struct ut_fabric_map *map = &pass->map;
  const bool terminal = map->graph->node[pass->destination].terminal;
  const uint32_t home = terminal ? map->home[map->number[pass->destination]] : UT_NO_SWITCH;
  pass->ordered = pass->queued = 0;
  for (uint32_t sw = 0; sw < map->switches; sw++) {
    struct state *state = &pass->state[sw];
    *state = (struct state){.own = map->first_local[sw + 1] - map->first_local[sw] - (sw == home)};
    state->step[0] = ut_fabric_step(map, pass->fabric->tables, sw, pass->destination);
    state->step[1] = ut_fabric_step(map, pass->fabric->old, sw, pass->destination);
    const bool same = state->step[0].way == state->step[1].way &&
                      (state->step[0].way != UT_WAY_GOES_ON || state->step[0].slot == state->step[1].slot);
    state->ways = same ? 1 : WAYS;
  }
}

/* ---- pairs */

/* Goes along all ways from a switch; a way back to a switch of the path closes a loop. */
static void follow(struct pass *pass, uint32_t start) {
  uint32_t depth = 0;
  if (pass->state[start].visit != UNSEEN)
    return;
  pass->state[start].visit = OPEN;
  pass->path[depth] = start;
  pass->way[depth++] = 0;
  while (depth) {
    struct state *state = &pass->state[pass->path[depth - 1]];
    if (pass->way[depth - 1] < state->ways) {
      const uint32_t next = next_of(pass, state, pass->way[depth - 1]++);
      if (next == UT_NO_SWITCH)
        continue;
      state->can_loop |= pass->state[next].visit == OPEN || pass->state[next].can_loop;
      if (pass->state[next].visit != UNSEEN)
        continue;
      pass->state[next].visit = OPEN;
      pass->path[depth] = next;
      pass->way[depth++] = 0;
      continue;
    }
    state->visit = DONE;
    pass->order[pass->ordered++] = pass->path[--depth];
    if (depth)
      pass->state[pass->path[depth - 1]].can_loop |= state->can_loop;
  }
}

static bool is_lost(const struct pass *pass, const struct state *state) {
  for (unsigned way = 0; way < state->ways; way++) {
    const uint32_t next = next_of(pass, state, way);
    if (state->step[way].way == UT_WAY_NONE || (next != UT_NO_SWITCH && pass->state[next].can_be_lost))
      return true;
  }
  return false;
}

/* Marks the switches from which packets may be lost: again and again, because of loops. */
static void find_lost(struct pass *pass) {
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < pass->ordered; i++) {
      struct state *state = &pass->state[pass->order[i]];
      if (state->can_be_lost || !is_lost(pass, state))
        continue;
      state->can_be_lost = true;
      more = true;
    }
  }
}

/* Goes on where packets may loop, else where they may be lost, to where that happens. */
static uint32_t end_of(const struct pass *pass, uint32_t sw) {
  const bool loops = pass->state[sw].can_loop;
  for (uint32_t i = 0; i < pass->map.switches; i++) {
    const struct state *state = &pass->state[sw];
    for (unsigned way = 0; way < state->ways; way++) {
      const uint32_t next = next_of(pass, state, way);
      if (!loops && state->step[way].way == UT_WAY_NONE)
        return sw;
      if (next == UT_NO_SWITCH || !(loops ? pass->state[next].can_loop : pass->state[next].can_be_lost))
        continue;
      sw = next;
      break;
    }
  }
  return sw;
}

static void add_pairs(struct pass *pass, uint32_t sw) {
  const struct ut_fabric_map *map = &pass->map;
  const struct state *state = &pass->state[sw];
  struct ut_fabric_transition *found = pass->found;
  found->pairs += state->own;
  found->looping += state->can_loop ? state->own : 0;
  found->lost += state->can_be_lost ? state->own : 0;
  if (!state->own || !(state->can_loop || state->can_be_lost) || found->loss.source != UT_NO_NODE)
    return;
  uint32_t source = map->terminal[map->local[map->first_local[sw]]];
  if (source == pass->destination)
    source = map->terminal[map->local[map->first_local[sw] + 1]];
  found->loss = (struct ut_fabric_loss){
      .source = source, .destination = pass->destination, .at = map->node[end_of(pass, sw)], .loops = state->can_loop};
}

/* ---- dependencies */

static void enqueue(struct pass *pass, uint32_t sw) {
  if (pass->state[sw].queued)
    return;
  pass->state[sw].queued = true;
  pass->queue[pass->queued++] = sw;
}

/* Packets of that SL come into a switch by a port.  Returns whether that is new there. */
static bool enter(struct pass *pass, uint32_t sw, unsigned in_port, unsigned sl) {
  const struct ut_fabric_map *map = &pass->map;
  struct state *state = &pass->state[sw];
  bool more = !(state->sls >> sl & 1);
  state->sls |= (uint16_t)(1 << sl);
  for (unsigned way = 0; way < state->ways; way++) {
    if (state->step[way].way != UT_WAY_GOES_ON)
      continue;
    const unsigned vl = ut_fabric_vl(pass->fabric, map->node[sw], in_port, state->step[way].slot - map->first[sw], sl);
    more |= !(state->vl[way][sl] >> vl & 1);
    state->vl[way][sl] |= (uint16_t)(1 << vl);
  }
  return more;
}

/* The dependencies at the end of a link that packets of a VL and an SL hold. */
static void wait_there(struct pass *pass, const struct ut_fabric_slot *held, unsigned vl, unsigned sl) {
  const struct ut_fabric_map *map = &pass->map;
  const struct state *next = &pass->state[held->sw];
  for (unsigned way = 0; way < next->ways; way++) {
    const unsigned out_port = next->step[way].slot - map->first[held->sw];
    if (next->step[way].way == UT_WAY_GOES_ON)
      ut_fabric_wait(&pass->waits, held->sw, held->in_port, out_port, vl,
                     ut_fabric_vl(pass->fabric, map->node[held->sw], held->in_port, out_port, sl));
  }
}

/* What leaves a switch comes to the next ones. */
static void carry(struct pass *pass, uint32_t sw) {
  const struct state *state = &pass->state[sw];
  for (unsigned way = 0; way < state->ways; way++) {
    if (state->step[way].way != UT_WAY_GOES_ON)
      continue;
    const struct ut_fabric_slot *held = &pass->map.slot[state->step[way].slot];
    for (unsigned sls = state->sls; sls; sls &= sls - 1) {
      const unsigned sl = (unsigned)__builtin_ctz(sls);
      pass->waits.used[state->step[way].slot] |= state->vl[way][sl];
      for (unsigned vls = state->vl[way][sl]; vls; vls &= vls - 1)
        wait_there(pass, held, (unsigned)__builtin_ctz(vls), sl);
      if (enter(pass, held->sw, held->in_port, sl))
        enqueue(pass, held->sw);
    }
  }
}

static void carry_all(struct pass *pass) {
  const struct ut_fabric_map *map = &pass->map;
  for (uint32_t sw = 0; sw < map->switches; sw++)
    for (uint32_t i = map->first_local[sw]; i < map->first_local[sw + 1]; i++) {
      const uint32_t terminal = map->local[i];
      if (map->terminal[terminal] == pass->destination)
        continue;
      enter(pass, sw, map->home_port[terminal], ut_fabric_sl(pass->fabric, terminal, pass->destination));
      enqueue(pass, sw);
    }
  while (pass->queued) {
    const uint32_t sw = pass->queue[--pass->queued];
    pass->state[sw].queued = false;
    carry(pass, sw);
  }
}

static void examine(struct pass *pass, uint32_t destination) {
  pass->destination = destination;
  begin(pass);
  for (uint32_t sw = 0; sw < pass->map.switches; sw++)
    if (pass->state[sw].own)
      follow(pass, sw);
  find_lost(pass);
  for (uint32_t sw = 0; sw < pass->map.switches; sw++)
    add_pairs(pass, sw);
  carry_all(pass);
}

/* ---- all destinations */

/* 0, or -1 when out of memory. */
static int make(struct pass *pass, const struct ut_fabric *fabric) {
  if (ut_fabric_map_make(&pass->map, fabric->graph) ||
      ut_fabric_waits_make(&pass->waits, &pass->map, ut_fabric_most_vls(fabric)))
    return -1;
  const size_t switches = pass->map.switches + 1;
  pass->state = calloc(switches, sizeof *pass->state);
  pass->order = calloc(switches, sizeof *pass->order);
  pass->path = calloc(switches, sizeof *pass->path);
  pass->way = calloc(switches, sizeof *pass->way);
  pass->queue = calloc(switches, sizeof *pass->queue);
  return pass->state && pass->order && pass->path && pass->way && pass->queue ? 0 : -1;
}

static void unmake(struct pass *pass) {
  ut_fabric_map_free(&pass->map);
  ut_fabric_waits_free(&pass->waits);
  free(pass->state);
  free(pass->order);
  free(pass->path);
  free(pass->way);
  free(pass->queue);
}

int ut_fabric_transition_find(struct ut_fabric_transition *transition, const struct ut_fabric *fabric,
                              struct ut_error *e) {
  struct pass pass = {.fabric = fabric, .found = transition};
  *transition = (struct ut_fabric_transition){
      .entries = ut_fabric_differences(fabric->tables, fabric->old, fabric->switches), .loss = {.source = UT_NO_NODE}};
  int result = make(&pass, fabric);
  for (uint32_t i = 0; !result && i < fabric->graph->nodes; i++)
    if (fabric->graph->node[i].terminal || fabric->switches)
      examine(&pass, i);
  if (!result)
    result = ut_fabric_waits_count(&pass.waits, &transition->waits);
  if (!result)
    result = ut_fabric_explain(&transition->waits, fabric, &pass.map);
  unmake(&pass);
  if (!result)
    return 0;
  ut_fabric_transition_free(transition);
  return ut_fail_memory(e);
}

void ut_fabric_transition_free(struct ut_fabric_transition *transition) {
  free(transition->waits.hop);
  transition->waits.hop = NULL;
}

uint64_t ut_fabric_differences(const struct ut_switch_tables *tables, const struct ut_switch_tables *other,
                               bool switches) {
  const struct ut_graph *graph = tables->graph;
  uint64_t count = 0;
  for (uint32_t sw = 0; sw < graph->nodes; sw++)
    for (uint32_t to = 0; !graph->node[sw].terminal && to < graph->nodes; to++)
      if ((graph->node[to].terminal || switches) &&
          ut_switch_tables_port(tables, sw, to) != ut_switch_tables_port(other, sw, to))
        count++;
  return count;
}
