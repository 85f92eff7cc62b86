/* SPDX-License-Identifier: Apache-2.0 */
/* test_transitions.c - csim/prove/transitions against every interleaving of small networks that are drawn at random.
 *
 * The test decodes the tables of both plans itself and searches, for each destination, all states (words written in
 * each switch, channel) by brute force: a packet moves on or a switch gets its next word, in any order of the switches.
 * What is found so, loops, pairs that lose packets, and a cycle of dependencies, must be what `prove --transitions`
 * says.
 */
#include "transitions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "layout.h"
#include "links_up.h"
#include "random.h"
#include "scenario.h"
#include "scenario_switches.h"
#include "scenarios.h"
#include "topology_build.h"

enum { SWITCHES = 8, PORTS = 8, TERMINALS = 16, CHANNELS = SWITCHES * PORTS, MOST_STATES = 300000, MOST_ORDER = 6 };

struct plan {
  bool bank[SWITCHES][PORTS];
  ut_mask entry[SWITCHES][2][TERMINALS]; /* output ports */
};

/* A word that changes: the bank of an input port, or an entry of a bank. */
struct item {
  bool entry;
  unsigned number;
};

struct brute {
  const struct ut_topology *topo;
  struct plan before, after;
  ut_mask up_before[SWITCHES], up[SWITCHES];
  bool banks_first;
  uint32_t dst;
  struct item item[SWITCHES][PORTS + 2];
  unsigned items[SWITCHES];
  unsigned times; /* 1 + states of the tables; time 0: before the event */
  bool *seen;     /* [times * CHANNELS] */
  uint32_t *queue;
  bool arc[CHANNELS][CHANNELS];
  bool loops;
};

/* ---- plans */

static void read_word(struct plan *plan, uint32_t sw, uint64_t word, const ut_mask *group, bool groups) {
  if (ut_config_kind(word) == UT_CONFIG_KIND_BANK)
    plan->bank[sw][ut_config_port(word)] = ut_config_bank(word);
  if (ut_config_kind(word) == UT_CONFIG_KIND_ENTRY)
    plan->entry[sw][ut_config_bank(word)][ut_config_dst(word)] = groups                  ? group[ut_config_group(word)]
                                                                 : ut_config_valid(word) ? ut_bit(ut_config_port(word))
                                                                                         : 0;
}

static void read_plan(struct ut_forwarding *forwarding, const ut_mask *up, struct plan *plan) {
  ut_forwarding_survey(forwarding, up);
  for (uint32_t sw = 0; sw < forwarding->topology->switches; sw++) {
    ut_mask group[256] = {0};
    for (uint32_t i = 0; i < forwarding->words; i++) {
      const uint64_t word = ut_forwarding_word(forwarding, sw, i);
      if (word && ut_config_kind(word) == UT_CONFIG_KIND_GROUP)
        group[ut_hop_group_number(word)] |= (ut_mask)ut_hop_group_ports(word) << 32 * ut_hop_group_half(word);
      else if (word)
        read_word(plan, sw, word, group, forwarding->hops.by != NULL);
    }
  }
}

/* ---- states of the tables */

static void list_banks(struct brute *b, uint32_t sw) {
  for (unsigned port = 0; port < b->topo->pi; port++)
    if (b->before.bank[sw][port] != b->after.bank[sw][port])
      b->item[sw][b->items[sw]++] = (struct item){false, port};
}

static void list_entries(struct brute *b, uint32_t sw) {
  for (unsigned bank = 0; bank < 2; bank++)
    if (b->before.entry[sw][bank][b->dst] != b->after.entry[sw][bank][b->dst])
      b->item[sw][b->items[sw]++] = (struct item){true, bank};
}

/* Lists the words that decide about packets to a terminal, in the order in which they are written. */
static void list_items(struct brute *b, uint32_t dst) {
  b->dst = dst;
  b->times = 1;
  for (uint32_t sw = 0; sw < b->topo->switches; sw++) {
    b->items[sw] = 0;
    if (b->banks_first)
      list_banks(b, sw);
    list_entries(b, sw);
    if (!b->banks_first)
      list_banks(b, sw);
    b->times *= b->items[sw] + 1;
  }
  b->times++;
}

