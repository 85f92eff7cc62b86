// SPDX-License-Identifier: Apache-2.0
// ring_any - proof of ut_packet_space: a ring of escape channels of ANY length never stops under the bubble rule, with
// packets of MIN_PACKET..MAX_PACKET flits.
//
// A channel has a free slot when it holds SLOTS packets or fewer.  Invariant: every channel holds at most SLOTS + 1 packets,
// and one of them has a free slot.  The step needs two channels only, wherever they are in the ring: one that has a free
// slot, `here`, and the one before it.  In one cycle every channel of the ring may take a packet and give one away;
// what the others do is left open.  After it one of the two has a free slot, so the length of the ring does not matter.
// A packet counts in the channel that it was given; flits that it still takes in the one behind, and credits that are on
// their way, make the rule see less space than there is (`late`): any less.  In which order packets stand in a channel is
// left open: any of them may be the first.
// Only what goes straight on in its VC is spared the bubble: `ring_entry`.  Only where ut_packet_space says so a channel is given
// away: `vc_allocator`.
module ring_any #(
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
  localparam SW = 8;  // of numbers of packets and of flits
  localparam [31:0] FULL = DEPTH;
  localparam [31:0] FREE = SLOTS, MOST = SLOTS + 1;
  localparam BEFORE = 0, HERE = 1;

  // Channel BEFORE, channel HERE: what they hold; whether a packet enters the ring there, comes from the channel before, or leaves
  // for another place than HERE; its length.
  (* anyseq *)wire [2*LENGTHS*SW-1:0] counts;
  (* anyseq *)wire [1:0] enters, arrives, leaves;
  (* anyseq *)wire [2*SW-1:0] length_in, length_out;
  (* anyseq *)wire [2*CW-1:0] late;

  wire [1:0] space, space2, can, comes, goes, whole, one, fits, slotted, frees, fits_d, slotted_d, frees_d;
  wire moves = arrives[HERE] & space[HERE] & one[BEFORE];  // from BEFORE to HERE
  assign comes[BEFORE] = enters[BEFORE] ? space2[BEFORE] : arrives[BEFORE] & space[BEFORE];
  assign comes[HERE] = enters[HERE] ? space2[HERE] : moves;
  assign goes[BEFORE] = one[BEFORE] & (enters[HERE] ? leaves[BEFORE] : moves | leaves[BEFORE]);
  assign goes[HERE] = one[HERE] & leaves[HERE];

  genvar n, l;
  generate
    for (n = 0; n < 2; n = n + 1) begin : g_channel
      wire [SW-1:0] in = length_in[n*SW+:SW], out = length_out[n*SW+:SW];
      wire [(LENGTHS+1)*SW-1:0] sums, numbers;  // over the lengths before
      wire [LENGTHS-1:0] has, small;
      assign sums[SW-1:0] = 0;
      assign numbers[SW-1:0] = 0;
      for (l = 0; l < LENGTHS; l = l + 1) begin : g_length
        localparam [31:0] FLITS = MIN_PACKET + l;
        wire [SW-1:0] count = counts[(n*LENGTHS+l)*SW+:SW];
        assign small[l] = count <= DEPTH / MIN_PACKET;
        assign has[l] = out == FLITS[SW-1:0] & count != 0;
        assign sums[(l+1)*SW+:SW] = sums[l*SW+:SW] + FLITS[SW-1:0] * count;
        assign numbers[(l+1)*SW+:SW] = numbers[l*SW+:SW] + count;
      end
      wire [SW-1:0] held = sums[LENGTHS*SW+:SW], packets = numbers[LENGTHS*SW+:SW];
      wire [SW-1:0] held_d = held + (comes[n] ? in : {SW{1'b0}}) - (goes[n] ? out : {SW{1'b0}});
      wire [SW-1:0] packets_d = packets + {{SW - 1{1'b0}}, comes[n]} - {{SW - 1{1'b0}}, goes[n]};
      assign one[n] = |has;
      assign whole[n] = &small & in >= MIN_PACKET & in <= MAX_PACKET;
      assign fits[n] = held <= FULL[SW-1:0];
      assign slotted[n] = packets <= MOST[SW-1:0];
      assign frees[n] = packets <= FREE[SW-1:0];
      assign fits_d[n] = held_d <= FULL[SW-1:0];
      assign slotted_d[n] = packets_d <= MOST[SW-1:0];
      assign frees_d[n] = packets_d <= FREE[SW-1:0];

      wire [CW-1:0] credits = FULL[CW-1:0] - held[CW-1:0];
      always @* assume (late[n*CW+:CW] <= credits);
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
      wire unused;
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
    end
  endgenerate

  // the packet that moves is the same one on both sides
  always @* assume (~moves | enters[HERE] | length_in[HERE*SW+:SW] == length_out[BEFORE*SW+:SW]);
  always @* assume (&whole);
  always @* assume (&fits & &slotted & frees[HERE]);  // the invariant before the cycle
  always @* begin
    at_most_depth: assert (&fits_d);
    at_most_slots: assert (&slotted_d);
    one_slot_left: assert (|frees_d);
    goes_on: assert (can[HERE]);  // a packet in the channel before has a channel to go on to
    cover (~frees_d[HERE] & ~frees[BEFORE] & comes[HERE]);  // the free slot goes back to the channel before
  end
endmodule
