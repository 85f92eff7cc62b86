// SPDX-License-Identifier: Apache-2.0
// ut_route_ruft - routing in RUFT, RUFT-PL, FT-RUFT-212 and FT-RUFT-222: unidirectional multistage networks.
//
// A packet leaves level s by the digit s of its destination (RUFT section 3.2): k = RADIX, a power of two, so that
// digits are bits; straps say where the digit of this level begins.  Of two links side by side (ports d and k + d) both
// are candidates (PARALLEL 2, dynamic: the one with more free space wins) or the one that the lowest bit of the next
// digit says (PARALLEL 1, static; section 4.1.1).  Where terminals have two ejection links from different switches
// (DUAL_HOMED), the first level also offers the way to the second one, that of terminal dst xor 1 (section 4.2.1), as
// far as the header allows; the last level knows by its own lowest digit which of the two links leads from it.
// HALF_CROSSBAR: every input of a half gets only packets whose digit has the lowest bit of that half, so that each
// output needs half of the crosspoints.  Levels that a switch with those ports cannot have are not elaborated. A packet
// is discarded if the links of all its candidates are down.
// Twin: csim/switch/route_ruft.c
`default_nettype none
`include "layout.vh"
module ut_route_ruft #(
    parameter PI = 4,
    parameter PO = 4,
    parameter V = 1,
    parameter RADIX = 2,
    parameter PARALLEL = 0,
    parameter DUAL_HOMED = 0,
    parameter HALF_CROSSBAR = 0
) (
    input wire  [    63:0] header_i,
    input wire  [  PI-1:0] in_port_i,
    input wire  [    63:0] straps_i,
    input wire  [  PO-1:0] up_i,
    output wire [  PO-1:0] ever_o,  // outputs to which this input can ever be routed: a constant of the instance
    output wire [V*PO-1:0] cand_o,
    output wire            discard_o
);
  localparam K = RADIX;
  localparam BITS = $clog2(K);
  localparam MAY_BE_FIRST = PI >= PO && PI > K;
  localparam MAY_BE_LAST = PO >= PI && PO > K;

  generate  // rules on the parameters
    if (K != 2 && K != 4 && K != 8 && K != 16 && K != 32) ERROR_ruft_needs_a_radix_of_2_4_8_16_or_32 u_rule ();
    if ((PI != K && PI != 2 * K) || (PO != K && PO != 2 * K)) ERROR_ruft_needs_k_or_2k_ports_each_way u_rule ();
    if (PARALLEL != 0 && (PI != 2 * K || PO != 2 * K)) ERROR_links_side_by_side_need_2k_ports_both_ways u_rule ();
    if (PARALLEL > 2 || (HALF_CROSSBAR != 0 && PARALLEL != 1)) ERROR_half_crossbar_is_for_static_selection u_rule ();
  endgenerate

  wire [15:0] dst = header_i[`UT_HEADER_DST_LSB+:16];
  wire [4:0] shift = straps_i[`UT_RUFT_STRAP_SHIFT_LSB+:5];
  wire first = straps_i[`UT_RUFT_STRAP_FIRST_LSB];
  wire last = straps_i[`UT_RUFT_STRAP_LAST_LSB];
  wire [4:0] low = straps_i[`UT_RUFT_STRAP_LOW_LSB+:5];
  wire [15:0] rest = dst >> shift;
  wire [BITS-1:0] digit = rest[BITS-1:0];

  wire [K-1:0] mine, other;  // the output of the digit, and the one of the digit with its lowest bit inverted
  wire [K-1:0] ways;  // digits by which the packet may leave
  wire [PO-1:0] on, out, any;  // ports to the next level, to the terminal, of this level
  genvar d, v;
  generate
    for (d = 0; d < K; d = d + 1) begin : g_digit
      localparam [31:0] ME = d;
      assign mine[d]  = digit == ME[BITS-1:0];
      assign other[d] = digit == (ME[BITS-1:0] ^ {{BITS - 1{1'b0}}, 1'b1});
    end

    if (DUAL_HOMED != 0 && MAY_BE_FIRST) begin : g_ways
      wire [1:0] choices = header_i[`UT_HEADER_RT_LSB+`UT_RT_RUFT_CHOICES_LSB+:2];
      assign ways = first ? (mine & {K{choices[0]}}) | (other & {K{choices[1]}}) : mine;
    end else begin : g_ways
      assign ways = mine;
    end

    if (PARALLEL == 0) begin : g_on
      assign on = {{PO - K{1'b0}}, ways};
    end else if (PARALLEL == 1) begin : g_on
      assign on = rest[BITS] ? {ways, {K{1'b0}}} : {{PO - K{1'b0}}, ways};
    end else begin : g_on
      assign on = {ways, ways};
    end

    if (!MAY_BE_LAST) begin : g_any
      assign any = on;
      assign out = {PO{1'b0}};
    end else begin : g_any
      if (DUAL_HOMED != 0) begin : g_out
        wire second = low[BITS-1:0] != dst[BITS-1:0];
        assign out = second ? {mine, {K{1'b0}}} : {{PO - K{1'b0}}, mine};
      end else begin : g_out
        assign out = {mine, mine};
      end
      assign any = last ? out : on;
    end
  endgenerate

  wire [PO-1:0] served;  // outputs that an input of this half can need
  generate
    if (HALF_CROSSBAR != 0) begin : g_half
      wire upper = |in_port_i[PI-1:PI-K];
      wire [PO-1:0] odd = {PO / 2{2'b10}};
      assign served = upper ? odd : ~odd;
    end else begin : g_half
      assign served = {PO{1'b1}};
    end
  endgenerate
  assign ever_o = served;
  wire [PO-1:0] ports = any & served & up_i;
  generate
    for (v = 0; v < V; v = v + 1) begin : g_vc
      assign cand_o[v*PO+:PO] = ports;
    end
  endgenerate
  assign discard_o = ~|ports;

  // verilator lint_off UNUSEDSIGNAL
  wire unused = &{1'b0, header_i, straps_i, in_port_i, rest, first, last, low, other, out};
  // verilator lint_on UNUSEDSIGNAL
endmodule
`default_nettype wire
