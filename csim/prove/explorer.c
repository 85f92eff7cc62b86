/* SPDX-License-Identifier: Apache-2.0 */
/* explorer.c - see explorer.h */
#include "explorer.h"

#include <string.h>

#include "layers.h"
#include "node_model.h"
#include "node_states.h"
#include "reroute_vector.h"
#include "route_unit.h"
#include "scenario.h"
#include "scenario_switches.h"

enum { RT_ROOM = 32 };

static struct ut_switch *switch_of(const struct ut_explorer *explorer, uint32_t sw) {
  return ut_switch_of(ut_explorer_group(explorer, sw), sw);
}

/* ---- channels */

struct ut_peer ut_explorer_feeder(const struct ut_explorer *explorer, uint32_t sw, unsigned port) {
  return ut_topology_source(explorer->topology, sw, port);
}

unsigned ut_explorer_injections(const struct ut_explorer *explorer) {
  return explorer->topology->injections;
}

uint32_t ut_explorer_injection(const struct ut_explorer *explorer, uint32_t terminal, unsigned link, unsigned vc) {
  const struct ut_topology *topo = explorer->topology;
  const struct ut_peer *to = &topo->peer[ut_topology_injection(topo, terminal, link)];
  return ut_explorer_channel(explorer, to->index, to->port, vc);
}

uint32_t ut_explorer_home(const struct ut_explorer *explorer, uint32_t terminal, unsigned link) {
  const struct ut_topology *topo = explorer->topology;
  return ut_topology_sender(topo, topo->ejection[(size_t)terminal * topo->ejections + link]).index;
}

static void number_channels(struct ut_explorer *explorer) {
  const struct ut_topology *topo = explorer->topology;
  uint32_t next = 0;
  for (unsigned pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < topo->switches; i++) {
      uint32_t sw = pass ? topo->switches - 1 - i : i; /* from above: roots first */
      for (unsigned port = 0; port < topo->pi; port++) {
        bool above = ut_topology_up_ports(topo, sw) >> port & 1;
        if (above != (pass == 1))
          continue;
        for (unsigned vc = 0; vc < explorer->v; vc++) {
          explorer->channel_of[((size_t)sw * topo->pi + port) * explorer->v + vc] = next;
          explorer->channel[next++] =
              (struct ut_channel){.sw = sw,
                                  .port = (uint8_t)port,
                                  .vc = (uint8_t)vc,
                                  .from_above = above,
                                  .layer = (uint8_t)ut_layer_of(explorer->v, explorer->layers, vc),
                                  .injection = ut_explorer_feeder(explorer, sw, port).kind == UT_PEER_TERMINAL};
        }
      }
    }
}

/* Writes all exclusion intervals for the present network. */
static void plan_exclusions(struct ut_explorer *explorer) {
  ut_exclusions_survey(&explorer->exclusions, explorer->up);
  for (uint32_t sw = 0; sw < explorer->topology->switches; sw++)
    for (uint32_t i = 0; i < explorer->exclusions.ports * explorer->exclusions.count; i++)
      ut_switch_configure(ut_explorer_group(explorer, sw), switch_of(explorer, sw),
                          ut_exclusions_word(&explorer->exclusions, sw, i));
}

void ut_explorer_write(struct ut_explorer *explorer, uint32_t sw, uint32_t i, uint64_t word) {
  if (ut_held_words_put(&explorer->held, sw, i, ut_table_contents(word)))
    ut_switch_configure(ut_explorer_group(explorer, sw), switch_of(explorer, sw), word);
}

/* Writes what changes of forwarding tables, or all exclusion intervals, for the present network. */
static void plan_tables(struct ut_explorer *explorer) {
  const struct ut_topology *topo = explorer->topology;
  if (explorer->exclusions.count) {
    plan_exclusions(explorer);
    return;
  }
  ut_forwarding_survey(&explorer->forwarding, explorer->up);
  if (explorer->forwarding.hops.by)
    ut_next_hops_tell(&explorer->forwarding.hops);
  for (uint32_t sw = 0; sw < topo->switches; sw++)
    for (uint32_t i = 0; i < explorer->forwarding.words; i++)
      ut_explorer_write(explorer, sw, i, ut_forwarding_word(&explorer->forwarding, sw, i));
}

