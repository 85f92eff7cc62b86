/* SPDX-License-Identifier: Apache-2.0 */
/* shim.h - the C face of one switch class, Verilated or gates in lanes: what model.so exports.
 *
 * tb/shim.cpp, the only C++ of the project, is compiled together with the class into a shared object
 * (tb/model_cache.h).  All calls of one instance must come from one thread.
 */
#ifndef UT_SHIM_H
#define UT_SHIM_H

#include "switch.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { UT_MOST_TOGETHER = 512 }; /* ut_model_api.together */

/* What a switch drives; the same struct as network.h's ut_switch_out, which this room may not see. */
struct ut_model_out {
  ut_mask valid;
  const uint64_t *flit;
  unsigned stride;
  const ut_mask *credit;
  uint32_t reports;
  bool busy, error; /* error: error_o is 1 */
};

/* One register that differs: its path below the switch, and both values (bits word*64.. of a wide one). */
typedef void ut_model_difference(void *ctx, const char *path, uint64_t rtl, uint64_t golden);
/* The same of any register, and how many bits it has. */
typedef void ut_model_register(void *ctx, const char *path, unsigned bits, uint64_t rtl, uint64_t golden);

/* A register that can be flipped, and how many bits it has. */
typedef void ut_model_flippable(void *ctx, const char *path, unsigned bits);

/* Who looks at the patterns of lanes: a clock of switches that are stepped together, of which `first` is the number of
 * lane 0, before it.  Vectors of so many words: inputs by their bits in the image (slice/image.h), flip-flops by their
 * numbers in the circuit (slice/circuit.h), the lanes that are clocked. */
typedef void ut_model_watcher(void *ctx, uint32_t first, unsigned words, const uint64_t *inputs,
                              const uint64_t *flip_flops, const uint64_t *lanes);

struct ut_model_api {
  /* Registers compared, in bits per switch. */
  unsigned (*state_bits)(void *m, const struct ut_group *g, struct ut_switch *s);
  /* A switch in its random state before reset; NULL: out of memory.  name: its scope in wave dumps.  first: the first
   * one of those that are stepped together, NULL if it is that one. */
  void *(*create)(uint64_t seed, const char *name, void *first);
  void (*destroy)(void *m);
  void (*reset)(void *m, uint64_t straps);
  /* Writes an entry of the forwarding tables, in reset; NULL in a class without tables. */
  void (*configure)(void *m, uint64_t word);
  /* One clock cycle of `count` of those that are stepped together; out[i] points into the instance and is valid until
   * its next step. */
  void (*step)(void *const *m, unsigned count, const struct ut_switch_in *in, struct ut_model_out *out);
  /* Copies registers that a reset leaves alone (payload) into the golden switch, so that from now on all registers must
   * be equal.  false: out of memory, the first time. */
  bool (*adopt)(void *m, const struct ut_group *g, struct ut_switch *s);
  /* 0: all registers equal, idle_o and discard_o, too, and error_o has never risen. */
  uint64_t (*compare)(void *m, const struct ut_group *g, struct ut_switch *s);
  /* In a class with lanes, else NULL: what compare() has left out, of all that are stepped together with m and that it
   * has compared since the last call.  Sets a bit, by lane, in found[together / 64] for each that differs; returns
   * whether there is one. */
  bool (*conclude)(void *m, uint64_t *found);
  void (*differences)(void *m, const struct ut_group *g, struct ut_switch *s, ut_model_difference *f, void *ctx);
  /* All that compare() looks at, equal or not, always in the same order. */
  void (*registers)(void *m, const struct ut_group *g, struct ut_switch *s, ut_model_register *f, void *ctx);
  /* Flips bit `bit` of the register at `path` (as differences() spells it); false: no such register.  For tests of the
   * checker. */
  bool (*flip)(void *m, const char *path, unsigned bit);
  /* Tells of all registers that flip() knows. */
  void (*flippable)(void *m, ut_model_flippable *f, void *ctx);
  /* Wave dump of some instances, of this class and others, NULL in a class without tracing.  settle(): puts inputs,
   * before step() clocks them; dump(): the values at `time`; fall(): the falling clock edge. */
  void *(*trace_new)(void);
  void (*trace_add)(void *trace, void *m);
  void (*trace_open)(void *trace, const char *path);
  /* Between trace_open() and the first trace_dump(): what else the dump holds.  scope(): what follows stands in it;
   * NULL ends the last one.  variable(): of so many bits, or with 0 bits a text; returns its number.  digits() and
   * text(): its value from the time of the last trace_dump() on. */
  void (*trace_scope)(void *trace, const char *name);
  uint32_t (*trace_variable)(void *trace, const char *name, unsigned bits);
  void (*trace_digits)(void *trace, uint32_t variable, const char *binary);
  void (*trace_text)(void *trace, uint32_t variable, const char *text);
  void (*trace_settle)(void *m, const struct ut_switch_in *in);
  void (*trace_dump)(void *trace, uint64_t time);
  void (*trace_fall)(void *m);
  void (*trace_close)(void *trace);
  /* All models of one dump have one context: that of the first class, which the others are given before they create
   * any. */
  void *(*context)(void);
  void (*share)(void *context);
  /* In a class that counts the lines and branches that it executes, else NULL: writes the counts of this switch to a
   * file, as Verilator does (line_counts.h). */
  void (*lines)(void *m, const char *path);
  /* In a class that counts toggles, else NULL.  forget(): a new count begins; what a reset toggles does not count.
   * toggles(): adds those of each net, in the order of gates.h, to sum[], and returns the cycles that they are of. */
  void (*forget)(void *m);
  uint64_t (*toggles)(void *m, uint64_t *sum);
  /* From now on this one sees every clock of all that are stepped together with m, the switch of that number and the
   * first of them; NULL in a class without lanes. */
  void (*watch)(void *m, uint32_t number, ut_model_watcher *f, void *ctx);
  /* Of lanes that are copies, NULL in a class without lanes.  upset(): when m has been clocked the next time, what that
   * flip-flop has taken over is flipped; at most UT_MOST_TOGETHER such orders for those stepped together.  differing():
   * of those stepped together with m, a bit for each that has other values in its flip-flops than lane 0.
   * restore(): m takes over what lane 0 holds. */
  void (*upset)(void *m, unsigned flip_flop);
  void (*differing)(void *m, uint64_t lanes[UT_MOST_TOGETHER / 64]);
  void (*restore)(void *m);
  unsigned nets;     /* there is room for so many in sum[] */
  unsigned together; /* switches that are stepped by one call, at most: a power of two */
};

/* The only exported symbol. */
const struct ut_model_api *ut_model(void);

#ifdef __cplusplus
}
#endif
#endif
