// ut_vc_select - the selection function of one waiting VC: from its candidates one output VC.
//
// Of the candidates that are free and have room (those in bubble_i: room for two packets): the preferred class if any
// of it is left, then those with most credits, then the first port by the rotating priority mask_i, then the lowest
// VC. Matrices run over (ovc, op).  "Most credits" is found with LEVELS > 0 from thresholds, all at once (level_i,
// slice n - 1: those of at least the n-th one), else bit by bit (slice_i, slice b: bit b of every count).
// Twin: csim/switch/vc_allocator.h, ut_vc_select
`default_nettype none
module ut_vc_select #(
    parameter PO = 8,
    parameter V  = 1,
    parameter CW = 3,
    parameter LEVELS = 0,
    parameter LW = LEVELS > 0 ? LEVELS : 1
) (
    input wire  [   V*PO-1:0] cand_i,
    input wire  [   V*PO-1:0] bubble_i,
    input wire  [   V*PO-1:0] preferred_i,
    input wire  [   V*PO-1:0] room_i,       // free, link up, room for one packet
    input wire  [   V*PO-1:0] room2_i,      // the same, room for two packets
    input wire  [CW*V*PO-1:0] slice_i,
    input wire  [LW*V*PO-1:0] level_i,
    input wire  [     PO-1:0] mask_i,
    output wire [   V*PO-1:0] choice_o      // one-hot, or 0 if nothing has room
);
  wire [V*PO-1:0] fit = cand_i & room_i & (room2_i | ~bubble_i);
  wire [V*PO-1:0] liked = fit & preferred_i;
  wire [V*PO-1:0] having = |liked ? liked : fit;  // room, of the class that counts
  wire [V*PO-1:0] best;  // with most credits

  genvar b, v;
  generate
    if (LEVELS > 0) begin : g_most
      for (b = LEVELS; b >= 0; b = b - 1) begin : g_level
        wire [V*PO-1:0] reached, most;  // most: of this level or a higher one
        if (b == 0) begin : g_reached
          assign reached = having;
        end else begin : g_reached
          assign reached = having & level_i[(b-1)*V*PO+:V*PO];
        end
        if (b == LEVELS) begin : g_or
          assign most = reached;
        end else begin : g_or
          assign most = g_level[b+1].most | (reached & ~{V * PO{|g_level[b+1].reached}});
        end
      end
      assign best = g_level[0].most;
      // verilator lint_off UNUSEDSIGNAL
      wire unused = &{1'b0, slice_i};
      // verilator lint_on UNUSEDSIGNAL
    end else begin : g_most  // bit by bit
      for (b = 0; b <= CW; b = b + 1) begin : g_bit
        wire [V*PO-1:0] most;
        if (b == 0) begin : g_first
          assign most = having;
        end else begin : g_first
          wire [V*PO-1:0] more = g_bit[b-1].most & slice_i[(CW-b)*V*PO+:V*PO];
          assign most = |more ? more : g_bit[b-1].most;
        end
      end
      assign best = g_bit[CW].most;
      // verilator lint_off UNUSEDSIGNAL
      wire unused = &{1'b0, level_i};
      // verilator lint_on UNUSEDSIGNAL
    end
    for (v = 0; v < V; v = v + 1) begin : g_vc
      wire [PO-1:0] here = best[v*PO+:PO];
      wire [PO-1:0] ports;  // ports of this VC and the lower ones
      if (v == 0) begin : g_or
        assign ports = here;
        assign choice_o[v*PO+:PO] = port & here;
      end else begin : g_or
        assign ports = here | g_vc[v-1].ports;
        assign choice_o[v*PO+:PO] = port & here & ~g_vc[v-1].ports;
      end
    end
  endgenerate
  wire [PO-1:0] ports = g_vc[V-1].ports;
  wire [PO-1:0] port, above;
  ut_first_in_turn #(
      .N(PO)
  ) u_first (
      .set_i(ports),
      .mask_i(mask_i),
      .first_o(port),
      .above_o(above)
  );
  // verilator lint_off UNUSEDSIGNAL
  wire unused = &{1'b0, above};  // the priority moves in vc_allocator, and only on a grant
  // verilator lint_on UNUSEDSIGNAL
endmodule
`default_nettype wire
