/* SPDX-License-Identifier: Apache-2.0 */
/* test_stuck_reach.c - stuck/stuck_reach: random netlists with a reset and rules of their inputs; what is proven
 * unreachable against all states that can be reached, one by one. */
#include <stdlib.h>
#include <string.h>

#include "stuck_prove.h"
#include "stuck_reach_parts.h"

#include "image.h"

#define RESET
enum { IN = 4, FLIPS = 7, GATES = 70, SHOWN = 3, CYCLES = 40, ROUNDS = 40 };

#include "../slice/random_netlist.h"

enum { STATES = 1 << FLIPS, INPUTS = 1 << IN };
static const uint64_t resets = UINT64_C(0xaaaaaaaaaaaaaaaa); /* inputs with bit 0, which is the reset */

static struct ut_error error;

struct fixture {
  struct ut_liberty library;
  struct ut_circuit circuit;
  struct ut_stuck_faults faults;
  struct ut_stuck_rules rules;
  struct ut_stuck_reach *reach;
  struct ut_stuck_run *run;
  unsigned place[IN];                           /* of the inputs in the image */
  unsigned rule[2], value[2];                   /* nodes: one of the two has that value */
  uint64_t legal[STATES], next[STATES][INPUTS]; /* inputs that keep the rule; states */
  bool reached[STATES];
  bool settled[NODES]; /* in a reset: the state before it does not matter */
};

/* A state under all inputs, a bit each; node `stuck` has a value. */
static void put(uint64_t *v, unsigned state, unsigned stuck, uint64_t value) {
  for (unsigned n = 0; n < IN; n++) {
    v[n] = 0;
    for (unsigned i = 0; i < INPUTS; i++)
      v[n] |= (uint64_t)(i >> n & 1) << i;
  }
  for (unsigned n = 0; n < FLIPS; n++)
    v[IN + n] = state >> n & 1 ? UINT64_MAX : 0;
  evaluate(v, stuck, value);
}

/* Which states follow, and which of them a switch can get into: behind a reset from any state, and on from there. */
static void explore(struct fixture *f) {
  uint64_t v[NODES];
  unsigned list[STATES], count = 0, done = 0;
  memset(f->reached, 0, sizeof f->reached);
  for (unsigned s = 0; s < STATES; s++) {
    put(v, s, NODES, 0);
    f->legal[s] = (f->value[0] ? v[f->rule[0]] : ~v[f->rule[0]]) | (f->value[1] ? v[f->rule[1]] : ~v[f->rule[1]]);
    f->legal[s] = (f->legal[s] | v[0]) & ((UINT64_C(1) << INPUTS) - 1);
    for (unsigned i = 0; i < INPUTS; i++) {
      f->next[s][i] = 0;
      for (unsigned n = 0; n < FLIPS; n++)
        f->next[s][i] |= (v[next[n]] >> i & 1) << n;
    }
  }
  for (unsigned s = 0; s < STATES; s++)
    for (unsigned i = 1; i < INPUTS; i += 2) {
      const unsigned to = (unsigned)f->next[s][i];
      if (!f->reached[to])
        list[count++] = to;
      f->reached[to] = true;
    }
  while (done < count) {
    const unsigned s = list[done++];
    for (unsigned i = 0; i < INPUTS; i += 2)
      if (f->legal[s] >> i & 1 && !f->reached[f->next[s][i]]) {
        f->reached[f->next[s][i]] = true;
        list[count++] = (unsigned)f->next[s][i];
      }
  }
}