/* How many words a switch has at that time: a digit of it. */
static unsigned written_at(const struct brute *b, unsigned time, uint32_t sw) {
  unsigned rest = time ? time - 1 : 0;
  for (uint32_t i = 0; i < sw; i++)
    rest /= b->items[i] + 1;
  return rest % (b->items[sw] + 1);
}

static unsigned step_of(const struct brute *b, uint32_t sw) {
  unsigned step = 1;
  for (uint32_t i = 0; i < sw; i++)
    step *= b->items[i] + 1;
  return step;
}

static bool is_written(const struct brute *b, uint32_t sw, unsigned written, bool entry, unsigned number) {
  for (unsigned i = 0; i < b->items[sw]; i++)
    if (b->item[sw][i].entry == entry && b->item[sw][i].number == number)
      return i < written;
  return true;
}

/* Output ports of a packet in that channel, over links that work; written: words of its switch. */
static ut_mask answer(const struct brute *b, uint32_t channel, unsigned written, const ut_mask *up) {
  const uint32_t sw = channel / PORTS;
  const unsigned port = channel % PORTS;
  const unsigned bank = is_written(b, sw, written, false, port) ? b->after.bank[sw][port] : b->before.bank[sw][port];
  const ut_mask ports =
      is_written(b, sw, written, true, bank) ? b->after.entry[sw][bank][b->dst] : b->before.entry[sw][bank][b->dst];
  return ports & up[sw];
}

static uint32_t injection_of(const struct brute *b, uint32_t terminal) {
  const struct ut_peer *to = &b->topo->peer[ut_topology_injection(b->topo, terminal, 0)];
  return to->index * PORTS + to->port;
}

/* ---- search */

static void visit(struct brute *b, unsigned time, uint32_t channel, uint32_t *length) {
  const uint32_t state = time * CHANNELS + channel;
  if (b->seen[state])
    return;
  b->seen[state] = true;
  b->queue[(*length)++] = state;
}

/* Moves a packet on; returns whether it can be discarded there. */
static bool move(struct brute *b, unsigned time, uint32_t channel, uint32_t *length) {
  const uint32_t sw = channel / PORTS;
  const ut_mask ports = answer(b, channel, written_at(b, time, sw), time ? b->up : b->up_before);
  UT_FOR_EACH (port, ports) {
    const struct ut_peer *peer = &b->topo->peer[sw * b->topo->po + port];
    if (peer->kind != UT_PEER_SWITCH)
      continue;
    const uint32_t to = peer->index * PORTS + peer->port;
    if (b->up[sw] >> port & 1 && ut_topology_source(b->topo, sw, channel % PORTS).kind == UT_PEER_SWITCH)
      b->arc[channel][to] = true;
    visit(b, time, to, length);
  }
  return !ports && time;
}

/* Finds all states of packets from that terminal, or from all; returns whether one can be discarded. */
static bool search(struct brute *b, uint32_t src, unsigned first_time, unsigned last_time, bool change) {
  uint32_t length = 0;
  bool discards = false;
  memset(b->seen, 0, (size_t)b->times * CHANNELS);
  for (uint32_t i = 0; i < b->topo->terminals; i++)
    for (unsigned time = first_time; time <= last_time; time++)
      if (i != b->dst && (src == UINT32_MAX || src == i))
        visit(b, time, injection_of(b, i), &length);
  for (uint32_t i = 0; i < length; i++) {
    const unsigned time = b->queue[i] / CHANNELS;
    const uint32_t channel = b->queue[i] % CHANNELS;
    discards |= move(b, time, channel, &length);
    for (uint32_t sw = 0; change && time && sw < b->topo->switches; sw++)
      if (written_at(b, time, sw) < b->items[sw])
        visit(b, time + step_of(b, sw), channel, &length);
    if (!time && change)
      visit(b, 1, channel, &length);
  }
  return discards;
}

