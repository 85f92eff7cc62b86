/* route_fattree.c - routing in k-ary n-trees: ports 0..k-1 lead down, k..2k-1 up.  Twin: rtl/ut_route_fattree.v
 *
 *   fta                      adaptive up, one path down (RUFT section 3.1.1)
 *   destro                   up port of level s is digit s of the destination, one path down (RUFT section 3.1.2)
 *   reroute_adaptive_link    fta, and U-turns with the re-route vector (REROUTE section VII.A)
 *   reroute_adaptive_switch  the same over two levels, with the port field in the header (REROUTE section VII.B)
 *   reroute_det_link         destro, and U-turns in a fixed order, in a second virtual layer (REROUTE section VI.A)
 *   reroute_det_switch       the same over two levels with the port field, three layers (REROUTE section VI.B)
 *   misroute_header          fta, and U-turns with the misroute vector in the header (MISROUTE section 3.1)
 *
 * Step numbers are those of the sections; docs/route_fattree.md has the steps as tables, and the readings. */
#include "ports.h"
#include "steps.h"

/* Virtual layers: the normal one and those of misrouted packets.  One misrouting layer: ML1 is the paper's ML. */
enum layer { NL, ML1, ML2 };

/* A head at a switch, as the rules see it. */
struct head {
  const struct spec_route_query *q;
  unsigned k;
  uint32_t down, up; /* ports of each side whose link is up */
  unsigned digit;    /* of the destination at the switch's level: the down port that leads to it */
  bool mine;         /* the destination is below this switch */
  bool from_above;
  bool astray; /* from above, and nothing below leads to the destination */
  bool at_leaf;
  bool deterministic;
  unsigned layer; /* in which it has arrived */
  uint32_t rt;
};

/* Where it may go: through all of the ports, in that layer. */
struct choice {
  uint32_t ports, rt;
  enum layer layer;
  bool u_turn; /* a fact of the switch from now on, with a re-route vector */
};

/* ---- virtual layers: each one behind the first has one VC, from the top; the first has the rest */

/* With fewer VCs than layers all are one. */
static unsigned count_layers(const struct ut_shape *shape) {
  const unsigned layers = UT_ALG_LAYERS(shape->route, shape->algorithm);
  return shape->v < layers ? 1 : layers;
}

static unsigned layer_of(const struct ut_shape *shape, unsigned vc) {
  const unsigned first_has = shape->v - count_layers(shape) + 1;
  return vc < first_has ? NL : vc - first_has + 1;
}

/* ---- the ways down, up, and up again */

/* Any other down port, or the next one. */
static uint32_t another_way_down(const struct head *h) {
  return h->deterministic ? spec_port(spec_first_in_ring(h->down, 0, h->k, h->digit)) : h->down;
}

/* Steps 2, 2a, 2b: the only link; around it back where a packet from below came from, else another down port.  Links
 * to terminals have no way around. */
static uint32_t way_down(const struct head *h) {
  if (spec_has_port(h->down, h->digit))
    return spec_port(h->digit);
  if (h->at_leaf)
    return 0;
  if (spec_has_port(h->down, h->q->in_port))
    return spec_port(h->q->in_port);
  return another_way_down(h);
}

/* Step 1. */
static uint32_t way_up(const struct head *h) {
  return h->deterministic ? spec_port(spec_first_in_ring(h->up, h->k, h->k, h->digit)) : h->up;
}

/* Adaptive: every up port but those that are known to lead to a fault.  With strap `repair` only while the switch
 * behind it reports one. */
static uint32_t untried(const struct head *h) {
  const struct spec_reroute_vector *r = h->q->reroute;
  const bool repair = ut_level_strap_repair(h->q->straps);
  uint32_t ports = 0;
  for (unsigned port = h->k; port < 2 * h->k; port++) {
    const bool tried = port == h->q->in_port || spec_has_port(r->vector, port);
    const bool fault = spec_has_port(r->neighbour, port) || !repair;
    if (spec_has_port(h->up, port) && !(tried && fault))
      ports |= spec_port(port);
  }
  return ports;
}

/* Deterministic: the sequence D is the order of the port numbers, at all switches.  A packet in the normal layer begins
 * it, one that has turned before goes on behind its arrival port. */
static uint32_t next_in_sequence(const struct head *h) {
  for (unsigned port = h->layer == NL ? h->k : h->q->in_port + 1; port < 2 * h->k; port++)
    if (spec_has_port(h->up, port) && port != h->q->in_port)
      return spec_port(port);
  return 0;
}

static uint32_t way_of_u_turn(const struct head *h) {
  return h->deterministic ? next_in_sequence(h) : untried(h);
}

/* ---- the algorithms */

/* fta and destro: where the only link down has failed, or a packet from above is not for this subtree, it is lost. */
static struct choice up_and_down(const struct head *h) {
  const uint32_t up = h->deterministic ? h->up & spec_port(h->k + h->digit) : h->up;
  return (struct choice){.ports = h->mine ? h->down & spec_port(h->digit) : h->from_above ? 0 : up};
}

/* REROUTE VI.A, VII.A */
static struct choice reroute_link(const struct head *h) {
  if (h->mine) /* steps 2, 2a; from below, step 2b: in its layer */
    return (struct choice){.ports = way_down(h), .layer = h->from_above ? NL : h->layer};
  if (h->astray) /* VI.A: steps 3a, 3b, 4; VII.A: steps 3, 4, 5 */
    return (struct choice){.ports = way_of_u_turn(h), .layer = ML1, .u_turn = true};
  return (struct choice){.ports = way_up(h), .layer = NL}; /* step 1 */
}

