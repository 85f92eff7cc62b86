// route_unit - route computation of one input port: the interface that every routing family obeys.
//
// in:  header word, input port, input VC, straps, link states of the outputs, the family's state (re-route vector,
//      neighbours' states)
// out: candidate set over (ovc,op), the subset that must obey the bubble rule, the preferred subset, the rewritten rt
//      field, strip (the next header word of the stack becomes the head), discard (nothing leads to the destination), uses_state (the set depends on the family's state), state
//      update
// The rewritten header never depends on the output that is chosen.  Combinational but for forwarding tables, which
// config_i writes; ROUTE_CYCLES is spent in input_vc.
// A family is one route_<family>.v and one line of rtl/algorithms.tsv.
// Twin: csim/switch/route_unit.h
`include "layout.vh"
`include "algorithms.vh"
module route_unit #(
    parameter PI = 8,
    parameter PO = 8,
    parameter V = 1,
    parameter ROUTE = 0,
    parameter ALGORITHM = 0,
    parameter DESTINATIONS = 0,  // of forwarding tables
    parameter RADIX = 0,  // of RUFT
    parameter PARALLEL = 0,
    parameter APART = 0,
    parameter HALVES = 0,
    parameter ESCAPES = 1,  // mechanisms of tori and meshes
    parameter DETERMINISTIC = 0,
    parameter MISROUTE = 0,
    parameter SIZE0 = 0,  // of tori and meshes
    parameter SIZE1 = 0,
    parameter SIZE2 = 0,
    parameter SIZE3 = 0
) (
    input             clk_i,
    input  [    63:0] config_i,      // writes forwarding tables
    input  [    63:0] header_i,
    input  [PI-1:0]   in_port_i,     // one-hot, a constant of each instance
    input  [   V-1:0] in_vc_i,       // one-hot
    input  [    63:0] straps_i,
    input  [  PO-1:0] up_i,
    input  [  PO-1:0] vector_i,      // re-route vector, bit = output port
    input  [  PO-1:0] neighbour_i,   // state reported by the switch behind each port
    output [V*PO-1:0] cand_o,
    output [V*PO-1:0] bubble_o,
    output [V*PO-1:0] preferred_o,
    output [    23:0] rt_o,
    output            strip_o,
    output            discard_o,
    output            uses_state_o,
    output [  PO-1:0] set_o          // bits of the re-route vector to set
);
  generate
    case (ROUTE)  // an if with else would get names of its own in a netlist
      `UT_ROUTE_FATTREE: begin : g_family
        route_fattree #(
            .PO(PO),
            .V(V),
            .ALGORITHM(ALGORITHM)
        ) u_route (
            .header_i(header_i),
            .in_port_i(in_port_i),
            .in_vc_i(in_vc_i),
            .straps_i(straps_i),
            .up_i(up_i),
            .vector_i(vector_i),
            .neighbour_i(neighbour_i),
            .cand_o(cand_o),
            .bubble_o(bubble_o),
            .preferred_o(preferred_o),
            .rt_o(rt_o),
            .discard_o(discard_o),
            .uses_state_o(uses_state_o),
            .set_o(set_o)
        );
        assign strip_o = 1'b0;
      end
      `UT_ROUTE_TORUS, `UT_ROUTE_MESH: begin : g_family
        route_torus #(
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
            .SIZE3(SIZE3)
        ) u_route (
            .header_i(header_i),
            .in_port_i(in_port_i),
            .in_vc_i(in_vc_i),
            .straps_i(straps_i),
            .up_i(up_i),
            .cand_o(cand_o),
            .bubble_o(bubble_o),
            .preferred_o(preferred_o),
            .rt_o(rt_o),
            .strip_o(strip_o),
            .discard_o(discard_o)
        );
        assign uses_state_o = 1'b0;
        assign set_o = {PO{1'b0}};
        // verilator lint_off UNUSEDSIGNAL
        wire unused = &{1'b0, vector_i, neighbour_i};
        // verilator lint_on UNUSEDSIGNAL
      end
      `UT_ROUTE_RUFT: begin : g_family
        route_ruft #(
            .PI(PI),
            .PO(PO),
            .V(V),
            .RADIX(RADIX),
            .PARALLEL(PARALLEL),
            .APART(APART),
            .HALVES(HALVES)
        ) u_route (
            .header_i(header_i),
            .in_port_i(in_port_i),
            .straps_i(straps_i),
            .up_i(up_i),
            .cand_o(cand_o),
            .discard_o(discard_o)
        );
        assign strip_o = 1'b0;
        assign bubble_o = {V * PO{1'b0}};
        assign preferred_o = {V * PO{1'b0}};
        assign rt_o = header_i[`UT_HEADER_RT_LSB+:`UT_HEADER_RT_WIDTH];
        assign uses_state_o = 1'b0;
        assign set_o = {PO{1'b0}};
        // verilator lint_off UNUSEDSIGNAL
        wire unused = &{1'b0, in_vc_i, vector_i, neighbour_i};  // one layer, no state
        // verilator lint_on UNUSEDSIGNAL
      end
      `UT_ROUTE_TABLE: begin : g_family
        route_table #(
            .PO(PO),
            .V(V),
            .DESTINATIONS(DESTINATIONS),
            .ALGORITHM(ALGORITHM)
        ) u_route (
            .clk_i(clk_i),
            .config_i(config_i),
            .header_i(header_i),
            .in_port_i(in_port_i),
            .in_vc_i(in_vc_i),
            .straps_i(straps_i),
            .up_i(up_i),
            .cand_o(cand_o),
            .discard_o(discard_o)
        );
        assign strip_o = 1'b0;
        assign bubble_o = {V * PO{1'b0}};
        assign preferred_o = {V * PO{1'b0}};
        assign rt_o = header_i[`UT_HEADER_RT_LSB+:`UT_HEADER_RT_WIDTH];
        assign uses_state_o = 1'b0;
        assign set_o = {PO{1'b0}};
        // verilator lint_off UNUSEDSIGNAL
        wire unused = &{1'b0, vector_i, neighbour_i};  // tables know no state
        // verilator lint_on UNUSEDSIGNAL
      end
    endcase
    if (!`UT_ALG_TABLES(ROUTE, ALGORITHM)) begin : g_no_tables
      // verilator lint_off UNUSEDSIGNAL
      wire unused = &{1'b0, clk_i, config_i};
      // verilator lint_on UNUSEDSIGNAL
    end
  endgenerate
endmodule
