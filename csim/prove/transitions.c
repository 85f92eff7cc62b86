/* SPDX-License-Identifier: Apache-2.0 */
/* transitions.c - one transition: its walks, their dependencies, the pairs that lose packets.  See transitions.h */
#include "transitions.h"

#include <stdlib.h>
#include <string.h>

#include "example_walks.h"
#include "reserve.h"
#include "scenario.h"

/* ---- memory */

static int refuse(const struct ut_transition_prover *prover, struct ut_error *e) {
  const struct ut_form *form = &prover->explorer.group[0].form;
  const char *path = prover->scenario->path, *algorithm = prover->scenario->routing.algorithm;
  if (!form->tables)
    return ut_fail(e, UT_BAD_INPUT, "%s: --transitions is about tables that a manager changes; algorithm %s has none",
                   path, algorithm);
  if (!prover->explorer.replans)
    return ut_fail(e, UT_BAD_INPUT, "%s: --transitions: with 'routing.tables: static' tables never change", path);
  if (form->vector)
    return ut_fail(e, UT_BAD_INPUT,
                   "%s: --transitions is not supported for algorithm %s, whose switches keep re-route vectors", path,
                   algorithm);
  return 0;
}

static bool allocate(struct ut_transition_prover *prover) {
  const uint32_t terminals = prover->topology->terminals;
  if (prover->rounds.told.layer)
    prover->packets.hops = &prover->rounds.told;
  prover->numbers = ut_packet_list_count(&prover->packets);
  prover->seed = calloc(prover->numbers, sizeof *prover->seed);
  prover->seeds = calloc(prover->numbers, sizeof *prover->seeds);
  prover->seed_room = calloc(prover->numbers, sizeof *prover->seed_room);
  prover->down = calloc(prover->topology->channels / 64 + 1, sizeof *prover->down);
  bool good = prover->seed && prover->seeds && prover->seed_room && prover->down;
  for (unsigned i = 0; i < UT_TRANSITION_WALKS; i++) {
    prover->discards[i] = calloc((size_t)terminals * terminals / 64 + 1, sizeof *prover->discards[i]);
    good &= prover->discards[i] != NULL;
  }
  return good && ut_table_changes_init(&prover->changes, prover->topology->switches);
}

int ut_transition_prover_init(struct ut_transition_prover *prover, const struct ut_scenario *scenario,
                              const struct ut_topology *topo, struct ut_error *e) {
  *prover = (struct ut_transition_prover){.scenario = scenario, .topology = topo};
  if (ut_explorer_init(&prover->explorer, scenario, topo, e))
    return -1;
  if (refuse(prover, e) || ut_packet_list_init(&prover->packets, scenario, topo, e) ||
      ut_walk_init(&prover->walk, &prover->explorer, e) || ut_rings_init(&prover->rings, &prover->explorer, e) ||
      ut_rings_init(&prover->whole, &prover->explorer, e)) {
    ut_transition_prover_free(prover);
    return -1;
  }
  prover->explorer.replans = false; /* the manager does */
  if (ut_rounds_init(&prover->rounds, scenario, &prover->explorer, e)) {
    ut_transition_prover_free(prover);
    return -1;
  }
  if (allocate(prover))
    return 0;
  ut_transition_prover_free(prover);
  return ut_fail(e, UT_BAD_INPUT, "out of memory for the transitions");
}

void ut_transition_prover_free(struct ut_transition_prover *prover) {
  for (uint64_t i = 0; prover->seed && i < prover->numbers; i++)
    free(prover->seed[i]);
  free(prover->seed), free(prover->seeds), free(prover->seed_room), free(prover->down);
  for (unsigned i = 0; i < UT_TRANSITION_WALKS; i++)
    free(prover->discards[i]);
  free(prover->cycle);
  ut_rounds_fini(&prover->rounds);
  ut_table_changes_fini(&prover->changes);
  ut_rings_free(&prover->rings), ut_rings_free(&prover->whole);
  ut_walk_free(&prover->walk);
  ut_packet_list_free(&prover->packets);
  ut_explorer_free(&prover->explorer);
}

/* ---- the transitions of a fault set */

static unsigned faults_of(const struct ut_fault_set *set) {
  return set->links + set->switches;
}

unsigned ut_transitions_of(const struct ut_fault_set *set) {
  const unsigned faults = faults_of(set);
  return faults < 2 ? 2 * faults : 2 * (1 + faults);
}

