// SPDX-License-Identifier: Apache-2.0
// hops_detour_cube - proof of ut_route_detour_cube with ut_node_states, detour: a packet makes the kinds of hops of DETOUR's theorem 3
// for every n only (csim/prove/theorems_detour.c), whatever its node, its destination and the states of the nodes around.
//
// Free: node, destination, reports of the neighbours, which links work.  The states have settled: nothing has changed in the last
// cycle, the manager has not ordered a restart, and a link that is down is known.  Then a safe node has one bad neighbour at most.
//
// A packet brings with it which escape channel it has held last: it is assumed at the arrival and asserted of every channel that it
// leaves by.  One-hot: m, d.
//   leave          it came from an unsafe node
//   first(m)       it needs dimensions above m only
//   detour(m, d)   of the dimensions up to d it needs none but m
//   injected       none; so is every packet in an unsafe node that is not its destination
// Free channels of VIN2 change nothing of that: they take a dimension from what is needed (`nearer`).
// see left = u_route.left
// see restart = u_states.restart_q
`include "layout.vh"
`include "algorithms.vh"
`include "node_states.vh"
module hops_detour_cube #(
    parameter CUBE = 4,
    parameter V = 2,
    parameter VIN1_VCS = 1,
    parameter ALGORITHM = 2
) (
    input clk_i
);
  localparam PO = CUBE + 1;
  localparam [CUBE-1:0] NONE = 0, ONE = 1;
  reg started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;

  (* anyseq *)wire [63:0] header, straps, config_;
  (* anyseq *)wire [PO-1:0] up, reports;
  wire [V*PO-1:0] cand, preferred;
  wire [`UT_NODE_BITS-1:0] node;
  wire discard, stale, report, purge, see_restart;
  wire [CUBE-1:0] see_left;
  ut_node_states #(
      .PO(PO),
      .RW(1),
      .CUBE(CUBE)
  ) u_states (
      .clk_i(clk_i),
      .rst_i(~started_q),
      .straps_i(straps),
      .link_up_i(up),
      .config_i(config_),
      .report_i(reports),
      .report_o(report),
      .node_o(node),
      .purge_o(purge),
      .stale_o(stale)
  );
  ut_route_detour_cube #(
      .PI(PO),
      .PO(PO),
      .V(V),
      .CUBE(CUBE),
      .VIN1_VCS(VIN1_VCS),
      .ALGORITHM(ALGORITHM)
  ) u_route (
      .header_i(header),
      .in_port_i({PO{1'b0}}),  // only misrouted hops depend on it
      .straps_i(straps),
      .up_i(up),
      .node_i(node),
      .cand_o(cand),
      .preferred_o(preferred),
      .rt_o(),
      .discard_o(discard)
  );

  function [CUBE-1:0] upto;  // dimensions up to the lowest of these
    input [CUBE-1:0] dimensions;
    upto = dimensions ^ (dimensions - ONE);
  endfunction
  function one;
    input [CUBE-1:0] dimensions;
    one = dimensions != 0 && (dimensions & (dimensions - ONE)) == 0;
  endfunction

  // ---- what it asks for, in dimensions
  wire [CUBE-1:0] bad = node[`UT_NODE_BAD_LSB+:CUBE];
  wire unsafe = node[`UT_NODE_UNSAFE];
  wire [CUBE-1:0] blocked = bad & (~bad + ONE);  // the lowest dimension with a bad neighbour
  wire last = one(see_left);
  integer v;
  reg [CUBE-1:0] vin1, vin2;
  always @* begin
    vin1 = NONE;
    vin2 = NONE;
    for (v = 0; v < V; v = v + 1)
      if (v < VIN1_VCS) vin1 = vin1 | cand[v*PO+:CUBE];
      else vin2 = vin2 | cand[v*PO+:CUBE];
  end
  wire [CUBE-1:0] both = vin1 | vin2;
  wire [CUBE-1:0] reserved = bad == 0 ? NONE : ~upto(blocked);
  wire [CUBE-1:0] inside = unsafe ? both & bad : NONE;
  wire [CUBE-1:0] leave = unsafe ? both & ~bad : NONE;
  wire [CUBE-1:0] enter = unsafe ? NONE : both & bad;
  wire [CUBE-1:0] first = unsafe ? NONE : vin1 & ~bad;
  // the last hop may take the channel of a detour, too; the subfunction has VIN1 for it, and nothing comes behind it
  wire [CUBE-1:0] detour = unsafe || last ? NONE : vin2 & ~bad & reserved;

  // ---- what it brings with it
  (* anyseq *)wire injected, held_leave, held_first, held_detour;
  (* anyseq *)wire [CUBE-1:0] m, d;
  wire settled = started_q && !stale && !see_restart && (&(up[CUBE-1:0] | bad)) && see_left != 0;
  always @* begin
    comes_once: assume ({31'd0, injected} + held_leave + held_first + held_detour <= 1);
    first_below: assume (!held_first || (one(m) && (see_left & upto(m)) == 0));
    detour_below: assume (!held_detour || (one(m) && one(d) && m < d && (see_left & upto(d) & ~m) == 0));
    unsafe_source: assume (!settled || !unsafe || injected);
    good_destination: assume (!settled || !last || (up[CUBE-1:0] & see_left) != 0);
    unsafe_has_safe_neighbour: assume (!settled || !unsafe || !(&bad));
  end

  // ---- left: what would be needed behind channel i
  integer i;
  reg keeps_first_all, keeps_detour_all;
  reg [CUBE-1:0] after, hop;
  always @* begin
    keeps_first_all = 1'b1;
    keeps_detour_all = 1'b1;
    for (i = 0; i < CUBE; i = i + 1) begin
      hop = NONE;
      hop[i] = 1'b1;
      after = see_left ^ hop;
      if (first[i] && (after & upto(hop)) != 0) keeps_first_all = 1'b0;
      if (detour[i] && (after & upto(hop) & ~blocked) != 0) keeps_detour_all = 1'b0;
    end
  end

  always @*
    if (settled) begin
      one_bad_neighbour: assert (unsafe || bad == 0 || one(bad));
      only_working_ports: assert ((cand & ~{V{up}}) == 0);
      not_discarded: assert (!discard);
      connected: assert ((unsafe ? leave | inside : first | detour | enter) != 0);
      into_bad_is_last: assert ((enter | inside) == 0 || last);
      nearer: assert (unsafe || (both & ~see_left) == 0);
      first_first: assert (!held_first || (first & upto(m)) == 0);
      first_detour: assert (!held_first || detour == 0 || (blocked & upto(m)) == 0);
      detour_ends_detour_first: assert (!held_detour || (first & upto(d) & ~m) == 0);
      detour_on_detour_detour:
      assert (!held_detour || detour == 0 || (blocked == m ? (detour & upto(d)) == 0 : (blocked & upto(d)) == 0));
      keeps_first: assert (keeps_first_all);
      keeps_detour: assert (keeps_detour_all);
      cover (held_leave && first != 0);  // every kind of hop is made
      cover (held_leave && detour != 0);
      cover (held_leave && enter != 0);
      cover (held_first && first != 0);
      cover (held_first && detour != 0);
      cover (held_first && enter != 0);
      cover (held_detour && detour != 0 && blocked == m);
      cover (held_detour && first == m);
      cover (held_detour && first != 0 && first != m);
      cover (held_detour && detour != 0 && blocked != m);
      cover (held_detour && enter != 0);
      cover (inside != 0);
      cover ((leave & see_left) != 0);
      cover ((leave & ~see_left) != 0);
    end
endmodule
