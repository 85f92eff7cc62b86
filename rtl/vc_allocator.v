// vc_allocator - gives free output VCs to waiting packets.
//
// Each bidding input VC picks one output VC (vc_select), each output VC grants one of the bids round-robin.  A pointer
// moves only on a grant.  The rotating priority of the selection belongs to the input port and moves behind the port
// that was granted (of the lowest input VC, if several are granted in one cycle); it starts at the opposite port, so
// that inputs spread over the outputs. Matrices run over (ivc, ip, ovc, op), ivc and ovc being the slow indices of
// their side.
// Twin: csim/switch/vc_allocator.h
module vc_allocator #(
    parameter PI = 8,
    parameter PO = 8,
    parameter V  = 1,
    parameter CW = 3,
    parameter DEPTH = 4,
    parameter LEAST = 2  // credits that an output VC with room has at least
) (
    input                     clk_i,
    input                     rst_i,
    input  [        V*PI-1:0] bid_i,
    input  [   V*PI*V*PO-1:0] cand_i,
    input  [   V*PI*V*PO-1:0] bubble_i,
    input  [   V*PI*V*PO-1:0] preferred_i,
    input  [        V*PO-1:0] room_i,
    input  [        V*PO-1:0] room2_i,
    input  [     CW*V*PO-1:0] credits_i,
    output [        V*PI-1:0] grant_o,
    output [   V*PI*V*PO-1:0] choice_o,     // one-hot for every input VC that was granted
    output [        V*PO-1:0] taken_o       // output VCs that were granted
);
  localparam NI = V * PI;
  localparam NO = V * PO;
  wire [NI*PO-1:0] mask;  // rotating priority as each input VC sees it

  // Thresholds of the credit counts, in buffers that are not too deep for them.
  localparam LEVELS = DEPTH - LEAST <= 8 ? DEPTH - LEAST : 0;
  localparam LW = LEVELS > 0 ? LEVELS : 1;
  wire [LW*NO-1:0] level;

  genvar i, o, v, b;
  generate
    if (LEVELS == 0) begin : g_level
      assign level = {NO{1'b0}};
    end
    for (b = 0; b < LEVELS; b = b + 1) begin : g_threshold
      localparam [31:0] AT = LEAST + 1 + b;
      for (o = 0; o < NO; o = o + 1) begin : g_out
        wire [CW-1:0] count;
        for (v = 0; v < CW; v = v + 1) begin : g_bit
          assign count[v] = credits_i[v*NO+o];
        end
        assign level[b*NO+o] = count >= AT[CW-1:0];
      end
    end
    for (i = 0; i < NI; i = i + 1) begin : g_select
      vc_select #(
          .PO(PO),
          .V (V),
          .CW(CW),
          .LEVELS(LEVELS)
      ) u_select (
          .cand_i(cand_i[i*NO+:NO]),
          .bubble_i(bubble_i[i*NO+:NO]),
          .preferred_i(preferred_i[i*NO+:NO]),
          .room_i(room_i),
          .room2_i(room2_i),
          .credits_i(credits_i),
          .level_i(level),
          .mask_i(mask[i*PO+:PO]),
          .choice_o(choice_o[i*NO+:NO])
      );
    end

    for (o = 0; o < NO; o = o + 1) begin : g_out
      wire [NI-1:0] req, gnt, all;
      for (i = 0; i < NI; i = i + 1) begin : g_req
        assign req[i] = choice_o[i*NO+o] & bid_i[i];
      end
      rr_arbiter #(
          .N(NI)
      ) u_arbiter (
          .clk_i(clk_i),
          .rst_i(rst_i),
          .req_i(req),
          .advance_i(1'b1),
          .gnt_o(gnt)
      );
      assign taken_o[o] = |req;
      if (o == 0) begin : g_all
        assign all = gnt;
      end else begin : g_all
        assign all = gnt | g_out[o-1].all;
      end
    end

    for (i = 0; i < PI; i = i + 1) begin : g_in
      localparam [PO-1:0] START = {PO{1'b1}} << ((i + PO / 2) % PO);
      reg [PO-1:0] select_q  /*verilator public_flat_rd*/;
      for (v = 0; v < V; v = v + 1) begin : g_vc
        assign mask[(v*PI+i)*PO+:PO] = select_q;
        // the port granted to this VC or a lower one
        wire [PO-1:0] port;
        wire [PO-1:0] mine;
        wire [NO-1:0] choice = choice_o[(v*PI+i)*NO+:NO];
        for (o = 0; o < V; o = o + 1) begin : g_or
          wire [PO-1:0] ports;
          if (o == 0) begin : g_first
            assign ports = choice[o*PO+:PO];
          end else begin : g_first
            assign ports = choice[o*PO+:PO] | g_or[o-1].ports;
          end
        end
        assign mine = g_or[V-1].ports & {PO{grant_o[v*PI+i]}};
        if (v == 0) begin : g_lowest
          assign port = mine;
        end else begin : g_lowest
          assign port = |g_vc[v-1].port ? g_vc[v-1].port : mine;
        end
      end
      wire [PO-1:0] granted = g_vc[V-1].port;
      always @(posedge clk_i)
        if (rst_i) select_q <= START;
        else if (|granted) select_q <= ~(granted | (granted - {{PO - 1{1'b0}}, 1'b1}));
    end
  endgenerate
  assign grant_o = g_out[NO-1].all;
endmodule
