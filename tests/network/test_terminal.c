/* SPDX-License-Identifier: Apache-2.0 */
/* test_terminal.c - csim/network/terminal: the in-flight table, what is sent when, what ranges of terminals do to each
 * other. */
#include "network_parts.h"
#include "scenario.h"
#include "scenario_read.h"
#include "scenarios.h"
#include "terminal_cycle.h"

/* ---- the in-flight table of one source */

enum { PACKETS = 600, PLACES = 1024 };

static void open_book(struct ut_terminal *n, struct ut_record record[PLACES], unsigned base) {
  *n = (struct ut_terminal){.record = record, .mask = PLACES - 1, .base = base};
  n->injected = n->end = n->drawn = base + PACKETS;
  memset(record, 0, PLACES * sizeof *record);
  for (uint64_t i = base; i < n->injected; i++)
    *ut_record_of(n, i) =
        (struct ut_record){i, (uint16_t)(i % 256 == 7 ? 1 : i / 256 % 2), (uint16_t)(1 + i / 512), true, 0};
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
    struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 2, n: 3}\nrouting: {algorithm: fta}\n"
                                          "traffic: {load_flits_per_cycle: 0}\nrun: {warmup_cycles: 0}\n");
    struct ut_network n;
    test_network(&n, s);
    struct ut_terminals *t = &n.terminals;
    struct ut_terminal *source = &t->terminal[2];
    const uint64_t cycle = 2 * UT_HISTOGRAM_PAGE + 5, header = ut_header_make(1, 2, 0, 0);
    t->window_end = cycle + 1;
    source->record[0] = (struct ut_record){7, 1, 3, true, 0};
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
    t->range->leavings = 0;
    for (unsigned i = 0; i < 16; i++) /* more than are called into the cache ahead: of nobody */
      leaves(t->range, ut_header_make(1, (uint16_t)(i % 2 ? 65535 : t->count), 0, 0), 0, UT_DISCARD_UNREACHABLE);
    if (all)
      ut_terminals_settle_all(t, cycle);
    else
      ut_terminals_settle(t, 0, cycle);
    assert_int_equal(a->corrupt, 3 + 16);
    assert_true(t->latency.count == 1 && t->latency.max == cycle - 7 && t->latency.pages > 0);
    assert_int_equal(t->range->departures.count, 0); /* nobody looks at them */
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
}

/* Lists a packet to terminal 1 that its source has sent, as the in-flight table says. */
static uint64_t book(struct ut_terminals *t, uint32_t src, uint64_t cycle, uint16_t flits) {
  struct ut_terminal *source = &t->terminal[src];
  *ut_record_of(source, source->injected) = (struct ut_record){cycle, 1, flits, true, 0};
  source->end = ++source->injected;
  source->drawn = source->end + 1;
  ut_record_of(source, source->end)->cycle = UT_NO_PACKET;
  return ut_header_make(1, (uint16_t)src, (uint8_t)(source->injected - 1), 0);
}

