/* SPDX-License-Identifier: Apache-2.0 */
/* test_agree.c - two networks of one scenario, as `upsets` compares them: they agree until one bit differs of what will
 * come, and whatever only tells of what was, or is written before it is read, may differ. */
#include "network_parts.h"
#include "scenario_read.h"
#include "scenarios.h"

struct pair {
  struct ut_network a, b;
  unsigned matter, do_not; /* bits of the one kind, and of the other */
};

static bool agree(const struct ut_network *a, const struct ut_network *b) {
  return ut_network_wires_agree(a, b) && ut_terminals_agree(&a->terminals, &b->terminals);
}

/* A bit there changes in one network. */
static void check_bit(struct pair *p, const char *what, size_t index, void *at, unsigned bit, bool matters) {
  uint8_t *byte = (uint8_t *)at + bit / 8;
  *byte ^= (uint8_t)(1u << bit % 8);
  if (agree(&p->a, &p->b) == matters || agree(&p->b, &p->a) == matters)
    fail_msg("cycle %u: %s %zu differs in bit %u: they agree %d and %d, expected %d", (unsigned)p->a.cycle, what, index,
             bit, agree(&p->a, &p->b), agree(&p->b, &p->a), !matters);
  *byte ^= (uint8_t)(1u << bit % 8);
  p->matter += matters, p->do_not += !matters;
}
static void check(struct pair *p, const char *what, size_t index, void *at, bool matters) {
  check_bit(p, what, index, at, 0, matters);
}

/* ---- wires */

static void reports_matter(struct pair *p) {
  const size_t switches = p->a.topology.switches;
  for (size_t i = 0; i < switches * p->a.reports; i++)
    check(p, "report", i, &p->a.report[i], true);
  for (size_t i = 0; i < switches; i++)
    check(p, "reported", i, &p->a.reported[i], true);
  check(p, "notices", 0, &p->a.notices, true);
}

/* On a lane that nobody has, nothing comes. */
static void what_comes_matters(struct pair *p) {
  struct ut_wires *w = &p->a.wires;
  for (unsigned slot = 0; slot < w->slots; slot++)
    for (uint32_t lane = 0; lane < w->lanes; lane++) {
      check(p, "flit on lane", lane, &w->flits[slot][lane], lane >= UT_LANES);
      check(p, "credit on lane", lane, &w->credits[slot][lane], lane >= UT_LANES);
    }
}

/* Words of flits: those under way, and those that a terminal has yet to read. */
static void flits_matter(struct pair *p) {
  struct ut_wires *w = &p->a.wires;
  const struct ut_terminals *t = &p->a.terminals;
  const size_t words = (size_t)w->lanes * w->ring_words;
  bool *matters = calloc(words, sizeof *matters);
  assert_non_null(matters);
  for (uint32_t lane = UT_LANES; lane < w->lanes; lane++)
    for (unsigned i = 0; w->from[lane] && i < ut_network_flits_under_way(&p->a, lane); i++) {
      const size_t first = (size_t)(ut_network_flit_under_way(&p->a, lane, i) - w->ring);
      for (unsigned word = 0; word <= p->a.words; word++)
        matters[first + word] = true;
    }
  for (uint32_t lane = 0; lane < t->lanes; lane++)
    for (unsigned i = 1; t->receptions[lane / UT_LANES].open >> lane % UT_LANES & 1 && i <= t->unread[lane]; i++) {
      const unsigned end = ut_position_at(w->write, w->terminals + lane, w->wide);
      const size_t first =
          (size_t)(ut_wires_flit(w, w->terminals + lane, ut_position_before(end, i, w->depth)) - w->ring);
      for (unsigned word = 0; word < p->a.words; word++)
        matters[first + word] = true;
    }
  for (size_t i = 0; i < words; i++)
    check(p, "word of a ring", i, &w->ring[i], matters[i]);
  free(matters);
}

/* ---- terminals */

/* What a link sends matters while it does. */
static void injections_matter(struct pair *p) {
  struct ut_terminals *t = &p->a.terminals;
  for (uint32_t i = 0; i < t->count * t->injections; i++) {
    struct ut_injection *x = &t->injection[i];
    const bool sends = x->sending;
    check(p, "link_up of injection", i, &x->link_up, true), check(p, "up of injection", i, &x->up, true);
    check(p, "sending of injection", i, &x->sending, true);
    check(p, "header of injection", i, &x->header, sends), check(p, "body of injection", i, &x->body, sends);
    check(p, "path of injection", i, &x->path, sends), check(p, "output of injection", i, &x->output, sends);
    check(p, "unwritten of injection", i, &x->unwritten, sends);
    check(p, "headers of injection", i, &x->headers, sends);
  }
}