/* The set without its fault number i: its links come first. */
static struct ut_fault_set without(const struct ut_fault_set *set, unsigned i) {
  struct ut_fault_set less = *set;
  uint32_t *list = i < set->links ? less.link : less.sw;
  unsigned *count = i < set->links ? &less.links : &less.switches;
  const unsigned at = i < set->links ? i : i - set->links;
  memmove(list + at, list + at + 1, (*count - at - 1) * sizeof *list);
  --*count;
  return less;
}

void ut_transition_get(const struct ut_fault_set *set, unsigned i, struct ut_transition *transition) {
  const struct ut_fault_set less = i < 2 ? (struct ut_fault_set){0} : without(set, i / 2 - 1);
  transition->repair = i % 2;
  transition->before = i % 2 ? *set : less;
  transition->after = i % 2 ? less : *set;
}

/* ---- walks */

/* Marks both directions of a link, or of all links of a switch, as down. */
static void mark_down(struct ut_transition_prover *prover, const struct ut_fault_set *set) {
  const struct ut_topology *topo = prover->topology;
  memset(prover->down, 0, (topo->channels / 64 + 1) * sizeof *prover->down);
  for (uint32_t i = 0; i < topo->channels; i++) {
    const struct ut_peer from = ut_topology_sender(topo, i), *to = &topo->peer[i];
    bool down = false;
    for (unsigned j = 0; j < set->links; j++)
      down |=
          ut_link_channel(topo, set->link[j]) == i || ut_topology_twin(topo, ut_link_channel(topo, set->link[j])) == i;
    for (unsigned j = 0; j < set->switches; j++)
      down |= (from.kind == UT_PEER_SWITCH && from.index == set->sw[j]) ||
              (to->kind == UT_PEER_SWITCH && to->index == set->sw[j]);
    prover->down[i / 64] |= (uint64_t)down << i % 64;
  }
}

/* Keeps where the packets of a walk can be when the event comes.  false: out of memory. */
static bool keep_seeds(struct ut_transition_prover *prover, uint64_t number) {
  const struct ut_walk *walk = &prover->walk;
  prover->seeds[number] = 0;
  for (uint32_t i = 0; i < walk->places; i++) {
    if (!ut_reserve_one(&prover->seed[number], sizeof **prover->seed, prover->seeds[number],
                        &prover->seed_room[number]))
      return false;
    prover->seed[number][prover->seeds[number]++] =
        (struct ut_walk_seed){walk->header[walk->place[i].header].word[0], walk->place[i].channel, walk->place[i].src};
  }
  return true;
}

/* A packet that waits for a link is routed again when the link goes down: no dependency is left. */
static void drop_dead_hops(struct ut_transition_prover *prover) {
  const struct ut_topology *topo = prover->topology;
  struct ut_walk *walk = &prover->walk;
  for (uint32_t s = 0; s < walk->places; s++)
    for (uint32_t i = walk->place[s].first; i < walk->place[s].end; i++) {
      const uint32_t sw = prover->explorer.channel[walk->place[s].channel].sw;
      const uint32_t channel = sw * topo->po + walk->hop[i].port;
      if (prover->down[channel / 64] >> channel % 64 & 1)
        walk->hop[i].to = UT_TERMINAL;
    }
}

/* Notes the sources whose packets are discarded somewhere, in a bitmap over pairs. */
static bool note_discards(struct ut_transition_prover *prover, uint64_t *discards) {
  const struct ut_walk *walk = &prover->walk;
  if (walk->first[UT_WALK_DISCARDS] == UT_NO_STATE)
    return true;
  bool *lost = calloc(walk->places, sizeof *lost);
  uint32_t *queue = malloc(walk->places * sizeof *queue), length = 0;
  for (uint32_t s = 0; lost && queue && s < walk->places; s++)
    if (walk->place[s].discards) {
      lost[s] = true;
      queue[length++] = s;
    }
  for (uint32_t i = 0; i < length; i++) {
    const uint32_t s = queue[i];
    if (walk->place[s].from == UT_NO_STATE && s < walk->injected) {
      const size_t pair = (size_t)walk->packets.dst * prover->topology->terminals + walk->place[s].src;
      discards[pair / 64] |= UINT64_C(1) << pair % 64;
    }
    for (uint32_t j = walk->before_first[s]; j < walk->before_first[s + 1]; j++)
      if (!lost[walk->before[j]]) {
        lost[walk->before[j]] = true;
        queue[length++] = walk->before[j];
      }
  }
  const bool good = lost && queue;
  free(lost), free(queue);
  return good;
}

/* What is done with each walk; false: out of memory. */
typedef bool visit_walk(struct ut_transition_prover *prover, enum ut_transition_walk kind, uint64_t number, void *ctx);

