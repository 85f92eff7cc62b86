/* SPDX-License-Identifier: Apache-2.0 */
/* test_every_deadlock.c - searches for deadlocks: one in each cycle, of which what is found never moves again, and that
 * find none where there can be none; and of registers at random, against one that knows how these were drawn, word by
 * word. */
#include "deadlock.h"

#include <string.h>

#include "registers.h"
#include "scenario_read.h"
#include "scenarios.h"

enum { CYCLES = 400, AFTER = 60, MOST = 256 };

/* A channel as it stands: the flit at its front, its state, what it needs.  queue: the output queue of such a VC. */
struct channel {
  bool queue;
  uint32_t sw;
  unsigned port, vc, state, count;
  uint64_t front[2];
};

static void look(struct channel *c, const struct ut_network *n) {
  const struct ut_group *g = ut_network_group(n, c->sw);
  const struct ut_switch *s = ut_network_switch(n, c->sw);
  const uint64_t *front = (c->queue ? ut_reg_queue_peek : ut_reg_peek)(g, s, c->port, c->vc, 0);
  c->state = c->queue ? UT_VC_STATE_WAITING : ut_reg_state(g, s, c->port, c->vc);
  c->count = (c->queue ? ut_reg_queue_count : ut_reg_count)(g, s, c->port, c->vc);
  memcpy(c->front, front, sizeof c->front);
}

/* The channels of a text, one a line. */
static unsigned read_channels(const char *text, const struct ut_network *n, struct channel *list) {
  unsigned count = 0;
  for (const char *line = strchr(text, '\n'); line && line[1]; line = strchr(line + 1, '\n')) {
    unsigned level, index;
    struct channel *c = &list[count++];
    assert_true(count <= MOST);
    c->queue = strstr(line, "output queue") && strstr(line, "output queue") < strchr(line + 1, ':');
    assert_int_equal(sscanf(line,
                            c->queue ? "\n  switch %u.%u output queue %u VC %u" : "\n  switch %u.%u port %u VC %u",
                            &level, &index, &c->port, &c->vc),
                     4);
    c->sw = ut_topology_switch(n->topology, level, index);
    look(c, n);
    assert_true(c->count > 0 && (c->state == UT_VC_STATE_WAITING || c->state == UT_VC_STATE_ACTIVE));
  }
  return count;
}

