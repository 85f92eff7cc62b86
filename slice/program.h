/* SPDX-License-Identifier: Apache-2.0 */
/* program.h - a part of a circuit as straight-line C, cut into functions. */
#ifndef UT_PROGRAM_H
#define UT_PROGRAM_H

#include <stdbool.h>
#include <stdio.h>

#include "circuit.h"

/* The operations that some targets follow from, in their order, cut into chunks of code. */
struct ut_program {
  const struct ut_circuit *c;
  const char *name;
  const uint32_t *target; /* [targets]: operations */
  size_t targets;
  uint32_t *chunk; /* [c->ops]: where it is computed; UINT32_MAX: nowhere */
  uint32_t *slot;  /* [c->ops]: where it is kept for later chunks; UINT32_MAX: in none */
  uint32_t *first; /* [c->ops]: the first target that it is, or its inverse, and */
  uint32_t *next;  /* [targets]: the next one; UINT32_MAX: none */
  uint32_t chunks;
  uint32_t slots; /* at the same time, at most */
};

/* Returns 0, or -1 after filling *e; free in both cases. */
int ut_program_make(struct ut_program *program, const struct ut_circuit *circuit, const char *name,
                    const uint32_t *target, size_t targets, struct ut_error *e);
void ut_program_free(struct ut_program *program);

/* Where in x[] things stand: inputs, by bit of a name, and the first bit of the memories' fronts. */
struct ut_program_inputs {
  const uint32_t *bit;
  uint32_t fronts;
};
/* Writes the functions of chunks first..end-1. */
void ut_program_write_chunks(const struct ut_program *program, uint32_t first, uint32_t end,
                             const struct ut_program_inputs *inputs, FILE *f);
/* Writes the function that calls them all, and the declarations that it needs. */
void ut_program_write_calls(const struct ut_program *program, FILE *f);

#endif