/* What is taken for settled is so. */
static void find_settled(struct fixture *f) {
  const uint64_t reset = resets & ((UINT64_C(1) << INPUTS) - 1);
  uint64_t first[NODES], v[NODES];
  put(first, 0, NODES, 0);
  for (unsigned n = 0; n < NODES; n++) {
    const uint32_t net = net_of(&f->circuit.gates, n);
    f->settled[n] = net != UINT32_MAX && f->faults.settled[f->circuit.net[net]];
  }
  for (unsigned s = 1; s < STATES; s++) {
    put(v, s, NODES, 0);
    for (unsigned n = 0; n < NODES; n++)
      assert_true(!f->settled[n] || !((v[n] ^ first[n]) & reset));
  }
  for (unsigned i = 3; i < FLIPS; i++)
    assert_true(f->settled[next[i]]);
}

static void open_netlist(struct fixture *f) {
  memset(f, 0, sizeof *f);
  char *text = random_netlist();
  struct ut_image image;
  assert_int_equal(ut_liberty_parse(&f->library, small_library, strlen(small_library), "small.lib", &error), 0);
  if (ut_circuit_read_nets(&f->circuit, text, "net.v", &f->library, &error) ||
      ut_stuck_faults_make(&f->faults, &f->circuit, &f->library, &error))
    fail_msg("%s", error.text);
  assert_int_equal(ut_image_make(&image, &f->circuit, &error), 0);
  for (size_t i = 0; i < image.fields; i++)
    for (unsigned n = 0; n < IN; n++)
      if (!strncmp(image.field[i].name->name, n ? "in_i" : "rst_i", n ? 4 : 5))
        f->place[n] = 8 * image.field[i].at + n;
  ut_image_free(&image);
  free(text);
  struct ut_stuck_rule rule = {.count = 2, .running = true, .text = "one of two nodes"};
  for (unsigned k = 0; k < 2; k++) {
    do
      f->rule[k] = (unsigned)(FIRST_GATE + chance() % GATES);
    while (net_of(&f->circuit.gates, f->rule[k]) == UINT32_MAX);
    f->value[k] = chance() % 2;
    rule.literal[k] = 2 * f->circuit.net[net_of(&f->circuit.gates, f->rule[k])] + f->value[k];
  }
  assert_true(ut_stuck_rules_add(&f->rules, &rule));
  f->reach = ut_stuck_reach_open(&f->faults, &f->rules, &error);
  f->run = ut_stuck_run_open(&f->faults, &error);
  assert_true(f->reach && f->run);
  ut_stuck_run_show(f->run, f->reach);
  explore(f);
  find_settled(f);
}

static void close_netlist(struct fixture *f) {
  ut_stuck_run_close(f->run);
  ut_stuck_reach_close(f->reach);
  ut_stuck_rules_free(&f->rules);
  ut_stuck_faults_free(&f->faults);
  ut_circuit_free(&f->circuit);
  ut_liberty_free(&f->library);
}

/* A pattern. */
static void show(struct fixture *f, unsigned state, unsigned input) {
  static const uint64_t one = 1;
  uint64_t inputs[1024] = {0}, flip_flops[FLIPS];
  for (unsigned n = 0; n < IN; n++)
    inputs[f->place[n]] = input >> n & 1;
  for (unsigned n = 0; n < FLIPS; n++)
    flip_flops[n] = state >> n & 1;
  ut_stuck_run_add(f->run, 1, inputs, flip_flops, &one);
}

/* From a reset on, with inputs by chance that keep the rule. */
static void walk(struct fixture *f) {
  unsigned state = (unsigned)(chance() % STATES), input = 1;
  for (unsigned c = 0; c < CYCLES; c++) {
    show(f, state, input);
    state = (unsigned)f->next[state][input];
    do
      input = (unsigned)(chance() % INPUTS) & ~1u;
    while (!(f->legal[state] >> input & 1) && chance() % 100);
    if (!(f->legal[state] >> input & 1))
      input = 1;
  }
}