/* Makes the planner of tables or intervals.  false: out of memory. */
static bool make_planner(struct ut_explorer *explorer, const struct ut_scenario *scenario,
                         const struct ut_shape *shape) {
  if (shape->exclusions)
    return ut_exclusions_init(&explorer->exclusions, explorer->topology, shape);
  return ut_forwarding_init(&explorer->forwarding, explorer->topology, shape, &scenario->routing.planning) &&
         ut_held_words_of_tables(&explorer->held, &explorer->forwarding);
}

static size_t channel_words(const struct ut_topology *topo) {
  return (topo->channels + 63) / 64;
}

/* false: out of memory. */
static bool make_switches(struct ut_explorer *explorer, const struct ut_shape *shapes) {
  const struct ut_topology *topo = explorer->topology;
  for (unsigned i = 0; i < topo->elaborations; i++)
    if (!ut_group_init(&explorer->group[i], &shapes[i], topo->elaboration[i].first, topo->elaboration[i].count))
      return false;
  return true;
}

/* Computes the state of switches and links without faults. */
static void survey(struct ut_explorer *explorer) {
  const struct ut_topology *topo = explorer->topology;
  for (uint32_t sw = 0; sw < topo->switches; sw++) {
    ut_switch_reset(ut_explorer_group(explorer, sw), switch_of(explorer, sw), topo->straps[sw]);
    for (unsigned port = 0; port < topo->po; port++) {
      unsigned kind = topo->peer[(size_t)sw * topo->po + port].kind;
      explorer->all_up[sw] |= kind != UT_PEER_NONE ? ut_bit(port) : 0;
      explorer->onward[sw] |= kind == UT_PEER_SWITCH ? ut_bit(port) : 0;
    }
    for (unsigned port = 0; port < topo->pi; port++)
      explorer->all_in[sw] |= topo->feeder[(size_t)sw * topo->pi + port] != UT_NO_CHANNEL ? ut_bit(port) : 0;
    explorer->up[sw] = explorer->all_up[sw];
    explorer->in_up[sw] = explorer->all_in[sw];
  }
  for (uint32_t i = 0; i < topo->channels; i++)
    explorer->all_work[i / 64] |= (uint64_t)(topo->peer[i].kind != UT_PEER_NONE) << i % 64;
  memcpy(explorer->works, explorer->all_work, channel_words(topo) * sizeof *explorer->works);
}

