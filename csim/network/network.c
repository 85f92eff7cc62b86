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

static void free_pieces(struct ut_piece *piece, unsigned pieces) {
  for (unsigned i = 0; i < pieces; i++) {
    const struct ut_batch *b = &piece[i].batch;
    free(piece[i].events.event), free(piece[i].span);
    free(b->sw), free(b->in), free(b->out), free(b->flit), free(b->credit);
  }
  free(piece);
}

void ut_network_fini(struct ut_network *n) {
  ut_wires_fini(&n->wires);
  free(n->in_up), free(n->out_up), free(n->report), free(n->failed), free(n->awake), free(n->stepped);
  free(n->reported), free(n->notice), free(n->changed), free(n->resumed);
  free(n->link_flits);
  free_pieces(n->piece, n->pieces);
  ut_terminals_fini(&n->terminals);
  ut_manager_fini(&n->manager);
  ut_guide_fini(&n->guide);
  ut_service_fini(&n->service);
  for (unsigned i = 0; i < n->topology.elaborations; i++)
    ut_group_fini(&n->group[i]);
  ut_faults_free(&n->faults);
  if (n->workload)
    ut_workload_run_fini(n->workload);
  free(n->workload);
  ut_traffic_free(&n->traffic);
  ut_topology_free(&n->topology);
  memset(n, 0, sizeof *n);
}

uint32_t ut_network_lane(const struct ut_network *n, const struct ut_peer *p, unsigned vc) {
  if (p->kind == UT_PEER_TERMINAL)
    return n->wires.terminals + (p->index * n->terminals.links + p->port) * n->v + vc;
  const unsigned e = ut_topology_elaboration(&n->topology, p->index);
  return n->lane[e] +
         ((p->index - n->topology.elaboration[e].first) << n->form[e].each_bits | vc << n->form[e].port_bits | p->port);
}

/* What arrives so many cycles from now at that lane. */
static inline uint8_t *flit_in(const struct ut_network *n, unsigned cycles, uint32_t lane) {
  return ut_wires_flits(&n->wires, n->cycle + cycles, lane);
}
static inline uint8_t *credit_in(const struct ut_network *n, unsigned cycles, uint32_t lane) {
  return ut_wires_credits(&n->wires, n->cycle + cycles, lane);
}

/* Joins both ends of every channel. */
static void join(struct ut_network *n) {
  const struct ut_topology *t = &n->topology;
  for (uint32_t i = 0; i < t->channels; i++) {
    const struct ut_peer sender = ut_topology_sender(t, i);
    for (unsigned v = 0; v < n->v && t->peer[i].kind != UT_PEER_NONE; v++)
      ut_wires_join(&n->wires, ut_network_lane(n, &sender, v), ut_network_lane(n, &t->peer[i], v), v);
  }
}

static bool allocate(struct ut_network *n) {
  const struct ut_topology *t = &n->topology;
  const size_t switches = t->switches;
  uint32_t lanes = UT_LANES; /* the first ones are nobody's */
  for (unsigned i = 0; i < t->elaborations; i++) {
    n->form[i] = ut_form_of(n->shape[i]);
    n->lane[i] = lanes;
    lanes += ut_shape_lanes(&n->shape[i], t->elaboration[i].count);
  }
  const uint32_t all = (lanes + t->terminals * n->terminals.links * n->v + UT_LANES - 1) / UT_LANES * UT_LANES;
  n->in_up = calloc(switches, sizeof *n->in_up);
  n->out_up = calloc(switches, sizeof *n->out_up);
  n->report = calloc(switches * n->reports, sizeof *n->report);
  n->failed = calloc(words_of(switches), 8);
  n->awake = calloc(words_of(8 * switches), 8);
  n->stepped = calloc(words_of(8 * switches), 8);
  n->reported = calloc(switches, sizeof *n->reported);
  n->changed = calloc(t->channels, sizeof *n->changed);
  n->resumed = calloc(t->channels, sizeof *n->resumed);
  n->wires = (struct ut_wires){.terminals = lanes,
                               .words = n->words,
                               .depth = n->shape->depth,
                               .link_cycles = n->link_cycles,
                               .injection_cycles = n->injection_cycles,
                               .ejection_cycles = n->ejection_cycles};
  return ut_wires_init(&n->wires, all) && n->in_up && n->out_up && n->report && n->failed && n->awake && n->stepped &&
         n->reported && n->changed && n->resumed;
}

/* The golden switches, a group for each elaboration. */
static bool make_groups(struct ut_network *n) {
  const struct ut_topology *t = &n->topology;
  for (unsigned i = 0; i < t->elaborations; i++) {
    struct ut_group *g = &n->group[i];
    if (!ut_group_init(g, &n->shape[i], t->elaboration[i].first, t->elaboration[i].count))
      return false;
    ut_group_join(g, &n->wires, n->lane[i]);
  }
  return true;
}

