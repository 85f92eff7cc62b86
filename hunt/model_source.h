/* SPDX-License-Identifier: Apache-2.0 */
/* model_source.h - where the models of a scenario's switches come from: whoever calls this room knows which RTL, and
 * how it is compiled. */
#ifndef UT_MODEL_SOURCE_H
#define UT_MODEL_SOURCE_H

#include "lockstep.h"

struct ut_model_source {
  /* The models of the scenario's switches, built if they are not in the cache; to be freed (ut_free_models()) in any
   * case.  -1 and *e: UT_INTERRUPTED, or there is no model of such a switch. */
  int (*get)(void *ctx, const struct ut_scenario *s, struct ut_models *models, struct ut_error *e);
  void *ctx;
};

#endif
