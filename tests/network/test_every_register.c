/* test_every_register.c - all registers of all golden switches in every cycle of short runs, links, terminals and what
 * managers know, as they were recorded. */
#include <string.h>

#include "network.h"
#include "planned_routes.h"
#include "recorded.h"
#include "registers_recorded.h"
#include "scenarios.h"

/* What those that switches are told by know. */
static void record_managers(uint64_t *hash, const struct ut_network *n) {
  const struct ut_manager *m = &n->manager;
  record(hash, m->streams), record(hash, m->begun), record(hash, m->told << 1 | m->round), record(hash, m->start);
  record(hash, m->next_cycle);
  if (m->word)
    record_words(hash, m->word, n->topology.switches);
  const struct ut_recall *r = &n->recall;
  record(hash, r->word), record(hash, r->due), record(hash, r->next_cycle), record(hash, r->next);
  record(hash, r->anew << 1 | r->stopped), record(hash, n->settling.since), record(hash, n->settling.longest);
  if (n->terminals.service) {
    record(hash, n->service.count), record(hash, n->service.model.blocks), record(hash, n->service.model.reasons);
    for (uint32_t i = 0; i < n->topology.switches; i++)
      record(hash, n->service.model.state[i] << 8 | (uint8_t)n->service.model.block[i]);
  }
  const struct ut_guide *g = &n->guide;
  record(hash, g->told << 1 | g->round), record(hash, g->start), record(hash, g->next_cycle);
  for (uint32_t i = 0; n->terminals.guide && i < n->topology.terminals; i++)
    for (unsigned link = 0; link < n->topology.injections; link++)
      record(hash, ut_guide_choices(g, i, link, (uint32_t)(i + n->cycle) % n->topology.terminals, n->cycle));
}

static void record_links(uint64_t *hash, const struct ut_network *n) {
  for (uint32_t i = 0; i < n->topology.switches; i++)
    record(hash, (uint64_t)n->in_up[i] << 32 | n->out_up[i]), record(hash, n->reported[i]);
  for (uint32_t i = 0; i < n->topology.switches * n->reports; i++)
    record(hash, n->report[i]);
  for (size_t i = 0; i < n->changes; i++)
    record(hash, n->changed[i]);
  for (size_t i = 0; i < n->resumes; i++)
    record(hash, (uint64_t)n->resumed[i].channel << 32 | n->resumed[i].vcs), record(hash, n->resumed[i].since);
  record(hash, n->notices), record(hash, n->flit_hops), record(hash, n->faults.next), record(hash, n->faults.failures);
  record_words(hash, n->failed, (n->topology.switches + 63) / 64);
}

static void record_terminals(uint64_t *hash, const struct ut_terminals *t) {
  for (uint32_t i = 0; i < t->count; i++)
    record(hash, t->terminal[i].base), record(hash, t->terminal[i].injected), record(hash, t->terminal[i].end);
  for (uint32_t i = 0; i < t->count * t->injections; i++) {
    const struct ut_injection *x = &t->injection[i];
    record(hash, x->link_up << 2 | x->up << 1 | x->sending), record(hash, x->sending ? x->header : 0);
    record(hash, x->sending ? (uint64_t)x->unwritten << 32 | x->output : 0);
  }
  for (uint32_t i = 0; i < t->count * t->ejections; i++)
    record(hash, (uint64_t)t->ejection[i].owing << 2 | t->ejection[i].link_up << 1 | t->ejection[i].up);
  for (uint32_t i = 0; i < t->lanes; i++)
    record(hash, t->credits[i] << 16 | t->ahead[i] << 8 | t->rx[i].owed);
  record_words(hash, (const uint64_t *)&t->accounts, UT_ACCOUNTS);
}

