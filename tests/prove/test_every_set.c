/* SPDX-License-Identifier: Apache-2.0 */
/* test_every_set.c - csim/prove/reach against a search of every single packet: of networks whose switches send packets
 * anywhere, and where packets set bits of many re-route vectors and rewrite their rt field. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oracle.h"
#include "reach.h"
#include "scenario_read.h"
#include "single_packets.h"
#include "topology_build.h"

/* ---- routing that sends packets anywhere */

enum { SET_BITS = 3, SET_SHIFT = 1, SETTERS = 16 }; /* bits of a vector that packets set; switches where they do */

static struct {
  const struct ut_topology *topology;
  uint64_t seed;
  unsigned setters;   /* so many switches, from number `first_setter` on, have bits that packets set */
  unsigned from;      /* the first of them */
  unsigned one_of;    /* one packet of so many sets some */
  unsigned last_rt;   /* 0: the field is left alone; else every hop adds to it, up to that */
  unsigned step;      /* so much at most */
  bool late;          /* up and down first, then a U-turn that sets bits, and only then anywhere */
  unsigned rare_ways; /* one answer of so many has a second way */
} now;

static bool is_setter(uint32_t sw) {
  return sw >= now.from && sw < now.from + now.setters;
}

/* As far as possible up, then down, then one U-turn. */
static void go_late(const struct ut_switch *s, uint64_t x, unsigned in_port, struct ut_route_result *r) {
  const struct ut_topology *t = now.topology;
  ut_mask up = 0, down = 0;
  for (unsigned i = 0; i < t->po; i++)
    if (t->peer[(size_t)s->id * t->po + i].kind != UT_PEER_NONE)
      *(t->up_ports >> i & 1 ? &up : &down) |= ut_bit(i);
  const bool turn = t->up_ports >> in_port & 1 && x >> 40 & 1;
  ut_mask to = up && (turn || !(t->up_ports >> in_port & 1)) ? up : down;
  if (x >> 41 & 1 && (to & (to - 1)))
    to &= to - 1;
  r->cand[0] = to & (~to + 1);
  if (turn)
    r->set = 1 << SET_SHIFT, r->rt = 1;
}

static void wild(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port, unsigned in_vc,
                 struct ut_route_result *r) {
  const struct ut_topology *t = now.topology;
  const uint32_t rt = ut_header_rt(header), sw = s->id;
  uint64_t x = ut_hash_mix(now.seed << 48 ^ (uint64_t)sw << 32 ^ in_port << 24 ^ in_vc << 16 ^ ut_header_dst(header));
  x = ut_hash_mix(x + rt * 77 + s->vector * 1001);
  r->rt = rt;
  if (now.late && !rt) {
    go_late(s, x, in_port, r);
    return;
  }
  if (x % 16 == 0 || (now.last_rt && !now.late && rt >= now.last_rt))
    return; /* discarded */
  unsigned ports = 0;
  uint8_t port[UT_MAX_PORTS];
  for (unsigned i = 0; i < t->po; i++)
    if (t->peer[(size_t)sw * t->po + i].kind != UT_PEER_NONE)
      port[ports++] = (uint8_t)i;
  r->cand[(x >> 8) % g->shape.v] |= ut_bit(port[(x >> 16) % ports]);
  if ((x >> 24) % now.rare_ways == 0)
    r->cand[(x >> 28) % g->shape.v] |= ut_bit(port[(x >> 32) % ports]);
  if (now.last_rt && !now.late)
    r->rt = rt + 1 + (uint32_t)(x >> 52) % now.step;
  if (t->up_ports >> in_port & 1 && is_setter(sw) && (x >> 40) % now.one_of == 0) /* only U-turns set bits */
    r->set = (1 + (x >> 48) % SET_BITS) << SET_SHIFT;
}

/* ---- all packets, one by one, and the same by sets */

static ut_mask *others; /* [switches]: bits that other packets may have set */

