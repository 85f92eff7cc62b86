// SPDX-License-Identifier: Apache-2.0
// switch_allocator_tb - the allocator for P = 4, 8 ports, V = 1, 2, 4 VCs, both crossbars; and for 6 ports of which two or
// four go first.
// in: reset, request, rows of target (32).
// out: pop, pick, valid, select (8), masks of the first stage (8) and of the outputs (8).
module switch_allocator_tb #(
    parameter S   = 14,
    parameter IN  = 34,
    parameter OUT = 27
) (
    input                 clk_i,
    input  [ S*IN*32-1:0] in_i,
    output [S*OUT*32-1:0] out_o
);
  genvar s, i, x;
  generate
    for (s = 0; s < S; s = s + 1) begin : g_shape
      localparam integer LOCAL = s < 12 ? 0 : 2 * (s - 11);
      localparam integer P = s < 6 ? 4 : s < 12 ? 8 : 6;
      localparam integer V = LOCAL != 0 ? LOCAL : s % 3 == 0 ? 1 : s % 3 == 1 ? 2 : 4;
      localparam integer XBAR = LOCAL != 0 ? s - 12 : s / 3 % 2;
      localparam integer NI = V * P;
      localparam integer NX = XBAR != 0 ? NI : P;
      wire [IN*32-1:0] in = in_i[s*IN*32+:IN*32];
      wire [NI*P-1:0] target;
      wire [NI-1:0] request, pop, pick;  // rows of the bench run over (ivc, ip), those of the allocator over (ip, ivc)
      wire [P*NX-1:0] select;
      wire [P-1:0] valid;
      ut_switch_allocator #(
          .PI(P),
          .PO(P),
          .V(V),
          .XBAR(XBAR),
          .LOCAL(LOCAL)
      ) u_dut (
          .clk_i(clk_i),
          .rst_i(in[0]),
          .request_i(request),
          .rank_i({NI{1'b0}}),  // round-robin
          .target_i(target),
          .pop_o(pop),
          .pick_o(pick),
          .select_o(select),
          .valid_o(valid)
      );
      assign out_o[(s*OUT+2)*32+:32] = valid;
      for (i = 0; i < 32; i = i + 1) begin : g_row
        localparam ME = (i % P) * V + i / P;
        if (i < NI) begin : g_used
          assign request[ME] = in[1*32+i];
          assign target[ME*P+:P] = in[(2+i)*32+:P];
          assign out_o[(s*OUT+0)*32+i] = pop[ME];
          assign out_o[(s*OUT+1)*32+i] = pick[ME];
        end else begin : g_used
          assign out_o[(s*OUT+0)*32+i] = 1'b0;
          assign out_o[(s*OUT+1)*32+i] = 1'b0;
        end
      end
      for (i = 0; i < 8; i = i + 1) begin : g_port
        if (i < P) begin : g_used
          for (x = 0; x < 32; x = x + 1) begin : g_select
            if (x < NX) begin : g_used
              assign out_o[(s*OUT+3+i)*32+x] = select[i*NX+(x%P)*(NX/P)+x/P];
            end else begin : g_used
              assign out_o[(s*OUT+3+i)*32+x] = 1'b0;
            end
          end
        end else begin : g_used
          assign out_o[(s*OUT+3+i)*32+:32] = 32'd0;
        end
        if (i < P && V > 1) begin : g_mask
          assign out_o[(s*OUT+19+i)*32+:32] = u_dut.g_out[i].g_owner.u_arbiter.g_mask.mask;
        end else begin : g_mask
          assign out_o[(s*OUT+19+i)*32+:32] = 32'd0;
        end
        if (i < P && V > 1 && XBAR == 0) begin : g_first
          assign out_o[(s*OUT+11+i)*32+:32] = u_dut.g_first.g_in[i].u_arbiter.g_mask.mask;
        end else begin : g_first
          assign out_o[(s*OUT+11+i)*32+:32] = 32'd0;
        end
      end
    end
  endgenerate
endmodule
