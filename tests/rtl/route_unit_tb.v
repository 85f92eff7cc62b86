// route_unit_tb - the route unit of the fat tree, K = 2, 3, 4, 5, 8, 16, algorithm codes 0 .. ALGORITHMS-1; three VCs;
// then the same sizes with each of the TABLES algorithms of forwarding tables, with DESTINATIONS entries for a VC.
// in: header (2), input port, straps (2), up, vector, neighbour, input VC, config (2).
// out: cand (3), bubble (3), preferred (3), rt, discard, uses_state, set.
`include "algorithms.vh"
`include "route_answer.vh"
module route_unit_tb #(
    parameter ALGORITHMS = 7,
    parameter TABLES = 2,
    parameter DESTINATIONS = 27,
    parameter S   = 6 * (ALGORITHMS + TABLES),
    parameter IN  = 11,
    parameter OUT = 13
) (
    input                 clk_i,
    input  [ S*IN*32-1:0] in_i,
    output [S*OUT*32-1:0] out_o
);
  genvar s, v;
  generate
    for (s = 0; s < S; s = s + 1) begin : g_shape
      localparam integer SIZE = s % 6;
      localparam integer K = SIZE < 4 ? SIZE + 2 : SIZE == 4 ? 8 : 16;
      localparam integer P = 2 * K;
      wire [IN*32-1:0] in = in_i[s*IN*32+:IN*32];
      wire [`UT_ANSWER_BITS(3, P)-1:0] answer;
      wire [3*P-1:0] cand = answer[`UT_ANSWER_CAND(3, P)];
      wire [3*P-1:0] bubble = answer[`UT_ANSWER_BUBBLE(3, P)];
      wire [3*P-1:0] preferred = answer[`UT_ANSWER_PREFERRED(3, P)];
      wire [P-1:0] set = answer[`UT_ANSWER_SET(3, P)];
      wire [24-1:0] rt = answer[`UT_ANSWER_RT(3, P)];
      wire strip = answer[`UT_ANSWER_STRIP(3, P)];
      wire discard = answer[`UT_ANSWER_DISCARD(3, P)];
      wire uses_state = answer[`UT_ANSWER_USES_STATE(3, P)];
      ut_route_unit #(
          .PI(P),
          .PO(P),
          .V(3),
          .ROUTE(s / 6 < ALGORITHMS ? `UT_ROUTE_FATTREE : `UT_ROUTE_TABLE),
          .ALGORITHM(s / 6 < ALGORITHMS ? s / 6 : s / 6 - ALGORITHMS),
          .DESTINATIONS(s / 6 < ALGORITHMS ? 0 : DESTINATIONS)
      ) u_dut (
          .clk_i(clk_i),
          .config_i(in[9*32+:64]),
          .header_i(in[0+:64]),
          .in_port_i(in[2*32+:P]),
          .in_vc_i(in[8*32+:3]),
          .straps_i(in[3*32+:64]),
          .up_i(in[5*32+:P]),
          .vector_i(in[6*32+:P]),
          .neighbour_i(in[7*32+:P]),
          .answer_o(answer)
      );
      for (v = 0; v < 3; v = v + 1) begin : g_vc
        assign out_o[(s*OUT+0+v)*32+:32] = cand[v*P+:P];
        assign out_o[(s*OUT+3+v)*32+:32] = bubble[v*P+:P];
        assign out_o[(s*OUT+6+v)*32+:32] = preferred[v*P+:P];
      end
      assign out_o[(s*OUT+9)*32+:32] = rt;
      assign out_o[(s*OUT+10)*32+:32] = discard;
      assign out_o[(s*OUT+11)*32+:32] = uses_state;
      assign out_o[(s*OUT+12)*32+:32] = set;
    end
  endgenerate
endmodule