/* Whether packets can go round while the tables stay as they are, in a state that has been seen. */
static bool goes_round(const struct brute *b, unsigned time) {
  bool left[CHANNELS];
  memcpy(left, b->seen + (size_t)time * CHANNELS, sizeof left);
  for (bool changes = true; changes;) {
    changes = false;
    for (uint32_t c = 0; c < b->topo->switches * PORTS; c++) {
      bool on = false;
      if (!left[c])
        continue;
      UT_FOR_EACH (port, answer(b, c, written_at(b, time, c / PORTS), time ? b->up : b->up_before)) {
        const struct ut_peer *peer = &b->topo->peer[c / PORTS * b->topo->po + port];
        on |= peer->kind == UT_PEER_SWITCH && left[peer->index * PORTS + peer->port];
      }
      left[c] = on;
      changes |= !on;
    }
  }
  for (uint32_t c = 0; c < CHANNELS; c++)
    if (left[c])
      return true;
  return false;
}

static bool has_cycle(bool arc[CHANNELS][CHANNELS]) {
  static bool way[CHANNELS][CHANNELS];
  memcpy(way, arc, sizeof way);
  for (unsigned k = 0; k < CHANNELS; k++)
    for (unsigned i = 0; i < CHANNELS; i++)
      for (unsigned j = 0; j < CHANNELS && way[i][k]; j++)
        way[i][j] |= way[k][j];
  for (unsigned i = 0; i < CHANNELS; i++)
    if (way[i][i])
      return true;
  return false;
}

/* What brute force says; `lost` UINT64_MAX: there are too many states. */
static void judge(struct brute *b, struct ut_transition_verdict *verdict) {
  *verdict = (struct ut_transition_verdict){0};
  memset(b->arc, 0, sizeof b->arc);
  for (uint32_t dst = 0; dst < b->topo->terminals; dst++) {
    list_items(b, dst);
    if ((uint64_t)b->times * CHANNELS > MOST_STATES) {
      verdict->lost = UINT64_MAX;
      return;
    }
    for (uint32_t src = 0; src < b->topo->terminals; src++)
      if (src != dst)
        verdict->lost += search(b, src, 1, b->times - 1, true) && !search(b, src, 1, 1, false) &&
                         !search(b, src, b->times - 1, b->times - 1, false);
    search(b, UINT32_MAX, 0, b->times - 1, true);
    for (unsigned time = 0; time < b->times; time++)
      verdict->failure[UT_FAILURE_LOOP] |= goes_round(b, time);
  }
  verdict->failure[UT_FAILURE_CYCLE] = has_cycle(b->arc);
}

/* ---- orders of whole switches */

static bool switch_changes(const struct brute *b, uint32_t sw) {
  return memcmp(b->before.bank[sw], b->after.bank[sw], sizeof b->after.bank[sw]) ||
         memcmp(b->before.entry[sw], b->after.entry[sw], sizeof b->after.entry[sw]);
}

/* Adds the dependencies of packets while the switches are written whole, in that order. */
static void follow_order(struct brute *b, const uint32_t *order, unsigned count) {
  static bool seen[MOST_ORDER + 2][CHANNELS];
  memset(seen, 0, sizeof seen);
  for (unsigned time = 0; time < count + 2; time++) {
    bool written[SWITCHES] = {false};
    for (unsigned i = 0; i + 1 < time; i++)
      written[order[i]] = true;
    for (uint32_t c = 0; time && c < CHANNELS; c++)
      seen[time][c] |= seen[time - 1][c];
    for (uint32_t i = 0; i < b->topo->terminals; i++)
      seen[time][injection_of(b, i)] |= i != b->dst;
    for (bool changes = true; changes;) {
      changes = false;
      for (uint32_t c = 0; c < b->topo->switches * PORTS; c++) {
        const uint32_t sw = c / PORTS;
        if (!seen[time][c])
          continue;
        UT_FOR_EACH (port, answer(b, c, written[sw] ? b->items[sw] : 0, time ? b->up : b->up_before)) {
          const struct ut_peer *peer = &b->topo->peer[sw * b->topo->po + port];
          if (peer->kind != UT_PEER_SWITCH)
            continue;
          const uint32_t to = peer->index * PORTS + peer->port;
          if (b->up[sw] >> port & 1 && ut_topology_source(b->topo, sw, c % PORTS).kind == UT_PEER_SWITCH)
            b->arc[c][to] = true;
          changes |= !seen[time][to];
          seen[time][to] = true;
        }
      }
    }
  }
}

