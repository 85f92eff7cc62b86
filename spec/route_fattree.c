/* SPDX-License-Identifier: Apache-2.0 */
/* route_fattree.c - routing in k-ary n-trees: ports 0..k-1 lead down, k..2k-1 up; roots of m-port n-trees have 2k ports
 * down.  Twin: rtl/ut_route_fattree.v
 *
 *   fta                      adaptive up, one path down (RUFT section 3.1.1); not through up ports with an exclusion
 *                            interval that holds the destination (FIR, RUFT section 5.1)
 *   destro                   up port of level s is digit s of the destination, one path down (RUFT section 3.1.2)
 *   reroute_adaptive_link    fta, and U-turns with the re-route vector (REROUTE section VII.A)
 *   reroute_adaptive_switch  the same over two levels, with the port field in the header (REROUTE section VII.B)
 *   reroute_det_link         destro, and U-turns in a fixed order, in a second virtual layer (REROUTE section VI.A)
 *   reroute_det_switch       the same over two levels with the port field, three layers (REROUTE section VI.B)
 *   misroute_header          fta, and U-turns with the misroute vector in the header (MISROUTE section 3.1)
 *   *_one_fault              the four of REROUTE for a single fault: one layer, no vector, over two levels one bit in
 * the header (REROUTE, ends of sections VI.A and VI.B, section VII)
 *
 * Step numbers are those of the sections; docs/explanation/route_fattree.md has the steps as tables, and the readings.
 */
#include "ports.h"
#include "steps.h"

/* Virtual layers: the normal one and those of misrouted packets.  With a single misrouting layer, ML1 is the paper's
 * ML. */
enum layer { NL, ML1, ML2 };

/* A head at a switch, as the rules see it. */
struct head {
  const struct spec_route_query *q;
  unsigned k;
  unsigned ports_down;
  uint64_t down, up; /* ports of each side whose link is up */
  unsigned digit;    /* digit of the destination at the switch's level: the down port that leads to it */
  bool mine;         /* the destination is below this switch */
  bool from_above;
  bool astray; /* it comes from above, and no port below leads to the destination */
  bool at_leaf;
  bool deterministic;
  unsigned layer; /* layer in which it has arrived */
  uint32_t rt;
};

/* Where it may go: through any of the ports, in that layer. */
struct choice {
  uint64_t ports;
  uint32_t rt;
  enum layer layer;
  enum spec_cover_point rule;
  bool u_turn; /* with a re-route vector: remembered by the switch */
};

/* ---- virtual layers: each layer after the first has one VC, counted from the top; the first layer has the rest */

/* With fewer VCs than layers, all VCs form one layer. */
static unsigned count_layers(const struct ut_shape *shape) {
  const unsigned layers = UT_ALG_LAYERS(shape->route, shape->algorithm);
  return shape->v < layers ? 1 : layers;
}

static unsigned layer_of(const struct ut_shape *shape, unsigned vc) {
  const unsigned first_has = shape->v - count_layers(shape) + 1;
  return vc < first_has ? NL : vc - first_has + 1;
}

/* ---- down, up, and up again */

/* Returns any other down port, or the next one. */
static uint64_t another_way_down(const struct head *head) {
  return head->deterministic ? spec_port(spec_first_in_ring(head->down, 0, head->ports_down, head->digit)) : head->down;
}

/* Steps 2, 2a, 2b: the only link down.  Around it: back, where a packet from below came from, otherwise another down
 * port. Links to terminals have no detour. */
static struct choice way_down(const struct head *head) {
  if (spec_has_port(head->down, head->digit))
    return (struct choice){.ports = spec_port(head->digit), .rule = COVER_REROUTE_DOWN};
  if (head->at_leaf)
    return (struct choice){.ports = 0, .rule = COVER_REROUTE_TERMINAL_LOST};
  if (spec_has_port(head->down, head->q->in_port))
    return (struct choice){.ports = spec_port(head->q->in_port), .rule = COVER_REROUTE_BACK_DOWN};
  return (struct choice){.ports = another_way_down(head), .rule = COVER_REROUTE_OTHER_DOWN};
}