static const struct {
  const char *name, *text; /* a scenario without its seed */
  unsigned seeds;
  bool finds;
} runs[] = {
#define ALGORITHM(name) "routing: {algorithm: " name "}\ntraffic: {load_flits_per_cycle: 1.0}\n"
#define FAULTS(count) "faults: [{at: 20, random_links: " count "}]\n"
    {"ring",
     "topology: {kind: torus, sizes: [8]}\nswitch: {vcs: 1, depth_flits: 10, packet_flits: 4}\n" ALGORITHM(
         "dor_without_bubble"),
     4, true},
    {"ring, long wires",
     "topology: {kind: torus, sizes: [7], link_cycles: 3}\nswitch: {vcs: 1, depth_flits: 11, packet_flits: "
     "3}\n" ALGORITHM("dor_without_bubble"),
     4, true},
    {"torus",
     "topology: {kind: torus, sizes: [4, 5], local_ports: 2}\n"
     "switch: {vcs: 2, depth_flits: 5, packet_flits: 2, route_cycles: 0}\n" ALGORITHM("dor_without_bubble"),
     3, true},
    {"torus, wormhole",
     "topology: {kind: torus, sizes: [6, 5], link_cycles: 2}\n"
     "switch: {vcs: 1, depth_flits: 3, packet_flits: 6, switching: wormhole}\n" ALGORITHM("dor_without_bubble"),
     3, true},
    {"tree, long wires",
     "topology: {kind: fat_tree, k: 2, n: 4, link_cycles: 2}\nswitch: {vcs: 1, depth_flits: 10, packet_flits: "
     "4}\n" ALGORITHM("reroute_adaptive_link") FAULTS("9"),
     6, true},
    {"tree, two VCs",
     "topology: {kind: fat_tree, k: 2, n: 4}\nswitch: {vcs: 2, depth_flits: 5, packet_flits: 3}\n" ALGORITHM(
         "reroute_adaptive_link") FAULTS("9"),
     3, true},
    {"tree, deterministic",
     "topology: {kind: fat_tree, k: 3, n: 2}\nswitch: {vcs: 1, depth_flits: 2, route_cycles: 0}\n" ALGORITHM(
         "reroute_det_link") FAULTS("4"),
     6, true},
    {"ring, output queues",
     "topology: {kind: torus, sizes: [8]}\n"
     "switch: {vcs: 1, depth_flits: 10, output_depth_flits: 5, packet_flits: 4}\n" ALGORITHM("dor_without_bubble"),
     4, true},
    {"torus, wormhole, output queues",
     "topology: {kind: torus, sizes: [6, 5], link_cycles: 2}\n"
     "switch: {vcs: 1, depth_flits: 3, output_depth_flits: 2, packet_flits: 9, switching: wormhole}\n" ALGORITHM(
         "dor_without_bubble"),
     3, true},
    {"tree, two VCs, output queues",
     "topology: {kind: fat_tree, k: 2, n: 4}\n"
     "switch: {vcs: 2, depth_flits: 3, output_depth_flits: 4, packet_flits: 3}\n" ALGORITHM("reroute_adaptive_link")
         FAULTS("9"),
     3, true},
    /* nothing can wait for ever here */
    {"ring with bubbles, output queues",
     "topology: {kind: torus, sizes: [6], link_cycles: 2}\n"
     "switch: {vcs: 1, depth_flits: 11, output_depth_flits: 8, packet_flits: 4}\n" ALGORITHM("dor"),
     4, false},
    {"adaptive mesh, wormhole, output queues",
     "topology: {kind: mesh, sizes: [3, 3]}\n"
     "switch: {vcs: 2, depth_flits: 2, output_depth_flits: 2, packet_flits: 6, switching: wormhole}\n" ALGORITHM(
         "duato"),
     2, false},
    {"tree without faults",
     "topology: {kind: fat_tree, k: 3, n: 2}\nswitch: {vcs: 2, depth_flits: 5, packet_flits: 4}\n" ALGORITHM("destro"),
     2, false},
    {"ring of three with bubbles",
     "topology: {kind: torus, sizes: [3]}\nswitch: {vcs: 1, depth_flits: 8, packet_flits: 4}\n" ALGORITHM("dor"), 4,
     false},
    {"ring with bubbles",
     "topology: {kind: torus, sizes: [6], link_cycles: 2}\nswitch: {vcs: 1, depth_flits: 11, packet_flits: "
     "4}\n" ALGORITHM("dor"),
     4, false},
    {"adaptive torus with bubbles",
     "topology: {kind: torus, sizes: [3, 3]}\nswitch: {vcs: 2, depth_flits: 9, packet_flits: 3}\n" ALGORITHM("duato"),
     2, false},
    {"mesh, wormhole",
     "topology: {kind: mesh, sizes: [3, 2]}\n"
     "switch: {vcs: 1, depth_flits: 2, packet_flits: 6, switching: wormhole}\n" ALGORITHM("dor"),
     2, false},
};

static void deadlocks_stay(void **state) {
  (void)state;
  for (unsigned i = 0; i < sizeof runs / sizeof *runs; i++) {
    unsigned deadlocks = 0;
    for (unsigned seed = 1; seed <= runs[i].seeds; seed++) {
      struct ut_network n;
      struct channel list[MOST];
      unsigned channels = 0;
      uint64_t until = CYCLES, found = 0;
      struct ut_scenario *s =
          test_scenario("%srun: {warmup_cycles: 0, measure_cycles: %u, seed: %u}\n", runs[i].text, 2 * CYCLES, seed);
      test_network(&n, s);
      while (n.cycle < until) {
        struct ut_watchdog w = {0};
        ut_network_step(&n);
        const bool now = ut_deadlock_search(&w, &n);
        assert_true(now == w.found && now == (w.text != NULL));
        if (now && !found) {
          found = n.cycle, until = n.cycle + AFTER, deadlocks++;
          channels = read_channels(w.text, &n, list);
          assert_true(channels > 1);
        }
        assert_true(now == (found > 0)); /* it stays */
        for (unsigned k = 0; k < channels; k++) {
          struct channel c = list[k];
          look(&c, &n);
          assert_true(c.state == list[k].state && c.count >= list[k].count);
          assert_memory_equal(c.front, list[k].front, sizeof c.front);
        }
        ut_watchdog_free(&w);
      }
      ut_network_fini(&n);
      ut_scenario_free(s);
    }
    if ((deadlocks > 0) != runs[i].finds)
      fail_msg("%u deadlocks in %s", deadlocks, runs[i].name);
  }
}

/* ---- registers at random */

enum { DRAWN = 300, CHANNELS = 512, WAITS = 8 };