int ut_explorer_init(struct ut_explorer *explorer, const struct ut_scenario *scenario, const struct ut_topology *topo,
                     struct ut_error *e) {
  struct ut_shape shapes[UT_MAX_ELABORATIONS];
  const struct ut_shape *shape = &shapes[0];
  *explorer = (struct ut_explorer){.topology = topo};
  for (unsigned i = 0; i < topo->elaborations; i++)
    if (ut_scenario_shape(scenario, &topo->elaboration[i], &shapes[i], e))
      return -1;
  if (topo->terminals > UT_MAX_PROVED_TERMINALS)
    return ut_fail(e, UT_BAD_INPUT, "%s: %u terminals are too many for an analysis of every pair, at most %d",
                   scenario->path, (unsigned)topo->terminals, UT_MAX_PROVED_TERMINALS);
  explorer->v = shape->v;
  explorer->k = shape->po / 2;
  explorer->words = (topo->terminals + 63) / 64;
  explorer->channels = topo->switches * topo->pi * shape->v;
  size_t n = topo->switches, words = channel_words(topo);
  explorer->channel = calloc(explorer->channels, sizeof *explorer->channel);
  explorer->channel_of = calloc(explorer->channels, sizeof *explorer->channel_of);
  explorer->all_up = calloc(n, sizeof *explorer->all_up);
  explorer->all_in = calloc(n, sizeof *explorer->all_in);
  explorer->onward = calloc(n, sizeof *explorer->onward);
  explorer->up = calloc(n, sizeof *explorer->up);
  explorer->in_up = calloc(n, sizeof *explorer->in_up);
  explorer->works = calloc(words, sizeof *explorer->works);
  explorer->all_work = calloc(words, sizeof *explorer->all_work);
  explorer->neighbour = calloc(n, sizeof *explorer->neighbour);
  explorer->near = calloc(n, sizeof *explorer->near);
  explorer->report = calloc(n * ut_shape_reports(shape), sizeof *explorer->report);
  explorer->far = calloc(n, sizeof *explorer->far);
  explorer->shared = calloc(n, sizeof *explorer->shared);
  explorer->dead = calloc(n, sizeof *explorer->dead);
  explorer->touched = calloc(n, sizeof *explorer->touched);
  explorer->is_touched = calloc(n, sizeof *explorer->is_touched);
  explorer->current = calloc(n, sizeof *explorer->current);
  explorer->rt_room = RT_ROOM;
  explorer->rt_value = calloc(explorer->rt_room, sizeof *explorer->rt_value);
  /* one row under construction: each output VC with every change of the rt field and the vector that can occur */
  explorer->scratch =
      calloc((size_t)(UT_ROW_EDGES + 2 * UT_MAX_PORTS * UT_MAX_VCS) * explorer->words, sizeof *explorer->scratch);
  bool fresh;
  struct ut_hash_entry *zero = ut_hash_at(&explorer->rt_hash, 0, &fresh);
  if (!explorer->channel || !explorer->channel_of || !explorer->all_up || !explorer->all_in || !explorer->onward ||
      !explorer->up || !explorer->in_up || !explorer->works || !explorer->all_work || !explorer->neighbour ||
      !explorer->report || !explorer->near || !explorer->far || !explorer->shared || !explorer->dead ||
      !explorer->touched || !explorer->is_touched || !explorer->current || !explorer->rt_value || !explorer->scratch ||
      !zero || !make_switches(explorer, shapes)) {
    ut_explorer_free(explorer);
    return ut_fail(e, UT_BAD_INPUT, "%s: out of memory for the analysis of %u switches", scenario->path,
                   (unsigned)topo->switches);
  }
  explorer->layers = ut_layers(shape);
  explorer->rts = 1;
  explorer->repair = scenario->routing.reroute_clear == UT_CLEAR_REPAIR;
  if (!explorer->group[0].form.rewrites)
    explorer->rt_room = 1;
  number_channels(explorer);
  survey(explorer);
  if (!explorer->group[0].form.tables && !shape->exclusions)
    return 0;
  /* intervals that are written only once are those for the faults of cycle 0 */
  explorer->replans = shape->exclusions || scenario->routing.tables == UT_TABLES_RECONFIGURED;
  if (!make_planner(explorer, scenario, shape)) {
    ut_explorer_free(explorer);
    return ut_fail(e, UT_BAD_INPUT, "%s: out of memory for forwarding tables", scenario->path);
  }
  plan_tables(explorer);
  if (!ut_forwarding_check(&explorer->forwarding, scenario->path, &scenario->routing.planning, e))
    return 0;
  ut_explorer_free(explorer);
  return -1;
}

void ut_explorer_free(struct ut_explorer *explorer) {
  ut_explorer_forget(explorer);
  free(explorer->view);
  ut_hash_free(&explorer->view_hash);
  ut_hash_free(&explorer->rt_hash);
  free(explorer->channel), free(explorer->channel_of), free(explorer->all_up), free(explorer->all_in),
      free(explorer->onward);
  free(explorer->up), free(explorer->in_up), free(explorer->works), free(explorer->all_work), free(explorer->neighbour),
      free(explorer->report);
  free(explorer->near), free(explorer->far), free(explorer->shared);
  free(explorer->dead), free(explorer->touched), free(explorer->is_touched), free(explorer->current),
      free(explorer->rt_value), free(explorer->scratch);
  for (unsigned i = 0; i < UT_MAX_ELABORATIONS; i++)
    ut_group_fini(&explorer->group[i]);
  ut_forwarding_fini(&explorer->forwarding);
  ut_held_words_fini(&explorer->held);
  ut_exclusions_fini(&explorer->exclusions);
  *explorer = (struct ut_explorer){0};
}

/* ---- faults */

static void touch(struct ut_explorer *explorer, uint32_t sw) {
  explorer->current[sw] = NULL;
  if (explorer->is_touched[sw])
    return;
  explorer->is_touched[sw] = true;
  explorer->touched[explorer->touched_count++] = sw;
}

static void cut_channel(struct ut_explorer *explorer, uint32_t channel) {
  const struct ut_peer from = ut_topology_sender(explorer->topology, channel), *to = &explorer->topology->peer[channel];
  explorer->works[channel / 64] &= ~(UINT64_C(1) << channel % 64);
  if (from.kind == UT_PEER_SWITCH) {
    touch(explorer, from.index);
    explorer->up[from.index] &= ~ut_bit(from.port);
  }
  if (to->kind == UT_PEER_SWITCH) {
    touch(explorer, to->index);
    explorer->in_up[to->index] &= ~ut_bit(to->port);
  }
}

