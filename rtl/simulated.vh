// SPDX-License-Identifier: Apache-2.0
// `UT_IF_SIMULATED(condition) STATEMENT: simulators skip the statement if the condition is false; for synthesis there is no
// condition.  So the statement must change nothing whenever the condition is false.  A simulator saves the time of loops over
// lines that are mostly idle, and the gates do not change.  An unknown condition counts as true.  Gates in lockstep always
// execute the statement; proofs and RTL in lockstep have the condition.  There is no include guard: see assertions.vh.
`ifdef SYNTHESIS
`define UT_IF_SIMULATED(condition)
`else
`define UT_IF_SIMULATED(condition) if ((condition) !== 1'b0)
`endif