static bool walk_all(struct ut_transition_prover *prover, enum ut_transition_walk kind, visit_walk *visit, void *ctx) {
  struct ut_walk *walk = &prover->walk;
  for (uint64_t number = 0; ut_packet_list_get(&prover->packets, number, &walk->packets); number++) {
    const bool between = kind == UT_WALK_BETWEEN && prover->phase == 0; /* before other phases the network is drained */
    ut_packets_leave_out(&walk->packets, &prover->explorer);
    if (prover->stop && *prover->stop)
      return false;
    if (ut_walk_run_on(walk, &walk->packets, between ? prover->seed[number] : NULL,
                       between ? prover->seeds[number] : 0))
      return false;
    if (kind == UT_WALK_BEFORE) {
      if (!keep_seeds(prover, number))
        return false;
      drop_dead_hops(prover);
    }
    if (!visit(prover, kind, number, ctx))
      return false;
  }
  return true;
}

void ut_transition_settle(struct ut_transition_prover *prover, const struct ut_fault_set *set) {
  ut_explorer_set_faults(&prover->explorer, set);
  ut_rounds_settle(&prover->rounds, &prover->changes);
}

/* Plans the tables before a transition, from those without faults on.  A repaired switch still holds those that it had
 * when it failed. */
static void plan_before(struct ut_transition_prover *prover, const struct ut_transition *transition) {
  static const struct ut_fault_set none;
  prover->explorer.changes = NULL;
  ut_transition_settle(prover, &none);
  ut_transition_settle(prover, transition->repair ? &transition->after : &transition->before);
  if (transition->repair)
    ut_transition_settle(prover, &transition->before);
}

/* Walks all packets of one phase of a transition.  false: out of memory. */
static bool walk_phase(struct ut_transition_prover *prover, visit_walk *visit, void *ctx) {
  prover->explorer.changes = &prover->changes;
  bool good = walk_all(prover, UT_WALK_BETWEEN, visit, ctx);
  prover->explorer.changes = NULL;
  ut_rounds_tell(&prover->rounds);
  return good && walk_all(prover, UT_WALK_AFTER, visit, ctx);
}

static int run(struct ut_transition_prover *prover, const struct ut_transition *transition, visit_walk *visit,
               void *ctx, struct ut_error *e) {
  struct ut_explorer *explorer = &prover->explorer;
  mark_down(prover, &transition->after);
  plan_before(prover, transition);
  if (prover->listener.old)
    prover->listener.old(prover, prover->listener.ctx);
  prover->phase = 0;
  bool good = walk_all(prover, UT_WALK_BEFORE, visit, ctx);
  ut_explorer_set_faults(explorer, &transition->after);
  good = good && walk_all(prover, UT_WALK_OLD, visit, ctx);
  ut_rounds_begin(&prover->rounds);
  for (; ut_rounds_phase(&prover->rounds, &prover->changes); prover->phase++)
    good = good && walk_phase(prover, visit, ctx);
  if (prover->stop && *prover->stop)
    return ut_fail(e, UT_INTERRUPTED, "interrupted");
  return good && !explorer->bad_memory ? 0 : ut_fail(e, UT_BAD_INPUT, "out of memory for the analysis");
}

/* ---- verdict */

/* Escape channels are those of the last VC where others are preferred, otherwise all. */
static void mark_escapes(struct ut_rings *rings) {
  const struct ut_explorer *explorer = rings->explorer;
  ut_rings_clear(rings);
  for (uint32_t c = 0; c < explorer->channels; c++)
    rings->escape[c] = !explorer->group[0].form.preferred || explorer->channel[c].vc == explorer->v - 1;
}

static uint32_t walk_number(const struct ut_transition_prover *prover, enum ut_transition_walk kind, uint64_t number) {
  return (uint32_t)((prover->phase * UT_TRANSITION_WALKS + kind) * prover->numbers + number);
}

static const struct ut_arcs *deciding(const struct ut_transition_prover *prover, const struct ut_rings *rings) {
  return ut_rings_deciding(rings, prover->explorer.group);
}

/* Keeps the shortest cycle of the dependencies, with walks that have them.  false: out of memory. */
static bool keep_cycle(struct ut_transition_prover *prover) {
  uint32_t *cycle = NULL;
  const size_t length = ut_digraph_shortest_cycle(&prover->rings.graph, NULL, &cycle);
  prover->cycle = length ? calloc(length, sizeof *prover->cycle) : NULL;
  prover->cycle_length = prover->cycle ? length : 0;
  for (size_t i = 0; i < prover->cycle_length; i++) {
    const uint32_t from = cycle[i], to = cycle[(i + 1) % length];
    prover->cycle[i] = (struct ut_cycle_arc){from, to, ut_arcs_walk(deciding(prover, &prover->rings), from, to)};
  }
  free(cycle);
  return prover->cycle != NULL;
}

