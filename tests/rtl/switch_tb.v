// switch_tb - a whole switch of 4 ports, of a fat tree without U-turns.  Its neighbours break the protocol, which the
// assertions would not let them do: they are not in this bench.
// in: reset, straps (2 words), links up: in, out, valid, kinds, header of all (2 words), credits.
// out: error, discard, idle, valid, credits.
`undef UT_ASSERTIONS
`include "algorithms.vh"
module switch_tb #(
    parameter S   = 1,
    parameter IN  = 10,
    parameter OUT = 5
) (
    input                 clk_i,
    input  [ S*IN*32-1:0] in_i,
    output [S*OUT*32-1:0] out_o
);
  localparam P = 4;
  wire error, idle;
  wire [P-1:0] discard, valid, credit;
  ut_switch #(
      .PI(P),
      .PO(P),
      .ROUTE(`UT_ROUTE_FATTREE),
      .ALGORITHM(`UT_FATTREE_FTA)
  ) u_dut (
      .clk_i(clk_i),
      .rst_i(in_i[0]),
      .straps_i(in_i[32+:64]),
      .config_i(64'd0),
      .in_up_i(in_i[3*32+:P]),
      .in_valid_i(in_i[5*32+:P]),
      .in_vc_i({P{1'b0}}),
      .in_kind_i(in_i[6*32+:2*P]),
      .in_bad_i({P{1'b0}}),
      .in_data_i({P{in_i[7*32+:64]}}),
      .in_credit_o(credit),
      .out_up_i(in_i[4*32+:P]),
      .out_valid_o(valid),
      .out_vc_o(),
      .out_kind_o(),
      .out_bad_o(),
      .out_data_o(),
      .out_credit_i(in_i[9*32+:P]),
      .report_i({P{1'b0}}),
      .report_o(),
      .discard_o(discard),
      .idle_o(idle),
      .error_o(error)
  );
  assign out_o[0*32+:32] = error;
  assign out_o[1*32+:32] = discard;
  assign out_o[2*32+:32] = idle;
  assign out_o[3*32+:32] = valid;
  assign out_o[4*32+:32] = credit;
endmodule