/* A channel as it was drawn: what it may take, each an output VC.  */
struct drawn {
  bool there; /* its switch has the port */
  unsigned state, count, waits;
  uint64_t header; /* of its front flit, */
  bool head;       /* if that is one */
  struct {
    unsigned port, vc;
    bool bubble;
  } wait[WAITS];
};
/* An output VC: who has it, SIZE_MAX: nobody; a credit or a flit under way. */
struct output {
  bool owned, credit, flit;
  size_t owner;
  unsigned credits;
};
struct drawing {
  struct drawn channel[CHANNELS];
  struct output output[CHANNELS];
  bool stuck[CHANNELS];
};

static uint64_t draws;
static unsigned draw(unsigned below) {
  draws = draws * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)((draws >> 33) % below);
}

static struct output *output_of(struct drawing *x, const struct ut_network *n, uint32_t sw, unsigned port,
                                unsigned vc) {
  return &x->output[(sw * n->topology->po + port) * n->v + vc];
}

/* Most channels wait, most outputs are short of credits. */
static void draw_switch(struct drawing *x, const struct ut_network *n, uint32_t sw) {
  const struct ut_topology *t = n->topology;
  const struct ut_group *g = ut_network_group(n, sw);
  struct ut_switch *s = ut_network_switch(n, sw);
  unsigned ports[UT_MAX_PORTS], count = 0;
  for (unsigned op = 0; op < g->shape.po; op++) {
    const struct ut_peer *p = &t->peer[(size_t)sw * t->po + op], here = {sw, (uint8_t)op, UT_PEER_SWITCH};
    if (p->kind == UT_PEER_NONE)
      continue;
    if (p->kind == UT_PEER_SWITCH || !draw(20))
      ports[count++] = op;
    const bool flit = p->kind == UT_PEER_SWITCH && !draw(50);
    for (unsigned v = 0; v < n->v; v++) {
      struct output *o = output_of(x, n, sw, op, v);
      *o = (struct output){.owner = SIZE_MAX, .flit = flit, .credit = !draw(50), .owned = !draw(60)};
      o->credits = draw(20) ? draw(draw(4) ? g->need[v] : g->need2[v]) : draw(g->shape.depth + 1);
      ut_set_credits(g, s, op, v, o->credits);
      for (unsigned i = 0; i < n->wires.slots; i++) {
        n->wires.credits[i][ut_network_lane(n, &here, v)] = i == sw % n->wires.slots && o->credit ? 255 : 0;
        if (p->kind == UT_PEER_SWITCH)
          n->wires.flits[i][ut_network_lane(n, p, v)] =
              i == op % n->wires.slots && flit && v == n->v - 1 ? UT_COMES : 0;
      }
    }
  }
  for (unsigned ip = 0; ip < g->shape.pi; ip++)
    for (unsigned v = 0; v < n->v; v++) {
      const size_t at = ((size_t)sw * t->pi + ip) * n->v + v;
      struct drawn *c = &x->channel[at];
      *c = (struct drawn){.there = true,
                          .state = draw(16) ? UT_VC_STATE_WAITING : draw(UT_VC_STATE_DRAIN + 1),
                          .count = draw(30) ? 1 + draw(g->shape.depth) : 0};
      unsigned tries = 1 + draw(3);
      if (!draw(3)) { /* an active one, if what it wants is free */
        c->state = UT_VC_STATE_ACTIVE;
        tries = 1;
      }
      ut_mask cand[UT_MAX_VCS] = {0}, bubble[UT_MAX_VCS] = {0};
      for (unsigned i = 0; i < tries; i++) {
        const unsigned port = ports[draw(count)], vc = draw(n->v);
        cand[vc] |= ut_bit(port);
        bubble[vc] |= draw(2) ? ut_bit(port) : 0;
      }
      for (unsigned vc = 0; vc < n->v; vc++) {
        bubble[vc] = g->form.bubble ? bubble[vc] & cand[vc] : 0;
        ut_set_cand(g, s, ip, v, vc, cand[vc]);
        if (g->form.bubble)
          ut_set_bubble(g, s, ip, v, vc, bubble[vc]);
        for (unsigned port = 0; port < g->shape.po; port++)
          if (cand[vc] >> port & 1) {
            c->wait[c->waits].port = port, c->wait[c->waits].vc = vc;
            c->wait[c->waits++].bubble = bubble[vc] >> port & 1;
          }
      }
      struct output *o = output_of(x, n, sw, c->wait[0].port, c->wait[0].vc);
      if (c->state == UT_VC_STATE_ACTIVE && o->owned)
        c->state = UT_VC_STATE_WAITING;
      if (c->state == UT_VC_STATE_ACTIVE) {
        o->owned = true, o->owner = at, c->waits = 1;
        ut_set_out(g, s, ip, v, c->wait[0].port, c->wait[0].vc);
      }
      ut_set_state(g, s, ip, v, c->state);
      const unsigned rd = draw(g->shape.depth);
      c->header = (uint64_t)draw(1 << 30) << 32 | draw(1 << 30);
      c->head = draw(2);
      const uint64_t front[2] = {c->header, ut_flit_meta(c->head ? UT_KIND_HEAD : draw(2) ? UT_KIND_TAIL : 0, v)};
      ut_set_buffer(g, s, ip, v, rd, c->count);
      ut_set_place(g, s, ip, v, rd, front);
    }
  for (unsigned op = 0; op < g->shape.po; op++)
    for (unsigned v = 0; v < n->v; v++)
      ut_set_owned(g, s, op, v, output_of(x, n, sw, op, v)->owned);
}

