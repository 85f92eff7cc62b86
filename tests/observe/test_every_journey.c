/* test_every_journey.c - the journeys of many packets at once, all packets and their moves, which of them turned, loads
 * of links, outages, and what waits for what, as they were recorded. */
#include <string.h>

#include "deadlock.h"
#include "journey.h"
#include "loads.h"
#include "node_states.h"
#include "outages.h"
#include "packet_log.h"
#include "packet_search.h"
#include "planned_routes.h"
#include "recorded.h"
#include "registers.h"
#include "scenarios.h"

static void record_text(uint64_t *hash, const char *text) {
  for (; *text; text++)
    record(hash, (unsigned char)*text);
}

static void record_journey(uint64_t *hash, const struct ut_journey *j, const struct ut_network *n) {
  char text[UT_OUTAGE_NAME_SIZE];
  assert_int_not_equal(j->state, UT_JOURNEY_LOST_SIGHT);
  record(hash, (uint64_t)j->state << 32 | j->reason), record(hash, (uint64_t)j->flits << 32 | j->headers);
  record(hash, j->generated), record(hash, j->injected), record(hash, j->ended), record(hash, j->hops);
  record_text(hash, ut_place_text(&n->topology, &j->where, text));
  record_text(hash, ut_place_text(&n->topology, &j->cut, text));
  record(hash, j->sent), record(hash, j->state == UT_JOURNEY_QUEUED ? 0 : ut_journey_shortest(j, &n->topology));
  record(hash, ut_journey_u_turns(j) << 16 | ut_journey_stripped(j) << 8 | ut_journey_links(j, &n->topology));
  record(hash, ut_journey_waited(j));
  for (size_t i = 0; i < j->hops; i++) {
    const struct ut_hop *h = &j->hop[i];
    record(hash, h->arrived), record(hash, h->left), record(hash, h->waited), record(hash, h->behind);
    record(hash, h->strip), record(hash, h->crossed), record(hash, (uint64_t)h->rt_in << 32 | h->rt_out);
    record(hash, (uint64_t)h->vector_in << 32 | h->vector_out), record(hash, (uint64_t)h->sw << 32 | h->stop);
    record(hash, h->in_port << 24 | h->in_vc << 16 | h->out_port << 8 | h->out_vc);
    record(hash, h->stripped << 4 | h->from_above << 2 | h->goes_up << 1 | h->gone);
    record(hash, ut_journey_stop(n, h));
  }
}

/* The window around some cycles, and the loads in it. */
static void record_loads(uint64_t *hash, const struct ut_network *n) {
  const struct ut_topology *t = &n->topology;
  size_t *port = calloc((size_t)t->switches * t->po, sizeof *port);
  assert_non_null(port);
  for (uint64_t at = 0; at < 500; at += 37) {
    struct ut_loads w = {0};
    ut_loads_window(&w, n, at ? &at : NULL);
    record(hash, w.from), record(hash, w.until);
    assert_true(ut_loads_take(&w, n));
    record(hash, w.from), record(hash, w.until);
    for (unsigned level = 0; level < t->levels; level++) {
      const struct ut_load_summary s = ut_loads_summarize(&w, t, level, at % 2 ? UINT64_MAX : t->up_ports | 5);
      record(hash, (uint64_t)s.switches << 32 | s.links), record(hash, (uint64_t)(s.mean * 1e9 + 0.5));
      record(hash, (uint64_t)(s.most * 1e9 + 0.5));
    }
    const unsigned found = ut_loads_busiest(&w, t, port, (unsigned)at / 5 + 1);
    for (unsigned i = 0; i < found; i++)
      record(hash, port[i]);
    free(w.load);
  }
  free(port);
}

static void record_outages(uint64_t *hash, const struct ut_network *n) {
  for (uint64_t first = 0; first < 500; first += 60) {
    struct ut_outage *list;
    size_t count;
    char text[UT_OUTAGE_NAME_SIZE];
    assert_true(ut_outages_find(&n->faults, first, first + 80, &list, &count));
    for (size_t i = 0; i < count; i++) {
      record(hash, list[i].from), record(hash, list[i].until);
      record_text(hash, ut_outage_name(&n->topology, &list[i], text));
    }
    free(list);
  }
}

static void record_deadlock(uint64_t *hash, const struct ut_network *n) {
  struct ut_watchdog w = {0};
  record(hash, ut_deadlock_search(&w, n));
  record_text(hash, w.text ? w.text : "-");
  ut_watchdog_free(&w);
}

/* As if all else had been purged in this cycle, and back: that is no matter of packets that are drained. */
static void purge_others(const struct ut_network *n) {
  for (uint32_t sw = 0; sw < n->topology.switches; sw++) {
    const struct ut_group *g = ut_network_group(n, sw);
    struct ut_switch *s = ut_network_switch(n, sw);
    for (unsigned v = 0; v < n->v && g->form.states; v++)
      for (unsigned ip = 0; ip < g->shape.pi; ip++)
        if (ut_reg_state(g, s, ip, v) != UT_VC_STATE_DRAIN)
          ut_node_states_of(g, s)->purged[v] ^= ut_bit(ip);
  }
}

