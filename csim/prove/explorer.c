/* SPDX-License-Identifier: Apache-2.0 */
/* explorer.c - see explorer.h */
#include "explorer.h"

#include <string.h>

#include "layers.h"
#include "node_model.h"
#include "node_states.h"
#include "reroute_vector.h"
#include "route_unit.h"
#include "scenario_switches.h"

enum { RT_ROOM = 32 };

static struct ut_switch *switch_of(const struct ut_explorer *x, uint32_t sw) {
  return ut_switch_of(ut_explorer_group(x, sw), sw);
}

/* ---- channels */

struct ut_peer ut_explorer_feeder(const struct ut_explorer *x, uint32_t sw, unsigned port) {
  return ut_topology_source(x->topology, sw, port);
}

unsigned ut_explorer_injections(const struct ut_explorer *x) {
  return x->topology->injections;
}

uint32_t ut_explorer_injection(const struct ut_explorer *x, uint32_t terminal, unsigned link, unsigned vc) {
  const struct ut_topology *t = x->topology;
  const struct ut_peer *to = &t->peer[ut_topology_injection(t, terminal, link)];
  return ut_explorer_channel(x, to->index, to->port, vc);
}

uint32_t ut_explorer_home(const struct ut_explorer *x, uint32_t terminal, unsigned link) {
  const struct ut_topology *t = x->topology;
  return ut_topology_sender(t, t->ejection[(size_t)terminal * t->ejections + link]).index;
}

static void number_channels(struct ut_explorer *x) {
  const struct ut_topology *t = x->topology;
  uint32_t next = 0;
  for (unsigned pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < t->switches; i++) {
      uint32_t sw = pass ? t->switches - 1 - i : i; /* from above: roots first */
      for (unsigned port = 0; port < t->pi; port++) {
        bool above = t->up_ports >> port & 1;
        if (above != (pass == 1))
          continue;
        for (unsigned vc = 0; vc < x->v; vc++) {
          x->channel_of[((size_t)sw * t->pi + port) * x->v + vc] = next;
          x->channel[next++] =
              (struct ut_channel){.sw = sw,
                                  .port = (uint8_t)port,
                                  .vc = (uint8_t)vc,
                                  .from_above = above,
                                  .layer = (uint8_t)ut_layer_of(x->v, x->layers, vc),
                                  .injection = ut_explorer_feeder(x, sw, port).kind == UT_PEER_TERMINAL};
        }
      }
    }
}

/* Writes all exclusion intervals for the network as it is. */
static void plan_exclusions(struct ut_explorer *x) {
  ut_exclusions_survey(&x->exclusions, x->up);
  for (uint32_t sw = 0; sw < x->topology->switches; sw++)
    for (uint32_t i = 0; i < x->exclusions.ports * x->exclusions.count; i++)
      ut_switch_configure(ut_explorer_group(x, sw), switch_of(x, sw), ut_exclusions_word(&x->exclusions, sw, i));
}

/* Writes all forwarding tables, or exclusion intervals, for the network as it is. */
static void plan_tables(struct ut_explorer *x) {
  const struct ut_topology *t = x->topology;
  if (x->exclusions.count) {
    plan_exclusions(x);
    return;
  }
  ut_forwarding_survey(&x->forwarding, x->up);
  for (uint32_t i = 0; i < x->channels; i++) {
    const struct ut_channel *c = &x->channel[i];
    for (uint32_t dst = 0; dst < t->terminals; dst++)
      ut_switch_configure(ut_explorer_group(x, c->sw), switch_of(x, c->sw),
                          ut_forwarding_entry(&x->forwarding, c->sw, c->port, c->vc, (uint16_t)dst));
  }
}

static size_t channel_words(const struct ut_topology *t) {
  return (t->channels + 63) / 64;
}

/* false: out of memory. */
static bool make_switches(struct ut_explorer *x, const struct ut_shape *shapes) {
  const struct ut_topology *t = x->topology;
  for (unsigned i = 0; i < t->elaborations; i++)
    if (!ut_group_init(&x->group[i], &shapes[i], t->elaboration[i].first, t->elaboration[i].count))
      return false;
  return true;
}

