// SPDX-License-Identifier: Apache-2.0
// ut_reroute_vector - the re-route vector of a switch, its inactivity timer and what the neighbours report (REROUTE
// section VII.A).
//
// set_i: bits that U-turns set in this cycle.  A bit is cleared by the timer (`timeout` cycles without a U-turn, 0 =
// never) and, with strap `repair`, as soon as the switch behind the port does not report a faulty down link
// (docs/explanation/reroute_vector.md). fault_o (registered) reports to all neighbours whether a down link of this switch is down.
// Twin: csim/switch/reroute_vector.h
`default_nettype none
`include "layout.vh"
`include "assertions.vh"
module ut_reroute_vector #(
    parameter PO   = 8,
    parameter ROOT = 0,  // all ports lead down, and nothing is heard from above
    parameter FAR  = 0  // the switch receives reports of faults two levels up
) (
    input wire           clk_i,
    input wire           rst_i,
    input wire  [  63:0] straps_i,
    input wire  [PO-1:0] link_up_i,
    input wire  [PO-1:0] up_i,          // link_up_i of the last cycle
    input wire  [PO-1:0] fault_i,       // from the link: what the neighbours report
    input wire  [PO-1:0] far_i,
    input wire  [PO-1:0] set_i,
    output wire [PO-1:0] vector_o,
    output wire [PO-1:0] neighbour_o,
    output wire          fault_o,
    output wire          far_o,
    output wire          stale_o,       // vector or neighbours' states changed in the last cycle
    output wire          busy_o         // the timer runs
);
  localparam K = PO / 2;
  wire [15:0] timeout = straps_i[`UT_LEVEL_STRAP_TIMEOUT_LSB+:`UT_LEVEL_STRAP_TIMEOUT_WIDTH];
  wire repair = straps_i[`UT_LEVEL_STRAP_REPAIR_LSB];

  reg [K-1:0] vector_q  /*verilator public_flat_rd*/;
  reg [K-1:0] neighbour_q  /*verilator public_flat_rd*/;
  reg [15:0] timer_q  /*verilator public_flat_rd*/;
  reg fault_q  /*verilator public_flat_rd*/;
  reg stale_q  /*verilator public_flat_rd*/;

  wire [K-1:0] set = set_i[PO-1:K];
  wire running = |vector_q & |timeout;
  wire expired = running & ~|set & timer_q + 16'd1 == timeout;
  wire [K-1:0] live = link_up_i[PO-1:K] & up_i[PO-1:K] & {K{ROOT == 0}};
  wire [K-1:0] neighbour_d;
  wire [K-1:0] vector_d = ((expired ? {K{1'b0}} : vector_q) | set) & (neighbour_q | {K{~repair}});

  always @(posedge clk_i)
    if (rst_i) begin
      vector_q <= {K{1'b0}};
      neighbour_q <= {K{1'b0}};
      timer_q <= 16'd0;
      fault_q <= 1'b0;
      stale_q <= 1'b0;
    end else begin
      vector_q <= vector_d;
      neighbour_q <= neighbour_d;
      timer_q <= |set | ~running | expired ? 16'd0 : timer_q + 16'd1;
      fault_q <= ~&(link_up_i | {{K{ROOT == 0}}, {K{1'b0}}});
      stale_q <= vector_d != vector_q | (repair & neighbour_d != neighbour_q);
    end

  generate
    if (FAR != 0) begin : g_far
      // A U-turn over two tiers is caused by a fault two levels up; at a leaf switch also by one below the switch behind the
      // port.
      reg  far_q  /*verilator public_flat_rd*/;
      wire leaf = straps_i[`UT_LEVEL_STRAP_LEVEL_LSB+:`UT_LEVEL_STRAP_LEVEL_WIDTH] == 0;
      always @(posedge clk_i) far_q <= |(fault_i[PO-1:K] & live) & ~rst_i;
      assign neighbour_d = (far_i[PO-1:K] | (fault_i[PO-1:K] & {K{leaf}})) & live;
      assign far_o = far_q;
    end else begin : g_far
      assign neighbour_d = fault_i[PO-1:K] & live;
      assign far_o = 1'b0;
    end
  endgenerate

  assign vector_o = {vector_q, {K{1'b0}}};
  assign neighbour_o = {neighbour_q, {K{1'b0}}};
  assign fault_o = fault_q;
  assign stale_o = stale_q;
  assign busy_o = running | stale_q;

  // verilator lint_off UNUSEDSIGNAL
  // U-turns turn up, so only the up ports have bits, only they listen to their neighbours.
  wire unused = &{1'b0, straps_i, set_i, up_i, fault_i, far_i};
  // verilator lint_on UNUSEDSIGNAL

  // ---- assertions
  // A timer beyond its end would count through all its sixteen bits.
  `UT_ASSERT(timer_in_time, ~|timeout || timer_q < timeout)
endmodule
`default_nettype wire
