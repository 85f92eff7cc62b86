// SPDX-License-Identifier: Apache-2.0
// ut_route_torus - routing in tori and meshes: port 2d leads on in dimension d, port 2d + 1 back, the others to terminals.
//
//   dor              dimension order X, Y, Z
//   direction_order  X+ Y+ Z+ X- Y- Z- (INTERMEDIATE section 4.3)
//   dor_without_bubble  dor without the bubble rule: its rings can fill, and deadlock
//   dor_dateline     dor with datelines in place of the bubble rule: VCs of even numbers are class 0, the others class 1
//   duato            fully adaptive minimal in VCs 0..V-2, dimension order in the escape VC V-1 (INTERMEDIATE section 3)
//   duato_dateline   duato with datelines: each escape channel is two VCs, of class 0 and 1 (INTERMEDIATE section 3)
//
// Mechanisms (INTERMEDIATE sections 3, 4 and 5.2; fields of rt in rtl/header.tsv, absent where the parameters are 0):
//   intermediate nodes  the header word is that of a sub-path; at its node it is stripped.  Sub-path i has an escape VC of
//                       its own, the i-th of the last ESCAPES VCs, or pairs of VCs; the other VCs serve all sub-paths
//   D, deterministic    on this sub-path the one deterministic path, in any of its VCs
//   M, misroute         first so many hops in up to three directions; escape VCs then keep to direction order
//
// Datelines: the wrap links.  A packet takes class 0 while its way in the ring still crosses the wrap link, then class 1, so
// neither class closes the ring.  With dor_dateline a packet that has not crossed it and need not may take both: it enters the
// ring here, or comes in class 0 and not through the wrap link.  With duato_dateline it may not: an adaptive VC can have led it
// across.
//
// In other tori the deterministic VCs obey the bubble rule: a packet that enters a ring (from a terminal, another dimension or
// another VC) needs space for two packets, one that stays in its ring needs space for one.  Where both directions of a ring are
// minimal, both are candidates; deterministic routing takes the plus direction.  docs/explanation/route_torus.md
// Twin: csim/switch/route_torus.c
`default_nettype none
`include "layout.vh"
`include "algorithms.vh"
module ut_route_torus #(
    parameter PI = 7,
    parameter PO = 7,
    parameter V = 1,
    parameter WRAP = 1,
    parameter ALGORITHM = 0,
    parameter ESCAPES = 1,
    parameter DETERMINISTIC = 0,
    parameter MISROUTE = 0,
    parameter SIZE0 = 4,
    parameter SIZE1 = 0,
    parameter SIZE2 = 0,
    parameter SIZE3 = 0,
    parameter LINKS = 1  // links of a terminal each way, at adjacent ports
) (
    input wire  [    63:0] header_i,
    input wire  [  PI-1:0] in_port_i,
    input wire  [   V-1:0] in_vc_i,
    input wire  [    63:0] straps_i,
    input wire  [  PO-1:0] up_i,
    output wire [V*PO-1:0] cand_o,
    output wire [V*PO-1:0] bubble_o,
    output wire [V*PO-1:0] preferred_o,
    output wire [    23:0] rt_o,
    output wire            strip_o,
    output wire            discard_o
);
  localparam D = (SIZE0 > 0 ? 1 : 0) + (SIZE1 > 0 ? 1 : 0) + (SIZE2 > 0 ? 1 : 0) + (SIZE3 > 0 ? 1 : 0);
  localparam LOCAL = PO > 2 * D ? PO - 2 * D : 1;
  localparam ADAPTIVE = ALGORITHM == `UT_TORUS_DUATO || ALGORITHM == `UT_TORUS_DUATO_DATELINE;
  localparam DATELINE = WRAP != 0 && (ALGORITHM == `UT_TORUS_DOR_DATELINE || ALGORITHM == `UT_TORUS_DUATO_DATELINE);
  localparam EACH = DATELINE ? 2 : 1;  // VCs of an escape channel
  localparam ESCAPE = V - ESCAPES * EACH;  // the first escape VC of an algorithm with adaptive VCs

  // ---- the minimal directions
  wire [2*D-1:0] minimal;  // bit = port
  wire [2*D-1:0] in_order;  // dimension order: the lowest bit is the next hop
  wire [2*D-1:0] next, unwrapped;
  wire [LOCAL-1:0] exits;  // of the terminal
  ut_grid_position #(
      .PI(PI),
      .PO(PO),
      .WRAP(WRAP),
      .SIZE0(SIZE0),
      .SIZE1(SIZE1),
      .SIZE2(SIZE2),
      .SIZE3(SIZE3),
      .LINKS(LINKS)
  ) u_position (
      .header_i(header_i),
      .straps_i(straps_i),
      .minimal_o(minimal),
      .next_o(next),
      .unwrapped_o(unwrapped),
      .exit_o(exits)
  );
  genvar d, v, p;
  generate
    if (ALGORITHM == `UT_TORUS_DIRECTION_ORDER || MISROUTE != 0) begin : g_order
      wire [2*D-1:0] plus = minimal & {D{2'b01}};
      assign in_order = |plus ? plus : minimal;
    end else begin : g_order
      assign in_order = minimal;
    end
  endgenerate

  // ---- mechanisms
  wire [23:0] rt = header_i[`UT_HEADER_RT_LSB+:`UT_HEADER_RT_WIDTH];
  wire deterministic = DETERMINISTIC != 0 & rt[`UT_RT_PATH_DETERMINISTIC_LSB];
  wire misrouting;
  wire [2*D-1:0] misroute;  // the direction of the next hop, if misrouting
  generate
    if (MISROUTE != 0) begin : g_misroute
      wire [2:0] direction = rt[`UT_RT_PATH_DIRECTION_LSB+:3];
      wire [2:0] hops = rt[`UT_RT_PATH_HOPS_LSB+:3];
      wire [1:0] left = rt[`UT_RT_PATH_MISROUTES_LSB+:2];
      wire [1:0] left_d = |hops ? left : left - 2'd1;
      wire [17:0] list_d = |hops ? {rt[23:12], hops - 3'd1, direction} : {6'd0, rt[23:12]};
      assign misrouting = |left;
      for (p = 0; p < 2 * D; p = p + 1) begin : g_direction
        localparam [31:0] ME = p;
        assign misroute[p] = direction == ME[2:0];
      end
      assign rt_o = misrouting ? {list_d, left_d, rt[3:0]} : rt;
    end else begin : g_misroute
      assign misrouting = 1'b0;
      assign misroute = {2 * D{1'b0}};
      assign rt_o = rt;
    end
  endgenerate
  wire arrived = ~|minimal & ~misrouting;
  assign strip_o = ESCAPES > 1 & arrived & rt[`UT_RT_PATH_MORE_LSB];
  wire [2*D-1:0] first = in_order & (~in_order + {{2 * D - 1{1'b0}}, 1'b1});
  wire [LOCAL-1:0] exit = exits & {LOCAL{arrived}};

  // ---- candidates
  wire [PO-1:0] one = {exit, misrouting ? misroute : first} & up_i;
  wire [PO-1:0] any = misrouting | deterministic ? one : {exit, minimal} & up_i;
  wire class0, class1;  // classes of VCs that the packet may take
  wire [2*D-1:0] straight;  // the output port that continues in the ring of the input port
  generate
    for (d = 0; d < D; d = d + 1) begin : g_straight
      assign straight[2*d]   = in_port_i[2*d+1];
      assign straight[2*d+1] = in_port_i[2*d];
    end
    if (DATELINE) begin : g_dateline
      wire [2*D-1:0] behind;  // the switch is the first one behind the wrap link of that direction
      wire [V-1:0] in_class1;
      for (v = 0; v < V; v = v + 1) begin : g_from
        if (v % 2 == 1) assign in_class1[v] = in_vc_i[v];
        else assign in_class1[v] = 1'b0;
      end
      for (d = 0; d < D; d = d + 1) begin : g_behind
        localparam [31:0] LAST = (d == 0 ? SIZE0 : d == 1 ? SIZE1 : d == 2 ? SIZE2 : SIZE3) - 1;
        assign behind[2*d]   = straps_i[8*d+:8] == 8'd0;
        assign behind[2*d+1] = straps_i[8*d+:8] == LAST[7:0];
      end
      wire crosses = |(first & ~unwrapped);
      wire crossed = ADAPTIVE | |(first & straight & (behind | {2 * D{|in_class1}}));  // it may have
      assign class0 = arrived | crosses | ~crossed;
      assign class1 = arrived | ~crosses;
    end else begin : g_dateline
      assign class0 = 1'b1;
      assign class1 = 1'b1;
    end
    for (v = 0; v < V; v = v + 1) begin : g_vc
      if (ADAPTIVE && v < ESCAPE) begin : g_class
        assign cand_o[v*PO+:PO] = any;
        assign bubble_o[v*PO+:PO] = {PO{1'b0}};
        assign preferred_o[v*PO+:PO] = any;
      end else begin : g_class
        // VCs before the escape VCs belong to the first sub-path, too
        localparam [31:0] SUB_PATH = v > ESCAPE ? (v - ESCAPE) / EACH : 0;
        localparam CLASS = (v + (ADAPTIVE ? ESCAPE : 0)) % 2;
        wire of_class = CLASS != 0 ? class1 : class0;
        wire mine = (ESCAPES == 1 | rt[`UT_RT_PATH_SUB_PATH_LSB+:2] == SUB_PATH[1:0]) & of_class;
        assign cand_o[v*PO+:PO] = one & {PO{mine}};
        assign preferred_o[v*PO+:PO] = {PO{1'b0}};
        if (WRAP != 0 && !DATELINE) begin : g_bubble
          assign bubble_o[v*PO+:PO] = cand_o[v*PO+:PO] & {{LOCAL{1'b0}}, ~(straight & {2 * D{in_vc_i[v]}})};
        end else begin : g_bubble
          assign bubble_o[v*PO+:PO] = {PO{1'b0}};
        end
      end
    end
  endgenerate
  assign discard_o = ~strip_o & (ADAPTIVE ? ~|any : ~|one);

  // verilator lint_off UNUSEDSIGNAL
  wire unused = &{1'b0, header_i, next, unwrapped, in_port_i, in_vc_i, straight, any, one, class0, class1};
  // verilator lint_on UNUSEDSIGNAL
endmodule
`default_nettype wire
