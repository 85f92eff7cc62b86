/* test_every_register.c - all registers of all golden switches in every cycle of short runs, links, terminals and what
 * managers know, as they were recorded. */
#include <string.h>

#include "planned_routes.h"
#include "recorded.h"
#include "registers.h"
#include "scenarios.h"

/* What a switch keeps beside its VCs. */
static void record_switch(uint64_t *hash, const struct ut_group *g, const struct ut_switch *s) {
  record(hash, s->out_up), record(hash, s->vector), record(hash, s->neighbour), record(hash, s->timer);
  record(hash, s->fault), record(hash, s->far), record(hash, s->stale_state), record(hash, s->u_turns);
  record(hash, ut_reg_in_up(g, s)), record(hash, ut_reg_discard(g, s)), record(hash, ut_reg_stale_link(g, s));
  record(hash, ut_reg_valid(g, s));
  if (!g->form.states)
    return;
  const struct ut_node_states *n = ut_node_states_of(g, s);
  record(hash, n->bad), record(hash, n->diagonal), record(hash, n->border), record(hash, n->corner);
  record(hash, n->unsafe), record(hash, n->disabled), record(hash, n->refuses), record(hash, n->refused);
  record(hash, n->purge), record(hash, n->restart);
}

static void record_input(uint64_t *hash, const struct ut_group *g, const struct ut_switch *s, unsigned ip, unsigned i) {
  const size_t words = g->form.words + 1;
  record(hash, ut_reg_state(g, s, ip, i)), record(hash, ut_reg_count(g, s, ip, i)),
      record(hash, ut_reg_rd(g, s, ip, i));
  record(hash, ut_reg_wr(g, s, ip, i)), record(hash, ut_reg_owed(g, s, ip, i)), record(hash, ut_reg_open(g, s, ip, i));
  record(hash, ut_reg_cut(g, s, ip, i)), record(hash, ut_reg_credit(g, s, ip, i));
  record(hash, ut_reg_depends(g, s, ip, i)), record(hash, ut_reg_promoted(g, s, ip, i));
  record(hash, ut_reg_old(g, s, ip, i)), record(hash, ut_reg_wait(g, s, ip, i)), record(hash, ut_reg_rt(g, s, ip, i));
  record(hash, ut_reg_out_port(g, s, ip, i)), record(hash, ut_reg_out_vc(g, s, ip, i));
  for (unsigned o = 0; o < g->shape.v; o++) {
    record(hash, ut_reg_cand(g, s, ip, i, o)), record(hash, ut_reg_bubble(g, s, ip, i, o));
    record(hash, ut_reg_preferred(g, s, ip, i, o));
  }
  for (unsigned place = 0; place < g->shape.depth; place++)
    record_words(hash, ut_reg_place(g, s, ip, i, place), words);
}

static void record_output(uint64_t *hash, const struct ut_group *g, const struct ut_switch *s, unsigned op) {
  for (unsigned o = 0; o < g->shape.v; o++) {
    record(hash, ut_reg_owned(g, s, op, o)), record(hash, ut_reg_credits(g, s, op, o));
    record(hash, ut_reg_enough(g, s, op, o)), record(hash, ut_reg_enough2(g, s, op, o));
    record(hash, ut_reg_sa(g, s, op, o));
    for (unsigned i = 0; i < g->shape.v; i++)
      record(hash, ut_reg_va(g, s, op, o, i));
  }
  record_words(hash, ut_reg_flit(g, s, op), g->form.words + 1);
}

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

static void record_cycle(uint64_t *hash, const struct ut_network *n) {
  record_managers(hash, n);
  record_links(hash, n);
  record_terminals(hash, &n->terminals);
  for (uint32_t sw = 0; sw < n->topology.switches; sw++) {
    const struct ut_group *g = ut_network_group(n, sw);
    const struct ut_switch *s = ut_network_switch(n, sw);
    record_switch(hash, g, s);
    for (unsigned ip = 0; ip < g->shape.pi; ip++) {
      record(hash, ut_reg_select(g, s, ip)), record(hash, ut_reg_route_turn(g, s, ip));
      record(hash, ut_reg_switch_turn(g, s, ip));
      for (unsigned i = 0; i < g->shape.v; i++)
        record_input(hash, g, s, ip, i);
    }
    for (unsigned op = 0; op < g->shape.po; op++)
      record_output(hash, g, s, op);
  }
}

