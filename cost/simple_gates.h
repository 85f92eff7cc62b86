/* SPDX-License-Identifier: Apache-2.0 */
/* simple_gates.h - the switch as simple gates, not mapped to cells: exactly what its RTL says, for evaluators of gates
 * (slice/). Deep buffers are memories, a cell UT_MEMORY for each bit of their places.
 */
#ifndef UT_SIMPLE_GATES_H
#define UT_SIMPLE_GATES_H

#include "synthesis.h"

extern const struct ut_technology ut_simple_gates;

#endif
