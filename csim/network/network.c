#include "network.h"

#include <stdlib.h>
#include <string.h>

struct ut_notice {
  uint64_t cycle; /* of arrival */
  uint32_t sw;
  uint8_t reports;
};

static inline size_t words_of(size_t bits) {
  return (bits + 63) / 64;
}

/* ---- life and death */

static void wires_free(struct ut_wires *w) {
  free(w->box), free(w->flit), free(w->active);
}

static size_t flit_slots(const struct ut_network *n) {
  return (size_t)n->topology.switches * n->topology.pi + n->topology.terminals;
}

static bool wires_init(struct ut_wires *w, const struct ut_network *n) {
  w->box = calloc((size_t)n->nodes * (1 + n->v), sizeof *w->box);
  w->flit = calloc(flit_slots(n) * (n->words + 1), sizeof *w->flit);
  w->active = calloc(words_of(8 * (size_t)n->nodes), 8);
  return w->box && w->flit && w->active;
}

void ut_network_fini(struct ut_network *n) {
  for (unsigned i = 0; n->wires && i < n->slots; i++)
    wires_free(&n->wires[i]);
  free(n->wires), free(n->to), free(n->from);
  free(n->link_up), free(n->neighbour), free(n->far), free(n->failed), free(n->stepped);
  free(n->reported), free(n->notice), free(n->changed);
  free(n->link_flits);
  ut_terminals_fini(&n->terminals);
  ut_manager_fini(&n->manager);
  ut_group_fini(&n->group);
  ut_faults_free(&n->faults);
  ut_traffic_free(&n->traffic);
  ut_topology_free(&n->topology);
  memset(n, 0, sizeof *n);
}

/* A golden switch discards a packet. */
static void on_discard(void *ctx, uint32_t id, uint64_t header, bool cut) {
  (void)id;
  ut_terminals_discard(&((struct ut_network *)ctx)->terminals, header,
                       cut ? UT_DISCARD_CUT_BY_FAULT : UT_DISCARD_UNREACHABLE);
}

/* The other end of a port, as a place on the wires. */
static struct ut_end end_of(const struct ut_network *n, const struct ut_peer *p) {
  switch (p->kind) {
  case UT_PEER_SWITCH: return (struct ut_end){p->index, ut_bit(p->port)};
  case UT_PEER_TERMINAL: return (struct ut_end){n->terminals.first_node + p->index, 1};
  default: return (struct ut_end){0};
  }
}

/* Where flits to a switch lie on the wires. */
static uint32_t switch_slot(const struct ut_network *n, uint32_t s, unsigned ip) {
  return (s * n->topology.pi + ip) * (n->words + 1);
}

/* Where flits to a peer lie on the wires. */
static uint32_t slot_of(const struct ut_network *n, const struct ut_peer *p) {
  uint32_t input = p->index * n->topology.pi + p->port;
  if (p->kind == UT_PEER_TERMINAL)
    input = n->topology.switches * n->topology.pi + p->index;
  return input * (n->words + 1);
}

/* Joins the ports of the golden switches to the wires. */
static void connect(struct ut_network *n) {
  unsigned po = n->topology.po, pi = n->topology.pi;
  for (uint32_t i = 0; i < n->topology.switches; i++) {
    struct ut_switch *s = ut_switch_of(&n->group, i);
    for (unsigned op = 0; op < po; op++) {
      ut_port_at(&n->group, s, op)->to = n->to[(size_t)i * po + op];
      ut_port_at(&n->group, s, op)->to_slot = slot_of(n, &n->topology.peer[(size_t)i * po + op]);
    }
    for (unsigned ip = 0; ip < pi; ip++) {
      ut_port_at(&n->group, s, ip)->from = n->from[(size_t)i * pi + ip];
      ut_port_at(&n->group, s, ip)->from_slot = switch_slot(n, i, ip);
    }
  }
}

