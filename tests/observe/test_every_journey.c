/* test_every_journey.c - the journeys of many packets at once, loads of links, outages, and what waits for what, as
 * they were recorded. */
#include <string.h>

#include "deadlock.h"
#include "journey.h"
#include "loads.h"
#include "outages.h"
#include "planned_routes.h"
#include "recorded.h"
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

static const struct {
  const char *scenario;
  unsigned packets, cycles; /* of each terminal; of the run */
  uint64_t hash;
} recorded[] = {
    {"tests/mutation/scenarios/cut_in_full_buffer.yaml", 6, 300, 0xb74924e28d58249d},
    {"tests/mutation/scenarios/faults_light_load.yaml", 6, 500, 0x846076f1c23bbb6b},
    {"tests/mutation/scenarios/faults_mesh_detour.yaml", 6, 300, 0xcee0abe2bf5d8a97},
    {"tests/mutation/scenarios/faults_ruft.yaml", 20, 400, 0x0703f16a2eedfd58},
    {"tests/mutation/scenarios/faults_table.yaml", 6, 300, 0x080262e201bca522},
    {"tests/mutation/scenarios/faults_torus.yaml", 6, 300, 0x16a6162dd2942d8d},
    {"tests/mutation/scenarios/faults_tree_det_link.yaml", 6, 300, 0x6ccba330de13c36c},
    {"tests/mutation/scenarios/faults_tree_det_switch.yaml", 6, 300, 0xdb785eabe4ace17b},
    {"tests/mutation/scenarios/faults_tree_link.yaml", 6, 300, 0x5d8abd44d7645f41},
    {"tests/mutation/scenarios/faults_tree_misroute.yaml", 6, 300, 0x800725d5ebc31954},
    {"tests/mutation/scenarios/faults_tree_one_layer.yaml", 6, 300, 0x5da372c222bb17dc},
    {"tests/mutation/scenarios/faults_tree_switch.yaml", 6, 300, 0x217ec9619b137212},
    {"tests/cli/recorded/detour_torus.yaml", 30, 600, 0xfb0323544c35ddc9},
    {"tests/cli/recorded/planned_misroute.yaml", 4, 200, 0xeb8a2b717d76f400},
    {"tests/cli/recorded/planned_local.yaml", 4, 200, 0x90e9c8785bf9c392},
    {"tests/cli/recorded/purges.yaml", 12, 400, 0xf6ae4d808695b40a},
    {"tests/cli/recorded/purges_mesh.yaml", 12, 400, 0x39c2bb8f20b5790b},
    {"tests/cli/recorded/ring_128.yaml", 1, 300, 0xdce6a7ce862c7461},
    {"tests/cli/recorded/ring_64.yaml", 2, 300, 0x8b9d2b4e1e423d37},
    {"tests/cli/recorded/ruft_links.yaml", 30, 500, 0x6e159ff3e2329d87},
    {"scenarios/ruft_faults.yaml", 20, 400, 0xeed8a0dc16189306},
    {"scenarios/deadlock_without_bubble.yaml", 10, 500, 0x71c29a23303143b4},
    {"scenarios/show/4_deadlock.yaml", 10, 500, 0xcf977d238e706736},
    {"scenarios/intermediate_3x3x3.yaml", 2, 200, 0xed1a7234e0672db5},
    {"scenarios/deadlock_one_vc.yaml", 4, 300, 0x4f9f067b24f127d3},
};

static void journeys_are_as_recorded(void **state) {
  (void)state;
  unsigned differences = 0;
  for (unsigned i = 0; i < sizeof recorded / sizeof recorded[0]; i++) {
    struct ut_error e;
    struct ut_network n;
    uint64_t hash = 0;
    struct ut_scenario *s = ut_scenario_load(recorded[i].scenario, &e);
    if (!s || ut_plan_scenario(s, &e))
      fail_msg("%s", e.text);
    test_network(&n, s);
    const uint32_t count = n.topology.terminals * recorded[i].packets;
    struct ut_journey *j = calloc(count, sizeof *j);
    assert_true(j && ut_network_count_links(&n));
    for (uint32_t k = 0; k < count; k++)
      ut_journey_init(&j[k], k / recorded[i].packets, k % recorded[i].packets);
    while (n.cycle < recorded[i].cycles) {
      ut_network_step(&n);
      for (uint32_t k = 0; k < count; k++)
        ut_journey_observe(&j[k], &n);
      if (n.cycle % 50 == 0)
        record_deadlock(&hash, &n);
    }
    for (uint32_t k = 0; k < count; k++) {
      record_journey(&hash, &j[k], &n);
      ut_journey_free(&j[k]);
    }
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
