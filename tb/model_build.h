/* model_build.h - the steps of a build: Verilate, compile, link. */
#ifndef UT_MODEL_BUILD_H
#define UT_MODEL_BUILD_H

#include "cache_entry.h"
#include "model_recipe.h"

/* Fills tmp/entry/ of the model, which is claimed; publishing it is left to the caller.  Builds the entry of
 * Verilator's own C++ too when it is missing.  Returns 0, or -1 after filling the error. */
int ut_build_model(const struct ut_recipe *r, const struct ut_entry *model, struct ut_entry *support,
                   const struct ut_caller *c);

#endif