/* Inputs under which a fault is seen in a state; in a reset only where the state does not matter. */
static uint64_t seen(const struct fixture *f, unsigned state, unsigned stuck, uint64_t value) {
  uint64_t good[NODES], bad[NODES], any = 0;
  put(good, state, NODES, 0);
  put(bad, state, stuck, value);
  for (unsigned i = 0; i < FLIPS + SHOWN + FLIPS; i++) {
    const unsigned n = i < FLIPS ? next[i] : i < FLIPS + SHOWN ? shown[i - FLIPS] : IN + i - FLIPS - SHOWN;
    if (i < FLIPS + SHOWN || n == stuck)
      any |= (good[n] ^ bad[n]) & (f->settled[n] ? UINT64_MAX : ~resets);
  }
  return any;
}

/* Whether it is seen in a state that can be reached, or in a reset. */
static bool is_reachable(const struct fixture *f, unsigned stuck, uint64_t value) {
  for (unsigned s = 0; s < STATES; s++)
    if (seen(f, s, stuck, value) &
        ((f->reached[s] ? f->legal[s] & ~resets : 0) | (resets & ((UINT64_C(1) << INPUTS) - 1))))
      return true;
  return false;
}

/* What is proven is so; and much of what is so is proven. */
static void proofs(void **state) {
  (void)state;
  unsigned proven = 0, hidden = 0, clauses = 0;
  for (unsigned round = 0; round < ROUNDS; round++) {
    struct fixture f;
    open_netlist(&f);
    for (unsigned i = 0; i < 30; i++)
      walk(&f);
    ut_stuck_run_end(f.run);
    assert_null(ut_stuck_reach_broken(f.reach));
    assert_int_equal(ut_stuck_prove(&f.faults, f.run, NULL, &error), 0);
    assert_int_equal(ut_stuck_reach_prove(f.reach, &f.faults, UT_STUCK_CONFLICTS, NULL, &error), 0);
    clauses += (unsigned)ut_stuck_reach_clauses(f.reach);
    for (unsigned n = 0; n < NODES; n++)
      for (unsigned value = 0; value < 2; value++) {
        const uint32_t net = net_of(&f.circuit.gates, n);
        if (net == UINT32_MAX)
          continue;
        const enum ut_stuck_verdict verdict = ut_stuck_verdict_of(&f.faults, 2 * net + value);
        const bool reachable = is_reachable(&f, n, value ? UINT64_MAX : 0);
        if (reachable && (verdict == UT_STUCK_UNREACHABLE || verdict == UT_STUCK_UNTESTABLE))
          fail_msg("round %u: %s stuck at %u can be seen, but is %s", round, f.circuit.gates.net[net].name, value,
                   verdict == UT_STUCK_UNREACHABLE ? "unreachable" : "untestable");
        if (!reachable && verdict == UT_STUCK_DETECTED)
          fail_msg("round %u: %s stuck at %u cannot be seen", round, f.circuit.gates.net[net].name, value);
        hidden += !reachable && verdict != UT_STUCK_UNTESTABLE;
        proven += verdict == UT_STUCK_UNREACHABLE;
      }
    /* the invariant holds in all states there are */
    for (unsigned s = 0; s < STATES; s++)
      for (unsigned i = 0; i < INPUTS && f.reached[s]; i += 2)
        if (f.legal[s] >> i & 1)
          show(&f, s, i);
    ut_stuck_run_end(f.run);
    assert_null(ut_stuck_reach_broken(f.reach));
    close_netlist(&f);
  }
  print_message("%u clauses; %u of %u faults that nothing reachable shows are proven\n", clauses, proven, hidden);
  assert_true(clauses > 100 && proven > 100 && 2 * proven > hidden);
}

