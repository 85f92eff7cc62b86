/* SPDX-License-Identifier: Apache-2.0 */
/* model_source.h - where the models of a scenario's switches come from: the caller of this room knows which RTL is
 * used, and how it is compiled. */
#ifndef UT_MODEL_SOURCE_H
#define UT_MODEL_SOURCE_H

#include "lockstep.h"

struct ut_model_source {
  /* Returns the models of the scenario's switches, and builds them if they are not in the cache; free them with
   * ut_free_models() in any case.  -1 and *e: UT_INTERRUPTED, or such a switch has no model. */
  int (*get)(void *ctx, const struct ut_scenario *s, struct ut_models *models, struct ut_error *e);
  void *ctx;
};

#endif
