// SPDX-License-Identifier: Apache-2.0
// ring_entry - proof of ut_route_torus: the only escape channel of a ring that a packet may ask for without the bubble is the one straight
// on, from the same VC.
//
// Node, destination, header, links that are up, arrival port and VC are free: so it holds at every node, with every fault,
// while links fail and come back.  With `ring_any`: rings of any length.
`include "layout.vh"
`include "algorithms.vh"
module ring_entry #(
    parameter V = 2,
    parameter ALGORITHM = 0,
    parameter ESCAPES = 1,
    parameter DETERMINISTIC = 0,
    parameter MISROUTE = 0,
    parameter SIZE0 = 5,
    parameter SIZE1 = 4,
    parameter SIZE2 = 0
) (
    input clk_i
);
  localparam D = (SIZE0 > 0 ? 1 : 0) + (SIZE1 > 0 ? 1 : 0) + (SIZE2 > 0 ? 1 : 0);
  localparam P = 2 * D + 1;  // the last port is that of the terminal
  localparam ADAPTIVE = ALGORITHM == `UT_TORUS_DUATO ? V - ESCAPES : 0;  // VCs before the escape VCs

  (* anyseq *)wire [63:0] header, straps;
  (* anyseq *)wire [P-1:0] in_port, up;
  (* anyseq *)wire [V-1:0] in_vc;
  wire [V*P-1:0] cand, bubble, preferred;
  wire [23:0] rt;
  wire strip, discard;
  ut_route_torus #(
      .PI(P),
      .PO(P),
      .V(V),
      .ALGORITHM(ALGORITHM),
      .ESCAPES(ESCAPES),
      .DETERMINISTIC(DETERMINISTIC),
      .MISROUTE(MISROUTE),
      .SIZE0(SIZE0),
      .SIZE1(SIZE1),
      .SIZE2(SIZE2)
  ) u_route (
      .header_i(header),
      .in_port_i(in_port),
      .in_vc_i(in_vc),
      .straps_i(straps),
      .up_i(up),
      .cand_o(cand),
      .bubble_o(bubble),
      .preferred_o(preferred),
      .rt_o(rt),
      .strip_o(strip),
      .discard_o(discard)
  );

  // one arrival port, one VC
  always @* assume (in_port != 0 & (in_port & (in_port - 1'b1)) == 0 & in_vc != 0 & (in_vc & (in_vc - 1'b1)) == 0);

  wire [V*P-1:0] straight;  // the channel straight on: the same VC, the opposite port
  wire [V-1:0] spared, only_one;
  genvar v, p;
  generate
    for (v = 0; v < V; v = v + 1) begin : g_vc
      for (p = 0; p < P; p = p + 1) begin : g_port
        if (p < 2 * D) begin : g_ring
          assign straight[v*P+p] = in_vc[v] & in_port[p^1];
        end else begin : g_ring
          assign straight[v*P+p] = 1'b0;
        end
      end
      wire [P-1:0] free = cand[v*P+:P] & ~bubble[v*P+:P] & {1'b0, {2 * D{1'b1}}};
      assign spared[v] = v >= ADAPTIVE & |(free & ~straight[v*P+:P]);
      assign only_one[v] = (cand[v*P+:P] & (cand[v*P+:P] - 1'b1)) == 0;
    end
  endgenerate
  always @* begin
    enters_with_bubble: assert (~|spared);
    one_escape: assert (only_one[V-1]);  // a packet waits for one escape channel
    cover (|(cand & straight & ~bubble));
    cover (|(cand & bubble));
  end
endmodule
