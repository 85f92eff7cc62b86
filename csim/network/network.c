#include "network.h"

#include "family.h"
#include "node_states.h"
#include "registers.h"

#include <stdlib.h>
#include <string.h>

struct ut_notice {
  uint64_t cycle; /* of arrival */
  uint32_t sw;
  uint32_t reports;
};

static inline size_t words_of(size_t bits) {
  return (bits + 63) / 64;
}

/* ---- life and death */

static void wires_free(struct ut_wires *w) {
  free(w->box), free(w->flit), free(w->active);
}

static size_t flit_slots(const struct ut_network *n) {
  const struct ut_topology *t = &n->topology;
  return (size_t)t->switches * t->pi + (size_t)t->terminals * t->ejections;
}

static bool wires_init(struct ut_wires *w, const struct ut_network *n) {
  w->box = calloc((size_t)n->nodes * (1 + n->v), sizeof *w->box);
  w->flit = calloc(flit_slots(n) * (n->words + 1), sizeof *w->flit);
  w->active = calloc(words_of(8 * (size_t)n->nodes) + 1, 8);
  return w->box && w->flit && w->active;
}

void ut_network_fini(struct ut_network *n) {
  for (unsigned i = 0; n->wires && i < n->slots; i++)
    wires_free(&n->wires[i]);
  free(n->wires), free(n->to), free(n->from);
  free(n->in_up), free(n->out_up), free(n->report), free(n->failed), free(n->stepped);
  free(n->reported), free(n->notice), free(n->changed);
  free(n->link_flits);
  ut_terminals_fini(&n->terminals);
  ut_manager_fini(&n->manager);
  ut_guide_fini(&n->guide);
  ut_service_fini(&n->service);
  for (unsigned i = 0; i < n->topology.elaborations; i++)
    ut_group_fini(&n->group[i]);
  ut_faults_free(&n->faults);
  ut_traffic_free(&n->traffic);
  ut_topology_free(&n->topology);
  memset(n, 0, sizeof *n);
}

/* A golden switch discards a packet. */
static void on_discard(void *ctx, uint32_t id, uint64_t header, enum ut_dropped why) {
  static const enum ut_discard_reason reason[] = {[UT_DROPPED_UNREACHABLE] = UT_DISCARD_UNREACHABLE,
                                                  [UT_DROPPED_CUT] = UT_DISCARD_CUT_BY_FAULT,
                                                  [UT_DROPPED_PURGED] = UT_DISCARD_PURGED};
  (void)id;
  ut_terminals_discard(&((struct ut_network *)ctx)->terminals, header, reason[why]);
}

/* The end of a channel, as a place on the wires. */
static struct ut_end end_of(const struct ut_network *n, const struct ut_peer *p) {
  switch (p->kind) {
  case UT_PEER_SWITCH: return (struct ut_end){p->index, ut_bit(p->port)};
  case UT_PEER_TERMINAL: return (struct ut_end){n->terminals.first_node + p->index, ut_bit(p->port)};
  default: return (struct ut_end){0};
  }
}

/* Where flits to a switch lie on the wires. */
static uint32_t switch_slot(const struct ut_network *n, uint32_t s, unsigned ip) {
  return (s * n->topology.pi + ip) * (n->words + 1);
}

/* Where flits to a peer lie on the wires. */
static uint32_t slot_of(const struct ut_network *n, const struct ut_peer *p) {
  return (uint32_t)ut_network_slot(n, p) * (n->words + 1);
}

/* What arrives so many cycles from now. */
static inline const struct ut_wires *wires_in(const struct ut_network *n, unsigned cycles) {
  return &n->wires[(n->cycle + cycles) % n->slots];
}

