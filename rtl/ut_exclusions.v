// SPDX-License-Identifier: Apache-2.0
// ut_exclusions - exclusion intervals of the up ports (RUFT section 5.1, "Flexible Interval Routing with multiple exclusion
// intervals"): destinations to which no packet may go up through that port, because a link on the way down has failed.
//
// Each of PORTS ports has COUNT intervals {last, first}; one with last < first is empty.  A word of config_i writes an
// interval (rtl/header.tsv), which is valid from the next cycle on.  Intervals can be written during reset: reset does not
// change them.  The route unit compares destinations with them.
// Twin: csim/switch/switch.h, ut_switch_configure
`default_nettype none
`include "layout.vh"
module ut_exclusions #(
    parameter PORTS = 4,
    parameter COUNT = 4
) (
    input wire                       clk_i,
    input wire  [              63:0] config_i,
    output wire [32*PORTS*COUNT-1:0] intervals_o  // over (port, number)
);
  localparam PW = PORTS > 16 ? `UT_EXCLUSION_PORT_WIDTH : `UT_EXCLUSION_PORT_WIDTH - 1;
  wire [PW-1:0] port = config_i[`UT_EXCLUSION_PORT_LSB+:PW];
  wire [`UT_EXCLUSION_NUMBER_WIDTH-1:0] number = config_i[`UT_EXCLUSION_NUMBER_LSB+:`UT_EXCLUSION_NUMBER_WIDTH];
  genvar n;
  generate
    for (n = 0; n < PORTS * COUNT; n = n + 1) begin : g_interval
      localparam [31:0] PORT = n / COUNT, NUMBER = n % COUNT;
      reg [31:0] interval_q  /*verilator public_flat_rd*/;
      always @(posedge clk_i)
        if (config_i[`UT_EXCLUSION_WRITE_LSB] & port == PORT[PW-1:0] &
            number == NUMBER[`UT_EXCLUSION_NUMBER_WIDTH-1:0])
          interval_q <= {
            config_i[`UT_EXCLUSION_LAST_LSB+:`UT_EXCLUSION_LAST_WIDTH],
            config_i[`UT_EXCLUSION_FIRST_LSB+:`UT_EXCLUSION_FIRST_WIDTH]
          };
      assign intervals_o[32*n+:32] = interval_q;
    end
  endgenerate

  // verilator lint_off UNUSEDSIGNAL
  wire unused = &{1'b0, config_i};  // words are wider than the fields used here
  // verilator lint_on UNUSEDSIGNAL
endmodule
`default_nettype wire