/* What is known of a packet matters until its tail has come. */
static void receptions_matter(struct pair *p) {
  struct ut_terminals *t = &p->a.terminals;
  for (uint32_t i = 0; i < t->lanes; i++) {
    const bool open = t->receptions[i / UT_LANES].open >> i % UT_LANES & 1;
    check(p, "owed of lane", i, &t->rx[i].pending_credits, true), check(p, "header of lane", i, &t->rx[i].header, open);
    check(p, "body of lane", i, &t->rx[i].body, open), check(p, "flits of lane", i, &t->rx[i].flits, open);
    check(p, "unread of lane", i, &t->unread[i], open);
    check(p, "credits of lane", i, &t->credits[i], true), check(p, "ahead of lane", i, &t->ahead[i], true);
  }
  for (uint32_t i = 0; i < t->lanes; i++) {
    struct ut_receptions *r = &t->receptions[i / UT_LANES];
    struct ut_transmissions *x = &t->transmissions[i / UT_LANES];
    const unsigned bit = i % UT_LANES;
    check_bit(p, "open of lane", i, &r->open, bit, true);
    check_bit(p, "corrupt of lane", i, &r->corrupt, bit, r->open >> bit & 1);
    check_bit(p, "sending of lane", i, &x->sending, bit, true), check_bit(p, "head of lane", i, &x->head, bit, true);
    check_bit(p, "tail of lane", i, &x->tail, bit, true), check_bit(p, "more of lane", i, &x->more, bit, true);
  }
  for (uint32_t i = 0; i < t->count * t->ejections; i++) {
    struct ut_ejection *x = &t->ejection[i];
    check(p, "owing of ejection", i, &x->pending_credits, true), check(p, "up of ejection", i, &x->up, true);
    check(p, "link_up of ejection", i, &x->link_up, true);
  }
}

/* Numbers of packets, and who has some; not what is in the in-flight table. */
static void queues_matter(struct pair *p) {
  struct ut_terminals *t = &p->a.terminals;
  for (uint32_t i = 0; i < t->count; i++) {
    struct ut_terminal *x = &t->terminal[i];
    check(p, "injected of terminal", i, &x->injected, true), check(p, "end of terminal", i, &x->end, true);
    check(p, "base of terminal", i, &x->base, false), check(p, "drawn of terminal", i, &x->drawn, false);
  }
  for (uint32_t i = 0; i < t->count; i++) {
    struct ut_roll *x = &t->roll[i / 64];
    check_bit(p, "waiting of terminal", i, &x->waiting, i % 64, true);
    check_bit(p, "middle of terminal", i, &x->middle, i % 64, true);
    check_bit(p, "unusual of terminal", i, &x->unusual, i % 64, true);
    check_bit(p, "wheel of terminal", i, &x->wheel[i % UT_WHEEL], i % 64, true);
  }
}

static void differences_are_seen(void **state) {
  (void)state;
  static const char *const scenarios[] = {"tests/scenarios/tree_2_3.yaml", "tests/scenarios/ring_4.yaml",
                                          "tests/scenarios/ruft_links.yaml"};
  for (unsigned i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
    struct ut_error e;
    struct pair p = {.matter = 0};
    struct ut_scenario *s = ut_scenario_load(scenarios[i], &e);
    if (!s)
      fail_msg("%s", e.text);
    s->traffic.load_flits_per_cycle = 0.7;
    test_network(&p.a, s), test_network(&p.b, s);
    while (p.a.cycle < 24) {
      ut_network_step(&p.a), ut_network_step(&p.b);
      assert_true(agree(&p.a, &p.b));
      if (p.a.cycle % 8)
        continue;
      reports_matter(&p), what_comes_matters(&p), flits_matter(&p);
      injections_matter(&p), receptions_matter(&p), queues_matter(&p);
    }
    assert_true(agree(&p.a, &p.b));
    ut_network_step(&p.a);
    assert_false(agree(&p.a, &p.b));
    print_message("%s: %u bits matter, %u do not\n", scenarios[i], p.matter, p.do_not);
    ut_network_fini(&p.a), ut_network_fini(&p.b);
    ut_scenario_free(s);
  }
}

/* Of many terminals each one counts. */
static void all_terminals_are_compared(void **state) {
  (void)state;
  struct pair p = {.matter = 0};
  struct ut_scenario *s = test_scenario("topology: {kind: mesh, sizes: [13, 10]}\nrouting: {algorithm: dor}\n"
                                        "switch: {vcs: 3}\ntraffic: {load_flits_per_cycle: 0}\n");
  test_network(&p.a, s), test_network(&p.b, s);
  injections_matter(&p), receptions_matter(&p), queues_matter(&p);
  ut_network_fini(&p.a), ut_network_fini(&p.b);
  ut_scenario_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(differences_are_seen),
                                     cmocka_unit_test(all_terminals_are_compared)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
