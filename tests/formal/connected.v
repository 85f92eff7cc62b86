// SPDX-License-Identifier: Apache-2.0
// connected - proof of ut_route_fattree: with fewer than K link faults no packet is discarded, and every packet arrives
// (REROUTE lemmas 2 and 6 for reroute_det_link, VII.A for reroute_adaptive_link; MISROUTE theorem 1).
//
// One switch.  Its level, what it owns, the destination, the links that are up, arrival port and VC are free, the links do not
// change while a packet is on its way.  A packet goes up to an ancestor of its destination (`above` levels away), then down one
// level at a time; where the link down has failed it makes a detour in the group of that link: down to a U-turn switch u,
// up to another upper switch of the group, and back to u if the link down has failed there, too.  What is known of a
// packet in a detour is an invariant, assumed on arrival, asserted of the next switch:
//
//   faulty  the upper switches of the group that lead nowhere from u: the link from u to them, or theirs down to the
//           destination, has failed.  By number of the up port at u.  These links all differ: FEWER THAN K SUCH SWITCHES, the
//           lemma of cardinality, is assumed of every u
//   tested  those from which the packet has come back to u: the misroute vector, or part of the re-route vector.  It grows with
//           each U-turn, and no port in it is taken again.  Of reroute_det_link it is told by the arrival port: D is tried in
//           order, so that the numbers of REROUTE's theorem 1 rise, and that ends (docs/explanation/parametric_proofs.md)
//
// So a packet comes one level nearer after at most K - 1 U-turns.  Of a k-ary n-tree it uses: an upper switch is at the same up
// port, `self`, of all switches below it; what is below a switch is below every one above it; a destination below a switch is
// below one of its children, the one at port `digit`.
// Links to terminals have no detour, a packet at a leaf switch whose terminal is cut off may be discarded.
`include "layout.vh"
`include "algorithms.vh"
module connected #(
    parameter K = 2,
    parameter ALGORITHM = `UT_FATTREE_REROUTE_DET_LINK,
    parameter REPAIR = 0,  // strap: a port is avoided only while the switch behind it reports a fault
    parameter ROOT = 0  // of an m-port n-tree: 2K ports down
) (
    input clk_i
);
  localparam V = `UT_ALG_LAYERS(`UT_ROUTE_FATTREE, ALGORITHM);
  localparam P = 2 * K;
  localparam D = ROOT ? P : K;
  localparam [P-1:0] DOWN = {{K{ROOT != 0}}, {K{1'b1}}};
  localparam D_ORDER = ALGORITHM == `UT_FATTREE_REROUTE_DET_LINK;
  localparam IN_SWITCH = ALGORITHM == `UT_FATTREE_REROUTE_ADAPTIVE_LINK;
  localparam IN_HEADER = ALGORITHM == `UT_FATTREE_MISROUTE_HEADER;

  (* anyseq *)wire [63:0] header, straps;
  (* anyseq *)wire [P-1:0] in_port, up, vector, neighbour;
  (* anyseq *)wire [V-1:0] in_vc;
  (* anyseq *)wire [K-1:0] self;  // up port, one-hot, of all switches below, that leads to this one
  (* anyseq *)wire [K-1:0] faulty, tested;
  (* anyseq *)wire [1:0] above;  // levels to the first ancestor of the destination, 3: or more
  (* anyseq *)wire detour, root;

  wire [V*P-1:0] cand, bubble, preferred;
  wire [P-1:0] set;
  wire [23:0] rt;
  wire discard, uses_state;
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
  wire see_mine;
  wire [D-1:0] see_digit;
// see mine = u_route.mine
// see digit = u_route.digit
// free u_route.digit

  wire [3:0] level = straps[`UT_LEVEL_STRAP_LEVEL_LSB+:`UT_LEVEL_STRAP_LEVEL_WIDTH];
  wire leaf = level == 0;
  wire mine = above == 0;
  wire from_above = |(in_port & ~DOWN);
  wire [K-1:0] in_header = header[`UT_HEADER_RT_LSB+`UT_RT_MISROUTE_VECTOR_LSB+:K];
  wire [K-1:0] in_header_d = rt[`UT_RT_MISROUTE_VECTOR_LSB+:K];
  wire [K-1:0] from = from_above ? in_port[P-1:K] : self;  // in a detour: the upper switch
  wire [K-1:0] below_from = from - 1'b1;  // the places in D before it

  function one_hot;
    input [P-1:0] a;
    one_hot = a != 0 & (a & (a - 1'b1)) == 0;
  endfunction

  // ---- the tree, and faults that do not change
  wire link_down = ~|(see_digit & up[D-1:0]);  // the only way down has failed
  always @* begin
    assume (one_hot(in_port) & one_hot({{P - V{1'b0}}, in_vc}) & one_hot({{K{1'b0}}, self}));
    assume (see_mine == mine & (~mine | one_hot({{P - D{1'b0}}, see_digit})));
    assume (ROOT == 0 | root);
    assume (~root | (~leaf & mine & ~from_above & (up & ~DOWN) == 0));
    assume (|(in_port & up) | (leaf & ~from_above));  // a link fails in both directions
    assume (straps[`UT_LEVEL_STRAP_REPAIR_LSB] == REPAIR);
    // fewer than K links fail: not all those to the switches above, or below, nor one for each upper switch of the group
    assume (root | up[P-1:K] != 0);
    assume (leaf | (up & DOWN) != 0);
    assume (~&faulty);
  end

  // ---- what is known of the packet
  wire u_turn = from_above & detour;  // at the U-turn switch
  always @* begin
    assume (from_above ? above <= 1 & detour == (above == 1) : ~detour | (mine & ~leaf));
    assume (D_ORDER == 0 | (tested == 0 & (from_above | in_vc[V-1] == detour)));
    assume (IN_HEADER == 0 | (detour ? in_header == tested & (from_above | tested != 0) : in_header == 0));
    assume (~detour | ((tested & ~faulty) == 0 & (tested & from) == 0));
    assume (D_ORDER == 0 | ~detour | ~in_vc[V-1] | (below_from & ~faulty) == 0);  // tried before it, and found faulty
    assume (~u_turn | ((from & ~faulty) == 0 & ~|(~up[P-1:K] & ~faulty)));
    assume (IN_SWITCH == 0 | ~u_turn | ((vector[P-1:K] & ~faulty) == 0 & (tested & ~vector[P-1:K]) == 0));
    // reports of all faulty switches are here
    assume (REPAIR == 0 | ~u_turn | ((vector[P-1:K] | from) & ~neighbour[P-1:K]) == 0);
    assume (~detour | from_above | ~link_down | (self & ~faulty) == 0);
  end

  // ---- what the switch answers
  wire [P-1:0] ports, first_layer, second_layer;
  assign first_layer = cand[P-1:0];
  assign second_layer = V > 1 ? cand[(V-1)*P+:P] : {P{1'b0}};
  assign ports = V > 1 ? first_layer | second_layer : first_layer;
  wire [K-1:0] tested_d = tested | from;
  wire [K-1:0] upwards = ports[P-1:K] & ~DOWN[P-1:K];
  wire [K-1:0] before_d = upwards - 1'b1;  // D: one port
  wire normal = second_layer == 0 & (IN_HEADER == 0 | in_header_d == 0);  // nothing says that there is a detour
  wire kept = (D_ORDER == 0 | first_layer == 0) & (IN_HEADER == 0 | in_header_d == tested);
  wire learned = IN_HEADER ? in_header_d == tested_d : IN_SWITCH ? set == in_port : first_layer == 0 & (before_d & ~faulty) == 0;
  wire untested = (upwards & tested_d) == 0 & (tested_d & ~faulty) == 0;
  always @* begin
    none_discarded: assert (~discard | (leaf & mine & link_down));
    // up to an ancestor, then one level down at a time
    goes_on_up: assert (mine | from_above | ((ports & DOWN) == 0 & normal));
    goes_down: assert (~mine | link_down | ports == {{P - D{1'b0}}, see_digit});
    forgets: assert (~mine | link_down | ~from_above | normal);
    // a detour begins: u learns that this switch is faulty; nothing has been tested
    begins: assert (~(mine & link_down & ~detour & ~leaf) | (upwards == 0 & normal));
    // back to the U-turn switch that the packet came from
    back: assert (~(mine & link_down & detour) | (ports == in_port & kept));
    // a U-turn: up to a switch that has not been tested; what has been is faulty
    turns: assert (~u_turn | ((ports & DOWN) == 0 & untested));
    remembers: assert (~u_turn | learned);
    cover (detour & mine & link_down);
  end
  generate
    if (ROOT == 0) begin : g_cover
      always @* begin
        cover (u_turn & |ports & (D_ORDER ? in_vc[V-1] : |tested));
        cover (mine & link_down & from_above & ~leaf);
      end
    end
  endgenerate
endmodule
