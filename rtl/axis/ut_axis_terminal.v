// SPDX-License-Identifier: Apache-2.0
// ut_axis_terminal - a terminal with AXI4-Stream on one side and the link to its switch on the other, both ways:
// ut_axis_source, ut_axis_sink.  Ports to_* go to an input port of the switch, from_* come from the output port of the
// same number; from_credit_o goes to its out_credit_i, to_credit_i comes from its in_credit_o.
// Twin: csim/network/terminal_cycle.h
`default_nettype none
module ut_axis_terminal #(
    parameter V = 1,  // as those of the switch
    parameter DEPTH = 4,
    parameter W = 64,
    parameter MAX_PACKET = 2,
    parameter SWITCHING = 0,
    parameter VW = V > 1 ? $clog2(V) : 1
) (
    input  wire          clk_i,
    input  wire          rst_i,
    input  wire [  15:0] terminal_i,
    input  wire          link_up_i,
    // frames to send
    input  wire          s_axis_tvalid,
    output wire          s_axis_tready,
    input  wire [ W-1:0] s_axis_tdata,
    input  wire          s_axis_tlast,
    input  wire [  15:0] s_axis_tdest,
    // received frames
    output wire          m_axis_tvalid,
    input  wire          m_axis_tready,
    output wire [ W-1:0] m_axis_tdata,
    output wire          m_axis_tlast,
    output wire [  15:0] m_axis_tid,
    output wire          m_axis_tuser,
    // link
    output wire          to_valid_o,
    output wire [VW-1:0] to_vc_o,
    output wire [   1:0] to_kind_o,
    output wire          to_bad_o,
    output wire [ W-1:0] to_data_o,
    input  wire [ V-1:0] to_credit_i,
    input  wire          from_valid_i,
    input  wire [VW-1:0] from_vc_i,
    input  wire [   1:0] from_kind_i,
    input  wire          from_bad_i,
    input  wire [ W-1:0] from_data_i,
    output wire [ V-1:0] from_credit_o,
    output wire          error_o
);
  ut_axis_source #(
      .V(V),
      .DEPTH(DEPTH),
      .W(W),
      .MAX_PACKET(MAX_PACKET),
      .SWITCHING(SWITCHING)
  ) u_source (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .terminal_i(terminal_i),
      .s_axis_tvalid(s_axis_tvalid),
      .s_axis_tready(s_axis_tready),
      .s_axis_tdata(s_axis_tdata),
      .s_axis_tlast(s_axis_tlast),
      .s_axis_tdest(s_axis_tdest),
      .link_up_i(link_up_i),
      .valid_o(to_valid_o),
      .vc_o(to_vc_o),
      .kind_o(to_kind_o),
      .bad_o(to_bad_o),
      .data_o(to_data_o),
      .credit_i(to_credit_i)
  );
  ut_axis_sink #(
      .V(V),
      .DEPTH(DEPTH),
      .W(W)
  ) u_sink (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .link_up_i(link_up_i),
      .valid_i(from_valid_i),
      .vc_i(from_vc_i),
      .kind_i(from_kind_i),
      .bad_i(from_bad_i),
      .data_i(from_data_i),
      .credit_o(from_credit_o),
      .m_axis_tvalid(m_axis_tvalid),
      .m_axis_tready(m_axis_tready),
      .m_axis_tdata(m_axis_tdata),
      .m_axis_tlast(m_axis_tlast),
      .m_axis_tid(m_axis_tid),
      .m_axis_tuser(m_axis_tuser),
      .error_o(error_o)
  );
endmodule
`default_nettype wire
