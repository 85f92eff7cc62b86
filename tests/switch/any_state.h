/* SPDX-License-Identifier: Apache-2.0 */
/* any_state.h - switches of small networks, at any place, with links and nodes in any state, for tests of routing. */
#ifndef UT_TEST_ANY_STATE_H
#define UT_TEST_ANY_STATE_H

#include "bench.h"
#include "drawn.h"

#define SHAPE(family, name, in, out, vcs, ...)                                                                         \
  {                                                                                                                    \
    .route = UT_ROUTE_##family, .algorithm = UT_##family##_##name, .pi = (in), .po = (out), .v = (vcs), .depth = 4,    \
    .w = 64, .min_packet = 1, .max_packet = 1, .alloc_cycles = 1, __VA_ARGS__                                          \
  }
#define TREE(name, ports, vcs) SHAPE(FATTREE, name, ports, ports, vcs, .escapes = 1, .links = 1, .vin1_vcs = 1)
/* Of an m-port n-tree. */
#define ROOT(name, ports, vcs)                                                                                         \
  SHAPE(FATTREE, name, ports, ports, vcs, .escapes = 1, .links = 1, .vin1_vcs = 1, .root = 1)
#define DIRECT(family, name, ports, vcs, ...)                                                                          \
  SHAPE(family, name, ports, ports, vcs, .escapes = 1, .links = 1, .vin1_vcs = 1, __VA_ARGS__)
#define VIN1(first, family, name, ports, vcs, ...)                                                                     \
  SHAPE(family, name, ports, ports, vcs, .escapes = 1, .links = 1, .vin1_vcs = (first), __VA_ARGS__)
#define LINKED(family, name, ports, vcs, ...)                                                                          \
  SHAPE(family, name, ports, ports, vcs, .escapes = 1, .vin1_vcs = 1, __VA_ARGS__)
#define PATHS(family, name, ports, vcs, ...)                                                                           \
  SHAPE(family, name, ports, ports, vcs, .links = 1, .vin1_vcs = 1, __VA_ARGS__)
#define STAGES(in, out, vcs, ...) SHAPE(RUFT, RUFT, in, out, vcs, .escapes = 1, .links = 1, .vin1_vcs = 1, __VA_ARGS__)

static inline unsigned axes(const struct ut_shape *p) {
  unsigned n = 0;
  while (n < UT_MAX_DIMENSIONS && p->size[n])
    n++;
  return n;
}

/* All ports, or some. */
static inline ut_mask some(ut_mask all) {
  const ut_mask a = any(1u << 16) | any(1u << 16) << 16, b = any(1u << 16) | any(1u << 16) << 16;
  const ut_mask high = all >> 32 ? any(1u << 16) | any(1u << 16) << 16 : 0;
  return any(3) ? all & (a | b | high << 32) : all;
}

/* What stands in the tables of the switch. */
static struct {
  bool valid;
  unsigned port, vc;
} entry[UT_MAX_PORTS][UT_MAX_VCS][64];

static inline uint64_t straps_of(const struct ut_shape *p) {
  uint64_t straps = 0;
  if (p->cube)
    return any(1u << p->cube);
  for (unsigned d = 0; d < UT_MAX_DIMENSIONS && p->size[0]; d++)
    straps |= (uint64_t)(p->size[d] ? any(p->size[d]) : 0) << 8 * d;
  if (p->size[0])
    return straps;
  const unsigned level = p->root ? 2 : any(3);
  if (p->radix) {
    const unsigned bits = ut_bits_of(p->radix), low = any(p->radix);
    return ut_ruft_strap_make((uint8_t)(level * bits), level == 0, level == 2, (uint8_t)low);
  }
  const unsigned k = p->po / 2, step = level == 0 ? 1 : level == 1 ? k : k * k, above = level == 2 ? 1 : k * k / step;
  const unsigned base = any(above) * step * k, timeout = any(2), repair = any(2);
  return ut_level_strap_make((uint8_t)level, base, step, (uint16_t)timeout, (uint8_t)repair);
}

static inline void set_state(struct bench *b) {
  const struct ut_group *g = &b->m.g;
  struct ut_switch *s = b->m.s;
  s->out_up = some(g->all_out);
  s->vector = g->form.vector ? some(g->up_ports) : 0;
  s->neighbour = g->form.vector ? some(g->up_ports) : 0;
  for (unsigned port = 0; port < g->shape.pi && g->form.tables; port++)
    ut_switch_configure(g, s, ut_config_make(0, any(2), 0, (uint8_t)port, 0, any(2), 0, UT_CONFIG_KIND_BANK, 1));
  for (unsigned i = 0; i < g->shape.groups; i++)
    ut_switch_configure(g, s, ut_hop_group_make((uint8_t)i, 0, some(g->all_out), UT_CONFIG_KIND_GROUP, 1));
  for (unsigned i = 0; i < (UT_MAX_VC_MAP + UT_MAX_VCS) * g->shape.v && g->shape.vc_map; i++)
    ut_switch_configure(g, s,
                        ut_vc_row_make((uint8_t)(i / g->shape.v), 0, (uint8_t)(i % g->shape.v), some(g->all_out),
                                       UT_CONFIG_KIND_VCS, 1));
  for (unsigned bank = 0; bank < 2 && g->form.tables; bank++)
    for (unsigned vc = 0; vc < g->shape.v; vc++)
      for (unsigned dst = 0; dst < g->shape.destinations; dst++) {
        const uint8_t to = (uint8_t)any(1u << g->port_bits), on = (uint8_t)any(g->shape.v), valid = any(4) > 0;
        entry[bank][vc][dst].port = to, entry[bank][vc][dst].vc = on, entry[bank][vc][dst].valid = valid;
        ut_switch_configure(
            g, s,
            ut_config_make((uint16_t)dst, (uint8_t)bank, (uint8_t)vc, to, on, valid, to, UT_CONFIG_KIND_ENTRY, 1));
      }
  for (unsigned i = 0; i < g->shape.po / 2 * g->shape.exclusions; i++) {
    const uint16_t first = (uint16_t)any(64), last = (uint16_t)(any(2) ? first + any(8) : any(64));
    ut_switch_configure(
        g, s,
        ut_exclusion_make(first, last, (uint8_t)(i / g->shape.exclusions), (uint8_t)(i % g->shape.exclusions), 1));
  }
  if (!g->form.states)
    return;
  struct ut_node_states *n = ut_node_states_of(g, s);
  const ut_mask corners = ut_mask_all(2 * g->dimensions * (g->dimensions ? g->dimensions - 1 : 0));
  n->bad = any(4) ? n->exists & ~some(~(ut_mask)0) : 0;
  n->diagonal = corners & ~some(~(ut_mask)0);
  const bool borders = UT_ALG_BORDER(g->shape.route, g->shape.algorithm);
  n->border = borders ? (uint8_t)any(4) : 0;
  n->corner = borders ? (uint8_t)any(16) : 0;
  n->unsafe = any(4) == 0;
  n->disabled = n->unsafe && any(2);
}

static inline unsigned terminals_of(const struct ut_shape *p) {
  unsigned nodes = 1, k = p->radix ? p->radix : p->po / 2;
  for (unsigned d = 0; d < axes(p); d++)
    nodes *= p->size[d];
  if (p->destinations)
    return p->destinations;
  if (p->cube)
    return (p->po - p->cube) / p->links << p->cube;
  return p->size[0] ? nodes * ((p->po - 2 * axes(p)) / p->links) : (p->root ? 2 : 1) * k * k * k;
}

#endif
