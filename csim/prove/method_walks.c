/* SPDX-License-Identifier: Apache-2.0 */
/* method_walks.c - see method.h: finds every walk of every packet, then what the escape channels wait for. */
#include "method_walks.h"

#include <inttypes.h>
#include <jansson.h>

#include "distance.h"
#include "numbering.h"

static void fini(struct ut_prover *prover) {
  struct ut_by_walks *own = prover->own;
  if (!own)
    return;
  ut_packet_list_free(&own->packets);
  ut_rings_free(&own->rings);
  ut_walk_free(&own->walk);
  ut_ring_check_free(&own->ring);
  ut_pair_ways_free(&own->ways);
  free(own);
  prover->own = NULL;
}

/* Collects the paths of all packets in the fault-free network. */
static int collect_ways(struct ut_by_walks *own, struct ut_error *e) {
  static const struct ut_fault_set none;
  struct ut_walk *walk = &own->walk;
  if (ut_packet_list_plan(&own->packets, &none, NULL, e))
    return -1;
  bool good = true;
  for (uint64_t number = 0; good && ut_packet_list_get(&own->packets, number, &walk->packets); number++)
    good = !ut_walk_run(walk, &walk->packets) && ut_pair_ways_add(&own->ways, walk);
  return good ? 0 : ut_fail(e, UT_BAD_INPUT, "out of memory for the ways of the network");
}

static int init(struct ut_prover *prover, struct ut_error *e) {
  struct ut_by_walks *own = prover->own = calloc(1, sizeof *own);
  if (!own)
    return ut_fail(e, UT_BAD_INPUT, "out of memory for the analysis");
  if (ut_packet_list_init(&own->packets, prover->scenario, prover->topology, e) ||
      ut_walk_init(&own->walk, &prover->explorer, e) || ut_rings_init(&own->rings, &prover->explorer, e))
    return -1;
  ut_packet_list_ask_tables(&own->packets, &prover->explorer);
  return !own->packets.told ? 0 : ut_pair_ways_init(&own->ways, prover->topology, e) ? -1 : collect_ways(own, e);
}

/* Whether every candidate is an escape channel, so that each walk has marked the channels that it is in itself. */
static bool one_round(const struct ut_by_walks *own) {
  return !own->rings.merged && !own->walk.explorer->group[0].form.preferred;
}

/* Walks all packets; with `second`, for their dependencies, which need the escape channels of all walks. */
static int walk_all(struct ut_prover *prover, struct ut_verdict *verdict, bool second) {
  struct ut_by_walks *own = prover->own;
  static const enum ut_failure failure[UT_WALK_FAULTS] = {
      [UT_WALK_DISCARDS] = UT_FAILURE_DISCARD, [UT_WALK_WRONG] = UT_FAILURE_WRONG,   [UT_WALK_LOOPS] = UT_FAILURE_LOOP,
      [UT_WALK_STRANDS] = UT_FAILURE_ESCAPE,   [UT_WALK_BUBBLE] = UT_FAILURE_BUBBLE,
  };
  struct ut_walk *walk = &own->walk;
  const bool plain = !own->packets.told && !own->packets.planned;
  uint32_t last = UT_TERMINAL, last_rt = 0; /* that was walked to, and by which header */
  for (uint64_t number = 0; ut_packet_list_get(&own->packets, number, &walk->packets); number++) {
    if (ut_prover_stopped(prover))
      return -1;
    ut_packets_leave_out(&walk->packets, &prover->explorer);
    const uint32_t rt = ut_header_rt(walk->packets.header[0]);
    if (plain && last != UT_TERMINAL && rt == last_rt && ut_packet_list_alike(&own->packets, walk->packets.dst, last) &&
        ut_explorer_alike(&prover->explorer, walk->packets.dst, last)) {
      verdict->pairs += second ? 0 : walk->packets.sources;
      continue;
    }
    last = walk->packets.dst;
    last_rt = rt;
    if (ut_walk_run(walk, &walk->packets))
      return -1;
    if (second) {
      ut_rings_add(&own->rings, walk, (uint32_t)number);
      continue;
    }
    ut_rings_mark(&own->rings, walk);
    if (one_round(own))
      ut_rings_add(&own->rings, walk, (uint32_t)number);
    for (unsigned i = 0; i < UT_WALK_DETOURS; i++)
      verdict->failure[failure[i]] |= walk->first[i] != UT_NO_STATE;
    verdict->detours |= walk->first[UT_WALK_DETOURS] != UT_NO_STATE;
    verdict->pairs += walk->packets.sources;
    if (walk->longest > verdict->longest)
      verdict->longest = walk->longest;
  }
  return 0;
}

