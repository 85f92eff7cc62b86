/* SPDX-License-Identifier: Apache-2.0 */
/* test_manager.c - csim/control/manager by itself, without switches: what is at each configuration port in each cycle,
 * against whole tables that are compared anew for each round; and what packets can meet while tables are updated. */
#include "faults.h"
#include "held_words.h"
#include "random.h"
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

/* ---- updates: what packets can meet from one drain to the next must have no cycle of dependencies */

enum { SWITCHES = 10, PORTS = 6, TERMINALS = 20, CHANNELS = SWITCHES * PORTS, UPDATE_CYCLES = 1600 };

/* The tables of a network of one VC, by the words so far; and, as sets of output ports, every answer since the last
 * drain that is over began, and since the present one began. */
struct tables {
  const struct ut_topology *topo;
  uint8_t bank[SWITCHES][PORTS], entry[SWITCHES][2][TERMINALS]; /* entry: port + 1 */
  ut_mask met[SWITCHES][PORTS][TERMINALS], fresh[SWITCHES][PORTS][TERMINALS];
  bool arc[CHANNELS][CHANNELS];
  uint8_t state[CHANNELS];
};

static void take_word(struct tables *t, uint32_t sw, uint64_t word) {
  if (word && ut_config_kind(word) == UT_CONFIG_KIND_BANK)
    t->bank[sw][ut_config_port(word)] = ut_config_bank(word);
  else if (word)
    t->entry[sw][ut_config_bank(word)][ut_config_dst(word)] = ut_config_valid(word) ? ut_config_port(word) + 1 : 0;
}

static void look(struct tables *t, uint32_t sw) {
  for (unsigned port = 0; port < PORTS; port++)
    for (unsigned dst = 0; dst < TERMINALS; dst++) {
      const uint8_t out = t->entry[sw][t->bank[sw][port]][dst];
      t->met[sw][port][dst] |= out ? ut_bit(out - 1) : 0;
      t->fresh[sw][port][dst] |= out ? ut_bit(out - 1) : 0;
    }
}

static void follow(struct tables *t, uint32_t from, uint32_t sw, unsigned port, unsigned dst, bool *been) {
  for (ut_mask ports = t->met[sw][port][dst]; ports; ports &= ports - 1) {
    const uint32_t channel = sw * t->topo->po + ut_first(ports);
    const struct ut_peer peer = t->topo->peer[channel];
    if (from != UINT32_MAX)
      t->arc[from][channel] = true;
    if (peer.kind == UT_PEER_SWITCH && !been[channel]) {
      been[channel] = true;
      follow(t, channel, peer.index, peer.port, dst, been);
    }
  }
}

static bool leads_back(struct tables *t, unsigned channel) {
  t->state[channel] = 1;
  for (unsigned to = 0; to < CHANNELS; to++)
    if (t->arc[channel][to] && (t->state[to] == 1 || (!t->state[to] && leads_back(t, to))))
      return true;
  t->state[channel] = 2;
  return false;
}

static bool met_has_cycle(struct tables *t) {
  memset(t->arc, 0, sizeof t->arc);
  memset(t->state, 0, sizeof t->state);
  for (unsigned dst = 0; dst < TERMINALS; dst++) {
    bool been[CHANNELS] = {false};
    for (uint32_t src = 0; src < TERMINALS; src++) {
      const struct ut_attachment at = ut_topology_attachment(t->topo, src);
      follow(t, UINT32_MAX, at.sw, at.in_port, dst, been);
    }
  }
  for (unsigned channel = 0; channel < CHANNELS; channel++)
    if (!t->state[channel] && leads_back(t, channel))
      return true;
  return false;
}

/* A network of SWITCHES switches in a ring, each with two terminals and a further cable or two. */
static void write_network(FILE *f, unsigned seed) {
  unsigned degree[SWITCHES] = {0};
  bool joined[SWITCHES][SWITCHES] = {{false}};
  struct ut_random random;
  ut_random_init(&random, seed, UT_RANDOM_TEST, 0);
  for (unsigned i = 0; i < SWITCHES; i++)
    fprintf(f, "router %u node %u node %u router %u\n", i, 2 * i, 2 * i + 1, (i + 1) % SWITCHES);
  for (unsigned tries = 0; tries < 60; tries++) {
    const unsigned a = ut_random_below(&random, SWITCHES), b = ut_random_below(&random, SWITCHES);
    const unsigned apart = a > b ? a - b : b - a;
    if (apart < 2 || apart == SWITCHES - 1 || joined[a][b] || degree[a] > 1 || degree[b] > 1)
      continue;
    joined[a][b] = joined[b][a] = true;
    degree[a]++, degree[b]++;
    fprintf(f, "router %u router %u\n", a, b);
  }
}