/* Joins the ports of the golden switches to the wires. */
static void connect(struct ut_network *n) {
  const struct ut_topology *t = &n->topology;
  for (uint32_t i = 0; i < t->switches; i++) {
    const struct ut_group *g = ut_network_group(n, i);
    struct ut_switch *s = ut_switch_of(g, i);
    for (unsigned op = 0; op < g->shape.po; op++) {
      const size_t channel = (size_t)i * t->po + op;
      ut_switch_wire_output(g, s, op, n->to[channel], slot_of(n, &t->peer[channel]));
    }
    for (unsigned ip = 0; ip < g->shape.pi; ip++)
      ut_switch_wire_input(g, s, ip, n->from[(size_t)i * t->pi + ip], switch_slot(n, i, ip));
  }
}

/* Joins the terminals to the wires. */
static void connect_terminals(struct ut_network *n) {
  const struct ut_topology *t = &n->topology;
  const uint32_t first = ut_topology_injection(t, 0, 0);
  for (uint32_t i = 0; i < t->terminals * t->injections; i++) {
    n->terminals.injection[i].to = n->to[first + i];
    n->terminals.injection[i].to_slot = slot_of(n, &t->peer[first + i]);
  }
  for (uint32_t i = 0; i < t->terminals * t->ejections; i++) {
    const struct ut_peer from = ut_topology_sender(t, t->ejection[i]);
    n->terminals.ejection[i].from = end_of(n, &from);
    n->terminals.ejection[i].slot = slot_of(n, &t->peer[t->ejection[i]]);
  }
}

static bool allocate(struct ut_network *n) {
  const struct ut_topology *t = &n->topology;
  const size_t switches = t->switches, inputs = switches * t->pi;
  n->terminals.first_node = (uint32_t)((switches + 7) / 8 * 8);
  n->nodes = n->terminals.first_node + t->terminals;
  n->wires = calloc(n->slots, sizeof *n->wires);
  n->to = calloc(t->channels, sizeof *n->to);
  n->from = calloc(inputs, sizeof *n->from);
  if (!n->wires || !n->to || !n->from)
    return false;
  for (unsigned i = 0; i < n->slots; i++)
    if (!wires_init(&n->wires[i], n))
      return false;
  for (uint32_t i = 0; i < t->channels; i++)
    n->to[i] = end_of(n, &t->peer[i]);
  for (size_t i = 0; i < inputs; i++)
    if (t->feeder[i] != UT_NO_CHANNEL) {
      const struct ut_peer from = ut_topology_sender(t, t->feeder[i]);
      n->from[i] = end_of(n, &from);
    }
  n->in_up = calloc(switches, sizeof *n->in_up);
  n->out_up = calloc(switches, sizeof *n->out_up);
  n->report = calloc(switches * n->reports, sizeof *n->report);
  n->failed = calloc(words_of(switches), 8);
  n->stepped = calloc(words_of(8 * switches), 8);
  n->reported = calloc(switches, sizeof *n->reported);
  n->changed = calloc(t->channels, sizeof *n->changed);
  return n->in_up && n->out_up && n->report && n->failed && n->stepped && n->reported && n->changed;
}

/* The golden switches, a group for each elaboration. */
static bool make_groups(struct ut_network *n) {
  const struct ut_topology *t = &n->topology;
  const bool alike = n->injection_cycles == n->link_cycles && n->ejection_cycles == n->link_cycles;
  for (unsigned i = 0; i < t->elaborations; i++) {
    struct ut_group *g = &n->group[i];
    if (!ut_group_init(g, &n->shape[i], t->elaboration[i].first, t->elaboration[i].count))
      return false;
    g->on_discard = on_discard;
    g->ctx = n;
    if (!alike) /* the short way knows one length */
      g->quiet_steps = NULL;
  }
  return true;
}

/* A node must be stepped in this cycle. */
static void wake(struct ut_network *n, uint32_t node) {
  n->wires[n->cycle % n->slots].active[node] = 1;
}

static void reset_switch(struct ut_network *n, uint32_t s) {
  if (n->backend)
    n->backend->reset(n->backend->self, s, n->topology.straps[s]);
  else
    ut_switch_reset(ut_network_group(n, s), ut_network_switch(n, s), n->topology.straps[s]);
}

