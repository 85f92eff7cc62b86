/* SPDX-License-Identifier: Apache-2.0 */
/* spec_group.h - the plain switch (spec/) in the place of the model's cycle, or beside it.
 *
 * A group whose switches the spec steps is like any other for the network, for lockstep and for all observers: after
 * each cycle the registers of the group are those of the spec.  A group that is checked is stepped by the model, and by
 * the spec from the same wires; then all registers are compared.
 */
#ifndef UT_SPEC_GROUP_H
#define UT_SPEC_GROUP_H

#include "spec.h"
#include "switch.h"

enum ut_spec_use {
  UT_SPEC_STEPS, /* the spec steps the switches, the model does not */
  UT_SPEC_CHECKS /* both do, and are compared */
};

/* From now on; the spec begins with the registers as they are.  false: out of memory, and nothing has changed. */
bool ut_spec_attach(struct ut_group *group, enum ut_spec_use use);
void ut_spec_detach(struct ut_group *group);

/* Counts from now on which rules the spec applies (spec/cover.h), until it is detached.  false: out of memory. */
bool ut_spec_cover(struct ut_group *group);
/* Adds what has been counted, by enum spec_cover_point; nothing, if nobody counts. */
void ut_spec_covered(const struct ut_group *group, uint64_t hits[SPEC_COVER_POINTS]);

/* Somebody else than the cycle has set registers of the switch in the group: the spec takes all of them over. */
void ut_spec_adopt(const struct ut_group *group, const struct ut_switch *sw);

/* The lowest switch that has differed since the spec was attached: in a register, in what it drives, in the packets of
 * which it tells that they are discarded or lost, in the U-turns that it counts; or the first one of a block of which
 * other flit-hops were counted.  UINT32_MAX: none has. */
uint32_t ut_spec_differing(const struct ut_group *group);
/* Register values that have been compared. */
uint64_t ut_spec_compared(const struct ut_group *group);

/* A register of the switch, by its path in the RTL, and what both say. */
typedef void ut_spec_difference(void *ctx, const char *path, uint64_t model, uint64_t spec);
/* Compares all registers of a switch now, and tells each that differs; f may be NULL.  Returns how many were compared;
 * *differ: how many of them differ. */
unsigned ut_spec_compare(const struct ut_group *group, uint32_t sw, ut_spec_difference *f, void *ctx, unsigned *differ);

/* ---- for spec_group.c, spec_registers.c and switch.c */

struct ut_spec_group {
  enum ut_spec_use use;
  struct spec_switch *sw;   /* [count] */
  ut_block_steps *steps;    /* the model's */
  uint8_t *differs;         /* [count]: 1 if anything has differed */
  uint32_t *u_turns;        /* [count]: that the model must have counted */
  uint64_t *compared;       /* [count]: register values */
  struct spec_cover *cover; /* [count], or NULL */
};

/* The model's cycle of a group, whatever the spec does there; an elaborated one may take its place. */
static inline ut_block_steps *ut_group_model_steps(const struct ut_group *group) {
  return group->spec ? group->spec->steps : group->steps;
}
static inline void ut_group_set_model_steps(struct ut_group *group, ut_block_steps *steps) {
  *(group->spec ? &group->spec->steps : &group->steps) = steps;
}

/* A flit of so many words, behind which tag and VC stand, as the spec has it. */
struct spec_flit ut_spec_flit_of(const uint64_t *words, unsigned count);
/* Takes the registers of the group into those of the spec, the other way, and compares them as above. */
void ut_spec_load(const struct ut_group *group, const struct ut_switch *sw, struct spec_switch *to);
void ut_spec_show(const struct ut_group *group, struct ut_switch *sw, const struct spec_switch *from);
unsigned ut_spec_compare_registers(const struct ut_group *group, const struct ut_switch *sw,
                                   const struct spec_switch *spec, ut_spec_difference *f, void *ctx, unsigned *differ);
/* A switch of the group is reset, in the spec, too. */
void ut_spec_reset(const struct ut_group *group, const struct ut_switch *sw);

#endif
