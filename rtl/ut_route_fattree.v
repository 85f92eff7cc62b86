// SPDX-License-Identifier: Apache-2.0
// ut_route_fattree - routing in k-ary n-trees: ports 0..K-1 lead down, K..2K-1 up; and in m-port n-trees (REROUTE section
// II), whose roots (ROOT) have 2K ports down and none up.
//
//   fta                      adaptive up, one path down (RUFT section 3.1.1); up ports can have EXCLUSIONS intervals of
//                            destinations each that are not sent there (FIR, RUFT section 5.1)
//   destro                   up port of level s is digit s of the destination, one path down (RUFT section 3.1.2)
//   reroute_adaptive_link    fta, and around faulty down links by U-turns and the re-route vector (REROUTE section VII.A)
//   reroute_det_link         destro, and U-turns in a fixed order, in a second virtual layer (REROUTE section VI.A)
//   reroute_det_switch       the same over two tiers with the port field, three layers (REROUTE section VI.B)
//   reroute_adaptive_switch  fta, and U-turns over two tiers with re-route vector and port field (REROUTE section VII.B)
//   misroute_header          fta, and U-turns with the misroute vector in the header (MISROUTE section 3.1)
//   *_one_fault              the four of REROUTE for a single fault: one layer, no vector, over two tiers one bit in the
//                            header (REROUTE, ends of sections VI.A and VI.B, section VII)
//
// A switch owns the destinations base .. base + D*step - 1 (straps), D: its ports down; step = K to the power of its level.  Where K is a
// power of two, the digits of the destination are bit fields; else intervals are compared, and destro divides by the
// constant K.  Step numbers in comments are those of the algorithm's section in its paper.  docs/explanation/route_fattree.md
// Twin: csim/switch/route_fattree.c
`default_nettype none
`include "layout.vh"
`include "algorithms.vh"
module ut_route_fattree #(
    parameter PI = 8,
    parameter PO = 8,
    parameter V = 1,
    parameter ALGORITHM = 0,
    parameter ROOT = 0,
    parameter EXCLUSIONS = 0,
    parameter XW = EXCLUSIONS != 0 ? 32 * (PO / 2) * EXCLUSIONS : 1
) (
    input wire  [    63:0] header_i,
    input wire  [  PI-1:0] in_port_i,
    input wire  [   V-1:0] in_vc_i,
    input wire  [    63:0] straps_i,
    input wire  [  PO-1:0] up_i,
    input wire  [  XW-1:0] intervals_i,  // {last, first} over (up port, number)
    input wire  [  PO-1:0] vector_i,
    input wire  [  PO-1:0] neighbour_i,
    output wire [V*PO-1:0] cand_o,
    output wire [V*PO-1:0] bubble_o,
    output wire [V*PO-1:0] preferred_o,
    output wire [    23:0] rt_o,
    output wire            discard_o,
    output wire            uses_state_o,
    output wire [  PO-1:0] set_o
);
  generate  // rules on the parameters
    if (PI != PO || PO < 4 || PO > 64 || PO % 2 != 0) ERROR_fat_tree_needs_2k_ports_both_ways u_rule ();
    if (ALGORITHM == `UT_FATTREE_MISROUTE_HEADER && PO / 2 > `UT_RT_MISROUTE_VECTOR_WIDTH)
      ERROR_misroute_vector_has_24_bits u_rule ();
  endgenerate

  localparam K = PO / 2;
  localparam POW2 = (K & (K - 1)) == 0;
  localparam LK = $clog2(K);
  localparam D = ROOT != 0 ? PO : K;  // ports down: values of the level's digit
  localparam LD = $clog2(D);
  localparam [PO-1:0] DOWN = {{K{ROOT != 0}}, {K{1'b1}}};
  localparam DETERMINISTIC = ALGORITHM == `UT_FATTREE_DESTRO || ALGORITHM == `UT_FATTREE_REROUTE_DET_LINK ||
      ALGORITHM == `UT_FATTREE_REROUTE_DET_SWITCH || ALGORITHM == `UT_FATTREE_REROUTE_DET_LINK_ONE_FAULT ||
      ALGORITHM == `UT_FATTREE_REROUTE_DET_SWITCH_ONE_FAULT;
  localparam SWITCH_FAULTS = ALGORITHM == `UT_FATTREE_REROUTE_DET_SWITCH ||
      ALGORITHM == `UT_FATTREE_REROUTE_ADAPTIVE_SWITCH;
  localparam ONE_FAULT = ALGORITHM == `UT_FATTREE_REROUTE_DET_LINK_ONE_FAULT ||
      ALGORITHM == `UT_FATTREE_REROUTE_ADAPTIVE_LINK_ONE_FAULT ||
      ALGORITHM == `UT_FATTREE_REROUTE_DET_SWITCH_ONE_FAULT || ALGORITHM == `UT_FATTREE_REROUTE_ADAPTIVE_SWITCH_ONE_FAULT;
  // Virtual layers: each layer after the first has one VC, counted from the top; the first layer has the rest.
  localparam LAYERS = V < `UT_ALG_LAYERS(`UT_ROUTE_FATTREE, ALGORITHM) ? 1 :
      `UT_ALG_LAYERS(`UT_ROUTE_FATTREE, ALGORITHM);
  localparam FIRST = V - LAYERS + 1;  // VCs of the first layer

  `include "first_from.vh"

  wire [`UT_HEADER_DST_WIDTH-1:0] dst = header_i[`UT_HEADER_DST_LSB+:`UT_HEADER_DST_WIDTH];
  wire [`UT_LEVEL_STRAP_LEVEL_WIDTH-1:0] level = straps_i[`UT_LEVEL_STRAP_LEVEL_LSB+:`UT_LEVEL_STRAP_LEVEL_WIDTH];
  wire [`UT_LEVEL_STRAP_BASE_WIDTH-1:0] base = straps_i[`UT_LEVEL_STRAP_BASE_LSB+:`UT_LEVEL_STRAP_BASE_WIDTH];
  wire from_above = |(in_port_i & ~DOWN);

  wire mine;  // the destination lies in the subtree below
  wire [D-1:0] digit;  // digit `level` of the destination, one-hot; valid where `mine`, and always for DETERMINISTIC
  genvar j;
  generate
    if (POW2) begin : g_digit
      localparam [31:0] BITS = LK;  // of a digit
      wire [6:0] below = {3'd0, level} * BITS[6:0];  // bits of the digits below this level
      wire [`UT_HEADER_DST_WIDTH+LD-1:0] differs = {{LD{1'b0}}, dst ^ base[`UT_HEADER_DST_WIDTH-1:0]} >> below;
      // base has a zero at this level, so the digit of the difference is that of the destination
      assign mine = ~|differs[`UT_HEADER_DST_WIDTH+LD-1:LD];
      for (j = 0; j < D; j = j + 1) begin : g_one
        localparam [31:0] ME = j;
        assign digit[j] = differs[LD-1:0] == ME[LD-1:0];
      end
    end else begin : g_digit
      wire [20:0] step = {4'd0, straps_i[`UT_LEVEL_STRAP_STEP_LSB+:`UT_LEVEL_STRAP_STEP_WIDTH]};
      wire [D:0] from;  // the destination lies at or above base + j*step
      for (j = 0; j <= D; j = j + 1) begin : g_bound
        localparam [20:0] ME = j;
        assign from[j] = {5'd0, dst} >= {4'd0, base} + ME * step;
      end
      assign mine = from[0] & ~from[D];
      if (DETERMINISTIC && ROOT == 0) begin : g_digit
        // digit s = floor(dst / K^s) mod K: one constant division for each level passed
        localparam [31:0] RADIX = K;
        for (j = 0; j <= 10; j = j + 1) begin : g_divide
          localparam [31:0] ME = j;
          wire [15:0] quotient;
          if (j == 0) begin : g_one
            assign quotient = dst;
          end else begin : g_one
            assign quotient = level >= ME[3:0] ? g_divide[j-1].quotient / RADIX[15:0] : g_divide[j-1].quotient;
          end
        end
        wire [15:0] last = g_divide[10].quotient % RADIX[15:0];
        for (j = 0; j < K; j = j + 1) begin : g_one
          localparam [31:0] ME = j;
          assign digit[j] = last == ME[15:0];
        end
      end else begin : g_digit
        assign digit = from[D-1:0] & ~from[D:1];
      end
    end
  endgenerate

  wire leaf = level == 0;
  wire [PO-1:0] to;  // the port below that leads to the destination
  generate
    if (ROOT != 0) begin : g_to
      assign to = digit;
    end else begin : g_to
      assign to = {{K{1'b0}}, digit};
    end
  endgenerate
  wire [PO-1:0] down = to & up_i;
  wire [PO-1:0] below = up_i & DOWN;
  wire [PO-1:0] above = up_i & ~DOWN;
  wire astray = from_above & ~mine;  // no port below leads to the destination: a U-turn, or on the way to one
  wire [PO-1:0] up_port = {first_from(above[PO-1:K], digit[K-1:0]), {K{1'b0}}};  // of the deterministic algorithms
  // The path down from an ancestor of the destination.  Around a faulty link: back, where a packet from below came from,
  // otherwise through another down port; links to terminals have no detour.
  wire [PO-1:0] back = in_port_i & below;
  wire [PO-1:0] at_or_after = below & ~(to - {{PO - 1{1'b0}}, 1'b1});
  wire [PO-1:0] others_below = |at_or_after ? at_or_after : below;  // deterministic: the first of these
  wire [PO-1:0] around = DETERMINISTIC ? others_below & (~others_below + {{PO - 1{1'b0}}, 1'b1}) : below;
  wire [PO-1:0] way_down = |down ? down : leaf ? {PO{1'b0}} : |back ? back : around;
  // An adaptive U-turn takes any up port except those known to lead to a fault.  With `repair` a port is avoided only while
  // the switch behind it reports a fault (docs/explanation/reroute_vector.md).
  wire repair = straps_i[`UT_LEVEL_STRAP_REPAIR_LSB];
  wire [PO-1:0] untried = above & ~((vector_i | in_port_i) & (neighbour_i | {PO{~repair}}));
  // A deterministic U-turn follows the sequence D: the order of the port numbers, the same at all switches.
  wire [PO-1:0] others = above & ~in_port_i;
  wire [PO-1:0] behind = others & ~(in_port_i - {{PO - 1{1'b0}}, 1'b1});

  wire [PO-1:0] ports;
  wire [LAYERS-1:0] layer;  // one-hot
  wire [LAYERS-1:0] in_layer;
  assign in_layer[0] = |in_vc_i[FIRST-1:0];
  generate
    if (LAYERS > 1) begin : g_in_layer
      assign in_layer[LAYERS-1:1] = in_vc_i[V-1:FIRST];
    end

    if (ALGORITHM == `UT_FATTREE_REROUTE_ADAPTIVE_LINK) begin : g_algorithm
      // REROUTE VII.A: steps 2a, 2b; steps 3, 4, 5; step 1
      assign ports = mine ? way_down : astray ? untried : above;
      assign set_o = in_port_i & {PO{astray}};
      assign uses_state_o = astray;
      assign rt_o = header_i[`UT_HEADER_RT_LSB+:`UT_HEADER_RT_WIDTH];
      assign layer = 1'b1;
    end else if (ALGORITHM == `UT_FATTREE_REROUTE_DET_LINK) begin : g_algorithm
      // REROUTE VI.A, layers {re-routing, normal}
      wire [K-1:0] next;
      assign ports = mine ? way_down : astray ? {first_from(next, {{K - 1{1'b0}}, 1'b1}), {K{1'b0}}} : up_port;
      if (LAYERS == 1) begin : g_layer
        // one VC: every arrival is in the normal layer, the section's simpler version for one fault
        assign next  = others[PO-1:K];  // step 3a
        assign layer = 1'b1;
      end else begin : g_layer
        assign next  = in_layer[1] ? behind[PO-1:K] : others[PO-1:K];  // steps 3b, 4; step 3a
        assign layer = mine & ~from_above ? in_layer : {astray, ~astray};  // step 2b; steps 3; 1, 2a
      end
      assign set_o = {PO{1'b0}};
      assign uses_state_o = 1'b0;
      assign rt_o = header_i[`UT_HEADER_RT_LSB+:`UT_HEADER_RT_WIDTH];
    end else if (SWITCH_FAULTS) begin : g_algorithm
      // REROUTE VI.B, layers {ML2, ML1, normal}, and VII.B; step numbers: deterministic / adaptive
      // The last bit of the field is for more than 30 ports down; else it is no part of it.
      localparam FW = K + {30'd0, `UT_PORT_FIELD_FIRST} > 32 ? `UT_RT_PORT_PORT_WIDTH : `UT_RT_PORT_PORT_WIDTH - 1;
      localparam [FW-1:0] NONE = {{FW - 2{1'b0}}, `UT_PORT_FIELD_NONE};  // the paper's -1
      localparam [FW-1:0] TURN = {{FW - 2{1'b0}}, `UT_PORT_FIELD_TURN};  // -2
      wire [FW-1:0] field = header_i[`UT_HEADER_RT_LSB+`UT_RT_PORT_PORT_LSB+:FW];
      wire none = field == NONE;
      wire turn = field == TURN;
      wire u_turn = astray & (turn | leaf);  // steps 4b / 4b, 4c, 5
      wire climb = ~from_above & turn;  // steps 5 / 6, where the destination is not below
      wire [PO-1:0] stored;  // the down port in the field
      assign stored[PO-1:K] = {K{1'b0}};
      wire [K*FW-1:0] codes;  // of the down ports
      wire [FW-1:0] arrival;  // of the arrival port
      for (j = 0; j < K; j = j + 1) begin : g_port
        localparam [31:0] CODE = j + {30'd0, `UT_PORT_FIELD_FIRST};
        assign stored[j] = field == CODE[FW-1:0];
        assign codes[j*FW+:FW] = CODE[FW-1:0];
      end
      ut_one_hot_mux #(
          .N(K),
          .W(FW)
      ) u_arrival (
          .rows_i(codes),
          .select_i(in_port_i[K-1:0]),
          .row_o(arrival)
      );
      wire [PO-1:0] further = |(stored & below) ? stored : around;  // steps 4a, 4c / 4a, 4d
      wire [PO-1:0] turned;
      wire [PO-1:0] onward;
      assign ports = mine ? way_down : u_turn ? turned : astray ? further : onward;
      wire [FW-1:0] field_d =
          mine ? (|down | from_above ? NONE : field) :  // steps 2 / 3; 3b / 2b
          u_turn ? (none ? NONE : TURN) : astray ? TURN :  // steps 4b; 4a, 4c / 4a, 4d
          climb ? arrival : NONE;  // steps 5 / 6
      assign rt_o = {{24 - FW{1'b0}}, field_d} << `UT_RT_PORT_PORT_LSB;
      if (DETERMINISTIC) begin : g_choice
        wire [K-1:0] next = in_layer[0] ? others[PO-1:K] : behind[PO-1:K];  // steps 4b i; ii, iii
        assign turned = {first_from(next, {{K - 1{1'b0}}, 1'b1}), {K{1'b0}}};
        assign onward = up_port;
        wire ml1 = u_turn | (astray & ~none);
        // down: from below in its layer (steps 2a, 3b), from above one layer further (steps 2b to 2d, 3a)
        assign layer = mine ? (from_above ? {1'b0, in_layer[2], ~in_layer[2]} : in_layer) :
            {climb, ml1, ~climb & ~ml1};
        assign set_o = {PO{1'b0}};
        assign uses_state_o = 1'b0;
      end else begin : g_choice
        assign turned = untried;
        assign onward = above;
        assign layer = 1'b1;
        assign set_o = in_port_i & {PO{u_turn}};
        assign uses_state_o = u_turn;
      end
    end else if (ONE_FAULT) begin : g_algorithm
      // REROUTE VI.A, VI.B, last paragraphs, and VII, second one: any up port after a U-turn but the arrival port, which is
      // not remembered.  Over two tiers a bit of the header tells the hop down the second tier from that down the first.
      wire second;
      wire [PO-1:0] turned =
          DETERMINISTIC ? {first_from(others[PO-1:K], {{K - 1{1'b0}}, 1'b1}), {K{1'b0}}} : others;
      wire [PO-1:0] onward = DETERMINISTIC ? up_port : above;
      if (`UT_ALG_REWRITES(`UT_ROUTE_FATTREE, ALGORITHM)) begin : g_tiers
        assign second = ~leaf & ~header_i[`UT_HEADER_RT_LSB+`UT_RT_TIER_SECOND_LSB];
        assign rt_o   = {23'd0, astray & second} << `UT_RT_TIER_SECOND_LSB;
      end else begin : g_tiers
        assign second = 1'b0;
        assign rt_o   = header_i[`UT_HEADER_RT_LSB+:`UT_HEADER_RT_WIDTH];
      end
      assign ports = mine ? way_down : ~astray ? onward : second ? around : turned;
      assign layer = 1'b1;
      assign set_o = {PO{1'b0}};
      assign uses_state_o = 1'b0;
    end else if (ALGORITHM == `UT_FATTREE_MISROUTE_HEADER) begin : g_algorithm
      // MISROUTE 3.1
      wire [K-1:0] vector = header_i[`UT_HEADER_RT_LSB+`UT_RT_MISROUTE_VECTOR_LSB+:K];
      wire [K-1:0] set = vector | in_port_i[PO-1:K];  // step 3
      wire return_ = ~leaf & |vector & |back;  // step 5: back to the U-turn switch
      wire [PO-1:0] wrong = leaf ? {PO{1'b0}} : return_ ? back : below;  // steps 2, 5
      assign ports = mine ? (|down ? down : wrong) : astray ? above & ~{set, {K{1'b0}}} : above;  // steps 4, 6; 1
      wire [K-1:0] vector_d = astray ? set : mine & ~|down & return_ ? vector : {K{1'b0}};
      assign rt_o = {{24 - K{1'b0}}, vector_d} << `UT_RT_MISROUTE_VECTOR_LSB;
      assign layer = 1'b1;
      assign set_o = {PO{1'b0}};
      assign uses_state_o = 1'b0;
    end else begin : g_algorithm
      // no U-turns: if the only link down has failed, or a packet from above is not for this subtree, it is
      // discarded
      wire [K-1:0] excluded;  // up ports with an interval that contains the destination
      genvar n;
      for (j = 0; j < K; j = j + 1) begin : g_excluded
        if (EXCLUSIONS != 0) begin : g_any
          wire [EXCLUSIONS-1:0] holds;
          for (n = 0; n < EXCLUSIONS; n = n + 1) begin : g_interval
            localparam AT = 32 * (j * EXCLUSIONS + n);
            assign holds[n] = dst >= intervals_i[AT+:16] & dst <= intervals_i[AT+16+:16];
          end
          assign excluded[j] = |holds;
        end else begin : g_any
          assign excluded[j] = 1'b0;
        end
      end
      wire [PO-1:0] up_ports = ALGORITHM == `UT_FATTREE_DESTRO ? above & {digit[K-1:0], {K{1'b0}}} :
          above & ~{excluded, {K{1'b0}}};
      assign ports = mine ? down : from_above ? {PO{1'b0}} : up_ports;
      assign set_o = {PO{1'b0}};
      assign uses_state_o = 1'b0;
      assign rt_o = header_i[`UT_HEADER_RT_LSB+:`UT_HEADER_RT_WIDTH];
      assign layer = 1'b1;
    end

    for (j = 0; j < V; j = j + 1) begin : g_vc
      assign cand_o[j*PO+:PO] = ports & {PO{layer[j<FIRST?0 : j-FIRST+1]}};
    end
  endgenerate

  assign discard_o = ~|ports;
  assign bubble_o = {V * PO{1'b0}};
  assign preferred_o = {V * PO{1'b0}};

  // verilator lint_off UNUSEDSIGNAL
  // The interface is the same for every family and algorithm; this one does not need all of it.
  wire unused = &{1'b0, header_i, straps_i, vector_i, neighbour_i, base, astray, up_port, way_down, untried, behind,
      in_layer, intervals_i};
  // verilator lint_on UNUSEDSIGNAL
endmodule
`default_nettype wire