/* The same for switches of a backend that are stepped together. */
static uint32_t whole_batches(const struct ut_network *n, unsigned e, uint32_t end) {
  const struct ut_elaboration *of = &n->topology.elaboration[e];
  const uint32_t together = n->backend->together, whole = (end - of->first + together - 1) / together * together;
  return of->first + (whole < of->count ? whole : of->count);
}

/* The part of a level, switches first..end-1, that belongs to piece i of so many.  A block belongs to where its first
 * switch does. */
static struct ut_span span_of(const struct ut_network *n, uint32_t first, uint32_t end, unsigned i, unsigned pieces) {
  const unsigned e = ut_topology_elaboration(&n->topology, first), bits = n->form[e].block_bits;
  const uint32_t of = n->topology.elaboration[e].first, round = (1u << bits) - 1;
  struct ut_span s = {.elaboration = e};
  s.first = first + (uint32_t)((uint64_t)(end - first) * i / pieces);
  s.end = first + (uint32_t)((uint64_t)(end - first) * (i + 1) / pieces);
  s.block = (s.first - of + round) >> bits;
  s.blocks = ((s.end - of + round) >> bits) - s.block;
  if (n->backend) {
    s.first = whole_batches(n, e, s.first);
    s.end = whole_batches(n, e, s.end);
  }
  return s;
}

/* Joins spans that follow each other in their order and in memory.  Returns how many there are then. */
static unsigned join_spans(struct ut_span *span, unsigned count) {
  unsigned joined = 0;
  for (unsigned i = 0; i < count; i++) {
    struct ut_span *last = joined ? &span[joined - 1] : NULL;
    if (last && last->elaboration == span[i].elaboration && last->end == span[i].first) {
      last->end = span[i].end;
      last->blocks += span[i].blocks;
    } else {
      span[joined++] = span[i];
    }
  }
  return joined;
}

/* Room for switches of a backend that are stepped together. */
static bool make_batch(const struct ut_network *n, struct ut_batch *b) {
  const size_t room = n->backend ? n->backend->together : 0;
  if (!room)
    return true;
  b->sw = calloc(room, sizeof *b->sw);
  b->in = calloc(room, sizeof *b->in);
  b->out = calloc(room, sizeof *b->out);
  b->flit = calloc(room * UT_MAX_PORTS, sizeof *b->flit);
  b->credit = calloc(room * UT_MAX_VCS, sizeof *b->credit);
  return b->sw && b->in && b->out && b->flit && b->credit;
}

/* Divides all that moves; the lists of before must be empty. */
static bool divide(struct ut_network *n, unsigned pieces) {
  const struct ut_topology *t = &n->topology;
  struct ut_piece *piece = aligned_alloc(64, pieces * sizeof *piece);
  if (!piece)
    return false;
  memset(piece, 0, pieces * sizeof *piece);
  bool there = true;
  for (unsigned i = 0; i < pieces && there; i++)
    there = (piece[i].span = calloc(t->levels, sizeof *piece->span)) != NULL && make_batch(n, &piece[i].batch);
  if (!there || !ut_terminals_divide(&n->terminals, pieces)) {
    free_pieces(piece, pieces);
    return false;
  }
  for (uint32_t first = 0, end; first < t->switches; first = end) {
    for (end = first; end < t->switches && t->level[end] == t->level[first];)
      end++;
    for (unsigned i = 0; i < pieces; i++)
      piece[i].span[t->level[first]] = span_of(n, first, end, i, pieces);
  }
  for (unsigned i = 0; i < pieces; i++)
    piece[i].spans = join_spans(piece[i].span, t->levels);
  free_pieces(n->piece, n->pieces);
  n->piece = piece;
  n->pieces = pieces;
  return true;
}

/* What a switch sees of its links, neighbours or manager has changed: it must be stepped in this cycle. */
static void disturb(struct ut_network *n, uint32_t s) {
  if (n->backend)
    n->awake[s] = 1;
  else
    ut_switch_disturb(ut_network_group(n, s), ut_network_switch(n, s));
}