/* The channel that one waits for if it takes its i-th output; SIZE_MAX: it need not. */
static size_t next_of(struct drawing *x, const struct ut_network *n, size_t at, unsigned i) {
  const struct ut_topology *t = n->topology;
  const struct drawn *c = &x->channel[at];
  const uint32_t sw = (uint32_t)(at / n->v / t->pi);
  const struct ut_group *g = ut_network_group(n, sw);
  const struct ut_peer *p = &t->peer[(size_t)sw * t->po + c->wait[i].port];
  const struct output *o = output_of(x, n, sw, c->wait[i].port, c->wait[i].vc);
  unsigned need = c->wait[i].bubble ? g->need2[c->wait[i].vc] : g->need[c->wait[i].vc];
  if (c->state == UT_VC_STATE_ACTIVE)
    need = 1;
  else if (o->owned)
    return o->owner;
  if (p->kind != UT_PEER_SWITCH || o->credits >= need || o->credit || o->flit)
    return SIZE_MAX;
  return ((size_t)p->index * t->pi + p->port) * n->v + c->wait[i].vc;
}

static unsigned find_stuck(struct drawing *x, const struct ut_network *n, size_t channels) {
  unsigned left = 0;
  for (size_t at = 0; at < channels; at++) {
    const struct drawn *c = &x->channel[at];
    const bool waits = c->state == UT_VC_STATE_WAITING || c->state == UT_VC_STATE_ACTIVE;
    x->stuck[at] = c->there && c->count && waits;
  }
  for (unsigned round = 0; round < channels; round++)
    for (size_t at = 0; at < channels; at++)
      for (unsigned i = 0; x->stuck[at] && i < x->channel[at].waits; i++) {
        const size_t next = next_of(x, n, at, i);
        x->stuck[at] = next != SIZE_MAX && x->stuck[next];
      }
  for (size_t at = 0; at < channels; at++)
    left += x->stuck[at];
  return left;
}

/* What is said of a channel. */
static void describe(FILE *f, const struct drawing *x, const struct ut_network *n, size_t at) {
  const struct ut_topology *t = n->topology;
  const struct drawn *c = &x->channel[at];
  const uint32_t sw = (uint32_t)(at / n->v / t->pi);
  const unsigned port = (unsigned)(at / n->v % t->pi);
  fprintf(f, "  switch %u.%u port %u VC %u%s: ", t->level[sw], t->position[sw], port, (unsigned)(at % n->v),
          !t->up_ports              ? ""
          : t->up_ports >> port & 1 ? " (from above)"
                                    : " (from below)");
  if (c->head)
    fprintf(f, "packet %u:%u to %u waits for output ports", (unsigned)(c->header >> 16 & 0xffff),
            (unsigned)(c->header >> 32 & 0xff), (unsigned)(c->header & 0xffff));
  else
    fprintf(f, "a packet in mid-transfer waits for output port");
  for (unsigned i = 0; i < c->waits; i++)
    fprintf(f, n->v > 1 ? " %u:%u" : " %u", c->wait[i].port, c->wait[i].vc);
  fprintf(f, "\n");
}