/* ---- all packets, by the log of them; ctx: the hash */

static void record_packet(void *ctx, const struct ut_packet *p) {
  record(ctx, p->sequence), record(ctx, p->generated), record(ctx, p->injected), record(ctx, p->ended);
  record(ctx, (uint64_t)p->hops << 40 | (uint64_t)p->u_turns << 20 | p->detours);
  record(ctx, (uint64_t)p->src << 48 | (uint64_t)p->dst << 32 | p->flits << 8 | p->fate);
}

static void record_move(void *ctx, const struct ut_packet_move *m) {
  record(ctx, m->sequence), record(ctx, (uint64_t)m->src << 32 | m->channel);
  record(ctx, (uint64_t)m->lane << 32 | m->vc << 3 | m->u_turn << 2 | m->detour << 1 | m->stripped);
}

static void record_tail(void *ctx, uint32_t lane) {
  record(ctx, lane);
}

/* What a search for a packet worth following finds. */
static void record_search(uint64_t *hash, const struct ut_packet_search *s) {
  record(hash, (uint64_t)s->first.src << 32 | s->first.sequence), record(hash, (uint64_t)s->sw << 32 | s->cycle);
  record(hash, s->any << 2 | s->turned << 1 | s->no_route);
  for (unsigned i = 0; i < s->candidates; i++)
    record(hash, (uint64_t)s->candidate[i].src << 32 | s->candidate[i].sequence);
}

static const struct {
  const char *scenario;     /* a file, or a text */
  unsigned packets, cycles; /* of each terminal; of the run */
  uint64_t hash;
} recorded[] = {
    {"tests/mutation/scenarios/cut_in_full_buffer.yaml", 6, 300, 0xbc0128b5d4b2560b},
    {"tests/mutation/scenarios/faults_light_load.yaml", 6, 500, 0xf7b434a5d41142bb},
    {"tests/mutation/scenarios/faults_mesh_detour.yaml", 6, 300, 0xaf02a65a32d1d6bf},
    {"tests/mutation/scenarios/faults_ruft.yaml", 20, 400, 0xda813f11d8d001ec},
    {"tests/mutation/scenarios/faults_table.yaml", 6, 300, 0x5cd065bd4e048b87},
    {"tests/mutation/scenarios/faults_torus.yaml", 6, 300, 0x421c7355ecc131af},
    {"tests/mutation/scenarios/faults_tree_det_link.yaml", 6, 300, 0x47473778dc1e0160},
    {"tests/mutation/scenarios/faults_tree_det_switch.yaml", 6, 300, 0x958c1bcb27e4187c},
    {"tests/mutation/scenarios/faults_tree_link.yaml", 6, 300, 0xef8997cc3195cbe8},
    {"tests/mutation/scenarios/faults_tree_misroute.yaml", 6, 300, 0x1e1f367b8a53e3bc},
    {"tests/mutation/scenarios/faults_tree_one_layer.yaml", 6, 300, 0xd1dca9843bb38725},
    {"tests/mutation/scenarios/faults_tree_switch.yaml", 6, 300, 0xe4e443fd422cb00f},
    {"tests/scenarios/detour_torus.yaml", 30, 600, 0x102c927338fdb54c},
    {"tests/scenarios/planned_misroute.yaml", 4, 200, 0xe27181796156785a},
    {"tests/scenarios/planned_local.yaml", 4, 200, 0xe3e3cd715440c195},
    {"tests/scenarios/purges.yaml", 12, 400, 0x377f2ef6efd8fe63},
    {"tests/scenarios/purges_mesh.yaml", 12, 400, 0xf1f5173207ba08a6},
    {"tests/scenarios/ring_128.yaml", 1, 300, 0x5e8a4e7704ca2ef0},
    {"tests/scenarios/ring_64.yaml", 2, 300, 0x5df6dc05b5b4e2d6},
    {"tests/scenarios/ruft_links.yaml", 30, 500, 0xa6352aecfe724665},
    {"scenarios/ruft_faults.yaml", 20, 400, 0x3638145ee310e200},
    {"scenarios/deadlock_without_bubble.yaml", 10, 500, 0xb25e35a2bf173e6a},
    {"scenarios/show/4_deadlock.yaml", 10, 500, 0x5df19f9170908724},
    {"scenarios/intermediate_3x3x3.yaml", 2, 200, 0xd01f339e4faa68fd},
    {"scenarios/deadlock_one_vc.yaml", 4, 300, 0x135b6cca3c030b51},
    /* header words without a payload */
    {"topology: {kind: mesh, sizes: [4, 4]}\nswitch: {vcs: 3, depth_flits: 6, packet_flits: 1}\n"
     "routing: {algorithm: duato, mechanisms: {intermediate: 1, deterministic: true, misroute: true}}\n"
     "traffic: {load_flits_per_cycle: 0.3}\nfaults: [{at: 0, random_links: 7}, {at: 90, until: 140, random_links: 6}]\n"
     "run: {seed: 3}\n",
     12, 250, 0x3f1f417e1dae8174},
    /* links that are down for a few cycles, all the time; first of terminals only, then of switches before these */
    {"topology: {kind: torus, sizes: [3, 4], link_cycles: 2}\nswitch: {vcs: 2, depth_flits: 16, packet_flits: 8}\n"
     "routing: {algorithm: duato}\ntraffic: {load_flits_per_cycle: 0.6}\n"
     "faults: [{at: 20, until: 23, every: 7, times: 50, random_terminal_links: 3}]\nrun: {seed: 5}\n",
     20, 400, 0xce60a951713b119c},
    {"topology: {kind: mesh, sizes: [5, 2]}\nswitch: {vcs: 2, depth_flits: 5, packet_flits: 30, switching: wormhole}\n"
     "routing: {algorithm: dor}\ntraffic: {load_flits_per_cycle: 0.4}\n"
     "faults:\n  - {at: 20, until: 21, every: 11, times: 30, random_links: 4}\n"
     "  - {at: 21, until: 22, every: 11, times: 30, random_terminal_links: 6}\nrun: {seed: 6}\n",
     20, 400, 0xd6cd20fb4b2d335e},
    {"topology: {kind: fat_tree, k: 2, n: 3, link_cycles: 3}\nswitch: {vcs: 2, depth_flits: 6, packet_flits: 3}\n"
     "routing: {algorithm: reroute_adaptive_link, reroute_timeout_cycles: 24}\ntraffic: {load_flits_per_cycle: 0.7}\n"
     "faults: [{at: 20, until: 60, every: 9, times: 40, random_links: 2}]\nrun: {seed: 7}\n",
     20, 400, 0x8314087e9dfde8a8},
    {"topology: {kind: fat_tree, k: 2, n: 3}\nswitch: {vcs: 1, depth_flits: 8, packet_flits: 4, route_cycles: 3}\n"
     "routing: {algorithm: reroute_adaptive_switch}\ntraffic: {load_flits_per_cycle: 0.9}\n"
     "faults: [{at: 20, until: 40, every: 13, times: 30, random_switches: 1}, {at: 30, until: 33, every: 10, times: "
     "30, "
     "random_terminal_links: 2}]\nrun: {seed: 8}\n",
     20, 400, 0x93aab2456af1db01},
    {"topology: {kind: hypercube, n: 4}\nswitch: {vcs: 2, depth_flits: 2, packet_flits: 8, switching: wormhole}\n"
     "routing: {algorithm: detour, beyond_fault_model: true, patience_cycles: 5}\ntraffic: {load_flits_per_cycle: 1}\n"
     "faults: [{at: 30, until: 70, every: 23, times: 12, random_switches: 3}]\nrun: {seed: 9}\n",
     20, 400, 0x995ea86609e9512d},
};