static bool allocate(struct ut_network *n) {
  const struct ut_topology *t = &n->topology;
  size_t switches = t->switches, outputs = switches * t->po, inputs = switches * t->pi;
  n->terminals.first_node = (uint32_t)((switches + 7) / 8 * 8);
  n->nodes = n->terminals.first_node + t->terminals;
  n->wires = calloc(n->slots, sizeof *n->wires);
  n->to = calloc(outputs, sizeof *n->to);
  n->from = calloc(inputs, sizeof *n->from);
  if (!n->wires || !n->to || !n->from)
    return false;
  for (unsigned i = 0; i < n->slots; i++)
    if (!wires_init(&n->wires[i], n))
      return false;
  for (size_t i = 0; i < outputs; i++)
    n->to[i] = end_of(n, &t->peer[i]);
  for (size_t i = 0; i < inputs; i++)
    n->from[i] = end_of(n, &t->source[i]);
  n->link_up = calloc(switches, sizeof *n->link_up);
  n->neighbour = calloc(switches, sizeof *n->neighbour);
  n->far = calloc(switches, sizeof *n->far);
  n->failed = calloc(words_of(switches), 8);
  n->stepped = calloc(words_of(8 * switches), 8);
  n->reported = calloc(switches, sizeof *n->reported);
  n->changed = calloc(outputs, sizeof *n->changed);
  return n->link_up && n->neighbour && n->far && n->failed && n->stepped && n->reported && n->changed;
}

/* A node must be stepped in this cycle. */
static void wake(struct ut_network *n, uint32_t node) {
  n->wires[n->cycle % n->slots].active[node] = 1;
}

static void reset_switch(struct ut_network *n, uint32_t s) {
  if (n->backend)
    n->backend->reset(n->backend->self, s, n->topology.straps[s]);
  else
    ut_switch_reset(&n->group, ut_switch_of(&n->group, s), n->topology.straps[s]);
}

/* Gives every switch the tables of the fault-free network. */
static bool load_tables(struct ut_network *n, const struct ut_scenario *s) {
  struct ut_manager *m = &n->manager;
  if (!n->shape.destinations)
    return true;
  if (!ut_manager_init(m, &n->topology, &n->shape, s->routing.tables == UT_TABLES_RECONFIGURED,
                       s->routing.manager_delay_cycles, s->routing.manager_switch_cycles))
    return false;
  ut_planner_survey(&m->planner, n->link_up);
  for (uint32_t sw = 0; sw < n->topology.switches; sw++)
    for (uint32_t i = 0; i < m->entries; i++) {
      uint64_t word = ut_manager_boot(m, sw, i);
      if (n->backend)
        n->backend->configure(n->backend->self, sw, word);
      else
        ut_switch_configure(&n->group, ut_switch_of(&n->group, sw), word);
    }
  return true;
}