/* Whoever looks at packets is told of each that leaves: which one of its source it was, and why. */
static void departures_have_numbers(void **state) {
  (void)state;
  struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 2, n: 2}\nrouting: {algorithm: fta}\n"
                                        "traffic: {load_flits_per_cycle: 0}\n");
  struct ut_network n;
  test_network(&n, s);
  struct ut_terminals *t = &n.terminals;
  const struct ut_departures *d = &t->range->departures;
  uint64_t header[24], number[24]; /* under way */
  struct ut_departure told[700];
  unsigned count = 0, left = 0;
  t->watched = true;
  for (uint64_t i = 0; i < 700; i++) {
    number[count] = i;
    header[count++] = book(t, 2, 5 * i, (uint16_t)(1 + i % 3));
    const bool full = i - number[0] == 23; /* the ring is not much larger */
    if (!full && i % 40 < 20)
      continue;
    const unsigned which = full ? 0 : (unsigned)(i * 7 % count);
    const unsigned reason = (unsigned)(i % (UT_DELIVERED + 1));
    t->range->leavings = 0;
    leaves(t->range, header[which], reason == UT_DELIVERED ? 1 + (uint32_t)(number[which] % 3) : 0, reason);
    ut_terminals_settle(t, 0, 5 * i);
    assert_int_equal(d->count, left + 1);
    const struct ut_departure *last = &d->list[left];
    assert_true(last->sequence == number[which] && last->record.cycle == 5 * number[which]);
    assert_true(last->src == 2 && last->reason == reason);
    assert_true(last->record.dst == 1 && last->record.flits == 1 + number[which] % 3);
    told[left++] = *last;
    count--;
    memmove(&header[which], &header[which + 1], (count - which) * sizeof *header);
    memmove(&number[which], &number[which + 1], (count - which) * sizeof *number);
    assert_int_equal(t->terminal[2].base, count ? number[0] : i + 1);
  }
  assert_true(left > 600);
  for (unsigned i = 0; i < left; i++) /* nothing is lost when the list grows */
    assert_true(d->list[i].sequence == told[i].sequence && d->list[i].reason == told[i].reason);
  assert_int_equal(t->accounts.corrupt, 0);
  ut_network_fini(&n);
  ut_scenario_free(s);
}

/* Packets that switches discard: of a terminal, once; of nobody. */
static void switches_discard(void **state) {
  (void)state;
  struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 2, n: 2}\nrouting: {algorithm: fta}\n"
                                        "traffic: {load_flits_per_cycle: 0}\n");
  struct ut_network n;
  test_network(&n, s);
  struct ut_terminals *t = &n.terminals;
  for (unsigned reason = 0; reason < UT_DISCARD_REASONS; reason++)
    for (unsigned watched = 0; watched < 2; watched++) {
      const struct ut_accounts before = t->accounts;
      struct ut_terminal *source = &t->terminal[3];
      t->watched = watched;
      t->range->departures.count = 0;
      const uint64_t header = book(t, 3, 0, 2);
      ut_terminals_discard(t, header, reason);
      assert_true(t->accounts.corrupt == before.corrupt && source->base == source->injected);
      assert_int_equal(t->range->departures.count, watched);
      assert_true(!watched || (t->range->departures.list->reason == reason && t->range->departures.list->src == 3));
      ut_terminals_discard(t, header, reason);
      assert_int_equal(t->accounts.corrupt, before.corrupt + 1);
      ut_terminals_discard(t, ut_header_make(1, (uint16_t)t->count, 0, 0), reason);
      ut_terminals_discard(t, ut_header_make(1, 65535, 0, 0), reason);
      assert_int_equal(t->accounts.corrupt, before.corrupt + 3);
      assert_int_equal(t->accounts.discarded[reason], before.discarded[reason] + 4);
      assert_int_equal(ut_accounts_discarded(&t->accounts), ut_accounts_discarded(&before) + 4);
      assert_int_equal(t->range->departures.count, watched);
    }
  ut_network_fini(&n);
  ut_scenario_free(s);
}

/* Flits count in the window; what ranges have counted is of all when the cycle ends. */
static void flits_count_in_the_window(void **state) {
  (void)state;
  struct ut_scenario *s = test_scenario("topology: {kind: mesh, sizes: [13, 10]}\nrouting: {algorithm: dor}\n"
                                        "traffic: {load_flits_per_cycle: 0}\n");
  struct ut_network n;
  test_network(&n, s);
  struct ut_terminals *t = &n.terminals;
  uint64_t all = 0, window = 0;
  assert_true(ut_terminals_divide(t, 3));
  t->window_start = 100, t->window_end = 103;
  for (uint64_t cycle = 97; cycle < 107; cycle++) {
    struct ut_accounts before = t->accounts;
    for (unsigned i = 0; i < 3; i++) {
      t->range[i].received = 10 * cycle + i;
      all += 10 * cycle + i;
      window += cycle == 100 || cycle == 101 || cycle == 102 ? 10 * cycle + i : 0;
      for (unsigned j = 0; j < UT_ACCOUNTS; j++) {
        ((uint64_t *)t->range[i].accounts)[j] += 7 * i + j + 1;
        ((uint64_t *)&before)[j] += 7 * i + j + 1;
      }
    }
    t->range[2].failure = cycle == 106;
    ut_terminals_account(t, cycle);
    assert_true(t->received_flits == all && t->window_flits == window);
    assert_memory_equal(&t->accounts, &before, sizeof before);
    assert_int_equal(t->failure, cycle == 106);
  }
  ut_network_fini(&n);
  ut_scenario_free(s);
}