/* Any bits that a packet can set are added to `others`, until there are no more. */
static void find_others(struct packet_search *q, struct ut_explorer *x) {
  for (bool again = true; again;) {
    memset(q->kept, 0, sizeof q->kept);
    for (uint32_t dst = 0; dst < x->topology->terminals; dst++)
      search_destination(q, x, others, dst);
    again = false;
    for (uint32_t sw = 0; sw < x->topology->switches; sw++) {
      again |= (q->kept[sw] & ~others[sw]) != 0;
      others[sw] |= q->kept[sw];
    }
  }
}

static bool holds(const uint64_t *mask, uint32_t dst) {
  return mask[dst / 64] >> dst % 64 & 1;
}

/* A packet for that terminal in that state. */
static void packet_of(const struct ut_reach *r, uint32_t state, uint32_t dst, struct search_packet *p) {
  const struct ut_explorer *x = r->explorer;
  const uint16_t src = (uint16_t)((dst + 1) % x->topology->terminals);
  memset(p, 0, sizeof *p);
  p->channel = ut_reach_channel(r, state), p->headers = 1;
  p->header[0] = ut_header_make((uint16_t)dst, src, 0, x->rt_value[ut_reach_rt(r, state)]);
  if (state >= r->base) {
    const struct ut_own *o = &r->own[r->extra[state - r->base].own];
    assert_true(o->count > 0);
    for (uint32_t i = 0; i < o->count; i++) {
      const struct ut_own_item *item = &r->own_item[o->first + i];
      assert_true(item->bits && (!i || item->sw > r->own_item[o->first + i - 1].sw));
      p->own[item->sw] = item->bits;
    }
  }
  assert_int_equal(ut_reach_own_bits(r, state), p->own[x->channel[p->channel].sw]);
}

/* What packets for one terminal show, of all that are sent there. */
struct shown {
  bool discarded, wrong, loops;
};

static struct shown compare_places(struct ut_reach *r, struct packet_search *q, uint32_t dst) {
  struct shown is = {0};
  uint32_t found = 0;
  for (uint32_t i = 0; i < r->reached.count; i++) {
    const uint32_t state = r->reached.touched[i];
    const uint64_t *mask = r->reached.mask + (size_t)state * r->explorer->words;
    struct search_packet p;
    bool fresh;
    if (!holds(mask, dst)) {
      assert_true(ut_mask_any(mask, r->explorer->words));
      continue;
    }
    packet_of(r, state, dst, &p);
    search_entry(q, &p, &fresh);
    assert_false(fresh);
    found++;
  }
  assert_int_equal(found, q->places);
  for (uint32_t i = 0; i < q->places; i++) {
    const struct search_place *s = &q->place[i];
    is.discarded |= s->discarded, is.wrong |= s->wrong, is.loops |= s->endless;
  }
  return is;
}

static void compare(struct ut_reach *r, struct packet_search *q) {
  struct ut_explorer *x = r->explorer;
  struct shown all = {0};
  uint32_t longest = 0, u_turns = 0;
  for (uint32_t dst = 0; dst < 64 * x->words; dst++) {
    struct shown is = {0};
    if (dst < x->topology->terminals) {
      search_destination(q, x, others, dst);
      is = compare_places(r, q, dst);
    }
    assert_int_equal(holds(r->discarded, dst), is.discarded);
    assert_int_equal(holds(r->wrong, dst), is.wrong);
    assert_int_equal(holds(r->looping, dst), is.loops);
    all.discarded |= is.discarded, all.wrong |= is.wrong, all.loops |= is.loops;
    for (uint32_t i = 0; i < q->places && !is.loops && dst < x->topology->terminals; i++) {
      longest = q->place[i].depth > longest ? q->place[i].depth : longest;
      u_turns = q->place[i].u_turns > u_turns ? q->place[i].u_turns : u_turns;
    }
  }
  assert_int_equal(ut_reach_loops(r), all.loops);
  assert_int_equal(ut_reach_connected(r), !all.loops && !all.wrong && !all.discarded);
  for (unsigned again = 0; again < 2 && !all.loops; again++) {
    assert_int_equal(ut_reach_longest(r), longest);
    assert_int_equal(ut_reach_u_turns(r), u_turns);
  }
}

