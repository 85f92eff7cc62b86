/* SPDX-License-Identifier: Apache-2.0 */
/* fabric_routes.c - see fabric_routes.h */
#include "fabric_routes.h"

#include <stdlib.h>
#include <string.h>

#include "fabric_example.h"
#include "fabric_map.h"
#include "fabric_pass.h"
#include "fabric_waits.h"

enum end { ARRIVES, LOST, LOOPS };

struct state {                  /* of a switch, for one destination */
  uint32_t next;                /* switch; UT_NO_SWITCH: none */
  uint32_t slot;                /* to it */
  uint32_t degree, own, weight; /* switches that send to it; terminals there that send; those and what comes to it */
  uint32_t hops;
  enum end end;
};

struct lanes {         /* of the packets that leave a switch, for one destination */
  uint16_t sls;        /* of which there are some */
  uint16_t vl[UT_SLS]; /* by SL: VLs on the link that they leave by */
};

struct pass {
  const struct ut_fabric *fabric;
  struct ut_fabric_map map;
  struct ut_fabric_waits waits;
  struct ut_fabric_routes *routes;
  struct state *state; /* [switches] */
  struct lanes *lanes; /* [switches]; NULL: one VL */
  uint32_t *order;     /* [switches]: each one behind those that send to it; those that are not on a loop */
  uint32_t ordered;
  uint64_t *load; /* [slots] */
  uint32_t destination;
};

unsigned ut_fabric_most_vls(const struct ut_fabric *fabric) {
  unsigned most = 0;
  if (!fabric->sls)
    return 1;
  const size_t pairs = (size_t)fabric->graph->nodes * fabric->sls->terminals;
  for (size_t i = 0; i < pairs && !fabric->vls; i++)
    most = fabric->sls->sl[i] != UT_NO_SL && fabric->sls->sl[i] > most ? fabric->sls->sl[i] : most;
  for (uint32_t i = 0; i < fabric->graph->nodes && fabric->vls; i++) {
    const size_t ports = fabric->vls->of[i] ? fabric->graph->node[i].ports : 0;
    for (size_t j = 0; j < ports * ports * UT_SLS; j++)
      most = fabric->vls->of[i][j] != UT_NO_SL && fabric->vls->of[i][j] > most ? fabric->vls->of[i][j] : most;
  }
  return most + 1;
}

/* ---- one destination */

/* The packets of a switch's own terminals. */
static void begin_lanes(struct pass *pass, uint32_t sw) {
  const struct ut_fabric_map *map = &pass->map;
  const struct state *state = &pass->state[sw];
  struct lanes *lanes = &pass->lanes[sw];
  *lanes = (struct lanes){0};
  if (state->next == UT_NO_SWITCH)
    return;
  for (uint32_t i = map->first_local[sw]; i < map->first_local[sw + 1]; i++) {
    const uint32_t terminal = map->local[i];
    if (map->terminal[terminal] == pass->destination)
      continue;
    const unsigned sl = ut_fabric_sl(pass->fabric, terminal, pass->destination);
    lanes->sls |= (uint16_t)(1 << sl);
    lanes->vl[sl] |= (uint16_t)(1 << ut_fabric_vl(pass->fabric, map->node[sw], map->home_port[terminal],
                                                  state->slot - map->first[sw], sl));
  }
}

static void begin(struct pass *pass) {
  const struct ut_fabric_map *map = &pass->map;
  const bool terminal = map->graph->node[pass->destination].terminal;
  const uint32_t home = terminal ? map->home[map->number[pass->destination]] : UT_NO_SWITCH;
  for (uint32_t sw = 0; sw < map->switches; sw++) {
    const struct ut_fabric_step step = ut_fabric_step(map, pass->fabric->tables, sw, pass->destination);
    const uint32_t own = map->first_local[sw + 1] - map->first_local[sw] - (sw == home);
    struct state *state = &pass->state[sw];
    state->next = step.way == UT_WAY_GOES_ON ? map->slot[step.slot].sw : UT_NO_SWITCH;
    state->slot = step.slot;
    state->own = state->weight = own;
    state->end = step.way == UT_WAY_ARRIVES ? ARRIVES : step.way == UT_WAY_NONE ? LOST : LOOPS;
    state->hops = 0;
    state->degree = 0;
    if (pass->lanes)
      begin_lanes(pass, sw);
  }
  for (uint32_t sw = 0; sw < map->switches; sw++)
    if (pass->state[sw].next != UT_NO_SWITCH)
      pass->state[pass->state[sw].next].degree++;
}

