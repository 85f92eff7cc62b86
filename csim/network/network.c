/* network.c - the life of a network, and its cycle.  Its other parts: network_parts.h */
#include "network_parts.h"

#include "family.h"
#include "node_states.h"
#include "pattern.h"
#include "registers.h"
#include "scenario_switches.h"
#include "topology_build.h"

#include <stdlib.h>
#include <string.h>

static inline size_t words_of(size_t bits) {
  return (bits + 63) / 64;
}

/* ---- life and death */

void ut_network_fini(struct ut_network *n) {
  ut_wires_fini(&n->wires);
  free(n->in_up), free(n->out_up), free(n->report), free(n->failed), free(n->awake), free(n->stepped);
  free(n->reported), free(n->notice), free(n->changed), free(n->resumed);
  free(n->link_flits);
  ut_network_free_pieces(n->piece, n->pieces);
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

void ut_network_disturb(struct ut_network *n, uint32_t s) {
  if (n->backend)
    n->awake[s] = 1;
  else
    ut_switch_disturb(ut_network_group(n, s), ut_network_switch(n, s));
}

void ut_network_reset_switch(struct ut_network *n, uint32_t s) {
  if (n->backend)
    n->backend->reset(n->backend->self, s, n->topology.straps[s]);
  else
    ut_switch_reset(ut_network_group(n, s), ut_network_switch(n, s), n->topology.straps[s]);
  if (!n->backend)
    ut_network_switch(n, s)->held = ut_bitmap_get(n->failed, s);
}

/* Exclusion intervals avoid the faults of cycle 0 from the start, tables are those of the network without faults. */
static bool survey_first(struct ut_network *n) {
  ut_mask *up = calloc(n->topology.switches, sizeof *up);
  while (n->shape->exclusions && ut_faults_next(&n->faults, 0))
    ;
  for (uint32_t sw = 0; up && sw < n->topology.switches; sw++)
    up[sw] = (ut_mask)ut_faults_out_up(&n->faults, sw);
  ut_faults_rewind(&n->faults);
  if (up)
    ut_manager_survey(&n->manager, up);
  free(up);
  return up != NULL;
}

/* Gives every switch its first tables, or exclusion intervals. */
static bool load_tables(struct ut_network *n, const struct ut_scenario *s) {
  struct ut_manager *m = &n->manager;
  if (!n->shape->destinations && !n->shape->exclusions)
    return true;
  if (!ut_manager_init(m, &n->topology, n->shape, s->routing.tables == UT_TABLES_RECONFIGURED,
                       s->routing.manager_delay_cycles, s->routing.manager_switch_cycles) ||
      !survey_first(n))
    return false;
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
  if (ut_workload_run_init(run, s, &n->topology, ut_network_ready_cycle(n), e)) {
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
      (!backend && !make_groups(n)) || !ut_network_divide(n, 1)) {
    ut_network_fini(n);
    return ut_fail(e, UT_BAD_INPUT, "%s: not enough memory for a network of %u switches; try a smaller one", s->path,
                   ut_scenario_switches(s));
  }
  if (inform_terminals(n, s, e) ||
      (!backend && ut_pattern_is_workload(s->traffic.pattern) && begin_workload(n, s, e))) {
    ut_network_fini(n);
    return -1;
  }
  n->terminals.window_start =
      ut_pattern_is_workload(s->traffic.pattern) ? ut_network_ready_cycle(n) : s->run.warmup_cycles;
  n->terminals.window_end = ut_network_planned(s);
  for (uint32_t i = 0; i < t->switches; i++) {
    n->in_up[i] = (ut_mask)ut_faults_in_up(&n->faults, i);
    n->out_up[i] = (ut_mask)ut_faults_out_up(&n->faults, i);
    ut_network_reset_switch(n, i);
    ut_network_disturb(n, i);
  }
  if (!load_tables(n, s)) {
    ut_network_fini(n);
    return ut_fail(e, UT_BAD_INPUT, "%s: not enough memory for forwarding tables; try a smaller network", s->path);
  }
  join(n);
  ut_terminals_join(&n->terminals, &n->wires);
  if (!backend && ut_network_unmodelled(n) && !ut_network_use_spec(n, UT_SPEC_STEPS)) {
    ut_network_fini(n);
    return ut_fail(e, UT_BAD_INPUT, "%s: not enough memory for the spec", s->path);
  }
  return 0;
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

bool ut_network_count_links(struct ut_network *n) {
  n->link_flits = calloc((size_t)n->topology.switches * n->topology.po, sizeof *n->link_flits);
  return n->link_flits != NULL;
}

uint64_t ut_network_ready_cycle(const struct ut_network *n) {
  unsigned longest = n->link_cycles > n->injection_cycles ? n->link_cycles : n->injection_cycles;
  longest = longest > n->ejection_cycles ? longest : n->ejection_cycles;
  return n->shape->depth + longest + 1;
}

uint64_t ut_network_planned(const struct ut_scenario *s) {
  return s->run.warmup_cycles + s->run.measure_cycles;
}

/* ---- forwarding tables */

static void manage(struct ut_network *n) {
  struct ut_manager *m = &n->manager;
  ut_manager_step(m, &n->faults, n->out_up, n->cycle);
  for (uint32_t i = 0; i < m->streams; i++)
    ut_network_disturb(n, m->stream[i].sw);
}

/* ---- orders to all switches */

static void recall(struct ut_network *n) {
  ut_recall_step(&n->recall, n->cycle);
  for (uint32_t i = 0; n->recall.word && n->backend && i < n->topology.switches; i++)
    ut_network_disturb(n, i);
}

/* ---- one cycle */

/* What a switch reports to its neighbours has changed. */
static void hear_state(struct ut_network *n, const struct ut_event *e) {
  if (n->backend) {
    ut_network_report(n, e->sw, (uint32_t)e->header);
    return;
  }
  const struct ut_group *g = ut_network_group(n, e->sw);
  const struct ut_switch *s = ut_switch_of(g, e->sw);
  const uint32_t reports = ut_switch_report(g, s);
  if (reports != n->reported[e->sw])
    ut_network_report(n, e->sw, reports);
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
    UT_FOR_EACH (op, ut_reg_valid(ut_network_group(n, s), ut_network_switch(n, s)))
      n->link_flits[(size_t)s * n->topology.po + op]++;
}

static void step_golden(struct ut_network *n, struct ut_piece *p, const struct ut_span *span) {
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
      .order = n->recall.word,
  };
  p->flit_hops += ut_group_step(&n->group[span->elaboration], &c, span->block, span->blocks, &p->events);
}

void ut_network_step_terminals(struct ut_network *n, unsigned range) {
  const uint32_t first = n->wires.terminals; /* the wires to terminals, and from them */
  ut_terminals_step(&n->terminals, range, n->cycle, ut_network_flit_in(n, 0, first) - first,
                    ut_network_credit_in(n, 0, first) - first, ut_network_flit_in(n, n->injection_cycles, 0),
                    ut_network_credit_in(n, n->ejection_cycles, 0));
}

/* One cycle of a piece, whatever the others do. */
static void step_piece(void *ctx, unsigned i) {
  struct ut_network *n = ctx;
  if (i < n->terminals.ranges)
    ut_network_step_terminals(n, i);
  struct ut_piece *p = &n->piece[i];
  for (unsigned j = 0; j < p->spans; j++)
    (n->backend ? ut_network_step_backend : step_golden)(n, p, &p->span[j]);
}

enum { FEW_LEAVE = 32 };
static void settle_range(void *ctx, unsigned i) {
  struct ut_network *n = ctx;
  ut_terminals_settle(&n->terminals, i, n->cycle);
}

void ut_network_begin_cycle(struct ut_network *n) {
  if (n->cycle == n->terminals.window_end) {
    n->terminals.stop_generation = true;
    n->queued_at_end = ut_terminals_queued(&n->terminals);
  }
  if (n->changes || ut_faults_next_cycle(&n->faults) <= n->cycle)
    ut_network_apply_faults(n);
  if (n->resumes)
    ut_network_resume(n);
  if (n->notices)
    ut_network_deliver_reports(n);
  if (n->manager.word && n->manager.next_cycle <= n->cycle)
    manage(n);
  if (n->recall.next_cycle <= n->cycle)
    recall(n);
  if (n->terminals.guide && n->guide.next_cycle <= n->cycle)
    ut_guide_step(&n->guide, &n->faults, n->cycle);
}

void ut_network_end_cycle(struct ut_network *n) {
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
  ut_network_begin_cycle(n);
  ut_threads_run(n->threads, n->pieces, step_piece, n);
  ut_network_end_cycle(n);
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

/* The workload is complete, so that nothing is left, or what is left of it waits for ever. */
static bool workload_is_over(const struct ut_network *n) {
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

double ut_network_throughput(const struct ut_network *n) {
  const uint64_t start = n->terminals.window_start,
                 end = n->cycle < n->terminals.window_end ? n->cycle : n->terminals.window_end;
  return end > start ? (double)n->terminals.window_flits / (double)(end - start) / n->topology.terminals : 0;
}

uint64_t ut_network_after_end(const struct ut_network *n) {
  return ut_traffic_packets_from(&n->traffic, n->terminals.window_end);
}

uint64_t ut_network_u_turns(const struct ut_network *n) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < n->topology.switches && n->group->memory; i++)
    sum += ut_network_switch(n, i)->u_turns;
  return sum;
}

uint64_t ut_network_expiries(const struct ut_network *n) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < n->topology.switches && n->group->memory; i++)
    sum += ut_network_switch(n, i)->expiries;
  return sum;
}

bool ut_network_incomplete(const struct ut_network *n) {
  return n->workload && n->scenario->run.drain && !ut_workload_run_complete(n->workload);
}