/* ---- rows */

static bool leads(const struct ut_explorer *x, uint32_t sw, unsigned port, enum ut_peer_kind kind, uint32_t dst) {
  const struct ut_peer *p = &x->topology->peer[(size_t)sw * x->topology->po + port];
  return p->kind == kind && (kind == UT_PEER_SWITCH || p->index == dst);
}

/* What a row tells of one destination is what the route function answers, with every vector that there may be. */
static void compare_destination(struct ut_explorer *x, const struct search_packet *at, const struct ut_row *row,
                                uint32_t dst) {
  const uint32_t sw = x->channel[at->channel].sw;
  const ut_mask own = at->own[sw], most = own | x->shared[sw];
  const uint32_t rt = ut_header_rt(at->header[0]);
  struct ut_route_result answer[SET_BITS + 1];
  unsigned answers = 0;
  bool discarded = false, delivered = false, wrong = false;
  for (ut_mask vector = 0; vector <= SET_BITS << SET_SHIFT; vector += 1 << SET_SHIFT) {
    if (vector & ~most || own & ~vector)
      continue;
    struct ut_route_result *r = &answer[answers++];
    ut_explorer_ask(x, at->channel, dst, rt, vector, r);
    bool any = false;
    for (unsigned vc = 0; vc < x->v; vc++)
      UT_FOR_EACH (port, r->cand[vc]) {
        bool found = leads(x, sw, port, UT_PEER_TERMINAL, dst);
        any = true;
        delivered |= found;
        wrong |= !found && !leads(x, sw, port, UT_PEER_SWITCH, dst);
        for (unsigned i = 0; i < row->edges && leads(x, sw, port, UT_PEER_SWITCH, dst); i++)
          found |= row->edge[i].port == port && row->edge[i].vc == vc && x->rt_value[row->edge[i].rt] == r->rt &&
                   row->edge[i].set == r->set && holds(ut_row_any(x, row, i), dst);
        assert_true(found || !leads(x, sw, port, UT_PEER_SWITCH, dst));
      }
    discarded |= !any;
  }
  for (unsigned i = 0; i < row->edges; i++) {
    const struct ut_edge *edge = &row->edge[i];
    bool some = false, every = true;
    for (unsigned j = 0; j < answers; j++) {
      const bool candidate = answer[j].cand[edge->vc] >> edge->port & 1;
      some |= candidate && answer[j].rt == x->rt_value[edge->rt] && answer[j].set == edge->set;
      every &= candidate;
    }
    assert_int_equal(holds(ut_row_any(x, row, i), dst), some);
    assert_int_equal(holds(ut_row_all(x, row, i), dst), some && every);
  }
  assert_int_equal(holds(row->mask + UT_ROW_DISCARDED * x->words, dst), discarded);
  assert_int_equal(holds(row->mask + UT_ROW_DELIVERED * x->words, dst), delivered);
  assert_int_equal(holds(row->mask + UT_ROW_WRONG * x->words, dst), wrong);
}

/* Of some of the states. */
static void compare_rows(struct ut_reach *r, unsigned one_of) {
  for (uint32_t i = now.seed % one_of; i < r->reached.count; i += one_of) {
    const uint32_t state = r->reached.touched[i];
    struct search_packet p;
    packet_of(r, state, 0, &p);
    const struct ut_row *row = ut_reach_row(r, state);
    for (uint32_t dst = 0; dst < r->explorer->topology->terminals; dst++)
      compare_destination(r->explorer, &p, row, dst);
  }
}

