/* SPDX-License-Identifier: Apache-2.0 */
/* shim.h - the C interface of one compiled switch class, Verilated or gates in lanes: what model.so exports.
 *
 * Purpose: tb/shim.cpp, the only C++ of the project, is compiled together with the class into a shared object
 * (tb/model_cache.h).  ut_model() returns its table of functions.  An instance (m) is one switch; g and s are its twin,
 * a switch of the golden model.
 *
 * Order of calls for one instance: create(), reset(), configure() while it is in reset, then in each cycle step() and
 * compare(), in lanes also conclude(); adopt() once before the first cycle.
 *
 * Invariants: compare() changes no register of either switch.  With lanes, all switches that were created with the same
 * `first` are stepped by one call.
 *
 * Mistakes that a caller can make: calling one instance from two threads; comparing before adopt(), when payload
 * registers of the RTL are still random; reading out[i] after the next step() of the instance; passing to one step()
 * switches that were not created together.
 */
#ifndef UT_SHIM_H
#define UT_SHIM_H

#include "switch.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { UT_MOST_TOGETHER = 512 }; /* ut_model_api.together */

/* Outputs of a switch: the members of ut_switch_out of csim/switch, and error_o. */
struct ut_model_out {
  ut_mask valid;
  const uint64_t *flit;
  unsigned stride;
  const ut_mask *credit;
  uint32_t reports;
  bool busy, error; /* error: error_o is 1 */
};

/* Called for a register that differs: its path below the switch, and both values (bits word*64.. of a wide
 * register). */
typedef void ut_model_difference(void *ctx, const char *path, uint64_t rtl, uint64_t golden);
/* Called for any register, with its width in bits. */
typedef void ut_model_register(void *ctx, const char *path, unsigned bits, uint64_t rtl, uint64_t golden);

/* Called for a register of which a bit can be flipped, with its width in bits. */
typedef void ut_model_flippable(void *ctx, const char *path, unsigned bits);

/* Called before each clock of switches that are stepped together; `first` is the number of the switch in lane 0.
 * Vectors of `words` words: inputs by their bits in the image (slice/image.h), flip-flops by their numbers in the
 * circuit (slice/circuit.h), the lanes that are clocked. */
typedef void ut_model_watcher(void *ctx, uint32_t first, unsigned words, const uint64_t *inputs,
                              const uint64_t *flip_flops, const uint64_t *lanes);

struct ut_model_api {
  /* Returns how many bits of registers are compared for each switch. */
  unsigned (*state_bits)(void *m, const struct ut_group *g, struct ut_switch *s);
  /* Makes a switch with random registers, as before reset; NULL: out of memory.  name: its scope in wave dumps.  first:
   * the first one of the switches that are stepped together; NULL if it is that one itself. */
  void *(*create)(uint64_t seed, const char *name, void *first);
  void (*destroy)(void *m);
  void (*reset)(void *m, uint64_t straps);
  /* Writes a forwarding table entry of a switch in reset; NULL in a class without tables. */
  void (*configure)(void *m, uint64_t word);
  /* Advances `count` switches of those that are stepped together by one clock cycle.  out[i] points into the instance
   * and is valid until its next step. */
  void (*step)(void *const *m, unsigned count, const struct ut_switch_in *in, struct ut_model_out *out);
  /* Copies registers that reset does not initialise (payload) into the golden switch, so that all registers must be
   * equal from now on.  Returns false when out of memory, which can happen in the first call only. */
  bool (*adopt)(void *m, const struct ut_group *g, struct ut_switch *s);
  /* Returns 0 if all registers, idle_o and discard_o are equal and error_o has never been 1. */
  uint64_t (*compare)(void *m, const struct ut_group *g, struct ut_switch *s);
  /* Completes the comparison in a class with lanes, otherwise NULL: for all switches that are stepped together with m
   * and were compared since the last call.  Sets a bit, by lane, in found[together / 64] for each that differs; returns
   * whether there is one. */
  bool (*conclude)(void *m, uint64_t *found);
  void (*differences)(void *m, const struct ut_group *g, struct ut_switch *s, ut_model_difference *f, void *ctx);
  /* Visits all registers that compare() compares, equal or not, always in the same order. */
  void (*registers)(void *m, const struct ut_group *g, struct ut_switch *s, ut_model_register *f, void *ctx);
  /* Flips bit `bit` of the register at `path` (spelled as by differences()); false: there is no such register.  For
   * tests of the checker. */
  bool (*flip)(void *m, const char *path, unsigned bit);
  /* Visits all registers that flip() knows. */
  void (*flippable)(void *m, ut_model_flippable *f, void *ctx);
  /* A wave dump of several instances, of this class and of others; NULL in a class without tracing.  settle(): applies
   * the inputs before step() clocks them; dump(): writes the values at `time`; fall(): the falling clock edge. */
  void *(*trace_new)(void);
  void (*trace_add)(void *trace, void *m);
  void (*trace_open)(void *trace, const char *path);
  /* Additional variables of the dump, declared between trace_open() and the first trace_dump().  scope(): opens a
   * scope; NULL closes the last one.  variable(): declares a variable of `bits` bits, or with 0 bits a text; returns
   * its number. digits() and text(): set its value from the time of the last trace_dump() on. */
  void (*trace_scope)(void *trace, const char *name);
  uint32_t (*trace_variable)(void *trace, const char *name, unsigned bits);
  void (*trace_digits)(void *trace, uint32_t variable, const char *binary);
  void (*trace_text)(void *trace, uint32_t variable, const char *text);
  void (*trace_settle)(void *m, const struct ut_switch_in *in);
  void (*trace_dump)(void *trace, uint64_t time);
  void (*trace_fall)(void *m);
  void (*trace_close)(void *trace);
  /* All models of one dump share one context: that of the first class.  The others are given it before they create a
   * switch. */
  void *(*context)(void);
  void (*share)(void *context);
  /* Writes how often this switch has executed each line and branch to a file, in Verilator's format (line_counts.h);
   * NULL in a class that does not count them. */
  void (*lines)(void *m, const char *path);
  /* Toggle counts; NULL in a class that does not count them.  forget(): starts a new count, so that toggles of a reset
   * do not count.  toggles(): adds the toggles of each net, in the order of gates.h, to sum[]; returns the cycles
   * counted. */
  void (*forget)(void *m);
  uint64_t (*toggles)(void *m, uint64_t *sum);
  /* Registers a watcher that is called for every clock of all switches that are stepped together with m; number: that
   * of m, which must be the first of them.  NULL in a class without lanes. */
  void (*watch)(void *m, uint32_t number, ut_model_watcher *f, void *ctx);
  /* For lanes that are copies of one switch; NULL in a class without lanes.  upset(): flips that flip-flop after the
   * next clock of m; at most UT_MOST_TOGETHER pending calls for the switches stepped together.  differing(): sets a bit
   * for each switch stepped together with m whose flip-flops differ from those of lane 0.  restore(): copies lane 0
   * into m. */
  void (*upset)(void *m, unsigned flip_flop);
  void (*differing)(void *m, uint64_t lanes[UT_MOST_TOGETHER / 64]);
  void (*restore)(void *m);
  unsigned nets;     /* length of sum[] */
  unsigned together; /* the most switches that one call steps: a power of two */
};

/* The only exported symbol. */
const struct ut_model_api *ut_model(void);

#ifdef __cplusplus
}
#endif
#endif
