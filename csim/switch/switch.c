/* switch.c - one cycle of one switch, and the memory of all.  Twin: rtl/switch.v */
#include "switch.h"

#include <stdlib.h>
#include <string.h>

#include "input_unit.h"
#include "output_unit.h"
#include "reroute_vector.h"
#include "switch_allocator.h"
#include "vc_allocator.h"

/* The cycle for V virtual channels and flits of so many words; constants in the callers, so that the common shapes get
 * loops unrolled. */
UT_INLINE void step(const struct ut_group *g, struct ut_switch *s, const struct ut_switch_in *in, const unsigned v,
                    const unsigned words) {
  if (v == 0) /* tells the compiler that the loops over VCs run */
    __builtin_unreachable();
  struct ut_input_changes ch;
  ut_mask bid[UT_MAX_VCS], granted[UT_MAX_VCS], active[UT_MAX_VCS], drain[UT_MAX_VCS], bids = 0;
  ch.set = 0;
  s->discard = 0;
  for (unsigned i = 0; i < v; i++) {
    ch.popped[i] = granted[i] = 0;
    active[i] = ut_masks(g, s, UT_M_ACTIVE, v)[i];
    drain[i] = ut_masks(g, s, UT_M_DRAIN, v)[i];
  }
  ut_input_route(g, s, bid, &ch, v, words);
  for (unsigned i = 0; i < v; i++)
    bids |= bid[i];
  if (bids)
    ut_vc_allocate(g, s, bid, granted, v);
  if (s->stale_link)
    ut_input_cut(g, s, active, v);
  if (g->shape.alloc_cycles == 1)
    for (unsigned i = 0; i < v; i++)
      active[i] |= granted[i];
  ut_switch_allocate(g, s, active, &ch, v, words);
  ut_input_drain(g, s, drain, &ch, v);
  if (g->vector)
    ut_reroute_vector_update(g, s, in, ch.set);
  ut_input_update(g, s, in, &ch, v, words);
  ut_output_update(g, s, in, v);

  ut_mask busy = s->out_valid | s->discard;
  for (unsigned i = 0; i < v; i++) {
    ut_mask dead = (g->all_in & ~s->in_up) | ut_masks(g, s, UT_M_CUT, v)[i];
    busy |= ut_masks(g, s, UT_M_OCCUPIED, v)[i] | ut_masks(g, s, UT_M_CREDIT, v)[i];
    busy |= (dead & ut_masks(g, s, UT_M_OPEN, v)[i]) | (~dead & ut_masks(g, s, UT_M_OWING, v)[i]);
  }
  s->busy = busy || s->stale_link || s->stale_state || (s->vector && s->fattree.timeout);
}

void ut_switch_step(const struct ut_group *g, struct ut_switch *s, const struct ut_switch_in *in) {
  if (g->shape.v == 1 && g->words == 1)
    step(g, s, in, 1, 1);
  else
    step(g, s, in, g->shape.v, g->words);
}

const char *ut_shape_rule(const struct ut_shape *p) {
  const struct ut_algorithm *a = NULL;
  for (unsigned i = 0; i < ut_algorithm_count; i++)
    if (ut_algorithms[i].route == p->route && ut_algorithms[i].code == p->algorithm)
      a = &ut_algorithms[i];
  if (p->switching == UT_VCT && p->depth < p->max_packet)
    return "vct_needs_buffer_of_one_packet";
  if (p->w < 64 || p->w % 64 != 0 || p->w > 64 * UT_MAX_FLIT_WORDS)
    return "flit_bits_must_be_a_multiple_of_64";
  if (p->v < 1 || p->v > UT_MAX_VCS)
    return "vcs_must_be_1_to_8";
  if (p->depth < 1 || p->depth > UT_MAX_DEPTH)
    return "depth_must_be_1_to_255";
  if (p->max_packet < 1)
    return "packet_needs_a_flit";
  if (p->route_cycles > UT_MAX_ROUTE_CYCLES)
    return "route_cycles_must_be_0_to_4";
  if (p->alloc_cycles < 1 || p->alloc_cycles > 2)
    return "alloc_cycles_must_be_1_or_2";
  if (!a)
    return "unknown_algorithm";
  if (p->v < a->min_vcs)
    return "algorithm_needs_more_vcs";
  if (p->route == UT_ROUTE_FATTREE && (p->pi != p->po || p->po < 4 || p->po > UT_MAX_PORTS || p->po % 2 != 0))
    return "fat_tree_needs_2k_ports_both_ways";
  return NULL;
}

/* Reserves room for `count` values behind what is there, aligned to their size. */
static size_t reserve(size_t *end, size_t count, size_t size) {
  size_t at = (*end + size - 1) / size * size;
  *end = at + count * size;
  return at;
}

