// SPDX-License-Identifier: Apache-2.0
// ut_vc_select - the selection function of one waiting VC: selects one output VC from its candidates.
//
// Of the candidates that are free and have space (those in bubble_i: space for two packets): the preferred class if any of it
// is left, then those with most credits, then the first port by the rotating priority mask_i, then the lowest VC. With EACH
// one VC of each port is selected, independently of the other ports. Matrices run over (ovc, op).
//
// "Most credits" is found from LEVELS thresholds, all at once (amount_i, slice n - 1: those of at least the n-th one), or
// with BITS bit by bit (slice b: bit b of every count).
// Twin: csim/switch/vc_allocator.h, ut_vc_select
`default_nettype none
module ut_vc_select #(
    parameter PO = 8,
    parameter V  = 1,
    parameter LEVELS = 2,
    parameter BITS = 0,
    parameter EACH = 0,  // 1: one VC of each port is selected
    parameter AW = LEVELS > 0 ? LEVELS : BITS > 0 ? BITS : 1
) (
    input wire  [   V*PO-1:0] cand_i,
    input wire  [   V*PO-1:0] bubble_i,
    input wire  [   V*PO-1:0] preferred_i,
    input wire  [   V*PO-1:0] space_i,       // free, link up, space for a packet
    input wire  [   V*PO-1:0] space2_i,      // the same, space for two packets
    // verilator lint_off UNUSEDSIGNAL
    input wire  [AW*V*PO-1:0] amount_i,     // not used if all counts are equal
    // verilator lint_on UNUSEDSIGNAL
    input wire  [     PO-1:0] mask_i,
    output wire [   V*PO-1:0] choice_o      // one-hot; 0 if no candidate has space
);
  // Whether there is any, at all or at each port.
  function [V*PO-1:0] any(input [V*PO-1:0] lines);
    integer n;
    reg [PO-1:0] ports;
    begin
      ports = lines[PO-1:0];
      for (n = 1; n < V; n = n + 1) ports = ports | lines[n*PO+:PO];
      any = EACH != 0 ? {V{ports}} : {V * PO{|lines}};
    end
  endfunction

  wire [V*PO-1:0] fit = cand_i & space_i & (space2_i | ~bubble_i);
  wire [V*PO-1:0] liked = fit & preferred_i;
  wire [V*PO-1:0] having = liked | (fit & ~any(liked));  // candidates of the class that counts, with space
  wire [V*PO-1:0] best;  // those of them with the most credits

  genvar b, v;
  generate
    if (BITS == 0) begin : g_most
      for (b = LEVELS; b >= 0; b = b - 1) begin : g_level
        wire [V*PO-1:0] reached, most;  // most: candidates that reach this level or a higher one
        if (b == 0) begin : g_reached
          assign reached = having;
        end else begin : g_reached
          assign reached = having & amount_i[(b-1)*V*PO+:V*PO];
        end
        if (b == LEVELS) begin : g_or
          assign most = reached;
        end else begin : g_or
          assign most = g_level[b+1].most | (reached & ~any(g_level[b+1].reached));
        end
      end
      assign best = g_level[0].most;
    end else begin : g_most  // bit by bit
      for (b = 0; b <= BITS; b = b + 1) begin : g_bit
        wire [V*PO-1:0] most;
        if (b == 0) begin : g_first
          assign most = having;
        end else begin : g_first
          wire [V*PO-1:0] more = g_bit[b-1].most & amount_i[(BITS-b)*V*PO+:V*PO];
          assign most = more | (g_bit[b-1].most & ~any(more));
        end
      end
      assign best = g_bit[BITS].most;
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

  wire [PO-1:0] port;
  generate
    if (EACH != 0) begin : g_ports
      assign port = {PO{1'b1}};
      // verilator lint_off UNUSEDSIGNAL
      wire unused = &{1'b0, mask_i, g_vc[V-1].ports};
      // verilator lint_on UNUSEDSIGNAL
    end else begin : g_port
      ut_rr_select #(
          .N(PO)
      ) u_first (
          .set_i(g_vc[V-1].ports),
          .mask_i(mask_i),
          .first_o(port)  // vc_allocator moves the priority, and only on a grant
      );
    end
  endgenerate
endmodule
`default_nettype wire
