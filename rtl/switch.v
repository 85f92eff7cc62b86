// switch - input-queued, credit-based switch with run-time faults.  DESIGN section 3, docs/cycle-contract.md.
//
// One elaboration serves every switch of a network: coordinates and sizes arrive on straps_i, sampled during reset.
// A failed switch is held in reset with all its links down.
//   forward link   valid, vc, kind, bad, data; registered by the sender; taken in the cycle in which it is valid
//   backward link  one credit pulse per VC, registered
//   link_up        per port, seen by both ends in the same cycle
//   neighbour      one bit that this switch reports to all its neighbours, and what they report: a down link is down
//   far            the same, of a switch above it
// Vectors over ports run [port]; matrices name their indices from slow to fast: _ivc_ip, _ovc_op.
// Twin: csim/switch/switch.c
`include "algorithms.vh"
module switch #(
    parameter PI = 8,            // input ports
    parameter PO = 8,            // output ports
    parameter V = 1,             // virtual channels of a port
    parameter DEPTH = 4,         // flits of an input VC
    parameter W = 64,            // flit bits
    parameter MAX_PACKET = 2,    // flits of the longest packet
    parameter MIN_PACKET = MAX_PACKET,  // of the shortest one; matters to the bubble rule only
    parameter SWITCHING = 0,     // 0 virtual cut-through, 1 wormhole
    parameter ROUTE = 0,         // routing family, rtl/algorithms.tsv
    parameter ALGORITHM = 2,     // algorithm within the family
    parameter ROUTE_CYCLES = 0,  // 0..4
    parameter ALLOC_CYCLES = 1,  // 1: VC and switch allocation in one cycle, 2: one after the other
    parameter XBAR = 0,          // crossbar inputs: 0 one per port, 1 one per input VC
    parameter SIZE0 = 0,         // nodes in each dimension of a torus or mesh; 0: there is no such dimension
    parameter SIZE1 = 0,
    parameter SIZE2 = 0,
    parameter SIZE3 = 0,
    parameter ESCAPES = 1,       // mechanisms of tori and meshes: escape VCs, one more than intermediate nodes
    parameter DETERMINISTIC = 0,  // 1: mechanism D
    parameter MISROUTE = 0,      // 1: mechanism M
    parameter RADIX = 0,         // k of RUFT and its relatives; 0: another family
    parameter PARALLEL = 0,      // of two links side by side: 0 there are none, 1 the destination says which, 2 free space
    parameter APART = 0,         // 1: terminals have two ejection links, from different switches
    parameter HALVES = 0,        // 1: each half of the inputs serves half of the digits
    parameter DESTINATIONS = 0,  // entries of a forwarding table for one input VC: terminals of the network
    parameter VW = V > 1 ? $clog2(V) : 1
) (
    input              clk_i,
    input              rst_i,
    input  [     63:0] straps_i,
    input  [     63:0] config_i,      // writes an entry of the forwarding tables, rtl/header.tsv
    // input ports
    input  [   PI-1:0] in_up_i,
    input  [   PI-1:0] in_valid_i,
    input  [PI*VW-1:0] in_vc_i,
    input  [ PI*2-1:0] in_kind_i,
    input  [   PI-1:0] in_bad_i,
    input  [ PI*W-1:0] in_data_i,
    output [ PI*V-1:0] in_credit_o,
    // output ports
    input  [   PO-1:0] out_up_i,
    output [   PO-1:0] out_valid_o,
    output [PO*VW-1:0] out_vc_o,
    output [ PO*2-1:0] out_kind_o,
    output [   PO-1:0] out_bad_o,
    output [ PO*W-1:0] out_data_o,
    input  [ PO*V-1:0] out_credit_i,
    // neighbours' states
    input  [   PO-1:0] neighbour_i,
    input  [   PO-1:0] far_i,
    output             neighbour_o,
    output             far_o,
    // observation
    output [   PI-1:0] discard_o,     // in the last cycle this input port began to discard a packet as unreachable
    output             idle_o,        // without an event from outside no state will change
    output             error_o        // a rule of the protocol was broken: a fault of this design or of its neighbours
);
  localparam DIRECT = ROUTE == `UT_ROUTE_TORUS || ROUTE == `UT_ROUTE_MESH;
  localparam DIMENSIONS = (SIZE0 > 0 ? 1 : 0) + (SIZE1 > 0 ? 1 : 0) + (SIZE2 > 0 ? 1 : 0) + (SIZE3 > 0 ? 1 : 0);

  // The bubble rule with packets of different lengths (docs/route_torus.md): a ring channel is seen as SLOTS + 1 slots, and
  // has one free if it holds RING_FILL flits or less - true for SLOTS packets of any length, false for one more.
  localparam SPREAD = MAX_PACKET - MIN_PACKET;
  localparam SLOTS_FIT = DEPTH / MAX_PACKET - 1;
  localparam SLOTS_TELL = SPREAD > 0 ? (MIN_PACKET - 1) / SPREAD : SLOTS_FIT;
  localparam SLOTS = SLOTS_FIT < SLOTS_TELL ? SLOTS_FIT : SLOTS_TELL;
  localparam RING_FILL = (SLOTS + 1) * MIN_PACKET - 1 < DEPTH - MAX_PACKET ? (SLOTS + 1) * MIN_PACKET - 1 : DEPTH - MAX_PACKET;
  localparam RING = `UT_ALG_BUBBLE(ROUTE, ALGORITHM);

  // ---- rules on the parameters: the name of the missing module is the rule
  generate
    if (SWITCHING == 0 && DEPTH < MAX_PACKET) ERROR_vct_needs_buffer_of_one_packet u_rule ();
    if (W < 64 || W % 64 != 0) ERROR_flit_bits_must_be_a_multiple_of_64 u_rule ();
    if (V < 1 || V > 8) ERROR_vcs_must_be_1_to_8 u_rule ();
    if (DEPTH < 1 || DEPTH > 255) ERROR_depth_must_be_1_to_255 u_rule ();
    if (MAX_PACKET < 1) ERROR_packet_needs_a_flit u_rule ();
    if (ROUTE_CYCLES < 0 || ROUTE_CYCLES > 4) ERROR_route_cycles_must_be_0_to_4 u_rule ();
    if (ALLOC_CYCLES < 1 || ALLOC_CYCLES > 2) ERROR_alloc_cycles_must_be_1_or_2 u_rule ();
    if (!`UT_ALG_KNOWN(ROUTE, ALGORITHM)) ERROR_unknown_algorithm u_rule ();
    if (V < `UT_ALG_MIN_VCS(ROUTE, ALGORITHM)) ERROR_algorithm_needs_more_vcs u_rule ();
    if (`UT_ALG_BUBBLE(ROUTE, ALGORITHM) && SWITCHING != 0) ERROR_bubble_rule_needs_virtual_cut_through u_rule ();
    if (`UT_ALG_BUBBLE(ROUTE, ALGORITHM) && DEPTH < 2 * MAX_PACKET) ERROR_bubble_rule_needs_buffer_of_two_packets u_rule ();
    if (MIN_PACKET < 1 || MIN_PACKET > MAX_PACKET) ERROR_shortest_packet_must_be_1_to_the_longest u_rule ();
    if (`UT_ALG_BUBBLE(ROUTE, ALGORITHM) && SLOTS < 1) ERROR_bubble_rule_needs_packets_of_similar_length u_rule ();
    if (ESCAPES < 1 || ESCAPES > 4) ERROR_escapes_must_be_1_to_4 u_rule ();
    if (!`UT_ALG_MECHANISMS(ROUTE, ALGORITHM) && (ESCAPES > 1 || DETERMINISTIC != 0 || MISROUTE != 0))
      ERROR_mechanisms_are_for_tori_and_meshes u_rule ();
    if (V < `UT_ALG_MIN_VCS(ROUTE, ALGORITHM) + ESCAPES - 1) ERROR_each_sub_path_needs_an_escape_vc u_rule ();
    if (ESCAPES > 1 && DEPTH < 2) ERROR_stripping_needs_a_buffer_of_two_flits u_rule ();
    if (`UT_ALG_TABLES(ROUTE, ALGORITHM) && (DESTINATIONS < 1 || DESTINATIONS > 1024))
      ERROR_tables_need_1_to_1024_destinations u_rule ();
    if (!`UT_ALG_TABLES(ROUTE, ALGORITHM) && DESTINATIONS != 0) ERROR_destinations_are_for_tables u_rule ();
    if ((ROUTE == `UT_ROUTE_FATTREE || ROUTE == `UT_ROUTE_TABLE) && (PI != PO || PO < 4 || PO > 32 || PO % 2 != 0))
      ERROR_fat_tree_needs_2k_ports_both_ways u_rule ();
    if (ROUTE != `UT_ROUTE_RUFT && (RADIX != 0 || PARALLEL != 0 || APART != 0 || HALVES != 0))
      ERROR_radix_is_for_routing_by_bits_of_digits u_rule ();
    if (ROUTE == `UT_ROUTE_RUFT && RADIX != 2 && RADIX != 4 && RADIX != 8 && RADIX != 16)
      ERROR_ruft_needs_a_radix_of_2_4_8_or_16 u_rule ();
    if (ROUTE == `UT_ROUTE_RUFT && ((PI != RADIX && PI != 2 * RADIX) || (PO != RADIX && PO != 2 * RADIX)))
      ERROR_ruft_needs_k_or_2k_ports_each_way u_rule ();
    if (PARALLEL != 0 && (PI != 2 * RADIX || PO != 2 * RADIX)) ERROR_links_side_by_side_need_2k_ports_both_ways u_rule ();
    if (PARALLEL > 2 || (HALVES != 0 && PARALLEL != 1)) ERROR_halves_are_for_static_selection u_rule ();
    if (SIZE0 == 1 || SIZE1 == 1 || SIZE2 == 1 || SIZE3 == 1 || SIZE0 > 256 || SIZE1 > 256 || SIZE2 > 256 || SIZE3 > 256) ERROR_sizes_must_be_2_to_256 u_rule ();
    if (DIRECT ? SIZE0 == 0 || (SIZE1 == 0 && SIZE2 > 0) || (SIZE2 == 0 && SIZE3 > 0) : DIMENSIONS > 0)
      ERROR_sizes_are_for_tori_and_meshes u_rule ();
    if (DIRECT && (PI != PO || PO > 32 || PO <= 2 * DIMENSIONS))
      ERROR_torus_needs_two_ports_a_dimension_and_local_ones u_rule ();
  endgenerate

  localparam NI = V * PI;
  localparam NO = V * PO;
  localparam NX = XBAR != 0 ? NI : PI;
  localparam CW = $clog2(DEPTH + 1);
  localparam VECTOR = `UT_ALG_VECTOR(ROUTE, ALGORITHM);

  // Straps are registers: what hangs on a top-level input is evaluated anew at each clock edge by Verilator.
  reg [63:0] straps_q;
  always @(posedge clk_i) if (rst_i) straps_q <= straps_i;

  wire [PO-1:0] out_up;  // of the last cycle
  reg stale_link_q  /*verilator public_flat_rd*/;
  always @(posedge clk_i) stale_link_q <= out_up_i != out_up & ~rst_i;

  // ---- state of the routing family
  wire [PO-1:0] vector, neighbour, set;
  wire stale_state, state_busy;
  generate
    if (VECTOR != 0) begin : g_state
      reroute_vector #(
          .PO (PO),
          .FAR(`UT_ALG_FAR(ROUTE, ALGORITHM))
      ) u_vector (
          .clk_i(clk_i),
          .rst_i(rst_i),
          .straps_i(straps_q),
          .link_up_i(out_up_i),
          .up_i(out_up),
          .fault_i(neighbour_i),
          .far_i(far_i),
          .set_i(set),
          .vector_o(vector),
          .neighbour_o(neighbour),
          .fault_o(neighbour_o),
          .far_o(far_o),
          .stale_o(stale_state),
          .busy_o(state_busy)
      );
    end else begin : g_state
      assign vector = {PO{1'b0}};
      assign neighbour = {PO{1'b0}};
      assign neighbour_o = 1'b0;
      assign far_o = 1'b0;
      assign stale_state = 1'b0;
      assign state_busy = 1'b0;
      // verilator lint_off UNUSEDSIGNAL
      wire unused = &{1'b0, neighbour_i, far_i, set};  // this algorithm keeps no state
      // verilator lint_on UNUSEDSIGNAL
    end
  endgenerate

  // ---- input units and their route units
  wire [NI-1:0] bid, grant, request, pop, pick;
  wire [NI*NO-1:0] cand, bubble, preferred, choice;
  wire [NI*PO-1:0] target;
  wire [NI*V-1:0] vc;
  wire [NI*2-1:0] kind;
  wire [NI-1:0] bad;
  wire [NI*W-1:0] data;
  wire [NO-1:0] room, room2, sendable, taken;
  wire [CW*NO-1:0] credits;
  wire [PI-1:0] discard, in_busy, in_error;
  wire [PO*PI-1:0] set_each;

  genvar i, o, v, b;
  generate
    for (i = 0; i < PI; i = i + 1) begin : g_in
      localparam [PI-1:0] PORT = {{PI - 1{1'b0}}, 1'b1} << i;
      wire [NO-1:0] r_cand, r_bubble, r_preferred;
      wire [23:0] r_rt;
      wire r_strip, r_discard, r_uses_state, route;
      wire [W-1:0] header;
      wire [V-1:0] routed;
      wire [V-1:0] u_bid, u_grant, u_request, u_pop, u_bad;
      wire [V*NO-1:0] u_cand, u_bubble, u_preferred, u_choice;
      wire [V*PO-1:0] u_target;
      wire [V*V-1:0] u_vc;
      wire [V*2-1:0] u_kind;
      wire [V*W-1:0] u_data;
      wire [PO-1:0] r_set;

      route_unit #(
          .PI(PI),
          .PO(PO),
          .V(V),
          .ROUTE(ROUTE),
          .ALGORITHM(ALGORITHM),
          .DESTINATIONS(DESTINATIONS),
          .RADIX(RADIX),
          .PARALLEL(PARALLEL),
          .APART(APART),
          .HALVES(HALVES),
          .ESCAPES(ESCAPES),
          .DETERMINISTIC(DETERMINISTIC),
          .MISROUTE(MISROUTE),
          .SIZE0(SIZE0),
          .SIZE1(SIZE1),
          .SIZE2(SIZE2),
          .SIZE3(SIZE3)
      ) u_route (
          .clk_i(clk_i),
          .config_i(config_i),
          .header_i(header[63:0]),
          .in_port_i(PORT),
          .in_vc_i(routed),
          .straps_i(straps_q),
          .up_i(out_up),
          .vector_i(vector),
          .neighbour_i(neighbour),
          .cand_o(r_cand),
          .bubble_o(r_bubble),
          .preferred_o(r_preferred),
          .rt_o(r_rt),
          .strip_o(r_strip),
          .discard_o(r_discard),
          .uses_state_o(r_uses_state),
          .set_o(r_set)
      );
      assign set_each[i*PO+:PO] = r_set & {PO{route}};

      input_unit #(
          .PO(PO),
          .V(V),
          .VW(VW),
          .DEPTH(DEPTH),
          .W(W),
          .WORMHOLE(SWITCHING),
          .ROUTE_CYCLES(ROUTE_CYCLES),
          .ALLOC_CYCLES(ALLOC_CYCLES),
          .VECTOR(VECTOR),
          .REWRITES(`UT_ALG_REWRITES(ROUTE, ALGORITHM) | MISROUTE),
          .STRIPS(ESCAPES > 1),
          .BUBBLE(`UT_ALG_BUBBLE(ROUTE, ALGORITHM)),
          .PREFERRED(`UT_ALG_PREFERRED(ROUTE, ALGORITHM))
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
          .route_o(route),
          .header_o(header),
          .routed_ivc_o(routed),
          .cand_i(r_cand),
          .bubble_i(r_bubble),
          .preferred_i(r_preferred),
          .rt_i(r_rt),
          .strip_i(r_strip),
          .discard_i(r_discard),
          .uses_state_i(r_uses_state),
          .stale_link_i(stale_link_q),
          .stale_state_i(stale_state),
          .bid_ivc_o(u_bid),
          .cand_o(u_cand),
          .bubble_o(u_bubble),
          .preferred_o(u_preferred),
          .grant_ivc_i(u_grant),
          .choice_i(u_choice),
          .sendable_i(sendable),
          .out_up_i(out_up),
          .request_ivc_o(u_request),
          .target_o(u_target),
          .vc_o(u_vc),
          .kind_o(u_kind),
          .bad_o(u_bad),
          .data_o(u_data),
          .pop_ivc_i(u_pop),
          .discard_o(discard[i]),
          .busy_o(in_busy[i]),
          .error_o(in_error[i])
      );

      for (v = 0; v < V; v = v + 1) begin : g_vc  // port-major to VC-major
        assign bid[v*PI+i] = u_bid[v];
        assign request[v*PI+i] = u_request[v];
        assign cand[(v*PI+i)*NO+:NO] = u_cand[v*NO+:NO];
        assign bubble[(v*PI+i)*NO+:NO] = u_bubble[v*NO+:NO];
        assign preferred[(v*PI+i)*NO+:NO] = u_preferred[v*NO+:NO];
        assign target[(v*PI+i)*PO+:PO] = u_target[v*PO+:PO];
        assign vc[(v*PI+i)*V+:V] = u_vc[v*V+:V];
        assign kind[(v*PI+i)*2+:2] = u_kind[v*2+:2];
        assign bad[v*PI+i] = u_bad[v];
        assign data[(v*PI+i)*W+:W] = u_data[v*W+:W];
        assign u_grant[v] = grant[v*PI+i];
        assign u_choice[v*NO+:NO] = choice[(v*PI+i)*NO+:NO];
        assign u_pop[v] = pop[v*PI+i];
      end

      wire [PO-1:0] sets;  // set by this port or a lower one
      if (i == 0) begin : g_or
        assign sets = set_each[i*PO+:PO];
      end else begin : g_or
        assign sets = g_in[i-1].sets | set_each[i*PO+:PO];
      end
      // verilator lint_off UNUSEDSIGNAL
      wire unused = &{1'b0, header};  // only the low 64 bits of a head carry its header word
      // verilator lint_on UNUSEDSIGNAL
    end
  endgenerate
  assign set = g_in[PI-1].sets;

  // ---- allocation
  vc_allocator #(
      .PI(PI),
      .PO(PO),
      .V (V),
      .CW(CW),
      .DEPTH(DEPTH),
      .LEAST(SWITCHING != 0 ? 1 : MAX_PACKET)
  ) u_vc_allocator (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .bid_i(bid),
      .cand_i(cand),
      .bubble_i(bubble),
      .preferred_i(preferred),
      .room_i(room),
      .room2_i(room2),
      .credits_i(credits),
      .grant_o(grant),
      .choice_o(choice),
      .taken_o(taken)
  );

  wire [PO*NX-1:0] select;
  wire [PO-1:0] send;
  switch_allocator #(
      .PI(PI),
      .PO(PO),
      .V(V),
      .XBAR(XBAR)
  ) u_switch_allocator (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .request_i(request),
      .target_i(target),
      .pop_o(pop),
      .pick_o(pick),
      .select_o(select),
      .valid_o(send)
  );

  // ---- crossbar: data and, in a narrow one of the same setting, output VC, bad and kind
  localparam TW = V + 3;
  wire [NX*W-1:0] x_data;
  wire [NX*TW-1:0] x_tag;
  wire [PO*W-1:0] o_data;
  wire [PO*TW-1:0] o_tag;
  generate
    if (NX == NI) begin : g_xbar
      assign x_data = data;
      for (i = 0; i < NX; i = i + 1) begin : g_tag
        assign x_tag[i*TW+:TW] = {vc[i*V+:V], bad[i], kind[i*2+:2]};
      end
      // verilator lint_off UNUSEDSIGNAL
      wire unused = &{1'b0, pick};
      // verilator lint_on UNUSEDSIGNAL
    end else begin : g_xbar  // the VC that the first stage picked stands for its port
      for (i = 0; i < PI; i = i + 1) begin : g_port
        for (v = 0; v < V; v = v + 1) begin : g_vc
          wire [W+TW-1:0] mine = {vc[(v*PI+i)*V+:V], bad[v*PI+i], kind[(v*PI+i)*2+:2], data[(v*PI+i)*W+:W]} &
              {W + TW{pick[v*PI+i]}};
          wire [W+TW-1:0] sum;
          if (v == 0) begin : g_or
            assign sum = mine;
          end else begin : g_or
            assign sum = g_vc[v-1].sum | mine;
          end
        end
        assign {x_tag[i*TW+:TW], x_data[i*W+:W]} = g_vc[V-1].sum;
      end
    end
  endgenerate
  crossbar #(
      .NX(NX),
      .PO(PO),
      .W (W)
  ) u_crossbar (
      .data_i(x_data),
      .select_i(select),
      .data_o(o_data)
  );
  crossbar #(
      .NX(NX),
      .PO(PO),
      .W (TW)
  ) u_crossbar_tag (
      .data_i(x_tag),
      .select_i(select),
      .data_o(o_tag)
  );

  // ---- output units
  wire [PO-1:0] out_error;
  generate
    for (o = 0; o < PO; o = o + 1) begin : g_out
      wire [V-1:0] take, u_room, u_room2, u_sendable;
      wire [V*CW-1:0] u_credits;
      output_unit #(
          .V(V),
          .VW(VW),
          .DEPTH(DEPTH),
          .W(W),
          .WORMHOLE(SWITCHING),
          .MAX_PACKET(MAX_PACKET),
          // Duato's condition: a head in an adaptive channel is at the front, where the escape channel can be asked for
          .EMPTY_BELOW(`UT_ALG_PREFERRED(ROUTE, ALGORITHM) ? V - ESCAPES : 0),
          .RING_FROM(!RING ? V : `UT_ALG_PREFERRED(ROUTE, ALGORITHM) ? V - ESCAPES : 0),
          .RING_ROOM(RING ? DEPTH - RING_FILL : MAX_PACKET)
      ) u_output (
          .clk_i(clk_i),
          .rst_i(rst_i),
          .link_up_i(out_up_i[o]),
          .credit_i(out_credit_i[o*V+:V]),
          .take_i(take),
          .valid_i(send[o]),
          .vc_i(o_tag[o*TW+3+:V]),
          .kind_i(o_tag[o*TW+:2]),
          .bad_i(o_tag[o*TW+2]),
          .data_i(o_data[o*W+:W]),
          .up_o(out_up[o]),
          .room_o(u_room),
          .room2_o(u_room2),
          .sendable_o(u_sendable),
          .credits_o(u_credits),
          .valid_o(out_valid_o[o]),
          .vc_o(out_vc_o[o*VW+:VW]),
          .kind_o(out_kind_o[o*2+:2]),
          .bad_o(out_bad_o[o]),
          .data_o(out_data_o[o*W+:W]),
          .error_o(out_error[o])
      );
      for (v = 0; v < V; v = v + 1) begin : g_vc
        assign take[v] = taken[v*PO+o];
        assign room[v*PO+o] = u_room[v];
        assign room2[v*PO+o] = u_room2[v];
        assign sendable[v*PO+o] = u_sendable[v];
        for (b = 0; b < CW; b = b + 1) begin : g_bit
          assign credits[b*NO+v*PO+o] = u_credits[v*CW+b];
        end
      end
    end
  endgenerate

  // ---- observation
  reg [PI-1:0] discard_q  /*verilator public_flat_rd*/;
  reg error_q  /*verilator public_flat_rd*/;
  always @(posedge clk_i) begin
    discard_q <= discard & {PI{~rst_i}};
    error_q   <= ~rst_i & (error_q | |in_error | |out_error);
  end
  assign discard_o = discard_q;
  assign error_o = error_q;
  assign idle_o = ~(|in_busy | |out_valid_o | |discard_q | stale_link_q | stale_state | state_busy);
endmodule
