// output_unit - proof of ut_output_unit: credits stay between 0 and the depth of the buffer behind the link, and a VC has one
// owner at a time, from its head to its tail.
//
// Assumed of the neighbour, and proven of it by `input_vc`: it gives a credit only for a place that is free and of which it
// has not told.  Assumed of the switch: a VC is given away only where there is room (`vc_allocator`); one VC sends at a time,
// one that is owned, under wormhole switching one with a credit; packets have at most MAX_PACKET flits.
// The link goes down and comes back at any time.
// see owned[i] = u_output.g_vc[i].owned_q for i < V
module output_unit #(
    parameter V = 2,
    parameter DEPTH = 4,
    parameter MAX_PACKET = 2,
    parameter SWITCHING = 0
) (
    input clk_i
);
  localparam CW = $clog2(DEPTH + 1);
  localparam VW = V > 1 ? $clog2(V) : 1;
  localparam [31:0] FULL = DEPTH;
  localparam [31:0] LONGEST = MAX_PACKET;
  reg started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;
  wire rst_i = ~started_q;

  (* anyseq *)wire link_up, valid;
  (* anyseq *)wire [V-1:0] credit, take, vc;
  (* anyseq *)wire [1:0] kind;
  wire up, out_valid, out_bad, error;
  wire [V-1:0] room, room2, sendable, see_owned;
  wire [CW*V-1:0] amount;  // over (bit, vc)
  wire [VW-1:0] out_vc;
  wire [1:0] out_kind;
  wire [63:0] out_data;
  ut_output_unit #(
      .V(V),
      .VW(VW),
      .DEPTH(DEPTH),
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
      .room_o(room),
      .room2_o(room2),
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

  wire [V-1:0] books, fits, paid, alone, known, rest, empty;
  genvar v, b;
  generate
    for (v = 0; v < V; v = v + 1) begin : g_vc
      wire [CW-1:0] mine;
      for (b = 0; b < CW; b = b + 1) begin : g_bit
        assign mine[b] = amount[b*V+v];
      end
      wire send = valid & vc[v];
      reg [CW-1:0] owed_q;  // places that the neighbour has not told of
      reg [CW-1:0] sent_q;  // flits of the packet that owns the VC
      reg owns_q;           // somebody does
      wire has = owns_q | take[v];
      always @(posedge clk_i)
        if (rst_i | ~up) begin
          owed_q <= FULL[CW-1:0];
          sent_q <= {CW{1'b0}};
          owns_q <= 1'b0;
        end else begin
          owed_q <= owed_q + {{CW - 1{1'b0}}, send} - {{CW - 1{1'b0}}, credit[v]};
          sent_q <= send & kind[1] ? {CW{1'b0}} : SWITCHING == 0 ? sent_q + {{CW - 1{1'b0}}, send} : {CW{1'b0}};
          owns_q <= has & ~(send & kind[1]);
        end
      always @* begin
        assume (~(credit[v] & up) | owed_q != 0);
        assume (~take[v] | room[v]);
        assume (~send | has);
        assume (~send | SWITCHING == 0 | mine != 0);
        assume (~send | SWITCHING != 0 | kind[1] | sent_q + 1 < LONGEST);
      end
      assign books[v] = mine + owed_q == FULL;
      assign fits[v] = mine <= FULL[CW-1:0];
      assign paid[v] = ~send | mine != 0;
      assign alone[v] = ~(take[v] & owns_q);
      assign known[v] = see_owned[v] == owns_q;
      assign rest[v] = SWITCHING != 0 || (owns_q ? sent_q < LONGEST && mine + sent_q >= LONGEST : sent_q == 0);
      assign empty[v] = up && owns_q && mine == (SWITCHING != 0 ? 0 : 1) && owed_q + mine == FULL;
    end
  endgenerate
  always @*
    if (started_q) begin
      no_error: assert (~error);
      none_lost: assert (&books);
      at_most_depth: assert (&fits);
      never_below_zero: assert (&paid);
      one_owner: assert (&alone);
      // what makes the induction close
      owner_known: assert (&known);
      room_for_the_rest: assert (&rest);
      cover (|empty);
    end
endmodule