/* From the first one that is stuck along what each waits for last, until one comes again: that one, and on. */
static void check_cycle(struct drawing *x, const struct ut_network *n, const char *text) {
  bool seen[CHANNELS] = {false};
  char *wanted;
  size_t at = 0, size;
  FILE *f = open_memstream(&wanted, &size);
  assert_non_null(f);
  while (!x->stuck[at])
    at++;
  for (; !seen[at]; at = next_of(x, n, at, x->channel[at].waits - 1))
    seen[at] = true;
  fprintf(f, "deadlock in cycle %u: these channels wait for each other\n", (unsigned)n->cycle);
  const size_t first = at;
  do {
    describe(f, x, n, at);
    at = next_of(x, n, at, x->channel[at].waits - 1);
  } while (at != first);
  fclose(f);
  assert_string_equal(text, wanted);
  free(wanted);
}

static const char *const at_random[] = {
#define FORM(topology, vcs, sw, algorithm)                                                                             \
  "topology: {" topology "}\nswitch: {vcs: " vcs ", " sw "}\n" ALGORITHM(algorithm)
    FORM("kind: torus, sizes: [4]", "1", "depth_flits: 10, packet_flits: 4", "dor"),
    FORM("kind: torus, sizes: [3, 3]", "2", "depth_flits: 9, packet_flits: 3", "duato"),
    FORM("kind: mesh, sizes: [3, 2], link_cycles: 3", "2", "depth_flits: 4, packet_flits: 6, switching: wormhole",
         "dor"),
    FORM("kind: fat_tree, k: 2, n: 3", "3", "depth_flits: 4, packet_flits: 2", "reroute_adaptive_link"),
    FORM("kind: fat_tree, k: 3, n: 2", "1", "depth_flits: 6, packet_flits: 2", "fta"),
};

static void registers_at_random(void **state) {
  (void)state;
  struct drawing *x = malloc(sizeof *x);
  assert_non_null(x);
  for (unsigned i = 0; i < sizeof at_random / sizeof *at_random; i++) {
    struct ut_network n;
    unsigned deadlocks = 0;
    struct ut_scenario *s = test_scenario("%s", at_random[i]);
    test_network(&n, s);
    const size_t channels = (size_t)n.topology->switches * n.topology->pi * n.v;
    assert_true(channels <= CHANNELS && (size_t)n.topology->switches * n.topology->po * n.v <= CHANNELS);
    draws = i;
    for (unsigned round = 0; round < DRAWN; round++) {
      struct ut_watchdog w = {0};
      memset(x, 0, sizeof *x);
      for (uint32_t sw = 0; sw < n.topology->switches; sw++)
        draw_switch(x, &n, sw);
      const unsigned left = find_stuck(x, &n, channels);
      if (ut_deadlock_search(&w, &n) != (left > 0) || w.found != (left > 0))
        fail_msg("network %u, round %u: found %d, but %u channels are stuck", i, round, w.found, left);
      if (left)
        check_cycle(x, &n, w.text);
      deadlocks += left > 0;
      ut_watchdog_free(&w);
    }
    assert_true(deadlocks > DRAWN / 40 && deadlocks < DRAWN / 2);
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
  free(x);
}

/* ---- the watchdog */

static void check_print(const struct ut_watchdog *w, const char *wanted) {
  char *text;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  assert_non_null(f);
  ut_watchdog_print(w, f);
  fclose(f);
  assert_string_equal(text, wanted);
  free(text);
}

/* The first multiple of its period in which there is a deadlock. */
static void watchdog_searches_now_and_then(void **state) {
  (void)state;
  uint64_t first = 0;
  static const unsigned period[] = {1, 7, 37, 200, 0};
  for (unsigned i = 0; i < sizeof period / sizeof *period; i++) {
    struct ut_network n;
    struct ut_watchdog w = {0};
    uint64_t found = 0;
    struct ut_scenario *s =
        test_scenario("%srun: {measure_cycles: 1000, watchdog_cycles: %u, seed: 1}\n", runs[0].text, period[i]);
    test_network(&n, s);
    check_print(&w, "deadlock\n");
    while (!found && n.cycle < CYCLES) {
      ut_network_step(&n);
      found = ut_watchdog_check(&w, &n) ? n.cycle : 0;
      assert_int_equal(w.last, period[i] ? n.cycle / period[i] * period[i] : 0);
      assert_int_equal(w.found, found > 0);
    }
    if (!i)
      first = found;
    assert_int_equal(found, period[i] ? (first + period[i] - 1) / period[i] * period[i] : 0);
    assert_int_equal(w.text != NULL, found > 0);
    if (found)
      check_print(&w, w.text);
    ut_watchdog_free(&w);
    assert_null(w.text);
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
  assert_true(first > 37 && first < 200);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(deadlocks_stay), cmocka_unit_test(registers_at_random),
                                     cmocka_unit_test(watchdog_searches_now_and_then)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
