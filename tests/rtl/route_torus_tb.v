// route_torus_tb - the route unit of tori and meshes, four VCs; sizes, local ports and mechanisms by the tables below,
// which tests/rtl/route_torus_tb.cpp repeats.
// in: header (2), straps (2), input port, input VC, up.   out: cand (4), bubble (4), preferred (4), rt, {strip, discard}.
`include "algorithms.vh"
`include "route_answer.vh"
module route_torus_tb #(
    parameter SHAPES = 8,
    parameter S   = SHAPES * 3,
    parameter IN  = 7,
    parameter OUT = 14
) (
    input                 clk_i,
    input  [ S*IN*32-1:0] in_i,
    output [S*OUT*32-1:0] out_o
);
  // four bytes a shape: sizes, X last
  localparam [8*32-1:0] SIZES = {32'h00_00_00_02, 32'h00_00_fd_02, 32'h04_02_02_03, 32'h00_00_00_09, 32'h00_03_02_05,
      32'h00_08_08_08, 32'h00_00_06_04, 32'h00_03_03_03};
  localparam [8*8-1:0] LOCALS = {8'd1, 8'd3, 8'd2, 8'd1, 8'd4, 8'd1, 8'd1, 8'd1};
  // one digit a shape
  localparam [8*4-1:0] ESCAPES = 32'h1_2_3_2_1_3_2_1;
  localparam [7:0] DETERMINISTIC = 8'b1_1_0_1_1_0_1_0;
  localparam [7:0] MISROUTE = 8'b1_1_1_1_0_0_0_0;
  genvar s, v;
  generate
    for (s = 0; s < S; s = s + 1) begin : g_shape
      localparam integer SHAPE = s / 3;
      localparam [31:0] SIZE = SIZES[SHAPE*32+:32];
      localparam [7:0] LOCAL = LOCALS[SHAPE*8+:8];
      localparam integer D = (SIZE[7:0] != 0 ? 1 : 0) + (SIZE[15:8] != 0 ? 1 : 0) + (SIZE[23:16] != 0 ? 1 : 0) +
          (SIZE[31:24] != 0 ? 1 : 0);
      localparam integer P = 2 * D + LOCAL;
      wire [IN*32-1:0] in = in_i[s*IN*32+:IN*32];
      wire [`UT_ANSWER_BITS(4, P)-1:0] answer;
      wire [4*P-1:0] cand = answer[`UT_ANSWER_CAND(4, P)];
      wire [4*P-1:0] bubble = answer[`UT_ANSWER_BUBBLE(4, P)];
      wire [4*P-1:0] preferred = answer[`UT_ANSWER_PREFERRED(4, P)];
      wire [P-1:0] set = answer[`UT_ANSWER_SET(4, P)];
      wire [24-1:0] rt = answer[`UT_ANSWER_RT(4, P)];
      wire strip = answer[`UT_ANSWER_STRIP(4, P)];
      wire discard = answer[`UT_ANSWER_DISCARD(4, P)];
      wire uses_state = answer[`UT_ANSWER_USES_STATE(4, P)];
      ut_route_unit #(
          .PI(P),
          .PO(P),
          .V(4),
          .ROUTE(SHAPE % 2 ? `UT_ROUTE_MESH : `UT_ROUTE_TORUS),
          .ALGORITHM(s % 3),
          .ESCAPES(ESCAPES[SHAPE*4+:4]),
          .DETERMINISTIC(DETERMINISTIC[SHAPE]),
          .MISROUTE(MISROUTE[SHAPE]),
          .SIZE0(SIZE[7:0]),
          .SIZE1(SIZE[15:8]),
          .SIZE2(SIZE[23:16]),
          .SIZE3(SIZE[31:24])
      ) u_dut (
          .clk_i(clk_i),
          .config_i(64'd0),
          .header_i(in[0+:64]),
          .straps_i(in[2*32+:64]),
          .in_port_i(in[4*32+:P]),
          .in_vc_i(in[5*32+:4]),
          .up_i(in[6*32+:P]),
          .vector_i({P{1'b0}}),
          .neighbour_i({P{1'b0}}),
          .answer_o(answer)
      );
      for (v = 0; v < 4; v = v + 1) begin : g_vc
        assign out_o[(s*OUT+0+v)*32+:32] = cand[v*P+:P];
        assign out_o[(s*OUT+4+v)*32+:32] = bubble[v*P+:P];
        assign out_o[(s*OUT+8+v)*32+:32] = preferred[v*P+:P];
      end
      assign out_o[(s*OUT+12)*32+:32] = {8'd0, rt};
      assign out_o[(s*OUT+13)*32+:32] = {30'd0, strip, discard};
    end
  endgenerate
endmodule