/* Ends a phase: looks for a cycle, and forgets the dependencies of packets that leave now. */
static bool end_phase(struct ut_transition_prover *prover, struct ut_transition_verdict *verdict) {
  uint32_t switches = 0;
  verdict->words += prover->changes.changes;
  verdict->phases++;
  for (uint32_t sw = 0; sw < prover->topology->switches; sw++)
    switches += prover->changes.of[sw] > 0;
  verdict->switches = switches > verdict->switches ? switches : verdict->switches;
  if (ut_rings_cyclic(&prover->rings, deciding(prover, &prover->rings)) && !verdict->failure[UT_FAILURE_CYCLE]) {
    verdict->failure[UT_FAILURE_CYCLE] = true;
    if (!keep_cycle(prover))
      return false;
  }
  if (prover->listener.phase)
    prover->listener.phase(prover, prover->listener.ctx);
  mark_escapes(&prover->rings);
  return true;
}

static void clear_discards(struct ut_transition_prover *prover, enum ut_transition_walk kind) {
  const size_t terminals = prover->topology->terminals;
  memset(prover->discards[kind], 0, (terminals * terminals / 64 + 1) * sizeof *prover->discards[kind]);
}

static bool judge(struct ut_transition_prover *prover, enum ut_transition_walk kind, uint64_t number, void *ctx) {
  struct ut_transition_verdict *verdict = ctx;
  const struct ut_walk *walk = &prover->walk;
  const bool last = !ut_rounds_drain(&prover->rounds); /* of the phases */
  if (kind == UT_WALK_OLD)
    verdict->pairs += walk->packets.sources;
  if (kind != UT_WALK_BETWEEN && (kind != UT_WALK_AFTER || last))
    ut_rings_add(&prover->whole, walk, walk_number(prover, kind, number));
  if (kind != UT_WALK_OLD) {
    ut_rings_add(&prover->rings, walk, walk_number(prover, kind, number));
    verdict->failure[UT_FAILURE_LOOP] |= walk->first[UT_WALK_LOOPS] != UT_NO_STATE;
    verdict->failure[UT_FAILURE_WRONG] |= walk->first[UT_WALK_WRONG] != UT_NO_STATE;
    verdict->failure[UT_FAILURE_ESCAPE] |= walk->first[UT_WALK_STRANDS] != UT_NO_STATE;
  }
  if (kind == UT_WALK_AFTER && number == 0)
    clear_discards(prover, kind);
  if (!note_discards(prover, prover->discards[kind]))
    return false;
  return kind != UT_WALK_AFTER || number + 1 < prover->numbers || end_phase(prover, verdict);
}

/* Whether a pair loses packets although old and new tables connect it. */
static bool loses(const struct ut_transition_prover *prover, uint32_t src, uint32_t dst) {
  const size_t pair = (size_t)dst * prover->topology->terminals + src;
  const uint64_t bits = prover->discards[UT_WALK_BETWEEN][pair / 64] & ~prover->discards[UT_WALK_OLD][pair / 64] &
                        ~prover->discards[UT_WALK_AFTER][pair / 64];
  return bits >> pair % 64 & 1;
}

int ut_transition_examine(struct ut_transition_prover *prover, const struct ut_transition *transition,
                          struct ut_transition_verdict *verdict, struct ut_error *e) {
  const uint32_t terminals = prover->topology->terminals;
  *verdict = (struct ut_transition_verdict){0};
  mark_escapes(&prover->rings);
  mark_escapes(&prover->whole);
  free(prover->cycle);
  prover->cycle = NULL;
  prover->cycle_length = 0;
  for (unsigned i = 0; i < UT_TRANSITION_WALKS; i++)
    clear_discards(prover, i);
  if (run(prover, transition, judge, verdict, e))
    return -1;
  for (uint32_t dst = 0; dst < terminals; dst++)
    for (uint32_t src = 0; src < terminals; src++)
      verdict->lost += loses(prover, src, dst);
  verdict->failure[UT_FAILURE_DISCARD] = verdict->lost > 0;
  verdict->whole_cycle = ut_rings_cyclic(&prover->whole, deciding(prover, &prover->whole));
  return prover->explorer.bad_memory ? ut_fail(e, UT_BAD_INPUT, "out of memory for the analysis") : 0;
}

