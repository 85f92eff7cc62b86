// SPDX-License-Identifier: Apache-2.0
// ut_forwarding_tables - the forwarding table of a switch: (bank of the input port, input VC, destination) -> {valid, VC, port},
// or, with GROUPS, (bank of the input port, destination) -> a next-hop group, a set of output ports, of which group 0 is empty.
//
// One memory serves the switch: one write port, a read port for the route unit of each input port.  The manager tells the
// bank of each input port, one bit: in trees it is 1 where packets come from above.  A word of config_i writes one entry, or
// one bank (rtl/header.tsv); it is read from the next cycle on.  Candidate sets of waiting packets stay as they are.
// Writing goes on while the switch is in reset: a reset leaves entries and banks alone.
// Twin: csim/switch/switch.h, ut_switch_configure
`default_nettype none
`include "layout.vh"
`include "route_answer.vh"
module ut_forwarding_tables #(
    parameter PI = 8,
    parameter PO = 8,
    parameter V = 1,
    parameter DESTINATIONS = 16,
    parameter GROUPS = 0,
    parameter EW = `UT_ENTRY_BITS(V, PO, 1, GROUPS)
) (
    input wire              clk_i,
    input wire  [     63:0] config_i,
    input wire  [ PI*V-1:0] vc_i,      // over (ip, ivc), one-hot in each port
    input wire  [PI*16-1:0] dst_i,
    output wire [PI*EW-1:0] entry_o    // {valid, VC, port}, or the ports of the group
);
  localparam PW = $clog2(PO);
  localparam TW = GROUPS != 0 ? $clog2(GROUPS) : EW;  // bits in memory
  localparam ROWS = GROUPS != 0 ? 1 : V;  // of destinations, in each bank
  localparam WORDS = 2 * ROWS * DESTINATIONS;
  localparam AW = $clog2(WORDS);
  localparam [31:0] ROW = DESTINATIONS, BANK = ROWS * DESTINATIONS;

  reg [TW-1:0] table_q[0:WORDS-1]  /*verilator public_flat_rd*/;  // over (bank, ivc, destination)
  reg [PI-1:0] bank_q  /*verilator public_flat_rd*/;

  // ---- writing
  wire [`UT_CONFIG_KIND_WIDTH-1:0] kind = config_i[`UT_CONFIG_KIND_LSB+:`UT_CONFIG_KIND_WIDTH];
  wire write = config_i[`UT_CONFIG_WRITE_LSB] & kind == `UT_CONFIG_KIND_ENTRY;
  wire [31:0] address = {16'd0, config_i[`UT_CONFIG_DST_LSB+:16]} +
      (GROUPS != 0 ? 32'd0 : ROW * {29'd0, config_i[`UT_CONFIG_IN_VC_LSB+:`UT_CONFIG_IN_VC_WIDTH]}) +
      (config_i[`UT_CONFIG_BANK_LSB] ? BANK : 32'd0);
  wire [TW-1:0] entry_d;
  always @(posedge clk_i) if (write) table_q[address[AW-1:0]] <= entry_d;

  wire [PI-1:0] named = {{PI - 1{1'b0}}, 1'b1} << config_i[`UT_CONFIG_PORT_LSB+:`UT_CONFIG_PORT_WIDTH];
  wire tell = config_i[`UT_CONFIG_WRITE_LSB] & kind == `UT_CONFIG_KIND_BANK;
  always @(posedge clk_i)
    if (tell) bank_q <= (bank_q & ~named) | (named & {PI{config_i[`UT_CONFIG_BANK_LSB]}});

  // ---- reading
  wire [32*V-1:0] rows;  // where the entries of each VC begin
  wire [PI*TW-1:0] found;
  genvar v, i;
  generate
    if (GROUPS != 0) begin : g_entry
      localparam [31:0] LIMIT = GROUPS;
      reg [PO-1:0] group_q[0:GROUPS-1]  /*verilator public_flat_rd*/;
      assign entry_d = config_i[`UT_CONFIG_GROUP_LSB+:TW];
      wire [31:0] number = {24'd0, config_i[`UT_HOP_GROUP_NUMBER_LSB+:`UT_HOP_GROUP_NUMBER_WIDTH]};
      wire [31:0] ports = config_i[`UT_HOP_GROUP_PORTS_LSB+:`UT_HOP_GROUP_PORTS_WIDTH];
      wire half = config_i[`UT_HOP_GROUP_HALF_LSB];
      wire [63:0] group_d = half ? {ports, 32'd0} : {32'd0, ports}, mask = half ? {~32'd0, 32'd0} : {32'd0, ~32'd0};
      always @(posedge clk_i)
        if (config_i[`UT_CONFIG_WRITE_LSB] & kind == `UT_CONFIG_KIND_GROUP & number < LIMIT)
          group_q[number[TW-1:0]] <= (group_q[number[TW-1:0]] & ~mask[PO-1:0]) | group_d[PO-1:0];
      for (i = 0; i < PI; i = i + 1) begin : g_port
        wire [TW-1:0] id = found[i*TW+:TW];
        assign entry_o[i*EW+:EW] = {{32 - TW{1'b0}}, id} < LIMIT ? group_q[id] : {EW{1'b0}};
      end
      // verilator lint_off UNUSEDSIGNAL
      wire unused = &{1'b0, group_d, mask, number};  // as wide as any switch needs
      // verilator lint_on UNUSEDSIGNAL
    end else begin : g_entry
      assign entry_d[PW-1:0] = config_i[`UT_CONFIG_PORT_LSB+:PW];
      assign entry_d[EW-1]   = config_i[`UT_CONFIG_VALID_LSB];
      if (V > 1) begin : g_vc
        assign entry_d[EW-2:PW] = config_i[`UT_CONFIG_VC_LSB+:EW-1-PW];
      end
      assign entry_o = found;
    end
    for (v = 0; v < V; v = v + 1) begin : g_row
      assign rows[32*v+:32] = GROUPS != 0 ? 0 : v * DESTINATIONS;
    end
    for (i = 0; i < PI; i = i + 1) begin : g_read
      wire [31:0] row;  // of the VC
      ut_one_hot_mux #(
          .N(V),
          .W(32)
      ) u_row (
          .rows_i(rows),
          .select_i(vc_i[i*V+:V]),
          .row_o(row)
      );
      wire [31:0] place = {16'd0, dst_i[i*16+:16]} + row + (bank_q[i] ? BANK : 32'd0);
      assign found[i*TW+:TW] = table_q[place[AW-1:0]];
      // verilator lint_off UNUSEDSIGNAL
      wire unused = &{1'b0, place};  // as wide as any table needs
      // verilator lint_on UNUSEDSIGNAL
    end
  endgenerate

  // verilator lint_off UNUSEDSIGNAL
  wire unused = &{1'b0, config_i, address};  // words have more bits than any one switch needs
  // verilator lint_on UNUSEDSIGNAL
endmodule
`default_nettype wire
