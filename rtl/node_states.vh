// SPDX-License-Identifier: Apache-2.0
// The node states around a switch, packed into one vector; the order of the fields is defined here only.  A bad node is
// faulty, unsafe or disabled.  States that an algorithm does not keep are 0.
//
//   bad       over ports to other nodes: the neighbour is bad
//   diagonal  the node across a corner is bad: four bits a pair of dimensions i < j, in the order (0,1) (0,2) (1,2) (0,3);
//             of four bits number 2 * (1: -j) + (1: -i)
//   border    bit 0 the plus side of the highest dimension: the bad nodes there reach the right border of dimension 0
//   corner    the same bits of the neighbour in +0, then of the one in -0
//   unsafe, disabled   this node
//   refuses, refused   packets to that terminal are discarded, by order of the manager
//
// Twin: struct ut_node_states in csim/switch/switch.h
`ifndef UT_NODE_STATES_VH
`define UT_NODE_STATES_VH
`define UT_NODE_BAD_LSB 0
`define UT_NODE_DIAGONAL_LSB 12
`define UT_NODE_BORDER_LSB 36
`define UT_NODE_CORNER_LSB 38
`define UT_NODE_UNSAFE 42
`define UT_NODE_DISABLED 43
`define UT_NODE_REFUSES 44
`define UT_NODE_REFUSED_LSB 45
`define UT_NODE_BITS 61
`endif
