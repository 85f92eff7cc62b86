// SPDX-License-Identifier: Apache-2.0
// input_port_tb - the input port with its VCs and their buffers, behind a route unit whose answers are random.
// Four output ports; V, depth, cycles, crossbar and algorithm by the tables below, which tests/rtl/input_port_tb.cpp
// repeats.
// in, out: the lists of words in tests/rtl/input_port_tb.cpp.
`include "algorithms.vh"
`include "node_states.vh"
`include "route_answer.vh"

// Stands in for the route unit: its answer is what the bench puts onto straps_i and entry_i, `ever` what it puts onto
// vector_i.
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
    parameter CUBE = 0,
    parameter ROOT = 0,
    parameter EXCLUSIONS = 0,
    parameter VIN1_VCS = 1,
    parameter MISROUTE_HOPS = 0,
    // rtl/parameters.tsv: end
    parameter EW = 64
) (
    input [EW-1:0] entry_i,
    input [  63:0] header_i,
    input [PI-1:0] in_port_i,
    input [ V-1:0] in_vc_i,
    input [  63:0] straps_i,
    input [PO-1:0] up_i,
    input [PO-1:0] vector_i,
    input [PO-1:0] neighbour_i,
    input [`UT_NODE_BITS-1:0] node_i,
    input intervals_i,
    output [PO-1:0] ever_o,
    output [`UT_ANSWER_BITS(V, PO)-1:0] answer_o
);
  wire [127:0] answer = {entry_i, straps_i};
  assign answer_o = answer[`UT_ANSWER_BITS(V, PO)-1:0];
  assign ever_o   = vector_i;
endmodule

module input_port_tb #(
    parameter S   = 10,
    parameter IN  = 25,
    parameter OUT = 153
) (
    input                 clk_i,
    input  [ S*IN*32-1:0] in_i,
    output [S*OUT*32-1:0] out_o
);
  localparam P = 4;
  // one digit a shape, that of shape 0 last
  localparam [10*4-1:0] VCS = 40'h2_3_3_3_3_2_3_1_2_1;
  localparam [10*4-1:0] DEPTHS = 40'h4_3_2_4_8_2_5_1_4_4;
  localparam [10*4-1:0] WORDS = 40'h1_1_1_2_1_1_2_1_1_1;
  localparam [10*4-1:0] ROUTE_CYCLES = 40'h1_0_1_2_0_3_4_1_0_0;
  localparam [10*4-1:0] ALLOC_CYCLES = 40'h1_1_1_2_1_2_1_2_1_1;
  localparam [9:0] XBAR_CYCLES = 10'b0_0_1_1_0_0_0_0_0_0;
  localparam [9:0] WORMHOLE = 10'b1_1_1_0_0_1_0_1_0_0;
  localparam [9:0] XBAR = 10'b0_1_0_0_0_1_0_0_0_0;
  localparam [10*4-1:0] ROUTES = 40'h5_3_3_2_2_0_0_0_0_0;
  localparam [10*4-1:0] ALGORITHMS = 40'h2_2_2_2_2_5_5_5_5_0;
  localparam [10*4-1:0] ESCAPES = 40'h1_2_2_2_2_1_1_1_1_1;
  localparam [9:0] MISROUTE = 10'b0_0_1_0_1_0_0_0_0_0;