/* Which tasks wait, what has been lost, what may be sent. */
static void record_workload(uint64_t *hash, const struct ut_workload_run *r) {
  const struct ut_workload *w = &r->workload;
  for (uint32_t i = 0; i < w->tasks; i++)
    record(hash, (uint64_t)r->waits[i] << 32 | r->left[i]), record(hash, r->state[i]);
  record_words(hash, r->busy_until, (size_t)w->terminals * w->cpus);
  record_words(hash, r->senders, (w->terminals + 63) / 64);
  for (uint32_t i = 0; i < w->terminals; i++)
    for (size_t j = 0; j < r->releases.list[i].count; j++) {
      const struct ut_release *x = &r->releases.list[i].release[j];
      record(hash, x->cycle), record(hash, x->sequence), record(hash, (uint64_t)x->task << 32 | x->first);
      record(hash, (uint64_t)x->packets << 48 | (uint64_t)x->dst << 32 | x->flits << 16 | x->last_flits);
      record(hash, x->again);
    }
  record(hash, r->timers), record(hash, r->outs), record(hash, (uint64_t)r->open << 32 | r->delivered);
  record(hash, (uint64_t)r->lost << 32 | r->released), record(hash, r->resent), record(hash, r->completion);
  record(hash, ut_workload_run_waiting(r)), record(hash, ut_workload_run_complete(r));
}

static void record_cycle(uint64_t *hash, const struct ut_network *n) {
  record_managers(hash, n);
  record_links(hash, n);
  record_terminals(hash, &n->terminals);
  if (n->workload)
    record_workload(hash, n->workload);
  record(hash, ut_network_done(n) << 1 | ut_network_incomplete(n));
  for (uint32_t sw = 0; sw < n->topology.switches; sw++)
    record_registers(hash, ut_network_group(n, sw), ut_network_switch(n, sw));
}

static const struct {
  const char *scenario;
  unsigned flit_bits;    /* 0: as the scenario says */
  unsigned from, cycles; /* looked at */
  uint64_t hash;
} recorded[] = {
    {"tests/mutation/scenarios/cut_in_full_buffer.yaml", 0, 0, 150, 0x22de87d4b2a73382},
    {"tests/mutation/scenarios/faults_light_load.yaml", 0, 50, 100, 0x1b14545fbbba6a02},
    {"tests/mutation/scenarios/faults_mesh_detour.yaml", 0, 100, 60, 0xfc35c72fea00ded6},
    {"tests/mutation/scenarios/faults_ruft.yaml", 0, 50, 100, 0xac399d3b4230d8fc},
    {"tests/mutation/scenarios/faults_table.yaml", 0, 50, 100, 0xa94e14ec02e5b7a5},
    {"tests/mutation/scenarios/faults_torus.yaml", 0, 100, 60, 0xc8062d0bd653e3b5},
    {"tests/mutation/scenarios/faults_tree_det_link.yaml", 0, 50, 100, 0xca7f3546fb309168},
    {"tests/mutation/scenarios/faults_tree_det_switch.yaml", 0, 50, 100, 0x695b0b1581c282f0},
    {"tests/mutation/scenarios/faults_tree_link.yaml", 0, 50, 100, 0xe8d2779da0d76666},
    {"tests/mutation/scenarios/faults_tree_misroute.yaml", 0, 50, 100, 0xceb18a03f1e54dfb},
    {"tests/mutation/scenarios/faults_tree_one_layer.yaml", 0, 50, 100, 0xc7b5a2b6d1454be2},
    {"tests/mutation/scenarios/faults_tree_repair.yaml", 0, 50, 100, 0x9e615ba20bb98248},
    {"tests/mutation/scenarios/faults_tree_switch.yaml", 0, 50, 100, 0x18cc65ca8138159c},
    {"tests/mutation/scenarios/cut_in_full_buffer.yaml", 192, 0, 150, 0x6190ce86499bb8a8},
    {"tests/mutation/scenarios/faults_light_load.yaml", 128, 0, 80, 0xb3fdace8ad49cd23},
    {"tests/mutation/scenarios/faults_mesh_detour.yaml", 256, 0, 40, 0x03e209d4463cbff6},
    {"tests/mutation/scenarios/faults_tree_link.yaml", 128, 0, 60, 0x3e26097a3df678bc},
    {"tests/mutation/scenarios/faults_ruft.yaml", 512, 0, 40, 0x34ae353abb7d2fee},
    {"tests/scenarios/ruft_links.yaml", 128, 20, 120, 0x3273395967f5f583},
    {"tests/scenarios/ruft_told.yaml", 0, 0, 120, 0x7d842994766d8e46},
    {"tests/scenarios/purges.yaml", 0, 190, 170, 0xae04b0c35fd8edb1},
    {"tests/scenarios/purges_mesh.yaml", 128, 190, 170, 0x583a172ab6fed5b9},
    {"tests/scenarios/detour_torus.yaml", 0, 320, 60, 0x88611fe6ac44db7e},
    {"tests/scenarios/many_lanes.yaml", 0, 60, 4, 0x59e7d64999cced8b},
    {"tests/scenarios/many_lanes_faults.yaml", 0, 44, 20, 0xd19d9ce9a6a7c31d},
    {"tests/scenarios/deep.yaml", 0, 60, 20, 0x4b487c86e72e0174},
    {"tests/scenarios/lost_messages.yaml", 0, 0, 500, 0xa400fe939adf089a},
    {"tests/scenarios/sent_again.yaml", 0, 0, 500, 0xe39b2ccbab6c3949},
    {"tests/scenarios/each_cycle.yaml", 0, 0, 60, 0x00d4d56678a32f0f},
    {"tests/scenarios/ruft_apart.yaml", 128, 30, 150, 0x262343f516dfba1a},
    {"tests/scenarios/chain.yaml", 0, 0, 400, 0x71e986c87a4a1219},
    {"tests/scenarios/one_node_left.yaml", 0, 40, 100, 0x6cbf5ec3fb36effe},
    {"scenarios/bench/shapes/mesh_vcs3.yaml", 0, 90, 5, 0x2c94d355325e89c1},
    {"scenarios/bench/shapes/mesh_wormhole.yaml", 0, 90, 5, 0x7d288becc36cae65},
    {"scenarios/bench/shapes/torus_alloc2.yaml", 0, 90, 5, 0x23a7730133207a32},
    {"scenarios/bench/shapes/torus_dead14.yaml", 0, 90, 3, 0xa9273b0a7588cfae},
    {"scenarios/bench/shapes/torus_flits128.yaml", 0, 90, 5, 0xd9d76d92fbe65b45},
    {"scenarios/bench/shapes/ruft_222.yaml", 0, 90, 5, 0xb5d8558310976ced},
    {"scenarios/bench/shapes/tree_alloc2.yaml", 0, 90, 5, 0x690061c03dcc303e},
    {"scenarios/bench/shapes/tree_vcs4.yaml", 0, 90, 5, 0x239c89485ef2de9a},
    {"scenarios/bench/shapes/detour_cube_unsafe.yaml", 0, 90, 5, 0x1c83363ded4574f8},
    {"tests/mutation/scenarios/faults_one_way.yaml", 0, 0, 140, 0x39d62f1306d24a3f},
};