static void journeys_are_as_recorded(void **state) {
  (void)state;
  unsigned differences = 0;
  for (unsigned i = 0; i < sizeof recorded / sizeof recorded[0]; i++) {
    struct ut_error e;
    struct ut_network n;
    uint64_t hash = 0;
    const char *scenario = recorded[i].scenario;
    struct ut_scenario *s = strchr(scenario, '\n') ? test_scenario("%s", scenario) : ut_scenario_load(scenario, &e);
    if (!s || ut_plan_scenario(s, &e))
      fail_msg("%s", e.text);
    test_network(&n, s);
    const uint32_t count = n.topology.terminals * recorded[i].packets;
    struct ut_journey *j = calloc(count, sizeof *j);
    struct ut_packet_search search = {0};
    struct ut_packet_log log = {0};
    struct ut_departures left = {0};
    const struct ut_packet_watch watch = {record_move, record_tail, &hash};
    bool found = false;
    assert_true(j && ut_network_count_links(&n) && ut_packet_log_init(&log, &n, record_packet, &hash));
    log.watch = &watch;
    ut_departures_watch(&n);
    for (uint32_t k = 0; k < count; k++)
      ut_journey_init(&j[k], k / recorded[i].packets, k % recorded[i].packets);
    while (n.cycle < recorded[i].cycles) {
      ut_network_step(&n);
      purge_others(&n);
      for (uint32_t k = 0; k < count; k++)
        ut_journey_observe(&j[k], &n);
      purge_others(&n);
      assert_true(ut_departures_take(&left, &n) && ut_packet_log_observe(&log, &n, &left));
      found = found || ut_packet_search_observe(&search, &n);
      if (n.cycle % 50 == 0)
        record_deadlock(&hash, &n);
    }
    ut_packet_log_end(&log, &n);
    record(&hash, log.strays);
    ut_packet_log_free(&log);
    free(left.list);
    record_search(&hash, &search);
    for (uint32_t k = 0; k < count; k++) {
      record(&hash, ut_packet_search_is(&search, &j[k]));
      record_journey(&hash, &j[k], &n);
      ut_journey_free(&j[k]);
    }
    ut_packet_search_free(&search);
    free(j);
    record_loads(&hash, &n);
    record_outages(&hash, &n);
    recorded_is(recorded[i].scenario, hash, recorded[i].hash, &differences);
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
  assert_int_equal(differences, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(journeys_are_as_recorded)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
