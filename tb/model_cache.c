/* SPDX-License-Identifier: Apache-2.0 */
/* model_cache.c - see model_cache.h.
 *
 * The steps are in files of their own: the inputs of a model and its key (model_recipe, model_sources), entries and
 * locks (cache_entry), the build (model_build, model_units, cache_log), running tools (cache_tools).
 */
#include "model_cache.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cache_caller.h"
#include "cache_entry.h"
#include "cache_folder.h"
#include "model_build.h"
#include "model_recipe.h"

/* Makes sure that the recipe's model is in the cache.  Returns its path; NULL after filling the error. */
static char *get(struct ut_recipe *recipe, const struct ut_caller *caller) {
  char dir[PATH_MAX];
  XXH128_hash_t support_key, model_key;
  struct ut_entry support, model;
  struct ut_model_build build = {.recipe = recipe, .model = &model, .support = &support, .caller = caller};
  if (ut_cache_open(dir, caller->e) || ut_recipe_gather(recipe, caller) ||
      ut_recipe_keys(recipe, &support_key, &model_key, caller->e) ||
      ut_entry_init(&support, dir, support_key, "support.o", caller->e) ||
      ut_entry_init(&model, dir, model_key, "model.so", caller->e))
    return NULL;
  return ut_entry_make(&model, ut_build_model, &build, caller) < 0 ? NULL : strdup(model.path);
}

char *ut_model_cache_get(const struct ut_model_request *request, ut_cache_progress *progress, void *ctx,
                         struct ut_error *e) {
  struct ut_caller caller = {.progress = progress, .ctx = ctx, .interrupted = request->interrupted, .e = e};
  struct ut_recipe recipe;
  if (ut_recipe_init(&recipe, request, e))
    return NULL;
  const struct ut_shape *shape = request->shape;
  snprintf(caller.what, sizeof caller.what, "switch model %ux%u ports, %u VC%s of %u flits%s%s%s", shape->pi, shape->po,
           shape->v, shape->v > 1 ? "s" : "", shape->depth, recipe.traced ? ", traced" : "",
           recipe.counted ? ", toggles counted" : "", recipe.lanes ? ", in lanes" : "");
  char *path = get(&recipe, &caller);
  ut_recipe_free(&recipe);
  return path;
}