/* Every way to another switch, in every VC, and the rt field tells destinations apart. */
static void broad(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                  unsigned in_vc, struct ut_route_result *r) {
  for (unsigned i = 0; i < now.topology->po; i++)
    for (unsigned vc = 0; vc < g->shape.v; vc++)
      if (now.topology->peer[(size_t)s->id * now.topology->po + i].kind == UT_PEER_SWITCH)
        r->cand[vc] |= ut_bit(i);
  r->rt = (s->id + in_port + in_vc) % 2 ? ut_header_dst(header) % 8 : ut_header_dst(header) / 2;
}

static void as_many_edges_as_there_is_room_for(void **state) {
  (void)state;
  struct ut_error e;
  struct ut_topology t;
  struct ut_explorer x;
  struct ut_scenario *s = oracle_scenario(4, 2, "reroute_adaptive_link", 8, "");
  assert_non_null(s);
  assert_int_equal(ut_topology_init(&t, s, &e), 0);
  assert_int_equal(ut_explorer_init(&x, s, &t, &e), 0);
  now.topology = &t, now.setters = 0;
  x.group[0].route = broad;
  x.group[0].form.rewrites = true;
  x.rt_room = 32;
  for (uint32_t i = 0; i < x.channels; i += 3) {
    const struct search_packet p = {.channel = i, .headers = 1};
    const struct ut_row *row = ut_explorer_row(&x, i, 0, 0);
    assert_int_equal(row->edges, 4 * 8 * 8);
    for (uint32_t dst = 0; dst < t.terminals; dst++)
      compare_destination(&x, &p, row, dst);
  }
  ut_explorer_free(&x);
  ut_topology_free(&t);
  ut_scenario_free(s);
}

/* ---- networks */

static const struct network {
  unsigned k, n, seeds, from, setters, one_of, last_rt, step, rare_ways;
  bool late, alone; /* alone: other packets set no bits, there would be too many states */
} networks[] = {
    {2, 3, 3, 0, 0, 1, 0, 1, 2, false, false},  /* no bits */
    {2, 3, 6, 0, 4, 2, 0, 1, 4, false, false},  /* loops, with bits of leaf switches */
    {2, 3, 2, 2, 6, 1, 0, 1, 3, false, true},   /* all U-turns set some: large sets */
    {2, 3, 2, 0, 8, 1, 10, 1, 2, false, false}, /* no loops */
    {2, 3, 1, 0, 12, 1, 11, 1, 1, false, true}, /* many states with bits */
    {2, 3, 1, 1, 3, 2, 90, 9, 2, false, false}, /* more values of the field than there is room for at first */
    {3, 2, 2, 0, 3, 2, 0, 1, 3, false, false},
    {4, 3, 1, 3, 2, 2, 6, 1, 8, false, false}, /* 64 terminals: a full word */
    {3, 4, 1, 1, 3, 2, 5, 1, 8, false, false}, /* 81: more than one */
    {3, 4, 1, 0, 0, 1, 0, 1, 8, false, false}, /* with loops */
    {2, 3, 6, 0, 12, 1, 9, 1, 8, true, true},  /* only packets with bits loop */
};

