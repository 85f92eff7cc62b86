/* SPDX-License-Identifier: Apache-2.0 */
/* patterns.h - the table of traffic patterns, a row each: docs/howto/add_a_pattern.md.
 *
 * A row names the file-scope object that describes the pattern (pattern.h): tornado is ut_pattern_tornado, of
 * pattern_tornado.c, and `pattern: tornado` in a scenario.  Schema, messages, checks, pages and the table of BookSim's
 * names follow.  The order is that of lists.
 */
#ifndef UT_PATTERNS_H
#define UT_PATTERNS_H

#define UT_FOR_EACH_PATTERN(X)                                                                                         \
  X(uniform)                                                                                                           \
  X(hot_spot)                                                                                                          \
  X(complement)                                                                                                        \
  X(shuffle)                                                                                                           \
  X(transpose)                                                                                                         \
  X(bit_reverse)                                                                                                       \
  X(bit_rotation)                                                                                                      \
  X(tornado)                                                                                                           \
  X(neighbour)                                                                                                         \
  X(shift)                                                                                                             \
  X(permutation)                                                                                                       \
  X(rates)                                                                                                             \
  X(trace)                                                                                                             \
  X(all_to_all)                                                                                                        \
  X(all_reduce_ring)                                                                                                   \
  X(all_reduce_tree)                                                                                                   \
  X(broadcast)                                                                                                         \
  X(nearest_neighbour)                                                                                                 \
  X(dependencies)                                                                                                      \
  X(goal)

/* The number of each: UT_PATTERN_tornado. */
#define UT_PATTERN_NUMBER(name) UT_PATTERN_##name,
enum { UT_FOR_EACH_PATTERN(UT_PATTERN_NUMBER) UT_PATTERNS };
#undef UT_PATTERN_NUMBER

#endif
