// ut_vc_allocator - gives free output VCs to waiting packets.
//
// Each bidding input VC picks one output VC (ut_vc_select), each output VC grants one of the bids round-robin, with LOCAL
// those of terminals first (ut_local_first).  A pointer moves only on a grant.  The rotating priority of the selection
// belongs to the input port and moves behind the port that was granted (of the lowest input VC, if several are granted
// in one cycle); it starts at the opposite port, so that inputs spread over the outputs.  Matrices run over (ip, ivc,
// ovc, op), what tells of outputs over (ovc, op), and the arbiters over (ivc, ip).
// Twin: csim/switch/vc_allocator.h
`default_nettype none
`include "assertions.vh"
module ut_vc_allocator #(
    parameter PI = 8,
    parameter PO = 8,
    parameter V  = 1,
    parameter CW = 3,
    parameter DEPTH = 4,
    parameter LEAST = 2,  // credits that an output VC with room has at least
    parameter LOCAL = 0   // input ports of terminals, the last ones, that go first
) (
    input wire                      clk_i,
    input wire                      rst_i,
    input wire  [         PI*V-1:0] bid_i,
    input wire  [    PI*V*V*PO-1:0] cand_i,
    input wire  [    PI*V*V*PO-1:0] bubble_i,
    input wire  [    PI*V*V*PO-1:0] preferred_i,
    input wire  [         V*PO-1:0] room_i,
    input wire  [         V*PO-1:0] room2_i,
    input wire  [      PO*V*CW-1:0] credits_i,   // over (op, ovc)
    output wire [         PI*V-1:0] grant_o,
    output wire [    PI*V*V*PO-1:0] choice_o,    // one-hot for every input VC that was granted
    output wire [         V*PO-1:0] taken_o      // output VCs that were granted
);
  localparam NI = V * PI;
  localparam NO = V * PO;

  // ---- what the selection needs to find most credits: in buffers that are not too deep for them thresholds of the counts,
  // else the counts bit by bit
  localparam LEVELS = DEPTH - LEAST <= 8 ? DEPTH - LEAST : 0;
  localparam LW = LEVELS > 0 ? LEVELS : 1;
  wire [LW*NO-1:0] level;
  wire [CW*NO-1:0] slice;
  genvar i, o, v, b;
  generate
    if (LEVELS == 0) begin : g_level
      wire [V*CW*PO-1:0] bits;  // over (ovc, bit, op)
      assign level = {NO{1'b0}};
      ut_transpose #(
          .ROWS(PO),
          .COLUMNS(V * CW)
      ) u_bits (
          .rows_i(credits_i),
          .columns_o(bits)
      );
      ut_transpose #(
          .ROWS(V),
          .COLUMNS(CW),
          .W(PO)
      ) u_slices (
          .rows_i(bits),
          .columns_o(slice)
      );
    end else begin : g_level
      assign slice = {CW * NO{1'b0}};
    end
    for (b = 0; b < LEVELS; b = b + 1) begin : g_threshold
      localparam [31:0] AT = LEAST + 1 + b;
      for (v = 0; v < V; v = v + 1) begin : g_vc
        for (o = 0; o < PO; o = o + 1) begin : g_out
          assign level[b*NO+v*PO+o] = credits_i[(o*V+v)*CW+:CW] >= AT[CW-1:0];
        end
      end
    end
  endgenerate

  // ---- bids
  wire [NI*NO-1:0] ask, ask_ivc;  // by port, by VC
  wire [NO*NI-1:0] req, gnt;
  generate
    for (i = 0; i < PI; i = i + 1) begin : g_in
      localparam [PO-1:0] START = {PO{1'b1}} << ((i + PO / 2) % PO);
      reg [PO-1:0] select_q  /*verilator public_flat_rd*/;
      wire [V*PO-1:0] port;  // that each VC picks
      for (v = 0; v < V; v = v + 1) begin : g_vc
        localparam ME = i * V + v;
        ut_vc_select #(
            .PO(PO),
            .V (V),
            .CW(CW),
            .LEVELS(LEVELS)
        ) u_select (
            .cand_i(cand_i[ME*NO+:NO]),
            .bubble_i(bubble_i[ME*NO+:NO]),
            .preferred_i(preferred_i[ME*NO+:NO]),
            .room_i(room_i),
            .room2_i(room2_i),
            .slice_i(slice),
            .level_i(level),
            .mask_i(select_q),
            .choice_o(choice_o[ME*NO+:NO])
        );
        assign ask[ME*NO+:NO] = choice_o[ME*NO+:NO] & {NO{bid_i[ME]}};
        ut_or_reduce #(
            .N(V),
            .W(PO)
        ) u_port (
            .rows_i(choice_o[ME*NO+:NO]),
            .or_o(port[v*PO+:PO])
        );
      end

      wire [V-1:0] from;  // the lowest VC that was granted, and those above it
      wire [PO-1:0] granted;
      ut_lines_from #(
          .N(V)
      ) u_lowest (
          .set_i(grant_o[i*V+:V]),
          .from_o(from)
      );
      ut_one_hot_mux #(
          .N(V),
          .W(PO)
      ) u_granted (
          .rows_i(port),
          .select_i(from & ~(from << 1)),
          .row_o(granted)
      );
      always @(posedge clk_i)
        if (rst_i) select_q <= START;
        else if (|granted) select_q <= ~(granted | (granted - {{PO - 1{1'b0}}, 1'b1}));
    end
  endgenerate

  // ---- grants
  ut_transpose #(
      .ROWS(PI),
      .COLUMNS(V),
      .W(NO)
  ) u_by_vc (
      .rows_i(ask),
      .columns_o(ask_ivc)
  );
  ut_transpose #(
      .ROWS(NI),
      .COLUMNS(NO)
  ) u_requests (
      .rows_i(ask_ivc),
      .columns_o(req)
  );
  generate
    for (o = 0; o < NO; o = o + 1) begin : g_out
      wire [NI-1:0] first;
      ut_local_first #(
          .PI(PI),
          .WORDS(V),
          .LOCAL(LOCAL)
      ) u_local (
          .req_i(req[o*NI+:NI]),
          .req_o(first)
      );
      ut_rr_arbiter #(
          .N(NI)
      ) u_arbiter (
          .clk_i(clk_i),
          .rst_i(rst_i),
          .req_i(first),
          .advance_i(1'b1),
          .gnt_o(gnt[o*NI+:NI])
      );
      assign taken_o[o] = |req[o*NI+:NI];
    end
  endgenerate
  wire [NI-1:0] grant_ivc;  // by VC
  ut_or_reduce #(
      .N(NO),
      .W(NI)
  ) u_grants (
      .rows_i(gnt),
      .or_o(grant_ivc)
  );
  ut_transpose #(
      .ROWS(V),
      .COLUMNS(PI)
  ) u_by_port (
      .rows_i(grant_ivc),
      .columns_o(grant_o)
  );

  // ---- assertions
  // An output VC without room must not get a packet.
  `UT_ASSERT(taken_had_room, (taken_o & ~room_i) == 0)
  // Each output VC that is given away has one new owner.
  `UT_ASSERT(one_owner, $countones(grant_o) == $countones(taken_o))
  // A bid for two output VCs could be granted both, and would leave one owned for ever.
  `UT_ASSERT_EACH(i, PI * V, one_choice, $onehot0(choice_o[i*NO+:NO]))
  // Only a candidate leads to the destination.
  `UT_ASSERT_EACH(i, PI * V, choice_is_candidate, (choice_o[i*NO+:NO] & ~cand_i[i*NO+:NO]) == 0)
  // A VC that does not bid would take a grant for a packet that is not there.
  `UT_ASSERT(grant_answers_bid, (grant_o & ~bid_i) == 0)
endmodule
`default_nettype wire