/* A pattern that breaks a rule, and one outside of the invariant, are told of. */
static void broken(void **state) {
  (void)state;
  unsigned rules = 0, states = 0;
  for (unsigned round = 0; round < ROUNDS; round++) {
    struct fixture f;
    open_netlist(&f);
    for (unsigned n = 0; n < 30; n++)
      walk(&f);
    ut_stuck_run_end(f.run);
    if (ut_stuck_reach_broken(f.reach))
      fail_msg("round %u: %s", round, ut_stuck_reach_broken(f.reach));
    unsigned s = 0, i = 0;
    while (s < STATES && f.legal[s] >> i & 1)
      s += i + 2 >= INPUTS, i = (i + 2) % INPUTS;
    if (s < STATES && round % 2) {
      show(&f, s, i);
      ut_stuck_run_end(f.run);
      assert_string_equal(ut_stuck_reach_broken(f.reach), "one of two nodes");
      rules++;
    } else {
      assert_int_equal(ut_stuck_prove(&f.faults, f.run, NULL, &error), 0);
      assert_int_equal(ut_stuck_reach_prove(f.reach, &f.faults, UT_STUCK_CONFLICTS, NULL, &error), 0);
      for (s = 0; s < STATES; s++)
        for (i = 0; i < INPUTS && !f.reached[s]; i += 2)
          if (f.legal[s] >> i & 1)
            show(&f, s, i);
      ut_stuck_run_end(f.run);
      states += ut_stuck_reach_broken(f.reach) && strstr(ut_stuck_reach_broken(f.reach), "out of reach");
    }
    close_netlist(&f);
  }
  print_message("%u rules, %u states\n", rules, states);
  assert_true(rules > 5 && states > 5);
}

/* Whether some state that was seen has these values of three flip-flops; bits of `mask`: only of these. */
static bool is_seen(const uint64_t *times, const unsigned *flip_flop, unsigned values, unsigned mask) {
  bool any = false;
  for (unsigned s = 0; s < STATES; s++) {
    bool same = times[s];
    for (unsigned i = 0; i < 3; i++)
      same = same && (!(mask >> i & 1) || (s >> flip_flop[i] & 1) == (values >> i & 1));
    any = any || same;
  }
  return any;
}

/* In how many states a flip-flop has a value. */
static uint64_t times_of(const uint64_t *times, unsigned flip_flop, unsigned value) {
  uint64_t count = 0;
  for (unsigned s = 0; s < STATES; s++)
    count += (s >> flip_flop & 1) == value ? times[s] : 0;
  return count;
}

/* How often each state has been kept, by values of flip-flops; returns how many that are. */
static uint64_t count_kept(const struct ut_stuck_reach *r, uint64_t times[STATES]) {
  uint64_t states = 0;
  for (unsigned b = 0; b < r->blocks; b++)
    for (unsigned lane = 0; lane < PATTERNS; lane++)
      if (ut_reach_bit(&r->valid[b], lane)) {
        unsigned s = 0;
        for (unsigned n = 0; n < FLIPS; n++)
          s |= (unsigned)(r->state[n] != UT_OP_ZERO && ut_reach_bit(&r->block[b][r->inputs + n], lane)) << n;
        times[s]++, states++;
      }
  return states;
}

/* Candidates of three are just those values that no state has, though pairs of them occur and chance would have brought
 * them together. */
static void triples(void **state) {
  (void)state;
  unsigned all_found = 0;
  for (unsigned round = 0; round < ROUNDS; round++) {
    struct fixture f;
    uint64_t times[STATES] = {0}, states;
    unsigned found = 0, expected = 0;
    open_netlist(&f);
    for (unsigned i = 0; i < 30; i++)
      walk(&f);
    ut_stuck_run_end(f.run);
    const struct ut_stuck_reach *r = f.reach;
    states = count_kept(r, times);
    ut_reach_propose_seen(f.reach);
    for (size_t i = 0; i < r->clauses; i++) {
      assert_true(ut_reach_is_unseen(r, &r->clause[i]));
      found += r->clause[i].count == 3;
    }
    for (unsigned k = 0; k < FLIPS * FLIPS * FLIPS * 8; k++) {
      const unsigned at[] = {k / 8 % FLIPS, k / 8 / FLIPS % FLIPS, k / 8 / FLIPS / FLIPS}, values = k % 8;
      double chance_of = (double)states;
      bool is_new = at[0] < at[1] && at[1] < at[2] && !is_seen(times, at, values, 7);
      for (unsigned i = 0; i < 3 && is_new; i++) {
        is_new = r->state[at[i]] != UT_OP_ZERO && is_seen(times, at, values, 7 ^ 1u << i);
        chance_of *= (double)times_of(times, at[i], values >> i & 1) / (double)states;
      }
      expected += is_new && chance_of >= 50;
    }
    if (found != expected)
      fail_msg("round %u: %u triples instead of %u", round, found, expected);
    all_found += found;
    close_netlist(&f);
  }
  print_message("%u triples\n", all_found);
  assert_true(all_found > 20);
}

