// SPDX-License-Identifier: Apache-2.0
// Assertions: `UT_ASSERT(name, condition) at the end of a module with clk_i and rst_i; outside of reset the condition holds
// at every clock edge.  `UT_ASSERT_EACH(index, count, name, condition) says it for each index, a genvar.  A broken one ends
// the simulation with its place and its name.  They are there where UT_ASSERTIONS is defined: in builds for tests
// (tests/cosim/blocks_slow.sh, tests/cosim/assertions.sh).  Nobody else sees them: neither simulators of users nor Yosys nor
// Icarus.  With UT_PROOF they are what a solver has to prove (tests/formal/matrix_slow.sh).  No include guard: Icarus crashes on
// a macro with arguments that it saw in another file.
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