/* REROUTE VI.B, VII.B; step numbers: deterministic / adaptive */
static struct choice reroute_switch(const struct head *h) {
  const unsigned field = ut_rt_port_port(h->rt), stored = field - UT_PORT_FIELD_FIRST; /* a down port, or larger */
  const bool none = field == UT_PORT_FIELD_NONE, turn = field == UT_PORT_FIELD_TURN;
  if (h->mine) { /* steps 2, 3 / 2, 3; from above one layer towards NL, from below in its layer */
    const bool ends = h->from_above || spec_has_port(h->down, h->digit); /* else 3b / 2b */
    return (struct choice){.ports = way_down(h),
                           .layer = h->from_above && h->layer != NL ? h->layer - 1 : h->layer,
                           .rt = ends ? UT_PORT_FIELD_NONE : field};
  }
  if (h->astray && (turn || h->at_leaf)) /* steps 4b / 4b, 4c, 5, 7 */
    return (struct choice){
        .ports = way_of_u_turn(h), .layer = ML1, .rt = none ? UT_PORT_FIELD_NONE : UT_PORT_FIELD_TURN, .u_turn = true};
  if (h->astray) { /* further down.  Steps 4a, 4c / 4a, 4d */
    const bool back = stored < h->k && spec_has_port(h->down, stored);
    return (struct choice){
        .ports = back ? spec_port(stored) : another_way_down(h), .layer = none ? NL : ML1, .rt = UT_PORT_FIELD_TURN};
  }
  /* step 1 / 1; after a U-turn one level below steps 5 / 6 */
  return (struct choice){.ports = way_up(h),
                         .layer = turn ? ML2 : NL,
                         .rt = turn ? UT_PORT_FIELD_FIRST + h->q->in_port : UT_PORT_FIELD_NONE};
}

/* MISROUTE 3.1 */
static struct choice misroute_header(const struct head *h) {
  const uint32_t all = (UINT32_C(1) << h->k) - 1, vector = ut_rt_misroute_vector(h->rt) & all;
  if (h->astray) { /* steps 3, 4, 6 */
    const uint32_t tried = vector | spec_port(h->q->in_port - h->k);
    return (struct choice){.ports = h->up & ~(tried << h->k), .rt = tried};
  }
  if (!h->mine) /* step 1 */
    return (struct choice){.ports = h->up};
  if (spec_has_port(h->down, h->digit) || h->at_leaf) /* step 2 */
    return (struct choice){.ports = h->down & spec_port(h->digit)};
  if (vector && spec_has_port(h->down, h->q->in_port)) /* step 5: back to the U-turn switch */
    return (struct choice){.ports = spec_port(h->q->in_port), .rt = vector};
  return (struct choice){.ports = h->down}; /* step 2 */
}

typedef struct choice algorithm(const struct head *h);
static algorithm *const algorithms[] = {
    [UT_FATTREE_FTA] = up_and_down,
    [UT_FATTREE_DESTRO] = up_and_down,
    [UT_FATTREE_REROUTE_ADAPTIVE_LINK] = reroute_link,
    [UT_FATTREE_REROUTE_DET_LINK] = reroute_link,
    [UT_FATTREE_REROUTE_DET_SWITCH] = reroute_switch,
    [UT_FATTREE_REROUTE_ADAPTIVE_SWITCH] = reroute_switch,
    [UT_FATTREE_MISROUTE_HEADER] = misroute_header,
};

static struct head look_at(const struct spec_route_query *q) {
  const unsigned k = q->shape->po / 2, algorithm = q->shape->algorithm, dst = ut_header_dst(q->header);
  const unsigned base = ut_level_strap_base(q->straps), step = ut_level_strap_step(q->straps);
  struct head h = {.q = q, .k = k, .rt = ut_header_rt(q->header)};
  h.down = q->up & ((UINT32_C(1) << k) - 1);
  h.up = q->up & ~h.down;
  h.digit = dst / step % k;
  h.mine = dst >= base && dst < base + k * step;
  h.from_above = q->in_port >= k;
  h.astray = h.from_above && !h.mine;
  h.at_leaf = ut_level_strap_level(q->straps) == 0;
  h.deterministic = algorithm == UT_FATTREE_DESTRO || algorithm == UT_FATTREE_REROUTE_DET_LINK ||
                    algorithm == UT_FATTREE_REROUTE_DET_SWITCH;
  h.layer = layer_of(q->shape, q->in_vc);
  return h;
}

void spec_route_fattree(const struct spec_route_query *q, struct spec_answer *a) {
  const struct ut_shape *shape = q->shape;
  const struct head h = look_at(q);
  const struct choice c = algorithms[shape->algorithm](&h);
  for (unsigned vc = 0; vc < shape->v; vc++)
    if (count_layers(shape) == 1 || layer_of(shape, vc) == c.layer)
      a->cand[vc] = c.ports;
  a->rt = c.rt;
  a->discard = !c.ports;
  if (UT_ALG_VECTOR(shape->route, shape->algorithm) && c.u_turn) {
    a->set = spec_port(q->in_port);
    a->uses_state = true;
  }
}
