// SPDX-License-Identifier: Apache-2.0
// route_unit_tb - the route unit with one family: FAMILY 0 fat trees, 1 forwarding tables, 2 tori and meshes, 3 RUFT,
// 4 hypercubes and 5 grids with detours around bad nodes.
// Shapes by the tables below, which tests/rtl/route_unit_tb.cpp repeats.  Trees and tables: K = 2, 3, 4, 5, 8, 16 with
// each of the ALGORITHMS or TABLES algorithms.
// in: header (2), input port, straps (2), up, vector, neighbour, input VC, config (2), states of nodes (2).
// out: cand (8), bubble (8), preferred (8), rt, {strip, discard}, uses_state, set, ever.
`include "algorithms.vh"
`include "layout.vh"
`include "node_states.vh"
`include "route_answer.vh"
module route_unit_tb #(
    parameter FAMILY = 0,
    parameter ALGORITHMS = 11,
    parameter TABLES = 8,
    parameter DESTINATIONS = 27,
    parameter S   = FAMILY == 0 ? 6 * ALGORITHMS : FAMILY == 1 ? 6 * TABLES : FAMILY == 2 ? 15 * 3 : FAMILY == 3 ? 10 :
        FAMILY == 4 ? 5 * 5 : 6 * 8,
    parameter IN  = 13,
    parameter OUT = 29
) (
    input                 clk_i,
    input  [ S*IN*32-1:0] in_i,
    output [S*OUT*32-1:0] out_o
);
  // Tori and meshes: four bytes a shape, sizes, X last; then one digit or bit a shape, that of shape 0 last.
  localparam [15*32-1:0] SIZES = {32'h00_08_08_08, 32'h00_00_00_09, 32'h00_02_05_03, 32'h00_00_06_04, 32'h02_02_03_03, 32'h00_00_05_03, 32'h00_00_04_04, 32'h00_00_00_02,
      32'h00_00_fd_02, 32'h04_02_02_03, 32'h00_00_00_09, 32'h00_03_02_05, 32'h00_08_08_08, 32'h00_00_06_04, 32'h00_03_03_03};
  localparam [15*4-1:0] LOCALS = 60'h2_1_2_1_4_6_8_1_3_2_1_4_1_1_1;  // local ports
  localparam [15*4-1:0] LINKS = 60'h2_1_1_1_1_2_8_1_1_1_1_1_1_1_1;
  localparam [15*4-1:0] GRID_VCS = 60'h4_8_5_3_8_4_4_4_4_4_4_4_4_4_4;
  localparam [15*4-1:0] ESCAPES = 60'h1_3_2_1_3_1_1_1_2_3_2_1_3_2_1;
  localparam [14:0] DETERMINISTIC = 15'b1_1_1_0_1_0_0_1_1_0_1_1_0_1_0;
  localparam [14:0] MISROUTE = 15'b0_0_0_0_1_0_0_1_1_1_1_0_0_0_0;
  localparam integer DATELINES = 11;  // grids from here on are tori whose algorithms have no bubble rule
  // RUFT
  localparam [10*8-1:0] INPUTS = 80'h08_20_08_10_04_04_08_04_04_02;
  localparam [10*8-1:0] OUTPUTS = 80'h08_20_08_10_08_04_04_04_04_02;
  localparam [10*8-1:0] RADIX = 80'h04_10_04_08_04_04_04_02_02_02;
  localparam [10*4-1:0] PARALLEL = 40'h1_2_1_1_0_0_0_1_2_0;
  localparam [9:0] DUAL_HOMED = 10'b1_0_0_1_1_1_1_0_0_0;
  localparam [9:0] HALF_CROSSBAR = 10'b1_0_0_0_0_0_0_1_0_0;
  // Detours: hypercubes, and grids as above, tori and meshes in turn
  localparam [5*4-1:0] CUBES = 20'hc_6_4_3_1;
  localparam [5*4-1:0] CUBE_LOCALS = 20'h1_3_1_2_1;
  localparam [5*4-1:0] CUBE_VCS = 20'h3_2_4_3_2;
  localparam [5*4-1:0] CUBE_VIN1 = 20'h1_1_2_1_1;
  localparam [8*16-1:0] AROUND = {16'h2233, 16'h4223, 16'h0022, 16'h0032, 16'h0444, 16'h0235, 16'h0045, 16'h0044};
  localparam [8*4-1:0] AROUND_LOCALS = 32'h1_2_3_1_1_2_1_1;
  localparam [8*4-1:0] AROUND_VCS = 32'h4_4_3_5_3_6_3_4;
  localparam [8*4-1:0] AROUND_VIN1 = 32'h2_1_1_1_2_2_1_1;  // ecube does not look
  genvar s, v;
  generate
    for (s = 0; s < S; s = s + 1) begin : g_shape
      localparam integer K = s % 6 < 4 ? s % 6 + 2 : s % 6 == 4 ? 8 : 16;
      localparam integer GRID = FAMILY == 2 ? s / 3 : 0;
      localparam integer DIGITS = FAMILY == 3 ? s : 0;
      localparam integer AROUND_ALGORITHMS = FAMILY == 4 ? 5 : 6;  // tori have four
      localparam integer NUMBER = FAMILY >= 4 ? s / AROUND_ALGORITHMS : 0;
      localparam integer OF_AROUND = s % AROUND_ALGORITHMS;
      localparam integer CUBE = FAMILY == 4 ? CUBES[NUMBER*4+:4] : 0;
      localparam [15:0] NODES = AROUND[NUMBER*16+:16];
      localparam [31:0] SIZE = FAMILY == 2 ? SIZES[GRID*32+:32] : FAMILY == 5 ?
          {4'd0, NODES[15:12], 4'd0, NODES[11:8], 4'd0, NODES[7:4], 4'd0, NODES[3:0]} : 0;
      localparam integer D = (SIZE[7:0] != 0 ? 1 : 0) + (SIZE[15:8] != 0 ? 1 : 0) + (SIZE[23:16] != 0 ? 1 : 0) +
          (SIZE[31:24] != 0 ? 1 : 0);
      localparam integer PI = FAMILY < 2 ? 2 * K : FAMILY == 2 ? 2 * D + LOCALS[GRID*4+:4] :
          FAMILY == 3 ? INPUTS[DIGITS*8+:8] : FAMILY == 4 ? CUBE + CUBE_LOCALS[NUMBER*4+:4] : 2 * D + AROUND_LOCALS[NUMBER*4+:4];
      localparam integer PO = FAMILY == 3 ? OUTPUTS[DIGITS*8+:8] : PI;
      localparam integer V = FAMILY < 2 ? 3 : FAMILY == 2 ? GRID_VCS[GRID*4+:4] : FAMILY == 3 ? 2 :
          FAMILY == 4 ? CUBE_VCS[NUMBER*4+:4] : AROUND_VCS[NUMBER*4+:4];
      wire [IN*32-1:0] in = in_i[s*IN*32+:IN*32];
      wire [`UT_ANSWER_BITS(V, PO)-1:0] answer;
      wire [V*PO-1:0] cand = answer[`UT_ANSWER_CAND(V, PO)];
      wire [V*PO-1:0] bubble = answer[`UT_ANSWER_BUBBLE(V, PO)];
      wire [V*PO-1:0] preferred = answer[`UT_ANSWER_PREFERRED(V, PO)];
      wire [PO-1:0] set = answer[`UT_ANSWER_SET(V, PO)];
      wire [24-1:0] rt = answer[`UT_ANSWER_RT(V, PO)];
      wire strip = answer[`UT_ANSWER_STRIP(V, PO)];
      wire discard = answer[`UT_ANSWER_DISCARD(V, PO)];
      wire uses_state = answer[`UT_ANSWER_USES_STATE(V, PO)];
      wire [PO-1:0] ever;
      localparam integer EXCLUSIONS = FAMILY == 0 && s < 6 ? 2 : 0;  // of fta
      localparam integer XW = EXCLUSIONS != 0 ? 32 * K * EXCLUSIONS : 1;
      wire [XW-1:0] intervals;
      if (EXCLUSIONS != 0) begin : g_exclusions
        ut_exclusions #(
            .PORTS(K),
            .COUNT(EXCLUSIONS)
        ) u_exclusions (
            .clk_i(clk_i),
            .config_i(in[9*32+:64]),
            .intervals_o(intervals)
        );
      end else begin : g_exclusions
        assign intervals = 1'b0;
      end
      localparam integer GROUPS = FAMILY == 1 && s / 6 >= TABLES - 5 ? 13 : 0;  // of forwarding,
      localparam integer ESCAPE = FAMILY == 1 && s / 6 == TABLES - 4 ? 1 : 0;  // with an escape VC,
      localparam integer AGAIN = FAMILY == 1 && s / 6 > TABLES - 4 ? s / 6 - TABLES + 4 : 0;
      localparam integer VC_MAP = AGAIN > 0 ? 2 : 0;  // then with a VC map,
      localparam integer VIA = AGAIN > 1 ? 1 : 0;  // with an intermediate terminal,
      localparam integer CHOICE = AGAIN > 2 ? 1 : 0;  // with a choice
      localparam integer EW = `UT_ENTRY_BITS(V, PO, FAMILY == 1 ? DESTINATIONS : 0, GROUPS, VC_MAP + ESCAPE, VIA);
      wire [EW-1:0] entry;
      if (FAMILY == 1) begin : g_tables
        wire [PI*EW-1:0] entries;  // each port asks for the same
        ut_forwarding_tables #(
            .PI(PI),
            .PO(PO),
            .V(V),
            .DESTINATIONS(DESTINATIONS),
            .GROUPS(GROUPS),
            .VC_MAP(VC_MAP),
            .VIA(VIA),
            .CHOICE(CHOICE),
            .ESCAPE(ESCAPE)
        ) u_tables (
            .clk_i(clk_i),
            .config_i(in[9*32+:64]),
            .vc_i({PI{in[8*32+:V]}}),
            .dst_i({PI{in[`UT_HEADER_DST_LSB+:`UT_HEADER_DST_WIDTH]}}),
            .rt_i({PI{in[`UT_HEADER_RT_LSB+:`UT_HEADER_RT_WIDTH]}}),
            .entry_o(entries)
        );
        ut_one_hot_mux #(
            .N(PI),
            .W(EW)
        ) u_entry (
            .rows_i(entries),
            .select_i(in[2*32+:PI]),
            .row_o(entry)
        );
      end else begin : g_tables
        assign entry = {EW{1'b0}};
      end
      ut_route_unit #(
          .EXCLUSIONS(EXCLUSIONS),
          .GROUPS(GROUPS),
          .VC_MAP(VC_MAP),
          .VIA(VIA),
          .PI(PI),
          .PO(PO),
          .V(V),
          .ROUTE(FAMILY == 0 ? `UT_ROUTE_FATTREE : FAMILY == 1 ? `UT_ROUTE_TABLE : FAMILY == 3 ? `UT_ROUTE_RUFT :
              FAMILY == 4 ? `UT_ROUTE_DETOUR_CUBE : FAMILY == 5 ? (NUMBER % 2 ? `UT_ROUTE_DETOUR_MESH : `UT_ROUTE_DETOUR_TORUS) :
              GRID < DATELINES && GRID % 2 ? `UT_ROUTE_MESH : `UT_ROUTE_TORUS),
          .ALGORITHM(FAMILY < 2 ? s / 6 - (AGAIN != 0 ? AGAIN + 1 : 0) : FAMILY == 2 ? (GRID < DATELINES ? s % 3 : 3 + s % 3) : FAMILY == 3 ? 0 :
              FAMILY == 5 && NUMBER % 2 == 0 ? OF_AROUND % 4 : OF_AROUND),
          .DESTINATIONS(FAMILY == 1 ? DESTINATIONS : 0),
          .RADIX(FAMILY == 3 ? RADIX[DIGITS*8+:8] : 0),
          .PARALLEL(FAMILY == 3 ? PARALLEL[DIGITS*4+:4] : 0),
          .DUAL_HOMED(FAMILY == 3 ? DUAL_HOMED[DIGITS] : 0),
          .HALF_CROSSBAR(FAMILY == 3 ? HALF_CROSSBAR[DIGITS] : 0),
          .ESCAPES(FAMILY == 2 ? ESCAPES[GRID*4+:4] : 1),
          .DETERMINISTIC(FAMILY == 2 ? DETERMINISTIC[GRID] : 0),
          .MISROUTE(FAMILY == 2 ? MISROUTE[GRID] : 0),
          .CUBE(CUBE),
          // adaptive_vin and detour, of hypercubes and meshes
          .MISROUTE_HOPS((FAMILY == 4 || (FAMILY == 5 && NUMBER % 2 == 1)) && (OF_AROUND == 1 || OF_AROUND == 2) ?
              (NUMBER / 2 + OF_AROUND) % 4 : 0),
          .VIN1_VCS(FAMILY == 4 ? CUBE_VIN1[NUMBER*4+:4] : FAMILY == 5 ? AROUND_VIN1[NUMBER*4+:4] : 1),
          .SIZE0(SIZE[7:0]),
          .SIZE1(SIZE[15:8]),
          .SIZE2(SIZE[23:16]),
          .SIZE3(SIZE[31:24]),
          .LINKS(FAMILY == 2 ? LINKS[GRID*4+:4] : 1)
      ) u_dut (
          .entry_i(entry),
          .header_i(in[0+:64]),
          .in_port_i(in[2*32+:PI]),
          .in_vc_i(in[8*32+:V]),
          .straps_i(in[3*32+:64]),
          .up_i(in[5*32+:PO]),
          .vector_i(in[6*32+:PO]),
          .neighbour_i(in[7*32+:PO]),
          .node_i(in[11*32+:`UT_NODE_BITS]),
          .intervals_i(intervals),
          .ever_o(ever),
          .answer_o(answer)
      );
      for (v = 0; v < 8; v = v + 1) begin : g_vc
        if (v < V) begin : g_used
          assign out_o[(s*OUT+0+v)*32+:32] = cand[v*PO+:PO];
          assign out_o[(s*OUT+8+v)*32+:32] = bubble[v*PO+:PO];
          assign out_o[(s*OUT+16+v)*32+:32] = preferred[v*PO+:PO];
        end else begin : g_used
          assign out_o[(s*OUT+0+v)*32+:32] = 32'd0;
          assign out_o[(s*OUT+8+v)*32+:32] = 32'd0;
          assign out_o[(s*OUT+16+v)*32+:32] = 32'd0;
        end
      end
      assign out_o[(s*OUT+24)*32+:32] = rt;
      assign out_o[(s*OUT+25)*32+:32] = {strip, discard};
      assign out_o[(s*OUT+26)*32+:32] = uses_state;
      assign out_o[(s*OUT+27)*32+:32] = set;
      assign out_o[(s*OUT+28)*32+:32] = ever;
    end
  endgenerate
endmodule