/* Lets the manager update tables of such a network, whose packets leave 40 cycles after each begin of a drain.  Returns
 * how many times what packets could meet had a cycle. */
static unsigned cycles_met(unsigned seed, const char *update, bool switches) {
  static struct tables t;
  char path[] = "/tmp/uturn-update-XXXXXX";
  FILE *f = fdopen(mkstemp(path), "w");
  write_network(f, seed);
  fclose(f);
  struct ut_scenario *s = test_scenario(
      "topology: {kind: graph, file: %s}\nswitch: {vcs: 1}\n"
      "routing: {algorithm: table, update: %s, manager_delay_cycles: 9, manager_switch_cycles: 4}\n"
      "traffic: {load_flits_per_cycle: 0.2}\nrun: {seed: %u}\n"
      "faults: [{at: 20, until: 250, every: 400, times: 3, random_links: 1}, {at: 700, until: 760, random_links: "
      "1}%s]\n",
      path, update, seed, switches ? ", {at: 430, until: 520, every: 370, times: 2, random_switches: 1}" : "");
  struct ut_network n; /* only its manager */
  test_network(&n, s);
  unlink(path);
  struct ut_manager *m = &n.manager;
  ut_mask up[SWITCHES];
  unsigned found = 0;
  uint64_t drains = UINT64_MAX;
  t = (struct tables){.topo = n.topology};
  assert_true(n.topology->switches == SWITCHES && n.topology->po <= PORTS && n.topology->terminals == TERMINALS);
  for (uint32_t sw = 0; sw < SWITCHES; sw++)
    for (uint32_t i = 0; i < m->entries; i++)
      take_word(&t, sw, ut_forwarding_word(&m->forwarding, sw, i));
  for (uint64_t cycle = 0; cycle < UPDATE_CYCLES; cycle++) {
    while (ut_faults_next(&n.faults, cycle))
      ut_manager_tell(m, cycle);
    for (uint32_t sw = 0; sw < SWITCHES; sw++)
      up[sw] = (ut_mask)ut_faults_out_up(&n.faults, sw);
    const bool drained = m->phase == UT_MANAGER_DRAINS && cycle >= drains + 40,
               drained_before = m->phase == UT_MANAGER_DRAINS;
    if (drained) {
      found += met_has_cycle(&t);
      memcpy(t.met, t.fresh, sizeof t.met);
    }
    if (m->next_cycle <= cycle)
      ut_manager_step(m, &n.faults, up, drained, cycle);
    if (m->phase == UT_MANAGER_DRAINS && (!drained_before || drained)) {
      drains = cycle;
      memset(t.fresh, 0, sizeof t.fresh);
    }
    for (uint32_t sw = 0; sw < SWITCHES; sw++) {
      if (ut_faults_switch_up(&n.faults, sw))
        look(&t, sw);
      take_word(&t, sw, m->word[sw]);
    }
  }
  found += met_has_cycle(&t);
  assert_true(m->phase == UT_MANAGER_IDLE && m->costs.rounds >= 5);
  for (uint32_t sw = 0; sw < SWITCHES; sw++)
    for (uint32_t i = 0; i < m->entries; i++)
      assert_int_equal(ut_held_words_get(&m->held, sw, i),
                       ut_table_contents(ut_forwarding_word(&m->forwarding, sw, i)));
  ut_network_fini(&n);
  ut_scenario_free(s);
  return found;
}

static void updates(void **state) {
  (void)state;
  unsigned mixed = 0;
  for (unsigned seed = 1; seed <= 12; seed++) {
    mixed += cycles_met(seed, "mixed", false);
    for (unsigned safe = 0; safe < 4; safe++)
      if (cycles_met(seed, safe % 2 ? "safe" : "two_phase", safe / 2))
        fail_msg("network %u, %s%s: packets can wait for each other", seed, safe % 2 ? "safe" : "two_phase",
                 safe / 2 ? ", switches fail" : "");
  }
  assert_in_range(mixed, 3, 12); /* otherwise the networks show nothing */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(words_of_each_cycle), cmocka_unit_test(updates)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
