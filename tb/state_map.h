/* SPDX-License-Identifier: Apache-2.0 */
/* state_map.h - the observation bundle: every architectural register of rtl/ut_switch.v, with its place in the golden
 * model.
 *
 * One table serves comparison, report, the count of compared bits and the flipping of bits in tests.  An entry is
 *   X(path below the switch, width in bits, RTL register, golden value)
 * (of one bit: bit 0 of the golden value counts) or, of a register that each port or VC has and that is a byte,
 *   B(path below the switch, width in bits, name of the RTL register, row, port, VC)
 * where `row` is that register of all lanes (tb/shim_view.h).  Lists are by index space; i/v are input port
 * and VC, o/w output port and VC.  Registers that reset does not initialise (payload) are copied into the golden model
 * at the start, see ADOPT rows.  Included by tb/shim_state.h only, after shim_view.h; S is the golden switch, G its
 * group, AT where its registers lie.
 */
#ifndef UT_STATE_MAP_H
#define UT_STATE_MAP_H

/* How Verilator spells a register below the switch.  In a netlist (UT_GATE) all of them are wires of one module, whose
 * names are those of the RTL with dots and brackets in them, which Verilator writes as hexadecimal codes. */
#if UT_GATE
#define UT_DOT __02e
#define UT_BRA __05b
#define UT_KET __05d
#else
#define UT_DOT __DOT__
#define UT_BRA __BRA__
#define UT_KET __KET__
#endif
#define UT_CAT_(a, b) a##b
#define UT_CAT(a, b) UT_CAT_(a, b)
#define UT_CAT3(a, b, c) UT_CAT(UT_CAT(a, b), c)
#define UT_IN(block, name) UT_CAT3(block, UT_DOT, name)            /* block.name */
#define UT_NTH(block, n) UT_CAT(UT_CAT3(block, UT_BRA, n), UT_KET) /* block[n] */
#define UT_TEXT_(name) #name
#define UT_TEXT(name) UT_TEXT_(name)
#define UT_MEMBER(name) UT_CAT(ut_switch__DOT__, name)
#define UT_R(name) root->UT_MEMBER(name)

#define UT_INPUT(i, name) UT_IN(UT_NTH(g_in, i), UT_IN(u_input, name))
#define UT_INPUT_VC(i, v, name) UT_INPUT(i, UT_IN(UT_NTH(g_vc, v), UT_IN(u_vc, name)))
#define UT_OUTPUT(o, name) UT_IN(UT_NTH(g_out, o), UT_IN(u_output, name))
#define UT_OUTPUT_VC(o, w, name) UT_OUTPUT(o, UT_IN(UT_NTH(g_vc, w), name))
#define UT_QUEUES(o, name) UT_OUTPUT(o, UT_IN(g_queue, UT_IN(u_queue, name)))
#define UT_QUEUE(o, w, name) UT_QUEUES(o, UT_IN(UT_NTH(g_fifo, w), UT_IN(u_fifo, name)))
#define UT_SWITCH_IN(i, name) UT_IN(u_switch_allocator, UT_IN(g_first, UT_IN(UT_NTH(g_in, i), name)))
#define UT_SWITCH_OUT(o, name) UT_IN(u_switch_allocator, UT_IN(UT_NTH(g_out, o), name))
#define UT_VC_OUT(n, name) UT_IN(u_vc_allocator, UT_IN(UT_NTH(g_owner, n), name))
/* The registers of ut_arbitration_policy and ut_selection_policy, if the policy has any. */
#define UT_OF_POLICY(name) UT_IN(u_policy, UT_IN(g_policy, UT_IN(u_policy, name)))
#define UT_ARBITER_POINTER UT_IN(g_mask, UT_IN(u_pointer, pointer_q)) /* of a ut_rr_arbiter */

/* A memory of the RTL, as an array.  In a netlist it is one wire for each word; words(X, name) is X(name, 0) X(name, 1)
 * ...  Lanes store the words one after the other (slice/image.h). */
#if UT_SLICED
#define UT_ONE_OF(name, d) +1
#define UT_MEMORY(var, words, name)                                                                                    \
  const auto &var = one_after_the_other<0 words(UT_ONE_OF, name)>(root->UT_CAT(ut_switch__DOT__, UT_NTH(name, 0)));
