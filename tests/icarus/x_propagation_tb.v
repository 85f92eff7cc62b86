// SPDX-License-Identifier: Apache-2.0
// x_propagation_tb - one switch from an unknown state through reset and traffic: nothing that anybody looks at is unknown.
//
// Every register starts as X.  From the first clock edge in reset on, all outputs must be known: valid flits in every bit, the
// data of the others need not be; and all control registers, which check.vh names (x_propagation_slow.sh writes it).  Neighbours
// keep the protocol: credits, packets, links that go down and come back, and a second reset amid the traffic.
`include "layout.vh"
module x_propagation_tb;
  parameter PI = 8, PO = 8, V = 1, DEPTH = 4, W = 64, MAX_PACKET = 2, MIN_PACKET = MAX_PACKET, SWITCHING = 0;
  parameter ROUTE = 0, ALGORITHM = 2, ROUTE_CYCLES = 0, ALLOC_CYCLES = 1, XBAR_CYCLES = 0, XBAR = 0;
  parameter RADIX = 0, PARALLEL = 0, CUBE = 0;
  parameter REPORTS = 1;  // bits of a report, RW of ut_switch
  parameter SIZE0 = 0, SIZE1 = 0, SIZE2 = 0, SIZE3 = 0, ESCAPES = 1, DETERMINISTIC = 0, MISROUTE = 0, DESTINATIONS = 0;
  parameter CYCLES = 400;
  localparam VW = V > 1 ? $clog2(V) : 1;
  localparam TORUS = SIZE0 > 0;
  localparam NODES = (SIZE0 > 0 ? SIZE0 : 1) * (SIZE1 > 0 ? SIZE1 : 1) * (SIZE2 > 0 ? SIZE2 : 1) * (SIZE3 > 0 ? SIZE3 : 1);
  localparam DIMENSIONS = (SIZE0 > 0 ? 1 : 0) + (SIZE1 > 0 ? 1 : 0) + (SIZE2 > 0 ? 1 : 0) + (SIZE3 > 0 ? 1 : 0);
  localparam K = PO / 2;
  localparam TERMINALS = DESTINATIONS > 0 ? DESTINATIONS : TORUS ? NODES * (PO - 2 * DIMENSIONS) :
      CUBE > 0 ? (PO - CUBE) << CUBE : 4 * K * K;
  // the first level of RUFT; a fat tree's switch above the leaves, the first of its level, whose bits hold while a neighbour reports a fault
  localparam [63:0] STRAPS = TORUS || CUBE > 0 ? 64'd0 : RADIX > 0 ? 64'd1 << `UT_RUFT_STRAP_FIRST_LSB : 64'd1 << `UT_LEVEL_STRAP_LEVEL_LSB | K << `UT_LEVEL_STRAP_STEP_LSB |
      64'd40 << `UT_LEVEL_STRAP_TIMEOUT_LSB | 64'd1 << `UT_LEVEL_STRAP_REPAIR_LSB;

  reg clk = 0, rst;
  reg [63:0] straps, configuration;
  reg [PI-1:0] up, in_valid, in_bad;
  reg [PI*VW-1:0] in_vc;
  reg [PI*2-1:0] in_kind;
  reg [PI*W-1:0] in_data;
  reg [PO*V-1:0] out_credit;
  reg [REPORTS*PO-1:0] report;
  wire [PI*V-1:0] in_credit;
  wire [PO-1:0] out_valid, out_bad;
  wire [PO*VW-1:0] out_vc;
  wire [PO*2-1:0] out_kind;
  wire [PO*W-1:0] out_data;
  wire [REPORTS-1:0] report_o;
  wire idle, error;
  wire [PI-1:0] discard;

  ut_switch #(
      .PI(PI), .PO(PO), .V(V), .DEPTH(DEPTH), .W(W), .MAX_PACKET(MAX_PACKET), .MIN_PACKET(MIN_PACKET),
      .SWITCHING(SWITCHING), .ROUTE(ROUTE), .ALGORITHM(ALGORITHM), .ROUTE_CYCLES(ROUTE_CYCLES),
      .ALLOC_CYCLES(ALLOC_CYCLES), .XBAR_CYCLES(XBAR_CYCLES), .XBAR(XBAR), .SIZE0(SIZE0), .SIZE1(SIZE1), .SIZE2(SIZE2), .SIZE3(SIZE3),
      .ESCAPES(ESCAPES), .DETERMINISTIC(DETERMINISTIC), .MISROUTE(MISROUTE),
      .RADIX(RADIX), .PARALLEL(PARALLEL), .DESTINATIONS(DESTINATIONS), .CUBE(CUBE)
  ) dut (
      .clk_i(clk), .rst_i(rst), .straps_i(straps), .config_i(configuration),
      .in_up_i(up), .in_valid_i(in_valid), .in_vc_i(in_vc), .in_kind_i(in_kind), .in_bad_i(in_bad), .in_data_i(in_data),
      .in_credit_o(in_credit),
      .out_up_i(up), .out_valid_o(out_valid), .out_vc_o(out_vc), .out_kind_o(out_kind), .out_bad_o(out_bad),
      .out_data_o(out_data), .out_credit_i(out_credit),
      .report_i(report), .report_o(report_o),
      .discard_o(discard), .idle_o(idle), .error_o(error)
  );

  integer seed = 1, cycle = 0, flits = 0, in_reset = 0, fault = -1, p, v, w, bit_;
  integer credits[0:PI*V-1], pending[0:PO*V-1], left[0:PI-1], headers[0:PI-1], vc[0:PI-1];
  reg head[0:PI-1];
  reg [PI-1:0] up_q;
  reg [VW-1:0] from_vc;

  task fail(input [8*64-1:0] what);
    begin
      $display("FAILED: cycle %0d: %0s is unknown", cycle, what);
      $finish;
      $stop;
    end
  endtask

  function [31:0] below(input integer n);
    below = $unsigned($random(seed)) % n;
  endfunction

  // The first header word of a stack names this switch, where it is stripped.
  function [63:0] header(input integer words_behind);
    begin
      header = {$random(seed), $random(seed)};
      header[`UT_HEADER_RT_LSB+:24] = 0;
      header[`UT_HEADER_DST_LSB+:16] = words_behind > 0 ? 0 : below(TERMINALS);
      header[`UT_HEADER_RT_LSB+`UT_RT_PATH_MORE_LSB] = TORUS && words_behind > 0;
    end
  endfunction

  // One cycle of the neighbour at input port p: it sees what the switch does with a cycle's delay, as a switch would.
  task send;
    begin
      if (!up_q[p]) begin
        left[p] = 0;
        for (v = 0; v < V; v = v + 1) credits[p*V+v] = 0;
      end else begin
        for (v = 0; v < V; v = v + 1) credits[p*V+v] = credits[p*V+v] + in_credit[p*V+v];
        if (left[p] == 0 && below(2) == 0) begin
          vc[p] = below(V);
          if (credits[p*V+vc[p]] >= (SWITCHING == 0 ? MAX_PACKET : 1)) begin
            headers[p] = ESCAPES > 1 && MIN_PACKET < MAX_PACKET ? below(2) : 0;
            left[p] = MIN_PACKET + below(MAX_PACKET - MIN_PACKET + 1 - headers[p]) + headers[p];
            head[p] = 1;
          end
        end
        if (left[p] > 0 && credits[p*V+vc[p]] > 0 && below(8) != 0) begin
          in_valid[p] <= 1;
          in_vc[p*VW+:VW] <= vc[p];
          in_kind[p*2+:2] <= {left[p] == 1, head[p]};
          in_bad[p] <= 0;
          for (w = 0; w < W / 32; w = w + 1) in_data[p*W+32*w+:32] <= $random(seed);
          if (head[p] || headers[p] > 0) in_data[p*W+:64] <= header(head[p] ? headers[p] : headers[p] - 1);
          if (!head[p] && headers[p] > 0) headers[p] = headers[p] - 1;
          head[p] = 0;
          left[p] = left[p] - 1;
          credits[p*V+vc[p]] = credits[p*V+vc[p]] - 1;
        end
      end
    end
  endtask

  // The same at output port p: room is told when the link comes up, and again for each flit.
  task receive;
    begin
      if (!up_q[p]) for (v = 0; v < V; v = v + 1) pending[p*V+v] = DEPTH;
      else begin
        from_vc = V > 1 ? out_vc[p*VW+:VW] : 0;
        if (out_valid[p] && up[p]) begin
          pending[p*V+from_vc] = pending[p*V+from_vc] + 1;
          flits = flits + 1;
        end
        for (v = 0; v < V; v = v + 1)
          if (pending[p*V+v] > 0 && below(4) != 0) begin
            out_credit[p*V+v] <= 1;
            pending[p*V+v] = pending[p*V+v] - 1;
          end
      end
    end
  endtask

  // Nothing unknown: called before each clock edge, from the first one in reset on.
  task check;
    begin
      if (^in_credit === 1'bx) fail("in_credit_o");
      if (^out_valid === 1'bx) fail("out_valid_o");
      if (^discard === 1'bx) fail("discard_o");
      if (^report_o === 1'bx) fail("report_o");
      if (^idle === 1'bx) fail("idle_o");
      if (error !== 1'b0) fail("error_o, or it has risen, and");
      for (p = 0; p < PO; p = p + 1)
        if (out_valid[p]) begin
          if (^out_kind[p*2+:2] === 1'bx) fail("out_kind_o of a flit");
          if (^out_bad[p] === 1'bx) fail("out_bad_o of a flit");
          if (V > 1 && ^out_vc[p*VW+:VW] === 1'bx) fail("out_vc_o of a flit");
          // the rest of a bad tail is nothing
          if (!out_bad[p] && ^out_data[p*W+:W] === 1'bx) fail("out_data_o of a flit");
        end
`ifdef CHECK
`include "check.vh"
`endif
    end
  endtask

  always #5 clk = ~clk;
  always @(posedge clk) begin
    if (cycle > 0) check;
    cycle <= cycle + 1;
    in_valid <= 0;
    out_credit <= 0;
    configuration <= 0;
    up_q <= up;
    if (cycle % 97 == 0 && PO > 2) begin  // one link fails, another one comes back
      fault = below(3) == 0 ? -1 : below(PO);
      up <= {PO{1'b1}} & ~(fault < 0 ? 0 : 1 << fault);
    end
    if (cycle % 31 == 0) report <= {$random(seed), $random(seed), $random(seed), $random(seed)};
    rst <= cycle < 3 || (cycle > CYCLES / 2 && cycle < CYCLES / 2 + 3);
    if (cycle < 3 || (cycle > CYCLES / 2 && cycle < CYCLES / 2 + 3)) begin
      up <= 0;
      report <= 0;
    end else begin
      if (fault < 0 && up == 0) up <= {PO{1'b1}};
      for (p = 0; p < PI; p = p + 1) send;
      for (p = 0; p < PO; p = p + 1) receive;
    end
    if (DESTINATIONS > 0 && cycle < PI + 2 * DESTINATIONS * V) begin
      configuration[`UT_CONFIG_WRITE_LSB] <= 1;
      configuration[`UT_CONFIG_KIND_LSB] <= cycle < PI ? `UT_CONFIG_KIND_BANK : `UT_CONFIG_KIND_ENTRY;
      configuration[`UT_CONFIG_VALID_LSB] <= 1;
      configuration[`UT_CONFIG_DST_LSB+:16] <= (cycle - PI) % DESTINATIONS;
      configuration[`UT_CONFIG_BANK_LSB] <= cycle < PI ? cycle >= PI / 2 : (cycle - PI) / DESTINATIONS / V;
      configuration[`UT_CONFIG_IN_VC_LSB+:3] <= (cycle - PI) / DESTINATIONS % V;
      configuration[`UT_CONFIG_PORT_LSB+:6] <= cycle < PI ? cycle : below(PO);
    end
    if (cycle == CYCLES) begin
      if (flits < CYCLES / 8) $display("FAILED: only %0d flits have left the switch", flits);
      else $display("passed: %0d cycles, %0d flits", cycle, flits);
      $finish;
    end
  end

  initial begin
`ifndef CHECK
    $dumpfile("names.vcd");
    $dumpvars(0, dut);
    $finish;
`endif
    rst = 1;
    straps = STRAPS;
    configuration = 0;
    up = 0;
    up_q = 0;
    in_valid = 0;
    out_credit = 0;
    report = 0;
    for (p = 0; p < PI; p = p + 1) left[p] = 0;
    for (p = 0; p < PI * V; p = p + 1) credits[p] = 0;
    for (p = 0; p < PO * V; p = p + 1) pending[p] = 0;
  end
endmodule
