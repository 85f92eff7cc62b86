/* SPDX-License-Identifier: Apache-2.0 */
/* switches_model.c - the switches of a network as the model and the spec have them: see switches.h */
#include <string.h>

#include "cycle.h"
#include "network_parts.h"
#include "node_states.h"
#include "registers.h"
#include "spec_group.h"
#include "switches.h"

/* ---- life and death */

/* A group for each elaboration. */
static bool init(struct ut_network *n) {
  const struct ut_topology *t = &n->topology;
  for (unsigned i = 0; i < t->elaborations; i++) {
    struct ut_group *g = &n->group[i];
    if (!ut_group_init(g, &n->shape[i], t->elaboration[i].first, t->elaboration[i].count))
      return false;
    ut_group_join(g, &n->wires, n->lane[i]);
  }
  return true;
}

static void fini(struct ut_network *n) {
  for (unsigned i = 0; i < n->topology.elaborations; i++)
    ut_group_fini(&n->group[i]);
}

static void reset(struct ut_network *n, uint32_t s) {
  ut_switch_reset(ut_network_group(n, s), ut_network_switch(n, s), n->topology.straps[s]);
  ut_network_switch(n, s)->held = ut_bitmap_get(n->failed, s);
}

static void configure(struct ut_network *n, uint32_t s, uint64_t word) {
  ut_switch_configure(ut_network_group(n, s), ut_network_switch(n, s), word);
}

static void disturb(struct ut_network *n, uint32_t s) {
  ut_switch_disturb(ut_network_group(n, s), ut_network_switch(n, s));
}

/* ---- the spec */

const char *ut_network_unmodelled(const struct ut_network *n) {
  return ut_shape_unmodelled(n->shape); /* policies are the same in all elaborations */
}

bool ut_network_use_spec(struct ut_network *n, enum ut_spec_use use) {
  const bool alone = ut_network_unmodelled(n);
  for (unsigned i = 0; i < n->topology.elaborations; i++) {
    ut_spec_detach(&n->group[i]);
    if (!ut_spec_attach(&n->group[i], alone ? UT_SPEC_STEPS : use))
      return false;
  }
  return true;
}

uint32_t ut_network_spec_differing(const struct ut_network *n) {
  uint32_t lowest = UINT32_MAX;
  for (unsigned i = 0; i < n->topology.elaborations; i++) {
    const uint32_t sw = ut_spec_differing(&n->group[i]);
    lowest = sw < lowest ? sw : lowest;
  }
  return lowest;
}

uint64_t ut_network_spec_compared(const struct ut_network *n) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < n->topology.elaborations; i++)
    sum += ut_spec_compared(&n->group[i]);
  return sum;
}

static bool begin(struct ut_network *n) {
  return !ut_network_unmodelled(n) || ut_network_use_spec(n, UT_SPEC_STEPS);
}

/* ---- one cycle */

static void step(struct ut_network *n, struct ut_partition *piece, const struct ut_span *span) {
  const struct ut_cycle c = {
      .wires = &n->wires,
      .flits = ut_network_flit_in(n, 0, 0),
      .credits = ut_network_credit_in(n, 0, 0),
      .flits_later = ut_network_flit_in(n, n->link_cycles, 0),
      .credits_later = ut_network_credit_in(n, n->link_cycles, 0),
      .in_up = n->in_up,
      .out_up = n->out_up,
      .report = n->report,
      .reports = n->reports,
      .config = n->manager.word,
      .order = n->purge_protocol.word,
  };
  piece->flit_hops += ut_group_step(&n->group[span->elaboration], &c, span->block, span->blocks, &piece->events);
}

static void count_flits(struct ut_network *n) {
  for (uint32_t s = 0; s < n->topology.switches; s++)
    UT_FOR_EACH (op, ut_reg_valid(ut_network_group(n, s), ut_network_switch(n, s)))
      n->link_flits[(size_t)s * n->topology.po + op]++;
}

static uint32_t reports(struct ut_network *n, const struct ut_event *e) {
  const struct ut_group *g = ut_network_group(n, e->sw);
  const struct ut_switch *s = ut_switch_of(g, e->sw);
  if (g->form.states && ut_node_states_of(g, s)->changed && n->cycle + 1 - n->settling.since > n->settling.longest)
    n->settling.longest = n->cycle + 1 - n->settling.since;
  return ut_switch_report(g, s);
}

/* ---- faults */