/* Gives every switch the tables of the fault-free network. */
static bool load_tables(struct ut_network *n, const struct ut_scenario *s) {
  struct ut_manager *m = &n->manager;
  if (!n->shape->destinations)
    return true;
  if (!ut_manager_init(m, &n->topology, n->shape, s->routing.tables == UT_TABLES_RECONFIGURED,
                       s->routing.manager_delay_cycles, s->routing.manager_switch_cycles))
    return false;
  ut_forwarding_survey(&m->forwarding, n->out_up);
  for (uint32_t sw = 0; sw < n->topology.switches; sw++)
    for (uint32_t i = 0; i < m->entries; i++) {
      uint64_t word = ut_manager_boot(m, sw, i);
      if (n->backend)
        n->backend->configure(n->backend->self, sw, word);
      else
        ut_switch_configure(ut_network_group(n, sw), ut_network_switch(n, sw), word);
    }
  return true;
}

/* What terminals know.  Faults of cycle 0 are there before it. */
static int inform_terminals(struct ut_network *n, const struct ut_scenario *s, struct ut_error *e) {
  const bool choices = n->topology.family->choices, states = UT_ALG_STATES(n->shape->route, n->shape->algorithm);
  if (choices &&
      !ut_guide_init(&n->guide, &n->topology, s->routing.manager_delay_cycles, s->routing.manager_switch_cycles))
    return ut_fail(e, UT_INTERNAL, "%s: not enough memory for what terminals know", s->path);
  if (states && ut_service_init(&n->service, &n->topology, s->run.seed, e))
    return -1;
  while (ut_faults_next(&n->faults, 0))
    ;
  if (choices) {
    ut_guide_begin(&n->guide, &n->faults);
    n->terminals.guide = &n->guide;
  }
  if (states) {
    ut_service_survey(&n->service, &n->faults);
    n->terminals.service = &n->service;
    ut_recall_init(&n->recall, &n->service, n->link_cycles, s->routing.patience_cycles);
  }
  ut_faults_rewind(&n->faults);
  return 0;
}

int ut_network_init(struct ut_network *n, const struct ut_scenario *s, const struct ut_backend *backend,
                    struct ut_error *e) {
  memset(n, 0, sizeof *n);
  n->scenario = s;
  n->recall.next_cycle = UINT64_MAX;
  n->backend = backend;
  if (ut_scenario_planned(s) && !s->paths)
    return ut_fail(e, UT_INTERNAL, "%s: the routes have not been planned", s->path);
  if (ut_topology_init(&n->topology, s, e))
    return -1;
  const struct ut_topology *t = &n->topology;
  for (unsigned i = 0; i < t->elaborations; i++)
    if (ut_scenario_shape(s, &t->elaboration[i], &n->shape[i], e)) {
      ut_network_fini(n);
      return -1;
    }
  n->v = n->shape->v;
  n->words = n->shape->w / 64;
  n->link_cycles = s->topology.link_cycles;
  n->injection_cycles = s->topology.injection_cycles ? s->topology.injection_cycles : n->link_cycles;
  n->ejection_cycles = s->topology.ejection_cycles ? s->topology.ejection_cycles : n->link_cycles;
  n->slots = n->link_cycles > n->injection_cycles ? n->link_cycles : n->injection_cycles;
  n->slots = (n->slots > n->ejection_cycles ? n->slots : n->ejection_cycles) + 1;
  if (ut_traffic_init(&n->traffic, s, t->terminals, e) || ut_faults_init(&n->faults, s, t, e)) {
    ut_network_fini(n);
    return -1;
  }
  n->reports = ut_shape_reports(n->shape);
  if (!ut_terminals_init(&n->terminals, &n->traffic, t, n->shape, s->paths, backend == NULL) || !allocate(n) ||
      (!backend && !make_groups(n))) {
    ut_network_fini(n);
    return ut_fail(e, UT_INTERNAL, "%s: not enough memory for a network of %u switches; try a smaller one", s->path,
                   ut_scenario_switches(s));
  }
  if (inform_terminals(n, s, e)) {
    ut_network_fini(n);
    return -1;
  }
  n->terminals.window_start = s->run.warmup_cycles;
  n->terminals.window_end = ut_network_planned(s);
  for (uint32_t i = 0; i < t->switches; i++) {
    n->in_up[i] = (ut_mask)ut_faults_in_up(&n->faults, i);
    n->out_up[i] = (ut_mask)ut_faults_out_up(&n->faults, i);
    reset_switch(n, i);
    wake(n, i);
  }
  if (!load_tables(n, s)) {
    ut_network_fini(n);
    return ut_fail(e, UT_INTERNAL, "%s: not enough memory for forwarding tables; try a smaller network", s->path);
  }
  if (!backend)
    connect(n);
  connect_terminals(n);
  for (uint32_t i = 0; i < t->terminals; i++)
    wake(n, n->terminals.first_node + i);
  return 0;
}