static void examine(struct ut_explorer *x, struct ut_reach *r, struct packet_search *q, bool alone) {
  const uint32_t switches = x->topology->switches;
  const struct ut_fault_set none = {0};
  ut_mask *stale = calloc(switches, sizeof *stale);
  ut_explorer_forget(x);
  ut_explorer_set_faults(x, &none);
  x->repair = now.seed % 2;
  for (uint32_t sw = 0; sw < switches; sw++)
    x->neighbour[sw] = sw % 3 ? SET_BITS << SET_SHIFT : 1 << SET_SHIFT;
  memset(others, 0, switches * sizeof *others);
  assert_int_equal(ut_reach_run(r), 0);
  compare(r, q);
  if (alone) {
    free(stale);
    compare_rows(r, 5);
    return;
  }
  r->stale = now.seed % 3 ? stale : NULL;
  for (uint32_t sw = 0; sw < switches && r->stale; sw++) {
    x->dead[sw] = sw % 5 == 4; /* of the fault set; here the links work */
    stale[sw] = ut_hash_mix(now.seed + sw) % (switches > 16 ? 16 : 2) == 0 ? 1 << SET_SHIFT : 0;
    others[sw] = x->dead[sw] || (x->repair && !(x->neighbour[sw] & stale[sw])) ? 0 : stale[sw];
  }
  find_others(q, x);
  assert_int_equal(ut_reach_run_shared(r), 0);
  assert_memory_equal(x->shared, others, switches * sizeof *x->shared);
  compare(r, q);
  compare_rows(r, x->words > 1 ? 29 : 5);
  for (uint32_t sw = 0; sw < switches; sw++)
    x->dead[sw] = false;
  r->stale = NULL;
  free(stale);
}

static void sets_are_those_of_packets(void **state) {
  (void)state;
  for (unsigned i = 0; i < sizeof networks / sizeof networks[0]; i++) {
    const struct network *n = &networks[i];
    struct ut_error e;
    struct ut_topology t;
    struct ut_explorer x;
    struct ut_reach r;
    struct packet_search q = {0};
    struct ut_scenario *s = oracle_scenario(n->k, n->n, "reroute_adaptive_link", 0, "");
    assert_non_null(s);
    assert_int_equal(ut_topology_init(&t, s, &e), 0);
    assert_int_equal(ut_explorer_init(&x, s, &t, &e), 0);
    x.group[0].route = wild;
    x.group[0].form.rewrites = true;
    x.rt_room = n->last_rt ? 32 : 1;
    assert_int_equal(ut_reach_init(&r, &x, &e), 0);
    others = calloc(t.switches, sizeof *others);
    for (unsigned seed = 1; seed <= n->seeds; seed++) {
      now.topology = &t, now.seed = 100 * i + seed;
      now.from = n->from, now.setters = n->setters, now.one_of = n->one_of;
      now.last_rt = n->last_rt, now.late = n->late, now.step = n->step, now.rare_ways = n->rare_ways;
      examine(&x, &r, &q, n->alone);
    }
    free(others), search_free(&q);
    ut_reach_free(&r);
    ut_explorer_free(&x);
    ut_topology_free(&t);
    ut_scenario_free(s);
  }
}

/* ---- networks of one kind of packets */

/* Without faults; behind the search so many states with bits. */
static void compare_alone(unsigned k, unsigned n, unsigned vcs, uint32_t rt_room, ut_route_function *route,
                          uint32_t with_bits) {
  struct ut_error e;
  struct ut_topology t;
  struct ut_explorer x;
  struct ut_reach r;
  struct packet_search q = {0};
  struct ut_scenario *s = oracle_scenario(k, n, "reroute_adaptive_link", vcs, "");
  const struct ut_fault_set none = {0};
  assert_non_null(s);
  assert_int_equal(ut_topology_init(&t, s, &e), 0);
  assert_int_equal(ut_explorer_init(&x, s, &t, &e), 0);
  now.topology = &t, now.from = 0, now.setters = 4;
  x.group[0].route = route;
  x.rt_room = rt_room;
  x.repair = false;
  assert_int_equal(ut_reach_init(&r, &x, &e), 0);
  others = calloc(t.switches, sizeof *others);
  ut_explorer_set_faults(&x, &none);
  assert_int_equal(ut_reach_run(&r), 0);
  assert_int_equal(r.states, r.base + with_bits);
  assert_false(ut_reach_loops(&r));
  compare(&r, &q);
  find_others(&q, &x);
  assert_int_equal(ut_reach_run_shared(&r), 0);
  assert_memory_equal(x.shared, others, t.switches * sizeof *x.shared);
  compare(&r, &q);
  free(others), search_free(&q);
  ut_reach_free(&r);
  ut_explorer_free(&x);
  ut_topology_free(&t);
  ut_scenario_free(s);
}

