// SPDX-License-Identifier: Apache-2.0
// switch_tb - a whole switch, leaf of a 2-ary 2-tree with three VCs, and what it says about itself.  Its neighbours break
// the protocol, which the assertions would not let them do: they are not in this bench.
// in: reset, input links up, output links up, valid, vc (2 bits a port), kind (2), destination (8), credits (op, ovc).
// out: error_o; errors of input VCs, of output VCs, of input ports; valid with vc and with the credits of input VCs;
// discard_o with idle_o.
`undef UT_ASSERTIONS
`include "layout.vh"
module switch_tb #(
    parameter S   = 1,
    parameter IN  = 8,
    parameter OUT = 6
) (
    input                 clk_i,
    input  [ S*IN*32-1:0] in_i,
    output [S*OUT*32-1:0] out_o
);
  localparam P = 4;
  localparam V = 3;
  wire [P*64-1:0] data;
  wire [P*V-1:0] in_error, out_error;
  wire [P-1:0] port_error;
  genvar p, v;
  generate
    for (p = 0; p < P; p = p + 1) begin : g_port
      assign data[p*64+:64] = {56'd0, in_i[6*32+p*8+:8]} << `UT_HEADER_DST_LSB;
      assign port_error[p] = u_dut.g_in[p].error;
      for (v = 0; v < V; v = v + 1) begin : g_vc
        assign in_error[p*V+v]  = u_dut.g_in[p].u_input.g_vc[v].error;
        assign out_error[p*V+v] = u_dut.g_out[p].u_output.g_vc[v].error;
      end
    end
  endgenerate
  wire [P-1:0] valid;
  wire [2*P-1:0] vc;
  wire [P*V-1:0] space;
  wire [P-1:0] discard;
  wire idle, error;
  ut_switch #(
      .PI(P),
      .PO(P),
      .V(V),
      .DEPTH(4),
      .MAX_PACKET(2),
      .ALGORITHM(0)
  ) u_dut (
      .clk_i(clk_i),
      .rst_i(in_i[0]),
      .straps_i(64'd1 << `UT_LEVEL_STRAP_STEP_LSB),
      .config_i(64'd0),
      .in_up_i(in_i[1*32+:P]),
      .in_valid_i(in_i[3*32+:P]),
      .in_vc_i(in_i[4*32+:2*P]),
      .in_kind_i(in_i[5*32+:2*P]),
      .in_bad_i({P{1'b0}}),
      .in_data_i(data),
      .in_credit_o(space),
      .out_up_i(in_i[2*32+:P]),
      .out_valid_o(valid),
      .out_vc_o(vc),
      .out_kind_o(),
      .out_bad_o(),
      .out_data_o(),
      .out_credit_i(in_i[7*32+:P*V]),
      .report_i({P{1'b0}}),
      .report_o(),
      .discard_o(discard),
      .idle_o(idle),
      .error_o(error)
  );
  assign out_o = {27'd0, idle, discard, 8'd0, space, vc, valid, 28'd0, port_error, 20'd0, out_error, 20'd0, in_error, 31'd0, error};
endmodule
