// SPDX-License-Identifier: Apache-2.0
// input_vc - proof of ut_input_vc: its buffer never overflows, credits are never given twice, and the flits of a packet leave
// in order, whole, through one output VC.
//
// Assumed of the neighbour, and proven of it by `output_unit`: it sends only with a credit, packet by packet, and under
// virtual cut-through keeps a credit for the rest of a packet that has begun.  Assumed of the switch: it routes, grants and
// pops only what asks (`vc_allocator`, `switch_allocator`).  Links go down at any time, candidates become stale at any time.
// see count = u_vc.u_fifo.count_q
// see rd = u_vc.u_fifo.rd_q
// see wr = u_vc.u_fifo.wr_q
// see kind[i*2+1:i*2] = u_vc.u_fifo.tag_q[i][1:0] for i < DEPTH
// see pending_credits = u_vc.pending_credits_q
// see open = u_vc.open_q
// see state = u_vc.state_q
// see cand = u_vc.cand_q
// see cut = u_vc.g_cut.cut_q for i < WORMHOLE
// see cross = u_vc.g_cross.cross_q for i < XBAR_CYCLES
`include "layout.vh"
`include "route_answer.vh"
module input_vc #(
    parameter DEPTH = 4,
    parameter WORMHOLE = 0,
    parameter ROUTE_CYCLES = 0,
    parameter ALLOC_CYCLES = 1,
    parameter XBAR_CYCLES = 0
) (
    input clk_i
);
  localparam PO = 2;
  localparam V = 2;
  localparam O = V * PO;
  localparam W = 64;
  localparam CW = $clog2(DEPTH + 1);
  localparam AW = DEPTH > 1 ? $clog2(DEPTH) : 1;
  localparam [31:0] FULL = DEPTH;
  reg started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;
  wire rst_i = ~started_q;

  (* anyseq *)wire up, push, routed, discard, grant, pop, stale;
  (* anyseq *)wire [1:0] push_kind;
  (* anyseq *)wire [O-1:0] answer_cand, choice, sendable;
  (* anyseq *)wire [PO-1:0] out_up;
  wire [`UT_ANSWER_BITS(V, PO)-1:0] answer;
  assign answer = {{`UT_ANSWER_BITS(V, PO) - O{1'b0}}, answer_cand} | {{`UT_ANSWER_BITS(V, PO) - 1{1'b0}}, discard} << ((3 * V + 1) * PO + 25);
  wire credit, want, bid, request, leave, verdict, busy, error;
  wire [W-1:0] front, data;
  wire [O-1:0] cand, bubble, preferred;
  wire rank;
  wire [PO-1:0] target, way;
  wire [V+2:0] tag;
  wire [CW-1:0] see_count, see_pending_credits;
  wire [AW-1:0] see_rd, see_wr;
  wire [2*DEPTH-1:0] see_kind;
  wire see_open, see_cut, see_cross;
  wire cross = XBAR_CYCLES != 0 && see_cross;  // the front flit has won
  wire cut = WORMHOLE != 0 && see_cut;  // a bad tail is due that found the buffer full
  wire [2:0] see_state;
  wire [O-1:0] see_cand;
  ut_input_vc #(
      .PO(PO),
      .V(V),
      .DEPTH(DEPTH),
      .W(W),
      .WORMHOLE(WORMHOLE),
      .ROUTE_CYCLES(ROUTE_CYCLES),
      .ALLOC_CYCLES(ALLOC_CYCLES),
      .XBAR_CYCLES(XBAR_CYCLES)
  ) u_vc (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .local_i(1'b0),
      .up_i(up),
      .push_i(push),
      .push_kind_i(push_kind),
      .push_data_i(64'd0),
      .push_bad_i(1'b0),
      .credit_o(credit),
      .want_o(want),
      .front_o(front),
      .routed_i(routed),
      .ever_i({PO{1'b1}}),
      .answer_i(answer),
      .purge_i(1'b0),
      .stale_link_i(stale),
      .stale_state_i(1'b0),
      .bid_o(bid),
      .cand_o(cand),
      .bubble_o(bubble),
      .preferred_o(preferred),
      .rank_o(rank),
      .grant_i(grant),
      .choice_i(choice),
      .sendable_i(sendable),
      .out_up_i(out_up),
      .request_o(request),
      .target_o(target),
      .leave_o(leave),
      .way_o(way),
      .tag_o(tag),
      .data_o(data),
      .pop_i(pop),
      .discard_o(verdict),
      .busy_o(busy),
      .error_o(error)
  );

  // ---- the neighbour: credits that it has, also those whose flits are on the wire; whether it is in a packet
  reg [CW-1:0] given_q;
  reg open_q;
  always @(posedge clk_i)
    if (rst_i | ~up) begin
      given_q <= {CW{1'b0}};
      open_q  <= 1'b0;
    end else begin
      given_q <= given_q + {{CW - 1{1'b0}}, credit} - {{CW - 1{1'b0}}, push};
      if (push) open_q <= ~push_kind[1];
    end
  always @* begin
    assume (~push | (up & given_q != 0));
    assume (~push | push_kind[0] != open_q);
    assume (~push | WORMHOLE != 0 | push_kind[1] | given_q > 1);  // one is left for the tail
  end
  // ---- the switch
  always @* begin
    assume (~routed | want);
    assume (discard == (answer_cand == 0));
    assume (~grant | (bid & $onehot(choice) & (choice & ~cand) == 0));
    assume (~pop | request);
    assume ((sendable & ~{V{out_up}}) == 0);  // down_has_no_space of the output units
    // a link of the switch that changes makes candidates stale one cycle later: an output that is down grants nothing
    assume (~grant | |(out_up & (choice[PO-1:0] | choice[2*PO-1:PO])));
  end

  // ---- the packet that leaves: begun, and through which output VC
  reg begun_q;
  reg [PO-1:0] port_q;
  reg [V-1:0] vc_q;
  wire asks = XBAR_CYCLES == 0 ? request : leave;  // the front flit leaves, or wants to
  wire [PO-1:0] port = XBAR_CYCLES == 0 ? target : way;
  always @(posedge clk_i)
    if (rst_i) begun_q <= 1'b0;
    else begin
      if (leave) begun_q <= ~tag[1];
      else if (see_state != `UT_VC_STATE_ACTIVE) begun_q <= 1'b0;  // the rest is drained: its output link went down
      if (leave) begin
        port_q <= way;
        vc_q   <= tag[3+:V];
      end
    end

  // ---- what lies in the buffer: a head comes behind each tail, and nowhere else
  wire [2*DEPTH-1:0] line;  // from the front
  wire [DEPTH-1:0] follows;
  genvar s;
  generate
    for (s = 0; s < DEPTH; s = s + 1) begin : g_slot
      reg [1:0] here;
      integer j;
      always @* begin
        here = 2'd0;
        for (j = 0; j < DEPTH; j = j + 1) if (j == see_rd + s || j + DEPTH == see_rd + s) here = see_kind[2*j+:2];
      end
      assign line[2*s+:2] = here;
      if (s == 0) begin : g_pair
        assign follows[s] = 1'b1;
      end else begin : g_pair
        assign follows[s] = see_count <= s || line[2*s] == line[2*s-1];
      end
    end
  endgenerate
  wire [1:0] front_kind = line[1:0];
  reg [1:0] last_kind;
  integer k;
  always @* begin
    last_kind = 2'd0;
    for (k = 0; k < DEPTH; k = k + 1) if (see_count == k + 1) last_kind = line[2*k+:2];
  end
  wire some = see_count != 0;
  wire idle = see_state == `UT_VC_STATE_IDLE, active = see_state == `UT_VC_STATE_ACTIVE, drain = see_state == `UT_VC_STATE_DRAIN;
  wire waits = see_state == `UT_VC_STATE_ROUTING || see_state == `UT_VC_STATE_WAITING;

  wire [V-1:0] owned_vc = {|see_cand[2*PO-1:PO], |see_cand[PO-1:0]};

  always @*
    if (started_q) begin
      no_error: assert (~error);
      never_too_full: assert (see_count <= FULL[CW-1:0]);
      none_given_twice: assert (~up | given_q + credit + see_pending_credits + see_count == FULL);
      whole_packets: assert (~asks | tag[0] == ~begun_q);
      one_way: assert (~(asks & begun_q) | (port == port_q && tag[3+:V] == vc_q));
      asked_once: assert (~(request & cross) | (see_count > 1 && ~front_kind[1]));
      // what makes the induction close
      pointers: assert (see_rd < FULL && see_wr < FULL && (see_rd + see_count == see_wr || see_rd + see_count == see_wr + FULL));
      pending_credits_fit: assert (see_pending_credits + see_count <= FULL);
      heads_behind_tails: assert (&follows);
      open_known: assert (~some || see_open == ~last_kind[1]);
      same_packet: assert (~up | cut | see_open == open_q);
      cut_known: assert (~cut | (see_open & ~open_q & ~credit & given_q == 0));
      room_for_tail: assert (WORMHOLE != 0 || ~up || ~open_q || given_q != 0);
      room_for_bad_tail: assert (WORMHOLE != 0 || ~see_open || see_count != FULL[CW-1:0]);
      state_known: assert (idle | active | drain | waits);
      idle_front: assert (~idle || (some ? front_kind[0] : ~see_open));
      waiting_front: assert (~waits || (some && front_kind[0] && see_cand != 0));
      active_front: assert (~active || (some ? front_kind[0] != begun_q : begun_q && see_open));
      drain_front: assert (~drain || some || see_open);
      begun_active: assert (~begun_q || active || drain);
      way_known: assert (~(active & begun_q) || (see_cand[PO-1:0] | see_cand[2*PO-1:PO]) == port_q && owned_vc == vc_q);
      one_output: assert (~active || $onehot(see_cand));
      crosses: assert (~cross | (active & some));
      cover (begun_q && see_count == FULL[CW-1:0]);
    end
endmodule
