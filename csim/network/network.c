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
  free(w->valid), free(w->credit), free(w->vc), free(w->tag), free(w->data), free(w->active);
  free(w->t_valid), free(w->t_vc), free(w->t_tag), free(w->t_credit), free(w->t_data), free(w->t_active);
}

static bool wires_init(struct ut_wires *w, const struct ut_network *n) {
  size_t switches = n->topology.switches, terminals = n->topology.terminals, ports = switches * n->topology.pi;
  w->valid = calloc(switches, sizeof *w->valid);
  w->credit = calloc(switches * n->v, sizeof *w->credit);
  w->vc = calloc(ports, 1);
  w->tag = calloc(ports, 1);
  w->data = calloc(ports * n->words, sizeof *w->data);
  w->active = calloc(words_of(switches), sizeof *w->active);
  w->t_valid = calloc(terminals, 1);
  w->t_vc = calloc(terminals, 1);
  w->t_tag = calloc(terminals, 1);
  w->t_credit = calloc(terminals, 1);
  w->t_data = calloc(terminals * n->words, sizeof *w->t_data);
  w->t_active = calloc(words_of(terminals), sizeof *w->t_active);
  return w->valid && w->credit && w->vc && w->tag && w->data && w->active && w->t_valid && w->t_vc && w->t_tag &&
         w->t_credit && w->t_data && w->t_active;
}

void ut_network_fini(struct ut_network *n) {
  for (unsigned i = 0; n->wires && i < n->slots; i++)
    wires_free(&n->wires[i]);
  free(n->wires);
  free(n->link_up), free(n->neighbour), free(n->far), free(n->failed), free(n->busy), free(n->stepped);
  free(n->t_up), free(n->t_busy), free(n->t_next), free(n->reported), free(n->notice), free(n->changed);
  free(n->link_flits);
  ut_terminals_fini(&n->terminals);
  ut_group_fini(&n->group);
  ut_faults_free(&n->faults);
  ut_traffic_free(&n->traffic);
  ut_topology_free(&n->topology);
  memset(n, 0, sizeof *n);
}

/* A golden switch has decided that nothing leads to the packet's destination. */
static void on_discard(void *ctx, uint32_t id, uint64_t header) {
  (void)id;
  ut_terminals_discard(&((struct ut_network *)ctx)->terminals, header, UT_DISCARD_UNREACHABLE);
}

static bool allocate(struct ut_network *n) {
  size_t switches = n->topology.switches, terminals = n->topology.terminals;
  n->wires = calloc(n->slots, sizeof *n->wires);
  if (!n->wires)
    return false;
  for (unsigned i = 0; i < n->slots; i++)
    if (!wires_init(&n->wires[i], n))
      return false;
  n->link_up = calloc(switches, sizeof *n->link_up);
  n->neighbour = calloc(switches, sizeof *n->neighbour);
  n->far = calloc(switches, sizeof *n->far);
  n->failed = calloc(words_of(switches), 8);
  n->busy = calloc(words_of(switches), 8);
  n->stepped = calloc(words_of(switches), 8);
  n->t_up = calloc(words_of(terminals), 8);
  n->t_busy = calloc(words_of(terminals), 8);
  n->t_next = calloc(terminals, sizeof *n->t_next);
  n->reported = calloc(switches, sizeof *n->reported);
  n->changed = calloc(switches * n->topology.po, sizeof *n->changed);
  return n->link_up && n->neighbour && n->far && n->failed && n->busy && n->stepped && n->t_up && n->t_busy &&
         n->t_next && n->reported && n->changed;
}

static void reset_switch(struct ut_network *n, uint32_t s) {
  if (n->backend)
    n->backend->reset(n->backend->self, s, n->topology.straps[s]);
  else
    ut_switch_reset(&n->group, ut_switch_of(&n->group, s), n->topology.straps[s]);
}