/* Whether some switch cannot be reached from the first one. */
static bool separated(struct ut_prover *prover) {
  const struct ut_topology *topo = prover->topology;
  uint16_t *distance = malloc(topo->switches * sizeof *distance);
  bool apart = false;
  prover->explorer.bad_memory |= !distance || !ut_distances(topo, prover->explorer.up, 0, distance);
  for (uint32_t i = 0; i < topo->switches && !prover->explorer.bad_memory; i++)
    apart |= distance[i] == UT_NO_WAY;
  free(distance);
  return apart;
}

static int examine(struct ut_prover *prover, const struct ut_fault_set *set, struct ut_verdict *verdict,
                   struct ut_error *e) {
  struct ut_by_walks *own = prover->own;
  struct ut_rings *rings = &own->rings;
  const struct ut_paths *paths;
  uint64_t answers = own->walk.answers;
  ut_rings_clear(rings);
  const uint64_t *up = set->links || set->switches ? prover->explorer.works : NULL; /* as the source route table does */
  if (ut_packet_list_plan(&own->packets, set, up, e))
    return -1;
  if (walk_all(prover, verdict, false) || (!one_round(own) && walk_all(prover, verdict, true)))
    return ut_prover_stopped(prover) ? ut_fail(e, UT_INTERRUPTED, "interrupted")
                                     : ut_fail(e, UT_BAD_INPUT, "out of memory for the analysis");
  if ((paths = own->packets.paths)) {
    verdict->separated = paths->separated;
    verdict->without_route = paths->without_route;
    verdict->failure[UT_FAILURE_ROUTE] = verdict->without_route > 0;
  }
  if (own->packets.told) {
    if (!ut_pair_ways_check(&own->ways, &own->packets.ways, prover->explorer.works, &own->left))
      return ut_fail(e, UT_BAD_INPUT, "out of memory for the analysis");
    verdict->separated = own->left.separated;
    verdict->without_route = own->left.untold;
    verdict->pairs = own->left.told; /* some of them have several headers: they were walked more than once */
    verdict->failure[UT_FAILURE_ROUTE] = verdict->without_route > 0;
  }
  verdict->answers = (own->walk.answers - answers) / 2; /* each bubble set was compared in both rounds */
  verdict->nodes = ut_rings_count(rings);
  verdict->direct = ut_arcs_count(&rings->direct);
  verdict->dependency_cycle = ut_rings_cyclic(rings, &rings->all);
  verdict->extended_cycle = ut_rings_cyclic(rings, &rings->extended);
  uint32_t from, to;
  verdict->failure[UT_FAILURE_NUMBERING] = ut_find_falling(prover, &from, &to);
  verdict->failure[UT_FAILURE_CYCLE] = verdict->dependency_cycle && ut_rings_cyclic(rings, ut_deciding_arcs(prover));
  if (verdict->failure[UT_FAILURE_DISCARD] || verdict->failure[UT_FAILURE_ESCAPE])
    verdict->shallow = separated(prover);
  return 0;
}

static int conclude(struct ut_prover *prover, struct ut_error *e) {
  struct ut_by_walks *own = prover->own;
  const struct ut_shape *shape = &prover->explorer.group[0].shape;
  if (own->packets.told && !ut_pair_ways_count(&own->ways, &own->counts))
    return ut_fail(e, UT_BAD_INPUT, "out of memory for the ways of the network");
  const bool datelines = UT_ALG_DATELINE(shape->route, shape->algorithm); /* rings may fill */
  if (!prover->topology->wrap || shape->switching != UT_VCT || datelines || !ut_rings_closed(&own->rings))
    return 0;
  return ut_ring_check_run(&own->ring, shape, e);
}

static void put_range(const char *text, const struct ut_way_range *range, FILE *f) {
  fprintf(f, "%" PRIu64, range->least);
  if (range->most != range->least)
    fprintf(f, " to %" PRIu64, range->most);
  fprintf(f, "%s", text);
}

static void put_ways(const struct ut_by_walks *own, const struct ut_proof *proof, FILE *f) {
  fprintf(f, "  ways        ");
  put_range(" of a pair without faults; ", &own->counts.all, f);
  put_range(" have no link between switches in common, ", &own->counts.apart_between_switches, f);
  put_range(" no link at all\n", &own->counts.apart, f);
  const uint64_t terminals = own->ways.topology->terminals;
  fprintf(f,
          "  separated   %" PRIu64 " leave pairs without a way, at most %" PRIu64 " of %" PRIu64 ", %" PRIu64
          " in all sets; they send nothing\n",
          proof->separated, proof->most_separated, terminals * (terminals - 1), proof->separated_pairs);
  fprintf(f, "  untold      %" PRIu64 " leave a pair that has a way and is told of none\n", proof->without_route);
}