/* Step 1. */
static struct choice way_up(const struct head *head) {
  if (!head->deterministic)
    return (struct choice){.ports = head->up, .rule = COVER_REROUTE_UP};
  const bool replaced = !spec_has_port(head->up, head->k + head->digit);
  return (struct choice){.ports = spec_port(spec_first_in_ring(head->up, head->k, head->k, head->digit)),
                         .rule = replaced ? COVER_REROUTE_UP_REPLACED : COVER_REROUTE_UP};
}

/* An adaptive U-turn: any up port except those known to lead to a fault.  With strap `repair`, a port is avoided only
 * while the switch behind it reports a fault. */
static uint64_t untried(const struct head *head) {
  const struct spec_reroute_vector *vector = head->q->reroute;
  const bool repair = ut_level_strap_repair(head->q->straps);
  uint64_t ports = 0;
  for (unsigned port = head->k; port < 2 * head->k; port++) {
    const bool tried = port == head->q->in_port || spec_has_port(vector->vector, port);
    const bool fault = spec_has_port(vector->neighbour, port) || !repair;
    if (spec_has_port(head->up, port) && !(tried && fault))
      ports |= spec_port(port);
  }
  if (head->up & vector->vector & ~ports & ~spec_port(head->q->in_port))
    spec_cover(head->q->cover, COVER_VECTOR_AVOIDED);
  return ports;
}

/* A deterministic U-turn: the sequence D is the order of the port numbers, the same at all switches.  A packet in the
 * normal layer begins it; a packet that has turned before continues after its arrival port. */
static uint64_t next_in_sequence(const struct head *head) {
  for (unsigned port = head->layer == NL ? head->k : head->q->in_port + 1; port < 2 * head->k; port++)
    if (spec_has_port(head->up, port) && port != head->q->in_port)
      return spec_port(port);
  return 0;
}

static struct choice u_turn(const struct head *head) {
  const uint64_t ports = head->deterministic ? next_in_sequence(head) : untried(head);
  const bool again = head->deterministic && head->layer != NL;
  return (struct choice){.ports = ports,
                         .layer = ML1,
                         .rule = !ports  ? COVER_REROUTE_U_TURN_LOST
                                 : again ? COVER_REROUTE_U_TURN_AGAIN
                                         : COVER_REROUTE_U_TURN,
                         .u_turn = true};
}

/* ---- the algorithms */

/* Returns the up ports with an exclusion interval that contains the destination. */
static uint64_t excluded(const struct head *head) {
  const unsigned dst = ut_header_dst(head->q->header);
  uint64_t ports = 0;
  for (unsigned port = 0; port < head->k; port++)
    for (unsigned i = 0; i < head->q->shape->exclusions; i++)
      if (dst >= head->q->exclusion[port][i].first && dst <= head->q->exclusion[port][i].last)
        ports |= spec_port(head->k + port);
  if (ports & head->up && !head->mine)
    spec_cover(head->q->cover, COVER_EXCLUDED_PORT);
  return ports;
}

/* fta and destro: if the only link down has failed, or a packet from above is not for this subtree, it is discarded. */
static struct choice up_and_down(const struct head *head) {
  const uint64_t up = head->deterministic ? head->up & spec_port(head->k + head->digit) : head->up & ~excluded(head);
  const uint64_t ports = head->mine ? head->down & spec_port(head->digit) : head->from_above ? 0 : up;
  const enum spec_cover_point way_up = head->deterministic ? COVER_UP_DETERMINISTIC : COVER_UP_ADAPTIVE;
  const enum spec_cover_point way_down = head->deterministic ? COVER_DOWN_DETERMINISTIC : COVER_DOWN_ADAPTIVE;
  return (struct choice){.ports = ports, .rule = !ports ? COVER_LOST_ON_THE_WAY : head->mine ? way_down : way_up};
}

/* REROUTE VI.A, VII.A */
static struct choice reroute_link(const struct head *head) {
  struct choice choice;
  if (head->mine) { /* steps 2, 2a; from below, step 2b: in its layer */
    choice = way_down(head);
    choice.layer = head->from_above ? NL : head->layer;
  } else if (head->astray) { /* VI.A: steps 3a, 3b, 4; VII.A: steps 3, 4, 5 */
    choice = u_turn(head);
  } else { /* step 1 */
    choice = way_up(head);
  }
  return choice;
}

