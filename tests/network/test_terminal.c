/* test_terminal.c - csim/network/terminal: the books, what ranges of terminals do to each other, links that fail. */
#include "network_parts.h"
#include "scenarios.h"
#include "terminal_cycle.h"

/* ---- the books of one source */

enum { PACKETS = 600, PLACES = 1024 };

static void open_book(struct ut_terminal *n, struct ut_record record[PLACES], unsigned base) {
  *n = (struct ut_terminal){.record = record, .mask = PLACES - 1, .base = base};
  n->injected = n->end = n->drawn = base + PACKETS;
  memset(record, 0, PLACES * sizeof *record);
  for (uint64_t i = base; i < n->injected; i++)
    *ut_record_of(n, i) =
        (struct ut_record){i, (uint16_t)(i % 256 == 7 ? 1 : i / 256 % 2), (uint16_t)(1 + i / 512), true};
}

/* Which packet is taken off: -1: none. */
static int64_t retired(struct ut_terminal *n, unsigned tag, uint16_t dst, bool delivered, uint32_t flits) {
  const struct ut_record *r = ut_packet_retire(n, NULL, ut_header_make(dst, 0, (uint8_t)tag, 0), delivered, flits);
  assert_true(!r || !r->live);
  return r ? (int64_t)r->cycle : -1;
}

/* Of packets whose numbers are the same modulo 256, the oldest one that is there and looks like that. */
static void the_oldest_that_fits(void **state) {
  (void)state;
  static struct ut_record record[PLACES];
  struct ut_terminal n;
  open_book(&n, record, 0); /* packet i: to i / 256 % 2, those with tag 7 to 1; one flit, from 512 on 2 */
  assert_int_equal(retired(&n, 3, 1, true, 1), 256 + 3); /* 3 is for another */
  assert_int_equal(retired(&n, 3, 1, true, 1), -1);      /* and has gone */
  assert_int_equal(retired(&n, 3, 0, true, 2), 512 + 3); /* 3 is shorter */
  assert_int_equal(retired(&n, 3, 0, false, 2), 3);      /* what is discarded may have been cut */
  assert_int_equal(retired(&n, 3, 0, false, 1), -1);
  for (unsigned i = 0; i < 3; i++)
    assert_int_equal(retired(&n, 7, 1, false, 0), 7 + 256 * i);
  assert_int_equal(retired(&n, 7, 1, false, 0), -1);
  assert_int_equal(retired(&n, (PACKETS - 1) % 256, 0, true, 2), PACKETS - 1);
  assert_int_equal(retired(&n, PACKETS % 256, 0, true, 2), -1); /* it has not been sent */
  assert_int_equal(n.base, 0);
  /* the oldest one goes, and with it those behind it that have gone before */
  for (unsigned i = 1; i < 3; i++)
    assert_int_equal(retired(&n, i, 0, true, 1), i);
  assert_int_equal(n.base, 0);
  assert_int_equal(retired(&n, 0, 0, true, 1), 0);
  assert_int_equal(n.base, 4);
  /* until there is none; what stands behind has not been sent */
  open_book(&n, record, 300);
  for (uint64_t i = n.injected; i-- > 300;) {
    const struct ut_record r = *ut_record_of(&n, i);
    assert_int_equal(n.base, 300);
    if (i < 300 + 256)
      assert_int_equal(retired(&n, i % 256, r.dst, true, r.flits), i);
    else
      ut_record_of(&n, i)->live = false;
  }
  assert_int_equal(n.base, n.injected);
}

/* ---- what has left the network */

/* Lists a packet. */
static void leaves(struct ut_terminal_range *r, uint64_t header, uint32_t flits, unsigned reason) {
  r->leaving[r->leavings++] = (struct ut_leaving){.header = header, .flits = flits, .reason = (uint8_t)reason};
}