static bool is_cut(const struct ut_network *n, const struct ut_peer *to, unsigned vc) {
  return to->kind == UT_PEER_SWITCH &&
         ut_reg_cut(ut_network_group(n, to->index), ut_network_switch(n, to->index), to->port, vc);
}

/* Of a switch that fails: flits that it would have refused in this cycle, because the link went down before it
 * did, and of which its reset makes it forget the position. */
static void lose_refused(struct ut_network *n, uint32_t id) {
  const struct ut_wires *w = &n->wires;
  for (unsigned ip = 0; ip < ut_network_group(n, id)->shape.pi; ip++)
    for (unsigned v = 0; v < n->v && !(n->in_up[id] >> ip & 1); v++) {
      const struct ut_peer end = {.kind = UT_PEER_SWITCH, .index = id, .port = (uint8_t)ip};
      const uint32_t input = ut_network_lane(n, &end, v);
      if (*ut_network_flit_in(n, 0, input) & UT_KIND_HEAD)
        ut_terminals_discard(&n->terminals, *ut_wires_flit(w, input, ut_position_at(w->write, input, w->wide)),
                             UT_DISCARD_CUT_BY_FAULT);
      *ut_network_flit_in(n, 0, input) = 0;
    }
}

/* Counts the packets whose heads are in an output queue of a switch that fails. */
static void lose_queued(struct ut_network *n, const struct ut_group *g, const struct ut_switch *s) {
  for (unsigned op = 0; op < g->shape.po; op++)
    for (unsigned v = 0; v < n->v; v++)
      for (unsigned i = 0; i < ut_reg_queue_count(g, s, op, v); i++) {
        const uint64_t *flit = ut_reg_queue_peek(g, s, op, v, i);
        if (flit[n->words] & UT_KIND_HEAD)
          ut_terminals_discard(&n->terminals, flit[0], UT_DISCARD_IN_FAILED_SWITCH);
      }
}

/* Counts the packets whose heads are in a switch that fails. */
static void lose_contents(struct ut_network *n, uint32_t id) {
  const struct ut_group *g = ut_network_group(n, id);
  const struct ut_switch *s = ut_switch_of(g, id);
  for (unsigned ip = 0; ip < g->shape.pi; ip++)
    for (unsigned v = 0; v < n->v; v++)
      for (unsigned i = 0; i < ut_reg_count(g, s, ip, v); i++) {
        /* one that is drained is already counted as unreachable */
        const bool discarded = i == 0 && ut_reg_state(g, s, ip, v) == UT_VC_STATE_DRAIN;
        const uint64_t *flit = ut_reg_peek(g, s, ip, v, i);
        const bool head = i == 0 ? ut_reg_front_is_head(g, s, ip, v) : flit[n->words] & UT_KIND_HEAD;
        if (head && !discarded)
          ut_terminals_discard(&n->terminals, flit[0], UT_DISCARD_IN_FAILED_SWITCH);
      }
  lose_queued(n, g, s);
  lose_refused(n, id);
}

/* ---- rest */

/* Of switches that the spec steps, which look at everything in every cycle. */
static bool spec_rests(const struct ut_group *g) {
  bool rest = !g->spec->cover; /* each cycle counts for what is covered */
  for (uint32_t i = 0; i < g->count && rest; i++)
    rest = ut_reg_idle(g, ut_switch_of(g, g->first + i));
  return rest;
}

static bool group_rests(const struct ut_group *g) {
  static const uint64_t nothing[UT_SET_WORDS];
  if (g->spec && g->spec->use == UT_SPEC_STEPS)
    return spec_rests(g);
  bool rest = true;
  for (uint32_t i = 0; i < g->blocks && rest; i++)
    rest = ut_block_is_idle(ut_block_at(g, i, g->form), nothing, 0, g->form);
  return rest;
}

static bool rest(const struct ut_network *n) {
  bool all = true;
  for (unsigned i = 0; i < n->topology.elaborations && all; i++)
    all = group_rests(&n->group[i]);
  return all;
}

const struct ut_switches ut_switches_model = {
    .init = init,
    .begin = begin,
    .fini = fini,
    .reset = reset,
    .configure = configure,
    .disturb = disturb,
    .step = step,
    .reports = reports,
    .lose_contents = lose_contents,
    .is_cut = is_cut,
    .count_flits = count_flits,
    .rest = rest,
    .keep_refused = true,
    .lanes_for_a_thread = 4096,
};