/* Switches and links as they are without faults. */
static void survey(struct ut_explorer *x) {
  const struct ut_topology *t = x->topology;
  for (uint32_t sw = 0; sw < t->switches; sw++) {
    ut_switch_reset(ut_explorer_group(x, sw), switch_of(x, sw), t->straps[sw]);
    for (unsigned port = 0; port < t->po; port++) {
      unsigned kind = t->peer[(size_t)sw * t->po + port].kind;
      x->all_up[sw] |= kind != UT_PEER_NONE ? ut_bit(port) : 0;
      x->onward[sw] |= kind == UT_PEER_SWITCH ? ut_bit(port) : 0;
    }
    for (unsigned port = 0; port < t->pi; port++)
      x->all_in[sw] |= t->feeder[(size_t)sw * t->pi + port] != UT_NO_CHANNEL ? ut_bit(port) : 0;
    x->up[sw] = x->all_up[sw];
    x->in_up[sw] = x->all_in[sw];
  }
  for (uint32_t i = 0; i < t->channels; i++)
    x->all_work[i / 64] |= (uint64_t)(t->peer[i].kind != UT_PEER_NONE) << i % 64;
  memcpy(x->works, x->all_work, channel_words(t) * sizeof *x->works);
}

int ut_explorer_init(struct ut_explorer *x, const struct ut_scenario *s, const struct ut_topology *t,
                     struct ut_error *e) {
  struct ut_shape shapes[UT_MAX_ELABORATIONS];
  const struct ut_shape *shape = &shapes[0];
  *x = (struct ut_explorer){.topology = t};
  for (unsigned i = 0; i < t->elaborations; i++)
    if (ut_scenario_shape(s, &t->elaboration[i], &shapes[i], e))
      return -1;
  if (t->terminals > UT_MAX_PROVED_TERMINALS)
    return ut_fail(e, UT_BAD_INPUT, "%s: %u terminals are too many for an analysis of every pair, at most %d", s->path,
                   (unsigned)t->terminals, UT_MAX_PROVED_TERMINALS);
  x->v = shape->v;
  x->k = shape->po / 2;
  x->words = (t->terminals + 63) / 64;
  x->channels = t->switches * t->pi * shape->v;
  size_t n = t->switches, words = channel_words(t);
  x->channel = calloc(x->channels, sizeof *x->channel);
  x->channel_of = calloc(x->channels, sizeof *x->channel_of);
  x->all_up = calloc(n, sizeof *x->all_up);
  x->all_in = calloc(n, sizeof *x->all_in);
  x->onward = calloc(n, sizeof *x->onward);
  x->up = calloc(n, sizeof *x->up);
  x->in_up = calloc(n, sizeof *x->in_up);
  x->works = calloc(words, sizeof *x->works);
  x->all_work = calloc(words, sizeof *x->all_work);
  x->neighbour = calloc(n, sizeof *x->neighbour);
  x->near = calloc(n, sizeof *x->near);
  x->report = calloc(n * ut_shape_reports(shape), sizeof *x->report);
  x->far = calloc(n, sizeof *x->far);
  x->shared = calloc(n, sizeof *x->shared);
  x->dead = calloc(n, sizeof *x->dead);
  x->touched = calloc(n, sizeof *x->touched);
  x->is_touched = calloc(n, sizeof *x->is_touched);
  x->current = calloc(n, sizeof *x->current);
  x->rt_room = RT_ROOM;
  x->rt_value = calloc(x->rt_room, sizeof *x->rt_value);
  /* one row under construction: each output VC with each change of the rt field and the vector that we may meet */
  x->scratch = calloc((size_t)(UT_ROW_EDGES + 2 * UT_MAX_PORTS * UT_MAX_VCS) * x->words, sizeof *x->scratch);
  bool fresh;
  struct ut_hash_entry *zero = ut_hash_at(&x->rt_hash, 0, &fresh);
  if (!x->channel || !x->channel_of || !x->all_up || !x->all_in || !x->onward || !x->up || !x->in_up || !x->works ||
      !x->all_work || !x->neighbour || !x->report || !x->near || !x->far || !x->shared || !x->dead || !x->touched ||
      !x->is_touched || !x->current || !x->rt_value || !x->scratch || !zero || !make_switches(x, shapes)) {
    ut_explorer_free(x);
    return ut_fail(e, UT_BAD_INPUT, "%s: out of memory for the analysis of %u switches", s->path,
                   (unsigned)t->switches);
  }
  x->layers = ut_layers(shape);
  x->rts = 1;
  x->repair = s->routing.reroute_clear == UT_CLEAR_REPAIR;
  if (!x->group[0].form.rewrites)
    x->rt_room = 1;
  number_channels(x);
  survey(x);
  if (!x->group[0].form.tables && !shape->exclusions)
    return 0;
  /* intervals written once are those for the faults of cycle 0 */
  x->replans = shape->exclusions || s->routing.tables == UT_TABLES_RECONFIGURED;
  if (!(shape->exclusions ? ut_exclusions_init(&x->exclusions, t, shape)
                          : ut_forwarding_init(&x->forwarding, t, shape))) {
    ut_explorer_free(x);
    return ut_fail(e, UT_BAD_INPUT, "%s: out of memory for forwarding tables", s->path);
  }
  plan_tables(x);
  return 0;
}