/* Of a trace every packet is sent once, however many a terminal has, and however many at once. */
static void all_of_a_trace(void **state) {
  (void)state;
  for (unsigned apart = 0; apart < 80; apart += 1 + 25 * apart) {
    char path[UT_TEST_TRACE_PATH], trace[8192];
    size_t used = 0;
    unsigned packets = 0, flits = 0;
    for (unsigned src = 0; src < 16; src++)
      for (unsigned i = 0; i < (src == 9 ? 150 : src * 3 / 2); i++, packets++) {
        used += (size_t)snprintf(trace + used, sizeof trace - used, "%u %u %u %u\n", 3 + src % 3 + i * apart, src,
                                 (src + 1 + i) % 16, 1 + i % 3);
        flits += 1 + i % 3;
      }
    test_write_trace(path, trace);
    struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 4, n: 2}\nrouting: {algorithm: fta}\n"
                                          "switch: {packet_flits: 3}\ntraffic: {pattern: trace, trace_file: %s}\n"
                                          "run: {warmup_cycles: 0, measure_cycles: 12000}\n",
                                          path);
    struct ut_network n;
    test_network(&n, s);
    unlink(path);
    const struct ut_accounts *a = &n.terminals.accounts;
    for (unsigned cycle = 0; cycle < 12000 && a->delivered < packets; cycle++)
      ut_network_step(&n);
    for (unsigned cycle = 0; cycle < 150; cycle++) /* and no other */
      ut_network_step(&n);
    assert_true(a->generated == packets && a->injected == packets && a->delivered == packets && a->corrupt == 0);
    assert_true(a->delivered_flits == flits && ut_terminals_queued(&n.terminals) == 0);
    for (unsigned src = 0; src < 16; src++)
      assert_int_equal(n.terminals.terminal[src].injected, src == 9 ? 150 : src * 3 / 2);
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
}

/* Messages of more packets than a terminal has records for at first: each has its flits. */
static void long_messages(void **state) {
  (void)state;
  for (unsigned bytes = 24 * 31 - 1; bytes < 24 * 150; bytes += bytes < 24 * 33 ? 1 : 411) {
    char path[UT_TEST_TRACE_PATH], goal[256];
    snprintf(goal, sizeof goal,
             "num_ranks 4\nrank 2 {\n  send %ub to 1 tag 0\n}\nrank 1 {\n  recv %ub from 2 tag 0\n}\n", bytes, bytes);
    test_write_trace(path, goal);
    struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 2, n: 2}\nrouting: {algorithm: fta}\n"
                                          "switch: {packet_flits: 4}\ntraffic: {pattern: goal, goal_file: %s}\n",
                                          path);
    struct ut_network n;
    test_network(&n, s);
    unlink(path);
    const struct ut_accounts *a = &n.terminals.accounts;
    const unsigned packets = (bytes + 23) / 24; /* of three words behind the header */
    while (!ut_network_done(&n) && n.cycle < 2000)
      ut_network_step(&n);
    assert_true(a->generated == packets && a->delivered == packets && a->corrupt == 0);
    assert_int_equal(a->delivered_flits, packets + (bytes + 7) / 8);
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
}

