// vc_select - the selection function of one waiting VC: from its candidates one output VC.
//
// Of the candidates that are free and have room (those in bubble_i: room for two packets): the preferred class if any
// of it is left, then those with most credits, then the first port by the rotating priority mask_i, then the lowest
// VC. Matrices run over (ovc, op).  credits_i is bit-sliced: bit b of every output VC's credit count stands in slice
// b.
// Twin: csim/switch/vc_allocator.h, ut_vc_select
module vc_select #(
    parameter PO = 8,
    parameter V  = 1,
    parameter CW = 3
) (
    input  [   V*PO-1:0] cand_i,
    input  [   V*PO-1:0] bubble_i,
    input  [   V*PO-1:0] preferred_i,
    input  [   V*PO-1:0] room_i,       // free, link up, room for one packet
    input  [   V*PO-1:0] room2_i,      // the same, room for two packets
    input  [CW*V*PO-1:0] credits_i,
    input  [     PO-1:0] mask_i,
    output               any_o,
    output [   V*PO-1:0] choice_o      // one-hot if any_o
);
  wire [V*PO-1:0] fit = cand_i & room_i & (room2_i | ~bubble_i);
  wire [V*PO-1:0] liked = fit & preferred_i;
  assign any_o = |fit;

  genvar b, v;
  generate
    for (b = 0; b <= CW; b = b + 1) begin : g_credit
      wire [V*PO-1:0] best;
      if (b == 0) begin : g_first
        assign best = |liked ? liked : fit;
      end else begin : g_first
        wire [V*PO-1:0] more = g_credit[b-1].best & credits_i[(CW-b)*V*PO+:V*PO];
        assign best = |more ? more : g_credit[b-1].best;
      end
    end
    for (v = 0; v < V; v = v + 1) begin : g_vc
      wire [PO-1:0] here = g_credit[CW].best[v*PO+:PO];
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
  wire [PO-1:0] first = ports & mask_i;
  wire [PO-1:0] from = |first ? first : ports;
  wire [PO-1:0] port = from & (~from + {{PO - 1{1'b0}}, 1'b1});
endmodule
