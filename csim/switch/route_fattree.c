/* route_fattree.c - routing in k-ary n-trees.  Twin: rtl/route_fattree.v, which tells the algorithms and their papers.
 */
#include "route_unit.h"

/* The digit of the destination at this switch's level, and whether the destination lies in the subtree below. */
static inline bool mine(const struct ut_group *g, const struct ut_switch *s, uint32_t dst, unsigned *digit) {
  const struct ut_fattree_straps *f = &s->fattree;
  if (g->digit_bits) {
    uint32_t differs = (dst ^ f->base) >> f->below;
    *digit = differs & (g->k - 1); /* base has a zero at this level, so this is the destination's digit */
    return differs >> g->digit_bits == 0;
  }
  uint32_t offset = dst - f->base;
  bool below = dst >= f->base && offset < g->k * f->step;
  *digit = below ? offset / f->step : dst / f->step % g->k;
  return below;
}

static inline void answer(const struct ut_group *g, struct ut_route_result *r, ut_mask ports) {
  for (unsigned v = 0; v < g->shape.v; v++)
    r->cand[v] = ports;
  r->discard = ports == 0;
}

/* fta and destro: no U-turns; where the only link down has failed, or a packet from above is not for this subtree, it
 * is discarded. */
static inline void minimal(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                           struct ut_route_result *r, bool deterministic) {
  unsigned digit, k = g->k;
  ut_mask ports;
  if (mine(g, s, ut_header_dst(header), &digit))
    ports = ut_bit(digit);
  else if (in_port >= k)
    ports = 0;
  else
    ports = deterministic ? ut_bit(k + digit) : ut_mask_all(k) << k;
  r->set = 0;
  r->uses_state = false;
  answer(g, r, ports & s->out_up);
}

static void fta(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port, unsigned in_vc,
                struct ut_route_result *r) {
  (void)in_vc;
  minimal(g, s, header, in_port, r, false);
}

static void destro(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                   unsigned in_vc, struct ut_route_result *r) {
  (void)in_vc;
  minimal(g, s, header, in_port, r, true);
}

/* REROUTE sections V.C and VII.A, whose step numbers stand in the comments. */
static void reroute_adaptive_link(const struct ut_group *g, const struct ut_switch *s, uint64_t header,
                                  unsigned in_port, unsigned in_vc, struct ut_route_result *r) {
  (void)in_vc;
  unsigned digit, k = g->k;
  ut_mask down = ut_mask_all(k) & s->out_up, above = s->out_up & ~ut_mask_all(k), from = ut_bit(in_port);
  bool from_above = in_port >= k, below = mine(g, s, ut_header_dst(header), &digit);
  ut_mask ports;
  if (below && down & ut_bit(digit))
    ports = ut_bit(digit);
  else if (below) /* steps 2a, 2b; links to terminals have no detour */
    ports = s->fattree.level == 0 ? 0 : !from_above && down & from ? from : down;
  else if (from_above) /* steps 3, 4: a U-turn */
    ports = above & ~((s->vector | from) & (s->fattree.repair ? s->neighbour : ~(ut_mask)0));
  else /* step 1 */
    ports = above;
  r->uses_state = from_above && !below;
  r->set = r->uses_state ? from : 0;
  answer(g, r, ports); /* step 5: discarded when every port of the vector has been tried */
}

ut_route_function *ut_route_fattree(unsigned algorithm) {
  switch (algorithm) {
  case UT_FATTREE_FTA: return fta;
  case UT_FATTREE_DESTRO: return destro;
  case UT_FATTREE_REROUTE_ADAPTIVE_LINK: return reroute_adaptive_link;
  default: return NULL;
  }
}
