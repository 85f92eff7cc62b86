// SPDX-License-Identifier: Apache-2.0
// ut_packet_space - the rule of space: whether a packet may be granted a free output VC, by the credits of the VC; with an
// output queue (OUTPUT_DEPTH), by its free places.  Below a credit is either of them.
//
//   virtual cut-through  space for the longest packet, because the whole packet may have to stay behind that VC.
//   wormhole             a credit.  In the adaptive VCs, those before the escape VCs of algorithms with a preferred class:
//                        an empty buffer, so that a head in an adaptive VC is always at the front, where it can ask for the
//                        escape VC (Duato's condition).
//   atomic               all of them, whatever the switching: the buffer is empty.  Then no two packets are ever in one buffer
//                        (DETOUR, an assumption of section 3).  Where a queue must be empty, the buffer behind it must be, too:
//                        all_i.
//   bubble rule          VCs of rings, all but the adaptive ones: a ring never fills.  A ring channel is seen as SLOTS + 1
//                        slots, and has one free if it holds RING_FILL flits or less - true for SLOTS packets of any
//                        length, false for one more.  A packet that goes on in its ring needs one
//                        free slot (space_o), one that enters the ring space for one packet more (space2_o).  No packet enters a
//                        ring through other VCs or through ports to terminals: there space2_o is never set.
//
// Combinational.  Twin: ut_shape_ring_space and set_needs in csim/switch/switch.c
`default_nettype none
module ut_packet_space #(
    parameter V = 1,
    parameter VC = 0,          // this one
    parameter DEPTH = 4,
    parameter MAX_PACKET = 2,
    parameter MIN_PACKET = MAX_PACKET,
    parameter SWITCHING = 0,
    parameter RING = 1,        // 0: the port leads to a terminal
    parameter BUBBLE = 0,      // properties of the algorithm, rtl/algorithms.tsv
    parameter PREFERRED = 0,
    parameter ATOMIC = 0,
    parameter DATELINE = 0,
    parameter ESCAPES = 1,
    parameter CW = $clog2(DEPTH + 1)
) (
    input wire  [CW-1:0] credits_i,
    // verilator lint_off UNUSEDSIGNAL
    input wire           all_i,      // with a queue: the buffer behind the link is empty; otherwise 1.  Few VCs use it
    // verilator lint_on UNUSEDSIGNAL
    output wire          space_o,   // space for a packet
    output wire          space2_o   // space for a packet that needs space for two
);
  localparam SPREAD = MAX_PACKET - MIN_PACKET;
  localparam SLOTS_FIT = DEPTH / MAX_PACKET - 1;
  localparam SLOTS_TELL = SPREAD > 0 ? (MIN_PACKET - 1) / SPREAD : SLOTS_FIT;
  localparam SLOTS = SLOTS_FIT < SLOTS_TELL ? SLOTS_FIT : SLOTS_TELL;
  localparam RING_FILL = (SLOTS + 1) * MIN_PACKET - 1 < DEPTH - MAX_PACKET ? (SLOTS + 1) * MIN_PACKET - 1 :
      DEPTH - MAX_PACKET;

  generate
    if (BUBBLE != 0 && SWITCHING != 0) ERROR_bubble_rule_needs_virtual_cut_through u_rule ();
    if (BUBBLE != 0 && DEPTH < 2 * MAX_PACKET) ERROR_bubble_rule_needs_buffer_of_two_packets u_rule ();
    if (BUBBLE != 0 && SLOTS_FIT >= 1 && SLOTS < 1) ERROR_bubble_rule_needs_packets_of_similar_length u_rule ();
  endgenerate

  localparam ADAPTIVE = PREFERRED != 0 ? V - ESCAPES * (DATELINE != 0 ? 2 : 1) : 0;  // VCs
  localparam [31:0] FULL = DEPTH;
  localparam [31:0] NEED = ATOMIC != 0 ? DEPTH : SWITCHING != 0 ? (VC < ADAPTIVE ? DEPTH : 1) :
      BUBBLE != 0 && VC >= ADAPTIVE ? DEPTH - RING_FILL : MAX_PACKET;
  localparam [31:0] NEED2 = ATOMIC != 0 ? DEPTH : SWITCHING != 0 ? 1 : NEED + MAX_PACKET;

  localparam EMPTY = ATOMIC != 0 || (SWITCHING != 0 && VC < ADAPTIVE);  // the buffer must be empty
  wire behind = EMPTY ? all_i : 1'b1;

  assign space_o = credits_i >= NEED[CW-1:0] & behind;
  // Two packets may be more than the buffer can ever hold: then the rule never allows the packet to enter.
  assign space2_o = RING != 0 && VC >= ADAPTIVE && NEED2 <= FULL ? credits_i >= NEED2[CW-1:0] & behind : 1'b0;
endmodule
`default_nettype wire
