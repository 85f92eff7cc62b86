// SPDX-License-Identifier: Apache-2.0
// ut_route_forwarding - routing by next-hop groups: every port of the group that the forwarding table names, whose link is up,
// on any VC, or on those that a VC map allows.  A group of one port is deterministic routing, one of several is multipath
// routing whose choice the selection policy makes; where a link of the group is down, the others carry on without the manager.
//
// With VIA a packet first goes to an intermediate terminal: where that phase ends, or has no link that is up, it goes on to
// its destination.  The entry has the candidates of both, and whether the packet may choose between them (UGAL).
//
// Ports and VCs come from ut_forwarding_tables.  No rule for any topology: what is in a group is the planner's business.
// Twins: next_hops() of spec/, forwarding() of csim/switch/
`default_nettype none
`include "route_answer.vh"
module ut_route_forwarding #(
    parameter PO = 8,
    parameter V = 1,
    parameter VC_MAP = 0,
    parameter VIA = 0,
    parameter ESCAPE = 0,
    parameter EW = `UT_ENTRY_BITS(V, PO, 1, 2, VC_MAP + ESCAPE, VIA)
) (
    input wire  [  EW-1:0] entry_i,    // ports, with a VC map or an escape VC over (ovc, op); with VIA {may choose, first phase, second phase}
    input wire  [  PO-1:0] up_i,
    output wire [V*PO-1:0] cand_o,
    output wire [V*PO-1:0] preferred_o,
    output wire            discard_o
);
  generate
    if (VIA != 0) begin : g_cand
      wire [V*PO-1:0] first = entry_i[V*PO+:V*PO] & {V{up_i}};
      wire [V*PO-1:0] second = entry_i[V*PO-1:0] & {V{up_i}};
      assign cand_o = first | (second & {V * PO{entry_i[EW-1] | ~|first}});
    end else if (VC_MAP != 0 || ESCAPE != 0) begin : g_cand
      assign cand_o = entry_i & {V{up_i}};
    end else begin : g_cand
      assign cand_o = {V{entry_i & up_i}};
    end
  endgenerate
  localparam NP = V * PO;
  localparam [NP-1:0] PREFERRED = ESCAPE != 0 ? {NP{1'b1}} >> PO : {NP{1'b0}};  // the escape VC is the last one
  assign preferred_o = cand_o & PREFERRED;
  assign discard_o = ~|cand_o;
endmodule
`default_nettype wire