/* ---- counter-examples */

struct search {
  struct ut_counter_example *example;
  enum ut_walk_fault fault; /* otherwise: the failure of a state */
  uint32_t src, dst;        /* of a pair that loses packets */
};

/* Tables that a packet of a walk meets where they do not change. */
static enum ut_tables_met met_in(enum ut_transition_walk kind, enum ut_tables_met met) {
  return kind == UT_WALK_BEFORE ? UT_MET_OLD : kind == UT_WALK_AFTER ? UT_MET_NEW : met;
}

/* Finds the packets of the cycle's arcs that this walk has. */
static bool visit_cycle(struct ut_transition_prover *prover, enum ut_transition_walk kind, uint64_t number, void *ctx) {
  const struct search *search = ctx;
  for (size_t i = 0; i < prover->cycle_length; i++) {
    const struct ut_cycle_arc *arc = &prover->cycle[i];
    struct ut_step *step = &search->example->step[i];
    const bool indirect = deciding(prover, &prover->rings) == &prover->rings.extended;
    if (arc->walk == walk_number(prover, kind, number) &&
        ut_example_arc(&prover->walk, arc->from, arc->to, indirect, step))
      step->met = met_in(kind, step->met);
  }
  return true;
}

static int find_cycle(struct ut_transition_prover *prover, const struct ut_transition *transition,
                      struct search *search, struct ut_error *e) {
  search->example->step = calloc(prover->cycle_length + 1, sizeof *search->example->step);
  search->example->steps = prover->cycle_length;
  return search->example->step ? run(prover, transition, visit_cycle, search, e)
                               : ut_fail(e, UT_BAD_INPUT, "out of memory for the analysis");
}

/* Keeps the shortest walk to a state with the failure. */
static bool visit_failure(struct ut_transition_prover *prover, enum ut_transition_walk kind, uint64_t number,
                          void *ctx) {
  const struct search *search = ctx;
  const struct ut_walk *walk = &prover->walk;
  (void)number;
  if (kind == UT_WALK_OLD || (search->fault == UT_WALK_DISCARDS && kind != UT_WALK_BETWEEN))
    return true;
  if (search->fault == UT_WALK_DISCARDS && walk->packets.dst != search->dst)
    return true;
  if (search->fault == UT_WALK_DISCARDS) { /* of that pair alone */
    struct ut_packets *packets = &prover->walk.packets;
    bool there = false;
    for (uint32_t i = 0; i < packets->sources && !there; i++)
      if ((there = packets->source[i] == search->src)) {
        packets->source[0] = search->src;
        packets->link[0] = packets->link[i];
        packets->sources = 1;
      }
    if (!there)
      return true;
    if (ut_walk_run(&prover->walk, packets))
      return false;
  }
  return ut_example_shortest(search->example, walk, search->fault);
}

static int find_failure(struct ut_transition_prover *prover, const struct ut_transition *transition,
                        enum ut_failure kind, struct search *search, struct ut_error *e) {
  search->fault = kind == UT_FAILURE_LOOP      ? UT_WALK_LOOPS
                  : kind == UT_FAILURE_DISCARD ? UT_WALK_DISCARDS
                  : kind == UT_FAILURE_ESCAPE  ? UT_WALK_STRANDS
                                               : UT_WALK_WRONG;
  for (uint32_t dst = prover->topology->terminals; dst-- > 0 && kind == UT_FAILURE_DISCARD;)
    for (uint32_t src = prover->topology->terminals; src-- > 0;)
      if (loses(prover, src, dst)) {
        search->src = src;
        search->dst = dst;
      }
  return run(prover, transition, visit_failure, search, e);
}

int ut_transition_example(struct ut_transition_prover *prover, const struct ut_transition *transition,
                          enum ut_failure kind, struct ut_counter_example *example, struct ut_error *e) {
  struct ut_transition_verdict verdict;
  struct search search = {.example = example};
  *example = (struct ut_counter_example){
      .kind = kind, .set = transition->after, .transition = true, .before = transition->before};
  if (ut_transition_examine(prover, transition, &verdict, e))
    return -1;
  const int status = kind == UT_FAILURE_CYCLE ? find_cycle(prover, transition, &search, e)
                                              : find_failure(prover, transition, kind, &search, e);
  if (status || example->steps)
    return status;
  return ut_fail(e, UT_INTERNAL, "no %s is found the second time", ut_failure_name[kind]);
}