/* A packet after a long time; one of nobody; one that was never sent, or has already gone. */
static void settles(void **state) {
  (void)state;
  for (unsigned all = 0; all < 2; all++) {
    struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 2, n: 2}\nrouting: {algorithm: fta}\n"
                                          "traffic: {load_flits_per_cycle: 0}\nrun: {warmup_cycles: 0}\n");
    struct ut_network n;
    test_network(&n, s);
    struct ut_terminals *t = &n.terminals;
    struct ut_terminal *source = &t->terminal[2];
    const uint64_t cycle = 2 * UT_HISTOGRAM_PAGE + 5, header = ut_header_make(1, 2, 0, 0);
    t->window_end = cycle + 1;
    source->record[0] = (struct ut_record){7, 1, 3, true};
    source->injected = source->end = 1;
    source->drawn = 2;
    source->record[1].cycle = UT_NO_PACKET;
    leaves(t->range, header, 3, UT_DELIVERED);
    leaves(t->range, ut_header_make(1, 60000, 0, 0), 2, UT_DELIVERED);
    leaves(t->range, ut_header_make(1, 3, 0, 0), 0, UT_DISCARD_UNREACHABLE);
    leaves(t->range, header, 0, UT_DISCARD_CUT_BY_FAULT);
    assert_int_equal(ut_terminals_leaving(t), 4);
    if (all)
      ut_terminals_settle_all(t, cycle);
    else
      ut_terminals_settle(t, 0, cycle);
    const struct ut_accounts *a = &t->accounts;
    assert_true(a->delivered == 2 && a->delivered_flits == 5);
    assert_true(a->discarded[UT_DISCARD_UNREACHABLE] == 1 && a->discarded[UT_DISCARD_CUT_BY_FAULT] == 1);
    assert_int_equal(a->corrupt, 3);
    assert_int_equal(source->base, 1);
    assert_true(t->latency.count == 1 && t->latency.max == cycle - 7 && t->latency.pages > 0);
    assert_int_equal(t->range->departures.count, 0); /* nobody looks at them */
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
}

/* ---- ranges */

enum { RANGES = 4, TERMINALS = 256 };

static struct {
  const struct ut_terminal_steps *steps;
  uint64_t foreign; /* packets from terminals of other ranges */
} spied;

/* Moves a range, and looks at the terminals of the others. */
static void step_and_look(const struct ut_terminal_cycle *c) {
  struct ut_terminal before[TERMINALS];
  const struct ut_terminals *t = c->t;
  memcpy(before, t->terminal, sizeof before);
  spied.steps->step[ut_terminal_mode(t) == UT_PLAIN](c);
  for (uint32_t i = 0; i < TERMINALS; i++)
    if (i < c->r->first || i >= c->r->end)
      assert_memory_equal(&before[i], &t->terminal[i], sizeof before[i]);
  for (size_t i = 0; i < c->r->leavings; i++) {
    const uint32_t src = ut_header_src(c->r->leaving[i].header);
    assert_true(src < c->r->first || src >= c->r->end);
    spied.foreign++;
  }
}

/* Each range moves its own terminals only, and all together do what one does. */
static void ranges_keep_apart(void **state) {
  (void)state;
  static const struct ut_terminal_steps looks = {{step_and_look, step_and_look}};
  char path[UT_TEST_TRACE_PATH], map[8 * TERMINALS];
  size_t used = 0;
  for (unsigned distance = 64; distance <= 192; distance += 64) { /* from the same place of another range */
    used = 0;
    for (unsigned i = 0; i < TERMINALS; i++)
      used += (size_t)snprintf(map + used, sizeof map - used, "%u\n", (i + distance) % TERMINALS);
    test_write_trace(path, map);
    struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 4, n: 4}\nswitch: {packet_flits: 1}\n"
                                          "routing: {algorithm: fta}\n"
                                          "traffic: {pattern: permutation, permutation_file: %s, "
                                          "load_flits_per_cycle: 0.9}\n"
                                          "run: {warmup_cycles: 0, measure_cycles: 60}\n",
                                          path);
    struct ut_network one, some;
    test_network(&one, s), test_network(&some, s);
    assert_true(ut_network_divide(&some, RANGES));
    assert_int_equal(some.terminals.ranges, RANGES);
    spied.steps = some.terminals.steps;
    spied.foreign = 0;
    some.terminals.steps = &looks;
    while (one.cycle < 60) {
      ut_network_step(&one), ut_network_step(&some);
      assert_memory_equal(&one.terminals.accounts, &some.terminals.accounts, sizeof one.terminals.accounts);
      assert_true(ut_terminals_agree(&one.terminals, &some.terminals));
    }
    assert_true(one.terminals.accounts.delivered > 1000 && one.terminals.accounts.corrupt == 0);
    assert_int_equal(spied.foreign, one.terminals.accounts.delivered);
    ut_network_fini(&one), ut_network_fini(&some);
    ut_scenario_free(s);
    unlink(path);
  }
}

/* As many as one wants, but not more than there are sets of 64 terminals. */
static void divides(void **state) {
  (void)state;
  struct ut_scenario *s = test_scenario("topology: {kind: mesh, sizes: [13, 10]}\nrouting: {algorithm: dor}\n"
                                        "traffic: {load_flits_per_cycle: 0}\n");
  struct ut_network n;
  test_network(&n, s);
  struct ut_terminals *t = &n.terminals;
  assert_int_equal(t->rolls, 3);
  for (unsigned ranges = 1; ranges < 6; ranges++) {
    assert_true(ut_terminals_divide(t, ranges));
    assert_int_equal(t->ranges, ranges < 3 ? ranges : 3);
    for (unsigned i = 0; i < t->ranges; i++) {
      assert_int_equal(t->range[i].first, i ? t->range[i - 1].end : 0);
      assert_true(t->range[i].end > t->range[i].first && (t->range[i].end % 64 == 0 || i + 1 == t->ranges));
    }
    assert_int_equal(t->range[t->ranges - 1].end, 130);
  }
  ut_network_fini(&n);
  ut_scenario_free(s);
}

