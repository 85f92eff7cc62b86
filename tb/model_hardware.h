/* SPDX-License-Identifier: Apache-2.0 */
/* model_hardware.h - the hardware that the RTL elaborates to for the parameters of a shape. */
#ifndef UT_MODEL_HARDWARE_H
#define UT_MODEL_HARDWARE_H

#include <xxhash.h>

#include "model_cache.h"

/* Computes a hash of the switch as Verilator elaborates it: modules, expressions and widths, but not their places in
 * files. Two folders of RTL with the same hash are the same switch.  Returns -1 and fills *e: no Verilator, no folder,
 * or RTL that cannot be elaborated. */
int ut_model_hardware(const struct ut_model_request *request, XXH128_hash_t *hash, struct ut_error *e);

#endif