bool ut_network_count_links(struct ut_network *n) {
  n->link_flits = calloc((size_t)n->topology.switches * n->topology.po, sizeof *n->link_flits);
  return n->link_flits != NULL;
}

uint64_t ut_network_planned(const struct ut_scenario *s) {
  return s->run.warmup_cycles + s->run.measure_cycles;
}

/* ---- losses */

/* A flit is lost on a wire.  Only its head matters: the packet is where its head is. */
static void lose_flit(struct ut_network *n, unsigned tag, uint64_t header) {
  if (tag & UT_KIND_HEAD)
    ut_terminals_discard(&n->terminals, header, UT_DISCARD_CUT_BY_FAULT);
}

/* The flit that lies in a slot of the wires is lost. */
static void lose_slot(struct ut_network *n, const struct ut_wires *w, uint32_t slot) {
  const uint64_t *flit = w->flit + slot;
  lose_flit(n, ut_flit_tag(flit[n->words]), flit[0]);
}

/* Empties a channel: the flits under way through it, and the credits back. */
static void flush_wires(struct ut_network *n, uint32_t channel) {
  const struct ut_topology *t = &n->topology;
  const struct ut_peer sender = ut_topology_sender(t, channel);
  const struct ut_end to = n->to[channel], from = end_of(n, &sender);
  for (unsigned i = 0; i < n->slots; i++) {
    if (i == n->cycle % n->slots) /* arrives now: the receiver refuses it by itself */
      continue;
    struct ut_wires *w = &n->wires[i];
    ut_mask *flits = w->box + (size_t)to.node * (1 + n->v), *credits = w->box + (size_t)from.node * (1 + n->v) + 1;
    if (*flits & to.bit)
      lose_slot(n, w, slot_of(n, &t->peer[channel]));
    *flits &= ~to.bit;
    for (unsigned v = 0; v < n->v; v++)
      credits[v] &= ~from.bit;
  }
}

/* Counts the packets whose heads are in a golden switch that fails. */
static void lose_contents(struct ut_network *n, uint32_t id) {
  if (n->backend)
    return;
  const struct ut_group *g = ut_network_group(n, id);
  const struct ut_switch *s = ut_switch_of(g, id);
  for (unsigned ip = 0; ip < g->shape.pi; ip++)
    for (unsigned v = 0; v < n->v; v++) {
      unsigned count = ut_reg_count(g, s, ip, v), state = ut_reg_state(g, s, ip, v);
      for (unsigned i = 0; i < count; i++) {
        bool discarded = i == 0 && state == UT_VC_STATE_DRAIN; /* already counted as unreachable */
        const uint64_t *flit = ut_reg_peek(g, s, ip, v, i);
        bool head = i == 0 ? ut_reg_front_is_head(g, s, ip, v) : flit[n->words] & UT_KIND_HEAD;
        if (head && !discarded)
          ut_terminals_discard(&n->terminals, flit[0], UT_DISCARD_IN_FAILED_SWITCH);
      }
    }
}

/* ---- neighbours' reports */