/* ---- links that fail */

/* A link of a terminal fails in the middle of packets, again and again: nothing of them is left, and when it is back
 * for good, the terminal sends all that it has. */
static void sends_again(void **state) {
  (void)state;
  static const char *const switches[] = {
      "switch: {vcs: 1, depth_flits: 8, packet_flits: 8}\nrouting: {algorithm: reroute_adaptive_link}\n",
      "switch: {vcs: 2, depth_flits: 4, packet_flits: 9, switching: wormhole}\n"
      "routing: {algorithm: reroute_adaptive_link}\n",
  };
  for (unsigned kind = 0; kind < 4; kind++) {
    struct ut_scenario *s =
        test_scenario("topology: {kind: fat_tree, k: 4, n: 2}\n%s"
                      "traffic: {load_flits_per_cycle: 0.7}\n"
                      "faults: [{at: 50, until: %u, every: 61, times: 9, %s}]\n"
                      "run: {warmup_cycles: 0, measure_cycles: 700, seed: 3}\n",
                      switches[kind % 2], 58 + 5 * kind,
                      kind / 2 ? "injection: {terminal: 5}" : "link: {level: 0, switch: 1, port: 1}");
    struct ut_network n;
    uint64_t lost = 0;
    test_network(&n, s);
    const struct ut_terminals *t = &n.terminals;
    while (!ut_network_done(&n)) {
      const bool sending = t->injection[5].sending;
      ut_network_step(&n);
      lost += sending && !t->injection[5].sending && !t->injection[5].link_up;
      for (uint32_t i = 0; i < t->lanes; i++) {
        const struct ut_transmissions *now = &t->transmissions[i / UT_LANES];
        assert_true((t->ahead[i] != 0) == (now->sending >> i % UT_LANES & 1));
      }
    }
    assert_true(lost > 3);
    assert_true(t->accounts.corrupt == 0 && ut_terminals_queued(t) == 0);
    assert_int_equal(t->accounts.injected, t->accounts.generated);
    assert_true(n.cycle < 700 + 1000);
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
}

/* ---- packets that were cut */

/* Two tails of packets that were cut come at the same time; only one of the packets has come: it alone is discarded. */
static void tails_of_nothing(void **state) {
  (void)state;
  for (unsigned which = 0; which < 2; which++) {
    struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 2, n: 2}\nswitch: {packet_flits: 4}\n"
                                          "routing: {algorithm: fta}\ntraffic: {load_flits_per_cycle: 0}\n");
    struct ut_network n;
    test_network(&n, s);
    for (unsigned i = 0; i < 8; i++)
      ut_network_step(&n);
    struct ut_wires *w = &n.wires;
    struct ut_terminal *source = &n.terminals.terminal[3];
    uint64_t flit[UT_MAX_FLIT_WORDS + 1] = {0};
    source->record[0] = (struct ut_record){0, (uint16_t)which, 4, true};
    source->injected = source->end = 1;
    source->drawn = 2;
    source->record[1].cycle = UT_NO_PACKET;
    for (unsigned i = 0; i < 2; i++) {
      for (unsigned terminal = 0; terminal < 2; terminal++) {
        const uint32_t input = w->terminals + terminal * n.v;
        flit[0] = ut_header_make((uint16_t)which, 3, 0, 0);
        flit[n.words] = ut_flit_meta(i == 0 ? UT_KIND_HEAD : UT_KIND_TAIL | UT_BAD, 0);
        if (i == 1 || terminal == which)
          ut_wires_send(w, w->from[input], flit, ut_wires_flits(w, n.cycle, input) - input);
      }
      ut_network_step(&n);
      for (unsigned slot = 0; slot < w->slots; slot++)
        memset(w->credits[slot], 0, w->lanes);
    }
    const struct ut_accounts *a = &n.terminals.accounts;
    assert_int_equal(a->discarded[UT_DISCARD_CUT_BY_FAULT], 1);
    assert_true(a->delivered == 0 && source->base == 1);
    assert_int_equal(a->corrupt, 1); /* the other one is a flit of nothing */
    assert_int_equal(ut_terminals_receiving(&n.terminals), 0);
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_oldest_that_fits), cmocka_unit_test(settles),
      cmocka_unit_test(ranges_keep_apart),    cmocka_unit_test(divides),
      cmocka_unit_test(sends_again),          cmocka_unit_test(tails_of_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
