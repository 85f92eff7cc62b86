// SPDX-License-Identifier: Apache-2.0
// ut_input_vc - one virtual channel of an input port: its buffer, the state of the packet at its front, its credits.
//
// States (rtl/header.tsv): idle -> [routing ->] waiting -> active -> idle; drain discards the rest of a packet.
//   want_o    the front is a head that needs the route unit (again): idle, or its candidate set has become stale
//   routed_i  the route unit works for this VC in this cycle; its results are valid
//   bid_o     bids for an output VC with cand_o (and the subsets bubble_o, preferred_o); grant_i, choice_i
//             (one-hot over (ovc,op)) answer in the same cycle
//   request_o asks the switch allocator for output port target_o (one-hot); pop_i answers in the same cycle
//   leave_o   the front flit crosses to output port way_o, with the output VC in tag_o: with XBAR_CYCLES 0 in the cycle of
//             pop_i, with 1 in the next one.  A flit that has won is at the front until then, and is requested for no more
// Faults (docs/explanation/faults.md): a packet whose output link has gone down is drained if it had begun to leave, else routed
// again; a packet whose input link goes down in its middle gets a `bad` tail; while the link is down no credit leaves,
// afterwards all free space is advertised anew.
// Header stacks (INTERMEDIATE section 5.2): where the route unit says `strip`, the front header word leaves the buffer as
// soon as the next flit is behind it, and that one becomes the head.  A bad tail in its place ends the packet.
// Twin: csim/switch/input_unit.h
`default_nettype none
`include "layout.vh"
`include "parameters.vh"
`include "route_answer.vh"
`include "assertions.vh"
module ut_input_vc #(
    // rtl/parameters.tsv: begin
    parameter PO = 8,
    parameter V = 1,
    parameter DEPTH = 4,
    parameter W = 64,
    parameter ROUTE_CYCLES = 0,
    parameter ALLOC_CYCLES = 1,
    parameter XBAR_CYCLES = 0,
    parameter ARBITRATION = 0,
    // rtl/parameters.tsv: end
    parameter WORMHOLE = 0,
    parameter VECTOR = 0,        // the routing family has state on which a candidate set can depend
    parameter STATES = 0,        // every candidate set depends on the node states
    parameter REWRITES = 0,
    parameter STRIPS = 0,
    parameter BUBBLE = 0,
    parameter PREFERRED = 0,
    parameter VC = 0,            // the number of this VC
    parameter RW = `UT_ARBITRATION_RANK(ARBITRATION) > 0 ? `UT_ARBITRATION_RANK(ARBITRATION) : 1
) (
    input wire             clk_i,
    input wire             rst_i,
    // link
    input wire             local_i,        // a terminal feeds this port, in a direct network; a constant
    input wire             up_i,           // the input link was up in the last cycle
    input wire             push_i,
    input wire  [     1:0] push_kind_i,
    input wire  [   W-1:0] push_data_i,
    input wire             push_bad_i,
    output wire            credit_o,       // registered
    // route unit
    output wire            want_o,
    output wire [   W-1:0] front_o,
    input wire             routed_i,
    input wire  [  PO-1:0] ever_i,         // output ports to which this input can ever be routed, a constant
    input wire  [`UT_ANSWER_BITS(V, PO)-1:0] answer_i,
    input wire             purge_i,        // heads that were waiting at the last purge and still wait are discarded
    input wire             stale_link_i,   // a link state changed in the last cycle
    input wire             stale_state_i,  // the state of the routing family changed in the last cycle
    // VC allocator
    output wire            bid_o,
    output wire [V*PO-1:0] cand_o,
    output wire [V*PO-1:0] bubble_o,
    output wire [V*PO-1:0] preferred_o,
    output wire [  RW-1:0] rank_o,         // rank of the packet at the front; the highest rank wins
    input wire             grant_i,
    input wire  [V*PO-1:0] choice_i,
    // switch allocator and crossbar
    input wire  [V*PO-1:0] sendable_i,     // output VCs whose link is up and that have a credit for one flit
    input wire  [  PO-1:0] out_up_i,
    output wire            request_o,
    output wire [  PO-1:0] target_o,
    input wire             pop_i,
    output wire            leave_o,
    output wire [  PO-1:0] way_o,          // 0 if nothing leaves
    output wire [   V+2:0] tag_o,          // {output VC, bad, kind}
    output wire [   W-1:0] data_o,
    // observation
    output wire            discard_o,      // the route unit's verdict in this cycle: no route to the destination
    output wire            busy_o,         // the state can change without an event from outside
    output wire            error_o
);
  localparam CW = $clog2(DEPTH + 1);
  localparam [31:0] FULL = DEPTH;
  localparam [31:0] ABOVE = V - 1 - VC;  // VCs with higher numbers
  localparam WAIT = ROUTE_CYCLES > 1 ? ROUTE_CYCLES - 2 : 0;
  localparam [2:0] ROUTED = ROUTE_CYCLES > 1 ? `UT_VC_STATE_ROUTING : `UT_VC_STATE_WAITING;

  reg [2:0] state_q  /*verilator public_flat_rd*/;
  reg [V*PO-1:0] cand_q  /*verilator public_flat_rd*/;  // waiting: the candidate set; active: the output VC, one-hot
  reg open_q  /*verilator public_flat_rd*/;  // a head has arrived, its tail has not
  reg credit_q  /*verilator public_flat_rd*/;
  reg [CW-1:0] pending_credits_q  /*verilator public_flat_rd*/;  // free places that the sender has not been told of

  // ---- the route unit's answer
  wire [V*PO-1:0] cand = answer_i[`UT_ANSWER_CAND(V, PO)];
  wire strip_now = answer_i[`UT_ANSWER_STRIP(V, PO)];
  wire discard = answer_i[`UT_ANSWER_DISCARD(V, PO)];
  wire purged;
  assign discard_o = (routed_i & discard) | purged;

  // ---- buffer
  wire [W-1:0] front;
  wire [2:0] tag;
  wire nonempty;
  wire [CW-1:0] count;
  wire fifo_error, bad_push, cut, dead, drain_pop;
  wire strip;  // the front header word leaves
  wire stripped;  // a header word was stripped: the front flit is the head
  wire [1:0] kind = {tag[1], tag[0] | stripped};
  wire pop = leave_o | drain_pop | strip;
  ut_fifo #(
      .DEPTH(DEPTH),
      .W(W)
  ) u_fifo (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .push_i(push_i | bad_push),
      .data_i(bad_push ? {W{1'b0}} : push_data_i),
      .tag_i(bad_push ? {1'b1, `UT_KIND_TAIL} : {push_bad_i, push_kind_i}),
      .pop_i(pop),
      .data_o(front),
      .tag_o(tag),
      .nonempty_o(nonempty),
      .count_o(count),
      .error_o(fifo_error)
  );
  assign front_o = front;

  // ---- a packet whose input link fails in its middle gets a bad tail.  Under VCT there is space for it (the tail had a credit).
  // A wormhole buffer may be full: then cut_q remembers the tail, and no space is advertised before it is in.
  generate
    if (WORMHOLE != 0) begin : g_cut
      reg cut_q  /*verilator public_flat_rd*/;
      wire due = (~up_i | cut_q) & open_q;
      assign bad_push = due & count != FULL[CW-1:0];
      assign dead = ~up_i | cut_q;
      always @(posedge clk_i)
        if (rst_i) cut_q <= 1'b0;
        else cut_q <= due & ~bad_push;
    end else begin : g_cut
      assign bad_push = ~up_i & open_q;
      assign dead = ~up_i;
      // verilator lint_off UNUSEDSIGNAL
      // The fill level matters to a cut only where the buffer can be full.
      wire unused = |count;
      // verilator lint_on UNUSEDSIGNAL
    end
  endgenerate
  always @(posedge clk_i)
    if (rst_i) open_q <= 1'b0;
    else if (push_i | bad_push) open_q <= ~bad_push & (open_q | push_kind_i[0]) & ~push_kind_i[1];

  // ---- credits
  wire [CW-1:0] free = FULL[CW-1:0] - count - {{CW - 1{1'b0}}, push_i | bad_push};  // if no flit leaves
  wire credit_d = ~dead & (pop | |pending_credits_q);
  assign credit_o = credit_q;
  always @(posedge clk_i)
    if (rst_i) begin
      credit_q <= 1'b0;
      pending_credits_q   <= FULL[CW-1:0];
    end else begin
      credit_q <= credit_d;
      // a pop adds a pending credit and sends one; pop arrives late, so both possible counts are computed before it
      pending_credits_q   <= pop ? (dead ? free + {{CW - 1{1'b0}}, 1'b1} : pending_credits_q) : dead ? free : pending_credits_q - {{CW - 1{1'b0}}, |pending_credits_q};
    end

  // ---- state
  wire idle = state_q == `UT_VC_STATE_IDLE;
  wire routing = state_q == `UT_VC_STATE_ROUTING;
  wire waiting = state_q == `UT_VC_STATE_WAITING;
  wire active = state_q == `UT_VC_STATE_ACTIVE;
  wire drain = state_q == `UT_VC_STATE_DRAIN;

  wire depends;  // the candidate set was computed from the family's state
  wire stale = (routing | waiting) & (stale_link_i | (depends & stale_state_i));
  // The packet was cut behind the header word that was stripped: its bad tail is left over, in an idle VC that is not empty.
  wire stray_tail = stripped & tag[2];
  assign want_o = (idle & nonempty & ~stray_tail) | stale;

  wire bid_now = ROUTE_CYCLES == 0 & routed_i & ~discard & ~strip_now;
  assign bid_o  = (waiting & ~stale & ~purged) | bid_now;
  // The register is not reset and could hold anything; the mask shows synthesis which output ports are impossible.
  wire [V*PO-1:0] kept = cand_q & {V{ever_i}};
  assign cand_o = bid_now ? cand : kept;

  // the output VC that this packet owns
  wire [V*PO-1:0] output_vc = active | ALLOC_CYCLES != 1 ? kept : choice_i;
  wire going = active | grant_i;
  wire [PO-1:0] kept_port;
  wire crossing;  // the front flit has won, and leaves if its link is still up
  wire more;  // a flit of this packet that has not won
  assign cut = active & ~|((XBAR_CYCLES != 0 ? kept_port : target_o) & out_up_i);
  assign request_o = (active & more & |(kept & sendable_i)) | (ALLOC_CYCLES == 1 & grant_i);
  assign drain_pop = (drain & nonempty) | stray_tail;
  wire gone = pop & kind[1];  // the last flit leaves

  ut_arbitration_policy #(
      .ARBITRATION(ARBITRATION),
      .CW(CW),
      .RANK(RW)
  ) u_policy (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .above_i(ABOVE[2:0]),
      .local_i(local_i),
      .nonempty_i(nonempty),
      .count_i(count),
      .gone_i(gone),
      .rank_o(rank_o)
  );

  genvar v;
  generate
    for (v = 0; v < V; v = v + 1) begin : g_ovc
      assign tag_o[3+v] = XBAR_CYCLES != 0 ? |kept[v*PO+:PO] : |output_vc[v*PO+:PO];
    end
  endgenerate
  assign tag_o[2:0] = {tag[2], kind};
  ut_or_reduce #(
      .N(V),
      .W(PO)
  ) u_ports (
      .rows_i(output_vc),
      .or_o(target_o)
  );
  ut_or_reduce #(
      .N(V),
      .W(PO)
  ) u_kept (
      .rows_i(kept),
      .or_o(kept_port)
  );

  // ---- the path through the crossbar
  assign way_o = (XBAR_CYCLES != 0 ? kept_port : target_o) & {PO{leave_o}};
  generate
    if (XBAR_CYCLES != 0) begin : g_cross
      reg cross_q  /*verilator public_flat_rd*/;
      assign crossing = cross_q;
      assign more = crossing ? |(count >> 1) & ~kind[1] : nonempty;
      assign leave_o = crossing & ~cut;
      always @(posedge clk_i) cross_q <= pop_i & ~rst_i;
    end else begin : g_cross
      assign crossing = 1'b0;
      assign more = nonempty;
      assign leave_o = pop_i;
    end
  endgenerate

  wire [1:0] wait_now;
  always @(posedge clk_i) begin
    if (rst_i) begin
      state_q <= `UT_VC_STATE_IDLE;
    end else begin
      case (1'b1)
        drain: if (gone) state_q <= `UT_VC_STATE_IDLE;
        cut: state_q <= nonempty & kind[0] ? `UT_VC_STATE_IDLE : `UT_VC_STATE_DRAIN;
        going: state_q <= gone ? `UT_VC_STATE_IDLE : `UT_VC_STATE_ACTIVE;
        purged: state_q <= `UT_VC_STATE_DRAIN;
        routed_i: state_q <= strip_now ? `UT_VC_STATE_IDLE : discard ? `UT_VC_STATE_DRAIN : ROUTED;
        stale: state_q <= `UT_VC_STATE_IDLE;
        routing: if (wait_now == 2'd0) state_q <= `UT_VC_STATE_WAITING;
        default: ;
      endcase
    end
    if (grant_i) cand_q <= choice_i;
    else if (routed_i) cand_q <= cand;
  end

  // ---- registers that only some elaborations have
  generate
    if (ROUTE_CYCLES > 2) begin : g_wait
      reg [1:0] wait_q  /*verilator public_flat_rd*/;
      assign wait_now = wait_q;
      always @(posedge clk_i)
        if (rst_i) wait_q <= 2'd0;
        else if (routed_i) wait_q <= WAIT[1:0];
        else if (routing & |wait_q) wait_q <= wait_q - 2'd1;
    end else begin : g_wait
      assign wait_now = 2'd0;
    end
    if (VECTOR != 0) begin : g_depends
      reg depends_q  /*verilator public_flat_rd*/;
      assign depends = depends_q;
      always @(posedge clk_i)
        if (rst_i) depends_q <= 1'b0;
        else if (routed_i) depends_q <= answer_i[`UT_ANSWER_USES_STATE(V, PO)];
    end else begin : g_depends
      assign depends = STATES != 0;
    end
    if (STATES != 0) begin : g_purge
      reg old_q  /*verilator public_flat_rd*/;  // the packet has been waiting since the last purge
      assign purged = purge_i & old_q & waiting & ~stale;
      always @(posedge clk_i)
        if (rst_i) old_q <= 1'b0;
        else old_q <= waiting & (purge_i | old_q);
    end else begin : g_purge
      assign purged = 1'b0;
      // verilator lint_off UNUSEDSIGNAL
      wire unused = purge_i;
      // verilator lint_on UNUSEDSIGNAL
    end
    if (BUBBLE != 0) begin : g_bubble
      reg [V*PO-1:0] bubble_q  /*verilator public_flat_rd*/;
      wire [V*PO-1:0] bubble = answer_i[`UT_ANSWER_BUBBLE(V, PO)];
      assign bubble_o = bid_now ? bubble : bubble_q;
      always @(posedge clk_i) if (routed_i) bubble_q <= bubble;
    end else begin : g_bubble
      assign bubble_o = {V * PO{1'b0}};
    end
    if (PREFERRED != 0) begin : g_preferred
      reg [V*PO-1:0] preferred_q  /*verilator public_flat_rd*/;
      wire [V*PO-1:0] preferred = answer_i[`UT_ANSWER_PREFERRED(V, PO)];
      assign preferred_o = bid_now ? preferred : preferred_q;
      always @(posedge clk_i) if (routed_i) preferred_q <= preferred;
    end else begin : g_preferred
      assign preferred_o = {V * PO{1'b0}};
    end
    if (REWRITES != 0) begin : g_rewrite
      // With ALLOC_CYCLES 1 and ROUTE_CYCLES 0 a head can leave in the cycle in which it is routed.
      reg [23:0] rt_q  /*verilator public_flat_rd*/;
      wire [23:0] rt_d = answer_i[`UT_ANSWER_RT(V, PO)];
      wire [23:0] rt = bid_now & XBAR_CYCLES == 0 ? rt_d : rt_q;
      wire [W-1:0] field = {{W - 24{1'b0}}, rt} << `UT_HEADER_RT_LSB;
      wire [W-1:0] hole = {{W - 24{1'b0}}, 24'hffffff} << `UT_HEADER_RT_LSB;
      assign data_o = kind[0] ? (front & ~hole) | field : front;
      always @(posedge clk_i) if (routed_i) rt_q <= rt_d;
    end else begin : g_rewrite
      assign data_o = front;
    end
    if (STRIPS != 0) begin : g_strip
      reg stripped_q  /*verilator public_flat_rd*/;
      assign strip = routed_i & strip_now & |count[CW-1:1];
      assign stripped = stripped_q;
      always @(posedge clk_i)
        if (rst_i) stripped_q <= 1'b0;
        else if (pop) stripped_q <= strip;
    end else begin : g_strip
      assign strip = 1'b0;
      assign stripped = 1'b0;
    end
  endgenerate

  // verilator lint_off UNUSEDSIGNAL
  wire unused = &{1'b0, answer_i, stale_state_i, kept_port, crossing};  // an answer has fields that this algorithm never sets
  // verilator lint_on UNUSEDSIGNAL

  assign busy_o  = nonempty | credit_q | (dead ? open_q : |pending_credits_q);
  // A head must be at the front of an idle VC, and a body flit must never arrive without its head.
  assign error_o = fifo_error | (idle & nonempty & ~kind[0]) | (push_i & open_q == push_kind_i[0]);

  // ---- assertions
  // A grant answers a bid of this cycle.
  `UT_ASSERT(grant_answers_bid, !grant_i || bid_o)
  // The switch allocator serves only requests.
  `UT_ASSERT(pop_answers_request, !pop_i || request_o)
  // The route unit serves only a VC that asks.
  `UT_ASSERT(routed_wants, !routed_i || want_o)
  // A packet that waits without a candidate waits for ever: the route unit must say `discard`.
  `UT_ASSERT(bid_has_candidate, !bid_o || |cand_o)
  // The subsets of the candidates contain nothing else.
  `UT_ASSERT(marks_are_candidates, !bid_o || ((bubble_o | preferred_o) & ~cand_o) == 0)
  // The head of a waiting packet is at the front.
  `UT_ASSERT(head_waits, !(routing || waiting) || (nonempty && kind[0]))
  // An active packet owns one output VC: its flits leave through one port only.
  `UT_ASSERT(one_output_vc, !active || $onehot(cand_q))
  // A flit that crosses exists, and its packet has an output VC.
  `UT_ASSERT(crosses_active, !crossing || (active && nonempty))
  // Only free space is advertised to the sender.
  `UT_ASSERT(pending_credits_are_free, 32'd0 + pending_credits_q + count <= FULL)
endmodule
`default_nettype wire
