/* registers_recorded.h - all registers of a golden switch, for tests that record them (recorded.h). */
#ifndef UT_TEST_REGISTERS_RECORDED_H
#define UT_TEST_REGISTERS_RECORDED_H

#include "recorded.h"
#include "registers.h"

/* What a switch keeps beside its VCs. */
static inline void record_switch(uint64_t *hash, const struct ut_group *g, const struct ut_switch *s) {
  record(hash, s->out_up), record(hash, s->vector), record(hash, s->neighbour), record(hash, s->timer);
  record(hash, s->fault), record(hash, s->far), record(hash, s->stale_state), record(hash, s->u_turns);
  record(hash, ut_reg_in_up(g, s)), record(hash, ut_reg_discard(g, s)), record(hash, ut_reg_stale_link(g, s));
  record(hash, ut_reg_valid(g, s));
  if (!g->form.states)
    return;
  const struct ut_node_states *n = ut_node_states_of(g, s);
  record(hash, n->bad), record(hash, n->diagonal), record(hash, n->border), record(hash, n->corner);
  record(hash, n->unsafe), record(hash, n->disabled), record(hash, n->refuses), record(hash, n->refused);
  record(hash, n->purge), record(hash, n->restart);
}

static inline void record_input(uint64_t *hash, const struct ut_group *g, const struct ut_switch *s, unsigned ip,
                                unsigned i) {
  const size_t words = g->form.words + 1;
  record(hash, ut_reg_state(g, s, ip, i)), record(hash, ut_reg_count(g, s, ip, i)),
      record(hash, ut_reg_rd(g, s, ip, i));
  record(hash, ut_reg_wr(g, s, ip, i)), record(hash, ut_reg_owed(g, s, ip, i)), record(hash, ut_reg_open(g, s, ip, i));
  record(hash, ut_reg_cut(g, s, ip, i)), record(hash, ut_reg_credit(g, s, ip, i));
  record(hash, ut_reg_depends(g, s, ip, i)), record(hash, ut_reg_promoted(g, s, ip, i));
  record(hash, ut_reg_old(g, s, ip, i)), record(hash, ut_reg_wait(g, s, ip, i)), record(hash, ut_reg_rt(g, s, ip, i));
  record(hash, ut_reg_out_port(g, s, ip, i)), record(hash, ut_reg_out_vc(g, s, ip, i));
  for (unsigned o = 0; o < g->shape.v; o++) {
    record(hash, ut_reg_cand(g, s, ip, i, o)), record(hash, ut_reg_bubble(g, s, ip, i, o));
    record(hash, ut_reg_preferred(g, s, ip, i, o));
  }
  for (unsigned place = 0; place < g->shape.depth; place++)
    record_words(hash, ut_reg_place(g, s, ip, i, place), words);
}

static inline void record_output(uint64_t *hash, const struct ut_group *g, const struct ut_switch *s, unsigned op) {
  for (unsigned o = 0; o < g->shape.v; o++) {
    record(hash, ut_reg_owned(g, s, op, o)), record(hash, ut_reg_credits(g, s, op, o));
    record(hash, ut_reg_enough(g, s, op, o)), record(hash, ut_reg_enough2(g, s, op, o));
    record(hash, ut_reg_sa(g, s, op, o));
    for (unsigned i = 0; i < g->shape.v; i++)
      record(hash, ut_reg_va(g, s, op, o, i));
  }
  record_words(hash, ut_reg_flit(g, s, op), g->form.words + 1);
}

static inline void record_registers(uint64_t *hash, const struct ut_group *g, const struct ut_switch *s) {
  record_switch(hash, g, s);
  for (unsigned ip = 0; ip < g->shape.pi; ip++) {
    record(hash, ut_reg_select(g, s, ip)), record(hash, ut_reg_route_turn(g, s, ip));
    record(hash, ut_reg_switch_turn(g, s, ip));
    for (unsigned i = 0; i < g->shape.v; i++)
      record_input(hash, g, s, ip, i);
  }
  for (unsigned op = 0; op < g->shape.po; op++)
    record_output(hash, g, s, op);
}

#endif
