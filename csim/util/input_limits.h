/* SPDX-License-Identifier: Apache-2.0 */
/* input_limits.h - limits on input written by others.
 *
 * Each limit is far above what any known use needs, and low enough that a wrong file ends with a message at once,
 * instead of exhausting memory or time. */
#ifndef UT_INPUT_LIMITS_H
#define UT_INPUT_LIMITS_H

enum {
  /* A YAML file: scenario, sweep, figure.  A fault takes 60 bytes. */
  UT_LIMIT_YAML_BYTES = 16 << 20,
  /* Lists and groups of keys inside each other; a sweep needs 6.  libyaml's time grows with the square. */
  UT_LIMIT_YAML_NESTING = 32,
  /* Values, lists and groups of keys of such a file, when each alias is replaced by what it stands for. */
  UT_LIMIT_YAML_NODES = 1 << 20,
  /* Entries of `faults`: half a second to read.  One entry may draw thousands. */
  UT_LIMIT_FAULTS = 20000,
  /* A line of a trace or permutation: four numbers take 80 bytes, the rest is for comments. */
  UT_LIMIT_NUMBER_LINE_BYTES = 4096,
  /* A line of a workload's file: 50,000 names behind `after`. */
  UT_LIMIT_TASK_LINE_BYTES = 1 << 20,
  /* Packets of a message: they enter the source queue at once, 16 bytes each. */
  UT_LIMIT_MESSAGE_PACKETS = 100000000,
  /* Packets of a trace, in memory 24 bytes each: half a day of a large network. */
  UT_LIMIT_TRACE_PACKETS = 100000000,
  /* Any other file that is read whole: Liberty, a page, a table of printed values. */
  UT_LIMIT_FILE_BYTES = 256 << 20,
  /* How long the other end of a pipe may be silent. */
  UT_LIMIT_PIPE_SECONDS = 10,
};

#endif