/* Latencies count exactly, also around the end of a page, of packets that were generated in the window. */
static void latencies_count(void **state) {
  (void)state;
  enum { START = 3 * UT_HISTOGRAM_PAGE, END = START + 2 * UT_HISTOGRAM_PAGE };
  static const struct {
    uint64_t generated, latency;
    bool counts;
  } packets[] = {
      {START - 1, UT_HISTOGRAM_PAGE, false},
      {START, UT_HISTOGRAM_PAGE - 1, true},
      {END - 1, UT_HISTOGRAM_PAGE, true},
      {START + 7, UT_HISTOGRAM_PAGE + 1, true},
      {START + 9, 2 * UT_HISTOGRAM_PAGE - 1, true},
      {START + 9, 2 * UT_HISTOGRAM_PAGE, true},
      {END, 5, false},
      {END - 1, 5, true},
      {0, END, false},
  };
  struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 2, n: 2}\nrouting: {algorithm: fta}\n"
                                        "traffic: {load_flits_per_cycle: 0}\n");
  struct ut_network n;
  test_network(&n, s);
  struct ut_terminals *t = &n.terminals;
  const struct ut_histogram *h = &t->latency;
  t->window_start = START;
  t->window_end = END;
  uint64_t sum = 0, count = 0;
  for (unsigned i = 0; i < sizeof packets / sizeof *packets; i++) {
    t->range->leavings = 0;
    leaves(t->range, book(t, 2, packets[i].generated, 3), 3, UT_DELIVERED);
    ut_terminals_settle(t, 0, packets[i].generated + packets[i].latency);
    count += packets[i].counts;
    sum += packets[i].counts ? packets[i].latency : 0;
    assert_true(h->count == count && h->sum == sum);
  }
  assert_int_equal(t->accounts.corrupt, 0);
  assert_true(h->low[5] == 1 && h->low[UT_HISTOGRAM_PAGE - 1] == 1);
  assert_int_equal(h->pages, 2);
  assert_true(h->page[0][0] == 1 && h->page[0][1] == 1 && h->page[0][UT_HISTOGRAM_PAGE - 1] == 1);
  assert_int_equal(h->page[1][0], 1);
  ut_network_fini(&n);
  ut_scenario_free(s);
}

/* Without an in-flight table what is discarded is nobody's, and what arrives is not looked for; nothing else changes.
 */
static void without_books(void **state) {
  (void)state;
  struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 2, n: 3}\nrouting: {algorithm: fta}\n"
                                        "traffic: {load_flits_per_cycle: 0.6}\nrun: {warmup_cycles: 0}\n");
  struct ut_network with, without;
  test_network(&with, s), test_network(&without, s);
  struct ut_terminals *t = &without.terminals;
  struct ut_accounts *a = &t->accounts;
  t->account = false;
  assert_int_equal(ut_terminal_mode(&with.terminals), UT_PLAIN);
  assert_int_equal(ut_terminal_mode(t), UT_PLANNED);
  for (unsigned i = 0; i < 200; i++) {
    ut_network_step(&with), ut_network_step(&without);
    struct ut_accounts expected = with.terminals.accounts;
    expected.latency = 0; /* nobody knows when it was generated */
    assert_memory_equal(&expected, a, sizeof *a);
    for (uint32_t id = 0; id < t->count; id++)
      assert_int_equal(t->terminal[id].base, t->terminal[id].injected);
    assert_int_equal(ut_terminals_queued(t), a->generated - a->injected);
  }
  assert_true(a->delivered > 100 && a->corrupt == 0);
  assert_int_equal(with.terminals.latency.count, a->delivered);
  assert_int_equal(t->latency.count, 0);
  for (unsigned all = 0; all < 2; all++) {
    const struct ut_accounts before = *a;
    t->range->leavings = 0;
    leaves(t->range, ut_header_make(1, 2, 99, 0), 0, UT_DISCARD_UNREACHABLE);
    leaves(t->range, ut_header_make(1, 60000, 0, 0), 0, UT_DISCARD_CUT_BY_FAULT);
    if (all)
      ut_terminals_settle_all(t, 300);
    else
      ut_terminals_settle(t, 0, 300);
    ut_terminals_discard(t, ut_header_make(1, 2, 99, 0), UT_DISCARD_UNREACHABLE);
    assert_memory_equal(&before, a, sizeof before);
    leaves(t->range, ut_header_make(1, 60000, 0, 0), 9, UT_DELIVERED);
    ut_terminals_settle(t, 0, 300);
    assert_true(a->delivered == before.delivered + 1 && a->delivered_flits == before.delivered_flits + 9);
    assert_int_equal(a->corrupt, 0);
  }
  ut_network_fini(&with), ut_network_fini(&without);
  ut_scenario_free(s);
}

