// SPDX-License-Identifier: Apache-2.0
// output_unit - proof of ut_output_unit: credits stay between 0 and the depth of the buffer behind the link, a VC has one
// owner at a time, from its head to its tail, and a flit that crosses finds a place in the queue of its VC, if there are
// queues.
//
// Assumed of the neighbour, and proven of it by `input_vc`: it gives a credit only for a place that is free and of which it
// has not told.  Assumed of the switch: a VC is given away only where there is space (`vc_allocator`); one VC sends at a time,
// one that is owned, under wormhole switching one that may (sendable_o); packets have at most MAX_PACKET flits.
// The link goes down and comes back at any time.  Of the queues nothing is known but what `output_queue` proves: the module
// below stands for them.
// see owned[i] = u_output.g_vc[i].owned_q for i < V
// see spends[i] = u_output.g_vc[i].spend for i < V
// see count = u_output.count
module output_unit #(
    parameter V = 2,
    parameter DEPTH = 4,
    parameter OUTPUT_DEPTH = 0,
    parameter MAX_PACKET = 2,
    parameter SWITCHING = 0
) (
    input clk_i
);
  localparam CW = $clog2(DEPTH + 1);
  localparam PLACES = OUTPUT_DEPTH > 0 ? OUTPUT_DEPTH : DEPTH;  // where a packet needs space
  localparam PW = $clog2(PLACES + 1);
  localparam VW = V > 1 ? $clog2(V) : 1;
  localparam [31:0] FULL = DEPTH, ALL = PLACES;
  localparam [31:0] LONGEST = MAX_PACKET;
  reg started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;
  wire rst_i = ~started_q;

  (* anyseq *)wire link_up, valid;
  (* anyseq *)wire [V-1:0] credit, take, vc;
  (* anyseq *)wire [1:0] kind;
  wire up, out_valid, out_bad, error;
  wire [V-1:0] space, space2, sendable, see_owned, see_spends;
  wire [V*PW-1:0] see_count;  // over (vc, bit)
  wire [CW*V-1:0] amount;  // over (bit, vc)
  wire [VW-1:0] out_vc;
  wire [1:0] out_kind;
  wire [63:0] out_data;
  ut_output_unit #(
      .V(V),
      .VW(VW),
      .DEPTH(DEPTH),
      .OUTPUT_DEPTH(OUTPUT_DEPTH),
      .W(64),
      .MAX_PACKET(MAX_PACKET),
      .SWITCHING(SWITCHING),
      .LEVELS(0),
      .BITS(CW)
  ) u_output (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .link_up_i(link_up),
      .credit_i(credit),
      .take_i(take),
      .valid_i(valid),
      .vc_i(vc),
      .kind_i(kind),
      .bad_i(1'b0),
      .data_i(64'd0),
      .up_o(up),
      .space_o(space),
      .space2_o(space2),
      .sendable_o(sendable),
      .amount_o(amount),
      .valid_o(out_valid),
      .vc_o(out_vc),
      .kind_o(out_kind),
      .bad_o(out_bad),
      .data_o(out_data),
      .error_o(error)
  );
  always @* begin
    assume (~valid | $onehot(vc));
    assume (~valid | up);
  end

  wire [V-1:0] books, fits, paid, placed, alone, known, rest, empty;
  genvar v, b;
  generate
    for (v = 0; v < V; v = v + 1) begin : g_vc
      wire [CW-1:0] mine;
      for (b = 0; b < CW; b = b + 1) begin : g_bit
        assign mine[b] = amount[b*V+v];
      end
      wire send = valid & vc[v];      // a flit crosses,
      wire spend = see_spends[v];     // one leaves for the link
      wire [PW-1:0] places;           // for those that cross
      if (OUTPUT_DEPTH > 0) begin : g_places
        assign places = ALL[PW-1:0] - see_count[v*PW+:PW];
      end else begin : g_places
        assign places = mine;
      end
      reg [CW-1:0] pending_credits_q;  // places that the neighbour has not told of
      reg [PW-1:0] sent_q;  // flits of the packet that owns the VC
      reg owns_q;           // somebody does
      wire has = owns_q | take[v];
      always @(posedge clk_i)
        if (rst_i | ~up) begin
          pending_credits_q <= FULL[CW-1:0];
          sent_q <= {PW{1'b0}};
          owns_q <= 1'b0;
        end else begin
          pending_credits_q <= pending_credits_q + {{CW - 1{1'b0}}, spend} - {{CW - 1{1'b0}}, credit[v]};
          sent_q <= send & kind[1] ? {PW{1'b0}} : SWITCHING == 0 ? sent_q + {{PW - 1{1'b0}}, send} : {PW{1'b0}};
          owns_q <= has & ~(send & kind[1]);
        end
      always @* begin
        assume (~(credit[v] & up) | pending_credits_q != 0);
        assume (~take[v] | space[v]);
        assume (~send | has);
        assume (~send | SWITCHING == 0 | sendable[v]);
        assume (~send | SWITCHING != 0 | kind[1] | sent_q + 1 < LONGEST);
      end
      assign books[v] = mine + pending_credits_q == FULL;
      assign fits[v] = mine <= FULL[CW-1:0];
      assign paid[v] = ~spend | mine != 0;
      assign placed[v] = ~send | places != 0;
      assign alone[v] = ~(take[v] & owns_q);
      assign known[v] = see_owned[v] == owns_q;
      assign rest[v] = SWITCHING != 0 || (owns_q ? sent_q < LONGEST && places + sent_q >= LONGEST : sent_q == 0);
      assign empty[v] = up && owns_q && places == (SWITCHING != 0 ? 0 : 1) && pending_credits_q + mine == FULL;
    end
  endgenerate
  always @*
    if (started_q) begin
      no_error: assert (~error);
      none_lost: assert (&books);
      at_most_depth: assert (&fits);
      never_below_zero: assert (&paid);
      queue_has_place: assert (&placed);
      one_owner: assert (&alone);
      // what makes the induction close
      owner_known: assert (&known);
      room_for_the_rest: assert (&rest);
      cover (|empty);
    end
endmodule

// The queues as `output_queue` proves them: one sends at a time, a flit that it holds, with a credit, and when a link is down
// they are empty.  Which one sends, and what, is free.
module ut_output_queue #(
    parameter V = 1,
    parameter DEPTH = 4,
    parameter OUTPUT_DEPTH = 4,
    parameter W = 64,
    parameter MAX_PACKET = 2,
    parameter MIN_PACKET = MAX_PACKET,
    parameter SWITCHING = 0,
    parameter ESCAPES = 1,
    parameter DATELINE = 0,
    parameter BUBBLE = 0,
    parameter PREFERRED = 0,
    parameter ATOMIC = 0,
    parameter CW = $clog2(DEPTH + 1),
    parameter PW = $clog2(OUTPUT_DEPTH + 1)
) (
    input wire clk_i,
    input wire rst_i,
    input wire up_i,
    input wire [V*CW-1:0] credits_i,
    input wire [V-1:0] push_i,
    input wire [1:0] kind_i,
    input wire bad_i,
    input wire [W-1:0] data_i,
    output wire [V*PW-1:0] count_o,
    output wire [V-1:0] send_o,
    output wire [1:0] kind_o,
    output wire bad_o,
    output wire [W-1:0] data_o,
    output wire error_o
);
  localparam [31:0] FULL = OUTPUT_DEPTH;
  (* anyseq *)wire [V-1:0] sends;
  (* anyseq *)wire [1:0] kind;
  wire [V-1:0] overflow;
  genvar v;
  generate
    for (v = 0; v < V; v = v + 1) begin : g_vc
      reg [PW-1:0] count_q;
      assign count_o[v*PW+:PW] = count_q;
      assign overflow[v] = push_i[v] && count_q == FULL;
      always @(posedge clk_i)
        if (rst_i | ~up_i) count_q <= {PW{1'b0}};
        else count_q <= count_q + {{PW - 1{1'b0}}, push_i[v]} - {{PW - 1{1'b0}}, sends[v]};
      always @* assume (~sends[v] || (up_i && count_q != 0 && credits_i[v*CW+:CW] != 0));
      always @* assume (count_q <= FULL);
    end
  endgenerate
  always @* assume ($onehot0(sends));
  assign send_o = sends;
  assign kind_o = kind;
  assign bad_o = 1'b0;
  assign data_o = {W{1'b0}};
  assign error_o = |overflow;
endmodule