/* Whether some order of the switches lets packets wait in a circle. */
static bool some_order(struct brute *b, uint32_t *order, unsigned from, unsigned count) {
  if (from == count) {
    memset(b->arc, 0, sizeof b->arc);
    for (uint32_t dst = 0; dst < b->topo->terminals; dst++) {
      list_items(b, dst);
      follow_order(b, order, count);
    }
    return has_cycle(b->arc);
  }
  for (unsigned i = from; i < count; i++) {
    const uint32_t sw = order[i];
    order[i] = order[from];
    order[from] = sw;
    const bool found = some_order(b, order, from + 1, count);
    order[from] = order[i];
    order[i] = sw;
    if (found)
      return true;
  }
  return false;
}

/* ---- networks */

/* Writes a connected network of up to 8 switches, with one or two terminals each. */
static void draw_network(char *path, struct ut_random *random) {
  strcpy(path, "/tmp/uturn-small-XXXXXX");
  FILE *f = fdopen(mkstemp(path), "w");
  const uint32_t switches = 4 + ut_random_below(random, 5), more = 1 + ut_random_below(random, 4);
  bool cable[SWITCHES][SWITCHES] = {0};
  for (uint32_t i = 1; i < switches; i++)
    cable[i][i > 3 ? i - 1 - ut_random_below(random, 3) : ut_random_below(random, i)] = true;
  for (uint32_t i = 0, tries = 0; i < more && tries < 40; tries++) {
    const uint32_t a = 1 + ut_random_below(random, switches - 1), c = ut_random_below(random, a);
    i += !cable[a][c];
    cable[a][c] = true;
  }
  const uint32_t two = ut_random_below(random, switches);
  for (uint32_t i = 0, node = 0; i < switches; i++) {
    fprintf(f, "router %u node %u", i, node++);
    if (i == two)
      fprintf(f, " node %u", node++);
    for (uint32_t j = 0; j < i; j++)
      if (cable[i][j])
        fprintf(f, " router %u", j);
    fputc('\n', f);
  }
  fclose(f);
}

struct tally {
  unsigned transitions, cycles, loops, losing, large, orders, orders_with_cycle;
};

static void compare(struct ut_transition_prover *prover, const struct ut_transition *transition, struct brute *b,
                    struct tally *tally) {
  struct ut_transition_verdict said, found;
  struct ut_error e;
  uint32_t order[SWITCHES];
  unsigned count = 0;
  if (ut_transition_examine(prover, transition, &said, &e))
    fail_msg("%s", e.text);
  judge(b, &found);
  if (found.lost == UINT64_MAX) {
    tally->large++;
    return;
  }
  tally->transitions++;
  tally->cycles += found.failure[UT_FAILURE_CYCLE];
  tally->loops += found.failure[UT_FAILURE_LOOP];
  tally->losing += found.lost > 0;
  if (said.failure[UT_FAILURE_CYCLE] != found.failure[UT_FAILURE_CYCLE] ||
      said.failure[UT_FAILURE_LOOP] != found.failure[UT_FAILURE_LOOP] || said.lost != found.lost)
    fail_msg("link %u %s: cycle %d, loop %d, %u pairs lost; by brute force %d, %d, %u",
             transition->repair ? transition->before.link[0] : transition->after.link[0],
             transition->repair ? "comes back" : "fails", said.failure[UT_FAILURE_CYCLE], said.failure[UT_FAILURE_LOOP],
             (unsigned)said.lost, found.failure[UT_FAILURE_CYCLE], found.failure[UT_FAILURE_LOOP],
             (unsigned)found.lost);
  for (uint32_t sw = 0; sw < b->topo->switches; sw++)
    if (switch_changes(b, sw))
      order[count++] = sw;
  if (!found.failure[UT_FAILURE_CYCLE] || count > MOST_ORDER)
    return;
  tally->orders++;
  tally->orders_with_cycle += some_order(b, order, 0, count);
}

