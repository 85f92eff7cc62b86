// SPDX-License-Identifier: Apache-2.0
// hops_fattree - proof of ut_route_fattree, reroute_det_link, reroute_det_switch and the two of one link fault: a packet makes the
// kinds of hops of the theorems for every k and n only (csim/prove/theorems_fattree.c), whatever its switch, its destination and the
// links that work.
//
// Free: header, straps, arrival port and VC, which links work; so the answers hold at every switch of every tree with K, under every
// fault set, and while links change.  What a packet brings with it is assumed at the arrival, and asserted of every channel that
// it leaves by.  Where the destination is, besides `mine`: `near`, it is below the switches one level up (all of them own the
// same destinations), `far`, below those two levels up.
//   down   field none or port: it was mine above, so near; turn: far
//   up     ml: it is mine; m1: it is mine, or the field is turn and it is near; m2: it is mine
// see mine = u_route.mine
// Which down port leads to the destination is free, too: the circuits for it divide, and are the business of the block benches.
// see digit = u_route.digit
// free u_route.digit
`include "layout.vh"
`include "algorithms.vh"
module hops_fattree #(
    parameter K = 4,
    parameter LAYERS = 2,   // 1: one fault, 2: reroute_det_link, 3: reroute_det_switch
    parameter ADAPTIVE = 0  // with one layer: reroute_adaptive_link_one_fault, else reroute_det_link_one_fault
) (
    input clk_i
);
  localparam PO = 2 * K;
  localparam FW = K > 30 ? `UT_RT_PORT_PORT_WIDTH : `UT_RT_PORT_PORT_WIDTH - 1;  // as the module has it
  localparam AT = `UT_HEADER_RT_LSB + `UT_RT_PORT_PORT_LSB;

  (* anyseq *)wire [63:0] header, straps;
  (* anyseq *)wire [PO-1:0] in_port, up, vector, neighbour;
  (* anyseq *)wire [LAYERS-1:0] in_vc;
  (* anyseq *)wire near, far;
  wire [LAYERS*PO-1:0] cand, bubble, preferred;
  wire [23:0] rt;
  wire discard, uses_state;
  wire [PO-1:0] set;
  wire see_mine;
  wire [K-1:0] see_digit;
  ut_route_fattree #(
      .PI(PO),
      .PO(PO),
      .V(LAYERS),
      .ALGORITHM(LAYERS == 2 ? `UT_FATTREE_REROUTE_DET_LINK : LAYERS == 3 ? `UT_FATTREE_REROUTE_DET_SWITCH :
          ADAPTIVE != 0 ? `UT_FATTREE_REROUTE_ADAPTIVE_LINK_ONE_FAULT : `UT_FATTREE_REROUTE_DET_LINK_ONE_FAULT)
  ) u_route (
      .header_i(header),
      .in_port_i(in_port),
      .in_vc_i(in_vc),
      .straps_i(straps),
      .up_i(up),
      .intervals_i(1'b0),
      .vector_i(vector),
      .neighbour_i(neighbour),
      .cand_o(cand),
      .bubble_o(bubble),
      .preferred_o(preferred),
      .rt_o(rt),
      .discard_o(discard),
      .uses_state_o(uses_state),
      .set_o(set)
  );

  // where it comes from, and where to
  wire [LAYERS-1:0] to_down, to_up;
  wire [PO-1:0] ports [0:LAYERS-1];
  genvar v;
  generate
    for (v = 0; v < LAYERS; v = v + 1) begin : g_layer
      assign ports[v] = cand[v*PO+:PO];
      assign to_down[v] = |cand[v*PO+:K];
      assign to_up[v] = |cand[v*PO+K+:K];
    end
  endgenerate
  wire above = |in_port[PO-1:K], below = |in_port[K-1:0];
  wire [LAYERS-1:0] from_above = in_vc & {LAYERS{above}}, from_below = in_vc & {LAYERS{below}};
  wire behind = (ports[LAYERS > 1] & (in_port | (in_port - 1'b1))) == 0;  // later in D than the arrival port
  wire [3:0] level = straps[`UT_LEVEL_STRAP_LEVEL_LSB+:`UT_LEVEL_STRAP_LEVEL_WIDTH];
  wire [2*LAYERS-1:0] kinds = {to_down, to_up};

  always @* begin
    one_arrival_port: assume (in_port != 0 && (in_port & (in_port - 1'b1)) == 0);
    one_arrival_vc: assume (in_vc != 0 && (in_vc & (in_vc - 1'b1)) == 0);
    one_digit: assume (see_digit != 0 && (see_digit & (see_digit - 1'b1)) == 0);
    subtrees_above: assume ((!see_mine || near) && (!near || far));
  end
  always @* begin
    only_working_ports: assert ((cand & ~{LAYERS{up}}) == 0);
    one_kind: assert ((kinds & (kinds - 1'b1)) == 0);
    nl_up: assert (!to_up[0] || ((LAYERS == 1 || from_below[0]) && !see_mine));
  end

  generate
    if (LAYERS == 1) begin : g_one
      // Theorem 2: one link has failed.  A packet astray is below the switch of that link, so all of its own links work; those to
      // terminals do.
      wire [PO-1:0] down_links = ~up & {{K{!see_mine}}, {K{1'b1}}};  // that it could need
      wire one_fault = (down_links & (down_links - 1'b1)) == 0 && (!above || see_mine || down_links == 0) &&
          (level != 0 || (&up[K-1:0])) && (up & in_port) != 0;
      always @* begin
        turn_down: assert (to_down == 0 || see_mine);
        astray_at_fault: assert (to_down == 0 || ports[0][K-1:0] == see_digit || (up[K-1:0] & see_digit) == 0);
        uturn: assert (to_up == 0 || !above || (ports[0] & in_port) == 0);
        has_a_port: assert (!one_fault || !discard);
        cover (to_up[0] && from_below[0]);  // every kind of hop is made
        cover (to_up[0] && from_above[0]);
        cover (to_down[0] && from_below[0] && ports[0][K-1:0] == see_digit);
        cover (to_down[0] && from_below[0] && ports[0][K-1:0] != see_digit && one_fault);
        cover (to_down[0] && from_above[0] && ports[0][K-1:0] == see_digit);
        cover (to_down[0] && from_above[0] && ports[0][K-1:0] != see_digit && one_fault);
      end
    end else if (LAYERS == 2) begin : g_link
      always @* begin
        above_mine_there: assume (!above || near);
        ml_up_is_mine: assume (!from_below[1] || see_mine);
      end
      always @* begin
        nl_turn_down_nl_down_leave: assert (!to_down[0] || !from_below[1]);
        back_down: assert (!to_down[1] || from_below[1]);
        uturn_next_uturn: assert (!to_up[1] || from_above[0] || (from_above[1] && behind));
        down_is_mine: assert (to_down == 0 || see_mine);
        uturn_is_near: assert (!to_up[1] || near);
        cover (to_up[0] && level >= 1);  // every kind of hop is made
        cover (to_down[0] && from_below[0]);
        cover (to_down[0] && from_above[0]);
        cover (to_down[0] && from_above[1]);
        cover (to_down[1]);
        cover (to_up[1] && from_above[0]);
        cover (to_up[1] && from_above[1]);
      end
    end else begin : g_switch
      wire [FW-1:0] field = header[AT+:FW], field_d = rt[`UT_RT_PORT_PORT_LSB+:FW];
      wire none = field == `UT_PORT_FIELD_NONE, turn = field == `UT_PORT_FIELD_TURN, port = !none && !turn;
      wire none_d = field_d == `UT_PORT_FIELD_NONE, turn_d = field_d == `UT_PORT_FIELD_TURN, port_d = !none_d && !turn_d;
      wire towards = see_mine && ports[LAYERS-1][K-1:0] == see_digit;  // then the destination is below the next switch, too
      always @* begin
        down_where: assume (!above || (turn ? far : near));
        down_field: assume (!from_above[0] && !from_above[1] || !port);
        down_m2_field: assume (!from_above[2] || (level >= 1 && (port || (none && see_mine))));
        nl_up_field: assume (!from_below[0] || none);
        m1_up_field: assume (!from_below[1] || (level >= 1 && ((turn && near) || (none && see_mine))));
        m2_up_field: assume (!from_below[2] || (level >= 2 && port && see_mine));
      end
      always @* begin
        nl_turn_down_nl_down_leave: assert (!to_down[0] || from_below[0] || from_above[0] || from_above[1]);
        m1_turn_down_m2_to_m1_down: assert (!to_down[1] || from_below[1] || from_above[2]);
        m2_turn_down: assert (!to_down[2] || from_below[2]);
        uturn_next_uturn: assert (!to_up[1] || from_above[0] || (from_above[1] && behind));
        m1_to_m2_up: assert (!to_up[2] || from_below[1]);
        keeps_down_where: assert (to_down == 0 || (turn_d ? near : see_mine));
        keeps_down_field: assert (!to_down[0] && !to_down[1] || !port_d);
        keeps_down_m2_field: assert (!to_down[2] || (level >= 2 && (port_d || (none_d && towards))));
        keeps_nl_up_field: assert (!to_up[0] || none_d);
        keeps_m1_up_field: assert (!to_up[1] || (turn_d && far) || (none_d && near));
        keeps_m2_up_field: assert (!to_up[2] || (level >= 1 && port_d && near));
        cover (to_up[0] && level >= 1);  // every kind of hop is made
        cover (to_down[0] && from_below[0]);
        cover (to_down[0] && from_above[0]);
        cover (to_down[0] && from_above[1]);
        cover (to_down[1] && from_below[1]);
        cover (to_down[1] && from_above[2]);
        cover (to_down[2]);
        cover (to_up[1] && from_above[0]);
        cover (to_up[1] && from_above[1]);
        cover (to_up[2]);
      end
    end
  endgenerate
endmodule