/* Marks the channel, and the other direction of its link if there is one. */
static void cut(struct ut_explorer *explorer, uint32_t channel) {
  const uint32_t twin = ut_topology_twin(explorer->topology, channel);
  cut_channel(explorer, channel);
  if (twin != UT_NO_CHANNEL)
    cut_channel(explorer, twin);
}

/* Runs the code that receives and forwards reports of faulty down links for one cycle
 * (docs/explanation/reroute_vector.md). */
static void hear(struct ut_explorer *explorer, uint32_t sw) {
  struct ut_switch *golden = switch_of(explorer, sw);
  const ut_mask report[] = {[UT_REPORT_FAULT] = explorer->near[sw], [UT_REPORT_FAR] = explorer->far[sw]};
  struct ut_switch_in in = {.in_up = explorer->in_up[sw], .out_up = explorer->up[sw], .report = report};
  golden->out_up = explorer->up[sw];
  ut_reroute_vector_update(ut_explorer_group(explorer, sw), golden, &in, 0);
}

/* Delivers the report of a switch to all its neighbours. */
static void tell(struct ut_explorer *explorer, uint32_t sw, ut_mask *heard) {
  const struct ut_topology *topo = explorer->topology;
  UT_FOR_EACH (port, explorer->up[sw]) {
    const struct ut_peer *peer = &topo->peer[(size_t)sw * topo->po + port];
    if (peer->kind == UT_PEER_SWITCH) {
      touch(explorer, peer->index);
      heard[peer->index] |= ut_bit(peer->port);
    }
  }
}

/* Repeats this until the reports do not change: a report is forwarded once, so two rounds after the first one. */
static void report_faults(struct ut_explorer *explorer) {
  for (unsigned round = 0; round < 3; round++) {
    uint32_t count = explorer->touched_count;
    for (uint32_t i = 0; i < count; i++)
      hear(explorer, explorer->touched[i]);
    for (uint32_t i = 0; i < count; i++) {
      uint32_t sw = explorer->touched[i];
      const struct ut_switch *golden = switch_of(explorer, sw);
      if (golden->fault) /* a failed switch reports nothing */
        tell(explorer, sw, explorer->near);
      if (golden->far)
        tell(explorer, sw, explorer->far);
    }
  }
  for (uint32_t i = 0; i < explorer->touched_count; i++)
    explorer->neighbour[explorer->touched[i]] = switch_of(explorer, explorer->touched[i])->neighbour;
}

/* Runs the code that computes the node states, cycle by cycle in all switches at once, until nothing changes. */
static void settle_states(struct ut_explorer *explorer) {
  const struct ut_topology *topo = explorer->topology;
  const struct ut_group *group = explorer->group;
  const unsigned bits = ut_shape_reports(&group->shape);
  memset(explorer->report, 0, (size_t)topo->switches * bits * sizeof *explorer->report);
  for (uint32_t sw = 0; sw < topo->switches; sw++)
    ut_switch_reset(group, switch_of(explorer, sw), topo->straps[sw]);
  for (bool changes = true; changes;) {
    changes = false;
    for (uint32_t sw = 0; sw < topo->switches; sw++) {
      const struct ut_switch_in in = {.out_up = explorer->up[sw], .report = explorer->report + (size_t)sw * bits};
      if (explorer->dead[sw])
        continue;
      ut_node_states_update(group, switch_of(explorer, sw), &in);
      changes |= switch_of(explorer, sw)->stale_state;
    }
    for (uint32_t sw = 0; sw < topo->switches && changes; sw++) {
      const uint32_t said = explorer->dead[sw] ? 0 : ut_switch_report(group, switch_of(explorer, sw));
      UT_FOR_EACH (port, explorer->onward[sw]) {
        const struct ut_peer *peer = &topo->peer[(size_t)sw * topo->po + port];
        ut_report_hear(explorer->report + (size_t)peer->index * bits, bits, peer->port, said);
      }
    }
  }
}

bool ut_explorer_serves(const struct ut_explorer *explorer, uint32_t sw) {
  const struct ut_group *group = ut_explorer_group(explorer, sw);
  return !explorer->dead[sw] && !(explorer->state && explorer->state[sw] >= UT_NODE_DISABLED) &&
         !(group->form.states && ut_node_states_of(group, switch_of(explorer, sw))->disabled);
}

