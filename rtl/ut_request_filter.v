// SPDX-License-Identifier: Apache-2.0
// ut_request_filter - passes the requests of the highest rank; the arbiter behind it serves them in turn.
//
// Ranks run over (line, bit).  From the top bit down, only lines with the bit set are kept, if there are any.  Combinational.
// Twin: spec/request_filter.c
`default_nettype none
module ut_request_filter #(
    parameter N = 8,
    parameter RANK = 0,  // bits of a rank; 0: all ranks are equal, and this module is empty
    parameter RW = RANK > 0 ? RANK : 1
) (
    input wire  [   N-1:0] req_i,
    input wire  [N*RW-1:0] rank_i,
    output wire [   N-1:0] req_o
);
  genvar b;
  generate
    if (RANK == 0) begin : g_all
      assign req_o = req_i;
      // verilator lint_off UNUSEDSIGNAL
      wire unused = &{1'b0, rank_i};
      // verilator lint_on UNUSEDSIGNAL
    end else begin : g_highest
      wire [RW*N-1:0] bits;  // over (bit, line)
      ut_transpose #(
          .ROWS(N),
          .COLUMNS(RW)
      ) u_bits (
          .rows_i(rank_i),
          .columns_o(bits)
      );
      for (b = RANK - 1; b >= 0; b = b - 1) begin : g_bit
        wire [N-1:0] left, high, kept;
        if (b == RANK - 1) begin : g_left
          assign left = req_i;
        end else begin : g_left
          assign left = g_bit[b+1].kept;
        end
        assign high = left & bits[b*N+:N];
        assign kept = |high ? high : left;
      end
      assign req_o = g_bit[0].kept;
    end
  endgenerate
endmodule
`default_nettype wire
