/* SPDX-License-Identifier: Apache-2.0 */
/* registers_equal.h - compares two golden switches register by register. */
#ifndef UT_TEST_REGISTERS_EQUAL_H
#define UT_TEST_REGISTERS_EQUAL_H

#include <string.h>

#include "registers.h"

/* The first register but payload in which switch a of group g and switch b of group h differ, NULL: in none.  The
 * groups have the same ports, VCs, buffers and flits; a register that only one of them has must be 0 there.  u_turns is
 * compared too. */
static inline const char *differing_state(const struct ut_group *g, const struct ut_switch *a, const struct ut_group *h,
                                          const struct ut_switch *b) {
  const unsigned v = g->shape.v, pi = g->shape.pi, po = g->shape.po;
#define DIFFERS(name, ...)                                                                                             \
  if (ut_reg_##name(g, a, ##__VA_ARGS__) != ut_reg_##name(h, b, ##__VA_ARGS__))                                        \
    return #name;
#define MEMBER_DIFFERS(name)                                                                                           \
  if (a->name != b->name)                                                                                              \
    return #name;
  MEMBER_DIFFERS(out_up)
  MEMBER_DIFFERS(vector)
  MEMBER_DIFFERS(neighbour)
  MEMBER_DIFFERS(timer)
  MEMBER_DIFFERS(fault)
  MEMBER_DIFFERS(far)
  MEMBER_DIFFERS(stale_state)
  MEMBER_DIFFERS(u_turns)
  DIFFERS(in_up)
  DIFFERS(discard)
  DIFFERS(stale_link)
  DIFFERS(valid)
  if (g->form.states) {
    const struct ut_node_states *m = ut_node_states_of(g, a), *n = ut_node_states_of(h, b);
    if (m->bad != n->bad || m->diagonal != n->diagonal || m->border != n->border || m->corner != n->corner ||
        m->unsafe != n->unsafe || m->disabled != n->disabled)
      return "node states";
    if (m->refuses != n->refuses || m->refused != n->refused || m->purge != n->purge || m->restart != n->restart)
      return "orders";
  }
  for (unsigned ip = 0; ip < pi; ip++) {
    DIFFERS(select, ip)
    DIFFERS(route_pointer, ip)
    DIFFERS(switch_pointer, ip)
    for (unsigned i = 0; i < v; i++) {
      DIFFERS(state, ip, i)
      DIFFERS(count, ip, i)
      DIFFERS(rd, ip, i)
      DIFFERS(wr, ip, i)
      DIFFERS(pending_credits, ip, i)
      DIFFERS(open, ip, i)
      DIFFERS(cut, ip, i)
      DIFFERS(credit, ip, i)
      DIFFERS(depends, ip, i)
      DIFFERS(stripped, ip, i)
      DIFFERS(old, ip, i)
      DIFFERS(cross, ip, i)
      DIFFERS(wait, ip, i)
      DIFFERS(rt, ip, i)
      DIFFERS(out_port, ip, i)
      DIFFERS(out_vc, ip, i)
      for (unsigned dst = 0; ip < 2 && dst < g->shape.destinations; dst++) /* bank ip */
        DIFFERS(table, ip, i, dst)
      for (unsigned o = 0; o < v; o++) {
        DIFFERS(cand, ip, i, o)
        DIFFERS(bubble, ip, i, o)
        DIFFERS(preferred, ip, i, o)
      }
    }
  }
  for (unsigned op = 0; op < po; op++)
    for (unsigned o = 0; o < v; o++) {
      DIFFERS(owned, op, o)
      DIFFERS(credits, op, o)
      DIFFERS(space, op, o)
      DIFFERS(space2, op, o)
      DIFFERS(sa, op, o)
      for (unsigned i = 0; i < v; i++)
        DIFFERS(va, op, o, i)
    }
#undef DIFFERS
#undef MEMBER_DIFFERS
  return NULL;
}

/* The same with what lies in memories and output registers. */
static inline const char *differing_register(const struct ut_group *g, const struct ut_switch *a,
                                             const struct ut_group *h, const struct ut_switch *b) {
  const size_t flit = (g->form.words + 1) * sizeof(uint64_t);
  const char *name = differing_state(g, a, h, b);
  if (name)
    return name;
  for (unsigned ip = 0; ip < g->shape.pi; ip++)
    for (unsigned i = 0; i < g->shape.v; i++)
      for (unsigned place = 0; place < g->shape.depth; place++)
        if (memcmp(ut_reg_place(g, a, ip, i, place), ut_reg_place(h, b, ip, i, place), flit))
          return "place";
  for (unsigned op = 0; op < g->shape.po; op++)
    if (memcmp(ut_reg_flit(g, a, op), ut_reg_flit(h, b, op), flit))
      return "flit";
  return NULL;
}

#endif