/* One packet turns back, sets a bit and is discarded; others would set another bit if they came there. */
static void turns_once(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                       unsigned in_vc, struct ut_route_result *r) {
  (void)g;
  const bool turns = ut_header_dst(header) == 1 && !in_vc;
  if (now.topology->up_ports >> in_port & 1) {
    if (s->stage.level == 0)
      r->cand[0] = ut_bit(in_port), r->set = (turns ? 1 : 2) << SET_SHIFT;
  } else if (!turns) {
    return;
  } else if (s->stage.level == 0 && s->id == 3 && in_port == 1) {
    r->cand[0] = ut_mask_lowest(now.topology->up_ports);
  } else if (s->stage.level == 1 && in_port == 1) {
    r->cand[0] = ut_bit(0);
  }
}

/* Nothing loops there. */
static void the_only_state_with_bits(void **state) {
  (void)state;
  compare_alone(2, 3, 0, 1, turns_once, 1);
}

/* All packets come to one leaf switch and turn there, each into another VC; then they go down to the next leaf switch.
 */
static struct {
  unsigned leaf, vcs;
  bool rising;
} turn;
static void turns_at_one_leaf(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                              unsigned in_vc, struct ut_route_result *r) {
  const uint32_t dst = ut_header_dst(header);
  const unsigned vc = turn.rising ? dst % turn.vcs : turn.vcs - 1 - dst % turn.vcs;
  const bool top = s->stage.level, from_above = now.topology->up_ports >> in_port & 1;
  if (top)
    r->cand[in_vc] = ut_bit(in_port == turn.leaf ? (turn.leaf + 1) % g->k : turn.leaf);
  else if (from_above && s->id == turn.leaf)
    r->cand[vc] = ut_bit(in_port);
  else if (!from_above && s->id != turn.leaf)
    r->cand[in_vc] = ut_mask_lowest(now.topology->up_ports);
}

/* Channels behind one hop that lie in several words of the work list, the last one first or the first one. */
static void back_to_many_channels(void **state) {
  (void)state;
  turn.vcs = 8;
  for (turn.leaf = 0; turn.leaf < 4; turn.leaf++)
    for (unsigned rising = 0; rising < 2; rising++) {
      turn.rising = rising;
      compare_alone(4, 2, turn.vcs, 32, turns_at_one_leaf, 0);
    }
}

/* All packets come to the first leaf switch, those for one terminal go up once more. */
static uint32_t goes_far;
static void one_goes_on(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                        unsigned in_vc, struct ut_route_result *r) {
  (void)g;
  const bool from_above = now.topology->up_ports >> in_port & 1;
  if (s->stage.level)
    r->cand[0] = in_vc ? 0 : ut_bit(0);
  else if (!from_above)
    r->cand[0] = ut_mask_lowest(now.topology->up_ports);
  else if (ut_header_dst(header) == goes_far)
    r->cand[1] = ut_bit(in_port);
}

/* Whoever comes to the same channel at the same time. */
static void the_longest_of_all(void **state) {
  (void)state;
  for (goes_far = 0; goes_far < 16; goes_far++)
    compare_alone(4, 2, 8, 1, one_goes_on, 0);
}

/* Packets for one terminal go up and down at the first leaf switch for ever, all others arrive. */
static uint32_t never_arrives;
static void one_goes_round(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                           unsigned in_vc, struct ut_route_result *r) {
  const uint32_t dst = ut_header_dst(header);
  const bool from_above = now.topology->up_ports >> in_port & 1, round = dst == never_arrives;
  if (s->stage.level)
    r->cand[in_vc] = ut_bit(round ? 0 : dst / g->k);
  else if (from_above)
    r->cand[in_vc] = ut_bit(round ? in_port : dst % g->k);
  else
    r->cand[in_vc] = ut_mask_lowest(now.topology->up_ports);
}

