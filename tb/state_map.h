/* state_map.h - the observation bundle: every architectural register of rtl/switch.v beside its place in the golden
 * model.
 *
 * One table serves comparison, report, the count of compared bits and the flipping of bits in tests.  A row is
 *   X(path below the switch, width in bits, RTL register, golden value)
 * (of one bit: bit 0 of the golden value counts) and stands in the list of its index space; i/v are input port and VC,
 * o/w output port and VC.  Registers that a reset leaves alone (payload) are adopted by the golden model at the start,
 * see ADOPT rows. Included by tb/shim.cpp only, after shape_gen.h; S is the golden switch, G its group.
 */
#ifndef UT_STATE_MAP_H
#define UT_STATE_MAP_H

#define UT_P_IN(i) switch__DOT__g_in__BRA__##i##__KET____DOT__u_input__DOT__
#define UT_P_VC(i, v) switch__DOT__g_in__BRA__##i##__KET____DOT__u_input__DOT__g_vc__BRA__##v##__KET____DOT__u_vc__DOT__
#define UT_P_OUT(o) switch__DOT__g_out__BRA__##o##__KET____DOT__u_output__DOT__
#define UT_P_OVC(o, w) switch__DOT__g_out__BRA__##o##__KET____DOT__u_output__DOT__g_vc__BRA__##w##__KET____DOT__
#define UT_P_ROUTE(i) switch__DOT__g_in__BRA__##i##__KET____DOT__u_route__DOT__g_family__DOT__u_route__DOT__
#define UT_P_SWITCH_IN(i) switch__DOT__u_switch_allocator__DOT__g_first__DOT__g_in__BRA__##i##__KET____DOT__
#define UT_P_SWITCH_OUT(o) switch__DOT__u_switch_allocator__DOT__g_out__BRA__##o##__KET____DOT__
#define UT_P_VC_OUT(n) switch__DOT__u_vc_allocator__DOT__g_out__BRA__##n##__KET____DOT__
#define UT_CAT_(a, b) a##b
#define UT_CAT(a, b) UT_CAT_(a, b)
#define UT_R(prefix, name) root->UT_CAT(prefix, name)

/* whole switch */
#define UT_STATE_SWITCH(X)                                                                                             \
  X("stale_link_q", 1, root->switch__DOT__stale_link_q, S->stale_link)                                                 \
  X("discard_q", UT_PI, root->switch__DOT__discard_q, S->discard)                                                      \
  X("error_q", 1, root->switch__DOT__error_q, 0)

#define UT_STATE_VECTOR(X)                                                                                             \
  X("u_vector.vector_q", UT_PO / 2, root->switch__DOT__g_state__DOT__u_vector__DOT__vector_q, S->vector >> UT_PO / 2)  \
  X("u_vector.neighbour_q", UT_PO / 2, root->switch__DOT__g_state__DOT__u_vector__DOT__neighbour_q,                    \
    S->neighbour >> UT_PO / 2)                                                                                         \
  X("u_vector.timer_q", 16, root->switch__DOT__g_state__DOT__u_vector__DOT__timer_q, S->timer)                         \
  X("u_vector.fault_q", 1, root->switch__DOT__g_state__DOT__u_vector__DOT__fault_q, S->fault)                          \
  X("u_vector.stale_q", 1, root->switch__DOT__g_state__DOT__u_vector__DOT__stale_q, S->stale_state)

#define UT_STATE_FAR(X)                                                                                                \
  X("u_vector.far_q", 1, root->switch__DOT__g_state__DOT__u_vector__DOT__g_far__DOT__far_q, S->far)