void ut_explorer_free(struct ut_explorer *x) {
  ut_explorer_forget(x);
  free(x->view);
  ut_hash_free(&x->view_hash);
  ut_hash_free(&x->rt_hash);
  free(x->channel), free(x->channel_of), free(x->all_up), free(x->all_in), free(x->onward);
  free(x->up), free(x->in_up), free(x->works), free(x->all_work), free(x->neighbour), free(x->report);
  free(x->near), free(x->far), free(x->shared);
  free(x->dead), free(x->touched), free(x->is_touched), free(x->current), free(x->rt_value), free(x->scratch);
  for (unsigned i = 0; i < UT_MAX_ELABORATIONS; i++)
    ut_group_fini(&x->group[i]);
  ut_forwarding_fini(&x->forwarding);
  ut_exclusions_fini(&x->exclusions);
  *x = (struct ut_explorer){0};
}

/* ---- faults */

static void touch(struct ut_explorer *x, uint32_t sw) {
  x->current[sw] = NULL;
  if (x->is_touched[sw])
    return;
  x->is_touched[sw] = true;
  x->touched[x->touched_count++] = sw;
}

static void cut_channel(struct ut_explorer *x, uint32_t channel) {
  const struct ut_peer from = ut_topology_sender(x->topology, channel), *to = &x->topology->peer[channel];
  x->works[channel / 64] &= ~(UINT64_C(1) << channel % 64);
  if (from.kind == UT_PEER_SWITCH) {
    touch(x, from.index);
    x->up[from.index] &= ~ut_bit(from.port);
  }
  if (to->kind == UT_PEER_SWITCH) {
    touch(x, to->index);
    x->in_up[to->index] &= ~ut_bit(to->port);
  }
}

/* The channel, and the other direction of its link if there is one. */
static void cut(struct ut_explorer *x, uint32_t channel) {
  const uint32_t twin = ut_topology_twin(x->topology, channel);
  cut_channel(x, channel);
  if (twin != UT_NO_CHANNEL)
    cut_channel(x, twin);
}

/* One cycle of the code that hears and passes on reports of faulty down links (docs/explanation/reroute_vector.md). */
static void hear(struct ut_explorer *x, uint32_t sw) {
  struct ut_switch *s = switch_of(x, sw);
  const ut_mask report[] = {[UT_REPORT_FAULT] = x->near[sw], [UT_REPORT_FAR] = x->far[sw]};
  struct ut_switch_in in = {.in_up = x->in_up[sw], .out_up = x->up[sw], .report = report};
  s->out_up = x->up[sw];
  ut_reroute_vector_update(ut_explorer_group(x, sw), s, &in, 0);
}

/* What a switch reports reaches all its neighbours. */
static void tell(struct ut_explorer *x, uint32_t sw, ut_mask *heard) {
  const struct ut_topology *t = x->topology;
  UT_FOR_EACH (port, x->up[sw]) {
    const struct ut_peer *p = &t->peer[(size_t)sw * t->po + port];
    if (p->kind == UT_PEER_SWITCH) {
      touch(x, p->index);
      heard[p->index] |= ut_bit(p->port);
    }
  }
}

/* The reports until they do not change any more: one is passed on once, so two rounds after the first. */
static void report_faults(struct ut_explorer *x) {
  for (unsigned round = 0; round < 3; round++) {
    uint32_t count = x->touched_count;
    for (uint32_t i = 0; i < count; i++)
      hear(x, x->touched[i]);
    for (uint32_t i = 0; i < count; i++) {
      uint32_t sw = x->touched[i];
      const struct ut_switch *s = switch_of(x, sw);
      if (s->fault) /* a dead one has nobody to tell */
        tell(x, sw, x->near);
      if (s->far)
        tell(x, sw, x->far);
    }
  }
  for (uint32_t i = 0; i < x->touched_count; i++)
    x->neighbour[x->touched[i]] = switch_of(x, x->touched[i])->neighbour;
}