void ut_explorer_set_faults(struct ut_explorer *explorer, const struct ut_fault_set *set) {
  const struct ut_topology *topo = explorer->topology;
  for (uint32_t i = 0; i < explorer->touched_count; i++) {
    uint32_t sw = explorer->touched[i];
    explorer->up[sw] = explorer->all_up[sw];
    explorer->in_up[sw] = explorer->all_in[sw];
    explorer->neighbour[sw] = explorer->shared[sw] = explorer->near[sw] = explorer->far[sw] = 0;
    explorer->dead[sw] = explorer->is_touched[sw] = false;
    explorer->current[sw] = NULL;
    ut_switch_reset(ut_explorer_group(explorer, sw), switch_of(explorer, sw), topo->straps[sw]);
  }
  explorer->touched_count = 0;
  memcpy(explorer->works, explorer->all_work, channel_words(topo) * sizeof *explorer->works);
  for (unsigned i = 0; i < set->links; i++)
    cut(explorer, ut_link_channel(topo, set->link[i]));
  for (unsigned i = 0; i < set->switches; i++) {
    const uint32_t sw = set->sw[i];
    explorer->dead[sw] = true;
    UT_FOR_EACH (port, explorer->all_up[sw])
      cut(explorer, sw * topo->po + port);
    UT_FOR_EACH (port, explorer->all_in[sw])
      cut(explorer, topo->feeder[(size_t)sw * topo->pi + port]);
  }
  if (explorer->group[0].form.vector)
    report_faults(explorer);
  if (explorer->group[0].form.states)
    settle_states(explorer);
  if (explorer->replans) {
    ut_explorer_forget(explorer);
    plan_tables(explorer);
  }
}

/* Whether a table has the same entries for two terminals in each switch but one. */
static bool same_entries(const struct ut_explorer *explorer, uint32_t except, uint32_t dst, uint32_t other) {
  for (uint32_t sw = 0; sw < explorer->topology->switches; sw++) {
    const struct ut_group *group = ut_explorer_group(explorer, sw);
    const unsigned tables = 2 * (group->shape.groups ? 1 : group->shape.v);
    for (unsigned i = 0; i < tables && sw != except; i++) {
      const uint16_t *entry = ut_table_of(group, switch_of(explorer, sw), i % 2, i / 2);
      if (entry[dst] != entry[other])
        return false;
    }
  }
  return true;
}

/* Whether a switch offers only the way to the terminal, whatever the channel. */
static bool delivers(struct ut_explorer *explorer, const struct ut_attachment *at, uint32_t dst) {
  struct ut_route_result route;
  for (unsigned i = 0; i < explorer->topology->pi * explorer->v; i++) {
    ut_explorer_ask(explorer, ut_explorer_channel(explorer, at->sw, i / explorer->v, i % explorer->v), dst, 0, 0,
                    &route);
    ut_mask any = 0;
    for (unsigned v = 0; v < explorer->v; v++)
      any |= route.cand[v];
    if (any != ut_bit(at->out_port))
      return false;
  }
  return true;
}

bool ut_explorer_alike(struct ut_explorer *explorer, uint32_t dst, uint32_t other) {
  const struct ut_topology *topo = explorer->topology;
  const struct ut_form *form = &explorer->group[0].form;
  if (!form->tables || form->vector || form->states || form->rewrites || topo->injections > 1 || topo->ejections > 1)
    return false;
  const struct ut_attachment at = ut_topology_attachment(topo, dst), at_other = ut_topology_attachment(topo, other);
  return at.sw == at_other.sw && same_entries(explorer, at.sw, dst, other) && delivers(explorer, &at, dst) &&
         delivers(explorer, &at_other, other);
}

ut_mask ut_explorer_kept(const struct ut_explorer *explorer, uint32_t sw, ut_mask bits) {
  return explorer->repair ? bits & explorer->neighbour[sw] : bits;
}

bool ut_explorer_share(struct ut_explorer *explorer, uint32_t sw, ut_mask bits) {
  bits = ut_explorer_kept(explorer, sw, bits);
  if (!(bits & ~explorer->shared[sw]))
    return false;
  touch(explorer, sw);
  explorer->shared[sw] |= bits;
  return true;
}

uint32_t ut_channel_behind(const struct ut_explorer *explorer, uint32_t sw, unsigned port, unsigned vc) {
  const struct ut_topology *topo = explorer->topology;
  const struct ut_peer *peer = &topo->peer[(size_t)sw * topo->po + port];
  return peer->kind == UT_PEER_SWITCH ? ut_explorer_channel(explorer, peer->index, peer->port, vc) : UINT32_MAX;
}
