// SPDX-License-Identifier: Apache-2.0
// ring - the bubble rule on the RTL: N real switches in a ring (a torus of one dimension), every behaviour of the terminals.
//
// What the terminals do is free (anyseq): when they send, whereto, and when, if ever, they take what arrives.  Links are
// up after reset.  Proven by k-induction (tests/formal/ring_long.sh): in both directions there is always space for a whole
// packet somewhere in the ring's buffers.  With dor_without_bubble the same assertion fails.
//
// Packets have one flit.  Index spaces: link l = node * 3 + port; port 0 goes on, 1 back, 2 to the terminal.  Signals
// from inside the switches, see_*, are connected by the script, which knows their names; the assertions about them are
// what makes the induction close.
`include "layout.vh"
module ring #(
    parameter ALGORITHM = 0,
    parameter N = 4
) (
    input clk_i
);
  localparam DEPTH = 2;
  localparam W = 64;
  localparam L = 3 * N;
  localparam CW = $clog2(DEPTH + 1);
  localparam AW = $clog2(DEPTH);
  localparam SW = CW + 1 + $clog2(N);  // of a sum over a ring
  localparam [31:0] FULL = DEPTH;

  reg started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;
  wire rst = ~started_q;

  // ---- terminals
  (* anyseq *)wire [N-1:0] send_choice;
  (* anyseq *)wire [N*16-1:0] dst_choice;
  (* anyseq *)wire [N-1:0] take_choice;

  wire [L-1:0] in_valid, in_bad, in_credit, out_valid, out_bad, out_credit;
  wire [2*L-1:0] in_kind, out_kind;
  wire [W*L-1:0] in_data, out_data;
  wire [N-1:0] error;
  wire [L-1:0] discard;

  // ---- from inside the switches
  wire [CW*L-1:0] see_credits, see_pending_credits, see_count;
  wire [L-1:0] see_in_up, see_out_up, see_owned, see_open;
  wire [2*L-1:0] see_offer;  // space, and with the rule space for two
  wire [3*L-1:0] see_state, see_cand, see_bubble;
  wire [AW*L-1:0] see_rd, see_wr;
  wire [3*DEPTH*L-1:0] see_tag;
  wire [16*N-1:0] see_straps;

  genvar n, p, s;
  generate
    for (n = 0; n < N; n = n + 1) begin : g_node
      localparam ON = (n + 1) % N;
      localparam BACK = (n + N - 1) % N;
      localparam [63:0] STRAPS = n;
      ut_switch #(
          .PI(3),
          .PO(3),
          .V(1),
          .DEPTH(DEPTH),
          .W(W),
          .MAX_PACKET(1),
          .ROUTE(`UT_ROUTE_TORUS),
          .ALGORITHM(ALGORITHM),
          .SIZE0(N)
      ) u_switch (
          .clk_i(clk_i),
          .rst_i(rst),
          .straps_i(STRAPS),
          .config_i(64'd0),
          .in_up_i(3'b111),
          .in_valid_i(in_valid[3*n+:3]),
          .in_vc_i(3'd0),
          .in_kind_i(in_kind[6*n+:6]),
          .in_bad_i(in_bad[3*n+:3]),
          .in_data_i(in_data[3*W*n+:3*W]),
          .in_credit_o(in_credit[3*n+:3]),
          .out_up_i(3'b111),
          .out_valid_o(out_valid[3*n+:3]),
          .out_vc_o(),
          .out_kind_o(out_kind[6*n+:6]),
          .out_bad_o(out_bad[3*n+:3]),
          .out_data_o(out_data[3*W*n+:3*W]),
          .out_credit_i(out_credit[3*n+:3]),
          .report_i(3'd0),
          .report_o(),
          .discard_o(discard[3*n+:3]),
          .idle_o(),
          .error_o(error[n])
      );
      // what leaves through port 0 arrives at port 1 of the next node, and the other way round
      for (p = 0; p < 2; p = p + 1) begin : g_link
        localparam TO = 3 * (p == 0 ? ON : BACK) + 1 - p;
        assign in_valid[TO] = out_valid[3*n+p];
        assign in_bad[TO] = out_bad[3*n+p];
        assign in_kind[2*TO+:2] = out_kind[2*(3*n+p)+:2];
        assign in_data[W*TO+:W] = out_data[W*(3*n+p)+:W];
        assign out_credit[3*n+p] = in_credit[TO];
      end

      // the terminal: sends single flits while it has credits, gives back space when it likes
      reg [CW-1:0] credits_q, pending_credits_q;
      wire sends = started_q & send_choice[n] & |credits_q;
      wire takes = started_q & take_choice[n] & |pending_credits_q;
      assign in_valid[3*n+2] = sends;
      assign in_bad[3*n+2] = 1'b0;
      assign in_kind[2*(3*n+2)+:2] = `UT_KIND_SINGLE;
      assign in_data[W*(3*n+2)+:W] = {{W - 16{1'b0}}, dst_choice[16*n+:16]};
      assign out_credit[3*n+2] = takes & see_out_up[3*n+2];
      always @(posedge clk_i)
        if (rst) begin
          credits_q <= {CW{1'b0}};
          pending_credits_q <= FULL[CW-1:0];
        end else begin
          credits_q <= credits_q + {{CW - 1{1'b0}}, in_credit[3*n+2]} - {{CW - 1{1'b0}}, sends};
          pending_credits_q <= pending_credits_q + {{CW - 1{1'b0}}, out_valid[3*n+2]} - {{CW - 1{1'b0}}, out_credit[3*n+2]};
        end

      // ---- nothing is lost: for every buffer, flits in it and on the way, and credits in all places, are its depth
      wire [CW+1:0] injected = credits_q + in_credit[3*n+2] + see_pending_credits[CW*(3*n+2)+:CW] + see_count[CW*(3*n+2)+:CW];
      wire [CW+1:0] ejected = see_credits[CW*(3*n+2)+:CW] + out_valid[3*n+2] + pending_credits_q;
      always @*
        if (started_q) begin
          assert (injected == FULL[CW+1:0]);
          assert (ejected == FULL[CW+1:0]);
          assert (see_in_up[3*n+2] | credits_q == 0);
          assert (~error[n] & discard[3*n+:3] == 0);
          assert (see_straps[16*n+:16] == STRAPS[15:0]);
        end
    end

    for (n = 0; n < L; n = n + 1) begin : g_port
      // ---- a packet that needs no space for two to go on in a ring is in that ring
      localparam PORT = n % 3;
      wire [2:0] cand = see_cand[3*n+:3];
      wire [2:0] bubble = see_bubble[3*n+:3];
      wire [2:0] state = see_state[3*n+:3];
      always @*
        if (started_q) begin
          assert (see_in_up[n] == see_out_up[n]);  // all links of a switch come up in the same cycle
          assert (see_in_up[n] | (see_count[CW*n+:CW] == 0 & ~out_valid[n] & ~in_credit[n] & state == `UT_VC_STATE_IDLE));
          assert (see_in_up[n] == see_in_up[0]);
          assert (see_in_up[n] | see_credits[CW*n+:CW] == 0);
          assert (~see_owned[n] & ~see_open[n]);  // packets of one flit
          assert (see_offer[2*n] == (see_credits[CW*n+:CW] != 0));
          if (ALGORITHM == `UT_TORUS_DOR) assert (see_offer[2*n+1] == (PORT < 2 && see_credits[CW*n+:CW] == FULL[CW-1:0]));
          assert (state == `UT_VC_STATE_IDLE | state == `UT_VC_STATE_WAITING);
          assert (state == `UT_VC_STATE_IDLE | see_count[CW*n+:CW] != 0);
          if (ALGORITHM == `UT_TORUS_DOR && state == `UT_VC_STATE_WAITING) begin
            assert (PORT == 1 | ~cand[0] | bubble[0]);
            assert (PORT == 0 | ~cand[1] | bubble[1]);
          end
          assert (~out_valid[n] | (out_kind[2*n+:2] == `UT_KIND_SINGLE & ~out_bad[n]));
          assert (see_count[CW*n+:CW] <= FULL[CW-1:0]);
          assert (see_wr[AW*n+:AW] == see_rd[AW*n+:AW] + see_count[CW*n+:AW]);
        end
      for (s = 0; s < DEPTH; s = s + 1) begin : g_slot  // slot s from the front
        localparam [31:0] ME = s;
        wire [AW-1:0] at = see_rd[AW*n+:AW] + ME[AW-1:0];
        wire [2:0] tag = at == 0 ? see_tag[3*DEPTH*n+:3] : see_tag[3*DEPTH*n+3+:3];  // DEPTH is 2
        always @*
          if (started_q & see_count[CW*n+:CW] > ME[CW-1:0]) assert (tag == {1'b0, `UT_KIND_SINGLE});
      end
    end

    // ---- the rings: p = 0 on, 1 back
    for (p = 0; p < 2; p = p + 1) begin : g_ring
      for (n = 0; n < N; n = n + 1) begin : g_buffer  // behind output port p of node n
        localparam FROM = 3 * n + p;
        localparam TO = 3 * (p == 0 ? (n + 1) % N : (n + N - 1) % N) + 1 - p;
        wire [CW+1:0] free = see_credits[CW*FROM+:CW] + in_credit[TO] + see_pending_credits[CW*TO+:CW];
        wire [CW+1:0] taken = see_count[CW*TO+:CW] + out_valid[FROM];
        wire [SW-1:0] sum;
        if (n == 0) begin : g_sum
          assign sum = {{SW - CW - 2{1'b0}}, free};
        end else begin : g_sum
          assign sum = g_buffer[n-1].sum + {{SW - CW - 2{1'b0}}, free};
        end
        always @* if (started_q) assert (free + taken == FULL[CW+1:0]);
      end
      wire [SW-1:0] space = g_buffer[N-1].sum;
      always @*
        if (started_q) begin
          assert (space != 0);  // THE claim: the ring never fills
          if (p == 0) cover (space == N);  // a packet in every buffer, so the claim is not empty
        end
    end
  endgenerate
endmodule
