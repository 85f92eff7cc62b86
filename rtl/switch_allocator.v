// switch_allocator - separable, input first, round-robin: who crosses the crossbar in this cycle.
//
// With one VC the owner of the output VC crosses, and there is no arbiter.
// XBAR 0: one crossbar input per port; the port first picks one of its VCs (its pointer moves only if that one also
// wins its output), then each output port grants one input port.  XBAR 1: one crossbar input per input VC, outputs
// grant directly. NX = crossbar inputs: PI, or V*PI with index (ivc, ip).
// Twin: csim/switch/switch_allocator.h
module switch_allocator #(
    parameter PI = 8,
    parameter PO = 8,
    parameter V = 1,
    parameter XBAR = 0,
    parameter NX = XBAR != 0 ? V * PI : PI
) (
    input                clk_i,
    input                rst_i,
    input  [   V*PI-1:0] request_i,
    input  [V*PI*PO-1:0] target_i,   // one-hot output port of each input VC
    output [   V*PI-1:0] pop_o,      // winners
    output [   V*PI-1:0] pick_o,     // XBAR 0: the VC that stands for its port, won or not
    output [  PO*NX-1:0] select_o,   // crossbar setting: one-hot crossbar input of each output port
    output [     PO-1:0] valid_o     // output ports that get a flit
);
  wire [NX*PO-1:0] target;  // of the crossbar inputs; 0 without a request
  wire [NX-1:0] won;

  genvar i, o, v;
  generate
    if (XBAR != 0 || V == 1) begin : g_first
      assign pick_o = request_i;
      assign pop_o  = V == 1 ? request_i : won;
      for (i = 0; i < NX; i = i + 1) begin : g_in
        assign target[i*PO+:PO] = target_i[i*PO+:PO] & {PO{request_i[i]}};
      end
    end else begin : g_first
      for (i = 0; i < PI; i = i + 1) begin : g_in
        wire [V-1:0] req, gnt;
        for (v = 0; v < V; v = v + 1) begin : g_vc
          assign req[v] = request_i[v*PI+i];
          assign pick_o[v*PI+i] = gnt[v];
          assign pop_o[v*PI+i] = gnt[v] & won[i];
          wire [PO-1:0] ports;
          if (v == 0) begin : g_or
            assign ports = target_i[(v*PI+i)*PO+:PO] & {PO{gnt[v]}};
          end else begin : g_or
            assign ports = g_vc[v-1].ports | (target_i[(v*PI+i)*PO+:PO] & {PO{gnt[v]}});
          end
        end
        assign target[i*PO+:PO] = g_vc[V-1].ports;
        rr_arbiter #(
            .N(V)
        ) u_arbiter (
            .clk_i(clk_i),
            .rst_i(rst_i),
            .req_i(req),
            .advance_i(won[i]),
            .gnt_o(gnt)
        );
      end
    end

    for (o = 0; o < PO; o = o + 1) begin : g_out
      wire [NX-1:0] req, all;
      for (i = 0; i < NX; i = i + 1) begin : g_req
        assign req[i] = target[i*PO+o];
      end
      if (V == 1) begin : g_owner  // one packet owns the only output VC: nobody else asks
        assign select_o[o*NX+:NX] = req;
      end else begin : g_owner
        rr_arbiter #(
            .N(NX)
        ) u_arbiter (
            .clk_i(clk_i),
            .rst_i(rst_i),
            .req_i(req),
            .advance_i(1'b1),
            .gnt_o(select_o[o*NX+:NX])
        );
      end
      assign valid_o[o] = |req;
      if (o == 0) begin : g_all
        assign all = select_o[o*NX+:NX];
      end else begin : g_all
        assign all = select_o[o*NX+:NX] | g_out[o-1].all;
      end
    end
  endgenerate
  assign won = g_out[PO-1].all;
  generate
    if (V == 1) begin : g_unused
      // verilator lint_off UNUSEDSIGNAL
      wire unused = &{1'b0, clk_i, rst_i, won};  // nothing to arbitrate, so no state
      // verilator lint_on UNUSEDSIGNAL
    end
  endgenerate
endmodule
