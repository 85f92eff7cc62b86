// SPDX-License-Identifier: Apache-2.0
// `UT_IF_SIMULATED(condition) STATEMENT: simulators skip the statement where the condition is false, synthesis has none.  So
// it must change nothing whenever the condition is false: what a simulator gains is the time of loops over lines that are
// mostly idle, and gates are what they would be without it.  An unknown condition is not false.  Gates in lockstep have the
// statement always, proofs and RTL in lockstep have the condition.  No include guard: assertions.vh.
`ifdef SYNTHESIS
`define UT_IF_SIMULATED(condition)
`else
`define UT_IF_SIMULATED(condition) if ((condition) !== 1'b0)
`endif