`define OUT(n, value) assign out_o[(s*OUT+n)*32+:32] = value;
`define VC(n, value) assign out_o[(s*OUT+12+3*n+v)*32+:32] = value;
  genvar s, v, d;
  generate
    for (s = 0; s < S; s = s + 1) begin : g_shape
      localparam integer V = VCS[4*s+:4];
      localparam integer VW = V > 1 ? $clog2(V) : 1;
      localparam integer DEPTH = DEPTHS[4*s+:4];
      localparam integer W = 64 * WORDS[4*s+:4];
      localparam integer R = ROUTE_CYCLES[4*s+:4];
      localparam integer ROUTE = ROUTES[4*s+:4];
      localparam integer ALGORITHM = ALGORITHMS[4*s+:4];
      localparam integer XV = XBAR[s] ? V : 1;
      wire [IN*32-1:0] in = in_i[s*IN*32+:IN*32];
      wire [V-1:0] credit, bid, request;
      wire [V*V*P-1:0] cand, bubble, preferred, choice;
      wire [V*P-1:0] target, way;
      wire [XV*(V+3)-1:0] tag;
      wire [XV*W-1:0] data;
      wire [P-1:0] set;
      wire discard, busy, error;
      ut_input_port #(
          .PI(P),
          .PO(P),
          .V(V),
          .VW(VW),
          .DEPTH(DEPTH),
          .W(W),
          .SWITCHING(WORMHOLE[s]),
          .ROUTE(ROUTE),
          .ALGORITHM(ALGORITHM),
          .ROUTE_CYCLES(R),
          .ALLOC_CYCLES(ALLOC_CYCLES[4*s+:4]),
          .XBAR_CYCLES(XBAR_CYCLES[s]),
          .XBAR(XBAR[s]),
          .ESCAPES(ESCAPES[4*s+:4]),
          .MISROUTE(MISROUTE[s]),
          .EW(64)
      ) u_dut (
          .clk_i(clk_i),
          .rst_i(in[0]),
          .link_up_i(in[1*32]),
          .valid_i(in[2*32]),
          .vc_i(in[3*32+:VW]),
          .kind_i(in[4*32+:2]),
          .bad_i(in[5*32]),
          .data_i(in[6*32+:W]),
          .credit_o(credit),
          .port_i(4'b0010),
          .straps_i(in[12*32+:64]),
          .dst_o(),
          .routed_ivc_o(),
          .entry_i({32'd0, in[14*32+:32]}),
          .vector_i(in[23*32+:P]),
          .neighbour_i(4'd0),
          .node_i({`UT_NODE_BITS{1'b0}}),
          .intervals_i(1'b0),
          .purge_i(in[24*32]),
          .stale_link_i(in[10*32]),
          .stale_state_i(in[11*32]),
          .set_o(set),
          .bid_ivc_o(bid),
          .cand_o(cand),
          .bubble_o(bubble),
          .preferred_o(preferred),
          .grant_ivc_i(in[15*32+:V]),
          .choice_i(choice),
          .sendable_i(in[19*32+:V*P]),
          .out_up_i(in[18*32+:P]),
          .request_ivc_o(request),
          .rank_o(),
          .target_o(target),
          .pop_ivc_i(in[16*32+:V]),
          .pick_ivc_i(in[17*32+:V]),
          .way_o(way),
          .tag_o(tag),
          .data_o(data),
          .discard_o(discard),
          .busy_o(busy),
          .error_o(error)
      );
      `OUT(0, credit)
      `OUT(1, bid)
      `OUT(2, request)
      `OUT(3, u_dut.routed)
      `OUT(4, set)
      `OUT(5, discard)
      `OUT(6, busy)
      `OUT(7, error)
      `OUT(8, u_dut.header[31:0])
      `OUT(9, u_dut.header[63:32])
      `OUT(10, u_dut.up_q)
      if (V > 1) begin : g_turn
        `OUT(11, u_dut.u_route_arbiter.g_mask.mask)
      end else begin : g_turn
        `OUT(11, 1)
      end
      for (v = 0; v < 3; v = v + 1) begin : g_vc
        if (v < XV) begin : g_row
          `VC(0, tag[v*(V+3)+:V+3])
          assign out_o[(s*OUT+45+4*v)*32+:128] = data[v*W+:W];
        end else begin : g_row
          `VC(0, 0)
          assign out_o[(s*OUT+45+4*v)*32+:128] = 128'd0;
        end
        if (v < V) begin : g_used
          assign choice[v*V*P+:V*P] = in[(20+v)*32+:V*P];
          `VC(1, cand[v*V*P+:V*P])
          `VC(2, bubble[v*V*P+:V*P])
          `VC(3, preferred[v*V*P+:V*P])
          `VC(4, {way[v*P+:P], target[v*P+:P]})
          `VC(5, u_dut.g_vc[v].u_vc.state_q)
          `VC(6, u_dut.g_vc[v].u_vc.cand_q)
          `VC(7, {u_dut.g_vc[v].u_vc.pending_credits_q, 1'b0, u_dut.g_vc[v].u_vc.open_q})
          `VC(8, {u_dut.g_vc[v].u_vc.u_fifo.rd_q, 16'd0} | u_dut.g_vc[v].u_vc.u_fifo.wr_q)
          `VC(9, u_dut.g_vc[v].u_vc.u_fifo.count_q)
          // what stands in for registers that not all elaborations have
          `VC(10, {u_dut.g_vc[v].u_vc.wait_now, u_dut.g_vc[v].u_vc.crossing, u_dut.g_vc[v].u_vc.stripped, u_dut.g_vc[v].u_vc.depends,
              u_dut.g_vc[v].u_vc.dead})
          for (d = 0; d < 8; d = d + 1) begin : g_slot // tag and the first word
            if (d < DEPTH) begin : g_used
              assign out_o[(s*OUT+57+(v*8+d)*4)*32+:128] =
                  {u_dut.g_vc[v].u_vc.u_fifo.tag_q[d], 32'd0, u_dut.g_vc[v].u_vc.u_fifo.data_q[d][63:0]};
            end else begin : g_used
              assign out_o[(s*OUT+57+(v*8+d)*4)*32+:128] = 128'd0;
            end
          end
        end else begin : g_used
          assign out_o[(s*OUT+57+v*32)*32+:1024] = 1024'd0;
          for (d = 1; d < 11; d = d + 1) begin : g_none
            `VC(d, 0)
          end
        end
      end
    end
  endgenerate
endmodule
