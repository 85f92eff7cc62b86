// Assertions: `UT_ASSERT(name, condition) at the end of a module with clk_i and rst_i; outside of reset the condition holds
// at every clock edge.  They are there where UT_ASSERTIONS is defined: in Verilator builds with --assert for tests
// (tests/cosim/blocks.sh).  Simulators of users, Yosys and Icarus do not see them.
`ifndef UT_ASSERTIONS_VH
`define UT_ASSERTIONS_VH
`ifdef UT_ASSERTIONS
`define UT_ASSERT(name, condition) \
  always @(posedge clk_i) if (!rst_i) begin \
    name : assert (condition); \
  end
`else
`define UT_ASSERT(name, condition)
`endif
`endif
