// SPDX-License-Identifier: Apache-2.0
// ut_forwarding_tables - the forwarding table of a switch: (bank of the input port, input VC, destination) -> {valid, VC, port},
// or, with GROUPS, (bank of the input port, destination) -> a next-hop group, a set of output ports, of which group 0 is empty.
// With a VC map the answer is such a set for each output VC: the map's row, which says which VCs a packet may have at each output
// port.  Row: the layer in the header (rt) for packets that begin, which is where the manager says so of the input port; else the
// packet's VC.  With ESCAPE the answer is such a set, too: a group for the last VC, the escape VC, whose bank only matters to
// packets that are on it already, and one for the others, which packets on the escape VC do not get.
//
// With VIA a packet goes to the intermediate terminal in its header (rt) first, on the first VIA VCs, by the entries of bank 1.
// It begins there with the last row of the map.  Where such an entry has no port, and from its other VCs, it goes to its
// destination; it begins that phase with the row of its layer, wherever it is.  The answer has both phases.
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
    parameter VC_MAP = 0,
    parameter VIA = 0,
    parameter CHOICE = 0,  // 1: a packet that begins may choose whether it goes there (UGAL)
    parameter ESCAPE = 0,
    parameter EW = `UT_ENTRY_BITS(V, PO, 1, GROUPS, VC_MAP + ESCAPE, VIA)
) (
    input wire              clk_i,
    input wire  [     63:0] config_i,
    input wire  [ PI*V-1:0] vc_i,      // over (ip, ivc), one-hot in each port
    input wire  [PI*16-1:0] dst_i,
    input wire  [PI*24-1:0] rt_i,
    output wire [PI*EW-1:0] entry_o    // {valid, VC, port}, or the ports of the group: ut_route_forwarding
);
  localparam PW = $clog2(PO);
  localparam TW = GROUPS != 0 ? $clog2(GROUPS) : EW;  // bits in memory
  localparam ROWS = GROUPS != 0 ? 1 : V;  // of destinations, in each bank
  localparam WORDS = (2 + ESCAPE) * ROWS * DESTINATIONS;
  localparam AW = $clog2(WORDS);
  localparam [31:0] ROW = DESTINATIONS, BANK = ROWS * DESTINATIONS, ADAPTIVE = 2 * DESTINATIONS;

  reg [TW-1:0] table_q[0:WORDS-1]  /*verilator public_flat_rd*/;  // over (bank, ivc, destination)
  reg [PI-1:0] bank_q  /*verilator public_flat_rd*/;

  // ---- writing
  wire [`UT_CONFIG_KIND_WIDTH-1:0] kind = config_i[`UT_CONFIG_KIND_LSB+:`UT_CONFIG_KIND_WIDTH];
  wire write = config_i[`UT_CONFIG_WRITE_LSB] & kind == `UT_CONFIG_KIND_ENTRY;
  wire [31:0] address = {16'd0, config_i[`UT_CONFIG_DST_LSB+:16]} +
      (GROUPS != 0 ? 32'd0 : ROW * {29'd0, config_i[`UT_CONFIG_IN_VC_LSB+:`UT_CONFIG_IN_VC_WIDTH]}) +
      (ESCAPE != 0 && config_i[`UT_CONFIG_IN_VC_LSB] ? ADAPTIVE : config_i[`UT_CONFIG_BANK_LSB] ? BANK : 32'd0);
  wire [TW-1:0] entry_d;
  always @(posedge clk_i) if (write) table_q[address[AW-1:0]] <= entry_d;

  wire [PI-1:0] named = {{PI - 1{1'b0}}, 1'b1} << config_i[`UT_CONFIG_PORT_LSB+:`UT_CONFIG_PORT_WIDTH];
  wire tell = config_i[`UT_CONFIG_WRITE_LSB] & kind == `UT_CONFIG_KIND_BANK;
  always @(posedge clk_i)
    if (tell) bank_q <= (bank_q & ~named) | (named & {PI{config_i[`UT_CONFIG_BANK_LSB]}});

  // ---- reading
  wire [32*V-1:0] rows;  // where the entries of each VC begin
  wire [PI*TW-1:0] found, adaptive;
  wire [PI-1:0] stays;  // on the escape VC
  wire [V*PI*PO-1:0] allowed;  // by the VC map, over (ip, ovc, op)
  wire [V*PI*PO-1:0] allowed_via;  // in the phase to an intermediate terminal
  wire [PI*TW-1:0] found_via;
  wire [PI-1:0] via_there;  // the intermediate terminal exists
  wire [PI-1:0] begins;  // packets begin at the input port
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
        wire [PO-1:0] hops = {{32 - TW{1'b0}}, id} < LIMIT ? group_q[id] : {PO{1'b0}};
        if (VIA != 0) begin : g_vcs
          wire [TW-1:0] id_via = found_via[i*TW+:TW];
          wire [PO-1:0] hops_via = {{32 - TW{1'b0}}, id_via} < LIMIT ? group_q[id_via] : {PO{1'b0}};
          wire way = via_there[i] & (begins[i] | |vc_i[i*V+:VIA]);  // in the first phase
          assign entry_o[i*EW+:EW] = {CHOICE != 0 & begins[i], {V{hops_via & {PO{way}}}} & allowed_via[i*V*PO+:V*PO],
              {V{hops}} & allowed[i*V*PO+:V*PO]};
        end else if (ESCAPE != 0) begin : g_vcs
          wire [TW-1:0] other = adaptive[i*TW+:TW];
          wire [PO-1:0] others = {{32 - TW{1'b0}}, other} < LIMIT && !stays[i] ? group_q[other] : {PO{1'b0}};
          assign entry_o[i*EW+:EW] = {hops, {V - 1{others}}};
          // verilator lint_off UNUSEDSIGNAL
          wire unused = &{1'b0, allowed};
          // verilator lint_on UNUSEDSIGNAL
        end else if (VC_MAP != 0) begin : g_vcs
          assign entry_o[i*EW+:EW] = {V{hops}} & allowed[i*V*PO+:V*PO];
        end else begin : g_vcs
          assign entry_o[i*EW+:EW] = hops;
        end
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
      wire down = bank_q[i] && (ESCAPE == 0 || stays[i]);
      wire [31:0] place = {16'd0, dst_i[i*16+:16]} + row + (down ? BANK : 32'd0);
      assign found[i*TW+:TW] = table_q[place[AW-1:0]];
      if (ESCAPE != 0) begin : g_adaptive
        wire [31:0] other = {16'd0, dst_i[i*16+:16]} + ADAPTIVE;
        assign adaptive[i*TW+:TW] = table_q[other[AW-1:0]];
        // verilator lint_off UNUSEDSIGNAL
        wire unused = &{1'b0, other};
        // verilator lint_on UNUSEDSIGNAL
      end else begin : g_adaptive
        assign adaptive[i*TW+:TW] = {TW{1'b0}};
      end
      // verilator lint_off UNUSEDSIGNAL
      wire unused = &{1'b0, place};  // as wide as any table needs
      // verilator lint_on UNUSEDSIGNAL
      if (VIA != 0) begin : g_via
        wire [31:0] via = {16'd0, rt_i[i*24+`UT_RT_GRAPH_VIA_LSB+:`UT_RT_GRAPH_VIA_WIDTH]};
        wire [31:0] place_via = via + BANK;
        assign found_via[i*TW+:TW] = table_q[place_via[AW-1:0]];
        assign via_there[i] = via < ROW;
        // verilator lint_off UNUSEDSIGNAL
        wire unused_via = &{1'b0, place_via};
        // verilator lint_on UNUSEDSIGNAL
      end else begin : g_via
        assign found_via[i*TW+:TW] = {TW{1'b0}};
        assign via_there[i] = 1'b0;
      end
    end
  endgenerate

  // ---- where packets begin
  generate
    if (VC_MAP != 0 || ESCAPE != 0) begin : g_begins
      reg [PI-1:0] begins_q  /*verilator public_flat_rd*/;
      always @(posedge clk_i)
        if (tell) begins_q <= (begins_q & ~named) | (named & {PI{config_i[`UT_CONFIG_VALID_LSB]}});
      assign begins = begins_q;
    end else begin : g_begins
      assign begins = {PI{1'b0}};
    end
    for (i = 0; i < PI; i = i + 1) begin : g_stays
      assign stays[i] = ESCAPE != 0 & vc_i[i*V+V-1] & ~begins[i];
    end
  endgenerate

  // ---- the VC map
  generate
    if (VC_MAP != 0) begin : g_map
      localparam [31:0] LAYERS = VC_MAP;
      localparam MAP = VC_MAP + V;  // rows: one for each layer, then one for each input VC
      localparam MW = $clog2(MAP);
      localparam [31:0] LIMIT = MAP;
      reg [V*PO-1:0] map_q[0:MAP-1]  /*verilator public_flat_rd*/;  // over (ovc, op)

      wire [31:0] name = {27'd0, config_i[`UT_VC_ROW_ROW_LSB+:`UT_VC_ROW_ROW_WIDTH]};
      wire [31:0] line = name < 32'd16 ? name : LAYERS + name - 32'd16;  // a layer that has no row: none
      wire [31:0] ports = config_i[`UT_VC_ROW_PORTS_LSB+:`UT_VC_ROW_PORTS_WIDTH];
      wire [`UT_VC_ROW_VC_WIDTH-1:0] vc = config_i[`UT_VC_ROW_VC_LSB+:`UT_VC_ROW_VC_WIDTH];
      wire half = config_i[`UT_VC_ROW_HALF_LSB];
      wire [63:0] row_d = half ? {ports, 32'd0} : {32'd0, ports}, mask = half ? {~32'd0, 32'd0} : {32'd0, ~32'd0};
      wire [V*PO-1:0] masks, rows_d;
      for (v = 0; v < V; v = v + 1) begin : g_vc
        localparam [`UT_VC_ROW_VC_WIDTH-1:0] ME = v;
        assign masks[v*PO+:PO]  = mask[PO-1:0] & {PO{vc == ME}};
        assign rows_d[v*PO+:PO] = row_d[PO-1:0];
      end
      always @(posedge clk_i)
        if (config_i[`UT_CONFIG_WRITE_LSB] & kind == `UT_CONFIG_KIND_VCS & line < LIMIT & (name > 32'd15 | name < LAYERS))
          map_q[line[MW-1:0]] <= (map_q[line[MW-1:0]] & ~masks) | (rows_d & masks);

      wire [32*V-1:0] numbers;  // of the rows of input VCs
      for (v = 0; v < V; v = v + 1) begin : g_number
        assign numbers[32*v+:32] = VC_MAP + v;
      end
      for (i = 0; i < PI; i = i + 1) begin : g_port
        wire [31:0] layer = {28'd0, rt_i[i*24+`UT_RT_GRAPH_LAYER_LSB+:`UT_RT_GRAPH_LAYER_WIDTH]};
        wire [31:0] number;
        ut_one_hot_mux #(
            .N(V),
            .W(32)
        ) u_number (
            .rows_i(numbers),
            .select_i(vc_i[i*V+:V]),
            .row_o(number)
        );
        wire starts;  // by the row of its layer
        if (VIA != 0) begin : g_starts
          wire [31:0] place_via = begins[i] ? LAYERS - 32'd1 : number;
          assign starts = begins[i] | |vc_i[i*V+:VIA];
          assign allowed_via[i*V*PO+:V*PO] = map_q[place_via[MW-1:0]];
          // verilator lint_off UNUSEDSIGNAL
          wire unused_via = &{1'b0, place_via};
          // verilator lint_on UNUSEDSIGNAL
        end else begin : g_starts
          assign starts = begins[i];
          assign allowed_via[i*V*PO+:V*PO] = {V * PO{1'b0}};
        end
        wire [31:0] place = starts ? layer : number;
        wire there = ~starts | layer < LAYERS;
        assign allowed[i*V*PO+:V*PO] = there ? map_q[place[MW-1:0]] : {V * PO{1'b0}};
        // verilator lint_off UNUSEDSIGNAL
        wire unused = &{1'b0, place};  // as wide as any map needs
        // verilator lint_on UNUSEDSIGNAL
      end
      // verilator lint_off UNUSEDSIGNAL
      wire unused = &{1'b0, line, row_d, mask, rt_i};  // as wide as any switch needs; rt has other fields
      // verilator lint_on UNUSEDSIGNAL
    end else begin : g_map
      assign allowed = {V * PI * PO{1'b1}};
      assign allowed_via = {V * PI * PO{1'b0}};
      // verilator lint_off UNUSEDSIGNAL
      wire unused = &{1'b0, rt_i, allowed};
      // verilator lint_on UNUSEDSIGNAL
    end
  endgenerate

  // verilator lint_off UNUSEDSIGNAL
  wire unused = &{1'b0, config_i, address, adaptive, stays, found_via, via_there, allowed_via, begins};  // words have more bits than any switch needs
  // verilator lint_on UNUSEDSIGNAL
endmodule
`default_nettype wire
