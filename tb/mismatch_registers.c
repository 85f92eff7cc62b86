/* SPDX-License-Identifier: Apache-2.0 */
/* mismatch_registers.c - the registers of a mismatch by their names: see mismatch.h */
#include "mismatch.h"

#include <string.h>

struct ut_mismatch_register *ut_mismatch_register_of(const struct ut_mismatch *mismatch, const char *path) {
  for (size_t i = 0; i < mismatch->registers; i++)
    if (!strcmp(mismatch->reg[i].path, path))
      return &mismatch->reg[i];
  return NULL;
}

uint64_t ut_mismatch_device_value(const struct ut_mismatch *mismatch, const char *path, uint64_t golden) {
  const struct ut_mismatch_register *mismatch_register = ut_mismatch_register_of(mismatch, path);
  return mismatch_register ? mismatch_register->values.device : golden;
}