int ut_network_init(struct ut_network *n, const struct ut_scenario *s, const struct ut_backend *backend,
                    struct ut_error *e) {
  memset(n, 0, sizeof *n);
  n->scenario = s;
  n->backend = backend;
  if (ut_scenario_planned(s) && !s->paths)
    return ut_fail(e, UT_INTERNAL, "%s: the routes have not been planned", s->path);
  if (ut_scenario_shape(s, &n->shape, e) || ut_topology_init(&n->topology, s, e))
    return -1;
  n->v = n->shape.v;
  n->words = n->shape.w / 64;
  n->slots = s->topology.link_cycles + 1;
  if (ut_traffic_init(&n->traffic, s, n->topology.terminals, e) || ut_faults_init(&n->faults, s, &n->topology, e)) {
    ut_network_fini(n);
    return -1;
  }
  if (!ut_terminals_init(&n->terminals, &n->traffic, n->topology.terminals, &n->shape, s->paths, backend == NULL) ||
      !allocate(n) || (!backend && !ut_group_init(&n->group, &n->shape, n->topology.switches))) {
    ut_network_fini(n);
    return ut_fail(e, UT_INTERNAL, "%s: not enough memory for a network of %u switches; try a smaller one", s->path,
                   ut_scenario_switches(s));
  }
  n->group.on_discard = on_discard;
  n->group.ctx = n;
  n->terminals.window_start = s->run.warmup_cycles;
  n->terminals.window_end = ut_network_planned(s);
  for (uint32_t i = 0; i < n->topology.switches; i++) {
    n->link_up[i] = (ut_mask)ut_faults_links_up(&n->faults, i);
    reset_switch(n, i);
    wake(n, i);
  }
  if (!load_tables(n, s)) {
    ut_network_fini(n);
    return ut_fail(e, UT_INTERNAL, "%s: not enough memory for forwarding tables; try a smaller network", s->path);
  }
  if (!backend)
    connect(n);
  for (uint32_t i = 0; i < n->topology.terminals; i++) {
    const struct ut_attachment *a = &n->topology.attachment[i];
    struct ut_terminal *terminal = &n->terminals.terminal[i];
    terminal->to = (struct ut_end){a->sw, ut_bit(a->in_port)};
    terminal->to_slot = (a->sw * n->topology.pi + a->in_port) * (n->words + 1);
    terminal->from = (struct ut_end){a->sw, ut_bit(a->out_port)};
    terminal->slot = slot_of(n, &(struct ut_peer){.index = i, .kind = UT_PEER_TERMINAL});
    wake(n, n->terminals.first_node + i);
  }
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

/* Empties what is under way towards a switch's input port, and the credits towards the switch from its output port. */
static void flush_wires(struct ut_network *n, uint32_t s, unsigned port) {
  const struct ut_peer *p = &n->topology.peer[(size_t)s * n->topology.po + port];
  for (unsigned i = 0; i < n->slots; i++) {
    if (i == n->cycle % n->slots) /* arrives now: the receiver refuses it by itself */
      continue;
    struct ut_wires *w = &n->wires[i];
    ut_mask *box = w->box + (size_t)s * (1 + n->v);
    if (box[0] & ut_bit(port))
      lose_slot(n, w, switch_slot(n, s, port));
    for (unsigned v = 0; v <= n->v; v++)
      box[v] &= ~ut_bit(port);
    if (p->kind == UT_PEER_TERMINAL) {
      box = w->box + (size_t)(n->terminals.first_node + p->index) * (1 + n->v);
      if (box[0])
        lose_slot(n, w, n->terminals.terminal[p->index].slot);
      memset(box, 0, (1 + n->v) * sizeof *box);
    }
  }
}

/* Counts the packets whose heads are in a golden switch that fails. */
static void lose_contents(struct ut_network *n, uint32_t id) {
  if (n->backend)
    return;
  struct ut_switch *s = ut_switch_of(&n->group, id);
  for (unsigned ip = 0; ip < n->shape.pi; ip++)
    for (unsigned v = 0; v < n->v; v++) {
      unsigned count = *ut_vc_at(&n->group, s, UT_B_COUNT, ip, v), state = *ut_vc_at(&n->group, s, UT_B_STATE, ip, v);
      for (unsigned i = 0; i < count; i++) {
        bool discarded = i == 0 && state == UT_VC_STATE_DRAIN; /* already counted as unreachable */
        const uint64_t *flit = ut_fifo_peek(&n->group, s, ip, v, i);
        bool head = i == 0 ? ut_front_is_head(&n->group, s, ip, v) : flit[n->words] & UT_KIND_HEAD;
        if (head && !discarded)
          ut_terminals_discard(&n->terminals, flit[0], UT_DISCARD_IN_FAILED_SWITCH);
      }
    }
}

/* ---- neighbours' reports */

static void report(struct ut_network *n, uint32_t s, uint8_t reports) {
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
  n->notice[n->notices++] = (struct ut_notice){n->cycle + n->slots - 1, s, reports};
}

/* What a switch sees of its links or neighbours has changed. */
static void disturb(struct ut_network *n, uint32_t s) {
  if (!n->backend)
    ut_switch_of(&n->group, s)->quiet = false;
  wake(n, s);
}

static void deliver_reports(struct ut_network *n) {
  size_t done = 0;
  while (done < n->notices && n->notice[done].cycle <= n->cycle) {
    const struct ut_notice *notice = &n->notice[done++];
    for (unsigned port = 0; port < n->topology.po; port++) {
      const struct ut_peer *p = &n->topology.peer[(size_t)notice->sw * n->topology.po + port];
      if (p->kind != UT_PEER_SWITCH)
        continue;
      ut_mask bit = ut_bit(p->port), *near = &n->neighbour[p->index], *far = &n->far[p->index];
      *near = notice->reports & 1 ? *near | bit : *near & ~bit;
      *far = notice->reports & 2 ? *far | bit : *far & ~bit;
      disturb(n, p->index);
    }
  }
  memmove(n->notice, n->notice + done, (n->notices - done) * sizeof *n->notice);
  n->notices -= done;
}

/* ---- faults */

static void port_changed(struct ut_network *n, uint32_t s, unsigned port) {
  n->changed[n->changes++] = s * n->topology.po + port;
  flush_wires(n, s, port);
}

/* Reads the link states of a switch and its neighbours anew. */
static void links_changed(struct ut_network *n, uint32_t s) {
  ut_mask now = (ut_mask)ut_faults_links_up(&n->faults, s), changed = now ^ n->link_up[s];
  n->link_up[s] = now;
  if (!changed)
    return;
  disturb(n, s);
  UT_FOR_EACH(port, changed) {
    const struct ut_peer *p = &n->topology.peer[(size_t)s * n->topology.po + port];
    port_changed(n, s, port);
    if (p->kind == UT_PEER_SWITCH) {
      links_changed(n, p->index);
    } else if (p->kind == UT_PEER_TERMINAL) {
      n->terminals.terminal[p->index].link_up = now >> port & 1;
      n->terminals.terminal[p->index].usual = false;
      wake(n, n->terminals.first_node + p->index);
    }
  }
}

static void apply_faults(struct ut_network *n) {
  const struct ut_fault_event *event;
  /* what entered a wire while its link went down is lost too (one cycle later than the rest) */
  size_t old = n->changes;
  n->changes = 0;
  for (size_t i = 0; i < old; i++)
    flush_wires(n, n->changed[i] / n->topology.po, n->changed[i] % n->topology.po);
  while ((event = ut_faults_next(&n->faults, n->cycle))) {
    if (event->kind == UT_FAULT_SWITCH) {
      if (!event->up) {
        lose_contents(n, event->sw);
        ut_bitmap_set(n->failed, event->sw);
      } else {
        ut_bitmap_clear(n->failed, event->sw);
      }
      reset_switch(n, event->sw);
      if (n->reported[event->sw]) /* a switch in reset reports nothing */
        report(n, event->sw, 0);
      wake(n, event->sw);
    }
    links_changed(n, event->sw);
    ut_manager_tell(&n->manager, n->cycle);
  }
}

/* ---- forwarding tables */

static void manage(struct ut_network *n) {
  struct ut_manager *m = &n->manager;
  ut_manager_step(m, &n->faults, n->link_up, n->cycle);
  for (uint32_t i = 0; i < m->streams; i++)
    disturb(n, m->stream[i].sw);
}

/* ---- one cycle */

/* Puts what a switch drives onto its wires. */
static void drive(struct ut_network *n, uint32_t s, const struct ut_switch_out *out, const struct ut_wires *later) {
  const struct ut_end *to = n->to + (size_t)s * n->topology.po, *from = n->from + (size_t)s * n->topology.pi;
  const struct ut_peer *peer = n->topology.peer + (size_t)s * n->topology.po;
  UT_FOR_EACH(op, out->valid)
  ut_wires_flit(later, &to[op], slot_of(n, &peer[op]), out->flit + op * out->stride, n->v, n->words);
  for (unsigned v = 0; v < n->v; v++)
    UT_FOR_EACH(ip, out->credit[v]) ut_wires_credit(later, &from[ip], v, n->v);
  if (out->reports != n->reported[s])
    report(n, s, out->reports);
}

static void count_links(struct ut_network *n, uint32_t s, ut_mask valid) {
  UT_FOR_EACH(op, valid) n->link_flits[(size_t)s * n->topology.po + op]++;
}

/* Empties a node's box. */
static inline void clear_box(struct ut_network *n, ut_mask *box) {
  for (unsigned i = 0; i <= n->v; i++)
    box[i] = 0;
}

/* A switch that is not quiet, or not golden. Returns whether it must be stepped again even if nothing arrives. */
static bool step_switch(struct ut_network *n, uint32_t s, const struct ut_wires *now, const struct ut_wires *later) {
  ut_mask *box = now->box + (size_t)s * (1 + n->v);
  struct ut_switch_in in = {
      .in_up = n->link_up[s],
      .out_up = n->link_up[s],
      .valid = box[0],
      .neighbour = n->neighbour[s],
      .far = n->far[s],
      .credit = box + 1,
      .flit = now->flit + switch_slot(n, s, 0),
      .config = n->manager.word ? n->manager.word[s] : 0,
  };
  struct ut_switch_out out;
  if (n->backend) {
    n->backend->step(n->backend->self, s, &in, &out);
  } else {
    struct ut_switch *g = ut_switch_of(&n->group, s);
    UT_FOR_EACH(ip, in.valid & ~(in.in_up & g->in_up)) lose_slot(n, now, switch_slot(n, s, ip));
    ut_switch_step(&n->group, g, &in);
    out = (struct ut_switch_out){
        .valid = g->out_valid,
        .flit = ut_out_at(&n->group, g, 0),
        .stride = (unsigned)ut_port_stride(n->group.traits) / 8,
        .credit = ut_masks(&n->group, g, UT_M_CREDIT, n->v),
        .reports = (uint8_t)(g->fault | g->far << 1),
        .busy = g->busy,
    };
  }
  clear_box(n, box);
  drive(n, s, &out, later);
  n->flit_hops += (unsigned)__builtin_popcount(out.valid);
  if (n->link_flits)
    count_links(n, s, out.valid);
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
  const struct ut_wires *now = &n->wires[n->cycle % n->slots], *next = &n->wires[(n->cycle + 1) % n->slots];
  const struct ut_wires *later = &n->wires[(n->cycle + n->slots - 1) % n->slots];
  if (ut_bitmap_get(n->failed, s))
    skip_failed(n, s, now);
  else
    next->active[s] |= step_switch(n, s, now, later);
}

static void step_switches(struct ut_network *n, const struct ut_wires *now, const struct ut_wires *later,
                          const struct ut_wires *next) {
  const size_t words = (n->topology.switches + 7) / 8;
  uint64_t *active = (uint64_t *)now->active;
  memcpy(n->stepped, active, words * 8);
  for (size_t w = 0; w < words; w++)
    n->switch_steps += (unsigned)__builtin_popcountll(active[w]);
  if (n->group.quiet_steps && !n->link_flits) {
    n->flit_hops += n->group.quiet_steps(&n->group, now, later, next->active, step_any, n);
    return;
  }
  for (size_t w = 0; w < words; w++) {
    uint64_t work = active[w];
    active[w] = 0;
    for (; work; work &= work - 1) /* bytes of value 1 */
      step_any(n, (uint32_t)(8 * w) + (uint32_t)__builtin_ctzll(work) / 8);
  }
}

void ut_network_step(struct ut_network *n) {
  const struct ut_wires *now = &n->wires[n->cycle % n->slots], *next = &n->wires[(n->cycle + 1) % n->slots];
  const struct ut_wires *later = &n->wires[(n->cycle + n->slots - 1) % n->slots];
  if (n->cycle == n->terminals.window_end)
    n->terminals.stop_generation = true;
  if (n->changes || ut_faults_next_cycle(&n->faults) <= n->cycle)
    apply_faults(n);
  if (n->notices)
    deliver_reports(n);
  if (n->manager.word && n->manager.next_cycle <= n->cycle)
    manage(n);
  ut_terminals_step(&n->terminals, n->cycle, now, later, next->active);
  n->failure |= n->terminals.failure;
  step_switches(n, now, later, next);
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
  for (uint32_t i = 0; i < n->topology.terminals; i++) {
    const struct ut_attachment *a = &n->topology.attachment[i];
    if (n->terminals.terminal[i].end != n->terminals.terminal[i].injected &&
        ut_faults_link_up(&n->faults, a->sw, a->out_port))
      return false;
  }
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
UT_INLINE unsigned heads_in_switch(const struct ut_group *g, struct ut_switch *s, const struct ut_traits t) {
  const uint8_t *rd = ut_bytes(s, UT_B_RD, t), *count = ut_bytes(s, UT_B_COUNT, t);
  unsigned heads = 0;
  for (unsigned v = 0; v < t.v; v++) {
    const ut_mask drain = ut_masks(g, s, UT_M_DRAIN, t.v)[v];
    UT_FOR_EACH(ip, ut_masks(g, s, UT_M_OCCUPIED, t.v)[v]) {
      const unsigned flat = ip * t.v + v;
      unsigned slot = rd[flat], left = count[flat];
      for (; left; left--, slot = g->after[slot])
        heads += ut_fifo_of(g, s, flat, slot, t)[t.words] & UT_KIND_HEAD;
      if (drain & UT_BIT_OF(ip))
        heads -= ut_fifo_of(g, s, flat, rd[flat], t)[t.words] & UT_KIND_HEAD;
    }
    if (t.strips)
      UT_FOR_EACH(ip, ut_masks(g, s, UT_M_PROMOTED, t.v)[v] & ~drain) heads += ut_front_is_head(g, s, ip, v);
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
        const uint32_t slot =
            terminal ? n->terminals.terminal[node - n->terminals.first_node].slot : switch_slot(n, node, port);
        heads += w->flit[slot + n->words] & UT_KIND_HEAD;
      }
    }
  return heads;
}

uint64_t ut_network_in_flight(const struct ut_network *n) {
  const struct ut_group *g = &n->group;
  const bool simple = g->traits.v == 1 && g->traits.words == 1;
  uint64_t heads = n->terminals.receiving;
  for (uint32_t i = 0; i < n->topology.switches; i++) {
    struct ut_traits t = g->traits;
    if (simple)
      t.v = t.words = 1; /* constants for the compiler */
    heads += simple ? heads_in_switch(g, ut_switch_of(g, i), t) : heads_in_switch(g, ut_switch_of(g, i), g->traits);
  }
  for (unsigned w = 0; w < n->slots; w++)
    heads += heads_on_wires(n, &n->wires[w]);
  return heads;
}

uint64_t ut_network_u_turns(const struct ut_network *n) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < n->topology.switches && n->group.memory; i++)
    sum += ut_switch_of(&n->group, i)->u_turns;
  return sum;
}
