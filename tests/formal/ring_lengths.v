// SPDX-License-Identifier: Apache-2.0
// ring_lengths - proof of ut_packet_space: a ring of escape channels with packets of MIN_PACKET..MAX_PACKET flits never stops under the
// bubble rule.
//
// N channels, one behind the other; each asks its own ut_packet_space.  Who enters, goes on or leaves, when, and how long each packet
// is, is free.  One packet moves at a time, as a whole: under virtual cut-through its space is kept for it when its head is
// given the channel, and with several at once each looks at its own channel only.  In which order packets stand in a channel
// is left open: any of them may be the first.  What a packet still takes behind it while it moves on, and credits that are on
// their way, make the rule see less space than there is (`late`): any less.
// That a channel is given to a packet only where ut_packet_space says so is proven by `vc_allocator`.
module ring_lengths #(
    parameter N = 3,
    parameter DEPTH = 8,
    parameter MAX_PACKET = 3,
    parameter MIN_PACKET = 2
) (
    input clk_i
);
  localparam CW = $clog2(DEPTH + 1);
  localparam LENGTHS = MAX_PACKET - MIN_PACKET + 1;
  localparam SPREAD = MAX_PACKET - MIN_PACKET;
  localparam SLOTS_FIT = DEPTH / MAX_PACKET - 1;
  localparam SLOTS_TELL = SPREAD > 0 ? (MIN_PACKET - 1) / SPREAD : SLOTS_FIT;
  localparam SLOTS = SLOTS_FIT < SLOTS_TELL ? SLOTS_FIT : SLOTS_TELL;  // packets of any length that leave a slot free
  localparam PW = $clog2(DEPTH / MIN_PACKET + 2);  // of a number of packets in a channel
  localparam SW = 8;  // of sums
  localparam [31:0] FULL = DEPTH;
  localparam [31:0] MOST = SLOTS + 1;
  localparam [31:0] ROOM = N * (SLOTS + 1);
  localparam ENTER = 0, GO_ON = 1, LEAVE = 2;

  reg started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;

  (* anyseq *)wire [1:0] move;
  (* anyseq *)wire [7:0] at, length;  // the channel: into it, or out of it; the flits of the packet
  (* anyseq *)wire [N*CW-1:0] late;

  wire [N-1:0] space, space2, can, here, stands, fits, slotted;
  wire [(N+1)*SW-1:0] totals;  // packets in the channels before
  assign totals[SW-1:0] = 0;
  genvar n, l;
  generate
    for (n = 0; n < N; n = n + 1) begin : g_channel
      localparam BEFORE = (n + N - 1) % N, BEHIND = (n + 1) % N;
      localparam [31:0] ME = n;
      wire mine = at == ME[7:0];
      wire behind = at == BEHIND;
      wire comes = mine & ((move == ENTER & space2[n]) | (move == GO_ON & space[n] & here[BEFORE]));
      wire goes = here[n] & ((mine & move == LEAVE) | (behind & move == GO_ON & space[BEHIND]));
      wire [SW-1:0] held, packets;
      wire [(LENGTHS+1)*SW-1:0] sums, numbers;  // over the lengths before
      assign sums[SW-1:0] = 0;
      assign numbers[SW-1:0] = 0;
      wire [LENGTHS-1:0] has;
      for (l = 0; l < LENGTHS; l = l + 1) begin : g_length
        localparam [31:0] FLITS = MIN_PACKET + l;
        reg [PW-1:0] count_q = {PW{1'b0}};
        wire meant = length == FLITS[7:0];
        always @(posedge clk_i)
          if (started_q) count_q <= count_q + {{PW - 1{1'b0}}, comes & meant} - {{PW - 1{1'b0}}, goes & meant};
        wire [SW-1:0] flits = FLITS[SW-1:0] * {{SW - PW{1'b0}}, count_q};
        assign sums[(l+1)*SW+:SW] = sums[l*SW+:SW] + flits;
        assign numbers[(l+1)*SW+:SW] = numbers[l*SW+:SW] + {{SW - PW{1'b0}}, count_q};
        assign has[l] = meant & count_q != 0;
      end
      assign held = sums[LENGTHS*SW+:SW];
      assign packets = numbers[LENGTHS*SW+:SW];
      assign here[n] = |has;
      assign stands[n] = packets != 0;
      assign totals[(n+1)*SW+:SW] = totals[n*SW+:SW] + packets;

      wire [CW-1:0] credits = FULL[CW-1:0] - held[CW-1:0];
      always @* assume (late[n*CW+:CW] <= credits);
      always @* assume (length >= MIN_PACKET & length <= MAX_PACKET);
      wire unused;
      ut_packet_space #(
          .DEPTH(DEPTH),
          .MAX_PACKET(MAX_PACKET),
          .MIN_PACKET(MIN_PACKET),
          .BUBBLE(1)
      ) u_space (
          .credits_i(credits - late[n*CW+:CW]),
          .all_i(1'b1),
          .space_o(space[n]),
          .space2_o(space2[n])
      );
      // what it says when all that moves has arrived
      ut_packet_space #(
          .DEPTH(DEPTH),
          .MAX_PACKET(MAX_PACKET),
          .MIN_PACKET(MIN_PACKET),
          .BUBBLE(1)
      ) u_later (
          .credits_i(credits),
          .all_i(1'b1),
          .space_o(can[n]),
          .space2_o(unused)
      );
      assign fits[n] = held <= FULL[SW-1:0];
      assign slotted[n] = packets <= MOST[SW-1:0];
    end
  endgenerate

  wire [SW-1:0] all = totals[N*SW+:SW];
  always @* begin
    at_most_depth: assert (&fits);
    // something in the ring has a channel to go on to
    goes_on: assert (all == 0 | |({stands[N-2:0], stands[N-1]} & can));
`ifdef UT_PROOF
    // ---- what makes the induction close
    at_most_slots: assert (&slotted);
    one_slot_left: assert (all < ROOM[SW-1:0]);
`endif
    cover (all == ROOM[SW-1:0] - 1'b1);  // one slot left, the others taken
  end
endmodule