static void lay_out(struct ut_group *g) {
  const struct ut_shape *p = &g->shape;
  size_t end = sizeof(struct ut_switch), in = (size_t)p->pi * p->v, out = (size_t)p->po * p->v;
  /* what every step touches first, payload last */
  g->at.masks = reserve(&end, (size_t)UT_MASKS * p->v, sizeof(ut_mask));
  g->at.vc = reserve(&end, in, sizeof(struct ut_input_vc));
  g->at.cand = reserve(&end, in * p->v, sizeof(ut_mask));
  g->at.credits = reserve(&end, out, 1);
  g->at.select_mask = reserve(&end, p->pi, sizeof(ut_mask));
  g->at.va_mask = reserve(&end, out * p->v, sizeof(ut_mask));
  g->at.sa_out_mask = reserve(&end, (size_t)p->po * (p->xbar == UT_XBAR_VC ? p->v : 1), sizeof(ut_mask));
  g->at.sa_in_mask = reserve(&end, p->v > 1 ? p->pi : 0, 1);
  g->at.route_mask = reserve(&end, p->v > 1 ? p->pi : 0, 1);
  g->at.bubble = reserve(&end, g->bubble ? in * p->v : 0, sizeof(ut_mask));
  g->at.preferred = reserve(&end, g->preferred ? in * p->v : 0, sizeof(ut_mask));
  g->at.rt = reserve(&end, g->rewrites ? in : 0, sizeof(uint32_t));
  g->at.out_vc = reserve(&end, p->po, 1);
  g->at.out_tag = reserve(&end, p->po, 1);
  g->at.fifo_tag = reserve(&end, in * p->depth, 1);
  g->at.out_data = reserve(&end, (size_t)p->po * g->words, sizeof(uint64_t));
  g->at.fifo_data = reserve(&end, in * p->depth * g->words, sizeof(uint64_t));
  g->stride = (end + 63) / 64 * 64;
}

bool ut_group_init(struct ut_group *g, const struct ut_shape *p, uint32_t count) {
  memset(g, 0, sizeof *g);
  g->shape = *p;
  for (unsigned i = 0; i < ut_algorithm_count; i++) {
    const struct ut_algorithm *a = &ut_algorithms[i];
    if (a->route == p->route && a->code == p->algorithm) {
      g->vector = a->vector;
      g->far = a->far;
      g->rewrites = a->rewrites;
      g->bubble = a->bubble;
      g->preferred = a->preferred;
    }
  }
  g->words = p->w / 64;
  g->need = p->switching == UT_WORMHOLE ? 1 : p->max_packet;
  g->need2 = p->switching == UT_WORMHOLE ? 1 : 2 * p->max_packet;
  g->k = p->po / 2;
  g->digit_bits = (g->k & (g->k - 1)) == 0 ? (unsigned)__builtin_ctz(g->k) : 0;
  g->all_in = ut_mask_all(p->pi);
  g->all_out = ut_mask_all(p->po);
  g->up_ports = p->route == UT_ROUTE_FATTREE ? g->all_out & ~ut_mask_all(g->k) : 0;
  g->route = ut_route_find(p->route, p->algorithm);
  g->count = count;
  lay_out(g);
  g->memory = aligned_alloc(64, g->stride * count);
  if (!g->memory)
    return false;
  memset(g->memory, 0, g->stride * count);
  for (uint32_t i = 0; i < count; i++) {
    ut_switch_of(g, i)->id = i;
    ut_switch_reset(g, ut_switch_of(g, i), 0);
  }
  return true;
}

void ut_group_fini(struct ut_group *g) {
  free(g->memory);
  g->memory = NULL;
}

void ut_switch_reset(const struct ut_group *g, struct ut_switch *s, uint64_t straps) {
  const struct ut_shape *p = &g->shape;
  s->in_up = s->out_up = s->in_fell = s->out_valid = s->discard = s->vector = s->neighbour = 0;
  s->timer = 0;
  s->fault = s->far = s->stale_state = s->stale_link = s->busy = false;
  s->straps = straps;
  s->fattree = (struct ut_fattree_straps){
      .base = ut_fattree_strap_base(straps),
      .step = ut_fattree_strap_step(straps),
      .timeout = ut_fattree_strap_timeout(straps),
      .level = ut_fattree_strap_level(straps),
      .below = (uint8_t)(ut_fattree_strap_level(straps) * g->digit_bits),
      .repair = ut_fattree_strap_repair(straps),
  };
  memset(ut_masks(g, s, 0, p->v), 0, sizeof(ut_mask) * UT_MASKS * p->v);
  for (unsigned v = 0; v < p->v; v++)
    ut_masks(g, s, UT_M_OWING, p->v)[v] = g->all_in;
  for (unsigned i = 0; i < p->pi * p->v; i++) {
    struct ut_input_vc *c = UT_AT(struct ut_input_vc, g, s, vc) + i;
    *c = (struct ut_input_vc){.state = UT_VC_STATE_IDLE, .owed = (uint8_t)p->depth};
  }
  memset(UT_AT(uint8_t, g, s, credits), 0, (size_t)p->po * p->v);
  for (unsigned i = 0; i < p->pi; i++) {
    /* the opposite port first, so that inputs spread over the outputs */
    UT_AT(ut_mask, g, s, select_mask)[i] = g->all_out & (ut_mask)((uint64_t)g->all_out << (i + p->po / 2) % p->po);
    if (p->v > 1) {
      UT_AT(uint8_t, g, s, sa_in_mask)[i] = (uint8_t)ut_mask_all(p->v);
      UT_AT(uint8_t, g, s, route_mask)[i] = (uint8_t)ut_mask_all(p->v);
    }
  }
  for (unsigned i = 0; i < p->po * p->v * p->v; i++)
    UT_AT(ut_mask, g, s, va_mask)[i] = g->all_in;
  for (unsigned i = 0; i < p->po * (p->xbar == UT_XBAR_VC ? p->v : 1); i++)
    UT_AT(ut_mask, g, s, sa_out_mask)[i] = g->all_in;
}
