// SPDX-License-Identifier: Apache-2.0
// Assertions.  `UT_ASSERT(name, condition) stands at the end of a module with clk_i and rst_i: outside of reset the condition
// holds at every clock edge.  `UT_ASSERT_EACH(index, count, name, condition) checks it for each index, a genvar.  A violated
// assertion ends the simulation with its place and name.  Assertions exist only if UT_ASSERTIONS is defined, in builds for
// tests (tests/cosim/blocks_slow.sh, tests/cosim/assertions.sh): users' simulators, Yosys and Icarus never see them.  With
// UT_PROOF a solver proves them (tests/formal/matrix_slow.sh).  There is no include guard, because Icarus crashes on a macro
// with arguments that it saw in another file.
`ifdef UT_PROOF
`define UT_ASSERT(name, condition) always @* if (!rst_i) name : assert (condition);
`define UT_ASSERT_EACH(index, count, name, condition) \
  generate \
    for (index = 0; index < count; index = index + 1) begin : name \
      always @* if (!rst_i) assert (condition); \
    end \
  endgenerate
`elsif UT_ASSERTIONS
`define UT_ASSERT(name, condition) \
  always @(posedge clk_i) if (!rst_i && !(condition)) begin : name \
    $display("assertion failed: %m"); \
    $stop; \
  end
`define UT_ASSERT_EACH(index, count, name, condition) \
  generate \
    for (index = 0; index < count; index = index + 1) begin : name \
      always @(posedge clk_i) if (!rst_i && !(condition)) begin \
        $display("assertion failed: %m"); \
        $stop; \
      end \
    end \
  endgenerate
`else
`define UT_ASSERT(name, condition)
`define UT_ASSERT_EACH(index, count, name, condition)
`endif
