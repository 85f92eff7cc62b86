// SPDX-License-Identifier: Apache-2.0
// ut_switch - input-queued, credit-based switch with run-time faults.  docs/reference/switch.md, docs/reference/cycle-contract.md.
//
// One elaboration serves every switch of a network: coordinates and sizes arrive on straps_i, sampled during reset.
// A failed switch is held in reset with all its links down.
//   forward link   valid, vc, kind, bad, data; registered by the sender; taken in the cycle in which it is valid
//   backward link  one credit pulse per VC, registered
//   link_up        per port, seen by both ends in the same cycle
//   report         RW bits that this switch reports to all its neighbours, and what they report, over (bit, op): a down
//                  link is down.  What they mean: ut_reroute_vector, ut_node_states
// Vectors over ports run [port]; matrices name their indices from slow to fast: _ivc_ip, _ovc_op.
// Twin: csim/switch/switch.c
`default_nettype none
`include "algorithms.vh"
`include "route_answer.vh"
`include "node_states.vh"
`include "parameters.vh"
`include "assertions.vh"
module ut_switch #(
    // rtl/parameters.tsv: begin
    parameter PI = 8,             // input ports (1..64)
    parameter PO = 8,             // output ports (1..64)
    parameter V = 1,              // virtual channels of each link (1..8)
    parameter DEPTH = 4,          // flits in the buffer of each VC (1..255)
    parameter OUTPUT_DEPTH = 0,   // flits in the queue of each output VC, behind the crossbar; 0: there are none (0..255)
    parameter W = 64,             // bits of a flit (64..512 in steps of 64)
    parameter MAX_PACKET = 2,     // flits of the longest packet, one more for each intermediate node; wormhole: 1 (1..)
    parameter MIN_PACKET = MAX_PACKET,  // flits of the shortest packet; matters to the bubble rule only (1..MAX_PACKET)
    parameter SWITCHING = 0,      // virtual cut-through or wormhole (0 vct, 1 wormhole)
    parameter ROUTE = 0,          // routing family, rtl/algorithms.tsv
    parameter ALGORITHM = 2,      // algorithm within the family, rtl/algorithms.tsv
    parameter ROUTE_CYCLES = 0,   // cycles that routing takes (0..4)
    parameter ALLOC_CYCLES = 1,   // cycles that VC and switch allocation take (1, 2)
    parameter XBAR_CYCLES = 0,    // 1: a register between switch allocation and crossbar (0, 1)
    parameter XBAR = 0,           // a crossbar input for each port, or for each of its VCs (0 port, 1 vc)
    parameter SIZE0 = 0,          // nodes along an axis of a grid, 2 or more; 0: there is no such axis (0..256)
    parameter SIZE1 = 0,          // nodes along an axis of a grid, 2 or more; 0: there is no such axis (0..256)
    parameter SIZE2 = 0,          // nodes along an axis of a grid, 2 or more; 0: there is no such axis (0..256)
    parameter SIZE3 = 0,          // nodes along an axis of a grid, 2 or more; 0: there is no such axis (0..256)
    parameter ESCAPES = 1,        // mechanisms: escape VCs, one more than intermediate nodes (1..4)
    parameter DETERMINISTIC = 0,  // 1: mechanism D: deterministic sub-paths
    parameter MISROUTE = 0,       // 1: mechanism M: hops away from the destination
    parameter RADIX = 0,          // k where digits of destinations are bits, a power of two; else 0 (0..256)
    parameter PARALLEL = 0,       // which of two links side by side, by destination or free space (0 none, 1 static, 2 dynamic)
    parameter DUAL_HOMED = 0,     // 1: terminals have two ejection links, from different switches
    parameter HALF_CROSSBAR = 0,  // 1: each half of the inputs serves half of the digits
    parameter LINKS = 1,          // links of a terminal each way, all to its switch; 1 but in direct networks (1..8)
    parameter DESTINATIONS = 0,   // entries of a forwarding table for one input VC: terminals; 0: no tables (0..65536)
    parameter GROUPS = 0,         // next-hop groups of algorithm forwarding (of the key: 0 is 64) (0..256)
    parameter VC_MAP = 0,         // rows of the VC map for packets that begin, one for each layer; 0: there is no map (0..16)
    parameter VIA = 0,            // VCs, from VC 0 on, of packets on the way to an intermediate terminal; 0: there are none (0..7)
    parameter UGAL = 0,           // planner ugal: credits the minimal way needs (of the key: 0 is half the buffer) (0..255)
    parameter CUBE = 0,           // bits of a node's number in a hypercube; 0: it is none (0..12)
    parameter ROOT = 0,           // 1: all ports lead down: a root of an m-port n-tree
    parameter EXCLUSIONS = 0,     // exclusion intervals of each up port; 0: none (0..16)
    parameter VIN1_VCS = 1,       // VCs of virtual network VIN1, of each of its classes; others are VIN2 (1..7)
    parameter MISROUTE_HOPS = 0,  // misrouted hops of a packet in each dimension, at most; 0: none (0..3)
    parameter LOCAL_FIRST = 0,    // 1: packets of terminals go before others in allocation
    parameter ARBITRATION = 0,    // who goes first among packets (0 round_robin, 1 oldest_first, 2 priority, 3 transit_first)
    parameter SELECTION = 0,      // which of several output VCs a packet bids for (0 credits, 1 rotating, 2 random, 3 output_space)
    // rtl/parameters.tsv: end
    parameter VW = V > 1 ? $clog2(V) : 1,
    parameter AXES = (SIZE0 > 0 ? 1 : 0) + (SIZE1 > 0 ? 1 : 0) + (SIZE2 > 0 ? 1 : 0) + (SIZE3 > 0 ? 1 : 0),
    // bits of a report, as ut_shape_reports in csim/switch/switch.c
    parameter RW = `UT_ALG_STATES(ROUTE, ALGORITHM) == 0 ? 1 + `UT_ALG_FAR(ROUTE, ALGORITHM) : CUBE != 0 ? 1 : 3 + 2 * AXES
) (
    input wire              clk_i,
    input wire              rst_i,
    input wire  [     63:0] straps_i,
    input wire  [     63:0] config_i,      // writes an entry of the forwarding tables, or is an order: rtl/header.tsv
    // input ports
    input wire  [   PI-1:0] in_up_i,
    input wire  [   PI-1:0] in_valid_i,
    input wire  [PI*VW-1:0] in_vc_i,
    input wire  [ PI*2-1:0] in_kind_i,
    input wire  [   PI-1:0] in_bad_i,
    input wire  [ PI*W-1:0] in_data_i,
    output wire [ PI*V-1:0] in_credit_o,
    // output ports
    input wire  [   PO-1:0] out_up_i,
    output wire [   PO-1:0] out_valid_o,
    output wire [PO*VW-1:0] out_vc_o,
    output wire [ PO*2-1:0] out_kind_o,
    output wire [   PO-1:0] out_bad_o,
    output wire [ PO*W-1:0] out_data_o,
    input wire  [ PO*V-1:0] out_credit_i,
    // neighbours' states
    input wire  [RW*PO-1:0] report_i,
    output wire [   RW-1:0] report_o,
    // observation
    output wire [   PI-1:0] discard_o,     // in the last cycle this input port began to discard a packet as unreachable
    output wire             idle_o,        // without an event from outside no state will change
    output wire             error_o        // a rule of the protocol was broken: a fault of this design or of its neighbours
);
  // ---- rules on the parameters: the name of the missing module is the rule
  generate
    // rtl/parameters.tsv: begin
    if (V < 1 || V > 8) ERROR_vcs_must_be_1_to_8 u_rule ();
    if (DEPTH < 1 || DEPTH > 255) ERROR_depth_must_be_1_to_255 u_rule ();
    if (OUTPUT_DEPTH < 0 || OUTPUT_DEPTH > 255) ERROR_output_depth_must_be_0_to_255 u_rule ();
    if (W < 64 || W % 64 != 0) ERROR_flit_bits_must_be_a_multiple_of_64 u_rule ();
    if (MAX_PACKET < 1) ERROR_packet_needs_a_flit u_rule ();
    if (MIN_PACKET < 1 || MIN_PACKET > MAX_PACKET) ERROR_shortest_packet_must_be_1_to_the_longest u_rule ();
    if (ROUTE_CYCLES < 0 || ROUTE_CYCLES > 4) ERROR_route_cycles_must_be_0_to_4 u_rule ();
    if (ALLOC_CYCLES < 1 || ALLOC_CYCLES > 2) ERROR_alloc_cycles_must_be_1_or_2 u_rule ();
    if (XBAR_CYCLES < 0 || XBAR_CYCLES > 1) ERROR_xbar_cycles_must_be_0_or_1 u_rule ();
    if (ESCAPES < 1 || ESCAPES > 4) ERROR_escapes_must_be_1_to_4 u_rule ();
    if (LINKS < 1 || LINKS > 8) ERROR_terminal_links_must_be_1_to_8 u_rule ();
    if (GROUPS < 0 || GROUPS > 256) ERROR_groups_must_be_0_to_256 u_rule ();
    if (VC_MAP < 0 || VC_MAP > 16) ERROR_vc_map_must_be_0_to_16 u_rule ();
    if (VIA < 0 || VIA > 7) ERROR_via_must_be_0_to_7 u_rule ();
    if (UGAL < 0 || UGAL > 255) ERROR_ugal_must_be_0_to_255 u_rule ();
    if (EXCLUSIONS < 0 || EXCLUSIONS > 16) ERROR_exclusions_must_be_0_to_16 u_rule ();
    if (VIN1_VCS < 1 || VIN1_VCS > 7) ERROR_vin1_vcs_must_be_1_to_7 u_rule ();
    if (MISROUTE_HOPS < 0 || MISROUTE_HOPS > 3) ERROR_misroute_hops_must_be_0_to_3 u_rule ();
    // rtl/parameters.tsv: end
    if (SWITCHING == `UT_SWITCHING_VCT && DEPTH < MAX_PACKET) ERROR_vct_needs_buffer_of_one_packet u_rule ();
    if (SWITCHING == `UT_SWITCHING_VCT && OUTPUT_DEPTH > 0 && OUTPUT_DEPTH < MAX_PACKET)
      ERROR_vct_needs_output_queue_of_one_packet u_rule ();
    if (`UT_ALG_BUBBLE(ROUTE, ALGORITHM) && OUTPUT_DEPTH > 0 && OUTPUT_DEPTH < 2 * MAX_PACKET)
      ERROR_bubble_rule_needs_output_queue_of_two_packets u_rule ();
    if (OUTPUT_DEPTH == 0 && `UT_SELECTION_COMPARES(SELECTION) == 2) ERROR_output_space_needs_output_queues u_rule ();
    if (!`UT_ALG_KNOWN(ROUTE, ALGORITHM)) ERROR_unknown_algorithm u_rule ();
    if (V < `UT_ALG_MIN_VCS(ROUTE, ALGORITHM)) ERROR_algorithm_needs_more_vcs u_rule ();
    if (!`UT_ALG_MECHANISMS(ROUTE, ALGORITHM) && (ESCAPES > 1 || DETERMINISTIC != 0 || MISROUTE != 0))
      ERROR_mechanisms_need_an_algorithm_that_obeys_them u_rule ();
    if (`UT_ALG_DATELINE(ROUTE, ALGORITHM) && MISROUTE != 0) ERROR_datelines_do_not_serve_misrouting u_rule ();
    if (V < `UT_ALG_MIN_VCS(ROUTE, ALGORITHM) + (ESCAPES - 1) * (1 + `UT_ALG_DATELINE(ROUTE, ALGORITHM))) ERROR_each_sub_path_needs_an_escape_vc u_rule ();
    if (ESCAPES > 1 && DEPTH < 2) ERROR_stripping_needs_a_buffer_of_two_flits u_rule ();
    if (`UT_ALG_TABLES(ROUTE, ALGORITHM) && (DESTINATIONS < 1 || DESTINATIONS > 65536))
      ERROR_tables_need_1_to_65536_destinations u_rule ();
    if (!`UT_ALG_TABLES(ROUTE, ALGORITHM) && DESTINATIONS != 0) ERROR_destinations_are_for_tables u_rule ();
    if (EXCLUSIONS != 0 && !`UT_ALG_EXCLUSIONS(ROUTE, ALGORITHM)) ERROR_exclusion_intervals_are_for_fta u_rule ();
    if (MISROUTE_HOPS > 0 && !`UT_ALG_MISROUTES(ROUTE, ALGORITHM)) ERROR_misroute_hops_need_an_algorithm_that_misroutes u_rule ();
    if (VIN1_VCS > 1 && `UT_ALG_VIN1(ROUTE, ALGORITHM) == 0) ERROR_vin1_vcs_is_for_two_virtual_networks u_rule ();
    if (V < `UT_ALG_MIN_VCS(ROUTE, ALGORITHM) + (VIN1_VCS - 1) * `UT_ALG_VIN1(ROUTE, ALGORITHM))
      ERROR_vin2_needs_vcs_of_its_own u_rule ();
    if (ARBITRATION >= `UT_ARBITRATION_POLICIES || SELECTION >= `UT_SELECTION_POLICIES) ERROR_unknown_policy u_rule ();
    if (V < `UT_ARBITRATION_VCS(ARBITRATION) || V < `UT_SELECTION_VCS(SELECTION)) ERROR_policy_needs_more_vcs u_rule ();
    if (LOCAL_FIRST != 0 && CUBE == 0 && AXES == 0) ERROR_local_first_is_for_direct_networks u_rule ();
    if (ARBITRATION == `UT_ARBITRATION_TRANSIT_FIRST && CUBE == 0 && AXES == 0)
      ERROR_transit_first_is_for_direct_networks u_rule ();
    if (ARBITRATION == `UT_ARBITRATION_TRANSIT_FIRST && LOCAL_FIRST != 0) ERROR_terminals_are_first_or_last u_rule ();
    // those of the routing families: ut_route_unit and their modules
  endgenerate

  localparam NI = V * PI;
  localparam NO = V * PO;
  localparam XV = XBAR != 0 ? V : 1;  // crossbar inputs of a port
  localparam NX = XV * PI;
  localparam KW = `UT_ARBITRATION_RANK(ARBITRATION) > 0 ? `UT_ARBITRATION_RANK(ARBITRATION) : 1;
  localparam TW = V + 3;  // what crosses beside the data: output VC, bad, kind
  localparam CW = $clog2(DEPTH + 1);
  localparam VECTOR = `UT_ALG_VECTOR(ROUTE, ALGORITHM);
  localparam FAR = `UT_ALG_FAR(ROUTE, ALGORITHM);
  localparam STATES = `UT_ALG_STATES(ROUTE, ALGORITHM);
  localparam ATOMIC = `UT_ALG_ATOMIC(ROUTE, ALGORITHM);
  localparam LOCAL = LOCAL_FIRST != 0 ? PI - CUBE - 2 * AXES : 0;  // in direct networks ports of the network come first

  // Straps are registers: Verilator evaluates logic that depends on a top-level input anew at each clock edge.
  reg [63:0] straps_q;
  always @(posedge clk_i) if (rst_i) straps_q <= straps_i;

  wire [PO-1:0] out_up;  // of the last cycle
  reg stale_link_q  /*verilator public_flat_rd*/;
  always @(posedge clk_i) stale_link_q <= out_up_i != out_up & ~rst_i;

  // ---- state of the routing family
  wire [PO-1:0] vector, neighbour, set;
  wire [`UT_NODE_BITS-1:0] node;
  wire stale_state, state_busy, purge;
  generate
    case (VECTOR + 2 * STATES)  // an else if would get generated names in a netlist
      1: begin : g_state
        wire [1:0] report;
        ut_reroute_vector #(
            .PO(PO),
            .ROOT(ROOT),
            .FAR(FAR)
        ) u_vector (
            .clk_i(clk_i),
            .rst_i(rst_i),
            .straps_i(straps_q),
            .link_up_i(out_up_i),
            .up_i(out_up),
            .fault_i(report_i[PO-1:0]),
            .far_i(report_i[FAR*PO+:PO]),  // without FAR only `fault` is used
            .set_i(set),
            .vector_o(vector),
            .neighbour_o(neighbour),
            .fault_o(report[0]),
            .far_o(report[1]),
            .stale_o(stale_state),
            .busy_o(state_busy)
        );
        assign report_o = report[RW-1:0];
        assign node = {`UT_NODE_BITS{1'b0}};
        assign purge = 1'b0;
        // verilator lint_off UNUSEDSIGNAL
        wire unused = report[1];
        // verilator lint_on UNUSEDSIGNAL
      end
      2: begin : g_state
        ut_node_states #(
            .PO(PO),
            .RW(RW),
            .CUBE(CUBE),
            .ROUTE(ROUTE),
            .ALGORITHM(ALGORITHM),
            .SIZE0(SIZE0),
            .SIZE1(SIZE1),
            .SIZE2(SIZE2),
            .SIZE3(SIZE3)
        ) u_nodes (
            .clk_i(clk_i),
            .rst_i(rst_i),
            .straps_i(straps_q),
            .config_i(config_i),
            .link_up_i(out_up_i),
            .report_i(report_i),
            .report_o(report_o),
            .node_o(node),
            .purge_o(purge),
            .stale_o(stale_state)
        );
        assign vector = {PO{1'b0}};
        assign neighbour = {PO{1'b0}};
        assign state_busy = purge;
        // verilator lint_off UNUSEDSIGNAL
        wire unused = |set;  // this algorithm has no re-route vector
        // verilator lint_on UNUSEDSIGNAL
      end
      default: begin : g_state
        assign vector = {PO{1'b0}};
        assign neighbour = {PO{1'b0}};
        assign report_o = {RW{1'b0}};
        assign node = {`UT_NODE_BITS{1'b0}};
        assign purge = 1'b0;
        assign stale_state = 1'b0;
        assign state_busy = 1'b0;
        // verilator lint_off UNUSEDSIGNAL
        wire unused = &{1'b0, report_i, set};  // this algorithm keeps no state
        // verilator lint_on UNUSEDSIGNAL
      end
    endcase
  endgenerate

  localparam XW = EXCLUSIONS != 0 ? 32 * (PO / 2) * EXCLUSIONS : 1;
  wire [XW-1:0] intervals;  // of the up ports
  generate
    if (EXCLUSIONS != 0) begin : g_exclusions
      ut_exclusions #(
          .PORTS(PO / 2),
          .COUNT(EXCLUSIONS)
      ) u_exclusions (
          .clk_i(clk_i),
          .config_i(config_i),
          .intervals_o(intervals)
      );
    end else begin : g_exclusions
      assign intervals = 1'b0;
    end
  endgenerate

  generate
    if (UGAL != 0 && (VIA == 0 || `UT_SELECTION_COMPARES(SELECTION) == 0)) ERROR_ugal_needs_via_and_compares_credits u_rule ();
    if (UGAL != 0 && UGAL <= MAX_PACKET) ERROR_ugal_is_more_than_a_packet u_rule ();
  endgenerate

  localparam EW = `UT_ENTRY_BITS(V, PO, DESTINATIONS, GROUPS, VC_MAP + `UT_ALG_PREFERRED(ROUTE, ALGORITHM), VIA);
  wire [PI*16-1:0] look_dst;  // destination and VC of the packet that each input port routes
  wire [PI*24-1:0] look_rt;  // its rt field
  wire [NI-1:0] look_vc;
  wire [PI*EW-1:0] entry;
  generate
    if (DESTINATIONS != 0) begin : g_tables
      ut_forwarding_tables #(
          .PI(PI),
          .PO(PO),
          .V(V),
          .DESTINATIONS(DESTINATIONS),
          .GROUPS(GROUPS),
          .VC_MAP(VC_MAP),
          .VIA(VIA),
          .CHOICE(UGAL != 0 ? 1 : 0),
          .ESCAPE(`UT_ALG_PREFERRED(ROUTE, ALGORITHM)),
          .EW(EW)
      ) u_tables (
          .clk_i(clk_i),
          .config_i(config_i),
          .vc_i(look_vc),
          .dst_i(look_dst),
          .rt_i(look_rt),
          .entry_o(entry)
      );
    end else begin : g_tables
      assign entry = {PI * EW{1'b0}};
      // verilator lint_off UNUSEDSIGNAL
      wire unused = &{1'b0, look_dst, look_rt, look_vc, config_i};
      // verilator lint_on UNUSEDSIGNAL
    end
  endgenerate

  // ---- input ports.  Vectors over input VCs run over (ip, ivc), over output VCs (ovc, op)
  wire [NI-1:0] bid, grant, request, pop, pick;
  wire [NI*NO-1:0] cand, bubble, preferred, choice;
  wire [NI*KW-1:0] rank;  // ranks of the packets, over (ip, ivc, bit)
  wire [NI*PO-1:0] target, way;
  wire [NX*TW-1:0] x_tag;
  wire [NX*W-1:0] x_data;
  wire [NO-1:0] space, space2, sendable, taken;
  wire [PI-1:0] discard, in_busy;
  wire [PI*PO-1:0] set_each;

  genvar i, o;
  generate
    for (i = 0; i < PI; i = i + 1) begin : g_in
      localparam [PI-1:0] PORT = {{PI - 1{1'b0}}, 1'b1} << i;
      wire error, any_error;  // a chain instead of a vector: a simulator then evaluates it once in a cycle, at the clock
      ut_input_port #(
          // rtl/parameters.tsv: begin
          .PI(PI),
          .PO(PO),
          .V(V),
          .DEPTH(DEPTH),
          .W(W),
          .SWITCHING(SWITCHING),
          .ROUTE(ROUTE),
          .ALGORITHM(ALGORITHM),
          .ROUTE_CYCLES(ROUTE_CYCLES),
          .ALLOC_CYCLES(ALLOC_CYCLES),
          .XBAR_CYCLES(XBAR_CYCLES),
          .XBAR(XBAR),
          .SIZE0(SIZE0),
          .SIZE1(SIZE1),
          .SIZE2(SIZE2),
          .SIZE3(SIZE3),
          .ESCAPES(ESCAPES),
          .DETERMINISTIC(DETERMINISTIC),
          .MISROUTE(MISROUTE),
          .RADIX(RADIX),
          .PARALLEL(PARALLEL),
          .DUAL_HOMED(DUAL_HOMED),
          .HALF_CROSSBAR(HALF_CROSSBAR),
          .LINKS(LINKS),
          .DESTINATIONS(DESTINATIONS),
          .GROUPS(GROUPS),
          .VC_MAP(VC_MAP),
          .VIA(VIA),
          .CUBE(CUBE),
          .ROOT(ROOT),
          .EXCLUSIONS(EXCLUSIONS),
          .VIN1_VCS(VIN1_VCS),
          .MISROUTE_HOPS(MISROUTE_HOPS),
          .ARBITRATION(ARBITRATION),
          // rtl/parameters.tsv: end
          .VW(VW)
      ) u_input (
          .clk_i(clk_i),
          .rst_i(rst_i),
          .link_up_i(in_up_i[i]),
          .valid_i(in_valid_i[i]),
          .vc_i(in_vc_i[i*VW+:VW]),
          .kind_i(in_kind_i[i*2+:2]),
          .bad_i(in_bad_i[i]),
          .data_i(in_data_i[i*W+:W]),
          .credit_o(in_credit_o[i*V+:V]),
          .port_i(PORT),
          .straps_i(straps_q),
          .dst_o(look_dst[i*16+:16]),
          .rt_o(look_rt[i*24+:24]),
          .routed_ivc_o(look_vc[i*V+:V]),
          .entry_i(entry[i*EW+:EW]),
          .vector_i(vector),
          .neighbour_i(neighbour),
          .node_i(node),
          .intervals_i(intervals),
          .purge_i(purge),
          .stale_link_i(stale_link_q),
          .stale_state_i(stale_state),
          .set_o(set_each[i*PO+:PO]),
          .bid_ivc_o(bid[i*V+:V]),
          .cand_o(cand[i*V*NO+:V*NO]),
          .bubble_o(bubble[i*V*NO+:V*NO]),
          .preferred_o(preferred[i*V*NO+:V*NO]),
          .rank_o(rank[i*V*KW+:V*KW]),
          .grant_ivc_i(grant[i*V+:V]),
          .choice_i(choice[i*V*NO+:V*NO]),
          .sendable_i(sendable),
          .out_up_i(out_up),
          .request_ivc_o(request[i*V+:V]),
          .target_o(target[i*V*PO+:V*PO]),
          .pop_ivc_i(pop[i*V+:V]),
          .pick_ivc_i(pick[i*V+:V]),
          .way_o(way[i*V*PO+:V*PO]),
          .tag_o(x_tag[i*XV*TW+:XV*TW]),
          .data_o(x_data[i*XV*W+:XV*W]),
          .discard_o(discard[i]),
          .busy_o(in_busy[i]),
          .error_o(error)
      );
      if (i == 0) begin : g_error
        assign any_error = error;
      end else begin : g_error
        assign any_error = error | g_in[i-1].any_error;
      end
    end
  endgenerate
  ut_or_reduce #(
      .N(PI),
      .W(PO)
  ) u_set (
      .rows_i(set_each),
      .or_o(set)
  );

  // ---- allocation
  localparam LEAST = ATOMIC != 0 ? DEPTH : SWITCHING != `UT_SWITCHING_VCT ? 1 : MAX_PACKET;
  localparam LAYERS = V < `UT_ALG_LAYERS(ROUTE, ALGORITHM) ? 1 : `UT_ALG_LAYERS(ROUTE, ALGORITHM);
  localparam SEPARATE = (LAYERS - 1) + ESCAPES * (1 + `UT_ALG_DATELINE(ROUTE, ALGORITHM)) - 1 + `UT_ALG_PREFERRED(ROUTE, ALGORITHM);
  localparam ALIKE = `UT_ALG_ALIKE(ROUTE, ALGORITHM) != 0 && VC_MAP == 0 && V > SEPARATE ? V - SEPARATE : 1;
  localparam SINGLE = LINKS == 1 && V <= `UT_ALG_SINGLE(ROUTE, ALGORITHM);
  // The selection finds the most credits by thresholds above the minimum, or bit by bit if there would be too many.  With output
  // queues there are no thresholds: a VC with space has any number of credits.  SPACE: free places of queues instead.
  localparam COMPARES = `UT_SELECTION_COMPARES(SELECTION);
  localparam NOBODY = COMPARES == 0 || (SINGLE != 0 && ALIKE == 1);
  localparam SPACE = COMPARES == 2 ? 1 : 0;
  localparam MORE = NOBODY || OUTPUT_DEPTH > 0 || DEPTH < LEAST ? 0 : DEPTH - LEAST;  // thresholds that are compared
  localparam LEVELS = MORE < 8 - `UT_ALG_BUBBLE(ROUTE, ALGORITHM) ? MORE : 0;
  localparam QUEUE_BITS = NOBODY ? 0 : SPACE != 0 ? $clog2(OUTPUT_DEPTH + 1) : CW;
  localparam BITS = OUTPUT_DEPTH > 0 ? QUEUE_BITS : MORE == LEVELS ? 0 : CW;
  localparam AW = LEVELS > 0 ? LEVELS : BITS > 0 ? BITS : 1;
  wire [PO*AW*V-1:0] own_amount;  // over (op, bit, ovc)
  wire [AW*V*PO-1:0] amount;  // over (bit, ovc, op)
  ut_vc_allocator #(
      // rtl/parameters.tsv: begin
      .PI(PI),
      .PO(PO),
      .V(V),
      .VIA(VIA),
      .UGAL(UGAL),
      .ARBITRATION(ARBITRATION),
      .SELECTION(SELECTION),
      // rtl/parameters.tsv: end
      .LEVELS(LEVELS),
      .BITS(BITS),
      .ALIKE(ALIKE),
      .SINGLE(SINGLE),
      .LEAST(LEAST),
      .LOCAL(LOCAL)
  ) u_vc_allocator (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .bid_i(bid),
      .cand_i(cand),
      .bubble_i(bubble),
      .preferred_i(preferred),
      .rank_i(rank),
      .seed_i(straps_i[15:0] ^ straps_i[31:16] ^ straps_i[47:32] ^ straps_i[63:48]),
      .space_i(space),
      .space2_i(space2),
      .amount_i(amount),
      .grant_o(grant),
      .choice_o(choice),
      .taken_o(taken)
  );

  wire [PO*NX-1:0] winners, select;  // allocated in this cycle, and in the crossbar
  wire [PO-1:0] given, send;
  ut_switch_allocator #(
      // rtl/parameters.tsv: begin
      .PI(PI),
      .PO(PO),
      .V(V),
      .XBAR(XBAR),
      .ARBITRATION(ARBITRATION),
      // rtl/parameters.tsv: end
      .LOCAL(LOCAL)
  ) u_switch_allocator (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .request_i(request),
      .rank_i(rank),
      .target_i(target),
      .pop_o(pop),
      .pick_o(pick),
      .select_o(winners),
      .valid_o(given)
  );

  // ---- crossbar setting: as allocated or, with a register in between, by the VCs whose flits cross now
  generate
    if (XBAR_CYCLES != 0) begin : g_setting
      wire [NX*PO-1:0] ways;
      for (i = 0; i < PI; i = i + 1) begin : g_in
        if (XV == V) begin : g_way
          assign ways[i*V*PO+:V*PO] = way[i*V*PO+:V*PO];
        end else begin : g_way
          ut_or_reduce #(
              .N(V),
              .W(PO)
          ) u_way (
              .rows_i(way[i*V*PO+:V*PO]),
              .or_o(ways[i*PO+:PO])
          );
        end
      end
      ut_transpose #(
          .ROWS(NX),
          .COLUMNS(PO)
      ) u_select (
          .rows_i(ways),
          .columns_o(select)
      );
      ut_or_reduce #(
          .N(NX),
          .W(PO)
      ) u_send (
          .rows_i(ways),
          .or_o(send)
      );
      // verilator lint_off UNUSEDSIGNAL
      wire unused = &{1'b0, winners, given};  // for assertions of the switch allocator
      // verilator lint_on UNUSEDSIGNAL
    end else begin : g_setting
      assign select = winners;
      assign send = given;
      // verilator lint_off UNUSEDSIGNAL
      wire unused = &{1'b0, way};
      // verilator lint_on UNUSEDSIGNAL
    end
  endgenerate

  // ---- crossbar: data and, in a narrow one of the same setting, output VC, bad and kind
  wire [PO*W-1:0] o_data;
  wire [PO*TW-1:0] o_tag;
  ut_crossbar #(
      .NX(NX),
      .PO(PO),
      .W (W)
  ) u_crossbar (
      .data_i(x_data),
      .select_i(select),
      .data_o(o_data)
  );
  ut_crossbar #(
      .NX(NX),
      .PO(PO),
      .W (TW)
  ) u_crossbar_tag (
      .data_i(x_tag),
      .select_i(select),
      .data_o(o_tag)
  );

  // ---- output units; their vectors over VCs run over (op, ovc)
  wire [PO*V-1:0] take, own_space, own_space2, own_sendable;
  wire [PO-1:0] out_busy;
  generate
    for (o = 0; o < PO; o = o + 1) begin : g_out
      wire error, any_error;  // as in g_in
      ut_output_unit #(
          // rtl/parameters.tsv: begin
          .V(V),
          .DEPTH(DEPTH),
          .OUTPUT_DEPTH(OUTPUT_DEPTH),
          .W(W),
          .MAX_PACKET(MAX_PACKET),
          .MIN_PACKET(MIN_PACKET),
          .SWITCHING(SWITCHING),
          .XBAR_CYCLES(XBAR_CYCLES),
          .ESCAPES(ESCAPES),
          // rtl/parameters.tsv: end
          .VW(VW),
          .RING(o < 2 * AXES),
          .BUBBLE(`UT_ALG_BUBBLE(ROUTE, ALGORITHM)),
          .PREFERRED(`UT_ALG_PREFERRED(ROUTE, ALGORITHM)),
          .ATOMIC(ATOMIC),
          .DATELINE(`UT_ALG_DATELINE(ROUTE, ALGORITHM)),
          .LEAST(LEAST),
          .LEVELS(LEVELS),
          .BITS(BITS),
          .SPACE(SPACE)
      ) u_output (
          .clk_i(clk_i),
          .rst_i(rst_i),
          .link_up_i(out_up_i[o]),
          .credit_i(out_credit_i[o*V+:V]),
          .take_i(take[o*V+:V]),
          .valid_i(send[o]),
          .vc_i(o_tag[o*TW+3+:V]),
          .kind_i(o_tag[o*TW+:2]),
          .bad_i(o_tag[o*TW+2]),
          .data_i(o_data[o*W+:W]),
          .up_o(out_up[o]),
          .space_o(own_space[o*V+:V]),
          .space2_o(own_space2[o*V+:V]),
          .sendable_o(own_sendable[o*V+:V]),
          .amount_o(own_amount[o*AW*V+:AW*V]),
          .busy_o(out_busy[o]),
          .valid_o(out_valid_o[o]),
          .vc_o(out_vc_o[o*VW+:VW]),
          .kind_o(out_kind_o[o*2+:2]),
          .bad_o(out_bad_o[o]),
          .data_o(out_data_o[o*W+:W]),
          .error_o(error)
      );
      if (o == 0) begin : g_error
        assign any_error = error;
      end else begin : g_error
        assign any_error = error | g_out[o-1].any_error;
      end
    end
  endgenerate
  ut_transpose #(
      .ROWS(PO),
      .COLUMNS(V)
  ) u_space (
      .rows_i(own_space),
      .columns_o(space)
  );
  ut_transpose #(
      .ROWS(PO),
      .COLUMNS(V)
  ) u_space2 (
      .rows_i(own_space2),
      .columns_o(space2)
  );
  ut_transpose #(
      .ROWS(PO),
      .COLUMNS(AW * V)
  ) u_amount (
      .rows_i(own_amount),
      .columns_o(amount)
  );
  ut_transpose #(
      .ROWS(PO),
      .COLUMNS(V)
  ) u_sendable (
      .rows_i(own_sendable),
      .columns_o(sendable)
  );
  ut_transpose #(
      .ROWS(V),
      .COLUMNS(PO)
  ) u_take (
      .rows_i(taken),
      .columns_o(take)
  );

  // ---- observation
  reg [PI-1:0] discard_q  /*verilator public_flat_rd*/;
  reg error_q  /*verilator public_flat_rd*/;
  always @(posedge clk_i) begin
    discard_q <= discard & {PI{~rst_i}};
    error_q   <= ~rst_i & (error_q | g_in[PI-1].any_error | g_out[PO-1].any_error);
  end
  assign discard_o = discard_q;
  assign error_o = error_q;
  // A packet that begins to be discarded is still in its buffer in the next cycle, so discard_q need not be looked at here.
  assign idle_o = ~(|in_busy | |out_busy | |out_valid_o | stale_link_q | stale_state | state_busy);

  // ---- assertions
  // No rule of the protocol is broken; this covers rules for which no block has an assertion.
  `UT_ASSERT(protocol_kept, !error_q)
  // A flit sent to a link that is down would be lost: its packet is cut in this cycle.
  `UT_ASSERT(sent_to_live_links, (send & ~out_up) == 0)
endmodule
`default_nettype wire