static void registers_are_as_recorded(void **state) {
  (void)state;
  unsigned differences = 0;
  for (unsigned i = 0; i < sizeof recorded / sizeof recorded[0]; i++) {
    struct ut_error e;
    struct ut_network n;
    uint64_t hash = 0;
    struct ut_scenario *s = ut_scenario_load(recorded[i].scenario, &e);
    if (!s || ut_plan_scenario(s, &e))
      fail_msg("%s", e.text);
    if (recorded[i].flit_bits)
      s->sw.flit_bits = recorded[i].flit_bits;
    test_network(&n, s);
    while (n.cycle < recorded[i].from)
      ut_network_step(&n);
    while (n.cycle < recorded[i].from + recorded[i].cycles) {
      ut_network_step(&n);
      record_cycle(&hash, &n);
    }
    recorded_is(recorded[i].scenario, hash, recorded[i].hash, &differences);
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
  assert_int_equal(differences, 0);
}

/* ---- two networks of one scenario: which changes are seen where what they share is compared */

static bool agree(const struct ut_network *a, const struct ut_network *b) {
  return ut_network_wires_agree(a, b) && ut_terminals_agree(&a->terminals, &b->terminals);
}

static void record_bit(uint64_t *hash, const struct ut_network *a, const struct ut_network *b, uint8_t *byte,
                       unsigned bit) {
  *byte ^= (uint8_t)(1u << bit);
  record(hash, agree(a, b) << 1 | agree(b, a));
  *byte ^= (uint8_t)(1u << bit);
}

/* One bit of every byte there, one after the other. */
static void record_bits(uint64_t *hash, const struct ut_network *a, const struct ut_network *b, void *at,
                        size_t bytes) {
  for (uint8_t *byte = at; byte != (uint8_t *)at + bytes; byte++)
    record_bit(hash, a, b, byte, 0);
}

/* All bits. */
static void record_all_bits(uint64_t *hash, const struct ut_network *a, const struct ut_network *b, void *at,
                            size_t bytes) {
  for (size_t i = 0; i < 8 * bytes; i++)
    record_bit(hash, a, b, (uint8_t *)at + i / 8, i % 8);
}

static void record_differences(uint64_t *hash, struct ut_network *a, const struct ut_network *b) {
  const size_t switches = a->topology.switches;
  struct ut_wires *w = &a->wires;
  struct ut_terminals *t = &a->terminals;
  assert_true(agree(a, b));
  record_bits(hash, a, b, a->report, switches * a->reports * sizeof *a->report);
  record_bits(hash, a, b, a->reported, switches * sizeof *a->reported);
  for (unsigned i = 0; i < w->slots; i++) {
    record_bits(hash, a, b, w->flits[i], w->lanes);
    record_bits(hash, a, b, w->credits[i], w->lanes);
  }
  for (size_t i = 0; i < w->lanes * w->ring_words; i += 1 + i % 3)
    record_bits(hash, a, b, &w->ring[i], 1);
  record_bits(hash, a, b, t->credits, t->lanes), record_bits(hash, a, b, t->ahead, t->lanes);
  record_bits(hash, a, b, t->unread, t->lanes);
  record_all_bits(hash, a, b, t->transmissions, t->lanes / UT_LANES * sizeof *t->transmissions);
  record_all_bits(hash, a, b, t->receptions, t->lanes / UT_LANES * sizeof *t->receptions);
  record_all_bits(hash, a, b, &a->notices, sizeof a->notices);
  for (uint32_t i = 0; i < t->lanes; i++)
    record_bits(hash, a, b, &t->rx[i], offsetof(struct ut_reception, owed) + 1);
  for (uint32_t i = 0; i < t->count * t->injections; i++)
    record_bits(hash, a, b, &t->injection[i], offsetof(struct ut_injection, headers) + 1);
  for (uint32_t i = 0; i < t->count * t->ejections; i++)
    record_bits(hash, a, b, &t->ejection[i], offsetof(struct ut_ejection, up) + 1);
  for (uint32_t i = 0; i < t->count; i++)
    record_bits(hash, a, b, &t->terminal[i], sizeof t->terminal[i]);
  record_bits(hash, a, b, t->roll, t->rolls * sizeof *t->roll);
}

static const struct {
  const char *scenario;
  uint64_t hash;
} compared[] = {
    {"tests/scenarios/tree_2_3.yaml", 0x3d77bc82cbf2c176},
    {"tests/scenarios/ring_4.yaml", 0xa9b6bf42904c940e},
    {"tests/scenarios/ruft_links.yaml", 0x0dcd505b3aefb70f},
};

static void differences_are_seen(void **state) {
  (void)state;
  unsigned differences = 0;
  for (unsigned i = 0; i < sizeof compared / sizeof compared[0]; i++) {
    struct ut_error e;
    struct ut_network a, b;
    uint64_t hash = 0;
    struct ut_scenario *s = ut_scenario_load(compared[i].scenario, &e);
    if (!s)
      fail_msg("%s", e.text);
    s->traffic.load_flits_per_cycle = 0.7;
    test_network(&a, s), test_network(&b, s);
    while (a.cycle < 24) {
      ut_network_step(&a), ut_network_step(&b);
      if (a.cycle % 8 == 0)
        record_differences(&hash, &a, &b);
    }
    ut_network_step(&a);
    record(&hash, agree(&a, &b));
    recorded_is(compared[i].scenario, hash, compared[i].hash, &differences);
    ut_network_fini(&a), ut_network_fini(&b);
    ut_scenario_free(s);
  }
  assert_int_equal(differences, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(registers_are_as_recorded),
                                     cmocka_unit_test(differences_are_seen)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