/* A loop of one terminal of all, in every word of a mask. */
static void one_terminal_of_many(void **state) {
  (void)state;
  static const uint32_t terminals[] = {0, 63, 64, 100, 127, 128, 191, 192, 195};
  struct ut_error e;
  struct ut_topology t;
  struct ut_explorer x;
  struct ut_reach r;
  struct ut_scenario *s = oracle_scenario(14, 2, "destro", 1, "");
  const struct ut_fault_set none = {0};
  assert_non_null(s);
  assert_int_equal(ut_topology_init(&t, s, &e), 0);
  assert_int_equal(ut_explorer_init(&x, s, &t, &e), 0);
  now.topology = &t;
  x.group[0].route = one_goes_round;
  assert_int_equal(ut_reach_init(&r, &x, &e), 0);
  for (unsigned i = 0; i < sizeof terminals / sizeof terminals[0]; i++) {
    never_arrives = terminals[i];
    ut_explorer_forget(&x);
    ut_explorer_set_faults(&x, &none);
    assert_int_equal(ut_reach_run(&r), 0);
    assert_true(ut_reach_loops(&r) && !ut_reach_connected(&r));
    for (uint32_t dst = 0; dst < 64 * x.words; dst++)
      assert_int_equal(holds(r.looping, dst), dst == never_arrives);
    assert_false(ut_mask_any(r.discarded, x.words) || ut_mask_any(r.wrong, x.words));
  }
  ut_reach_free(&r);
  ut_explorer_free(&x);
  ut_topology_free(&t);
  ut_scenario_free(s);
}

/* What an earlier run has left does not count; every word of every result does. */
static void many_words(void **state) {
  (void)state;
  struct ut_error e;
  struct ut_topology t;
  struct ut_explorer x;
  struct ut_reach r;
  struct ut_scenario *s = oracle_scenario(14, 2, "destro", 1, "");
  const struct ut_fault_set none = {0};
  assert_non_null(s);
  assert_int_equal(ut_topology_init(&t, s, &e), 0);
  assert_int_equal(ut_explorer_init(&x, s, &t, &e), 0);
  assert_int_equal(ut_reach_init(&r, &x, &e), 0);
  assert_int_equal(x.words, 4);
  ut_explorer_set_faults(&x, &none);
  memset(r.discarded, 0xff, x.words * sizeof *r.discarded), memset(r.wrong, 0xff, x.words * sizeof *r.wrong);
  memset(r.looping, 0xff, x.words * sizeof *r.looping), memset(r.back, 0xff, x.words * sizeof *r.back);
  assert_int_equal(ut_reach_run(&r), 0);
  assert_true(ut_reach_connected(&r) && !ut_reach_loops(&r) && !ut_mask_any(r.back, x.words));
  uint64_t *const result[] = {r.discarded, r.wrong, r.looping};
  for (unsigned i = 0; i < 3 * x.words; i++) {
    result[i / x.words][i % x.words] = UINT64_C(1) << 5 * i;
    assert_false(ut_reach_connected(&r));
    assert_int_equal(ut_reach_loops(&r), i >= 2 * x.words);
    result[i / x.words][i % x.words] = 0;
  }
  ut_reach_free(&r);
  ut_explorer_free(&x);
  ut_topology_free(&t);
  ut_scenario_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sets_are_those_of_packets),
                                     cmocka_unit_test(as_many_edges_as_there_is_room_for),
                                     cmocka_unit_test(the_only_state_with_bits),
                                     cmocka_unit_test(back_to_many_channels),
                                     cmocka_unit_test(one_terminal_of_many),
                                     cmocka_unit_test(the_longest_of_all),
                                     cmocka_unit_test(many_words)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
