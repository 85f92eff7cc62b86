// SPDX-License-Identifier: Apache-2.0
`include "algorithms.vh"
`include "layout.vh"
// switch2 - proof of a whole switch of two input and two output ports (RUFT, k = 2, one VC, virtual cut-through, buffers of two
// flits, route 0, allocation 1): no flit is lost or doubled, and packets leave whole, their flits in order, never mixed.
//
// Packets have one or two flits and any destination.  Assumed of the neighbours, and proven of input_vc and output_unit: they
// send with credits, packet by packet, and give a credit for a place that is free.  Links are up after reset.
// At most one flit, any one, is marked (bit 63) and counted; bit 62 is the same in both flits of a packet.
// see pending_credits[2*i+1:2*i] = u_switch.g_in[i].u_input.g_vc[0].u_vc.pending_credits_q for i < 2
// see count[2*i+1:2*i] = u_switch.g_in[i].u_input.g_vc[0].u_vc.u_fifo.count_q for i < 2
// see rd[i] = u_switch.g_in[i].u_input.g_vc[0].u_vc.u_fifo.rd_q for i < 2
// see wr[i] = u_switch.g_in[i].u_input.g_vc[0].u_vc.u_fifo.wr_q for i < 2
// see tag0[3*i+2:3*i] = u_switch.g_in[i].u_input.g_vc[0].u_vc.u_fifo.tag_q[0] for i < 2
// see tag1[3*i+2:3*i] = u_switch.g_in[i].u_input.g_vc[0].u_vc.u_fifo.tag_q[1] for i < 2
// see mark0[2*i+1:2*i] = u_switch.g_in[i].u_input.g_vc[0].u_vc.u_fifo.data_q[0][63:62] for i < 2
// see mark1[2*i+1:2*i] = u_switch.g_in[i].u_input.g_vc[0].u_vc.u_fifo.data_q[1][63:62] for i < 2
// see open[i] = u_switch.g_in[i].u_input.g_vc[0].u_vc.open_q for i < 2
// see state[3*i+2:3*i] = u_switch.g_in[i].u_input.g_vc[0].u_vc.state_q for i < 2
// see cand[2*i+1:2*i] = u_switch.g_in[i].u_input.g_vc[0].u_vc.cand_q for i < 2
// see in_up[i] = u_switch.g_in[i].u_input.up_q for i < 2
// see out_up[i] = u_switch.g_out[i].u_output.up_q for i < 2
// see owned[i] = u_switch.g_out[i].u_output.g_vc[0].owned_q for i < 2
// see credits[2*i+1:2*i] = u_switch.g_out[i].u_output.g_vc[0].credits_q for i < 2
// see straps[63:0] = u_switch.straps_q
module switch2 #(
    parameter DEPTH = 2
) (
    input clk_i
);
  localparam [31:0] FULL = DEPTH;
  reg started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;
  wire rst_i = ~started_q;

  (* anyseq *)wire [1:0] push, mark, single, dst, out_credit;
  (* anyseq *)wire [1:0] twin;  // bit 62 of a packet, for its head
  wire [3:0] in_kind, out_kind;
  wire [127:0] in_data, out_data;
  wire [1:0] in_credit, out_valid, out_bad, discard;
  wire error;
  wire [3:0] see_pending_credits, see_count, see_mark0, see_mark1, see_cand, see_credits;
  wire [5:0] see_tag0, see_tag1, see_state;
  wire [1:0] see_rd, see_wr, see_open, see_in_up, see_out_up, see_owned;
  wire [63:0] see_straps;
  ut_switch #(
      .PI(2),
      .PO(2),
      .V(1),
      .DEPTH(DEPTH),
      .W(64),
      .MAX_PACKET(2),
      .MIN_PACKET(1),
      .ROUTE(`UT_ROUTE_RUFT),
      .ALGORITHM(0),
      .RADIX(2)
  ) u_switch (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .straps_i(64'd0),
      .config_i(64'd0),
      .in_up_i(2'b11),
      .in_valid_i(push),
      .in_vc_i(2'b00),
      .in_kind_i(in_kind),
      .in_bad_i(2'b00),
      .in_data_i(in_data),
      .in_credit_o(in_credit),
      .out_up_i(2'b11),
      .out_valid_o(out_valid),
      .out_vc_o(),
      .out_kind_o(out_kind),
      .out_bad_o(out_bad),
      .out_data_o(out_data),
      .out_credit_i(out_credit),
      .report_i(2'b00),
      .report_o(),
      .discard_o(discard),
      .idle_o(),
      .error_o(error)
  );

  // ---- the flit that is marked: it came once; left is how often it has gone
  reg marked_q;
  reg [1:0] left_q;
  wire [1:0] leaves = {out_valid[1] & out_data[127], out_valid[0] & out_data[63]};
  always @(posedge clk_i)
    if (rst_i) begin
      marked_q <= 1'b0;
      left_q   <= 2'd0;
    end else begin
      marked_q <= marked_q | |(push & mark);
      left_q   <= left_q[1] ? 2'd2 : left_q + {1'b0, leaves[0]} + {1'b0, leaves[1]};
    end
  always @* assume (!(marked_q && |(push & mark)) && (push & mark) != 2'b11);

  // ---- inputs
  wire [1:0] known, kinds, fronts, twins, active, begins_well;
  wire [5:0] inside;  // marked flits in each buffer, two bits and one to spare
  genvar i;
  generate
    for (i = 0; i < 2; i = i + 1) begin : g_in
      reg [1:0] given_q;
      reg open_q, twin_q;
      wire [1:0] kind = open_q ? `UT_KIND_TAIL : single[i] ? `UT_KIND_SINGLE : `UT_KIND_HEAD;
      wire same = open_q ? twin_q : twin[i];
      assign in_kind[2*i+:2] = kind;
      assign in_data[64*i+:64] = {mark[i], same, 61'd0, dst[i]};
      always @(posedge clk_i)
        if (rst_i) begin
          given_q <= 2'd0;
          open_q  <= 1'b0;
          twin_q  <= 1'b0;
        end else begin
          given_q <= given_q + {1'b0, in_credit[i]} - {1'b0, push[i]};
          if (push[i]) begin
            open_q <= ~kind[1];
            twin_q <= same;
          end
        end
      always @* assume (~push[i] | (kind[1] ? given_q != 0 : given_q > 1));

      wire [1:0] count = see_count[2*i+:2];
      wire some = count != 0, both = count == 2;
      wire [2:0] tag_front = see_rd[i] ? see_tag1[3*i+:3] : see_tag0[3*i+:3];
      wire [2:0] tag_back = see_rd[i] ? see_tag0[3*i+:3] : see_tag1[3*i+:3];
      wire [1:0] front = see_rd[i] ? see_mark1[2*i+:2] : see_mark0[2*i+:2];
      wire [1:0] back = see_rd[i] ? see_mark0[2*i+:2] : see_mark1[2*i+:2];
      wire [2:0] tag_last = both ? tag_back : tag_front;
      wire twin_last = both ? back[0] : front[0];
      assign inside[3*i+:3] = {2'd0, some & front[1]} + {2'd0, both & back[1]};
      assign active[i] = see_state[3*i+:3] == `UT_VC_STATE_ACTIVE;
      wire waits = see_state[3*i+:3] == `UT_VC_STATE_WAITING, idle = see_state[3*i+:3] == `UT_VC_STATE_IDLE;
      // places: told, being told, to be told, taken
      assign known[i] = count <= 2 && see_wr[i] == (see_rd[i] ^ count[0]) &&
          {1'b0, given_q} + in_credit[i] + see_pending_credits[2*i+:2] + count == FULL && see_open[i] == open_q && (~open_q || given_q != 0) &&
          (see_in_up[i] || (count == 0 && given_q == 0 && idle && ~in_credit[i]));
      assign kinds[i] = (~some || (tag_front[1:0] != 0 && ~tag_front[2])) && (~both || (tag_back[1:0] != 0 && ~tag_back[2] &&
          tag_back[0] == tag_front[1])) && (~some || open_q == ~tag_last[1]);
      assign fronts[i] = (idle | waits | active[i]) && (~idle || (some ? tag_front[0] : ~open_q)) &&
          (~waits || (some && tag_front[0] && see_cand[2*i+:2] != 0 && see_cand[2*i+:2] != 3)) &&
          (~active[i] || ((some ? ~tag_front[0] : open_q) && (see_cand[2*i+:2] == 1 || see_cand[2*i+:2] == 2)));
      assign twins[i] = (~both || tag_back[0] || back[0] == front[0]) && (~some || ~open_q || twin_last == twin_q);
      // a packet that has begun to leave: its tail has the twin bit that went through the output
      wire out = see_cand[2*i+1];
      assign begins_well[i] = ~active[i] || (some ? front[0] : twin_q) == twin_next[out];
    end
  endgenerate

  // ---- outputs
  wire [1:0] paid, owner, opens, whole, unmixed, twin_next;
  generate
    for (i = 0; i < 2; i = i + 1) begin : g_out
      reg [1:0] pending_credits_q;  // credits that the neighbour has to give
      reg open_q, twin_q;
      wire [1:0] kind = out_kind[2*i+:2];
      wire bit62 = out_data[64*i+62];
      wire open_next = out_valid[i] ? ~kind[1] : open_q;
      assign twin_next[i] = out_valid[i] & kind[0] ? bit62 : twin_q;
      always @(posedge clk_i)
        if (rst_i) begin
          pending_credits_q <= FULL[1:0];
          open_q <= 1'b0;
          twin_q <= 1'b0;
        end else begin
          pending_credits_q <= pending_credits_q + {1'b0, out_valid[i]} - {1'b0, out_credit[i] & see_out_up[i]};
          open_q <= open_next;
          twin_q <= twin_next[i];
        end
      always @* assume (~out_credit[i] | (pending_credits_q != 0 & see_out_up[i]));
      wire [1:0] mine = {active[1] & see_cand[2+i], active[0] & see_cand[i]};
      assign paid[i] = {1'b0, see_credits[2*i+:2]} + out_valid[i] + pending_credits_q == FULL && (~see_owned[i] || see_credits[2*i+:2] != 0);
      assign owner[i] = see_owned[i] == |mine && mine != 2'b11;
      assign opens[i] = open_next == see_owned[i] && (see_out_up[i] || (~see_owned[i] && ~out_valid[i] && see_credits[2*i+:2] == 0));
      assign whole[i] = ~out_valid[i] || (kind[0] == ~open_q && kind != 0 && ~out_bad[i]);
      assign unmixed[i] = ~out_valid[i] || kind[0] || bit62 == twin_q;
    end
  endgenerate

  // in the buffers, in the output registers, gone
  wire [4:0] everywhere = {2'd0, inside[2:0]} + {2'd0, inside[5:3]} + {4'd0, leaves[0]} + {4'd0, leaves[1]} + {3'd0, left_q};
  always @*
    if (started_q) begin
      none_lost_or_doubled: assert (everywhere == {4'd0, marked_q});
      whole_packets: assert (&whole);
      never_mixed: assert (&unmixed);
      no_error: assert (~error && discard == 0);
      // what makes the induction close
      books_in: assert (&known);
      kinds_in_order: assert (&kinds);
      states: assert (&fronts);
      twins_in_order: assert (&twins);
      twins_on_their_way: assert (&begins_well);
      books_out: assert (&paid);
      one_owner: assert (&owner);
      open_is_owned: assert (&opens);
      links: assert ((&see_in_up && &see_out_up) || ~|{see_in_up, see_out_up});
      no_straps: assert (see_straps == 0);
      cover (left_q == 1 && out_valid == 2'b11 && see_owned == 2'b11);
    end
endmodule