/* input port i */
#define UT_STATE_IN(X, i)                                                                                              \
  X("in" #i ".up_q", 1, UT_R(UT_P_IN(i), up_q), S->in_up >> i)                                                         \
  X("in" #i ".select_q", UT_PO, root->switch__DOT__u_vc_allocator__DOT__g_in__BRA__##i##__KET____DOT__select_q,        \
    ut_port_of(S, i, traits)->select)

#define UT_STATE_IN_ARBITERS(X, i)                                                                                     \
  X("in" #i ".route_arbiter.mask_q", UT_V, UT_R(UT_P_IN(i), u_route_arbiter__DOT__g_mask__DOT__mask_q),                \
    *ut_route_mask_of(S, i, traits))

#define UT_STATE_IN_XBAR(X, i)                                                                                         \
  X("in" #i ".switch_arbiter.mask_q", UT_V, UT_R(UT_P_SWITCH_IN(i), u_arbiter__DOT__g_mask__DOT__mask_q),              \
    *ut_sa_in_of(S, i, traits))

/* input VC (i, v) */
#define UT_VCM(m, i, v) (ut_masks(G, S, m, UT_V)[v] >> i)
#define UT_BYTE(name, i, v) ut_bytes(S, UT_B_##name, traits)[(i)*UT_V + (v)]
#define UT_STATE_VC(X, i, v)                                                                                           \
  X("in" #i ".vc" #v ".state_q", 3, UT_R(UT_P_VC(i, v), state_q), UT_BYTE(STATE, i, v))                                \
  X("in" #i ".vc" #v ".open_q", 1, UT_R(UT_P_VC(i, v), open_q), UT_VCM(UT_M_OPEN, i, v))                               \
  X("in" #i ".vc" #v ".credit_q", 1, UT_R(UT_P_VC(i, v), credit_q), UT_VCM(UT_M_CREDIT, i, v))                         \
  X("in" #i ".vc" #v ".owed_q", UT_CW, UT_R(UT_P_VC(i, v), owed_q), UT_BYTE(OWED, i, v))                               \
  X("in" #i ".vc" #v ".fifo.rd_q", UT_AW, UT_R(UT_P_VC(i, v), u_fifo__DOT__rd_q), UT_BYTE(RD, i, v))                   \
  X("in" #i ".vc" #v ".fifo.wr_q", UT_AW, UT_R(UT_P_VC(i, v), u_fifo__DOT__wr_q), UT_BYTE(WR, i, v))                   \
  X("in" #i ".vc" #v ".fifo.count_q", UT_CW, UT_R(UT_P_VC(i, v), u_fifo__DOT__count_q), UT_BYTE(COUNT, i, v))
#define UT_STATE_VC_CUT(X, i, v)                                                                                       \
  X("in" #i ".vc" #v ".cut_q", 1, UT_R(UT_P_VC(i, v), g_cut__DOT__cut_q), UT_VCM(UT_M_CUT, i, v))
#define UT_STATE_VC_STRIP(X, i, v)                                                                                     \
  X("in" #i ".vc" #v ".promoted_q", 1, UT_R(UT_P_VC(i, v), g_strip__DOT__promoted_q), UT_VCM(UT_M_PROMOTED, i, v))
#define UT_STATE_VC_WAIT(X, i, v)                                                                                      \
  X("in" #i ".vc" #v ".wait_q", 2, UT_R(UT_P_VC(i, v), g_wait__DOT__wait_q), UT_AT(uint8_t, G, S, wait)[(i)*UT_V + (v)])
#define UT_STATE_VC_DEPENDS(X, i, v)                                                                                   \
  X("in" #i ".vc" #v ".depends_q", 1, UT_R(UT_P_VC(i, v), g_depends__DOT__depends_q), UT_VCM(UT_M_DEPENDS, i, v))
#define UT_STATE_VC_REWRITE(X, i, v)                                                                                   \
  X("in" #i ".vc" #v ".rt_q", 24, UT_R(UT_P_VC(i, v), g_rewrite__DOT__rt_q), UT_AT(uint32_t, G, S, rt)[(i)*UT_V + (v)])

/* output port o */
#define UT_STATE_OUT(X, o)                                                                                             \
  X("out" #o ".up_q", 1, UT_R(UT_P_OUT(o), up_q), S->out_up >> o)                                                      \
  X("out" #o ".valid_q", 1, UT_R(UT_P_OUT(o), valid_q), S->out_valid >> o)

/* output VC (o, w) */
#define UT_STATE_OVC(X, o, w)                                                                                          \
  X("out" #o ".vc" #w ".owned_q", 1, UT_R(UT_P_OVC(o, w), owned_q), ut_masks(G, S, UT_M_OWNED, UT_V)[w] >> o)          \
  X("out" #o ".vc" #w ".credits_q", UT_CW, UT_R(UT_P_OVC(o, w), credits_q), *ut_credits_of(S, o, w, traits))

#endif