/* ---- when, and into which VC */

/* The VC with most credits, of several the first one; none, if a packet needs more. */
static void picks_a_vc(void **state) {
  (void)state;
  enum { DEPTH = 4, VCS = 4 };
  for (unsigned inject = 1; inject <= VCS; inject++)
    for (unsigned need = 1; need <= DEPTH; need++)
      for (unsigned all = 0; all < 625; all++) { /* credits of each */
        const uint8_t credits[VCS] = {all % 5, all / 5 % 5, all / 25 % 5, (uint8_t)(all / 125)};
        const struct ut_terminal_form x = {.v = VCS, .depth = DEPTH, .need = need, .inject = inject};
        unsigned wanted = VCS;
        for (unsigned v = 0; v < inject; v++)
          if (credits[v] >= need && (wanted == VCS || credits[v] > credits[wanted]))
            wanted = v;
        assert_int_equal(ut_pick_vc(credits, x), wanted);
      }
}

/* A terminal is woken for its next packet, or before it, again; the last time in the cycle of the packet. */
static void wakes_in_time(void **state) {
  (void)state;
  for (uint32_t id = 60; id < 70; id++)
    for (uint64_t now = 1000; now < 1070; now++)
      for (uint64_t next = now + 1; next < now + 200; next += 1 + (next - now) / 70) {
        struct ut_roll roll = {.wheel = {0}};
        ut_schedule(&roll, id, next, now);
        uint64_t at = now + 1;
        while (at <= next && !(roll.wheel[at % UT_WHEEL] >> id % 64 & 1))
          at++;
        assert_true(at == next || (at < next && next >= now + UT_WHEEL));
        for (unsigned i = 0; i < UT_WHEEL; i++)
          assert_true(roll.wheel[i] == (i == at % UT_WHEEL ? UINT64_C(1) << id % 64 : 0));
        assert_true(!roll.waiting && !roll.middle && !roll.unusual);
        ut_schedule(&roll, id, UT_NO_PACKET, now);
        assert_true(roll.wheel[(now + UT_WHEEL - 1) % UT_WHEEL] == 0 ||
                    at % UT_WHEEL == (now + UT_WHEEL - 1) % UT_WHEEL);
      }
}

/* Which terminals must ask before they begin a packet, and where they choose. */
static void modes(void **state) {
  (void)state;
  const struct ut_source_routes source_routes = {0};
  const struct ut_paths paths = {0};
  struct ut_node_availability availability = {0};
  for (unsigned i = 0; i < 32; i++) {
    const struct ut_terminals t = {.source_routes = i & 1 ? &source_routes : NULL,
                                   .injections = i & 2 ? 2 : 1,
                                   .paths = i & 4 ? &paths : NULL,
                                   .availability = i & 8 ? &availability : NULL,
                                   .account = !(i & 16)};
    assert_int_equal(ut_terminal_mode(&t), i == 0 ? UT_PLAIN : i & 3 ? UT_SOURCE_ROUTED : UT_PLANNED);
  }
}

