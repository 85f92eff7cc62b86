// SPDX-License-Identifier: Apache-2.0
// switch_allocator - proof of ut_switch_allocator: who wins has asked and crosses, once; an output gets one flit at a time.
//
// Assumed: a request names one output port; with one VC those of two inputs are different (an output VC has one owner:
// `vc_allocator`, `output_unit`).  The assertions inside the module are proven, too.
`include "parameters.vh"
module switch_allocator #(
    parameter PI = 3,
    parameter PO = 3,
    parameter V = 2,
    parameter XBAR = 0,
    parameter ARBITRATION = 0  // with ranks they are whatever they are
) (
    input clk_i
);
  localparam NI = PI * V;
  localparam RW = `UT_ARBITRATION_RANK(ARBITRATION) > 0 ? `UT_ARBITRATION_RANK(ARBITRATION) : 1;
  localparam NX = (XBAR != 0 ? V : 1) * PI;
  reg started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;
  wire rst_i = ~started_q;
  (* anyseq *)wire [NI-1:0] request;
  (* anyseq *)wire [NI*PO-1:0] target;
  (* anyseq *)wire [NI*RW-1:0] rank;
  wire [NI-1:0] pop, pick;
  wire [PO*NX-1:0] select;
  wire [PO-1:0] valid;
  ut_switch_allocator #(
      .PI(PI),
      .PO(PO),
      .V(V),
      .XBAR(XBAR),
      .LOCAL(0),
      .ARBITRATION(ARBITRATION)
  ) u_allocator (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .request_i(request),
      .rank_i(rank),
      .target_i(target),
      .pop_o(pop),
      .pick_o(pick),
      .select_o(select),
      .valid_o(valid)
  );
  genvar i;
  generate
    for (i = 0; i < NI; i = i + 1) begin : g_in
      always @* assume (~request[i] | $onehot(target[i*PO+:PO]));
    end
  endgenerate
  integer j, k;
  reg [PO-1:0] reached, twice, asked;
  reg crosses_itself;
  always @* begin
    reached = {PO{1'b0}};
    twice = {PO{1'b0}};
    asked = {PO{1'b0}};
    crosses_itself = 1'b1;
    for (j = 0; j < NI; j = j + 1) begin
      if (request[j]) asked = asked | target[j*PO+:PO];
      if (pop[j]) begin
        twice = twice | (reached & target[j*PO+:PO]);
        reached = reached | target[j*PO+:PO];
        for (k = 0; k < PO; k = k + 1)  // its row of the crossbar, at its output and nowhere else
          if (select[k*NX+(XBAR != 0 ? j : j / V)] != target[j*PO+k]) crosses_itself = 1'b0;
      end
    end
    if (V == 1) assume ($countones(asked) == $countones(request));
  end
  always @*
    if (started_q) begin
      winners_asked_for_it: assert ((pop & ~request) == 0);
      one_flit_an_output: assert (twice == 0);
      sent_is_what_won: assert (valid == reached);
      crosses_once: assert (crosses_itself && $countones(select) == $countones(pop));
      some_winner: assert (~|request || |pop);
      cover (&valid);
    end
endmodule
