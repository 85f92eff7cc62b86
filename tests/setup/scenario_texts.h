/* SPDX-License-Identifier: Apache-2.0 */
/* scenario_texts.h - what the tests of scenario files begin with. */
#ifndef UT_TEST_SCENARIO_TEXTS_H
#define UT_TEST_SCENARIO_TEXTS_H

/* 64 terminals, 3 levels of 16 switches with 8 ports. */
#define NETWORK                                                                                                        \
  "topology: {kind: fat_tree, k: 4, n: 3}\n"                                                                           \
  "routing: {algorithm: fta}\n"
#define BASE NETWORK "traffic: {load_flits_per_cycle: 0.3}\n"
/* 8 terminals with two links each way, 3 levels of 4 switches. */
#define RUFT                                                                                                           \
  "topology: {kind: ft_ruft_212, k: 2, n: 3}\n"                                                                        \
  "routing: {algorithm: ruft}\n"                                                                                       \
  "traffic: {load_flits_per_cycle: 0.3}\n"
#define VCT_HINT                                                                                                       \
  "virtual cut-through needs space for a whole packet: raise 'switch.depth_flits', or set 'switch.switching' to "       \
  "wormhole"

#endif