static void report(struct ut_network *n, uint32_t s, uint32_t reports) {
  n->reported[s] = reports;
  if (n->notices == n->notice_room) {
    size_t room = n->notice_room ? 2 * n->notice_room : 64;
    struct ut_notice *bigger = realloc(n->notice, room * sizeof *bigger);
    if (!bigger) {
      n->failure = true;
      return;
    }
    n->notice = bigger;
    n->notice_room = room;
  }
  n->notice[n->notices++] = (struct ut_notice){n->cycle + n->link_cycles, s, reports};
}

/* What a switch sees of its links or neighbours has changed. */
static void disturb(struct ut_network *n, uint32_t s) {
  if (!n->backend)
    ut_network_switch(n, s)->quiet = false;
  wake(n, s);
}

static void deliver_reports(struct ut_network *n) {
  size_t done = 0;
  while (done < n->notices && n->notice[done].cycle <= n->cycle) {
    const struct ut_notice *notice = &n->notice[done++];
    for (unsigned port = 0; port < n->topology.po; port++) {
      const uint32_t channel = notice->sw * n->topology.po + port, back = ut_topology_twin(&n->topology, channel);
      const struct ut_peer *p = &n->topology.peer[channel];
      if (p->kind != UT_PEER_SWITCH || back == UT_NO_CHANNEL)
        continue;
      ut_report_hear(n->report + (size_t)p->index * n->reports, n->reports, back % n->topology.po, notice->reports);
      disturb(n, p->index);
    }
  }
  memmove(n->notice, n->notice + done, (n->notices - done) * sizeof *n->notice);
  n->notices -= done;
}

/* ---- faults */

static void set_bit(ut_mask *mask, unsigned port, bool value) {
  *mask = value ? *mask | ut_bit(port) : *mask & ~ut_bit(port);
}

/* One end of a channel sees its new state. */
static void tell_end(struct ut_network *n, const struct ut_peer *p, ut_mask *switches, bool *terminal, bool up) {
  if (p->kind == UT_PEER_SWITCH) {
    set_bit(&switches[p->index], p->port, up);
    disturb(n, p->index);
    return;
  }
  *terminal = up;
  n->terminals.terminal[p->index].usual = false;
  wake(n, n->terminals.first_node + p->index);
}

/* Reads the state of a channel anew. */
static void channel_changed(struct ut_network *n, uint32_t channel) {
  const struct ut_topology *t = &n->topology;
  const struct ut_peer from = ut_topology_sender(t, channel), *to = &t->peer[channel];
  if (to->kind == UT_PEER_NONE)
    return;
  bool *injection = NULL, *ejection = NULL;
  if (from.kind == UT_PEER_TERMINAL)
    injection = &n->terminals.injection[(size_t)from.index * t->injections + from.port].link_up;
  if (to->kind == UT_PEER_TERMINAL)
    ejection = &n->terminals.ejection[(size_t)to->index * t->ejections + to->port].link_up;
  const bool up = ut_faults_channel_up(&n->faults, channel);
  if (up == (injection ? *injection : n->out_up[from.index] >> from.port & 1))
    return;
  tell_end(n, &from, n->out_up, injection, up);
  tell_end(n, to, n->in_up, ejection, up);
  n->changed[n->changes++] = channel;
  flush_wires(n, channel);
}

static void component_changed(struct ut_network *n, const struct ut_component *c) {
  const struct ut_topology *t = &n->topology;
  if (c->kind == UT_FAULT_LINK) {
    channel_changed(n, c->channel);
    if (c->both)
      channel_changed(n, ut_topology_twin(t, c->channel));
    return;
  }
  for (unsigned port = 0; port < t->po; port++)
    channel_changed(n, c->sw * t->po + port);
  for (unsigned port = 0; port < t->pi; port++)
    if (t->feeder[(size_t)c->sw * t->pi + port] != UT_NO_CHANNEL)
      channel_changed(n, t->feeder[(size_t)c->sw * t->pi + port]);
}