/* In memory that has been used nothing is left of what was there. */
static void begins_anew(void **state) {
  (void)state;
  struct ut_scenario *s = test_scenario("topology: {kind: mesh, sizes: [13, 10]}\nrouting: {algorithm: dor}\n"
                                        "traffic: {load_flits_per_cycle: 0.3}\n");
  struct ut_network n;
  struct ut_terminals *t = aligned_alloc(64, sizeof *t);
  test_network(&n, s);
  assert_non_null(t);
  memset(t, 0xa5, sizeof *t);
  assert_true(ut_terminals_init(t, &n.traffic, n.topology, n.shape, NULL, true));
  ut_terminals_join(t, &n.wires);
  assert_true(ut_terminals_agree(t, &n.terminals));
  assert_true(!t->stop_generation && !t->watched && !t->failure && !t->source_routes && !t->availability &&
              !t->releases);
  assert_true(t->ranges == 1 && t->window_flits == 0 && t->received_flits == 0);
  assert_memory_equal(&t->accounts, &(struct ut_accounts){0}, sizeof t->accounts);
  ut_terminals_fini(t);
  free(t);
  ut_network_fini(&n);
  ut_scenario_free(s);
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
  memcpy(before, t->terminal, t->count * sizeof *before);
  spied.steps->step[ut_terminal_mode(t) == UT_PLAIN](c);
  for (uint32_t i = 0; i < t->count; i++)
    if (i < c->r->first || i >= c->r->end)
      assert_memory_equal(&before[i], &t->terminal[i], sizeof before[i]);
  for (size_t i = 0; i < c->r->leavings; i++) {
    const uint32_t src = ut_header_src(c->r->leaving[i].header);
    assert_true(src < c->r->first || src >= c->r->end);
    spied.foreign++;
  }
}

/* Packets to the same place, so many terminals further on. */
static struct ut_scenario *shifted(const char *network, unsigned terminals, unsigned distance) {
  char path[UT_TEST_TRACE_PATH], map[8 * TERMINALS];
  size_t used = 0;
  for (unsigned i = 0; i < terminals; i++)
    used += (size_t)snprintf(map + used, sizeof map - used, "%u\n", (i + distance) % terminals);
  test_write_trace(path, map);
  return test_scenario("%sswitch: {packet_flits: 1}\n"
                       "traffic: {pattern: permutation, permutation_file: %s, load_flits_per_cycle: 0.9}\n"
                       "run: {warmup_cycles: 0, measure_cycles: 120}\n",
                       network, path);
}

/* The latencies of packets that its terminals have sent are the range's; those of all are those of one range. */
static void latencies_are_of_ranges(const struct ut_terminals *one, struct ut_terminals *some) {
  uint64_t count = 0;
  for (unsigned i = 0; i < some->ranges; i++) {
    const struct ut_histogram *h = some->range[i].latency;
    assert_ptr_equal(h, i ? &some->range[i].own : &some->latency);
    assert_true(h->count > 0);
    count += h->count;
  }
  assert_int_equal(count, one->latency.count);
  assert_true(ut_terminals_divide(some, 1));
  assert_true(some->latency.count == count && some->latency.sum == one->latency.sum);
  assert_true(some->latency.max == one->latency.max && some->range->latency == &some->latency);
  assert_memory_equal(some->latency.low, one->latency.low, UT_HISTOGRAM_PAGE * sizeof *one->latency.low);
}