int ut_network_init(struct ut_network *n, const struct ut_scenario *s, const struct ut_backend *backend,
                    struct ut_error *e) {
  memset(n, 0, sizeof *n);
  n->scenario = s;
  n->backend = backend;
  if (ut_scenario_shape(s, &n->shape, e) || ut_topology_init(&n->topology, s, e))
    return -1;
  n->v = n->shape.v;
  n->words = n->shape.w / 64;
  n->slots = s->topology.link_cycles + 1;
  if (ut_traffic_init(&n->traffic, s, n->topology.terminals, e) || ut_faults_init(&n->faults, s, &n->topology, e)) {
    ut_network_fini(n);
    return -1;
  }
  if (!allocate(n) ||
      !ut_terminals_init(&n->terminals, &n->traffic, n->topology.terminals, &n->shape, backend == NULL) ||
      (!backend && !ut_group_init(&n->group, &n->shape, n->topology.switches))) {
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
    ut_bitmap_set(n->busy, i);
  }
  for (uint32_t i = 0; i < n->topology.terminals; i++) {
    ut_bitmap_set(n->t_up, i);
    ut_bitmap_set(n->t_busy, i);
    n->t_next[i] = ut_terminal_next(&n->terminals, i);
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

/* Empties what is under way towards a switch's input port, and the credits towards the switch from its output port. */
static void flush_wires(struct ut_network *n, uint32_t s, unsigned port) {
  const struct ut_peer *p = &n->topology.peer[(size_t)s * n->topology.po + port];
  for (unsigned i = 0; i < n->slots; i++) {
    if (i == n->cycle % n->slots) /* arrives now: the receiver refuses it by itself */
      continue;
    struct ut_wires *w = &n->wires[i];
    size_t at = (size_t)s * n->topology.pi + port;
    if (w->valid[s] & ut_bit(port)) {
      w->valid[s] &= ~ut_bit(port);
      lose_flit(n, w->tag[at], w->data[at * n->words]);
    }
    for (unsigned v = 0; v < n->v; v++)
      w->credit[(size_t)s * n->v + v] &= ~ut_bit(port);
    if (p->kind == UT_PEER_TERMINAL) {
      if (w->t_valid[p->index])
        lose_flit(n, w->t_tag[p->index], w->t_data[(size_t)p->index * n->words]);
      w->t_valid[p->index] = 0;
      w->t_credit[p->index] = 0;
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
      const struct ut_input_vc *c = ut_vc_at(&n->group, s, ip, v);
      for (unsigned i = 0; i < c->count; i++) {
        unsigned slot = (c->rd + i) % n->shape.depth;
        bool discarded = i == 0 && c->state == UT_VC_STATE_DRAIN; /* already counted as unreachable */
        if (ut_fifo_tag_at(&n->group, s, ip, v)[slot] & UT_KIND_HEAD && !discarded)
          ut_terminals_discard(&n->terminals, ut_fifo_data_at(&n->group, s, ip, v)[slot * n->words],
                               UT_DISCARD_IN_FAILED_SWITCH);
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
      ut_bitmap_set(n->busy, p->index);
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
  ut_bitmap_set(n->busy, s);
  UT_FOR_EACH(port, changed) {
    const struct ut_peer *p = &n->topology.peer[(size_t)s * n->topology.po + port];
    port_changed(n, s, port);
    if (p->kind == UT_PEER_SWITCH) {
      links_changed(n, p->index);
    } else if (p->kind == UT_PEER_TERMINAL) {
      if (now & ut_bit(port))
        ut_bitmap_set(n->t_up, p->index);
      else
        ut_bitmap_clear(n->t_up, p->index);
      ut_bitmap_set(n->t_busy, p->index);
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
      ut_bitmap_set(n->busy, event->sw);
      ut_bitmap_set(n->stepped, event->sw);
    }
    links_changed(n, event->sw);
  }
}

/* ---- one cycle */

static void step_terminal(struct ut_network *n, uint32_t id, struct ut_wires *now, struct ut_wires *later) {
  const struct ut_attachment *a = &n->topology.attachment[id];
  struct ut_terminal_in in = {
      .up = ut_bitmap_get(n->t_up, id),
      .valid = now->t_valid[id],
      .vc = now->t_vc[id],
      .tag = now->t_tag[id],
      .data = now->t_data + (size_t)id * n->words,
      .credit = now->t_credit[id],
  };
  struct ut_terminal_out out;
  bool ok = true;
  if (in.valid) {
    n->last_move = n->cycle;
    if (!in.up || !n->terminals.terminal[id].up)
      lose_flit(n, in.tag, in.data[0]);
  }
  bool busy = ut_terminal_step(&n->terminals, id, n->cycle, &in, &out, &ok);
  n->failure |= !ok;
  if (!busy)
    ut_bitmap_clear(n->t_busy, id);
  else
    ut_bitmap_set(n->t_busy, id);
  n->t_next[id] = ut_terminal_next(&n->terminals, id);
  now->t_valid[id] = 0;
  now->t_credit[id] = 0;
  if (out.valid) {
    size_t at = (size_t)a->sw * n->topology.pi + a->in_port;
    later->valid[a->sw] |= ut_bit(a->in_port);
    later->vc[at] = out.vc;
    later->tag[at] = out.tag;
    memcpy(later->data + at * n->words, out.data, n->words * sizeof(uint64_t));
    ut_bitmap_set(later->active, a->sw);
  }
  if (out.credit) {
    for (unsigned v = 0; v < n->v; v++)
      if (out.credit & ut_bit(v))
        later->credit[(size_t)a->sw * n->v + v] |= ut_bit(a->out_port);
    ut_bitmap_set(later->active, a->sw);
  }
}

static void step_terminals(struct ut_network *n, struct ut_wires *now, struct ut_wires *later) {
  for (uint32_t base = 0; base < n->topology.terminals; base += 64) {
    uint32_t count = n->topology.terminals - base < 64 ? n->topology.terminals - base : 64;
    uint64_t work = now->t_active[base / 64] | n->t_busy[base / 64];
    for (uint32_t i = 0; i < count; i++)
      work |= (uint64_t)(n->t_next[base + i] <= n->cycle) << i;
    now->t_active[base / 64] = 0;
    for (; work; work &= work - 1)
      step_terminal(n, base + (uint32_t)__builtin_ctzll(work), now, later);
  }
}

/* Puts what a switch drives onto its wires. */
static inline void drive(struct ut_network *n, uint32_t s, const struct ut_switch_out *out, struct ut_wires *later) {
  const struct ut_peer *peer = n->topology.peer + (size_t)s * n->topology.po;
  const struct ut_peer *source = n->topology.source + (size_t)s * n->topology.pi;

  if (out->valid)
    n->last_move = n->cycle;
  UT_FOR_EACH(op, out->valid) {
    const struct ut_peer *p = &peer[op];
    const uint64_t *from = out->data + op * n->words;
    n->flit_hops++;
    uint64_t *to;
    if (p->kind == UT_PEER_SWITCH) {
      size_t at = (size_t)p->index * n->topology.pi + p->port;
      later->valid[p->index] |= ut_bit(p->port);
      later->vc[at] = out->vc[op];
      later->tag[at] = out->tag[op];
      to = later->data + at * n->words;
      ut_bitmap_set(later->active, p->index);
    } else {
      later->t_valid[p->index] = 1;
      later->t_vc[p->index] = out->vc[op];
      later->t_tag[p->index] = out->tag[op];
      to = later->t_data + (size_t)p->index * n->words;
      ut_bitmap_set(later->t_active, p->index);
    }
    if (n->words == 1)
      *to = *from;
    else
      memcpy(to, from, n->words * sizeof *to);
    if (n->link_flits)
      n->link_flits[(size_t)s * n->topology.po + op]++;
  }
  for (unsigned v = 0; v < n->v; v++)
    UT_FOR_EACH(ip, out->credit[v]) {
      const struct ut_peer *p = &source[ip];
      if (p->kind == UT_PEER_SWITCH) {
        later->credit[(size_t)p->index * n->v + v] |= ut_bit(p->port);
        ut_bitmap_set(later->active, p->index);
      } else {
        later->t_credit[p->index] |= (uint8_t)(1u << v);
        ut_bitmap_set(later->t_active, p->index);
      }
    }
  if (out->reports != n->reported[s])
    report(n, s, out->reports);
}

/* Returns whether the switch must be stepped again even if nothing arrives. */
static inline bool step_switch(struct ut_network *n, uint32_t s, struct ut_wires *now, struct ut_wires *later) {
  size_t at = (size_t)s * n->topology.pi;
  struct ut_switch_in in = {
      .in_up = n->link_up[s],
      .out_up = n->link_up[s],
      .valid = now->valid[s],
      .neighbour = n->neighbour[s],
      .far = n->far[s],
      .credit = now->credit + (size_t)s * n->v,
      .vc = now->vc + at,
      .tag = now->tag + at,
      .data = now->data + at * n->words,
  };
  struct ut_switch_out out;
  n->switch_steps++;
  if (n->backend) {
    n->backend->step(n->backend->self, s, &in, &out);
  } else {
    struct ut_switch *g = ut_switch_of(&n->group, s);
    ut_mask lost = in.valid & ~(in.in_up & g->in_up);
    UT_FOR_EACH(ip, lost) lose_flit(n, in.tag[ip], in.data[ip * n->words]);
    ut_switch_step(&n->group, g, &in);
    out = (struct ut_switch_out){
        .valid = g->out_valid,
        .vc = UT_AT(uint8_t, &n->group, g, out_vc),
        .tag = UT_AT(uint8_t, &n->group, g, out_tag),
        .data = UT_AT(uint64_t, &n->group, g, out_data),
        .credit = ut_masks(&n->group, g, UT_M_CREDIT, n->v),
        .reports = (uint8_t)(g->fault | g->far << 1),
        .busy = g->busy,
    };
  }
  now->valid[s] = 0;
  for (unsigned v = 0; v < n->v; v++)
    now->credit[(size_t)s * n->v + v] = 0;
  drive(n, s, &out, later);
  return out.busy;
}

/* A failed switch: everything that arrives is lost. */
static void skip_failed(struct ut_network *n, uint32_t s, struct ut_wires *now) {
  size_t at = (size_t)s * n->topology.pi;
  UT_FOR_EACH(ip, now->valid[s]) lose_flit(n, now->tag[at + ip], now->data[(at + ip) * n->words]);
  now->valid[s] = 0;
  for (unsigned v = 0; v < n->v; v++)
    now->credit[(size_t)s * n->v + v] = 0;
}

void ut_network_step(struct ut_network *n) {
  struct ut_wires *now = &n->wires[n->cycle % n->slots], *later = &n->wires[(n->cycle + n->slots - 1) % n->slots];
  size_t words = words_of(n->topology.switches);
  memset(n->stepped, 0, words * sizeof *n->stepped);
  if (n->cycle == n->terminals.window_end)
    n->terminals.stop_generation = true;
  if (n->changes || ut_faults_next_cycle(&n->faults) <= n->cycle)
    apply_faults(n);
  if (n->notices)
    deliver_reports(n);
  step_terminals(n, now, later);
  for (size_t w = 0; w < words; w++) {
    uint64_t work = now->active[w] | n->busy[w], busy = 0, failed = n->failed[w];
    now->active[w] = 0;
    n->stepped[w] |= work;
    for (; work; work &= work - 1) {
      uint32_t bit = (uint32_t)__builtin_ctzll(work), s = (uint32_t)(w * 64) + bit;
      if (failed >> bit & 1)
        skip_failed(n, s, now);
      else
        busy |= (uint64_t)step_switch(n, s, now, later) << bit;
    }
    n->busy[w] = busy;
  }
  n->cycle++;
}

/* ---- results */

uint64_t ut_network_outstanding(const struct ut_network *n) {
  const struct ut_accounts *a = &n->terminals.accounts;
  return a->injected - a->delivered - ut_accounts_discarded(a);
}

bool ut_network_done(const struct ut_network *n) {
  if (n->cycle < n->terminals.window_end)
    return false;
  if (!n->scenario->run.drain || n->cycle >= n->terminals.window_end + n->scenario->run.drain_limit_cycles)
    return true;
  return ut_network_outstanding(n) == 0 && ut_terminals_queued(&n->terminals) == 0;
}

uint64_t ut_network_in_flight(const struct ut_network *n) {
  uint64_t heads = 0;
  const struct ut_group *g = &n->group;
  for (uint32_t i = 0; i < n->topology.switches; i++) {
    struct ut_switch *s = ut_switch_of(g, i);
    ut_mask occupied = 0;
    for (unsigned v = 0; v < n->v; v++)
      occupied |= ut_masks(g, s, UT_M_OCCUPIED, n->v)[v];
    UT_FOR_EACH(ip, occupied)
    for (unsigned v = 0; v < n->v; v++) {
      const struct ut_input_vc *c = ut_vc_at(g, s, ip, v);
      for (unsigned f = 0; f < c->count; f++)
        heads += (ut_fifo_tag_at(g, s, ip, v)[(c->rd + f) % n->shape.depth] & UT_KIND_HEAD) &&
                 !(f == 0 && c->state == UT_VC_STATE_DRAIN);
    }
    for (unsigned w = 0; w < n->slots; w++)
      UT_FOR_EACH(ip, n->wires[w].valid[i])
    heads += n->wires[w].tag[(size_t)i * n->topology.pi + ip] & UT_KIND_HEAD;
  }
  for (uint32_t i = 0; i < n->topology.terminals; i++) {
    for (unsigned w = 0; w < n->slots; w++)
      heads += n->wires[w].t_valid[i] && n->wires[w].t_tag[i] & UT_KIND_HEAD;
    for (unsigned v = 0; v < n->v; v++)
      heads += n->terminals.terminal[i].rx[v].open;
  }
  return heads;
}

uint64_t ut_network_u_turns(const struct ut_network *n) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < n->topology.switches && n->group.memory; i++)
    sum += ut_switch_of(&n->group, i)->u_turns;
  return sum;
}
