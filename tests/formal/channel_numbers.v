// SPDX-License-Identifier: Apache-2.0
// channel_numbers - proof of ut_route_fattree: theorems 1 and 3 of REROUTE.  At every hop the number that the paper gives to a
// channel (sections VI.C and appendix E) rises, so there is no cyclic dependency.
//
// One switch.  Its level, what it owns, the destination, the header, the links that are up, arrival port and VC are free: so
// it holds in every k-ary n-tree, under every set of link faults, in every cycle, while links fail and come back.  What a
// packet in a channel can be is an invariant: assumed on arrival, asserted of the next switch.
//
// The n of the tree drops out: numbers of the normal channels up (rule 1) are below n - 1, all others are not, and grow by
// STEP from tier to tier.  Here they are counted from the normal channels down of the tier below this switch.
//
// Of a k-ary n-tree it uses: an upper switch is at the same up port, `self`, of all switches below it; the lower switches of
// a group are at the same up port of theirs, `peers`; what is below a switch is below every one above it, and a destination
// below the switch above is below one of its children, the one at port `digit`.
`include "layout.vh"
`include "algorithms.vh"
module channel_numbers #(
    parameter K = 2,
    parameter ALGORITHM = `UT_FATTREE_REROUTE_DET_LINK
) (
    input clk_i
);
  localparam V = `UT_ALG_LAYERS(`UT_ROUTE_FATTREE, ALGORITHM);
  localparam SWITCHES = ALGORITHM == `UT_FATTREE_REROUTE_DET_SWITCH;
  localparam P = 2 * K;
  localparam NW = 9;  // of a number of a channel
  localparam FW = `UT_RT_PORT_PORT_WIDTH;
  localparam [31:0] STEP = SWITCHES ? 4 * K + 1 : 2 * K + 1;
  localparam [31:0] EACH = SWITCHES ? 4 : 2;  // numbers of a place in the sequence D
  localparam [FW-1:0] NONE = `UT_PORT_FIELD_NONE, TURN = `UT_PORT_FIELD_TURN;

  (* anyseq *)wire [63:0] header, straps;
  (* anyseq *)wire [P-1:0] in_port, up;
  (* anyseq *)wire [V-1:0] in_vc;
  (* anyseq *)wire root;
  (* anyseq *)wire [4:0] self, peers;
  (* anyseq *)wire [1:0] above;  // levels to the first ancestor of the destination, 3: or more

  wire [V*P-1:0] cand, bubble, preferred;
  wire [P-1:0] set;
  wire [23:0] rt;
  wire discard, uses_state;
  ut_route_fattree #(
      .PI(P),
      .PO(P),
      .V(V),
      .ALGORITHM(ALGORITHM)
  ) u_route (
      .header_i(header),
      .in_port_i(in_port),
      .in_vc_i(in_vc),
      .straps_i(straps),
      .up_i(up),
      .intervals_i(1'b0),
      .vector_i({P{1'b0}}),
      .neighbour_i({P{1'b0}}),
      .cand_o(cand),
      .bubble_o(bubble),
      .preferred_o(preferred),
      .rt_o(rt),
      .discard_o(discard),
      .uses_state_o(uses_state),
      .set_o(set)
  );
  wire see_mine;
  wire [K-1:0] see_digit;
// see mine = u_route.mine
// see digit = u_route.digit

  wire [3:0] level = straps[`UT_LEVEL_STRAP_LEVEL_LSB+:`UT_LEVEL_STRAP_LEVEL_WIDTH];
  wire leaf = level == 0;
  wire second = level == 1;
  wire from_above = |in_port[P-1:K];
  wire [FW-1:0] field = header[`UT_HEADER_RT_LSB+`UT_RT_PORT_PORT_LSB+:FW];
  wire [FW-1:0] field_d = rt[`UT_RT_PORT_PORT_LSB+:FW];

  // ---- numbers of channels
  // A link of the tier above this switch, or below it; place: index in D of its lower end's port; lower_self: self of its
  // lower switch.
  function [NW-1:0] number;
    input upwards;
    input [V-1:0] layer;
    input tier_below;
    input [4:0] place, lower_self;
    reg [NW-1:0] down;
    begin
      down = tier_below ? 2 + STEP[NW-1:0] : 2;
      if (layer[0]) number = upwards ? (tier_below ? 0 : 1) : down;
      else if (layer[1]) number = down + place * EACH[NW-1:0] + (upwards ? 1 : EACH[NW-1:0]);
      else number = down + STEP[NW-1:0] + lower_self * EACH[NW-1:0] + (upwards ? 2 : 3);
    end
  endfunction

  // ---- the tree
  integer b;
  reg [4:0] in_place;  // number of the arrival port among those of its side
  always @* begin
    in_place = 5'd0;
    for (b = 0; b < P; b = b + 1) if (in_port[b]) in_place = b < K ? b : b - K;
  end
  always @* begin
    assume (in_port != 0 & (in_port & (in_port - 1'b1)) == 0 & in_vc != 0 & (in_vc & (in_vc - 1'b1)) == 0);
    assume (self < K & peers < K);
    assume (see_mine == (above == 0));
    assume (see_digit != 0 & (see_digit & (see_digit - 1'b1)) == 0);
    assume (~root | (~leaf & see_mine & ~from_above & up[P-1:K] == 0));
  end

  // ---- what a packet can be in a channel that leads to a switch
  // port: the packet's field names a port
  function possible;
    input from_above, leaf, second;  // second: the switch is at level 1
    input [V-1:0] layer;
    input [FW-1:0] field;
    input [1:0] above;
    begin
      if (!SWITCHES) possible = from_above ? above <= 1 : layer[0] | above == 0;
      else if (from_above)
        possible = layer[V-1] ? ~leaf & (field == NONE ? above == 0 : field != TURN & above == 1) :
            field == NONE ? above <= 1 : field == TURN & above == 2;
      else if (layer[0]) possible = field == NONE;
      else if (layer[1]) possible = ~leaf & (field == TURN ? above == 1 : field == NONE & second & above == 0);
      else possible = ~leaf & ~second & above == 0 & field != NONE & field != TURN;
    end
  endfunction
  always @* begin
    assume (possible(from_above, leaf, second, in_vc, field, above));
    assume (~leaf | from_above | in_vc[0]);  // terminals inject into the normal layer
  end

  wire [NW-1:0] arrived = number(~from_above, in_vc, ~from_above, from_above ? in_place : self, from_above ? self : peers);
  wire injected = leaf & ~from_above;
  wire [V*P-1:0] falls, wrong;
  genvar v, p;
  generate
    for (v = 0; v < V; v = v + 1) begin : g_vc
      localparam [V-1:0] LAYER = 1 << v;
      for (p = 0; p < P; p = p + 1) begin : g_port
        localparam [4:0] PLACE = p < K ? p : p - K;
        localparam [0:0] UP = p >= K;
        wire network = cand[v*P+p] & (UP | ~leaf);
        wire [NW-1:0] leaves = number(UP, LAYER, ~UP, UP ? PLACE : self, UP ? self : peers);
        wire [1:0] above_d;  // of the next switch
        if (UP) begin : g_above
          assign above_d = above == 3 ? 2'd3 : above == 0 ? 2'd0 : above - 1'b1;
        end else begin : g_above
          assign above_d = above == 3 ? 2'd3 : above == 0 & see_digit[p] ? 2'd0 : above + 1'b1;
        end
        wire also = UP & above == 3 & possible(1'b0, 1'b0, leaf, LAYER, field_d, 2'd2);
        assign falls[v*P+p] = network & ~injected & leaves <= arrived;
        assign wrong[v*P+p] = network & ~(UP ? possible(1'b0, 1'b0, leaf, LAYER, field_d, above_d) &
                                          (above != 3 | also) :
                                          possible(1'b1, second, 1'b0, LAYER, field_d, above_d));
      end
    end
  endgenerate

  always @* begin
    numbers_rise: assert (~|falls);
    as_assumed: assert (~|wrong);
    cover (in_vc[V-1] & |cand[(V-1)*P+:P]);
    cover (from_above & in_vc[1] & |cand[0+:P]);
    cover (in_vc[0] & |cand[(V>1?1:0)*P+:P]);
  end
endmodule