/* What leaves a switch comes to the next one: the dependencies there.  Returns whether anything new did. */
static bool carry_lanes(struct pass *pass, uint32_t sw) {
  const struct ut_fabric_map *map = &pass->map;
  const struct state *state = &pass->state[sw], *next = &pass->state[state->next];
  const unsigned in_port = map->slot[state->slot].in_port, out_port = next->slot - map->first[state->next];
  struct lanes *here = &pass->lanes[sw], *there = &pass->lanes[state->next];
  const struct lanes before = *there;
  for (unsigned sls = here->sls; sls; sls &= sls - 1) {
    const unsigned sl = (unsigned)__builtin_ctz(sls);
    pass->waits.used[state->slot] |= here->vl[sl];
    if (next->next == UT_NO_SWITCH)
      continue;
    const unsigned vl = ut_fabric_vl(pass->fabric, map->node[state->next], in_port, out_port, sl);
    for (unsigned held = here->vl[sl]; held; held &= held - 1)
      ut_fabric_wait(&pass->waits, state->next, in_port, out_port, (unsigned)__builtin_ctz(held), vl);
    there->sls |= (uint16_t)(1 << sl);
    there->vl[sl] |= (uint16_t)(1 << vl);
  }
  return memcmp(&before, there, sizeof before) != 0;
}

/* The same of one VL. */
static void carry(struct pass *pass, uint32_t sw) {
  const struct ut_fabric_map *map = &pass->map;
  const struct state *state = &pass->state[sw], *next = &pass->state[state->next];
  if (pass->lanes) {
    carry_lanes(pass, sw);
    return;
  }
  pass->waits.used[state->slot] = 1;
  if (next->next != UT_NO_SWITCH)
    ut_fabric_wait(&pass->waits, state->next, map->slot[state->slot].in_port, next->slot - map->first[state->next], 0,
                   0);
}

/* Goes along the routes from their sources on, as far as they do not loop. */
static void go_on(struct pass *pass) {
  pass->ordered = 0;
  for (uint32_t sw = 0; sw < pass->map.switches; sw++)
    if (!pass->state[sw].degree)
      pass->order[pass->ordered++] = sw;
  for (uint32_t i = 0; i < pass->ordered; i++) {
    const struct state *state = &pass->state[pass->order[i]];
    if (state->next == UT_NO_SWITCH)
      continue;
    struct state *next = &pass->state[state->next];
    if (state->weight) {
      pass->load[state->slot] += state->weight;
      next->weight += state->weight;
      carry(pass, pass->order[i]);
    }
    if (!--next->degree)
      pass->order[pass->ordered++] = state->next;
  }
}

/* Goes round a loop, of which one switch is given; its switches are not seen as a loop again. */
static void go_round(struct pass *pass, uint32_t start) {
  uint64_t weight = 0;
  uint32_t sw = start;
  do {
    weight += pass->state[sw].weight;
    pass->state[sw].degree = 0;
    sw = pass->state[sw].next;
  } while (sw != start);
  if (!weight)
    return;
  do {
    pass->load[pass->state[sw].slot] += weight;
    sw = pass->state[sw].next;
  } while (sw != start);
  /* once round brings each SL everywhere, twice the VL that it has there */
  for (bool first = true, more = true; more; first = false) {
    more = false;
    do {
      if (pass->lanes)
        more |= carry_lanes(pass, sw);
      else
        carry(pass, sw);
      sw = pass->state[sw].next;
    } while (sw != start);
    more |= first;
  }
}

static void add_pairs(struct pass *pass, uint32_t sw) {
  const struct state *state = &pass->state[sw];
  struct ut_fabric_routes *routes = pass->routes;
  if (!state->own)
    return;
  routes->pairs += state->own;
  if (state->end == ARRIVES) {
    routes->hops_sum += (uint64_t)state->own * state->hops;
    routes->hops_max = state->hops > routes->hops_max ? state->hops : routes->hops_max;
    return;
  }
  routes->unreachable += state->own;
  routes->looping += state->end == LOOPS ? state->own : 0;
}

/* Goes back along the routes, to see where they end. */
static void go_back(struct pass *pass) {
  for (uint32_t i = pass->ordered; i-- > 0;) {
    struct state *state = &pass->state[pass->order[i]];
    if (state->next != UT_NO_SWITCH) {
      state->end = pass->state[state->next].end;
      state->hops = pass->state[state->next].hops + 1;
    }
    add_pairs(pass, pass->order[i]);
  }
}