/* Whether a candidate rules out these values, in flip-flops of `mask`. */
static bool is_ruled_out(const struct ut_stuck_reach *r, unsigned values, unsigned mask) {
  for (size_t i = 0; i < r->clauses; i++) {
    const struct ut_reach_clause *c = &r->clause[i];
    bool all_there = true;
    for (unsigned n = 0; n < c->count; n++)
      all_there = all_there && mask >> c->literal[n] / 2 & 1 && (values >> c->literal[n] / 2 & 1) != c->literal[n] % 2;
    if (all_there)
      return true;
  }
  return false;
}

/* Candidates rule out all that has not been seen of one or two flip-flops in a state that state_q tells, where chance
 * would have brought it; and nothing that has been seen. */
static void in_states(void **state) {
  (void)state;
  enum { CODE = 3 << (FLIPS - 2) };
  unsigned all_expected = 0, longest = 0;
  state_bits = 2;
  for (unsigned round = 0; round < ROUNDS; round++) {
    struct fixture f;
    uint64_t times[STATES] = {0};
    open_netlist(&f);
    const struct ut_stuck_reach *r = f.reach;
    for (unsigned i = 0; i < 30; i++)
      walk(&f);
    ut_stuck_run_end(f.run);
    count_kept(r, times);
    ut_reach_propose_seen(f.reach);
    for (size_t i = 0; i < r->clauses; i++) {
      assert_true(ut_reach_is_unseen(r, &r->clause[i]));
      longest = r->clause[i].count > longest ? r->clause[i].count : longest;
    }
    bool all_read = true;
    for (unsigned n = 0; n < FLIPS; n++)
      all_read = all_read && r->state[n] != UT_OP_ZERO;
    for (unsigned k = 0; all_read && k < STATES * (FLIPS - 2) * (FLIPS - 2); k++) {
      const unsigned values = k % STATES, a = k / STATES % (FLIPS - 2), b = k / STATES / (FLIPS - 2);
      const unsigned mask = CODE | 1u << a | 1u << b;
      double in_state = 0, with_a = 0, with_b = 0, both = 0;
      for (unsigned s = 0; s < STATES; s++)
        if (!((s ^ values) & CODE)) {
          const bool is_a = !((s ^ values) >> a & 1), is_b = !((s ^ values) >> b & 1);
          in_state += (double)times[s];
          with_a += is_a ? (double)times[s] : 0;
          with_b += is_b ? (double)times[s] : 0;
          both += is_a && is_b ? (double)times[s] : 0;
        }
      if (both > 0 || in_state < 5 || (a != b && (with_a < 1 || with_b < 1 || with_a * with_b / in_state < 5.001)))
        continue;
      if (!is_ruled_out(r, values, mask))
        fail_msg("round %u: values %x of %x were not seen", round, values & mask, mask);
      all_expected++;
    }
    close_netlist(&f);
  }
  state_bits = 0;
  print_message("%u values, clauses of up to %u literals\n", all_expected, longest);
  assert_true(all_expected > 1000 && longest == 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(proofs), cmocka_unit_test(broken), cmocka_unit_test(triples),
                                     cmocka_unit_test(in_states)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
