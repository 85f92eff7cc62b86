// SPDX-License-Identifier: Apache-2.0
// ut_route_forwarding - routing by next-hop groups: every port of the group that the forwarding table names, whose link is up,
// on any VC.  A group of one port is deterministic routing, one of several is multipath routing whose choice the selection
// policy makes; where a link of the group is down, the others carry on without the manager.
//
// The ports come from ut_forwarding_tables.  No rule for any topology: what is in a group is the planner's business.
// Twins: next_hops() of spec/, forwarding() of csim/switch/
`default_nettype none
module ut_route_forwarding #(
    parameter PO = 8,
    parameter V = 1
) (
    input wire  [  PO-1:0] entry_i,
    input wire  [  PO-1:0] up_i,
    output wire [V*PO-1:0] cand_o,
    output wire            discard_o
);
  wire [PO-1:0] ports = entry_i & up_i;
  assign cand_o = {V{ports}};
  assign discard_o = ~|ports;
endmodule
`default_nettype wire