/* Remembers the first pair that is not delivered. */
static void find_loss(struct pass *pass) {
  const struct ut_fabric_map *map = &pass->map;
  for (uint32_t sw = 0; sw < map->switches; sw++) {
    const struct state *state = &pass->state[sw];
    if (state->end == ARRIVES || !state->own)
      continue;
    const uint32_t terminal = map->local[map->first_local[sw]];
    uint32_t at = sw;
    for (uint32_t i = 0; i < map->switches && pass->state[at].next != UT_NO_SWITCH; i++)
      at = pass->state[at].next;
    pass->routes->loss = (struct ut_fabric_loss){.source = map->terminal[terminal] == pass->destination
                                                               ? map->terminal[map->local[map->first_local[sw] + 1]]
                                                               : map->terminal[terminal],
                                                 .destination = pass->destination,
                                                 .at = map->node[at],
                                                 .loops = state->end == LOOPS};
    return;
  }
}

static void examine(struct pass *pass, uint32_t destination) {
  const uint64_t before = pass->routes->unreachable;
  pass->destination = destination;
  begin(pass);
  go_on(pass);
  for (uint32_t sw = 0; pass->ordered < pass->map.switches && sw < pass->map.switches; sw++)
    if (pass->state[sw].degree) {
      go_round(pass, sw);
      uint32_t on = sw;
      do {
        pass->state[on].end = LOOPS;
        add_pairs(pass, on);
        on = pass->state[on].next;
      } while (on != sw);
    }
  go_back(pass);
  if (pass->routes->unreachable > before && pass->routes->loss.source == UT_NO_NODE)
    find_loss(pass);
}

/* ---- all destinations */

static void count_loads(struct pass *pass) {
  struct ut_fabric_routes *routes = pass->routes;
  unsigned used = 0;
  for (uint32_t i = 0; i < pass->map.first[pass->map.switches]; i++) {
    used |= pass->waits.used[i];
    if (pass->load[i] > routes->load_max) {
      routes->load_max = pass->load[i];
      routes->busiest = pass->map.slot[i].channel;
    }
  }
  routes->vls = used ? (unsigned)__builtin_popcount(used) : 1;
}

/* 0, or -1 when out of memory. */
static int make(struct pass *pass, const struct ut_fabric *fabric) {
  if (ut_fabric_map_make(&pass->map, fabric->graph) ||
      ut_fabric_waits_make(&pass->waits, &pass->map, ut_fabric_most_vls(fabric)))
    return -1;
  const uint32_t switches = pass->map.switches;
  pass->state = calloc(switches + 1, sizeof *pass->state);
  pass->order = calloc(switches + 1, sizeof *pass->order);
  pass->load = calloc(pass->map.first[switches] + 1, sizeof *pass->load);
  pass->lanes = fabric->sls ? calloc(switches + 1, sizeof *pass->lanes) : NULL;
  return pass->state && pass->order && pass->load && (pass->lanes || !fabric->sls) ? 0 : -1;
}

static void unmake(struct pass *pass) {
  ut_fabric_map_free(&pass->map);
  ut_fabric_waits_free(&pass->waits);
  free(pass->state);
  free(pass->lanes);
  free(pass->order);
  free(pass->load);
}

int ut_fabric_routes_find(struct ut_fabric_routes *routes, const struct ut_fabric *fabric, struct ut_error *e) {
  struct pass pass = {.fabric = fabric, .routes = routes};
  *routes = (struct ut_fabric_routes){.busiest = UT_NO_NODE, .loss = {.source = UT_NO_NODE}};
  int result = make(&pass, fabric);
  for (uint32_t i = 0; !result && i < fabric->graph->nodes; i++)
    if (fabric->graph->node[i].terminal || fabric->switches)
      examine(&pass, i);
  if (!result) {
    count_loads(&pass);
    result = ut_fabric_waits_count(&pass.waits, &routes->waits);
  }
  if (!result)
    result = ut_fabric_explain(&routes->waits, fabric, &pass.map);
  unmake(&pass);
  if (!result)
    return 0;
  ut_fabric_routes_free(routes);
  return ut_fail_memory(e);
}

void ut_fabric_routes_free(struct ut_fabric_routes *routes) {
  free(routes->waits.hop);
  routes->waits.hop = NULL;
}