/* The port field; its last bit is for more than 30 ports down, else it is no part of it. */
static unsigned port_field(const struct head *head) {
  const unsigned codes = head->k + UT_PORT_FIELD_FIRST;
  return ut_rt_port_port(head->rt) % (codes > 32 ? 64 : 32);
}

/* REROUTE VI.B, VII.B; step numbers: deterministic / adaptive */
static struct choice reroute_switch(const struct head *head) {
  const unsigned field = port_field(head), stored = field - UT_PORT_FIELD_FIRST; /* a down port, or larger */
  const bool none = field == UT_PORT_FIELD_NONE, turn = field == UT_PORT_FIELD_TURN;
  struct choice choice;
  if (head->mine) { /* steps 2, 3 / 2, 3; from above one layer towards NL, from below in its layer */
    const bool ends = head->from_above || spec_has_port(head->down, head->digit); /* else 3b / 2b */
    choice = way_down(head);
    choice.layer = head->from_above && head->layer != NL ? head->layer - 1 : head->layer;
    choice.rt = ends ? UT_PORT_FIELD_NONE : field;
  } else if (head->astray && (turn || head->at_leaf)) { /* steps 4b / 4b, 4c, 5, 7 */
    choice = u_turn(head);
    choice.rt = none ? UT_PORT_FIELD_NONE : UT_PORT_FIELD_TURN;
    spec_cover(head->q->cover, none ? COVER_SWITCH_U_TURN_AT_LEAF : COVER_SWITCH_U_TURN_OF_TWO);
  } else if (head->astray) { /* further down.  Steps 4a, 4c / 4a, 4d */
    const bool back = stored < head->k && spec_has_port(head->down, stored);
    choice = (struct choice){.ports = back ? spec_port(stored) : another_way_down(head),
                             .layer = none ? NL : ML1,
                             .rule = back ? COVER_SWITCH_STORED_PORT : COVER_SWITCH_FURTHER_DOWN,
                             .rt = UT_PORT_FIELD_TURN};
  } else { /* step 1 / 1; after a U-turn one level below steps 5 / 6 */
    choice = way_up(head);
    choice.layer = turn ? ML2 : NL;
    choice.rt = turn ? UT_PORT_FIELD_FIRST + head->q->in_port : UT_PORT_FIELD_NONE;
    choice.rule = turn ? COVER_SWITCH_UP_AFTER_U_TURN : choice.rule;
  }
  return choice;
}

/* REROUTE VI.A, VI.B, last paragraphs; VII, second paragraph.  After a U-turn any up port will do but the arrival port,
 * which nothing remembers.  Over two levels a bit of the header tells the hop down the second level from that down the
 * first. */
static struct choice reroute_one_fault(const struct head *head) {
  const bool two_levels = UT_ALG_REWRITES(head->q->shape->route, head->q->shape->algorithm);
  const bool further = two_levels && !head->at_leaf && !ut_rt_tier_second(head->rt);
  if (head->mine) /* steps 2, 2a, 2b */
    return way_down(head);
  if (!head->astray) /* step 1 */
    return way_up(head);
  if (further) /* VI.B, VII.B: step 4a */
    return (struct choice){
        .ports = another_way_down(head), .rule = COVER_SWITCH_FURTHER_DOWN, .rt = ut_rt_tier_make(true)};
  const uint64_t others = head->up & ~spec_port(head->q->in_port);
  const uint64_t ports = head->deterministic ? others & -others : others; /* VI.A step 3a; V.C step 4 */
  return (struct choice){.ports = ports, .rule = ports ? COVER_REROUTE_U_TURN : COVER_REROUTE_U_TURN_LOST};
}

/* MISROUTE 3.1 */
static struct choice misroute_header(const struct head *head) {
  const uint64_t all = spec_first_ports(head->k), vector = ut_rt_misroute_vector(head->rt) & all;
  if (head->astray) { /* steps 3, 4, 6 */
    const uint64_t tried = vector | spec_port(head->q->in_port - head->k), left = head->up & ~(tried << head->k);
    return (struct choice){.ports = left,
                           .rule = !left    ? COVER_MISROUTE_LOST
                                   : vector ? COVER_MISROUTE_U_TURN_AGAIN
                                            : COVER_MISROUTE_U_TURN,
                           .rt = (uint32_t)tried};
  }
  if (!head->mine) /* step 1 */
    return (struct choice){.ports = head->up, .rule = COVER_MISROUTE_UP};
  if (spec_has_port(head->down, head->digit) || head->at_leaf) /* step 2 */
    return (struct choice){.ports = head->down & spec_port(head->digit), .rule = COVER_MISROUTE_DOWN};
  if (vector && spec_has_port(head->down, head->q->in_port)) /* step 5: back to the U-turn switch */
    return (struct choice){.ports = spec_port(head->q->in_port), .rule = COVER_MISROUTE_BACK, .rt = (uint32_t)vector};
  return (struct choice){.ports = head->down, .rule = COVER_MISROUTE_OTHER_DOWN}; /* step 2 */
}

