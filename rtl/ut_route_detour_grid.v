// SPDX-License-Identifier: Apache-2.0
// ut_route_detour_grid - routing in meshes and k-ary n-cubes with faulty nodes: port 2d leads on in dimension d, port
// 2d + 1 back, the others to terminals.
//
// The VCs are two virtual networks, VIN1 and VIN2 (DETOUR section 3).  Meshes: the first VIN1_VCS are VIN1, all others are
// VIN2.  Tori split each into two classes (section 4.3): VIN1 has VIN1_VCS of each, and the class is the lowest bit of the VC.  A packet that waits for a dimension takes class 0 while its way there still crosses the wrap link, then 1.
// Free channels of VIN2, which are preferred, have no class.
//   ecube           the lowest dimension that is left, in any VC of the class (algorithm 3.2); of an odd number of VCs the last
//                   one is of class 1
//   adaptive_vin    that one in VIN1, any that is left in VIN2 (algorithm 3.3)
//   detour          around blocks of bad nodes, that is faulty, unsafe and disabled ones (algorithm 4.2)
//   detour_literal  the same without the corrections of the printed text, which are the localparams READ_...
//   detour_low_high detour; the VCs of VIN2 are low and high ones by turns in dimension 0, and detours along it turn back
//                   at the border (section 4.2)
//   detour_reserved detour; no channel of VIN2 in dimension 0 is free (section 3)
// MISROUTE_HOPS: adaptive_vin and detour also offer VIN2 in dimensions above the lowest one that is left, away from the
// destination (end of section 3); of the minimal channels those of VIN1 then are preferred, too.  Nothing leads back.
// A torus takes the plus direction where both are as long.
//
// detour, the first that applies; `a` is the direction in which the packet travels, none if it was injected or comes from
// a bad node; h is the highest dimension:
//   disabled   what terminals of a disabled node send is discarded
//   step 2     the packet is at its node
//   step 3.1   one hop is left: both networks, even into an unsafe node
//   step 3.2   this node is unsafe: all VCs to every safe neighbour
//   step 3.6   on its way around a block along dimension 0:
//     away     it leaves its column until the way along h is free, and then goes there in VIN1
//     climb    it goes along h in VIN1 until the way back along dimension 0 is free
//     back     it returns beside the block to its column in VIN2
//   step 3.3   the lowest dimension leads to a safe node: VIN1 there, and VIN2 in every direction where it is no detour
//   step 3.4   else a detour in the second lowest dimension, in VIN2
//   step 3.5   only one dimension is left, not h: a detour in any higher dimension, then on along the same one
//   step 3.6   only h is left: away along dimension 0 in the plus direction,
//   step 3.7   or in the minus direction, if the block reaches the right border
// With low and high channels a packet leaves its column through the low one in the plus direction or, turned back at the
// border, through the high one in the minus direction, and returns through the same one.
//
// Directions are sets over ports, of one bit.  docs/explanation/route_detour.md
// Twin: csim/switch/route_detour_grid.c
`default_nettype none
`include "layout.vh"
`include "algorithms.vh"
`include "node_states.vh"
module ut_route_detour_grid #(
    parameter PI = 5,
    parameter PO = 5,
    parameter V = 2,
    parameter VIN1_VCS = 1,
    parameter MISROUTE_HOPS = 0,
    parameter WRAP = 0,
    parameter ALGORITHM = 2,  // codes are the same in meshes and tori
    parameter SIZE0 = 4,
    parameter SIZE1 = 4,
    parameter SIZE2 = 0,
    parameter SIZE3 = 0,
    parameter LINKS = 1  // links of a terminal each way, at adjacent ports
) (
    input wire  [             63:0] header_i,
    input wire  [           PI-1:0] in_port_i,
    input wire  [            V-1:0] in_vc_i,
    input wire  [             63:0] straps_i,
    input wire  [           PO-1:0] up_i,
    input wire  [`UT_NODE_BITS-1:0] node_i,
    output wire [         V*PO-1:0] cand_o,
    output wire [         V*PO-1:0] preferred_o,
    output wire [             23:0] rt_o,
    output wire                     discard_o
);
  localparam D = (SIZE0 > 0 ? 1 : 0) + (SIZE1 > 0 ? 1 : 0) + (SIZE2 > 0 ? 1 : 0) + (SIZE3 > 0 ? 1 : 0);
  localparam P = 2 * D;  // ports to other nodes
  localparam H = D - 1;
  localparam LOCAL = PO > P ? PO - P : 1;
  localparam STATES = `UT_ALG_STATES(`UT_ROUTE_DETOUR_MESH, ALGORITHM);
  localparam VIN2 = WRAP != 0 ? 2 * VIN1_VCS : VIN1_VCS;  // the first VC of it

  // Corrections of the printed text.
  localparam READ_ALL = ALGORITHM != `UT_DETOUR_MESH_DETOUR_LITERAL;
  localparam READ_SAFE = READ_ALL;  // step 3.3 offers no channel to a bad node
  localparam READ_NO_RETURN = READ_ALL;  // ... nor the one back
  localparam READ_EXIT = READ_ALL;  // a packet that leaves a detour takes the dimension that was blocked, and no other
  localparam READ_CORNER = READ_ALL;  // the way back along dimension 0 begins at the corner, and is no free channel there
  localparam READ_AHEAD = READ_ALL;  // step 3.4 does not turn back on a detour
  localparam READ_ESCAPE = READ_ALL;  // the last hop of a detour along dimension 0 waits for the detour's channel

  // Variants of detour.
  localparam LOW_HIGH = WRAP == 0 && ALGORITHM == `UT_DETOUR_MESH_DETOUR_LOW_HIGH;
  localparam RESERVED = WRAP == 0 && ALGORITHM == `UT_DETOUR_MESH_DETOUR_RESERVED;
  localparam [2*V-1:0] ALTERNATE = {V{2'b10}} << VIN2;  // low and high VCs of VIN2 alternate
  localparam [V-1:0] HIGH_VCS = ALTERNATE[V-1:0];

  generate  // a rule on the parameters; others are in ut_grid_position
    if (STATES != 0 && SIZE1 == 0) ERROR_detours_need_two_dimensions u_rule ();
  endgenerate

  localparam [P-1:0] ONE = 1;
  // ---- directions left to the destination
  wire [P-1:0] minimal;
  wire [P-1:0] one_hop;  // one hop in that direction reaches its coordinate
  wire [P-1:0] unwrapped;
  wire [LOCAL-1:0] exits;  // of the terminal
  wire [P-1:0] exists;  // links
  ut_grid_position #(
      .PI(PI),
      .PO(PO),
      .WRAP(WRAP),
      .SIZE0(SIZE0),
      .SIZE1(SIZE1),
      .SIZE2(SIZE2),
      .SIZE3(SIZE3),
      .LINKS(LINKS)
  ) u_position (
      .header_i(header_i),
      .straps_i(straps_i),
      .minimal_o(minimal),
      .next_o(one_hop),
      .unwrapped_o(unwrapped),
      .exit_o(exits)
  );
  ut_grid_links #(
      .WRAP(WRAP),
      .SIZE0(SIZE0),
      .SIZE1(SIZE1),
      .SIZE2(SIZE2),
      .SIZE3(SIZE3)
  ) u_links (
      .straps_i(straps_i),
      .exists_o(exists)
  );
  wire [P-1:0] left = minimal & ~((minimal & {D{2'b01}}) << 1);  // of two equally long directions the plus direction
  wire [P-1:0] class1 = WRAP != 0 ? unwrapped : {P{1'b0}};  // in that direction the path crosses no wrap link
  wire [P-1:0] f1 = left & (~left + ONE);  // the lowest direction
  wire arrived = ~|left;
  wire [LOCAL-1:0] exit = exits & {LOCAL{arrived}};
  genvar d, e, p, v;

  // ---- misrouted hops: in dimensions above that of f1, not back
  wire [P-1:0] over_f1;  // directions in higher dimensions
  wire [P-1:0] stray;  // a misrouted hop
  wire [D-1:0] led_away, may;  // dimensions
  wire on_detour;
  generate
    for (d = 0; d < D; d = d + 1) begin : g_stray
      if (d == 0) begin : g_lower
        assign over_f1[1:0] = 2'b00;
      end else begin : g_lower
        assign over_f1[2*d+:2] = {2{|f1[2*d-1:0]}};
      end
      assign led_away[d] = |(in_port_i[2*d+:2] & left[2*d+:2]);
      assign stray[2*d+:2] = over_f1[2*d+:2] & exists[2*d+:2] & ~left[2*d+:2] & ~in_port_i[2*d+:2] & {2{may[d]}};
    end
  endgenerate
  ut_detour_misroutes #(
      .D(D),
      .HOPS(MISROUTE_HOPS)
  ) u_misroutes (
      .rt_i(header_i[`UT_HEADER_RT_LSB+:`UT_HEADER_RT_WIDTH]),
      .away_i(led_away),
      .detour_i(on_detour),
      .may_o(may),
      .rt_o(rt_o)
  );

  // ---- candidates by virtual network: `first` in VIN1 and `second` in VIN2, each in one class or in all, and `free` in all
  // of VIN2, preferred where they are not in `second`, and `astray`, which are not
  wire [P-1:0] first, second, free, astray;
  wire first_class, second_class, all_classes;
  wire first_preferred;
  wire nothing;  // the packet is discarded
  generate
    if (STATES == 0) begin : g_algorithm
      wire adaptive = ALGORITHM == `UT_DETOUR_MESH_ADAPTIVE_VIN;
      assign first = f1;
      assign second = adaptive ? {P{1'b0}} : f1;
      assign free = adaptive ? left & ~(MISROUTE_HOPS != 0 ? in_port_i[P-1:0] : {P{1'b0}}) : {P{1'b0}};
      assign astray = stray;
      assign first_class = |(f1 & class1);
      assign second_class = first_class;
      assign all_classes = 1'b0;
      assign first_preferred = |astray;
      assign on_detour = 1'b0;
      assign nothing = 1'b0;
      // verilator lint_off UNUSEDSIGNAL
      wire unused = &{1'b0, one_hop, in_vc_i, node_i};
      // verilator lint_on UNUSEDSIGNAL
    end else begin : g_algorithm
      localparam HIGHEST = H > 0 ? H : 1;  // the rule on two dimensions has its own message
      localparam PAIRS = D * (D - 1) / 2;
      localparam CORNER = HIGHEST * (HIGHEST - 1) / 2;  // the plane of dimensions 0 and h
      wire [P-1:0] bad = node_i[`UT_NODE_BAD_LSB+:P];
      wire [4*PAIRS-1:0] diagonal = node_i[`UT_NODE_DIAGONAL_LSB+:4*PAIRS];
      wire [1:0] border = node_i[`UT_NODE_BORDER_LSB+:2];
      wire [3:0] corner = node_i[`UT_NODE_CORNER_LSB+:4];
      wire unsafe = node_i[`UT_NODE_UNSAFE];
      wire disabled = node_i[`UT_NODE_DISABLED];

      // ---- where the packet comes from
      wire injected = ~|in_port_i[P-1:0];
      wire [P-1:0] from = in_port_i[P-1:0] & ~bad & {P{~unsafe}};  // direction of the node that the packet comes from
      wire [P-1:0] a;
      wire in_second = |in_vc_i[V-1:VIN2];  // the packet has arrived through VIN2
      wire in_high = |(in_vc_i & HIGH_VCS);  // ... and there through a high channel

      // ---- directions
      wire [P-1:0] others = left & ~f1;
      wire [P-1:0] f2 = others & (~others + ONE);
      wire [1:0] along = left[1:0];  // those in dimension 0
      wire [1:0] up = left[2*HIGHEST+:2];  // ... and in the highest one
      wire [P-1:0] ahead = {up, {P - 2{1'b0}}};
      wire f1_bad = |(f1 & bad);
      wire up_bad = |(ahead & bad);
      wire adjacent = ~|others & |(left & one_hop);
      wire climb = |a[2*HIGHEST+:2] & ~in_second & |along;
      wire turned = LOW_HIGH & a[1] & in_high & up_bad;  // it has been turned back at the border
      wire away = (|(from[1:0] & along) & |up) | turned;
      // Next to the block on that side of h, the direction back is not the one in which detours begin.
      wire [1:0] returning = LOW_HIGH ? {2{in_high == a[0]}} : {2{a[1]}} ^ border;
      wire [1:0] beside = bad[2*HIGHEST+:2] & returning;
      wire back = |(a[1:0] & along) & in_second & |beside;

      // ---- classes: of the lowest dimension; of a detour along dimension 0 that of h, 1 once the destination's row is passed
      wire low = |(f1 & class1);
      wire high = ~|up | |(ahead & class1) | (climb & ~|(a & left)) | (back & up_bad);

      // ---- dimension by dimension
      wire [P-1:0] detour;  // a channel of VIN2 in that direction is a detour
      wire [P-1:0] over_a;  // directions in higher dimensions
      wire [PAIRS-1:0] leaving;  // by plane: the node that the packet comes from has a bad neighbour in direction f1
      for (d = 0; d < D; d = d + 1) begin : g_role
        assign a[2*d+:2] = {from[2*d], from[2*d+1]};
        if (d == 0) begin : g_lower
          assign over_a[1:0] = 2'b00;
          for (p = 0; p < 2; p = p + 1) begin : g_direction
            // A block's corner is across, and detours around it begin the other way.
            wire [1:0] across = {diagonal[4*CORNER+2+p], diagonal[4*CORNER+p]};
            wire [1:0] ends = LOW_HIGH ? across : across & ({2{p == 1}} ^ corner[2*p+:2]);
            assign detour[p] = RESERVED | |bad[2*HIGHEST+:2] | (READ_CORNER & ~bad[p] & |ends);
          end
        end else begin : g_lower
          assign over_a[2*d+:2] = {2{|a[2*d-1:0]}};
          assign detour[2*d+:2] = {2{|bad[2*d-1:0]}};
          for (e = 0; e < d; e = e + 1) begin : g_plane
            localparam PLANE = d * (d - 1) / 2 + e;
            assign leaving[PLANE] = |(diagonal[4*PLANE+:4] &
                {{2{from[2*d+1]}} & f1[2*e+:2], {2{from[2*d]}} & f1[2*e+:2]});
          end
        end
      end

      // ---- the answers of the steps
      wire [P-1:0] useful = left & ~detour & (READ_SAFE ? ~bad : {P{1'b1}}) & (READ_NO_RETURN ? ~from : {P{1'b1}}) &
          (READ_EXIT & in_second & |leaving ? f1 : {P{1'b1}});
      wire [P-1:0] second_lowest = READ_AHEAD & |(f2 & from) & |(a & exists) ? a : f2;
      wire [P-1:0] on = |(a & exists) ? a : from;
      wire [P-1:0] further = LOW_HIGH ? on : a;
      localparam [P-1:0] VIN2_EXISTS = {P{1'b1}} << (RESERVED ? 2 : 0);  // directions in which VIN2 is not for detours only
      wire [P-1:0] higher = exists & over_f1 & ((|(a & over_f1) ? over_a : {P{1'b1}})) |
          (|(a & over_f1) ? on : {P{1'b0}});
      wire [1:0] begins = (LOW_HIGH ? ~exists[0] : |(f1[2*HIGHEST+:2] & border)) ? 2'b10 : 2'b01;
      wire last = READ_ESCAPE & (climb | back) & |f1[1:0] & ~f1_bad;  // the last hop of a detour along dimension 0

      // ---- the first step that applies
      wire [P-1:0] home = {{P - 2{1'b0}}, along};
      wire home_bad = |(along & bad[1:0]);
      wire at_unsafe = ~adjacent & unsafe;
      wire at_away = ~adjacent & ~unsafe & away;
      wire at_climb = ~adjacent & ~unsafe & ~away & climb;
      wire at_back = ~adjacent & ~unsafe & ~away & ~climb & back;
      wire plain = ~adjacent & ~unsafe & ~away & ~climb & ~back;
      wire at_go_on = plain & ~f1_bad;
      wire at_second_lowest = plain & f1_bad & |others;
      wire at_higher = plain & f1_bad & ~|others & ~|f1[2*HIGHEST+:2];
      wire at_begin = plain & f1_bad & ~|others & |f1[2*HIGHEST+:2];
      assign first = (f1 & {P{adjacent | at_go_on}}) | (exists & ~bad & {P{at_unsafe}}) |
          (ahead & {P{at_away & ~up_bad}}) | (a & {P{at_climb & home_bad}});
      assign second = (f1 & {P{adjacent & last}}) | (exists & ~bad & VIN2_EXISTS & {P{at_unsafe}}) |
          (further & {P{at_away & up_bad}}) | (a & {P{at_back}}) | (home & {P{at_climb & ~home_bad}}) |
          (second_lowest & {P{at_second_lowest}}) | (higher & {P{at_higher}}) |
          ({{P - 2{1'b0}}, begins} & {P{at_begin}});
      assign free = (f1 & VIN2_EXISTS & {P{adjacent}}) | (useful & {P{at_go_on}});
      assign astray = stray & ~bad & ~detour & {P{at_go_on}};
      assign on_detour = plain & f1_bad & ~nothing;
      assign first_class = at_away | at_climb ? high : low;
      wire returns = at_climb | at_back | adjacent;
      assign second_class = LOW_HIGH ? second[1] ^ returns : at_second_lowest | at_higher ? low : high;
      assign all_classes = at_unsafe;
      assign first_preferred = (adjacent & last) | |astray;
      assign nothing = disabled & injected;
    end

    for (v = 0; v < V; v = v + 1) begin : g_vc
      // of an odd number of VCs ecube gives the last one to class 1, which has most hops
      localparam ODD = WRAP != 0 && ALGORITHM == `UT_DETOUR_MESH_ECUBE && V % 2 != 0 && v == V - 1;
      localparam [31:0] CLASS = ODD ? 1 : (v < VIN2 ? v : v - VIN2) % 2;
      wire [P-1:0] cand, preferred;
      if (v < VIN2) begin : g_network
        wire mine = WRAP == 0 | all_classes | first_class == CLASS[0];
        assign cand = first & {P{mine}};
        assign preferred = cand & {P{first_preferred}};
      end else begin : g_network
        wire divided = WRAP != 0 | (LOW_HIGH & |second[1:0]);
        wire mine = ~divided | all_classes | second_class == CLASS[0];
        wire [P-1:0] escape = second & {P{mine}};
        assign cand = escape | free | astray;
        assign preferred = free & ~escape;
      end
      assign cand_o[v*PO+:PO] = {exit, cand & {P{~arrived}}} & up_i & {PO{~nothing}};
      assign preferred_o[v*PO+:PO] = {{LOCAL{1'b0}}, preferred & {P{~arrived}}} & up_i & {PO{~nothing}};
    end
  endgenerate
  assign discard_o = ~|cand_o;

  // verilator lint_off UNUSEDSIGNAL
  // A mesh has no classes, and with few VCs there is no VIN2.
  wire unused = &{1'b0, header_i, in_port_i, in_vc_i, node_i, unwrapped, first_class, second_class, all_classes,
      second, free, astray, over_f1, exists, on_detour};
  // verilator lint_on UNUSEDSIGNAL
endmodule
`default_nettype wire