static void apply_faults(struct ut_network *n) {
  const struct ut_fault_event *event;
  bool back = false, nodes = false;
  /* what entered a wire while its link went down is lost too (one cycle later than the rest) */
  size_t old = n->changes;
  n->changes = 0;
  for (size_t i = 0; i < old; i++)
    flush_wires(n, n->changed[i]);
  while ((event = ut_faults_next(&n->faults, n->cycle))) {
    const uint32_t sw = event->what.sw;
    if (event->what.kind == UT_FAULT_SWITCH) {
      if (!event->up) {
        lose_contents(n, sw);
        ut_bitmap_set(n->failed, sw);
      } else {
        ut_bitmap_clear(n->failed, sw);
      }
      reset_switch(n, sw);
      if (n->reported[sw]) /* a switch in reset reports nothing */
        report(n, sw, 0);
      wake(n, sw);
    }
    back |= event->up;
    nodes |= event->what.kind == UT_FAULT_SWITCH;
    component_changed(n, &event->what);
    ut_manager_tell(&n->manager, n->cycle);
    if (n->terminals.guide && n->cycle > 0)
      ut_guide_tell(&n->guide, n->cycle);
  }
  if (n->terminals.service && nodes && n->cycle > 0) {
    n->settling.since = n->cycle;
    ut_service_survey(&n->service, &n->faults);
    ut_recall_tell(&n->recall, n->cycle, back);
  }
}

/* ---- forwarding tables */

static void manage(struct ut_network *n) {
  struct ut_manager *m = &n->manager;
  ut_manager_step(m, &n->faults, n->out_up, n->cycle);
  for (uint32_t i = 0; i < m->streams; i++)
    disturb(n, m->stream[i].sw);
}

/* ---- orders to all switches */

static void recall(struct ut_network *n) {
  ut_recall_step(&n->recall, n->cycle);
  for (uint32_t i = 0; n->recall.word && i < n->topology.switches; i++)
    wake(n, i);
}

/* ---- one cycle */

/* Puts what a switch drives onto its wires. */
static void drive(struct ut_network *n, uint32_t s, const struct ut_switch_out *out) {
  const struct ut_topology *t = &n->topology;
  const struct ut_end *to = n->to + (size_t)s * t->po, *from = n->from + (size_t)s * t->pi;
  const struct ut_peer *peer = t->peer + (size_t)s * t->po;
  const struct ut_wires *links = wires_in(n, n->link_cycles), *ejections = wires_in(n, n->ejection_cycles);
  const struct ut_wires *injections = wires_in(n, n->injection_cycles);
  UT_FOR_EACH(op, out->valid)
  ut_wires_flit(peer[op].kind == UT_PEER_TERMINAL ? ejections : links, &to[op], slot_of(n, &peer[op]),
                out->flit + op * out->stride, n->v, n->words);
  for (unsigned v = 0; v < n->v; v++)
    UT_FOR_EACH(ip, out->credit[v])
  ut_wires_credit(from[ip].node >= n->terminals.first_node ? injections : links, &from[ip], v, n->v);
  if (out->reports != n->reported[s])
    report(n, s, out->reports);
}

/* Empties a node's box. */
static inline void clear_box(struct ut_network *n, ut_mask *box) {
  for (unsigned i = 0; i <= n->v; i++)
    box[i] = 0;
}

/* A switch that is not quiet, or not golden. Returns whether it must be stepped again even if nothing arrives. */
static bool step_switch(struct ut_network *n, uint32_t s, const struct ut_wires *now) {
  ut_mask *box = now->box + (size_t)s * (1 + n->v);
  struct ut_switch_in in = {
      .in_up = n->in_up[s],
      .out_up = n->out_up[s],
      .valid = box[0],
      .report = n->report + (size_t)s * n->reports,
      .credit = box + 1,
      .flit = now->flit + switch_slot(n, s, 0),
      .config = n->manager.word ? n->manager.word[s] : n->recall.word,
  };
  struct ut_switch_out out;
  if (n->backend) {
    n->backend->step(n->backend->self, s, &in, &out);
  } else {
    const struct ut_group *g = ut_network_group(n, s);
    struct ut_switch *sw = ut_switch_of(g, s);
    UT_FOR_EACH(ip, in.valid & ~(in.in_up & sw->in_up)) lose_slot(n, now, switch_slot(n, s, ip));
    ut_switch_step(g, sw, &in);
    if (g->traits.states && ut_node_states_of(g, sw)->changed && n->cycle + 1 - n->settling.since > n->settling.longest)
      n->settling.longest = n->cycle + 1 - n->settling.since;
    out = ut_switch_drives(g, sw);
  }
  clear_box(n, box);
  drive(n, s, &out);
  n->flit_hops += (unsigned)__builtin_popcount(out.valid);
  return out.busy;
}

