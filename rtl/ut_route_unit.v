// SPDX-License-Identifier: Apache-2.0
// ut_route_unit - route computation of one input port: the interface that every routing family obeys.
//
// in:  header word, input port, input VC, straps, link states of the outputs, the family's state (re-route vector,
//      neighbours' states; states of nodes)
// out: the answer, one packed vector whose fields route_answer.vh tells
// The rewritten header never depends on the output that is chosen.  Combinational; ROUTE_CYCLES is spent in ut_input_vc.
// A family is one ut_route_<family>.v and one line of rtl/algorithms.tsv.
// Twin: csim/switch/route_unit.h
`default_nettype none
`include "layout.vh"
`include "algorithms.vh"
`include "node_states.vh"
`include "route_answer.vh"
module ut_route_unit #(
    // rtl/parameters.tsv: begin
    parameter PI = 8,
    parameter PO = 8,
    parameter V = 1,
    parameter ROUTE = 0,
    parameter ALGORITHM = 2,
    parameter SIZE0 = 0,
    parameter SIZE1 = 0,
    parameter SIZE2 = 0,
    parameter SIZE3 = 0,
    parameter ESCAPES = 1,
    parameter DETERMINISTIC = 0,
    parameter MISROUTE = 0,
    parameter RADIX = 0,
    parameter PARALLEL = 0,
    parameter DUAL_HOMED = 0,
    parameter HALF_CROSSBAR = 0,
    parameter LINKS = 1,
    parameter DESTINATIONS = 0,
    parameter GROUPS = 0,
    parameter VC_MAP = 0,
    parameter VIA = 0,
    parameter CUBE = 0,
    parameter ROOT = 0,
    parameter EXCLUSIONS = 0,
    parameter VIN1_VCS = 1,
    parameter MISROUTE_HOPS = 0,
    // rtl/parameters.tsv: end
    parameter XW = EXCLUSIONS != 0 ? 32 * (PO / 2) * EXCLUSIONS : 1,  // bits of exclusion intervals
    parameter EW = `UT_ENTRY_BITS(V, PO, DESTINATIONS, GROUPS, VC_MAP + `UT_ALG_PREFERRED(ROUTE, ALGORITHM), VIA)  // of a forwarding table's answer
) (
    input wire  [    63:0] header_i,
    input wire  [  EW-1:0] entry_i,       // of the packet: ut_forwarding_tables
    input wire  [PI-1:0]   in_port_i,     // one-hot, a constant of each instance
    input wire  [   V-1:0] in_vc_i,       // one-hot
    input wire  [    63:0] straps_i,
    input wire  [  PO-1:0] up_i,
    input wire  [  PO-1:0] vector_i,      // re-route vector, bit = output port
    input wire  [  PO-1:0] neighbour_i,   // state reported by the switch behind each port
    input wire  [`UT_NODE_BITS-1:0] node_i,  // states of nodes, node_states.vh
    input wire  [    XW-1:0] intervals_i,   // exclusion intervals of the up ports
    output wire [  PO-1:0] ever_o,       // output ports to which this input can ever be routed: a constant of each instance
    output wire [`UT_ANSWER_BITS(V, PO)-1:0] answer_o
);
  wire [V*PO-1:0] cand, bubble, preferred;
  wire [PO-1:0] set;
  wire [23:0] rt;
  wire strip, discard, uses_state;
  wire refused;  // by order of the fault manager
  // ---- parameters that a family accepts; the name of the missing module is the rule
  localparam GRID = ROUTE == `UT_ROUTE_TORUS || ROUTE == `UT_ROUTE_MESH || ROUTE == `UT_ROUTE_DETOUR_TORUS ||
      ROUTE == `UT_ROUTE_DETOUR_MESH;
  localparam FORWARDING = ROUTE == `UT_ROUTE_TABLE &&
      (ALGORITHM == `UT_TABLE_FORWARDING || ALGORITHM == `UT_TABLE_FORWARDING_ESCAPE);
  localparam ESCAPE = FORWARDING ? `UT_ALG_PREFERRED(ROUTE, ALGORITHM) : 0;
  localparam DIGITS = ROUTE == `UT_ROUTE_RUFT;
  localparam DIRECT = GRID || ROUTE == `UT_ROUTE_DETOUR_CUBE;  // every switch has terminals
  generate
    if (!GRID && (SIZE0 != 0 || SIZE1 != 0 || SIZE2 != 0 || SIZE3 != 0)) ERROR_sizes_are_for_grids u_rule ();
    if (ROUTE != `UT_ROUTE_DETOUR_CUBE && CUBE != 0) ERROR_cube_is_for_hypercubes u_rule ();
    if (!DIGITS && (RADIX != 0 || PARALLEL != 0 || DUAL_HOMED != 0 || HALF_CROSSBAR != 0))
      ERROR_radix_is_for_routing_by_bits_of_digits u_rule ();
    if (ROUTE != `UT_ROUTE_FATTREE && ROOT != 0) ERROR_root_is_for_trees u_rule ();
    if (FORWARDING && GROUPS < 2) ERROR_forwarding_needs_2_next_hop_groups u_rule ();
    if (!FORWARDING && GROUPS != 0) ERROR_next_hop_groups_are_for_forwarding u_rule ();
    if (VIA != 0 && (VC_MAP < 2 || VIA >= V)) ERROR_via_needs_a_vc_map_and_another_vc u_rule ();
    if ((!FORWARDING || ESCAPE != 0) && VC_MAP != 0) ERROR_vc_map_is_for_forwarding u_rule ();
    if (!DIRECT && LINKS > 1) ERROR_terminal_links_are_for_direct_networks u_rule ();
  endgenerate

  generate
    case (ROUTE)  // with else, the if would get generated names in a netlist
      `UT_ROUTE_FATTREE: begin : g_family
        ut_route_fattree #(
            .PI(PI),
            .PO(PO),
            .V(V),
            .ALGORITHM(ALGORITHM),
            .ROOT(ROOT),
            .EXCLUSIONS(EXCLUSIONS)
        ) u_route (
            .header_i(header_i),
            .in_port_i(in_port_i),
            .in_vc_i(in_vc_i),
            .straps_i(straps_i),
            .up_i(up_i),
            .intervals_i(intervals_i),
            .vector_i(vector_i),
            .neighbour_i(neighbour_i),
            .cand_o(cand),
            .bubble_o(bubble),
            .preferred_o(preferred),
            .rt_o(rt),
            .discard_o(discard),
            .uses_state_o(uses_state),
            .set_o(set)
        );
        assign strip = 1'b0;
      end
      `UT_ROUTE_TORUS, `UT_ROUTE_MESH: begin : g_family
        ut_route_torus #(
            .PI(PI),
            .PO(PO),
            .V(V),
            .WRAP(ROUTE == `UT_ROUTE_TORUS),
            .ALGORITHM(ALGORITHM),
            .ESCAPES(ESCAPES),
            .DETERMINISTIC(DETERMINISTIC),
            .MISROUTE(MISROUTE),
            .SIZE0(SIZE0),
            .SIZE1(SIZE1),
            .SIZE2(SIZE2),
            .SIZE3(SIZE3),
            .LINKS(LINKS)
        ) u_route (
            .header_i(header_i),
            .in_port_i(in_port_i),
            .in_vc_i(in_vc_i),
            .straps_i(straps_i),
            .up_i(up_i),
            .cand_o(cand),
            .bubble_o(bubble),
            .preferred_o(preferred),
            .rt_o(rt),
            .strip_o(strip),
            .discard_o(discard)
        );
        assign uses_state = 1'b0;
        assign set = {PO{1'b0}};
        // verilator lint_off UNUSEDSIGNAL
        wire unused = &{1'b0, vector_i, neighbour_i};
        // verilator lint_on UNUSEDSIGNAL
      end
      `UT_ROUTE_RUFT: begin : g_family
        ut_route_ruft #(
            .PI(PI),
            .PO(PO),
            .V(V),
            .RADIX(RADIX),
            .PARALLEL(PARALLEL),
            .DUAL_HOMED(DUAL_HOMED),
            .HALF_CROSSBAR(HALF_CROSSBAR)
        ) u_route (
            .header_i(header_i),
            .in_port_i(in_port_i),
            .straps_i(straps_i),
            .up_i(up_i),
            .ever_o(ever_o),
            .cand_o(cand),
            .discard_o(discard)
        );
        assign strip = 1'b0;
        assign bubble = {V * PO{1'b0}};
        assign preferred = {V * PO{1'b0}};
        assign rt = header_i[`UT_HEADER_RT_LSB+:`UT_HEADER_RT_WIDTH];
        assign uses_state = 1'b0;
        assign set = {PO{1'b0}};
        // verilator lint_off UNUSEDSIGNAL
        wire unused = &{1'b0, in_vc_i, vector_i, neighbour_i};  // one layer, no state
        // verilator lint_on UNUSEDSIGNAL
      end
      `UT_ROUTE_DETOUR_CUBE: begin : g_family
        ut_route_detour_cube #(
            .PI(PI),
            .PO(PO),
            .V(V),
            .CUBE(CUBE),
            .VIN1_VCS(VIN1_VCS),
            .MISROUTE_HOPS(MISROUTE_HOPS),
            .ALGORITHM(ALGORITHM),
            .LINKS(LINKS)
        ) u_route (
            .header_i(header_i),
            .in_port_i(in_port_i),
            .straps_i(straps_i),
            .up_i(up_i),
            .node_i(node_i),
            .cand_o(cand),
            .preferred_o(preferred),
            .rt_o(rt),
            .discard_o(discard)
        );
        assign strip = 1'b0;
        assign bubble = {V * PO{1'b0}};
        assign uses_state = `UT_ALG_STATES(ROUTE, ALGORITHM);
        assign set = {PO{1'b0}};
        // verilator lint_off UNUSEDSIGNAL
        wire unused = &{1'b0, in_vc_i, vector_i, neighbour_i};
        // verilator lint_on UNUSEDSIGNAL
      end
      `UT_ROUTE_DETOUR_MESH, `UT_ROUTE_DETOUR_TORUS: begin : g_family
        ut_route_detour_grid #(
            .PI(PI),
            .PO(PO),
            .V(V),
            .VIN1_VCS(VIN1_VCS),
            .MISROUTE_HOPS(MISROUTE_HOPS),
            .WRAP(ROUTE == `UT_ROUTE_DETOUR_TORUS),
            .ALGORITHM(ALGORITHM),
            .SIZE0(SIZE0),
            .SIZE1(SIZE1),
            .SIZE2(SIZE2),
            .SIZE3(SIZE3),
            .LINKS(LINKS)
        ) u_route (
            .header_i(header_i),
            .in_port_i(in_port_i),
            .in_vc_i(in_vc_i),
            .straps_i(straps_i),
            .up_i(up_i),
            .node_i(node_i),
            .cand_o(cand),
            .preferred_o(preferred),
            .rt_o(rt),
            .discard_o(discard)
        );
        assign strip = 1'b0;
        assign bubble = {V * PO{1'b0}};
        assign uses_state = `UT_ALG_STATES(ROUTE, ALGORITHM);
        assign set = {PO{1'b0}};
        // verilator lint_off UNUSEDSIGNAL
        wire unused = &{1'b0, vector_i, neighbour_i};
        // verilator lint_on UNUSEDSIGNAL
      end
      `UT_ROUTE_TABLE: begin : g_family
        if (FORWARDING) begin : g_algorithm
          ut_route_forwarding #(
              .PO(PO),
              .V(V),
              .VC_MAP(VC_MAP),
              .VIA(VIA),
              .ESCAPE(ESCAPE)
          ) u_route (
              .entry_i(entry_i),
              .up_i(up_i),
              .cand_o(cand),
              .preferred_o(preferred),
              .discard_o(discard)
          );
          assign uses_state = 1'b0;
          assign set = {PO{1'b0}};
          // verilator lint_off UNUSEDSIGNAL
          wire unused = &{1'b0, in_port_i, in_vc_i, straps_i, vector_i, neighbour_i};  // its entry is all that it needs
          // verilator lint_on UNUSEDSIGNAL
        end else begin : g_algorithm
          ut_route_table #(
              .PI(PI),
              .PO(PO),
              .V(V),
              .ALGORITHM(ALGORITHM),
              .EW(EW)
          ) u_route (
              .entry_i(entry_i),
              .in_port_i(in_port_i),
              .in_vc_i(in_vc_i),
              .straps_i(straps_i),
              .up_i(up_i),
              .vector_i(vector_i),
              .neighbour_i(neighbour_i),
              .cand_o(cand),
              .discard_o(discard),
              .uses_state_o(uses_state),
              .set_o(set)
          );
          assign preferred = {V * PO{1'b0}};
        end
        assign strip = 1'b0;
        assign bubble = {V * PO{1'b0}};
        assign rt = header_i[`UT_HEADER_RT_LSB+:`UT_HEADER_RT_WIDTH];
        // verilator lint_off UNUSEDSIGNAL
        wire unused = &{1'b0, header_i};  // the destination has chosen the entry
        // verilator lint_on UNUSEDSIGNAL
      end
    endcase
    if (!DIGITS) begin : g_ever
      assign ever_o = {PO{1'b1}};
    end
    if (`UT_ALG_STATES(ROUTE, ALGORITHM)) begin : g_refused
      assign refused = node_i[`UT_NODE_REFUSES] &
          node_i[`UT_NODE_REFUSED_LSB+:16] == header_i[`UT_HEADER_DST_LSB+:`UT_HEADER_DST_WIDTH];
    end else begin : g_refused
      assign refused = 1'b0;
      // verilator lint_off UNUSEDSIGNAL
      wire unused = &{1'b0, node_i};
      // verilator lint_on UNUSEDSIGNAL
    end
    if (!`UT_ALG_EXCLUSIONS(ROUTE, ALGORITHM)) begin : g_no_exclusions
      // verilator lint_off UNUSEDSIGNAL
      wire unused = &{1'b0, intervals_i};
      // verilator lint_on UNUSEDSIGNAL
    end
    if (!`UT_ALG_TABLES(ROUTE, ALGORITHM)) begin : g_no_tables
      // verilator lint_off UNUSEDSIGNAL
      wire unused = &{1'b0, entry_i};
      // verilator lint_on UNUSEDSIGNAL
    end
  endgenerate
  assign answer_o[`UT_ANSWER_CAND(V, PO)] = cand;
  assign answer_o[`UT_ANSWER_BUBBLE(V, PO)] = bubble;
  assign answer_o[`UT_ANSWER_PREFERRED(V, PO)] = preferred;
  assign answer_o[`UT_ANSWER_SET(V, PO)] = set;
  assign answer_o[`UT_ANSWER_RT(V, PO)] = rt;
  assign answer_o[`UT_ANSWER_STRIP(V, PO)] = strip;
  assign answer_o[`UT_ANSWER_DISCARD(V, PO)] = discard | refused;
  assign answer_o[`UT_ANSWER_USES_STATE(V, PO)] = uses_state;
endmodule
`default_nettype wire
