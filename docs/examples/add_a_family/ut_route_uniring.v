// ut_route_uniring - routing in the unidirectional ring, with a dateline (Dally and Towles, chapter 14).
//
// A packet leaves at output 1 until it is at its node, there at output 0.  One VC would deadlock: the ring's links would
// wait for each other all around.  So the link from the last node to node 0 is the dateline.  A packet that has it
// before it (dst < here) takes the VCs below the last one, a packet that has not (dst > here) takes the last one.
// Nobody crosses the dateline on the last VC, and nobody who has crossed it takes the others: no cycle is left.
// Nothing leads to the destination: the only link on the way is down.
// Twin: csim/switch/route_uniring.c
`default_nettype none
`include "layout.vh"
module ut_route_uniring #(
    parameter PI = 2,
    parameter PO = 2,
    parameter V = 2
) (
    input wire  [    63:0] header_i,
    input wire  [    63:0] straps_i,
    input wire  [  PO-1:0] up_i,
    output wire [V*PO-1:0] cand_o,
    output wire            discard_o
);
  generate
    if (PI != 2 || PO != 2) begin : g_ports
      ERROR_uniring_needs_two_ports_both_ways u_rule ();
    end
  endgenerate

  wire [15:0] dst = header_i[`UT_HEADER_DST_LSB+:16];
  wire [15:0] here = straps_i[`UT_UNIRING_STRAP_HERE_LSB+:16];
  wire arrived = dst == here;

  genvar v;
  generate
    for (v = 0; v < V; v = v + 1) begin : g_vc
      wire on = v == V - 1 ? dst > here : dst < here;
      assign cand_o[v*PO+:PO] = {on, arrived} & up_i;
    end
  endgenerate
  assign discard_o = ~|cand_o;

  // verilator lint_off UNUSEDSIGNAL
  wire unused = &{1'b0, header_i, straps_i};
  // verilator lint_on UNUSEDSIGNAL
endmodule
`default_nettype wire
