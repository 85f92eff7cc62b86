// SPDX-License-Identifier: Apache-2.0
// hops_planes - proof of ut_route_fattree, reroute_adaptive_link, reroute_adaptive_switch and misroute_header: the extended
// dependency graph of the papers' subfunction has only the hops of REROUTE theorem 5 and MISROUTE theorem 2, which say that it
// has no cycle, for every k and n (csim/prove/theorems_fattree.c).
//
// The plane of level l: the switches above level l whose digit l is the chosen one, and the links down from them; no fault is in
// it.  Up from level l the subfunction supplies the port into that plane, `chosen`, where the route function does; otherwise
// all that the route function supplies.
//
// One switch.  Free are its level, the planes that it is in (`planes`, bit l), destination, header, straps, vector, reports and arrival
// port, and which links outside of the planes work, which may change at any time.  A channel is in planes of its upper switch:
//   m    the lowest of these up to its level, one-hot; 0: none.  `here`: the planes of this switch
// What a packet brings with it is assumed at the arrival, and asserted of every channel that it leaves by: from a plane it comes
// with its destination below.  A switch that has failed is in no plane, but links from the plane of its level lead down to it
// (REROUTE lemma 12): there a packet can leave a plane with its destination elsewhere, but not to its U-turn switch.
//   near   the destination is below the switches one level up, which all own the same destinations
// FAULTS: one fault more, which can be in the plane.  Then a packet from there turns.
// see mine = u_route.mine
// see digit = u_route.digit
// free u_route.digit
`include "layout.vh"
`include "algorithms.vh"
module hops_planes #(
    parameter K = 4,
    parameter ALGORITHM = `UT_FATTREE_REROUTE_ADAPTIVE_LINK,
    parameter ROOT = 0,  // of an m-port n-tree: 2K ports down
    parameter FAULTS = 0
) (
    input clk_i
);
  localparam P = 2 * K;
  localparam D = ROOT ? P : K;
  localparam [P-1:0] DOWN = {{K{ROOT != 0}}, {K{1'b1}}};
  localparam SWITCHES = ALGORITHM == `UT_FATTREE_REROUTE_ADAPTIVE_SWITCH;
  localparam IN_HEADER = ALGORITHM == `UT_FATTREE_MISROUTE_HEADER;
  localparam FW = K > 30 ? `UT_RT_PORT_PORT_WIDTH : `UT_RT_PORT_PORT_WIDTH - 1;  // as the module has it
  localparam AT = `UT_HEADER_RT_LSB;

  (* anyseq *)wire [63:0] header, straps;
  (* anyseq *)wire [P-1:0] in_port, up, vector, neighbour;
  (* anyseq *)wire [15:0] planes;
  (* anyseq *)wire [K-1:0] chosen, chosen_below;  // up ports into the planes of this level, of the level below; one-hot
  (* anyseq *)wire near, root;
  wire [P-1:0] cand, bubble, preferred, set;
  wire [23:0] rt;
  wire discard, uses_state;
  wire see_mine;
  wire [D-1:0] see_digit;
  ut_route_fattree #(
      .PI(P),
      .PO(P),
      .V(1),
      .ALGORITHM(ALGORITHM),
      .ROOT(ROOT)
  ) u_route (
      .header_i(header),
      .in_port_i(in_port),
      .in_vc_i(1'b1),
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

  function [15:0] lowest;
    input [15:0] a;
    lowest = a & (~a + 16'd1);
  endfunction

  // the planes of this switch, those above it behind a port
  wire [3:0] level = straps[`UT_LEVEL_STRAP_LEVEL_LSB+:`UT_LEVEL_STRAP_LEVEL_WIDTH];
  wire [15:0] at_level = 16'd1 << level, at_below = at_level >> 1;
  wire [15:0] here = planes & (at_level - 16'd1);
  wire [P-1:0] into_plane = {chosen, {K{1'b0}}} & ~DOWN;
  wire above = |(in_port & ~DOWN);
  wire [15:0] in_m = lowest(here | (|(in_port & into_plane) ? at_level : 16'd0));
  wire in_up = !above && |(here & at_below);  // the subfunction supplies a channel up to this switch only where it is in that plane

  // the subfunction
  wire [P-1:0] supplied = cand & ~(|(cand & into_plane) ? ~DOWN & ~into_plane : {P{1'b0}});
  wire to_down = |(supplied & DOWN), to_up = |(supplied & ~DOWN);
  wire [15:0] up_m = lowest(here | (|(supplied & into_plane) ? at_level : 16'd0)), down_m = lowest(here);

  // where packets go astray from a plane: only to the switches below its own level that have failed
  wire fails_below = SWITCHES != 0 && down_m == at_below && level >= 2;
  wire towards = see_mine && (supplied & ~{{P - D{1'b0}}, see_digit}) == 0;  // the destination is below the next switch, too
  wire [FW-1:0] field = header[AT+`UT_RT_PORT_PORT_LSB+:FW], field_d = rt[`UT_RT_PORT_PORT_LSB+:FW];
  wire turn = SWITCHES != 0 && field == `UT_PORT_FIELD_TURN, turn_d = SWITCHES != 0 && field_d == `UT_PORT_FIELD_TURN;
  wire port = SWITCHES != 0 && field >= `UT_PORT_FIELD_FIRST, port_d = SWITCHES != 0 && field_d >= `UT_PORT_FIELD_FIRST;
  wire [K-1:0] tried = IN_HEADER ? header[AT+`UT_RT_MISROUTE_VECTOR_LSB+:K] : {K{1'b0}};
  wire [K-1:0] tried_d = IN_HEADER ? rt[`UT_RT_MISROUTE_VECTOR_LSB+:K] : {K{1'b0}};

  always @* begin
    one_arrival_port: assume (in_port != 0 && (in_port & (in_port - 1'b1)) == 0);
    one_digit: assume (see_digit != 0 && (see_digit & (see_digit - 1'b1)) == 0);
    one_plane: assume (chosen != 0 && (chosen & (chosen - 1'b1)) == 0);
    one_plane_below: assume (chosen_below != 0 && (chosen_below & (chosen_below - 1'b1)) == 0);
    subtree_above: assume (!see_mine || near);
    roots: assume (!(root || ROOT) || (level != 0 && see_mine && !above && (ROOT || up[P-1:K] == 0)));
    // no fault in the planes
    into_plane_works: assume (root || ROOT || |(up & into_plane));
    down_from_plane_works: assume (here == 0 || fails_below || (up & DOWN) == DOWN);
    // arrivals
    plane_is_towards: assume (!above || in_m == 0 || see_mine || FAULTS || (SWITCHES && in_m == at_level && level >= 1 && !turn));
    turn_is_astray: assume (!turn || (above ? !near : !see_mine));
    field_at_level: assume ((!port || level >= (above ? 1 : 2)) && (!turn || above || level >= 1));
    plane_not_in_vector: assume ((vector[P-1:K] & chosen) == 0);
    plane_not_in_header: assume ((tried & (above ? chosen : chosen_below)) == 0);
  end
  generate
    if (FAULTS == 0) begin : g_hops
      always @* begin
        one_kind: assert (!to_down || !to_up);
        into_plane_only: assert (!to_up || supplied == into_plane);
        has_a_port: assert (see_mine || supplied != 0 || (SWITCHES && above && (up & DOWN) == 0));
        up_and_turn_down: assert (!in_up || (to_up ? up_m : to_down ? down_m : in_m) == in_m);
        down_in: assert (!above || !to_down || in_m == 0 || in_m == at_level || down_m == in_m);
        leave_plane: assert (!above || !to_down || in_m != at_level || down_m == 0);
        down_out: assert (!above || !to_down || in_m != 0 || down_m == 0);
        uturn: assert (!above || !to_up || (in_m == 0 && up_m == at_level));
        keeps_plane_is_towards: assert (!to_down || here == 0 || towards || (fails_below && see_mine && !turn_d));
        keeps_turn_is_astray: assert (!turn_d || (to_up ? !near : !see_mine));
        keeps_field_at_level: assert (!port_d || level >= (to_up ? 1 : 2));
        keeps_plane_not_in_vector: assert ((set[P-1:K] & chosen) == 0);
        keeps_plane_not_in_header: assert ((tried_d & (to_up ? chosen : chosen_below)) == 0);
        cover (in_up && to_down);  // every kind of hop is made
      end
      if (ROOT == 0) begin : g_cover
        always @* begin
          cover (in_up && to_up);
          cover (above && to_down && in_m != 0 && in_m != at_level);
          cover (above && to_down && in_m == at_level);
          cover (above && to_down && in_m == 0);
          cover (above && to_up);
        end
      end
    end else begin : g_faults
      always @* cover (above && to_up && in_m == at_level);
    end
  endgenerate
endmodule
