// SPDX-License-Identifier: Apache-2.0
// ut_route_detour_cube - routing in hypercubes with faulty nodes: port d leads to the neighbour in dimension d, the ports
// behind the dimensions to terminals.
//
// The VCs are two virtual networks: the first VIN1_VCS are VIN1, all others are VIN2 (DETOUR section 3).
//   ecube           the lowest dimension that is left, in any VC
//   adaptive_vin    that one in VIN1, any that is left in VIN2, which is preferred (algorithm 3.1)
//   detour          around bad nodes, that is faulty and unsafe ones (algorithm 4.1).  By what is left to the destination
//                     step 3.1  one dimension: both networks, even into an unsafe node
//                     step 3.2  this node is unsafe: both networks to every safe neighbour, those on the way preferred
//                     step 3.3  the lowest dimension leads to a safe node: VIN1 there; VIN2, preferred, in every dimension
//                               without a bad neighbour in a lower one, where VIN2 is no detour
//                     step 3.4  else a detour: VIN2 in the second lowest dimension
//   detour_literal  the text as it is printed: step 3.3 also offers VIN2 to bad nodes
//   detour_reserved detour without VIN2 in dimension 0, which no packet needs (section 3)
// MISROUTE_HOPS: adaptive_vin, and detour in step 3.3, also offer VIN2 in dimensions that are not left, above the lowest
// one that is (end of section 3); of the minimal channels those of VIN1 then are preferred, too.  Nothing leads back.
//
// A destination is taken apart by constant divisions.  docs/explanation/route_detour.md
// Twin: csim/switch/route_detour_cube.c
`default_nettype none
`include "layout.vh"
`include "algorithms.vh"
`include "node_states.vh"
module ut_route_detour_cube #(
    parameter PI = 5,
    parameter PO = 5,
    parameter V = 2,
    parameter CUBE = 4,
    parameter VIN1_VCS = 1,
    parameter MISROUTE_HOPS = 0,
    parameter ALGORITHM = 2,
    parameter LINKS = 1  // links of a terminal each way, at adjacent ports
) (
    input wire  [             63:0] header_i,
    input wire  [           PI-1:0] in_port_i,
    input wire  [             63:0] straps_i,
    input wire  [           PO-1:0] up_i,
    input wire  [`UT_NODE_BITS-1:0] node_i,
    output wire [         V*PO-1:0] cand_o,
    output wire [         V*PO-1:0] preferred_o,
    output wire [             23:0] rt_o,
    output wire                     discard_o
);
  localparam LOCAL = PO > CUBE ? PO - CUBE : 1;
  localparam EACH = LINKS > 0 ? LINKS : 1;
  localparam [31:0] TERMINALS = LOCAL / EACH;
  localparam SAFE_NEIGHBOURS = ALGORITHM != `UT_DETOUR_CUBE_DETOUR_LITERAL;  // the correction of step 3.3

  generate  // rules on the parameters
    if (CUBE < 1 || CUBE > 12) ERROR_cube_must_be_1_to_12 u_rule ();
    if (PI != PO || PO > 64 || PO <= CUBE) ERROR_cube_needs_a_port_a_dimension_and_local_ones u_rule ();
    if (LOCAL % EACH != 0) ERROR_local_ports_must_be_all_links_of_terminals u_rule ();
  endgenerate

  localparam [CUBE-1:0] ONE = 1;
  localparam [CUBE-1:0] IN_VIN2 = ALGORITHM == `UT_DETOUR_CUBE_DETOUR_RESERVED ? ~ONE : ONE | ~ONE;  // dimensions
  wire [15:0] dst = header_i[`UT_HEADER_DST_LSB+:`UT_HEADER_DST_WIDTH];
  wire [15:0] there = dst / TERMINALS[15:0];
  wire [15:0] terminal = dst % TERMINALS[15:0];
  wire [CUBE-1:0] left = there[CUBE-1:0] ^ straps_i[`UT_CUBE_STRAP_NODE_LSB+:CUBE];  // dimensions
  wire [CUBE-1:0] lowest = left & (~left + ONE);
  wire arrived = ~|left;
  wire [LOCAL-1:0] exit;

  // ---- misrouted hops: in dimensions above the lowest one, not back
  wire [CUBE-1:0] may;  // dimensions
  wire on_detour;
  ut_detour_misroutes #(
      .D(CUBE),
      .HOPS(MISROUTE_HOPS)
  ) u_misroutes (
      .rt_i(header_i[`UT_HEADER_RT_LSB+:`UT_HEADER_RT_WIDTH]),
      .away_i(in_port_i[CUBE-1:0] & left),
      .detour_i(on_detour),
      .may_o(may),
      .rt_o(rt_o)
  );
  wire [CUBE-1:0] not_back = MISROUTE_HOPS != 0 ? ~in_port_i[CUBE-1:0] : ONE | ~ONE;
  wire [CUBE-1:0] stray = may & ~left & ~(lowest - ONE) & not_back;  // none at its node

  // ---- candidates by virtual network; of a packet at its node there are none.  astray: in VIN2, not preferred
  wire [CUBE-1:0] first, second, first_preferred, second_preferred, astray;
  genvar p, v;
  generate
    if (ALGORITHM == `UT_DETOUR_CUBE_ECUBE) begin : g_algorithm
      assign first = lowest;
      assign second = lowest;
      assign first_preferred = {CUBE{1'b0}};
      assign second_preferred = {CUBE{1'b0}};
      assign astray = {CUBE{1'b0}};
      assign on_detour = 1'b0;
    end else if (ALGORITHM == `UT_DETOUR_CUBE_ADAPTIVE_VIN) begin : g_algorithm
      assign first = lowest;
      assign second = left & not_back;
      assign astray = stray;
      assign first_preferred = lowest & {CUBE{|astray}};
      assign second_preferred = left & not_back;
      assign on_detour = 1'b0;
    end else begin : g_algorithm
      wire [CUBE-1:0] bad = node_i[`UT_NODE_BAD_LSB+:CUBE];
      wire unsafe = node_i[`UT_NODE_UNSAFE];
      wire [CUBE-1:0] others = left & ~lowest;
      wire [CUBE-1:0] next = others & (~others + ONE);
      wire last_hop = ~|others;
      wire go_on = |(lowest & ~bad);
      // up to the lowest dimension with a bad neighbour, VIN2 is no detour
      wire [CUBE-1:0] no_detour = bad ^ (bad - ONE);
      wire [CUBE-1:0] useful = left & no_detour & (SAFE_NEIGHBOURS ? ~bad : {CUBE{1'b1}}) & not_back;
      assign first = last_hop ? lowest : unsafe ? ~bad : go_on ? lowest : {CUBE{1'b0}};
      assign second = last_hop ? lowest : unsafe ? ~bad : go_on ? useful : next;
      assign astray = stray & no_detour & ~bad & {CUBE{~last_hop & ~unsafe & go_on}};
      assign on_detour = ~arrived & ~last_hop & ~unsafe & ~go_on;
      assign first_preferred = ~last_hop & unsafe ? ~bad & left : lowest & {CUBE{|astray}};
      assign second_preferred = last_hop ? lowest : unsafe ? ~bad & left : go_on ? useful : {CUBE{1'b0}};
    end
    for (p = 0; p < LOCAL; p = p + 1) begin : g_exit
      localparam [31:0] ME = p / EACH;  // any link of the terminal will do
      assign exit[p] = arrived & terminal == ME[15:0];
    end
    for (v = 0; v < V; v = v + 1) begin : g_vc
      assign cand_o[v*PO+:PO] = {exit, v < VIN1_VCS ? first : (second & IN_VIN2) | astray} & up_i;
      assign preferred_o[v*PO+:PO] = {{LOCAL{1'b0}}, v < VIN1_VCS ? first_preferred : second_preferred & IN_VIN2} &
          up_i;
    end
  endgenerate
  assign discard_o = ~|cand_o;

  // verilator lint_off UNUSEDSIGNAL
  wire unused = &{1'b0, header_i, in_port_i, straps_i, there, node_i, stray, on_detour};
  // verilator lint_on UNUSEDSIGNAL
endmodule
`default_nettype wire
