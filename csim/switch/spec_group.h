/* SPDX-License-Identifier: Apache-2.0 */
/* spec_group.h - runs the spec (spec/) instead of the model's cycle, or next to it.
 *
 * For the network, for lockstep and for all observers, a group whose switches the spec steps is like any other: after
 * each cycle the registers of the group equal those of the spec.  A group that is checked is stepped by the model, and
 * by the spec from the same wires; then all registers are compared.
 */
#ifndef UT_SPEC_GROUP_H
#define UT_SPEC_GROUP_H

#include "spec.h"
#include "switch.h"

enum ut_spec_use {
  UT_SPEC_STEPS, /* the spec steps the switches instead of the model */
  UT_SPEC_CHECKS /* both step the switches and are compared */
};

/* Attaches the spec from now on; it begins with the present registers.  Returns false when out of memory; nothing has
 * changed then. */
bool ut_spec_attach(struct ut_group *group, enum ut_spec_use use);
void ut_spec_detach(struct ut_group *group);

/* Counts from now on which rules the spec applies (spec/cover.h), until it is detached.  Returns false when out of
 * memory. */
bool ut_spec_cover(struct ut_group *group);
/* Adds the hits counted so far, by enum spec_cover_point; nothing if they are not counted. */
void ut_spec_covered(const struct ut_group *group, uint64_t hits[SPEC_COVER_POINTS]);

/* To be called when registers of the switch in the group were set other than by the cycle: the spec copies all of
 * them. */
void ut_spec_adopt(const struct ut_group *group, const struct ut_switch *sw);

/* Returns the lowest switch that has differed since the spec was attached: in a register, in its outputs, in the
 * packets that it reports as discarded or lost, in the U-turns that it counts; or the first switch of a block whose
 * flit-hops differed. UINT32_MAX: none. */
uint32_t ut_spec_differing(const struct ut_group *group);
/* Returns how many register values have been compared. */
uint64_t ut_spec_compared(const struct ut_group *group);

/* Called for a register of the switch, by its path in the RTL, with both values. */
typedef void ut_spec_difference(void *ctx, const char *path, uint64_t model, uint64_t spec);
/* Compares all registers of a switch now, and calls f, which may be NULL, for each that differs.  Returns how many were
 * compared; *differ: how many of them differ. */
unsigned ut_spec_compare(const struct ut_group *group, uint32_t sw, ut_spec_difference *f, void *ctx, unsigned *differ);

/* ---- for spec_group.c, spec_registers.c and switch.c */

struct ut_spec_group {
  enum ut_spec_use use;
  struct spec_switch *sw;   /* [count] */
  ut_block_steps *steps;    /* the model's */
  uint8_t *differs;         /* [count]: 1 if anything has differed */
  uint32_t *u_turns;        /* [count]: what the model must have counted */
  unsigned *turn;           /* [count]: of the parts of a large table that are compared in turn */
  uint64_t *compared;       /* [count]: register values */
  struct spec_cover *cover; /* [count], or NULL */
};

/* The model's cycle of a group, whatever the spec does there; an elaborated cycle may replace it. */
static inline ut_block_steps *ut_group_model_steps(const struct ut_group *group) {
  return group->spec ? group->spec->steps : group->steps;
}
static inline void ut_group_set_model_steps(struct ut_group *group, ut_block_steps *steps) {
  *(group->spec ? &group->spec->steps : &group->steps) = steps;
}

/* Returns a flit of `words` words, followed by tag and VC, in the form of the spec. */
struct spec_flit ut_spec_flit_of(const uint64_t *words, unsigned count);
/* Copy the registers of the group into the spec, and back; compare them as above. */
void ut_spec_load(const struct ut_group *group, const struct ut_switch *sw, struct spec_switch *to);
void ut_spec_show(const struct ut_group *group, struct ut_switch *sw, const struct spec_switch *from);
unsigned ut_spec_compare_registers(const struct ut_group *group, const struct ut_switch *sw,
                                   const struct spec_switch *spec, ut_spec_difference *f, void *ctx, unsigned *differ);
/* Resets a switch of the group in the spec, too. */
void ut_spec_reset(const struct ut_group *group, const struct ut_switch *sw);

#endif
