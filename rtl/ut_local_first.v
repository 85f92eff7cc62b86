// SPDX-License-Identifier: Apache-2.0
// ut_local_first - requests of terminals go before those of other switches (DETOUR section 5, assumption P8).
//
// Lets the requests of the last LOCAL input ports through, or all where none of these asks.  Requests run over (word, ip).
// The arbiter behind it moves its pointer behind the grant as ever. Combinational.
// Twin: ut_local_first() in csim/switch/vc_allocator.h
`default_nettype none
module ut_local_first #(
    parameter PI = 8,
    parameter WORDS = 1,
    parameter LOCAL = 0  // 0: no port goes first, and this module is empty
) (
    input wire  [WORDS*PI-1:0] req_i,
    output wire [WORDS*PI-1:0] req_o
);
  generate
    if (LOCAL == 0) begin : g_all
      assign req_o = req_i;
    end else begin : g_local
      localparam [PI-1:0] PORTS = {PI{1'b1}} << (PI - LOCAL);
      wire [WORDS*PI-1:0] first = req_i & {WORDS{PORTS}};
      assign req_o = |first ? first : req_i;
    end
  endgenerate
endmodule
`default_nettype wire
