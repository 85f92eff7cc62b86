/* SPDX-License-Identifier: Apache-2.0 */
/* test_manager.c - csim/control/manager by itself, without switches: what is at each configuration port in each cycle,
 * against whole tables that are compared anew for each round. */
#include "faults.h"
#include "scenario_read.h"
#include "scenarios.h"

enum { MOST_SWITCHES = 12, MOST_ENTRIES = 1024, CYCLES = 2500 };

/* What the manager should do: looked at in every cycle. */
struct model {
  struct ut_forwarding forwarding;
  const struct ut_shape *shape;
  uint64_t delay, pace;
  uint16_t holds[MOST_SWITCHES][MOST_ENTRIES]; /* port, VC, valid, as the last word for it said */
  uint64_t planned[MOST_SWITCHES][MOST_ENTRIES];
  unsigned entries, next[MOST_SWITCHES]; /* entry that is looked at next */
  bool waiting[MOST_SWITCHES], writing[MOST_SWITCHES], told, round;
  uint64_t start;
};

static uint16_t contents(uint64_t word) {
  return (uint16_t)(ut_config_bank(word) << 15 | ut_config_valid(word) << 9 | ut_config_vc(word) << 6 |
                    ut_config_port(word));
}

/* Destinations of a VC of a bank stand together, VCs of a bank too; the banks of input ports are the last words. */
static uint64_t entry(struct model *m, uint32_t sw, unsigned i) {
  const unsigned dsts = m->shape->destinations, v = m->shape->v, port = i - 2 * v * dsts;
  const uint64_t word = ut_forwarding_word(&m->forwarding, sw, i);
  if (i < 2 * v * dsts)
    assert_true(ut_config_kind(word) == UT_CONFIG_KIND_ENTRY && ut_config_bank(word) == i / dsts / v &&
                ut_config_in_vc(word) == i / dsts % v && ut_config_dst(word) == i % dsts);
  else
    assert_true(ut_config_kind(word) == UT_CONFIG_KIND_BANK && ut_config_port(word) == port &&
                ut_config_bank(word) == (port >= m->shape->po / 2));
  return word;
}

static void plan(struct model *m, const ut_mask *up) {
  ut_forwarding_survey(&m->forwarding, up);
  for (uint32_t sw = 0; sw < m->forwarding.topology->switches; sw++)
    for (unsigned i = 0; i < m->entries; i++)
      m->planned[sw][i] = entry(m, sw, i);
}

static void step(struct model *m, const struct ut_faults *f, const ut_mask *up, uint64_t cycle, uint64_t *word) {
  const uint32_t switches = m->forwarding.topology->switches;
  if (m->told && !m->round) {
    plan(m, up);
    m->told = false;
    m->round = true;
    m->start = cycle + m->delay + m->pace;
    memset(m->waiting, true, sizeof m->waiting);
  }
  bool more = false;
  for (uint32_t sw = 0; sw < switches; sw++) {
    word[sw] = 0;
    if (m->round && m->waiting[sw] && cycle >= m->start + sw * m->pace)
      m->waiting[sw] = false, m->writing[sw] = true, m->next[sw] = 0;
    m->writing[sw] &= ut_faults_switch_up(f, sw);
    while (m->writing[sw] && m->next[sw] < m->entries && !word[sw]) {
      const unsigned i = m->next[sw]++;
      if (m->holds[sw][i] != contents(m->planned[sw][i]))
        word[sw] = m->planned[sw][i];
      m->holds[sw][i] = contents(m->planned[sw][i]);
    }
    m->writing[sw] &= word[sw] != 0;
    more |= m->writing[sw] || m->waiting[sw];
  }
  m->round &= more;
}