typedef struct choice algorithm(const struct head *head);
static algorithm *const algorithms[] = {
    [UT_FATTREE_FTA] = up_and_down,
    [UT_FATTREE_DESTRO] = up_and_down,
    [UT_FATTREE_REROUTE_ADAPTIVE_LINK] = reroute_link,
    [UT_FATTREE_REROUTE_DET_LINK] = reroute_link,
    [UT_FATTREE_REROUTE_DET_SWITCH] = reroute_switch,
    [UT_FATTREE_REROUTE_ADAPTIVE_SWITCH] = reroute_switch,
    [UT_FATTREE_MISROUTE_HEADER] = misroute_header,
    [UT_FATTREE_REROUTE_DET_LINK_ONE_FAULT] = reroute_one_fault,
    [UT_FATTREE_REROUTE_ADAPTIVE_LINK_ONE_FAULT] = reroute_one_fault,
    [UT_FATTREE_REROUTE_DET_SWITCH_ONE_FAULT] = reroute_one_fault,
    [UT_FATTREE_REROUTE_ADAPTIVE_SWITCH_ONE_FAULT] = reroute_one_fault,
};

/* Returns the digits of a number in base k, from that of the level on, as a number: two numbers in one subtree agree in
 * all digits above that of the level.  The digit of a root of an m-port n-tree has 2k values. */
static unsigned digits_from(unsigned number, unsigned k, unsigned level) {
  for (unsigned i = 0; i < level; i++)
    number /= k;
  return number;
}

static bool is_deterministic(unsigned algorithm) {
  return algorithm == UT_FATTREE_DESTRO || algorithm == UT_FATTREE_REROUTE_DET_LINK ||
         algorithm == UT_FATTREE_REROUTE_DET_SWITCH || algorithm == UT_FATTREE_REROUTE_DET_LINK_ONE_FAULT ||
         algorithm == UT_FATTREE_REROUTE_DET_SWITCH_ONE_FAULT;
}

static struct head look_at(const struct spec_route_query *query) {
  const unsigned k = query->shape->po / 2, dst = ut_header_dst(query->header);
  const unsigned base = ut_level_strap_base(query->straps), level = ut_level_strap_level(query->straps);
  struct head head = {.q = query, .k = k, .rt = ut_header_rt(query->header)};
  head.ports_down = query->shape->root ? 2 * k : k;
  head.down = query->up & spec_first_ports(head.ports_down);
  head.up = query->up & ~head.down;
  head.digit = digits_from(dst, k, level) % head.ports_down;
  head.mine = digits_from(dst, k, level) / head.ports_down == digits_from(base, k, level) / head.ports_down;
  head.from_above = query->in_port >= head.ports_down;
  head.astray = head.from_above && !head.mine;
  head.at_leaf = level == 0;
  head.deterministic = is_deterministic(query->shape->algorithm);
  head.layer = layer_of(query->shape, query->in_vc);
  return head;
}

void spec_route_fattree(const struct spec_route_query *query, struct spec_answer *answer) {
  const struct ut_shape *shape = query->shape;
  const struct head head = look_at(query);
  const struct choice choice = algorithms[shape->algorithm](&head);
  spec_cover(query->cover, choice.rule);
  for (unsigned vc = 0; vc < shape->v; vc++)
    if (count_layers(shape) == 1 || layer_of(shape, vc) == choice.layer)
      answer->cand[vc] = choice.ports;
  answer->rt = choice.rt;
  answer->discard = !choice.ports;
  if (UT_ALG_VECTOR(shape->route, shape->algorithm) && choice.u_turn) {
    answer->set = spec_port(query->in_port);
    answer->uses_state = true;
  }
}
