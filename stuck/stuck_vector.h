/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_vector.h - operations of a circuit under 512 patterns at once, a bit of a vector each. */
#ifndef UT_STUCK_VECTOR_H
#define UT_STUCK_VECTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "circuit.h"

enum { UT_STUCK_WORDS = 8, UT_STUCK_PATTERNS = 64 * UT_STUCK_WORDS };
typedef uint64_t ut_stuck_vector __attribute__((vector_size(8 * UT_STUCK_WORDS)));

static inline unsigned ut_stuck_operands(const struct ut_op *op) {
  return op->kind < UT_OP_NOT ? 0 : op->kind == UT_OP_NOT || op->kind == UT_OP_NET ? 1 : 2;
}

static inline bool ut_stuck_is_zero(const ut_stuck_vector *v) {
  uint64_t any = 0;
  for (unsigned w = 0; w < UT_STUCK_WORDS; w++)
    any |= (*v)[w];
  return !any;
}

static inline void ut_stuck_compute(const struct ut_op *op, const ut_stuck_vector *v, ut_stuck_vector *result) {
  switch (op->kind) {
  case UT_OP_NOT: *result = ~v[op->a]; break;
  case UT_OP_AND: *result = v[op->a] & v[op->b]; break;
  case UT_OP_OR: *result = v[op->a] | v[op->b]; break;
  case UT_OP_XOR: *result = v[op->a] ^ v[op->b]; break;
  default: *result = v[op->a];
  }
}

/* Evaluates all operations, from the given values of inputs, flip-flops and constants. */
static inline void ut_stuck_compute_all(const struct ut_circuit *circuit, ut_stuck_vector *v) {
  for (size_t i = 0; i < circuit->ops; i++)
    if (circuit->op[i].kind >= UT_OP_NOT)
      ut_stuck_compute(&circuit->op[i], v, &v[i]);
}

/* Readers of operation i: reader[readers[i]] to reader[readers[i + 1] - 1], in their order; room for 2 * ops and ops +
 * 2, which are 0. */
void ut_stuck_find_readers(const struct ut_circuit *circuit, uint32_t *reader, uint32_t *readers);

/* Allocates that many; NULL: out of memory. */
ut_stuck_vector *ut_stuck_vectors(size_t count);

/* xorshift64: no reported number depends on its quality. */
static inline uint64_t ut_stuck_chance(uint64_t *state) {
  *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
  return *state;
}

#endif