/* A failed switch: everything that arrives is lost. */
static void skip_failed(struct ut_network *n, uint32_t s, const struct ut_wires *now) {
  ut_mask *box = now->box + (size_t)s * (1 + n->v);
  UT_FOR_EACH(ip, box[0]) lose_slot(n, now, switch_slot(n, s, ip));
  clear_box(n, box);
}

/* Steps a switch that has work, in general. */
static void step_any(void *ctx, uint32_t s) {
  struct ut_network *n = ctx;
  const struct ut_wires *now = wires_in(n, 0);
  if (ut_bitmap_get(n->failed, s))
    skip_failed(n, s, now);
  else
    wires_in(n, 1)->active[s] |= step_switch(n, s, now);
}

/* The active switches first..first+count-1 in general. */
static void step_range(struct ut_network *n, uint32_t first, uint32_t count, const struct ut_wires *now) {
  for (uint32_t base = 0; base < count; base += 8)
    for (uint64_t work = ut_wires_take(now, first + base, count - base); work; work &= work - 1) /* bytes of value 1 */
      step_any(n, first + base + (uint32_t)__builtin_ctzll(work) / 8);
}

static void count_flits(struct ut_network *n) {
  for (uint32_t s = 0; s < n->topology.switches; s++) {
    const ut_mask valid = n->stepped[s] ? ut_reg_valid(ut_network_group(n, s), ut_network_switch(n, s)) : 0;
    UT_FOR_EACH(op, valid) n->link_flits[(size_t)s * n->topology.po + op]++;
  }
}

static void step_switches(struct ut_network *n) {
  const struct ut_wires *now = wires_in(n, 0), *later = wires_in(n, n->link_cycles);
  const size_t words = (n->topology.switches + 7) / 8;
  memcpy(n->stepped, now->active, words * 8);
  for (size_t w = 0; w < words; w++)
    n->switch_steps += (unsigned)__builtin_popcountll(((const uint64_t *)now->active)[w]);
  for (unsigned i = 0; i < n->topology.elaborations; i++) {
    const struct ut_elaboration *e = &n->topology.elaboration[i];
    const struct ut_group *g = &n->group[i];
    if (g->quiet_steps)
      n->flit_hops += g->quiet_steps(g, now, later, wires_in(n, 1)->active, step_any, n);
    else
      step_range(n, e->first, e->count, now);
  }
  if (n->link_flits)
    count_flits(n);
}

void ut_network_step(struct ut_network *n) {
  if (n->cycle == n->terminals.window_end)
    n->terminals.stop_generation = true;
  if (n->changes || ut_faults_next_cycle(&n->faults) <= n->cycle)
    apply_faults(n);
  if (n->notices)
    deliver_reports(n);
  if (n->manager.word && n->manager.next_cycle <= n->cycle)
    manage(n);
  if (n->recall.next_cycle <= n->cycle)
    recall(n);
  if (n->terminals.guide && n->guide.next_cycle <= n->cycle)
    ut_guide_step(&n->guide, &n->faults, n->cycle);
  ut_terminals_step(&n->terminals, n->cycle, wires_in(n, 0), wires_in(n, n->injection_cycles),
                    wires_in(n, n->ejection_cycles), wires_in(n, 1)->active);
  n->failure |= n->terminals.failure;
  step_switches(n);
  n->cycle++;
}

/* ---- results */