#elif UT_GATE
#define UT_WORD_OF(name, d) &root->UT_NTH(name, d),
#define UT_MEMORY(var, words, name)                                                                                    \
  const auto var##_wires = {words(UT_WORD_OF, UT_CAT(ut_switch__DOT__, name))};                                        \
  const Memory var{var##_wires.begin()};
#else
#define UT_MEMORY(var, words, name) const auto &var = UT_R(name);
#endif

/* whole switch */
#define UT_STATE_SWITCH(X)                                                                                             \
  X("stale_link_q", 1, UT_R(stale_link_q), AT.ports(UT_S_STALE_LINK) != 0)                                             \
  X("discard_q", UT_PI, UT_R(discard_q), AT.ports(UT_S_DISCARD))
/* Last in the list: a report begins with a register of the port that broke a rule. */
#define UT_STATE_ERROR(X) X("error_q", 1, UT_R(error_q), 0)

#define UT_STATE_VECTOR(X)                                                                                             \
  X("u_vector.vector_q", UT_PO / 2, UT_R(UT_IN(g_state, UT_IN(u_vector, vector_q))), S->vector >> UT_PO / 2)           \
  X("u_vector.neighbour_q", UT_PO / 2, UT_R(UT_IN(g_state, UT_IN(u_vector, neighbour_q))), S->neighbour >> UT_PO / 2)  \
  X("u_vector.timer_q", 16, UT_R(UT_IN(g_state, UT_IN(u_vector, timer_q))), S->timer)                                  \
  X("u_vector.fault_q", 1, UT_R(UT_IN(g_state, UT_IN(u_vector, fault_q))), S->fault)                                   \
  X("u_vector.stale_q", 1, UT_R(UT_IN(g_state, UT_IN(u_vector, stale_q))), S->stale_state)

#define UT_STATE_FAR(X) X("u_vector.far_q", 1, UT_R(UT_IN(g_state, UT_IN(u_vector, UT_IN(g_far, far_q)))), S->far)

/* Node states: over ports to other nodes; grids also have the nodes across a corner, and some grids the border. */
#define UT_NODE_PORTS (UT_CUBE ? UT_CUBE : UT_REPORTS - 3)
#define UT_NODE(name) UT_R(UT_IN(g_state, UT_IN(u_nodes, name)))
#define UT_KNOWN ut_node_states_of(G, S)
#define UT_STATE_NODES(X)                                                                                              \
  X("u_nodes.bad_q", UT_NODE_PORTS, UT_NODE(bad_q), UT_KNOWN->bad)                                                     \
  X("u_nodes.unsafe_q", 1, UT_NODE(unsafe_q), UT_KNOWN->unsafe)                                                        \
  X("u_nodes.stale_q", 1, UT_NODE(stale_q), S->stale_state)                                                            \
  X("u_nodes.refused_q", 16, UT_NODE(refused_q), UT_KNOWN->refused)                                                    \
  X("u_nodes.refuses_q", 1, UT_NODE(refuses_q), UT_KNOWN->refuses)                                                     \
  X("u_nodes.restart_q", 1, UT_NODE(restart_q), UT_KNOWN->restart)                                                     \
  X("u_nodes.purge_q", 1, UT_NODE(purge_q), UT_KNOWN->purge)
#define UT_STATE_CORNERS(X)                                                                                            \
  X("u_nodes.diagonal_q", UT_NODE_PORTS *(UT_NODE_PORTS - 2) / 2, UT_NODE(UT_IN(g_rule, diagonal_q)),                  \
    UT_KNOWN->diagonal)                                                                                                \
  X("u_nodes.disabled_q", 1, UT_NODE(UT_IN(g_rule, disabled_q)), UT_KNOWN->disabled)
#define UT_STATE_BORDERS(X)                                                                                            \
  X("u_nodes.border_q", 2, UT_NODE(UT_IN(g_rule, UT_IN(g_border, border_q))), UT_KNOWN->border)                        \
  X("u_nodes.corner_q", 4, UT_NODE(UT_IN(g_rule, UT_IN(g_border, corner_q))), UT_KNOWN->corner)

/* The forwarding table; its entries are apart. */
#define UT_TABLES(name) UT_IN(g_tables, UT_IN(u_tables, name))
#define UT_ESCAPE_TABLE (UT_ALG_TABLES(UT_ROUTE, UT_ALGORITHM) && UT_ALG_PREFERRED(UT_ROUTE, UT_ALGORITHM))
#if UT_VC_MAP || UT_ESCAPE_TABLE
#define UT_STATE_BANKS(X)                                                                                              \
  X("u_tables.bank_q", UT_PI, UT_R(UT_TABLES(bank_q)), S->banks)                                                       \
  X("u_tables.begins_q", UT_PI, UT_R(UT_TABLES(UT_IN(g_begins, begins_q))), S->begins)
#elif UT_ALG_TABLES(UT_ROUTE, UT_ALGORITHM)
#define UT_STATE_BANKS(X) X("u_tables.bank_q", UT_PI, UT_R(UT_TABLES(bank_q)), S->banks)
#else
#define UT_STATE_BANKS(X)
#endif

/* Exclusion interval n of the up ports. */
#define UT_STATE_INTERVAL(X, n)                                                                                        \
  X("u_exclusions.interval_q[" #n "]", 32,                                                                             \
    UT_R(UT_IN(g_exclusions, UT_IN(u_exclusions, UT_IN(UT_NTH(g_interval, n), interval_q)))),                          \
    ut_reg_interval(G, S, n))

/* Registers of the routing family that this elaboration has. */
#if UT_ALG_STATES(UT_ROUTE, UT_ALGORITHM) && UT_CUBE
#define UT_STATE_FAMILY(X) UT_STATE_NODES(X)
#elif UT_ALG_STATES(UT_ROUTE, UT_ALGORITHM) && !UT_BORDERS
#define UT_STATE_FAMILY(X) UT_STATE_NODES(X) UT_STATE_CORNERS(X)
#elif UT_ALG_STATES(UT_ROUTE, UT_ALGORITHM)
#define UT_STATE_FAMILY(X) UT_STATE_NODES(X) UT_STATE_CORNERS(X) UT_STATE_BORDERS(X)
#elif UT_ALG_FAR(UT_ROUTE, UT_ALGORITHM)
#define UT_STATE_FAMILY(X) UT_STATE_VECTOR(X) UT_STATE_FAR(X)
#elif UT_ALG_VECTOR(UT_ROUTE, UT_ALGORITHM)
#define UT_STATE_FAMILY(X) UT_STATE_VECTOR(X)
#elif UT_EXCLUSIONS
#define UT_STATE_FAMILY(X) UT_FOR_INTERVAL(PER_INTERVAL)
#else
#define UT_STATE_FAMILY(X)
#endif

/* Status outputs of the switch.  No other check covers discard_o and error_o; idle_o decides which switches are
 * stepped. error_o never rises: terminals, links and faults obey the protocol. */
#define UT_OUTPUTS(X)                                                                                                  \
  X("idle_o", 1, root->idle_o, ut_at_idle(AT, form))                                                                   \
  X("discard_o", UT_PI, root->discard_o, AT.ports(UT_S_DISCARD))                                                       \
  X("error_o", 1, root->error_o, 0)

/* input port i */
#define UT_STATE_IN(B, X, i)                                                                                           \
  B("in" #i ".up_q", 1, UT_INPUT(i, up_q), IN_UP, i, 0)                                                                \
  UT_STATE_IN_SELECT(X, i)

/* For algorithms in which a packet may choose among several ports. */
#if UT_LINKS == 1 && UT_V <= UT_ALG_SINGLE(UT_ROUTE, UT_ALGORITHM)
#define UT_STATE_IN_SELECT(X, i)
#elif UT_SELECTION_BITS(UT_SELECTION) /* the register of the policy, as above */
#define UT_SELECTION_REGISTER UT_CAT(UT_SELECTION_REGISTER_, UT_SELECTION)
#define UT_STATE_IN_SELECT(X, i)                                                                                       \
  X("in" #i "." UT_TEXT(UT_SELECTION_REGISTER), UT_SELECTION_BITS(UT_SELECTION),                                       \
    UT_R(UT_IN(u_vc_allocator, UT_IN(UT_NTH(g_in, i), UT_IN(g_selection, UT_OF_POLICY(UT_SELECTION_REGISTER))))),      \
    ut_at_select_policy(AT, i, form))
#else
#define UT_STATE_IN_SELECT(X, i)                                                                                       \
  X("in" #i ".select_q", UT_PO, UT_R(UT_IN(u_vc_allocator, UT_IN(UT_NTH(g_in, i), UT_IN(g_turn, select_q)))),          \
    ut_at_select(AT, i, form))
#endif

#if UT_V > 1
#define UT_STATE_IN_ARBITERS(B, i)                                                                                     \
  B("in" #i ".route_arbiter.pointer_q", UT_V, UT_INPUT(i, UT_IN(u_route_arbiter, UT_ARBITER_POINTER)), ROUTE_POINTER,  \
    i, 0)
#else
#define UT_STATE_IN_ARBITERS(B, i)
#endif
#if UT_V > 1 && UT_XBAR == 0
#define UT_STATE_IN_XBAR(B, i)                                                                                         \
  B("in" #i ".switch_arbiter.pointer_q", UT_V, UT_SWITCH_IN(i, UT_IN(u_arbiter, UT_ARBITER_POINTER)), SWITCH_POINTER,  \
    i, 0)
#else
#define UT_STATE_IN_XBAR(B, i)
#endif

/* input VC (i, v) */
#define UT_STATE_VC(B, i, v)                                                                                           \
  B("in" #i ".vc" #v ".state_q", 3, UT_INPUT_VC(i, v, state_q), STATE, i, v)                                           \
  B("in" #i ".vc" #v ".open_q", 1, UT_INPUT_VC(i, v, open_q), OPEN, i, v)                                              \
  B("in" #i ".vc" #v ".credit_q", 1, UT_INPUT_VC(i, v, credit_q), CREDIT, i, v)                                        \
  B("in" #i ".vc" #v ".pending_credits_q", UT_CW, UT_INPUT_VC(i, v, pending_credits_q), PENDING_CREDITS, i, v)         \
  UT_STATE_VC_POINTERS(B, i, v)                                                                                        \
  B("in" #i ".vc" #v ".fifo.count_q", UT_CW, UT_INPUT_VC(i, v, UT_IN(u_fifo, count_q)), COUNT, i, v)
#if UT_GATE && UT_DEPTH == 1 /* synthesis finds that they are constant */
#define UT_STATE_VC_POINTERS(B, i, v)
#else
#define UT_STATE_VC_POINTERS(B, i, v)                                                                                  \
  B("in" #i ".vc" #v ".fifo.rd_q", UT_AW, UT_INPUT_VC(i, v, UT_IN(u_fifo, rd_q)), RD, i, v)                            \
  B("in" #i ".vc" #v ".fifo.wr_q", UT_AW, UT_INPUT_VC(i, v, UT_IN(u_fifo, wr_q)), WR, i, v)
#endif
#if UT_SWITCHING
#define UT_STATE_VC_CUT(B, i, v) B("in" #i ".vc" #v ".cut_q", 1, UT_INPUT_VC(i, v, UT_IN(g_cut, cut_q)), CUT, i, v)
#else
#define UT_STATE_VC_CUT(B, i, v)
#endif
#if UT_ESCAPES > 1
#define UT_STATE_VC_STRIP(B, i, v)                                                                                     \
  B("in" #i ".vc" #v ".stripped_q", 1, UT_INPUT_VC(i, v, UT_IN(g_strip, stripped_q)), STRIPPED, i, v)
#else
#define UT_STATE_VC_STRIP(B, i, v)
#endif
#if UT_ROUTE_CYCLES > 2
#define UT_STATE_VC_WAIT(B, i, v) B("in" #i ".vc" #v ".wait_q", 2, UT_INPUT_VC(i, v, UT_IN(g_wait, wait_q)), WAIT, i, v)
#else
#define UT_STATE_VC_WAIT(B, i, v)
#endif
#if UT_ALG_VECTOR(UT_ROUTE, UT_ALGORITHM)
#define UT_STATE_VC_DEPENDS(B, i, v)                                                                                   \
  B("in" #i ".vc" #v ".depends_q", 1, UT_INPUT_VC(i, v, UT_IN(g_depends, depends_q)), DEPENDS, i, v)
#else
#define UT_STATE_VC_DEPENDS(B, i, v)
#endif
#if UT_ALG_STATES(UT_ROUTE, UT_ALGORITHM)
#define UT_STATE_VC_PURGE(B, i, v) B("in" #i ".vc" #v ".old_q", 1, UT_INPUT_VC(i, v, UT_IN(g_purge, old_q)), OLD, i, v)
#else
#define UT_STATE_VC_PURGE(B, i, v)
#endif
/* The register of the arbitration policy, by the name that rtl/policies.tsv gives it. */
#if UT_ARBITRATION_BITS(UT_ARBITRATION)
#define UT_ARBITRATION_REGISTER UT_CAT(UT_ARBITRATION_REGISTER_, UT_ARBITRATION)
#define UT_STATE_VC_POLICY(B, i, v)                                                                                    \
  B("in" #i ".vc" #v "." UT_TEXT(UT_ARBITRATION_REGISTER), UT_ARBITRATION_BITS(UT_ARBITRATION),                        \
    UT_INPUT_VC(i, v, UT_OF_POLICY(UT_ARBITRATION_REGISTER)), POLICY, i, v)
#else
#define UT_STATE_VC_POLICY(B, i, v)
#endif
#if UT_XBAR_CYCLES
#define UT_STATE_VC_CROSS(B, i, v)                                                                                     \
  B("in" #i ".vc" #v ".cross_q", 1, UT_INPUT_VC(i, v, UT_IN(g_cross, cross_q)), CROSS, i, v)
#else
#define UT_STATE_VC_CROSS(B, i, v)
#endif
#if UT_ALG_REWRITES(UT_ROUTE, UT_ALGORITHM) || UT_MISROUTE || UT_MISROUTE_HOPS
#define UT_STATE_VC_REWRITE(X, i, v)                                                                                   \
  X("in" #i ".vc" #v ".rt_q", 24, UT_R(UT_INPUT_VC(i, v, UT_IN(g_rewrite, rt_q))), ut_at_rt(AT, i, v, form))
#else
#define UT_STATE_VC_REWRITE(X, i, v)
#endif

/* output port o */
#define UT_STATE_OUT(B, o)                                                                                             \
  B("out" #o ".up_q", 1, UT_OUTPUT(o, up_q), OUT_UP, o, 0)                                                             \
  B("out" #o ".valid_q", 1, UT_OUTPUT(o, valid_q), VALID, o, 0)

/* output VC (o, w) */
#define UT_STATE_OVC(B, o, w)                                                                                          \
  B("out" #o ".vc" #w ".owned_q", 1, UT_OUTPUT_VC(o, w, owned_q), OWNED, o, w)                                         \
  B("out" #o ".vc" #w ".credits_q", UT_CW, UT_OUTPUT_VC(o, w, credits_q), CREDITS, o, w)                               \
  B("out" #o ".vc" #w ".offer_q", 1 + form.bubble + form.levels, UT_OUTPUT_VC(o, w, offer_q), OFFER, o, w)

/* the queue of output VC (o, w), but for its places */
#if UT_OUTPUT_DEPTH
#define UT_STATE_QUEUE(B, o, w)                                                                                        \
  UT_STATE_QUEUE_POINTERS(B, o, w)                                                                                     \
  B("out" #o ".vc" #w ".queue.count_q", UT_QW, UT_QUEUE(o, w, count_q), QUEUE_COUNT, o, w)
#else
#define UT_STATE_QUEUE(B, o, w)
#endif
#if UT_GATE && UT_OUTPUT_DEPTH == 1 /* constant, as those of buffers */
#define UT_STATE_QUEUE_POINTERS(B, o, w)
#else
#define UT_STATE_QUEUE_POINTERS(B, o, w)                                                                               \
  B("out" #o ".vc" #w ".queue.rd_q", UT_QA, UT_QUEUE(o, w, rd_q), QUEUE_RD, o, w)                                      \
  B("out" #o ".vc" #w ".queue.wr_q", UT_QA, UT_QUEUE(o, w, wr_q), QUEUE_WR, o, w)
#endif
#if UT_OUTPUT_DEPTH && UT_V > 1
#define UT_STATE_LINK(B, o)                                                                                            \
  B("out" #o ".link_arbiter.pointer_q", UT_V, UT_QUEUES(o, UT_IN(u_link, UT_ARBITER_POINTER)), LINK_POINTER, o, 0)
#else
#define UT_STATE_LINK(B, o)
#endif

/* output register of port o, but for its data */
#define UT_STATE_FLIT(B, o)                                                                                            \
  B("out" #o ".kind_q", 2, UT_OUTPUT(o, kind_q), KIND, o, 0)                                                           \
  B("out" #o ".bad_q", 1, UT_OUTPUT(o, bad_q), BAD, o, 0)                                                              \
  B("out" #o ".vc_q", VW, UT_OUTPUT(o, vc_q), SENT_VC, o, 0)

#endif