static void reset_switch(struct ut_network *n, uint32_t s) {
  if (n->backend)
    n->backend->reset(n->backend->self, s, n->topology.straps[s]);
  else
    ut_switch_reset(ut_network_group(n, s), ut_network_switch(n, s), n->topology.straps[s]);
  if (!n->backend)
    ut_network_switch(n, s)->held = ut_bitmap_get(n->failed, s);
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
    return ut_fail(e, UT_BAD_INPUT, "%s: not enough memory for what terminals know", s->path);
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

/* The workload, which takes part in every cycle from now on. */
static int begin_workload(struct ut_network *n, const struct ut_scenario *s, struct ut_error *e) {
  struct ut_workload_run *run = calloc(1, sizeof *run);
  if (!run)
    return ut_fail(e, UT_BAD_INPUT, "%s: not enough memory for the workload", s->path);
  if (ut_workload_run_init(run, s, &n->topology, e)) {
    free(run);
    return -1;
  }
  n->workload = run;
  n->terminals.releases = &run->releases;
  n->terminals.watched = true;
  return 0;
}

void ut_network_follow(struct ut_network *n, const struct ut_network *leader) {
  n->terminals.releases = leader->terminals.releases;
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
  if (ut_traffic_init(&n->traffic, s, t->terminals, e) || ut_faults_init(&n->faults, s, t, e)) {
    ut_network_fini(n);
    return -1;
  }
  n->reports = ut_shape_reports(n->shape);
  if (!ut_terminals_init(&n->terminals, &n->traffic, t, n->shape, s->paths, backend == NULL) || !allocate(n) ||
      (!backend && !make_groups(n)) || !divide(n, 1)) {
    ut_network_fini(n);
    return ut_fail(e, UT_BAD_INPUT, "%s: not enough memory for a network of %u switches; try a smaller one", s->path,
                   ut_scenario_switches(s));
  }
  if (inform_terminals(n, s, e) ||
      (!backend && ut_pattern_is_workload(s->traffic.pattern) && begin_workload(n, s, e))) {
    ut_network_fini(n);
    return -1;
  }
  n->terminals.window_start = s->run.warmup_cycles;
  n->terminals.window_end = ut_network_planned(s);
  for (uint32_t i = 0; i < t->switches; i++) {
    n->in_up[i] = (ut_mask)ut_faults_in_up(&n->faults, i);
    n->out_up[i] = (ut_mask)ut_faults_out_up(&n->faults, i);
    reset_switch(n, i);
    disturb(n, i);
  }
  if (!load_tables(n, s)) {
    ut_network_fini(n);
    return ut_fail(e, UT_BAD_INPUT, "%s: not enough memory for forwarding tables; try a smaller network", s->path);
  }
  join(n);
  ut_terminals_join(&n->terminals, &n->wires);
  return 0;
}

/* Pieces for each thread, so that one that is late is helped. */
enum { PIECES = 4 };
/* Lanes below which a thread's part of a cycle takes less time than it takes to begin and to end one (docs/threads.md);
 * a Verilated switch takes more time than a golden one. */
enum { LANES_FOR_A_THREAD = 4096, LANES_OF_BACKEND = 128 };

unsigned ut_network_threads(const struct ut_network *n, unsigned most) {
  uint32_t pay = n->wires.terminals / (n->backend ? LANES_OF_BACKEND : LANES_FOR_A_THREAD), batches = 0;
  for (unsigned e = 0; n->backend && e < n->topology.elaborations; e++)
    batches += (n->topology.elaboration[e].count + n->backend->together - 1) / n->backend->together;
  pay = n->backend && batches < pay ? batches : pay;
  return pay < 1 ? 1 : pay < most ? pay : most;
}

bool ut_network_use(struct ut_network *n, struct ut_threads *threads) {
  const unsigned count = ut_threads_count(threads);
  n->threads = threads;
  return divide(n, count == 1 ? 1 : PIECES * count);
}

bool ut_network_count_links(struct ut_network *n) {
  n->link_flits = calloc((size_t)n->topology.switches * n->topology.po, sizeof *n->link_flits);
  return n->link_flits != NULL;
}

uint64_t ut_network_planned(const struct ut_scenario *s) {
  return s->run.warmup_cycles + s->run.measure_cycles;
}

/* ---- losses */

/* The flits on the way to an input VC, this cycle's first; they stand before the position that the sender will write
 * next. */
static unsigned flits_under_way(const struct ut_network *n, uint32_t to) {
  unsigned count = 0;
  for (unsigned i = 0; i < n->wires.slots; i++)
    count += *flit_in(n, i, to) != 0;
  return count;
}
static const uint64_t *flit_under_way(const struct ut_network *n, uint32_t to, unsigned index) {
  const struct ut_wires *w = &n->wires;
  const unsigned next = ut_position_at(w->send, w->from[to], w->wide), ring = 2 * w->depth;
  return ut_wires_flit(w, to, (next + ring - flits_under_way(n, to) + index) % ring);
}

/* A golden switch in reset, which refuses nothing by itself. */
static bool is_gone(const struct ut_network *n, const struct ut_peer *p) {
  return p->kind == UT_PEER_SWITCH && ut_bitmap_get(n->failed, p->index) && !n->backend;
}

/* Empties a channel: the flits under way through it, and the credits back.  What arrives now the receiver refuses by
 * itself; but not a golden switch that has failed, nor one cycle later, when what it has refused stands in the ring at
 * the position that it would look at. */
static void flush_wires(struct ut_network *n, uint32_t channel, bool later) {
  const struct ut_peer from = ut_topology_sender(&n->topology, channel), *to = &n->topology.peer[channel];
  const bool gone = is_gone(n, to) || (later && to->kind == UT_PEER_SWITCH && !n->backend), deaf = is_gone(n, &from);
  for (unsigned v = 0; v < n->v; v++) {
    const uint32_t input = ut_network_lane(n, to, v), output = ut_network_lane(n, &from, v);
    unsigned index = 0;
    for (unsigned i = 0; i < n->wires.slots; i++)
      if (*flit_in(n, i, input)) {
        /* only a head matters: the packet is where its head is */
        if ((i || gone) && *flit_in(n, i, input) & UT_KIND_HEAD)
          ut_terminals_discard(&n->terminals, flit_under_way(n, input, index)[0], UT_DISCARD_CUT_BY_FAULT);
        index++;
      }
    for (unsigned i = gone ? 0 : 1; i < n->wires.slots; i++)
      *flit_in(n, i, input) = 0;
    for (unsigned i = deaf ? 0 : 1; i < n->wires.slots; i++)
      *credit_in(n, i, output) = 0;
  }
}

/* A bad tail is still to come into that input VC. */
static bool is_cut(const struct ut_network *n, const struct ut_peer *to, unsigned vc) {
  return !n->backend && to->kind == UT_PEER_SWITCH &&
         ut_reg_cut(ut_network_group(n, to->index), ut_network_switch(n, to->index), to->port, vc);
}

/* The ends of channels that have come back agree where the next flit goes: behind what the receiver holds.  Before that
 * no credit for it is on its way. */
static void resume(struct ut_network *n) {
  struct ut_wires *w = &n->wires;
  size_t left = 0;
  for (size_t i = 0; i < n->resumes; i++) {
    struct ut_resumption r = n->resumed[i];
    const struct ut_peer from = ut_topology_sender(&n->topology, r.channel), *to = &n->topology.peer[r.channel];
    UT_FOR_EACH(v, r.vcs) {
      const uint32_t input = ut_network_lane(n, to, v), output = ut_network_lane(n, &from, v);
      ut_position_set(w->send, output, ut_position_at(w->write, input, w->wide), w->wide);
      if (n->cycle > r.since + 1 && !is_cut(n, to, v))
        r.vcs &= ~UT_BIT_OF(v);
    }
    if (r.vcs && ut_faults_channel_up(&n->faults, r.channel))
      n->resumed[left++] = r;
  }
  n->resumes = left;
}

static void begin_to_resume(struct ut_network *n, uint32_t channel) {
  size_t i = 0;
  while (i < n->resumes && n->resumed[i].channel != channel)
    i++;
  n->resumes += i == n->resumes;
  n->resumed[i] = (struct ut_resumption){channel, ut_mask_all(n->v), n->cycle};
}

/* Of a golden switch that fails: flits that it would have refused in this cycle, because the link went down before it
 * did, and of which its reset makes it forget the position. */
static void lose_refused(struct ut_network *n, uint32_t id) {
  const struct ut_wires *w = &n->wires;
  for (unsigned ip = 0; ip < ut_network_group(n, id)->shape.pi; ip++)
    for (unsigned v = 0; v < n->v && !(n->in_up[id] >> ip & 1); v++) {
      const struct ut_peer end = {.kind = UT_PEER_SWITCH, .index = id, .port = (uint8_t)ip};
      const uint32_t input = ut_network_lane(n, &end, v);
      if (*flit_in(n, 0, input) & UT_KIND_HEAD)
        ut_terminals_discard(&n->terminals, *ut_wires_flit(w, input, ut_position_at(w->write, input, w->wide)),
                             UT_DISCARD_CUT_BY_FAULT);
      *flit_in(n, 0, input) = 0;
    }
}

/* Counts the packets whose heads are in a golden switch that fails. */
static void lose_contents(struct ut_network *n, uint32_t id) {
  if (n->backend)
    return;
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
  lose_refused(n, id);
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
  ut_terminals_disturb(&n->terminals, p->index);
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
  flush_wires(n, channel, false);
  if (up)
    begin_to_resume(n, channel);
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
  for (size_t i = 0; i < old; i++) {
    const struct ut_peer from = ut_topology_sender(&n->topology, n->changed[i]), *to = &n->topology.peer[n->changed[i]];
    flush_wires(n, n->changed[i], true);
    /* only now the ends' registers follow that of the link's state, although nothing is under way */
    if (from.kind == UT_PEER_SWITCH)
      disturb(n, from.index);
    if (to->kind == UT_PEER_SWITCH)
      disturb(n, to->index);
  }
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
      disturb(n, sw);
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
  for (uint32_t i = 0; n->recall.word && n->backend && i < n->topology.switches; i++)
    disturb(n, i);
}

/* ---- one cycle */

/* The wires of switches of a backend, as all of an elaboration need them. */
struct view {
  uint8_t *flits, *credits, *flits_later, *credits_later;
  uint32_t lane, first; /* the first lane, and the switch that it belongs to */
  unsigned port_bits, each_bits;
};
static struct view view_of(const struct ut_network *n, unsigned e) {
  return (struct view){.flits = flit_in(n, 0, 0),
                       .credits = credit_in(n, 0, 0),
                       .flits_later = n->wires.flits[ut_wires_slot(&n->wires, n->cycle + n->link_cycles)],
                       .credits_later = n->wires.credits[ut_wires_slot(&n->wires, n->cycle + n->link_cycles)],
                       .lane = n->lane[e],
                       .first = n->topology.elaboration[e].first,
                       .port_bits = n->form[e].port_bits,
                       .each_bits = n->form[e].each_bits};
}

/* Puts what a switch of a backend drives onto its wires; lane: the first one of the switch. */
static void drive(struct ut_network *n, struct ut_piece *p, const struct view *x, uint32_t s, uint32_t lane,
                  const struct ut_switch_out *out) {
  struct ut_wires *w = &n->wires;
  UT_FOR_EACH(op, out->valid) {
    const uint64_t *flit = out->flit + (size_t)op * out->stride;
    const unsigned vc = n->v > 1 ? ut_flit_vc(flit[n->words]) : 0;
    ut_wires_send(w, lane + (vc << x->port_bits | op), flit, x->flits_later);
  }
  for (unsigned v = 0; v < n->v; v++)
    UT_FOR_EACH(ip, out->credit[v])
  x->credits_later[w->from[lane + (v << x->port_bits | ip)]] = 0xff;
  if (out->reports != n->reported[s])
    ut_events_add(&p->events, (struct ut_event){.kind = UT_EVENT_STATE, .sw = s, .header = out->reports});
}

/* Bytes of a wire, whose highest bit says that something comes, as a mask; so many or fewer, of a power of two. */
static inline ut_mask comes(const uint8_t *bytes, unsigned ports) {
  ut_mask mask = 0;
  for (unsigned i = 0; i < ports; i += 8) {
    uint64_t eight; /* a switch with fewer has others' lanes behind it, or nobody's */
    memcpy(&eight, bytes + i, 8);
    if (eight)
      mask |= (ut_mask)((eight >> 7 & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >> 56) << i;
  }
  return mask & ut_mask_all(ports);
}

/* Takes what is on the wires to a switch of a backend; returns whether there is anything. */
static bool take(struct ut_network *n, const struct view *x, uint32_t first, struct ut_switch_in *in,
                 const uint64_t **flit, ut_mask *credit) {
  const unsigned ports = 1u << x->port_bits;
  ut_mask any = 0;
  in->valid = 0;
  for (unsigned i = 0; i < n->v; i++) {
    const uint32_t lane = first + (i << x->port_bits);
    const ut_mask valid = comes(x->flits + lane, ports);
    UT_FOR_EACH(p, valid) flit[p] = ut_wires_take(&n->wires, lane + p, x->flits);
    credit[i] = comes(x->credits + lane, ports);
    if (credit[i])
      memset(x->credits + lane, 0, ports);
    in->valid |= valid;
    any |= valid | credit[i];
  }
  return any;
}

/* Takes what is on the wires to those of some switches of a backend that have work, behind `count` others of the batch;
 * returns how many these are then. */
static unsigned gather(struct ut_network *n, struct ut_piece *p, const struct view *x, uint32_t first, uint32_t end,
                       unsigned count) {
  const struct ut_batch *b = &p->batch;
  for (uint32_t s = first; s < end; s++) {
    b->in[count] = (struct ut_switch_in){
        .in_up = n->in_up[s],
        .out_up = n->out_up[s],
        .report = n->report + (size_t)s * n->reports,
        .credit = b->credit + count * UT_MAX_VCS,
        .flit = b->flit + count * UT_MAX_PORTS,
        .config = n->manager.word ? n->manager.word[s] : n->recall.word,
    };
    n->stepped[s] = take(n, x, x->lane + ((s - x->first) << x->each_bits), &b->in[count],
                         b->flit + count * UT_MAX_PORTS, b->credit + count * UT_MAX_VCS) |
                    n->awake[s];
    n->awake[s] = 0;
    b->sw[count] = s;
    count += n->stepped[s] && !ut_bitmap_get(n->failed, s);
  }
  return count;
}

/* Puts what those of the batch from `first` on drive onto the wires. */
static void scatter(struct ut_network *n, struct ut_piece *p, const struct view *x, unsigned first, unsigned end) {
  const struct ut_batch *b = &p->batch;
  for (unsigned i = first; i < end; i++) {
    const uint32_t s = b->sw[i];
    drive(n, p, x, s, x->lane + ((s - x->first) << x->each_bits), &b->out[i]);
    n->awake[s] = b->out[i].busy;
    p->flit_hops += (unsigned)__builtin_popcount(b->out[i].valid);
  }
}

/* Steps those of some switches of a backend that have work: all that are stepped together. */
static void step_batch(struct ut_network *n, struct ut_piece *p, const struct view *x, uint32_t first, uint32_t end) {
  const struct ut_batch *b = &p->batch;
  const unsigned count = gather(n, p, x, first, end, 0);
  if (!count)
    return;
  n->backend->step(n->backend->self, b->sw, count, b->in, b->out);
  scatter(n, p, x, 0, count);
}

static void step_backend(struct ut_network *n, struct ut_piece *p, const struct ut_span *span) {
  const unsigned together = n->backend->together;
  const struct view x = view_of(n, span->elaboration);
  for (uint32_t s = span->first; s < span->end; s += together)
    step_batch(n, p, &x, s, span->end - s < together ? span->end : s + together);
}

/* What a switch reports to its neighbours has changed. */
static void hear_state(struct ut_network *n, const struct ut_event *e) {
  if (n->backend) {
    report(n, e->sw, (uint32_t)e->header);
    return;
  }
  const struct ut_group *g = ut_network_group(n, e->sw);
  const struct ut_switch *s = ut_switch_of(g, e->sw);
  const uint32_t reports = ut_switch_report(g, s);
  if (reports != n->reported[e->sw])
    report(n, e->sw, reports);
  if (g->form.states && ut_node_states_of(g, s)->changed && n->cycle + 1 - n->settling.since > n->settling.longest)
    n->settling.longest = n->cycle + 1 - n->settling.since;
}

/* What the switches of a piece have done in this cycle that concerns others. */
static void hear(struct ut_network *n, struct ut_piece *p) {
  static const enum ut_discard_reason reason[] = {[UT_DROPPED_UNREACHABLE] = UT_DISCARD_UNREACHABLE,
                                                  [UT_DROPPED_CUT] = UT_DISCARD_CUT_BY_FAULT,
                                                  [UT_DROPPED_PURGED] = UT_DISCARD_PURGED};
  for (size_t i = 0; i < p->events.count; i++) {
    const struct ut_event *e = &p->events.event[i];
    if (e->kind == UT_EVENT_STATE)
      hear_state(n, e);
    else
      ut_terminals_discard(&n->terminals, e->header,
                           e->kind == UT_EVENT_LOST ? UT_DISCARD_CUT_BY_FAULT : reason[e->why]);
  }
  n->failure |= p->events.failure;
  p->events.count = 0;
  n->flit_hops += p->flit_hops;
  p->flit_hops = 0;
}

static void count_flits(struct ut_network *n) {
  for (uint32_t s = 0; s < n->topology.switches; s++)
    UT_FOR_EACH(op, ut_reg_valid(ut_network_group(n, s), ut_network_switch(n, s)))
  n->link_flits[(size_t)s * n->topology.po + op]++;
}

static void step_golden(struct ut_network *n, struct ut_piece *p, const struct ut_span *span) {
  const struct ut_cycle c = {
      .wires = &n->wires,
      .flits = flit_in(n, 0, 0),
      .credits = credit_in(n, 0, 0),
      .flits_later = flit_in(n, n->link_cycles, 0),
      .credits_later = credit_in(n, n->link_cycles, 0),
      .in_up = n->in_up,
      .out_up = n->out_up,
      .report = n->report,
      .reports = n->reports,
      .config = n->manager.word,
      .order = n->recall.word,
  };
  p->flit_hops += ut_group_step(&n->group[span->elaboration], &c, span->block, span->blocks, &p->events);
}

static void step_terminals(struct ut_network *n, unsigned range) {
  const uint32_t first = n->wires.terminals; /* the wires to terminals, and from them */
  ut_terminals_step(&n->terminals, range, n->cycle, flit_in(n, 0, first) - first, credit_in(n, 0, first) - first,
                    flit_in(n, n->injection_cycles, 0), credit_in(n, n->ejection_cycles, 0));
}

/* One cycle of a piece, whatever the others do. */
static void step_piece(void *ctx, unsigned i) {
  struct ut_network *n = ctx;
  if (i < n->terminals.ranges)
    step_terminals(n, i);
  struct ut_piece *p = &n->piece[i];
  for (unsigned j = 0; j < p->spans; j++)
    (n->backend ? step_backend : step_golden)(n, p, &p->span[j]);
}

enum { FEW_LEAVE = 32 };
static void settle_range(void *ctx, unsigned i) {
  struct ut_network *n = ctx;
  ut_terminals_settle(&n->terminals, i, n->cycle);
}

/* What happens in a cycle before terminals and switches are stepped, */
static void begin_cycle(struct ut_network *n) {
  if (n->cycle == n->terminals.window_end)
    n->terminals.stop_generation = true;
  if (n->changes || ut_faults_next_cycle(&n->faults) <= n->cycle)
    apply_faults(n);
  if (n->resumes)
    resume(n);
  if (n->notices)
    deliver_reports(n);
  if (n->manager.word && n->manager.next_cycle <= n->cycle)
    manage(n);
  if (n->recall.next_cycle <= n->cycle)
    recall(n);
  if (n->terminals.guide && n->guide.next_cycle <= n->cycle)
    ut_guide_step(&n->guide, &n->faults, n->cycle);
}

/* and when all of them have been stepped. */
static void end_cycle(struct ut_network *n) {
  const size_t leaving = ut_terminals_leaving(&n->terminals);
  if (leaving > FEW_LEAVE)
    ut_threads_run(n->threads, n->terminals.ranges, settle_range, n);
  else if (leaving) /* sooner than others are told of them */
    ut_terminals_settle_all(&n->terminals, n->cycle);
  ut_terminals_account(&n->terminals, n->cycle);
  n->failure |= n->terminals.failure;
  for (unsigned i = 0; i < n->pieces; i++)
    hear(n, &n->piece[i]);
  if (n->link_flits && !n->backend)
    count_flits(n);
  if (n->workload) {
    ut_workload_run_step(n->workload, &n->terminals, n->cycle);
    n->failure |= n->workload->failure;
  }
  n->cycle++;
}

void ut_network_step(struct ut_network *n) {
  begin_cycle(n);
  ut_threads_run(n->threads, n->pieces, step_piece, n);
  end_cycle(n);
}

const struct ut_batch *ut_network_offer(struct ut_network *n, unsigned *count) {
  struct ut_piece *p = n->piece;
  begin_cycle(n);
  step_terminals(n, 0);
  *count = 0;
  for (unsigned i = 0; i < p->spans; i++) {
    const struct view x = view_of(n, p->span[i].elaboration);
    *count = gather(n, p, &x, p->span[i].first, p->span[i].end, *count);
  }
  return &p->batch;
}

void ut_network_accept(struct ut_network *n, unsigned count) {
  struct ut_piece *p = n->piece;
  unsigned first = 0;
  for (unsigned i = 0; i < p->spans; i++) {
    const struct view x = view_of(n, p->span[i].elaboration);
    unsigned end = first;
    while (end < count && p->batch.sw[end] < p->span[i].end)
      end++;
    scatter(n, p, &x, first, end);
    first = end;
  }
  end_cycle(n);
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

/* The workload is complete, or what is left of it waits for ever. */
static bool workload_is_over(const struct ut_network *n) {
  if (ut_workload_run_complete(n->workload))
    return true;
  return ut_workload_run_quiet(n->workload) && ut_network_outstanding(n) == 0 &&
         (ut_terminals_queued(&n->terminals) == 0 || none_can_leave(n));
}

bool ut_network_done(const struct ut_network *n) {
  if (n->workload && workload_is_over(n))
    return true;
  if (n->cycle < n->terminals.window_end)
    return false;
  if (!n->scenario->run.drain || n->cycle >= n->terminals.window_end + n->scenario->run.drain_limit_cycles)
    return true;
  return ut_network_outstanding(n) == 0 && none_can_leave(n);
}

/* ---- what is in the network */

bool ut_network_credit_comes(const struct ut_network *n, const struct ut_peer *sender, unsigned vc) {
  const uint32_t lane = ut_network_lane(n, sender, vc);
  bool any = false;
  for (unsigned i = 0; i < n->wires.slots; i++)
    any |= n->wires.credits[i][lane] != 0;
  return any;
}

bool ut_network_flit_comes(const struct ut_network *n, const struct ut_peer *to) {
  bool any = false;
  for (unsigned v = 0; v < n->v; v++)
    any |= flits_under_way(n, ut_network_lane(n, to, v)) != 0;
  return any;
}

const uint64_t *ut_network_flit_at(const struct ut_network *n, uint64_t cycle, const struct ut_peer *to) {
  for (unsigned v = 0; v < n->v; v++) {
    const uint32_t lane = ut_network_lane(n, to, v);
    unsigned index = 0;
    if (!*ut_wires_flits(&n->wires, cycle, lane))
      continue;
    for (uint64_t c = n->cycle; c < cycle; c++)
      index += *ut_wires_flits(&n->wires, c, lane) != 0;
    return flit_under_way(n, lane, index);
  }
  return NULL;
}

bool ut_network_wires_agree(const struct ut_network *a, const struct ut_network *b) {
  const size_t lanes = a->wires.lanes, switches = a->topology.switches;
  bool agree = !memcmp(a->report, b->report, switches * a->reports * sizeof *a->report) &&
               !memcmp(a->reported, b->reported, switches * sizeof *a->reported) && a->notices == b->notices;
  for (unsigned i = 0; i < a->wires.slots; i++)
    agree = agree && !memcmp(a->wires.flits[i] + UT_LANES, b->wires.flits[i] + UT_LANES, lanes - UT_LANES) &&
            !memcmp(a->wires.credits[i] + UT_LANES, b->wires.credits[i] + UT_LANES, lanes - UT_LANES);
  for (uint32_t lane = UT_LANES; lane < lanes && agree; lane++) {
    const unsigned count = a->wires.from[lane] ? flits_under_way(a, lane) : 0;
    for (unsigned i = 0; i < count && agree; i++)
      agree = !memcmp(flit_under_way(a, lane, i), flit_under_way(b, lane, i), (a->words + 1) * sizeof(uint64_t));
  }
  return agree;
}

/* Heads in the buffers of golden switches; one that is being drained has been counted as discarded. */
static uint64_t heads_in_group(const struct ut_network *n, const struct ut_group *g) {
  const struct ut_form x = g->form;
  const struct ut_wires *w = &n->wires;
  uint64_t heads = 0;
  for (uint32_t i = 0; i < g->blocks; i++) {
    const struct ut_block *b = ut_block_at(g, i, x);
    const uint64_t *drain = ut_register(b, UT_S_DRAIN, x), *promoted = ut_register(b, UT_S_PROMOTED, x);
    UT_FOR_EACH_LANE(lane, ut_register(b, UT_S_OCCUPIED, x), x.sets) {
      const uint32_t at = b->lane + (uint32_t)lane;
      const unsigned end = ut_position_at(w->write, at, x.wide);
      unsigned p = ut_position_at(UT_IN_BLOCK(void, b, x.at_rd), lane, x.wide);
      const uint64_t front = ut_wires_flit(w, at, p)[x.words];
      if (ut_has(drain, lane, x.sets))
        heads -= front & UT_KIND_HEAD;
      else if (ut_has(promoted, lane, x.sets))
        heads += !(front & (UT_KIND_HEAD | UT_BAD));
      for (; p != end; p = ut_position_next(p, x.depth))
        heads += ut_wires_flit(w, at, p)[x.words] & UT_KIND_HEAD;
    }
  }
  return heads;
}

uint64_t ut_network_buffered(const struct ut_network *n) {
  const struct ut_wires *w = &n->wires;
  uint64_t flits = 0;
  for (const struct ut_group *g = n->group; g != n->group + n->topology.elaborations; g++) {
    const struct ut_form x = g->form;
    for (uint32_t i = 0; i < g->blocks; i++) {
      const struct ut_block *b = ut_block_at(g, i, x);
      UT_FOR_EACH_LANE(lane, ut_register(b, UT_S_OCCUPIED, x), x.sets)
      flits += ut_position_count(ut_position_at(UT_IN_BLOCK(void, b, x.at_rd), lane, x.wide),
                                 ut_position_at(w->write, b->lane + (uint32_t)lane, x.wide), x.depth);
    }
  }
  return flits;
}

/* Heads on the wires. */
static uint64_t heads_on_wires(const struct ut_wires *w) {
  uint64_t heads = 0, word;
  for (unsigned i = 0; i < w->slots; i++)
    for (uint32_t lane = 0; lane < w->lanes; lane += 8) {
      memcpy(&word, w->flits[i] + lane, 8);
      heads += (unsigned)__builtin_popcountll(word & UINT64_C(0x0101010101010101) * UT_KIND_HEAD);
    }
  return heads;
}

uint64_t ut_network_in_flight(const struct ut_network *n) {
  uint64_t heads = ut_terminals_receiving(&n->terminals) + heads_on_wires(&n->wires);
  for (unsigned i = 0; i < n->topology.elaborations; i++)
    heads += heads_in_group(n, &n->group[i]);
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

double ut_network_throughput(const struct ut_network *n) {
  const uint64_t start = n->terminals.window_start,
                 end = n->cycle < n->terminals.window_end ? n->cycle : n->terminals.window_end;
  return end > start ? (double)n->terminals.window_flits / (double)(end - start) / n->topology.terminals : 0;
}

uint64_t ut_network_u_turns(const struct ut_network *n) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < n->topology.switches && n->group->memory; i++)
    sum += ut_network_switch(n, i)->u_turns;
  return sum;
}
