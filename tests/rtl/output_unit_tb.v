// SPDX-License-Identifier: Apache-2.0
// output_unit_tb - the output port with its rule of space: V = 1, 2, 4, virtual cut-through and wormhole, several depths and
// packet lengths; then six shapes with the bubble rule, a preferred class or both; then two where packets are alone in
// their buffers; then eight with output queues.
// in: reset, link_up, credit, take, valid, vc, kind, bad, data (2).
// out: up, space, space2, sendable, valid, vc, kind, bad, error, data (2), owned, credits (4), offer_q (4), amount (4), busy, turn
// of the link, queues (4): write and read pointer, count.
module output_unit_tb #(
    parameter S   = 28,
    parameter IN  = 10,
    parameter OUT = 30
) (
    input                 clk_i,
    input  [ S*IN*32-1:0] in_i,
    output [S*OUT*32-1:0] out_o
);
  // one digit, two or one bit for each of the last sixteen shapes, the first of them last
  localparam [16*4-1:0] VCS = 64'h2_3_4_1_3_2_4_1__2_3_3_4_4_2_1_4;
  localparam [16*8-1:0] DEPTHS = 128'h04_05_15_08_01_03_07_04__06_04_05_04_09_10_08_15;
  localparam [16*8-1:0] QUEUES = 128'h03_02_0f_0a_08_01_09_02__00_00_00_00_00_00_00_00;
  localparam [16*4-1:0] LONGEST = 64'h9_2_7_4_3_4_5_2__2_9_2_2_4_5_4_7;
  localparam [16*4-1:0] SHORTEST = 64'h9_2_5_4_3_4_5_2__2_9_2_2_4_4_4_5;
  localparam [16*4-1:0] ESCAPES = 64'h1_1_2_1_1_1_1_1__1_1_1_3_2_1_1_2;
  localparam [15:0] BUBBLE = 16'b0_0_1_1_0_0_0_0__0_0_0_0_0_1_1_1;
  localparam [15:0] PREFERRED = 16'b1_1_1_0_0_0_0_0__1_1_1_1_1_1_0_1;
  localparam [15:0] WORMHOLES = 16'b1_1_0_0_1_1_0_0__0_1_1_1_0_0_0_0;
  localparam [15:0] ATOMICS = 16'b1_0_0_0_0_0_0_0__1_1_0_0_0_0_0_0;
  localparam [15:0] SPACES = 16'b0_0_1_0_1_0_1_0__0_0_0_0_0_0_0_0;  // free places of queues are compared
  genvar s, v, b;
  generate
    for (s = 0; s < S; s = s + 1) begin : g_shape
      localparam integer V = s >= 12 ? VCS[4*(s-12)+:4] : s % 3 == 0 ? 1 : s % 3 == 1 ? 2 : 4;
      localparam integer VW = V > 1 ? $clog2(V) : 1;
      localparam integer SIZE = s / 6 * 2 + s % 2;
      localparam integer DEPTH = s >= 12 ? DEPTHS[8*(s-12)+:8] : SIZE == 0 ? 1 : SIZE == 1 ? 4 : SIZE == 2 ? 7 : 16;
      localparam integer MAX_PACKET = s >= 12 ? LONGEST[4*(s-12)+:4] : SIZE == 0 ? 1 : SIZE == 3 ? 9 : 2;
      localparam integer MIN_PACKET = s >= 12 ? SHORTEST[4*(s-12)+:4] : MAX_PACKET;
      localparam integer WORMHOLE = s >= 12 ? WORMHOLES[s-12] : s / 3 % 2;
      localparam integer QUEUE = s >= 12 ? QUEUES[8*(s-12)+:8] : 0;
      localparam integer SPACE = s >= 12 ? SPACES[s-12] : 0;
      localparam integer ATOMIC = s >= 12 ? ATOMICS[s-12] : 0;
      localparam integer CW = $clog2(DEPTH + 1);
      wire [IN*32-1:0] in = in_i[s*IN*32+:IN*32];
      wire [V-1:0] space, space2, sendable, owned;
      // as in ut_switch
      localparam integer OF_RINGS = s >= 12 ? BUBBLE[s-12] : 0;
      localparam integer LEAST = ATOMIC != 0 ? DEPTH : WORMHOLE != 0 ? 1 : MAX_PACKET;
      localparam integer BITS = SPACE != 0 ? $clog2(QUEUE + 1) : QUEUE == 0 && DEPTH - LEAST < 8 - OF_RINGS ? 0 : CW;
      localparam integer LEVELS = BITS > 0 ? 0 : DEPTH - LEAST;
      localparam integer AW = LEVELS > 0 ? LEVELS : BITS > 0 ? BITS : 1;
      wire [AW*V-1:0] amount;
      wire [VW-1:0] vc;
      wire [1:0] kind;
      wire [63:0] data;
      wire up, valid, bad, error, busy;
      ut_output_unit #(
          .V(V),
          .VW(VW),
          .DEPTH(DEPTH),
          .OUTPUT_DEPTH(QUEUE),
          .W(64),
          .MAX_PACKET(MAX_PACKET),
          .MIN_PACKET(MIN_PACKET),
          .SWITCHING(WORMHOLE),
          .BUBBLE(OF_RINGS),
          .PREFERRED(s >= 12 ? PREFERRED[s-12] : 0),
          .ATOMIC(ATOMIC),
          .ESCAPES(s >= 12 ? ESCAPES[4*(s-12)+:4] : 1),
          .LEAST(LEAST),
          .LEVELS(LEVELS),
          .BITS(BITS),
          .SPACE(SPACE)
      ) u_dut (
          .clk_i(clk_i),
          .rst_i(in[0]),
          .link_up_i(in[1*32]),
          .credit_i(in[2*32+:V]),
          .take_i(in[3*32+:V]),
          .valid_i(in[4*32]),
          .vc_i(in[5*32+:V]),
          .kind_i(in[6*32+:2]),
          .bad_i(in[7*32]),
          .data_i(in[8*32+:64]),
          .up_o(up),
          .space_o(space),
          .space2_o(space2),
          .sendable_o(sendable),
          .amount_o(amount),
          .busy_o(busy),
          .valid_o(valid),
          .vc_o(vc),
          .kind_o(kind),
          .bad_o(bad),
          .data_o(data),
          .error_o(error)
      );
      assign out_o[(s*OUT+0)*32+:32] = up;
      assign out_o[(s*OUT+1)*32+:32] = space;
      assign out_o[(s*OUT+2)*32+:32] = space2;
      assign out_o[(s*OUT+3)*32+:32] = sendable;
      assign out_o[(s*OUT+4)*32+:32] = valid;
      assign out_o[(s*OUT+5)*32+:32] = vc;
      assign out_o[(s*OUT+6)*32+:32] = kind;
      assign out_o[(s*OUT+7)*32+:32] = bad;
      assign out_o[(s*OUT+8)*32+:32] = error;
      assign out_o[(s*OUT+9)*32+:64] = data;
      assign out_o[(s*OUT+11)*32+:32] = owned;
      assign out_o[(s*OUT+24)*32+:32] = busy;
      if (QUEUE > 0 && V > 1) begin : g_link
        assign out_o[(s*OUT+25)*32+:32] = u_dut.g_queue.u_queue.u_link.g_mask.u_pointer.pointer_q;
      end else begin : g_link
        assign out_o[(s*OUT+25)*32+:32] = 32'd0;
      end
      for (v = 0; v < 4; v = v + 1) begin : g_vc
        if (v < V) begin : g_used
          assign owned[v] = u_dut.g_vc[v].owned_q;
          assign out_o[(s*OUT+12+v)*32+:32] = u_dut.g_vc[v].credits_q;
          assign out_o[(s*OUT+16+v)*32+:32] = u_dut.g_vc[v].offer_q;
          if (QUEUE > 0) begin : g_queue
            assign out_o[(s*OUT+26+v)*32+:8] = u_dut.g_queue.u_queue.g_fifo[v].u_fifo.count_q;
            assign out_o[(s*OUT+26+v)*32+8+:8] = u_dut.g_queue.u_queue.g_fifo[v].u_fifo.rd_q;
            assign out_o[(s*OUT+26+v)*32+16+:16] = u_dut.g_queue.u_queue.g_fifo[v].u_fifo.wr_q;
          end else begin : g_queue
            assign out_o[(s*OUT+26+v)*32+:32] = 32'd0;
          end
          for (b = 0; b < 32; b = b + 1) begin : g_bit
            assign out_o[(s*OUT+20+v)*32+b] = b < AW ? amount[(b%AW)*V+v] : 1'b0;
          end
        end else begin : g_used
          assign out_o[(s*OUT+12+v)*32+:32] = 32'd0;
          assign out_o[(s*OUT+16+v)*32+:32] = 32'd0;
          assign out_o[(s*OUT+20+v)*32+:32] = 32'd0;
          assign out_o[(s*OUT+26+v)*32+:32] = 32'd0;
        end
      end
    end
  endgenerate
endmodule