/* Each range moves its own terminals only, and all together do what one does. */
static void ranges_keep_apart(void **state) {
  (void)state;
  static const struct ut_terminal_steps looks = {{step_and_look, step_and_look}};
  static const char tree[] = "topology: {kind: fat_tree, k: 4, n: 4}\nrouting: {algorithm: fta}\n",
                    mesh[] = "topology: {kind: mesh, sizes: [16, 12]}\nrouting: {algorithm: dor}\n";
  static const struct {
    const char *network;
    unsigned terminals, ranges, distance;
    bool apart; /* all packets are for another range */
  } cases[] = {
      {tree, 256, 4, 64, true},  {tree, 256, 4, 128, true},  {tree, 256, 4, 192, true}, {mesh, 192, 2, 64, false},
      {mesh, 192, 2, 40, false}, {mesh, 192, 2, 128, false}, {mesh, 192, 3, 64, true},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct ut_scenario *s = shifted(cases[i].network, cases[i].terminals, cases[i].distance);
    struct ut_network one, some;
    test_network(&one, s), test_network(&some, s);
    assert_int_equal(some.terminals.count, cases[i].terminals);
    assert_true(ut_network_divide(&some, cases[i].ranges));
    assert_int_equal(some.terminals.ranges, cases[i].ranges);
    spied.steps = some.terminals.steps;
    spied.foreign = 0;
    some.terminals.steps = &looks;
    while (one.cycle < 120) {
      ut_network_step(&one), ut_network_step(&some);
      assert_memory_equal(&one.terminals.accounts, &some.terminals.accounts, sizeof one.terminals.accounts);
      assert_true(ut_terminals_agree(&one.terminals, &some.terminals));
    }
    assert_true(one.terminals.accounts.delivered > 500 && one.terminals.accounts.corrupt == 0);
    if (cases[i].apart)
      assert_int_equal(spied.foreign, one.terminals.accounts.delivered);
    else
      assert_in_range(spied.foreign, 100, one.terminals.accounts.delivered - 10);
    latencies_are_of_ranges(&one.terminals, &some.terminals);
    ut_network_fini(&one), ut_network_fini(&some);
    unlink(s->traffic.file);
    ut_scenario_free(s);
  }
}

/* Behind a flit's words stand what is on the wire, and the VC, of terminals as it is at that lane; nothing else. */
static void places_are_clean(const struct ut_network *n) {
  const struct ut_wires *w = &n->wires;
  for (uint32_t lane = UT_LANES; lane < w->lanes; lane++)
    for (unsigned i = 0; i < 2 * w->depth && w->from[lane]; i++) {
      const uint64_t meta = ut_wires_flit(w, lane, i)[w->words];
      assert_true(meta >> 16 == 0 && ut_flit_vc(meta) < n->v);
      assert_true(lane < w->terminals || ut_flit_vc(meta) == (lane - w->terminals) % n->v);
    }
}

/* Where caches do not hold a network, it does the same: what is needed soon is only called before. */
static void large_ones_do_the_same(void **state) {
  (void)state;
  static const char *const networks[] = {
      "topology: {kind: fat_tree, k: 4, n: 4}\nrouting: {algorithm: fta}\nswitch: {packet_flits: 2}\n",
      "topology: {kind: mesh, sizes: [13, 10]}\nrouting: {algorithm: dor}\nswitch: {depth_flits: 6, packet_flits: 4}\n",
      "topology: {kind: mesh, sizes: [16, 12]}\nrouting: {algorithm: dor}\nswitch: {vcs: 3, flit_bits: 128}\n",
  };
  for (unsigned i = 0; i < sizeof networks / sizeof *networks; i++) {
    struct ut_scenario *s = test_scenario(
        "%straffic: {load_flits_per_cycle: 0.4}\nrun: {warmup_cycles: 0, measure_cycles: 100}\n", networks[i]);
    struct ut_network small, large;
    test_network(&small, s), test_network(&large, s);
    large.wires.large = true;
    while (small.cycle < 50) {
      ut_network_step(&small), ut_network_step(&large);
      assert_memory_equal(&small.terminals.accounts, &large.terminals.accounts, sizeof small.terminals.accounts);
      assert_true(ut_terminals_agree(&small.terminals, &large.terminals));
      assert_true(ut_network_wires_agree(&small, &large));
    }
    places_are_clean(&small), places_are_clean(&large);
    assert_true(small.terminals.accounts.delivered > 100 && small.terminals.accounts.corrupt == 0);
    ut_network_fini(&small), ut_network_fini(&large);
    ut_scenario_free(s);
  }
}