uint64_t ut_network_outstanding(const struct ut_network *n) {
  const struct ut_accounts *a = &n->terminals.accounts;
  return a->injected - a->delivered - ut_accounts_discarded(a);
}

/* All packets that still wait are at terminals whose links stay down. */
static bool none_can_leave(const struct ut_network *n) {
  if (ut_faults_next_cycle(&n->faults) != UINT64_MAX)
    return false;
  const unsigned links = n->topology.injections;
  for (uint32_t i = 0; i < n->topology.terminals * links; i++)
    if (n->terminals.terminal[i / links].end != n->terminals.terminal[i / links].injected &&
        ut_faults_channel_up(&n->faults, ut_topology_injection(&n->topology, 0, 0) + i))
      return false;
  return true;
}

bool ut_network_done(const struct ut_network *n) {
  if (n->cycle < n->terminals.window_end)
    return false;
  if (!n->scenario->run.drain || n->cycle >= n->terminals.window_end + n->scenario->run.drain_limit_cycles)
    return true;
  return ut_network_outstanding(n) == 0 && none_can_leave(n);
}

/* Heads in the buffers of a golden switch; one that is being drained has been counted as discarded. */
static unsigned heads_in_switch(const struct ut_group *g, const struct ut_switch *s) {
  unsigned heads = 0;
  for (unsigned ip = 0; ip < g->shape.pi; ip++)
    for (unsigned v = 0; v < g->shape.v; v++) {
      const unsigned count = ut_reg_count(g, s, ip, v);
      if (count && ut_reg_state(g, s, ip, v) != UT_VC_STATE_DRAIN)
        heads += ut_reg_front_is_head(g, s, ip, v);
      for (unsigned i = 1; i < count; i++)
        heads += ut_reg_peek(g, s, ip, v, i)[g->traits.words] & UT_KIND_HEAD;
    }
  return heads;
}

/* Heads on the wires to the nodes. */
static uint64_t heads_on_wires(const struct ut_network *n, const struct ut_wires *w) {
  const uint64_t *active = (const uint64_t *)w->active;
  uint64_t heads = 0;
  for (uint32_t base = 0; base < n->nodes; base += 8)
    for (uint64_t work = active[base / 8]; work; work &= work - 1) { /* bytes of value 1 */
      const uint32_t node = base + (uint32_t)__builtin_ctzll(work) / 8;
      const bool terminal = node >= n->terminals.first_node;
      UT_FOR_EACH(port, w->box[(size_t)node * (1 + n->v)]) {
        const struct ut_peer to = {terminal ? node - n->terminals.first_node : node, (uint8_t)port,
                                   terminal ? UT_PEER_TERMINAL : UT_PEER_SWITCH};
        const uint32_t slot = slot_of(n, &to);
        heads += w->flit[slot + n->words] & UT_KIND_HEAD;
      }
    }
  return heads;
}

uint64_t ut_network_in_flight(const struct ut_network *n) {
  uint64_t heads = n->terminals.receiving;
  for (unsigned i = 0; i < n->topology.elaborations; i++)
    for (uint32_t s = 0; s < n->group[i].count; s++)
      heads += heads_in_switch(&n->group[i], ut_switch_of(&n->group[i], n->group[i].first + s));
  for (unsigned w = 0; w < n->slots; w++)
    heads += heads_on_wires(n, &n->wires[w]);
  return heads;
}

bool ut_network_states_agree(const struct ut_network *n) {
  bool agree = true;
  for (uint32_t i = 0; i < n->topology.switches && n->service.serves; i++) {
    const struct ut_node_states *own = ut_node_states_of(ut_network_group(n, i), ut_network_switch(n, i));
    const uint8_t state = n->service.model.state[i];
    if (state != UT_NODE_FAULTY)
      agree &= own->unsafe == (state != UT_NODE_SAFE) && own->disabled == (state == UT_NODE_DISABLED);
  }
  return agree;
}

uint64_t ut_network_u_turns(const struct ut_network *n) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < n->topology.switches && n->group->memory; i++)
    sum += ut_network_switch(n, i)->u_turns;
  return sum;
}
