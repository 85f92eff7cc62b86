// SPDX-License-Identifier: Apache-2.0
// planes_fattree - proof of ut_route_fattree, reroute_adaptive_link, reroute_adaptive_switch and misroute_header: the routing subfunction
// of REROUTE's theorems 4 and 5 and of MISROUTE's theorem 2 makes the kinds of hops of the theorems for every k and n only
// (csim/prove/theorems_fattree.c), and is connected, whatever the switch, the destination, the vectors and the links that work.
//
// Each level has a plane without a fault: the switches above it with one digit of that level.  Free: header, straps, arrival port,
// vectors, reports and links, and in which planes the switch is; `plane`, the up port into the plane of its own level.
//   just    it is in the plane of the level below its own; of switch faults one below that level may be beside it
//   lower   it is in the plane of a still lower level
//   near    the destination is below the switches one level up
//   root    it has no up ports, and every destination is below it
// A packet that is astray was sent so by a switch above, in none of these planes; it has not tried the port into the plane, where
// nothing is sent astray; with field turn it is not near: assumed at the arrival, asserted of what leaves.
// see mine = u_route.mine
// see digit = u_route.digit
// free u_route.digit
`include "layout.vh"
`include "algorithms.vh"
module planes_fattree #(
    parameter K = 4,
    parameter ALGORITHM = `UT_FATTREE_REROUTE_ADAPTIVE_LINK
) (
    input clk_i
);
  localparam PO = 2 * K;
  localparam FW = `UT_RT_PORT_PORT_WIDTH;
  localparam SWITCH_FAULTS = ALGORITHM == `UT_FATTREE_REROUTE_ADAPTIVE_SWITCH;
  localparam IN_HEADER = ALGORITHM == `UT_FATTREE_MISROUTE_HEADER;  // the ports that have been tried
  localparam FIELD = `UT_HEADER_RT_LSB + `UT_RT_PORT_PORT_LSB;
  localparam VECTOR = `UT_HEADER_RT_LSB + `UT_RT_MISROUTE_VECTOR_LSB;

  (* anyseq *)wire [63:0] header, straps;
  (* anyseq *)wire [PO-1:0] in_port, up, vector, neighbour;
  (* anyseq *)wire [K-1:0] plane, plane_below;
  (* anyseq *)wire just, lower, near, root;
  wire [PO-1:0] cand, bubble, preferred, set;
  wire [23:0] rt;
  wire discard, uses_state;
  wire see_mine;
  wire [K-1:0] see_digit;
  ut_route_fattree #(
      .PI(PO),
      .PO(PO),
      .V(1),
      .ALGORITHM(ALGORITHM)
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

  wire [3:0] level = straps[`UT_LEVEL_STRAP_LEVEL_LSB+:`UT_LEVEL_STRAP_LEVEL_WIDTH];
  wire [FW-1:0] field = header[FIELD+:FW];
  wire [K-1:0] tried = header[VECTOR+:K], tried_d = rt[`UT_RT_MISROUTE_VECTOR_LSB+:K];
  wire above = |in_port[PO-1:K];
  wire astray = above && !see_mine;
  wire beside = |(in_port[PO-1:K] & plane);  // it came from the plane of this level
  wire [K-1:0] to_up = cand[PO-1:K], to_down = cand[K-1:0];
  wire goes_astray = |(to_down & ~see_digit) && see_mine, goes_further = |to_down && !see_mine;
  wire [FW-1:0] field_d = rt[`UT_RT_PORT_PORT_LSB+:FW];
  wire turn = SWITCH_FAULTS && field == `UT_PORT_FIELD_TURN, turn_d = SWITCH_FAULTS && field_d == `UT_PORT_FIELD_TURN;
  wire port = SWITCH_FAULTS && !turn && field != `UT_PORT_FIELD_NONE;
  wire port_d = SWITCH_FAULTS && !turn_d && field_d != `UT_PORT_FIELD_NONE;
  wire halfway = SWITCH_FAULTS && level != 0 && !turn;  // it is sent one level further down before the U-turn

  always @* begin
    one_arrival_port: assume (in_port != 0 && (in_port & (in_port - 1'b1)) == 0);
    one_digit: assume (see_digit != 0 && (see_digit & (see_digit - 1'b1)) == 0);
    one_plane: assume (plane != 0 && (plane & (plane - 1'b1)) == 0);
    one_plane_below: assume (plane_below != 0 && (plane_below & (plane_below - 1'b1)) == 0);
    levels_below: assume ((!just || level >= 1) && (!lower || level >= 2));
    subtrees: assume (!see_mine || near);
    root_owns_all: assume (!root || (see_mine && !above && level >= 1));
    // no fault in these planes
    own_plane: assume (root || (up[PO-1:K] & plane) != 0);
    lower_planes: assume (!(just || lower) || root || (&up[PO-1:K]));
    down_in_lower_plane: assume (!(lower || (just && (!SWITCH_FAULTS || level < 2))) || (&up[K-1:0]));
    // what a packet brings with it
    turn_where: assume (!turn || (above ? !near : !see_mine && level >= 1));
    port_where: assume (!port || level >= (above ? 1 : 2));
    astray_from: assume (!astray || (!just && !lower && (!beside || halfway)));
    untried_shared: assume (IN_HEADER || (vector[PO-1:K] & plane) == 0);
    untried_header: assume (!IN_HEADER || (tried & (above ? plane : plane_below)) == 0);
  end
  always @* begin
    only_working_ports: assert ((cand & ~up) == 0);
    one_direction: assert (to_up == 0 || to_down == 0);
    up_up_uturn: assert (to_up == 0 || (!see_mine && (!above || (!just && !lower && !beside))));
    connected: assert (to_up == 0 || (to_up & plane) != 0);
    has_a_port: assert (see_mine || to_up != 0 || goes_further || (up[K-1:0] == 0 && halfway));
    turn_down_down_in_leave_plane_down_out: assert (to_down == 0 || see_mine || (SWITCH_FAULTS && astray));
    goes_astray_from: assert (!goes_astray || (!lower && (!just || (SWITCH_FAULTS && level >= 2 && !turn_d))));
    goes_further_from: assert (!goes_further || (!just && !lower));
    keeps_turn_where: assert (!turn_d || ((to_down == 0 || !see_mine) && (to_up == 0 || !near)));
    keeps_port_where: assert (!port_d || level >= (to_down != 0 ? 2 : 1));
    keeps_untried_shared: assert ((set[PO-1:K] & plane) == 0);
    keeps_untried_header: assert (!IN_HEADER || (tried_d & (to_up != 0 ? plane : plane_below)) == 0);
    cover (to_up != 0 && !above && (just || lower));  // every kind of hop is made
    cover (to_up != 0 && above);
    cover (to_down != 0 && !above && (just || lower));
    cover (to_down != 0 && above && (just || lower));
    cover (to_down != 0 && above && !just && !lower && beside);
    cover (to_down != 0 && above && !just && !lower && !beside);
    cover (goes_astray);
  end
endmodule