/* The code that computes the states of nodes, cycle by cycle in all switches at once until nothing changes. */
static void settle_states(struct ut_explorer *x) {
  const struct ut_topology *t = x->topology;
  const struct ut_group *g = x->group;
  const unsigned bits = ut_shape_reports(&g->shape);
  memset(x->report, 0, (size_t)t->switches * bits * sizeof *x->report);
  for (uint32_t sw = 0; sw < t->switches; sw++)
    ut_switch_reset(g, switch_of(x, sw), t->straps[sw]);
  for (bool changes = true; changes;) {
    changes = false;
    for (uint32_t sw = 0; sw < t->switches; sw++) {
      const struct ut_switch_in in = {.out_up = x->up[sw], .report = x->report + (size_t)sw * bits};
      if (x->dead[sw])
        continue;
      ut_node_states_update(g, switch_of(x, sw), &in);
      changes |= switch_of(x, sw)->stale_state;
    }
    for (uint32_t sw = 0; sw < t->switches && changes; sw++) {
      const uint32_t said = x->dead[sw] ? 0 : ut_switch_report(g, switch_of(x, sw));
      UT_FOR_EACH (port, x->onward[sw]) {
        const struct ut_peer *p = &t->peer[(size_t)sw * t->po + port];
        ut_report_hear(x->report + (size_t)p->index * bits, bits, p->port, said);
      }
    }
  }
}

bool ut_explorer_serves(const struct ut_explorer *x, uint32_t sw) {
  const struct ut_group *g = ut_explorer_group(x, sw);
  return !x->dead[sw] && !(x->state && x->state[sw] >= UT_NODE_DISABLED) &&
         !(g->form.states && ut_node_states_of(g, switch_of(x, sw))->disabled);
}

void ut_explorer_set_faults(struct ut_explorer *x, const struct ut_fault_set *set) {
  const struct ut_topology *t = x->topology;
  for (uint32_t i = 0; i < x->touched_count; i++) {
    uint32_t sw = x->touched[i];
    x->up[sw] = x->all_up[sw];
    x->in_up[sw] = x->all_in[sw];
    x->neighbour[sw] = x->shared[sw] = x->near[sw] = x->far[sw] = 0;
    x->dead[sw] = x->is_touched[sw] = false;
    x->current[sw] = NULL;
    ut_switch_reset(ut_explorer_group(x, sw), switch_of(x, sw), t->straps[sw]);
  }
  x->touched_count = 0;
  memcpy(x->works, x->all_work, channel_words(t) * sizeof *x->works);
  for (unsigned i = 0; i < set->links; i++)
    cut(x, ut_link_channel(t, set->link[i]));
  for (unsigned i = 0; i < set->switches; i++) {
    const uint32_t sw = set->sw[i];
    x->dead[sw] = true;
    UT_FOR_EACH (port, x->all_up[sw])
      cut(x, sw * t->po + port);
    UT_FOR_EACH (port, x->all_in[sw])
      cut(x, t->feeder[(size_t)sw * t->pi + port]);
  }
  if (x->group[0].form.vector)
    report_faults(x);
  if (x->group[0].form.states)
    settle_states(x);
  if (x->replans) {
    ut_explorer_forget(x);
    plan_tables(x);
  }
}

ut_mask ut_explorer_kept(const struct ut_explorer *x, uint32_t sw, ut_mask bits) {
  return x->repair ? bits & x->neighbour[sw] : bits;
}

bool ut_explorer_share(struct ut_explorer *x, uint32_t sw, ut_mask bits) {
  bits = ut_explorer_kept(x, sw, bits);
  if (!(bits & ~x->shared[sw]))
    return false;
  touch(x, sw);
  x->shared[sw] |= bits;
  return true;
}

uint32_t ut_channel_behind(const struct ut_explorer *x, uint32_t sw, unsigned port, unsigned vc) {
  const struct ut_topology *t = x->topology;
  const struct ut_peer *p = &t->peer[(size_t)sw * t->po + port];
  return p->kind == UT_PEER_SWITCH ? ut_explorer_channel(x, p->index, p->port, vc) : UINT32_MAX;
}
