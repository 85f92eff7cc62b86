/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the recording of a run: each packet's way is what a journey that follows the packet says, in networks of
 * several families with faults while they run; and what stands in the stream is what was recorded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "journey.h"
#include "planned_routes.h"
#include "recording.h"
#include "scenario_read.h"
#include "scenarios.h"

static const char *const runs[] = {
    "topology: {kind: fat_tree, k: 2, n: 3}\nswitch: {depth_flits: 4, packet_flits: 2}\n"
    "routing: {algorithm: reroute_adaptive_link}\ntraffic: {load_flits_per_cycle: 0.3}\n"
    "faults: [{at: 60, link: {level: 0, switch: 0, port: 2}}, {at: 150, until: 260, switch: {level: 1, switch: 3}}]\n"
    "run: {warmup_cycles: 0, measure_cycles: 300, seed: 2}\n",
    "topology: {kind: torus, sizes: [4, 4], link_cycles: 2}\nswitch: {vcs: 3, depth_flits: 12, packet_flits: 4}\n"
    "routing: {algorithm: duato, mechanisms: {intermediate: 1}}\ntraffic: {load_flits_per_cycle: 0.3}\n"
    "faults: [{at: 0, link: {level: 0, switch: 0, port: 0}}]\n"
    "run: {warmup_cycles: 0, measure_cycles: 300, seed: 3}\n",
    "topology: {kind: ft_ruft_212, k: 4, n: 2, injection_cycles: 3, ejection_cycles: 2}\n"
    "switch: {depth_flits: 8, packet_flits: 3}\nrouting: {algorithm: ruft}\ntraffic: {load_flits_per_cycle: 0.4}\n"
    "run: {warmup_cycles: 0, measure_cycles: 200, seed: 1}\n",
    "topology: {kind: mesh, sizes: [6, 6]}\nswitch: {vcs: 2, depth_flits: 4, packet_flits: 4, switching: wormhole}\n"
    "routing: {algorithm: detour}\ntraffic: {load_flits_per_cycle: 0.1}\n"
    "faults: [{at: 100, switch: {level: 0, switch: 14}}]\nrun: {warmup_cycles: 0, measure_cycles: 300, seed: 1}\n",
};
enum { RUNS = sizeof runs / sizeof *runs };

static struct ut_scenario *scenario_of(unsigned i) {
  struct ut_error e;
  struct ut_scenario *s = test_scenario("%s", runs[i]);
  if (ut_plan_scenario(s, &e))
    fail_msg("%s", e.text);
  return s;
}

/* Records cycles from..until-1. */
static void record(struct ut_recording *r, struct ut_network *n, const struct ut_scenario *s, uint64_t from,
                   uint64_t until) {
  test_network(n, s);
  assert_true(ut_recording_init(r, n, from, until));
  while (!ut_network_done(n) && n->cycle < until) {
    ut_network_step(n);
    assert_true(ut_recording_observe(r, n));
  }
  assert_int_equal(r->log.strays, 0);
  assert_true(ut_recording_end(r));
}

/* ---- against journeys */

static uint64_t compared, turns, detours, lost, stripped;

static void compare(const struct ut_recorded_packet *p, const struct ut_journey *j, const struct ut_topology *t) {
  uint32_t moves = p->moves ? 1 : 0;
  assert_int_equal(p->what.dst, j->dst);
  assert_int_equal(p->what.flits, j->flits);
  assert_int_equal(p->what.generated, j->generated);
  assert_true(p->what.injected == (j->headers ? j->injected : UT_NEVER));
  assert_true(p->what.ended == (ut_journey_over(j) ? j->ended : UT_NEVER));
  if (p->moves)
    assert_int_equal(p->move[0].head, j->injected);
  for (size_t i = 0; i < j->hops && j->hop[i].gone; i++, moves++) {
    const struct ut_hop *h = &j->hop[i];
    const struct ut_recorded_move *m = &p->move[i + 1];
    assert_true(i + 1 < p->moves);
    assert_int_equal(m->head, h->left);
    assert_int_equal(m->channel, h->sw * t->po + h->out_port);
    assert_int_equal(m->vc, h->out_vc);
    assert_int_equal(m->u_turn, ut_hop_u_turn(h));
    assert_int_equal(m->stripped, h->stripped != 0);
    stripped += m->stripped;
    if (m->tail != UT_NEVER && h->crossed)
      assert_int_equal(m->tail, h->crossed);
    turns += m->u_turn;
    detours += m->detour;
  }
  assert_int_equal(p->moves, moves);
  for (uint32_t i = 0; i < p->moves && p->what.fate == UT_DELIVERED; i++)
    assert_true(p->move[i].tail != UT_NEVER && p->move[i].tail >= p->move[i].head + p->what.flits - 1);
  lost += p->what.fate < UT_DELIVERED;
  compared++;
}