static void compare(unsigned i, uint64_t delay, uint64_t pace, bool active) {
  static struct model model;
  struct ut_scenario *s = test_scenario(
      "topology: {kind: fat_tree, k: 2, n: 3}\nswitch: {vcs: %u}\nrouting: {algorithm: %s}\n"
      "traffic: {load_flits_per_cycle: 0.2}\nrun: {seed: %u}\n"
      "faults: [{at: 20, until: 30, every: 700, times: 3, random_links: 2}, {at: 60, until: 1500, random_switches: "
      "1},\n"
      "         {at: 300, until: 340, every: 333, times: 5, random_switches: 2}, {at: 1000, random_links: 3}]\n",
      i % 2 ? 2 : 1, i % 2 ? "table_reroute_det_link" : "table", i);
  struct ut_network n; /* only what it is made of */
  struct ut_manager m;
  struct ut_faults f;
  struct ut_error e;
  unsigned words = 0, steps = 0;
  test_network(&n, s);
  const struct ut_topology *t = n.topology;
  model = (struct model){.shape = n.shape, .delay = delay, .pace = pace};
  model.entries = 2 * n.shape->v * n.shape->destinations + n.shape->pi;
  assert_true(t->switches == MOST_SWITCHES && model.entries <= MOST_ENTRIES);
  assert_true(ut_manager_init(&m, t, n.shape, &(struct ut_planning){0},
                              &(struct ut_manager_rule){.active = active, .delay = delay, .pace = pace}) &&
              ut_forwarding_init(&model.forwarding, t, n.shape, NULL));
  assert_int_equal(m.entries, model.entries);
  assert_int_equal(ut_faults_init(&f, s, t, &e), 0);
  ut_mask up[MOST_SWITCHES];
  for (uint32_t sw = 0; sw < t->switches; sw++)
    up[sw] = (ut_mask)ut_faults_out_up(&f, sw);
  ut_forwarding_survey(&m.forwarding, up);
  plan(&model, up);
  for (uint32_t sw = 0; sw < t->switches; sw++)
    for (unsigned j = 0; j < model.entries; j++) {
      assert_true(ut_manager_boot(&m, sw, j) == model.planned[sw][j]);
      model.holds[sw][j] = contents(model.planned[sw][j]);
    }
  ut_manager_step(&m, &f, up, false, 0); /* nothing has been told: it does nothing */
  assert_true(!m.streams && m.phase == UT_MANAGER_IDLE && m.next_cycle == UINT64_MAX);
  for (uint64_t cycle = 0; cycle < CYCLES; cycle++) {
    uint64_t word[MOST_SWITCHES];
    while (ut_faults_next(&f, cycle)) {
      ut_manager_tell(&m, cycle);
      model.told |= active;
    }
    for (uint32_t sw = 0; sw < t->switches; sw++)
      up[sw] = (ut_mask)ut_faults_out_up(&f, sw);
    if (m.next_cycle <= cycle) {
      ut_manager_step(&m, &f, up, false, cycle);
      steps++;
    }
    step(&model, &f, up, cycle, word);
    for (uint32_t sw = 0; sw < t->switches; sw++) {
      assert_true(m.word[sw] == word[sw]);
      words += word[sw] != 0;
    }
  }
  assert_in_range(words, active ? 50 : 0, active ? 100000 : 0);
  assert_in_range(steps, active ? 10 : 0, active ? CYCLES * 3 / 4 : 0); /* it sleeps when there is nothing to do */
  ut_faults_free(&f);
  ut_forwarding_fini(&model.forwarding);
  ut_manager_fini(&m);
  ut_network_fini(&n);
  ut_scenario_free(s);
}

static void words_of_each_cycle(void **state) {
  (void)state;
  static const uint64_t times[][2] = {{0, 0}, {0, 1}, {25, 0}, {40, 13}, {3, 40}, {300, 7}};
  for (unsigned i = 0; i < sizeof times / sizeof *times; i++)
    compare(i, times[i][0], times[i][1], true);
  compare(1, 5, 5, false);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(words_of_each_cycle)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
