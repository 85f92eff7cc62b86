// SPDX-License-Identifier: Apache-2.0
// The answer of a route unit, packed into one vector; the order of the fields is defined here only.
//
//   cand        candidate set over (ovc,op)
//   bubble      its subset that must obey the bubble rule
//   preferred   its subset of the preferred class
//   set         bits of the re-route vector to set, over op
//   rt          the rewritten rt field of the header
//   strip       the next header word of the stack becomes the head
//   discard     nothing leads to the destination
//   uses_state  the set depends on the state of the routing family
//
// UT_ENTRY_BITS(v, po, destinations, groups, vc_map) is the width of what a forwarding table answers: {valid, VC, port}, or with
// groups a set of ports, with a VC map one for each VC; 1 without tables.
// UT_ANSWER_<FIELD>(v, po) is the part select of a field, UT_ANSWER_BITS(v, po) the width of all of them.
// Twin: struct ut_route_result in csim/switch/route_unit.h
`ifndef UT_ROUTE_ANSWER_VH
`define UT_ROUTE_ANSWER_VH
`define UT_ENTRY_BITS(v, po, destinations, groups, vc_map) \
  ((destinations) == 0 ? 1 : (groups) != 0 ? ((vc_map) != 0 ? (v) : 1) * (po) : 1 + $clog2(po) + $clog2(v))
`define UT_ANSWER_CAND(v, po) 0+:(v)*(po)
`define UT_ANSWER_BUBBLE(v, po) (v)*(po)+:(v)*(po)
`define UT_ANSWER_PREFERRED(v, po) 2*(v)*(po)+:(v)*(po)
`define UT_ANSWER_SET(v, po) 3*(v)*(po)+:(po)
`define UT_ANSWER_RT(v, po) (3*(v)+1)*(po)+:24
`define UT_ANSWER_STRIP(v, po) (3*(v)+1)*(po)+24
`define UT_ANSWER_DISCARD(v, po) (3*(v)+1)*(po)+25
`define UT_ANSWER_USES_STATE(v, po) (3*(v)+1)*(po)+26
`define UT_ANSWER_BITS(v, po) ((3*(v)+1)*(po)+27)
`endif