static const struct {
  const char *scenario;
  unsigned flit_bits;    /* 0: as the scenario says */
  unsigned from, cycles; /* looked at */
  uint64_t hash;
} recorded[] = {
    {"tests/mutation/scenarios/cut_in_full_buffer.yaml", 0, 0, 150, 0x1eb46cf34aacc50c},
    {"tests/mutation/scenarios/faults_light_load.yaml", 0, 50, 100, 0x3f144505092d0c8e},
    {"tests/mutation/scenarios/faults_mesh_detour.yaml", 0, 100, 60, 0xdf270fe6a034fa27},
    {"tests/mutation/scenarios/faults_ruft.yaml", 0, 50, 100, 0x4640ef0f0e7d41d8},
    {"tests/mutation/scenarios/faults_table.yaml", 0, 50, 100, 0xe88bb703b284a78b},
    {"tests/mutation/scenarios/faults_torus.yaml", 0, 100, 60, 0xff625a272e4d2684},
    {"tests/mutation/scenarios/faults_tree_det_link.yaml", 0, 50, 100, 0x4d26a3b4ffde9901},
    {"tests/mutation/scenarios/faults_tree_det_switch.yaml", 0, 50, 100, 0x7c6edb0d7a425de2},
    {"tests/mutation/scenarios/faults_tree_link.yaml", 0, 50, 100, 0x6dc532c74835d418},
    {"tests/mutation/scenarios/faults_tree_misroute.yaml", 0, 50, 100, 0x260b67c1c4cc67f0},
    {"tests/mutation/scenarios/faults_tree_one_layer.yaml", 0, 50, 100, 0xf409c7be4fcd85d9},
    {"tests/mutation/scenarios/faults_tree_repair.yaml", 0, 50, 100, 0x9c1c75c4e37cd94c},
    {"tests/mutation/scenarios/faults_tree_switch.yaml", 0, 50, 100, 0x6fdad01132f888b7},
    {"tests/mutation/scenarios/cut_in_full_buffer.yaml", 192, 0, 150, 0x6896d5f64cd9c6b0},
    {"tests/mutation/scenarios/faults_light_load.yaml", 128, 0, 80, 0xffcbdf33a0e5f17b},
    {"tests/mutation/scenarios/faults_mesh_detour.yaml", 256, 0, 40, 0x7798cee43bd612c1},
    {"tests/mutation/scenarios/faults_tree_link.yaml", 128, 0, 60, 0xad891887ed1856cf},
    {"tests/mutation/scenarios/faults_ruft.yaml", 512, 0, 40, 0x25425cb42cd1d442},
    {"tests/cli/recorded/ruft_links.yaml", 128, 20, 120, 0x88e01cca98c568f7},
    {"tests/cli/recorded/purges.yaml", 0, 190, 170, 0xe86c008109294e52},
    {"tests/cli/recorded/purges_mesh.yaml", 128, 190, 170, 0xd265c5b5f0b455e7},
    {"tests/cli/recorded/detour_torus.yaml", 0, 320, 60, 0xd05a4870ed4695d1},
    {"tests/cli/recorded/many_lanes.yaml", 0, 60, 4, 0x292ba8243494770e},
    {"tests/cli/recorded/many_lanes_faults.yaml", 0, 44, 20, 0x93d16fdc58c0c3f0},
    {"tests/cli/recorded/deep.yaml", 0, 60, 20, 0x5e6e2ececc838b42},
    {"scenarios/bench/shapes/mesh_vcs3.yaml", 0, 90, 5, 0x5c538b33d8eb91f5},
    {"scenarios/bench/shapes/mesh_wormhole.yaml", 0, 90, 5, 0x75cadad1133e2738},
    {"scenarios/bench/shapes/torus_alloc2.yaml", 0, 90, 5, 0xa5b1bfc8a6967cba},
    {"scenarios/bench/shapes/torus_dead14.yaml", 0, 90, 3, 0xb60b749419eecea4},
    {"scenarios/bench/shapes/torus_flits128.yaml", 0, 90, 5, 0x001e0da95497af1f},
    {"scenarios/bench/shapes/ruft_222.yaml", 0, 90, 5, 0xd9aed29079a4c6d3},
    {"scenarios/bench/shapes/tree_alloc2.yaml", 0, 90, 5, 0xc09c6f1e1ee069fb},
    {"scenarios/bench/shapes/tree_vcs4.yaml", 0, 90, 5, 0xcb3ef17d29a0a491},
    {"scenarios/bench/shapes/detour_cube_unsafe.yaml", 0, 90, 5, 0x3f14e98c418034c6},
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(registers_are_as_recorded)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
