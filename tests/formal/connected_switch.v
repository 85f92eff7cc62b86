// SPDX-License-Identifier: Apache-2.0
// connected_switch - proof of ut_route_fattree: with fewer than K faults of links and of switches above the leaves no packet is
// discarded, and every packet arrives (REROUTE lemmas 4 and 7 for reroute_det_switch, lemma 10 for reroute_adaptive_switch).
//
// As connected.v, but a detour goes two levels down: at a switch A the link down to the destination has failed, or the switch
// behind it.  `place`: where a packet is in its detour.
//
//   PLAIN    in none: on its way up to an ancestor of its destination, or down
//   ASTRAY   one level below A: it goes further down
//   TURN     at the U-turn switch u, two levels below A; one level, where the link from A to another leaf switch has failed
//   CLIMB    at a switch above u, which stores in the header the port that leads back to u
//   OVER     at a switch above the destination again: if its link down is up, the detour ends, one level nearer
//   RETURN   otherwise it goes back: at the switch of CLIMB, which sends it down to u by the stored port, `home`
//
//   index    of a switch or a fault in a detour that turns at level t: digit t of the switch; of a link: that of its upper switch.  At
//            u it is the up port that is taken; all switches above it to which the packet comes have the same one, `self`
//   faulty   indices with a fault.  A fault has one index at most, so FEWER THAN K FAULTS leave an index without one: the lemma
//            of cardinality, which is assumed
//   tested   indices through which the packet has come back to u.  They are faulty, and none of them is taken again; so a detour
//            has at most K - 1 U-turns.  Of reroute_det_switch layer and arrival port tell: in ML1 and ML2 all ports before it
//            in D are faulty
//
// A packet that leaves a detour of reroute_det_switch comes down in ML2.  If its next link, to a leaf switch, has failed, it
// turns there in ML1, and goes on in D behind the arrival port; the ports before it are faulty for this detour, too.
`include "layout.vh"
`include "algorithms.vh"
module connected_switch #(
    parameter K = 3,
    parameter ALGORITHM = `UT_FATTREE_REROUTE_DET_SWITCH,
    parameter REPAIR = 0,  // strap: a port is avoided only while the switch behind it reports a fault
    parameter ROOT = 0  // of an m-port n-tree: 2K ports down
) (
    input clk_i
);
  localparam V = `UT_ALG_LAYERS(`UT_ROUTE_FATTREE, ALGORITHM);
  localparam P = 2 * K;
  localparam D = ROOT ? P : K;
  localparam [P-1:0] DOWN = {{K{ROOT != 0}}, {K{1'b1}}};
  localparam DET = ALGORITHM == `UT_FATTREE_REROUTE_DET_SWITCH;
  localparam FW = K > 30 ? `UT_RT_PORT_PORT_WIDTH : `UT_RT_PORT_PORT_WIDTH - 1;  // as the module has it
  localparam AT = `UT_HEADER_RT_LSB + `UT_RT_PORT_PORT_LSB;
  localparam PLAIN = 0, ASTRAY = 1, TURN = 2, CLIMB = 3, OVER = 4, RETURN = 5;

  (* anyseq *)wire [63:0] header, straps;
  (* anyseq *)wire [P-1:0] in_port, up, vector, neighbour;
  (* anyseq *)wire [V-1:0] in_vc;
  (* anyseq *)wire [K-1:0] self, faulty, tested;
  (* anyseq *)wire [K-1:0] home;  // of RETURN: the down port that leads to u
  (* anyseq *)wire [1:0] far;  // levels to the first ancestor of the destination, 3: or more
  (* anyseq *)wire [2:0] place;
  (* anyseq *)wire root;

  wire [V*P-1:0] cand, bubble, preferred;
  wire [P-1:0] set;
  wire [23:0] rt;
  wire discard, uses_state;
  wire see_mine;
  wire [D-1:0] see_digit;
  ut_route_fattree #(
      .PI(P),
      .PO(P),
      .V(V),
      .ALGORITHM(ALGORITHM),
      .ROOT(ROOT)
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
// see mine = u_route.mine
// see digit = u_route.digit
// free u_route.digit

  function one_hot;
    input [P-1:0] a;
    one_hot = a != 0 && (a & (a - 1'b1)) == 0;
  endfunction
  function in;  // all of a are in b
    input [K-1:0] a, b;
    in = (a & ~b) == {K{1'b0}};
  endfunction
  function before_in;  // all that are before a in D are in b
    input [K-1:0] a, b;
    before_in = in(a - 1'b1, b);
  endfunction
  function [FW-1:0] code;  // of a down port, one-hot
    input [K-1:0] a;
    integer i;
    begin
      code = 0;
      for (i = 0; i < K; i = i + 1) if (a[i]) code = i + `UT_PORT_FIELD_FIRST;
    end
  endfunction

  wire [3:0] level = straps[`UT_LEVEL_STRAP_LEVEL_LSB+:`UT_LEVEL_STRAP_LEVEL_WIDTH];
  wire leaf = level == 0;
  wire mine = far == 0;
  wire above = |(in_port & ~DOWN);
  wire link_down = ~|(see_digit & up[D-1:0]);  // of the way down, or the switch behind it
  wire [FW-1:0] field = header[AT+:FW];
  wire none = field == `UT_PORT_FIELD_NONE, turn = field == `UT_PORT_FIELD_TURN, port = !none && !turn;
  wire in_nl = !DET || in_vc[0], in_m1 = !DET || in_vc[V>1?1 : 0], in_m2 = !DET || in_vc[V-1];
  wire [K-1:0] index = place == TURN ? in_port[P-1:K] : self;

  // ---- the tree, and faults that do not change
  always @* begin
    assume (one_hot(in_port) && one_hot({{P - V{1'b0}}, in_vc}) && one_hot({{K{1'b0}}, self}) && one_hot({{K{1'b0}}, home}));
    assume (see_mine == mine && (!mine || one_hot({{P - D{1'b0}}, see_digit})));
    assume (ROOT == 0 || root);
    assume (!root || (!leaf && mine && !above && (up & ~DOWN) == 0));
    assume (|(in_port & up) || (leaf && !above));
    assume (straps[`UT_LEVEL_STRAP_REPAIR_LSB] == REPAIR);
    // fewer than K faults
    assume (root || (up & ~DOWN) != 0);
    assume (leaf || (up & DOWN) != 0);
    assume (~&faulty);
    assume (leaf || !mine || !link_down || in(self, faulty));
  end

  // ---- what is known of the packet
  wire detour = place == TURN || place == CLIMB || place == OVER || place == RETURN;
  wire one_level = place == TURN ? leaf && none : level == 1 && none;  // TURN and OVER
  wire ordered = DET && (in_m1 || in_m2);
  always @* begin
    assume (place <= RETURN);
    plain: assume (place != PLAIN || (none && (above ? mine : in_nl)));
    plain_m2: assume (place != PLAIN || !ordered || !above || !in_m2 || level != 1 || before_in(self, faulty));
    astray: assume (place != ASTRAY || (above && far == 1 && !leaf && none && in(self, faulty) && (in_nl || in_m1)));
    turn_at: assume (place != TURN || (above && far == (one_level ? 1 : 2) && (turn || one_level) && (in_nl || in_m1)));
    climb: assume (place != CLIMB || (!above && far == 1 && turn && !leaf && in_m1));
    over_two: assume (place != OVER || one_level || (!above && mine && port && level >= 2 && in_m2));
    over_one: assume (place != OVER || !one_level || (!above && mine && in_m1));
    return_home: assume (place != RETURN || (above && far == 1 && !leaf && field == code(home) && (home & up[K-1:0]) != 0 && in_m2));
    index_faulty: assume ((place != TURN && place != RETURN) || in(index, faulty));
    in_order: assume (!DET || !detour || in_vc[0] || before_in(index, faulty));
    no_list: assume ((!DET && detour) || tested == 0);
    have_failed: assume (in(tested, faulty) && in(index, ~tested));
    links_up: assume (place != TURN || in(~up[P-1:K], faulty));
    vector_faulty: assume (DET || place != TURN || (in(vector[P-1:K], faulty) && in(tested, vector[P-1:K])));
    // reports of all faulty indices are here
    reported: assume (DET || REPAIR == 0 || place != TURN || in(vector[P-1:K] | in_port[P-1:K], neighbour[P-1:K]));
  end

  // ---- what the switch answers
  wire [P-1:0] nl, m1, m2, ports;
  assign nl = cand[P-1:0];
  assign m1 = DET ? cand[(V>1?P : 0)+:P] : {P{1'b0}};
  assign m2 = DET ? cand[(V-1)*P+:P] : {P{1'b0}};
  assign ports = nl | m1 | m2;
  wire [FW-1:0] field_d = rt[`UT_RT_PORT_PORT_LSB+:FW];
  wire none_d = field_d == `UT_PORT_FIELD_NONE, turn_d = field_d == `UT_PORT_FIELD_TURN;
  wire only_up = (ports & DOWN) == 0, only_down = (ports & ~DOWN) == 0;
  wire only_nl = !DET || (m1 | m2) == 0, only_m1 = !DET || (nl | m2) == 0, only_m2 = !DET || (nl | m1) == 0;
  wire [K-1:0] upwards = ports[P-1:K] & ~DOWN[P-1:K], tested_d = tested | index;
  wire fails = mine && link_down && !leaf;
  always @* begin
    none_discarded: assert (!discard || (leaf && mine && link_down));
    // up to an ancestor, then one level down at a time
    goes_on_up: assert (place != PLAIN || mine || (only_up && none_d && only_nl));
    goes_down: assert (!mine || link_down || (ports == {{P - D{1'b0}}, see_digit} && none_d));
    leaves_in_layer: assert (!mine || link_down || place == OVER || m2 == 0);
    // a detour begins.  In ML1 above the leaf switches: all indices before this one are faulty, and D goes on behind it
    begins: assert (place != PLAIN || !fails || (only_down && none_d && m2 == 0));
    begins_in_order: assert (place != PLAIN || !fails || level != 1 || m1 == 0 || before_in(self, faulty));
    further: assert (place != ASTRAY || (only_down && turn_d && only_nl));
    turns: assert (place != TURN || (only_up && only_m1 && field_d == field));
    untested: assert (place != TURN || (in(upwards, ~tested_d) && in(tested_d, faulty)));
    remembers: assert (place != TURN || (DET ? before_in(upwards, faulty) : set == in_port));
    onwards: assert (!DET || place != TURN || !in_m1 || in(index, upwards - 1'b1));
    climbs: assert (place != CLIMB || (only_up && only_m2 && field_d == code(in_port[K-1:0])));
    back: assert (place != OVER || !fails || (ports == in_port && field_d == field && (one_level ? only_m1 : only_m2)));
    returns: assert (place != RETURN || (ports == {{K{1'b0}}, home} && turn_d && only_m1));
    cover (place == OVER && link_down);
    cover (place == PLAIN && fails && !above);
  end
  generate
    if (ROOT == 0) begin : g_cover
      always @* begin
        cover (place == ASTRAY && |ports);
        cover (place == TURN && turn && |ports && (DET ? in_m1 : |tested));
        cover (place == TURN && one_level && |ports);
        cover (place == CLIMB && |ports);
        cover (place == RETURN && |ports);
        cover (place == PLAIN && fails && above && level == 1 && in_m2);
      end
    end
  endgenerate
endmodule