/* What is listed in a range is settled by that of its source, one by one or all at once; of nobody by the last one. */
static void each_settles_its_own(void **state) {
  (void)state;
  enum { EACH = 40 };
  for (unsigned all = 0; all < 2; all++) {
    struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 4, n: 4}\nrouting: {algorithm: fta}\n"
                                          "traffic: {load_flits_per_cycle: 0}\nrun: {warmup_cycles: 0}\n");
    struct ut_network n;
    test_network(&n, s);
    struct ut_terminals *t = &n.terminals;
    struct ut_accounts wanted[RANGES] = {{0}}, sum = {0};
    uint64_t latencies[RANGES] = {0}, number = 0;
    assert_true(ut_network_divide(&n, RANGES));
    t->watched = true;
    for (unsigned i = 0; i < RANGES; i++)
      for (unsigned j = 0; j < EACH; j++, number++) {
        const uint32_t src = j % 8 == 7 ? TERMINALS + i + j * 999 : (i * 50 + j * 37) % TERMINALS;
        const bool known = src < TERMINALS, delivered = number % 3 != 0;
        const unsigned of = known ? src / 64 : RANGES - 1;
        const uint16_t flits = (uint16_t)(1 + j % 5);
        const uint64_t header = known ? book(t, src, number, flits) : ut_header_make(1, (uint16_t)src, 0, 0);
        leaves(&t->range[i], header, delivered ? flits : 0, delivered ? UT_DELIVERED : number % UT_DISCARD_REASONS);
        wanted[of].delivered += delivered;
        wanted[of].delivered_flits += delivered ? flits : 0;
        wanted[of].discarded[number % UT_DISCARD_REASONS] += !delivered;
        wanted[of].corrupt += !known;
        wanted[of].latency += delivered && known ? 1000 - number : 0;
        latencies[of] += delivered && known ? 1000 - number : 0;
      }
    assert_int_equal(ut_terminals_leaving(t), number);
    if (all)
      ut_terminals_settle_all(t, 1000);
    for (unsigned i = RANGES; i-- > 0 && !all;)
      ut_terminals_settle(t, i, 1000);
    for (unsigned i = 0; i < RANGES; i++) {
      struct ut_terminal_range *r = &t->range[i];
      assert_memory_equal(r->accounts, &wanted[i], sizeof wanted[i]);
      assert_int_equal(r->latency->sum, latencies[i]);
      for (size_t j = 0; j < r->departures.count; j++)
        assert_int_equal(r->departures.list[j].src / 64, i);
      ut_accounts_add(&sum, &wanted[i]);
      number -= r->departures.count + wanted[i].corrupt;
    }
    assert_int_equal(number, 0);
    ut_terminals_account(t, 1000);
    assert_memory_equal(&t->accounts, &sum, sizeof sum);
    for (uint32_t id = 0; id < TERMINALS; id++)
      assert_int_equal(t->terminal[id].base, t->terminal[id].injected);
    ut_network_fini(&n);
    ut_scenario_free(s);
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
  assert_int_equal(t->ranges, 1);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_oldest_that_fits),
      cmocka_unit_test(settles),
      cmocka_unit_test(latencies_count),
      cmocka_unit_test(without_books),
      cmocka_unit_test(begins_anew),
      cmocka_unit_test(picks_a_vc),
      cmocka_unit_test(wakes_in_time),
      cmocka_unit_test(modes),
      cmocka_unit_test(departures_have_numbers),
      cmocka_unit_test(ranges_keep_apart),
      cmocka_unit_test(switches_discard),
      cmocka_unit_test(flits_count_in_the_window),
      cmocka_unit_test(all_of_a_trace),
      cmocka_unit_test(long_messages),
      cmocka_unit_test(large_ones_do_the_same),
      cmocka_unit_test(each_settles_its_own),
      cmocka_unit_test(divides),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
