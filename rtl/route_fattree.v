// route_fattree - routing in k-ary n-trees: ports 0..K-1 lead down, K..2K-1 up.
//
//   fta                    adaptive up, one path down (RUFT section 3.1.1)
//   destro                 up port of level s is digit s of the destination, one path down (RUFT section 3.1.2)
//   reroute_adaptive_link  fta, and around faulty down links by U-turns and the re-route vector (REROUTE section VII.A)
//
// A switch owns the destinations base .. base + K*step - 1 (straps); step = K to the power of its level.  Where K is a
// power of two, the digits of the destination are bit fields; else intervals are compared, and destro divides by the
// constant K. Step numbers in comments are those of the algorithm in REROUTE sections V.C and VII.A.
// Twin: csim/switch/route_fattree.c
`include "layout.vh"
`include "algorithms.vh"
module route_fattree #(
    parameter PO = 8,
    parameter V = 1,
    parameter ALGORITHM = 0
) (
    input  [    63:0] header_i,
    input  [  PO-1:0] in_port_i,
    input  [   V-1:0] in_vc_i,
    input  [    63:0] straps_i,
    input  [  PO-1:0] up_i,
    input  [  PO-1:0] vector_i,
    input  [  PO-1:0] neighbour_i,
    output [V*PO-1:0] cand_o,
    output [V*PO-1:0] bubble_o,
    output [V*PO-1:0] preferred_o,
    output [    23:0] rt_o,
    output            discard_o,
    output            uses_state_o,
    output [  PO-1:0] set_o
);
  localparam K = PO / 2;
  localparam POW2 = (K & (K - 1)) == 0;
  localparam LK = $clog2(K);
  localparam [PO-1:0] DOWN = {{K{1'b0}}, {K{1'b1}}};

  wire [`UT_HEADER_DST_WIDTH-1:0] dst = header_i[`UT_HEADER_DST_LSB+:`UT_HEADER_DST_WIDTH];
  wire [`UT_FATTREE_STRAP_LEVEL_WIDTH-1:0] level = straps_i[`UT_FATTREE_STRAP_LEVEL_LSB+:`UT_FATTREE_STRAP_LEVEL_WIDTH];
  wire [`UT_FATTREE_STRAP_BASE_WIDTH-1:0] base = straps_i[`UT_FATTREE_STRAP_BASE_LSB+:`UT_FATTREE_STRAP_BASE_WIDTH];
  wire from_above = |(in_port_i & ~DOWN);

  wire mine;  // the destination lies in the subtree below
  wire [K-1:0] digit;  // digit `level` of the destination, one-hot; always right where mine, and where destro needs it
  genvar j;
  generate
    if (POW2) begin : g_digit
      localparam [31:0] BITS = LK;  // of a digit
      wire [6:0] below = {3'd0, level} * BITS[6:0];  // bits of the digits below this level
      wire [`UT_HEADER_DST_WIDTH+LK-1:0] differs = {{LK{1'b0}}, dst ^ base[`UT_HEADER_DST_WIDTH-1:0]} >> below;
      // base has a zero at this level, so the digit of the difference is that of the destination
      assign mine = ~|differs[`UT_HEADER_DST_WIDTH+LK-1:LK];
      for (j = 0; j < K; j = j + 1) begin : g_one
        localparam [31:0] ME = j;
        assign digit[j] = differs[LK-1:0] == ME[LK-1:0];
      end
    end else begin : g_digit
      wire [20:0] step = {4'd0, straps_i[`UT_FATTREE_STRAP_STEP_LSB+:`UT_FATTREE_STRAP_STEP_WIDTH]};
      wire [K:0] from;  // the destination lies at or above base + j*step
      for (j = 0; j <= K; j = j + 1) begin : g_bound
        localparam [20:0] ME = j;
        assign from[j] = {5'd0, dst} >= {4'd0, base} + ME * step;
      end
      assign mine = from[0] & ~from[K];
      if (ALGORITHM == `UT_FATTREE_DESTRO) begin : g_digit
        // digit s = floor(dst / K^s) mod K: one constant division for each level passed
        localparam [31:0] RADIX = K;
        for (j = 0; j <= 10; j = j + 1) begin : g_divide
          localparam [31:0] ME = j;
          wire [15:0] quotient;
          if (j == 0) begin : g_one
            assign quotient = dst;
          end else begin : g_one
            assign quotient = level >= ME[3:0] ? g_divide[j-1].quotient / RADIX[15:0] : g_divide[j-1].quotient;
          end
        end
        wire [15:0] last = g_divide[10].quotient % RADIX[15:0];
        for (j = 0; j < K; j = j + 1) begin : g_one
          localparam [31:0] ME = j;
          assign digit[j] = last == ME[15:0];
        end
      end else begin : g_digit
        assign digit = from[K-1:0] & ~from[K:1];
      end
    end
  endgenerate

  wire [PO-1:0] down = {{K{1'b0}}, digit} & up_i;
  wire [PO-1:0] above = up_i & ~DOWN;
  wire [PO-1:0] ports;
  generate
    if (ALGORITHM == `UT_FATTREE_REROUTE_ADAPTIVE_LINK) begin : g_algorithm
      wire repair = straps_i[`UT_FATTREE_STRAP_REPAIR_LSB];
      wire leaf = level == 0;
      wire u_turn = ~mine & from_above;
      // steps 3 and 4: every up port but those that are known to lead to the fault.  With `repair` a port is avoided
      // only while the switch behind it reports a faulty down link (docs/reroute_vector.md).
      wire [PO-1:0] avoid = (vector_i | in_port_i) & (neighbour_i | {PO{~repair}});
      // steps 2a and 2b: the down link is faulty.  From below: back to where it came from; from above, or if that link
      // is gone too: any other down port.  Links to terminals have no detour.
      wire [PO-1:0] back = in_port_i & up_i & DOWN;
      wire [PO-1:0] around = leaf ? {PO{1'b0}} : |back ? back : up_i & DOWN;
      assign ports = mine ? (|down ? down : around) : u_turn ? above & ~avoid : above;
      assign set_o = in_port_i & {PO{u_turn}};
      assign uses_state_o = u_turn;
    end else begin : g_algorithm
      wire [PO-1:0] up_ports = ALGORITHM == `UT_FATTREE_DESTRO ? above & {digit, {K{1'b0}}} : above;
      // no U-turns: where the only link down has failed, or a packet from above is not for this subtree, it is
      // discarded
      assign ports = mine ? down : from_above ? {PO{1'b0}} : up_ports;
      assign set_o = {PO{1'b0}};
      assign uses_state_o = 1'b0;
    end
  endgenerate

  assign discard_o = ~|ports;
  assign cand_o = {V{ports}};
  assign bubble_o = {V * PO{1'b0}};
  assign preferred_o = {V * PO{1'b0}};
  assign rt_o = header_i[`UT_HEADER_RT_LSB+:`UT_HEADER_RT_WIDTH];

  // verilator lint_off UNUSEDSIGNAL
  // The interface is the same for every family and algorithm; this one does not need all of it.
  wire unused = &{1'b0, header_i, in_vc_i, straps_i, vector_i, neighbour_i, base};
  // verilator lint_on UNUSEDSIGNAL
endmodule
