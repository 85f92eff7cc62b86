// SPDX-License-Identifier: Apache-2.0
// ut_node_states - safe, unsafe and disabled nodes: what a switch knows of itself and of the nodes around it (DETOUR
// section 4, definitions 1, 1' and 2).
//
// A bad node is faulty, unsafe or disabled.  A link that is down shows that the neighbour is faulty; its report tells the rest:
//   bit 0       the neighbour is bad: unsafe
//   bits 1..    of grids: which neighbours of its own are bad, by port, so that nodes are known across a corner
//   last two    of grids: on the plus and on the minus side of the highest dimension its bad neighbours reach the right
//               border of dimension 0; only meshes have one, for algorithms with column `border` of rtl/algorithms.tsv
//
// Hypercube  a node is unsafe with two or more bad neighbours.
// Grid       a node is unsafe if in some plane the bad ones of the eight nodes around it lie on no common edge of the
//            square.  An unsafe node with fewer than two safe neighbours in some plane is disabled, as if it were faulty.
// States only get worse.  When a node has come back, the manager has them computed anew: restart, resume.  Reports are registered first, so
// news travels one node in two cycles.  Fields of node_o: node_states.vh.
// Twin: csim/switch/node_states.h
`default_nettype none
`include "algorithms.vh"
`include "layout.vh"
`include "node_states.vh"
module ut_node_states #(
    parameter PO = 5,
    parameter RW = 7,      // bits of a report: 1 in hypercubes, 3 + 2 * dimensions in grids
    parameter CUBE = 0,    // dimensions of a hypercube; 0: a grid
    parameter ROUTE = `UT_ROUTE_DETOUR_MESH,
    parameter ALGORITHM = `UT_DETOUR_MESH_DETOUR,
    parameter SIZE0 = 4,
    parameter SIZE1 = 4,
    parameter SIZE2 = 0,
    parameter SIZE3 = 0
) (
    input wire                      clk_i,
    input wire                      rst_i,
    input wire  [             63:0] straps_i,
    input wire  [           PO-1:0] link_up_i,
    input wire  [             63:0] config_i,   // orders of the manager, rtl/header.tsv
    input wire  [        RW*PO-1:0] report_i,   // over (bit, port)
    output wire [           RW-1:0] report_o,
    output wire [`UT_NODE_BITS-1:0] node_o,
    output wire                     purge_o,    // heads that were waiting at the last purge are discarded
    output wire                     stale_o     // a state changed in the last cycle
);
  localparam WRAP = ROUTE == `UT_ROUTE_DETOUR_TORUS;  // a torus has no border
  localparam D = (RW - 3) / 2;  // of a grid, otherwise 0
  localparam P = CUBE != 0 ? CUBE : 2 * D;  // ports to other nodes

  wire [P-1:0] exists;  // ports that have a link
  reg [P-1:0] bad_q  /*verilator public_flat_rd*/;
  reg unsafe_q  /*verilator public_flat_rd*/;
  reg stale_q  /*verilator public_flat_rd*/;

  // ---- orders
  reg [15:0] refused_q  /*verilator public_flat_rd*/;
  reg refuses_q  /*verilator public_flat_rd*/;
  reg restart_q  /*verilator public_flat_rd*/;
  reg purge_q  /*verilator public_flat_rd*/;
  wire [2:0] order = config_i[`UT_ORDER_KIND_LSB+:`UT_ORDER_KIND_WIDTH];
  wire refuse = order == `UT_ORDER_KIND_REFUSE;
  wire accept = order == `UT_ORDER_KIND_ACCEPT;
  wire restart = order == `UT_ORDER_KIND_RESTART;
  wire resume = order == `UT_ORDER_KIND_RESUME;
  always @(posedge clk_i)
    if (rst_i) begin
      refused_q <= 16'd0;
      refuses_q <= 1'b0;
      restart_q <= 1'b0;
      purge_q <= 1'b0;
    end else begin
      if (refuse) refused_q <= config_i[`UT_ORDER_DST_LSB+:`UT_ORDER_DST_WIDTH];
      refuses_q <= refuse | (refuses_q & ~accept);
      restart_q <= restart | (restart_q & ~resume);
      purge_q <= order == `UT_ORDER_KIND_PURGE;
    end
  assign purge_o = purge_q;
  assign node_o[`UT_NODE_REFUSES] = refuses_q;
  assign node_o[`UT_NODE_REFUSED_LSB+:16] = refused_q;

  // ---- states
  wire [P-1:0] bad_d = exists & (~link_up_i[P-1:0] | report_i[P-1:0]);
  wire found;  // this node is unsafe, by the present states of its neighbours
  wire unsafe_d = ~restart_q & (unsafe_q | found);
  wire changed;  // one of the registers that only grids have has changed

  always @(posedge clk_i)
    if (rst_i) begin
      bad_q <= {P{1'b0}};
      unsafe_q <= 1'b0;
      stale_q <= 1'b0;
    end else begin
      bad_q <= bad_d;
      unsafe_q <= unsafe_d;
      stale_q <= bad_d != bad_q | unsafe_d != unsafe_q | changed | refuse | accept | restart | resume;
    end

  assign node_o[`UT_NODE_UNSAFE] = unsafe_q;
  assign node_o[`UT_NODE_BAD_LSB+:12] = {{12 - P{1'b0}}, bad_q};
  assign stale_o = stale_q;

  genvar i, j, p, side;
  generate
    if (CUBE != 0) begin : g_rule
      assign exists = {P{1'b1}};
      assign found = |(bad_q & (bad_q - {{P - 1{1'b0}}, 1'b1}));  // two or more
      assign changed = 1'b0;
      assign report_o = unsafe_q;
      assign node_o[`UT_NODE_DIAGONAL_LSB+:24] = 24'd0;
      assign node_o[`UT_NODE_BORDER_LSB+:2] = 2'd0;
      assign node_o[`UT_NODE_CORNER_LSB+:4] = 4'd0;
      assign node_o[`UT_NODE_DISABLED] = 1'b0;
    end else begin : g_rule
      localparam PAIRS = D * (D - 1) / 2;  // pairs of dimensions: planes
      reg [4*PAIRS-1:0] diagonal_q  /*verilator public_flat_rd*/;
      reg disabled_q  /*verilator public_flat_rd*/;
      wire [4*PAIRS-1:0] diagonal_d;
      wire [PAIRS-1:0] unsafe, few;  // by plane
      wire disabled_d = unsafe_q & |few;
      wire [P-1:0] safe = exists & ~bad_q;
      wire [1:0] border;
      wire border_changed;

      ut_grid_links #(
          .WRAP(WRAP),
          .SIZE0(SIZE0),
          .SIZE1(SIZE1),
          .SIZE2(SIZE2),
          .SIZE3(SIZE3)
      ) u_links (
          .straps_i(straps_i),
          .exists_o(exists)
      );

      for (j = 1; j < D; j = j + 1) begin : g_high
        for (i = 0; i < j; i = i + 1) begin : g_low
          localparam PLANE = j * (j - 1) / 2 + i;
          for (side = 0; side < 4; side = side + 1) begin : g_corner  // reported by the node in dimension i, or by the one in j
            localparam LOW = 2 * i + side % 2;
            localparam HIGH = 2 * j + side / 2;
            assign diagonal_d[4*PLANE+side] = (link_up_i[LOW] & report_i[(1+HIGH)*PO+LOW]) |
                (link_up_i[HIGH] & report_i[(1+LOW)*PO+HIGH]);
          end
          // Bad nodes that lie on none of the three places of an edge: +i, -i, +j, -j.
          wire [1:0] low = bad_q[2*i+:2];
          wire [1:0] high = bad_q[2*j+:2];
          wire [3:0] corner = diagonal_q[4*PLANE+:4];
          wire [3:0] outside = {|low | high[0] | |(corner & 4'b0011), |low | high[1] | |(corner & 4'b1100),
              |high | low[0] | |(corner & 4'b0101), |high | low[1] | |(corner & 4'b1010)};
          assign unsafe[PLANE] = &outside;
          wire [3:0] left = {safe[2*j+:2], safe[2*i+:2]};
          assign few[PLANE] = ~|(left & (left - 4'd1));
        end
      end

      // ---- the right border of a mesh: whether the row of bad nodes next to this node reaches it
      if (!`UT_ALG_BORDER(ROUTE, ALGORITHM)) begin : g_border
        assign border = 2'd0;
        assign border_changed = 1'b0;
        assign node_o[`UT_NODE_CORNER_LSB+:4] = 4'd0;
      end else begin : g_border
        localparam [31:0] LAST = SIZE0 - 1;
        reg [1:0] border_q  /*verilator public_flat_rd*/;
        reg [3:0] corner_q  /*verilator public_flat_rd*/;
        wire edge_here = {8'd0, straps_i[7:0]} == LAST[15:0];
        wire [1:0] border_d = bad_q[P-1:P-2] & ({2{edge_here}} | corner_q[1:0]);
        wire [3:0] corner_d;
        for (p = 0; p < 2; p = p + 1) begin : g_neighbour
          for (side = 0; side < 2; side = side + 1) begin : g_side
            assign corner_d[2*p+side] = link_up_i[p] & report_i[(1+P+side)*PO+p];
          end
        end
        always @(posedge clk_i)
          if (rst_i) begin
            border_q <= 2'd0;
            corner_q <= 4'd0;
          end else begin
            border_q <= border_d;
            corner_q <= corner_d;
          end
        assign border = border_q;
        assign border_changed = border_d != border_q | corner_d != corner_q;
        assign node_o[`UT_NODE_CORNER_LSB+:4] = corner_q;
      end

      always @(posedge clk_i)
        if (rst_i) begin
          diagonal_q <= {4 * PAIRS{1'b0}};
          disabled_q <= 1'b0;
        end else begin
          diagonal_q <= diagonal_d;
          disabled_q <= disabled_d;
        end
      assign found = |unsafe;
      assign changed = diagonal_d != diagonal_q | disabled_d != disabled_q | border_changed;
      assign report_o = {border, bad_q, unsafe_q};
      assign node_o[`UT_NODE_DIAGONAL_LSB+:24] = {{24 - 4 * PAIRS{1'b0}}, diagonal_q};
      assign node_o[`UT_NODE_BORDER_LSB+:2] = border;
      assign node_o[`UT_NODE_DISABLED] = disabled_q;
    end
  endgenerate

  // verilator lint_off UNUSEDSIGNAL
  wire unused = &{1'b0, straps_i, config_i, link_up_i, report_i};  // terminals report nothing; a hypercube needs no position
  // verilator lint_on UNUSEDSIGNAL
endmodule
`default_nettype wire
