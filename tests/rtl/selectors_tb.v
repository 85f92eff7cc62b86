// SPDX-License-Identifier: Apache-2.0
// selectors_tb - the small modules without state: N lines or rows; rows of C items of I bits; the crossbar has N inputs
// and C outputs.
// in: set, mask, select, settings of the crossbar (8), rows (12).
// out: lines_from, rr_select, or_reduce, one_hot_mux, transpose (8), crossbar (8).
module selectors_tb #(
    parameter S   = 12,
    parameter IN  = 23,
    parameter OUT = 20
) (
    input                 clk_i,
    input  [ S*IN*32-1:0] in_i,
    output [S*OUT*32-1:0] out_o
);
  // one digit a shape, that of shape 0 last
  localparam [12*4-1:0] LINES = 48'h6_c_c_8_8_5_4_3_3_2_1_1;
  localparam [12*4-1:0] ITEMS = 48'h5_1_8_2_8_3_4_8_1_4_3_1;
  localparam [12*4-1:0] BITS = 48'h5_1_2_4_1_3_8_4_5_1_2_1;
  genvar s, n, c;
  generate
    for (s = 0; s < S; s = s + 1) begin : g_shape
      localparam integer N = LINES[4*s+:4];
      localparam integer C = ITEMS[4*s+:4];
      localparam integer I = BITS[4*s+:4];
      localparam integer W = C * I;
      wire [IN*32-1:0] in = in_i[s*IN*32+:IN*32];
      wire [N*W-1:0] rows, columns;
      wire [C*N-1:0] settings;
      wire [C*W-1:0] crossed;
      wire [N-1:0] from, first;
      wire [W-1:0] either, row;
      ut_lines_from #(
          .N(N)
      ) u_lines_from (
          .set_i(in[0+:N]),
          .from_o(from)
      );
      ut_rr_select #(
          .N(N)
      ) u_rr_select (
          .set_i(in[0+:N]),
          .mask_i(in[32+:N]),
          .first_o(first)
      );
      ut_or_reduce #(
          .N(N),
          .W(W)
      ) u_or_reduce (
          .rows_i(rows),
          .or_o(either)
      );
      ut_one_hot_mux #(
          .N(N),
          .W(W)
      ) u_one_hot_mux (
          .rows_i(rows),
          .select_i(in[2*32+:N]),
          .row_o(row)
      );
      ut_transpose #(
          .ROWS(N),
          .COLUMNS(C),
          .W(I)
      ) u_transpose (
          .rows_i(rows),
          .columns_o(columns)
      );
      ut_crossbar #(
          .NX(N),
          .PO(C),
          .W(W)
      ) u_crossbar (
          .data_i(rows),
          .select_i(settings),
          .data_o(crossed)
      );
      assign out_o[(s*OUT+0)*32+:32] = from;
      assign out_o[(s*OUT+1)*32+:32] = first;
      assign out_o[(s*OUT+2)*32+:32] = either;
      assign out_o[(s*OUT+3)*32+:32] = row;
      for (n = 0; n < N; n = n + 1) begin : g_row
        assign rows[n*W+:W] = in[(11+n)*32+:W];
      end
      for (c = 0; c < 8; c = c + 1) begin : g_column
        if (c < C) begin : g_used
          assign settings[c*N+:N] = in[(3+c)*32+:N];
          assign out_o[(s*OUT+4+c)*32+:32] = columns[c*N*I+:N*I];
          assign out_o[(s*OUT+12+c)*32+:32] = crossed[c*W+:W];
        end else begin : g_used
          assign out_o[(s*OUT+4+c)*32+:32] = 32'd0;
          assign out_o[(s*OUT+12+c)*32+:32] = 32'd0;
        end
      end
    end
  endgenerate
endmodule
