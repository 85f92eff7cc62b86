// SPDX-License-Identifier: Apache-2.0
// output_queue - proof of ut_output_queue with two VCs: a flit leaves only with a credit, packets leave whole and in order, one
// queue sends at a time, and what a queue holds goes with its link.
//
// Assumed of the switch: one flit a cycle crosses, to a queue with a free place, packet by packet, of at most MAX_PACKET = 2
// flits under virtual cut-through (`output_unit`, `input_vc`).  Assumed of the neighbour: it gives a credit only for a place
// that it has not told of (`input_vc`).  The link goes down and comes back at any time.
// see rd0 = u_queue.g_fifo[0].u_fifo.rd_q
// see rd1 = u_queue.g_fifo[1].u_fifo.rd_q
// see wr0 = u_queue.g_fifo[0].u_fifo.wr_q
// see wr1 = u_queue.g_fifo[1].u_fifo.wr_q
// see tag0[i*3+2:i*3] = u_queue.g_fifo[0].u_fifo.tag_q[i] for i < OUTPUT_DEPTH
// see tag1[i*3+2:i*3] = u_queue.g_fifo[1].u_fifo.tag_q[i] for i < OUTPUT_DEPTH
module output_queue #(
    parameter DEPTH = 4,
    parameter OUTPUT_DEPTH = 3,
    parameter SWITCHING = 0
) (
    input clk_i
);
  localparam V = 2;
  localparam CW = $clog2(DEPTH + 1);
  localparam PW = $clog2(OUTPUT_DEPTH + 1);
  localparam AW = OUTPUT_DEPTH > 1 ? $clog2(OUTPUT_DEPTH) : 1;
  localparam [31:0] FULL = OUTPUT_DEPTH;
  reg started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;
  wire rst_i = ~started_q;

  (* anyseq *)wire link_up;
  (* anyseq *)wire [V-1:0] push, credit;
  (* anyseq *)wire [1:0] kind;
  reg up_q;
  always @(posedge clk_i) up_q <= link_up & ~rst_i;
  wire [V*CW-1:0] credits;
  wire [V*PW-1:0] count;
  wire [V-1:0] sends;
  wire [1:0] out_kind;
  wire out_bad, error;
  wire [63:0] out_data;
  wire [AW-1:0] see_rd0, see_rd1, see_wr0, see_wr1;
  wire [3*OUTPUT_DEPTH-1:0] see_tag0, see_tag1;
  ut_output_queue #(
      .V(V),
      .DEPTH(DEPTH),
      .OUTPUT_DEPTH(OUTPUT_DEPTH),
      .W(64),
      .MAX_PACKET(2),
      .SWITCHING(SWITCHING)
  ) u_queue (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .up_i(up_q),
      .credits_i(credits),
      .push_i(push),
      .kind_i(kind),
      .bad_i(1'b0),
      .data_i(64'd0),
      .count_o(count),
      .send_o(sends),
      .kind_o(out_kind),
      .bad_o(out_bad),
      .data_o(out_data),
      .error_o(error)
  );
  always @* assume (push == 0 || up_q && $onehot(push));

  wire [V-1:0] paid, whole, cleared, held, waits, pointers, contents, rest, full;
  genvar v, n;
  generate
    for (v = 0; v < V; v = v + 1) begin : g_vc
      reg [CW-1:0] credits_q;
      reg in_open_q, out_open_q;  // a packet has begun to enter, to leave, and has not ended
      reg down_q;  // the link was down a cycle ago
      assign credits[v*CW+:CW] = credits_q;
      wire [PW-1:0] mine = count[v*PW+:PW];
      wire [AW-1:0] rd = v == 0 ? see_rd0 : see_rd1, wr = v == 0 ? see_wr0 : see_wr1;
      wire [3*OUTPUT_DEPTH-1:0] tags = v == 0 ? see_tag0 : see_tag1;
      always @(posedge clk_i)
        if (rst_i | ~up_q) begin
          credits_q <= {CW{1'b0}};
          in_open_q <= 1'b0;
          out_open_q <= 1'b0;
          down_q <= 1'b1;
        end else begin
          credits_q <= credits_q + {{CW - 1{1'b0}}, credit[v]} - {{CW - 1{1'b0}}, sends[v]};
          if (push[v]) in_open_q <= ~kind[1];
          if (sends[v]) out_open_q <= ~out_kind[1];
          down_q <= 1'b0;
        end
      always @* begin
        assume (~credit[v] || credits_q < DEPTH);
        assume (~push[v] || mine < FULL);
        assume (~push[v] || kind[0] == ~in_open_q);
        assume (~push[v] || SWITCHING != 0 || |kind);
      end
      // the flits from the front on: {head, tail}
      wire [OUTPUT_DEPTH-1:0] head, tail, follows;
      for (n = 0; n < OUTPUT_DEPTH; n = n + 1) begin : g_place
        wire [31:0] place = rd + n < FULL ? rd + n : rd + n - FULL;
        wire [3*OUTPUT_DEPTH-1:0] from = tags >> 3 * place;
        assign head[n] = from[0];
        assign tail[n] = from[1];
        if (n == 0) begin : g_first
          assign follows[n] = mine == 0 || head[0] == ~out_open_q;
        end else begin : g_first
          assign follows[n] = mine <= n || head[n] == tail[n-1];
        end
      end
      wire [OUTPUT_DEPTH-1:0] there = ~({OUTPUT_DEPTH{1'b1}} << mine);
      wire [OUTPUT_DEPTH-1:0] last = there & ~(there >> 1);
      assign paid[v] = ~sends[v] || credits_q != 0;
      assign whole[v] = ~sends[v] || out_kind[0] == ~out_open_q;
      assign cleared[v] = ~down_q || mine == 0;
      assign held[v] = ~sends[v] || (mine != 0 && up_q);
      assign waits[v] = up_q && mine != 0 && credits_q == DEPTH;
      assign pointers[v] = rd < FULL && wr < FULL && mine <= FULL && credits_q <= DEPTH && (rd + mine == wr || rd + mine == wr + FULL);
      assign contents[v] = &follows && (mine == 0 ? in_open_q == out_open_q : (|(last & tail)) == ~in_open_q);
      assign rest[v] = SWITCHING != 0 || ((~out_open_q || credits_q != 0) && (there & ~(head | tail)) == 0);
      assign full[v] = mine == FULL && sends != 0 && ~sends[v];
    end
  endgenerate
  always @*
    if (started_q) begin
      no_error: assert (~error);
      never_below_zero: assert (&paid);
      whole_packets: assert (&whole);
      one_sends: assert ($onehot0(sends) && &held);
      somebody_sends: assert (waits == 0 || sends != 0);
      down_is_empty: assert (&cleared);
      // what makes the induction close
      pointers_fit: assert (&pointers);
      packet_by_packet: assert (&contents);
      room_for_the_rest: assert (&rest);
      cover (|full);
    end
endmodule