static void cut(const struct ut_topology *topo, uint32_t number, ut_mask *up) {
  const struct ut_link *link = &topo->link[number];
  up[link->lower] &= ~ut_bit(link->lower_port);
  up[link->upper] &= ~ut_bit(link->upper_port);
}

static void compare_network(const char *path, const char *algorithm, struct tally *tally) {
  struct ut_scenario *s =
      test_scenario("topology: {kind: graph, file: %s}\nswitch: {vcs: 1, depth_flits: 4, "
                    "packet_flits: 4}\nrouting: {algorithm: %s, update: mixed}\ntraffic: {load_flits_per_cycle: "
                    "0.1}\n",
                    path, algorithm);
  struct ut_topology topology, *topo = &topology;
  struct ut_transition_prover prover;
  struct ut_forwarding forwarding;
  struct ut_shape shape;
  struct ut_error e;
  static struct brute b;
  if (ut_topology_init(topo, s, &e) || ut_transition_prover_init(&prover, s, topo, &e) ||
      ut_scenario_shape(s, &topo->elaboration[0], &shape, &e))
    fail_msg("%s", e.text);
  assert_true(ut_forwarding_init(&forwarding, topo, &shape, &s->routing.planning));
  assert_true(topo->switches <= SWITCHES && topo->pi <= PORTS && topo->terminals <= TERMINALS);
  b = (struct brute){.topo = topo, .banks_first = forwarding.hops.by != NULL};
  b.seen = malloc(MOST_STATES);
  b.queue = malloc(MOST_STATES * sizeof *b.queue);
  for (uint32_t link = 0; link < topo->links; link++)
    for (unsigned repair = 0; repair < 2; repair++) {
      const struct ut_fault_set set = {.links = 1, .link = {link}};
      struct ut_transition transition;
      ut_transition_get(&set, repair, &transition);
      all_up(topo, b.up_before);
      all_up(topo, b.up);
      cut(topo, link, repair ? b.up_before : b.up);
      read_plan(&forwarding, b.up_before, &b.before);
      read_plan(&forwarding, b.up, &b.after);
      compare(&prover, &transition, &b, tally);
    }
  free(b.seen), free(b.queue);
  ut_forwarding_fini(&forwarding);
  ut_transition_prover_free(&prover);
  ut_topology_free(topo);
  ut_scenario_free(s);
}

static void every_interleaving(void **state) {
  (void)state;
  struct tally tally = {0};
  struct ut_random random;
  const char *networks = getenv("UTURN_TEST_NETWORKS");
  const unsigned count = networks ? (unsigned)atoi(networks) : 16;
  for (unsigned i = 0; i < count; i++) {
    char path[32];
    ut_random_init(&random, 1, UT_RANDOM_SAMPLING, i);
    draw_network(path, &random);
    compare_network(path, "table", &tally);
    compare_network(path, "forwarding", &tally);
    compare_network(path, "forwarding, planner: minimal", &tally); /* without an order: packets can go round */
    unlink(path);
  }
  print_message("%u transitions: %u with a cycle, %u with a loop, %u lose packets; %u too large\n", tally.transitions,
                tally.cycles, tally.loops, tally.losing, tally.large);
  print_message("%u of %u with a cycle have it in an order of whole switches\n", tally.orders_with_cycle, tally.orders);
  assert_true(tally.transitions > 100 && tally.cycles && tally.losing);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_interleaving),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
