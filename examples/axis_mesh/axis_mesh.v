// SPDX-License-Identifier: Apache-2.0
// axis_mesh - SIZE0 x SIZE1 switches as a mesh, with an AXI4-Stream terminal at each: a network on chip to drop into a project.
//
// Terminal x + SIZE0 * y sits at switch (x, y); its number is the tdest of frames to it, and the tid of frames from it.
// Vectors over terminals run [terminal].  Packets go in dimension order: frames from one terminal to another arrive in
// the order in which they were sent.
// link_up_i: links from each switch in direction +x, then +y, over (direction, switch); 1 where there is nothing to
// break.  A frame that a broken link cuts ends with tuser; one whose way is broken is discarded in the network.
// docs/howto/axis.md tells parameters, ports and protocol.  Twin: ./uturn run with examples/axis_mesh/axis_mesh.yaml
`default_nettype none
`include "layout.vh"
`include "algorithms.vh"
module axis_mesh #(
    parameter SIZE0 = 2,
    parameter SIZE1 = 2,
    parameter V = 1,
    parameter DEPTH = 8,
    parameter W = 64,
    parameter MAX_PACKET = 5,  // a header and four beats
    parameter SWITCHING = 0,   // 0 virtual cut-through, 1 wormhole
    parameter N = SIZE0 * SIZE1
) (
    input  wire            clk_i,
    input  wire            rst_i,
    input  wire [ 2*N-1:0] link_up_i,
    input  wire [   N-1:0] s_axis_tvalid,
    output wire [   N-1:0] s_axis_tready,
    input  wire [ N*W-1:0] s_axis_tdata,
    input  wire [   N-1:0] s_axis_tlast,
    input  wire [N*16-1:0] s_axis_tdest,
    output wire [   N-1:0] m_axis_tvalid,
    input  wire [   N-1:0] m_axis_tready,
    output wire [ N*W-1:0] m_axis_tdata,
    output wire [   N-1:0] m_axis_tlast,
    output wire [N*16-1:0] m_axis_tid,
    output wire [   N-1:0] m_axis_tuser,
    output wire [   N-1:0] discard_o,      // this switch has begun to discard a packet: its way is broken
    output wire            error_o
);
  localparam P = 5;  // ports: +x, -x, +y, -y, terminal
  localparam VW = V > 1 ? $clog2(V) : 1;
  localparam FW = 3 + VW + W;  // a flit on a link: bad, kind, VC, data

  // ---- what each port of each switch drives, over (switch, port)
  wire [N*P-1:0] valid;
  // verilator lint_off UNUSEDSIGNAL
  // What ports at the border drive goes nowhere, and what goes to terminals does so inside of a node.
  wire [N*P*FW-1:0] flit;
  wire [N*P*V-1:0] credit;
  // verilator lint_on UNUSEDSIGNAL
  wire [N-1:0] switch_error, terminal_error;
  assign error_o = |switch_error | |terminal_error;

  genvar n, p;
  generate
    for (n = 0; n < N; n = n + 1) begin : g_node
      localparam [31:0] X = n % SIZE0;
      localparam [31:0] Y = n / SIZE0;
      localparam [31:0] NUMBER = n;
      wire [P-1:0] up, in_valid, in_bad, out_valid, out_bad, discard;
      wire [P*VW-1:0] in_vc, out_vc;
      wire [P*2-1:0] in_kind, out_kind;
      wire [P*W-1:0] in_data, out_data;
      wire [P*V-1:0] in_credit, out_credit;

      // ---- links to the neighbours: what they drive at the opposite port
      for (p = 0; p < P - 1; p = p + 1) begin : g_link
        localparam EDGE = p == 0 ? X == SIZE0 - 1 : p == 1 ? X == 0 : p == 2 ? Y == SIZE1 - 1 : Y == 0;
        localparam OTHER = EDGE ? n : p == 0 ? n + 1 : p == 1 ? n - 1 : p == 2 ? n + SIZE0 : n - SIZE0;
        localparam FROM = OTHER * P + (p ^ 1);
        localparam LINK = (p / 2) * N + (p % 2 == 0 ? n : OTHER);
        assign up[p] = EDGE ? 1'b0 : link_up_i[LINK];
        assign in_valid[p] = EDGE ? 1'b0 : valid[FROM];
        assign {in_bad[p], in_kind[p*2+:2], in_vc[p*VW+:VW], in_data[p*W+:W]} = flit[FROM*FW+:FW];
        assign out_credit[p*V+:V] = EDGE ? {V{1'b0}} : credit[FROM*V+:V];
      end
      for (p = 0; p < P; p = p + 1) begin : g_out
        assign valid[n*P+p] = out_valid[p];
        assign flit[(n*P+p)*FW+:FW] = {out_bad[p], out_kind[p*2+:2], out_vc[p*VW+:VW], out_data[p*W+:W]};
        assign credit[(n*P+p)*V+:V] = in_credit[p*V+:V];
      end
      assign up[4] = 1'b1;
      assign discard_o[n] = |discard;

      // verilator lint_off PINCONNECTEMPTY
      ut_switch #(
          .PI(P),
          .PO(P),
          .V(V),
          .DEPTH(DEPTH),
          .W(W),
          .MAX_PACKET(SWITCHING != 0 ? 1 : MAX_PACKET),
          .SWITCHING(SWITCHING),
          .ROUTE(`UT_ROUTE_MESH),
          .ALGORITHM(`UT_MESH_DOR),
          .SIZE0(SIZE0),
          .SIZE1(SIZE1)
      ) u_switch (
          .clk_i(clk_i),
          .rst_i(rst_i),
          .straps_i({48'd0, Y[7:0], X[7:0]}),
          .config_i(64'd0),
          .in_up_i(up),
          .in_valid_i(in_valid),
          .in_vc_i(in_vc),
          .in_kind_i(in_kind),
          .in_bad_i(in_bad),
          .in_data_i(in_data),
          .in_credit_o(in_credit),
          .out_up_i(up),
          .out_valid_o(out_valid),
          .out_vc_o(out_vc),
          .out_kind_o(out_kind),
          .out_bad_o(out_bad),
          .out_data_o(out_data),
          .out_credit_i(out_credit),
          .report_i({P{1'b0}}),
          .report_o(),
          .discard_o(discard),
          .idle_o(),
          .error_o(switch_error[n])
      );
      // verilator lint_on PINCONNECTEMPTY
      ut_axis_terminal #(
          .V(V),
          .DEPTH(DEPTH),
          .W(W),
          .MAX_PACKET(MAX_PACKET),
          .SWITCHING(SWITCHING)
      ) u_terminal (
          .clk_i(clk_i),
          .rst_i(rst_i),
          .terminal_i(NUMBER[15:0]),
          .link_up_i(1'b1),
          .s_axis_tvalid(s_axis_tvalid[n]),
          .s_axis_tready(s_axis_tready[n]),
          .s_axis_tdata(s_axis_tdata[n*W+:W]),
          .s_axis_tlast(s_axis_tlast[n]),
          .s_axis_tdest(s_axis_tdest[n*16+:16]),
          .m_axis_tvalid(m_axis_tvalid[n]),
          .m_axis_tready(m_axis_tready[n]),
          .m_axis_tdata(m_axis_tdata[n*W+:W]),
          .m_axis_tlast(m_axis_tlast[n]),
          .m_axis_tid(m_axis_tid[n*16+:16]),
          .m_axis_tuser(m_axis_tuser[n]),
          .to_valid_o(in_valid[4]),
          .to_vc_o(in_vc[4*VW+:VW]),
          .to_kind_o(in_kind[4*2+:2]),
          .to_bad_o(in_bad[4]),
          .to_data_o(in_data[4*W+:W]),
          .to_credit_i(in_credit[4*V+:V]),
          .from_valid_i(out_valid[4]),
          .from_vc_i(out_vc[4*VW+:VW]),
          .from_kind_i(out_kind[4*2+:2]),
          .from_bad_i(out_bad[4]),
          .from_data_i(out_data[4*W+:W]),
          .from_credit_o(out_credit[4*V+:V]),
          .error_o(terminal_error[n])
      );
    end
  endgenerate
endmodule
`default_nettype wire