static void put_text(const struct ut_prover *prover, const struct ut_proof *proof, FILE *f) {
  const struct ut_by_walks *own = prover->own;
  const bool merged = own->rings.merged;
  fprintf(f, "  longest     %u hops between switches; %s%s\n", proof->longest,
          proof->detours ? "some hops come no nearer" : "every hop of every choice comes nearer",
          proof->failing[UT_FAILURE_LOOP] ? " (where nothing loops)" : "");
  if (own->packets.told) {
    put_ways(own, proof, f);
    fprintf(f,
            "  deadlock    %" PRIu64 " can (%" PRIu64 " have a cycle among %" PRIu64 " dependencies of %" PRIu64
            " channels)\n",
            proof->failing[UT_FAILURE_CYCLE], proof->dependency_cycles, proof->direct, proof->nodes);
    return;
  }
  fprintf(f,
          "  escape      %" PRIu64 " leave some packet without an escape channel; %" PRIu64 " escape %s, %" PRIu64
          " dependencies between them\n",
          proof->failing[UT_FAILURE_ESCAPE], proof->nodes, merged ? "rings" : "channels", proof->direct);
  if (merged)
    fprintf(f, "  bubble      %" PRIu64 " ask the rule of wrong candidates (%" PRIu64 " answers compared)\n",
            proof->failing[UT_FAILURE_BUBBLE], proof->answers);
  if (own->packets.planned)
    fprintf(f,
            "  planned     %" PRIu64 " leave pairs of nodes without a route, %" PRIu64
            " without any path; those pairs are not walked\n",
            proof->without_route, proof->separated);
  if (ut_escapes_numbered(&prover->explorer))
    fprintf(f, "  numbering   %" PRIu64 " violate the paper's channel numbers\n", proof->failing[UT_FAILURE_NUMBERING]);
  fprintf(f, "  deadlock    %" PRIu64 " can (%" PRIu64 " have a cycle of dependencies of all channels",
          proof->failing[UT_FAILURE_CYCLE], proof->dependency_cycles);
  if (!merged)
    fprintf(f, "; %" PRIu64 " in the extended graph of the escape channels", proof->extended_cycles);
  fprintf(f, ")\n");
  ut_ring_check_print(&own->ring, f);
}

static void put_range_json(const char *key, const struct ut_way_range *range, json_t *object) {
  json_object_set_new(object, key, json_pack("[I,I]", (json_int_t)range->least, (json_int_t)range->most));
}

static void put_json(const struct ut_prover *prover, const struct ut_proof *proof, json_t *object) {
  const struct ut_by_walks *own = prover->own;
  const struct {
    const char *key;
    uint64_t value;
  } count[] = {
      {"fault_sets_without_escape", proof->failing[UT_FAILURE_ESCAPE]},
      {"fault_sets_with_wrong_bubbles", proof->failing[UT_FAILURE_BUBBLE]},
      {"fault_sets_without_route", proof->without_route},
      {"fault_sets_separated", proof->separated},
      {"fault_sets_with_detours", proof->detours},
      {"fault_sets_with_extended_cycle", proof->extended_cycles},
      {own->rings.merged ? "escape_rings" : "escape_channels", proof->nodes},
      {"escape_dependencies", proof->direct},
      {"bubble_answers", proof->answers},
  };
  for (size_t i = 0; i < sizeof count / sizeof count[0]; i++)
    json_object_set_new(object, count[i].key, json_integer((json_int_t)count[i].value));
  ut_ring_check_json(&own->ring, object);
  if (!own->packets.told)
    return;
  json_object_set_new(object, "pairs_separated", json_integer((json_int_t)proof->separated_pairs));
  json_object_set_new(object, "most_pairs_separated", json_integer((json_int_t)proof->most_separated));
  put_range_json("ways", &own->counts.all, object);
  put_range_json("ways_apart_between_switches", &own->counts.apart_between_switches, object);
  put_range_json("ways_apart", &own->counts.apart, object);
}

const struct ut_proof_method ut_proof_by_walks = {
    .init = init,
    .fini = fini,
    .examine = examine,
    .example = ut_example_by_walks,
    .conclude = conclude,
    .put_text = put_text,
    .put_json = put_json,
    .replays = true,
};