/* Of each fifth packet. */
static void ways_are_those_of_journeys(void **state) {
  (void)state;
  for (unsigned i = 0; i < RUNS; i++) {
    struct ut_scenario *s = scenario_of(i);
    struct ut_network n;
    struct ut_recording r;
    record(&r, &n, s, 0, UINT64_MAX);
    uint64_t delivered = 0;
    for (size_t p = 0; p < r.packets; p++)
      delivered += r.packet[p].what.fate == UT_DELIVERED;
    assert_int_equal(delivered, n.terminals.accounts.delivered);

    struct ut_network again;
    struct ut_journey *j = calloc(r.packets, sizeof *j);
    assert_non_null(j);
    test_network(&again, s);
    for (size_t p = 0; p < r.packets; p += 5)
      ut_journey_init(&j[p], r.packet[p].what.src, r.packet[p].what.sequence);
    while (!ut_network_done(&again)) {
      ut_network_step(&again);
      for (size_t p = 0; p < r.packets; p += 5)
        ut_journey_observe(&j[p], &again);
    }
    for (size_t p = 0; p < r.packets; p += 5) {
      compare(&r.packet[p], &j[p], n.topology);
      ut_journey_free(&j[p]);
    }
    free(j);
    ut_network_fini(&again);
    ut_recording_free(&r);
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
  assert_true(compared > 200 && turns && detours && lost && stripped);
}

/* ---- a window */

/* Those that are in the network in one of its cycles, with their whole way. */
static void window_holds_what_is_there(void **state) {
  (void)state;
  struct ut_scenario *s = scenario_of(0);
  struct ut_network n, m;
  struct ut_recording all, part;
  record(&all, &n, s, 0, UINT64_MAX);
  record(&part, &m, s, 100, 150);
  assert_int_equal(m.cycle, 150);
  size_t k = 0;
  for (size_t i = 0; i < all.packets; i++) {
    const struct ut_recorded_packet *a = &all.packet[i];
    if (ut_recorded_start(&a->what) >= 150 || (a->what.ended != UT_NEVER && a->what.ended < 100))
      continue;
    assert_true(k < part.packets);
    const struct ut_recorded_packet *b = &part.packet[k++];
    assert_int_equal(a->what.src, b->what.src);
    assert_int_equal(a->what.sequence, b->what.sequence);
    for (uint32_t h = 0; h < b->moves; h++)
      assert_int_equal(a->move[h].head, b->move[h].head);
    assert_true(b->moves == a->moves || a->move[b->moves].head > 150);
  }
  assert_int_equal(k, part.packets);
  assert_true(k > 10 && k < all.packets);
  ut_recording_free(&all);
  ut_recording_free(&part);
  ut_network_fini(&n);
  ut_network_fini(&m);
  ut_scenario_free(s);
}

/* ---- the stream */

static uint64_t next(const uint8_t **at) {
  uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const uint8_t byte = *(*at)++;
    value |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80))
      return value;
  }
}

/* docs/reference/report.md, column by column */
static void stream_is_what_was_recorded(void **state) {
  (void)state;
  struct ut_scenario *s = scenario_of(0);
  struct ut_network n;
  struct ut_recording r;
  size_t size;
  record(&r, &n, s, 0, UINT64_MAX);
  uint8_t *bytes = ut_recording_encode(&r, &size);
  assert_non_null(bytes);
  const uint8_t *at = bytes;
  uint64_t start = 0, expected[8] = {0};
#define EACH(p) for (const struct ut_recorded_packet *p = r.packet; p < r.packet + r.packets; p++)
  EACH(p) assert_int_equal(start += next(&at), ut_recorded_start(&p->what));
  EACH(p) assert_int_equal(ut_recorded_start(&p->what) - next(&at), p->what.generated);
  EACH(p) assert_int_equal(next(&at), p->what.src);
  EACH(p) {
    const uint64_t value = next(&at);
    assert_int_equal(expected[p->what.src] + (value & 1 ? -(value / 2) - 1 : value / 2), p->what.sequence);
    expected[p->what.src] = p->what.sequence + 1;
  }
  EACH(p) assert_int_equal(next(&at), p->what.dst);
  EACH(p) assert_int_equal(next(&at), p->what.flits);
  EACH(p) assert_int_equal(next(&at), p->what.fate);
  EACH(p) {
    const uint64_t last = p->moves ? p->move[p->moves - 1].head : ut_recorded_start(&p->what), value = next(&at);
    assert_true(value ? last + value - 1 == p->what.ended : p->what.ended == UT_NEVER);
  }
  EACH(p) assert_int_equal(next(&at), p->moves);
#define EACH_MOVE(p, i) EACH(p) for (uint32_t i = 0; i < p->moves; i++)
  EACH_MOVE(p, i) {
    const uint32_t port = i ? p->move[i].channel % n.topology->po : 0;
    assert_int_equal(next(&at), port * n.v + p->move[i].vc);
  }
  EACH_MOVE(p, i) assert_int_equal(next(&at), i ? p->move[i].head - p->move[i - 1].head : 0);
  EACH_MOVE(p, i) {
    const uint64_t lag = next(&at);
    assert_true(lag ? p->move[i].head + p->what.flits - 1 + lag - 1 == p->move[i].tail : p->move[i].tail == UT_NEVER);
  }
  EACH_MOVE(p, i) assert_int_equal(next(&at), p->move[i].u_turn | p->move[i].detour << 1 | p->move[i].stripped << 2);
  assert_true(at == bytes + size);
  free(bytes);
  ut_recording_free(&r);
  ut_network_fini(&n);
  ut_scenario_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ways_are_those_of_journeys),
      cmocka_unit_test(window_holds_what_is_there),
      cmocka_unit_test(stream_is_what_was_recorded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
